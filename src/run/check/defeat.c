/*
 * The permutation that defeats an oblivious deterministic path rule (Borodin & Hopcroft 1985; Kaklamanis, Krizanc &
 * Tsantilas 1990). theory.h has the theorem, its proof and the method.
 *
 * The searches follow paths in batches: from all nodes to one, or from one node to all. A batch is a traffic that is
 * walked hop by hop.
 *
 * Where the proof takes one number k of sources and destinations, we count for k = 1, 2, 4, ... and the k of the
 * theorem, since most rules do far worse than the theorem says. Where it takes sources greedily, we take a maximum
 * matching.
 *
 * If the effort does not suffice for all destinations, a sample cannot tell how many destinations a link is good for:
 * it has one or two of them. So a sample of sources tells it, as the sample of destinations tells the sources: a link
 * is as good as the lesser of the most paths to one destination and the most paths from one source that cross it. This
 * is the size of the matching if the pairs whose paths cross the link are all pairs of some sources and some
 * destinations. If that link falls short of what the theorem promises for some link, the next best ones are tried.
 */
#include "base/account.h"
#include "base/matching.h"
#include "base/memory.h"
#include "model/network/attributes.h"
#include "run/check/check.h"
#include "model/leveled/walk.h"
#include "netpram/route.h"
#include "model/path/routes.h"
#include "model/traffic/traffic.h"

enum {
    LEVELS_MOST = 33, /* 32 powers of two, and the theorem's number */
    PROBES = 16, /* ours: sources whose destinations over the link are tried for all, where there are too many paths */
    LINKS_TRIED = 8 /* ours: of a sample, while fewer packets cross them than the theorem promises for some link */
};

#define AT(member) offsetof(np_defeat_options, member)

static const np_field rows[] = {
    {"paths", NP_FIELD_TEXT, AT(paths), .help = "The path rule (default: greedy, shortest paths)",
     .placeholder = "NAME", .list = "paths"},
    {"seed", NP_FIELD_SEED, AT(seed), .help = "Where samples, and the choices of the routings, come from",
     .preset = "1", .placeholder = "N"},
    {"runs", NP_FIELD_U32, AT(runs), .help = "Runs of each of the two routings", .low = 1, .preset = "10",
     .placeholder = "N"},
    {"effort", NP_FIELD_U64, AT(effort), "hops",
     .help = "Follow paths of at most N hops in each search, and of a sample where there are more (default: 200000000, "
             "seconds)",
     .low = 1, .high = UINT32_MAX, .preset = "200000000", .placeholder = "N"},
    {"memory", NP_FIELD_BYTES, AT(memory_limit), "bytes",
     .help = "Refuse what needs more, as in 4G (default: what is available)", .placeholder = "BYTES"},
};

const np_fields np_defeat_options_fields =
    NP_OPTIONS("defeat_options", "a permutation that defeats", np_defeat_options, rows, NULL);

/* The result, with the memory to which it points. */
typedef struct made {
    np_defeat result; /* first: the caller's pointer is this one */
    np_path *path;
    np_node *source, *destination; /* [nodes] */
} made;

typedef struct search {
    np_defeat_options options;
    const np_path *path;
    const np_network *network;
    np_node nodes;
    np_link numbers;
    np_defeat *result;
    unsigned levels;
    uint32_t level[LEVELS_MOST]; /* ascending numbers of sources */

    np_node *order;     /* [nodes] destinations in the order in which they are tried; then the sources of the link */
    np_node *from, *to; /* [nodes] of a batch */
    uint32_t *over;     /* [numbers] paths of the batch over the link */
    uint32_t *good;     /* [numbers][levels] destinations that so many sources reach over the link */
    uint32_t *to_one;   /* [numbers] most paths to one destination over the link */
    uint32_t *from_one; /* [numbers] most paths from one source over the link; all zero: none were followed */
    uint32_t *hits;     /* [nodes] paths over the chosen link: from the node, then to the node */
    uint64_t *row;      /* the row of the matrix that the batch fills */
    uint64_t hops;      /* of the batches of this search */
    void *block;
} search;

/* What a search does with the links that the paths of a batch take next. */
typedef void viewer(search *s, const np_walk *walk);

