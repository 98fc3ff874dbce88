/*
 * What is wrong with a program, and where: "FILE:LINE:COLUMN: what" as the message of the error, and the line of the
 * text beside it (np_script_problem). One thing at a time.
 */
#pragma once

#include "machine/script/pool.h"
#include "machine/script/syntax.h"

/* Raises the error, and notes the place. */
np_status np_script_raise(const np_syntax *syntax, np_place place, np_status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Adds a file, which is borrowed, and finds where its lines begin. NP_ERROR_MEMORY. */
np_status np_script_add_file(np_syntax *syntax, np_pool *pool, const np_source *source) NP_CHECKED;

/* The file that has a line. */
const np_source *np_script_file_of(const np_syntax *syntax, uint32_t line);

/* "line 12", "line 12 of scan.pram" */
typedef struct np_line_name {
    char text[96];
} np_line_name;
np_line_name np_script_line_name(const np_syntax *syntax, uint32_t line);

/* The text from one place to another, or to the end of the first one's line: *length bytes. */
const char *np_script_between(const np_syntax *syntax, np_place from, np_place end, size_t *length);

/* The line of the text, without the blanks before it and behind it: *length bytes. Empty if there is no such line. */
const char *np_script_line(const np_syntax *syntax, uint32_t line, size_t *length);

/* The same with its blanks. */
const char *np_script_whole_line(const np_syntax *syntax, uint32_t line, size_t *length);
