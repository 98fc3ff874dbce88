/*
 * See shares.h. Rules that draw nothing, or among a few tickets of the same likelihood (np_path_rule.ways), are walked:
 * the path of every pair, all to one destination at a time, twice: to count the pairs of each link, and to list them.
 *
 * Where hosts hang on every switch and a rule of the switches serves them, the switches are walked: a switch is a row
 * and a column. Where a rule spreads, hosts that share their only switch are alike, too.
 */
#include "verdict/worst/shares.h"

#include <string.h>

#include "base/exact.h"
#include "base/memory.h"
#include "base/room.h"
#include "model/path/k_shortest.h"
#include "model/path/listed.h"
#include "model/path/routes.h"

extern const np_path_rule np_path_shortest;

np_status np_shares_add(np_shares *s, uint32_t row, uint32_t column, int64_t share)
{
    np_status st = np_memory_need(&s->share, s->shares, s->shares + 1, &s->room, sizeof *s->share, "shares of a link");
    if (!st)
        s->share[s->shares++] = (np_share_of_link){row, column, share};
    return st;
}

/* ---- Walks ---- */

/* The paths to one column from all rows. */
typedef struct walks {
    np_shares *shares;
    const bool *wanted;
    const np_path *path; /* of the network, or of its switches */
    uint32_t column, count;
    np_node *at, *to;        /* [from.sets] */
    uint32_t *row;           /* [from.sets] */
    bool lists;              /* the second time */
    const np_listed *listed; /* the paths to the column, at least; NULL: others */
    np_k_shortest *shortest; /* who lists them; NULL: a file has */
} walks;

/* Are the paths of a pair a list, each with its weight? */
static bool has_list(const np_path *path) { return path->listed || path->rule == &np_path_k_shortest; }

/* Where a packet of the set starts or ends: on the switches, if these are walked. */
static np_node place_of(const np_shares *s, const np_siblings *sets, uint32_t i)
{
    return s->path->inner ? sets->gate[i] : sets->node[i];
}

/* The packet of the row takes the link; on some of its ways, if shares are listed. */
static void cross(walks *w, np_link link, uint32_t row, int64_t share)
{
    np_shares *s = w->shares;
    if (!w->wanted[link])
        return;
    if (w->lists) {
        s->pair[s->first[link]] = w->column * s->from.sets + row;
        if (s->part)
            s->part[s->first[link]] = share;
    }
    s->first[link]++;
}

/* All of a batch take hop after hop. */
static void walk(walks *w, const np_path *path, np_node *at, np_ticket *ticket, uint32_t *row, uint32_t count)
{
    np_port port[NP_PATH_BATCH];
    while (count) {
        uint32_t left = 0;
        path->rule->next(path, count, at, ticket, port);
        for (uint32_t i = 0; i < count; i++) {
            if (port[i] == NP_NONE)
                continue;
            cross(w, np_network_link_at(w->shares->network, at[i], port[i]), row[i], 0);
            at[left] = np_network_link_head(path->network, np_network_link_at(path->network, at[i], port[i]));
            ticket[left] = ticket[i];
            row[left++] = row[i];
        }
        count = left;
    }
}

/* The `way`-th of the tickets of each packet; those that have not so many leave. Returns how many are left. */
static uint32_t take_tickets(walks *w, uint32_t way, uint32_t first, uint32_t count, np_node *at, np_ticket *ticket,
                             uint32_t *row)
{
    np_shares *s = w->shares;
    uint32_t left = 0;
    for (uint32_t i = first; i < first + count; i++) {
        uint32_t ways = w->path->rule->ways(w->path, w->at[i], w->to[i], way, &ticket[left]);
        s->ways[(size_t)w->column * s->from.sets + w->row[i]] = (uint16_t)ways;
        if (way >= ways)
            continue;
        at[left] = w->at[i];
        row[left++] = w->row[i];
    }
    return left;
}

static void walk_ways(walks *w, uint32_t first, uint32_t count)
{
    np_node at[NP_PATH_BATCH];
    uint32_t row[NP_PATH_BATCH], left;
    np_ticket ticket[NP_PATH_BATCH];
    for (uint32_t way = 0; (left = take_tickets(w, way, first, count, at, ticket, row)); way++)
        walk(w, w->path, at, ticket, row, left);
}

static void walk_only_way(walks *w, const np_path *path, uint32_t first, uint32_t count)
{
    const np_draws draws = {.purpose = NP_RANDOM_TICKET};
    np_packet packet[NP_PATH_BATCH];
    np_ticket ticket[NP_PATH_BATCH];
    for (uint32_t i = 0; i < count; i++)
        packet[i] = first + i;
    path->rule->start(path, &draws, count, packet, w->at + first, w->to + first, ticket);
    walk(w, path, w->at + first, ticket, w->row + first, count);
}

