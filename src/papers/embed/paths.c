/*
 * The paths of an embedding as compressed rows. First come their lengths; then the lengths are
 * added up, room is made, and the links are filled in. Paths come from the host's rule of shortest
 * paths, in batches, or from the embedding's own walk.
 */
#include "papers/embed/embedding.h"

#include "base/memory.h"
#include "model/network/read_node.h"
#include "model/path/routes.h"

/* Links of the guest, from `first` on, with the images of their ends. */
typedef struct batch {
    size_t count;
    np_link link[NP_PATH_BATCH];
    np_packet packet[NP_PATH_BATCH];
    np_node at[NP_PATH_BATCH], to[NP_PATH_BATCH];
    np_ticket ticket[NP_PATH_BATCH];
} batch;

/* Gathers the next link numbers that are in use; returns the number to go on from. */
static np_link gather(const np_embedding *embedding, np_link first, batch *b)
{
    const np_network *guest = embedding->guest;
    for (b->count = 0; first < guest->link_numbers && b->count < NP_PATH_BATCH; first++) {
        np_node head = np_network_link_head(guest, first);
        if (head == NP_NONE)
            continue;
        b->link[b->count] = b->packet[b->count] = first;
        b->at[b->count] = embedding->map[np_network_link_tail(guest, first)];
        b->to[b->count++] = embedding->map[head];
    }
    return first;
}

static const np_draws draws = {1, 0, 0, NP_RANDOM_TICKET}; /* only a rule that finds routes draws */

static void start(const np_path *path, batch *b)
{
    path->rule->start(path, &draws, b->count, b->packet, b->at, b->to, b->ticket);
}

static np_status check_served(const np_embedding *embedding, const batch *b)
{
    for (size_t i = 0; i < b->count; i++)
        if (!np_network_serves(embedding->host, b->at[i], b->to[i]))
            return NP_RAISE(
                NP_ERROR_APPLY,
                "guest link %u needs a path from host node %.80s to %.80s: on %s paths go from inputs to outputs",
                b->link[i], NP_NODE_NAME(embedding->host, b->at[i]), NP_NODE_NAME(embedding->host, b->to[i]),
                np_network_spec(embedding->host));
    return NP_OK;
}

/* row[l + 1] = hops of guest link l. */
static np_status count_by_rule(np_embedding *embedding, const np_path *path)
{
    batch b;
    uint32_t hops[NP_PATH_BATCH];
    np_status st = NP_OK;
    for (np_link l = 0; l < embedding->guest->link_numbers && !st;) {
        l = gather(embedding, l, &b);
        if ((st = check_served(embedding, &b)))
            break;
        start(path, &b);
        path->rule->remaining(path, b.count, b.at, b.ticket, hops);
        for (size_t i = 0; i < b.count; i++)
            embedding->row[b.link[i] + 1] = hops[i];
    }
    return st;
}

static void fill_by_rule(np_embedding *embedding, const np_path *path)
{
    batch b;
    np_port port[NP_PATH_BATCH];
    np_link crossed[NP_PATH_BATCH];
    for (np_link l = 0; l < embedding->guest->link_numbers;) {
        l = gather(embedding, l, &b);
        start(path, &b);
        for (uint32_t hop = 0, moving = 1; moving; hop++) {
            path->rule->next(path, b.count, b.at, b.ticket, port);
            np_network_link_numbers_of(embedding->host, b.count, b.at, port, crossed);
            moving = 0;
            for (size_t i = 0; i < b.count; i++) {
                if (crossed[i] == NP_NONE)
                    continue;
                embedding->link[embedding->row[b.link[i]] + hop] = crossed[i];
                b.at[i] = np_network_link_head(embedding->host, crossed[i]);
                moving = 1;
            }
        }
    }
}

