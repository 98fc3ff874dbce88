/*
 * Fuzz targets: each file fuzz_NAME.c is one LLVMFuzzerTestOneInput. Built
 * with driver.c they are ordinary tests over corpus/NAME and mutations of it;
 * with clang they are libFuzzer programs:
 *
 *   CC=clang cmake -S . -B build-fuzz -DNETPRAM_LIBFUZZER=ON -DNETPRAM_SANITIZE=ON
 *   cmake --build build-fuzz && build-fuzz/fuzz_links -max_total_time=120 tests/fuzz/corpus/links
 */
#ifndef NP_TESTS_FUZZ_H
#define NP_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A promise of the library that the input broke. */
#define FUZZ_CHECK(condition)                                                                                          \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                            \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

#endif
