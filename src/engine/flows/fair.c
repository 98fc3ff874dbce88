/*
 * The engine: what happens at a tick, and the rates after it. The levels of links are found in levels.c and fill.c.
 *
 * A flow waits for its start in a slot, is on the links of its path, and flies if it has a delay. When it happens next
 * stands in the agenda. At a tick all flows that end are noted first, then the driver hears of them one by one. They
 * are still on their links then: a flow that starts on the same path takes the slot of one of them as it is, and no
 * link learns of it. The others leave when no flow starts any more.
 */
#include "engine/flows/fair.h"

#include <stdlib.h>

#include "base/order.h"
#include "engine/flows/inside.h"

#define TIME_END ((np_fair_time)1 << NP_FAIR_TIME_BITS)

enum { LOOK_FOR_PLACE = 8 /* ours: entries of a link that are looked at for a flow that ends */ };

/* ---- Creation ---- */

static np_status create(uint32_t links, const uint64_t *capacity, bool divided, np_fair **out)
{
    np_fair *f;
    np_status st = np_memory_zeroed(out, 1, sizeof *f, "flows");
    if (st)
        return st;
    f = *out;
    *f = (np_fair){.links = links, .divided = divided, .vacant = NP_NO_CELL, .ahead = NP_NO_CELL};
    np_cells_init(&f->cells);
    if ((st = np_memory_array(&f->link, links, sizeof *f->link, "the links of flows")) ||
        (st = np_memory_array(&f->level, links, sizeof *f->level, "the links of flows")) ||
        (divided && (st = np_memory_zeroed(&f->shares, links, sizeof *f->shares, "the links of flows"))))
        goto out;
    for (uint32_t l = 0; l < links; l++) {
        if (capacity[l] >> NP_FAIR_CAPACITY_BITS) {
            st = NP_RAISE(NP_ERROR_INPUT, "the capacity %llu of link %u is 2^%d or more",
                          (unsigned long long)capacity[l], l, NP_FAIR_CAPACITY_BITS);
            goto out;
        }
        f->link[l] = (np_shared_link){.capacity = capacity[l], .queued = NP_NOT_QUEUED, .list = NP_NO_CELL};
        f->level[l] = np_fair_free_level(f, l);
    }
    return NP_OK;
out:
    np_fair_free(f);
    *out = NULL;
    return st;
}

np_status np_fair_create(uint32_t links, const uint64_t *capacity, np_fair **out)
{
    return create(links, capacity, false, out);
}

np_status np_fair_create_divided(uint32_t links, const uint64_t *capacity, np_fair **out)
{
    return create(links, capacity, true, out);
}

void np_fair_free(np_fair *f)
{
    if (!f)
        return;
    NP_MEMORY_FREE(f->link, f->level, f->slot, f->rest, f->cells.cell, f->agenda.time, f->touched.item,
                   f->arriving.item, f->ending, f->marked, f->bound, f->leaving.item, f->shares, f->share, f);
}

/* ---- Slots ---- */

static np_status grow_slots(np_fair *f)
{
    size_t before = f->agenda.items, items = before < 512 ? 2 * before + 64 : before + before / 2 / 16 * 16;
    np_status st;
    if (items >= NP_NO_CELL)
        return NP_RAISE(NP_ERROR_LIMIT, "2^32 flows at once or more");
    if ((st = np_memory_grow(&f->slot, before, items, sizeof *f->slot, "flows")) ||
        (st = np_memory_grow(&f->rest, before, items, sizeof *f->rest, "flows")))
        return st;
    return np_agenda_grow(&f->agenda, items);
}

static np_status take_slot(np_fair *f, uint32_t *slot)
{
    np_status st;
    if (f->vacant != NP_NO_CELL) {
        *slot = f->vacant;
        f->vacant = f->slot[*slot].path;
        return NP_OK;
    }
    if (f->slots == f->agenda.items && (st = grow_slots(f)))
        return st;
    *slot = (uint32_t)f->slots++;
    return NP_OK;
}

