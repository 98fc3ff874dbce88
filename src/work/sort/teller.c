/*
 * See teller.h. The hops of a phase are a list, because the number of packets must be known when the phase begins, and
 * because sorters tell of hops line by line. What happens in a stage is kept until its name is known.
 *
 * Where a word can be. A word can be at several nodes, by a packet at each. A sender keeps what it sends for a
 * comparison, and of the two nodes one keeps the word. Which one it was, shows when the word is sent again: from there.
 * Then the others have been dropped.
 *
 * What packets are called. Keys have their numbers in all phases. A packet that enters a phase and is no key gets a
 * number that no other packet had in the phase before, because a packet of the same number would go on from there.
 */
#include "work/sort/teller.h"

#include <string.h>

#include "base/memory.h"
#include "model/network/network.h"
#include "netpram/sort.h"
#include "engine/queueing/relay.h"

/* A packet by which a node has a word. */
typedef struct place {
    np_packet packet;
    np_node node;  /* of the network that is told of */
    uint32_t next; /* of the same word: older; NP_NONE: there is none */
} place;

/* Where a word is. */
typedef struct places {
    uint32_t first; /* the latest; NP_NONE: it has not been told of in this phase */
    np_step step;   /* the last in which it was sent */
} places;

typedef enum happening { MOVES = NP_SORT_MOVES, COMPARES, COPIES, JOINS, ENTERS } happening;

/* What a word does. */
typedef struct act {
    happening what;
    np_step step; /* ENTERS: after this step. With a guest, the last step of the slot */
    np_link link; /* ENTERS: none */
    uint32_t word;
    uint32_t into; /* of JOINS */
    np_node at;    /* of ENTERS; of JOINS: where `into` is */
} act;

struct np_sort_teller {
    const np_network *network;
    const np_sort_play *play; /* NULL: the network plays no other one */
    np_event_relay relay;
    uint32_t items;
    places *word; /* [word_room] items, their copies, numbers */
    size_t word_room;
    uint32_t fresh; /* numbers of the present stage */
    place *place;   /* [places] and those that are free */
    size_t places, place_room;
    uint32_t free; /* the first; NP_NONE: there is none */
    uint32_t numbers;
    const uint32_t *number;
    np_status status;

    act *act; /* [acts] of the present stage */
    size_t acts, act_room;
    bool routed; /* the present stage is told by an engine */

    /* An engine whose moves are told. */
    np_observer moves;
    np_event_leveled unused; /* the links of its own network are translated */
    np_event_phase phase;
    uint64_t wait;
    np_sort_crossing *link_of;
    const void *context;
    uint32_t *carried; /* [carried_room] the words of its packets */
    size_t carried_room;

    /* The present phase. */
    bool open;
    char name[NP_SORT_NAME];
    uint64_t begin, end; /* in steps of the run */
    np_hop_list list;
    np_packet packets;
    bool enter; /* packets enter that are no keys */
    size_t room;
    np_node *at;   /* [packets] as in np_hop_ends */
    np_packet *of; /* [packets] likewise */
    np_packet *into;
    np_step *since;
    np_packet *called; /* [packets] what they are called */

    /* Of the phase before: what its packets were called that are no keys. */
    uint32_t shift, others;
};

/* Makes room for `count` packets. */
static np_status reserve(np_sort_teller *t, size_t count)
{
    np_status st;
    if (count <= t->room)
        return NP_OK;
    size_t room = 2 * count;
    if (room >= NP_NONE / 2)
        return NP_RAISE(NP_ERROR_LIMIT, "a stage of 2^30 packets is not observed: take fewer keys");
    if ((st = np_memory_grow(&t->at, t->packets, room, sizeof *t->at, "the events of the sort")) ||
        (st = np_memory_grow(&t->of, t->packets, room, sizeof *t->of, "the events of the sort")) ||
        (st = np_memory_grow(&t->into, t->packets, room, sizeof *t->into, "the events of the sort")) ||
        (st = np_memory_grow(&t->since, t->packets, room, sizeof *t->since, "the events of the sort")) ||
        (st = np_memory_grow(&t->called, t->packets, room, sizeof *t->called, "the events of the sort")))
        return st;
    t->room = room;
    return NP_OK;
}

/* Makes room for one item more; a failure is kept. */
static bool grow(np_sort_teller *t, void *array, size_t count, size_t *room, size_t size)
{
    if (t->status || count < *room)
        return !t->status;
    size_t more = count < 512 ? 1024 : 2 * count;
    t->status = np_memory_grow(array, count, more, size, "the events of the sort");
    if (!t->status)
        *room = more;
    return !t->status;
}

