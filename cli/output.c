/* Files that verbs write. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"

/* A pipe or a device is not opened before there is something to write: its reader would take the end for the whole. */
static bool is_special(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
}

/* What a path names: a file that is there, or else a name in a folder. */
typedef struct place {
    dev_t device;
    ino_t file;
    const char *name; /* "": the file is there */
    bool letters;     /* it is a terminal, or another device that gives letters one by one */
} place;

static bool find_folder(const char *path, size_t length, struct stat *about)
{
    char folder[PATH_MAX];
    return snprintf(folder, sizeof folder, "%.*s.", (int)length, path) < (int)sizeof folder && !stat(folder, about);
}

static bool find_place(const char *path, place *out)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    struct stat about;
    bool there = !strcmp(path, "-") ? !fstat(STDOUT_FILENO, &about) : !stat(path, &about);
    if (!there && !find_folder(path, (size_t)(name - path), &about))
        return false;
    *out = (place){about.st_dev, about.st_ino, there ? "" : name, there && S_ISCHR(about.st_mode)};
    return true;
}

bool cli_output_same(const char *one, const char *other)
{
    place a, b;
    if (!strcmp(one, other))
        return strcmp(one, "/dev/null") != 0;
    return find_place(one, &a) && find_place(other, &b) && !a.letters && a.device == b.device && a.file == b.file &&
           !strcmp(a.name, b.name);
}

int cli_output_check(const char *path)
{
    np_output *output;
    if (!strcmp(path, "-") || is_special(path))
        return 0;
    if (np_output_open(path, &output))
        return cli_fail_last();
    np_output_discard(output);
    return 0;
}
