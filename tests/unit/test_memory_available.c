/*
 * How much memory, and how many processors, are left, told by files: a folder stands in for the root of the file
 * system. The layouts are those of real systems, and each case is a list of files.
 */
#define _GNU_SOURCE /* nftw */
#include "support.h"

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "base/memory.h"

typedef struct file {
    const char *path, *contents;
} file;

enum { FILES = 16 };

static char root[] = "/tmp/netpram-test-XXXXXX";

static void write_file(const file *f)
{
    char path[512];
    int length = snprintf(path, sizeof path, "%s%s", root, f->path);
    assert_true(length > 0 && length < (int)sizeof path);
    for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
        *slash = '\0';
        mkdir(path, 0777);
    }
    FILE *to = fopen(path, "w");
    assert_non_null(to);
    fputs(f->contents, to);
    fclose(to);
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *at)
{
    (void)status, (void)type, (void)at;
    return remove(path);
}

static uint64_t processors(const char *top) { return np_cgroup_processors(top, 64); }

static uint64_t asked(const file *files, uint64_t (*ask)(const char *root))
{
    strcpy(root, "/tmp/netpram-test-XXXXXX");
    assert_non_null(mkdtemp(root));
    for (; files->path; files++)
        write_file(files);
    uint64_t bytes = ask(root);
    nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    return bytes;
}

static uint64_t available(const file *files) { return asked(files, np_memory_available_by); }

#define MACHINE                                                                                                        \
    {                                                                                                                  \
        "/proc/meminfo", "MemTotal:       24684096 kB\nMemFree:        16000000 kB\nMemAvailable:   20000000 kB\n"     \
    }
#define MACHINE_HAS UINT64_C(20480000000)
#define V2 "/sys/fs/cgroup"
#define MOUNT_V2                                                                                                       \
    "30 23 0:26 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
#define MOUNT_V1                                                                                                       \
    "34 31 0:31 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct\n"                             \
    "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"
#define ROOT_MOUNT "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard\n"
#define UNLIMITED_V1 "9223372036854771712\n"

