/*
 * See loads.h. Four ways, by what a rule is.
 *
 * By chances: load_chances.h.
 *
 * By a list: the paths of a file, by their weights, or the K shortest ones. Parallel links share evenly, as packets
 * take them in turn, unless the path names ports.
 *
 * By ways: all tickets of a pair that are equally likely (np_path_rule.ways), if they can be counted. Each is walked
 * with its share. Where hosts hang on every switch, from switch to switch.
 *
 * By routes: each pair is a packet, and its route is walked; several times, if the rule draws. Those of a memoryless
 * rule to one destination are a tree, and walked as one (route_tree.h).
 *
 * All of it is done by one thread, in the order of the destinations: sums of doubles depend on their order.
 */
#include "verdict/throughput/loads.h"

#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "model/path/k_shortest.h"
#include "model/path/listed.h"
#include "model/path/routes.h"
#include "verdict/throughput/load_chances.h"
#include "verdict/throughput/route_tree.h"

enum { PAIRS = 1 << 16 /* whose routes are found together: ours */ };

typedef struct work {
    const np_amounts *amounts;
    const np_loads_options *options;
    const np_network *network;
    np_node nodes;
    double *load; /* the caller's */
    np_load_chances chances;

    double *amount;  /* [nodes] to a destination; NULL: by chances */
    np_node *source; /* [nodes] those of a target */

    const np_listed *listed; /* of the target, at least */
    np_k_shortest *shortest; /* who lists them; NULL: a file has */

    np_routes *routes;    /* of the pairs, if the rule finds routes before */
    np_path path;         /* bound to them */
    uint32_t run;         /* of the draws */
    np_packet first;      /* the number of the first of the pairs */
    uint32_t pairs;       /* that wait for their routes */
    np_node *from, *goal; /* [PAIRS] */
    double *weight;       /* [PAIRS] */
    np_ticket *ticket;    /* [PAIRS] of ways */
    np_route_tree tree;   /* of a target, where the rule is memoryless; else without a path */
    void *block;
} work;

/* The rule between switches, where hosts hang on every switch. */
static const np_path *by_switches(const np_path *path) { return path->inner ? path->inner : path; }

static void layout(void *object, np_arena *arena)
{
    work *w = object;
    if (w->chances.chance) {
        np_load_chances_layout(&w->chances, arena);
        return;
    }
    np_arena_array(arena, &w->amount, w->nodes, sizeof *w->amount, "what goes to a node");
    if (w->tree.path) {
        np_route_tree_layout(&w->tree, arena);
        return;
    }
    np_arena_array(arena, &w->source, w->nodes, sizeof *w->source, "the sources of packets");
    np_arena_array(arena, &w->from, PAIRS, sizeof *w->from, "the sources of packets");
    np_arena_array(arena, &w->goal, PAIRS, sizeof *w->goal, "the destinations of packets");
    np_arena_array(arena, &w->weight, PAIRS, sizeof *w->weight, "the amounts of packets");
    np_arena_array(arena, &w->ticket, PAIRS, sizeof *w->ticket, "the ways of packets");
}

/* ---- Listed paths ---- */

static void load_way(work *w, const np_listed_way *way, np_node at, double amount)
{
    const np_graph *graph = w->options->path->graph;
    for (uint32_t k = 0; k < way->hops; k++) {
        np_link link = graph->row[at] + w->listed->port[way->place + k], other = link;
        uint32_t twins = 1;
        bool shared = graph->twin && !way->fixed;
        while (shared && (other = graph->twin[other]) != link)
            twins++;
        do {
            w->load[other] += amount / twins;
            other = shared ? graph->twin[other] : link;
        } while (other != link);
        at = graph->head[link];
    }
}

/* The paths to the target of those who send there. */
static np_status list_to(work *w, np_node target)
{
    size_t count = 0;
    for (np_node u = 0; u < w->nodes; u++)
        if (w->amount[u] > 0)
            w->source[count++] = u;
    return np_k_shortest_to(w->shortest, count, w->source, target, &w->listed);
}

