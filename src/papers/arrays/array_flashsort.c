/*
 * Flashsort on arrays of k dimensions (Leighton, Maggs, Ranade & Rao 1994, section 10).
 *
 * The subroutine sorts at most N / 2^lightness items on a box. Candidates are drawn and sorted, and some of them become
 * splitters. Items go to random nodes. Then the splitters direct them to the children into which the box is cut. The
 * children do the same, all at the same time, each as soon as its parent is done.
 *
 * The sort of more items draws at most about N / 2^(lightness + 1) candidates, which the subroutine sorts. It splits
 * all items by these candidates into lines of nodes, or into boxes of some lines where there are not enough splitters.
 * The lines and boxes are sorted by the methods of array_base.c. Each box knows from its parent how many items are
 * before its own. So in the end every item knows its place, and goes there.
 *
 * Departures.
 * 1. A box ends the recursion if it is a line; if it has at most `cutoff` nodes; if it can be sorted at once in at most
 *    cutoff / 64 times the sum of its sides, which is less than another round takes; or if it is too small to yield two
 *    parts. The paper ends the recursion at kM items, for k sides M.
 * 2. Items need not be at distinct nodes between two rounds (step 8 of Figure 6). Only the sort along a snake needs
 *    distinct nodes, and it gathers its items first. Loads are measured.
 * 3. A box whose splitters fail draws again, with its items where they are by then. After `redraws` redraws it is
 *    sorted as in array_base.c. The paper gives the probability of a failure, but not what is done then.
 * 4. The paper sorts the intervals of the full sort by Columnsort, whose columns are lines. We have enough candidates
 *    to split down to lines, or nearly. One sort along a line of m nodes takes m steps for each item a node.
 * 5. A line is sorted by transposition at once.
 *
 * Invariant: the items of a list are at the nodes of the list. When the part is sorted, its items ascend, and the items
 * of its children follow each other. So the rank of an item is its number in the list of the root.
 */
#include "papers/arrays/array_flashsort.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"

/* The first phases of random choices: of the subroutine alone, and of the full sort. */
enum { PHASE_SUBROUTINE = 0x4000, PHASE_FULL = 0x8000 };

void np_array_part_charge(np_array_flash *flash, np_array_part *part, const char *stage, const np_sort_cost *cost)
{
    np_sort_log_charge(&flash->sorting->log, part->clock, stage, part->depth, cost);
}

/* Few enough for the subroutine. */
static bool is_light(const np_sorting *sorting)
{
    uint32_t lightness = sorting->options->constants.lightness;
    return lightness < 32 && sorting->items <= sorting->network->nodes >> lightness;
}

/* The candidates of a box of M nodes: about sqrt(M), so few that a direct sort is fast enough. */
static np_array_sample sample_of(const np_array_flash *flash, const np_array_part *part)
{
    const np_sort_constants *constants = &flash->sorting->options->constants;
    double nodes = part->box.nodes, expected = constants->candidates * sqrt(nodes);
    np_array_sample sample = {0};
    sample.expected = fmin(fmin(expected, nodes / 2), part->list.count);
    sample.cuts = np_array_cuts_of(&part->box, (uint32_t)(sample.expected / constants->oversampling));
    return sample;
}

/*
 * The candidates of the full sort: enough splitters for every line, as far as the subroutine can sort the candidates.
 */
static np_array_sample sample_of_all(const np_array_flash *flash, const np_array_part *part)
{
    const np_sort_constants *constants = &flash->sorting->options->constants;
    np_array_sample sample = {.light = true};
    uint32_t lines = part->box.nodes / part->box.side[flash->order[part->box.network->dimensions - 1]];
    double wanted = (double)constants->oversampling * lines;
    sample.expected = fmin(ldexp(part->box.nodes, -(int)constants->lightness - 1), wanted);
    sample.cuts = np_array_cuts_of(&part->box, (uint32_t)(sample.expected / constants->oversampling));
    return sample;
}

