/*
 * Problems, and who judges an answer: sequential code that shares only the input with the program. A program's text
 * names its problem by `solves`. A judge looks at all outputs of the program, one after the other, as words. Where more
 * than one answer is right it checks what makes an answer right.
 */
#pragma once

#include "netpram/script.h"
#include "machine/pram/program.h"

/* An input of a program, as it was before the program began. */
typedef struct np_given {
    size_t count; /* words */
    const np_word *word;
    size_t rows, columns;  /* of a matrix */
    np_graph graph;        /* of a graph; the other members are 0 */
    const np_word *weight; /* [graph.arcs] both directions of an edge have the same */
} np_given;

/* A run that is judged. */
typedef struct np_case {
    size_t n; /* size of the input */
    const np_given *given;
    size_t answers;
    const np_word *answer; /* [answers] */
    /* *value = the value of an option of the text; false: it has none of this name. */
    bool (*option)(const void *context, const char *name, np_word *value);
    const void *context;
    void (*name)(const void *named, size_t i, char name[NP_SCRIPT_CELL]); /* what the text calls word i of the answer */
    const void *named;
    np_workspace *work;          /* for the judge's arrays */
    bool correct;                /* true before */
    char wrong[NP_PROGRAM_TEXT]; /* what is wrong; "" before */
    char words[NP_PROGRAM_TEXT]; /* the answer in a few words; "" before */
    uint64_t count;              /* the number with which they begin */
} np_case;

typedef struct np_judge {
    np_entry entry; /* entry.takes: the kinds of the inputs in order, "matrix matrix" */
    np_status (*judge)(np_case *c);
    bool weighs; /* reads the weights of graphs, as ints */
} np_judge;

/* The problems, in judges.c. */
extern const np_registry np_judges;

/* The judge of a problem. NP_ERROR_INPUT with the nearest. */
NP_FOR_REPORT np_status np_judge_find(const char *name, const np_judge **out) NP_CHECKED;

/* The answer is wrong. Only the first reason is kept. Returns false. */
bool np_case_wrong(np_case *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Has the answer as many words? */
bool np_case_sized(np_case *c, size_t words);

/* Word i is not what it should be, "5" or "0 or 1". Returns false. */
bool np_case_word_wrong(np_case *c, size_t i, const char *right);

/* Is word i the right one? */
bool np_case_word(np_case *c, size_t i, np_word right);

/* Are the first `count` words the right ones? */
void np_case_words(np_case *c, size_t count, const np_word *right);

/* The value of an option of the text, or `preset` if it has none. */
np_word np_case_option(const np_case *c, const char *name, np_word preset);
