/*
 * The network of the machine butterfly:n and of the scheme `ranade`: which
 * message goes where, and when, in the six phases (Ranade 1987b, section 3). The
 * logical network has columns 0 .. 6n of 2^n switches each:
 *
 *   phase  columns     way
 *   1      0 .. n      along the row; processor <c, r> sends from column c
 *   2      n .. 2n     column n+i crosses by bit i of the row, to row r' of the module
 *   3      2n .. 3n    along the row; module <c', r'> is at column 2n+c'
 *   4      3n .. 4n    along the row
 *   5      4n .. 5n    phase 2 backwards
 *   6      5n .. 6n    phase 1 backwards; processor <c, r> takes its reply at column 6n-c
 *
 * Steps, ghosts and ends of streams are as in netpram/merging.h, with queues of b
 * messages, and with tags for ranks. A queue has room if it had room at the
 * beginning of the step. With b = 1 ghosts and ends need no room, and a message
 * that stays sends a ghost less than itself over its own edge. Steps count until
 * the last processor takes its reply; taking a reply is a step of its own.
 * Without delays column c acts in step c, counted from 0, so the replies of
 * column 0's processors are home after 6n + 1 steps.
 *
 * A switch of phases 5 and 6 sends a reply to one side or to both: to each side as
 * soon as this side has room. The direction bits at the head of the switch's
 * queue remember what is still owed to a side. The reply leaves when nothing is
 * owed. Until then the reply stays the selected one, so Lemma 2 still holds.
 * Nothing can wait in a circle: edges lead to higher columns only, the last column
 * never waits for room, and because of the ghosts no switch waits for a message
 * that cannot come (Lemma 4). A switch that needed room on both sides at once would
 * not deadlock either, but it would waste room.
 *
 * A permutation (section 5.1) is routed by the same six phases. A message has a tag
 * of its own, and its reply goes to a target instead of back. The way from a module
 * to a processor is the way from this processor to the module backwards. So the bits
 * of phases 5 and 6 are the bits that a request of the target would have left. Tags
 * are in the same order at all switches, so replies come in the order of bits here
 * too.
 *
 * Any order of tags that keeps equal tags together will do, but with many requests
 * the order matters. With 16n requests a row for different cells, n = 10 and b = 4,
 * a batch takes this many steps for each request of a row:
 *
 *   order of tags                            steps
 *   by modules <c', r'>, as the paper has it   2.8
 *   by a hash                                  2.3
 *   by <r', c'>: to the low rows first          12
 *
 * Only tags move here; values, if they are carried, follow the events (machine/pram/carry.h). Which requests become one
 * at which switch depends on who asks for what, not on when: a stream is sorted, so all requests for a tag that pass a
 * switch leave it as one (section 2). Neighbours combine in the order of processors,
 * numbered row by row (r n + c):
 *
 *   phase 1, column c      left is what comes along the row, from columns below c;
 *                          right is the processor's own request
 *   phase 2, column n+i+1  a stream there stands for 2^i rows in sequence, which agree
 *                          in bits i.. ; left is the stream of the rows with bit i = 0,
 *                          right the stream of the next 2^i rows
 *
 * So the module sees the combination of all requests in order, and a processor gets the combination
 * of all requests before its own, for every tree. butterfly.c works this out without the network;
 * the oracle of the tests does it switch by switch.
 */
#pragma once

#include "model/leveled/leveled.h"
#include "netpram/engine.h"

typedef struct np_ranade np_ranade;

enum { NP_RANADE_N_MAX = 20 };

/* One batch. Tags are numbered in order. */
typedef struct np_ranade_job {
    uint32_t tags;
    const uint32_t *module;    /* [tags] <c', r'>: c' 2^n + r' */
    const uint32_t *begin;     /* [tags + 1] in processor[] */
    const uint32_t *processor; /* [begin[tags]] r n + c, ascending within a tag; equal ones combine before sending */
    unsigned workers;          /* threads, if the engine can use them; 0 is 1. Results do not depend on it */
    uint64_t steps_max;        /* give up when the batch takes more; 0: never */
    const uint32_t *target;    /* [tags] r n + c of the one processor that gets the reply; NULL: all that asked */
    uint32_t *home;            /* [tags] receives the step, from 0, in which the last reply was taken; NULL: not wanted.
                              Without targets the engine uses one thread then */
    const np_watch *watch;     /* is told in every step how far the batch is, about; NULL: nobody */
    const np_leveled *leveled; /* np_six_phases_create, for `physical` and for observers */
    bool physical;             /* count physical steps, too (model/leveled/physical.h) */
    /* Of an observed batch. */
    const np_observer *observer; /* NULL: nobody observes */
    const np_event_phase *phase;
    const np_packet *number; /* [begin[tags]] of the packets; of equal requests of a processor the first one is told */
    np_packet copies;        /* the reply to a request that became a part of another one: its number plus this */
} np_ranade_job;

typedef struct np_ranade_run {
    uint64_t steps;
    uint64_t physical_steps; /* of a batch with `physical`; else 0 */
    bool abandoned;          /* after steps_max steps */
    uint64_t ghosts;
    uint64_t combined;   /* requests that became part of another request */
    uint64_t replies;    /* replies that are home: one for each request; with targets, one for each tag */
    uint32_t queue_max;  /* messages, ghosts not counted */
    uint32_t module_max; /* requests at one module */
    /* Of an observed batch, which goes on to its end for observers even if it is abandoned. */
    uint64_t told_steps, told_moves;
} np_ranade_run;

/*
 * What every switch selected: [steps][6n + 1][rows]. 0: nothing, some queue is empty; 2 k + 2: message of tag k;
 * 2 k + 3: a ghost of it (2 k + 1: see above, b = 1); UINT32_MAX: the end.
 */
typedef struct np_ranade_record {
    uint32_t *selected;
    uint8_t *sent; /* likewise: the selected message goes straight (bit 0), across (bit 1) */
    size_t room;
} np_ranade_record;

/* Makes room for a batch of `steps` steps, so that no memory is allocated during the batch. NP_ERROR_MEMORY. */
np_status np_ranade_record_reserve(np_ranade_record *record, uint32_t n, uint64_t steps) NP_CHECKED;

void np_ranade_record_clear(np_ranade_record *record);

/* The bytes that an engine takes for batches of `requests` requests, each of another tag, without a record. */
uint64_t np_ranade_bytes(uint32_t n, uint32_t queue_size, uint64_t requests, bool targets);

/* How many threads pay in a batch on 2^n rows. */
unsigned np_ranade_worth(uint32_t n);

/* 1 <= n <= NP_RANADE_N_MAX, queue_size b >= 1. NP_ERROR_MEMORY. */
np_status np_ranade_create(uint32_t n, uint32_t queue_size, np_ranade **out) NP_CHECKED;
void np_ranade_free(np_ranade *ranade);

/* What an observed batch of so many requests adds to these, without the leveled network. */
uint64_t np_ranade_observing_bytes(uint32_t n, uint64_t requests);

/* record may be NULL. NP_ERROR_MEMORY, NP_ERROR_LIMIT; NP_ERROR_CANCELLED by the observer. */
np_status np_ranade_send(np_ranade *ranade, const np_ranade_job *job, np_ranade_record *record,
                         np_ranade_run *out) NP_CHECKED;

/* After an observed batch: its phase is over. NP_ERROR_CANCELLED. */
np_status np_ranade_observe_end(np_ranade *ranade, const np_phase_run *run) NP_CHECKED;
