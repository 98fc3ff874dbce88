/*
 * A demand matrix becomes traffic: row i, column j says how many packets node
 * i sends to node j. Here eight hosts form a 2 x 4 torus. Host 0 is a file
 * server: every other host sends it a request and gets nine packets back. Hosts 1 to 6
 * also exchange blocks in pairs.
 *
 * How long does it take, and which lower bounds hold? No schedule needs fewer
 * steps than the busiest host has packets to send or receive on each of its
 * links.
 *
 * A matrix in a file needs no program: traffic "file:demand.mtx" reads Matrix
 * Market files.
 */
#include <stdint.h>
#include <stdio.h>

#include <netpram/netpram.h>

enum { HOSTS = 8, MOST = 256 };

static const uint32_t demand[HOSTS][HOSTS] = {
    {0, 9, 9, 9, 9, 9, 9, 9}, /* the file server */
    {1, 0, 0, 0, 4, 0, 0, 0}, {1, 0, 0, 0, 0, 4, 0, 0}, {1, 0, 0, 0, 0, 0, 4, 0}, {1, 4, 0, 0, 0, 0, 0, 0},
    {1, 0, 4, 0, 0, 0, 0, 0}, {1, 0, 0, 4, 0, 0, 0, 0}, {1, 0, 0, 0, 0, 0, 0, 0},
};

/* The matrix as two arrays: packet p goes from source[p] to destination[p]. */
static size_t packets_of(np_node *source, np_node *destination)
{
    size_t packets = 0;
    for (np_node i = 0; i < HOSTS; i++)
        for (np_node j = 0; j < HOSTS; j++)
            for (uint32_t k = 0; k < demand[i][j]; k++, packets++) {
                source[packets] = i;
                destination[packets] = j;
            }
    return packets;
}

/* Steps that no schedule undercuts: the largest row or column sum over the links of a host, rounded up. */
static uint32_t least_steps(uint32_t links)
{
    uint32_t most = 0;
    for (int i = 0; i < HOSTS; i++) {
        uint32_t out = 0, in = 0;
        for (int j = 0; j < HOSTS; j++) {
            out += demand[i][j];
            in += demand[j][i];
        }
        most = out > most ? out : most;
        most = in > most ? in : most;
    }
    return (most + links - 1) / links;
}

static np_status print_scheme(const np_network *network, const np_traffic *traffic, const char *scheme)
{
    np_route_options options;
    np_route_result *result = NULL;
    np_route_options_init(&options);
    options.scheme = scheme;
    options.runs = 10;
    np_status st = np_route_traffic(network, traffic, &options, &result);
    if (!st)
        printf("%-8s %5.1f steps, at least %u by the degrees\n", scheme, result->total_steps.mean,
               least_steps(np_network_ports(network)));
    np_route_result_free(result);
    return st;
}

int main(void)
{
    np_node source[MOST], destination[MOST];
    np_network *network = NULL;
    np_traffic *traffic = NULL;
    np_status st;
    size_t packets = packets_of(source, destination);
    if ((st = np_network_create("torus:2x4", &network)) ||
        (st = np_traffic_from_arrays(network, packets, source, destination, NULL, &traffic)))
        goto out;
    printf("%zu packets on %s\n", packets, np_network_spec(network));
    if ((st = print_scheme(network, traffic, "greedy")) || (st = print_scheme(network, traffic, "valiant")))
        goto out;
out:
    if (st)
        fprintf(stderr, "real_matrix: %s\n", np_last_error());
    np_traffic_free(traffic);
    np_network_free(network);
    return st != NP_OK;
}
