/* Functions that the verbs share. The library computes everything; these functions talk to the terminal. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "netpram/report.h"
#include "netpram/netpram.h"
#include "verb.h"

/* Exit statuses; 0: the verb did its work. */
enum { CLI_CHECK_FAILED = 1, CLI_BAD_INPUT = 2 };

extern const cli_verb cli_list, cli_info, cli_convert, cli_route, cli_experiment, cli_sweep, cli_pram, cli_sort,
    cli_collective, cli_replay, cli_check, cli_defeat, cli_throughput, cli_verify, cli_flows, cli_load, cli_compare,
    cli_grade;
/* Of the annex: their files are built only with it. */
extern const cli_verb cli_ranks, cli_schedule, cli_embed, cli_reconfigure, cli_universal;

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

/* output.c */

/* Refuses a file that cannot be written, before the work. Returns an exit status. */
int cli_output_check(const char *path);

/* gnuplot.c: runs the scripts of plots with the first gnuplot in the PATH. */
extern const np_report_plotter cli_plotter;
/* The `set` of an option that names a plot. */
np_status cli_plot_set(void *object, const np_field *field, const char *text);
/* Says that the plot is there, or why not. */
void cli_plotter_tell(const char *image, bool drawn, bool quiet);

/*
 * picture.c: prepares the options of pictures, whose PNG the first rsvg-convert in the PATH makes. record: draws the
 * picture of the run, NULL: none does. usual: what is drawn if nothing is named.
 */
void cli_picture_init(np_picture_options *picture, np_record_options *record, const char *usual);
/* The table of verbs whose pictures play nothing, before np_picture_options_fields: its --picture counts. */
extern const np_fields cli_still_fields;
/* Is the picture a page that plays packets? */
bool cli_picture_plays(const np_picture_options *picture);

/* completion.c: prints the script for bash. */
void cli_completion_print(const cli_verb *const *verbs, size_t count);

/*
 * interrupt.c: Ctrl-C, SIGTERM, SIGHUP, SIGXCPU and SIGPIPE end the program within a second, and no temporary file
 * stays. Signals that were ignored when the program began stay ignored.
 */

/* Called once, before any thread is made. */
void cli_interrupt_start(void);
/* From now on the work looks at cli_interrupted() every now and then. Without this call a signal ends it at once. */
void cli_interrupt_looks(void);
/* Non-zero after a signal has asked for an end. From then on cli_fail ends the program. */
int cli_interrupted(void);
/* Ends the program. Only after cli_interrupted. */
void cli_interrupt_die(void);
/* What to say if the program is interrupted from now on: "ranks.txt is kept". */
void cli_interrupt_keeps(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A process that ends with the program, negative: all of its group; 0: none. It is to be started with this mask of
 * signals. */
void cli_interrupt_child(pid_t process);
const sigset_t *cli_interrupt_mask(void);
/* How to leave the terminal; borrowed. NULL: as it is. */
struct termios;
void cli_interrupt_restores(const struct termios *as);

#endif
