/*
 * Collective operations: every algorithm on networks of several sizes and from several roots. Schedules are recorded
 * and judged here once more, by a player that shares no code with the library's; figures against closed forms.
 */
#include <math.h>

#include "../support.h"
#include "work/collective/collective.h"

/* A network, everything that everybody has had, and what the present round brings. */
typedef struct judge {
    const np_network *network;
    uint32_t nodes, packets;
    bool *has, *news;    /* [nodes][packets] */
    np_traffic *traffic; /* of permutation and k-k */
} judge;

static bool in_flits(const np_entry *info) { return ((const np_collective_ops *)info)->flits; }

static bool *cell(const judge *j, bool *array, uint32_t node, uint32_t packet)
{
    assert_true(node < j->nodes && packet < j->packets);
    return &array[node * j->packets + packet];
}

/* Where the packet begins; where it is to be in the end, NP_NONE: everywhere. */
static uint32_t begins(const judge *j, const np_collective_result *r, uint32_t packet)
{
    if (!strcmp(r->operation, "broadcast"))
        return r->root;
    if (j->traffic)
        return np_traffic_sources(j->traffic)[packet];
    return strcmp(r->operation, "all-to-all") ? packet : packet / (uint32_t)r->nodes;
}

static uint32_t belongs(const judge *j, const np_collective_result *r, uint32_t packet)
{
    if (!strcmp(r->operation, "gather"))
        return r->root;
    if (j->traffic)
        return np_traffic_destinations(j->traffic)[packet];
    return strcmp(r->operation, "all-to-all") ? NP_NONE : packet % (uint32_t)r->nodes;
}

/* Ports are kept: counts of messages out of and into nodes, partners, and the dimensions that are used. */
static void judge_ports(const judge *j, const np_collective_result *r, size_t first, size_t end)
{
    uint32_t *out = calloc(j->nodes, sizeof *out), *in = calloc(j->nodes, sizeof *in);
    uint32_t *partner = malloc(j->nodes * sizeof *partner), axis = NP_NONE;
    bool *used = calloc(np_network_link_numbers(j->network), 1);
    const np_link *link = r->schedule->link;
    memset(partner, 0xff, j->nodes * sizeof *partner);
    for (size_t i = first; i < end; i++) {
        np_node u = np_network_link_tail(j->network, link[i]), v = np_network_link_head(j->network, link[i]);
        if (i > first && link[i] == link[i - 1])
            continue;
        assert_false(used[link[i]]);
        used[link[i]] = true;
        out[u]++;
        in[v]++;
        if (!strcmp(r->ports, "telephone")) {
            assert_true((partner[u] == NP_NONE || partner[u] == v) && (partner[v] == NP_NONE || partner[v] == u));
            partner[u] = v;
            partner[v] = u;
        }
        uint32_t port = link[i] % np_network_ports(j->network);
        uint32_t own = strcmp(np_network_family_name(j->network), "hypercube") ? port / 2 : port;
        assert_true(strcmp(r->ports, "uni-axial") || axis == NP_NONE || axis == own);
        axis = own;
    }
    for (uint32_t u = 0; u < j->nodes; u++)
        assert_true(!strcmp(r->ports, "full-port") || !strcmp(r->ports, "uni-axial") || (out[u] <= 1 && in[u] <= 1));
    free(out);
    free(in);
    free(partner);
    free(used);
}

static size_t judge_round(judge *j, const np_collective_result *r, size_t first, size_t end)
{
    bool moves = j->traffic || !strcmp(r->operation, "all-to-all");
    size_t longest = 0;
    memset(j->news, 0, j->nodes * j->packets);
    for (size_t i = first, run = 0; i < end; i++) {
        np_link link = r->schedule->link[i];
        bool *has = cell(j, j->has, np_network_link_tail(j->network, link), r->schedule->piece[i]);
        run = i > first && r->schedule->link[i - 1] == link ? run + 1 : 1;
        longest = run > longest ? run : longest;
        assert_true(*has);
        *has = !moves; /* sent once */
        *cell(j, j->news, np_network_link_head(j->network, link), r->schedule->piece[i]) = true;
    }
    for (size_t i = 0; i < (size_t)j->nodes * j->packets; i++)
        j->has[i] |= j->news[i];
    return longest;
}