static void layout(void *object, np_arena *arena)
{
    search *s = object;
    static const char what[] = "the paths over links";
    NP_ARENA_WORDS(arena, s->nodes, what, &s->order, &s->from, &s->to);
    np_arena_array(arena, &s->over, s->numbers, sizeof *s->over, what);
    np_arena_zeroed(arena, &s->good, (size_t)s->numbers * s->levels, sizeof *s->good, what);
    np_arena_zeroed(arena, &s->to_one, s->numbers, sizeof *s->to_one, what);
    np_arena_zeroed(arena, &s->from_one, s->numbers, sizeof *s->from_one, what);
    np_arena_zeroed(arena, &s->hits, s->nodes, sizeof *s->hits, what);
}

/* ---- Batches ---- */

/* Follows the paths from[i] -> to[i], i < count. */
static np_status follow(search *s, np_node count, viewer *see)
{
    const np_draws draws = {.seed = s->options.seed};
    const np_demand demand = {.draws = draws, .count = count, .from = s->from, .to = s->to};
    np_traffic *traffic;
    np_routes *routes = NULL;
    np_walk *walk = NULL;
    np_path bound;
    np_status st = np_traffic_from_arrays(s->network, count, s->from, s->to, NULL, &traffic);
    if (st)
        return st;
    if ((st = np_routes_for(s->path, &demand, &bound, &routes)) ||
        (st = np_walk_create(&bound, draws, traffic, NULL, &walk)))
        goto out;
    while (!(st = np_walk_next(walk)) && walk->count)
        see(s, walk);
    s->hops += walk->taken;
out:
    np_walk_free(walk);
    np_routes_free(routes);
    np_traffic_free(traffic);
    return st;
}

static np_status follow_to(search *s, np_node to, viewer *see)
{
    for (np_node u = 0; u < s->nodes; u++) {
        s->from[u] = u;
        s->to[u] = to;
    }
    return follow(s, s->nodes, see);
}

/* To all nodes, or to those that `hits` counts. */
static np_status follow_from(search *s, np_node from, bool all, viewer *see)
{
    np_node count = 0;
    for (np_node v = 0; v < s->nodes; v++)
        if (all || s->hits[v]) {
            s->from[count] = from;
            s->to[count++] = v;
        }
    return follow(s, count, see);
}

/* ---- The link ---- */

static void count_paths(search *s, const np_walk *walk)
{
    for (np_packet i = 0; i < walk->count; i++)
        s->over[walk->link[i]]++;
}

static void forget_paths(search *s)
{
    for (np_link e = 0; e < s->numbers; e++)
        s->over[e] = 0;
}

/* Adds the destination whose paths were counted to the links that are good for it. */
static void count_destination(search *s)
{
    for (np_link e = 0; e < s->numbers; e++) {
        s->to_one[e] = s->over[e] > s->to_one[e] ? s->over[e] : s->to_one[e];
        for (unsigned i = 0; i < s->levels && s->level[i] <= s->over[e]; i++)
            s->good[(size_t)e * s->levels + i]++;
    }
}

static void count_source(search *s)
{
    for (np_link e = 0; e < s->numbers; e++)
        s->from_one[e] = s->over[e] > s->from_one[e] ? s->over[e] : s->from_one[e];
}

/* Draws the order of the destinations: Fisher-Yates, inside out. */
static void draw_order(search *s)
{
    np_draws draws = {.seed = s->options.seed, .purpose = NP_RANDOM_CHECK};
    for (np_node u = 0; u < s->nodes; u++) {
        np_node place = np_random_below(&draws, u, 7, u + 1);
        s->order[u] = s->order[place];
        s->order[place] = u;
    }
}

static np_status tell(const search *s, const char *stage, np_node done, np_node all)
{
    double effort = (double)s->hops / (double)s->options.effort, share = (double)done / all;
    return np_watch_share(&s->options.watch, stage, effort < share ? share : effort < 1 ? effort : 1);
}

/* Follows the paths to as many destinations as the effort allows, to one at least. */
static np_status count_destinations(search *s)
{
    np_status st = NP_OK;
    np_node done = 0;
    for (s->hops = 0; !st && done < s->nodes && (!done || s->hops < s->options.effort); done++) {
        forget_paths(s);
        if ((st = follow_to(s, s->order[done], count_paths)))
            return st;
        count_destination(s);
        st = tell(s, "the link", done, s->nodes);
    }
    s->result->destinations = done;
    s->result->exhaustive = done == s->nodes;
    return st;
}