static uint32_t path_class(const np_fair *f, uint32_t hops) { return np_cells_class(f->divided ? 2 * hops : hops); }

static void give_path(np_fair *f, np_slot *s)
{
    if (s->hops)
        np_cells_give(&f->cells, path_class(f, s->hops), s->path);
    s->hops = 0;
}

static void give_slot(np_fair *f, uint32_t slot)
{
    np_slot *s = &f->slot[slot];
    give_path(f, s);
    np_agenda_set(&f->agenda, slot, NP_FAIR_NEVER);
    s->state = NP_FLOW_VACANT;
    s->path = f->vacant;
    f->vacant = slot;
}

static uint64_t share_of(const np_fair_flow *flow, uint32_t hop)
{
    return flow->share ? flow->share[hop] : (uint64_t)1 << NP_FAIR_SHARE_BITS;
}

/* A slot of a flow that waits; nothing of it is in the agenda. */
static np_status make_slot(np_fair *f, const np_fair_flow *flow, uint32_t *slot)
{
    np_status st = take_slot(f, slot);
    if (st)
        return st;
    np_slot *s = &f->slot[*slot];
    *s = (np_slot){.left = flow->size, .since = flow->start, .order = f->orders++, .state = NP_FLOW_WAITING};
    f->rest[*slot] = (np_slot_rest){flow->delay, flow->name};
    if (!flow->hops || !flow->size)
        return NP_OK;
    if ((st = np_cells_take(&f->cells, path_class(f, flow->hops), &s->path)))
        return st;
    s->hops = flow->hops;
    for (uint32_t h = 0; h < flow->hops; h++)
        f->cells.cell[s->path + h].one = flow->path[h];
    for (uint32_t h = 0; f->divided && h < flow->hops; h++)
        memcpy(&f->cells.cell[s->path + flow->hops + h], &(uint64_t){share_of(flow, h)}, sizeof(uint64_t));
    return NP_OK;
}

/* ---- Places of flows that end ---- */

static bool is_on_path(const np_fair *f, const np_slot *s, const np_fair_flow *flow)
{
    const np_cell *path = &f->cells.cell[s->path];
    bool same = s->hops == flow->hops;
    for (uint32_t h = 0; same && h < flow->hops; h++)
        same = path[h].one == flow->path[h] && (!f->divided || np_fair_share(f, s, h) == share_of(flow, h));
    return same;
}

/* The slot of a flow that ends now on the same path; NP_NO_CELL: none was found among the first of its first link. */
static uint32_t find_place(const np_fair *f, const np_fair_flow *flow)
{
    if (!flow->hops || !flow->size)
        return NP_NO_CELL;
    const np_shared_link *l = &f->link[flow->path[0]];
    for (uint32_t i = 0; i < l->entries && i < LOOK_FOR_PLACE; i++) {
        uint32_t slot = f->cells.cell[l->list + i].one;
        if (f->slot[slot].state == NP_FLOW_ENDED && is_on_path(f, &f->slot[slot], flow))
            return slot;
    }
    return NP_NO_CELL;
}

static np_status take_place(np_fair *f, uint32_t slot, const np_fair_flow *flow, uint64_t order)
{
    np_slot *s = &f->slot[slot];
    s->left = flow->size;
    s->since = f->now;
    s->settled = s->rate;
    s->order = order;
    s->state = NP_FLOW_ACTIVE;
    s->fresh = 1;
    f->rest[slot] = (np_slot_rest){flow->delay, flow->name};
    f->active++;
    return np_fair_touch(f, slot);
}

/* ---- Adding ---- */

static np_status check_shares(const np_fair *f, const np_fair_flow *flow)
{
    bool fit = !flow->share || f->divided;
    for (uint32_t h = 0; flow->share && h < flow->hops; h++)
        fit = fit && flow->share[h] && flow->share[h] <= (uint64_t)1 << NP_FAIR_SHARE_BITS;
    return fit ? NP_OK
               : NP_RAISE(NP_ERROR_INPUT, "flow %llu has shares that are not in 1..2^%d, or are not heeded",
                          (unsigned long long)flow->name, NP_FAIR_SHARE_BITS);
}

