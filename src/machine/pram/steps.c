/* Sequences of steps that keep their first error: arrays of addresses, filled by indices. */
#include "base/room.h"
#include "netpram/pram.h"

#include <stdio.h>

struct np_steps {
    np_pram *pram;
    np_status status;
    char message[512]; /* of the first error: other calls may raise others before the end */
    size_t room;       /* of both arrays */
    np_address *address;
    uint8_t *active;
};

/* Keeps an error, after which no call comes here again. Returns whether all is well. */
static bool well(np_steps *steps, np_status status)
{
    if (status) {
        steps->status = status;
        snprintf(steps->message, sizeof steps->message, "%s", np_last_error());
    }
    return !steps->status;
}

np_status np_steps_create(np_pram *pram, np_steps **out)
{
    *out = NULL;
    np_status st = np_memory_zeroed(out, 1, sizeof **out, "a sequence of steps");
    if (!st)
        (*out)->pram = pram;
    return st;
}

np_status np_steps_status(const np_steps *steps) { return steps->status; }

np_status np_steps_end(np_steps *steps)
{
    if (!steps)
        return NP_OK;
    np_status st = steps->status;
    if (st)
        np_status_raise(st, "%s", steps->message);
    NP_MEMORY_FREE(steps->address, steps->active, steps);
    return st;
}

np_pram_array np_steps_array(np_steps *steps, uint64_t cells, const char *name, const np_word *words)
{
    np_pram_array array = {.name = name};
    if (!steps->status && well(steps, np_pram_allocate(steps->pram, cells, name, &array.base)) &&
        (!words || well(steps, np_pram_put(steps->pram, array.base, cells, words))))
        array.cells = cells;
    return array;
}

/* Makes room for `count` processors. */
static np_status grow(np_steps *steps, size_t count)
{
    size_t room = steps->room;
    np_status st = np_memory_need(&steps->address, 0, count, &room, sizeof *steps->address, "addresses");
    return st ? st
              : np_memory_need(&steps->active, 0, count, &steps->room, sizeof *steps->active, "marks of processors");
}

static np_status place(np_steps *steps, np_pram_array array, size_t count, const np_word *index)
{
    np_status st = grow(steps, count);
    for (size_t i = 0; i < count && !st; i++) {
        np_word at = index ? index[i] : (np_word)i;
        steps->active[i] = at >= 0;
        steps->address[i] = array.base + (at >= 0 ? (np_address)at : 0);
        if (at >= 0 && (np_address)at >= array.cells)
            st = NP_RAISE(NP_ERROR_INPUT, "processor %zu: %.100s[%lld]: it has %llu cells", i, array.name,
                          (long long)at, (unsigned long long)array.cells);
    }
    return st;
}

static bool ready(np_steps *steps, np_pram_array array, size_t count, const np_word *index)
{
    return !steps->status && well(steps, place(steps, array, count, index));
}

void np_steps_gather(np_steps *steps, np_pram_array array, size_t count, const np_word *index, np_word *value)
{
    if (ready(steps, array, count, index))
        well(steps, np_pram_read(steps->pram, count, steps->address, steps->active, value, array.name));
}

void np_steps_scatter(np_steps *steps, np_pram_array array, size_t count, const np_word *index, const np_word *value)
{
    if (ready(steps, array, count, index))
        well(steps, np_pram_write(steps->pram, count, steps->address, steps->active, value, array.name));
}

void np_steps_fetch(np_steps *steps, np_fetch_op op, np_pram_array array, size_t count, const np_word *index,
                    np_word *value)
{
    if (ready(steps, array, count, index))
        well(steps, np_pram_fetch(steps->pram, op, count, steps->address, steps->active, value, array.name));
}

void np_steps_get(np_steps *steps, np_pram_array array, np_word *words)
{
    if (!steps->status)
        well(steps, np_pram_get(steps->pram, array.base, array.cells, words));
}
