/*
 * The picture of a network: its nodes and links, where its drawing has them; and of a deadlock, the same with the
 * channels that wait in a cycle.
 */
#include "base/written.h"
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

static const double ASIDE = 3; /* of a channel from its link, to the right of its way */

/* The channels that wait, as arrows. Those of other classes of a link are further aside. */
static void draw_cycle(const np_drawn_view *view, const np_deadlock *deadlock, FILE *stream)
{
    fprintf(stream, "<g fill=\"none\" stroke=\"%s\" stroke-width=\"2\">\n", NP_SVG_VERMILION);
    for (size_t i = 0; i < deadlock->length; i++) {
        const np_deadlock_channel *c = &deadlock->cycle[i];
        double aside = ASIDE * (1 + c->class_number);
        fputs("<path d=\"", stream);
        np_drawn_link(view, c->link, aside, view->radius, stream);
        fputs("\"><title>", stream);
        np_written(NP_MEDIUM_XML, view->drawn->name[c->from], stream);
        fputs(" → ", stream);
        np_written(NP_MEDIUM_XML, view->drawn->name[c->to], stream);
        fprintf(stream, ": class %u</title></path>\n", c->class_number);
        np_drawn_arrow(view, c->link, aside, view->radius, 7, NP_SVG_VERMILION, stream);
    }
    fputs("</g>\n", stream);
}

/* deadlock: NULL, or of the network. */
static void draw(const np_drawn *drawn, const np_deadlock *deadlock, const char *below, const char *command,
                 FILE *stream)
{
    np_legend_line line[5];
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
    if (deadlock && deadlock->length)
        line[legend.lines++] = (np_legend_line){NP_SIGN_ARROW, NP_SVG_VERMILION, "channel that waits for the next"};
    np_frame frame = np_frame_open(view.height, drawn->network, below, command, &legend, stream);
    view.x += frame.x + (frame.width - view.width) / 2;
    view.y += frame.y;
    draw_links(&view, stream);
    if (deadlock)
        draw_cycle(&view, deadlock, stream);
    np_drawn_nodes(&view, NULL, NULL, stream);
    np_svg_close(stream);
}

static void count_links(np_heat *heat, const np_network *network)
{
    for (np_link l = 0; l < np_network_link_numbers(network); l++)
        if (np_network_link_head(network, l) != NP_NONE)
            ++*np_heat_at(heat, np_network_link_tail(network, l), np_network_link_head(network, l));
}

/* Too many links to draw: the matrix of the nodes says how many links, or waiting channels, are between ranges. */
static np_status draw_matrix(const np_network *network, const np_deadlock *deadlock, const char *below,
                             const char *command, FILE *stream)
{
    np_heat heat;
    np_status st = np_heat_init(&heat, np_heat_axis_of(np_network_nodes(network), NP_HEAT_ROWS, "from node"),
                                np_heat_axis_of(np_network_nodes(network), NP_HEAT_ROWS, "to node"));
    if (st)
        return st;
    if (!deadlock)
        count_links(&heat, network);
    for (size_t i = 0; deadlock && i < deadlock->length; i++)
        ++*np_heat_at(&heat, deadlock->cycle[i].from, deadlock->cycle[i].to);
    np_heat_picture(&heat, np_network_spec(network), below, command,
                    deadlock ? "waiting channels of a cell" : "links of a cell", stream);
    np_heat_clear(&heat);
    return NP_OK;
}

/* What the picture says below its title, before the name of the drawing. */
static int say_below(const np_network *network, const np_deadlock *deadlock, char *below, size_t room)
{
    if (!deadlock)
        return snprintf(below, room, "%u nodes, %llu directed links", np_network_nodes(network),
                        (unsigned long long)np_network_links(network));
    if (deadlock->length)
        return snprintf(below, room, "paths %.60s may deadlock: %zu channels wait in a cycle", deadlock->paths,
                        deadlock->length);
    return snprintf(below, room, "paths %.60s cannot deadlock", deadlock->paths);
}

static np_status picture(const np_network *network, const np_deadlock *deadlock, const char *command,
                         const np_picture_options *options)
{
    np_picture_options o;
    np_picture_file file;
    np_drawn drawn;
    char below[200];
    np_status st = np_options_take(&np_picture_options_fields, options, &o);
    if (st || !o.picture)
        return st ? st : np_picture_check(&o);
    if ((st = np_drawn_init(&drawn, network, o.drawing)))
        return st;
    int used = say_below(network, deadlock, below, sizeof below);
    if (drawn.place)
        snprintf(below + used, sizeof below - (size_t)used, "; drawing %s", drawn.drawing);
    if (!(st = np_picture_open(&o, NULL, &file))) {
        if (drawn.place)
            draw(&drawn, deadlock, below, command, file.svg);
        else
            st = draw_matrix(network, deadlock, below, command, file.svg);
        st = np_picture_end(&file, st);
    }
    np_drawn_clear(&drawn);
    return st;
}

np_status np_report_picture_network(const np_network *network, const char *command, const np_picture_options *options)
{
    return picture(network, NULL, command, options);
}

np_status np_report_picture_deadlock(const np_deadlock *deadlock, const char *command,
                                     const np_picture_options *options)
{
    return picture(deadlock->network, deadlock, command, options);
}
