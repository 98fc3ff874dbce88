/* Makes the syntax tree of a text. */
#ifndef NP_SCRIPT_PARSE_H
#define NP_SCRIPT_PARSE_H

#include "machine/script/pool.h"
#include "machine/script/syntax.h"

/*
 * Reads the text of *syntax (path, text, length and problem are set) and fills in the rest; names are found later, by
 * np_script_check. The tree lives in the pool. NP_ERROR_INPUT with the place; NP_ERROR_MEMORY.
 */
np_status np_script_parse(np_syntax *syntax, np_pool *pool) NP_CHECKED;

#endif
