/*
 * Is a path rule nonrepeating (Valiant & Brebner 1981, section 2)?
 *
 * The definition speaks of pairs of routes, N^4 of them. It is enough to go
 * link by link. Fix a link e. In a route that uses e, call the distance from e
 * to f along the route the offset of link f; it is negative if f comes first.
 * The rule is nonrepeating iff for all links e and f
 *   (1) f has the same offset in every route that uses both, and
 *   (2) if the offset is at least 2, the link before f is the same in all these.
 * By induction on the offset (2) makes all links in between the same. So
 * compare each route that uses e and f with the first such route. This takes
 * time proportional to the sum of the squares of the route lengths.
 *
 * A route that uses e twice has e at offset 0 and at another offset, and fails
 * (1). It should fail: a second packet with the same route, or with any route
 * that uses e once, violates the definition (k - i != m - j).
 *
 * The same check without negative offsets tests a weaker property: it leaves out
 * links which two routes use in opposite orders. For shortest routes the argument
 * of section 6 ("at most one path of length k between u and v") gives only this
 * weaker property: on the 2-way shuffle with 8 nodes the definition itself is
 * violated.
 *
 * Symbols: a hop is an entry of the list of all routes, end to end.
 */
#include "base/memory.h"
#include "base/watch.h"
#include "run/check/check.h"
#include "model/path/path.h"

static const uint64_t HOPS_MAX = UINT32_MAX - 1; /* hops are counted in 32 bits */
enum { TELL_EVERY = 1024 };                      /* routes or hops: ours, well below a millisecond */

#define AT(member) offsetof(np_check_options, member)

static const np_field rows[] = {
    {"seed", NP_FIELD_SEED, AT(seed), .help = "Where all random choices come from", .preset = "1", .placeholder = "N"},
    {"runs", NP_FIELD_U32, AT(runs), .help = "Phases run for oblivious and, where it is measured, symmetric", .low = 1,
     .preset = "200", .placeholder = "N"},
    {"samples", NP_FIELD_U32, AT(samples), .help = "Routes drawn for nonrepeating where there are too many", .low = 1,
     .high = UINT32_MAX - 1, .preset = "65536", .placeholder = "N"},
    {"effort", NP_FIELD_U64, AT(effort), "hops",
     .help = "Go through all routes where that takes at most N hops, and stop drawing there (default: 100000000, "
             "seconds for "
             "each property)",
     .low = 1, .high = UINT32_MAX, .preset = "100000000", .placeholder = "N"},
    {"error_rate", NP_FIELD_REAL, AT(error_rate), .help = "Of the test in symmetric", .most = 1, .preset = "0.001",
     .placeholder = "P"},
};

const np_fields np_check_options_fields = NP_OPTIONS("check_options", "a check", np_check_options, rows, NULL);

/* All routes under examination, end to end. */
typedef struct {
    const np_path *path;
    np_check_options options;
    np_node nodes;
    bool exhaustive;
    uint32_t routes, hops;
    size_t capacity;  /* the room of link and route */
    uint32_t *start;  /* [routes + 1] first hop of each route */
    np_link *link;    /* [hops] */
    uint32_t *route;  /* [hops] the route that a hop belongs to */
    uint32_t *sorted; /* [hops] hops in order of their links */
} collection;

/* The hops of the first route that used both e and f. */
typedef struct {
    uint32_t stamp; /* e + 1 */
    uint32_t hop;   /* that route's hop over e */
    int32_t offset; /* offset of f in that route */
} sighting;

static void clear(collection *all) { NP_MEMORY_FREE(all->start, all->link, all->route, all->sorted); }

static np_check_route route_at(const collection *all, uint32_t r)
{
    if (all->exhaustive)
        return (np_check_route){r / all->nodes, r % all->nodes, r};
    np_draws draws = {all->options.seed, 0, (uint16_t)all->options.phase, NP_RANDOM_CHECK};
    return (np_check_route){np_random_below(&draws, r, 0, all->nodes), np_random_below(&draws, r, 1, all->nodes), r};
}

static np_status walk(const collection *all, np_check_route route, size_t capacity, np_link *links, size_t *hops)
{
    return np_path_walk(all->path, route.from, route.to, all->options.seed, 0, (uint16_t)all->options.phase,
                        route.packet, capacity, links, hops);
}

static np_status reserve(collection *all, size_t hops)
{
    np_status st;
    if (hops <= all->capacity)
        return NP_OK;
    size_t capacity = 2 * hops;
    if ((st = np_memory_grow(&all->link, all->hops, capacity, sizeof *all->link, "routes to check")) ||
        (st = np_memory_grow(&all->route, all->hops, capacity, sizeof *all->route, "routes to check")))
        return st;
    all->capacity = capacity;
    return NP_OK;
}

/* The work has three parts, which take about the same time: the routes, and twice comparing them. */
static np_status tell(const collection *all, unsigned part, double share)
{
    return np_watch_share(&all->options.watch, "nonrepeating", (part + share) / 3);
}

