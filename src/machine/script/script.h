/* The inside of a script, for its files and for tests. */
#ifndef NP_SCRIPT_SCRIPT_H
#define NP_SCRIPT_SCRIPT_H

#include "machine/script/syntax.h"

/* The tree of a script; as long as the script. */
const np_syntax *np_script_syntax(const np_script *script);

/* The words of all outputs, one after the other; as long as the result. */
const np_word *np_script_answer(const np_script_result *result, size_t *words);

#endif
