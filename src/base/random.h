/*
 * Every random choice is a pure function of (seed, run, purpose, phase, item,
 * draw): Philox 4x32-10, a counter-based generator (Salmon, Moraes, Dror &
 * Shaw 2011, Random123). There is no generator state anywhere, so results do
 * not depend on the order of calls or the number of threads.
 */
#pragma once

/* Philox needs no intrinsics. Without these lines Random123 includes the compiler's headers of all of them, which takes
 * most of the time in which a small file is compiled. */
#define R123_USE_X86INTRIN_H 0
#define R123_USE_SSE 0
#include <Random123/philox.h>

#include "netpram/base.h"

/* What a choice is for: choices of different purposes are independent. */
typedef enum np_random_purpose {
    NP_RANDOM_TARGET = 1, /* intermediate targets of a phase; item = packet */
    NP_RANDOM_TICKET,     /* ticket preparation; item = packet */
    NP_RANDOM_ORDER,      /* initial order of a queue; item = link */
    NP_RANDOM_QUEUE,      /* the random discipline; item = link */
    NP_RANDOM_TRAFFIC,    /* traffic generators; item = packet */
    NP_RANDOM_CHECK,      /* sampling by the checkers */
    NP_RANDOM_RANK,       /* ranks; item = packet */
    NP_RANDOM_HASH,       /* coefficients of a random hash function; item = which one */
    NP_RANDOM_SWITCH,     /* random switch settings; item = switch */
    NP_RANDOM_SIZE,       /* lengths of messages; item = packet */
    NP_RANDOM_LOT,        /* which of concurrent writers wins; item = processor */
    NP_RANDOM_INPUT,      /* the input of PRAM programs; item = number, edge or processor */
    NP_RANDOM_KEY,        /* keys to sort; item = key */
    NP_RANDOM_CANDIDATE,  /* is an item a candidate for a splitter? item = its place */
    NP_RANDOM_COLOUR,     /* walks that look for matchings */
    NP_RANDOM_SCHEDULE,   /* ties in a search for a schedule; item = which one */
    NP_RANDOM_ROUTE,      /* which of several routes a packet takes; item = packet */
    NP_RANDOM_FLOW,       /* which of them all packets of a pair take; item = source, draw = destination */
    NP_RANDOM_FAILURE,    /* which cables are down; item = cable */
    NP_RANDOM_DELAY,      /* frames that a packet waits at its source; item = packet */
    NP_RANDOM_SCRIPT,     /* random() in the text of a PRAM program; item = processor, draw = which of the text */
    NP_RANDOM_TURN,       /* which of the requests at a module it serves in a round; item = group of requests */
    NP_RANDOM_WAIT,       /* waits in an outline; item = interval, draw = how often it was drawn before */
    NP_RANDOM_PLACE,      /* where a drawing begins; item = node or pivot */
    NP_RANDOM_WIRE,       /* cables of random networks; phase = attempt, item = place or group */
    NP_RANDOM_COLUMN,     /* which of several shortest paths joins those of a demand; run = round, item = demand,
                             draw = walk and hop */
    NP_RANDOM_ARRIVAL,    /* between whom a flow goes, when it arrives, its size; item = flow */
    NP_RANDOM_RANKS,      /* hosts of ranks; item = rank */
    NP_RANDOM_JOBS,       /* hosts of jobs; item = rank, draw = job */
    NP_RANDOM_CREATION,   /* when a packet is created, where it goes, its length; item = terminal, draw = which */
    NP_RANDOM_CABLE       /* cables of a packet; item = source, draw = which packet, or the destination */
} np_random_purpose;

/* A family of independent draws: fix everything but (item, draw). */
struct np_draws {
    uint64_t seed;
    uint32_t run;
    uint16_t phase;
    uint16_t purpose;
};

static inline np_draws np_draws_for(np_draws base, np_random_purpose purpose)
{
    base.purpose = (uint16_t)purpose;
    return base;
}

/* 128 random bits: out[4]. */
static inline void np_random_block(const np_draws *draws, uint32_t item, uint32_t draw, uint32_t out[4])
{
    philox4x32_ctr_t counter = {{item, draw, draws->run, (uint32_t)draws->purpose << 16 | draws->phase}};
    philox4x32_key_t key = {{(uint32_t)draws->seed, (uint32_t)(draws->seed >> 32)}};
    philox4x32_ctr_t block = philox4x32(counter, key);
    for (int i = 0; i < 4; i++)
        out[i] = block.v[i];
}

enum { NP_RANDOM_LANES = 16 };

/* As many blocks side by side, each with a seed of its own: word w of lane i is out[w][i]. */
void np_random_blocks(const np_draws *draws, const uint64_t seed[NP_RANDOM_LANES], const uint32_t item[NP_RANDOM_LANES],
                      const uint32_t draw[NP_RANDOM_LANES], uint32_t out[4][NP_RANDOM_LANES]);

/* 64 random bits. */
static inline uint64_t np_random_u64(const np_draws *draws, uint32_t item, uint32_t draw)
{
    uint32_t block[4];
    np_random_block(draws, item, draw, block);
    return (uint64_t)block[1] << 32 | block[0];
}

/* floor(x * bound / 2^64), in steps that vectorise */
static inline uint32_t np_random_scaled(uint64_t x, uint32_t bound)
{
    return (uint32_t)(((x >> 32) * bound + ((uint32_t)x * (uint64_t)bound >> 32)) >> 32);
}

/*
 * An integer in 0 .. bound-1 (bound >= 1). By multiplication: the largest
 * bias is bound / 2^64, below 2^-32 for every bound a node id can have.
 */
static inline uint32_t np_random_below(const np_draws *draws, uint32_t item, uint32_t draw, uint32_t bound)
{
    return np_random_scaled(np_random_u64(draws, item, draw), bound);
}

/* A finaliser (MurmurHash3's): spreads a 64-bit value; for hashes, not for choices of record. */
static inline uint64_t np_random_mix(uint64_t x)
{
    x ^= x >> 33;
    x *= UINT64_C(0xff51afd7ed558ccd);
    x ^= x >> 33;
    x *= UINT64_C(0xc4ceb9fe1a85ec53);
    return x ^ x >> 33;
}