static void judge_all(const np_network *network, const np_collective_result *r)
{
    uint32_t nodes = (uint32_t)r->nodes;
    bool all = !strcmp(r->operation, "all-to-all");
    judge j = {.network = network, .nodes = nodes, .packets = all ? nodes * nodes : (uint32_t)r->packets};
    uint64_t steps = 0;
    if (r->traffic)
        assert_ok(np_traffic_create(r->traffic, network, r->seed, 0, &j.traffic));
    j.has = calloc(nodes * j.packets, 1);
    j.news = calloc(nodes * j.packets, 1);
    for (uint32_t packet = 0; packet < j.packets; packet++)
        *cell(&j, j.has, begins(&j, r, packet), packet) = true;
    assert_non_null(r->schedule);
    assert_int_equal(r->rounds, r->schedule->rounds);
    for (size_t round = 0; round < r->schedule->rounds; round++) {
        judge_ports(&j, r, r->schedule->first[round], r->schedule->first[round + 1]);
        steps += judge_round(&j, r, r->schedule->first[round], r->schedule->first[round + 1]);
    }
    assert_int_equal(steps, r->steps);
    assert_int_equal(r->transfers, r->schedule->first[r->schedule->rounds]);
    for (uint32_t u = 0; u < nodes; u++)
        for (uint32_t packet = 0; packet < j.packets; packet++)
            if (belongs(&j, r, packet) == NP_NONE || belongs(&j, r, packet) == u)
                assert_true(*cell(&j, j.has, u, packet));
    free(j.has);
    free(j.news);
    np_traffic_free(j.traffic);
}

/* Reduce: sets of the nodes whose packets are in what a node has of each flit; sent, a set is gone. */
static void judge_reduce(const np_network *network, const np_collective_result *r)
{
    uint32_t nodes = (uint32_t)r->nodes, packets = (uint32_t)r->packets;
    judge j = {.network = network, .nodes = nodes, .packets = packets};
    uint64_t *set = calloc(nodes * packets, sizeof *set), *news = calloc(nodes * packets, sizeof *news);
    assert_true(nodes <= 64);
    for (uint32_t i = 0; i < nodes * packets; i++)
        set[i] = UINT64_C(1) << i / packets;
    for (size_t round = 0; round < r->schedule->rounds; round++) {
        size_t first = r->schedule->first[round], end = r->schedule->first[round + 1];
        judge_ports(&j, r, first, end);
        for (size_t i = first; i < end; i++) {
            np_link link = r->schedule->link[i];
            uint32_t from = np_network_link_tail(network, link) * packets + r->schedule->piece[i];
            uint32_t to = np_network_link_head(network, link) * packets + r->schedule->piece[i];
            assert_true(set[from] && !(news[to] & set[from]));
            news[to] |= set[from];
            set[from] = 0;
        }
        for (uint32_t i = 0; i < nodes * packets; i++) {
            assert_false(set[i] & news[i]);
            set[i] |= news[i];
            news[i] = 0;
        }
    }
    for (uint32_t i = 0; i < packets; i++)
        assert_int_equal(__builtin_popcountll(set[r->root * packets + i]), nodes);
    assert_int_equal(r->schedule->rounds, r->rounds);
    free(set);
    free(news);
}

/* Does it, if the algorithm is for the network; judges it. Returns whether it is. */
static bool try_one(const np_network *network, const np_entry *info, np_node root, uint64_t flits)
{
    np_collective_options options;
    np_collective_result *result;
    np_collective_options_init(&options);
    options.algorithm = info->name;
    options.root = root;
    options.flits = flits;
    options.record = true;
    np_status st = np_collective(network, info->operation, &options, &result);
    if (st == NP_ERROR_APPLY)
        return false;
    assert_ok(st);
    assert_true(result->rounds >= result->bound.rounds && result->steps >= result->bound.steps);
    assert_true(result->cost >= result->bound.cost);
    if (result->has_formula) {
        assert_int_equal(result->rounds, result->formula.rounds);
        assert_int_equal(result->steps, result->formula.steps);
    }
    if (!strcmp(info->operation, "reduce"))
        judge_reduce(network, result);
    else if (strcmp(info->name, "greedy")) /* the engine's has no schedule */
        judge_all(network, result);
    np_collective_result_free(result);
    return true;
}

