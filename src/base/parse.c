/* Numbers, sides and the nearest name. Specs print back byte for byte, so only one spelling is accepted. */
#include "base/parse.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

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

size_t np_parse_entry(const char *list)
{
    size_t length = 0;
    for (int depth = 0; list[length] && (list[length] != ',' || depth > 0); length++)
        depth += (list[length] == '{') - (list[length] == '}');
    return length;
}

/* The digits after the point, in units of 1e-9. False: there are none, or more than nine. */
static bool read_decimals(const char *text, uint64_t *out)
{
    uint64_t value = 0, unit = NP_PARSE_WHOLE;
    if (!*text)
        return false;
    for (; *text >= '0' && *text <= '9' && unit > 1; text++) {
        unit /= 10;
        value += unit * (uint64_t)(*text - '0');
    }
    *out = value;
    return !*text;
}

bool np_parse_decimal(const char *text, uint64_t *out)
{
    uint64_t whole, decimals = 0;
    if (!np_parse_u64(&text, &whole) || (*text && (*text != '.' || !read_decimals(text + 1, &decimals))))
        return false;
    *out = whole > UINT64_MAX / NP_PARSE_WHOLE - 1 ? UINT64_MAX : whole * NP_PARSE_WHOLE + decimals;
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

enum { WIDTH = 64 }; /* of the table of distances: names are shorter, and longer words are cut */

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/*
 * How far the word is from the name: the letters to insert, delete, replace or swap with their neighbours, or one more
 * than it takes to come to a beginning of the name ("prefx" to "prefix-sums").
 */
static size_t distance(const char *word, const char *name)
{
    uint8_t away[WIDTH][WIDTH]; /* at most 2 * WIDTH */
    size_t height = strnlen(word, WIDTH - 1), width = strnlen(name, WIDTH - 1);
    for (size_t i = 0; i <= height; i++)
        for (size_t j = 0; j <= width; j++) {
            if (!i || !j) {
                away[i][j] = (uint8_t)(i + j);
                continue;
            }
            size_t best = least(away[i - 1][j], away[i][j - 1]) + 1;
            best = least(best, away[i - 1][j - 1] + (word[i - 1] != name[j - 1]));
            if (i > 1 && j > 1 && word[i - 1] == name[j - 2] && word[i - 2] == name[j - 1])
                best = least(best, away[i - 2][j - 2] + 1);
            away[i][j] = (uint8_t)best;
        }
    size_t best = away[height][width];
    for (size_t j = 0; j < width && height >= 3; j++)
        best = least(best, away[height][j] + 1);
    return best;
}

/* The largest distance of a name that may be meant. Ours: one slip in three letters, and no name is longer than 32. */
static size_t near(const char *word)
{
    size_t letters = strlen(word);
    return letters < 4 ? 1 : letters > 32 ? 0 : (letters + 1) / 3;
}

void np_parse_hint_init(np_parse_hint *hint, const char *word)
{
    *hint = (np_parse_hint){.word = word, .distance = near(word) + 1, .text = "there is none"};
}

/* Adds a name to a text of names, or "..." if there is no room. */
static void append(np_parse_hint *hint, const char *name)
{
    static const char more[] = ", ...";
    char quoted[104];
    size_t length = strlen(hint->text);
    snprintf(quoted, sizeof quoted, "'%.100s'", name);
    if (!hint->names++)
        snprintf(hint->text, sizeof hint->text, "choose from %s", quoted);
    else if (!strstr(hint->text, quoted) && strcmp(hint->text + length - strlen(more), more) != 0) {
        bool fits = length + strlen(quoted) + sizeof more + 2 <= sizeof hint->text;
        snprintf(hint->text + length, sizeof hint->text - length, ", %s", fits ? quoted : "...");
    }
}

void np_parse_hint_add(np_parse_hint *hint, const char *name)
{
    size_t away = strcasecmp(hint->word, name) != 0 ? distance(hint->word, name) : 0;
    bool shorter = hint->nearest && away == hint->distance && strlen(name) < strlen(hint->nearest);
    if (away < hint->distance || shorter) {
        hint->nearest = name;
        hint->distance = away;
        snprintf(hint->text, sizeof hint->text, "did you mean '%.100s'?", name);
    }
    if (!hint->nearest)
        append(hint, name);
}

np_parse_hint np_parse_hint_of(const char *word, const char *const *names, size_t count)
{
    np_parse_hint hint;
    np_parse_hint_init(&hint, word);
    for (size_t i = 0; i < count; i++)
        np_parse_hint_add(&hint, names[i]);
    return hint;
}
