/*
 * The merging engine's life, and what comes before the first step: ranks
 * (Leighton, Maggs, Ranade & Rao 1994, sections 2.2 and 2.3.1) and the order of
 * packets by rank, then destination, then number. From then on a packet is known
 * by its place in this order, so that one comparison of 32-bit words decides who
 * goes first.
 *
 * The ranks of the paper are in [1, R] with R = Omega(c + L + log N). Ours are
 * too, with R a parameter. The paper's hash function gives ranks in [0, R-1]; we
 * add 1.
 */
#include "engine/merging/merge_inside.h"

#include <string.h>

#include "base/log2.h"
#include "base/memory.h"
#include "base/polynomial.h"

enum { PACKETS_MAX = 0x1ffffffe, DIGIT = 11, DIGITS = 1 << DIGIT };

np_status np_merge_check(const np_merge_options *options)
{
    np_status st = np_fields_check(&np_merge_options_fields, options);
    if (st)
        return st;
    if (options->combine != NP_COMBINE_NONE && options->ranks_given && options->ranks == NP_RANKS_RANDOM)
        return NP_RAISE(NP_ERROR_INPUT, "packets that combine need ranks by destination: try ranks by hash");
    return NP_OK;
}

np_status np_merge_create(const np_merge_options *options, np_merge **out)
{
    np_merge *merge;
    np_status st;
    *out = NULL;
    if ((st = np_merge_check(options)) || (st = np_memory_zeroed(&merge, 1, sizeof *merge, "the merging engine")))
        return st;
    merge->options = *options;
    merge->combine = options->combine != NP_COMBINE_NONE;
    if (merge->combine && options->ranks == NP_RANKS_RANDOM)
        merge->options.ranks = NP_RANKS_HASH;
    *out = merge;
    return NP_OK;
}

void np_merge_free(np_merge *merge)
{
    if (!merge)
        return;
    NP_MEMORY_FREE(merge->block, merge->method_block, merge->coefficient, merge->held);
    np_cycle_feed_free(merge->cycles);
    np_memory_free(merge);
}

void np_merge_record_clear(np_merge_record *record)
{
    NP_MEMORY_FREE(record->selected, record->left, record->key, record->length);
    *record = (np_merge_record){0};
}

/* The arrays of every run. */
static void layout(void *object, np_arena *arena)
{
    np_merge *merge = object;
    const np_leveled *lv = merge->job->leveled;
    size_t packets = merge->job->path_set->room;
    np_arena_array(arena, &merge->rank, packets, sizeof *merge->rank, "ranks");
    np_arena_array(arena, &merge->key, packets, sizeof *merge->key, "keys");
    NP_ARENA_WORDS(arena, packets, "packets by key", &merge->by_key, &merge->sorted);
    np_arena_array(arena, &merge->destination, packets, sizeof *merge->destination, "destinations");
    np_arena_array(arena, &merge->crossing, lv->edges, sizeof *merge->crossing, "packets by edge");
    np_arena_array(arena, &merge->delay, packets, sizeof *merge->delay, "delays");
    np_arena_zeroed(arena, &merge->population, lv->host_nodes, sizeof *merge->population, "populations");
    np_arena_array(arena, &merge->initial, packets, sizeof *merge->initial, "initial queues");
    NP_ARENA_WORDS(arena, lv->nodes, "initial queues", &merge->initial_at, &merge->initial_end);
    if (merge->combine) {
        np_arena_array(arena, &merge->value, packets, sizeof *merge->value, "values");
        np_arena_zeroed(arena, &merge->delivered, packets, sizeof *merge->delivered, "values");
    }
    if (np_merge_has_lengths(merge))
        np_arena_array(arena, &merge->length, packets, sizeof *merge->length, "lengths of messages");
    if (np_merge_in_cycles(&merge->options))
        np_arena_array(arena, &merge->in_cycle, packets, sizeof *merge->in_cycle, "lengths of messages");
    if (merge->options.physical)
        np_physical_lay_out(&merge->physical, lv, arena);
}

