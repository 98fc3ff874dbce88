/*
 * A guest's own packets on the host: steps and hops are those of the routing, what a step takes is counted here again
 * in the plainest way, and where the guest is a subgraph of the host the host takes as many steps as the guest.
 */
#include "support.h"

#include <unistd.h>

#include "netpram/route.h"

typedef struct hop {
    np_step step;
    np_link link;
} hop;

/* The hops of a routing, in order, steps counted over all phases. */
typedef struct hops {
    size_t count;
    np_step steps, passed;
    hop hop[1 << 16];
} hops;

static int on_phase(void *context, const np_event_phase *phase)
{
    hops *h = context;
    (void)phase;
    h->passed = h->steps;
    return 0;
}

static int on_events(void *context, size_t count, const np_event *event)
{
    hops *h = context;
    for (size_t i = 0; i < count; i++) {
        if (event[i].kind != NP_EVENT_MOVED)
            continue;
        assert_true(h->count < sizeof h->hop / sizeof *h->hop);
        h->steps = h->passed + event[i].step;
        h->hop[h->count++] = (hop){h->steps, event[i].link};
    }
    return 0;
}

/* Routes; the steps in all. */
static uint32_t route(const np_network *guest, const char *traffic, const char *scheme, uint64_t seed, hops *h)
{
    const np_observer observer = {.begin = on_phase, .events = on_events, .context = memset(h, 0, sizeof *h)};
    np_route_options options;
    np_route_result *result;
    np_route_options_init(&options);
    options.scheme = scheme;
    options.seed = seed;
    options.observer = &observer;
    assert_ok(np_route(guest, traffic, &options, &result));
    double steps = result->total_steps.mean, all = 0;
    for (size_t i = 0; i < result->phases; i++)
        all += result->phase[i].hops.mean;
    assert_true(all == (double)h->count);
    np_route_result_free(result);
    return (uint32_t)steps;
}

/* Of the hops with this step: how many paths over the busiest host link, or links of the longest path. */
static uint32_t least_of(const np_embedding *embedding, const hops *h, np_step step)
{
    uint32_t most = 0, *paths = calloc(np_network_link_numbers(np_embedding_host(embedding)), sizeof *paths);
    for (size_t i = 0; i < h->count; i++) {
        const np_link *link;
        if (h->hop[i].step != step)
            continue;
        size_t length = np_embedding_path(embedding, h->hop[i].link, &link);
        most = length > most ? (uint32_t)length : most;
        while (length--)
            most = ++paths[link[length]] > most ? paths[link[length]] : most;
    }
    free(paths);
    return most;
}

typedef struct setting {
    np_network *guest, *host;
    np_embedding *embedding;
    np_embedding_run_result *full;
} setting;

static setting set_up(const char *guest, const char *host)
{
    setting s = {.guest = support_network(guest), .host = support_network(host)};
    np_embedding_run_options options;
    np_embedding_run_options_init(&options);
    assert_ok(np_embedding_create(NULL, s.guest, s.host, 0, &s.embedding));
    assert_ok(np_embedding_run(s.embedding, &options, &s.full));
    return s;
}

static void tear_down(setting *s)
{
    np_embedding_run_result_free(s->full);
    np_embedding_free(s->embedding);
    np_network_free(s->guest);
    np_network_free(s->host);
}

static np_embedding_guest_result run(const setting *s, const char *traffic, const char *scheme, uint64_t seed)
{
    np_embedding_guest_options options;
    np_embedding_guest_result result;
    np_embedding_guest_options_init(&options);
    options.traffic = traffic;
    options.scheme = scheme;
    options.seed = seed;
    assert_ok(np_embedding_run_guest(s->embedding, s->full, &options, &result));
    return result;
}

