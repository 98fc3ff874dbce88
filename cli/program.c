/*
 * Runs programs. They are searched along the PATH, in absolute directories only: with "." in the PATH a file called
 * gnuplot in the present directory would run.
 */
#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"

extern char **environ; /* the program gets it unchanged */

static bool is_program(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode) && access(path, X_OK) == 0;
}

bool cli_program_find(const char *name, char program[CLI_PROGRAM_PATH])
{
    const char *path = getenv("PATH");
    for (const char *next; path && *path; path = next) {
        int length = (int)strcspn(path, ":");
        next = path[length] ? path + length + 1 : path + length;
        if (*path == '/' && snprintf(program, CLI_PROGRAM_PATH, "%.*s/%s", length, path, name) < CLI_PROGRAM_PATH &&
            is_program(program))
            return true;
    }
    return false;
}

/* Without a descriptor the program reads and writes /dev/null. */
static int set_files(posix_spawn_file_actions_t *actions, int in, int out)
{
    int failed = in < 0 ? posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0)
                        : posix_spawn_file_actions_adddup2(actions, in, 0);
    if (!failed)
        failed = out < 0 ? posix_spawn_file_actions_addopen(actions, 1, "/dev/null", O_WRONLY, 0)
                         : posix_spawn_file_actions_adddup2(actions, out, 1);
    return failed ? failed : posix_spawn_file_actions_addopen(actions, 2, "/dev/null", O_WRONLY, 0);
}

static int start(const char *program, char *const arguments[], int in, int out, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    if (posix_spawn_file_actions_init(&actions))
        return ENOMEM;
    if (posix_spawnattr_init(&attributes)) {
        posix_spawn_file_actions_destroy(&actions);
        return ENOMEM;
    }
    int failed = set_files(&actions, in, out) || posix_spawnattr_setsigmask(&attributes, cli_interrupt_mask()) ||
                         posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK)
                     ? ENOMEM
                     : posix_spawn(child, program, &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

int cli_program_run(const char *program, char *const arguments[], int in, int out, int *state)
{
    pid_t child;
    int failed = start(program, arguments, in, out, &child);
    if (failed)
        return failed;
    cli_interrupt_child(child);
    while (waitpid(child, state, 0) < 0)
        if (errno != EINTR)
            return errno;
    cli_interrupt_child(0);
    return 0;
}
