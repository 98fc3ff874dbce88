/*
 * Levels of all links at once: progressive filling. Only links that flows cross are looked at, because a few flows may
 * be on a network of millions of links. The links are taken in the order of their levels, the least one
 * first: the flows that it holds get their rates for good, and what they leave on other links raises the levels there.
 *
 * A link whose own level is that of the filling holds the flows, too: those that get the rate elsewhere are not taken
 * from its share (levels.c says why).
 */
#include "engine/flows/inside.h"

typedef struct share {
    np_wide rest;    /* of the capacity, that held flows leave */
    uint64_t others; /* shares of flows that are not held yet */
} share;

typedef struct filling {
    np_fair *fair;
    np_marked *heap; /* the links, by what their levels are at least */
    size_t count;
    share *share; /* [links] */
} filling;

#define UNFILLED UINT64_MAX /* the rate of a flow that is not held yet */
#define LISTED 0            /* the key of a link that is in the heap, while it is made */

static uint64_t level_of(const filling *g, uint32_t l)
{
    const share *s = &g->share[l];
    uint64_t most = np_fair_free_level(g->fair, l);
    if (!(s->rest >> 64))
        return (uint64_t)s->rest / s->others < most ? (uint64_t)s->rest / s->others : most;
    np_wide level = s->rest / s->others;
    return level < most ? (uint64_t)level : most;
}

/* The flow has its rate: what does that leave to others? */
static void hold(filling *g, np_slot *s, uint64_t level)
{
    const np_cell *path = &g->fair->cells.cell[s->path];
    s->rate = level;
    for (uint32_t h = 0; h < s->hops; h++) {
        share *other = &g->share[path[h].one];
        uint64_t taken = np_fair_share(g->fair, s, h);
        if (other->rest < (np_wide)other->others * ((np_wide)level + 1))
            continue; /* its level is this one, too */
        other->rest -= (np_wide)level * taken;
        other->others -= taken;
    }
}

static void fill_link(filling *g, uint32_t l, uint64_t level)
{
    np_fair *f = g->fair;
    const np_shared_link *link = &f->link[l];
    f->level[l] = level;
    for (uint32_t i = 0; i < link->entries; i++) {
        np_slot *s = &f->slot[f->cells.cell[link->list + i].one];
        if (s->rate == UNFILLED)
            hold(g, s, level);
    }
}

static void fill_least(filling *g)
{
    np_marked least = g->heap[0];
    share *own = &g->share[least.link];
    if (!own->others) { /* all are held elsewhere: the level stays free */
        np_marked_drop(g->heap, &g->count);
        return;
    }
    uint64_t level = level_of(g, least.link);
    if (level > least.key) {
        np_marked_sink(g->heap, g->count, 0, (np_marked){level, least.link});
        return;
    }
    np_marked_drop(g->heap, &g->count);
    fill_link(g, least.link, level);
}

/* Empties the queue. A link that has lost its last flow gets its level here: if it held somebody back, it is there. */
static void drop_marks(np_fair *f)
{
    for (size_t i = 0; i < f->marks; i++) {
        f->level[f->marked[i].link] = np_fair_free_level(f, f->marked[i].link);
        f->link[f->marked[i].link].queued = NP_NOT_QUEUED;
    }
    f->marks = 0;
}

/* A link of a flow's path enters the heap, once. */
static void list_link(filling *g, uint32_t l)
{
    np_fair *f = g->fair;
    np_shared_link *link = &f->link[l];
    if (link->queued == LISTED)
        return;
    link->queued = LISTED;
    link->use = 0;
    f->level[l] = np_fair_free_level(f, l);
    g->share[l] = (share){np_fair_capacity(f, l), f->divided ? f->shares[l] : link->entries};
    g->heap[g->count++] = (np_marked){level_of(g, l), l};
}

static void begin(filling *g)
{
    np_fair *f = g->fair;
    drop_marks(f);
    for (size_t i = 0; i < f->slots; i++) {
        np_slot *s = &f->slot[i];
        if (s->state != NP_FLOW_ACTIVE)
            continue;
        s->rate = UNFILLED;
        for (uint32_t h = 0; h < s->hops; h++)
            list_link(g, f->cells.cell[s->path + h].one);
    }
    for (size_t i = 0; i < g->count; i++)
        f->link[g->heap[i].link].queued = NP_NOT_QUEUED;
    for (size_t i = g->count / 2; i-- > 0;)
        np_marked_sink(g->heap, g->count, i, g->heap[i]);
}

static np_status end(np_fair *f)
{
    np_status st = NP_OK;
    for (size_t i = 0; !st && i < f->slots; i++) {
        np_slot *s = &f->slot[i];
        if (s->state != NP_FLOW_ACTIVE)
            continue;
        for (uint32_t h = 0; h < s->hops; h++)
            f->link[f->cells.cell[s->path + h].one].use += (np_wide)s->rate * np_fair_share(f, s, h);
        if (s->rate != s->settled)
            st = np_fair_touch(f, (uint32_t)i);
    }
    return st;
}

np_status np_fair_fill(np_fair *f)
{
    filling g = {.fair = f};
    np_status st;
    f->counted.fillings++;
    if ((st = np_memory_array(&g.heap, f->links, sizeof *g.heap, "a filling of links")) ||
        (st = np_memory_array(&g.share, f->links, sizeof *g.share, "a filling of links")))
        goto out;
    begin(&g);
    while (g.count)
        fill_least(&g);
    st = end(f);
out:
    NP_MEMORY_FREE(g.heap, g.share);
    return st;
}
