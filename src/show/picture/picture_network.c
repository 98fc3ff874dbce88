/* The picture of a network: its nodes and links, where its drawing has them. */
#include "show/picture/drawn.h"
#include "show/picture/heat.h"

static void draw_links(const np_drawn_view *view, FILE *stream)
{
    const np_drawn *d = view->drawn;
    double width = d->numbers > 2000 ? 0.5 : 1;
    fprintf(stream, "<g fill=\"none\" stroke=\"#606060\" stroke-width=\"%s\">\n", NP_SVG(width));
    for (np_link l = 0; l < d->numbers; l++) {
        bool one_way = d->to[l] != NP_NONE && d->opposite[l] == NP_NONE;
        double arrow = one_way ? view->radius : 0;
        if (d->to[l] == NP_NONE || (!one_way && d->opposite[l] < l))
            continue;
        fputs("<path d=\"", stream);
        np_drawn_link(view, l, 0, arrow, stream);
        fputs("\"/>\n", stream);
        if (one_way)
            np_drawn_arrow(view, l, 0, arrow, 4 + width, "#606060", stream);
    }
    fputs("</g>\n", stream);
}

static void draw(const np_drawn *drawn, const char *below, const char *command, FILE *stream)
{
    np_legend_line line[4];
    np_legend legend = {.line = line};
    np_drawn_view view = np_drawn_fit(drawn, NP_PICTURE_WIDTH - 2 * NP_PICTURE_MARGIN, 640);
    np_drawn_legend(drawn, line, &legend.lines);
    bool links = false;
    for (np_link l = 0; l < drawn->numbers; l++)
        links |= drawn->to[l] != NP_NONE && drawn->opposite[l] != NP_NONE;
    if (links)
        line[legend.lines++] = (np_legend_line){NP_SIGN_LINE, "#606060", "link, both ways"};
    if (drawn->one_way)
        line[legend.lines++] = (np_legend_line){NP_SIGN_ARROW, "#606060", "link, one way"};
    np_frame frame = np_frame_open(view.height, drawn->network, below, command, &legend, stream);
    view.x += frame.x + (frame.width - view.width) / 2;
    view.y += frame.y;
    draw_links(&view, stream);
    np_drawn_nodes(&view, NULL, NULL, stream);
    np_svg_close(stream);
}

/* Too many links to draw: the matrix of the nodes says how many links there are between ranges of nodes. */
static np_status draw_matrix(const np_network *network, const char *below, const char *command, FILE *stream)
{
    np_heat heat;
    np_status st = np_heat_init(&heat, np_heat_axis_of(np_network_nodes(network), NP_HEAT_ROWS, "from node"),
                                np_heat_axis_of(np_network_nodes(network), NP_HEAT_ROWS, "to node"));
    if (st)
        return st;
    for (np_link l = 0; l < np_network_link_numbers(network); l++)
        if (np_network_link_head(network, l) != NP_NONE)
            ++*np_heat_at(&heat, np_network_link_tail(network, l), np_network_link_head(network, l));
    np_heat_picture(&heat, np_network_spec(network), below, command, "links of a cell", stream);
    np_heat_clear(&heat);
    return NP_OK;
}

np_status np_report_picture_network(const np_network *network, const char *command, const np_picture_options *options)
{
    np_picture_options o;
    np_picture_file file;
    np_drawn drawn;
    char below[160];
    np_status st = np_options_take(&np_picture_options_fields, options, &o);
    if (st || !o.picture)
        return st ? st : np_picture_check(&o);
    if ((st = np_drawn_init(&drawn, network, o.drawing)))
        return st;
    int used = snprintf(below, sizeof below, "%u nodes, %llu directed links", np_network_nodes(network),
                        (unsigned long long)np_network_links(network));
    if (drawn.place)
        snprintf(below + used, sizeof below - (size_t)used, "; drawing %s", drawn.drawing);
    if (!(st = np_picture_open(&o, NULL, &file))) {
        if (drawn.place)
            draw(&drawn, below, command, file.svg);
        else
            st = draw_matrix(network, below, command, file.svg);
        st = np_picture_end(&file, st);
    }
    np_drawn_clear(&drawn);
    return st;
}
