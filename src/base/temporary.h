/*
 * Files that get their final name when they are whole. Until then a file has the name STEM.tmp-BOOT-PROCESS-NUMBER, and
 * its maker holds a lock (flock) on it. Of a long stem, the name has the beginning.
 *
 * A list has all temporary files of this process. A program that ends by a signal removes them from a thread that may
 * wait for a lock, not from a handler. A program that is killed leaves its files, but not their locks: who makes a
 * temporary file of the same stem removes stale ones (stale.c).
 *
 * The final file keeps the mode of the file that it replaces, and its owner and group where we may set them. Access
 * control lists and extended attributes are not kept.
 */
#pragma once

#include "base/status.h"

/* One such file. The descriptor is the caller's to close, after one of the calls that end the entry. */
typedef struct np_temporary {
    const char *shown; /* the final path as given, for messages */
    char *path, *final;
    int file;                        /* opened for writing */
    struct np_temporary *next, **at; /* at: the pointer to this entry; NULL: not in the list */
} np_temporary;

/*
 * Makes the file. A file that has the final name must be regular and writable. The caller keeps *temporary and the path
 * in their places until one of the next two calls.
 * @param final  the path
 * @param stem   the path that the temporary name begins with, in the directory of the final one. NULL: the final one
 *               itself, after its symbolic links
 * @return NP_ERROR_IO, NP_ERROR_MEMORY; then there is nothing to end or to close
 */
NP_FOR_REPORT np_status np_temporary_make(np_temporary *temporary, const char *final, const char *stem) NP_CHECKED;

/* Puts the file on the disk and under its final name. On an error the file is removed. Both end the entry. */
NP_FOR_REPORT np_status np_temporary_place(np_temporary *temporary) NP_CHECKED;

/* Removes the file. An entry that is zero is left as it is. */
NP_FOR_REPORT void np_temporary_remove(np_temporary *temporary);

/*
 * Removes all files of the list. The program is about to end: every later call of the functions above waits for ever.
 */
void np_temporary_remove_all(void);

/* "cannot write PATH: CAUSE", of an error number; 0: the cause is not known. */
np_status np_temporary_refuse(const char *path, int cause);

/* ---- stale.c ---- */

enum { NP_BOOT_DIGITS = 8 };

/* In the place of these digits: locks do not tell whether the maker lives. */
#define NP_BOOT_UNKNOWN "00000000"

/*
 * Writes digits that are the same for all processes that see each other's locks in the stem's folder: those of a
 * running kernel, by one mount. NP_BOOT_UNKNOWN: the kernel does not tell.
 */
void np_stale_boot(const char *stem, char boot[NP_BOOT_DIGITS + 1]);

/* How many bytes of the stem temporary names begin with: of a long name not all, because there must be room for the
 * rest. */
size_t np_stale_stem(const char *stem);

/* Removes the stale files of the stem. `mine` was just made there, and tells the time of the file system. */
void np_stale_sweep(const char *stem, int mine);
