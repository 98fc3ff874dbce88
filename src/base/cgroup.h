/* The limits of the control groups that the process is in. */
#pragma once

#include <stdint.h>

/* The least number of bytes that is left to a group of this process, `most` at most. */
uint64_t np_cgroup_memory_left(const char *root, uint64_t most);

/* The least number of processors that a quota of a group of this process is for, rounded up; `most` at most. */
unsigned np_cgroup_processors(const char *root, unsigned most);
