/* Keys: words that compare as they do, and the lines of those that were read. */
#pragma once

#include "netpram/sort.h"

/* A line without its end. */
typedef struct np_keys_line {
    const char *at;
    size_t length;
} np_keys_line;

struct np_keys {
    char *data; /* the file; the lines point into it */
    size_t count;
    np_key_kind kind;   /* never NP_KEYS_AUTO */
    np_keys_line *line; /* [count]; NULL: they were made */
    uint64_t *word;     /* [count] in the order of the keys: of floats see keys_read.c */
    bool negative;      /* of integers: the words are the numbers plus 2^63 */
};

/*
 * Reads the keys of a text, as np_keys_read does for a file. data[0 .. length), allocated by np_memory_array with room
 * for one byte more, belongs to the keys from now on, also after an error. name is for messages.
 */
np_status np_keys_parse(const char *name, char *data, size_t length, np_key_kind kind, np_keys **out) NP_CHECKED;

/* Keys that are made as np_keys_make does. count >= 1. */
np_status np_keys_draw(const char *order, size_t count, uint64_t seed, uint32_t run, np_keys **out) NP_CHECKED;
