/* Files of links: refused in one line, or a network that passes the audit. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    np_network *network;
    np_status st = np_network_create(fuzz_file(data, size), &network);
    if (st)
        fuzz_check_refusal(st, network);
    else if (np_network_audit(network))
        fuzz_fail("the audit fails");
    np_network_free(network);
    return 0;
}
