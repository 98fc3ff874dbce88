/*
 * Builds the graph of dependencies, destination by destination. All states in which a packet to the destination may be,
 * a router and a course, are found by a search from all sources. Each state has a mask: the nodes that a packet in it
 * may want. A node that leads to the state has arcs to all of its mask.
 *
 * Rules in two phases need no triple of source, target and destination. The phases are searched one after the other.
 * What ends the first phase at a router may be followed by all that begins the second one there, since the target does
 * not depend on the ends.
 *
 * With escape channels a mask has the escape channels that a packet may want now, or after hops over other channels:
 * the union over the states that these lead to. Such hops come nearer to the destination, so an order of the states
 * exists. Where a packet on the escape never leaves it, the masks are those of the next hop alone.
 */
#include <string.h>

#include "base/account.h"
#include "base/room.h"
#include "model/relation/listed.h"
#include "verdict/dependency/dependency.h"

enum { COURSES = 1 << NP_COURSE_BITS };

typedef struct state {
    uint32_t router, course;
    uint32_t way, ways; /* of the pool */
    uint32_t cursor;    /* ways that have been followed */
    enum { NEW, OPEN, DONE } mark;
} state;

typedef struct way {
    uint32_t node; /* of the graph; NP_NONE: of a class that is none */
    uint32_t next; /* state */
} way;

typedef struct explorer {
    np_dependency *d;
    const np_relation *relation;
    bool first;     /* the first of two phases */
    size_t stride;  /* words of a mask */
    uint32_t *seen; /* [routers * COURSES] 1 + the state; 0: not met */
    state *state;
    size_t states, state_room;
    way *pool;
    size_t ways, way_room;
    uint64_t *mask; /* [states * stride] */
    size_t mask_room;
    uint32_t *order, *stack; /* [states] */
    size_t order_room, stack_room;
    uint8_t *begins;   /* [routers] packets of this phase start here */
    uint8_t *landing;  /* [routers] the first phase ends here */
    uint64_t *ends;    /* a bit for each node: it may be the last of the first phase */
    uint64_t *opening; /* [routers * stride] what the second phase may begin with */
} explorer;

/* ---- Sets of nodes ---- */

/* The nodes to which arcs may lead from a node with this head: the first of them, and how many. */
static uint32_t first_of(const np_dependency *d, uint32_t head)
{
    return d->wide ? 0 : d->routers.row[head] * d->classes;
}

static size_t words_of(const np_dependency *d, uint32_t head)
{
    uint32_t nodes = d->wide ? d->nodes : (d->routers.row[head + 1] - d->routers.row[head]) * d->classes;
    return (nodes + 63) / 64;
}

static inline void set_bit(uint64_t *bits, uint32_t i) { bits[i / 64] |= UINT64_C(1) << i % 64; }

static inline void join(uint64_t *to, const uint64_t *from, size_t words)
{
    for (size_t i = 0; i < words; i++)
        to[i] |= from[i];
}

uint32_t np_dependency_next(const np_dependency *d, uint32_t node, uint32_t after)
{
    uint32_t head = d->routers.head[node / d->classes], first = first_of(d, head);
    const uint64_t *bits = d->bits + d->start[node];
    size_t words = d->start[node + 1] - d->start[node];
    uint32_t i = after > first ? after - first : 0;
    for (size_t k = i / 64; k < words; k++, i = (uint32_t)k * 64) {
        uint64_t word = bits[k] >> i % 64;
        if (word)
            return first + i + (uint32_t)__builtin_ctzll(word);
    }
    return NP_NONE;
}

/* ---- The states of a destination ---- */

static np_status find(explorer *e, uint32_t router, uint32_t course, uint32_t *out)
{
    uint32_t *seen = &e->seen[(size_t)router * COURSES + course];
    if (!*seen) {
        np_status st = np_memory_room(&e->state, e->states, &e->state_room, sizeof *e->state, "states of packets");
        if (st)
            return st;
        e->state[e->states++] = (state){.router = router, .course = course};
        *seen = (uint32_t)e->states;
    }
    *out = *seen - 1;
    return NP_OK;
}

