/*
 * See loads.h. Four ways, by what a rule is:
 *
 *   chances  For each destination, the nodes from which there is something to carry are marked by a search, and what
 *            is at a node moves on by the rule's own chances (np_chooser.chance), the farthest node first. Nodes to
 * which one link leads, as to hosts, share the search of the node that it comes from, through which all goes. listed
 * The paths of a file, by their weights, or the K shortest ones. Parallel links share evenly, as packets take them in
 * turn, unless the path names ports. ways     All tickets of a pair that are equally likely (np_path_rule.ways), if
 * they can be counted: each is walked with its share. Where hosts hang on every switch, from switch to switch. routes
 * Each pair is a packet, and its route is walked; several times, if the rule draws. Those of a memoryless rule to one
 * destination are a tree, and walked as one (route_tree.h).
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
#include "verdict/throughput/route_tree.h"

enum { PAIRS = 1 << 16 /* whose routes are found together: ours */ };

extern const np_path_rule np_path_spray;

typedef struct work {
    const np_amounts *amounts;
    const np_loads_options *options;
    const np_network *network;
    np_node nodes;
    double *load; /* the caller's */
    void (*chance)(np_seeker *seeker, np_node u, double *chance);

    np_graph *graph; /* of a rule that has none; or NULL */
    double *amount;  /* [nodes] to a destination */
    double *share;   /* [ports] chances of a node's links */
    np_node *source; /* [nodes] those of a target */
    np_seeker seeker;

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
    np_arena_zeroed(arena, &w->amount, w->nodes, sizeof *w->amount, "what goes to a node");
    np_arena_array(arena, &w->share, np_network_ports(w->network), sizeof *w->share, "the chances of links");
    if (w->chance) {
        np_seeker_layout(&w->seeker, w->nodes, np_network_link_numbers(w->network), arena);
        return;
    }
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

/* What goes to the target. */
static void take_amounts(work *w, np_node target)
{
    memset(w->amount, 0, w->nodes * sizeof *w->amount);
    (void)w->amounts->to(w->amounts->context, target, w->amount);
}

/* ---- By chances ---- */

/* Does one link alone lead to v, from its gate? */
static bool is_behind(const np_graph *graph, np_node v)
{
    return v != NP_NONE && graph->in_row[v + 1] - graph->in_row[v] == 1 && graph->gate[v] != v;
}

/* A node with something to carry, from which no way leads to the target; NP_NONE: there is none. */
static np_node seek(work *w, np_node target)
{
    np_seek_begin(&w->seeker, target);
    for (np_node u = 0; u < w->nodes; u++)
        if (w->amount[u] > 0 && !np_seek_back(&w->seeker, u))
            return u;
    return NP_NONE;
}

/* What is at u moves on. */
static void move_on(work *w, np_node u)
{
    const np_graph *graph = w->seeker.graph;
    np_link first = graph->row[u], links = graph->row[u + 1] - first;
    w->chance(&w->seeker, u, w->share);
    for (np_link k = 0; k < links; k++)
        if (w->share[k] > 0) {
            double part = w->amount[u] * w->share[k];
            w->load[first + k] += part;
            w->amount[graph->head[first + k]] += part;
        }
}

/* What goes to a target joins what goes to the others behind its root, and takes its cable; NP_NONE: it is the root. */
static bool join(work *w, np_node target, np_link cable)
{
    double all = w->amounts->to(w->amounts->context, target, w->amount);
    if (cable != NP_NONE)
        w->load[cable] += all;
    return all > 0;
}

/* No way leads from u to a node behind root: which one? */
static np_status refuse(work *w, np_node root, np_node u)
{
    const np_graph *graph = w->seeker.graph;
    np_node target = root;
    for (np_link e = graph->row[root]; e < graph->row[root + 1]; e++)
        if (is_behind(graph, graph->head[e])) {
            take_amounts(w, graph->head[e]);
            target = w->amount[u] > 0 ? graph->head[e] : target;
        }
    return np_path_refuse_pair(w->options->path, u, target);
}

/* To a node, if several links or none lead to it, and to all to which its links alone lead. */
static bool gather(work *w, np_node root)
{
    const np_graph *graph = w->seeker.graph;
    bool some = false, own = !is_behind(graph, root);
    if (!own && !np_graph_leads_on(graph, root))
        return false;
    memset(w->amount, 0, w->nodes * sizeof *w->amount);
    if (own)
        some = join(w, root, NP_NONE);
    for (np_link e = graph->row[root]; e < graph->row[root + 1]; e++)
        if (is_behind(graph, graph->head[e]))
            some |= join(w, graph->head[e], e);
    return some;
}

static np_status go_by_chances(work *w, np_node root)
{
    if (!gather(w, root))
        return NP_OK;
    np_node lost = seek(w, root);
    for (uint32_t i = w->seeker.backs; i-- > 1 && lost == NP_NONE;) /* the nearest is the root itself */
        if (w->amount[w->seeker.back[i]] > 0)
            move_on(w, w->seeker.back[i]);
    np_seek_end(&w->seeker);
    return lost == NP_NONE ? NP_OK : refuse(w, root, lost);
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

static np_status go(work *w, np_status (*to)(work *w, np_node target))
{
    np_status st = NP_OK;
    for (np_node target = 0; target < w->nodes && !st; target++) {
        if (!w->chance)
            take_amounts(w, target);
        if (!(st = to(w, target)))
            st = np_watch_share(w->options->watch, "the loads of the paths", (double)target / w->nodes);
    }
    return st;
}

static np_status choose_way(work *w)
{
    const np_path *path = w->options->path;
    np_status st;
    if (w->chance)
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

/* By whose chances packets move on. */
static np_status choose_chances(work *w)
{
    const np_path *path = w->options->path;
    const np_chooser *chooser = path->rule->chooser;
    np_status st = NP_OK;
    bool spread = w->options->split || path->rule->even;
    w->chance = spread ? np_path_spray.chooser->chance : chooser ? chooser->chance : NULL;
    if (w->chance && !path->graph)
        st = np_graph_create(w->network, &w->graph);
    w->seeker.graph = w->graph ? w->graph : path->graph;
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
    if (!(st = choose_chances(&w)) && !(st = np_arena_place(&w, layout, "the loads of paths", &w.block)))
        st = choose_way(&w);
    bool exact = w.chance || w.listed || counted(path);
    *draws = np_path_draws(path) && !exact ? NP_LOADS_DRAWS : 0;
    np_k_shortest_free(w.shortest);
    np_graph_free(w.graph);
    np_memory_free(w.block);
    return st;
}
