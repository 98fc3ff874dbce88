/*
 * A step of one column, a block of rows at a time, in loops without a branch
 * that the compiler turns into vector code. merge_columns.c does the same; here
 * queues have any size, messages combine, and replies go by direction bits.
 *
 * A step goes from the last column to the first, and a switch pulls: what was
 * sent to it in the step before is still in the outputs of the column before,
 * since this column comes later. The switch says which of its queues are full
 * before anything leaves them, and the column before reads this.
 *
 * A queue has four registers (ranade_queue.h). Messages behind them, of which there
 * are few, wait in a ring, so that time does not grow with b.
 *
 * Most blocks with one way in, those of phases 3, 4 and 6, hold nothing and see no
 * full queue ahead: they hand on what comes in, and nothing else of theirs is read.
 *
 * A queue holds messages only. A ghost or an end counts if it has come in this
 * step to an empty queue: ghosts are good for one step, and the end is sent
 * again in every step.
 *
 * Messages that combine leave their queues when the message that they become is
 * sent.
 *
 * Symbols: b queue size, h the least head, x what comes in.
 * Invariant (Lemma 2.1 of Leighton et al. 1994): what a queue holds and what
 * comes into it is in order; debug builds check it.
 */
#include <assert.h>
#include <string.h>

#include "base/hot.h"
#include "engine/merging/ranade_queue.h"

enum { BLOCK = NP_COLUMN_BLOCK };

#define END NP_RANADE_END

#ifdef NDEBUG
enum { AUDITED = false };
#else
enum { AUDITED = true };
#endif

/* Where messages go. */
typedef enum way { WAY_STRAIGHT, WAY_ADDRESS, WAY_OWED, WAY_TAKE, WAY_TAKE_ALL } way;

/* A block on its way through a step. */
typedef struct block {
    const uint32_t *x[2];      /* [BLOCK] what comes in */
    const uint32_t *full[2];   /* [BLOCK] are the queues full to which the ways out lead? */
    uint32_t across[2][BLOCK]; /* where x[1] and full[1] are */
    uint32_t rest[2][BLOCK];   /* not 0: what is behind the registers of the queue changes */
    uint32_t went[BLOCK];      /* h is a message and leaves; */
    uint32_t few[BLOCK];       /* ... and at most one pair of direction bits is left in the word */
    uint32_t least[BLOCK];     /* h */
    uint32_t ends;             /* END: all rows have sent the end over all ways out */
    uint8_t queued;            /* np_ranade_column.queued, of the block */
} block;

NP_COLUMN_INLINE uint32_t *array_of(const np_ranade *ranade, const np_ranade_column *column, uint32_t at_block,
                                    size_t array)
{
    return column->state + (at_block * ranade->arrays + array) * BLOCK;
}

/* One array of a block of a neighbouring column, over edges that cross: in `to`, or where it is. */
NP_COLUMN_INLINE const uint32_t *read_across(const np_ranade *ranade, const np_ranade_column *from, uint32_t at_block,
                                             uint32_t cross, size_t array, uint32_t *to)
{
    const uint32_t *there = array_of(ranade, from, at_block ^ cross / BLOCK, array);
    if (cross >= BLOCK)
        return there;
    np_column_cross(cross, there, to);
    return to;
}

#ifndef NDEBUG
/* Checks that what comes in is greater than all that is in the queue, and finds room. */
static void audit(const np_ranade *ranade, const uint32_t *state, unsigned from, const uint32_t *x)
{
    enum { REGISTERS = NP_RANADE_REGISTERS };
    const uint32_t *held = state + (NP_RANADE_QUEUE + (size_t)from * ranade->places) * BLOCK;
    const uint32_t *first = state + (NP_RANADE_REST + from) * BLOCK;
    for (uint32_t i = 0; i < BLOCK; i++) {
        uint32_t count = np_ranade_length(ranade, state, from, i), place = count - 1;
        if (!x[i] || !count)
            continue;
        if (place >= REGISTERS)
            place = REGISTERS + (first[i] + place - REGISTERS) % (ranade->places - REGISTERS);
        assert(x[i] > held[(size_t)place * BLOCK + i]);
        assert(x[i] & 1 || count < ranade->queue_size);
    }
}
#endif

