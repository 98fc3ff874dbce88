/*
 * Lists of links and lists of neighbours.
 *
 *   links       FROM TO [WEIGHT ...], or FROM TO {'NAME': VALUE, ...}; a first
 *               line 'nodes N' says how many nodes there are, and that they
 *               are numbers. Fields are separated by spaces, tabs, ',' or ';'.
 *               A first line of column names such as source,target,width is
 *               known by its words, or by numbers that only begin below it
 *   adjacency   NODE NEIGHBOUR NEIGHBOUR ..., one line for each node
 *
 * A list is surveyed before it is read: which separator, how many fields, are
 * all names whole numbers. Lines of different lengths, each of another node,
 * are lists of neighbours.
 */
#include <string.h>
#include <strings.h>

#include "base/decimal.h"
#include "base/memory.h"
#include "network/format.h"

enum { SAMPLE = 1000 };                 /* ours: lines */
enum { SPARSE = 64 };                   /* ours: whole numbers that are larger than this many a line are names */
#define SPARSE_FREE ((uint64_t)1 << 20) /* ours: smaller numbers never are */

#define WEIGHT_IGNORED "the third column is not used (width=weight: it is the number of parallel links)"
#define OTHERS_IGNORED "attributes are not used (width=NAME: one is the number of parallel links)"
#define SEVERAL_WORDS "names of several words stand in quotes, or in a list with tabs or commas"
#define WORDS_IGNORED "the third column is not used, although it is no number (" SEVERAL_WORDS ")"
#define NEIGHBOURS_READ "not every node has a line (" SEVERAL_WORDS ")"
#define INDEX_READ "the third column is not used, and the first counts the lines (leave an index out: index=False)"

typedef struct survey {
    char separator;
    bool header, promised; /* the first line has the names of the columns; it is 'nodes N' */
    bool named;            /* the names of the columns are known ones */
    size_t columns;        /* that the first line names; 0: it names none */
    size_t lines, least, most;
    size_t from, to, width; /* columns; width: NP_TEXT_FIELDS if there is none */
    bool whole, all_whole;  /* the names in the columns from and to, or in all columns, are whole numbers */
    uint64_t largest;       /* of all whole numbers that count for all_whole */
    bool bare;              /* a line is one field and {...} */
    bool real;              /* of the first lines, as below: all fields are numbers */
    bool words, counts;     /* some third field is no number; the first column is 0, 1, 2, ... */
} survey;

/* ---- The survey ---- */

static bool has_letter(np_text_field field)
{
    for (size_t i = 0; i < field.length; i++)
        if ((field.at[i] | 32) >= 'a' && (field.at[i] | 32) <= 'z')
            return true;
    return false;
}

/* Tabs separate if the fields between them hold spaces and letters: "New York<tab>Boston". */
static bool separates_by_tabs(np_text first, const char *name)
{
    if (np_format_ends(name, ".tsv") || np_format_ends(name, ".tab"))
        return true;
    first.separator = '\t';
    const char *at = NULL;
    np_text_field field;
    size_t fields = 0;
    bool spaced = false;
    for (; np_text_field_next(&first, &at, &field); fields++)
        spaced |= memchr(field.at, ' ', field.length) && has_letter(field) && *field.at != '{';
    return fields > 1 && spaced;
}

char np_format_separator(np_text text, const char *name)
{
    text.stop = '{';
    if (!np_text_next(&text))
        return 0;
    text.whole.length = np_text_span(text.whole, "#%{"); /* a comment, or attributes */
    for (const char *separator = ",;"; *separator; separator++)
        if (np_text_span(text.whole, (const char[]){*separator, 0}) < text.whole.length)
            return *separator;
    return separates_by_tabs(text, name) ? '\t' : 0;
}

/* The column that one of the words names; `none` if none does. */
static size_t column_of(const np_text *text, const char *const *words, size_t none)
{
    for (; *words; words++)
        for (size_t i = 0; i < text->fields && i < NP_TEXT_FIELDS; i++)
            if (np_text_is(text, i, *words))
                return i;
    return none;
}

