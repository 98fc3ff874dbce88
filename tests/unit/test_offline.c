/* Permutations off line: rows, schedules on products and complete networks, their files, and the scheme. */
#include "base/memory.h"
#include "papers/offline/line.h"
#include "papers/offline/replay.h"
#include "support.h"

static np_offline_options options;

/* ---- One row ---- */

enum { ROW_MAX = 8 };

/* A judge of hops on a row, which takes the positions from the hops alone. */
typedef struct row_judge {
    uint32_t nodes, at[ROW_MAX], moved[ROW_MAX], made[ROW_MAX], crossed[2 * ROW_MAX], hops;
    bool ring, used[64][2 * ROW_MAX];
} row_judge;

static void judge_hop(void *context, np_step step, uint32_t began, uint32_t place, bool up)
{
    row_judge *j = context;
    uint32_t link = 2 * place + up;
    assert_true(step < 64 && j->moved[began] < step);
    assert_int_equal(j->at[began], place);
    assert_false(j->used[step][link]);
    j->used[step][link] = true;
    j->moved[began] = step;
    assert_true(j->ring || (up ? place + 1 < j->nodes : place > 0));
    j->at[began] = (place + (up ? 1 : j->nodes - 1)) % j->nodes;
    j->made[began]++;
    j->crossed[link]++;
    j->hops++;
}

/* The next permutation in lexical order; false after the last. */
static bool advance(uint32_t n, uint32_t *to)
{
    uint32_t i = n - 1, j = n - 1, low, high;
    while (i && to[i - 1] > to[i])
        i--;
    if (!i)
        return false;
    while (to[j] < to[i - 1])
        j--;
    high = to[j], to[j] = to[i - 1], to[i - 1] = high;
    for (low = i, high = n - 1; low < high; low++, high--) {
        uint32_t kept = to[low];
        to[low] = to[high];
        to[high] = kept;
    }
    return true;
}

static np_step route_row(np_line *line, const uint32_t *to, const bool *real)
{
    row_judge judge = {.nodes = line->nodes, .ring = line->ring};
    uint32_t delay[ROW_MAX], packets = 0;
    np_line_run run, silent;
    for (uint32_t i = 0; i < line->nodes; i++) {
        judge.at[i] = i;
        packets += real[i];
    }
    line->on_hop = NULL;
    assert_ok(np_line_route(line, to, real, delay, &silent));
    line->on_hop = judge_hop;
    line->context = &judge;
    assert_ok(np_line_route(line, to, real, delay, &run));
    assert_memory_equal(&run, &silent, sizeof run);
    uint32_t congestion = 0;
    for (uint32_t i = 0; i < line->nodes; i++)
        if (real[i]) {
            assert_int_equal(judge.at[i], to[i]);
            assert_int_equal(delay[i], judge.moved[i] - judge.made[i]);
        }
    for (uint32_t link = 0; link < 2 * line->nodes; link++)
        congestion = judge.crossed[link] > congestion ? judge.crossed[link] : congestion;
    assert_int_equal(run.congestion, congestion);
    assert_int_equal(judge.hops, run.hops);
    assert_true(run.steps <= np_line_bound(line->rule, line->nodes, line->ring));
    assert_true(run.population_max <= (line->rule == NP_LINE_EXCHANGE ? 1 : 3));
    assert_true(run.population_max || !packets);
    return run.steps;
}

/* Every permutation of up to 7 nodes, and every partial one of up to 5; the worst takes exactly the bound. */
static void rows(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 7; n++)
        for (int kind = 0; kind < 4; kind++) {
            np_line line;
            np_line_rule rule = kind % 2 ? NP_LINE_STRAIGHT : NP_LINE_EXCHANGE;
            bool ring = kind / 2;
            np_step worst = 0;
            uint32_t to[ROW_MAX];
            assert_ok(np_line_init(&line, n, ring, rule));
            for (uint32_t i = 0; i < n; i++)
                to[i] = i;
            do {
                for (uint32_t mask = n <= 5 ? 0 : (1u << n) - 1; mask < 1u << n; mask++) {
                    bool real[ROW_MAX];
                    for (uint32_t i = 0; i < n; i++)
                        real[i] = mask >> i & 1;
                    np_step steps = route_row(&line, to, real);
                    worst = steps > worst ? steps : worst;
                }
            } while (advance(n, to));
            assert_int_equal(worst, np_line_bound(rule, n, ring));
            np_line_clear(&line);
        }
}

