/*
 * What the routes of a path rule reach: the loads of links on average (loads.h), and 1 over the largest of them.
 *
 * With Valiant's way (Valiant & Brebner 1981, section 4) a packet goes to a node drawn among V terminals, and on to its
 * destination. So on average a V-th of all that a node sends goes to each terminal, and a V-th of all that a node
 * receives comes from each: both together are the amounts.
 */
#include "verdict/throughput/own_paths.h"

#include <string.h>

#include "base/memory.h"
#include "base/order.h"
#include "verdict/throughput/loads.h"

#define VALIANT "valiant"

typedef struct through_all {
    const np_problem *problem;
    np_node_list via;
    double *sent, *received; /* [nodes] over V */
    bool *stop;              /* [nodes] is it a terminal? */
} through_all;

/* ---- Amounts ---- */

/* The demands themselves. */
static double straight(const void *context, np_node target, double *amount)
{
    const np_problem *p = context;
    const size_t low = np_order_below(p->targets, p->target, target);
    double all = 0;
    if (low == p->targets || p->target[low] != target)
        return 0;
    for (size_t d = p->first[low]; d < p->first[low + 1]; d++) {
        amount[p->source[d]] += p->amount[d];
        all += p->amount[d];
    }
    return all;
}

static double by_way_of_all(const void *context, np_node target, double *amount)
{
    const through_all *v = context;
    double all = 0;
    for (np_node u = 0; u < v->problem->nodes; u++) {
        if (u == target)
            continue;
        double own = (v->stop[target] ? v->sent[u] : 0) + (v->stop[u] ? v->received[target] : 0);
        amount[u] += own;
        all += own;
    }
    return all;
}

static np_status through_all_init(through_all *v, const np_problem *p)
{
    np_status st;
    *v = (through_all){.problem = p, .via = np_network_ends(p->network)};
    if ((st = np_own_paths_refuse_valiant(p->network)) ||
        (st = np_memory_zeroed(&v->sent, p->nodes, sizeof *v->sent, "what nodes send")) ||
        (st = np_memory_zeroed(&v->received, p->nodes, sizeof *v->received, "what nodes receive")) ||
        (st = np_memory_zeroed(&v->stop, p->nodes, sizeof *v->stop, "terminals")))
        return st;
    for (uint32_t i = 0; i < v->via.count; i++)
        v->stop[v->via.node ? v->via.node[i] : i] = true;
    for (uint32_t t = 0; t < p->targets; t++)
        for (size_t d = p->first[t]; d < p->first[t + 1]; d++) {
            v->sent[p->source[d]] += p->amount[d];
            v->received[p->target[t]] += p->amount[d];
        }
    for (np_node u = 0; u < p->nodes; u++) {
        v->sent[u] /= v->via.count;
        v->received[u] /= v->via.count;
    }
    return NP_OK;
}

static void through_all_clear(through_all *v) { NP_MEMORY_FREE(v->sent, v->received, v->stop); }

/* ---- Loads ---- */

static np_status load_links(const np_problem *p, const np_loads_options *options, bool valiant, double *load,
                            uint32_t *draws)
{
    through_all v = {0};
    np_status st = valiant ? through_all_init(&v, p) : NP_OK;
    const np_amounts amounts = {valiant ? by_way_of_all : straight, valiant ? (const void *)&v : p};
    if (!st)
        st = np_expected_loads(&amounts, options, load, draws);
    through_all_clear(&v);
    return st;
}

static void fill(const np_problem *p, const double *load, np_throughput_paths *out)
{
    double hops = 0;
    np_link most = 0;
    for (np_link link = 0; link < np_network_link_numbers(p->network); link++) {
        hops += load[link];
        most = load[link] > load[most] ? link : most;
    }
    out->mean_hops = hops / (double)p->packets;
    out->factor = 1 / load[most];
    out->link = (np_throughput_link){.network = p->network,
                                     .from = np_network_link_tail(p->network, most),
                                     .to = np_network_link_head(p->network, most),
                                     .load = load[most]};
}

np_status np_own_paths_name(const np_path *path, bool valiant, char **rule)
{
    const char *name = np_path_name(path);
    size_t room = sizeof VALIANT + 1 + strlen(name);
    np_status st = np_memory_array(rule, room, 1, "the name of a path rule");
    if (!st)
        snprintf(*rule, room, "%s%s", valiant ? VALIANT ":" : "", name);
    return st;
}

bool np_own_paths_take_valiant(const char **spec)
{
    size_t length = strlen(VALIANT);
    if (strncmp(*spec, VALIANT, length) || ((*spec)[length] && (*spec)[length] != ':'))
        return false;
    *spec = (*spec)[length] ? *spec + length + 1 : "greedy";
    return true;
}

np_status np_own_paths_refuse_valiant(const np_network *network)
{
    if (np_network_all_terminals(network) || network->host)
        return NP_OK;
    return NP_RAISE(NP_ERROR_APPLY,
                    "paths '" VALIANT "' do not apply to %s: packets go from inputs to outputs only, not by way of any "
                    "node",
                    np_network_spec(network));
}

np_status np_own_paths_check(const np_network *network, const np_throughput_options *options)
{
    const char *spec = options->paths;
    np_path *path;
    if (options->split && !spec)
        return NP_RAISE(NP_ERROR_INPUT, "split is for paths: name them with --paths");
    bool valiant = spec && np_own_paths_take_valiant(&spec);
    np_status st = spec ? np_path_create(spec, network, &path) : NP_OK;
    if (st || !spec)
        return st;
    if (!valiant || !(st = np_own_paths_refuse_valiant(network)))
        st = np_loads_refuse(&(np_loads_options){.path = path, .split = options->split});
    np_path_free(path);
    return st;
}

np_status np_own_paths_load(const np_problem *p, const np_throughput_options *options, char **rule, double *load,
                            uint32_t *draws)
{
    const char *spec = options->paths;
    bool valiant = np_own_paths_take_valiant(&spec);
    np_path *path;
    np_status st = np_path_create(spec, p->network, &path);
    const np_loads_options how = {path, options->split, options->seed, &options->watch};
    if (!st && !(st = np_own_paths_name(path, valiant, rule)))
        st = load_links(p, &how, valiant, load, draws);
    np_path_free(path);
    return st;
}

np_status np_own_paths_find(const np_problem *p, const np_throughput_options *options, char **rule,
                            np_throughput_paths *out)
{
    double *load;
    np_status st = np_memory_zeroed(&load, np_network_link_numbers(p->network), sizeof *load, "the loads of links");
    if (!st && !(st = np_own_paths_load(p, options, rule, load, &out->draws))) {
        out->rule = *rule;
        out->split = options->split;
        fill(p, load, out);
    }
    np_memory_free(load);
    return st;
}
