/*
 * Is a phase symmetric (Valiant & Brebner 1981, section 2): is Traff(e), the
 * expected number of distinct packets over link e, the same for every link?
 *
 * Phase A: the packet of node u goes to a node v drawn uniformly, so
 * Traff(e) = sum over u of #{v : route(u, v) uses e} / N. Phase B: the packet
 * for v comes from a u drawn uniformly: the same sum. A route that uses e more
 * than once counts once ("distinct packets").
 */
#include "base/memory.h"
#include "base/watch.h"
#include "run/check/check.h"
#include "model/path/path.h"

enum { TELL_EVERY = 1024 }; /* routes: ours, well below a millisecond */

/* The packets over each link, and the state of the count. */
typedef struct {
    const np_path *path;
    np_check_options options;
    const np_check_ends *ends; /* NULL: the phase of options */
    np_node nodes;
    np_link numbers;
    uint64_t *count;  /* [numbers] */
    uint64_t *last;   /* [numbers] 1 + the last packet counted, so that none counts twice */
    uint64_t packets; /* so far */
    uint64_t hops;    /* so far */
    np_link *link;    /* [capacity] one route */
    size_t capacity;
} tally;

static np_status walk(tally *t, np_node from, np_node to, uint32_t run, np_packet packet, size_t *hops)
{
    uint16_t phase = (uint16_t)(t->ends ? t->ends->phase : (unsigned)t->options.phase);
    return np_path_walk(t->path, from, to, t->options.seed, run, phase, packet, t->capacity, t->link, hops);
}

static np_status add(tally *t, np_node from, np_node to, uint32_t run, np_packet packet)
{
    size_t hops;
    np_status st = walk(t, from, to, run, packet, &hops);
    if (!st && hops > t->capacity) {
        if ((st = np_memory_grow(&t->link, 0, hops, sizeof *t->link, "a route")))
            return st;
        t->capacity = hops;
        st = walk(t, from, to, run, packet, &hops);
    }
    if (st)
        return st;
    t->packets++;
    t->hops += hops;
    for (size_t i = 0; i < hops; i++) {
        np_link e = t->link[i];
        t->count[e] += t->last[e] != t->packets;
        t->last[e] = t->packets;
    }
    return NP_OK;
}

static void restart(tally *t)
{
    for (np_link e = 0; e < t->numbers; e++)
        t->count[e] = t->last[e] = 0;
    t->packets = t->hops = 0;
}

/* share: of the pairs or runs; if the effort runs out before them, its share counts. */
static np_status tell(const tally *t, double share)
{
    double effort = (double)t->hops / (double)t->options.effort;
    return np_watch_share(&t->options.watch, "symmetric", effort > 1 ? 1 : effort > share ? effort : share);
}

/* Counts all pairs. *done is false if the effort ran out first. */
static np_status enumerate(tally *t, bool *done)
{
    np_status st;
    *done = false;
    if (t->ends || t->path->rule->randomized || (uint64_t)t->nodes * t->nodes > t->options.effort)
        return NP_OK;
    for (np_node u = 0; u < t->nodes; u++) {
        for (np_node v = 0; v < t->nodes; v++) {
            if ((st = add(t, u, v, 0, v)))
                return st;
            if (t->hops > t->options.effort)
                return NP_OK;
        }
        if ((st = tell(t, (double)u / t->nodes)))
            return st;
    }
    *done = true;
    return NP_OK;
}

/* The source and the destination of packet u in a run. */
static void draw_ends(const tally *t, uint32_t run, np_packet u, np_node *from, np_node *to)
{
    np_draws draws = {t->options.seed, run, (uint16_t)t->options.phase, NP_RANDOM_CHECK};
    if (t->ends) {
        t->ends->of(t->ends, t->options.seed, run, u, from, to);
        return;
    }
    np_node other = np_random_below(&draws, u, 2, t->nodes);
    bool to_random = t->options.phase == NP_CHECK_TO_RANDOM;
    *from = to_random ? u : other;
    *to = to_random ? other : u;
}

