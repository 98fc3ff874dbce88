/*
 * A list of flows: a line for each, "source destination [size [start]]", or columns that the first line names.
 *
 * A column says its unit by its name. `size` and `start` are in the units of the run; `packets` must not stand beside a
 * link rate, and `bytes` needs one. What would be misread is refused. A column `flow` may number the flows. In a file
 * that --flows wrote, with just its columns, there are finishes; they are not read, and the report says so.
 */
#include "model/network/read_node.h"
#include "model/traffic/pairs.h"
#include "run/flows/flows.h"

typedef struct columns {
    size_t source, destination, size, start, number; /* NP_TEXT_FIELDS: there is none */
    size_t fields;                                   /* of a line */
    bool named;
} columns;

typedef struct reader {
    const np_network *network;
    const np_flows_units *units;
    np_flow_set *set;
    np_text text;
    columns columns;
} reader;

static bool find_columns(const np_text *text, columns *c)
{
    static const char *const numbers[] = {"flow", "id", NULL};
    *c = (columns){.source = np_list_column(text, np_list_sources),
                   .destination = np_list_column(text, np_list_destinations),
                   .size = NP_TEXT_FIELDS,
                   .start = np_list_column(text, np_list_times),
                   .number = np_list_column(text, numbers),
                   .fields = text->fields,
                   .named = true};
    return c->source < NP_TEXT_FIELDS && c->destination < NP_TEXT_FIELDS;
}

/* The column of sizes, by the names that say which unit it has. */
static np_status find_size(reader *r)
{
    static const char *const packets[] = {"packets", "count", NULL}, *const bytes[] = {"bytes", NULL},
                             *const sizes[] = {"size", NULL};
    const np_text *text = &r->text;
    size_t in_packets = np_list_column(text, packets), in_bytes = np_list_column(text, bytes);
    size_t either = np_list_column(text, sizes);
    if (in_packets < NP_TEXT_FIELDS && r->units->bytes)
        return np_text_raise(text, NP_ERROR_INPUT, "column '%s': with a link rate sizes are bytes: call them 'bytes'",
                             np_text_show(text, in_packets).text);
    if (in_bytes < NP_TEXT_FIELDS && !r->units->bytes)
        return np_text_raise(text, NP_ERROR_INPUT,
                             "column 'bytes': without a link rate (--link-rate) sizes are packets");
    if (either < NP_TEXT_FIELDS && (in_packets < NP_TEXT_FIELDS || in_bytes < NP_TEXT_FIELDS))
        return np_text_raise(text, NP_ERROR_INPUT, "columns '%s' and '%s' both say sizes: leave one out",
                             np_text_show(text, either).text,
                             np_text_show(text, in_packets < NP_TEXT_FIELDS ? in_packets : in_bytes).text);
    r->columns.size = in_packets < NP_TEXT_FIELDS ? in_packets : in_bytes < NP_TEXT_FIELDS ? in_bytes : either;
    return NP_OK;
}

/* Are the columns those of --flows (write.c)? */
static bool is_own(const np_text *text)
{
    static const char *const own[] = {"flow", "source", "destination", "size", "start", "finish"};
    enum { OWN = sizeof own / sizeof *own };
    size_t i = 0;
    while (i < OWN && i < text->fields && np_text_is(text, i, own[i]))
        i++;
    return i == OWN && text->fields == OWN;
}

/* Every column has a meaning, and no meaning has two columns. */
static np_status check_columns(const reader *r)
{
    const columns *c = &r->columns;
    for (size_t i = 0; i < c->fields; i++)
        if (i >= NP_TEXT_FIELDS)
            return np_text_raise(&r->text, NP_ERROR_INPUT, "more than %d columns", NP_TEXT_FIELDS);
        else if (i != c->source && i != c->destination && i != c->size && i != c->start && i != c->number &&
                 !r->set->has_finishes)
            return np_text_raise(&r->text, NP_ERROR_INPUT,
                                 "column '%s' is not known: a list of flows has the columns source, destination, size "
                                 "and start",
                                 np_text_show(&r->text, i).text);
    return NP_OK;
}

/* *out stays if there is no such column. */
static np_status read_real(const reader *r, const char *what, size_t at,
                           const char *read(np_text_field field, const np_flows_units *units, double *out), double *out)
{
    const np_text *text = &r->text;
    const char *wrong = at < text->fields ? read(text->field[at], r->units, out) : NULL;
    return wrong ? np_text_raise(text, NP_ERROR_INPUT, "%s '%s': %s", what, np_text_show(text, at).text, wrong) : NP_OK;
}

static np_status read_line(reader *r)
{
    const np_text *text = &r->text;
    const columns *c = &r->columns;
    np_node source, destination;
    double size = 1, start = 0;
    np_status st;
    if ((st = np_text_count(text, c->named ? c->fields : 2, c->named ? c->fields : 3, "source destination [size]")) ||
        (st = np_network_read_terminal(r->network, text, text->field[c->source], "source", &source)) ||
        (st = np_network_read_terminal(r->network, text, text->field[c->destination], "destination", &destination)) ||
        (st = read_real(r, "size", c->size, np_flows_read_size, &size)) ||
        (st = read_real(r, "start", c->start, np_flows_read_start, &start)))
        return st;
    return np_flow_set_add(r->set, np_network_input(r->network, source), np_network_output(r->network, destination),
                           size, start);
}

static np_status begin(reader *r)
{
    if (find_columns(&r->text, &r->columns)) {
        np_status st = find_size(r);
        r->set->has_finishes = is_own(&r->text);
        if (!st)
            st = check_columns(r);
        r->set->has_sizes = r->columns.size < NP_TEXT_FIELDS;
        r->set->has_starts = r->columns.start < NP_TEXT_FIELDS;
        return st;
    }
    r->columns = (columns){.destination = 1, .size = 2, .start = NP_TEXT_FIELDS, .number = NP_TEXT_FIELDS};
    r->set->has_sizes = r->text.fields > 2;
    if (r->text.fields > 3)
        return np_text_raise(&r->text, NP_ERROR_INPUT,
                             "%zu fields without names: begin with a line 'source,destination,size,start'",
                             r->text.fields);
    r->columns.fields = r->text.fields;
    return read_line(r);
}

static np_status read_rest(reader *r)
{
    np_status st = NP_OK;
    while (!st && np_text_next(&r->text)) {
        if (!r->columns.named && r->text.fields != r->columns.fields)
            return np_text_raise(&r->text, NP_ERROR_INPUT, "%zu fields, where the first line has %zu", r->text.fields,
                                 r->columns.fields);
        st = read_line(r);
    }
    return st;
}

static np_status read_all(reader *r)
{
    np_status st = NP_OK;
    if (np_text_next(&r->text) && ((st = begin(r)) || (st = read_rest(r))))
        return st;
    return r->set->flows ? NP_OK
                         : np_text_raise(&r->text, NP_ERROR_INPUT, "no flows: write lines 'source destination [size]'");
}

np_status np_flows_parse_list(const char *name, const char *data, size_t length, const np_network *network,
                              const np_flows_units *units, np_flow_set *set)
{
    reader r = {.network = network, .units = units, .set = set};
    np_status st = np_text_open_strict(&r.text, name, data, length);
    if (st)
        return st;
    r.text.separator = np_text_separator(r.text, name);
    return read_all(&r);
}

np_status np_flows_read_list(const char *path, const np_network *network, const np_flows_units *units, np_flow_set *set)
{
    NP_TEXT_FILE(file, path);
    return file.status ? file.status : np_flows_parse_list(path, file.data, file.length, network, units, set);
}