/* A path of a file, and what of its pair takes it. Parallel links share evenly. */
static void walk_listed(walks *w, const np_listed_way *way, np_node at, uint32_t row, uint64_t weight, uint64_t all)
{
    const np_graph *graph = w->path->graph;
    for (uint32_t k = 0; k < way->hops; k++) {
        np_link first = graph->row[at] + w->listed->port[way->place + k], link = first;
        uint64_t twins = 0;
        do {
            twins++;
            link = graph->twin ? graph->twin[link] : first;
        } while (link != first);
        np_wide parts = (np_wide)all * twins, share = (np_wide)NP_SHARES_UNIT * weight;
        w->shares->rounded |= share % parts != 0;
        do { /* rounded up: a pair may take the link by several of its ways */
            cross(w, link, row, (int64_t)((share + parts - 1) / parts));
            link = graph->twin ? graph->twin[link] : first;
        } while (link != first);
        at = graph->head[first];
    }
}

static np_status walk_listed_column(walks *w)
{
    for (uint32_t i = 0; i < w->count; i++) {
        size_t count;
        const np_listed_way *way = np_listed_find(w->listed, w->at[i], w->to[i], &count);
        if (!way)
            return np_path_refuse_pair(w->path, w->at[i], w->to[i]);
        for (size_t k = 0; k < count; k++)
            walk_listed(w, &way[k], w->at[i], w->row[i], way[k].upto - (k ? way[k - 1].upto : 0), way[count - 1].upto);
    }
    return NP_OK;
}

static np_status walk_column(walks *w)
{
    np_status ready = w->shortest ? np_k_shortest_to(w->shortest, w->count, w->at, *w->to, &w->listed) : NP_OK;
    if (ready || w->listed)
        return ready ? ready : walk_listed_column(w);
    const np_demand demand = {.count = w->count, .from = w->at, .to = w->to};
    np_routes *routes = NULL;
    np_path bound;
    np_status st = np_routes_for(w->path, &demand, &bound, &routes);
    for (uint32_t first = 0, some; first < w->count && !st; first += some) {
        some = w->count - first < NP_PATH_BATCH ? w->count - first : NP_PATH_BATCH;
        if (w->path->rule->ways)
            walk_ways(w, first, some);
        else
            walk_only_way(w, &bound, first, some);
    }
    np_routes_free(routes);
    return st;
}

static np_status walk_all(walks *w, const np_watch *watch)
{
    np_shares *s = w->shares;
    np_status st = NP_OK;
    for (w->column = 0; w->column < s->to.sets && !st; w->column++) {
        np_node target = place_of(s, &s->to, w->column);
        w->count = 0;
        for (uint32_t i = 0; i < s->from.sets; i++)
            if (place_of(s, &s->from, i) != target) {
                w->at[w->count] = place_of(s, &s->from, i);
                w->to[w->count] = target;
                w->row[w->count++] = i;
            }
        if (!(st = np_watch_share(watch, "paths", (w->lists + (double)w->column / s->to.sets) / 2)))
            st = walk_column(w);
    }
    return st;
}

/* Counts of links become the places of their pairs. */
static np_status place_pairs(np_shares *s)
{
    uint64_t sum = 0, count;
    for (np_link link = 0; link <= s->network->link_numbers; link++, sum += count) {
        count = s->first[link];
        s->first[link] = sum;
    }
    np_status st = np_memory_array(&s->pair, sum, sizeof *s->pair, "the pairs of links");
    return st || !has_list(s->path) ? st : np_memory_array(&s->part, sum, sizeof *s->part, "the shares of pairs");
}

static np_status walk_twice(walks *w, const np_watch *watch)
{
    np_shares *s = w->shares;
    np_link numbers = s->network->link_numbers;
    size_t pairs = (size_t)s->from.sets * s->to.sets;
    np_status st;
    if (pairs > UINT32_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "%u sources and %u destinations: paths of 2^32 pairs at most are looked at",
                        s->from.sets, s->to.sets);
    if ((st = np_memory_zeroed(&s->first, (size_t)numbers + 1, sizeof *s->first, "the pairs of links")) ||
        (w->path->rule->ways && (st = np_memory_zeroed(&s->ways, pairs, sizeof *s->ways, "the ways of pairs"))) ||
        (st = walk_all(w, watch)) || (st = place_pairs(s)))
        return st;
    w->lists = true;
    if ((st = walk_all(w, watch)))
        return st;
    memmove(s->first + 1, s->first, numbers * sizeof *s->first);
    s->first[0] = 0;
    return NP_OK;
}

