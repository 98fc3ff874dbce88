/*
 * Runs a fuzz target without a fuzzer: over every file of a corpus, then over
 * mutations of them drawn from a fixed seed, so that a failure repeats. The
 * input at work is written to fuzz-failure.bin when the target aborts.
 *
 * usage: fuzz_NAME CORPUS [MUTATIONS]
 */
#include "fuzz.h"

#include <dirent.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>
#include <fcntl.h>

enum { FILES_MOST = 1000, SIZE_MOST = 1 << 16, DEFAULT_MUTATIONS = 4000 };

typedef struct input {
    size_t size;
    uint8_t *data;
} input;

static input present;

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
    memcpy(present.data, data, size);
    LLVMFuzzerTestOneInput(present.data, size);
    free(present.data);
}

static uint64_t draw(uint64_t bound)
{
    static uint64_t state = 1; /* SplitMix64 */
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (z ^ z >> 31) % bound;
}

/* Replaces `cut` bytes at `at` by others. */
static void splice(input *in, size_t at, size_t cut, const uint8_t *bytes, size_t count)
{
    if (at > in->size || cut > in->size - at || in->size - cut + count > SIZE_MOST)
        return;
    memmove(in->data + at + count, in->data + at + cut, in->size - at - cut);
    memcpy(in->data + at, bytes, count);
    in->size += count - cut;
}

static void mutate(input *in, const input *other)
{
    static const char *const words[] = {"0",          "1",         "-1",      "18446744073709551616",
                                        "4294967295", "\n",        "\r\n",    " ",
                                        "\t",         "#",         "%",       "e9",
                                        ".",          ":",         "x",       "real",
                                        "nodes 5",    "symmetric", "integer", "skew-symmetric",
                                        "1 2 3\n"};
    size_t at = draw(in->size + 1), cut = draw(in->size - at + 1);
    const char *word = words[draw(sizeof words / sizeof *words)];
    uint8_t byte = (uint8_t)draw(256);
    switch (draw(5)) {
    case 0:
        splice(in, at, cut ? 1 : 0, &byte, 1);
        break;
    case 1:
        splice(in, at, 0, (const uint8_t *)word, strlen(word));
        break;
    case 2:
        splice(in, at, cut, (const uint8_t *)word, strlen(word));
        break;
    case 3:
        splice(in, at, cut < 16 ? cut : 16, &byte, 0);
        break;
    default:
        if (other->size) {
            size_t first = draw(other->size);
            splice(in, at, cut, other->data + first, draw(other->size - first) + 1);
        }
    }
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

static int visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

int main(int argc, char **argv)
{
    static input corpus[FILES_MOST];
    static uint8_t work[SIZE_MOST];
    struct dirent **entry;
    int mutations = argc > 2 ? atoi(argv[2]) : DEFAULT_MUTATIONS;
    int files = argc > 1 ? scandir(argv[1], &entry, visible, alphasort) : -1;
    if (files < 1 || files > FILES_MOST) {
        fprintf(stderr, "usage: %s CORPUS [MUTATIONS]: a directory with 1..%d files\n", argv[0], FILES_MOST);
        return 1;
    }
    signal(SIGABRT, write_failure);
    signal(SIGSEGV, write_failure);
    for (int i = 0; i < files; i++) {
        corpus[i] = read_file(argv[1], entry[i]->d_name);
        run(corpus[i].data, corpus[i].size);
        free(entry[i]);
    }
    free(entry);
    for (int m = 0; m < mutations; m++) {
        const input *from = &corpus[draw((uint64_t)files)];
        input in = {from->size, memcpy(work, from->data, from->size)};
        for (uint64_t times = 1 + draw(4); times; times--)
            mutate(&in, &corpus[draw((uint64_t)files)]);
        run(in.data, in.size);
    }
    for (int i = 0; i < files; i++)
        free(corpus[i].data);
    printf("%d files, %d mutations\n", files, mutations);
    return 0;
}
