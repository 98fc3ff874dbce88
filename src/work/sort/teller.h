/*
 * What observers hear of a sort (netpram/engine.h). A stage is a phase; stages of one name that follow each other are
 * one. Stages of blocks that work at the same time are one phase, "recursion". Steps are
 * steps of the network, but on leveled networks, where engines route.
 *
 * Words are what sorters send. A key is the packet with the key's number, and infinite keys have the numbers behind the
 * last. A key that is sent for a comparison stays with its sender, too: what is sent is a new packet, which splits from
 * the one by which the sender has the key. Copies of keys, and numbers that nodes have counted, are packets that enter
 * where they are made. A number that is added to another one becomes a part of it.
 */
#pragma once

#include "engine/queueing/hop_list.h"

typedef struct np_sort_teller np_sort_teller;

enum { NP_SORT_WALK = 32 }; /* most hops of a walk: shuffles of a string of 14 bits, and an exchange */

/*
 * A network that the network plays: each of its steps is a slot of steps of the network, in which a word that crosses a
 * link of the guest walks over links of the network.
 */
typedef struct np_sort_play {
    const np_network *guest;
    const char *phase; /* the phase of its stages */
    uint32_t slot;     /* steps */
    np_node (*node)(const void *context, np_node of_guest);
    /* hop[] = the hops of the walk, with steps 1 .. slot of the slot, and packet unset. Returns how many there are. */
    uint32_t (*walk)(const void *context, np_link of_guest, np_listed_hop hop[NP_SORT_WALK]);
    const void *context;
} np_sort_play;

/* How a word crosses a link. */
typedef enum np_sort_sending {
    NP_SORT_MOVES,    /* it leaves its node */
    NP_SORT_COMPARES, /* the sender has it, too, until it is known which of the two nodes drops it */
    NP_SORT_COPIES,   /* the sender keeps it */
} np_sort_sending;

enum { NP_SORT_COPIES_OF_KEYS = 2 }; /* kinds of copies: of keys, and of these copies */

/* items: numbers below this may be told of. NP_ERROR_MEMORY, NP_ERROR_LIMIT. */
np_status np_sort_teller_create(const np_network *network, const np_observer *observer, uint32_t items,
                                np_sort_teller **out) NP_CHECKED;
void np_sort_teller_free(np_sort_teller *teller);

/*
 * A run begins. number: [numbers] the numbers of the keys that the items stand for; other items are their own numbers.
 */
void np_sort_teller_begin(np_sort_teller *teller, uint32_t run, uint32_t numbers, const uint32_t *number);

/* From now on what is told of is a guest: its nodes and links, its steps within a stage. NULL: the network itself. */
void np_sort_teller_play(np_sort_teller *teller, const np_sort_play *play);

/* The network whose nodes and links are told of: the guest, if there is one. */
const np_network *np_sort_teller_network(const np_sort_teller *teller);

/* --- Words. An item is its own word. --- */

/* The word of a copy of the item, or of a copy of this copy. kind: 0 .. NP_SORT_COPIES_OF_KEYS; 0: the item itself. */
uint32_t np_sort_teller_copy(const np_sort_teller *teller, uint32_t item, uint32_t kind);

/* The first of `count` words for numbers, which are forgotten when the present stage is over. */
uint32_t np_sort_teller_numbers(np_sort_teller *teller, uint32_t count);

/* The word, no item, is made at a node after step `step` of the present stage. If there was one before, it is gone. */
void np_sort_teller_put(np_sort_teller *teller, uint64_t step, uint32_t word, np_node at);

/* --- Moves, in step `step` of the present stage, from 1. The word is at the tail of the link. --- */

void np_sort_teller_send(np_sort_teller *teller, uint64_t step, np_link link, uint32_t word, np_sort_sending how);

/* The sender keeps the word. What is sent becomes a part of the word `into`, which is now at node `at`, and at the head
   of the link when the step is over. */
void np_sort_teller_join(np_sort_teller *teller, uint64_t step, np_link link, uint32_t word, uint32_t into, np_node at);

/* The present stage takes `steps` steps from step `begin` of the run on. Stages are told in the order in which they
   end, but those of blocks that work beside others. Without moves: no packet of it is told of. */
void np_sort_teller_stage(np_sort_teller *teller, const char *name, uint64_t begin, uint64_t steps);

/* --- Engines that route packets of the present stage --- */

/* For an engine whose events are handed on. The stage is then not told of by np_sort_teller_stage. */
const np_observer *np_sort_teller_observer(np_sort_teller *teller, const char *stage);

/* The network's link that edge `edge` crosses; NP_NONE: none. */
typedef np_link np_sort_crossing(const void *context, uint32_t edge);

/* For an engine on a leveled network whose steps are steps of the network, after `wait` steps of the present stage. Its
   packets carry words. The observer is valid until the next call. */
const np_observer *np_sort_teller_moves(np_sort_teller *teller, uint64_t wait, np_sort_crossing *link_of,
                                        const void *context);

/* What such an engine is told of its phase. */
const np_event_phase *np_sort_teller_phase(const np_sort_teller *teller);

/* Packet `packet` of the engine carries the word. */
void np_sort_teller_carry(np_sort_teller *teller, np_packet packet, uint32_t word);

/* The first failure so far: NP_ERROR_MEMORY, NP_ERROR_LIMIT, NP_ERROR_CANCELLED. */
np_status np_sort_teller_status(const np_sort_teller *teller) NP_CHECKED;

/* The run is over: tells of what is left. As np_sort_teller_status. */
np_status np_sort_teller_end(np_sort_teller *teller) NP_CHECKED;
