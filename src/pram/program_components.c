/*
 * Connected components in O(log n) rounds (Shiloach & Vishkin 1982). Every vertex v has a pointer
 * D(v). The pointers make a forest, and trees merge until each component is one tree. There is a
 * processor for each vertex and one for each arc. Round s, with D' the pointers at its beginning:
 *
 *   1  D(v) = D'(D'(v)); where that changes something, Q(D(v)) = s
 *   2  arc (i,j), D(i) = D'(i), D(j) < D(i):                  D(D(i)) = D(j), Q(D(j)) = s
 *   3  arc (i,j), D(i) = D(D(i)), Q(D(i)) < s, D(i) != D(j):  D(D(i)) = D(j)
 *   4  D(v) = D(D(v))
 *
 * until a round in which no Q was set to s. In 2 a star hooks to a smaller vertex, whichever arc
 * wins the concurrent write. Q marks the trees to which something happened. Trees without a mark
 * ("stagnant") hook to any neighbour in 3: no two stagnant trees are adjacent, or one would have
 * hooked to the other in 2. After 4 the vertices of a stagnant tree are leaves. In 2 only winners
 * set Q; an arc reads D(D(i)) to know whether it has won. If losers set Q too, a star with the
 * largest number in its middle could keep its trees from ever being stagnant, at the cost of a
 * round for each vertex.
 *
 * Theorem: at most log n + 2 rounds, the logarithm to base 3/2. Under a rule that spoils concurrent
 * writes the program might never end. So it stops after 2 ceil(log2 n) + 4 rounds, which is never
 * less than the bound of the theorem.
 *
 * All processors read one cell that says whether the loop goes on. Any winner of a concurrent write
 * will do: CRCW arbitrary. The winners decide which vertex names a component; normal() gives each
 * component the number of its least vertex.
 */
#include <stdio.h>

#include "base/plural.h"
#include "pram/program.h"

/* Registers of the processors of vertices, or of the processors of arcs. */
typedef struct lanes {
    const np_problem *p;
    size_t count;
    np_address *address;
    uint8_t *active;
    np_word *a, *b, *c, *d;
} lanes;

typedef struct state {
    np_pram *pram;
    lanes vertex, arc;
    const np_graph *graph;
    np_word *tail, *head;        /* [arcs] registers of the arcs */
    np_address D, old, Q, going; /* in memory */
    np_word round;
} state;

static np_status take_lanes(np_problem *p, size_t count, lanes *l)
{
    np_word **word[] = {&l->a, &l->b, &l->c, &l->d};
    np_status st;
    l->p = p;
    l->count = count;
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if ((st = np_workspace_take(&p->work, word[i], count, sizeof **word[i])))
            return st;
    if ((st = np_workspace_take(&p->work, &l->address, count, sizeof *l->address)))
        return st;
    return np_workspace_take(&p->work, &l->active, count, sizeof *l->active);
}

/* value = array[index] */
static np_status get(np_pram *pram, const lanes *l, np_address array, const np_word *index, const uint8_t *active,
                     np_word *value, const char *label)
{
#pragma omp parallel for num_threads(np_program_team(l->p, l->count))
    for (size_t i = 0; i < l->count; i++)
        l->address[i] = array + (active && !active[i] ? 0 : (np_address)index[i]);
    return np_pram_read(pram, l->count, l->address, active, value, label);
}

/* array[index] = value */
static np_status set(np_pram *pram, const lanes *l, np_address array, const np_word *index, const uint8_t *active,
                     const np_word *value, const char *label)
{
#pragma omp parallel for num_threads(np_program_team(l->p, l->count))
    for (size_t i = 0; i < l->count; i++)
        l->address[i] = array + (active && !active[i] ? 0 : (np_address)index[i]);
    return np_pram_write(pram, l->count, l->address, active, value, label);
}

static void fill(const lanes *l, np_word value, np_word *out)
{
#pragma omp parallel for num_threads(np_program_team(l->p, l->count))
    for (size_t i = 0; i < l->count; i++)
        out[i] = value;
}

static void number(const lanes *l, np_word *out)
{
#pragma omp parallel for num_threads(np_program_team(l->p, l->count))
    for (size_t i = 0; i < l->count; i++)
        out[i] = (np_word)i;
}

/* a: own number, b: D(v), c: D(D(v)). active: where b and c differ. */
static np_status look_up(const state *s)
{
    const lanes *v = &s->vertex;
    np_status st;
    number(v, v->a);
    if ((st = get(s->pram, v, s->D, v->a, NULL, v->b, "read D(v)")) ||
        (st = get(s->pram, v, s->D, v->b, NULL, v->c, "read D(D(v))")))
        return st;
#pragma omp parallel for num_threads(np_program_team(v->p, v->count))
    for (size_t i = 0; i < v->count; i++)
        v->active[i] = v->b[i] != v->c[i];
    return NP_OK;
}

