/*
 * The machine butterfly:n: an N = n 2^n processor PRAM on a butterfly of N
 * nodes, each with a processor and a module (Ranade 1987b).
 *
 * A batch is sorted by tag; the network says what it costs (ranade.h). Then
 * memory serves each group of equal tags as the one request that reaches it: the
 * combination, in the order of processors, of all; and every processor gets the reply that
 * the switches would give it, by what is to the left of it. Memory is not touched before the network has done: so a
 * batch can be given up and done again (appendix B).
 *
 * Appendix B: a batch that takes more than `allotted` n steps for each request of a processor (`slack`; the
 * paper has 1) is given up; a new hash function is drawn, all cells are moved to their new modules by
 * routing, and the batch starts again. After RETRIES new functions in one batch it may take what it takes, so that
 * a program ends however short the time allotted.
 *
 * Charges, all part of network_steps:
 *   initialisation  zeta + n for every function: its coefficients go down the rows, one a step, to the nodes
 *                   that hold them (appendix A.3). Evaluating it takes the n nodes of a row O(n) cycles for each
 *                   batch, pipelined; those are cycles of local computation between steps, and not charged.
 *                   For a table of M places: M/N to clear it; every cell whose place is new is announced to its module
 *                   and answered, by batches through the network; then M/N + n to add up the places of a row.
 *   rehashing       the steps of the batch that was given up, and for the new function all that
 *                   initialisation charges, where every node sends the cells that it holds to where they
 *                   go, 16 at a time (section 5.1: the way there is three phases; the three back say that a
 *                   cell has come).
 */
#include "pram/butterfly.h"

#include <string.h>

#include "base/memory.h"
#include "base/parse.h"
#include "base/status.h"
#include "engine/ranade.h"
#include "pram/tags.h"

enum {
    N_MAX = 18,
    ALLOTTED = 64,
    RETRIES = 8, /* ours */
    AT_ONCE =
        16 /* cells of a processor in one batch of initialisation or moving: ours, near the most that rows can carry */
};

typedef struct butterfly {
    np_machine machine;
    uint32_t n, processors, slack;
    uint64_t allotted; /* steps */
    np_access_rule rule;
    np_request_order order;
    np_placement placement;
    np_modules modules;
    np_ranade *ranade;
    np_tags tags;
    uint32_t *held; /* [cells] by the module that holds them, when they are moved */
} butterfly;

static const butterfly *of(const np_machine *machine) { return (const butterfly *)machine; }

const np_modules *np_butterfly_modules(const np_machine *machine) { return &of(machine)->modules; }
uint64_t np_butterfly_bad_stride(const np_machine *machine) { return np_placement_bad_stride(&of(machine)->placement); }

static np_processor processors(const np_machine *machine) { return of(machine)->processors; }
static uint64_t modules(const np_machine *machine) { return of(machine)->processors; }
static uint32_t n(const np_machine *machine) { return of(machine)->n; }

static void destroy(np_machine *machine)
{
    butterfly *b = (butterfly *)machine;
    if (!b)
        return;
    np_placement_clear(&b->placement);
    np_modules_clear(&b->modules);
    np_ranade_free(b->ranade);
    np_tags_clear(&b->tags);
    np_memory_free(b->held);
    np_memory_free(b);
}

static np_status begin(butterfly *b, const np_pram_options *options)
{
    uint32_t zeta = options->zeta ? options->zeta : 8 * b->n;
    uint64_t most =
        (uint64_t)b->processors * options->slack; /* messages there can be: more room in a queue is of no use */
    uint32_t queue_size = options->queue_size < most ? options->queue_size : (uint32_t)most;
    np_status st;
    b->slack = options->slack;
    b->allotted = (uint64_t)(options->allotted ? options->allotted : ALLOTTED) * b->n * b->slack;
    b->order = options->order;
    b->rule = options->rule;
    if ((st = np_placement_init(&b->placement, options->map, b->processors, zeta, options->seed)) ||
        (st = np_modules_init(&b->modules, b->n, zeta)) || (st = np_ranade_create(b->n, queue_size, &b->ranade)))
        return st;
    return NP_OK;
}

static np_status create(const char *parameters, const np_pram_options *options, np_machine **out)
{
    uint64_t size;
    butterfly *b;
    *out = NULL;
    if (!np_parse_whole(parameters, 1, N_MAX, &size))
        return NP_RAISE(NP_ERROR_INPUT, "butterfly:%s: a number 1..%d of dimensions is needed: try butterfly:8",
                        parameters, N_MAX);
    np_status st = np_memory_zeroed(&b, 1, sizeof *b, "a machine");
    if (st)
        return st;
    b->machine.ops = &np_machine_butterfly;
    b->n = (uint32_t)size;
    b->processors = b->n << b->n;
    if ((st = begin(b, options))) {
        destroy(&b->machine);
        return st;
    }
    *out = &b->machine;
    return NP_OK;
}

