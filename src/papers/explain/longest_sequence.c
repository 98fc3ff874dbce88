/*
 * Section 11 of Leighton, Maggs, Ranade & Rao 1994: "some packet arrives at step
 * L+w [...] if and only if a bad event corresponding to a delay sequence [...]
 * occurs". Here for every packet: the step in which it arrives is the largest
 * number that a delay sequence which ends with it makes. So the ranks and paths
 * alone give the step, and no step is played.
 *
 * Lag is step - level. Let lag(p, s) be the lag at which p leaves s.
 *   start    lag(p, s) >= first(s) - level(s), where first(s), the length of the
 *            longest way that leads to s, is when all queues of s have something.
 *   m-delay  If a smaller p' leaves s' with lag l, then every node that s' leads to
 *            selects p' or something smaller at lag l: the ghost is passed on at
 *            once, or stands behind something smaller. So lag(p, s) >= l + 1.
 *   f-delay  Packets cross an edge in order. If b is the q-th before p over the
 *            edge (s, s'), then p finds room only after b has left s':
 *            lag(p, s) >= lag(b, s') + 2. If room is freed in the same step: + 1.
 * Lemma 2.3 says that p waits for no other reason, so lag(p, s) is the largest of
 * these and of the lag with which p came.
 *
 * The paper has w = m + qf for m m-delays and f f-delays. By its Lemma 2.6 an
 * f-delay makes 2 steps, not q, so w = m + 2f, which is the same for q = 2. It also
 * needs the minor modification of which it speaks: the q packets of an f-delay
 * cross the same edge.
 *
 * The packets are taken in the order of their keys. passed[v] is the largest lag at
 * which a smaller packet or a ghost of it passes v. It only grows, so that spreading
 * it takes at most one pass over the edges for each lag. Packets that combine are one
 * packet with several origins: a group.
 */
#include "papers/explain/delay_sequence.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/order.h"

/* A packet, by what orders packets. */
typedef struct member {
    uint32_t key, target;
    np_packet packet;
} member;

typedef struct sequences {
    const np_merge_options *options;
    const np_leveled *leveled;
    const np_path_set *path_set;
    const uint32_t *key;
    member *order;    /* [packets] ascending */
    uint32_t *node;   /* [packets] where it is */
    int64_t *lag;     /* [packets] with which it left the node before */
    uint32_t *edge;   /* [packets] over which it came; NP_NONE: none */
    int64_t *base;    /* [nodes] first(v) - level(v) */
    int64_t *passed;  /* [nodes] */
    int64_t *here;    /* [nodes] lag of the group that is at v */
    np_packet *group; /* [nodes] which group that is */
    np_packet *over;  /* [edges] the last group that crossed it */
    uint32_t *count;  /* [edges] groups that crossed it */
    size_t *begin;    /* [edges + 1] */
    int64_t *head;    /* [hops] lags with which they left the edge's head; by edge, in order */
    uint32_t *stack;  /* [nodes] */
    void *block;
} sequences;

static void layout(void *object, np_arena *arena)
{
    static const char what[] = "delay sequences";
    sequences *s = object;
    size_t packets = s->path_set->packets, nodes = s->leveled->nodes, edges = s->leveled->edges;
    np_arena_array(arena, &s->order, packets, sizeof *s->order, what);
    np_arena_array(arena, &s->node, packets, sizeof *s->node, what);
    np_arena_array(arena, &s->lag, packets, sizeof *s->lag, what);
    np_arena_array(arena, &s->edge, packets, sizeof *s->edge, what);
    np_arena_array(arena, &s->base, nodes, sizeof *s->base, what);
    np_arena_array(arena, &s->passed, nodes, sizeof *s->passed, what);
    np_arena_array(arena, &s->here, nodes, sizeof *s->here, what);
    np_arena_array(arena, &s->group, nodes, sizeof *s->group, what);
    np_arena_array(arena, &s->over, edges, sizeof *s->over, what);
    np_arena_zeroed(arena, &s->count, edges, sizeof *s->count, what);
    np_arena_zeroed(arena, &s->begin, edges + 1, sizeof *s->begin, what);
    np_arena_array(arena, &s->head, s->path_set->begin[packets], sizeof *s->head, what);
    np_arena_array(arena, &s->stack, nodes, sizeof *s->stack, what);
}

