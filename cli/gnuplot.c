/*
 * Runs gnuplot on the scripts of plots. The program is searched along the
 * PATH, in absolute directories only: with "." in the PATH a file called
 * gnuplot in the present directory would run. The child is started by its
 * absolute path in the caller's directory. A first command makes gnuplot go to
 * the script's directory. The directory's name is a string in single quotes in
 * this command, where only the quote is special. A name with control characters
 * is refused.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/status.h"
#include "command.h"

extern char **environ; /* gnuplot gets it unchanged */

enum { PATH_SIZE = 4096 };

static bool is_program(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode) && access(path, X_OK) == 0;
}

/* Finds the first gnuplot in the PATH. */
static bool find_gnuplot(char program[PATH_SIZE])
{
    const char *path = getenv("PATH");
    for (const char *next; path && *path; path = next) {
        int length = (int)strcspn(path, ":");
        next = path[length] ? path + length + 1 : path + length;
        if (*path == '/' && snprintf(program, PATH_SIZE, "%.*s/gnuplot", length, path) < PATH_SIZE &&
            is_program(program))
            return true;
    }
    return false;
}

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

/*
 * Starts the program without our input and output, and with the signals that we had, except that SIGXFSZ is ignored.
 * Returns an error number, or 0.
 */
static int start(const char *program, char *const arguments[], pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    if (posix_spawn_file_actions_init(&actions))
        return ENOMEM;
    if (posix_spawnattr_init(&attributes)) {
        posix_spawn_file_actions_destroy(&actions);
        return ENOMEM;
    }
    int failed = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0) ||
                         posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0) ||
                         posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) ||
                         posix_spawnattr_setsigmask(&attributes, cli_interrupt_mask()) ||
                         posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK)
                     ? ENOMEM
                     : posix_spawn(child, program, &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

static np_status wait_for(pid_t child, const np_report_script *script)
{
    int state = 0;
    cli_interrupt_child(child);
    while (waitpid(child, &state, 0) < 0)
        if (errno != EINTR)
            return NP_RAISE(NP_ERROR_IO, "cannot wait for gnuplot: %s", strerror(errno));
    cli_interrupt_child(0);
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
    pid_t child;
    np_status st;
    (void)context;
    *ran = false;
    if (!find_gnuplot(program))
        return NP_OK;
    if ((st = write_commands(script, commands)))
        return st;
    snprintf(name, sizeof name, "./%s", script->name); /* ./ because the name may begin with '-' or '<' */
    char *arguments[] = {program, (char *)"-e", commands, name, NULL};
    int failed = start(program, arguments, &child);
    if (failed)
        return NP_RAISE(NP_ERROR_IO, "cannot start %s: %s", program, strerror(failed));
    *ran = true;
    return wait_for(child, script);
}

const np_report_plotter cli_plotter = {.run = run};
