/*
 * Merging whole columns at a time, where all levels have the same rows and
 * edges go straight or across by one bit of the row (butterflies and linear
 * arrays, in any order). The outcome is that of merge_step.c to the bit.
 *
 * The rows of a level are done in blocks, every array elementwise and without
 * a branch, so that the compiler makes vector code of it. A queue is q registers:
 * arrays over the rows. A step goes from the last level down to the first, and
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
    BLOCK = 64,    /* rows at once: ours; the block's temporaries stay in registers and the first-level cache */
    QUEUE_MAX = 4, /* registers of a queue */
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
    uint32_t *consumed;         /* packets consumed so far; NULL: none ends here */
    uint32_t *sum;              /* populations of the hosts of this level so far in the step */
    bool sum_begins, sum_ends;  /* first and last level, in the order of a step, with these hosts */
} level;

typedef struct columns {
    np_merge *merge;
    uint32_t rows, depth, words;
    level *level;             /* [L + 1] */
    uint32_t *path[QUEUE_MAX + 12]; /* [words][packets] by key: bit i of word w is the port on level 32 w + i */
    uint32_t *end_level;      /* [packets] by key */
    uint32_t *memory;
    np_step now;
} columns;

enum { WORDS_MAX = QUEUE_MAX + 12 };

/* What blocks count: by lane, added up at the end. */
typedef struct counts {
    uint32_t ghosts[BLOCK], hops[BLOCK], queue[BLOCK], real[BLOCK], population[BLOCK];
} counts;

bool np_merge_columns_apply(const np_merge *merge)
{
    const np_merge_options *options = &merge->options;
    const np_leveled *lv = merge->job->leveled;
    return lv->rows >= BLOCK && options->queue_size <= QUEUE_MAX && options->room == NP_ROOM_BEGIN &&
           !options->no_ghosts && !merge->combine && !merge->length && !merge->record &&
           lv->depth <= WORDS_MAX * PATH_BITS && lv->host_nodes >= lv->rows;
}

/* to[i] = from[i ^ cross] for a block; cross < BLOCK. */
static inline void cross_block(uint32_t cross, const uint32_t *from, uint32_t *to)
{
    for (uint32_t i = 0; i < BLOCK; i++)
        to[i] = from[i ^ cross];
}

/* The rows of a block after crossing: in place where whole blocks change places, else in buffer. */
static inline const uint32_t *crossed(const uint32_t *column, uint32_t row, uint32_t cross, uint32_t *buffer)
{
    if (cross >= BLOCK || !cross)
        return column + (row ^ cross);
    cross_block(cross, column + row, buffer);
    return buffer;
}

static inline uint32_t mask(bool condition) { return -(uint32_t)condition; }
static inline uint32_t is_packet(uint32_t w) { return mask(w - 2 < END - 2) & ~-(w & 1); }

/*
 * What came over the edge enters the queue: a packet or an end behind the last
 * packet, a ghost only to an empty queue, where alone it is of use. Returns the number of packets.
 */
static inline uint32_t enter(unsigned q, uint32_t x, uint32_t *slot)
{
    uint32_t packets = 0, todo = mask(x != 0);
    uint32_t ghost = -(x & 1);
    for (unsigned s = 0; s < q; s++) {
        uint32_t old = slot[s];
        uint32_t open = mask(old == 0) | (mask(old == END) & ~ghost);
        uint32_t take = todo & open & (s ? ~ghost : ALL);
        slot[s] = (take & x) | (~take & old);
        todo &= ~take;
        packets += is_packet(slot[s]) & 1;
    }
    return packets;
}

/* The head leaves if it is h and went, or if it is a ghost. */
static inline void leave(unsigned q, uint32_t went, uint32_t h, uint32_t *slot)
{
    uint32_t gone = (went & mask(slot[0] == h)) | -(slot[0] & 1);
    for (unsigned s = 0; s < q; s++) {
        uint32_t after = s + 1 < q ? slot[s + 1] : 0;
        slot[s] = (gone & after) | (~gone & slot[s]);
    }
}

typedef struct block {
    uint32_t least[BLOCK]; /* h */
    uint32_t went[BLOCK];  /* the packet that was selected left its queue */
    uint32_t final[BLOCK]; /* and was consumed */
    uint32_t packets[BLOCK];
    uint32_t in[BLOCK], full[BLOCK], cross_full[BLOCK];
} block;

