/*
 * Columnsort (Leighton 1985, "Tight bounds on the complexity of parallel sorting").
 *
 * When it sorts. By the 0-1 principle let the items be zeros and ones; r rows, s columns, s | r, and z_c
 * zeros in column c.
 *   1. After step 1 column c is z_c zeros, then ones. Step 2 puts it down over r/s whole rows of its own, so
 *      that column j gets ceil((z_c - j) / s) of its zeros: in all Z_j, Z_0 >= Z_1 >= .. >= Z_(s-1) >= Z_0 - s.
 *   2. After step 3 rows below number Z_(s-1) are zeros, rows from Z_0 on are ones, and each of the D = Z_0 - Z_(s-1) <=
 *      s rows between is zeros and then ones, at least one of each. Step 4 strings the rows together. Between the first
 *      one and the last zero there are then only ones of the first D - 1 of these rows, so at most (s-1)^2; and only
 *      zeros of the last D - 1, so at most (s-1)^2. In all that is at most s (s-1) positions, which is r at most.
 *   3. So at most one boundary between columns lies in there. After step 5 all is in order but u ones
 *      that end the column before the boundary and v zeros that begin the one after, u, v <= (s-1)^2. The column of step 7
 *      over this boundary has the last f positions before and the first r - f after it. If f and r - f are
 *      (s-1)^2 or more it has them all, and sorts them. With f = floor(r/2) that says r >= 2 (s-1)^2.
 * No less will do, if r >= s (s-1): take z_c = 1 + s t_c, 0 <= t_c < r/s, with sum t_c = r/s - s + 1. Then Z_0 = r/s + 1
 * and Z_j = r/s + 1 - s: the s rows between are 0 1 .. 1, and the boundary after the first column, r/s rows
 * long, comes before the last of them. So u = (s-1)^2, v = 1: with f < u zeros stay behind. Mirrored, r - f < (s-1)^2
 * fails likewise. (The paper asks for r >= 2 (s-1)^2 and s | r; that this is tight for the algorithm as it
 * stands is our observation.)
 *
 * Where s does not divide r, rows of step 2 are shared by neighbouring columns: the zeros of column c are a run of
 * positions that begins anywhere, and all columns get as many of it give or take one. So D <= s still, but a row between
 * is any mix of zeros and ones. Between the first one and the last zero are at most s rows of at most s - 1 ones, and as
 * many zeros; s^2 positions. So f, r - f >= s (s-1), which makes r >= s^2 for s >= 2, are enough. (Ours.)
 *
 * Step 7 is Leighton's of s + 1 columns, the first filled up with the least and the last with the greatest items. Both
 * halves are in order already, and share column 0 here, which rests: the shift is cyclic.
 */
#include "sort/columnsort.h"

#include <string.h>

#include "base/memory.h"

bool np_columnsort_sorts(uint64_t rows, uint64_t columns, uint64_t shift)
{
    uint64_t least = rows - shift < shift ? rows - shift : shift;
    if (columns < 2)
        return true;
    return shift <= rows && least >= (rows % columns ? columns * (columns - 1) : (columns - 1) * (columns - 1));
}

static np_status check_level(uint64_t rows, uint32_t columns, uint32_t shift)
{
    uint64_t s = columns;
    if (!columns || rows * s > UINT64_C(1) << 31)
        return NP_RAISE(NP_ERROR_LIMIT, "Columnsort of %llu x %u items: there must be from 1 to 2^31",
                        (unsigned long long)rows, columns);
    if (np_columnsort_sorts(rows, columns, shift))
        return NP_OK;
    return NP_RAISE(NP_ERROR_INPUT, "Columnsort of %llu x %u items does not sort: %u columns need at least %llu rows",
                    (unsigned long long)rows, columns, columns,
                    (unsigned long long)(rows % s ? 2 * s * (s - 1) : 2 * (s - 1) * (s - 1)));
}

np_status np_columnsort_init(np_columnsort *plan, uint32_t column, uint32_t levels, const uint32_t *columns,
                             uint32_t grain)
{
    uint64_t rows = column;
    *plan = (np_columnsort){.levels = levels, .column = column, .count = 1};
    if (levels > NP_COLUMNSORT_LEVELS)
        return NP_RAISE(NP_ERROR_LIMIT, "Columnsort of %u levels: at most %d", levels, NP_COLUMNSORT_LEVELS);
    for (uint32_t i = levels; i-- > 0;) { /* innermost first */
        uint32_t shift = (uint32_t)(rows / 2 / grain * grain);
        np_status st = check_level(rows, columns[i], shift);
        if (st)
            return st;
        plan->rows[i] = (uint32_t)rows;
        plan->columns[i] = columns[i];
        plan->shift[i] = shift;
        plan->count *= columns[i];
        rows *= columns[i];
    }
    plan->positions = (uint32_t)rows;
    return NP_OK;
}

/* Picked up q-th, put down in row q / s of column q mod s. */
uint32_t np_columnsort_transpose(uint32_t rows, uint32_t columns, uint32_t q)
{
    return q % columns * rows + q / columns;
}

