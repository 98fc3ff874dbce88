/* The object of the ranks, and what the rest of the library sees of it. Run on several ranks (tests/mpi/run). */
#include <limits.h>
#include <string.h>

#include "base/memory.h"
#include "mpi/test.h"

#include "mpi/ranks/mpi.h"

static void refuses_what_is_no_communicator(void **state)
{
    np_mpi *mpi = (np_mpi *)state;
    assert_int_equal(np_mpi_create(MPI_COMM_NULL, NULL, &mpi), NP_ERROR_INPUT);
    assert_null(mpi);
    assert_non_null(strstr(np_last_error(), "MPI_COMM_NULL"));
}

static void refuses_options(void **state)
{
    np_mpi *mpi;
    np_mpi_options options;
    (void)state;
    np_mpi_options_init(&options);
    options.piece = 7;
    assert_int_equal(np_mpi_create(MPI_COMM_WORLD, &options, &mpi), NP_ERROR_INPUT);
    assert_non_null(strstr(np_last_error(), "piece is 7 bytes"));
    if (ranks == 1)
        return;
    np_mpi_options_init(&options);
    options.seed = (uint64_t)me; /* differs: an error on all, not a wrong result later */
    assert_int_equal(np_mpi_create(MPI_COMM_WORLD, &options, &mpi), NP_ERROR_INPUT);
    assert_non_null(strstr(np_last_error(), "same on all ranks"));
    np_mpi_options_init(&options);
    options.piece = me == ranks - 1 ? 1 : 0; /* wrong on one */
    assert_int_equal(np_mpi_create(MPI_COMM_WORLD, &options, &mpi), NP_ERROR_INPUT);
    assert_non_null(strstr(np_last_error(), "piece is 1 bytes"));
}

/* Each allocation of one rank fails in turn: all ranks have the error, and none waits. */
static void is_made_by_all_or_by_none(void **state)
{
    np_mpi *mpi = NULL;
    np_status st = NP_ERROR_MEMORY;
    int n = 0;
    (void)state;
    while (st) {
        np_memory_fail_after(me == ranks - 1 ? ++n : 0);
        st = np_mpi_create(MPI_COMM_WORLD, NULL, &mpi);
        np_memory_fail_after(0);
        MPI_Barrier(MPI_COMM_WORLD); /* a call that one rank alone has left would match its next one */
        assert_true(st == NP_OK || st == NP_ERROR_MEMORY);
        assert_true(!st == !!mpi);
    }
    assert_true(me < ranks - 1 || n > 2);
    np_mpi_free(mpi);
}

static void an_error_of_one_is_that_of_all(void **state)
{
    np_mpi *mpi = make_ranks(0);
    np_status st = NP_OK;
    char expected[64];
    (void)state;
    assert_int_equal(np_mpi_agree(mpi, NP_OK), NP_OK);
    if (me >= ranks / 2) /* the lowest of those counts */
        st = np_status_raise(NP_ERROR_LIMIT, "too much for %d", me);
    assert_int_equal(np_mpi_agree(mpi, st), NP_ERROR_LIMIT);
    if (ranks == 1)
        snprintf(expected, sizeof expected, "too much for 0");
    else
        snprintf(expected, sizeof expected, "rank %d: too much for %d", ranks / 2, ranks / 2);
    assert_string_equal(np_last_error(), expected);
    assert_int_equal(np_mpi_agree(mpi, NP_ERROR_LIMIT), NP_ERROR_LIMIT); /* agreed on once more by an outer call */
    assert_string_equal(np_last_error(), expected);
    np_mpi_free(mpi);
}

/* Rank r sends (r + 1) * (to + 2) % 5 words to rank `to`, in pieces of 8 bytes: each says where it is from. */
static size_t words(int from, int to) { return (size_t)((from + 1) * (to + 2) % 5); }

/* The ranks say how much they send, then send it, in pieces of a word; then all get what each has. */
static void meets_moves_and_gathers(void **state)
{
    np_mpi *mpi = make_ranks(8);
    const np_job *job = np_mpi_job(mpi);
    uint64_t say[MOST_RANKS], hear[MOST_RANKS], out[5 * MOST_RANKS], in[5 * MOST_RANKS], moved = 0, gathered = 0;
    np_mpi_statistics counts;
    size_t at = 0;
    (void)state;
    for (int to = 0; to < ranks; to++) {
        say[to] = words(me, to);
        for (size_t i = 0; i < say[to]; i++)
            out[at++] = (uint64_t)(me * 100 + to * 10) + i;
        for (int from = 0; from < ranks; from++)
            moved += from == to ? 0 : words(from, to);
        gathered += (uint64_t)(ranks - 1) * words(to, 0);
    }
    assert_int_equal(job->meet(job->context, 1, say, hear), NP_OK);
    for (int from = 0; from < ranks; from++)
        assert_int_equal(hear[from], words(from, me));
    assert_int_equal(job->move(job->context, 8, out, say, in, hear), NP_OK);
    at = 0;
    for (int from = 0; from < ranks; from++)
        for (size_t i = 0; i < words(from, me); i++)
            assert_int_equal(in[at++], (uint64_t)(from * 100 + me * 10) + i);
    for (int from = 0; from < ranks; from++)
        hear[from] = words(from, 0);
    assert_int_equal(job->gather(job->context, 8, out, hear, in), NP_OK);
    at = 0;
    for (int from = 0; from < ranks; from++)
        for (size_t i = 0; i < words(from, 0); i++)
            assert_int_equal(in[at++], (uint64_t)(from * 100) + i);
    assert_int_equal(np_mpi_statistics_get(mpi, &counts), NP_OK);
    const uint64_t met = (uint64_t)ranks * (uint64_t)(ranks - 1);
    assert_int_equal(counts.rounds, 3);
    assert_int_equal(counts.messages, met + moved + gathered); /* a piece a word */
    assert_int_equal(counts.bytes, 8 * counts.messages);
    np_mpi_statistics_reset(mpi);
    assert_int_equal(np_mpi_statistics_get(mpi, &counts), NP_OK);
    assert_int_equal(counts.rounds + counts.messages + counts.bytes, 0);
    np_mpi_free(mpi);
}

