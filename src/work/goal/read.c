/*
 * Reads GOAL files:
 *
 *     num_ranks 2
 *     rank 0 {
 *     l1: calc 100 cpu 0
 *     l2: send 10b to 1 tag 5 cpu 0 nic 0
 *     l2 requires l1
 *     }
 *     rank 1 {
 *     recv 10b from 0 tag 5
 *     }
 *
 * One item a line. Each rank has one block, in any order. Comments are those of C. Labels belong to a rank and are
 * defined before they are used. A receive may take any source, any tag or both: -1. A line is cut into words, braces
 * and colons.
 */
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "work/goal/goal.h"

enum { WORDS_MAX = 16 };

typedef struct label {
    np_text_field name; /* at NULL: vacant */
    uint32_t rank, item;
} label;

typedef struct reader {
    np_goal *goal;
    np_text text; /* its name and line, for messages */
    const char *at, *end;
    bool within; /* a comment that goes over lines */
    np_text_field word[WORDS_MAX];
    size_t words, next; /* next: the word to be read */
    bool open;          /* within the braces of a rank */
    uint32_t *block;    /* [ranks] the lines where their blocks begin; 0: they had none */
    uint32_t rank;
    label *labels; /* [slots], a power of two; found by hashing */
    size_t slots, taken;
} reader;

static const char what[] = "the labels of a schedule";

/* ---- Words ---- */

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
static bool is_sign(char c) { return c == '{' || c == '}' || c == ':'; }

/* Is a comment at `at`? Moves behind it, at most to the end of the line. */
static bool skip_comment(reader *r)
{
    if (!r->within) {
        if (r->end - r->at < 2 || r->at[0] != '/' || (r->at[1] != '/' && r->at[1] != '*'))
            return false;
        if (r->at[1] == '/') {
            while (r->at < r->end && *r->at != '\n')
                r->at++;
            return true;
        }
        r->at += 2;
        r->within = true;
    }
    for (; r->at < r->end && *r->at != '\n'; r->at++)
        if (r->end - r->at > 1 && r->at[0] == '*' && r->at[1] == '/') {
            r->at += 2;
            r->within = false;
            return true;
        }
    return true;
}

static np_status add_word(reader *r)
{
    const char *begin = r->at;
    if (r->words == WORDS_MAX)
        return np_text_raise(&r->text, NP_ERROR_INPUT, "more than %d words: one item a line", WORDS_MAX);
    r->at += is_sign(*r->at);
    while (r->at == begin || (r->at < r->end && !is_blank(*r->at) && *r->at != '\n' && !is_sign(*r->at) &&
                              !is_sign(*begin) && !(r->at[0] == '/' && r->end - r->at > 1 && r->at[1] == '/') &&
                              !(r->at[0] == '/' && r->end - r->at > 1 && r->at[1] == '*')))
        r->at++;
    r->word[r->words++] = (np_text_field){begin, (size_t)(r->at - begin)};
    return NP_OK;
}

/* The words of the next line; false at the end. */
static np_status read_line(reader *r, bool *more)
{
    np_status st = NP_OK;
    r->words = r->next = 0;
    *more = r->at < r->end;
    r->text.line += *more;
    while (r->at < r->end && *r->at != '\n' && !st)
        if (skip_comment(r))
            continue;
        else if (is_blank(*r->at))
            r->at++;
        else
            st = add_word(r);
    r->at += r->at < r->end;
    return st;
}

static bool is(const reader *r, size_t i, const char *word)
{
    return i < r->words && r->word[i].length == strlen(word) && !memcmp(r->word[i].at, word, r->word[i].length);
}

static bool take(reader *r, const char *word)
{
    bool there = is(r, r->next, word);
    r->next += there;
    return there;
}

static np_text_shown shown(const reader *r)
{
    const np_text_field none = {"the end of the line", 19};
    return np_text_show_field(r->next < r->words ? r->word[r->next] : none);
}

static np_status expected(const reader *r, const char *word)
{
    return np_text_raise(&r->text, NP_ERROR_INPUT, "%s instead of '%s'", word, shown(r).text);
}

/* The next word, a whole number up to `most`, with `ending` behind it. */
static np_status take_number(reader *r, const char *name, const char *ending, uint64_t most, uint64_t *out)
{
    size_t length = strlen(ending);
    np_text_field field = r->next < r->words ? r->word[r->next] : (np_text_field){"", 0};
    if (field.length <= length || memcmp(field.at + field.length - length, ending, length))
        return np_text_raise(&r->text, NP_ERROR_INPUT, "%s%s instead of '%s'", name, length ? ", such as 8b," : "",
                             shown(r).text);
    field.length -= length;
    np_status st = np_text_number_of(&r->text, field, strchr(name, ' ') + 1, 0, most, out); /* without the article */
    r->next += !st;
    return st;
}

/* ---- Labels ---- */

static size_t hash(np_text_field name, uint32_t rank)
{
    uint64_t h = UINT64_C(1469598103934665603) ^ rank;
    for (size_t i = 0; i < name.length; i++)
        h = (h ^ (unsigned char)name.at[i]) * UINT64_C(1099511628211);
    return (size_t)(h ^ h >> 32);
}

