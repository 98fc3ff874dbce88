/*
 * The machine copies:NETWORK: answers come from the copies and are those of the ideal machine; how many rounds a step
 * can take; what the copies hold; steps on complete networks are those of the queueing engine; rounds by both rules of
 * answering are those of tests/oracle/copies_rounds.c; by the c-collision rule they grow slowly; what is refused.
 */
#include "support.h"

#include "oracle/copies_rounds.h"
#include "papers/copies/copies_machine.h"
#include "machine/pram/inside.h"

enum { COUNT = 90, CELLS = 60, STEPS = 8 };

static np_copies_machine *machine_of(const np_pram *pram) { return (np_copies_machine *)pram->machine; }

static uint64_t state;

static uint32_t below(uint32_t bound)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((state >> 33) * bound >> 31);
}

typedef struct trace {
    np_word value[STEPS][COUNT], memory[CELLS];
} trace;

/* A random program: accesses of all kinds to cells of which half are asked for often. */
static void play(np_pram *pram, uint64_t seed, trace *out)
{
    np_address base, address[COUNT];
    uint8_t kind[COUNT];
    state = seed;
    memset(out, 0, sizeof *out);
    assert_ok(np_pram_allocate(pram, CELLS, "x", &base));
    for (int i = 0; i < CELLS; i++)
        out->memory[i] = below(1000);
    assert_ok(np_pram_put(pram, base, CELLS, out->memory));
    for (int s = 0; s < STEPS; s++) {
        for (int i = 0; i < COUNT; i++) {
            address[i] = base + below(s % 2 ? CELLS : CELLS / 2);
            kind[i] = (uint8_t)below(3);
            out->value[s][i] = below(100);
        }
        const np_pram_step step = {
            .count = COUNT, .address = address, .kind = kind, .op = (np_fetch_op)below(6), .value = out->value[s]};
        assert_ok(np_pram_access(pram, &step));
    }
    assert_ok(np_pram_get(pram, base, CELLS, out->memory));
}

/* Every cell: at least b copies have its newest stamp and one word. Returns how many copies are older. */
static uint64_t audit(const np_pram *pram)
{
    const np_copies *memory = &machine_of(pram)->memory;
    uint64_t older = 0;
    for (np_address x = 0; x < memory->cells; x++) {
        const np_copy *copy = &memory->copy[np_copies_at(memory, x, 0)];
        np_copy newest = {0};
        uint32_t reached = 0;
        for (uint32_t k = 0; k < memory->copies; k++)
            np_copy_read(&newest, &copy[k]);
        for (uint32_t k = 0; k < memory->copies; k++) {
            reached += copy[k].stamp == newest.stamp;
            assert_true(copy[k].stamp < newest.stamp || copy[k].word == newest.word);
            for (uint32_t other = 0; other < k; other++)
                assert_true(memory->module[np_copies_at(memory, x, k)] !=
                            memory->module[np_copies_at(memory, x, other)]);
        }
        assert_true(reached >= memory->quorum);
        older += memory->copies - reached;
    }
    return older;
}

static const char *const machines[] = {"copies:complete:100", "copies:complete:7", "copies:hypercube:4",
                                       "copies:butterfly:3",  "copies:mesh:3x4",   "copies:fat-tree:3"};
enum { MACHINES = sizeof machines / sizeof *machines };

/* (a, b): majorities, more than majorities, and all. b = 0: the default. */
static const uint32_t quorums[][2] = {{1, 0}, {2, 2}, {3, 0}, {3, 3}, {4, 3}, {5, 0}, {7, 5}};

/* With values in the messages: the same answers, the same in every copy, for the same costs. */
static void carried_is_the_same(const np_pram_options *options, uint64_t seed, const trace *want, np_pram *plain)
{
    static trace got;
    np_pram_options carrying = *options;
    carrying.carry_values = true;
    np_pram *pram = support_pram(&carrying);
    play(pram, seed, &got);
    assert_memory_equal(got.value, want->value, sizeof want->value);
    assert_memory_equal(got.memory, want->memory, sizeof want->memory);
    const np_copies *a = &machine_of(pram)->memory, *b = &machine_of(plain)->memory;
    for (size_t i = 0; i < CELLS * (size_t)a->copies; i++) {
        assert_int_equal(a->copy[i].stamp, b->copy[i].stamp);
        assert_int_equal(a->copy[i].word, b->copy[i].word);
    }
    const np_pram_report r = support_pram_report(pram), p = support_pram_report(plain);
    assert_int_equal(r.network_steps, p.network_steps);
    assert_int_equal(r.rounds, p.rounds);
    assert_int_equal(r.refused, p.refused);
    assert_int_equal(r.queue_max, p.queue_max);
    assert_int_equal(r.combined, p.combined);
    assert_int_equal(r.module_load_max, p.module_load_max);
    np_pram_free(pram);
}

