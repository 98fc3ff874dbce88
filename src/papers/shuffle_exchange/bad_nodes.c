/*
 * See bad_nodes.h, and necklaces.h for n, z, positions and types.
 *
 * The network "in" consists of in-trees, one for each good necklace g. Every logical node has one
 * edge out, except on the last level. With base = max(n-1, z+1):
 *
 *   array   place d = 0 .. n-1, on level base + d, is the node of g at position (z + d) mod n;
 *           the edges shuffle left. (This is the paper's "distribute them along the
 *           necklace". Here the link from position n-1 to 0 is used.)
 *   tree    for type 1, on levels base-z-1 .. base. Its leaves are bad nodes. The edge from a
 *           leaf sets the last bit and shuffles. The edge from depth k = 1 .. z clears the
 *           last bit, which is bit k - 1 of the leaf, and shuffles. So the node at depth
 *           z + 1 is g's node at position z, place 0 of the array.
 *   line    for each necklace of type 2, with representative 0^k 1.. and size m: its nodes at
 *           positions k+1, .., m-1, 0, .., k (mod m) on consecutive levels up to
 *           base + k - z; the edges shuffle left. From the last node a flip edge leads to
 *           position k + 1 of the array, which is on the next level.
 *   node 0  an exchange leads to node 0..01, which is at position n - 1 of its array.
 *
 * Overlap. A physical node is at most one inner node of a tree: the zeros between its last bit and
 * the next 1 to the left tell the depth, and the other bits tell the tree. (Lemma 5.4; the lemma
 * says this of bad nodes, but inner nodes of trees can also be good.) A physical node is also at
 * most one node of all leaves, lines and arrays. So it emulates at most 2 logical nodes.
 *
 * Of the places of the array that a bad node can reach, the least loaded one is the node that
 * stands for it. Types 2 and 3 choose before type 1. A good node stands for at most 4 bad ones.
 * Proof: a necklace whose longest block has x zeros gets at most 2 n nodes of type 2, and they
 * share n - x + z places. Their labels have two blocks of x - 1 zeros and two 1s, so x <= n/2. This
 * gives 2 n / (n/2 + z) < 4 nodes a place. Nodes of type 1 can go to any place, and there are at
 * most 4 n nodes of all types (Lemma 5.1).
 *
 * Time. If a packet is not delivered by step L + w, there is a delay sequence of w packets,
 * whatever the ranks are (Lemma 2.5). These packets are different and lie on one path of logical
 * edges, so all of them are in one in-tree. A tree has at most 4 n h packets if h packets start at
 * every node. So all packets are delivered by step L + 4 n h + 1 = O(log N). With q = 1 the bound
 * is L + 8 n h + 1: a full queue adds two packets to the sequence for two steps of delay if q >= 2,
 * but only one packet if q = 1. Any ranks will do. Ours put packets with the farthest end first, so
 * that the packets that come last have the fewest steps left.
 *
 * "out" is "in" with all edges reversed: logical node i of "out" is node nodes-1-i of "in".
 */
#include "papers/shuffle_exchange/bad_nodes.h"

#include "base/memory.h"

enum { LEVELS_MAX = 64 };

typedef struct builder {
    np_bad_nodes *bad;
    const np_necklaces *nl;
    uint32_t *inner; /* [nodes] its logical node as an inner node of a tree; NP_NONE: none */
    uint32_t *host;  /* [total] by logical node */
    uint32_t first[LEVELS_MAX + 2];
} builder;

static const char *const what = "paths of bad nodes";

static uint32_t depth_of(const np_bad_nodes *bad) { return bad->base + bad->necklaces->bits - 1; }

/* The level of "in" on which packets from a bad node begin. */
static uint32_t start_level(const np_bad_nodes *bad, np_node v)
{
    const np_necklaces *nl = bad->necklaces;
    uint32_t b = nl->of[v], k = nl->zeros[b], size = nl->size[b];
    switch (np_necklaces_kind(nl, b)) {
    case NP_NECKLACE_TYPE_1:
        return bad->base - nl->block - 1;
    case NP_NECKLACE_TYPE_2:
        return bad->base + k - nl->block - (k + size - nl->position[v]) % size;
    case NP_NECKLACE_TYPE_3:
        return bad->base + nl->bits - 1 - nl->block - 1;
    case NP_NECKLACE_GOOD:
        break;
    }
    return NP_NONE;
}

/* An inner node's depth in its tree, 1 .. z. */
static uint32_t tree_depth(np_node v) { return (uint32_t)__builtin_ctz(v >> 1) + 1; }

