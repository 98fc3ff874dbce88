/*
 * The script takes two variables, `image` (the file to write) and `ending`,
 * and sets them itself if they are not given: `gnuplot NAME.gp` by hand
 * writes NAME.svg. The plotter gets a temporary name for the image. We check
 * that the image is whole by its last bytes, and rename it. The script names
 * its data without a directory, so it must run in its own directory: the three
 * files can be moved together.
 *
 * Names come from outside and the script is a program. gnuplot runs a file name
 * that begins with '<' or '|' as a command, and expands '~': a file name that
 * does not begin with a letter or a digit gets "./" before it. A name with
 * control characters is refused; other strings lose their control characters.
 * In a string in single quotes only the quote is special.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memmem */
#endif
#include "show/picture/plot.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

#include "base/decimal.h"
#include "base/memory.h"
#include "base/temporary.h"

enum { COLOURS = 8, NAME_SIZE = 300 };

static char *join(const char *a, const char *b)
{
    char *text;
    size_t size = strlen(a) + strlen(b) + 1;
    if (np_memory_array(&text, size, 1, "a file name"))
        return NULL;
    snprintf(text, size, "%s%s", a, b);
    return text;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* A single-quoted string of gnuplot: a quote is doubled, and no line may end in it. */
static void quote(const char *text, FILE *stream)
{
    fputc('\'', stream);
    for (; *text; text++) {
        if (*text == '\'')
            fputc('\'', stream);
        fputc((unsigned char)*text < ' ' ? ' ' : *text, stream);
    }
    fputc('\'', stream);
}

/* The name of a file beside the script, for gnuplot's strings; "./" keeps gnuplot from reading it as a command. */
static void quote_file(const char *name, const char *ending, FILE *stream)
{
    char path[NAME_SIZE];
    snprintf(path, sizeof path, "%s%.255s%s", isalnum((unsigned char)*name) ? "" : "./", name, ending);
    quote(path, stream);
}

/* A name within a comment, without '\\', which continues a comment, and braces, which gnuplot counts. */
static void comment_name(const char *name, FILE *stream)
{
    for (; *name; name++)
        fputc((unsigned char)*name < ' ' || strchr("\\{}\"'`", *name) ? '?' : *name, stream);
}

/* One block a curve, two blank lines apart: `index i` of gnuplot. */
static void write_data(const np_plot *plot, FILE *stream)
{
    for (size_t i = 0; i < plot->curves; i++) {
        const np_plot_curve *curve = &plot->curve[i];
        fprintf(stream, "%s# ", i ? "\n\n" : "");
        quote(curve->label, stream);
        fputs(curve->error ? "\n# x y error\n" : curve->x_end ? "\n# x y x_end y_end\n" : "\n# x y\n", stream);
        for (size_t j = 0; j < curve->points; j++) {
            fprintf(stream, "%s %s", NP_REAL(curve->x[j], 15), NP_REAL(curve->y[j], 15));
            if (curve->error)
                fprintf(stream, " %s", NP_REAL(curve->error[j], 15));
            if (curve->x_end)
                fprintf(stream, " %s %s", NP_REAL(curve->x_end[j], 15), NP_REAL(curve->y_end[j], 15));
            fputc('\n', stream);
        }
    }
}

static void setting(const char *name, const char *text, FILE *stream)
{
    fprintf(stream, "set %s ", name);
    quote(text, stream);
    fputs(" noenhanced\n", stream);
}

/* Bars first, so that the points are drawn over them. */
static void write_bars(const np_plot *plot, FILE *stream)
{
    for (size_t i = 0; i < plot->curves; i++)
        if (plot->curve[i].error)
            fprintf(
                stream,
                "data index %zu using 1:2:3 with yerrorbars linecolor rgb '#c8c8c8' pointtype -1 notitle, \\\n     ",
                i);
}

/*
 * Curves past the eighth use the colours again, with broken lines and hollow
 * points, and curves past the sixteenth with dots: so a file that names two
 * families of schemes eight curves apart shows them as pairs. The colours are
 * the palette of Okabe and Ito, which colour-blind people can tell apart; a
 * grey replaces its yellow.
 */
static const char *const colour[COLOURS] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                            "#e69f00", "#56b4e9", "#707070", "#000000"};

