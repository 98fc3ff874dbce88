#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "fuzz.h"

#include <ftw.h>
#include <string.h>
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

static char folder[] =
    "/dev/shm/netpram-fuzz-XXXXXX"; /* in memory, where the system has it: files are flushed to the disk */

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

const char *fuzz_folder(void)
{
    static bool made;
    if (!made) {
        if (access("/dev/shm", W_OK))
            strcpy(folder, "/tmp/netpram-fuzz-XXXXXX");
        FUZZ_CHECK(mkdtemp(folder));
        made = !atexit(remove_folder);
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