static np_status init_walked(np_shares *s, const bool *wanted, const np_watch *watch)
{
    walks w = {.shares = s, .wanted = wanted, .path = s->path->inner ? s->path->inner : s->path};
    np_status st;
    w.listed = w.path->listed;
    if (!(st = np_memory_array(&w.at, s->from.sets, sizeof *w.at, "packets")) &&
        !(st = np_memory_array(&w.to, s->from.sets, sizeof *w.to, "packets")) &&
        !(st = np_memory_array(&w.row, s->from.sets, sizeof *w.row, "packets")) &&
        (w.path->rule != &np_path_k_shortest || !(st = np_k_shortest_create(w.path, &w.shortest))))
        st = walk_twice(&w, watch);
    np_k_shortest_free(w.shortest);
    NP_MEMORY_FREE(w.at, w.to, w.row);
    return st;
}

static np_status find_walked(np_shares *s, np_link link)
{
    np_status st = NP_OK;
    for (uint64_t k = s->first[link]; k < s->first[link + 1] && !st; k++) {
        uint32_t pair = s->pair[k], ways = s->ways ? s->ways[pair] : 1;
        s->rounded |= NP_SHARES_UNIT % ways != 0;
        /* Rounded up: a pair may take the link by several of its ways. */
        st = np_shares_add(s, pair % s->from.sets, pair / s->from.sets,
                           s->part ? s->part[k] : (NP_SHARES_UNIT + ways - 1) / ways);
    }
    return st;
}

/* ---- Which way ---- */

static np_status refuse(const np_path *path)
{
    const np_path *by = path->inner ? path->inner : path;
    const np_chooser *chooser = by->rule->chooser;
    if (chooser && chooser->together)
        return NP_RAISE(NP_ERROR_APPLY,
                        "paths '%.80s': each path depends on the other packets, so links expect nothing "
                        "of a pair",
                        np_path_name(path));
    if (!np_path_draws(by) || by->rule->ways || has_list(by))
        return NP_OK;
    return NP_RAISE(
        NP_ERROR_APPLY,
        "paths '%.80s': the shares of links are not known where a rule draws, but of shortest, spray, ecmp, "
        "cheapest, k-shortest, cyclic-order, random-order, dimension-order:drawn, file and valiant",
        np_path_name(path));
}

/* Every set is a node that has neighbours of its own: rules that walk may tell hosts of a switch apart. */
static void part(np_siblings *sets, const np_network *network, bool outputs)
{
    sets->sets = network->terminals;
    for (np_node i = 0; i < network->terminals; i++) {
        sets->first[i] = sets->member[i] = i;
        sets->size[i] = 1;
        sets->node[i] = outputs ? np_network_output(network, i) : np_network_input(network, i);
        sets->second[i] = sets->gate[i] = NP_NONE;
    }
    sets->first[network->terminals] = network->terminals;
}

static bool is_spread(const np_path *path)
{
    const np_path_rule *rule = path->inner ? path->inner->rule : path->rule;
    return rule->even || rule == &np_path_shortest;
}

np_status np_shares_check(const np_path *path) { return is_spread(path) ? NP_OK : refuse(path); }

np_status np_shares_init(np_shares *s, const np_path *path, const bool *wanted, const np_watch *watch)
{
    const np_path_rule *rule = path->inner ? path->inner->rule : path->rule;
    np_status st;
    *s = (np_shares){.path = path, .network = path->network};
    s->even = rule->even;
    s->spreads = is_spread(path);
    if ((st = np_shares_check(path)) || (st = np_siblings_init(&s->from, s->network, false)) ||
        (st = np_siblings_init(&s->to, s->network, true)))
        return st;
    /* A rule that walks may tell hosts of a switch apart, and so do the costs of their cables. */
    if (s->spreads ? path->graph && path->graph->cost : !path->inner) {
        part(&s->from, s->network, false);
        part(&s->to, s->network, true);
    }
    return s->spreads ? np_spread_init(s, watch) : init_walked(s, wanted, watch);
}

void np_shares_clear(np_shares *s)
{
    np_siblings_clear(&s->from);
    np_siblings_clear(&s->to);
    np_search_clear(&s->search);
    NP_MEMORY_FREE(s->block, s->first, s->pair, s->ways, s->part, s->share);
    *s = (np_shares){0};
}

np_status np_shares_find(np_shares *s, np_link link)
{
    s->shares = 0;
    return s->spreads ? np_spread_find(s, link) : find_walked(s, link);
}