static void write_style(size_t i, bool bars, FILE *stream)
{
    static const int point[3][COLOURS] = {
        {5, 7, 9, 11, 13, 15, 5, 7}, {4, 6, 8, 10, 12, 14, 4, 6}, {1, 2, 3, 1, 2, 3, 1, 2}};
    static const char *const dash[3] = {"1", "'-'", "'.'"};
    size_t round = i / COLOURS % 3;
    fprintf(stream, "linecolor rgb '%s' ", colour[i % COLOURS]);
    if (!bars)
        fprintf(stream, "dashtype %s linewidth 1.5 pointtype %d ", dash[round], point[round][i % COLOURS]);
}

/* The number of a curve among those that are no fits; a fit has that of its curve. */
static size_t style_of(const np_plot *plot, size_t i)
{
    size_t number = 0;
    for (size_t k = 1; k <= i; k++)
        number += !plot->curve[k].fit;
    return number;
}

/* Boxes with two corners; a point over them is black. */
static void write_form(const np_plot *plot, size_t i, FILE *stream)
{
    if (plot->curve[i].fit) {
        fprintf(stream, "1:2 with lines linecolor rgb '%s' dashtype '.' ", colour[style_of(plot, i) % COLOURS]);
    } else if (plot->curve[i].x_end) {
        fputs("1:2:1:3:2:4 with boxxyerror fillstyle solid 0.6 noborder ", stream);
        write_style(i, true, stream);
    } else if (plot->curve[0].x_end) {
        fputs("1:2 with points linecolor rgb '#000000' pointtype 7 pointsize 1.5 ", stream);
    } else {
        fprintf(stream, "1:2 with %s ", plot->bars ? "boxes" : "linespoints");
        write_style(style_of(plot, i), plot->bars, stream);
    }
}

static void write_curves(const np_plot *plot, const char *name, FILE *stream)
{
    fputs("data = ", stream);
    quote_file(name, ".dat", stream);
    fputs("\nplot ", stream);
    write_bars(plot, stream);
    for (size_t i = 0; i < plot->curves; i++) {
        fprintf(stream, "%sdata index %zu using ", i ? ", \\\n     " : "", i);
        write_form(plot, i, stream);
        fputs("title ", stream);
        quote(plot->curve[i].label, stream);
    }
    fputc('\n', stream);
}

/* How to run the script by hand. */
static void write_usage(const char *name, FILE *stream)
{
    static const char *const text[] = {"# gnuplot ", ".gp writes ", ".svg; gnuplot -e \"ending='png'\" ",
                                       ".gp writes "};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        fputs(text[i], stream);
        comment_name(name, stream);
    }
    fputs(".png\n", stream);
}

static void write_head(const np_plot *plot, const char *name, FILE *stream)
{
    write_usage(name, stream);
    fputs("if (!exists(\"ending\")) ending = 'svg'\nif (!exists(\"image\")) image = ", stream);
    quote_file(name, "", stream);
    fputs(".'.'.ending\n", stream);
    fputs("if (ending eq 'png') set terminal png size 1100,750; else set terminal svg size 1100,750 dynamic background "
          "'white'\n",
          stream);
    fputs("set output image\n", stream);
    setting("title", plot->title, stream);
    setting("xlabel", plot->x_label, stream);
    setting("ylabel", plot->y_label, stream);
    fputs("set key outside right Left reverse width 2 spacing 1.2 noenhanced\nset grid xtics ytics mxtics\n", stream);
    if (plot->log_x)
        fputs("set logscale x\nset mxtics 10\n", stream);
    if (plot->log_y)
        fputs("set logscale y\n", stream);
    if (plot->bars)
        fputs("set style fill transparent solid 0.5\nset boxwidth 0.9\n", stream);
    else if (!plot->log_y)
        fprintf(stream, "set yrange [%s:*]\n", NP_REAL(plot->y_min, 15));
}

typedef void (*writer)(const np_plot *plot, const char *name, FILE *stream);

static void script(const np_plot *plot, const char *name, FILE *stream)
{
    write_head(plot, name, stream);
    write_curves(plot, name, stream);
}

static void data(const np_plot *plot, const char *name, FILE *stream)
{
    (void)name;
    write_data(plot, stream);
}

static np_status write_file(const np_plot *plot, const char *stem, const char *ending, writer write_it)
{
    np_output *output;
    np_status st;
    char *path = join(stem, ending);
    if (!path)
        return np_status_last();
    if (!(st = np_output_open(path, &output))) {
        write_it(plot, base_name(stem), np_output_stream(output));
        st = np_output_commit(output);
    }
    np_memory_free(path);
    return st;
}

