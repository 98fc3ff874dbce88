/*
 * What a fuzzer of one parser gives to the driver. The entry has libFuzzer's
 * name and shape, so that it links with clang -fsanitize=fuzzer as well.
 */
#ifndef NP_TESTS_FUZZ_H
#define NP_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "netpram/netpram.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the program with the reason and the input. */
void fuzz_fail(const char *reason) __attribute__((noreturn));

/* The input as a string: ends at its first zero byte. Valid until the next input. */
const char *fuzz_text(const uint8_t *data, size_t size);

/* "file:PATH" of a temporary file with the input in it, rewritten for each input. */
const char *fuzz_file(const uint8_t *data, size_t size);

/* What every refusal must come with: no object, a message of one line, and blame on the input. */
void fuzz_check_refusal(np_status status, const void *object);

#endif