static np_status draw_hash(np_merge *merge)
{
    uint32_t k = merge->options.independence ? merge->options.independence : np_log2_up(merge->packets) + 1;
    np_draws draws = np_draws_for(merge->job->draws, NP_RANDOM_HASH);
    if (k > merge->coefficients) {
        np_status st = np_memory_grow(&merge->coefficient, 0, k, sizeof *merge->coefficient, "a hash function");
        if (st)
            return st;
    }
    merge->coefficients = k;
    np_polynomial_draw(&draws, 0, k, merge->coefficient);
    return NP_OK;
}

static np_status set_ranks(np_merge *merge)
{
    const np_path_set *path_set = merge->job->path_set;
    uint32_t range = merge->options.rank_range;
    np_draws draws = np_draws_for(merge->job->draws, NP_RANDOM_RANK);
    np_status st;
    if (merge->job->ranked) {
        memcpy(merge->rank, path_set->rank, merge->packets * sizeof *merge->rank);
    } else if (merge->options.ranks == NP_RANKS_RANDOM) {
        for (np_packet i = 0; i < merge->packets; i++)
            merge->rank[i] = np_random_below(&draws, path_set->packet[i], 0, range) + 1;
    } else if (merge->options.ranks == NP_RANKS_HASH) {
        if ((st = draw_hash(merge)))
            return st;
        for (np_packet i = 0; i < merge->packets; i++)
            merge->rank[i] =
                (uint32_t)(np_polynomial_at(merge->coefficient, merge->coefficients, path_set->target[i]) % range) + 1;
    } else if (merge->job->rank) {
        for (np_packet i = 0; i < merge->packets; i++)
            merge->rank[i] = merge->job->rank[path_set->packet[i]];
    } else {
        for (np_packet i = 0; i < merge->packets; i++) {
            if (path_set->packet[i] >= merge->options.rank_packets)
                return NP_RAISE(NP_ERROR_INPUT, "ranks for %u packets, but packet %u moves",
                                merge->options.rank_packets, path_set->packet[i]);
            merge->rank[i] = merge->options.rank[path_set->packet[i]];
        }
    }
    return NP_OK;
}

/* One pass of a stable sort of from[] by DIGIT bits of the value; false: all have the same bits. */
static bool sort_pass(np_packet packets, const uint32_t *value, unsigned shift, const np_packet *from, np_packet *to)
{
    uint32_t begin[DIGITS + 1] = {0};
    for (np_packet i = 0; i < packets; i++)
        begin[(value[i] >> shift & (DIGITS - 1)) + 1]++;
    for (unsigned d = 0; d < DIGITS; d++) {
        if (begin[d + 1] == packets)
            return false;
        begin[d + 1] += begin[d];
    }
    for (np_packet i = 0; i < packets; i++) {
        np_packet p = from[i];
        to[begin[value[p] >> shift & (DIGITS - 1)]++] = p;
    }
    return true;
}

/* by_key[] = the packets by (rank, target, number), by radix from the least digit on. */
static void sort_packets(np_merge *merge)
{
    const uint32_t *const value[] = {merge->job->path_set->target, merge->rank};
    np_packet *from = merge->by_key, *to = merge->sorted;
    for (np_packet i = 0; i < merge->packets; i++)
        from[i] = i;
    for (unsigned v = 0; v < 2; v++)
        for (unsigned shift = 0; shift < 32; shift += DIGIT)
            if (sort_pass(merge->packets, value[v], shift, from, to)) {
                np_packet *sorted = to;
                to = from;
                from = sorted;
            }
    if (from != merge->by_key)
        memcpy(merge->by_key, from, merge->packets * sizeof *from);
}

/*
 * If packets combine, packets of equal rank and target share a key k. Keys are then odd, so that no
 * other key uses word 2 k - 1. No key is 0, so that no word is.
 */
static void number_keys(np_merge *merge)
{
    const uint32_t *target = merge->job->path_set->target;
    uint32_t k = 1;
    for (np_packet i = 0; i < merge->packets; i++) {
        np_packet p = merge->by_key[i], before = i ? merge->by_key[i - 1] : p;
        if (i && !(merge->combine && merge->rank[p] == merge->rank[before] && target[p] == target[before]))
            k += merge->combine ? 2 : 1;
        merge->key[p] = k;
    }
}

