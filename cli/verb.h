/*
 * What a verb is: a const description, from which the command line is read, --help printed, and `netpram --help` made.
 *
 * A verb's arguments are a structure that begins with a cli_common. Its options are the rows of one table of fields
 * (netpram/field.h): rows of the verb's own, and insets, which bring in the tables of the library's options. A subject,
 * such as a network, is what stands on the command line without a name.
 */
#ifndef CLI_VERB_H
#define CLI_VERB_H

#include <stdbool.h>
#include <stddef.h>

#include "netpram/netpram.h"
#include "netpram/report.h"

typedef struct cli_subject {
    const char *name;    /* "network" */
    size_t at;           /* const char * in the arguments; an option at the same place is another way to give it */
    const char *missing; /* the line if it is not there; NULL: the verb sees to it */
    const char *list;    /* `netpram list` LIST has its values; NULL: they are not listed */
} cli_subject;

enum { CLI_SUBJECTS = 2, CLI_OPTIONS_MAX = 64 };

typedef struct cli_verb {
    const char *name, *help;    /* its line in `netpram --help` */
    const char *subject, *does; /* as its own --help has them: "NETWORK OPERATION"; what it does */
    cli_subject subjects[CLI_SUBJECTS];
    const np_fields *fields;              /* of the arguments */
    const char *hides;                    /* rows that are no options here: "cells, contrast"; NULL: none */
    const char *no_csv;                   /* what has no CSV, "ranks: they print"; NULL: there is CSV */
    void (*init)(void *arguments);        /* sets what the presets of the rows do not; NULL: nothing */
    bool (*draws)(const void *arguments); /* is anything drawn from the seed? NULL: always */
    int (*run)(void *arguments);          /* an exit status */
} cli_verb;

/* An option: a row of the table, and where it is. */
typedef struct cli_option {
    const np_field *field;
    size_t base;    /* offset in the arguments of what the row is of */
    int group;      /* in --help */
    char name[32];  /* with dashes */
    char value[64]; /* as --help has it, "table|json"; "": a flag */
} cli_option;

/* The options of a verb, those that every verb has (help, usage) behind them. */
typedef struct cli_options {
    size_t count, own; /* with help and usage, without */
    int groups;
    const char *title[CLI_OPTIONS_MAX]; /* [groups] */
    cli_option option[CLI_OPTIONS_MAX];
} cli_options;

void cli_options_init(cli_options *options, const cli_verb *verb);

/* What the arguments of every verb begin with. */
typedef struct cli_common {
    const cli_verb *verb;
    np_report_options report; /* the format, and the command line that repeats the run */
    bool progress, quiet;
    cli_options options;
    bool given[CLI_OPTIONS_MAX]; /* by the options */
} cli_common;

/* --progress and --quiet, rows of cli_common; the verb may have notes to be quiet of. */
extern const np_fields cli_progress_fields, cli_notes_fields;

/* The row of a table that brings in another one. */
#define CLI_INSET(type, member, table)                                                                                 \
    {                                                                                                                  \
        NULL, NP_FIELD_INSET, offsetof(type, member), .fields = &(table)                                               \
    }
/* That of np_report_options. */
#define CLI_FORMAT(type) CLI_INSET(type, common.report, np_report_options_fields)

/* The table of a verb's arguments. */
#define CLI_FIELDS(rows)                                                                                               \
    {                                                                                                                  \
        "arguments", "the command line", sizeof(arguments), sizeof(rows) / sizeof *(rows), rows                        \
    }

/* Reads the command line and runs the verb; argv[0] is "netpram VERB". Returns an exit status. */
int cli_verb_run(const cli_verb *verb, int argc, char **argv);

/* Was the option given? It is one of the verb's. */
bool cli_given(const void *arguments, const char *name);

/* The next option that was given, from option *i on, which moves past it; NULL: no more. */
const cli_option *cli_given_next(const void *arguments, size_t *i);

#endif