static np_status shortcut(const state *s)
{
    const lanes *v = &s->vertex;
    np_status st;
    if ((st = look_up(s)) || (st = set(s->pram, v, s->old, v->a, NULL, v->b, "1: keep D'(v)")) ||
        (st = set(s->pram, v, s->D, v->a, v->active, v->c, "1: D(v) = D'(D'(v))")))
        return st;
    fill(v, s->round, v->d);
    return set(s->pram, v, s->Q, v->c, v->active, v->d, "1: mark Q(D(v))");
}

static np_status hook_smaller(const state *s)
{
    const lanes *e = &s->arc;
    np_status st;
    if ((st = get(s->pram, e, s->D, s->tail, NULL, e->a, "2: read D(i)")) ||
        (st = get(s->pram, e, s->old, s->tail, NULL, e->b, "2: read D'(i)")) ||
        (st = get(s->pram, e, s->D, s->head, NULL, e->c, "2: read D(j)")))
        return st;
#pragma omp parallel for num_threads(np_program_team(e->p, e->count))
    for (size_t i = 0; i < e->count; i++)
        e->active[i] = e->a[i] == e->b[i] && e->c[i] < e->a[i];
    fill(e, s->round, e->d);
    if ((st = set(s->pram, e, s->D, e->a, e->active, e->c, "2: hook to a smaller vertex")) ||
        (st = get(s->pram, e, s->D, e->a, e->active, e->b, "2: who has won?")))
        return st;
#pragma omp parallel for num_threads(np_program_team(e->p, e->count))
    for (size_t i = 0; i < e->count; i++)
        e->active[i] &= e->b[i] == e->c[i];
    return set(s->pram, e, s->Q, e->c, e->active, e->d, "2: mark Q(D(j))");
}

static np_status hook_stagnant(const state *s)
{
    const lanes *e = &s->arc;
    np_status st;
    if ((st = get(s->pram, e, s->D, s->tail, NULL, e->a, "3: read D(i)")) ||
        (st = get(s->pram, e, s->D, e->a, NULL, e->b, "3: read D(D(i))")) ||
        (st = get(s->pram, e, s->Q, e->a, NULL, e->d, "3: read Q(D(i))")) ||
        (st = get(s->pram, e, s->D, s->head, NULL, e->c, "3: read D(j)")))
        return st;
#pragma omp parallel for num_threads(np_program_team(e->p, e->count))
    for (size_t i = 0; i < e->count; i++)
        e->active[i] = e->a[i] == e->b[i] && e->d[i] < s->round && e->a[i] != e->c[i];
    return set(s->pram, e, s->D, e->a, e->active, e->c, "3: hook a stagnant tree");
}

static np_status shortcut_again(const state *s)
{
    const lanes *v = &s->vertex;
    np_status st = look_up(s);
    return st ? st : set(s->pram, v, s->D, v->a, v->active, v->c, "4: D(v) = D(D(v))");
}

/* *go_on: some Q was set in this round. */
static np_status ask_all(const state *s, bool *go_on)
{
    const lanes *v = &s->vertex;
    np_status st;
    if ((st = get(s->pram, v, s->Q, v->a, NULL, v->b, "read Q(v)")))
        return st;
#pragma omp parallel for num_threads(np_program_team(v->p, v->count))
    for (size_t i = 0; i < v->count; i++)
        v->active[i] = v->b[i] == s->round;
    fill(v, 0, v->c);
    fill(v, s->round, v->d);
    if ((st = set(s->pram, v, s->going, v->c, v->active, v->d, "something happened")) ||
        (st = get(s->pram, v, s->going, v->c, NULL, v->b, "did something happen?")))
        return st;
    *go_on = v->b[0] == s->round;
    return NP_OK;
}

