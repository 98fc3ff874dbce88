/*
 * Random regular networks, drawn from a seed: the same ones on every machine.
 *
 * jellyfish (Singla, Hong, Popa & Godfrey 2012): N switches with R cables each to others, all such networks nearly
 * equally likely. The N R ends of cables are put in a random order and joined in pairs (Bollobas 1980). Then each pair
 * that is a loop or a second cable between two switches is mended: pairs (u, v) and (x, y) become (u, x) and (v, y),
 * for a random other pair with which that makes no new loop or second cable. For R > (N - 1)/2 the cables are those
 * that a network of degree N - 1 - R lacks, since dense networks are hard to mend.
 *
 * xpander (Valadarsky, Shahaf, Dinitz & Schapira 2016): a random K-lift of the complete graph of D + 1 nodes. There are
 * K copies of each node, (v, i) is switch v K + i, and for each pair u < v a random permutation joins the copies of u
 * to those of v.
 *
 * A network that is not connected, which is rare for degrees of 3 and more, is drawn again.
 */
#include "base/memory.h"
#include "base/random.h"
#include "model/family/fabric.h"
#include "model/family/named.h"
#include "model/network/search.h"

enum { NODES_MAX = 1 << 26, DEGREE_MAX = 1 << 16, ATTEMPTS_MAX = 200 }; /* ours */

static const char what[] = "a random network";

/* Fisher & Yates. item: [count] */
static void shuffle(const np_draws *draws, uint32_t series, uint32_t count, uint32_t *item)
{
    for (uint32_t i = count; i > 1; i--) {
        uint32_t j = np_random_below(draws, i - 1, series, i), kept = item[i - 1];
        item[i - 1] = item[j];
        item[j] = kept;
    }
}

/* Is the network connected? Then *out stays; else its rows are freed. */
static np_status check_connected(np_network *network, bool *out)
{
    np_search search = {0};
    uint32_t *part = NULL;
    np_status st = np_search_init(&search, network);
    if (!st)
        st = np_memory_array(&part, network->nodes, sizeof *part, "the parts of a network");
    *out = !st && np_search_parts(&search, part) == 1;
    np_memory_free(part);
    np_search_clear(&search);
    if (*out)
        return st;
    NP_MEMORY_FREE(network->row, network->head, network->tail);
    network->row = network->head = network->tail = NULL;
    network->ports = 0;
    return st;
}

/* Draws until the network is connected. */
static np_status draw_connected(np_network *network, uint64_t seed,
                                np_status (*draw)(np_network *network, const np_draws *draws))
{
    bool connected = false;
    for (uint16_t attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
        const np_draws draws = {seed, 0, attempt, NP_RANDOM_WIRE};
        np_status st = draw(network, &draws);
        if (st || (st = check_connected(network, &connected)) || connected)
            return st;
    }
    return NP_RAISE(NP_ERROR_INPUT, "%.200s: none of %d draws is connected: take a larger degree", network->spec,
                    ATTEMPTS_MAX);
}

static uint64_t degree(const np_network *network) { return network->side[1]; }

/* ---- jellyfish ---- */

/* What is drawn: end 2k and end 2k + 1 are joined. */
typedef struct ends {
    uint32_t nodes, degree;
    uint32_t *node;   /* [nodes * degree] of each end */
    uint32_t *near;   /* [nodes * degree] the other ends of each node's cables */
    uint32_t *joined; /* [nodes] how many of them there are */
    const np_draws *draws;
    uint32_t drawn;
} ends;

static uint32_t count_cables(const ends *e, uint32_t u, uint32_t v)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < e->joined[u]; i++)
        count += e->near[(size_t)u * e->degree + i] == v;
    return count;
}

static void put(ends *e, uint32_t u, uint32_t v)
{
    e->near[(size_t)u * e->degree + e->joined[u]++] = v;
    e->near[(size_t)v * e->degree + e->joined[v]++] = u;
}

