/*
 * A queue discipline and traffic of one's own. The discipline "shortest-first" lets the packet with the fewest hops
 * left go first; the library's "farthest-first" does the opposite. The traffic "blocks:K" sends from every node to a
 * random node of its block of K nodes.
 *
 * Which of the two disciplines, and FIFO, brings the last packet home first?
 */
#include <stdio.h>
#include <stdlib.h>

#include <netpram/netpram.h>

/* The smallest key goes first. */
static void keys(size_t count, const np_key_inputs *inputs, uint32_t *key)
{
    for (size_t i = 0; i < count; i++)
        key[i] = inputs->remaining[i];
}

static const np_discipline discipline = {
    .info = {.name = "shortest-first", .help = "the packet with the fewest hops left goes first", .source = ""},
    .keys = keys,
};

static np_status plan(np_traffic_plan *plan)
{
    char *end = NULL;
    plan->number = plan->parameters ? strtoul(plan->parameters, &end, 10) : 0;
    if (!plan->number || *end || plan->terminals % plan->number)
        return np_status_raise(NP_ERROR_INPUT, "traffic 'blocks': write blocks:K, where K divides the %u %s",
                               plan->terminals, plan->ends);
    plan->random = true;
    return NP_OK;
}

static np_status make(const np_traffic_plan *plan, const np_draws *draws, np_node *source, np_node *destination)
{
    uint32_t size = (uint32_t)plan->number;
    for (np_node u = 0; u < plan->terminals; u++) {
        source[u] = u;
        destination[u] = u / size * size + np_draw_below(draws, u, 0, size);
    }
    return NP_OK;
}

static const np_traffic_generator blocks = {
    .info = {.name = "blocks", .help = "to a random node of one's block of K nodes", .source = "", .parameters = ":K"},
    .plan = plan,
    .make = make,
};

static np_status steps_with(const char *queue, const np_network *network)
{
    np_route_options options;
    np_route_result *result = NULL;
    np_route_options_init(&options);
    options.scheme = "greedy";
    options.queue = queue;
    options.runs = 10;
    np_status st = np_route(network, "blocks:128", &options, &result);
    if (!st)
        printf("%-15s %5.1f steps on average\n", queue, result->total_steps.mean);
    np_route_result_free(result);
    return st;
}

int main(void)
{
    static const char *const queues[] = {"fifo", "farthest-first", "shortest-first"};
    np_network *network = NULL;
    np_status st;
    if ((st = np_discipline_register(&discipline)) || (st = np_traffic_register(&blocks)))
        goto out;
    st = np_network_create("mesh:32x32", &network);
    for (size_t i = 0; !st && i < sizeof queues / sizeof *queues; i++)
        st = steps_with(queues[i], network);
out:
    if (st)
        fprintf(stderr, "own_discipline: %s\n", np_last_error());
    np_network_free(network);
    return st != NP_OK;
}
