/*
 * Merging whole columns at a time, where all levels have the same rows and
 * edges go straight or across by one bit of the row (butterflies and linear
 * arrays, in any order). The outcome is that of merge_step.c to the bit.
 *
 * The rows of a level are done a block at a time, in loops without a branch that
 * the compiler turns into vector code. A queue is q registers: columns of rows. A step goes from the last level down to the first, and
 * a node pulls: what its parents sent in the step before is still in their
 * outputs, since they come later in the order. It then says whether its queues
 * are full, which is what they are at the beginning of the step, and its parents read that.
 *
 * Words are those of merge_inside.h plus 2, with 0 for nothing; the end of a
 * stream is once in a queue there for ever, and sent again and again, which changes nothing.
 * A row of the queue whose edge crosses is kept by its head's row, outputs by their tail's.
 *
 * Symbols: L depth, q queue size, h the least head.
 */
#include <string.h>

#include "base/hot.h"
#include "base/memory.h"
#include "engine/merge_inside.h"

enum {
    BLOCK = 64,    /* rows at once: ours; what passes between the loops over a block stays in the first-level cache */
    QUEUE_MAX = 4, /* registers of a queue */
    WORKERS_MAX = 64,
    WORDS_MAX = 16, /* of a path: 512 levels */
    PATH_BITS = 32
};

#define END UINT32_C(0xfffffffe)
#define ALL UINT32_MAX

/* One level's arrays, [rows] each. */
typedef struct level {
    uint32_t *straight[QUEUE_MAX], *across[QUEUE_MAX]; /* the queues' registers, head first */
    uint32_t *out[2];           /* what it sends: 0 for nothing */
    uint32_t *full[2];          /* are its queues full when the step begins: by the row of the edge's tail */
    const uint32_t *in[2];      /* the outputs of the level before; zeros if it has none */
    const uint32_t *next_full[2];
    uint32_t in_cross;          /* the bit by which port 1 of the level before crosses */
    uint32_t sends[2];          /* ALL if it has that port, else 0 */
    uint32_t *head;             /* heads of initial queues; NULL: no packet starts here */
    uint32_t *initial_at, *initial_end; /* this level's part of the engine's */
    uint32_t *consumed;         /* packets consumed so far; NULL: none ends here */
    uint32_t *sum;              /* populations of the hosts of this level so far in the step */
    bool sum_begins, sum_ends;  /* first and last level, in the order of a step, with these hosts */
} level;

typedef struct columns {
    np_merge *merge;
    uint32_t rows, depth, words;
    level *level;             /* [L + 1] */
    uint32_t *path[WORDS_MAX + 1]; /* [words][packets] by key: bit i of word w is the port on level 32 w + i */
    uint32_t *end_level;      /* [packets] by key */
    uint32_t *memory;
    np_step now;
} columns;

bool np_merge_columns_apply(const np_merge *merge)
{
    const np_merge_options *options = &merge->options;
    const np_leveled *lv = merge->job->leveled;
    return lv->rows >= BLOCK && options->queue_size <= QUEUE_MAX && options->room == NP_ROOM_BEGIN &&
           !options->no_ghosts && !merge->combine && !merge->length && !merge->record &&
           lv->depth <= WORDS_MAX * PATH_BITS && lv->host_nodes >= lv->rows;
}

/* What is counted: by place in a block, added up after the step. */
typedef struct counts {
    uint32_t ghosts[BLOCK], hops[BLOCK], queue[BLOCK], real[BLOCK], population[BLOCK];
} counts;

/* A block of rows on its way through a step. */
typedef struct block {
    uint32_t in[BLOCK];      /* what came over the edges that cross */
    uint32_t full[BLOCK];    /* are their queues full */
    uint32_t least[BLOCK];   /* the least head h */
    uint32_t went[BLOCK];    /* it is a packet that leaves its queue */
    uint32_t final[BLOCK];   /* ... because it is consumed */
    uint32_t packets[BLOCK]; /* in the queues when the step begins */
} block;

