/*
 * Arrays: which rank has which cell.
 *
 * Cells are dealt out in blocks. Every rank has a table of all blocks: the rank, and the block's number among the
 * blocks of this rank. So a function of the class H (Ranade 1987b, section 3.1) is evaluated once for each block, and
 * costs nothing in a call; and a rank's cells need no search. A block of 64 cells is ours: it keeps the table small
 * enough for the cache, and spreads what is near in an array over the ranks nearly as well as single cells would be.
 */
#include "base/job.h"
#include "base/log2.h"
#include "base/memory.h"
#include "machine/pram/address_map.h"
#include "mpi/memory/memory.h"

enum {
    BLOCK = 6,              /* log2 of the cells of a block by default */
    BLOCKS_LEAST = 1 << 10, /* for each rank; with fewer, blocks become smaller */
    BLOCKS_MOST = 1 << 20,  /* with more, larger */
    ROUND = 1 << 24,        /* the default of options.round */
    ROUND_MOST = 1 << 29,   /* positions of twice as many requests fit 32 bits */
    COEFFICIENTS_MOST = 1 << 16
};

void np_mpi_array_options_init(np_mpi_array_options *options)
{
    *options = (np_mpi_array_options){.rule = NP_RULE_ARBITRARY, .hops = 1, .round = ROUND};
}

/* ---- Options ---- */

static np_status check_options(const np_mpi_array_options *o)
{
    if ((unsigned)o->layout > NP_MPI_BLOCKS || (unsigned)o->type > NP_CELL_BOOL || (unsigned)o->rule >= NP_RULES ||
        (unsigned)o->combining > NP_MPI_COMBINE_ALWAYS)
        return NP_RAISE(NP_ERROR_INPUT, "an array's layout, type, rule or combining is none that there is");
    if (!(np_values_rules(o->type) >> o->rule & 1))
        return NP_RAISE(NP_ERROR_INPUT, "%s does not combine values of type %s", np_access_rule_name(o->rule),
                        np_cell_type_name(o->type));
    if (!o->hops || o->hops > NP_MPI_HOPS_MOST)
        return NP_RAISE(NP_ERROR_INPUT, "%u hops: 1 .. %d", o->hops, NP_MPI_HOPS_MOST);
    if (o->coefficients > COEFFICIENTS_MOST)
        return NP_RAISE(NP_ERROR_INPUT, "%u coefficients: at most %d", o->coefficients, COEFFICIENTS_MOST);
    if (o->block & (o->block - 1))
        return NP_RAISE(NP_ERROR_INPUT, "blocks of %llu cells: take a power of 2", (unsigned long long)o->block);
    if (!o->round || o->round > ROUND_MOST)
        return NP_RAISE(NP_ERROR_INPUT, "a round of %llu requests: 1 .. %d", (unsigned long long)o->round, ROUND_MOST);
    return NP_OK;
}

static np_status check_same(np_mpi *mpi, uint64_t cells, const np_mpi_array_options *o)
{
    const uint64_t mine[] = {cells,   o->layout,       o->type,  o->rule, o->combining,
                             o->hops, o->coefficients, o->block, o->round};
    return np_mpi_same(mpi, sizeof mine / sizeof *mine, mine, "the cells of an array and its options");
}

/* ---- Blocks ---- */

static unsigned choose_block(const np_mpi *mpi, uint64_t cells, uint64_t asked)
{
    unsigned block = BLOCK;
    if (asked)
        return (unsigned)__builtin_ctzll(asked);
    while (cells >> block > BLOCKS_MOST)
        block++;
    while (block && cells >> block < (uint64_t)BLOCKS_LEAST * (unsigned)mpi->size)
        block--;
    return block;
}

static uint64_t blocks_of(const np_mpi_array *a)
{
    return (a->cells >> a->block) + ((a->cells & ((UINT64_C(1) << a->block) - 1)) != 0);
}

