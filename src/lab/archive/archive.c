/* See archive.h. The journal is SQLite's default one, which also works where several machines share a file system. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* locks that belong to an open file: F_OFD_SETLK */
#endif
#include "lab/archive/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sqlite3.h>

#include "base/decimal.h"
#include "base/memory.h"

enum {
    APPLICATION = 0x6e705374, /* "npSt": ours, in the file's head */
    SCHEMA = 2,               /* the version of the tables; 1 had no checksums */
    PATIENCE_MS = 10000       /* ours: how long another program may lock the database before we give up */
};

/* What a sample is: the column `axis`. */
enum { MEASURE, AXIS_BY_RUN, AXIS };

/* As SQLite keeps them, in the order of kinds and names. The index is that of UNIQUE. */
#define POINT                                                                                                          \
    "CREATE TABLE point (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, runs INTEGER NOT NULL, sum INTEGER NOT "    \
    "NULL)"
#define SAMPLE                                                                                                         \
    "CREATE TABLE sample (point INTEGER NOT NULL REFERENCES point, number INTEGER NOT NULL, phase TEXT NOT NULL,"      \
    " measure TEXT NOT NULL, axis INTEGER NOT NULL, value TEXT NOT NULL, PRIMARY KEY (point, number)) WITHOUT ROWID"
static const char schema[] = "index sqlite_autoindex_point_1 of point\n"
                             "table point of point: " POINT "\n"
                             "table sample of sample: " SAMPLE "\n";

struct np_archive {
    sqlite3 *db;
    char *path;
    int claims; /* descriptor of the file of locks; -1: none */
    bool repair, broken;
};

/* ---- SQLite ---- */

static np_status damaged(np_archive *archive, const char *what)
{
    archive->broken = true;
    return NP_RAISE(NP_ERROR_IO, "%s: damaged: %s: move it away to begin anew; the option repair does so",
                    archive->path, what);
}

/* The cause of the last failure, as an error about the file. */
static np_status fail(np_archive *archive)
{
    int code = archive->db ? sqlite3_errcode(archive->db) & 0xff : SQLITE_NOMEM;
    int cause = archive->db ? sqlite3_system_errno(archive->db) : 0;
    switch (code) {
    case SQLITE_NOMEM:
        return NP_RAISE(NP_ERROR_MEMORY, "%s: no memory for the database", archive->path);
    case SQLITE_BUSY:
        return NP_RAISE(NP_ERROR_IO, "%s: locked by another program for %d s", archive->path, PATIENCE_MS / 1000);
    case SQLITE_NOTADB:
        archive->broken = true;
        return NP_RAISE(NP_ERROR_IO, "%s: no database: move it away to begin anew", archive->path);
    case SQLITE_CORRUPT:
    case SQLITE_CONSTRAINT: /* what was not found is there */
        return damaged(archive, "its pages do not fit together");
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
        return NP_RAISE(NP_ERROR_IO, "%s: %s", archive->path, cause ? strerror(cause) : sqlite3_errmsg(archive->db));
    default:
        return NP_RAISE(NP_ERROR_IO, "%s: %s", archive->path, sqlite3_errmsg(archive->db));
    }
}

static np_status execute(np_archive *archive, const char *sql)
{
    return sqlite3_exec(archive->db, sql, NULL, NULL, NULL) ? fail(archive) : NP_OK;
}

/* What a '?' of a statement stands for: a number, or a text, which may be NULL. */
typedef struct bound {
    bool is_number;
    int64_t number;
    const char *text;
} bound;

#define NUMBER(value) ((bound){true, (int64_t)(value), NULL})
#define TEXT(value) ((bound){false, 0, (value)})

/* values: one for each '?', in their order. */
static np_status prepare(np_archive *archive, const char *sql, const bound *values, sqlite3_stmt **out)
{
    *out = NULL;
    if (sqlite3_prepare_v2(archive->db, sql, -1, out, NULL))
        return fail(archive);
    for (int i = 0; i < sqlite3_bind_parameter_count(*out); i++)
        if (values[i].is_number)
            sqlite3_bind_int64(*out, i + 1, values[i].number);
        else
            sqlite3_bind_text(*out, i + 1, values[i].text, -1, SQLITE_STATIC);
    return NP_OK;
}

