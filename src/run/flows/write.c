/* The files of flows and of links, in CSV. */
#include "base/decimal.h"
#include "base/written.h"
#include "model/network/read_node.h"
#include "run/flows/flows.h"

static void put_node(const np_network *network, np_node node, FILE *stream)
{
    np_written(NP_MEDIUM_CSV, NP_NODE_NAME(network, node), stream);
    fputc(',', stream);
}

static void put_flows(const np_flows_result *r, FILE *stream)
{
    fputs("flow,source,destination,size,start,finish\n", stream);
    for (size_t i = 0; i < r->flows; i++) {
        fprintf(stream, "%zu,", i);
        put_node(r->network, r->source[i], stream);
        put_node(r->network, r->destination[i], stream);
        fprintf(stream, "%s,%s,", NP_EXACT(r->size[i]), NP_EXACT(r->start[i]));
        fprintf(stream, "%s\n", NP_EXACT(r->finish[i]));
    }
}

np_status np_flows_write(const np_flows_result *r, const char *path)
{
    np_output *output;
    np_status st = np_output_open(path, &output);
    if (st)
        return st;
    put_flows(r, np_output_stream(output));
    return np_output_commit(output);
}

static void put_links(const np_flows_result *r, const np_ways *ways, const np_flows_outcome *out,
                      const np_flows_units *units, FILE *stream)
{
    double each = r->makespan * units->moments;
    fputs("link,from,to,width,flows,carried,use\n", stream);
    for (np_link l = 0; l < np_network_link_numbers(r->network); l++) {
        if (!ways->width[l])
            continue;
        double use = each > 0 ? out->carried[l] / (ways->width[l] * each) : 0;
        fprintf(stream, "%u,", l);
        put_node(r->network, np_network_link_tail(r->network, l), stream);
        put_node(r->network, np_network_link_head(r->network, l), stream);
        fprintf(stream, "%u,%llu,%s,", ways->width[l], (unsigned long long)out->crossed[l], NP_EXACT(out->carried[l]));
        fprintf(stream, "%s\n", NP_EXACT(use < 1 ? use : 1));
    }
}

np_status np_flows_write_links(const np_flows_result *r, const np_ways *ways, const np_flows_outcome *out,
                               const np_flows_units *units, const char *path)
{
    np_output *output;
    np_status st = np_output_open(path, &output);
    if (st)
        return st;
    put_links(r, ways, out, units, np_output_stream(output));
    return np_output_commit(output);
}
