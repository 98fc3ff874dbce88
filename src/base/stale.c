/*
 * Which temporary files are stale. Process numbers do not tell: they are used again, and each container counts its own.
 * The lock does: its maker holds it, and the system gives it back however the maker ends. All containers of one kernel
 * see the lock. Another machine on a network file system may not see it, if the file system keeps locks on one machine;
 * nor may this machine by another mount, of FUSE or 9p. So names carry the kernel's boot number, mixed with the number
 * of the mounted device, and a file of another boot must also have been left alone for a week. Where a file cannot be
 * locked, its name has zeros instead. A file system without locks keeps every file.
 *
 * A name is removed only by its maker, or by who holds the lock on its file. The maker of a file looks whether the file
 * still has a name, once it has the lock: someone may have swept in between.
 */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* flock */
#endif
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/random.h"
#include "base/temporary.h"

/* Ours: a week. A table of links is written when all runs are done, and its file was made before the first one. */
enum { ALONE_SECONDS = 604800 };

/* Of a file name: ".tmp-", BOOT, '-', a process number of 7 digits at most, '-', a number below 100. */
enum { NAME_BYTES = 255, TAG_BYTES = 5 + NP_BOOT_DIGITS + 1 + 7 + 1 + 2 };

static const char *base_of(const char *stem)
{
    const char *slash = strrchr(stem, '/');
    return slash ? slash + 1 : stem;
}

size_t np_stale_stem(const char *stem)
{
    const char *base = base_of(stem);
    size_t kept = strlen(base);
    if (kept > NAME_BYTES - TAG_BYTES)
        for (kept = NAME_BYTES - TAG_BYTES; kept && (base[kept] & 0xC0) == 0x80;) /* whole characters of UTF-8 */
            kept--;
    return (size_t)(base - stem) + kept;
}

static bool name_folder(const char *stem, char folder[PATH_MAX])
{
    return snprintf(folder, PATH_MAX, "%.*s.", (int)(base_of(stem) - stem), stem) < PATH_MAX;
}

/* The kernel's number; 0: it does not tell. */
static uint32_t number_of_boot(void)
{
    char boot[NP_BOOT_DIGITS + 1] = ""; /* the file has 8 hexadecimal digits, '-' and more */
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
    size_t got = file ? fread(boot, 1, NP_BOOT_DIGITS, file) : 0;
    if (file)
        fclose(file);
    return got == NP_BOOT_DIGITS ? (uint32_t)strtoul(boot, NULL, 16) : 0;
}

void np_stale_boot(const char *stem, char boot[NP_BOOT_DIGITS + 1])
{
    char folder[PATH_MAX];
    struct stat about;
    uint32_t number = number_of_boot();
    if (number && name_folder(stem, folder) && !stat(folder, &about))
        number ^= (uint32_t)(np_random_mix(about.st_dev) >> 32);
    else
        number = 0;
    snprintf(boot, NP_BOOT_DIGITS + 1, "%08" PRIx32, number);
}

/* Is it BOOT-PROCESS-NUMBER? */
static bool is_tag(const char *tag)
{
    size_t boot = strspn(tag, "0123456789abcdef"), process, number;
    if (boot != NP_BOOT_DIGITS || tag[boot] != '-')
        return false;
    tag += boot + 1;
    process = strspn(tag, "0123456789");
    if (!process || tag[process] != '-')
        return false;
    tag += process + 1;
    number = strspn(tag, "0123456789");
    return number && !tag[number];
}

/* Was it made since this kernel began to run, and by this mount? */
static bool is_of_boot(const char *tag, const char *boot)
{
    return strcmp(boot, NP_BOOT_UNKNOWN) != 0 && !strncmp(tag, boot, NP_BOOT_DIGITS);
}

/*
 * Has nobody the lock, and is this the file's only name? Then we have the lock until the descriptor is closed. The
 * maker may have placed the file since we opened it, and may have made another one of the same name.
 */
static bool is_free(int directory, const char *name, int file, struct stat *about)
{
    struct stat named;
    if (flock(file, LOCK_EX | LOCK_NB) || fstat(file, about) || fstatat(directory, name, &named, AT_SYMLINK_NOFOLLOW))
        return false;
    return S_ISREG(about->st_mode) && about->st_nlink == 1 && about->st_ino == named.st_ino &&
           about->st_dev == named.st_dev;
}

/* What is swept. */
typedef struct sweep {
    DIR *directory;
    const char *base; /* [length] */
    size_t length;
    char boot[NP_BOOT_DIGITS + 1];
    time_t now;
} sweep;

static void sweep_file(const sweep *s, const char *name, const char *tag)
{
    struct stat about;
    int directory = dirfd(s->directory);
    /* for writing, because a lock on NFS needs it; without waiting, because it may be a pipe */
    int file = openat(directory, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0)
        return;
    if (is_free(directory, name, file, &about) &&
        (is_of_boot(tag, s->boot) || s->now - about.st_mtime >= ALONE_SECONDS))
        unlinkat(directory, name, 0);
    close(file);
}

static void sweep_directory(const sweep *s)
{
    for (struct dirent *entry; (entry = readdir(s->directory));) {
        const char *name = entry->d_name, *rest = name + s->length;
        if (!strncmp(name, s->base, s->length) && !strncmp(rest, ".tmp-", 5) && is_tag(rest + 5))
            sweep_file(s, name, rest + 5);
    }
}

void np_stale_sweep(const char *stem, int mine)
{
    char folder[PATH_MAX];
    struct stat about;
    sweep s = {.base = base_of(stem)};
    if (!name_folder(stem, folder) || !(s.directory = opendir(folder)))
        return;
    s.length = np_stale_stem(stem) - (size_t)(s.base - stem);
    np_stale_boot(stem, s.boot);
    if (!fstat(mine, &about)) {
        s.now = about.st_mtime;
        sweep_directory(&s);
    }
    closedir(s.directory);
}