static bool is_plain(const char *name)
{
    for (; *name; name++)
        if ((unsigned char)*name < ' ' || *name == 127)
            return false;
    return true;
}

np_status np_plot_write(const np_plot *plot, const char *stem)
{
    if (!is_plain(base_name(stem)))
        return NP_RAISE(NP_ERROR_INPUT, "cannot plot into '%s': the name has control characters", stem);
    np_status st = write_file(plot, stem, ".dat", data);
    return st ? st : write_file(plot, stem, ".gp", script);
}

/* SVG ends in </svg>, PNG in its IEND chunk; a full disk cuts these off. */
static bool is_whole(const char *path, const char *ending)
{
    char tail[32] = "";
    const char *want = strcmp(ending, "png") ? "</svg>" : "IEND";
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    size_t got = fseek(file, -16, SEEK_END) ? 0 : fread(tail, 1, 16, file);
    fclose(file);
    return memmem(tail, got, want, strlen(want)) != NULL;
}

/* The plotter writes the temporary file; if it is whole, it becomes the image. */
static np_status draw(const np_report_plotter *plotter, const np_report_script *script, np_temporary *temporary,
                      bool *drawn)
{
    np_status st = plotter->run(plotter->context, script, drawn);
    if (!st && *drawn && !is_whole(temporary->path, script->ending))
        st = NP_RAISE(NP_ERROR_IO, "gnuplot could not draw %s from %s%s", temporary->shown, script->directory,
                      script->name);
    if (!st && *drawn)
        st = np_temporary_place(temporary);
    *drawn = *drawn && !st;
    return st;
}

static np_status draw_image(const char *directory, const char *name, const char *ending, const char *image,
                            const np_report_plotter *plotter, bool *drawn)
{
    np_temporary temporary;
    char *stem = join(directory, ".netpram"); /* not the image's name: nothing to quote in it */
    np_status st = stem ? np_temporary_make(&temporary, image, stem) : np_status_last();
    if (!st) {
        const np_report_script script = {directory, name, base_name(temporary.path), ending};
        int file = temporary.file;
        st = draw(plotter, &script, &temporary, drawn);
        np_temporary_remove(&temporary);
        close(file);
    }
    np_memory_free(stem);
    return st;
}

np_status np_plot_draw(const char *stem, const char *ending, const np_report_plotter *plotter, bool *drawn)
{
    char name[NAME_SIZE];
    np_status st;
    *drawn = false;
    if (!plotter)
        return NP_OK;
    char *directory = np_memory_text(stem), *image = join(stem, strcmp(ending, "png") ? ".svg" : ".png");
    if (directory && image) {
        directory[base_name(stem) - stem] = '\0'; /* "" or ends in '/' */
        snprintf(name, sizeof name, "%.255s.gp", base_name(stem));
        st = draw_image(directory, name, ending, image, plotter, drawn);
    } else {
        st = np_status_last();
    }
    NP_MEMORY_FREE(directory, image);
    return st;
}

/* "svg" or "png"; NULL if the path ends in neither. */
static const char *ending_of(const char *image)
{
    const char *name = base_name(image), *dot = strrchr(name, '.');
    if (!dot || dot == name)
        return NULL;
    return !strcmp(dot, ".svg") || !strcmp(dot, ".png") ? dot + 1 : NULL;
}

np_status np_report_plot_check(const char *image)
{
    if (!ending_of(image))
        return NP_RAISE(NP_ERROR_INPUT, "cannot plot into '%s': the name must end in .svg or .png, as in delays.svg",
                        image);
    if (!is_plain(base_name(image)))
        return NP_RAISE(NP_ERROR_INPUT, "cannot plot into '%s': the name has control characters", image);
    return NP_OK;
}

np_status np_plot_image(const np_plot *plot, const char *image, const np_report_plotter *plotter, bool *drawn)
{
    np_status st;
    *drawn = false;
    if ((st = np_report_plot_check(image)))
        return st;
    char *stem = np_memory_text(image);
    if (!stem)
        return np_status_last();
    stem[strlen(image) - strlen(".svg")] = '\0';
    if (!(st = np_plot_write(plot, stem)))
        st = np_plot_draw(stem, ending_of(image), plotter, drawn);
    np_memory_free(stem);
    return st;
}
