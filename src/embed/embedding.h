/*
 * The embed layer's inside. An embedding of the list is one const descriptor and one line in embeddings.c: it says
 * where guest nodes go and, where shortest paths of the host would not do, how.
 */
#ifndef NP_EMBED_EMBEDDING_H
#define NP_EMBED_EMBEDDING_H

#include "base/export.h"
#include "base/registry.h"
#include "netpram/embed.h"
#include "network/network.h"

enum { NP_EMBED_REASON = 256 };

typedef struct np_embedding_ops np_embedding_ops;

struct np_embedding {
    const np_embedding_ops *ops; /* NULL: by its map */
    const np_network *guest, *host;
    np_node *map; /* [guest nodes] */

    /* Compressed rows: the path of guest link l is link[row[l]] .. link[row[l + 1] - 1]. */
    uint32_t *row; /* [guest link numbers + 1] */
    np_link *link; /* [row[guest link numbers]] */
};

struct np_embedding_ops {
    np_entry info;
    const char *const *guests, *const *hosts; /* names of families, NULL at the end; hosts NULL: the guest's own */

    /*
     * Guest and host are of those families: true with the reason why it cannot be, in words that
     * follow "because" and name the nearest choice, if it cannot.
     */
    bool (*refuses)(const np_network *guest, const np_network *host, char reason[NP_EMBED_REASON]);

    /* Fills the map. */
    np_status (*place)(const np_network *guest, const np_network *host, np_node *map);

    /*
     * The path of a guest link from u to v: its host links, of which it returns how many. link NULL: only counts. NULL:
     * the host's shortest paths. Where a congestion is stated, the way back is the way there reversed.
     */
    uint32_t (*walk)(const np_embedding *embedding, np_node u, np_node v, np_link *link);

    /* What the source, or the head of the file, states for this guest and host; what it does not stays 0. */
    void (*state)(const np_network *guest, const np_network *host, np_embedding_stated *out);
};

/* The list, NULL-terminated, in embeddings.c: of those that apply the first is the default. */
extern const np_registry np_embeddings;

/* The one to use, as np_embedding_create says. */
np_status np_embedding_find(const char *name, const np_network *guest, const np_network *host,
                            const np_embedding_ops **out) NP_CHECKED;

/* Fills row and link, by ops->walk or the host's shortest paths. map is filled. */
np_status np_embedding_fill_paths(np_embedding *embedding) NP_CHECKED;

/* A map from the text of a file, apart from the reading, so that it can be fuzzed. map: [guest nodes]. */
np_status np_map_parse(const char *name, const char *text, size_t length, const np_network *guest,
                       const np_network *host, bool injective, np_node *map) NP_CHECKED;

/* Is it of the family? Is it of one of them (NULL at the end)? */
bool np_embed_is(const np_network *network, const char *family);
NP_FOR_REPORT bool np_embed_is_of(const np_network *network, const char *const *families);

/* The first link from a to b, which is there. */
np_link np_embed_link(const np_network *network, np_node a, np_node b);

/* "8x8x4": the sides of a grid. */
enum { NP_EMBED_SIDES = NP_MAX_DIMENSIONS * 11 };
const char *np_embed_sides(const np_network *grid, char text[NP_EMBED_SIDES]);

/*
 * Is there a dimension of the host for each of the guest's, at least as long? to[i] = that of dimension i: the same if
 * that will do, else the longest for the longest, and so on, which will do if anything does.
 */
bool np_embed_fit(const np_network *guest, const np_network *host, uint32_t to[NP_MAX_DIMENSIONS]);

/* The smallest n with 2^n >= x >= 1. */
uint32_t np_embed_log2(uint64_t x);

/*
 * Node i of the boustrophedon order of a grid with these sides (indexing.c): along the last dimension first, to and
 * fro, so that consecutive nodes are neighbours. node = sum of coordinate[i] * stride[i].
 */
np_node np_embed_snake(uint32_t dimensions, const uint32_t *side, const uint32_t *stride, np_node index);

/* Where node i of a ring of n is in the linear array that the ring is folded to (fold.c). */
np_node np_embed_fold(np_node i, np_node n);

/* Codeword i of the cyclic Gray code of n words (gray.c). */
uint32_t np_embed_ring_code(uint32_t i, uint32_t n);

/*
 * The walk in a hypercube that flips the bits in which a and b differ, the most significant first, or last. As `walk`
 * of an embedding.
 */
uint32_t np_embed_cube_walk(const np_network *cube, np_node a, np_node b, bool descending, np_link *link);

#endif
