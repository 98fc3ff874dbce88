/* The PRAM programs: one line each, in the order of netpram list. */
#include <string.h>

#include "base/parse.h"
#include "pram/program.h"

extern const np_program_ops np_program_random_reads, np_program_or, np_program_maximum, np_program_prefix_sums,
    np_program_list_ranking, np_program_euler_tour, np_program_components, np_program_bfs, np_program_matrix_product,
    np_program_merge, np_program_sort, np_program_histogram;

const np_program_ops *const np_programs[] = {
    &np_program_random_reads,
    &np_program_or,
    &np_program_maximum,
    &np_program_prefix_sums,
    &np_program_list_ranking,
    &np_program_euler_tour,
    &np_program_components,
    &np_program_bfs,
    &np_program_matrix_product,
    &np_program_merge,
    &np_program_sort,
    &np_program_histogram,
    NULL,
};

enum { PROGRAMS = sizeof np_programs / sizeof *np_programs - 1 };

const np_program_info *np_program(size_t i) { return i < PROGRAMS ? &np_programs[i]->info : NULL; }

static const np_program_ops *find(const char *name)
{
    for (size_t i = 0; i < PROGRAMS; i++)
        if (!strcmp(np_programs[i]->info.name, name))
            return np_programs[i];
    return NULL;
}

static np_status refuse(const char *name)
{
    const char *names[PROGRAMS];
    for (size_t i = 0; i < PROGRAMS; i++)
        names[i] = np_programs[i]->info.name;
    return NP_RAISE(NP_ERROR_INPUT, "no program '%s': did you mean '%s'?", name,
                    np_parse_nearest(name, names, PROGRAMS));
}

np_status np_program_find(const char *name, const np_program_info **out)
{
    const np_program_ops *ops = find(name);
    *out = ops ? &ops->info : NULL;
    return ops ? NP_OK : refuse(name);
}

np_status np_program_run(const char *name, const np_pram_options *pram, const np_program_options *options,
                         np_program_result **out)
{
    const np_program_ops *ops = find(name);
    *out = NULL;
    return ops ? np_program_run_ops(ops, pram, options, out) : refuse(name);
}
