/*
 * Ranks of n keys in four rounds, and six rounds to sort them (Sibeyn's notes, which give only the idea and the number
 * of steps).
 *
 * There are n grids of n x n switches, one above the other: grid i is rows i n to i n + n - 1 of one grid of n^2 x n.
 * Its switches are (i; row, column). The PUs, one at a wire's end: PU_j above column j, with a_j; G_i at the left of
 * row 0 of grid i; and R_ir at the right of row r of grid i. These are n^3 switches and n^2 + 2n PUs. Only the three
 * settings of the parity are used.
 *
 * 1. All WE-NS. PU_j sends a_j down its column: every switch of column j, in all grids, keeps it.
 * 2. (i; 0, i) is WN-SE: PU_i sends a_i down to this switch and on to the left, to G_i. The grids turn in different
 *    columns, so all n send at once.
 * 3. Each grid is a snake: row 0 to the right, row 1 to the left, and so on. At the right end WN-SE and WS-NE lead up,
 *    at the left end WS-NE and WN-SE. G_i sends a_i; every switch of grid i hears it and compares it with its a_j.
 * 4. Column j of grid i is WN-SE if a_j < a_i (or if they are equal and j < i), else WE-NS. G_i sends a_i: it goes up
 *    one row at each WN-SE column and leaves at the right in row r_i, the rank, where R_ir hears it. Row n - 1 is high
 *    enough, because column i itself is straight. No way leaves its grid: in row n - 1 no lesser key is left.
 * 5. All WE-NS. The R_ir that heard a_i sends along its row: switch (i; r, r) keeps that it heard it.
 * 6. These switches are WS-NE, all others WE-NS. R_ir sends a_i: to the left as far as (i; r, r), and up column r to
 *    PU_r. Ranks are distinct, so no other grid turns in this column.
 *
 * Without branching, a PU's signal reaches all switches of a grid only through a snake, and the snake must begin at the
 * outside. This is why there are the G_i, and round 2. The number of rounds is the same for every n, also for n = 1.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "papers/reconfigure/run.h"

typedef struct sorting {
    np_reconfigure_run run;
    uint32_t n;
    uint64_t *column_key; /* [n^3]: a_j, kept by the switches of column j */
    bool *mark;           /* [n^3]: in rounds 3 and 4: a_j < a_i; in rounds 5 and 6: this is (i; r, r) */
    uint32_t *exit;       /* [n]: r such that R_ir heard grid i's signal */
} sorting;

/* The numbers of the PUs, in the order in which they are attached. */
static uint32_t above(uint32_t j) { return j; }
static uint32_t left(const sorting *s, uint32_t i) { return s->n + i; }
static uint32_t right(const sorting *s, uint32_t i, uint32_t row) { return 2 * s->n + i * s->n + row; }

static void attach(sorting *s)
{
    for (uint32_t j = 0; j < s->n; j++)
        np_reconfigure_run_attach(&s->run, NP_PORT_N, j);
    for (uint32_t i = 0; i < s->n; i++)
        np_reconfigure_run_attach(&s->run, NP_PORT_W, (uint64_t)i * s->n);
    for (uint32_t row = 0; row < s->n * s->n; row++)
        np_reconfigure_run_attach(&s->run, NP_PORT_E, row);
}

/* Visits a switch; `row` is its row in the whole grid. */
typedef void visit_fn(sorting *s, uint32_t row, uint32_t column, size_t number);

static void each(sorting *s, visit_fn *visit)
{
    size_t number = 0;
    if (s->run.status)
        return;
    for (uint32_t row = 0; row < s->n * s->n; row++)
        for (uint32_t column = 0; column < s->n; column++)
            visit(s, row, column, number++);
}

/* ---- 1: columns ---- */

static void keep_column_key(sorting *s, uint32_t row, uint32_t column, size_t number)
{
    np_signal signal = {0};
    if (!np_switch_grid_hears(s->run.grid, row, column, NP_PORT_N, &signal) || signal.tag != column)
        np_reconfigure_run_wrong(&s->run, "the switch in row %u, column %u hears no key", row, column);
    s->column_key[number] = signal.word;
}