static void a_subgraph_takes_no_more_steps(void **state)
{
    static const char *const cases[][4] = {
        {"mesh:5x6", "mesh:5x6", "random", NULL},
        {"mesh:8x8", "torus:8x8", "transpose", "grid"},
        {"ring:12", "mesh:3x4", "all-to-all", "greedy"},
        {"butterfly:4", "hypercube:6", "random", "valiant"},
        {"mesh:4x8", "hypercube:5", "random", "xy"},
        {"array:20", "mesh:4x5", "h-relation:3", "greedy"},
        {"binomial-tree:5", "hypercube:5", "random", "greedy"},
    };
    static hops h;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setting s = set_up(cases[i][0], cases[i][1]);
        uint32_t steps = route(s.guest, cases[i][2], cases[i][3], 1, &h);
        np_embedding_guest_result r = run(&s, cases[i][2], cases[i][3], 1);
        assert_int_equal(r.guest_steps, steps);
        assert_int_equal(r.busy_steps, steps);
        assert_int_equal(r.hops, h.count);
        assert_int_equal(r.scheduled_total, steps);
        assert_int_equal(r.queued_total, steps);
        assert_int_equal(r.least_total, steps);
        assert_int_equal(r.full_total, steps);
        assert_int_equal(r.queue_max, 1);
        tear_down(&s);
    }
}

/* Dilation and congestion 2: at most two steps for one, by the schedule of a full step. */
static void a_step_takes_what_its_links_need(void **state)
{
    static const char *const cases[][2] = {{"torus:4x5", "mesh:4x5"},     {"ring:9", "array:9"},
                                           {"torus:3x3x3", "mesh:3x3x3"}, {"tree:4", "hypercube:5"},
                                           {"ccc:5", "hypercube:8"},      {"ring:15", "mesh:3x5"}};
    static const char *const traffics[] = {"random", "h-relation:2", "partial:0.3"};
    static hops h;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (uint64_t seed = 1; seed <= 6; seed++) {
            const char *traffic = traffics[seed % 3];
            setting s = set_up(cases[i][0], cases[i][1]);
            uint32_t steps = route(s.guest, traffic, "valiant", seed, &h);
            np_embedding_guest_result r = run(&s, traffic, "valiant", seed);
            uint64_t least = 0;
            for (np_step t = 1; t <= steps; t++)
                least += least_of(s.embedding, &h, t);
            assert_int_equal(r.guest_steps, steps);
            assert_int_equal(r.least_total, least);
            assert_true(r.least_total <= r.scheduled_total && r.scheduled_total <= r.full_total);
            assert_int_equal(r.full_total, 2 * (uint64_t)r.busy_steps);
            assert_true(r.least_total <= r.queued_total);
            assert_true(r.queued_total <= 3 * (uint64_t)steps);
            tear_down(&s);
        }
}

static void schemes_off_line_and_files(void **state)
{
    char path[] = "/tmp/netpram-test-XXXXXX";
    int file = mkstemp(path);
    np_offline_options off_line;
    np_offline *offline;
    np_embedding_guest_options options;
    np_embedding_guest_result r;
    (void)state;
    assert_true(file >= 0);
    close(file);
    setting s = set_up("torus:6x6", "mesh:6x6");
    np_offline_options_init(&off_line);
    assert_ok(np_offline_find(s.guest, "random", &off_line, &offline));
    assert_ok(np_offline_save(offline, path));
    r = run(&s, "random", "offline", 1);
    assert_int_equal(r.packets, 36);
    assert_int_equal(r.guest_steps, offline->steps);
    assert_int_equal(r.hops, offline->hops);
    assert_true(r.scheduled_total <= 2 * (uint64_t)offline->steps);
    np_embedding_guest_options_init(&options);
    options.file = path;
    np_embedding_guest_result by_file;
    assert_ok(np_embedding_run_guest(s.embedding, s.full, &options, &by_file));
    assert_int_equal(by_file.packets, r.packets);
    assert_int_equal(by_file.guest_steps, r.guest_steps);
    assert_int_equal(by_file.hops, r.hops);
    assert_int_equal(by_file.scheduled_total, r.scheduled_total);
    assert_int_equal(by_file.queued_total, r.queued_total);
    assert_int_equal(by_file.least_total, r.least_total);
    options.seed = 2; /* another permutation: the hops are not its */
    assert_refused(np_embedding_run_guest(s.embedding, s.full, &options, &by_file), NP_ERROR_APPLY, path);
    options.file = "none.txt";
    assert_refused(np_embedding_run_guest(s.embedding, s.full, &options, &by_file), NP_ERROR_IO, "none.txt");
    np_offline_free(offline);
    tear_down(&s);
    unlink(path);
}

