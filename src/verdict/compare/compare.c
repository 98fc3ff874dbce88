/*
 * np_compare_find: for each network its facts, the factors of three traffics, np_worst_find for three path rules, and
 * factors for draws of links that are down, which threads share.
 *
 * Cables of hosts do not fail here: a host that has lost its only cable is cut off whatever the network is. A draw that
 * tears the network apart has factor 0.
 *
 * After the time limit a search ends with what is proved, and what has not begun is left out. What ends with less than
 * was asked for, or is left out, has its reason in the row.
 */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/account.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/runs.h"
#include "base/threads.h"
#include "base/watch.h"
#include "model/network/attributes.h"
#include "model/network/facts.h"
#include "netpram/compare.h"
#include "netpram/worst.h"
#include "verdict/compare/cables.h"
#include "verdict/compare/torn.h"
#include "verdict/throughput/factor.h"

static const char *const shares[NP_COMPARE_SHARES] = {"0.01", "0.05"};
static const double share_values[NP_COMPARE_SHARES] = {0.01, 0.05};
static const char late[] = "--time-limit ended before", idle[] = "no packet moves: there are no two hosts";

typedef struct made {
    np_compare result; /* first: the caller's pointer is this one */
    np_compare_row *row;
} made;

/* A network that is looked at. */
typedef struct look {
    const np_network *network;
    const np_compare_options *asked;
    double until; /* on the clock; INFINITY: no limit */
    np_watch watch;
    bool late; /* the watch has ended a call because of the time */
    np_compare_row *row;
} look;

static double time_left(const look *l) { return l->until - np_clock_seconds(); }

/* The caller's watch, and the clock: for calls that know no time limit. */
static int tell(void *context, const np_progress *progress)
{
    look *l = context;
    int end = l->asked->watch.tell ? l->asked->watch.tell(l->asked->watch.context, progress) : 0;
    l->late |= !end && time_left(l) <= 0;
    return end || l->late;
}

static np_status explain(look *l, np_compare_figure figure, const char *reason)
{
    char *text = np_memory_text(reason);
    l->row->why[figure] = text;
    return text ? NP_OK : np_status_last();
}

/* Leaves a figure out because of the time? */
static bool is_late(look *l, np_compare_figure figure, np_status *st)
{
    if (time_left(l) > 0)
        return false;
    l->row->reached = false;
    *st = explain(l, figure, late);
    return true;
}

/* ---- What it is made of ---- */

static np_status take_facts(look *l)
{
    const np_network *network = l->network;
    np_compare_row *row = l->row;
    np_search search;
    np_fabric_facts facts = {0};
    np_status st = np_search_init(&search, network);
    if (!st)
        st = np_fabric_measure(&search, UINT64_MAX, &facts);
    row->lengths = l->asked->electrical > 0;
    if (!st && row->lengths)
        st = np_compare_cables(&search, l->asked->electrical, &row->electrical, &row->optical);
    np_search_clear(&search);
    row->hosts = network->terminals;
    row->switches = network->host ? network->nodes - network->terminals : network->nodes;
    row->radix = facts.radix;
    row->cables = facts.cables;
    bool ends = network->host || np_network_all_terminals(network); /* those between which it was measured */
    row->mean_hops = ends && facts.distance_pairs ? (double)facts.distance_sum / (double)facts.distance_pairs : 0;
    row->moves = network->terminals > 1;
    if (st || row->mean_hops > 0)
        return st;
    return explain(l, NP_COMPARE_MEAN_HOPS, row->moves ? "packets go from inputs to outputs only" : idle);
}

/* ---- The best routing ---- */

static np_throughput_options options_of(const look *l)
{
    np_throughput_options options;
    np_throughput_options_init(&options);
    options.gap = l->asked->gap;
    options.iterations = l->asked->iterations;
    options.threads = l->asked->threads;
    options.watch = l->asked->watch;
    if (l->until < INFINITY)
        options.time_limit = time_left(l) > 1e-3 ? time_left(l) : 1e-3;
    return options;
}

/*
 * The most hosts at one node. A throughput is told for the node that sends most: where hosts share nodes, as the inputs
 * of an omega network do, that is for all of them together.
 */