static int compare(const void *a, const void *b)
{
    const member *x = a, *y = b;
    return x->key != y->key ? np_order(x->key, y->key) : np_order_pair(x->target, y->target, x->packet, y->packet);
}

static void sort_packets(sequences *s)
{
    np_packet packets = s->path_set->packets;
    for (np_packet i = 0; i < packets; i++)
        s->order[i] = (member){s->key[i], s->path_set->target[i], i};
    if (packets)
        qsort(s->order, packets, sizeof *s->order, compare);
}

/* base[v]: when v first has something in all its queues. */
static void set_bases(sequences *s)
{
    const np_leveled *lv = s->leveled;
    for (uint32_t v = 0; v < lv->nodes; v++) {
        uint32_t first = 0;
        for (uint32_t i = lv->in[v]; i < lv->in[v + 1]; i++) {
            uint32_t tail = lv->tail[lv->entering[i]];
            int64_t after = s->base[tail] + np_leveled_level(lv, tail) + 1;
            first = after > first ? (uint32_t)after : first;
        }
        s->base[v] = (int64_t)first - np_leveled_level(lv, v);
        s->passed[v] = INT64_MIN;
        s->group[v] = NP_NONE;
    }
}

/* begin[e]: the lags at the head of edge e are head[begin[e]] and following, a place for each path over e. */
static void set_edges(sequences *s)
{
    const np_leveled *lv = s->leveled;
    const np_path_set *paths = s->path_set;
    for (np_packet i = 0; i < paths->packets; i++) {
        uint32_t v = paths->origin[i];
        for (size_t k = paths->begin[i]; k < paths->begin[i + 1]; k++) {
            uint32_t e = lv->out[v] + paths->port[k];
            s->begin[e + 1]++;
            v = lv->head[e];
        }
    }
    for (uint32_t e = 0; e < lv->edges; e++) {
        s->begin[e + 1] += s->begin[e];
        s->over[e] = NP_NONE;
    }
}

/* Smaller packets or ghosts of them pass v, and all nodes that v leads to, at this lag. */
static void spread(sequences *s, uint32_t v, int64_t lag)
{
    const np_leveled *lv = s->leveled;
    uint32_t waiting = 0;
    if (s->passed[v] >= lag)
        return;
    s->passed[v] = lag;
    s->stack[waiting++] = v;
    while (waiting) {
        v = s->stack[--waiting];
        for (uint32_t e = lv->out[v]; e < lv->out[v + 1]; e++)
            if (s->passed[lv->head[e]] < lag) {
                s->passed[lv->head[e]] = lag;
                s->stack[waiting++] = lv->head[e];
            }
    }
}

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

/* The group crosses edge e: it finds room once the q-th before it has left the head. */
static int64_t find_room(const sequences *s, uint32_t e, int64_t lag)
{
    uint32_t q = s->options->queue_size, before = s->count[e];
    if (before < q)
        return lag;
    return larger(lag, s->head[s->begin[e] + before - q] + (s->options->room == NP_ROOM_FREED ? 1 : 2));
}

/* A packet of the group comes to its node with its lag. */
static void come(sequences *s, np_packet group, np_packet i)
{
    uint32_t v = s->node[i];
    if (s->group[v] != group) {
        s->group[v] = group;
        s->here[v] = larger(s->base[v], s->passed[v] == INT64_MIN ? INT64_MIN : s->passed[v] + 1);
    }
    s->here[v] = larger(s->here[v], s->lag[i]);
}

