/*
 * What is wrong with a program, and where: "FILE:LINE:COLUMN: what" as the message of the error, and the line of the
 * text beside it (np_script_problem). One thing at a time.
 */
#ifndef NP_SCRIPT_DIAGNOSE_H
#define NP_SCRIPT_DIAGNOSE_H

#include "machine/script/pool.h"
#include "machine/script/syntax.h"

/* Raises the error, and notes the place. */
np_status np_script_raise(const np_syntax *syntax, np_place place, np_status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Finds where the lines of syntax->text begin. NP_ERROR_MEMORY. */
np_status np_script_find_lines(np_syntax *syntax, np_pool *pool) NP_CHECKED;

/* The text from one place to another, or to the end of the first one's line: *length bytes. */
const char *np_script_between(const np_syntax *syntax, np_place from, np_place end, size_t *length);

/* The line of the text, without the blanks before it and behind it: *length bytes. Empty if there is no such line. */
const char *np_script_line(const np_syntax *syntax, uint32_t line, size_t *length);

/* The same with its blanks. */
const char *np_script_whole_line(const np_syntax *syntax, uint32_t line, size_t *length);

#endif
