/*
 * The picture of an embedding: the guest on the left, the host on the right. Links of the host have the colours of how
 * many paths cross them, and its nodes the names of the guest's nodes at them. Links of the guest that take more than
 * one link of the host are told apart. If one of the two is too large to draw, there is a matrix of the host's nodes.
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "show/picture/heat.h"
#include "show/picture/panels.h"

static const char title[] = "An embedding: guest and host";

typedef struct embedding_picture {
    const np_embedding *embedding;
    np_drawn guest, host;
    uint32_t *load;  /* [host.nodes] nodes of the guest at it */
    uint64_t *paths; /* [host.numbers] paths over it */
    np_embedding_facts facts;
} embedding_picture;

/* Adds the guest's node to the name of the host's: "3 7", "3 7 ...". */
static void name_host(np_drawn *host, np_node at, const char *guest, uint32_t before)
{
    char *name = host->name[at];
    size_t used = before ? strlen(name) : 0;
    if (!before)
        snprintf(name, NP_NAME_ROOM, "%s", guest);
    else if (used + 1 + strlen(guest) + 4 < NP_NAME_ROOM)
        snprintf(name + used, NP_NAME_ROOM - used, " %s", guest);
    else if (used >= 4 && strcmp(name + used - 4, " ...") != 0)
        snprintf(name + used, NP_NAME_ROOM - used, " ...");
}

static void count(embedding_picture *p)
{
    const np_node *map = np_embedding_map(p->embedding);
    for (np_node v = 0; p->host.name && v < p->host.nodes; v++)
        *p->host.name[v] = '\0';
    for (np_node u = 0; u < p->guest.nodes; u++) {
        if (p->host.name && p->guest.name)
            name_host(&p->host, map[u], p->guest.name[u], p->load[map[u]]);
        p->load[map[u]]++;
    }
    for (np_link l = 0; l < p->guest.numbers; l++) {
        const np_link *link;
        size_t length = np_embedding_path(p->embedding, l, &link);
        for (size_t i = 0; i < length; i++)
            p->paths[link[i]]++;
    }
}

static np_status make(embedding_picture *p, const np_embedding *embedding, const char *drawing)
{
    np_status st;
    *p = (embedding_picture){.embedding = embedding};
    if ((st = np_drawn_init(&p->guest, np_embedding_guest(embedding), NULL)) ||
        (st = np_drawn_init(&p->host, np_embedding_host(embedding), drawing)) ||
        (st = np_embedding_measure(embedding, &p->facts)) ||
        (st = np_memory_zeroed(&p->load, p->host.nodes, sizeof *p->load, "a picture")) ||
        (st = np_memory_zeroed(&p->paths, p->host.numbers, sizeof *p->paths, "a picture")))
        return st;
    count(p);
    return NP_OK;
}

static void clear(embedding_picture *p)
{
    np_drawn_clear(&p->guest);
    np_drawn_clear(&p->host);
    NP_MEMORY_FREE(p->load, p->paths);
}

/* ---- Drawing ---- */

/* How many links of the host the guest's link takes, or its opposite, if this takes more. */
static size_t length_of(const embedding_picture *p, np_link l)
{
    const np_link *link;
    size_t length = np_embedding_path(p->embedding, l, &link), other;
    if (p->guest.opposite[l] == NP_NONE)
        return length;
    other = np_embedding_path(p->embedding, p->guest.opposite[l], &link);
    return other > length ? other : length;
}

/* Long links come last: they are seen over short ones. */
static void draw_guest(const embedding_picture *p, const np_drawn_view *view, FILE *stream)
{
    for (int part = 0; part < 2; part++) {
        fprintf(stream, "<g fill=\"none\" stroke=\"%s\" stroke-width=\"%s\">\n", part ? NP_SVG_VERMILION : "#606060",
                NP_SVG(fmin(1.4, fmax(0.5, 0.05 * view->unit))));
        for (np_link l = 0; l < p->guest.numbers; l++) {
            bool drawn = p->guest.to[l] != NP_NONE && (p->guest.opposite[l] == NP_NONE || p->guest.opposite[l] > l);
            if (!drawn || (length_of(p, l) > 1) != part)
                continue;
            fprintf(stream, "<path class=\"%s\" d=\"", part ? "long" : "short");
            np_drawn_link(view, l, 0, 0, stream);
            fputs("\"/>\n", stream);
        }
        fputs("</g>\n", stream);
    }
    np_drawn_nodes(view, NULL, NULL, stream);
}

static const char *fill(const void *context, np_node node)
{
    const embedding_picture *p = context;
    return !p->load[node] ? "#ffffff" : p->load[node] == 1 ? NP_SVG_BLUE : NP_SVG_ORANGE;
}

