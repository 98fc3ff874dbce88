/*
 * Cayley graphs of groups of permutations (Sibeyn, interconnection networks):
 * the nodes are all products of the generators, and x is linked to x g for
 * every generator g. In one-line notation, digits and then letters, x = x(0)
 * x(1) .. and (x g)(i) = x(g(i)): a generator permutes positions, whatever symbols
 * are there. The generators 10234567, 01324567, 01235467, 01234576 give the 4-cube.
 *
 * The notes have Cayley graphs undirected. So the inverse of a generator that
 * is not itself a generator is added after the given ones: 1230 alone gives a
 * ring of four, and ports 0 and 1 are its two ways round.
 *
 * Node symmetry: y -> u y keeps all links, (u y) g = u (y g), and takes any node
 * to any other; relative(u, v) is the number of u^-1 v. (The notes multiply
 * from the other side when they define this map, and from this side when they
 * use it.)
 *
 * The group is found by closure: breadth-first from the identity, ports in
 * order. The search also numbers the nodes; the identity is node 0. The network
 * keeps the words, a hash table of the words (open addressing, at most half
 * full) and the heads of all links: so the group's size is limited. The search
 * ends at the farthest node: so `reach` is the diameter, although there is no
 * formula.
 */
#include <string.h>

#include "base/memory.h"
#include "model/network/network.h"

enum {
    SYMBOLS_MIN = 2,
    SYMBOLS_MAX = 36,    /* 0-9 and a-z */
    GIVEN_MAX = 64,      /* ours */
    NODES_MAX = 1 << 20, /* ours: 9! = 362880 fits, 10! does not */
    LINKS_MAX = 1 << 24, /* ours: 64 MB */
    NODES_FIRST = 64
};

typedef struct generators {
    uint32_t symbols, count;
    uint8_t at[2 * GIVEN_MAX][SYMBOLS_MAX];
} generators;

static unsigned symbol_of(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    return c >= 'a' && c <= 'z' ? (unsigned)(c - 'a') + 10 : SYMBOLS_MAX;
}

/* The text of one generator; false if it is no permutation of the first symbols. */
static bool read_word(const char *text, size_t length, uint8_t *word)
{
    uint64_t seen = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned symbol = symbol_of(text[i]);
        if (symbol >= length || seen >> symbol & 1)
            return false;
        seen |= UINT64_C(1) << symbol;
        word[i] = (uint8_t)symbol;
    }
    return true;
}

static bool is_identity(const uint8_t *word, uint32_t symbols)
{
    uint32_t i = 0;
    while (i < symbols && word[i] == i)
        i++;
    return i == symbols;
}

static bool has(const generators *g, const uint8_t *word)
{
    for (uint32_t i = 0; i < g->count; i++)
        if (!memcmp(g->at[i], word, g->symbols))
            return true;
    return false;
}

static np_status read_generator(generators *g, const char *text, size_t length)
{
    uint8_t *word = g->at[g->count];
    if (length < SYMBOLS_MIN || length > SYMBOLS_MAX || !read_word(text, length, word))
        return NP_RAISE(NP_ERROR_INPUT,
                        "cayley: '%.*s' is no permutation of the first %d to %d of 0..9a..z in one-line notation: "
                        "try cayley:1230",
                        (int)(length < 64 ? length : 64), text, SYMBOLS_MIN, SYMBOLS_MAX);
    if (g->count && length != g->symbols)
        return NP_RAISE(NP_ERROR_INPUT,
                        "cayley: '%.*s' has %zu symbols and the generator before it %u: write all with %zu",
                        (int)length, text, length, g->symbols, length > g->symbols ? length : (size_t)g->symbols);
    g->symbols = (uint32_t)length;
    if (is_identity(word, g->symbols))
        return NP_RAISE(NP_ERROR_INPUT,
                        "cayley: '%.*s' is the identity, which links every node to itself: leave it out", (int)length,
                        text);
    if (has(g, word))
        return NP_RAISE(NP_ERROR_INPUT, "cayley: the generator '%.*s' is given twice: leave one out", (int)length,
                        text);
    if (g->count == GIVEN_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "cayley: '%.*s' is one generator too many: at most %d", (int)length, text,
                        GIVEN_MAX);
    g->count++;
    return NP_OK;
}

static void add_inverses(generators *g)
{
    uint32_t given = g->count;
    for (uint32_t j = 0; j < given; j++) {
        uint8_t *inverse = g->at[g->count];
        for (uint32_t i = 0; i < g->symbols; i++)
            inverse[g->at[j][i]] = (uint8_t)i;
        if (!has(g, inverse))
            g->count++;
    }
}

static np_status read_generators(generators *g, const char *text)
{
    np_status st;
    for (;; text++) {
        size_t length = strcspn(text, ",");
        if ((st = read_generator(g, text, length)))
            return st;
        text += length;
        if (!*text)
            break;
    }
    add_inverses(g);
    return NP_OK;
}

