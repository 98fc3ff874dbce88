/*
 * How a box is split (Leighton, Maggs, Ranade & Rao 1994, Figure 6 and section 10).
 *
 *   candidates      are drawn, counted, and numbered by a prefix computation
 *   sorted          a sample of about sqrt(M) candidates goes to the middle of the box, and is sorted there as in
 *                   array_base.c; the subroutine sorts the sample of the full sort
 *   random-nodes    each item goes to a random coordinate in all dimensions but that of the first plateau
 *   splitters       the box is cut in its longest dimension. If there are splitters for more parts than it is long,
 *                   every part is cut in the next dimension, and so on: each dimension is a plateau. For each plateau,
 *                   the splitter between two parts goes to the middle of both, as the upper bound of the one and the
 *                   lower bound of the other, and from there to all nodes of the parts
 *   intervals       plateau by plateau each item goes up the line as long as it is above the upper bound where it
 *                   stands, or down as long as it is not above the lower bound, and then on to a random coordinate of
 *                   the part where it stops
 *   number          each child counts and numbers its items, by a prefix computation
 *   check           prefix computations over the children: how many items are before, does every child have room
 *
 * Departures. The paper sorts candidates by comparing all with all. On a square of C x C nodes this takes 4 (C - 1)
 * steps after the candidates are in a line; transposition takes C, and shearsort O(sqrt(C) log C). The paper takes the
 * splitters' plateaus from the network on which it routes, with one coordinate a splitter. Our parts may be wider than
 * one coordinate; they are as even as possible, and splitters are taken in proportion to the nodes of the children. The
 * items of a part spread over its width at random, because otherwise all would stop where it begins. An item that is in
 * the right part already gets no random coordinate in the dimension of the first plateau, neither before nor after. It
 * needs none: no two lines share a link, and no more items can meet on a line than the line has.
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/real.h"
#include "papers/arrays/array_flashsort.h"

enum { PHASE_CANDIDATES = 0x4000 }; /* of the subroutine that sorts the candidates of the full sort */

/* The phases of an attempt: 0 candidates, 1 splitters, 2 random nodes, 3 intervals. */
static uint16_t phase_of(const np_array_part *part, uint32_t attempt, uint32_t what)
{
    return np_recursion_phase(part->phase, attempt, what);
}

static void add(np_array_list *list, uint32_t item, np_node node, uint32_t id)
{
    list->item[list->count] = item;
    list->node[list->count] = node;
    list->id[list->count++] = id;
}

/* Tells that item i is copied, as a candidate. */
static void tell_candidate(const np_array_part *part, uint32_t i)
{
    np_sort_teller *teller = part->box.teller;
    const np_array_list *list = &part->list;
    if (teller)
        np_sort_teller_put(teller, 0, np_sort_teller_copy(teller, list->item[i], list->kind + 1), list->node[i]);
}

/* Draws the candidates, with their nodes, and keeps at most `most` of them. *all = how many were drawn. */
static void draw_candidates(const np_array_flash *flash, const np_array_part *part, double expected, uint32_t attempt,
                            uint32_t most, np_array_list *picked, uint32_t *all)
{
    np_draws draws = np_draws_for(flash->sorting->draws, NP_RANDOM_CANDIDATE);
    draws.phase = part->phase;
    *all = 0;
    for (uint32_t i = 0; i < part->list.count; i++) {
        uint32_t id = part->list.id[i];
        if (!np_recursion_draws(&draws, id, attempt, expected / part->list.count))
            continue;
        if (picked->count < most) {
            tell_candidate(part, i);
            add(picked, part->list.item[i], part->list.node[i], id);
        }
        ++*all;
    }
}

/* Counts and numbers the candidates: flash->child[] = their numbers. */
static void number_candidates(np_array_flash *flash, np_array_part *part, const np_array_list *picked)
{
    np_sort_cost cost = {0};
    np_array_count(flash, &part->box, picked);
    np_array_box_prefix(&part->box, part->longest, flash->value, flash->before, flash->scratch, &cost);
    np_array_part_charge(flash, part, "candidates", &cost);
    for (uint32_t i = 0; i < picked->count; i++)
        flash->child[i] = flash->before[picked->node[i]]++;
}

/* Sorts the candidates directly, in the middle of the box. */
static np_status sort_candidates(np_array_flash *flash, np_array_part *part, np_array_list *picked, uint16_t phase)
{
    np_array_base base = np_array_base_of(&part->box, part->longest, picked->count);
    np_status st = np_array_base_gather(flash, part, picked, &base, part->longest, phase, "gather-candidates");
    return st ? st : np_array_base_sort(flash, part, picked, &base, "sort-candidates");
}

