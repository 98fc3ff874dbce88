/*
 * The exchange. Every rank knows by formula what it must receive: sizes by a shape, bytes by who sends what to whom.
 * Run on several ranks (tests/mpi/run).
 */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "mpi/test.h"

#include "base/account.h"
#include "base/memory.h"

enum { GAP = 3, EMPTY = 0xee };

/*
 * What a rank finds when, by the interface of MPI for tools: a test holds something back, so that an order of events
 * that is rare comes about.
 */
static struct {
    int probes, tests; /* so many of the next ones find nothing; tests only where they would find the end */
    int late;          /* sends to this rank take 20 ms longer; -1: none */
} hold = {.late = -1};

static void wait_a_little(void) { nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL); }

int MPI_Improbe(int source, int tag, MPI_Comm comm, int *any, MPI_Message *found, MPI_Status *about)
{
    if (hold.probes < 1)
        return PMPI_Improbe(source, tag, comm, any, found, about);
    if (!--hold.probes)
        wait_a_little();
    return *any = 0;
}

int MPI_Test(MPI_Request *request, int *end, MPI_Status *about)
{
    int error = PMPI_Test(request, end, about);
    if (hold.tests < 1 || !*end)
        return error;
    hold.tests--;
    wait_a_little();
    *end = 0; /* which the next call will tell: MPI_REQUEST_NULL has ended */
    return error;
}

int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request)
{
    if (to == hold.late)
        wait_a_little();
    return PMPI_Isend(data, count, type, to, tag, comm, request);
}

static uint64_t scramble(uint64_t x)
{
    x = (x + 1) * UINT64_C(6364136223846793005);
    return (x ^ x >> 29) * UINT64_C(2862933555777941757) >> 17;
}

static int smaller = 1; /* blocks are divided by it, where there are many pieces */

/* Bytes that `from` sends to `to`, of so many ranks. */
typedef uint64_t shape(int from, int to, int of);

static uint64_t at_random(int from, int to, int of)
{
    uint64_t draw = scramble((uint64_t)(from * of + to));
    return draw % 3 ? draw % 9000 : draw % 7;
}
static uint64_t from_even_ranks(int from, int to, int of) { return from % 2 ? 0 : 100 + at_random(from, to, of); }
static uint64_t to_even_ranks(int from, int to, int of) { return to % 2 ? 0 : 100 + at_random(from, to, of); }
static uint64_t to_the_first(int from, int to, int of) { return to ? 0 : 5000 + (uint64_t)(from + of); }
static uint64_t from_the_last(int from, int to, int of) { return from < of - 1 ? 0 : 40000 + (uint64_t)to; }
static uint64_t nothing(int from, int to, int of) { return (uint64_t)(0 * (from + to + of)); }
static uint64_t to_one_each(int from, int to, int of) { return (from + 1) % of == to ? 30001 : 0; }
static uint64_t large(int from, int to, int of) { return 300000 + (uint64_t)(0 * (from + to + of)); }
static uint64_t alone(int from, int to, int of) { return from == of - 1 && to == 0 ? 70000 : 0; }
static uint64_t even(int from, int to, int of) { return 8192 + (uint64_t)(0 * (from + to + of)); }
static uint64_t a_byte(int from, int to, int of) { return 1 + (uint64_t)(0 * (from + to + of)); }
static uint64_t to_oneself(int from, int to, int of) { return from == to ? 777 + (uint64_t)of : 0; }