/* Follows the paths from as many sources: those that are last in the order. */
static np_status count_sources(search *s)
{
    np_status st = NP_OK;
    np_node sources = s->result->destinations;
    s->hops = 0;
    for (np_node i = 0; i < sources && !st; i++) {
        forget_paths(s);
        if (!(st = follow_from(s, s->order[s->nodes - 1 - i], true, count_paths))) {
            count_source(s);
            st = tell(s, "the link", i, sources);
        }
    }
    return st;
}

/* The largest of the lesser of sources and destinations that the link is good for. */
static uint64_t score(const search *s, np_link link)
{
    const uint32_t *good = s->good + (size_t)link * s->levels;
    uint32_t best = 0;
    for (unsigned i = 0; i < s->levels; i++) {
        uint32_t lesser = good[i] < s->level[i] ? good[i] : s->level[i];
        best = lesser > best ? lesser : best;
    }
    return best;
}

/* The same by samples. Links that both samples know are the best. */
static uint64_t score_samples(const search *s, np_link link)
{
    uint64_t sources = s->to_one[link], destinations = s->from_one[link];
    uint64_t lesser = sources < destinations ? sources : destinations;
    return !sources ? 0 : lesser << 32 | (sources > destinations ? sources : destinations);
}

/* Chooses the best link; false if no path has a link, or all were tried. */
static bool choose_link(search *s)
{
    uint64_t best = 0;
    for (np_link e = 0; e < s->numbers; e++) {
        uint64_t scored = s->result->exhaustive ? score(s, e) : score_samples(s, e);
        if (scored > best) {
            best = scored;
            s->result->link = e;
        }
    }
    return best > 0;
}

static np_status find_link(search *s)
{
    np_status st;
    draw_order(s);
    if ((st = count_destinations(s)) || (!s->result->exhaustive && (st = count_sources(s))))
        return st;
    return choose_link(s) ? NP_OK : NP_RAISE(NP_ERROR_APPLY, "no path of %s has a link", np_network_spec(s->network));
}

/* ---- The pairs ---- */

static void hit_sources(search *s, const np_walk *walk)
{
    for (np_packet i = 0; i < walk->count; i++)
        s->hits[s->from[walk->number[walk->packet[i]]]] += walk->link[i] == s->result->link;
}

static void hit_destinations(search *s, const np_walk *walk)
{
    for (np_packet i = 0; i < walk->count; i++)
        s->hits[s->to[walk->number[walk->packet[i]]]] += walk->link[i] == s->result->link;
}

static void mark_destinations(search *s, const np_walk *walk)
{
    for (np_packet i = 0; i < walk->count; i++) {
        np_node v = s->to[walk->number[walk->packet[i]]];
        if (walk->link[i] == s->result->link)
            s->row[v / 64] |= UINT64_C(1) << v % 64;
    }
}

/* The sources of the link, those with more hits first, within a factor of two; how many. */
static np_node list_sources(search *s)
{
    np_node sources = 0;
    uint32_t most = 0;
    for (np_node u = 0; u < s->nodes; u++)
        most = s->hits[u] > most ? s->hits[u] : most;
    for (; most; most /= 2)
        for (np_node u = 0; u < s->nodes; u++)
            if (s->hits[u] <= most && s->hits[u] > most / 2)
                s->order[sources++] = u;
    return sources;
}

/* Finds the sources of the link: follows the paths of the first search again. */
static np_status find_sources(search *s, np_node *sources)
{
    np_status st = NP_OK;
    np_node destinations = s->result->destinations;
    s->hops = 0;
    for (np_node u = 0; u < s->nodes; u++)
        s->hits[u] = 0;
    for (np_node i = 0; i < destinations && !st; i++)
        if (!(st = follow_to(s, s->order[i], hit_sources)))
            st = tell(s, "its sources", i, destinations);
    *sources = list_sources(s);
    return st;
}

/* Finds the destinations of the link: those of the first sources, if not all are tried. */
static np_status find_destinations(search *s, np_node sources)
{
    np_status st = NP_OK;
    for (np_node v = 0; v < s->nodes; v++)
        s->hits[v] = s->result->exhaustive;
    s->hops = 0;
    for (np_node i = 0; !s->result->exhaustive && i < sources && i < PROBES && !st; i++)
        if (!(st = follow_from(s, s->order[i], true, hit_destinations)))
            st = tell(s, "its destinations", i, PROBES);
    return st;
}

