/*
 * Levels of links after a change: links in the order of their levels.
 *
 * What a link's level is depends on those levels of other links that are lower, and on no others. So links are looked
 * at in the order of the least level that can have changed: what is lower is right for good. The order is one of speed
 * alone, because the levels have one solution:
 *
 *   Let x be the least level of a flow's other links, for each entry of link l. Let h(v) = floor((C - sum of those
 *   x < v) / number of those x >= v). The level is the least v = h(v); C if all x are below. Take two solutions, and
 *   the least value t at which the level of some link is t in the one and more in the other. All levels below t are
 *   the same in both, hence all x < t, hence h(v) for v <= t: then both have t.
 *
 * Only x < v counts as held back. With x <= v two flows that are equal up to the floor would have two solutions.
 *
 * Which links are marked. A flow's rate r has become r', and m is another link on its path. If the level of m is less
 * than the capacity, it may change. If it is the capacity, nothing at m held flows back: a level v < C needs
 * C < sum of min(x, v) + number of entries, so m matters only if use + entries > C, and only if the use has grown. A
 * single entry has all of the capacity.
 *
 * With which key. If a bound falls, the level can only rise, so the key is the level. If a bound grows by d, somebody
 * at the level loses d at most: the level falls neither below level - d nor below the old bound. A key that is too low
 * costs an evaluation.
 */
#include "engine/flows/inside.h"

/* ---- The queue of links ---- */

static np_status mark(np_fair *f, uint32_t link, uint64_t key)
{
    np_shared_link *l = &f->link[link];
    if (key >= l->queued)
        return NP_OK;
    np_status st = np_memory_room(&f->marked, f->marks, &f->marks_room, sizeof *f->marked, "the queue of links");
    if (st)
        return st;
    l->queued = key;
    if (l->entries)
        __builtin_prefetch(&f->cells.cell[l->list]); /* it is read when its turn comes */
    np_heap_put(f->marked, f->marks++, sizeof(np_marked), &(np_marked){key, link}, np_marked_before);
    return NP_OK;
}

/* Entries of the queue whose link has been marked anew or taken since. */
static void drop_void(np_fair *f)
{
    while (f->marks && f->link[f->marked[0].link].queued != f->marked[0].key)
        np_marked_drop(f->marked, &f->marks);
}

/* ---- One link ---- */

/* The least level on the path of slot s, but that of link l. */
NP_INLINE uint64_t least_other(const np_fair *f, const np_slot *s, uint32_t l)
{
    const np_cell *path = &f->cells.cell[s->path];
    uint64_t least = UINT64_MAX;
    for (uint32_t h = 0; h < s->hops; h++) {
        uint64_t level = f->level[path[h].one];
        least = path[h].one != l && level < least ? level : least;
    }
    return least;
}

/* bound[i] = what holds entry i back elsewhere. A rate below the level is that. */
static void find_bounds(np_fair *f, uint32_t l)
{
    const np_shared_link *link = &f->link[l];
    const np_cell *entry = &f->cells.cell[link->list];
    uint64_t level = f->level[l];
    for (uint32_t i = 0; i < link->entries; i++) {
        const np_slot *s = &f->slot[entry[i].one];
        f->bound[i] = s->rate < level ? s->rate : least_other(f, s, l);
        if (f->divided)
            f->share[i] = np_fair_share(f, s, entry[i].other);
    }
}

/* The level of entries with shares, by bound[] and share[]. */
static uint64_t evaluate_divided(const np_fair *f, uint32_t l)
{
    uint64_t most = np_fair_free_level(f, l), level = 0;
    for (uint64_t before = UINT64_MAX; level != before;) {
        np_wide rest = np_fair_capacity(f, l);
        uint64_t others = 0;
        for (uint32_t i = 0; i < f->link[l].entries; i++) {
            bool below = f->bound[i] < level;
            rest -= below ? (np_wide)f->bound[i] * f->share[i] : 0;
            others += below ? 0 : f->share[i];
        }
        if (!others)
            return most;
        before = level;
        np_wide next = rest / others;
        level = next < most ? (uint64_t)next : most;
    }
    return level;
}

/* The level of two entries. */
NP_INLINE uint64_t evaluate_two(uint64_t capacity, uint64_t one, uint64_t other)
{
    uint64_t low = one < other ? one : other, high = one < other ? other : one;
    if (low >= capacity / 2)
        return capacity / 2;
    return high < capacity - low ? capacity : capacity - low;
}

