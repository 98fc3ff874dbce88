/*
 * A call. First all ranks learn how many requests each has, and whether all can be served; then they are taken in
 * rounds. Where the order of requests matters, the ranks of a round are neighbours of which all but the last one
 * finish, so that no rank begins before those below it are done.
 */
#include "base/memory.h"
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

/* What a rank tells the others of its call. */
typedef struct told {
    uint64_t count; /* requests that are left */
    uint64_t call;
    uint64_t failed;
} told;

/*
 * all: [ranks]. *before: requests of lower ranks. status: of this rank; the result is agreed on.
 */
static np_status tell_all(np_mpi_access *x, size_t count, np_status status, told *all, uint64_t *before)
{
    np_mpi *mpi = x->array->mpi;
    const told mine = {count, (uint64_t)x->kind << 16 | (uint64_t)x->op << 8 | x->answered, status != NP_OK};
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
    if (x->kind == NP_ACCESS_WRITE && x->total > UINT32_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "%llu writes in one call: at most %u", (unsigned long long)x->total,
                        UINT32_MAX);
    return NP_OK;
}

/* ---- Rounds ---- */

/* Whose requests are taken next: the first and the last rank. False: none is left. */
static bool next_round(const np_mpi_access *x, const told *all, int *first, int *last)
{
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

static np_status take_rounds(np_mpi_access *x, np_mpi_requests left, told *all)
{
    const uint64_t round = x->array->options.round;
    uint64_t taken = 0;
    int first, last;
    np_status st = NP_OK;
    for (bool only = true; !st && next_round(x, all, &first, &last); only = false) {
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

/* The lots of this rank's writers, `before` requests behind the first one. */
static np_status draw_lots(const np_mpi_access *x, size_t count, uint64_t before, uint64_t **note)
{
    const np_mpi_array *a = x->array;
    const np_draws draws = np_request_draws(a->mpi->seed, a->calls);
    np_status st;
    if (!x->notes)
        return NP_OK;
    if ((st = np_memory_zeroed(note, count, sizeof **note, "lots of writers")))
        return st;
    for (size_t i = 0; i < count && np_request_by_lot(a->options.rule); i++)
        (*note)[i] = (uint64_t)np_request_lot(&draws, (uint32_t)(before + i)) << 32;
    return NP_OK;
}

static np_status take(np_mpi_access *x, size_t count, const uint64_t *address, np_word *value)
{
    np_mpi_array *a = x->array;
    np_mpi_requests requests = {count, address, value, NULL};
    told *all = NULL;
    uint64_t before = 0;
    np_status st = np_memory_array(&all, (size_t)a->mpi->size, sizeof *all, "counts of requests");
    if ((st = np_mpi_agree(a->mpi, st)))
        return st;
    if (!(st = check_op(x)))
        st = check_addresses(a, count, address);
    if ((st = tell_all(x, count, st, all, &before)))
        goto out;
    if (!(st = np_mpi_marks_begin(x)))
        st = draw_lots(x, count, before, &requests.note);
    if ((x->looked_at || x->notes) && (st = np_mpi_agree(a->mpi, st)))
        goto out;
    st = take_rounds(x, requests, all);
    if (x->begun && !st)
        np_store_commit(a->store);
    a->requests += count;
    a->calls++;
out:
    np_memory_free(requests.note);
    np_memory_free(all);
    return st;
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
