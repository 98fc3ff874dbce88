/*
 * Formats that networks are written in. A format is one .c file with one const descriptor and one line in write.c. What
 * it writes, a reader (format.h) makes the same network of, but for what it does not keep.
 */
#pragma once

#include <stdio.h>

#include "base/written.h"
#include "model/network/network.h"

/* ---- A network as lines for a file, in an order from which a reader makes the same link numbers ---- */

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
 * Lines are undirected if every link leads back, with the same attributes, and an order of the lines exists that gives
 * the same link numbers; else they are directed, in the order of the links.
 * @param merge     parallel links become one line, where their numbers follow each other
 * @param directed  lines are directed in any case
 */
np_status np_listing_make(const np_network *network, bool merge, bool directed, np_listing *out) NP_CHECKED;
void np_listing_clear(np_listing *listing);

/* The attribute's value of line i as a text, with its unit: "0.005 s"; NULL: it has none. */
const char *np_listing_value(const np_listing *listing, size_t i, const np_link_attribute *attribute, char room[64]);

typedef enum np_keeps {
    NP_KEEPS_NAMES = 1 << 0,
    NP_KEEPS_HOSTS = 1 << 1,
    NP_KEEPS_WIDTHS = 1 << 2,     /* a line may be several parallel links; else each is a line */
    NP_KEEPS_ATTRIBUTES = 1 << 3, /* but for those whose names mean something else to a reader */
    NP_KEEPS_NODES = 1 << 4,      /* nodes without links, and the numbers of nodes */
    NP_KEEPS_DIRECTION = 1 << 5,  /* it can say that lines are undirected; else all are directed */
    NP_KEEPS_ALL = (1 << 6) - 1,
} np_keeps;

typedef struct np_graph_writer {
    np_entry info;
    const char *ending; /* ".dot"; another one may stand in `other`, else it is NULL */
    const char *other;
    np_keeps keeps;
    /* Refuses a network that the format cannot say, with the reason; NULL: none. */
    np_status (*refuses)(const np_listing *listing);
    /* Would a reader make the same numbers of nodes, and of links? Only what `keeps` does not say; NULL: as it says. */
    void (*numbers)(const np_listing *listing, bool *nodes, bool *links);
    void (*write)(const np_listing *listing, FILE *stream);
} np_graph_writer;

extern const np_registry np_graph_writers;

/* ---- For the formats ---- */

/* The name of a node. room: [NP_NAME_ROOM] */
static inline const char *np_listing_name(const np_listing *listing, np_node node, char *room)
{
    return np_network_node_name(listing->network, node, room);
}

/* The attributes of line i that are written, one after the other: name, value, and whether the value is a number. */
typedef void np_attribute_visit(FILE *stream, const char *name, const char *value, bool number);

/* Is an attribute of the network written? One that is called "width" or "source" would be read as something else. */
bool np_writes_attribute(const np_link_attribute *attribute);

/* What a format writes for a node, for a link and its attributes, and between them. */
typedef struct np_graph_form {
    void (*node)(const np_listing *listing, np_node node, bool host, FILE *stream);
    void (*link)(const np_listing *listing, size_t i, FILE *stream);
    np_attribute_visit *attribute;
    const char *next;  /* between two nodes, and between two links */
    const char *links; /* between nodes and links */
    const char *end;   /* behind the attributes of a link */
} np_graph_form;

/* Writes all nodes, then all links. */
void np_write_graph(const np_listing *listing, const np_graph_form *form, FILE *stream);
