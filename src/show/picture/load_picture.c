/*
 * The picture of a curve of load: the network's links in the colours of what they carried at its last point, a panel
 * for each curve. Numbers are flits in 1000 cycles, so that curves whose windows are of unlike length have one scale.
 * Of a network that is too large to draw, the first curve is shown as a matrix.
 */
#include <math.h>

#include "base/decimal.h"
#include "base/memory.h"
#include "netpram/load.h"
#include "show/picture/heat.h"
#include "show/picture/panels.h"

static const char title[] = "Flits over each link in 1000 cycles";

/* All curves, on one scale. */
typedef struct heated {
    const np_load_result *result;
    np_drawn drawn;
    size_t panels;
    uint64_t *carried; /* [panels * drawn.numbers] flits in 1000 cycles, rounded */
    np_legend legend;
} heated;

static const uint64_t *carried_of(const heated *h, size_t panel) { return h->carried + panel * h->drawn.numbers; }

static void set_carried(heated *h)
{
    np_legend *legend = &h->legend;
    legend->least = UINT64_MAX;
    for (size_t i = 0; i < h->panels * h->drawn.numbers; i++) {
        const np_load_use *use = &h->result->use[i / h->drawn.numbers];
        uint64_t flits = use->flits[i % h->drawn.numbers];
        uint64_t carried = use->cycles ? (1000 * flits + use->cycles / 2) / use->cycles : 0;
        h->carried[i] = carried;
        legend->most = carried > legend->most ? carried : legend->most;
        legend->least = carried && carried < legend->least ? carried : legend->least;
    }
    legend->least = legend->most ? legend->least : 0;
}

/* The curve, its last load, and the link that carried most. */
static void put_title(const heated *h, size_t i, size_t room, char *text)
{
    const uint64_t *carried = carried_of(h, i);
    double offered = h->result->use[i].offered;
    uint64_t most = 0;
    for (np_link l = 0; l < h->drawn.numbers; l++)
        most = carried[l] > most ? carried[l] : most;
    snprintf(text, room, "%.60s%s%s: at most %llu over a link", h->result->curve[i].paths, isnan(offered) ? "" : " at ",
             isnan(offered) ? "" : NP_REAL(offered, 6), (unsigned long long)most);
}

static void draw_panels(heated *h, const char *command, FILE *stream)
{
    np_legend_line line[4];
    char below[256], text[160];
    np_panels all = np_panels_of(h->panels, &h->drawn);
    h->legend.line = line;
    np_drawn_legend(&h->drawn, line, &h->legend.lines);
    line[h->legend.lines++] = (np_legend_line){NP_SIGN_LINE, NP_SVG_PALE, "link with less than half a flit"};
    snprintf(below, sizeof below, "%.100s, %.60s; drawing %s%s", h->drawn.network, h->result->traffic, h->drawn.drawing,
             np_drawn_has_opposites(&h->drawn) ? "; each direction of a link lies to the right of its way" : "");
    np_frame frame = np_frame_open(all.all, title, below, command, &h->legend, stream);
    for (size_t i = 0; i < h->panels; i++) {
        put_title(h, i, sizeof text, text);
        np_drawn_view view = np_panels_at(&all, &frame, i, &h->drawn, text, stream);
        np_drawn_loads(&view, carried_of(h, i), &h->legend, stream);
    }
    np_svg_close(stream);
}

static np_status draw_matrix(const heated *h, const char *command, FILE *stream)
{
    const np_network *network = h->result->network;
    np_heat heat;
    char below[256];
    np_status st = np_heat_init(&heat, np_heat_axis_of(h->drawn.nodes, NP_HEAT_ROWS, "from node"),
                                np_heat_axis_of(h->drawn.nodes, NP_HEAT_ROWS, "to node"));
    if (st)
        return st;
    for (np_link l = 0; l < h->drawn.numbers; l++) {
        np_node head = np_network_link_head(network, l);
        uint64_t *cell = head == NP_NONE ? NULL : np_heat_at(&heat, np_network_link_tail(network, l), head);
        if (cell && h->carried[l] > *cell)
            *cell = h->carried[l];
    }
    put_title(h, 0, sizeof below, below);
    np_heat_picture(&heat, title, below, command, "most flits over a link of the cell in 1000 cycles", stream);
    np_heat_clear(&heat);
    return NP_OK;
}

static np_status draw(const np_load_result *result, const char *command, const char *drawing, FILE *stream)
{
    heated h = {.result = result, .legend = {.scale = "flits over the link in 1000 cycles"}};
    np_status st = np_drawn_init(&h.drawn, result->network, drawing);
    if (st)
        return st;
    h.panels = !h.drawn.place ? 1 : result->curves < NP_PANELS_MAX ? result->curves : NP_PANELS_MAX;
    if (!(st = np_memory_zeroed(&h.carried, h.panels * h.drawn.numbers + 1, sizeof *h.carried, "a picture"))) {
        set_carried(&h);
        if (h.drawn.place)
            draw_panels(&h, command, stream);
        else
            st = draw_matrix(&h, command, stream);
    }
    np_memory_free(h.carried);
    np_drawn_clear(&h.drawn);
    return st;
}

np_status np_report_picture_load(const np_load_result *result, const char *command, const np_picture_options *options)
{
    np_picture_options o;
    np_picture_file file;
    np_status st = np_options_take(&np_picture_options_fields, options, &o);
    if (st || (st = np_picture_check(&o)) || !o.picture)
        return st;
    if (result && !result->use)
        return NP_RAISE(NP_ERROR_INPUT, "a picture of load shows what links carried: set keep_links");
    if ((st = np_picture_open(&o, NULL, &file)))
        return st;
    if (!result) {
        np_picture_discard(&file);
        return NP_OK;
    }
    return np_picture_end(&file, draw(result, command, o.drawing, file.svg));
}