/* Sorts the candidates by the subroutine, on the same box. */
static np_status sort_sample(np_array_flash *flash, np_array_part *part, np_array_list *picked)
{
    np_array_part own = {.flash = flash,
                         .box = part->box,
                         .list = *picked,
                         .depth = part->depth + 1,
                         .room = 1,
                         .phase = PHASE_CANDIDATES,
                         .numbered = true,
                         .stage = "base",
                         .clock = part->clock};
    return np_array_sort_part(&own);
}

/* Picks the candidates and sorts them. *good = there are enough of them and not too many. */
static np_status pick(np_array_flash *flash, np_array_part *part, const np_array_sample *sample, uint32_t attempt,
                      np_array_list *picked, bool *good)
{
    double most = fmin(1.5 * sample->expected, part->list.count);
    uint32_t all;
    np_status st = np_array_list_create(picked, (size_t)most);
    if (st)
        return st;
    picked->kind = part->list.kind + 1;
    draw_candidates(flash, part, sample->expected, attempt, (uint32_t)most, picked, &all);
    np_recursion_candidates(flash->sorting, all, sample->expected);
    number_candidates(flash, part, picked);
    *good = all >= sample->expected / 2 && all <= most && all + UINT64_C(1) >= sample->cuts.children;
    if (!*good)
        return NP_OK;
    return sample->light ? sort_sample(flash, part, picked)
                         : sort_candidates(flash, part, picked, phase_of(part, attempt, 0));
}

/* The splitter between two regions of a plateau, chosen in proportion to the nodes before the second. */
static uint32_t splitter_between(const np_array_list *picked, uint64_t nodes, uint64_t before)
{
    uint64_t number = (picked->count + UINT64_C(1)) * before / nodes;
    return (uint32_t)(number ? number - 1 : 0);
}

/* copies = the splitters that bound plateau p's parts, still where they are: for each part the lower bound, if there is
   one, then the upper one; target[] = the middles of the parts. */
static void copy_splitters(const np_array_part *part, const np_array_sample *sample, uint32_t p,
                           const np_array_list *picked, np_array_list *copies, uint32_t *target)
{
    uint32_t regions = np_array_cuts_regions(&sample->cuts, p + 1), parts = sample->cuts.parts[p], before = 0;
    for (uint32_t r = 0; r < regions; r++) {
        np_array_box region = np_array_cuts_region(&sample->cuts, &part->box, p + 1, r);
        uint32_t splitter = splitter_between(picked, part->box.nodes, before);
        uint32_t next = splitter_between(picked, part->box.nodes, (uint64_t)before + region.nodes);
        bool first = r % parts == 0, last = (r + 1) % parts == 0;
        np_node middle = np_array_box_middle(&region);
        if (!first) {
            target[copies->count] = middle;
            add(copies, picked->item[splitter], picked->node[splitter], 2 * r);
        }
        if (!last) {
            target[copies->count] = middle;
            add(copies, picked->item[next], picked->node[next], 2 * r + 1);
        }
        before += region.nodes;
    }
}

/* The splitters are in the middles of their parts. From there they go to all nodes of the part, of all parts at the
   same time: flash->lower and upper = the bounds of the part. Adds to the cost. */
static void spread_splitters(np_array_flash *flash, const np_array_part *part, const np_array_sample *sample,
                             uint32_t p, const np_array_list *copies, np_sort_cost *cost)
{
    uint32_t regions = np_array_cuts_regions(&sample->cuts, p + 1), parts = sample->cuts.parts[p], next = 0;
    const uint64_t begin = cost->steps;
    uint64_t end = begin;
    for (uint32_t r = 0; r < regions; r++) {
        np_array_box region = np_array_cuts_region(&sample->cuts, &part->box, p + 1, r);
        np_array_word word[2];
        uint32_t words = 0;
        for (int upper = r % parts == 0; upper < 1 + ((r + 1) % parts != 0); upper++, next++) {
            word[words] = (np_array_word){upper ? flash->upper : flash->lower, copies->word + next};
            word[words++].array[copies->node[next]] = copies->item[next];
        }
        cost->steps = begin;
        np_array_box_broadcast(&region, words, word, cost);
        end = cost->steps > end ? cost->steps : end;
    }
    cost->steps = end;
}

/* Tells that there are copies of candidates, for this stage alone. */
static void tell_splitters(const np_array_part *part, np_array_list *copies)
{
    np_sort_teller *teller = part->box.teller;
    if (!teller)
        return;
    copies->word = np_sort_teller_numbers(teller, copies->count);
    for (uint32_t i = 0; i < copies->count; i++)
        np_sort_teller_put(teller, 0, copies->word + i, copies->node[i]);
}

