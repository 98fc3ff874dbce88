/*
 * The pool of chunks (src/engine/queueing/bucket.c): what is put into a bucket comes out of it, in order, and chunks go
 * round for ever, also where one worker only takes and another only gives back.
 */
#include "support.h"

#include "engine/queueing/bucket.h"

enum { WORKERS = 3, BLOCKS = 6, PACKETS = 1500, ROUNDS = 300 };

static np_packet number(uint32_t round, unsigned worker, uint32_t i) { return round << 16 | worker << 12 | i; }

/* Worker w puts so many packets of the round into the block. */
static void put(np_bucket_pool *pool, uint32_t round, unsigned w, unsigned block, uint32_t count)
{
    np_bucket *bucket = &pool->bucket[round & 1][w * BLOCKS + block];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = np_bucket_place(pool, w, bucket);
        bucket->last->packet[place] = number(round, w, i);
        bucket->last->ticket[place] = ~(np_ticket)number(round, w, i);
    }
}

/* The packets of workers 0, 1, ... come in this order. */
static void take(np_bucket_pool *pool, uint32_t round, unsigned block, const uint32_t counts[WORKERS])
{
    np_bucket_walk walk = {.block = block, .parity = round & 1, .ahead = BLOCKS};
    unsigned w = 0;
    uint32_t i = 0;
    for (uint32_t count; (count = np_bucket_next(pool, &walk));)
        for (uint32_t k = 0; k < count; k++, i++) {
            for (; i == counts[w]; w++)
                i = 0;
            assert_true(w < WORKERS);
            assert_int_equal(pool->chunk[walk.chunk].packet[k], number(round, w, i));
            assert_true(pool->chunk[walk.chunk].ticket[k] == ~(np_ticket)number(round, w, i));
        }
    for (; w < WORKERS && i == counts[w]; w++)
        i = 0;
    assert_int_equal(w, WORKERS);
}

static void test_chunks_go_round(void **state)
{
    np_bucket_pool pool;
    (void)state;
    assert_int_equal(np_bucket_pool_init(&pool, PACKETS, WORKERS, BLOCKS, 0), NP_OK);
    np_bucket_pool_reset(&pool);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t some = (round * 37) % 500, counts[WORKERS] = {PACKETS - some - some / 2, some, some / 2};
        unsigned block = round % BLOCKS, giver = round / 100 % WORKERS; /* the giver is another for 100 rounds */
        for (unsigned w = 0; w < WORKERS; w++)
            put(&pool, round, w, block, counts[w]);
        if (round) { /* the round before is there, still */
            uint32_t before = ((round - 1) * 37) % 500;
            take(&pool, round - 1, (round - 1) % BLOCKS,
                 (const uint32_t[WORKERS]){PACKETS - before - before / 2, before, before / 2});
            np_bucket_empty(&pool, giver, (round - 1) % BLOCKS, (round - 1) & 1);
        }
    }
    np_bucket_pool_clear(&pool);
}

static void test_empty_buckets(void **state)
{
    np_bucket_pool pool;
    np_bucket_walk walk = {.block = 2};
    (void)state;
    assert_int_equal(np_bucket_pool_init(&pool, PACKETS, WORKERS, BLOCKS, 0), NP_OK);
    np_bucket_pool_reset(&pool);
    assert_int_equal(np_bucket_next(&pool, &walk), 0);
    put(&pool, 0, 1, 2, 1);
    np_bucket_empty(&pool, 0, 2, 0);
    walk = (np_bucket_walk){.block = 2};
    assert_int_equal(np_bucket_next(&pool, &walk), 0);
    np_bucket_pool_clear(&pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_chunks_go_round), cmocka_unit_test(test_empty_buckets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
