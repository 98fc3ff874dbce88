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

#include "base/account.h"
#include "base/decimal.h"

#include <malloc.h>
#include <stdatomic.h>
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

enum { PAGE = 4096, PAGES_FROM = 64 << 10 }; /* ours: below some pages nothing is gained */

/* What allocators keep beside an array, and round its size up by, at most; some map large arrays page by page. */
enum { BESIDE = 64, BESIDE_PAGES = PAGE + 256 };

static np_status refuse(const char *what, size_t count, size_t size)
{
    return NP_RAISE(NP_ERROR_MEMORY, "no memory for %s: %s MB", what, NP_FIXED((double)count * (double)size / 1e6, 1));
}

size_t np_memory_taken(size_t bytes)
{
    if (bytes > PTRDIFF_MAX)
        return bytes;
    if (bytes < HUGE_FROM)
        return bytes + (bytes < PAGES_FROM ? BESIDE : BESIDE_PAGES);
    return (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
}

/* More than an array of whole huge pages takes: so the pages of a block can be told from its size. */
enum { MORE = 8 };

/* The bytes of a block, as np_memory_taken says before. A block of huge pages may begin anywhere in what is mapped. */
static size_t bytes_of(void *block)
{
    size_t usable = block ? malloc_usable_size(block) : 0;
    return usable < HUGE_FROM ? usable : (usable - 1) / HUGE_PAGE * HUGE_PAGE;
}

static void *take(size_t bytes)
{
    void *memory;
    if (bytes < NP_MEMORY_LINE)
        return malloc(bytes ? bytes : 1);
    if (bytes < HUGE_FROM)
        return posix_memalign(&memory, NP_MEMORY_LINE, bytes) ? NULL : memory;
    bytes = np_memory_taken(bytes);
    if (posix_memalign(&memory, HUGE_PAGE, bytes + MORE))
        return NULL;
    if (!np_account_is_tight()) /* else a huge page that a later, small array has would count as a whole */
        (void)madvise(memory, bytes, MADV_HUGEPAGE); /* advice: refusal changes speed only */
    return memory;
}

/* Large arrays are charged before the system is asked, small ones when their size is known. */
static np_status take_charged(void **out, size_t bytes, const char *what)
{
    size_t large = bytes < HUGE_FROM ? 0 : np_memory_taken(bytes);
    np_status st = large ? np_account_charge(large, what) : NP_OK;
    if (st || !(*out = take(bytes))) {
        np_account_give_back(st ? 0 : large);
        return st ? st : refuse(what, bytes, 1);
    }
    if (!large && (st = np_account_charge(bytes_of(*out), what))) {
        free(*out);
        *out = NULL;
    }
    return st;
}

static np_status allocate(void **out, size_t count, size_t size, bool zero, const char *what)
{
    size_t bytes;
    *out = NULL;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX || must_fail())
        return refuse(what, count, size);
    np_status st = take_charged(out, bytes, what);
    if (!st && zero)
        memset(*out, 0, bytes);
    return st;
}

np_status np_memory_zeroed(void *out, size_t count, size_t size, const char *what)
{
    void *memory;
    np_status st = allocate(&memory, count, size, true, what);
    memcpy(out, &memory, sizeof memory);
    return st;
}

np_status np_memory_array(void *out, size_t count, size_t size, const char *what)
{
    void *memory;
    np_status st = allocate(&memory, count, size, false, what);
    memcpy(out, &memory, sizeof memory);
    return st;
}

np_status np_memory_grow(void *array, size_t kept, size_t count, size_t size, const char *what)
{
    void *old, *grown;
    memcpy(&old, array, sizeof old);
    np_status st = allocate(&grown, count, size, false, what);
    if (st)
        return st; /* the old array is untouched and still the caller's */
    if (kept)
        memcpy(grown, old, kept * size);
    np_memory_free(old);
    memcpy(array, &grown, sizeof grown);
    return NP_OK;
}

/*
 * The C library keeps arrays that are freed, for later ones. Where the limit is low, the system gets their pages back:
 * so what is in use is what the account says.
 */
static void give_pages_back(void *pointer, size_t bytes)
{
    size_t skipped = (PAGE - (uintptr_t)pointer % PAGE) % PAGE;
    if (bytes >= PAGES_FROM && np_account_is_tight())
        (void)madvise((char *)pointer + skipped, (bytes - skipped) / PAGE * PAGE, MADV_DONTNEED);
}

void np_memory_free(void *pointer)
{
    if (!pointer)
        return;
    size_t bytes = bytes_of(pointer);
    np_account_give_back(bytes);
    give_pages_back(pointer, bytes);
    free(pointer);
}

void np_memory_free_all(size_t count, void *const *pointer)
{
    for (size_t i = 0; i < count; i++)
        np_memory_free(pointer[i]);
}

void *np_memory_lend(size_t bytes)
{
    void *memory;
    np_status st = allocate(&memory, bytes, 1, false, "what a library takes");
    return st ? NULL : memory;
}

void *np_memory_lend_again(void *old, size_t bytes)
{
    void *memory = np_memory_lend(bytes);
    if (memory && old) {
        size_t kept = malloc_usable_size(old);
        memcpy(memory, old, kept < bytes ? kept : bytes);
        np_memory_free(old);
    }
    return memory;
}

char *np_memory_text(const char *text)
{
    char *copy;
    size_t length = strlen(text) + 1;
    if (np_memory_array(&copy, length, 1, "a string"))
        return NULL;
    return memcpy(copy, text, length);
}
