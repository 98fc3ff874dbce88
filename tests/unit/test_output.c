/* Files appear only when whole: success, failure half-way (a limit on file size stands for a full disk), devices. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/temporary.h"
#include "support.h"

static char directory[] = "/tmp/netpram-test-XXXXXX";

static char *inside(const char *name)
{
    static char path[512];
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

static void no_name_is_refused_at_once(void **state)
{
    (void)state;
    np_output *output;
    assert_refused(np_output_open("", &output), NP_ERROR_IO, "a file without a name");
    assert_null(output);
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

/* /dev/shm holds regular files, which are replaced like others. */
static void files_in_memory_are_replaced(void **state)
{
    (void)state;
    char path[64];
    snprintf(path, sizeof path, "/dev/shm/netpram-test-%ld", (long)getpid());
    if (access("/dev/shm", W_OK))
        skip();
    write_whole(path, "first");
    write_whole(path, "second");
    assert_contents(path, "second");
    assert_int_equal(remove(path), 0);
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

static void modes_are_kept(void **state)
{
    (void)state;
    static const mode_t modes[] = {0600, 0640, 0666, 0755};
    struct stat about;
    np_output *output;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        write_whole(inside("a"), "old");
        assert_int_equal(chmod(inside("a"), modes[i]), 0);
        if (!geteuid())
            assert_int_equal(chown(inside("a"), 1234, 5678), 0);
        assert_ok(np_output_open(inside("a"), &output)); /* nobody may read what is written before it has its name */
        assert_int_equal(fstat(fileno(np_output_stream(output)), &about), 0);
        assert_int_equal(about.st_mode & 07777, modes[i]);
        assert_ok(np_output_commit(output));
        assert_int_equal(stat(inside("a"), &about), 0);
        assert_int_equal(about.st_mode & 07777, modes[i]);
        assert_true(geteuid() || (about.st_uid == 1234 && about.st_gid == 5678));
        unlink(inside("a"));
    }
}

/* Somebody who may not give a file to its group does not give the group's rights to another one. */
static void rights_of_a_group_are_not_given_to_another(void **state)
{
    (void)state;
    static const struct {
        mode_t before, after;
    } cases[] = {{0660, 0600}, {0664, 0644}, {0666, 0666}, {0607, 0600}, {0754, 0744}};
    struct stat about;
    np_output *output;
    int ended;
    for (size_t i = 0; i < sizeof cases / sizeof *cases && !geteuid(); i++) {
        write_whole(inside("a"), "old");
        assert_true(!chown(inside("a"), 1234, 5678) && !chmod(inside("a"), cases[i].before));
        assert_int_equal(chmod(directory, 0777), 0);
        pid_t child = fork();
        assert_true(child >= 0);
        if (!child)
            _exit(setgroups(0, NULL) || setgid(1234) || setuid(1234) || np_output_open(inside("a"), &output) ||
                  np_output_commit(output));
        assert_true(waitpid(child, &ended, 0) == child && ended == 0);
        assert_int_equal(stat(inside("a"), &about), 0);
        assert_int_equal(about.st_gid, 1234);
        assert_int_equal(about.st_mode & 07777, cases[i].after);
        unlink(inside("a"));
    }
}

