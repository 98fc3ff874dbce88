/*
 * Plays a schedule by the rules of LogGOPSim (Hoefler, Schneider & Lumsdaine 2010). Events are in the order of their
 * times; at one time in the order in which they became known. A message becomes known when its send starts, an item
 * when the last one that it waits for starts (where it waits until that one is done, too, for the end is known then),
 * and at the latest when that one is matched. Of items that one event makes known those of the lower rank come first,
 * of a rank sends, then receives, then calculations, and of a kind those that waited for its start and then those that
 * waited for its end, each in the order of the lines that say so. What waits for nothing is known from the beginning,
 * block by block, by kinds and lines. So nothing that waits for a cpu is passed for ever by others that come later.
 *
 * What needs a cpu or a gap that is taken waits until the time at which it is free, and comes then in this order. All
 * that wait for one cpu and one gap are a crowd, of which one at least, the leader, is among the events: none of the
 * others can go before it. So each goes among the events twice, however many wait, but for leaders of one cpu, which
 * all ask for it when it is free.
 *
 * A message of s bytes, with n = max(s, 1) - 1 bytes behind the first:
 *   sent at t: the cpu is busy until t + o + n O, the sending gap until t + g + n G; it is there at t + o + L, or when
 *     the carrier says so; the send is done when its cpu is free if s <= S, else when the message is matched
 *   received at t', when it is there and the cpu and the receiving gap are free: cpu until t' + o + max(n O, n G), gap
 *     until t' + g + n G. A receive that was posted is done when the cpu is free. If there is none, one that is posted
 *     later is done at once, but not before that
 *   a receive is posted free of charge, but not before its cpu has done what it had begun when the receive became known
 *   A carrier has the bytes on the way: n G and L are not charged beside it.
 * As there, a message takes the cpu and the nic of its receiver that have the numbers of its send.
 *
 * Where a rank has one cpu and one nic, no message is of 0 bytes, and receives have the sizes of their messages, the
 * makespan is that of LogGOPSim's rules (whose sort promises no order within a kind, where more than 16 items become
 * known together). It differs where we depart from it: there an item that waits for one on another cpu
 * does not wait until that one is done; a message of 0 bytes has -1 bytes behind the first; and a matched rendezvous
 * stops the cpu of its sender that has the number of the receive.
 */
#include <string.h>

#include "base/heap.h"
#include "base/memory.h"
#include "base/room.h"
#include "work/goal/goal.h"
#include "work/goal/matching.h"
#include "work/goal/waiting.h"

enum { COMES = NP_GOAL_CALC + 1, LEAVES }; /* messages, behind the kinds of items */
enum { KIND_BITS = 3 };

typedef struct event {
    np_goal_time time;
    uint64_t order; /* of becoming known, above KIND_BITS of the kind of event */
    uint32_t item;
} event;

/* What waits for one cpu of a rank, and to send or to receive for one gap too. */
typedef struct crowd {
    uint32_t leader; /* has an event, and an order below those of the others; NP_NONE: nothing waits */
    uint32_t others; /* who have no event: a crowd of np_waiting */
} crowd;

enum { CROWD_SENDS, CROWD_CALCS, CROWD_COMES, CROWDS };

struct np_goal_player {
    const np_goal *goal;
    np_goal_costs costs;
    np_goal_carrier carrier;
    event *heap;
    size_t events, event_room;
    uint64_t known;      /* events that became known */
    uint32_t *waits;     /* [items] */
    np_goal_time *ready; /* [items] when the last one that it waits for was done; of a message that came before its
                            receive was posted: when it is received */
    uint32_t *freed;     /* items that wait for nothing any more, and are to become known */
    size_t freed_count, freed_room;
    uint8_t *done; /* [items] */
    size_t done_count;
    np_matching matching;
    np_goal_time *cpu;    /* [ranks][cpus] when it is free */
    np_goal_time *gap[2]; /* [ranks][nics] of sending, of receiving */
    np_waiting waiting;
    uint32_t *unit; /* [cpus][nics] the number of the two, if an item has both; NP_NONE */
    uint32_t units;
    crowd *crowds; /* [CROWDS][ranks][units] */
    np_goal_time makespan;
};

