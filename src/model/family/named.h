/* Reads several parameters of a family's spec: a=8,p=4,h=4, or without their names in the order of the table. */
#pragma once

#include "model/network/network.h"

enum { NP_NAMED_ROOM = 256 };

typedef struct np_named {
    const char *name;
    uint64_t low, high; /* of a number; high 0: it is a text */
    bool needed;
    uint64_t value;   /* the default, then what is said */
    const char *text; /* what is said, in the room; NULL: nothing is */
} np_named;

/* Rows of a table: a number that must be there, one that may be, and a text. */
#define NP_NAMED_NEEDED(name, low, high)                                                                               \
    {                                                                                                                  \
        name, low, high, true, 0, NULL                                                                                 \
    }
#define NP_NAMED_NUMBER(name, low, high, preset)                                                                       \
    {                                                                                                                  \
        name, low, high, false, preset, NULL                                                                           \
    }
#define NP_NAMED_TEXT(name, needed)                                                                                    \
    {                                                                                                                  \
        name, 0, 0, needed, 0, NULL                                                                                    \
    }

/*
 * Fills value and text of the table. `parameters`: the text after "family:".
 * NP_ERROR_INPUT: a name that the table lacks or that comes twice, no number, or a parameter that is needed is missing;
 * NP_ERROR_INPUT, NP_ERROR_LIMIT: a number below or above its bounds.
 */
np_status np_named_read(const np_network *network, const char *parameters, char room[NP_NAMED_ROOM], size_t count,
                        np_named *named) NP_CHECKED;
