/*
 * A theorem beside the measurement. Theorem 1 of Valiant & Brebner 1981 says
 * with what probability some packet waits `delta` steps or more. The program
 * routes many random permutations and prints the share of the runs in which that
 * happened beside the bound: a bound of 1 says nothing, and the table shows from
 * which delay on the theorem says something.
 *
 * A theorem can also be asked without a run: the second table has networks that no
 * computer could simulate.
 */
#include <math.h>
#include <stdio.h>

#include <netpram/netpram.h>

enum { RUNS = 200 };

static const uint32_t deltas[] = {1, 2, 3, 4, 5, 12, 18, 24, 30, 36};

static void print_phase(const np_network *network, const np_route_result *result, const np_phase_result *phase)
{
    np_bound bound;
    np_bound_for(result->scheme, network, result->relation, result->packets, phase->name, &bound);
    printf("phase %s, %s\n  delta   measured   bound\n", phase->name, bound.applies ? bound.theorem : bound.reason);
    for (size_t i = 0; i < sizeof deltas / sizeof *deltas; i++) {
        uint32_t delta = deltas[i], runs = 0;
        for (uint32_t r = 0; r < result->runs; r++)
            runs += phase->run[r].delay_max >= delta;
        printf("  %5u   %8.3f   %.3g\n", delta, (double)runs / result->runs, np_bound_delay(&bound, delta).probability);
    }
}

static np_status measure(void)
{
    np_network *network = NULL;
    np_route_result *result = NULL;
    np_route_options options;
    np_status st;
    np_route_options_init(&options);
    options.scheme = "cubes";
    options.runs = RUNS;
    if ((st = np_network_create("hypercube:7", &network)) || (st = np_route(network, "random", &options, &result)))
        goto out;
    for (size_t i = 0; i < result->phases; i++)
        print_phase(network, result, &result->phase[i]);
out:
    np_route_result_free(result);
    np_network_free(network);
    return st;
}

/* The least delay that Theorem 1 gives to some packet with probability below 1e-9, on the n-cube. */
static double rare_delay(double n)
{
    np_bound_scheme cube = {.degree = n, .route_max = n, .route_mean = n / 2, .relation = 1, .packets = exp2(n)};
    double delta = 1;
    while (np_bound_theorem1(&cube, delta) > log(1e-9))
        delta++;
    return delta;
}

int main(void)
{
    if (measure()) {
        fprintf(stderr, "bounds: %s\n", np_last_error());
        return 1;
    }
    puts("a permutation on the n-cube, one phase: delays that fewer than one run in 10^9 has");
    for (int n = 10; n <= 1000; n *= 10)
        printf("  n = %4d: %5.0f steps, %.2f n\n", n, rare_delay(n), rare_delay(n) / n);
    return 0;
}