/* The box is not split: it would not pay, or it is impossible. */
static bool at_end(const np_array_part *part)
{
    const np_array_flash *flash = part->flash;
    uint64_t cutoff = flash->sorting->options->constants.cutoff;
    uint64_t sides = np_array_box_sides(&part->box);
    np_array_base base = np_array_base_of(&part->box, flash->order, part->list.count);
    return part->list.count < 2 || part->box.nodes <= cutoff || part->sample.cuts.children < 2 ||
           (!part->sample.light && base.steps * 64 <= cutoff * sides);
}

static np_status end(void *context, bool *ended)
{
    np_array_part *part = context;
    np_array_flash *flash = part->flash;
    if (!(*ended = at_end(part)))
        return NP_OK;
    np_sort_log_event(&flash->sorting->log, "cumulative-delay", "Theorem 10.1",
                      "steps that packets waited on a branch of the recursion, by the sum of the sides",
                      (double)part->delay / flash->sides, 0);
    return np_array_sort_base(flash, part);
}

static np_status sort_child(void *context, uint32_t i, const uint32_t *count, np_sort_clock *clock)
{
    const np_array_part *part = context;
    const np_array_cuts *cuts = &part->sample.cuts;
    uint32_t first = 0;
    for (uint32_t c = 0; c < i; c++)
        first += count[c];
    np_array_part child = {.flash = part->flash,
                           .box = np_array_cuts_region(cuts, &part->box, cuts->plateaus, i),
                           .list = np_array_list_slice(&part->list, first, count[i]),
                           .depth = part->depth + 1,
                           .room = part->room,
                           .phase = (uint16_t)(part->phase + 64),
                           .numbered = true,
                           .stage = part->stage,
                           .clock = clock,
                           .delay = part->delay};
    return np_array_sort_part(&child);
}

static np_status fall_back(void *context)
{
    np_array_part *part = context;
    part->stage = "fallback";
    part->numbered = part->along = false;
    return np_array_sort_base(part->flash, part);
}

static np_status sort_with(np_array_part *part, np_array_sample sample)
{
    static const np_recursion_ops boxes = {end, np_array_split, sort_child, fall_back};
    part->sample = sample;
    np_array_box_order(&part->box, part->longest);
    return np_recursion_sort(part->flash->sorting, &boxes, part, sample.cuts.children, part->clock);
}

np_status np_array_sort_part(np_array_part *part) { return sort_with(part, sample_of(part->flash, part)); }

static np_status plan(np_sorting *sorting) { return np_sorting_plan(sorting, sorting->network->nodes); }

static np_node node(const np_sorting *sorting, uint32_t place)
{
    np_array_box box = np_array_box_whole(sorting->network, NULL);
    uint32_t order[NP_MAX_DIMENSIONS];
    np_array_box_order(&box, order);
    return np_array_box_snake(&box, order, place);
}

static void list_layout(void *object, np_arena *arena)
{
    np_array_list *list = object;
    np_arena_array(arena, &list->item, list->room, sizeof *list->item, "the items");
    np_arena_array(arena, &list->node, list->room, sizeof *list->node, "the items' nodes");
    np_arena_array(arena, &list->id, list->room, sizeof *list->id, "the items' numbers");
}

np_status np_array_list_create(np_array_list *list, size_t room)
{
    list->room = room;
    return np_arena_place(list, list_layout, "the items", &list->block);
}

void np_array_list_clear(np_array_list *list) { np_memory_free(list->block); }

static void layout(void *object, np_arena *arena)
{
    np_array_flash *flash = object;
    size_t nodes = flash->sorting->network->nodes, items = flash->sorting->items;
    NP_ARENA_WORDS(arena, nodes, "the nodes' counts", &flash->value, &flash->before, &flash->scratch);
    NP_ARENA_WORDS(arena, nodes, "the splitters", &flash->lower, &flash->upper);
    np_arena_zeroed(arena, &flash->load, nodes, sizeof *flash->load, "the nodes' loads");
    np_arena_array(arena, &flash->target, items, sizeof *flash->target, "the items' targets");
    np_arena_array(arena, &flash->child, items, sizeof *flash->child, "the items' intervals");
    np_arena_array(arena, &flash->slot, items, 16 * sizeof *flash->slot, "the items of a snake");
    flash->moved.room = items;
    list_layout(&flash->moved, arena);
}

