/* What a figure was measured on: without this line a figure says nothing. No host name, no user, no path. */
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "bench.h"

enum { LINE_SIZE = 512 };

/* The rest of the first line of the file that begins with `key`, from the first character that is not in `skip`. */
static bool read_line(const char *path, const char *key, const char *skip, char out[LINE_SIZE])
{
    char line[LINE_SIZE];
    bool found = false;
    FILE *file = fopen(path, "r");
    while (file && !found && fgets(line, sizeof line, file))
        if (!strncmp(line, key, strlen(key))) {
            const char *value = line + strlen(key);
            value += strspn(value, skip);
            snprintf(out, LINE_SIZE, "%.*s", (int)strcspn(value, "\n"), value);
            found = true;
        }
    if (file)
        fclose(file);
    return found;
}

static json_t *line_or_null(const char *path, const char *key, const char *skip)
{
    char text[LINE_SIZE];
    return read_line(path, key, skip, text) ? json_string(text) : json_null();
}

static uint64_t meminfo(const char *key)
{
    char text[LINE_SIZE];
    unsigned long long kib;
    if (!read_line("/proc/meminfo", key, ": \t", text) || sscanf(text, "%llu", &kib) != 1)
        return UINT64_MAX;
    return (uint64_t)kib * 1024;
}

uint64_t bench_memory_available(void) { return meminfo("MemAvailable"); }

/* {"L1 Data": "32K", "L1 Instruction": "32K", "L2 Unified": "1024K", ...} as the kernel gives them. */
static json_t *caches(void)
{
    json_t *out = json_object();
    for (int i = 0; i < 8; i++) {
        static const char *const parts[] = {"level", "type", "size"};
        char path[LINE_SIZE], text[3][LINE_SIZE], name[LINE_SIZE + 8];
        for (int p = 0; p < 3; p++) {
            snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", i, parts[p]);
            if (!read_line(path, "", "", text[p]))
                return out;
        }
        snprintf(name, sizeof name, "L%.8s %.32s", text[0], text[1]);
        json_object_set_new(out, name, json_string(text[2]));
    }
    return out;
}

/* The commit of the sources, "-dirty" behind it where files differ from it: `make bench` has just built them. */
static json_t *commit_or_null(void)
{
    char text[LINE_SIZE] = "";
    FILE *git = NULL;
    if (!access(BENCH_SOURCE "/.git", F_OK)) /* a source archive may lie in another repository */
        git = popen("git -C '" BENCH_SOURCE "' describe --always --dirty --abbrev=10 --exclude='*' 2>/dev/null", "r");
    bool read = git && fgets(text, sizeof text, git);
    if (git)
        pclose(git);
    text[strcspn(text, "\n")] = 0;
    return read ? json_string(text) : json_null();
}

json_t *bench_machine(void)
{
    struct utsname system;
    json_t *out = json_object();
    json_object_set_new(out, "netpram", json_string(np_version()));
    json_object_set_new(out, "commit", commit_or_null());
    json_object_set_new(out, "cpu", line_or_null("/proc/cpuinfo", "model name", ": \t"));
    json_object_set_new(out, "processors", json_integer(sysconf(_SC_NPROCESSORS_ONLN)));
    json_object_set_new(out, "caches", caches());
    json_object_set_new(out, "memory_bytes", json_integer((json_int_t)meminfo("MemTotal")));
    json_object_set_new(out, "huge_pages", line_or_null("/sys/kernel/mm/transparent_hugepage/enabled", "", ""));
    if (!uname(&system))
        json_object_set_new(out, "system", json_sprintf("%s %s %s", system.sysname, system.release, system.machine));
    json_object_set_new(out, "compiler", json_string(BENCH_COMPILER));
    json_object_set_new(out, "flags", json_string(BENCH_FLAGS));
    return out;
}
