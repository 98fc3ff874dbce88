/* A step on its way between ranks: shared by division_step.c and division_join.c. */
#pragma once

#include "base/hot.h"
#include "machine/pram/division.h"

enum { NP_ROOM_LEAST = 1 << 12 }; /* requests for which there is always room at their owner (ours) */

typedef struct np_passage {
    np_pram *pram;
    np_division *d;
    const np_pram_step *step;  /* of this rank's processors */
    const np_pram_step *whole; /* of all processors, if every rank has them; NULL: it has its own */
    uint32_t first;            /* the number of processor 0 of it */
    np_cell_type type;
    bool due;      /* the accesses are checked */
    bool alone;    /* two writes to a cell are an error */
    bool numbered; /* the owners need the numbers of processors */
    bool joined;   /* accesses of one cell are one request */
    size_t accesses, requests, owned;
} np_passage;

/* Lists the processors from `begin` on that are on, of NP_PART_PICKS. Returns how many. */
static inline size_t np_passage_pick(const np_passage *p, size_t begin, uint32_t *processor)
{
    return np_part_active(p->step->active, begin, np_part_block(begin, p->step->count), processor);
}

/* A request more, to a cell. */
NP_INLINE void np_passage_add(np_passage *p, np_address address)
{
    np_traffic *t = &p->d->traffic;
    np_address cell;
    const uint32_t owner = np_division_owner(p->d, address, &cell);
    t->owner[p->requests] = owner;
    t->cell[p->requests] = (uint32_t)cell;
    t->sends[owner]++;
    p->requests++;
}

/* ---- Requests for one cell that become one: division_join.c ---- */

/* Decides whether it is worth it, and makes room. Whether it is done is a rank's own affair. NP_ERROR_MEMORY. */
np_status np_join_begin(np_passage *p) NP_CHECKED;

/* Lists the requests; the operands of fetches become what the rank's processors before have given to the cell. */
void np_join_list(np_passage *p);

/* Puts what goes with each request into the order of ranks; the replies to them become those to the processors. */
void np_join_place(const np_passage *p);
void np_join_take(const np_passage *p);