static np_status go_by_list(work *w, np_node target)
{
    np_status st = w->shortest ? list_to(w, target) : NP_OK;
    if (st)
        return st;
    for (np_node u = 0; u < w->nodes; u++) {
        size_t count;
        if (!(w->amount[u] > 0))
            continue;
        const np_listed_way *way = np_listed_find(w->listed, u, target, &count);
        if (!way)
            return np_path_refuse_pair(w->options->path, u, target);
        double each = w->amount[u] / (double)way[count - 1].upto;
        for (size_t i = 0; i < count; i++)
            load_way(w, &way[i], u, each * (double)(way[i].upto - (i ? way[i - 1].upto : 0)));
    }
    return NP_OK;
}

/* ---- Routes ---- */

/* A batch of packets on their way, all by one hop; those that are there leave it. */
static uint32_t take_hop(work *w, uint32_t count, np_node *at, np_ticket *ticket, double *weight)
{
    np_port port[NP_PATH_BATCH];
    uint32_t left = 0;
    w->path.rule->next(&w->path, count, at, ticket, port);
    for (uint32_t i = 0; i < count; i++) {
        if (port[i] == NP_NONE)
            continue;
        np_link link = np_network_link_at(w->network, at[i], port[i]);
        w->load[link] += weight[i];
        at[left] = np_network_link_head(w->network, link);
        ticket[left] = ticket[i];
        weight[left++] = weight[i];
    }
    return left;
}

static void walk_batch(work *w, uint32_t first, uint32_t count)
{
    const np_draws draws = {w->options->seed, w->run, 0, NP_RANDOM_TICKET};
    np_packet packet[NP_PATH_BATCH];
    np_ticket ticket[NP_PATH_BATCH];
    for (uint32_t i = 0; i < count; i++)
        packet[i] = w->first + first + i;
    if (w->path.rule->ways)
        memcpy(ticket, &w->ticket[first], count * sizeof *ticket);
    else
        w->path.rule->start(&w->path, &draws, count, packet, &w->from[first], &w->goal[first], ticket);
    while (count)
        count = take_hop(w, count, &w->from[first], ticket, &w->weight[first]);
}

/* Finds and walks the routes of the pairs that wait. */
static np_status walk_pairs(work *w)
{
    const np_demand demand = {.draws = {w->options->seed, w->run, 0, NP_RANDOM_TICKET},
                              .first = w->first,
                              .count = w->pairs,
                              .from = w->from,
                              .to = w->goal};
    np_status st = NP_OK;
    if (w->routes)
        st = np_routes_find(w->routes, 0, &demand);
    for (uint32_t i = 0; i < w->pairs && !st; i += NP_PATH_BATCH)
        walk_batch(w, i, w->pairs - i < NP_PATH_BATCH ? w->pairs - i : NP_PATH_BATCH);
    w->first += w->pairs;
    w->pairs = 0;
    return st;
}

/* Up from host u, and down to the target: the rest of the way is between their switches. */
static void load_hosts(work *w, np_node u, np_node target, np_node *from, np_node *goal)
{
    const np_network *network = w->network, *switches = network->switches;
    *from = np_network_link_head(network, np_network_link_at(network, u, 0));
    *goal = np_network_link_head(network, np_network_link_at(network, target, 0));
    np_port down = switches->ports + (target - switches->nodes) % network->per_switch;
    w->load[np_network_link_at(network, u, 0)] += w->amount[u];
    w->load[np_network_link_at(network, *goal, down)] += w->amount[u];
}

static np_status go_by_ways(work *w, np_node target)
{
    const np_path_rule *rule = w->path.rule;
    np_status st = NP_OK;
    for (np_node u = 0; u < w->nodes && !st; u++) {
        np_node from = u, goal = target;
        if (!(w->amount[u] > 0))
            continue;
        if (w->options->path->inner)
            load_hosts(w, u, target, &from, &goal);
        uint32_t ways = rule->ways(&w->path, from, goal, 0, &w->ticket[w->pairs]);
        for (uint32_t way = 0; way < ways && !st; way++) {
            rule->ways(&w->path, from, goal, way, &w->ticket[w->pairs]);
            w->from[w->pairs] = from;
            w->goal[w->pairs] = goal;
            w->weight[w->pairs++] = w->amount[u] / ways;
            if (w->pairs == PAIRS)
                st = walk_pairs(w);
        }
    }
    return st;
}

static np_status go_by_routes(work *w, np_node target)
{
    np_status st = NP_OK;
    uint32_t times = np_path_draws(w->options->path) ? NP_LOADS_DRAWS : 1;
    for (np_node u = 0; u < w->nodes && !st; u++)
        for (uint32_t k = 0; k < times && w->amount[u] > 0 && !st; k++) {
            w->from[w->pairs] = u;
            w->goal[w->pairs] = target;
            w->weight[w->pairs++] = w->amount[u] / times;
            if (w->pairs == PAIRS)
                st = walk_pairs(w);
        }
    return st;
}

