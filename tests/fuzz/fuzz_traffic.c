/* Traffic specs. */
#include <string.h>

#include "fuzz.h"
#include "traffic_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = fuzz_text(data, size);
    if (strncmp(text, "file:", 5)) /* that would read files of this machine */
        traffic_check(text);
    return 0;
}
