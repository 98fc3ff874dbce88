/*
 * Matrix Market files (Boisvert, Pozo & Remington 1996, NISTIR 5935):
 * a banner, a line "rows columns entries", then one line "row column [value]"
 * for each entry of a sparse matrix, numbered from 1; or a line "rows columns", then the values of a dense one
 * ("array"), one a line, column by column. Read entry by entry.
 */
#pragma once

#include "base/text.h"

typedef enum np_matrix_values { NP_MATRIX_PATTERN, NP_MATRIX_INTEGER, NP_MATRIX_REAL } np_matrix_values;

typedef struct np_matrix {
    np_text *text;
    np_matrix_values values;
    bool symmetric; /* (i,j) stands for (j,i) as well; true also of skew-symmetric files */
    bool skew;
    bool dense;           /* all entries are listed, without their places */
    uint64_t row, column; /* of a dense file's next entry */
    uint64_t rows, columns, entries;
    uint64_t read;     /* entries so far */
    bool above, below; /* a symmetric file has entries there: in one triangle only */
} np_matrix;

/* One entry, numbered from 0. */
typedef struct np_matrix_entry {
    uint64_t row, column;
    np_text_field text; /* the value as it stands; empty in a pattern */
} np_matrix_entry;

/* The file's name or its first line says that it is a Matrix Market file, or a misspelt one. Call first. */
bool np_matrix_begins(np_text *text, const char *name);

/*
 * Reads the banner and the size line of a text at its first line. Refuses complex files, and sizes above `limit`.
 *
 * @param limit        most rows and most columns
 * @param limit_words  what the limit counts, such as "nodes of hypercube:6"
 */
np_status np_matrix_open(np_matrix *matrix, np_text *text, uint64_t limit, const char *limit_words) NP_CHECKED;

/* Reads the next entry; *more = false at the end. An error if there are not as many as the size line promised. */
np_status np_matrix_next(np_matrix *matrix, bool *more, np_matrix_entry *entry) NP_CHECKED;
