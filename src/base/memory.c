/*
 * Every array of the library comes from here. So sizes are multiplied with a
 * check, failures carry the figure, and tests can make each allocation fail in
 * turn. Arrays of many megabytes are aligned to huge pages, and the system is
 * advised to use them: at 2^20 nodes the queues do not fit in cache, and
 * without huge pages every access to them misses the TLB as well.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* madvise */
#endif
#include "base/memory.h"
#include "base/decimal.h"
#include "base/memory_count.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define HUGE_PAGE ((size_t)2 << 20)
#define HUGE_FROM ((size_t)4 << 20) /* ours: below two pages nothing is gained */

static atomic_long fail_countdown;

void np_memory_fail_after(long n) { atomic_store(&fail_countdown, n); }

static int must_fail(void)
{
    if (atomic_load_explicit(&fail_countdown, memory_order_relaxed) <= 0)
        return 0;
    return atomic_fetch_sub(&fail_countdown, 1) == 1;
}

static np_status refuse(const char *what, size_t count, size_t size)
{
    return NP_RAISE(NP_ERROR_MEMORY, "no memory for %s: %s MB", what, NP_FIXED((double)count * (double)size / 1e6, 1));
}

size_t np_memory_taken(size_t bytes)
{
    if (bytes < HUGE_FROM || bytes > PTRDIFF_MAX)
        return bytes;
    return (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
}

/* A figure of at least 0.1, if there are 100 bytes. */
static double in_unit(uint64_t bytes, const char **unit)
{
    static const char *const names[] = {"GB", "MB", "kB"};
    double size = 1e9;
    unsigned i = 0;
    for (; i < 2 && (double)bytes < size / 10; i++)
        size /= 1e3;
    *unit = names[i];
    return (double)bytes / size;
}

np_status np_memory_allow(uint64_t limit, uint64_t bytes, const char *advice, const char *format, ...)
{
    const char *unit, *limit_unit;
    char what[256];
    va_list arguments;
    if (!limit || bytes <= limit)
        return NP_OK;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    double need = in_unit(bytes, &unit), allowed = in_unit(limit, &limit_unit);
    return NP_RAISE(NP_ERROR_LIMIT, "%s need %s %s of memory, %s %s are allowed: take %s", what, NP_FIXED(need, 2),
                    unit, NP_FIXED(allowed, 2), limit_unit, advice);
}

static void *take(size_t bytes)
{
    void *memory;
    if (bytes < NP_MEMORY_LINE)
        return malloc(bytes ? bytes : 1);
    if (bytes < HUGE_FROM)
        return posix_memalign(&memory, NP_MEMORY_LINE, bytes) ? NULL : memory;
    bytes = np_memory_taken(bytes);
    memory = aligned_alloc(HUGE_PAGE, bytes);
    if (memory)
        (void)madvise(memory, bytes, MADV_HUGEPAGE); /* advice: refusal changes speed only */
    return memory;
}

static np_status allocate(void **out, size_t count, size_t size, int zero, const char *what)
{
    size_t bytes;
    *out = NULL;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX || must_fail() || !(*out = take(bytes)))
        return refuse(what, count, size);
    if (zero)
        memset(*out, 0, bytes);
    np_memory_count_add(*out, np_memory_taken(bytes));
    return NP_OK;
}

np_status np_memory_zeroed(void *out, size_t count, size_t size, const char *what)
{
    void *memory;
    np_status st = allocate(&memory, count, size, 1, what);
    memcpy(out, &memory, sizeof memory);
    return st;
}

np_status np_memory_array(void *out, size_t count, size_t size, const char *what)
{
    void *memory;
    np_status st = allocate(&memory, count, size, 0, what);
    memcpy(out, &memory, sizeof memory);
    return st;
}

np_status np_memory_grow(void *array, size_t kept, size_t count, size_t size, const char *what)
{
    void *old, *grown;
    memcpy(&old, array, sizeof old);
    np_status st = allocate(&grown, count, size, 0, what);
    if (st)
        return st; /* the old array is untouched and still the caller's */
    if (kept)
        memcpy(grown, old, kept * size);
    np_memory_free(old);
    memcpy(array, &grown, sizeof grown);
    return NP_OK;
}

void np_memory_free(void *pointer)
{
    np_memory_count_remove(pointer);
    free(pointer);
}

char *np_memory_text(const char *text)
{
    char *copy;
    size_t length = strlen(text) + 1;
    if (np_memory_array(&copy, length, 1, "a string"))
        return NULL;
    return memcpy(copy, text, length);
}
