/*
 * The files of a command line. Files are compared by device and inode, so links and other spellings do not hide one.
 * Inputs are found in the texts of options and subjects (np_file_spec_names).
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_spec.h"
#include "command.h"

/* What a path names: a file that is there, or else a name in a folder. */
typedef struct place {
    dev_t device;
    ino_t file;
    const char *name; /* "": the file is there */
    bool letters;     /* it is a terminal, or another device that gives letters one by one */
} place;

static bool find_folder(const char *path, size_t length, struct stat *about)
{
    char folder[PATH_MAX];
    return snprintf(folder, sizeof folder, "%.*s.", (int)length, path) < (int)sizeof folder && !stat(folder, about);
}

static bool find_place(const char *path, place *out)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    struct stat about;
    bool there = !strcmp(path, "-") ? !fstat(STDOUT_FILENO, &about) : !stat(path, &about);
    if (!there && !find_folder(path, (size_t)(name - path), &about))
        return false;
    *out = (place){about.st_dev, about.st_ino, there ? "" : name, there && S_ISCHR(about.st_mode)};
    return true;
}

static bool same_file(const char *one, const char *other)
{
    place a, b;
    if (!strcmp(one, other))
        return strcmp(one, "/dev/null") != 0;
    return find_place(one, &a) && find_place(other, &b) && !a.letters && a.device == b.device && a.file == b.file &&
           !strcmp(a.name, b.name);
}

/* ---- Outputs ---- */

/* The next option that was given and names a file to write, from option *i on, and the file; NULL: no more. */
static const cli_option *next_output(const cli_common *a, size_t *i, const char **path)
{
    const cli_option *o;
    while ((o = cli_given_next(a, i)))
        if (a->verb->outputs && np_field_listed(a->verb->outputs, o->name)) {
            *path = *(const char *const *)((const char *)a + o->base + o->field->at);
            return o;
        }
    return NULL;
}

enum { FILES_MAX = 3 }; /* that an output writes */

/* File i that the output writes: the path, and beside a plot its script and its data. NULL: there are no more. */
static const char *written(const cli_option *output, const char *path, size_t i, char *room)
{
    static const char *const beside[] = {NULL, "gp", "dat"};
    const char *dot = strrchr(path, '.');
    bool plots = !strcmp(output->name, "plot") || !strcmp(output->name, "regions");
    if (!i)
        return path;
    if (!plots || i >= FILES_MAX || !dot ||
        snprintf(room, PATH_MAX, "%.*s.%s", (int)(dot - path), path, beside[i]) >= PATH_MAX)
        return NULL;
    return room;
}

/* ---- Formats ---- */

/* Does the name end as a format does that is not written there? Then whoever opens the file would be misled. */
static int check_ending(const cli_common *a, const cli_option *output, const char *path)
{
    static const struct {
        const char *options, *verbs, *endings, *form; /* verbs NULL: all */
    } forms[] = {
        {"trace", NULL, "json, jsonl, ndjson", "JSON lines, as in trace.jsonl"},
        {"links, nodes, packets, steps, steps-table", NULL, "csv", "CSV, as in links.csv"},
        {"output", "pram, sort, reconfigure", "csv, npy", "a word a line (.txt, .csv), or an array of NumPy (.npy)"},
        {"output", NULL, "", "lines of words, as in a .txt"},
    };
    const char *ending = np_file_ending(path);
    if (!ending)
        return 0;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (np_field_listed(forms[i].options, output->name) &&
            (!forms[i].verbs || np_field_listed(forms[i].verbs, a->verb->name)))
            return np_field_listed(forms[i].endings, ending)
                       ? 0
                       : cli_fail("--%s %s: what is written is %s", output->name, path, forms[i].form);
    return 0; /* pictures and plots look at their endings themselves */
}

/* Does the output write the file? */
static bool writes(const cli_option *output, const char *path, const char *file)
{
    char room[PATH_MAX];
    const char *one;
    for (size_t i = 0; (one = written(output, path, i, room)); i++)
        if (same_file(one, file))
            return true;
    return false;
}

FILE *cli_report_stream(const void *arguments)
{
    const char *path;
    for (size_t i = 0; next_output(arguments, &i, &path);)
        if (!strcmp(path, "-"))
            return stderr;
    return stdout;
}

/* Does the file hold what is printed? /dev/stdout is opened to add to it. */
static bool is_printed(const cli_common *a, const char *file)
{
    struct stat about, out;
    return strncmp(file, "/dev/", 5) && cli_report_stream(a) == stdout && !stat(file, &about) &&
           !fstat(STDOUT_FILENO, &out) && S_ISREG(out.st_mode) && about.st_dev == out.st_dev &&
           about.st_ino == out.st_ino;
}

