/* The names that are visible at a place of a program. A name hides the same name of an outer block, but for globals. */
#include <string.h>

#include "machine/script/checker.h"
#include "machine/script/language.h"

/* ---- Names by buckets ---- */

/* FNV-1a (Fowler, Noll & Vo 1991). */
static uint32_t hash_of(const char *name)
{
    uint32_t hash = UINT32_C(2166136261);
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * UINT32_C(16777619);
    return hash;
}

static uint32_t *bucket_of(const np_checker *checker, const char *name)
{
    return &checker->bucket[hash_of(name) & (checker->buckets - 1)];
}

static void chain(np_checker *checker, uint32_t i)
{
    uint32_t *bucket = bucket_of(checker, checker->symbol[i].symbol->name);
    checker->symbol[i].before = *bucket;
    *bucket = i + 1;
}

/* Twice as many buckets when there are as many symbols. */
static np_status make_room(np_checker *checker)
{
    np_status st = np_pool_room(checker->pool, &checker->symbol, checker->symbols, sizeof *checker->symbol);
    if (st || checker->symbols < checker->buckets)
        return st;
    uint32_t buckets = checker->buckets ? 2 * checker->buckets : 64;
    if ((st = np_pool_take(checker->pool, &checker->bucket, buckets * sizeof *checker->bucket)))
        return st;
    checker->buckets = buckets;
    for (uint32_t i = 0; i < checker->symbols; i++)
        chain(checker, i);
    return NP_OK;
}

/* The innermost of the name, from 1; 0: there is none. */
static uint32_t find(const np_checker *checker, const char *name)
{
    uint32_t i = checker->buckets ? *bucket_of(checker, name) : 0;
    while (i && strcmp(checker->symbol[i - 1].symbol->name, name) != 0)
        i = checker->symbol[i - 1].before;
    return i;
}

void np_scope_leave(np_checker *checker, uint32_t symbols)
{
    while (checker->symbols > symbols) {
        const np_scope_entry *last = &checker->symbol[--checker->symbols];
        *bucket_of(checker, last->symbol->name) = last->before;
    }
}

/* ---- Names ---- */

static np_status refuse_again(const np_checker *checker, const np_symbol *symbol, const np_symbol *other)
{
    if (!other->place.line)
        return NP_CHECK_RAISE(checker, symbol->place, "'%s' is the size of the input: take another name", symbol->name);
    return NP_CHECK_RAISE(checker, symbol->place, "'%s' is declared in %s already", symbol->name,
                          np_script_line_name(checker->syntax, other->place.line).text);
}

np_status np_scope_declare(np_checker *checker, np_symbol *symbol, uint32_t block)
{
    if (np_language_find(symbol->name, strlen(symbol->name), NP_FORM_FUNCTION))
        return NP_CHECK_RAISE(checker, symbol->place, "'%s' is a function of the language: take another name",
                              symbol->name);
    uint32_t other = find(checker, symbol->name);
    if (other > block)
        return refuse_again(checker, symbol, checker->symbol[other - 1].symbol);
    np_status st = make_room(checker);
    if (st)
        return st;
    checker->symbol[checker->symbols].symbol = symbol;
    chain(checker, checker->symbols++);
    return NP_OK;
}

/* Of nothing that is visible. */
static np_status refuse_unknown(const np_checker *checker, const char *name, np_place place)
{
    np_parse_hint hint;
    np_parse_hint_init(&hint, name);
    for (uint32_t i = checker->symbols; i-- > 0;)
        np_parse_hint_add(&hint, checker->symbol[i].symbol->name);
    for (size_t i = 0; np_language_function_get(i); i++)
        np_parse_hint_add(&hint, np_language_function_get(i)->word);
    const char *word = np_language_small(name);
    if (word)
        np_parse_hint_add(&hint, word);
    if (hint.nearest)
        return NP_CHECK_RAISE(checker, place, "nothing is called '%s' here: %s", name, hint.text);
    return NP_CHECK_RAISE(checker, place,
                          "nothing is called '%s' here: declare it before, with var, shared, input or option", name);
}

np_status np_scope_find(const np_checker *checker, const char *name, np_place place, np_symbol **out)
{
    uint32_t i = find(checker, name);
    if (!i)
        return refuse_unknown(checker, name, place);
    *out = checker->symbol[i - 1].symbol;
    (*out)->used = true;
    return NP_OK;
}