static void count_hop(void *context, np_step step, uint32_t began, uint32_t place, bool up)
{
    (void)step, (void)began, (void)place, (void)up;
    ++*(uint64_t *)context;
}

/* Routes a row of `nodes` nodes that reverses its last `turned`, in 16 bits if they suffice, and with the hops told,
 * in 32. */
static void route_long_row(uint32_t nodes, uint32_t turned)
{
    uint32_t *to = malloc(nodes * sizeof *to), *silent = malloc(nodes * sizeof *silent);
    uint32_t *delay = malloc(nodes * sizeof *delay);
    bool *real = malloc(nodes * sizeof *real);
    np_line_run run, other;
    np_line line;
    uint64_t hops = 0;
    for (uint32_t i = 0; i < nodes; i++) {
        to[i] = i < nodes - turned ? i : nodes - 1 - (i - (nodes - turned));
        real[i] = true;
    }
    assert_ok(np_line_init(&line, nodes, false, NP_LINE_EXCHANGE));
    assert_ok(np_line_route(&line, to, real, silent, &run));
    line.on_hop = count_hop;
    line.context = &hops;
    assert_ok(np_line_route(&line, to, real, delay, &other));
    np_line_clear(&line);
    assert_memory_equal(&run, &other, sizeof run);
    assert_memory_equal(silent, delay, nodes * sizeof *delay);
    assert_int_equal(run.hops, (uint64_t)turned * (turned - 1));
    assert_int_equal(run.hops, hops);
    assert_true(run.steps <= turned + 1);
    free(to), free(silent), free(delay), free(real);
}

/* The longest row of 16-bit words, and the next one. */
static void long_rows(void **state)
{
    (void)state;
    route_long_row(1000, 1000);
    route_long_row(1 << 15, 20);
    route_long_row((1 << 15) + 1, 20);
}

static uint32_t rank_of(uint32_t n, const uint32_t *to)
{
    uint32_t rank = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t smaller = 0;
        for (uint32_t j = i + 1; j < n; j++)
            smaller += to[j] < to[i];
        rank = rank * (n - i) + smaller;
    }
    return rank;
}

/*
 * By search over all arrangements, from each by all sets of exchanges: with
 * exactly one packet at every node of an array at every instant some
 * permutation needs n steps (1 for n = 2), and none more. So n - 1 steps is not to be had.
 */
static void exchanges_needed(void **state)
{
    enum { N_MAX = 6, ALL = 720 };
    static uint32_t queue[ALL][N_MAX];
    (void)state;
    for (uint32_t n = 2; n <= N_MAX; n++) {
        uint32_t distance[ALL], head = 0, tail = 1;
        memset(distance, 0xff, sizeof distance);
        for (uint32_t i = 0; i < n; i++)
            queue[0][i] = i;
        distance[0] = 0;
        for (; head < tail; head++)
            for (uint32_t set = 1; set < 1u << (n - 1); set++) { /* bit i: exchange i and i + 1 */
                uint32_t next[N_MAX];
                if (set & set >> 1)
                    continue;
                memcpy(next, queue[head], sizeof next);
                for (uint32_t i = 0; i + 1 < n; i++)
                    if (set >> i & 1) {
                        next[i] = queue[head][i + 1];
                        next[i + 1] = queue[head][i];
                    }
                uint32_t rank = rank_of(n, next);
                if (distance[rank] != UINT32_MAX)
                    continue;
                distance[rank] = distance[rank_of(n, queue[head])] + 1;
                memcpy(queue[tail++], next, sizeof next);
            }
        assert_int_equal(distance[rank_of(n, queue[tail - 1])], n == 2 ? 1 : n);
    }
}

