/*
 * The picture of a schedule in rounds: a panel for each step of the first run, with the links that packets cross in it
 * and the nodes that they reach for the first time. If there are many steps, a panel stands for 2, 4, 8, ... of them.
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "show/picture/panels.h"

enum { PANELS = NP_PANELS_MAX };

typedef struct rounds_sheet {
    np_sheet sheet;
    np_drawn drawn;
    uint32_t run;
    bool shown; /* the present phase is of the run that is shown, on the network that is drawn */
    const np_event_leveled *leveled;
    uint64_t before;   /* steps of the phases before */
    uint64_t steps;    /* of all phases so far */
    uint64_t width;    /* steps of a panel */
    uint32_t *carried; /* [PANELS][drawn.numbers] */
    uint64_t *reached; /* [drawn.nodes] the step in which a packet came first, from 1; 0: there from the beginning;
                            UINT64_MAX: never */
} rounds_sheet;

/* ---- Observing ---- */

static np_status make(rounds_sheet *s, const np_event_phase *phase)
{
    np_status st = np_drawn_init(&s->drawn, phase->network, s->sheet.options->picture->drawing);
    if (st)
        return st;
    if (!s->drawn.place)
        return NP_RAISE(NP_ERROR_LIMIT,
                        "picture_of rounds: %s has more than %d nodes or %d links: draw its loads, which are a matrix",
                        s->drawn.network, NP_DRAWN_NODES_MAX, NP_DRAWN_LINKS_MAX);
    s->width = 1;
    s->run = phase->run;
    if ((st = np_memory_zeroed(&s->carried, (size_t)s->drawn.numbers * PANELS, sizeof *s->carried, "a picture")) ||
        (st = np_memory_array(&s->reached, s->drawn.nodes, sizeof *s->reached, "a picture")))
        return st;
    memset(s->reached, 0xff, s->drawn.nodes * sizeof *s->reached);
    return NP_OK;
}

static np_status begin(np_sheet *sheet, const np_event_phase *phase)
{
    rounds_sheet *s = (rounds_sheet *)sheet;
    np_status st = s->drawn.network ? NP_OK : make(s, phase);
    s->shown = !st && phase->run == s->run && np_drawn_is(&s->drawn, phase->network);
    s->leveled = phase->leveled;
    return st;
}

static void widen(rounds_sheet *s)
{
    size_t numbers = s->drawn.numbers;
    for (size_t i = 0; i < PANELS; i++)
        for (size_t l = 0; l < numbers; l++)
            s->carried[i * numbers + l] =
                i < PANELS / 2 ? s->carried[2 * i * numbers + l] + s->carried[(2 * i + 1) * numbers + l] : 0;
    s->width *= 2;
}

static void reach(rounds_sheet *s, np_node node, uint64_t step)
{
    s->reached[node] = step < s->reached[node] ? step : s->reached[node];
}

static void cross(rounds_sheet *s, np_link link, uint64_t step)
{
    while ((step - 1) / s->width >= PANELS)
        widen(s);
    s->carried[(step - 1) / s->width * s->drawn.numbers + link]++;
    s->steps = step > s->steps ? step : s->steps;
}

static np_status take(np_sheet *sheet, const np_event *event)
{
    rounds_sheet *s = (rounds_sheet *)sheet;
    const np_event_leveled *lv = s->leveled;
    uint64_t step = s->before + event->step;
    if (!s->shown)
        return NP_OK;
    if (event->kind == NP_EVENT_INJECTED)
        reach(s, lv ? lv->host[event->from] : event->from, step);
    if (event->kind != NP_EVENT_MOVED)
        return NP_OK;
    reach(s, lv ? lv->host[event->to] : event->to, step);
    if (!lv)
        cross(s, event->link, step);
    for (uint32_t i = lv ? lv->walk[event->link] : 0; lv && i < lv->walk[event->link + 1]; i++)
        cross(s, lv->link[i], step);
    return NP_OK;
}

static np_status end(np_sheet *sheet, const np_phase_run *run)
{
    rounds_sheet *s = (rounds_sheet *)sheet;
    s->before += s->shown ? run->steps : 0;
    return NP_OK;
}

/* ---- Drawing ---- */

typedef struct panel {
    const rounds_sheet *s;
    uint64_t first, last; /* steps */
} panel;

