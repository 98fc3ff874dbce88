/* See merging_case.h. There is no traffic. Packets have the numbers 0, 3, 6, ..., as if a phase moved every third. */
#include "oracle/merging_case.h"

#include "support.h"

enum { SPREAD = 3, PACKETS_MAX = 48, CROWD_MAX = 1000, HOPS_MAX = 16 };

/* The draws of one trial, taken one after the other. */
typedef struct dice {
    np_draws draws;
    uint32_t draw;
} dice;

static uint32_t below(dice *d, uint32_t bound) { return np_random_below(&d->draws, 0, d->draw++, bound); }
static uint32_t between(dice *d, uint32_t low, uint32_t high) { return low + below(d, high - low + 1); }
static bool one_in(dice *d, uint32_t chances) { return below(d, chances) == 0; }

static void *zeroed(size_t count, size_t size)
{
    void *pointer = calloc(count ? count : 1, size);
    assert_non_null(pointer);
    return pointer;
}

/* ---- networks ---- */

enum { LINKS_MAX = 3, HOST_LINKS_MAX = 6 };

/* Links of the host, 1 .. HOST_LINKS_MAX. */
static uint32_t draw_host_links(const dice *d) { return 1 + np_random_below(&d->draws, 1, 0, HOST_LINKS_MAX); }

/* An edge that crosses up to LINKS_MAX links of the host. */
static void add_edge(np_leveled *lv, const dice *d, uint32_t tail, uint32_t head)
{
    const uint32_t edge = lv->edges, links = np_random_below(&d->draws, 2, edge, LINKS_MAX + 1);
    np_link link[LINKS_MAX];
    for (uint32_t i = 0; i < links; i++)
        link[i] = np_random_below(&d->draws, 3 + i, edge, lv->host_links);
    np_leveled_add_edge(lv, tail, head, links, link);
}

/* Levels of 1 to 5 nodes. A node sends up to 4 edges to any nodes of the next level; it may have no edge out or in. */
static np_leveled *draw_irregular(dice *d)
{
    const uint32_t depth = between(d, 0, 8), hosts = between(d, 1, 12);
    uint32_t width[HOPS_MAX], first[HOPS_MAX], nodes = 0;
    np_leveled *lv;
    np_leveled sizes =
        np_leveled_sizes(depth, 5 * (depth + 1), 4 * 5 * depth, LINKS_MAX * 4 * 5 * depth, hosts, draw_host_links(d));
    assert_ok(np_leveled_create(&sizes, &lv));
    for (uint32_t level = 0; level <= depth; level++) {
        width[level] = between(d, 1, 5);
        first[level] = nodes;
        for (uint32_t i = 0; i < width[level]; i++)
            nodes = np_leveled_add_node(lv, level, below(d, hosts)) + 1;
    }
    for (uint32_t level = 0; level < depth; level++)
        for (uint32_t i = 0; i < width[level]; i++)
            for (uint32_t ports = one_in(d, 10) ? 0 : between(d, 1, 4); ports > 0; ports--)
                add_edge(lv, d, first[level] + i, first[level + 1] + below(d, width[level + 1]));
    assert_ok(np_leveled_finish(lv));
    return lv;
}

/* Columns of 2^k rows, each level straight or crossed. Some have the width that the engine for columns needs. */
static np_leveled *draw_columns(dice *d)
{
    const uint32_t depth = between(d, 1, 8), bits = one_in(d, 20) ? between(d, 6, 8) : below(d, 4), rows = 1u << bits;
    np_leveled *lv;
    np_leveled sizes = np_leveled_sizes(depth, rows * (depth + 1), 2 * rows * depth, LINKS_MAX * 2 * rows * depth, rows,
                                        draw_host_links(d));
    assert_ok(np_leveled_create(&sizes, &lv));
    for (uint32_t v = 0; v < rows * (depth + 1); v++)
        np_leveled_add_node(lv, v / rows, v % rows);
    for (uint32_t level = 0; level < depth; level++) {
        uint32_t cross = bits && !one_in(d, 4) ? 1u << below(d, bits) : 0;
        for (uint32_t row = 0; row < rows; row++) {
            add_edge(lv, d, level * rows + row, (level + 1) * rows + row);
            if (cross)
                add_edge(lv, d, level * rows + row, (level + 1) * rows + (row ^ cross));
        }
    }
    assert_ok(np_leveled_finish(lv));
    return lv;
}

/* ---- packets ---- */

