/* See busy.h. */
#include "schedule/busy.h"

#include "base/hot.h"
#include "base/memory.h"

static size_t groups_of(uint64_t links) { return (size_t)((links + 4095) / 4096); }

uint64_t np_busy_bytes(uint64_t links) { return (groups_of(links) + 1) * 513; }

np_status np_busy_init(np_busy *busy, np_link first, np_link last)
{
    first &= ~UINT32_C(4095);
    size_t groups = groups_of((uint64_t)last - first);
    np_status st;
    *busy = (np_busy){.first = first, .words = groups * 64};
    if ((st = np_memory_zeroed(&busy->bits, groups * 64, sizeof *busy->bits, "the bitmap of busy links")))
        return st;
    return np_memory_zeroed(&busy->group, groups, 1, "the groups of busy links");
}

void np_busy_clear(np_busy *busy)
{
    np_memory_free(busy->bits);
    np_memory_free(busy->group);
    *busy = (np_busy){0};
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
            uint64_t rest = bits[word];
            np_link base = busy->first + (np_link)(word << 6);
            bits[word] = 0;
            for (; rest; rest &= rest - 1)
                link[count++] = base + (np_link)__builtin_ctzll(rest);
        }
    }
    walk->word = word;
    return count;
}