static np_status share_of_node(const np_network *network, uint32_t *most)
{
    uint32_t *hosts;
    np_status st = np_memory_zeroed(&hosts, network->nodes, sizeof *hosts, "the hosts of nodes");
    *most = 1;
    for (np_node i = 0; i < network->terminals && !st; i++) {
        uint32_t here = ++hosts[np_network_input(network, i)];
        *most = here > *most ? here : *most;
    }
    np_memory_free(hosts);
    return st;
}

/* Hosts that share a node: what is told for the node is for all of them together. */
static void divide(np_throughput_between *per_host, uint32_t hosts)
{
    if (hosts < 2)
        return;
    per_host->low = nextafter(per_host->low / hosts, 0);
    per_host->high = nextafter(per_host->high / hosts, INFINITY);
}

static np_status find_all_to_all(look *l, const np_traffic *traffic, const np_throughput_options *options)
{
    np_throughput *throughput;
    np_status st = np_throughput_find(l->network, traffic, options, &throughput);
    if (!st && throughput->moves) {
        l->row->all_to_all = throughput->per_host;
        l->row->diameter = throughput->distance_most;
    }
    np_throughput_free(throughput);
    return st;
}

/* How far a factor is from the gap that was asked for, if it is. */
static np_status judge(look *l, np_compare_figure figure, const np_throughput_between *factor)
{
    char text[120];
    double gap = factor->high > 0 ? (factor->high - factor->low) / factor->high : 0;
    if (gap <= l->asked->gap)
        return NP_OK;
    l->row->reached = false;
    snprintf(text, sizeof text, "a gap of %s%% is left, for %s", NP_FIXED(100 * gap, 1),
             time_left(l) > 0 ? "--iterations ended" : "--time-limit ended");
    return explain(l, figure, text);
}

static np_status certify(look *l, np_compare_figure figure, const char *spec, np_throughput_between *per_host)
{
    np_traffic *traffic;
    uint32_t hosts;
    bool reached;
    np_status st = NP_OK;
    if (is_late(l, figure, &st))
        return st;
    if ((st = share_of_node(l->network, &hosts)) || (st = np_traffic_create(spec, l->network, 1, 0, &traffic)))
        return st;
    const np_throughput_options options = options_of(l);
    st = figure == NP_COMPARE_ALL_TO_ALL ? find_all_to_all(l, traffic, &options)
                                         : np_factor_find(l->network, traffic, &options, per_host, &reached);
    np_traffic_free(traffic);
    divide(per_host, hosts);
    return st ? st : judge(l, figure, per_host);
}

static np_status take_factors(look *l)
{
    np_compare_row *row = l->row;
    np_status st;
    if ((st = certify(l, NP_COMPARE_ALL_TO_ALL, "all-to-all", &row->all_to_all)) ||
        (st = certify(l, NP_COMPARE_LONGEST_MATCHING, "longest-matching", &row->longest_matching)))
        return st;
    return certify(l, NP_COMPARE_NEAR_WORST, "near-worst", &row->near_worst);
}

/* ---- What rules guarantee ---- */

/* A rule that does not apply to the network, or for which there is no time, guarantees nothing: its message says why.
 */
static np_status guarantee(look *l, np_compare_figure figure, const char *rule, double *factor)
{
    np_worst_options options;
    np_worst *worst = NULL;
    np_status st = NP_OK;
    if (is_late(l, figure, &st))
        return st;
    np_worst_options_init(&options);
    options.paths = rule;
    options.watch = (np_watch){tell, l};
    l->late = false;
    st = np_worst_find(l->network, &options, &worst);
    *factor = st ? 0 : worst->worst.factor;
    np_worst_free(worst);
    if (st == NP_ERROR_CANCELLED && l->late)
        return is_late(l, figure, &st), st;
    return st == NP_ERROR_APPLY ? explain(l, figure, np_last_error()) : st;
}

static np_status take_guarantees(look *l)
{
    np_status st;
    if ((st = guarantee(l, NP_COMPARE_SHORTEST, "shortest", &l->row->shortest)) ||
        (st = guarantee(l, NP_COMPARE_SPRAY, "spray", &l->row->spray)))
        return st;
    return guarantee(l, NP_COMPARE_VALIANT, "valiant:shortest", &l->row->valiant);
}