/* Carries out a statement that gives no rows. */
static np_status change(np_archive *archive, const char *sql, const bound *values)
{
    sqlite3_stmt *statement;
    np_status st = prepare(archive, sql, values, &statement);
    if (!st && sqlite3_step(statement) != SQLITE_DONE)
        st = fail(archive);
    sqlite3_finalize(statement);
    return st;
}

/* *more: there is a row. */
static np_status next_row(np_archive *archive, sqlite3_stmt *statement, bool *more)
{
    int code = sqlite3_step(statement);
    *more = code == SQLITE_ROW;
    return code == SQLITE_ROW || code == SQLITE_DONE ? NP_OK : fail(archive);
}

/* The number that a statement such as a pragma gives; 0 if it gives no row. */
static np_status query_number(np_archive *archive, const char *sql, const bound *values, int64_t *out)
{
    sqlite3_stmt *statement;
    bool more = false;
    np_status st = prepare(archive, sql, values, &statement);
    if (!st && !(st = next_row(archive, statement, &more)))
        *out = more ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_finalize(statement);
    return st;
}

np_status np_archive_begin(np_archive *archive) { return execute(archive, "BEGIN IMMEDIATE"); }

np_status np_archive_end(np_archive *archive, np_status st)
{
    if (!st)
        st = execute(archive, "COMMIT");
    if (st && !sqlite3_get_autocommit(archive->db)) {
        char *message = NULL; /* a rollback may fail too; the first error counts */
        sqlite3_exec(archive->db, "ROLLBACK", NULL, NULL, &message);
        sqlite3_free(message);
    }
    return st;
}

/* ---- Opening ---- */

/* Damaged, as `what` says, if the statement does not give the text. */
static np_status expect(np_archive *archive, const char *sql, const char *text, const char *what)
{
    sqlite3_stmt *statement;
    bool more = false;
    np_status st = prepare(archive, sql, NULL, &statement);
    if (!st && !(st = next_row(archive, statement, &more))) {
        const char *found = more ? (const char *)sqlite3_column_text(statement, 0) : NULL;
        if (!found || strcmp(found, text) != 0)
            st = damaged(archive, what);
    }
    sqlite3_finalize(statement);
    return st;
}

/* Other indices, views and triggers change what statements find. Statistics of ANALYZE do not. */
static np_status compare_schema(np_archive *archive)
{
    static const char sql[] = "SELECT group_concat(line, '') FROM (SELECT type || ' ' || name || ' of ' || tbl_name ||"
                              " coalesce(': ' || sql, '') || char(10) AS line FROM sqlite_master"
                              " WHERE name NOT LIKE 'sqlite_stat%' ORDER BY type, name)";
    return expect(archive, sql, schema, "it has other tables, indices, views or triggers than those of experiments");
}

/* Makes the tables in a new database; refuses one that is not ours. */
static np_status check_tables(np_archive *archive)
{
    int64_t application = 0, version = 0, tables = 0;
    char sql[96];
    np_status st;
    if ((st = query_number(archive, "SELECT count(*) FROM sqlite_master", NULL, &tables)) ||
        (st = query_number(archive, "PRAGMA application_id", NULL, &application)) ||
        (st = query_number(archive, "PRAGMA user_version", NULL, &version)))
        return st;
    if (tables && application != APPLICATION)
        return NP_RAISE(NP_ERROR_IO, "%s: a database, but not one of experiments: move it away", archive->path);
    if (tables && version != SCHEMA)
        return NP_RAISE(NP_ERROR_IO,
                        "%s: a database of version %lld; this library reads version %d: move it away, and %s",
                        archive->path, (long long)version, SCHEMA, "all points are run again");
    if (tables)
        return compare_schema(archive);
    snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d", APPLICATION, SCHEMA);
    st = execute(archive, POINT ";" SAMPLE);
    return st ? st : execute(archive, sql);
}

/* Of a file whose last writer was killed, all pages are checked. */
static np_status check_pages(np_archive *archive)
{
    return expect(archive, "PRAGMA integrity_check(1)", "ok", "its pages do not fit together");
}