static const char *const networks[] = {
    "array:2",   "array:5",     "array:8",    "ring:2",      "ring:4",      "ring:7",      "ring:10",     "mesh:3x3",
    "mesh:2x5",  "mesh:4x4",    "mesh:5x4",   "mesh:2x3x4",  "mesh:3x3x3",  "torus:2x2",   "torus:4x4",   "torus:5x3",
    "torus:6x2", "torus:3x3x3", "torus:6x6",  "hypercube:1", "hypercube:2", "complete:5",  "hypercube:3", "hypercube:5",
    "star:4",    "ccc:3",       "complete:2", "complete:7",  "complete:12", "complete:16", "complete:30",
};

/* Operations among ranks have tests of their own, test_collective_ranks.c. */
static bool of_ranks(const char *operation)
{
    static const char *const all[] = {"all-reduce", "reduce-scatter", "scatter", "scan", "barrier"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(all[i], operation))
            return true;
    return false;
}

/* Whatever the ports, everything can be done on everything, but for dimensions where there are none. */
static void test_matrix(void **state)
{
    (void)state;
    static const char *const ports[] = {"full-port", "one-port", "uni-axial", "telephone"};
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        np_network *network = support_network(networks[i]);
        const char *family = np_network_family_name(network), *operation;
        bool axes = strcmp(family, "complete") != 0;
        for (size_t o = 0; strcmp(family, "star") && strcmp(family, "ccc") && (operation = np_collective_operation(o));
             o++)
            for (size_t p = 0; p < 4 && !of_ranks(operation); p++) {
                np_collective_options options;
                np_collective_result *r;
                np_collective_options_init(&options);
                options.ports = ports[p];
                options.record = true;
                if (p == 2 && !axes) {
                    assert_refused(np_collective(network, operation, &options, &r), NP_ERROR_APPLY,
                                   "has no dimensions");
                    continue;
                }
                assert_ok(np_collective(network, operation, &options, &r));
                assert_string_equal(r->ports, ports[p]);
                assert_true(r->rounds >= r->bound.rounds && r->steps >= r->bound.steps);
                if (!strcmp(operation, "reduce"))
                    judge_reduce(network, r);
                else if (r->schedule)
                    judge_all(network, r);
                np_collective_result_free(r);
            }
        np_network_free(network);
    }
}

