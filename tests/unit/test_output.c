/* Files appear only when whole: success, failure half-way (a limit on file size stands for a full disk), devices. */
#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "support.h"

static char directory[] = "/tmp/netpram-test-XXXXXX";

static char *inside(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static int entries(void)
{
    int count = 0;
    DIR *open = opendir(directory);
    assert_non_null(open);
    for (struct dirent *entry; (entry = readdir(open));)
        count += entry->d_name[0] != '.';
    closedir(open);
    return count;
}

static void assert_contents(const char *path, const char *want)
{
    char got[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fread(got, 1, sizeof got - 1, file), strlen(want));
    assert_string_equal(got, want);
    fclose(file);
}

static void write_whole(const char *path, const char *text)
{
    np_output *output;
    assert_ok(np_output_open(path, &output));
    fputs(text, np_output_stream(output));
    assert_ok(np_output_commit(output));
}

static void appears_only_when_committed(void **state)
{
    (void)state;
    np_output *output;
    assert_ok(np_output_open(inside("a"), &output));
    fputs("new", np_output_stream(output));
    fflush(np_output_stream(output));
    assert_int_not_equal(access(inside("a"), F_OK), 0);
    assert_ok(np_output_commit(output));
    assert_contents(inside("a"), "new");
    assert_int_equal(entries(), 1);
    unlink(inside("a"));
}

static void a_discarded_file_leaves_the_old_one(void **state)
{
    (void)state;
    np_output *output;
    write_whole(inside("a"), "old");
    assert_ok(np_output_open(inside("a"), &output));
    fputs("new", np_output_stream(output));
    np_output_discard(output);
    np_output_discard(NULL);
    assert_contents(inside("a"), "old");
    assert_int_equal(entries(), 1);
    unlink(inside("a"));
}

/*
 * Writes 10,000 bytes where 4,096 fit: whether seen at a write or only at the
 * flush, and also where there is room again by then (another file was removed).
 */
static void overflow(size_t buffer, bool room_again)
{
    struct rlimit before, small;
    np_output *output;
    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    small.rlim_cur = 4096;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    assert_ok(np_output_open(inside("a"), &output));
    setvbuf(np_output_stream(output), NULL, _IOFBF, buffer);
    for (int i = 0; i < 10000; i++)
        putc('x', np_output_stream(output));
    if (room_again)
        setrlimit(RLIMIT_FSIZE, &before);
    np_status st = np_output_commit(output);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_refused(st, NP_ERROR_IO, inside("a"));
}

static void a_failed_write_leaves_the_old_one(void **state)
{
    (void)state;
    write_whole(inside("a"), "old");
    overflow(1 << 16, false);
    assert_refused(NP_ERROR_IO, NP_ERROR_IO, "File too large");
    overflow(512, false);
    overflow(512, true);
    assert_contents(inside("a"), "old");
    assert_int_equal(entries(), 1);
    unlink(inside("a"));
}

static void refuses_where_it_cannot_write(void **state)
{
    (void)state;
    np_output *output;
    assert_refused(np_output_open(inside("none/a"), &output), NP_ERROR_IO, "none/a: No such file");
    assert_null(output);
    assert_refused(np_output_open(directory, &output), NP_ERROR_IO, "Is a directory");
    assert_int_equal(entries(), 0);
}

static void devices_are_written_directly(void **state)
{
    (void)state;
    np_output *output;
    write_whole("/dev/null", "text");
    assert_ok(np_output_open("/dev/full", &output));
    fputs("text", np_output_stream(output));
    assert_refused(np_output_commit(output), NP_ERROR_IO, "/dev/full: No space left");
    struct stat about;
    assert_int_equal(stat("/dev/full", &about), 0);
    assert_true(S_ISCHR(about.st_mode));
}

static void links_are_followed(void **state)
{
    (void)state;
    struct stat about;
    write_whole(inside("a"), "old");
    assert_int_equal(symlink("a", inside("b")), 0);
    write_whole(inside("b"), "new");
    assert_int_equal(lstat(inside("b"), &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_contents(inside("a"), "new");
    unlink(inside("a"));
    unlink(inside("b"));
}

static void makes_directories(void **state)
{
    (void)state;
    assert_ok(np_output_directory(inside("x/y")));
    assert_ok(np_output_directory(inside("x/y/")));
    assert_ok(np_output_directory("/"));
    write_whole(inside("x/y/a"), "");
    assert_refused(np_output_directory(inside("x/y/a/b")), NP_ERROR_IO, "x/y/a/b: Not a directory");
    assert_refused(np_output_directory(inside("x/y/a")), NP_ERROR_IO, "Not a directory");
    unlink(inside("x/y/a"));
    rmdir(inside("x/y"));
    rmdir(inside("x"));
}

static void survives_each_failed_allocation(void **state)
{
    (void)state;
    np_output *output;
    int failures = 0;
    for (long n = 1;; n++, failures++) {
        np_memory_fail_after(n);
        np_status st = np_output_open(inside("a"), &output);
        np_memory_fail_after(0);
        if (!st)
            break;
        assert_int_equal(st, NP_ERROR_MEMORY);
        assert_int_equal(entries(), 0);
    }
    assert_true(failures >= 3);
    np_output_discard(output);
}

static int setup(void **state)
{
    (void)state;
    return mkdtemp(directory) ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    return rmdir(directory); /* fails if anything is left behind */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(appears_only_when_committed),
        cmocka_unit_test(a_discarded_file_leaves_the_old_one),
        cmocka_unit_test(a_failed_write_leaves_the_old_one),
        cmocka_unit_test(refuses_where_it_cannot_write),
        cmocka_unit_test(devices_are_written_directly),
        cmocka_unit_test(links_are_followed),
        cmocka_unit_test(makes_directories),
        cmocka_unit_test(survives_each_failed_allocation),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