/* A writer that is killed leaves its journal behind. */
static bool has_journal(const char *path)
{
    char journal[PATH_MAX];
    int length = snprintf(journal, sizeof journal, "%s-journal", path);
    return length > 0 && (size_t)length < sizeof journal && !access(journal, F_OK);
}

static np_status open_database(np_archive *archive)
{
    bool left = has_journal(archive->path);
    np_status st;
    if (sqlite3_open_v2(archive->path, &archive->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL))
        return fail(archive);
    sqlite3_busy_timeout(archive->db, PATIENCE_MS);
    if ((st = np_archive_begin(archive)))
        return st;
    if (!(st = check_tables(archive)) && left)
        st = check_pages(archive);
    return np_archive_end(archive, st);
}

static np_status open_claims(np_archive *archive)
{
    size_t size = strlen(archive->path) + sizeof "-claims";
    char *path;
    np_status st = np_memory_array(&path, size, 1, "a file name");
    if (st)
        return st;
    snprintf(path, size, "%s-claims", archive->path);
    archive->claims = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (archive->claims < 0)
        st = NP_RAISE(NP_ERROR_IO, "cannot write %s: %s", path, strerror(errno));
    np_memory_free(path);
    return st;
}

np_status np_archive_set_aside(const char *path)
{
    char *aside;
    size_t size = strlen(path) + sizeof ".damaged";
    np_status st = np_memory_array(&aside, size, 1, "a file name");
    if (st)
        return st;
    snprintf(aside, size, "%s.damaged", path);
    if (rename(path, aside))
        st = NP_RAISE(NP_ERROR_IO, "cannot rename %s to %s: %s", path, aside, strerror(errno));
    np_memory_free(aside);
    return st;
}

bool np_archive_is_broken(const np_archive *archive) { return archive && archive->broken; }

np_status np_archive_open(const char *path, bool repair, np_archive **out)
{
    np_archive *archive;
    np_status st;
    *out = NULL;
    if ((st = np_memory_zeroed(&archive, 1, sizeof *archive, "a database")))
        return st;
    archive->claims = -1;
    archive->repair = repair;
    archive->path = np_memory_text(path);
    st = archive->path ? open_database(archive) : np_status_last();
    if (!st)
        st = open_claims(archive);
    *out = archive; /* also broken ones: np_archive_is_broken */
    return st;
}

void np_archive_close(np_archive *archive)
{
    if (!archive)
        return;
    sqlite3_close(archive->db);
    if (archive->claims >= 0)
        close(archive->claims);
    NP_MEMORY_FREE(archive->path, archive);
}

/* ---- Claims ---- */

#ifdef F_OFD_SETLK
enum { SET_LOCK = F_OFD_SETLK }; /* two experiments of one process exclude each other, too */
#else
enum { SET_LOCK = F_SETLK };
#endif

static int lock(np_archive *archive, int64_t point, short type)
{
    struct flock region = {.l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)point, .l_len = 1};
    return fcntl(archive->claims, SET_LOCK, &region);
}

np_status np_archive_claim(np_archive *archive, int64_t point, bool *claimed)
{
    *claimed = !lock(archive, point, F_WRLCK);
    if (*claimed || errno == EAGAIN || errno == EACCES)
        return NP_OK;
    return NP_RAISE(NP_ERROR_IO, "cannot lock %s-claims: %s", archive->path, strerror(errno));
}

void np_archive_release(np_archive *archive, int64_t point) { (void)lock(archive, point, F_UNLCK); }

/* ---- Points ---- */

/* FNV-1a, 64 bits: no change of one byte leaves it as it was. The zero byte at the end is a part of the text. */
static void mix(uint64_t *sum, const unsigned char *text)
{
    const unsigned char *at = text ? text : (const unsigned char *)"";
    do
        *sum = (*sum ^ *at) * UINT64_C(0x100000001b3);
    while (*at++);
}

/* The checksum of a point, over its key, its runs and all its samples. */
static np_status sum_point(np_archive *archive, int64_t point, const char *key, int64_t runs, uint64_t *sum)
{
    sqlite3_stmt *statement;
    char number[24];
    bool more = true;
    np_status st =
        prepare(archive, "SELECT number, phase, measure, axis, value FROM sample WHERE point = ? ORDER BY number",
                &NUMBER(point), &statement);
    if (st)
        return st;
    snprintf(number, sizeof number, "%lld", (long long)runs);
    *sum = UINT64_C(0xcbf29ce484222325);
    mix(sum, (const unsigned char *)key);
    mix(sum, (const unsigned char *)number);
    while (!(st = next_row(archive, statement, &more)) && more)
        for (int i = 0; i < 5; i++)
            mix(sum, sqlite3_column_text(statement, i));
    sqlite3_finalize(statement);
    return st;
}

