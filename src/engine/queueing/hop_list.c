/* See hop_list.h. */
#include "engine/queueing/hop_list.h"

#include "base/arena.h"
#include "base/memory.h"

/* The hops in the order of time. */
typedef struct teller {
    const np_hop_list *list;
    const np_event_phase *phase;
    const np_hop_ends *ends;
    np_step steps;
    uint32_t *begin;   /* [steps + 2] the hops of step s are order[begin[s]] .. order[begin[s + 1] - 1] */
    uint32_t *order;   /* [hops] */
    uint32_t *next;    /* [hops] the packet's next hop; NP_NONE: there is none */
    uint32_t *present; /* [packets] the packet's next hop */
    bool *there;       /* [packets] it has entered the phase */
    np_packet *enters; /* [steps + 1] the first packet that enters when the step is over; NP_NONE: there is none */
    np_packet *after;  /* [packets] the next one that enters with it */
    void *block;
    np_event_feed feed;
} teller;

static const char what[] = "a list of hops";

void np_hop_list_clear(np_hop_list *list)
{
    np_memory_free(list->hop);
    *list = (np_hop_list){.hop = NULL};
}

enum { ROOM_AT_FIRST = 1024 };

/* A list that grows holds its old array, too. */
uint64_t np_hop_list_bytes(uint64_t hops, uint64_t packets, uint64_t steps)
{
    uint64_t room = ROOM_AT_FIRST;
    while (room < hops)
        room *= 2;
    uint64_t list = np_memory_taken(room * sizeof(np_listed_hop));
    uint64_t old = room > ROOM_AT_FIRST ? np_memory_taken(room / 2 * sizeof(np_listed_hop)) : 0;
    uint64_t told =
        np_memory_taken(hops * 2 * sizeof(uint32_t)) + (packets + steps) * sizeof(uint32_t) + packets * sizeof(bool);
    return list + (old > told ? old : told) + sizeof(teller);
}

void np_hop_list_add(np_hop_list *list, np_step step, np_packet packet, np_link link)
{
    if (!list->status && list->count == list->room) {
        size_t room = list->room ? 2 * list->room : ROOM_AT_FIRST;
        list->status = room < NP_NONE
                           ? np_memory_grow(&list->hop, list->count, room, sizeof *list->hop, "the hops that are told")
                           : NP_RAISE(NP_ERROR_LIMIT, "a list of 2^31 hops: take less traffic");
        if (!list->status)
            list->room = room;
    }
    if (!list->status)
        list->hop[list->count++] = (np_listed_hop){step, packet, link};
}

static void layout(void *object, np_arena *arena)
{
    teller *t = object;
    np_arena_zeroed(arena, &t->begin, (size_t)t->steps + 2, sizeof *t->begin, what);
    NP_ARENA_WORDS(arena, t->list->count, what, &t->order, &t->next);
    np_arena_array(arena, &t->present, t->phase->packets, sizeof *t->present, what);
    np_arena_zeroed(arena, &t->there, t->phase->packets, sizeof *t->there, what);
    np_arena_array(arena, &t->enters, t->ends->since ? (size_t)t->steps + 1 : 0, sizeof *t->enters, what);
    np_arena_array(arena, &t->after, t->ends->since ? t->phase->packets : 0, sizeof *t->after, what);
}

/* Sorts the hops by steps, and links the hops of each packet. */
static void arrange(teller *t)
{
    const np_listed_hop *hop = t->list->hop;
    uint32_t count = (uint32_t)t->list->count;
    for (uint32_t i = 0; i < count; i++)
        t->begin[hop[i].step]++;
    for (np_step s = 0; s <= t->steps; s++)
        t->begin[s + 1] += t->begin[s];
    for (uint32_t i = count; i-- > 0;)
        t->order[--t->begin[hop[i].step]] = i;
    for (np_packet p = 0; p < t->phase->packets; p++)
        t->present[p] = NP_NONE;
    for (uint32_t i = count; i-- > 0;) {
        t->next[i] = t->present[hop[i].packet];
        t->present[hop[i].packet] = i;
    }
}

/* Lists the packets that enter later, by steps. */
static void arrange_entries(teller *t)
{
    const np_step *since = t->ends->since;
    for (np_step s = 0; since && s <= t->steps; s++)
        t->enters[s] = NP_NONE;
    for (np_packet p = t->phase->packets; since && p-- > 0;)
        if (t->ends->at[p] != NP_NONE && since[p] <= t->steps) {
            t->after[p] = t->enters[since[p]];
            t->enters[since[p]] = p;
        }
}

static bool enters_later(const teller *t, np_packet p) { return t->ends->since && t->ends->since[p]; }

static void tell_beginning(teller *t)
{
    const np_node *at = t->ends->at, *end = t->ends->end;
    for (np_packet p = 0; p < t->phase->packets; p++)
        if ((t->there[p] = at[p] != NP_NONE && !enters_later(t, p)))
            np_event_feed_put(&t->feed, np_event_injected(p, at[p], end ? end[p] : NP_NONE));
    for (np_packet p = 0; p < t->phase->packets; p++)
        if (t->there[p] && t->present[p] == NP_NONE)
            np_event_feed_put(&t->feed, np_event_landed(0, p, at[p]));
}