/* Walks an edge of a tree: sets the current bit to `value`, then shuffles. */
static void walk_tree(const np_necklaces *nl, np_shuffle_walk *walk, uint32_t value)
{
    if ((walk->at & 1) != value)
        np_necklaces_walk(nl, walk, NP_SHUFFLE_EXCHANGE);
    np_necklaces_walk(nl, walk, NP_SHUFFLE_LEFT);
}

/* Counts a logical node of a level for first[]. */
static void count(builder *b, uint32_t level) { b->first[level + 1]++; }

/* Marks the inner nodes between a leaf and its root. */
static void mark_tree(builder *b, np_node leaf)
{
    const np_necklaces *nl = b->nl;
    np_shuffle_walk walk = {.at = leaf};
    walk_tree(nl, &walk, 1);
    for (uint32_t depth = 1; depth <= nl->block && b->inner[walk.at] == NP_NONE; depth++) {
        b->inner[walk.at] = 0; /* numbered later */
        count(b, b->bad->base - nl->block - 1 + depth);
        walk.links = 0;
        walk_tree(nl, &walk, 0);
    }
}

/* Numbers the logical nodes level by level; on each level the nodes of arrays come first, by necklace. */
static void number_nodes(builder *b)
{
    np_bad_nodes *bad = b->bad;
    const np_necklaces *nl = b->nl;
    uint32_t next[LEVELS_MAX + 1], depth = depth_of(bad);
    for (uint32_t level = 0; level <= depth; level++) {
        b->first[level + 1] += b->first[level];
        next[level] = b->first[level];
    }
    for (uint32_t d = 0; d < nl->bits; d++)
        for (uint32_t g = 0; g < nl->good; g++)
            b->host[next[bad->base + d]++] = np_necklaces_at(nl, g, (nl->block + d) % nl->bits);
    for (np_node v = 0; v < nl->nodes; v++) {
        if (b->inner[v] != NP_NONE)
            b->host[b->inner[v] = next[bad->base - nl->block - 1 + tree_depth(v)]++] = v;
        if (nl->of[v] >= nl->good)
            b->host[bad->start[v] = next[start_level(bad, v)]++] = v;
    }
}

/* Finds all logical nodes. */
static np_status find_nodes(builder *b)
{
    np_bad_nodes *bad = b->bad;
    const np_necklaces *nl = b->nl;
    for (np_node v = 0; v < nl->nodes; v++)
        b->inner[v] = bad->start[v] = NP_NONE;
    for (np_node v = 0; v < nl->nodes; v++)
        if (nl->of[v] >= nl->good) {
            count(b, start_level(bad, v));
            if (np_necklaces_kind(nl, nl->of[v]) == NP_NECKLACE_TYPE_1)
                mark_tree(b, v);
        }
    size_t total = 0;
    for (uint32_t level = 0; level <= depth_of(bad); level++) {
        b->first[level + 1] += level >= bad->base ? nl->good : 0;
        total += b->first[level + 1];
    }
    np_status st = np_memory_array(&b->host, total, sizeof *b->host, what);
    if (!st)
        number_nodes(b);
    return st;
}

/*
 * Finds the edge out of logical node i on `level`: appends its links to the walk, which begins at
 * i's host; returns the head.
 */
static uint32_t find_edge(const builder *b, uint32_t i, uint32_t level, np_shuffle_walk *walk)
{
    const np_necklaces *nl = b->nl;
    np_node v = walk->at;
    uint32_t necklace = nl->of[v];
    if (i == b->bad->start[v]) {
        switch (np_necklaces_kind(nl, necklace)) {
        case NP_NECKLACE_TYPE_1:
            walk_tree(nl, walk, 1);
            return b->inner[walk->at];
        case NP_NECKLACE_TYPE_2:
            if (nl->position[v] != nl->zeros[necklace]) {
                np_necklaces_walk(nl, walk, NP_SHUFFLE_LEFT);
                return b->bad->start[walk->at];
            }
            np_necklaces_walk_flip(nl, walk);
            break;
        default:
            np_necklaces_walk(nl, walk, NP_SHUFFLE_EXCHANGE);
        }
    } else if (i == b->inner[v]) {
        walk_tree(nl, walk, 0);
        if (tree_depth(v) < nl->block)
            return b->inner[walk->at];
    } else
        np_necklaces_walk(nl, walk, NP_SHUFFLE_LEFT);
    return b->first[level + 1] + nl->of[walk->at]; /* in an array */
}