static void take_one(ends *e, uint32_t u, uint32_t v)
{
    uint32_t *near = e->near + (size_t)u * e->degree, i = 0;
    while (near[i] != v)
        i++;
    near[i] = near[--e->joined[u]];
}

static void take(ends *e, uint32_t u, uint32_t v)
{
    take_one(e, u, v);
    take_one(e, v, u);
}

/* A loop counts twice among its node's cables. */
static bool is_bad(const ends *e, uint32_t u, uint32_t v) { return u == v || count_cables(e, u, v) > 1; }

/* Exchanges ends of pair k with a random pair, until that mends it. False: it was tried very often. */
static bool mend(ends *e, uint32_t k)
{
    uint32_t pairs = e->nodes * e->degree / 2, *node = e->node;
    for (uint32_t tries = 0; tries < 1000 + 20 * pairs; tries++) { /* ours */
        uint32_t draw = np_random_below(e->draws, e->drawn++, 1, 2 * pairs), other = draw / 2;
        uint32_t u = node[2 * k], v = node[2 * k + 1], x = node[draw], y = node[draw ^ 1];
        if (other == k || u == x || v == y || count_cables(e, u, x) || count_cables(e, v, y) || (u == v && x == y) ||
            (u == y && v == x))
            continue;
        take(e, u, v);
        take(e, x, y);
        put(e, u, x);
        put(e, v, y);
        node[2 * k] = u, node[2 * k + 1] = x;
        node[2 * other] = v, node[2 * other + 1] = y;
        return true;
    }
    return false;
}

static bool pair_ends(ends *e)
{
    uint32_t count = e->nodes * e->degree;
    for (uint32_t i = 0; i < count; i++)
        e->node[i] = i / e->degree;
    shuffle(e->draws, 0, count, e->node);
    for (uint32_t k = 0; k < count / 2; k++)
        put(e, e->node[2 * k], e->node[2 * k + 1]);
    for (uint32_t k = 0; k < count / 2; k++)
        if (is_bad(e, e->node[2 * k], e->node[2 * k + 1]) && !mend(e, k))
            return false;
    return true;
}

static np_status join_jellyfish(const ends *e, np_network *network, bool lacking)
{
    np_fabric fabric;
    uint64_t nodes = e->nodes, degree = lacking ? nodes - 1 - e->degree : e->degree;
    np_status st = np_fabric_begin(&fabric, network, nodes, 0, nodes * degree / 2);
    if (st)
        return st;
    for (uint32_t u = 0; lacking && u < e->nodes; u++)
        for (uint32_t v = u + 1; v < e->nodes; v++)
            if (!count_cables(e, u, v))
                np_fabric_join(&fabric, u, v);
    for (uint32_t k = 0; !lacking && k < e->nodes * e->degree / 2; k++)
        np_fabric_join(&fabric, e->node[2 * k], e->node[2 * k + 1]);
    return np_fabric_end(&fabric, network);
}

static np_status draw_jellyfish(np_network *network, const np_draws *draws)
{
    uint32_t nodes = network->side[0], degree = network->side[1];
    bool lacking = degree > (nodes - 1) / 2;
    ends e = {.nodes = nodes, .degree = lacking ? nodes - 1 - degree : degree, .draws = draws};
    size_t count = (size_t)nodes * e.degree;
    np_status st;
    if (!(st = np_memory_array(&e.node, count, sizeof *e.node, what)) &&
        !(st = np_memory_array(&e.near, count, sizeof *e.near, what)) &&
        !(st = np_memory_zeroed(&e.joined, nodes, sizeof *e.joined, what)))
        st = pair_ends(&e)
                 ? join_jellyfish(&e, network, lacking)
                 : NP_RAISE(NP_ERROR_INPUT, "%.200s: no such network was found: try another seed", network->spec);
    NP_MEMORY_FREE(e.node, e.near, e.joined);
    return st;
}

