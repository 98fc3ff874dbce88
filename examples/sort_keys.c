/*
 * Keys of one's own are sorted on a mesh, and the report says what it cost:
 * all steps, each stage, and what the textbook's formula gives. The keys are
 * temperatures. np_sort compares unsigned words, so the program maps each
 * number to a word that compares as the number does.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <netpram/netpram.h>

enum { KEYS = 64 };

/* Negative numbers: all bits flipped. Others: above all negative ones. */
static uint64_t word_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static void print_result(const np_sort_result *result)
{
    printf("%s on %s: %.0f steps, %" PRIu64 " comparisons\n", result->algorithm, result->network, result->steps.mean,
           result->comparators);
    if (result->predicted.steps)
        printf("  the formula: %" PRIu64 " steps, %s\n", result->predicted.steps, result->predicted.formula);
    for (size_t i = 0; i < result->stages; i++)
        printf("  %-16s %5.0f steps\n", result->stage[i].name, result->stage[i].steps.mean);
}

static np_status sort(const np_network *network, const char *algorithm, const double *celsius, const uint64_t *key)
{
    np_sort_options options;
    np_sort_result *result = NULL;
    np_sort_options_init(&options);
    options.algorithm = algorithm;
    np_status st = np_sort(network, KEYS, key, &options, &result);
    if (!st) {
        print_result(result);
        printf("  coldest %.1f, then %.1f; warmest %.1f\n", celsius[result->order[0]], celsius[result->order[1]],
               celsius[result->order[KEYS - 1]]);
        if (!result->sorted)
            st = NP_ERROR_INTERNAL;
    }
    np_sort_result_free(result);
    return st;
}

int main(void)
{
    double celsius[KEYS];
    uint64_t key[KEYS];
    np_network *network = NULL;
    for (int i = 0; i < KEYS; i++) {
        celsius[i] = (i * 37 % KEYS) * 0.5 - 8;
        key[i] = word_of(celsius[i]);
    }
    np_status st = np_network_create("mesh:8x8", &network);
    if (!st)
        st = sort(network, "shearsort", celsius, key);
    if (!st)
        st = sort(network, "odd-even-transposition", celsius, key);
    if (st)
        fprintf(stderr, "sort_keys: %s\n", np_last_error());
    np_network_free(network);
    return st != NP_OK;
}
