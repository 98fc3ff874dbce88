/* See path_set_judge.h. */
#include "oracle/path_set_judge.h"

#include "support.h"

#include "engine/merging/merge.h"

static uint32_t level_by_scan(const np_leveled *leveled, uint32_t v)
{
    for (uint32_t level = 0; level <= leveled->depth; level++)
        if (v >= leveled->first[level] && v < leveled->first[level + 1])
            return level;
    fail_msg("logical node %u is on no level", v);
    return 0;
}

static void judge_walk(const np_network *network, const np_leveled *leveled, uint32_t e)
{
    np_node at = leveled->host[leveled->tail[e]];
    for (uint32_t i = leveled->walk[e]; i < leveled->walk[e + 1]; i++) {
        np_link link = leveled->link[i];
        assert_true(link < np_network_link_numbers(network));
        assert_int_equal(np_network_link_tail(network, link), at);
        at = np_network_link_head(network, link);
        assert_true(at != NP_NONE);
    }
    assert_int_equal(at, leveled->host[leveled->head[e]]);
}

void judge_leveled(const np_network *network, const np_leveled *leveled)
{
    uint32_t edges = 0, *level = calloc(leveled->nodes, sizeof *level), *entered = calloc(leveled->edges + 1, 4);
    assert_int_equal(leveled->first[0], 0);
    assert_int_equal(leveled->first[leveled->depth + 1], leveled->nodes);
    for (uint32_t v = 0; v < leveled->nodes; v++) {
        level[v] = level_by_scan(leveled, v);
        assert_true(leveled->host[v] < np_network_nodes(network));
    }
    for (uint32_t v = 0; v < leveled->nodes; v++) {
        for (uint32_t e = leveled->out[v]; e < leveled->out[v + 1]; e++, edges++) {
            assert_int_equal(leveled->tail[e], v);
            assert_int_equal(level[leveled->head[e]], level[v] + 1);
            judge_walk(network, leveled, e);
        }
        for (uint32_t i = leveled->in[v]; i < leveled->in[v + 1]; i++) {
            assert_int_equal(leveled->head[leveled->entering[i]], v);
            entered[leveled->entering[i]]++;
        }
    }
    assert_int_equal(edges, leveled->edges);
    for (uint32_t e = 0; e < edges; e++)
        assert_int_equal(entered[e], 1);
    free(level);
    free(entered);
}

static np_path_set chosen(const np_leveled_routing *routing, const np_selection *selection)
{
    np_path_set path_set = {0};
    assert_ok(routing->ops->select(routing, selection, &path_set));
    return path_set;
}

static void same_path_set(const np_path_set *a, const np_path_set *b)
{
    assert_int_equal(a->packets, b->packets);
    if (!a->packets)
        return;
    assert_memory_equal(a->packet, b->packet, a->packets * sizeof *a->packet);
    assert_memory_equal(a->origin, b->origin, a->packets * sizeof *a->origin);
    assert_memory_equal(a->target, b->target, a->packets * sizeof *a->target);
    assert_memory_equal(a->begin, b->begin, (a->packets + 1) * sizeof *a->begin);
    if (a->begin[a->packets])
        assert_memory_equal(a->port, b->port, a->begin[a->packets]);
}

static void judge_purity(const np_leveled_routing *routing, const np_selection *selection, const np_path_set *path_set)
{
    np_selection other = *selection;
    np_path_set reused;
    other.draws.seed++;
    reused = chosen(routing, &other);
    assert_ok(routing->ops->select(routing, selection, &reused)); /* the arrays hold another selection before */
    same_path_set(path_set, &reused);
    np_path_set_clear(&reused);
}

/* The edges of path i, malloced, [length]; *end = the node where it ends. */
static uint32_t *edges_of(const np_leveled *leveled, const np_path_set *path_set, np_packet i, uint32_t *end)
{
    size_t length = path_set->begin[i + 1] - path_set->begin[i];
    uint32_t v = path_set->origin[i], *edge = malloc((length + 1) * sizeof *edge);
    for (size_t k = 0; k < length; k++) {
        uint32_t ports = leveled->out[v + 1] - leveled->out[v];
        assert_true(path_set->port[path_set->begin[i] + k] < ports);
        edge[k] = leveled->out[v] + path_set->port[path_set->begin[i] + k];
        v = leveled->head[edge[k]];
    }
    *end = v;
    return edge;
}

