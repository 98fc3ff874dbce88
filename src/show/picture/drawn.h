/*
 * A network as a picture has it: places, names and links, kept because the network may be gone when the picture is
 * drawn. Of a network with too many nodes or links for a picture there are no places: it is shown by numbers of nodes,
 * as a matrix.
 */
#pragma once

#include "netpram/drawing.h"
#include "show/picture/picture.h"

/*
 * With more a picture would be a large file in which nobody sees anything. We chose them: a link takes some 150 bytes.
 */
enum { NP_DRAWN_NODES_MAX = 4096, NP_DRAWN_LINKS_MAX = 8000 };

typedef struct np_drawn {
    char *network;       /* its spec */
    const char *drawing; /* its name; NULL: there are no places */
    np_node nodes;
    np_link numbers;
    np_point *place;      /* [nodes], in units of the drawing; NULL: too many */
    np_point least, most; /* the smallest and the largest coordinates, of bent links too */
    double apart;         /* the least distance of two nodes */
    bool *host;           /* [nodes] may packets start or end there? */
    bool switches;        /* there are nodes that are no hosts */
    np_node *from, *to;   /* [numbers]; to NP_NONE: the number is no link's */
    np_link *opposite;    /* [numbers]; NP_NONE: none */
    float *bend;  /* [numbers] how far the link's middle is aside from the straight line, to the right of its way; so
                     that  it does not run through nodes */
    bool one_way; /* there are links without an opposite */
    bool named;   /* node_name has names that are no numbers */
    char (*name)[NP_NAME_ROOM]; /* [nodes] cut to what fits; NULL without places */
} np_drawn;

/* drawing NULL: the network's own. Errors of np_drawing_place; then there is nothing to clear. */
np_status np_drawn_init(np_drawn *drawn, const np_network *network, const char *drawing) NP_CHECKED;
void np_drawn_clear(np_drawn *drawn);

/* Is this how the network was drawn? */
bool np_drawn_is(const np_drawn *drawn, const np_network *network);

/* A drawing within a frame: places of the drawing times `unit`, from (x, y) on. */
typedef struct np_drawn_view {
    const np_drawn *drawn;
    double x, y, unit, radius; /* of a node */
    double width, height;
} np_drawn_view;

/* The largest view of at most that size; at (0, 0). */
np_drawn_view np_drawn_fit(const np_drawn *drawn, double width, double height);

/*
 * Writes the data of a path along a link: "M1 2L3 4". aside: how far it is to the right of its way, so that a link and
 * its opposite are seen side by side. short_by: how much it ends before the head's place.
 */
void np_drawn_link(const np_drawn_view *view, np_link link, double aside, double short_by, FILE *stream);

/* The head of an arrow, a path, at the end of np_drawn_link. */
void np_drawn_arrow(const np_drawn_view *view, np_link link, double aside, double short_by, double size,
                    const char *colour, FILE *stream);

/*
 * A link in the legend's colour of what it carried, to the right of its way; it says the number when it is pointed at.
 */
void np_drawn_load(const np_drawn_view *view, np_link link, uint64_t carried, const np_legend *legend, FILE *stream);

/* All links so, carried: [numbers]. What carried most comes last, and is seen where links cross; then all nodes. */
void np_drawn_loads(const np_drawn_view *view, const uint64_t *carried, const np_legend *legend, FILE *stream);

/* Has some link an opposite? */
bool np_drawn_has_opposites(const np_drawn *drawn);

/* All nodes, hosts and switches told apart, with their names if there is room. fill NULL: the usual colours. */
void np_drawn_nodes(const np_drawn_view *view, const char *(*fill)(const void *context, np_node node),
                    const void *context, FILE *stream);

/* The same without names. */
void np_drawn_discs(const np_drawn_view *view, const char *(*fill)(const void *context, np_node node),
                    const void *context, FILE *stream);

/* What the nodes' signs mean: adds to line[] at *count. */
void np_drawn_legend(const np_drawn *drawn, np_legend_line *line, size_t *count);
