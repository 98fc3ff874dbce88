/*
 * How sorters carry out the permutations of Columnsort on networks: the items of all places are routed from node to node
 * (router.h). The sorter says at which node each place is, and sorts the columns itself.
 */
#ifndef NP_SORT_COLUMNSORT_ROUTES_H
#define NP_SORT_COLUMNSORT_ROUTES_H

#include "work/sort/columnsort.h"
#include "work/sort/router.h"

typedef struct np_columnsort_routes {
    np_sorting *sorting;
    size_t places, positions; /* positions: of items, per_place a place */
    np_sort_router *router;   /* NULL: there is only one column */
    np_node *node;            /* [places], filled by the sorter */
    np_node *from, *to;       /* [positions] */
    uint16_t routings;        /* so far */
    void *block;
} np_columnsort_routes;

/* Makes room for the nodes of the places, and the router, if there are several columns. NP_ERROR_MEMORY; NP_ERROR_APPLY
   as np_sort_router_create. To be cleared also after an error. */
np_status np_columnsort_routes_init(np_columnsort_routes *routes, np_sorting *sorting, uint32_t columns) NP_CHECKED;
void np_columnsort_routes_clear(np_columnsort_routes *routes);

/* np_columnsort_machine.move: routes the items and charges the run. */
np_status np_columnsort_routes_move(np_columnsort_routes *routes, uint32_t depth, const char *stage, uint32_t count,
                                    const uint32_t *from, const uint32_t *to) NP_CHECKED;

#endif