static const struct {
    const char *name;
    shape *bytes;
} shapes[] = {
    {"at random", at_random},
    {"from even ranks", from_even_ranks},
    {"to even ranks", to_even_ranks},
    {"to the first", to_the_first},
    {"from the last", from_the_last},
    {"nothing", nothing},
    {"to one each", to_one_each},
    {"even", even},
    {"a byte", a_byte},
    {"to oneself", to_oneself},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static unsigned char byte(int from, int to, uint64_t at)
{
    return (unsigned char)scramble((uint64_t)from << 40 ^ (uint64_t)to << 32 ^ at);
}

/* A call's arguments. Blocks lie in descending order of their ranks, with gaps between that must stay. */
typedef struct arguments {
    MPI_Count sends[MOST_RANKS], receives[MOST_RANKS];
    MPI_Aint out_at[MOST_RANKS], in_at[MOST_RANKS];
    unsigned char *out, *in;
    uint64_t in_room;
    np_mpi_exchange_options options;
    np_mpi_exchange_result result;
} arguments;

static void set_up(arguments *a, const np_mpi *mpi, shape *bytes)
{
    int rank = np_mpi_rank(mpi), size = np_mpi_size(mpi);
    uint64_t out = 0, in = 0;
    for (int r = size; r-- > 0;) {
        a->sends[r] = (MPI_Count)bytes(rank, r, size) / smaller;
        a->receives[r] = (MPI_Count)bytes(r, rank, size) / smaller;
        a->out_at[r] = (MPI_Aint)out;
        a->in_at[r] = (MPI_Aint)in;
        out += (uint64_t)a->sends[r] + GAP;
        in += (uint64_t)a->receives[r] + GAP;
    }
    a->out = malloc(out);
    a->in = malloc(a->in_room = in);
    memset(a->in, EMPTY, in);
    for (int r = 0; r < size; r++)
        for (MPI_Count i = 0; i < a->sends[r]; i++)
            a->out[a->out_at[r] + i] = byte(rank, r, (uint64_t)i);
    np_mpi_exchange_options_init(&a->options);
}

static np_status call(arguments *a, np_mpi *mpi)
{
    return np_mpi_alltoallv(mpi, a->out, a->sends, a->out_at, MPI_BYTE, a->in, a->receives, a->in_at, MPI_BYTE,
                            &a->options, &a->result);
}

static void is_right(const arguments *a, const np_mpi *mpi, const char *name)
{
    int rank = np_mpi_rank(mpi), size = np_mpi_size(mpi);
    for (int r = 0; r < size; r++) {
        uint64_t end = (uint64_t)a->receives[r];
        const unsigned char *block = a->in + a->in_at[r];
        for (uint64_t i = 0; i < end + GAP; i++)
            if (block[i] != (i < end ? byte(r, rank, i) : EMPTY))
                fail_msg("%s, method %d: rank %d has a wrong byte %llu of %llu from %d", name, (int)a->result.method,
                         rank, (unsigned long long)i, (unsigned long long)end, r);
    }
}

static void clear(arguments *a)
{
    free(a->out);
    free(a->in);
}

static void succeeds(np_status st)
{
    if (st)
        fail_msg("%s", np_last_error());
}

static void refused(np_status st, const char *words)
{
    assert_int_equal(st, NP_ERROR_INPUT);
    if (!strstr(np_last_error(), words))
        fail_msg("'%s' is not in '%s'", words, np_last_error());
}

static void exchange_all(np_mpi *mpi)
{
    for (size_t s = 0; s < SHAPES; s++)
        for (int method = NP_MPI_AUTO; method <= NP_MPI_TWO_PHASE; method++) {
            arguments a;
            set_up(&a, mpi, shapes[s].bytes);
            a.options.method = (np_mpi_method)method;
            succeeds(call(&a, mpi));
            assert_int_equal(a.result.method, method == NP_MPI_AUTO ? NP_MPI_DIRECT : method);
            assert_non_null(a.result.why);
            is_right(&a, mpi, shapes[s].name);
            clear(&a);
        }
}

static void all_shapes(void **state)
{
    const uint64_t pieces[] = {0, 1000, 8};
    (void)state;
    for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
        np_mpi *mpi = make_ranks(pieces[p]);
        smaller = pieces[p] == 8 ? 30 : 1;
        exchange_all(mpi);
        smaller = 1;
        np_mpi_free(mpi);
    }
}

static void on_parts_of_the_ranks(void **state)
{
    MPI_Comm part;
    np_mpi *mpi;
    (void)state;
    MPI_Comm_split(MPI_COMM_WORLD, me % 2, -me, &part);
    assert_int_equal(np_mpi_create(part, NULL, &mpi), NP_OK);
    MPI_Comm_free(&part);
    exchange_all(mpi);
    np_mpi_free(mpi);
}

