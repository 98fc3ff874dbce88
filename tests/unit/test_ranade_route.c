/*
 * Routing by the six phases (scheme `ranade`): the engine with targets against
 * switches that read the target off the message, and the scheme's measures against what is known of them.
 */
#include "base/polynomial.h"
#include "model/leveled/six_phases.h"
#include "engine/merging/ranade.h"
#include "oracle/ranade.h"
#include "support.h"

enum { N_MOST = 4, MOST = N_MOST << N_MOST };

static uint64_t seed;

static uint32_t below(uint32_t bound)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((seed >> 33) * bound >> 31);
}

/* Message k, in order of tags, from processor[k] by module[k] to target[k]. */
typedef struct trial {
    uint32_t n, b, count;
    uint32_t begin[MOST + 1], processor[MOST], module[MOST], target[MOST], home[MOST];
} trial;

static void shuffle(uint32_t *number, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        number[i] = i;
    for (uint32_t i = count; i > 1; i--) {
        uint32_t j = below(i), here = number[i - 1];
        number[i - 1] = number[j];
        number[j] = here;
    }
}

/* kind 0: a random permutation; 1: identity; 2: rows and columns backwards; 3: a part of one, all by one module. */
static void draw_trial(trial *t, uint32_t n, uint32_t b, unsigned kind)
{
    uint32_t all = n << n;
    *t = (trial){.n = n, .b = b, .count = kind == 3 ? all / 2 : all};
    shuffle(t->processor, all);
    shuffle(t->target, all);
    for (uint32_t k = 0; k < all; k++) {
        t->begin[k] = k;
        t->module[k] = kind == 3 ? all / 3 : below(all);
        if (kind == 1 || kind == 2)
            t->target[k] = kind == 1 ? t->processor[k] : all - 1 - t->processor[k];
    }
    t->begin[t->count] = t->count;
}

static void ask_oracle(const trial *t, np_word *home, oracle_ranade_outcome *want)
{
    np_request request[MOST];
    uint64_t module[MOST], order[MOST];
    uint32_t target[MOST];
    size_t all = (size_t)t->n << t->n;
    np_store *store;
    assert_ok(np_store_create(NP_RULE_CREW, &store));
    assert_ok(np_store_grow(store, all));
    assert_ok(np_store_begin(store, all, 0));
    /* The oracle has a request for each processor, in their order: those of whom no message is known send nothing. */
    assert_int_equal(t->count, all);
    for (uint32_t k = 0; k < t->count; k++) {
        uint32_t p = t->processor[k];
        request[p] = (np_request){.address = k, .kind = NP_ACCESS_READ};
        module[p] = t->module[k];
        order[p] = k;
        target[p] = t->target[k];
    }
    oracle_ranade_batch batch = {.n = t->n,
                                 .queue_size = t->b,
                                 .share = 1,
                                 .rule = NP_RULE_CREW,
                                 .count = all,
                                 .request = request,
                                 .module = module,
                                 .order = order,
                                 .store = store,
                                 .target = target};
    np_word by_processor[MOST];
    oracle_ranade(&batch, by_processor, want);
    for (uint32_t k = 0; k < t->count; k++)
        home[k] = by_processor[t->processor[k]];
    np_store_free(store);
}

static void send(trial *t, np_ranade_record *record, np_ranade_run *run)
{
    np_ranade *ranade;
    np_ranade_job job = {.tags = t->count,
                         .module = t->module,
                         .begin = t->begin,
                         .processor = t->processor,
                         .target = t->target,
                         .home = t->home};
    memset(t->home, 0xff, sizeof t->home);
    assert_ok(np_ranade_create(t->n, t->b, &ranade));
    assert_ok(np_ranade_send(ranade, &job, record, run));
    np_ranade_free(ranade);
    assert_int_equal(run->replies, t->count);
    assert_int_equal(run->combined, 0);
    assert_false(run->abandoned);
    assert_true(run->queue_max <= t->b);
}

/* Where and when the record says that a message was selected. */
static bool selected(const trial *t, const np_ranade_record *record, uint64_t step, uint32_t c, uint32_t r, uint32_t k)
{
    return record->selected[((step * (6 * t->n + 1) + c) << t->n) + r] == 2 * k + 2;
}

