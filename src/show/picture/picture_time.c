/*
 * Pictures of a run in time: steps from left to right, nodes from top to bottom, phase after phase. They show the first
 * run that is observed. On a leveled network a node is the physical one that plays it.
 *
 * `space-time` has a line for each packet's move, from its node at the beginning of the step to that at its end, and a
 * level one where it waits. If there are too many packets or nodes for lines, the colours tell how many packets crossed
 * links to the node. `queues` is the longest queue at the node in each step.
 *
 * Nobody knows before how long the run takes. So a column stands for 1, 2, 4, ... steps: when the columns are full, two
 * become one.
 */
#include <math.h>
#include <string.h>

#include "base/room.h"
#include "show/picture/heat.h"

enum { COLUMNS = 2 * NP_HEAT_COLUMNS, LINES_MAX = 6000, LINES_NODES = 128, PHASES_MAX = 64 };

/* A move, or a wait if both nodes are one. */
typedef struct line {
    np_node from, to;
    uint64_t step; /* from the beginning of the run */
} line;

typedef struct mark {
    char name[24];
    uint64_t at; /* the step before its first */
} mark;

typedef struct time_sheet {
    np_sheet sheet;
    bool queues;         /* else moves */
    char *network;       /* NULL: no phase has begun */
    np_node nodes, each; /* each: nodes of a row */
    uint32_t run;
    bool shown;           /* the present phase is of the run that is shown */
    const np_node *host;  /* of the present phase; NULL: nodes are physical */
    uint64_t before;      /* steps of the phases before */
    uint64_t steps;       /* seen so far */
    uint64_t width;       /* steps of a column */
    uint64_t rows, *cell; /* [rows][COLUMNS] */
    size_t marks;
    mark mark[PHASES_MAX];
    size_t lines, room;
    line *line;
    bool too_many;
} time_sheet;

/* ---- Observing ---- */

static np_status open_sheet(time_sheet *s, const np_event_phase *phase)
{
    np_heat_axis y = np_heat_axis_of(np_network_nodes(phase->network), NP_HEAT_ROWS, "");
    if (!(s->network = np_memory_text(np_network_spec(phase->network))))
        return np_status_last();
    s->nodes = np_network_nodes(phase->network);
    s->each = (np_node)y.each;
    s->rows = np_heat_cells(&y);
    s->width = 1;
    s->run = phase->run;
    s->too_many = s->queues || s->nodes > LINES_NODES;
    return np_memory_zeroed(&s->cell, s->rows * COLUMNS, sizeof *s->cell, "a picture");
}

static np_status begin(np_sheet *sheet, const np_event_phase *phase)
{
    time_sheet *s = (time_sheet *)sheet;
    np_status st = s->network ? NP_OK : open_sheet(s, phase);
    if (st)
        return st;
    s->shown = phase->run == s->run && np_network_nodes(phase->network) <= s->nodes;
    s->host = phase->leveled ? phase->leveled->host : NULL;
    if (s->shown && s->marks < PHASES_MAX) {
        s->mark[s->marks].at = s->before;
        snprintf(s->mark[s->marks++].name, sizeof s->mark->name, "%s", phase->name);
    }
    return NP_OK;
}

static uint64_t join(const time_sheet *s, uint64_t a, uint64_t b) { return s->queues ? (a > b ? a : b) : a + b; }

static void widen(time_sheet *s)
{
    for (uint64_t row = 0; row < s->rows; row++) {
        uint64_t *cell = &s->cell[row * COLUMNS];
        for (int i = 0; i < COLUMNS / 2; i++)
            cell[i] = join(s, cell[2 * i], cell[2 * i + 1]);
        memset(&cell[COLUMNS / 2], 0, COLUMNS / 2 * sizeof *cell);
    }
    s->width *= 2;
}

/* The cell of a node in a step, from 0. */
static uint64_t *cell_at(time_sheet *s, np_node node, uint64_t step)
{
    while (step / s->width >= COLUMNS)
        widen(s);
    s->steps = step + 1 > s->steps ? step + 1 : s->steps;
    return &s->cell[node / s->each * COLUMNS + step / s->width];
}