/* Items of 24 bytes at one end, ints at the other; displacements count items. */
static void datatypes_differ(void **state)
{
    np_mpi *mpi = make_ranks(0);
    MPI_Datatype six, gaps, overlapping;
    MPI_Count sends[MOST_RANKS], receives[MOST_RANKS];
    MPI_Aint out_at[MOST_RANKS], in_at[MOST_RANKS];
    int out[MOST_RANKS][6 * 2], in[MOST_RANKS][6 * 2];
    (void)state;
    MPI_Type_contiguous(6, MPI_INT, &six);
    MPI_Type_commit(&six);
    MPI_Type_vector(2, 1, 2, MPI_INT, &gaps);
    MPI_Type_commit(&gaps);
    MPI_Type_create_resized(gaps, 0, 8, &overlapping); /* as long as it has bytes, but they lie elsewhere */
    MPI_Type_commit(&overlapping);
    for (int r = 0; r < ranks; r++) {
        sends[r] = 2;
        receives[r] = 12;
        out_at[r] = 2 * r;
        in_at[r] = 12 * r;
        for (int i = 0; i < 12; i++)
            out[r][i] = me * 1000 + r * 100 + i;
    }
    for (int method = NP_MPI_DIRECT; method <= NP_MPI_TWO_PHASE; method++) {
        np_mpi_exchange_options options = {.method = (np_mpi_method)method};
        memset(in, 0, sizeof in);
        succeeds(np_mpi_alltoallv(mpi, out, sends, out_at, six, in, receives, in_at, MPI_INT, &options, NULL));
        for (int r = 0; r < ranks; r++)
            for (int i = 0; i < 12; i++)
                assert_int_equal(in[r][i], r * 1000 + me * 100 + i);
    }
    refused(np_mpi_alltoallv(mpi, out, sends, out_at, me ? six : gaps, in, receives, in_at, MPI_INT, NULL, NULL),
            "a datatype with gaps");
    refused(np_mpi_alltoallv(mpi, out, sends, out_at, me ? six : overlapping, in, receives, in_at, MPI_INT, NULL, NULL),
            "a datatype with gaps");
    refused(np_mpi_alltoallv(mpi, out, sends, out_at, six, in, receives, in_at, me ? MPI_INT : MPI_DATATYPE_NULL, NULL,
                             NULL),
            "recvtype is MPI_DATATYPE_NULL");
    MPI_Type_free(&six);
    MPI_Type_free(&gaps);
    MPI_Type_free(&overlapping);
    np_mpi_free(mpi);
}

/* No byte outside the blocks of a call that was refused has changed. */
static void stays_within(const arguments *a, const np_mpi *mpi, shape *bytes)
{
    uint64_t in = 0;
    for (int r = np_mpi_size(mpi); r-- > 0; in += GAP) {
        in += bytes(r, np_mpi_rank(mpi), np_mpi_size(mpi)) / (uint64_t)smaller;
        for (int i = 0; i < GAP; i++)
            assert_int_equal(a->in[in + (uint64_t)i], EMPTY);
    }
}

/*
 * What one rank does wrong is refused on all, with words that say what; the next call works, though messages of the
 * wrong one were on their way already. They are short, long, or none.
 */
