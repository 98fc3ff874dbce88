/*
 * What a verb is: a const description, from which the command line is read, --help printed, and `netpram --help` made.
 *
 * A verb's arguments are a struct that begins with a cli_common. An option is a row of a table that says where in the
 * struct its value goes and what it may be; a subject, such as a network, is what stands on the command line without
 * a name.
 */
#ifndef CLI_VERB_H
#define CLI_VERB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "netpram/netpram.h"
#include "netpram/report.h"

/* How an option's value is read, and what is at its place. */
typedef enum cli_kind {
    CLI_TITLE,   /* no option: `help` is the title of those that follow */
    CLI_FLAG,    /* bool: true */
    CLI_TEXT,    /* const char * */
    CLI_WHOLE32, /* uint32_t in low..high */
    CLI_WHOLE64, /* uint64_t in low..high */
    CLI_SEED,    /* uint64_t; unless it is given, the line that repeats the run ends with --seed 1 */
    CLI_REAL,    /* double in least..1e15 */
    CLI_BYTES,   /* uint64_t: "65536", "512M", "4G" (powers of 1024) */
    CLI_CHOICE,  /* an enum: which of the words of `value`, from 0 */
    CLI_SUBJECT, /* const char *: another way to give a subject */
    CLI_FORMAT,  /* into the cli_common; csv only if there is no `what` */
    CLI_SET,     /* what `set` makes of it; its errors follow "--NAME: " */
    CLI_SET_BARE /* likewise; its errors say all there is to say */
} cli_kind;

typedef struct cli_option {
    const char *name, *value, *help; /* as --help has them; no value: a flag. No help: the table ends */
    cli_kind kind;
    size_t at; /* offset of its place */
    uint64_t low, high;
    double least;
    np_status (*set)(void *place, const char *name, const char *text); /* text "true": a flag */
    const char *what;                                                  /* of CLI_FORMAT: "ranks: they print" */
    const char *only; /* what it is for, "rank, sort": for the verb to check */
    const char *list; /* its values are what `netpram list` LIST has; NULL: they are not listed */
} cli_option;

/* A table, and the offset in the arguments of what its own offsets are in. */
typedef struct cli_part {
    const cli_option *options;
    size_t base;
} cli_part;

typedef struct cli_subject {
    const char *name;    /* "network" */
    size_t at;           /* const char * */
    const char *missing; /* the line if it is not there; NULL: the verb sees to it */
    const char *list;    /* as an option's */
} cli_subject;

enum { CLI_PARTS = 4, CLI_SUBJECTS = 2, CLI_OPTIONS_MAX = 64 };

typedef struct cli_verb {
    const char *name, *help;    /* its line in `netpram --help` */
    const char *subject, *does; /* as its own --help has them: "NETWORK OPERATION"; what it does */
    cli_subject subjects[CLI_SUBJECTS];
    cli_part parts[CLI_PARTS];
    size_t size;                          /* of the arguments */
    void (*init)(void *arguments);        /* sets what is not zero; NULL: nothing */
    bool (*draws)(const void *arguments); /* is anything drawn from the seed? NULL: always */
    int (*run)(void *arguments);          /* an exit status */
} cli_verb;

/* What the arguments of every verb begin with. */
typedef struct cli_common {
    const cli_verb *verb;
    np_report_options report; /* the format, and the command line that repeats the run */
    bool progress, quiet;
    bool given[CLI_OPTIONS_MAX]; /* by the rows of all parts */
} cli_common;

/* --progress and --quiet, for the part that follows a verb's own; the verb may have notes to be quiet of. */
extern const cli_option cli_progress_options[], cli_notes_options[];

/* Reads the command line and runs the verb; argv[0] is "netpram VERB". Returns an exit status. */
int cli_verb_run(const cli_verb *verb, int argc, char **argv);

/* The i-th row of the verb's tables, titles too; NULL past the last. */
const cli_option *cli_verb_option(const cli_verb *verb, size_t i);

/* Was the option given? It is one of the verb's. */
bool cli_given(const void *arguments, const char *name);

/* The first option that was given, in the order of the tables, after this one (NULL: of all); NULL: no more. */
const cli_option *cli_given_after(const void *arguments, const cli_option *option);

#endif
