/*
 * Fat-trees of data centres, as extended generalized fat-trees (Ohring, Ibel, Das & Kumar 1995):
 * xgft:H:m1,..,mH:w1,..,wH has levels 0 to H, hosts at level 0. A node of level l - 1 has w_l parents, a node of level
 * l has m_l children. At level l there are w_1 .. w_l m_(l+1) .. m_H nodes, with digits (x_H, .., x_(l+1), y_l, ..,
 * y_1),   x_i < m_i, y_i < w_i, the first the most significant. A node of level l - 1 is joined to those of level l
 * that have the same digits in all places but l: x_l says which child it is, y_l which parent.
 *
 * Other names for trees of this kind:
 *   kary-tree:KxN             k-ary n-tree (Petrini & Vanneschi 1997): m_i = K, w_1 = 1, w_i = K: K^N hosts
 *   leaf-spine:leaf=,spine=,p= two levels: each leaf has p hosts and a cable to each spine
 *   clos:m=,n=,r=             a folded Clos network: r leaves of n hosts and m cables up, m spines
 *   fat-tree:k=K              of switches with K ports (Al-Fares, Loukissas & Vahdat 2008): m = K/2, K/2, K; w = 1,
 * K/2, K/2 taper=T: a switch of level 1 has only one T-th of its cables up, rounded up: w_2 becomes ceil(w_2 / T).
 *
 * Nodes: the switches level by level from level 1, then the hosts. Ports of a switch: down first.
 *
 * Diameter 2H, if all m_i are at least 2: let two nodes of levels l and l' differ in an x of level L, and in none
 * above. One way goes up to level L, down to level 0 and up to l', another down to level 0, up to L and down to l': 2 L
 * + l' - l and 2 L + l - l' hops. Two hosts that differ in x_H need 2H.
 */
#include "model/family/xgft.h"

#include <string.h>

#include "model/family/fabric.h"
#include "model/family/named.h"

enum { LEVELS_MAX = 15, DIGIT_MAX = 1 << 26 }; /* 2 LEVELS_MAX fit side[]; ours */

/* Symbols: dimensions = H; side[i] = m_(i+1), stride[i] = w_(i+1) */
static uint32_t children(const np_network *network, uint32_t level) { return network->side[level - 1]; }
static uint32_t parents(const np_network *network, uint32_t level) { return network->stride[level - 1]; }

/* Nodes of a level; more than 32 bits: 2^32 - 1. */
static uint64_t width_of(const np_network *network, uint32_t level)
{
    uint64_t width = 1;
    for (uint32_t i = 1; i <= network->dimensions && width < NP_NONE; i++)
        width *= i <= level ? parents(network, i) : children(network, i);
    return width < NP_NONE ? width : NP_NONE;
}

/* Nodes of the levels below with y digits below the place of a level: the weight of its digit. */
static uint32_t weight_of(const np_network *network, uint32_t level)
{
    uint32_t weight = 1;
    for (uint32_t i = 1; i < level; i++)
        weight *= parents(network, i);
    return weight;
}

/* Joins level - 1 and level. first: where they begin; the hosts are level 0. */
static void join_level(const np_network *network, uint32_t level, np_node below, np_node above, np_fabric *fabric)
{
    uint32_t count = (uint32_t)width_of(network, level), unit = weight_of(network, level);
    uint32_t w = parents(network, level), m = children(network, level);
    for (uint32_t node = 0; node < count; node++) {
        uint32_t low = node % unit, high = node / unit / w; /* the digits behind and before place `level` */
        for (uint32_t x = 0; x < m; x++)
            np_fabric_join(fabric, above + node, below + (high * m + x) * unit + low);
    }
}

static np_status make(np_network *network)
{
    uint64_t switches = 0, cables = 0;
    uint32_t height = network->dimensions;
    np_fabric fabric;
    np_status st;
    for (uint32_t level = 1; level <= height; level++) {
        switches += width_of(network, level);
        cables += width_of(network, level) * children(network, level);
    }
    if ((st = np_fabric_begin(&fabric, network, switches, width_of(network, 0), cables)))
        return st;
    np_node first = 0, below = (np_node)switches;
    for (uint32_t level = 1; level <= height; level++) {
        join_level(network, level, below, first, &fabric);
        below = first;
        first += (np_node)width_of(network, level);
    }
    fabric.hung = fabric.hosts;
    return np_fabric_end(&fabric, network);
}

