/*
 * Runs gnuplot on the scripts of plots, in the caller's directory. A first command makes gnuplot go to
 * the script's directory. The directory's name is a string in single quotes in
 * this command, where only the quote is special. A name with control characters
 * is refused.
 */
#include <string.h>
#include <sys/wait.h>

#include "base/status.h"
#include "command.h"
#include "program.h"

enum { PATH_SIZE = CLI_PROGRAM_PATH };

/* Writes "cd 'DIRECTORY'; ending='svg'; image='...'", the commands that gnuplot runs before the script. */
static np_status write_commands(const np_report_script *script, char commands[PATH_SIZE])
{
    const char *directory = *script->directory ? script->directory : "./";
    size_t length = (size_t)snprintf(commands, PATH_SIZE, "cd '%s", strchr("/.", *directory) ? "" : "./");
    for (const char *at = directory; *at && length < PATH_SIZE - 2; at++) {
        if ((unsigned char)*at < ' ' || *at == 127)
            return NP_RAISE(NP_ERROR_INPUT, "cannot draw in %s: its name has control characters", directory);
        if (*at == '\'')
            commands[length++] = '\'';
        commands[length++] = *at;
    }
    commands[length] = '\0';
    length += (size_t)snprintf(commands + length, PATH_SIZE - length, "'; ending='%s'; image='%s'", script->ending,
                               script->image);
    return length < PATH_SIZE ? NP_OK : NP_RAISE(NP_ERROR_IO, "cannot draw in %s: its name is too long", directory);
}

static np_status judge(int state, const np_report_script *script)
{
    if (WIFEXITED(state) && !WEXITSTATUS(state))
        return NP_OK;
    return NP_RAISE(NP_ERROR_IO, "gnuplot could not draw %s%s: it %s %d (type '%s%s%sgnuplot %s' to see why)",
                    script->directory, script->name, WIFSIGNALED(state) ? "was ended by signal" : "ended with status",
                    WIFSIGNALED(state) ? WTERMSIG(state) : WEXITSTATUS(state), *script->directory ? "cd " : "",
                    script->directory, *script->directory ? " && " : "", script->name);
}

static np_status run(void *context, const np_report_script *script, bool *ran)
{
    char program[PATH_SIZE], commands[PATH_SIZE], name[PATH_SIZE];
    int state = 0;
    np_status st;
    (void)context;
    *ran = false;
    if (!cli_program_find("gnuplot", program))
        return NP_OK;
    if ((st = write_commands(script, commands)))
        return st;
    snprintf(name, sizeof name, "./%s", script->name); /* ./ because the name may begin with '-' or '<' */
    char *arguments[] = {program, (char *)"-e", commands, name, NULL};
    int failed = cli_program_run(program, arguments, -1, -1, &state);
    if (failed)
        return NP_RAISE(NP_ERROR_IO, "cannot start %s: %s", program, strerror(failed));
    *ran = true;
    return judge(state, script);
}

const np_report_plotter cli_plotter = {.run = run};

np_status cli_plot_set(void *object, const np_field *field, const char *text)
{
    *(const char **)((char *)object + field->at) = text;
    return np_report_plot_check(text);
}

void cli_plotter_tell(const char *image, bool drawn, bool quiet)
{
    int stem = (int)strlen(image) - 4; /* .svg, .png */
    if (!drawn)
        cli_say("gnuplot is not installed, so %s is not drawn; its script and data are %.*s.gp and .dat", image, stem,
                image);
    else if (!quiet)
        cli_say("wrote %s; to restyle it: %.*s.gp and .dat", image, stem, image);
}
