/* See cables.h. */
#include "model/relation/cables.h"

#include <string.h>

#include "base/account.h"
#include "base/arena.h"
#include "base/memory.h"
#include "model/network/read_node.h"
#include "model/relation/table.h"

#define NO_WAY NP_CABLES_NO_WAY

/* ---- The cables of a network ---- */

static void layout(void *object, np_arena *arena)
{
    np_cables *c = object;
    NP_ARENA_WORDS(arena, (size_t)c->terminals + 1, "the cables of hosts", &c->first_entry, &c->first_exit);
    np_arena_array(arena, &c->entry, c->entries, sizeof *c->entry, "the cables of hosts");
    np_arena_array(arena, &c->exit, c->exits, sizeof *c->exit, "the cables of hosts");
}

/* Calls for each link of a host that is up: counts it behind its terminal, or places it. */
static np_status list_entries(const np_network *network, np_node terminal, np_cables *c, uint32_t *count)
{
    np_node host = network->host[terminal];
    for (np_link e = np_network_first_link(network, host); e < np_network_first_link(network, host + 1); e++) {
        np_node head = np_network_link_head(network, e);
        if (head == NP_NONE)
            continue;
        if (!np_network_is_router(network, head))
            return NP_RAISE(NP_ERROR_APPLY, "routes hop by hop are of routers: host %.80s of %s has a link to %.80s",
                            NP_NODE_NAME(network, host), np_network_spec(network), NP_NODE_NAME(network, head));
        if (c->entry)
            c->entry[*count] = (np_cable){head, e};
        ++*count;
    }
    return NP_OK;
}

/* The links of routers to hosts: counts them in first_exit[terminal + 1], or places them. */
static void list_exits(const np_network *network, uint32_t *first_exit, np_cable *exit)
{
    for (np_node u = 0; u < network->nodes; u++)
        for (np_link e = np_network_first_link(network, u);
             np_network_is_router(network, u) && e < np_network_first_link(network, u + 1); e++) {
            np_node head = np_network_link_head(network, e);
            if (head == NP_NONE || np_network_is_router(network, head))
                continue;
            if (exit)
                exit[first_exit[network->host_number[head]]++] = (np_cable){u, e};
            else
                first_exit[network->host_number[head] + 1]++;
        }
}

static np_status refuse_host(const np_network *network, np_node host, bool sends, bool receives)
{
    const char *has = sends      ? "a cable to a router and none back"
                      : receives ? "a cable from a router and none to one"
                                 : "no cable";
    return NP_RAISE(NP_ERROR_APPLY, "routes hop by hop: host %.80s of %s has %s: it cannot %s",
                    NP_NODE_NAME(network, host), np_network_spec(network), has,
                    sends      ? "receive"
                    : receives ? "send"
                               : "send or receive");
}

/* received: [terminals + 1] exits, behind each terminal */
static np_status count_cables(const np_network *network, np_cables *c, const uint32_t *received)
{
    np_status st = NP_OK;
    for (np_node i = 0; i < c->terminals && !st; i++) {
        uint32_t before = c->entries;
        st = list_entries(network, i, c, &c->entries);
        if (!st && (c->entries == before || !received[i + 1]))
            st = refuse_host(network, network->host[i], c->entries > before, received[i + 1] > 0);
        c->several |= c->entries - before > 1 || received[i + 1] > 1;
        c->exits += received[i + 1];
    }
    return st;
}

static np_status fill_hosts(const np_network *network, np_cables *c, const uint32_t *received)
{
    np_status st = NP_OK;
    uint32_t count = 0;
    c->first_exit[0] = 0;
    for (np_node i = 0; i < c->terminals && !st; i++) {
        c->first_entry[i] = count;
        c->first_exit[i + 1] = c->first_exit[i] + received[i + 1];
        st = list_entries(network, i, c, &count);
    }
    c->first_entry[c->terminals] = count;
    list_exits(network, c->first_exit, c->exit);
    for (np_node i = c->terminals; i > 0; i--)
        c->first_exit[i] = c->first_exit[i - 1];
    c->first_exit[0] = 0;
    for (np_node i = 0; i < c->terminals && !c->several; i++)
        c->apart |= c->entry[i].router != c->exit[i].router;
    c->apart |= c->several;
    return st;
}