/* Splitters for plateau p. */
static np_status place_splitters(np_array_flash *flash, np_array_part *part, const np_array_sample *sample,
                                 uint32_t attempt, uint32_t p, const np_array_list *picked)
{
    size_t room = 2 * (size_t)np_array_cuts_regions(&sample->cuts, p + 1);
    uint32_t *target;
    np_array_list copies = {0};
    np_sort_cost cost = {0};
    np_status st = np_memory_array(&target, room, sizeof *target, "the splitters");
    if (st)
        return st;
    if (!(st = np_array_list_create(&copies, room))) {
        copy_splitters(part, sample, p, picked, &copies, target);
        tell_splitters(part, &copies);
        st = np_array_route(flash, &part->box, &copies, target, part->longest, phase_of(part, attempt, 1), &cost);
    }
    if (!st) {
        spread_splitters(flash, part, sample, p, &copies, &cost);
        np_array_part_charge(flash, part, "splitters", &cost);
    }
    np_array_list_clear(&copies);
    np_memory_free(target);
    return st;
}

/* Charges a routing that is done, and notes its congestion. */
static void note(np_array_flash *flash, np_array_part *part, const char *stage, const np_sort_cost *cost)
{
    uint32_t longest = part->box.side[part->longest[0]], k = np_array_box_dimensions(&part->box);
    np_array_part_charge(flash, part, stage, cost);
    part->delay += cost->delay_max;
    np_sort_log_event(&flash->sorting->log, "congestion", "Lemma 6.1",
                      "packets over a link on the way to random nodes and to intervals, by k times the longest side",
                      cost->congestion / ((double)k * longest), 0);
}

static np_status to_random_nodes(np_array_flash *flash, np_array_part *part, const np_array_sample *sample,
                                 uint32_t attempt)
{
    const np_array_list *list = &part->list;
    const np_network *network = part->box.network;
    np_draws draws = np_draws_for(flash->sorting->draws, NP_RANDOM_TARGET);
    np_sort_cost cost = {0};
    draws.phase = phase_of(part, attempt, 2);
    memcpy(flash->target, list->node, list->count * sizeof *flash->target);
    for (uint32_t d = 0; d < network->dimensions; d++)
        if (d != sample->cuts.dimension[0] && part->box.side[d] > 1)
            for (uint32_t i = 0; i < list->count; i++) {
                uint32_t to = np_random_below(&draws, list->id[i], d, part->box.side[d]);
                uint32_t x = np_array_box_coordinate(&part->box, list->node[i], d);
                flash->target[i] += (to - x) * network->stride[d]; /* modulo 2^32 */
            }
    np_status st = np_array_route(flash, &part->box, list, flash->target, part->longest, draws.phase, &cost);
    if (!st)
        note(flash, part, "random-nodes", &cost);
    return st;
}

/* Where an item that starts at `node` stops on plateau p: in a part whose bounds it keeps. *stop = that part. */
static np_node walk(const np_array_flash *flash, const np_array_part *part, const np_array_cuts *cuts, uint32_t p,
                    np_node node, uint32_t item, uint32_t *stop)
{
    uint32_t stride = part->box.network->stride[cuts->dimension[p]];
    uint32_t x = np_array_box_coordinate(&part->box, node, cuts->dimension[p]);
    uint32_t start = np_array_cuts_part(cuts, &part->box, p, x), j = start;
    bool up = j + 1 < cuts->parts[p] && item > flash->upper[node];
    for (*stop = j;; *stop = j) {
        uint32_t at = np_array_cuts_begin(cuts, &part->box, p, j);
        np_node here = j == start ? node : node + (at - x) * stride;
        if (up ? j + 1 == cuts->parts[p] || item <= flash->upper[here] : !j || item > flash->lower[here])
            return here;
        j = up ? j + 1 : j - 1;
    }
}

/* Moves the items to their parts of plateau p, along its dimension. */
static np_status to_intervals(np_array_flash *flash, np_array_part *part, const np_array_sample *sample,
                              uint32_t attempt, uint32_t p)
{
    const np_array_list *list = &part->list;
    const np_array_cuts *cuts = &sample->cuts;
    uint32_t d = cuts->dimension[p], stride = part->box.network->stride[d];
    np_draws draws = np_draws_for(flash->sorting->draws, NP_RANDOM_TARGET);
    np_sort_cost cost = {0};
    draws.phase = phase_of(part, attempt, 3);
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t j;
        np_node stop = walk(flash, part, cuts, p, list->node[i], list->item[i], &j);
        flash->target[i] = stop;
        if (stop == list->node[i])
            continue;
        uint32_t begin = np_array_cuts_begin(cuts, &part->box, p, j);
        uint32_t width = np_array_cuts_begin(cuts, &part->box, p, j + 1) - begin;
        flash->target[i] += np_random_below(&draws, list->id[i], p, width) * stride;
    }
    np_status st = np_array_route(flash, &part->box, list, flash->target, part->longest, draws.phase, &cost);
    if (!st)
        note(flash, part, "intervals", &cost);
    return st;
}

