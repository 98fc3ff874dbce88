/*
 * A round on a grid of switches, as text:
 *
 *           N0
 *           ┃
 *     W0 ── we-NS ── E0
 *           ┃
 *
 * A switch is five columns wide. A horizontal wire is two columns wide, with a space on either side; a vertical wire is
 * one column wide.
 */
#include <ctype.h>
#include <string.h>

#include "netpram/report.h"

enum { MARGIN = 9, CELL = 5, PITCH = 9 }; /* columns: before the first switch; of a switch; of it and its wire */

/* A line under construction: text put at columns from left to right. */
typedef struct line {
    FILE *stream;
    int at;
} line;

/* `width`: the columns that the text takes. */
static void put(line *to, int column, const char *text, int width)
{
    fprintf(to->stream, "%*s%s", column - to->at, "", text);
    to->at = column + width;
}

static void end(line *to)
{
    fputc('\n', to->stream);
    to->at = 0;
}

static bool passes(const np_switch_picture *picture, size_t i, np_switch_port port)
{
    return picture->signal[i] >> port & 1;
}

static bool has_pu(const np_reconfigure_result *result, np_switch_port side, uint32_t index)
{
    for (uint32_t pu = 0; pu < result->pus; pu++)
        if (result->place[pu].side == side && result->place[pu].index == index)
            return true;
    return false;
}

/* "W12" if there is a PU, else "". */
static void label(const np_reconfigure_result *result, np_switch_port side, uint32_t index, char text[16])
{
    *text = 0;
    if (has_pu(result, side, index))
        snprintf(text, 16, "%c%u", np_switch_port_letter(side), index);
}

/* The setting, in capitals where a signal passes. */
static void draw_switch(line *to, const np_switch_picture *picture, size_t i, int column)
{
    static const char ports[] = "WNES";
    char text[CELL + 1] = "";
    strncpy(text, np_switch_setting_name(picture->setting[i]), CELL);
    for (char *p = text; *p; p++) {
        const char *port = strchr(ports, *p);
        if (port && !passes(picture, i, (np_switch_port)(port - ports)))
            *p = (char)tolower(*p);
    }
    int width = (int)strlen(text);
    put(to, column + (CELL - width) / 2, text, width);
}

static void draw_row(const np_reconfigure_result *result, const np_switch_picture *picture, uint32_t row, line *to)
{
    char text[16];
    size_t first = (size_t)row * result->columns, last = first + result->columns - 1;
    label(result, NP_PORT_W, row, text);
    put(to, MARGIN - 4 - (int)strlen(text), text, (int)strlen(text));
    for (uint32_t column = 0; column < result->columns; column++) {
        int at = MARGIN + PITCH * (int)column;
        put(to, at - 3, passes(picture, first + column, NP_PORT_W) ? "━━" : "──", 2);
        draw_switch(to, picture, first + column, at);
    }
    int at = MARGIN + PITCH * (int)result->columns;
    put(to, at - 3, passes(picture, last, NP_PORT_E) ? "━━" : "──", 2);
    label(result, NP_PORT_E, row, text);
    if (*text)
        put(to, at, text, (int)strlen(text));
    end(to);
}

/* The wires at this port of the switches of a row. */
static void draw_wires(const np_reconfigure_result *result, const np_switch_picture *picture, uint32_t row,
                       np_switch_port port, line *to)
{
    for (uint32_t column = 0; column < result->columns; column++)
        put(to, MARGIN + PITCH * (int)column + CELL / 2,
            passes(picture, (size_t)row * result->columns + column, port) ? "┃" : "│", 1);
    end(to);
}

static void draw_labels(const np_reconfigure_result *result, np_switch_port side, line *to)
{
    char text[16];
    bool any = false;
    for (uint32_t column = 0; column < result->columns; column++) {
        label(result, side, column, text);
        if (*text)
            put(to, MARGIN + PITCH * (int)column + CELL / 2 - 1, text, (int)strlen(text));
        any |= *text != 0;
    }
    if (any)
        end(to);
}

np_status np_report_reconfigure_picture(const np_reconfigure_result *result, uint32_t round, FILE *stream)
{
    const np_switch_picture *picture = &result->picture[round];
    line to = {stream, 0};
    draw_labels(result, NP_PORT_N, &to);
    for (uint32_t row = result->rows; row-- > 0;) {
        draw_wires(result, picture, row, NP_PORT_N, &to);
        draw_row(result, picture, row, &to);
    }
    draw_wires(result, picture, 0, NP_PORT_S, &to);
    draw_labels(result, NP_PORT_S, &to);
    return np_output_check(stream, "the picture");
}
