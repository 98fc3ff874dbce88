/*
 * The picture of a sort: where the keys of the first run are after each stage, in the colours of their order. Of a
 * small network there is a panel for each stage; else stages go from left to right, and places, in the sorter's order,
 * from top to bottom.
 *
 * Nobody knows before how many stages there are. So each stage is kept, or every second, fourth, ... one, and the last.
 * Where there are too many places, some share a row, with the mean of their keys.
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "show/picture/heat.h"
#include "show/picture/panels.h"

enum { STAGES = 96, PLACES = 4096, PANEL_NODES = 256 };

static const char title[] = "Keys after each stage of the sort";

typedef struct stage {
    char name[24];
    uint64_t number; /* 0: the beginning */
} stage;

typedef struct keys_sheet {
    np_sheet sheet;
    np_drawn drawn;
    uint32_t run, keys, places, each; /* each: places of a row */
    uint32_t rows;
    np_node *node;         /* [places] */
    uint64_t seen, stride; /* stages so far; each stride-th is kept */
    size_t stages;
    stage stage[STAGES];
    uint32_t *mean; /* [STAGES][rows] of the items; NP_NONE: all are infinite */
} keys_sheet;

/* ---- Observing ---- */

static np_status make(keys_sheet *s, const np_sort_seen *seen)
{
    np_status st;
    s->run = seen->run;
    s->keys = seen->keys;
    s->places = seen->places;
    s->each = seen->places / PLACES + (seen->places % PLACES > 0);
    s->rows = (seen->places + s->each - 1) / s->each;
    s->stride = 1;
    if ((st = np_drawn_init(&s->drawn, np_sorting_network(seen->sorting), s->sheet.options->picture->drawing)) ||
        (st = np_memory_array(&s->node, s->places, sizeof *s->node, "a picture")) ||
        (st = np_memory_array(&s->mean, (size_t)STAGES * s->rows, sizeof *s->mean, "a picture")))
        return st;
    for (uint32_t p = 0; p < s->places; p++)
        if ((s->node[p] = np_sorting_node(seen->sorting, p)) == NP_NONE)
            return np_status_last(); /* a sorter may need memory to tell */
    return NP_OK;
}

static uint32_t mean_of(const keys_sheet *s, const np_sort_seen *seen, uint32_t row)
{
    size_t from = (size_t)row * s->each * seen->per_place, to = (size_t)(row + 1) * s->each * seen->per_place;
    size_t end = (size_t)seen->places * seen->per_place;
    uint64_t sum = 0, count = 0;
    for (size_t i = from; i < to && i < end; i++)
        if (seen->item[i] < seen->keys) {
            sum += seen->item[i];
            count++;
        }
    return count ? (uint32_t)(sum / count) : NP_NONE;
}

/* Every second stage goes. */
static void thin(keys_sheet *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->stages; i += 2, kept++) {
        s->stage[kept] = s->stage[i];
        memmove(&s->mean[kept * s->rows], &s->mean[i * s->rows], s->rows * sizeof *s->mean);
    }
    s->stages = kept;
    s->stride *= 2;
}

static void keep(keys_sheet *s, const np_sort_seen *seen)
{
    uint32_t *mean = &s->mean[s->stages * s->rows];
    for (uint32_t row = 0; row < s->rows; row++)
        mean[row] = mean_of(s, seen, row);
    s->stage[s->stages].number = s->seen;
    snprintf(s->stage[s->stages].name, sizeof s->stage->name, "%s",
             *seen->stage ? seen->stage
             : seen->last ? "sorted"
                          : "start");
    s->stages++;
}

/* The end of the run is shown only if the last stage that is kept is another state. */
static np_status take(np_sheet *sheet, const np_sort_seen *seen)
{
    keys_sheet *s = (keys_sheet *)sheet;
    np_status st = s->drawn.network ? NP_OK : make(s, seen);
    if (st || seen->run != s->run)
        return st;
    if (seen->last) {
        if (s->stages == STAGES)
            thin(s);
        keep(s, seen);
        if (!memcmp(&s->mean[(s->stages - 1) * s->rows], &s->mean[(s->stages - 2) * s->rows],
                    s->rows * sizeof *s->mean))
            s->stages--;
        return NP_OK;
    }
    if (s->stages + 1 == STAGES)
        thin(s);
    if (s->seen % s->stride == 0)
        keep(s, seen);
    s->seen++;
    return NP_OK;
}

/* ---- Drawing ---- */

static void describe(const keys_sheet *s, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%u keys on %.100s; run %u", s->keys, s->drawn.network, s->run);
    if (s->stride > 1)
        used += (size_t)snprintf(text + used, size - used, "; every %llu stages", (unsigned long long)s->stride);
    if (s->each > 1)
        snprintf(text + used, size - used, "; a row is %u places", s->each);
}

typedef struct shown {
    const keys_sheet *s;
    const np_legend *legend;
    size_t i;
    uint64_t *sum, *count; /* [nodes] of a panel */
    char room[8];
} shown;