static uint32_t base_of(uint32_t bits, uint32_t block) { return bits - 1 > block + 1 ? bits - 1 : block + 1; }

/* The nodes of type 1: labels that have no z zeros in a row. From the last 1 around to the first 1 there are s < z. */
static uint64_t leaves(uint32_t bits, uint32_t z)
{
    uint64_t sum = 0;
    for (uint32_t s = 0; s < z && s < bits; s++)
        sum += (s + 1) * np_necklaces_strings_between(bits - s, z - 1);
    return sum;
}

/*
 * Arrays and bad nodes together have every node once. An inner node at depth k ends the first k edges from a leaf. So
 * it ends those from the leaf in which the k bits in question are 1; the other bits are any string without z zeros.
 * Edges cross one link, but an edge of a tree crosses another one if it changes a bit, and the last edge of a line
 * crosses at most 3. A line has at least z + 1 nodes.
 */
np_leveled np_bad_nodes_sizes(uint32_t bits)
{
    uint32_t z = np_necklaces_block(bits);
    uint64_t hosts = UINT64_C(1) << bits, nodes = hosts, good = np_necklaces_good(bits), tree = leaves(bits, z);
    uint64_t changes = tree - np_necklaces_strings(bits - 1, z - 1), lines = hosts - good * bits - tree;
    for (uint32_t k = 1; k <= z; k++) {
        nodes += np_necklaces_strings(bits - k, z - 1);
        changes += k < bits ? np_necklaces_strings(bits - k - 1, z - 1) : 0;
    }
    uint64_t edges = nodes - good, links = edges + changes + 2 * lines / (z + 1);
    return np_leveled_sizes(base_of(bits, z) + bits - 1, nodes, edges, links, (uint32_t)hosts,
                            (uint32_t)hosts * NP_SHUFFLE_LINKS);
}

uint64_t np_bad_nodes_bytes(uint32_t bits)
{
    const np_bad_nodes *bad = NULL;
    uint64_t nodes = UINT64_C(1) << bits, edges = np_bad_nodes_sizes(bits).room_edges;
    return sizeof *bad + np_memory_taken(nodes * sizeof *bad->start) + np_memory_taken(nodes * sizeof *bad->entry) +
           np_memory_taken(edges * sizeof *bad->back);
}

static np_status build_in(builder *b, np_leveled **in)
{
    uint32_t depth = depth_of(b->bad);
    np_leveled sizes = np_bad_nodes_sizes(b->nl->bits);
    np_status st = np_leveled_create(&sizes, in);
    if (st)
        return st;
    for (uint32_t level = 0; level <= depth; level++)
        for (uint32_t i = b->first[level]; i < b->first[level + 1]; i++)
            np_leveled_add_node(*in, level, b->host[i]);
    for (uint32_t level = 0; level < depth; level++)
        for (uint32_t i = b->first[level]; i < b->first[level + 1]; i++) {
            np_shuffle_walk walk = {.at = b->host[i]};
            uint32_t head = find_edge(b, i, level, &walk);
            np_leveled_add_edge(*in, i, head, walk.links, walk.link);
        }
    return np_leveled_finish(*in);
}

static np_status build_out(np_bad_nodes *bad, const np_leveled *in, np_leveled **out)
{
    uint32_t last = in->nodes - 1;
    np_status st = np_leveled_create(in, out);
    if (st || (st = np_memory_array(&bad->back, in->edges, sizeof *bad->back, what)))
        return st;
    for (uint32_t level = in->depth, v = last;; v--) {
        while (v < in->first[level])
            level--;
        np_leveled_add_node(*out, in->depth - level, in->host[v]);
        if (!v)
            break;
    }
    for (uint32_t i = 0; i <= last; i++) {
        uint32_t v = last - i;
        for (uint32_t k = in->in[v]; k < in->in[v + 1]; k++) {
            uint32_t e = in->entering[k], links = 0;
            np_link link[3];
            for (uint32_t l = in->walk[e + 1]; l > in->walk[e]; l--)
                link[links++] = np_necklaces_reverse(bad->necklaces, in->link[l - 1]);
            bad->back[e] = (uint8_t)(k - in->in[v]);
            np_leveled_add_edge(*out, i, last - in->tail[e], links, link);
        }
    }
    return np_leveled_finish(*out);
}

