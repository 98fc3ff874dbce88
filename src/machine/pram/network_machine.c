/* See network_machine.h. */
#include "machine/pram/network_machine.h"

#include <string.h>

#include "base/arena.h"
#include "base/room.h"
#include "model/network/attributes.h"
#include "model/network/facts.h"
#include "netpram/route.h"

enum { AT_ONCE = 256, EFFORT = 10000000, COEFFICIENTS_PER_BIT = 8 };

static uint32_t bits_of(uint32_t x)
{
    uint32_t bits = 0;
    while (UINT64_C(1) << bits < x)
        bits++;
    return bits ? bits : 1;
}

/*
 * The diameter by formula, or by search if no formula is known and the search is short; else about
 * the logarithm of the number of terminals, as on most networks.
 */
static np_status find_diameter(np_network_machine *m)
{
    np_network_facts facts;
    np_status st = np_network_measure_distances(m->network, 0, &facts);
    if (!st && !facts.diameter.has_formula)
        st = np_network_measure_distances(m->network, EFFORT, &facts);
    if (st)
        return st;
    if (facts.diameter.has_formula)
        m->machine.n = (uint32_t)facts.diameter.formula;
    else
        m->machine.n = facts.diameter.measured_known ? (uint32_t)facts.diameter.measured : bits_of(m->terminals);
    return NP_OK;
}

static const np_rehash_ops rehash_ops;

static np_status set_up(np_network_machine *m, const char *network, const np_pram_options *options)
{
    const char *example = m->ways->example;
    np_status st;
    m->rule = options->rule;
    m->seed = options->seed;
    m->carries = options->carry_values;
    m->observed = options->observer || m->carries;
    np_carry_init(&m->carry, options->observer, m->rule, false);
    np_event_relay_init(&m->relay, m->carries ? &m->carry.observer : options->observer);
    if (!*network)
        return NP_RAISE(NP_ERROR_INPUT, "%.*s: a network is needed: try %s", (int)strcspn(example, ":"), example,
                        example);
    if ((st = np_network_create(network, &m->network)) || (st = np_attributes_heeded(m->network, "a machine", 0)))
        return st;
    m->terminals = np_network_terminals(m->network);
    m->machine.processors = m->terminals;
    m->machine.modules = m->terminals;
    m->senders = np_machine_senders(options, m->terminals);
    if ((st = find_diameter(m)) ||
        (st = np_memory_zeroed(&m->held, m->terminals, sizeof *m->held, "the modules of a machine")) ||
        (st = np_memory_zeroed(&m->load, m->terminals, sizeof *m->load, "the modules of a machine")))
        return st;
    m->rehash = np_rehash_of(&rehash_ops, options, m->machine.n, m->terminals);
    return np_placement_init(&m->placement, options->map, m->terminals,
                             options->hash_coefficients ? options->hash_coefficients
                                                        : COEFFICIENTS_PER_BIT * bits_of(m->terminals),
                             options->seed);
}

void np_network_machine_free(np_machine *machine)
{
    np_network_machine *m = (np_network_machine *)machine;
    if (!m)
        return;
    if (m->ways->clear)
        m->ways->clear(m);
    NP_MEMORY_FREE(m->module, m->held, m->load, m->batch, m->move);
    np_placement_clear(&m->placement);
    np_carry_clear(&m->carry);
    np_network_free(m->network);
    np_memory_free(m);
}

np_status np_network_machine_create(const np_network_ways *ways, const char *network, const np_pram_options *options,
                                    np_machine **out)
{
    np_network_machine *m;
    *out = NULL;
    np_status st = np_memory_zeroed(&m, 1, ways->bytes, "a machine");
    if (st)
        return st;
    m->ways = ways;
    if ((st = set_up(m, network, options)) || (st = ways->set_up(m, network, options))) {
        np_network_machine_free(&m->machine);
        return st;
    }
    *out = &m->machine;
    return NP_OK;
}

static const np_network_machine *of(const np_machine *machine) { return (const np_network_machine *)machine; }

void np_network_machine_measure(const np_machine *machine, np_pram_report *out)
{
    const np_network_machine *m = of(machine);
    np_placement_measure(&m->placement, m->terminals, m->held, m->cells, out);
}

/* Places cells m->cells .. cells-1. */
static void place(np_network_machine *m, uint64_t cells)
{
    uint64_t hash[AT_ONCE];
    while (m->cells < cells) {
        uint64_t left = cells - m->cells;
        size_t count = left < AT_ONCE ? (size_t)left : AT_ONCE;
        np_placement_run(&m->placement, m->cells, count, hash);
        for (size_t i = 0; i < count; i++) {
            uint32_t module = (uint32_t)(hash[i] % m->terminals);
            m->module[m->cells + i] = module;
            m->held[module]++;
        }
        m->cells += count;
    }
}

