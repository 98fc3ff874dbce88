/*
 * The Omega network and its inverse (Ranade 1987a, section 2.1): N = 2^n inputs
 * and outputs, and n stages of N/2 switches with two inputs and two outputs.
 * Switch p_1..p_(n-1) of a stage has the inputs and outputs p_1..p_(n-1)0 and
 * p_1..p_(n-1)1 of the stage. p_1 is the most significant bit.
 *   omega          network input p_1..p_n, and output p_1..p_n of a stage, are wired
 *                  to input p_2..p_n p_1 of the next stage (sigma: turned left by
 *                  one); network output j is output j of the last stage
 *   inverse-omega  the same wires the other way: network input j is input j of
 *                  the first stage crossed; output q_1..q_n of a stage is wired to
 *                  input q_n q_1..q_(n-1) of the next stage (turned right by one),
 *                  or after the last stage to output q_n q_1..q_(n-1) of the network
 *
 * As a system of queues (section 2.4) a switch is a node, and its outputs are its
 * ports, each with a queue. The nodes are the switches, N/2 a stage, stage by stage
 * in the order in which they are crossed, and then the N sinks. Terminal i sends at
 * the switch that network input i is wired to, and receives at sink i. The paper
 * numbers the stages of the inverse backwards, with stage 1 at the outputs: the
 * first stage crossed is its stage n.
 *
 * Propositions 1 and 2: there is one way from a_1..a_n to b_1..b_n. At stage i (of
 * the paper) it leaves by output b_i of its switch.
 */
#include "model/family/omega.h"

#include "model/family/parameter.h"

enum { STAGES_MIN = 1, STAGES_MAX = 27 }; /* 2 (n + 2) 2^(n-1) link numbers */

static np_status create(np_network *network, const char *parameters)
{
    uint32_t n;
    np_status st = np_parameter_whole(network, "the number of stages", parameters, STAGES_MIN, STAGES_MAX, &n);
    if (!st)
        np_omega_stages(network, n, n);
    return st;
}

/* Link s 2^n + q is output q of stage s; stages count from 0 here. */
static void heads_with(const np_network *network, size_t count, const np_link *link, np_node *head, bool inverse)
{
    uint32_t n = network->dimensions, half = UINT32_C(1) << (n - 1), mask = 2 * half - 1;
    for (size_t i = 0; i < count; i++) {
        uint32_t stage = link[i] >> n, output = link[i] & mask;
        uint32_t turned = inverse ? np_omega_right(network, output) : np_omega_left(network, output);
        if (stage >= n)
            head[i] = NP_NONE;
        else if (stage + 1 < n)
            head[i] = (stage + 1) * half + (turned >> 1);
        else
            head[i] = network->output_first + (inverse ? turned : output);
    }
}

static void heads(const np_network *network, size_t count, const np_link *link, np_node *head)
{
    heads_with(network, count, link, head, false);
}

static void heads_inverse(const np_network *network, size_t count, const np_link *link, np_node *head)
{
    heads_with(network, count, link, head, true);
}

static uint64_t count_links(const np_network *network) { return (uint64_t)network->dimensions << network->dimensions; }

static np_node input(const np_network *network, np_node i) { return np_omega_left(network, i) >> 1; }

static np_node input_inverse(const np_network *network, np_node i)
{
    (void)network;
    return i >> 1;
}

const np_network_family np_omega = {
    .info = {"omega", "Omega network: N stages of 2^(N-1) switches, 2^N inputs and outputs",
             "Ranade 1987a, section 2.1", .parameters = "N", .example = "omega:10", .takes = "N 1..27"},
    .kind = NP_KIND_OMEGA,
    .one_way = true,
    .create = create,
    .heads = heads,
    .count_links = count_links,
    .input = input,
};

const np_network_family np_inverse_omega = {
    .info = {"inverse-omega", "Omega network with inputs and outputs exchanged", "Ranade 1987a, section 2.2",
             .parameters = "N", .example = "inverse-omega:10", .takes = "N 1..27"},
    .kind = NP_KIND_INVERSE_OMEGA,
    .one_way = true,
    .create = create,
    .heads = heads_inverse,
    .count_links = count_links,
    .input = input_inverse,
};