/* Makes room for words below `count`. */
static np_status reserve_words(np_sort_teller *t, size_t count)
{
    size_t old = t->word_room;
    if (count <= old)
        return NP_OK;
    np_status st = np_memory_grow(&t->word, old, count, sizeof *t->word, "the events of the sort");
    if (st)
        return st;
    t->word_room = count;
    for (size_t w = old; w < count; w++)
        t->word[w] = (places){.first = NP_NONE};
    return NP_OK;
}

static int on_moves(void *context, size_t count, const np_event *event)
{
    np_sort_teller *t = context;
    for (size_t i = 0; i < count; i++) {
        np_link link = event[i].kind == NP_EVENT_MOVED ? t->link_of(t->context, event[i].link) : NP_NONE;
        if (link != NP_NONE && !t->status)
            np_sort_teller_send(t, t->wait + event[i].step, link, t->carried[event[i].packet], NP_SORT_MOVES);
    }
    return 0; /* a failure ends the sort when it tells of its progress */
}

np_status np_sort_teller_create(const np_network *network, const np_observer *observer, uint32_t items,
                                np_sort_teller **out)
{
    np_sort_teller *t;
    np_status st = np_memory_zeroed(out, 1, sizeof **out, "an observed sort");
    if (st)
        return st;
    t = *out;
    t->network = network;
    t->items = items;
    t->moves = (np_observer){.kinds = 1 << NP_EVENT_MOVED, .events = on_moves, .context = t};
    t->phase = (np_event_phase){.name = "", .network = network, .leveled = &t->unused};
    np_event_relay_init(&t->relay, observer);
    if ((st = reserve_words(t, items)) || (st = reserve(t, items))) {
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
    NP_MEMORY_FREE(teller->word, teller->place, teller->act, teller->carried, teller->at, teller->of, teller->into,
                   teller->since, teller->called, teller);
}

void np_sort_teller_begin(np_sort_teller *teller, uint32_t run, uint32_t numbers, const uint32_t *number)
{
    teller->relay.run = run;
    teller->relay.phase = 0;
    teller->numbers = numbers;
    teller->number = number;
    teller->end = 0;
    teller->shift = teller->others = 0;
}

void np_sort_teller_play(np_sort_teller *teller, const np_sort_play *play) { teller->play = play; }

const np_network *np_sort_teller_network(const np_sort_teller *teller)
{
    return teller->play ? teller->play->guest : teller->network;
}

np_status np_sort_teller_status(const np_sort_teller *teller) { return teller->status; }

/* ---- Phases ---- */

static void open_phase(np_sort_teller *t, const char *name, uint64_t begin)
{
    t->open = true;
    t->name[0] = '\0';
    strncat(t->name, name, sizeof t->name - 1);
    t->begin = t->end = begin;
    t->packets = t->items;
    t->list.count = 0;
    t->enter = false;
    t->places = 0;
    t->free = NP_NONE;
    for (size_t w = 0; w < t->word_room; w++)
        t->word[w].first = NP_NONE;
    for (uint32_t i = 0; i < t->items; i++) {
        t->at[i] = t->of[i] = t->into[i] = NP_NONE;
        t->since[i] = 0;
    }
}

/* Other numbers than those of the phase before, for packets that enter and are no keys. */
static void call(np_sort_teller *t)
{
    uint32_t others = t->enter ? t->packets - t->items : 0, shift = 0;
    if (others > t->shift)
        shift = t->shift + t->others;
    for (np_packet p = 0; others && p < t->packets; p++)
        t->called[p] = p < t->items ? p : p + shift;
    t->relay.number = others ? t->called : NULL;
    t->relay.numbers = t->packets + shift;
    t->shift = shift;
    t->others = others;
}

/* Nothing moves in the steps behind the last hop. They are a phase without packets. */
static void tell_rest(np_sort_teller *t, np_event_phase *phase, uint64_t steps)
{
    const np_phase_run run = {.steps = (np_step)steps};
    phase->packets = 0;
    t->relay.number = NULL;
    if ((steps || !t->list.count) && !t->status)
        t->status = np_event_tell_nothing(&t->relay.observer, phase, &run);
}

static np_step last_step(const np_hop_list *list)
{
    np_step last = 0;
    for (size_t i = 0; i < list->count; i++)
        last = list->hop[i].step > last ? list->hop[i].step : last;
    return last;
}

static void close_phase(np_sort_teller *t)
{
    np_event_phase phase = {.name = t->name, .network = t->network, .packets = t->packets};
    const np_hop_ends ends = {.at = t->at, .since = t->enter ? t->since : NULL, .of = t->of, .into = t->into};
    const np_phase_run run = {.packets = phase.packets, .steps = last_step(&t->list), .hops = t->list.count};
    if (t->open && !t->status) {
        t->relay.name = NULL;
        if (t->list.count) {
            call(t);
            t->status = np_hop_list_tell(&t->list, &t->relay.observer, &phase, &ends, &run);
        } else {
            t->shift = t->others = 0;
        }
        tell_rest(t, &phase, t->end - t->begin - run.steps);
    }
    t->open = false;
}

/* ---- What happens in a stage ---- */

static void add(np_sort_teller *t, act what)
{
    if (grow(t, &t->act, t->acts, &t->act_room, sizeof *t->act))
        t->act[t->acts++] = what;
}

uint32_t np_sort_teller_copy(const np_sort_teller *teller, uint32_t item, uint32_t kind)
{
    return teller->items * kind + item;
}

uint32_t np_sort_teller_numbers(np_sort_teller *teller, uint32_t count)
{
    uint32_t first = teller->items * (NP_SORT_COPIES_OF_KEYS + 1) + teller->fresh;
    teller->fresh += count;
    return first;
}

void np_sort_teller_put(np_sort_teller *teller, uint64_t step, uint32_t word, np_node at)
{
    add(teller, (act){ENTERS, (np_step)step, NP_NONE, word, NP_NONE, at});
}

void np_sort_teller_send(np_sort_teller *teller, uint64_t step, np_link link, uint32_t word, np_sort_sending how)
{
    add(teller, (act){(happening)how, (np_step)step, link, word, NP_NONE, NP_NONE});
}

void np_sort_teller_join(np_sort_teller *teller, uint64_t step, np_link link, uint32_t word, uint32_t into, np_node at)
{
    add(teller, (act){JOINS, (np_step)step, link, word, into, at});
}

/* A packet that is no key; nothing is known of it yet. */
static np_status make_packet(np_sort_teller *t, np_packet *out)
{
    np_status st = reserve(t, t->packets + (size_t)1);
    if (st)
        return st;
    *out = t->packets++;
    t->at[*out] = t->of[*out] = t->into[*out] = NP_NONE;
    t->since[*out] = 0;
    return NP_OK;
}

/* The packet that enters the phase with the word. */
static np_status enter(np_sort_teller *t, uint32_t word, np_node at, np_step since, np_packet *out)
{
    np_status st;
    if (word < t->items) {
        *out = word < t->numbers ? t->number[word] : word;
    } else {
        if ((st = make_packet(t, out)))
            return st;
        t->enter = true;
    }
    t->at[*out] = t->play ? t->play->node(t->play->context, at) : at;
    t->since[*out] = since;
    return NP_OK;
}

/* Forgets where the word is, except at place `kept`. */
static void forget(np_sort_teller *t, places *of, uint32_t kept)
{
    for (uint32_t k = of->first, next; k != NP_NONE; k = next) {
        next = t->place[k].next;
        if (k == kept)
            continue;
        t->place[k].next = t->free;
        t->free = k;
    }
    of->first = kept;
    if (kept != NP_NONE)
        t->place[kept].next = NP_NONE;
}

static np_status add_place(np_sort_teller *t, places *of, np_packet packet, np_node node)
{
    uint32_t k = t->free;
    if (k != NP_NONE)
        t->free = t->place[k].next;
    else if (grow(t, &t->place, t->places, &t->place_room, sizeof *t->place))
        k = (uint32_t)t->places++;
    else
        return t->status;
    t->place[k] = (place){packet, node, of->first};
    of->first = k;
    return NP_OK;
}

/*
 * By which packet is the word at the node? By the latest. The first time in a phase, by the packet of the key or copy.
 */
static np_status find(np_sort_teller *t, uint32_t word, np_node at, uint32_t *out)
{
    places *of = &t->word[word];
    np_packet packet;
    np_status st;
    if (of->first == NP_NONE && ((st = enter(t, word, at, 0, &packet)) || (st = add_place(t, of, packet, at))))
        return st;
    for (*out = of->first; *out != NP_NONE && t->place[*out].node != at;)
        *out = t->place[*out].next;
    return *out == NP_NONE ? NP_RAISE(NP_ERROR_INTERNAL, "node %u sends word %u, which it does not have", at, word)
                           : NP_OK;
}

/* What crosses the link splits from the packet `of`. */
static np_status split(np_sort_teller *t, np_packet of, np_packet *out)
{
    np_status st = make_packet(t, out);
    if (!st)
        t->of[*out] = of;
    return st;
}

/* The packet crosses the link, or walks as the network plays it. */
static np_status cross(np_sort_teller *t, const act *a, np_packet packet)
{
    np_listed_hop hop[NP_SORT_WALK] = {{.step = 1, .link = a->link}};
    uint32_t hops = t->play ? t->play->walk(t->play->context, a->link, hop) : 1, slot = t->play ? t->play->slot : 1;
    for (uint32_t i = 0; i < hops; i++)
        np_hop_list_add(&t->list, a->step - slot + hop[i].step, packet, hop[i].link);
    return t->list.status;
}

static np_status join(np_sort_teller *t, const act *a, uint32_t k)
{
    uint32_t into;
    np_packet packet;
    np_status st;
    if ((st = split(t, t->place[k].packet, &packet)) || (st = find(t, a->into, a->at, &into)))
        return st;
    t->into[packet] = t->place[into].packet;
    return cross(t, a, packet);
}

static np_status send(np_sort_teller *t, const act *a, uint32_t k)
{
    places *of = &t->word[a->word];
    np_node to = np_network_link_head(np_sort_teller_network(t), a->link);
    np_packet packet = t->place[k].packet;
    np_status st = a->what == MOVES ? NP_OK : split(t, packet, &packet);
    if (a->what == COMPARES && (t->place[k].next != NP_NONE || a->step != of->step))
        forget(t, of, k); /* the copies before this one have been dropped */
    if (a->what == MOVES)
        t->place[k].node = to;
    else if (!st)
        st = add_place(t, of, packet, to);
    if (st)
        return st;
    of->step = a->step;
    return cross(t, a, packet);
}

static np_status put(np_sort_teller *t, const act *a)
{
    np_packet packet;
    np_status st = enter(t, a->word, a->at, a->step, &packet);
    if (st)
        return st;
    forget(t, &t->word[a->word], NP_NONE);
    return add_place(t, &t->word[a->word], packet, a->at);
}

static np_status take(np_sort_teller *t, const act *a)
{
    uint32_t most = a->into != NP_NONE && a->into > a->word ? a->into : a->word, k;
    np_status st = reserve_words(t, (size_t)most + 1);
    if (st || a->what == ENTERS)
        return st ? st : put(t, a);
    if ((st = find(t, a->word, np_network_link_tail(np_sort_teller_network(t), a->link), &k)))
        return st;
    return a->what == JOINS ? join(t, a, k) : send(t, a, k);
}

/* Numbers are forgotten. */
static void end_stage(np_sort_teller *t)
{
    size_t first = (size_t)t->items * (NP_SORT_COPIES_OF_KEYS + 1);
    for (size_t w = first; w < first + t->fresh && w < t->word_room; w++)
        forget(t, &t->word[w], NP_NONE);
    t->fresh = 0;
    t->acts = 0;
}

void np_sort_teller_stage(np_sort_teller *teller, const char *name, uint64_t begin, uint64_t steps)
{
    np_sort_teller *t = teller;
    bool routed = t->routed;
    t->routed = false;
    if (routed)
        return;
    if (t->play)
        name = t->play->phase;
    if (t->open && strcmp(t->name, name) != 0)
        close_phase(t);
    if (!t->open)
        open_phase(t, name, begin);
    for (size_t i = 0; i < t->acts && !t->status; i++) {
        t->act[i].step = (np_step)(begin - t->begin + (uint64_t)t->act[i].step * (t->play ? t->play->slot : 1));
        t->status = take(t, &t->act[i]);
    }
    end_stage(t);
    if (begin + steps > t->end)
        t->end = begin + steps;
}

/* ---- Engines ---- */

const np_observer *np_sort_teller_observer(np_sort_teller *teller, const char *stage)
{
    close_phase(teller);
    teller->routed = true;
    teller->relay.name = stage;
    teller->relay.number = NULL;
    return &teller->relay.observer;
}

const np_observer *np_sort_teller_moves(np_sort_teller *teller, uint64_t wait, np_sort_crossing *link_of,
                                        const void *context)
{
    teller->wait = wait;
    teller->link_of = link_of;
    teller->context = context;
    return &teller->moves;
}

const np_event_phase *np_sort_teller_phase(const np_sort_teller *teller) { return &teller->phase; }

void np_sort_teller_carry(np_sort_teller *teller, np_packet packet, uint32_t word)
{
    np_sort_teller *t = teller;
    size_t room = packet < t->carried_room ? 0 : 2 * ((size_t)packet + 1);
    if (room && !t->status &&
        !(t->status = np_memory_grow(&t->carried, t->carried_room, room, sizeof *t->carried, "the events of the sort")))
        t->carried_room = room;
    if (!t->status)
        t->carried[packet] = word;
}

np_status np_sort_teller_end(np_sort_teller *teller)
{
    close_phase(teller);
    return teller->status;
}
