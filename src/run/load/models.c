/* The models of switches. */
#include <string.h>

#include "run/load/load.h"

static const np_open_model *const models[] = {&np_open_steps, &np_open_flits};

np_status np_open_model_find(const char *name, const np_open_model **out)
{
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        if (!strcmp(models[i]->info.name, name)) {
            *out = models[i];
            return NP_OK;
        }
    return NP_RAISE(NP_ERROR_INPUT, "model '%.40s': write steps or flits", name);
}