/* One batch through the network, of tags whose modules and processors are filled in. */
static np_status send(butterfly *b, uint64_t steps_max, np_batch_cost *cost, np_ranade_run *out)
{
    np_ranade_job job = {.tags = b->tags.groups,
                         .module = b->tags.module,
                         .begin = b->tags.begin,
                         .processor = b->tags.processor,
                         .steps_max = steps_max};
    np_status st = np_ranade_send(b->ranade, &job, NULL, out);
    if (st)
        return st;
    cost->network_steps += out->steps;
    cost->queue_max = out->queue_max > cost->queue_max ? out->queue_max : cost->queue_max;
    return NP_OK;
}

/* Table and function: what costs no routing. */
static uint64_t table_steps(const butterfly *b, bool function, bool table)
{
    uint64_t per_module = b->modules.table / b->processors;
    return (function ? b->placement.coefficients + b->n : 0) + (table ? per_module : 0) + per_module + b->n;
}

/* Cells go to their modules, or are announced there, all of one batch: cell[i] from processor from[i]. */
static np_status route_cells(butterfly *b, size_t count, np_batch_cost *cost, uint64_t *steps)
{
    np_ranade_run run;
    np_tags *tags = &b->tags;
    np_tags_sort(tags, count);
    for (uint32_t k = 0; k < tags->groups; k++)
        tags->module[k] =
            np_modules_of(&b->modules, (uint32_t)(tags->item[tags->begin[k]].key >> 2)); /* a tag's address, 32 bits */
    for (size_t i = 0; i < count; i++)
        tags->processor[i] = tags->item[i].index;
    np_status st = send(b, 0, cost, &run);
    if (!st)
        *steps += run.steps;
    return st;
}

static inline np_tag_item cell_item(const butterfly *b, uint64_t cell, uint32_t from)
{
    return (np_tag_item){np_tag_of(b->order, np_modules_of(&b->modules, cell), cell, 0), from};
}

/* New places for all cells from `first` on: each is announced by a processor. */
static np_status announce(butterfly *b, uint64_t first, np_batch_cost *cost, uint64_t *steps)
{
    uint64_t at_once = (uint64_t)b->processors * AT_ONCE;
    np_status st = NP_OK;
    for (uint64_t x = first; x < b->modules.cells && !st; x += at_once) {
        uint64_t left = b->modules.cells - x;
        size_t count = (size_t)(left < at_once ? left : at_once);
        uint32_t each = (uint32_t)((count + b->processors - 1) / b->processors);
        if ((st = np_tags_reserve(&b->tags, count)))
            return st;
        for (size_t i = 0; i < count; i++)
            b->tags.item[i] = cell_item(b, x + i, (uint32_t)(i / each));
        st = route_cells(b, count, cost, steps);
    }
    return st;
}

static np_status grow(np_machine *machine, uint64_t cells, np_batch_cost *cost)
{
    butterfly *b = (butterfly *)machine;
    bool function = !b->modules.cells, table;
    uint64_t before = b->modules.table, first, steps = 0;
    np_status st = np_modules_grow(&b->modules, &b->placement, cells, &first);
    if (st || (st = announce(b, first, cost, &steps)))
        return st;
    table = b->modules.table != before;
    uint64_t local = table_steps(b, function, table);
    cost->network_steps += local;
    cost->initialisation_steps += local + steps;
    return NP_OK;
}

/* held[] = cells by module, begin[] where each module's are. */
static np_status sort_by_holder(butterfly *b, uint64_t **begin)
{
    np_modules *m = &b->modules;
    uint32_t total = b->processors;
    np_status st = np_memory_zeroed(begin, (size_t)total + 2, sizeof **begin, "cells to move");
    if (!st)
        st = np_memory_grow(&b->held, 0, m->cells + 1, sizeof *b->held, "cells to move");
    if (st)
        return st;
    for (uint64_t x = 0; x < m->cells; x++)
        (*begin)[np_modules_of(m, x) + 2]++;
    for (uint32_t v = 2; v < total + 2; v++)
        (*begin)[v] += (*begin)[v - 1];
    for (uint64_t x = 0; x < m->cells; x++)
        b->held[(*begin)[np_modules_of(m, x) + 1]++] = (uint32_t)x;
    return NP_OK;
}

/* The number of the processor that is where the module is. */
static uint32_t processor_at(const butterfly *b, uint32_t module)
{
    return (module & ((1U << b->n) - 1)) * b->n + (module >> b->n);
}

