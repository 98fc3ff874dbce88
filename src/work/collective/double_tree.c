/*
 * Broadcast among ranks down two binary trees at once, each with every other flit (Sanders, Speck & Traff 2009). The P
 * - 1 ranks behind the root are numbered 1, .., n from it on. The first tree is in order: the root of a range is the
 * number in it that most powers of two divide, so that odd numbers are leaves. The second is the same for i -> i + 1, n
 * -> 1: who has children in one is a leaf in the other.
 *
 * So a rank receives over two links, one of each tree, and sends over two at most. This bipartite graph of senders and
 * receivers is one of paths and even cycles, and two colours are enough: links of colour c are used in rounds r = c
 * modulo 2, and with one port nobody sends or receives two messages in a round. Once the pipe is full a rank gets a
 * flit in every round. A link is first used in the first round of its colour after the link above it.
 */
#include <stdio.h>

#include "base/memory.h"
#include "work/collective/collective.h"

enum { TREES = 2, UNCOLOURED = 2 };

typedef struct double_tree {
    uint32_t nodes;
    uint32_t *parent[TREES]; /* [n + 1] of each rank from the root on; 0: the root */
    uint32_t *start[TREES];  /* [n + 1] the round in which the link to the rank is first used, from 1 */
    uint8_t *colour[TREES];  /* [n + 1] of this link */
    uint32_t *child[2];      /* [n + 1] of the tree in which the rank has some; 0: none. Of rank 0 one of each tree */
    void *block;             /* of a formula */
} double_tree;

static void arrays(double_tree *t, np_arena *arena)
{
    size_t nodes = t->nodes;
    for (int tree = 0; tree < TREES; tree++) {
        np_arena_zeroed(arena, &t->parent[tree], nodes, sizeof *t->parent[tree], "two trees");
        np_arena_zeroed(arena, &t->start[tree], nodes, sizeof *t->start[tree], "two trees");
        np_arena_zeroed(arena, &t->colour[tree], nodes, sizeof *t->colour[tree], "two trees");
        np_arena_zeroed(arena, &t->child[tree], nodes, sizeof *t->child[tree], "two trees");
    }
}

static void layout(void *object, np_arena *arena)
{
    np_collective_job *job = object;
    double_tree counted, *t = np_collective_own(job, arena, &counted, sizeof *t);
    t->nodes = job->network->nodes;
    arrays(t, arena);
}

/* The number in low..high that most powers of two divide. */
static uint32_t middle(uint32_t low, uint32_t high)
{
    uint32_t power = 1;
    while ((high / (2 * power)) * (2 * power) >= low && 2 * power <= high)
        power *= 2;
    return high / power * power;
}

/* The rank that has place p in the tree. */
static uint32_t rank_at(uint32_t n, int tree, uint32_t p) { return !tree ? p : p == 1 ? n : p - 1; }

static void hang(double_tree *t, uint32_t n, int tree, uint32_t low, uint32_t high, uint32_t parent)
{
    if (low > high)
        return;
    uint32_t at = middle(low, high), rank = rank_at(n, tree, at);
    t->parent[tree][rank] = parent;
    t->colour[tree][rank] = UNCOLOURED;
    t->child[parent ? t->child[0][parent] != 0 : tree][parent] = rank;
    hang(t, n, tree, low, at - 1, rank);
    hang(t, n, tree, at + 1, high, rank);
}

/* The other link of the sender of a link: another child, of the root in the other tree. False: there is none. */
static bool other_of_sender(const double_tree *t, int *tree, uint32_t *rank)
{
    uint32_t parent = t->parent[*tree][*rank];
    uint32_t other = t->child[parent ? t->child[0][parent] == *rank : !*tree][parent];
    if (!parent)
        *tree = !*tree;
    *rank = other;
    return other;
}

/* Colours the links from this one on, by turns over receivers and senders, first over `receiver`. */
static void colour_from(double_tree *t, int tree, uint32_t rank, bool receiver)
{
    for (uint8_t colour = t->colour[tree][rank];; receiver = !receiver) {
        if (receiver)
            tree = !tree;
        else if (!other_of_sender(t, &tree, &rank))
            return;
        if (t->colour[tree][rank] != UNCOLOURED)
            return;
        t->colour[tree][rank] = colour = !colour;
    }
}

