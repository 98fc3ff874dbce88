/* Keys as they were read: their lines, and words that compare as the lines do. */
#ifndef NP_SORT_KEYS_H
#define NP_SORT_KEYS_H

#include "netpram/keys.h"

/* A line without its end. */
typedef struct np_keys_line {
    const char *at;
    size_t length;
} np_keys_line;

struct np_keys {
    char *data; /* the file, that lines point into */
    size_t count;
    np_key_kind kind;   /* never NP_KEYS_AUTO */
    np_keys_line *line; /* [count] */
    uint64_t *word;     /* [count] */
};

/*
 * Keys of a text: np_keys_read without the file. data[0 .. length) from np_memory_array, with room for one byte more,
 * belongs to the keys from now on, also on an error. name is for messages.
 */
np_status np_keys_parse(const char *name, char *data, size_t length, np_key_kind kind, np_keys **out) NP_CHECKED;

/* The words of lines of text: equal lines have one, in the order of their bytes. */
np_status np_keys_number_lines(size_t count, const np_keys_line *line, uint64_t *word) NP_CHECKED;

#endif
