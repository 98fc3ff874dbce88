/* The inside of a script, for its files and for tests. */
#ifndef NP_SCRIPT_SCRIPT_H
#define NP_SCRIPT_SCRIPT_H

#include "machine/script/syntax.h"

/* The tree of a script; as long as the script. */
const np_syntax *np_script_syntax(const np_script *script);

#endif
