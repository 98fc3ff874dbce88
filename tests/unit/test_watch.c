/*
 * Every long call tells its watch how far it is, and ends when the watch says so. The calls are run three times: to
 * count what is told; cancelled half-way; and unwatched, with the same outcome as watched.
 */
#include "support.h"

typedef struct heard {
    uint32_t told, cancel_at; /* cancel_at 0: never */
    uint32_t shares;          /* how many times a share was known */
} heard;

static int hear(void *context, const np_progress *p)
{
    heard *h = context;
    assert_true(p->share >= 0 && p->share <= 1);
    assert_true(!p->of || p->done <= p->of);
    h->shares += p->share > 0;
    return ++h->told == h->cancel_at;
}

/* Makes the call, watched, and gives a number that says what came of it. */
typedef np_status call(np_watch watch, double *outcome);

static np_status check(np_watch watch, double *outcome)
{
    np_network *network = support_network("hypercube:5");
    np_check_scheme_result *result;
    np_check_options options;
    np_check_options_init(&options);
    options.watch = watch;
    options.runs = 3;
    np_status st = np_check_scheme(network, "cubes", NULL, &options, &result);
    if (!st)
        *outcome = result->phase[0].symmetric_result.mean;
    np_check_scheme_result_free(result);
    np_network_free(network);
    return st;
}

static np_status defeat(np_watch watch, double *outcome)
{
    np_network *network = support_network("hypercube:6");
    np_defeat *result;
    np_defeat_options options;
    np_defeat_options_init(&options);
    options.watch = watch;
    options.effort = 4000; /* of all kinds of searches */
    options.runs = 1;
    np_status st = np_defeat_find(network, &options, &result);
    if (!st)
        *outcome = result->destination[0];
    np_defeat_free(result);
    np_network_free(network);
    return st;
}

static np_status throughput(np_watch watch, double *outcome)
{
    np_network *network = support_network("mesh:6x6");
    np_traffic *traffic;
    np_throughput *result;
    np_throughput_options options;
    np_throughput_options_init(&options);
    options.watch = watch;
    options.threads = 1;
    assert_ok(np_traffic_create("random", network, 1, 0, &traffic));
    np_status st = np_throughput_find(network, traffic, &options, &result);
    if (!st)
        *outcome = result->factor.low;
    np_throughput_free(result);
    np_traffic_free(traffic);
    np_network_free(network);
    return st;
}

static np_status schedule(np_watch watch, double *outcome)
{
    np_network *network = support_network("mesh:20x20");
    np_offline *offline;
    np_offline_options options;
    np_offline_options_init(&options);
    options.watch = watch;
    np_status st = np_offline_find(network, "random", &options, &offline);
    if (!st)
        *outcome = offline->delay_mean;
    np_offline_free(offline);
    np_network_free(network);
    return st;
}

static np_status simulate(const char *guest, const char *traffic, np_watch watch, double *outcome)
{
    np_network *network = support_network(guest);
    np_universal_result *result;
    np_universal_options options;
    np_universal_options_init(&options);
    options.watch = watch;
    options.traffic = traffic;
    np_status st = np_universal_simulate(network, &options, &result);
    if (!st)
        *outcome = result->slowdown.mean;
    np_universal_result_free(result);
    np_network_free(network);
    return st;
}

static np_status universal(np_watch watch, double *outcome) { return simulate("mesh:12x12", NULL, watch, outcome); }
static np_status program(np_watch watch, double *outcome) { return simulate("mesh:9x9", "random", watch, outcome); }

static np_status route_by(unsigned threads, const char *spec, const char *scheme, np_watch watch, double *outcome)
{
    np_network *network = support_network(spec);
    np_route_result *result;
    np_route_options options;
    np_route_options_init(&options);
    options.scheme = scheme;
    options.watch = watch;
    options.threads = threads;
    np_status st = np_route(network, "random", &options, &result);
    if (!st)
        *outcome = result->total_steps.mean;
    np_route_result_free(result);
    np_network_free(network);
    return st;
}

