/*
 * Optimal gossip on small networks (Sibeyn; optima of 3 x 3: R. Beier's thesis, cited there). The search finds the
 * fewest rounds, and then the fewest steps with this number of rounds. If a number of rounds is given, it finds the
 * fewest steps in at most that many rounds.
 *
 * Rounds: a node that calls tells all that it knows, which is never worse. The search is a branch-and-bound over
 * maximal matchings. It leaves a branch if some packet is farther from some node than there are rounds left, or if
 * fewer than 2^-rounds of all nodes know it. The search is exhaustive, so its number of rounds is the least, unless it
 * looked at ROUND_LIMIT states first.
 *
 * Steps: for growing numbers of steps S, counts alone (search_counts.c) tell whether S steps can be enough. If they
 * can, a branch-and-bound over matchings, lengths of calls and packets follows. It leaves a branch that the counts rule
 * out. Which packets a call carries is a greedy choice, the rarest first, with ties drawn at random: this part is not
 * exhaustive. A schedule that it finds is optimal if the counts rule out S - 1; the result says whether they do.
 *
 * All of this is for telephone calls: schedules of one-port or full-port rounds may be shorter, so that the algorithm
 * serves no other ports.
 */
#include <string.h>

#include "base/random.h"
#include "papers/gossip/search.h"

/* Our choices. */
enum { ROUND_LIMIT = 1000000, TRIES = 24, TRY_LIMIT = 2000, CANDIDATES = 6, CHOICES = 2, SEEN = 1 << 16 };

/* What nodes know, and the rounds that are left. */
typedef struct search_state {
    np_search_set known[NP_SEARCH_NODES];
    uint32_t rounds;
} search_state;

typedef struct search {
    np_gossip_graph graph;
    np_counts *counts;
    np_draws draws;
    uint32_t drawn, looked, limit;
    uint32_t rounds;         /* at most */
    search_state seen[SEEN]; /* states from which there is no way, each at the place of its hash */
    uint32_t found;          /* rounds of the schedule found */
    np_search_round round[NP_SEARCH_ROUNDS], best[NP_SEARCH_ROUNDS];
    uint32_t best_rounds, next; /* next: the round to be given out next */
} search;

static bool complete(const np_gossip_graph *graph, const np_search_set *known)
{
    for (uint32_t u = 0; u < graph->nodes; u++)
        if (known[u] != (1u << graph->nodes) - 1)
            return false;
    return true;
}

/* Can every packet still be everywhere in time, by its distances and by doubling? */
static bool reachable(const np_gossip_graph *graph, const np_search_set *known, uint32_t rounds)
{
    for (uint32_t packet = 0; packet < graph->nodes; packet++) {
        uint32_t knowing = 0;
        for (uint32_t u = 0; u < graph->nodes; u++) {
            uint32_t nearest = NP_SEARCH_NODES;
            for (uint32_t v = 0; v < graph->nodes; v++)
                if (known[v] >> packet & 1 && graph->distance[u][v] < nearest)
                    nearest = graph->distance[u][v];
            knowing += !nearest;
            if (nearest > rounds)
                return false;
        }
        if (rounds < 6 && knowing << rounds < graph->nodes)
            return false;
    }
    return true;
}

/* The place of a state among those seen. The state itself is kept there: equal hashes prove nothing. */
static search_state *place_of(search *s, const search_state *state)
{
    uint64_t hash = state->rounds;
    for (uint32_t u = 0; u < NP_SEARCH_NODES; u++)
        hash = np_random_mix(hash * 0x9e3779b97f4a7c15u + state->known[u]);
    return &s->seen[hash % SEEN];
}

/* Searches for the fewest rounds; all nodes tell all that they know. */
static bool find_rounds(search *s, const np_search_set *known, uint32_t round)
{
    const np_gossip_graph *graph = &s->graph;
    if (complete(graph, known)) {
        s->found = round;
        return true;
    }
    if (round == s->rounds || !reachable(graph, known, s->rounds - round) || s->looked >= s->limit)
        return false;
    search_state state = {.rounds = s->rounds - round};
    memcpy(state.known, known, graph->nodes * sizeof *known);
    search_state *seen = place_of(s, &state);
    if (!memcmp(seen, &state, sizeof state)) /* no padding: 24 bytes and 4 */
        return false;
    s->looked++;
    for (uint32_t m = 0; m < graph->matchings; m++) {
        np_search_round *r = &s->round[round];
        r->matching = m;
        for (uint32_t u = 0; u < graph->nodes; u++)
            r->known[u] = known[u] | known[graph->matching[m][u]];
        np_search_set after[NP_SEARCH_NODES];
        memcpy(after, r->known, sizeof after);
        if (find_rounds(s, after, round + 1))
            return true;
    }
    if (s->looked < s->limit)
        *seen = state;
    return false;
}

static uint32_t draw(search *s, uint32_t bound) { return np_random_below(&s->draws, s->drawn++, 0, bound); }

