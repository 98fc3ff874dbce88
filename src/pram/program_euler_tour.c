/*
 * The parent and the depth of every vertex of a tree with root 0, by its Euler tour (Tarjan & Vishkin 1985).
 *
 * Each edge is two arcs, twins. After arc (u,v) the tour takes the arc that follows the twin (v,u)
 * in the circle of arcs from v. The tour begins with arc 0, the first arc from the root, and ends
 * before it would take arc 0 again. So the arcs are a list. Ranking tells which of two twins comes
 * first: the first one goes down. Give +1 to arcs down and -1 to arcs up; the sums from an arc to
 * the end are again a list ranking. The sum of all arcs is 0, so the depth of v is 1 - S, where S
 * is the sum of the arc down to v.
 *
 * The input is the arcs sorted by tail, their twins and the circles, as in textbooks. EREW: no two
 * arcs have the same twin or the same successor.
 */
#include "pram/program.h"

static size_t answers(const np_problem *p) { return 2 * p->n; }

/* A random recursive tree: vertex v hangs from one of 0 .. v-1. */
static np_status draw_tree(np_problem *p)
{
    uint32_t *from, *to;
    size_t edges = p->n - 1;
    np_status st;
    if ((st = np_workspace_take(&p->work, &from, edges, sizeof *from)) ||
        (st = np_workspace_take(&p->work, &to, edges, sizeof *to)))
        return st;
    for (size_t v = 1; v < p->n; v++) {
        from[v - 1] = np_random_below(&p->draws, (uint32_t)v, 2, (uint32_t)v);
        to[v - 1] = (uint32_t)v;
    }
    return np_graph_make(&p->work, p->n, edges, from, to, &p->graph);
}

/* Walks the graph from the root. parent, depth: [n]; returns how many vertices are reached. */
static size_t walk(const np_graph *g, uint32_t *stack, np_word *parent, np_word *depth)
{
    size_t top = 1, reached = 1;
    for (size_t v = 0; v < g->vertices; v++)
        depth[v] = parent[v] = -1;
    stack[0] = 0;
    depth[0] = 0;
    while (top) {
        uint32_t v = stack[--top];
        for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
            uint32_t w = g->head[a];
            if (depth[w] >= 0)
                continue;
            depth[w] = depth[v] + 1;
            parent[w] = v;
            stack[top++] = w;
            reached++;
        }
    }
    return reached;
}

static np_status expect(np_problem *p, np_word *expected)
{
    uint32_t *stack;
    np_status st = np_workspace_take(&p->work, &stack, p->n, sizeof *stack);
    if (!st)
        walk(&p->graph, stack, expected, expected + p->n);
    return st;
}

static np_status prepare(np_problem *p)
{
    uint32_t *stack;
    np_word *scratch;
    np_status st;
    if (!p->options.input)
        return draw_tree(p);
    if ((st = np_workspace_take(&p->work, &stack, p->n, sizeof *stack)) ||
        (st = np_workspace_take(&p->work, &scratch, 2 * p->n, sizeof *scratch)))
        return st;
    size_t reached = walk(&p->graph, stack, scratch, scratch + p->n);
    if (reached < p->n)
        return NP_RAISE(NP_ERROR_INPUT, "%.60s: no tree: only %zu of its %zu nodes are connected with node 0",
                        p->options.input, reached, p->n);
    if (p->graph.arcs != 2 * (p->n - 1))
        return NP_RAISE(NP_ERROR_INPUT, "%.60s: no tree: %zu edges join its %zu nodes, and not %zu", p->options.input,
                        p->graph.arcs / 2, p->n, p->n - 1);
    return NP_OK;
}

typedef struct state {
    np_problem *p;
    np_pram *pram;
    size_t arcs;
    np_address twins, around, heads, tails, parents, depths, sums; /* in memory */
    np_address *address;                                           /* this and the rest: [arcs], one processor an arc */
    np_word *twin, *next, *rank, *sum, *got, *head;
    uint8_t *down;
} state;

/*
 * twin[a]: in sorted order, the arcs into v come in the same order as the arcs from v. around[a]:
 * next in the circle.
 */
static np_status load(state *s)
{
    const np_graph *g = &s->p->graph;
    uint32_t *twin, *around, *cursor;
    np_status st;
    if ((st = np_workspace_take(&s->p->work, &twin, s->arcs, sizeof *twin)) ||
        (st = np_workspace_take(&s->p->work, &around, s->arcs, sizeof *around)) ||
        (st = np_workspace_take(&s->p->work, &cursor, g->vertices, sizeof *cursor)))
        return st;
    for (size_t a = 0; a < s->arcs; a++) {
        uint32_t v = g->head[a], u = g->tail[a];
        twin[a] = g->first[v] + cursor[v]++;
        around[a] = a + 1 < g->first[u + 1] ? (uint32_t)a + 1 : g->first[u];
    }
    if ((st = np_program_load_numbers(s->p, s->pram, s->arcs, twin, "twin", &s->twins)) ||
        (st = np_program_load_numbers(s->p, s->pram, s->arcs, around, "around", &s->around)) ||
        (st = np_program_load_numbers(s->p, s->pram, s->arcs, g->head, "head", &s->heads)) ||
        (st = np_program_load_numbers(s->p, s->pram, s->arcs, g->tail, "tail", &s->tails)) ||
        (st = np_pram_allocate(s->pram, g->vertices, "parent", &s->parents)))
        return st;
    return np_pram_allocate(s->pram, g->vertices, "depth", &s->depths);
}