static np_status taper(np_network *network, uint64_t share)
{
    if (share > 1 && network->dimensions < 2)
        return NP_RAISE(NP_ERROR_INPUT, "%.200s: a tree of one level has no cables to taper", network->spec);
    if (network->dimensions > 1)
        network->stride[1] = (uint32_t)((network->stride[1] + share - 1) / share);
    return NP_OK;
}

static uint64_t degree(const np_network *network)
{
    uint64_t most = parents(network, 1);
    for (uint32_t level = 1; level <= network->dimensions; level++) {
        uint64_t ports = children(network, level);
        ports += level < network->dimensions ? parents(network, level + 1) : 0;
        most = ports > most ? ports : most;
    }
    return most;
}

static bool diameter(const np_network *network, uint64_t *out)
{
    *out = 2 * (uint64_t)network->dimensions;
    for (uint32_t level = 1; level <= network->dimensions; level++)
        if (children(network, level) < 2)
            return false;
    return true;
}

#define TREE .kind = NP_KIND_FABRIC | NP_KIND_TIERS | NP_KIND_XGFT, .degree = degree, .diameter = diameter
#define TAPER NP_NAMED_NUMBER("taper", 1, DIGIT_MAX, 1)

/* ---- xgft ---- */

static np_status refuse(const np_network *network)
{
    return NP_RAISE(NP_ERROR_INPUT,
                    "%.200s: write xgft:H:m1,..,mH:w1,..,wH, with H in 1..%d and numbers in 1..%d, as in %s",
                    network->spec, LEVELS_MAX, DIGIT_MAX, network->family->info.example);
}

/* Reads so many numbers between commas, up to a colon or the end. */
static bool read_numbers(const char **text, uint32_t count, uint32_t *number)
{
    for (uint32_t i = 0; i < count; i++) {
        uint64_t value;
        if ((i && *(*text)++ != ',') || !np_parse_u64(text, &value) || value < 1 || value > DIGIT_MAX)
            return false;
        number[i] = (uint32_t)value;
    }
    return !**text || **text == ':';
}

static np_status create(np_network *network, const char *parameters)
{
    static const char mark[] = ":taper=";
    const char *text = parameters;
    uint64_t share = 1;
    np_status st;
    if (!read_numbers(&text, 1, &network->dimensions) || network->dimensions > LEVELS_MAX || *text++ != ':' ||
        !read_numbers(&text, network->dimensions, network->side) || *text++ != ':' ||
        !read_numbers(&text, network->dimensions, network->stride))
        return refuse(network);
    if (*text && (strncmp(text, mark, strlen(mark)) || !np_parse_whole(text + strlen(mark), 1, DIGIT_MAX, &share)))
        return NP_RAISE(NP_ERROR_INPUT, "%.200s: behind the numbers only %sT is read, as in %s2", network->spec, mark,
                        mark);
    return (st = taper(network, share)) ? st : make(network);
}

const np_network_family np_xgft = {
    .info = {"xgft", "extended generalized fat-tree: M children and W parents of a node at each of H levels",
             "Ohring, Ibel, Das & Kumar 1995", .parameters = "H:M1,..,MH:W1,..,WH[:taper=T]",
             .example = "xgft:3:4,4,8:1,4,4",
             .takes = "H 1..15, M: H numbers in 1..67108864, W: H numbers in 1..67108864, taper 1..67108864"},
    .create = create,
    TREE,
};

/* ---- Its other names ---- */

static np_status create_kary(np_network *network, const char *parameters)
{
    uint64_t side[2];
    if (np_parse_sides(parameters, 2, side) != 2 || side[0] < 2 || side[0] > DIGIT_MAX || side[1] < 1 ||
        side[1] > LEVELS_MAX)
        return NP_RAISE(NP_ERROR_INPUT, "kary-tree:%.60s: write KxN, with K at least 2 and N in 1..%d, as in %s",
                        parameters, LEVELS_MAX, network->family->info.example);
    network->dimensions = (uint32_t)side[1];
    for (uint32_t i = 0; i < network->dimensions; i++) {
        network->side[i] = (uint32_t)side[0];
        network->stride[i] = i ? (uint32_t)side[0] : 1;
    }
    return make(network);
}

