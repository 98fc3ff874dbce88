/*
 * Networks of about 4096 nodes route a random permutation, each by the scheme
 * made for it: what do fewer wires a node cost in steps?
 */
#include <stdio.h>

#include <netpram/netpram.h>

enum { RUNS = 5 };

static np_status print_row(const char *spec)
{
    np_network *network = NULL;
    np_route_result *result = NULL;
    np_route_options options;
    np_status st;

    np_route_options_init(&options);
    options.runs = RUNS;
    if ((st = np_network_create(spec, &network)))
        goto out;
    if ((st = np_route(network, "random", &options, &result)))
        goto out;
    double queue = 0;
    for (size_t i = 0; i < result->phases; i++)
        if (result->phase[i].queue_max.max > queue)
            queue = result->phase[i].queue_max.max;
    printf("%-14s %6llu %7llu  %-10s %7.1f %6.0f\n", spec, (unsigned long long)result->nodes,
           (unsigned long long)result->links, result->scheme, result->total_steps.mean, queue);
out:
    np_route_result_free(result);
    np_network_free(network);
    return st;
}

int main(void)
{
    static const char *const specs[] = {"hypercube:12", "shuffle:4x6", "mesh:64x64", "torus:64x64"};
    printf("%-14s %6s %7s  %-10s %7s %6s\n", "network", "nodes", "links", "scheme", "steps", "queue");
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        if (print_row(specs[i])) {
            fprintf(stderr, "compare_networks: %s\n", np_last_error());
            return 1;
        }
    return 0;
}
