/* The driver: makes items of keys, runs the sorter, and collects the results. */
#include <stdio.h>
#include <string.h>

#include "base/account.h"
#include "base/clock.h"
#include "base/arena.h"
#include "base/memory.h"
#include "base/threads.h"
#include "model/network/attributes.h"
#include "work/sort/sorter.h"

/* What a result owns, and what the runs fill in. */
typedef struct sort_result {
    np_sort_result base;
    np_sorting sorting; /* log adds up over the runs */
    np_sort_options options;
    char *network, *input;
    np_keys *read;        /* NULL: the keys were not read */
    np_keys made;         /* those of the last run, in `key` */
    const uint64_t *word; /* [keys] of this run */
    void *block;          /* the arrays, and sorting.item */
    double *steps;        /* [runs] in all */
    double *stage_steps;  /* [stages][runs] */
    uint32_t *rank;       /* [keys] the item of each key; after the last run the key at each place */
    uint32_t *order;      /* [keys] the key of each item */
    uint64_t *key;        /* [keys] if each run draws its own keys */
} sort_result;

void np_sort_result_free(np_sort_result *result)
{
    sort_result *r = (sort_result *)result;
    if (!r)
        return;
    np_sort_teller_free(r->sorting.log.teller);
    np_keys_free(r->read);
    NP_MEMORY_FREE(r->network, r->input, r->block, r);
}

/* Merge sort of key numbers by key: stable, so that ties break by origin. */
static void merge_sort(const uint64_t *key, uint32_t *order, uint32_t *scratch, size_t count)
{
    for (size_t i = 0; i < count; i++)
        order[i] = (uint32_t)i;
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t low = 0; low < count; low += 2 * width) {
            size_t middle = low + width < count ? low + width : count;
            size_t high = middle + width < count ? middle + width : count, i = low, j = middle;
            for (size_t k = low; k < high; k++)
                scratch[k] = j == high || (i < middle && key[order[i]] <= key[order[j]]) ? order[i++] : order[j++];
        }
        memcpy(order, scratch, count * sizeof *order);
    }
}

/* Makes items of the keys, their numbers in order, and puts them at their places before the run. */
static void lay_out(sort_result *r)
{
    size_t count = r->sorting.items, room = (size_t)r->sorting.places * r->sorting.per_place;
    merge_sort(r->word, r->order, r->rank, count);
    for (size_t i = 0; i < count; i++)
        r->rank[r->order[i]] = (uint32_t)i;
    memcpy(r->sorting.item, r->rank, count * sizeof *r->rank);
    memset(r->sorting.item + count, 0xff, (room - count) * sizeof *r->sorting.item); /* NP_NONE */
}

/* Item i must be at place i, and no item behind the last. */
static bool check(sort_result *r, uint32_t run)
{
    size_t room = (size_t)r->sorting.places * r->sorting.per_place;
    for (size_t i = 0; i < room; i++) {
        uint32_t expected = i < r->sorting.items ? (uint32_t)i : NP_NONE;
        if (r->sorting.item[i] == expected)
            continue;
        snprintf(r->base.wrong, sizeof r->base.wrong, "run %u: place %zu holds number %d of the keys in order", run, i,
                 r->sorting.item[i] == NP_NONE ? -1 : (int)r->sorting.item[i]);
        return false;
    }
    return true;
}

/* A run on the items that have been laid out. */
static np_status run_once(sort_result *r, const np_sorter_ops *ops, uint32_t run)
{
    np_sorting *s = &r->sorting;
    np_status st;
    if (s->log.teller)
        np_sort_teller_begin(s->log.teller, run, s->items, r->order);
    np_sorting_number_infinite(s, true);
    np_sorting_show(s, "", false);
    if ((st = ops->run(s)) || (s->log.teller && (st = np_sort_teller_end(s->log.teller))))
        return st;
    np_sorting_show(s, "", true);
    np_sorting_number_infinite(s, false);
    return s->stopped ? NP_RAISE(NP_ERROR_CANCELLED, "on_stage has cancelled the sort") : NP_OK;
}

static np_status run_all(sort_result *r, const np_sorter_ops *ops)
{
    np_sorting *s = &r->sorting;
    r->base.sorted = true;
    for (uint32_t run = 0; run < r->options.runs; run++) {
        uint32_t number = r->options.first_run + run;
        s->draws = (np_draws){.seed = r->options.seed, .run = number};
        s->clock = (np_sort_clock){0};
        np_status st = NP_OK;
        if (r->base.key_order)
            st = np_keys_make(r->base.key_order, s->items, r->options.seed, number, r->key);
        lay_out(r);
        if (st || (st = run_once(r, ops, number)))
            return st;
        if (r->base.sorted)
            r->base.sorted = check(r, number);
        r->steps[run] = (double)s->clock.now;
        for (size_t i = 0; i < NP_SORT_STAGES; i++)
            r->stage_steps[i * r->options.runs + run] = (double)s->clock.steps[i];
    }
    return NP_OK;
}

