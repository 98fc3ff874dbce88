/*
 * np_compare_find: for each network its facts, np_throughput_find for three traffics, np_worst_find for three path
 * rules, and np_throughput_find for draws of links that are down.
 *
 * Cables of hosts do not fail here: a host that has lost its only cable is cut off whatever the network is. A draw that
 * tears the network apart has factor 0.
 */
#include <math.h>
#include <stdlib.h>

#include "base/account.h"
#include "base/memory.h"
#include "base/watch.h"
#include "model/network/facts.h"
#include "netpram/compare.h"
#include "netpram/worst.h"
#include "verdict/compare/switches.h"

static const char *const shares[NP_COMPARE_SHARES] = {"0.01", "0.05"};
static const double share_values[NP_COMPARE_SHARES] = {0.01, 0.05};

typedef struct made {
    np_compare result; /* first: the caller's pointer is this one */
    np_compare_row *row;
} made;

/* ---- What it is made of ---- */

static np_status take_facts(const np_network *network, np_compare_row *row)
{
    np_search search;
    np_fabric_facts facts = {0};
    np_status st = np_search_init(&search, network);
    if (!st)
        st = np_fabric_measure(&search, UINT64_MAX, &facts);
    np_search_clear(&search);
    row->hosts = network->terminals;
    row->switches = network->host ? network->nodes - network->terminals : network->nodes;
    row->radix = facts.radix;
    row->cables = facts.cables;
    bool ends = network->host || np_network_all_terminals(network); /* those between which it was measured */
    row->mean_hops = ends && facts.distance_pairs ? (double)facts.distance_sum / (double)facts.distance_pairs : 0;
    row->moves = network->terminals > 1;
    return st;
}

/* ---- The best routing ---- */