static np_status create_jellyfish(np_network *network, const char *parameters)
{
    np_named named[] = {NP_NAMED_NEEDED("n", 2, NODES_MAX), NP_NAMED_NEEDED("r", 1, DEGREE_MAX),
                        NP_NAMED_NUMBER("seed", 0, UINT64_MAX, 1)};
    char room[NP_NAMED_ROOM];
    np_status st = np_named_read(network, parameters, room, 3, named);
    if (st)
        return st;
    uint64_t nodes = named[0].value, degree = named[1].value;
    if (degree >= nodes)
        return NP_RAISE(NP_ERROR_INPUT,
                        "jellyfish:%.60s: %llu switches have at most %llu others: try jellyfish:%llu,%llu", parameters,
                        (unsigned long long)nodes, (unsigned long long)(nodes - 1), (unsigned long long)nodes,
                        (unsigned long long)(nodes - 1));
    if (nodes * degree % 2)
        return NP_RAISE(NP_ERROR_INPUT, "jellyfish:%.60s: N times R must be even: try jellyfish:%llu,%llu", parameters,
                        (unsigned long long)(nodes + 1), (unsigned long long)degree);
    if (nodes * degree >= NP_NONE)
        return NP_RAISE(NP_ERROR_LIMIT, "jellyfish:%.60s: N times R must be below 2^32 - 1 (link numbers have 32 bits)",
                        parameters);
    network->side[0] = (uint32_t)nodes;
    network->side[1] = (uint32_t)degree;
    return draw_connected(network, named[2].value, draw_jellyfish);
}

const np_network_family np_jellyfish = {
    .info = {"jellyfish", "a random regular network: N switches of degree R", "Singla, Hong, Popa & Godfrey 2012",
             .parameters = "N,R[,seed=]", .example = "jellyfish:64,6",
             .takes = "N 2..67108864, R 1..65535, seed 0..18446744073709551615"},
    .kind = NP_KIND_FABRIC,
    .regular = true,
    .create = create_jellyfish,
    .degree = degree,
};

/* ---- xpander ---- */

static np_status draw_xpander(np_network *network, const np_draws *draws)
{
    uint32_t copies = network->side[0], degree = network->side[1], *image;
    np_fabric fabric;
    np_status st = np_memory_array(&image, copies, sizeof *image, what);
    if (st)
        return st;
    st = np_fabric_begin(&fabric, network, (degree + 1) * (uint64_t)copies, 0,
                         (degree + 1) * (uint64_t)degree / 2 * copies);
    for (uint32_t u = 0; u <= degree && !st; u++)
        for (uint32_t v = u + 1; v <= degree; v++) {
            for (uint32_t i = 0; i < copies; i++)
                image[i] = i;
            shuffle(draws, u * (degree + 1) + v, copies, image);
            for (uint32_t i = 0; i < copies; i++)
                np_fabric_join(&fabric, u * copies + i, v * copies + image[i]);
        }
    np_memory_free(image);
    return st ? st : np_fabric_end(&fabric, network);
}

static np_status create_xpander(np_network *network, const char *parameters)
{
    np_named named[] = {NP_NAMED_NEEDED("d", 2, DEGREE_MAX - 2), NP_NAMED_NEEDED("k", 1, NODES_MAX),
                        NP_NAMED_NUMBER("seed", 0, UINT64_MAX, 1)};
    char room[NP_NAMED_ROOM];
    np_status st = np_named_read(network, parameters, room, 3, named);
    if (st)
        return st;
    network->side[0] = (uint32_t)named[1].value;
    network->side[1] = (uint32_t)named[0].value;
    return draw_connected(network, named[2].value, draw_xpander);
}

const np_network_family np_xpander = {
    .info = {"xpander", "a random K-lift of the complete network of D + 1: K (D + 1) switches of degree D",
             "Valadarsky, Shahaf, Dinitz & Schapira 2016", .parameters = "D,K[,seed=]", .example = "xpander:6,8",
             .takes = "D 2..65534, K 1..67108864, seed 0..18446744073709551615"},
    .kind = NP_KIND_FABRIC,
    .regular = true,
    .create = create_xpander,
    .degree = degree,
};
