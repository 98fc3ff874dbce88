/* Files that a program imports. */
#pragma once

#include "machine/script/diagnose.h"

/*
 * Adds the file that an import in this place names, and *out = its number. *known: an import of another file has
 * brought it already. NP_ERROR_INPUT with the place: it cannot be had, may not be imported, is imported twice by one
 * file, or imports lead round in a circle; NP_ERROR_LIMIT, NP_ERROR_MEMORY.
 */
np_status np_import_file(np_syntax *syntax, np_pool *pool, np_place place, const char *name, uint32_t *out,
                         bool *known) NP_CHECKED;

/* The same of the library's procedures of this name. */
np_status np_import_library(np_syntax *syntax, np_pool *pool, np_place place, const char *name, uint32_t *out,
                            bool *known) NP_CHECKED;
