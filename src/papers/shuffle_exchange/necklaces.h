/*
 * Necklaces of the shuffle-exchange graph, its good and bad nodes, and the good
 * necklaces that bad nodes are associated with (Leighton, Maggs, Ranade & Rao
 * 1994, section 5.1).
 *
 * A node is a label of n bits. Its necklace is the set of all rotations of the label; the
 * representative is the least of them. Positions in a representative count from the left, from 0.
 * The node at position p of a necklace is the rotation of the representative whose last bit, the
 * current bit, is bit p; p is the node's level. The representative itself is at position n - 1.
 *
 * A block is a maximal run of zeros, cyclically. Let z be log log N, rounded. A node is bad,
 *   type 1  if it has no block of z or more;
 *   type 2  if it has several longest blocks, of z or more;
 *   type 3  if it is 0;
 * else it is good. A good representative begins with its only longest block and ends with a 1; its
 * necklace has n nodes.
 *
 * The paper assumes that log log N is integral. We take z = floor(log2 n): then 2^z <= n, and Lemma
 * 5.1 holds for every n: a good necklace gets at most 2^(z+1) <= 2 n nodes of type 1 and 2 n nodes
 * of type 2. So Corollary 5.2 holds too: N/5 nodes are good. If z is rounded up, 2^(z+1) can be
 * nearly 4 n, and the lemma fails: at n = 17 some good necklace gets 4.47 n bad nodes. Rounding
 * down costs a factor n / 2^z < 2 in the probabilities of Lemma 5.3.
 *
 * The paper's proof of Lemma 5.1 says that no bad nodes of types 1 or 2 go to the necklace of
 * 0..01. This needs n >= 2 z + 1 and is wrong for n = 2 and 4; but the bound of 4 n holds there as
 * well.
 */
#pragma once

#include <stdbool.h>

#include "base/status.h"

typedef struct np_necklaces {
    uint32_t bits;            /* n */
    uint32_t block;           /* z */
    uint32_t nodes;           /* N = 2^n */
    uint32_t count, good;     /* necklaces 0 .. good-1 are good, by ascending representative; bad ones follow */
    uint32_t *of;             /* [nodes] */
    uint8_t *position;        /* [nodes] */
    uint32_t *representative; /* [count] */
    uint8_t *zeros;           /* [count] length of the longest block */
    uint8_t *size;            /* [count] */
} np_necklaces;

typedef enum np_necklace_kind {
    NP_NECKLACE_GOOD,
    NP_NECKLACE_TYPE_1,
    NP_NECKLACE_TYPE_2,
    NP_NECKLACE_TYPE_3
} np_necklace_kind;

/* bits in 2 .. 30. O(N) time. NP_ERROR_MEMORY. */
np_status np_necklaces_create(uint32_t bits, np_necklaces **out) NP_CHECKED;
void np_necklaces_free(np_necklaces *necklaces);

/*
 * What is known of necklaces that are not made: their bytes, z, the good necklaces, the flip edges of all good
 * necklaces together, the strings of `length` bits that have no run of more than `run` zeros, and those of them that
 * begin and end with a 1.
 */
uint64_t np_necklaces_bytes(uint32_t bits);
uint32_t np_necklaces_block(uint32_t bits);
uint64_t np_necklaces_good(uint32_t bits);
uint64_t np_necklaces_flips(uint32_t bits);
uint64_t np_necklaces_strings(uint32_t length, uint32_t run);
uint64_t np_necklaces_strings_between(uint32_t length, uint32_t run);

/* x rotated by one bit. */
static inline uint32_t np_necklaces_left(const np_necklaces *necklaces, uint32_t x)
{
    return (x << 1 & (necklaces->nodes - 1)) | x >> (necklaces->bits - 1);
}

static inline uint32_t np_necklaces_right(const np_necklaces *necklaces, uint32_t x)
{
    return x >> 1 | (x & 1) << (necklaces->bits - 1);
}

/* The node at a position, below n, of a necklace. */
static inline uint32_t np_necklaces_at(const np_necklaces *necklaces, uint32_t necklace, uint32_t position)
{
    uint32_t x = necklaces->representative[necklace], by = position + 1;
    return (x << by & (necklaces->nodes - 1)) | x >> (necklaces->bits - by);
}

/* Bit `position` of a representative, as a mask. */
static inline uint32_t np_necklaces_bit(const np_necklaces *necklaces, uint32_t position)
{
    return UINT32_C(1) << (necklaces->bits - 1 - position);
}

np_necklace_kind np_necklaces_kind(const np_necklaces *necklaces, uint32_t necklace);

/* The good necklace that a bad node is associated with. */
uint32_t np_necklaces_associate(const np_necklaces *necklaces, np_node node);

/*
 * The flip edge that leaves position p of a good necklace (section 5.2). Returns the good necklace
 * to which it leads, at position p + 1: the representative with bit p changed and bit p + 1 set.
 * NP_NONE: there is no flip edge, since p is n - 1 or in the longest block, or the edge would lead
 * to a bad node.
 */
uint32_t np_necklaces_flip(const np_necklaces *necklaces, uint32_t necklace, uint32_t position);

/*
 * Walks over the host. The host is the paper's undirected graph: necklaces have links both ways.
 * Link numbers are node * 3 + kind. Shuffles at nodes 0 and N - 1 stay in the node and cross no
 * link.
 */
typedef enum np_shuffle_link {
    NP_SHUFFLE_LEFT,
    NP_SHUFFLE_RIGHT,
    NP_SHUFFLE_EXCHANGE,
    NP_SHUFFLE_LINKS /* links of a node */
} np_shuffle_link;

typedef struct np_shuffle_walk {
    np_node at;
    uint32_t links;
    np_link link[3];
} np_shuffle_walk;

static inline np_node np_necklaces_across(const np_necklaces *necklaces, np_node node, np_shuffle_link kind)
{
    return kind == NP_SHUFFLE_EXCHANGE ? node ^ 1
           : kind == NP_SHUFFLE_LEFT   ? np_necklaces_left(necklaces, node)
                                       : np_necklaces_right(necklaces, node);
}

static inline void np_necklaces_walk(const np_necklaces *necklaces, np_shuffle_walk *walk, np_shuffle_link kind)
{
    np_node to = np_necklaces_across(necklaces, walk->at, kind);
    if (to != walk->at)
        walk->link[walk->links++] = walk->at * NP_SHUFFLE_LINKS + kind;
    walk->at = to;
}

/* The walk of a flip edge: exchange the current bit, shuffle left, set the bit that is now current. */
static inline void np_necklaces_walk_flip(const np_necklaces *necklaces, np_shuffle_walk *walk)
{
    np_necklaces_walk(necklaces, walk, NP_SHUFFLE_EXCHANGE);
    np_necklaces_walk(necklaces, walk, NP_SHUFFLE_LEFT);
    if (!(walk->at & 1))
        np_necklaces_walk(necklaces, walk, NP_SHUFFLE_EXCHANGE);
}

/* The link in the opposite direction. */
static inline np_link np_necklaces_reverse(const np_necklaces *necklaces, np_link link)
{
    static const np_shuffle_link back[] = {NP_SHUFFLE_RIGHT, NP_SHUFFLE_LEFT, NP_SHUFFLE_EXCHANGE};
    np_shuffle_link kind = (np_shuffle_link)(link % NP_SHUFFLE_LINKS);
    return np_necklaces_across(necklaces, link / NP_SHUFFLE_LINKS, kind) * NP_SHUFFLE_LINKS + back[kind];
}
