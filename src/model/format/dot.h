/* What a DOT text builds: nodes in subgraphs, edges between lists of nodes, and defaults of attributes. */
#pragma once

#include "model/format/builder.h"
#include "model/format/tokens.h"

typedef enum np_dot_of { NP_DOT_OF_GRAPH, NP_DOT_OF_NODES, NP_DOT_OF_EDGES } np_dot_of;

/* An attribute that nodes or edges have from now on, until its subgraph ends: texts in np_dot.text. */
typedef struct np_dot_default {
    np_dot_of of;
    size_t name, value; /* where they begin */
    size_t name_length, value_length;
} np_dot_default;

/* The nodes of a subgraph with a name, which may be opened again. */
typedef struct np_dot_group {
    np_node *node; /* [count] a node may be there several times */
    size_t count, room;
} np_dot_group;

/* An open subgraph, or the graph, and the statement in it. */
typedef struct np_dot_frame {
    size_t members;        /* where its nodes begin in np_dot.member; those of subgraphs in it are behind them */
    size_t defaults, text; /* how many there are when it begins */
    uint32_t group;        /* its number + 1; 0: it has no name */
    uint32_t id;           /* different for all subgraphs, but for one that is opened again */
    size_t ends, fresh;    /* np_dot.end: the tail begins at ends, the head at fresh */
    size_t touched;        /* where the edges of the statement begin in np_dot.edge */
    bool chained;          /* an edge operator was the last token: a head follows */
} np_dot_frame;

typedef struct np_dot {
    np_builder *graph;
    np_text *text;
    bool strict;

    np_dot_frame *frame; /* [frames] the last one is the innermost */
    np_node *member;     /* [members] */
    np_node *end;        /* [ends] tails and heads of the open statements */
    size_t *edge;        /* [edges] links of the open statements */
    size_t frames, members, ends, edges;
    size_t frame_room, member_room, end_room, edge_room;

    np_dot_default *preset; /* [presets] */
    char *word;             /* [words] their texts */
    size_t presets, words, preset_room, word_room;

    np_names groups;     /* "ID:NAME": the subgraph of that name in the one with this id */
    np_dot_group *group; /* [groups.count] */
    size_t group_room;
    uint32_t ids;

    np_names pairs; /* of a strict graph, and of edges with keys: the ends of edges, and the key */
    size_t *first;  /* [pairs.count] the link */
    size_t first_room;
    bool arrows; /* some edge says dir, which only draws */
} np_dot;

/* The outermost graph is open then. np_dot_clear it, also after an error. */
np_status np_dot_begin(np_dot *dot, np_builder *graph, np_text *text, bool strict) NP_CHECKED;
void np_dot_clear(np_dot *dot);

static inline np_dot_frame *np_dot_top(np_dot *dot) { return &dot->frame[dot->frames - 1]; }

/* A subgraph begins. name: NULL: it has none. */
np_status np_dot_open(np_dot *dot, const np_text_field *name) NP_CHECKED;

/* The innermost subgraph ends. joined: its nodes become the fresh nodes of the statement around it. */
np_status np_dot_close(np_dot *dot, bool joined) NP_CHECKED;

/* The statement names a node. */
np_status np_dot_node(np_dot *dot, np_text_field name) NP_CHECKED;

/* Adds edges from the nodes of the tail to the fresh ones. */
np_status np_dot_connect(np_dot *dot) NP_CHECKED;

/* The fresh nodes become the tail. */
void np_dot_chain(np_dot *dot);

/* The statement ends. */
void np_dot_end_statement(np_dot *dot);

/* The nodes or edges of the statement have an attribute; or, as a default, those to come. */
np_status np_dot_attribute(np_dot *dot, np_text_field name, np_text_field value) NP_CHECKED;
np_status np_dot_preset(np_dot *dot, np_dot_of of, np_text_field name, np_text_field value) NP_CHECKED;