/* What is no permutation is found out. */
static void row_refuses(void **state)
{
    static const uint32_t twice[] = {1, 1, 0}, beyond[] = {0, 1, 3};
    static const bool real[] = {true, true, true};
    uint32_t delay[3];
    np_line_run run;
    np_line line;
    (void)state;
    assert_ok(np_line_init(&line, 3, false, NP_LINE_STRAIGHT));
    assert_refused(np_line_route(&line, twice, real, delay, &run), NP_ERROR_INTERNAL, "place 1 is that of two");
    assert_refused(np_line_route(&line, beyond, real, delay, &run), NP_ERROR_INTERNAL, "place 3 is none");
    np_line_clear(&line);
}

/* ---- Schedules ---- */

/* Plays the hops over, by tables that share nothing with the replay engine. */
static void judge(const np_network *network, const np_traffic *traffic, const np_offline *offline, bool one)
{
    uint32_t *at = calloc(offline->packets + 1, sizeof *at), nodes = np_network_nodes(network);
    uint32_t *held = calloc(nodes, sizeof *held);
    uint64_t *used = calloc(np_network_link_numbers(network), sizeof *used);
    uint64_t *moved = calloc(offline->packets + 1, sizeof *moved);
    for (np_packet p = 0; p < offline->packets; p++)
        held[at[p] = np_traffic_sources(traffic)[p]]++;
    for (uint64_t i = 0; i < offline->hops; i++) {
        np_offline_hop hop = offline->hop[i];
        assert_true(hop.step >= 1 && hop.step <= offline->steps);
        assert_true(!i || hop.step >= offline->hop[i - 1].step);
        assert_true(used[hop.link] < hop.step && moved[hop.packet] < hop.step);
        used[hop.link] = moved[hop.packet] = hop.step;
        assert_int_equal(np_network_link_tail(network, hop.link), at[hop.packet]);
        held[at[hop.packet]]--;
        at[hop.packet] = np_network_link_head(network, hop.link);
        held[at[hop.packet]]++;
        bool last = i + 1 == offline->hops || offline->hop[i + 1].step > hop.step;
        for (uint32_t u = 0; last && one && u < nodes; u++)
            assert_true(held[u] <= 1);
    }
    for (np_packet p = 0; p < offline->packets; p++)
        assert_int_equal(at[p], np_traffic_destinations(traffic)[p]);
    free(at);
    free(held);
    free(used);
    free(moved);
}

static np_offline *found(const np_network *network, const char *traffic, const char *rule)
{
    np_offline *offline;
    np_traffic *made;
    np_offline_options_init(&options);
    options.rule = rule;
    assert_ok(np_offline_find(network, traffic, &options, &offline));
    assert_ok(np_traffic_create(traffic, network, 1, 0, &made));
    bool one = !strcmp(offline->rule, "exchange");
    judge(network, made, offline, one);
    assert_true(!offline->bound || offline->steps <= offline->bound);
    assert_true(offline->population_max <= 1 || !one);
    assert_true(offline->stored_max <= 1 || !strcmp(offline->rule, "fifo") || !offline->bound);
    np_traffic_free(made);
    return offline;
}

/*
 * The bounds are those of the notes: 2 T_B + T_C, in particular 3n - 3 and (2d-1)(n-1), one more a phase by exchanges.
 */
static void bounds(void **state)
{
    static const struct {
        const char *network;
        uint64_t exchange, straight;
    } cases[] = {{"mesh:8x8", 24, 21},    {"mesh:4x9", 17, 14},   {"mesh:9x4", 17, 14},   {"mesh:5x5x5", 25, 20},
                 {"torus:6x6", 18, 9},    {"torus:3x4x5", 19, 8}, {"array:10", 10, 9},    {"ring:7", 7, 3},
                 {"hypercube:5", 9, 9},   {"mesh:2x2", 3, 3},     {"mesh:2x2x2x2", 7, 7}, {"torus:2x2x3", 7, 5},
                 {"mesh:3x3x3x3", 21, 14}};
    static const char *const traffics[] = {"random", "identity", "partial:0.5", "complement", "transpose", "partial:0"};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network = support_network(cases[i].network);
        for (size_t t = 0; t < sizeof traffics / sizeof *traffics; t++)
            for (int straight = 0; straight < 2; straight++) {
                uint64_t packets;
                bool random;
                if (np_traffic_estimate(traffics[t], network, &packets, &random))
                    continue;
                np_offline *offline = found(network, traffics[t], straight ? "straight" : "exchange");
                assert_int_equal(offline->bound, straight ? cases[i].straight : cases[i].exchange);
                np_offline_free(offline);
            }
        np_network_free(network);
    }
}

