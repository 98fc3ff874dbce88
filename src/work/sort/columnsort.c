/*
 * Columnsort (Leighton 1985, "Tight bounds on the complexity of parallel sorting").
 *
 * When it sorts. The paper asks for s | r and r >= 2 (s-1)^2. The exact condition is
 *
 *   f >= U and r - f >= U,  U = (s-1)^2 - (s-g) (s-2) / 2,  g = gcd(r, s).
 *
 * With f = floor(r/2) this means r >= 2 (s-1)^2 where g = s, which makes U largest, but only r >= s (s-1) where g = 1.
 * The general form is ours, and so is the proof that the condition is necessary. By the 0-1 principle let all items be
 * zeros and ones. Step 1 has sorted each column.
 *
 * 1. Position q is put down in column q mod s. Step 3 brings the zeros of each column to its top. Step 4 strings the
 *    rows together. Take the boundary before column m, 0 < m < s, at position m r. After step 4 let u ones be before it
 *    and v zeros after it. If all items of columns 0 .. m-1 and no others were zeros, all items before the boundary
 *    would be zeros. Compared with this case, column j has X_j more zeros,
 *      X_j = (zeros that it gets of columns m, m+1, ..) - (ones that it gets of columns .., m-1).
 *    u is the sum of all -X_j that are positive, v the sum of all X_j that are positive.
 * 2. The zeros of column c are a run of positions that starts at c r, its ones a run that ends at (c+1) r. Modulo s, a
 *    run covers all residues equally often, except for an arc of length less than s. Removing an arc that ends at a is
 *    the same as removing all residues once and adding an arc that starts at a. So X_j = F_j - T for some T, where F_j
 *    is the number of arcs, of s arcs, that cover j. The arcs start at the multiples r, 2 r, .., (s-1) r, and one more
 *    at m r.
 * 3. Let v > 0. Then some j has F_j > T, so that T + 1 arcs cover j. The sum u = sum of max(0, T - F) is largest if
 *    they are the T + 1 arcs that start nearest before j, if they end at j, and if all others are empty. One more arc
 *    that covers j, with T larger by one, adds s less the length of the arc to u, and this is not negative. So let all
 *    s arcs cover j, and T = s - 1. The starts are the multiples of g, each g times, except that one start moved from 0
 *    to m r. At best m r is j, and 0 is farthest from j, s - g before it. Then the lengths add up to
 *    s (s-g) / 2 - (s-g) + s, and u = s T - (this sum) + 1 = U. So u <= U. By symmetry, if u > 0 then v <= U.
 * 4. From boundary to boundary u never falls and v never rises. So if u > 0 and v > 0 at two boundaries, this is true
 *    at two neighbouring boundaries. The column between them has at most U - 1 < f ones, because at least one other one
 *    is before it; likewise it has fewer than r - f zeros. These are fewer than r items, a contradiction. So u > 0 and
 *    v > 0 at one boundary at most. After step 5 there are u ones just before and v zeros just after this boundary, and
 *    all else is in order. One column of step 7 has the last f positions before the boundary and the first r - f after
 *    it. It contains all these ones and zeros, and sorts them.
 * 5. If f < U and columns are long enough for the arcs of 3, some input has u = U and v > 0. Then some ones stay before
 *    the column of step 7, and a zero is in it. Likewise for r - f. (For s | r: 1 + s t_c zeros in column c, where the
 *    sum of all t_c is r/s - s + 1. Tests try all inputs for s <= 4.)
 *
 * Leighton's step 7 has s + 1 columns. The first is filled up with the least items and the last with the greatest. The
 * two half columns that are filled up are in order already. Here they share column 0, which is not sorted again: the
 * shift is cyclic.
 */
#include "work/sort/columnsort.h"

#include <string.h>

#include "base/arena.h"
#include "base/memory.h"

static uint64_t common_divisor(uint64_t a, uint64_t b) { return b ? common_divisor(b, a % b) : a; }

uint64_t np_columnsort_disorder(uint64_t rows, uint64_t columns)
{
    uint64_t s = columns, g = common_divisor(rows, columns);
    return s < 2 ? 0 : (s - 1) * (s - 1) - (s - g) * (s - 2) / 2;
}

bool np_columnsort_sorts(uint64_t rows, uint64_t columns, uint64_t shift)
{
    uint64_t disorder = np_columnsort_disorder(rows, columns);
    return shift <= rows && shift >= disorder && rows - shift >= disorder;
}

np_status np_columnsort_init(np_columnsort *plan, uint32_t column, uint32_t columns, uint32_t grain)
{
    uint64_t r = column, s = columns;
    uint32_t shift = column / 2 / grain * grain;
    *plan = (np_columnsort){.column = column, .columns = columns, .shift = shift, .positions = column * columns};
    if (!s || r * s > UINT64_C(1) << 31)
        return NP_RAISE(NP_ERROR_LIMIT, "Columnsort of %u x %u items: there must be from 1 to 2^31", column, columns);
    if (np_columnsort_sorts(r, s, shift))
        return NP_OK;
    return NP_RAISE(NP_ERROR_INPUT,
                    "Columnsort of %u x %u items does not sort every input: half a column, %u, must be at least %llu",
                    column, columns, shift, (unsigned long long)np_columnsort_disorder(r, s));
}

/* The item picked up q-th is put down in row q / s of column q mod s. */
uint32_t np_columnsort_transpose(const np_columnsort *plan, uint32_t q)
{
    return q % plan->columns * plan->column + q / plan->columns;
}

uint32_t np_columnsort_untranspose(const np_columnsort *plan, uint32_t q)
{
    return q % plan->column * plan->columns + q / plan->column;
}

