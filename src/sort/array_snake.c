/*
 * Where the recursion of flashsort on arrays ends: items go to the middle of their box's snake, one to a node if there
 * are nodes enough, and are sorted there by odd-even transposition (Leighton, Maggs, Ranade & Rao 1994, section 10,
 * sort what is left sequentially, or by "bubblesort" on lines). n items take n stages; h items a node, merge-splits of
 * h steps each, ceil(n / h) stages. It sorts whatever there is, which makes it the resort where splitters fail.
 */
#include <string.h>

#include "sort/array_flashsort.h"

/* A stage; true if something moved. */
static bool exchange(uint32_t places, uint32_t h, uint32_t first, uint32_t *slot, uint32_t *scratch)
{
    bool moved = false;
    for (uint32_t p = first; p + 1 < places; p += 2) {
        uint32_t *a = slot + (size_t)p * h, *b = a + h;
        if (a[h - 1] > b[0]) {
            np_sort_merge_split(a, b, h, scratch);
            moved = true;
        }
    }
    return moved;
}

void np_array_transposition(uint32_t places, uint32_t h, uint32_t *slot, uint32_t *scratch, np_sort_cost *cost)
{
    uint32_t quiet = 0; /* after two stages in which nothing moved nothing will: the others are charged all the same */
    if (places < 2)
        return;
    for (uint32_t stage = 0; stage < places && quiet < 2; stage++)
        quiet = exchange(places, h, stage % 2, slot, scratch) ? 0 : quiet + 1;
    uint64_t comparators = (uint64_t)places * (places - 1) / 2;
    cost->steps += (uint64_t)places * h;
    cost->comparators += comparators;
    cost->packets += 2 * comparators * h;
    cost->hops += 2 * comparators * h;
    if (2 * h > cost->load_max)
        cost->load_max = 2 * h;
}

void np_array_count(np_array_flash *flash, const np_array_box *box, const np_array_list *list)
{
    np_array_box_fill(box, flash->value, 0);
    for (uint32_t i = 0; i < list->count; i++)
        flash->value[list->node[i]]++;
}

/* Item k of the box goes to place start + floor(k / h) of its snake. */
static np_status gather(np_array_flash *flash, np_array_part *part, uint32_t h, uint32_t start)
{
    const np_array_list *list = &part->list;
    uint32_t k = part->box.network->dimensions, fastest_first[NP_MAX_DIMENSIONS];
    np_sort_cost count = {0}, cost = {0};
    for (uint32_t i = 0; i < k; i++)
        fastest_first[i] = flash->order[k - 1 - i];
    np_array_count(flash, &part->box, list);
    np_array_box_prefix(&part->box, flash->order, flash->value, flash->before, flash->scratch, &count);
    if (!part->numbered)
        np_array_part_charge(flash, part, "number", &count);
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t number = flash->before[list->node[i]]++;
        flash->child[i] = number;
        flash->target[i] = np_array_box_snake(&part->box, flash->order, start + number / h);
    }
    np_status st = np_array_route(flash, &part->box, list->count, list->node, flash->target, list->id, fastest_first,
                                  part->phase, &cost);
    if (!st)
        np_array_part_charge(flash, part, "gather", &cost);
    return st;
}

np_status np_array_sort_along(np_array_flash *flash, np_array_part *part)
{
    np_array_list *list = &part->list;
    uint32_t n = list->count, h = (n + part->box.nodes - 1) / part->box.nodes;
    np_sort_cost cost = {0};
    if (n < 2)
        return NP_OK;
    uint32_t places = (n + h - 1) / h, start = part->along ? 0 : (part->box.nodes - places) / 2;
    if (!part->along) {
        np_array_box_align(&part->box, flash->order);
        np_status st = gather(flash, part, h, start);
        if (st)
            return st;
    }
    memset(flash->slot, 0xff, (size_t)places * h * sizeof *flash->slot); /* NP_NONE */
    for (uint32_t i = 0; i < n; i++)
        flash->slot[part->along ? i : flash->child[i]] = list->item[i];
    for (uint32_t p = 0; p < places; p++)
        np_sort_locally(flash->slot + (size_t)p * h, h);
    np_array_transposition(places, h, flash->slot, flash->slot + (size_t)places * h, &cost);
    for (uint32_t i = 0; i < n; i++) {
        list->item[i] = flash->slot[i];
        list->node[i] = np_array_box_snake(&part->box, flash->order, start + i / h);
    }
    np_array_part_charge(flash, part, part->stage, &cost);
    return np_sorting_progress(flash->sorting, part->stage);
}
