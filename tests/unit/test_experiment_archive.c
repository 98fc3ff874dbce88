/*
 * What an experiment keeps: nothing that was kept is run again, not after a kill, not with more runs or points, not by
 * several processes at once; and the CSV is the same to the byte as that of one undisturbed run. The key of a point
 * changes with every option.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <sqlite3.h>

#include "base/memory.h"
#include "lab/experiment/experiment.h"
#include "support.h"

#define FILE_OF(runs, networks)                                                                                        \
    "{\"name\": \"e\", \"runs\": " runs ", \"series\": ["                                                              \
    "{\"label\": \"a\", \"scheme\": \"valiant\", \"traffic\": \"random\", \"networks\": [" networks "]},"              \
    "{\"label\": \"b\", \"algorithm\": \"bitonic\", \"networks\": [\"hypercube:3\", \"hypercube:4\"]},"                \
    "{\"label\": \"c\", \"program\": \"random-reads\", \"machine\": \"butterfly:2\", \"steps\": 2}]}"
#define SMALL FILE_OF("12", "\"hypercube:3\", \"ring:9\"")
enum { POINTS = 5, RUNS = 12 };

static char directory[64];

/* What the processes of a test share. */
static struct shared {
    int runs;        /* done by all of them */
    int killed_at;   /* the process that does this run kills itself after it; 0: none */
    int cancel_at;   /* likewise cancelled */
    uint32_t before; /* of the present point, when the last callback came */
    char place[64];
    volatile bool locked;
} * shared;

static uint32_t before[16]; /* [points] runs that this process knows to be done */

static void fresh_directory(void)
{
    memset(before, 0, sizeof before);
    strcpy(directory, "/tmp/netpram-test-XXXXXX");
    assert_non_null(mkdtemp(directory));
    *shared = (struct shared){0};
}

