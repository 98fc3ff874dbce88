/*
 * Many searches at the same time (Then, Kaufmann, Chirigati, Hoang-Vu, Pham, Kemper, Neumann & Vo 2014, multi-source
 * breadth-first search). A node has a set of bits, one for each search. The nodes that some searches reached with the
 * latest hop pass these searches on over their links, to nodes where they have not been. One visit of a link serves all
 * of them: in a random graph most searches reach a node after one of three numbers of hops.
 *
 * If the nodes of the front have most of all links, the hop is made from its other end (Beamer, Asanovic & Patterson
 * 2012, direction-optimizing breadth-first search): a node asks its neighbours who was there, until all searches have
 * come.
 */
#include "model/network/search_many.h"

#include <string.h>

#include "base/arena.h"
#include "base/hot.h"
#include "base/memory.h"

enum {
    TELL = 1 << 22, /* visits of links between reports of progress: ours, some hundredths of a second */
    FETCHED = 8,    /* neighbours ahead: ours */
    ASK = 2         /* ours: a hop is made from its other end if this times the links of the front are more than all */
};

static void layout(void *object, np_arena *arena)
{
    static const char what[] = "many searches";
    np_search_many *many = object;
    size_t nodes = many->search->network->nodes;
    np_arena_array(arena, &many->reach, nodes, sizeof *many->reach, what);
    np_arena_array(arena, &many->latest, nodes, sizeof *many->latest, what);
    np_arena_array(arena, &many->tail, many->search->network->links, sizeof *many->tail, what);
    np_arena_array(arena, &many->front, nodes, sizeof *many->front, what);
    np_arena_zeroed(arena, &many->touched, nodes / 64 + 1, sizeof *many->touched, what);
    np_arena_array(arena, &many->group, nodes / 64 + 2, sizeof *many->group, what);
}

np_status np_search_many_init(np_search_many *many, const np_search *search)
{
    *many = (np_search_many){.search = search};
    np_status st = np_arena_place(many, layout, "many searches", &many->block);
    if (!st)
        np_network_tails(search->network, search->network->links, search->in, many->tail);
    return st;
}

void np_search_many_clear(np_search_many *many)
{
    np_memory_free(many->block);
    *many = (np_search_many){0};
}

/* Node v is in the next front, if any is not 0. Writes one place of group[] ahead in any case. */
NP_INLINE void touch(np_search_many *many, np_node v, uint64_t any)
{
    uint64_t *touched = &many->touched[v / 64];
    many->group[many->groups] = v / 64;
    many->groups += (*touched == 0) & (any != 0);
    *touched |= (uint64_t)(any != 0) << v % 64;
}

/* The searches of the set go to node v, unless they have been there. */
NP_INLINE void pass(np_search_many *many, const np_search_set *set, np_node v)
{
    np_search_reach *to = &many->reach[v];
    uint64_t any = 0;
    for (int i = 0; i < NP_SEARCH_WORDS; i++) {
        uint64_t fresh = set->word[i] & ~to->seen.word[i];
        to->next.word[i] |= fresh;
        any |= fresh;
    }
    touch(many, v, any);
}

typedef struct neighbours {
    const np_node *first, *end; /* NP_NONE: none */
} neighbours;

/* The nodes to which links lead from node u, or the nodes from which links lead to it. */
NP_INLINE neighbours of(const np_search_many *many, np_node u, bool tails)
{
    const np_search *search = many->search;
    if (tails)
        return (neighbours){many->tail + search->in_row[u], many->tail + search->in_row[u + 1]};
    return (neighbours){search->head + np_network_first_link(search->network, u),
                        search->head + np_network_first_link(search->network, u + 1)};
}

/* All searches of the front make a hop. */
NP_HOT static void hop(np_search_many *many, bool backwards)
{
    for (uint32_t i = 0; i < many->fronts; i++) {
        np_node u = many->front[i];
        np_search_set set = many->latest[u];
        neighbours to = of(many, u, backwards);
        many->visits += (uint64_t)(to.end - to.first);
        for (const np_node *v = to.first; v < to.end; v++)
            if (*v != NP_NONE)
                pass(many, &set, *v);
    }
}

NP_INLINE bool is_empty(const np_search_set *set)
{
    uint64_t any = 0;
    for (int i = 0; i < NP_SEARCH_WORDS; i++)
        any |= set->word[i];
    return !any;
}

