/*
 * The method `columns`: merging whole columns at a time, where all levels have the
 * same rows and edges go straight or across by one bit of the row (butterflies and
 * linear arrays, in any order). The outcome is the one of merge_step.c to the bit.
 *
 * The rows of a level are done a block at a time, in loops without a branch that
 * the compiler turns into vector code. A queue is q registers, and each register is
 * a column of rows. Few queues ever hold more than four packets, so a queue has at
 * most four registers. Packets behind them wait in a list of their own, which is as
 * long as packets use the edge. A step goes from the last level down to the first, and a node
 * pulls: what its parents sent in the step before is still in their outputs, since
 * parents come later in the order. The node then says whether its queues are full,
 * as they are at the beginning of the step, and its parents read this.
 *
 * A word has a packet's key, and below it the ports by which the packet leaves the
 * next levels, so that a node looks nothing up; 0 is nothing (columns.h). What leaves
 * the last of these levels is given its next ports. The end of a
 * stream stays in a queue for ever once it is there; the node before sends it again
 * in every step, which changes nothing. The row of the head of an edge keeps the
 * queue of an edge that crosses; the row of its tail keeps the output.
 *
 * Where packets combine, those of a class (one rank, one destination) compare as equal, but each has a path and a value
 * of its own. So a register has two words: that of the class, which is compared, and that of the packet, which moves
 * with it. Heads that are equal meet, which few do: they are seen to row by row, after the loop over the block.
 *
 * Symbols: L depth, q queue size, h the least head.
 */
#include <string.h>

#include "base/threads.h"
#include "engine/merging/columns.h"

static bool applies(const np_merge *merge)
{
    const np_merge_options *options = &merge->options;
    const np_leveled *lv = merge->job->leveled;
    return lv->rows >= NP_COLUMN_BLOCK && merge->job->path_set->hops <= UINT32_MAX && options->room == NP_ROOM_BEGIN &&
           !np_merge_may_starve(options) && (!merge->combine || options->queue_size == NP_COLUMNS_COMBINING) &&
           !np_merge_has_lengths(merge) && !np_merge_in_cycles(options) && !merge->record && !options->physical &&
           !merge->feed && lv->depth < NP_COLUMNS_WORDS_MAX * NP_COLUMNS_PATH_BITS && lv->host_nodes >= lv->rows;
}

/*
 * Words from a column of rows to the next one. Without a gap all columns' blocks would lie in the same few sets of the
 * caches, since rows are a power of two.
 */
static uint32_t stride_of(uint32_t rows) { return rows + NP_COLUMN_BLOCK; }

/* Takes the next column of rows from the memory. */
static uint32_t *take(uint32_t **memory, uint32_t rows)
{
    uint32_t *column = *memory;
    *memory += stride_of(rows);
    return column;
}

static void fill(uint32_t *column, uint32_t rows, uint32_t value)
{
    for (uint32_t r = 0; r < rows; r++)
        column[r] = value;
}

/* The packets behind the registers of a level's queues: none yet. A list has room for all that use the edge. */
static void lay_out_rests(np_columns *cs, uint32_t l, uint32_t **memory, uint32_t *places)
{
    const np_merge *merge = cs->merge;
    const np_leveled *leveled = merge->job->leveled;
    np_columns_level *lv = &cs->level[l];
    uint32_t across = l ? leveled->cross[l - 1] : 0, ports = across ? 2 : 1;
    for (unsigned port = 0; port < 2; port++) {
        lv->rest[port] = take(memory, cs->rows);
        lv->rest_at[port] = take(memory, cs->rows);
        fill(lv->rest[port], cs->rows, 0);
        for (uint32_t r = 0; r < cs->rows && l && port < ports; r++) {
            uint32_t tail = port ? r ^ across : r;
            lv->rest_at[port][r] = *places;
            *places += merge->crossing[leveled->out[(l - 1) * cs->rows] + tail * ports + port];
        }
    }
}

