/* See archive.h. The journal is SQLite's default one, which also works where several machines share a file system. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* locks that belong to an open file: F_OFD_SETLK */
#endif
#include "report/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>
#include <sqlite3.h>

#include "base/memory.h"

enum {
    APPLICATION = 0x6e705374, /* "npSt": ours, in the file's head */
    SCHEMA = 1,               /* the version of the tables */
    PATIENCE_MS = 10000       /* ours: how long another program may lock the database before we give up */
};

/* What a sample is: the column `axis`. */
enum { MEASURE, AXIS_BY_RUN, AXIS };

static const char schema[] =
    "CREATE TABLE point (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, runs INTEGER NOT NULL);"
    "CREATE TABLE sample (point INTEGER NOT NULL REFERENCES point, number INTEGER NOT NULL, phase TEXT NOT NULL,"
    " measure TEXT NOT NULL, axis INTEGER NOT NULL, value TEXT NOT NULL, PRIMARY KEY (point, number)) WITHOUT ROWID;";

struct np_archive {
    sqlite3 *db;
    char *path;
    int claims; /* descriptor of the file of locks; -1: none */
};

/* ---- SQLite ---- */

/* The cause of the last failure, as an error about the file. */
static np_status fail(const np_archive *archive)
{
    int code = archive->db ? sqlite3_errcode(archive->db) & 0xff : SQLITE_NOMEM;
    int cause = archive->db ? sqlite3_system_errno(archive->db) : 0;
    switch (code) {
    case SQLITE_NOMEM:
        return NP_RAISE(NP_ERROR_MEMORY, "%s: no memory for the database", archive->path);
    case SQLITE_BUSY:
        return NP_RAISE(NP_ERROR_IO, "%s: locked by another program for %d s", archive->path, PATIENCE_MS / 1000);
    case SQLITE_NOTADB:
        return NP_RAISE(NP_ERROR_IO, "%s: no database: move it away to begin anew", archive->path);
    case SQLITE_CORRUPT:
        return NP_RAISE(NP_ERROR_IO, "%s: damaged: move it away to begin anew, or recover what it holds by 'sqlite3'",
                        archive->path);
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
        return NP_RAISE(NP_ERROR_IO, "%s: %s", archive->path, cause ? strerror(cause) : sqlite3_errmsg(archive->db));
    default:
        return NP_RAISE(NP_ERROR_IO, "%s: %s", archive->path, sqlite3_errmsg(archive->db));
    }
}

static np_status damaged(const np_archive *archive, const char *what)
{
    return NP_RAISE(NP_ERROR_IO, "%s: damaged: %s: move it away to begin anew", archive->path, what);
}

static np_status execute(const np_archive *archive, const char *sql)
{
    return sqlite3_exec(archive->db, sql, NULL, NULL, NULL) ? fail(archive) : NP_OK;
}

static np_status prepare(const np_archive *archive, const char *sql, sqlite3_stmt **out)
{
    *out = NULL;
    return sqlite3_prepare_v2(archive->db, sql, -1, out, NULL) ? fail(archive) : NP_OK;
}

/* Carries out a statement that gives no rows, and ends it. */
static np_status finish(const np_archive *archive, sqlite3_stmt *statement)
{
    np_status st = sqlite3_step(statement) == SQLITE_DONE ? NP_OK : fail(archive);
    sqlite3_finalize(statement);
    return st;
}

/* *more: there is a row. */
static np_status next_row(const np_archive *archive, sqlite3_stmt *statement, bool *more)
{
    int code = sqlite3_step(statement);
    *more = code == SQLITE_ROW;
    return code == SQLITE_ROW || code == SQLITE_DONE ? NP_OK : fail(archive);
}