static void tell_columns(sorting *s, const uint64_t *key)
{
    np_switch_grid_set_all(s->run.grid, NP_SWITCH_WE_NS);
    for (uint32_t j = 0; j < s->n; j++)
        np_reconfigure_run_send(&s->run, above(j), key[j], j);
    np_reconfigure_run_round(&s->run, "PU j tells column j of all grids a_j");
    each(s, keep_column_key);
}

/* ---- 2, 3: each grid its own key ---- */

static void tell_left(sorting *s, const uint64_t *key)
{
    for (uint32_t i = 0; i < s->n; i++) {
        np_switch_grid_set(s->run.grid, i * s->n, i, NP_SWITCH_WN_SE);
        np_reconfigure_run_send(&s->run, above(i), key[i], i);
    }
    np_reconfigure_run_round(&s->run, "PU i tells the PU left of grid i a_i");
}

static void set_snake(sorting *s, uint32_t row, uint32_t column, size_t number)
{
    (void)number;
    uint32_t own = row % s->n;
    np_switch_setting setting = NP_SWITCH_WE_NS;
    if (column == s->n - 1 && own < s->n - 1)
        setting = own % 2 ? NP_SWITCH_WS_NE : NP_SWITCH_WN_SE;
    else if (column == 0 && own && (own < s->n - 1 || own % 2 == 0))
        setting = own % 2 ? NP_SWITCH_WS_NE : NP_SWITCH_WN_SE;
    else if (column == s->n - 1 && own % 2)
        setting = NP_SWITCH_WS_NE; /* the last row, entered from below */
    np_switch_grid_set(s->run.grid, row, column, setting);
}

/* Compares the grid's key with the key kept of the column: a_j < a_i? */
static void compare(sorting *s, uint32_t row, uint32_t column, size_t number)
{
    np_signal own = {0};
    uint32_t i = row / s->n;
    np_switch_port port = column ? NP_PORT_W : NP_PORT_E; /* the snake passes there in all rows */
    if (!np_switch_grid_hears(s->run.grid, row, column, port, &own) || own.tag != i)
        np_reconfigure_run_wrong(&s->run, "the switch in row %u, column %u does not hear its grid's key", row, column);
    s->mark[number] = s->column_key[number] < own.word || (s->column_key[number] == own.word && column < i);
}

/* G_i sends what it heard. */
static void send_from_left(sorting *s, const np_signal *own)
{
    for (uint32_t i = 0; i < s->n; i++)
        np_reconfigure_run_send(&s->run, left(s, i), own[i].word, own[i].tag);
}

static void tell_grids(sorting *s, np_signal *own)
{
    for (uint32_t i = 0; !s->run.status && i < s->n; i++)
        if (!np_switch_grid_received(s->run.grid, left(s, i), &own[i], NULL))
            np_reconfigure_run_wrong(&s->run, "the PU left of grid %u hears no key", i);
    each(s, set_snake);
    send_from_left(s, own);
    np_reconfigure_run_round(&s->run, "a_i goes through all of grid i, in a snake");
    each(s, compare);
}

/* ---- 4: the rank ---- */

static void set_stairs(sorting *s, uint32_t row, uint32_t column, size_t number)
{
    np_switch_grid_set(s->run.grid, row, column, s->mark[number] ? NP_SWITCH_WN_SE : NP_SWITCH_WE_NS);
}

/* Afterwards own[i] is what R_ir heard. */
static void climb(sorting *s, np_signal *own)
{
    np_signal signal;
    each(s, set_stairs);
    send_from_left(s, own);
    np_reconfigure_run_round(&s->run, "a_i climbs a row for each lesser key");
    for (uint32_t i = 0; !s->run.status && i < s->n; i++) {
        uint32_t exits = 0;
        for (uint32_t row = 0; row < s->n; row++)
            if (np_switch_grid_received(s->run.grid, right(s, i, row), &signal, NULL) && signal.tag == i) {
                s->exit[i] = row;
                own[i] = signal;
                exits++;
            }
        if (exits != 1)
            np_reconfigure_run_wrong(&s->run, "the signal of grid %u comes out in %u rows", i, exits);
    }
}

/* ---- 5, 6: to the PU of the rank ---- */

static void send_from_right(sorting *s, const np_signal *own)
{
    for (uint32_t i = 0; i < s->n; i++)
        np_reconfigure_run_send(&s->run, right(s, i, s->exit[i]), own[i].word, own[i].tag);
}

