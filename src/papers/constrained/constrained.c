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
 * first. In netpram a smaller priority is more urgent, so set j has priority
 * x-1-j. Among messages of one set --queue decides: fifo, lifo or random (lots
 * drawn as messages enter). The other disciplines compare hops. Here all messages
 * of a queue have the same number of hops, so these disciplines act as fifo.
 *
 * B begins when A has ended for all messages, as the paper assumes. It adds that "this extra delay is unnecessary":
 * with
 * --overlap a message enters the Router when it leaves the Randomizer. Set after set comes there, one a cycle. The
 * engine has phases of one step each. In the phases before its time a message has nowhere to go, and rests; then it
 * goes through the Router. Steps count from the start of the Randomizer. Delays and hops are those of the Router.
 */
#include "papers/constrained/constrained.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

extern const np_path_rule np_path_unique_omega;

/* The parameters of the runner. */
typedef struct variant {
    enum { CONSTRAINED, TOTAL, NONE } kind;
    const char *paths;
} variant;

/* plan->shared */
typedef struct shared {
    np_network *inverse;
    np_path *through_omega, *through_inverse;
    const np_discipline *discipline;
} shared;

typedef struct constrained {
    np_runner base;
    const variant *variant;
    const shared *shared;
    const np_network *omega;

    np_message_sets sets;
    np_packet room; /* messages that the arrays and engines hold */
    size_t block_bytes;
    uint32_t *reached, *delay;    /* [room] */
    np_node *from, *to;           /* [room] the ends that the engines get */
    uint32_t *priority;           /* [room] */
    np_engine *randomize, *route; /* randomize: for TOTAL only */
    np_router_run *record;
    np_step *release; /* [room] with overlap: the instant at which a message is at the Router */
    np_hop_list hops; /* of the Randomizer, if somebody observes */
} constrained;

static void layout(void *object, np_arena *arena)
{
    constrained *c = object;
    np_arena_array(arena, &c->reached, c->room, sizeof *c->reached, "intermediate destinations");
    np_arena_array(arena, &c->delay, c->room, sizeof *c->delay, "delays");
    NP_ARENA_WORDS(arena, c->room, "the messages' ends", &c->from, &c->to);
    np_arena_array(arena, &c->priority, c->room, sizeof *c->priority, "priorities");
    if (c->base.plan->options.overlap)
        np_arena_array(arena, &c->release, c->room, sizeof *c->release, "when messages come to the Router");
}

static void clear(np_runner *runner)
{
    constrained *c = (constrained *)runner;
    np_engine_free(c->randomize);
    np_engine_free(c->route);
    np_message_sets_clear(&c->sets);
    np_hop_list_clear(&c->hops);
}

static np_status init(np_runner *runner)
{
    constrained *c = (constrained *)runner;
    c->variant = runner->plan->parameters;
    c->shared = runner->plan->shared;
    c->omega = runner->plan->network;
    return NP_OK;
}

static np_status create_engine(const constrained *c, const np_network *network, const np_path *path, np_engine **out)
{
    np_engine_options options = {.network = network,
                                 .discipline = c->shared->discipline,
                                 .packets = c->sets.messages,
                                 .workers = 1,
                                 .path = path,
                                 .overlap = c->base.plan->options.overlap,
                                 .phase_time = c->base.plan->options.overlap ? 1 : 0,
                                 .watched = true,
                                 .observed = c->base.plan->options.observer != NULL};
    return np_engine_create(&options, out);
}

static np_status make_room(constrained *c)
{
    if (c->room >= c->sets.messages && c->route)
        return NP_OK;
    np_engine_free(c->randomize);
    np_engine_free(c->route);
    c->randomize = c->route = NULL;
    c->room = c->sets.messages;
    np_status st = np_arena_renew(c, layout, "messages", &c->base.block, &c->block_bytes);
    if (st)
        return st;
    if (c->variant->kind == TOTAL && (st = create_engine(c, c->omega, c->shared->through_omega, &c->randomize)))
        return st;
    return create_engine(c, c->shared->inverse, c->shared->through_inverse, &c->route);
}

static void to_random_terminal(const np_aim *aim, np_node *to)
{
    const np_network *omega = aim->network;
    for (size_t i = 0; i < aim->count; i++)
        to[i] = np_network_output(omega, np_random_below(aim->draws, aim->packet[i], 0, np_network_terminals(omega)));
}