static void answers_are_ideal(void **unused)
{
    (void)unused;
    static trace want, got;
    uint64_t older = 0, stalled = 0;
    for (uint64_t seed = 1; seed <= 7 * 6 * NP_RULES; seed += SUPPORT_FEWER(1, 11)) {
        np_pram_options options = support_pram_options("ideal");
        options.seed = seed;
        options.rule = (np_access_rule)(seed % NP_RULES);
        np_pram *ideal = support_pram(&options);
        play(ideal, seed, &want);
        options.machine = machines[seed / NP_RULES % MACHINES];
        options.copies = quorums[seed % 7][0];
        options.quorum = quorums[seed % 7][1];
        options.serves = 1 + seed % 3;
        if (options.copies > 2 && options.quorum != options.copies && options.serves > 1)
            options.answers = (np_module_answers)(seed % 2);
        options.slack = options.answers ? 0 : (uint32_t)(seed / 3 % 4);
        options.map = (np_address_map)(seed / 5 % 3);
        np_pram *pram = support_pram(&options);
        play(pram, seed, &got);
        assert_memory_equal(got.value, want.value, sizeof want.value);
        assert_memory_equal(got.memory, want.memory, sizeof want.memory);
        const np_pram_report r = support_pram_report(pram);
        assert_int_equal(r.violations, support_pram_report(ideal).violations);
        assert_int_equal(r.requests, r.work);
        assert_int_equal(r.replies, r.work);
        older += audit(pram);
        stalled += np_pram_stalled(pram);
        carried_is_the_same(&options, seed, &want, pram);
        np_pram_free(pram);
        np_pram_free(ideal);
    }
    assert_true(older > 0);
    assert_true(stalled > 0);
}

/* One step of distinct cells. */
static np_pram_report read_all(const np_pram_options *options, uint32_t count, const char *scheme, uint32_t *load)
{
    np_address base, address[1024];
    np_word value[1024];
    np_pram *pram = support_pram(options);
    assert_ok(np_pram_allocate(pram, count, "x", &base));
    for (uint32_t i = 0; i < count; i++)
        address[i] = base + i;
    np_copies_machine *c = machine_of(pram);
    uint32_t held[1024] = {0};
    *load = 0;
    for (size_t i = 0; i < (size_t)count * c->memory.copies; i++)
        held[c->memory.module[i]]++;
    for (uint32_t i = 0; i < c->memory.modules; i++)
        *load = held[i] > *load ? held[i] : *load;
    if (scheme)
        c->scheme = scheme;
    assert_ok(np_pram_read(pram, count, address, NULL, value, "all"));
    const np_pram_report report = support_pram_report(pram);
    np_pram_free(pram);
    return report;
}

static uint64_t steps_of(const np_pram_report *r) { return r->network_steps - r->initialisation_steps; }

/*
 * With one copy the fullest module needs ceil(load / c) rounds, and no round is idle. With a copies each module serves
 * one of those that came, or has none: load rounds at most; and b n cells are served by n modules.
 */
static void rounds_are_bounded(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        const uint32_t count = 50 + 20 * (uint32_t)seed, serves = 1 + seed % 3;
        char spec[32];
        snprintf(spec, sizeof spec, "copies:complete:%u", count);
        np_pram_options options = support_pram_options(spec);
        uint32_t load;
        options.seed = seed;
        options.serves = serves;
        options.copies = 1;
        np_pram_report r = read_all(&options, count, NULL, &load);
        assert_int_equal(r.rounds, (load + serves - 1) / serves);
        assert_int_equal(r.rounds_max, r.rounds);
        assert_int_equal(r.module_load_max, load);
        options.copies = 3;
        r = read_all(&options, count, NULL, &load);
        assert_true(r.rounds <= (load + serves - 1) / serves);
        assert_true(r.rounds >= (2 + serves - 1) / serves);
        assert_true(r.module_load_max >= 2); /* 2 n in n modules */
    }
}

