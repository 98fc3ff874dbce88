/* What links carry, counted for the table of links and for its picture. See record_links.c. */
#ifndef NP_REPORT_RECORD_LINKS_H
#define NP_REPORT_RECORD_LINKS_H

#include "report/record_tables.h"

/* A link of a table. */
typedef struct np_link_item {
    np_node from, to; /* NP_NONE: the number is no link's */
    uint64_t carried;
    uint32_t busiest;
    np_step busiest_step;
    /* Of a physical link on a leveled network: the last step in which a packet crossed, and how many did. */
    np_step step;
    uint32_t here;
} np_link_item;

/* np_sheet_kind.begin and .event of a sheet that begins with np_tables_sheet. */
np_status np_sheet_links_begin(np_sheet *sheet, const np_event_phase *phase) NP_CHECKED;
np_status np_sheet_links_take(np_sheet *sheet, const np_event *event) NP_CHECKED;

#endif
