/*
 * Valiant & Brebner's two phases on the 10-cube: every packet goes to a node
 * drawn at random (phase A), then on to where it belongs (phase B).
 */
#include <stdio.h>

#include <netpram/netpram.h>

int main(void)
{
    np_network *network = NULL;
    np_route_result *result = NULL;
    np_route_options options;
    np_status st;

    np_route_options_init(&options);
    options.scheme = "cubes";
    options.runs = 20;
    options.seed = 1981;
    if ((st = np_network_create("hypercube:10", &network)))
        goto out;
    if ((st = np_route(network, "random", &options, &result)))
        goto out;
    printf("%u packets on %s, %u runs from seed %llu\n", result->packets, result->network, result->runs,
           (unsigned long long)result->seed);
    for (size_t i = 0; i < result->phases; i++) {
        const np_phase_result *phase = &result->phase[i];
        printf("phase %s: %.2f +- %.2f steps, at most %.0f; a packet waited at most %.0f\n", phase->name,
               phase->steps.mean, phase->steps.ci95, phase->steps.max, phase->delay_max.max);
    }
out:
    if (st)
        fprintf(stderr, "route_permutation: %s\n", np_last_error());
    np_route_result_free(result);
    np_network_free(network);
    return st != NP_OK;
}