/* Does the first line have the names of the columns? */
static bool find_columns(survey *s, const np_text *text)
{
    static const char *const from[] = {"source", "src", "from", "from_node", "node1", "tail", "u", NULL};
    static const char *const to[] = {"target", "dst", "destination", "to", "to_node", "node2", "head", "v", NULL};
    s->from = column_of(text, from, NP_TEXT_FIELDS);
    s->to = column_of(text, to, NP_TEXT_FIELDS);
    if (s->from < NP_TEXT_FIELDS && s->to < NP_TEXT_FIELDS)
        return true;
    s->from = 0;
    s->to = 1;
    return false;
}

static bool is_number(np_text_field field)
{
    double value;
    bool minus = field.length && *field.at == '-';
    return np_decimal_real((np_text_field){field.at + minus, field.length - minus}, &value);
}

static bool two_whole(const np_text *text)
{
    uint64_t value;
    return text->fields > 1 && np_text_whole(text->field[0], &value) && np_text_whole(text->field[1], &value);
}

/* Names of columns that are not known stand above numbers, and are none. */
static bool is_above_numbers(const np_text *text)
{
    np_text second = *text;
    bool numbers = text->fields > 1 && is_number(text->field[0]) && is_number(text->field[1]);
    return !numbers && np_text_next(&second) && two_whole(&second);
}

/* What tells other files from lists of links; the first lines are enough. */
static void sample_field(survey *s, size_t i, np_text_field field)
{
    uint64_t value;
    bool whole = np_text_whole(field, &value), number = whole || is_number(field);
    s->real &= number;
    s->words |= i == 2 && !number;
    s->counts &= i || (whole && value == s->lines);
}

static void count_field(survey *s, size_t i, np_text_field field)
{
    uint64_t value;
    bool whole = np_text_whole(field, &value), name = i == s->from || i == s->to;
    s->all_whole &= whole;
    if (s->lines < SAMPLE)
        sample_field(s, i, field);
    s->whole &= whole || !name;
    if (whole && value > s->largest && (s->all_whole || name))
        s->largest = value;
}

static void count_line(survey *s, const np_text *text)
{
    const char *at = NULL;
    np_text_field field;
    size_t fields = text->fields;
    if (fields <= NP_TEXT_FIELDS)
        for (size_t i = 0; i < fields; i++)
            count_field(s, i, text->field[i]);
    else
        for (size_t i = 0; np_text_field_next(text, &at, &field); i++)
            count_field(s, i, field);
    s->bare |= fields == 1 && text->rest.length;
    s->least = fields < s->least ? fields : s->least;
    s->most = fields > s->most ? fields : s->most;
    s->lines++;
}

/* Takes the first line: 'nodes N', names of columns, or a line like all others. */
static void survey_first(survey *s, np_text *text)
{
    if (text->fields <= 2 && np_text_is(text, 0, "nodes"))
        s->promised = true;
    else if ((s->named = find_columns(s, text)) || is_above_numbers(text))
        s->header = true;
    else
        count_line(s, text);
    s->columns = s->header ? text->fields : 0;
}

static survey survey_of(np_text *text, const char *name)
{
    survey s = {.to = 1,
                .width = NP_TEXT_FIELDS,
                .whole = true,
                .all_whole = true,
                .real = true,
                .counts = true,
                .least = SIZE_MAX};
    text->separator = s.separator = np_format_separator(*text, name);
    text->stop = s.separator ? 0 : '{';
    np_text all = *text;
    if (np_text_next(&all))
        survey_first(&s, &all);
    while (np_text_next(&all))
        count_line(&s, &all);
    return s;
}

static bool sparse(const survey *s) { return s->largest >= SPARSE_FREE && s->largest / SPARSE > s->lines; }

/* ---- Lists of links ---- */

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