static const char what[] = "a schedule that is played";

/* ---- The events ---- */

static bool before(const void *one, const void *other)
{
    const event *a = one, *b = other;
    return a->time != b->time ? a->time < b->time : a->order < b->order;
}

static np_status put(np_goal_player *p, event e)
{
    np_status st = np_memory_room(&p->heap, p->events, &p->event_room, sizeof *p->heap, what);
    if (st)
        return st;
    np_heap_put(p->heap, p->events++, sizeof e, &e, before);
    return NP_OK;
}

static np_status know(np_goal_player *p, np_goal_time time, unsigned kind, uint32_t item)
{
    return put(p, (event){time, p->known++ << KIND_BITS | kind, item});
}

static event take(np_goal_player *p)
{
    const event first = p->heap[0], last = p->heap[--p->events];
    np_heap_sink(p->heap, p->events, sizeof last, 0, &last, before);
    return first;
}

/* ---- Who waits for whom ---- */

static np_goal_time later(np_goal_time a, np_goal_time b) { return a > b ? a : b; }

static np_status set_free(np_goal_player *p, uint32_t item)
{
    np_status st = np_memory_room(&p->freed, p->freed_count, &p->freed_room, sizeof *p->freed, what);
    if (!st)
        p->freed[p->freed_count++] = item;
    return st;
}

/* One of those that the item waits for is over at `time`. */
static np_status release(np_goal_player *p, uint32_t item, np_goal_time time)
{
    p->ready[item] = later(time, p->ready[item]);
    return --p->waits[item] ? NP_OK : set_free(p, item);
}

static np_status release_all(np_goal_player *p, uint32_t item, bool started, np_goal_time time)
{
    const np_goal *goal = p->goal;
    np_status st = NP_OK;
    for (size_t e = goal->next[item]; e < goal->next[item + 1] && !st; e++)
        if (goal->edge[e].started == started)
            st = release(p, goal->edge[e].to, time);
    return st;
}

static np_status start(np_goal_player *p, uint32_t item, np_goal_time time) { return release_all(p, item, true, time); }

static np_status end(np_goal_player *p, uint32_t item, np_goal_time time)
{
    p->done[item] = true;
    p->done_count++;
    return release_all(p, item, false, time);
}

/* ---- Receives and messages ---- */

/* Bytes behind the first. */
static uint64_t rest(const np_goal_item *item) { return item->size ? item->size - 1 : 0; }

/* A send is done when its message is matched, if it was not before. */
static np_status end_rendezvous(np_goal_player *p, uint32_t send, np_goal_time time)
{
    return p->goal->item[send].size > p->costs.threshold ? end(p, send, time) : NP_OK;
}

static void take_cpu(np_goal_player *p, np_goal_time *cpu, np_goal_time until)
{
    *cpu = until;
    p->makespan = later(p->makespan, until);
}

static np_goal_time *cpu_of(const np_goal_player *p, uint32_t rank, const np_goal_item *item)
{
    return &p->cpu[(size_t)rank * p->goal->cpus + item->cpu];
}

static np_goal_time *gap_of(const np_goal_player *p, bool receives, uint32_t rank, const np_goal_item *item)
{
    return &p->gap[receives][(size_t)rank * p->goal->nics + item->nic];
}

static crowd *crowd_of(const np_goal_player *p, unsigned which, uint32_t rank, const np_goal_item *item)
{
    uint32_t unit = p->unit[(size_t)item->cpu * p->goal->nics + item->nic];
    return &p->crowds[((size_t)which * p->goal->ranks + rank) * p->units + unit];
}

static np_status know_item(np_goal_player *p, uint32_t i)
{
    const np_goal_item *item = &p->goal->item[i];
    bool posts = item->kind == NP_GOAL_RECEIVE;
    return know(p, posts ? later(p->ready[i], *cpu_of(p, item->rank, item)) : p->ready[i], item->kind, i);
}

