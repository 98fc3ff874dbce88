/* Allocation with overflow checks, and big arrays on huge pages. */
#pragma once

#include <stdbool.h>

#include "base/status.h"

/*
 * *out = zeroed memory for count items of size bytes each. Large arrays are on
 * huge pages where the system grants them. Arrays of 128 bytes or more are
 * aligned to 128, so that threads do not share their cache lines. count 0 gives
 * a pointer that may be freed. On failure *out is NULL and the message names
 * `what` and the figure. Free with np_memory_free(pointer).
 */
NP_FOR_REPORT np_status np_memory_zeroed(void *out, size_t count, size_t size, const char *what) NP_CHECKED;

/* The same without zeroing, to save time; contents are undefined. */
NP_FOR_REPORT np_status np_memory_array(void *out, size_t count, size_t size, const char *what) NP_CHECKED;

/* Grows *array (from np_memory_array or NULL) to hold `count` items; keeps `kept` of them. */
NP_FOR_REPORT np_status np_memory_grow(void *array, size_t kept, size_t count, size_t size,
                                       const char *what) NP_CHECKED;

NP_FOR_REPORT void np_memory_free(void *pointer);

/* Frees them in this order. All are read before. */
#define NP_MEMORY_FREE(...)                                                                                            \
    np_memory_free_all(sizeof((void *[]){__VA_ARGS__}) / sizeof(void *), (void *[]){__VA_ARGS__})
NP_FOR_REPORT void np_memory_free_all(size_t count, void *const *pointer);

enum { NP_MEMORY_LINE = 128 }; /* two cache lines: processors fetch them in pairs */

/*
 * The bytes that an array of `bytes` bytes takes, at most: large ones end with a huge page, small ones with what the
 * system keeps beside them. SIZE_MAX stays.
 */
size_t np_memory_taken(size_t bytes);

/*
 * For libraries that take their memory by functions: as malloc and realloc, within the account of the thread. Free with
 * np_memory_free. NULL, with the error recorded, if there is none.
 */
NP_FOR_REPORT void *np_memory_lend(size_t bytes);
NP_FOR_REPORT void *np_memory_lend_again(void *old, size_t bytes);

/*
 * The bytes that the process can still get: the least of what the system has, what control groups leave and what the
 * limits of the process leave. 0 if none of them is known; 1 if nothing is left.
 */
uint64_t np_memory_available(void);

/* What is left beside np_memory_default for the stacks of threads, where limits of the process count them. Else
 * UINT64_MAX. */
uint64_t np_memory_for_stacks(void);

/* The available bytes, by the files of Linux alone, below the folder `root`: "" is the system's. For tests. */
uint64_t np_memory_available_by(const char *root);

/* A copy of text; NULL with the error recorded, whose status np_status_last gives: NP_ERROR_LIMIT, NP_ERROR_MEMORY. */
NP_FOR_REPORT char *np_memory_text(const char *text);

/*
 * Test hook: the n-th allocation from now on this process fails (1 = the next),
 * 0 turns it off. Not for threads: set it before any are started.
 */
void np_memory_fail_after(long n);
