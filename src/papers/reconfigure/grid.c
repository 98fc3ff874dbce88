/*
 * A grid of switches, a round at a time. Subnets are the connected components of the wires.
 *
 * Every switch has a wire at each port. The wire is shared with the neighbour at this port, or ends outside, where a PU
 * may be. With R rows and C columns there are R (C + 1) horizontal wires; the wires of row r are, from left to right,
 * r (C + 1) to r (C + 1) + C. After them come (R + 1) C vertical wires; the wires below row r come before the wires
 * above it. A setting joins the wires of the ports of each of its groups by union-find (the lesser root wins, paths are
 * halved). Then every wire gets its root, the first wire of its subnet.
 *
 * One number a wire is enough, wire[]. While the round's subnets are made it is the parent. Then a PU that sends
 * replaces the root's number by its own number plus the number of wires. Then, from the first wire on, every wire gets
 * what its root has. Between rounds wire[w] is the PU that is heard there, NOBODY, or NOISE.
 */
#include <string.h>

#include "base/arena.h"
#include "base/room.h"
#include "papers/reconfigure/settings.h"

#define NOBODY UINT32_MAX
#define NOISE (UINT32_MAX - 1)

typedef struct pu {
    np_pu_place place;
    uint32_t wire;
    bool sends, sent; /* in the next round; in the last round */
    np_signal next, last;
} pu;

struct np_switch_grid {
    uint32_t rows, columns, wires, horizontal; /* horizontal wires come first */
    uint32_t pus, rounds;
    size_t switches, room;      /* room: PUs that the array holds */
    np_switch_setting *setting; /* [switches] */
    uint32_t *wire;             /* [wires] */
    bool *taken;                /* [2 (rows + columns)]: is there a PU at this end of a wire? By side */
    pu *pu;                     /* [room], the first `pus` in use */
};

static uint32_t wire_at(const np_switch_grid *grid, uint32_t row, uint32_t column, np_switch_port port)
{
    uint32_t across = row * (grid->columns + 1) + column, below = grid->horizontal + row * grid->columns + column;
    switch (port) {
    case NP_PORT_W:
        return across;
    case NP_PORT_E:
        return across + 1;
    case NP_PORT_S:
        return below;
    default:
        return below + grid->columns;
    }
}

static void layout(void *object, np_arena *arena)
{
    np_switch_grid *grid = object;
    size_t ends = 2 * ((size_t)grid->rows + grid->columns);
    np_arena_array(arena, &grid->setting, grid->switches, sizeof *grid->setting, "the switches' settings");
    np_arena_array(arena, &grid->wire, grid->wires, sizeof *grid->wire, "the wires");
    np_arena_zeroed(arena, &grid->taken, ends, sizeof *grid->taken, "the wires' ends");
}

np_status np_switch_grid_create(uint64_t rows, uint64_t columns, np_switch_grid **out)
{
    np_status st;
    *out = NULL;
    if ((st = np_switch_grid_check(rows, columns)))
        return st;
    np_switch_grid grid = {.rows = (uint32_t)rows, .columns = (uint32_t)columns, .switches = rows * columns};
    grid.horizontal = (uint32_t)(rows * (columns + 1)); /* below 2^26 */
    grid.wires = (uint32_t)(grid.horizontal + (rows + 1) * columns);
    if ((st = np_arena_create(&grid, sizeof grid, layout, "a grid", out)))
        return st;
    memset((*out)->setting, NP_SWITCH_APART, grid.switches);
    for (uint32_t w = 0; w < grid.wires; w++)
        (*out)->wire[w] = NOBODY;
    return NP_OK;
}

void np_switch_grid_free(np_switch_grid *grid)
{
    if (grid)
        np_memory_free(grid->pu);
    np_memory_free(grid);
}

uint32_t np_switch_grid_rows(const np_switch_grid *grid) { return grid->rows; }
uint32_t np_switch_grid_columns(const np_switch_grid *grid) { return grid->columns; }
uint32_t np_switch_grid_pus(const np_switch_grid *grid) { return grid->pus; }
uint32_t np_switch_grid_rounds(const np_switch_grid *grid) { return grid->rounds; }
np_pu_place np_switch_grid_place(const np_switch_grid *grid, uint32_t i) { return grid->pu[i].place; }