static np_status check(const np_fair *f, const np_fair_flow *flow)
{
    np_status st = check_shares(f, flow);
    if (st)
        return st;
    for (uint32_t h = 0; h < flow->hops; h++)
        if (flow->path[h] >= f->links)
            return NP_RAISE(NP_ERROR_INPUT, "flow %llu crosses link %u: there are %u", (unsigned long long)flow->name,
                            flow->path[h], f->links);
    if (flow->start < f->now)
        return NP_RAISE(NP_ERROR_INPUT, "flow %llu starts in the past", (unsigned long long)flow->name);
    if (flow->size >> NP_FAIR_SIZE_BITS)
        return NP_RAISE(NP_ERROR_LIMIT, "flow %llu has 2^%d units or more", (unsigned long long)flow->name,
                        NP_FAIR_SIZE_BITS);
    if (flow->start >> NP_FAIR_TIME_BITS || flow->delay >> NP_FAIR_TIME_BITS)
        return NP_RAISE(NP_ERROR_LIMIT, "flow %llu starts or has a delay of 2^%d ticks or more",
                        (unsigned long long)flow->name, NP_FAIR_TIME_BITS);
    return NP_OK;
}

np_status np_fair_add(np_fair *f, const np_fair_flow *flow)
{
    np_status st = check(f, flow);
    uint32_t slot = NP_NO_CELL;
    bool now = f->in_batch && flow->start == f->now;
    if (st)
        return st;
    if (now && (slot = find_place(f, flow)) != NP_NO_CELL)
        return take_place(f, slot, flow, f->orders++);
    if ((st = make_slot(f, flow, &slot)))
        return st;
    if (now)
        return np_numbers_add(&f->arriving, slot, "flows that arrive");
    np_agenda_set(&f->agenda, slot, flow->start);
    return NP_OK;
}

/* Has the driver's next flow wait. Flows that start now arrive. */
static np_status look_ahead(np_fair *f, const np_fair_driver *driver)
{
    np_fair_flow flow = {0};
    np_status st = driver->next(driver->self, &flow, &f->more);
    if (st || !f->more)
        return st;
    if ((st = check(f, &flow)))
        return st;
    f->ahead_time = flow.start;
    return make_slot(f, &flow, &f->ahead);
}

/* ---- A batch ---- */

static np_status note_ending(np_fair *f, uint32_t slot, bool finishes)
{
    np_status st = np_memory_room(&f->ending, f->endings, &f->endings_room, sizeof *f->ending, "flows that end");
    if (!st)
        f->ending[f->endings++] = (np_ending){f->slot[slot].order, f->rest[slot].name, slot, finishes};
    return st;
}

/* A flow of the slot's name sends so much more in a tick, modulo 2^128. */
static void add_rate(np_fair *f, uint32_t slot, np_wide more)
{
    f->rate += more;
    if (f->rest[slot].name < f->names)
        f->rate_of[f->rest[slot].name] += more;
}

/* The slot's time has come: it starts, or it ends. Its time in the agenda stays until it has another one. */
static np_status happen(np_fair *f, uint32_t slot)
{
    np_slot *s = &f->slot[slot];
    if (s->state == NP_FLOW_WAITING)
        return np_numbers_add(&f->arriving, slot, "flows that arrive");
    np_status st = note_ending(f, slot, s->state == NP_FLOW_FLYING || !f->rest[slot].delay);
    if (st || s->state == NP_FLOW_FLYING)
        return st;
    s->state = NP_FLOW_ENDED;
    f->active--;
    add_rate(f, slot, -(np_wide)s->rate);
    return np_numbers_add(&f->leaving, slot, "flows that end");
}

static int by_order(const void *a, const void *b)
{
    const np_ending *x = a, *y = b;
    return np_order(x->order, y->order);
}

static void sort_endings(np_fair *f)
{
    for (size_t i = 1; i < f->endings; i++)
        if (f->ending[i].order < f->ending[i - 1].order) {
            qsort(f->ending, f->endings, sizeof *f->ending, by_order);
            return;
        }
}

