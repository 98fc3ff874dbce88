/*
 * The picture of the layout of an area- or volume-universal network (papers/universal/layout.h): processors, nodes of
 * the fat-tree and of the chains, and wires, where they lie on the grid. A layout in space is seen from above a corner.
 *
 * The lowest levels of a large network are left out: a wire or a node takes some 20 bytes.
 */
#include <math.h>

#include "base/memory.h"
#include "show/picture/picture.h"
#include "papers/universal/layout.h"

static const uint64_t nodes_most = 8000; /* that are drawn */

/* What is drawn, by colour. */
enum part { MESH_WIRE, CHAIN_WIRE, PROCESSOR, GUEST, CHAIN, SWITCH, PARTS };

static const char *const colour[PARTS] = {NP_SVG_GREY,  NP_SVG_INK, "#ffffff",
                                          NP_SVG_GREEN, NP_SVG_SKY, NP_SVG_VERMILION};

typedef struct layout_picture {
    np_shape shape;
    bool volume;
    uint32_t lowest;   /* the lowest level that is drawn; 0: the meshes, too */
    bool *taken;       /* [processors] has a node of the guest; NULL: all are too many to draw */
    double x, y, unit; /* of the point (0, 0, 0) and of a step on the grid */
    FILE *stream;
    enum part part; /* only this is drawn now */
} layout_picture;

/* Where a point of the grid is in the picture. */
static void project(const layout_picture *p, double x, double y, double z, double *to_x, double *to_y)
{
    *to_x = p->x + p->unit * (p->volume ? (x - y) * 0.866 : x);
    *to_y = p->y + p->unit * (p->volume ? (x + y) * 0.5 - z : y);
}

/* The level of a node: 0 of a processor. A chain has that of the fat-tree node below it. */
static uint32_t level_of(const layout_picture *p, np_node node, enum part *part)
{
    const np_shape *s = &p->shape;
    uint32_t level = 1;
    *part = PROCESSOR;
    if (node < np_shape_processors(s)) {
        *part = p->taken && p->taken[node] ? GUEST : PROCESSOR;
        return 0;
    }
    bool chain = node >= np_shape_first_chain(s, 1);
    *part = chain ? CHAIN : SWITCH;
    while (level < s->m && node >= (chain ? np_shape_first_chain(s, level + 1) : np_shape_node(s, level + 1, 0, 0)))
        level++;
    return level;
}

static void draw_node(void *context, np_node node, np_layout_box box)
{
    const layout_picture *p = context;
    enum part part;
    double x, y, margin = p->volume ? 0 : 0.3, size = p->volume ? 0.5 : 1;
    if (level_of(p, node, &part) < p->lowest || part != p->part)
        return;
    project(p, box.low[0] - margin, box.low[1] - margin, box.low[2], &x, &y);
    double wide = p->unit * (p->volume ? size : box.high[0] - box.low[0] + 2 * margin);
    double high = p->unit * (p->volume ? size : box.high[1] - box.low[1] + 2 * margin);
    x -= p->volume ? wide / 2 : 0;
    y -= p->volume ? high / 2 : 0;
    fprintf(p->stream, "M%s %sh%sv%sh-%sz", NP_SVG(x), NP_SVG(y), NP_SVG(wide), NP_SVG(high), NP_SVG(wide));
}

static void draw_wire(void *context, np_node from, np_node to, const uint32_t *begin, const uint32_t *end)
{
    const layout_picture *p = context;
    enum part one, other;
    uint32_t a = level_of(p, from, &one), b = level_of(p, to, &other);
    double x[2], y[2];
    bool mesh = (one == PROCESSOR || one == GUEST) && (other == PROCESSOR || other == GUEST);
    if ((a < b ? a : b) < p->lowest || (mesh ? MESH_WIRE : CHAIN_WIRE) != p->part)
        return;
    project(p, begin[0], begin[1], begin[2], &x[0], &y[0]);
    project(p, end[0], end[1], end[2], &x[1], &y[1]);
    fprintf(p->stream, "M%s %sL%s %s", NP_SVG(x[0]), NP_SVG(y[0]), NP_SVG(x[1]), NP_SVG(y[1]));
}

static void nothing(void *context, np_node node, np_layout_box box) { (void)context, (void)node, (void)box; }

static void no_wire(void *context, np_node from, np_node to, const uint32_t *begin, const uint32_t *end)
{
    (void)context, (void)from, (void)to, (void)begin, (void)end;
}