static const char *fill(const void *context, np_node node)
{
    const panel *p = context;
    uint64_t step = p->s->reached[node];
    return step < p->first ? NP_SVG_BLUE : step <= p->last ? NP_SVG_ORANGE : "#ffffff";
}

static void draw_links(const np_drawn_view *view, const uint32_t *carried, FILE *stream)
{
    const np_drawn *d = view->drawn;
    double width = fmin(2, fmax(0.6, 0.06 * view->unit)), arrow = fmin(7, 1.2 * view->radius + 2);
    np_drawn_links(view, NP_SVG(0.6 * width), stream);
    fprintf(stream, "<g fill=\"none\" stroke=\"%s\" stroke-width=\"%s\">\n", NP_SVG_VERMILION, NP_SVG(width));
    for (np_link l = 0; l < d->numbers; l++) {
        bool both = carried[l] && d->opposite[l] != NP_NONE && carried[d->opposite[l]];
        double aside = both ? width * 0.9 : 0;
        if (!carried[l])
            continue;
        fputs("<path class=\"used\" d=\"", stream);
        np_drawn_link(view, l, aside, view->radius + 0.6 * arrow, stream);
        fputs("\"/>\n", stream);
        np_drawn_arrow(view, l, aside, view->radius, arrow, NP_SVG_VERMILION, stream);
    }
    fputs("</g>\n", stream);
}

static void draw_panel(const rounds_sheet *s, const np_panels *all, const np_frame *frame, size_t i, FILE *stream)
{
    panel p = {s, i * s->width + 1, (i + 1) * s->width < s->steps ? (i + 1) * s->width : s->steps};
    char title[96];
    uint64_t packets = 0;
    const uint32_t *carried = &s->carried[i * s->drawn.numbers];
    for (np_link l = 0; l < s->drawn.numbers; l++)
        packets += carried[l];
    size_t used = (size_t)snprintf(title, sizeof title, p.last > p.first ? "steps %llu-%llu" : "step %llu",
                                   (unsigned long long)p.first, (unsigned long long)p.last);
    snprintf(title + used, sizeof title - used, ": %llu", (unsigned long long)packets);
    np_drawn_view view = np_panels_at(all, frame, i, &s->drawn, title, stream);
    draw_links(&view, carried, stream);
    np_drawn_nodes(&view, fill, &p, stream);
}

static np_status finish(np_sheet *sheet)
{
    static const char title[] = "Rounds: what crosses links, step by step";
    static const np_legend_line sign[] = {{NP_SIGN_ARROW, NP_SVG_VERMILION, "a packet crosses"},
                                          {NP_SIGN_DOT, NP_SVG_ORANGE, "it is the node's first"},
                                          {NP_SIGN_DOT, NP_SVG_BLUE, "a node that had one before"},
                                          {NP_SIGN_DOT, "#ffffff", "a node that has had none"}};
    const rounds_sheet *s = (rounds_sheet *)sheet;
    const np_legend legend = {.lines = sizeof sign / sizeof *sign, .line = sign};
    char below[192];
    if (!s->drawn.network || !s->steps)
        return np_picture_nothing(title, sheet);
    np_panels all = np_panels_of((size_t)((s->steps + s->width - 1) / s->width), &s->drawn);
    snprintf(below, sizeof below, "%.100s; drawing %s; the numbers are packets", s->drawn.network, s->drawn.drawing);
    np_frame frame = np_frame_open(all.all, title, below, sheet->command, &legend, sheet->stream);
    for (size_t i = 0; i < all.count; i++)
        draw_panel(s, &all, &frame, i, sheet->stream);
    np_svg_close(sheet->stream);
    return NP_OK;
}

static void clear(np_sheet *sheet)
{
    rounds_sheet *s = (rounds_sheet *)sheet;
    np_drawn_clear(&s->drawn);
    NP_MEMORY_FREE(s->carried, s->reached);
}

const np_picture_kind np_picture_rounds = {.name = "rounds",
                                           .sheet = {.size = sizeof(rounds_sheet),
                                                     .kinds = 1 << NP_EVENT_INJECTED | 1 << NP_EVENT_MOVED,
                                                     .begin = begin,
                                                     .event = take,
                                                     .end = end,
                                                     .finish = finish,
                                                     .clear = clear}};
