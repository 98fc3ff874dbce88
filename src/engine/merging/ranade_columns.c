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
 * A queue has four registers. Messages behind them, of which there are few, wait
 * in a ring, so that time does not grow with b.
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
#include "engine/merging/ranade_inside.h"

enum { BLOCK = NP_COLUMN_BLOCK };

#define END NP_RANADE_END

NP_COLUMN_INLINE uint32_t is_message(uint32_t w) { return np_column_mask(w != 0) & ((w & 1) - 1); }

/* Where messages go. */
typedef enum way { WAY_STRAIGHT, WAY_ADDRESS, WAY_OWED, WAY_TAKE, WAY_TAKE_ALL } way;

/* A block on its way through a step. */
typedef struct block {
    const uint32_t *x[2];      /* [BLOCK] what comes in */
    const uint32_t *full[2];   /* [BLOCK] are the queues full to which the ways out lead? */
    uint32_t across[2][BLOCK]; /* where x[1] and full[1] are */
    uint32_t rest[2][BLOCK];   /* not 0: what is behind the registers of the queue changes */
    uint32_t went[BLOCK];      /* h is a message and leaves */
    uint32_t least[BLOCK];     /* h */
    uint32_t busy;             /* 0: all rows have sent the end over all ways out */
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

/* The registers of one queue: scalars, not an array, so that loops over rows become vector code. */
typedef struct queue {
    uint32_t s0, s1, s2, s3, count; /* count: also the messages behind the registers */
} queue;

NP_COLUMN_INLINE queue load_queue(const uint32_t *at, const uint32_t *count, int i)
{
    return (queue){at[i], at[BLOCK + i], at[2 * BLOCK + i], at[3 * BLOCK + i], count[i]};
}

NP_COLUMN_INLINE void store_queue(const queue *from, uint32_t *at, uint32_t *count, int i)
{
    at[i] = from->s0;
    at[BLOCK + i] = from->s1;
    at[2 * BLOCK + i] = from->s2;
    at[3 * BLOCK + i] = from->s3;
    count[i] = from->count;
}

/*
 * x enters if it is a message; the head leaves if it has gone. Returns 0 unless x finds no register, or a message
 * behind the registers takes the last one. deep: can messages be behind the registers?
 */
NP_COLUMN_INLINE uint32_t turn(bool deep, queue *at, uint32_t x, uint32_t gone)
{
    uint32_t enters = x & is_message(x), count = at->count;
    uint32_t n0 = at->s0 | (enters & np_column_mask(count == 0)), n1 = at->s1 | (enters & np_column_mask(count == 1));
    uint32_t n2 = at->s2 | (enters & np_column_mask(count == 2)), n3 = at->s3 | (enters & np_column_mask(count == 3));
    uint32_t n4 = deep ? enters & np_column_mask(count == NP_RANADE_REGISTERS) : 0;
    uint32_t behind = deep ? np_column_mask(count > NP_RANADE_REGISTERS) : 0;
    at->s0 = np_column_choose(gone, n1, n0);
    at->s1 = np_column_choose(gone, n2, n1);
    at->s2 = np_column_choose(gone, n3, n2);
    at->s3 = np_column_choose(gone, n4, n3);
    at->count = count + (is_message(x) & 1) + gone; /* gone is -1 */
    return (n4 & ~gone) | (enters & behind) | (gone & behind);
}

#ifndef NDEBUG
/* Checks that what comes in is greater than all that is in the queue, and finds room. */
static void audit(const np_ranade *ranade, const uint32_t *state, unsigned from, const uint32_t *x)
{
    enum { REGISTERS = NP_RANADE_REGISTERS };
    const uint32_t *held = state + (NP_RANADE_QUEUE + (size_t)from * ranade->places) * BLOCK;
    const uint32_t *count = state + (NP_RANADE_COUNT + from) * BLOCK, *first = state + (NP_RANADE_REST + from) * BLOCK;
    for (int i = 0; i < BLOCK; i++) {
        if (!x[i] || !count[i])
            continue;
        uint32_t place = count[i] - 1;
        if (place >= REGISTERS)
            place = REGISTERS + (first[i] + place - REGISTERS) % (ranade->places - REGISTERS);
        assert(x[i] > held[(size_t)place * BLOCK + i]);
        assert(x[i] & 1 || count[i] < ranade->queue_size);
    }
}
#endif

/* The head of the queue that x enters, or x itself. Also measures the queue: its length, and whether it is full. */
NP_COLUMN_INLINE uint32_t look(uint32_t b, const queue *at, uint32_t x, uint32_t *full, uint32_t *longest)
{
    uint32_t count = at->count + (is_message(x) & 1);
    *full = np_column_mask(count >= b);
    *longest = np_column_larger(*longest, count);
    return np_column_choose(np_column_mask(at->count != 0), at->s0, x);
}

/* What goes over a way out. If h needs it: h if there is room, else the word before h if b = 1. Else: a ghost of h. */
NP_COLUMN_INLINE uint32_t send(uint32_t b, uint32_t h, uint32_t need, uint32_t full, uint32_t *ghosts)
{
    uint32_t needs_room = np_column_mask(b > 1); /* do ghosts and ends? */
    uint32_t ghost = h | (np_column_mask(h != 0) & 1), stays = (h - 1) & ~needs_room;
    uint32_t sent = np_column_choose(need, np_column_choose(full, stays, h), ghost & ~(full & needs_room));
    *ghosts += sent & 1 & np_column_mask(sent != END);
    return sent;
}

/* Clears the direction bits of the ways that h needs and that have room. True: nothing is owed any more. */
NP_COLUMN_INLINE uint32_t pay(uint32_t *owed, uint32_t message, uint32_t paid0, uint32_t paid1)
{
    uint32_t left = *owed & ~((paid0 & 1) | (paid1 & 2)), went = message & np_column_mask((left & 3) == 0);
    *owed = np_column_choose(went, left >> 2, left);
    return went;
}

/* Which of two ways leads to the row that message h is for. */
NP_COLUMN_INLINE uint32_t port_of(const uint32_t *row, uint32_t h, uint32_t message, uint32_t at, uint32_t bit)
{
    uint32_t to = row[(int32_t)(((h - 2) >> 1) & message)];
    return -((to ^ at) >> bit & 1);
}

/*
 * The heart of a step: finds the least head h. h goes its way or stays; ghosts of
 * h go the other ways.
 */
NP_COLUMN_INLINE void select_block(bool deep, bool two_in, bool own, bool in, way out, const np_ranade *ranade,
                                   uint32_t *restrict state, uint32_t bit, uint32_t first, block *restrict k,
                                   np_ranade_counts *restrict c)
{
    const uint32_t b = ranade->queue_size, *row = ranade->row;
    uint32_t *out0 = state + NP_RANADE_OUT * BLOCK, *out1 = out0 + BLOCK;
    uint32_t *full_a = state + NP_RANADE_FULL * BLOCK, *full_x = full_a + BLOCK;
    uint32_t *count_a = state + NP_RANADE_COUNT * BLOCK, *count_x = count_a + BLOCK;
    uint32_t *own_head = state + NP_RANADE_OWN * BLOCK;
    uint32_t *queue_a = state + NP_RANADE_QUEUE * BLOCK, *queue_x = queue_a + (size_t)ranade->places * BLOCK;
    const uint32_t *restrict x_a = k->x[0], *restrict x_x = k->x[1];
    const uint32_t *restrict next_full0 = k->full[0], *restrict next_full1 = k->full[1];
    bool two_out = out == WAY_ADDRESS || out == WAY_OWED, takes = out == WAY_TAKE || out == WAY_TAKE_ALL;
    uint32_t busy = 0;
#pragma omp simd reduction(| : busy)
    for (int i = 0; i < BLOCK; i++) {
        queue of_a = in ? load_queue(queue_a, count_a, i) : (queue){0, 0, 0, 0, 0};
        queue of_x = two_in ? load_queue(queue_x, count_x, i) : (queue){0, 0, 0, 0, 0};
        uint32_t a = in ? look(b, &of_a, x_a[i], &full_a[i], &c->queue[i]) : END;
        uint32_t x = two_in ? look(b, &of_x, x_x[i], &full_x[i], &c->queue[i]) : END;
        uint32_t h = np_column_smaller(np_column_smaller(a, x), own ? own_head[i] : END), message = is_message(h);
        uint32_t full0 = out == WAY_TAKE_ALL ? 0 : next_full0[i], full1 = two_out ? next_full1[i] : 0;
        uint32_t need0 = message, need1 = 0;
        if (out == WAY_ADDRESS) {
            need1 = message & port_of(row, h, message, first + (uint32_t)i, bit);
            need0 = message & ~need1;
        } else if (out == WAY_OWED || takes) {
            need0 = message & -(own_head[i] & 1);
            need1 = message & -(own_head[i] >> 1 & 1);
        }
        uint32_t goes0 = need0 & ~full0, goes1 = need1 & ~full1;
        uint32_t went = out == WAY_OWED || takes ? pay(&own_head[i], message, goes0, goes1) : goes0 | goes1;
        if (takes)
            c->taken[i] += need1 & 1;
        if (out != WAY_TAKE_ALL)
            busy |= (out0[i] = send(b, h, need0, full0, &c->ghosts[i])) ^ END;
        if (two_out)
            busy |= (out1[i] = send(b, h, need1, full1, &c->ghosts[i])) ^ END;
        uint32_t rest;
        k->least[i] = h;
        if (own || out == WAY_OWED || takes)
            k->went[i] = went;
        if (in) {
            rest = turn(deep, &of_a, x_a[i], went & np_column_mask(a == h));
            store_queue(&of_a, queue_a, count_a, i);
            if (deep)
                k->rest[0][i] = rest;
        }
        if (two_in) {
            rest = turn(deep, &of_x, x_x[i], went & np_column_mask(x == h));
            store_queue(&of_x, queue_x, count_x, i);
            if (deep)
                k->rest[1][i] = rest;
        }
    }
    k->busy = busy;
}

/*
 * One queue in which messages are behind the registers: what came goes behind the others, and the first one takes the
 * last register if it is free. count: after the step.
 */
static void move_rest(uint32_t ring, uint32_t *at, uint32_t count, uint32_t x, uint32_t *first)
{
    enum { LAST = NP_RANADE_REGISTERS - 1, RING = NP_RANADE_REGISTERS };
    bool enters = is_message(x), next = !at[(size_t)LAST * BLOCK];
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
    for (unsigned i = 0; i < BLOCK; i += 8)
        for (unsigned j = i; np_column_any_of_eight(gone + i) && j < i + 8; j++)
            if (gone[j]) {
                uint32_t at = column->next[first + j]++;
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
        if (is_message(least[i]) && owed[i] & 2) {
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
    uint32_t few[BLOCK];
#ifndef NDEBUG
    audit_replies(ranade, column, first, owed, k);
#endif
#pragma omp simd
    for (int i = 0; i < BLOCK; i++)
        few[i] = k->went[i] & np_column_mask(owed[i] < 8);
    for (uint32_t i = 0; i < BLOCK; i += 8)
        for (uint32_t j = i; np_column_any_of_eight(few + i) && j < i + 8; j++)
            if (few[j] && owed[j] == 1)
                owed[j] = ranade->direction[column->next[first + j]++];
            else if (few[j])
                __builtin_prefetch(&ranade->direction[column->next[first + j]]);
}

NP_COLUMN_INLINE void step_block(bool deep, bool two_in, bool own, bool in, way out, np_ranade *ranade,
                                 np_ranade_worker *worker, uint32_t c, uint32_t at)
{
    np_ranade_column *column = &ranade->column[c];
    const np_ranade_column *before = column - 1, *after = column + 1;
    bool two_out = out == WAY_ADDRESS || out == WAY_OWED;
    bool takes = out == WAY_TAKE || out == WAY_TAKE_ALL, owed = out == WAY_OWED || takes;
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
    select_block(deep, two_in, own, in, out, ranade, state, column->bit, at * BLOCK, &k, &worker->counts);
    if (in && deep)
        move_rests(ranade, state, 0, &k);
    if (two_in && deep)
        move_rests(ranade, state, 1, &k);
    if (takes && ranade->job->home)
        note_home(ranade, worker->now, owed_before, k.least);
    if (own)
        advance_own(ranade, column, at * BLOCK, head, &k);
    if (owed)
        advance_owed(ranade, column, at * BLOCK, head, &k);
    if (ranade->least)
        memcpy(ranade->least + (size_t)at * BLOCK, k.least, sizeof k.least);
    if (out != WAY_TAKE_ALL && !k.busy) /* written seldom, because several workers read this line */
        column->finished[at] = true;
}

NP_COLUMN_INLINE void step_column(bool deep, bool two_in, bool own, bool in, way out, np_ranade *ranade,
                                  np_ranade_worker *worker, uint32_t c)
{
    uint32_t part = 0, mask = worker->part_mask;
    do {
        uint32_t at = worker->part | part;
        if (!ranade->column[c].finished[at])
            step_block(deep, two_in, own, in, out, ranade, worker, c, at);
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

static NP_HOT void deep_first(np_ranade *r, np_ranade_worker *w, uint32_t c)
{
    step_column(true, false, true, false, WAY_STRAIGHT, r, w, c);
}
static NP_HOT void deep_chain(np_ranade *r, np_ranade_worker *w, uint32_t c)
{
    step_column(true, false, true, true, WAY_STRAIGHT, r, w, c);
}
static NP_HOT void deep_split(np_ranade *r, np_ranade_worker *w, uint32_t c)
{
    step_column(true, false, false, true, WAY_ADDRESS, r, w, c);
}
static NP_HOT void deep_switches(np_ranade *r, np_ranade_worker *w, uint32_t c)
{
    step_column(true, true, false, true, WAY_ADDRESS, r, w, c);
}
static NP_HOT void deep_join(np_ranade *r, np_ranade_worker *w, uint32_t c)
{
    step_column(true, true, false, true, WAY_STRAIGHT, r, w, c);
}
static NP_HOT void deep_pass(np_ranade *r, np_ranade_worker *w, uint32_t c)
{
    step_column(true, false, false, true, WAY_STRAIGHT, r, w, c);
}
static NP_HOT void deep_fan(np_ranade *r, np_ranade_worker *w, uint32_t c)
{
    step_column(true, false, false, true, WAY_OWED, r, w, c);
}
static NP_HOT void deep_back(np_ranade *r, np_ranade_worker *w, uint32_t c)
{
    step_column(true, true, false, true, WAY_OWED, r, w, c);
}
static NP_HOT void deep_take(np_ranade *r, np_ranade_worker *w, uint32_t c)
{
    step_column(true, false, false, true, WAY_TAKE, r, w, c);
}
static NP_HOT void deep_last(np_ranade *r, np_ranade_worker *w, uint32_t c)
{
    step_column(true, false, false, true, WAY_TAKE_ALL, r, w, c);
}

void np_ranade_column_step(np_ranade *ranade, np_ranade_worker *worker, uint32_t c)
{
    static void (*const step[][2])(np_ranade *, np_ranade_worker *, uint32_t) = {
        [NP_RANADE_FIRST] = {first, deep_first}, [NP_RANADE_CHAIN] = {chain, deep_chain},
        [NP_RANADE_SPLIT] = {split, deep_split}, [NP_RANADE_SWITCH] = {switches, deep_switches},
        [NP_RANADE_JOIN] = {join, deep_join},    [NP_RANADE_PASS] = {pass, deep_pass},
        [NP_RANADE_FAN] = {fan, deep_fan},       [NP_RANADE_BACK] = {back, deep_back},
        [NP_RANADE_TAKE] = {take, deep_take},    [NP_RANADE_LAST] = {last, deep_last},
    };
    step[ranade->column[c].kind][ranade->queue_size > NP_RANADE_REGISTERS](ranade, worker, c);
}

/* The sum of counts, which are counted from 0 again. */
static inline uint64_t take_sum(uint32_t *counted)
{
    uint64_t sum = 0;
    for (int i = 0; i < BLOCK; i++)
        sum += counted[i];
    memset(counted, 0, BLOCK * sizeof *counted);
    return sum;
}

NP_HOT void np_ranade_add_up(np_ranade_worker *worker, uint64_t *ghosts)
{
    uint64_t taken = take_sum(worker->counts.taken);
    *ghosts += take_sum(worker->counts.ghosts);
    worker->taken += taken;
    if (taken && worker->now > worker->last_taken)
        worker->last_taken = worker->now;
}
