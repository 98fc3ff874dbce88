/*
 * Parity of n bits in two rounds (Sibeyn's notes): n + 3 PUs and 6n switches in a grid of 3 x 2n.
 *
 * PU_i is above column 2i. The PU `start` is at the left of row 0; the PUs `even` and `odd` are at the right of rows 0
 * and 1.
 *
 * Round 1 tells the six switches of columns 2i and 2i + 1 the bit of PU_i. The notes do not say how the switches are
 * set in this round. The three settings of the notes are enough, for a way down column 2i and up column 2i + 1. It
 * passes port N of every switch or begins there:
 *
 *     row 2   NS  NS
 *     row 1   NS  NS        that is WE-NS, but WS-NE at (0, 2i) and WN-SE at (0, 2i + 1).
 *     row 0   NE  WN
 *
 * In round 2 `start` sends a signal along row 0. Switches that heard a 0 are WE-NS: the signal stays in its row.
 * Switches that heard a 1 are WN-SE in column 2i: a signal comes in at W in row r, goes up to S of row r + 1, and
 * leaves there at E. In column 2i + 1 they are WS-NE, except in row 1, where they are WE-NS. There a signal that comes
 * in row 2 goes down past row 1 to row 0, and a signal that comes in row 1 stays. So in the two columns of a 1 a signal
 * of row 0 goes to row 1 and stays there, and a signal of row 1 goes to row 2 and then to row 0. The signal leaves in
 * row 0 or 1, the parity.
 *
 * The notes' "row 1" is the middle row: rows are counted from 0, as the columns are. With the exception in any other
 * row one of the two ways is lost; tests/unit/test_reconfigure.c tries them.
 *
 * A third round, if it is asked for, is the notes' "or broadcast it to all other PUs": all switches join all ports.
 */
#include "base/memory.h"
#include "base/random.h"
#include "papers/reconfigure/run.h"

typedef struct parity {
    np_reconfigure_run run;
    uint32_t n;
    uint32_t start, even, odd; /* PUs; PU_i is number i */
    uint8_t *value;            /* [6n]: what each switch has heard, row by row */
} parity;

void np_reconfigure_bits(size_t n, uint64_t seed, uint8_t *bit)
{
    const np_draws draws = {.seed = seed, .purpose = NP_RANDOM_INPUT};
    for (size_t i = 0; i < n; i++)
        bit[i] = (uint8_t)np_random_below(&draws, (uint32_t)i, 0, 2);
}

static void attach(parity *p)
{
    for (uint32_t i = 0; i < p->n; i++)
        np_reconfigure_run_attach(&p->run, NP_PORT_N, 2 * (uint64_t)i);
    p->start = np_reconfigure_run_attach(&p->run, NP_PORT_W, 0);
    p->even = np_reconfigure_run_attach(&p->run, NP_PORT_E, 0);
    p->odd = np_reconfigure_run_attach(&p->run, NP_PORT_E, 1);
}

static void inform(parity *p, const uint8_t *bit)
{
    np_switch_grid *grid = p->run.grid;
    np_switch_grid_set_all(grid, NP_SWITCH_WE_NS);
    for (uint32_t i = 0; i < p->n; i++) {
        np_switch_grid_set(grid, 0, 2 * i, NP_SWITCH_WS_NE);
        np_switch_grid_set(grid, 0, 2 * i + 1, NP_SWITCH_WN_SE);
        np_reconfigure_run_send(&p->run, i, bit[i], i);
    }
    np_reconfigure_run_round(&p->run, "PU i tells columns 2i and 2i + 1 its bit");
}

static void hear(parity *p)
{
    for (uint32_t row = 0; row < 3; row++)
        for (uint32_t column = 0; column < 2 * p->n; column++) {
            np_signal signal = {0};
            if (!np_switch_grid_hears(p->run.grid, row, column, NP_PORT_N, &signal))
                np_reconfigure_run_wrong(&p->run, "the switch in row %u, column %u hears no bit", row, column);
            p->value[(size_t)row * 2 * p->n + column] = (uint8_t)signal.word;
        }
}

static np_switch_setting setting_for(uint8_t bit, uint32_t row, uint32_t column)
{
    if (!bit)
        return NP_SWITCH_WE_NS;
    if (column % 2 == 0)
        return NP_SWITCH_WN_SE;
    return row == 1 ? NP_SWITCH_WE_NS : NP_SWITCH_WS_NE;
}

static void pass(parity *p)
{
    for (uint32_t row = 0; row < 3; row++)
        for (uint32_t column = 0; column < 2 * p->n; column++)
            np_switch_grid_set(p->run.grid, row, column,
                               setting_for(p->value[(size_t)row * 2 * p->n + column], row, column));
    np_reconfigure_run_send(&p->run, p->start, 0, p->start);
    np_reconfigure_run_round(&p->run, "a signal from the lower left");
}

static void conclude(parity *p, const uint8_t *bit)
{
    np_signal signal;
    uint32_t want = 0;
    if (p->run.status)
        return;
    for (uint32_t i = 0; i < p->n; i++)
        want += bit[i];
    bool even = np_switch_grid_received(p->run.grid, p->even, &signal, NULL);
    bool odd = np_switch_grid_received(p->run.grid, p->odd, &signal, NULL);
    p->run.result->parity = odd;
    if (even == odd)
        np_reconfigure_run_wrong(&p->run, "the signal comes out %s", even ? "twice" : "nowhere");
    else if (odd != want % 2)
        np_reconfigure_run_wrong(&p->run, "the parity of %u ones is not %d", want, odd);
}

static void tell_all(parity *p)
{
    np_signal signal;
    uint32_t teller = p->run.result->parity ? p->odd : p->even;
    np_switch_grid_set_all(p->run.grid, NP_SWITCH_WNES);
    np_reconfigure_run_send(&p->run, teller, p->run.result->parity, teller);
    np_reconfigure_run_round(&p->run, "the PU that knows tells all");
    for (uint32_t pu = 0; !p->run.status && pu < np_switch_grid_pus(p->run.grid); pu++)
        if (pu != teller &&
            (!np_switch_grid_received(p->run.grid, pu, &signal, NULL) || signal.word != p->run.result->parity))
            np_reconfigure_run_wrong(&p->run, "PU %u is not told", pu);
}

static np_status run(parity *p, const uint8_t *bit)
{
    np_status st = np_memory_array(&p->value, 6 * (size_t)p->n, 1, "what the switches have heard");
    if (st)
        return st;
    attach(p);
    inform(p, bit);
    hear(p);
    pass(p);
    conclude(p, bit);
    if (p->run.options->announce && !p->run.status)
        tell_all(p);
    return NP_OK;
}

static np_status check_bits(size_t n, const uint8_t *bit)
{
    for (size_t i = 0; i < n; i++)
        if (bit[i] > 1)
            return NP_RAISE(NP_ERROR_INPUT, "bit %zu is %u: must be 0 or 1", i, bit[i]);
    return NP_OK;
}

np_status np_reconfigure_parity(size_t n, const uint8_t *bit, const np_reconfigure_options *options,
                                np_reconfigure_result **out)
{
    np_status st;
    parity p = {.n = (uint32_t)n};
    *out = NULL;
    if (!(st = np_reconfigure_run_begin(&p.run, "parity", n, 3, 2 * (uint64_t)n, options)) &&
        !(st = check_bits(n, bit)))
        st = run(&p, bit);
    st = np_reconfigure_run_end(&p.run, st, out);
    np_memory_free(p.value);
    return st;
}