static const struct {
    const char *what;
    uint64_t bytes;
    file files[FILES];
} cases[] = {
    {"nothing is known", 0, {{NULL, NULL}}},
    {"no groups", MACHINE_HAS, {MACHINE}},
    /*
     *  /              no files: the top has no limit
     *  /user.slice    max
     *  /user.slice/a  200 MB, 50 MB in use, 30 MB of which are copies of files
     */
    {"version 2",
     180000000,
     {MACHINE,
      {"/proc/self/cgroup", "0::/user.slice/a\n"},
      {"/proc/self/mountinfo", ROOT_MOUNT MOUNT_V2},
      {V2 "/user.slice/memory.max", "max\n"},
      {V2 "/user.slice/memory.high", "max\n"},
      {V2 "/user.slice/memory.current", "90000000\n"},
      {V2 "/user.slice/a/memory.max", "200000000\n"},
      {V2 "/user.slice/a/memory.high", "max\n"},
      {V2 "/user.slice/a/memory.current", "50000000\n"},
      {V2 "/user.slice/a/memory.stat", "anon 20000000\nfile 30000000\nactive_anon 1\ninactive_file 20000000\n"
                                       "active_file 10000000\nslab 7\n"}}},
    {"the limit of the group above is less",
     60000000,
     {MACHINE,
      {"/proc/self/cgroup", "0::/user.slice/a/b\n"},
      {"/proc/self/mountinfo", MOUNT_V2},
      {V2 "/user.slice/memory.max", "100000000\n"},
      {V2 "/user.slice/memory.current", "40000000\n"},
      {V2 "/user.slice/memory.stat", "inactive_file 0\nactive_file 0\n"},
      {V2 "/user.slice/a/memory.max", "max\n"},
      {V2 "/user.slice/a/memory.current", "30000000\n"},
      {V2 "/user.slice/a/b/memory.max", "200000000\n"},
      {V2 "/user.slice/a/b/memory.current", "20000000\n"}}},
    {"memory.high slows down before memory.max ends",
     70000000,
     {MACHINE,
      {"/proc/self/cgroup", "0::/a\n"},
      {"/proc/self/mountinfo", MOUNT_V2},
      {V2 "/a/memory.max", "200000000\n"},
      {V2 "/a/memory.high", "80000000\n"},
      {V2 "/a/memory.current", "10000000\n"}}},
    {"caches of the kernel are given up, too",
     90000000,
     {MACHINE,
      {"/proc/self/cgroup", "0::/a\n"},
      {"/proc/self/mountinfo", MOUNT_V2},
      {V2 "/a/memory.max", "100000000\n"},
      {V2 "/a/memory.current", "60000000\n"},
      {V2 "/a/memory.stat", "slab_reclaimable 40000000\nslab_unreclaimable 1000000\nslab 41000000\n"
                            "active_file 10000000\n"}}},
    {"more than memory.high: the group is slowed down, and memory.max is left",
     110000000,
     {MACHINE,
      {"/proc/self/cgroup", "0::/a\n"},
      {"/proc/self/mountinfo", MOUNT_V2},
      {V2 "/a/memory.max", "200000000\n"},
      {V2 "/a/memory.high", "80000000\n"},
      {V2 "/a/memory.current", "90000000\n"}}},
    {"it is not told what is in use",
     100000000,
     {MACHINE,
      {"/proc/self/cgroup", "0::/a\n"},
      {"/proc/self/mountinfo", MOUNT_V2},
      {V2 "/a/memory.max", "100000000\n"}}},
    {"more is in use than is allowed: a byte, as 0 would be no limit",
     1,
     {MACHINE,
      {"/proc/self/cgroup", "0::/a\n"},
      {"/proc/self/mountinfo", MOUNT_V2},
      {V2 "/a/memory.max", "1000000\n"},
      {V2 "/a/memory.current", "1000001\n"}}},
    {"a container of version 2: its own group is the top",
     150000000,
     {MACHINE,
      {"/proc/self/cgroup", "0::/\n"},
      {"/proc/self/mountinfo", "612 600 0:26 / /sys/fs/cgroup ro,nosuid - cgroup2 cgroup rw,nsdelegate\n"},
      {V2 "/memory.max", "200000000\n"},
      {V2 "/memory.high", "max\n"},
      {V2 "/memory.current", "50000000\n"}}},
    {"a container that sees the names of the host: what is mounted is its group",
     150000000,
     {MACHINE,
      {"/proc/self/cgroup", "9:cpuset:/docker/c0ffee\n4:memory:/docker/c0ffee\n0::/docker/c0ffee\n"},
      {"/proc/self/mountinfo", "35 31 0:32 /docker/c0ffee /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n"},
      {V2 "/memory/memory.limit_in_bytes", "200000000\n"},
      {V2 "/memory/memory.usage_in_bytes", "50000000\n"}}},
    {"a process of another container",
     100000000,
     {MACHINE,
      {"/proc/self/cgroup", "0::/../other\n"},
      {"/proc/self/mountinfo", MOUNT_V2},
      {V2 "/memory.max", "100000000\n"},
      {V2 "/memory.current", "0\n"},
      {V2 "/other/memory.max", "5\n"},
      {V2 "/other/memory.current", "0\n"}}},
    {"version 1, with the sums over the groups below",
     170000000,
     {MACHINE,
      {"/proc/self/cgroup", "11:cpu,cpuacct:/batch\n4:memory:/batch/7\n1:name=systemd:/batch\n"},
      {"/proc/self/mountinfo", ROOT_MOUNT MOUNT_V1},
      {V2 "/memory/memory.limit_in_bytes", UNLIMITED_V1},
      {V2 "/memory/memory.usage_in_bytes", "4000000000\n"},
      {V2 "/memory/batch/memory.limit_in_bytes", UNLIMITED_V1},
      {V2 "/memory/batch/memory.usage_in_bytes", "60000000\n"},
      {V2 "/memory/batch/7/memory.limit_in_bytes", "200000000\n"},
      {V2 "/memory/batch/7/memory.usage_in_bytes", "60000000\n"},
      {V2 "/memory/batch/7/memory.stat", "inactive_file 1\nactive_file 1\ntotal_inactive_file 25000000\n"
                                         "total_active_file 5000000\n"}}},
    {"version 1 without limits: the machine has less",
     MACHINE_HAS,
     {MACHINE,
      {"/proc/self/cgroup", "4:memory:/\n"},
      {"/proc/self/mountinfo", MOUNT_V1},
      {V2 "/memory/memory.limit_in_bytes", UNLIMITED_V1},
      {V2 "/memory/memory.usage_in_bytes", "4000000000\n"}}},
    {"both: version 2 without the controller of memory",
     90000000,
     {MACHINE,
      {"/proc/self/cgroup", "4:memory:/a\n1:name=systemd:/a\n0::/a\n"},
      {"/proc/self/mountinfo", MOUNT_V1 "40 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"},
      {V2 "/unified/a/cgroup.procs", "1\n"},
      {V2 "/memory/a/memory.limit_in_bytes", "100000000\n"},
      {V2 "/memory/a/memory.usage_in_bytes", "10000000\n"}}},
    {"both: memory by version 2",
     95000000,
     {MACHINE,
      {"/proc/self/cgroup", "3:cpuset,cpu:/a\n0::/b c\n"},
      {"/proc/self/mountinfo", "33 31 0:30 / /cg/cpu rw - cgroup cgroup rw,cpuset,cpu\n"
                               "40 31 0:38 / /cg/my\\040memory rw - cgroup2 none rw\n"},
      {"/cg/cpu/a/memory.limit_in_bytes", "3\n"},
      {"/cg/cpu/a/memory.usage_in_bytes", "0\n"},
      {"/cg/my memory/b c/memory.max", "100000000\n"},
      {"/cg/my memory/b c/memory.current", "5000000\n"}}},
    {"a system that does not escape names",
     95000000,
     {MACHINE,
      {"/proc/self/cgroup", "0::/a\n"},
      {"/proc/self/mountinfo", "40 31 0:38 / /cg\\1 rw - cgroup2 none rw\n"},
      {"/cg\\1/a/memory.max", "100000000\n"},
      {"/cg\\1/a/memory.current", "5000000\n"}}},
    {"ulimit -v: an eighth of what is left is kept",
     175000000,
     {MACHINE,
      {"/proc/self/limits", "Limit                     Soft Limit           Hard Limit           Units     \n"
                            "Max data size             unlimited            unlimited            bytes     \n"
                            "Max address space         205120000            unlimited            bytes     \n"},
      {"/proc/self/status", "Name:\tnetpram\nVmSize:\t    5000 kB\nVmData:\t     100 kB\n"}}},
    {"ulimit -d",
     87500000,
     {MACHINE,
      {"/proc/self/limits", "Max data size             102457600            102457600            bytes     \n"
                            "Max address space         205120000            unlimited            bytes     \n"},
      {"/proc/self/status", "Name:\tnetpram\nVmSize:\t   10000 kB\nVmData:\t    2400 kB\n"}}},
    {"all of it is mapped",
     1,
     {MACHINE,
      {"/proc/self/limits", "Max address space         1024000              unlimited            bytes     \n"},
      {"/proc/self/status", "VmSize:\t   10000 kB\n"}}},
    {"files that make no sense",
     MACHINE_HAS,
     {MACHINE,
      {"/proc/self/limits", "Max address space\nMax data size   -1\n"},
      {"/proc/self/cgroup", "\n:\n0:\nx\n4:memory\n0::/a\n"},
      {"/proc/self/mountinfo", "\n - \n - cgroup2\n1 - cgroup2 x rw\n - cgroup2 a b\n" MOUNT_V2},
      {V2 "/a/memory.max", "many\n"},
      {V2 "/a/memory.high", "99999999999999999999999\n"}}},
};