/* Queues are filled, and the least head found. */
static inline __attribute__((always_inline)) void look(unsigned q, const level *lv, uint32_t row, block *b, counts *c)
{
    const uint32_t *in0 = lv->in[0] + row, *in1 = crossed(lv->in[1], row, lv->in_cross, b->in);
    const uint32_t *head = lv->head ? lv->head + row : NULL;
    for (uint32_t i = 0; i < BLOCK; i++) {
        uint32_t a[QUEUE_MAX], x[QUEUE_MAX];
        for (unsigned s = 0; s < q; s++) {
            a[s] = lv->straight[s][row + i];
            x[s] = lv->across[s][row + i];
        }
        uint32_t na = enter(q, in0[i], a), nx = enter(q, in1[i], x);
        for (unsigned s = 0; s < q; s++) {
            lv->straight[s][row + i] = a[s];
            lv->across[s][row + i] = x[s];
        }
        uint32_t most = na > nx ? na : nx;
        uint32_t ga = na + (in0[i] & 1), gx = nx + (in1[i] & 1), with = ga > gx ? ga : gx;
        c->real[i] = c->real[i] > most ? c->real[i] : most;
        c->queue[i] = c->queue[i] > with ? c->queue[i] : with;
        b->packets[i] = na + nx;
        lv->full[0][row + i] = mask(na >= q);
        b->full[i] = mask(nx >= q);
        b->least[i] = a[0] < x[0] ? a[0] : x[0];
    }
    if (head)
        for (uint32_t i = 0; i < BLOCK; i++)
            b->least[i] = b->least[i] < head[i] ? b->least[i] : head[i];
    if (lv->in_cross >= BLOCK || !lv->in_cross)
        memcpy(lv->full[1] + (row ^ lv->in_cross), b->full, sizeof b->full);
    else
        cross_block(lv->in_cross, b->full, lv->full[1] + row);
}

/* What the least head does: final[] is set where packets may end here. */
static inline __attribute__((always_inline)) void act(unsigned q, const columns *cs, uint32_t l, uint32_t row, block *b,
                                                      counts *c)
{
    const level *lv = &cs->level[l];
    const uint32_t *path = cs->path[l / PATH_BITS];
    const uint32_t *full0 = lv->next_full[0] + row, *full1 = lv->next_full[1] + row;
    uint32_t shift = l % PATH_BITS, some = mask(q == 1), s0 = lv->sends[0], s1 = lv->sends[1];
    for (uint32_t i = 0; i < BLOCK; i++) {
        uint32_t h = b->least[i], real = is_packet(h), end = mask(h == END), wait = mask(h == 0);
        uint32_t port = path[((h - 2) >> 1) & real] >> shift & 1;
        uint32_t final = b->final[i] & real;
        uint32_t room0 = ~full0[i], room1 = ~full1[i];
        uint32_t go1 = -port & real & ~final & room1, go0 = ~-port & real & ~final & room0;
        uint32_t word = ((end & END) | (~end & (h | 1))) & ~wait;
        uint32_t out0 = ((go0 & h) | (~go0 & word & (room0 | some))) & s0;
        uint32_t out1 = ((go1 & h) | (~go1 & word & (room1 | some))) & s1;
        lv->out[0][row + i] = out0;
        lv->out[1][row + i] = out1;
        b->final[i] = final;
        b->went[i] = go0 | go1 | final;
        c->ghosts[i] += (out0 & 1) + (out1 & 1);
        c->hops[i] += (go0 | go1) & 1;
    }
}

static inline __attribute__((always_inline)) void clear_up(unsigned q, const level *lv, uint32_t row, const block *b)
{
    for (uint32_t i = 0; i < BLOCK; i++) {
        uint32_t a[QUEUE_MAX], x[QUEUE_MAX];
        for (unsigned s = 0; s < q; s++) {
            a[s] = lv->straight[s][row + i];
            x[s] = lv->across[s][row + i];
        }
        leave(q, b->went[i], b->least[i], a);
        leave(q, b->went[i], b->least[i], x);
        for (unsigned s = 0; s < q; s++) {
            lv->straight[s][row + i] = a[s];
            lv->across[s][row + i] = x[s];
        }
    }
}

/* final[] = ALL where the least head is a packet whose path ends on this level. */
static inline __attribute__((always_inline)) void find_final(const columns *cs, uint32_t l, block *b)
{
    for (uint32_t i = 0; i < BLOCK; i++) {
        uint32_t h = b->least[i], real = is_packet(h);
        b->final[i] = real & mask(cs->end_level[((h - 2) >> 1) & real] == l);
    }
}

/* The packets that were consumed, one by one. */
static uint32_t consume(columns *cs, const level *lv, uint32_t row, const block *b)
{
    np_merge *merge = cs->merge;
    uint32_t count = 0;
    for (uint32_t i = 0; i < BLOCK; i++)
        if (b->final[i]) {
            np_packet p = merge->by_key[(b->least[i] - 2) >> 1];
            merge->delay[p] = cs->now; /* less its hops, at the end */
            lv->consumed[row + i]++;
            count++;
        }
    return count;
}

/* Initial queues whose head went get their next one. */
static void advance(columns *cs, uint32_t l, uint32_t row, const block *b)
{
    np_merge *merge = cs->merge;
    const level *lv = &cs->level[l];
    uint32_t *at = merge->initial_at + (size_t)l * cs->rows + row, *end = merge->initial_end + (size_t)l * cs->rows + row;
    for (uint32_t i = 0; i < BLOCK; i++)
        if (b->went[i] & mask(lv->head[row + i] == b->least[i])) {
            at[i]++;
            lv->head[row + i] = at[i] < end[i] ? np_merge_word_of(merge->initial[at[i]]) + 2 : END;
        }
}

