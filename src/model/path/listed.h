/*
 * Paths from a file: lines of nodes 'a b ... z' or 'a b ... z @ W', by their names, separated by spaces, tabs, ','
 * or ';'. A line is a path from a to z, of weight W, by default 1. Several lines may have the same
 * ends: each packet draws one of them, in proportion to their weights. '/P' behind a node says that the path leaves it
 * by port P. Without a port it takes the lowest one to the next node; if no node of a path has a port, packets take
 * parallel links in turn.
 */
#pragma once

#include "model/path/graph.h"

typedef struct np_listed_way {
    uint64_t ends; /* the first node above, the last one in the low half */
    uint64_t upto; /* the weights of the ways with these ends, from the first up to this one */
    size_t place;  /* of its ports */
    uint32_t hops;
    uint32_t line; /* its number among the ways of the file */
    bool fixed;    /* some node of it has a port */
} np_listed_way;

typedef struct np_listed {
    np_listed_way *way; /* [ways] in ascending order of their ends, and then as in the file */
    size_t ways;
    np_port *port;
    size_t ports;
    size_t way_room, port_room;
} np_listed;

/* Reads the file. NP_ERROR_IO, NP_ERROR_INPUT with "name:line: ...", NP_ERROR_MEMORY. */
np_status np_listed_read(const char *file, const np_graph *graph, np_listed **out) NP_CHECKED;
/* The same of a text. */
np_status np_listed_parse(const char *name, const char *text, size_t length, const np_graph *graph,
                          np_listed **out) NP_CHECKED;
void np_listed_free(np_listed *listed);

/* Adds a path, after those with the same ends: hops > 0. fixed: by its own ports. NP_ERROR_MEMORY. Then np_listed_sort
 * makes the list one. */
np_status np_listed_add(np_listed *listed, np_node from, np_node to, uint32_t hops, const np_port *port,
                        bool fixed) NP_CHECKED;
void np_listed_sort(np_listed *listed);
/* For qsort: by the ends of ways, and then as in the file. */
int np_listed_order(const void *a, const void *b);
/* None is there; room stays. */
void np_listed_empty(np_listed *listed);

/* The first of the ways with these ends; *count: how many there are. NULL: there is none. */
const np_listed_way *np_listed_find(const np_listed *listed, np_node from, np_node to, size_t *count);
