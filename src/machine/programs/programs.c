/* The PRAM programs, in the order of netpram list. */
#include "machine/programs/text.h"

const np_registry np_programs = {
    .list = "programs",
    .title = "PRAM programs (the first argument of pram), and the rule each needs",
    .what = "program",
    .built_in = np_program_entries,
};

np_status np_program_find(const char *name, const np_program_info **out)
{
    return np_registry_find(&np_programs, name, out); /* the info begins the descriptor */
}

np_status np_program_run(const char *name, const np_pram_options *pram, const np_program_options *options,
                         np_program_result **out)
{
    const np_program_ops *ops;
    np_status st = np_registry_find(&np_programs, name, &ops);
    *out = NULL;
    return st ? st : np_program_run_ops(ops, pram, options, out);
}
