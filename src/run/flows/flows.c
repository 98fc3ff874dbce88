/*
 * np_flows: flows are made, paths found, the engine plays them, and the result is worked out.
 *
 * A flow's path is asked for when the flow starts, so paths are held of active flows alone.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/account.h"
#include "base/clock.h"
#include "base/decimal.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/plural.h"
#include "base/watch.h"
#include "run/flows/flows.h"

enum { WATCHED = 1024 /* batches from one look of the watch to the next */ };

/* The result, with what it points to. */
typedef struct made {
    np_flows_result result; /* first: the caller's pointer is this one */
    np_flow_set set;
    char *traffic, *paths, *link_rate, *note;
    np_flows_class *classes;
    double *finish;
    np_rates rates;
} made;

/* A call. */
typedef struct play {
    const np_flows_options *options;
    np_flows_units units;
    np_flow_set *set;
    np_ways ways;
    unsigned width_bits; /* a width of 1 is 2^this units a tick */
    np_keyed *order;     /* [flows] by starts; NULL: they are in order */
    size_t next, finished, batches;
    np_flows_outcome out;
    np_fair *fair; /* while it runs */
    np_rates *rates;
} play;

/* ---- The driver ---- */

static np_status units_of(const play *p, size_t i, np_fair_size *units)
{
    double size = p->set->size[i];
    int shift = NP_FLOWS_MOMENT_BITS + (int)p->width_bits;
    if (size >= ldexp(1, NP_FAIR_SIZE_BITS - shift))
        return NP_RAISE(NP_ERROR_LIMIT, "flow %zu: size %s must be below 2^%d", i, NP_REAL(size, 6),
                        NP_FAIR_SIZE_BITS - shift);
    *units = (np_fair_size)ldexp(size, shift);
    return NP_OK;
}

/* What the flow would take alone. */
static np_fair_time alone(const play *p, uint32_t hops, np_fair_size size, np_fair_time delay)
{
    uint64_t least = UINT64_MAX;
    for (uint32_t h = 0; h < hops; h++) {
        np_wide rate = (np_wide)p->ways.width[p->ways.link[h]] << p->width_bits;
        if (p->ways.share)
            rate = (rate << NP_FAIR_SHARE_BITS) / p->ways.share[h];
        least = rate < least ? (uint64_t)rate : least;
    }
    return (size + least - 1) / least + delay;
}

static void count_links(play *p, uint32_t hops, double size)
{
    for (uint32_t h = 0; h < hops; h++) {
        double share = p->ways.share ? (double)p->ways.share[h] / (double)((uint64_t)1 << NP_FAIR_SHARE_BITS) : 1;
        p->out.carried[p->ways.link[h]] += size * share;
        p->out.crossed[p->ways.link[h]]++;
    }
}

static np_status next(void *self, np_fair_flow *flow, bool *more)
{
    play *p = self;
    *more = p->next < p->set->flows;
    if (!*more)
        return NP_OK;
    size_t i = p->order ? p->order[p->next].item : p->next;
    p->next++;
    *flow = (np_fair_flow){.name = i, .start = np_flows_ticks(&p->units, p->set->start[i])};
    np_status st = units_of(p, i, &flow->size);
    if (st || (st = np_ways_of(&p->ways, p->set, i, &flow->hops, &flow->delay)))
        return st;
    flow->path = p->ways.link;
    flow->share = p->ways.share;
    count_links(p, flow->hops, p->set->size[i]);
    if (flow->hops && flow->size)
        p->out.slowdown[i] = np_flows_time(&p->units, alone(p, flow->hops, flow->size, flow->delay));
    return NP_OK;
}

static np_status finished(void *self, uint64_t i, np_fair_time now)
{
    play *p = self;
    np_fair_time began = np_flows_ticks(&p->units, p->set->start[i]);
    double took = np_flows_time(&p->units, now - began);
    p->out.finish[i] = np_flows_time(&p->units, now);
    p->out.completion[i] = took;
    if (p->out.slowdown[i] > 0)
        p->out.slowdown[i] = took > p->out.slowdown[i] ? took / p->out.slowdown[i] : 1;
    p->finished++;
    return NP_OK;
}

static np_status settled(void *self, np_fair_time now)
{
    play *p = self;
    np_rates_add(p->rates, now, np_fair_rate(p->fair));
    if (++p->batches % WATCHED)
        return NP_OK;
    return np_watch_share(&p->options->watch, "flows", (double)p->finished / (double)p->set->flows);
}

/* ---- A play ---- */

