/*
 * Outlines: for each hop a time, found off line by resampling, so that few hops are over one link at one time.
 * outline.c has the method.
 */
#pragma once

#include "model/leveled/walk.h"

/*
 * The paths of a phase's packets as lists of links, and the same hops by their links. A hop is a number: those of
 * packet i are first[i] .. first[i + 1] - 1, in the order of its path.
 */

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

typedef struct np_outline {
    uint32_t hops;
    np_step *time;        /* [hops] from 0 on; ascending along each path */
    np_step length;       /* all times are below it */
    uint64_t resamplings; /* times that a link had more than its share, and the packets drew anew */
} np_outline;

/* The times of an outline for paths of this congestion and dilation. */
uint64_t np_outline_length(const np_path_list *sizes);

/* The bytes of an outline and of what finds it, for paths of no more hops, congestion and dilation. */
uint64_t np_outline_bytes(const np_path_list *sizes);

#define NP_OUTLINE_SHARE 0.9 /* of a phase: finding the outline; ours */

/* watch: is told the share of the phase; may be NULL. NP_ERROR_LIMIT: too many steps; NP_ERROR_MEMORY,
 * NP_ERROR_CANCELLED. */
np_status np_outline_find(const np_path_list *paths, np_draws draws, const np_watch *watch,
                          np_outline **out) NP_CHECKED;
void np_outline_free(np_outline *outline);
