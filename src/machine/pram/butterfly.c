/*
 * The machine butterfly:n: an N = n 2^n processor PRAM on a butterfly of N
 * nodes, each with a processor and a module (Ranade 1987b).
 *
 * A batch is sorted by tag, and the network says what it costs (ranade.h). Then memory serves each
 * group of equal tags as one request, the one that reaches memory: the combination of all requests
 * of the group in the order of processors. Every processor gets the reply that the switches would
 * give it: it depends on the requests to the left of its own. Memory is not touched before the
 * network has finished, so a batch can be given up and sent again (appendix B). With options.carry_values the messages
 * carry the values instead (carry.h).
 *
 * New hash functions (appendix B) are in rehash.h.
 *
 * Charges, all part of network_steps:
 *   initialisation  zeta + n for every function: its coefficients go down the rows, one a step, to the nodes
 *                   that hold them (appendix A.3). The n nodes of a row evaluate the function in O(n) cycles
 *                   for each batch, pipelined. These cycles are charged if options.memory_layout names a layout of the
 *                   words: then they are run (evaluate.h), also for cells that are announced or moved. For a table of M
 *                   places: M/N to clear it; then every cell with a new place is announced to its module and answered,
 *                   in batches through the network; then M/N + n to add up the places of a row.
 *   rehashing       the steps of the batch that was given up, and for the new function everything that
 *                   initialisation charges, except that the announcements are moves: every node sends the cells
 *                   that it holds to their new modules, 16 at a time (section 5.1: the cells go there in three
 *                   phases; the three phases back acknowledge them). If options.memory_layout names a layout, a node
 *                   holds the pairs of its overflow area, and the messages carry them (pairs.h).
 */
#include "machine/pram/butterfly.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/room.h"
#include "model/leveled/six_phases.h"
#include "engine/merging/ranade.h"
#include "netpram/theory.h"
#include "machine/pram/carry.h"
#include "machine/pram/evaluate.h"
#include "machine/pram/rehash.h"
#include "machine/pram/store.h"
#include "engine/queueing/relay.h"

enum {
    N_MAX = 18,
    EDGES_OF_A_LINK = 3 /* of the six phases: a straight link plays so many edges, and a step takes as long */
};

typedef struct butterfly {
    np_machine machine;
    np_processor senders; /* processors that send requests */
    np_team team;
    np_access_rule rule;
    np_request_order order;
    np_placement placement;
    np_modules modules;
    np_ranade *ranade;
    np_tags tags;
    np_slowest slowest;
    np_rehash rehash;
    np_pairs layout;          /* of the words, if it has a kind; */
    np_settlement settlement; /* while they go to new places; */
    np_evaluation evaluation; /* and of the hash function */

    /* The batch at hand. */
    const np_request *request;
    size_t count;
    np_ranade_run run;

    /* For observers and physical steps; NULL if there are none. */
    bool observed, physical, carries;
    np_carry carry; /* values, if it carries them */
    np_network *network;
    np_leveled *leveled;
    np_event_leveled alone; /* it, if there is no network */
    np_packet *number;      /* [number_room] of the requests, in the order of tags */
    size_t number_room;
    uint32_t batches; /* so far: a batch is a run */
    np_event_relay relay;
} butterfly;

/* What a batch is. */
typedef enum batch_kind { REQUESTS, MOVES, ANNOUNCEMENTS } batch_kind;

static const butterfly *of(const np_machine *machine) { return (const butterfly *)machine; }

const np_modules *np_butterfly_modules(const np_machine *machine) { return &of(machine)->modules; }

const np_pairs *np_butterfly_pairs(const np_machine *machine) { return &of(machine)->layout; }

const np_placement *np_butterfly_placement(const np_machine *machine) { return &of(machine)->placement; }

static const np_slowest *slowest(const np_machine *machine) { return &of(machine)->slowest; }

static void destroy(np_machine *machine)
{
    butterfly *b = (butterfly *)machine;
    if (!b)
        return;
    np_placement_clear(&b->placement);
    np_modules_clear(&b->modules);
    np_ranade_free(b->ranade);
    np_tags_clear(&b->tags);
    np_memory_free(b->slowest.block);
    np_carry_clear(&b->carry);
    np_pairs_clear(&b->layout);
    np_settlement_clear(&b->settlement);
    np_evaluation_clear(&b->evaluation);
    np_leveled_free(b->leveled);
    np_network_free(b->network);
    NP_MEMORY_FREE(b->number, b);
}