/* The keys in the order of the places that they reached; NP_NONE at a place that got no valid item. */
static void read_out(sort_result *r)
{
    for (size_t i = 0; i < r->sorting.items; i++)
        r->rank[i] = r->sorting.item[i] < r->sorting.items ? r->order[r->sorting.item[i]] : NP_NONE;
}

static np_status collect(sort_result *r)
{
    np_sorting *s = &r->sorting;
    np_sort_result *out = &r->base;
    read_out(r);
    for (size_t i = 0; i < s->log.stages; i++) {
        np_sort_stage *stage = &s->log.stage[i];
        np_status st = np_summary_compute(r->options.runs, r->stage_steps + i * r->options.runs, &stage->steps);
        if (st)
            return st;
        out->hops += stage->hops;
        out->comparators += stage->comparators;
        out->queue_max = stage->queue_max > out->queue_max ? stage->queue_max : out->queue_max;
        out->load_max = stage->load_max > out->load_max ? stage->load_max : out->load_max;
    }
    out->recursion_depth = s->log.recursion_depth;
    out->redraws = s->log.redraws;
    out->fallbacks = s->log.fallbacks;
    out->stages = s->log.stages;
    out->stage = s->log.stage;
    out->events = s->log.events;
    out->event = s->log.event;
    out->order = r->rank;
    np_status st = np_summary_compute(r->options.runs, r->steps, &out->steps);
    for (size_t i = 0; i < out->stages && out->steps.mean > 0; i++)
        s->log.stage[i].share = s->log.stage[i].steps.mean / out->steps.mean;
    return st;
}

/* The paper's constants are for sizes that are too large to run. These constants are for sizes that run
   (docs/flashsort.md). */
static void resolve_constants(const np_network *network, np_sort_constants *constants)
{
    const np_sort_host *host = np_sort_host_of("flashsort", network);
    if (!(constants->candidates > 0))
        constants->candidates = 2.0 / 3;
    if (!constants->oversampling)
        constants->oversampling = 4;
    if (!constants->lightness)
        constants->lightness = 2;
    if (!constants->cutoff)
        constants->cutoff = 512;
    if (!constants->redraws)
        constants->redraws = 3;
    if (!constants->group)
        constants->group = 2;
    if (!constants->string_bits)
        constants->string_bits = host && host->string_bits ? host->string_bits(network) : 0;
}

static void layout(void *object, np_arena *arena)
{
    sort_result *r = object;
    np_sorting *s = &r->sorting;
    size_t keys = r->base.keys, runs = r->options.runs;
    np_arena_array(arena, &s->item, (size_t)s->places * s->per_place, sizeof *s->item, "the items");
    np_arena_array(arena, &r->rank, keys, sizeof *r->rank, "the keys' numbers");
    np_arena_array(arena, &r->order, keys, sizeof *r->order, "the keys' order");
    np_arena_array(arena, &r->key, r->base.key_order ? keys : 0, sizeof *r->key, "the keys");
    np_arena_array(arena, &r->steps, runs, sizeof *r->steps, "the runs");
    np_arena_array(arena, &r->stage_steps, runs * NP_SORT_STAGES, sizeof *r->stage_steps, "the stages");
}

static np_status set_up(sort_result *r, const np_network *network, const np_sorter_ops *ops)
{
    np_sorting *s = &r->sorting;
    np_status st;
    *s = (np_sorting){.network = network, .options = &r->options, .ops = ops, .items = (uint32_t)r->base.keys};
    if ((st = np_threads_choose(r->options.observer || r->options.on_stage ? 1 : r->options.threads, UINT64_MAX,
                                &s->workers)) ||
        (st = ops->plan(s)) || (st = np_arena_place(r, layout, "the keys", &r->block)) ||
        (r->options.observer &&
         (st = np_sort_teller_create(network, r->options.observer, s->places * s->per_place, &s->log.teller))))
        return st;
    if (!(r->network = np_memory_text(np_network_spec(network))))
        return np_status_last();
    np_sort_result *out = &r->base;
    if (ops->predict)
        ops->predict(s, &out->predicted);
    s->predicted = out->predicted.steps;
    if (out->key_order) {
        r->made = (np_keys){.count = out->keys, .kind = NP_KEYS_INTEGERS, .word = r->key};
        r->word = r->key;
        out->source = &r->made;
    }
    out->network = r->network;
    out->algorithm = ops->info.name;
    out->indexing = ops->indexing;
    out->nodes = network->nodes;
    out->places = s->places;
    out->per_place = s->per_place;
    out->seed = r->options.seed;
    out->runs = r->options.runs;
    out->threads = s->workers;
    out->merge = r->options.merge;
    out->constants = r->options.constants;
    return NP_OK;
}

