/*
 * The paths of a phase's packets as lists of links, and the same hops by their links. A hop is a number: those of packet i
 * are first[i] .. first[i + 1] - 1, in the order of its path.
 */
#ifndef NP_ROUTE_PATH_LIST_H
#define NP_ROUTE_PATH_LIST_H

#include "leveled/walk.h"

typedef struct np_path_list {
    np_packet packets; /* that move: those of the walk */
    np_link links;     /* link numbers */
    uint32_t hops;
    uint32_t congestion, dilation; /* c, d: most paths over a link, links of the longest path */
    uint32_t *first;               /* [packets + 1] */
    np_packet *of;                 /* [hops] whose hop it is */
    np_link *link;                 /* [hops] */
    uint32_t *begin;               /* [links + 1] where the hops over a link begin in `over` */
    uint32_t *over;                /* [hops] by their links, ascending */
} np_path_list;

enum { NP_PATH_LIST_HOPS_MAX = 1 << 30 }; /* ours: numbers of hops and steps fit 32 bits */

uint64_t np_path_list_bytes(np_link links, uint64_t packets, uint64_t hops);

/* NP_ERROR_LIMIT: too many hops; NP_ERROR_MEMORY; and as np_walk_next. */
np_status np_path_list_create(np_walk *walk, np_path_list **out) NP_CHECKED;
void np_path_list_free(np_path_list *list);

#endif