/* Counts the packets and the targets over one edge by looking through all paths. */
static void tally_edge(const np_path_set *path_set, uint32_t *const *path, uint32_t e, judged_path_set *judged)
{
    uint32_t packets = 0, targets = 0, *target = malloc((path_set->packets + 1) * sizeof *target);
    for (np_packet i = 0; i < path_set->packets; i++)
        for (size_t k = 0; k < path_set->begin[i + 1] - path_set->begin[i]; k++) {
            if (path[i][k] != e)
                continue;
            packets++;
            bool old = false;
            for (uint32_t j = 0; j < targets; j++)
                old = old || target[j] == path_set->target[i];
            if (!old)
                target[targets++] = path_set->target[i];
        }
    judged->congestion = packets > judged->congestion ? packets : judged->congestion;
    judged->congestion_destinations =
        targets > judged->congestion_destinations ? targets : judged->congestion_destinations;
    free(target);
}

/* Checks that two packets of one target that come to the same node leave it the same way. */
static void judge_together(const np_leveled *leveled, const np_path_set *path_set, uint32_t *const *path)
{
    for (np_packet i = 0; i < path_set->packets; i++)
        for (np_packet j = 0; j < i; j++) {
            if (path_set->target[i] != path_set->target[j])
                continue;
            size_t li = path_set->begin[i + 1] - path_set->begin[i], lj = path_set->begin[j + 1] - path_set->begin[j];
            for (size_t k = 0; k < li; k++)
                for (size_t l = 0; l < lj; l++)
                    if (leveled->tail[path[i][k]] == leveled->tail[path[j][l]])
                        assert_int_equal(path[i][k], path[j][l]);
        }
}

