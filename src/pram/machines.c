/* The machines: one line each. */
#include <string.h>

#include "pram/fields.h"
#include "pram/machine.h"

extern const np_machine_ops np_machine_ideal;
extern const np_machine_ops np_machine_butterfly;
extern const np_machine_ops np_machine_leveled;
extern const np_machine_ops np_machine_two_phase;
extern const np_machine_ops np_machine_copies;

const np_registry np_machines = {
    .list = "machines",
    .title = "machines for them (--machine)",
    .what = "machine",
    .built_in = NP_ENTRIES(&np_machine_ideal.info, &np_machine_butterfly.info, &np_machine_leveled.info,
                           &np_machine_two_phase.info, &np_machine_copies.info),
};

np_status np_machine_register(const np_machine_ops *ops)
{
    const np_member members[] = {{"info.parameters", NP_REQUIRED, ops->info.parameters},
                                 {"create", NP_REQUIRED, ops->create},
                                 {"free", NP_REQUIRED, ops->free},
                                 {"serve", NP_REQUIRED, ops->serve},
                                 {"memory", NP_RESERVED, ops->memory},
                                 {"slowest", NP_RESERVED, ops->slowest},
                                 {"observed", NP_RESERVED, ops->observed ? ops : NULL},
                                 {"whole", NP_RESERVED, ops->whole ? ops : NULL},
                                 {"put", NP_RESERVED, ops->put},
                                 {"get", NP_RESERVED, ops->get},
                                 {"keep", NP_RESERVED, ops->keep},
                                 {NULL}};
    return np_registry_add(&np_machines, &ops->info, members);
}

np_status np_pram_machine_explains(const char *machine, bool *out)
{
    const np_machine_ops *ops;
    np_status st = np_registry_find_spec(&np_machines, machine, &ops);
    *out = !st && ops->slowest;
    return st;
}

np_status np_pram_machine_observed(const char *machine, bool *out)
{
    const np_machine_ops *ops;
    np_status st = np_registry_find_spec(&np_machines, machine, &ops);
    *out = !st && ops->observed;
    return st;
}

np_status np_machine_create(const char *spec, const np_pram_options *options, np_machine **out)
{
    const np_machine_ops *ops;
    const char *colon = strchr(spec, ':');
    *out = NULL;
    np_status st = np_registry_find_spec(&np_machines, spec, &ops);
    if (!st && options->observer && !ops->observed)
        st = NP_RAISE(NP_ERROR_APPLY, "trace: machine '%s' does not say which packets move: try leveled:hypercube:8",
                      ops->info.name);
    if (!st && options->carry_values && !ops->observed && !ops->whole)
        st = NP_RAISE(NP_ERROR_APPLY, "carry-values: machine '%s' does not say which messages move: try butterfly:4",
                      ops->info.name);
    if (!st && options->memory_layout && !ops->keep)
        st = NP_RAISE(NP_ERROR_APPLY, "memory-layout %s: machine '%s' has no hash tables in rows: try butterfly:8",
                      np_memory_layout_words[options->memory_layout], ops->info.name);
    if (st || (st = ops->create(colon ? colon + 1 : "", options, out)))
        return st;
    (*out)->ops = ops;
    return NP_OK;
}

np_status np_machine_bytes(const np_pram_options *options, uint64_t cells, uint64_t accesses, uint64_t *out)
{
    const np_machine_ops *ops;
    const char *spec = options->machine, *colon = spec ? strchr(spec, ':') : NULL;
    *out = 0;
    if (!spec || np_registry_find_spec(&np_machines, spec, &ops) || !ops->bytes)
        return NP_OK;
    np_status st = ops->bytes(colon ? colon + 1 : "", options, cells, accesses, out);
    if (!st || st == NP_ERROR_MEMORY)
        return st;
    *out = 0;
    return NP_OK;
}