static void write_file(char *path, const char *text)
{
    FILE *file = fdopen(mkstemp(path), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/*
 * From node 0 of an array of three to node 2, with a long rest between; a hop that may not be is refused with its line.
 */
static void idle_steps_cost_nothing(void **state)
{
    char traffic[] = "/tmp/netpram-test-XXXXXX", right[] = "/tmp/netpram-test-XXXXXX",
         wrong[] = "/tmp/netpram-test-XXXXXX";
    char spec[64];
    np_embedding_guest_options options;
    np_embedding_guest_result r;
    setting s = set_up("array:3", "array:3");
    (void)state;
    write_file(traffic, "0 2\n");
    write_file(right, "7 0 1\n4000000000 0 3\n");
    write_file(wrong, "7 0 1\n8 0 1\n");
    snprintf(spec, sizeof spec, "file:%s", traffic);
    np_embedding_guest_options_init(&options);
    options.traffic = spec;
    options.file = right;
    assert_ok(np_embedding_run_guest(s.embedding, s.full, &options, &r));
    assert_true(r.guest_steps == 4000000000 && r.busy_steps == 2 && r.hops == 2);
    assert_true(r.queued_total == 2 && r.scheduled_total == 2 && r.full_total == 2);
    options.file = wrong;
    assert_refused(np_embedding_run_guest(s.embedding, s.full, &options, &r), NP_ERROR_APPLY,
                   ":2: packet 0 is at node 1");
    tear_down(&s);
    unlink(traffic);
    unlink(right);
    unlink(wrong);
}

static void nothing_to_move_costs_nothing(void **state)
{
    static const np_node same[] = {0, 0, 0};
    np_embedding_run_options full;
    setting s = set_up("array:3", "array:3");
    np_embedding_guest_result r = run(&s, "rotation:0", "greedy", 1);
    (void)state;
    assert_int_equal(r.packets, 3);
    assert_true(r.guest_steps == 0 && r.busy_steps == 0 && r.queued_total == 0 && r.least_total == 0);
    np_embedding_free(s.embedding);
    np_embedding_run_result_free(s.full);
    np_embedding_run_options_init(&full);
    assert_ok(np_embedding_from_map(s.guest, s.host, same, false, 0, &s.embedding)); /* all at one node */
    assert_ok(np_embedding_run(s.embedding, &full, &s.full));
    r = run(&s, "random", "greedy", 1);
    assert_true(r.guest_steps > 0 && r.busy_steps == r.guest_steps);
    assert_true(r.scheduled_total == 0 && r.queued_total == 0 && r.least_total == 0);
    tear_down(&s);
}

static int stop(void *context, const np_progress *progress)
{
    unsigned *told = context;
    (void)progress;
    return ++*told == 3;
}

static void refusals(void **state)
{
    np_embedding_guest_options options;
    np_embedding_guest_result r;
    setting s = set_up("butterfly:3", "hypercube:5");
    (void)state;
    np_embedding_guest_options_init(&options);
    options.scheme = "ranked";
    assert_refused(np_embedding_run_guest(s.embedding, s.full, &options, &r), NP_ERROR_APPLY,
                   "its packets move over a leveled network");
    options.scheme = "vailant";
    assert_refused(np_embedding_run_guest(s.embedding, s.full, &options, &r), NP_ERROR_INPUT, "did you mean 'valiant'");
    options.scheme = "valiant";
    options.traffic = "randon";
    assert_refused(np_embedding_run_guest(s.embedding, s.full, &options, &r), NP_ERROR_INPUT, "did you mean 'random'");
    options.traffic = "random";
    unsigned told = 0;
    options.watch = (np_watch){stop, &told};
    assert_refused(np_embedding_run_guest(s.embedding, s.full, &options, &r), NP_ERROR_CANCELLED, "cancelled");
    assert_int_equal(told, 3);
    tear_down(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_subgraph_takes_no_more_steps), cmocka_unit_test(a_step_takes_what_its_links_need),
        cmocka_unit_test(schemes_off_line_and_files),     cmocka_unit_test(idle_steps_cost_nothing),
        cmocka_unit_test(nothing_to_move_costs_nothing),  cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