static np_status add_line(time_sheet *s, np_node from, np_node to, uint64_t step)
{
    np_status st;
    if (s->too_many || s->lines == LINES_MAX) {
        s->too_many = true;
        return NP_OK;
    }
    if ((st = np_memory_room(&s->line, s->lines, &s->room, sizeof *s->line, "a picture")))
        return st;
    s->line[s->lines++] = (line){from, to, step};
    return NP_OK;
}

static np_status take(np_sheet *sheet, const np_event *event)
{
    time_sheet *s = (time_sheet *)sheet;
    bool moved = event->kind == NP_EVENT_MOVED;
    if (!s->shown || !event->step || (!moved && event->kind != NP_EVENT_WAITED))
        return NP_OK;
    np_node from = s->host ? s->host[event->from] : event->from, to = s->host ? s->host[event->to] : event->to;
    uint64_t step = s->before + event->step - 1;
    uint64_t *cell = cell_at(s, s->queues ? from : to, step);
    if (s->queues)
        *cell = join(s, *cell, event->queue);
    else
        *cell += moved;
    return add_line(s, from, moved ? to : from, step);
}

static np_status end(np_sheet *sheet, const np_phase_run *run)
{
    time_sheet *s = (time_sheet *)sheet;
    if (!s->shown)
        return NP_OK;
    s->before += run->steps;
    if (run->steps)
        (void)cell_at(s, 0, s->before - 1);
    s->shown = false;
    return NP_OK;
}

/* ---- Drawing ---- */

enum { LEFT = 54, TOP = 14, BELOW = 36 };

/* Where phases begin, and their names above. */
static void draw_marks(const time_sheet *s, double x, double y, double step, double height, FILE *stream)
{
    double free = -1;
    for (size_t i = 0; i < s->marks; i++) {
        const mark *m = &s->mark[i];
        double at = x + (double)m->at * step;
        if (m->at)
            fprintf(stream, "<path d=\"M%s %sv%s\" stroke=\"%s\" stroke-width=\"0.8\" stroke-dasharray=\"3 2\"/>\n",
                    NP_SVG(at), NP_SVG(y), NP_SVG(height), NP_SVG_INK);
        if (at >= free && *m->name && m->at < s->steps) {
            np_svg_text(at + 2, y - 4, 9, NP_SVG_START, "", m->name, stream);
            free = at + 6 * (double)strlen(m->name);
        }
    }
}

static const char *cell_colour(const void *context, uint64_t row, uint64_t column, char room[8])
{
    const void *const *both = context;
    const time_sheet *s = both[0];
    const np_legend *legend = both[1];
    uint64_t value = s->cell[row * COLUMNS + column];
    if (!value)
        return NULL;
    snprintf(room, 8, "%s", np_svg_scale(floor(np_legend_share(legend, (double)value) * 31 + 0.5) / 31).text);
    return room;
}

static void describe(const time_sheet *s, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%.100s; run %u", s->network, s->run);
    if (s->width > 1 && s->too_many)
        used += (size_t)snprintf(text + used, size - used, "; a column is %llu steps", (unsigned long long)s->width);
    if (s->each > 1)
        snprintf(text + used, size - used, "; a row is %u nodes", s->each);
}

static void draw_heat(const time_sheet *s, const char *title, FILE *stream)
{
    np_heat_axis x = {s->steps, s->width, 1, "step"}, y = {s->nodes, s->each, 0, "node"};
    np_legend legend = {.scale = s->queues ? "packets in the longest queue at a node"
                                           : "packets that came to the nodes of a cell",
                        .least = UINT64_MAX};
    const void *const both[2] = {s, &legend};
    char below[192];
    for (uint64_t i = 0; i < s->rows * COLUMNS; i++) {
        legend.most = s->cell[i] > legend.most ? s->cell[i] : legend.most;
        legend.least = s->cell[i] && s->cell[i] < legend.least ? s->cell[i] : legend.least;
    }
    legend.least = legend.most ? legend.least : 0;
    describe(s, below, sizeof below);
    double height = np_heat_height(&x, &y, 560);
    np_frame frame = np_frame_open(height + TOP, title, below, s->sheet.command, &legend, stream);
    frame.y += TOP;
    frame.height = height;
    np_heat_draw(&frame, &x, &y, cell_colour, both, stream);
    double side = np_heat_side(&x, frame.width) / (double)s->width;
    draw_marks(s, frame.x + LEFT, frame.y, side, height - BELOW, stream);
    np_svg_close(stream);
}

