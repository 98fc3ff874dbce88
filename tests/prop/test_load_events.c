/*
 * Observers under load. Of model steps the trace is judged by the model alone (oracle/trace_judge.h), and of model
 * flits by what routers with buffers are: every buffer is a list here, every credit is counted, and no engine is asked.
 * Of both, packets are created and arrive as the unobserved run on three threads says.
 *
 * Each of these bugs was planted once, and found:
 *   steps   half-way on Valiant's route a packet is told to land; packets of slots that come later have no numbers
 *   flits   a head that got a channel in the cycle is told to wait; a head behind a tail is told not to wait, or in the
 *           next cycle; credits of an ejection are told after it; a channel that a tail has left counts as free in its
 *           cycle; who has lost a channel to another head is told to wait for room
 */
#include "support.h"

#include <unistd.h>

#include "engine/open/observed.h"
#include "model/network/network.h"
#include "model/relation/relation.h"
#include "oracle/trace_judge.h"

enum { CYCLES = 300 };

typedef struct events {
    np_event *event;
    size_t count, room;
    np_event_phase phase;
    np_phase_run run;
    unsigned ends;
} events;

static int on_begin(void *context, const np_event_phase *phase)
{
    ((events *)context)->phase = *phase;
    return 0;
}

static int on_events(void *context, size_t count, const np_event *event)
{
    events *l = context;
    if (l->count + count > l->room) {
        l->room = 2 * (l->count + count);
        l->event = realloc(l->event, l->room * sizeof *l->event);
    }
    memcpy(l->event + l->count, event, count * sizeof *event);
    l->count += count;
    return 0;
}

static int on_end(void *context, const np_phase_run *run)
{
    events *l = context;
    l->run = *run;
    l->ends++;
    return 0;
}

typedef struct trial {
    const char *network, *traffic, *paths, *length;
    double rate; /* packets */
    bool valiant;
    unsigned channels, buffer; /* 0: model steps */
    unsigned link, credit;     /* delays; 0: 1 */
    unsigned input_speedup, internal_speedup;
    bool cut_through;
} trial;

/* Plays more cycles than are observed. */
static void play(const trial *c, const np_network *network, events *seen, unsigned threads, support_deliveries *arrived)
{
    const np_open_model *model = c->channels ? &np_open_flits : &np_open_steps;
    np_arrivals_options drawn = {c->traffic, "bernoulli", c->rate, c->length, 5, 0};
    const np_observer observer = {0, on_begin, on_events, on_end, seen, NULL};
    np_arrivals *arrivals;
    np_path *path = NULL;
    np_relation *relation = NULL;
    np_open_book book;
    void *m;
    assert_ok(np_arrivals_create(network, &drawn, &arrivals));
    if (c->channels)
        assert_ok(np_relation_create(c->paths, network, &relation));
    else
        assert_ok(np_path_create(c->paths, network, &path));
    np_open_options o = {.network = network,
                         .path = path,
                         .relation = relation,
                         .via_random = c->valiant,
                         .arrivals = arrivals,
                         .draws = {.seed = 5},
                         .threads = threads,
                         .channels = c->channels,
                         .buffer_flits = c->buffer,
                         .allocation_delay = 1,
                         .switch_delay = 1,
                         .crossbar_delay = 1,
                         .link_delay = c->link ? c->link : 1,
                         .credit_delay = c->credit ? c->credit : 1,
                         .input_speedup = c->input_speedup,
                         .internal_speedup = c->internal_speedup,
                         .cut_through = c->cut_through,
                         .deliver = support_keep_deliveries,
                         .context = arrived};
    arrived->count = 0;
    if (seen) {
        seen->count = seen->ends = 0;
        o.book = &book;
        assert_ok(np_open_book_begin(&book, &observer, &o, c->channels > 0, CYCLES));
    }
    assert_ok(model->create(&o, &m));
    for (int64_t t = 7; t < 2 * CYCLES; t += 31)
        assert_ok(model->advance(m, t));
    if (seen) {
        assert_int_equal(seen->ends, 1);
        assert_ok(np_open_book_end(&book, 2 * CYCLES));
        assert_int_equal(seen->ends, 1);
    }
    model->free(m);
    np_path_free(path);
    np_relation_free(relation);
    np_arrivals_free(arrivals);
}

/* ---- Of both models: what is created and what arrives ---- */

typedef struct packet {
    np_node source, end, at; /* nodes; where its head is */
    np_step created, landed;
    bool in, done;
    uint32_t flits, entered, waits, hops; /* entered: the first of its buffers: when its head came */
    np_step waited;
    np_step begun;
} packet;

