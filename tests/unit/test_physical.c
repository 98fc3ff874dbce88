/*
 * Physical steps where they are reported: np_route and PRAM machines. That each is counted rightly is judged by the
 * slow twins (test_merging, test_waves, test_ranade, which play them out link by link).
 */
#include "netpram/pram.h"
#include "netpram/route.h"
#include "support.h"

static np_route_result *route(const char *spec, const char *scheme, bool physical)
{
    np_network *network = support_network(spec);
    np_route_options options;
    np_route_result *result;
    np_route_options_init(&options);
    options.scheme = scheme;
    options.merge.physical = physical;
    options.runs = 2;
    assert_ok(np_route(network, "random", &options, &result));
    np_network_free(network);
    return result;
}

/* Playing the steps changes nothing else; they take as many as they can at most, and that only if nobody plays them. */
static void routing_is_played(void **state)
{
    static const struct {
        const char *spec, *scheme;
        bool shares; /* some link plays several edges */
    } row[] = {
        {"mesh:6x5", "ranked", false},   {"torus:5x5", "ranked", true},          {"butterfly:4", "ranked", true},
        {"hypercube:5", "ranked", true}, {"shuffle-exchange:6", "ranked", true}, {"fat-tree:2", "ranked", false},
        {"star:4", "ranked", true},      {"torus:5x5", "waves", true},           {"shuffle-exchange:6", "waves", true},
        {"butterfly:4", "ranade", true}};
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        np_route_result *charged = route(row[i].spec, row[i].scheme, false);
        np_route_result *played = route(row[i].spec, row[i].scheme, true);
        double total = 0, most = 0;
        assert_true(played->physical && !charged->physical);
        for (size_t k = 0; k < 2 * played->phases; k++) {
            const np_phase_run *a = &charged->phase[k / 2].run[k % 2], *b = &played->phase[k / 2].run[k % 2];
            assert_true(a->steps == b->steps && a->hops == b->hops && a->ghosts == b->ghosts &&
                        a->tokens == b->tokens && a->delay_sum == b->delay_sum && a->queue_max == b->queue_max);
            assert_int_equal(a->physical_steps, (uint64_t)a->steps * a->emulation.steps);
            assert_in_range(b->physical_steps, b->steps, a->physical_steps);
            total += (double)b->physical_steps;
            most += (double)a->physical_steps;
        }
        assert_true(row[i].shares ? total < most : total == most);
        assert_true(played->total_physical_steps.mean == total / 2);
        np_route_result_free(charged);
        np_route_result_free(played);
    }
}

/* Without a leveled network a step is a physical one, and nothing can be played. */
static void other_schemes(void **state)
{
    (void)state;
    np_route_result *result = route("hypercube:5", "cubes", false);
    for (size_t k = 0; k < 2 * result->phases; k++)
        assert_int_equal(result->phase[k / 2].run[k % 2].physical_steps, result->phase[k / 2].run[k % 2].steps);
    assert_true(result->total_physical_steps.mean == result->total_steps.mean);
    np_route_result_free(result);
    assert_refused(np_scheme_heeds("cubes", "physical"), NP_ERROR_APPLY, "not for 'cubes'");
}

/* ---- PRAM ---- */

enum { MOVES = 1 << 16 };

/* What the leveled machine must charge, from what it tells of its packets. */
typedef struct watched {
    const np_event_leveled *leveled;
    uint32_t links; /* of the host, and more */
    size_t moves;
    np_event move[MOVES];
    uint64_t there, back; /* P and B of the batch at hand */
    uint64_t steps;       /* of all batches before it: P + max(B + 1, 1) */
    uint32_t run;
} watched;

static int begin_phase(void *context, const np_event_phase *phase)
{
    watched *w = context;
    if (phase->run != w->run) {
        w->steps += w->there + w->back + 1;
        w->there = w->back = 0;
        w->run = phase->run;
    }
    w->leveled = phase->leveled;
    w->moves = 0;
    return 0;
}

static int note_moves(void *context, size_t count, const np_event *event)
{
    watched *w = context;
    for (size_t i = 0; i < count; i++)
        if (event[i].kind == NP_EVENT_MOVED) {
            assert_true(w->moves < MOVES);
            w->move[w->moves++] = event[i];
        }
    return 0;
}

/* The most packets over one link, as the number `part` of their edges, in the step. */
static uint32_t most_in(const watched *w, np_step step, uint32_t part)
{
    uint32_t *load = calloc(w->links, sizeof *load), most = 0;
    for (size_t i = 0; i < w->moves; i++) {
        const uint32_t edge = w->move[i].link, at = w->leveled->walk[edge] + part;
        if (w->move[i].step == step && at < w->leveled->walk[edge + 1] && ++load[w->leveled->link[at]] > most)
            most = load[w->leveled->link[at]];
    }
    free(load);
    return most;
}

static int end_phase(void *context, const np_phase_run *run)
{
    watched *w = context;
    assert_true(run->physical_steps >= run->steps);
    w->there += run->physical_steps;
    for (np_step step = 1; step <= run->steps; step++) {
        uint32_t taken = 0, most;
        for (uint32_t part = 0; (most = most_in(w, step, part)); part++)
            taken += most;
        w->back += taken ? taken : 1;
    }
    return 0;
}

static void run_program(np_pram_options *options, np_program_result **out)
{
    np_program_options input;
    np_program_options_init(&input);
    input.n = 60;
    options->map = NP_MAP_NONE; /* no other steps are charged */
    options->rule = NP_RULE_CREW;
    assert_ok(np_program_run("prefix-sums", options, &input, out));
    assert_true((*out)->correct);
}

/* There with ghosts, back as the packets came. (Observers of shuffle-exchanges hear no directions.) */
static void replies_are_played(void **state)
{
    static const char *const machines[] = {"leveled:torus:4x4", "leveled:hypercube:4", "leveled:butterfly:3"};
    (void)state;
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        watched *w = calloc(1, sizeof *w);
        np_pram_options options;
        np_program_result *result, *charged;
        np_observer observer = {.begin = begin_phase, .events = note_moves, .end = end_phase, .context = w};
        w->links = 1 << 12;
        np_pram_options_init(&options);
        options.machine = machines[i];
        run_program(&options, &charged);
        options.observer = &observer;
        options.physical = true;
        run_program(&options, &result);
        w->steps += w->there + w->back + 1;
        assert_true(result->report.physical && !charged->report.physical);
        assert_int_equal(result->report.network_steps, charged->report.network_steps);
        assert_in_range(result->report.physical_steps, result->report.network_steps,
                        charged->report.physical_steps - 1);
        assert_true(w->steps <= result->report.physical_steps); /* batches without packets take steps, too */
        assert_in_range(result->report.physical_steps - w->steps, 0, 60);
        np_program_result_free(charged);
        np_program_result_free(result);
        free(w);
    }
}

/* A step of other machines is a physical one. */
static void other_machines(void **state)
{
    static const char *const machines[] = {"two-phase:hypercube:4", "leveled:mesh:4x4"};
    (void)state;
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        np_pram_options options;
        np_program_result *result;
        np_pram_options_init(&options);
        options.machine = machines[i];
        run_program(&options, &result);
        assert_int_equal(result->report.physical_steps, result->report.network_steps);
        np_program_result_free(result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(routing_is_played),
        cmocka_unit_test(other_schemes),
        cmocka_unit_test(replies_are_played),
        cmocka_unit_test(other_machines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
