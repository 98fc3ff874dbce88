/*
 * Operations among ranks: every algorithm for every number of ranks up to 40, by their places, sizes and models. A
 * judge that shares no code with the library's follows, for each rank, piece and contributor, how often what it began
 * with is in what it has. What an algorithm does not accept it refuses.
 */
#include "../support.h"

typedef struct judge {
    const np_network *ranks; /* the complete network whose links the schedule names */
    uint32_t nodes, pieces;
    uint32_t *count, *before; /* [nodes][pieces][nodes] */
} judge;

static uint32_t *cell(const judge *j, uint32_t *array, uint32_t rank, uint32_t piece)
{
    assert_true(rank < j->nodes && piece < j->pieces);
    return &array[((size_t)rank * j->pieces + piece) * j->nodes];
}

static bool is(const np_collective_result *r, const char *operation) { return !strcmp(r->operation, operation); }

static bool combines(const np_collective_result *r)
{
    return is(r, "all-reduce") || is(r, "reduce-scatter") || is(r, "scan") || is(r, "reduce");
}

static void begin(judge *j, const np_collective_result *r)
{
    for (uint32_t rank = 0; rank < j->nodes; rank++)
        for (uint32_t piece = 0; piece < j->pieces; piece++)
            if (combines(r))
                cell(j, j->count, rank, piece)[rank] = 1;
            else if (is(r, "scatter") || is(r, "broadcast"))
                cell(j, j->count, r->root, piece)[r->root] = 1;
            else if (is(r, "barrier") || piece == rank)
                cell(j, j->count, rank, piece)[rank] = 1;
}

/* Does it hold what all began with, each once? Then it replaces what the receiver has. */
static bool is_result(const judge *j, const uint32_t *sent)
{
    for (uint32_t of = 0; of < j->nodes; of++)
        if (sent[of] != 1)
            return false;
    return true;
}

static void transfer(judge *j, const np_collective_result *r, np_link link, uint32_t piece)
{
    const uint32_t *sent = cell(j, j->before, np_network_link_tail(j->ranks, link), piece);
    uint32_t *there = cell(j, j->count, np_network_link_head(j->ranks, link), piece);
    bool adds = combines(r) && !is_result(j, sent);
    for (uint32_t of = 0; of < j->nodes; of++) {
        uint32_t most = sent[of] > there[of] ? sent[of] : there[of];
        there[of] = adds ? there[of] + sent[of] : combines(r) ? sent[of] : most;
    }
}

static uint32_t wanted(const np_collective_result *r, uint32_t rank, uint32_t piece, uint32_t of)
{
    if (is(r, "scan"))
        return of <= rank;
    if (is(r, "scatter") || is(r, "broadcast"))
        return of == r->root;
    return combines(r) || is(r, "barrier") || of == piece;
}

static void finish(const judge *j, const np_collective_result *r)
{
    for (uint32_t rank = 0; rank < j->nodes; rank++)
        for (uint32_t piece = 0; piece < j->pieces; piece++)
            for (uint32_t of = 0; of < j->nodes; of++)
                if (!(is(r, "reduce-scatter") || is(r, "scatter")) || rank == piece)
                    assert_int_equal(cell(j, j->count, rank, piece)[of], wanted(r, rank, piece, of));
}

static void judge_schedule(const np_network *ranks, const np_collective_result *r)
{
    judge j = {.ranks = ranks, .nodes = (uint32_t)r->ranks, .pieces = (uint32_t)(is(r, "barrier") ? 1 : r->packets)};
    size_t cells = (size_t)j.nodes * j.pieces * j.nodes;
    j.count = calloc(cells, sizeof *j.count);
    j.before = calloc(cells, sizeof *j.before);
    begin(&j, r);
    for (size_t round = 0; round < r->schedule->rounds; round++) {
        memcpy(j.before, j.count, cells * sizeof *j.count);
        for (size_t i = r->schedule->first[round]; i < r->schedule->first[round + 1]; i++)
            transfer(&j, r, r->schedule->link[i], r->schedule->piece[i]);
    }
    finish(&j, r);
    free(j.count);
    free(j.before);
}

