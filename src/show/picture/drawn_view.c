/*
 * See drawn.h: the geometry of nodes and links in a picture.
 *
 * A link is a straight line, or a curve with one control point if it would run through other nodes. Both are moved
 * aside, to the right of the link's way, where the two directions of a link are to be seen side by side.
 */
#include <math.h>

#include "base/written.h"
#include "show/picture/drawn.h"

/* Largest distance of neighbours and largest radius, in units of the picture. */
enum { UNIT_MAX = 64, RADIUS_MAX = 8, NAMES_MAX = 128 /* nodes */ };

np_drawn_view np_drawn_fit(const np_drawn *drawn, double width, double height)
{
    double edge = 14; /* for the nodes at the border, and their names */
    double wide = drawn->most.x - drawn->least.x, high = drawn->most.y - drawn->least.y;
    double x = wide > 0 ? (width - 2 * edge) / wide : INFINITY, y = high > 0 ? (height - 2 * edge) / high : INFINITY;
    double unit = fmin(fmin(x, y), UNIT_MAX / fmin(1, fmax(drawn->apart, 0.25)));
    np_drawn_view view = {.drawn = drawn, .unit = unit};
    view.x = edge - drawn->least.x * unit;
    view.y = edge - drawn->least.y * unit;
    view.radius = fmin(RADIUS_MAX, fmax(0.6, 0.17 * unit * drawn->apart));
    view.width = wide * unit + 2 * edge;
    view.height = high * unit + 2 * edge;
    return view;
}

static np_point drawn_place(const np_drawn_view *view, np_node node)
{
    np_point p = view->drawn->place[node];
    return (np_point){view->x + p.x * view->unit, view->y + p.y * view->unit};
}

/* A link's curve in the picture: from, control point, to. */
typedef struct curve {
    np_point from, middle, to;
    bool bent;
} curve;

/* hypot of C libraries differs in the last bit. */
static double length_of(np_point a, np_point b)
{
    double x = b.x - a.x, y = b.y - a.y;
    return sqrt(x * x + y * y);
}

static np_point ahead(np_point from, np_point to, double by)
{
    double length = length_of(from, to);
    if (length == 0)
        return from;
    return (np_point){from.x + (to.x - from.x) / length * by, from.y + (to.y - from.y) / length * by};
}

static curve curve_of(const np_drawn_view *view, np_link link, double aside, double short_by)
{
    const np_drawn *d = view->drawn;
    np_point a = drawn_place(view, d->from[link]), b = drawn_place(view, d->to[link]);
    double length = length_of(a, b), bend = d->bend[link] * view->unit;
    if (length == 0) /* a link from a node to itself */
        return (curve){{a.x - view->radius, a.y}, {a.x, a.y - 4 * view->radius}, {a.x + view->radius, a.y}, true};
    np_point right = {-(b.y - a.y) / length, (b.x - a.x) / length};
    curve c = {{a.x + right.x * aside, a.y + right.y * aside},
               {0, 0},
               {b.x + right.x * aside, b.y + right.y * aside},
               bend != 0};
    c.middle = (np_point){(c.from.x + c.to.x) / 2 + right.x * bend * 2, (c.from.y + c.to.y) / 2 + right.y * bend * 2};
    c.to = ahead(c.to, c.bent ? c.middle : c.from, short_by);
    return c;
}

void np_drawn_link(const np_drawn_view *view, np_link link, double aside, double short_by, FILE *stream)
{
    curve c = curve_of(view, link, aside, short_by);
    if (c.bent)
        fprintf(stream, "M%s %sQ%s %s %s %s", NP_SVG(c.from.x), NP_SVG(c.from.y), NP_SVG(c.middle.x),
                NP_SVG(c.middle.y), NP_SVG(c.to.x), NP_SVG(c.to.y));
    else
        fprintf(stream, "M%s %sL%s %s", NP_SVG(c.from.x), NP_SVG(c.from.y), NP_SVG(c.to.x), NP_SVG(c.to.y));
}

void np_drawn_links(const np_drawn_view *view, const char *width, FILE *stream)
{
    const np_drawn *d = view->drawn;
    fprintf(stream, "<g fill=\"none\" stroke=\"%s\" stroke-width=\"%s\">\n", NP_SVG_PALE, width);
    for (np_link l = 0; l < d->numbers; l++) {
        if (d->to[l] == NP_NONE || (d->opposite[l] != NP_NONE && d->opposite[l] < l))
            continue;
        fputs("<path d=\"", stream);
        np_drawn_link(view, l, 0, 0, stream);
        fputs("\"/>\n", stream);
    }
    fputs("</g>\n", stream);
}

