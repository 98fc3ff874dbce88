/* The PRAM programs, in the order of netpram list. */
#include "pram/program.h"

extern const np_program_ops np_program_random_reads, np_program_or, np_program_maximum, np_program_prefix_sums,
    np_program_list_ranking, np_program_euler_tour, np_program_components, np_program_bfs, np_program_matrix_product,
    np_program_merge, np_program_sort, np_program_histogram;

const np_registry np_programs = {
    .list = "programs",
    .title = "PRAM programs (the first argument of pram), and the rule each needs",
    .what = "program",
    .built_in = NP_ENTRIES(
        &np_program_random_reads.info.entry, &np_program_or.info.entry, &np_program_maximum.info.entry,
        &np_program_prefix_sums.info.entry, &np_program_list_ranking.info.entry, &np_program_euler_tour.info.entry,
        &np_program_components.info.entry, &np_program_bfs.info.entry, &np_program_matrix_product.info.entry,
        &np_program_merge.info.entry, &np_program_sort.info.entry, &np_program_histogram.info.entry),
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
