/*
 * Columnsort (Leighton 1985, "Tight bounds on the complexity of parallel sorting").
 *
 * When it sorts. The paper asks for s | r and r >= 2 (s-1)^2. What is needed, exactly, is (ours; by the 0-1 principle,
 * for z_c zeros in column c):
 *
 *   f >= U and r - f >= U,  U = (s-1)^2 - (s-g) (s-2) / 2,  g = gcd(r, s)
 *
 * with f = floor(r/2): r >= 2 (s-1)^2 if g = s, where U is largest; but r >= s (s-1) if g = 1.
 *
 * 1. Steps 2 to 4. Position q is put down in column q mod s; step 3 puts that column's zeros, N_j of them, on
 *    top; step 4 strings the rows together. Take the boundary before column m, 0 < m < s, at position m r. Let u ones
 * be before it and v zeros after it then. Were every zero before it, column j would have as many as columns 0 .. m-1
 *    put down there; it has more by
 *      N'_j = (zeros from columns m, m+1, ..) - (ones from columns .., m-1),
 *    and u is the sum of the -N'_j > 0, v that of the N'_j > 0.
 * 2. Zeros of column c are a run of positions that starts at c r, ones a run that ends at (c+1) r. Modulo s a run
 * covers all residues alike but for an arc of less than s; and an arc that ends at a taken off is all residues taken
 * off and an arc that starts at a put on. So N'_j = F_j - T for some T, F_j of s arcs that cover j. They start at the
 * multiples m' r of r, m' = 1 .. s-1, and once more at m r.
 * 3. Let there be a zero after the boundary: some j has F_j > T. T + 1 arcs cover it; that takes u = sum of max(0, T -
 * F) down least if they end there and start as near by as can be. Each more of them, and T with it, adds s less the
 *    length of its arc, which is not negative: so all s arcs, and T = s - 1. Multiples of r are multiples of g, g times
 * each; it is best to have m r at j and that of m' = s, which is not among them, farthest, s - g off. Their lengths add
 *    up to s (s-g) / 2 - (s-g) + s, so u <= s (s-1) - that + 1 = U. In the mirror, if u > 0 then v <= U.
 * 4. Going from boundary to boundary u never falls and v never rises. So if neither is 0 at two boundaries, there are
 * two neighbours like that. The column between has at most U - 1 <= f - 1 ones, for there are more before it and U is
 * the most, and at most r - f - 1 zeros: less than r items. So it is one boundary at most. After step 5 there are u
 * ones before and v zeros after it, and all else is in order. The column of step 7 that has the last f positions before
 * and the first r - f after it has them all, and sorts them.
 * 5. If f < U and columns are long enough for the arcs of 3, there is an input with u = U > f and v = 1: ones before
 * the column of step 7 stay behind a zero. Likewise for r - f.
 *
 * Step 7 is Leighton's of s + 1 columns, the first filled up with the least and the last with the greatest items. Both
 * halves are in order already, and share column 0 here, which rests: the shift is cyclic.
 */
#include "sort/columnsort.h"

#include <string.h>

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

static np_status check_level(uint64_t rows, uint32_t columns, uint32_t shift)
{
    uint64_t s = columns;
    if (!columns || rows * s > UINT64_C(1) << 31)
        return NP_RAISE(NP_ERROR_LIMIT, "Columnsort of %llu x %u items: there must be from 1 to 2^31",
                        (unsigned long long)rows, columns);
    if (np_columnsort_sorts(rows, columns, shift))
        return NP_OK;
    return NP_RAISE(NP_ERROR_INPUT,
                    "Columnsort of %llu x %u items does not sort every input: half a column, %u, must be at least %llu",
                    (unsigned long long)rows, columns, shift, (unsigned long long)np_columnsort_disorder(rows, s));
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
    case TRANSPOSE:
        return np_columnsort_transpose(r, s, q);
    case UNTRANSPOSE:
        return np_columnsort_untranspose(r, s, q);
    case SHIFT:
        return q < all - f ? q + f : q - (all - f);
    case UNSHIFT:
        return q < f ? q + (all - f) : q - f;
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
