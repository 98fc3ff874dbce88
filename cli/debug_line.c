/*
 * Lines of commands: from a terminal with editing, history and completion by libedit, if the command was built with it;
 * else as they come, without a prompt where nobody sees it.
 */
#define _GNU_SOURCE /* getline */
#include "debug.h"

#include <stdlib.h>
#include <string.h>

#ifdef NETPRAM_EDIT
#include <editline/readline.h>
#include <termios.h>
#endif

static char *line; /* the last one */

#ifdef NETPRAM_EDIT

static const debug *completed;  /* whose names can be completed */
static struct termios plain;    /* the terminal as it was */
static char breaks[] = " \t[,"; /* between words that can be completed */

static char *next_command(const char *text, int again)
{
    static size_t at;
    const char *name;
    if (!again)
        at = 0;
    while ((name = debug_command_name(at++)))
        if (!strncmp(name, text, strlen(text)))
            return strdup(name);
    return NULL;
}

static char *next_name(const char *text, int again)
{
    static size_t at;
    if (!again)
        at = 0;
    while (completed->step && at < np_script_names(completed->step)) {
        np_script_name name = np_script_name_get(completed->step, at++);
        if (!strncmp(name.name, text, strlen(text)))
            return strdup(name.name);
    }
    return NULL;
}

static char **complete(const char *text, int start, int end)
{
    (void)end;
    rl_attempted_completion_over = 1; /* files are no arguments */
    return rl_completion_matches(text, start ? next_name : next_command);
}

static const char *edit(debug *d)
{
    completed = d;
    free(line);
    line = readline("(pram) ");
    if (line && *line)
        add_history(line);
    return line;
}

#endif

void debug_line_begin(debug *d)
{
    (void)d;
#ifdef NETPRAM_EDIT
    if (!d->terminal || tcgetattr(STDIN_FILENO, &plain))
        return;
    rl_readline_name = "netpram";
    rl_attempted_completion_function = complete;
    rl_completer_word_break_characters = breaks;
    cli_interrupt_restores(&plain);
#endif
}

void debug_line_end(void)
{
    free(line);
    line = NULL;
}

static const char *read_plain(debug *d)
{
    static size_t room;
    if (!line)
        room = 0;
    if (d->terminal)
        fputs("(pram) ", stdout);
    fflush(stdout);
    if (getline(&line, &room, stdin) < 0)
        return NULL;
    line[strcspn(line, "\r\n")] = '\0';
    return line;
}

const char *debug_line_read(debug *d)
{
    fflush(stdout);
#ifdef NETPRAM_EDIT
    if (d->terminal)
        return edit(d);
#endif
    return read_plain(d);
}
