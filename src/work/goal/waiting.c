/* See waiting.h. */
#include "work/goal/waiting.h"

#include "base/memory.h"

static const char what[] = "items that wait";

np_status np_waiting_init(np_waiting *w, size_t items)
{
    np_status st;
    *w = (np_waiting){0};
    if ((st = np_memory_array(&w->order, items, sizeof *w->order, what)) ||
        (st = np_memory_array(&w->child, items, sizeof *w->child, what)))
        return st;
    return np_memory_array(&w->next, items, sizeof *w->next, what);
}

void np_waiting_clear(np_waiting *w)
{
    NP_MEMORY_FREE(w->order, w->child, w->next);
    *w = (np_waiting){0};
}

/* Two crowds become one. */
static uint32_t join(np_waiting *w, uint32_t a, uint32_t b)
{
    if (a == NP_NONE || b == NP_NONE)
        return a == NP_NONE ? b : a;
    uint32_t first = w->order[a] < w->order[b] ? a : b, second = first == a ? b : a;
    w->next[second] = w->child[first];
    w->child[first] = second;
    return first;
}

void np_waiting_put(np_waiting *w, uint32_t *crowd, uint32_t item)
{
    w->child[item] = w->next[item] = NP_NONE;
    *crowd = join(w, *crowd, item);
}

/* Children are joined in pairs from the first one on, and then the pairs from the last one on. */
uint32_t np_waiting_take(np_waiting *w, uint32_t *crowd)
{
    uint32_t first = *crowd, pairs = NP_NONE, rest = NP_NONE;
    for (uint32_t a = w->child[first]; a != NP_NONE;) {
        uint32_t b = w->next[a], after = b == NP_NONE ? NP_NONE : w->next[b], pair = join(w, a, b);
        w->next[pair] = pairs;
        pairs = pair;
        a = after;
    }
    while (pairs != NP_NONE) {
        uint32_t after = w->next[pairs];
        rest = join(w, rest, pairs);
        pairs = after;
    }
    *crowd = rest;
    return first;
}
