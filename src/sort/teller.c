/*
 * See teller.h. The hops of a phase are a list, because the number of packets must be known when the phase begins, and
 * because sorters tell of hops line by line. Hops of a stage are kept until its name is known.
 *
 * Where an item can be. A sender keeps what it sends for a comparison, and of the two nodes one keeps the item. Which one
 * it was, shows when the item is sent again: from there. So the last packets of an item and their nodes are kept. When
 * a packet that came by a link is sent on, the others have been dropped.
 */
#include "sort/teller.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "network/network.h"
#include "netpram/sort.h"
#include "queueing/hop_list.h"
#include "queueing/relay.h"

enum { COPIES = 3 }; /* an item is sent over two links at once at most */

/* Where an item is. */
typedef struct places {
    np_packet packet[COPIES];
    np_node node[COPIES];
    uint32_t count; /* 0: it has not been told of in this phase */
    uint64_t step;  /* the last in which it was sent */
} places;

typedef struct crossing {
    uint64_t step;
    np_node from, to;
    uint32_t item;
    bool keeps;
} crossing;

struct np_sort_teller {
    const np_network *network;
    np_budget budget;
    np_event_relay relay;
    uint32_t items;
    places *item; /* [items] */
    uint32_t numbers;
    const uint32_t *number;
    np_status status;

    crossing *hop; /* [hops] of the present stage */
    size_t hops, hop_room;

    /* The present phase. */
    bool open;
    char name[NP_SORT_NAME];
    uint64_t steps;
    np_hop_list list;
    np_packet packets;
    size_t room;
    np_node *at;   /* [packets] as in np_hop_ends */
    np_packet *of; /* [packets] likewise */
};

/* Makes room for `count` packets. */
static np_status reserve(np_sort_teller *t, size_t count)
{
    np_status st;
    if (count <= t->room)
        return NP_OK;
    size_t room = 2 * count;
    if (room >= NP_NONE)
        return NP_RAISE(NP_ERROR_LIMIT, "a stage of 2^31 packets is not observed: take fewer keys");
    if ((st = np_budget_grow(&t->budget, &t->at, t->packets, t->room, room, sizeof *t->at)) ||
        (st = np_budget_grow(&t->budget, &t->of, t->packets, t->room, room, sizeof *t->of)))
        return st;
    t->room = room;
    return NP_OK;
}

np_status np_sort_teller_create(const np_network *network, const np_observer *observer, uint32_t items,
                                const np_budget *budget, np_sort_teller **out)
{
    np_sort_teller *t;
    np_status st = np_memory_zeroed(out, 1, sizeof **out, "an observed sort");
    if (st)
        return st;
    t = *out;
    t->network = network;
    t->items = items;
    t->budget = *budget;
    t->budget.held += sizeof *t;
    t->list.budget = &t->budget;
    np_event_relay_init(&t->relay, observer);
    if ((st = np_budget_grow(&t->budget, &t->item, 0, 0, items, sizeof *t->item)) || (st = reserve(t, items))) {
        np_sort_teller_free(t);
        *out = NULL;
    }
    return st;
}

void np_sort_teller_free(np_sort_teller *teller)
{
    if (!teller)
        return;
    np_hop_list_clear(&teller->list);
    np_memory_free(teller->item);
    np_memory_free(teller->hop);
    np_memory_free(teller->at);
    np_memory_free(teller->of);
    np_memory_free(teller);
}

void np_sort_teller_begin(np_sort_teller *teller, uint32_t run, uint32_t numbers, const uint32_t *number)
{
    teller->relay.run = run;
    teller->relay.phase = 0;
    teller->numbers = numbers;
    teller->number = number;
}

np_status np_sort_teller_status(const np_sort_teller *teller) { return teller->status; }

/* ---- Phases ---- */

static void open_phase(np_sort_teller *t, const char *name)
{
    t->open = true;
    t->name[0] = '\0';
    strncat(t->name, name, sizeof t->name - 1);
    t->steps = 0;
    t->packets = t->items;
    t->list.count = 0;
    for (uint32_t i = 0; i < t->items; i++) {
        t->item[i].count = 0;
        t->at[i] = t->of[i] = NP_NONE;
    }
}