static const char *inside(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static void remove_directory(void)
{
    static const char *const names[] = {"e.csv", "e.sqlite", "e.sqlite-claims", "e.sqlite-journal", "e.sqlite.damaged"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(inside(names[i]));
    assert_int_equal(rmdir(directory), 0);
}

/* The CSV, and removes it. */
static char *take_csv(void)
{
    static char text[2][1 << 17];
    static int turn;
    turn = !turn;
    FILE *file = fopen(inside("e.csv"), "r");
    assert_non_null(file);
    size_t length = fread(text[turn], 1, sizeof text[turn] - 1, file);
    text[turn][length] = '\0';
    assert_true(length > 100 && length < sizeof text[turn] - 1);
    fclose(file);
    unlink(inside("e.csv"));
    return text[turn];
}

/* Counts the runs: the callback may also come within one. */
static int count(void *context, const np_progress *progress)
{
    (void)context;
    size_t point;
    assert_int_equal(sscanf(progress->stage, "point %zu", &point), 1);
    if (progress->done <= before[point - 1])
        return 0;
    before[point - 1] = (uint32_t)progress->done;
    int now = __atomic_add_fetch(&shared->runs, 1, __ATOMIC_SEQ_CST);
    if (now == shared->killed_at)
        kill(getpid(), SIGKILL);
    return now == shared->cancel_at;
}

static bool repairs;

static np_status run(const char *text, uint32_t runs, np_experiment_outcome *outcome)
{
    np_experiment *experiment;
    np_experiment_options options;
    np_experiment_options_init(&options);
    options.directory = directory;
    options.threads = 1;
    options.runs = runs;
    options.watch.tell = count;
    options.repair = repairs;
    assert_ok(np_experiment_parse("x.json", text, strlen(text), &experiment));
    np_status st = np_experiment_run(experiment, &options, outcome);
    np_experiment_free(experiment);
    return st;
}

static char *csv_of(const char *text, uint32_t runs)
{
    np_experiment_outcome outcome;
    assert_ok(run(text, runs, &outcome));
    assert_int_equal(outcome.points, outcome.points_all);
    return take_csv();
}

/* In a process of its own; returns how it ended. */
static int run_apart(const char *text)
{
    pid_t child = fork();
    int status = 0;
    assert_true(child >= 0);
    if (!child) {
        np_experiment_outcome outcome;
        _exit(run(text, 0, &outcome) ? 1 : 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

/* What one undisturbed run writes. */
static void expect(char *out)
{
    fresh_directory();
    strcpy(out, csv_of(SMALL, 0));
    assert_int_equal(shared->runs, POINTS * RUNS);
    remove_directory();
}

static char expected[1 << 17];

static void what_is_there_is_not_run_again(void **state)
{
    (void)state;
    expect(expected);
    fresh_directory();
    np_experiment_outcome outcome;
    assert_ok(run(SMALL, 0, &outcome));
    assert_int_equal(outcome.before, 0);
    assert_string_equal(take_csv(), expected);
    assert_ok(run(SMALL, 0, &outcome));
    assert_int_equal(outcome.before, POINTS);
    assert_string_equal(take_csv(), expected);
    assert_int_equal(shared->runs, POINTS * RUNS);
    remove_directory();
}

/* Killed after each run in turn: what was kept is not run again, and the CSV comes out the same. */
static void a_kill_loses_only_what_is_in_hand(void **state)
{
    (void)state;
    expect(expected);
    for (int at = 1; at <= POINTS * RUNS; at += SUPPORT_FEWER(7, 19)) {
        fresh_directory();
        shared->killed_at = at;
        assert_true(WIFSIGNALED(run_apart(SMALL)));
        assert_int_equal(shared->runs, at);
        shared->killed_at = 0;
        assert_string_equal(csv_of(SMALL, 0), expected);
        assert_in_range(shared->runs, POINTS * RUNS, POINTS * RUNS + RUNS); /* of the point in hand */
        remove_directory();
    }
}

static void a_cancelled_run_goes_on(void **state)
{
    (void)state;
    np_experiment_outcome outcome;
    expect(expected);
    fresh_directory();
    shared->cancel_at = 2 * RUNS + 3;
    assert_refused(run(SMALL, 0, &outcome), NP_ERROR_CANCELLED, "");
    assert_int_equal(outcome.points, 2);
    assert_int_equal(outcome.points_all, POINTS);
    assert_string_equal(csv_of(SMALL, 0), expected);
    remove_directory();
}

/* More runs are added to those that are there; fewer are read from them. */
static void more_runs_extend(void **state)
{
    (void)state;
    fresh_directory();
    strcpy(expected, csv_of(SMALL, 7));
    assert_int_equal(shared->runs, POINTS * 7);
    char *whole = csv_of(SMALL, 0);
    assert_int_equal(shared->runs, POINTS * RUNS);
    assert_string_equal(csv_of(SMALL, 7), expected);
    assert_int_equal(shared->runs, POINTS * RUNS);
    strcpy(expected, whole);
    remove_directory();
    fresh_directory();
    assert_string_equal(csv_of(SMALL, 0), expected);
    remove_directory();
}

static void more_points_extend(void **state)
{
    (void)state;
    static const char more[] = FILE_OF("12", "\"ring:9\", \"hypercube:4\", \"hypercube:3\"");
    fresh_directory();
    csv_of(SMALL, 0);
    memset(before, 0, sizeof before); /* other points */
    strcpy(expected, csv_of(more, 0));
    assert_int_equal(shared->runs, (POINTS + 1) * RUNS);
    remove_directory();
    fresh_directory();
    assert_string_equal(csv_of(more, 0), expected);
    remove_directory();
}

/* No run is done twice, and every process writes the same. */
static void expect_end(pid_t child)
{
    int status = 1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* Several processes run the experiment. Every run is done once. */
static void share(void)
{
    enum { PROCESSES = 4 };
    pid_t child[PROCESSES];
    for (int i = 0; i < PROCESSES; i++)
        if (!(child[i] = fork())) {
            np_experiment_outcome outcome;
            _exit(run(SMALL, 0, &outcome) || outcome.points != POINTS ? 1 : 0);
        }
    for (int i = 0; i < PROCESSES; i++)
        expect_end(child[i]);
    assert_string_equal(take_csv(), expected);
    assert_int_equal(shared->runs, POINTS * RUNS);
}

static void processes_share(void **state)
{
    (void)state;
    expect(expected);
    fresh_directory();
    share();
    remove_directory();
}

/* Locks the database against all others, again and again for a while, as a program does that changes it. */
static void lock_often(void)
{
    struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0x40000000, .l_len = 512}; /* of SQLite */
    const struct timespec held = {.tv_nsec = 300000000}, free = {.tv_nsec = 30000000};
    int file = open(inside("e.sqlite"), O_RDWR);
    for (int i = 0; i < 4; i++) {
        all.l_type = F_WRLCK;
        if (fcntl(file, F_SETLKW, &all))
            _exit(1);
        shared->locked = true;
        nanosleep(&held, NULL);
        all.l_type = F_UNLCK;
        if (fcntl(file, F_SETLK, &all))
            _exit(1);
        nanosleep(&free, NULL);
    }
    _exit(0);
}

/* A database that is locked for a second is waited for: no run is lost, none is done twice, and no process fails. */
static void a_locked_database_is_waited_for(void **state)
{
    (void)state;
    np_archive *archive;
    expect(expected);
    fresh_directory();
    assert_ok(np_archive_open(inside("e.sqlite"), false, &archive));
    np_archive_close(archive);
    pid_t locker = fork();
    if (!locker)
        lock_often();
    while (!shared->locked)
        usleep(1000);
    share();
    expect_end(locker);
    remove_directory();
}

/* ---- The archive alone ---- */

static void claims_exclude_and_end_with_their_owner(void **state)
{
    (void)state;
    np_archive *first, *second;
    bool claimed;
    int64_t point;
    uint32_t runs;
    fresh_directory();
    assert_ok(np_archive_open(inside("e.sqlite"), false, &first));
    assert_ok(np_archive_open(inside("e.sqlite"), false, &second));
    assert_ok(np_archive_find(first, "k", &point, &runs));
    assert_ok(np_archive_claim(first, point, &claimed));
    assert_true(claimed);
    assert_ok(np_archive_claim(second, point, &claimed));
    assert_false(claimed);
    assert_ok(np_archive_claim(second, point + 1, &claimed));
    assert_true(claimed);
    np_archive_close(first); /* without a release */
    assert_ok(np_archive_claim(second, point, &claimed));
    assert_true(claimed);
    np_archive_close(second);
    remove_directory();
}

/* Values come back to the bit, those that are none as well. */
static void samples_come_back(void **state)
{
    (void)state;
    static const double values[] = {1.0 / 3, 0, -2, 1e300, 5e-324, 9007199254740993.0, 0.1, 123456789};
    enum { COUNT = sizeof values / sizeof *values };
    np_archive *archive;
    np_samples samples;
    int64_t point;
    uint32_t runs;
    fresh_directory();
    assert_ok(np_archive_open(inside("e.sqlite"), false, &archive));
    assert_ok(np_archive_find(archive, "k", &point, &runs));
    for (uint32_t first = 0; first < COUNT; first += COUNT / 2) {
        assert_ok(np_samples_init(&samples, 3, first, COUNT / 2));
        np_samples_add_axis(&samples, "nodes", 7 + first); /* of run 0 */
        memcpy(np_samples_add(&samples, "A", "steps"), values + first, COUNT / 2 * sizeof *values);
        memcpy(np_samples_add(&samples, "A", "hops"), values + first, COUNT / 2 * sizeof *values);
        assert_ok(np_archive_add(archive, point, &samples));
        np_samples_clear(&samples);
    }
    assert_ok(np_archive_find(archive, "k", &point, &runs));
    assert_int_equal(runs, COUNT);
    assert_ok(np_archive_read(archive, point, "steps", COUNT, &samples));
    assert_int_equal(samples.count, 2);
    assert_true(samples.sample[0].axis && samples.sample[0].constant);
    assert_float_equal(samples.sample[0].value[0], 7, 0);
    assert_memory_equal(samples.sample[1].value, values, sizeof values);
    np_samples_clear(&samples);
    assert_refused(np_archive_read(archive, point, NULL, COUNT + 1, &samples), NP_ERROR_IO, "too few runs");
    np_samples_clear(&samples);
    np_archive_close(archive);
    remove_directory();
}

/* Files that are none of ours, or no longer whole. */
static void others_are_refused(void **state)
{
    (void)state;
    np_experiment_outcome outcome;
    char half[1 << 14];
    fresh_directory();
    FILE *file = fopen(inside("e.sqlite"), "w");
    fputs("label,scheme\n", file);
    fclose(file);
    assert_refused(run(SMALL, 0, &outcome), NP_ERROR_IO, "e.sqlite: no database: move it away");
    unlink(inside("e.sqlite"));
    csv_of(SMALL, 0);
    file = fopen(inside("e.sqlite"), "r");
    size_t length = fread(half, 1, sizeof half, file);
    fclose(file);
    assert_true(length > 8192);
    memset(half + 4096, 0x5a, 4096); /* a page of it */
    file = fopen(inside("e.sqlite"), "r+");
    fwrite(half, 1, length, file);
    fclose(file);
    assert_refused(run(SMALL, 0, &outcome), NP_ERROR_IO,
                   "e.sqlite: damaged: its pages do not fit together: move it away");
    assert_int_equal(access(inside("e.csv"), F_OK), -1);
    remove_directory();
}

/* ---- Damage ---- */

static char whole[1 << 17]; /* a database that is whole */
static size_t whole_length;

static void write_whole(void)
{
    FILE *file = fopen(inside("e.sqlite"), "w");
    assert_non_null(file);
    assert_int_equal(fwrite(whole, 1, whole_length, file), whole_length);
    assert_int_equal(fclose(file), 0);
}

/* The database is damaged in one place: it gives the same CSV or is refused; repaired, it gives the same CSV. */
static void expect_same_or_refused(const char *want, const char *place, bool *refused)
{
    np_experiment_outcome outcome;
    *refused = false;
    for (int repair = 0; repair < 2; repair++) {
        memset(before, 0, sizeof before);
        repairs = repair;
        np_status st = run(SMALL, 0, &outcome);
        repairs = false;
        if (st && !repair) {
            *refused = true;
            if (st != NP_ERROR_IO || strchr(np_last_error(), '\n') || !strstr(np_last_error(), "e.sqlite"))
                fail_msg("%s: %s", place, np_last_error());
            assert_int_equal(access(inside("e.csv"), F_OK), -1);
            continue;
        }
        if (st && (strstr(np_last_error(), "not one of experiments") || strstr(np_last_error(), "of version") ||
                   strstr(np_last_error(), "readonly") || strstr(np_last_error(), "unsupported file format")))
            continue; /* it seems to be another program's, or of a later version: nobody repairs it */
        if (st)
            fail_msg("%s, repaired: %s", place, np_last_error());
        if (strcmp(take_csv(), want) != 0)
            fail_msg("%s: another CSV%s", place, repair ? ", repaired" : "");
    }
}

/* Makes the database and returns its CSV. */
static const char *make_whole(void)
{
    static char want[1 << 17];
    fresh_directory();
    strcpy(want, csv_of(SMALL, 0));
    FILE *file = fopen(inside("e.sqlite"), "r");
    assert_non_null(file);
    whole_length = fread(whole, 1, sizeof whole, file);
    assert_true(whole_length > 8192 && whole_length < sizeof whole);
    fclose(file);
    return want;
}

/* All bits of the head, and bits all over the file. NETPRAM_TEST_FLIPS: how many of them. */
static void a_flipped_bit_is_no_other_csv(void **state)
{
    (void)state;
    enum { HEAD = 100 * 8 };
    const char *want = make_whole(), *more = getenv("NETPRAM_TEST_FLIPS");
    unsigned flips = more ? (unsigned)atoi(more) : 60, refusals = 0;
    uint64_t draw = 1;
    for (unsigned i = 0; i < HEAD + flips; i += i < HEAD && !more ? 37 : 1) {
        draw = draw * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        size_t bit = i < HEAD ? i : (size_t)((draw >> 20) % (8 * whole_length));
        char place[40];
        bool refused;
        whole[bit / 8] ^= (char)(1 << bit % 8);
        write_whole();
        whole[bit / 8] ^= (char)(1 << bit % 8);
        snprintf(place, sizeof place, "byte %zu, bit %zu", bit / 8, bit % 8);
        expect_same_or_refused(want, place, &refused);
        refusals += refused;
    }
    assert_true(refusals > flips / 8); /* what is flipped is seen */
    remove_directory();
}

static void change(const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(inside("e.sqlite"), &db), SQLITE_OK);
    int code = sqlite3_exec(db, sql, NULL, NULL, NULL);
    if (code)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    sqlite3_close(db);
}

/* A damaged point is empty when it is found for a repair, and anybody may claim it. */
static void emptied_points_are_free(void **state)
{
    (void)state;
    np_archive *first, *second;
    bool claimed;
    int64_t point;
    uint32_t runs;
    fresh_directory();
    assert_ok(np_archive_open(inside("e.sqlite"), false, &first));
    assert_ok(np_archive_find(first, "k", &point, &runs));
    np_archive_close(first);
    change("UPDATE point SET sum = sum + 1");
    assert_ok(np_archive_open(inside("e.sqlite"), true, &first));
    assert_ok(np_archive_open(inside("e.sqlite"), false, &second));
    assert_refused(np_archive_find(second, "k", &point, &runs), NP_ERROR_IO, "");
    assert_ok(np_archive_find(first, "k", &point, &runs));
    assert_int_equal(runs, 0);
    assert_ok(np_archive_find(second, "k", &point, &runs));
    assert_ok(np_archive_claim(second, point, &claimed));
    assert_true(claimed);
    np_archive_close(first);
    np_archive_close(second);
    remove_directory();
}

/* What is stored, changed by SQL, so that no page is damaged. */
static void a_change_of_what_is_kept_is_seen(void **state)
{
    (void)state;
    static const char *const changes[] = {
        "UPDATE point SET runs = runs - 1 WHERE id = 1",
        "UPDATE point SET runs = runs + 1 WHERE id = 2",
        "UPDATE point SET runs = -runs WHERE id = 2",
        "UPDATE point SET runs = runs + 4294967296 WHERE id = 3",
        "UPDATE point SET sum = sum + 1 WHERE id = 3",
        "UPDATE point SET key = key || ' ' WHERE id = 1",
        "UPDATE sample SET measure = 'stepz' WHERE measure = 'steps' AND point = 1",
        "UPDATE sample SET phase = 'X' WHERE point = 1 AND number = 6",
        "UPDATE sample SET axis = 1 - axis WHERE point = 2 AND number = 3",
        "UPDATE sample SET number = number + 100 WHERE point = 2 AND number = 3",
        "UPDATE sample SET point = 99 WHERE point = 2 AND number = 3",
        "DELETE FROM sample WHERE point = 4 AND number = 5",
        "INSERT INTO sample VALUES (5, 1000, '', 'new', 0, '[1,2,3,4,5,6,7,8,9,10,11,12]')",
        "CREATE INDEX extra ON sample(measure)",
        "CREATE VIEW extra AS SELECT * FROM point",
        "CREATE TABLE extra (x)",
        "CREATE TRIGGER extra AFTER INSERT ON point BEGIN UPDATE point SET runs = 1; END",
    };
    const char *want = make_whole();
    bool refused;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        write_whole();
        change(changes[i]);
        expect_same_or_refused(want, changes[i], &refused);
        if (!refused && !strstr(changes[i], "key = key")) /* a point with another key is no point of ours */
            fail_msg("%s: not refused", changes[i]);
    }
    for (int at = 1; at < 400; at += SUPPORT_FEWER(57, 133)) {
        char sql[300];
        write_whole();
        snprintf(sql, sizeof sql,
                 "UPDATE sample SET value = substr(value, 1, %d) || char(unicode(substr(value, %d, 1)) + 1) || "
                 "substr(value, %d) WHERE length(value) >= %d AND point = 1 + %d %% 5",
                 at % 24, at % 24 + 1, at % 24 + 2, at % 24 + 1, at);
        change(sql);
        expect_same_or_refused(want, sql, &refused);
        assert_true(refused);
    }
    write_whole();
    change("UPDATE sample SET value = replace(value, '3', '4') WHERE point = 1");
    np_experiment_outcome outcome;
    assert_refused(run(SMALL, 0, &outcome), NP_ERROR_IO, "runs it again: results ");
    assert_non_null(strstr(np_last_error(), "scheme=valiant"));
    write_whole();
    change("PRAGMA user_version = 1");
    assert_refused(run(SMALL, 0, &outcome), NP_ERROR_IO, "of version 1; this library reads version 2: move it away");
    remove_directory();
}

/* ---- Keys ---- */

/* A value of the field that is not its default. */
static const char *other_value(const np_field *field, char *room, size_t size)
{
    if (!strcmp(field->name, "ranks"))
        return "hash";
    if (field->words)
        return field->words[1];
    switch (field->kind) {
    case NP_FIELD_BOOL:
        return "true";
    case NP_FIELD_REAL:
        return !field->set ? "0.5" : field->unit && !strcmp(field->unit, "bit/s") ? "7Gbit/s" : "7";
    case NP_FIELD_TEXT:
        return field->set ? "sorted" : "other"; /* the order of keys */
    case NP_FIELD_WORD:
        return "erew"; /* the rule */
    default:
        snprintf(room, size, "%d", (int)field->low + 6); /* no default */
        return room;
    }
}

static void make_series(const np_series_kind *kind, const char *key, const char *value, char *out, size_t size)
{
    size_t length = (size_t)snprintf(out, size, "{\"name\": \"e\", \"series\": [{\"label\": \"a\", \"sweep\": {");
    static const char *const needed[] = {"traffic", "networks"};
    const char *keys[NP_EXPERIMENT_KEYS];
    size_t count = np_series_keys(kind, keys, 0, NP_EXPERIMENT_KEYS);
    length += (size_t)snprintf(out + length, size - length, "\"%s\": \"%s\"", kind->key,
                               !strcmp(key, kind->key) ? value : "x");
    for (size_t i = 0; i < count; i++) {
        bool need = !strcmp(keys[i], needed[0]) || !strcmp(keys[i], needed[1]), asked = !strcmp(keys[i], key);
        if ((need || asked) && strcmp(keys[i], kind->key) != 0)
            length += (size_t)snprintf(out + length, size - length, ", \"%s\": \"%s\"", keys[i], asked ? value : "x");
    }
    snprintf(out + length, size - length, "}}]}");
}

/* The key of a series with this value of one of its keys. */
static char *key_with(const np_series_kind *kind, const char *key, const char *value)
{
    char text[1024];
    char *out;
    np_experiment *experiment;
    make_series(kind, key, value, text, sizeof text);
    assert_ok(np_experiment_parse("x.json", text, strlen(text), &experiment));
    assert_ok(np_series_key(&experiment->serie[0], 0, &out));
    np_experiment_free(experiment);
    return out;
}

static void every_option_is_in_the_key(void **state)
{
    (void)state;
    size_t checked = 0;
    for (const np_series_kind *const *kind = np_series_kinds; *kind; kind++) {
        const char *keys[NP_EXPERIMENT_KEYS];
        char *plain = key_with(*kind, "", "");
        size_t count = np_series_keys(*kind, keys, 0, NP_EXPERIMENT_KEYS);
        assert_in_range(count, 3, NP_EXPERIMENT_KEYS - 1);
        for (size_t i = 0; i < count; i++, checked++) {
            char room[24];
            const char *value = other_value(np_fields_find((*kind)->fields, keys[i]), room, sizeof room);
            char *other = key_with(*kind, keys[i], value);
            if (!strcmp(keys[i], "runs")) /* more runs extend a point */
                assert_string_equal(plain, other);
            else if (!strcmp(plain, other))
                fail_msg("%s %s is not in the key", keys[i], value);
            np_memory_free(other);
        }
        np_memory_free(plain);
    }
    assert_in_range(checked, 100, 1000);
}

/* A file of another content is another file. */
static void check_contents(const char *options)
{
    char value[128];
    char *path = support_file("0 1\n1 0\n");
    snprintf(value, sizeof value, "file:%s%s", path, options);
    char *first = key_with(np_series_kinds[0], "networks", value);
    FILE *file = fopen(path, "a");
    fputs("# 1\n", file);
    fclose(file);
    char *second = key_with(np_series_kinds[0], "networks", value);
    assert_string_not_equal(first, second);
    np_memory_free(first);
    np_memory_free(second);
    unlink(path);
    free(path);
}

static void the_contents_of_files_are_in_the_key(void **state)
{
    (void)state;
    check_contents("");
    check_contents(":undirected");
    check_contents(":undirected:hosts=file:/nowhere");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_there_is_not_run_again),
        cmocka_unit_test(a_kill_loses_only_what_is_in_hand),
        cmocka_unit_test(a_cancelled_run_goes_on),
        cmocka_unit_test(more_runs_extend),
        cmocka_unit_test(more_points_extend),
        cmocka_unit_test(processes_share),
        cmocka_unit_test(a_locked_database_is_waited_for),
        cmocka_unit_test(claims_exclude_and_end_with_their_owner),
        cmocka_unit_test(emptied_points_are_free),
        cmocka_unit_test(samples_come_back),
        cmocka_unit_test(others_are_refused),
        cmocka_unit_test(a_flipped_bit_is_no_other_csv),
        cmocka_unit_test(a_change_of_what_is_kept_is_seen),
        cmocka_unit_test(every_option_is_in_the_key),
        cmocka_unit_test(the_contents_of_files_are_in_the_key),
    };
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(shared != MAP_FAILED);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
