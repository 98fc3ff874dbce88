/*
 * Scheme `deal`. Its ways, and what it takes, are counted here from the hops that observers see; that hops keep the
 * rules of the model is judged by tests/prop/test_traces.c. The numbers of packets are judged by their definition:
 * those of a block and a strip are successive, whatever links are taken.
 */
#include "support.h"

#include "base/memory.h"
#include "papers/grids/deal_numbers.h"

enum { NONE, COLUMN, ROW, COLUMN_AGAIN, WRONG };

typedef struct seen {
    uint32_t side, longest;
    uint8_t *leg;   /* [packets] */
    uint32_t *hops; /* [packets] */
    size_t wrong;
} seen;

static int on_events(void *context, size_t count, const np_event *event)
{
    seen *s = context;
    for (size_t i = 0; i < count; i++) {
        const np_event *e = &event[i];
        if (e->kind != NP_EVENT_MOVED)
            continue;
        bool along_row = e->from / s->side == e->to / s->side;
        uint8_t *leg = &s->leg[e->packet];
        if (along_row)
            *leg = *leg <= ROW ? ROW : WRONG;
        else
            *leg = *leg <= COLUMN ? COLUMN : *leg <= COLUMN_AGAIN ? COLUMN_AGAIN : WRONG;
        s->wrong += *leg == WRONG;
        s->hops[e->packet]++;
        s->longest = s->hops[e->packet] > s->longest ? s->hops[e->packet] : s->longest;
    }
    return 0;
}

static np_phase_run route(uint32_t n, const char *traffic, uint32_t *longest)
{
    char spec[32];
    snprintf(spec, sizeof spec, "mesh:%ux%u", n, n);
    np_network *network = support_network(spec);
    np_route_options options;
    np_route_result *result;
    seen s = {.side = n};
    np_route_options_init(&options);
    options.scheme = "deal";
    np_traffic *made = support_traffic(network, traffic, 1);
    s.leg = calloc(np_traffic_packets(made), sizeof *s.leg);
    s.hops = calloc(np_traffic_packets(made), sizeof *s.hops);
    const np_observer observer = {.kinds = 1 << NP_EVENT_MOVED, .events = on_events, .context = &s};
    options.observer = &observer;
    assert_ok(np_route(network, traffic, &options, &result));
    np_phase_run run = result->phase[0].run[0];
    assert_int_equal(s.wrong, 0);
    *longest = s.longest;
    free(s.leg);
    free(s.hops);
    np_traffic_free(made);
    np_route_result_free(result);
    np_network_free(network);
    return run;
}

/* The table of docs/meshes.md: the most of these. */
static void permutations_take_what_the_page_says(void **state)
{
    static const struct {
        uint32_t n;
        int over; /* 2n */
        uint32_t population, queue;
    } rows[] = {{8, -2, 5, 3}, {16, 5, 7, 4}, {32, 4, 7, 4}, {64, 1, 7, 4}, {128, 1, 8, 4}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t n = rows[i].n, shifts[] = {n * (n + 1) / 2, n / 2, n * n / 2 + 1, n * n / 4 + n / 2, n - 1, n * n / 3};
        int over = -9999;
        uint32_t population = 0, queue = 0;
        for (size_t t = 0; t < 4 + sizeof shifts / sizeof *shifts; t++) {
            static const char *const named[] = {"transpose", "complement", "bit-reversal", "random"};
            char traffic[32];
            uint32_t longest;
            snprintf(traffic, sizeof traffic, "rotation:%u", t < 4 ? 0 : shifts[t - 4]);
            const np_phase_run run = route(n, t < 4 ? named[t] : traffic, &longest);
            over = (int)run.steps - 2 * (int)n > over ? (int)run.steps - 2 * (int)n : over;
            population = run.population_max > population ? run.population_max : population;
            queue = run.queue_max > queue ? run.queue_max : queue;
            assert_true(longest <= 2 * n - 2); /* rows are chosen in time */
            assert_true(run.hops + run.delay_sum >= run.hops && run.packets == n * n);
        }
        assert_int_equal(over, rows[i].over);
        assert_true(population <= rows[i].population && queue <= rows[i].queue);
    }
}

/* Sides that no block divides, packets that stay, and several packets a node. */
static void any_traffic_arrives(void **state)
{
    static const char *const traffics[] = {"identity",        "random",    "h-relation:4",
                                           "repeat:2:random", "hotspot:3", "partial:0.3"};
    static const uint32_t sides[] = {3, 4, 5, 7, 9, 10, 18, 33};
    (void)state;
    for (size_t s = 0; s < sizeof sides / sizeof *sides; s++)
        for (size_t t = 0; t < sizeof traffics / sizeof *traffics; t++) {
            uint32_t longest;
            const np_phase_run run = route(sides[s], traffics[t], &longest);
            assert_true(t > 0 || run.steps == 0);
            assert_true(run.steps >= longest);
        }
}

static void it_beats_spread_turns_where_that_is_slow(void **state)
{
    uint32_t longest;
    (void)state;
    assert_int_equal(route(16, "rotation:136", &longest).steps, 37);
    assert_int_equal(route(32, "rotation:528", &longest).steps, 68); /* 76 by spread-turns */
}

/* ---- Numbers ---- */

typedef struct counting {
    np_network *network;
    np_grid_queues queues;
    np_deal_numbers numbers;
    void *block;
} counting;