/* Where the label of the rank is, or where it would be. */
static label *place(const reader *r, np_text_field name, uint32_t rank)
{
    for (size_t i = hash(name, rank);; i++) {
        label *l = &r->labels[i & (r->slots - 1)];
        if (!l->name.at ||
            (l->rank == rank && l->name.length == name.length && !memcmp(l->name.at, name.at, name.length)))
            return l;
    }
}

static np_status grow(reader *r)
{
    label *old = r->labels;
    size_t slots = r->slots;
    r->slots = slots ? 2 * slots : 1024;
    np_status st = np_memory_zeroed(&r->labels, r->slots, sizeof *r->labels, what);
    if (st) {
        r->labels = old;
        return st;
    }
    for (size_t i = 0; i < slots; i++)
        if (old[i].name.at)
            *place(r, old[i].name, old[i].rank) = old[i];
    np_memory_free(old);
    return NP_OK;
}

static np_status define(reader *r, np_text_field name, uint32_t item)
{
    np_status st = 2 * r->taken >= r->slots ? grow(r) : NP_OK;
    if (st)
        return st;
    label *l = place(r, name, r->rank);
    if (l->name.at)
        return np_text_raise(&r->text, NP_ERROR_INPUT, "label '%s' of rank %u is taken by line %u",
                             np_text_show_field(name).text, r->rank, r->goal->item[l->item].line);
    *l = (label){name, r->rank, item};
    r->taken++;
    return NP_OK;
}

static np_status find(const reader *r, np_text_field name, uint32_t *item)
{
    const label *l = r->slots ? place(r, name, r->rank) : NULL;
    if (!l || !l->name.at)
        return np_text_raise(&r->text, NP_ERROR_INPUT, "no label '%s' is defined above in rank %u",
                             np_text_show_field(name).text, r->rank);
    *item = l->item;
    return NP_OK;
}

/* ---- Items ---- */

/* The rank behind "to" or "from"; -1: any, of a receive. */
static np_status take_peer(reader *r, np_goal_item *item)
{
    uint64_t number;
    bool receives = item->kind == NP_GOAL_RECEIVE;
    if (!take(r, receives ? "from" : "to"))
        return expected(r, receives ? "'from'" : "'to'");
    item->peer = NP_GOAL_ANY;
    if (receives && take(r, "-1"))
        return NP_OK;
    np_status st = take_number(r, "a rank", "", r->goal->ranks - 1, &number);
    item->peer = st ? 0 : (uint32_t)number;
    return st;
}

/* One of "tag", "cpu" and "nic" again? */
static np_status take_once(const reader *r, np_text_field *said, size_t *count)
{
    for (size_t i = 0; i < *count; i++)
        if (said[i].length == r->word[r->next].length && !memcmp(said[i].at, r->word[r->next].at, said[i].length))
            return np_text_raise(&r->text, NP_ERROR_INPUT, "'%s' is said twice",
                                 np_text_show_field(r->word[r->next]).text);
    said[(*count)++] = r->word[r->next];
    return NP_OK;
}

static np_status take_rest(reader *r, np_goal_item *item)
{
    enum { WORDS = 3 };
    np_text_field said[WORDS + 1];
    uint64_t number;
    size_t count = 0;
    np_status st = NP_OK;
    while (r->next < r->words && !st && !is(r, r->next, "}") && !(st = take_once(r, said, &count)))
        if (item->kind != NP_GOAL_CALC && take(r, "tag")) {
            item->tag = NP_GOAL_ANY;
            if (item->kind == NP_GOAL_RECEIVE && take(r, "-1"))
                continue;
            if (!(st = take_number(r, "a tag", "", NP_GOAL_ANY - 1, &number)))
                item->tag = (uint32_t)number;
        } else if (take(r, "cpu")) {
            if (!(st = take_number(r, "a cpu", "", NP_GOAL_UNITS_MAX - 1, &number)))
                item->cpu = (uint16_t)number;
        } else if (item->kind != NP_GOAL_CALC && take(r, "nic")) {
            if (!(st = take_number(r, "a nic", "", NP_GOAL_UNITS_MAX - 1, &number)))
                item->nic = (uint16_t)number;
        } else
            st = expected(r, item->kind == NP_GOAL_CALC ? "'cpu'" : "'tag', 'cpu' or 'nic'");
    return st;
}

static np_status read_item(reader *r, uint32_t *number)
{
    static const uint64_t most = (UINT64_C(1) << 53) - 1;
    np_goal_item item = {.rank = r->rank, .line = (uint32_t)r->text.line};
    np_status st;
    if (take(r, "send"))
        item.kind = NP_GOAL_SEND;
    else if (take(r, "recv"))
        item.kind = NP_GOAL_RECEIVE;
    else if (take(r, "calc"))
        item.kind = NP_GOAL_CALC;
    else
        return expected(r, "'send', 'recv', 'calc' or '}'");
    if (item.kind == NP_GOAL_CALC)
        st = take_number(r, "a time", "", most, &item.size);
    else if (!(st = take_number(r, "a size", "b", most, &item.size)))
        st = take_peer(r, &item);
    if (!st)
        st = take_rest(r, &item);
    return st ? st : np_goal_add(r->goal, &item, number);
}