/* A path for each colour; wires first, nodes over them. */
static void draw_part(layout_picture *p, enum part part)
{
    bool wires = part == MESH_WIRE || part == CHAIN_WIRE;
    np_layout_sink sink = {wires ? nothing : draw_node, wires ? draw_wire : no_wire, p};
    p->part = part;
    if (wires)
        fprintf(p->stream, "<path class=\"wire\" fill=\"none\" stroke=\"%s\" stroke-width=\"%s\" d=\"M0 0",
                colour[part], NP_SVG(fmin(0.9, fmax(0.15, 0.16 * p->unit))));
    else
        fprintf(p->stream, "<path class=\"node\" fill=\"%s\" stroke=\"%s\" stroke-width=\"%s\" d=\"M0 0", colour[part],
                NP_SVG_INK, NP_SVG(fmin(0.5, 0.08 * p->unit)));
    if (p->volume)
        np_layout_volume(p->shape.m, &sink);
    else
        np_layout_area(p->shape.m, &sink);
    fputs("\"/>\n", p->stream);
}

/* The lowest level from which on few enough nodes are to be drawn. */
static uint32_t lowest_level(const np_shape *s)
{
    uint64_t above = np_shape_nodes(s);
    uint32_t level = 0;
    while (above > nodes_most && level < s->m) {
        above -= level ? np_shape_level(s, level) * (1 + (uint64_t)np_shape_chain(s, level)) : np_shape_processors(s);
        level++;
    }
    return level;
}

static np_status take_guest(layout_picture *p, const np_universal_result *result)
{
    np_status st;
    if (p->lowest || (st = np_memory_zeroed(&p->taken, result->processors, sizeof *p->taken, "a picture")))
        return p->lowest ? NP_OK : st;
    for (uint64_t u = 0; u < result->guest_nodes; u++)
        p->taken[result->place[u]] = true;
    return NP_OK;
}

/* The frame's height, and where the layout lies in a frame at (0, 0). */
static double fit(layout_picture *p, double width, double most)
{
    uint64_t side[NP_SHAPE_AXES];
    np_layout_sides(p->shape.m, p->volume, side);
    double x = (double)side[0], y = (double)side[1], z = p->volume ? (double)side[2] : 0;
    double wide = p->volume ? (x + y) * 0.866 : x, high = p->volume ? (x + y) * 0.5 + z : y;
    p->unit = fmin(fmin(width / wide, most / high), 24);
    p->x = (width - wide * p->unit) / 2 + (p->volume ? y * 0.866 * p->unit : 0);
    p->y = p->volume ? z * p->unit : 0;
    return high * p->unit + 8;
}

static void write_picture(layout_picture *p, const np_universal_result *result, const char *command)
{
    static const np_legend_line sign[] = {{NP_SIGN_BOX, NP_SVG_VERMILION, "node of the fat-tree"},
                                          {NP_SIGN_BOX, NP_SVG_SKY, "node of a chain"},
                                          {NP_SIGN_LINE, NP_SVG_INK, "wire of fat-tree and chains"},
                                          {NP_SIGN_LINE, NP_SVG_GREY, "wire of a mesh"},
                                          {NP_SIGN_BOX, NP_SVG_GREEN, "processor with a node of the guest"},
                                          {NP_SIGN_BOX, "#ffffff", "other processor"}};
    const np_legend legend = {.lines = p->lowest ? 3 : sizeof sign / sizeof *sign, .line = sign};
    char title[96], below[256];
    uint64_t side[NP_SHAPE_AXES];
    np_layout_sides(p->shape.m, p->volume, side);
    snprintf(title, sizeof title, "The layout of universal%s:%u", p->volume ? "-3d" : "", p->shape.m);
    size_t used = (size_t)snprintf(below, sizeof below, "guest %.80s; %llu processors; %llu x %llu", result->guest,
                                   (unsigned long long)result->processors, (unsigned long long)side[0],
                                   (unsigned long long)side[1]);
    if (p->volume)
        used += (size_t)snprintf(below + used, sizeof below - used, " x %llu", (unsigned long long)side[2]);
    used += (size_t)snprintf(below + used, sizeof below - used, " points of the grid");
    if (p->lowest)
        snprintf(below + used, sizeof below - used, "; levels below %u are left out", p->lowest);
    double height = fit(p, NP_PICTURE_WIDTH - 2 * NP_PICTURE_MARGIN, 640);
    np_frame frame = np_frame_open(height, title, below, command, &legend, p->stream);
    p->x += frame.x;
    p->y += frame.y;
    for (int part = 0; part < PARTS; part++)
        draw_part(p, (enum part)part);
    np_svg_close(p->stream);
}

np_status np_report_picture_layout(const np_universal_result *result, const char *command,
                                   const np_picture_options *options)
{
    np_picture_options o;
    np_picture_file file;
    bool asked;
    np_status st = np_options_take(&np_picture_options_fields, options, &o);
    if (st || (st = np_picture_asked(&o, "layout", &asked)) || !asked || (st = np_picture_open(&o, NULL, &file)))
        return st;
    layout_picture p = {.shape = np_shape_of(result->height, result->volume), .volume = result->volume};
    p.lowest = lowest_level(&p.shape);
    p.stream = file.svg;
    if (!(st = take_guest(&p, result)))
        write_picture(&p, result, command);
    np_memory_free(p.taken);
    return np_picture_end(&file, st);
}
