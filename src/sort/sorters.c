/* The sorters: one line each. The default of a network is the first that applies and suits: of those, the one that takes
 * the fewest steps at sizes that run (docs/sorting.md). */
#include <string.h>

#include "base/parse.h"
#include "sort/sorter.h"

extern const np_sorter_ops np_sorter_bitonic, np_sorter_odd_even_merge, np_sorter_shearsort, np_sorter_transposition,
    np_sorter_flashsort, np_sorter_columnsort, np_sorter_rank_sort;

const np_sorter_ops *const np_sorters[] = {
    &np_sorter_bitonic,   &np_sorter_odd_even_merge, &np_sorter_shearsort, &np_sorter_transposition,
    &np_sorter_flashsort, &np_sorter_columnsort,     &np_sorter_rank_sort, NULL,
};

enum { SORTERS = sizeof np_sorters / sizeof *np_sorters - 1 };

const np_sorter_info *np_sorter(size_t i) { return i < SORTERS ? &np_sorters[i]->info : NULL; }

np_status np_sorter_find(const char *name, const np_sorter_ops **out)
{
    const char *names[SORTERS];
    for (size_t i = 0; i < SORTERS; i++) {
        names[i] = np_sorters[i]->info.name;
        *out = np_sorters[i];
        if (!strcmp(names[i], name))
            return NP_OK;
    }
    *out = NULL;
    return NP_RAISE(NP_ERROR_INPUT, "no sorting algorithm '%s': did you mean '%s'?", name,
                    np_parse_nearest(name, names, SORTERS));
}

np_status np_sorter_applies(const char *algorithm, const np_network *network)
{
    const np_sorter_ops *ops;
    np_status st = np_sorter_find(algorithm, &ops);
    if (st)
        return st;
    const char *reason = ops->refuses(network);
    if (!reason)
        return NP_OK;
    return NP_RAISE(NP_ERROR_APPLY, "algorithm '%s' does not sort on %s because %s: it is for %s", algorithm,
                    np_network_spec(network), reason, ops->info.networks);
}

np_status np_sorter_default(const np_network *network, const np_sorter_info **out)
{
    for (size_t i = 0; i < SORTERS; i++) {
        *out = &np_sorters[i]->info;
        if (!np_sorters[i]->refuses(network) && (!np_sorters[i]->suits || np_sorters[i]->suits(network)))
            return NP_OK;
    }
    *out = NULL;
    return NP_RAISE(NP_ERROR_APPLY, "no algorithm sorts on %s: 'netpram list sorters' says where they do",
                    np_network_spec(network));
}