/* Nodes that are routers themselves. */
static void fill_routers(const np_network *network, np_cables *c)
{
    for (np_node i = 0; i <= c->terminals; i++)
        c->first_entry[i] = c->first_exit[i] = i;
    for (np_node i = 0; i < c->terminals; i++) {
        c->entry[i] = (np_cable){np_network_input(network, i), NP_NONE};
        c->exit[i] = (np_cable){np_network_output(network, i), NP_NONE};
    }
}

np_status np_cables_create(const np_network *network, np_cables **out)
{
    np_cables sizes = {.terminals = network->terminals};
    uint32_t *received = NULL;
    np_status st = NP_OK;
    *out = NULL;
    if (!network->host) {
        sizes.entries = sizes.exits = sizes.terminals;
    } else if (!(st = np_memory_zeroed(&received, (size_t)sizes.terminals + 1, sizeof *received, "cables of hosts"))) {
        list_exits(network, received, NULL);
        st = count_cables(network, &sizes, received);
    }
    if (!st && !(st = np_arena_create(&sizes, sizeof sizes, layout, "the cables of hosts", out))) {
        if (network->host)
            st = fill_hosts(network, *out, received);
        else
            fill_routers(network, *out);
    }
    np_memory_free(received);
    return st;
}

void np_cables_free(np_cables *c)
{
    if (!c)
        return;
    NP_MEMORY_FREE(c->distance, c);
}

/* ---- Pairs of cables ---- */

/* The links from one router to another by the relation, all of whose ways are equally long. */
static uint16_t measure(const np_relation *r, np_node from, np_node to)
{
    np_candidate way[NP_CANDIDATES];
    unsigned course = 0;
    uint16_t hops = 0;
    for (; from != to; hops++) {
        if (!r->rule->ways(r, from, to, course, way))
            return NO_WAY;
        course = way->state & NP_COURSE;
        from = np_network_link_head(r->network, np_network_link_at(r->network, from, way->port));
    }
    return hops;
}

static uint16_t between(const np_relation *r, uint32_t entry, uint32_t exit)
{
    const np_routers *g = &r->table->routers;
    const np_cables *c = r->cables;
    return c->distance[(size_t)g->number[c->entry[entry].router] * g->count + g->number[c->exit[exit].router]];
}

/* The fewest links between cables of two terminals, and how many pairs have them. */
static uint16_t nearest(const np_relation *r, np_node source, np_node destination, uint32_t *pairs)
{
    const np_cables *c = r->cables;
    uint16_t least = NO_WAY;
    *pairs = 0;
    for (uint32_t e = c->first_entry[source]; e < c->first_entry[source + 1]; e++)
        for (uint32_t x = c->first_exit[destination]; x < c->first_exit[destination + 1]; x++) {
            uint16_t hops = between(r, e, x);
            *pairs = hops < least ? 1 : *pairs + (hops == least);
            least = hops < least ? hops : least;
        }
    return least;
}

/* Have two lists of cables the same routers? */
static bool alike(const np_cable *cable, const uint32_t *first, np_node i, np_node j)
{
    uint32_t count = first[i + 1] - first[i];
    if (first[j + 1] - first[j] != count)
        return false;
    for (uint32_t k = 0; k < count; k++)
        if (cable[first[i] + k].router != cable[first[j] + k].router)
            return false;
    return true;
}

/* Do the cables of the terminal lead to the routers of those of the one before it? */
static bool repeats(const np_cables *c, np_node i)
{
    return i > 0 && i < c->terminals && alike(c->entry, c->first_entry, i - 1, i) &&
           alike(c->exit, c->first_exit, i - 1, i);
}