judged_path_set judge_path_set(const np_leveled_routing *routing, const np_selection *selection, uint32_t *seen)
{
    const np_leveled *leveled = routing->phase[selection->phase].leveled;
    const np_node *source = np_traffic_sources(selection->traffic), *to = np_traffic_destinations(selection->traffic);
    np_path_set path_set = chosen(routing, selection);
    judged_path_set judged = {.packets = path_set.packets, .shortest = path_set.packets ? UINT32_MAX : 0};
    uint32_t **path = malloc((path_set.packets + 1) * sizeof *path);
    judge_purity(routing, selection, &path_set);
    for (np_packet i = 0; i < path_set.packets; i++) {
        uint32_t end, length = (uint32_t)(path_set.begin[i + 1] - path_set.begin[i]);
        path[i] = edges_of(leveled, &path_set, i, &end);
        assert_int_equal(leveled->host[path_set.origin[i]], source[path_set.packet[i]]);
        assert_int_equal(leveled->host[end], to[path_set.packet[i]]);
        assert_int_equal(path_set.target[i], to[path_set.packet[i]]);
        judged.shortest = length < judged.shortest ? length : judged.shortest;
        judged.longest = length > judged.longest ? length : judged.longest;
        seen[path_set.packet[i]]++;
    }
    for (uint32_t e = 0; e < leveled->edges; e++)
        tally_edge(&path_set, path, e, &judged);
    if (selection->combine)
        judge_together(leveled, &path_set, path);
    uint32_t *count = malloc((leveled->edges + path_set.packets + 1) * sizeof *count), congestion;
    uint32_t *ends = count + leveled->edges;
    assert_ok(np_path_set_follow(&path_set, leveled, count, ends, &congestion));
    assert_int_equal(congestion, judged.congestion);
    for (np_packet i = 0; i < path_set.packets; i++) {
        assert_int_equal(leveled->host[ends[i]], to[path_set.packet[i]]);
        free(path[i]);
    }
    free(path);
    free(count);
    np_path_set_clear(&path_set);
    return judged;
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

judged_path_set judge_leveled_routing(const np_leveled_routing *routing, const np_traffic *traffic, uint64_t seed,
                                      bool combine)
{
    judged_path_set all = {0};
    np_packet packets = np_traffic_packets(traffic);
    uint32_t *seen = calloc(packets + 1, sizeof *seen);
    for (unsigned phase = 0; phase < routing->phases; phase++) {
        np_selection selection = {.phase = phase, .draws = {.seed = seed}, .traffic = traffic, .combine = combine};
        judge_leveled(routing->network, routing->phase[phase].leveled);
        judged_path_set one = judge_path_set(routing, &selection, seen);
        all.packets += one.packets;
        all.congestion = larger(all.congestion, one.congestion);
        all.congestion_destinations = larger(all.congestion_destinations, one.congestion_destinations);
        all.shortest = one.packets && (!all.shortest || one.shortest < all.shortest) ? one.shortest : all.shortest;
        all.longest = larger(all.longest, one.longest);
    }
    for (np_packet i = 0; i < packets; i++) {
        bool moves = np_traffic_sources(traffic)[i] != np_traffic_destinations(traffic)[i];
        assert_int_equal(seen[i], moves);
    }
    free(seen);
    return all;
}

/* Checks that the sum delivered to each destination is the number of packets for it. */
static void judge_sums(const np_merge *merge, const np_path_set *path_set, const np_network *network)
{
    uint64_t *sum = calloc(np_network_nodes(network), sizeof *sum);
    for (np_packet i = 0; i < path_set->packets; i++) {
        sum[path_set->target[i]]++;
        if (np_merge_delivered(merge)[i])
            sum[path_set->target[i]] -= np_merge_values(merge)[i];
    }
    for (np_node v = 0; v < np_network_nodes(network); v++)
        assert_true(sum[v] == 0);
    free(sum);
}

static void route_phase(np_merge *merge, const np_leveled_routing *routing, const np_selection *selection,
                        const uint64_t *ones, uint32_t q)
{
    np_path_set path_set = chosen(routing, selection);
    np_merge_job job = {.leveled = routing->phase[selection->phase].leveled,
                        .path_set = &path_set,
                        .draws = selection->draws,
                        .value = ones};
    np_phase_run run;
    size_t longest = 0;
    assert_ok(np_merge_run(merge, &job, NULL, &run));
    for (np_packet i = 0; i < path_set.packets; i++)
        if (path_set.begin[i + 1] - path_set.begin[i] > longest)
            longest = path_set.begin[i + 1] - path_set.begin[i];
    assert_int_equal(run.packets, path_set.packets);
    assert_true(run.queue_real_max <= q);
    assert_true(run.steps >= (path_set.packets ? longest + 1 : 0));
    if (selection->combine)
        judge_sums(merge, &path_set, routing->network);
    else
        assert_int_equal(run.hops, path_set.begin[path_set.packets]);
    np_path_set_clear(&path_set);
}

void judge_routing(const np_leveled_routing *routing, const np_traffic *traffic, uint64_t seed, uint32_t q,
                   bool combine)
{
    np_packet packets = np_traffic_packets(traffic);
    uint64_t *ones = malloc((packets + 1) * sizeof *ones);
    np_merge_options options;
    np_merge *merge;
    for (np_packet i = 0; i < packets; i++)
        ones[i] = 1;
    np_merge_options_init(&options);
    options.queue_size = q;
    options.combine = combine ? NP_COMBINE_SUM : NP_COMBINE_NONE;
    assert_ok(np_merge_create(&options, &merge));
    for (unsigned phase = 0; phase < routing->phases; phase++) {
        np_selection selection = {
            .phase = phase, .draws = {.seed = seed, .phase = (uint16_t)phase}, .traffic = traffic, .combine = combine};
        route_phase(merge, routing, &selection, ones, q);
    }
    np_merge_free(merge);
    free(ones);
}

np_leveled_routing *judge_routing_of(const np_network *network, const char *name)
{
    np_leveled_routing *routing;
    assert_ok(np_leveled_routing_create(network, &routing));
    assert_string_equal(routing->ops->name, name);
    return routing;
}

void judge_routes(const char *spec, const char *name)
{
    static const char *const patterns[] = {"random", "complement", "hotspot:1", "random-function:3"};
    np_network *network = support_network(spec);
    np_leveled_routing *routing = judge_routing_of(network, name);
    for (size_t j = 0; j < sizeof patterns / sizeof *patterns; j++)
        for (uint64_t seed = 0; seed < 5; seed++) {
            np_traffic *traffic = support_traffic(network, patterns[j], seed);
            for (uint32_t q = 1; q <= 2; q++) {
                judge_routing(routing, traffic, seed, q, false);
                judge_routing(routing, traffic, seed, q, true);
            }
            np_traffic_free(traffic);
        }
    np_leveled_routing_free(routing);
    np_network_free(network);
}
