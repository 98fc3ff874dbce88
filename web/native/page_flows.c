/*
 * Flows on the page: when each begins and ends, and how much of each link is used on average until the last one ends.
 */
#include <stdio.h>
#include <stdlib.h>

#include "netpram/flows.h"
#include "page.h"

static const char *const LINKS = "/links.csv"; /* in memory */

static double *flow; /* [flows] source, destination, start, finish */
static double *use;  /* [links] from, to, share that is used */

static void keep_flows(const np_flows_result *result)
{
    flow = realloc(flow, (4 * result->flows + 1) * sizeof *flow);
    for (size_t i = 0; i < result->flows; i++) {
        flow[4 * i] = result->source[i];
        flow[4 * i + 1] = result->destination[i];
        flow[4 * i + 2] = result->start[i];
        flow[4 * i + 3] = result->finish[i];
    }
}

/* The file has a line for each link: link,from,to,width,flows,carried,use. Returns how many. */
static size_t read_uses(size_t most)
{
    char line[256];
    size_t count = 0;
    FILE *file = fopen(LINKS, "r");
    use = realloc(use, (3 * most + 1) * sizeof *use);
    while (file && count < most && fgets(line, sizeof line, file))
        count +=
            sscanf(line, "%*u,%lf,%lf,%*u,%*u,%*f,%lf", &use[3 * count], &use[3 * count + 1], &use[3 * count + 2]) == 3;
    if (file)
        fclose(file);
    return count;
}

np_status page_flows(const np_network *network, const char *traffic, char *lines)
{
    np_flows_options options;
    np_flows_result *result = NULL;
    np_flows_options_init(&options);
    np_status st = page_set_options(&np_flows_options_fields, &options, lines);
    options.links_file = LINKS;
    if (!st)
        st = np_flows(network, traffic, &options, &result);
    if (st)
        return st;
    keep_flows(result);
    size_t uses = read_uses(np_network_link_numbers(network));
    page_say("{\"result\": ");
    page_say_object(&np_flows_result_fields, result);
    page_say(", \"flow\": %zu, \"uses\": %zu, \"use\": %zu", (size_t)flow, uses, (size_t)use);
    np_flows_free(result);
    return NP_OK;
}