/*
 * What goes over a way out: h if h needs it and there is room, else a ghost of h. With b = 1 ghosts and ends need no
 * room, and the word before h goes if h needs the way. need: 1, or 0.
 */
NP_COLUMN_INLINE uint32_t send(bool counted, uint32_t b, uint32_t h, uint32_t ghost, uint32_t need, uint32_t full)
{
    uint32_t sent = ghost ^ need, needs_room = counted ? np_column_mask(b > 1) : NP_COLUMN_ALL;
    if (!counted)
        return sent & ~full;
    return np_column_choose(needs_room, sent & ~full, np_column_choose(full & -need, h - 1, sent));
}

/* Which of two ways leads to the row that message h is for: all ones for way 1. */
NP_COLUMN_INLINE uint32_t port_of(const uint32_t *row, uint32_t h, uint32_t message, uint32_t at, uint32_t bit)
{
    uint32_t to = row[(int32_t)(((h - 2) >> 1) & message)];
    return -((to ^ at) >> bit & 1);
}

/* Which ways h needs: 1 for way 0, 2 for way 1 or the processor. owed: direction bits */
NP_COLUMN_INLINE uint32_t need_of(way out, const uint32_t *row, uint32_t h, uint32_t message, uint32_t owed,
                                  uint32_t at, uint32_t bit)
{
    if (out == WAY_STRAIGHT)
        return message & 1;
    if (out == WAY_ADDRESS)
        return message & (1 - port_of(row, h, message, at, bit));
    return message & owed & 3;
}

/* A way into a block: its queues, and what comes. */
typedef struct way_in {
    uint32_t *queue, *count, *full, *rest;
    const uint32_t *x;
} way_in;

NP_COLUMN_INLINE way_in way_in_of(const np_ranade *ranade, uint32_t *state, block *k, unsigned q)
{
    return (way_in){.queue = state + (NP_RANADE_QUEUE + (size_t)q * ranade->places) * BLOCK,
                    .count = state + (NP_RANADE_COUNT + q) * BLOCK,
                    .full = state + (NP_RANADE_FULL + q) * BLOCK,
                    .rest = k->rest[q],
                    .x = k->x[q]};
}

/* What comes in row i enters its queue. Returns the head. */
NP_COLUMN_INLINE uint32_t let_in(bool counted, uint32_t b, const way_in *w, int i, np_ranade_queue *of)
{
    *of = np_ranade_load(counted, w->queue, w->count, i);
    uint32_t head = np_ranade_enter(counted, of, w->x[i]);
    w->full[i] = np_ranade_is_full(counted, b, of);
    return head;
}

/* The head of row i leaves its queue if it has gone. */
NP_COLUMN_INLINE void let_out(bool counted, const way_in *w, int i, np_ranade_queue *of, uint32_t gone)
{
    uint32_t rest = np_ranade_leave(counted, of, gone);
    np_ranade_store(counted, of, w->queue, w->count, i);
    if (counted)
        w->rest[i] = rest;
}

/* The ways out of a block, and what decides which of them a message needs. */
typedef struct ways_out {
    uint32_t *out0, *out1, *own_head;
    const uint32_t *full0, *full1, *row;
    uint32_t b, bit, first; /* first: row 0 of the block */
} ways_out;

NP_COLUMN_INLINE ways_out ways_out_of(const np_ranade *ranade, uint32_t *state, const block *k, uint32_t bit,
                                      uint32_t first)
{
    uint32_t *out = state + NP_RANADE_OUT * BLOCK;
    return (ways_out){
        out, out + BLOCK, state + NP_RANADE_OWN * BLOCK, k->full[0], k->full[1], ranade->row, ranade->queue_size,
        bit, first};
}