static np_status read_attributes(np_builder *graph, const np_text *text, uint64_t *width)
{
    attributes a = {text->rest.at + 1, text->rest.at + text->rest.length};
    np_text_field name, value;
    np_status st = NP_OK;
    while (!st && next_attribute(&a, &name, &value)) {
        if (np_builder_is_width(graph, name))
            st = np_builder_width(graph, text, value, width);
        else
            graph->ignored = OTHERS_IGNORED;
    }
    if (!st && (a.at == a.end || *a.at != '}'))
        return np_text_raise(text, NP_ERROR_INPUT, "'%s' is no list of attributes: write {'NAME': VALUE, ...}",
                             np_text_show_field(text->rest).text);
    return st;
}

static np_status read_link(np_builder *graph, const np_text *text, const survey *s)
{
    uint64_t width = 1;
    np_node from, to;
    np_status st;
    size_t least = s->from > s->to ? s->from : s->to;
    if (text->fields == 2 && *text->field[0].at == 'n' && np_text_is(text, 0, "nodes"))
        return np_text_raise(text, NP_ERROR_INPUT, "a line 'nodes N' must be the first one");
    if (!text->separator && ((text->rest.length && text->fields > 2) || (s->named && text->fields > s->columns)))
        return np_text_raise(text, NP_ERROR_INPUT, "%zu words, not %zu: " SEVERAL_WORDS, text->fields,
                             s->named ? s->columns : (size_t)2);
    if ((st = np_text_count(text, least + 1, s->most > NP_TEXT_FIELDS ? 3 : NP_TEXT_FIELDS, "from to")) ||
        (st = np_builder_node(graph, text, text->field[s->from], &from)) ||
        (st = np_builder_node(graph, text, text->field[s->to], &to)))
        return st;
    if (s->width < text->fields && (st = np_builder_width(graph, text, text->field[s->width], &width)))
        return st;
    if (text->rest.length && (st = read_attributes(graph, text, &width)))
        return st;
    return np_builder_link(graph, text, from, to, width);
}

/* Which column is the width: by its name, or the third, which is the weight. */
static void find_width(np_builder *graph, const np_text *text, survey *s)
{
    static const np_text_field weight = {"weight", 6};
    for (size_t i = 0; s->header && i < text->fields && i < NP_TEXT_FIELDS; i++)
        if (i != s->from && i != s->to && np_builder_is_width(graph, text->field[i]))
            s->width = i;
    if (!s->header && s->most > 2 && np_builder_is_width(graph, weight))
        s->width = 2;
    if (s->most > 2 + (s->width < NP_TEXT_FIELDS))
        graph->ignored = s->header                                   ? OTHERS_IGNORED
                         : s->counts && s->separator && s->lines > 3 ? INDEX_READ
                         : s->words                                  ? WORDS_IGNORED
                                                                     : WEIGHT_IGNORED;
}

static np_status read_first(np_builder *graph, const np_text *text, survey *s)
{
    uint64_t nodes;
    np_status st;
    graph->naming = s->whole && !sparse(s) ? NP_GRAPH_WHOLE : NP_GRAPH_NAMED;
    find_width(graph, text, s);
    if (!s->promised)
        return s->header ? NP_OK : read_link(graph, text, s);
    if ((st = np_text_count(text, 2, 2, "nodes N")) ||
        (st = np_text_number(text, 1, "the number of nodes", 1, graph->limit, &nodes)))
        return st;
    return np_builder_fix(graph, text, nodes);
}

/* Refuses lists that are not of links, unless the format is named. */
static np_status refuse_others(const np_builder *graph, const np_text *text, const survey *s)
{
    bool square = s->lines > 3 && s->most == s->lines && s->least == s->most && !s->named;
    if (graph->options->format)
        return NP_OK;
    if (s->bare)
        return np_text_raise(
            text, NP_ERROR_INPUT,
            "a multi-line adjacency list (networkx.write_multiline_adjlist) is not read: write a list of "
            "links (networkx.write_edgelist)");
    if (square && (text->separator || (s->real && (!s->whole || s->largest <= 1))))
        return np_text_raise(text, NP_ERROR_INPUT,
                             "%zu lines of %zu fields: this is a dense matrix, which is traffic; write "
                             "the links as lines 'from,to', or say format=links",
                             s->lines, s->most);
    return NP_OK;
}