static int by_arrival(const void *left, const void *right)
{
    const packet *a = left, *b = right;
    if (a->landed != b->landed)
        return a->landed < b->landed ? -1 : 1;
    if (a->end != b->end)
        return a->end < b->end ? -1 : 1;
    return a->source != b->source ? (a->source < b->source ? -1 : 1)
                                  : (a->created > b->created) - (a->created < b->created);
}

/* Packets in the order in which they were created; and as many of the deliveries as have a step of the phase. */
static packet *list(const events *seen)
{
    packet *p = calloc(seen->phase.packets + 1, sizeof *p);
    np_packet created = 0;
    np_step step = 0;
    for (size_t i = 0; i < seen->count; i++) {
        const np_event *e = &seen->event[i];
        assert_true(e->step >= step && e->step <= CYCLES);
        step = e->step;
        if (e->kind == NP_EVENT_INJECTED) {
            assert_int_equal(e->packet, created);
            p[created++] = (packet){.source = e->from, .end = e->to, .created = e->step, .flits = e->length};
        } else if (e->kind == NP_EVENT_LANDED) {
            assert_true(e->packet < created && !p[e->packet].done);
            assert_int_equal(e->from, p[e->packet].end);
            p[e->packet].done = true;
            p[e->packet].landed = e->step;
        } else {
            assert_true(e->packet < created && !p[e->packet].done);
        }
    }
    assert_int_equal(created, seen->phase.packets);
    assert_int_equal(seen->run.packets, created);
    assert_int_equal(seen->run.steps, CYCLES);
    return p;
}

static void compare(const np_network *network, const events *seen, const packet *of, const support_deliveries *arrived)
{
    packet *p = calloc(seen->phase.packets + 1, sizeof *p);
    size_t landed = 0, wanted = 0;
    for (np_packet i = 0; i < seen->phase.packets; i++)
        if (of[i].done)
            p[landed++] = of[i];
    qsort(p, landed, sizeof *p, by_arrival);
    packet *want = calloc(arrived->count + 1, sizeof *want);
    for (size_t i = 0; i < arrived->count && arrived->d[i].arrived <= CYCLES; i++)
        if (arrived->d[i].created < CYCLES)
            want[wanted++] = (packet){.source = np_network_input(network, arrived->d[i].source),
                                      .end = np_network_output(network, arrived->d[i].destination),
                                      .created = (np_step)arrived->d[i].created,
                                      .landed = (np_step)arrived->d[i].arrived,
                                      .flits = arrived->d[i].flits};
    qsort(want, wanted, sizeof *want, by_arrival);
    assert_true(landed > 50);
    assert_int_equal(landed, wanted);
    for (size_t i = 0; i < landed; i++) {
        if (by_arrival(&p[i], &want[i]) || (p[i].flits && p[i].flits != want[i].flits))
            fail_msg("landing %zu: from %u to %u, %u to %u, not from %u to %u, %u to %u", i, p[i].source, p[i].end,
                     p[i].created, p[i].landed, want[i].source, want[i].end, want[i].created, want[i].landed);
    }
    free(p);
    free(want);
}

/* ---- Model flits ---- */

enum { BUFFERS = 4096, FLITS = 64, NODES = 64, PACKETS = 1 << 15 };

/* A buffer: flits by their packets; and where its sender counts credits: what was sent into it, and places given back.
 */
typedef struct buffer {
    np_packet flit[FLITS], last;
    uint32_t count, of_last; /* flits of the packet that came last */
    uint32_t sent, returned;
    np_step back[FLITS]; /* when places that flits have left can be used */
    uint32_t backs;
} buffer;

typedef struct judge {
    const np_network *network;
    const events *seen;
    packet *packet;
    bool fast; /* several flits may leave an output in a cycle */
    buffer buffer[BUFFERS];
    uint32_t next[PACKETS][NODES]; /* the buffer into which a packet goes from a node, + 1 */
    uint32_t left[PACKETS][NODES]; /* flits of it that have left a node */
    np_step carried[BUFFERS];      /* the last step in which a flit went over a link, + 1 */
    np_step acted[PACKETS];        /* the last step in which the head moved or waited */
} judge;

/* The buffers of links, then those of terminals that are routers. */
static uint32_t buffer_at(const judge *j, const np_event *e)
{
    uint32_t links = np_network_link_numbers(j->network);
    uint32_t b = (e->link == NP_NONE ? links + e->from : e->link) * j->seen->phase.channels + e->length;
    assert_true(b < BUFFERS && e->length < j->seen->phase.channels);
    return b;
}

