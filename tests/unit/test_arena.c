/* Arenas: counted and placed alike, one block, arrays apart from each other, failing when told to. */
#include "support.h"

#include "base/arena.h"
#include "base/memory.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

enum { WORKERS_MAX = 8 };

typedef struct worker {
    size_t room;
    uint16_t *slot; /* [room] */
} worker;

typedef struct thing {
    size_t links, packets;
    unsigned workers;
    bool keyed, fickle;
    uint32_t *word; /* [links] zeroed */
    uint64_t *key;  /* [packets] or NULL */
    char *byte;     /* [3] */
    worker *worker; /* [workers] */
    void *block;
} thing;

static int layouts; /* runs of the layout */

static void worker_layout(worker *w, np_arena *arena)
{
    np_arena_array(arena, &w->slot, w->room, sizeof *w->slot, "the slots");
}

static void layout(void *object, np_arena *arena)
{
    thing *t = object;
    layouts++;
    np_arena_zeroed(arena, &t->word, t->links, sizeof *t->word, "the words");
    np_arena_array(arena, &t->byte, 3, 1, "three bytes");
    if (t->keyed)
        np_arena_array(arena, &t->key, t->packets, sizeof *t->key, "the keys");
    np_arena_zeroed(arena, &t->worker, t->workers, sizeof *t->worker, "the workers");
    for (unsigned w = 0; w < t->workers; w++) {
        worker counted = {0}, *each = t->worker ? &t->worker[w] : &counted;
        each->room = t->packets / t->workers;
        worker_layout(each, arena);
    }
    if (t->fickle)
        np_arena_array(arena, &t->byte, t->word ? 300 : 3, 1, "bytes that were not counted");
}

static void put(const char *from[], const char *to[], size_t *count, const void *array, size_t bytes)
{
    from[*count] = array;
    to[(*count)++] = (const char *)array + (bytes < 128 ? bytes : (bytes + 127) / 128 * 128);
}

/* The arrays lie in the block, one apart from the other, the large ones on lines of their own. */
static void check_places(const thing *t, const char *block, uint64_t bytes)
{
    const char *from[4 + WORKERS_MAX], *to[4 + WORKERS_MAX];
    size_t count = 0;
    put(from, to, &count, t->word, t->links * sizeof *t->word);
    put(from, to, &count, t->byte, 3);
    put(from, to, &count, t->worker, t->workers * sizeof *t->worker);
    if (t->keyed)
        put(from, to, &count, t->key, t->packets * sizeof *t->key);
    for (unsigned w = 0; w < t->workers; w++)
        put(from, to, &count, t->worker[w].slot, t->worker[w].room * sizeof *t->worker[w].slot);
    for (size_t i = 0; i < count; i++) {
        assert_true(from[i] >= block && to[i] <= block + bytes);
        assert_int_equal((uintptr_t)from[i] % (to[i] - from[i] >= 128 ? 128 : 16), 0);
        for (size_t j = 0; j < i; j++)
            assert_true(to[i] <= from[j] || to[j] <= from[i]);
    }
}

static void fill(thing *t)
{
    for (size_t i = 0; i < t->links; i++)
        assert_int_equal(t->word[i], 0);
    memset(t->word, 0xff, t->links * sizeof *t->word);
    memset(t->byte, 0xff, 3);
    for (unsigned w = 0; w < t->workers; w++)
        memset(t->worker[w].slot, 0xff, t->worker[w].room * sizeof *t->worker[w].slot);
    if (t->keyed)
        memset(t->key, 0xff, t->packets * sizeof *t->key);
}

static void test_counted_and_placed(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 7, 31, 32, 33, 1000, 600000, 3000000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (unsigned workers = 1; workers <= WORKERS_MAX; workers += 3) {
            thing given = {.links = sizes[i], .packets = sizes[i] / 2, .workers = workers, .keyed = workers > 1}, *made;
            uint64_t bytes = np_arena_bytes(&given, sizeof given, layout);
            assert_null(given.word);
            layouts = 0;
            assert_ok(np_arena_create(&given, sizeof given, layout, "a thing", &made));
            assert_int_equal(layouts, 2);
            assert_int_equal(made->links, sizes[i]);
            check_places(made, (char *)made, bytes);
            fill(made);
            if (!made->keyed)
                assert_null(made->key);
            np_memory_free(made);
        }
}