static np_status prepare_memory(np_problem *p, state *s)
{
    const np_graph *g = s->graph;
    np_address tails, heads;
    np_status st;
    if ((st = np_program_load_numbers(p, s->pram, g->arcs, g->tail, "tail", &tails)) ||
        (st = np_program_load_numbers(p, s->pram, g->arcs, g->head, "head", &heads)) ||
        (st = np_pram_allocate(s->pram, p->n, "D", &s->D)) || (st = np_pram_allocate(s->pram, p->n, "D'", &s->old)) ||
        (st = np_pram_allocate(s->pram, p->n, "Q", &s->Q)) || (st = np_pram_allocate(s->pram, 1, "going", &s->going)) ||
        (st = take_lanes(p, p->n, &s->vertex)) || (st = take_lanes(p, g->arcs, &s->arc)) ||
        (st = np_workspace_take(&p->work, &s->tail, g->arcs, sizeof *s->tail)) ||
        (st = np_workspace_take(&p->work, &s->head, g->arcs, sizeof *s->head)))
        return st;
    number(&s->arc, s->arc.a);
    number(&s->vertex, s->vertex.a);
    if (g->arcs && ((st = get(s->pram, &s->arc, tails, s->arc.a, NULL, s->tail, "read the tail")) ||
                    (st = get(s->pram, &s->arc, heads, s->arc.a, NULL, s->head, "read the head"))))
        return st;
    return set(s->pram, &s->vertex, s->D, s->vertex.a, NULL, s->vertex.a, "D(v) = v");
}

static np_status run(np_problem *p, np_pram *pram, np_word *answer)
{
    state s = {.pram = pram, .graph = &p->graph};
    bool go_on = true;
    np_status st = prepare_memory(p, &s);
    np_word most = 2 * (np_word)np_program_rounds(p->n) + 4;
    while (!st && go_on && s.round < most) {
        s.round++;
        if (!(st = shortcut(&s)) && s.arc.count && !(st = hook_smaller(&s)))
            st = hook_stagnant(&s);
        if (!st && !(st = shortcut_again(&s)))
            st = ask_all(&s, &go_on);
    }
    return st ? st : np_pram_get(pram, s.D, p->n, answer);
}

static size_t answers(const np_problem *p) { return p->n; }

/* Names each component by its least vertex. A name that is no vertex stays as it is: it is wrong. */
static np_status normal(np_problem *p, np_word *answer)
{
    np_word *least;
    np_status st = np_workspace_take(&p->work, &least, p->n, sizeof *least);
    for (size_t v = p->n; !st && v-- > 0;)
        if (answer[v] >= 0 && (uint64_t)answer[v] < p->n)
            least[answer[v]] = (np_word)v;
    for (size_t v = 0; !st && v < p->n; v++)
        if (answer[v] >= 0 && (uint64_t)answer[v] < p->n)
            answer[v] = least[answer[v]];
    return st;
}

/* The root of v, with halving of paths. In a union the smaller root comes on top. */
static np_word find(np_word *parent, np_word v)
{
    while (parent[v] != v)
        v = parent[v] = parent[parent[v]];
    return v;
}

static np_status expect(np_problem *p, np_word *expected)
{
    for (size_t v = 0; v < p->n; v++)
        expected[v] = (np_word)v;
    for (size_t a = 0; a < p->graph.arcs; a++) {
        np_word u = find(expected, p->graph.tail[a]), v = find(expected, p->graph.head[a]);
        expected[u > v ? u : v] = u > v ? v : u;
    }
    for (size_t v = 0; v < p->n; v++)
        expected[v] = find(expected, (np_word)v);
    return NP_OK;
}

static uint64_t words(const np_problem *p, const np_word *answer, char *text, size_t size)
{
    size_t count = 0;
    for (size_t v = 0; v < p->n; v++)
        count += (size_t)answer[v] == v;
    snprintf(text, size, "%zu component%s of %zu vertices, %zu edges", count, np_plural(count), p->n,
             p->graph.arcs / 2);
    return count;
}

static void needs(const np_problem *p, np_program_needs *out)
{
    size_t n = p->n, arcs = p->graph.arcs;
    out->cells = 2 * arcs + 3 * n + 1;
    out->processors = n > arcs ? n : arcs;
    out->steps = 24 * (2 * (uint64_t)np_program_rounds(n) + 4);
    np_program_take(out, 6, n, sizeof(np_word));
    np_program_take(out, 1, n, 1);
    np_program_take(out, 9, arcs, sizeof(np_word));
    np_program_take(out, 1, arcs, 1);
}

const np_program_ops np_program_components = {
    .info = {.entry = {"components", "connected components of a graph, in O(log n) rounds", "Shiloach & Vishkin 1982",
                       .rule = "crcw-arbitrary"},
             .size = "vertices",
             .rule = NP_RULE_ARBITRARY,
             .input = NP_INPUT_GRAPH,
             .takes_edges = true,
             .n = 1024,
             .n_max = UINT64_C(1) << 25},
    .answers = answers,
    .needs = needs,
    .run = run,
    .normal = normal,
    .expect = expect,
    .words = words,
};
