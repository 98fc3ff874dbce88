/*
 * Programs of the library that are texts: src/machine/programs/NAME.pram. cmake/program_texts.cmake makes their
 * descriptors, with the texts, when the library is built.
 */
#pragma once

#include "netpram/script.h"
#include "machine/pram/program.h"

/* All programs, in the order of netpram list, and NULL. */
extern const np_entry *const np_program_entries[];

/* The text of a descriptor, compiled. */
np_status np_program_text_compile(const np_program_ops *ops, np_script **out) NP_CHECKED;