static np_status put_sum(np_archive *archive, int64_t point, const char *key, int64_t runs)
{
    uint64_t sum;
    np_status st = sum_point(archive, point, key, runs, &sum);
    return st ? st : change(archive, "UPDATE point SET sum = ? WHERE id = ?", (bound[]){NUMBER(sum), NUMBER(point)});
}

static np_status refuse_point(np_archive *archive, const char *key)
{
    char line[300];
    snprintf(line, sizeof line, "%s", key);
    for (char *at = line; *at; at++)
        *at = *at == '\n' ? ' ' : *at;
    return NP_RAISE(NP_ERROR_IO,
                    "%s: damaged: what is kept of a point is not what was measured: the option repair runs "
                    "it again: %s",
                    archive->path, line);
}

/* The row of a point. *key is the caller's to free. */
static np_status get_point(np_archive *archive, int64_t point, char **key, int64_t *runs, uint64_t *sum)
{
    sqlite3_stmt *statement;
    bool more = false;
    *key = NULL;
    np_status st = prepare(archive, "SELECT key, runs, sum FROM point WHERE id = ?", &NUMBER(point), &statement);
    if (st)
        return st;
    if (!(st = next_row(archive, statement, &more)) && !more)
        st = damaged(archive, "a point is missing");
    const char *text = st ? NULL : (const char *)sqlite3_column_text(statement, 0);
    if (!st && !(*key = np_memory_text(text ? text : "")))
        st = np_status_last();
    *runs = st ? 0 : sqlite3_column_int64(statement, 1);
    *sum = st ? 0 : (uint64_t)sqlite3_column_int64(statement, 2);
    sqlite3_finalize(statement);
    return st;
}

/* Is the point what was kept? `key`: that it should have; NULL: any. Its key is *found, which the caller frees. */
static np_status check_point(np_archive *archive, int64_t point, const char *key, char **found, int64_t *runs)
{
    uint64_t kept = 0, sum = 0;
    np_status st = get_point(archive, point, found, runs, &kept);
    if (!st)
        st = sum_point(archive, point, *found, *runs, &sum);
    if (!st && (sum != kept || (key && strcmp(key, *found) != 0) || *runs < 0 || *runs > UINT32_MAX))
        st = refuse_point(archive, key ? key : *found);
    return st;
}

static np_status insert_point(np_archive *archive, const char *key, int64_t *point)
{
    np_status st = change(archive, "INSERT INTO point (key, runs, sum) VALUES (?, 0, 0)", &TEXT(key));
    *point = sqlite3_last_insert_rowid(archive->db);
    return st ? st : put_sum(archive, *point, key, 0);
}

/* Forgets what is kept of a point. If another process is at work on it, that process will find the damage, too. */
static np_status empty_point(np_archive *archive, int64_t point, const char *key)
{
    bool claimed;
    np_status st = np_archive_claim(archive, point, &claimed);
    if (st || !claimed)
        return st;
    st = change(archive, "DELETE FROM sample WHERE point = ?", &NUMBER(point));
    if (!st)
        st = change(archive, "UPDATE point SET key = ?, runs = 0 WHERE id = ?", (bound[]){TEXT(key), NUMBER(point)});
    if (!st)
        st = put_sum(archive, point, key, 0);
    np_archive_release(archive, point);
    return st ? st : check_pages(archive); /* a row in a wrong place is not deleted */
}

static np_status find_id(np_archive *archive, const char *key, int64_t *point, bool *found)
{
    sqlite3_stmt *statement;
    *found = false;
    np_status st = prepare(archive, "SELECT id FROM point WHERE key = ?", &TEXT(key), &statement);
    if (st)
        return st;
    st = next_row(archive, statement, found);
    *point = *found ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_finalize(statement);
    return st;
}