const np_network_family np_kary_tree = {
    .info = {"kary-tree", "K-ary N-tree: K^N hosts, N levels of K^(N-1) switches with 2K ports",
             "Petrini & Vanneschi 1997", .parameters = "KxN", .example = "kary-tree:4x3",
             .takes = "K 2..67108864, N 1..15"},
    .create = create_kary,
    TREE,
};

/* Two levels: leaves of so many hosts, each with a cable to every spine. */
static np_status make_two(np_network *network, uint64_t hosts, uint64_t leaves, uint64_t spines, uint64_t share)
{
    network->dimensions = 2;
    network->side[0] = (uint32_t)hosts;
    network->side[1] = (uint32_t)leaves;
    network->stride[0] = 1;
    network->stride[1] = (uint32_t)spines;
    np_status st = taper(network, share);
    return st ? st : make(network);
}

static np_status create_leaf_spine(np_network *network, const char *parameters)
{
    np_named named[] = {NP_NAMED_NEEDED("leaf", 1, DIGIT_MAX), NP_NAMED_NEEDED("spine", 1, DIGIT_MAX),
                        NP_NAMED_NEEDED("p", 1, DIGIT_MAX), TAPER};
    char room[NP_NAMED_ROOM];
    np_status st = np_named_read(network, parameters, room, 4, named);
    return st ? st : make_two(network, named[2].value, named[0].value, named[1].value, named[3].value);
}

const np_network_family np_leaf_spine = {
    .info = {"leaf-spine", "leaf switches of P hosts each, all joined to all spines: an xgft of two levels",
             "Ohring, Ibel, Das & Kumar 1995", .parameters = "leaf=,spine=,p=[,taper=]",
             .example = "leaf-spine:leaf=4,spine=2,p=4",
             .takes = "leaf 1..67108864, spine 1..67108864, p 1..67108864, taper 1..67108864"},
    .create = create_leaf_spine,
    TREE,
};

static np_status create_clos(np_network *network, const char *parameters)
{
    np_named named[] = {NP_NAMED_NEEDED("m", 1, DIGIT_MAX), NP_NAMED_NEEDED("n", 1, DIGIT_MAX),
                        NP_NAMED_NEEDED("r", 1, DIGIT_MAX), TAPER};
    char room[NP_NAMED_ROOM];
    np_status st = np_named_read(network, parameters, room, 4, named);
    return st ? st : make_two(network, named[1].value, named[2].value, named[0].value, named[3].value);
}

const np_network_family np_clos = {
    .info = {"clos", "folded Clos network: R leaves of N hosts, joined to M spines: an xgft of two levels", "Clos 1953",
             .parameters = "m=,n=,r=[,taper=]", .example = "clos:m=4,n=4,r=8",
             .takes = "m 1..67108864, n 1..67108864, r 1..67108864, taper 1..67108864"},
    .create = create_clos,
    TREE,
};

np_status np_fat_tree_of_ports(np_network *network, const char *parameters)
{
    np_named named[] = {NP_NAMED_NEEDED("k", 2, 1 << 11), TAPER};
    char room[NP_NAMED_ROOM];
    np_status st;
    network->family = &np_fat_tree_k;
    if ((st = np_named_read(network, parameters, room, 2, named)))
        return st;
    uint32_t ports = (uint32_t)named[0].value;
    if (ports % 2)
        return NP_RAISE(NP_ERROR_INPUT,
                        "fat-tree:k=%u: the ports of a switch are half up, half down: try fat-tree:k=%u", ports,
                        ports + 1);
    network->dimensions = 3;
    network->side[0] = network->side[1] = network->stride[1] = network->stride[2] = ports / 2;
    network->side[2] = ports;
    network->stride[0] = 1;
    return (st = taper(network, named[1].value)) ? st : make(network);
}

const np_network_family np_fat_tree_k = {
    .info = {"fat-tree", "fat-tree of switches with K ports, K^3/4 hosts: an xgft of three levels",
             "Al-Fares, Loukissas & Vahdat 2008", .parameters = "k=K[,taper=T]", .example = "fat-tree:k=4",
             .takes = "k 2..1420, taper 1..67108864"},
    .create = np_fat_tree_of_ports,
    TREE,
};