/* The table of docs/collectives.md: algorithm, steps and bound by the ports; operations of random traffic by seed 1. */
static void test_table(void **state)
{
    (void)state;
    static const char *const specs[] = {"mesh:4x4", "torus:4x4", "hypercube:4", "complete:16"};
    static const struct {
        const char *operation, *ports;
        struct {
            const char *algorithm;
            unsigned steps, bound;
        } cell[4];
    } rows[] = {
        {"permutation",
         "full-port",
         {{"dimension-order", 6, 6}, {"greedy", 3, 3}, {"dimension-order", 4, 4}, {"greedy", 1, 1}}},
        {"permutation", "one-port", {{"calls", 8, 6}, {"calls", 7, 3}, {"dimension-order", 4, 4}, {"coloured", 1, 1}}},
        {"permutation", "telephone", {{"calls", 8, 6}, {"calls", 7, 3}, {"dimension-order", 4, 4}, {"calls", 3, 1}}},
        {"all-to-all", "full-port", {{"overlay", 16, 16}, {"overlay", 8, 8}, {"overlay", 8, 8}, {"at-once", 1, 1}}},
        {"all-to-all",
         "one-port",
         {{"calls", 56, 40}, {"sweeps", 32, 32}, {"dimension-order", 32, 32}, {"direct", 15, 15}}},
        {"all-to-all",
         "telephone",
         {{"calls", 56, 40}, {"calls", 32, 32}, {"dimension-order", 32, 32}, {"tournament", 15, 15}}},
        {"k-k", "full-port", {{"overlay", 9, 6}, {"overlay", 7, 4}, {"greedy", 7, 4}, {"greedy", 2, 1}}},
        {"k-k", "one-port", {{"sweeps", 26, 9}, {"sweeps", 16, 8}, {"dimension-order", 18, 8}, {"coloured", 4, 4}}},
        {"k-k", "telephone", {{"calls", 26, 9}, {"calls", 16, 8}, {"dimension-order", 18, 8}, {"calls", 12, 4}}},
        {"broadcast",
         "full-port",
         {{"dimension-order", 6, 6}, {"dimension-order", 4, 4}, {"hypercube", 4, 4}, {"tree", 1, 1}}},
        {"broadcast",
         "telephone",
         {{"dimension-order", 6, 6}, {"dimension-order", 4, 4}, {"hypercube", 4, 4}, {"hypercube", 4, 4}}},
        {"reduce",
         "full-port",
         {{"dimension-order", 6, 6}, {"dimension-order", 4, 4}, {"hypercube", 4, 4}, {"tree", 1, 1}}},
        {"reduce",
         "one-port",
         {{"dimension-order", 6, 6}, {"dimension-order", 4, 4}, {"hypercube", 4, 4}, {"hypercube", 4, 4}}},
        {"gather", "full-port", {{"tree", 8, 8}, {"tree", 4, 4}, {"tree", 4, 4}, {"tree", 1, 1}}},
        {"gather", "one-port", {{"linear", 15, 15}, {"linear", 15, 15}, {"hypercube", 15, 15}, {"hypercube", 15, 15}}},
        {"gather", "telephone", {{"calls", 15, 15}, {"calls", 15, 15}, {"hypercube", 15, 15}, {"hypercube", 15, 15}}},
        {"gossip", "full-port", {{"flood", 8, 8}, {"flood", 5, 4}, {"flood", 5, 4}, {"flood", 1, 1}}},
        {"gossip",
         "one-port",
         {{"ring", 15, 15}, {"dimension-order", 15, 15}, {"hypercube", 15, 15}, {"hypercube", 15, 15}}},
        {"gossip",
         "telephone",
         {{"dimension-order", 25, 15}, {"dimension-order", 15, 15}, {"hypercube", 15, 15}, {"hypercube", 15, 15}}},
        /* No dimensions on complete networks. */
        {"permutation", "uni-axial", {{"dimension-order", 6, 6}, {"dimension-order", 4, 3}, {"dimension-order", 4, 4}}},
        {"all-to-all",
         "uni-axial",
         {{"dimension-order", 32, 32}, {"dimension-order", 16, 16}, {"dimension-order", 32, 32}}},
        {"k-k", "uni-axial", {{"dimension-order", 14, 8}, {"dimension-order", 9, 4}, {"dimension-order", 18, 9}}},
        {"gather", "uni-axial", {{"dimension-order", 15, 15}, {"dimension-order", 10, 8}, {"hypercube", 15, 15}}},
        {"gossip", "uni-axial", {{"dimension-order", 25, 15}, {"dimension-order", 15, 8}, {"hypercube", 15, 15}}},
    };
    for (size_t n = 0; n < 4; n++) {
        np_network *network = support_network(specs[n]);
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            np_collective_options options;
            np_collective_result *r;
            if (!rows[i].cell[n].algorithm)
                continue;
            np_collective_options_init(&options);
            options.ports = rows[i].ports;
            assert_ok(np_collective(network, rows[i].operation, &options, &r));
            assert_string_equal(r->algorithm, rows[i].cell[n].algorithm);
            assert_int_equal(r->steps, rows[i].cell[n].steps);
            assert_int_equal(r->bound.steps, rows[i].cell[n].bound);
            np_collective_result_free(r);
        }
        np_network_free(network);
    }
}

static void test_all(void **state)
{
    (void)state;
    const np_entry *info;
    for (size_t a = 0; (info = np_list_get(NP_LIST_COLLECTIVES, a)); a++) {
        size_t done = 0;
        bool vector =
            !strcmp(info->operation, "k-k") && (!strcmp(info->name, "direct") || !strcmp(info->name, "at-once"));
        if (vector || of_ranks(info->operation) || !strcmp(info->name, "bucket") || !strcmp(info->name, "hierarchical"))
            continue;
        for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
            np_network *network = support_network(networks[i]);
            np_node nodes = np_network_nodes(network);
            bool rooted = !strcmp(info->operation, "broadcast") || !strcmp(info->operation, "gather") ||
                          !strcmp(info->operation, "reduce");
            if (strcmp(info->name, "search") || nodes <= 9)
                for (np_node root = 0; root < (rooted ? nodes : 1); root += 1 + nodes / 9)
                    for (uint64_t flits = 1; flits < (in_flits(info) ? 8 : 2); flits += 3)
                        done += try_one(network, info, root, flits);
            np_network_free(network);
        }
        if (done < 2)
            fail_msg("%s of %s is for %zu networks only", info->name, info->operation, done);
    }
}