#define INLINE static inline __attribute__((always_inline))

/* Masks are ALL or 0. */
INLINE uint32_t mask(bool condition) { return -(uint32_t)condition; }
INLINE uint32_t choose(uint32_t by, uint32_t a, uint32_t b) { return (by & a) | (~by & b); }
INLINE uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }
INLINE uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }
INLINE uint32_t is_packet(uint32_t w) { return mask(w - 2 < END - 2) & ~-(w & 1); }

/* to[i] = from[i ^ cross] for a block; cross < BLOCK. */
INLINE void cross_block(uint32_t cross, const uint32_t *restrict from, uint32_t *restrict to)
{
#pragma omp simd
    for (uint32_t i = 0; i < BLOCK; i++)
        to[i] = from[i ^ cross];
}

/* The registers of one queue: scalars, not an array, so that loops over rows become vector code. */
typedef struct queue {
    uint32_t s0, s1, s2, s3;
} queue;

/* A register takes x if it is empty, or to let an end be an end; *x = 0 once taken. A ghost needs the first one. */
INLINE uint32_t enter(bool first, uint32_t slot, uint32_t *x)
{
    uint32_t ghost = -(*x & 1), open = mask(slot == 0) | mask(slot == END);
    uint32_t take = mask(*x != 0) & open & (first ? ALL : ~ghost);
    slot = choose(take, *x, slot);
    *x &= ~take;
    return slot;
}

/*
 * What came over the edge enters the queue: a packet or an end behind the last
 * packet, a ghost only into an empty queue, where alone it is of use. Returns the packets in the queue then.
 */
INLINE uint32_t fill_queue(unsigned q, uint32_t x, queue *at)
{
    uint32_t packets;
    at->s0 = enter(true, at->s0, &x);
    packets = is_packet(at->s0) & 1;
    if (q > 1) {
        at->s1 = enter(false, at->s1, &x);
        packets += is_packet(at->s1) & 1;
    }
    if (q > 2) {
        at->s2 = enter(false, at->s2, &x);
        packets += is_packet(at->s2) & 1;
    }
    if (q > 3) {
        at->s3 = enter(false, at->s3, &x);
        packets += is_packet(at->s3) & 1;
    }
    return packets;
}

/* The head leaves if it is h and went, or if it is a ghost. */
INLINE void leave_queue(unsigned q, uint32_t went, uint32_t h, queue *at)
{
    uint32_t gone = (went & mask(at->s0 == h)) | -(at->s0 & 1);
    at->s0 = choose(gone, q > 1 ? at->s1 : 0, at->s0);
    if (q > 1)
        at->s1 = choose(gone, q > 2 ? at->s2 : 0, at->s1);
    if (q > 2)
        at->s2 = choose(gone, q > 3 ? at->s3 : 0, at->s2);
    if (q > 3)
        at->s3 &= ~gone;
}

/*
 * A block's step: what came enters the queues, the least head is found and
 * goes over its edge if that has room, or is consumed; all other edges with
 * room get its ghost, or the end.
 */