/* A phase with queues, from these inputs of the network to the outputs of the destinations. */
static np_status run_engine(constrained *c, np_engine *engine, const np_engine_plan *plan, unsigned phase,
                            const np_network *network, const uint32_t *input, np_draws draws,
                            const np_engine_watch *watch, np_phase_run *out)
{
    np_traffic *traffic;
    np_status st;
    for (np_packet m = 0; m < c->sets.messages; m++) {
        c->from[m] = np_network_input(network, input[m]);
        c->to[m] = np_network_output(network, c->sets.destination[m]);
        c->priority[m] = c->sets.sets - 1 - c->sets.set[m];
    }
    if ((st = np_traffic_from_arrays(network, c->sets.messages, c->from, c->to, c->priority, &traffic)))
        return st;
    np_engine_place(engine, traffic);
    if (!(st = np_engine_run(engine, plan, phase, draws, watch, out)))
        memcpy(c->delay, np_engine_delays(engine), c->sets.messages * sizeof *c->delay);
    np_traffic_free(traffic);
    return st;
}

/* Total randomization: independent targets, in queues. */
static np_status scatter(constrained *c, np_draws draws, const np_engine_watch *watch, np_phase_run *out)
{
    np_engine_plan plan = {.path = c->shared->through_omega, .phases = 2, .targets = to_random_terminal};
    np_status st = run_engine(c, c->randomize, &plan, 0, c->omega, c->sets.source, draws, watch, out);
    for (np_packet m = 0; m < c->sets.messages && !st; m++)
        c->reached[m] = np_engine_locations(c->randomize)[m] - c->omega->output_first;
    return st;
}

static int record_hops(void *context, size_t count, const np_event *event)
{
    np_router_run *run = context;
    for (size_t i = 0; i < count; i++)
        if (event[i].kind == NP_EVENT_MOVED)
            run->leave[(size_t)event[i].packet * run->stages + (event[i].link >> run->stages)] = event[i].step;
    return 0;
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
    if (c->release)
        memcpy(c->record->release, c->release, c->sets.messages * sizeof *c->release);
    return NP_OK;
}

/* The paths of the Router, and none for a message that stays where it is. Tickets are numbers of targets. */
static void next_unless_there(const np_path *path, size_t count, const np_node *at, np_ticket *ticket, np_port *port)
{
    np_path_unique_omega.next(path, count, at, ticket, port);
    for (size_t i = 0; i < count; i++)
        port[i] = ticket[i] == at[i] ? NP_NONE : port[i];
}

static void remaining_unless_there(const np_path *path, size_t count, const np_node *at, const np_ticket *ticket,
                                   uint32_t *hops)
{
    np_path_unique_omega.remaining(path, count, at, ticket, hops);
    for (size_t i = 0; i < count; i++)
        hops[i] = ticket[i] == at[i] ? 0 : hops[i];
}

static const np_path_rule unless_there = {
    .start = np_path_start_target, .next = next_unless_there, .remaining = remaining_unless_there};

/* With overlap: in phases before its time a message stays. */
static void to_destination_in_time(const np_aim *aim, np_node *to)
{
    const constrained *c = aim->tables;
    for (size_t i = 0; i < aim->count; i++)
        to[i] = aim->phase < c->release[aim->packet[i]] ? aim->at[i] : aim->destination[i];
}

/* The Router. */
static np_status deliver(constrained *c, unsigned phase, np_draws draws, np_engine_watch watch, np_phase_run *out)
{
    np_engine_plan plan = {.path = c->shared->through_inverse, .phases = phase + 1};
    np_path in_time = *c->shared->through_inverse;
    in_time.rule = &unless_there;
    if (c->release) {
        plan.path = &in_time;
        plan.phases = c->omega->dimensions + c->sets.sets;
        plan.targets = to_destination_in_time;
        plan.tables = c;
    }
    const np_observer recorder = {
        .kinds = 1 << NP_EVENT_MOVED, .events = record_hops, .context = c->record, .next = watch.observer};
    np_status st;
    if (c->record && (st = begin_record(c)))
        return st;
    if (c->record)
        watch.observer = &recorder;
    return run_engine(c, c->route, &plan, phase, c->shared->inverse, c->reached, draws, &watch, out);
}