static bool across(np_switch_port side) { return side == NP_PORT_W || side == NP_PORT_E; }

/* The index of an end in `taken`: the ends of sides W, N, E, S one after the other. */
static size_t end_number(const np_switch_grid *grid, np_switch_port side, uint32_t index)
{
    size_t first = (side > NP_PORT_W ? grid->rows : 0) + (side > NP_PORT_N ? grid->columns : 0) +
                   (side > NP_PORT_E ? grid->rows : 0);
    return first + index;
}

static uint32_t end_wire(const np_switch_grid *grid, np_switch_port side, uint32_t index)
{
    uint32_t row = across(side) ? index : side == NP_PORT_N ? grid->rows - 1 : 0;
    uint32_t column = !across(side) ? index : side == NP_PORT_E ? grid->columns - 1 : 0;
    return wire_at(grid, row, column, side);
}

np_status np_switch_grid_attach(np_switch_grid *grid, np_switch_port side, uint64_t index, uint32_t *out)
{
    np_status st;
    uint32_t ends = across(side) ? grid->rows : grid->columns;
    if (index >= ends)
        return NP_RAISE(NP_ERROR_INPUT, "no place %c%llu at a grid of %u x %u switches: %c0 to %c%u",
                        np_switch_port_letter(side), (unsigned long long)index, grid->rows, grid->columns,
                        np_switch_port_letter(side), np_switch_port_letter(side), ends - 1);
    if (grid->taken[end_number(grid, side, (uint32_t)index)])
        return NP_RAISE(NP_ERROR_INPUT, "there is a PU at %c%llu already: one at each wire's end",
                        np_switch_port_letter(side), (unsigned long long)index);
    if ((st = np_memory_room(&grid->pu, grid->pus, &grid->room, sizeof *grid->pu, "the PUs")))
        return st;
    grid->taken[end_number(grid, side, (uint32_t)index)] = true;
    grid->pu[grid->pus] = (pu){.place = {side, (uint32_t)index}, .wire = end_wire(grid, side, (uint32_t)index)};
    *out = grid->pus++;
    return NP_OK;
}

void np_switch_grid_set(np_switch_grid *grid, uint32_t row, uint32_t column, np_switch_setting setting)
{
    grid->setting[(size_t)row * grid->columns + column] = setting;
}

void np_switch_grid_set_all(np_switch_grid *grid, np_switch_setting setting)
{
    memset(grid->setting, setting, grid->switches);
}

np_switch_setting np_switch_grid_setting(const np_switch_grid *grid, uint32_t row, uint32_t column)
{
    return grid->setting[(size_t)row * grid->columns + column];
}

np_status np_switch_grid_send(np_switch_grid *grid, uint32_t i, np_signal signal)
{
    if (i >= grid->pus)
        return NP_RAISE(NP_ERROR_INPUT, "no PU %u: there are %u, from 0", i, grid->pus);
    pu *sender = &grid->pu[i];
    if (sender->sends)
        return NP_RAISE(NP_ERROR_INPUT, "the PU at %c%u sends already: one signal a round",
                        np_switch_port_letter(sender->place.side), sender->place.index);
    sender->sends = true;
    sender->next = signal;
    return NP_OK;
}

/* ---- A round ---- */

static uint32_t root_of(uint32_t *parent, uint32_t wire)
{
    while (parent[wire] != wire) {
        parent[wire] = parent[parent[wire]];
        wire = parent[wire];
    }
    return wire;
}

static void join(uint32_t *parent, uint32_t one, uint32_t other)
{
    one = root_of(parent, one);
    other = root_of(parent, other);
    if (one < other)
        parent[other] = one;
    else
        parent[one] = other;
}

