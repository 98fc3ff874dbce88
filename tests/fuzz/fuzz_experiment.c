/* Experiment files: refused with one line that begins with the file's name, or good, with a name fit for a file. */
#include "fuzz.h"

#include <string.h>

#include "netpram/report.h"
#include "netpram/netpram.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    np_experiment *experiment;
    if (np_experiment_parse("x.json", (const char *)data, size, &experiment)) {
        FUZZ_CHECK(!experiment);
        FUZZ_CHECK(!strncmp(np_last_error(), "x.json:", 7) && !strchr(np_last_error(), '\n'));
        return 0;
    }
    const char *name = np_experiment_name(experiment);
    FUZZ_CHECK(*name && *name != '.' && !strchr(name, '/'));
    np_experiment_free(experiment);
    return 0;
}