static bool is_host(const judge *j, np_node node)
{
    return np_network_has_hosts(j->network) && np_network_is_host(j->network, node);
}

static void give_back(buffer *b, np_step now)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < b->backs; i++)
        if (b->back[i] <= now)
            b->returned++;
        else
            b->back[kept++] = b->back[i];
    b->backs = kept;
}

static uint32_t credits(const judge *j, buffer *b, np_step now)
{
    give_back(b, now);
    return j->seen->phase.buffer_flits - (b->sent - b->returned);
}

static void enter(judge *j, const np_event *e)
{
    uint32_t at = buffer_at(j, e);
    buffer *b = &j->buffer[at];
    packet *p = &j->packet[e->packet];
    assert_true(e->link == NP_NONE || np_network_link_head(j->network, e->link) == e->from);
    assert_true(b->count < j->seen->phase.buffer_flits);
    if (b->of_last && b->of_last < j->packet[b->last].flits)
        assert_int_equal(b->last, e->packet); /* a train */
    b->of_last = b->of_last && b->last == e->packet ? b->of_last + 1 : 1;
    b->last = e->packet;
    b->flit[b->count++] = e->packet;
    assert_int_equal(b->count, e->queue);
    if (b->of_last == 1) {
        if (!p->in)
            p->begun = e->step;
        else
            assert_int_equal(p->at, e->from);
        p->in = true;
        p->at = e->from;
        p->entered = e->step;
    }
}

static void leave(judge *j, const np_event *e)
{
    buffer *b = &j->buffer[buffer_at(j, e)];
    assert_true(b->count > 0 && b->flit[0] == e->packet);
    memmove(b->flit, b->flit + 1, --b->count * sizeof *b->flit);
    assert_int_equal(b->count, e->queue);
    assert_true(b->backs < FLITS);
    if (e->link != NP_NONE && !is_host(j, np_network_link_tail(j->network, e->link)))
        b->back[b->backs++] = e->step + j->seen->phase.credit_delay;
    uint32_t to = j->next[e->packet][e->from];
    if (to) { /* a flit behind the head: it goes where the head went */
        j->buffer[to - 1].sent++;
        np_step *carried = &j->carried[(to - 1) / j->seen->phase.channels];
        assert_true(*carried <= e->step || j->fast);
        *carried = e->step + 1;
    }
    if (++j->left[e->packet][e->from] == j->packet[e->packet].flits)
        j->left[e->packet][e->from] = j->next[e->packet][e->from] = 0; /* it may come again */
}

static void move(judge *j, const np_event *e)
{
    packet *p = &j->packet[e->packet];
    bool cable = is_host(j, e->from) || is_host(j, e->to);
    assert_int_equal(np_network_link_tail(j->network, e->link), e->from);
    assert_int_equal(np_network_link_head(j->network, e->link), e->to);
    assert_int_equal(p->in ? p->at : p->source, e->from);
    assert_true(j->acted[e->packet] <= e->step && p->entered < e->step);
    j->acted[e->packet] = e->step + 1;
    p->at = e->to;
    if (cable)
        return;
    uint32_t to = buffer_at(j, e);
    np_step *carried = &j->carried[e->link];
    assert_true(*carried <= e->step || j->fast);
    *carried = e->step + 1;
    j->next[e->packet][e->from] = p->flits > 1 ? to + 1 : 0;
    j->buffer[to].sent++;
    p->hops++;
    assert_int_equal(credits(j, &j->buffer[to], e->step - 1), e->queue);
}

/* A head waits where it is, for a link over which it may go, or for its terminal. */
static void stay(judge *j, const np_event *e)
{
    packet *p = &j->packet[e->packet];
    bool none = false;
    assert_true(p->in && p->at == e->from && p->entered < e->step);
    assert_true(j->acted[e->packet] <= e->step);
    j->acted[e->packet] = e->step + 1;
    p->waits++;
    if (e->reason == NP_EVENT_BEHIND) {
        assert_true(e->other != e->packet && e->other < j->seen->phase.packets && j->packet[e->other].in);
        return;
    }
    assert_int_equal(e->reason, NP_EVENT_ROOM);
    for (uint32_t v = 0; v < j->seen->phase.channels && e->link != NP_NONE; v++)
        none |=
            credits(j, &j->buffer[e->link * j->seen->phase.channels + v], e->step - 1) < j->seen->phase.buffer_flits;
    assert_true(none);
}

