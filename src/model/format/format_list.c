/*
 * Lists of links: FROM TO [WEIGHT ...], or FROM TO {'NAME': VALUE, ...}, a line
 * for each link. A first line 'nodes N' says how many nodes there are, and that
 * they are numbers. Another first line may name the columns (columns.c).
 *
 * A list has no mark of its own. So it must be clean: as many fields in every
 * line, separated by one character, quotes closed in their line, two ends that
 * are no arrows, and a third column, if nothing names it, of numbers or of
 * quantities such as 10Gbps. A first line that may count what follows, and a
 * first column that may number the lines, make it another thing.
 */
#include "model/format/format_list.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/plural.h"

enum { SPARSE = 64 };                   /* ours: whole numbers that are larger than this many a line are names */
#define SPARSE_FREE ((uint64_t)1 << 20) /* ours: smaller numbers never are */

#define MANY_IGNORED "columns behind the 16th are not used" /* NP_TEXT_FIELDS */
#define OTHERS_IGNORED "columns behind the third are not used: a first line 'source target ...' names them"
#define SEVERAL_WORDS "a name of several words stands in quotes, or in a list with tabs or commas"

/* ---- Is it one? ---- */

/* The first line may be the counts of nodes and links, or of lines. */
static bool may_count(const np_survey *s, bool named)
{
    uint64_t below = s->lines - 1, largest = 0;
    size_t numbers = s->first < 2 ? s->first : 2;
    if (named || s->promised || s->lines < 2)
        return false;
    for (size_t i = 0; i < numbers; i++)
        if (s->column[i].head != NP_LOOKS_WHOLE)
            return false;
    for (size_t i = 0; i < 2; i++)
        largest = s->column[i].largest > largest ? s->column[i].largest : largest;
    for (size_t i = 0; i < numbers; i++)
        for (size_t j = 0; j < numbers; j++)
            if (s->column[i].value == below && (numbers == 1 || (i != j && s->column[j].value >= largest)))
                return true;
    return false;
}

/* The first line has two or three numbers, and all others have more fields. */
static bool is_above_records(const np_survey *s)
{
    bool numbers = s->lines > 1 && s->first < 4 && s->first < s->fields;
    for (size_t i = 0; i < s->first && numbers; i++)
        numbers = s->column[i].head == NP_LOOKS_WHOLE;
    return numbers;
}

/* The first column numbers the lines: no line has its number as an end, and the next two columns may be the ends. */
static bool may_have_index(const np_survey *s, bool named)
{
    const np_survey_column *second = &s->column[1], *third = &s->column[2];
    return !named && !s->promised && s->numbered && s->lines > 3 && s->fields > 2 && second->below == NP_LOOKS_WHOLE &&
           third->below == NP_LOOKS_WHOLE && second->least >= s->lines && third->largest >= second->least;
}

