/*
 * A node is written as an array of digits, most significant first. A neighbour
 * is this array with some change, read back as a number. Slow and obvious.
 */
#include "oracle/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS_MAX = 32 };

typedef struct label {
    int count;
    uint32_t digit[DIGITS_MAX], base[DIGITS_MAX];
} label;

/* The numbers after the colon. */
typedef struct shape {
    int count;
    uint32_t number[DIGITS_MAX];
} shape;

static label write_label(uint32_t node, int count, const uint32_t *base)
{
    label x = {.count = count};
    for (int i = count - 1; i >= 0; i--) {
        x.base[i] = base[i];
        x.digit[i] = node % base[i];
        node = node / base[i];
    }
    return x;
}

static uint32_t read_label(label x)
{
    uint32_t node = 0;
    for (int i = 0; i < x.count; i++)
        node = node * x.base[i] + x.digit[i];
    return node;
}

static label equal_digits(uint32_t node, uint32_t base, uint32_t count)
{
    uint32_t bases[DIGITS_MAX];
    for (uint32_t i = 0; i < count; i++)
        bases[i] = base;
    return write_label(node, (int)count, bases);
}

static uint32_t power(uint32_t base, uint32_t exponent)
{
    uint32_t product = 1;
    while (exponent-- > 0)
        product *= base;
    return product;
}

static uint32_t across_hypercube(const shape *s, uint32_t u, uint32_t port)
{
    label x = equal_digits(u, 2, s->number[0]);
    x.digit[port] = 1 - x.digit[port];
    return read_label(x);
}

/* Two trees of order k-1 with roots connected by the last port. */
static uint32_t binomial(uint32_t k, uint32_t u, uint32_t port)
{
    uint32_t half = power(2, k - 1), inner;
    if (port == k - 1)
        return u == 0 ? half : u == half ? 0 : ORACLE_NONE;
    inner = binomial(k - 1, u % half, port);
    return inner == ORACLE_NONE ? ORACLE_NONE : u / half * half + inner;
}

static uint32_t across_binomial(const shape *s, uint32_t u, uint32_t port) { return binomial(s->number[0], u, port); }

/* Section 6(i): x^(k-1) = y^k for 2 <= k <= n, y^1 = port. */
static uint32_t across_shuffle(const shape *s, uint32_t u, uint32_t port)
{
    label x = equal_digits(u, s->number[0], s->number[1]), y = x;
    for (int k = 2; k <= x.count; k++)
        y.digit[k - 1] = x.digit[k - 2];
    y.digit[0] = port;
    return read_label(y);
}

/* Section 7, as the paper says it. */
static uint32_t across_shuffle_exchange(const shape *s, uint32_t u, uint32_t port)
{
    uint32_t nodes = power(2, s->number[0]);
    if (port == 0)
        return u < nodes / 2 ? 2 * u : 2 * u + 1 - nodes;
    return u % 2 == 0 ? u + 1 : u - 1;
}

/* A cube address of n bits and a position (level) of n values: n + 1 digits. */
static label write_cycle(uint32_t node, uint32_t n)
{
    uint32_t bases[DIGITS_MAX];
    for (uint32_t i = 0; i < n; i++)
        bases[i] = 2;
    bases[n] = n;
    return write_label(node, (int)n + 1, bases);
}

static uint32_t across_ccc(const shape *s, uint32_t u, uint32_t port)
{
    uint32_t n = s->number[0];
    label x = write_cycle(u, n);
    uint32_t position = x.digit[n];
    if (port == 0)
        x.digit[n] = (position + 1) % n;
    else if (port == 1)
        x.digit[n] = (position + n - 1) % n;
    else
        x.digit[position] = 1 - x.digit[position];
    return read_label(x);
}

static uint32_t across_butterfly(const shape *s, uint32_t u, uint32_t port)
{
    uint32_t n = s->number[0];
    label x = write_cycle(u, n);
    uint32_t level = x.digit[n], up = (level + 1) % n, down = (level + n - 1) % n;
    x.digit[n] = port < 2 ? up : down;
    if (port == 1)
        x.digit[level] = 1 - x.digit[level];
    if (port == 3)
        x.digit[down] = 1 - x.digit[down];
    return read_label(x);
}

