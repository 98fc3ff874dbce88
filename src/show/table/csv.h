/*
 * Comma-separated values as in RFC 4180, but lines end in a plain newline.
 *
 * The columns of a report are one text, "network,scheme,spec=network.spec,*=steps": each is the name of a field, or a
 * title and the name of a field. A summary becomes one column for each of its members, with their names as titles.
 * Fields that are null, or that the object does not have, are empty.
 */
#pragma once

#include <stdio.h>

#include "netpram/field.h"

/* The titles of the columns as a line. */
void np_csv_head(const np_fields *fields, const char *columns, FILE *stream);

/* The values of the columns as a line. */
void np_csv_line(const np_fields *fields, const void *object, const char *columns, FILE *stream);

/* A report of one object: the titles, then its line. NP_ERROR_IO. */
np_status np_csv_report(const np_fields *fields, const void *object, const char *columns, FILE *stream) NP_CHECKED;

/*
 * A report of an object with a list: the titles, then a line for each item. A column "list.name" is of the item, all
 * others are of the object. NP_ERROR_IO.
 */
np_status np_csv_list(const np_fields *fields, const void *object, const char *list, const char *columns,
                      FILE *stream) NP_CHECKED;

/* Its lines alone. */
void np_csv_items(const np_fields *fields, const void *object, const char *list, const char *columns, FILE *stream);

/* The i-th column: receives its title and the name of its field, each in NP_CSV_NAME bytes. False: past the last. */
enum { NP_CSV_NAME = 64 };
bool np_csv_column(const char *columns, size_t i, char *title, char *name);

/* A field, in quotes where its text needs them. */
void np_csv_field(const char *text, FILE *stream);
/* The same and the comma after it. */
void np_csv_text(const char *text, FILE *stream);

/* The columns of a summary, and a summary. */
#define NP_CSV_SUMMARY "mean,variance,min,max,p50,p99,ci95"
void np_csv_summary(const np_summary *summary, FILE *stream);
