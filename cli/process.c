/* See process.h. */
#define _GNU_SOURCE /* unshare */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"

/* Statuses by which a process says why it has not begun. */
enum { NOT_ALONE = 125, NOT_STARTED = 126 };

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { LIMITS_ADDRESSES = 0 }; /* sanitizers take addresses by the terabyte */
#else
enum { LIMITS_ADDRESSES = 1 };
#endif

static void limit(int resource, uint64_t most)
{
    const struct rlimit limits = {.rlim_cur = most, .rlim_max = most + (resource == RLIMIT_CPU)};
    setrlimit(resource, &limits);
}

static void set_limits(const cli_process *p)
{
    limit(RLIMIT_CPU, p->seconds);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, UINT64_C(1) << 30);
    if (p->memory && LIMITS_ADDRESSES)
        limit(RLIMIT_AS, p->memory);
    alarm(5 * p->seconds + 5);
}

/* Signals as a new program expects them; interrupt.c has set others. */
static void default_signals(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGPIPE, SIGALRM};
    sigset_t none;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static bool redirect(const cli_process *p)
{
    const int null = open("/dev/null", O_RDWR);
    if (null < 0 || dup2(p->input ? fileno(p->input) : null, STDIN_FILENO) < 0)
        return false;
    return !p->command || (dup2(fileno(p->output), STDOUT_FILENO) >= 0 && dup2(null, STDERR_FILENO) >= 0);
}

static void run(const cli_process *p)
{
    default_signals();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    set_limits(p);
    if (p->alone && unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC))
        _exit(NOT_ALONE);
    if (!redirect(p) || (p->folder && chdir(p->folder)))
        _exit(NOT_STARTED);
    if (!p->command) {
        p->work(p->context, p->output);
        _exit(fflush(p->output) != 0);
    }
    for (int file = STDERR_FILENO + 1; file < 1024; file++)
        close(file);
    execvp(p->command[0], (char *const *)p->command);
    _exit(NOT_STARTED);
}

pid_t cli_process_start(const cli_process *process)
{
    fflush(NULL);
    const pid_t started = fork();
    if (!started)
        run(process);
    return started;
}

cli_end cli_process_end(int status)
{
    if (WIFSIGNALED(status))
        return WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGALRM ? CLI_END_TIME : CLI_END_FAILED;
    switch (WEXITSTATUS(status)) {
    case 0:
        return CLI_END_WELL;
    case NOT_ALONE:
        return CLI_END_ALONE;
    case NOT_STARTED:
        return CLI_END_START;
    default:
        return CLI_END_FAILED;
    }
}

char *cli_process_read(FILE *file, size_t *length)
{
    struct stat about;
    *length = 0;
    if (fflush(file) || fstat(fileno(file), &about) || fseek(file, 0, SEEK_SET))
        return NULL;
    char *text = malloc((size_t)about.st_size + 1);
    if (!text)
        return NULL;
    *length = fread(text, 1, (size_t)about.st_size, file);
    text[*length] = '\0';
    return text;
}
