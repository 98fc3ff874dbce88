/*
 * The diameter by breadth-first search: from node 0 if the family is node-symmetric, from every node if the effort
 * allows this; else from as few nodes as prove the diameter (Crescenzi, Grossi, Habib, Lanzi & Marino 2013; on directed
 * graphs Crescenzi, Grossi, Lanzi & Marino 2012).
 *
 * Middle: every search gives each node a lower bound of its own farthest distance. Search by turns from the node with
 * the least bound and from the node farthest from it; a node whose bound its search confirms is the middle, c. (The
 * papers take the middle of a long shortest path; on a mesh that may be a corner.)
 *
 * Fringe: let i be the largest of d(c, y) and d(x, c) over nodes y from which no search against the links, and nodes x
 * from which no search along them was made. All pairs that no search has seen are at most d(x, c) + d(c, y) <= 2i
 * apart. So search from the nodes at distance i, and end when some distance found is 2i or more. On grids and trees a
 * few searches are enough; the worst case needs a search from every node. If the effort ends before, the largest
 * distance found is a lower bound. If every link has an opposite, one search gives the distances in both directions.
 *
 * Searches from all nodes, and from the nodes at distance i, are made many at a time (search_many.h) and looked at one after
 * the other. The fringe begins with one search and doubles their number, since few may be enough.
 */
#include "network/facts.h"

#include <string.h>

#include "base/memory.h"
#include "network/search_many.h"

enum { ROUNDS_MAX = 16, FEW = 16 }; /* ours: to look for the middle; searches that are made one by one */

static const char by_every_node[] = "by breadth-first search from every node";
static const char by_one_node[] = "by breadth-first search from node 0 (the network is node-symmetric)";
static const char by_fringe[] = "by breadth-first search from the nodes farthest from a middle one";
static const char by_some_nodes[] = "at least: more link visits to search from every node than the effort allowed";
static const char no_way[] = "infinite: some node cannot be reached from some other";
static const char in_parts[] = "infinite: the network is not connected";

/* Nodes in order of their distance from the middle, or to it. */
typedef struct fringe {
    np_node *node;                   /* [nodes] */
    uint32_t *away;                  /* [nodes] of that node */
    uint32_t left;                   /* the farthest is node[left - 1] */
    uint32_t found[NP_SEARCH_LANES]; /* how far the farthest of the next nodes is, the last first */
    uint32_t known, most;            /* how many of these, and how many are found at a time */
} fringe;

