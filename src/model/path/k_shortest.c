/*
 * Each packet draws one of the K shortest paths between its ends, all equally
 * likely. Some may be longer than the shortest. None goes through a node twice
 * (Yen 1971).
 *
 * The next path differs from each path found before: up to some node it
 * follows one of them, there it leaves by a hop that none of those with the
 * same beginning takes, and then it is shortest among the ways that avoid the
 * nodes of the beginning. All deviations of the latest path become candidates.
 * The shortest candidate, and among equal ones the oldest, is the next path.
 * Parallel links make no different paths; packets take them in turn.
 *
 * A search marks the nodes that it may not use with BANNED. seeker->exponent
 * has the link by which a search came to a node, and 1.
 */
#include "model/path/k_shortest.h"

#include <string.h>

#include "base/memory.h"
#include "base/order.h"
#include "base/room.h"
#include "model/path/finding.h"

#define BANNED UINT32_MAX

/* A path, as ports; `spur`: it follows an earlier path for so many hops. */
typedef struct way {
    size_t place; /* in yen.port */
    uint32_t hops, spur;
    bool taken;
} way;

/* The paths and candidates of one pair. */
typedef struct yen {
    np_seeker *seeker;
    np_node from, to;
    way *way; /* [ways] in the order in which they were found */
    size_t ways, way_room;
    np_port *port; /* [used] */
    size_t used, room;
    size_t *path; /* [paths] ways that are taken, the shortest first */
    uint32_t paths, most;
} yen;

/* Makes room for one candidate more, of as many hops as there are nodes. */
static np_status reserve(yen *y)
{
    static const char what[] = "the candidates for the K shortest paths";
    np_status st = np_memory_room(&y->way, y->ways, &y->way_room, sizeof *y->way, what);
    return st ? st
              : np_memory_need(&y->port, y->used, y->used + y->seeker->graph->nodes, &y->room, sizeof *y->port, what);
}

/* Searches from a node to the target, past banned nodes. The first hop must not lead to a node in barred[]. */
static bool search(yen *y, np_node spur, size_t bars, const np_node *barred)
{
    np_seeker *seeker = y->seeker;
    const np_graph *graph = seeker->graph;
    seeker->backs = 0;
    seeker->back[seeker->backs++] = spur;
    seeker->mark[spur] = 1;
    for (uint32_t i = 0; i < seeker->backs && !seeker->mark[y->to]; i++) {
        np_node u = seeker->back[i];
        for (np_link link = graph->row[u]; link < graph->row[u + 1]; link++) {
            np_node v = graph->head[link];
            bool bar = v == NP_NONE || seeker->mark[v];
            for (size_t k = 0; i == 0 && k < bars; k++)
                bar = bar || barred[k] == v;
            if (bar)
                continue;
            seeker->mark[v] = 1;
            seeker->extra[v] = link; /* by which the search came */
            seeker->back[seeker->backs++] = v;
        }
    }
    return seeker->mark[y->to] == 1;
}

static void forget(np_seeker *seeker)
{
    for (uint32_t i = 0; i < seeker->backs; i++)
        seeker->mark[seeker->back[i]] = 0;
    seeker->backs = 0;
}

/* The node that a link leaves, if the search came to its head by it. */
static np_node tail_of(const np_graph *graph, np_link link)
{
    return graph->network->row ? graph->network->tail[link]
                               : (np_node)np_order_below(graph->nodes, graph->row, link + 1) - 1;
}

/* The new way: the first `spur` hops of `base`, then the path that the search has found. */
static void add_way(yen *y, const np_port *base, uint32_t spur, np_node at)
{
    const np_graph *graph = y->seeker->graph;
    np_port *port = y->port + y->used;
    uint32_t hops = spur;
    for (np_node v = y->to; v != at; v = tail_of(graph, y->seeker->extra[v]))
        hops++;
    memmove(port, base, spur * sizeof *port);
    uint32_t k = hops;
    for (np_node v = y->to; v != at;) {
        np_link link = y->seeker->extra[v];
        np_node u = tail_of(graph, link);
        port[--k] = link - graph->row[u];
        v = u;
    }
    y->way[y->ways] = (way){.place = y->used, .hops = hops, .spur = spur};
    y->used += hops;
    y->ways++;
}

