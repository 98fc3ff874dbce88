/* What the JSON reports share: building without checks at every step, and a layout that people can read. */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "base/status.h"
#include "netpram/report.h"

/* {"netpram": ..., "json_version": ..., "command": ...}, the head of every object we print. NULL: no memory. */
json_t *np_json_head(const char *command);

/*
 * Sets or appends `value`, and takes over its reference. If the container or
 * the value is NULL, *container is released and set to NULL: so the caller need
 * only check the container at the end.
 */
void np_json_set(json_t **container, const char *key, json_t *value);
void np_json_append(json_t **container, json_t *value);

/* A string; bytes that are not UTF-8 become \xe9. */
json_t *np_json_text(const char *text);

/* A whole number; a decimal string where it exceeds 63 bits. */
json_t *np_json_whole(uint64_t value);

/* Sets a key for every field of the object that applies, in the order of the rows. */
void np_json_fields(json_t **container, const np_fields *fields, const void *object);

/* Writes the value as json_dumpf does, and escapes all characters that a terminal would obey (np_written). */
void np_json_dump(const json_t *value, size_t flags, FILE *stream);

/*
 * Prints the object and a newline, releases it. Containers of containers down
 * to depth `open` have one member a line, the others are on one line.
 * @return NP_ERROR_MEMORY if the object is NULL, NP_ERROR_IO
 */
np_status np_json_print(json_t *object, int open, FILE *stream) NP_CHECKED;

/* json_loadb, for which a point is a point in every locale, and the mark of UTF-8 is skipped. */
json_t *np_json_load(const char *text, size_t length, size_t flags, json_error_t *error);

/* Prints the head and all fields of the object, as np_json_print does. */
np_status np_json_report(const np_fields *fields, const void *object, const char *command, int open,
                         FILE *stream) NP_CHECKED;