static uint32_t across_grid(const shape *s, uint32_t u, uint32_t port, int wraps)
{
    label x = write_label(u, s->count, s->number);
    uint32_t i = port / 2;
    int64_t side = s->number[i], c = (int64_t)x.digit[i] + (port % 2 ? 1 : -1);
    if (!wraps && (c < 0 || c >= side))
        return ORACLE_NONE;
    x.digit[i] = (uint32_t)((c + side) % side);
    return read_label(x);
}

static uint32_t across_mesh(const shape *s, uint32_t u, uint32_t port) { return across_grid(s, u, port, 0); }
static uint32_t across_torus(const shape *s, uint32_t u, uint32_t port) { return across_grid(s, u, port, 1); }

static uint32_t across_complete(const shape *s, uint32_t u, uint32_t port) { return (u + 1 + port) % s->number[0]; }

/* PUs 0..P-1, then the switches row by row. Port 0 leads east, 1 north. */
static uint32_t across_crossbar(const shape *s, uint32_t u, uint32_t port)
{
    uint32_t side = s->number[0], column = u % side;
    if (u < side)
        return port == 0 ? side + u * side : ORACLE_NONE;
    uint32_t row = u / side - 1;
    if (port == 0)
        return column == side - 1 ? ORACLE_NONE : u + 1;
    return row == 0 ? column : side + (row - 1) * side + column;
}

/* "tree:H" is a binary tree. */
static uint32_t tree_arity(const shape *s) { return s->count == 2 ? s->number[0] : 2; }

static uint32_t tree_nodes(const shape *s)
{
    uint32_t nodes = 0;
    for (uint32_t level = 0; level <= s->number[s->count - 1]; level++)
        nodes += power(tree_arity(s), level);
    return nodes;
}

/* Children are numbered in order until all nodes are used. Port 0 leads up. */
static uint32_t across_tree(const shape *s, uint32_t u, uint32_t port)
{
    uint32_t next = 1, nodes = tree_nodes(s), up = ORACLE_NONE;
    for (uint32_t v = 0; v <= u && next < nodes; v++)
        for (uint32_t c = 1; c <= tree_arity(s); c++, next++) {
            if (next == u)
                up = v;
            if (v == u && c == port)
                return next;
        }
    return port == 0 ? up : ORACLE_NONE;
}

/* A node of a tree over one line is the interval of its leaves. */
typedef struct interval {
    uint32_t tree, first, length; /* tree: 0..n-1 rows, n..2n-1 columns */
} interval;

/* The interval of a leaf (row, column): tree `row`, first `column`, length 1. */
static interval interval_of(uint32_t n, uint32_t u)
{
    if (u < n * n)
        return (interval){u / n, u % n, 1};
    uint32_t count = n * n;
    for (uint32_t tree = 0; tree < 2 * n; tree++)
        for (uint32_t length = n; length > 1; length /= 2)
            for (uint32_t first = 0; first < n; first += length)
                if (count++ == u)
                    return (interval){tree, first, length};
    abort();
}

static uint32_t number_of(uint32_t n, interval x)
{
    if (x.length == 1)
        return x.tree < n ? x.tree * n + x.first : x.first * n + x.tree - n;
    uint32_t u = n * n;
    for (;; u++) {
        interval y = interval_of(n, u);
        if (y.tree == x.tree && y.first == x.first && y.length == x.length)
            return u;
    }
}

static uint32_t across_mesh_of_trees(const shape *s, uint32_t u, uint32_t port)
{
    uint32_t n = s->number[0];
    interval x = interval_of(n, u);
    if (x.length == 1) {
        if (port == 2)
            return ORACLE_NONE;
        uint32_t place = port == 0 ? x.first : x.tree;
        return number_of(n, (interval){port == 0 ? x.tree : n + x.first, place - place % 2, 2});
    }
    if (port == 0)
        return x.length == n ? ORACLE_NONE
                             : number_of(n, (interval){x.tree, x.first - x.first % (2 * x.length), 2 * x.length});
    x.length /= 2;
    x.first += port == 2 ? x.length : 0;
    return number_of(n, x);
}

