/*
 * Outlines: for each hop a time, found off line by resampling, so that few hops are over one link at one time. outline.c has
 * the method.
 */
#ifndef NP_ROUTE_OUTLINE_H
#define NP_ROUTE_OUTLINE_H

#include "route/path_list.h"

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

/* watch: is told the share of the phase; may be NULL. NP_ERROR_LIMIT: too many steps; NP_ERROR_MEMORY, NP_ERROR_CANCELLED. */
np_status np_outline_find(const np_path_list *paths, np_draws draws, const np_watch *watch,
                          np_outline **out) NP_CHECKED;
void np_outline_free(np_outline *outline);

#endif