static uint64_t function_steps(const np_machine *machine)
{
    const np_network_machine *m = of(machine);
    return m->placement.coefficients ? m->placement.coefficients + m->machine.n : 0;
}

np_status np_network_machine_grow(np_machine *machine, uint64_t cells, np_batch_cost *cost)
{
    np_network_machine *m = (np_network_machine *)machine;
    np_status st;
    if (cells >= UINT32_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "%llu cells on %s: at most %u", (unsigned long long)cells,
                        np_network_spec(m->network), UINT32_MAX - 1);
    if ((st = np_memory_need(&m->module, m->cells, cells, &m->room, sizeof *m->module, "the modules of cells")))
        return st;
    if (!m->cells && cells) {
        cost->network_steps += function_steps(machine);
        cost->initialisation_steps += function_steps(machine);
    }
    place(m, cells);
    return NP_OK;
}

static void layout(void *object, np_arena *arena)
{
    static const char what[] = "the packets of a batch";
    np_network_machine *m = object;
    NP_ARENA_WORDS(arena, m->batch_room, what, &m->from, &m->mover, &m->source, &m->destination);
}

static np_status reserve(np_network_machine *m, size_t count)
{
    return np_arena_need(m, layout, "the packets of a batch", &m->batch, &m->batch_bytes, &m->batch_room, count);
}

/* The batch at hand as packets. */
static void set_packets(np_network_machine *m)
{
    m->batches++;
    m->packets = 0;
    for (size_t i = 0; i < m->count; i++) {
        np_node from = np_network_input(m->network, m->from[i]);
        np_node to = np_network_output(m->network, m->module[m->request[i].address]);
        if (from == to)
            continue;
        m->mover[m->packets] = (uint32_t)i;
        m->source[m->packets] = from;
        m->destination[m->packets++] = to;
    }
}

/* Moves the packets of the batch at hand there and the replies back. */
static np_status pass(np_network_machine *m)
{
    set_packets(m);
    m->relay.run = m->batches - 1;
    m->relay.phase = m->request == m->move ? NP_MOVES_PHASE : 0;
    m->done = (np_network_pass){0};
    np_status st = m->ways->pass(m, &m->done);
    if (!m->done.physical)
        m->done.physical = m->done.steps;
    return st;
}

static void charge(const np_network_machine *m, np_batch_cost *cost)
{
    cost->network_steps += m->done.steps;
    cost->emulation_steps += m->done.physical - m->done.steps;
    cost->queue_max = m->done.queue_max > cost->queue_max ? m->done.queue_max : cost->queue_max;
}

/* Charges the steps that the batch was allotted, and as large a part of the physical ones. */
static void give_up(const np_network_machine *m, uint64_t steps, np_batch_cost *cost)
{
    cost->network_steps += steps;
    cost->emulation_steps += (m->done.physical - m->done.steps) * steps / m->done.steps;
}

/* Makes the requests the batch at hand. */
static np_status set_requests(np_network_machine *m)
{
    uint32_t share = np_machine_requests_each(m->asks, m->senders);
    np_status st = reserve(m, m->asks);
    if (st)
        return st;
    m->request = m->asked;
    m->count = m->asks;
    for (size_t i = 0; i < m->count; i++)
        m->from[i] = (uint32_t)(i / share);
    return NP_OK;
}

/* The values of the requests set out. */
static np_status carry(np_network_machine *m)
{
    np_status st = m->carries ? np_carry_begin(&m->carry, m->request, m->count) : NP_OK;
    m->carry.request_of = m->mover;
    for (size_t i = 0; i < m->count && m->carries && !st; i++) {
        m->carry.home[i] = np_network_input(m->network, m->from[i]);
        m->carry.module[i] = np_network_output(m->network, m->module[m->request[i].address]);
    }
    return st;
}

static np_status attempt(np_machine *machine, uint64_t steps_max, np_batch_cost *cost, bool *done)
{
    np_network_machine *m = (np_network_machine *)machine;
    np_status st;
    if ((st = set_requests(m)) || (st = carry(m)) || (st = pass(m)))
        return st;
    m->carry.on = false;
    *done = !steps_max || m->done.steps <= steps_max;
    if (*done)
        charge(m, cost);
    else
        give_up(m, steps_max, cost);
    return NP_OK;
}

static uint32_t module_of(const np_machine *machine, uint32_t cell) { return of(machine)->module[cell]; }

