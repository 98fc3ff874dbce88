/* The file of links, in CSV: what each carried at the last point of each curve. */
#include <math.h>

#include "base/decimal.h"
#include "base/written.h"
#include "model/network/read_node.h"
#include "run/load/load.h"

static void put_text(const char *text, FILE *stream)
{
    np_written(NP_MEDIUM_CSV, text, stream);
    fputc(',', stream);
}

static void put_links(const np_network *network, const np_load_made *curve, FILE *stream)
{
    const np_load_links *links = &curve->links;
    for (np_link e = 0; e < np_network_link_numbers(network); e++) {
        np_node head = np_network_link_head(network, e);
        if (head == NP_NONE)
            continue;
        put_text(curve->paths, stream);
        fprintf(stream, "%s,%u,", isnan(links->offered) ? "" : NP_EXACT(links->offered), e); /* none of a window */
        put_text(NP_NODE_NAME(network, np_network_link_tail(network, e)), stream);
        put_text(NP_NODE_NAME(network, head), stream);
        fprintf(stream, "%llu,%s\n", (unsigned long long)links->flits[e],
                NP_EXACT((double)links->flits[e] / (double)(links->end - links->begin)));
    }
}

np_status np_load_write_links(const np_network *network, size_t curves, const np_load_made *curve, const char *path)
{
    np_output *output;
    np_status st = np_output_open(path, &output);
    if (st)
        return st;
    fputs("paths,offered,link,from,to,flits,use\n", np_output_stream(output));
    for (size_t i = 0; i < curves; i++)
        put_links(network, &curve[i], np_output_stream(output));
    return np_output_commit(output);
}
