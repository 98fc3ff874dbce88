/* Functions that the verbs share. The library computes everything; these functions talk to the terminal. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "netpram/report.h"
#include "netpram/netpram.h"
#include "verb.h"

/* Exit statuses; 0: the verb did its work. */
enum { CLI_CHECK_FAILED = 1, CLI_BAD_INPUT = 2 };

extern const cli_verb cli_list, cli_info, cli_route, cli_experiment, cli_sweep, cli_ranks, cli_schedule, cli_pram,
    cli_sort, cli_embed, cli_collective, cli_reconfigure, cli_universal, cli_check;

/* say.c: one line on stderr, "netpram: ...", whatever the values contain. */

/* Prints the line and returns CLI_BAD_INPUT. */
int cli_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same with the library's last message. */
int cli_fail_last(void);
/* Has a failure been printed? */
bool cli_failed(void);
/* Prints a line that is no failure. */
void cli_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The command line as it was typed, quoted for the shell, with `extra` after its options; malloced, NULL: no memory. */
char *cli_command_line(int argc, char **argv, const char *extra);

/* gnuplot.c: runs the scripts of plots with the first gnuplot in the PATH. */
extern const np_report_plotter cli_plotter;

/* completion.c: prints the script for bash. */
void cli_completion_print(const cli_verb *const *verbs, size_t count);

/* memory.c */

/* The memory that a run may take without --memory: what the system calls available; 0 if unknown. */
uint64_t cli_memory_available(void);

/* interrupt.c: a first Ctrl-C or SIGTERM asks for a clean end; a second kills the program. */

void cli_interrupt_catch(void);
/* Non-zero after a signal has asked for an end. */
int cli_interrupted(void);
/* Ends the program as the signal would have done. Only after cli_interrupted. */
void cli_interrupt_die(void);

#endif