/* The level's queues: empty, or at their end from the start where no edge enters. */
static void lay_out_queues(np_columns *cs, uint32_t l, uint32_t **memory, uint32_t *zeros)
{
    const np_leveled *leveled = cs->merge->job->leveled;
    np_columns_level *lv = &cs->level[l];
    uint32_t across = l ? leveled->cross[l - 1] : 0;
    for (unsigned s = cs->registers; s < NP_COLUMNS_REGISTERS; s++)
        lv->straight[s] = lv->across[s] = zeros; /* not used */
    for (unsigned s = 0; s < cs->registers; s++) {
        lv->straight[s] = take(memory, cs->rows);
        lv->across[s] = take(memory, cs->rows);
        fill(lv->straight[s], cs->rows, l || s ? 0 : NP_COLUMNS_END);
        fill(lv->across[s], cs->rows, across || s ? 0 : NP_COLUMNS_END);
    }
    for (unsigned port = 0; port < 2; port++) {
        lv->out[port] = take(memory, cs->rows);
        lv->full[port] = take(memory, cs->rows);
        fill(lv->out[port], cs->rows, 0);
        fill(lv->full[port], cs->rows, 0);
        lv->in[port] = l && (!port || across) ? cs->level[l - 1].out[port] : zeros;
        lv->sends[port] = l < cs->depth && (!port || leveled->cross[l]) ? UINT32_MAX : 0;
    }
    lv->in_cross = across;
}

/* What stands beside the words of classes where packets combine. */
static void lay_out_packets(np_columns *cs, uint32_t l, uint32_t **memory, uint32_t *zeros)
{
    np_columns_level *lv = &cs->level[l];
    for (unsigned i = 0; i < 2; i++) {
        lv->straight_packet[i] = take(memory, cs->rows);
        lv->across_packet[i] = take(memory, cs->rows);
        lv->out_packet[i] = take(memory, cs->rows);
        lv->crossed[i] = take(memory, cs->rows);
        fill(lv->straight_packet[i], cs->rows, 0); /* masked out until a packet comes, but read */
        fill(lv->across_packet[i], cs->rows, 0);
        fill(lv->crossed[i], cs->rows, 0);
        lv->in_packet[i] = l && lv->in[i] != zeros ? cs->level[l - 1].out_packet[i] : zeros;
    }
    lv->head_packet = take(memory, cs->rows);
    lv->twin = take(memory, cs->rows);
}

/* owner[host] = its node on the last of the levels that are marked; else its first node; NP_NONE: it has none. */
static void find_owners(const np_columns *cs, const uint8_t *marked)
{
    const np_leveled *lv = cs->merge->job->leveled;
    memset(cs->owner, 0xff, lv->host_nodes * sizeof *cs->owner);
    for (uint32_t v = 0; v < (cs->depth + 1) * cs->rows; v++)
        if (marked[v / cs->rows] || cs->owner[lv->host[v]] == NP_NONE)
            cs->owner[lv->host[v]] = v;
}

/*
 * Marks the levels where packets start and end. Packets that rest are like packets that were consumed before: each of
 * their hosts needs a level where packets end.
 */
static void mark_levels(np_columns *cs, uint8_t *starts, uint8_t *ends)
{
    const np_merge *merge = cs->merge;
    const np_traffic *resting = merge->job->resting;
    for (np_packet p = 0; p < merge->packets; p++) {
        starts[merge->job->path_set->origin[p] / cs->rows] = 1;
        ends[merge->destination[p] / cs->rows] = 1;
    }
    if (!resting)
        return;
    find_owners(cs, ends);
    for (np_packet p = 0; p < np_traffic_packets(resting); p++)
        if (np_traffic_rests(resting, p) && cs->owner[np_traffic_sources(resting)[p]] != NP_NONE)
            ends[cs->owner[np_traffic_sources(resting)[p]] / cs->rows] = 1;
}

static void lay_out_level(np_columns *cs, uint32_t l, uint32_t **memory, uint32_t *zeros, bool starts, bool ends)
{
    const np_merge *merge = cs->merge;
    np_columns_level *lv = &cs->level[l];
    lay_out_queues(cs, l, memory, zeros);
    lv->head = starts ? take(memory, cs->rows) : NULL;
    lv->consumed = ends ? take(memory, cs->rows) : NULL;
    if (ends)
        fill(lv->consumed, cs->rows, 0);
    lv->ends = !ends ? NP_COLUMNS_NONE_END : l < cs->depth ? NP_COLUMNS_SOME_END : NP_COLUMNS_ALL_END;
    lv->renews = l < cs->depth && (l + 1) % cs->ports == 0;
    lv->initial_at = merge->initial_at + (size_t)l * cs->rows;
    lv->initial_end = merge->initial_end + (size_t)l * cs->rows;
    if (cs->combine)
        lay_out_packets(cs, l, memory, zeros);
    for (uint32_t r = 0; starts && r < cs->rows; r++)
        np_columns_set_head(cs, l, r);
}

/*
 * Which levels share their hosts row by row: they count populations together.
 * False if hosts are shared in another way: then columns do not apply.
 */