/* Walks routes 0 .. count-1 until the effort is spent; *spent says whether it was. */
static np_status collect(collection *all, uint32_t count, bool *spent)
{
    uint64_t effort = all->options.effort < HOPS_MAX ? all->options.effort : HOPS_MAX, done = 0;
    np_status st = np_memory_array(&all->start, (size_t)count + 1, sizeof *all->start, "routes to check");
    *spent = false;
    if (st)
        return st;
    for (all->routes = all->hops = 0; all->routes < count; all->routes++) {
        size_t room = all->capacity - all->hops, hops;
        np_check_route route = route_at(all, all->routes);
        if ((st = walk(all, route, room, room ? all->link + all->hops : NULL, &hops)))
            return st;
        if ((done += (uint64_t)hops * hops) > effort) {
            *spent = true;
            break;
        }
        if (hops > room &&
            ((st = reserve(all, all->hops + hops)) || (st = walk(all, route, hops, all->link + all->hops, &hops))))
            return st;
        all->start[all->routes] = all->hops;
        for (size_t i = 0; i < hops; i++)
            all->route[all->hops++] = all->routes;
        double routes = (double)all->routes / count, spent_so_far = (double)done / (double)effort;
        if (all->routes % TELL_EVERY == 0 && (st = tell(all, 0, routes > spent_so_far ? routes : spent_so_far)))
            return st;
    }
    all->start[all->routes] = all->hops;
    return NP_OK;
}

/* Collects all routes if the effort allows it, else a sample. */
static np_status collect_routes(collection *all)
{
    uint64_t pairs = (uint64_t)all->nodes * all->nodes;
    bool spent;
    np_status st;
    all->exhaustive = !all->path->rule->randomized && pairs <= all->options.effort && pairs < HOPS_MAX;
    if (all->exhaustive) {
        if ((st = collect(all, (uint32_t)pairs, &spent)) || !spent)
            return st;
        all->exhaustive = false;
        np_memory_free(all->start);
        all->start = NULL;
    }
    return collect(all, all->options.samples, &spent);
}

/* Sorts the hops by their links, keeping the order of the routes. */
static np_status sort_hops(collection *all)
{
    np_link numbers = np_network_link_numbers(all->path->network);
    uint32_t *next = NULL; /* next[e + 1]: where in `sorted` the next hop over link e goes */
    np_status st;
    if ((st = np_memory_zeroed(&next, (size_t)numbers + 2, sizeof *next, "routes by link")) ||
        (st = np_memory_array(&all->sorted, all->hops, sizeof *all->sorted, "routes by link")))
        goto out;
    for (uint32_t h = 0; h < all->hops; h++)
        next[all->link[h] + 2]++;
    for (size_t e = 2; e <= numbers; e++)
        next[e] += next[e - 1];
    for (uint32_t h = 0; h < all->hops; h++)
        all->sorted[next[all->link[h] + 1]++] = h;
out:
    np_memory_free(next);
    return st;
}

/* Reports hops x and y of one route and seen_x and seen_y of the other, over the same two links. */
static void report(const collection *all, uint32_t x, uint32_t y, uint32_t seen_x, uint32_t seen_y,
                   np_check_nonrepeating_result *result)
{
    if (y < x) { /* the definition has k > i */
        uint32_t swap = x;
        x = y, y = swap;
        swap = seen_x, seen_x = seen_y, seen_y = swap;
    }
    uint32_t one = all->route[x], other = all->route[seen_x];
    result->one = route_at(all, one);
    result->other = route_at(all, other);
    result->first = all->link[x];
    result->second = all->link[y];
    result->i = x - all->start[one];
    result->k = y - all->start[one];
    result->j = seen_x - all->start[other];
    result->m = seen_y - all->start[other];
}

/* Compares the route of hop x over link e with the earlier routes over e. False if there is a violation. */
static bool agrees(const collection *all, bool in_order, uint32_t x, sighting *seen,
                   np_check_nonrepeating_result *result)
{
    np_link e = all->link[x];
    uint32_t end = all->start[all->route[x] + 1];
    for (uint32_t y = in_order ? x : all->start[all->route[x]]; y < end; y++) {
        sighting *f = &seen[all->link[y]];
        int32_t offset = (int32_t)(y - x);
        if (f->stamp != e + 1) {
            *f = (sighting){e + 1, x, offset};
            continue;
        }
        uint32_t seen_y = f->hop + (uint32_t)f->offset;
        if (offset != f->offset || (offset >= 2 && all->link[y - 1] != all->link[seen_y - 1])) {
            report(all, x, y, f->hop, seen_y, result);
            return false;
        }
    }
    return true;
}

/* The second and the third part of the work: in order, and in any order. */
static np_status compare(const collection *all, bool in_order, bool *holds, np_check_nonrepeating_result *result)
{
    sighting *seen;
    np_status st =
        np_memory_zeroed(&seen, np_network_link_numbers(all->path->network), sizeof *seen, "links seen together");
    if (st)
        return st;
    *holds = true;
    for (uint32_t i = 0; i < all->hops && *holds && !st; i++) {
        *holds = agrees(all, in_order, all->sorted[i], seen, result);
        if (i % TELL_EVERY == 0)
            st = tell(all, in_order ? 1 : 2, (double)i / all->hops);
    }
    np_memory_free(seen);
    return st;
}

np_status np_check_nonrepeating(const np_path *path, const np_check_options *options,
                                np_check_nonrepeating_result *result)
{
    collection all = {.path = path, .nodes = np_network_nodes(path->network)};
    np_status st;
    *result = (np_check_nonrepeating_result){.holds = false};
    if ((st = np_options_take(&np_check_options_fields, options, &all.options)) ||
        (st = np_check_network(path->network)) || (st = collect_routes(&all)) || (st = sort_hops(&all)))
        goto out;
    result->exhaustive = all.exhaustive;
    result->routes = all.routes;
    result->hops = all.hops;
    st = compare(&all, true, &result->holds_in_order, result);
    if (!st && result->holds_in_order)
        st = compare(&all, false, &result->holds, result);
out:
    clear(&all);
    return st;
}