/* A packet from any node, along a path of any ports and any length. Its target is any number. */
static void walk(merging_case *c, dice *d, uint32_t i, uint32_t crowd, uint32_t targets)
{
    const np_leveled *lv = c->leveled;
    uint32_t v = below(d, crowd);
    np_path_set_add(&c->path_set, SPREAD * i, v, below(d, targets));
    while (lv->out[v + 1] > lv->out[v] && !one_in(d, 6)) {
        uint32_t port = below(d, lv->out[v + 1] - lv->out[v]);
        np_path_set_hop(&c->path_set, port);
        v = lv->head[lv->out[v] + port];
    }
}

/* towards[v] = the port by which node v sends all packets for `end`; NP_NONE if no way leads from v to `end`. */
static void draw_tree(const np_leveled *lv, dice *d, uint32_t end, uint32_t *towards)
{
    for (uint32_t v = lv->nodes; v-- > 0;) {
        uint32_t choices = 0;
        towards[v] = NP_NONE;
        for (uint32_t e = lv->out[v]; e < lv->out[v + 1]; e++)
            if ((lv->head[e] == end || towards[lv->head[e]] != NP_NONE) && one_in(d, ++choices))
                towards[v] = e - lv->out[v];
    }
}

/* Draws packets to some ends, which are their targets. To each end they go along a tree. */
static void walk_trees(merging_case *c, dice *d, uint32_t packets)
{
    const np_leveled *lv = c->leveled;
    const uint32_t ends = between(d, 1, lv->nodes < 4 ? lv->nodes : 4);
    const uint32_t last = one_in(d, 2) ? below(d, lv->nodes) : lv->nodes - 1, stride = between(d, 1, lv->nodes / ends);
    uint32_t *towards = zeroed(lv->nodes, sizeof *towards), made = 0;
    for (uint32_t k = 0; k < ends; k++) {
        uint32_t end = (last + lv->nodes - k * stride) % lv->nodes; /* the ends are all different */
        draw_tree(lv, d, end, towards);
        for (uint32_t stop = packets * (k + 1) / ends; made < stop; made++) {
            uint32_t v = below(d, end + 1);
            while (v != end && towards[v] == NP_NONE)
                v = v + 1;
            np_path_set_add(&c->path_set, SPREAD * made, v, end);
            for (; v != end; v = lv->head[lv->out[v] + towards[v]])
                np_path_set_hop(&c->path_set, towards[v]);
        }
    }
    free(towards);
}

static void draw_packets(merging_case *c, dice *d)
{
    const uint32_t nodes = c->leveled->nodes;
    uint32_t packets = between(d, 0, nodes > 64 ? CROWD_MAX : one_in(d, 2) ? 12 : PACKETS_MAX);
    assert_ok(np_path_set_reset(&c->path_set, packets, (size_t)packets * HOPS_MAX));
    if (c->options.combine != NP_COMBINE_NONE) {
        walk_trees(c, d, packets);
        return;
    }
    uint32_t crowd = one_in(d, 3) ? 1 + below(d, nodes) : nodes, targets = one_in(d, 3) ? 3 : nodes;
    for (uint32_t i = 0; i < packets; i++)
        walk(c, d, i, crowd, targets);
}

/* ---- options ---- */

static void draw_options(np_merge_options *options, dice *d, merging_kind kind)
{
    const bool plain = kind == MERGING_PLAIN, single = plain || kind == MERGING_NO_GHOSTS;
    np_merge_options_init(options);
    options->queue_size = between(d, 1, 4);
    options->room = !plain && one_in(d, 3) ? NP_ROOM_FREED : NP_ROOM_BEGIN;
    options->combine =
        !plain && one_in(d, 3) ? (np_combine)between(d, NP_COMBINE_FIRST, NP_COMBINE_OR) : NP_COMBINE_NONE;
    options->rank_range = one_in(d, 2) ? between(d, 1, 6) : 1000;
    options->no_ghosts = kind == MERGING_NO_GHOSTS || (kind == MERGING_ANY && one_in(d, 8));
    if (kind == MERGING_ANY && one_in(d, 4))
        options->ghosts = NP_GHOSTS_ROOM;
    if (single || !one_in(d, 3))
        return;
    options->message_least = between(d, 1, 3);
    options->message_most = options->message_least + below(d, 4);
    options->message_mode = (np_message_mode)below(d, 3);
}