static void judge_flits(const trial *c, const np_network *network, const events *seen, packet *packets)
{
    judge *j = calloc(1, sizeof *j);
    uint64_t hops = 0, waits = 0;
    assert_true(seen->phase.packets < PACKETS && np_network_nodes(network) <= NODES);
    j->network = network;
    j->seen = seen;
    j->fast = c->internal_speedup > 1;
    j->packet = packets;
    for (size_t i = 0; i < seen->count; i++) {
        const np_event *e = &seen->event[i];
        hops += e->kind == NP_EVENT_MOVED;
        waits += e->kind == NP_EVENT_WAITED;
        if (e->kind == NP_EVENT_ENTERED)
            enter(j, e);
        else if (e->kind == NP_EVENT_LEFT)
            leave(j, e);
        else if (e->kind == NP_EVENT_MOVED)
            move(j, e);
        else if (e->kind == NP_EVENT_WAITED)
            stay(j, e);
    }
    assert_int_equal(hops, seen->run.hops);
    assert_true(waits > 20);
    /* One flit: four cycles a router, or more over long links, and each cycle that it waited. */
    for (np_packet k = 0; k < seen->phase.packets && !c->length && c->internal_speedup < 2; k++) {
        const packet *p = &packets[k];
        uint32_t link = c->link ? c->link : 1, takes = p->hops * (3 + link) + 4 + p->waits + (link - 1);
        if (p->done && p->landed - p->begun != takes)
            fail_msg("%s, packet %u: %u cycles, not %u: %u hops, %u waits", c->network, k, p->landed - p->begun, takes,
                     p->hops, p->waits);
    }
    free(j);
}

/* Deliveries are those of a run that nobody observes, on three threads; and those that events tell. */
static void judge_trial(const trial *c, bool flits)
{
    events seen = {NULL, 0, 0, {0}, {0}, 0};
    support_deliveries observed = {NULL, 0, 0}, alone = {NULL, 0, 0};
    np_network *network = support_network(c->network);
    play(c, network, &seen, 1, &observed);
    play(c, network, NULL, 3, &alone);
    assert_int_equal(observed.count, alone.count);
    assert_memory_equal(observed.d, alone.d, alone.count * sizeof *alone.d);
    packet *packets = list(&seen);
    compare(network, &seen, packets, &alone);
    if (flits)
        judge_flits(c, network, &seen, packets);
    free(packets);
    free(seen.event);
    free(observed.d);
    free(alone.d);
    np_network_free(network);
}

