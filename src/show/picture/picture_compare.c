/* Networks beside each other: a group of bars for each figure, a bar for each network. */
#include "base/decimal.h"
#include "netpram/report.h"
#include "show/picture/picture.h"

enum { HEIGHT = 240, AXIS = 36, FOOT = 30, COLOURS = 6, NETWORKS_MOST = 64, FIGURES = 8, FAILED = 3, RULES = 5 };

static const char *const names[FIGURES] = {"all-to-all", "longest",  "near-worst", "1% down",
                                           "5% down",    "shortest", "spray",      "valiant"};
static const char *const below[FIGURES] = {"", "matching", "", "", "", "", "", ""};
static const char *const colours[COLOURS] = {NP_SVG_BLUE,   NP_SVG_VERMILION, NP_SVG_GREEN,
                                             NP_SVG_ORANGE, NP_SVG_SKY,       NP_SVG_PURPLE};

/* A bar, and where its mark is; 0: there is none. */
typedef struct bar {
    double height, mark;
} bar;

static bar bar_of(const np_compare_row *row, int figure)
{
    const np_throughput_between *between[FAILED] = {&row->all_to_all, &row->longest_matching, &row->near_worst};
    const double rule[] = {row->shortest, row->spray, row->valiant};
    if (figure < FAILED)
        return (bar){between[figure]->low, between[figure]->high};
    if (figure < RULES)
        return row->fails ? (bar){row->failed[figure - FAILED].median, row->failed[figure - FAILED].least}
                          : (bar){0, 0};
    return (bar){rule[figure - RULES], 0};
}

static double most_of(const np_compare *compare)
{
    double most = 0;
    for (size_t i = 0; i < compare->networks; i++)
        for (int k = 0; k < FIGURES; k++) {
            bar b = bar_of(&compare->network[i], k);
            most = b.height > most ? b.height : most;
            most = b.mark > most ? b.mark : most;
        }
    return most > 0 ? most : 1;
}

static np_svg_colour colour_of(const np_compare *compare, size_t i)
{
    np_svg_colour colour;
    if (compare->networks > COLOURS)
        return np_svg_scale(((double)i + 1) / (double)compare->networks);
    snprintf(colour.text, sizeof colour.text, "%s", colours[i]);
    return colour;
}

/* Lines at 1, 2 or 5 times a power of ten, five at most. */
static void draw_axis(const np_frame *frame, double most, FILE *stream)
{
    double step = 1e-9;
    for (int k = 0; most / step > 5; k++)
        step *= k % 3 == 1 ? 2.5 : 2;
    for (int i = 0; i * step <= most; i++) {
        double y = frame->y + HEIGHT * (1 - i * step / most);
        fprintf(stream, "<path d=\"M%s %sH%s\" stroke=\"%s\" stroke-width=\"0.6\"/>\n", NP_SVG(frame->x + AXIS),
                NP_SVG(y), NP_SVG(frame->x + frame->width), NP_SVG_PALE);
        np_svg_text(frame->x + AXIS - 4, y + 3, 9, NP_SVG_END, "", NP_REAL(i * step, 6), stream);
    }
}

static void draw_bar(const np_frame *frame, double x, double width, double most, bar b, const char *colour,
                     FILE *stream)
{
    double height = HEIGHT * b.height / most, foot = frame->y + HEIGHT, mark = foot - HEIGHT * b.mark / most;
    fprintf(stream, "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" fill=\"%s\"/>\n", NP_SVG(x),
            NP_SVG(foot - height), NP_SVG(width * 0.92), NP_SVG(height), colour);
    if (b.mark > 0)
        fprintf(stream, "<path d=\"M%s %sh%s\" stroke=\"%s\" stroke-width=\"1.2\"/>\n", NP_SVG(x), NP_SVG(mark),
                NP_SVG(width * 0.92), NP_SVG_INK);
}

static void draw_bars(const np_compare *compare, const np_frame *frame, FILE *stream)
{
    double most = most_of(compare), group = (frame->width - AXIS) / FIGURES;
    double width = group * 0.86 / (double)compare->networks;
    draw_axis(frame, most, stream);
    for (int k = 0; k < FIGURES; k++) {
        double x = frame->x + AXIS + k * group + 0.07 * group;
        for (size_t i = 0; i < compare->networks; i++)
            draw_bar(frame, x + (double)i * width, width, most, bar_of(&compare->network[i], k),
                     colour_of(compare, i).text, stream);
        np_svg_text(x + 0.43 * group, frame->y + HEIGHT + 12, 10, NP_SVG_MIDDLE, "", names[k], stream);
        np_svg_text(x + 0.43 * group, frame->y + HEIGHT + 24, 10, NP_SVG_MIDDLE, "", below[k], stream);
    }
}

static np_status draw(const np_compare *compare, const char *command, FILE *stream)
{
    np_legend_line line[NETWORKS_MOST];
    np_svg_colour colour[NETWORKS_MOST];
    np_legend legend = {.lines = compare->networks, .line = line};
    if (compare->networks > NETWORKS_MOST)
        return NP_RAISE(NP_ERROR_LIMIT, "a picture shows at most %d networks beside each other", NETWORKS_MOST);
    for (size_t i = 0; i < compare->networks; i++) {
        colour[i] = colour_of(compare, i);
        line[i] = (np_legend_line){NP_SIGN_BOX, colour[i].text, np_network_spec(compare->network[i].network)};
    }
    np_frame frame = np_frame_open(HEIGHT + FOOT, "Packets a step and host",
                                   "best routing: bar proved, mark at most; links down: bar median, mark least; "
                                   "path rules: guaranteed",
                                   command, &legend, stream);
    draw_bars(compare, &frame, stream);
    np_svg_close(stream);
    return NP_OK;
}

np_status np_report_picture_compare(const np_compare *compare, const char *command, const np_picture_options *options)
{
    np_picture_options o;
    np_picture_file file;
    np_status st = np_options_take(&np_picture_options_fields, options, &o);
    if (st || (st = np_picture_check(&o)) || !o.picture || (st = np_picture_open(&o, NULL, &file)))
        return st;
    return np_picture_end(&file, draw(compare, command, file.svg));
}
