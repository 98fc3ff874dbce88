/* What the verbs share. All that a verb computes is a call of the library; here is the talk with the terminal. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <argp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "netpram/netpram.h"
#include "verb.h"

/* Exit statuses; 0 is done. */
enum { CLI_CHECK_FAILED = 1, CLI_BAD_INPUT = 2 };

int cli_list(int argc, char **argv);
int cli_info(int argc, char **argv);
int cli_experiment(int argc, char **argv);
int cli_check(int argc, char **argv);
int cli_ranks(int argc, char **argv);
int cli_schedule(int argc, char **argv);
int cli_reconfigure(int argc, char **argv);

extern const cli_verb cli_sort;
extern const cli_verb cli_pram;
extern const cli_verb cli_route;
extern const cli_verb cli_embed;
extern const cli_verb cli_universal;
extern const cli_verb cli_collective;

/* say.c: one line on stderr, "netpram: ...", whatever the values contain. */

/* Prints the line, returns CLI_BAD_INPUT. */
int cli_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same with the library's last message. */
int cli_fail_last(void);
/* Has a failure been told? */
bool cli_failed(void);
/* Prints a line that is no failure. */
void cli_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The line of what was typed, quoted for the shell, with `extra` at its end; malloced, NULL: no memory. */
char *cli_command_line(int argc, char **argv, const char *extra);

/* arguments.c: reading the command line. */

/*
 * argp_parse, after a look at the option names, so that a mistake is answered
 * with one line that names the nearest option. A parser that finds a value
 * wrong calls cli_fail and returns EINVAL. Returns 0 or CLI_BAD_INPUT.
 */
int cli_arguments(const struct argp *argp, int argc, char **argv, void *input);
/*
 * The same for a verb that draws. Returns the command line that repeats the run, which the caller frees: with --seed 1 at its
 * end if, after the reading, *seed_given is false. *status is what cli_arguments returned.
 */
char *cli_begin(const struct argp *argp, int argc, char **argv, void *input, const bool *seed_given, int *status);
/* A whole number in low..high, else a line is printed and EINVAL returned: fit for an argp parser. */
error_t cli_number(const char *option, const char *text, uint64_t low, uint64_t high, uint64_t *out);
/* *subject = text if it is the first that a verb is about, such as a "network"; likewise. */
error_t cli_old_subject(const char *what, const char *text, const char **subject);
/* Bytes: "65536", "512M", "4G" (powers of 1024). */
error_t cli_bytes(const char *option, const char *text, uint64_t *out);
/* table, json or csv. */
error_t cli_format(const char *text, np_report_format *out);
/* The memory that a run may take unless --memory says otherwise: what the system calls available; 0 if unknown. */
uint64_t cli_memory_available(void);

/* interrupt.c: a first Ctrl-C or SIGTERM asks for a clean end, a second kills. */

void cli_interrupt_catch(void);
/* Non-zero once asked to end. */
int cli_interrupted(void);
/* Ends as the signal would have. Only after cli_interrupted. */
void cli_interrupt_die(void);

#endif
