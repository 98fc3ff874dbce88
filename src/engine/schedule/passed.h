/*
 * How many packets have gone through the queues of a range of links while these
 * were empty: they came in one step and left in the next, and the engine spared
 * them the queue.
 *
 * In a step at most one packet goes through a link. So what is added is a bitmap,
 * and the counts are kept by digits: digit k of 64 links is one word. A whole
 * bitmap is added by a few operations on words, most of which end at the first
 * digits. What exceeds NP_PASSED_DIGITS digits goes to the counts of the queues.
 */
#pragma once

#include "engine/schedule/queues.h"

enum { NP_PASSED_DIGITS = 8 };

typedef struct np_passed {
    np_link first;                     /* the link of bit 0, a multiple of 64 */
    size_t words;                      /* a multiple of 64 */
    uint64_t *digit[NP_PASSED_DIGITS]; /* [words] */
} np_passed;

/* Zero counts of links from `first` on, in so many words, in the arrays of their owner. */
void np_passed_layout(np_passed *passed, np_link first, size_t words, np_arena *arena);

void np_passed_reset(np_passed *passed);

/* A packet has passed each link of once[] that is neither in twice[] nor in busy[]. */
void np_passed_add_all(np_passed *passed, np_queues *queues, const uint64_t *once, const uint64_t *twice,
                       const uint64_t *busy);

/* The same for one word. */
void np_passed_add(np_passed *passed, np_queues *queues, size_t word, uint64_t bits);

/* The most packets that have gone through or entered any one queue of links first .. last-1 of the range. The queues
 * are empty. */
uint32_t np_passed_congestion(const np_passed *passed, const np_queues *queues, np_link first, np_link last);
