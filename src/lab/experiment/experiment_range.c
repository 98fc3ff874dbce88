/*
 * What a text with braces stands for, much as in a shell: "{a,b}" for two texts, "{6..12}" for seven, "{6..12+2}" for
 * every second one of them, "{1..64x2}" for the powers of 2. Braces of any other form stand for themselves.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/parse.h"
#include "lab/experiment/experiment.h"

/* Ours. Each brace is a level of recursion, which keeps a text. */
enum { TEXTS_MAX = 1 << 16, TEXT_MAX = 4096, BRACES_MAX = 16 };

/* A text is expanded by what its first braces stand for. `level` counts the braces that were expanded before. */
static np_status expand(const char *text, bool number, unsigned level, json_t *list);

/* A range: first, first + step or first * step, ... up to last. */
typedef struct range {
    uint64_t first, last, step;
    bool times;
} range;

/* "6..12+2", up to `end`. False: it is no range. */
static bool read_range(const char *text, const char *end, range *out)
{
    *out = (range){.step = 1};
    if (!np_parse_u64(&text, &out->first) || strncmp(text, "..", 2) != 0)
        return false;
    text += 2;
    if (!np_parse_u64(&text, &out->last))
        return false;
    out->times = *text == 'x';
    if (*text == 'x' || *text == '+') {
        text++;
        if (!np_parse_u64(&text, &out->step))
            return false;
    }
    return text == end;
}

static np_status check_range(const range *r)
{
    if (r->first > r->last)
        return NP_RAISE(NP_ERROR_INPUT, "the range %" PRIu64 "..%" PRIu64 " is empty", r->first, r->last);
    if (!r->step || (r->times && (r->step < 2 || !r->first)))
        return NP_RAISE(NP_ERROR_INPUT, "the range %" PRIu64 "..%" PRIu64 "%c%" PRIu64 " has no end", r->first, r->last,
                        r->times ? 'x' : '+', r->step);
    return NP_OK;
}

/* False: `at` was the last one. */
static bool step_on(const range *r, uint64_t *at)
{
    uint64_t next;
    bool over = r->times ? __builtin_mul_overflow(*at, r->step, &next) : __builtin_add_overflow(*at, r->step, &next);
    *at = next;
    return !over && next <= r->last;
}

/* Expands what is before, a choice for the braces, and what follows them. */
static np_status with(const char *text, size_t before, const char *choice, size_t length, const char *after,
                      unsigned level, json_t *list)
{
    char whole[TEXT_MAX];
    if ((size_t)snprintf(whole, sizeof whole, "%.*s%.*s%s", (int)before, text, (int)length, choice, after) >=
        sizeof whole)
        return NP_RAISE(NP_ERROR_INPUT, "texts with braces have at most %d characters", TEXT_MAX - 1);
    if (level >= BRACES_MAX)
        return NP_RAISE(NP_ERROR_INPUT, "more than %d lists or ranges in braces", BRACES_MAX);
    return expand(whole, false, level + 1, list);
}

static np_status expand_range(const char *text, size_t before, const range *r, const char *after, unsigned level,
                              json_t *list)
{
    uint64_t at = r->first;
    char number[24];
    np_status st = check_range(r);
    do {
        size_t length = (size_t)snprintf(number, sizeof number, "%" PRIu64, at);
        st = st ? st : with(text, before, number, length, after, level, list);
    } while (!st && step_on(r, &at));
    return st;
}

static np_status expand_choices(const char *text, const char *open, const char *close, unsigned level, json_t *list)
{
    np_status st = NP_OK;
    for (const char *at = open + 1; at <= close && !st;) {
        size_t length = strcspn(at, ",}");
        st = with(text, (size_t)(open - text), at, length, close + 1, level, list);
        at += length + 1;
    }
    return st;
}

static np_status append(const char *text, json_t *list)
{
    if (json_array_size(list) >= TEXTS_MAX)
        return NP_RAISE(NP_ERROR_INPUT, "more than %d values", TEXTS_MAX);
    json_t *value = json_string(text);
    if (!value) /* jansson takes UTF-8 only */
        return NP_RAISE(NP_ERROR_INPUT, "'%.40s' is no text", text);
    return json_array_append_new(list, value) ? NP_RAISE(NP_ERROR_MEMORY, "no memory for a list") : NP_OK;
}

static np_status expand(const char *text, bool number, unsigned level, json_t *list)
{
    range r;
    if (number && read_range(text, text + strlen(text), &r))
        return expand_range(text, 0, &r, "", level, list);
    for (const char *open = strchr(text, '{'); open; open = strchr(open + 1, '{')) {
        const char *close = open + strcspn(open, "}");
        if (!*close)
            break;
        if (read_range(open + 1, close, &r))
            return expand_range(text, (size_t)(open - text), &r, close + 1, level, list);
        if (memchr(open, ',', (size_t)(close - open)))
            return expand_choices(text, open, close, level, list);
    }
    return append(text, list);
}

np_status np_experiment_expand(const char *text, bool number, json_t *list) { return expand(text, number, 0, list); }
