/* A visit of a router: what it does in a cycle. See flits.h. */
#pragma once

#include "engine/flits/ask.h"

/*
 * All functions that take a visit are compiled into np_flits_serve, once for each number of words, and with `plain`
 * once more for routers that do nothing but the routine. So both are constants there.
 */
typedef struct np_flits_visit {
    np_flits *f;
    np_flits_hand *hand;
    np_flits_block *block;
    np_flits_router *router;
    np_flits_mail *moves, *credits; /* [blocks] where flits and credits go of which all have one delay */
    uint64_t *rows;                 /* [NP_FLITS_ROWS * words] */
    uint64_t *freed;                /* [words] output channels that tails have left in this visit */
    uint64_t *heads;                /* [words] input channels that tails have left, with a flit behind */
    uint32_t words;                 /* a constant 1 or 2, or the router's */
    bool plain;                     /* np_flits.plain, and nobody watches */
    int64_t t;
} np_flits_visit;

/* The word of a row that has a channel. */
NP_INLINE uint64_t *np_flits_word(const np_flits_visit *v, np_flits_row row, uint32_t channel)
{
    return &v->rows[row * v->words + (v->words == 1 ? 0 : channel / 64)];
}

NP_INLINE np_flits_head np_flits_head_of(const np_flits_visit *v, uint32_t channel)
{
    return (np_flits_head){(uint16_t)(v->router - v->block->router), (uint16_t)channel};
}
