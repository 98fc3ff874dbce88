/* Files that verbs write. */
#include <string.h>
#include <sys/stat.h>

#include "command.h"

/* A pipe or a device is not opened before there is something to write: its reader would take the end for the whole. */
static bool is_special(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
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
