/*
 * A call. First all ranks learn how many requests each has, and whether all can be served; then they are taken in
 * rounds. Where the order of requests matters, the ranks of a round are neighbours of which all but the last one
 * finish, so that no rank begins before those below it are done.
 */
#include "base/room.h"
#include "mpi/memory/memory.h"

static const char *const op_names[] = {"add", "min", "max", "and", "or", "xor", "replace"};

/* ---- Can it be served? ---- */

NP_HOT static bool all_are_cells(const uint64_t *address, size_t count, uint64_t cells)
{
    uint64_t outside = 0;
    for (size_t i = 0; i < count; i++)
        outside |= address[i] >= cells;
    return !outside;
}

static np_status check_addresses(const np_mpi_array *a, size_t count, const uint64_t *address)
{
    size_t i = 0;
    if (all_are_cells(address, count, a->cells))
        return NP_OK;
    while (address[i] < a->cells)
        i++;
    return NP_RAISE(NP_ERROR_INPUT, "request %zu is for cell %llu of an array of %llu", i,
                    (unsigned long long)address[i], (unsigned long long)a->cells);
}

static np_status check_op(const np_mpi_access *x)
{
    const np_cell_type type = x->array->options.type;
    if (x->kind != NP_ACCESS_FETCH || x->op == NP_MPI_REPLACE)
        return NP_OK;
    if ((unsigned)x->op > NP_MPI_REPLACE)
        return NP_RAISE(NP_ERROR_INPUT, "a fetch by op %u: the last one is %d", (unsigned)x->op, NP_MPI_REPLACE);
    if (!np_values_fetched(type, (np_fetch_op)x->op))
        return NP_RAISE(NP_ERROR_INPUT, "a fetch by %s does not combine values of type %s", op_names[x->op],
                        np_cell_type_name(type));
    return NP_OK;
}

/* ---- What all ranks have ---- */

/* *before: requests of lower ranks. status: of this rank; the result is agreed on. */
static np_status tell_all(np_mpi_access *x, size_t count, np_status status, uint64_t *before)
{
    np_mpi *mpi = x->array->mpi;
    np_mpi_told *all = mpi->memory->told;
    const np_mpi_told mine = {count, (uint64_t)x->kind << 16 | (uint64_t)x->op << 8 | x->answered, status != NP_OK};
    bool failed = false, differ = false;
    np_status st =
        np_mpi_check(MPI_Allgather(&mine, 3, MPI_UINT64_T, all, 3, MPI_UINT64_T, mpi->comm), "MPI_Allgather");
    if (st)
        return st;
    *before = 0;
    for (int r = 0; r < mpi->size; r++) {
        failed |= all[r].failed;
        differ |= all[r].call != all[0].call;
        *before += r < mpi->rank ? all[r].count : 0;
        x->total += all[r].count;
    }
    if (failed)
        return np_mpi_agree(mpi, status);
    if (differ)
        return NP_RAISE(NP_ERROR_INPUT, "the ranks make different calls for an array");
    return NP_OK;
}

/* ---- Rounds ---- */

/* Whose requests are taken next: the first and the last rank. False: none is left. */
static bool next_round(const np_mpi_access *x, int *first, int *last)
{
    const np_mpi_told *all = x->array->mpi->memory->told;
    const int ranks = x->array->mpi->size;
    *first = 0;
    *last = ranks - 1;
    while (*first < ranks && !all[*first].count)
        ++*first;
    for (int r = *first; x->ordered && r < *last; r++)
        if (all[r].count > x->array->options.round)
            *last = r;
    return *first < ranks;
}

static np_status take_rounds(np_mpi_access *x, np_mpi_requests left)
{
    np_mpi_told *all = x->array->mpi->memory->told;
    const uint64_t round = x->array->options.round;
    uint64_t taken = 0;
    int first, last;
    np_status st = NP_OK;
    for (bool only = true; !st && next_round(x, &first, &last); only = false) {
        np_mpi_requests now = left;
        now.count = 0;
        for (int r = first; r <= last; r++) {
            const uint64_t take = all[r].count < round ? all[r].count : round;
            all[r].count -= take;
            taken += take;
            now.count = r == x->array->mpi->rank ? take : now.count;
        }
        st = np_mpi_hop_take(x, 0, &now, first, last, only && taken == x->total);
        if (now.count) {
            left.address += now.count;
            left.value += now.count;
            left.note += left.note ? now.count : 0;
        }
    }
    return st;
}