static void set_values(np_merge *merge)
{
    const np_merge_job *job = merge->job;
    for (np_packet i = 0; i < merge->packets; i++) {
        np_packet p = job->path_set->packet[i];
        merge->value[i] = job->value ? job->value[p] : p;
    }
}

/* The length of packet i's message. It is the same in every phase. */
static uint32_t message_length(const np_merge *merge, np_packet i)
{
    const np_merge_options *options = &merge->options;
    np_draws draws = np_draws_for(merge->job->draws, NP_RANDOM_SIZE);
    uint32_t span = options->message_most - options->message_least + 1;
    draws.phase = 0;
    return options->message_least + np_random_below(&draws, merge->job->path_set->packet[i], 0, span);
}

/* The lengths of messages; that of a message cycle is the longest of them. */
static void set_lengths(np_merge *merge)
{
    uint32_t *length = merge->in_cycle ? merge->in_cycle : merge->length;
    merge->cycle = merge->in_cycle ? merge->options.message_least : 1;
    for (np_packet i = 0; length && i < merge->packets; i++) {
        length[i] = message_length(merge, i);
        if (merge->in_cycle && length[i] > merge->cycle)
            merge->cycle = length[i];
    }
}

/* Fills the initial queues: initial[], initial_at[], initial_end[]. */
static void fill_initial(np_merge *merge)
{
    const np_leveled *lv = merge->job->leveled;
    const uint32_t *origin = merge->job->path_set->origin;
    uint32_t sum = 0;
    memset(merge->initial_end, 0, lv->nodes * sizeof *merge->initial_end);
    for (np_packet i = 0; i < merge->packets; i++)
        merge->initial_end[origin[i]]++;
    for (uint32_t v = 0; v < lv->nodes; v++) {
        uint32_t count = merge->initial_end[v];
        merge->initial_at[v] = merge->initial_end[v] = sum;
        sum += count;
    }
    for (np_packet k = 0; k < merge->packets; k++) {
        np_packet p = merge->by_key[k];
        merge->initial[merge->initial_end[origin[p]]++] = np_merge_slot_of(2 * merge->key[p], p);
    }
}

/* Does some packet end where another begins? */
static bool ends_meet(const np_merge *merge)
{
    for (np_packet i = 0; i < merge->packets; i++) {
        uint32_t v = merge->destination[i];
        if (merge->initial_at[v] != merge->initial_end[v])
            return true;
    }
    return false;
}

static np_status prepare(np_merge *merge)
{
    const np_merge_job *job = merge->job;
    np_status st;
    if (job->path_set->packets > PACKETS_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "%u packets to merge: at most %d", job->path_set->packets, PACKETS_MAX);
    merge->packets = merge->remaining = job->path_set->packets;
    np_physical_begin(&merge->physical, job->leveled);
    if ((st = np_arena_renew(merge, layout, "the merging engine", &merge->block, &merge->room)) ||
        (st = set_ranks(merge)))
        return st;
    sort_packets(merge);
    number_keys(merge);
    if (merge->combine)
        set_values(merge);
    set_lengths(merge);
    fill_initial(merge);
    st = np_path_set_follow(job->path_set, job->leveled, merge->crossing, merge->destination, &merge->out->congestion);
    merge->out->ends_meet = !st && ends_meet(merge);
    return st;
}

static np_status begin_record(np_merge *merge)
{
    np_merge_record *record = merge->record;
    const np_path_set *path_set = merge->job->path_set;
    size_t entries = path_set->begin[merge->packets] + merge->packets;
    np_status st;
    if ((st = np_memory_grow(&record->left, 0, entries, sizeof *record->left, "a record")) ||
        (st = np_memory_grow(&record->key, 0, merge->packets, sizeof *record->key, "a record")))
        return st;
    for (size_t i = 0; i < entries; i++)
        record->left[i] = NP_NONE;
    memcpy(record->key, merge->rank, merge->packets * sizeof *record->key);
    if (!merge->length)
        return NP_OK;
    if (!(st = np_memory_grow(&record->length, 0, merge->packets, sizeof *record->length, "a record")))
        memcpy(record->length, merge->length, merge->packets * sizeof *record->length);
    return st;
}