INLINE void merge_block(unsigned q, bool starts, bool ends, const columns *cs, uint32_t l, uint32_t row, block *b,
                        counts *c)
{
    const level *lv = &cs->level[l];
    const uint32_t *path = cs->path[l / PATH_BITS], *end_level = cs->end_level;
    const uint32_t *in0 = lv->in[0] + row, *head = starts ? lv->head + row : NULL;
    const uint32_t *full0 = lv->next_full[0] + row, *full1 = lv->next_full[1] + row;
    uint32_t *a0 = lv->straight[0] + row, *a1 = lv->straight[1] + row, *a2 = lv->straight[2] + row,
             *a3 = lv->straight[3] + row, *x0 = lv->across[0] + row, *x1 = lv->across[1] + row,
             *x2 = lv->across[2] + row, *x3 = lv->across[3] + row;
    uint32_t *out0 = lv->out[0] + row, *out1 = lv->out[1] + row, *full = lv->full[0] + row;
    uint32_t shift = l % PATH_BITS, send0 = lv->sends[0], send1 = lv->sends[1];
#pragma omp simd
    for (int i = 0; i < BLOCK; i++) {
        queue a = {a0[i], q > 1 ? a1[i] : 0, q > 2 ? a2[i] : 0, q > 3 ? a3[i] : 0};
        queue x = {x0[i], q > 1 ? x1[i] : 0, q > 2 ? x2[i] : 0, q > 3 ? x3[i] : 0};
        uint32_t na = fill_queue(q, in0[i], &a), nx = fill_queue(q, b->in[i], &x);
        c->real[i] = larger(c->real[i], larger(na, nx));
        c->queue[i] = larger(c->queue[i], larger(na + (in0[i] & 1), nx + (b->in[i] & 1)));
        b->packets[i] = na + nx;
        full[i] = mask(na >= q);
        b->full[i] = mask(nx >= q);

        uint32_t h = smaller(smaller(a.s0, x.s0), starts ? head[i] : END);
        uint32_t packet = is_packet(h);
        int32_t index = (int32_t)(((h - 2) >> 1) & packet);
        uint32_t final = ends ? packet & mask(end_level[index] == l) : 0;
        uint32_t port = -(path[index] >> shift & 1), moves = packet & ~final;
        uint32_t go0 = moves & ~port & ~full0[i], go1 = moves & port & ~full1[i];
        uint32_t word = (h | (mask(h != END) & 1)) & mask(h != 0);
        /* with q = 1 ghosts and ends need no room */
        uint32_t o0 = choose(go0, h, q > 1 ? word & ~full0[i] : word) & send0;
        uint32_t o1 = choose(go1, h, q > 1 ? word & ~full1[i] : word) & send1;
        uint32_t went = go0 | go1 | final;
        out0[i] = o0;
        out1[i] = o1;
        c->ghosts[i] += (o0 & 1) + (o1 & 1);
        c->hops[i] += (go0 | go1) & 1;
        b->least[i] = h;
        b->went[i] = went;
        b->final[i] = final;

        leave_queue(q, went, h, &a);
        leave_queue(q, went, h, &x);
        a0[i] = a.s0;
        x0[i] = x.s0;
        if (q > 1) {
            a1[i] = a.s1;
            x1[i] = x.s1;
        }
        if (q > 2) {
            a2[i] = a.s2;
            x2[i] = x.s2;
        }
        if (q > 3) {
            a3[i] = a.s3;
            x3[i] = x.s3;
        }
    }
}

/* Populations of hosts at the beginning of the step: in queues, in initial queues, consumed. */
INLINE void count_population(const level *lv, uint32_t row, const block *b, counts *c)
{
    const uint32_t *at = lv->initial_at + row, *end = lv->initial_end + row;
    const uint32_t *consumed = lv->consumed ? lv->consumed + row : NULL;
    uint32_t *sum = lv->sum + row;
    uint32_t packets[BLOCK];
    memcpy(packets, b->packets, sizeof packets);
    if (lv->head)
#pragma omp simd
        for (int i = 0; i < BLOCK; i++)
            packets[i] += end[i] - at[i];
    if (lv->consumed)
#pragma omp simd
        for (int i = 0; i < BLOCK; i++)
            packets[i] += consumed[i];
    if (!lv->sum_begins)
#pragma omp simd
        for (int i = 0; i < BLOCK; i++)
            packets[i] += sum[i];
    if (!lv->sum_ends)
        memcpy(sum, packets, sizeof packets);
    else
#pragma omp simd
        for (int i = 0; i < BLOCK; i++)
            c->population[i] = larger(c->population[i], packets[i]);
}

/* Does any of eight hold? */
INLINE bool any_of_eight(const uint32_t *held)
{
    uint64_t pair[4];
    memcpy(pair, held, sizeof pair);
    return (pair[0] | pair[1] | pair[2] | pair[3]) != 0;
}

