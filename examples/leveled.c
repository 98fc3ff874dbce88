/*
 * A leveled network of one's own, and paths of one's own on it. Node (l, r) has links to (l + 1, r) and to (l + 1, r +
 * 1), rows modulo 16. It is leveled, so scheme `ranked` routes on it as it is:
 *
 *     level  0   1   2        a packet that is for s rows further crosses s of the 15 levels
 *     row 0  o---o---o        by the second link, and the others by the first
 *             \   \
 *     row 1  o---o---o
 *
 * Which levels? "cross-first" takes the first ones, "cross-anywhere" draws them. On the traffic below the first rule
 * spreads the packets evenly, and the second one makes some links busier (c). Yet steps are in proportion to c + L +
 * log2 N at most, and L is the largest of the three.
 */
#include <stdio.h>
#include <string.h>

#include <netpram/netpram.h>

enum { LEVELS = 15, ROWS = 16, PER_INPUT = 4, NODES = (LEVELS + 1) * ROWS, LINKS = 2 * LEVELS * ROWS };

static np_status make_network(np_network **out)
{
    static np_node from[LINKS], to[LINKS];
    for (np_node k = 0; k < LINKS; k++) {
        np_node level = k / 2 / ROWS, row = k / 2 % ROWS;
        from[k] = k / 2;
        to[k] = (level + 1) * ROWS + (row + k % 2) % ROWS; /* port 0 straight, port 1 across */
    }
    return np_network_from_links(NODES, LINKS, from, to, out);
}

/* All inputs send to the same few outputs: row r to rows 4, 5, 6 and 7 further. */
static np_status make_traffic(const np_network *network, np_traffic **out)
{
    static np_node from[ROWS * PER_INPUT], to[ROWS * PER_INPUT];
    for (np_packet p = 0; p < ROWS * PER_INPUT; p++) {
        from[p] = p / PER_INPUT;
        to[p] = LEVELS * ROWS + (from[p] + 4 + p % PER_INPUT) % ROWS;
    }
    return np_traffic_from_arrays(network, ROWS * PER_INPUT, from, to, NULL, out);
}

static const char *refuses(const np_network *network)
{
    return np_network_nodes(network) == NODES && !strcmp(np_network_spec(network), "links") ? NULL : "it crosses rows";
}

/* The ticket has bit l if the packet crosses at level l. */
static void cross_first(const np_path *path, const np_draws *draws, size_t count, const np_packet *packet,
                        const np_node *at, const np_node *to, np_ticket *ticket)
{
    (void)path, (void)draws, (void)packet;
    for (size_t i = 0; i < count; i++)
        ticket[i] = (UINT64_C(1) << (to[i] + ROWS - at[i]) % ROWS) - 1;
}

/* Each choice of as many levels is as likely. */
static void cross_anywhere(const np_path *path, const np_draws *draws, size_t count, const np_packet *packet,
                           const np_node *at, const np_node *to, np_ticket *ticket)
{
    (void)path;
    for (size_t i = 0; i < count; i++) {
        uint32_t rows = (to[i] + ROWS - at[i]) % ROWS;
        ticket[i] = 0;
        for (uint32_t level = 0; level < LEVELS; level++)
            if (np_draw_below(draws, packet[i], level, LEVELS - level) < rows) {
                ticket[i] |= UINT64_C(1) << level;
                rows--;
            }
    }
}

static void next(const np_path *path, size_t count, const np_node *at, np_ticket *ticket, np_port *port)
{
    (void)path;
    for (size_t i = 0; i < count; i++)
        port[i] = at[i] / ROWS == LEVELS ? NP_NONE : ticket[i] >> at[i] / ROWS & 1;
}

static void remaining(const np_path *path, size_t count, const np_node *at, const np_ticket *ticket, uint32_t *hops)
{
    (void)path, (void)ticket;
    for (size_t i = 0; i < count; i++)
        hops[i] = LEVELS - at[i] / ROWS;
}

static const np_path_rule first = {
    .info = {.name = "cross-first", .help = "crosses rows first", .source = "", .networks = "links"},
    .refuses = refuses,
    .start = cross_first,
    .next = next,
    .remaining = remaining};
static const np_path_rule anywhere = {
    .info = {.name = "cross-anywhere", .help = "crosses rows at random levels", .source = "", .networks = "links"},
    .randomized = true,
    .refuses = refuses,
    .start = cross_anywhere,
    .next = next,
    .remaining = remaining};

static np_status route(const char *scheme, const char *paths, const np_network *network, const np_traffic *traffic)
{
    np_route_options options;
    np_route_result *result = NULL;
    np_route_options_init(&options);
    options.scheme = scheme;
    options.paths = paths;
    options.runs = 10;
    np_status st = np_route_traffic(network, traffic, &options, &result);
    if (!st)
        printf("%-7s %-14s  c %4.1f  L %.0f  %4.1f steps\n", scheme, paths, result->phase[0].congestion.mean,
               result->phase[0].levels.mean, result->total_steps.mean);
    np_route_result_free(result);
    return st;
}

int main(void)
{
    static const char *const schemes[] = {"ranked", "waves"};
    np_network *network = NULL;
    np_traffic *traffic = NULL;
    np_status st;
    if ((st = np_path_register(&first)) || (st = np_path_register(&anywhere)) || (st = make_network(&network)) ||
        (st = make_traffic(network, &traffic)))
        goto out;
    for (size_t i = 0; i < 2 && !st; i++)
        if (!(st = route(schemes[i], first.info.name, network, traffic)))
            st = route(schemes[i], anywhere.info.name, network, traffic);
out:
    if (st)
        fprintf(stderr, "leveled: %s\n", np_last_error());
    np_traffic_free(traffic);
    np_network_free(network);
    return st != NP_OK;
}
