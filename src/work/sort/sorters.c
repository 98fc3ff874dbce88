/* The sorters, their hosts and the layouts of columns, one line each. The default for a network is the first sorter
   that applies and suits. Their order makes it the sorter that takes the fewest steps at sizes that run
   (docs/sorting.md). */
#include "work/sort/layout.h"

extern const np_sorter_ops np_sorter_bitonic, np_sorter_odd_even_merge, np_sorter_transposition, np_sorter_columnsort;
NP_PAPERS(extern const np_sorter_ops np_sorter_shearsort, np_sorter_flashsort, np_sorter_rank_sort;)

const np_registry np_sorters = {
    .list = "sorters",
    .title = "sorting algorithms (--algorithm of sort)",
    .what = "sorting algorithm",
    .built_in = NP_ENTRIES(&np_sorter_bitonic.info, &np_sorter_odd_even_merge.info,
                           NP_PAPERS(&np_sorter_shearsort.info, ) & np_sorter_transposition.info,
                           NP_PAPERS(&np_sorter_flashsort.info, ) &
                               np_sorter_columnsort.info NP_PAPERS(, &np_sorter_rank_sort.info)),
};

extern const np_sort_host np_batcher_hypercube, np_batcher_butterfly;
NP_PAPERS(extern const np_sort_host np_batcher_shuffle_exchange, np_rank_sort_blocks, np_rank_sort_mesh,
          np_flashsort_arrays, np_flashsort_shuffle_exchange, np_flashsort_butterflies;)

static const np_sort_host *const hosts[] = {&np_batcher_hypercube, &np_batcher_butterfly,
                                            NP_PAPERS(&np_batcher_shuffle_exchange, &np_rank_sort_blocks,
                                                      &np_rank_sort_mesh, &np_flashsort_arrays,
                                                      &np_flashsort_shuffle_exchange, &np_flashsort_butterflies)};

extern const np_sort_layout_kind np_sort_layout_snake, np_sort_layout_hypercube, np_sort_layout_butterfly;
NP_PAPERS(extern const np_sort_layout_kind np_sort_layout_embedded;)

const np_sort_layout_kind *const np_sort_layouts[] = {&np_sort_layout_snake, &np_sort_layout_hypercube,
                                                      &np_sort_layout_butterfly,
                                                      NP_PAPERS(&np_sort_layout_embedded, ) NULL};

const np_sort_host *np_sort_host_of(const char *sorter, const np_network *network)
{
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++)
        if (np_network_is(network, hosts[i]->networks) && np_field_listed(hosts[i]->sorters, sorter))
            return hosts[i];
    return NULL;
}

const char *np_sort_host_refuses(const char *sorter, const np_network *network, const char *why)
{
    const np_sort_host *host = np_sort_host_of(sorter, network);
    if (!host)
        return why;
    return host->refuses ? host->refuses(network) : NULL;
}

static const np_sort_host *host_of(const np_sorting *sorting)
{
    return np_sort_host_of(sorting->ops->info.name, sorting->network);
}

np_status np_sort_host_plan(np_sorting *sorting) { return host_of(sorting)->plan(sorting); }
np_node np_sort_host_node(const np_sorting *sorting, uint32_t place) { return host_of(sorting)->node(sorting, place); }
np_status np_sort_host_run(np_sorting *sorting) { return host_of(sorting)->run(sorting); }

void np_sort_host_predict(const np_sorting *sorting, np_sort_prediction *out)
{
    host_of(sorting)->predict(sorting, out);
}

np_status np_sorter_register(const np_sorter_ops *ops)
{
    const np_member members[] = {{"info.networks", NP_REQUIRED, ops->info.networks},
                                 {"indexing", NP_REQUIRED, ops->indexing},
                                 {"refuses", NP_REQUIRED, ops->refuses},
                                 {"plan", NP_REQUIRED, ops->plan},
                                 {"node", NP_REQUIRED, ops->node},
                                 {"run", NP_REQUIRED, ops->run},
                                 {"heeds", NP_RESERVED, ops->heeds},
                                 {NULL}};
    return np_registry_add(&np_sorters, &ops->info, members);
}

np_status np_sorter_find(const char *name, const np_sorter_ops **out)
{
    return np_registry_find(&np_sorters, name, out);
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

np_status np_sorter_default(const np_network *network, const np_entry **out)
{
    const np_sorter_ops *ops;
    for (size_t i = 0; (ops = np_registry_entry(&np_sorters, i)); i++)
        if (!ops->refuses(network) && (!ops->suits || ops->suits(network)))
            break;
    *out = ops ? &ops->info : NULL;
    return ops ? NP_OK
               : NP_RAISE(NP_ERROR_APPLY, "no algorithm sorts on %s: 'netpram list sorters' says where they do",
                          np_network_spec(network));
}
