/*
 * Slurm's topology.conf for the plugin topology/tree:
 *
 *   SwitchName=leaf1 Nodes=node[001-128,130] LinkSpeed=900
 *   SwitchName=top Switches=leaf[1-2],\
 *       other
 *
 * Nodes are hosts. A line joins its switch with its children, both ways. Keys may be in any case of letters; '#' begins
 * a comment anywhere; '\' at its end joins a line with the next. Names are host lists: a[1-3,07]b[0-1],c.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/decimal.h"
#include "base/room.h"
#include "model/format/format.h"
#include "base/text.h"
#include "model/format/scan.h"

enum { RANGE_MAX = 1 << 16, BRACKETS_MAX = 8 }; /* as in Slurm: names that one item of a list means; ours */

static const char what[] = "a Slurm topology.conf";

/* A line with those that it goes on in; its text is a copy. */
typedef struct entry {
    char *text;
    size_t length, room;
} entry;

typedef struct slurm {
    np_builder *graph;
    np_text *text;
    entry line;
    char *name; /* of a list, as far as it is known */
    size_t name_room;
    np_node switches; /* they come before all hosts */
    np_node self;     /* the switch of the line */
    np_text_field speed;
    bool hosts;          /* names are of hosts, not of switches */
    unsigned made, open; /* names that the present item of a list has made; its brackets so far */
} slurm;

typedef struct fields {
    np_text_field name, switches, nodes, speed;
} fields;

/* ---- Lines ---- */

static np_status append(entry *line, np_text_field text)
{
    np_status st =
        np_memory_need(&line->text, line->length, line->length + text.length + 1, &line->room, 1, "a line of a file");
    if (st)
        return st;
    memcpy(line->text + line->length, text.at, text.length);
    line->length += text.length;
    return NP_OK;
}

static np_status refuse(const slurm *s, np_text_field found, const char *expected)
{
    return np_text_raise(s->text, NP_ERROR_INPUT, "'%s' where %s has %s", np_text_show_field(found).text, what,
                         expected);
}

/*
 * The next line that is not empty, joined with those that it goes on in, as they stand. *more: there is one.
 */
static np_status next_line(slurm *s, bool *more)
{
    bool goes_on = true;
    np_status st = NP_OK;
    s->line.length = 0;
    while (!st && (goes_on || !s->line.length) && np_text_line(s->text)) {
        np_text_field line = s->text->whole;
        const char *comment = memchr(line.at, '#', line.length);
        line.length = comment ? (size_t)(comment - line.at) : line.length;
        while (line.length && np_text_is_blank(line.at[line.length - 1]))
            line.length--;
        goes_on = line.length && line.at[line.length - 1] == '\\';
        line.length -= goes_on;
        st = append(&s->line, line);
    }
    *more = s->line.length;
    return st;
}

/* KEY=VALUE or KEY = "VALUE" */
static bool next_pair(np_scan *scan, np_text_field *key, np_text_field *value)
{
    if (!np_scan_word(scan, "=", key) || !np_scan_mark(scan, "=") || np_scan_at_end(scan))
        return false;
    return (*scan->at == '"' ? np_scan_quoted(scan, value) : np_scan_word(scan, "", value)) && value->length;
}

static np_status read_fields(const slurm *s, fields *f)
{
    np_scan scan = np_scan_begin(s->text, what);
    scan.at = s->line.text;
    scan.end = scan.at + s->line.length;
    *f = (fields){{NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}};
    while (!np_scan_at_end(&scan)) {
        np_text_field rest = {scan.at, (size_t)(scan.end - scan.at)}, key, value;
        bool pair = next_pair(&scan, &key, &value);
        np_text_field *field = !pair                                 ? NULL
                               : np_text_field_is(key, "SwitchName") ? &f->name
                               : np_text_field_is(key, "Switches")   ? &f->switches
                               : np_text_field_is(key, "Nodes")      ? &f->nodes
                               : np_text_field_is(key, "LinkSpeed")  ? &f->speed
                                                                     : NULL;
        if (pair && np_text_field_is(key, "BlockName"))
            return refuse(s, rest, "switches: blocks (topology/block) are no network");
        if (!field || field->length)
            return refuse(s, rest, "SwitchName=, Nodes=, Switches= or LinkSpeed=, each once");
        *field = value;
    }
    if (!f->name.length || (!f->switches.length && !f->nodes.length))
        return refuse(s, (np_text_field){s->line.text, s->line.length}, "SwitchName= with Nodes= or Switches=");
    return NP_OK;
}

/* ---- Lists of names ---- */

static np_status add_child(slurm *s, size_t length)
{
    np_scan scan = np_scan_begin(s->text, what);
    np_scan_attribute speed = {"LinkSpeed", s->speed};
    np_text_field name = {s->name, length};
    np_node child = np_names_find(&s->graph->names, name.at, name.length);
    bool known = child != NP_NONE && child < s->switches;
    np_status st;
    if (!length)
        return refuse(s, s->line.length ? (np_text_field){s->line.text, s->line.length} : name, "names in a list");
    if (s->made++ == RANGE_MAX)
        return np_text_raise(s->text, NP_ERROR_LIMIT,
                             "a list of more than %d names from '%s' on, the most that Slurm takes", RANGE_MAX,
                             np_text_show_field(name).text);
    if (known == s->hosts)
        return np_text_raise(s->text, NP_ERROR_INPUT, "'%s' is %s in %s", np_text_show_field(name).text,
                             known ? "a switch, and a node" : "none of the switches", what);
    if (s->hosts &&
        ((st = np_builder_node(s->graph, s->text, name, &child)) || (st = np_builder_host(s->graph, child))))
        return st;
    return np_scan_link(&scan, s->graph, s->self, child, &speed, speed.value.length > 0);
}