/* Every message is taken at its target, in the step it is said to be, and none before it could be. */
static void check_arrivals(const trial *t, const np_ranade_record *record, const np_ranade_run *run)
{
    uint32_t last = 0;
    for (uint32_t k = 0; k < t->count; k++) {
        uint32_t row = t->target[k] / t->n, column = 6 * t->n - t->target[k] % t->n;
        assert_in_range(t->home[k], column, run->steps - 1);
        assert_true(selected(t, record, t->home[k], column, row, k));
        for (uint64_t s = 0; s < run->steps; s++) /* it goes no further, and nowhere else */
            for (uint32_t r = 0; r < 1U << t->n; r++)
                assert_false((r != row || s != t->home[k]) && selected(t, record, s, column, r, k));
        last = t->home[k] > last ? t->home[k] : last;
    }
    assert_int_equal(last + 1, run->steps);
}

static void all_arrive(void **state)
{
    (void)state;
    seed = 1;
    for (uint32_t n = 1; n <= N_MOST; n++)
        for (uint32_t b = 1; b <= 4; b++)
            for (unsigned kind = 0; kind < 4; kind++) {
                np_ranade_record record = {0};
                np_ranade_run run;
                trial t;
                draw_trial(&t, n, b, kind);
                send(&t, &record, &run);
                check_arrivals(&t, &record, &run);
                np_ranade_record_clear(&record);
            }
}

static void as_switches_that_read_targets(void **state)
{
    (void)state;
    seed = 2;
    for (unsigned i = 0; i < 48; i++) {
        np_ranade_record record = {0};
        oracle_ranade_outcome want;
        np_ranade_run run;
        np_word home[MOST];
        trial t;
        draw_trial(&t, 1 + i % N_MOST, 1 + i / N_MOST % 4, i % 3);
        ask_oracle(&t, home, &want);
        send(&t, &record, &run);
        assert_int_equal(run.steps, want.steps);
        assert_int_equal(run.ghosts, want.ghosts);
        assert_int_equal(run.queue_max, want.queue_max);
        assert_memory_equal(record.selected, want.selected, run.steps * (6 * t.n + 1) * sizeof *want.selected << t.n);
        for (uint32_t k = 0; k < t.count; k++)
            assert_int_equal(t.home[k], home[k]);
        np_ranade_record_clear(&record);
        free(want.selected);
    }
}

/* The node of a processor, by search. */
static np_node node_of(uint32_t n, uint32_t processor)
{
    np_node u = 0;
    while (np_six_phases_processor(n, u) != processor)
        u++;
    return u;
}

/* An edge from logical column c to the next one, in row r, is a link of the network. */
static void check_edge(const np_network *network, uint32_t n, uint32_t c, uint32_t r, uint32_t across)
{
    bool up = c < 3 * n;
    uint32_t level = up ? c % n : (6 * n - c) % n, next = up ? (c + 1) % n : (6 * n - c - 1) % n, linked = 0;
    np_node from = node_of(n, r * n + level), to = node_of(n, (r ^ across) * n + next);
    for (np_port port = 0; port < 4; port++)
        linked += np_network_link_head(network, np_network_link_at(network, from, port)) == to;
    assert_true(linked > 0);
}

static void edges_are_links(void **state)
{
    (void)state;
    for (uint32_t n = 3; n <= 4; n++) {
        char spec[16];
        snprintf(spec, sizeof spec, "butterfly:%u", n);
        np_network *network = support_network(spec);
        for (uint32_t c = 0; c < 6 * n; c++)
            for (uint32_t r = 0; r < 1U << n; r++) {
                check_edge(network, n, c, r, 0);
                if (c >= n && c < 2 * n)
                    check_edge(network, n, c, r, 1U << (c - n));
                if (c >= 4 * n && c < 5 * n)
                    check_edge(network, n, c, r, 1U << (5 * n - 1 - c));
            }
        np_network_free(network);
    }
}