/* Arranges the list in order of the children that the items are in, stably. count[] = the items of each child. */
static void arrange(np_array_flash *flash, np_array_part *part, const np_array_cuts *cuts, uint32_t *count)
{
    np_array_list *list = &part->list, *moved = &flash->moved;
    size_t bytes = list->count * sizeof *list->item;
    uint32_t before = 0;
    memset(count, 0, cuts->children * sizeof *count);
    for (uint32_t i = 0; i < list->count; i++) {
        flash->child[i] = np_array_cuts_child_of(cuts, &part->box, list->node[i]);
        count[flash->child[i]]++;
    }
    for (uint32_t c = 0; c < cuts->children; c++) { /* where the child begins */
        before += count[c];
        count[c] = before - count[c];
    }
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t to = count[flash->child[i]]++;
        moved->item[to] = list->item[i];
        moved->node[to] = list->node[i];
        moved->id[to] = list->id[i];
    }
    for (uint32_t c = cuts->children; c-- > 1;) /* from where the child ends to how many items it has */
        count[c] -= count[c - 1];
    memcpy(list->item, moved->item, bytes);
    memcpy(list->node, moved->node, bytes);
    memcpy(list->id, moved->id, bytes);
}

/* Every child counts and numbers its items. */
static void number_items(np_array_flash *flash, np_array_part *part, const np_array_cuts *cuts, const uint32_t *count)
{
    uint32_t first = 0, most = 0;
    uint64_t steps = 0;
    double fullest = 0;
    np_sort_cost cost = {0};
    for (uint32_t c = 0; c < cuts->children; c++) {
        np_array_box child = np_array_cuts_region(cuts, &part->box, cuts->plateaus, c);
        np_array_list own = np_array_list_slice(&part->list, first, count[c]);
        first += count[c];
        cost.steps = 0;
        np_array_count(flash, &child, &own);
        uint32_t n = np_array_box_prefix(&child, flash->order, flash->value, flash->before, flash->scratch, &cost);
        steps = cost.steps > steps ? cost.steps : steps;
        most = n > most ? n : most;
        fullest = fmax(fullest, n / ((double)part->room * child.nodes));
    }
    cost.steps = steps;
    np_array_part_charge(flash, part, "number", &cost);
    double unit = part->list.count * np_log2(part->box.network->nodes) / sqrt(part->box.nodes);
    np_sort_log_event(&flash->sorting->log, "delta-split", "Lemma 8.2", "largest interval, by n log N / sqrt(M)",
                      most / unit, 0);
    np_sort_log_event(&flash->sorting->log, "fitting", "Lemma 8.4", "largest interval, by the room of its box", fullest,
                      1);
}

/* Do all children have room? Plateau by plateau, the number at a node becomes the sum over its line, known to all. The
   other number of a packet, the items of the children before, is not computed here: the order of the list shows it. */
static bool check(np_array_flash *flash, np_array_part *part, const np_array_cuts *cuts, const uint32_t *count)
{
    np_sort_cost cost = {.load_max = 1};
    for (uint32_t c = 0; c < cuts->children; c++) {
        np_array_box child = np_array_cuts_region(cuts, &part->box, cuts->plateaus, c);
        np_array_box_fill(&child, flash->value, count[c] > (uint64_t)part->room * child.nodes);
    }
    for (uint32_t p = cuts->plateaus; p-- > 0;)
        np_array_box_sum(&part->box, cuts->dimension[p], flash->value, &cost);
    np_array_part_charge(flash, part, "check", &cost);
    return !flash->value[np_array_box_middle(&part->box)];
}

static np_status split_by(np_array_flash *flash, np_array_part *part, const np_array_sample *sample, uint32_t attempt,
                          const np_array_list *picked, uint32_t *children, uint32_t *count)
{
    np_status st = to_random_nodes(flash, part, sample, attempt);
    for (uint32_t p = 0; p < sample->cuts.plateaus && !st; p++)
        if (!(st = place_splitters(flash, part, sample, attempt, p, picked)))
            st = to_intervals(flash, part, sample, attempt, p);
    if (st)
        return st;
    arrange(flash, part, &sample->cuts, count);
    number_items(flash, part, &sample->cuts, count);
    if (check(flash, part, &sample->cuts, count))
        *children = sample->cuts.children;
    return NP_OK;
}

np_status np_array_split(void *context, uint32_t attempt, uint32_t *children, uint32_t *count)
{
    np_array_part *part = context;
    np_array_flash *flash = part->flash;
    np_array_list picked = {0};
    bool good = false;
    np_status st = pick(flash, part, &part->sample, attempt, &picked, &good);
    *children = 0;
    if (!st && good)
        st = split_by(flash, part, &part->sample, attempt, &picked, children, count);
    np_array_list_clear(&picked);
    return st;
}