/* On a complete network the steps are those of the queueing engine, also if processors have several requests. */
static void steps_are_the_engines(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        np_pram_options options = support_pram_options("copies:complete:40");
        uint32_t load;
        options.seed = seed;
        options.processors = seed % 2 ? 40 : 1 + (uint32_t)seed;
        options.answers = (np_module_answers)(seed / 2 % 2);
        const np_pram_report counted = read_all(&options, 40 + 13 * (uint32_t)seed, NULL, &load);
        const np_pram_report routed = read_all(&options, 40 + 13 * (uint32_t)seed, "greedy", &load);
        assert_int_equal(steps_of(&counted), steps_of(&routed));
        assert_int_equal(counted.rounds, routed.rounds);
        assert_int_equal(counted.refused, routed.refused);
        if (!options.answers)
            assert_true(steps_of(&counted) >= 2 * counted.rounds); /* a module serves, and somebody was asked */
    }
}

/* a, b, c, and by hand the least s with C(a - 1, a - b) ((a / s)^c / c!)^(a - b) < 1. */
static const uint32_t protocols[][4] = {{3, 2, 3, 3}, {3, 2, 2, 4}, {4, 3, 3, 4},  {5, 3, 1, 13},
                                        {5, 3, 2, 6}, {5, 4, 3, 5}, {7, 5, 2, 10}, {3, 2, 12, 1}};
enum { PROTOCOLS = sizeof protocols / sizeof *protocols };

/* The copies of cell x are in `hot` modules, so that crowds gather: fewer modules, more stalls. */
static void crowd(np_copies *memory, uint32_t hot)
{
    for (np_address x = 0; x < memory->cells; x++)
        for (uint32_t k = 0, other = 0; k < memory->copies; k += other == k, other = 0) {
            const uint32_t module = below(hot);
            while (other < k && memory->module[np_copies_at(memory, x, other)] != module)
                other++;
            memory->module[np_copies_at(memory, x, k)] = module;
        }
}

/* One step of reads, in a memory of which `hot` modules have all copies. Returns how many rounds stalled. */
static uint64_t judge_rounds(const np_pram_options *options, oracle_copies_case c, uint32_t hot)
{
    np_address base, address[200];
    np_word value[200];
    np_pram *pram = support_pram(options);
    assert_ok(np_pram_allocate(pram, c.requests, "x", &base));
    for (uint32_t i = 0; i < c.requests; i++)
        address[i] = base + i;
    np_copies_machine *machine = machine_of(pram);
    crowd(&machine->memory, hot);
    c.module = &machine->memory.module[np_copies_at(&machine->memory, base, 0)];
    assert_ok(np_pram_read(pram, c.requests, address, NULL, value, "all"));
    c.batch = machine->base.batches;
    const oracle_copies_outcome want = oracle_copies_rounds(&c);
    const np_pram_report got = support_pram_report(pram);
    assert_int_equal(got.rounds, want.rounds);
    assert_int_equal(got.refused, want.refused);
    assert_int_equal(steps_of(&got), want.steps);
    assert_int_equal(got.module_load_max, want.busiest);
    assert_int_equal(np_pram_stalled(pram), want.stalled);
    np_pram_free(pram);
    return want.stalled;
}

static void rounds_are_the_twins(void **unused)
{
    (void)unused;
    uint64_t stalled = 0, flowed = 0;
    for (uint64_t seed = 1; seed <= SUPPORT_FEWER(320U, 64U); seed++) {
        const uint32_t *p = protocols[seed % PROTOCOLS];
        char spec[32];
        state = seed;
        oracle_copies_case c = {
            .modules = p[0] + below(120), .copies = p[0], .quorum = p[1], .serves = p[2], .each = 1};
        c.requests = 1 + below(c.modules);
        c.collision = seed / PROTOCOLS % 4;
        c.together = c.collision ? (c.modules + p[3] - 1) / p[3] : c.requests;
        c.seed = seed;
        snprintf(spec, sizeof spec, "copies:complete:%u", c.modules);
        np_pram_options options = support_pram_options(spec);
        options.seed = seed;
        options.copies = c.copies;
        options.quorum = c.quorum;
        options.answers = c.collision ? NP_ANSWERS_COLLISION : NP_ANSWERS_ARBITRARY;
        options.serves = c.collision && p == protocols[0] ? 0 : c.serves; /* the default is 3 */
        const uint64_t stalls = judge_rounds(&options, c, p[0] + below(c.modules - p[0] + 1));
        *(stalls ? &stalled : &flowed) += 1;
    }
    assert_true(stalled > SUPPORT_SAMPLE(20U) && flowed > SUPPORT_SAMPLE(20U));
}

