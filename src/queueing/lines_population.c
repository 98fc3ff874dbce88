/*
 * See lines_population.h. A node has one packet more at each instant of its
 * incoming links, and one less at each instant of its outgoing links. Sums over 64
 * and over 8 instants show that most instants need no closer look: the packets that
 * come in them are too few to pass the largest population so far, even if all of
 * them came first.
 */
#include "queueing/lines_population.h"

#include "base/hot.h"

void np_lines_links_add(np_lines_links *links, const uint64_t *bits, uint32_t side, uint32_t words, uint32_t v)
{
    const uint64_t *up = bits, *down = bits + (size_t)side * words;
    for (int way = 0; way < 2; way++) {
        bool first = way ? v + 1 == side : v == 0, last = way ? v == 0 : v + 1 == side;
        uint32_t k = links->count++;
        links->come[k] = first ? NULL : way ? down + (size_t)(v + 1) * words : up + (size_t)(v - 1) * words;
        links->go[k] = last ? NULL : (way ? down : up) + (size_t)v * words;
        links->words[k] = words;
        links->longest = words > links->longest ? words : links->longest;
    }
}

static inline uint32_t ones(const uint64_t *word, uint32_t count, unsigned from)
{
    uint32_t sum = 0;
    for (uint32_t k = 0; k < count; k++)
        sum += (uint32_t)__builtin_popcount((unsigned)(word[k] >> from & 0xff));
    return sum;
}

/* Looks at instants from .. from + 7 of a word, one by one. */
static inline uint32_t look_at_byte(const uint64_t *come, const uint64_t *go, uint32_t count, unsigned from,
                                    uint32_t now, uint32_t most)
{
    for (unsigned t = from; t < from + 8; t++) {
        for (uint32_t k = 0; k < count; k++)
            now += (uint32_t)(come[k] >> t & 1) - (uint32_t)(go[k] >> t & 1);
        most = now > most ? now : most;
    }
    return most;
}

/*
 * The most at one instant within a word, if it exceeds `most`: looks at bytes first, since few
 * bytes need a closer look.
 */
static inline uint32_t look_at_word(const uint64_t *come, const uint64_t *go, uint32_t count, uint32_t now,
                                    uint32_t most)
{
    for (unsigned from = 0; from < 64; from += 8) {
        uint32_t more = ones(come, count, from);
        if (now + more > most)
            most = look_at_byte(come, go, count, from, now, most);
        now += more - ones(go, count, from);
    }
    return most;
}

NP_HOT uint32_t np_lines_links_most(const np_lines_links *links, uint32_t now, uint32_t most)
{
    most = now > most ? now : most;
    for (uint32_t w = 0; w < links->longest; w++) {
        uint64_t come[2 * NP_MAX_DIMENSIONS], go[2 * NP_MAX_DIMENSIONS];
        uint32_t more = 0, less = 0;
        for (uint32_t k = 0; k < links->count; k++) {
            come[k] = links->come[k] && w < links->words[k] ? links->come[k][w] : 0;
            go[k] = links->go[k] && w < links->words[k] ? links->go[k][w] : 0;
            more += (uint32_t)__builtin_popcountll(come[k]);
            less += (uint32_t)__builtin_popcountll(go[k]);
        }
        if (now + more > most)
            most = look_at_word(come, go, links->count, now, most);
        now += more - less;
    }
    return most;
}