static void colour_all(double_tree *t, uint32_t n)
{
    for (int tree = 0; tree < TREES; tree++)
        for (uint32_t i = 0; i <= n; i++) {
            uint32_t rank = i ? i : t->child[tree][0]; /* the link of the root first: the first flit leaves at once */
            if (t->colour[tree][rank] != UNCOLOURED)
                continue;
            t->colour[tree][rank] = 1;
            colour_from(t, tree, rank, true);
            colour_from(t, tree, rank, false);
        }
}

/* When the link to a rank is first used. */
static uint32_t find_start(double_tree *t, int tree, uint32_t rank)
{
    uint32_t *start = &t->start[tree][rank], parent = t->parent[tree][rank];
    if (!*start) {
        *start = (parent ? find_start(t, tree, parent) : 0) + 1;
        *start += *start % 2 != t->colour[tree][rank];
    }
    return *start;
}

static void make(double_tree *t, uint32_t n)
{
    for (int tree = 0; tree < TREES; tree++)
        hang(t, n, tree, 1, n, 0);
    colour_all(t, n);
    for (int tree = 0; tree < TREES; tree++)
        for (uint32_t rank = 1; rank <= n; rank++)
            find_start(t, tree, rank);
}

static np_status begin(np_collective_job *job)
{
    make(job->own, job->network->nodes - 1);
    return NP_OK;
}

static size_t transfers(const np_collective_job *job) { return 2 * (size_t)job->network->nodes; }

static np_link link_to(const np_collective_job *job, const double_tree *t, int tree, uint32_t rank)
{
    uint32_t nodes = job->network->nodes, root = job->options.root;
    return np_collective_link(job->network, (t->parent[tree][rank] + root) % nodes, (rank + root) % nodes);
}

/* In round r the link whose first round is s carries the flit (r - s)/2 of its tree. */
static np_status next(np_collective_job *job)
{
    const double_tree *t = job->own;
    uint32_t r = ++job->count;
    np_status st = NP_OK;
    for (int tree = 0; tree < TREES; tree++)
        for (uint32_t rank = 1; rank < job->network->nodes && !st; rank++) {
            uint32_t start = t->start[tree][rank];
            if (r >= start && (r - start) % 2 == 0 && r - start + (uint32_t)tree < job->pieces)
                st = np_round_add(&job->round, link_to(job, t, tree, rank), r - start + (uint32_t)tree);
        }
    return st;
}

static void layout_formula(void *object, np_arena *arena) { arrays(object, arena); }

/* The last link begins at `last`; the last flit of its tree is f - 2 rounds behind the first. */
static np_status formula(const np_collective_job *job, np_collective_figure *out)
{
    double_tree t = {.nodes = job->network->nodes};
    uint32_t last = 0;
    np_status st = np_arena_place(&t, layout_formula, "two trees", &t.block);
    if (st)
        return st;
    make(&t, t.nodes - 1);
    for (int tree = 0; tree < TREES; tree++)
        for (uint32_t rank = 1; rank < t.nodes; rank++)
            last = t.start[tree][rank] > last ? t.start[tree][rank] : last;
    np_memory_free(t.block);
    out->rounds = out->steps = last + job->options.flits - 2;
    snprintf(out->text, sizeof out->text, "(c_v l/f + c_a) (f + %u)", last - 2);
    return NP_OK;
}

static np_status check(const np_collective_job *job)
{
    if (job->options.flits % 2 == 0)
        return NP_OK;
    return NP_RAISE(NP_ERROR_APPLY, "algorithm '%s' sends flits down two trees by turns: --flits %llu is odd, try %llu",
                    job->ops->info.name, (unsigned long long)job->options.flits,
                    (unsigned long long)job->options.flits + 1);
}

const np_collective_ops np_double_tree_broadcast = {
    .info = {"double-tree", "flits down two binary trees by turns: f + about 2 log P", "Sanders, Speck & Traff 2009",
             .operation = "broadcast", .networks = "complete", .ports = "one-port"},
    .flits = true,
    .flits_unit = 2,
    .kind = NP_BROADCAST,
    .ports = NP_ONE_PORT,
    .single = true,
    .refuses = np_collective_but_complete,
    .check = check,
    .transfers = transfers,
    .own = layout,
    .begin = begin,
    .next = next,
    .formula = formula,
};
