/* The inside of a script, for its files and for tests. */
#ifndef NP_SCRIPT_SCRIPT_H
#define NP_SCRIPT_SCRIPT_H

#include <stdio.h>

#include "netpram/script.h"
#include "script/syntax.h"

/* The tree of a script; as long as the script. */
const np_syntax *np_script_syntax(const np_script *script);

/* Writes an output as a file of NumPy. A failure shows in the stream's error flag. */
void np_script_npy_write(const np_script_output *output, FILE *stream);

#endif
