/* See queues.h. */
#include "engine/schedule/queues.h"

#include "base/hot.h"

void np_busy_layout(np_busy *busy, np_link first, np_link last, np_arena *arena)
{
    busy->first = first & ~UINT32_C(4095);
    size_t groups = ((size_t)last - busy->first + 4095) / 4096;
    busy->words = groups * 64;
    np_arena_zeroed(arena, &busy->bits, busy->words + 1, sizeof *busy->bits, "the bitmap of busy links");
    np_arena_zeroed(arena, &busy->group, groups, 1, "the groups of busy links");
}

/* Lists the bits that are set, and some more. Four at a time: the number of bits cannot be predicted. */
static inline size_t list_bits(uint64_t rest, np_link base, np_link *link)
{
    size_t count = (size_t)__builtin_popcountll(rest);
    for (; rest; link += 4)
        for (size_t i = 0; i < 4; i++, rest &= rest - 1)
            link[i] = base + (np_link)__builtin_ctzll(rest | UINT64_C(1) << 63);
    return count;
}

NP_HOT size_t np_busy_take(np_busy *busy, np_busy_walk *walk, size_t limit, np_link *link)
{
    size_t count = 0, word = walk->word, words = busy->words;
    uint64_t *bits = busy->bits;
    while (word < words && count + 64 <= limit) {
        size_t end = (word | 63) + 1;
        if (!(word & 63)) {
            if (!busy->group[word >> 6]) {
                word = end;
                continue;
            }
            busy->group[word >> 6] = 0; /* before any link of the group can be set again */
        }
        for (; word < end && count + 64 <= limit; word++) {
            if (!(word & 3) && !(bits[word] | bits[word + 1] | bits[word + 2] | bits[word + 3])) {
                word += 3;
                continue;
            }
            uint64_t rest = bits[word];
            np_link base = busy->first + (np_link)(word << 6);
            bits[word] = 0;
            count += list_bits(rest, base, link + count);
        }
    }
    walk->word = word;
    return count;
}
