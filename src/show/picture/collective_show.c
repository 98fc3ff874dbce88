/*
 * A schedule as pictures (Sibeyn): for each round the network, and in the place of each node, subdivided like the
 * network, a mark for every packet: '#' if the node knows it, '.' if not. Marks between neighbours show who calls whom.
 * Calls between nodes that are not neighbours in the grid, as on hypercubes, are listed below the picture.
 */
#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "base/plural.h"
#include "base/written.h"
#include "model/network/read_node.h"
#include "show/table/collective.h"

enum { DRAWN_MAX = 64 };

typedef struct picture {
    const np_network *network;
    const np_collective_schedule *schedule;
    uint32_t nodes, rows, columns;              /* of the network */
    uint32_t pieces, block_rows, block_columns; /* of what a node knows */
    uint64_t known[DRAWN_MAX];
    bool sends[DRAWN_MAX][DRAWN_MAX]; /* in the present round */
} picture;

static np_status check(const np_network *network, const char *operation, uint64_t flits)
{
    if (strcmp(operation, "broadcast") && strcmp(operation, "gather") && strcmp(operation, "gossip"))
        return NP_RAISE(NP_ERROR_APPLY,
                        "--show draws what nodes know, which %s does not spread: it is for broadcast, gather "
                        "and gossip",
                        operation);
    if (np_network_nodes(network) > DRAWN_MAX || flits > DRAWN_MAX)
        return NP_RAISE(NP_ERROR_APPLY, "--show draws %d nodes and flits at most, not %u and %" PRIu64, DRAWN_MAX,
                        np_network_nodes(network), flits);
    return NP_OK;
}

np_status np_report_collective_drawable(const np_network *network, const char *operation,
                                        const np_collective_options *options)
{
    return check(network, operation, options ? options->flits : 0);
}

/* Sets rows and columns. Grid: the last dimension across. Hypercube: about a square. Other networks: one row. */
static void lay_out(picture *p)
{
    const char *spec = np_network_spec(p->network), *last = strrchr(spec, 'x');
    p->columns = p->nodes;
    if (np_network_is(p->network, NP_KIND_MESH | NP_KIND_TORUS)) {
        uint32_t side = 0;
        for (last = last ? last + 1 : strchr(spec, ':') + 1; *last >= '0' && *last <= '9'; last++)
            side = 10 * side + (uint32_t)(*last - '0');
        p->columns = side;
    } else if (np_network_is(p->network, NP_KIND_HYPERCUBE)) {
        while ((uint64_t)p->columns * p->columns > 2 * p->nodes)
            p->columns /= 2;
    }
    p->rows = p->nodes / p->columns;
}

static bool meet(const picture *p, uint32_t u, uint32_t v) { return p->sends[u][v] || p->sends[v][u]; }

static const char *across(const picture *p, uint32_t u, uint32_t v)
{
    return p->sends[u][v] && p->sends[v][u] ? "=" : p->sends[u][v] ? ">" : p->sends[v][u] ? "<" : " ";
}

static const char *down(const picture *p, uint32_t u, uint32_t v)
{
    return p->sends[u][v] && p->sends[v][u] ? "|" : p->sends[u][v] ? "v" : p->sends[v][u] ? "^" : " ";
}

/* A line of the picture as it grows: text, then no spaces at its end. */
typedef struct drawn_line {
    char text[DRAWN_MAX * (DRAWN_MAX + 2)];
    size_t length;
} drawn_line;

static void put(drawn_line *line, const char *text)
{
    while (*text)
        line->text[line->length++] = *text++;
}

static void print_line(drawn_line *line, FILE *stream)
{
    while (line->length && line->text[line->length - 1] == ' ')
        line->length--;
    if (line->length)
        fprintf(stream, "  %.*s", (int)line->length, line->text);
    fputc('\n', stream);
    line->length = 0;
}

