/*
 * Butterflies in the shuffle-exchange graph (Leighton, Maggs, Ranade & Rao 1994, Theorem 9.1): about M / log M
 * distinct butterflies, of M log M nodes each, in N = M^2 nodes; M = 2^k.
 *
 * A butterfly here is the wrapped one of the family butterfly, with rows 0 .. M-1 and levels 0 .. k-1. Between levels l
 * and l+1 mod k it crosses bit l of the row, where the most significant bit is bit 0. (The paper numbers levels and
 * bits from 1.)
 *
 * The image of (l, r) in a butterfly with string w = w_0 .. w_(k-1) is r_0 w_0 r_1 w_1 .. r_(k-1) w_(k-1), rotated so
 * that r_l is the last, current bit. From there two shuffles lead to the image of (l+1, r), an exchange and two
 * shuffles to the image of (l+1, r with bit l flipped), and two shuffles back to the image of (l-1, r). The host is the
 * paper's graph, with links both ways (np_shuffle_link). The family shuffle-exchange itself has no links for shuffles
 * back.
 *
 * The strings are the least strings of the necklaces of k different rotations, by ascending value (Lemma 9.2: there are
 * at least M / (2 k)). A node determines w up to rotation, so the images for two strings share no nodes. With two
 * butterflies a string, every node is the image of two nodes or of none. Measured for k = 2 .. 10
 * (tests/unit/test_embedding.c), with lambda butterflies a string: load lambda, dilation 3, congestion 4 lambda. The
 * theorem has lambda = 2.
 *
 * Other shapes (the end of section 9: N^epsilon butterflies of N^(1-epsilon) nodes). Strings have m bits, and the host
 * has n = k + m. With g = gcd(k, m), P = k / g and Q = m / g, an image is g periods of P bits of the row and Q bits of
 * the string, rotated so that r_l is the last bit. So epsilon is about Q / (P + Q). A string has to differ from its
 * rotations by Q, 2 Q, .. bits. From level l to l+1 it takes one shuffle within a period, and Q + 1 from the last bit
 * of a period to the next. A node is the image of at most P nodes for each butterfly on a string, one for each place of
 * r_l in its period: the load is P, the dilation Q + 2.
 *
 * Slots. All butterflies make a step, over all edges both up and down, in 2 (P + Q) steps: levels take turns by the
 * place of their bit in its period. In the turn of a place whose edges take d shuffles, there are 2 d steps. What goes
 * up straight shuffles in the first d of them, what crosses is exchanged in the first and shuffles in the last d. Going
 * down, what crosses shuffles in the first d and is exchanged in the last of the 2 d; what goes straight shuffles in
 * the last d. So what crosses never comes before what it meets there. All that shuffles at the same time comes from
 * different nodes, so no link carries two packets in a step. This is so whatever butterflies do in the slot: one may go
 * up while another one goes down. No fewer steps are possible if all edges up are used, because of the shuffles.
 *
 * For P = Q = 1 there are schedules in which no link carries two packets in one step, although all nodes of all
 * butterflies send at once (lambda butterflies a string; tests/unit/test_embedding.c has them and replays them):
 *   a shift, from every (l, r) to (l+1, r), back, or both at the same time: 2 lambda steps
 *   comparing (l, r) with (l, r with bit l flipped), across an exchange, and then a shift: 2 lambda + 1 steps
 *   a butterfly step, in which every node sends over both edges up: 4 lambda steps
 * For the last two no fewer steps are possible, because of the shuffles.
 */
#pragma once

#include "papers/shuffle_exchange/necklaces.h"

enum { NP_SHUFFLE_EMBEDDING_BITS_MIN = 1, NP_SHUFFLE_EMBEDDING_BITS_MAX = 14 };

typedef struct np_shuffle_embedding {
    uint32_t bits;        /* k */
    uint32_t string_bits; /* m */
    uint32_t periods;     /* g */
    uint32_t rows;        /* M */
    uint32_t butterflies;
    uint32_t per_string; /* lambda: butterflies i lambda .. i lambda + lambda - 1 have string i */
    uint32_t strings;    /* that exist; only as many as needed are used */
    uint32_t *string;    /* [strings] */
} np_shuffle_embedding;

/* Strings of m bits that differ from their rotations by Q, 2 Q, .. bits, up to such rotations. k + m in 2 .. 31. */
uint32_t np_shuffle_embedding_strings(uint32_t bits, uint32_t string_bits);

/* NP_ERROR_INPUT: k or m out of 1 .. 14, k + m below 4, per_string not 1 or 2, or more butterflies than strings *
   per_string. */
np_status np_shuffle_embedding_create(uint32_t bits, uint32_t string_bits, uint32_t butterflies, uint32_t per_string,
                                      np_shuffle_embedding **out) NP_CHECKED;
void np_shuffle_embedding_free(np_shuffle_embedding *embedding);

/* The image of a node of a butterfly. */
np_node np_shuffle_embedding_node(const np_shuffle_embedding *embedding, uint32_t butterfly, uint32_t level,
                                  uint32_t row);

/* The image of a place of the columns, which are butterflies: butterfly by butterfly, row by row, from level 0 up. */
static inline np_node np_shuffle_embedding_place(const np_shuffle_embedding *embedding, uint32_t place)
{
    uint32_t row = place / embedding->bits;
    return np_shuffle_embedding_node(embedding, row / embedding->rows, place % embedding->bits, row % embedding->rows);
}

/* The most butterflies, one a string, that Columnsort can have for columns, if nodes hold an item each. */
uint32_t np_shuffle_embedding_columns(uint32_t bits, uint32_t string_bits);

/* A link of a walk, and the step of the slot in which it is crossed, from 0. */
typedef struct np_shuffle_embedding_hop {
    uint32_t step;
    np_shuffle_link link;
} np_shuffle_embedding_hop;

/* Steps of a slot: 2 (P + Q). One butterfly a string. */
uint32_t np_shuffle_embedding_slot(const np_shuffle_embedding *embedding);

/* Shuffles from level `level` to the next. */
uint32_t np_shuffle_embedding_shuffles(const np_shuffle_embedding *embedding, uint32_t level);

/* The walk in a slot of the edge between level `level` and the next: hop[shuffles + cross]. Returns how many hops. */
uint32_t np_shuffle_embedding_walk(const np_shuffle_embedding *embedding, uint32_t level, bool down, bool cross,
                                   np_shuffle_embedding_hop *hop);
