/* Network specs: refused in one line, or a sound network whose spec is the input, byte for byte. */
#include <string.h>

#include "fuzz.h"

enum { AUDIT_MAX = 100000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = fuzz_text(data, size);
    np_network *network;
    if (!strncmp(text, "file:", 5))
        return 0; /* that would read files of this machine */
    np_status st = np_network_create(text, &network);
    if (st) {
        fuzz_check_refusal(st, network);
        return 0;
    }
    if (strcmp(np_network_spec(network), text))
        fuzz_fail("the spec is not the input");
    if (!np_network_nodes(network) || np_network_links(network) > np_network_link_numbers(network))
        fuzz_fail("counts that cannot be");
#ifdef NETPRAM_HAS_TRAFFIC
    if (np_network_link_numbers(network) <= AUDIT_MAX && np_network_audit(network))
        fuzz_fail("the audit fails");
#endif
    np_network_free(network);
    return 0;
}
