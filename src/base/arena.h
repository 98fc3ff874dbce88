/*
 * The arrays of an object, in one block. One function lays them out. It runs
 * twice: the first run counts the bytes, the second run places the arrays. So
 * the bytes that an object promises are the bytes that it takes, and one call
 * frees everything.
 *
 * Copy this:
 *
 *     struct np_thing {
 *         size_t links, packets; // sizes: set before the layout runs
 *         bool keyed;
 *         uint32_t *word; // [links]
 *         uint64_t *key;  // [packets]; NULL without keys
 *         np_queues queues;
 *     };
 *
 *     static void layout(void *object, np_arena *arena)
 *     {
 *         np_thing *t = object;
 *         np_arena_zeroed(arena, &t->word, t->links, sizeof *t->word, "the words");
 *         if (t->keyed)
 *             np_arena_array(arena, &t->key, t->packets, sizeof *t->key, "the keys");
 *         np_queues_layout(&t->queues, arena); // a member's own layout
 *     }
 *
 *     uint64_t np_thing_bytes(size_t links, size_t packets)
 *     {
 *         np_thing thing = {.links = links, .packets = packets};
 *         return np_arena_bytes(&thing, sizeof thing, layout);
 *     }
 *
 *     np_status np_thing_create(size_t links, size_t packets, np_thing **out)
 *     {
 *         np_thing thing = {.links = links, .packets = packets};
 *         return np_arena_create(&thing, sizeof thing, layout, "a thing", out);
 *     }
 *
 *     void np_thing_free(np_thing *thing) { np_memory_free(thing); }
 *
 * An object in its owner's memory has a `void *block` and calls
 * np_arena_place; np_memory_free(object->block) frees its arrays.
 *
 * A layout takes the same arrays in both runs: what it takes depends on sizes
 * and flags only, never on pointers. While the layout counts, every array is
 * NULL: it sets no item. An array of records that have arrays of their own:
 *
 *     np_arena_zeroed(arena, &t->worker, t->workers, sizeof *t->worker, "the workers");
 *     for (unsigned w = 0; w < t->workers; w++) {
 *         np_worker counted = {0}, *worker = t->worker ? &t->worker[w] : &counted;
 *         worker->room = t->room;
 *         np_worker_layout(worker, arena);
 *     }
 *
 * Arrays that grow and arrays whose size is known only later stay with
 * base/memory.h.
 */
#pragma once

#include "base/status.h"

typedef struct np_arena np_arena;

/* Takes the arrays of an object from the arena, one call an array. */
typedef void np_layout(void *object, np_arena *arena);

/*
 * In a layout: *array = room for `count` items of `size` bytes; NULL while the
 * layout counts. Arrays of 128 bytes or more are aligned to 128 and share no
 * 128 bytes with another array. `what` names the array in messages; it must
 * outlive the call. Contents are undefined, or zero.
 */
NP_FOR_REPORT void np_arena_array(np_arena *arena, void *array, size_t count, size_t size, const char *what);
void np_arena_zeroed(np_arena *arena, void *array, size_t count, size_t size, const char *what);

/* np_arena_array for each of several arrays of 32-bit words: NP_ARENA_WORDS(arena, count, what, &t->from, &t->to). */
#define NP_ARENA_WORDS(arena, count, what, ...)                                                                        \
    np_arena_words((arena), (count), (what), sizeof((uint32_t **[]){__VA_ARGS__}) / sizeof(uint32_t **),               \
                   (uint32_t * *[]){__VA_ARGS__})
void np_arena_words(np_arena *arena, size_t count, const char *what, size_t arrays, uint32_t **const *array);

/*
 * The bytes that np_arena_create takes for an object of these sizes; with size
 * 0, the bytes that np_arena_place takes. SIZE_MAX if the sum overflows. Sets
 * the object's arrays to NULL.
 */
uint64_t np_arena_bytes(void *object, size_t size, np_layout *layout);

/*
 * *out (a pointer to an object) = a copy of the object in front of its arrays,
 * one block: free with np_memory_free(*out). On failure *out is NULL.
 * NP_ERROR_MEMORY and NP_ERROR_LIMIT name `what`, the largest array and the figure;
 * NP_ERROR_INTERNAL if the layout takes other arrays than it counted.
 */
np_status np_arena_create(void *object, size_t size, np_layout *layout, const char *what, void *out) NP_CHECKED;

/* Places the arrays of an object in its owner's memory; *block = the block, to be freed. On failure all are NULL. */
NP_FOR_REPORT np_status np_arena_place(void *object, np_layout *layout, const char *what, void **block) NP_CHECKED;

/*
 * np_arena_place for an object whose sizes change from run to run. The arrays go into *block, which has *room bytes (at
 * first NULL and 0), if *room is enough; else a new block replaces *block. The contents of the arrays are lost.
 */
np_status np_arena_renew(void *object, np_layout *layout, const char *what, void **block, size_t *room) NP_CHECKED;

/*
 * The same if *items, by which the layout counts, is less than `count`; then it becomes `count`, or 0 after an error.
 */
np_status np_arena_need(void *object, np_layout *layout, const char *what, void **block, size_t *room, size_t *items,
                        size_t count) NP_CHECKED;