static np_status take(state *s)
{
    np_word **word[] = {&s->twin, &s->next, &s->rank, &s->sum, &s->got, &s->head};
    np_status st;
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if ((st = np_workspace_take(&s->p->work, word[i], s->arcs, sizeof **word[i])))
            return st;
    if ((st = np_workspace_take(&s->p->work, &s->down, s->arcs, sizeof *s->down)))
        return st;
    return np_workspace_take(&s->p->work, &s->address, s->arcs, sizeof *s->address);
}

static np_status read_own(const state *s, np_address base, np_word *value, const char *label)
{
    np_program_own(s->p, base, s->arcs, s->address);
    return np_pram_read(s->pram, s->arcs, s->address, NULL, value, label);
}

static np_status read_of_twin(const state *s, np_address base, np_word *value, const char *label)
{
#pragma omp parallel for num_threads(np_program_team(s->p, s->arcs))
    for (size_t a = 0; a < s->arcs; a++)
        s->address[a] = base + (np_address)s->twin[a];
    return np_pram_read(s->pram, s->arcs, s->address, NULL, value, label);
}

static void successor(const state *s)
{
#pragma omp parallel for num_threads(np_program_team(s->p, s->arcs))
    for (size_t a = 0; a < s->arcs; a++)
        s->next[a] = s->got[a] ? s->got[a] : -1; /* arc 0 is where the tour began */
}

static np_status rank_arcs(state *s)
{
    np_status st;
    if ((st = read_own(s, s->twins, s->twin, "read the twin")) ||
        (st = read_of_twin(s, s->around, s->got, "read what follows the twin")))
        return st;
    successor(s);
#pragma omp parallel for num_threads(np_program_team(s->p, s->arcs))
    for (size_t a = 0; a < s->arcs; a++)
        s->rank[a] = 1;
    if ((st = np_program_jump(s->p, s->pram, s->arcs, s->next, s->rank, "rank", &s->sums)))
        return st;
    successor(s);
    return read_of_twin(s, s->sums, s->got, "read the rank of the twin");
}

static np_status sum_levels(state *s)
{
    np_address sums;
#pragma omp parallel for num_threads(np_program_team(s->p, s->arcs))
    for (size_t a = 0; a < s->arcs; a++) {
        s->down[a] = s->rank[a] > s->got[a];
        s->sum[a] = s->down[a] ? 1 : -1;
    }
    return np_program_jump(s->p, s->pram, s->arcs, s->next, s->sum, "level", &sums);
}

/* The arc down to v knows the parent and depth of v and writes them. */
static np_status answer_vertices(const state *s)
{
    np_status st;
    if ((st = read_own(s, s->heads, s->head, "read the head")) || (st = read_own(s, s->tails, s->got, "read the tail")))
        return st;
#pragma omp parallel for num_threads(np_program_team(s->p, s->arcs))
    for (size_t a = 0; a < s->arcs; a++)
        s->address[a] = s->parents + (np_address)s->head[a];
    if ((st = np_pram_write(s->pram, s->arcs, s->address, s->down, s->got, "write the parent")))
        return st;
#pragma omp parallel for num_threads(np_program_team(s->p, s->arcs))
    for (size_t a = 0; a < s->arcs; a++) {
        s->address[a] = s->depths + (np_address)s->head[a];
        s->got[a] = 1 - s->sum[a];
    }
    return np_pram_write(s->pram, s->arcs, s->address, s->down, s->got, "write the depth");
}

static np_status run(np_problem *p, np_pram *pram, np_word *answer)
{
    const np_word none = -1;
    state s = {.p = p, .pram = pram, .arcs = p->graph.arcs};
    np_status st;
    if ((st = load(&s)) || (st = take(&s)) || (st = np_pram_write(pram, 1, &s.parents, NULL, &none, "the root")))
        return st;
    if (s.arcs && ((st = rank_arcs(&s)) || (st = sum_levels(&s)) || (st = answer_vertices(&s))))
        return st;
    if ((st = np_pram_get(pram, s.parents, p->n, answer)))
        return st;
    return np_pram_get(pram, s.depths, p->n, answer + p->n);
}

static void needs(const np_problem *p, np_program_needs *out)
{
    size_t n = p->n, arcs = p->graph.arcs;
    out->cells = 4 * arcs + 2 * n;
    out->processors = arcs ? arcs : 1;
    out->steps = 9;
    np_program_take(out, 11, arcs, sizeof(np_word));
    np_program_take(out, 1, arcs, 1);
    np_program_take(out, 2, arcs, sizeof(uint32_t));
    np_program_take(out, 3, n, sizeof(uint32_t));
    if (p->options.input)
        np_program_take(out, 1, 2 * n, sizeof(np_word));
    np_program_jump_needs(arcs, out);
    np_program_jump_needs(arcs, out);
}

const np_program_ops np_program_euler_tour = {
    .info = {.entry = {"euler-tour",
                       "parent and depth of every vertex of a tree, by ranking the arcs of its Euler tour",
                       "Tarjan & Vishkin 1985", .rule = "erew"},
             .size = "vertices",
             .rule = NP_RULE_EREW,
             .input = NP_INPUT_GRAPH,
             .n = 1024,
             .n_max = UINT64_C(1) << 23},
    .prepare = prepare,
    .answers = answers,
    .needs = needs,
    .run = run,
    .expect = expect,
};