static np_status expand(explorer *e, uint32_t index, uint32_t target)
{
    const np_relation *r = e->relation;
    const np_routers *g = &e->d->routers;
    uint32_t router = e->state[index].router, course = e->state[index].course;
    np_candidate list[NP_CANDIDATES];
    unsigned count = e->first ? np_relation_first_ways(r, g->node[router], target, course, list)
                              : np_relation_last_ways(r, g->node[router], target, course, list);
    bool escape = !r->escapes || !count;
    e->state[index].way = (uint32_t)e->ways;
    e->state[index].ways = count;
    for (unsigned i = 0; i < count; i++) {
        np_status st = np_memory_room(&e->pool, e->ways, &e->way_room, sizeof *e->pool, "ways of packets");
        if (st)
            return st;
        uint32_t channel = np_routers_channel(g, router, list[i].port), next;
        if (channel == NP_NONE || list[i].class_ >= np_relation_classes(r))
            return NP_RAISE(NP_ERROR_INTERNAL, "paths '%s' take port %u, class %u of node %u", np_relation_name(r),
                            list[i].port, list[i].class_, g->node[router]);
        bool node = !r->escapes || list[i].escape;
        escape |= node;
        if ((st = find(e, g->head[channel], list[i].state & NP_COURSE, &next)))
            return st;
        e->pool[e->ways++] = (way){node ? channel * e->d->classes + list[i].class_ : NP_NONE, next};
    }
    return escape ? NP_OK
                  : NP_RAISE(NP_ERROR_INTERNAL, "paths '%s' have no escape channel at node %u", np_relation_name(r),
                             g->node[router]);
}

static np_status search(explorer *e, uint32_t target)
{
    uint32_t start = e->relation->two_phases && !e->first ? NP_SECOND_PHASE : 0, index;
    np_status st = NP_OK;
    e->states = e->ways = 0;
    for (uint32_t u = 0; u < e->d->routers.count && !st; u++)
        if (e->begins[u])
            st = find(e, u, start, &index);
    for (uint32_t i = 0; i < e->states && !st; i++)
        st = expand(e, i, target);
    return st;
}

static void forget(explorer *e)
{
    for (size_t i = 0; i < e->states; i++)
        e->seen[(size_t)e->state[i].router * COURSES + e->state[i].course] = 0;
}

/* ---- Masks ---- */

/* Pushes the states that the state on top of the stack leads to, one a call. False: there is none left. */
static bool descend(explorer *e, size_t *depth, np_status *status)
{
    state *top = &e->state[e->stack[*depth - 1]];
    while (top->cursor < top->ways) {
        const way *w = &e->pool[top->way + top->cursor++];
        if (w->node != NP_NONE || e->state[w->next].mark == DONE)
            continue;
        if (e->state[w->next].mark == OPEN) {
            *status = NP_RAISE(NP_ERROR_INTERNAL, "paths '%s' come back without an escape channel",
                               np_relation_name(e->relation));
            return false;
        }
        e->state[w->next].mark = OPEN;
        e->stack[(*depth)++] = w->next;
        return true;
    }
    return false;
}

/* order: the states, each behind all that it leads to over channels that are no nodes. */
static np_status order_states(explorer *e)
{
    size_t done = 0;
    np_status st;
    if ((st = np_memory_need(&e->order, 0, e->states, &e->order_room, sizeof *e->order, "an order of states")) ||
        (st = np_memory_need(&e->stack, 0, e->states, &e->stack_room, sizeof *e->stack, "an order of states")))
        return st;
    for (uint32_t i = 0; i < e->states; i++) {
        if (e->state[i].mark == DONE)
            continue;
        e->stack[0] = i;
        e->state[i].mark = OPEN;
        for (size_t depth = 1; depth;) {
            if (descend(e, &depth, &st))
                continue;
            if (st)
                return st;
            e->state[e->stack[--depth]].mark = DONE;
            e->order[done++] = e->stack[depth];
        }
    }
    return NP_OK;
}

static uint64_t *mask_of(const explorer *e, uint32_t index) { return e->mask + index * e->stride; }

