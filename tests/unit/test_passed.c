/* Counts by digits (src/engine/schedule/passed.c) against a count for each link, past the digits that they have. */
#include "support.h"

#include <stdlib.h>

#include "base/memory.h"

#include "engine/schedule/passed.h"

extern const np_discipline np_discipline_fifo;

enum { FIRST = 4096 - 70, LINKS = 9000, BASE = FIRST & ~63, WORDS = 192, STEPS = 1200 };

typedef struct range {
    np_passed passed;
    void *block;
} range;

static void layout(void *object, np_arena *arena)
{
    range *r = object;
    np_passed_layout(&r->passed, BASE, WORDS, arena);
}

static bool has(const uint64_t *bits, size_t link) { return bits[link >> 6] >> (link & 63) & 1; }

/* Of 64 words one in `rare` has bits; those of the first links are always set, so that their counts are large. */
static void draw(uint64_t *bits, uint64_t step, uint64_t what, unsigned rare)
{
    for (size_t w = 0; w < WORDS; w++) {
        uint64_t drawn = np_random_mix(step << 20 | what << 16 | w);
        bits[w] = drawn % rare ? 0 : np_random_mix(drawn);
    }
}

static uint32_t most_of(const uint32_t *count, np_link first, np_link last)
{
    uint32_t most = 0;
    for (np_link l = first; l < last; l++)
        most = count[l - BASE] > most ? count[l - BASE] : most;
    return most;
}

static void check(unsigned rare)
{
    range r = {.block = NULL};
    np_queues queues;
    uint64_t once[WORDS], twice[WORDS], busy[WORDS];
    uint32_t *count = calloc(WORDS * 64, sizeof *count);
    assert_int_equal(np_arena_place(&r, layout, "counts", &r.block), NP_OK);
    assert_int_equal(np_queues_init(&queues, &np_discipline_fifo, 0, FIRST + LINKS, 1), NP_OK);
    np_queues_reset(&queues, 0, FIRST + LINKS);
    for (uint64_t step = 0; step < STEPS; step++) {
        draw(once, step, 0, rare);
        draw(twice, step, 1, rare);
        draw(busy, step, 2, rare);
        once[5] |= 0xff; /* these links count each step: 4 times what the digits hold */
        twice[5] = busy[5] = 0;
        for (size_t i = 0; i < WORDS * 64; i++) {
            bool inside = i + BASE >= FIRST && i + BASE < FIRST + LINKS;
            if (!inside)
                once[i >> 6] &= ~(UINT64_C(1) << (i & 63));
            count[i] += has(once, i) && !has(twice, i) && !has(busy, i);
        }
        if (step % 3)
            np_passed_add_all(&r.passed, &queues, once, twice, busy);
        else
            for (size_t w = 0; w < WORDS; w++)
                np_passed_add(&r.passed, &queues, w, once[w] & ~(twice[w] | busy[w]));
        if (step % 100 == 0)
            for (np_link l = FIRST; l < FIRST + LINKS; l += 71) {
                np_link last = l + 200 < FIRST + LINKS ? l + 200 : FIRST + LINKS;
                assert_int_equal(np_passed_congestion(&r.passed, &queues, l, last), most_of(count, l, last));
            }
    }
    assert_int_equal(np_passed_congestion(&r.passed, &queues, FIRST, FIRST + LINKS), STEPS);
    np_passed_reset(&r.passed);
    np_queues_reset(&queues, 0, FIRST + LINKS);
    assert_int_equal(np_passed_congestion(&r.passed, &queues, FIRST, FIRST + LINKS), 0);
    np_queues_clear(&queues);
    np_memory_free(r.block);
    free(count);
}

static void test_counts(void **state)
{
    (void)state;
    check(1);
    check(50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_counts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
