/*
 * Programs of the library that are texts: src/machine/programs/NAME.pram. cmake/program_texts.cmake makes their descriptors, with the
 * texts, when the library is built.
 */
#ifndef NP_PROGRAMS_TEXT_H
#define NP_PROGRAMS_TEXT_H

#include "netpram/script.h"
#include "machine/pram/program.h"

/* All programs, in the order of netpram list, and NULL. */
extern const np_entry *const np_program_entries[];

/*
 * Compiles and runs the text of a descriptor: all members of the result but program. What the result borrows is freed by
 * np_program_text_free. The errors of np_script_run.
 */
np_status np_program_text_run(const np_program_ops *ops, const np_pram_options *pram, const np_script_options *options,
                              np_program_result *result) NP_CHECKED;
void np_program_text_free(np_program_result *result);

/* The descriptor of that name. NP_ERROR_INPUT: there is none, or it is in C. */
np_status np_program_text_find(const char *name, const np_program_ops **out) NP_CHECKED;

/* The text of a descriptor, compiled. */
np_status np_program_text_compile(const np_program_ops *ops, np_script **out) NP_CHECKED;

#endif