/* What an event has set free becomes known. They are of two ranks at most: that of the event, and of a rendezvous. */
static np_status know_freed(np_goal_player *p)
{
    const np_goal_item *all = p->goal->item;
    uint32_t rank[2] = {UINT32_MAX, 0};
    np_status st = NP_OK;
    for (size_t i = 0; i < p->freed_count; i++) {
        rank[0] = all[p->freed[i]].rank < rank[0] ? all[p->freed[i]].rank : rank[0];
        rank[1] = all[p->freed[i]].rank > rank[1] ? all[p->freed[i]].rank : rank[1];
    }
    for (size_t r = rank[0] >= rank[1]; r < 2; r++)
        for (unsigned kind = NP_GOAL_SEND; kind <= NP_GOAL_CALC; kind++)
            for (size_t i = 0; i < p->freed_count && !st; i++)
                if (all[p->freed[i]].rank == rank[r] && all[p->freed[i]].kind == kind)
                    st = know_item(p, p->freed[i]);
    p->freed_count = 0;
    return st;
}

/* The event needs what is taken until `free`. */
static np_status wait_until(np_goal_player *p, crowd *c, event e, np_goal_time free)
{
    p->waiting.order[e.item] = e.order;
    if (c->leader != NP_NONE && c->leader != e.item && p->waiting.order[c->leader] < e.order) {
        np_waiting_put(&p->waiting, &c->others, e.item);
        return NP_OK;
    }
    c->leader = e.item;
    return put(p, (event){free, e.order, e.item});
}

/* The item has what it needs, which is taken until `free`: another one leads those that wait for it. */
static np_status lead_next(np_goal_player *p, crowd *c, uint32_t item, np_goal_time free)
{
    if (c->leader != item)
        return NP_OK;
    c->leader = NP_NONE;
    if (c->others == NP_NONE)
        return NP_OK;
    c->leader = np_waiting_take(&p->waiting, &c->others);
    return put(p, (event){free, p->waiting.order[c->leader], c->leader});
}

static np_status send(np_goal_player *p, event e)
{
    const np_goal_item *item = &p->goal->item[e.item];
    const np_goal_costs *c = &p->costs;
    np_goal_time *cpu = cpu_of(p, item->rank, item), *gap = gap_of(p, false, item->rank, item);
    np_goal_time at = later(e.time, later(*cpu, *gap));
    crowd *waiting = crowd_of(p, CROWD_SENDS, item->rank, item);
    if (at > e.time)
        return wait_until(p, waiting, e, at);
    take_cpu(p, cpu, at + c->overhead + rest(item) * c->byte_overhead);
    *gap = at + c->gap + rest(item) * c->byte_gap;
    np_status st = lead_next(p, waiting, e.item, later(*cpu, *gap));
    if (!st)
        st = start(p, e.item, at);
    if (!st && item->size <= c->threshold)
        st = end(p, e.item, *cpu);
    if (st)
        return st;
    return p->carrier.depart ? p->carrier.depart(p->carrier.self, e.item, at + c->overhead)
                             : know(p, at + c->overhead + c->latency, COMES, e.item);
}

static np_status receive(np_goal_player *p, event e)
{
    np_status st = start(p, e.item, e.time);
    uint32_t message = np_matching_post(&p->matching, e.item);
    if (st || message == NP_NONE)
        return st;
    st = end_rendezvous(p, message, e.time);
    return st ? st : end(p, e.item, later(e.time, p->ready[message]));
}

static np_status calculate(np_goal_player *p, event e)
{
    const np_goal_item *item = &p->goal->item[e.item];
    np_goal_time *cpu = cpu_of(p, item->rank, item);
    crowd *waiting = crowd_of(p, CROWD_CALCS, item->rank, item);
    if (*cpu > e.time)
        return wait_until(p, waiting, e, *cpu);
    take_cpu(p, cpu, e.time + item->size * p->costs.calc);
    np_status st = lead_next(p, waiting, e.item, *cpu);
    if (!st)
        st = start(p, e.item, e.time);
    return st ? st : end(p, e.item, *cpu);
}