static void draw_host(const embedding_picture *p, const np_drawn_view *view, const np_legend *legend, FILE *stream)
{
    fputs("<g fill=\"none\">\n", stream);
    for (int part = 0; part < 2; part++)
        for (np_link l = 0; l < p->host.numbers; l++)
            if (p->host.to[l] != NP_NONE && (p->paths[l] > 0) == part)
                np_drawn_load(view, l, p->paths[l], legend, stream);
    fputs("</g>\n", stream);
    np_drawn_nodes(view, fill, p, stream);
}

static np_legend legend_of(const embedding_picture *p, np_legend_line *line)
{
    np_legend legend = {.line = line, .scale = "paths over the host's link", .least = 1, .most = p->facts.congestion};
    bool none = false, one = false, more = false, idle = false;
    for (np_node v = 0; v < p->host.nodes; v++) {
        none |= !p->load[v];
        one |= p->load[v] == 1;
        more |= p->load[v] > 1;
    }
    if (one)
        line[legend.lines++] = (np_legend_line){NP_SIGN_DOT, NP_SVG_BLUE, "one node of the guest"};
    if (more)
        line[legend.lines++] = (np_legend_line){NP_SIGN_DOT, NP_SVG_ORANGE, "several"};
    if (none)
        line[legend.lines++] = (np_legend_line){NP_SIGN_DOT, "#ffffff", "none"};
    if (p->facts.dilation > 1)
        line[legend.lines++] = (np_legend_line){NP_SIGN_LINE, NP_SVG_VERMILION, "takes several links of the host"};
    for (np_link l = 0; l < p->host.numbers && !idle; l++)
        idle = p->host.to[l] != NP_NONE && !p->paths[l];
    if (idle)
        line[legend.lines++] = (np_legend_line){NP_SIGN_LINE, NP_SVG_PALE, "no path over it"};
    legend.least = legend.most ? 1 : 0;
    return legend;
}

static void draw(const embedding_picture *p, const char *below, const char *command, FILE *stream)
{
    np_legend_line line[5];
    const np_legend legend = legend_of(p, line);
    np_panels all = np_panels_two(&p->guest, &p->host);
    char text[160];
    np_frame frame = np_frame_open(all.all, title, below, command, &legend, stream);
    snprintf(text, sizeof text, "guest %.100s", p->guest.network);
    np_drawn_view view = np_panels_at(&all, &frame, 0, &p->guest, text, stream);
    draw_guest(p, &view, stream);
    snprintf(text, sizeof text, "host %.100s", p->host.network);
    view = np_panels_at(&all, &frame, 1, &p->host, text, stream);
    draw_host(p, &view, &legend, stream);
    np_svg_close(stream);
}

static np_status draw_matrix(const embedding_picture *p, const char *below, const char *command, FILE *stream)
{
    const np_network *host = np_embedding_host(p->embedding);
    np_heat heat;
    np_status st = np_heat_init(&heat, np_heat_axis_of(p->host.nodes, NP_HEAT_ROWS, "from node of the host"),
                                np_heat_axis_of(p->host.nodes, NP_HEAT_ROWS, "to node of the host"));
    if (st)
        return st;
    for (np_link l = 0; l < p->host.numbers; l++) {
        if (!p->paths[l])
            continue;
        uint64_t *cell = np_heat_at(&heat, np_network_link_tail(host, l), np_network_link_head(host, l));
        *cell = p->paths[l] > *cell ? p->paths[l] : *cell;
    }
    np_heat_picture(&heat, title, below, command, "most paths over a link of the cell", stream);
    np_heat_clear(&heat);
    return NP_OK;
}

static np_status write_picture(const np_embedding *embedding, const char *command, const np_picture_options *o,
                               FILE *stream)
{
    embedding_picture p;
    char below[320];
    np_status st = make(&p, embedding, o->drawing);
    if (!st) {
        const np_entry *entry = np_embedding_entry(embedding);
        snprintf(below, sizeof below, "%.80s in %.80s, %s: load %u, dilation %u, congestion %u", p.guest.network,
                 p.host.network, entry ? entry->name : "a map", p.facts.load, p.facts.dilation, p.facts.congestion);
        if (p.guest.place && p.host.place)
            draw(&p, below, command, stream);
        else
            st = draw_matrix(&p, below, command, stream);
    }
    clear(&p);
    return st;
}

np_status np_report_picture_embedding(const np_embedding *embedding, const char *command,
                                      const np_picture_options *options)
{
    np_picture_options o;
    np_picture_file file;
    bool asked;
    np_status st = np_options_take(&np_picture_options_fields, options, &o);
    if (st || (st = np_picture_asked(&o, "embedding", &asked)) || !asked || (st = np_picture_open(&o, NULL, &file)))
        return st;
    return np_picture_end(&file, write_picture(embedding, command, &o, file.svg));
}