static np_status route(const char *spec, const char *scheme, np_watch watch, double *outcome)
{
    return route_by(1, spec, scheme, watch, outcome);
}

static np_status greedy(np_watch watch, double *outcome) { return route("torus:9x9", "greedy", watch, outcome); }
static np_status shared(np_watch watch, double *outcome) { return route_by(2, "ccc:7", "ccc", watch, outcome); }
static np_status few(np_watch watch, double *outcome) { return route_by(2, "ccc:4", "ccc", watch, outcome); }
static np_status overlap(np_watch watch, double *outcome)
{
    np_network *network = support_network("mesh:9x9");
    np_route_result *result;
    np_route_options options;
    np_route_options_init(&options);
    options.scheme = "valiant";
    options.overlap = true;
    options.watch = watch;
    options.threads = 2;
    np_status st = np_route(network, "random", &options, &result);
    if (!st)
        *outcome = result->total_steps.mean;
    np_route_result_free(result);
    np_network_free(network);
    return st;
}

static np_status levels(np_watch watch, double *outcome) { return route("hypercube:13", "cubes", watch, outcome); }
static np_status two_levels(np_watch watch, double *outcome)
{
    return route_by(2, "hypercube:13", "cubes", watch, outcome);
}
static np_status lines(np_watch watch, double *outcome) { return route("mesh:99x99", "greedy", watch, outcome); }
static np_status omega(np_watch watch, double *outcome) { return route("omega:6", "constrained", watch, outcome); }
static np_status router(np_watch watch, double *outcome) { return route("omega:6", "unrandomized", watch, outcome); }
static np_status ranked(np_watch watch, double *outcome) { return route("butterfly:4", "ranked", watch, outcome); }
static np_status merged(np_watch watch, double *outcome) { return route("mesh:7x7", "ranked", watch, outcome); }
static np_status waves(np_watch watch, double *outcome) { return route("butterfly:4", "waves", watch, outcome); }
static np_status delayed(np_watch watch, double *outcome) { return route("torus:9x9", "delayed", watch, outcome); }
static np_status resampled(np_watch watch, double *outcome) { return route("torus:9x9", "resampled", watch, outcome); }
static np_status ranade(np_watch watch, double *outcome) { return route("butterfly:4", "ranade", watch, outcome); }
static np_status offline(np_watch watch, double *outcome) { return route("mesh:9x9", "offline", watch, outcome); }

static np_status embed(const char *traffic, np_watch watch, double *outcome)
{
    np_network *guest = support_network("torus:6x6"), *host = support_network("mesh:6x6");
    np_embedding *embedding;
    np_embedding_run_result *run = NULL;
    np_embedding_guest_result of_guest = {.queued_total = 0};
    np_embedding_run_options options;
    np_embedding_guest_options traffics;
    np_embedding_run_options_init(&options);
    np_embedding_guest_options_init(&traffics);
    options.steps = 4;
    (traffic ? &traffics.watch : &options.watch)[0] = watch;
    traffics.traffic = traffic;
    assert_ok(np_embedding_create(NULL, guest, host, 0, &embedding));
    np_status st = np_embedding_run(embedding, &options, &run);
    if (!st && traffic)
        st = np_embedding_run_guest(embedding, run, &traffics, &of_guest);
    if (!st)
        *outcome = (double)(run->queued_total + of_guest.queued_total);
    np_embedding_run_result_free(run);
    np_embedding_free(embedding);
    np_network_free(guest);
    np_network_free(host);
    return st;
}

static np_status steps_of_guest(np_watch watch, double *outcome) { return embed(NULL, watch, outcome); }
static np_status traffic_of_guest(np_watch watch, double *outcome) { return embed("random", watch, outcome); }

static np_status collect_by(const char *algorithm, const char *spec, const char *operation, np_watch watch,
                            double *outcome)
{
    np_network *network = support_network(spec);
    np_collective_result *result;
    np_collective_options options;
    np_collective_options_init(&options);
    options.algorithm = algorithm;
    options.watch = watch;
    np_status st = np_collective(network, operation, &options, &result);
    if (!st)
        *outcome = (double)result->steps;
    np_collective_result_free(result);
    np_network_free(network);
    return st;
}

