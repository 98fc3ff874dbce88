/*
 * Distances from vertex 0, level by level, with a processor for each arc. In round r the arcs that
 * leave a vertex at distance r write r + 1 to its neighbours that have no distance yet. All writers
 * of a cell write the same: CRCW common. An arc is done after its round. This is simple but not
 * efficient: D rounds, work m D, where D is the largest distance.
 *
 * Memory holds distances plus 1: it is zero at the beginning, and zero means "none".
 */
#include <stdio.h>

#include "pram/program.h"

typedef struct state {
    const np_problem *p;
    np_pram *pram;
    size_t arcs;
    np_address level, going;
    np_address *address; /* [arcs], and so are the rest */
    np_word *tail, *head, *got, *value;
    uint8_t *waiting, *active;
} state;

static size_t answers(const np_problem *p) { return p->n; }

static np_status read_ends(const state *s, np_address tails, np_address heads)
{
    np_status st;
    np_program_own(s->p, tails, s->arcs, s->address);
    if ((st = np_pram_read(s->pram, s->arcs, s->address, NULL, s->tail, "read the tail")))
        return st;
    np_program_own(s->p, heads, s->arcs, s->address);
    return np_pram_read(s->pram, s->arcs, s->address, NULL, s->head, "read the head");
}

static np_status take(np_problem *p, state *s)
{
    const np_graph *g = &p->graph;
    np_word **word[] = {&s->tail, &s->head, &s->got, &s->value};
    np_address tails, heads;
    np_status st;
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if ((st = np_workspace_take(&p->work, word[i], g->arcs, sizeof **word[i])))
            return st;
    if ((st = np_workspace_take(&p->work, &s->address, g->arcs, sizeof *s->address)) ||
        (st = np_workspace_take(&p->work, &s->waiting, g->arcs, sizeof *s->waiting)) ||
        (st = np_workspace_take(&p->work, &s->active, g->arcs, sizeof *s->active)) ||
        (st = np_program_load_numbers(p, s->pram, g->arcs, g->tail, "tail", &tails)) ||
        (st = np_program_load_numbers(p, s->pram, g->arcs, g->head, "head", &heads)) ||
        (st = np_pram_allocate(s->pram, p->n, "level", &s->level)) ||
        (st = np_pram_allocate(s->pram, 1, "going", &s->going)))
        return st;
    return s->arcs ? read_ends(s, tails, heads) : NP_OK;
}

static void aim(const state *s, const np_word *vertex)
{
#pragma omp parallel for num_threads(np_program_team(s->p, s->arcs))
    for (size_t a = 0; a < s->arcs; a++)
        s->address[a] = s->level + (np_address)vertex[a];
}

/* Makes active the arcs whose tail has the level and whose head has none. */
static np_status find_front(const state *s, np_word level)
{
    np_status st;
    aim(s, s->tail);
    if ((st = np_pram_read(s->pram, s->arcs, s->address, s->waiting, s->got, "read the level of the tail")))
        return st;
#pragma omp parallel for num_threads(np_program_team(s->p, s->arcs))
    for (size_t a = 0; a < s->arcs; a++) {
        s->active[a] = s->waiting[a] && s->got[a] == level;
        s->waiting[a] &= !s->active[a];
    }
    aim(s, s->head);
    if ((st = np_pram_read(s->pram, s->arcs, s->address, s->active, s->got, "read the level of the head")))
        return st;
#pragma omp parallel for num_threads(np_program_team(s->p, s->arcs))
    for (size_t a = 0; a < s->arcs; a++)
        s->active[a] &= !s->got[a];
    return NP_OK;
}

static np_status advance(const state *s, np_word level, bool *go_on)
{
    np_status st;
#pragma omp parallel for num_threads(np_program_team(s->p, s->arcs))
    for (size_t a = 0; a < s->arcs; a++)
        s->value[a] = level + 1;
    if ((st = np_pram_write(s->pram, s->arcs, s->address, s->active, s->value, "write the level of the head")))
        return st;
#pragma omp parallel for num_threads(np_program_team(s->p, s->arcs))
    for (size_t a = 0; a < s->arcs; a++)
        s->address[a] = s->going;
    if ((st = np_pram_write(s->pram, s->arcs, s->address, s->active, s->value, "a vertex was reached")) ||
        (st = np_pram_read(s->pram, s->arcs, s->address, NULL, s->got, "was a vertex reached?")))
        return st;
    *go_on = s->got[0] == level + 1;
    return NP_OK;
}

static np_status run(np_problem *p, np_pram *pram, np_word *answer)
{
    const np_word one = 1;
    state s = {.p = p, .pram = pram, .arcs = p->graph.arcs};
    bool go_on = s.arcs;
    np_status st;
    if ((st = take(p, &s)) || (st = np_pram_write(pram, 1, &s.level, NULL, &one, "the source")))
        return st;
#pragma omp parallel for num_threads(np_program_team(p, s.arcs))
    for (size_t a = 0; a < s.arcs; a++)
        s.waiting[a] = 1;
    for (np_word level = 1; go_on; level++)
        if ((st = find_front(&s, level)) || (st = advance(&s, level, &go_on)))
            return st;
    if ((st = np_pram_get(pram, s.level, p->n, answer)))
        return st;
    for (size_t v = 0; v < p->n; v++)
        answer[v]--;
    return NP_OK;
}

static np_status expect(np_problem *p, np_word *expected)
{
    const np_graph *g = &p->graph;
    uint32_t *queue;
    size_t first = 0, last = 1;
    np_status st = np_workspace_take(&p->work, &queue, p->n, sizeof *queue);
    if (st)
        return st;
    for (size_t v = 1; v < p->n; v++)
        expected[v] = -1;
    for (; first < last; first++)
        for (uint32_t a = g->first[queue[first]]; a < g->first[queue[first] + 1]; a++)
            if (expected[g->head[a]] < 0) {
                expected[g->head[a]] = expected[queue[first]] + 1;
                queue[last++] = g->head[a];
            }
    return NP_OK;
}

static uint64_t words(const np_problem *p, const np_word *answer, char *text, size_t size)
{
    size_t reached = 0;
    np_word largest = 0;
    for (size_t v = 0; v < p->n; v++) {
        reached += answer[v] >= 0;
        largest = answer[v] > largest ? answer[v] : largest;
    }
    snprintf(text, size, "%zu of %zu vertices reached, the farthest over %lld edges", reached, p->n,
             (long long)largest);
    return reached;
}

static void needs(const np_problem *p, np_program_needs *out)
{
    size_t arcs = p->graph.arcs;
    out->cells = 2 * arcs + p->n + 1;
    out->processors = arcs ? arcs : 1;
    out->steps = 3 + 5 * p->n; /* on a path */
    np_program_take(out, 7, arcs, sizeof(np_word));
    np_program_take(out, 2, arcs, 1);
    np_program_take(out, 1, p->n, sizeof(uint32_t));
}

const np_program_ops np_program_bfs = {
    .info = {.entry = {"bfs", "distances from vertex 0, level by level, with a processor for each arc", "",
                       .rule = "crcw-common"},
             .size = "vertices",
             .rule = NP_RULE_COMMON,
             .input = NP_INPUT_GRAPH,
             .takes_edges = true,
             .n = 1024,
             .n_max = UINT64_C(1) << 25},
    .answers = answers,
    .needs = needs,
    .run = run,
    .expect = expect,
    .words = words,
};
