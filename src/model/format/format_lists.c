/* Which of the lists a text is, whose format nobody says: of links, of neighbours, or of the rows of a matrix. */
#include "model/format/format_list.h"

static np_status refuse_either(const np_text *text, const np_survey *s, const np_graph_format *format)
{
    np_text at = *text;
    at.line = s->line;
    return np_text_raise(&at, NP_ERROR_INPUT,
                         "%llu lines of %zu fields: this may be %s or %s: say --file-format %s or --file-format %s, or "
                         "name the columns in a first line",
                         (unsigned long long)s->lines, s->fields, format->info.help, np_format_links.info.help,
                         format->info.name, np_format_links.info.name);
}

/* *format: another list than one of links. NULL: it is none. */
static np_status find_other(const np_text *text, const np_survey *s, const np_columns *columns,
                            const np_graph_format **format)
{
    np_verdict dense = columns->named ? NP_VERDICT_NO : np_dense_judge(*text, s), adjacency = NP_VERDICT_NO;
    np_status st = NP_OK;
    *format = dense == NP_VERDICT_YES ? &np_format_dense : NULL;
    if (dense == NP_VERDICT_YES)
        return NP_OK;
    if (dense == NP_VERDICT_PERHAPS)
        return refuse_either(text, s, &np_format_dense);
    if (!columns->named)
        st = np_adjacency_judge(*text, s, &adjacency);
    if (!st && adjacency == NP_VERDICT_PERHAPS)
        return refuse_either(text, s, &np_format_adjacency);
    if (!st && adjacency == NP_VERDICT_YES)
        *format = &np_format_adjacency;
    return st;
}

np_status np_format_read_list(np_builder *graph, np_text *text)
{
    const np_graph_format *other;
    np_survey s;
    np_columns columns;
    np_status st = np_survey_take(text, &s);
    if (st)
        return st;
    np_status named = np_columns_find(text, &s, &columns);
    if ((st = find_other(text, &s, &columns, &other)))
        return st;
    graph->format = (other ? other : &np_format_links)->info.help;
    if (other)
        return other->read(graph, text);
    if (named)
        return np_columns_find(text, &s, &columns); /* says it again: the judges may have said something else */
    return (st = np_links_check_list(text, &s, &columns, false)) ? st : np_links_read_list(graph, text, &s, &columns);
}