uint32_t np_columnsort_shift(const np_columnsort *plan, uint32_t q)
{
    uint32_t rest = plan->positions - plan->shift;
    return q < rest ? q + plan->shift : q - rest;
}

uint32_t np_columnsort_unshift(const np_columnsort *plan, uint32_t q)
{
    return q < plan->shift ? q + (plan->positions - plan->shift) : q - plan->shift;
}

typedef struct sort_run {
    const np_columnsort *plan;
    const np_columnsort_machine *machine;
    uint32_t *item, *moved; /* [positions] */
    uint32_t *to;           /* [positions] */
    void *block;
} sort_run;

static void layout(void *object, np_arena *arena)
{
    sort_run *run = object;
    size_t n = run->plan->positions;
    np_arena_array(arena, &run->moved, n, sizeof *run->moved, "the items");
    np_arena_array(arena, &run->to, n, sizeof *run->to, "the destinations");
}

static np_status move(sort_run *run, const char *stage, np_columnsort_permutation *image)
{
    const np_columnsort *plan = run->plan;
    for (uint32_t q = 0; q < plan->positions; q++) {
        run->to[q] = image(plan, q);
        run->moved[run->to[q]] = run->item[q];
    }
    memcpy(run->item, run->moved, plan->positions * sizeof *run->item);
    return run->machine->move(run->machine->context, stage, run->to);
}

static np_status sort_columns(sort_run *run)
{
    return run->machine->sort(run->machine->context, run->item, 0, run->plan->columns);
}

/* Steps 6 to 8. Column c of step 7 begins f items before column c. */
static np_status sort_shifted(sort_run *run)
{
    const np_columnsort *plan = run->plan;
    const np_columnsort_machine *machine = run->machine;
    np_status st;
    if (machine->windows)
        return machine->sort(machine->context, run->item + plan->column - plan->shift, 1, plan->columns - 1);
    if ((st = move(run, "shift", np_columnsort_shift)) ||
        (st = machine->sort(machine->context, run->item + plan->column, 1, plan->columns - 1)))
        return st;
    return move(run, "unshift", np_columnsort_unshift);
}

static np_status sort_all(sort_run *run)
{
    np_status st;
    if (run->plan->columns == 1)
        return sort_columns(run);
    if ((st = sort_columns(run)) || (st = move(run, "transpose", np_columnsort_transpose)) ||
        (st = sort_columns(run)) || (st = move(run, "untranspose", np_columnsort_untranspose)) ||
        (st = sort_columns(run)))
        return st;
    return sort_shifted(run);
}

np_status np_columnsort_run(const np_columnsort *plan, const np_columnsort_machine *machine, uint32_t *item)
{
    sort_run run = {.plan = plan, .machine = machine, .item = item};
    np_status st = np_arena_place(&run, layout, "the positions of Columnsort", &run.block);
    if (!st)
        st = sort_all(&run);
    np_memory_free(run.block);
    return st;
}

/* ---- On a network ---- */

typedef struct machine {
    np_sorting *sorting;
    const np_columnsort_host *host;
    np_columnsort plan;
    np_sort_router router; /* if there are several columns */
    np_node *node;         /* [places] */
    np_node *from, *to;    /* [positions] */
    uint16_t routings;     /* so far */
    void *block;
} machine;

static void layout_machine(void *object, np_arena *arena)
{
    machine *m = object;
    np_arena_array(arena, &m->node, m->sorting->places, sizeof *m->node, "the places");
    np_arena_array(arena, &m->from, m->plan.positions, sizeof *m->from, "the packets' sources");
    np_arena_array(arena, &m->to, m->plan.positions, sizeof *m->to, "the packets' destinations");
}

static np_status sort_on(void *context, uint32_t *item, uint32_t first, uint32_t columns)
{
    const np_columnsort_host *host = ((machine *)context)->host;
    return host->sort(host->context, item, first, columns);
}

static np_status route(void *context, const char *stage, const uint32_t *to)
{
    machine *m = context;
    np_sorting *sorting = m->sorting;
    uint32_t h = sorting->per_place;
    np_sort_cost cost;
    for (uint32_t q = 0; q < m->plan.positions; q++) {
        m->from[q] = m->node[q / h];
        m->to[q] = m->node[to[q] / h];
    }
    np_status st = np_sort_router_run(&m->router, stage, m->plan.positions, m->from, m->to, m->routings++, &cost);
    if (st)
        return st;
    cost.load_max = 2 * h; /* items that have come and items that have not gone */
    np_sort_log_charge(&sorting->log, &sorting->clock, stage, 0, &cost);
    return np_sorting_progress(sorting, stage);
}

static np_status run_on(machine *m)
{
    const np_columnsort_host *host = m->host;
    const np_columnsort_machine each = {.context = m, .sort = sort_on, .move = route, .windows = host->windows};
    uint32_t h = m->sorting->per_place;
    np_status st;
    if ((st = np_columnsort_init(&m->plan, host->column * h, host->columns, host->windows ? h : 1)) ||
        (st = np_arena_place(m, layout_machine, "the places of Columnsort", &m->block)) ||
        (host->columns > 1 && (st = np_sort_router_init(&m->router, m->sorting))) ||
        (st = host->nodes(host->context, m->node)))
        return st;
    return np_columnsort_run(&m->plan, &each, m->sorting->item);
}

np_status np_columnsort_on_network(np_sorting *sorting, const np_columnsort_host *host)
{
    machine m = {.sorting = sorting, .host = host};
    np_status st = run_on(&m);
    np_sort_router_clear(&m.router);
    np_memory_free(m.block);
    return st;
}