/* Ports first .. last-1 are those of the axis along which the phase goes. */
static void judge_phase(const np_offline *offline, size_t phase, uint32_t ports, const uint32_t first[2])
{
    np_step before = 0;
    for (size_t i = 0; i < phase; i++)
        before += offline->phase[i].steps;
    for (uint64_t i = 0; i < offline->hops; i++) {
        np_step step = offline->hop[i].step;
        if (step > before && step <= before + offline->phase[phase].steps) {
            assert_true(offline->hop[i].link % ports >= first[0]);
            assert_true(offline->hop[i].link % ports < first[1]);
        }
    }
}

/* 2 T_B + T_C on products of any networks: T is 1 on complete ones, n - 1 on arrays, floor(n/2) on rings, else not
 * known. */
static void products(void **state)
{
    static const struct {
        const char *network;
        uint64_t bound;
        size_t phases;
    } cases[] = {
        {"product:complete:4,ring:6", 2 * 1 + 3, 3},   {"product:ring:6,complete:4", 2 * 1 + 3, 3},
        {"product:ring:9,array:4", 2 * 3 + 4, 3},      {"product:complete:3,complete:5", 3, 3},
        {"product:complete:3,mesh:3x4", 2 * 3 + 3, 5}, {"product:hypercube:3,ring:5", 2 * 3 + 2, 7},
        {"product:array:3,complete:4,ring:8", 10, 5},  {"product:ccc:3,ring:4", 0, 3},
        {"product:tree:2,complete:5", 0, 3},           {"product:star:3,pancake:3,array:2", 0, 5},
        {"product:shuffle:2x3,ring:5", 0, 3},          {"product:(cayley:1230,1023),complete:2", 0, 3},
    };
    static const char *const traffics[] = {"random", "identity", "partial:0.5", "partial:0", "complement"};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network = support_network(cases[i].network);
        for (size_t t = 0; t < sizeof traffics / sizeof *traffics; t++) {
            np_offline *offline = found(network, traffics[t], NULL);
            assert_int_equal(offline->bound, cases[i].bound);
            assert_int_equal(offline->phases, cases[i].phases);
            assert_string_equal(offline->rule, "farthest-first");
            np_offline_free(offline);
        }
        np_network_free(network);
    }
    np_network *network = support_network("product:complete:4,ring:6"); /* ports 0 .. 2 and 3 .. 4 */
    np_offline *offline = found(network, "random", NULL);
    judge_phase(offline, 0, 5, (const uint32_t[]){0, 3});
    judge_phase(offline, 1, 5, (const uint32_t[]){3, 5});
    judge_phase(offline, 2, 5, (const uint32_t[]){0, 3});
    np_offline_free(offline);
    np_network_free(network);
}

/* All 720 permutations of the triangle times an edge take at most 3 steps, and some take 3. */
static void all_of_prism(void **state)
{
    np_network *network = support_network("product:complete:3,complete:2");
    uint32_t to[6] = {0, 1, 2, 3, 4, 5};
    np_step worst = 0;
    (void)state;
    do {
        char text[64], spec[64];
        snprintf(text, sizeof text, "0 %u\n1 %u\n2 %u\n3 %u\n4 %u\n5 %u\n", to[0], to[1], to[2], to[3], to[4], to[5]);
        char *path = support_file(text);
        snprintf(spec, sizeof spec, "file:%s", path);
        np_offline *offline = found(network, spec, NULL);
        worst = offline->steps > worst ? offline->steps : worst;
        np_offline_free(offline);
        remove(path);
        free(path);
    } while (advance(6, to));
    assert_int_equal(worst, 3);
    np_network_free(network);
}