/* place[b] = the rank of block b. */
static np_status draw_ranks(np_mpi_array *a, uint64_t blocks)
{
    enum { AT_ONCE = 256, COEFFICIENTS = 8 };
    const uint64_t ranks = (uint64_t)a->mpi->size;
    const uint32_t n = ranks > 1 ? np_log2_up(ranks) : 1;
    np_placement placement;
    np_status st =
        np_placement_init(&placement, NP_MAP_HASH, ranks,
                          a->options.coefficients ? a->options.coefficients : COEFFICIENTS * n, a->mpi->seed);
    for (uint64_t b = 0; b < blocks && !st; b += AT_ONCE) {
        uint64_t hash[AT_ONCE], count = blocks - b < AT_ONCE ? blocks - b : AT_ONCE;
        np_placement_run(&placement, b, count, hash);
        for (uint64_t i = 0; i < count; i++)
            a->place[b + i] = (uint32_t)(hash[i] % ranks);
    }
    np_placement_clear(&placement);
    return st;
}

static void share_ranks(np_mpi_array *a, uint64_t blocks)
{
    const uint32_t ranks = (uint32_t)a->mpi->size;
    for (uint32_t r = 0; r < ranks; r++)
        for (uint64_t b = np_job_share(blocks, r, ranks); b < np_job_share(blocks, r + 1, ranks); b++)
            a->place[b] = r;
}

/* Numbers the blocks of each rank: place[b] becomes what struct np_mpi_array says. held: [ranks], zeros. */
static np_status number_blocks(np_mpi_array *a, uint64_t blocks, uint64_t *held)
{
    uint64_t most = 0;
    np_status st;
    for (uint64_t b = 0; b < blocks; b++)
        held[a->place[b]]++;
    for (int r = 0; r < a->mpi->size; r++)
        most = held[r] > most ? held[r] : most;
    while (most >> a->local)
        a->local++;
    if (((uint64_t)a->mpi->size - 1) << a->local >> 32)
        return NP_RAISE(NP_ERROR_LIMIT, "%llu blocks: take longer ones", (unsigned long long)blocks);
    if (most << a->block >> 32)
        return NP_RAISE(NP_ERROR_LIMIT, "a rank would have 2^32 cells or more: take more ranks");
    a->runs = held[a->mpi->rank];
    if ((st = np_memory_array(&a->own, a->runs, sizeof *a->own, "the blocks of an array")))
        return st;
    for (int r = 0; r < a->mpi->size; r++)
        held[r] = 0;
    for (uint64_t b = 0; b < blocks; b++) {
        const uint32_t rank = a->place[b];
        if (rank == (uint32_t)a->mpi->rank)
            a->own[held[rank]] = (uint32_t)b;
        a->place[b] = rank << a->local | (uint32_t)held[rank]++;
    }
    return NP_OK;
}

static np_status deal_out(np_mpi_array *a)
{
    const uint64_t blocks = blocks_of(a);
    uint64_t *held = NULL;
    np_status st = NP_OK;
    if (blocks >> 32)
        return NP_RAISE(NP_ERROR_LIMIT, "%llu blocks: take longer ones", (unsigned long long)blocks);
    if ((st = np_memory_array(&a->place, blocks, sizeof *a->place, "the blocks of an array")) ||
        (st = np_memory_zeroed(&held, (size_t)a->mpi->size, sizeof *held, "the blocks of an array")))
        return st;
    if (a->options.layout == NP_MPI_HASHED)
        st = draw_ranks(a, blocks);
    else
        share_ranks(a, blocks);
    if (!st)
        st = number_blocks(a, blocks, held);
    np_memory_free(held);
    return st;
}

/* ---- Hops ---- */

/*
 * The ranks are numbers of several digits. Hop h makes digit h that of the cell's rank: it leads to a rank of the same
 * group of radix^(h+1) neighbours. If the last group lacks this rank, to another one of the group, which depends on the
 * cell's rank only.
 */
static uint32_t next_rank(uint32_t ranks, uint64_t radix, uint64_t low, uint32_t me, uint32_t to)
{
    const uint64_t span = low * radix, base = me - me % span;
    uint64_t next = base + to % span;
    while (next >= ranks && next >= base + low)
        next -= low;
    return (uint32_t)(next < ranks ? next : base);
}

