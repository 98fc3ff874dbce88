/*
 * The list is doubly linked, so that an entry leaves it without a search. A file enters the list, and leaves it, under
 * the same lock as its name comes and goes: a signal may come at any time, and then the name may already be another
 * program's.
 *
 * The temporary name is in the directory of the final one, so that rename() is one step within one file system. fsync
 * comes before rename: a full disk may show only at fsync, and after a power cut a renamed file must not be empty.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* realpath, flock, fchmod */
#endif
#include "base/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

enum { NAME_TRIES = 100 }; /* ours: killed processes with our number may have left files */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static np_temporary *first;

np_status np_temporary_refuse(const char *path, int cause)
{
    return NP_RAISE(NP_ERROR_IO, "cannot write %s: %s", path, cause ? strerror(cause) : "a write failed");
}

/* ---- The list ---- */

/* Who calls the next two has the lock. */
static void enter(np_temporary *temporary)
{
    temporary->next = first;
    temporary->at = &first;
    if (first)
        first->at = &temporary->next;
    first = temporary;
}

static void leave(np_temporary *temporary)
{
    *temporary->at = temporary->next;
    if (temporary->next)
        temporary->next->at = temporary->at;
    temporary->at = NULL;
}

static void end(np_temporary *temporary)
{
    NP_MEMORY_FREE(temporary->path, temporary->final);
    *temporary = (np_temporary){0};
}

void np_temporary_remove_all(void)
{
    pthread_mutex_lock(&lock); /* and never released: no file may be made from now on */
    for (const np_temporary *temporary = first; temporary; temporary = temporary->next)
        unlink(temporary->path);
}

/* ---- Making ---- */

/*
 * Gives the file the owner, the group and the mode of the one that it replaces. If it cannot have the group, the old
 * group's members are others now and some others are of the group: both get the rights that both had. The file was made
 * for its owner alone: until it has its group, nobody else may open it.
 */
static void imitate(int file, const struct stat *old)
{
    mode_t mode = old->st_mode & 0777, both = mode >> 3 & mode & 07;
    if (fchown(file, old->st_uid, old->st_gid) && fchown(file, (uid_t)-1, old->st_gid))
        mode = (mode & 0700) | both << 3 | both;
    (void)fchmod(file, mode); /* a file system without modes refuses */
}

static int make_listed(np_temporary *temporary, mode_t mode)
{
    pthread_mutex_lock(&lock);
    int file = open(temporary->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    int cause = errno;
    if (file >= 0)
        enter(temporary);
    pthread_mutex_unlock(&lock);
    errno = cause;
    return file;
}

/*
 * Makes the file, which must not exist, and locks it. Returns its descriptor; -1 and errno if it cannot be made, EEXIST
 * if another name is to be tried. A file that cannot be locked has a name that says so: boot becomes unknown.
 */
static int make_locked(np_temporary *temporary, mode_t mode, char *boot)
{
    struct stat about;
    int file = make_listed(temporary, mode);
    if (file < 0)
        return -1;
    bool locked = !flock(file, LOCK_EX | LOCK_NB), swept = !locked && errno == EWOULDBLOCK;
    bool misnamed = !locked && !swept && strcmp(boot, NP_BOOT_UNKNOWN) != 0;
    if (!swept && !misnamed && !fstat(file, &about) && about.st_nlink > 0)
        return file;
    pthread_mutex_lock(&lock);
    if (misnamed)
        unlink(temporary->path);
    leave(temporary);
    pthread_mutex_unlock(&lock);
    close(file);
    if (misnamed)
        strcpy(boot, NP_BOOT_UNKNOWN);
    errno = EEXIST;
    return -1;
}

/* Makes a file with a name of its own: several outputs of a process may have one stem. */
static int make_some(np_temporary *temporary, const char *stem, size_t size, mode_t mode)
{
    char boot[NP_BOOT_DIGITS + 1];
    int file = -1, kept = (int)np_stale_stem(stem);
    np_stale_boot(stem, boot);
    for (int i = 0; i < NAME_TRIES && file < 0; i++) {
        snprintf(temporary->path, size, "%.*s.tmp-%s-%ld-%d", kept, stem, boot, (long)getpid(), i);
        file = make_locked(temporary, mode, boot);
        if (file < 0 && errno != EEXIST)
            break;
    }
    return file;
}

static np_status make_beside(np_temporary *temporary, const char *stem)
{
    struct stat old;
    bool replaces = stat(temporary->final, &old) == 0;
    size_t size = strlen(stem) + 64;
    np_status st;
    if (replaces && access(temporary->final, W_OK))
        return np_temporary_refuse(temporary->shown, errno);
    if ((st = np_memory_array(&temporary->path, size, 1, "a file name")))
        return st;
    temporary->file = make_some(temporary, stem, size, replaces ? 0600 : 0666);
    if (temporary->file < 0)
        return np_temporary_refuse(temporary->shown, errno);
    if (replaces)
        imitate(temporary->file, &old);
    np_stale_sweep(stem, temporary->file);
    return NP_OK;
}

np_status np_temporary_make(np_temporary *temporary, const char *final, const char *stem)
{
    char *resolved = stem ? NULL : realpath(final, NULL);
    *temporary = (np_temporary){.shown = final, .final = np_memory_text(resolved ? resolved : final)};
    free(resolved);
    if (!temporary->final)
        return np_status_last();
    np_status st = make_beside(temporary, stem ? stem : temporary->final);
    if (st)
        end(temporary);
    return st;
}

/* ---- Ending ---- */

/*
 * Puts the directory's new name on the disk. If this fails, the power must not be cut for a while; the file is whole
 * under its name in any case, and so we do not call it a failure.
 */
static void keep_name(char *final)
{
    char *slash = strrchr(final, '/');
    if (slash)
        slash[slash == final] = '\0';
    int directory = open(slash ? final : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0)
        return;
    (void)fsync(directory);
    close(directory);
}

static int rename_listed(np_temporary *temporary)
{
    pthread_mutex_lock(&lock);
    int failed = rename(temporary->path, temporary->final), cause = errno;
    if (!failed)
        leave(temporary);
    pthread_mutex_unlock(&lock);
    errno = cause;
    return failed;
}

np_status np_temporary_place(np_temporary *temporary)
{
    if (fsync(temporary->file) || rename_listed(temporary)) {
        np_status st = np_temporary_refuse(temporary->shown, errno);
        np_temporary_remove(temporary);
        return st;
    }
    keep_name(temporary->final);
    end(temporary);
    return NP_OK;
}

void np_temporary_remove(np_temporary *temporary)
{
    if (!temporary->at)
        return;
    pthread_mutex_lock(&lock);
    unlink(temporary->path);
    leave(temporary);
    pthread_mutex_unlock(&lock);
    end(temporary);
}