/* ---- The call ---- */

/* What follows from kind, op and rule. */
static void decide(np_mpi_access *x)
{
    const np_mpi_array_options *o = &x->array->options;
    const bool writes = x->kind == NP_ACCESS_WRITE, fetches = x->kind == NP_ACCESS_FETCH;
    x->exact = (fetches && x->op == NP_MPI_ADD && o->type == NP_CELL_REAL) ||
               (writes && o->rule == NP_RULE_ADD && o->type == NP_CELL_REAL);
    x->sums = fetches && x->op == NP_MPI_ADD && o->type == NP_CELL_INT;
    x->carries = writes || fetches;
    x->notes = writes && o->rule < NP_RULE_PRIORITY;
    x->stored = writes || x->exact;
    x->looked_at = np_mpi_marks_due(o->rule, x->kind);
    x->combines = !x->exact && (writes || !x->looked_at);
    x->ordered = (fetches && (x->answered || x->op == NP_MPI_REPLACE)) || (writes && o->rule < NP_RULE_ADD);
}

/* Whether this rank can begin the call. */
static np_status prepare(np_mpi_access *x, size_t count, const uint64_t *address)
{
    np_mpi_memory *memory = x->array->mpi->memory;
    np_status st;
    if ((st = check_op(x)) || (st = check_addresses(x->array, count, address)) || (st = np_mpi_marks_begin(x)))
        return st;
    return x->notes ? np_memory_need(&memory->note, 0, count, &memory->note_room, sizeof *memory->note, "lots") : NP_OK;
}

/* The lots of this rank's writers, `before` of whom there are on lower ranks. */
static void draw_lots(const np_mpi_access *x, size_t count, uint64_t before, uint64_t *note)
{
    const np_mpi_array *a = x->array;
    const np_draws draws = np_request_draws(a->mpi->seed, a->calls);
    const bool by_lot = np_request_by_lot(a->options.rule);
    for (size_t i = 0; i < count; i++)
        note[i] = by_lot ? (uint64_t)np_request_lot(&draws, (uint32_t)(before + i)) << 32 : 0;
}

static np_status take(np_mpi_access *x, size_t count, const uint64_t *address, np_word *value)
{
    np_mpi_array *a = x->array;
    uint64_t before, *note = NULL;
    np_status st = tell_all(x, count, prepare(x, count, address), &before);
    if (st)
        return st;
    if (x->notes)
        draw_lots(x, count, before, note = a->mpi->memory->note);
    if ((st = take_rounds(x, (np_mpi_requests){count, address, value, note})))
        return st;
    if (x->begun)
        np_store_commit(a->store);
    a->requests += count;
    a->calls++;
    return NP_OK;
}

np_status np_mpi_array_read(np_mpi_array *array, size_t count, const uint64_t *address, np_word *value)
{
    np_mpi_access x = {.array = array, .kind = NP_ACCESS_READ, .answered = true};
    decide(&x);
    return take(&x, count, address, value);
}

/* Operands that nobody answers stay as they are. */
static np_word *constant(const np_word *value) { return (np_word *)(uintptr_t)value; }

np_status np_mpi_array_write(np_mpi_array *array, size_t count, const uint64_t *address, const np_word *value)
{
    np_mpi_access x = {.array = array, .kind = NP_ACCESS_WRITE};
    decide(&x);
    return take(&x, count, address, constant(value));
}

np_status np_mpi_array_fetch(np_mpi_array *array, np_mpi_op op, size_t count, const uint64_t *address, np_word *value)
{
    np_mpi_access x = {.array = array, .kind = NP_ACCESS_FETCH, .op = op, .answered = true};
    decide(&x);
    return take(&x, count, address, value);
}

np_status np_mpi_array_update(np_mpi_array *array, np_mpi_op op, size_t count, const uint64_t *address,
                              const np_word *value)
{
    np_mpi_access x = {.array = array, .kind = NP_ACCESS_FETCH, .op = op};
    decide(&x);
    return take(&x, count, address, constant(value));
}