/* Fills the rows, or else counts the hops of link l into row[l + 1]. */
static void walk(np_embedding *embedding, bool fill)
{
    const np_network *guest = embedding->guest;
    for (np_link l = 0; l < guest->link_numbers; l++) {
        np_node v = np_network_link_head(guest, l), u = np_network_link_tail(guest, l);
        if (v == NP_NONE)
            continue;
        np_link *link = fill ? embedding->link + embedding->row[l] : NULL;
        uint32_t hops = embedding->ops->walk(embedding, u, v, link);
        if (!fill)
            embedding->row[l + 1] = hops;
    }
}

/* Turns the lengths into beginnings and makes room for the links. */
static np_status make_room(np_embedding *embedding)
{
    uint64_t hops = 0;
    for (np_link l = 0; l < embedding->guest->link_numbers; l++) {
        hops += embedding->row[l + 1];
        embedding->row[l + 1] = (uint32_t)hops;
        if (hops >= NP_NONE)
            return NP_RAISE(NP_ERROR_LIMIT,
                            "the paths of %s in %s have more than %u links: indices of hops have 32 bits",
                            np_network_spec(embedding->guest), np_network_spec(embedding->host), NP_NONE - 1);
    }
    return np_memory_array(&embedding->link, hops, sizeof *embedding->link, "the paths of an embedding");
}

/* Paths by the rule, whose routes have been found if it finds them beforehand. */
static np_status fill_by_path(np_embedding *embedding, const np_path *path)
{
    np_status st;
    if (!(st = count_by_rule(embedding, path)) && !(st = make_room(embedding)))
        fill_by_rule(embedding, path);
    return st;
}

/* The images of the ends of each guest link; two equal nodes for a number that is not in use. */
static void list_ends(const np_embedding *embedding, np_node *from, np_node *to)
{
    const np_network *guest = embedding->guest;
    for (np_link l = 0; l < guest->link_numbers; l++) {
        np_node v = np_network_link_head(guest, l), u = np_network_link_tail(guest, l);
        from[l] = embedding->map[u];
        to[l] = embedding->map[v == NP_NONE ? u : v];
    }
}

/* Lets the routes be found, and takes them. */
static np_status find_routes(np_embedding *embedding, const np_path *path, const np_demand *demand)
{
    np_routes *routes;
    np_path bound;
    np_status st = np_routes_for(path, demand, &bound, &routes);
    if (st)
        return st;
    st = fill_by_path(embedding, &bound);
    np_routes_free(routes);
    return st;
}

/* Paths by a rule that finds the routes of all guest links first. */
static np_status fill_by_routes(np_embedding *embedding, const np_path *path)
{
    np_link links = embedding->guest->link_numbers;
    np_node *from = NULL, *to = NULL;
    np_status st;
    if (!(st = np_memory_array(&from, links, sizeof *from, "the ends of paths")) &&
        !(st = np_memory_array(&to, links, sizeof *to, "the ends of paths"))) {
        const np_demand demand = {.draws = draws, .count = links, .from = from, .to = to};
        list_ends(embedding, from, to);
        st = find_routes(embedding, path, &demand);
    }
    NP_MEMORY_FREE(from, to);
    return st;
}

static np_status fill_by_shortest_paths(np_embedding *embedding)
{
    np_path *path;
    np_status st = np_path_create("greedy", embedding->host, &path);
    if (st)
        return st;
    st = path->rule->chooser ? fill_by_routes(embedding, path) : fill_by_path(embedding, path);
    np_path_free(path);
    return st;
}

np_status np_embedding_fill_paths(np_embedding *embedding)
{
    np_status st = np_memory_zeroed(&embedding->row, (size_t)embedding->guest->link_numbers + 1, sizeof *embedding->row,
                                    "the paths of an embedding");
    if (st)
        return st;
    if (!embedding->ops || !embedding->ops->walk)
        return fill_by_shortest_paths(embedding);
    walk(embedding, false);
    if (!(st = make_room(embedding)))
        walk(embedding, true);
    return st;
}
