/*
 * The builder of networks that are given by lists: from arrays or from files.
 *
 * A reader of a format (format.h) fills an np_builder: np_builder_node for each
 * name it meets, np_builder_link for each link, np_builder_link_attribute for
 * the numbers of a link, np_builder_attribute for what a node is said to be.
 * A format that tells hosts from switches says so by np_builder_host. One whose
 * links refer to nodes by identifiers and which has names for people, too, says
 * these by np_builder_label. np_builder_finish then makes the network: rows,
 * names, hosts, and a note of what was assumed.
 *
 * Nodes have numbers from 0. A reader chooses one of three ways to name them:
 *   NP_GRAPH_NUMBERED  the file says how many there are (np_builder_fix)
 *   NP_GRAPH_WHOLE     names are whole numbers. The nodes are the numbers that
 *                      occur, in ascending order; if these are 0..N-1, they
 *                      are node numbers, else names
 *   NP_GRAPH_NAMED     names are any texts, in the order of their appearance
 */
#pragma once

#include "base/text.h"
#include "model/network/names.h"
#include "model/network/network.h"

enum { NP_LINKS_NODES_MAX = 1 << 30 }; /* ours: the rows then take 4 GB; a larger number is a typing error */
enum { NP_COLUMNS_MAX = 32 };          /* ours: attributes of links that are kept; files of people have fewer */

typedef enum np_graph_direction { NP_GRAPH_UNSAID, NP_GRAPH_DIRECTED, NP_GRAPH_UNDIRECTED } np_graph_direction;

typedef enum np_graph_naming { NP_GRAPH_NUMBERED, NP_GRAPH_WHOLE, NP_GRAPH_NAMED } np_graph_naming;

/*
 * What follows the path in a spec: file:PATH:undirected:width=speed:hosts=degree=1:format=adjacency:per-switch=4. NULL:
 * not given.
 */
typedef struct np_graph_options {
    char *copy; /* that the others point into */
    const char *path;
    const char *directed, *undirected; /* "": so it is */
    const char *hosts;                 /* NULL: all nodes are */
    const char *width;                 /* "NAME", "NAME/UNIT", "NAME/least": the attribute that is the width of a link
                                          (attributes.c); NULL: "width", if links have it */
    const char *delay, *cost;          /* the attributes that are the delay and the cost of links; NULL: none */
    const char *format;                /* NULL: by content */
    const char *per_switch;            /* hosts that hang on every node; NULL: none */
    bool numbered;                     /* whole numbers in a list are node numbers, also if some are missing */
    bool weights; /* what is called the width may be missing, and is a weight, any number: each link is one */
} np_graph_options;

struct np_link_column;

typedef struct np_builder {
    const np_graph_options *options;
    uint64_t limit; /* most nodes */

    /* Set by the reader. */
    const char *format; /* "a METIS graph" */
    np_graph_naming naming;
    np_graph_direction direction; /* as the file says */
    bool both;                    /* the format has every link of an undirected graph both ways */
    bool mutual;                  /* the format has it once: each line is a link each way, whatever is told */
    bool from_one;                /* the nodes of the file are numbered from 1 */
    const char *ignored;          /* what is not used: "weights"; NULL: all is used */

    /* Kept by the functions below. */
    np_node *from, *to;
    uint32_t *width; /* NULL: all 1 */
    double *weight;  /* with options->weights: of each link; 1 where none is said */
    bool weighted;   /* some link has one */
    size_t count, room;
    uint64_t nodes;   /* so far */
    np_names names;   /* NP_GRAPH_NAMED */
    uint8_t *host;    /* [host_room] bits NP_HOST_... */
    size_t host_room; /* 0: none is */
    bool wide;        /* some link has the attribute that is the width */
    bool tagged;      /* some node has the attribute that options->hosts names */
    np_names notes;   /* what was assumed */

    struct np_link_column *column; /* [columns] numbers of links (attributes.h) */
    size_t columns;
    double width_unit; /* of the attribute that is the width; 0: no attribute is, or it stands for itself */

    np_names labels; /* the different ones (labels.h) */
    uint32_t *label; /* [label_room] of each node: number + 1 in `labels`; 0: none */
    size_t label_room;
    uint64_t unlabelled, doubled; /* nodes without a label; with a label that others have, too */
    char doubled_name[64];        /* what the first of these is called */
    bool labels_unusable;         /* names made of them would not differ */
} np_builder;

void np_builder_init(np_builder *graph, const np_graph_options *options, uint64_t limit);
void np_builder_clear(np_builder *graph);

/* The nodes are 0 .. nodes-1: NP_GRAPH_NUMBERED. */
np_status np_builder_fix(np_builder *graph, const np_text *text, uint64_t nodes) NP_CHECKED;