static bool begins_alike(const yen *y, const way *a, const way *b, uint32_t hops)
{
    return a->hops >= hops && b->hops >= hops &&
           !memcmp(y->port + a->place, y->port + b->place, hops * sizeof *y->port);
}

/* Nodes to which the paths go on that begin like `base` up to the node `at`. */
static size_t list_bars(const yen *y, const way *base, uint32_t spur, np_node at, np_node *barred)
{
    const np_graph *graph = y->seeker->graph;
    size_t bars = 0;
    for (uint32_t k = 0; k < y->paths; k++) {
        const way *other = &y->way[y->path[k]];
        if (other->hops > spur && begins_alike(y, base, other, spur))
            barred[bars++] = graph->head[graph->row[at] + y->port[other->place + spur]];
    }
    return bars;
}

enum { K_MAX = 64 };

/* The candidates that deviate from the latest path. The nodes of its beginning are banned one after another. */
static np_status deviate(yen *y, np_node *banned)
{
    const np_graph *graph = y->seeker->graph;
    size_t latest = y->path[y->paths - 1];
    np_node at = y->from, barred[K_MAX];
    uint32_t hops = y->way[latest].hops, bans = 0;
    np_status st = NP_OK;
    for (uint32_t spur = 0; spur < hops && !(st = reserve(y)); spur++) {
        const way *base = &y->way[latest];
        np_port port = y->port[base->place + spur];
        if (spur >= base->spur) { /* earlier ones have been tried with the path that this one follows */
            size_t bars = list_bars(y, base, spur, at, barred);
            if (search(y, at, bars, barred))
                add_way(y, y->port + base->place, spur, at);
            forget(y->seeker);
        }
        y->seeker->mark[at] = BANNED;
        banned[bans++] = at;
        at = graph->head[graph->row[at] + port];
    }
    while (bans > 0)
        y->seeker->mark[banned[--bans]] = 0;
    return st;
}

/* Takes the shortest candidate. False: there is none. */
static bool take_next(yen *y)
{
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < y->ways; i++)
        if (!y->way[i].taken && (best == SIZE_MAX || y->way[i].hops < y->way[best].hops))
            best = i;
    if (best == SIZE_MAX)
        return false;
    y->way[best].taken = true;
    y->path[y->paths++] = best;
    return true;
}

/* Finds the paths of the pair. *found = false: there is no way. */
static np_status find_paths(yen *y, bool *found)
{
    np_status st;
    y->ways = y->paths = 0;
    y->used = 0;
    if ((st = reserve(y)))
        return st;
    *found = search(y, y->from, 0, NULL);
    if (*found)
        add_way(y, y->port, 0, y->from);
    forget(y->seeker);
    if (!*found)
        return NP_OK;
    for (take_next(y); y->paths < y->most;)
        if ((st = deviate(y, y->seeker->front)) || !take_next(y))
            return st;
    return NP_OK;
}

static void draw(np_finding *f, yen *y, uint32_t i)
{
    np_draws draws = np_draws_for(f->demand->draws, NP_RANDOM_ROUTE);
    np_dice dice = np_dice_of_packet(draws, f->demand->first + (np_packet)i);
    const way *w = &y->way[y->path[np_dice_below(&dice, y->paths)]];
    np_finding_keep(f, i, w->hops, y->port + w->place);
    np_finding_share(f, i);
}

