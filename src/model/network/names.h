/* Names of nodes: texts, numbered in the order in which they are added, and found again by a hash table. */
#pragma once

#include "base/parse.h"
#include "base/status.h"

typedef struct np_names {
    char *text;     /* the names one after the other, each with a zero byte */
    uint64_t *at;   /* [room] where each name begins */
    uint32_t *slot; /* [slots] number + 1; 0: free */
    size_t length, space, count, room, slots;
} np_names;

void np_names_clear(np_names *names);

/* A copy. NP_ERROR_MEMORY: clear it in any case. */
np_status np_names_copy(const np_names *names, np_names *copy) NP_CHECKED;

/* *number = that of the name, which is added if it is new. */
np_status np_names_add(np_names *names, const char *name, size_t length, uint32_t *number) NP_CHECKED;

/* The number of the name; NP_NONE if there is none. */
uint32_t np_names_find(const np_names *names, const char *name, size_t length);

static inline const char *np_names_get(const np_names *names, uint32_t number)
{
    return names->text + names->at[number];
}

/* The names that are near the word, in words; of many names, among the first ones only. */
np_parse_hint np_names_hint(const np_names *names, const char *word);
