/*
 * The diameter by breadth-first search: from node 0 if the family is node-symmetric, from every node if this is little
 * work; else from as few nodes as prove the diameter (Crescenzi, Grossi, Habib, Lanzi & Marino 2013; on directed
 * graphs Crescenzi, Grossi, Lanzi & Marino 2012; bounds of Takes & Kosters 2011).
 *
 * Middle: every search gives each node a lower bound of its own farthest distance. Search by turns from the node with
 * the least bound and from the node farthest from it; a node whose bound its search confirms is the middle, c. (The
 * papers take the middle of a long shortest path; on a mesh that may be a corner.)
 *
 * Fringe: let i be the largest of d(c, y) and d(x, c) over nodes y that still need a search against the links, and
 * nodes x that still need one along them. No pair of such nodes is farther apart than d(x, c) + d(c, y) <= 2i. So
 * search from the nodes at distance i, and end when some distance found is 2i or more. On grids and trees a few
 * searches are enough.
 *
 * Bounds: if the farthest node is e away from x, it is at most e + 1 away from a node with a link to x, and so on.
 * Where this is no more than the largest distance found, no search is needed. So the next searches are from nodes that
 * are not neighbours of one another, as long as there are such. In a random graph whose farthest distances are d - 1
 * from most nodes, and d from few, this saves most searches. The worst case, the same farthest distance from all nodes,
 * needs a search from every node. If the effort ends before, the largest distance found is a lower bound. If every link
 * has an opposite, one search gives the distances in both directions.
 *
 * Searches from all nodes, and from the nodes at distance i, are made many at a time (search_many.h). The fringe begins
 * with one search and doubles their number, since few may be enough.
 */
#include "model/network/facts.h"

#include <string.h>

#include "base/memory.h"
#include "model/network/search_many.h"

enum {
    ROUNDS_MAX = 16,           /* ours: to look for the middle */
    FEW = 16,                  /* ours: fewer searches are made one by one */
    ALL_VISITS_MAX = 100000000 /* ours: with fewer visits, a second or so, all nodes are searched from */
};

static const char by_every_node[] = "by breadth-first search from every node";
static const char by_one_node[] = "by breadth-first search from node 0 (the network is node-symmetric)";
static const char by_fringe[] = "by breadth-first search from the nodes farthest from a middle one";
static const char by_some_nodes[] = "at least: more link visits to search from every node than the effort allowed";
static const char no_way[] = "infinite: some node cannot be reached from some other";
static const char in_parts[] = "infinite: the network is not connected";

/* Nodes in order of their distance from the middle, or to it. */
typedef struct fringe {
    np_node *node;   /* [nodes] */
    uint32_t *away;  /* [nodes] of that node */
    uint32_t *bound; /* [nodes] by node: how far the farthest node is at most */
    uint32_t left;   /* the nodes from this place on need no search */
    uint32_t most;   /* searches to make at a time */
} fringe;

typedef struct sweep {
    np_search *search;
    bool both;          /* some link has no opposite: searches along the links and against them differ */
    uint64_t links;     /* visits of a search */
    uint64_t left, all; /* visits that the effort allows */
    uint32_t *distance; /* [nodes] of the last search */
    uint32_t *bound;    /* [nodes] no node's farthest is nearer */
    uint32_t *mark; /* [nodes] when a node or its neighbour was chosen; the array of bound[], when its use has ended */
    uint32_t choices;
    uint32_t largest; /* distance found */
    uint32_t apart;   /* no nodes are farther apart, as far as the middle tells */
    np_search_many many;
    np_status status;
    fringe out, in;
} sweep;

/*
 * Has every link an opposite? Go through the nodes in ascending order, and through the links into each node: so each
 * tail meets its heads in ascending order. Compare its heads with the tails of the links into it. met: [nodes], zeros
 */
static bool is_two_way(const np_search *search, uint32_t *met)
{
    const np_network *network = search->network;
    for (np_node v = 0; v < network->nodes; v++)
        for (uint32_t j = search->in_row[v]; j < search->in_row[v + 1]; j++) {
            np_node u = np_network_link_tail(network, search->in[j]);
            uint32_t k = search->in_row[u] + met[u]++;
            if (k >= search->in_row[u + 1] || np_network_link_tail(network, search->in[k]) != v)
                return false;
        }
    return true;
}

