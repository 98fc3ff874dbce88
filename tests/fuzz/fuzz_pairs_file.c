/* Files of traffic: lines "source destination [count]", or Matrix Market. */
#include "fuzz.h"
#include "traffic_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    traffic_check(fuzz_file(data, size));
    return 0;
}