static np_status draw(np_machine *machine)
{
    np_network_machine *m = (np_network_machine *)machine;
    uint64_t cells = m->cells;
    np_placement_draw(&m->placement);
    memset(m->held, 0, m->terminals * sizeof *m->held);
    m->cells = 0;
    place(m, cells);
    return NP_OK;
}

/* The steps along the rows from outputs, where modules are, to inputs, where packets start. */
static uint64_t steps_to_inputs(const np_network_machine *m)
{
    bool apart = np_network_input(m->network, 0) != np_network_output(m->network, 0);
    return apart ? m->machine.n + NP_REHASH_AT_ONCE - 1 : 0;
}

/* Makes the cells that change their module the batch at hand. */
static np_status set_moves(np_network_machine *m, const np_rehash_move *move, size_t count)
{
    np_status st;
    if ((st = reserve(m, count)) ||
        (st = np_memory_need(&m->move, 0, count, &m->moves_room, sizeof *m->move, "cells to move")))
        return st;
    m->request = m->move;
    m->count = 0;
    for (size_t i = 0; i < count; i++)
        if (m->module[move[i].cell] != move[i].holder) {
            m->from[m->count] = move[i].holder;
            m->move[m->count++] = (np_request){.address = move[i].cell};
        }
    return NP_OK;
}

static np_status move(np_machine *machine, const np_rehash_move *move, size_t count, np_batch_cost *cost)
{
    np_network_machine *m = (np_network_machine *)machine;
    np_status st = set_moves(m, move, count);
    if (st || !m->count)
        return st;
    if ((st = pass(m)))
        return st;
    charge(m, cost);
    cost->network_steps += steps_to_inputs(m);
    return NP_OK;
}

static const np_rehash_ops rehash_ops = {
    .attempt = attempt,
    .module_of = module_of,
    .draw = draw,
    .move = move,
    .local_steps = function_steps,
};

np_status np_network_machine_serve(np_machine *machine, np_store *store, const np_request *request, size_t count,
                                   np_word *reply, np_batch_cost *cost)
{
    np_network_machine *m = (np_network_machine *)machine;
    m->asked = request;
    m->asks = count;
    np_status st = np_rehash_deliver(&m->rehash, machine, m->cells, cost);
    if (st)
        return st;
    if (!m->carries)
        m->ways->answer(m, store, reply);
    else if ((st = np_carry_answer(&m->carry, store, reply)))
        return st;
    cost->requests += count;
    cost->replies += count;
    cost->combined += m->done.combined;
    cost->ghosts += m->done.ghosts;
    cost->module_load_max = m->done.load > cost->module_load_max ? m->done.load : cost->module_load_max;
    return NP_OK;
}

const np_observer *np_network_machine_observer(np_network_machine *m, bool back)
{
    m->relay.name = back ? "replies" : m->request == m->move ? "moves" : "requests";
    return m->observed ? &m->relay.observer : NULL;
}

np_status np_network_machine_route(np_network_machine *m, const char *scheme, uint32_t a, uint32_t b, size_t packets,
                                   const np_node *source, const np_node *destination, const np_observer *observer)
{
    const np_draws draws = {.seed = m->seed, .run = m->batches, .purpose = NP_RANDOM_TARGET};
    np_route_options options;
    np_route_result *result;
    np_traffic *traffic;
    np_route_options_init(&options);
    options.scheme = scheme;
    options.threads = 1;
    options.observer = observer;
    options.seed = np_random_u64(&draws, a, b);
    np_status st = np_traffic_from_arrays(m->network, packets, source, destination, NULL, &traffic);
    if (st)
        return st;
    st = np_route_traffic(m->network, traffic, &options, &result);
    np_traffic_free(traffic);
    if (st)
        return st;
    for (size_t phase = 0; phase < result->phases; phase++) {
        const np_phase_run *run = &result->phase[phase].run[0];
        m->done.steps += run->steps;
        m->done.queue_max = run->queue_max > m->done.queue_max ? run->queue_max : m->done.queue_max;
    }
    np_route_result_free(result);
    return NP_OK;
}

uint32_t np_network_machine_load(np_network_machine *m, const uint8_t *gone)
{
    uint32_t most = 0;
    memset(m->load, 0, m->terminals * sizeof *m->load);
    for (size_t i = 0, packet = 0; i < m->count; i++) {
        bool moves = packet < m->packets && m->mover[packet] == i;
        if (moves && gone && gone[packet++])
            continue;
        uint32_t load = ++m->load[m->module[m->request[i].address]];
        most = load > most ? load : most;
    }
    return most;
}