/* 5, 0 and 7 bytes go to each rank, from the end of an array on, and arrive as 1, 10 and 1, in pieces of 8. */
static void moves_lists_that_are_divided_otherwise(void **state)
{
    np_mpi *mpi = make_ranks(8);
    unsigned char out[MOST_RANKS][12], in[MOST_RANKS][12];
    np_mpi_part sent[3 * MOST_RANKS], received[3 * MOST_RANKS];
    size_t first[MOST_RANKS + 1];
    np_mpi_statistics counts;
    (void)state;
    for (int r = 0; r <= ranks; r++)
        first[r] = 3 * (size_t)r;
    for (int r = 0; r < ranks; r++) {
        for (int i = 0; i < 12; i++)
            out[r][i] = (unsigned char)(me * 16 + r + i);
        sent[3 * r] = (np_mpi_part){out[r] + 7, 5};
        sent[3 * r + 1] = (np_mpi_part){NULL, 0};
        sent[3 * r + 2] = (np_mpi_part){out[r], 7};
        received[3 * r] = (np_mpi_part){in[r] + 11, 1};
        received[3 * r + 1] = (np_mpi_part){in[r], 10};
        received[3 * r + 2] = (np_mpi_part){in[r] + 10, 1};
    }
    assert_int_equal(np_mpi_move_lists(mpi, (np_mpi_lists){sent, first}, (np_mpi_lists){received, first}), NP_OK);
    for (int from = 0; from < ranks; from++)
        for (int i = 0; i < 12 && from != me; i++) {
            int at = i < 5 ? 7 + i : i - 5, to = i == 0 ? 11 : i == 11 ? 10 : i - 1;
            assert_int_equal(in[from][to], (unsigned char)(from * 16 + me + at));
        }
    assert_int_equal(np_mpi_statistics_get(mpi, &counts), NP_OK);
    assert_int_equal(counts.messages, 2 * ranks * (ranks - 1));
    np_mpi_free(mpi);
}

static void sums_and_maxima(void **state)
{
    np_mpi *mpi = make_ranks(0);
    const np_job *job = np_mpi_job(mpi);
    uint64_t sum[] = {(uint64_t)me, UINT64_MAX}, most[] = {(uint64_t)me, (uint64_t)(ranks - me), me ? 5 : UINT64_MAX};
    (void)state;
    assert_int_equal(np_job_sum(job, 2, sum), NP_OK);
    assert_int_equal(sum[0], ranks * (ranks - 1) / 2);
    assert_int_equal(sum[1], (uint64_t)0 - (uint64_t)ranks); /* modulo 2^64 */
    assert_int_equal(np_job_most(job, 3, most), NP_OK);
    assert_int_equal(most[0], ranks - 1);
    assert_int_equal(most[1], ranks);
    assert_true(most[2] == UINT64_MAX); /* unsigned */
    np_mpi_free(mpi);
}

/* Ranks of a part of the communicator, and messages of the caller that must not meet ours. */
static void works_on_a_part(void **state)
{
    MPI_Comm part;
    np_mpi *mpi;
    (void)state;
    MPI_Comm_split(MPI_COMM_WORLD, me % 2, -me, &part); /* numbered downwards */
    assert_int_equal(np_mpi_create(part, NULL, &mpi), NP_OK);
    assert_int_equal(np_mpi_size(mpi), (ranks + 1 - me % 2) / 2);
    assert_int_equal(np_mpi_rank(mpi), np_mpi_size(mpi) - 1 - me / 2);
    MPI_Comm_free(&part);
    uint64_t one = 1;
    const np_job *job = np_mpi_job(mpi);
    assert_int_equal(np_job_sum(job, 1, &one), NP_OK);
    assert_int_equal(one, np_mpi_size(mpi));
    np_mpi_free(mpi);
}

static void divides_in_equal_ranges(void **state)
{
    (void)state;
    for (uint32_t parts = 1; parts < 9; parts++)
        for (uint64_t count = 0; count < 40; count++) {
            assert_int_equal(np_job_share(count, 0, parts), 0);
            assert_int_equal(np_job_share(count, parts, parts), count);
            for (uint32_t r = 0; r < parts; r++) {
                uint64_t has = np_job_share(count, r + 1, parts) - np_job_share(count, r, parts);
                assert_true(has == count / parts || has == (count + parts - 1) / parts);
            }
        }
    assert_int_equal(np_job_share(UINT64_MAX, 3, 3), UINT64_MAX);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_what_is_no_communicator),
        cmocka_unit_test(refuses_options),
        cmocka_unit_test(is_made_by_all_or_by_none),
        cmocka_unit_test(an_error_of_one_is_that_of_all),
        cmocka_unit_test(meets_moves_and_gathers),
        cmocka_unit_test(moves_lists_that_are_divided_otherwise),
        cmocka_unit_test(sums_and_maxima),
        cmocka_unit_test(works_on_a_part),
        cmocka_unit_test(divides_in_equal_ranges),
    };
    return on_ranks(&argc, &argv, tests, sizeof tests / sizeof *tests);
}