static void wrong_call(np_mpi *mpi, shape *bytes)
{
    enum {
        NEGATIVE,
        HUGE_COUNT,
        NO_COUNTS,
        NO_PLACES,
        NO_BUFFER,
        IN_PLACE,
        FAR,
        MORE,
        FEWER,
        NONE,
        KEPT,
        METHOD,
        RATE,
        DIFFERS,
        LATER
    };
    static const char *const words[] = {"sendcounts[0] is -1",
                                        "no memory has as much",
                                        "counts of recv are NULL",
                                        "displacements of send are NULL",
                                        "recv is NULL",
                                        "MPI_IN_PLACE",
                                        "no memory has such a place",
                                        "which sends",
                                        "which sends",
                                        "which sends",
                                        "which sends 0",
                                        "no method 9",
                                        "a rate of the network",
                                        "same on all ranks",
                                        "same on all ranks"};
    for (int wrong = 0; wrong <= LATER; wrong++) {
        arguments a;
        int guilty = me == ranks - 1;
        MPI_Datatype type = MPI_BYTE;
        set_up(&a, mpi, bytes);
        if (wrong >= DIFFERS && ranks == 1)
            guilty = 0;
        if (guilty) {
            a.sends[0] = wrong == NEGATIVE ? -1 : wrong == HUGE_COUNT ? INT64_MAX / 2 : a.sends[0];
            a.out_at[0] = wrong == FAR ? INT64_MAX : a.out_at[0];
            a.receives[0] += wrong == MORE ? 1 : wrong == FEWER ? -1 : wrong == NONE ? -a.receives[0] : 0;
            a.sends[0] -= wrong == KEPT ? a.sends[0] : 0;
            a.options.method = wrong == METHOD    ? (np_mpi_method)9
                               : wrong == DIFFERS ? NP_MPI_DIRECT
                               : wrong == LATER   ? NP_MPI_TWO_PHASE
                                                  : NP_MPI_AUTO;
            a.options.network.port = wrong == RATE ? -1 : 0;
            type = wrong == HUGE_COUNT ? MPI_LONG_LONG : MPI_BYTE;
        }
        np_status st = np_mpi_alltoallv(
            mpi, guilty && wrong == IN_PLACE ? MPI_IN_PLACE : a.out, a.sends,
            guilty && wrong == NO_PLACES ? NULL : a.out_at, type, guilty && wrong == NO_BUFFER ? NULL : a.in,
            guilty && wrong == NO_COUNTS ? NULL : a.receives, a.in_at, MPI_BYTE, &a.options, &a.result);
        if (wrong >= DIFFERS && ranks == 1) {
            succeeds(st);
        } else {
            refused(st, words[wrong]);
            stays_within(&a, mpi, bytes);
        }
        clear(&a);
        set_up(&a, mpi, bytes);
        succeeds(call(&a, mpi));
        is_right(&a, mpi, "after a wrong call");
        clear(&a);
    }
}

static void wrong_on_one_rank(void **state)
{
    (void)state;
    np_mpi *mpi = make_ranks(0), *cut = make_ranks(1000);
    wrong_call(mpi, even);
    wrong_call(mpi, a_byte);
    wrong_call(cut, even);
    np_mpi_free(mpi);
    np_mpi_free(cut);
}

/* What was sent early is received for nobody without memory: else a rank that has none would leave the others waiting.
 */
static void wrong_without_memory(void **state)
{
    np_mpi *mpi = make_ranks(0);
    (void)state;
    for (int wrong = 2; wrong >= 0; wrong--) { /* first and last: right */
        arguments a;
        set_up(&a, mpi, even);
        a.receives[0] += wrong == 1 && me == ranks - 1;
        np_memory_fail_after(wrong == 1); /* on all ranks; the buffers are there */
        np_status st = call(&a, mpi);
        np_memory_fail_after(0);
        if (wrong == 1) {
            refused(st, "which sends");
        } else {
            succeeds(st);
            is_right(&a, mpi, "beside a wrong call without memory");
        }
        clear(&a);
    }
    np_mpi_free(mpi);
}