/* Every cell goes from where it is held to its new module: AT_ONCE of every holder in a batch. */
static np_status move_cells(butterfly *b, const uint64_t *begin, np_batch_cost *cost, uint64_t *steps)
{
    np_status st = np_tags_reserve(&b->tags, (size_t)b->processors * AT_ONCE);
    for (uint64_t round = 0; !st; round++) {
        size_t count = 0;
        for (uint32_t v = 0; v < b->processors; v++)
            for (uint64_t i = begin[v] + round * AT_ONCE; i < begin[v + 1] && i < begin[v] + (round + 1) * AT_ONCE; i++)
                b->tags.item[count++] = cell_item(b, b->held[i], processor_at(b, v));
        if (!count)
            break;
        st = route_cells(b, count, cost, steps);
    }
    return st;
}

/* Draws a new function and moves all cells. */
static np_status rehash(butterfly *b, np_batch_cost *cost)
{
    uint64_t *begin, steps = 0;
    np_status st = sort_by_holder(b, &begin);
    if (!st) {
        np_placement_draw(&b->placement);
        np_modules_place(&b->modules, &b->placement);
        st = move_cells(b, begin, cost, &steps);
    }
    np_memory_free(begin);
    if (st)
        return st;
    uint64_t local = table_steps(b, true, true);
    cost->network_steps += local;
    cost->rehash_steps += local + steps;
    cost->rehashes++;
    return NP_OK;
}

static void sort_requests(butterfly *b, const np_request *request, size_t count)
{
    np_tags *tags = &b->tags;
    for (size_t i = 0; i < count; i++) {
        np_address x = request[i].address;
        tags->item[i] =
            (np_tag_item){np_tag_of(b->order, np_modules_of(&b->modules, x), x, request[i].kind), (uint32_t)i};
    }
    np_tags_sort(tags, count);
    for (uint32_t k = 0; k < tags->groups; k++)
        tags->module[k] = np_modules_of(&b->modules, request[tags->item[tags->begin[k]].index].address);
    for (size_t i = 0; i < count; i++)
        tags->processor[i] = tags->item[i].index / b->slack;
}

/* The batch through the network, with new hash functions as long as it takes too long. */
static np_status deliver(butterfly *b, const np_request *request, size_t count, np_batch_cost *cost, np_ranade_run *run)
{
    np_status st;
    for (unsigned tries = 0;; tries++) {
        bool limited = tries < RETRIES && b->placement.map != NP_MAP_NONE;
        sort_requests(b, request, count);
        if ((st = send(b, limited ? b->allotted : 0, cost, run)))
            return st;
        cost->ghosts += run->ghosts;
        if (!run->abandoned)
            return NP_OK;
        cost->rehash_steps += run->steps;
        if ((st = rehash(b, cost)))
            return st;
    }
}

static np_status serve(np_machine *machine, np_store *store, const np_request *request, size_t count, np_word *reply,
                       np_batch_cost *cost)
{
    butterfly *b = (butterfly *)machine;
    np_tags *tags = &b->tags;
    np_ranade_run run;
    np_status st = np_tags_reserve(tags, count);
    if (st || (st = deliver(b, request, count, cost, &run)))
        return st;
    np_tags_serve(tags, store, b->rule, request, reply);
    cost->requests += count;
    cost->combined += run.combined;
    cost->replies += run.replies;
    cost->module_load_max = run.module_max > cost->module_load_max ? run.module_max : cost->module_load_max;
    b->modules.searched += (uint64_t)tags->groups * b->modules.search * b->n;
    return NP_OK;
}

static void measure(const np_machine *machine, np_pram_report *out)
{
    const np_modules *m = &of(machine)->modules;
    for (uint32_t r = 0; r < m->rows; r++)
        if (m->row_cells[r] > out->row_cells_max)
            out->row_cells_max = m->row_cells[r];
    out->row_cells_mean = (m->cells + m->rows - 1) / m->rows;
    out->bad_stride = np_butterfly_bad_stride(machine);
}

static np_status memory(const np_machine *machine, np_pram_memory *out)
{
    return np_modules_account_of(&of(machine)->modules, out);
}

const np_machine_ops np_machine_butterfly = {
    .name = "butterfly",
    .parameters = "n",
    .help = "n 2^n processors and modules on a butterfly: six phases, merged streams, ghosts, combining",
    .source = "Ranade 1987b",
    .create = create,
    .free = destroy,
    .processors = processors,
    .modules = modules,
    .n = n,
    .measure = measure,
    .memory = memory,
    .serve = serve,
    .grow = grow,
};