static const np_rehash_ops rehash_ops;

static np_status make_alone(butterfly *b)
{
    np_status st = np_six_phases_alone(b->machine.n, &b->leveled);
    const np_leveled *lv = b->leveled;
    if (!st)
        b->alone =
            (np_event_leveled){lv->nodes, lv->edges, lv->tail, lv->head, lv->host, lv->walk, lv->link, .of_run = false};
    return st;
}

/* Of a layout alone the leveled network needs no links, which a butterfly has from n = 3 on. */
static np_status make_leveled(butterfly *b)
{
    if (!b->observed && !b->physical)
        return b->layout.kind ? make_alone(b) : NP_OK;
    np_status st = np_network_make(&b->network, "butterfly:%u", b->machine.n); /* as observers know it */
    return st ? np_status_prefix(st, b->carries    ? "carry-values: "
                                     : b->observed ? "trace: "
                                                   : "physical: ")
              : np_six_phases_create(b->network, &b->leveled);
}

static np_status begin_observing(butterfly *b, const np_pram_options *options)
{
    const np_observer *observer = options->observer;
    b->carries = options->carry_values;
    b->observed = options->observer || b->carries;
    b->physical = options->physical;
    np_carry_init(&b->carry, observer, b->rule, true);
    if (b->carries)
        observer = &b->carry.observer;
    np_settlement_init(&b->settlement, &b->layout, &b->tags, observer);
    if (b->layout.kind)
        observer = &b->settlement.observer;
    np_event_relay_init(&b->relay, observer);
    return make_leveled(b);
}

static np_status begin(butterfly *b, const np_pram_options *options)
{
    uint32_t hash_coefficients = options->hash_coefficients ? options->hash_coefficients : 8 * b->machine.n;
    uint32_t queue_size = np_rehash_queue_size(options, b->machine.processors);
    np_status st = np_team_init(&b->team, options->threads);
    if (st)
        return st;
    b->senders = np_machine_senders(options, b->machine.processors);
    b->order = options->order;
    b->slowest = (np_slowest){.n = b->machine.n, .queue_size = queue_size};
    b->rule = options->rule;
    b->rehash = np_rehash_of(&rehash_ops, options, b->machine.n, b->machine.processors);
    uint32_t most = options->slack > NP_REHASH_AT_ONCE ? options->slack : NP_REHASH_AT_ONCE;
    b->layout = np_pairs_of(options->memory_layout, &b->modules);
    if ((st =
             np_placement_init(&b->placement, options->map, b->machine.processors, hash_coefficients, options->seed)) ||
        (st = np_modules_init(&b->modules, b->machine.n, hash_coefficients)) ||
        (st = np_ranade_create(b->machine.n, queue_size, &b->ranade)) || (st = begin_observing(b, options)))
        return st;
    return b->layout.kind ? np_evaluation_init(&b->evaluation, b->machine.n, b->modules.search, most) : NP_OK;
}

static np_status read_size(const char *parameters, uint64_t *n)
{
    if (np_parse_whole(parameters, 1, N_MAX, n))
        return NP_OK;
    return NP_RAISE(NP_ERROR_INPUT, "butterfly:%s: a number 1..%d of dimensions is needed: try butterfly:8", parameters,
                    N_MAX);
}

static np_status create(const char *parameters, const np_pram_options *options, np_machine **out)
{
    uint64_t size;
    butterfly *b;
    *out = NULL;
    np_status st = read_size(parameters, &size);
    if (st || (st = np_memory_zeroed(&b, 1, sizeof *b, "a machine")))
        return st;
    b->machine.n = (uint32_t)size;
    b->machine.modules = b->machine.processors = b->machine.n << b->machine.n;
    if ((st = begin(b, options))) {
        destroy(&b->machine);
        return st;
    }
    *out = &b->machine;
    return NP_OK;
}

/* Packets are the requests of the batch; of cells, their places in the order of tags. */
static np_status number_packets(butterfly *b, batch_kind kind, size_t count)
{
    np_status st = np_memory_need(&b->number, 0, count, &b->number_room, sizeof *b->number, "observed packets");
    for (size_t i = 0; i < count && !st; i++)
        b->number[i] = kind == REQUESTS ? b->tags.item[i].index : (np_packet)i;
    return st;
}