static uint32_t factorial(uint32_t n) { return n > 1 ? n * factorial(n - 1) : 1; }

/* The next arrangement in lexicographic order. */
static void next_arrangement(uint32_t n, uint32_t *x)
{
    uint32_t i = n - 1, j = n - 1;
    while (x[i - 1] > x[i])
        i--;
    while (x[j] < x[i - 1])
        j--;
    uint32_t kept = x[i - 1];
    x[i - 1] = x[j];
    x[j] = kept;
    for (uint32_t a = i, b = n - 1; a < b; a++, b--) {
        kept = x[a];
        x[a] = x[b];
        x[b] = kept;
    }
}

static void arrangement_of(uint32_t n, uint32_t u, uint32_t *x)
{
    for (uint32_t i = 0; i < n; i++)
        x[i] = i;
    while (u-- > 0)
        next_arrangement(n, x);
}

static uint32_t number_of_arrangement(uint32_t n, const uint32_t *wanted)
{
    uint32_t x[DIGITS_MAX] = {0}, u = 0;
    arrangement_of(n, 0, x);
    for (; memcmp(x, wanted, n * sizeof *x) != 0; u++)
        next_arrangement(n, x);
    return u;
}

static uint32_t across_star(const shape *s, uint32_t u, uint32_t port)
{
    uint32_t x[DIGITS_MAX] = {0}, first;
    arrangement_of(s->number[0], u, x);
    first = x[0];
    x[0] = x[port + 1];
    x[port + 1] = first;
    return number_of_arrangement(s->number[0], x);
}

static uint32_t across_pancake(const shape *s, uint32_t u, uint32_t port)
{
    uint32_t x[DIGITS_MAX] = {0}, turned[DIGITS_MAX];
    arrangement_of(s->number[0], u, x);
    memcpy(turned, x, sizeof turned);
    for (uint32_t i = 0; i < port + 2; i++)
        turned[i] = x[port + 1 - i];
    return number_of_arrangement(s->number[0], turned);
}

static uint32_t product(const shape *s)
{
    uint32_t nodes = 1;
    for (int i = 0; i < s->count; i++)
        nodes *= s->number[i];
    return nodes;
}

static void size_of(const char *family, const shape *s, oracle_graph *graph)
{
    uint32_t a = s->number[0];
    if (!strcmp(family, "hypercube") || !strcmp(family, "binomial-tree"))
        graph->nodes = power(2, a), graph->ports = a;
    else if (!strcmp(family, "shuffle"))
        graph->nodes = power(a, s->number[1]), graph->ports = a;
    else if (!strcmp(family, "shuffle-exchange"))
        graph->nodes = power(2, a), graph->ports = 2;
    else if (!strcmp(family, "ccc"))
        graph->nodes = a * power(2, a), graph->ports = 3;
    else if (!strcmp(family, "butterfly"))
        graph->nodes = a * power(2, a), graph->ports = 4;
    else if (!strcmp(family, "complete"))
        graph->nodes = a, graph->ports = a - 1;
    else if (!strcmp(family, "crossbar"))
        graph->nodes = a * a + a, graph->ports = 2;
    else if (!strcmp(family, "tree"))
        graph->nodes = tree_nodes(s), graph->ports = tree_arity(s) + 1;
    else if (!strcmp(family, "mesh-of-trees"))
        graph->nodes = 3 * a * a - 2 * a, graph->ports = 3;
    else if (!strcmp(family, "star") || !strcmp(family, "pancake"))
        graph->nodes = factorial(a), graph->ports = a - 1;
    else
        graph->nodes = product(s), graph->ports = 2 * (uint32_t)s->count;
}

