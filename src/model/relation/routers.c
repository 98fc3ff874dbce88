/* See routers.h. */
#include "model/relation/routers.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/order.h"

static bool is_router(const np_network *network, np_node u) { return np_network_is_router(network, u); }

/* The channels that leave router u go into the arrays from `at` on; `to` NULL: nowhere. Returns how many. */
static uint32_t list_channels(const np_network *network, np_node u, np_routers *to, uint32_t at)
{
    np_link first = np_network_first_link(network, u), end = np_network_first_link(network, u + 1);
    uint32_t count = 0;
    for (np_link link = first; link < end; link++) {
        np_node v = np_network_link_head(network, link);
        if (v != NP_NONE && to && !is_router(network, v))
            to->ends[to->number[u]] |= NP_ROUTER_OUT;
        if (v == NP_NONE || v == u || !is_router(network, v))
            continue;
        if (to) {
            to->port[at + count] = link - first;
            to->head[at + count] = to->number[v];
            to->tail[at + count] = to->number[u];
        }
        count++;
    }
    return count;
}

static void layout(void *object, np_arena *arena)
{
    np_routers *r = object;
    size_t rows = (size_t)r->count + 1;
    np_arena_array(arena, &r->number, r->nodes, sizeof *r->number, "the numbers of routers");
    np_arena_array(arena, &r->node, r->count, sizeof *r->node, "the routers");
    np_arena_array(arena, &r->row, rows, sizeof *r->row, "the rows of routers");
    np_arena_zeroed(arena, &r->in_row, rows, sizeof *r->in_row, "the rows of routers");
    NP_ARENA_WORDS(arena, r->channels, "the channels of routers", &r->head, &r->tail, &r->port);
    np_arena_zeroed(arena, &r->ends, r->count, sizeof *r->ends, "where packets start and end");
    np_arena_array(arena, &r->in, r->channels, sizeof *r->in, "the channels of routers");
}

/* Counting sort of the channels by head. */
static void list_ins(np_routers *r)
{
    for (uint32_t c = 0; c < r->channels; c++)
        r->in_row[r->head[c] + 1]++;
    for (uint32_t v = 0; v < r->count; v++)
        r->in_row[v + 1] += r->in_row[v];
    for (uint32_t c = 0; c < r->channels; c++)
        r->in[r->in_row[r->head[c]]++] = c;
    for (uint32_t v = r->count; v > 0; v--)
        r->in_row[v] = r->in_row[v - 1];
    r->in_row[0] = 0;
}

/* Where packets enter; and leave, where that is not over links to hosts. */
static void mark_ends(np_routers *r, const np_network *network)
{
    for (np_node i = 0; i < network->terminals; i++) {
        np_node u = np_network_input(network, i);
        if (!network->host) {
            r->ends[u] |= NP_ROUTER_IN;
            r->ends[np_network_output(network, i)] |= NP_ROUTER_OUT;
            continue;
        }
        for (np_link link = np_network_first_link(network, u); link < np_network_first_link(network, u + 1); link++)
            if (np_network_link_head(network, link) != NP_NONE)
                r->ends[r->number[np_network_link_head(network, link)]] |= NP_ROUTER_IN;
    }
}

np_status np_routers_init(np_routers *r, const np_network *network)
{
    *r = (np_routers){.nodes = network->nodes};
    for (np_node u = 0; u < network->nodes; u++)
        if (is_router(network, u)) {
            r->count++;
            r->channels += list_channels(network, u, NULL, 0);
        }
    np_status st = np_arena_place(r, layout, "the routers of a network", &r->block);
    if (st)
        return st;
    uint32_t count = 0, channels = 0;
    for (np_node u = 0; u < network->nodes; u++) {
        r->number[u] = is_router(network, u) ? count : NP_NONE;
        if (is_router(network, u))
            r->node[count++] = u;
    }
    for (uint32_t i = 0; i < count; i++) {
        r->row[i] = channels;
        channels += list_channels(network, r->node[i], r, channels);
    }
    r->row[count] = channels;
    list_ins(r);
    mark_ends(r, network);
    return NP_OK;
}

void np_routers_clear(np_routers *r)
{
    np_memory_free(r->block);
    *r = (np_routers){0};
}

uint32_t np_routers_channel(const np_routers *r, uint32_t router, np_port port)
{
    const uint32_t first = r->row[router], channels = r->row[router + 1] - first;
    const uint32_t at = (uint32_t)np_order_below(channels, r->port + first, port);
    return at < channels && r->port[first + at] == port ? first + at : NP_NONE;
}
