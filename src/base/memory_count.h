/* The calls of memory.c to the hook that counts. */
#ifndef NP_BASE_MEMORY_COUNT_H
#define NP_BASE_MEMORY_COUNT_H

#include <stddef.h>

void np_memory_count_add(void *pointer, size_t bytes);
void np_memory_count_remove(void *pointer);

#endif