/* What a row sends; ends: END if it has sent the end over all ways out. */
typedef struct sums {
    uint32_t ends, ghosts, taken;
} sums;

/* h of row i goes its way or stays; ghosts of h go the other ways. went: h is a message and leaves. */
NP_COLUMN_INLINE sums send_row(bool counted, way out, const ways_out *w, block *restrict k, int i, uint32_t h,
                               uint32_t *went)
{
    const bool two_out = out == WAY_ADDRESS || out == WAY_OWED, takes = out == WAY_TAKE || out == WAY_TAKE_ALL;
    const bool owes = out == WAY_OWED || takes;
    uint32_t some = np_column_mask(h != 0), ghost = h | (some & 1), message = some & ((h & 1) - 1);
    uint32_t full0 = out == WAY_TAKE_ALL ? 0 : w->full0[i], full1 = two_out ? w->full1[i] : 0;
    uint32_t owed = owes ? w->own_head[i] : 0, sent0 = END, sent1 = END;
    uint32_t need = need_of(out, w->row, h, message, owed, w->first + (uint32_t)i, w->bit);
    uint32_t stays = need & ((full0 & 1) | (full1 & 2));
    *went = message & np_column_mask(stays == 0);
    if (owes) {
        owed ^= need ^ stays;
        w->own_head[i] = owed = np_column_choose(*went, owed >> 2, owed);
        k->few[i] = *went & np_column_mask(owed < 8);
    }
    if (out != WAY_TAKE_ALL)
        w->out0[i] = sent0 = send(counted, w->b, h, ghost, need & 1, full0);
    if (two_out)
        w->out1[i] = sent1 = send(counted, w->b, h, ghost, need >> 1, full1);
    uint32_t ghosts = (out != WAY_TAKE_ALL ? sent0 & 1 : 0) + (two_out ? sent1 & 1 : 0);
    return (sums){sent0 & sent1, ghosts & np_column_mask(h != END), takes ? need >> 1 : 0};
}

/* The heart of a step: finds the least head h of each row, which goes or stays. */
NP_COLUMN_INLINE void select_block(bool counted, bool two_in, bool own, bool in, way out, const np_ranade *ranade,
                                   uint32_t *restrict state, uint32_t bit, uint32_t first, block *restrict k,
                                   np_ranade_worker *worker)
{
    const ways_out ways = ways_out_of(ranade, state, k, bit, first);
    const way_in way_a = way_in_of(ranade, state, k, 0), way_x = way_in_of(ranade, state, k, 1);
    uint32_t ends = END, ghosts = 0, taken = 0, held = 0, fulls = 0, longest = 0;
#pragma omp simd reduction(& : ends) reduction(| : held, fulls) reduction(+ : ghosts, taken) reduction(max : longest)
    for (int i = 0; i < BLOCK; i++) {
        np_ranade_queue of_a = {0}, of_x = {0};
        uint32_t a = in ? let_in(counted, ways.b, &way_a, i, &of_a) : END, went;
        uint32_t x = two_in ? let_in(counted, ways.b, &way_x, i, &of_x) : END;
        uint32_t h = np_column_smaller(np_column_smaller(a, x), own ? ways.own_head[i] : END);
        if (counted)
            longest = np_column_larger(longest, np_column_larger(of_a.count, of_x.count));
        const sums sent = send_row(counted, out, &ways, k, i, h, &went);
        ends &= sent.ends;
        ghosts += sent.ghosts;
        taken += sent.taken;
        k->least[i] = h;
        if (own || AUDITED)
            k->went[i] = went;
        if (in)
            let_out(counted, &way_a, i, &of_a, went & np_column_mask(a == h));
        if (two_in)
            let_out(counted, &way_x, i, &of_x, went & np_column_mask(x == h));
        if (in && !two_in && !own) {
            held |= of_a.s0;
            fulls |= way_a.full[i];
        }
    }
    k->ends = ends;
    k->queued = (uint8_t)((held ? NP_RANADE_HOLDS : 0) | (fulls ? NP_RANADE_IS_FULL : 0));
    worker->new_ghosts += ghosts;
    worker->new_taken += taken;
    worker->longest = np_column_larger(worker->longest, longest);
}

