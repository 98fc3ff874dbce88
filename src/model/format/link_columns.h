/* Numbers that a file gives to its links, while it is read: a value for each line. */
#pragma once

#include "model/format/builder.h"

/* One attribute, while a file is read. */
typedef struct np_link_column {
    char *name;
    const char *unit; /* NULL: no value yet; "": the values have none */
    const char *word; /* a value that is no number, or has another unit; NULL: all are numbers. Owned */
    bool scaled;      /* some value has a unit or a prefix */
    double *value;    /* [room] of each line; NAN: none */
    size_t room;
} np_link_column;

/* The name of the attribute that is the width; not terminated. */
np_text_field np_columns_width_name(const np_builder *graph);

void np_columns_clear(np_builder *graph);

/*
 * Makes the attribute that is to be the width the widths of the lines, when all lines are there.
 * NP_ERROR_INPUT: its values are not whole multiples of the unit, with the values
 */
np_status np_columns_settle_width(np_builder *graph, const np_text *text) NP_CHECKED;

/* The last line that was added has the attributes of an earlier one. */
np_status np_columns_repeat(np_builder *graph, size_t line) NP_CHECKED;

/* Gives the attributes to the network, whose rows were made of the lists. */
np_status np_columns_take(np_builder *graph, const np_link_lists *lists, np_network *network) NP_CHECKED;