typedef struct sweep {
    np_search *search;
    bool both;          /* some link has no opposite: searches along the links and against them differ */
    uint64_t left, all; /* searches that the effort allows */
    uint32_t *distance; /* [nodes] of the last search */
    uint32_t *bound;    /* [nodes] no node's farthest is nearer */
    uint32_t largest;   /* distance found */
    np_search_many many;
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

/* Takes the effort of one search; false if it allows no more. */
static bool spend(sweep *s)
{
    if (!s->left)
        return false;
    np_search_tell(s->search, "the diameter", (double)(s->all - s->left) / (double)s->all);
    s->left--;
    return true;
}

/* One search, whose farthest node is given; false if the effort allows no more. */
static bool look(sweep *s, np_node from, bool backwards, np_node *farthest)
{
    if (!spend(s))
        return false;
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

static uint32_t top(const fringe *f) { return f->left ? f->away[f->left - 1] : 0; }

/* found[i] = how far the farthest node is from node from[i], or from[i] from it. One search touches no memory for many. */
static void find_farthest(sweep *s, const np_node *from, uint32_t count, bool backwards, uint32_t *found)
{
    if (s->many.search && count > 1) {
        np_search_farthest(&s->many, from, count, backwards, found);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        np_search_distances(s->search, from[i], backwards, s->distance);
        found[i] = s->distance[s->search->order[s->search->reached - 1]];
    }
}

/* As many again as before. */
static void find_more(sweep *s, fringe *f, bool backwards)
{
    np_node from[NP_SEARCH_LANES];
    uint32_t found[NP_SEARCH_LANES], most = f->most && s->many.search ? 2 * f->most : 1;
    f->most = most < NP_SEARCH_LANES ? most : NP_SEARCH_LANES;
    f->known = f->most < f->left ? f->most : f->left;
    for (uint32_t i = 0; i < f->known; i++)
        from[i] = f->node[f->left - 1 - i];
    find_farthest(s, from, f->known, backwards, found);
    for (uint32_t i = 0; i < f->known; i++)
        f->found[f->known - 1 - i] = found[i];
}

/* Is s->largest the diameter? False: the effort ended before that was clear. */
static bool sweep_fringe(sweep *s)
{
    np_node middle;
    if (!find_middle(s, &middle) || !fill(s, middle, false, &s->out) || (s->both && !fill(s, middle, true, &s->in)))
        return false;
    for (;;) {
        bool out = top(&s->out) >= top(&s->in);
        fringe *f = out ? &s->out : &s->in;
        if (s->largest >= 2 * (uint64_t)top(f))
            return true;
        if (!spend(s))
            return false;
        if (!f->known)
            find_more(s, f, out); /* the nodes of `out` are ends of ways: search against the links */
        f->left--;
        uint32_t far = f->found[--f->known];
        s->largest = far > s->largest ? far : s->largest;
    }
}

static void clear(sweep *s)
{
    np_memory_free(s->distance);
    np_memory_free(s->bound);
    np_memory_free(s->out.node);
    np_memory_free(s->out.away);
    np_memory_free(s->in.node);
    np_memory_free(s->in.away);
    np_search_many_clear(&s->many);
}

static np_status allocate(sweep *s)
{
    static const char what[] = "distances";
    size_t nodes = s->search->network->nodes;
    np_status st;
    if ((st = np_memory_array(&s->distance, nodes, sizeof(uint32_t), what)) ||
        (st = np_memory_zeroed(&s->bound, nodes, sizeof(uint32_t), what)) ||
        (st = np_memory_array(&s->out.node, nodes, sizeof(np_node), what)) ||
        (st = np_memory_array(&s->out.away, nodes, sizeof(uint32_t), what)) ||
        (s->all > FEW && (st = np_search_many_init(&s->many, s->search))))
        return st;
    s->both = !is_two_way(s->search, s->bound);
    memset(s->bound, 0, nodes * sizeof *s->bound);
    if (s->both && ((st = np_memory_array(&s->in.node, nodes, sizeof(np_node), what)) ||
                    (st = np_memory_array(&s->in.away, nodes, sizeof(uint32_t), what))))
        return st;
    return NP_OK;
}

/* The effort allows it. */
static void search_from_all(sweep *s, np_node from_nodes)
{
    np_node from[NP_SEARCH_LANES];
    uint32_t found[NP_SEARCH_LANES], count;
    for (np_node first = 0; first < from_nodes; first += count) {
        count = from_nodes - first < NP_SEARCH_LANES ? from_nodes - first : NP_SEARCH_LANES;
        for (uint32_t i = 0; i < count; i++)
            from[i] = first + i;
        find_farthest(s, from, count, false, found);
        for (uint32_t i = 0; i < count && spend(s); i++)
            s->largest = found[i] > s->largest ? found[i] : s->largest;
    }
}

np_status np_diameter_measure(np_search *search, uint64_t effort, np_network_facts *facts)
{
    const np_network *network = search->network;
    uint64_t links = network->links ? network->links : 1;
    np_figure *diameter = &facts->diameter;
    bool symmetric = network->family->node_symmetric;
    np_node from_nodes = symmetric ? 1 : network->nodes;
    sweep s = {.search = search, .left = effort / links};
    if (!facts->strongly_connected) {
        diameter->note = facts->connected ? no_way : in_parts;
        return NP_OK;
    }
    bool all = from_nodes <= s.left, exact = true;
    s.all = s.left = all ? from_nodes : s.left;
    np_status st = allocate(&s);
    if (!st) {
        if (all)
            search_from_all(&s, from_nodes);
        else
            exact = sweep_fringe(&s);
        diameter->measured_known = true;
        diameter->measured = s.largest;
        diameter->lower_bound = !exact;
        diameter->needs = exact ? 0 : from_nodes * links;
        diameter->note = !exact ? by_some_nodes : !all ? by_fringe : symmetric ? by_one_node : by_every_node;
    }
    clear(&s);
    return st;
}
