/* See picture.h: options, formats and files of pictures. */
#include "show/picture/picture.h"

#include <errno.h>
#include <string.h>

#include "base/parse.h"

const char *const np_picture_words[] = {"network", "loads",    "queues",    "space-time", "rounds",
                                        "keys",    "accesses", "embedding", "layout",     NULL};

/* ---- Formats ---- */

static np_status check_png(const np_picture_options *o)
{
    if (!o->converter)
        return NP_RAISE(NP_ERROR_APPLY, "%s: nobody is here who makes PNG: write an .svg", o->picture);
    return o->converter->check ? o->converter->check(o->converter->context) : NP_OK;
}

static np_status convert_png(const np_picture_options *o, FILE *svg, FILE *file)
{
    return o->converter->convert(o->converter->context, fileno(svg), fileno(file));
}

static const char MARK[] = "<!--TRACE-->"; /* in the page: here its trace comes */

static np_status check_player(const np_picture_options *o)
{
    return o->player ? NP_OK
                     : NP_RAISE(NP_ERROR_APPLY,
                                "%s: the page that plays runs is not installed (make web makes it): write an .svg",
                                o->picture);
}

/* A '<' in a text of JSON is written as \u003c, so that nothing in it ends the script that it is in. */
static void put_inside(FILE *from, FILE *to)
{
    for (int c; (c = getc(from)) != EOF;)
        if (c == '<')
            fputs("\\u003c", to);
        else
            putc(c, to);
}

/* Copies what is before the mark, or all. Returns whether the mark was found. */
static bool copy_to_mark(FILE *from, FILE *to)
{
    size_t met = 0;
    for (int c; (c = getc(from)) != EOF;) {
        if (c == MARK[met]) {
            if (++met == sizeof MARK - 1)
                return true;
            continue;
        }
        fwrite(MARK, 1, met, to);
        met = c == MARK[0];
        if (!met)
            putc(c, to);
    }
    fwrite(MARK, 1, met, to);
    return false;
}

static np_status convert_player(const np_picture_options *o, FILE *trace, FILE *file)
{
    FILE *page = fopen(o->player, "re");
    if (!page)
        return NP_RAISE(NP_ERROR_IO, "cannot read %s, the page that plays runs: %s", o->player, strerror(errno));
    bool found = copy_to_mark(page, file);
    if (found) {
        fputs("<script type=\"application/json\" id=\"trace\">", file);
        put_inside(trace, file);
        fputs("</script>", file);
        (void)copy_to_mark(page, file);
    }
    fclose(page);
    return found ? NP_OK
                 : NP_RAISE(NP_ERROR_INPUT, "%s is not the page that plays runs: it has no %s", o->player, MARK);
}

static const np_picture_format formats[] = {{".svg", NULL, NULL, NULL},
                                            {".png", NULL, check_png, convert_png},
                                            {".html", &np_picture_player, check_player, convert_player}};

/* By the ending of the file's name; NULL, with a message: no format has it. */
static const np_picture_format *picture_format_of(const char *file)
{
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file, *dot = strrchr(name, '.');
    if (!strcmp(file, "-"))
        return &formats[0];
    for (size_t i = 0; dot && dot != name && i < sizeof formats / sizeof *formats; i++)
        if (!strcmp(dot, formats[i].ending))
            return &formats[i];
    NP_RAISE(NP_ERROR_INPUT, "cannot draw into '%s': the name must end in .svg, .png or .html, as in loads.svg", file);
    return NULL;
}

/* ---- Options ---- */

static np_status set_picture(void *object, const np_field *field, const char *text)
{
    (void)field;
    ((np_picture_options *)object)->picture = text;
    return picture_format_of(text) ? NP_OK : NP_ERROR_INPUT;
}

static np_status set_kind(void *object, const np_field *field, const char *text)
{
    size_t count = 0;
    for (; np_picture_words[count]; count++)
        if (!strcmp(text, np_picture_words[count])) {
            ((np_picture_options *)object)->picture_of = np_picture_words[count];
            return NP_OK;
        }
    (void)field;
    return NP_RAISE(NP_ERROR_INPUT, "no picture '%s': %s", text, np_parse_hint_of(text, np_picture_words, count).text);
}

#define AT(member) offsetof(np_picture_options, member)

static const np_field rows[] = {
    {"picture", NP_FIELD_TEXT, AT(picture), .help = "Draw a picture into FILE: an .svg, a .png, or an .html that plays",
     .placeholder = "FILE", .set = set_picture, .flags = NP_FIELD_SAYS},
    {"picture_of", NP_FIELD_TEXT, AT(picture_of), .help = "What to draw (default: as suits the command)",
     .placeholder = "loads|queues|space-time|rounds", .words = np_picture_words, .set = set_kind,
     .flags = NP_FIELD_SAYS},
    {"drawing", NP_FIELD_TEXT, AT(drawing), .help = "Where the nodes are drawn (default: as suits the network)",
     .list = "drawings", .placeholder = "NAME"},
};

