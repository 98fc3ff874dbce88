/* Scanning lines: no copies, and no state but where the line is read. */
#include "model/format/scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/decimal.h"
#include "base/order.h"
#include "base/text.h"

np_scan np_scan_begin(np_text *text, const char *format) { return (np_scan){.text = text, .format = format}; }

/* Where the comment of a line begins; its end, if it has none. */
static const char *find_comment(const char *at, const char *end)
{
    bool quoted = false;
    for (const char *p = at; p < end; p++) {
        quoted ^= *p == '"';
        if (*p == '#' && !quoted && (p == at || np_text_is_blank(p[-1])))
            return p;
    }
    return end;
}

static void take_line(np_scan *scan)
{
    np_text_field line = scan->text->whole;
    const char *end = line.at + line.length, *stop = find_comment(line.at, end);
    scan->comment = (np_text_field){stop < end ? stop + 1 : end, stop < end ? (size_t)(end - stop - 1) : 0};
    while (stop > line.at && np_text_is_blank(stop[-1]))
        stop--;
    scan->at = line.at;
    scan->end = stop;
}

bool np_scan_line(np_scan *scan)
{
    while (np_text_line(scan->text)) {
        take_line(scan);
        if (!np_scan_at_end(scan))
            return true;
    }
    scan->at = scan->end = NULL;
    return false;
}

bool np_scan_line_begins(np_scan *scan, const char *word)
{
    np_scan before = *scan;
    np_text text = *scan->text;
    if (np_scan_line(scan) && np_scan_is(scan, word))
        return true;
    *scan->text = text;
    *scan = before;
    return false;
}

bool np_scan_at_end(np_scan *scan)
{
    while (scan->at < scan->end && np_text_is_blank(*scan->at))
        scan->at++;
    return scan->at == scan->end;
}

bool np_scan_mark(np_scan *scan, const char *mark)
{
    size_t length = strlen(mark);
    if (np_scan_at_end(scan) || (size_t)(scan->end - scan->at) < length || memcmp(scan->at, mark, length) != 0)
        return false;
    scan->at += length;
    return true;
}

/* The next word, which stays. */
static np_text_field peek(np_scan *scan, const char *stops)
{
    const char *at;
    if (np_scan_at_end(scan))
        return (np_text_field){scan->at, 0};
    for (at = scan->at; at < scan->end && !np_text_is_blank(*at) && !strchr(stops, *at);)
        at++;
    return (np_text_field){scan->at, (size_t)(at - scan->at)};
}

bool np_scan_word(np_scan *scan, const char *stops, np_text_field *out)
{
    *out = peek(scan, stops);
    scan->at += out->length;
    return out->length;
}

bool np_scan_is(np_scan *scan, const char *word)
{
    np_text_field next = peek(scan, "");
    if (next.length != strlen(word) || strncasecmp(next.at, word, next.length) != 0)
        return false;
    scan->at += next.length;
    return true;
}

bool np_scan_quoted(np_scan *scan, np_text_field *out)
{
    if (np_scan_at_end(scan) || *scan->at != '"')
        return false;
    const char *first = scan->at + 1, *close = memchr(first, '"', (size_t)(scan->end - first));
    if (!close)
        return false;
    *out = (np_text_field){first, (size_t)(close - first)};
    scan->at = close + 1;
    return true;
}

bool np_scan_whole(np_scan *scan, const char *stops, uint64_t *out)
{
    np_text_field next = peek(scan, stops);
    if (!np_text_whole(next, out))
        return false;
    scan->at += next.length;
    return true;
}

bool np_scan_number(np_scan *scan, const char *stops, np_text_field *out)
{
    double value;
    *out = peek(scan, stops);
    bool sign = out->length && (*out->at == '-' || *out->at == '+');
    if (!np_decimal_real((np_text_field){out->at + sign, out->length - sign}, &value))
        return false;
    scan->at += out->length;
    return true;
}