/* A file of this name, as a process that was killed would have left it. */
static int leave(const char *boot, const char *rest)
{
    char name[64];
    snprintf(name, sizeof name, "a.tmp-%s-%s", boot, rest);
    int file = open(inside(name), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    assert_true(file >= 0);
    return file;
}

static void assert_left(const char *boot, const char *rest, bool want)
{
    char name[64];
    snprintf(name, sizeof name, "a.tmp-%s-%s", boot, rest);
    bool there = access(inside(name), F_OK) == 0;
    if (there != want)
        fail_msg("%s: %s", name, there ? "not removed" : "removed");
    unlink(inside(name));
}

static void stale_files_are_removed(void **state)
{
    (void)state;
    static const struct timespec long_ago[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    static const char *const others[] = {"1", "1-", "x-1", "1-x", "1-1x", "-1-1"};
    char boot[NP_BOOT_DIGITS + 1];
    np_stale_boot(inside("a"), boot);
    int living = leave(boot, "1-0"), foreign = leave("00000000", "1-0"), old = leave("0000000f", "1-0"),
        slow = leave("0000000e", "1-0");
    const struct timespec days_ago[2] = {{.tv_sec = time(NULL) - 259200}, {.tv_sec = time(NULL) - 259200}};
    assert_int_equal(flock(living, LOCK_EX | LOCK_NB), 0);
    assert_int_equal(futimens(old, long_ago), 0);
    assert_int_equal(futimens(slow, days_ago), 0);
    close(leave(boot, "4000000-12"));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        close(leave(boot, others[i]));
    assert_int_equal(mkfifo(inside("a.tmp-0000000f-2-0"), 0666), 0);
    write_whole(inside("b"), "");
    write_whole(inside("a"), "");
    assert_left(boot, "1-0", true);       /* its maker lives */
    assert_left("00000000", "1-0", true); /* another kernel's, and new */
    assert_left("0000000e", "1-0", true); /* another machine may work for days before it writes */
    assert_left("0000000f", "1-0", false);
    assert_left(boot, "4000000-12", false);
    assert_left("0000000f", "2-0", true); /* no file of ours */
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_left(boot, others[i], true); /* nor these */
    close(living);
    close(foreign);
    close(old);
    close(slow);
    unlink(inside("a"));
    unlink(inside("b"));
}

/* Through two mounts of one folder, a process does not see the other's locks. */
static void mounts_have_tags_of_their_own(void **state)
{
    (void)state;
    char here[NP_BOOT_DIGITS + 1], there[NP_BOOT_DIGITS + 1], again[NP_BOOT_DIGITS + 1];
    struct stat one, other;
    assert_true(!stat(directory, &one) && !stat("/proc", &other) && one.st_dev != other.st_dev);
    np_stale_boot(inside("a"), here);
    np_stale_boot(inside("b"), again);
    np_stale_boot("/proc/a", there);
    assert_string_equal(here, again);
    assert_string_not_equal(here, there);
    np_stale_boot(inside("none/a"), there);
    assert_string_equal(there, NP_BOOT_UNKNOWN);
}

/* Names of every length are written, and what was left of them is swept: here by a killed process, with a lock that is
 * gone. */
static void long_names_are_written(void **state)
{
    (void)state;
    char name[256] = "", stale[300], boot[NP_BOOT_DIGITS + 1];
    np_stale_boot(inside("a"), boot);
    for (size_t length = 225; length <= 255; length++) {
        memset(name, 'n', length);
        if (length == 255)
            memcpy(name + 229, "\xe4\xb8\xad\xe4\xb8\xad", 6); /* cut between the bytes of a character */
        size_t kept = length > 231 ? length == 255 ? 229 : 231 : length;
        snprintf(stale, sizeof stale, "%.*s.tmp-%s-1-0", (int)kept, name, boot);
        close(open(inside(stale), O_WRONLY | O_CREAT | O_EXCL, 0666));
        assert_int_equal(entries(), 1);
        write_whole(inside(name), "long");
        assert_contents(inside(name), "long");
        assert_int_equal(entries(), 1);
        unlink(inside(name));
    }
}

/* Outputs of one process leave each other alone. */
static void the_last_of_two_writers_wins(void **state)
{
    (void)state;
    np_output *one, *other;
    assert_ok(np_output_open(inside("a"), &one));
    assert_ok(np_output_open(inside("a"), &other));
    fputs("one", np_output_stream(one));
    fputs("other", np_output_stream(other));
    assert_ok(np_output_commit(other));
    assert_contents(inside("a"), "other");
    assert_ok(np_output_commit(one));
    assert_contents(inside("a"), "one");
    unlink(inside("a"));
}

/* ---- What happens in the middle ---- */

static void (*at_flock)(int file), (*at_fsync)(int file);
static bool no_locks;

/* The library calls these in the place of the system's. */
int flock(int file, int operation)
{
    if (at_flock)
        at_flock(file);
    if (no_locks) {
        errno = ENOLCK;
        return -1;
    }
    return (int)syscall(SYS_flock, file, operation);
}

int fsync(int file)
{
    if (at_fsync)
        at_fsync(file);
    return (int)syscall(SYS_fsync, file);
}

/* Whoever has locks must not take a file for stale whose maker had none. */
static void a_file_without_a_lock_says_so(void **state)
{
    (void)state;
    np_output *output;
    no_locks = true;
    assert_ok(np_output_open(inside("a"), &output));
    no_locks = false;
    assert_int_equal(entries(), 1);
    write_whole(inside("a"), "first");
    assert_int_equal(entries(), 2);
    fputs("second", np_output_stream(output));
    assert_ok(np_output_commit(output));
    assert_contents(inside("a"), "second");
    unlink(inside("a"));
}

/* Who opens a file in this moment can read all that is written to it later. */
static mode_t first_mode;

static void note_mode(int file)
{
    struct stat about;
    at_flock = NULL;
    assert_int_equal(fstat(file, &about), 0);
    first_mode = about.st_mode & 07777;
}

static void nobody_reads_before_the_group_is_right(void **state)
{
    (void)state;
    write_whole(inside("a"), "old");
    assert_int_equal(chmod(inside("a"), 0664), 0);
    at_flock = note_mode;
    write_whole(inside("a"), "new");
    assert_int_equal(first_mode, 0600);
    unlink(inside("a"));
}

static char again[600];

/* When the sweeper asks for the lock: the maker has placed the file and makes another one of the same name. */
static void place_and_make_again(int file)
{
    struct stat about, stale;
    assert_int_equal(fstat(file, &about), 0);
    if (stat(again, &stale) || about.st_ino != stale.st_ino)
        return;
    assert_int_equal(rename(again, inside("c")), 0);
    close(open(again, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
}

static void a_name_that_is_used_again_is_not_swept(void **state)
{
    (void)state;
    char boot[NP_BOOT_DIGITS + 1];
    np_stale_boot(inside("a"), boot);
    close(leave(boot, "1-0"));
    snprintf(again, sizeof again, "%s.tmp-%s-1-0", inside("a"), boot);
    at_flock = place_and_make_again;
    write_whole(inside("a"), "");
    at_flock = NULL;
    assert_left(boot, "1-0", true);
    assert_int_equal(unlink(inside("c")), 0);
    unlink(inside("a"));
}

/* When the folder is put on the disk: another program has the name now, and a signal comes. */
static void end_when_placed(int file)
{
    struct stat about;
    assert_int_equal(fstat(file, &about), 0);
    if (!S_ISDIR(about.st_mode))
        return;
    close(open(again, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    np_temporary_remove_all();
    _exit(access(again, F_OK) != 0);
}

static void a_name_is_given_up_with_the_rename(void **state)
{
    (void)state;
    char boot[NP_BOOT_DIGITS + 1];
    int ended;
    np_stale_boot(inside("a"), boot);
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        snprintf(again, sizeof again, "%s.tmp-%s-%ld-0", inside("a"), boot, (long)getpid());
        at_fsync = end_when_placed;
        write_whole(inside("a"), "new");
        _exit(2);
    }
    assert_true(waitpid(child, &ended, 0) == child);
    assert_int_equal(ended, 0);
    write_whole(inside("a"), "newer"); /* sweeps */
    assert_int_equal(entries(), 1);
    unlink(inside("a"));
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
        cmocka_unit_test(no_name_is_refused_at_once),
        cmocka_unit_test(appears_only_when_committed),
        cmocka_unit_test(a_discarded_file_leaves_the_old_one),
        cmocka_unit_test(a_failed_write_leaves_the_old_one),
        cmocka_unit_test(refuses_where_it_cannot_write),
        cmocka_unit_test(devices_are_written_directly),
        cmocka_unit_test(files_in_memory_are_replaced),
        cmocka_unit_test(links_are_followed),
        cmocka_unit_test(modes_are_kept),
        cmocka_unit_test(rights_of_a_group_are_not_given_to_another),
        cmocka_unit_test(stale_files_are_removed),
        cmocka_unit_test(mounts_have_tags_of_their_own),
        cmocka_unit_test(long_names_are_written),
        cmocka_unit_test(a_file_without_a_lock_says_so),
        cmocka_unit_test(the_last_of_two_writers_wins),
        cmocka_unit_test(nobody_reads_before_the_group_is_right),
        cmocka_unit_test(a_name_that_is_used_again_is_not_swept),
        cmocka_unit_test(a_name_is_given_up_with_the_rename),
        cmocka_unit_test(makes_directories),
        cmocka_unit_test(survives_each_failed_allocation),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
