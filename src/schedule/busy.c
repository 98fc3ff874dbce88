/* See busy.h. Group bits are cleared lazily, by the walk that finds a group empty. */
#include "schedule/busy.h"

#include "base/memory.h"

static size_t groups_of(uint64_t links) { return (size_t)((links + 4095) / 4096); }

uint64_t np_busy_bytes(uint64_t links) { return groups_of(links) * 512 + (groups_of(links) + 63) / 64 * 8; }

np_status np_busy_init(np_busy *busy, np_link first, np_link last)
{
    size_t groups = groups_of((uint64_t)last - first);
    np_status st;
    *busy = (np_busy){.first = first, .words = groups * 64};
    if ((st = np_memory_zeroed(&busy->bits, groups * 64, sizeof *busy->bits, "the bitmap of busy links")))
        return st;
    return np_memory_zeroed(&busy->group, (groups + 63) / 64, sizeof *busy->group, "the groups of busy links");
}

void np_busy_clear(np_busy *busy)
{
    np_memory_free(busy->bits);
    np_memory_free(busy->group);
    *busy = (np_busy){0};
}

/* The first word from `word` on in a group that may be non-zero; busy->words if none. */
static size_t skip(np_busy *busy, size_t word)
{
    while (word < busy->words) {
        uint64_t groups = busy->group[word >> 12] >> (word >> 6 & 63);
        if (groups)
            return word + ((size_t)__builtin_ctzll(groups) << 6);
        word = ((word >> 12) + 1) << 12;
    }
    return busy->words;
}

/* The group's 64 words from `word` on: the first that is non-zero, or the group's end. */
static size_t scan(np_busy *busy, size_t word)
{
    size_t start = word, end = word + 64;
    while (word < end && !busy->bits[word])
        word++;
    if (word == end)
        busy->group[start >> 12] &= ~(UINT64_C(1) << (start >> 6 & 63));
    return word;
}

size_t np_busy_next(np_busy *busy, np_busy_walk *walk, size_t limit, np_link *link)
{
    size_t count = 0, word = walk->word;
    uint64_t rest = walk->rest;
    while (count < limit) {
        while (rest && count < limit) {
            link[count++] = busy->first + (np_link)((word - 1) << 6) + (np_link)__builtin_ctzll(rest);
            rest &= rest - 1;
        }
        if (rest || count == limit)
            break;
        if (!(word & 63)) { /* at a group's start */
            word = skip(busy, word);
            if (word >= busy->words)
                break;
            size_t end = word + 64;
            word = scan(busy, word);
            if (word == end)
                continue;
        }
        rest = busy->bits[word++];
    }
    walk->word = word;
    walk->rest = rest;
    return count;
}