/* The number that a statement such as a pragma gives. */
static np_status query_number(const np_archive *archive, const char *sql, int64_t *out)
{
    sqlite3_stmt *statement;
    bool more = false;
    np_status st = prepare(archive, sql, &statement);
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

/* Makes the tables in a new database; refuses one that is not ours. */
static np_status check_tables(np_archive *archive)
{
    int64_t application = 0, version = 0, tables = 0;
    char sql[96];
    np_status st;
    if ((st = query_number(archive, "SELECT count(*) FROM sqlite_master", &tables)) ||
        (st = query_number(archive, "PRAGMA application_id", &application)) ||
        (st = query_number(archive, "PRAGMA user_version", &version)))
        return st;
    if (tables && application != APPLICATION)
        return NP_RAISE(NP_ERROR_IO, "%s: a database, but not one of experiments: move it away", archive->path);
    if (tables && version != SCHEMA)
        return NP_RAISE(NP_ERROR_IO, "%s: a database of version %lld; this library reads version %d", archive->path,
                        (long long)version, SCHEMA);
    if (tables)
        return NP_OK;
    snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d", APPLICATION, SCHEMA);
    st = execute(archive, schema);
    return st ? st : execute(archive, sql);
}

static np_status open_database(np_archive *archive)
{
    np_status st;
    if (sqlite3_open_v2(archive->path, &archive->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL))
        return fail(archive);
    sqlite3_busy_timeout(archive->db, PATIENCE_MS);
    if ((st = np_archive_begin(archive)))
        return st;
    return np_archive_end(archive, check_tables(archive));
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

np_status np_archive_open(const char *path, np_archive **out)
{
    np_archive *archive;
    np_status st;
    *out = NULL;
    if ((st = np_memory_zeroed(&archive, 1, sizeof *archive, "a database")))
        return st;
    archive->claims = -1;
    archive->path = np_memory_text(path);
    st = archive->path ? open_database(archive) : NP_ERROR_MEMORY;
    if (!st)
        st = open_claims(archive);
    if (st) {
        np_archive_close(archive);
        return st;
    }
    *out = archive;
    return NP_OK;
}

void np_archive_close(np_archive *archive)
{
    if (!archive)
        return;
    sqlite3_close(archive->db);
    if (archive->claims >= 0)
        close(archive->claims);
    np_memory_free(archive->path);
    np_memory_free(archive);
}

/* ---- Points ---- */

static np_status insert_point(np_archive *archive, const char *key, int64_t *point)
{
    sqlite3_stmt *statement;
    np_status st = prepare(archive, "INSERT INTO point (key, runs) VALUES (?, 0)", &statement);
    if (st)
        return st;
    sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC);
    st = finish(archive, statement);
    *point = sqlite3_last_insert_rowid(archive->db);
    return st;
}

np_status np_archive_find(np_archive *archive, const char *key, int64_t *point, uint32_t *runs)
{
    sqlite3_stmt *statement;
    bool found = false;
    np_status st = prepare(archive, "SELECT id, runs FROM point WHERE key = ?", &statement);
    if (st)
        return st;
    sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC);
    st = next_row(archive, statement, &found);
    *point = found ? sqlite3_column_int64(statement, 0) : 0;
    *runs = found ? (uint32_t)sqlite3_column_int64(statement, 1) : 0;
    sqlite3_finalize(statement);
    return st || found ? st : insert_point(archive, key, point);
}

/* ---- Claims ---- */

#ifdef F_OFD_SETLK
enum { SET_LOCK = F_OFD_SETLK }; /* two experiments of one process exclude each other, too */
#else
enum { SET_LOCK = F_SETLK };
#endif

static int lock(const np_archive *archive, int64_t point, short type)
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

/* ---- Samples ---- */