/* The matrix of sources and destinations, and its matching. */
typedef struct pairs {
    np_matching matching;
    uint64_t *bit; /* of the matching */
    void *block;
} pairs;

static void layout_pairs(void *object, np_arena *arena)
{
    pairs *p = object;
    np_arena_zeroed(arena, &p->bit, p->matching.rows * np_matching_words(p->matching.columns), sizeof *p->bit,
                    "pairs over the link");
    np_matching_layout(&p->matching, arena);
}

/* Follows the paths of as many sources as the effort allows, of one at least. */
static np_status fill_matrix(search *s, pairs *p)
{
    size_t words = np_matching_words(s->nodes);
    np_node sources = p->matching.rows, done = 0;
    np_status st = NP_OK;
    for (s->hops = 0; !st && done < sources && (!done || s->hops < s->options.effort); done++) {
        s->row = p->bit + done * words;
        if (!(st = follow_from(s, s->order[done], false, mark_destinations)))
            st = tell(s, "its pairs", done, sources);
    }
    s->result->exhaustive = s->result->exhaustive && done == sources;
    return st;
}

/* The matched pairs first, then the other sources with the other destinations, both in ascending order. */
static void list_pairs(const search *s, const pairs *p, made *m)
{
    np_packet packets = 0;
    for (np_node r = 0; r < p->matching.rows; r++)
        if (p->matching.column_of[r] != NP_NONE) {
            m->source[packets] = s->order[r];
            m->destination[packets++] = p->matching.column_of[r];
        }
    for (np_node u = 0; u < s->nodes; u++)
        s->hits[u] = 1;
    for (np_packet i = 0; i < packets; i++)
        s->hits[m->source[i]] = 0;
    for (np_node u = 0, next = packets; u < s->nodes; u++)
        if (s->hits[u])
            m->source[next++] = u;
    for (np_node v = 0, next = packets; v < s->nodes; v++)
        if (p->matching.row_of[v] == NP_NONE)
            m->destination[next++] = v;
    m->result.crossing = packets;
    m->result.packets = s->nodes;
}

/* *best = the link, if its pairs are more than those of the links before. */
static np_status match_pairs(search *s, made *m, np_link *best)
{
    pairs p = {.block = NULL};
    np_status st = find_sources(s, &p.matching.rows);
    p.matching.columns = s->nodes;
    if (st || (st = find_destinations(s, p.matching.rows)) ||
        (st = np_arena_place(&p, layout_pairs, "pairs over the link", &p.block)))
        return st;
    p.matching.bit = p.bit;
    if (!(st = fill_matrix(s, &p)) && np_matching_find(&p.matching) > m->result.crossing) {
        list_pairs(s, &p, m);
        *best = m->result.link;
    }
    np_memory_free(p.block);
    return st;
}

/* Matches the pairs of the best link; of a sample, and while they are fewer than the theorem has, of the next ones. */
static np_status match_links(search *s, made *m)
{
    np_link best = NP_NONE;
    np_status st = find_link(s);
    if (!st)
        st = match_pairs(s, m, &best);
    for (unsigned i = 1; !st && i < LINKS_TRIED && !m->result.exhaustive && m->result.crossing < m->result.bound; i++) {
        s->to_one[m->result.link] = 0;
        if (!choose_link(s))
            break;
        draw_order(s); /* where the sources of a link were */
        st = match_pairs(s, m, &best);
    }
    m->result.link = best;
    return st;
}

/* ---- The whole ---- */

/* Is the path of a packet a function of its ends? */
static np_status require_oblivious(const np_path *path)
{
    const np_path_rule *rule = path->rule;
    if (rule->randomized)
        return NP_RAISE(
            NP_ERROR_APPLY,
            "paths '%s' are drawn, and no permutation is bad for all draws: take a rule that does not draw, "
            "such as lowest-port",
            np_path_name(path));
    if (rule->chooser && rule->chooser->together)
        return NP_RAISE(NP_ERROR_APPLY,
                        "paths '%s' depend on the other packets: take a rule whose paths depend on their ends alone, "
                        "such as lowest-port",
                        np_path_name(path));
    return NP_OK;
}

