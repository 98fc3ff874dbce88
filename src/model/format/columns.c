/*
 * Names of columns. The two ends of a link are called by a pair of words such
 * as source and target, alone or with a noun: "Source Node", "target_id",
 * "Node A", "router2", "Remote Device". Case, blanks and punctuation do not
 * count. Ports and interfaces are no ends, so in a dump of LLDP
 *
 *     Local Device,Local Port,Remote Device,Remote Port
 *
 * the ends are the first and the third column.
 *
 * Other words are known to name columns, too. If the first line has words
 * above numbers, it is no link; then the ends must be named. If it has only
 * known words, it is no link either, unless a name of it recurs below, or all
 * are letters, as in
 *
 *     x y
 *     y z
 *
 * A pair of words for the ends whose names recur, and nothing else that tells
 * the first line from a link, may be either.
 */
#include "model/format/format_list.h"

#include <ctype.h>
#include <string.h>

/* Pairs of words for the ends. weak: too short to be more than names of nodes, unless numbers stand below. */
static const struct {
    const char *from, *to;
    bool noun; /* a noun must stand with them */
    bool weak;
} roles[] = {
    {"source", "target", false, false},
    {"source", "destination", false, false},
    {"source", "dest", false, false},
    {"src", "dst", false, false},
    {"src", "dest", false, false},
    {"src", "destination", false, false},
    {"src", "target", false, false},
    {"from", "to", false, false},
    {"start", "end", false, false},
    {"begin", "end", false, false},
    {"tail", "head", false, false},
    {"local", "remote", false, false},
    {"local", "neighbor", false, false},
    {"local", "neighbour", false, false},
    {"local", "peer", false, false},
    {"near", "far", false, false},
    {"parent", "child", false, false},
    {"upstream", "downstream", false, false},
    {"first", "second", true, false},
    {"a", "b", true, false},
    {"a", "z", true, false},
    {"1", "2", true, false},
    {"u", "v", false, true},
    {"i", "j", false, true},
};

static const char *const nouns[] = {"",           "node",   "nodeid",     "nodename", "id",         "name",    "device",
                                    "devicename", "host",   "hostname",   "system",   "systemname", "sysname", "switch",
                                    "switchname", "router", "routername", "chassis",  "chassisid",  "vertex",  "site",
                                    "city",       "end",    "side",       "endpoint", "label",      "station", "asn",
                                    "as",         "ip",     "address",    "gateway",  "pop",        "machine"};

/* Words that name other columns. */
static const char *const others[] = {
    "id",       "index",    "key",    "name",      "node",     "nodes",     "label",     "device", "host",
    "hostname", "switch",   "router", "interface", "port",     "neighbor",  "neighbour", "peer",   "weight",
    "length",   "distance", "cost",   "metric",    "capacity", "bandwidth", "width",     "speed",  "rate",
    "delay",    "latency",  "type",   "kind",      "status",   "state",     "date",      "time",   "description",
    "link",     "edge",     "cable",  "lat",       "lon",      "latitude",  "longitude", "x",      "y",
    "city",     "country",  "price",  "open",      "close",    "count",     "value"};

enum { ROOM = 48 };

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The letters and digits of a name, in lower case. Of a long name nothing, since no word is as long. */
static const char *reduce(np_text_field name, char word[ROOM])
{
    size_t length = 0;
    for (size_t i = 0; i < name.length && length < ROOM; i++)
        if (isalnum((unsigned char)name.at[i]))
            word[length++] = (char)tolower((unsigned char)name.at[i]);
    word[length < ROOM ? length : 0] = 0;
    return word;
}

static bool joins(const char *word, const char *first, const char *second)
{
    size_t length = strlen(first);
    return !strncmp(word, first, length) && !strcmp(word + length, second);
}

/* Is it the role with the noun before it or behind it? */
static bool is_end(const char *word, const char *role, const char *noun, bool before)
{
    return before ? joins(word, noun, role) : joins(word, role, noun);
}

typedef struct search {
    size_t count;
    size_t role, other; /* the pairs of words that were found; COUNT(roles): none */
    char word[NP_TEXT_FIELDS][ROOM];
} search;

static size_t find(const search *s, const char *role, const char *noun, bool before)
{
    size_t i = 0;
    while (i < s->count && !is_end(s->word[i], role, noun, before))
        i++;
    return i;
}

static bool above_numbers(const np_survey *survey, size_t column)
{
    return survey->lines > 1 && !(survey->column[column].below & ~NP_SURVEY_NUMBERS);
}

/* Looks for a pair of words with a noun. Of several nouns the one whose column is the first counts. */
static void look(search *s, const np_survey *survey, size_t role, const char *noun, bool before, np_columns *columns)
{
    size_t from = find(s, roles[role].from, noun, before), to = find(s, roles[role].to, noun, before);
    if (from == s->count || to == s->count)
        return;
    if (roles[role].weak &&
        ((columns->named && !roles[s->role].weak) || !(above_numbers(survey, from) && above_numbers(survey, to))))
        return;
    if (columns->named && s->role != role && (from != columns->from || to != columns->to))
        s->other = role;
    if (!columns->named || from < columns->from) {
        *columns = (np_columns){true, from, to};
        s->role = role;
    }
}

