/*
 * Which temporary files are stale. Process numbers do not tell: they are used again, and each container counts its own.
 * The lock does: its maker holds it, and the system gives it back however the maker ends. All containers of one kernel
 * see the lock. Another machine on a network file system may not see it, if the file system keeps locks on one machine.
 * So names carry the kernel's boot number, and a file of another boot must also have been left alone for a week. A
 * file system without locks keeps every file.
 *
 * A name is removed only by its maker, or by who holds the lock on its file. The maker of a file looks whether the file
 * still has a name, once it has the lock: someone may have swept in between.
 */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* flock */
#endif
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/temporary.h"

/* Ours: a week. A table of links is written when all runs are done, and its file was made before the first one. */
enum { ALONE_SECONDS = 604800 };

void np_stale_boot(char boot[NP_BOOT_DIGITS + 1])
{
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re"); /* 8 hexadecimal digits, '-' and more */
    size_t got = file ? fread(boot, 1, NP_BOOT_DIGITS, file) : 0;
    boot[got] = '\0';
    if (strspn(boot, "0123456789abcdef") < NP_BOOT_DIGITS)
        memset(boot, '0', NP_BOOT_DIGITS + 1);
    boot[NP_BOOT_DIGITS] = '\0';
    if (file)
        fclose(file);
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

/* Was it made since this kernel began to run? */
static bool is_of_this_boot(const char *tag)
{
    char boot[NP_BOOT_DIGITS + 1];
    np_stale_boot(boot);
    return strcmp(boot, "00000000") != 0 && !strncmp(tag, boot, NP_BOOT_DIGITS);
}

/*
 * Has nobody the lock, and is this the file's only name? Then we have the lock until the descriptor is closed. The maker
 * may have placed the file since we opened it, and may have made another one of the same name.
 */
static bool is_free(int directory, const char *name, int file, struct stat *about)
{
    struct stat named;
    if (flock(file, LOCK_EX | LOCK_NB) || fstat(file, about) || fstatat(directory, name, &named, AT_SYMLINK_NOFOLLOW))
        return false;
    return S_ISREG(about->st_mode) && about->st_nlink == 1 && about->st_ino == named.st_ino &&
           about->st_dev == named.st_dev;
}

static void sweep_file(int directory, const char *name, const char *tag, time_t now)
{
    struct stat about;
    /* for writing, because a lock on NFS needs it; without waiting, because it may be a pipe */
    int file = openat(directory, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0)
        return;
    if (is_free(directory, name, file, &about) && (is_of_this_boot(tag) || now - about.st_mtime >= ALONE_SECONDS))
        unlinkat(directory, name, 0);
    close(file);
}

static void sweep_directory(DIR *directory, const char *base, time_t now)
{
    size_t length = strlen(base);
    for (struct dirent *entry; (entry = readdir(directory));) {
        const char *name = entry->d_name;
        if (!strncmp(name, base, length) && !strncmp(name + length, ".tmp-", 5) && is_tag(name + length + 5))
            sweep_file(dirfd(directory), name, name + length + 5, now);
    }
}

void np_stale_sweep(const char *stem, int mine)
{
    struct stat about;
    char *directory = np_memory_text(stem);
    if (!directory)
        return;
    char *slash = strrchr(directory, '/');
    const char *base = slash ? stem + (slash - directory) + 1 : stem;
    if (slash)
        slash[1] = '\0';
    DIR *open = opendir(slash ? directory : ".");
    if (open && !fstat(mine, &about))
        sweep_directory(open, base, about.st_mtime);
    if (open)
        closedir(open);
    np_memory_free(directory);
}