static np_status come(np_goal_player *p, event e)
{
    const np_goal_item *item = &p->goal->item[e.item];
    const np_goal_costs *c = &p->costs;
    np_goal_time *cpu = cpu_of(p, item->peer, item), *gap = gap_of(p, true, item->peer, item);
    np_goal_time at = later(e.time, later(*cpu, *gap)), bytes = rest(item) * c->byte_gap;
    crowd *waiting = crowd_of(p, CROWD_COMES, item->peer, item);
    if (at > e.time)
        return wait_until(p, waiting, e, at);
    take_cpu(p, cpu, at + c->overhead + later(rest(item) * c->byte_overhead, bytes));
    *gap = at + c->gap + bytes;
    np_status st = lead_next(p, waiting, e.item, later(*cpu, *gap));
    if (st)
        return st;
    uint32_t posted = np_matching_receive(&p->matching, e.item);
    if (posted == NP_NONE) {
        p->ready[e.item] = *cpu;
        return NP_OK;
    }
    st = end_rendezvous(p, e.item, at);
    return st ? st : end(p, posted, *cpu);
}

static np_status leaves(np_goal_player *p, event e) { return p->carrier.depart(p->carrier.self, e.item, e.time); }

/* ---- A player ---- */

/* Crowds for those cpus and nics alone that stand together somewhere. */
static np_status create_crowds(np_goal_player *p)
{
    const np_goal *goal = p->goal;
    size_t both = (size_t)goal->cpus * goal->nics;
    np_status st = np_memory_array(&p->unit, both, sizeof *p->unit, what);
    if (st)
        return st;
    memset(p->unit, 0xff, both * sizeof *p->unit);
    for (size_t i = 0; i < goal->items; i++) {
        uint32_t *unit = &p->unit[(size_t)goal->item[i].cpu * goal->nics + goal->item[i].nic];
        if (*unit == NP_NONE)
            *unit = p->units++;
    }
    size_t crowds = (size_t)CROWDS * goal->ranks * p->units;
    if ((st = np_memory_array(&p->crowds, crowds, sizeof *p->crowds, what)))
        return st;
    for (size_t i = 0; i < crowds; i++)
        p->crowds[i] = (crowd){NP_NONE, NP_NONE};
    return NP_OK;
}

static np_status create_arrays(np_goal_player *p)
{
    const np_goal *goal = p->goal;
    size_t items = goal->items + 1, ranks = goal->ranks, cpus = goal->cpus, nics = goal->nics;
    np_status st;
    if ((st = np_memory_array(&p->waits, items, sizeof *p->waits, what)) ||
        (st = np_memory_zeroed(&p->ready, items, sizeof *p->ready, what)) ||
        (st = np_memory_zeroed(&p->done, items, sizeof *p->done, what)) ||
        (st = np_matching_init(&p->matching, goal)) ||
        (st = np_memory_zeroed(&p->cpu, ranks * cpus, sizeof *p->cpu, what)) ||
        (st = np_memory_zeroed(&p->gap[0], ranks * nics, sizeof *p->gap[0], what)) ||
        (st = np_memory_zeroed(&p->gap[1], ranks * nics, sizeof *p->gap[1], what)) ||
        (st = np_waiting_init(&p->waiting, items)) || (st = create_crowds(p)))
        return st;
    for (uint32_t i = 0; i < goal->items && !st; i++) {
        if (i && goal->item[i].rank != goal->item[i - 1].rank)
            st = know_freed(p);
        if (!(p->waits[i] = goal->item[i].waits) && !st)
            st = set_free(p, i);
    }
    return st ? st : know_freed(p);
}

np_status np_goal_player_create(const np_goal *goal, const np_goal_costs *costs, const np_goal_carrier *carrier,
                                np_goal_player **out)
{
    np_goal_player *p;
    np_status st = np_memory_zeroed(&p, 1, sizeof *p, what);
    *out = NULL;
    if (st)
        return st;
    p->goal = goal;
    p->costs = *costs;
    if (carrier)
        p->carrier = *carrier;
    if ((st = create_arrays(p)))
        np_goal_player_free(p);
    else
        *out = p;
    return st;
}

void np_goal_player_free(np_goal_player *p)
{
    if (!p)
        return;
    NP_MEMORY_FREE(p->heap, p->waits, p->ready, p->freed, p->done, p->cpu, p->gap[0], p->gap[1], p->unit, p->crowds);
    np_waiting_clear(&p->waiting);
    np_matching_clear(&p->matching);
    np_memory_free(p);
}