static bool group_hosts(np_columns *cs)
{
    uint32_t *owner = cs->owner;
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
        cs->level[l].sum = cs->level[first].out[0]; /* remembers the group until lay_out_sums */
        for (uint32_t before = l + 1; before <= cs->depth; before++)
            if (cs->level[before].sum == cs->level[l].sum)
                cs->level[before].sum_ends = false;
    }
    return true;
}

/* Eight ports, 0 or 1, as bits, the first one in the lowest. */
static inline uint32_t eight_bits(const uint8_t *port)
{
    uint64_t bytes = 0;
    for (unsigned i = 0; i < 8; i++) /* a load, and on some processors a change of the order */
        bytes |= (uint64_t)port[i] << 8 * i;
    return (uint32_t)(bytes * UINT64_C(0x0102040810204080) >> 56);
}

/* Stores the path of packet p, whose number is k, as bits, from its first level on. */
static void set_path(np_columns *cs, const np_path_set *path_set, np_packet p, uint32_t k)
{
    uint32_t level = path_set->origin[p] / cs->rows, at = level / NP_COLUMNS_PATH_BITS,
             have = level % NP_COLUMNS_PATH_BITS;
    const uint8_t *port = path_set->port + path_set->begin[p], *end = path_set->port + path_set->begin[p + 1];
    uint64_t bits = 0;
    while (port < end) {
        unsigned some = end - port < 8 ? 1 : 8;
        bits |= (uint64_t)(some == 8 ? eight_bits(port) : *port) << have;
        port += some;
        if ((have += some) < NP_COLUMNS_PATH_BITS)
            continue;
        cs->path[at++][k] = (uint32_t)bits;
        bits >>= NP_COLUMNS_PATH_BITS;
        have -= NP_COLUMNS_PATH_BITS;
    }
    if (at < cs->words)
        cs->path[at][k] = (uint32_t)bits;
}

/* Stores the paths by number, and where they end. */
static void set_paths(np_columns *cs)
{
    const np_merge *merge = cs->merge;
    for (np_packet p = 0; p < merge->packets; p++) {
        set_path(cs, merge->job->path_set, p, np_columns_number(cs, p));
        cs->end_level[np_columns_number(cs, p)] = merge->destination[p] / cs->rows;
    }
}

/* Can queues have packets behind their registers? */
static bool has_rests(const np_columns *cs) { return cs->merge->options.queue_size > NP_COLUMNS_REGISTERS; }

static void layout(void *object, np_arena *arena)
{
    np_columns *cs = object;
    const np_merge *merge = cs->merge;
    size_t levels = cs->depth + (size_t)1,
           per_level = 2 * (size_t)cs->registers + (has_rests(cs) ? 4 : 0) + (cs->combine ? 10 : 0) + 7;
    np_arena_array(arena, &cs->memory, (levels * per_level + 2) * stride_of(cs->rows), sizeof *cs->memory, "columns");
    np_arena_array(arena, &cs->level, levels, sizeof *cs->level, "levels");
    np_arena_array(arena, &cs->path[0], (cs->words + (size_t)1) * (merge->job->path_set->room + 1), sizeof *cs->path[0],
                   "paths");
    if (has_rests(cs))
        np_arena_array(arena, &cs->place, merge->job->path_set->hops, sizeof *cs->place, "queues");
    np_arena_zeroed(arena, &cs->finished, levels * (cs->rows / NP_COLUMN_BLOCK), sizeof *cs->finished, "levels");
    np_arena_zeroed(arena, &cs->mark, 2 * levels, sizeof *cs->mark, "levels");
    np_arena_array(arena, &cs->owner, merge->job->leveled->host_nodes, sizeof *cs->owner, "hosts");
    np_arena_zeroed(arena, &cs->worker, NP_COLUMNS_WORKERS_MAX, sizeof *cs->worker, "workers");
}

/* As many ports as fit into the words beside the keys 1 .. packets, without a word that looks like an end. */
static unsigned ports_of(np_packet packets)
{
    unsigned ports = NP_COLUMNS_PATH_BITS / 2;
    while ((packets + UINT64_C(1)) << (ports + 1) > NP_COLUMNS_END)
        ports /= 2;
    return ports;
}

static np_columns columns_of(np_merge *merge)
{
    const np_leveled *lv = merge->job->leveled;
    uint32_t q = merge->options.queue_size;
    return (np_columns){.merge = merge,
                        .rows = lv->rows,
                        .depth = lv->depth,
                        .registers = q < NP_COLUMNS_REGISTERS ? q : NP_COLUMNS_REGISTERS,
                        .combine = merge->combine,
                        .words = lv->depth / NP_COLUMNS_PATH_BITS + 1,
                        .ports = ports_of(merge->packets)};
}