static np_status choose(const np_network *network, const char *algorithm, const np_sorter_ops **out)
{
    const np_entry *info;
    np_status st;
    if (!algorithm) {
        if ((st = np_sorter_default(network, &info)))
            return st;
        algorithm = info->name;
    }
    return (st = np_sorter_applies(algorithm, network)) ? st : np_sorter_find(algorithm, out);
}

/* The keys of the file, which all runs sort. */
static np_status read_keys(sort_result *r)
{
    np_status st = np_keys_read(r->options.input, r->options.kind, &r->read);
    if (st)
        return st;
    r->word = np_keys_words(r->read);
    r->base.keys = np_keys_count(r->read);
    r->base.kind = np_keys_kind(r->read);
    r->base.source = r->read;
    r->base.input = r->input = np_memory_text(r->options.input);
    return r->input ? NP_OK : np_status_last();
}

/* Which keys the runs sort, and how many. Keys that are made are made in each run. */
static np_status gather(sort_result *r, const np_network *network, size_t count, const uint64_t *key)
{
    np_status st = NP_OK;
    r->word = key;
    r->base.keys = key ? count : r->options.keys;
    r->base.kind = NP_KEYS_INTEGERS;
    if (!key && r->options.input)
        st = read_keys(r);
    else if (!key) {
        r->base.key_order = r->options.order ? r->options.order : "random";
        st = r->base.keys ? NP_OK : np_sort_places(network, r->options.algorithm, &r->base.keys);
    }
    if (!st && (!r->base.keys || r->base.keys > UINT32_C(1) << 31))
        st = NP_RAISE(NP_ERROR_LIMIT, "%llu keys: from 1 to 2^31 can be sorted", (unsigned long long)r->base.keys);
    return st;
}

/* Can the sorter be observed? If not, the error names one that can, on the network if there is one. */
static np_status check_observed(const np_sorter_ops *ops, const np_network *network)
{
    const np_sorter_ops *other, *any = NULL;
    if (np_field_listed(ops->heeds, "trace"))
        return NP_OK;
    for (size_t i = 0; (other = np_registry_entry(&np_sorters, i)); i++)
        if (np_field_listed(other->heeds, "trace") && (!any || any->refuses(network)))
            any = other;
    return NP_RAISE(NP_ERROR_APPLY, "trace: algorithm '%s' does not say which packets move: try '%s'", ops->info.name,
                    any->info.name);
}

static np_status check_constants(const np_sort_options *options, const np_sorter_ops *ops, const np_network *network)
{
    np_sort_constants preset = {0};
    resolve_constants(network, &preset);
    return np_sort_options_check_constants(options, &preset, ops, network);
}

np_status np_sort(const np_network *network, size_t count, const uint64_t *key, const np_sort_options *options,
                  np_sort_result **out)
{
    np_sort_options taken;
    const np_sorter_ops *ops;
    sort_result *r;
    np_status st;
    *out = NULL;
    if ((st = np_options_take(&np_sort_options_fields, options, &taken)) || (st = np_sort_options_check(&taken, key)) ||
        (st = np_attributes_heeded(network, "sort", 0)))
        return st;
    NP_ACCOUNT(taken.memory_limit, "fewer keys");
    if (taken.first_run > UINT32_MAX - taken.runs)
        return NP_RAISE(NP_ERROR_INPUT, "%u runs from run %u on: run numbers end at %u", taken.runs, taken.first_run,
                        UINT32_MAX);
    if ((st = choose(network, taken.algorithm, &ops)) || (st = check_constants(&taken, ops, network)) ||
        (taken.observer && (st = check_observed(ops, network))) ||
        (st = np_memory_zeroed(&r, 1, sizeof *r, "the result")))
        return st;
    r->options = taken;
    r->options.algorithm = ops->info.name;
    resolve_constants(network, &r->options.constants);
    st = gather(r, network, count, key);
    double begin = np_clock_seconds();
    if (st || (st = set_up(r, network, ops)) || (st = run_all(r, ops)) || (st = collect(r))) {
        np_sort_result_free(&r->base);
        return st;
    }
    r->base.wall_seconds = np_clock_seconds() - begin;
    *out = &r->base;
    return NP_OK;
}

np_status np_sort_places(const np_network *network, const char *algorithm, uint64_t *out)
{
    np_sorting sorting = {.network = network};
    np_status st;
    *out = 0;
    if ((st = choose(network, algorithm, &sorting.ops)) || (st = sorting.ops->plan(&sorting)))
        return st;
    *out = sorting.places;
    return NP_OK;
}