/*
 * The same of a block with one way in, whose queues hold nothing, if there is room on the way out: what comes in leaves
 * at once, or is a reply that a processor takes.
 */
NP_COLUMN_INLINE void select_calm(way out, uint32_t *restrict state, block *restrict k, np_ranade_worker *worker)
{
    uint32_t *restrict out0 = state + NP_RANADE_OUT * BLOCK, *restrict own_head = state + NP_RANADE_OWN * BLOCK;
    const uint32_t *restrict x = k->x[0];
    uint32_t ends = END, ghosts = 0, taken = 0;
#pragma omp simd reduction(& : ends) reduction(+ : ghosts, taken)
    for (int i = 0; i < BLOCK; i++) {
        uint32_t h = x[i], sent = h;
        if (out != WAY_STRAIGHT) {
            uint32_t some = np_column_mask(h != 0), message = some & ((h & 1) - 1), owed = own_head[i];
            uint32_t need = message & owed & 3, left = np_column_choose(message, owed >> 2, owed);
            own_head[i] = left;
            k->few[i] = message & np_column_mask(left < 8);
            if (AUDITED)
                k->went[i] = message;
            taken += need >> 1;
            sent = (h | (some & 1)) ^ (need & 1);
        }
        if (out != WAY_TAKE_ALL) {
            out0[i] = sent;
            ghosts += sent & 1 & np_column_mask(h != END);
            ends &= sent;
        }
    }
    k->ends = ends;
    worker->new_ghosts += ghosts;
    worker->new_taken += taken;
}

/* How many messages the longest queue has, with what comes in; not of counted queues. */
NP_COLUMN_INLINE uint32_t measure(bool two_in, const np_ranade *ranade, const uint32_t *state, const block *k)
{
    uint32_t longest = 0;
    for (uint32_t i = 0; i < BLOCK; i++)
        for (unsigned q = 0; q < 1U + two_in; q++) {
            uint32_t x = k->x[q][i], count = np_ranade_length(ranade, state, q, i);
            longest = np_column_larger(longest, count + (x && !(x & 1)));
        }
    return longest;
}

/*
 * One queue in which messages are behind the registers: what came goes behind the others, and the first one takes the
 * last register if it is free. count: after the step.
 */
static void move_rest(uint32_t ring, uint32_t *at, uint32_t count, uint32_t x, uint32_t *first)
{
    enum { LAST = NP_RANADE_REGISTERS - 1, RING = NP_RANADE_REGISTERS };
    bool enters = np_ranade_is_message(x), next = !at[(size_t)LAST * BLOCK];
    uint32_t behind = count + next - NP_RANADE_REGISTERS - enters; /* before x */
    if (enters)
        at[(size_t)(RING + (*first + behind) % ring) * BLOCK] = x;
    if (next) {
        at[(size_t)LAST * BLOCK] = at[(size_t)(RING + *first) * BLOCK];
        *first = (*first + 1) % ring;
    }
}

/* The queues of a block in which messages go behind the registers, or come back to them. */
NP_COLUMN_INLINE void move_rests(const np_ranade *ranade, uint32_t *state, unsigned from, const block *k)
{
    uint32_t *at = state + (NP_RANADE_QUEUE + (size_t)from * ranade->places) * BLOCK;
    uint32_t *count = state + (NP_RANADE_COUNT + from) * BLOCK, *first = state + (NP_RANADE_REST + from) * BLOCK;
    for (unsigned i = 0; i < BLOCK; i += 8)
        for (unsigned j = i; np_column_any_of_eight(k->rest[from] + i) && j < i + 8; j++)
            if (k->rest[from][j])
                move_rest(ranade->places - NP_RANADE_REGISTERS, at + j, count[j], k->x[from][j], first + j);
}