/* The packets of a gate, in the order of destination, source and number. */
static void sort_pairs(np_finding *f, uint32_t *order, uint32_t count)
{
    const np_demand *demand = f->demand;
    for (uint32_t gap = count / 2; gap > 0; gap /= 2) /* shell sort: many gates have few packets */
        for (uint32_t i = gap; i < count; i++) {
            uint32_t p = order[i], j = i;
            uint64_t key = (uint64_t)demand->to[p] << 32 | demand->from[p];
            for (; j >= gap; j -= gap) {
                uint32_t q = order[j - gap];
                uint64_t other = (uint64_t)demand->to[q] << 32 | demand->from[q];
                if (other < key || (other == key && q < p))
                    break;
                order[j] = q;
            }
            order[j] = p;
        }
}

/* All packets of a gate. */
static void find(np_finding *f, np_seeker *seeker, np_node gate)
{
    const np_routes *routes = f->routes;
    size_t path[K_MAX];
    yen y = {.seeker = seeker, .from = NP_NONE, .path = path, .most = routes->options.path->number};
    uint32_t first = routes->begin[gate], end = routes->begin[gate + 1];
    np_status st = NP_OK;
    sort_pairs(f, routes->order + first, end - first);
    for (uint32_t k = first; k < end && !st; k++) {
        uint32_t i = routes->order[k];
        bool found = true;
        if (f->demand->from[i] != y.from || f->demand->to[i] != y.to) {
            y.from = f->demand->from[i];
            y.to = f->demand->to[i];
            st = find_paths(&y, &found);
        }
        if (!found) {
            np_finding_lose(f, i);
            break;
        }
        if (!st)
            draw(f, &y, i);
    }
    if (st)
        np_finding_fail(f, st);
    NP_MEMORY_FREE(y.way, y.port);
}

static void through(np_finding *f, np_seeker *seeker, np_node first, np_node end)
{
    for (np_node gate = first; gate < end && !atomic_load(&f->stop); gate++)
        find(f, seeker, gate);
}

/* ---- Lists ---- */

struct np_k_shortest {
    np_seeker seeker;
    yen yen;
    size_t path[K_MAX];
    np_listed listed;
    void *block;
};

static void layout(void *object, np_arena *arena)
{
    np_seeker *seeker = object;
    np_seeker_layout(seeker, seeker->graph->nodes, seeker->graph->link_numbers, arena);
}

np_status np_k_shortest_create(const np_path *path, np_k_shortest **out)
{
    np_status st = np_memory_zeroed(out, 1, sizeof **out, "the K shortest paths");
    np_k_shortest *k = *out;
    if (st)
        return st;
    k->seeker.graph = path->graph;
    k->yen = (yen){.seeker = &k->seeker, .path = k->path, .most = path->number};
    return np_arena_place(&k->seeker, layout, "the K shortest paths", &k->block);
}

void np_k_shortest_free(np_k_shortest *k)
{
    if (!k)
        return;
    NP_MEMORY_FREE(k->yen.way, k->yen.port, k->listed.way, k->listed.port, k->block, k);
}

np_status np_k_shortest_to(np_k_shortest *k, size_t count, const np_node *from, np_node to, const np_listed **out)
{
    yen *y = &k->yen;
    np_status st = NP_OK;
    np_listed_empty(&k->listed);
    *out = &k->listed;
    for (size_t i = 0; i < count && !st; i++) {
        bool found;
        y->from = from[i];
        y->to = to;
        st = find_paths(y, &found);
        for (uint32_t p = 0; p < y->paths && !st; p++) {
            const way *w = &y->way[y->path[p]];
            st = np_listed_add(&k->listed, from[i], to, w->hops, y->port + w->place, false);
        }
    }
    np_listed_sort(&k->listed);
    return st;
}

const np_path_rule np_path_k_shortest = {
    .info = {"k-shortest", "each packet draws one of the K shortest paths (default 4), all equally likely", "Yen 1971",
             .parameters = "[:K]", .example = "k-shortest:8", .networks = "any"},
    .randomized = true,
    .chooser =
        &(const np_chooser){.draws = true, .shares = true, .number = 4, .number_most = K_MAX, .through = through},
    .start = np_routes_start,
    .next = np_routes_next,
    .remaining = np_routes_remaining,
};