/* The level by bound[]. */
static uint64_t evaluate(np_fair *f, uint32_t l)
{
    const np_shared_link *link = &f->link[l];
    uint64_t capacity = link->capacity;
    if (f->divided)
        return evaluate_divided(f, l);
    if (link->entries <= 2)
        return link->entries == 1 ? capacity : evaluate_two(capacity, f->bound[0], f->bound[1]);
    uint64_t level = capacity / link->entries;
    for (uint64_t before = UINT64_MAX; level != before;) {
        uint64_t rest = capacity;
        uint32_t others = 0;
        for (uint32_t i = 0; i < link->entries; i++) {
            bool below = f->bound[i] < level;
            rest -= below ? f->bound[i] : 0;
            others += !below;
        }
        if (!others)
            return capacity;
        before = level;
        level = rest / others;
    }
    return level;
}

np_status np_fair_touch(np_fair *f, uint32_t slot)
{
    if (f->slot[slot].touched)
        return NP_OK;
    f->slot[slot].touched = 1;
    return np_numbers_add(&f->touched, slot, "the flows whose rates change");
}

/* At least the level that the link gets if a bound grows by `growth`. It may be marked already. */
NP_INLINE uint64_t lower_key(const np_fair *f, uint32_t link, uint64_t growth)
{
    const np_shared_link *l = &f->link[link];
    uint64_t level = f->level[link] < l->queued ? f->level[link] : l->queued;
    return level > growth ? level - growth : 0;
}

/* The use of a link that holds nobody back has grown: can its level change? */
NP_INLINE bool may_bind(const np_fair *f, uint32_t link)
{
    const np_shared_link *l = &f->link[link];
    if (f->divided)
        return l->use + f->shares[link] > np_fair_capacity(f, link);
    return l->entries > 1 && l->use + l->entries > l->capacity;
}

/* A rate over the link has become `rate`, which was `before`, or is that of a new flow: marks the link, if its level
 * may change by that. */
NP_INLINE np_status mark_changed(np_fair *f, uint32_t link, uint64_t before, uint64_t rate, bool new)
{
    uint64_t level = f->level[link], key = level;
    bool grows = new || rate > before; /* a new flow of rate 0 takes a share, too */
    if (level == np_fair_free_level(f, link) && !(grows && may_bind(f, link)))
        return NP_OK;
    if (grows) {
        key = f->divided ? 0 : lower_key(f, link, rate - before);
        key = key > before ? key : before;
    }
    return mark(f, link, key);
}

/* A flow's rate changes: its links have another use, and may get another level. */
static np_status change_rate(np_fair *f, uint32_t slot, uint64_t rate, uint32_t but)
{
    np_slot *s = &f->slot[slot];
    const np_cell *path = &f->cells.cell[s->path];
    uint64_t before = s->rate;
    np_wide change = (np_wide)rate - before; /* modulo 2^128 */
    s->rate = rate;
    np_status st = np_fair_touch(f, slot);
    for (uint32_t h = 0; !st && h < s->hops; h++) {
        f->link[path[h].one].use += f->divided ? change * np_fair_share(f, s, h) : change;
        if (path[h].one != but)
            st = mark_changed(f, path[h].one, before, rate, false);
    }
    return st;
}

/* The link gets the level; bound[] is that of now. */
static np_status set_level(np_fair *f, uint32_t l, uint64_t level)
{
    const np_shared_link *link = &f->link[l];
    np_status st = NP_OK;
    f->level[l] = level;
    for (uint32_t i = 0; !st && i < link->entries; i++) {
        uint32_t slot = f->cells.cell[link->list + i].one;
        uint64_t rate = f->bound[i] < level ? f->bound[i] : level;
        if (rate != f->slot[slot].rate)
            st = change_rate(f, slot, rate, l);
    }
    return st;
}

/* Asks the memory for the flows of the link that is next in the queue. */
static void fetch_next(const np_fair *f)
{
    if (!f->marks)
        return;
    const np_shared_link *next = &f->link[f->marked[0].link];
    for (uint32_t i = 0; i < next->entries && i < 4; i++)
        __builtin_prefetch(&f->slot[f->cells.cell[next->list + i].one]);
}