static void draw_row(const picture *p, uint32_t row, uint32_t number, FILE *stream)
{
    drawn_line line = {.length = 0};
    for (uint32_t column = 0; column < p->columns; column++) {
        uint32_t u = row * p->columns + column;
        put(&line, column && number == p->block_rows / 2 ? across(p, u - 1, u) : column ? " " : "");
        for (uint32_t i = 0; i < p->block_columns; i++) {
            uint32_t piece = number * p->block_columns + i;
            put(&line, piece >= p->pieces ? " " : p->known[u] >> piece & 1 ? "#" : ".");
        }
    }
    print_line(&line, stream);
}

static void draw_gap(const picture *p, uint32_t row, FILE *stream)
{
    drawn_line line = {.length = 0};
    for (uint32_t column = 0; column < p->columns; column++) {
        uint32_t u = row * p->columns + column, middle = p->block_columns / 2;
        for (uint32_t i = 0; i <= p->block_columns; i++)
            put(&line, i == middle ? down(p, u, u + p->columns) : " ");
    }
    print_line(&line, stream);
}

/* Calls between nodes that are not drawn side by side. */
static void list_others(const picture *p, FILE *stream)
{
    bool first = true;
    for (uint32_t u = 0; u < p->nodes; u++)
        for (uint32_t v = u + 1; v < p->nodes; v++) {
            bool drawn = v == u + p->columns || (v == u + 1 && v % p->columns);
            if (!meet(p, u, v) || drawn)
                continue;
            fputs(first ? "  and " : ", ", stream);
            np_written(NP_MEDIUM_TERMINAL, NP_NODE_NAME(p->network, u), stream);
            fputs(across(p, u, v), stream);
            np_written(NP_MEDIUM_TERMINAL, NP_NODE_NAME(p->network, v), stream);
            first = false;
        }
    fputs(first ? "" : "\n", stream);
}

static void draw(const picture *p, FILE *stream)
{
    for (uint32_t row = 0; row < p->rows; row++) {
        for (uint32_t line = 0; line < p->block_rows; line++)
            draw_row(p, row, line, stream);
        if (row + 1 < p->rows)
            draw_gap(p, row, stream);
    }
    list_others(p, stream);
}

/* The round's messages arrive. Returns its steps. */
static size_t play(picture *p, size_t round)
{
    const np_collective_schedule *s = p->schedule;
    size_t longest = 0;
    memset(p->sends, 0, sizeof p->sends);
    for (size_t i = s->first[round], run = 0; i < s->first[round + 1]; i++) {
        np_node u = np_network_link_tail(p->network, s->link[i]), v = np_network_link_head(p->network, s->link[i]);
        run = i > s->first[round] && s->link[i] == s->link[i - 1] ? run + 1 : 1;
        longest = run > longest ? run : longest;
        p->sends[u][v] = true;
        p->known[v] |= UINT64_C(1) << s->piece[i];
    }
    return longest;
}

np_status np_report_collective_show(const np_network *network, const np_collective_result *result, FILE *stream)
{
    picture *p;
    np_status st;
    if (!result->schedule)
        return NP_OK;
    if ((st = check(network, result->operation, result->flits)) ||
        (st = np_memory_zeroed(&p, 1, sizeof *p, "a picture")))
        return st;
    bool broadcast = !strcmp(result->operation, "broadcast");
    *p = (picture){.network = network, .schedule = result->schedule, .nodes = np_network_nodes(network)};
    p->pieces = (uint32_t)result->packets;
    lay_out(p);
    p->block_rows = broadcast ? 1 : p->rows;
    p->block_columns = broadcast ? p->pieces : p->columns;
    for (uint32_t u = 0; u < p->nodes; u++)
        p->known[u] = !broadcast ? UINT64_C(1) << u : u == result->root ? UINT64_MAX : 0;
    fputs("\nschedule: after each round, what is known (#) of each packet, by node; = | both ways, > v < ^ one way\n",
          stream);
    for (size_t round = 0; round < p->schedule->rounds; round++) {
        size_t steps = play(p, round);
        fprintf(stream, "\nround %zu, %zu step%s\n\n", round + 1, steps, np_plural(steps));
        draw(p, stream);
    }
    np_memory_free(p);
    return NP_OK;
}