/* All 720 permutations of the 2 x 3 mesh, by both rules. */
static void all_of_2x3(void **state)
{
    np_network *network = support_network("mesh:2x3");
    uint32_t to[6] = {0, 1, 2, 3, 4, 5};
    np_step worst[2] = {0, 0};
    (void)state;
    np_offline_options_init(&options);
    do {
        char text[64];
        snprintf(text, sizeof text, "0 %u\n1 %u\n2 %u\n3 %u\n4 %u\n5 %u\n", to[0], to[1], to[2], to[3], to[4], to[5]);
        char *path = support_file(text), spec[64];
        snprintf(spec, sizeof spec, "file:%s", path);
        for (int straight = 0; straight < 2; straight++) {
            np_offline *offline = found(network, spec, straight ? "straight" : "exchange");
            worst[straight] = offline->steps > worst[straight] ? offline->steps : worst[straight];
            np_offline_free(offline);
        }
        remove(path);
        free(path);
    } while (advance(6, to));
    assert_int_equal(worst[0], 5);
    assert_int_equal(worst[1], 4);
    np_network_free(network);
}

/* Unequal loads between nodes that send and receive m in all: two phases of ceil(m / P), whatever the loads. */
static void complete(void **state)
{
    (void)state;
    for (uint32_t m = 1; m <= 40; m += 13)
        for (uint32_t skew = 0; skew < 2; skew++) {
            char text[4096] = "", spec[64];
            size_t length = 0;
            np_network *network = support_network("complete:6");
            for (uint32_t u = 0; u < 6; u++) /* all to one place, or half of it to the next */
                length += (size_t)snprintf(text + length, sizeof text - length, "%u %u %u\n%u %u %u\n", u, (u + 1) % 6,
                                           m - skew * m / 2, u, (u + 2) % 6, skew * m / 2);
            char *path = support_file(text);
            snprintf(spec, sizeof spec, "file:%s", path);
            np_offline *offline = found(network, spec, NULL);
            assert_int_equal(offline->bound, 2 * ((m + 5) / 6));
            assert_string_equal(offline->rule, "fifo");
            np_offline_free(offline);
            remove(path);
            free(path);
            np_network_free(network);
        }
    np_network *network = support_network("complete:5"); /* nodes that differ, and one that only receives */
    np_offline *offline = found(network, "random-function:3", NULL);
    assert_true(offline->congestion <= offline->bound);
    np_offline_free(offline);
    np_network_free(network);
}

/* Every node sends and receives m = l P packets: each of the P (P-1) links carries exactly l in either phase, however
 * unequal the loads. */
static void exact_loads(void **state)
{
    static const char *const traffics[] = {"h-relation:42", "repeat:42:random", "repeat:7:h-relation:6"};
    np_network *network = support_network("complete:7");
    (void)state;
    for (size_t t = 0; t < sizeof traffics / sizeof *traffics; t++)
        for (uint64_t seed = 1; seed <= 5; seed++) {
            np_route_options route;
            np_route_result *result;
            np_report_bound *bound;
            size_t count;
            np_route_options_init(&route);
            route.scheme = "offline";
            route.seed = seed;
            route.threads = 1;
            assert_ok(np_route(network, traffics[t], &route, &result));
            for (size_t phase = 0; phase < 2; phase++) {
                const np_phase_run *run = result->phase[phase].run;
                assert_true(run->steps == 6 && run->congestion == 6 && run->hops == 7 * 6 * 6);
            }
            assert_ok(np_report_bounds(network, result, &bound, &count));
            assert_int_equal(count, 3);
            for (size_t i = 0; i < 3; i++)
                assert_true(bound[i].steps.equal == 1 && !bound[i].steps.broken);
            np_report_bounds_free(bound);
            np_route_result_free(result);
        }
    np_network_free(network);
}