np_status np_archive_find(np_archive *archive, const char *key, int64_t *point, uint32_t *runs)
{
    char *kept = NULL;
    int64_t stored = 0;
    bool found;
    *runs = 0;
    np_status st = find_id(archive, key, point, &found);
    if (st || !found)
        return st ? st : insert_point(archive, key, point);
    st = check_point(archive, *point, key, &kept, &stored);
    np_memory_free(kept);
    if (st == NP_ERROR_IO && archive->repair && !archive->broken)
        return empty_point(archive, *point, key);
    *runs = st ? 0 : (uint32_t)stored;
    return st;
}

/* ---- Samples ---- */

np_status np_samples_init(np_samples *samples, size_t room, uint32_t first, uint32_t runs)
{
    np_status st;
    *samples = (np_samples){.first = first, .runs = runs, .room = room};
    if ((st = np_memory_zeroed(&samples->sample, room, sizeof *samples->sample, "an experiment's results")))
        return st;
    if (runs && room > SIZE_MAX / runs)
        return NP_RAISE(NP_ERROR_LIMIT, "%u runs of %zu measures do not fit into memory", runs, room);
    return np_memory_zeroed(&samples->value, room * runs, sizeof *samples->value, "an experiment's results");
}

double *np_samples_add(np_samples *samples, const char *phase, const char *measure)
{
    np_sample *sample = &samples->sample[samples->count];
    snprintf(sample->phase, sizeof sample->phase, "%s", phase);
    snprintf(sample->measure, sizeof sample->measure, "%s", measure);
    sample->value = samples->value + samples->count++ * samples->runs;
    return sample->value;
}

void np_samples_add_axis(np_samples *samples, const char *axis, double value)
{
    np_sample *sample = &samples->sample[samples->count];
    *np_samples_add(samples, "", axis) = value;
    sample->axis = sample->constant = true;
}

void np_samples_clear(np_samples *samples)
{
    NP_MEMORY_FREE(samples->sample, samples->value);
    *samples = (np_samples){0};
}

/* "[3,4.5,null]": exact, and the same on every machine. NULL: no memory. The caller frees it with free. */
static char *write_values(const double *value, uint32_t count)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    for (uint32_t i = 0; i < count; i++)
        fprintf(stream, "%c%s", i ? ',' : '[', isfinite(value[i]) ? NP_EXACT(value[i]) : "null");
    fputc(']', stream);
    bool failed = ferror(stream);
    if (!fclose(stream) && !failed)
        return text;
    free(text);
    return NULL;
}

/* The first values of such a list. False: there are fewer. */
static bool read_values(const char *text, uint32_t count, double *value)
{
    for (uint32_t i = 0; i < count; i++) {
        if (*text != (i ? ',' : '['))
            return false;
        np_text_field field = {text + 1, strcspn(text + 1, ",]")};
        bool none = field.length == 4 && !memcmp(field.at, "null", 4);
        value[i] = (double)NAN;
        if (!none && !np_decimal_signed(field, &value[i]))
            return false;
        text = field.at + field.length;
    }
    return *text == ']' || *text == ',';
}

static np_status put_sample(np_archive *archive, int64_t point, size_t number, const np_sample *sample, char *values)
{
    return change(archive, "INSERT INTO sample VALUES (?, ?, ?, ?, ?, ?)",
                  (bound[]){NUMBER(point), NUMBER(number), TEXT(sample->phase), TEXT(sample->measure),
                            NUMBER(!sample->axis      ? MEASURE
                                   : sample->constant ? AXIS
                                                      : AXIS_BY_RUN),
                            TEXT(values)});
}

/* Damaged, as `what` says, if the statement changes no row. */
static np_status change_one(np_archive *archive, const char *sql, const bound *values, const char *what)
{
    np_status st = change(archive, sql, values);
    return st || sqlite3_changes(archive->db) == 1 ? st : damaged(archive, what);
}

/* Joins the lists "[1,2]" and "[3]". */
static np_status append_sample(np_archive *archive, int64_t point, size_t number, const np_sample *sample, char *values)
{
    static const char sql[] = "UPDATE sample SET value = rtrim(value, ']') || ',' || ltrim(?, '[') "
                              "WHERE point = ? AND number = ? AND phase = ? AND measure = ?";
    return change_one(
        archive, sql,
        (bound[]){TEXT(values), NUMBER(point), NUMBER(number), TEXT(sample->phase), TEXT(sample->measure)},
        "its earlier runs have other measures");
}

