/* See copies_machine.h. */
#include "papers/copies/copies_machine.h"

#include "base/room.h"

enum { AT_ONCE = 256 };

static np_status check(const np_copies *memory)
{
    const uint32_t a = memory->copies, b = memory->quorum;
    if (a > memory->modules)
        return NP_RAISE(NP_ERROR_INPUT, "copies: %u of each cell, in different modules, of which there are %u: try %u",
                        a, memory->modules, memory->modules);
    if (b > a)
        return NP_RAISE(NP_ERROR_INPUT, "quorum: %u of %u copies: try %u", b, a, a / 2 + 1);
    if (2 * b <= a)
        return NP_RAISE(NP_ERROR_INPUT,
                        "quorum: a read of %u of %u copies can miss the %u that a write reached: try %u", b, a, b,
                        a / 2 + 1);
    return NP_OK;
}

np_status np_copies_init(np_copies *memory, const np_pram_options *options, uint32_t coefficients)
{
    memory->copies = options->copies;
    memory->quorum = options->quorum ? options->quorum : options->copies / 2 + 1;
    np_status st = check(memory);
    for (uint32_t k = 0; k < memory->copies && !st; k++) {
        st = np_placement_init(&memory->function[k], options->map, memory->modules, coefficients, options->seed);
        for (uint32_t drawn = 0; drawn < k && !st; drawn++)
            np_placement_draw(&memory->function[k]);
    }
    return st;
}

void np_copies_clear(np_copies *memory)
{
    for (uint32_t k = 0; k < NP_COPIES_MOST; k++)
        np_placement_clear(&memory->function[k]);
    NP_MEMORY_FREE(memory->module, memory->copy);
}

static np_status reserve(np_copies *memory, uint64_t cells)
{
    const size_t kept = memory->cells * memory->copies, all = cells * memory->copies;
    size_t room = memory->room;
    np_status st = np_memory_need(&memory->module, kept, all, &room, sizeof *memory->module, "the modules of copies");
    return st ? st
              : np_memory_need(&memory->copy, kept, all, &memory->room, sizeof *memory->copy, "the copies of cells");
}

/* Copy k of cell x, if the earlier ones have their places: the first module from `hash` on that has none of them. */
static void place(np_copies *memory, np_address x, uint32_t k, uint64_t hash)
{
    const uint32_t *earlier = &memory->module[np_copies_at(memory, x, 0)];
    uint32_t module = (uint32_t)(hash % memory->modules);
    for (uint32_t i = 0; i < k;)
        if (earlier[i++] == module) {
            module = module + 1 < memory->modules ? module + 1 : 0;
            i = 0;
        }
    memory->module[np_copies_at(memory, x, k)] = module;
    memory->copy[np_copies_at(memory, x, k)] = (np_copy){0};
    memory->held[module]++;
}

/* Cells from memory->cells on: as many as are hashed at once, at most `left`. */
static void place_next(np_copies *memory, uint64_t left)
{
    uint64_t hash[AT_ONCE], count = left < AT_ONCE ? left : AT_ONCE;
    for (uint32_t k = 0; k < memory->copies; k++) {
        np_placement_run(&memory->function[k], memory->cells, count, hash);
        for (uint64_t i = 0; i < count; i++)
            place(memory, memory->cells + i, k, hash[i]);
    }
    memory->cells += count;
}

np_status np_copies_grow(np_copies *memory, uint64_t cells)
{
    np_status st = reserve(memory, cells);
    while (memory->cells < cells && !st)
        place_next(memory, cells - memory->cells);
    return st;
}

void np_copies_put(np_copies *memory, np_address base, uint64_t count, const np_word *value)
{
    memory->clock++;
    for (uint64_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < memory->copies; k++)
            np_copy_write(&memory->copy[np_copies_at(memory, base + i, k)], memory->clock, value[i]);
}

void np_copies_get(const np_copies *memory, np_address base, uint64_t count, np_word *value)
{
    for (uint64_t i = 0; i < count; i++) {
        np_copy newest = {0};
        for (uint32_t k = 0; k < memory->quorum; k++)
            np_copy_read(&newest, &memory->copy[np_copies_at(memory, base + i, k)]);
        value[i] = newest.word;
    }
}