static void draw_paths(const time_sheet *s, double x, double y, double step, double row, bool moves, FILE *stream)
{
    size_t count = 0;
    for (size_t i = 0; i < s->lines; i++)
        count += (s->line[i].from != s->line[i].to) == moves;
    if (!count)
        return;
    fprintf(stream, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.2\" stroke-linecap=\"round\" d=\"",
            moves ? NP_SVG_BLUE : NP_SVG_ORANGE);
    for (size_t i = 0; i < s->lines; i++) {
        const line *l = &s->line[i];
        if ((l->from != l->to) != moves)
            continue;
        fprintf(stream, "M%s %sL%s %s", NP_SVG(x + (double)l->step * step), NP_SVG(y + (l->from + 0.5) * row),
                NP_SVG(x + (double)(l->step + 1) * step), NP_SVG(y + (l->to + 0.5) * row));
    }
    fputs("\"/>\n", stream);
}

static void draw_lines(const time_sheet *s, const char *title, FILE *stream)
{
    static const np_legend_line sign[] = {{NP_SIGN_LINE, NP_SVG_BLUE, "a packet crosses a link"},
                                          {NP_SIGN_LINE, NP_SVG_ORANGE, "a packet waits"}};
    const np_legend legend = {.lines = 2, .line = sign};
    np_heat_axis x = {s->steps, 1, 1, "step"}, y = {s->nodes, 1, 0, "node"};
    char below[192];
    double row = fmin(24, 520.0 / s->nodes), height = row * s->nodes;
    describe(s, below, sizeof below);
    np_frame frame = np_frame_open(height + TOP + BELOW, title, below, s->sheet.command, &legend, stream);
    double step = fmin(40, (frame.width - LEFT) / (double)(s->steps ? s->steps : 1));
    frame.y += TOP;
    frame.height = height + BELOW;
    np_heat_axes(&frame, &x, &y, step, row, stream);
    draw_paths(s, frame.x + LEFT, frame.y, step, row, false, stream);
    draw_paths(s, frame.x + LEFT, frame.y, step, row, true, stream);
    draw_marks(s, frame.x + LEFT, frame.y, step, height, stream);
    np_svg_close(stream);
}

static np_status finish(np_sheet *sheet)
{
    const time_sheet *s = (time_sheet *)sheet;
    const char *title = s->queues ? "Queues: nodes and steps" : "Packets in space and time";
    if (!s->network || !s->steps)
        return np_picture_nothing(title, sheet);
    if (s->too_many)
        draw_heat(s, title, sheet->stream);
    else
        draw_lines(s, title, sheet->stream);
    return NP_OK;
}

static np_status head_of_queues(np_sheet *sheet)
{
    ((time_sheet *)sheet)->queues = true;
    return NP_OK;
}

static void clear(np_sheet *sheet)
{
    time_sheet *s = (time_sheet *)sheet;
    NP_MEMORY_FREE(s->network, s->cell, s->line);
}

#define TIME_SHEET                                                                                                     \
    .size = sizeof(time_sheet), .kinds = 1 << NP_EVENT_MOVED | 1 << NP_EVENT_WAITED, .begin = begin, .event = take,    \
    .end = end, .finish = finish, .clear = clear

const np_picture_kind np_picture_space_time = {.name = "space-time", .sheet = {TIME_SHEET}};
const np_picture_kind np_picture_queues = {.name = "queues", .sheet = {TIME_SHEET, .head = head_of_queues}};