/* Draws ranks: from a file, by the engine, or set with the path set; by target if packets combine. */
static void draw_ranks(merging_case *c, dice *d)
{
    const uint32_t packets = c->path_set.packets, range = c->options.rank_range, salt = below(d, 1000);
    const bool combine = c->options.combine != NP_COMBINE_NONE;
    const np_draws own = np_draws_for(c->job.draws, NP_RANDOM_RANK);
    const uint32_t way = below(d, 3);
    c->rank_by_number = zeroed((size_t)packets * SPREAD, sizeof *c->rank_by_number);
    for (uint32_t i = 0; i < packets; i++) {
        uint32_t rank = 1 + (combine ? c->path_set.target[i] * (2 * salt + 1) % range : below(d, range));
        if (way == 0 && !combine)
            rank = np_random_below(&own, SPREAD * i, 0, range) + 1;
        c->path_set.rank[i] = c->rank_by_number[SPREAD * i] = rank;
    }
    c->job.ranked = way == 1;
    if (way == 2 || (way == 0 && combine)) {
        c->options.ranks = NP_RANKS_FILE;
        c->options.ranks_given = true;
        c->options.rank = c->rank_by_number;
        c->options.rank_packets = packets * SPREAD;
    }
}

static void draw_values(merging_case *c, dice *d)
{
    const uint32_t packets = c->path_set.packets;
    c->value_by_number = zeroed((size_t)packets * SPREAD, sizeof *c->value_by_number);
    for (uint32_t i = 0; i < packets; i++)
        c->value_by_number[SPREAD * i] = below(d, 200);
    c->job.value = one_in(d, 4) ? NULL : c->value_by_number;
}

/* ---- the case for the twin ---- */

static void mirror_packets(merging_case *c)
{
    const np_path_set *path_set = &c->path_set;
    const np_merge_options *options = &c->options;
    const uint32_t span = options->message_most - options->message_least + 1;
    np_draws sizes = np_draws_for(c->job.draws, NP_RANDOM_SIZE);
    sizes.phase = 0;
    c->length = zeroed(path_set->packets, sizeof *c->length);
    c->value = zeroed(path_set->packets, sizeof *c->value);
    for (uint32_t i = 0; i < path_set->packets; i++) {
        uint32_t number = path_set->packet[i];
        c->length[i] = options->message_least + np_random_below(&sizes, number, 0, span);
        c->value[i] = c->job.value ? c->job.value[number] : number;
    }
}

void merging_case_mirror(merging_case *c)
{
    const np_leveled *lv = c->leveled;
    const np_path_set *path_set = &c->path_set;
    c->level = zeroed(lv->nodes, sizeof *c->level);
    for (uint32_t level = 0; level <= lv->depth; level++)
        for (uint32_t v = lv->first[level]; v < lv->first[level + 1]; v++)
            c->level[v] = level;
    mirror_packets(c);
    c->plain =
        (oracle_merging_case){.depth = lv->depth,
                              .nodes = lv->nodes,
                              .edges = lv->edges,
                              .host_nodes = lv->host_nodes,
                              .level = c->level,
                              .host = lv->host,
                              .tail = lv->tail,
                              .head = lv->head,
                              .host_links = lv->host_links,
                              .walk = lv->walk,
                              .link = lv->link,
                              .packets = path_set->packets,
                              .origin = path_set->origin,
                              .target = path_set->target,
                              .rank = path_set->rank,
                              .begin = path_set->begin,
                              .port = path_set->port,
                              .length = c->length,
                              .value = c->value,
                              .queue_size = c->options.queue_size,
                              .room = c->options.room,
                              .combine = c->options.combine,
                              .mode = c->options.message_mode,
                              .in_step = c->options.combine != NP_COMBINE_NONE && c->options.message_most > 1 &&
                                         c->options.message_mode != NP_MESSAGES_CYCLES,
                              .in_cycles = c->options.message_most > 1 && c->options.message_mode == NP_MESSAGES_CYCLES,
                              .no_ghosts = c->options.no_ghosts,
                              .ghosts = c->options.ghosts};
}

void merging_case_draw(merging_case *c, merging_kind kind, uint32_t trial)
{
    dice d = {{trial, 0, 0, NP_RANDOM_CHECK}, 0};
    *c = (merging_case){0};
    draw_options(&c->options, &d, kind);
    c->leveled = one_in(&d, 3) ? draw_columns(&d) : draw_irregular(&d);
    draw_packets(c, &d);
    c->job = (np_merge_job){.leveled = c->leveled, .path_set = &c->path_set};
    c->job.draws = (np_draws){trial, below(&d, 3), (uint16_t)below(&d, 3), 0};
    c->job.workers = below(&d, 4);
    draw_ranks(c, &d);
    draw_values(c, &d);
    merging_case_mirror(c);
}

void merging_case_clear(merging_case *c)
{
    np_leveled_free(c->leveled);
    np_path_set_clear(&c->path_set);
    free(c->level);
    free(c->rank_by_number);
    free(c->length);
    free(c->value);
    free(c->value_by_number);
    *c = (merging_case){0};
}