/* What passes through a rank: alike by two phases, whatever the pattern. */
static void two_phases_spread_what_passes(void **state)
{
    np_mpi *mpi = make_ranks(0);
    arguments a;
    np_mpi_statistics counts;
    (void)state;
    if (ranks < 3) {
        np_mpi_free(mpi);
        return;
    }
    set_up(&a, mpi, from_the_last); /* 40000 bytes to each, from one rank */
    a.options.method = NP_MPI_TWO_PHASE;
    np_mpi_statistics_reset(mpi);
    succeeds(call(&a, mpi));
    is_right(&a, mpi, "from the last");
    assert_int_equal(a.result.attempts, 1);
    /* Each of the other ranks holds a slice, a share of its block, of each block but its own. */
    double mean = 40000.0 * (ranks - 2) / ranks;
    assert_true(fabs((double)a.result.held - mean) < 64.0 * ranks);
    assert_int_equal(np_mpi_statistics_get(mpi, &counts), NP_OK);
    /* of each block two slices of P take one hop, the others two */
    double hops = 40000.0 * (ranks - 1) * (2.0 * ranks - 2) / ranks;
    assert_true((double)counts.bytes > hops - 64 * 2 * ranks * ranks);
    assert_true((double)counts.bytes < hops + 64 * 2 * ranks * ranks);
    assert_int_equal(counts.rounds, 2);
    clear(&a);
    set_up(&a, mpi, from_the_last);
    a.options.method = NP_MPI_DIRECT;
    np_mpi_statistics_reset(mpi);
    succeeds(call(&a, mpi));
    assert_int_equal(np_mpi_statistics_get(mpi, &counts), NP_OK);
    uint64_t sent = 0;
    for (int to = 0; to < ranks - 1; to++)
        sent += from_the_last(ranks - 1, to, ranks);
    assert_int_equal(counts.bytes, sent);
    assert_int_equal(counts.bytes_most, sent);
    assert_int_equal(counts.messages, ranks - 1);
    assert_int_equal(counts.messages_most, ranks - 1);
    clear(&a);
    np_mpi_free(mpi);
}