/* The packets that were consumed, one by one; returns how many. */
INLINE uint32_t consume(columns *cs, const level *lv, uint32_t row, const block *b)
{
    np_merge *merge = cs->merge;
    uint32_t count = 0;
    for (unsigned i = 0; i < BLOCK; i += 8)
        for (unsigned j = i; any_of_eight(b->final + i) && j < i + 8; j++)
            if (b->final[j]) {
                merge->delay[merge->by_key[(b->least[j] - 2) >> 1]] = cs->now; /* less its hops, at the end */
                lv->consumed[row + j]++;
                count++;
            }
    return count;
}

/* Initial queues whose head went get their next one. */
INLINE void advance(columns *cs, const level *lv, uint32_t row, const block *b)
{
    uint32_t gone[BLOCK], *head = lv->head + row;
#pragma omp simd
    for (int i = 0; i < BLOCK; i++)
        gone[i] = b->went[i] & mask(head[i] == b->least[i]);
    for (unsigned i = 0; i < BLOCK; i += 8)
        for (unsigned j = i; any_of_eight(gone + i) && j < i + 8; j++)
            if (gone[j]) {
                uint32_t next = ++lv->initial_at[row + j];
                head[j] = next < lv->initial_end[row + j] ? np_merge_word_of(cs->merge->initial[next]) + 2 : END;
            }
}

/* One worker's part of the rows. */
typedef struct worker {
    uint32_t first, last;
    counts counted;
    uint32_t left; /* packets that it has consumed in the step */
} __attribute__((aligned(128))) worker;

/* Rows first .. last of one level in a step. */
INLINE void do_level(unsigned q, columns *cs, uint32_t l, worker *w)
{
    const level *lv = &cs->level[l];
    uint32_t cross = lv->in_cross, apart = cross & -(uint32_t)BLOCK;
    bool starts = lv->head, ends = lv->consumed;
    for (uint32_t row = w->first; row < w->last; row += BLOCK) {
        block b;
        cross_block(cross & (BLOCK - 1), lv->in[1] + (row ^ apart), b.in);
        if (!starts && !ends)
            merge_block(q, false, false, cs, l, row, &b, &w->counted);
        else if (!starts)
            merge_block(q, false, true, cs, l, row, &b, &w->counted);
        else if (!ends)
            merge_block(q, true, false, cs, l, row, &b, &w->counted);
        else
            merge_block(q, true, true, cs, l, row, &b, &w->counted);
        cross_block(cross & (BLOCK - 1), b.full, lv->full[1] + (row ^ apart));
        count_population(lv, row, &b, &w->counted);
        if (ends)
            w->left += consume(cs, lv, row, &b);
        if (starts)
            advance(cs, lv, row, &b);
    }
}

static NP_HOT void level_1(columns *cs, uint32_t l, worker *w) { do_level(1, cs, l, w); }
static NP_HOT void level_2(columns *cs, uint32_t l, worker *w) { do_level(2, cs, l, w); }
static NP_HOT void level_3(columns *cs, uint32_t l, worker *w) { do_level(3, cs, l, w); }
static NP_HOT void level_4(columns *cs, uint32_t l, worker *w) { do_level(4, cs, l, w); }

/* Takes the next column of rows from the memory. */
static uint32_t *take(uint32_t **memory, uint32_t rows)
{
    uint32_t *column = *memory;
    *memory += rows;
    return column;
}

static void fill(uint32_t *column, uint32_t rows, uint32_t value)
{
    for (uint32_t r = 0; r < rows; r++)
        column[r] = value;
}