/* Does the effort allow a search? Then the watch is told. False, too, if the watch cancelled. */
static bool may_search(const sweep *s)
{
    if (s->left < s->links)
        return false;
    np_search_tell(s->search, "the diameter", (double)(s->all - s->left) / (double)s->all);
    return !np_search_cancelled(s->search);
}

static void spend(sweep *s, uint64_t visits) { s->left -= visits < s->left ? visits : s->left; }

/* One search, whose farthest node is given; false if the effort allows no more. */
static bool look(sweep *s, np_node from, bool backwards, np_node *farthest)
{
    if (!may_search(s))
        return false;
    spend(s, s->links);
    np_search_distances(s->search, from, backwards, s->distance);
    *farthest = s->search->order[s->search->reached - 1];
    if (s->distance[*farthest] > s->largest)
        s->largest = s->distance[*farthest];
    return true;
}

/* Searches from a node in both directions, and updates the bounds of all nodes. */
static bool look_around(sweep *s, np_node from, np_node *farthest)
{
    np_node nodes = s->search->network->nodes;
    uint32_t most = 0;
    for (int backwards = 0; backwards <= s->both; backwards++) {
        np_node far;
        if (!look(s, from, backwards, &far))
            return false;
        for (np_node u = 0; u < nodes; u++)
            s->bound[u] = s->distance[u] > s->bound[u] ? s->distance[u] : s->bound[u];
        if (s->distance[far] >= most) {
            most = s->distance[far];
            *farthest = far;
        }
    }
    s->bound[from] = most;
    return true;
}

static np_node least_bound(const sweep *s)
{
    np_node least = 0;
    for (np_node u = 1; u < s->search->network->nodes; u++)
        if (s->bound[u] < s->bound[least])
            least = u;
    return least;
}

static bool find_middle(sweep *s, np_node *middle)
{
    np_node far, farther;
    if (!look_around(s, 0, &far) || !look_around(s, far, &farther))
        return false;
    for (int round = 0; round < ROUNDS_MAX; round++) {
        *middle = least_bound(s);
        uint32_t promised = s->bound[*middle];
        if (!look_around(s, *middle, &far))
            return false;
        if (s->bound[*middle] == promised)
            break;
        if (!look_around(s, far, &farther))
            return false;
    }
    return true;
}

static bool fill(sweep *s, np_node middle, bool backwards, fringe *f)
{
    np_node far;
    if (!look(s, middle, backwards, &far))
        return false;
    f->left = s->search->reached;
    for (uint32_t i = 0; i < f->left; i++) {
        f->node[i] = s->search->order[i];
        f->away[i] = s->distance[f->node[i]];
    }
    return true;
}

/* Nodes that need no search leave the end of the fringe. The distance of the farthest that is left. */
static uint32_t top(const sweep *s, fringe *f)
{
    while (f->left && f->bound[f->node[f->left - 1]] <= s->largest)
        f->left--;
    return f->left ? f->away[f->left - 1] : 0;
}

/*
 * found[i] = how far the farthest node is from node from[i], or from[i] from it. Few searches touch no memory for many.
 */
static bool find_farthest(sweep *s, const np_node *from, uint32_t count, bool backwards, uint32_t *found)
{
    if (count >= FEW && !s->many.search && (s->status = np_search_many_init(&s->many, s->search)))
        return false;
    if (count >= FEW) {
        uint64_t before = s->many.visits;
        s->many.share = (double)(s->all - s->left) / (double)s->all;
        np_search_farthest(&s->many, from, count, backwards, found);
        spend(s, s->many.visits - before);
        return !np_search_cancelled(s->search);
    }
    for (uint32_t i = 0; i < count; i++) {
        np_search_distances(s->search, from[i], backwards, s->distance);
        found[i] = s->distance[s->search->order[s->search->reached - 1]];
    }
    spend(s, count * s->links);
    return true;
}