static np_status go_by_tree(work *w, np_node target)
{
    np_node from, goal = target;
    for (np_node u = w->tree.nodes; u < w->nodes; u++) /* hosts, if any: behind their switches */
        if (w->amount[u] > 0) {
            load_hosts(w, u, target, &from, &goal);
            w->amount[from] += w->amount[u];
        }
    np_route_tree_find(&w->tree, goal, w->amount);
    np_route_tree_carry(&w->tree, w->amount, w->load);
    return NP_OK;
}

/* The rule whose ways can be counted: of the network, or of its switches; NULL: none. */
static const np_path *counted(const np_path *path) { return by_switches(path)->rule->ways ? by_switches(path) : NULL; }

static np_status prepare_routes(work *w)
{
    const np_path *ways = counted(w->options->path);
    const np_routes_options options = np_routes_of_phase(w->options->path, PAIRS);
    w->path = ways ? *ways : *w->options->path;
    if (!w->path.rule->chooser)
        return NP_OK;
    np_status st = np_routes_create(&options, &w->routes);
    w->path.routes = w->routes;
    return st;
}

/* ---- All of it ---- */

static np_status go_by_chances(work *w, np_node root) { return np_load_chances_go(&w->chances, root); }

static np_status go(work *w, np_status (*to)(work *w, np_node target))
{
    np_status st = NP_OK;
    for (np_node target = 0; target < w->nodes && !st; target++) {
        if (w->amount) {
            memset(w->amount, 0, w->nodes * sizeof *w->amount);
            (void)w->amounts->to(w->amounts->context, target, w->amount);
        }
        if (!(st = to(w, target)))
            st = np_watch_share(w->options->watch, "the loads of the paths", (double)target / w->nodes);
    }
    return st;
}

static np_status choose_way(work *w)
{
    const np_path *path = w->options->path;
    np_status st;
    if (w->chances.chance)
        return go(w, go_by_chances);
    w->listed = path->listed;
    if (path->rule == &np_path_k_shortest && (st = np_k_shortest_create(path, &w->shortest)))
        return st;
    if (w->listed || w->shortest)
        return go(w, go_by_list);
    if (w->tree.path)
        return go(w, go_by_tree);
    if (!(st = prepare_routes(w)) && !(st = go(w, counted(path) ? go_by_ways : go_by_routes)))
        st = walk_pairs(w);
    np_routes_free(w->routes);
    return st;
}

np_status np_loads_refuse(const np_loads_options *options)
{
    const np_path *path = options->path;
    const np_chooser *chooser = path->rule->chooser;
    if (chooser && chooser->together)
        return NP_RAISE(NP_ERROR_APPLY,
                        "paths '%.80s': each route depends on the other packets, so links have no expected loads",
                        np_path_name(path));
    if (options->split && !path->rule->even && !(path->rule->randomized && chooser && chooser->chance))
        return NP_RAISE(NP_ERROR_APPLY,
                        "split: paths '%.80s' do not choose among the links of shortest paths, as shortest, spray and "
                        "ecmp do",
                        np_path_name(path));
    return NP_OK;
}

np_status np_expected_loads(const np_amounts *amounts, const np_loads_options *options, double *load, uint32_t *draws)
{
    const np_path *path = options->path, *by = by_switches(path);
    work w = {.amounts = amounts, .options = options, .network = path->network, .load = load};
    np_status st = np_loads_refuse(options);
    if (st)
        return st;
    w.nodes = np_network_nodes(w.network);
    if (by->rule->memoryless)
        w.tree = (np_route_tree){.path = by, .network = w.network, .nodes = np_network_nodes(by->network)};
    if (!(st = np_load_chances_init(&w.chances, amounts, options, load)) &&
        !(st = np_arena_place(&w, layout, "the loads of paths", &w.block)))
        st = choose_way(&w);
    bool exact = w.chances.chance || w.listed || counted(path);
    *draws = np_path_draws(path) && !exact ? NP_LOADS_DRAWS : 0;
    np_k_shortest_free(w.shortest);
    np_load_chances_clear(&w.chances);
    np_memory_free(w.block);
    return st;
}