static void cut_into_nets(np_switch_grid *grid)
{
    const np_switch_setting *setting = grid->setting;
    for (uint32_t w = 0; w < grid->wires; w++)
        grid->wire[w] = w;
    for (uint32_t row = 0; row < grid->rows; row++)
        for (uint32_t column = 0; column < grid->columns; column++, setting++)
            for (unsigned port = NP_PORT_N; port < NP_SWITCH_PORTS; port++) {
                unsigned first = *setting >> 2 * port & 3;
                if (first != port)
                    join(grid->wire, wire_at(grid, row, column, first), wire_at(grid, row, column, port));
            }
    for (uint32_t w = 0; w < grid->wires; w++) /* a parent is less than its wire, so it has its root already */
        grid->wire[w] = grid->wire[grid->wire[w]];
}

static void put_signals(np_switch_grid *grid, np_switch_round *round)
{
    for (uint32_t i = 0; i < grid->pus; i++) {
        pu *sender = &grid->pu[i];
        sender->sent = sender->sends;
        sender->last = sender->next;
        sender->sends = false;
        if (!sender->sent)
            continue;
        /* The subnet's first wire; or a number above all wires, if the PU's wire is the first and has a sender. */
        uint32_t first = grid->wire[sender->wire];
        uint32_t *root = first < grid->wires ? &grid->wire[first] : &grid->wire[sender->wire];
        round->senders++;
        if (*root < grid->wires) {
            *root = grid->wires + i;
            round->nets++;
        } else if (*root != NOISE) {
            if (!round->conflicts++) {
                round->one = *root - grid->wires;
                round->another = i;
            }
            *root = NOISE;
            round->nets--;
        }
    }
}

/* Gives all wires what their roots have. A root comes before the other wires of its subnet. */
static void spread_signals(np_switch_grid *grid)
{
    for (uint32_t w = 0; w < grid->wires; w++) {
        uint32_t *wire = &grid->wire[w];
        if (*wire == w)
            *wire = NOBODY;
        else if (*wire < grid->wires)
            *wire = grid->wire[*wire];
        else if (*wire != NOISE)
            *wire -= grid->wires;
    }
}

static bool clear(uint32_t sender) { return sender < NOISE; }

static void count_listeners(const np_switch_grid *grid, np_switch_round *round)
{
    for (uint32_t row = 0; row < grid->rows; row++)
        for (uint32_t column = 0; column < grid->columns; column++) {
            bool hears = false;
            for (unsigned port = 0; port < NP_SWITCH_PORTS; port++)
                hears |= clear(grid->wire[wire_at(grid, row, column, port)]);
            round->switches += hears;
        }
    for (uint32_t i = 0; i < grid->pus; i++)
        round->pus += !grid->pu[i].sent && clear(grid->wire[grid->pu[i].wire]);
}

static uint16_t settings_used(const np_switch_grid *grid)
{
    bool used[UINT8_MAX + 1] = {false};
    uint16_t all = 0;
    for (size_t i = 0; i < grid->switches; i++)
        used[grid->setting[i]] = true;
    for (size_t i = 0; i < NP_SWITCH_SETTINGS; i++)
        all |= (uint16_t)(used[np_switch_setting_get(i)] << i);
    return all;
}

void np_switch_grid_round(np_switch_grid *grid, const char *what, np_switch_round *round)
{
    *round = (np_switch_round){.what = what, .one = NP_NONE, .another = NP_NONE};
    cut_into_nets(grid);
    put_signals(grid, round);
    spread_signals(grid);
    count_listeners(grid, round);
    round->settings = settings_used(grid);
    grid->rounds++;
}

bool np_switch_grid_hears(const np_switch_grid *grid, uint32_t row, uint32_t column, np_switch_port port,
                          np_signal *signal)
{
    uint32_t sender = grid->wire[wire_at(grid, row, column, port)];
    if (clear(sender))
        *signal = grid->pu[sender].last;
    return clear(sender);
}

bool np_switch_grid_received(const np_switch_grid *grid, uint32_t i, np_signal *signal, uint32_t *from)
{
    uint32_t sender = grid->wire[grid->pu[i].wire];
    if (!clear(sender) || sender == i)
        return false;
    *signal = grid->pu[sender].last;
    if (from)
        *from = sender;
    return true;
}