/* It leaves the node with the group's lag. */
static void leave(sequences *s, np_packet group, np_packet i, uint32_t level, np_step *arrival)
{
    const np_path_set *paths = s->path_set;
    uint32_t v = s->node[i];
    size_t hop = paths->begin[i] + level - np_leveled_level(s->leveled, paths->origin[i]);
    if (hop == paths->begin[i + 1]) {
        arrival[i] = (np_step)(s->here[v] + level);
    } else {
        uint32_t e = s->leveled->out[v] + paths->port[hop];
        if (s->over[e] != group)
            s->here[v] = find_room(s, e, s->here[v]);
    }
    s->lag[i] = s->here[v];
    if (s->edge[i] != NP_NONE) /* the edge that it came over; the whole group counts once */
        s->head[s->begin[s->edge[i]] + s->count[s->edge[i]] - 1] = s->here[v];
    s->edge[i] = NP_NONE;
}

/* It goes on to the next node, if there is one. */
static void go_on(sequences *s, np_packet group, np_packet i, uint32_t level)
{
    const np_path_set *paths = s->path_set;
    size_t hop = paths->begin[i] + level - np_leveled_level(s->leveled, paths->origin[i]);
    if (hop >= paths->begin[i + 1])
        return;
    uint32_t e = s->leveled->out[s->node[i]] + paths->port[hop];
    if (s->over[e] != group) {
        s->over[e] = group;
        s->count[e]++;
    }
    s->edge[i] = e;
    s->node[i] = s->leveled->head[e];
}

/* Is packet i at a node of this level? */
static bool is_on(const sequences *s, np_packet i, uint32_t level)
{
    uint32_t from = np_leveled_level(s->leveled, s->path_set->origin[i]);
    return level >= from && level - from <= s->path_set->begin[i + 1] - s->path_set->begin[i];
}

/* The packets order[from..to) are one. */
static void take_group(sequences *s, np_packet from, np_packet to, np_step *arrival)
{
    for (np_packet k = from; k < to; k++) {
        np_packet i = s->order[k].packet;
        s->node[i] = s->path_set->origin[i];
        s->edge[i] = NP_NONE;
        s->lag[i] = INT64_MIN;
    }
    for (uint32_t level = 0; level <= s->leveled->depth; level++) {
        for (np_packet k = from; k < to; k++)
            if (is_on(s, s->order[k].packet, level))
                come(s, from, s->order[k].packet);
        for (np_packet k = from; k < to; k++)
            if (is_on(s, s->order[k].packet, level))
                leave(s, from, s->order[k].packet, level, arrival);
        for (np_packet k = from; k < to; k++)
            if (is_on(s, s->order[k].packet, level))
                go_on(s, from, s->order[k].packet, level);
    }
}

/* Now that the group has passed, it may delay others. */
static void spread_group(sequences *s, np_packet from, np_packet to)
{
    const np_leveled *lv = s->leveled;
    const np_path_set *paths = s->path_set;
    for (np_packet k = from; k < to; k++) {
        np_packet i = s->order[k].packet;
        uint32_t v = paths->origin[i];
        spread(s, v, s->here[v]);
        for (size_t hop = paths->begin[i]; hop < paths->begin[i + 1]; hop++) {
            v = lv->head[lv->out[v] + paths->port[hop]];
            spread(s, v, s->here[v]);
        }
    }
}

np_status np_longest_sequences(const np_merge_options *options, const np_leveled *leveled, const np_path_set *path_set,
                               const uint32_t *key, np_step *arrival)
{
    sequences s = {.options = options, .leveled = leveled, .path_set = path_set, .key = key};
    np_packet to;
    np_status st = np_arena_place(&s, layout, "delay sequences", &s.block);
    if (st)
        return st;
    sort_packets(&s);
    set_bases(&s);
    set_edges(&s);
    for (np_packet from = 0; from < path_set->packets; from = to) {
        to = from + 1;
        while (options->combine != NP_COMBINE_NONE && to < path_set->packets && s.order[to].key == s.order[from].key &&
               s.order[to].target == s.order[from].target)
            to++;
        take_group(&s, from, to, arrival);
        spread_group(&s, from, to);
    }
    np_memory_free(s.block);
    return NP_OK;
}
