/* Numbers, sides and the nearest name. Specs print back byte for byte, so only one spelling is accepted. */
#include "base/parse.h"

#include <string.h>

bool np_parse_u64(const char **text, uint64_t *out)
{
    const char *p = *text;
    uint64_t value = 0;
    if (*p < '0' || *p > '9' || (*p == '0' && p[1] >= '0' && p[1] <= '9'))
        return false;
    for (; *p >= '0' && *p <= '9'; p++)
        if (__builtin_mul_overflow(value, (uint64_t)10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(*p - '0'), &value))
            return false;
    *text = p;
    *out = value;
    return true;
}

bool np_parse_whole(const char *text, uint64_t low, uint64_t high, uint64_t *out)
{
    uint64_t value;
    if (!np_parse_u64(&text, &value) || *text || value < low || value > high)
        return false;
    *out = value;
    return true;
}

size_t np_parse_sides(const char *text, size_t limit, uint64_t *out)
{
    for (size_t count = 0; count < limit;) {
        if (!np_parse_u64(&text, &out[count]))
            return 0;
        count++;
        if (!*text)
            return count;
        if (*text++ != 'x')
            return 0;
    }
    return 0;
}

/* Levenshtein distance, rows of at most 63 characters: names are short. */
static size_t distance(const char *a, const char *b)
{
    size_t row[64], width = strnlen(b, 63);
    for (size_t j = 0; j <= width; j++)
        row[j] = j;
    for (size_t i = 1; *a && i < 64; i++, a++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= width; j++) {
            size_t best = diagonal + (*a != b[j - 1]);
            diagonal = row[j];
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            row[j] = best;
        }
    }
    return row[width];
}

const char *np_parse_nearer(const char *word, const char *first, const char *second)
{
    return first && distance(word, first) <= distance(word, second) ? first : second;
}

const char *np_parse_nearest(const char *word, const char *const *names, size_t count)
{
    const char *nearest = NULL;
    for (size_t i = 0; i < count; i++)
        nearest = np_parse_nearer(word, nearest, names[i]);
    return nearest;
}