/* The level's queues: empty, or at their end from the start where no edge enters. */
static void lay_out_queues(columns *cs, uint32_t l, uint32_t **memory, uint32_t *zeros)
{
    const np_leveled *leveled = cs->merge->job->leveled;
    level *lv = &cs->level[l];
    uint32_t across = l ? leveled->cross[l - 1] : 0;
    for (unsigned s = cs->merge->options.queue_size; s < QUEUE_MAX; s++)
        lv->straight[s] = lv->across[s] = zeros; /* not used */
    for (unsigned s = 0; s < cs->merge->options.queue_size; s++) {
        lv->straight[s] = take(memory, cs->rows);
        lv->across[s] = take(memory, cs->rows);
        fill(lv->straight[s], cs->rows, l || s ? 0 : END);
        fill(lv->across[s], cs->rows, across || s ? 0 : END);
    }
    for (unsigned port = 0; port < 2; port++) {
        lv->out[port] = take(memory, cs->rows);
        lv->full[port] = take(memory, cs->rows);
        fill(lv->out[port], cs->rows, 0);
        lv->in[port] = l && (!port || across) ? cs->level[l - 1].out[port] : zeros;
        lv->sends[port] = l < cs->depth && (!port || leveled->cross[l]) ? ALL : 0;
    }
    lv->in_cross = across;
}

/* Levels where packets start and end. */
static void mark_levels(columns *cs, uint8_t *starts, uint8_t *ends)
{
    const np_merge *merge = cs->merge;
    for (np_packet p = 0; p < merge->packets; p++) {
        starts[merge->job->courses->origin[p] / cs->rows] = 1;
        ends[merge->destination[p] / cs->rows] = 1;
    }
}

static void lay_out_level(columns *cs, uint32_t l, uint32_t **memory, uint32_t *zeros, bool starts, bool ends)
{
    const np_merge *merge = cs->merge;
    level *lv = &cs->level[l];
    lay_out_queues(cs, l, memory, zeros);
    lv->head = starts ? take(memory, cs->rows) : NULL;
    lv->consumed = ends ? take(memory, cs->rows) : NULL;
    if (ends)
        fill(lv->consumed, cs->rows, 0);
    lv->initial_at = merge->initial_at + (size_t)l * cs->rows;
    lv->initial_end = merge->initial_end + (size_t)l * cs->rows;
    for (uint32_t r = 0; starts && r < cs->rows; r++) {
        uint32_t v = l * cs->rows + r;
        uint32_t at = merge->initial_at[v];
        lv->head[r] = at < merge->initial_end[v] ? np_merge_word_of(merge->initial[at]) + 2 : END;
    }
}

/*
 * Which levels share their hosts row by row: they count populations together.
 * False if hosts are shared in another way: then columns do not apply.
 */
static bool group_hosts(columns *cs, uint32_t *owner)
{
    const np_leveled *lv = cs->merge->job->leveled;
    memset(owner, 0xff, lv->host_nodes * sizeof *owner);
    for (uint32_t l = cs->depth + 1; l-- > 0;) { /* in the order of a step */
        const np_node *host = lv->host + (size_t)l * cs->rows;
        uint32_t first = owner[host[0]] == NP_NONE ? l : owner[host[0]] / cs->rows;
        for (uint32_t r = 0; r < cs->rows; r++) {
            if (owner[host[r]] != (first == l ? NP_NONE : first * cs->rows + r))
                return false;
            owner[host[r]] = first * cs->rows + r;
        }
        cs->level[l].sum_begins = first == l;
        cs->level[l].sum_ends = true;
        cs->level[l].sum = cs->level[first].out[0]; /* until sums get their own: remembers the group */
        for (uint32_t before = l + 1; before <= cs->depth; before++)
            if (cs->level[before].sum == cs->level[l].sum)
                cs->level[before].sum_ends = false;
    }
    return true;
}