static void keep_mark(sorting *s, uint32_t row, uint32_t column, size_t number)
{
    np_signal signal;
    s->mark[number] = row % s->n == column && np_switch_grid_hears(s->run.grid, row, column, NP_PORT_E, &signal);
}

static void set_turns(sorting *s, uint32_t row, uint32_t column, size_t number)
{
    np_switch_grid_set(s->run.grid, row, column, s->mark[number] ? NP_SWITCH_WS_NE : NP_SWITCH_WE_NS);
}

static void deliver(sorting *s, const np_signal *own, uint32_t *order)
{
    np_switch_grid_set_all(s->run.grid, NP_SWITCH_WE_NS);
    send_from_right(s, own);
    np_reconfigure_run_round(&s->run, "the PU at row r_i of grid i tells its row");
    each(s, keep_mark);
    each(s, set_turns);
    send_from_right(s, own);
    np_reconfigure_run_round(&s->run, "a_i goes along row r_i and up column r_i");
    for (uint32_t r = 0; !s->run.status && r < s->n; r++) {
        np_signal signal = {.tag = NP_NONE};
        if (!np_switch_grid_received(s->run.grid, above(r), &signal, NULL))
            np_reconfigure_run_wrong(&s->run, "PU %u hears no key", r);
        order[r] = signal.tag;
    }
}

/* ---- The whole ---- */

/* Checks the ranks by counting, without any switches. */
static void check_ranks(sorting *s, const uint64_t *key, const uint32_t *rank, const uint32_t *order)
{
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t less = 0;
        for (uint32_t j = 0; j < s->n; j++)
            less += key[j] < key[i] || (key[j] == key[i] && j < i);
        if (rank[i] != less)
            np_reconfigure_run_wrong(&s->run, "the rank of key %u is %u, and not %u", i, less, rank[i]);
        else if (order && order[less] != i)
            np_reconfigure_run_wrong(&s->run, "key %u is not at PU %u", i, less);
    }
}

static np_status allocate(sorting *s, np_signal **own, bool deliver_too)
{
    np_status st;
    np_reconfigure_result *result = s->run.result;
    size_t switches = result->switches;
    if ((st = np_memory_zeroed(own, s->n, sizeof **own, "the grids' keys")) ||
        (st = np_memory_zeroed(&s->column_key, switches, sizeof *s->column_key, "the switches' keys")) ||
        (st = np_memory_zeroed(&s->mark, switches, sizeof *s->mark, "the switches' marks")) ||
        (st = np_memory_zeroed(&result->rank, s->n, sizeof *result->rank, "the ranks")))
        return st;
    s->exit = result->rank;
    return deliver_too ? np_memory_zeroed(&result->order, s->n, sizeof *result->order, "the order") : NP_OK;
}

static np_status run(sorting *s, const uint64_t *key, bool deliver_too)
{
    np_signal *own = NULL;
    np_status st = allocate(s, &own, deliver_too);
    if (!st) {
        np_reconfigure_result *result = s->run.result;
        attach(s);
        tell_columns(s, key);
        tell_left(s, key);
        tell_grids(s, own);
        climb(s, own);
        if (deliver_too)
            deliver(s, own, result->order);
        check_ranks(s, key, result->rank, result->order);
    }
    np_memory_free(own);
    return st;
}

static np_status rank_or_sort(const char *program, size_t n, const uint64_t *key, const np_reconfigure_options *options,
                              np_reconfigure_result **out)
{
    np_status st;
    sorting s = {.n = (uint32_t)n};
    *out = NULL;
    if (!(st = np_reconfigure_run_begin(&s.run, program, n, n * n, n, options)))
        st = run(&s, key, *program == 's');
    st = np_reconfigure_run_end(&s.run, st, out);
    NP_MEMORY_FREE(s.column_key, s.mark);
    return st;
}

np_status np_reconfigure_rank(size_t n, const uint64_t *key, const np_reconfigure_options *options,
                              np_reconfigure_result **out)
{
    return rank_or_sort("rank", n, key, options, out);
}

np_status np_reconfigure_sort(size_t n, const uint64_t *key, const np_reconfigure_options *options,
                              np_reconfigure_result **out)
{
    return rank_or_sort("sort", n, key, options, out);
}
