/* The machines: one line each. */
#include <string.h>

#include "base/parse.h"
#include "base/status.h"
#include "pram/machine.h"

extern const np_machine_ops np_machine_ideal;
extern const np_machine_ops np_machine_butterfly;
extern const np_machine_ops np_machine_leveled;
extern const np_machine_ops np_machine_two_phase;

const np_machine_ops *const np_machines[] = {
    &np_machine_ideal, &np_machine_butterfly, &np_machine_leveled, &np_machine_two_phase, NULL,
};

bool np_pram_machine(size_t i, np_machine_info *out)
{
    if (i >= sizeof np_machines / sizeof *np_machines - 1)
        return false;
    const np_machine_ops *ops = np_machines[i];
    *out = (np_machine_info){ops->name, ops->parameters, ops->help, ops->source, ops->slowest != NULL};
    return true;
}

enum { NAME_MAX_LENGTH = 40 };

static np_status refuse(const char *name)
{
    const char *names[sizeof np_machines / sizeof *np_machines];
    size_t count = 0;
    for (; np_machines[count]; count++)
        names[count] = np_machines[count]->name;
    return NP_RAISE(NP_ERROR_INPUT, "no machine '%s': did you mean '%s'?", name, np_parse_nearest(name, names, count));
}

np_status np_machine_create(const char *spec, const np_pram_options *options, np_machine **out)
{
    char name[NAME_MAX_LENGTH + 1] = "";
    size_t length = strcspn(spec, ":");
    *out = NULL;
    strncat(name, spec, length < NAME_MAX_LENGTH ? length : NAME_MAX_LENGTH);
    for (size_t i = 0; np_machines[i]; i++)
        if (!strcmp(np_machines[i]->name, name))
            return np_machines[i]->create(spec[length] ? spec + length + 1 : "", options, out);
    return refuse(name);
}
