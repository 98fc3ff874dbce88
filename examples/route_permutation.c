/*
 * Valiant & Brebner's two phases on the 10-cube: every packet goes to a node
 * drawn at random (phase A), then on to where it belongs (phase B). How often
 * does a packet wait for long, and how often do the theorems let it?
 */
#include <stdio.h>

#include <netpram/netpram.h>

/* The least delay that the theorem gives to some packet in fewer than one run in a thousand. */
static uint32_t rare_delay(const np_bound *bound)
{
    uint32_t delay = 1;
    while (np_bound_delay(bound, delay).probability > 1e-3)
        delay++;
    return delay;
}

static void print_phase(const np_network *network, const np_phase_result *phase, const np_route_result *result)
{
    np_bound bound;
    printf("phase %s: %.2f +- %.2f steps, at most %.0f; a packet waited at most %.0f steps\n", phase->name,
           phase->steps.mean, phase->steps.ci95, phase->steps.max, phase->delay_max.max);
    np_bound_for(result->scheme, network, result->relation, result->packets, phase->name, &bound);
    if (bound.applies)
        printf("         %s: in fewer than one run in 1000 does a packet wait %u steps\n", bound.theorem,
               rare_delay(&bound));
}

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
    for (size_t i = 0; i < result->phases; i++)
        print_phase(network, &result->phase[i], result);
out:
    if (st)
        fprintf(stderr, "route_permutation: %s\n", np_last_error());
    np_route_result_free(result);
    np_network_free(network);
    return st != NP_OK;
}