/* *out = the node of that name, which may be new. The text is for messages, here and below. */
NP_FOR_REPORT np_status np_builder_node(np_builder *graph, const np_text *text, np_text_field name,
                                        np_node *out) NP_CHECKED;

/* Adds a link, or `width` parallel ones; none if width is 0. */
NP_FOR_REPORT np_status np_builder_link(np_builder *graph, const np_text *text, np_node from, np_node to,
                                        uint64_t width) NP_CHECKED;

/*
 * The links first .. end-1 have an attribute. Numbers are kept (base/quantity.h); the attribute that is the width makes
 * parallel links of them. If it is said again, the last value counts.
 */
np_status np_builder_links_attribute(np_builder *graph, const np_text *text, size_t first, size_t end,
                                     np_text_field name, np_text_field value) NP_CHECKED;

/* The same of the last links, from number `first` on. */
NP_FOR_REPORT np_status np_builder_link_attribute(np_builder *graph, const np_text *text, size_t first,
                                                  np_text_field name, np_text_field value) NP_CHECKED;

/* From now on each link has a width. */
np_status np_builder_begin_widths(np_builder *graph) NP_CHECKED;

/* Is this the name of the attribute that is the width of a link? */
NP_FOR_REPORT bool np_builder_is_width(np_builder *graph, np_text_field name);

/* The last link has a weight: the attribute of formats that have one number for each link, and no name for it. */
np_status np_builder_weight(np_builder *graph, const np_text *text, np_text_field value) NP_CHECKED;

/*
 * A node has an attribute: makes it a host if the options say so. "label" is the label, and "host" with the value true
 * or 1 is np_builder_host, which another value takes back.
 */
NP_FOR_REPORT np_status np_builder_attribute(np_builder *graph, const np_text *text, np_node node, np_text_field name,
                                             np_text_field value) NP_CHECKED;

/* The file says that the node is a host. Unless options->hosts say otherwise, such nodes become the only terminals. */
np_status np_builder_host(np_builder *graph, np_node node) NP_CHECKED;

/*
 * People call the node so; names that links refer to are others. Nodes may share a label (labels.h). Empty: no label.
 */
np_status np_builder_label(np_builder *graph, const np_text *text, np_node node, np_text_field label) NP_CHECKED;

/* Adds to the notes of what was assumed. */
np_status np_builder_note(np_builder *graph, const char *format, ...) __attribute__((format(printf, 2, 3))) NP_CHECKED;

/* All links are there: checks them, and closes gaps between numbers. The lists can be taken from the builder now. */
np_status np_builder_complete(np_builder *graph, const np_text *text) NP_CHECKED;

/* After that: makes the network, which is empty but for its spec and its family. */
np_status np_builder_finish(np_builder *graph, const np_text *text, np_network *network) NP_CHECKED;

/* ---- both_ways.c ---- */

/* How many links of a file have their opposite there, too. A link from a node to itself does not count. */
typedef struct np_both_ways {
    uint64_t links, paired; /* numbers of links, by their widths */
    np_node from, to;       /* a link without its opposite, if links > paired */
} np_both_ways;

/* Counts them, and with `mend` adds the opposites that lack: a link and its opposite then are one cable. */
np_status np_builder_pair(np_builder *graph, const np_text *text, bool mend, np_both_ways *ways) NP_CHECKED;

/*
 * *undirected: every entry of the builder is a link each way. Decides what is told, what the file says and what the
 * links are, and notes what is assumed. NP_ERROR_INPUT: it cannot be decided.
 */
np_status np_builder_direct(np_builder *graph, const np_text *text, bool *undirected) NP_CHECKED;

/* ---- hosts.c ---- */

enum {
    NP_HOST_TOLD = 1,   /* the format tells hosts from switches */
    NP_HOST_CHOSEN = 2, /* by the attribute that options->hosts names */
};

/* Which nodes an attribute makes hosts: those with NP_HOST_CHOSEN in mark[u], u < count; no node beyond. */
typedef struct np_host_marks {
    const uint8_t *mark;
    size_t count;
    bool known; /* some node has the attribute */
} np_host_marks;

/*
 * The nodes that `hosts` means ("degree=1", "ATTRIBUTE=VALUE", "file:PATH", "a,b,c*,7..9") become the only terminals.
 */
np_status np_network_choose_hosts(np_network *network, const char *hosts, const np_host_marks *marks) NP_CHECKED;

/* The nodes with a mark become the only terminals. mark: [nodes]. */
np_status np_network_set_hosts(np_network *network, const uint8_t *mark) NP_CHECKED;
