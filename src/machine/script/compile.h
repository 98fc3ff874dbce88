/* Turns a checked syntax tree into code for vectors. */
#ifndef NP_SCRIPT_COMPILE_H
#define NP_SCRIPT_COMPILE_H

#include "machine/script/code.h"
#include "machine/script/pool.h"

/* The code lives in the pool, as the tree does, to which it points. NP_ERROR_MEMORY. */
np_status np_script_compile(const np_syntax *syntax, np_pool *pool, np_program_code *out) NP_CHECKED;

#endif