/* Does it, judges it, returns whether the algorithm is for the network. */
static bool try_one(const np_network *network, const np_entry *info, np_node root)
{
    np_collective_options options;
    np_collective_result *r;
    np_network *ranks;
    char spec[32];
    np_collective_options_init(&options);
    options.algorithm = info->name;
    options.model = "rounds";
    options.root = root;
    options.record = true;
    np_status st = np_collective(network, info->operation, &options, &r);
    if (st == NP_ERROR_APPLY || st == NP_ERROR_INPUT) {
        assert_true(strlen(np_last_error()) > 20);
        return false;
    }
    assert_ok(st);
    snprintf(spec, sizeof spec, "complete:%u", (unsigned)r->ranks);
    ranks = support_network(spec);
    assert_true(r->rounds >= r->bound.rounds && r->steps >= r->bound.steps && r->cost >= r->bound.cost);
    assert_true(r->has_formula && r->rounds == r->formula.rounds && r->steps == r->formula.steps);
    judge_schedule(ranks, r);
    np_network_free(ranks);
    np_collective_result_free(r);
    return true;
}

static bool of_ranks(const char *operation)
{
    static const char *const all[] = {"all-reduce", "reduce-scatter", "scatter", "scan", "barrier"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(all[i], operation))
            return true;
    return false;
}

/* For which numbers of ranks: all, powers of two, none without a grid or hosts on switches. */
static bool accepts(const char *name, uint32_t ranks)
{
    if (!strcmp(name, "halving-doubling") || !strcmp(name, "swing"))
        return !(ranks & (ranks - 1));
    return strcmp(name, "bucket") != 0 && strcmp(name, "hierarchical") != 0;
}

static void test_all(void **state)
{
    (void)state;
    const np_entry *info;
    for (uint32_t ranks = 2; ranks <= 40; ranks++) {
        char spec[32];
        snprintf(spec, sizeof spec, "complete:%u", ranks);
        np_network *network = support_network(spec);
        for (size_t a = 0; (info = np_list_get(NP_LIST_COLLECTIVES, a)); a++)
            if (of_ranks(info->operation))
                assert_int_equal(try_one(network, info, strcmp(info->operation, "scatter") ? 0 : ranks / 2),
                                 accepts(info->name, ranks));
        np_network_free(network);
    }
}

static void test_grids(void **state)
{
    (void)state;
    static const char *const specs[] = {"array:5", "torus:3x4", "mesh:2x3x4", "torus:3x4@2", "hypercube:4", "ring:6@3"};
    const np_entry *info;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        np_network *network = support_network(specs[i]);
        size_t buckets = 0, levels = 0;
        for (size_t a = 0; (info = np_list_get(NP_LIST_COLLECTIVES, a)); a++) {
            buckets += !strcmp(info->name, "bucket") && try_one(network, info, 0);
            levels += !strcmp(info->name, "hierarchical") && try_one(network, info, 0);
        }
        assert_int_equal(buckets, 3);
        assert_int_equal(levels, strchr(specs[i], '@') ? 3 : 0);
        np_network_free(network);
    }
}

/* Options as words, "algorithm=ring size=8". */
static void set(np_collective_options *options, char *text)
{
    np_collective_options_init(options);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        char *value = strchr(word, '=');
        *value++ = 0;
        assert_ok(np_fields_set(&np_collective_options_fields, options, word, value));
    }
}

static np_status call(const char *spec, const char *operation, const char *words, np_collective_result **out)
{
    char text[512];
    np_network *network = support_network(spec);
    np_collective_options options;
    snprintf(text, sizeof text, "%s", words);
    set(&options, text);
    np_status st = np_collective(network, operation, &options, out);
    np_network_free(network);
    return st;
}