static uint64_t bytes(np_merge *merge)
{
    np_columns cs = columns_of(merge);
    return np_arena_bytes(&cs, 0, layout);
}

static void lay_out(np_columns *cs)
{
    np_merge *merge = cs->merge;
    uint32_t levels = cs->depth + 1;
    uint32_t *memory = cs->memory, *zeros, *full, places = 0;
    for (uint32_t w = 1; w <= cs->words; w++)
        cs->path[w] = cs->path[w - 1] + merge->packets + 1;
    cs->end_level = cs->path[cs->words];
    set_paths(cs);
    mark_levels(cs, cs->mark, cs->mark + levels);
    zeros = take(&memory, cs->rows);
    full = take(&memory, cs->rows);
    fill(zeros, cs->rows, 0);
    fill(full, cs->rows, UINT32_MAX);
    for (uint32_t l = 0; l < levels; l++) {
        lay_out_level(cs, l, &memory, zeros, cs->mark[l], cs->mark[levels + l]);
        if (has_rests(cs))
            lay_out_rests(cs, l, &memory, &places);
        for (unsigned port = 0; port < 2; port++) {
            if (l && cs->level[l - 1].sends[port])
                cs->level[l - 1].next_full[port] = cs->level[l].full[port];
            cs->level[l].next_full[port] = full; /* unless a next level says otherwise */
        }
    }
    cs->memory = memory;
}

/* The columns in which populations are summed, one for each group of levels. */
static void lay_out_sums(np_columns *cs)
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

/* Adds up a worker's counts of a step, and adds them to the run's measures. */
static void add_up(np_columns *cs, np_columns_worker *w)
{
    np_phase_run *out = cs->merge->out;
    const np_columns_counts *c = &w->counted;
    for (uint32_t i = 0; i < NP_COLUMN_BLOCK; i++) {
        out->ghosts += c->ghosts[i];
        out->hops += c->hops[i];
        out->queue_real_max = np_column_larger(out->queue_real_max, c->real[i]);
        out->queue_max = np_column_larger(out->queue_max, c->queue[i]);
        out->population_max = np_column_larger(out->population_max, c->population[i]);
    }
    cs->merge->remaining -= w->left;
    out->combined += w->combined;
    w->left = w->combined = 0;
    memset(&w->counted, 0, sizeof w->counted);
}

/* Packets that rest count as consumed at a node of their host (see mark_levels). False if it has no node. */
static bool settle_resting(np_columns *cs)
{
    const np_traffic *resting = cs->merge->job->resting;
    if (!resting)
        return true;
    find_owners(cs, cs->mark + cs->depth + 1);
    for (np_packet p = 0; p < np_traffic_packets(resting); p++) {
        if (!np_traffic_rests(resting, p))
            continue;
        uint32_t v = cs->owner[np_traffic_sources(resting)[p]];
        if (v == NP_NONE)
            return false;
        cs->level[v / cs->rows].consumed[v % cs->rows]++;
    }
    return true;
}

/* Counts the populations after the last step: all packets are where they were consumed. */
static void count_last(np_columns *cs)
{
    np_merge *merge = cs->merge;
    uint32_t *population = merge->population;
    memset(population, 0, merge->job->leveled->host_nodes * sizeof *population);
    np_hosts_rest(merge->job->resting, population, &merge->out->population_max);
    for (np_packet p = 0; p < merge->packets; p++) {
        if (merge->combine && !merge->delivered[p])
            continue;
        uint32_t here = ++population[merge->job->leveled->host[merge->destination[p]]];
        merge->out->population_max = here > merge->out->population_max ? here : merge->out->population_max;
    }
}

/* Where packets combine: the most that crossed one edge. */
static void count_crossed(np_columns *cs)
{
    uint32_t most = 0;
    for (uint32_t l = 0; l < cs->depth; l++)
        for (unsigned port = 0; port < 2; port++)
            for (uint32_t r = 0; r < cs->rows; r++)
                most = np_column_larger(most, cs->level[l].crossed[port][r]);
    cs->merge->out->congestion_destinations = most;
}

static void finish_delays(np_merge *merge)
{
    const np_path_set *path_set = merge->job->path_set;
    for (np_packet p = 0; p < merge->packets; p++)
        merge->delay[p] -= (uint32_t)(path_set->begin[p + 1] - path_set->begin[p]);
}