/* Of two terminals, which may be one: some way joins them. */
static np_status check_pair(const np_relation *r, np_node source, np_node destination, bool one)
{
    const np_network *network = r->network;
    np_cables *c = r->cables;
    uint32_t pairs;
    uint16_t least = nearest(r, source, destination, &pairs);
    if (least == NO_WAY)
        return NP_RAISE(NP_ERROR_APPLY, "paths '%s' do not apply to %s: no way leads from %.80s to %.80s",
                        r->rule->info.name, np_network_spec(network), NP_NODE_NAME(network, network->host[source]),
                        NP_NODE_NAME(network, network->host[destination]));
    for (uint32_t e = c->first_entry[source]; e < c->first_entry[source + 1] && !one; e++) {
        uint32_t ways = 0;
        for (uint32_t x = c->first_exit[destination]; x < c->first_exit[destination + 1]; x++) {
            ways += between(r, e, x) != NO_WAY;
            c->alike &= between(r, e, x) == NO_WAY || between(r, e, x) == least;
        }
        c->alike &= ways == 1;
    }
    return NP_OK;
}

np_status np_cables_measure(np_relation *r)
{
    np_cables *c = r->cables;
    np_status st;
    if (!c->several || r->two_phases)
        return NP_OK;
    if (!r->table)
        return NP_RAISE(NP_ERROR_INTERNAL, "paths '%s' have no tables for hosts with several cables",
                        r->rule->info.name);
    const np_routers *g = &r->table->routers;
    if ((st = np_account_allow((uint64_t)g->count * g->count * sizeof *c->distance, "a smaller network",
                               "distances between the routers of %s", np_network_spec(r->network))) ||
        (st = np_memory_array(&c->distance, (size_t)g->count * g->count, sizeof *c->distance, "distances of routers")))
        return st;
    for (uint32_t u = 0; u < g->count; u++)
        for (uint32_t v = 0; v < g->count; v++)
            c->distance[(size_t)u * g->count + v] =
                g->ends[u] & NP_ROUTER_IN && g->ends[v] & NP_ROUTER_OUT ? measure(r, g->node[u], g->node[v]) : NO_WAY;
    c->alike = true;
    for (np_node i = 0; i < c->terminals; i++)
        for (np_node j = 0; j < c->terminals && !st && !repeats(c, i); j++)
            if (!repeats(c, j))
                st = check_pair(r, i, j, i == j && !repeats(c, i + 1));
    return st;
}

/* Which of the pairs. */
static uint32_t pick(const np_relation *r, const np_draws *draws, np_node source, uint64_t number, np_node destination,
                     uint32_t pairs)
{
    np_draws mine = np_draws_for(*draws, NP_RANDOM_CABLE);
    if (pairs < 2 || r->rule->first)
        return 0;
    mine.phase = (uint16_t)(mine.phase + (r->rule->by_pair ? 0 : number >> 32));
    return np_random_below(&mine, source, r->rule->by_pair ? destination : (uint32_t)number, pairs);
}

np_cable_pair np_cables_draw_pair(const np_relation *relation, const np_draws *draws, np_node source, uint64_t number,
                                  np_node destination)
{
    const np_relation *r = relation->two_phases ? relation->inner : relation;
    const np_cables *c = r->cables;
    uint32_t pairs;
    uint16_t least = nearest(r, source, destination, &pairs);
    uint32_t left = pick(r, draws, source, number, destination, pairs);
    for (uint32_t e = c->first_entry[source]; e < c->first_entry[source + 1]; e++)
        for (uint32_t x = c->first_exit[destination]; x < c->first_exit[destination + 1]; x++)
            if (between(r, e, x) == least && !left--)
                return (np_cable_pair){e, x};
    return (np_cable_pair){c->first_entry[source], c->first_exit[destination]}; /* np_cables_measure: there is a pair */
}