/* Gives v the least loaded place of its necklace's array, load[n], from `first` on. */
static void allot(np_bad_nodes *bad, uint8_t *load, np_node v, uint32_t first)
{
    uint32_t best = first;
    for (uint32_t d = first + 1; d < bad->necklaces->bits; d++)
        if (load[d] < load[best])
            best = d;
    load[best]++;
    bad->entry[v] = (uint8_t)best;
}

static np_status allot_all(np_bad_nodes *bad)
{
    const np_necklaces *nl = bad->necklaces;
    uint8_t *load;
    np_status st = np_memory_zeroed(&load, (size_t)nl->good * nl->bits, sizeof *load, what);
    if (st)
        return st;
    for (int pass = 0; pass < 2; pass++)
        for (np_node v = 0; v < nl->nodes; v++) {
            uint32_t b = nl->of[v];
            np_necklace_kind kind = np_necklaces_kind(nl, b);
            if (kind == NP_NECKLACE_GOOD || (kind == NP_NECKLACE_TYPE_1) != pass)
                continue;
            uint32_t first = kind == NP_NECKLACE_TYPE_1   ? 0
                             : kind == NP_NECKLACE_TYPE_2 ? nl->zeros[b] + 1u - nl->block
                                                          : nl->bits - 1 - nl->block;
            allot(bad, load + (size_t)np_necklaces_associate(nl, v) * nl->bits, v, first);
        }
    np_memory_free(load);
    return NP_OK;
}

static np_status build(builder *b, np_leveled **in, np_leveled **out)
{
    np_bad_nodes *bad = b->bad;
    const np_necklaces *nl = b->nl;
    np_status st;
    bad->necklaces = nl;
    bad->base = base_of(nl->bits, nl->block);
    if ((st = np_memory_array(&bad->start, nl->nodes, sizeof *bad->start, what)) ||
        (st = np_memory_zeroed(&bad->entry, nl->nodes, sizeof *bad->entry, what)) ||
        (st = np_memory_array(&b->inner, nl->nodes, sizeof *b->inner, what)) || (st = find_nodes(b)) ||
        (st = build_in(b, in)) || (st = build_out(bad, *in, out)))
        return st;
    bad->in = *in;
    bad->out = *out;
    return allot_all(bad);
}

np_status np_bad_nodes_create(const np_necklaces *necklaces, np_leveled **in, np_leveled **out, np_bad_nodes **bad)
{
    builder b = {.nl = necklaces};
    np_status st;
    *bad = NULL;
    *in = *out = NULL;
    if ((st = np_memory_zeroed(&b.bad, 1, sizeof *b.bad, what)))
        return st;
    st = build(&b, in, out);
    NP_MEMORY_FREE(b.inner, b.host);
    if (st)
        np_bad_nodes_free(b.bad);
    else
        *bad = b.bad;
    return st;
}

void np_bad_nodes_free(np_bad_nodes *bad)
{
    if (!bad)
        return;
    NP_MEMORY_FREE(bad->start, bad->entry, bad->back, bad);
}

np_node np_bad_nodes_good(const np_bad_nodes *bad, np_node node)
{
    const np_necklaces *nl = bad->necklaces;
    if (nl->of[node] < nl->good)
        return node;
    return np_necklaces_at(nl, np_necklaces_associate(nl, node), (nl->block + bad->entry[node]) % nl->bits);
}

/* Ranks: 1 for packets that end on the last level, one more for each level before it. */
void np_bad_nodes_enter(const np_bad_nodes *bad, np_path_set *path_set, np_packet packet, np_node from, uint32_t target)
{
    uint32_t end = bad->base + bad->entry[from];
    np_path_set_add(path_set, packet, bad->start[from], target);
    path_set->rank[path_set->packets - 1] = bad->in->depth - end + 1;
    for (uint32_t level = start_level(bad, from); level < end; level++)
        np_path_set_hop(path_set, 0);
}

void np_bad_nodes_leave(const np_bad_nodes *bad, np_path_set *path_set, np_packet packet, np_node to, uint32_t target)
{
    uint32_t start = start_level(bad, to), hops = bad->base + bad->entry[to] - start, v = bad->start[to];
    uint8_t port[LEVELS_MAX];
    for (uint32_t k = hops; k; k--) {
        uint32_t e = bad->in->out[v];
        port[k - 1] = bad->back[e];
        v = bad->in->head[e];
    }
    np_path_set_add(path_set, packet, bad->in->nodes - 1 - v, target);
    path_set->rank[path_set->packets - 1] = start + 1;
    for (uint32_t k = 0; k < hops; k++)
        np_path_set_hop(path_set, port[k]);
}
