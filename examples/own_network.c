/*
 * A family of networks of one's own, with a path rule: the chordal ring. Node u of chordal-ring:N,C has links to
 * u + 1, u - 1, u + C and u - C, all modulo N. The rule "chords-first" goes forward: by chords of length C as long as
 * they do not pass the destination, then by single steps.
 *
 *     chordal-ring:12,4: from 0 to 6 by way of 4 and 5
 *
 * Once they are registered, every function that takes the name of a network or of a path rule takes these names.
 * How many steps does a random permutation take, by these paths and by shortest ones?
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netpram/netpram.h>

enum { FORWARD, BACK, CHORD_FORWARD, CHORD_BACK, PORTS };

typedef struct chordal_ring {
    uint32_t nodes, chord;
} chordal_ring;

/* "N,C" */
static np_status create(np_network *network, const char *parameters)
{
    char *end;
    chordal_ring *ring;
    unsigned long nodes = strtoul(parameters, &end, 10), chord = *end == ',' ? strtoul(end + 1, &end, 10) : 0;
    if (*end || nodes < 3 || nodes > 1000000 || chord < 2 || chord >= nodes)
        return np_status_raise(
            NP_ERROR_INPUT, "chordal-ring:%s: write N,C with N in 3..1000000 and C in 2..N-1, as in chordal-ring:12,4",
            parameters);
    np_status st = np_network_allocate(network, sizeof *ring, &ring);
    if (st)
        return st;
    ring->nodes = (uint32_t)nodes;
    ring->chord = (uint32_t)chord;
    np_network_shape(network, ring->nodes, PORTS);
    return NP_OK;
}

static void heads(const np_network *network, size_t count, const np_link *link, np_node *head)
{
    const chordal_ring *ring = np_network_own(network);
    const uint32_t forward[PORTS] = {1, ring->nodes - 1, ring->chord, ring->nodes - ring->chord};
    for (size_t i = 0; i < count; i++)
        head[i] = (link[i] / PORTS + forward[link[i] % PORTS]) % ring->nodes;
}

static const np_network_family family = {
    .info = {.name = "chordal-ring",
             .help = "ring of N nodes with chords of length C, degree 4",
             .source = "Arden & Lee 1981",
             .parameters = "N,C",
             .example = "chordal-ring:12,4"},
    .regular = true,
    .node_symmetric = true,
    .create = create,
    .heads = heads,
};

static const char *refuses(const np_network *network)
{
    /* np_network_own is of this type on networks of this family only. */
    return strcmp(np_network_family_name(network), family.info.name) ? "it goes by chords" : NULL;
}

/* The ticket is the destination. */
static void start(const np_path *path, const np_draws *draws, size_t count, const np_packet *packet, const np_node *at,
                  const np_node *to, np_ticket *ticket)
{
    (void)path, (void)draws, (void)packet, (void)at;
    for (size_t i = 0; i < count; i++)
        ticket[i] = to[i];
}

static uint32_t distance(const chordal_ring *ring, np_node at, np_ticket ticket)
{
    return ((np_node)ticket + ring->nodes - at) % ring->nodes;
}

static void next(const np_path *path, size_t count, const np_node *at, np_ticket *ticket, np_port *port)
{
    const chordal_ring *ring = np_network_own(np_path_network(path));
    for (size_t i = 0; i < count; i++) {
        uint32_t d = distance(ring, at[i], ticket[i]);
        port[i] = !d ? NP_NONE : d >= ring->chord ? CHORD_FORWARD : FORWARD;
    }
}

static void remaining(const np_path *path, size_t count, const np_node *at, const np_ticket *ticket, uint32_t *hops)
{
    const chordal_ring *ring = np_network_own(np_path_network(path));
    for (size_t i = 0; i < count; i++) {
        uint32_t d = distance(ring, at[i], ticket[i]);
        hops[i] = d / ring->chord + d % ring->chord;
    }
}

static const np_path_rule rule = {
    .info = {.name = "chords-first",
             .help = "forward, by chords and then by steps",
             .source = "",
             .networks = "chordal-ring"},
    .refuses = refuses,
    .start = start,
    .next = next,
    .remaining = remaining,
};

static np_status steps_by(const char *paths, const np_network *network)
{
    np_route_options options;
    np_route_result *result = NULL;
    np_route_options_init(&options);
    options.scheme = "greedy";
    options.paths = paths;
    np_status st = np_route(network, "random", &options, &result);
    if (!st)
        printf("%-12s %3.0f steps\n", paths, result->total_steps.mean);
    np_route_result_free(result);
    return st;
}

int main(void)
{
    np_network *network = NULL;
    np_status st;
    if ((st = np_network_register(&family)) || (st = np_path_register(&rule)))
        goto out;
    if ((st = np_network_create("chordal-ring:1000,31", &network)) || (st = np_network_audit(network)))
        goto out;
    if (!(st = steps_by("chords-first", network)))
        st = steps_by("all-pairs", network);
out:
    if (st)
        fprintf(stderr, "own_network: %s\n", np_last_error());
    np_network_free(network);
    return st != NP_OK;
}