/* Adds what observers need. A reply that splits from another one has the number of its request, plus that of all. */
static np_status observe(butterfly *b, batch_kind kind, np_event_phase *phase, np_ranade_job *job)
{
    static const char *const name[] = {"requests", "moves", "announcements"};
    const size_t count = job->begin[job->tags];
    if (!b->observed && (kind == REQUESTS || !b->layout.kind))
        return NP_OK;
    b->relay.name = name[kind];
    b->relay.run = b->batches++;
    b->relay.phase = kind == REQUESTS ? 0 : NP_MOVES_PHASE;
    *phase = (np_event_phase){.name = "route",
                              .network = b->network,
                              .packets = (np_packet)(kind == REQUESTS ? 2 * count : count),
                              .leveled = b->network ? NULL : &b->alone};
    np_status st = number_packets(b, kind, count);
    job->observer = &b->relay.observer;
    job->phase = phase;
    job->number = b->number;
    job->copies = (np_packet)count;
    return st;
}

static unsigned workers(butterfly *b)
{
    unsigned worth = np_ranade_worth(b->machine.n), most = worth > 1 ? np_team_threads(&b->team) : 1;
    return worth < most ? worth : most;
}

/* Sends one batch through the network: the tags, whose modules and processors are filled in. */
static np_status send(butterfly *b, batch_kind kind, uint64_t steps_max, np_batch_cost *cost, np_ranade_run *out)
{
    np_event_phase phase = {0};
    np_ranade_job job = {.tags = b->tags.groups,
                         .module = b->tags.module,
                         .begin = b->tags.begin,
                         .processor = b->tags.processor,
                         .workers = workers(b),
                         .steps_max = steps_max,
                         .leveled = b->leveled,
                         .physical = b->physical};
    np_status st = observe(b, kind, &phase, &job);
    if (st || (st = np_ranade_send(b->ranade, &job, NULL, out)))
        return st;
    const np_phase_run told = {.packets = phase.packets, .steps = (np_step)out->told_steps, .hops = out->told_moves};
    if ((st = np_ranade_observe_end(b->ranade, &told)))
        return st;
    cost->network_steps += out->steps;
    cost->emulation_steps += b->physical ? out->physical_steps - out->steps : (EDGES_OF_A_LINK - 1) * out->steps;
    cost->queue_max = out->queue_max > cost->queue_max ? out->queue_max : cost->queue_max;
    return NP_OK;
}

/* The steps of a new table or function that are no routing. */
static uint64_t table_steps(const butterfly *b, bool function, bool table)
{
    uint64_t per_module = b->modules.table / b->machine.processors;
    return (function ? b->placement.coefficients + b->machine.n : 0) + (table ? per_module : 0) + per_module +
           b->machine.n;
}

/* The processors evaluate the hash function at a cell each; the tags hold the cells and the processors. */
static np_status evaluate(np_evaluation *evaluation, const butterfly *b, np_address x, uint32_t processor)
{
    uint64_t hash = np_evaluation_run(evaluation, &b->placement, x, processor);
    if (hash % b->modules.table == b->modules.place[x])
        return NP_OK;
    return NP_RAISE(NP_ERROR_INTERNAL, "row %u finds place %llu of cell %llu, which is at %u", processor / b->machine.n,
                    (unsigned long long)(hash % b->modules.table), (unsigned long long)x, b->modules.place[x]);
}

static np_status evaluate_cells(butterfly *b, size_t count, np_batch_cost *cost)
{
    np_status st = NP_OK;
    if (!b->layout.kind)
        return NP_OK;
    np_evaluation_begin(&b->evaluation);
    for (size_t i = 0; i < count && !st; i++)
        st = evaluate(&b->evaluation, b, (uint32_t)(b->tags.item[i].key >> 2), b->tags.item[i].index);
    cost->network_steps += np_evaluation_end(&b->evaluation);
    return st;
}

/* Moves or announces all cells of one batch to their modules; the tags hold each cell and its sending processor. */
static np_status route_cells(butterfly *b, batch_kind kind, size_t count, np_batch_cost *cost)
{
    np_ranade_run run;
    np_tags *tags = &b->tags;
    np_status st = evaluate_cells(b, count, cost);
    if (st)
        return st;
    np_tags_sort(tags, count);
    for (uint32_t k = 0; k < tags->groups; k++)
        tags->module[k] =
            np_modules_of(&b->modules, (uint32_t)(tags->item[tags->begin[k]].key >> 2)); /* a tag's address, 32 bits */
    for (size_t i = 0; i < count; i++)
        tags->processor[i] = tags->item[i].index;
    if (b->layout.kind && (st = np_settlement_send(&b->settlement, count, kind == MOVES)))
        return st;
    st = send(b, kind, 0, cost, &run);
    np_settlement_arrive(&b->settlement);
    return st;
}