static void close_phase(np_sort_teller *t)
{
    np_event_phase phase = {.name = t->name, .network = t->network, .packets = t->list.count ? t->packets : 0};
    const np_hop_ends ends = {.at = t->at, .of = t->of};
    const np_phase_run run = {.packets = phase.packets, .steps = (np_step)t->steps, .hops = t->list.count};
    if (t->open && !t->status) {
        t->relay.name = NULL;
        t->status = np_hop_list_tell(&t->list, &t->relay.observer, &phase, &ends, &run);
    }
    t->open = false;
}

/* ---- Hops ---- */

void np_sort_teller_hop(np_sort_teller *teller, uint64_t step, np_node from, np_node to, uint32_t item, bool keeps)
{
    np_sort_teller *t = teller;
    if (!t->status && t->hops == t->hop_room) {
        size_t room = t->hop_room ? 2 * t->hop_room : 1024;
        if (!(t->status = np_budget_grow(&t->budget, &t->hop, t->hops, t->hop_room, room, sizeof *t->hop)))
            t->hop_room = room;
    }
    if (!t->status)
        t->hop[t->hops++] = (crossing){step, from, to, item, keeps};
}

/* Which of the item's packets is at the node: the latest. In the beginning of a phase, the packet of its key. */
static uint32_t find(np_sort_teller *t, uint32_t number, np_node at)
{
    places *of = &t->item[number];
    uint32_t k = of->count;
    if (!k) {
        np_packet packet = number < t->numbers ? t->number[number] : number;
        *of = (places){.packet = {packet}, .node = {at}, .count = 1};
        t->at[packet] = at;
        return 0;
    }
    while (k && of->node[k - 1] != at)
        k--;
    assert(k); /* the sender has the item */
    return k - 1;
}

/* A copy of packet k of the item comes to a node. */
static np_status add_copy(np_sort_teller *t, places *of, uint32_t k, const crossing *h, np_packet *out)
{
    np_status st = reserve(t, t->packets + (size_t)1);
    if (st)
        return st;
    if (k || h->step != of->step) { /* the copies before this one have been dropped */
        of->packet[0] = of->packet[k];
        of->node[0] = of->node[k];
        of->count = 1;
    }
    assert(of->count < COPIES);
    *out = t->packets++;
    t->at[*out] = NP_NONE;
    t->of[*out] = of->packet[0];
    of->packet[of->count] = *out;
    of->node[of->count++] = h->to;
    return NP_OK;
}

static np_status take(np_sort_teller *t, const crossing *h)
{
    uint32_t k = find(t, h->item, h->from);
    places *of = &t->item[h->item];
    np_packet packet = of->packet[k];
    np_status st = h->keeps ? add_copy(t, of, k, h, &packet) : NP_OK;
    if (st)
        return st;
    if (!h->keeps)
        of->node[k] = h->to;
    of->step = h->step;
    np_hop_list_add(&t->list, (np_step)h->step, packet, np_network_link_between(t->network, h->from, h->to));
    return t->list.status;
}

void np_sort_teller_stage(np_sort_teller *teller, const char *name, uint64_t steps)
{
    np_sort_teller *t = teller;
    if (t->open && strcmp(t->name, name) != 0)
        close_phase(t);
    if (!t->open)
        open_phase(t, name);
    for (size_t i = 0; i < t->hops && !t->status; i++) {
        t->hop[i].step += t->steps;
        t->status = take(t, &t->hop[i]);
    }
    t->hops = 0;
    t->steps += steps;
}

const np_observer *np_sort_teller_observer(np_sort_teller *teller, const char *stage)
{
    close_phase(teller);
    teller->relay.name = stage;
    return &teller->relay.observer;
}

np_status np_sort_teller_end(np_sort_teller *teller)
{
    close_phase(teller);
    return teller->status;
}