static np_collective_result *collective(const char *spec, const char *operation, const char *algorithm, double size,
                                        double cv, double ca, uint64_t flits)
{
    np_network *network = support_network(spec);
    np_collective_options options;
    np_collective_result *result;
    np_collective_options_init(&options);
    options.algorithm = algorithm;
    options.data = size;
    options.cv = cv;
    options.ca = ca;
    options.flits = flits;
    assert_ok(np_collective(network, operation, &options, &result));
    np_network_free(network);
    return result;
}

static void expect(const char *spec, const char *operation, const char *algorithm, uint64_t rounds, uint64_t steps)
{
    np_collective_result *r = collective(spec, operation, algorithm, 1, 1, 0, 0);
    assert_int_equal(r->rounds, rounds);
    assert_int_equal(r->steps, steps);
    np_collective_result_free(r);
}

/* The optima that the notes state. */
static void test_optima(void **state)
{
    (void)state;
    expect("mesh:8x8", "all-to-all", "overlay", 128, 128); /* n^3/4 */
    expect("mesh:12x12", "all-to-all", NULL, 432, 432);
    expect("mesh:8x8", "all-to-all", "dimension-order", 256, 256);
    expect("mesh:5x5", "all-to-all", "overlay", 30, 30); /* n (n^2-1)/4 */
    expect("array:16", "all-to-all", NULL, 64, 64);
    expect("hypercube:6", "all-to-all", NULL, 32, 32);                /* n/2 */
    expect("hypercube:6", "all-to-all", "dimension-order", 192, 192); /* k n/2 */
    expect("torus:8x8", "all-to-all", NULL, 64, 64);                  /* half of a mesh's */
    expect("mesh:7x7", "broadcast", NULL, 12, 12);                    /* 2n - 2 */
    expect("hypercube:7", "broadcast", NULL, 7, 7);
    expect("mesh:16x16", "gather", "tree", 128, 128);       /* (n^2 - 1)/2, up */
    expect("mesh:4x4", "gossip", "dimension-order", 6, 25); /* d (n - 1) rounds */
    expect("mesh:6x6x6", "gossip", NULL, 15, 9 * (1 + 6 + 36));
    expect("mesh:5x5", "gossip", NULL, 10, 48); /* d n */
    expect("hypercube:5", "gossip", NULL, 5, 31);
    expect("array:10", "gossip", NULL, 9, 17);
    expect("complete:30", "gossip", NULL, 5, 29);
}

/* R. Beier's, as the notes cite them: 11 steps at 5 rounds, 10 at more; and both are proved here. */
static void test_search(void **state)
{
    (void)state;
    np_network *network = support_network("mesh:3x3");
    np_collective_options options;
    np_collective_result *r;
    np_collective_options_init(&options);
    for (uint32_t rounds = 5; rounds <= 7; rounds++) {
        options.rounds = rounds;
        assert_ok(np_collective(network, "gossip", &options, &r));
        assert_string_equal(r->algorithm, "search");
        assert_true(r->optimal);
        assert_int_equal(r->bound.rounds, 5);
        assert_true(r->rounds <= rounds);
        assert_int_equal(r->steps, rounds == 5 ? 11 : 10);
        np_collective_result_free(r);
    }
    options.rounds = 4;
    assert_refused(np_collective(network, "gossip", &options, &r), NP_ERROR_INPUT, "takes at least 5");
    np_network_free(network);
    expect("array:6", "gossip", "search", 5, 9);
    expect("ring:6", "gossip", "search", 3, 5);
}