/* Several requests of each processor, of which `slack` begin together: all where it is 0. */
static void slack_is_the_twins(void **unused)
{
    (void)unused;
    uint64_t several = 0;
    for (uint64_t seed = 1; seed <= SUPPORT_FEWER(200U, 40U); seed++) {
        char spec[32];
        state = seed;
        oracle_copies_case c = {.modules = 3 + below(40), .copies = 3, .quorum = 2, .serves = 1 + below(2)};
        c.requests = 1 + below(c.modules * 5 < 200 ? c.modules * 5 : 200);
        c.each = (c.requests + c.modules - 1) / c.modules;
        c.slack = below(6);
        c.together = c.requests;
        c.seed = seed;
        several += c.slack && c.slack < c.each;
        snprintf(spec, sizeof spec, "copies:complete:%u", c.modules);
        np_pram_options options = support_pram_options(spec);
        options.seed = seed;
        options.slack = c.slack;
        options.serves = c.serves;
        judge_rounds(&options, c, 3 + below(c.modules - 2));
    }
    assert_true(several > SUPPORT_SAMPLE(40U));
}

/*
 * Rounds of a step of n reads by the c-collision rule, a = 3, b = 2, c = 3: for each of three shares
 * log log n / log 3 + O(1). Measured: at most 7 up to n = 65536, where log2 n has grown from 6 to 16.
 */
static void rounds_grow_slowly(void **unused)
{
    (void)unused;
    uint64_t before = 0;
    for (uint32_t n = 64; n <= SUPPORT_FEWER(65536U, 4096U); n *= 4) {
        uint64_t all = 0;
        for (uint64_t seed = 1; seed <= 3; seed++) {
            char spec[32];
            snprintf(spec, sizeof spec, "copies:complete:%u", n);
            np_pram_options options = support_pram_options(spec);
            options.seed = seed;
            options.answers = NP_ANSWERS_COLLISION;
            np_pram *pram = support_pram(&options);
            np_address base, *address;
            np_word *value;
            assert_non_null(address = malloc(n * sizeof *address));
            assert_non_null(value = malloc(n * sizeof *value));
            assert_ok(np_pram_allocate(pram, n, "x", &base));
            for (uint32_t i = 0; i < n; i++)
                address[i] = base + i;
            assert_ok(np_pram_read(pram, n, address, NULL, value, "all"));
            const uint64_t rounds = support_pram_report(pram).rounds;
            assert_in_range(rounds, 3, 3 * 3);
            all += rounds;
            free(address);
            free(value);
            np_pram_free(pram);
        }
        assert_true(all <= before + 3 * 2 || !before);
        before = all;
    }
}

/* All readers of a cell are served as one, and all fetches. */
static void module_combines(void **unused)
{
    (void)unused;
    np_pram_options options = support_pram_options("copies:complete:64");
    np_pram *pram = support_pram(&options);
    np_address base, address[64] = {0};
    np_word value[64];
    assert_ok(np_pram_allocate(pram, 1, "x", &base));
    assert_ok(np_pram_read(pram, 64, address, NULL, value, "one cell"));
    assert_int_equal(support_pram_report(pram).rounds, 1);
    assert_int_equal(support_pram_report(pram).combined, 63);
    for (int i = 0; i < 64; i++)
        value[i] = 1;
    assert_ok(np_pram_fetch(pram, NP_FETCH_ADD, 64, address, NULL, value, "one cell"));
    assert_int_equal(support_pram_report(pram).rounds, 3); /* one to read and one to write */
    assert_int_equal(support_pram_report(pram).refused, 0);
    for (int i = 0; i < 64; i++)
        assert_int_equal(value[i], i);
    np_pram_free(pram);
}

/*
 * A processor at node 7 fetches from a cell of three copies in modules 1, 2 and 3, and needs two. Messages 0, 1, 2 land
 * where they are told to, and then the replies.
 */
