/*
 * Sheets that add up over the runs: a table for each phase, with an item for each link or node. On a leveled network
 * there are two tables: "network" for the physical links or nodes, "leveled" for those of the leveled network. If each
 * run has a leveled network of its own, each run has a table "leveled:RUN".
 */
#pragma once

#include "show/record/record.h"

typedef struct np_sheet_table {
    uint32_t phase;
    char *name; /* of the phase */
    const char *of;
    uint32_t run; /* whose leveled network it is; NP_NONE: all runs are on it */
    size_t count;
    void *item; /* [count] zeroed when the table is made */
} np_sheet_table;

/* A sheet with tables begins with this. */
typedef struct np_tables_sheet {
    np_sheet sheet;
    size_t tables;
    np_sheet_table *table;
    /* Of the present phase: positions in table[]. leveled: NP_NONE if there is none. */
    uint32_t network, leveled;
    const np_event_leveled *net;
    np_sheet_names names;
} np_tables_sheet;

/* Writes the first columns of a line: "phase,name,of,". */
void np_sheet_table_begin_line(const np_sheet *sheet, const np_sheet_table *table);

/* Of a node in the table: the nodes of leveled networks have no names. room: [NP_NAME_ROOM] */
const char *np_sheet_table_name(const np_tables_sheet *sheet, const np_sheet_table *table, np_node node, char *room);

/*
 * Finds or makes the tables of the phase, of `links` or of nodes. item_size: of an item. *fresh = they have just been
 * made.
 */
np_status np_sheet_tables_begin(np_tables_sheet *sheet, const np_event_phase *phase, bool links, size_t item_size,
                                bool *fresh) NP_CHECKED;
void np_sheet_tables_clear(np_sheet *sheet);

/* The items of the present phase. */
static inline void *np_sheet_items(const np_tables_sheet *sheet, uint32_t table) { return sheet->table[table].item; }
