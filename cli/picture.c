/*
 * Pictures of the command: makes PNG of SVG with rsvg-convert, which reads the one and writes the other. Finds the page
 * that plays runs beside the command: ../share/netpram in an installation, ../web/dist in a source tree.
 */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/status.h"
#include "command.h"
#include "program.h"

static const char name[] = "rsvg-convert";

static np_status check(void *context)
{
    char program[CLI_PROGRAM_PATH];
    (void)context;
    if (cli_program_find(name, program))
        return NP_OK;
    return NP_RAISE(NP_ERROR_APPLY,
                    "no %s here, which makes PNG: install librsvg2-bin, or draw into a file that ends in .svg", name);
}

static np_status convert(void *context, int svg, int png)
{
    char program[CLI_PROGRAM_PATH];
    char *arguments[] = {program, (char *)"--format=png", (char *)"--zoom=2", NULL};
    int state = 0;
    np_status st = check(context);
    if (st || !cli_program_find(name, program))
        return st;
    int failed = cli_program_run(program, arguments, svg, png, &state);
    if (failed)
        return NP_RAISE(NP_ERROR_IO, "cannot start %s: %s", program, strerror(failed));
    if (WIFEXITED(state) && !WEXITSTATUS(state))
        return NP_OK;
    return NP_RAISE(NP_ERROR_IO, "%s made no PNG: it %s %d", name,
                    WIFSIGNALED(state) ? "was ended by signal" : "ended with status",
                    WIFSIGNALED(state) ? WTERMSIG(state) : WEXITSTATUS(state));
}

static const char *find_player(void)
{
    static const char *const places[] = {"../share/netpram/player.html", "../web/dist/player.html"};
    static char path[CLI_PROGRAM_PATH];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 64);
    path[length > 0 ? length : 0] = 0;
    char *slash = strrchr(path, '/');
    for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++) {
        memcpy(slash + 1, places[i], strlen(places[i]) + 1);
        if (!access(path, R_OK))
            return path;
    }
    return NULL;
}

bool cli_picture_plays(const np_picture_options *picture)
{
    const char *dot = picture->picture ? strrchr(picture->picture, '.') : NULL;
    return dot && !strcmp(dot, ".html");
}

/* ---- Pictures that stand still ---- */

static np_status set_still(void *object, const np_field *field, const char *text)
{
    const np_picture_options named = {.picture = text};
    bool plays = cli_picture_plays(&named);
    (void)field;
    if (!np_fields_find(&np_picture_options_fields, "picture")->set(object, field, text) && !plays)
        return NP_OK;
    return NP_RAISE(NP_ERROR_INPUT, "cannot draw into '%s': the name must end in .svg or .png%s", text,
                    plays ? "; a page plays packets, and there are none here" : ", as in loads.svg");
}

static const np_field still_rows[] = {
    {"picture", NP_FIELD_TEXT, offsetof(np_picture_options, picture),
     .help = "Draw a picture into FILE: an .svg or a .png", .placeholder = "FILE", .set = set_still,
     .flags = NP_FIELD_SAYS},
};

const np_fields cli_still_fields = NP_FIELDS("picture", "a picture", np_picture_options, still_rows);

/* ---- What pictures need ---- */

static const np_picture_converter converter = {check, convert, NULL};

void cli_picture_init(np_picture_options *picture, np_record_options *record, const char *usual)
{
    picture->usual = usual;
    picture->converter = &converter;
    picture->player = find_player();
    if (record)
        record->picture = picture;
}