/* The masks of all states. Over channels that are no nodes masks are joined, where routes come back from the escape. */
static np_status fill_masks(explorer *e)
{
    const np_dependency *d = e->d;
    np_status st =
        np_memory_need(&e->mask, 0, e->states * e->stride, &e->mask_room, sizeof *e->mask, "sets of channels");
    if (st || (st = order_states(e)))
        return st;
    if (e->states * e->stride > 0) /* a router may have no channels */
        memset(e->mask, 0, e->states * e->stride * sizeof *e->mask);
    for (size_t k = 0; k < e->states; k++) {
        uint32_t i = e->order[k], first = first_of(d, e->state[i].router);
        for (uint32_t j = 0; j < e->state[i].ways; j++) {
            const way *w = &e->pool[e->state[i].way + j];
            if (w->node != NP_NONE)
                set_bit(mask_of(e, i), w->node - first);
            else if (d->wide)
                join(mask_of(e, i), mask_of(e, w->next), e->stride);
        }
    }
    return NP_OK;
}

/* Has the state only ways that are nodes? */
static bool stays(const explorer *e, uint32_t index)
{
    for (uint32_t j = 0; j < e->state[index].ways; j++)
        if (e->pool[e->state[index].way + j].node == NP_NONE)
            return false;
    return true;
}

/* The arcs from the nodes that lead to each state, and what phases begin and end with. */
static np_status add_arcs(explorer *e)
{
    np_dependency *d = e->d;
    for (uint32_t i = 0; i < e->states; i++) {
        for (uint32_t j = 0; j < e->state[i].ways; j++) {
            const way *w = &e->pool[e->state[i].way + j];
            if (w->node == NP_NONE)
                continue;
            if (!d->wide && !stays(e, w->next))
                return NP_RAISE(NP_ERROR_INTERNAL, "paths '%s' leave the escape channels",
                                np_relation_name(e->relation));
            set_bit(d->used, w->node);
            join(d->bits + d->start[w->node], mask_of(e, w->next), words_of(d, e->state[w->next].router));
            if (e->first && !e->state[w->next].ways)
                set_bit(e->ends, w->node);
        }
        if (e->first && !e->state[i].ways)
            e->landing[e->state[i].router] = 1;
        if (!e->first && e->opening && e->begins[e->state[i].router] && e->state[i].course == NP_SECOND_PHASE)
            join(e->opening + e->state[i].router * e->stride, mask_of(e, i), e->stride);
    }
    return NP_OK;
}

/* ---- All of it ---- */

static np_status explore(explorer *e, uint32_t target)
{
    np_status st = search(e, target);
    if (!st && !(st = fill_masks(e)))
        st = add_arcs(e);
    forget(e);
    return st;
}

static const char stage[] = "the dependencies of channels";

static np_status explore_first(explorer *e, const np_watch *watch)
{
    const np_relation *r = e->relation;
    np_status st = NP_OK;
    e->first = true;
    for (uint32_t k = 0; k < r->targets && !st; k++)
        if (!(st = np_watch_share(watch, stage, k / 2.0 / r->targets)))
            st = explore(e, r->by_groups ? k : r->target[k]);
    e->first = false;
    memcpy(e->begins, e->landing, e->d->routers.count);
    return st;
}

/* What ends the first phase at a router is followed by what begins the second one there. */
static void join_phases(explorer *e)
{
    np_dependency *d = e->d;
    for (uint32_t node = 0; node < d->nodes; node++)
        if (e->ends[node / 64] >> node % 64 & 1) {
            uint32_t head = d->routers.head[node / d->classes];
            join(d->bits + d->start[node], e->opening + head * e->stride, words_of(d, head));
        }
}

/* The paths of a file follow no course: each is walked. */
static void walk_paths(np_dependency *d)
{
    const np_listed *listed = d->relation->listed;
    const np_routers *g = &d->routers;
    for (size_t i = 0; i < listed->ways; i++) {
        uint32_t router = g->number[listed->way[i].ends >> 32], last = NP_NONE;
        for (uint32_t k = 0; k < listed->way[i].hops; k++) {
            uint32_t channel = np_routers_channel(g, router, listed->port[listed->way[i].place + k]);
            set_bit(d->used, channel);
            if (last != NP_NONE)
                set_bit(d->bits + d->start[last], channel - first_of(d, router));
            router = g->head[channel];
            last = channel;
        }
    }
}