/* A flow flies in a slot of its own, without a path. */
static np_status fly(np_fair *f, const np_ending *e)
{
    np_fair_flow flow = {.name = e->name, .delay = f->rest[e->slot].delay};
    uint32_t slot;
    np_status st = make_slot(f, &flow, &slot);
    if (st)
        return st;
    f->slot[slot].order = e->order;
    f->slot[slot].state = NP_FLOW_FLYING;
    np_agenda_set(&f->agenda, slot, f->now + flow.delay);
    return NP_OK;
}

/* Tells the driver of all that finish. It may add flows, but none of them ends here. */
static np_status finish(np_fair *f, const np_fair_driver *driver)
{
    np_status st = NP_OK;
    sort_endings(f);
    for (size_t i = 0; !st && i < f->endings; i++)
        if (!f->ending[i].finishes)
            st = fly(f, &f->ending[i]);
        else if (f->slot[f->ending[i].slot].state == NP_FLOW_FLYING)
            give_slot(f, f->ending[i].slot);
    for (size_t i = 0; !st && i < f->endings; i++)
        if (f->ending[i].finishes && driver->finished)
            st = driver->finished(driver->self, f->ending[i].name, f->now);
    f->endings = 0;
    return st;
}

/* A flow that needs no link: its delay runs, or it ends in this batch. */
static np_status pass(np_fair *f, uint32_t slot)
{
    f->slot[slot].state = NP_FLOW_FLYING;
    if (!f->rest[slot].delay)
        return note_ending(f, slot, true);
    np_agenda_set(&f->agenda, slot, f->now + f->rest[slot].delay);
    return NP_OK;
}

/* Those that arrived: flows without links pass, others take places or stay in the list. */
static np_status welcome(np_fair *f, size_t from)
{
    size_t kept = from;
    np_status st = NP_OK;
    for (size_t i = from; !st && i < f->arriving.count; i++) {
        uint32_t slot = f->arriving.item[i];
        if (!f->slot[slot].hops)
            st = pass(f, slot);
        else
            f->arriving.item[kept++] = slot;
    }
    f->arriving.count = kept;
    return st;
}

static np_status take_ahead(np_fair *f, const np_fair_driver *driver)
{
    np_status st = NP_OK;
    while (!st && f->ahead != NP_NO_CELL && f->ahead_time == f->now) {
        st = np_numbers_add(&f->arriving, f->ahead, "flows that arrive");
        f->ahead = NP_NO_CELL;
        if (!st)
            st = look_ahead(f, driver);
    }
    return st;
}

static np_status take_agenda(np_fair *f)
{
    np_status st = NP_OK;
    if (np_agenda_least(&f->agenda) != f->now)
        return NP_OK;
    for (size_t i = np_agenda_find(&f->agenda, 0); !st && i < f->agenda.items; i = np_agenda_find(&f->agenda, i + 1))
        st = happen(f, (uint32_t)i);
    return st;
}

/* All that happens at `now`. What flows without links add to it is not in the agenda. */
static np_status gather(np_fair *f, const np_fair_driver *driver)
{
    np_status st = take_agenda(f);
    size_t from = 0;
    do {
        if (!st)
            st = finish(f, driver);
        if (!st)
            st = take_ahead(f, driver);
        if (!st)
            st = welcome(f, from);
        from = f->arriving.count;
    } while (!st && f->endings);
    return st;
}

/* Flows that end leave their links, unless others have taken their places. */
static np_status let_go(np_fair *f)
{
    np_status st = NP_OK;
    for (size_t i = 0; !st && i < f->leaving.count; i++) {
        uint32_t slot = f->leaving.item[i];
        if (f->slot[slot].state != NP_FLOW_ENDED)
            continue;
        np_fair_detach(f, slot);
        st = np_fair_mark_gone(f, slot);
        give_slot(f, slot);
        f->changed++;
    }
    f->leaving.count = 0;
    return st;
}