/* The links of node u, as places of head[], or the links into it, as places of in[]. */
static uint32_t row_of(const np_search *search, np_node u, bool into, uint32_t *end)
{
    *end = into ? search->in_row[u + 1] : np_network_first_link(search->network, u + 1);
    return into ? search->in_row[u] : np_network_first_link(search->network, u);
}

/* The other node of a link in its row; NP_NONE: unused. */
static np_node other(const np_search *search, bool into, uint32_t i)
{
    return into ? np_network_link_tail(search->network, search->in[i]) : search->head[i];
}

/*
 * A search from a node of the fringe found its farthest node `far` hops away. Nodes to which a way of h hops leads from
 * there (from which it leads there, unless backwards) have theirs at most far + h away. bound[] falls as far as this
 * matters.
 */
static void lower_bounds(sweep *s, fringe *f, bool backwards, np_node from, uint32_t far)
{
    uint32_t *queue = s->search->order, count = 0, end;
    f->bound[from] = far;
    queue[count++] = from;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t bound = f->bound[queue[k]] + 1;
        if (bound > s->largest)
            return; /* the queue ascends */
        for (uint32_t i = row_of(s->search, queue[k], !backwards, &end); i < end; i++) {
            np_node v = other(s->search, !backwards, i);
            if (v != NP_NONE && f->bound[v] > bound) {
                f->bound[v] = bound;
                queue[count++] = v;
            }
        }
    }
}

/*
 * The node is chosen, and its neighbours are next to a chosen node. Marks of earlier choices are less than 2 * choices.
 */
static void mark(sweep *s, bool backwards, np_node u)
{
    uint32_t beside = 2 * s->choices, end;
    s->mark[u] = beside + 1;
    for (uint32_t i = row_of(s->search, u, !backwards, &end); i < end; i++) {
        np_node v = other(s->search, !backwards, i);
        if (v != NP_NONE && s->mark[v] < beside)
            s->mark[v] = beside;
    }
}

/*
 * Chooses nodes to search from, the farthest first: at first none beside another, since one search may be enough for
 * both, and then any.
 */
static uint32_t choose(sweep *s, const fringe *f, bool backwards, uint32_t most, np_node *from)
{
    uint32_t count = 0;
    s->choices++;
    for (uint32_t any = 0; any < 2; any++)
        for (uint32_t i = f->left; i-- > 0 && count < most && 2 * (uint64_t)f->away[i] > s->largest;) {
            np_node u = f->node[i];
            if (f->bound[u] > s->largest && s->mark[u] < 2 * s->choices + any) {
                mark(s, backwards, u);
                from[count++] = u;
            }
        }
    return count;
}

/* As many searches again as before. False: the effort or memory has ended, or the watch has cancelled. */
static bool search_fringe(sweep *s, fringe *f, bool backwards)
{
    np_node from[NP_SEARCH_LANES];
    uint32_t found[NP_SEARCH_LANES], most;
    if (!may_search(s))
        return false;
    f->most = f->most ? 2 * f->most : 1;
    f->most = f->most < NP_SEARCH_LANES ? f->most : NP_SEARCH_LANES;
    most = s->left / s->links < f->most ? (uint32_t)(s->left / s->links) : f->most;
    most = choose(s, f, backwards, most, from);
    if (!find_farthest(s, from, most, backwards, found))
        return false;
    for (uint32_t i = 0; i < most; i++)
        s->largest = found[i] > s->largest ? found[i] : s->largest;
    for (uint32_t i = 0; i < most; i++)
        lower_bounds(s, f, backwards, from[i], found[i]);
    return true;
}

/* Is s->largest the diameter? False: the effort ended before that was clear. */
static bool sweep_fringe(sweep *s)
{
    np_node middle;
    if (!find_middle(s, &middle) || !fill(s, middle, false, &s->out) || (s->both && !fill(s, middle, true, &s->in)))
        return false;
    s->apart = s->out.away[s->out.left - 1] + (s->both ? s->in : s->out).away[s->out.left - 1];
    memset(s->mark, 0, s->search->network->nodes * sizeof *s->mark);
    for (;;) {
        bool out = top(s, &s->out) >= top(s, &s->in);
        fringe *f = out ? &s->out : &s->in;
        if (s->largest >= 2 * (uint64_t)top(s, f))
            return true;
        if (!search_fringe(s, f, out)) /* the nodes of `out` are ends of ways: search against the links */
            return false;
    }
}

