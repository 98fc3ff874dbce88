/*
 * A network and traffic of one's own, from arrays. Three workers send all
 * they have to node 4 through one switch, which has a single link to it. (Links
 * are directed: each <--> is two of them.)
 *
 *     0 <--> 3 <--> 4
 *     1 <--> 3
 *     2 <--> 3
 *
 * Who has to wait, and for how long?
 */
#include <stdio.h>

#include <netpram/netpram.h>

enum { LINKS = 8, PACKETS = 6 };

static const np_node from[LINKS] = {0, 1, 2, 3, 3, 3, 3, 4}, to[LINKS] = {3, 3, 3, 0, 1, 2, 4, 3};
static const np_node source[PACKETS] = {0, 0, 1, 1, 2, 2}, destination[PACKETS] = {4, 4, 4, 4, 4, 4};

static void print_delays(const np_phase_result *phase)
{
    printf("%.0f steps; the largest queue held %.0f packets\n", phase->steps.mean, phase->queue_max.mean);
    for (size_t delay = 0; delay < phase->delays; delay++)
        printf("%llu packets waited %zu steps\n", (unsigned long long)phase->delay_histogram[delay], delay);
}

int main(void)
{
    np_network *network = NULL;
    np_traffic *traffic = NULL;
    np_route_result *result = NULL;
    np_route_options options;
    np_status st;

    np_route_options_init(&options);
    options.scheme = "greedy";
    if ((st = np_network_from_links(5, LINKS, from, to, &network)))
        goto out;
    if ((st = np_traffic_from_arrays(network, PACKETS, source, destination, NULL, &traffic)))
        goto out;
    if ((st = np_route_traffic(network, traffic, &options, &result)))
        goto out;
    print_delays(&result->phase[0]);
out:
    if (st)
        fprintf(stderr, "own_traffic: %s\n", np_last_error());
    np_route_result_free(result);
    np_traffic_free(traffic);
    np_network_free(network);
    return st != NP_OK;
}
