/* Finds what the names of a program mean, and of which types its values are. */
#ifndef NP_SCRIPT_CHECK_H
#define NP_SCRIPT_CHECK_H

#include "machine/script/pool.h"
#include "machine/script/syntax.h"

/*
 * Fills in symbols, types and levels. A name stands as a NAME only where it is a private variable: a shared one becomes a
 * CELL without indices, an argument that is an array an ARRAY, and the calls of what the language has, such as
 * min(a, b), become what they are. Where a real is wanted and an int given, a TO_REAL is put between.
 * NP_ERROR_INPUT with the place; NP_ERROR_MEMORY.
 */
np_status np_script_check(np_syntax *syntax, np_pool *pool) NP_CHECKED;

#endif
