/*
 * Traffic within and across groups of terminals, which are numbered one after the other: G of them are a group, such as
 * those of a job, of a switch or of a group of a dragonfly. Draws have the purpose NP_RANDOM_TRAFFIC; item = terminal.
 *
 *   intra-group:G  each to a random one of its own group, itself included: with one group, traffic `uniform`
 *   inter-group:G  each to a random one of all other groups
 *
 * Without G the group is that of the network: of a dragonfly, or else the hosts of a switch.
 */
#include "model/traffic/traffic.h"

np_node np_traffic_group(const np_network *network)
{
    if (np_network_is(network, NP_KIND_DRAGONFLY))
        return network->terminals / network->side[3];
    return network->switches ? network->per_switch : 1;
}

/* The largest group, of at most `most`, of which there is a whole number. */
static np_node divisor(np_node terminals, uint64_t most)
{
    np_node group = most < terminals ? (np_node)most : terminals;
    while (group > 1 && terminals % group)
        group--;
    return group > 1 ? group : 1;
}

static np_status plan_groups(np_traffic_plan *plan, uint64_t most)
{
    plan->random = true;
    if (plan->parameters) {
        np_status st = np_traffic_plan_number(plan, "the terminals of a group G", 1, most);
        if (st)
            return st;
    } else if ((plan->number = np_traffic_group(plan->network)) < 2)
        return NP_RAISE(NP_ERROR_APPLY,
                        "traffic '%s': %s has no groups of its own: say how many %s one has, as in %s:%u", plan->name,
                        np_network_spec(plan->network), plan->ends, plan->name, divisor(plan->terminals, most));
    if (plan->number > most)
        return NP_RAISE(NP_ERROR_APPLY, "traffic '%s': %s has one group alone", plan->name,
                        np_network_spec(plan->network));
    if (plan->terminals % plan->number)
        return NP_RAISE(NP_ERROR_INPUT, "traffic '%s:%llu': the %u %s of %s are no whole number of groups: try %s:%u",
                        plan->name, (unsigned long long)plan->number, plan->terminals, plan->ends,
                        np_network_spec(plan->network), plan->name, divisor(plan->terminals, plan->number));
    return NP_OK;
}

static np_status plan_intra(np_traffic_plan *plan) { return plan_groups(plan, plan->terminals); }

static np_status plan_inter(np_traffic_plan *plan)
{
    if (plan->terminals < 2)
        return NP_RAISE(NP_ERROR_APPLY, "traffic '%s': %s has one terminal alone", plan->name,
                        np_network_spec(plan->network));
    return plan_groups(plan, plan->terminals / 2);
}

static void among_intra(const np_traffic_plan *plan, np_node u, np_node *first, np_node *count)
{
    *count = (np_node)plan->number;
    *first = u / *count * *count;
}

/* From the next group on, round to the one before its own. */
static void among_inter(const np_traffic_plan *plan, np_node u, np_node *first, np_node *count)
{
    np_node group = (np_node)plan->number;
    *count = plan->terminals - group;
    *first = (u / group * group + group) % plan->terminals;
}

static void draw(const np_traffic_plan *plan, const np_draws *draws,
                 void (*among)(const np_traffic_plan *plan, np_node u, np_node *first, np_node *count), np_packet from,
                 np_packet packets, np_node *source, np_node *destination)
{
    for (np_packet i = 0; i < packets; i++) {
        np_node first, count;
        among(plan, from + i, &first, &count);
        source[i] = from + i;
        destination[i] = (np_node)(((uint64_t)first + np_random_below(draws, from + i, 0, count)) % plan->terminals);
    }
}

static np_status make_intra_part(const np_traffic_plan *plan, const np_draws *draws, np_packet first, np_packet count,
                                 np_node *source, np_node *destination)
{
    draw(plan, draws, among_intra, first, count, source, destination);
    return NP_OK;
}

static np_status make_inter_part(const np_traffic_plan *plan, const np_draws *draws, np_packet first, np_packet count,
                                 np_node *source, np_node *destination)
{
    draw(plan, draws, among_inter, first, count, source, destination);
    return NP_OK;
}

const np_traffic_generator np_traffic_intra_group = {
    .info = {"intra-group", "every node sends to a random node of its own group of G, numbered one after the other", "",
             .parameters = "[:G]"},
    .plan = plan_intra,
    .part = make_intra_part,
    .anew = true,
    .among = among_intra,
};

const np_traffic_generator np_traffic_inter_group = {
    .info = {"inter-group", "every node sends to a random node of the other groups of G", "", .parameters = "[:G]"},
    .plan = plan_inter,
    .part = make_inter_part,
    .anew = true,
    .among = among_inter,
};
