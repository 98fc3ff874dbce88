/*
 * A routing scheme of one's own, on meshes of any number of dimensions. As in Valiant's scheme, a packet goes to a
 * random node first and to its destination then. But here the random node is one of the box between source and
 * destination, so that no packet makes a detour:
 *
 *     s . . +      s source, d destination, + the other corners of the box;
 *     . . x .      phase A goes from s to x, which is any node of the box,
 *     + . . d      phase B from x to d: 5 hops, as many as straight from s to d
 *
 * Is the random choice worth it, on a permutation that is bad for straight paths?
 */
#include <stdio.h>
#include <string.h>

#include <netpram/netpram.h>

/* One coordinate after the other, the last dimension first. Packet i's choice in a dimension is its draw of this
 * number. */
static np_node in_box(const np_aim *aim, size_t i)
{
    np_node from = aim->at[i], to = aim->destination[i], node = 0, stride = 1;
    for (unsigned dimension = np_network_dimensions(aim->network); dimension--;) {
        uint32_t side = np_network_side(aim->network, dimension), a = from % side, b = to % side;
        uint32_t low = a < b ? a : b, high = a < b ? b : a;
        node += (low + np_draw_below(aim->draws, aim->packet[i], dimension, high - low + 1)) * stride;
        from /= side;
        to /= side;
        stride *= side;
    }
    return node;
}

static void targets(const np_aim *aim, np_node *to)
{
    for (size_t i = 0; i < aim->count; i++)
        to[i] = aim->phase == 0 ? in_box(aim, i) : aim->destination[i];
}

static const char *refuses(const np_network *network)
{
    return strcmp(np_network_family_name(network), "mesh") ? "it draws coordinates of a mesh" : NULL;
}

static const char *const phases[] = {"A", "B", NULL};

static const np_queueing queueing = {
    .paths = "dimension-order",
    .queue = "fifo",
    .names = phases,
    .targets = targets,
};

static const np_scheme scheme = {
    .info = {.name = "romm",
             .help = "by way of a random node of the box between source and destination",
             .source = "Nesson & Johnsson 1995",
             .networks = "mesh"},
    .refuses = refuses,
    .queueing = &queueing,
};

static np_status steps_of(const char *name, const np_network *network)
{
    np_route_options options;
    np_route_result *result = NULL;
    np_route_options_init(&options);
    options.scheme = name;
    options.paths = name == scheme.info.name ? NULL : "dimension-order";
    options.overlap = true; /* a packet does not wait for the others between its phases */
    options.runs = 10;
    np_status st = np_route(network, "transpose", &options, &result);
    if (!st)
        printf("%-8s %5.1f steps, at most %4.1f packets over a link\n", name, result->total_steps.mean,
               result->phase[0].congestion.mean);
    np_route_result_free(result);
    return st;
}

int main(void)
{
    static const char *const names[] = {"greedy", "valiant", "romm"};
    np_network *network = NULL;
    np_status st = np_scheme_register(&scheme);
    if (!st)
        st = np_network_create("mesh:32x32", &network);
    for (size_t i = 0; !st && i < sizeof names / sizeof *names; i++)
        st = steps_of(names[i], network);
    if (st)
        fprintf(stderr, "own_scheme: %s\n", np_last_error());
    np_network_free(network);
    return st != NP_OK;
}
