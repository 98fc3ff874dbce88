/*
 * Columnsort on a network: the sorter says at which node each place is and sorts the columns; the items of all places
 * are routed from node to node between the sorts (router.h).
 */
#ifndef NP_SORT_COLUMNSORT_ROUTES_H
#define NP_SORT_COLUMNSORT_ROUTES_H

#include "work/sort/columnsort.h"
#include "work/sort/router.h"

/* How the places of a sorter, column by column, are on the network. */
typedef struct np_columnsort_host {
    uint32_t columns, column;                               /* s, and the places of a column */
    bool windows;                                           /* as in np_columnsort_machine, with a grain of a place */
    np_status (*nodes)(const void *context, np_node *node); /* node[places] */
    np_status (*sort)(void *context, uint32_t *item, uint32_t first, uint32_t columns); /* likewise; charges the run */
    void *context;
} np_columnsort_host;

/* Sorts the items. NP_ERROR_MEMORY; NP_ERROR_APPLY as np_sort_router_init; the errors of the host. */
np_status np_columnsort_on_network(np_sorting *sorting, const np_columnsort_host *host) NP_CHECKED;

#endif
