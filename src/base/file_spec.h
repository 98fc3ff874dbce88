/*
 * What follows the path in a spec such as file:PATH:undirected:hosts=degree=1: words between colons. A word that is no
 * option belongs to what stands before it, so that paths and values may have colons, too.
 */
#pragma once

#include <stdbool.h>

#include "base/status.h"

/* "hosts=": its value follows. "undirected": a word alone. */
typedef struct np_file_option {
    const char *word;
    size_t at; /* offset of a const char *: the value, "" of a word alone; NULL: not given */
} np_file_option;

/*
 * Sets the members of `options`, which are NULL before, and *path. All point into *copy, which the caller frees, also
 * after an error. The table ends with a NULL word.
 * NP_ERROR_INPUT: an option without its value, or with two that differ; NP_ERROR_MEMORY
 */
np_status np_file_spec_parse(const char *parameters, const np_file_option *table, void *options, char **copy,
                             const char **path) NP_CHECKED;

struct stat;

/*
 * Does the text name the file, by whatever path? A path is behind "file:" or "listed:", up to the end or to a colon or
 * a comma, after which other words of a spec may follow. `whole`: the text may also be a path itself.
 */
NP_FOR_REPORT bool np_file_spec_names(const char *text, bool whole, const struct stat *about);

/* "csv" of a path that ends as files of a known format do; NULL: it does not. */
NP_FOR_REPORT const char *np_file_ending(const char *path);
