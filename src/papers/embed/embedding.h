/*
 * The inside of the embed layer. An embedding of the list is one const descriptor and one line in
 * embeddings.c. It says where guest nodes go, and how the paths go if shortest paths of the host
 * will not do.
 */
#pragma once

#include "netpram/embed.h"
#include "model/network/axes.h"

enum { NP_EMBED_REASON = 256 };

/* Writes the reason of a refusal. Returns true. */
bool np_embed_refuse(char reason[NP_EMBED_REASON], const char *format, ...) __attribute__((format(printf, 2, 3)));

typedef struct np_embedding_ops np_embedding_ops;

struct np_embedding {
    const np_embedding_ops *ops; /* NULL: made from a map */
    const np_network *guest, *host;
    np_node *map; /* [guest nodes] */

    /* Compressed rows: the path of guest link l is link[row[l]] .. link[row[l + 1] - 1]. */
    uint32_t *row; /* [guest link numbers + 1] */
    np_link *link; /* [row[guest link numbers]] */
};

struct np_embedding_ops {
    np_entry info;
    np_kind guests, hosts; /* which they can be; no hosts: the guest's own family */

    /*
     * Is the embedding impossible? Guest and host are of its kinds. If true, reason says why, in
     * words that follow "because" and that name the nearest choice.
     */
    bool (*refuses)(const np_network *guest, const np_network *host, char reason[NP_EMBED_REASON]);

    /* Fills the map. */
    np_status (*place)(const np_network *guest, const np_network *host, np_node *map);

    /*
     * Fills link[] with the host links of the path of a guest link from u to v; returns how many
     * there are. link == NULL: it only counts. No function: the host's shortest paths. If a
     * congestion is stated, the way back is the way there reversed.
     */
    uint32_t (*walk)(const np_embedding *embedding, np_node u, np_node v, np_link *link);

    /* What the source or the head of the file states. What they do not state is 0. */
    uint32_t dilation, congestion;
    double expansion; /* 0: the nodes of the host over those of the guest, whatever they are */
    /* Changes these for this guest and host. NULL: they hold for all. */
    void (*state)(const np_network *guest, const np_network *host, np_embedding_stated *out);
};

/* The registry of embeddings, in embeddings.c: the first embedding that applies is the default. */
extern const np_registry np_embeddings;

/* Finds the embedding to use, as np_embedding_create says. */
np_status np_embedding_find(const char *name, const np_network *guest, const np_network *host,
                            const np_embedding_ops **out) NP_CHECKED;

/* Fills row and link, by ops->walk or the host's shortest paths. map is filled. */
np_status np_embedding_fill_paths(np_embedding *embedding) NP_CHECKED;

/*
 * Makes a map from the text of a file. It is apart from the reading of files, so that it can be
 * fuzzed. map: [guest nodes].
 */
np_status np_map_parse(const char *name, const char *text, size_t length, const np_network *guest,
                       const np_network *host, bool injective, np_node *map) NP_CHECKED;

/* "8x8x4": the sides of a grid. */
enum { NP_EMBED_SIDES = NP_MAX_DIMENSIONS * 11 };
const char *np_embed_sides(const np_network *grid, char text[NP_EMBED_SIDES]);

/*
 * Is there a dimension of the host, at least as long, for each dimension of the guest? to[i] = the
 * host's dimension for dimension i. It is i if this works for all dimensions. Else the longest
 * dimension goes to the longest, and so on; this works if anything does.
 */
bool np_embed_fit(const np_network *guest, const np_network *host, uint32_t to[NP_MAX_DIMENSIONS]);

/*
 * A grid in a grid of no fewer dimensions, for `place`: node u goes to its coordinates in the dimensions of
 * np_embed_fit, `fold`: folded double.
 */
void np_embed_place_grid(const np_network *guest, const np_network *host, bool fold, np_node *map);

/* The smallest n with 2^n >= x >= 1. */
uint32_t np_embed_log2(uint64_t x);

/* The place of node i of a ring of n in the linear array to which the ring is folded (fold.c). */
np_node np_embed_fold(np_node i, np_node n);

/* Codeword i of the cyclic Gray code of n words (gray.c). */
uint32_t np_embed_ring_code(uint32_t i, uint32_t n);

/*
 * The walk in a hypercube that flips the bits in which a and b differ, the most significant bit
 * first (descending) or last. Arguments and result as of `walk` of an embedding.
 */
uint32_t np_embed_cube_walk(const np_network *cube, np_node a, np_node b, bool descending, np_link *link);