static np_throughput_options options_of(const np_compare_options *asked)
{
    np_throughput_options options;
    np_throughput_options_init(&options);
    options.gap = asked->gap;
    options.iterations = asked->iterations;
    options.threads = asked->threads;
    options.watch = asked->watch;
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

static np_status certify_whole(const np_network *network, const np_traffic *traffic, const np_compare_options *asked,
                               np_throughput_between *per_host, uint32_t *distance_most)
{
    const np_throughput_options options = options_of(asked);
    np_throughput *throughput = NULL;
    uint32_t hosts;
    np_status st;
    if ((st = share_of_node(network, &hosts)))
        return st;
    if (!(st = np_throughput_find(network, traffic, &options, &throughput)) && throughput->moves) {
        *per_host = throughput->per_host;
        if (hosts > 1) {
            per_host->low = nextafter(per_host->low / hosts, 0);
            per_host->high = nextafter(per_host->high / hosts, INFINITY);
        }
        *distance_most = throughput->distance_most;
    }
    np_throughput_free(throughput);
    return st;
}

/* By the switches alone: the cable of a host carries one packet a step each way. */
static np_status certify_switches(const np_switches *switches, const np_traffic *traffic,
                                  const np_compare_options *asked, np_throughput_between *per_host,
                                  uint32_t *distance_most)
{
    const np_throughput_options options = options_of(asked);
    np_throughput *throughput = NULL;
    np_traffic *between;
    uint64_t most;
    np_status st = np_switches_traffic(switches, traffic, &between, &most);
    if (st)
        return st;
    *distance_most = 2;
    *per_host = (np_throughput_between){1, 1};
    if (!(st = np_throughput_find(switches->network, between, &options, &throughput)) && throughput->moves) {
        double low = nextafter(throughput->factor.low * (double)most, 0);
        double high = nextafter(throughput->factor.high * (double)most, INFINITY);
        *per_host = (np_throughput_between){low < 1 ? low : 1, high < 1 ? high : 1};
        *distance_most = throughput->distance_most + 2;
    }
    np_throughput_free(throughput);
    np_traffic_free(between);
    return st;
}

/* The message of an error names hosts: so the whole network is asked where there is no way. */
static np_status certify(const np_network *network, const np_switches *switches, const char *spec,
                         const np_compare_options *asked, np_throughput_between *per_host, uint32_t *distance_most)
{
    np_traffic *traffic;
    np_status st = np_traffic_create(spec, network, 1, 0, &traffic);
    if (st)
        return st;
    st = switches->network ? certify_switches(switches, traffic, asked, per_host, distance_most) : NP_ERROR_APPLY;
    if (st == NP_ERROR_APPLY)
        st = certify_whole(network, traffic, asked, per_host, distance_most);
    np_traffic_free(traffic);
    return st;
}

static np_status take_factors(const np_network *network, const np_compare_options *asked, np_compare_row *row)
{
    np_switches switches;
    uint32_t distance;
    np_status st = np_switches_init(&switches, network);
    if (!st)
        st = certify(network, &switches, "all-to-all", asked, &row->all_to_all, &row->diameter);
    if (!st)
        st = certify(network, &switches, "longest-matching", asked, &row->longest_matching, &distance);
    if (!st)
        st = certify(network, &switches, "near-worst", asked, &row->near_worst, &distance);
    np_switches_clear(&switches);
    return st;
}

/* ---- What rules guarantee ---- */

/* 0: the rule does not apply to the network. */
static np_status guarantee(const np_network *network, const char *rule, const np_compare_options *asked, double *factor)
{
    np_worst_options options;
    np_worst *worst = NULL;
    np_worst_options_init(&options);
    options.paths = rule;
    options.watch = asked->watch;
    np_status st = np_worst_find(network, &options, &worst);
    *factor = st ? 0 : worst->worst.factor;
    np_worst_free(worst);
    return st == NP_ERROR_APPLY ? NP_OK : st;
}

static np_status take_guarantees(const np_network *network, const np_compare_options *asked, np_compare_row *row)
{
    np_status st;
    if ((st = guarantee(network, "shortest", asked, &row->shortest)) ||
        (st = guarantee(network, "spray", asked, &row->spray)))
        return st;
    return guarantee(network, "valiant:shortest", asked, &row->valiant);
}

/* ---- Links that fail ---- */

/* 0: the network is torn apart. *known: its links can fail. */
static np_status fail_once(const np_network *network, const char *share, uint64_t seed, const np_compare_options *asked,
                           double *factor, bool *known)
{
    np_network *left;
    np_switches switches;
    np_throughput_between per_host = {0, 0};
    uint32_t distance;
    np_status st = np_network_fail_between(network, share, seed, &left);
    *factor = 0;
    *known = st != NP_ERROR_APPLY;
    if (st)
        return *known ? st : NP_OK;
    if (!(st = np_switches_init(&switches, left)))
        st = certify(left, &switches, "all-to-all", asked, &per_host, &distance);
    np_switches_clear(&switches);
    *factor = st ? 0 : per_host.low;
    np_network_free(left);
    return st == NP_ERROR_APPLY ? NP_OK : st; /* no way from one host to another */
}

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void sum_up(double *factor, const np_compare_options *asked, np_compare_failed *out)
{
    uint32_t draws = out->draws = asked->draws;
    qsort(factor, draws, sizeof *factor, ascending);
    out->least = factor[0];
    out->median = (factor[(draws - 1) / 2] + factor[draws / 2]) / 2;
    while (out->torn < draws && factor[out->torn] == 0)
        out->torn++;
}

static np_status take_failures(const np_network *network, const np_compare_options *asked, np_compare_row *row)
{
    double *factor;
    np_status st = np_memory_array(&factor, asked->draws, sizeof *factor, "factors");
    row->fails = asked->draws > 0;
    for (int k = 0; k < NP_COMPARE_SHARES && !st && row->fails; k++) {
        row->failed[k].share = share_values[k];
        for (uint32_t d = 0; d < asked->draws && !st && row->fails; d++)
            st = fail_once(network, shares[k], asked->seed + d, asked, &factor[d], &row->fails);
        if (!st && row->fails)
            sum_up(factor, asked, &row->failed[k]);
    }
    np_memory_free(factor);
    return st;
}

/* ---- All ---- */

static np_status compare_one(const np_network *network, const np_compare_options *asked, np_compare_row *row)
{
    np_status st;
    row->network = network;
    if ((st = take_facts(network, row)) || !row->moves)
        return st;
    if ((st = take_factors(network, asked, row)) || (st = take_guarantees(network, asked, row)))
        return st;
    return take_failures(network, asked, row);
}

np_status np_compare_find(size_t networks, const np_network *const *network, const np_compare_options *given,
                          np_compare **out)
{
    np_compare_options options;
    made *m;
    *out = NULL;
    np_status st = np_options_take(&np_compare_options_fields, given, &options);
    if (st)
        return st;
    NP_ACCOUNT(options.memory_limit, "smaller networks");
    if ((st = np_memory_zeroed(&m, 1, sizeof *m, "a comparison")))
        return st;
    st = np_memory_zeroed(&m->row, networks, sizeof *m->row, "a comparison");
    m->result = (np_compare){m->row, networks, options.gap, options.seed};
    for (size_t i = 0; i < networks && !st; i++)
        if (!(st = np_watch_share(&options.watch, "networks", (double)i / (double)networks)))
            st = compare_one(network[i], &options, &m->row[i]);
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
    np_memory_free(m->row);
    np_memory_free(m);
}
