/*
 * The files in which the kernel tells of the system, as /proc/meminfo: lines that begin with a key. A test gives
 * another folder in the place of the root of the file system.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Given each line in turn, without its end; what it returns says whether to go on. */
typedef bool np_system_visit(void *self, char *line);

/*
 * The lines of a file, named from the root. Lines of 8 kB and more are left out. A file that cannot be read has none.
 */
void np_system_lines(const char *root, const char *path, np_system_visit *visit, void *self);

/* *out = the number behind the key, on the first line that begins with it. False, *out stays: there is none ("max"). */
bool np_system_number(const char *root, const char *path, const char *key, uint64_t *out);
