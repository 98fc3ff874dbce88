/*
 * incast:NODE:K: K to one. K other terminals, drawn at random without repetition, send a packet each to NODE; without
 * K, all others do. Draws have the purpose NP_RANDOM_TRAFFIC; item = place in the order of senders: the first K of a
 * random order of the others (Fisher & Yates), which are then listed in ascending order.
 */

#include "base/memory.h"
#include "model/network/read_node.h"
#include "model/traffic/traffic.h"

static np_status plan_incast(np_traffic_plan *plan)
{
    const char *rest = plan->parameters, *first = NP_NODE_NAME(plan->network, np_network_input(plan->network, 0));
    np_node others = plan->terminals - 1;
    np_status st;
    if (!rest)
        return NP_RAISE(NP_ERROR_INPUT,
                        "traffic 'incast' lacks the node: write incast:%s, where all others send to node %s, or "
                        "incast:%s:8",
                        first, first, first);
    if (!others)
        return NP_RAISE(NP_ERROR_APPLY, "traffic 'incast': %s has one terminal alone", np_network_spec(plan->network));
    if ((st = np_traffic_plan_node(plan, "a number of senders, as in incast:0:8", &rest)))
        return st;
    plan->packets = others;
    if (*rest && (!np_parse_whole(rest + 1, 1, others, &plan->packets)))
        return NP_RAISE(NP_ERROR_INPUT, "traffic 'incast:%s': the senders '%s' must be a whole number in 1..%u on %s",
                        plan->parameters, rest + 1, others, np_network_spec(plan->network));
    plan->random = plan->packets < others;
    return NP_OK;
}

/* Terminals but for NODE, as numbers 0 .. N - 2. */
static np_node other(const np_traffic_plan *plan, np_node i) { return i + (i >= plan->number); }

/* chosen: [N - 1] false before. The K last of an order that is shuffled from its end on: so K draws are enough. */
static np_status choose(const np_traffic_plan *plan, const np_draws *draws, bool *chosen)
{
    np_node others = plan->terminals - 1, *order;
    np_status st = np_memory_array(&order, others, sizeof *order, "the order of the senders");
    if (st)
        return st;
    for (np_node i = 0; i < others; i++)
        order[i] = i;
    for (np_node i = others; i > others - plan->packets; i--) {
        np_node j = np_random_below(draws, others - i, 0, i), swap = order[j];
        order[j] = order[i - 1];
        order[i - 1] = swap;
        chosen[swap] = true;
    }
    np_memory_free(order);
    return NP_OK;
}

static np_status make_incast(const np_traffic_plan *plan, const np_draws *draws, np_node *source, np_node *destination)
{
    np_node others = plan->terminals - 1, sent = 0;
    bool *chosen;
    np_status st = np_memory_zeroed(&chosen, others, sizeof *chosen, "the senders");
    if (!st && plan->random)
        st = choose(plan, draws, chosen);
    for (np_node i = 0; i < others && !st; i++)
        if (chosen[i] || !plan->random) {
            source[sent] = other(plan, i);
            destination[sent++] = (np_node)plan->number;
        }
    np_memory_free(chosen);
    return st;
}

const np_traffic_generator np_traffic_incast = {
    .info = {"incast", "K other nodes, drawn at random (default: all), send one packet each to NODE", "",
             .parameters = ":NODE[:K]", .example = "incast:0"},
    .plan = plan_incast,
    .make = make_incast,
};
