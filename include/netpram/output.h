/*
 * Files that appear under their final name only when whole. What is written
 * goes to a temporary file beside the final one; np_output_commit flushes it to
 * the disk, checks that every write succeeded and renames it.
 *
 * | state     | open          | stream, writes | commit, discard |
 * |-----------|---------------|----------------|-----------------|
 * | (none)    | gives `open`  |                |                 |
 * | open      |               | legal          | end it          |
 */
#ifndef NETPRAM_OUTPUT_H
#define NETPRAM_OUTPUT_H

#include <stdio.h>

#include "netpram/status.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct np_output np_output;

/**
 * Opens a file for writing under a temporary name. A path in /dev, and one
 * that exists and is no regular file (a pipe), is written directly.
 *
 * @param path  the final name; a symbolic link is followed
 * @param out   receives the output; end it with np_output_commit or
 *              np_output_discard. NULL on error
 * @return NP_ERROR_IO (the message names the path and the cause), NP_ERROR_MEMORY
 */
np_status np_output_open(const char *path, np_output **out) NP_CHECKED;

/** The stream to write to. Owned by the output: never close it. */
FILE *np_output_stream(np_output *output);

/**
 * Puts the file in place and frees the output, in any case.
 *
 * @return NP_ERROR_IO if any write failed (a full disk): the temporary file is
 *         then removed and a file of that name from before is unchanged
 */
np_status np_output_commit(np_output *output) NP_CHECKED;

/** Removes the temporary file and frees the output. NULL is allowed. */
void np_output_discard(np_output *output);

/**
 * Makes a directory and those above it, where missing.
 * @return NP_ERROR_IO (the message names the path and the cause), NP_ERROR_MEMORY
 */
np_status np_output_directory(const char *path) NP_CHECKED;

/**
 * Flushes a stream and tells whether all that was written to it got through.
 * @param name  what the message calls the stream
 * @return NP_ERROR_IO
 */
np_status np_output_check(FILE *stream, const char *name) NP_CHECKED;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