/* Small gaps only: the sum of the arrays, and less than two lines for each. */
static void test_little_is_lost(void **state)
{
    (void)state;
    thing t = {.links = 100001, .packets = 10000, .workers = 7, .keyed = true};
    size_t sum = sizeof t + t.links * 4 + t.packets * 8 + 3 + 7 * sizeof(worker) + t.packets / 7 * 7 * 2;
    uint64_t bytes = np_arena_bytes(&t, sizeof t, layout);
    assert_true(bytes >= sum);
    assert_true(bytes <= sum + (size_t)12 * 3 * NP_MEMORY_LINE + 4096 + 512); /* and what allocators keep beside */
}

static void test_placed_in_the_owners_memory(void **state)
{
    (void)state;
    thing t = {.links = 500, .packets = 50, .workers = 2, .keyed = true};
    uint64_t bytes = np_arena_bytes(&t, 0, layout);
    assert_ok(np_arena_place(&t, layout, "a thing", &t.block));
    check_places(&t, t.block, bytes);
    fill(&t);
    np_memory_free(t.block);
}

/* From run to run: the block stays while it is large enough, and what was in it is zeroed where asked. */
static void test_renewed(void **state)
{
    static const size_t links[] = {500, 500, 20, 501, 9000, 1};
    void *block = NULL, *before = NULL;
    size_t room = 0, largest = 0;
    (void)state;
    for (size_t i = 0; i < sizeof links / sizeof *links; i++, before = block) {
        thing t = {.links = links[i], .packets = 50, .workers = 2, .keyed = true};
        assert_ok(np_arena_renew(&t, layout, "a thing", &block, &room));
        check_places(&t, block, room);
        fill(&t);
        if (links[i] <= largest)
            assert_ptr_equal(block, before);
        largest = links[i] > largest ? links[i] : largest;
    }
    thing t = {.links = 1 << 20, .packets = 50, .workers = 2};
    np_memory_fail_after(1);
    assert_refused(np_arena_renew(&t, layout, "a thing", &block, &room), NP_ERROR_MEMORY, "no memory for a thing");
    np_memory_fail_after(0);
    assert_null(block);
    t.links = 5;
    assert_ok(np_arena_renew(&t, layout, "a thing", &block, &room));
    np_memory_free(block);
}

static void test_large_blocks_are_on_huge_pages(void **state)
{
    (void)state;
    thing t = {.links = 1 << 20, .packets = 3, .workers = 1};
    assert_int_equal(np_arena_bytes(&t, 0, layout) % (2 << 20), 0);
    assert_ok(np_arena_place(&t, layout, "a thing", &t.block));
    assert_int_equal((uintptr_t)t.block % (2 << 20), 0);
    np_memory_free(t.block);
}

/* An allocation that fails names the object, the figure and the largest array, and leaves nothing. */
static void test_failure(void **state)
{
    (void)state;
    thing t = {.links = 500000, .packets = 1, .workers = 1}, *made = &t;
    np_memory_fail_after(1);
    assert_refused(np_arena_create(&t, sizeof t, layout, "a thing", &made), NP_ERROR_MEMORY,
                   "no memory for a thing with the words: 2.0 MB");
    assert_null(made);
    np_memory_fail_after(1);
    t.block = &t;
    assert_refused(np_arena_place(&t, layout, "a thing", &t.block), NP_ERROR_MEMORY, "no memory for a thing");
    assert_null(t.block);
    assert_null(t.word);
    np_memory_fail_after(0);
}

