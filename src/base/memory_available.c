/*
 * How much memory there is: the least of what the machine has, what the control groups of the process leave, and what
 * the limits of the process leave (`ulimit -v`, `ulimit -d`). The files are those of Linux. Elsewhere sysconf() tells.
 */
#include <unistd.h>

#include "base/cgroup.h"
#include "base/memory.h"
#include "base/system.h"

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

static uint64_t machine_has(const char *root)
{
    uint64_t kilobytes;
    return np_system_number(root, "/proc/meminfo", "MemAvailable:", &kilobytes) && kilobytes <= UINT64_MAX / 1024
               ? kilobytes * 1024
               : UINT64_MAX;
}

/*
 * These limits count what is mapped, also where no memory is behind it yet. An eighth of what is left is for that: the
 * stacks of threads, and the room between arrays.
 */
static uint64_t limit_leaves(const char *root, const char *limit, const char *mapped)
{
    uint64_t bytes, kilobytes;
    if (!np_system_number(root, "/proc/self/limits", limit, &bytes) ||
        !np_system_number(root, "/proc/self/status", mapped, &kilobytes) || kilobytes > UINT64_MAX / 1024)
        return UINT64_MAX;
    uint64_t left = bytes > kilobytes * 1024 ? bytes - kilobytes * 1024 : 0;
    return left - left / 8;
}

static uint64_t limits_leave(const char *root)
{
    return least(limit_leaves(root, "Max address space", "VmSize:"), limit_leaves(root, "Max data size", "VmData:"));
}

uint64_t np_memory_for_stacks(void)
{
    uint64_t bytes = limits_leave("");
    return bytes == UINT64_MAX ? bytes : bytes / 7;
}

uint64_t np_memory_available_by(const char *root)
{
    uint64_t bytes = np_cgroup_memory_left(root, machine_has(root));
    bytes = least(bytes, limits_leave(root));
    return bytes == UINT64_MAX ? 0 : bytes ? bytes : 1;
}

uint64_t np_memory_available(void)
{
    uint64_t bytes = np_memory_available_by("");
    long pages = sysconf(_SC_AVPHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return bytes ? bytes : pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
}

uint64_t np_memory_default(void)
{
    enum { LEAST = 4 << 20, MOST = 256 << 20 }; /* ours: of the reserve, an eighth in between */
    uint64_t bytes = np_memory_available(), reserve = bytes / 8;
    if (!bytes)
        return UINT64_MAX;
    reserve = reserve < LEAST ? LEAST : least(reserve, MOST);
    return bytes > reserve ? bytes - reserve : 1;
}