/* Paths as bits, by key. */
static void set_paths(columns *cs)
{
    const np_merge *merge = cs->merge;
    const np_courses *courses = merge->job->courses;
    for (np_packet p = 0; p < merge->packets; p++) {
        uint32_t k = merge->key[p], l = courses->origin[p] / cs->rows, word = 0;
        uint32_t at = l / PATH_BITS, bit = l % PATH_BITS;
        for (size_t hop = courses->begin[p]; hop < courses->begin[p + 1]; hop++) {
            word |= (uint32_t)courses->port[hop] << bit;
            if (++bit == PATH_BITS) {
                cs->path[at++][k] = word;
                word = bit = 0;
            }
        }
        if (at < cs->words)
            cs->path[at][k] = word;
        cs->end_level[k] = merge->destination[p] / cs->rows;
    }
}

static np_status lay_out(columns *cs)
{
    np_merge *merge = cs->merge;
    uint32_t levels = cs->depth + 1, per_level = 2 * merge->options.queue_size + 7;
    uint32_t *memory, *zeros, *full;
    uint8_t *mark;
    np_status st;
    if ((st = np_merge_reserve(&merge->array[14], (size_t)levels * per_level + 2, cs->rows * sizeof *memory, &memory)) ||
        (st = np_merge_reserve(&merge->array[15], levels, sizeof *cs->level, &cs->level)) ||
        (st = np_merge_reserve(&merge->array[16], (size_t)(cs->words + 1) * (merge->packets + 1), sizeof *memory,
                               &cs->path[0])) ||
        (st = np_merge_reserve(&merge->array[17], 2 * levels, 1, &mark)))
        return st;
    for (uint32_t w = 1; w <= cs->words; w++)
        cs->path[w] = cs->path[w - 1] + merge->packets + 1;
    cs->end_level = cs->path[cs->words];
    memset(mark, 0, 2 * levels);
    mark_levels(cs, mark, mark + levels);
    zeros = take(&memory, cs->rows);
    full = take(&memory, cs->rows);
    fill(zeros, cs->rows, 0);
    fill(full, cs->rows, ALL);
    for (uint32_t l = 0; l < levels; l++) {
        lay_out_level(cs, l, &memory, zeros, mark[l], mark[levels + l]);
        for (unsigned port = 0; port < 2; port++) {
            if (l && cs->level[l - 1].sends[port])
                cs->level[l - 1].next_full[port] = cs->level[l].full[port];
            cs->level[l].next_full[port] = full; /* unless a next level says otherwise */
        }
    }
    cs->memory = memory;
    set_paths(cs);
    return NP_OK;
}

/* The columns in which populations are summed, one for each group of levels. */
static void lay_out_sums(columns *cs)
{
    uint32_t *memory = cs->memory;
    uint32_t *group[2] = {NULL, NULL};
    for (uint32_t l = cs->depth + 1; l-- > 0;)
        if (cs->level[l].sum_begins) {
            group[0] = cs->level[l].sum;
            group[1] = take(&memory, cs->rows);
            for (uint32_t m = 0; m <= l; m++)
                if (cs->level[m].sum == group[0])
                    cs->level[m].sum = group[1];
        }
}

/* A worker's counts of a step, and its part of the whole. */
static void add_up(columns *cs, worker *w)
{
    np_phase_run *out = cs->merge->out;
    const counts *c = &w->counted;
    for (uint32_t i = 0; i < BLOCK; i++) {
        out->ghosts += c->ghosts[i];
        out->hops += c->hops[i];
        out->queue_real_max = larger(out->queue_real_max, c->real[i]);
        out->queue_max = larger(out->queue_max, c->queue[i]);
        out->population_max = larger(out->population_max, c->population[i]);
    }
    cs->merge->remaining -= w->left;
    w->left = 0;
    memset(&w->counted, 0, sizeof w->counted);
}

/* Populations after the last step: all packets are where they were consumed. */
static void count_last(columns *cs)
{
    np_merge *merge = cs->merge;
    uint32_t *population = merge->population;
    memset(population, 0, merge->job->leveled->host_nodes * sizeof *population);
    for (np_packet p = 0; p < merge->packets; p++) {
        uint32_t here = ++population[merge->job->leveled->host[merge->destination[p]]];
        merge->out->population_max = here > merge->out->population_max ? here : merge->out->population_max;
    }
}

