/*
 * PRAM programs from the inside. A program is a const descriptor in the list of src/machine/programs. Most are texts,
 * which src/machine/script carries out and judges. One in C (program_random_reads.c) has the functions below.
 */
#pragma once

#include "base/memory.h"
#include "base/random.h"
#include "base/registry.h"
#include "machine/pram/team.h"

enum { NP_WORKSPACE_BLOCKS = 40 };

/* Memory that is allocated while a program runs and freed at its end. */
typedef struct np_workspace {
    void *block[NP_WORKSPACE_BLOCKS];
    size_t blocks;
    np_team *team; /* of the PRAM */
} np_workspace;

/*
 * An undirected graph: both directions of every edge are arcs, sorted by tail, then head. There are
 * no loops, and no arc is there twice.
 */
typedef struct np_graph {
    size_t vertices, arcs;
    uint32_t *tail, *head; /* [arcs] */
    uint32_t *first;       /* [vertices + 1] arcs first[v] .. first[v+1]-1 leave v */
} np_graph;

typedef struct np_problem {
    np_program_options options; /* n, edges and steps are filled in */
    np_draws draws;             /* of the input */
    size_t n;
    np_graph graph; /* of programs on graphs: n vertices */
    np_workspace work;
} np_problem;

typedef struct np_program_ops {
    np_program_info info;

    const char *text; /* [length] of a program that is text (src/machine/programs): the functions are NULL then */
    size_t length;

    /*
     * Works out the n words of the answer. It communicates only through the PRAM: the C arrays that it keeps between
     * steps are registers of the processors.
     */
    np_status (*run)(np_problem *problem, np_pram *pram, np_word *answer);
    void (*expect)(np_problem *problem, np_word *expected); /* the right answer, without a PRAM; zero before */
} np_program_ops;

/* The registry of programs, in src/machine/programs/programs.c. */
extern const np_registry np_programs;

/* np_program_run for a descriptor that need not be in the list. */
np_status np_program_run_ops(const np_program_ops *ops, const np_pram_options *pram, const np_program_options *options,
                             np_program_result **out) NP_CHECKED;

/* ---- problem.c ---- */

/* *out = count items of size bytes, zeroed, until the program ends. NP_ERROR_MEMORY. */
np_status np_workspace_take(np_workspace *work, void *out, size_t count, size_t size) NP_CHECKED;
/* The same, not zeroed: for what the program writes before it reads. */
np_status np_workspace_array(np_workspace *work, void *out, size_t count, size_t size) NP_CHECKED;
void np_workspace_clear(np_workspace *work);

void np_sort_words(size_t count, np_word *word);

/* A graph of options.edges edges, before loops and repetitions go. */
np_status np_draw_graph(np_problem *problem, bool directed) NP_CHECKED;
/* Makes a graph of links in any order. from, to: [count], vertices 0 .. vertices-1. The graph lives in `work`. */
np_status np_graph_make(np_workspace *work, size_t vertices, size_t count, const uint32_t *from, const uint32_t *to,
                        bool directed, np_graph *out) NP_CHECKED;
