/* See embedding.h. */
#include "sort/embedding.h"

#include <string.h>

#include "base/arena.h"
#include "base/memory.h"

/* Of the 2^k strings, those that repeat a string of d bits, d | k and d < k, have fewer than k rotations. */
uint32_t np_shuffle_embedding_strings(uint32_t bits)
{
    uint64_t whole[32]; /* strings of d bits with d rotations */
    for (uint32_t k = 1; k <= bits; k++) {
        whole[k] = UINT64_C(1) << k;
        for (uint32_t d = 1; d < k; d++)
            whole[k] -= k % d ? 0 : whole[d];
    }
    return (uint32_t)(whole[bits] / bits);
}

/* x of `bits` bits, rotated left. */
static uint32_t rotate(uint32_t x, uint32_t bits, uint32_t by)
{
    uint32_t mask = (UINT32_C(1) << bits) - 1;
    by %= bits;
    return by ? (x << by & mask) | x >> (bits - by) : x;
}

/* Finds the least strings of the necklaces of full length. */
static void find_strings(np_shuffle_embedding *e)
{
    for (uint32_t x = 0; x < e->rows; x++) {
        bool full = true;
        for (uint32_t by = 1; by < e->bits && full; by++)
            full = rotate(x, e->bits, by) > x;
        if (full)
            e->string[e->strings++] = x;
    }
}

static void layout(void *object, np_arena *arena)
{
    np_shuffle_embedding *e = object;
    np_arena_zeroed(arena, &e->string, np_shuffle_embedding_strings(e->bits), sizeof *e->string, "the strings");
}

np_status np_shuffle_embedding_create(uint32_t bits, uint32_t butterflies, uint32_t per_string,
                                      np_shuffle_embedding **out)
{
    *out = NULL;
    if (bits < NP_SHUFFLE_EMBEDDING_BITS_MIN || bits > NP_SHUFFLE_EMBEDDING_BITS_MAX)
        return NP_RAISE(NP_ERROR_INPUT, "butterflies of 2^%u rows in a shuffle-exchange graph: from 2^%d to 2^%d", bits,
                        NP_SHUFFLE_EMBEDDING_BITS_MIN, NP_SHUFFLE_EMBEDDING_BITS_MAX);
    if (per_string < 1 || per_string > 2)
        return NP_RAISE(NP_ERROR_INPUT, "%u butterflies a string: 1 or 2", per_string);
    if (butterflies > np_shuffle_embedding_strings(bits) * per_string)
        return NP_RAISE(NP_ERROR_INPUT, "%u butterflies of 2^%u rows: %u strings of %u have room for %u", butterflies,
                        bits, np_shuffle_embedding_strings(bits), per_string,
                        np_shuffle_embedding_strings(bits) * per_string);
    np_shuffle_embedding e = {
        .bits = bits, .rows = UINT32_C(1) << bits, .butterflies = butterflies, .per_string = per_string};
    np_status st = np_arena_create(&e, sizeof e, layout, "the strings of the butterflies", out);
    if (!st)
        find_strings(*out);
    return st;
}

void np_shuffle_embedding_free(np_shuffle_embedding *embedding) { np_memory_free(embedding); }

/* r_0 w_0 r_1 w_1 .. ends with w_(k-1). Rotated once it ends with r_0, rotated 2 l + 1 times with r_l. */
np_node np_shuffle_embedding_node(const np_shuffle_embedding *embedding, uint32_t butterfly, uint32_t level,
                                  uint32_t row)
{
    uint32_t k = embedding->bits, w = embedding->string[butterfly / embedding->per_string], x = 0;
    for (uint32_t l = 0; l < k; l++)
        x = x << 2 | (row >> (k - 1 - l) & 1) << 1 | (w >> (k - 1 - l) & 1);
    return rotate(x, 2 * k, 2 * level + 1);
}

/* The butterflies of a string take turns at the shuffles; exchanges take place at the same time. */
uint32_t np_shuffle_embedding_schedule(const np_shuffle_embedding *embedding, np_shuffle_embedding_task task,
                                       uint32_t step, np_shuffle_embedding_move move[NP_SHUFFLE_EMBEDDING_MOVES])
{
    uint32_t lambda = embedding->per_string, n = 0, turn;
    switch (task) {
    case NP_SHUFFLE_EMBEDDING_SHIFT_UP:
    case NP_SHUFFLE_EMBEDDING_SHIFT_BOTH:
        if (step >= 2 * lambda)
            break;
        move[n++] = (np_shuffle_embedding_move){step / 2, 0, NP_SHUFFLE_LEFT};
        if (task == NP_SHUFFLE_EMBEDDING_SHIFT_BOTH)
            move[n++] = (np_shuffle_embedding_move){step / 2, 1, NP_SHUFFLE_RIGHT};
        break;
    case NP_SHUFFLE_EMBEDDING_COMPARE: /* exchanges in steps 0 .. lambda-1, each before the butterfly's own shuffles */
        if (step < lambda)
            move[n++] = (np_shuffle_embedding_move){step, 1, NP_SHUFFLE_EXCHANGE};
        if (step >= 1 && step <= 2 * lambda)
            move[n++] = (np_shuffle_embedding_move){(step - 1) / 2, 0, NP_SHUFFLE_LEFT};
        break;
    case NP_SHUFFLE_EMBEDDING_STEP_UP: /* straight: 2 shuffles; meanwhile the exchange; then 2 shuffles of the crossed */
        turn = step / 4;
        if (turn >= lambda)
            break;
        move[n++] = (np_shuffle_embedding_move){turn, step % 4 / 2, NP_SHUFFLE_LEFT};
        if (step % 4 == 0)
            move[n++] = (np_shuffle_embedding_move){turn, 1, NP_SHUFFLE_EXCHANGE};
        break;
    }
    return n;
}

uint32_t np_shuffle_embedding_steps(const np_shuffle_embedding *embedding, np_shuffle_embedding_task task)
{
    np_shuffle_embedding_move move[NP_SHUFFLE_EMBEDDING_MOVES];
    uint32_t steps = 0;
    while (np_shuffle_embedding_schedule(embedding, task, steps, move))
        steps++;
    return steps;
}