static np_status let_in(np_fair *f)
{
    np_status st = NP_OK;
    for (size_t i = 0; !st && i < f->arriving.count; i++) {
        uint32_t slot = f->arriving.item[i];
        f->slot[slot].state = NP_FLOW_ACTIVE;
        f->slot[slot].fresh = 1;
        f->active++;
        f->changed++;
        if (!(st = np_fair_attach(f, slot)))
            st = np_fair_touch(f, slot);
    }
    f->arriving.count = 0;
    return st;
}

/* ---- Rates ---- */

/* The flow goes on at its new rate. */
static np_status settle(np_fair *f, uint32_t slot)
{
    np_slot *s = &f->slot[slot];
    s->touched = 0;
    if (s->state != NP_FLOW_ACTIVE || (!s->fresh && s->rate == s->settled))
        return NP_OK;
    if (!s->fresh) {
        s->left -= s->settled * (f->now - s->since);
        f->standing -= !s->settled;
        add_rate(f, slot, -(np_wide)s->settled);
    }
    add_rate(f, slot, s->rate);
    f->standing += !s->rate;
    f->counted.changes++;
    s->fresh = 0;
    s->since = f->now;
    s->settled = s->rate;
    np_fair_time end = s->rate ? f->now + (s->left + s->rate - 1) / s->rate : NP_FAIR_NEVER;
    if (s->rate && end >= TIME_END)
        return NP_RAISE(NP_ERROR_LIMIT, "flow %llu ends after 2^%d ticks", (unsigned long long)f->rest[slot].name,
                        NP_FAIR_TIME_BITS);
    np_agenda_set(&f->agenda, slot, end);
    return NP_OK;
}

static bool is_filled(const np_fair *f)
{
    if (f->filling)
        return f->filling > 0;
    return f->changed > 64 && f->changed > f->active / 4;
}

static np_status share(np_fair *f)
{
    np_status st;
    if ((st = let_go(f)) || (st = let_in(f)) || (st = is_filled(f) ? np_fair_fill(f) : np_fair_relax(f)))
        return st;
    for (size_t i = 0; !st && i < f->touched.count; i++)
        st = settle(f, f->touched.item[i]);
    f->touched.count = 0;
    f->changed = 0;
    f->counted.batches++;
    return st;
}

/* ---- The run ---- */

static np_status run(np_fair *f, const np_fair_driver *driver)
{
    np_status st = NP_OK;
    if (driver->next)
        st = look_ahead(f, driver);
    while (!st) {
        np_fair_time next = np_agenda_least(&f->agenda);
        if (f->ahead != NP_NO_CELL && f->ahead_time < next)
            next = f->ahead_time;
        if (next == NP_FAIR_NEVER)
            break;
        f->now = next;
        f->in_batch = true;
        if ((st = gather(f, driver)) || (st = share(f)))
            break;
        f->in_batch = false;
        if (driver->settled)
            st = driver->settled(driver->self, f->now);
    }
    return st;
}

np_status np_fair_run(np_fair *f, const np_fair_driver *driver)
{
    static const np_fair_driver nobody = {NULL, NULL, NULL, NULL};
    return run(f, driver ? driver : &nobody);
}

/* ---- What is known ---- */

np_fair_time np_fair_now(const np_fair *f) { return f->now; }
uint64_t np_fair_active(const np_fair *f) { return f->active; }
uint64_t np_fair_standing(const np_fair *f) { return f->standing; }
np_wide np_fair_rate(const np_fair *f) { return f->rate; }

void np_fair_tell_rates(np_fair *f, uint64_t names, np_wide *rate)
{
    f->names = names;
    f->rate_of = rate;
}

uint64_t np_fair_use(const np_fair *f, uint32_t link)
{
    np_wide whole = (np_wide)1 << (f->divided ? NP_FAIR_SHARE_BITS : 0);
    return (uint64_t)((f->link[link].use + whole - 1) / whole);
}
np_fair_counts np_fair_counted(const np_fair *f) { return f->counted; }
void np_fair_fill_always(np_fair *f, int when) { f->filling = when; }
