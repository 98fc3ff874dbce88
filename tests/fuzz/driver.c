/*
 * Runs a fuzz target without libFuzzer: over every file of a corpus, then over mutations of them drawn from a seed, so
 * that a failure repeats. Mutations go on for a number of inputs ("4000") or of seconds of processor time ("60s"), or
 * until SIGTERM. The input at work is written to fuzz-failure.bin when the target aborts or takes more than a minute.
 *
 * usage: fuzz_NAME CORPUS [INPUTS [SEED]]
 */
#include "fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "base/random.h"

enum {
    FILES_MOST = 4000,
    SIZE_MOST = 1 << 14,
    INPUT_SECONDS = 60,
    STOPPED_SECONDS = 900,
    CLOCK_EVERY = 64,
    TELL_EVERY = 1000000
};

typedef struct input {
    size_t size;
    uint8_t *data;
} input;

static input present;
static const input *other; /* of the corpus: what is spliced in */

static void write_failure(int number)
{
    int file = open("fuzz-failure.bin", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file >= 0 && write(file, present.data, present.size) >= 0)
        close(file);
    signal(number, SIG_DFL);
    raise(number);
}

/* In a block of its own size, so that a sanitizer sees a read past the end. */
static void run(const uint8_t *data, size_t size)
{
    present = (input){size, malloc(size ? size : 1)};
    if (size)
        memcpy(present.data, data, size);
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = INPUT_SECONDS}, NULL); /* of a processor */
    alarm(STOPPED_SECONDS); /* by the clock, which goes on while others have the processor */
    LLVMFuzzerTestOneInput(present.data, size);
    free(present.data);
}

static uint64_t state;

static uint64_t draw(uint64_t bound) { return np_random_mix(state += UINT64_C(0x9e3779b97f4a7c15)) % bound; }

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t size_most)
{
    size_t at = draw(size + 1), cut = draw(size - at + 1), count = 0;
    uint8_t byte = (uint8_t)draw(256);
    const uint8_t *bytes = &byte;
    switch (draw(4)) {
    case 0: /* another byte, or one more */
        cut = cut ? 1 : 0;
        count = 1;
        break;
    case 1: /* another bit */
        byte = at < size ? data[at] ^ (uint8_t)(1 << draw(8)) : byte;
        cut = at < size;
        count = 1;
        break;
    case 2:
        cut = cut < 16 ? cut : 16;
        break;
    default:
        if (other->size) {
            size_t first = draw(other->size);
            bytes = other->data + first;
            count = draw(other->size - first) + 1;
        }
    }
    if (size - cut + count > size_most)
        return size;
    memmove(data + at + count, data + at + cut, size - at - cut);
    memcpy(data + at, bytes, count);
    return size - cut + count;
}

static input read_file(const char *directory, const char *name)
{
    char path[4096];
    input in = {0, malloc(SIZE_MOST)};
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(1);
    }
    in.size = fread(in.data, 1, SIZE_MOST, file);
    fclose(file);
    return in;
}

static volatile sig_atomic_t stopped;
static void stop(int number) { stopped = number; }

static int visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

/* The inputs or the seconds are over, or somebody stopped us. */
static bool enough(unsigned long done, unsigned long limit, bool seconds)
{
    if (stopped || !seconds)
        return stopped || done >= limit;
    return done % CLOCK_EVERY == 0 && clock() / CLOCKS_PER_SEC >= (clock_t)limit;
}

static unsigned long run_mutations(const input *corpus, int files, unsigned long limit, bool seconds)
{
    static uint8_t work[SIZE_MOST];
    unsigned long done = 0;
    for (; !enough(done, limit, seconds); done++) {
        const input *from = &corpus[draw((uint64_t)files)];
        size_t size = from->size;
        memcpy(work, from->data, size);
        other = &corpus[draw((uint64_t)files)];
        for (uint64_t times = 1 + draw(4); times; times--)
            size = LLVMFuzzerCustomMutator(work, size, SIZE_MOST, (unsigned)draw(UINT32_MAX));
        run(work, size);
        if ((done + 1) % TELL_EVERY == 0)
            fprintf(stderr, "%lu inputs\n", done + 1);
    }
    return done;
}

int main(int argc, char **argv)
{
    static input corpus[FILES_MOST];
    struct dirent **entry;
    char none[] = "", *unit = none;
    unsigned long limit = argc > 2 ? strtoul(argv[2], &unit, 10) : 4000;
    int files = argc > 1 ? scandir(argv[1], &entry, visible, alphasort) : -1;
    if (files < 1 || files > FILES_MOST) {
        fprintf(stderr, "usage: %s CORPUS [INPUTS [SEED]]: a directory with 1..%d files\n", argv[0], FILES_MOST);
        return 1;
    }
    state = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    signal(SIGABRT, write_failure);
    signal(SIGSEGV, write_failure);
    signal(SIGALRM, write_failure);
    signal(SIGPROF, write_failure);
    signal(SIGTERM, stop);
    for (int i = 0; i < files; i++) {
        corpus[i] = read_file(argv[1], entry[i]->d_name);
        run(corpus[i].data, corpus[i].size);
        free(entry[i]);
    }
    free(entry);
    unsigned long done = run_mutations(corpus, files, limit, *unit == 's');
    for (int i = 0; i < files; i++)
        free(corpus[i].data);
    printf("%d files, %lu mutations\n", files, done);
    return 0;
}