static uint32_t hash(const uint8_t *word, uint32_t symbols)
{
    uint64_t h = 0;
    for (uint32_t i = 0; i < symbols; i++)
        h = (h ^ word[i]) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(h >> 32);
}

/* The slot of the word, or the free one where it belongs. */
static uint32_t find(const np_network *network, const uint8_t *word)
{
    uint32_t symbols = network->dimensions, mask = network->slots - 1, at = hash(word, symbols) & mask;
    while (network->slot[at] != NP_NONE && memcmp(network->word + (size_t)network->slot[at] * symbols, word, symbols))
        at = (at + 1) & mask;
    return at;
}

/* Room for `room` nodes, of which there are network->nodes. */
static np_status grow(np_network *network, uint32_t room)
{
    static const char what[] = "a group of permutations";
    uint32_t symbols = network->dimensions, ports = network->ports, count = network->nodes;
    np_status st;
    if ((st = np_memory_grow(&network->word, (size_t)count * symbols, (size_t)room * symbols, 1, what)) ||
        (st = np_memory_grow(&network->head, (size_t)count * ports, (size_t)room * ports, sizeof(uint32_t), what)))
        return st;
    np_memory_free(network->slot);
    network->slots = 2 * room;
    if ((st = np_memory_array(&network->slot, network->slots, sizeof(uint32_t), what)))
        return st;
    memset(network->slot, 0xff, network->slots * sizeof(uint32_t)); /* NP_NONE */
    for (np_node x = 0; x < count; x++)
        network->slot[find(network, network->word + (size_t)x * symbols)] = x;
    return NP_OK;
}

/* *node = the number of x g, a new one if it is met for the first time. */
static np_status multiply(np_network *network, np_node x, const uint8_t *g, uint32_t *room, np_node *node)
{
    uint32_t symbols = network->dimensions;
    uint8_t word[SYMBOLS_MAX];
    np_status st;
    for (uint32_t i = 0; i < symbols; i++)
        word[i] = network->word[(size_t)x * symbols + g[i]];
    uint32_t at = find(network, word);
    if ((*node = network->slot[at]) != NP_NONE)
        return NP_OK;
    uint32_t most = LINKS_MAX / network->ports < NODES_MAX ? LINKS_MAX / network->ports : NODES_MAX;
    if (network->nodes == most)
        return NP_RAISE(NP_ERROR_LIMIT,
                        "cayley: the generators make a group of more than %u elements, each with %u links in a list: "
                        "leave some out (star and pancake graphs need no lists: try star:10)",
                        most, network->ports);
    if (network->nodes == *room) {
        if ((st = grow(network, *room *= 2)))
            return st;
        at = find(network, word);
    }
    *node = network->slot[at] = network->nodes++;
    memcpy(network->word + (size_t)*node * symbols, word, symbols);
    return NP_OK;
}

static np_status generate(np_network *network, const generators *g)
{
    uint32_t room = NODES_FIRST;
    np_status st = grow(network, room);
    if (st)
        return st;
    for (uint32_t i = 0; i < g->symbols; i++)
        network->word[i] = (uint8_t)i;
    network->slot[find(network, network->word)] = 0;
    network->nodes = 1;
    for (np_node x = 0, end = 1; x < network->nodes; x++) {
        if (x == end) { /* the nodes from here on are one hop farther */
            network->reach++;
            end = network->nodes;
        }
        for (uint32_t p = 0; p < g->count; p++) {
            np_node to;
            if ((st = multiply(network, x, g->at[p], &room, &to)))
                return st;
            network->head[(size_t)x * g->count + p] = to; /* `head` may have moved: after the call */
        }
    }
    return NP_OK;
}

static np_status create(np_network *network, const char *parameters)
{
    generators g = {0};
    np_status st = read_generators(&g, parameters);
    if (st)
        return st;
    network->dimensions = g.symbols;
    network->ports = g.count;
    network->nodes = 0;
    return generate(network, &g);
}

static np_node relative(const np_network *network, np_node u, np_node v)
{
    uint32_t symbols = network->dimensions;
    const uint8_t *from = network->word + (size_t)u * symbols, *to = network->word + (size_t)v * symbols;
    uint8_t name[SYMBOLS_MAX], image[SYMBOLS_MAX];
    for (uint32_t i = 0; i < symbols; i++)
        name[from[i]] = (uint8_t)i;
    for (uint32_t i = 0; i < symbols; i++)
        image[i] = name[to[i]];
    return network->slot[find(network, image)];
}

const np_network_family np_cayley = {
    .info = {"cayley", "Cayley graph of the group that permutations generate, in one-line notation; inverses are added",
             "Sibeyn, interconnection networks", .parameters = "PERM,PERM,...", .example = "cayley:1230,1023",
             .takes = "PERM: 1 to 64 permutations of the same first 2 to 36 of 0-9a-z"},
    .regular = true,
    .node_symmetric = true,
    .create = create,
    .relative = relative,
};