static inline np_tag_item cell_item(const butterfly *b, uint64_t cell, uint32_t from)
{
    return (np_tag_item){np_tag_of(b->order, np_modules_of(&b->modules, cell), cell, 0), from};
}

/* All cells from `first` on have new places: a processor announces each of them. */
static np_status announce(butterfly *b, uint64_t first, np_batch_cost *cost)
{
    uint64_t at_once = (uint64_t)b->machine.processors * NP_REHASH_AT_ONCE;
    np_status st = NP_OK;
    for (uint64_t x = first; x < b->modules.cells && !st; x += at_once) {
        uint64_t left = b->modules.cells - x;
        size_t count = (size_t)(left < at_once ? left : at_once);
        uint32_t share = np_machine_requests_each(count, b->machine.processors);
        if ((st = np_tags_reserve(&b->tags, count)))
            return st;
        for (size_t i = 0; i < count; i++)
            b->tags.item[i] = cell_item(b, x + i, (uint32_t)(i / share));
        st = route_cells(b, ANNOUNCEMENTS, count, cost);
    }
    return st;
}

static np_status grow(np_machine *machine, uint64_t cells, np_batch_cost *cost)
{
    butterfly *b = (butterfly *)machine;
    bool function = !b->modules.cells;
    uint64_t before = cost->network_steps, table = b->modules.table, first;
    np_status st = b->layout.kind ? np_settlement_begin(&b->settlement, cells) : NP_OK;
    if (st || (st = np_modules_grow(&b->modules, &b->placement, cells, &first)))
        return st;
    if (b->layout.kind)
        np_settlement_keep(&b->settlement, first);
    if ((st = announce(b, first, cost)) || (b->layout.kind && (st = np_settlement_end(&b->settlement))))
        return st;
    cost->network_steps += table_steps(b, function, b->modules.table != table);
    cost->initialisation_steps += cost->network_steps - before;
    return NP_OK;
}

/* The number of the processor at the module's node. */
static uint32_t processor_at(const butterfly *b, uint32_t module)
{
    return (module & ((1U << b->machine.n) - 1)) * b->machine.n + (module >> b->machine.n);
}

static np_status move(np_machine *machine, const np_rehash_move *move, size_t count, np_batch_cost *cost)
{
    butterfly *b = (butterfly *)machine;
    np_status st = np_tags_reserve(&b->tags, count);
    if (st)
        return st;
    for (size_t i = 0; i < count; i++)
        b->tags.item[i] = cell_item(b, move[i].cell, processor_at(b, move[i].holder));
    return route_cells(b, MOVES, count, cost);
}

/* With a layout a cell is where its pair is, which can be in any module of the row. */
static uint32_t module_of(const np_machine *machine, uint32_t cell)
{
    const butterfly *b = of(machine);
    uint32_t module = np_modules_of(&b->modules, cell);
    uint64_t probes = 0;
    if (b->layout.kind)
        np_pairs_find(&b->layout, cell, &module, &probes);
    return module;
}

static np_status draw(np_machine *machine)
{
    butterfly *b = (butterfly *)machine;
    np_status st = b->layout.kind ? np_settlement_begin(&b->settlement, b->modules.cells) : NP_OK;
    np_placement_draw(&b->placement);
    np_modules_place(&b->modules, &b->placement);
    return st;
}

static np_status settle(np_machine *machine)
{
    butterfly *b = (butterfly *)machine;
    return b->layout.kind ? np_settlement_end(&b->settlement) : NP_OK;
}

static uint64_t rehash_steps(const np_machine *machine) { return table_steps(of(machine), true, true); }

