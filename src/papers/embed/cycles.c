/*
 * Cube-connected cycles and wrapped butterflies in hypercubes. The upper n bits of a host node are
 * the row w. The lower b = ceil(log2 n) bits give the position p on the cycle, or the level, by
 * word r(p) of the cyclic Gray code of n words (gray.c).
 *
 * `ccc`: (w, p) goes to (w, r(p)). A link across flips the bit of w that p owns. A link of the
 * cycle is a step of r: it flips 1 bit, but if n is odd, 2 bits once a cycle (a hypercube has no
 * odd cycle). No two paths share a link: congestion 1.
 *
 * `butterfly-gray`: the same map for the butterfly. A cross edge flips the row's bit and then goes
 * on like a straight edge: dilation 2, or 3 if n is odd. Paths up flip the row's bit first; paths
 * down are the paths up reversed. A link between levels is on two paths: of the straight edge of
 * its row and of the cross edge that arrives in its row. A link between rows is on two paths: of
 * the cross edge up from its tail and of the cross edge down to its head. So congestion is 2.
 *
 * `butterfly` (after Greenberg, Heath & Rosenberg 1990): (w, p) goes to (w, r(p) xor s(w)). Here
 * e(l) = r(l) xor r(l + 1), and s(w) is the sum modulo 2 of e(l) over the levels l whose bit is set
 * in w. The straight edge from l flips e(l). The cross edge flips the row's bit, and e(l) both in s
 * and in r: so it flips only the row's bit. The row is part of the image, so the map is injective.
 * If n is even, the butterfly is a subgraph of the hypercube. If n is odd, one e(l) has two bits,
 * so dilation is 2; the node between is no image in its row (gray.c), so congestion is 1.
 */
#include "papers/embed/embedding.h"

static bool refuses(const np_network *guest, const np_network *host, char reason[NP_EMBED_REASON])
{
    uint32_t n = guest->dimensions, bits = n + np_embed_log2(n);
    if (bits <= host->dimensions)
        return false;
    return np_embed_refuse(reason, "its rows take %u bits and a Gray code of %u words %u more: try hypercube:%u", n, n,
                           bits - n, bits);
}

static np_status place_gray(const np_network *guest, const np_network *host, np_node *map)
{
    uint32_t n = guest->dimensions, b = np_embed_log2(n);
    (void)host;
    for (np_node u = 0; u < guest->nodes; u++)
        map[u] = u / n << b | np_embed_ring_code(u % n, n);
    return NP_OK;
}

/* s(w). The bit of level l is bit n-1-l of the row. */
static uint32_t twist(uint32_t row, uint32_t n)
{
    uint32_t sum = 0;
    for (uint32_t l = 0; l < n; l++)
        if (row >> (n - 1 - l) & 1)
            sum ^= np_embed_ring_code(l, n) ^ np_embed_ring_code((l + 1) % n, n);
    return sum;
}

static np_status place_butterfly(const np_network *guest, const np_network *host, np_node *map)
{
    uint32_t n = guest->dimensions, b = np_embed_log2(n);
    (void)host;
    for (uint32_t w = 0; w < guest->nodes / n; w++) {
        uint32_t s = twist(w, n);
        for (uint32_t l = 0; l < n; l++)
            map[w * n + l] = w << b | (np_embed_ring_code(l, n) ^ s);
    }
    return NP_OK;
}

/* Up, the row's bit is flipped first, then the bits of the code from the top; down, in the opposite order. */
static uint32_t walk(const np_embedding *embedding, np_node u, np_node v, np_link *link)
{
    uint32_t n = embedding->guest->dimensions;
    bool up = v % n == (u % n + 1) % n;
    return np_embed_cube_walk(embedding->host, embedding->map[u], embedding->map[v], up, link);
}

/* One more if n is odd. */
static void state(const np_network *guest, const np_network *host, np_embedding_stated *out)
{
    (void)host;
    out->dilation += guest->dimensions % 2;
}

const np_embedding_ops np_embedding_ccc = {
    .info = {"ccc-gray", "rows as they are, positions by a Gray code", "Greenberg, Heath & Rosenberg 1990",
             .guests = "ccc", .hosts = "hypercube"},
    .guests = NP_KIND_CCC,
    .hosts = NP_KIND_HYPERCUBE,
    .refuses = refuses,
    .place = place_gray,
    .walk = walk,
    .dilation = 1,
    .congestion = 1,
    .state = state,
};

const np_embedding_ops np_embedding_butterfly = {
    .info = {"butterfly-twisted", "rows as they are, levels by a Gray code twisted by the row: a subgraph if N is even",
             "Greenberg, Heath & Rosenberg 1990", .guests = "butterfly", .hosts = "hypercube"},
    .guests = NP_KIND_BUTTERFLY,
    .hosts = NP_KIND_HYPERCUBE,
    .refuses = refuses,
    .place = place_butterfly,
    .walk = walk,
    .dilation = 1,
    .congestion = 1,
    .state = state,
};

const np_embedding_ops np_embedding_butterfly_gray = {
    .info = {"butterfly-gray", "rows as they are, levels by a Gray code", "", .guests = "butterfly",
             .hosts = "hypercube"},
    .guests = NP_KIND_BUTTERFLY,
    .hosts = NP_KIND_HYPERCUBE,
    .refuses = refuses,
    .place = place_gray,
    .walk = walk,
    .dilation = 2,
    .congestion = 2,
    .state = state,
};
