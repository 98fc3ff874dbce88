/* Functions that sorters share. */
#include "work/sort/sorter.h"

#include "base/order.h"
#include "base/watch.h"

#include <stdlib.h>
#include <string.h>

np_status np_sorting_plan(np_sorting *sorting, uint64_t places)
{
    const uint64_t most = UINT64_C(1) << 31;
    uint64_t per_place = sorting->items ? (sorting->items + places - 1) / places : 1;
    if (places > most || places * per_place > most)
        return NP_RAISE(NP_ERROR_LIMIT, "%s: %llu places of %llu keys: at most 2^31 keys are sorted",
                        np_network_spec(sorting->network), (unsigned long long)places, (unsigned long long)per_place);
    sorting->places = (uint32_t)places;
    sorting->per_place = (uint32_t)per_place;
    return NP_OK;
}

const np_network *np_sorting_network(const np_sorting *sorting) { return sorting->network; }
uint32_t np_sorting_places(const np_sorting *sorting) { return sorting->places; }
uint32_t np_sorting_per_place(const np_sorting *sorting) { return sorting->per_place; }
const np_draws *np_sorting_draws(const np_sorting *sorting) { return &sorting->draws; }

uint32_t *np_sorting_item(np_sorting *sorting, uint32_t place)
{
    return sorting->item + (size_t)place * sorting->per_place;
}

np_status np_sorting_progress(const np_sorting *sorting, const char *stage)
{
    const np_sort_options *options = sorting->options;
    np_status st = sorting->log.teller ? np_sort_teller_status(sorting->log.teller) : NP_OK;
    if (st)
        return st;
    double of_run = sorting->predicted ? (double)sorting->clock.now / (double)sorting->predicted : 0;
    double share = (sorting->draws.run - options->first_run + (of_run < 1 ? of_run : 1)) / options->runs;
    return np_watch_check(&options->watch,
                          (np_progress){.stage = stage, .unit = "steps", .done = sorting->clock.now, .share = share});
}

unsigned np_sorting_threads(const np_sorting *sorting, uint64_t rows)
{
    enum { LEAST = 1 << 13 }; /* our choice: about 50 us of work for a level */
    return rows < LEAST || !sorting->workers ? 1 : sorting->workers;
}

np_node np_sorting_node(const np_sorting *sorting, uint32_t place) { return sorting->ops->node(sorting, place); }

void np_sorting_show(np_sorting *sorting, const char *stage, bool last)
{
    const np_sort_seen seen = {.sorting = sorting,
                               .stage = stage,
                               .last = last,
                               .run = sorting->draws.run,
                               .keys = sorting->items,
                               .places = sorting->places,
                               .per_place = sorting->per_place,
                               .item = sorting->item};
    const np_sort_options *o = sorting->options;
    if (o->on_stage && !sorting->stopped && !sorting->elsewhere)
        sorting->stopped = o->on_stage(o->on_stage_context, &seen) != 0;
}

void np_sorting_charge(np_sorting *sorting, const char *name, const np_sort_cost *cost)
{
    np_sort_log_charge(&sorting->log, &sorting->clock, name, 0, cost);
    np_sorting_show(sorting, name, false);
}

void np_sort_merge_split(uint32_t *a, uint32_t *b, uint32_t h, uint32_t *scratch)
{
    if (a[h - 1] <= b[0])
        return;
    for (uint32_t i = 0, j = 0, k = 0; k < 2 * h; k++)
        scratch[k] = j == h || (i < h && a[i] <= b[j]) ? a[i++] : b[j++];
    memcpy(a, scratch, h * sizeof *a);
    memcpy(b, scratch + h, h * sizeof *b);
}

void np_sort_locally(uint32_t *item, uint32_t count)
{
    if (count > 1)
        qsort(item, count, sizeof *item, np_order_numbers);
}

void np_sorting_number_infinite(np_sorting *sorting, bool number)
{
    np_sorting *s = sorting;
    size_t room = (size_t)s->places * s->per_place;
    for (size_t i = 0; s->log.teller && i < room; i++)
        if (number ? i >= s->items : s->item[i] >= s->items)
            s->item[i] = number ? (uint32_t)i : NP_NONE;
}

static void tell(np_sort_teller *teller, uint64_t wait, np_node from, np_node to, const uint32_t *item, uint32_t h,
                 uint32_t kind, np_sort_sending how)
{
    np_link link = np_network_link_between(np_sort_teller_network(teller), from, to);
    for (uint32_t k = 0; k < h; k++)
        if (item[k] != NP_NONE)
            np_sort_teller_send(teller, wait + k + 1, link, np_sort_teller_copy(teller, item[k], kind), how);
}

void np_sorting_tell(const np_sorting *sorting, uint64_t wait, np_node from, np_node to, const uint32_t *item,
                     np_sort_sending how)
{
    tell(sorting->log.teller, wait, from, to, item, sorting->per_place, 0, how);
}

void np_sort_tell_pair(np_sort_teller *teller, uint64_t wait, np_node low, np_node high, const uint32_t *low_item,
                       const uint32_t *high_item, uint32_t h, uint32_t kind)
{
    tell(teller, wait, low, high, low_item, h, kind, NP_SORT_COMPARES);
    tell(teller, wait, high, low, high_item, h, kind, NP_SORT_COMPARES);
}
