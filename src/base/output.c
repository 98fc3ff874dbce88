/*
 * Atomic files. The temporary file is in the directory of the final one, so
 * that rename() is one step within one file system. Its name has the process
 * number, so that two commands that write the same file do not share it: the
 * command that finishes last wins, and its file is whole. fsync comes before
 * rename: a full disk may show only at fsync, and after a power cut a renamed
 * file must not be empty.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* asprintf, realpath */
#endif
#include "netpram/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/temporary.h"

enum { NAME_TRIES = 100 }; /* ours: killed processes with our number may have left files */

struct np_output {
    FILE *stream;
    char *path;      /* as given, for messages */
    char *final;     /* symbolic links resolved */
    char *temporary; /* NULL: written directly */
    np_temporary listed;
};

static np_status refuse(const char *path, int cause)
{
    return NP_RAISE(NP_ERROR_IO, "cannot write %s: %s", path, cause ? strerror(cause) : "a write failed");
}

static void free_output(np_output *output)
{
    np_memory_free(output->path);
    np_memory_free(output->final);
    np_memory_free(output->temporary);
    np_memory_free(output);
}

/* Makes the temporary file, which must not exist. Returns its descriptor; -1 and errno if it cannot be made. */
static int make(np_output *output)
{
    np_temporary_add(&output->listed, output->temporary);
    int file = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    int cause = errno;
    if (file < 0)
        np_temporary_forget(&output->listed); /* it may be another program's */
    errno = cause;
    return file;
}

/* Opens a file that did not exist, beside the final one. */
static np_status open_temporary(np_output *output)
{
    size_t size = strlen(output->final) + 64;
    np_status st = np_memory_array(&output->temporary, size, 1, "a file name");
    if (st)
        return st;
    int file = -1;
    for (int i = 0; i < NAME_TRIES && file < 0; i++) {
        snprintf(output->temporary, size, "%s.tmp-%ld-%d", output->final, (long)getpid(), i);
        file = make(output);
        if (file < 0 && errno != EEXIST)
            break;
    }
    if (file < 0)
        return refuse(output->path, errno);
    output->stream = fdopen(file, "w");
    if (!output->stream) {
        st = refuse(output->path, errno);
        close(file);
        np_temporary_remove(&output->listed);
    }
    return st;
}

/* Not by its name in /dev: a file that is opened again has a place of its own, and what comes later would overwrite. */
static np_status open_standard(np_output *output)
{
    int file = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    output->stream = file < 0 ? NULL : fdopen(file, "w");
    if (output->stream)
        return NP_OK;
    np_status st = refuse(output->path, errno);
    if (file >= 0)
        close(file);
    return st;
}

static np_status open_stream(np_output *output)
{
    struct stat about;
    if (!strncmp(output->path, "/dev/", 5)) { /* /dev/stderr may lead to a regular file, which is not ours to replace */
        output->stream = fopen(output->path, "ae");
        return output->stream ? NP_OK : refuse(output->path, errno);
    }
    char *resolved = realpath(output->path, NULL);
    output->final = np_memory_text(resolved ? resolved : output->path);
    free(resolved);
    if (!output->final)
        return NP_ERROR_MEMORY;
    if (stat(output->final, &about) == 0 && !S_ISREG(about.st_mode)) {
        if (S_ISDIR(about.st_mode))
            return refuse(output->path, EISDIR);
        output->stream = fopen(output->final, "we");
        return output->stream ? NP_OK : refuse(output->path, errno);
    }
    return open_temporary(output);
}

np_status np_output_open(const char *path, np_output **out)
{
    np_output *output;
    np_status st;
    *out = NULL;
    if ((st = np_memory_zeroed(&output, 1, sizeof *output, "an output file")))
        return st;
    bool standard = !strcmp(path, "-") || !strcmp(path, "/dev/stdout");
    output->path = np_memory_text(standard ? "the standard output" : path);
    st = !output->path ? NP_ERROR_MEMORY : standard ? open_standard(output) : open_stream(output);
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
        return refuse(name, errno);
    if (!ferror(stream))
        return NP_OK;
    /* An earlier write failed and its cause is lost. The output is broken anyway: one more byte finds the cause. */
    return refuse(name, write(fileno(stream), "\n", 1) < 0 ? errno : 0);
}

np_status np_output_commit(np_output *output)
{
    np_status st = np_output_check(output->stream, output->path);
    if (!st && output->temporary && fsync(fileno(output->stream)))
        st = refuse(output->path, errno);
    if (fclose(output->stream) && !st)
        st = refuse(output->path, errno);
    if (!st && output->temporary && rename(output->temporary, output->final))
        st = refuse(output->path, errno);
    if (st)
        np_temporary_remove(&output->listed);
    else
        np_temporary_forget(&output->listed);
    free_output(output);
    return st;
}

void np_output_discard(np_output *output)
{
    if (!output)
        return;
    fclose(output->stream);
    np_temporary_remove(&output->listed);
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
        return NP_ERROR_MEMORY;
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
