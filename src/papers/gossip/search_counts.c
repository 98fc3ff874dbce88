/*
 * Gossip by counts alone: node u knows c(u) packets, and a call of u and v that carries l packets each way teaches u
 * min(l, c(v)) more. A schedule teaches at most this many, whatever packets it chooses. To know more is never worse. So
 * only maximal matchings matter, and if an exhaustive search finds no way, it proves that there is none.
 *
 * Bounds before a branch: a node that lacks m packets needs m steps. The same holds for what all nodes together lack,
 * and for what the nodes of the larger side of a bipartite graph lack, since a step matches only a limited number of
 * them.
 *
 * Answers are kept in a table, where later answers overwrite earlier ones.
 */
#include "base/random.h"
#include "papers/gossip/search.h"

enum { TABLE = 1 << 17, LIMIT = 3000000 }; /* our choice: 2 MB; some seconds */

typedef struct entry {
    uint64_t known; /* 4 bits a node */
    uint8_t rounds, steps, answer, used;
} entry;

struct np_counts {
    const np_gossip_graph *graph;
    uint64_t looked;
    entry table[TABLE];
};

void np_counts_layout(np_counts **counts, np_arena *arena)
{
    np_arena_zeroed(arena, counts, 1, sizeof **counts, "a search");
}

void np_counts_begin(np_counts *counts, const np_gossip_graph *graph) { counts->graph = graph; }

bool np_counts_sure(const np_counts *counts) { return counts->looked < LIMIT; }

static bool may_suffice(const np_gossip_graph *graph, const uint8_t *known, uint32_t steps)
{
    uint32_t all = 0, side = 0;
    for (uint32_t u = 0; u < graph->nodes; u++) {
        uint32_t lacks = graph->nodes - known[u];
        if (lacks > steps)
            return false;
        all += lacks;
        side += graph->side >> u & 1 ? lacks : 0;
    }
    return all <= 2 * graph->largest * steps && side <= graph->side_matched * steps;
}

/* Plays a round of calls. Returns false if a smaller l would have taught as much. */
static bool teach(const np_gossip_graph *graph, const uint8_t *known, uint32_t matching, uint32_t steps, uint8_t *after)
{
    bool full = false;
    for (uint32_t u = 0; u < graph->nodes; u++) {
        uint32_t other = graph->matching[matching][u], lacks = graph->nodes - known[u];
        uint32_t gain = other == u ? 0 : known[other] < lacks ? known[other] : lacks;
        full |= gain >= steps;
        after[u] = (uint8_t)(known[u] + (gain < steps ? gain : steps));
    }
    return full;
}

static bool try_all(np_counts *counts, const uint8_t *known, uint32_t rounds, uint32_t steps)
{
    uint8_t after[NP_SEARCH_NODES];
    uint32_t most = 0;
    for (uint32_t u = 0; u < counts->graph->nodes; u++)
        most = known[u] > most ? known[u] : most;
    for (uint32_t l = 1; l <= most && l <= steps; l++)
        for (uint32_t m = 0; m < counts->graph->matchings; m++)
            if (teach(counts->graph, known, m, l, after) && np_counts_suffice(counts, after, rounds - 1, steps - l))
                return true;
    return false;
}

bool np_counts_suffice(np_counts *counts, const uint8_t *known, uint32_t rounds, uint32_t steps)
{
    uint64_t packed = 0;
    uint32_t all = 0;
    for (uint32_t u = 0; u < counts->graph->nodes; u++) {
        packed = packed << 4 | (known[u] - 1u);
        all += known[u];
    }
    if (all == counts->graph->nodes * counts->graph->nodes)
        return true;
    if (!rounds || !may_suffice(counts->graph, known, steps))
        return false;
    entry *e = &counts->table[np_random_mix(packed * 4096 + rounds * 64 + steps) % TABLE];
    if (e->used && e->known == packed && e->rounds == rounds && e->steps == steps)
        return e->answer;
    if (counts->looked >= LIMIT || ++counts->looked >= LIMIT)
        return true; /* not known: the search is too long */
    bool answer = try_all(counts, known, rounds, steps);
    *e = (entry){packed, (uint8_t)rounds, (uint8_t)steps, answer, true};
    return answer;
}
