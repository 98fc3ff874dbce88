/* The machines: one line each. */
#include <string.h>

#include "base/account.h"
#include "machine/pram/machine.h"

extern const np_machine_ops np_machine_ideal;
extern const np_machine_ops np_machine_butterfly;
extern const np_machine_ops np_machine_leveled;
extern const np_machine_ops np_machine_two_phase;
extern const np_machine_ops np_machine_mpi;
NP_PAPERS(extern const np_machine_ops np_machine_copies;)

const np_registry np_machines = {
    .list = "machines",
    .title = "machines for them (--machine)",
    .what = "machine",
    .built_in = NP_ENTRIES(&np_machine_ideal.info, &np_machine_butterfly.info, &np_machine_leveled.info,
                           &np_machine_two_phase.info NP_PAPERS(, &np_machine_copies.info), &np_machine_mpi.info),
};

/* A machine of a program that does not say what it takes has the slack: the PRAM makes the batches. */
static bool takes(const np_machine_ops *ops, const char *option)
{
    return np_field_listed(ops->info.takes ? ops->info.takes : "slack", option);
}

static bool entry_takes(const np_entry *entry, const void *option)
{
    return takes((const np_machine_ops *)entry, option);
}

/*
 * An option that none of the library's machines lists is for all machines, as `processors`; but those of the machine
 * `copies` are not, though it is of the annex, which a build may lack.
 */
static bool is_for_some(const char *option)
{
    const np_entry *const *entry = np_machines.built_in;
    if (np_field_listed("copies, quorum, serves, answers", option))
        return true;
    while (*entry && !entry_takes(*entry, option))
        entry++;
    return *entry;
}

np_status np_pram_machine_heeds(const char *machine, const char *option)
{
    char names[512];
    const np_machine_ops *ops;
    const np_field *field = np_fields_find(&np_pram_options_fields, option);
    np_status st = np_registry_find_spec(&np_machines, machine, &ops);
    if (st || !field || takes(ops, field->name) || !is_for_some(field->name))
        return st;
    np_registry_names(&np_machines, entry_takes, field->name, names, sizeof names);
    return NP_RAISE(NP_ERROR_APPLY, "is for machine %s, not for '%s'%s", *names ? names : "'copies'", ops->info.name,
                    !strcmp(field->name, "queue_size") && (ops->whole || ops == &np_machine_two_phase)
                        ? ", whose messages are routed by schemes with unbounded queues"
                        : "");
}

/* What the list of a machine does not tell: options that one map of addresses leaves nothing to do. */
static np_status check_map(const np_pram_options *options)
{
    if (options->hash_coefficients && options->map != NP_MAP_HASH)
        return NP_RAISE(NP_ERROR_APPLY, "zeta %u: only --map hash has so many coefficients",
                        options->hash_coefficients);
    if (options->allotted && options->map == NP_MAP_NONE)
        return NP_RAISE(NP_ERROR_APPLY, "allotted %u: with --map none there is no hash function to draw anew",
                        options->allotted);
    return NP_OK;
}

/* One request of each processor at a time is what all machines do that have no slack. */
static np_status check_options(const char *machine, const np_machine_ops *ops, const np_pram_options *options)
{
    np_pram_options asked = *options;
    if (asked.slack == 1 && !takes(ops, "slack"))
        asked.slack = 0;
    np_status st = np_options_heeded(&np_pram_options_fields, &asked, machine, np_pram_machine_heeds);
    return st ? st : check_map(options);
}

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
                                 {"info.takes carry_values", NP_RESERVED, takes(ops, "carry_values")},
                                 {"info.takes memory_layout", NP_RESERVED, takes(ops, "memory_layout")},
                                 {"divided", NP_RESERVED, ops->divided ? ops : NULL},
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

/* A machine that is divided needs ranks, and no other has any. */
static np_status check_job(const np_machine_ops *ops, const np_pram_options *options)
{
    if (ops->divided == (options->job != NULL))
        return NP_OK;
    return ops->divided
               ? NP_RAISE(NP_ERROR_APPLY, "machine '%s' is made of processes: start them with mpirun -n 2 netpram",
                          ops->info.name)
               : NP_RAISE(NP_ERROR_APPLY, "machine '%s' is not divided over processes: try mpi", ops->info.name);
}

np_status np_pram_machine_observed(const char *machine, bool *out)
{
    const np_machine_ops *ops;
    np_status st = np_registry_find_spec(&np_machines, machine, &ops);
    *out = !st && ops->observed;
    return st;
}

/* A machine of a program may say what it takes, of which no account knows. The library's own are charged for it. */
static np_status check_bytes(const np_machine_ops *ops, const np_pram_options *options)
{
    const char *colon = strchr(options->machine, ':');
    uint64_t bytes = 0;
    np_status st = ops->bytes ? ops->bytes(colon ? colon + 1 : "", options, 0, 0, &bytes) : NP_OK;
    return st ? st : np_account_allow(bytes, "a smaller machine", "processors and modules of %s", options->machine);
}

np_status np_machine_create(const char *spec, np_pram_options *options, np_machine **out)
{
    const np_machine_ops *ops;
    const char *colon = strchr(spec, ':');
    *out = NULL;
    np_status st = np_registry_find_spec(&np_machines, spec, &ops);
    if (!st && options->observer && !ops->observed)
        st = NP_RAISE(NP_ERROR_APPLY, "trace: machine '%s' does not say which packets move: try leveled:hypercube:8",
                      ops->info.name);
    if (st || (st = check_job(ops, options)) || (st = check_options(spec, ops, options)))
        return st;
    if (!options->slack && !ops->whole)
        options->slack = 1;
    if ((st = check_bytes(ops, options)) || (st = ops->create(colon ? colon + 1 : "", options, out)))
        return st;
    (*out)->ops = ops;
    return NP_OK;
}