static void test_layouts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t bytes = available(cases[i].files);
        if (bytes != cases[i].bytes)
            print_error("%s: %llu, not %llu\n", cases[i].what, (unsigned long long)bytes,
                        (unsigned long long)cases[i].bytes);
        assert_int_equal(bytes, cases[i].bytes);
    }
}

#define CPU_V1 "/sys/fs/cgroup/cpu,cpuacct"

static void test_quotas(void **state)
{
    static const struct {
        uint64_t processors;
        file files[FILES];
    } quotas[] = {
        {64, {{NULL, NULL}}},
        {64, {{"/proc/self/cgroup", "0::/a\n"}, {"/proc/self/mountinfo", MOUNT_V2}, {V2 "/a/cpu.max", "max 100000\n"}}},
        {2,
         {{"/proc/self/cgroup", "0::/a\n"}, {"/proc/self/mountinfo", MOUNT_V2}, {V2 "/a/cpu.max", "150000 100000\n"}}},
        {1, {{"/proc/self/cgroup", "0::/a\n"}, {"/proc/self/mountinfo", MOUNT_V2}, {V2 "/a/cpu.max", "1000 100000\n"}}},
        {3, /* the group above has less */
         {{"/proc/self/cgroup", "0::/a/b\n"},
          {"/proc/self/mountinfo", MOUNT_V2},
          {V2 "/a/cpu.max", "300000 100000\n"},
          {V2 "/a/b/cpu.max", "400000 100000\n"}}},
        {4,
         {{"/proc/self/cgroup", "4:memory:/m\n3:cpu,cpuacct:/a\n"},
          {"/proc/self/mountinfo", MOUNT_V1},
          {CPU_V1 "/cpu.cfs_quota_us", "-1\n"},
          {CPU_V1 "/cpu.cfs_period_us", "100000\n"},
          {CPU_V1 "/a/cpu.cfs_quota_us", "200000\n"},
          {CPU_V1 "/a/cpu.cfs_period_us", "50000\n"}}},
        {64, {{"/proc/self/cgroup", "0::/a\n"}, {"/proc/self/mountinfo", MOUNT_V2}, {V2 "/a/cpu.max", "5 0\n"}}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof quotas / sizeof *quotas; i++)
        assert_int_equal(asked(quotas[i].files, processors), quotas[i].processors);
}

/* A line of a container's root may be long. What follows it is read. */
static void test_a_long_line_is_left_out(void **state)
{
    (void)state;
    char *mounts = malloc(40000);
    assert_non_null(mounts);
    memset(mounts, 'x', 20000);
    strcpy(mounts + 20000, "\n" MOUNT_V2);
    const file files[] = {{"/proc/self/cgroup", "0::/a\n"},
                          {"/proc/self/mountinfo", mounts},
                          {V2 "/a/memory.max", "1000\n"},
                          {V2 "/a/memory.current", "0\n"},
                          {NULL, NULL}};
    assert_int_equal(available(files), 1000);
    free(mounts);
}

static void test_this_machine(void **state)
{
    (void)state;
    assert_true(np_memory_available() > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_quotas),
        cmocka_unit_test(test_a_long_line_is_left_out),
        cmocka_unit_test(test_this_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
