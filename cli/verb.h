/*
 * What a verb is: a const description. From it the command line is read, --help printed, and `netpram --help` made.
 *
 * A verb's arguments are a structure that begins with a cli_common. Its options are the rows of one table of fields
 * (netpram/field.h): rows of the verb's own, and insets, which bring in the tables of the library's options. A subject,
 * such as a network, is an argument without a name on the command line.
 */
#ifndef CLI_VERB_H
#define CLI_VERB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "job.h"
#include "netpram/netpram.h"
#include "netpram/report.h"

typedef struct cli_subject {
    const char *name;    /* "network" */
    size_t at;           /* offset of a const char * in the arguments; an option at the same offset sets it too */
    const char *missing; /* the line to print if it is not given; NULL: the verb decides */
    const char *list;    /* `netpram list` LIST prints its values; NULL: no list has them */
    bool output;         /* a file to write */
} cli_subject;

/*
 * Options that a verb does not heed beside another one, or without it. What only some schemes, machines or programs
 * heed is not said here, but by their own lists (np_scheme_heeds and its like).
 */
typedef struct cli_rule {
    const char *options;          /* "plot, regions"; NULL: the list of rules ends */
    const char *beside, *without; /* the name of an option, or, for `without`, of a subject; one is NULL */
    const char *why;
} cli_rule;

enum { CLI_SUBJECTS = 2, CLI_OPTIONS_MAX = 128 };

typedef struct cli_verb {
    const char *name, *help;    /* its line in `netpram --help` */
    const char *subject, *does; /* for the verb's own --help: "NETWORK OPERATION"; what it does */
    cli_subject subjects[CLI_SUBJECTS];
    const np_fields *fields;           /* the table of the arguments */
    const cli_rule *rules;             /* NULL: each option is heeded whatever else is given */
    const np_field *(*more)(size_t i); /* options that take a text, after those of the table; NULL: none */
    const char *hides;                 /* rows that are no options here: "cells, contrast"; NULL: none */
    const char *outputs;               /* options that name files to write: "trace, plot"; NULL: none. They are checked
                                             before the work, and "-" is the standard output */
    cli_job_kind job;                  /* where a launcher started several processes */
    void (*init)(void *arguments);     /* sets what the rows' presets do not set; NULL: nothing */
    /* More rows of the arguments, that depend on what is on the command line; NULL: none. Called after init. */
    const np_fields *(*own)(void *arguments, int argc, char **argv);
    bool (*draws)(const void *arguments); /* is anything drawn from the seed? NULL: always */
    int (*run)(void *arguments);          /* returns an exit status */
} cli_verb;

/* An option: a row of the table, and the place of its value. */
typedef struct cli_option {
    const np_field *field;
    size_t base;    /* offset in the arguments of the row's structure */
    int group;      /* number in --help */
    char name[32];  /* words joined by dashes */
    char value[64]; /* as in --help, "table|json"; "": a flag */
    bool text;      /* one of cli_verb.more: it is kept as a word, and --help does not list it */
} cli_option;

/* The options of a verb, with --memory, and after them help and usage. */
typedef struct cli_options {
    size_t count, own; /* numbers of options: with help and usage, without them */
    int groups;
    const char *title[CLI_OPTIONS_MAX]; /* [groups] */
    cli_option option[CLI_OPTIONS_MAX];
} cli_options;

/* own: rows that cli_verb.own has found; NULL: none. */
void cli_options_init(cli_options *options, const cli_verb *verb, const np_fields *own);

/* Of a verb with `more`: an option of these and its text, or a subject. */
typedef struct cli_word {
    const cli_option *option; /* NULL: a subject */
    const char *text;
} cli_word;

/* The beginning of every verb's arguments. */
typedef struct cli_common {
    const cli_verb *verb;
    np_report_options report; /* the format, and the command line that repeats the run */
    bool progress, quiet;
    uint64_t memory; /* the limit of a verb whose own table has none; 0: what is available */
    cli_options options;
    bool given[CLI_OPTIONS_MAX]; /* [options] was the option given? */
    cli_word *word;              /* [words] of a verb with `more`, in order */
    size_t words;
} cli_common;

/* The table of --progress and --quiet, rows of cli_common. */
extern const np_fields cli_progress_fields;

/* The row of a table that brings in another one. */
#define CLI_INSET(type, member, table)                                                                                 \
    {                                                                                                                  \
        NULL, NP_FIELD_INSET, offsetof(type, member), .fields = &(table)                                               \
    }
/* The row that brings in the table of np_report_options. */
#define CLI_FORMAT(type) CLI_INSET(type, common.report, np_report_options_fields)

/* The table of a verb's arguments. */
#define CLI_FIELDS(rows) NP_FIELDS("arguments", "the command line", arguments, rows)

/* Reads the command line and runs the verb; argv[0] is "netpram VERB". Returns an exit status. */
int cli_verb_run(const cli_verb *verb, int argc, char **argv);

/* Was the option given? `name` must be an option of the verb. */
bool cli_given(const void *arguments, const char *name);

/* The next option that was given, from option *i on; *i moves past it. NULL: no more. */
const cli_option *cli_given_next(const void *arguments, size_t *i);

/*
 * files.c: refuses files of the command line that cannot be read and written together, before anything is: an output
 * that is one of the inputs, by whatever name, or that is another output, and the standard input twice. Returns an exit
 * status.
 */
int cli_files_check(const cli_common *common);

/* The same of a file that the verb will write besides its outputs. */
int cli_files_check_output(const cli_common *common, const char *path);

/*
 * Where the report goes: to the standard output, unless one of the verb's outputs is "-"; then to the standard error.
 */
FILE *cli_report_stream(const void *arguments);

/* The option, given to the verb that runs, which the library calls so, as packet_flits; NULL: there is none. */
const char *cli_verb_option(const char *name, size_t length);

/*
 * The first option given, of those in the table, that `who` does not heed, and the library's message why not; NULL if
 * it heeds all, or if there is no `who`. heeds: np_scheme_heeds or np_sorter_heeds.
 */
const cli_option *cli_unheeded(const void *arguments, const np_fields *table, const char *who,
                               np_status (*heeds)(const char *who, const char *option));

#endif
