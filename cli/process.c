/* See process.h. */
#define _GNU_SOURCE /* unshare, pipe2 */
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

/* What a process that could not begin says to the one that made it. */
typedef struct refusal {
    cli_end why;
    int error; /* errno */
} refusal;

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

static void refuse(int reasons, cli_end why)
{
    const refusal said = {why, errno};
    _exit(write(reasons, &said, sizeof said) < 0);
}

/* `reasons` closes as the work or the command begins: who reads it knows then that nothing was in the way. */
static void run(const cli_process *p, int reasons)
{
    default_signals();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    set_limits(p);
    if (p->command)
        setpgid(0, 0);
    if (p->alone && unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC))
        refuse(reasons, CLI_END_ALONE);
    if (!redirect(p) || (p->folder && chdir(p->folder)))
        refuse(reasons, CLI_END_START);
    if (!p->command) {
        close(reasons);
        p->work(p->context, p->output);
        _exit(fflush(p->output) != 0);
    }
    for (int file = STDERR_FILENO + 1; file < 1024; file++)
        if (file != reasons)
            close(file);
    execvp(p->command[0], (char *const *)p->command);
    refuse(reasons, CLI_END_START);
}

/* Has it begun? If not, it is waited for. */
static pid_t begun(pid_t started, int reasons, cli_end *why)
{
    refusal said;
    ssize_t length;
    while ((length = read(reasons, &said, sizeof said)) < 0 && errno == EINTR)
        ;
    if (length != (ssize_t)sizeof said)
        return started;
    while (waitpid(started, NULL, 0) < 0 && errno == EINTR)
        ;
    *why = said.why;
    errno = said.error;
    return -1;
}

pid_t cli_process_start(const cli_process *process, cli_end *why)
{
    int reasons[2];
    *why = CLI_END_FAILED;
    fflush(NULL);
    if (pipe2(reasons, O_CLOEXEC))
        return -1;
    pid_t started = fork();
    if (!started)
        run(process, reasons[1]);
    int error = errno;
    close(reasons[1]);
    if (started > 0) {
        started = begun(started, reasons[0], why);
        error = errno;
    }
    close(reasons[0]);
    errno = error;
    return started;
}

int cli_process_wait(pid_t command)
{
    siginfo_t about;
    int state = 0;
    cli_interrupt_child(-command);
    while (waitid(P_PID, (id_t)command, &about, WEXITED | WNOWAIT) < 0 && errno == EINTR)
        ;
    kill(-command, SIGKILL); /* the number is still taken: it is the right group */
    cli_interrupt_child(0);
    while (waitpid(command, &state, 0) < 0 && errno == EINTR)
        ;
    return state;
}

cli_end cli_process_end(int status)
{
    if (WIFSIGNALED(status))
        return WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGALRM ? CLI_END_TIME : CLI_END_FAILED;
    return WEXITSTATUS(status) ? CLI_END_FAILED : CLI_END_WELL;
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
