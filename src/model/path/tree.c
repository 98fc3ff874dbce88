/*
 * Paths on trees: up to the lowest common ancestor, and down.
 *
 * tree: at u, destination v: if u is an ancestor of v, the next hop goes down, to
 * the child that is v or an ancestor of v; else up. Ancestors are found by climbing
 * from v; the number of v is larger than the numbers of its ancestors. Ticket: v.
 *
 * fat-tree-2: the same from leaf to leaf. Of the 2^i links of a channel above level
 * i, a packet from leaf s to leaf t takes number s mod 2^i up and number t mod 2^i
 * down. Each of the 2^i leaves below the channel has its own link. So packets of a
 * permutation never meet, and each arrives after as many steps as its path has hops.
 * Ticket: low half t, high half s.
 */
#include "model/family/binary_fat_tree.h"
#include "model/path/path.h"

static inline np_node parent(const np_network *network, np_node u) { return np_divide(u - 1, network->by_side[0]); }

static void next_tree(const np_path *path, size_t count, const np_node *at, np_ticket *ticket, np_port *port)
{
    const np_network *network = path->network;
    for (size_t i = 0; i < count; i++) {
        np_node u = at[i], v = (np_node)ticket[i], child = v;
        if (u == v) {
            port[i] = NP_NONE;
            continue;
        }
        for (; v > u; v = parent(network, v))
            child = v;
        port[i] = v == u ? child - network->side[0] * u : 0;
    }
}

static void remaining_tree(const np_path *path, size_t count, const np_node *at, const np_ticket *ticket,
                           uint32_t *hops)
{
    for (size_t i = 0; i < count; i++) {
        np_node u = at[i], v = (np_node)ticket[i];
        for (hops[i] = 0; u != v; hops[i]++) { /* the larger number is no ancestor of the other */
            if (u > v)
                u = parent(path->network, u);
            else
                v = parent(path->network, v);
        }
    }
}

const np_path_rule np_path_up_down_tree = {
    .info = {"up-down", "up to the common ancestor, then down", "Sibeyn, interconnection networks", .networks = "tree"},
    .shortest = true,
    .only = &(const np_only){NP_KIND_TREE, "nodes have no parent and children"},
    .start = np_path_start_target,
    .next = next_tree,
    .remaining = remaining_tree,
    .memoryless = true,
};

static void start_binary(const np_path *path, const np_draws *draws, size_t count, const np_packet *packet,
                         const np_node *at, const np_node *to, np_ticket *ticket)
{
    (void)path, (void)draws, (void)packet;
    for (size_t i = 0; i < count; i++)
        ticket[i] = (uint64_t)at[i] << 32 | to[i];
}

static void next_binary(const np_path *path, size_t count, const np_node *at, np_ticket *ticket, np_port *port)
{
    uint32_t height = path->network->dimensions;
    for (size_t i = 0; i < count; i++) {
        np_binary_place here = np_binary_place_of(height, at[i]);
        uint32_t to = (np_node)ticket[i], from = (uint32_t)(ticket[i] >> 32);
        uint32_t ups = np_binary_ups(height, here.level), half = (UINT32_C(1) << here.level) >> 1;
        if (to >> here.level != here.vertex)
            port[i] = from & (ups - 1);
        else
            port[i] = here.level ? ups + (to & (2 * half - 1)) : NP_NONE; /* the child's bit, then the link's */
    }
}

static void remaining_binary(const np_path *path, size_t count, const np_node *at, const np_ticket *ticket,
                             uint32_t *hops)
{
    for (size_t i = 0; i < count; i++) {
        np_binary_place here = np_binary_place_of(path->network->dimensions, at[i]);
        uint32_t to = (np_node)ticket[i] >> here.level, ups = 0;
        while (to >> ups != here.vertex >> ups)
            ups++;
        hops[i] = here.level + 2 * ups;
    }
}

const np_path_rule np_path_up_down_binary = {
    .info = {"up-down", "up to the common ancestor by the source's links, down by the destination's",
             "Sibeyn, interconnection networks", .networks = "fat-tree-2"},
    .shortest = true,
    .only = &(const np_only){NP_KIND_BINARY_FAT_TREE, "it has no channels of parallel links"},
    .start = start_binary,
    .next = next_binary,
    .remaining = remaining_binary,
};
