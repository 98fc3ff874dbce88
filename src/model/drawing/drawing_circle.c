/*
 * Nodes round a circle, from the top clockwise: in the order of their numbers, or, for shuffles, necklace by necklace.
 * A necklace is the nodes whose digits are the same but for a rotation; a shuffle leads along it. They come in the
 * order of their least nodes, with a gap behind each.
 */
#include "base/real.h"
#include "model/drawing/drawing.h"

static bool first_circle(const np_network *network) { return np_network_is(network, NP_KIND_RING | NP_KIND_COMPLETE); }

/* Place `slot` of `slots`, which are 1 apart. */
static np_point on_circle(uint32_t slot, uint32_t slots)
{
    double sine, cosine, radius = slots / (2 * NP_PI);
    np_turn((double)slot / slots, &sine, &cosine);
    return (np_point){radius * sine, -radius * cosine};
}

static np_status place_circle(const np_network *network, np_point *place)
{
    for (np_node u = 0; u < network->nodes; u++)
        place[u] = on_circle(u, network->nodes);
    return NP_OK;
}

/* The digits of u turned left by one. */
static np_node turned(const np_network *network, np_node u)
{
    np_node base = np_network_is(network, NP_KIND_SHUFFLE) ? network->ports : 2, top = network->nodes / base;
    return u % top * base + u / top;
}

static bool is_least(const np_network *network, np_node u)
{
    np_node v = turned(network, u);
    while (v > u)
        v = turned(network, v);
    return v == u;
}

static np_status place_necklaces(const np_network *network, np_point *place)
{
    uint32_t slots = network->nodes, slot = 0;
    for (np_node u = 0; u < network->nodes; u++)
        slots += is_least(network, u);
    for (np_node u = 0; u < network->nodes; u++) {
        if (!is_least(network, u))
            continue;
        np_node v = u;
        do
            place[v] = on_circle(slot++, slots);
        while ((v = turned(network, v)) != u);
        slot++;
    }
    return NP_OK;
}

const np_drawing np_drawing_circle = {
    .info = {"circle", "round a circle, in the order of numbers: rings, complete graphs, any network", "ours"},
    .first = first_circle,
    .place = place_circle,
};

const np_drawing np_drawing_necklaces = {
    .info = {"necklaces", "round a circle, necklace by necklace: shuffles and shuffle-exchanges", "ours"},
    .only = &(const np_only){NP_KIND_SHUFFLE | NP_KIND_SHUFFLE_EXCHANGE, "it is no shuffle"},
    .place = place_necklaces,
};