/* Initial queues whose head went, alone or combined with another, get their next head. */
NP_COLUMN_INLINE void advance_own(np_ranade *ranade, np_ranade_column *column, uint32_t first, uint32_t *head,
                                  const block *k)
{
    uint32_t gone[BLOCK];
    np_column_heads_gone(k->went, head, k->least, gone);
    for (uint64_t rows = np_column_rows(gone); rows; rows &= rows - 1) {
        uint32_t j = (uint32_t)__builtin_ctzll(rows), at = column->next[first + j]++;
        head[j] = at < column->end[first + j] ? ranade->own[at] : END;
    }
}

#ifndef NDEBUG
/* Lemma 2: the i-th reply is the answer to the i-th request. */
static void audit_replies(const np_ranade *ranade, const np_ranade_column *column, uint32_t first, const uint32_t *owed,
                          const block *k)
{
    for (uint32_t i = 0; i < BLOCK; i++)
        if (k->went[i]) {
            uint32_t left = (31 - (uint32_t)__builtin_clz(owed[i])) / 2; /* pairs in the word */
            uint32_t pair = (column->next[first + i] - 1) * (NP_RANADE_PAIRS + 1) + NP_RANADE_PAIRS - 1 - left;
            assert(ranade->answers[pair] == (k->least[i] - 2) >> 1);
        }
}
#endif

/* Notes when processors take their replies. owed: the direction bits as they were before. */
static void note_home(const np_ranade *ranade, uint32_t now, const uint32_t *owed, const uint32_t *least)
{
    for (uint32_t i = 0; i < BLOCK; i++)
        if (np_ranade_is_message(least[i]) && owed[i] & 2) {
            uint32_t *home = &ranade->job->home[(least[i] - 2) >> 1];
            *home = np_column_larger(*home, now);
        }
}

/*
 * If a word is spent, the next word of direction bits comes to the head. It is fetched when one pair is left: below 8.
 */
NP_COLUMN_INLINE void advance_owed(np_ranade *ranade, np_ranade_column *column, uint32_t first, uint32_t *owed,
                                   const block *k)
{
    const uint32_t *few = k->few;
#ifndef NDEBUG
    audit_replies(ranade, column, first, owed, k);
#endif
    for (uint64_t rows = np_column_rows(few); rows; rows &= rows - 1) {
        uint32_t j = (uint32_t)__builtin_ctzll(rows), at = column->next[first + j];
        const uint32_t *word = &ranade->direction[at];
        bool spent = owed[j] == 1;
        __builtin_prefetch(word);
        owed[j] = *(spent ? word : &owed[j]); /* no branch: none that a processor foresees */
        column->next[first + j] = at + spent;
    }
}

/* Can select_calm do the block? */
NP_COLUMN_INLINE bool is_calm(bool one_way, way out, const np_ranade_column *column, uint32_t at)
{
    if (!one_way || out == WAY_ADDRESS || out == WAY_OWED)
        return false;
    return !(column->queued[at] & NP_RANADE_HOLDS) &&
           (out == WAY_TAKE_ALL || !(column[1].queued[at] & NP_RANADE_IS_FULL));
}