/* The first link of the queue: gets its level, or goes back if others are lower. */
static np_status relax_first(np_fair *f)
{
    uint32_t l = f->marked[0].link;
    uint64_t old = f->level[l], level = np_fair_free_level(f, l);
    f->link[l].queued = NP_NOT_QUEUED;
    np_marked_drop(f->marked, &f->marks);
    fetch_next(f);
    if (f->link[l].entries) {
        find_bounds(f, l);
        level = evaluate(f, l);
        f->counted.evaluations++;
    }
    if (level == old)
        return NP_OK;
    uint64_t key = level < old ? level : old;
    drop_void(f);
    if (f->marks && key > f->marked[0].key)
        return mark(f, l, key);
    return set_level(f, l, level);
}

np_status np_fair_relax(np_fair *f)
{
    np_status st = NP_OK;
    for (drop_void(f); !st && f->marks; drop_void(f))
        st = relax_first(f);
    return st;
}

/* ---- Flows that come and go ---- */

static np_status grow_bounds(np_fair *f, uint32_t entries)
{
    np_status st = NP_OK;
    if (f->divided)
        st = np_memory_need(&f->share, 0, entries, &f->shares_room, sizeof *f->share, "the flows of a link");
    return st ? st : np_memory_need(&f->bound, 0, entries, &f->bounds, sizeof *f->bound, "the flows of a link");
}

static np_status add_entry(np_fair *f, uint32_t l, np_cell entry, uint32_t *place)
{
    np_shared_link *link = &f->link[l];
    np_cells *cells = &f->cells;
    np_status st;
    if (link->list == NP_NO_CELL || link->entries == np_cells_room(link->class)) {
        uint32_t grown, class = link->list == NP_NO_CELL ? 0 : link->class + 1;
        if ((st = np_cells_take(cells, class, &grown)))
            return st;
        if (link->entries)
            memcpy(&cells->cell[grown], &cells->cell[link->list], link->entries * sizeof *cells->cell);
        if (link->list != NP_NO_CELL)
            np_cells_give(cells, link->class, link->list);
        link->list = grown;
        link->class = class;
    }
    *place = link->entries++;
    cells->cell[link->list + *place] = entry;
    return link->entries <= f->bounds ? NP_OK : grow_bounds(f, link->entries);
}

/* The last entry takes the place of the one that goes. */
static void remove_entry(np_fair *f, uint32_t l, uint32_t place)
{
    np_shared_link *link = &f->link[l];
    np_cell *entry = &f->cells.cell[link->list], last = entry[--link->entries];
    entry[place] = last;
    f->cells.cell[f->slot[last.one].path + last.other].other = place;
    if (!link->entries) {
        np_cells_give(&f->cells, link->class, link->list);
        link->list = NP_NO_CELL;
    }
}

np_status np_fair_attach(np_fair *f, uint32_t slot)
{
    np_slot *s = &f->slot[slot];
    np_status st = NP_OK;
    s->rate = UINT64_MAX;
    for (uint32_t h = 0; !st && h < s->hops; h++) {
        uint32_t l = f->cells.cell[s->path + h].one, place = 0;
        s->rate = f->level[l] < s->rate ? f->level[l] : s->rate;
        st = add_entry(f, l, (np_cell){slot, h}, &place);
        f->cells.cell[s->path + h].other = place;
    }
    for (uint32_t h = 0; !st && h < s->hops; h++) {
        uint32_t l = f->cells.cell[s->path + h].one;
        uint64_t share = np_fair_share(f, s, h);
        f->link[l].use += (np_wide)s->rate * share;
        if (f->divided)
            f->shares[l] += share;
    }
    for (uint32_t h = 0; !st && h < s->hops; h++)
        st = mark_changed(f, f->cells.cell[s->path + h].one, 0, s->rate, true);
    return st;
}

void np_fair_detach(np_fair *f, uint32_t slot)
{
    np_slot *s = &f->slot[slot];
    for (uint32_t h = 0; h < s->hops; h++) {
        np_cell hop = f->cells.cell[s->path + h];
        uint64_t share = np_fair_share(f, s, h);
        remove_entry(f, hop.one, hop.other);
        f->link[hop.one].use -= (np_wide)s->rate * share;
        if (f->divided)
            f->shares[hop.one] -= share;
    }
}

/* Without the flow a level can only rise. */
np_status np_fair_mark_gone(np_fair *f, uint32_t slot)
{
    np_slot *s = &f->slot[slot];
    np_status st = NP_OK;
    for (uint32_t h = 0; !st && h < s->hops; h++) {
        uint32_t l = f->cells.cell[s->path + h].one;
        if (f->level[l] < np_fair_free_level(f, l))
            st = mark(f, l, f->level[l]);
    }
    return st;
}
