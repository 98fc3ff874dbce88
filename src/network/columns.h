/* The names of columns: which two of them are the ends of a link. */
#ifndef NP_NETWORK_COLUMNS_H
#define NP_NETWORK_COLUMNS_H

#include "network/survey.h"

typedef struct np_columns {
    bool named;      /* the first line names the columns, and they are known */
    size_t from, to; /* the ends; 0 and 1 without names */
} np_columns;

/*
 * Does the first line of a surveyed text, which no line is taken of, name columns? NP_ERROR_INPUT: it seems so, and it is not certain which
 * are the ends.
 */
np_status np_columns_find(const np_text *text, const np_survey *survey, np_columns *columns) NP_CHECKED;

#endif