static np_status find_degree(search *s)
{
    uint32_t *in, most = 0;
    np_status st = np_memory_zeroed(&in, s->nodes, sizeof *in, "links to nodes");
    if (st)
        return st;
    for (np_link e = 0; e < s->numbers; e++) {
        np_node head = np_network_link_head(s->network, e);
        if (head != NP_NONE && ++in[head] > most)
            most = in[head];
    }
    np_memory_free(in);
    s->result->degree = most;
    s->result->bound = np_bound_oblivious(s->nodes, most);
    return NP_OK;
}

/* Powers of two below the nodes, and the number that the theorem has. */
static void set_levels(search *s)
{
    uint32_t bound = s->result->bound;
    for (uint64_t power = 1; power < s->nodes || power == 1; power *= 2) {
        s->level[s->levels++] = (uint32_t)power;
        if (power < bound && bound < 2 * power)
            s->level[s->levels++] = bound;
    }
}

static np_status construct(search *s, made *m)
{
    np_status st;
    if ((st = find_degree(s)))
        return st;
    set_levels(s);
    if ((st = np_memory_array(&m->source, s->nodes, sizeof *m->source, "a permutation")) ||
        (st = np_memory_array(&m->destination, s->nodes, sizeof *m->destination, "a permutation")) ||
        (st = np_arena_place(s, layout, "the paths over links", &s->block)))
        return st;
    st = match_links(s, m);
    np_memory_free(s->block);
    m->result.source = m->source;
    m->result.destination = m->destination;
    return st;
}

/* Routes the permutation by a scheme over these paths. */
static np_status route(const search *s, const np_traffic *traffic, const char *scheme, np_summary *steps)
{
    np_route_options options;
    np_route_result *result;
    np_route_options_init(&options);
    options.scheme = scheme;
    options.paths = s->options.paths;
    options.seed = s->options.seed;
    options.runs = s->options.runs;
    options.watch = s->options.watch;
    np_status st = np_route_traffic(s->network, traffic, &options, &result);
    if (!st)
        *steps = result->total_steps;
    np_route_result_free(result);
    return st;
}

static np_status route_both(const search *s, made *m)
{
    np_traffic *traffic;
    np_status st = np_traffic_from_arrays(s->network, m->result.packets, m->source, m->destination, NULL, &traffic);
    if (st)
        return st;
    if (!(st = route(s, traffic, "greedy", &m->result.steps)))
        st = route(s, traffic, "valiant", &m->result.two_phase_steps);
    np_traffic_free(traffic);
    return st;
}

np_status np_defeat_find(const np_network *network, const np_defeat_options *options, np_defeat **out)
{
    search s = {.network = network, .nodes = np_network_nodes(network), .numbers = np_network_link_numbers(network)};
    made *m;
    np_status st;
    *out = NULL;
    if ((st = np_options_take(&np_defeat_options_fields, options, &s.options)) ||
        (st = np_attributes_heeded(network, "defeat", NP_HEEDS_COSTS)))
        return st;
    NP_ACCOUNT(s.options.memory_limit, "a smaller network");
    if ((st = np_check_network(network)) || (st = np_memory_zeroed(&m, 1, sizeof *m, "a permutation")))
        return st;
    s.options.paths = s.options.paths ? s.options.paths : "greedy";
    s.result = &m->result;
    if ((st = np_path_create(s.options.paths, network, &m->path)) || (st = require_oblivious(m->path)))
        goto out;
    s.path = m->path;
    m->result.network = network;
    m->result.paths = np_path_name(m->path);
    m->result.seed = s.options.seed;
    if (!(st = construct(&s, m)))
        st = route_both(&s, m);
out:
    if (st)
        np_defeat_free(&m->result);
    else
        *out = &m->result;
    return st;
}

np_status np_defeat_save(const np_defeat *defeat, const char *path)
{
    return np_traffic_save(defeat->network, defeat->packets, defeat->source, defeat->destination, path);
}

void np_defeat_free(np_defeat *defeat)
{
    made *m = (made *)defeat;
    if (!m)
        return;
    np_path_free(m->path);
    NP_MEMORY_FREE(m->source, m->destination, m);
}