/* After a step: false once all packets are consumed, or nothing moves. */
static bool goes_on(np_columns *cs, np_columns_worker *w, unsigned workers)
{
    np_merge *merge = cs->merge;
    uint64_t hops = merge->out->hops;
    uint32_t before = merge->remaining;
    for (unsigned i = 0; i < workers; i++)
        add_up(cs, &w[i]);
    if (before != merge->remaining || hops != merge->out->hops)
        merge->progress = cs->now;
    cs->now++;
    cs->status = np_merge_tell_progress(merge);
    return !cs->status && merge->remaining && cs->now - merge->progress <= 2 * (cs->depth + 2);
}

/* The first row bit that leads from a worker's rows to those of another one: lower bits do not. */
static uint32_t lowest_apart(const np_columns_worker *w, unsigned workers)
{
    uint32_t bits = 0;
    for (unsigned i = 0; i < workers; i++)
        bits |= w[i].first;
    return bits & -bits;
}

/* Levels first .. end - 1, the last one first, of the rows of each worker. */
typedef struct levels {
    np_columns_kernel *one_level;
    np_columns *cs;
    np_columns_worker *worker;
    uint32_t first, end;
} levels;

static void do_levels(void *context, unsigned thread, uint32_t worker)
{
    const levels *l = context;
    (void)thread;
    for (uint32_t level = l->end; level-- > l->first;)
        l->one_level(l->cs, level, &l->worker[worker]);
}

/*
 * Over the edges that cross into level l, a worker may read what another one sent at level l - 1 in the last step, and
 * tell it which queues are full. So all workers do level l before any of them does level l - 1. Levels that no edge
 * between workers enters are done together with the one before.
 */
static void run_steps(np_columns *cs, np_columns_worker *w, unsigned workers)
{
    const uint32_t apart = workers > 1 ? lowest_apart(w, workers) : UINT32_MAX;
    levels l = {cs->combine ? np_columns_combining
                            : np_columns_kernels[has_rests(cs) ? NP_COLUMNS_REGISTERS : cs->registers - 1],
                cs, w, 0, 0};
    for (bool more = cs->merge->remaining; more; more = goes_on(cs, w, workers))
        for (l.end = cs->depth + 1; l.end; l.end = l.first) {
            for (l.first = l.end - 1; l.first && cs->level[l.first].in_cross < apart; l.first--)
                continue;
            np_threads_each(workers, workers, do_levels, &l);
        }
}

/* Gives each worker rows in whole blocks; returns the number of workers that pay. */
static unsigned divide_rows(const np_columns *cs, np_columns_worker *w, unsigned workers)
{
    enum { LEAST = 512 }; /* rows of a worker: ours; they cost about ten loops of threads */
    unsigned most = cs->rows / LEAST;
    workers = workers < most ? workers : most;
    workers = workers > NP_COLUMNS_WORKERS_MAX ? NP_COLUMNS_WORKERS_MAX : workers ? workers : 1;
    uint32_t blocks = cs->rows / NP_COLUMN_BLOCK;
    for (unsigned i = 0; i < workers; i++) {
        w[i].first = (uint32_t)((uint64_t)blocks * i / workers) * NP_COLUMN_BLOCK;
        w[i].last = (uint32_t)((uint64_t)blocks * (i + 1) / workers) * NP_COLUMN_BLOCK;
    }
    return workers;
}

static np_status run(np_merge *merge, bool *done)
{
    np_columns cs = columns_of(merge);
    np_status st = np_arena_renew(&cs, layout, "merging by columns", &merge->method_block, &merge->method_room);
    *done = false;
    if (st)
        return st;
    lay_out(&cs);
    merge->progress = 0;
    if (!settle_resting(&cs) || !group_hosts(&cs))
        return NP_OK;
    lay_out_sums(&cs);
    run_steps(&cs, cs.worker, divide_rows(&cs, cs.worker, merge->job->workers));
    if (cs.status) /* raised by any worker: the text is that worker's */
        return NP_RAISE(cs.status, "cancelled at step %u", cs.now);
    if (merge->remaining)
        return NP_RAISE(NP_ERROR_INTERNAL, "columns: nothing moves since step %u", merge->progress);
    merge->out->steps = cs.now;
    count_last(&cs);
    if (cs.combine)
        count_crossed(&cs);
    finish_delays(merge);
    *done = true;
    return NP_OK;
}

const np_merge_method np_merge_columns = {.name = "columns", .applies = applies, .bytes = bytes, .run = run};
