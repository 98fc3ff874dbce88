/*
 * The one way from an input to an output of networks that packets cross once.
 *
 * butterfly-io: at row w of level l, destination row y of level n: next hop
 * straight if w and y agree in bit n-1-l, else cross.
 *
 * omega, inverse-omega (Ranade 1987a, propositions 1 and 2): at a switch of
 * stage i, destination b_1..b_n, next hop by output b_i. The inverse crosses
 * its stages from n down to 1.
 *
 * crossbar: at switch (r, c), destination PU j: next hop east if c < j, else
 * north.
 *
 * Ticket: the destination. There may be no way for a packet that starts at a node
 * other than an input, or goes to a node other than an output: see
 * np_network_serves.
 */
#include "model/path/path.h"

static void next_butterfly(const np_path *path, size_t count, const np_node *at, np_ticket *ticket, np_port *port)
{
    uint32_t n = path->network->dimensions;
    for (size_t i = 0; i < count; i++) {
        uint32_t level = at[i] >> n;
        /* Bit n-1-level; on level n the shift is by 31, and `differ` is not used. */
        uint32_t differ = ((at[i] ^ (np_node)ticket[i]) >> ((n - 1 - level) & 31)) & 1;
        port[i] = level < n ? differ : NP_NONE;
    }
}

static void remaining_butterfly(const np_path *path, size_t count, const np_node *at, const np_ticket *ticket,
                                uint32_t *hops)
{
    uint32_t n = path->network->dimensions;
    (void)ticket;
    for (size_t i = 0; i < count; i++)
        hops[i] = n - (at[i] >> n);
}

const np_path_rule np_path_unique_butterfly = {
    .info = {"unique", "the one way from an input to an output", "Leighton, Maggs, Ranade & Rao 1994, section 4",
             .networks = "butterfly-io"},
    .shortest = true,
    .only = &(const np_only){NP_KIND_BUTTERFLY_IO, "there is more than one way, or none"},
    .start = np_path_start_target,
    .next = next_butterfly,
    .remaining = remaining_butterfly,
    .memoryless = true,
};

static void next_omega(const np_path *path, size_t count, const np_node *at, np_ticket *ticket, np_port *port)
{
    const np_network *network = path->network;
    uint32_t n = network->dimensions;
    bool inverse = np_network_is(network, NP_KIND_INVERSE_OMEGA);
    for (size_t i = 0; i < count; i++) {
        uint32_t crossed = at[i] >> (n - 1); /* stages crossed; n or more at a sink */
        uint32_t bit = (inverse ? crossed : n - 1 - crossed) & 31;
        uint32_t terminal = (np_node)ticket[i] - network->output_first;
        port[i] = crossed < n ? terminal >> bit & 1 : NP_NONE;
    }
}

static void remaining_omega(const np_path *path, size_t count, const np_node *at, const np_ticket *ticket,
                            uint32_t *hops)
{
    uint32_t n = path->network->dimensions;
    (void)ticket;
    for (size_t i = 0; i < count; i++) {
        uint32_t crossed = at[i] >> (n - 1);
        hops[i] = crossed < n ? n - crossed : 0;
    }
}

const np_path_rule np_path_unique_omega = {
    .info = {"unique", "the one way from an input to an output", "Ranade 1987a, propositions 1 and 2",
             .networks = "omega, inverse-omega"},
    .shortest = true,
    .only = &(const np_only){NP_KIND_OMEGA | NP_KIND_INVERSE_OMEGA, "there is more than one way, or none"},
    .start = np_path_start_target,
    .next = next_omega,
    .remaining = remaining_omega,
    .memoryless = true,
};

static void next_crossbar(const np_path *path, size_t count, const np_node *at, np_ticket *ticket, np_port *port)
{
    enum { EAST, NORTH };
    uint32_t side = path->network->side[0];
    for (size_t i = 0; i < count; i++) {
        np_node to = (np_node)ticket[i];
        if (at[i] < side) /* a PU */
            port[i] = at[i] == to ? NP_NONE : EAST;
        else
            port[i] = np_modulo(at[i], path->network->by_side[0]) < to ? EAST : NORTH;
    }
}

static void remaining_crossbar(const np_path *path, size_t count, const np_node *at, const np_ticket *ticket,
                               uint32_t *hops)
{
    uint32_t side = path->network->side[0];
    for (size_t i = 0; i < count; i++) {
        np_node to = (np_node)ticket[i];
        uint32_t above = np_divide(at[i], path->network->by_side[0]), column = at[i] - above * side;
        if (at[i] < side)
            hops[i] = at[i] == to ? 0 : at[i] + to + 2;
        else
            hops[i] = above + to - column; /* row 0 is one hop from the PUs */
    }
}

const np_path_rule np_path_unique_crossbar = {
    .info = {"unique", "east along the row of the sender, north along the column of the receiver",
             "Sibeyn, interconnection networks", .networks = "crossbar"},
    .shortest = true,
    .only = &(const np_only){NP_KIND_CROSSBAR, "there is more than one way, or none"},
    .start = np_path_start_target,
    .next = next_crossbar,
    .remaining = remaining_crossbar,
    .memoryless = true,
};
