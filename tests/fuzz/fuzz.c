#define _XOPEN_SOURCE 700 /* nftw */
#include "fuzz.h"

#include <errno.h>
#include <ftw.h>
#include <glob.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/random.h"
#include "netpram/base.h"

void fuzz_check_message(const char *beginning)
{
    const char *message = np_last_error();
    FUZZ_CHECK(*message && !strncmp(message, beginning, strlen(beginning)));
    for (; *message; message++)
        FUZZ_CHECK((unsigned char)*message >= ' ' && *message != 127);
}

fuzz_choices fuzz_choices_of(const uint8_t *data, size_t size)
{
    uint64_t hash = size;
    for (size_t i = 0; i < size; i++)
        hash = np_random_mix(hash ^ data[i]) + i;
    return (fuzz_choices){data, size, hash};
}

static uint32_t next_byte(fuzz_choices *choices)
{
    choices->size--;
    return *choices->data++;
}

uint32_t fuzz_choose(fuzz_choices *choices, uint32_t bound)
{
    size_t bytes = bound > 256 ? 2 : 1;
    if (choices->size < bytes) {
        choices->size = 0;
        choices->later = np_random_mix(choices->later + UINT64_C(0x9e3779b97f4a7c15));
        return (uint32_t)(choices->later >> 32) % bound;
    }
    uint32_t value = next_byte(choices);
    return (bytes == 2 ? value << 8 | next_byte(choices) : value) % bound;
}

static char folder[64];

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *place)
{
    (void)about, (void)type, (void)place;
    return remove(path);
}

static void remove_folder(void) { nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS); }

static int remove_within(const char *path, const struct stat *about, int type, struct FTW *place)
{
    return place->level ? remove_one(path, about, type, place) : 0;
}

void fuzz_clear_folder(void) { nftw(fuzz_folder(), remove_within, 8, FTW_DEPTH | FTW_PHYS); }

/* Folders end with the number of their process. Those of processes that were killed go. */
static void remove_stale(const char *pattern)
{
    glob_t found;
    if (glob(pattern, 0, NULL, &found))
        return;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        pid_t owner = (pid_t)atol(strrchr(found.gl_pathv[i], '-') + 1);
        if (owner == getpid() || (kill(owner, 0) && errno == ESRCH))
            nftw(found.gl_pathv[i], remove_one, 8, FTW_DEPTH | FTW_PHYS);
    }
    globfree(&found);
}

const char *fuzz_folder(void)
{
    if (!*folder) { /* in memory, where the system has it: files are flushed to the disk */
        const char *parent = access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm";
        char name[sizeof folder];
        snprintf(name, sizeof name, "%s/netpram-fuzz-[0-9]*", parent);
        remove_stale(name);
        snprintf(folder, sizeof folder, "%s/netpram-fuzz-%d", parent, (int)getpid());
        FUZZ_CHECK(!mkdir(folder, 0700) && !atexit(remove_folder));
    }
    return folder;
}

static bool judging;

static void end_of_process(void) { FUZZ_CHECK(!judging); }

void fuzz_judge_begins(void)
{
    static bool registered;
    if (!registered)
        registered = !atexit(end_of_process);
    judging = true;
}

void fuzz_judge_ends(void) { judging = false; }