static np_collective_result *done(const char *spec, const char *operation, const char *words)
{
    np_collective_result *r;
    assert_ok(call(spec, operation, words, &r));
    return r;
}

/* N hosts, S: 2 (N-1)/N S round a ring, 2 S/N directly, 2 (1 - 1/N) S by halving; and the operations' other sizes. */
static void test_times(void **state)
{
    (void)state;
    static const struct {
        const char *spec, *operation, *words;
        double time, algorithm_bandwidth, bus_bandwidth;
    } cases[] = {
        {"ring:8", "all-reduce", "algorithm=ring model=rounds size=800", 1400, 800. / 1400, 1},
        {"ring:8", "all-reduce", "algorithm=ring model=steps size=800", 1400, 800. / 1400, 1},
        {"ring:8", "all-reduce", "algorithm=ring model=steps size=800 packet_size=100", 14, 800. / 14, 100},
        {"ring:8", "all-reduce", "algorithm=ring model=flows size=800", 1400, 800. / 1400, 1},
        {"complete:8", "all-reduce", "algorithm=direct model=flows size=800", 200, 4, 7},
        {"hypercube:3", "all-reduce", "algorithm=halving-doubling model=flows size=800", 1400, 800. / 1400, 1},
        /* 8 flits of 100 down 2 trees: 12 rounds, the last rank hears of them after 6 */
        {"complete:8", "broadcast", "algorithm=double-tree model=rounds size=800 flits=8", 1200, 2. / 3, 2. / 3},
        {"complete:8", "all-reduce", "algorithm=double-tree model=flows size=800 flits=8", 2400, 1. / 3, 7. / 12},
        /* the packets of a pair are one message */
        {"ring:4", "all-to-allv", "traffic=repeat:2:rotation:1 model=flows", 2, 0, 0},
        {"complete:8", "all-to-allv", "traffic=repeat:3:rotation:5 size=10", 30, 0, 0},
        {"complete:8", "all-to-allv", "traffic=repeat:3:rotation:5 algorithm=at-once model=steps", 3, 0, 0},
        /* four flows cross the middle link, a quarter each; on one cable of a host, seven send and seven come */
        {"array:4", "reduce-scatter", "algorithm=direct model=flows size=4", 4, 1, .75},
        {"complete:4@2", "reduce-scatter", "algorithm=direct model=flows size=8", 7, 8. / 7, 1},
        {"complete:8", "all-reduce", "algorithm=direct model=rounds size=800", 200, 4, 7},
        {"complete:8", "all-reduce", "algorithm=direct model=steps size=800", 200, 4, 7},
        {"hypercube:3", "all-reduce", "algorithm=halving-doubling model=rounds size=800", 1400, 800. / 1400, 1},
        {"hypercube:3", "all-reduce", "algorithm=halving-doubling model=steps size=800", 1400, 800. / 1400, 1},
        {"complete:8", "all-reduce", "algorithm=recursive-doubling size=10 ca=5", 45, 10. / 45, 10. / 45 * 7 / 4},
        {"complete:8", "all-reduce", "algorithm=binomial size=10 ca=5", 90, 1. / 9, 1. / 9 * 7 / 4},
        {"complete:8", "reduce-scatter", "algorithm=ring size=80", 70, 8. / 7, 1},
        {"complete:8", "all-gather", "algorithm=ring model=rounds size=80", 70, 8. / 7, 1},
        {"complete:8", "gossip", "algorithm=ring model=rounds size=80", 70, 8. / 7, 1},
        {"complete:4@2", "all-gather", "algorithm=ring size=80", 70, 8. / 7, 1}, /* hosts on switches: among ranks */
        {"complete:8", "scatter", "algorithm=direct size=80", 10, 8, 7},
        {"complete:8", "scatter", "algorithm=binomial size=80", 70, 8. / 7, 1},
        {"complete:8", "all-to-all", "algorithm=direct model=rounds size=80", 70, 8. / 7, 1},
        {"complete:8", "scan", "algorithm=recursive-doubling size=80", 240, 1. / 3, 1. / 3},
        {"complete:8", "barrier", "algorithm=dissemination ca=2", 6, 0, 0},
        {"complete:8", "broadcast", "algorithm=hypercube model=rounds size=80", 240, 1. / 3, 1. / 3},
        /* 1 GB at 8 Gbit/s is a second; c_a is in seconds */
        {"complete:4", "all-reduce", "algorithm=ring size=1GB ca=0.25 link_rate=8Gbit/s", 3, 1e9 / 3, 1e9 / 2},
        {"complete:4", "all-reduce", "algorithm=ring size=1000MB link_rate=1GB/s", 1.5, 2e9 / 3, 1e9},
        {"complete:4", "all-reduce", "algorithm=ring size=1K", 1536, 2. / 3, 1},
        {"complete:4", "all-reduce", "algorithm=ring model=steps size=16MB link_rate=8Gbit/s packet_size=4kB", 0.024,
         2e9 / 3, 1e9},
        {"complete:4@2", "all-reduce", "algorithm=ring size=8", 14, 4. / 7, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_collective_result *r = done(cases[i].spec, cases[i].operation, cases[i].words);
        assert_float_equal(r->time, cases[i].time, 1e-9 * cases[i].time);
        assert_float_equal(r->algorithm_bandwidth, cases[i].algorithm_bandwidth, 1e-9 * cases[i].algorithm_bandwidth);
        assert_float_equal(r->bus_bandwidth, cases[i].bus_bandwidth, 1e-9 * cases[i].bus_bandwidth);
        np_collective_result_free(r);
    }
}

/* A ring of 8 whose ranks go round by threes: a message takes 3 hops, 3 messages share a link. */
static void test_places(void **state)
{
    (void)state;
    char *file = support_file("0\n3\n6\n1\n4\n7\n2\n5\n"), words[256];
    snprintf(words, sizeof words, "algorithm=ring model=steps size=8 place=file:%s", file);
    np_collective_result *r = done("ring:8", "all-reduce", words);
    assert_true(r->time >= 14 * 3);
    np_collective_result_free(r);
    np_collective_result *linear = done("torus:4x4", "all-reduce", "algorithm=ring model=steps size=16");
    np_collective_result *random = done("torus:4x4", "all-reduce", "algorithm=ring model=steps size=16 place=random");
    assert_true(random->time > linear->time);
    assert_string_equal(random->place, "random");
    np_collective_result_free(linear);
    np_collective_result_free(random);
    remove(file);
    free(file);
}

/* The fastest by the model, of all that apply, each with the time that it takes when it is asked for. */
static void test_best(void **state)
{
    (void)state;
    np_network *network = support_network("dragonfly:a=4,p=2,h=2");
    np_collective_model model[NP_COLLECTIVE_MODELS];
    np_collective_candidate candidate[NP_COLLECTIVE_MODELS];
    np_collective_options options;
    size_t count;
    np_collective_options_init(&options);
    options.model = "flows";
    options.data = 720;
    assert_ok(np_collective_models(network, "all-reduce", &options, model, &count));
    assert_int_equal(count, 8); /* without those for 2^k ranks and the one for grids */
    np_collective_compare(count, model, &options, candidate);
    assert_string_equal(candidate[0].algorithm, "direct");
    for (size_t i = 0; i < count; i++) {
        np_collective_result *r;
        options.algorithm = candidate[i].algorithm;
        assert_ok(np_collective(network, "all-reduce", &options, &r));
        assert_true(r->time == candidate[i].time && (!i || candidate[i - 1].time <= r->time));
        np_collective_result_free(r);
    }
    np_network_free(network);
}

static void refused(const char *spec, const char *operation, const char *words, np_status status, const char *why)
{
    np_collective_result *r;
    assert_refused(call(spec, operation, words, &r), status, why);
}

static void test_refusals(void **state)
{
    (void)state;
    refused("complete:6", "all-reduce", "algorithm=swing", NP_ERROR_APPLY, "no power of two");
    refused("complete:6", "all-reduce", "algorithm=halving-doubling", NP_ERROR_APPLY, "no power of two");
    refused("ring:4@1", "all-reduce", "algorithm=hierarchical", NP_ERROR_APPLY, "not in groups");
    refused("ccc:3", "all-reduce", "algorithm=bucket", NP_ERROR_APPLY, "has no dimensions");
    refused("butterfly-io:3", "all-reduce", "", NP_ERROR_APPLY, "can be no ranks");
    refused("ring:4", "all-reduce", "model=packets", NP_ERROR_INPUT, "no model 'packets'");
    refused("ring:4", "permutation", "model=steps", NP_ERROR_APPLY, "not for permutation");
    refused("torus:4x4@2", "all-to-all", "", NP_ERROR_APPLY, "on torus:4x4@2 over its links: say --model");
    refused("butterfly-io:3", "all-to-all", "", NP_ERROR_APPLY, "'netpram list collectives' says where");
    refused("ring:4", "all-reduce", "size=1GB", NP_ERROR_INPUT, "without a link rate (--link-rate) sizes are data");
    refused("ring:4", "all-reduce", "model=steps packet_size=4kB", NP_ERROR_INPUT, "and not bytes");
    refused("ring:4", "gossip", "size=64KiB", NP_ERROR_INPUT, "write plain numbers");
    refused("ring:4", "barrier", "size=80", NP_ERROR_APPLY, "size: a barrier sends no data");
    refused("ring:4", "all-reduce", "place=random", NP_ERROR_APPLY, "knows no network");
    refused("complete:4", "k-k", "algorithm=direct", NP_ERROR_APPLY, "is of all-to-allv");
    refused("ring:4", "gossip", "place=random", NP_ERROR_APPLY, "say --model");
    refused("ring:4", "all-reduce", "model=steps place=linaer", NP_ERROR_INPUT, "place 'linaer'");
    refused("ring:4", "all-reduce", "model=rounds paths=shortest", NP_ERROR_APPLY, "knows no network");
    refused("torus:4x4:fail=0.2", "all-reduce", "", NP_ERROR_APPLY, "model rounds knows no links, and so no failures");
    refused("torus:4x4@2:fail-switches=0.1", "gossip", "model=rounds", NP_ERROR_APPLY, "and so no failures");
    refused("ring:4", "all-reduce", "algorithm=direct ports=one-port", NP_ERROR_APPLY, "needs ports full-port");
}

static void test_sizes(void **state)
{
    (void)state;
    static const char *const wrong[] = {"1x", "-1", "0", "1s", "1m", "", "B", "1e16", "2 GiBs", "1kBB", "kB"};
    np_collective_options options;
    np_collective_options_init(&options);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(np_fields_set(&np_collective_options_fields, &options, "size", wrong[i]), NP_ERROR_INPUT);
    assert_int_equal(np_fields_set(&np_collective_options_fields, &options, "link-rate", "100"), NP_ERROR_INPUT);
    assert_ok(np_fields_set(&np_collective_options_fields, &options, "size", "1.5MiB"));
    assert_true(options.data == 1572864);
    assert_ok(np_fields_set(&np_collective_options_fields, &options, "size", "1G"));
    assert_true(options.data == 1073741824);
    assert_ok(np_fields_set(&np_collective_options_fields, &options, "size", "400kB"));
    assert_true(options.data == 4e5);
    assert_ok(np_fields_set(&np_collective_options_fields, &options, "size", "64B"));
    assert_true(options.data == 64);
    assert_ok(np_fields_set(&np_collective_options_fields, &options, "link-rate", "100Gbit/s"));
    assert_true(options.link_rate == 1e11);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all),    cmocka_unit_test(test_grids),    cmocka_unit_test(test_times),
        cmocka_unit_test(test_places), cmocka_unit_test(test_refusals), cmocka_unit_test(test_best),
        cmocka_unit_test(test_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
