/* The room on the disk of a file. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/export.h"

/* *bytes = what we may still write on the disk of the stream's file. False: it is no file, but a pipe or a device. */
NP_FOR_REPORT bool np_disk_free(FILE *stream, uint64_t *bytes);

/* A size for people, with three digits: "520 MB". */
typedef struct np_size_shown {
    char text[40];
} np_size_shown;

NP_FOR_REPORT np_size_shown np_size_show(double bytes);
