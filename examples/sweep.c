/*
 * Which scheme should route which traffic? Every scheme of a list routes every
 * traffic of a list on one network. The program prints one line of CSV for
 * each pair, ready for a spreadsheet or a plot:
 *
 *     ./sweep > sweep.csv
 */
#include <stdio.h>

#include <netpram/netpram.h>

enum { RUNS = 5 };

static const char *const schemes[] = {"greedy", "cubes", "ranked"};
static const char *const traffics[] = {"random", "transpose", "bit-reversal", "hotspot:0"};

static double largest_queue(const np_route_result *result)
{
    double queue = 0;
    for (size_t i = 0; i < result->phases; i++)
        if (result->phase[i].queue_max.max > queue)
            queue = result->phase[i].queue_max.max;
    return queue;
}

static np_status print_row(const np_network *network, const char *scheme, const char *traffic)
{
    np_route_options options;
    np_route_result *result = NULL;
    np_route_options_init(&options);
    options.scheme = scheme;
    options.runs = RUNS;
    np_status st = np_route(network, traffic, &options, &result);
    if (!st)
        printf("%s,%s,%s,%u,%.2f,%.2f,%.0f\n", result->network, scheme, traffic, result->packets,
               result->total_steps.mean, result->total_steps.ci95, largest_queue(result));
    np_route_result_free(result);
    return st;
}

int main(void)
{
    np_network *network = NULL;
    np_status st = np_network_create("hypercube:8", &network);
    puts("network,scheme,traffic,packets,steps,ci95,queue");
    for (size_t s = 0; !st && s < sizeof schemes / sizeof *schemes; s++)
        for (size_t t = 0; !st && t < sizeof traffics / sizeof *traffics; t++)
            st = print_row(network, schemes[s], traffics[t]);
    if (st)
        fprintf(stderr, "sweep: %s\n", np_last_error());
    np_network_free(network);
    return st != NP_OK;
}
