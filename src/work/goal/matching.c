/*
 * See matching.h. All messages of one source to one receiver with one tag, and the receives that name these, are a
 * channel; channels are numbered before anything is played. A message is taken by the receive that was posted first:
 * the first one of its channel, or an earlier one of those that take any, which are looked through. A receive that
 * takes any looks through all messages of its rank that came early. The first one that it may take is the first one of
 * its channel, too, because both queues have the order in which messages were received.
 */
#include "work/goal/matching.h"

#include "base/memory.h"
#include "netpram/network.h"
#include "base/random.h"

static const char what[] = "messages and receives that wait";

/* ---- Channels ---- */

static bool takes_any(const np_goal_item *i)
{
    return i->kind == NP_GOAL_RECEIVE && (i->peer == NP_GOAL_ANY || i->tag == NP_GOAL_ANY);
}

static uint32_t receiver(const np_goal_item *i) { return i->kind == NP_GOAL_SEND ? i->peer : i->rank; }
static uint32_t source(const np_goal_item *i) { return i->kind == NP_GOAL_SEND ? i->rank : i->peer; }

static bool same_channel(const np_goal_item *a, const np_goal_item *b)
{
    return receiver(a) == receiver(b) && source(a) == source(b) && a->tag == b->tag;
}

/* Where the table has an item of the channel, or has room for one. */
static uint32_t *place(const np_matching *m, uint32_t *table, size_t slots, const np_goal_item *item)
{
    uint64_t h = np_random_mix(np_random_mix((uint64_t)receiver(item) << 32 | source(item)) + item->tag);
    while (table[h & (slots - 1)] != NP_NONE && !same_channel(&m->goal->item[table[h & (slots - 1)]], item))
        h++;
    return &table[h & (slots - 1)];
}

static np_status number_channels(np_matching *m)
{
    size_t slots = 2;
    uint32_t *table;
    while (slots < 2 * m->goal->items)
        slots *= 2;
    np_status st = np_memory_array(&table, slots, sizeof *table, what);
    if (st)
        return st;
    for (size_t i = 0; i < slots; i++)
        table[i] = NP_NONE;
    for (uint32_t i = 0; i < m->goal->items; i++) {
        const np_goal_item *item = &m->goal->item[i];
        m->channel[i] = NP_NONE;
        if (item->kind == NP_GOAL_CALC || takes_any(item))
            continue;
        uint32_t *at = place(m, table, slots, item);
        m->channel[i] = *at == NP_NONE ? m->channels++ : m->channel[*at];
        *at = *at == NP_NONE ? i : *at;
    }
    np_memory_free(table);
    return NP_OK;
}

static np_status create_queues(np_matching_queue **out, size_t count)
{
    np_status st = np_memory_array(out, count + 1, sizeof **out, what);
    for (size_t i = 0; i < count && !st; i++)
        (*out)[i] = (np_matching_queue){NP_NONE, NP_NONE};
    return st;
}

np_status np_matching_init(np_matching *m, const np_goal *goal)
{
    size_t items = goal->items + 1;
    np_status st;
    *m = (np_matching){.goal = goal};
    if ((st = np_memory_array(&m->channel, items, sizeof *m->channel, what)) || (st = number_channels(m)) ||
        (st = create_queues(&m->posted, m->channels)) || (st = create_queues(&m->early, m->channels)) ||
        (st = create_queues(&m->any, goal->ranks)) || (st = create_queues(&m->came, goal->ranks)) ||
        (st = np_memory_array(&m->next, items, sizeof *m->next, what)) ||
        (st = np_memory_array(&m->after, items, sizeof *m->after, what)) ||
        (st = np_memory_array(&m->before, items, sizeof *m->before, what)))
        return st;
    return np_memory_array(&m->turn, items, sizeof *m->turn, what);
}

void np_matching_clear(np_matching *m)
{
    NP_MEMORY_FREE(m->channel, m->posted, m->early, m->any, m->came, m->next, m->after, m->before, m->turn);
    *m = (np_matching){0};
}

/* ---- Queues ---- */

static void append(uint32_t *next, np_matching_queue *q, uint32_t item)
{
    next[item] = NP_NONE;
    if (q->first == NP_NONE)
        q->first = item;
    else
        next[q->last] = item;
    q->last = item;
}

/* Takes the item behind `last`, or, at NP_NONE, the first one. */
static void take(uint32_t *next, np_matching_queue *q, uint32_t item, uint32_t last)
{
    if (last == NP_NONE)
        q->first = next[item];
    else
        next[last] = next[item];
    q->last = q->last == item ? last : q->last;
}

/* Of a message that came: it goes out of the queue of its rank, wherever it is. */
static void take_came(np_matching *m, uint32_t item)
{
    np_matching_queue *q = &m->came[m->goal->item[item].peer];
    uint32_t last = m->before[item];
    take(m->after, q, item, last);
    if (m->after[item] != NP_NONE)
        m->before[m->after[item]] = last;
}

static bool may_take(const np_goal_item *receive, const np_goal_item *send)
{
    return (receive->peer == NP_GOAL_ANY || receive->peer == send->rank) &&
           (receive->tag == NP_GOAL_ANY || receive->tag == send->tag);
}

uint32_t np_matching_receive(np_matching *m, uint32_t send)
{
    const np_goal_item *all = m->goal->item, *item = &all[send];
    np_matching_queue *posted = &m->posted[m->channel[send]], *any = &m->any[item->peer], *came = &m->came[item->peer];
    uint32_t exact = posted->first, one = any->first, last = NP_NONE;
    while (one != NP_NONE && !may_take(&all[one], item)) {
        last = one;
        one = m->next[one];
    }
    if (one != NP_NONE && (exact == NP_NONE || m->turn[one] < m->turn[exact])) {
        take(m->next, any, one, last);
        return one;
    }
    if (exact != NP_NONE) {
        take(m->next, posted, exact, NP_NONE);
        return exact;
    }
    append(m->next, &m->early[m->channel[send]], send);
    m->before[send] = came->last;
    append(m->after, came, send);
    m->unreceived++;
    return NP_NONE;
}

uint32_t np_matching_post(np_matching *m, uint32_t receive)
{
    const np_goal_item *all = m->goal->item, *item = &all[receive];
    bool any = m->channel[receive] == NP_NONE;
    uint32_t send = any ? m->came[item->rank].first : m->early[m->channel[receive]].first;
    while (any && send != NP_NONE && !may_take(item, &all[send]))
        send = m->after[send];
    if (send == NP_NONE) {
        m->turn[receive] = m->posts++;
        append(m->next, any ? &m->any[item->rank] : &m->posted[m->channel[receive]], receive);
        return NP_NONE;
    }
    take(m->next, &m->early[m->channel[send]], send, NP_NONE);
    take_came(m, send);
    m->unreceived--;
    return send;
}
