/*
 * Lists: of links, of neighbours, of the rows of a matrix. All three are surveyed, and each says whether a text may be
 * one of its kind; formats that are said are read by their descriptors.
 */
#pragma once

#include "model/format/format.h"
#include "model/format/survey.h"

/* ---- The names of columns: which two of them are the ends of a link ---- */

typedef struct np_columns {
    bool named;      /* the first line names the columns, and they are known */
    size_t from, to; /* the ends; 0 and 1 without names */
} np_columns;

/*
 * Does the first line of a surveyed text, which no line is taken of, name columns? NP_ERROR_INPUT: it seems so, and it
 * is not certain which are the ends.
 */
np_status np_columns_find(const np_text *text, const np_survey *survey, np_columns *columns) NP_CHECKED;

extern const np_graph_format np_format_links, np_format_adjacency, np_format_dense;

/* May a text be in a format? */
typedef enum np_verdict { NP_VERDICT_NO, NP_VERDICT_PERHAPS, NP_VERDICT_YES } np_verdict;

/* Is a surveyed text, at its first line, a matrix? YES: and nothing else. */
np_verdict np_dense_judge(np_text text, const np_survey *survey);

/* *verdict: is it a list of neighbours? YES: each node has a line, and lines have different lengths. */
np_status np_adjacency_judge(np_text text, const np_survey *survey, np_verdict *verdict) NP_CHECKED;

/* Refuses what is no clean list of links. said: somebody said that it is one. */
np_status np_links_check_list(const np_text *text, const np_survey *survey, const np_columns *columns,
                              bool said) NP_CHECKED;

/* Reads a list of links that is clean. */
np_status np_links_read_list(np_builder *graph, np_text *text, const np_survey *survey,
                             const np_columns *columns) NP_CHECKED;
