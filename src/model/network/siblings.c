/* Sets of siblings: terminals get the key of their one neighbour, or of their node, and equal keys are a set. */
#include "model/network/siblings.h"

#include <string.h>

#include "base/memory.h"
#include "base/arena.h"
#include "model/network/search.h"

static void layout(void *object, np_arena *arena)
{
    static const char what[] = "sets of hosts";
    np_siblings *s = object;
    np_arena_zeroed(arena, &s->first, (size_t)s->sets + 1, sizeof *s->first, what);
    NP_ARENA_WORDS(arena, s->sets, what, &s->member, &s->size, &s->node, &s->second, &s->gate);
}

/* The node that all links of v come from and lead to, loops aside; v itself: there are several, or none. */
static np_node neighbour_of(const np_search *search, const np_node *tail, np_node v)
{
    np_node only = v;
    for (uint32_t k = search->in_row[v]; k < search->in_row[v + 1]; k++) {
        if (tail[k] != v && only != v && tail[k] != only)
            return v;
        only = tail[k] != v ? tail[k] : only;
    }
    bool out = false;
    for (np_link link = np_network_first_link(search->network, v); link < np_network_first_link(search->network, v + 1);
         link++) {
        np_node head = search->head[link];
        if (head != NP_NONE && head != v && head != only)
            return v;
        out |= head != NP_NONE && head != v;
    }
    return out ? only : v;
}

/* key[v] = the node itself, or beyond all nodes, its one neighbour */
static np_status make_keys(const np_network *network, uint32_t *key)
{
    np_search search;
    np_node *tail = NULL, nodes = network->nodes;
    np_status st = np_search_init(&search, network);
    if (!st && !(st = np_memory_array(&tail, network->links, sizeof *tail, "the tails of links"))) {
        np_network_tails(network, network->links, search.in, tail);
        for (np_node v = 0; v < nodes; v++) {
            np_node neighbour = neighbour_of(&search, tail, v);
            key[v] = neighbour == v ? v : nodes + neighbour;
        }
    }
    np_memory_free(tail);
    np_search_clear(&search);
    return st;
}

static np_node node_of(const np_network *network, bool outputs, np_node i)
{
    return outputs ? np_network_output(network, i) : np_network_input(network, i);
}

/* Numbers the sets in order of their first terminals: set[key] = its number. */
static void number_sets(np_siblings *s, const np_network *network, bool outputs, const uint32_t *key, uint32_t *set)
{
    memset(set, 0xff, 2 * (size_t)network->nodes * sizeof *set);
    s->sets = 0;
    for (np_node i = 0; i < network->terminals; i++) {
        np_node at = node_of(network, outputs, i);
        uint32_t *number = &set[key[at]];
        if (*number == NP_NONE) {
            *number = s->sets++;
            s->size[*number] = 0;
            s->node[*number] = at;
            s->second[*number] = NP_NONE;
            s->gate[*number] = key[at] < network->nodes ? NP_NONE : key[at] - network->nodes;
        }
        s->size[*number]++;
        if (at != s->node[*number])
            s->second[*number] = at;
    }
}

static void list_members(np_siblings *s, const np_network *network, bool outputs, const uint32_t *key,
                         const uint32_t *set)
{
    s->first[0] = 0;
    for (uint32_t k = 0; k < s->sets; k++)
        s->first[k + 1] = s->first[k] + s->size[k];
    for (np_node i = 0; i < network->terminals; i++)
        s->member[s->first[set[key[node_of(network, outputs, i)]]]++] = i;
    for (uint32_t k = 0; k < s->sets; k++)
        s->first[k] -= s->size[k];
}

np_status np_siblings_init(np_siblings *s, const np_network *network, bool outputs)
{
    uint32_t *key = NULL, *set = NULL;
    *s = (np_siblings){.sets = network->terminals};
    np_status st = np_arena_place(s, layout, "sets of hosts", &s->block);
    if (st || (st = np_memory_array(&key, network->nodes, sizeof *key, "the neighbours of hosts")) ||
        (st = np_memory_array(&set, 2 * (size_t)network->nodes, sizeof *set, "sets of hosts")) ||
        (st = make_keys(network, key)))
        goto out;
    number_sets(s, network, outputs, key, set);
    list_members(s, network, outputs, key, set);
out:
    NP_MEMORY_FREE(key, set);
    return st;
}

void np_siblings_clear(np_siblings *s)
{
    np_memory_free(s->block);
    *s = (np_siblings){0};
}

/* ---- Who sends to whom ---- */

/* How many members of each set have been given a destination, and a source. */
typedef struct given {
    uint32_t *sent, *received;
} given;

/* The next members of the row's set send to the next ones of the column's, whose order begins with the second member.
 */
static void send(const np_siblings *from, const np_siblings *to, const np_assigned *part, given *g,
                 np_node *destination)
{
    uint32_t i = part->row, j = part->column;
    for (uint32_t k = 0; k < part->amount; k++) {
        np_node source = from->member[from->first[i] + g->sent[i]++];
        destination[source] = to->member[to->first[j] + ++g->received[j] % to->size[j]];
    }
}

np_status np_siblings_send(const np_siblings *from, const np_siblings *to, const np_assignment *a, np_node *destination)
{
    given g = {NULL, NULL};
    np_status st;
    if ((st = np_memory_zeroed(&g.sent, from->sets, sizeof *g.sent, "members of sets")) ||
        (st = np_memory_zeroed(&g.received, to->sets, sizeof *g.received, "members of sets")))
        goto out;
    /* Those that send within their set go first: a member's place among those that send is its place in the set. */
    for (int within = 1; within >= 0; within--)
        for (uint32_t p = 0; p < a->parts; p++)
            if ((from->node[a->assigned[p].row] == to->node[a->assigned[p].column]) == within)
                send(from, to, &a->assigned[p], &g, destination);
out:
    NP_MEMORY_FREE(g.sent, g.received);
    return st;
}
