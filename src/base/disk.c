/* See disk.h. */
#include "base/disk.h"

#include "base/decimal.h"

#include <sys/stat.h>
#include <sys/statvfs.h>

bool np_disk_free(FILE *stream, uint64_t *bytes)
{
    struct stat about;
    struct statvfs disk;
    int file = fileno(stream);
    if (file < 0 || fstat(file, &about) || !S_ISREG(about.st_mode) || fstatvfs(file, &disk))
        return false;
    *bytes = (uint64_t)disk.f_bavail * disk.f_frsize;
    return true;
}

np_size_shown np_size_show(double bytes)
{
    static const char *const units[] = {"kB", "MB", "GB", "TB"};
    np_size_shown shown;
    size_t i = 0;
    for (bytes /= 1e3; bytes >= 999.5 && i < 3; i++)
        bytes /= 1e3;
    snprintf(shown.text, sizeof shown.text, "%s %s", NP_REAL(bytes, 3), units[i]);
    return shown;
}