static np_status order_starts(play *p)
{
    const np_flow_set *set = p->set;
    bool sorted = true;
    for (size_t i = 1; i < set->flows; i++)
        sorted &= set->start[i] >= set->start[i - 1];
    if (sorted)
        return NP_OK;
    np_status st = np_memory_array(&p->order, set->flows, sizeof *p->order, "the order of flows");
    if (st)
        return st;
    for (size_t i = 0; i < set->flows; i++)
        p->order[i] = (np_keyed){np_order_key(set->start[i]), i};
    qsort(p->order, set->flows, sizeof *p->order, np_order_keyed);
    return NP_OK;
}

static np_status run_engine(play *p)
{
    const np_fair_driver driver = {.self = p, .next = next, .finished = finished, .settled = settled};
    np_link links = np_network_link_numbers(p->ways.network);
    uint64_t *capacity;
    np_status st = np_ways_capacities(&p->ways, &capacity, &p->width_bits);
    if (st)
        return st;
    st = (p->options->split ? np_fair_create_divided : np_fair_create)(links, capacity, &p->fair);
    np_memory_free(capacity);
    if (!st && !(st = np_fair_run(p->fair, &driver)))
        p->out.events = np_fair_counted(p->fair).batches;
    if (!st && p->finished < p->set->flows)
        st = NP_RAISE(NP_ERROR_LIMIT, "%zu flow%s never end%s: so many share a link that nothing is left for each",
                      p->set->flows - p->finished, np_plural(p->set->flows - p->finished),
                      p->set->flows - p->finished == 1 ? "s" : "");
    np_fair_free(p->fair);
    return st;
}

static np_status make_outcome(play *p)
{
    size_t flows = p->set->flows, links = np_network_link_numbers(p->ways.network);
    np_status st;
    if ((st = np_memory_zeroed(&p->out.finish, flows, sizeof(double), "the finishes of flows")) ||
        (st = np_memory_zeroed(&p->out.completion, flows, sizeof(double), "the finishes of flows")) ||
        (st = np_memory_zeroed(&p->out.slowdown, flows, sizeof(double), "the finishes of flows")) ||
        (st = np_memory_zeroed(&p->out.carried, links, sizeof(double), "what links carry")))
        return st;
    return np_memory_zeroed(&p->out.crossed, links, sizeof(uint64_t), "what links carry");
}

static void clear(play *p)
{
    np_ways_clear(&p->ways);
    NP_MEMORY_FREE(p->order, p->out.finish, p->out.completion, p->out.slowdown, p->out.carried, p->out.crossed);
}

/* What links and files say and is not heeded. */
static np_status make_note(made *m)
{
    bool delays = !np_network_delay(m->result.network) && np_network_find_attribute(m->result.network, "delay");
    char text[160];
    if (!delays && !m->set.has_finishes)
        return NP_OK;
    snprintf(text, sizeof text, "%s%s%s",
             m->set.has_finishes ? "column finish is not read: the flows of the file are played again" : "",
             m->set.has_finishes && delays ? "; " : "",
             delays ? "the links have delays, which are not heeded: --delay delay" : "");
    m->note = np_memory_text(text);
    m->result.note = m->note;
    return m->note ? NP_OK : np_status_last();
}

static np_status write_files(const play *p, const made *m)
{
    np_status st = NP_OK;
    if (p->options->flows_file)
        st = np_flows_write(&m->result, p->options->flows_file);
    if (!st && p->options->links_file)
        st = np_flows_write_links(&m->result, &p->ways, &p->out, &p->units, p->options->links_file);
    return st;
}

static np_status name_paths(made *m, const np_path *path, bool split)
{
    m->result.split = split;
    if (split)
        return NP_OK;
    m->paths = np_memory_text(np_path_name(path));
    m->result.paths = m->paths;
    return m->paths ? NP_OK : np_status_last();
}

static np_status run(play *p, made *m)
{
    np_status st;
    if ((st = np_ways_init(&p->ways, m->result.network, p->options, &p->units)) ||
        (st = name_paths(m, p->ways.path, p->options->split)) || (st = make_note(m)) || (st = order_starts(p)) ||
        (st = make_outcome(p)) || (p->options->record_rates && (st = np_rates_init(&m->rates))) ||
        (st = np_ways_find(&p->ways, p->set, &p->options->watch)))
        return st;
    if ((st = run_engine(p)) || (st = np_flows_sum_up(&m->result, &p->ways, p->set, &p->out, &p->units, &m->classes)))
        return st;
    m->finish = p->out.finish;
    p->out.finish = NULL;
    m->result.finish = m->finish;
    np_rates_finish(&m->rates, &p->units, p->width_bits, &m->result);
    return write_files(p, m);
}