static void finish_delays(np_merge *merge)
{
    const np_courses *courses = merge->job->courses;
    for (np_packet p = 0; p < merge->packets; p++)
        merge->delay[p] -= (uint32_t)(courses->begin[p + 1] - courses->begin[p]);
}

/* After a step: false once all packets are consumed, or nothing moves. */
static bool goes_on(columns *cs, worker *w, unsigned workers)
{
    np_merge *merge = cs->merge;
    uint64_t hops = merge->out->hops;
    uint32_t before = merge->remaining;
    for (unsigned i = 0; i < workers; i++)
        add_up(cs, &w[i]);
    if (before != merge->remaining || hops != merge->out->hops)
        merge->progress = cs->now;
    cs->now++;
    return merge->remaining && cs->now - merge->progress <= 2 * (cs->depth + 2);
}

/*
 * All workers do a level before any does the next: a level reads what the
 * workers of others wrote of the level after it in this step and of the one before it in the last.
 */
static void run(columns *cs, worker *w, unsigned workers)
{
    static void (*const kernel[])(columns *, uint32_t, worker *) = {level_1, level_2, level_3, level_4};
    void (*one_level)(columns *, uint32_t, worker *) = kernel[cs->merge->options.queue_size - 1];
    bool more = cs->merge->remaining;
    if (workers == 1) {
        while (more) {
            for (uint32_t l = cs->depth + 1; l-- > 0;)
                one_level(cs, l, w);
            more = goes_on(cs, w, 1);
        }
        return;
    }
#pragma omp parallel num_threads((int)workers)
    while (more) {
        for (uint32_t l = cs->depth + 1; l-- > 0;) {
#pragma omp for schedule(static, 1)
            for (unsigned i = 0; i < workers; i++)
                one_level(cs, l, &w[i]);
        }
#pragma omp single
        more = goes_on(cs, w, workers);
    }
}

/* Rows in whole blocks to each; no more workers than pay. */
static unsigned divide_rows(const columns *cs, worker *w, unsigned workers)
{
    enum { LEAST = 512 }; /* rows a worker: ours, about what a barrier costs ten times */
    unsigned most = cs->rows / LEAST;
    workers = workers < most ? workers : most;
    workers = workers > WORKERS_MAX ? WORKERS_MAX : workers ? workers : 1;
    uint32_t blocks = cs->rows / BLOCK;
    for (unsigned i = 0; i < workers; i++) {
        w[i].first = (uint32_t)((uint64_t)blocks * i / workers) * BLOCK;
        w[i].last = (uint32_t)((uint64_t)blocks * (i + 1) / workers) * BLOCK;
    }
    return workers;
}

np_status np_merge_columns_all(np_merge *merge)
{
    const np_leveled *lv = merge->job->leveled;
    columns cs = {.merge = merge, .rows = lv->rows, .depth = lv->depth,
                  .words = (lv->depth + PATH_BITS - 1) / PATH_BITS};
    np_status st = lay_out(&cs);
    if (st)
        return st;
    uint32_t *owner;
    if ((st = np_merge_reserve(&merge->array[19], lv->host_nodes, sizeof *owner, &owner)))
        return st;
    merge->progress = 0;
    if (!group_hosts(&cs, owner))
        return np_merge_step_all(merge);
    lay_out_sums(&cs);
    worker *w;
    if ((st = np_merge_reserve(&merge->array[18], WORKERS_MAX, sizeof *w, &w)))
        return st;
    memset(w, 0, WORKERS_MAX * sizeof *w);
    run(&cs, w, divide_rows(&cs, w, merge->job->workers));
    if (merge->remaining)
        return NP_RAISE(NP_ERROR_INTERNAL, "columns: nothing moves since step %u", merge->progress);
    merge->out->steps = cs.now;
    count_last(&cs);
    finish_delays(merge);
    return NP_OK;
}