static void find_ends(search *s, const np_survey *survey, np_columns *columns)
{
    for (size_t r = 0; r < COUNT(roles); r++)
        for (size_t n = roles[r].noun; n < COUNT(nouns); n++)
            for (int before = 0; before < (*nouns[n] ? 2 : 1); before++)
                look(s, survey, r, nouns[n], before, columns);
}

/* Is it certainly no node: one of the words that name columns? */
static bool names_column(const char *word)
{
    for (size_t i = 0; i < COUNT(others); i++)
        if (!strcmp(word, others[i]))
            return true;
    for (size_t r = 0; r < COUNT(roles); r++)
        for (size_t n = roles[r].noun; n < COUNT(nouns) && !roles[r].weak; n++)
            for (int before = 0; before < 2; before++)
                if (is_end(word, roles[r].from, nouns[n], before) || is_end(word, roles[r].to, nouns[n], before))
                    return true;
    return false;
}

/* A word of the first line stands above what is none. */
static bool is_above_others(const search *s, const np_survey *survey)
{
    for (size_t i = 0; i < s->count; i++) {
        const np_survey_column *c = &survey->column[i];
        if (c->head == NP_LOOKS_WORD && c->below && !(c->below & (NP_LOOKS_WORD | NP_LOOKS_ARROW)) &&
            c->below != NP_LOOKS_EMPTY)
            return true;
    }
    return false;
}

/* Does the first line have only words that name columns, and some that are more than a letter? */
static bool has_known_words(const search *s, const np_survey *survey)
{
    size_t known = 0, longest = 0;
    for (size_t i = 0; i < s->count; i++) {
        size_t length = strlen(s->word[i]);
        known += survey->column[i].head == NP_LOOKS_EMPTY || names_column(s->word[i]);
        longest = length > longest ? length : longest;
    }
    return survey->lines > 1 && known == s->count && longest > 1;
}

static bool is_same(np_text_field a, np_text_field b) { return a.length == b.length && !memcmp(a.at, b.at, a.length); }

/* Is one of the first line's two ends an end below it, too? */
static bool recurs(const np_text *first, const np_columns *columns)
{
    np_text below = *first;
    const np_text_field from = first->field[columns->from], to = first->field[columns->to];
    while (np_text_next(&below)) {
        if (below.fields <= columns->from || below.fields <= columns->to || is_same(below.whole, first->whole))
            continue; /* the names again are two files in one */
        const np_text_field a = below.field[columns->from], b = below.field[columns->to];
        if (is_same(from, a) || is_same(from, b) || is_same(to, a) || is_same(to, b))
            return true;
    }
    return false;
}

static np_status refuse_recurring(const np_text *text, const np_columns *columns)
{
    return np_text_raise(
        text, NP_ERROR_INPUT,
        "'%s' and '%s' may name the columns or be nodes, since a name of them recurs below: if they are nodes, "
        "put another line first; else call the columns by other words, such as src and dst",
        np_text_show(text, columns->from).text, np_text_show(text, columns->to).text);
}

static np_status refuse(const np_text *text, const search *s)
{
    if (s->other < COUNT(roles))
        return np_text_raise(text, NP_ERROR_INPUT,
                             "the columns '%s...' and '%s...' both name an end of a link: which are the two ends? Call "
                             "them source and target, and no others",
                             roles[s->role].from, roles[s->other].from);
    return np_text_raise(text, NP_ERROR_INPUT,
                         "the first line, '%s' and so on, seems to name the columns: which two are the ends of a link? "
                         "Call them source and target",
                         np_text_show(text, *np_text_show(text, 0).text ? 0 : 1).text);
}

np_status np_columns_find(const np_text *text, const np_survey *survey, np_columns *columns)
{
    np_text first = *text;
    search s = {0, COUNT(roles), COUNT(roles), {{0}}};
    *columns = (np_columns){false, 0, 1};
    if (!np_text_next(&first) || survey->promised || first.fields < 2)
        return NP_OK;
    for (; s.count < first.fields && s.count < NP_TEXT_FIELDS; s.count++)
        reduce(first.field[s.count], s.word[s.count]);
    find_ends(&s, survey, columns);
    bool certain = is_above_others(&s, survey);
    if (s.other < COUNT(roles) || (!columns->named && certain))
        return refuse(&first, &s);
    if (certain || (!columns->named && !has_known_words(&s, survey)))
        return NP_OK;
    bool again = recurs(&first, columns);
    if (columns->named)
        return again ? refuse_recurring(&first, columns) : NP_OK;
    return again ? NP_OK : refuse(&first, &s);
}