static np_status refuse_at(const np_text *text, uint64_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static np_status refuse_at(const np_text *text, uint64_t line, const char *format, ...)
{
    char message[400];
    np_text at = *text;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    at.line = line;
    return np_text_raise(&at, NP_ERROR_INPUT, "%s", message);
}

/* Lines of different lengths. */
static np_status refuse_uneven(const np_text *text, const np_survey *s)
{
    bool first = s->first != s->fields && !s->promised;
    size_t fields = first ? s->fields : s->odd_fields, others = first ? s->first : s->fields;
    bool prose = s->most > 4 && !s->separator && !(s->below & NP_SURVEY_NUMBERS);
    uint64_t line = first ? s->second_line : s->odd_line;
    if (is_above_records(s))
        return refuse_at(text, s->line,
                         "%zu number%s above lines of %zu fields: the first line seems to count nodes and links, as in "
                         "files of Inet or ns-3: write lines 'from to', below a line 'nodes N'",
                         s->first, np_plural(s->first), s->fields);
    if (prose)
        return refuse_at(text, line,
                         "%zu words, but %zu in the lines above: this looks like prose, and is no list of links",
                         fields, others);
    return refuse_at(text, line,
                     "%zu field%s, but %zu in the lines above: " SEVERAL_WORDS
                     " (--file-format adjacency: each line is a "
                     "node and its neighbours)",
                     fields, np_plural(fields), others);
}

/* The columns that are the ends. */
static np_status check_ends(const np_text *text, const np_survey *s, const np_columns *columns, bool said)
{
    uint8_t ends =
        (uint8_t)(np_survey_kinds(s, columns->from, columns->named) | np_survey_kinds(s, columns->to, columns->named));
    if (ends & NP_LOOKS_ARROW)
        return refuse_at(
            text, s->line,
            "an arrow such as '--' or '->', or a word with a colon, stands where a node should: write lines "
            "'from to', or put such a name in quotes");
    if (!columns->named && !said && !s->promised && (ends & NP_LOOKS_NUMBER))
        return refuse_at(
            text, s->line,
            "numbers with a fraction or a sign stand where nodes should: if they are names, write 'source target ...' "
            "above, or say --file-format links");
    if (!s->separator && s->edged)
        return refuse_at(
            text, s->line,
            "some fields end with a comma or a semicolon, but do not separate all lines: use one separator");
    if (s->commented)
        return refuse_at(text, s->line,
                         "a field has a '#' behind a blank: put names that have one in quotes, and "
                         "comments on lines of their own");
    return NP_OK;
}

/* A third column that nothing names. */
static np_status check_third(const np_text *text, const np_survey *s, const np_columns *columns)
{
    uint8_t kinds = s->fields > 2 ? np_survey_kinds(s, 2, false) : 0;
    if (!columns->named && s->fields > NP_TEXT_FIELDS)
        return refuse_at(text, s->line,
                         "%zu fields, and no first line names the columns: a link has two ends, and further fields "
                         "have names",
                         s->fields);
    if (columns->named || !(kinds & (NP_LOOKS_WORD | NP_LOOKS_ARROW)))
        return NP_OK;
    return refuse_at(text, s->line,
                     "the third field is no number in each line, and no first line names the columns: write 'source "
                     "target ...' above; " SEVERAL_WORDS);
}

np_status np_links_check_list(const np_text *text, const np_survey *s, const np_columns *columns, bool said)
{
    np_status st;
    if (s->bare_line)
        return refuse_at(text, s->bare_line,
                         "a multi-line adjacency list (networkx.write_multiline_adjlist) is not read: write a list of "
                         "links (networkx.write_edgelist)");
    if (s->bad_quote)
        return refuse_at(text, s->bad_quote, "a quote at the begin of a field, and none at its end in the same line");
    if (!np_survey_even(s, 0))
        return refuse_uneven(text, s);
    if (s->lines && s->first < 2)
        return refuse_at(text, s->line, "%zu field: a line is 'from to'", s->first);
    if ((st = check_ends(text, s, columns, said)) || said)
        return st;
    if (may_count(s, columns->named))
        return refuse_at(
            text, s->line,
            "the first line may be a link, or the counts of nodes and links: if it counts, write 'nodes N' "
            "in its place; else say --file-format links");
    if (may_have_index(s, columns->named))
        return refuse_at(text, s->line,
                         "the first column numbers the lines, and may be no end of a link: leave an index out "
                         "(index=False), or say --file-format links");
    return check_third(text, s, columns);
}

/* ---- Attributes ---- */

/* What is left of {'weight': 3, 'width': 2}. */
typedef struct attributes {
    const char *at, *end;
} attributes;

static void skip(attributes *a, const char *characters)
{
    while (a->at < a->end && strchr(characters, *a->at))
        a->at++;
}

/* A text in quotes, or all up to the stop or the end of the object, without the brackets in between. */
static np_text_field take(attributes *a, char stop)
{
    skip(a, " \t");
    const char *first = a->at;
    char quote = first < a->end && (*first == '\'' || *first == '"') ? *first : 0;
    int depth = 0;
    if (quote) {
        for (a->at++; a->at < a->end && *a->at != quote; a->at++)
            a->at += *a->at == '\\' && a->at + 1 < a->end;
        np_text_field field = {first + 1, (size_t)(a->at - first - 1)};
        a->at += a->at < a->end;
        return field;
    }
    for (; a->at < a->end && (depth || (*a->at != stop && *a->at != '}')); a->at++)
        depth += (*a->at == '[' || *a->at == '(' || *a->at == '{') - (*a->at == ']' || *a->at == ')' || *a->at == '}');
    return (np_text_field){first, (size_t)(a->at - first)};
}

/* The next attribute; false at the end, and where the text is no list of attributes. */
static bool next_attribute(attributes *a, np_text_field *name, np_text_field *value)
{
    skip(a, " \t,");
    if (a->at == a->end || *a->at == '}')
        return false;
    *name = take(a, ':');
    skip(a, " \t");
    if (a->at == a->end || *a->at != ':')
        return false;
    a->at++;
    *value = take(a, ',');
    return true;
}

static np_status read_attributes(np_builder *graph, const np_text *text)
{
    attributes a = {text->rest.at + 1, text->rest.at + text->rest.length};
    np_text_field name, value;
    np_status st = NP_OK;
    while (!st && next_attribute(&a, &name, &value))
        st = np_builder_link_attribute(graph, text, graph->count - 1, name, value);
    if (!st && (a.at == a.end || *a.at != '}'))
        return np_text_raise(text, NP_ERROR_INPUT, "'%s' is no list of attributes: write {'NAME': VALUE, ...}",
                             np_text_show_field(text->rest).text);
    return st;
}

/* ---- Reading ---- */

/* The fields that are no ends; without names of columns, the third is the weight. head: the first line */
static np_status read_columns(np_builder *graph, const np_text *text, const np_columns *columns, const np_text *head)
{
    np_status st = NP_OK;
    if (!columns->named) {
        if (text->fields > 3)
            graph->ignored = OTHERS_IGNORED;
        return text->fields > 2 && text->field[2].length ? np_builder_weight(graph, text, text->field[2]) : NP_OK;
    }
    if (head->fields > NP_TEXT_FIELDS)
        graph->ignored = MANY_IGNORED;
    for (size_t i = 0; i < text->fields && i < NP_TEXT_FIELDS && !st; i++)
        if (i != columns->from && i != columns->to && head->field[i].length && text->field[i].length)
            st = np_builder_link_attribute(graph, text, graph->count - 1, head->field[i], text->field[i]);
    return st;
}

static np_status read_link(np_builder *graph, const np_text *text, const np_columns *columns, const np_text *head)
{
    np_node from, to;
    np_status st;
    if (text->fields == 2 && *text->field[0].at == 'n' && np_text_is(text, 0, "nodes"))
        return np_text_raise(text, NP_ERROR_INPUT, "a line 'nodes N' must be the first one");
    if ((st = np_builder_node(graph, text, text->field[columns->from], &from)) ||
        (st = np_builder_node(graph, text, text->field[columns->to], &to)) ||
        (st = np_builder_link(graph, text, from, to, 1)) || (st = read_columns(graph, text, columns, head)))
        return st;
    return text->rest.length ? read_attributes(graph, text) : NP_OK;
}

/* Are the ends whole numbers, and not so large that they are names? */
static bool has_numbers(const np_survey *s, const np_columns *columns)
{
    const size_t end[] = {columns->from, columns->to};
    for (size_t i = 0; i < 2; i++) {
        const np_survey_column *c = &s->column[end[i]];
        uint64_t largest = c->below & NP_LOOKS_WHOLE ? c->largest : 0;
        largest = !columns->named && c->value > largest ? c->value : largest;
        if (np_survey_kinds(s, end[i], columns->named) != NP_LOOKS_WHOLE ||
            (largest >= SPARSE_FREE && largest / SPARSE > s->lines))
            return false;
    }
    return true;
}

/* 'nodes N' */
static np_status read_promise(np_builder *graph, const np_text *text)
{
    uint64_t nodes;
    np_status st;
    if ((st = np_text_count(text, 2, 2, "nodes N")) ||
        (st = np_text_number(text, 1, "the number of nodes", 1, graph->limit, &nodes)))
        return st;
    return np_builder_fix(graph, text, nodes);
}

static bool is_same(np_text_field a, np_text_field b) { return a.length == b.length && !memcmp(a.at, b.at, a.length); }

np_status np_links_read_list(np_builder *graph, np_text *text, const np_survey *s, const np_columns *columns)
{
    np_text head = *text;
    np_status st = NP_OK;
    graph->naming = has_numbers(s, columns) ? NP_GRAPH_WHOLE : NP_GRAPH_NAMED;
    for (bool first = true; !st && np_text_next(text); first = false) {
        if (first)
            head = *text;
        if (first && s->promised)
            st = read_promise(graph, text);
        else if (!first && columns->named && is_same(head.whole, text->whole))
            st = np_text_raise(text, NP_ERROR_INPUT, "the names of the columns again: are these two files in one?");
        else if (!first || !columns->named)
            st = read_link(graph, text, columns, &head);
    }
    return st;
}

static np_status read_links(np_builder *graph, np_text *text)
{
    np_survey survey;
    np_columns columns;
    np_status st;
    if ((st = np_survey_take(text, &survey)) || (st = np_columns_find(text, &survey, &columns)) ||
        (st = np_links_check_list(text, &survey, &columns, true)))
        return st;
    return np_links_read_list(graph, text, &survey, &columns);
}

const np_graph_format np_format_links = {
    .info = {"links", "a list of links", ""},
    .read = read_links,
};