static void sort_requests(butterfly *b)
{
    np_tags *tags = &b->tags;
    const np_request *request = b->request;
    uint32_t share = np_machine_requests_each(b->count, b->senders);
    for (size_t i = 0; i < b->count; i++) {
        np_address x = request[i].address;
        tags->item[i] =
            (np_tag_item){np_tag_of(b->order, np_modules_of(&b->modules, x), x, request[i].kind), (uint32_t)i};
    }
    np_tags_sort(tags, b->count);
    for (uint32_t k = 0; k < tags->groups; k++)
        tags->module[k] = np_modules_of(&b->modules, request[tags->item[tags->begin[k]].index].address);
    for (size_t i = 0; i < b->count; i++)
        tags->processor[i] = tags->item[i].index / share;
}

/* Is the request, by its place in the order of tags, of the processor and the tag of the one before? */
static bool joins_own(const np_tags *tags, uint32_t k, uint32_t i)
{
    return i > tags->begin[k] && tags->processor[i] == tags->processor[i - 1];
}

/* The values of the requests set out: <c, r> sends and takes at columns c and 6n - c, module <c', r'> is at 2n + c'. */
static np_status carry(butterfly *b)
{
    const np_tags *tags = &b->tags;
    const uint32_t n = b->machine.n;
    np_status st = np_carry_begin(&b->carry, b->request, b->count);
    for (uint32_t k = 0; k < tags->groups && !st; k++)
        for (uint32_t i = tags->begin[k], message = 0; i < tags->begin[k + 1]; i++) {
            const uint32_t request = tags->item[i].index, p = tags->processor[i];
            b->carry.home[request] = ((6 * n - p % n) << n) + p / n;
            b->carry.module[request] = (2 * n << n) + tags->module[k];
            if (joins_own(tags, k, i))
                np_carry_join_own(&b->carry, request, message);
            else
                message = request;
        }
    return st;
}

/* Every processor needs the places of its requests' cells. */
static np_status evaluate_requests(butterfly *b, np_batch_cost *cost)
{
    uint32_t share = np_machine_requests_each(b->count, b->senders);
    np_status st = NP_OK;
    if (!b->layout.kind)
        return NP_OK;
    np_evaluation_begin(&b->evaluation);
    for (size_t i = 0; i < b->count && !st; i++)
        st = evaluate(&b->evaluation, b, b->request[i].address, (uint32_t)i / share);
    cost->network_steps += np_evaluation_end(&b->evaluation);
    return st;
}

static void layout_slowest(void *object, np_arena *arena)
{
    np_slowest *s = object;
    np_arena_array(arena, &s->key, s->groups, sizeof *s->key, "the slowest batch");
    np_arena_array(arena, &s->module, s->groups, sizeof *s->module, "the slowest batch");
    np_arena_array(arena, &s->begin, (size_t)s->groups + 1, sizeof *s->begin, "the slowest batch");
    np_arena_array(arena, &s->processor, s->count, sizeof *s->processor, "the slowest batch");
}

/* Notes that a batch took `steps` steps, and copies it if it is the slowest. After an error no batch is kept. */
static np_status note_slowest(np_slowest *s, const np_tags *tags, uint64_t steps)
{
    size_t groups = tags->groups, count = tags->begin[groups];
    if (steps <= s->steps)
        return NP_OK;
    s->steps = 0;
    s->groups = (uint32_t)groups;
    s->count = count;
    np_status st = np_arena_renew(s, layout_slowest, "the slowest batch", &s->block, &s->block_bytes);
    if (st)
        return st;
    for (size_t k = 0; k < groups; k++)
        s->key[k] = tags->item[tags->begin[k]].key;
    memcpy(s->module, tags->module, groups * sizeof *s->module);
    memcpy(s->begin, tags->begin, (groups + 1) * sizeof *s->begin);
    memcpy(s->processor, tags->processor, count * sizeof *s->processor);
    s->steps = steps;
    return NP_OK;
}

static np_status attempt(np_machine *machine, uint64_t steps_max, np_batch_cost *cost, bool *done)
{
    butterfly *b = (butterfly *)machine;
    np_status st = np_tags_reserve(&b->tags, b->count);
    if (!st)
        st = evaluate_requests(b, cost);
    if (st)
        return st;
    sort_requests(b);
    if ((b->carries && (st = carry(b))) || (st = send(b, REQUESTS, steps_max, cost, &b->run)))
        return st;
    b->carry.on = false;
    cost->ghosts += b->run.ghosts;
    *done = !b->run.abandoned;
    return *done ? note_slowest(&b->slowest, &b->tags, b->run.steps) : NP_OK;
}