static np_status fetch_by_hand(const np_node there[3], const np_node back[3], np_word *reply)
{
    np_copy copy[3] = {{4, 40}, {5, 50}, {3, 30}};
    np_tag_item item = {0, 0};
    const np_tags tags = {.item = &item};
    const np_request request = {.value = 6, .kind = NP_ACCESS_FETCH, .op = NP_FETCH_ADD};
    const np_pram_options options = {.rule = NP_RULE_ARBITRARY, .copies = 3, .carry_values = true};
    np_copies_values v;
    np_copies_values_init(&v, &options);
    assert_ok(np_copies_values_reserve(&v, 1));
    np_copies_values_begin(&v, &tags, &request, 1, false);
    for (uint32_t k = 0; k < 3; k++)
        v.sent[k] = np_copies_values_send(&v, 0, 1, 7, 1 + k, &request, 9);
    for (uint32_t k = 0; k < 3; k++)
        if (there[k] != NP_NONE)
            v.observer.events(v.observer.context, 1,
                              &(np_event){.kind = NP_EVENT_LANDED, .packet = k, .from = there[k]});
    np_copies_values_arrive(&v);
    for (uint32_t k = 0; k < 3; k++)
        np_copies_values_serve(&v, k, 1, &copy[k], false);
    for (uint32_t k = 0; k < 3; k++)
        if (back[k] != NP_NONE)
            v.observer.events(v.observer.context, 1,
                              &(np_event){.kind = NP_EVENT_LANDED, .packet = k, .from = back[k]});
    np_copies_values_return(&v);
    np_status st = np_copies_values_take(&v, 0, 1, 2, reply);
    np_copies_values_clear(&v);
    return st;
}

/* Who does not land is not served, and who does not come home is not heard. */
static void lost_messages_count(void **unused)
{
    (void)unused;
    const np_node modules[3] = {1, 2, 3}, home[3] = {7, 7, 7}, elsewhere[3] = {1, 3, 3},
                  lost[3] = {1, NP_NONE, NP_NONE};
    const np_node strays[3] = {7, 6, 7}, one[3] = {NP_NONE, 7, NP_NONE};
    np_word reply = 0;
    assert_ok(fetch_by_hand(modules, home, &reply));
    assert_int_equal(reply, 50);
    assert_ok(fetch_by_hand(elsewhere, home,
                            &reply)); /* the newest copy is not reached: a quorum that writes would have been */
    assert_int_equal(reply, 40);
    assert_ok(fetch_by_hand(modules, strays, &reply));
    assert_int_equal(reply, 40);
    assert_int_equal(fetch_by_hand(lost, home, &reply), NP_ERROR_INTERNAL);
    assert_int_equal(fetch_by_hand(modules, one, &reply), NP_ERROR_INTERNAL);
    assert_non_null(strstr(np_last_error(), "has heard of 1 copies of cell 0, and needs 2"));
}

static void refused(const char *machine, uint32_t copies, uint32_t quorum, np_status status, const char *said)
{
    np_pram_options options = support_pram_options(machine);
    np_pram *pram;
    options.copies = copies;
    options.quorum = quorum;
    assert_int_equal(np_pram_create(&options, &pram), status);
    assert_null(pram);
    assert_non_null(strstr(np_last_error(), said));
}

static void no_protocol(uint32_t copies, uint32_t quorum, uint32_t serves, const char *said)
{
    np_pram_options options = support_pram_options("copies:complete:16");
    np_pram *pram;
    options.copies = copies;
    options.quorum = quorum;
    options.serves = serves;
    options.answers = NP_ANSWERS_COLLISION;
    assert_int_equal(np_pram_create(&options, &pram), NP_ERROR_INPUT);
    assert_non_null(strstr(np_last_error(), said));
}

static void what_is_refused(void **unused)
{
    (void)unused;
    no_protocol(1, 0, 0, "an access that reaches 1 of 1 copies cannot avoid a module: try 2 of 3");
    no_protocol(3, 3, 0, "an access that reaches 3 of 3 copies cannot avoid a module: try 2 of 3");
    no_protocol(3, 0, 1, "serves 1: rounds are few only if c (a - b) is 2 or more: try 2 of 3 copies with serves 3");
    refused("copies:complete:16", 4, 2, NP_ERROR_INPUT,
            "a read of 2 of 4 copies can miss the 2 that a write reached: try 3");
    refused("copies:complete:16", 3, 4, NP_ERROR_INPUT, "quorum: 4 of 3 copies: try 2");
    refused("copies:complete:2", 3, 0, NP_ERROR_INPUT, "of which there are 2: try 2");
    refused("copies:complete:16", 16, 0, NP_ERROR_INPUT, "copies");
    refused("copies:butterfly-io:3", 3, 0, NP_ERROR_APPLY, "try copies:butterfly:4");
    refused("copies:", 3, 0, NP_ERROR_INPUT, "try copies:complete:256");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_ideal),     cmocka_unit_test(rounds_are_bounded),
        cmocka_unit_test(steps_are_the_engines), cmocka_unit_test(module_combines),
        cmocka_unit_test(lost_messages_count),   cmocka_unit_test(what_is_refused),
        cmocka_unit_test(rounds_are_the_twins),  cmocka_unit_test(slack_is_the_twins),
        cmocka_unit_test(rounds_grow_slowly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