static np_status put(slurm *s, size_t at, const char *text, size_t length)
{
    np_status st = np_memory_need(&s->name, at, at + length + 1, &s->name_room, 1, "a name of a list");
    if (st)
        return st;
    memcpy(s->name + at, text, length);
    return NP_OK;
}

static np_status expand(slurm *s, np_text_field item, size_t at);

/* "001-128" or "130": each number with the digits of the first. */
static np_status expand_range(slurm *s, np_text_field range, np_text_field rest, size_t at)
{
    const char *dash = memchr(range.at, '-', range.length);
    np_text_field first = {range.at, dash ? (size_t)(dash - range.at) : range.length};
    np_text_field last = dash ? (np_text_field){dash + 1, range.length - first.length - 1} : first;
    uint64_t low, high;
    char number[24];
    np_status st = NP_OK;
    if (!np_text_whole(first, &low) || !np_text_whole(last, &high) || low > high || first.length > 18)
        return refuse(s, range, "a range of numbers, as in [1-3,07]");
    if (high - low >= RANGE_MAX)
        return np_text_raise(s->text, NP_ERROR_LIMIT, "'%s' means more than %d names, the most that Slurm takes",
                             np_text_show_field(range).text, RANGE_MAX);
    for (; low <= high && !st; low++) {
        int length = snprintf(number, sizeof number, "%0*llu", (int)first.length, (unsigned long long)low);
        if (!(st = put(s, at, number, (size_t)length)))
            st = expand(s, rest, at + (size_t)length);
    }
    return st;
}

/* What is left of one item of a list; the first `at` characters of its name are known. */
static np_status expand(slurm *s, np_text_field item, size_t at)
{
    const char *stop = item.at + item.length, *open = memchr(item.at, '[', item.length);
    size_t plain = open ? (size_t)(open - item.at) : item.length;
    np_status st = put(s, at, item.at, plain);
    if (st || !open)
        return st ? st : add_child(s, at + plain);
    const char *close = memchr(open, ']', (size_t)(stop - open)), *from = open + 1;
    if (!close || ++s->open > BRACKETS_MAX)
        return refuse(s, item, close ? "up to 8 pairs of brackets in a name" : "']' after '['");
    np_text_field rest = {close + 1, (size_t)(stop - close - 1)};
    while (!st && from <= close) {
        const char *comma = memchr(from, ',', (size_t)(close - from)), *to = comma ? comma : close;
        st = expand_range(s, (np_text_field){from, (size_t)(to - from)}, rest, at + plain);
        from = to + 1;
    }
    s->open--;
    return st;
}

/* Items are parted by commas outside brackets. */
static np_status expand_list(slurm *s, np_text_field list, bool hosts)
{
    const char *at = list.at, *stop = list.at + list.length;
    np_status st = NP_OK;
    s->hosts = hosts;
    while (!st && list.length && at <= stop) {
        const char *to = at;
        for (bool inside = false; to < stop && (inside || *to != ','); to++)
            inside = *to == '[' || (inside && *to != ']');
        np_text_field item = {at, (size_t)(to - at)};
        if (memchr(item.at, ']', item.length) && !memchr(item.at, '[', item.length))
            return refuse(s, item, "'[' before ']'");
        s->made = s->open = 0;
        st = expand(s, item, 0);
        at = to + 1;
    }
    return st;
}

/* ---- The file ---- */

static bool recognizes(np_text text)
{
    static const char *const words[] = {"SwitchName=", "BlockName=", NULL};
    np_scan scan = np_scan_begin(&text, what);
    if (!np_scan_line(&scan))
        return false;
    for (size_t i = 0; words[i]; i++)
        if ((size_t)(scan.end - scan.at) > strlen(words[i]) && !strncasecmp(scan.at, words[i], strlen(words[i])))
            return true;
    return false;
}

static np_status add_switch(slurm *s, const fields *f)
{
    np_scan scan = np_scan_begin(s->text, what);
    np_node node;
    if (memchr(f->name.at, '[', f->name.length) || memchr(f->name.at, ',', f->name.length))
        return refuse(s, f->name, "the name of one switch");
    return np_scan_new_node(&scan, s->graph, f->name, &node);
}

static np_status add_children(slurm *s, const fields *f)
{
    s->self = np_names_find(&s->graph->names, f->name.at, f->name.length);
    s->speed = f->speed;
    double value;
    if (!np_decimal_real(f->speed, &value))
        s->speed.length = 0; /* a text such as 100Mb/s, in units of the site */
    np_status st = expand_list(s, f->switches, false);
    return st ? st : expand_list(s, f->nodes, true);
}

/* Goes through all lines. */
static np_status for_each(slurm *s, np_status (*use)(slurm *s, const fields *f))
{
    fields f;
    bool more;
    np_status st;
    while (!(st = next_line(s, &more)) && more)
        if ((st = read_fields(s, &f)) || (st = use(s, &f)))
            return st;
    return st;
}

static np_status read(np_builder *graph, np_text *text)
{
    const np_text first = *text;
    slurm s = {.graph = graph, .text = text};
    np_status st;
    graph->naming = NP_GRAPH_NAMED;
    graph->direction = NP_GRAPH_UNDIRECTED;
    graph->mutual = true;
    if (!(st = for_each(&s, add_switch))) {
        s.switches = (np_node)graph->nodes;
        *text = first;
        st = for_each(&s, add_children);
    }
    NP_MEMORY_FREE(s.line.text, s.name);
    return st;
}

const np_graph_format np_format_slurm = {
    .info = {"slurm", what, "Slurm, topology.conf(5)"},
    .recognizes = recognizes,
    .read = read,
};
