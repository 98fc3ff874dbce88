/*
 * Constrained randomization (Ranade 1987a): x permutations of N = 2^n messages
 * through a Randomizer (an omega network of randomly set switches) to
 * intermediate destinations and on through a Router (an inverse omega network
 * with queues).
 *   constrained          A: the Randomizer, cycle by cycle; B: the Router
 *   total-randomization  A: to independent random terminals of the omega network,
 *                        with queues; B: the Router
 *   unrandomized         the Router alone: terminal i enters at its input i
 *
 * Queues are priority-based (section 6): the message of the largest set goes
 * first. netpram's priorities are more urgent when smaller, so set j has x-1-j.
 * Among messages of one set --queue decides: fifo, lifo or random (lots drawn as
 * messages enter). The other disciplines look at hops, which are equal in one
 * queue here, so they come to fifo.
 *
 * B begins when A has ended for all, as the paper assumes.
 */
#include "route/constrained.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "queueing/engine.h"
#include "network/omega.h"
#include "route/randomizer.h"
#include "route/scheme.h"

typedef enum scheme_kind { CONSTRAINED, TOTAL, NONE } scheme_kind;

typedef struct constrained {
    np_mover base;
    scheme_kind kind;
    const np_network *omega;
    np_network *inverse;
    np_path *through_omega, *through_inverse;
    const np_discipline *discipline;
    const char *queue;
    uint32_t permutations;
    bool same_traffic;

    np_message_sets sets;
    np_packet room;               /* messages that the arrays and engines hold */
    uint32_t *reached, *delay;    /* [room] */
    np_node *from, *to;           /* [room] for the engines */
    uint32_t *priority;           /* [room] */
    np_engine *randomize, *route; /* randomize: of TOTAL only */
    np_router_run *record;
} constrained;

static void free_arrays(constrained *c)
{
    np_memory_free(c->reached);
    np_memory_free(c->delay);
    np_memory_free(c->from);
    np_memory_free(c->to);
    np_memory_free(c->priority);
    np_engine_free(c->randomize);
    np_engine_free(c->route);
    c->reached = c->delay = c->from = c->to = c->priority = NULL;
    c->randomize = c->route = NULL;
    c->room = 0;
}

static void free_constrained(np_mover *mover)
{
    constrained *c = (constrained *)mover;
    free_arrays(c);
    np_message_sets_clear(&c->sets);
    np_path_free(c->through_omega);
    np_path_free(c->through_inverse);
    np_network_free(c->inverse);
    np_memory_free(c);
}

/* What orders messages of one set. */
static np_status find_discipline(constrained *c, const char *name)
{
    const np_discipline *among_equals;
    np_status st;
    if ((st = np_discipline_find(name ? name : "fifo", &among_equals)))
        return st;
    c->queue = among_equals->info.name;
    c->discipline = !strcmp(c->queue, "lifo")     ? &np_discipline_priority_lifo
                    : !strcmp(c->queue, "random") ? &np_discipline_priority_random
                                                  : &np_discipline_priority;
    return NP_OK;
}

static np_status make_networks(constrained *c)
{
    char spec[32];
    np_status st;
    snprintf(spec, sizeof spec, "inverse-omega:%u", c->omega->dimensions);
    if ((st = np_network_create(spec, &c->inverse)) || (st = np_path_create("unique", c->inverse, &c->through_inverse)))
        return st;
    return np_path_create("unique", c->omega, &c->through_omega);
}

static np_status create(const np_mover_ops *ops, scheme_kind kind, const np_network *network,
                        const np_route_options *options, np_mover **out)
{
    constrained *c;
    np_status st;
    if ((st = np_memory_zeroed(&c, 1, sizeof *c, "the scheme's tables")))
        return st;
    c->base.ops = ops;
    c->kind = kind;
    c->omega = network;
    c->permutations = options->permutations;
    c->same_traffic = options->same_traffic;
    if ((st = find_discipline(c, options->queue)) || (st = make_networks(c))) {
        free_constrained(&c->base);
        return st;
    }
    *out = &c->base;
    return NP_OK;
}

static np_status create_engine(const constrained *c, const np_network *network, const np_path *path, np_engine **out)
{
    np_engine_options options = {.network = network,
                                 .discipline = c->discipline,
                                 .packets = c->sets.messages,
                                 .workers = 1,
                                 .path = path,
                                 .watched = true};
    return np_engine_create(&options, out);
}