/* The text has been surveyed. */
static np_status read_links_of(np_builder *graph, np_text *text, survey *s)
{
    np_status st = refuse_others(graph, text, s);
    if (st)
        return st;
    if (np_text_next(text) && (st = read_first(graph, text, s)))
        return st;
    while (np_text_next(text))
        if ((st = read_link(graph, text, s)))
            return st;
    return NP_OK;
}

static np_status read_links(np_builder *graph, np_text *text)
{
    survey s = survey_of(text, text->name);
    return read_links_of(graph, text, &s);
}

const np_graph_format np_format_links = {
    .info = {"links", "a list of links", ""},
    .read = read_links,
};

/* ---- Lists of neighbours ---- */

static bool is_adjacency(const survey *s)
{
    bool ragged = s->least < s->most && (s->least < 2 || s->most > 3);
    return ragged && !s->promised && !s->header && !s->bare;
}

static np_status read_neighbours(np_builder *graph, const np_text *text)
{
    const char *at = NULL;
    np_text_field field;
    np_node node, other;
    np_status st;
    (void)np_text_field_next(text, &at, &field);
    if ((st = np_builder_node(graph, text, field, &node)))
        return st;
    while (np_text_field_next(text, &at, &field)) {
        if (!field.length && text->separator)
            continue; /* "a,b,,": columns that a table leaves empty */
        if ((st = np_builder_node(graph, text, field, &other)) || (st = np_builder_link(graph, text, node, other, 1)))
            return st;
    }
    return NP_OK;
}

/* The nodes have the order of their lines. *each: every line is of another node. */
static np_status add_nodes(np_builder *graph, np_text text, bool *each)
{
    np_status st = NP_OK;
    np_node node;
    size_t lines = 0;
    while (!st && np_text_next(&text)) {
        st = np_builder_node(graph, &text, text.field[0], &node);
        lines++;
    }
    *each = graph->nodes == lines;
    return st;
}

/* The text has been surveyed. Lines of which two are of one node are no lists of neighbours. As a list of links their fault has a line. */
static np_status read_adjacency_of(np_builder *graph, np_text *text, survey *s)
{
    const np_text first = *text;
    bool each;
    text->stop = 0;
    graph->naming = NP_GRAPH_NAMED;
    np_status st = add_nodes(graph, *text, &each);
    if (!st && (!each || (s->all_whole && s->largest + 1 == s->lines)))
        np_names_clear(&graph->names);
    if (!st && !each) {
        *text = first;
        graph->nodes = 0;
        return read_links_of(graph, text, s);
    }
    if (!st && !graph->names.count)
        st = np_builder_fix(graph, text, s->lines);
    while (!st && np_text_next(text))
        st = read_neighbours(graph, text);
    if (!text->separator && graph->nodes > s->lines)
        graph->ignored = NEIGHBOURS_READ;
    return st;
}

static np_status read_adjacency(np_builder *graph, np_text *text)
{
    survey s = survey_of(text, text->name);
    return read_adjacency_of(graph, text, &s);
}

const np_graph_format np_format_adjacency = {
    .info = {"adjacency", "a list of neighbours", ""},
    .read = read_adjacency,
};

/* ---- Lists of either kind ---- */

np_status np_format_read_list(np_builder *graph, np_text *text)
{
    survey s = survey_of(text, text->name);
    bool adjacency = is_adjacency(&s);
    graph->format = (adjacency ? np_format_adjacency : np_format_links).info.help;
    return adjacency ? read_adjacency_of(graph, text, &s) : read_links_of(graph, text, &s);
}