/* ---- The calls ---- */

static np_status copy_list(const np_network *network, const np_flow_list *list, np_flow_set *set)
{
    np_status st = NP_OK;
    for (size_t i = 0; !st && i < list->flows; i++) {
        double start = list->start ? list->start[i] : 0;
        if (!(list->size[i] >= 0) || !(start >= 0) || isinf(list->size[i]) || isinf(start))
            return NP_RAISE(NP_ERROR_INPUT, "flow %zu: its size and its start must be numbers of 0 or more", i);
        if (list->source[i] >= np_network_nodes(network) || list->destination[i] >= np_network_nodes(network) ||
            !np_network_serves(network, list->source[i], list->destination[i]))
            return NP_RAISE(NP_ERROR_INPUT, "flow %zu: its ends %u and %u are no input and output of %.80s", i,
                            list->source[i], list->destination[i], np_network_spec(network));
        st = np_flow_set_add(set, list->source[i], list->destination[i], list->size[i], start);
    }
    return st;
}

static np_status check_list_options(const np_flows_options *o)
{
    if (o->flow_size || o->flow_sizes || o->load > 0 || o->arrivals)
        return NP_RAISE(NP_ERROR_INPUT,
                        "size, sizes, load and arrivals are for flows that are made, not for those in arrays");
    return NP_OK;
}

static np_status prepare(const np_network *network, const char *traffic, const np_flow_list *list,
                         const np_flows_options *options, play *p, made *m)
{
    np_status st;
    m->result = (np_flows_result){.network = network, .seed = options->seed, .load = options->load};
    if (!(m->traffic = np_memory_text(traffic)) ||
        (options->link_rate && !(m->link_rate = np_memory_text(options->link_rate))))
        return np_status_last();
    m->result.traffic = m->traffic;
    m->result.link_rate = m->link_rate;
    if (options->split && strcmp(options->paths, "spray"))
        return NP_RAISE(NP_ERROR_INPUT,
                        "split: flows are divided over all shortest paths, and paths '%.80s' is not heeded",
                        options->paths);
    if ((st = np_flows_read_rate(options->link_rate, &p->units)))
        return st;
    if (list)
        st = (st = check_list_options(options)) ? st : copy_list(network, list, &m->set);
    else if (options->arrivals && !(options->load > 0))
        st = NP_RAISE(NP_ERROR_INPUT, "arrivals %llu: flows arrive with a load: say it, or leave arrivals out",
                      (unsigned long long)options->arrivals);
    else
        st = np_flows_make(network, traffic, options, &p->units, &m->set);
    return st;
}

/* out NULL: everything is looked at, and nothing is played. */
static np_status call(const np_network *network, const char *traffic, const np_flow_list *list,
                      const np_flows_options *given, np_flows_result **out)
{
    np_flows_options options;
    double began = np_clock_seconds();
    made *m;
    np_status st = np_options_take(&np_flows_options_fields, given, &options);
    if (out)
        *out = NULL;
    if (st)
        return st;
    NP_ACCOUNT(options.memory_limit, "a smaller network or fewer flows");
    if ((st = np_memory_zeroed(&m, 1, sizeof *m, "flows")))
        return st;
    play p = {.options = &options, .set = &m->set, .rates = &m->rates};
    if (!(st = prepare(network, traffic, list, &options, &p, m)))
        st = out ? run(&p, m) : np_ways_init(&p.ways, network, &options, &p.units);
    clear(&p);
    m->result.wall_seconds = np_clock_seconds() - began;
    if (st || !out)
        np_flows_free(&m->result);
    else
        *out = &m->result;
    return st;
}

np_status np_flows_check(const np_network *network, const char *traffic, const np_flows_options *options)
{
    return call(network, traffic, NULL, options, NULL);
}

np_status np_flows(const np_network *network, const char *traffic, const np_flows_options *options,
                   np_flows_result **out)
{
    return call(network, traffic, NULL, options, out);
}

np_status np_flows_play(const np_network *network, const np_flow_list *flows, const np_flows_options *options,
                        np_flows_result **out)
{
    return call(network, "arrays", flows, options, out);
}

void np_flows_free(np_flows_result *result)
{
    made *m = (made *)result;
    if (!m)
        return;
    np_flow_set_clear(&m->set);
    NP_MEMORY_FREE(m->traffic, m->paths, m->link_rate, m->note, m->classes, m->finish, m->rates.sent, m);
}
