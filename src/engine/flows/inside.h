/*
 * The inside of the room: flows in slots, links with lists of the flows that cross them, and the queue of what happens.
 *
 * Invariants, whenever no batch is worked on:
 *   level[l] = np_fair_free_level, if no flow crosses l;
 *   the rate of a flow on links is the least level on its path;
 *   use of a link = the sum of rates of its entries, each times its share of 2^-40 if flows are divided.
 * Within a batch the last two hold after each change of one level.
 */
#pragma once

#include "base/heap.h"
#include "base/hot.h"
#include "base/room.h"
#include "engine/flows/fair.h"

/* ---- Lists of pairs of numbers, in one array ---- */

typedef struct np_cell {
    uint32_t one, other;
} np_cell;

enum { NP_CELL_CLASSES = 64, NP_NO_CELL = UINT32_MAX };

typedef struct np_cells {
    np_cell *cell;
    size_t count, room;
    uint32_t vacant[NP_CELL_CLASSES]; /* first vacant list of each class; a vacant list begins with the next one */
} np_cells;

void np_cells_init(np_cells *cells);
/* The least class whose lists have room for `count` cells, and how many a list of the class has. */
uint32_t np_cells_class(uint32_t count);
uint32_t np_cells_room(uint32_t class);
np_status np_cells_take(np_cells *cells, uint32_t class, uint32_t *list) NP_CHECKED;
void np_cells_give(np_cells *cells, uint32_t class, uint32_t list);

/* ---- When what happens next: the least of many times, each of which may change ---- */

enum { NP_AGENDA_WAYS = 16, NP_AGENDA_LEVELS = 9 };

typedef struct np_agenda {
    np_fair_time *time;          /* by level: those of the items, the least of each 16 of them, and so on to one */
    size_t at[NP_AGENDA_LEVELS]; /* where a level begins; a level's length is a multiple of 16 but at the top */
    unsigned top;                /* the level that has one time */
    size_t items;
} np_agenda;

/* Makes room for `items`, a multiple of 16. The new ones never happen. */
np_status np_agenda_grow(np_agenda *agenda, size_t items) NP_CHECKED;
void np_agenda_set(np_agenda *agenda, size_t item, np_fair_time time);

static inline np_fair_time np_agenda_least(const np_agenda *agenda)
{
    return agenda->items ? agenda->time[agenda->at[agenda->top]] : NP_FAIR_NEVER;
}

/* The first item from `from` on that happens at the least time; `items` if there is none. */
size_t np_agenda_find(const np_agenda *agenda, size_t from);

/* ---- Flows ---- */

typedef enum np_flow_state {
    NP_FLOW_VACANT,
    NP_FLOW_WAITING, /* starts later: its time is that of its start */
    NP_FLOW_ACTIVE,  /* on the links of its path */
    NP_FLOW_ENDED,   /* all its units are sent in this batch; still on its links, so that another may take its place */
    NP_FLOW_FLYING   /* all are sent, and its delay runs */
} np_flow_state;

typedef struct np_slot {
    uint64_t rate;
    uint64_t settled;  /* the rate from `since` on, until this batch */
    np_fair_size left; /* units at `since` */
    np_fair_time since;
    uint32_t path; /* its list of cells: {link, place in the link's list}, and after them, if flows are divided, the
 shares; of a vacant slot: the next one */
    uint32_t hops;
    uint64_t order : 56; /* its number, in the order of adding */
    uint64_t state : 6;
    uint64_t touched : 1; /* it is in the list of those whose rate may have changed */
    uint64_t fresh : 1;   /* it has started in this batch */
} np_slot;

/* What is not needed while rates change. */
typedef struct np_slot_rest {
    np_fair_time delay;
    uint64_t name;
} np_slot_rest;

/* ---- Links ---- */

typedef struct np_shared_link {
    np_wide use; /* the sum of rates of its entries; more than fits into 64 bits on the way */
    uint64_t capacity;
    uint64_t queued; /* its key in the queue of links; NP_NOT_QUEUED */
    uint32_t list;   /* its list of cells: {slot, hop of that flow} */
    uint32_t entries;
    uint32_t class; /* of its list; meaningless while list is NP_NO_CELL */
} np_shared_link;

#define NP_NOT_QUEUED UINT64_MAX

/* A link in a heap. */
typedef struct np_marked {
    uint64_t key;
    uint32_t link;
} np_marked;