static void layout(void *object, np_arena *arena)
{
    counting *c = object;
    np_grid_queues_layout(&c->queues, arena);
    np_deal_numbers_layout(&c->numbers, arena);
}

/* Packets from and to any nodes, up to two a node on average. */
static void begin(counting *c, uint32_t n, uint64_t *lots)
{
    char spec[32];
    snprintf(spec, sizeof spec, "mesh:%ux%u", n, n);
    c->network = support_network(spec);
    c->queues = np_grid_queues_sizes(&(const np_route_plan){.network = c->network, .packets = 2 * n * n, .phases = 1});
    c->numbers = np_deal_numbers_sizes(c->network);
    assert_ok(np_arena_place(c, layout, "a count", &c->block));
    for (np_packet p = 0; p < c->queues.packets; p++) {
        c->queues.at[p] = support_lot(lots, n * n);
        c->queues.to[p] = support_lot(lots, n * n);
    }
    c->queues.moves = c->queues.step = 0;
    np_deal_numbers_begin(&c->numbers, &c->queues);
}

/* A step in which packets take each link with probability 1 / one_in; 0: none. */
static void step(counting *c, uint32_t one_in, uint64_t *lots)
{
    c->queues.step++;
    c->queues.moves = 0;
    for (np_link l = 0; l < c->queues.links && one_in && c->queues.moves < c->queues.packets; l++)
        if (support_lot(lots, one_in) == 0)
            c->queues.over[c->queues.moves++] = l;
    np_deal_numbers_step(&c->numbers);
}

static void end(counting *c)
{
    np_memory_free(c->block);
    np_network_free(c->network);
}

/* The numbers of each block and strip are low .. low + count - 1, each once. Returns how many are not known. */
static size_t judge(counting *c, uint32_t n)
{
    uint32_t b = c->numbers.width, s = (n + b - 1) / b;
    size_t groups = (size_t)s * s * s, most = c->queues.packets, unknown = 0;
    int32_t *low = calloc(groups, sizeof *low), *high = calloc(groups, sizeof *high);
    uint32_t *count = calloc(groups, sizeof *count);
    uint8_t *met = calloc(groups * (2 * most + 1), 1);
    for (np_packet p = 0; p < c->queues.packets; p++) {
        np_node at = c->queues.at[p], to = c->queues.to[p];
        size_t group = ((size_t)(at / n / b) * s + at % n / b) * s + to % n / b;
        int32_t number;
        if (!np_deal_numbers_take(&c->numbers, p, &number)) {
            unknown++;
            continue;
        }
        assert_true((uint32_t)(number + (int32_t)most) <= 2 * most);
        assert_int_equal(met[group * (2 * most + 1) + (size_t)(number + (int32_t)most)]++, 0);
        low[group] = !count[group] || number < low[group] ? number : low[group];
        high[group] = !count[group] || number > high[group] ? number : high[group];
        count[group]++;
    }
    for (size_t g = 0; g < groups && !unknown; g++)
        assert_true(!count[g] || high[g] - low[g] + 1 == (int32_t)count[g]);
    free(low);
    free(high);
    free(count);
    free(met);
    return unknown;
}

static void numbers_are_successive_and_in_time(void **state)
{
    uint64_t lots = 4;
    (void)state;
    for (uint32_t n = 3; n < 36; n++) {
        counting c = {0};
        begin(&c, n, &lots);
        for (uint32_t t = 0; t < np_deal_numbers_steps(&c.numbers); t++)
            step(&c, 0, &lots);
        assert_int_equal(judge(&c, n), 0);
        end(&c);
    }
}

static void packets_in_the_way_only_delay(void **state)
{
    uint64_t lots = 6;
    size_t late = 0;
    (void)state;
    for (uint32_t n = 5; n < 36; n += 3) {
        counting c = {0};
        begin(&c, n, &lots);
        for (uint32_t t = 0; t < np_deal_numbers_steps(&c.numbers); t++)
            step(&c, 2, &lots);
        late += judge(&c, n);
        end(&c);
        begin(&c, n, &lots);
        for (uint32_t t = 0; t < 8 * np_deal_numbers_steps(&c.numbers); t++)
            step(&c, 2, &lots);
        assert_int_equal(judge(&c, n), 0);
        end(&c);
    }
    assert_true(late > 0);
}

static void others_are_refused(void **state)
{
    static const char *const specs[] = {"mesh:4x5", "mesh:2x2", "torus:4x4", "mesh:4x4x4", "array:9"};
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        np_network *network = support_network(specs[i]);
        assert_refused(np_scheme_applies("deal", network), NP_ERROR_APPLY, i == 1 ? "at least 3" : "n x n");
        np_network_free(network);
    }
}

static void memory_may_be_short(void **state)
{
    np_network *network = support_network("mesh:4x4");
    np_route_options options;
    (void)state;
    np_route_options_init(&options);
    options.scheme = "deal";
    support_assert_route_without_memory(network, "random", options, 5);
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(permutations_take_what_the_page_says),
        cmocka_unit_test(any_traffic_arrives),
        cmocka_unit_test(it_beats_spread_turns_where_that_is_slow),
        cmocka_unit_test(numbers_are_successive_and_in_time),
        cmocka_unit_test(packets_in_the_way_only_delay),
        cmocka_unit_test(others_are_refused),
        cmocka_unit_test(memory_may_be_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
