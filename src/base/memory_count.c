/*
 * The test hook that counts memory. A table says how large each array is, so
 * that arrays need no header and keep their alignment.
 */
#include "base/memory_count.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/memory.h"

enum { ROWS = 4096 };

typedef struct entry {
    struct entry *next;
    void *pointer;
    size_t bytes;
} entry;

static atomic_bool counting;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static entry *row[ROWS];
static uint64_t current, peak;

static entry **row_of(const void *pointer) { return &row[(uintptr_t)pointer / 16 * 2654435761U % ROWS]; }

static int off(void) { return !atomic_load_explicit(&counting, memory_order_relaxed); }

void np_memory_count_add(void *pointer, size_t bytes)
{
    entry *added = off() ? NULL : malloc(sizeof *added);
    if (!added)
        return;
    pthread_mutex_lock(&lock);
    *added = (entry){*row_of(pointer), pointer, bytes};
    *row_of(pointer) = added;
    current += bytes;
    peak = current > peak ? current : peak;
    pthread_mutex_unlock(&lock);
}

void np_memory_count_remove(void *pointer)
{
    if (off() || !pointer)
        return;
    pthread_mutex_lock(&lock);
    entry **at = row_of(pointer);
    while (*at && (*at)->pointer != pointer)
        at = &(*at)->next;
    entry *removed = *at;
    if (removed) {
        *at = removed->next;
        current -= removed->bytes;
    }
    pthread_mutex_unlock(&lock);
    free(removed);
}

void np_memory_count(bool on)
{
    for (size_t i = 0; i < ROWS; i++)
        while (row[i]) {
            entry *next = row[i]->next;
            free(row[i]);
            row[i] = next;
        }
    current = peak = 0;
    atomic_store(&counting, on);
}

uint64_t np_memory_current(void) { return current; }

uint64_t np_memory_peak(void) { return peak; }
