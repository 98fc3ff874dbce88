/*
 * Texts of the library: programs, src/machine/programs/NAME.pram, and procedures that programs import by name,
 * src/machine/programs/imports/NAME.pram. cmake/program_texts.cmake makes their descriptors, with the texts, when the
 * library is built.
 */
#pragma once

#include "netpram/script.h"
#include "machine/pram/program.h"

/* All programs, in the order of netpram list, and NULL. */
extern const np_entry *const np_program_entries[];

/* A file of procedures: import scan. */
typedef struct np_import_text {
    np_entry entry;
    const char *text; /* [length] */
    size_t length;
} np_import_text;

/* All of them, in the order of netpram list, and NULL. */
extern const np_entry *const np_import_entries[];
extern const np_registry np_imports;

/* The text of a descriptor, compiled. */
np_status np_program_text_compile(const np_program_ops *ops, np_script **out) NP_CHECKED;