static inline bool np_marked_before(const void *a, const void *b)
{
    return ((const np_marked *)a)->key < ((const np_marked *)b)->key;
}

/* A link goes to place i or below. */
static inline void np_marked_sink(np_marked *heap, size_t count, size_t i, np_marked link)
{
    np_heap_sink(heap, count, sizeof link, i, &link, np_marked_before);
}

/* The first link leaves. */
static inline void np_marked_drop(np_marked *heap, size_t *count)
{
    --*count;
    np_marked_sink(heap, *count, 0, heap[*count]);
}

/* A flow that ends in this batch. */
typedef struct np_ending {
    uint64_t order, name;
    uint32_t slot;
    bool finishes; /* now, without delay */
} np_ending;

typedef struct np_numbers {
    uint32_t *item;
    size_t count, room;
} np_numbers;

struct np_fair {
    uint32_t links;
    np_shared_link *link; /* [links] */
    uint64_t *level;      /* [links] apart, since paths are searched for the least one */
    bool divided;
    uint64_t *shares; /* [links] if flows are divided, the sum of the shares of the link's entries */

    np_slot *slot;      /* [slots] */
    np_slot_rest *rest; /* [slots] */
    size_t slots;
    uint32_t vacant; /* the first vacant slot */
    np_cells cells;
    np_agenda agenda;

    np_fair_time now;
    bool in_batch;
    uint64_t orders;
    uint64_t active, standing;
    np_wide rate;     /* the sum of the rates of active flows, as they are settled */
    np_wide *rate_of; /* [names] the caller's: the same of flows of a name; NULL if names is 0 */
    uint64_t names;
    np_numbers touched, arriving, leaving; /* slots, in this batch */
    np_ending *ending;
    size_t endings, endings_room;
    size_t changed; /* flows that came or went in this batch, and did not take a place */

    np_marked *marked; /* a heap by keys; entries whose key is not that of the link are void */
    size_t marks, marks_room;
    uint64_t *bound; /* [bounds] of the entries of the link that is evaluated: the least of their other levels */
    uint64_t *share; /* [bounds] their shares, if flows are divided */
    size_t bounds, shares_room;

    uint32_t ahead; /* the slot of the next flow of the driver; NP_NO_CELL: none */
    np_fair_time ahead_time;
    bool more;

    int filling; /* np_fair_fill_always */
    np_fair_counts counted;
};

/* The level of a link that holds no flow back: no link's level is larger. */
static inline uint64_t np_fair_free_level(const np_fair *fair, uint32_t link)
{
    return fair->divided ? (uint64_t)1 << 63 : fair->link[link].capacity;
}

/* What a link can carry, in the units of its use. */
static inline np_wide np_fair_capacity(const np_fair *fair, uint32_t link)
{
    return (np_wide)fair->link[link].capacity << (fair->divided ? NP_FAIR_SHARE_BITS : 0);
}

/* The share of its rate that a flow takes on the link of a hop; 1 if flows are not divided. */
static inline uint64_t np_fair_share(const np_fair *fair, const np_slot *slot, uint32_t hop)
{
    uint64_t share = 1;
    if (fair->divided)
        memcpy(&share, &fair->cells.cell[slot->path + slot->hops + hop], sizeof share);
    return share;
}

/* levels.c: takes a flow from its links or puts it on them, and marks links whose level may change by that. */
np_status np_fair_attach(np_fair *fair, uint32_t slot) NP_CHECKED;
void np_fair_detach(np_fair *fair, uint32_t slot);
np_status np_fair_touch(np_fair *fair, uint32_t slot) NP_CHECKED;
/* Marks the links of a flow's path that may change, as above. */
np_status np_fair_mark_gone(np_fair *fair, uint32_t slot) NP_CHECKED;

/* Works the levels out: of the links that are marked and of those that change by them; or, in fill.c, of all. */
np_status np_fair_relax(np_fair *fair) NP_CHECKED;
np_status np_fair_fill(np_fair *fair) NP_CHECKED;

/* Room for one number more; then it is appended. */
static inline np_status np_numbers_add(np_numbers *numbers, uint32_t item, const char *what)
{
    np_status st = np_memory_room(&numbers->item, numbers->count, &numbers->room, sizeof *numbers->item, what);
    if (!st)
        numbers->item[numbers->count++] = item;
    return st;
}
