/*
 * How far is each item from the end of its list? By pointer jumping (Wyllie 1979): O(log n) steps,
 * O(n log n) work. An item at the end has no successor; it is not its own successor. So no two
 * items ever ask the same item, and EREW is enough.
 *
 * A file names the successor of each item, from 0; the last item of a list names itself.
 */
#include <inttypes.h>

#include "pram/program.h"

static size_t answers(const np_problem *p) { return p->n; }

/* One list of all items in random order. */
static np_status draw_list(np_problem *p)
{
    uint32_t *order;
    np_status st = np_workspace_take(&p->work, &order, p->n, sizeof *order);
    if (st)
        return st;
    for (size_t i = 0; i < p->n; i++) { /* inside out: Durstenfeld 1964 */
        size_t j = np_random_below(&p->draws, (uint32_t)i, 1, (uint32_t)i + 1);
        order[i] = order[j];
        order[j] = (uint32_t)i;
    }
#pragma omp parallel for num_threads(np_program_team(p, p->n))
    for (size_t i = 0; i < p->n; i++)
        p->number[order[i]] = order[i + 1 < p->n ? i + 1 : i];
    return NP_OK;
}

/*
 * Checks that the items are lists: each item has at most one before it, and all items are reached
 * backwards from the ends.
 */
static np_status check_lists(np_problem *p)
{
    uint32_t *before;
    np_status st = np_workspace_take(&p->work, &before, p->n, sizeof *before); /* the item's number plus 1; 0: none */
    size_t reached = 0;
    for (size_t i = 0; !st && i < p->n; i++) {
        np_word to = p->number[i];
        if (to < 0 || (uint64_t)to >= p->n)
            return NP_RAISE(NP_ERROR_INPUT, "%.60s: item %zu has successor %" PRId64 ": the items are 0..%zu",
                            p->options.input, i, to, p->n - 1);
        if ((size_t)to == i)
            continue;
        if (before[to])
            return NP_RAISE(NP_ERROR_INPUT, "%.60s: items %u and %zu have the same successor, %" PRId64,
                            p->options.input, before[to] - 1, i, to);
        before[to] = (uint32_t)i + 1;
    }
    for (size_t i = 0; !st && i < p->n; i++)
        if ((size_t)p->number[i] == i)
            for (size_t at = i + 1; at; at = before[at - 1])
                reached++;
    if (!st && reached < p->n)
        return NP_RAISE(NP_ERROR_INPUT, "%.60s: %zu items go round in circles: the last of a list names itself",
                        p->options.input, p->n - reached);
    return st;
}

static np_status prepare(np_problem *p) { return p->options.input ? check_lists(p) : draw_list(p); }

static np_status run(np_problem *p, np_pram *pram, np_word *answer)
{
    np_address successor, ranks, *own;
    np_word *next, *rank;
    np_status st;
    if ((st = np_program_load(pram, p->n, p->number, "successor", &successor)) ||
        (st = np_workspace_take(&p->work, &own, p->n, sizeof *own)) ||
        (st = np_workspace_take(&p->work, &next, p->n, sizeof *next)) ||
        (st = np_workspace_take(&p->work, &rank, p->n, sizeof *rank)))
        return st;
    np_program_own(p, successor, p->n, own);
    if ((st = np_pram_read(pram, p->n, own, NULL, next, "read the successor")))
        return st;
#pragma omp parallel for num_threads(np_program_team(p, p->n))
    for (size_t i = 0; i < p->n; i++) {
        next[i] = (size_t)next[i] == i ? -1 : next[i];
        rank[i] = next[i] >= 0;
    }
    if ((st = np_program_jump(p, pram, p->n, next, rank, "rank", &ranks)))
        return st;
    return np_pram_get(pram, ranks, p->n, answer);
}

/* From each item that no item names: walks to the end, and then gives the ranks to all that it has met. */
static np_status expect(np_problem *p, np_word *expected)
{
    uint8_t *named;
    uint32_t *met;
    np_status st = np_workspace_take(&p->work, &named, p->n, sizeof *named);
    if (!st)
        st = np_workspace_array(&p->work, &met, p->n, sizeof *met);
    for (size_t i = 0; !st && i < p->n; i++)
        if ((size_t)p->number[i] != i)
            named[p->number[i]] = 1;
    for (size_t i = 0; !st && i < p->n; i++) {
        size_t last = 0;
        if (named[i])
            continue;
        for (met[0] = (uint32_t)i; (size_t)p->number[met[last]] != met[last]; last++)
            met[last + 1] = (uint32_t)p->number[met[last]];
        for (size_t k = 0; k <= last; k++)
            expected[met[k]] = (np_word)(last - k);
    }
    return st;
}

static void needs(const np_problem *p, np_program_needs *out)
{
    out->cells = p->n;
    out->processors = p->n;
    out->steps = 1;
    np_program_take(out, 3, p->n, sizeof(np_word));
    np_program_take(out, 2, p->n, sizeof(uint32_t));
    np_program_take(out, 1, p->n, 1);
    np_program_jump_needs(p->n, out);
}

const np_program_ops np_program_list_ranking = {
    .info = {.entry = {"list-ranking", "how far is each item from the end of its list? By pointer jumping",
                       "Wyllie 1979", .rule = "erew"},
             .size = "items",
             .rule = NP_RULE_EREW,
             .input = NP_INPUT_NUMBERS,
             .n = 1024,
             .n_max = UINT64_C(1) << 26},
    .bound = 1, /* prepare() makes the list */
    .prepare = prepare,
    .answers = answers,
    .needs = needs,
    .run = run,
    .expect = expect,
};
