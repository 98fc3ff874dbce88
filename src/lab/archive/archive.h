/*
 * The archive of an experiment: an SQLite database in which finished runs are kept, for ever and for all.
 *
 * A point has a key, a text of all that determines its runs (experiment_key.c), and runs 0 .. stored - 1. What is kept
 * of a run is a value for each measure and each axis: its samples. Runs are added in one transaction, so that a reader,
 * or a process that goes on after a kill, sees all of them or none.
 *
 * Processes share an archive. The process that works on a point holds a claim: a lock on one byte of the file
 * PATH-claims, at the number of the point. The system gives the lock back when the process ends, however it ends: no
 * claim is left behind, and none has to be guessed dead.
 *
 *     CREATE TABLE point (id INTEGER PRIMARY KEY, key TEXT UNIQUE, runs INTEGER, sum INTEGER);
 *     CREATE TABLE sample (point, number, phase, measure, axis, value, PRIMARY KEY (point, number));
 *
 * `sum` is a checksum over the key, the runs and all samples of the point. It is compared whenever the point is found,
 * read or added to, so that what is read is what was measured. SQLite notices some damage to its pages, but not to what
 * is in them.
 *
 * A value is a JSON list with a number for each run; of an axis that is the same in all runs, of one number. So SQL can
 * read it: SELECT avg(v.value) FROM sample, json_each(sample.value) v WHERE measure = 'steps'.
 *
 * Every function but np_archive_close fails with NP_ERROR_IO, with the name of the file and the cause, or with
 * NP_ERROR_MEMORY. An archive is for one thread at a time.
 */
#pragma once

#include <stdbool.h>

#include "base/status.h"

enum { NP_SAMPLE_NAME = 48 };

/* One measure, or one axis, of a point, over some runs. */
typedef struct np_sample {
    char phase[8];                /* "" where there are no phases */
    char measure[NP_SAMPLE_NAME]; /* or the name of the axis */
    bool axis;
    bool constant; /* one value for all runs: that of run 0 */
    double *value; /* [runs]; constant: [1] */
} np_sample;

/* Runs first .. first + runs - 1 of a point. */
typedef struct np_samples {
    uint32_t first, runs;
    size_t count, room;
    np_sample *sample; /* [room], count of them used */
    double *value;     /* under all samples */
} np_samples;

/* Makes room for `room` samples. */
np_status np_samples_init(np_samples *samples, size_t room, uint32_t first, uint32_t runs) NP_CHECKED;
/* Adds a sample; returns where its values go: [runs], or [1]. There must be room. */
double *np_samples_add(np_samples *samples, const char *phase, const char *measure);
void np_samples_add_axis(np_samples *samples, const char *axis, double value);
void np_samples_clear(np_samples *samples);

typedef struct np_archive np_archive;

/*
 * Opens the database, makes it if it is not there. The directory must be there, and both must be writable. repair: a
 * point that is not what was kept has no runs; else it is refused. *out is to be closed, also after an error.
 */
np_status np_archive_open(const char *path, bool repair, np_archive **out) NP_CHECKED;

/* Did an error show that the file as a whole cannot be trusted? Then only a new one helps. NULL: no. */
bool np_archive_is_broken(const np_archive *archive);

/* Renames the file to PATH.damaged. */
np_status np_archive_set_aside(const char *path) NP_CHECKED;
void np_archive_close(np_archive *archive);

/* The point with this key, which is made if there is none, and its runs. */
np_status np_archive_find(np_archive *archive, const char *key, int64_t *point, uint32_t *runs) NP_CHECKED;
/* What np_archive_find calls between these two is one transaction. */
np_status np_archive_begin(np_archive *archive) NP_CHECKED;
np_status np_archive_end(np_archive *archive, np_status st) NP_CHECKED;

/* Claims the point for this process; *claimed is false if another one has it. */
np_status np_archive_claim(np_archive *archive, int64_t point, bool *claimed) NP_CHECKED;
void np_archive_release(np_archive *archive, int64_t point);

/* Adds runs to those that are there: samples->first must be their number. The caller has claimed the point. */
np_status np_archive_add(np_archive *archive, int64_t point, const np_samples *samples) NP_CHECKED;

/* Reads runs 0 .. runs - 1 of a point, all samples or those of one measure in all phases. Clear them in any case. */
np_status np_archive_read(np_archive *archive, int64_t point, const char *measure, uint32_t runs,
                          np_samples *out) NP_CHECKED;
