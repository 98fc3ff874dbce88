/*
 * Names in plots. The lines of the input are the name of the image, the title, the labels of the axes and those of the
 * curves. A name is refused with a line; or the script and the data, without what stands in strings in single quotes
 * and in comments, are those of plain names. No name of a file begins with what gnuplot reads as a command. No gnuplot
 * runs.
 */
#include "fuzz.h"

#include <string.h>

#include "netpram/base.h"
#include "show/picture/plot.h"

const fuzz_rule fuzz_grammar[] = {
    {"plot", "$name.$ending\n$text\n$text\n$text\n$text\n$text"},
    {"ending", "svg|svg|png|gif"},
    {"name", "a|$text|$special$text"},
    {"text", "a|$bytes|$part|$part$text|$part$text"},
    {"part", "$special|x|system('id')|`id`|@a|\\n|%s|; print 1|noenhanced|set output|$number"},
    {"special", "'|''|\\\\|\"|<|~|!|{|}|[|#|\t|-|.|:"},
    {NULL, NULL},
};

enum { CURVES = 2, LINES = 4 + CURVES, TEXT_MOST = 1 << 13 };

static const double x[] = {1, 2}, y[] = {3, 4};

/* Writes the plot of these lines; false: it was refused. */
static bool write_plot(const char *const line[LINES])
{
    np_plot_curve curve[CURVES];
    np_plot plot = {.title = line[1], .x_label = line[2], .y_label = line[3], .curves = CURVES, .curve = curve};
    char image[1024];
    bool drawn;
    for (int i = 0; i < CURVES; i++)
        curve[i] = (np_plot_curve){.label = line[4 + i], .points = 2, .x = x, .y = y};
    snprintf(image, sizeof image, "%s/%s", fuzz_folder(), line[0]);
    np_status st = np_plot_image(&plot, image, NULL, &drawn);
    if (st) {
        FUZZ_CHECK(st == NP_ERROR_INPUT || st == NP_ERROR_IO);
        fuzz_check_message("");
    }
    return !st;
}

/* Reads the file of the plot with another ending, and removes it. */
static void take(const char *name, const char *ending, char text[TEXT_MOST])
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%.*s%s", fuzz_folder(), (int)(strlen(name) - strlen(".svg")), name, ending);
    FILE *file = fopen(path, "rb");
    FUZZ_CHECK(file);
    size_t size = fread(text, 1, TEXT_MOST - 1, file);
    FUZZ_CHECK(size < TEXT_MOST - 1);
    text[size] = '\0';
    FUZZ_CHECK(strlen(text) == size); /* no zero byte */
    fclose(file);
    FUZZ_CHECK(!remove(path));
}

/* The end of the string in single quotes, which is past its last quote. Strings end where they began: in one line. */
static const char *end_of_string(const char *p)
{
    while (*++p != '\'' || *++p == '\'')
        FUZZ_CHECK(*p && *p != '\n');
    return p;
}

/* A comment ends with its line, unless the line ends with a backslash, and gnuplot looks for braces in it. */
static const char *end_of_comment(const char *p)
{
    const char *end = strchr(p, '\n');
    FUZZ_CHECK(end && end[-1] != '\\');
    for (; p < end; p++)
        FUZZ_CHECK((unsigned char)*p >= ' ' && *p != '{' && *p != '}' && *p != '`');
    return end;
}

/* Takes out of a text what strings and comments contain. */
static void make_bare(char *text, bool script)
{
    char *to = text;
    const char *p = text, *word = "data = '", *image = "image = '";
    while (*p) {
        if (script && (!strncmp(p, word, strlen(word)) || !strncmp(p, image, strlen(image))))
            FUZZ_CHECK(!strchr("<|~-", strchr(p, '\'')[1])); /* a name of a file */
        if (script && *p == '\'')
            p = end_of_string(p);
        else if (script && *p == '"')
            p = strchr(p + 1, '"') + 1;
        else if (*p == '#')
            p = script ? end_of_comment(p) : strchr(p, '\n');
        else
            *to++ = *p++;
    }
    *to = '\0';
}

typedef struct bare_files {
    char script[TEXT_MOST], data[TEXT_MOST];
} bare_files;

/* False: the name was refused. */
static bool write_bare(const char *const line[LINES], bare_files *out)
{
    if (!write_plot(line))
        return false;
    take(line[0], ".gp", out->script);
    take(line[0], ".dat", out->data);
    make_bare(out->script, true);
    make_bare(out->data, false);
    return true;
}

static void check(const char *const line[LINES])
{
    static const char *const plain[LINES] = {"a.svg", "a", "a", "a", "a", "a"};
    static bare_files got, want;
    if (!write_bare(line, &got))
        return;
    FUZZ_CHECK(write_bare(plain, &want));
    FUZZ_CHECK(!strcmp(got.script, want.script) && !strcmp(got.data, want.data));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = calloc(size + 1, 1), *rest = text;
    const char *line[LINES];
    FUZZ_CHECK(text);
    if (size)
        memcpy(text, data, size);
    for (int i = 0; i < LINES; i++) {
        line[i] = rest;
        rest += strcspn(rest, i ? "\n" : "\n/"); /* the name is in the folder */
        if (*rest)
            *rest++ = '\0';
    }
    if (size < TEXT_MOST / 8)
        check(line);
    free(text);
    return 0;
}
