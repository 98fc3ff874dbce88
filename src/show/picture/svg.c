/* See picture.h. */
#include "show/picture/picture.h"

#include <math.h>

#include "base/written.h"

np_svg_number np_svg_round(double number)
{
    np_svg_number out;
    long long hundredths = llround(number * 100);
    unsigned long long size = hundredths < 0 ? -(unsigned long long)hundredths : (unsigned long long)hundredths;
    int used = snprintf(out.text, sizeof out.text, "%s%llu", hundredths < 0 ? "-" : "", size / 100);
    if (size % 100)
        snprintf(out.text + used, sizeof out.text - (size_t)used, size % 10 ? ".%02llu" : ".%llu",
                 size % 10 ? size % 100 : size % 100 / 10);
    return out;
}

void np_svg_open(double width, double height, const char *title, const char *description, FILE *stream)
{
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%s\" height=\"%s\" viewBox=\"0 0 %s %s\" role=\"img\" "
            "font-family=\"Helvetica, Arial, sans-serif\" fill=\"%s\">\n<title>",
            NP_SVG(width), NP_SVG(height), NP_SVG(width), NP_SVG(height), NP_SVG_INK);
    np_written(NP_MEDIUM_XML, title, stream);
    fputs("</title>\n", stream);
    if (description && *description) {
        fputs("<desc>", stream);
        np_written(NP_MEDIUM_XML, description, stream);
        fputs("</desc>\n", stream);
    }
    fputs("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n", stream);
}

void np_svg_close(FILE *stream) { fputs("</svg>\n", stream); }

void np_svg_text(double x, double y, double size, np_svg_anchor anchor, const char *style, const char *text,
                 FILE *stream)
{
    static const char *const word[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    fprintf(stream, "<text x=\"%s\" y=\"%s\" font-size=\"%s\"%s%s%s>", NP_SVG(x), NP_SVG(y), NP_SVG(size), word[anchor],
            *style ? " " : "", style);
    np_written(NP_MEDIUM_XML, text, stream);
    fputs("</text>\n", stream);
}

np_svg_colour np_svg_scale(double share)
{
    /* Nine colours of viridis (S. van der Walt and N. Smith), from light to dark, and between them straight lines. */
    static const unsigned char stop[][3] = {{253, 231, 37}, {173, 220, 48}, {94, 201, 98},
                                            {40, 174, 128}, {33, 145, 140}, {44, 114, 142},
                                            {59, 82, 139},  {71, 45, 123},  {68, 1, 84}};
    enum { LAST = sizeof stop / sizeof *stop - 1 };
    double at = (0.06 + 0.94 * (share < 0 ? 0 : share > 1 ? 1 : share)) * LAST; /* the lightest yellow is not seen */
    int i = at >= LAST ? LAST - 1 : (int)at;
    unsigned part[3];
    np_svg_colour out;
    for (int k = 0; k < 3; k++)
        part[k] = (unsigned)lround(stop[i][k] + (at - i) * (stop[i + 1][k] - stop[i][k]));
    snprintf(out.text, sizeof out.text, "#%02x%02x%02x", part[0] & 255, part[1] & 255, part[2] & 255);
    return out;
}
