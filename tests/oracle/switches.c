#include "oracle/switches.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The search: seen[(row, column, port)] is true for every port that the signal reaches. */
typedef struct search {
    int rows, columns;
    const char *const *name;
    bool *seen;
} search;

static const char sides[] = "WNES";

static int side_number(char side) { return (int)(strchr(sides, side) - sides); }

/* Are the two ports in one group of the name? */
static bool grouped(const char *name, char one, char other)
{
    int group = 0, at[2] = {-1, -2};
    for (const char *p = name; *p; p++) {
        group += *p == '-';
        if (*p == one)
            at[0] = group;
        if (*p == other)
            at[1] = group;
    }
    return at[0] == at[1];
}

static void reach(search *s, int row, int column, char port);

/* Goes over the wire to the switch on the other side, if there is one. */
static void cross(search *s, int row, int column, char port)
{
    static const int up[] = {0, 1, 0, -1}, right[] = {-1, 0, 1, 0};
    int side = side_number(port);
    row += up[side];
    column += right[side];
    if (row >= 0 && row < s->rows && column >= 0 && column < s->columns)
        reach(s, row, column, sides[(side + 2) % 4]);
}

static void reach(search *s, int row, int column, char port)
{
    bool *seen = &s->seen[4 * (row * s->columns + column) + side_number(port)];
    if (*seen)
        return;
    *seen = true;
    cross(s, row, column, port);
    for (int side = 0; side < 4; side++)
        if (sides[side] != port && grouped(s->name[row * s->columns + column], port, sides[side]))
            reach(s, row, column, sides[side]);
}

static void switch_of(const search *s, oracle_place place, int *row, int *column)
{
    *row = place.side == 'N' ? s->rows - 1 : place.side == 'S' ? 0 : (int)place.index;
    *column = place.side == 'E' ? s->columns - 1 : place.side == 'W' ? 0 : (int)place.index;
}

bool oracle_switches_joined(uint32_t rows, uint32_t columns, const char *const *name, oracle_place from,
                            oracle_place to)
{
    int row, column;
    search s = {(int)rows, (int)columns, name, calloc(4 * (size_t)rows * columns, sizeof(bool))};
    assert(s.seen);
    switch_of(&s, from, &row, &column);
    reach(&s, row, column, from.side);
    switch_of(&s, to, &row, &column);
    bool joined = s.seen[4 * (row * (int)columns + column) + side_number(to.side)];
    free(s.seen);
    return joined;
}