uint32_t np_columnsort_untranspose(uint32_t rows, uint32_t columns, uint32_t q)
{
    return q % rows * columns + q / rows;
}

typedef enum step { TRANSPOSE, UNTRANSPOSE, SHIFT, UNSHIFT } step;

typedef struct sort_run {
    const np_columnsort *plan;
    const np_columnsort_machine *machine;
    uint32_t *item, *moved; /* [positions] */
    uint32_t *from, *to;    /* [positions] */
    bool *idle;             /* [(levels + 1) * count] for each level, which of the innermost columns rest */
} sort_run;

/* Where position q of a matrix of a level goes. */
static uint32_t image(const np_columnsort *plan, uint32_t level, step what, uint32_t q)
{
    uint32_t r = plan->rows[level], s = plan->columns[level], f = plan->shift[level], all = r * s;
    switch (what) {
    case TRANSPOSE: return np_columnsort_transpose(r, s, q);
    case UNTRANSPOSE: return np_columnsort_untranspose(r, s, q);
    case SHIFT: return q < all - f ? q + f : q - (all - f);
    case UNSHIFT: return q < f ? q + (all - f) : q - f;
    }
    return q;
}

/* In all matrices of the level that do not rest. */
static np_status move(sort_run *run, uint32_t level, step what)
{
    static const char *const name[] = {"transpose", "untranspose", "shift", "unshift"};
    const np_columnsort *plan = run->plan;
    uint32_t matrix = plan->rows[level] * plan->columns[level], column = plan->column, count = 0;
    const bool *idle = run->idle + (size_t)level * plan->count;
    for (uint32_t first = 0; first < plan->positions; first += matrix)
        for (uint32_t q = 0; q < matrix && !idle[first / column]; q++) {
            run->from[count] = first + q;
            run->to[count++] = first + image(plan, level, what, q);
        }
    for (uint32_t i = 0; i < count; i++)
        run->moved[run->to[i]] = run->item[run->from[i]];
    for (uint32_t i = 0; i < count; i++)
        run->item[run->to[i]] = run->moved[run->to[i]];
    return run->machine->move(run->machine->context, level, name[what], count, run->from, run->to);
}

/* The next level works on the same columns as this one, or on all but the first of each matrix. */
static void pass_on(sort_run *run, uint32_t level, bool but_first)
{
    const np_columnsort *plan = run->plan;
    const bool *idle = run->idle + (size_t)level * plan->count;
    bool *below = run->idle + (size_t)(level + 1) * plan->count;
    uint32_t each = plan->rows[level] / plan->column; /* innermost columns in one of this level */
    for (uint32_t c = 0; c < plan->count; c++)
        below[c] = idle[c] || (but_first && c / each % plan->columns[level] == 0);
}

static np_status sort_level(sort_run *run, uint32_t level);

static np_status sort_columns(sort_run *run, uint32_t level, bool but_first)
{
    pass_on(run, level, but_first);
    return sort_level(run, level + 1);
}

/* Steps 6 to 8. */
static np_status sort_shifted(sort_run *run, uint32_t level)
{
    const np_columnsort *plan = run->plan;
    const np_columnsort_machine *machine = run->machine;
    np_status st;
    if (machine->windows && plan->levels == 1) /* column c is shifted to the one before it, less its first r - f */
        return machine->sort(machine->context, level, run->item + plan->column - plan->shift[0], plan->count - 1, NULL);
    if ((st = move(run, level, SHIFT)) || (st = sort_columns(run, level, true)))
        return st;
    return move(run, level, UNSHIFT);
}

static np_status sort_level(sort_run *run, uint32_t level)
{
    const np_columnsort *plan = run->plan;
    const np_columnsort_machine *machine = run->machine;
    const bool *idle = run->idle + (size_t)level * plan->count;
    np_status st;
    if (level == plan->levels)
        return machine->sort(machine->context, level ? level - 1 : 0, run->item, plan->count, idle);
    if (plan->columns[level] == 1)
        return sort_columns(run, level, false);
    if ((st = sort_columns(run, level, false)) || (st = move(run, level, TRANSPOSE)) ||
        (st = sort_columns(run, level, false)) || (st = move(run, level, UNTRANSPOSE)) ||
        (st = sort_columns(run, level, false)))
        return st;
    return sort_shifted(run, level);
}

np_status np_columnsort_run(const np_columnsort *plan, const np_columnsort_machine *machine, uint32_t *item)
{
    static const char *const what = "the positions of Columnsort";
    sort_run run = {.plan = plan, .machine = machine, .item = item};
    size_t n = plan->positions;
    np_status st;
    if (!(st = np_memory_array(&run.moved, n, sizeof *run.moved, what)) &&
        !(st = np_memory_array(&run.from, n, sizeof *run.from, what)) &&
        !(st = np_memory_array(&run.to, n, sizeof *run.to, what)) &&
        !(st = np_memory_zeroed(&run.idle, ((size_t)plan->levels + 1) * plan->count, sizeof *run.idle, what)))
        st = sort_level(&run, 0);
    np_memory_free(run.moved);
    np_memory_free(run.from);
    np_memory_free(run.to);
    np_memory_free(run.idle);
    return st;
}