/* Chooses at most `steps` of the candidates, the packets that the hearer lacks: the rarest first. */
static np_search_set choose(search *s, np_search_set candidates, uint32_t steps, uint32_t *knowing)
{
    np_search_set chosen = 0;
    while (candidates && steps--) {
        uint32_t best = 0, least = UINT32_MAX;
        for (uint32_t packet = 0; packet < s->graph.nodes; packet++) {
            uint32_t rank = knowing[packet] * 8 + draw(s, 8);
            if (candidates >> packet & 1 && rank < least) {
                least = rank;
                best = packet;
            }
        }
        candidates &= (np_search_set) ~(1u << best);
        chosen |= (np_search_set)(1u << best);
        knowing[best]++;
    }
    return chosen;
}

static void call(search *s, const np_search_set *known, np_search_round *r)
{
    const np_gossip_graph *graph = &s->graph;
    uint32_t knowing[NP_SEARCH_NODES] = {0};
    for (uint32_t u = 0; u < graph->nodes; u++)
        for (uint32_t packet = 0; packet < graph->nodes; packet++)
            knowing[packet] += known[u] >> packet & 1;
    for (uint32_t u = 0; u < graph->nodes; u++) {
        np_search_set news = known[graph->matching[r->matching][u]] & (np_search_set)~known[u];
        r->known[u] = known[u] | choose(s, news, r->steps, knowing);
    }
}

/* The counts after the round. Returns false if fewer steps would teach as much. */
static bool count_after(const np_gossip_graph *graph, const np_search_set *known, const np_search_round *r,
                        uint8_t *after)
{
    bool full = false;
    for (uint32_t u = 0; u < graph->nodes; u++) {
        np_search_set news = known[graph->matching[r->matching][u]] & (np_search_set)~known[u];
        uint32_t count = (uint32_t)__builtin_popcount(news);
        full |= count >= r->steps;
        after[u] = (uint8_t)((uint32_t)__builtin_popcount(known[u]) + (count < r->steps ? count : r->steps));
    }
    return full;
}

/* A few of the rounds that the counts allow, drawn at random. Returns how many. */
static uint32_t list_rounds(search *s, const np_search_set *known, uint32_t rounds, uint32_t steps,
                            np_search_round *few)
{
    uint8_t after[NP_SEARCH_NODES];
    uint32_t all = 0, most = 0;
    for (uint32_t u = 0; u < s->graph.nodes; u++)
        most = (uint32_t)__builtin_popcount(known[u]) > most ? (uint32_t)__builtin_popcount(known[u]) : most;
    for (uint32_t l = 1; l <= most && l <= steps; l++)
        for (uint32_t m = 0; m < s->graph.matchings; m++) {
            np_search_round r = {.matching = m, .steps = l};
            if (!count_after(&s->graph, known, &r, after) ||
                !np_counts_suffice(s->counts, after, rounds - 1, steps - l))
                continue;
            uint32_t place = all < CANDIDATES ? all : draw(s, all + 1);
            all++;
            if (place < CANDIDATES)
                few[place] = r;
        }
    return all < CANDIDATES ? all : CANDIDATES;
}

static bool find_steps(search *s, const np_search_set *known, uint32_t round, uint32_t steps)
{
    np_search_round few[CANDIDATES];
    if (complete(&s->graph, known)) {
        s->found = round;
        return true;
    }
    if (round == s->rounds || !steps || !reachable(&s->graph, known, s->rounds - round) || s->looked++ >= s->limit)
        return false;
    uint32_t count = list_rounds(s, known, s->rounds - round, steps, few);
    for (uint32_t i = 0; i < count * CHOICES; i++) {
        np_search_round *r = &s->round[round];
        *r = few[i / CHOICES];
        call(s, known, r);
        np_search_set after[NP_SEARCH_NODES];
        memcpy(after, r->known, sizeof after);
        if (find_steps(s, after, round + 1, steps - r->steps))
            return true;
    }
    return false;
}

static void keep(search *s)
{
    memcpy(s->best, s->round, sizeof s->best);
    s->best_rounds = s->found;
}

/* The steps of the schedule found, if all nodes tell all that is new. */
static uint32_t steps_of(const search *s)
{
    np_search_set known[NP_SEARCH_NODES];
    uint32_t steps = 0;
    for (uint32_t u = 0; u < s->graph.nodes; u++)
        known[u] = (np_search_set)(1u << u);
    for (uint32_t round = 0; round < s->best_rounds; round++) {
        int longest = 0;
        for (uint32_t u = 0; u < s->graph.nodes; u++) {
            int news = __builtin_popcount(s->best[round].known[u] & (np_search_set)~known[u]);
            longest = news > longest ? news : longest;
        }
        memcpy(known, s->best[round].known, sizeof known);
        steps += (uint32_t)longest;
    }
    return steps;
}

