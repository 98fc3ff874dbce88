/*
 * Fuzz targets: each file fuzz_NAME.c is one LLVMFuzzerTestOneInput, the grammar of its inputs, and a corpus,
 * corpus/NAME. By any compiler, with driver.c, they are programs that run the corpus and mutations of it; `make test`
 * does. By clang with -DNETPRAM_LIBFUZZER=ON they are programs of libFuzzer, which are guided by coverage: `make fuzz`.
 * grammar.c mutates inputs in both.
 */
#ifndef NP_TESTS_FUZZ_H
#define NP_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Mutates data[0..size), which has room for size_most bytes; returns the new size. Of grammar.c. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t size_most, unsigned seed);

/* The same, but knows nothing of the grammar. Of libFuzzer, or of driver.c. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t size_most);

/*
 * A rule of a grammar: "a $b c|$d" is a text, then what rule b makes, then a text; or what rule d makes. Alternatives
 * are drawn with equal chances. What stands for itself has neither '$' nor '|'. Rules that every grammar has:
 *   $number    mostly small; now and then at a border
 *   $bytes     1 to 24 bytes
 *   $networks  a spec of `netpram list networks`; and so on for each list
 */
typedef struct fuzz_rule {
    const char *name, *text;
} fuzz_rule;

/* Of the target: inputs are made by the first rule. The last rule has no name. */
extern const fuzz_rule fuzz_grammar[];

/* A promise of the library that the input broke. */
#define FUZZ_CHECK(condition)                                                                                          \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                            \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

/* The library's last message is a line, and begins so. */
void fuzz_check_message(const char *beginning);

/*
 * Routes the traffic greedily on a network whose links have no other numbers than the network says. A refusal is a
 * line. Else each packet moves over links from where it is, one packet a link and step, and ends at its destination.
 */
struct np_network;
struct np_traffic;
void fuzz_check_routing(const struct np_network *network, const struct np_traffic *traffic);

/* Around a call of a judge of tests/oracle, which ends the process by cmocka's means if it finds something. */
void fuzz_judge_begins(void);
void fuzz_judge_ends(void);

/* A folder of the process for files, which goes when it exits. */
const char *fuzz_folder(void);
void fuzz_clear_folder(void);

/* Choices drawn from the bytes of an input. */
typedef struct fuzz_choices {
    const uint8_t *data;
    size_t size;
    uint64_t later; /* what choices after the end of the input come from: a hash of all its bytes */
} fuzz_choices;

fuzz_choices fuzz_choices_of(const uint8_t *data, size_t size);

/* Below bound. Takes a byte of the input; two if the bound is more than 256. */
uint32_t fuzz_choose(fuzz_choices *choices, uint32_t bound);

#endif
