/*
 * The picture of a PRAM program: steps from left to right, processors from top to bottom, and in the colours what a
 * processor does to its cell, alone or with others. Several steps or processors that share a cell of the picture show
 * what comes last in the list below.
 *
 * Nobody knows before how many steps and processors there are. So a column stands for 1, 2, 4, ... steps, and a row for
 * 1, 2, 4, ... processors: when they are full, two become one.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "base/order.h"
#include "show/picture/heat.h"

enum { COLUMNS = 2 * NP_HEAT_COLUMNS, ROWS = NP_HEAT_ROWS };

/* Ordered: what is more of a conflict comes later. */
enum access { NONE, READ, WRITE, READ_TOGETHER, FETCH, WRITE_TOGETHER, ACCESSES };

static const np_legend_line sign[ACCESSES] = {
    [READ] = {NP_SIGN_BOX, NP_SVG_SKY, "reads, alone at its cell"},
    [WRITE] = {NP_SIGN_BOX, NP_SVG_ORANGE, "writes, alone"},
    [READ_TOGETHER] = {NP_SIGN_BOX, NP_SVG_BLUE, "reads with others"},
    [FETCH] = {NP_SIGN_BOX, NP_SVG_GREEN, "fetches and changes"},
    [WRITE_TOGETHER] = {NP_SIGN_BOX, NP_SVG_VERMILION, "writes where others write or read"},
};

typedef struct access_sheet {
    np_sheet sheet;
    uint64_t steps, processors;        /* so many there are */
    uint64_t width, height;            /* steps of a column, processors of a row */
    uint64_t violations;               /* steps that break the rule */
    unsigned char cell[ROWS][COLUMNS]; /* enum access */
    bool violated[COLUMNS];
} access_sheet;

static void widen(access_sheet *s)
{
    for (int row = 0; row < ROWS; row++)
        for (int i = 0; i < COLUMNS; i++) {
            const unsigned char *two = &s->cell[row][2 * i];
            s->cell[row][i] = i >= COLUMNS / 2 ? NONE : two[0] > two[1] ? two[0] : two[1];
        }
    for (int i = 0; i < COLUMNS; i++)
        s->violated[i] = i < COLUMNS / 2 && (s->violated[2 * i] || s->violated[2 * i + 1]);
    s->width *= 2;
}

static void heighten(access_sheet *s)
{
    for (int row = 0; row < ROWS; row++)
        for (int i = 0; i < COLUMNS; i++) {
            unsigned char a = row < ROWS / 2 ? s->cell[2 * row][i] : NONE,
                          b = row < ROWS / 2 ? s->cell[2 * row + 1][i] : NONE;
            s->cell[row][i] = a > b ? a : b;
        }
    s->height *= 2;
}

static void mark(access_sheet *s, uint64_t step, uint64_t processor, enum access what)
{
    while (processor / s->height >= ROWS)
        heighten(s);
    unsigned char *cell = &s->cell[processor / s->height][step / s->width];
    *cell = what > *cell ? (unsigned char)what : *cell;
}

/* An access of a step, to be sorted by cells. */
typedef struct access_at {
    np_address address;
    size_t processor;
    np_access_kind kind;
} access_at;

static int compare(const void *one, const void *other)
{
    const access_at *a = one, *b = other;
    return np_order_pair(a->address, b->address, a->processor, b->processor);
}

static size_t gather(const np_pram_step *step, access_at *at)
{
    size_t count = 0;
    for (size_t i = 0; i < step->count; i++)
        if (!step->active || step->active[i])
            at[count++] = (access_at){step->address[i], i, step->kind ? (np_access_kind)step->kind[i] : step->all};
    return count;
}

static enum access judge(np_access_kind kind, bool alone, bool changed)
{
    if (kind == NP_ACCESS_FETCH)
        return FETCH;
    if (kind == NP_ACCESS_WRITE)
        return alone ? WRITE : WRITE_TOGETHER;
    return alone ? READ : changed ? WRITE_TOGETHER : READ_TOGETHER;
}

