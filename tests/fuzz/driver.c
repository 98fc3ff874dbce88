/*
 * Runs one parser on the files given, then on mutations of them: a fixed
 * number for the tests (the same every time), or for as many seconds as asked.
 * It knows nothing of coverage; it needs no compiler but the project's own.
 *
 *     fuzz_NAME [--inputs N | --seconds N] [FILE...]
 *
 * An input that crashes the parser is left in ./crash-input.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* mkstemp */
#endif
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/random.h"
#include "fuzz.h"

enum { SIZE_MAX_INPUT = 4096, SEEDS_MAX = 256, EDITS_MAX = 6 };

static struct {
    uint8_t data[SIZE_MAX_INPUT];
    size_t size;
} seeds[SEEDS_MAX], input;
static size_t seed_count;
static char temporary[] = "/tmp/netpram-fuzz-XXXXXX";

/* A few bytes too many asked for must be refused, not given: no input of 4 kB deserves a gigabyte. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "allocator_may_return_null=1:max_allocation_size_mb=1024"; }

void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void keep_input(void)
{
    FILE *file = fopen("crash-input", "wb");
    if (file) {
        fwrite(input.data, 1, input.size, file);
        fclose(file);
        fprintf(stderr, "the input is in crash-input (%zu bytes)\n", input.size);
    }
}

static void on_signal(int number)
{
    keep_input();
    signal(number, SIG_DFL);
    raise(number);
}

void fuzz_fail(const char *reason)
{
    fprintf(stderr, "%s; last error '%s'\n", reason, np_last_error());
    keep_input();
    unlink(temporary);
    exit(1);
}

const char *fuzz_text(const uint8_t *data, size_t size)
{
    static char text[SIZE_MAX_INPUT + 1];
    memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

const char *fuzz_file(const uint8_t *data, size_t size)
{
    static char spec[sizeof temporary + 5];
    FILE *file = fopen(temporary, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file))
        fuzz_fail("cannot write the temporary file");
    snprintf(spec, sizeof spec, "file:%s", temporary);
    return spec;
}

void fuzz_check_refusal(np_status status, const void *object)
{
    if (object)
        fuzz_fail("refused, but *out is not NULL");
    if (status == NP_ERROR_INTERNAL || status == NP_ERROR_IO || status == NP_ERROR_CANCELLED)
        fuzz_fail("an input is not refused as such");
    if (!*np_last_error() || strchr(np_last_error(), '\n'))
        fuzz_fail("the message is not one line");
}

static void load_seed(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(2);
    }
    if (seed_count < SEEDS_MAX) {
        seeds[seed_count].size = fread(seeds[seed_count].data, 1, SIZE_MAX_INPUT, file);
        seed_count++;
    }
    fclose(file);
}

/* Replaces input[at, at + gone) by the bytes given, as far as there is room. */
static void splice(size_t at, size_t gone, const uint8_t *bytes, size_t count)
{
    if (input.size - gone + count > SIZE_MAX_INPUT)
        return;
    memmove(input.data + at + count, input.data + at + gone, input.size - at - gone);
    memcpy(input.data + at, bytes, count);
    input.size += count - gone;
}

/* What breaks parsers of numbers, sides, lines and headers. */
static void edit(const uint32_t random[4])
{
    static const char *const words[] = {"0", "1", "9", "00", "-1", "4294967295", "4294967296", "18446744073709551615",
                                        "18446744073709551616", "x", ":", "\n", "\r\n", " ", "\t", "#", "%", "%%", ".",
                                        "1e9", "file:", "\xff", "2x", "%MatrixMarket "};
    size_t at = random[1] % (input.size + 1), length = random[2] % 8;
    uint8_t copy[SIZE_MAX_INPUT];
    if (length > input.size - at)
        length = input.size - at;
    switch (random[0] % 5) {
    case 0: { /* a word put in, or put over something */
        const char *word = words[random[3] % (sizeof words / sizeof *words)];
        splice(at, random[3] >> 31 ? length : 0, (const uint8_t *)word, strlen(word));
        break;
    }
    case 1: /* a byte changed */
        if (at < input.size)
            input.data[at] = (uint8_t)random[3];
        break;
    case 2: /* something taken out */
        splice(at, length, copy, 0);
        break;
    case 3: /* something said twice */
        memcpy(copy, input.data + at, length);
        splice(at, 0, copy, length);
        break;
    default: /* cut off */
        if (random[3] % 4 == 0)
            input.size = at;
    }
}

/* The n-th input: a function of n and the seed files alone. */
static void mutate(uint32_t n)
{
    const np_draws draws = {.seed = 1, .purpose = NP_RANDOM_CHECK};
    uint32_t random[4];
    np_random_block(&draws, n, 0, random);
    input.size = 0;
    if (seed_count)
        memcpy(&input, &seeds[random[0] % seed_count], sizeof input);
    for (uint32_t i = 0, edits = 1 + random[1] % EDITS_MAX; i < edits; i++) {
        np_random_block(&draws, n, 1 + i, random);
        edit(random);
    }
}

static void prepare(void)
{
    int file = mkstemp(temporary);
    if (file < 0)
        fuzz_fail("cannot make a temporary file");
    close(file);
#ifndef __SANITIZE_ADDRESS__
    const struct rlimit limit = {(rlim_t)2 << 30, (rlim_t)2 << 30};
    (void)setrlimit(RLIMIT_AS, &limit);
#endif
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(keep_input);
    else
        signal(SIGSEGV, on_signal);
    signal(SIGABRT, on_signal);
}

int main(int argc, char **argv)
{
    unsigned long inputs = 2000;
    time_t seconds = 0, start = time(NULL);
    uint32_t n = 0;
    prepare();
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--inputs") && i + 1 < argc)
            inputs = strtoul(argv[++i], NULL, 10);
        else if (!strcmp(argv[i], "--seconds") && i + 1 < argc)
            seconds = (time_t)strtoul(argv[++i], NULL, 10);
        else
            load_seed(argv[i]);
    for (size_t i = 0; i < seed_count; i++) {
        memcpy(&input, &seeds[i], sizeof input);
        LLVMFuzzerTestOneInput(input.data, input.size);
    }
    for (; seconds ? time(NULL) - start < seconds : n < inputs; n++) {
        mutate(n);
        LLVMFuzzerTestOneInput(input.data, input.size);
    }
    printf("%zu files and %u mutations\n", seed_count, n);
    unlink(temporary);
    return 0;
}
