/*
 * SIGINT (Ctrl-C), SIGTERM, SIGHUP and SIGXCPU ask for an end. A thread of its own waits for them: no code is
 * interrupted in the middle, and the thread may do what a handler may not. Work that looks at cli_interrupted() gets a
 * grace to end by itself. Other work is ended at once. Then the temporary files are removed, a line says what is kept,
 * and the program ends by the signal, so that a shell sees status 130 or 143 and stops its own loops.
 *
 * SIGPIPE comes to the thread that writes to a pipe without a reader. Its handler hands the signal to the thread above
 * and does not return. That thread removes the temporary files and ends the program by the signal, at once and
 * without a line: `netpram ... | head` is no failure. Once an end has begun SIGPIPE is ignored, because the line may go
 * to a pipe without a reader (Ctrl-C in `netpram ... 2>&1 | tee log`), and nobody would take the signal.
 *
 * SIGXFSZ is ignored: a write beyond the limit of a file's size fails then and is reported as any other one.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "base/temporary.h"
#include "command.h"

/* Ours: the program ends within a second of the signal. */
static const struct timespec grace = {.tv_nsec = 600000000};

static pthread_t waiter;
static sigset_t waited;   /* for these signals */
static sigset_t original; /* the mask at the start of the program */
static atomic_int caught, child;
static atomic_bool looks, ending;
static _Atomic(const char *) kept = "nothing is kept";

static _Atomic(const struct termios *) terminal; /* as it is to be left; NULL: nobody changes it */

void cli_interrupt_restores(const struct termios *as) { terminal = as; }

static void say_end(void)
{
    if (terminal)
        tcsetattr(STDIN_FILENO, TCSANOW, terminal);
    if (isatty(STDERR_FILENO))
        dprintf(STDERR_FILENO, "\r\033[K"); /* wipes the progress */
    cli_say("interrupted: %s", kept);
}

static void end_by(int number)
{
    if (atomic_exchange(&ending, true))
        for (;;)
            pause(); /* the other thread ends the program */
    signal(SIGPIPE, SIG_IGN);
    if (child)
        kill(child, child < 0 ? SIGKILL : SIGTERM);
    np_temporary_remove_all();
    if (number != SIGPIPE)
        say_end();
    signal(number, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &waited, NULL);
    raise(number);
    _exit(128 + number); /* not reached: by default these signals end the program */
}

static void *wait_for_signals(void *nothing)
{
    int number;
    if (sigwait(&waited, &number))
        return nothing;
    caught = number;
    if (looks && number != SIGPIPE)
        sigtimedwait(&waited, NULL, &grace); /* a second signal ends the grace */
    end_by(number);
    return nothing;
}

static void hand_over(int number)
{
    pthread_kill(waiter, number);
    for (;;)
        pause();
}

/* Unblocks SIGPIPE, if it was not ignored, in this thread and in those that it will make. */
static void handle_pipe(void)
{
    struct sigaction action = {.sa_handler = hand_over};
    sigset_t pipe;
    if (!sigismember(&waited, SIGPIPE))
        return;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    sigaction(SIGPIPE, &action, NULL);
    pthread_sigmask(SIG_UNBLOCK, &pipe, NULL);
}

void cli_interrupt_start(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGPIPE};
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGCHLD, SIG_DFL); /* if it was ignored, nobody could wait for gnuplot */
    sigemptyset(&waited);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction action;
        if (!sigaction(numbers[i], NULL, &action) && action.sa_handler != SIG_IGN)
            sigaddset(&waited, numbers[i]);
    }
    pthread_sigmask(SIG_BLOCK, &waited, &original);
    if (pthread_create(&waiter, NULL, wait_for_signals, NULL)) {
        pthread_sigmask(SIG_SETMASK, &original, NULL); /* no thread: signals end the program by default */
        return;
    }
    pthread_detach(waiter);
    handle_pipe();
}

void cli_interrupt_looks(void) { looks = true; }

int cli_interrupted(void) { return caught; }

void cli_interrupt_keeps(const char *format, ...)
{
    static char lines[2][512]; /* one is in use while the other is written */
    char *line = lines[kept == lines[0]];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof lines[0], format, arguments);
    va_end(arguments);
    kept = line;
}

void cli_interrupt_child(pid_t process) { child = process; }

const sigset_t *cli_interrupt_mask(void) { return &original; }

void cli_interrupt_die(void) { end_by(caught); }
