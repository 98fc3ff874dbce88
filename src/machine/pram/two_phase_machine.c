/*
 * The machine two-phase:hypercube:n, for contrast: requests and replies by two-phase routing with
 * unbounded queues (Valiant & Brebner 1981, section 4: CUBES), and no combining. Every request
 * comes to its module by itself; if many requests ask for one cell, they come one after the other.
 *
 * Requests for the processor's own module do not move. The scheme `cubes` routes the other
 * requests, in two phases. When all have come and are answered, it routes the replies in the same
 * way, through random nodes of their own.
 *
 * Charges: the four phases, each until its last packet has arrived, and the module load: a module
 * answers one request a step, and we let none start before all have come. queue_max is of unbounded
 * queues: options.queue_size has no effect.
 *
 * New hash functions (rehash.h) are drawn only if options.allotted is set. If many requests ask for
 * one cell, no function helps: the batch would overrun its time with every function, and would move
 * all cells again and again.
 */
#include "netpram/route.h"
#include "machine/pram/network_machine.h"

enum { THERE, BACK };

static const char scheme[] = "cubes";

static np_status pass(np_network_machine *m, np_network_pass *out)
{
    np_status st = NP_OK;
    for (unsigned way = THERE; way <= BACK && !st; way++) {
        const np_observer *observer = np_network_machine_observer(m, way == BACK);
        const np_node *source = way == BACK ? m->destination : m->source;
        const np_node *destination = way == BACK ? m->source : m->destination;
        if (m->packets)
            st = np_network_machine_route(m, scheme, way, 0, m->packets, source, destination, observer);
        if (m->carry.on && way == THERE)
            np_carry_turn(&m->carry);
    }
    out->load = np_network_machine_load(m, NULL);
    out->steps += out->load;
    return st;
}

static void answer(np_network_machine *m, np_store *store, np_word *reply)
{
    for (size_t i = 0; i < m->count; i++)
        reply[i] = np_store_serve(store, &m->request[i]);
}

static np_status set_up(np_network_machine *m, const char *network, const np_pram_options *options)
{
    if (np_scheme_applies(scheme, m->network))
        return NP_RAISE(NP_ERROR_APPLY,
                        "two-phase:%s: it crosses the dimensions of a hypercube: try two-phase:hypercube:8", network);
    if (!options->allotted)
        m->rehash.allotted = 0;
    return NP_OK;
}

static const np_network_ways ways = {
    .bytes = sizeof(np_network_machine),
    .example = "two-phase:hypercube:8",
    .set_up = set_up,
    .pass = pass,
    .answer = answer,
};

static np_status create(const char *parameters, const np_pram_options *options, np_machine **out)
{
    return np_network_machine_create(&ways, parameters, options, out);
}

const np_machine_ops np_machine_two_phase = {
    .info = {"two-phase",
             "a processor and a module at every node of a hypercube, unbounded queues; no combining, for contrast",
             "Valiant & Brebner 1981", .parameters = "hypercube:n", .example = "two-phase:hypercube:3",
             .takes = "slack, map, zeta, allotted, carry_values"},
    .create = create,
    .free = np_network_machine_free,
    .measure = np_network_machine_measure,
    .serve = np_network_machine_serve,
    .grow = np_network_machine_grow,
    .observed = true,
};
