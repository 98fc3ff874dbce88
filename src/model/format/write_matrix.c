/* Matrix Market: an entry for each link; of a symmetric matrix, those on and below the diagonal. */
#include "model/format/writer.h"

static void write(const np_listing *l, FILE *stream)
{
    fprintf(stream, "%%%%MatrixMarket matrix coordinate pattern %s\n%u %u %zu\n",
            l->undirected ? "symmetric" : "general", l->network->nodes, l->network->nodes, l->lines);
    for (size_t i = 0; i < l->lines; i++) /* undirected lines go from the smaller node to the larger */
        fprintf(stream, "%u %u\n", (l->undirected ? l->to : l->from)[i] + 1, (l->undirected ? l->from : l->to)[i] + 1);
}

const np_graph_writer np_writer_matrix = {
    .info = {"matrix-market", "Matrix Market", "Boisvert, Pozo & Remington 1996", .aliases = "mtx"},
    .ending = ".mtx",
    .keeps = NP_KEEPS_NODES | NP_KEEPS_DIRECTION,
    .write = write,
};
