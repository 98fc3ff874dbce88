/*
 * The debugger of the command (cli/debug*.c) on the page. Its lines are those of a session, which the page gives at
 * once: the program is deterministic, so that a session that is longer by a line begins as the last one did. What it
 * prints goes into a file in memory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <emscripten.h>

#include "cli/debug.h"
#include "page.h"

static const char *const SESSION = "/session"; /* what was printed */

static struct {
    char *next;      /* line of the session; NULL: there is none */
    long spoken;     /* bytes that were printed before the last line was read */
    uint64_t step;   /* where it stood after all lines */
    bool ended, ran; /* the program was at its end; it has stopped at all */
} session;

/* ---- What the debugger needs of the command ---- */

void debug_line_begin(debug *d) { (void)d; }

void debug_line_end(void) {}

const char *debug_line_read(debug *d)
{
    char *line = session.next;
    fflush(stdout);
    session.ran = true;
    session.step = d->step->step;
    session.ended = d->ended;
    if (!line)
        return NULL;
    session.spoken = ftell(stdout);
    if ((session.next = strchr(line, '\n')))
        *session.next++ = '\0';
    return line;
}

int cli_fail_last(void) { return CLI_BAD_INPUT; }

int cli_fail(const char *format, ...)
{
    (void)format;
    return CLI_BAD_INPUT;
}

/* ---- Sessions ---- */

/* What was printed from byte `from` on; malloced. */
static char *read_printed(long from)
{
    FILE *file = fopen(SESSION, "r");
    char *words = NULL;
    size_t room = 0;
    if (file && !fseek(file, from, SEEK_SET) && getdelim(&words, &room, '\0', file) < 0)
        words[0] = '\0';
    if (file)
        fclose(file);
    return words;
}

/**
 * A session: lines of commands. {"text": what the last one printed, "step": where the program stands then, "ended": is
 * that its end}.
 */
EMSCRIPTEN_KEEPALIVE const char *page_debug(const char *source, const char *options, const char *inputs,
                                            const char *lines)
{
    np_script *script = NULL;
    np_pram_options pram;
    np_script_options of_script;
    char *settings = strdup(options), *given = strdup(inputs), *commands = strdup(lines), *words = NULL;
    memset(&session, 0, sizeof session);
    session.next = commands;
    page_begin();
    np_status st = np_script_create("text", source, strlen(source), NULL, &script);
    if (!st)
        st = page_pram_options(script, settings, &pram, &of_script);
    if (!st)
        st = page_inputs(script, given, &of_script);
    if (!st && !freopen(SESSION, "w", stdout))
        st = np_status_raise(NP_ERROR_IO, "what the debugger prints cannot be kept");
    if (!st) {
        cli_debug(script, &pram, &of_script);
        words = read_printed(session.spoken);
        st = session.ran && words ? NP_OK : NP_ERROR_INPUT;
    }
    page_say("{\"step\": %llu, \"ended\": %s, \"text\": ", (unsigned long long)session.step,
             session.ended ? "true" : "false");
    page_say_text(words);
    page_say("}");
    np_script_free(script);
    free(words);
    free(commands);
    free(given);
    free(settings);
    return st ? page_fail() : page_text();
}
