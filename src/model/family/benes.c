/*
 * The Benes network (Benes 1965, chapter 3): N = 2^n inputs and outputs, and 2n - 1 stages of N/2 switches with two
 * inputs and two outputs. It is defined by itself: the network of one stage is a switch. That of 2n - 1 stages has a
 * first and a last stage of N/2 switches, and between them two networks of N/2 inputs and outputs. Output b of switch j
 * of the first stage is input j of network b; output j of network b is input b of switch j of the last stage.
 *
 *            0 --+---+------------+---+-- 0        inputs and outputs of a stage are numbered from above: those of
 *            1 --+---+--  upper --+---+-- 1        switch j are 2j and 2j + 1. In each of the networks that are side by
 *            2 --+---+--  lower --+---+-- 2        side in the middle, the wires behind a stage turn the bits of a
 *            3 --+---+------------+---+-- 3        number: right before the middle stage, left behind it.
 *
 * Stages count from 0. Behind stage s < n - 1 the low n - s bits of a number turn right by one: the bit of the output
 * becomes the number of the network. Behind stages n - 1 .. 2n - 3 the low s - n + 3 bits turn left. Output j of the
 * last stage is network output j.
 *
 * As a system of queues a switch is a node, and its outputs are its ports, each with a queue, as on omega.c: nodes are
 * the switches, stage by stage, and then the N sinks. Terminal i sends at switch floor(i/2) of stage 0, and receives at
 * sink i. Every way from an input to an output has 2n - 1 links, and there are N/2 ways: one for each switch of the
 * middle stage.
 */
#include "model/family/omega.h"
#include "model/family/parameter.h"

enum { N_MIN = 1, N_MAX = 26 }; /* (2 n + 1) 2^n link numbers */

static np_status create(np_network *network, const char *parameters)
{
    uint32_t n;
    np_status st = np_parameter_whole(network, "log2 of the number of inputs", parameters, N_MIN, N_MAX, &n);
    if (!st)
        np_omega_stages(network, n, 2 * n - 1);
    return st;
}

/* The input of the next stage that output q of the stage is wired to. */
static uint32_t wire(uint32_t n, uint32_t stage, uint32_t q)
{
    uint32_t bits = stage + 1 < n ? n - stage : stage - n + 3, mask = (UINT32_C(1) << bits) - 1, low = q & mask;
    uint32_t turned = stage + 1 < n ? low >> 1 | (low & 1) << (bits - 1) : (low << 1 | low >> (bits - 1)) & mask;
    return (q & ~mask) | turned;
}

/* Link s 2^n + q is output q of stage s. */
static void heads(const np_network *network, size_t count, const np_link *link, np_node *head)
{
    uint32_t n = network->dimensions, half = UINT32_C(1) << (n - 1), last = 2 * n - 2;
    for (size_t i = 0; i < count; i++) {
        uint32_t stage = link[i] >> n, q = link[i] & (2 * half - 1);
        if (stage > last)
            head[i] = NP_NONE;
        else
            head[i] = stage == last ? network->output_first + q : (stage + 1) * half + (wire(n, stage, q) >> 1);
    }
}

static uint64_t count_links(const np_network *network)
{
    return (2 * (uint64_t)network->dimensions - 1) << network->dimensions;
}

static np_node input(const np_network *network, np_node i)
{
    (void)network;
    return i >> 1;
}

const np_network_family np_benes = {
    .info = {"benes", "Benes network: 2N - 1 stages of 2^(N-1) switches, 2^N inputs and outputs", "Benes 1965",
             .parameters = "N", .example = "benes:10", .takes = "N 1..26"},
    .kind = NP_KIND_BENES,
    .one_way = true,
    .create = create,
    .heads = heads,
    .count_links = count_links,
    .input = input,
};
