/*
 * Traffic that permutes the digits of node numbers. The digits are
 *   the n bits, where N = 2^n;
 *   else, on the d-way shuffle of n digits, the n digits base d.
 * On other networks the patterns do not exist and are refused.
 *
 * With u = (u_{n-1} ... u_1 u_0), most significant first:
 *   bit-reversal     -> (u_0 u_1 ... u_{n-1})
 *   perfect-shuffle  -> (u_{n-2} ... u_0 u_{n-1})
 *   transpose        the upper and the lower floor(n/2) digits change
 *                    places; for odd n the middle digit stays. Thus, for
 *                    even n, (i,j) -> (j,i) on a square of sides 2^(n/2).
 * On a mesh or torus of two or more dimensions transpose is geometric: it
 * reverses the coordinates, (i,j) -> (j,i), and asks for equal sides. In two
 * dimensions the geometric transpose equals the transpose of the bits if N is a
 * power of two; in three or more dimensions the two differ in general. Where hosts hang on every switch, the
 * coordinates or bits are those of the switches.
 */
#include "model/traffic/traffic.h"

static bool is_grid(const np_network *network)
{
    return np_network_is(network, NP_KIND_MESH | NP_KIND_TORUS | NP_KIND_HYPERX) && network->dimensions > 1;
}

/* The digits of the numbers of `count` terminals or switches of the network. */
static np_status plan_digits_of(np_traffic_plan *plan, const np_network *network, np_node count, const char *ends)
{
    if (!(count & (count - 1))) {
        plan->base = 2;
        plan->digits = (uint32_t)__builtin_ctz(count);
        return NP_OK;
    }
    if (np_network_is(network, NP_KIND_SHUFFLE)) {
        plan->base = network->side[0];
        plan->digits = network->dimensions;
        return NP_OK;
    }
    return NP_RAISE(NP_ERROR_APPLY,
                    "traffic '%s' does not exist on %s: its %u %s are not a power of two, so their numbers have no "
                    "digits to move; try complement or random",
                    plan->name, np_network_spec(plan->network), count, ends);
}

static np_status plan_digits(np_traffic_plan *plan)
{
    return plan_digits_of(plan, plan->network, plan->terminals, plan->ends);
}

static np_node reversed(np_node u, uint32_t base, unsigned digits)
{
    np_node v = 0;
    for (unsigned i = 0; i < digits; i++, u /= base)
        v = v * base + u % base;
    return v;
}

static np_node power(uint32_t base, unsigned exponent)
{
    np_node p = 1;
    while (exponent--)
        p *= base;
    return p;
}

static np_node bit_reversal(const np_traffic_plan *plan, np_node u) { return reversed(u, plan->base, plan->digits); }

const np_traffic_generator np_traffic_bit_reversal = {
    .info = {"bit-reversal", "the bits of the node number in reverse (base d on the d-way shuffle)", "",
             .parameters = ""},
    .plan = plan_digits,
    .image = bit_reversal,
};

static np_node perfect_shuffle(const np_traffic_plan *plan, np_node u)
{
    uint32_t base = plan->base;
    if (!plan->digits)
        return u; /* one node */
    np_node top = power(base, plan->digits - 1);
    return u % top * base + u / top;
}

const np_traffic_generator np_traffic_perfect_shuffle = {
    .info = {"perfect-shuffle", "the bits of the node number turned left by one (base d on the d-way shuffle)", "",
             .parameters = ""},
    .plan = plan_digits,
    .image = perfect_shuffle,
};

static np_status plan_transpose(np_traffic_plan *plan)
{
    const np_network *network = np_traffic_grid(plan);
    bool switches = network != plan->network;
    if (!is_grid(network))
        return plan_digits_of(plan, network, network->terminals, switches ? "switches" : plan->ends);
    for (uint32_t i = 1; i < network->dimensions; i++)
        if (network->side[i] != network->side[0])
            return NP_RAISE(NP_ERROR_APPLY,
                            "traffic 'transpose' does not exist on %s: its sides %u and %u differ; try complement or "
                            "random, or equal sides",
                            np_network_spec(network), network->side[0], network->side[i]);
    return NP_OK;
}

static np_node transpose_one(const np_traffic_plan *plan, np_node u)
{
    const np_network *network = np_traffic_grid(plan);
    if (is_grid(network)) {
        np_node v = 0;
        for (uint32_t i = 0; i < network->dimensions; i++)
            v += np_network_coordinate(network, u, i) * network->stride[network->dimensions - 1 - i];
        return v;
    }
    /* u = (high, middle, low): high and low of floor(n/2) digits each, middle of one or none. */
    np_node half = power(plan->base, plan->digits / 2);
    np_node above = plan->digits % 2 ? half * plan->base : half; /* what one unit of high weighs */
    np_node low = u % half, high = u / above, middle = u % above - low;
    return low * above + middle + high;
}

static np_node transpose(const np_traffic_plan *plan, np_node u) { return np_traffic_lift(plan, u, transpose_one); }

const np_traffic_generator np_traffic_transpose = {
    .info = {"transpose", "(i,j) sends to (j,i): coordinates of a mesh or torus, else halves of the bits", "",
             .parameters = ""},
    .plan = plan_transpose,
    .image = transpose,
};