/* With overlap: the Randomizer, and then the Router, on the same clock. What is reported and observed is the Router. */
static np_status do_both(constrained *c, np_draws draws, const np_engine_watch *watch, np_phase_run *out)
{
    np_phase_run first = {0};
    np_draws draws_a = draws;
    uint32_t n = c->omega->dimensions;
    np_status st;
    draws_a.phase = 0;
    if (n + c->sets.sets > UINT8_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "overlap: %u permutations on omega:%u: at most %u", c->sets.sets, n,
                        UINT8_MAX - n);
    if ((st = np_randomizer_run(c->omega, &c->sets, draws_a, c->reached, c->delay, NULL, &watch->progress, &first)))
        return st;
    for (np_packet m = 0; m < c->sets.messages; m++)
        c->release[m] = n + c->delay[m];
    if ((st = deliver(c, 0, draws, *watch, out)))
        return st;
    out->late = 0; /* of the engine's phases */
    return NP_OK;
}

/* Tells observers of the Randomizer, which has no queues: its cycles are a plan. */
static np_status tell_hops(constrained *c, const np_runner_job *job, const np_phase_run *run)
{
    const np_hop_ends ends = {.at = c->from};
    np_event_phase phase = np_runner_phase(job, c->omega);
    phase.packets = c->sets.messages;
    for (np_packet m = 0; m < c->sets.messages; m++)
        c->from[m] = np_network_input(c->omega, c->sets.source[m]);
    return np_hop_list_tell(&c->hops, np_runner_observer(job), &phase, &ends, run);
}

static np_status randomize(constrained *c, const np_runner_job *job, const np_engine_watch *watch, np_phase_run *out)
{
    np_hop_list *hops = watch->observer ? &c->hops : NULL;
    np_draws draws = job->draws;
    np_status st;
    draws.phase = 0;
    if (c->variant->kind == TOTAL)
        return scatter(c, draws, watch, out);
    c->hops.count = 0;
    st = np_randomizer_run(c->omega, &c->sets, draws, c->reached, c->delay, hops, &watch->progress, out);
    return st || !hops ? st : tell_hops(c, job, out);
}

static np_status run(np_runner *runner, const np_runner_job *job, np_phase_run *out, np_delays *delays)
{
    constrained *c = (constrained *)runner;
    const np_route_options *options = &runner->plan->options;
    np_draws draws = job->draws;
    np_status st = NP_OK;
    if (job->phase == 0) {
        uint32_t drawn = options->same_traffic ? 0 : draws.run;
        if ((st = np_message_sets_make(&c->sets, c->omega, job->traffic, options->permutations, draws.seed, drawn)) ||
            (st = make_room(c)))
            return st;
    }
    if (c->variant->kind == NONE)
        memcpy(c->reached, c->sets.source, c->sets.messages * sizeof *c->reached);
    np_engine_watch watch = {.observer = np_runner_observer(job)};
    if (job->watch) {
        watch.runs = job->watch->runs;
        watch.phases = job->watch->phases;
    }
    if (job->watch) {
        watch.phase = job->watch->phase;
        watch.progress = job->watch->progress;
    }
    if (options->overlap)
        st = do_both(c, draws, &watch, out);
    else
        st = job->phase == 0 && c->variant->kind != NONE ? randomize(c, job, &watch, out)
                                                         : deliver(c, job->phase, draws, watch, out);
    *delays = (np_delays){c->delay, c->sets.messages, 0};
    return st;
}

/* ---- The plan ---- */

/* The discipline that orders messages of one set. */
static np_status find_discipline(np_route_plan *plan, const np_discipline **out)
{
    const char *name = plan->options.queue ? plan->options.queue : "fifo";
    const np_discipline *among_equals;
    np_status st;
    if ((st = np_discipline_find(name, &among_equals)))
        return st;
    np_route_plan_say_queue(plan, "%s", among_equals->info.name);
    *out = !strcmp(name, "lifo")     ? &np_discipline_priority_lifo
           : !strcmp(name, "random") ? &np_discipline_priority_random
                                     : &np_discipline_priority;
    return NP_OK;
}