/* A group of processors is at one cell. */
static void mark_all(access_sheet *s, uint64_t step, const access_at *at, size_t count)
{
    for (size_t from = 0, to; from < count; from = to) {
        bool changed = false;
        for (to = from; to < count && at[to].address == at[from].address; to++)
            changed |= at[to].kind == NP_ACCESS_WRITE;
        for (size_t i = from; i < to; i++)
            mark(s, step, at[i].processor, judge(at[i].kind, to - from == 1, changed));
    }
}

static np_status take(np_sheet *sheet, const np_pram_seen *seen)
{
    access_sheet *s = (access_sheet *)sheet;
    access_at *at;
    np_status st = np_memory_array(&at, seen->access->count + 1, sizeof *at, "a picture");
    if (st)
        return st;
    s->width = s->width ? s->width : 1;
    s->height = s->height ? s->height : 1;
    while (seen->step / s->width >= COLUMNS)
        widen(s);
    s->steps = seen->step + 1 > s->steps ? seen->step + 1 : s->steps;
    s->processors = seen->access->count > s->processors ? seen->access->count : s->processors;
    size_t count = gather(seen->access, at);
    qsort(at, count, sizeof *at, compare);
    mark_all(s, seen->step, at, count);
    s->violated[seen->step / s->width] |= seen->violations > 0;
    s->violations += seen->violations > 0;
    np_memory_free(at);
    return NP_OK;
}

/* ---- Drawing ---- */

enum { LEFT = 54, TOP = 12 };

static const char *colour_of(const void *context, uint64_t row, uint64_t column, char room[8])
{
    const access_sheet *s = context;
    (void)room;
    return sign[s->cell[row][column]].colour;
}

/* What is in the picture. */
static size_t gather_signs(const access_sheet *s, np_legend_line *line)
{
    size_t lines = 0;
    bool seen[ACCESSES] = {false};
    for (int row = 0; row < ROWS; row++)
        for (int i = 0; i < COLUMNS; i++)
            seen[s->cell[row][i]] = true;
    for (int what = READ; what < ACCESSES; what++)
        if (seen[what])
            line[lines++] = sign[what];
    if (s->violations)
        line[lines++] = (np_legend_line){NP_SIGN_BOX, NP_SVG_INK, "above: the step breaks the access rule"};
    return lines;
}

static void describe(const access_sheet *s, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%llu steps, %llu processors at most", (unsigned long long)s->steps,
                                   (unsigned long long)s->processors);
    if (s->width > 1)
        used += (size_t)snprintf(text + used, size - used, "; a column is %llu steps", (unsigned long long)s->width);
    if (s->height > 1)
        snprintf(text + used, size - used, "; a row is %llu processors", (unsigned long long)s->height);
}

static np_status finish(np_sheet *sheet)
{
    static const char title[] = "Accesses of processors to shared memory";
    const access_sheet *s = (access_sheet *)sheet;
    np_legend_line line[ACCESSES + 1];
    char below[192];
    if (!s->steps)
        return np_picture_nothing(title, sheet);
    np_heat_axis x = {s->steps, s->width, 0, "PRAM step"}, y = {s->processors, s->height, 0, "processor"};
    const np_legend legend = {.lines = gather_signs(s, line), .line = line};
    describe(s, below, sizeof below);
    double height = np_heat_height(&x, &y, 560);
    np_frame frame = np_frame_open(height + TOP, title, below, sheet->command, &legend, sheet->stream);
    frame.y += TOP;
    frame.height = height;
    np_heat_draw(&frame, &x, &y, colour_of, s, sheet->stream);
    double side = np_heat_side(&x, frame.width);
    for (uint64_t i = 0; i < np_heat_cells(&x); i++)
        if (s->violated[i])
            fprintf(sheet->stream, "<path class=\"violation\" d=\"M%s %sh%sv4h-%sz\" fill=\"%s\"/>\n",
                    NP_SVG(frame.x + LEFT + (double)i * side), NP_SVG(frame.y - 7), NP_SVG(side), NP_SVG(side),
                    NP_SVG_INK);
    np_svg_close(sheet->stream);
    return NP_OK;
}

const np_picture_kind np_picture_accesses = {
    .name = "accesses", .special = true, .sheet = {.size = sizeof(access_sheet), .access = take, .finish = finish}};
