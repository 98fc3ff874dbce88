/*
 * Which share of a link the packet of each pair of a source and a destination expects to take, by a path rule.
 *
 * Shares are whole multiples of 1/NP_SHARES_UNIT. The unit is one for which the shares of most rules are whole: powers
 * of 2 and products of the numbers up to 13, as chances of links are. Others are rounded to the nearest.
 */
#pragma once

#include "base/watch.h"
#include "model/network/search.h"
#include "model/network/siblings.h"
#include "model/path/path.h"
#include "model/path/seek.h"

#define NP_SHARES_UNIT (INT64_C(4096) * 729 * 125 * 49 * 11 * 13) /* about 2^41 */

/* Of the link that is asked about, so much goes from the set of sources to the set of destinations. */
typedef struct np_share_of_link {
    uint32_t row, column;
    int64_t share;
} np_share_of_link;

typedef struct np_shares {
    const np_path *path;
    const np_network *network;
    np_siblings from, to; /* the sets of terminals that are alike to the rule: rows and columns */
    bool spreads;         /* the chance of the next link depends on the node and the destination alone; else walks */
    bool even;            /* of those that spread: links that lead nearer are equally likely; else paths are */
    bool rounded;         /* some share was not whole */

    /* Spread: for each column and node, in rows of a column. */
    np_search search;
    np_node *tail;      /* [links] of search.in */
    uint16_t *distance; /* to the destination, in hops */
    uint64_t *cost;     /* the same in what links cost; NULL: they cost nothing */
    np_seeker seeker;   /* of distances by costs */
    double *weight;     /* links that lead nearer, or paths to the destination */
    uint32_t *row_of;   /* [nodes] of the first of a set; NP_NONE: none */
    double *chance;     /* [nodes] that the packet from there takes the link */
    uint32_t *stamp;    /* [nodes] chance is set for this number */
    uint32_t stamps;
    np_node *queue; /* [nodes] */

    /* Walked: the pairs whose paths take a link, as column * from.sets + row, ascending; a pair once for each time. */
    uint64_t *first; /* [link_numbers + 1] */
    uint32_t *pair;
    uint16_t *ways; /* [pairs] equally likely paths of a pair; NULL: 1 */
    int64_t *part;  /* the shares of the pairs of links, by the paths of a file; else NULL */

    np_share_of_link *share; /* [room] of the link that was asked about last */
    size_t shares, room;
    void *block;
} np_shares;

/* NP_ERROR_APPLY: nobody knows the rule's shares. */
np_status np_shares_check(const np_path *path) NP_CHECKED;

/*
 * wanted: [link_numbers] the links that will be asked about. Clear it in any case.
 * NP_ERROR_APPLY: nobody knows the rule's shares (it depends on other packets, or draws from too much), or no way leads
 * from one terminal to another; NP_ERROR_LIMIT, NP_ERROR_MEMORY, NP_ERROR_CANCELLED.
 */
np_status np_shares_init(np_shares *shares, const np_path *path, const bool *wanted, const np_watch *watch) NP_CHECKED;
void np_shares_clear(np_shares *shares);

/* Fills in `share`: a pair may be there several times. Links of hosts that are siblings have none: see np_shares_host.
 */
np_status np_shares_find(np_shares *shares, np_link link) NP_CHECKED;

/* worst.c: does np_worst_find serve the rule? Nothing is sought. Fails as it does. */
NP_FOR_REPORT np_status np_worst_check(const np_network *network, const char *rule) NP_CHECKED;

/* spread.c */
np_status np_spread_init(np_shares *shares, const np_watch *watch) NP_CHECKED;
np_status np_spread_find(np_shares *shares, np_link link) NP_CHECKED;

/* For both: adds to `share`. */
np_status np_shares_add(np_shares *shares, uint32_t row, uint32_t column, int64_t share) NP_CHECKED;