/* So much effort is always enough: as many searches at a time as there are lanes visit each link once a hop. */
static uint64_t enough(const sweep *s, uint64_t nodes)
{
    uint64_t together = (nodes / NP_SEARCH_LANES + 10) * (s->apart + UINT64_C(1)); /* 10: 1 search, 2, 4 .. */
    uint64_t searches = !s->apart || nodes < together ? nodes : together;
    if (nodes <= ALL_VISITS_MAX / s->links)
        return nodes * s->links;
    return (1 + s->both) * (2 * ROUNDS_MAX + 5 + searches) * s->links;
}

static void clear(sweep *s)
{
    NP_MEMORY_FREE(s->distance, s->bound, s->out.node, s->out.away, s->out.bound, s->in.node, s->in.away, s->in.bound);
    np_search_many_clear(&s->many);
}

static np_status allocate_fringe(fringe *f, size_t nodes)
{
    static const char what[] = "the fringe of a search";
    np_status st;
    if ((st = np_memory_array(&f->node, nodes, sizeof *f->node, what)) ||
        (st = np_memory_array(&f->away, nodes, sizeof *f->away, what)) ||
        (st = np_memory_array(&f->bound, nodes, sizeof *f->bound, what)))
        return st;
    memset(f->bound, 0xff, nodes * sizeof *f->bound); /* no bound */
    return NP_OK;
}

static np_status allocate(sweep *s, bool all)
{
    static const char what[] = "distances";
    size_t nodes = s->search->network->nodes;
    np_status st;
    if ((st = np_memory_array(&s->distance, nodes, sizeof(uint32_t), what)) || all ||
        (st = np_memory_zeroed(&s->bound, nodes, sizeof(uint32_t), what)) || (st = allocate_fringe(&s->out, nodes)))
        return st;
    s->mark = s->bound;
    s->both = !is_two_way(s->search, s->bound);
    memset(s->bound, 0, nodes * sizeof *s->bound);
    return s->both ? allocate_fringe(&s->in, nodes) : NP_OK;
}

/* The effort allows it. */
static void search_from_all(sweep *s, np_node from_nodes)
{
    np_node from[NP_SEARCH_LANES];
    uint32_t found[NP_SEARCH_LANES], count;
    for (np_node first = 0; first < from_nodes && may_search(s); first += count) {
        count = from_nodes - first < NP_SEARCH_LANES ? from_nodes - first : NP_SEARCH_LANES;
        for (uint32_t i = 0; i < count; i++)
            from[i] = first + i;
        if (!find_farthest(s, from, count, false, found))
            return;
        for (uint32_t i = 0; i < count; i++)
            s->largest = found[i] > s->largest ? found[i] : s->largest;
        s->left = (from_nodes - first - count) * s->links; /* whatever was saved by searching together */
    }
}

np_status np_diameter_measure(np_search *search, uint64_t effort, np_network_facts *facts)
{
    const np_network *network = search->network;
    np_figure *diameter = &facts->diameter;
    bool symmetric = network->family->node_symmetric;
    np_node from_nodes = symmetric ? 1 : network->nodes;
    sweep s = {.search = search, .links = network->links ? network->links : 1, .left = effort};
    if (!facts->strongly_connected) {
        diameter->note = facts->connected ? no_way : in_parts;
        return NP_OK;
    }
    bool all = from_nodes <= (symmetric || effort < ALL_VISITS_MAX ? effort : ALL_VISITS_MAX) / s.links, exact = true;
    s.all = s.left = all ? from_nodes * s.links : effort;
    s.status = allocate(&s, all);
    if (!s.status && all)
        search_from_all(&s, from_nodes);
    else if (!s.status)
        exact = sweep_fringe(&s);
    if (!s.status) {
        diameter->measured_known = true;
        diameter->measured = s.largest;
        diameter->lower_bound = !exact;
        diameter->needs = exact ? 0 : enough(&s, network->nodes);
        diameter->note = !exact ? by_some_nodes : !all ? by_fringe : symmetric ? by_one_node : by_every_node;
    }
    clear(&s);
    return s.status;
}