static np_status plan_hops(np_mpi_array *a)
{
    const uint32_t ranks = (uint32_t)a->mpi->size;
    uint64_t radix = 1, low = 1, all = 0;
    while (all < ranks) { /* the least radix by which so many digits are enough */
        radix++;
        all = 1;
        for (uint32_t h = 0; h < a->options.hops && all < ranks; h++)
            all *= radix;
    }
    for (a->hops = 1; low * radix < ranks; low *= radix) {
        uint32_t **next = &a->next[a->hops++ - 1];
        np_status st = np_memory_array(next, ranks, sizeof **next, "the ways between ranks");
        if (st)
            return st;
        for (uint32_t to = 0; to < ranks; to++)
            (*next)[to] = next_rank(ranks, radix, low, (uint32_t)a->mpi->rank, to);
    }
    if (a->hops > 1 && a->cells >> 32)
        return NP_RAISE(NP_ERROR_LIMIT, "an array of %llu cells: with hops there are at most 2^32",
                        (unsigned long long)a->cells);
    return NP_OK;
}

/* ---- The object ---- */

static np_status make_inside(np_mpi_array *a)
{
    np_status st;
    if ((st = deal_out(a)) || (st = plan_hops(a)) || (st = np_mpi_memory_need(a->mpi, a->hops)) ||
        (st = np_store_create(a->options.rule, &a->store)))
        return st;
    return np_store_grow(a->store, (uint64_t)a->runs << a->block);
}

np_status np_mpi_array_create(np_mpi *mpi, uint64_t cells, const np_mpi_array_options *options, np_mpi_array **out)
{
    np_mpi_array_options usual;
    np_mpi_array *a = NULL;
    np_status st;
    *out = NULL;
    np_mpi_array_options_init(&usual);
    options = options ? options : &usual;
    if ((st = np_mpi_agree(mpi, check_options(options))) || (st = check_same(mpi, cells, options)))
        return st;
    st = np_memory_zeroed(&a, 1, sizeof *a, "an array of all ranks");
    if (!st) {
        a->mpi = mpi;
        a->options = *options;
        a->cells = cells;
        a->block = choose_block(mpi, cells, options->block);
        a->marks.first_call = UINT64_MAX;
        st = make_inside(a);
    }
    if ((st = np_mpi_agree(mpi, st)))
        np_mpi_array_free(a);
    else
        *out = a;
    return st;
}

void np_mpi_array_free(np_mpi_array *array)
{
    if (!array)
        return;
    np_store_free(array->store);
    NP_MEMORY_FREE(array->place, array->own, array->marks.mark, array->marks.lead);
    for (unsigned h = 0; h < NP_MPI_HOPS_MOST; h++)
        np_memory_free(array->next[h]);
    np_memory_free(array);
}

uint64_t np_mpi_array_cells(const np_mpi_array *array) { return array->cells; }

size_t np_mpi_array_runs(const np_mpi_array *array) { return array->runs; }

np_mpi_run np_mpi_array_run(const np_mpi_array *array, size_t i)
{
    const uint64_t block = UINT64_C(1) << array->block, address = (uint64_t)array->own[i] << array->block;
    const uint64_t left = array->cells - address;
    return (np_mpi_run){address, left < block ? left : block,
                        np_store_words(array->store) + ((uint64_t)i << array->block)};
}

static uint64_t cells_of(const np_mpi_array *array)
{
    uint64_t cells = 0;
    for (size_t i = 0; i < array->runs; i++)
        cells += np_mpi_array_run(array, i).count;
    return cells;
}

np_status np_mpi_array_report_get(np_mpi_array *array, np_mpi_array_report *out)
{
    const np_job *job = &array->mpi->job;
    const np_mpi_marks *marks = &array->marks;
    uint64_t sum[] = {array->requests, array->combined, array->combined_on_way, marks->violations};
    /* The least number is the complement of the largest complement. Without a violation the first call is the last one
     * that there can be. */
    uint64_t most[] = {cells_of(array), ~marks->first_call}, address = 0;
    np_status st;
    if ((st = np_job_sum(job, sizeof sum / sizeof *sum, sum)) ||
        (st = np_job_most(job, sizeof most / sizeof *most, most)))
        return st;
    if (most[1] == ~marks->first_call)
        address = ~marks->first_address;
    if ((st = np_job_most(job, 1, &address)))
        return st;
    *out = (np_mpi_array_report){.calls = array->calls,
                                 .requests = sum[0],
                                 .combined = sum[1],
                                 .combined_on_way = sum[2],
                                 .cells_most = most[0],
                                 .violations = sum[3],
                                 .violation_call = ~most[1],
                                 .violation_address = most[1] ? ~address : 0};
    return NP_OK;
}
