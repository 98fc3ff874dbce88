/*
 * The queues of the six phases, in loops over the rows of a block: what comes in, what leaves, what is full.
 *
 * A queue has four registers, filled from the head on; 0 is no message. So the registers say how long a queue is that
 * has no messages behind them. Two kinds of code:
 *
 *   plain    queues of 2, 3 or 4 messages: the registers alone
 *   counted  any other length: the queue has a count too, and messages behind the registers wait in a ring
 *
 * What comes in enters the first empty register. Its way there is a chain: what is left of it behind a register is 0 if
 * this register was empty, so two neighbours of the chain differ in what enters between them.
 */
#pragma once

#include "engine/merging/ranade_inside.h"

/* Scalars, not an array, so that loops over rows become vector code. */
typedef struct np_ranade_queue {
    uint32_t s0, s1, s2, s3;
    uint32_t over;          /* what came in and found no register, or 0; */
    uint32_t count, behind; /* messages in all; were any behind the registers before? Only of counted queues */
} np_ranade_queue;

NP_COLUMN_INLINE uint32_t np_ranade_is_message(uint32_t w) { return np_column_mask(w != 0) & ((w & 1) - 1); }

NP_COLUMN_INLINE np_ranade_queue np_ranade_load(bool counted, const uint32_t *at, const uint32_t *count, int i)
{
    enum { BLOCK = NP_COLUMN_BLOCK };
    return (np_ranade_queue){at[i], at[BLOCK + i], at[2 * BLOCK + i], at[3 * BLOCK + i], 0, counted ? count[i] : 0, 0};
}

NP_COLUMN_INLINE void np_ranade_store(bool counted, const np_ranade_queue *from, uint32_t *at, uint32_t *count, int i)
{
    enum { BLOCK = NP_COLUMN_BLOCK };
    at[i] = from->s0;
    at[BLOCK + i] = from->s1;
    at[2 * BLOCK + i] = from->s2;
    at[3 * BLOCK + i] = from->s3;
    if (counted)
        count[i] = from->count;
}

/* x comes in, and enters if it is a message. Returns the head, or x itself if the queue was empty. */
NP_COLUMN_INLINE uint32_t np_ranade_enter(bool counted, np_ranade_queue *at, uint32_t x)
{
    uint32_t some = np_column_mask(at->s0 != 0), enters = x & np_column_mask((x & 1) == 0);
    uint32_t past0 = enters & some, past1 = past0 & np_column_mask(at->s1 != 0);
    uint32_t past2 = past1 & np_column_mask(at->s2 != 0), past3 = counted ? past2 & np_column_mask(at->s3 != 0) : 0;
    uint32_t head = at->s0 | (x ^ (x & some));
    at->s0 |= enters ^ past0;
    at->s1 |= past0 ^ past1;
    at->s2 |= past1 ^ past2;
    at->s3 |= past2 ^ past3;
    at->over = past3;
    at->behind = counted ? np_column_mask(at->count > NP_RANADE_REGISTERS) : 0;
    at->count += np_column_mask(enters != 0) & 1;
    return head;
}

/*
 * The head leaves if it has gone. Returns 0 unless a message goes behind the registers, or one from there is to take
 * the last register.
 */
NP_COLUMN_INLINE uint32_t np_ranade_leave(bool counted, np_ranade_queue *at, uint32_t gone)
{
    uint32_t last = counted ? at->over & ~at->behind : 0, over = at->over;
    at->s0 = np_column_choose(gone, at->s1, at->s0);
    at->s1 = np_column_choose(gone, at->s2, at->s1);
    at->s2 = np_column_choose(gone, at->s3, at->s2);
    at->s3 = np_column_choose(gone, last, at->s3);
    at->count += gone; /* -1 */
    return counted ? (over & (at->behind | ~gone)) | (gone & at->behind) : 0;
}

/* Has the queue b messages? */
NP_COLUMN_INLINE uint32_t np_ranade_is_full(bool counted, uint32_t b, const np_ranade_queue *at)
{
    uint32_t at_most_3 = np_column_mask(b < 4), at_most_2 = np_column_mask(b < 3);
    uint32_t last = at->s3 | (at->s2 & at_most_3) | (at->s1 & at_most_2);
    return counted ? np_column_mask(at->count >= b) : np_column_mask(last != 0);
}

/* The messages of a queue whose memory this is. */
static inline uint32_t np_ranade_length(const np_ranade *ranade, const uint32_t *state, unsigned way, uint32_t i)
{
    enum { BLOCK = NP_COLUMN_BLOCK };
    const uint32_t *at = state + (NP_RANADE_QUEUE + (size_t)way * ranade->places) * BLOCK + i;
    if (np_ranade_counts(ranade))
        return state[(NP_RANADE_COUNT + way) * BLOCK + i];
    return (uint32_t)((at[0] != 0) + (at[BLOCK] != 0) + (at[2 * BLOCK] != 0) + (at[3 * BLOCK] != 0));
}