/* With the options but the rule, from the file. */
static np_status load(const np_network *network, const char *traffic, const char *path, np_offline **out)
{
    np_offline_options from_file = options;
    from_file.file = path;
    from_file.rule = NULL;
    return np_offline_find(network, traffic, &from_file, out);
}

static void round_trip(void **state)
{
    static const char *const specs[] = {"mesh:4x5", "torus:2x3", "hypercube:4", "complete:6"};
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (int straight = 0; straight < 2; straight++) {
            np_network *network = support_network(specs[i]);
            np_offline *loaded, *offline = found(network, "random", i == 3 ? NULL : straight ? "straight" : "exchange");
            char *path = support_file("");
            assert_ok(np_offline_save(offline, path));
            assert_ok(load(network, "random", path, &loaded));
            assert_int_equal(loaded->steps, offline->steps);
            assert_int_equal(loaded->hops, offline->hops);
            assert_int_equal(loaded->delay_max, offline->delay_max);
            assert_int_equal(loaded->congestion, offline->congestion);
            assert_int_equal(loaded->population_max, offline->population_max);
            assert_int_equal(loaded->stored_max, offline->stored_max);
            assert_null(loaded->rule);
            assert_refused(np_offline_save(loaded, path), NP_ERROR_INPUT, "in its file already");
            np_offline_free(loaded);
            options.seed = 2; /* another permutation */
            assert_refused(load(network, "random", path, &loaded), NP_ERROR_APPLY, "packet");
            np_offline_free(offline);
            remove(path);
            free(path);
            np_network_free(network);
        }
}

/*
 * On the array 0 - 1 - 2 with packets 0 -> 2, 1 -> 0, 2 -> 1: links 1 (0 to 1),
 * 2 (1 to 0), 3 (1 to 2), 4 (2 to 1); 0 and 5 are no links.
 */
static void checker(void **state)
{
    static const struct {
        const char *text, *message; /* NULL: good */
        np_status status;
    } cases[] = {
        {"1 0 1\n1 1 2\n2 0 3\n2 2 4\n", NULL, NP_OK},
        {"# a head\n\n1 1 2\n1 0 1\n1 2 4\n3 0 3\n", NULL, NP_OK},
        {"1 0 1\n1 1 2\n2 0 3\n", "packet 2 ends at node 2, but is for node 1", NP_ERROR_APPLY},
        {"", "packet 0 ends at node 0, but is for node 2", NP_ERROR_APPLY},
        {"1 0 1\n1 1 3\n2 0 3\n2 1 3\n", ":4: two packets over link 3 (1 to 2) in step 2: packet 1 is the second",
         NP_ERROR_APPLY},
        {"1 0 1\n1 0 3\n", ":2: packet 0 moves twice in step 1", NP_ERROR_APPLY},
        {"1 0 2\n", ":1: packet 0 is at node 0, and link 2 leaves node 1", NP_ERROR_APPLY},
        {"1 0 5\n", ":1: no link 5 on array:3", NP_ERROR_APPLY},
        {"1 0 6\n", ":1: no link 6", NP_ERROR_APPLY},
        {"1 3 1\n", ":1: no packet 3: there are 3", NP_ERROR_APPLY},
        {"2 0 1\n1 1 2\n", ":2: step 1 after step 2", NP_ERROR_APPLY},
        {"0 0 1\n", ":1: step 0 after step 0", NP_ERROR_APPLY},
        {"4294967295 0 1\n", ":1: step 4294967295 after", NP_ERROR_APPLY},
        {"1 0\n", ":1: ", NP_ERROR_INPUT},
        {"1 0 1 1\n", ":1: ", NP_ERROR_INPUT},
        {"1 0 one\n", ":1: ", NP_ERROR_INPUT},
    };
    np_network *network = support_network("array:3");
    char *traffic = support_file("0 2\n1 0\n2 1\n"), spec[64];
    (void)state;
    snprintf(spec, sizeof spec, "file:%s", traffic);
    np_offline_options_init(&options);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *path = support_file(cases[i].text);
        np_offline *offline;
        if (cases[i].message) {
            assert_refused(load(network, spec, path, &offline), cases[i].status, cases[i].message);
            assert_null(offline);
        } else {
            assert_ok(load(network, spec, path, &offline));
            assert_int_equal(offline->steps, i ? 3 : 2);
            assert_int_equal(offline->hops, 4);
            /* First: 0 and 1 change places while 2 stays, 2 waits, one goes each way. Second: 0 and 2 meet at 1 for a
             * step. */
            assert_int_equal(offline->population_max, i ? 2 : 1);
            assert_int_equal(offline->stored_max, i ? 2 : 1);
            assert_int_equal(offline->delay_max, 1);
            np_offline_free(offline);
        }
        remove(path);
        free(path);
    }
    remove(traffic);
    free(traffic);
    np_network_free(network);
}