/* "[3,4.5,null]": exact, and the same on every machine. NULL: no memory. */
static char *write_values(const double *value, uint32_t count)
{
    json_t *list = json_array();
    int failed = 0;
    for (uint32_t i = 0; i < count && !failed; i++) {
        double v = value[i];
        json_t *number = !isfinite(v)                        ? json_null()
                         : fabs(v) < 0x1p53 && v == trunc(v) ? json_integer((json_int_t)v)
                                                             : json_real(v);
        failed = json_array_append_new(list, number);
    }
    char *text = failed ? NULL : json_dumps(list, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(list);
    return text;
}

static bool read_values(const char *text, uint32_t count, double *value)
{
    json_t *list = text ? json_loads(text, 0, NULL) : NULL;
    bool good = json_is_array(list) && json_array_size(list) >= count;
    for (uint32_t i = 0; i < count && good; i++) {
        const json_t *number = json_array_get(list, i);
        good = json_is_number(number) || json_is_null(number);
        value[i] = json_is_null(number) ? (double)NAN : json_number_value(number);
    }
    json_decref(list);
    return good;
}

static np_status put_sample(np_archive *archive, int64_t point, size_t number, const np_sample *sample, char *values)
{
    sqlite3_stmt *statement;
    np_status st = prepare(archive, "INSERT INTO sample VALUES (?, ?, ?, ?, ?, ?)", &statement);
    if (st)
        return st;
    sqlite3_bind_int64(statement, 1, point);
    sqlite3_bind_int64(statement, 2, (sqlite3_int64)number);
    sqlite3_bind_text(statement, 3, sample->phase, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 4, sample->measure, -1, SQLITE_STATIC);
    sqlite3_bind_int(statement, 5, !sample->axis ? MEASURE : sample->constant ? AXIS : AXIS_BY_RUN);
    sqlite3_bind_text(statement, 6, values, -1, SQLITE_STATIC);
    return finish(archive, statement);
}

/* Joins the lists "[1,2]" and "[3]". */
static np_status append_sample(np_archive *archive, int64_t point, size_t number, const np_sample *sample, char *values)
{
    sqlite3_stmt *statement;
    np_status st = prepare(archive,
                           "UPDATE sample SET value = rtrim(value, ']') || ',' || ltrim(?, '[') "
                           "WHERE point = ? AND number = ? AND phase = ? AND measure = ?",
                           &statement);
    if (st)
        return st;
    sqlite3_bind_text(statement, 1, values, -1, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 2, point);
    sqlite3_bind_int64(statement, 3, (sqlite3_int64)number);
    sqlite3_bind_text(statement, 4, sample->phase, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 5, sample->measure, -1, SQLITE_STATIC);
    if ((st = finish(archive, statement)))
        return st;
    return sqlite3_changes(archive->db) == 1 ? NP_OK : damaged(archive, "its earlier runs have other measures");
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
    np_memory_free(values);
    return st;
}

/* Counts the runs. They follow those that are there: only who has the claim adds any. */
static np_status count_runs(np_archive *archive, int64_t point, const np_samples *samples)
{
    sqlite3_stmt *statement;
    np_status st = prepare(archive, "UPDATE point SET runs = runs + ? WHERE id = ? AND runs = ?", &statement);
    if (st)
        return st;
    sqlite3_bind_int64(statement, 1, samples->runs);
    sqlite3_bind_int64(statement, 2, point);
    sqlite3_bind_int64(statement, 3, samples->first);
    if ((st = finish(archive, statement)))
        return st;
    return sqlite3_changes(archive->db) == 1 ? NP_OK : damaged(archive, "another process worked on a claimed point");
}

np_status np_archive_add(np_archive *archive, int64_t point, const np_samples *samples)
{
    np_status st = np_archive_begin(archive);
    if (st)
        return st;
    st = count_runs(archive, point, samples);
    for (size_t i = 0; i < samples->count && !st; i++)
        st = add_sample(archive, point, i, samples);
    return np_archive_end(archive, st);
}

/* ---- Reading ---- */

/* Every axis, and of the measures the one asked for, or all. */
#define CHOSEN " FROM sample WHERE point = ?1 AND (?2 IS NULL OR axis OR measure = ?2)"

static np_status choose(const np_archive *archive, const char *sql, int64_t point, const char *measure,
                        sqlite3_stmt **statement)
{
    np_status st = prepare(archive, sql, statement);
    if (!st) {
        sqlite3_bind_int64(*statement, 1, point);
        sqlite3_bind_text(*statement, 2, measure, -1, SQLITE_STATIC);
    }
    return st;
}

static np_status count_samples(const np_archive *archive, int64_t point, const char *measure, size_t *count)
{
    sqlite3_stmt *statement;
    bool more = false;
    np_status st = choose(archive, "SELECT count(*)" CHOSEN, point, measure, &statement);
    if (!st && !(st = next_row(archive, statement, &more)))
        *count = more ? (size_t)sqlite3_column_int64(statement, 0) : 0;
    sqlite3_finalize(statement);
    return st;
}

static np_status read_sample(const np_archive *archive, sqlite3_stmt *row, np_samples *out)
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

np_status np_archive_read(np_archive *archive, int64_t point, const char *measure, uint32_t runs, np_samples *out)
{
    sqlite3_stmt *statement = NULL;
    size_t count = 0;
    bool more = true;
    np_status st;
    *out = (np_samples){.runs = runs};
    if ((st = count_samples(archive, point, measure, &count)) || (st = np_samples_init(out, count, 0, runs)) ||
        (st = choose(archive, "SELECT phase, measure, axis, value" CHOSEN " ORDER BY number", point, measure,
                     &statement)))
        return st;
    while (!st && !(st = next_row(archive, statement, &more)) && more)
        st = read_sample(archive, statement, out);
    sqlite3_finalize(statement);
    return st;
}