/* "a requires b", "a irequires b". */
static np_status read_wait(reader *r)
{
    uint32_t item = 0, for_item = 0;
    np_status st = find(r, r->word[r->next], &item);
    bool started = is(r, r->next + 1, "irequires");
    r->next += 2;
    if (!st && r->next == r->words)
        st = expected(r, "a label");
    if (!st && !(st = find(r, r->word[r->next++], &for_item)))
        st = np_goal_wait(r->goal, item, for_item, started);
    return st;
}

static np_status read_within(reader *r)
{
    uint32_t number;
    if (is(r, r->next + 1, "requires") || is(r, r->next + 1, "irequires"))
        return read_wait(r);
    if (!is(r, r->next + 1, ":"))
        return read_item(r, &number);
    np_text_field name = r->word[r->next];
    r->next += 2;
    np_status st = read_item(r, &number);
    return st ? st : define(r, name, number);
}

static np_status read_rank(reader *r)
{
    uint64_t rank;
    np_status st;
    if (!take(r, "rank"))
        return expected(r, "'rank'");
    if ((st = take_number(r, "a rank", "", r->goal->ranks - 1, &rank)))
        return st;
    if (!take(r, "{"))
        return expected(r, "'{'");
    if (r->block[rank])
        return np_text_raise(&r->text, NP_ERROR_INPUT, "rank %llu has a block already, from line %u on",
                             (unsigned long long)rank, r->block[rank]);
    r->block[rank] = (uint32_t)r->text.line;
    r->open = true;
    r->rank = (uint32_t)rank;
    return NP_OK;
}

static np_status read_ranks(reader *r)
{
    uint64_t ranks;
    np_status st;
    if (!take(r, "num_ranks"))
        return expected(r, "'num_ranks N'");
    if ((st = take_number(r, "the number of ranks", "", NP_GOAL_RANKS_MAX, &ranks)))
        return st;
    if (!ranks)
        return np_text_raise(&r->text, NP_ERROR_INPUT, "num_ranks 0: there must be a rank");
    r->goal->ranks = (uint32_t)ranks;
    return np_memory_zeroed(&r->block, ranks, sizeof *r->block, what);
}

static np_status read_words(reader *r)
{
    np_status st = NP_OK;
    for (size_t items = 0; r->next < r->words && !st;)
        if (!r->goal->ranks)
            st = read_ranks(r);
        else if (!r->open)
            st = read_rank(r);
        else if (take(r, "}"))
            r->open = false;
        else if (items++)
            st = expected(r, "one item a line");
        else
            st = read_within(r);
    return st;
}

/* A rank without a block does not do nothing: the file was cut, or its number of ranks is wrong. */
static np_status check_blocks(const reader *r)
{
    for (uint32_t rank = 0; rank < r->goal->ranks; rank++)
        if (!r->block[rank])
            return np_text_raise(&r->text, NP_ERROR_INPUT,
                                 "the file ends, and rank %u of num_ranks %u has no block: if it is to do nothing, "
                                 "write 'rank %u { }'",
                                 rank, r->goal->ranks, rank);
    return NP_OK;
}

static np_status read_all(reader *r)
{
    np_status st;
    for (bool more = true; more;)
        if ((st = read_line(r, &more)) || (st = read_words(r)))
            return st;
    if (!r->goal->ranks)
        return np_text_raise(&r->text, NP_ERROR_INPUT, "'num_ranks N' is missing: this is no GOAL schedule");
    if (r->within || r->open)
        return np_text_raise(&r->text, NP_ERROR_INPUT, r->within ? "a comment has no end" : "'}' of rank %u is missing",
                             r->rank);
    st = check_blocks(r);
    return st ? st : np_goal_finish(r->goal);
}

/* What does not begin as text, and is of no kind that is known, is LogGOPSim's binary form, more likely than not. */
static np_status refuse_binary(const np_text *text, const char *data, size_t length, np_status st)
{
    if (np_foreign_of(data, length) || !memchr(data, 0, length < 8 ? length : 8))
        return st;
    return np_text_raise(text, NP_ERROR_INPUT,
                         "a zero byte: this is not a text file; of a binary schedule of LogGOPSim give the text that "
                         "txt2bin made it of");
}

np_status np_goal_read(np_goal *goal, const char *path)
{
    reader r = {.goal = goal};
    NP_TEXT_FILE(file, path);
    np_status st = file.status ? file.status : np_text_open_strict(&r.text, path, file.data, file.length);
    if (st)
        return file.status ? st : refuse_binary(&r.text, file.data, file.length, st);
    r.at = r.text.at;
    r.end = r.text.end;
    r.text.line = 0;
    st = read_all(&r);
    NP_MEMORY_FREE(r.block, r.labels);
    return st;
}