/* Finds the fewest steps in at most s->rounds rounds, if they are fewer than the best so far. Returns true if they are
   proved to be the least. */
static bool fewest_steps(search *s, uint32_t least, const np_search_set *known)
{
    uint8_t ones[NP_SEARCH_NODES];
    uint32_t most = steps_of(s);
    bool proved = true;
    memset(ones, 1, sizeof ones);
    for (uint32_t steps = least; steps < most; steps++) {
        if (!np_counts_suffice(s->counts, ones, s->rounds, steps))
            continue;
        for (uint32_t i = 0; i < TRIES; i++) {
            s->looked = 0;
            s->limit = TRY_LIMIT;
            if (find_steps(s, known, 0, steps)) {
                keep(s);
                return proved && np_counts_sure(s->counts);
            }
        }
        proved = false;
    }
    return proved && np_counts_sure(s->counts);
}

/* What was proved of telephone calls. asked: the rounds are given, so that only steps are searched for. */
static const char *claim(bool asked, bool rounds, bool steps)
{
    if (rounds && steps && !asked)
        return "telephone: fewest rounds, and fewest steps in so many";
    return steps ? "telephone: fewest steps in so many rounds" : rounds && !asked ? "telephone: fewest rounds" : NULL;
}

static np_status run(np_collective_job *job, search *s)
{
    np_search_set known[NP_SEARCH_NODES];
    np_collective_figure bound = {0};
    bool proved = true;
    np_status st = np_collective_bound(job, &bound);
    if (st)
        return st;
    for (uint32_t u = 0; u < s->graph.nodes; u++)
        known[u] = (np_search_set)(1u << u);
    for (s->rounds = (uint32_t)bound.rounds;; s->rounds++) {
        s->looked = 0;
        s->limit = ROUND_LIMIT;
        if (find_rounds(s, known, 0))
            break;
        proved = proved && s->looked < s->limit;
        if (s->rounds == NP_SEARCH_ROUNDS)
            return NP_RAISE(NP_ERROR_LIMIT, "%s: no schedule found", np_network_spec(job->network));
    }
    keep(s);
    uint32_t asked = job->options.rounds;
    if (asked && asked < s->rounds)
        return NP_RAISE(NP_ERROR_INPUT, "--rounds %u: gossip on %s takes at least %u", asked,
                        np_network_spec(job->network), s->rounds);
    s->rounds = !asked ? s->rounds : asked < NP_SEARCH_ROUNDS ? asked : NP_SEARCH_ROUNDS;
    bool steps = fewest_steps(s, (uint32_t)bound.steps, known);
    job->optimal = steps && (proved || asked);
    job->optimal_of = claim(asked, proved, steps);
    return NP_OK;
}

static void layout(void *object, np_arena *arena)
{
    np_counts *counted;
    search *s = np_collective_own(object, arena, NULL, sizeof *s);
    np_counts_layout(s ? &s->counts : &counted, arena);
}

/* Each node tells another all that it knows, at most. */
static size_t transfers(const np_collective_job *job) { return (size_t)job->network->nodes * job->network->nodes; }

static np_status begin(np_collective_job *job)
{
    search *s = job->own;
    np_status st = np_gossip_graph_init(&s->graph, job->network);
    s->draws = (np_draws){.seed = job->options.seed, .purpose = NP_RANDOM_SCHEDULE};
    np_counts_begin(s->counts, &s->graph);
    return st ? st : run(job, s);
}

static np_status tell(np_collective_job *job, const search *s, const np_search_round *r, np_node u, np_search_set news)
{
    np_link link = np_collective_link(job->network, s->graph.matching[r->matching][u], u);
    np_status st = NP_OK;
    for (uint32_t packet = 0; packet < s->graph.nodes && !st; packet++)
        if (news >> packet & 1)
            st = np_round_add(&job->round, link, packet);
    return st;
}

static np_status next(np_collective_job *job)
{
    search *s = job->own;
    np_status st = NP_OK;
    while (s->next < s->best_rounds && !job->round.count && !st) {
        const np_search_round *r = &s->best[s->next++];
        for (np_node u = 0; u < s->graph.nodes && !st; u++) {
            np_search_set before = s->next > 1 ? r[-1].known[u] : (np_search_set)(1u << u);
            st = tell(job, s, r, u, r->known[u] & (np_search_set)~before);
        }
    }
    return st;
}

const np_collective_ops np_search_gossip = {
    .info = {"search", "looks for the fewest rounds, then steps: 5 rounds, 11 steps on 3 x 3", "Sibeyn, lecture notes",
             .operation = "gossip", .networks = "any of 2 to 12 nodes", .ports = "telephone"},
    .kind = NP_GOSSIP,
    .ports = NP_TELEPHONE,
    .searches = true,
    .refuses = np_gossip_graph_refuses,
    .transfers = transfers,
    .own = layout,
    .begin = begin,
    .next = next,
};
