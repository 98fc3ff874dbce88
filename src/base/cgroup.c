/*
 * How much memory, and how many processors, the control groups of a process leave to it. Groups are folders, one in the
 * other, and the limit of each holds for all processes inside it, so that each group from that of the process up to the
 * top is looked at. The files are
 *
 *                version 2                     version 1
 *   limits       memory.max, memory.high       memory.limit_in_bytes
 *   in use       memory.current                memory.usage_in_bytes
 *   memory.stat  active_file, inactive_file,   total_active_file, total_inactive_file
 *                slab_reclaimable
 *   processors   cpu.max: quota and period      cpu.cfs_quota_us, cpu.cfs_period_us
 *
 * A quota is time of processors in each period, in microseconds: 150000 of 100000 are one and a half processors.
 *
 * What is in use contains copies of files, and memory of the kernel's own, which it gives up before it ends a process:
 * they count as free. If it is not told what is in use, the limit is all that is known. A group that has more than
 * memory.high is slowed down, but not ended: then memory.max alone says what is left.
 *
 * /proc/self/cgroup names the group of a hierarchy, and /proc/self/mountinfo the folder where it is mounted. A line is
 *
 *   4:memory:/user/a           version 1, "0::/user/a" is version 2
 *   35 31 0:32 /user /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
 *              top   folder                     type   source options
 *
 * Here the folder of the group is /sys/fs/cgroup/memory/a, because what is mounted is the group /user. In a container
 * the mounted group may be none of those above the process, and `group` may begin with "/..". Then the mounted folder
 * alone is looked at: it is that of the container.
 */
#include "base/cgroup.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/system.h"
#include "netpram/field.h"

typedef struct version {
    const char *type;                      /* of the file system */
    const char *limit[2], *used, *free[3]; /* free: keys of memory.stat */
} version;

static const version versions[2] = {
    {"cgroup", {"memory.limit_in_bytes"}, "memory.usage_in_bytes", {"total_active_file ", "total_inactive_file "}},
    {"cgroup2",
     {"memory.max", "memory.high"},
     "memory.current",
     {"active_file ", "inactive_file ", "slab_reclaimable "}},
};

typedef struct groups {
    const char *root;
    const version *version;
    const char *controller; /* of version 1 */
    void (*look)(struct groups *g, const char *folder);
    char *path; /* that of the process, in this hierarchy; PATH_MAX bytes */
    bool found;
    uint64_t left; /* bytes, or processors */
} groups;

/* ---- One group ---- */

/* The number in a file of a folder, or behind a key in it. */
static bool number_in(const char *root, const char *folder, const char *file, const char *key, uint64_t *out)
{
    char path[PATH_MAX];
    return snprintf(path, sizeof path, "%s/%s", folder, file) < (int)sizeof path &&
           np_system_number(root, path, key, out);
}

/* What is in use, without what the kernel would give up. */
static uint64_t without_caches(const groups *g, const char *folder, uint64_t used)
{
    uint64_t bytes;
    for (size_t i = 0; i < 3 && g->version->free[i]; i++)
        if (number_in(g->root, folder, "memory.stat", g->version->free[i], &bytes))
            used = used > bytes ? used - bytes : 0;
    return used;
}

static void look_at_memory(groups *g, const char *folder)
{
    const version *v = g->version;
    for (size_t i = 0; i < 2 && v->limit[i]; i++) {
        uint64_t limit, used = 0;
        if (!number_in(g->root, folder, v->limit[i], "", &limit))
            continue;
        number_in(g->root, folder, v->used, "", &used);
        if (limit > used && limit - used >= g->left)
            continue; /* with caches given up, even more is left */
        used = without_caches(g, folder, used);
        uint64_t left = limit > used ? limit - used : 0;
        if (left < g->left && (left || !i))
            g->left = left;
    }
}

static void look_at_processors(groups *g, const char *folder)
{
    bool second = g->version == &versions[1];
    uint64_t quota, period;
    char key[32];
    if (!number_in(g->root, folder, second ? "cpu.max" : "cpu.cfs_quota_us", "", &quota))
        return;
    snprintf(key, sizeof key, "%llu ", (unsigned long long)quota);
    if (!number_in(g->root, folder, second ? "cpu.max" : "cpu.cfs_period_us", second ? key : "", &period) || !period)
        return;
    uint64_t processors = quota / period + (quota % period > 0);
    g->left = processors < g->left ? processors : g->left;
}