static np_status collective(np_watch watch, double *outcome)
{
    return collect_by(NULL, "mesh:24x24", "all-to-all", watch, outcome);
}

/* Nine rounds, of 2^17 transfers each. */
static np_status few_rounds(np_watch watch, double *outcome)
{
    return collect_by("logarithmic", "complete:512", "all-to-all", watch, outcome);
}

static np_status gossip(np_watch watch, double *outcome) { return collect_by(NULL, "ccc:6", "gossip", watch, outcome); }

static np_status sort(np_watch watch, double *outcome)
{
    np_network *network = support_network("mesh:16x16");
    np_sort_result *result;
    np_sort_options options;
    np_sort_options_init(&options);
    options.watch = watch;
    options.algorithm = "shearsort";
    np_status st = np_sort(network, 0, NULL, &options, &result);
    if (!st)
        *outcome = result->steps.mean;
    np_sort_result_free(result);
    np_network_free(network);
    return st;
}

static np_status pram(np_watch watch, double *outcome)
{
    np_pram_options options;
    np_program_options program;
    np_program_result *result;
    np_pram_options_init(&options);
    np_program_options_init(&program);
    options.machine = "butterfly:3";
    options.watch = watch;
    program.steps = 9;
    np_status st = np_program_run("random-reads", &options, &program, &result);
    if (!st)
        *outcome = (double)result->report.network_steps;
    np_program_result_free(result);
    return st;
}

static np_status reconfigure(np_watch watch, double *outcome)
{
    np_reconfigure_options options;
    np_reconfigure_result *result;
    np_reconfigure_options_init(&options);
    options.watch = watch;
    np_status st = np_reconfigure("sort", &options, &result);
    if (!st)
        *outcome = result->order[3];
    np_reconfigure_result_free(result);
    return st;
}

static const struct {
    const char *name;
    call *call;
    uint32_t least; /* shares that are told at least */
} calls[] = {
    {"check", check, 2},
    {"defeat", defeat, 20},
    {"throughput", throughput, 20},
    {"schedule", schedule, 2},
    {"universal", universal, 2},
    {"universal, a program", program, 2},
    {"greedy", greedy, 2},
    {"two threads", shared, 2},
    {"few packets, two threads", few, 2}, /* which one of them moves */
    {"overlap", overlap, 3},
    {"levels", levels, 300},
    {"levels, two threads", two_levels, 100},
    {"lines", lines, 2},
    {"Randomizer and Router", omega, 10},
    {"Router", router, 6},
    {"ranked", ranked, 2},
    {"ranked on a mesh", merged, 2},
    {"waves", waves, 2},
    {"delayed", delayed, 2},
    {"resampled", resampled, 2},
    {"ranade", ranade, 2},
    {"offline", offline, 2},
    {"embed", steps_of_guest, 2},
    {"embed, traffic", traffic_of_guest, 2},
    {"collective", collective, 2},
    {"collective, few rounds", few_rounds, 9},
    {"collective, no formula", gossip, 2},
    {"sort", sort, 2},
    {"pram", pram, 2},
    {"reconfigure", reconfigure, 2},
};

static void test_calls_tell_and_are_cancelled(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        double alone = -1, watched = -2, none = 0;
        heard h = {0}, cut = {0};
        assert_ok(calls[i].call((np_watch){NULL, NULL}, &alone));
        assert_ok(calls[i].call((np_watch){hear, &h}, &watched));
        if (h.shares < calls[i].least || alone != watched)
            fail_msg("%s: %u shares told; %g, and watched %g", calls[i].name, h.shares, alone, watched);
        cut.cancel_at = 1 + h.told / 2;
        np_status st = calls[i].call((np_watch){hear, &cut}, &none);
        if (st != NP_ERROR_CANCELLED || cut.told > cut.cancel_at + 1)
            fail_msg("%s: %s, told %u times though cancelled at %u", calls[i].name, np_status_name(st), cut.told,
                     cut.cancel_at);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_calls_tell_and_are_cancelled)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