NP_COLUMN_INLINE void step_block(bool counted, bool two_in, bool own, bool in, way out, np_ranade *ranade,
                                 np_ranade_worker *worker, uint32_t c, uint32_t at)
{
    np_ranade_column *column = &ranade->column[c];
    const np_ranade_column *before = column - 1, *after = column + 1;
    bool two_out = out == WAY_ADDRESS || out == WAY_OWED;
    bool takes = out == WAY_TAKE || out == WAY_TAKE_ALL, owed = out == WAY_OWED || takes,
         one_way = in && !two_in && !own;
    uint32_t *state = array_of(ranade, column, at, 0), *head = state + NP_RANADE_OWN * BLOCK;
    block k;
    uint32_t owed_before[BLOCK];
    k.x[0] = in ? array_of(ranade, before, at, NP_RANADE_OUT) : NULL;
    k.x[1] = two_in ? read_across(ranade, before, at, column->in_cross, NP_RANADE_OUT + 1, k.across[0]) : NULL;
    k.full[0] = out != WAY_TAKE_ALL ? array_of(ranade, after, at, NP_RANADE_FULL) : NULL;
    k.full[1] = two_out ? read_across(ranade, after, at, column->out_cross, NP_RANADE_FULL + 1, k.across[1]) : NULL;
#ifndef NDEBUG
    if (in)
        audit(ranade, state, 0, k.x[0]);
    if (two_in)
        audit(ranade, state, 1, k.x[1]);
#endif
    if (takes && ranade->job->home)
        memcpy(owed_before, head, sizeof owed_before);
    if (!counted && in && worker->longest < ranade->queue_size)
        worker->longest = np_column_larger(worker->longest, measure(two_in, ranade, state, &k));
    if (!counted && is_calm(one_way, out, column, at)) {
        select_calm(out, state, &k, worker);
        if (AUDITED || ranade->least || ranade->job->home)
            memcpy(k.least, k.x[0], sizeof k.least);
    } else {
        select_block(counted, two_in, own, in, out, ranade, state, column->bit, at * BLOCK, &k, worker);
        if (one_way && column->queued[at] != k.queued) /* written seldom, because several workers read this line */
            column->queued[at] = k.queued;
    }
    if (in && counted)
        move_rests(ranade, state, 0, &k);
    if (two_in && counted)
        move_rests(ranade, state, 1, &k);
    if (takes && ranade->job->home)
        note_home(ranade, worker->now, owed_before, k.least);
    if (own)
        advance_own(ranade, column, at * BLOCK, head, &k);
    if (owed)
        advance_owed(ranade, column, at * BLOCK, head, &k);
    if (ranade->least)
        memcpy(ranade->least + (size_t)at * BLOCK, k.least, sizeof k.least);
    if (out != WAY_TAKE_ALL && k.ends == END) /* written seldom, because several workers read this line */
        column->finished[at] = true;
}

NP_COLUMN_INLINE void step_column(bool counted, bool two_in, bool own, bool in, way out, np_ranade *ranade,
                                  np_ranade_worker *worker, uint32_t c)
{
    uint32_t part = 0, mask = worker->part_mask;
    do {
        uint32_t at = worker->part | part;
        if (!ranade->column[c].finished[at])
            step_block(counted, two_in, own, in, out, ranade, worker, c, at);
        else if (ranade->least) /* all rows have selected the end, and always will */
            memset(ranade->least + (size_t)at * BLOCK, 0xff, BLOCK * sizeof *ranade->least);
        part = (part - mask) & mask; /* the next number that has no bits but those of the mask */
    } while (part);
}

/* One function for each kind, and another one where messages may be behind the registers. */
static NP_HOT void first(np_ranade *r, np_ranade_worker *w, uint32_t c)
{
    step_column(false, false, true, false, WAY_STRAIGHT, r, w, c);
}
static NP_HOT void chain(np_ranade *r, np_ranade_worker *w, uint32_t c)
{
    step_column(false, false, true, true, WAY_STRAIGHT, r, w, c);
}
static NP_HOT void split(np_ranade *r, np_ranade_worker *w, uint32_t c)
{
    step_column(false, false, false, true, WAY_ADDRESS, r, w, c);
}
static NP_HOT void switches(np_ranade *r, np_ranade_worker *w, uint32_t c)
{
    step_column(false, true, false, true, WAY_ADDRESS, r, w, c);
}
static NP_HOT void join(np_ranade *r, np_ranade_worker *w, uint32_t c)
{
    step_column(false, true, false, true, WAY_STRAIGHT, r, w, c);
}
static NP_HOT void pass(np_ranade *r, np_ranade_worker *w, uint32_t c)
{
    step_column(false, false, false, true, WAY_STRAIGHT, r, w, c);
}
static NP_HOT void fan(np_ranade *r, np_ranade_worker *w, uint32_t c)
{
    step_column(false, false, false, true, WAY_OWED, r, w, c);
}
static NP_HOT void back(np_ranade *r, np_ranade_worker *w, uint32_t c)
{
    step_column(false, true, false, true, WAY_OWED, r, w, c);
}
static NP_HOT void take(np_ranade *r, np_ranade_worker *w, uint32_t c)
{
    step_column(false, false, false, true, WAY_TAKE, r, w, c);
}
static NP_HOT void last(np_ranade *r, np_ranade_worker *w, uint32_t c)
{
    step_column(false, false, false, true, WAY_TAKE_ALL, r, w, c);
}

