/*
 * Sorts on ranks, held to a sequential oracle: rank 0's view of all records, sorted by (key, rank, place) with the C
 * library. Run on several ranks (tests/mpi/run).
 */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/memory.h"
#include "mpi/sort/sort.h"
#include "mpi/test.h"

/* A record is `size` bytes: the key's in front, as many as there is room for, then what tells its origin. */
enum { LARGEST = 100 };

typedef struct record {
    uint64_t key;
    int rank;
    uint64_t place;
    unsigned char bytes[LARGEST];
} record;

/* The lot of item i, for the tests alone: splitmix64. */
static uint64_t lot(uint64_t i)
{
    i += UINT64_C(0x9e3779b97f4a7c15) * (i + 1);
    i = (i ^ i >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    i = (i ^ i >> 27) * UINT64_C(0x94d049bb133111eb);
    return i ^ i >> 31;
}

static uint64_t count_equal(int rank, uint64_t n) { return rank < ranks ? n : 0; }
static uint64_t count_last(int rank, uint64_t n) { return rank == ranks - 1 ? n * (uint64_t)ranks : 0; }
static uint64_t count_odd(int rank, uint64_t n) { return rank % 2 || ranks == 1 ? 2 * n : 0; }
static uint64_t count_uneven(int rank, uint64_t n) { return n * (uint64_t)rank / 2 + (uint64_t)rank % 3; }

typedef uint64_t counts(int rank, uint64_t n);

/* Keys of item `place` of rank `rank`, of n a rank. */
static uint64_t key_random(int rank, uint64_t place, uint64_t n) { return lot((uint64_t)rank * n + place); }
static uint64_t key_equal(int rank, uint64_t place, uint64_t n) { return (uint64_t)rank + place + n ? 7 : 7; }
static uint64_t key_zero(int rank, uint64_t place, uint64_t n) { return key_equal(rank, place, n) - 7; }
static uint64_t key_most(int rank, uint64_t place, uint64_t n) { return key_zero(rank, place, n) - 1; }
static uint64_t key_ascending(int rank, uint64_t place, uint64_t n) { return (uint64_t)rank * 3 * n + place; }
static uint64_t key_descending(int rank, uint64_t place, uint64_t n) { return ~key_ascending(rank, place, n); }
static uint64_t key_few(int rank, uint64_t place, uint64_t n) { return key_random(rank, place, n) % 3; }
static uint64_t key_zipf(int rank, uint64_t place, uint64_t n)
{
    return UINT64_MAX / (1 + key_random(rank, place, n) % 99999);
}
/* The ranks' ranges are not in the order of the ranks. */
static uint64_t key_staggered(int rank, uint64_t place, uint64_t n)
{
    return (uint64_t)((rank * 5 + 2) % ranks) << 40 | (key_random(rank, place, n) >> 30);
}

typedef uint64_t keys(int rank, uint64_t place, uint64_t n);

static keys *const all_keys[] = {key_random,     key_equal, key_zero, key_most,     key_ascending,
                                 key_descending, key_few,   key_zipf, key_staggered};
static counts *const all_counts[] = {count_equal, count_last, count_odd, count_uneven};

static void *zeroed(size_t count, size_t size)
{
    void *array = calloc(count + 1, size);
    assert_non_null(array);
    return array;
}

static void fill(record *r, size_t size)
{
    uint64_t origin = lot((uint64_t)r->rank << 32 | r->place);
    for (size_t b = 0; b < size; b++)
        r->bytes[b] =
            b < 8 ? (unsigned char)(r->key >> 8 * b) : (unsigned char)(origin >> b % 8 * 8) + (unsigned char)b;
}

static uint64_t key_of_bytes(const unsigned char *bytes, size_t size)
{
    uint64_t key = 0;
    for (size_t b = 0; b < 8 && b < size; b++)
        key |= (uint64_t)bytes[b] << 8 * b;
    return key;
}

static size_t size_of_call;

static uint64_t key_of_record(const void *bytes, void *context)
{
    assert_ptr_equal(context, &size_of_call);
    return key_of_bytes(bytes, size_of_call);
}

static int by_origin(const void *a, const void *b)
{
    const record *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

typedef struct test_case {
    keys *key;
    counts *count;
    uint64_t n;
    size_t size;
    np_mpi_sort_options options;
} test_case;

/* All ranks' records, by rank and place; *total = how many. */
static record *all_records(const test_case *c, uint64_t *total)
{
    *total = 0;
    for (int r = 0; r < ranks; r++)
        *total += c->count(r, c->n);
    record *all = zeroed(*total, sizeof *all), *next = all;
    for (int r = 0; r < ranks; r++)
        for (uint64_t i = 0; i < c->count(r, c->n); i++, next++) {
            *next = (record){.key = c->key(r, i, c->n), .rank = r, .place = i};
            if (c->size < 8)
                next->key &= ((uint64_t)1 << 8 * c->size) - 1;
            fill(next, c->size);
        }
    return all;
}

/* Where this rank's records begin in the order of all, those of other ranks being as many as they say. */
static uint64_t begin_of(uint64_t count)
{
    uint64_t counts_of[MOST_RANKS], begin = 0;
    MPI_Allgather(&count, 1, MPI_UINT64_T, counts_of, 1, MPI_UINT64_T, MPI_COMM_WORLD);
    for (int r = 0; r < me; r++)
        begin += counts_of[r];
    return begin;
}

static void assert_share(const test_case *c, uint64_t count, uint64_t total)
{
    uint64_t up = (total + (uint64_t)ranks - 1) / (uint64_t)ranks;
    if (c->options.shares == NP_MPI_SHARES_EQUAL)
        assert_int_equal(count, total / (uint64_t)ranks + ((uint64_t)me < total % (uint64_t)ranks));
    else if (count > up)
        assert_true((double)count <= 1.05 * (double)total / ranks);
}

static void assert_records(const test_case *c, const record *expected, const unsigned char *bytes, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        assert_memory_equal(bytes + i * c->size, expected[i].bytes, c->size);
}

/* This rank's records, of all. */
static unsigned char *mine_of(const test_case *c, const record *all, uint64_t first, uint64_t mine)
{
    unsigned char *given = zeroed(mine, c->size);
    for (uint64_t i = 0; i < mine; i++)
        memcpy(given + i * c->size, all[first + i].bytes, c->size);
    return given;
}

static void judge(np_mpi *mpi, const test_case *c, np_mpi_sorted *sorted)
{
    uint64_t total, mine = c->count(me, c->n), first = begin_of(mine), sum;
    record *all = all_records(c, &total);
    unsigned char *given = mine_of(c, all, first, mine), *kept = mine_of(c, all, first, mine);
    size_of_call = c->size;
    if (np_mpi_sort(mpi, mine, mine ? given : NULL, &c->options, sorted))
        fail_msg("%s", np_last_error());
    assert_memory_equal(given, kept, mine * c->size);
    qsort(all, total, sizeof *all, by_origin);
    assert_share(c, sorted->count, total);
    assert_records(c, all + begin_of(sorted->count), sorted->records, sorted->count);
    MPI_Allreduce(&sorted->count, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    assert_int_equal(sum, total);
    free(all);
    free(given);
    free(kept);
}

static void judge_in_place(np_mpi *mpi, const test_case *c)
{
    uint64_t total, mine = c->count(me, c->n), first = begin_of(mine);
    record *all = all_records(c, &total);
    unsigned char *given = mine_of(c, all, first, mine);
    size_of_call = c->size;
    if (np_mpi_sort_in_place(mpi, mine, mine ? given : NULL, &c->options))
        fail_msg("%s", np_last_error());
    qsort(all, total, sizeof *all, by_origin);
    assert_records(c, all + first, given, mine);
    free(all);
    free(given);
}

static test_case of_keys(uint64_t n)
{
    test_case c = {.n = n, .size = 8};
    np_mpi_sort_options_init(&c.options);
    return c;
}

static test_case of_records(uint64_t n, size_t size)
{
    test_case c = of_keys(n);
    c.size = size;
    c.options.keys = NP_MPI_KEYS_CALL;
    c.options.record = size;
    c.options.key = key_of_record;
    c.options.context = &size_of_call;
    return c;
}

/* All kinds of keys; what ranks have, and get, differs from call to call. */
static void judge_all(np_mpi *mpi, test_case c)
{
    static size_t calls;
    np_mpi_sorted sorted = {0};
    for (size_t k = 0; k < sizeof all_keys / sizeof *all_keys; k++, calls++) {
        c.key = all_keys[k];
        c.count = all_counts[calls % (sizeof all_counts / sizeof *all_counts)];
        c.options.shares = calls % 2 ? NP_MPI_SHARES_EQUAL : NP_MPI_SHARES_BALANCED;
        if (calls % 3)
            judge(mpi, &c, &sorted);
        else
            judge_in_place(mpi, &c);
    }
    np_mpi_sorted_clear(&sorted);
    assert_null(sorted.records);
}

static void sorts_keys(void **state)
{
    const uint64_t n[] = {1, 5, 1500};
    np_mpi *mpi = make_ranks(0);
    (void)state;
    for (size_t i = 0; i < sizeof n / sizeof *n; i++)
        judge_all(mpi, of_keys(n[i]));
    np_mpi_free(mpi);
}

static void sorts_records(void **state)
{
    const size_t size[] = {1, 8, 12, LARGEST};
    np_mpi *mpi = make_ranks(0);
    (void)state;
    for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
        judge_all(mpi, of_records(size[i] == 12 ? 3 : 700, size[i]));
    }
    np_mpi_free(mpi);
}

static void cuts_messages_into_pieces(void **state)
{
    np_mpi *mpi = make_ranks(8);
    (void)state;
    judge_all(mpi, of_keys(40));
    judge_all(mpi, of_records(40, 12));
    np_mpi_free(mpi);
}

/* Few samples: the splitters are often bad ones, and more samples are drawn. */
static void draws_again_where_shares_are_too_large(void **state)
{
    np_mpi *mpi = make_ranks(0);
    np_mpi_sorted sorted = {0};
    np_mpi_statistics sent;
    test_case c = of_keys(2000);
    (void)state;
    c.key = key_random;
    c.count = count_equal;
    for (c.options.oversampling = 1; c.options.oversampling <= 4; c.options.oversampling++)
        judge(mpi, &c, &sorted);
    np_mpi_sorted_clear(&sorted);
    assert_int_equal(np_mpi_statistics_get(mpi, &sent), NP_OK);
    if (ranks > 1) /* more than an exchange of samples and one of records for each sort */
        assert_true(sent.rounds > 4 * 2);
    judge_all(mpi, c);
    np_mpi_free(mpi);
}

/* The first sample is enough: one exchange of samples, one of records. */
static void draws_once_where_samples_are_many(void **state)
{
    np_mpi *mpi = make_ranks(0);
    np_mpi_sorted sorted = {0};
    np_mpi_statistics sent;
    uint64_t n = 30000, *given = zeroed(n, sizeof *given), sum;
    (void)state;
    for (uint64_t i = 0; i < n; i++)
        given[i] = key_random(me, i, n) >> 60;
    assert_int_equal(np_mpi_sort(mpi, n, given, NULL, &sorted), NP_OK);
    assert_int_equal(np_mpi_statistics_get(mpi, &sent), NP_OK);
    assert_int_equal(sent.rounds, ranks == 1 ? 1 : 2);
    assert_true((double)sorted.count <= 1.05 * (double)n);
    MPI_Allreduce(&sorted.count, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    assert_int_equal(sum, n * (uint64_t)ranks);
    for (uint64_t i = 1; i < sorted.count; i++)
        assert_true(((uint64_t *)sorted.records)[i - 1] <= ((uint64_t *)sorted.records)[i]);
    free(given);
    np_mpi_sorted_clear(&sorted);
    np_mpi_free(mpi);
}

/*
 * The partition for more ranks than run: rank 1 of `size` has the records of origin 100 and up. Keys are few, so that
 * most meet a splitter of their key. Each record must come where comparing it with all splitters puts it.
 */
static void assert_partition(int size)
{
    enum { RECORDS = 1300, BEFORE = 100, KEYS = 20 };
    np_mpi mpi = {.size = size, .rank = 1};
    np_mpi_sorting s = {.mpi = &mpi, .count = RECORDS, .before = BEFORE, .total = 3 * RECORDS};
    uint64_t key[RECORDS], got[RECORDS + 1], expected[RECORDS], n = 0;
    unsigned char *to[64];
    s.splitter = zeroed((size_t)size, sizeof *s.splitter);
    s.tree = zeroed((size_t)size, 2 * sizeof *s.tree);
    s.bucket = zeroed((size_t)size, sizeof *s.bucket);
    s.records = (void *)key;
    s.to = to;
    np_mpi_sort_options_init(&s.options);
    s.options.record = sizeof *key;
    for (uint64_t i = 0; i < RECORDS; i++)
        key[i] = lot(i) % KEYS;
    for (int r = 0; r < size - 1; r++) /* ascending by key and origin: several of most keys */
        s.splitter[r] = (np_mpi_keyed){(uint64_t)r * KEYS / (uint64_t)size, (uint64_t)r * 3 * RECORDS / (uint64_t)size};
    np_mpi_sort_count(&s);
    for (int r = 0; r < size; r++) {
        uint64_t before = n;
        to[r] = (void *)(got + n);
        for (uint64_t i = 0; i < RECORDS; i++) {
            int rank = 0;
            for (int q = 0; q < size - 1; q++)
                rank +=
                    s.splitter[q].key < key[i] || (s.splitter[q].key == key[i] && s.splitter[q].place <= BEFORE + i);
            if (rank == r)
                expected[n++] = key[i];
        }
        assert_int_equal(s.bucket[r], n - before);
    }
    if (size != 2) { /* else the places must be apart */
        np_mpi_sort_partition(&s);
        assert_memory_equal(got, expected, sizeof expected);
    }
    free(s.splitter);
    free(s.tree);
    free(s.bucket);
}

static void partitions_for_many_ranks(void **state)
{
    (void)state;
    for (int size = 2; size <= 64; size++)
        assert_partition(size);
}

enum { NUMBERS = 12 };

/* Ascending numbers, given in another order: rank r gives those whose place is r modulo the ranks, the last first. */
static void assert_order(np_mpi_keys kind, const void *numbers)
{
    np_mpi *mpi = make_ranks(0);
    np_mpi_sort_options options;
    np_mpi_sorted sorted = {0};
    uint64_t ascending[NUMBERS], given[NUMBERS], count = 0;
    memcpy(ascending, numbers, sizeof ascending);
    for (int i = NUMBERS; i-- > 0;)
        if (i % ranks == me)
            given[count++] = ascending[i];
    np_mpi_sort_options_init(&options);
    options.keys = kind;
    assert_int_equal(np_mpi_sort(mpi, count, given, &options, &sorted), NP_OK);
    assert_memory_equal(sorted.records, ascending + begin_of(sorted.count), sorted.count * 8);
    assert_int_equal(np_mpi_sort_in_place(mpi, count, given, &options), NP_OK);
    assert_memory_equal(given, ascending + begin_of(count), count * 8);
    np_mpi_sorted_clear(&sorted);
    np_mpi_free(mpi);
}

static void orders_numbers_below_zero(void **state)
{
    const uint64_t whole[NUMBERS] = {0,
                                     1,
                                     2,
                                     3,
                                     INT64_MAX,
                                     (uint64_t)INT64_MAX + 1,
                                     UINT64_MAX - 5,
                                     UINT64_MAX - 4,
                                     UINT64_MAX - 3,
                                     UINT64_MAX - 2,
                                     UINT64_MAX - 1,
                                     UINT64_MAX};
    const int64_t integers[NUMBERS] = {INT64_MIN, INT64_MIN + 1, -70,      -2, -1, 0, 1, 2, 70,
                                       71,        INT64_MAX - 1, INT64_MAX};
    const double nan = fabs(NAN), reals[NUMBERS] = {-nan, -HUGE_VAL, -1e300, -1.5,  -5e-324,  -0.0,
                                                    0.0,  5e-324,    1.5,    1e300, HUGE_VAL, nan};
    (void)state;
    assert_order(NP_MPI_KEYS_UINT64, whole);
    assert_order(NP_MPI_KEYS_INT64, integers);
    assert_order(NP_MPI_KEYS_DOUBLE, reals);
    for (int i = 1; i < NUMBERS; i++) {
        assert_true(np_mpi_key_of_int64(integers[i - 1]) < np_mpi_key_of_int64(integers[i]));
        assert_true(np_mpi_key_of_double(reals[i - 1]) < np_mpi_key_of_double(reals[i]));
    }
}

/* What is wrong on the last rank alone is an error on all, which leaves no records; and the next call works. */
static void assert_refused(np_mpi *mpi, uint64_t count, uint64_t *records, const np_mpi_sort_options *options,
                           np_status expected, const char *why)
{
    np_mpi_sorted sorted = {0};
    uint64_t fine[2] = {2, 1};
    bool wrong = me == ranks - 1;
    assert_int_equal(np_mpi_sort(mpi, 2, fine, NULL, &sorted), NP_OK);
    assert_int_equal(sorted.count, 2);
    np_status st =
        wrong ? np_mpi_sort(mpi, count, records, options, &sorted) : np_mpi_sort(mpi, 2, fine, NULL, &sorted);
    assert_int_equal(st, expected);
    assert_non_null(strstr(np_last_error(), why));
    assert_int_equal(sorted.count, 0);
    st = wrong ? np_mpi_sort_in_place(mpi, count, records, options) : np_mpi_sort_in_place(mpi, 2, fine, NULL);
    assert_int_equal(st, expected);
    assert_int_equal(fine[0], 2);
    np_mpi_sorted_clear(&sorted);
}

static void refuses_what_is_wrong_on_one_rank(void **state)
{
    np_mpi *mpi = make_ranks(0);
    np_mpi_sort_options usual, o;
    uint64_t records[2] = {4, 3};
    (void)state;
    np_mpi_sort_options_init(&usual);
    assert_refused(mpi, 2, NULL, &usual, NP_ERROR_INPUT, "2 records are at NULL");
    assert_refused(mpi, SIZE_MAX / 8 + 1, records, NULL, NP_ERROR_LIMIT, "more than 2^64 bytes");
    o = usual, o.keys = (np_mpi_keys)4;
    assert_refused(mpi, 2, records, &o, NP_ERROR_INPUT, "keys are of kind 4");
    o = usual, o.shares = (np_mpi_shares)2;
    assert_refused(mpi, 2, records, &o, NP_ERROR_INPUT, "shares are of kind 2");
    o = usual, o.keys = NP_MPI_KEYS_CALL, o.record = 8;
    assert_refused(mpi, 2, records, &o, NP_ERROR_INPUT, "no function");
    o.record = 0, o.key = key_of_record;
    assert_refused(mpi, 2, records, &o, NP_ERROR_INPUT, "0 bytes");
    if (ranks == 1)
        return np_mpi_free(mpi);
    o.record = 8; /* fine by itself, but differs from the others' */
    assert_refused(mpi, 2, records, &o, NP_ERROR_INPUT, "must be the same");
    o = usual, o.shares = NP_MPI_SHARES_EQUAL;
    assert_refused(mpi, 2, records, &o, NP_ERROR_INPUT, "must be the same");
    o = usual, o.keys = NP_MPI_KEYS_INT64;
    assert_refused(mpi, 2, records, &o, NP_ERROR_INPUT, "must be the same");
    o = usual, o.oversampling = 5;
    assert_refused(mpi, 2, records, &o, NP_ERROR_INPUT, "must be the same");
    assert_refused(mpi, SIZE_MAX / 8, records, NULL, NP_ERROR_LIMIT, "of all ranks are more than 2^64 bytes");
    np_mpi_free(mpi);
}

static void refuses_records_of_two_sizes(void **state)
{
    np_mpi *mpi = make_ranks(0);
    test_case c = of_records(2, me == ranks - 1 && ranks > 1 ? 7 : 8);
    uint64_t records[2] = {1, 2};
    np_mpi_sorted sorted = {0};
    (void)state;
    size_of_call = c.size;
    assert_int_equal(np_mpi_sort(mpi, 2, records, &c.options, &sorted), ranks > 1 ? NP_ERROR_INPUT : NP_OK);
    np_mpi_sorted_clear(&sorted);
    np_mpi_free(mpi);
}

/* No memory on one rank, at every place where it is taken in turn: an error on all, and the next call works. */
static void agrees_that_memory_is_short(void **state)
{
    uint64_t records[3] = {3, 2, 1};
    np_mpi_sorted sorted = {0};
    np_status st = NP_ERROR_MEMORY;
    (void)state;
    for (long n = 1; st; n++) {
        test_case c = of_records(3, 8);
        np_mpi *mpi = make_ranks(0);
        size_of_call = c.size;
        np_memory_fail_after(me == ranks / 2 ? n : 0);
        st = np_mpi_sort(mpi, 3, records, &c.options, &sorted);
        np_memory_fail_after(0);
        assert_true(!st || st == NP_ERROR_MEMORY);
        assert_true(st || n > 4);
        assert_int_equal(np_mpi_sort(mpi, 3, records, &c.options, &sorted), NP_OK);
        np_mpi_sorted_clear(&sorted);
        np_mpi_free(mpi);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_keys),
        cmocka_unit_test(sorts_records),
        cmocka_unit_test(cuts_messages_into_pieces),
        cmocka_unit_test(draws_again_where_shares_are_too_large),
        cmocka_unit_test(draws_once_where_samples_are_many),
        cmocka_unit_test(partitions_for_many_ranks),
        cmocka_unit_test(orders_numbers_below_zero),
        cmocka_unit_test(refuses_what_is_wrong_on_one_rank),
        cmocka_unit_test(refuses_records_of_two_sizes),
        cmocka_unit_test(agrees_that_memory_is_short),
    };
    return on_ranks(&argc, &argv, tests, sizeof tests / sizeof *tests);
}