/* Every hop of a good schedule left out, told twice or sent elsewhere is noticed. */
static void mutations(void **state)
{
    np_network *network = support_network("mesh:4x4");
    np_offline *offline = found(network, "random", "exchange");
    np_traffic *traffic;
    (void)state;
    assert_ok(np_traffic_create("random", network, 1, 0, &traffic));
    for (uint64_t i = 0; i < offline->hops; i++)
        for (int kind = 0; kind < 3; kind++) {
            np_hop_replay *replay;
            np_phase_run run;
            np_status st = NP_OK;
            assert_ok(np_hop_replay_create(network, traffic, false, &replay));
            for (uint64_t j = 0; j < offline->hops && !st; j++) {
                np_offline_hop hop = offline->hop[j];
                if (j == i && kind == 0)
                    continue;
                st = np_hop_replay_move(replay, hop.step, hop.packet, j == i && kind == 1 ? hop.link ^ 1 : hop.link);
                if (j == i && kind == 2 && !st)
                    st = np_hop_replay_move(replay, hop.step, hop.packet, hop.link);
            }
            if (!st)
                st = np_hop_replay_end(replay, &run);
            assert_int_equal(st, NP_ERROR_APPLY);
            np_hop_replay_free(replay);
        }
    np_traffic_free(traffic);
    np_offline_free(offline);
    np_network_free(network);
}

static void refuses(void **state)
{
    np_network *network = support_network("mesh:4x4");
    np_offline *offline;
    (void)state;
    np_offline_options_init(&options);
    assert_refused(np_offline_find(network, "h-relation:2", &options, &offline), NP_ERROR_APPLY,
                   "node 0 sends packets 0 and 1");
    assert_refused(np_offline_find(network, "hotspot:3", &options, &offline), NP_ERROR_APPLY,
                   "node 3 receives packets");
    assert_refused(load(network, "random", "/no/such", &offline), NP_ERROR_IO, "/no/such");
    options.rule = "straight";
    options.file = "/no/such";
    assert_refused(np_offline_find(network, "random", &options, &offline), NP_ERROR_INPUT, "one of the two");
    options.file = NULL;
    options.rule = "fifo";
    assert_refused(np_offline_find(network, "random", &options, &offline), NP_ERROR_INPUT, "'exchange'");
    options.rule = NULL;
    options.memory_limit = 1000;
    assert_refused(np_offline_find(network, "random", &options, &offline), NP_ERROR_LIMIT,
                   "16 packets on mesh:4x4 need");
    np_network *larger = support_network("mesh:64x64");
    options.memory_limit = 2000000;
    assert_refused(np_offline_find(larger, "random", &options, &offline), NP_ERROR_LIMIT, "lists no hops");
    np_network_free(larger);
    np_network_free(network);
    network = support_network("ccc:3");
    assert_refused(np_offline_find(network, "random", &options, &offline), NP_ERROR_APPLY, "products of rows");
    np_network_free(network);
    network = support_network("complete:4");
    options.rule = "exchange";
    assert_refused(np_offline_find(network, "random", &options, &offline), NP_ERROR_INPUT, "try --queue fifo");
    np_network_free(network);
}

