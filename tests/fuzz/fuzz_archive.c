/*
 * Samples in the archive of an experiment, which another program may have written: the lines of the input are a phase,
 * a measure, and a JSON list of values. Read back, they are a number for each run; or a line says that the file is
 * damaged.
 */
#include "fuzz.h"

#include <jansson.h>
#include <math.h>
#include <sqlite3.h>
#include <string.h>

#include "lab/archive/archive.h"

const fuzz_rule fuzz_grammar[] = {
    {"sample", "$name\n$name\n[$values]"},
    {"name", "A|steps|total.steps||$bytes|$bytes$name$name"},
    {"values", "$value|$value,$value,$value|$value, $values"},
    {"value", "$number|-$number|$number.$number|null|\"a\"|[$values]|{\"a\": $value}|true|1e308"},
    {NULL, NULL},
};

enum { RUNS = 3, POINT = 1, NAME_MOST = 200 };

static np_archive *archive;
static sqlite3 *db; /* by another way to the same file */

/* A point with one sample. */
static void begin(void)
{
    char path[64];
    np_samples samples;
    int64_t point;
    uint32_t runs;
    snprintf(path, sizeof path, "%s/a.sqlite", fuzz_folder());
    FUZZ_CHECK(!np_archive_open(path, false, &archive) && !np_archive_find(archive, "key", &point, &runs) &&
               point == POINT);
    FUZZ_CHECK(!np_samples_init(&samples, 1, 0, RUNS));
    memset(np_samples_add(&samples, "A", "steps"), 0, RUNS * sizeof(double));
    FUZZ_CHECK(!np_archive_add(archive, point, &samples));
    np_samples_clear(&samples);
    FUZZ_CHECK(!sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL));
    FUZZ_CHECK(!sqlite3_exec(db, "PRAGMA synchronous = OFF", NULL, NULL, NULL));
}

/* FNV-1a over texts with the zero bytes at their ends, as archive.c has it: else each input would be refused for its
 * sum. */
static int64_t sum_of(size_t count, const char *const *text)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k <= strlen(text[i]); k++)
            sum = (sum ^ (unsigned char)text[i][k]) * UINT64_C(0x100000001b3);
    return (int64_t)sum;
}

static void write_sum(const char *phase, const char *measure, const char *values)
{
    const char *text[] = {"key", "3", "0", phase, measure, "0", values};
    sqlite3_stmt *statement;
    FUZZ_CHECK(!sqlite3_prepare_v2(db, "UPDATE point SET sum = ?", -1, &statement, NULL));
    sqlite3_bind_int64(statement, 1, sum_of(sizeof text / sizeof *text, text));
    FUZZ_CHECK(sqlite3_step(statement) == SQLITE_DONE);
    sqlite3_finalize(statement);
}

static void write_sample(const char *phase, const char *measure, const char *values)
{
    sqlite3_stmt *statement;
    FUZZ_CHECK(!sqlite3_prepare_v2(db, "UPDATE sample SET phase = ?, measure = ?, value = ?", -1, &statement, NULL));
    sqlite3_bind_text(statement, 1, phase, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, measure, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 3, values, -1, SQLITE_STATIC);
    FUZZ_CHECK(sqlite3_step(statement) == SQLITE_DONE);
    sqlite3_finalize(statement);
}

/* Are the values those of the list, which has one for each run? The reader also takes numbers such as .5 and +1. */
static bool same_values(const char *text, const double *value)
{
    json_t *list = json_loads(text, 0, NULL);
    bool same = !list || json_is_array(list);
    for (size_t i = 0; i < RUNS && same && list; i++) {
        const json_t *item = json_array_get(list, i);
        same = json_is_number(item) ? json_number_value(item) == value[i] : json_is_null(item) && isnan(value[i]);
    }
    json_decref(list);
    return same;
}

static void check(const char *measure, const char *values)
{
    np_samples samples;
    np_status st = np_archive_read(archive, POINT, NULL, RUNS, &samples);
    if (st) {
        FUZZ_CHECK(st == NP_ERROR_IO);
        fuzz_check_message(fuzz_folder());
    } else {
        const np_sample *sample = samples.sample;
        FUZZ_CHECK(samples.count == 1 && strlen(sample->phase) < sizeof sample->phase);
        FUZZ_CHECK(!strncmp(sample->measure, measure, sizeof sample->measure - 1));
        FUZZ_CHECK(same_values(values, sample->value));
    }
    np_samples_clear(&samples);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = calloc(size + 1, 1), *rest = text, *line[2];
    FUZZ_CHECK(text);
    if (size)
        memcpy(text, data, size);
    for (int i = 0; i < 2; i++) {
        line[i] = rest;
        rest += strcspn(rest, "\n");
        if (*rest)
            *rest++ = '\0';
    }
    if (!db)
        begin();
    write_sample(line[0], line[1], rest);
    write_sum(line[0], line[1], rest);
    check(line[1], rest);
    free(text);
    return 0;
}
