/*
 * process.c: work in a process of its own, whose output goes to a file that has no name. Linux ends it with the command
 * and when its limits are reached.
 */
#ifndef CLI_PROCESS_H
#define CLI_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

typedef struct cli_process {
    double seconds;             /* of computing; the clock on the wall may show five times as many, and five more */
    uint64_t memory;            /* bytes of addresses; 0: no limit */
    bool alone;                 /* in a user, network and IPC namespace of its own */
    const char *folder;         /* that it works in; NULL: this one */
    FILE *input, *output;       /* NULL input: none. output: open for reading and writing */
    const char *const *command; /* NULL: `work` */
    void (*work)(void *context, FILE *output);
    void *context;
} cli_process;

/* How a process has ended. */
typedef enum cli_end {
    CLI_END_WELL,
    CLI_END_TIME,   /* it took too long */
    CLI_END_FAILED, /* another status than 0, or a signal */
    CLI_END_ALONE,  /* this system gives no namespaces */
    CLI_END_START   /* the command cannot be started */
} cli_end;

/*
 * Starts it, a command as the first of a group of processes. -1: *why is CLI_END_ALONE or CLI_END_START, or
 * CLI_END_FAILED for no process at all, and errno says more.
 */
pid_t cli_process_start(const cli_process *process, cli_end *why);

/* Waits for a command, and ends all of its group that go on, also if the program is interrupted. Returns its status. */
int cli_process_wait(pid_t command);

/* What a status that waitpid gives means. */
cli_end cli_process_end(int status);

/* The file from its beginning: *length bytes, freed with free. NULL: it cannot be read. */
char *cli_process_read(FILE *file, size_t *length);

#endif