static int by_size(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void exchange_within(np_mpi *mpi, uint64_t room, np_mpi_exchange_result *result)
{
    arguments a;
    set_up(&a, mpi, at_random);
    a.options.method = NP_MPI_TWO_PHASE;
    a.options.room = room;
    succeeds(call(&a, mpi));
    is_right(&a, mpi, "within the room");
    *result = a.result;
    clear(&a);
}

/* With the room that half of all draws need, others are drawn where it is too little. Every call draws anew. */
static void draws_again(void **state)
{
    enum { TIMES = 11 };
    np_mpi *mpi = make_ranks(0);
    np_mpi_exchange_result result;
    uint64_t held[TIMES];
    bool again = false;
    (void)state;
    for (int i = 0; i < TIMES; i++) {
        exchange_within(mpi, 0, &result);
        assert_int_equal(result.attempts, 1);
        held[i] = result.held;
    }
    qsort(held, TIMES, sizeof *held, by_size);
    for (int i = 0; i < TIMES; i++) {
        exchange_within(mpi, held[TIMES / 2], &result);
        assert_true(result.held <= held[TIMES / 2]);
        again |= result.attempts > 1;
    }
    assert_int_equal(ranks > 2, held[0] < held[TIMES - 1]); /* with two ranks nobody holds anything */
    assert_int_equal(ranks > 2, again);
    np_mpi_free(mpi);
}

static void no_draws_suffice(void **state)
{
    np_mpi *mpi = make_ranks(0);
    arguments a;
    np_account account;
    (void)state;
    set_up(&a, mpi, large);
    a.options.method = NP_MPI_TWO_PHASE;
    a.options.room = 1;
    account = np_account_open(0, NULL);
    if (ranks > 2) {
        assert_int_equal(call(&a, mpi), NP_ERROR_LIMIT);
        assert_true(np_account_peak(account) < 100000); /* nobody took what it may not hold */
        assert_non_null(strstr(np_last_error(), "room is 1: allow about"));
        for (uint64_t i = 0; i < a.in_room; i++)
            assert_int_equal(a.in[i], EMPTY);
    } else {
        succeeds(call(&a, mpi));
    }
    np_account_close(&account);
    clear(&a);
    np_mpi_free(mpi);
}

/* Each allocation of one rank fails in turn: all ranks have the error, and the next call works. */
static void without_memory_on_one_rank(void **state)
{
    (void)state;
    for (int method = NP_MPI_DIRECT; method <= NP_MPI_TWO_PHASE; method++) {
        np_status st = NP_ERROR_MEMORY;
        int n = 0;
        while (st) {
            np_mpi *mpi = make_ranks(0); /* without buffers */
            arguments a;
            set_up(&a, mpi, at_random);
            a.options.method = (np_mpi_method)method;
            np_memory_fail_after(me == ranks - 1 ? ++n : 0);
            st = call(&a, mpi);
            np_memory_fail_after(0);
            assert_true(st == NP_OK ? a.result.attempts <= 1 : st == NP_ERROR_MEMORY);
            succeeds(call(&a, mpi));
            is_right(&a, mpi, "after a call without memory");
            clear(&a);
            np_mpi_free(mpi);
        }
        assert_true(me < ranks - 1 || n > (method == NP_MPI_DIRECT || ranks == 1 ? 1 : 4));
    }
}

static void sparse_without_memory_on_one_rank(void **state)
{
    np_status st = NP_ERROR_MEMORY;
    int n = 0;
    (void)state;
    while (st) {
        np_mpi *mpi = make_ranks(0);
        const np_mpi_message out[] = {{ranks - 1, "here", 4}, {(me + 1) % ranks, "there", 5}}, *in;
        size_t arrived;
        np_memory_fail_after(me == ranks - 1 ? ++n : 0);
        st = np_mpi_alltoall_sparse(mpi, out, 2, &in, &arrived);
        np_memory_fail_after(0);
        assert_true(st == NP_OK || st == NP_ERROR_MEMORY);
        succeeds(np_mpi_alltoall_sparse(mpi, out, 2, &in, &arrived));
        assert_int_equal(arrived, me == ranks - 1 ? ranks + 1 : 1);
        np_mpi_free(mpi);
    }
    assert_true(me < ranks - 1 || n > (ranks == 1 ? 1 : 3));
}

static np_mpi_method chosen(np_mpi *mpi, shape *bytes, double port, double uniform, double worst, const char *why)
{
    arguments a;
    set_up(&a, mpi, bytes);
    a.options.network = (np_mpi_network){port, uniform, worst};
    succeeds(call(&a, mpi));
    is_right(&a, mpi, "chosen");
    if (!strstr(a.result.why, why))
        fail_msg("'%s' is not in '%s'", why, a.result.why);
    clear(&a);
    return a.result.method;
}

static void chooses_by_the_rates(void **state)
{
    np_mpi *mpi = make_ranks(0);
    (void)state;
    assert_int_equal(chosen(mpi, to_one_each, 0, 0, 0, ranks < 3 ? "no third rank" : "not known"), NP_MPI_DIRECT);
    if (ranks > 2) {
        assert_int_equal(chosen(mpi, to_one_each, 4e6, 4e6, 1e6, "two phases end first"), NP_MPI_TWO_PHASE);
        assert_int_equal(chosen(mpi, to_one_each, 4e6, 0, 1e6, "two phases end first"), NP_MPI_TWO_PHASE);
        assert_int_equal(chosen(mpi, to_one_each, 4e6, 4e6, 3e6, "direct ends first"), NP_MPI_DIRECT);
        assert_int_equal(chosen(mpi, to_one_each, 4e6, 1e6, 1e6, "direct ends first"), NP_MPI_DIRECT);
        assert_int_equal(chosen(mpi, even, 4e6, 4e6, 1e6, "direct ends first"), NP_MPI_DIRECT);
        assert_int_equal(chosen(mpi, from_the_last, 4e6, 4e6, 1e5, "two phases end first"), NP_MPI_TWO_PHASE);
        /* two phases do not cure a hot receiver, or a sender that is alone */
        assert_int_equal(chosen(mpi, to_the_first, 4e6, 1e6, 1e6, "direct ends first"), NP_MPI_DIRECT);
        assert_int_equal(chosen(mpi, alone, 4e6, 4e6, 1e6, "direct ends first"), NP_MPI_DIRECT);
    }
    np_mpi_free(mpi);
}

/* The seconds that are expected, by hand: 30001 bytes to one rank each. */
static void says_what_it_expects(void **state)
{
    np_mpi *mpi = make_ranks(0);
    arguments a;
    (void)state;
    set_up(&a, mpi, to_one_each);
    a.options.network = (np_mpi_network){8e6, 4e6, 1e6};
    succeeds(call(&a, mpi));
    if (ranks > 2) {
        double even_part = 30001.0 / (ranks - 1);
        assert_true(fabs(a.result.direct_seconds - (even_part / 4e6 + (30001 - even_part) / 1e6)) < 1e-12);
        assert_true(fabs(a.result.two_phase_seconds - 2 * 30001 / 4e6) < 1e-12);
    } else {
        assert_true(a.result.direct_seconds <= 0 && a.result.two_phase_seconds <= 0);
    }
    clear(&a);
    np_mpi_free(mpi);
}

static void measures_the_network(void **state)
{
    np_mpi *mpi = make_ranks(0);
    np_mpi_network network;
    (void)state;
    succeeds(np_mpi_network_measure(mpi, 10000, &network));
    double rates[] = {network.port, network.uniform, network.worst}, first[3];
    memcpy(first, rates, sizeof first);
    MPI_Bcast(first, 3, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    assert_memory_equal(first, rates, sizeof first); /* the same on all */
    for (int i = 0; i < 3; i++)
        assert_true(ranks == 1 ? rates[i] <= 0 : rates[i] > 0 && rates[i] <= network.port && rates[i] < DBL_MAX);
    hold.late = (me + 1) % ranks; /* a shift by one takes 20 ms: that is the worst */
    succeeds(np_mpi_network_measure(mpi, 10000, &network));
    hold.late = -1;
    assert_true(network.worst <= 10000 / 20e-3);
    refused(np_mpi_network_measure(mpi, me == ranks - 1 ? 0 : 8, &network), "must be the same");
    np_mpi_free(mpi);
}

/* The sparse form: in round n rank r sends `many` messages, the i-th one to `target` with `length` bytes. */
enum { LONGEST = 200, MOST_MESSAGES = 40 };
static size_t many(int round, int from) { return scramble((uint64_t)(round * 64 + from)) % 3 * 13; }
static int target(int round, int from, size_t i)
{
    if (round % 4 == 3)
        return 0; /* all to one */
    return (int)(scramble((uint64_t)round << 20 ^ (uint64_t)from << 10 ^ i) % (uint64_t)ranks);
}
static uint64_t length(int round, int from, size_t i)
{
    return scramble((uint64_t)round << 21 ^ (uint64_t)from << 11 ^ i ^ 5) % LONGEST / 8 * (i % 2 ? 8 : 7);
}

static void check_sparse(int round, const np_mpi_message *in, size_t arrived)
{
    size_t n = 0;
    for (int from = 0; from < ranks; from++)
        for (size_t i = 0; i < many(round, from); i++) {
            if (target(round, from, i) != me)
                continue;
            assert_true(n < arrived);
            assert_int_equal(in[n].rank, from);
            assert_int_equal(in[n].bytes, length(round, from, i));
            assert_int_equal(from == me ? 0 : (uintptr_t)in[n].data % 8, 0);
            for (uint64_t at = 0; at < in[n].bytes; at++)
                assert_int_equal(((const unsigned char *)in[n].data)[at], byte(from + round, (int)i, at));
            n++;
        }
    assert_int_equal(n, arrived);
}

static void sparse(void **state)
{
    const uint64_t pieces[] = {0, 56, 8};
    (void)state;
    for (size_t p = 0; p < 3; p++) {
        np_mpi *mpi = make_ranks(pieces[p]);
        for (int round = 0; round < 12; round++) { /* without anything between: the next call's messages come early */
            np_mpi_message out[MOST_MESSAGES];
            unsigned char data[MOST_MESSAGES][LONGEST];
            const np_mpi_message *in;
            size_t arrived;
            for (size_t i = 0; i < many(round, me); i++) {
                out[i] = (np_mpi_message){target(round, me, i), data[i], length(round, me, i)};
                for (uint64_t at = 0; at < out[i].bytes; at++)
                    data[i][at] = byte(me + round, (int)i, at);
            }
            succeeds(np_mpi_alltoall_sparse(mpi, out, many(round, me), &in, &arrived));
            check_sparse(round, in, arrived);
        }
        np_mpi_free(mpi);
    }
}

/* The last rank sees the end late, when the others have begun the next call and sent to it. */
static void sparse_ends_late(void **state)
{
    np_mpi *mpi = make_ranks(0);
    (void)state;
    for (int call = 0; call < 4; call++) {
        const np_mpi_message out = {ranks - 1, &call, sizeof call}, *in;
        size_t arrived;
        hold.tests = me == ranks - 1;
        succeeds(np_mpi_alltoall_sparse(mpi, &out, 1, &in, &arrived));
        assert_int_equal(arrived, me == ranks - 1 ? ranks : 0);
        for (size_t i = 0; i < arrived; i++)
            assert_int_equal(*(const int *)in[i].data, call);
    }
    np_mpi_free(mpi);
}

/* The last rank looks late for what has arrived: nobody ends before. */
static void sparse_looks_late(void **state)
{
    np_mpi *mpi = make_ranks(0);
    const np_mpi_message out = {ranks - 1, "here", 5}, *in;
    size_t arrived;
    (void)state;
    hold.probes = me == ranks - 1 ? 1000 : 0;
    succeeds(np_mpi_alltoall_sparse(mpi, &out, me == 0, &in, &arrived));
    hold.probes = 0;
    assert_int_equal(arrived, me == ranks - 1);
    np_mpi_free(mpi);
}

static void sparse_counts(void **state)
{
    np_mpi *mpi = make_ranks(8);
    const np_mpi_message out = {(me + 1) % ranks, "twelve bytes", 12}, *in;
    np_mpi_statistics counts;
    size_t arrived;
    (void)state;
    succeeds(np_mpi_alltoall_sparse(mpi, &out, me == 0, &in, &arrived)); /* one message in all */
    assert_int_equal(arrived, me == 1 % ranks);
    assert_int_equal(np_mpi_statistics_get(mpi, &counts), NP_OK);
    assert_int_equal(counts.rounds, 1);
    assert_int_equal(counts.bytes, ranks == 1 ? 0 : 12);
    assert_int_equal(counts.messages, ranks == 1 ? 0 : 2);
    np_mpi_free(mpi);
}

static void sparse_wrong_on_one_rank(void **state)
{
    static const char *const words[] = {"is for rank", "is for rank -1", "5 bytes at NULL", "messages are NULL"};
    np_mpi *mpi = make_ranks(0);
    (void)state;
    for (int wrong = 0; wrong < 4; wrong++) {
        np_mpi_message out[2] = {{0, "right", 5}, {0, "right", 5}};
        const np_mpi_message *in = out;
        size_t arrived = 1;
        bool guilty = me == ranks - 1;
        if (guilty)
            out[1] = (np_mpi_message){wrong == 0 ? ranks : wrong == 1 ? -1 : 0, wrong == 2 ? NULL : "right", 5};
        refused(np_mpi_alltoall_sparse(mpi, guilty && wrong == 3 ? NULL : out, 2, &in, &arrived), words[wrong]);
        assert_null(in);
        assert_int_equal(arrived, 0);
        out[1] = out[0];
        succeeds(np_mpi_alltoall_sparse(mpi, out, 2, &in, &arrived));
        assert_int_equal(arrived, me == 0 ? 2 * ranks : 0);
    }
    np_mpi_free(mpi);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_shapes),
        cmocka_unit_test(on_parts_of_the_ranks),
        cmocka_unit_test(datatypes_differ),
        cmocka_unit_test(wrong_on_one_rank),
        cmocka_unit_test(wrong_without_memory),
        cmocka_unit_test(two_phases_spread_what_passes),
        cmocka_unit_test(draws_again),
        cmocka_unit_test(no_draws_suffice),
        cmocka_unit_test(without_memory_on_one_rank),
        cmocka_unit_test(sparse_without_memory_on_one_rank),
        cmocka_unit_test(chooses_by_the_rates),
        cmocka_unit_test(says_what_it_expects),
        cmocka_unit_test(measures_the_network),
        cmocka_unit_test(sparse),
        cmocka_unit_test(sparse_ends_late),
        cmocka_unit_test(sparse_looks_late),
        cmocka_unit_test(sparse_counts),
        cmocka_unit_test(sparse_wrong_on_one_rank),
    };
    return on_ranks(&argc, &argv, tests, sizeof tests / sizeof *tests);
}