/* T_one and so on, to the last bit: all figures are whole. */
static void test_costs(void **state)
{
    (void)state;
    const double l = 100, cv = 3, ca = 1000;
    const struct {
        const char *operation, *algorithm;
        uint64_t flits;
        double cost;
    } cases[] = {
        {"all-to-all", "direct", 0, cv * l * 63 + ca * 63},
        {"all-to-all", "two-phase", 0, cv * 2 * l * (64 - 8) + ca * 2 * 7},
        {"all-to-all", "three-phase", 0, cv * 3 * l * (64 - 16) + ca * 3 * 3},
        {"all-to-all", "logarithmic", 0, cv * 6 * l * 64 / 2 + ca * 6},
        {"broadcast", "hypercube", 0, cv * l * 6 + ca * 6},
        {"broadcast", "linear", 25, cv * l / 25 * (25 + 62) + ca * (25 + 62)},
        {"broadcast", "two-dimensional", 25, (cv * l / 25 + ca) * (2 * 25 + 2 * 8 - 4)},
        {"gossip", "hypercube", 0, cv * l * 63 + ca * 6},
        {"gather", "hypercube", 0, cv * l * 63 + ca * 6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_collective_result *r =
            collective("complete:64", cases[i].operation, cases[i].algorithm, l, cv, ca, cases[i].flits);
        assert_true(r->cost == cases[i].cost && r->formula.cost == cases[i].cost);
        np_collective_result_free(r);
    }
}

/* The best number of flits against all of them; the cheapest first. */
static void test_best(void **state)
{
    (void)state;
    np_network *network = support_network("complete:30");
    np_collective_model model[NP_COLLECTIVE_MODELS];
    np_collective_candidate candidate[NP_COLLECTIVE_MODELS];
    np_collective_options options;
    size_t count;
    np_collective_options_init(&options);
    for (options.data = 1; options.data < 3000; options.data *= 3)
        for (options.ca = 0; options.ca < 500; options.ca = 5 * options.ca + 1) {
            assert_ok(np_collective_models(network, "broadcast", &options, model, &count));
            np_collective_compare(count, model, &options, candidate);
            assert_int_equal(count, 3);
            for (size_t i = 0; i < count; i++) {
                np_collective_options with = options;
                double best = np_collective_price(&model[i], &options).cost;
                for (with.flits = 1; model[i].flits && (double)with.flits <= options.data; with.flits++)
                    assert_true(best <= np_collective_price(&model[i], &with).cost);
                assert_true(candidate[0].cost <= best);
            }
            np_collective_result *r = collective("complete:30", "broadcast", candidate[0].algorithm, options.data, 1,
                                                 options.ca, candidate[0].flits);
            assert_true(r->cost == candidate[0].cost);
            np_collective_result_free(r);
        }
    np_network_free(network);
}

/* Where the packet from s to d is when the digits below `weight` have been corrected. */
static uint32_t midway(uint32_t s, uint32_t d, uint32_t weight) { return s / weight * weight + d % weight; }

/* The packets of the fullest node that go on, after each phase but the last, counted one by one. */
static uint64_t bucketed_by_hand(uint32_t nodes, const uint32_t *radix)
{
    uint64_t sum = 0;
    for (uint32_t weight = *radix; weight < nodes; weight *= *++radix) {
        uint32_t going[64] = {0}, most = 0;
        for (uint32_t s = 0; s < nodes; s++)
            for (uint32_t d = 0; d < nodes; d++)
                if (midway(s, d, weight) != d)
                    most = ++going[midway(s, d, weight)] > most ? going[midway(s, d, weight)] : most;
        sum += most;
    }
    return sum;
}

static void test_bucketing(void **state)
{
    static const struct {
        const char *network, *algorithm;
        uint32_t nodes, radix[6];
    } cases[] = {{"complete:6", "two-phase", 6, {2, 3}},
                 {"complete:12", "three-phase", 12, {2, 2, 3}},
                 {"complete:16", "two-phase", 16, {4, 4}},
                 {"complete:64", "three-phase", 64, {4, 4, 4}},
                 {"complete:32", "logarithmic", 32, {2, 2, 2, 2, 2}},
                 {"complete:7", "direct", 7, {7}}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network = support_network(cases[i].network);
        uint64_t bucketed = bucketed_by_hand(cases[i].nodes, cases[i].radix);
        np_collective_options options;
        np_collective_result *r;
        np_collective_options_init(&options);
        options.algorithm = cases[i].algorithm;
        options.data = 3;
        options.ca = 7;
        options.ci = 0.5;
        assert_ok(np_collective(network, "all-to-all", &options, &r));
        assert_int_equal(r->bucketed, bucketed);
        assert_int_equal(r->formula_bucketed, bucketed);
        assert_true(r->cost == 3.0 * (double)r->steps + 7.0 * (double)r->rounds + 1.5 * (double)bucketed);
        assert_true(r->formula.cost == r->cost);
        np_collective_result_free(r);
        np_network_free(network);
    }
}

/* What is bucketed makes algorithms of many phases dearer: the winner changes. */
static void test_best_with_bucketing(void **state)
{
    np_network *network = support_network("complete:64");
    np_collective_model model[NP_COLLECTIVE_MODELS];
    np_collective_candidate cheapest[NP_COLLECTIVE_MODELS];
    np_collective_options options;
    size_t count;
    (void)state;
    np_collective_options_init(&options);
    options.data = 50;
    options.ca = 1000;
    assert_ok(np_collective_models(network, "all-to-all", &options, model, &count));
    np_collective_compare(count, model, &options, cheapest);
    assert_string_equal(cheapest[0].algorithm, "logarithmic");
    options.ci = 1;
    np_collective_compare(count, model, &options, cheapest);
    assert_string_equal(cheapest[0].algorithm, "three-phase");
    assert_int_equal(cheapest[0].bucketed, 108);
    np_network_free(network);
}

static void test_refusals(void **state)
{
    (void)state;
    np_network *mesh = support_network("mesh:3x3"), *complete = support_network("complete:7");
    np_network *star = support_network("star:3");
    np_collective_options options;
    np_collective_result *r;
    np_collective_options_init(&options);
    assert_refused(np_collective(mesh, "gosip", &options, &r), NP_ERROR_INPUT, "did you mean 'gossip'");
    options.algorithm = "overlai";
    assert_refused(np_collective(mesh, "all-to-all", &options, &r), NP_ERROR_INPUT, "did you mean 'overlay'");
    options.algorithm = "two-phase";
    assert_refused(np_collective(complete, "all-to-all", &options, &r), NP_ERROR_APPLY, "the nearest is complete:6");
    options.algorithm = "linear";
    options.root = 4;
    assert_refused(np_collective(mesh, "broadcast", &options, &r), NP_ERROR_APPLY, "the nearest is ");
    options.root = 9;
    assert_refused(np_collective(mesh, "broadcast", &options, &r), NP_ERROR_INPUT, "the nearest is 8");
    np_collective_options_init(&options);
    options.ports = "telefone";
    assert_refused(np_collective(mesh, "gossip", &options, &r), NP_ERROR_INPUT, "did you mean 'telephone'");
    options.ports = "telephone";
    assert_refused(np_collective(star, "k-k", &options, &r), NP_ERROR_APPLY, "try full-port");
    options.ports = "uni-axial";
    assert_refused(np_collective(complete, "gossip", &options, &r), NP_ERROR_APPLY, "has no dimensions");
    np_collective_options_init(&options);
    options.traffic = "hotspot:0";
    assert_refused(np_collective(mesh, "permutation", &options, &r), NP_ERROR_APPLY, "is no permutation");
    np_collective_options_init(&options);
    options.cv = -1;
    assert_refused(np_collective(mesh, "gossip", &options, &r), NP_ERROR_INPUT, "cv -1");
    np_network_free(mesh);
    np_network_free(complete);
    np_network_free(star);
    mesh = support_network("mesh:400x400");
    np_collective_options_init(&options);
    assert_refused(np_collective(mesh, "all-to-all", &options, &r), NP_ERROR_LIMIT, "25600000000 packets");
    np_network_free(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all),      cmocka_unit_test(test_matrix),    cmocka_unit_test(test_table),
        cmocka_unit_test(test_optima),   cmocka_unit_test(test_search),    cmocka_unit_test(test_costs),
        cmocka_unit_test(test_best),     cmocka_unit_test(test_bucketing), cmocka_unit_test(test_best_with_bucketing),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