/* The group `folder` and those above it, up to the one whose name has `top` letters. */
static void look_at_groups(groups *g, char *folder, size_t top)
{
    for (;;) {
        g->look(g, folder);
        char *slash = strrchr(folder, '/');
        if (strlen(folder) <= top || !slash)
            return;
        *slash = '\0';
    }
}

/* ---- Where groups are ---- */

/* "4:memory:/user/a" */
static bool read_group(void *self, char *line)
{
    groups *g = self;
    char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!path)
        return true;
    *path++ = '\0';
    bool second = !strncmp(line, "0:", 2) && !controllers[1];
    if (second != (g->version == &versions[1]) || (!second && !np_field_listed(controllers + 1, g->controller)))
        return true;
    g->found = snprintf(g->path, PATH_MAX, "%s", path) < PATH_MAX;
    return false;
}

/* The kernel writes a space, a tab, a line's end and a backslash as \040, \011, \012 and \134. */
static void unescape(char *text)
{
    char *to = text;
    for (; *text; text++) {
        unsigned value;
        bool escaped = text[0] == '\\' && strspn(text + 1, "01234567") >= 3 && sscanf(text + 1, "%3o", &value) == 1;
        *to++ = escaped ? (char)value : *text;
        text += escaped ? 3 : 0;
    }
    *to = '\0';
}

/* What is behind `top` in the path of the process's group; "" if the group is not below it. */
static const char *below(const groups *g, const char *top)
{
    size_t length = strcmp(top, "/") ? strlen(top) : 0;
    const char *rest = g->path + length;
    bool inside = !strncmp(g->path, top, length) && (*rest == '/' || !*rest) && !strstr(g->path, "/..");
    return inside && strcmp(rest, "/") ? rest : "";
}

enum { TOP = 3, FOLDER = 4, WORDS = 5, TYPE = 0, OPTIONS = 2 };

/* Splits the line in place, at spaces, into at most `count` words. False: there are fewer. */
static bool split(char *line, char **word, size_t count)
{
    char *state = NULL;
    for (size_t i = 0; i < count; i++, line = NULL)
        if (!(word[i] = strtok_r(line, " ", &state)))
            return false;
    return true;
}

static bool read_mount(void *self, char *line)
{
    groups *g = self;
    char *word[WORDS], *file_system[OPTIONS + 1], *rest = strstr(line, " - "), folder[PATH_MAX];
    if (!rest || !split(rest + 3, file_system, OPTIONS + 1))
        return true;
    *rest = '\0';
    if (!split(line, word, WORDS) || strcmp(file_system[TYPE], g->version->type) ||
        (g->version == &versions[0] && !np_field_listed(file_system[OPTIONS], g->controller)))
        return true;
    unescape(word[TOP]);
    unescape(word[FOLDER]);
    if (snprintf(folder, sizeof folder, "%s%s", word[FOLDER], below(g, word[TOP])) < (int)sizeof folder)
        look_at_groups(g, folder, strlen(word[FOLDER]));
    return true;
}

/* The least that a group leaves. */
static uint64_t left_by(const char *root, const char *controller, void (*look)(groups *, const char *), uint64_t most)
{
    char path[PATH_MAX];
    uint64_t left = most;
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        groups g = {root, &versions[i], controller, look, path, false, left};
        np_system_lines(root, "/proc/self/cgroup", read_group, &g);
        if (g.found)
            np_system_lines(root, "/proc/self/mountinfo", read_mount, &g);
        left = g.left;
    }
    return left;
}

uint64_t np_cgroup_memory_left(const char *root, uint64_t most)
{
    return left_by(root, "memory", look_at_memory, most);
}

unsigned np_cgroup_processors(const char *root, unsigned most)
{
    uint64_t left = left_by(root, "cpu", look_at_processors, most);
    return left ? (unsigned)left : 1;
}