void np_drawn_arrow(const np_drawn_view *view, np_link link, double aside, double short_by, double size,
                    const char *colour, FILE *stream)
{
    curve c = curve_of(view, link, aside, short_by);
    np_point back = ahead(c.to, c.bent ? c.middle : c.from, size);
    double x = (c.to.x - back.x) / 2, y = (c.to.y - back.y) / 2;
    fprintf(stream, "<path d=\"M%s %sL%s %sL%s %sz\" fill=\"%s\" stroke=\"none\"/>\n", NP_SVG(c.to.x), NP_SVG(c.to.y),
            NP_SVG(back.x - y), NP_SVG(back.y + x), NP_SVG(back.x + y), NP_SVG(back.y - x), colour);
}

void np_drawn_load(const np_drawn_view *view, np_link l, uint64_t carried, const np_legend *legend, FILE *stream)
{
    const np_drawn *d = view->drawn;
    double width = fmin(3.2, fmax(0.7, 0.09 * view->unit * fmin(1, d->apart)));
    double aside = d->opposite[l] == NP_NONE ? 0 : width * 0.62;
    fprintf(stream, "<path stroke=\"%s\" stroke-width=\"%s\" d=\"",
            carried ? np_svg_scale(np_legend_share(legend, (double)carried)).text : NP_SVG_PALE, NP_SVG(width));
    np_drawn_link(view, l, aside, 0, stream);
    fputs("\"><title>", stream);
    np_written(NP_MEDIUM_XML, d->name[d->from[l]], stream);
    fputs(" → ", stream);
    np_written(NP_MEDIUM_XML, d->name[d->to[l]], stream);
    fprintf(stream, ": %llu</title></path>\n", (unsigned long long)carried);
}

bool np_drawn_has_opposites(const np_drawn *d)
{
    for (np_link l = 0; l < d->numbers; l++)
        if (d->to[l] != NP_NONE && d->opposite[l] != NP_NONE)
            return true;
    return false;
}

void np_drawn_loads(const np_drawn_view *view, const uint64_t *carried, const np_legend *legend, FILE *stream)
{
    fputs("<g fill=\"none\">\n", stream);
    for (int part = 0; part < 9; part++)
        for (np_link l = 0; l < view->drawn->numbers; l++) {
            if (view->drawn->to[l] == NP_NONE)
                continue;
            int of = carried[l] ? 1 + (int)(np_legend_share(legend, (double)carried[l]) * 7) : 0;
            if (of == part)
                np_drawn_load(view, l, carried[l], legend, stream);
        }
    fputs("</g>\n", stream);
    np_drawn_nodes(view, NULL, NULL, stream);
}

/* ---- Nodes ---- */

static const char *usual(const void *context, np_node node)
{
    const np_drawn *d = context;
    return d->host[node] ? NP_SVG_BLUE : "#ffffff";
}

/* Names that fit into the nodes stand in them, others beside them. */
static void draw_names(const np_drawn_view *view, FILE *stream)
{
    const np_drawn *d = view->drawn;
    double size = fmin(9, fmax(6.5, 0.2 * view->unit * d->apart));
    fputs("<g stroke=\"#ffffff\" stroke-width=\"2\" stroke-linejoin=\"round\" paint-order=\"stroke\">\n", stream);
    for (np_node u = 0; u < d->nodes; u++) {
        np_point at = drawn_place(view, u);
        np_svg_text(at.x + 0.8 * view->radius + 1, at.y - 0.8 * view->radius - 1, size, NP_SVG_START, "", d->name[u],
                    stream);
    }
    fputs("</g>\n", stream);
}

void np_drawn_discs(const np_drawn_view *view, const char *(*fill)(const void *context, np_node node),
                    const void *context, FILE *stream)
{
    const np_drawn *d = view->drawn;
    fprintf(stream, "<g stroke=\"%s\" stroke-width=\"%s\">\n", NP_SVG_INK, NP_SVG(fmin(0.8, 0.2 * view->radius)));
    for (np_node u = 0; u < d->nodes; u++) {
        np_point at = drawn_place(view, u);
        fprintf(stream, "<circle cx=\"%s\" cy=\"%s\" r=\"%s\" fill=\"%s\"/>\n", NP_SVG(at.x), NP_SVG(at.y),
                NP_SVG(view->radius), fill ? fill(context, u) : usual(d, u));
    }
    fputs("</g>\n", stream);
}

void np_drawn_nodes(const np_drawn_view *view, const char *(*fill)(const void *context, np_node node),
                    const void *context, FILE *stream)
{
    const np_drawn *d = view->drawn;
    np_drawn_discs(view, fill, context, stream);
    if (d->nodes <= NAMES_MAX && view->unit * d->apart >= 30)
        draw_names(view, stream);
}

void np_drawn_legend(const np_drawn *d, np_legend_line *line, size_t *count)
{
    line[(*count)++] = (np_legend_line){NP_SIGN_DOT, NP_SVG_BLUE, d->switches ? "packets start or end here" : "node"};
    if (d->switches)
        line[(*count)++] = (np_legend_line){NP_SIGN_DOT, "#ffffff", "switch"};
}
