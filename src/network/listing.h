/* A network as lines for a file, in an order from which a reader makes the same link numbers. */
#ifndef NP_NETWORK_LISTING_H
#define NP_NETWORK_LISTING_H

#include <stdio.h>

#include "network/network.h"

typedef struct np_listing {
    const np_network *network;
    bool undirected; /* a line is a link each way; a loop is one link */
    bool gaps;       /* some link numbers are not used: a reader closes the gaps */
    bool wide;       /* some line is several parallel links */
    bool multiple;   /* some two lines have the same ends */
    bool hosts;      /* hosts are told from switches */
    size_t lines;
    np_node *from, *to; /* [lines] */
    uint32_t *width;    /* [lines] parallel links, whose numbers follow each other */
    np_link *link;      /* [lines] the first of them, from `from` to `to` */
} np_listing;

/*
 * Lines are undirected if every link leads back, with the same attributes, and an order of the lines exists that gives the
 * same link numbers; else they are directed, in the order of the links.
 * @param merge     parallel links become one line, where their numbers follow each other
 * @param directed  lines are directed in any case
 */
np_status np_listing_make(const np_network *network, bool merge, bool directed, np_listing *out) NP_CHECKED;
void np_listing_clear(np_listing *listing);

/* The attribute's value of line i as a text, with its unit: "0.005 s"; NULL: it has none. */
const char *np_listing_value(const np_listing *listing, size_t i, const np_link_attribute *attribute, char room[64]);

#endif
