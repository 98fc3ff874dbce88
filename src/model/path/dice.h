/*
 * The choices along one route. One draw serves several choices, until their
 * bounds have used half of its 64 bits: a choice's bias stays below 2^-32.
 */
#pragma once

#include <stdbool.h>

#include "base/random.h"

typedef struct np_dice {
    np_draws draws;
    uint32_t item;
    uint32_t drawn; /* so many draws have been used */
    uint64_t first; /* draw */
    uint64_t bits, used;
    bool pair; /* later draws are mixed of the first; else they are the item's */
} np_dice;

/* The choices of a packet. draws: with the purpose. */
static inline np_dice np_dice_of_packet(np_draws draws, np_packet packet)
{
    return (np_dice){.draws = draws, .item = packet, .first = np_random_u64(&draws, packet, 0)};
}

static inline uint64_t np_dice_bits(np_dice *dice)
{
    uint32_t draw = dice->drawn++;
    if (!draw)
        return dice->first;
    return dice->pair ? np_random_mix(dice->first + (draw + 1) * UINT64_C(0x9e3779b97f4a7c15))
                      : np_random_u64(&dice->draws, dice->item, draw);
}

/* An integer in 0 .. bound-1, bound >= 1. */
static inline uint32_t np_dice_below(np_dice *dice, uint32_t bound)
{
    if (bound == 1)
        return 0;
    if (!dice->used || dice->used * bound > UINT64_C(1) << 32) {
        dice->bits = np_dice_bits(dice);
        dice->used = 1;
    }
    unsigned __int128 product = (unsigned __int128)dice->bits * bound;
    dice->used *= bound;
    dice->bits = (uint64_t)product;
    return (uint32_t)(product >> 64);
}

/* An integer in 0 .. bound-1, from a draw of its own. The bias is below bound / 2^64. */
static inline uint64_t np_dice_far_below(np_dice *dice, uint64_t bound)
{
    return (uint64_t)((unsigned __int128)np_dice_bits(dice) * bound >> 64);
}
