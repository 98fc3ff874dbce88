/*
 * Reports for people. A layout is the text of a report; what changes stands in braces, over the tables of fields that
 * JSON and CSV walk.
 *
 *     "network  {network.spec}: {network.nodes node}, {network.links link}\n"
 *     "{load_factor ?          load factor {load_factor:4}: no routing takes fewer steps\n}"
 *     "{table lrr: phase|steps|hops\n"
 *     "{each phases: {name}|{steps}|{hops}\n}}"
 *
 *     {NAME}            a field: a number for people; a text as it is; the mean of a summary; null: "-"
 *     {NAME:4}          a real with so many digits
 *     {NAME:.2}         a real with so many decimals
 *     {NAME:exact}      a real so that reading gives the same bits back
 *     {NAME:-8}         a text, with spaces up to so many columns
 *     {NAME:spread}     how far the runs of a summary are apart
 *     {NAME:20, }       the first so many items of a list, with the text after the number between them; then "..."
 *     {NAME*NAME}       the product of a field and another, or a number; with '/' the quotient
 *     {NAME link}       a number and its noun: "1 link", "2 links"
 *     {NAME bus buses}  the same with a plural of its own
 *     {COND ? A : B}    A if the condition holds, else B; B may be left out
 *     {each NAME: A}    A for each item of a list; the fields of an item hide the fields of what is around it
 *     {with NAME: A}    A for an object, whose fields hide those around it; nothing for null
 *     {table lrr: A}    A as a table, with 'l' or 'r' for each column; bars and ends of lines in A end cells
 *
 * A condition is one or more terms with " & " between them: NAME (it is neither null, false, 0, nor empty), !NAME,
 * NAME=WORD, NAME=OTHER, NAME>OTHER, NAME<OTHER; OTHER is a number or a field. NAME=null: it is not known. Every report
 * knows `command`, the command that repeats it, and `version`, of the library.
 */
#pragma once

#include <stdio.h>

#include "netpram/report.h"

/* Prints the object. NP_ERROR_INTERNAL: the layout names a field that the table does not have. */
np_status np_layout_print(const char *layout, const np_fields *fields, const void *object, const char *command,
                          FILE *stream) NP_CHECKED;

/* A report: its JSON, its CSV, and its text for people. All are of one object. */
typedef struct np_report_form {
    np_report_shape shape;                              /* JSON, and the fields and the columns of CSV */
    int open;                                           /* of JSON: see np_json_print */
    const char *list;                                   /* CSV has a line for each item of it; NULL: one line */
    np_status (*csv)(const void *object, FILE *stream); /* prints CSV in another way; NULL: by list */
    const np_fields *fields;                            /* of the layout; NULL: those of JSON */
    const char *layout, *rest[2];                       /* its parts, if it is long; NULL: no more */
    /* Prints what stands between the layout and the rest; NULL: nothing does. */
    np_status (*people)(const void *object, const np_report_options *options, FILE *stream);
} np_report_form;

/* Prints the object in the format that the options name. */
np_status np_report_print(const np_report_form *form, const void *object, const np_report_options *given,
                          FILE *stream) NP_CHECKED;
