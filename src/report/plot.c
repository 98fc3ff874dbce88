/*
 * The script takes two variables, `image` (the file to write) and `ending`,
 * and sets them itself where they are not given: `gnuplot NAME.gp` by hand
 * writes NAME.svg. We give a temporary name, check that the image is whole by
 * its last bytes, and rename it. The script names its data without a
 * directory, so gnuplot runs in the directory of the script: the three files
 * can be moved together.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* posix_spawn_file_actions_addchdir_np */
#endif
#include "report/plot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "netpram/output.h"

extern char **environ; /* handed on to gnuplot as it is */

enum { NO_SUCH_COMMAND = 127, COLOURS = 8 };

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

/* One block a curve, two blank lines apart: `index i` of gnuplot. */
static void write_data(const np_plot *plot, FILE *stream)
{
    for (size_t i = 0; i < plot->curves; i++) {
        const np_plot_curve *curve = &plot->curve[i];
        fprintf(stream, "%s# ", i ? "\n\n" : "");
        quote(curve->label, stream);
        fputs(curve->error ? "\n# x y error\n" : curve->x_end ? "\n# x y x_end y_end\n" : "\n# x y\n", stream);
        for (size_t j = 0; j < curve->points; j++) {
            fprintf(stream, "%.15g %.15g", curve->x[j], curve->y[j]);
            if (curve->error)
                fprintf(stream, " %.15g", curve->error[j]);
            if (curve->x_end)
                fprintf(stream, " %.15g %.15g", curve->x_end[j], curve->y_end[j]);
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
 * Curves past the eighth take the colours again, with broken lines and hollow
 * points, and past the sixteenth with dots: so a file that names two families
 * of schemes eight curves apart shows them as pairs. The colours are those of
 * Okabe and Ito, which colour-blind people can tell apart, with a grey for
 * their yellow.
 */
static void write_style(size_t i, bool bars, FILE *stream)
{
    static const char *const colour[COLOURS] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                "#e69f00", "#56b4e9", "#707070", "#000000"};
    static const int point[3][COLOURS] = {
        {5, 7, 9, 11, 13, 15, 5, 7}, {4, 6, 8, 10, 12, 14, 4, 6}, {1, 2, 3, 1, 2, 3, 1, 2}};
    static const char *const dash[3] = {"1", "'-'", "'.'"};
    size_t round = i / COLOURS % 3;
    fprintf(stream, "linecolor rgb '%s' ", colour[i % COLOURS]);
    if (!bars)
        fprintf(stream, "dashtype %s linewidth 1.5 pointtype %d ", dash[round], point[round][i % COLOURS]);
}

/* Boxes with two corners; a point over them is black. */
static void write_form(const np_plot *plot, size_t i, FILE *stream)
{
    if (plot->curve[i].x_end) {
        fputs("1:2:1:3:2:4 with boxxyerror fillstyle solid 0.6 noborder ", stream);
        write_style(i, true, stream);
    } else if (plot->curve[0].x_end) {
        fputs("1:2 with points linecolor rgb '#000000' pointtype 7 pointsize 1.5 ", stream);
    } else {
        fprintf(stream, "1:2 with %s ", plot->bars ? "boxes" : "linespoints");
        write_style(i, plot->bars, stream);
    }
}

static void write_curves(const np_plot *plot, const char *name, FILE *stream)
{
    fputs("data = ", stream);
    quote(name, stream);
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

static void write_script(const np_plot *plot, const char *name, FILE *stream)
{
    fprintf(stream, "# gnuplot %s.gp writes %s.svg; gnuplot -e \"ending='png'\" %s.gp writes %s.png\n", name, name,
            name, name);
    fputs("if (!exists(\"ending\")) ending = 'svg'\nif (!exists(\"image\")) image = ", stream);
    quote(name, stream);
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
        fprintf(stream, "set yrange [%.15g:*]\n", plot->y_min);
}

typedef void (*writer)(const np_plot *plot, const char *name, FILE *stream);

static void script(const np_plot *plot, const char *name, FILE *stream)
{
    char data[300];
    snprintf(data, sizeof data, "%.255s.dat", name);
    write_script(plot, name, stream);
    write_curves(plot, data, stream);
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
        return NP_ERROR_MEMORY;
    if (!(st = np_output_open(path, &output))) {
        write_it(plot, base_name(stem), np_output_stream(output));
        st = np_output_commit(output);
    }
    np_memory_free(path);
    return st;
}

np_status np_plot_write(const np_plot *plot, const char *stem)
{
    np_status st = write_file(plot, stem, ".dat", data);
    return st ? st : write_file(plot, stem, ".gp", script);
}

/* Runs gnuplot in `directory`; *code receives its exit status, 127 if there is none. */
static np_status run(const char *directory, const char *variables, const char *script_name, int *code)
{
    char *arguments[] = {(char *)"gnuplot", (char *)"-e", (char *)variables, (char *)script_name, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int state = 0;
    *code = NO_SUCH_COMMAND;
    if (posix_spawn_file_actions_init(&actions))
        return NP_RAISE(NP_ERROR_MEMORY, "no memory to start gnuplot");
    int failed = posix_spawn_file_actions_addchdir_np(&actions, directory) ||
                 posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0) ||
                 posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0) ||
                 posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    if (!failed)
        failed = posix_spawnp(&child, "gnuplot", &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed == ENOENT || failed == EACCES)
        return NP_OK;
    if (failed)
        return NP_RAISE(NP_ERROR_IO, "cannot start gnuplot: %s", strerror(failed));
    while (waitpid(child, &state, 0) < 0)
        if (errno != EINTR)
            return NP_RAISE(NP_ERROR_IO, "cannot wait for gnuplot: %s", strerror(errno));
    *code = WIFEXITED(state) ? WEXITSTATUS(state) : -1;
    return NP_OK;
}

/* SVG ends in </svg>, PNG in its IEND chunk: what a full disk cuts off. */
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

/* Everything in `directory`: NAME.gp makes `temporary`, which becomes NAME.ending. */
static np_status draw_in(const char *directory, const char *stem, const char *ending, const char *temporary,
                         const char *image, bool *drawn)
{
    char variables[128], script_name[300];
    int code;
    snprintf(variables, sizeof variables, "ending='%s'; image='%.64s'", ending, base_name(temporary));
    snprintf(script_name, sizeof script_name, "./%.255s.gp", base_name(stem)); /* ./: it may begin with a '-' */
    np_status st = run(directory, variables, script_name, &code);
    *drawn = !st && code != NO_SUCH_COMMAND;
    if (st || !*drawn)
        return st;
    if (code || !is_whole(temporary, ending))
        st = NP_RAISE(NP_ERROR_IO, "gnuplot could not draw %s from %s.gp", image, stem);
    else if (rename(temporary, image))
        st = NP_RAISE(NP_ERROR_IO, "cannot write %s: %s", image, strerror(errno));
    if (st)
        unlink(temporary);
    return st;
}

np_status np_plot_draw(const char *stem, const char *ending, bool *drawn)
{
    char suffix[64];
    np_status st = NP_ERROR_MEMORY;
    char *directory = np_memory_text(stem);
    *drawn = false;
    if (!directory)
        return st;
    directory[base_name(stem) - stem] = '\0';                                   /* "" or ends in '/' */
    snprintf(suffix, sizeof suffix, ".netpram-%ld.%s", (long)getpid(), ending); /* nothing to quote in it */
    char *temporary = join(directory, suffix);
    snprintf(suffix, sizeof suffix, ".%s", ending);
    char *image = join(stem, suffix);
    if (temporary && image)
        st = draw_in(*directory ? directory : ".", stem, ending, temporary, image, drawn);
    np_memory_free(temporary);
    np_memory_free(directory);
    np_memory_free(image);
    return st;
}
