/* Files of graphs in all formats: refused with "name:line: ...", or a network that passes its audit. */
#include "fuzz.h"

#include <string.h>

#include "base/memory.h"
#include "netpram/report.h"
#include "network/links.h"

enum { LIMIT = 1 << 12 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const np_network_family family = {.info = {.name = "file"}};
    np_network *network = calloc(1, sizeof *network);
    network->family = &family;
    network->spec = np_memory_text("fuzz");
    FUZZ_CHECK(!np_report_formats());
    np_status st = np_links_parse("fuzz", (const char *)data, size, NULL, LIMIT, network);
    if (st) {
        FUZZ_CHECK(st == NP_ERROR_INPUT || st == NP_ERROR_LIMIT || st == NP_ERROR_APPLY);
        FUZZ_CHECK(!strncmp(np_last_error(), "fuzz:", 5) && !strchr(np_last_error(), '\n'));
    } else {
        FUZZ_CHECK(np_network_nodes(network) <= LIMIT && np_network_links(network) >= 1);
        FUZZ_CHECK(!np_network_audit(network));
    }
    np_network_free(network);
    return 0;
}
