/* Inputs that must have a shape: lists, trees, numbers in order. Messages begin with the file's path. */
#ifndef NP_SCRIPT_SHAPES_H
#define NP_SCRIPT_SHAPES_H

#include "machine/pram/program.h"

/* Each item has at most one before it, and all items are reached backwards from the ends. NP_ERROR_INPUT, NP_ERROR_MEMORY. */
np_status np_check_list(const char *path, size_t count, const np_word *next) NP_CHECKED;

/* Numbers of items, and from each the parents lead to a root. */
np_status np_check_parents(const char *path, size_t count, const np_word *parent) NP_CHECKED;

/* None is less than the one before it. */
np_status np_check_sorted(const char *path, size_t count, const np_word *word) NP_CHECKED;
void np_sort_words(size_t count, np_word *word);

/* A tree: each vertex v > 0 hangs from one of 0 .. v-1, with the draws of the problem. NP_ERROR_MEMORY. */
np_status np_draw_tree_graph(np_problem *problem) NP_CHECKED;

/* All vertices are connected with vertex 0, by no edge too many. */
np_status np_check_tree_graph(const char *path, const np_graph *graph) NP_CHECKED;

#endif