const np_fields np_picture_options_fields = NP_OPTIONS("picture_options", "a picture", np_picture_options, rows, NULL);

/* ---- Kinds ---- */

static const np_picture_kind *const kinds[] = {&np_picture_loads,  &np_picture_queues,   &np_picture_space_time,
                                               &np_picture_rounds, &np_picture_accesses, &np_picture_keys};

enum { KINDS = sizeof kinds / sizeof *kinds };

np_status np_picture_check(const np_picture_options *o)
{
    const char *given = o->picture_of ? "picture_of" : "drawing";
    if (o->picture || (!o->picture_of && !o->drawing))
        return NP_OK;
    return NP_RAISE(NP_ERROR_INPUT, "%s: says how to draw a picture: name its file with picture, too", given);
}

/* The usual picture first, then the pictures of any run. */
static void list(const char *usual, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s", usual);
    for (size_t i = 0; i < KINDS && used < size; i++)
        if (!kinds[i]->special && strcmp(kinds[i]->name, usual))
            used += (size_t)snprintf(text + used, size - used, ", %s", kinds[i]->name);
}

static bool is_of_result(const char *name) { return !strcmp(name, "embedding") || !strcmp(name, "layout"); }

np_status np_picture_find(const np_picture_options *o, const np_picture_kind **out)
{
    const char *usual = o->usual ? o->usual : "loads", *name = o->picture_of ? o->picture_of : usual;
    char have[160];
    const np_picture_format *format = o->picture ? picture_format_of(o->picture) : NULL;
    *out = NULL;
    if (format && format->kind && o->picture_of)
        return NP_RAISE(NP_ERROR_INPUT, "picture_of %s: %s plays the run: name an .svg or a .png", o->picture_of,
                        o->picture);
    if (format && format->kind) {
        *out = format->kind;
        return NP_OK;
    }
    if (!strcmp(name, usual) && is_of_result(name))
        return NP_OK;
    for (size_t i = 0; i < KINDS; i++)
        if (!strcmp(kinds[i]->name, name) && (!kinds[i]->special || !strcmp(name, usual))) {
            *out = kinds[i];
            return NP_OK;
        }
    list(usual, have, sizeof have);
    return NP_RAISE(NP_ERROR_APPLY, "picture_of %s: this command does not draw it; it draws %s", name, have);
}

np_status np_picture_asked(const np_picture_options *o, const char *name, bool *asked)
{
    const np_picture_kind *kind;
    np_picture_options usual = *o;
    np_status st = np_picture_check(o);
    *asked = false;
    if (st || !o->picture || (picture_format_of(o->picture) && picture_format_of(o->picture)->kind))
        return st;
    usual.usual = name;
    if (!o->usual || !strcmp(o->usual, name))
        st = np_picture_find(&usual, &kind);
    *asked = !st && (!o->picture_of || !strcmp(o->picture_of, name));
    return st;
}

/* ---- Files ---- */

np_status np_picture_open(const np_picture_options *options, const np_picture_kind *kind, np_picture_file *file)
{
    np_status st;
    *file = (np_picture_file){.options = options, .format = picture_format_of(options->picture)};
    if (!file->format)
        return NP_ERROR_INPUT;
    if (file->format->kind && file->format->kind != kind)
        return NP_RAISE(NP_ERROR_APPLY, "%s: a page plays packets, and there are none here: write an .svg",
                        options->picture);
    if (file->format->check && (st = file->format->check(options)))
        return st;
    if ((st = np_output_open(options->picture, &file->output)))
        return st;
    file->svg = file->format->convert ? tmpfile() : np_output_stream(file->output);
    if (file->svg)
        return NP_OK;
    np_picture_discard(file);
    return NP_RAISE(NP_ERROR_IO, "cannot make a temporary file for %s", options->picture);
}

static void close_svg(np_picture_file *file)
{
    if (file->format->convert && file->svg)
        fclose(file->svg);
    file->svg = NULL;
}

static np_status convert(np_picture_file *file)
{
    np_status st = np_output_check(file->svg, "a temporary file");
    if (!st && fseek(file->svg, 0, SEEK_SET))
        st = NP_RAISE(NP_ERROR_IO, "cannot read the temporary file for %s", file->options->picture);
    return st ? st : file->format->convert(file->options, file->svg, np_output_stream(file->output));
}

np_status np_picture_commit(np_picture_file *file)
{
    np_status st = file->format->convert ? convert(file) : NP_OK;
    if (st) {
        np_picture_discard(file);
        return st;
    }
    close_svg(file);
    st = np_output_commit(file->output);
    file->output = NULL;
    return st;
}

void np_picture_discard(np_picture_file *file)
{
    if (file->output) {
        close_svg(file);
        np_output_discard(file->output);
    }
    file->output = NULL;
}

np_status np_picture_end(np_picture_file *file, np_status st)
{
    if (!st)
        return np_picture_commit(file);
    np_picture_discard(file);
    return st;
}
