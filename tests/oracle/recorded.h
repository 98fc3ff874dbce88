/* The files that a record writes, as texts. */
#ifndef ORACLE_RECORDED_H
#define ORACLE_RECORDED_H

#include <stdbool.h>

#include "netpram/report.h"
#include "oracle/trace_judge.h"

typedef struct recorded {
    char *trace, *links, *nodes, *packets, *steps; /* until the end: the names of the files */
    np_record *record;
} recorded;

/* Opens all files. Returns the observer that writes them. */
const np_observer *recorded_begin(recorded *files);

/* Puts the files in place, and reads them. */
void recorded_end(recorded *files);

/* Gives the record up: what was observed has failed. */
void recorded_discard(recorded *files);

void recorded_clear(recorded *files);

/* Reads a file of support_file, removes it, and frees its path. */
char *recorded_read(char *path);

/* The trace is one of the model (trace_judge.h); else the test fails, and says of what it is. */
void recorded_judge(const char *what, const char *of, const recorded *files, oracle_verdict *verdict);

/* The steps of all phases of a trace together. */
double recorded_steps(const char *trace);

/* Does the judge of traces refuse the trace? (trace_judge.h) */
bool recorded_refused(const char *trace);

const char *recorded_next_line(const char *line);

/* The text of a column, from 0. */
const char *recorded_column(const char *line, unsigned column);

/* Sum or maximum of column `of` of a table, from 0, over the lines whose column `key` has the text `value`. key below
   0: over all lines. */
double recorded_total(const char *table, int key, const char *value, unsigned of, bool sum);

#endif