/* Every allocation fails in turn, in finding and in loading; nothing is handed out. */
static void memory_fails(void **state)
{
    static const char *const specs[] = {"mesh:2x3", "complete:3"};
    (void)state;
    np_offline_options_init(&options);
    for (int kind = 0; kind < 4; kind++) {
        np_network *network = support_network(specs[kind / 2]);
        char *path = support_file("");
        np_offline *offline = found(network, "random", NULL);
        assert_ok(np_offline_save(offline, path));
        np_offline_free(offline);
        for (long n = 1;; n++) {
            np_memory_fail_after(n);
            np_status st = kind % 2 ? load(network, "random", path, &offline)
                                    : np_offline_find(network, "random", &options, &offline);
            np_memory_fail_after(0);
            if (!st) {
                assert_true(n > 10);
                break;
            }
            assert_int_equal(st, NP_ERROR_MEMORY);
            assert_null(offline);
        }
        np_offline_free(offline);
        remove(path);
        free(path);
        np_network_free(network);
    }
}

/* ---- The scheme ---- */

/* Comes to the same as the schedule: steps, hops, congestion a phase; several runs and threads too. */
static void scheme(void **state)
{
    static const char *const specs[] = {"mesh:5x7", "torus:4x4x3", "hypercube:5", "array:9", "complete:7"};
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (unsigned threads = 1; threads <= 2; threads++) {
            np_network *network = support_network(specs[i]);
            const char *rule = i == 4 ? "fifo" : threads == 1 ? "straight" : NULL;
            np_offline *offline = found(network, "random", rule);
            np_route_options route;
            np_route_result *result;
            np_route_options_init(&route);
            route.scheme = "offline";
            route.queue = rule;
            route.runs = 3;
            route.threads = threads;
            assert_ok(np_route(network, "random", &route, &result));
            assert_int_equal(result->phases, offline->phases);
            assert_string_equal(result->queue, offline->rule);
            uint64_t steps = 0;
            uint32_t population = 0;
            for (size_t p = 0; p < result->phases; p++) {
                const np_phase_run *run = result->phase[p].run;
                assert_string_equal(result->phase[p].name, offline->phase[p].name);
                assert_int_equal(run->steps, offline->phase[p].steps);
                assert_int_equal(run->hops, offline->phase[p].hops);
                assert_int_equal(run->packets, offline->packets);
                steps += run->steps;
                population = run->population_max > population ? run->population_max : population;
            }
            assert_true(offline->steps <= steps); /* the last steps of a phase are of packets that there are */
            assert_int_equal(offline->population_max, population);
            np_route_result_free(result);
            np_offline_free(offline);
            np_network_free(network);
        }
}

static void scheme_refuses(void **state)
{
    np_network *network = support_network("mesh:4x4");
    np_route_options route;
    np_route_result *result;
    (void)state;
    np_route_options_init(&route);
    route.scheme = "offline";
    assert_refused(np_route(network, "h-relation:2", &route, &result), NP_ERROR_APPLY, "no partial permutation");
    route.queue = "lifo";
    assert_refused(np_route(network, "random", &route, &result), NP_ERROR_INPUT, "'exchange'");
    route.queue = NULL;
    route.memory_limit = 100;
    assert_refused(np_route(network, "random", &route, &result), NP_ERROR_LIMIT, "16 packets on mesh:4x4 need");
    np_network_free(network);
    network = support_network("ccc:3");
    assert_refused(np_route(network, "random", &route, &result), NP_ERROR_APPLY, "products of rows");
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows),        cmocka_unit_test(long_rows),     cmocka_unit_test(exchanges_needed),
        cmocka_unit_test(row_refuses), cmocka_unit_test(bounds),        cmocka_unit_test(all_of_2x3),
        cmocka_unit_test(products),    cmocka_unit_test(all_of_prism),  cmocka_unit_test(complete),
        cmocka_unit_test(exact_loads), cmocka_unit_test(round_trip),    cmocka_unit_test(checker),
        cmocka_unit_test(mutations),   cmocka_unit_test(refuses),       cmocka_unit_test(memory_fails),
        cmocka_unit_test(scheme),      cmocka_unit_test(scheme_refuses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