static np_status make_room(constrained *c)
{
    size_t messages = c->sets.messages;
    np_status st;
    if (c->room >= messages && c->route)
        return NP_OK;
    free_arrays(c);
    if ((st = np_memory_array(&c->reached, messages, sizeof *c->reached, "intermediate destinations")) ||
        (st = np_memory_array(&c->delay, messages, sizeof *c->delay, "delays")) ||
        (st = np_memory_array(&c->from, messages, sizeof *c->from, "the messages' ends")) ||
        (st = np_memory_array(&c->to, messages, sizeof *c->to, "the messages' ends")) ||
        (st = np_memory_array(&c->priority, messages, sizeof *c->priority, "priorities")))
        return st;
    c->room = (np_packet)messages;
    if (c->kind == TOTAL && (st = create_engine(c, c->omega, c->through_omega, &c->randomize)))
        return st;
    return create_engine(c, c->inverse, c->through_inverse, &c->route);
}

static void to_destination(const void *context, unsigned phase, const np_draws *draws, size_t count,
                           const np_packet *packet, const np_node *at, const np_node *destination, np_node *to)
{
    (void)context, (void)phase, (void)draws, (void)packet, (void)at;
    memcpy(to, destination, count * sizeof *to);
}

static void to_random_terminal(const void *context, unsigned phase, const np_draws *draws, size_t count,
                               const np_packet *packet, const np_node *at, const np_node *destination, np_node *to)
{
    const np_network *omega = context;
    (void)phase, (void)at, (void)destination;
    for (size_t i = 0; i < count; i++)
        to[i] = np_network_output(omega, np_random_below(draws, packet[i], 0, np_network_terminals(omega)));
}

/* A phase with queues. The messages' ends are in from and to. */
static np_status run_engine(constrained *c, np_engine *engine, const np_engine_plan *plan, unsigned phase,
                            const np_network *network, np_draws draws, const np_engine_watch *watch, np_phase_run *out)
{
    np_traffic *traffic;
    np_status st;
    for (np_packet m = 0; m < c->sets.messages; m++)
        c->priority[m] = c->sets.sets - 1 - c->sets.set[m];
    if ((st = np_traffic_from_arrays(network, c->sets.messages, c->from, c->to, c->priority, &traffic)))
        return st;
    np_engine_place(engine, traffic);
    st = np_engine_run(engine, plan, phase, draws, watch, out);
    np_traffic_free(traffic);
    return st;
}

/* Total randomization: independent targets, in queues. */
static np_status scatter(constrained *c, np_draws draws, np_phase_run *out)
{
    np_engine_plan plan = {.path = c->through_omega, .phases = 2, .targets = to_random_terminal, .context = c->omega};
    np_status st;
    for (np_packet m = 0; m < c->sets.messages; m++) {
        c->from[m] = np_network_input(c->omega, c->sets.source[m]);
        c->to[m] = np_network_output(c->omega, c->sets.destination[m]);
    }
    if ((st = run_engine(c, c->randomize, &plan, 0, c->omega, draws, NULL, out)))
        return st;
    for (np_packet m = 0; m < c->sets.messages; m++)
        c->reached[m] = np_engine_locations(c->randomize)[m] - c->omega->output_first;
    memcpy(c->delay, np_engine_delays(c->randomize), c->sets.messages * sizeof *c->delay);
    return NP_OK;
}

static void record_hops(void *context, np_step step, size_t count, const np_packet *packet, const np_link *link)
{
    np_router_run *run = context;
    for (size_t i = 0; i < count; i++)
        run->leave[(size_t)packet[i] * run->stages + (link[i] >> run->stages)] = step;
}

static np_status begin_record(constrained *c)
{
    np_status st;
    np_router_run_clear(c->record);
    if ((st = np_router_run_create(c->omega->dimensions, c->sets.sets, c->sets.messages, c->record)))
        return st;
    memcpy(c->record->from, c->reached, c->sets.messages * sizeof *c->reached);
    memcpy(c->record->destination, c->sets.destination, c->sets.messages * sizeof *c->sets.destination);
    memcpy(c->record->set, c->sets.set, c->sets.messages * sizeof *c->sets.set);
    return NP_OK;
}

/* The Router. */
static np_status deliver(constrained *c, unsigned phase, np_draws draws, np_phase_run *out)
{
    np_engine_plan plan = {
        .path = c->through_inverse, .phases = phase + 1, .targets = to_destination, .context = c->inverse};
    np_engine_watch watch = {.on_hops = c->record ? record_hops : NULL, .context = c->record};
    np_status st;
    if (c->record && (st = begin_record(c)))
        return st;
    for (np_packet m = 0; m < c->sets.messages; m++) {
        c->from[m] = np_network_input(c->inverse, c->reached[m]);
        c->to[m] = np_network_output(c->inverse, c->sets.destination[m]);
    }
    if ((st = run_engine(c, c->route, &plan, phase, c->inverse, draws, &watch, out)))
        return st;
    memcpy(c->delay, np_engine_delays(c->route), c->sets.messages * sizeof *c->delay);
    return NP_OK;
}

static np_status randomize(constrained *c, np_draws draws, np_phase_run *out)
{
    draws.phase = 0;
    if (c->kind == TOTAL)
        return scatter(c, draws, out);
    return np_randomizer_run(c->omega, &c->sets, draws, c->reached, c->delay, out);
}

