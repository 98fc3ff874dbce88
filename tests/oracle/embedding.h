/* The figures of an embedding, counted from its map and its paths on the oracle's graphs. */
#ifndef ORACLE_EMBEDDING_H
#define ORACLE_EMBEDDING_H

#include <stdbool.h>

#include "netpram/embed.h"

typedef struct oracle_embedding {
    bool connects; /* every path of a guest link leads from image to image, over links of the host */
    uint32_t load, dilation, congestion;
    bool reverses; /* every path back has the nodes of the path there, in reverse order */
} oracle_embedding;

/* Guest and host must be networks that oracle_graph_of knows. */
oracle_embedding oracle_embedding_judge(const np_embedding *embedding);

/* Is `crossing` a schedule of `steps` steps? */
bool oracle_embedding_schedule(const np_embedding *embedding, const np_step *crossing, uint32_t steps);

/* Has the graph of a spec a cycle through all nodes? Tries all paths; for about 20 nodes. */
bool oracle_hamiltonian(const char *spec);

#endif