/* ---- Links that fail ---- */

/* All draws of a network: those of the first share, then those of the second. */
typedef struct drawing {
    look *look;
    np_runs runs;
    double *factor; /* [NP_COMPARE_SHARES * draws] 0: the network is torn apart */
    bool *reached;  /* [NP_COMPARE_SHARES * draws] */
    bool *torn;     /* [NP_COMPARE_SHARES * draws] */
    pthread_mutex_t lock;
} drawing;

/* The watch of a draw: any thread may tell it. */
static int tell_locked(void *context, const np_progress *progress)
{
    drawing *d = context;
    (void)progress;
    pthread_mutex_lock(&d->lock);
    uint32_t done = np_runs_done(&d->runs);
    np_progress draws = {"links that fail", "draws", done, d->runs.of, (double)done / d->runs.of};
    int end = np_watch_tell(&d->look->asked->watch, draws);
    pthread_mutex_unlock(&d->lock);
    return end;
}

/* No way from one host to another is no error of a draw; all else is, and keeps its message. */
static np_status forgive(const np_network *left, bool *torn)
{
    char message[256];
    snprintf(message, sizeof message, "%s", np_last_error());
    np_status st = np_compare_torn(left, torn);
    return st || *torn ? st : NP_RAISE(NP_ERROR_APPLY, "%s", message);
}

static np_status fail_once(drawing *d, uint32_t draw)
{
    const look *l = d->look;
    uint32_t draws = l->asked->draws;
    np_throughput_options options = options_of(l);
    np_throughput_between per_host = {0, 0};
    np_network *left;
    np_traffic *traffic = NULL;
    np_status st = np_network_fail_between(l->network, shares[draw / draws], l->asked->seed + draw % draws, &left);
    if (st)
        return st;
    options.threads = 1;
    options.watch = (np_watch){tell_locked, d};
    d->reached[draw] = true;
    if (!(st = np_traffic_create("all-to-all", left, 1, 0, &traffic)))
        st = np_factor_find(left, traffic, &options, &per_host, &d->reached[draw]);
    d->factor[draw] = per_host.low;
    if (st == NP_ERROR_APPLY)
        st = forgive(left, &d->torn[draw]);
    np_traffic_free(traffic);
    np_network_free(left);
    return st;
}

static void draw_some(void *context, unsigned thread, uint32_t item)
{
    drawing *d = context;
    uint32_t draw;
    (void)thread;
    (void)item;
    while (np_runs_next(&d->runs, &draw))
        np_runs_settle(&d->runs, draw, fail_once(d, draw));
}

static void sum_up(double *factor, const bool *reached, const bool *torn, uint32_t draws, np_compare_failed *out)
{
    out->draws = draws;
    for (uint32_t i = 0; i < draws; i++) {
        out->short_of_gap += !reached[i];
        out->torn += torn[i];
    }
    qsort(factor, draws, sizeof *factor, np_order_reals);
    out->least = factor[0];
    out->median = (factor[(draws - 1) / 2] + factor[draws / 2]) / 2;
}

static np_status draw_all(drawing *d)
{
    look *l = d->look;
    unsigned threads;
    np_status st = np_threads_choose(l->asked->threads, d->runs.of, &threads);
    if (st)
        return st;
    np_threads_each(threads, threads, draw_some, d);
    if ((st = np_runs_outcome(&d->runs)))
        return st;
    uint32_t draws = l->asked->draws, missed = 0;
    for (int k = 0; k < NP_COMPARE_SHARES; k++) {
        l->row->failed[k].share = share_values[k];
        sum_up(&d->factor[k * draws], &d->reached[k * draws], &d->torn[k * draws], draws, &l->row->failed[k]);
        missed += l->row->failed[k].short_of_gap;
    }
    l->row->fails = true;
    l->row->reached &= !missed;
    char text[120];
    snprintf(text, sizeof text, "in %u of %u draws a gap of more than %s%% is left, for %s", (unsigned)missed,
             (unsigned)d->runs.of, NP_FIXED(100 * l->asked->gap, 1),
             time_left(l) > 0 ? "--iterations ended" : "--time-limit ended");
    return missed ? explain(l, NP_COMPARE_FAILED, text) : NP_OK;
}