static np_status run(np_mover *mover, unsigned phase, np_draws draws, const np_traffic *traffic, np_phase_run *out,
                     const uint32_t **delay, size_t *delays)
{
    constrained *c = (constrained *)mover;
    np_status st = NP_OK;
    if (phase == 0) {
        uint32_t drawn = c->same_traffic ? 0 : draws.run;
        if ((st = np_message_sets_make(&c->sets, c->omega, traffic, c->permutations, draws.seed, drawn)) ||
            (st = make_room(c)))
            return st;
    }
    if (c->kind == NONE)
        memcpy(c->reached, c->sets.source, c->sets.messages * sizeof *c->reached);
    st = phase == 0 && c->kind != NONE ? randomize(c, draws, out) : deliver(c, phase, draws, out);
    *delay = c->delay;
    *delays = c->sets.messages;
    return st;
}

static unsigned phases(const np_mover *mover) { return ((const constrained *)mover)->kind == NONE ? 1 : 2; }

static void name(const np_mover *mover, unsigned phase, char to[8])
{
    const char *names = ((const constrained *)mover)->kind == NONE ? "route" : phase ? "B" : "A";
    memcpy(to, names, strlen(names) + 1);
}

static const char *paths(const np_mover *mover)
{
    static const char *const names[] = {"random-switches", "random-terminal", "unique"};
    return names[((const constrained *)mover)->kind];
}

static const char *queue(const np_mover *mover) { return ((const constrained *)mover)->queue; }

static uint64_t bytes(const np_mover *mover, uint64_t packets)
{
    const constrained *c = (const constrained *)mover;
    uint64_t x = packets <= np_network_terminals(c->omega) && c->permutations ? c->permutations : 1;
    uint64_t messages = packets * x, lines = np_network_links(c->omega);
    np_engine_options options = {
        .network = c->inverse, .discipline = c->discipline, .packets = messages, .workers = 1, .watched = true};
    uint64_t engines = np_engine_bytes(&options) * (c->kind == TOTAL ? 2 : 1);
    return engines + messages * (32 + 12 + (x > 1 ? 12 : 0)) + (c->kind == CONSTRAINED ? lines * 8 + messages * 4 : 0);
}

#define MOVER_OPS                                                                                                      \
    .free = free_constrained, .phases = phases, .name = name, .paths = paths, .queue = queue, .bytes = bytes, .run = run

static np_status create_constrained(const np_network *network, const np_route_options *options, const np_mover *like,
                                    np_mover **out)
{
    (void)like;
    return create(&np_constrained_mover, CONSTRAINED, network, options, out);
}

static np_status create_total(const np_network *network, const np_route_options *options, const np_mover *like,
                              np_mover **out)
{
    (void)like;
    return create(&np_total_randomization_mover, TOTAL, network, options, out);
}

static np_status create_none(const np_network *network, const np_route_options *options, const np_mover *like,
                             np_mover **out)
{
    (void)like;
    return create(&np_unrandomized_mover, NONE, network, options, out);
}

const np_mover_ops np_constrained_mover = {.create = create_constrained, MOVER_OPS};
const np_mover_ops np_total_randomization_mover = {.create = create_total, MOVER_OPS};
const np_mover_ops np_unrandomized_mover = {.create = create_none, MOVER_OPS};

void np_constrained_record(np_mover *mover, np_router_run *record) { ((constrained *)mover)->record = record; }
const np_message_sets *np_constrained_sets(const np_mover *mover) { return &((const constrained *)mover)->sets; }
const uint32_t *np_constrained_reached(const np_mover *mover) { return ((const constrained *)mover)->reached; }

static const char *refuses(const np_network *network)
{
    return np_scheme_needs(network, "omega", "its Randomizer is an omega network");
}

const np_scheme_ops np_scheme_constrained = {
    .info = {"constrained", "random switches to a random permutation, then an inverse omega with queues",
             "Ranade 1987a", .networks = "omega"},
    .explains = true,
    .preferred = true,
    .mover = &np_constrained_mover,
    .permutations = true,
    .refuses = refuses,
};

const np_scheme_ops np_scheme_total_randomization = {
    .info = {"total-randomization", "to independent random terminals, then an inverse omega with queues",
             "Ranade 1987a, section 1", .networks = "omega"},
    .explains = true,
    .mover = &np_total_randomization_mover,
    .permutations = true,
    .refuses = refuses,
};

const np_scheme_ops np_scheme_unrandomized = {
    .info = {"unrandomized", "through an inverse omega with queues only: what randomization is for",
             "Ranade 1987a, section 2.4", .networks = "omega"},
    .explains = true,
    .mover = &np_unrandomized_mover,
    .permutations = true,
    .refuses = refuses,
};
