/*
 * A broadcast of 1000 words in a hypercube: which algorithm is the cheapest,
 * and in how many parts should it send them? A round costs 100 units to set
 * up, a word costs one. The program asks for the price of all algorithms by
 * formula, plays the cheapest, and walks through the schedule that was played.
 */
#include <inttypes.h>
#include <stdio.h>

#include <netpram/netpram.h>

static void print_prices(size_t count, const np_collective_candidate *candidate)
{
    for (size_t i = 0; i < count; i++)
        printf("  %-22s %4" PRIu64 " flits: cost %8.1f\n", candidate[i].algorithm, candidate[i].flits,
               candidate[i].cost);
}

/* The first rounds of the schedule: which node sends which flit to whom. */
static void print_schedule(const np_network *network, const np_collective_schedule *schedule)
{
    for (size_t r = 0; r < schedule->rounds && r < 4; r++) {
        printf("  round %zu:", r + 1);
        for (size_t i = schedule->first[r]; i < schedule->first[r + 1]; i++)
            printf(" %u->%u (flit %u)", np_network_link_tail(network, schedule->link[i]),
                   np_network_link_head(network, schedule->link[i]), schedule->piece[i]);
        putchar('\n');
    }
}

static np_status play(const np_network *network, np_collective_options *options,
                      const np_collective_candidate *cheapest)
{
    np_collective_result *result = NULL;
    options->algorithm = cheapest->algorithm;
    options->flits = cheapest->flits;
    options->record = true;
    np_status st = np_collective(network, "broadcast", options, &result);
    if (!st) {
        printf("%s played: %" PRIu64 " rounds, cost %.1f; no algorithm costs less than %.1f (%s)\n", result->algorithm,
               result->rounds, result->cost, result->bound.cost, result->ports);
        print_schedule(network, result->schedule);
    }
    np_collective_result_free(result);
    return st;
}

int main(void)
{
    np_collective_model model[NP_COLLECTIVE_MODELS];
    np_collective_candidate candidate[NP_COLLECTIVE_MODELS];
    np_collective_options options;
    np_network *network = NULL;
    size_t count;
    np_status st;
    np_collective_options_init(&options);
    options.data = 1000;
    options.ca = 100;
    if ((st = np_network_create("hypercube:3", &network)) ||
        (st = np_collective_models(network, "broadcast", &options, model, &count)))
        goto out;
    np_collective_compare(count, model, &options, candidate);
    print_prices(count, candidate);
    st = play(network, &options, &candidate[0]);
out:
    if (st)
        fprintf(stderr, "collective: %s\n", np_last_error());
    np_network_free(network);
    return st != NP_OK;
}
