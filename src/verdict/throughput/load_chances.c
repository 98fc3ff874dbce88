/* See load_chances.h. */
#include "verdict/throughput/load_chances.h"

#include <string.h>

#include "model/path/routes.h"

extern const np_path_rule np_path_spray;

np_status np_load_chances_init(np_load_chances *c, const np_amounts *amounts, const np_loads_options *options,
                               double *load)
{
    const np_path *path = options->path;
    const np_chooser *chooser = options->split || path->rule->even ? np_path_spray.chooser : path->rule->chooser;
    *c = (np_load_chances){.amounts = amounts, .path = path, .load = load, .nodes = np_network_nodes(path->network)};
    c->chance = chooser ? chooser->chance : NULL;
    np_status st = c->chance && !path->graph ? np_graph_create(path->network, &c->own) : NP_OK;
    c->seeker.graph = c->own ? c->own : path->graph;
    return st;
}

void np_load_chances_layout(np_load_chances *c, np_arena *arena)
{
    np_arena_array(arena, &c->amount, c->nodes, sizeof *c->amount, "what goes to a node");
    np_arena_array(arena, &c->share, np_network_ports(c->path->network), sizeof *c->share, "the chances of links");
    np_seeker_layout(&c->seeker, c->nodes, np_network_link_numbers(c->path->network), arena);
}

void np_load_chances_clear(np_load_chances *c) { np_graph_free(c->own); }

/* Does one link alone lead to v, from its gate? */
static bool is_behind(const np_graph *graph, np_node v)
{
    return v != NP_NONE && graph->in_row[v + 1] - graph->in_row[v] == 1 && graph->gate[v] != v;
}

/* A node with something to carry, from which no way leads to the target; NP_NONE: there is none. */
static np_node seek(np_load_chances *c, np_node target)
{
    np_seek_begin(&c->seeker, target);
    for (np_node u = 0; u < c->nodes; u++)
        if (c->amount[u] > 0 && !np_seek_back(&c->seeker, u))
            return u;
    return NP_NONE;
}

/* What is at u moves on. */
static void move_on(np_load_chances *c, np_node u)
{
    const np_graph *graph = c->seeker.graph;
    np_link first = graph->row[u], links = graph->row[u + 1] - first;
    c->chance(&c->seeker, u, c->share);
    for (np_link k = 0; k < links; k++)
        if (c->share[k] > 0) {
            double part = c->amount[u] * c->share[k];
            c->load[first + k] += part;
            c->amount[graph->head[first + k]] += part;
        }
}

/* What goes to a target joins what goes to the others behind its root, and takes its cable. */
static bool join(np_load_chances *c, np_link cable)
{
    const double all = c->amounts->to(c->amounts->context, c->seeker.graph->head[cable], c->amount);
    c->load[cable] += all;
    return all > 0;
}

/* No way leads from u to a node behind root: which one? */
static np_status refuse(np_load_chances *c, np_node root, np_node u)
{
    const np_graph *graph = c->seeker.graph;
    np_node target = root;
    for (np_link e = graph->row[root]; e < graph->row[root + 1]; e++)
        if (is_behind(graph, graph->head[e])) {
            memset(c->amount, 0, c->nodes * sizeof *c->amount);
            (void)c->amounts->to(c->amounts->context, graph->head[e], c->amount);
            target = c->amount[u] > 0 ? graph->head[e] : target;
        }
    return np_path_refuse_pair(c->path, u, target);
}

/* To a node, if several links or none lead to it, and to all to which its links alone lead. */
static bool gather(np_load_chances *c, np_node root)
{
    const np_graph *graph = c->seeker.graph;
    const bool own = !is_behind(graph, root);
    if (!own && !np_graph_leads_on(graph, root))
        return false;
    memset(c->amount, 0, c->nodes * sizeof *c->amount);
    bool some = own && c->amounts->to(c->amounts->context, root, c->amount) > 0;
    for (np_link e = graph->row[root]; e < graph->row[root + 1]; e++)
        if (is_behind(graph, graph->head[e]))
            some |= join(c, e);
    return some;
}

np_status np_load_chances_go(np_load_chances *c, np_node root)
{
    if (!gather(c, root))
        return NP_OK;
    np_node lost = seek(c, root);
    for (uint32_t i = c->seeker.backs; i-- > 1 && lost == NP_NONE;) /* the nearest is the root itself */
        if (c->amount[c->seeker.back[i]] > 0)
            move_on(c, c->seeker.back[i]);
    np_seek_end(&c->seeker);
    return lost == NP_NONE ? NP_OK : refuse(c, root, lost);
}