/* Can links of the network fail? Some networks refuse it: the reason is said. */
static np_status try_failing(look *l, bool *can)
{
    np_network *left;
    np_status st = np_network_fail_between(l->network, shares[0], l->asked->seed, &left);
    np_network_free(left);
    *can = !st;
    return st == NP_ERROR_APPLY ? explain(l, NP_COMPARE_FAILED, np_last_error()) : st;
}

static np_status take_failures(look *l)
{
    bool can = true;
    uint32_t all = NP_COMPARE_SHARES * l->asked->draws;
    drawing d = {.look = l, .runs = {.of = all}, .lock = PTHREAD_MUTEX_INITIALIZER};
    np_status st = NP_OK;
    if (!all)
        return explain(l, NP_COMPARE_FAILED, "--draws 0");
    if (is_late(l, NP_COMPARE_FAILED, &st) || (st = try_failing(l, &can)) || !can)
        return st;
    if (!(st = np_memory_zeroed(&d.factor, all, sizeof *d.factor, "factors")) &&
        !(st = np_memory_zeroed(&d.reached, all, sizeof *d.reached, "factors")) &&
        !(st = np_memory_zeroed(&d.torn, all, sizeof *d.torn, "factors")))
        st = draw_all(&d);
    NP_MEMORY_FREE(d.factor, d.reached, d.torn);
    return st;
}

/* ---- All ---- */

static np_status compare_one(look *l)
{
    np_status st;
    l->row->network = l->network;
    l->row->reached = true;
    if ((st = take_facts(l)))
        return st;
    for (int i = NP_COMPARE_ALL_TO_ALL; i < NP_COMPARE_FIGURES && !l->row->moves && !st; i++)
        st = explain(l, (np_compare_figure)i, idle);
    if (st || !l->row->moves || (st = take_factors(l)) || (st = take_guarantees(l)))
        return st;
    return take_failures(l);
}

static np_status compare_all(const np_network *const *network, const np_compare_options *options, made *m)
{
    double began = np_clock_seconds();
    size_t networks = m->result.networks;
    np_status st = NP_OK;
    m->result.reached = true;
    for (size_t i = 0; i < networks && !st; i++) {
        look l = {.network = network[i], .asked = options, .row = &m->row[i]};
        l.until = options->time_limit > 0 ? began + options->time_limit : INFINITY;
        if (!(st = np_watch_share(&options->watch, "networks", (double)i / (double)networks)))
            st = compare_one(&l);
        m->result.reached &= m->row[i].reached;
        for (int k = 0; k < NP_COMPARE_FIGURES; k++)
            m->result.reasons += m->row[i].why[k] != NULL;
    }
    return st;
}

np_status np_compare_find(size_t networks, const np_network *const *network, const np_compare_options *given,
                          np_compare **out)
{
    np_compare_options options;
    made *m;
    *out = NULL;
    np_status st = np_options_take(&np_compare_options_fields, given, &options);
    for (size_t i = 0; i < networks && !st; i++)
        st = np_attributes_heeded(network[i], "compare", 0);
    if (st)
        return st;
    NP_ACCOUNT(options.memory_limit, "smaller networks");
    if ((st = np_memory_zeroed(&m, 1, sizeof *m, "a comparison")))
        return st;
    st = np_memory_zeroed(&m->row, networks, sizeof *m->row, "a comparison");
    m->result = (np_compare){m->row, networks, options.gap, options.seed, false, 0};
    if (!st)
        st = compare_all(network, &options, m);
    if (st)
        np_compare_free(&m->result);
    else
        *out = &m->result;
    return st;
}

void np_compare_free(np_compare *compare)
{
    made *m = (made *)compare;
    if (!m)
        return;
    for (size_t i = 0; m->row && i < compare->networks; i++)
        for (int k = 0; k < NP_COMPARE_FIGURES; k++)
            np_memory_free((void *)m->row[i].why[k]);
    NP_MEMORY_FREE(m->row, m);
}