static NP_HOT void counted_first(np_ranade *r, np_ranade_worker *w, uint32_t c)
{
    step_column(true, false, true, false, WAY_STRAIGHT, r, w, c);
}
static NP_HOT void counted_chain(np_ranade *r, np_ranade_worker *w, uint32_t c)
{
    step_column(true, false, true, true, WAY_STRAIGHT, r, w, c);
}
static NP_HOT void counted_split(np_ranade *r, np_ranade_worker *w, uint32_t c)
{
    step_column(true, false, false, true, WAY_ADDRESS, r, w, c);
}
static NP_HOT void counted_switches(np_ranade *r, np_ranade_worker *w, uint32_t c)
{
    step_column(true, true, false, true, WAY_ADDRESS, r, w, c);
}
static NP_HOT void counted_join(np_ranade *r, np_ranade_worker *w, uint32_t c)
{
    step_column(true, true, false, true, WAY_STRAIGHT, r, w, c);
}
static NP_HOT void counted_pass(np_ranade *r, np_ranade_worker *w, uint32_t c)
{
    step_column(true, false, false, true, WAY_STRAIGHT, r, w, c);
}
static NP_HOT void counted_fan(np_ranade *r, np_ranade_worker *w, uint32_t c)
{
    step_column(true, false, false, true, WAY_OWED, r, w, c);
}
static NP_HOT void counted_back(np_ranade *r, np_ranade_worker *w, uint32_t c)
{
    step_column(true, true, false, true, WAY_OWED, r, w, c);
}
static NP_HOT void counted_take(np_ranade *r, np_ranade_worker *w, uint32_t c)
{
    step_column(true, false, false, true, WAY_TAKE, r, w, c);
}
static NP_HOT void counted_last(np_ranade *r, np_ranade_worker *w, uint32_t c)
{
    step_column(true, false, false, true, WAY_TAKE_ALL, r, w, c);
}

void np_ranade_column_step(np_ranade *ranade, np_ranade_worker *worker, uint32_t c)
{
    static void (*const step[][2])(np_ranade *, np_ranade_worker *, uint32_t) = {
        [NP_RANADE_FIRST] = {first, counted_first}, [NP_RANADE_CHAIN] = {chain, counted_chain},
        [NP_RANADE_SPLIT] = {split, counted_split}, [NP_RANADE_SWITCH] = {switches, counted_switches},
        [NP_RANADE_JOIN] = {join, counted_join},    [NP_RANADE_PASS] = {pass, counted_pass},
        [NP_RANADE_FAN] = {fan, counted_fan},       [NP_RANADE_BACK] = {back, counted_back},
        [NP_RANADE_TAKE] = {take, counted_take},    [NP_RANADE_LAST] = {last, counted_last},
    };
    step[ranade->column[c].kind][np_ranade_counts(ranade)](ranade, worker, c);
}

void np_ranade_add_up(np_ranade_worker *worker, uint64_t *ghosts)
{
    *ghosts += worker->new_ghosts;
    worker->taken += worker->new_taken;
    if (worker->new_taken && worker->now > worker->last_taken)
        worker->last_taken = worker->now;
    worker->new_ghosts = worker->new_taken = 0;
}