static void flits_are_where_they_are_said_to_be(void **state)
{
    static const trial trials[] = {
        {"mesh:3x3", "uniform", "dimension-order", NULL, 0.6, false, 4, 8, 0, 0, 1, 1, false},
        {"mesh:4x4", "transpose", "dimension-order", NULL, 0.4, false, 1, 2, 3, 2, 1, 1, false},
        {"torus:4x4", "uniform", "dimension-order", "3", 0.2, false, 4, 3, 0, 0, 1, 1, false},
        {"mesh:4x4", "uniform", "adaptive", "1-6", 0.2, false, 3, 4, 0, 0, 1, 1, false},
        {"torus:3x3@2", "uniform", "dimension-order", "1-4", 0.15, false, 4, 4, 2, 0, 1, 1, false},
        {"mesh:3x3", "uniform", "valiant", NULL, 0.4, false, 4, 4, 0, 0, 2, 1, false},
        {"mesh:4x4", "uniform", "dimension-order", "2", 0.25, false, 4, 4, 0, 0, 1, 2, true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
        judge_trial(&trials[i], true);
}

/* ---- Model steps ---- */

static const trial steps[] = {
    {.network = "mesh:5x4", .traffic = "uniform", .paths = "greedy", .rate = 0.4},
    {.network = "mesh:5x4", .traffic = "uniform", .paths = "greedy", .rate = 0.9, .valiant = true},
    {.network = "hypercube:5", .traffic = "complement", .paths = "greedy", .rate = 0.9},
    {.network = "torus:3x3@2", .traffic = "uniform", .paths = "greedy", .rate = 0.4},
    {.network = "torus:4x4", .traffic = "uniform", .paths = "spray", .rate = 0.6},
};

static void packets_are_created_and_arrive(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        judge_trial(&steps[i], false);
}

static np_status load(const char *network, np_load_options options, const char *traffic, const char *path,
                      np_load_point *point)
{
    np_network *of = support_network(network);
    np_load_result *result;
    np_record *record = NULL;
    np_record_options files;
    np_record_options_init(&files);
    files.trace = path;
    if (path)
        assert_ok(np_record_open(&files, "test", &record));
    if (path)
        options.observer = np_record_observer(record);
    np_status st = np_load(of, traffic, &options, &result);
    if (!st && record)
        assert_ok(np_record_commit(record));
    else
        np_record_discard(record);
    if (!st)
        *point = result->curve[0].points[0];
    np_load_free(result);
    np_network_free(of);
    return st;
}

static void traces_keep_the_rules(void **state)
{
    static const char *const queues[] = {"fifo", "farthest-first", "lifo", "random"};
    (void)state;
    for (size_t i = 0; i < 8; i++) {
        char path[] = "/tmp/netpram-test-XXXXXX";
        np_load_options options;
        np_load_point seen, alone;
        oracle_verdict verdict;
        close(mkstemp(path));
        np_load_options_init(&options);
        options.paths = i % 2 ? "valiant" : "greedy";
        options.loads = i < 4 ? "0.3" : "0.8";
        options.queue = queues[i % 4];
        options.cycles = 2000;
        options.precision = 0.2;
        options.trace_cycles = 100;
        options.threads = 2;
        assert_ok(load("mesh:4x4", options, "uniform", path, &seen));
        options.trace_cycles = 0;
        assert_ok(load("mesh:4x4", options, "uniform", NULL, &alone));
        assert_memory_equal(&seen, &alone, sizeof seen);
        FILE *file = fopen(path, "r");
        static char text[1 << 23];
        text[fread(text, 1, sizeof text - 1, file)] = 0;
        fclose(file);
        unlink(path);
        oracle_judge_trace(text, &verdict);
        if (*verdict.wrong)
            fail_msg("case %zu: %s", i, verdict.wrong);
        assert_true(verdict.moves > 500 && verdict.landings > 100 && verdict.waits > 50);
    }
}

/* No run is longer than five times its cycles, so later ones are never traced: saturated, nearly so, and not. */
static void runs_end_in_time(void **state)
{
    static const char *const loads[] = {"0.1", "0.49", "0.55", "0.9"};
    (void)state;
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
        events seen = {NULL, 0, 0, {0}, {0}, 0};
        const np_observer observer = {1U << NP_EVENT_LANDED, on_begin, on_events, on_end, &seen, NULL};
        np_load_options options;
        np_load_point point;
        np_load_options_init(&options);
        options.loads = loads[i];
        options.cycles = 1000;
        options.precision = 0.001;
        options.trace_cycles = 5000;
        options.observer = &observer;
        assert_ok(load("mesh:8x8", options, "uniform", NULL, &point));
        assert_int_equal(seen.ends, 1);
        assert_true(seen.run.steps >= point.warmup + point.measured && seen.run.steps < 5000);
        free(seen.event);
        options.trace_cycles = 5001;
        assert_refused(
            load("mesh:8x8", options, "uniform", "/dev/null", &point), NP_ERROR_INPUT,
            "trace: it would have 5001 cycles, and with cycles 1000 the run is over after 5000 at the latest");
    }
}

static void what_is_not_one_load_is_refused(void **state)
{
    static const struct {
        const char *loads, *paths, *window, *message;
        uint32_t cycles;
        bool observed;
    } of[] = {
        {"0.1,0.2", "greedy", NULL, "trace: one load of one path rule is traced", 0, true},
        {NULL, "greedy", NULL, "trace: one load of one path rule is traced", 0, true},
        {"0.1", "greedy,valiant", NULL, "trace: one load of one path rule is traced", 0, true},
        {NULL, "greedy", "2", "trace: requests and replies are not traced", 0, true},
        {"0.1", "greedy", NULL, "trace-cycles has no meaning without a trace", 50, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        np_load_options options;
        np_load_point point;
        np_load_options_init(&options);
        options.loads = of[i].loads;
        options.paths = of[i].paths;
        options.window = of[i].window;
        options.trace_cycles = of[i].cycles;
        assert_refused(load("mesh:4x4", options, "uniform", of[i].observed ? "/dev/null" : NULL, &point),
                       NP_ERROR_INPUT, of[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_are_created_and_arrive),      cmocka_unit_test(traces_keep_the_rules),
        cmocka_unit_test(flits_are_where_they_are_said_to_be), cmocka_unit_test(runs_end_in_time),
        cmocka_unit_test(what_is_not_one_load_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
