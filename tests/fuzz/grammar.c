/*
 * Mutates inputs by the grammar of their target: puts in what a rule makes, in place of words or between them, takes
 * words out, changes numbers; or leaves the work to LLVMFuzzerMutate. A word is a run of letters, digits, '.', '_' and
 * '-', or any other byte alone.
 */
#include "fuzz.h"

#include <ctype.h>
#include <string.h>

#include "base/random.h"

enum { DEPTH_MOST = 24, SENTENCE_MOST = 4096 };

/* ---- Draws ---- */

static uint64_t state;

static uint32_t below(uint32_t bound)
{
    return (uint32_t)(np_random_mix(state += UINT64_C(0x9e3779b97f4a7c15)) >> 32) % bound;
}

/* ---- Sentences ---- */

typedef struct sentence {
    char text[SENTENCE_MOST];
    size_t size;
} sentence;

static void add(sentence *s, const char *text, size_t size)
{
    if (size > sizeof s->text - s->size)
        size = sizeof s->text - s->size;
    memcpy(s->text + s->size, text, size);
    s->size += size;
}

static void make_number(sentence *s)
{
    static const char *const border[] = {"-1",         "0",          "00",         "1e9",
                                         "0.5",        "1e-3",       "2147483647", "2147483648",
                                         "4294967295", "4294967296", "4294967297", "9223372036854775807",
                                         "nan",        "1e400",      "0x10",       "18446744073709551616"};
    char text[16];
    const char *number = border[below(sizeof border / sizeof *border)];
    if (below(12)) {
        snprintf(text, sizeof text, "%u", below(UINT32_C(1) << below(10)));
        number = text;
    }
    add(s, number, strlen(number));
}

static void make_bytes(sentence *s)
{
    for (uint32_t count = 1 + below(24); count; count--) {
        char byte = (char)below(256);
        add(s, &byte, 1);
    }
}

/* The example of an entry, or its name alone, or its name with a number. */
static void make_entry(sentence *s, np_list list)
{
    uint32_t count = 0;
    while (np_list_get(list, count))
        count++;
    const np_entry *entry = np_list_get(list, below(count));
    uint32_t form = below(8);
    const char *text = entry->example && form ? entry->example : entry->name;
    add(s, text, strlen(text));
    if (form == 1) {
        add(s, ":", 1);
        make_number(s);
    }
}

static void make(sentence *s, const char *text, int depth);

static bool is(const char *name, const char *at, size_t size)
{
    return strlen(name) == size && !memcmp(name, at, size);
}

/* What the rule of that name makes. */
static void make_by_name(sentence *s, const char *name, size_t size, int depth)
{
    for (const fuzz_rule *rule = fuzz_grammar; rule->name; rule++)
        if (is(rule->name, name, size)) {
            make(s, rule->text, depth);
            return;
        }
    for (int list = 0; list < NP_LISTS; list++)
        if (np_list_name((np_list)list) && is(np_list_name((np_list)list), name, size)) {
            make_entry(s, (np_list)list);
            return;
        }
    if (is("number", name, size))
        make_number(s);
    else if (is("bytes", name, size))
        make_bytes(s);
    else
        fprintf(stderr, "no rule has the name '%.*s'\n", (int)size, name), abort();
}

/* One of the alternatives of a text. */
static void make(sentence *s, const char *text, int depth)
{
    uint32_t alternatives = 1;
    for (const char *p = text; *p; p++)
        alternatives += *p == '|';
    if (depth > DEPTH_MOST)
        return;
    for (uint32_t skip = below(alternatives); skip; skip--)
        text = strchr(text, '|') + 1;
    while (*text && *text != '|') {
        size_t size = strcspn(text, "$|");
        add(s, text, size);
        text += size;
        if (*text == '$') {
            size = 1 + strspn(text + 1, "abcdefghijklmnopqrstuvwxyz-");
            make_by_name(s, text + 1, size - 1, depth + 1);
            text += size;
        }
    }
}

/* ---- Mutations ---- */

typedef struct input {
    uint8_t *data;
    size_t size, size_most;
} input;

static bool in_word(uint8_t c) { return isalnum(c) || (c && strchr("._-", c)); }

/* The start of a word, or the end of the input; the word at or after a random place. */
static size_t some_word(const input *in)
{
    size_t at = below((uint32_t)in->size + 1);
    while (at < in->size && at && in_word(in->data[at]) && in_word(in->data[at - 1]))
        at++;
    return at;
}

static size_t end_of_word(const input *in, size_t at)
{
    size_t end = at < in->size ? at + 1 : at;
    while (end < in->size && in_word(in->data[at]) && in_word(in->data[end]))
        end++;
    return end;
}

/* The end of one to a few words that begin at `at`. */
static size_t end_of_words(const input *in, size_t at)
{
    size_t end = at;
    for (uint32_t words = 1 + below(1 + below(12)); words; words--)
        end = end_of_word(in, end);
    return end;
}

/* Replaces data[at..end) by what the rule makes, unless it does not fit. */
static void put(input *in, size_t at, size_t end, const char *rule)
{
    sentence s = {.size = 0};
    if (rule)
        make(&s, rule, 0);
    if (in->size - (end - at) + s.size > in->size_most)
        return;
    memmove(in->data + at + s.size, in->data + end, in->size - end);
    memcpy(in->data + at, s.text, s.size);
    in->size += s.size - (end - at);
}

static const char *some_rule(void)
{
    uint32_t count = 0;
    while (fuzz_grammar[count].name)
        count++;
    return fuzz_grammar[below(count)].text;
}

/* Changes the first number from a random place on. */
static void put_number(input *in)
{
    size_t at = some_word(in);
    while (at < in->size && !isdigit(in->data[at]))
        at++;
    put(in, at, end_of_word(in, at), "$number");
}

static void mutate(input *in)
{
    size_t at = some_word(in);
    switch (below(8)) {
    case 0:
        put(in, 0, in->size, fuzz_grammar->text);
        break;
    case 1:
        put(in, at, at, some_rule());
        break;
    case 2:
    case 3:
        put(in, at, end_of_words(in, at), some_rule());
        break;
    case 4:
        put(in, at, end_of_words(in, at), NULL);
        break;
    case 5:
        put_number(in);
        break;
    default:
        in->size = LLVMFuzzerMutate(in->data, in->size, in->size_most);
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t size_most, unsigned seed)
{
    input in = {data, size, size_most};
    state = np_random_mix(seed);
    mutate(&in);
    return in.size;
}
