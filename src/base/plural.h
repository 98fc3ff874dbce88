/* The grammar of counts in messages and reports. */
#pragma once

#include <stdint.h>

/* What follows a noun that is counted: "%u packet%s". */
static inline const char *np_plural(uint64_t count) { return count == 1 ? "" : "s"; }
