/* See picture.h: titles and legends around what is drawn. */
#include <string.h>

#include "show/picture/picture.h"

/* The height of the lines above and below the contents. */
enum { TITLE = 15, SMALL = 10, LINE = 14, SCALE_WIDTH = 160, SCALE_HEIGHT = 10, COMMAND = 116 /* characters */ };

double np_legend_share(const np_legend *legend, double value)
{
    if (legend->most <= legend->least)
        return 1;
    return (value - (double)legend->least) / (double)(legend->most - legend->least);
}

static void draw_sign(const np_legend_line *line, double x, double y, FILE *stream)
{
    if (line->sign == NP_SIGN_DOT)
        fprintf(stream, "<circle cx=\"%s\" cy=\"%s\" r=\"4\" fill=\"%s\" stroke=\"%s\" stroke-width=\"0.6\"/>\n",
                NP_SVG(x + 10), NP_SVG(y - 3.5), line->colour, NP_SVG_INK);
    else if (line->sign == NP_SIGN_BOX)
        fprintf(stream,
                "<rect x=\"%s\" y=\"%s\" width=\"12\" height=\"9\" fill=\"%s\" stroke=\"%s\" stroke-width=\"0.4\"/>\n",
                NP_SVG(x + 4), NP_SVG(y - 8), line->colour, NP_SVG_INK);
    else
        fprintf(stream, "<path d=\"M%s %sh%s\" stroke=\"%s\" stroke-width=\"2\"/>\n", NP_SVG(x), NP_SVG(y - 3.5),
                line->sign == NP_SIGN_ARROW ? "14" : "20", line->colour);
    if (line->sign == NP_SIGN_ARROW)
        fprintf(stream, "<path d=\"M%s %sl8 4l-8 4z\" fill=\"%s\"/>\n", NP_SVG(x + 12), NP_SVG(y - 7.5), line->colour);
}

/* Sign and text; returns how wide they are. */
static double line_width(const np_legend_line *line) { return 30 + 5.4 * (double)strlen(line->text) + 14; }

/* The lines of the legend stand beside each other. Returns the height, and draws if there is a stream. */
static double signs(const np_legend *legend, double y, FILE *stream)
{
    double x = NP_PICTURE_MARGIN, height = legend->lines ? LINE : 0;
    for (size_t i = 0; i < legend->lines; i++) {
        const np_legend_line *line = &legend->line[i];
        if (x > NP_PICTURE_MARGIN && x + line_width(line) > NP_PICTURE_WIDTH) {
            x = NP_PICTURE_MARGIN;
            height += LINE;
        }
        if (stream) {
            draw_sign(line, x, y + height, stream);
            np_svg_text(x + 26, y + height, SMALL, NP_SVG_START, "", line->text, stream);
        }
        x += line_width(line);
    }
    return height;
}

static void scale_tick(const np_legend *legend, uint64_t value, double x, double y, FILE *stream)
{
    char text[24];
    double at = x + (legend->most > legend->least ? np_legend_share(legend, (double)value) : 0.5) * SCALE_WIDTH;
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    fprintf(stream, "<path d=\"M%s %sv3\" stroke=\"%s\" stroke-width=\"0.6\"/>\n", NP_SVG(at), NP_SVG(y), NP_SVG_INK);
    np_svg_text(at, y + 12, SMALL - 1, NP_SVG_MIDDLE, "", text, stream);
}

/* Some five numbers at equal distances; the last is the end. */
static void scale_ticks(const np_legend *legend, double x, double y, FILE *stream)
{
    uint64_t range = legend->most - legend->least, distance = range / 4 + (range % 4 > 0);
    for (uint64_t i = 0; range && range - i >= distance && i < range; i += distance)
        if (range - i > distance / 2)
            scale_tick(legend, legend->least + i, x, y, stream);
    scale_tick(legend, legend->most, x, y, stream);
}

static void draw_scale(const np_legend *legend, double y, FILE *stream)
{
    enum { BOXES = 32 };
    double x = NP_PICTURE_MARGIN + 4, width = (double)SCALE_WIDTH / BOXES;
    bool flat = legend->most <= legend->least;
    fputs("<g class=\"scale\">\n", stream);
    for (int i = 0; i < BOXES; i++)
        fprintf(stream, "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%d\" fill=\"%s\"/>\n", NP_SVG(x + i * width),
                NP_SVG(y), NP_SVG(i + 1 < BOXES ? width + 0.3 : width), SCALE_HEIGHT,
                np_svg_scale(flat ? 1 : (i + 0.5) / BOXES).text);
    scale_ticks(legend, x, y + SCALE_HEIGHT, stream);
    np_svg_text(x + SCALE_WIDTH + 16, y + SCALE_HEIGHT - 1, SMALL, NP_SVG_START, "", legend->scale, stream);
    fputs("</g>\n", stream);
}

/* Leaves out the middle of a command that is too long for a line. */
static void draw_command(const char *command, double y, FILE *stream)
{
    char text[COMMAND + 8];
    size_t length = strlen(command);
    if (length <= COMMAND)
        snprintf(text, sizeof text, "%s", command);
    else
        snprintf(text, sizeof text, "%.*s ...", COMMAND - 4, command);
    np_svg_text(NP_PICTURE_MARGIN, y, SMALL - 1, NP_SVG_START,
                "font-family=\"Courier New, Courier, monospace\" fill=\"#606060\"", text, stream);
}

np_frame np_frame_open(double height, const char *title, const char *below, const char *command,
                       const np_legend *legend, FILE *stream)
{
    bool told = command && *command;
    double top = NP_PICTURE_MARGIN + TITLE, y = top + (below ? LINE + 2 : 0) + (told ? LINE : 0) + 10;
    double foot = signs(legend, 0, NULL) + (legend->scale ? SCALE_HEIGHT + LINE + 6 : 0);
    np_frame frame = {NP_PICTURE_MARGIN, y, NP_PICTURE_WIDTH - 2 * NP_PICTURE_MARGIN, height};
    np_svg_open(NP_PICTURE_WIDTH, y + height + 12 + foot + NP_PICTURE_MARGIN, title, told ? command : below, stream);
    np_svg_text(NP_PICTURE_MARGIN, top, TITLE, NP_SVG_START, "font-weight=\"bold\"", title, stream);
    if (below)
        np_svg_text(NP_PICTURE_MARGIN, top += LINE + 2, SMALL + 1, NP_SVG_START, "", below, stream);
    if (told)
        draw_command(command, top + LINE, stream);
    y += height + 12;
    y += signs(legend, y, stream);
    if (legend->scale)
        draw_scale(legend, y + 6, stream);
    return frame;
}

np_status np_picture_nothing(const char *title, const np_sheet *sheet)
{
    const np_legend legend = {0};
    np_frame_open(0, title, "Nothing moves on a network here.", sheet->command, &legend, sheet->stream);
    np_svg_close(sheet->stream);
    return NP_OK;
}