/* The row of a message in column c of its way by module <., by> to a target in row `to`. */
static uint32_t row_in(uint32_t n, uint32_t c, uint32_t from, uint32_t by, uint32_t to)
{
    uint32_t done = c <= n ? 0 : c < 2 * n ? c - n : n;         /* low bits that are the module's */
    uint32_t back = c <= 4 * n ? 0 : c < 5 * n ? c - 4 * n : n; /* high bits that are the target's */
    uint32_t low = (1U << done) - 1, high = ((1U << back) - 1) << (n - back), row = (by & low) | (from & ~low);
    return (to & high) | (row & ~high);
}

/* Most messages over one edge of the logical network, with the hash function drawn here. */
static uint32_t congestion_of(const np_traffic *traffic, uint32_t n, uint64_t traffic_seed)
{
    uint64_t coefficient[8 * 6];
    np_draws draws = {.seed = traffic_seed, .purpose = NP_RANDOM_HASH};
    uint32_t most = 0, rows = 1U << n, *count = calloc((size_t)6 * n * rows * rows, sizeof *count);
    np_polynomial_draw(&draws, 0, 8 * n, coefficient);
    for (np_packet p = 0; p < np_traffic_packets(traffic); p++) {
        uint32_t from = np_six_phases_processor(n, np_traffic_sources(traffic)[p]);
        uint32_t to = np_six_phases_processor(n, np_traffic_destinations(traffic)[p]);
        uint32_t by = (uint32_t)(np_polynomial_at(coefficient, 8 * n, p) % (n << n)) & (rows - 1);
        for (uint32_t c = from % n; c < 6 * n - to % n; c++) {
            uint32_t tail = row_in(n, c, from / n, by, to / n), head = row_in(n, c + 1, from / n, by, to / n);
            uint32_t here = ++count[((size_t)c * rows + tail) * rows + head];
            most = here > most ? here : most;
        }
    }
    free(count);
    return most;
}

/* The figures of a run follow from where packets begin and end. */
static void measures(void **state)
{
    static const char *const traffics[] = {"random", "identity", "partial:0.4", "h-relation:3", "hotspot:0"};
    (void)state;
    for (uint32_t n = 3; n <= 6; n++)
        for (uint32_t b = 1; b <= 4; b++)
            for (size_t i = 0; i < sizeof traffics / sizeof *traffics; i++) {
                char spec[16];
                np_route_options options;
                np_route_result *result;
                np_traffic *traffic;
                snprintf(spec, sizeof spec, "butterfly:%u", n);
                np_network *network = support_network(spec);
                np_route_options_init(&options);
                options.scheme = "ranade";
                options.merge.queue_size = b;
                assert_ok(np_traffic_create(traffics[i], network, 5, 0, &traffic));
                assert_ok(np_route_traffic(network, traffic, &options, &result));
                const np_phase_run *run = &result->phase[0].run[0];
                uint64_t hops = 0;
                for (np_packet p = 0; p < np_traffic_packets(traffic); p++)
                    hops += 6 * n - np_traffic_sources(traffic)[p] % n - np_traffic_destinations(traffic)[p] % n;
                assert_int_equal(run->packets, np_traffic_packets(traffic));
                assert_int_equal(run->hops, hops);
                assert_int_equal(run->congestion, congestion_of(traffic, n, options.seed));
                assert_int_equal(run->levels, 6 * n);
                assert_in_range(run->queue_real_max, 1, b);
                assert_in_range(run->steps, 5 * n + 2, 6 * n + 1 + run->delay_max);
                assert_true(run->congestion <= run->steps && run->delay_max < run->steps);
                np_route_result_free(result);
                np_traffic_free(traffic);
                np_network_free(network);
            }
}

/* A message alone. */
static void one_is_not_delayed(void **state)
{
    (void)state;
    np_network *network = support_network("butterfly:4");
    np_route_options options;
    np_route_options_init(&options);
    options.scheme = "ranade";
    for (np_node u = 0; u < np_network_nodes(network); u++) {
        np_node to = (u * 29 + 11) % np_network_nodes(network);
        np_traffic *traffic;
        np_route_result *result;
        assert_ok(np_traffic_from_arrays(network, 1, &u, &to, NULL, &traffic));
        assert_ok(np_route_traffic(network, traffic, &options, &result));
        assert_int_equal(result->phase[0].run[0].steps, 24 - to % 4 + 1);
        assert_int_equal(result->phase[0].run[0].delay_max, 0);
        assert_int_equal(result->phase[0].run[0].congestion, 1);
        np_route_result_free(result);
        np_traffic_free(traffic);
    }
    np_network_free(network);
}