static const struct {
    const char *family;
    uint32_t (*across)(const shape *s, uint32_t u, uint32_t port);
} rules[] = {
    {"binomial-tree", across_binomial},
    {"hypercube", across_hypercube},
    {"shuffle", across_shuffle},
    {"shuffle-exchange", across_shuffle_exchange},
    {"ccc", across_ccc},
    {"butterfly", across_butterfly},
    {"mesh", across_mesh},
    {"array", across_mesh},
    {"torus", across_torus},
    {"ring", across_torus},
    {"complete", across_complete},
    {"crossbar", across_crossbar},
    {"tree", across_tree},
    {"mesh-of-trees", across_mesh_of_trees},
    {"star", across_star},
    {"pancake", across_pancake},
};

static shape read_shape(const char *text)
{
    shape s = {0};
    while (*text) {
        char *end;
        s.number[s.count++] = (uint32_t)strtoul(text, &end, 10);
        text = *end ? end + 1 : end;
    }
    return s;
}

static oracle_graph *simple(const char *spec)
{
    char family[32] = "";
    const char *colon = strchr(spec, ':');
    memcpy(family, spec, (size_t)(colon - spec));
    shape s = read_shape(colon + 1);
    oracle_graph *graph = malloc(sizeof *graph);
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
        if (strcmp(rules[r].family, family) != 0)
            continue;
        size_of(family, &s, graph);
        graph->head = malloc(sizeof(uint32_t) * graph->nodes * graph->ports);
        for (uint32_t u = 0; u < graph->nodes; u++)
            for (uint32_t p = 0; p < graph->ports; p++)
                graph->head[u * graph->ports + p] = rules[r].across(&s, u, p);
        return graph;
    }
    fprintf(stderr, "no oracle for %s\n", spec);
    abort();
}

/* (a, b) is joined to (a', b) and to (a, b'); first the ports of A. */
static oracle_graph *times(const oracle_graph *a, const oracle_graph *b)
{
    oracle_graph *graph = malloc(sizeof *graph);
    uint32_t ports = a->ports + b->ports, at = 0;
    graph->nodes = a->nodes * b->nodes;
    graph->ports = ports;
    graph->head = malloc(sizeof(uint32_t) * graph->nodes * ports);
    for (uint32_t x = 0; x < a->nodes; x++)
        for (uint32_t y = 0; y < b->nodes; y++) {
            for (uint32_t p = 0; p < a->ports; p++) {
                uint32_t to = a->head[x * a->ports + p];
                graph->head[at++] = to == ORACLE_NONE ? ORACLE_NONE : to * b->nodes + y;
            }
            for (uint32_t p = 0; p < b->ports; p++) {
                uint32_t to = b->head[y * b->ports + p];
                graph->head[at++] = to == ORACLE_NONE ? ORACLE_NONE : x * b->nodes + to;
            }
        }
    return graph;
}

/* product:A,B,...: factors without commas. */
oracle_graph *oracle_graph_of(const char *spec)
{
    char text[200];
    oracle_graph *graph = NULL;
    if (strncmp(spec, "product:", 8) != 0)
        return simple(spec);
    snprintf(text, sizeof text, "%s", spec + 8);
    for (char *factor = strtok(text, ","); factor; factor = strtok(NULL, ",")) {
        oracle_graph *next = simple(factor), *whole = graph ? times(graph, next) : next;
        if (graph) {
            oracle_graph_free(graph);
            oracle_graph_free(next);
        }
        graph = whole;
    }
    return graph;
}

void oracle_graph_free(oracle_graph *graph)
{
    free(graph->head);
    free(graph);
}

void oracle_graph_distances(const oracle_graph *graph, uint32_t from, uint32_t *distance)
{
    uint32_t *queue = malloc(sizeof *queue * graph->nodes), first = 0, last = 0;
    for (uint32_t u = 0; u < graph->nodes; u++)
        distance[u] = ORACLE_NONE;
    distance[from] = 0;
    queue[last++] = from;
    while (first < last) {
        uint32_t u = queue[first++];
        for (uint32_t p = 0; p < graph->ports; p++) {
            uint32_t v = graph->head[u * graph->ports + p];
            if (v == ORACLE_NONE || distance[v] != ORACLE_NONE)
                continue;
            distance[v] = distance[u] + 1;
            queue[last++] = v;
        }
    }
    free(queue);
}