/* Two outputs in one file would be one after the other, or only the last. */
static int check_alone(const cli_common *a, const cli_option *output, const char *file)
{
    const cli_option *other;
    const char *path;
    for (size_t i = 0; (other = next_output(a, &i, &path)) && other != output;)
        if (writes(other, path, file))
            return cli_fail("--%s and --%s both write %s: one of the two", other->name, output->name, file);
    if (is_printed(a, file))
        return cli_fail("--%s and the report both write %s: one of the two", output->name, file);
    return 0;
}

/* ---- Inputs ---- */

static const char *text_at(const cli_common *a, size_t at) { return *(const char *const *)((const char *)a + at); }

/* A program's text is told from a name by its path. */
static bool is_path(const cli_subject *subject, const char *text)
{
    size_t length = strlen(text);
    return !subject->list || strchr(text, '/') || (length > 5 && !strcmp(text + length - 5, ".pram"));
}

static bool takes_file(const cli_option *o) { return !strcmp(o->value, "FILE"); }

/* The text of the command line that names the file as an input; NULL: none does. */
static const char *find_input(const cli_common *a, const struct stat *about)
{
    const cli_option *o;
    for (const cli_subject *s = a->verb->subjects; s < a->verb->subjects + CLI_SUBJECTS && s->name; s++) {
        const char *text = s->output ? NULL : text_at(a, s->at);
        if (text && np_file_spec_names(text, is_path(s, text), about))
            return text;
    }
    for (const cli_word *w = a->word; w < a->word + a->words; w++)
        if (np_file_spec_names(w->text, w->option && takes_file(w->option), about))
            return w->text;
    for (size_t i = 0; (o = cli_given_next(a, &i));) {
        bool output = a->verb->outputs && np_field_listed(a->verb->outputs, o->name);
        const char *text =
            o->text || output || o->field->kind != NP_FIELD_TEXT ? NULL : text_at(a, o->base + o->field->at);
        if (text && np_file_spec_names(text, takes_file(o), about))
            return text;
    }
    return NULL;
}

int cli_files_check_output(const cli_common *a, const char *path)
{
    struct stat about;
    bool there = !strcmp(path, "-") ? !fstat(STDOUT_FILENO, &about) : !stat(path, &about);
    const char *input = there && S_ISREG(about.st_mode) ? find_input(a, &about) : NULL;
    if (input)
        return cli_fail("%s would be written over: it is also read, as %s",
                        !strcmp(path, "-") ? "the standard output" : path, input);
    return 0;
}

static int check_output(const cli_common *a, const cli_option *output, const char *path)
{
    char room[PATH_MAX];
    const char *file;
    int status = check_ending(a, output, path);
    for (size_t i = 0; !status && (file = written(output, path, i, room)); i++)
        if (!(status = check_alone(a, output, file)))
            status = cli_files_check_output(a, file);
    return status ? status : cli_output_check(path);
}

static bool is_standard(const char *text)
{
    return text && (!strcmp(text, "-") || !strcmp(text, "file:-") || !strncmp(text, "file:-:", 7));
}

/* The standard input can be read once: refuses a second subject or option that it is. */
static int check_inputs(const cli_common *a)
{
    const cli_option *o;
    const char *first = NULL, *dashes = "";
    for (const cli_subject *s = a->verb->subjects; s < a->verb->subjects + CLI_SUBJECTS && s->name; s++) {
        if (s->output || !is_standard(text_at(a, s->at)))
            continue;
        if (first)
            return cli_fail("the standard input cannot be %s and %s: save one of them", first, s->name);
        first = s->name;
    }
    for (size_t i = 0; (o = cli_given_next(a, &i));) {
        bool output = a->verb->outputs && np_field_listed(a->verb->outputs, o->name);
        if (o->text || output || o->field->kind != NP_FIELD_TEXT || !is_standard(text_at(a, o->base + o->field->at)))
            continue;
        if (first && strcmp(first, o->field->name))
            return cli_fail("the standard input cannot be %s%s and --%s: save one of them", dashes, first, o->name);
        first = o->field->name;
        dashes = "--";
    }
    return 0;
}

/* ---- All ---- */

int cli_files_check(const cli_common *a)
{
    const cli_option *output;
    const char *path;
    int status = check_inputs(a);
    for (size_t i = 0; !status && (output = next_output(a, &i, &path));)
        status = check_output(a, output, path);
    if (!status && cli_report_stream(a) == stdout)
        status = cli_files_check_output(a, "-");
    return status;
}
