/*
 * Layouts are run to count and to place; arena.h says how to write one.
 *
 * A place in the block depends only on the sizes of the arrays before it, so
 * both runs come to the same sum. Under the address sanitizer there is a line
 * of poisoned bytes between any two arrays: the sanitizer finds an overrun as
 * it would find one between two allocations.
 */
#include "base/arena.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
enum { GUARD = NP_MEMORY_LINE };
#else
#define ASAN_POISON_MEMORY_REGION(from, bytes) ((void)(from), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(from, bytes) ((void)(from), (void)(bytes))
enum { GUARD = 0 };
#endif

enum { SMALL_ALIGNMENT = 16 };

struct np_arena {
    char *block;      /* NULL: counting */
    size_t room;      /* of the block */
    size_t bytes;     /* laid out so far; SIZE_MAX: the sum overflows */
    size_t largest;   /* bytes of the largest array */
    const char *what; /* the largest array */
};

static size_t aligned(size_t bytes, size_t alignment) { return (bytes + alignment - 1) / alignment * alignment; }

/* Appends an array of `bytes` bytes: *begin = its offset. False if the sum overflows. */
static int follow(np_arena *arena, size_t bytes, size_t *begin)
{
    size_t alignment = bytes < NP_MEMORY_LINE ? SMALL_ALIGNMENT : NP_MEMORY_LINE;
    if (arena->bytes > PTRDIFF_MAX || bytes > (size_t)PTRDIFF_MAX - 3 * (size_t)NP_MEMORY_LINE) {
        arena->bytes = SIZE_MAX;
        return 0;
    }
    *begin = aligned(arena->bytes, alignment);
    arena->bytes = *begin + aligned(bytes, alignment) + GUARD;
    return 1;
}

/* Returns the array's memory; NULL while counting, or if it does not fit. */
static void *take(np_arena *arena, size_t count, size_t size, const char *what)
{
    size_t bytes, begin;
    if (__builtin_mul_overflow(count, size, &bytes))
        bytes = SIZE_MAX;
    if (bytes > arena->largest || !arena->what) {
        arena->largest = bytes;
        arena->what = what;
    }
    if (!follow(arena, bytes, &begin) || !arena->block || arena->bytes > arena->room)
        return NULL;
    ASAN_UNPOISON_MEMORY_REGION(arena->block + begin, bytes);
    return arena->block + begin;
}

void np_arena_array(np_arena *arena, void *array, size_t count, size_t size, const char *what)
{
    void *memory = take(arena, count, size, what);
    memcpy(array, &memory, sizeof memory);
}

void np_arena_words(np_arena *arena, size_t count, const char *what, size_t arrays, uint32_t **const *array)
{
    for (size_t i = 0; i < arrays; i++)
        np_arena_array(arena, array[i], count, sizeof **array[i], what);
}

void np_arena_zeroed(np_arena *arena, void *array, size_t count, size_t size, const char *what)
{
    void *memory = take(arena, count, size, what);
    if (memory)
        memset(memory, 0, count * size);
    memcpy(array, &memory, sizeof memory);
}

/* A run of the layout that counts; an object of `size` bytes goes first. */
static np_arena count(void *object, size_t size, np_layout *layout)
{
    np_arena arena = {0};
    if (size)
        (void)take(&arena, 1, size, "the object");
    layout(object, &arena);
    return arena;
}

uint64_t np_arena_bytes(void *object, size_t size, np_layout *layout)
{
    return np_memory_taken(count(object, size, layout).bytes);
}

static np_status allocate(np_arena *arena, const char *what)
{
    arena->room = arena->bytes;
    char both[128]; /* "a search with the heads of the links" */
    snprintf(both, sizeof both, arena->what && strcmp(arena->what, what) ? "%s with %s" : "%s", what, arena->what);
    np_status st = np_memory_array(&arena->block, arena->room, 1, both);
    if (st)
        return st;
    ASAN_POISON_MEMORY_REGION(arena->block, arena->room);
    arena->bytes = 0;
    return NP_OK;
}

/* A run of the layout that places; all of the block must be taken. */
static np_status place(np_arena *arena, void *object, np_layout *layout, const char *what)
{
    layout(object, arena);
    if (arena->bytes == arena->room)
        return NP_OK;
    return NP_RAISE(NP_ERROR_INTERNAL, "%s: %zu bytes are laid out, %zu were counted", what, arena->bytes, arena->room);
}

np_status np_arena_create(void *object, size_t size, np_layout *layout, const char *what, void *out)
{
    np_arena arena = count(object, size, layout);
    np_status st = allocate(&arena, what);
    if (!st) {
        st = place(&arena, memcpy(take(&arena, 1, size, "the object"), object, size), layout, what);
        if (st) {
            np_memory_free(arena.block);
            arena.block = NULL;
        }
    }
    memcpy(out, &arena.block, sizeof arena.block);
    return st;
}

np_status np_arena_place(void *object, np_layout *layout, const char *what, void **block)
{
    np_arena arena = count(object, 0, layout);
    np_status st = allocate(&arena, what);
    if (!st && (st = place(&arena, object, layout, what))) {
        np_memory_free(arena.block);
        arena = count(object, 0, layout);
    }
    *block = arena.block;
    return st;
}

/* Uses the existing block again. */
static void use(np_arena *arena, void *block, size_t room)
{
    (void)room; /* only sanitizers look at it */
    arena->block = block;
    arena->room = arena->bytes;
    arena->bytes = 0;
    ASAN_POISON_MEMORY_REGION(block, room);
}

np_status np_arena_renew(void *object, np_layout *layout, const char *what, void **block, size_t *room)
{
    np_arena arena = count(object, 0, layout);
    np_status st = NP_OK;
    if (*block && arena.bytes <= *room) {
        use(&arena, *block, *room);
    } else {
        np_memory_free(*block);
        st = allocate(&arena, what);
        *block = arena.block;
        *room = arena.room;
    }
    if (!st && (st = place(&arena, object, layout, what))) {
        np_memory_free(*block);
        *block = NULL;
    }
    return st;
}

np_status np_arena_need(void *object, np_layout *layout, const char *what, void **block, size_t *room, size_t *items,
                        size_t count)
{
    if (count <= *items)
        return NP_OK;
    *items = count;
    np_status st = np_arena_renew(object, layout, what, block, room);
    if (st)
        *items = 0;
    return st;
}