static np_status bind(np_route_plan *plan)
{
    const variant *v = plan->parameters;
    shared *s;
    np_status st = np_memory_zeroed(&s, 1, sizeof *s, "the scheme's tables");
    plan->shared = s;
    plan->phases = v->kind == NONE || plan->options.overlap ? 1 : 2;
    plan->paths = v->paths;
    if (st || (st = find_discipline(plan, &s->discipline)) ||
        (st = np_network_make(&s->inverse, "inverse-omega:%u", plan->network->dimensions)) ||
        (st = np_path_create("unique", s->inverse, &s->through_inverse)))
        return st;
    return np_path_create("unique", plan->network, &s->through_omega);
}

static void unbind(np_route_plan *plan)
{
    shared *s = plan->shared;
    if (!s)
        return;
    np_path_free(s->through_omega);
    np_path_free(s->through_inverse);
    np_network_free(s->inverse);
    np_memory_free(s);
}

static void phase(const np_route_plan *plan, unsigned number, np_phase_result *out)
{
    const char *name = plan->phases == 1 ? "route" : number ? "B" : "A";
    memcpy(out->name, name, strlen(name) + 1);
}

static uint64_t bytes(const np_route_plan *plan)
{
    const variant *v = plan->parameters;
    const shared *s = plan->shared;
    uint32_t permutations = plan->options.permutations;
    uint64_t x = plan->packets <= np_network_terminals(plan->network) && permutations ? permutations : 1;
    uint64_t messages = plan->packets * x, lines = np_network_links(plan->network);
    np_engine_options options = {
        .network = s->inverse, .discipline = s->discipline, .packets = messages, .workers = 1, .watched = true};
    options.observed = plan->options.observer != NULL;
    options.overlap = plan->options.overlap;
    options.phase_time = plan->options.overlap ? 1 : 0;
    uint64_t engines = np_engine_bytes(&options) * (v->kind == TOTAL ? 2 : 1);
    if (options.observed && v->kind == CONSTRAINED && !options.overlap)
        engines += np_hop_list_bytes(messages * plan->network->dimensions, messages, plan->network->dimensions + x);
    return engines + messages * (32 + 12 + (x > 1 ? 12 : 0) + (options.overlap ? 4 : 0)) +
           (v->kind == CONSTRAINED ? lines * 8 + messages * 4 : 0);
}

const np_runner_ops np_constrained_runner = {
    .bind = bind,
    .unbind = unbind,
    .phase = phase,
    .bytes = bytes,
    .size = sizeof(constrained),
    .init = init,
    .clear = clear,
    .run = run,
};

void np_constrained_record(np_runner *runner, np_router_run *record) { ((constrained *)runner)->record = record; }
const np_message_sets *np_constrained_sets(const np_runner *runner) { return &((const constrained *)runner)->sets; }
const uint32_t *np_constrained_reached(const np_runner *runner) { return ((const constrained *)runner)->reached; }

/* ---- The schemes ---- */

static const np_only only = {NP_KIND_OMEGA, "its Randomizer is an omega network"};

const np_scheme np_scheme_constrained = {
    .info = {"constrained", "random switches to a random permutation, then an inverse omega with queues",
             "Ranade 1987a", .networks = "omega"},
    .preferred = true,
    .only = &only,
    .runner = &np_constrained_runner,
    .parameters = &(const variant){CONSTRAINED, "random-switches"},
    .heeds = NP_NAMES("queue", "permutations", "overlap", "explain", "trace"),
    .unproved = "its bound depends on the number of permutations: np_bound_constrained of the library has it",
};

const np_scheme np_scheme_total_randomization = {
    .info = {"total-randomization", "to independent random terminals, then an inverse omega with queues",
             "Ranade 1987a, section 1", .networks = "omega"},
    .only = &only,
    .runner = &np_constrained_runner,
    .parameters = &(const variant){TOTAL, "random-terminal"},
    .heeds = NP_NAMES("queue", "permutations", "explain", "trace"),
};

const np_scheme np_scheme_unrandomized = {
    .info = {"unrandomized", "through an inverse omega with queues only: what randomization is for",
             "Ranade 1987a, section 2.4", .networks = "omega"},
    .only = &only,
    .runner = &np_constrained_runner,
    .parameters = &(const variant){NONE, "unique"},
    .heeds = NP_NAMES("queue", "permutations", "explain", "trace"),
};