static np_status add_sample(np_archive *archive, int64_t point, size_t number, const np_samples *samples)
{
    const np_sample *sample = &samples->sample[number];
    if (sample->constant && samples->first)
        return NP_OK;
    char *values = write_values(sample->value, sample->constant ? 1 : samples->runs);
    if (!values)
        return NP_RAISE(NP_ERROR_MEMORY, "%s: no memory for a sample", archive->path);
    np_status st = (samples->first ? append_sample : put_sample)(archive, point, number, sample, values);
    free(values); /* of the C library, which charges no account */
    return st;
}

/* Counts the runs. They follow those that are there: only who has the claim adds any. */
static np_status count_runs(np_archive *archive, int64_t point, const np_samples *samples)
{
    return change_one(archive, "UPDATE point SET runs = runs + ? WHERE id = ? AND runs = ?",
                      (bound[]){NUMBER(samples->runs), NUMBER(point), NUMBER(samples->first)},
                      "another process worked on a claimed point");
}

static np_status add_all(np_archive *archive, int64_t point, const np_samples *samples)
{
    char *key = NULL;
    int64_t runs;
    np_status st = check_point(archive, point, NULL, &key, &runs);
    if (!st)
        st = count_runs(archive, point, samples);
    for (size_t i = 0; i < samples->count && !st; i++)
        st = add_sample(archive, point, i, samples);
    if (!st)
        st = put_sum(archive, point, key, runs + samples->runs);
    np_memory_free(key);
    return st;
}

np_status np_archive_add(np_archive *archive, int64_t point, const np_samples *samples)
{
    np_status st = np_archive_begin(archive);
    return st ? st : np_archive_end(archive, add_all(archive, point, samples));
}

/* ---- Reading ---- */

/* Every axis, and of the measures the one asked for, or all. */
#define CHOSEN " FROM sample WHERE point = ?1 AND (?2 IS NULL OR axis OR measure = ?2)"

static np_status read_sample(np_archive *archive, sqlite3_stmt *row, np_samples *out)
{
    const char *phase = (const char *)sqlite3_column_text(row, 0), *measure = (const char *)sqlite3_column_text(row, 1);
    const char *values = (const char *)sqlite3_column_text(row, 3);
    if (!phase || !measure || !values || out->count == out->room)
        return damaged(archive, "a sample is incomplete");
    np_sample *sample = &out->sample[out->count];
    double *value = np_samples_add(out, phase, measure);
    sample->axis = sqlite3_column_int(row, 2) != MEASURE;
    sample->constant = sqlite3_column_int(row, 2) == AXIS;
    return read_values(values, sample->constant ? 1 : out->runs, value) ? NP_OK
                                                                        : damaged(archive, "a sample has too few runs");
}

static np_status read_all(np_archive *archive, int64_t point, const char *measure, uint32_t runs, np_samples *out)
{
    const bound chosen[] = {NUMBER(point), TEXT(measure)};
    sqlite3_stmt *statement = NULL;
    char *key = NULL;
    int64_t stored, count = 0;
    bool more = true;
    np_status st = check_point(archive, point, NULL, &key, &stored);
    np_memory_free(key);
    if (st || (st = query_number(archive, "SELECT count(*)" CHOSEN, chosen, &count)) ||
        (st = np_samples_init(out, (size_t)count, 0, runs)) ||
        (st = prepare(archive, "SELECT phase, measure, axis, value" CHOSEN " ORDER BY number", chosen, &statement)))
        return st;
    while (!st && !(st = next_row(archive, statement, &more)) && more)
        st = read_sample(archive, statement, out);
    sqlite3_finalize(statement);
    return st;
}

/* In a transaction: another process may add runs. */
np_status np_archive_read(np_archive *archive, int64_t point, const char *measure, uint32_t runs, np_samples *out)
{
    *out = (np_samples){.runs = runs};
    np_status st = execute(archive, "BEGIN");
    return st ? st : np_archive_end(archive, read_all(archive, point, measure, runs, out));
}
