/*
 * Paths on fat-trees (Leighton, Maggs, Ranade & Rao 1994, section 7): over as few
 * channels as possible, each crossed at a random node.
 *
 * At node k of a vertex of level l, destination leaf y: if the vertex is an ancestor
 * of y, the next hop goes down, to the child that is y or an ancestor of y. Else it
 * goes up, to node r mod g^(l+1) of the parent (lemma 7.1), where r is a random node
 * of the root.
 *
 * Ticket: low half y, high half r. Here r is drawn for each packet; the paper's
 * r is a hash of the destination, so that packets can combine.
 */
#include "model/family/fat_tree.h"
#include "model/path/path.h"

static void start(const np_path *path, const np_draws *draws, size_t count, const np_packet *packet, const np_node *at,
                  const np_node *to, np_ticket *ticket)
{
    const np_network *network = path->network;
    uint32_t roots = UINT32_C(1) << (np_fat_tree_grow(network) * np_fat_tree_height(network));
    (void)at;
    for (size_t i = 0; i < count; i++)
        ticket[i] = (uint64_t)np_random_below(draws, packet[i], 0, roots) << 32 | to[i];
}

static void next(const np_path *path, size_t count, const np_node *at, np_ticket *ticket, np_port *port)
{
    const np_network *network = path->network;
    uint32_t fan = np_fat_tree_fan(network), grow = np_fat_tree_grow(network), ups = UINT32_C(1) << grow;
    for (size_t i = 0; i < count; i++) {
        np_fat_tree_place here = np_fat_tree_place_of(network, at[i]);
        uint32_t to = (np_node)ticket[i], root = (uint32_t)(ticket[i] >> 32);
        if (to >> fan * here.level != here.vertex)
            port[i] = root >> grow * here.level & (ups - 1);
        else
            port[i] = here.level ? ups + (to >> fan * (here.level - 1) & ((UINT32_C(1) << fan) - 1)) : NP_NONE;
    }
}

/* The hops up to the lowest common ancestor of both vertices, and down. */
static void remaining(const np_path *path, size_t count, const np_node *at, const np_ticket *ticket, uint32_t *hops)
{
    const np_network *network = path->network;
    uint32_t fan = np_fat_tree_fan(network);
    for (size_t i = 0; i < count; i++) {
        np_fat_tree_place here = np_fat_tree_place_of(network, at[i]);
        uint32_t to = (np_node)ticket[i] >> fan * here.level, ups = 0;
        while (to >> fan * ups != here.vertex >> fan * ups)
            ups++;
        hops[i] = here.level + 2 * ups;
    }
}

const np_path_rule np_path_up_down = {
    .info = {"up-down", "up no higher than needed towards a random root, then down",
             "Leighton, Maggs, Ranade & Rao 1994, section 7", .networks = "fat-tree, fat-tree-8"},
    .shortest = true,
    .randomized = true,
    .even = true,
    .only = &(const np_only){NP_KIND_FAT_TREE, "it has no up and down channels"},
    .start = start,
    .next = next,
    .remaining = remaining,
};
