/*
 * np_mpi_route: every rank gets the result that one process has. And the streams by which it goes: all pieces arrive,
 * in the order of each sender, and the sums are those of all. Run on several ranks (tests/mpi/run).
 */
#include <string.h>

#include "mpi/test.h"

#include "mpi/ranks/mpi.h"
#include "netpram/report.h"

/* ---- Streams ---- */

static uint32_t words_most; /* of a round; the shortest pieces hold two */

/* Rank r sends so many words to rank `to` in round k: often none, seldom many. */
static uint32_t words(int from, int to, uint32_t k)
{
    uint32_t x = (uint32_t)from * 131 + (uint32_t)to * 17 + k * 29;
    return x % 5 == 0 ? x * 97 % words_most : x % 3 == 0 ? x % 7 : 0;
}

typedef struct counting {
    uint32_t round;
    uint32_t sent[MOST_RANKS], taken[MOST_RANKS];
} counting;

static size_t fill(void *object, uint32_t to, void *data, size_t room)
{
    counting *c = object;
    uint32_t some = 0;
    for (; c->sent[to] < words(me, (int)to, c->round) && (some + 1) * sizeof some <= room; some++) {
        memcpy((char *)data + some * sizeof some, &c->sent[to], sizeof some);
        c->sent[to]++;
    }
    return some * sizeof some;
}

static void take(void *object, uint32_t from, const void *data, size_t bytes)
{
    counting *c = object;
    for (size_t i = 0; i < bytes / sizeof(uint32_t); i++) {
        uint32_t word;
        memcpy(&word, (const char *)data + i * sizeof word, sizeof word);
        assert_int_equal(word, c->taken[from]++);
    }
}

static void streams_move_everything(void **state)
{
    (void)state;
    for (uint64_t piece = 8; piece <= 8000; piece += 7992) {
        words_most = piece == 8 ? 2000 : 20000;
        np_mpi *mpi = make_ranks(piece);
        const np_job *job = np_mpi_job(mpi);
        assert_true(job->neighbours >= 1 && job->neighbours <= job->size);
        for (uint32_t k = 0; k < 60; k++) {
            counting c = {.round = k};
            const np_job_stream stream = {&c, fill, take};
            uint64_t sum[2] = {(uint64_t)me + 1, k};
            assert_int_equal(np_job_stream_all(job, &stream, k % 2 ? 2 : 0, sum), NP_OK);
            assert_int_equal(sum[0], k % 2 ? ranks * (ranks + 1) / 2 : me + 1);
            for (int r = 0; r < ranks; r++)
                assert_int_equal(c.taken[r], r == me ? 0 : words(r, me, k));
        }
        np_mpi_free(mpi);
    }
}

/* ---- Runs ---- */

static char *report_of(np_route_result *result)
{
    np_report_options options;
    char *text;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    np_report_options_init(&options);
    options.format = NP_REPORT_JSON;
    result->threads = 0;
    result->wall_seconds = 0;
    assert_int_equal(np_report_route(result, &options, stream), NP_OK);
    fclose(stream);
    np_route_result_free(result);
    return text;
}

static void a_run_is_that_of_one_process(void **state)
{
    const struct {
        const char *network, *scheme, *traffic, *queue;
    } cases[] = {
        {"hypercube:12", "cubes", "transpose", NULL},
        {"hypercube:10", "basic", "random", "farthest-first"},
        {"mesh:40x30", "grid", "random-function:3", NULL},
        {"torus:9x10x11", "valiant", "h-relation:4", "random"},
        {"hypercube:4", "cubes", ranks == 3 ? "repeat:400:hotspot:1" : "repeat:60:hotspot:1", NULL},
    };
    np_mpi *mpi = make_ranks(0);
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network;
        np_route_result *alone, *shared;
        np_route_options options;
        np_route_options_init(&options);
        options.scheme = cases[i].scheme;
        options.queue = cases[i].queue;
        options.runs = 2;
        options.threads = 1 + i % 2;
        assert_int_equal(np_network_create(cases[i].network, &network), NP_OK);
        assert_int_equal(np_route(network, cases[i].traffic, &options, &alone), NP_OK);
        if (np_mpi_route(mpi, network, cases[i].traffic, &options, &shared))
            fail_msg("%s", np_last_error());
        char *a = report_of(alone), *b = report_of(shared);
        assert_string_equal(a, b);
        free(a);
        free(b);
        np_network_free(network);
    }
    np_mpi_free(mpi);
}

static void an_error_is_one_on_all(void **state)
{
    np_mpi *mpi = make_ranks(0);
    np_network *network;
    np_route_result *result;
    np_route_options options;
    (void)state;
    np_route_options_init(&options);
    assert_int_equal(np_network_create("hypercube:8", &network), NP_OK);
    options.memory_limit = me == ranks - 1 ? 1000 : 0;
    assert_int_equal(np_mpi_route(mpi, network, "random", &options, &result), NP_ERROR_LIMIT);
    assert_null(result);
    options.memory_limit = 0;
    options.runs = me == 0 ? 0 : 1;
    assert_int_equal(np_mpi_route(mpi, network, "random", &options, &result), NP_ERROR_INPUT);
    np_network_free(network);
    np_mpi_free(mpi);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_move_everything),
        cmocka_unit_test(a_run_is_that_of_one_process),
        cmocka_unit_test(an_error_is_one_on_all),
    };
    return on_ranks(&argc, &argv, tests, sizeof tests / sizeof *tests);
}
