/* See passed.h. */
#include "engine/schedule/passed.h"

#include <string.h>

#include "base/hot.h"

enum { GROUP = 64 }; /* words: ours, so many that the loops over them vectorise, and so few that carries often end */

void np_passed_layout(np_passed *passed, np_link first, size_t words, np_arena *arena)
{
    passed->first = first;
    passed->words = words;
    for (unsigned k = 0; k < NP_PASSED_DIGITS; k++)
        np_arena_zeroed(arena, &passed->digit[k], words, sizeof *passed->digit[k], "the links' counts");
}

void np_passed_reset(np_passed *passed)
{
    for (unsigned k = 0; k < NP_PASSED_DIGITS; k++)
        memset(passed->digit[k], 0, passed->words * sizeof *passed->digit[k]);
}

/* The counts of these links of a word have come to 2^NP_PASSED_DIGITS. */
static void carry_out(const np_passed *passed, np_queues *queues, size_t word, uint64_t bits)
{
    for (; bits; bits &= bits - 1)
        np_queues_counts(queues)[passed->first + (word << 6) + (size_t)__builtin_ctzll(bits)] += 1 << NP_PASSED_DIGITS;
}

void np_passed_add(np_passed *passed, np_queues *queues, size_t word, uint64_t bits)
{
    for (unsigned k = 0; bits && k < NP_PASSED_DIGITS; k++) {
        uint64_t old = passed->digit[k][word];
        passed->digit[k][word] = old ^ bits;
        bits &= old;
    }
    if (bits)
        carry_out(passed, queues, word, bits);
}

/* Adds one digit to the counts of a group of words; *digit becomes what is carried. Returns whether there is any. */
static inline uint64_t add_digit(uint64_t *restrict count, uint64_t *restrict digit)
{
    uint64_t any = 0;
    for (size_t i = 0; i < GROUP; i++) {
        uint64_t old = count[i], added = digit[i];
        count[i] = old ^ added;
        digit[i] = old & added;
        any |= old & added;
    }
    return any;
}

NP_HOT void np_passed_add_all(np_passed *passed, np_queues *queues, const uint64_t *once, const uint64_t *twice,
                              const uint64_t *busy)
{
    uint64_t digit[GROUP];
    for (size_t word = 0; word < passed->words; word += GROUP) {
        uint64_t any = 0;
        for (size_t i = 0; i < GROUP; i++)
            any |= digit[i] = once[word + i] & ~(twice[word + i] | busy[word + i]);
        for (unsigned k = 0; any && k < NP_PASSED_DIGITS; k++)
            any = add_digit(passed->digit[k] + word, digit);
        for (size_t i = 0; any && i < GROUP; i++)
            carry_out(passed, queues, word + i, digit[i]);
    }
}

static inline uint32_t count_of(const np_passed *passed, size_t bit)
{
    uint32_t count = 0;
    for (unsigned k = 0; k < NP_PASSED_DIGITS; k++)
        count |= (uint32_t)(passed->digit[k][bit >> 6] >> (bit & 63) & 1) << k;
    return count;
}

/* The largest count of these links of the word, digit by digit from the highest on: who has this digit is larger than
 * who does not. */
static uint32_t largest_of(const np_passed *passed, size_t word, uint64_t largest)
{
    uint32_t count = 0;
    for (unsigned k = NP_PASSED_DIGITS; k-- > 0;) {
        uint64_t have = largest & passed->digit[k][word];
        largest = have ? have : largest;
        count |= (uint32_t)(have != 0) << k;
    }
    return count;
}

/* The bits first .. last-1 of a word. */
static uint64_t bits_of(size_t first, size_t last)
{
    return ~UINT64_C(0) << (first & 63) & ~UINT64_C(0) >> (-last & 63);
}

static inline uint32_t most_of(const uint32_t *entered, size_t count)
{
    uint32_t most = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t here = entered[i] & ~NP_QUEUE_IDLE;
        most = here > most ? here : most;
    }
    return most;
}

NP_HOT uint32_t np_passed_congestion(const np_passed *passed, const np_queues *queues, np_link first, np_link last)
{
    const uint32_t *entered = np_queues_counts(queues);
    uint32_t most = 0;
    for (size_t l = first, end; l < last; l = end) {
        size_t word = (l - passed->first) >> 6;
        end = (((size_t)l | 63) + 1 < last) ? ((size_t)l | 63) + 1 : last;
        uint32_t largest = largest_of(passed, word, bits_of(l - passed->first, end - passed->first));
        most = largest > most ? largest : most;
        if (most_of(entered + l, end - l) + largest <= most)
            continue;
        for (size_t i = l; i < end; i++) {
            if ((entered[i] & ~NP_QUEUE_IDLE) + largest <= most)
                continue;
            uint32_t all = (entered[i] & ~NP_QUEUE_IDLE) + count_of(passed, i - passed->first);
            most = all > most ? all : most;
        }
    }
    return most;
}
