/* See network_machine.h. */
#include "pram/network_machine.h"

#include <string.h>

#include "base/memory.h"
#include "base/status.h"

enum { AT_ONCE = 256, EFFORT = 10000000, ZETA_PER_BIT = 8 };

static uint32_t bits_of(uint32_t x)
{
    uint32_t bits = 0;
    while (UINT64_C(1) << bits < x)
        bits++;
    return bits ? bits : 1;
}

/* By formula, or by search where none is known and it does not take long; else, as on most networks, about the
 * logarithm. */
static np_status find_diameter(np_network_machine *m)
{
    np_network_facts facts;
    np_status st = np_network_measure(m->network, 0, &facts);
    if (!st && !facts.diameter.has_formula)
        st = np_network_measure(m->network, EFFORT, &facts);
    if (st)
        return st;
    if (facts.diameter.has_formula)
        m->n = (uint32_t)facts.diameter.formula;
    else
        m->n = facts.diameter.measured_known ? (uint32_t)facts.diameter.measured : bits_of(m->terminals);
    return NP_OK;
}

np_status np_network_machine_init(np_network_machine *m, const np_machine_ops *ops, const char *network,
                                  const np_pram_options *options, const char *example)
{
    np_status st;
    m->machine.ops = ops;
    m->rule = options->rule;
    m->seed = options->seed;
    m->slack = options->slack;
    if (!*network)
        return NP_RAISE(NP_ERROR_INPUT, "%s: a network is needed: try %s", ops->name, example);
    if ((st = np_network_create(network, &m->network)))
        return st;
    m->terminals = np_network_terminals(m->network);
    uint32_t zeta = options->zeta ? options->zeta : ZETA_PER_BIT * bits_of(m->terminals);
    if ((st = find_diameter(m)) ||
        (st = np_memory_zeroed(&m->held, m->terminals, sizeof *m->held, "the modules of a machine")) ||
        (st = np_memory_zeroed(&m->load, m->terminals, sizeof *m->load, "the modules of a machine")))
        return st;
    return np_placement_init(&m->placement, options->map, m->terminals, zeta, options->seed);
}

void np_network_machine_clear(np_network_machine *m)
{
    void *owned[] = {m->module, m->held, m->mover, m->source, m->destination, m->load};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        np_memory_free(owned[i]);
    np_placement_clear(&m->placement);
    np_network_free(m->network);
}

static const np_network_machine *of(const np_machine *machine) { return (const np_network_machine *)machine; }

np_processor np_network_machine_processors(const np_machine *machine) { return of(machine)->terminals; }
uint64_t np_network_machine_modules(const np_machine *machine) { return of(machine)->terminals; }
uint32_t np_network_machine_n(const np_machine *machine) { return of(machine)->n; }

void np_network_machine_measure(const np_machine *machine, np_pram_report *out)
{
    const np_network_machine *m = of(machine);
    for (uint32_t i = 0; i < m->terminals; i++)
        if (m->held[i] > out->row_cells_max)
            out->row_cells_max = m->held[i];
    out->row_cells_mean = (m->cells + m->terminals - 1) / m->terminals;
    out->bad_stride = np_placement_bad_stride(&m->placement);
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

np_status np_network_machine_grow(np_machine *machine, uint64_t cells, np_batch_cost *cost)
{
    np_network_machine *m = (np_network_machine *)machine;
    if (cells >= UINT32_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "%llu cells on %s: at most %u", (unsigned long long)cells,
                        np_network_spec(m->network), UINT32_MAX - 1);
    if (cells > m->room) {
        uint64_t room = m->room + m->room / 2 > cells ? m->room + m->room / 2 : cells;
        np_status st = np_memory_grow(&m->module, m->cells, room, sizeof *m->module, "the modules of cells");
        if (st)
            return st;
        m->room = room;
    }
    if (!m->cells && cells && m->placement.coefficients) {
        cost->network_steps += m->placement.coefficients + m->n;
        cost->initialisation_steps += m->placement.coefficients + m->n;
    }
    place(m, cells);
    return NP_OK;
}

static np_status reserve(np_network_machine *m, size_t count)
{
    np_status st;
    if (count <= m->packets_room)
        return NP_OK;
    m->packets_room = 0;
    if ((st = np_memory_grow(&m->mover, 0, count, sizeof *m->mover, "the packets of a batch")) ||
        (st = np_memory_grow(&m->source, 0, count, sizeof *m->source, "the packets of a batch")) ||
        (st = np_memory_grow(&m->destination, 0, count, sizeof *m->destination, "the packets of a batch")))
        return st;
    m->packets_room = count;
    return NP_OK;
}

np_status np_network_machine_begin(np_network_machine *m, const np_request *request, size_t count)
{
    np_status st = reserve(m, count);
    if (st)
        return st;
    m->batches++;
    m->packets = 0;
    for (size_t i = 0; i < count; i++) {
        np_node from = np_network_input(m->network, (np_node)(i / m->slack));
        np_node to = np_network_output(m->network, m->module[request[i].address]);
        if (from == to)
            continue;
        m->mover[m->packets] = (uint32_t)i;
        m->source[m->packets] = from;
        m->destination[m->packets++] = to;
    }
    return NP_OK;
}

np_status np_network_machine_traffic(const np_network_machine *m, bool back, np_traffic **out)
{
    return np_traffic_from_arrays(m->network, m->packets, back ? m->destination : m->source,
                                  back ? m->source : m->destination, NULL, out);
}

uint32_t np_network_machine_load(np_network_machine *m, const np_request *request, size_t count, const uint8_t *gone)
{
    uint32_t most = 0;
    memset(m->load, 0, m->terminals * sizeof *m->load);
    for (size_t i = 0, packet = 0; i < count; i++) {
        bool moves = packet < m->packets && m->mover[packet] == i;
        if (moves && gone && gone[packet++])
            continue;
        uint32_t load = ++m->load[m->module[request[i].address]];
        most = load > most ? load : most;
    }
    return most;
}