static void sum_delays(np_merge *merge)
{
    for (np_packet i = 0; i < merge->packets; i++) {
        uint32_t delay = merge->delay[i] *= merge->cycle;
        merge->out->delay_sum += delay;
        if (delay > merge->out->delay_max)
            merge->out->delay_max = delay;
    }
    merge->out->cycles = merge->in_cycle ? merge->out->steps : 0;
    merge->out->steps *= merge->cycle;
    merge->out->physical_steps = merge->physical.steps;
}

extern const np_merge_method np_merge_columns, np_merge_stepping;

static const np_merge_method *const methods[] = {&np_merge_columns, &np_merge_stepping};

/* The first method that can serve the run. */
static np_status run_methods(np_merge *merge)
{
    const char *named = merge->job->method;
    bool done = false;
    np_status st = NP_OK;
    for (size_t i = 0; i < sizeof methods / sizeof *methods && !done && !st; i++) {
        bool wanted = !named || !strcmp(named, methods[i]->name) || methods[i] == &np_merge_stepping;
        if (wanted && methods[i]->applies(merge))
            st = methods[i]->run(merge, &done);
        merge->served = methods[i]->name;
    }
    return st;
}

np_status np_merge_run(np_merge *merge, const np_merge_job *job, np_merge_record *record, np_phase_run *out)
{
    np_status st;
    merge->job = job;
    merge->record = record;
    merge->out = out;
    *out = (np_phase_run){.packets = job->path_set->packets, .levels = job->leveled->depth};
    if ((st = prepare(merge)) || (record && (st = begin_record(merge))))
        return st;
    np_hosts_settle(job->leveled, job->path_set, job->resting, merge->population, &out->population_max);
    if ((st = np_merge_observe_begin(merge)) || (st = run_methods(merge)))
        return st;
    if (!merge->combine)
        out->congestion_destinations = out->congestion;
    out->node_steps = (uint64_t)job->leveled->nodes * out->steps;
    if (record) {
        record->steps = out->steps;
        record->cycle = merge->cycle;
    }
    sum_delays(merge);
    return merge->feed ? np_event_feed_end(&merge->feed->feed, out) : NP_OK;
}

uint64_t np_merge_bytes(const np_merge_options *options, unsigned count, const np_leveled *const *leveled,
                        np_packet packets, bool observed)
{
    uint64_t most = 0, most_of_method = 0;
    np_leveled_feed feed;
    for (unsigned i = 0; i < count; i++) {
        np_path_set path_set = {.room = packets, .hops = (size_t)packets * leveled[i]->depth};
        np_merge_job job = {.leveled = leveled[i], .path_set = &path_set};
        np_merge merge = {.options = *options, .job = &job, .combine = options->combine != NP_COMBINE_NONE};
        merge.feed = observed ? &feed : NULL;
        const np_merge_method *const *method = methods;
        while (!(*method)->applies(&merge))
            method++;
        uint64_t of_method = (*method)->bytes(&merge), all = np_arena_bytes(&merge, 0, layout);
        most = all > most ? all : most;
        most_of_method = of_method > most_of_method ? of_method : most_of_method;
    }
    bool cycles = observed && np_merge_in_cycles(options);
    return sizeof(np_merge) + most + most_of_method + (observed ? sizeof feed : 0) +
           (cycles ? np_cycle_feed_bytes(packets) : 0);
}

const uint32_t *np_merge_delays(const np_merge *merge) { return merge->delay; }
const char *np_merge_served(const np_merge *merge) { return merge->served; }
uint64_t np_merge_physical_back(const np_merge *merge) { return merge->physical.back; }
const uint64_t *np_merge_values(const np_merge *merge) { return merge->value; }
const uint8_t *np_merge_delivered(const np_merge *merge) { return merge->delivered; }