static np_status explore_all(explorer *e, const np_watch *watch)
{
    const np_routers *g = &e->d->routers;
    bool two = e->relation->two_phases;
    np_status st = two ? explore_first(e, watch) : NP_OK;
    for (uint32_t v = 0; v < g->count && !st; v++)
        if (g->ends[v] & NP_ROUTER_OUT &&
            !(st = np_watch_share(watch, stage, (v + two * (double)g->count) / g->count / (1 + two))))
            st = explore(e, g->node[v]);
    if (!st && two)
        join_phases(e);
    return st;
}

static np_status take_explorer(explorer *e)
{
    const np_dependency *d = e->d;
    size_t count = d->routers.count;
    np_status st;
    for (uint32_t v = 0; v < count; v++) {
        size_t words = words_of(d, v);
        e->stride = words > e->stride ? words : e->stride;
    }
    if ((st = np_memory_zeroed(&e->seen, count * COURSES, sizeof *e->seen, "states of packets")) ||
        (st = np_memory_zeroed(&e->begins, count, 1, "where packets start")) ||
        (st = np_memory_zeroed(&e->landing, count, 1, "where phases end")) ||
        (st = np_memory_zeroed(&e->ends, d->nodes / 64 + 1, sizeof *e->ends, "where phases end")))
        return st;
    for (uint32_t v = 0; v < count; v++)
        e->begins[v] = (d->routers.ends[v] & NP_ROUTER_IN) != 0;
    return e->relation->two_phases ? np_memory_zeroed(&e->opening, count * e->stride, sizeof *e->opening,
                                                      "what the second phase begins with")
                                   : NP_OK;
}

static void free_explorer(explorer *e)
{
    NP_MEMORY_FREE(e->seen, e->state, e->pool, e->mask, e->order, e->stack, e->begins, e->landing, e->ends, e->opening);
}

/* Room for the arcs of every node. */
static np_status take_graph(np_dependency *d)
{
    const np_network *network = d->relation->network;
    size_t words = 0;
    np_status st;
    if ((uint64_t)d->routers.channels * d->classes >= NP_NONE)
        return NP_RAISE(NP_ERROR_LIMIT, "a graph of dependencies has at most 2^32 - 2 channels: %s has more",
                        np_network_spec(network));
    d->nodes = d->routers.channels * d->classes;
    if ((st = np_memory_array(&d->start, (size_t)d->nodes + 1, sizeof *d->start, "the rows of dependencies")))
        return st;
    for (uint32_t node = 0; node < d->nodes; node++) {
        d->start[node] = words;
        words += words_of(d, d->routers.head[node / d->classes]);
    }
    d->start[d->nodes] = words;
    if ((st = np_account_allow(words * sizeof *d->bits, "a smaller network", "the dependencies of channels of %s",
                               np_network_spec(network))) ||
        (st = np_memory_zeroed(&d->bits, words, sizeof *d->bits, "the dependencies of channels")))
        return st;
    return np_memory_zeroed(&d->used, d->nodes / 64 + 1, sizeof *d->used, "the channels that are used");
}

np_status np_dependency_build(const np_relation *relation, const np_watch *watch, np_dependency *out)
{
    explorer e = {.d = out, .relation = relation};
    np_status st;
    *out = (np_dependency){.relation = relation,
                           .classes = np_relation_classes(relation) - relation->escapes,
                           .wide = relation->escapes && relation->returns};
    if ((st = np_routers_init(&out->routers, relation->network)) || (st = take_graph(out)))
        return st;
    if (relation->listed) {
        walk_paths(out);
        return NP_OK;
    }
    if (!(st = take_explorer(&e)))
        st = explore_all(&e, watch);
    free_explorer(&e);
    return st;
}

void np_dependency_clear(np_dependency *d)
{
    np_routers_clear(&d->routers);
    NP_MEMORY_FREE(d->used, d->start, d->bits);
    *d = (np_dependency){0};
}
