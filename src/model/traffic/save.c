/* Writes traffic as a list of pairs, by the names of the nodes: what pairs.c reads. */
#include "model/network/read_node.h"
#include "model/traffic/traffic.h"

np_status np_traffic_save(const np_network *network, size_t packets, const np_node *source, const np_node *destination,
                          const char *path)
{
    np_output *output;
    np_status st = np_output_open(path, &output);
    if (st)
        return st;
    FILE *stream = np_output_stream(output);
    if (network->names) /* else the first line might be a line of titles */
        fputs("source destination\n", stream);
    for (size_t p = 0; p < packets; p++) {
        np_put_word(stream, NP_NODE_NAME(network, source[p]));
        fputc(' ', stream);
        np_put_word(stream, NP_NODE_NAME(network, destination[p]));
        fputc('\n', stream);
    }
    return np_output_commit(output);
}
