/*
 * The stages of a script, for its files and for tests: a text becomes a syntax tree, which is checked, and then code.
 */
#pragma once

#include "machine/script/code.h"
#include "machine/script/diagnose.h"

/*
 * Reads the text of *syntax (path, text, length, problem, imports and from are set) and fills in the rest; names are
 * found later, by np_script_check. The tree lives in the pool. NP_ERROR_INPUT with the place; NP_ERROR_MEMORY.
 */
np_status np_script_parse(np_syntax *syntax, np_pool *pool) NP_CHECKED;

/*
 * Fills in symbols, types and levels. A name stands as a NAME only where it is a private variable: a shared one becomes
 * a CELL without indices, an argument that is an array an ARRAY, and the calls of what the language has, such as min(a,
 * b), become what they are. Where a real is wanted and an int given, a TO_REAL is put between. NP_ERROR_INPUT with the
 * place; NP_ERROR_MEMORY.
 */
np_status np_script_check(np_syntax *syntax, np_pool *pool) NP_CHECKED;

/* The code lives in the pool, as the tree does, to which it points. NP_ERROR_MEMORY. */
np_status np_script_compile(const np_syntax *syntax, np_pool *pool, np_program_code *out) NP_CHECKED;

/* The tree of a script; as long as the script. */
const np_syntax *np_script_syntax(const np_script *script);

enum { NP_SCRIPT_KINDS = 256 };

/* The kinds of the inputs in order, as the judge would have them: "array array", "matrix of real", "none". */
NP_FOR_REPORT const char *np_script_kinds(const np_script *script, const np_judge *judge, char kinds[NP_SCRIPT_KINDS]);

/* "s[2, 3]": word `at` of an output, by the indices of the text. */
NP_FOR_REPORT void np_script_output_cell(const np_script_output *output, size_t at, char name[NP_SCRIPT_CELL]);

/* The words of all outputs, one after the other; as long as the result. */
const np_word *np_script_answer(const np_script_result *result, size_t *words);
