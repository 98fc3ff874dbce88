/*
 * Atomic files: np_temporary. What is no regular file is written directly.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* F_DUPFD_CLOEXEC */
#endif
#include "netpram/base.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/temporary.h"

struct np_output {
    FILE *stream;
    char *path;             /* as given, for messages */
    np_temporary temporary; /* zero: written directly */
};

static void free_output(np_output *output) { NP_MEMORY_FREE(output->path, output); }

/* Makes a stream of the descriptor. */
static np_status open_descriptor(np_output *output, int file)
{
    output->stream = file < 0 ? NULL : fdopen(file, "w");
    if (output->stream)
        return NP_OK;
    np_status st = np_temporary_refuse(output->path, errno);
    np_temporary_remove(&output->temporary);
    if (file >= 0)
        close(file);
    return st;
}

static np_status open_directly(np_output *output, const char *mode)
{
    output->stream = fopen(output->path, mode);
    return output->stream ? NP_OK : np_temporary_refuse(output->path, errno);
}

/* An open descriptor by its name. It may lead to a regular file, which is not ours to replace. */
static bool is_descriptor(const char *path)
{
    return !strncmp(path, "/dev/fd/", 8) || !strcmp(path, "/dev/stdin") || !strcmp(path, "/dev/stdout") ||
           !strcmp(path, "/dev/stderr");
}

static np_status open_stream(np_output *output)
{
    struct stat about;
    np_status st;
    if (is_descriptor(output->path))
        return open_directly(output, "ae");
    if (stat(output->path, &about) == 0 && S_ISDIR(about.st_mode))
        return np_temporary_refuse(output->path, EISDIR);
    if (stat(output->path, &about) == 0 && !S_ISREG(about.st_mode))
        return open_directly(output, "we");
    st = np_temporary_make(&output->temporary, output->path, NULL);
    return st ? st : open_descriptor(output, output->temporary.file);
}

np_status np_output_open(const char *path, np_output **out)
{
    np_output *output;
    np_status st;
    *out = NULL;
    if (!*path)
        return NP_RAISE(NP_ERROR_IO, "a file without a name cannot be written");
    if ((st = np_memory_zeroed(&output, 1, sizeof *output, "an output file")))
        return st;
    bool standard = !strcmp(path, "-") || !strcmp(path, "/dev/stdout");
    output->path = np_memory_text(standard ? "the standard output" : path);
    if (!output->path)
        st = np_status_last();
    else if (standard) /* not by its name in /dev: a file that is opened again has a place of its own, and what comes
                          later would overwrite */
        st = open_descriptor(output, fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0));
    else
        st = open_stream(output);
    if (st) {
        free_output(output);
        return st;
    }
    *out = output;
    return NP_OK;
}

FILE *np_output_stream(np_output *output) { return output->stream; }

np_status np_output_check(FILE *stream, const char *name)
{
    if (fflush(stream))
        return np_temporary_refuse(name, errno);
    if (!ferror(stream))
        return NP_OK;
    /* An earlier write failed and its cause is lost. The output is broken anyway: one more byte finds the cause. */
    return np_temporary_refuse(name, write(fileno(stream), "\n", 1) < 0 ? errno : 0);
}

np_status np_output_commit(np_output *output)
{
    bool temporary = output->temporary.at;
    np_status st = np_output_check(output->stream, output->path);
    if (temporary && !st)
        st = np_temporary_place(&output->temporary); /* before the close, which gives the lock back */
    np_temporary_remove(&output->temporary);
    if (fclose(output->stream) && !temporary && !st) /* what is on the disk cannot be lost */
        st = np_temporary_refuse(output->path, errno);
    free_output(output);
    return st;
}

void np_output_discard(np_output *output)
{
    if (!output)
        return;
    np_temporary_remove(&output->temporary);
    fclose(output->stream);
    free_output(output);
}

static np_status make_directory(const char *path, const char *whole)
{
    struct stat about;
    if (mkdir(path, 0777) == 0)
        return NP_OK;
    int cause = errno;
    if (cause == EEXIST)
        cause = stat(path, &about) == 0 && S_ISDIR(about.st_mode) ? 0 : ENOTDIR;
    if (!cause)
        return NP_OK;
    return NP_RAISE(NP_ERROR_IO, "cannot make the directory %s: %s", whole, strerror(cause));
}

np_status np_output_directory(const char *path)
{
    char *prefix = np_memory_text(path);
    np_status st = NP_OK;
    if (!prefix)
        return np_status_last();
    for (char *slash = strchr(prefix + (*prefix == '/'), '/'); slash && !st; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        st = make_directory(prefix, path);
        *slash = '/';
    }
    if (!st)
        st = make_directory(path, path);
    np_memory_free(prefix);
    return st;
}