/* One array that is too large, and arrays whose sum is. */
static void test_sizes_that_cannot_be(void **state)
{
    (void)state;
    static const thing cases[] = {{.links = SIZE_MAX / 2, .workers = 1},
                                  {.links = (size_t)1 << 62, .workers = 1}, /* 2^64 bytes */
                                  {.links = SIZE_MAX / 4 - 10, .workers = 1},
                                  {.links = (size_t)3 << 60, .packets = (size_t)3 << 59, .workers = 1, .keyed = true},
                                  {.links = (size_t)1 << 60, .packets = (size_t)1 << 59, .workers = 2, .keyed = true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        thing t = cases[i], *made = &t;
        assert_true(np_arena_bytes(&t, sizeof t, layout) >= PTRDIFF_MAX);
        assert_refused(np_arena_create(&t, sizeof t, layout, "a thing", &made), NP_ERROR_MEMORY,
                       "no memory for a thing");
        assert_null(made);
    }
}

/* A layout that takes more when it places than it counted is a bug that is told, not an overrun. */
static void test_fickle_layouts_are_refused(void **state)
{
    (void)state;
    thing t = {.links = 10, .packets = 10, .workers = 1, .fickle = true}, *made;
    assert_refused(np_arena_create(&t, sizeof t, layout, "a thing", &made), NP_ERROR_INTERNAL, "a thing: ");
    assert_null(made);
    assert_refused(np_arena_place(&t, layout, "a thing", &t.block), NP_ERROR_INTERNAL, "a thing: ");
    assert_null(t.block);
    assert_null(t.word);
}

/* Under the sanitizer the bytes on both sides of an array may not be touched. */
static void test_gaps_are_poisoned(void **state)
{
    (void)state;
#if defined(__SANITIZE_ADDRESS__)
    thing t = {.links = 33, .packets = 21, .workers = 2, .keyed = true};
    assert_ok(np_arena_place(&t, layout, "a thing", &t.block));
    assert_true(__asan_address_is_poisoned(t.word + 33));
    assert_true(__asan_address_is_poisoned(t.byte + 3));
    assert_true(__asan_address_is_poisoned((char *)t.key - 1));
    assert_true(__asan_address_is_poisoned(t.worker[1].slot + 10));
    assert_false(__asan_address_is_poisoned((char *)(t.worker[1].slot + 10) - 1));
    np_memory_free(t.block);
#endif
}

/* Three arrays by one call, or by three. */
typedef struct words {
    size_t count;
    bool apart;
    uint32_t *from, *to, *over;
    void *block;
} words;

static void words_layout(void *object, np_arena *arena)
{
    words *w = object;
    if (!w->apart) {
        NP_ARENA_WORDS(arena, w->count, "words", &w->from, &w->to, &w->over);
        return;
    }
    np_arena_array(arena, &w->from, w->count, sizeof *w->from, "words");
    np_arena_array(arena, &w->to, w->count, sizeof *w->to, "words");
    np_arena_array(arena, &w->over, w->count, sizeof *w->over, "words");
}

static void test_words_are_arrays(void **state)
{
    (void)state;
    for (size_t count = 1; count < 100; count += 33) {
        words one = {.count = count}, three = {.count = count, .apart = true};
        assert_int_equal(np_arena_bytes(&one, 0, words_layout), np_arena_bytes(&three, 0, words_layout));
        assert_ok(np_arena_place(&one, words_layout, "words", &one.block));
        assert_ok(np_arena_place(&three, words_layout, "words", &three.block));
        assert_int_equal(one.to - one.from, three.to - three.from);
        assert_int_equal(one.over - one.from, three.over - three.from);
        NP_MEMORY_FREE(one.block, three.block);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counted_and_placed),
        cmocka_unit_test(test_little_is_lost),
        cmocka_unit_test(test_placed_in_the_owners_memory),
        cmocka_unit_test(test_renewed),
        cmocka_unit_test(test_large_blocks_are_on_huge_pages),
        cmocka_unit_test(test_failure),
        cmocka_unit_test(test_sizes_that_cannot_be),
        cmocka_unit_test(test_fickle_layouts_are_refused),
        cmocka_unit_test(test_gaps_are_poisoned),
        cmocka_unit_test(test_words_are_arrays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
