/*
 * Arrays, rings, meshes and tori in hypercubes by Gray codes (Sibeyn, lecture notes, embeddings):
 * S_k = 0 S_(k-1), 1 reversed S_(k-1), whose i-th word is i xor i/2. A dimension of side n takes
 * ceil(log2 n) bits of the node number; the first dimension takes the most significant bits.
 * Coordinate i goes to the i-th word.
 *
 * A ring of n words out of 2^b takes the first ceil(n/2) words and the last floor(n/2) words. Word
 * f and its mirror, word 2^b - 1 - f, differ only in the top bit, so the two halves fit together at
 * both ends if n is even. If n is odd, n = 2f + 1, the last word of the first half is word f, and
 * the first word of the second half is the mirror of word f - 1. They differ in two bits: a
 * hypercube has no odd cycle, so dilation 2 is best. The path flips the top bit first and goes
 * through the mirror of word f, which is no word of the ring: congestion stays 1.
 *
 * Sides that are no power of two are rounded up; this gives the expansion. The parallel links of a
 * torus of side 2 share a link: congestion 2.
 */
#include "papers/embed/embedding.h"

static uint32_t code(uint32_t i) { return i ^ i >> 1; }

uint32_t np_embed_ring_code(uint32_t i, uint32_t n)
{
    uint32_t words = UINT32_C(1) << np_embed_log2(n);
    return code(i < n - n / 2 ? i : words - n + i);
}

uint32_t np_embed_cube_walk(const np_network *cube, np_node a, np_node b, bool descending, np_link *link)
{
    uint32_t n = cube->dimensions, hops = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t bit = descending ? n - 1 - i : i;
        if (!((a ^ b) >> bit & 1))
            continue;
        if (link)
            link[hops] = a * n + (n - 1 - bit); /* port p flips bit n - 1 - p */
        a ^= UINT32_C(1) << bit;
        hops++;
    }
    return hops;
}

static uint32_t bits_of(const np_network *guest)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < guest->dimensions; i++)
        bits += np_embed_log2(guest->side[i]);
    return bits;
}

static bool refuses(const np_network *guest, const np_network *host, char reason[NP_EMBED_REASON])
{
    uint32_t bits = bits_of(guest);
    if (bits <= host->dimensions)
        return false;
    return np_embed_refuse(reason, "each side takes a power of two, together 2^%u nodes: try hypercube:%u", bits, bits);
}

static np_status place(const np_network *guest, const np_network *host, np_node *map)
{
    bool wrap = np_network_wraps(guest);
    (void)host;
    for (np_node u = 0; u < guest->nodes; u++) {
        map[u] = 0;
        for (uint32_t i = 0; i < guest->dimensions; i++) {
            uint32_t c = np_network_coordinate(guest, u, i), side = guest->side[i];
            map[u] = map[u] << np_embed_log2(side) | (wrap ? np_embed_ring_code(c, side) : code(c));
        }
    }
    return NP_OK;
}

/* From word f up to word f + 1 the top bit is flipped first; on the way back it is flipped last. */
static uint32_t walk(const np_embedding *embedding, np_node u, np_node v, np_link *link)
{
    return np_embed_cube_walk(embedding->host, embedding->map[u], embedding->map[v], u < v, link);
}

static void state(const np_network *guest, const np_network *host, np_embedding_stated *out)
{
    (void)host;
    for (uint32_t i = 0; np_network_wraps(guest) && i < guest->dimensions; i++) {
        if (guest->side[i] % 2)
            out->dilation = 2;
        if (guest->side[i] == 2)
            out->congestion = 2;
    }
}

const np_embedding_ops np_embedding_gray = {
    .info = {"gray", "Gray codes, one for each dimension; sides rounded up to powers of two",
             "Sibeyn, lecture notes, embeddings", .guests = "array, ring, mesh, torus", .hosts = "hypercube"},
    .guests = NP_KIND_GRIDS,
    .hosts = NP_KIND_HYPERCUBE,
    .refuses = refuses,
    .place = place,
    .walk = walk,
    .dilation = 1,
    .congestion = 1,
    .state = state,
};