/* Counts whole runs, at least one, until the effort is spent. */
static np_status measure(tally *t, uint32_t *runs)
{
    np_status st;
    for (*runs = 0; *runs < t->options.runs && (!*runs || t->hops <= t->options.effort); ++*runs)
        for (np_node u = 0; u < t->nodes; u++) {
            np_node from, to;
            draw_ends(t, *runs, u, &from, &to);
            if ((st = add(t, from, to, *runs, u)) ||
                (u % TELL_EVERY == 0 && (st = tell(t, (*runs + (double)u / t->nodes) / t->options.runs))))
                return st;
        }
    return NP_OK;
}

/* The extremes and the mean of the counts over the links that exist. */
static void summarise(const tally *t, uint64_t denominator, np_check_symmetric_result *result)
{
    uint64_t total = 0;
    for (np_link e = 0; e < t->numbers; e++) {
        if (np_network_link_head(t->path->network, e) == NP_NONE)
            continue;
        uint64_t count = t->count[e];
        if (!result->links || count < result->min_count) {
            result->min_count = count;
            result->min_link = e;
        }
        if (!result->links || count > result->max_count) {
            result->max_count = count;
            result->max_link = e;
        }
        result->links++;
        total += count;
    }
    double scale = (double)denominator;
    result->denominator = denominator;
    result->min = (double)result->min_count / scale;
    result->max = (double)result->max_count / scale;
    result->mean = result->links ? (double)total / scale / (double)result->links : 0;
}

/* Chi-square: the sum of (count - mean)^2 / mean over the links. */
static void test(const tally *t, np_check_symmetric_result *result)
{
    double mean = result->mean * (double)result->denominator, statistic = 0;
    result->p = 1;
    if (result->links < 2 || !(mean > 0))
        return;
    for (np_link e = 0; e < t->numbers; e++)
        if (np_network_link_head(t->path->network, e) != NP_NONE)
            statistic += ((double)t->count[e] - mean) * ((double)t->count[e] - mean) / mean;
    result->statistic = statistic;
    result->p = np_statistics_chi_square_tail(statistic, (double)(result->links - 1));
}

static np_status check(tally *t, np_check_symmetric_result *result)
{
    uint32_t runs;
    np_status st = enumerate(t, &result->exact);
    if (st)
        return st;
    if (result->exact) {
        summarise(t, t->nodes, result);
        result->p = 1;
        result->holds = result->min_count == result->max_count;
        return NP_OK;
    }
    restart(t);
    if ((st = measure(t, &runs)))
        return st;
    summarise(t, runs, result);
    test(t, result);
    result->holds = result->p >= result->error_rate;
    return NP_OK;
}

np_status np_check_symmetric(const np_path *path, const np_check_options *options, np_check_symmetric_result *result)
{
    return np_check_symmetric_between(path, options, NULL, result);
}

np_status np_check_symmetric_between(const np_path *path, const np_check_options *options, const np_check_ends *ends,
                                     np_check_symmetric_result *result)
{
    tally t = {.path = path,
               .ends = ends,
               .nodes = np_network_nodes(path->network),
               .numbers = np_network_link_numbers(path->network)};
    np_status st;
    *result = (np_check_symmetric_result){.holds = false};
    if ((st = np_options_take(&np_check_options_fields, options, &t.options)))
        return st;
    result->error_rate = t.options.error_rate;
    if ((st = np_check_network(path->network)))
        return st;
    if (!(st = np_memory_zeroed(&t.count, t.numbers, sizeof *t.count, "traffic of links")) &&
        !(st = np_memory_zeroed(&t.last, t.numbers, sizeof *t.last, "traffic of links")))
        st = check(&t, result);
    NP_MEMORY_FREE(t.count, t.last, t.link);
    return st;
}
