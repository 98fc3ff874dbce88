/*
 * Many searches at the same time (Then, Kaufmann, Chirigati, Hoang-Vu, Pham, Kemper, Neumann & Vo 2014, multi-source
 * breadth-first search). A node has a set of bits, one for each search. The nodes that some searches reached with the
 * latest hop pass these searches on over their links, to nodes where they have not been. One visit of a link serves all of
 * them: in a random graph most searches reach a node after one of three numbers of hops.
 */
#include "network/search_many.h"

#include <string.h>

#include "base/arena.h"
#include "base/hot.h"
#include "base/memory.h"

static void layout(void *object, np_arena *arena)
{
    static const char what[] = "many searches";
    np_search_many *many = object;
    size_t nodes = many->search->network->nodes;
    np_arena_array(arena, &many->reach, nodes, sizeof *many->reach, what);
    np_arena_array(arena, &many->latest, nodes, sizeof *many->latest, what);
    np_arena_array(arena, &many->front, nodes, sizeof *many->front, what);
    np_arena_zeroed(arena, &many->touched, nodes / 64 + 1, sizeof *many->touched, what);
    np_arena_array(arena, &many->group, nodes / 64 + 2, sizeof *many->group, what);
}

np_status np_search_many_init(np_search_many *many, const np_search *search)
{
    *many = (np_search_many){.search = search};
    return np_arena_place(many, layout, "many searches", &many->block);
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

/* All searches of the front make a hop. */
NP_HOT static void hop(np_search_many *many, uint32_t nodes, bool backwards)
{
    const np_search *search = many->search;
    const np_network *network = search->network;
    for (uint32_t i = 0; i < nodes; i++) {
        np_node u = many->front[i];
        np_search_set set = many->latest[u];
        if (backwards) {
            for (uint32_t j = search->in_row[u]; j < search->in_row[u + 1]; j++)
                pass(many, &set, np_network_link_tail(network, search->in[j]));
            continue;
        }
        np_link end = np_network_first_link(network, u + 1);
        for (np_link link = np_network_first_link(network, u); link < end; link++)
            if (search->head[link] != NP_NONE)
                pass(many, &set, search->head[link]);
    }
}

/* The touched nodes become the front, and what is new there is seen. *moved: all searches that reached a node. */
NP_HOT static uint32_t advance(np_search_many *many, np_search_set *moved)
{
    uint32_t nodes = 0;
    for (uint32_t g = 0; g < many->groups; g++) {
        uint32_t w = many->group[g];
        for (; many->touched[w]; many->touched[w] &= many->touched[w] - 1) {
            np_node v = 64 * w + (uint32_t)__builtin_ctzll(many->touched[w]);
            np_search_reach *at = &many->reach[v];
            for (int i = 0; i < NP_SEARCH_WORDS; i++) {
                at->seen.word[i] |= at->next.word[i];
                moved->word[i] |= at->next.word[i];
            }
            many->latest[v] = at->next;
            at->next = (np_search_set){{0}};
            many->front[nodes++] = v;
        }
    }
    many->groups = 0;
    return nodes;
}

void np_search_farthest(np_search_many *many, const np_node *from, uint32_t count, bool backwards, uint32_t *farthest)
{
    memset(many->reach, 0, many->search->network->nodes * sizeof *many->reach);
    for (uint32_t s = 0; s < count; s++) {
        many->reach[from[s]].next.word[s / 64] |= UINT64_C(1) << s % 64;
        touch(many, from[s], 1);
    }
    for (uint32_t hops = 0, nodes;; hops++) {
        np_search_set moved = {{0}};
        if (!(nodes = advance(many, &moved)))
            return;
        for (uint32_t s = 0; s < count; s++)
            farthest[s] = moved.word[s / 64] >> s % 64 & 1 ? hops : farthest[s];
        hop(many, nodes, backwards);
    }
}