static const char *colour(const shown *h, double key, char room[8])
{
    snprintf(room, 8, "%s", np_svg_scale(floor(np_legend_share(h->legend, key) * 47 + 0.5) / 47).text);
    return room;
}

static const char *fill(const void *context, np_node node)
{
    shown *h = (shown *)(uintptr_t)context;
    return h->count[node] ? colour(h, (double)h->sum[node] / (double)h->count[node], h->room) : "#ffffff";
}

static void add_up(shown *h)
{
    const keys_sheet *s = h->s;
    memset(h->sum, 0, s->drawn.nodes * sizeof *h->sum);
    memset(h->count, 0, s->drawn.nodes * sizeof *h->count);
    for (uint32_t p = 0; p < s->places; p++) {
        uint32_t mean = s->mean[h->i * s->rows + p];
        if (mean == NP_NONE)
            continue;
        h->sum[s->node[p]] += mean;
        h->count[s->node[p]]++;
    }
}

static np_status draw_panels(const keys_sheet *s, const char *below, const np_legend *legend, FILE *stream)
{
    shown h = {.s = s, .legend = legend};
    np_status st = np_memory_array(&h.sum, s->drawn.nodes, sizeof *h.sum, "a picture");
    if (!st)
        st = np_memory_array(&h.count, s->drawn.nodes, sizeof *h.count, "a picture");
    if (!st) {
        np_panels all = np_panels_of(s->stages, &s->drawn);
        np_frame frame = np_frame_open(all.all, title, below, s->sheet.command, legend, stream);
        for (h.i = 0; h.i < s->stages; h.i++) {
            char text[64];
            snprintf(text, sizeof text, s->stage[h.i].number ? "%s (%llu)" : "%s", s->stage[h.i].name,
                     (unsigned long long)s->stage[h.i].number);
            np_drawn_view view = np_panels_at(&all, &frame, h.i, &s->drawn, text, stream);
            view.radius = fmin(14, fmax(view.radius, 0.36 * view.unit * s->drawn.apart));
            add_up(&h);
            np_drawn_links(&view, "0.7", stream);
            np_drawn_discs(&view, fill, &h, stream);
        }
        np_svg_close(stream);
    }
    NP_MEMORY_FREE(h.sum, h.count);
    return st;
}

/* Rows of the picture have several rows of the sheet if there are many. */
typedef struct rows_of {
    shown h;
    uint64_t each;
} rows_of;

static const char *cell(const void *context, uint64_t row, uint64_t column, char room[8])
{
    const rows_of *r = context;
    const keys_sheet *s = r->h.s;
    uint64_t sum = 0, count = 0;
    for (uint64_t i = row * r->each; i < (row + 1) * r->each && i < s->rows; i++) {
        uint32_t mean = s->mean[column * s->rows + i];
        sum += mean == NP_NONE ? 0 : mean;
        count += mean != NP_NONE;
    }
    return count ? colour(&r->h, (double)sum / (double)count, room) : NULL;
}

static void draw_rows(const keys_sheet *s, const char *below, const np_legend *legend, FILE *stream)
{
    np_heat_axis y = np_heat_axis_of(s->rows, NP_HEAT_ROWS, "place, in the sorter's order");
    np_heat_axis x = {s->stages, 1, 0, s->stride > 1 ? "stages that are kept" : "stages done"};
    const rows_of rows = {{.s = s, .legend = legend}, y.each};
    np_heat_axis shown_y = {s->places, y.each * s->each, 0, y.label};
    double height = np_heat_height(&x, &y, 560);
    np_frame frame = np_frame_open(height, title, below, s->sheet.command, legend, stream);
    np_heat_draw(&frame, &x, &shown_y, cell, &rows, stream);
    np_svg_close(stream);
}

static np_status finish(np_sheet *sheet)
{
    const keys_sheet *s = (keys_sheet *)sheet;
    const np_drawn *d = &s->drawn;
    char below[224];
    if (!s->stages)
        return np_picture_nothing(title, sheet);
    const np_legend legend = {.scale = "the key's number in the order of all keys", .most = s->keys - 1};
    bool flat = !d->place || d->most.x - d->least.x < 0.5 || d->most.y - d->least.y < 0.5;
    describe(s, below, sizeof below);
    if (!flat && d->nodes <= PANEL_NODES && s->stages <= NP_PANELS_MAX && s->each == 1)
        return draw_panels(s, below, &legend, sheet->stream);
    draw_rows(s, below, &legend, sheet->stream);
    return NP_OK;
}

static void clear(np_sheet *sheet)
{
    keys_sheet *s = (keys_sheet *)sheet;
    np_drawn_clear(&s->drawn);
    NP_MEMORY_FREE(s->node, s->mean);
}

const np_picture_kind np_picture_keys = {
    .name = "keys",
    .special = true,
    .sheet = {.size = sizeof(keys_sheet), .stage = take, .finish = finish, .clear = clear}};