/* The step is over, and packets enter. Those that make no hop end at once. */
static void tell_entries(teller *t, np_step step)
{
    const np_node *at = t->ends->at, *end = t->ends->end;
    for (np_packet p = t->enters[step]; p != NP_NONE; p = t->after[p]) {
        np_event event = np_event_injected(p, at[p], end ? end[p] : NP_NONE);
        event.step = step;
        np_event_feed_put(&t->feed, event);
        t->there[p] = true;
        if (t->present[p] == NP_NONE)
            np_event_feed_put(&t->feed, np_event_landed(step, p, at[p]));
    }
}

/* The packet has made its last hop. */
static void tell_ending(teller *t, np_step step, np_packet packet, np_node at)
{
    np_packet into = t->ends->into ? t->ends->into[packet] : NP_NONE;
    np_event_feed_put(&t->feed, into == NP_NONE ? np_event_landed(step, packet, at)
                                                : np_event_joined(NP_EVENT_COMBINED, step, packet, into, at));
}

/* The link of a hop, and the nodes from which and to which it leads; backwards, those of the link change places. */
static np_link link_of(const teller *t, const np_listed_hop *hop, np_node *from, np_node *to)
{
    const np_network *network = t->phase->network;
    uint32_t links = np_network_link_numbers(network);
    bool backwards = hop->link >= links;
    np_link link = backwards ? hop->link - links : hop->link;
    np_node tail = np_network_link_tail(network, link), head = np_network_link_head(network, link);
    *from = backwards ? head : tail;
    *to = backwards ? tail : head;
    return link;
}

static void tell_hop(teller *t, uint32_t i)
{
    const np_listed_hop *hop = &t->list->hop[i];
    np_node from, to;
    np_link link = link_of(t, hop, &from, &to);
    if (!t->there[hop->packet])
        np_event_feed_put(&t->feed,
                          np_event_joined(NP_EVENT_SPLIT, hop->step, hop->packet, t->ends->of[hop->packet], from));
    t->there[hop->packet] = true;
    np_event_feed_put(&t->feed, np_event_moved(hop->step, hop->packet, from, to, link, 0));
    if (t->next[i] == NP_NONE)
        tell_ending(t, hop->step, hop->packet, to);
    t->present[hop->packet] = t->next[i];
}

/* Before the hops of the step: those who make their next hop later. */
static void tell_waiting(teller *t, np_step step)
{
    for (np_packet p = 0; p < t->phase->packets; p++) {
        const np_listed_hop *hop = t->present[p] == NP_NONE ? NULL : &t->list->hop[t->present[p]];
        np_node at, to;
        if (!hop || !t->there[p] || hop->step <= step)
            continue;
        np_link link = link_of(t, hop, &at, &to);
        np_event_feed_put(&t->feed, np_event_waited(step, p, at, link, 0, NP_EVENT_PLAN, NP_NONE));
    }
}

static void tell_step(teller *t, np_step step)
{
    if (np_event_feed_needs(&t->feed, NP_EVENT_WAITED))
        tell_waiting(t, step);
    for (uint32_t i = t->begin[step]; i < t->begin[step + 1]; i++)
        tell_hop(t, t->order[i]);
    if (t->ends->since)
        tell_entries(t, step);
}

static np_status tell(teller *t, const np_observer *observer, const np_phase_run *run)
{
    np_status st = np_event_feed_begin(&t->feed, observer, t->phase);
    if (st)
        return st;
    arrange(t);
    arrange_entries(t);
    tell_beginning(t);
    for (np_step step = 1; step <= t->steps && np_event_feed_flush(&t->feed); step++)
        tell_step(t, step);
    return np_event_feed_end(&t->feed, run);
}

np_status np_hop_list_tell(const np_hop_list *list, const np_observer *observer, const np_event_phase *phase,
                           const np_hop_ends *ends, const np_phase_run *run)
{
    teller t = {.list = list, .phase = phase, .ends = ends};
    np_status st = list->status;
    for (size_t i = 0; i < list->count; i++)
        t.steps = list->hop[i].step > t.steps ? list->hop[i].step : t.steps;
    if (!st && !(st = np_arena_place(&t, layout, what, &t.block)))
        st = tell(&t, observer, run);
    np_memory_free(t.block);
    return st;
}

/* ---- Recording ---- */

static int begin_recording(void *context, const np_event_phase *phase)
{
    np_hop_recorder *r = context;
    r->passed = r->list.count ? r->list.hop[r->list.count - 1].step : 0;
    r->leveled = phase->leveled != NULL;
    return r->leveled;
}

static int record(void *context, size_t count, const np_event *event)
{
    np_hop_recorder *r = context;
    for (size_t i = 0; i < count; i++)
        if (event[i].kind == NP_EVENT_MOVED)
            np_hop_list_add(&r->list, r->passed + event[i].step, event[i].packet, event[i].link);
    return 0; /* what the list lacks, its status says: the message of another error would replace its own */
}

void np_hop_recorder_init(np_hop_recorder *recorder)
{
    *recorder = (np_hop_recorder){
        .observer = {.kinds = 1 << NP_EVENT_MOVED, .begin = begin_recording, .events = record, .context = recorder}};
}