/* The searches of `lacks` that come to the node with this hop. They are no longer in `lacks`. */
NP_INLINE np_search_set ask(np_search_many *many, neighbours from, np_search_set *lacks)
{
    np_search_set got = {{0}};
    const np_node *u = from.first;
    for (; u < from.end && !is_empty(lacks); u++) {
        if (from.end - u > FETCHED && u[FETCHED] != NP_NONE)
            __builtin_prefetch(&many->latest[u[FETCHED]]);
        if (*u != NP_NONE)
            for (int i = 0; i < NP_SEARCH_WORDS; i++) {
                got.word[i] |= lacks->word[i] & many->latest[*u].word[i];
                lacks->word[i] &= ~many->latest[*u].word[i];
            }
    }
    many->visits += (uint64_t)(u - from.first);
    return got;
}

/* The same as hop, from its other end. */
NP_HOT static void hop_by_asking(np_search_many *many, const np_search_set *all, bool backwards)
{
    for (np_node v = 0; v < many->search->network->nodes; v++) {
        np_search_reach *at = &many->reach[v];
        np_search_set lacks;
        for (int i = 0; i < NP_SEARCH_WORDS; i++)
            lacks.word[i] = all->word[i] & ~at->seen.word[i];
        if (is_empty(&lacks))
            continue;
        at->next = ask(many, of(many, v, !backwards), &lacks);
        touch(many, v, !is_empty(&at->next));
    }
}

/*
 * The touched nodes become the front, and what is new there is seen. *moved: all searches that reached a node. Returns
 * the links of the front.
 */
NP_HOT static uint64_t advance(np_search_many *many, bool backwards, np_search_set *moved)
{
    uint64_t links = 0;
    neighbours to;
    for (uint32_t i = 0; i < many->fronts; i++)
        many->latest[many->front[i]] = (np_search_set){{0}};
    many->fronts = 0;
    for (uint32_t g = 0; g < many->groups; g++) {
        uint32_t w = many->group[g];
        for (; many->touched[w]; many->touched[w] &= many->touched[w] - 1) {
            np_node v = 64 * w + (uint32_t)__builtin_ctzll(many->touched[w]);
            np_search_reach *at = &many->reach[v];
            for (int i = 0; i < NP_SEARCH_WORDS; i++) {
                at->seen.word[i] |= at->next.word[i];
                moved->word[i] |= at->next.word[i];
                many->reached += (uint64_t)__builtin_popcountll(at->next.word[i]);
            }
            many->latest[v] = at->next;
            at->next = (np_search_set){{0}};
            many->front[many->fronts++] = v;
            to = of(many, v, backwards);
            links += (uint64_t)(to.end - to.first);
        }
    }
    many->groups = 0;
    return links;
}

/* The searches stand at their first nodes, as if they came there with a hop. Returns the set of all. */
static np_search_set begin(np_search_many *many, const np_node *from, uint32_t count)
{
    size_t nodes = many->search->network->nodes;
    np_search_set all = {{0}};
    memset(many->reach, 0, nodes * sizeof *many->reach);
    memset(many->latest, 0, nodes * sizeof *many->latest);
    many->fronts = many->groups = 0;
    many->reached = 0;
    for (uint32_t s = 0; s < count; s++) {
        all.word[s / 64] |= UINT64_C(1) << s % 64;
        many->reach[from[s]].next.word[s / 64] |= UINT64_C(1) << s % 64;
        touch(many, from[s], 1);
    }
    return all;
}

void np_search_farthest(np_search_many *many, const np_node *from, uint32_t count, bool backwards, uint32_t *farthest)
{
    np_search_set all = begin(many, from, count);
    uint64_t pairs = (uint64_t)count * many->search->network->nodes, told = many->visits;
    for (uint32_t hops = 0;; hops++) {
        np_search_set moved = {{0}};
        uint64_t links = advance(many, backwards, &moved);
        for (uint32_t s = 0; s < count; s++)
            farthest[s] = moved.word[s / 64] >> s % 64 & 1 ? hops : farthest[s];
        if (!many->fronts || many->reached == pairs || np_search_cancelled(many->search))
            return;
        if (ASK * links > many->search->network->links)
            hop_by_asking(many, &all, backwards);
        else
            hop(many, backwards);
        if (many->visits - told >= TELL) {
            np_search_tell(many->search, "the diameter", many->share);
            told = many->visits;
        }
    }
}