static const np_rehash_ops rehash_ops = {
    .attempt = attempt,
    .module_of = module_of,
    .draw = draw,
    .move = move,
    .settle = settle,
    .local_steps = rehash_steps,
};

static np_status serve(np_machine *machine, np_store *store, const np_request *request, size_t count, np_word *reply,
                       np_batch_cost *cost)
{
    butterfly *b = (butterfly *)machine;
    b->request = request;
    b->count = count;
    np_status st = np_rehash_deliver(&b->rehash, machine, b->modules.cells, cost);
    if (st)
        return st;
    if (!b->carries)
        np_tags_serve(&b->tags, store, b->rule, request, reply);
    else if ((st = np_carry_answer(&b->carry, store, reply)))
        return st;
    if (b->layout.missed != NP_NO_CELL)
        return NP_RAISE(NP_ERROR_INTERNAL, "no memory of its row has cell %llu", (unsigned long long)b->layout.missed);
    cost->requests += count;
    cost->combined += b->run.combined;
    cost->replies += b->run.replies;
    cost->slowest = b->slowest.steps;
    cost->module_load_max = b->run.module_max > cost->module_load_max ? b->run.module_max : cost->module_load_max;
    b->modules.searched += (uint64_t)b->tags.groups * b->modules.search * b->machine.n;
    return NP_OK;
}

/* ---- The words, if a layout keeps them ---- */

/* Never NULL: a cell that is missed reads as 0 until the batch ends, with an error. */
static np_word *find(void *keeper, np_address x, bool message)
{
    np_pairs *layout = keeper;
    uint64_t probes = 0;
    uint32_t module;
    np_word *word = message ? np_pairs_search(layout, x) : np_pairs_find(layout, x, &module, &probes);
    if (word)
        return word;
    layout->missed = x;
    return &layout->none;
}

static void keep(np_machine *machine, np_store *store)
{
    store->find = find;
    store->keeper = &((butterfly *)machine)->layout;
}

static void put(np_machine *machine, np_address base, uint64_t count, const np_word *value)
{
    np_pairs *layout = &((butterfly *)machine)->layout;
    for (uint64_t i = 0; i < count && layout->kind; i++)
        *find(layout, base + i, false) = value[i];
}

static void get(const np_machine *machine, np_address base, uint64_t count, np_word *value)
{
    uint64_t probes = 0;
    uint32_t module;
    const np_pairs *layout = &of(machine)->layout;
    for (uint64_t i = 0; i < count && layout->kind; i++) {
        const np_word *word = np_pairs_find(layout, base + i, &module, &probes);
        value[i] = word ? *word : 0;
    }
}

static void measure(const np_machine *machine, np_pram_report *out)
{
    const np_modules *m = &of(machine)->modules;
    np_placement_measure(&of(machine)->placement, m->rows, m->row_cells, m->cells, out);
}

static np_status memory(const np_machine *machine, np_pram_memory *out)
{
    const butterfly *b = of(machine);
    const uint32_t zeta = b->placement.coefficients;
    np_status st = np_modules_account_of(&b->modules, out);
    if (st)
        return st;
    if (zeta) {
        out->place_cells_bound = np_bound_crowd(out->cells, out->places, zeta, NP_PRAM_BOUND_AT);
        out->row_cells_bound = np_bound_crowd(out->cells, out->rows, zeta, NP_PRAM_BOUND_AT);
    }
    if (!b->layout.kind)
        return NP_OK;
    out->probes_bound =
        b->layout.kind == NP_LAYOUT_PRELIMINARY ? (uint64_t)b->modules.search * b->machine.n : out->place_cells_bound;
    out->layout = b->layout.kind;
    out->searches = b->layout.searches;
    out->probes = b->layout.probes;
    out->probes_max = b->layout.probes_max;
    out->evaluation_steps = b->evaluation.steps;
    return NP_OK;
}

const np_machine_ops np_machine_butterfly = {
    .info = {"butterfly", "n 2^n processors and modules on a butterfly: six phases, merged streams, ghosts, combining",
             "Ranade 1987b", .parameters = "n", .example = "butterfly:3",
             .takes = "slack, queue_size, map, zeta, order, allotted, physical, carry_values, memory_layout, threads"},
    .create = create,
    .free = destroy,
    .measure = measure,
    .memory = memory,
    .serve = serve,
    .grow = grow,
    .slowest = slowest,
    .observed = true,
    .put = put,
    .get = get,
    .keep = keep,
};