static np_status create(np_array_flash *flash)
{
    np_status st = np_sort_engine_init(&flash->engine, flash->sorting, UINT32_MAX);
    return st ? st : np_arena_place(flash, layout, "the items of flashsort", &flash->block);
}

static void clear(np_array_flash *flash)
{
    np_sort_engine_clear(&flash->engine);
    np_memory_free(flash->block);
}

/* The root's list: item i at place floor(i / h). */
static void lay_out(const np_array_flash *flash, np_array_part *root)
{
    const np_sorting *sorting = flash->sorting;
    for (uint32_t i = 0; i < sorting->items; i++) {
        root->list.item[i] = sorting->item[i];
        root->list.node[i] = np_array_box_snake(&root->box, flash->order, i / sorting->per_place);
        root->list.id[i] = i;
    }
}

/* All nodes learn how many items there are. */
static void count_all(np_array_flash *flash, np_array_part *root)
{
    np_sort_cost cost = {.load_max = flash->sorting->per_place};
    np_array_count(flash, &root->box, &root->list);
    np_array_box_prefix(&root->box, flash->order, flash->value, flash->before, flash->scratch, &cost);
    np_array_part_charge(flash, root, "count", &cost);
}

/* Every item goes to its place. */
static np_status to_places(np_array_flash *flash, np_array_part *root)
{
    uint32_t k = root->box.network->dimensions, fastest_first[NP_MAX_DIMENSIONS];
    np_sort_cost cost = {0};
    for (uint32_t i = 0; i < k; i++)
        fastest_first[i] = flash->order[k - 1 - i];
    for (uint32_t i = 0; i < root->list.count; i++)
        flash->target[i] = np_array_box_snake(&root->box, flash->order, i / flash->sorting->per_place);
    np_status st = np_array_route(flash, &root->box, &root->list, flash->target, fastest_first, root->phase, &cost);
    if (!st)
        np_array_part_charge(flash, root, "places", &cost);
    memcpy(flash->sorting->item, root->list.item, root->list.count * sizeof *root->list.item);
    return st;
}

static np_status sort_root(np_array_flash *flash, np_array_part *root)
{
    const np_sorting *sorting = flash->sorting;
    uint32_t lightness = sorting->options->constants.lightness;
    np_status st;
    lay_out(flash, root);
    count_all(flash, root);
    if (is_light(sorting)) {
        st = np_array_sort_part(root);
    } else {
        root->room = sorting->per_place << (lightness < 8 ? lightness : 8);
        root->phase = PHASE_FULL;
        root->stage = "lines";
        st = sort_with(root, sample_of_all(flash, root));
    }
    return st ? st : to_places(flash, root);
}

static np_status run(np_sorting *sorting)
{
    np_array_flash flash = {.sorting = sorting};
    np_array_part root = {.flash = &flash,
                          .box = np_array_box_whole(sorting->network, sorting->log.teller),
                          .list = {.count = sorting->items},
                          .room = 1,
                          .phase = PHASE_SUBROUTINE,
                          .along = true,
                          .stage = "base",
                          .clock = &sorting->clock};
    np_status st;
    np_sorting_number_infinite(sorting, false); /* they take part in nothing */
    np_array_box_order(&root.box, flash.order);
    flash.sides = np_array_box_sides(&root.box);
    if (!(st = create(&flash)) && !(st = np_array_list_create(&root.list, sorting->items)))
        st = sort_root(&flash, &root);
    clear(&flash);
    np_array_list_clear(&root.list);
    return st;
}

const np_sort_host np_flashsort_arrays = {
    .sorters = "flashsort",
    .networks = NP_KIND_GRIDS,
    .plan = plan,
    .node = node,
    .run = run,
};