/* ---- Refusals ---- */

np_status np_scan_refuse(const np_scan *scan, const char *expected, ...)
{
    char wanted[200];
    va_list arguments;
    va_start(arguments, expected);
    vsnprintf(wanted, sizeof wanted, expected, arguments);
    va_end(arguments);
    np_scan rest = *scan;
    if (!rest.end)
        return np_text_raise(scan->text, NP_ERROR_INPUT, "the file ends where %s has %s: is it cut short?",
                             scan->format, wanted);
    if (np_scan_at_end(&rest))
        return np_text_raise(scan->text, NP_ERROR_INPUT, "the line ends where %s has %s", scan->format, wanted);
    return np_text_raise(scan->text, NP_ERROR_INPUT, "'%s' where %s has %s",
                         np_text_show_field((np_text_field){rest.at, (size_t)(rest.end - rest.at)}).text, scan->format,
                         wanted);
}

np_status np_scan_end_line(np_scan *scan)
{
    return np_scan_at_end(scan) ? NP_OK : np_scan_refuse(scan, "the end of the line");
}

np_status np_scan_end_file(np_scan *scan) { return np_scan_line(scan) ? np_scan_refuse(scan, "its end") : NP_OK; }

np_status np_scan_rows(np_scan *scan, uint64_t count, const char *rows, np_scan_row *row, void *context)
{
    np_status st = NP_OK;
    for (uint64_t i = 0; i < count && !st; i++) {
        if (!np_scan_line(scan))
            return np_text_raise(scan->text, NP_ERROR_INPUT,
                                 "the file ends after %llu of %llu %s of %s: is it cut short?", (unsigned long long)i,
                                 (unsigned long long)count, rows, scan->format);
        if (!(st = row(context, scan, i)))
            st = np_scan_end_line(scan);
    }
    return st;
}

/* ---- Nodes and links ---- */

np_status np_scan_new_node(const np_scan *scan, np_builder *graph, np_text_field name, np_node *out)
{
    uint64_t before = graph->nodes;
    np_status st = np_builder_node(graph, scan->text, name, out);
    if (!st && graph->nodes == before)
        return np_text_raise(scan->text, NP_ERROR_INPUT, "'%s' is a node twice in %s", np_text_show_field(name).text,
                             scan->format);
    return st;
}

np_status np_scan_node(const np_scan *scan, const np_builder *graph, np_text_field name, np_node *out)
{
    *out = np_names_find(&graph->names, name.at, name.length);
    if (*out != NP_NONE)
        return NP_OK;
    return np_text_raise(scan->text, NP_ERROR_INPUT, "'%s' is none of the nodes of %s", np_text_show_field(name).text,
                         scan->format);
}

np_status np_scan_link(const np_scan *scan, np_builder *graph, np_node from, np_node to,
                       const np_scan_attribute *attribute, size_t attributes)
{
    size_t first = graph->count;
    np_status st = np_builder_link(graph, scan->text, from, to, 1);
    for (size_t i = 0; i < attributes && !st; i++)
        if (attribute[i].value.length)
            st = np_builder_link_attribute(graph, scan->text, first,
                                           (np_text_field){attribute[i].name, strlen(attribute[i].name)},
                                           attribute[i].value);
    return st;
}

static int compare_ends(const void *x, const void *y)
{
    const np_cable_end *a = x, *b = y;
    return np_order_pair(a->here, b->here, a->there, b->there);
}

const np_cable_end *np_cable_end_alone(np_cable_end *ends, size_t count)
{
    const np_cable_end *alone = NULL;
    if (count)
        qsort(ends, count, sizeof *ends, compare_ends);
    for (size_t i = 0; i < count; i++) {
        np_cable_end other = {ends[i].there, ends[i].here, 0};
        if (!bsearch(&other, ends, count, sizeof *ends, compare_ends) && (!alone || ends[i].line < alone->line))
            alone = &ends[i];
    }
    return alone;
}