bool np_goal_player_next(const np_goal_player *player, np_goal_time *time)
{
    if (player->events)
        *time = player->heap[0].time;
    return player->events;
}

np_status np_goal_player_run(np_goal_player *player, np_goal_time time)
{
    static np_status (*const play[])(np_goal_player *, event) = {send, receive, calculate, come, leaves};
    np_status st = NP_OK;
    while (player->events && player->heap[0].time <= time && !st) {
        event e = take(player);
        if (!(st = play[e.order & ((1 << KIND_BITS) - 1)](player, e)))
            st = know_freed(player);
    }
    return st;
}

np_status np_goal_depart_later(np_goal_player *player, uint32_t item, np_goal_time time)
{
    return know(player, time, LEAVES, item);
}

np_status np_goal_arrive(np_goal_player *player, uint32_t item, np_goal_time time)
{
    return know(player, time, COMES, item);
}

/* The first one of a circle of items that wait for one another, where nothing but circles is not done. Then `waits` has
 * an item for which each of them waits. */
static uint32_t first_of_circle(np_goal_player *p)
{
    const np_goal *goal = p->goal;
    uint32_t at = 0, first;
    for (uint32_t i = 0; i < goal->items; i++)
        if (!p->done[i])
            for (size_t e = goal->next[at = i]; e < goal->next[i + 1]; e++)
                p->waits[goal->edge[e].to] = i;
    for (size_t i = 0; i < goal->items; i++)
        at = p->waits[at];
    first = at;
    for (uint32_t i = p->waits[at]; i != at; i = p->waits[i])
        first = i < first ? i : first;
    return first;
}

/* An item that is not done, rather one that waits for a message than one that waits for it; NP_NONE: all are. */
static uint32_t find_undone(const np_goal_player *p)
{
    uint32_t first = NP_NONE;
    for (uint32_t i = 0; i < p->goal->items; i++)
        if (!p->done[i] && (first == NP_NONE || (p->waits[first] && !p->waits[i])))
            first = i;
    return first;
}

/* Those count as done that wait for no circle, neither at once nor by others. Is there any other one? */
static bool keep_circles(np_goal_player *p)
{
    const np_goal *goal = p->goal;
    uint32_t *stack = p->matching.next, count = 0, left = (uint32_t)goal->items;
    memset(p->waits, 0, goal->items * sizeof *p->waits);
    for (size_t e = 0; e < goal->next[goal->items]; e++)
        p->waits[goal->edge[e].to]++;
    for (uint32_t i = 0; i < goal->items; i++)
        if ((p->done[i] = !p->waits[i]))
            stack[count++] = i;
    for (; count; left--) {
        uint32_t i = stack[--count];
        for (size_t e = goal->next[i]; e < goal->next[i + 1]; e++)
            if (!--p->waits[goal->edge[e].to]) {
                p->done[goal->edge[e].to] = true;
                stack[count++] = goal->edge[e].to;
            }
    }
    return left;
}

np_status np_goal_player_finish(np_goal_player *player, const char *path)
{
    static const char *const names[] = {"send", "recv", "calc"};
    uint32_t i = find_undone(player);
    if (i == NP_NONE)
        return NP_OK;
    bool circle = keep_circles(player);
    i = circle ? first_of_circle(player) : i;
    const np_goal_item *item = &player->goal->item[i];
    if (circle)
        return NP_RAISE(NP_ERROR_INPUT,
                        "%s:%u: the %s of rank %u is never done: items wait for one another in a circle: it waits for "
                        "that of line %u, and that one for it",
                        path, item->line, names[item->kind], item->rank, player->goal->item[player->waits[i]].line);
    return NP_RAISE(NP_ERROR_INPUT, "%s:%u: the %s of rank %u is never done: %s", path, item->line, names[item->kind],
                    item->rank,
                    item->kind == NP_GOAL_SEND ? "it is longer than S, and nobody receives it"
                                               : "no message that it could take comes");
}

np_goal_time np_goal_makespan(const np_goal_player *player) { return player->makespan; }

uint64_t np_goal_unreceived(const np_goal_player *player) { return player->matching.unreceived; }

double np_goal_share(const np_goal_player *player)
{
    return player->goal->items ? (double)player->done_count / (double)player->goal->items : 1;
}