/* Populations of hosts at the beginning of the step: in queues, in initial queues, consumed. */
static inline void count_population(const columns *cs, uint32_t l, uint32_t row, block *b, counts *c)
{
    const level *lv = &cs->level[l];
    const np_merge *merge = cs->merge;
    uint32_t *sum = lv->sum + row;
    if (lv->head) {
        const uint32_t *at = merge->initial_at + (size_t)l * cs->rows + row;
        const uint32_t *end = merge->initial_end + (size_t)l * cs->rows + row;
        for (uint32_t i = 0; i < BLOCK; i++)
            b->packets[i] += end[i] - at[i];
    }
    if (lv->consumed)
        for (uint32_t i = 0; i < BLOCK; i++)
            b->packets[i] += lv->consumed[row + i];
    if (!lv->sum_begins)
        for (uint32_t i = 0; i < BLOCK; i++)
            b->packets[i] += sum[i];
    if (!lv->sum_ends)
        memcpy(sum, b->packets, sizeof b->packets);
    else
        for (uint32_t i = 0; i < BLOCK; i++)
            c->population[i] = c->population[i] > b->packets[i] ? c->population[i] : b->packets[i];
}

/* One level's part in a step; returns how many packets it consumed. */
static inline __attribute__((always_inline)) uint32_t do_level(unsigned q, columns *cs, uint32_t l, counts *c)
{
    const level *lv = &cs->level[l];
    uint32_t consumed = 0;
    for (uint32_t row = 0; row < cs->rows; row += BLOCK) {
        block b;
        look(q, lv, row, &b, c);
        if (lv->consumed)
            find_final(cs, l, &b);
        else
            memset(b.final, 0, sizeof b.final);
        act(q, cs, l, row, &b, c);
        count_population(cs, l, row, &b, c);
        clear_up(q, lv, row, &b);
        if (lv->consumed)
            consumed += consume(cs, lv, row, &b);
        if (lv->head)
            advance(cs, l, row, &b);
    }
    return consumed;
}

static NP_HOT uint32_t level_1(columns *cs, uint32_t l, counts *c) { return do_level(1, cs, l, c); }
static NP_HOT uint32_t level_2(columns *cs, uint32_t l, counts *c) { return do_level(2, cs, l, c); }
static NP_HOT uint32_t level_3(columns *cs, uint32_t l, counts *c) { return do_level(3, cs, l, c); }
static NP_HOT uint32_t level_4(columns *cs, uint32_t l, counts *c) { return do_level(4, cs, l, c); }

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
        lv->sends[port] = mask(l < cs->depth && (!port || leveled->cross[l]));
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

static void add_up(np_phase_run *out, const counts *c)
{
    for (uint32_t i = 0; i < BLOCK; i++) {
        out->ghosts += c->ghosts[i];
        out->hops += c->hops[i];
        out->queue_real_max = c->real[i] > out->queue_real_max ? c->real[i] : out->queue_real_max;
        out->queue_max = c->queue[i] > out->queue_max ? c->queue[i] : out->queue_max;
        out->population_max = c->population[i] > out->population_max ? c->population[i] : out->population_max;
    }
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

static np_status run(columns *cs)
{
    static uint32_t (*const kernel[])(columns *, uint32_t, counts *) = {level_1, level_2, level_3, level_4};
    np_merge *merge = cs->merge;
    uint32_t (*one_level)(columns *, uint32_t, counts *) = kernel[merge->options.queue_size - 1];
    for (cs->now = 0; merge->remaining; cs->now++) {
        counts c = {0};
        uint64_t hops = merge->out->hops;
        uint32_t before = merge->remaining;
        for (uint32_t l = cs->depth + 1; l-- > 0;)
            merge->remaining -= one_level(cs, l, &c);
        add_up(merge->out, &c);
        if (before != merge->remaining || hops != merge->out->hops)
            merge->progress = cs->now;
        else if (cs->now - merge->progress > 2 * (cs->depth + 2))
            return NP_RAISE(NP_ERROR_INTERNAL, "columns: nothing moves since step %u", merge->progress);
    }
    merge->out->steps = cs->now;
    count_last(cs);
    finish_delays(merge);
    return NP_OK;
}

np_status np_merge_columns_all(np_merge *merge)
{
    const np_leveled *lv = merge->job->leveled;
    columns cs = {.merge = merge, .rows = lv->rows, .depth = lv->depth,
                  .words = (lv->depth + PATH_BITS - 1) / PATH_BITS};
    np_status st = lay_out(&cs);
    if (st)
        return st;
    merge->progress = 0;
    if (!group_hosts(&cs, merge->population))
        return np_merge_step_all(merge);
    lay_out_sums(&cs);
    return run(&cs);
}