static void refusals(void **state)
{
    (void)state;
    np_network *network = support_network("butterfly:3"), *cube = support_network("hypercube:3");
    np_route_options options;
    np_route_result *result;
    np_route_options_init(&options);
    options.scheme = "ranade";
    assert_refused(np_route(cube, "random", &options, &result), NP_ERROR_APPLY, "round a wrapped butterfly");
    options.queue = "fifo";
    assert_refused(np_route(network, "random", &options, &result), NP_ERROR_APPLY,
                   "queue: is for scheme 'valiant', 'greedy', not for 'ranade'");
    options.queue = NULL;
    options.merge.room = NP_ROOM_FREED;
    assert_refused(np_route(network, "random", &options, &result), NP_ERROR_APPLY,
                   "room: is for scheme 'ranked', 'waves', not for 'ranade'");
    options.merge.room = NP_ROOM_BEGIN;
    options.merge.combine = NP_COMBINE_SUM;
    assert_refused(np_route(network, "random", &options, &result), NP_ERROR_APPLY,
                   "combine: is for scheme 'ranked', not for 'ranade'");
    options.merge.combine = NP_COMBINE_NONE;
    options.memory_limit = 1000;
    assert_refused(np_route(network, "random", &options, &result), NP_ERROR_LIMIT, "MB of memory, 1.00 kB are allowed");
    assert_ok(np_scheme_heeds("ranade", "queue-size"));
    assert_refused(np_scheme_heeds("ranade", "room"), NP_ERROR_APPLY, "not for 'ranade'");
    assert_ok(np_scheme_heeds("ranade", "seed")); /* for all schemes */
    assert_refused(np_scheme_heeds("ranade", "nope"), NP_ERROR_INPUT, "no option 'nope'");
    np_network_free(network);
    np_network_free(cube);
}

/* What a result says of the emulation is what its leveled network has, and no run has more hops than its levels. */
static void emulation_is_that_of_the_leveled_network(void **state)
{
    (void)state;
    for (uint32_t n = 3; n <= 7; n++) {
        char spec[16];
        snprintf(spec, sizeof spec, "butterfly:%u", n);
        np_network *network = support_network(spec);
        np_route_options options;
        np_route_result *result;
        np_leveled *leveled;
        np_emulation emulation;
        np_route_options_init(&options);
        options.scheme = "ranade";
        assert_ok(np_route(network, "random", &options, &result));
        assert_ok(np_six_phases_create(network, &leveled));
        assert_ok(np_leveled_emulation(leveled, &emulation));
        assert_int_equal(leveled->depth, result->phase[0].run[0].levels);
        assert_int_equal(emulation.nodes_per_node, result->phase[0].emulation.nodes_per_node);
        assert_int_equal(emulation.links_per_link, result->phase[0].emulation.links_per_link);
        assert_int_equal(emulation.steps, result->phase[0].emulation.steps);
        assert_int_equal(np_leveled_degree(leveled), result->phase[0].emulation.degree);
        np_leveled sizes = np_six_phases_sizes(network);
        assert_int_equal(np_leveled_bytes(&sizes), np_leveled_bytes(leveled));
        assert_true(leveled->nodes == sizes.nodes && leveled->edges == sizes.edges && leveled->rows == sizes.rows);
        np_leveled_free(leveled);
        np_route_result_free(result);
        np_network_free(network);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(emulation_is_that_of_the_leveled_network),
        cmocka_unit_test(all_arrive),
        cmocka_unit_test(as_switches_that_read_targets),
        cmocka_unit_test(edges_are_links),
        cmocka_unit_test(measures),
        cmocka_unit_test(one_is_not_delayed),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
