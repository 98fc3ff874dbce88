#include "papers/ranks/instance.h"

#include "base/memory.h"
#include "base/written.h"

np_status np_instance_init(np_instance *instance, const np_network *network, const np_traffic *traffic,
                           const char *file)
{
    *instance = (np_instance){.network = np_memory_text(np_network_spec(network)),
                              .traffic = np_memory_text(np_traffic_spec(traffic)),
                              .file = file ? np_memory_text(file) : NULL};
    return instance->network && instance->traffic && (instance->file || !file) ? NP_OK : np_status_last();
}

void np_instance_clear(np_instance *instance) { NP_MEMORY_FREE(instance->network, instance->traffic, instance->file); }

void np_instance_write(const char *word, const char *spec, FILE *stream)
{
    fprintf(stream, "# %s ", word);
    np_written(NP_MEDIUM_TERMINAL, spec, stream);
    fputc('\n', stream);
}
