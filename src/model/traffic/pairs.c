/*
 * Traffic from text, in one of these formats:
 *
 *   lines    source destination [count [priority]]
 *            source, destination: nodes from 0 or by name, or terminals where
 *            only terminals send; count: packets, 1 if left out, may be 0;
 *            priority: smaller is more urgent, 0 if left out. Fields may be
 *            separated by ',' or ';'. A first line may name the columns.
 *            Comments and blank lines as in base/text.h. A file without any
 *            line is refused: its contents have been lost.
 *   matrix   Matrix Market coordinate files: row i, column j, value c are c
 *            packets from node i-1 to node j-1 (pattern: one); a symmetric
 *            file sends the off-diagonal ones both ways
 *   dense    a line for each source: dense.c
 *   npy      a NumPy array: npy.c
 *   others   those of REPETITA, SNDlib and htsim: flows.c
 */
#include "model/traffic/pairs.h"

#include <stdio.h>

#include "base/matrix.h"
#include "base/npy.h"
#include "model/network/read_node.h"

/* The columns of a list of demands: NP_TEXT_FIELDS: there is no such column. */
typedef struct columns {
    size_t source, destination, amount, priority, time;
    bool bytes;    /* the amount counts no packets */
    bool named;    /* the first line names them */
    size_t fields; /* of the first line */
} columns;

const char *const np_list_sources[] = {"source", "src", "from", "sender", NULL};
const char *const np_list_destinations[] = {"destination", "dst", "dest", "target", "to", "receiver", NULL};
const char *const np_list_times[] = {"time", "start", "start_time", "arrival", "release", "timestamp", NULL};

size_t np_list_column(const np_text *text, const char *const *words)
{
    for (; *words; words++)
        for (size_t i = 0; i < text->fields && i < NP_TEXT_FIELDS; i++)
            if (np_text_is(text, i, *words))
                return i;
    return NP_TEXT_FIELDS;
}

/* Does the present line name the columns? */
static bool find_columns(const np_text *text, columns *c)
{
    static const char *const counts[] = {"count", "packets", "amount", "demand", "value", "weight", "traffic", NULL};
    static const char *const bytes[] = {"bytes", "size", "rate", "flow", "volume", "bandwidth", "bits", NULL};
    static const char *const priorities[] = {"priority", NULL};
    *c = (columns){np_list_column(text, np_list_sources),
                   np_list_column(text, np_list_destinations),
                   np_list_column(text, counts),
                   np_list_column(text, priorities),
                   np_list_column(text, np_list_times),
                   false,
                   true,
                   text->fields};
    if (c->amount == NP_TEXT_FIELDS) {
        c->amount = np_list_column(text, bytes);
        c->bytes = c->amount < NP_TEXT_FIELDS;
    }
    return c->source < NP_TEXT_FIELDS && c->destination < NP_TEXT_FIELDS;
}

/* Does the first line name the columns of a list? */
static bool names_columns(np_text text)
{
    columns c;
    return np_text_next(&text) && find_columns(&text, &c);
}

/* A column that no word names: NP_TEXT_FIELDS if there is none. */
static size_t unknown_column(const np_text *text, const columns *c)
{
    for (size_t i = 0; i < text->fields && i < NP_TEXT_FIELDS; i++)
        if (i != c->source && i != c->destination && i != c->priority && i != c->time && i != c->amount)
            return i;
    return NP_TEXT_FIELDS;
}

/* Columns that would be misunderstood are refused. */
static np_status check_columns(const np_amounts *demands, const np_text *text, const columns *c)
{
    size_t unknown = unknown_column(text, c);
    if (unknown < NP_TEXT_FIELDS)
        return np_text_raise(text, NP_ERROR_INPUT,
                             c->amount == NP_TEXT_FIELDS
                                 ? "column '%s' is not known: call a column of packets 'count', "
                                   "and one of other amounts 'bytes'"
                                 : "column '%s' is not known, and might say what the amounts are: "
                                   "leave it out",
                             np_text_show(text, unknown).text);
    if (c->bytes && !(demands->measured))
        return np_text_raise(text, NP_ERROR_INPUT,
                             "column '%s' counts no packets: " NP_AMOUNTS_UNIT " says what a packet is",
                             np_text_show(text, c->amount).text);
    if (c->time < NP_TEXT_FIELDS && !demands->times_ignored)
        return np_text_raise(
            text, NP_ERROR_INPUT,
            "column '%s': times are not heeded, every packet starts at step 0: leave the column out, or "
            "say 'times=ignore'",
            np_text_show(text, c->time).text);
    return NP_OK;
}

static np_status read_amount(const np_amounts *demands, const np_text *text, size_t field, uint64_t *packets)
{
    if (demands->measured)
        return np_amounts_packets(demands, text, text->field[field], packets);
    return np_text_number(text, field, "count", 0, NP_PACKETS_MAX, packets);
}

/* With a separator each line has as many fields as the first: a decimal comma would make one more. */
static np_status check_fields(const np_text *text, const columns *c)
{
    size_t least = (c->source > c->destination ? c->source : c->destination) + 1;
    if (text->separator && text->fields != c->fields)
        return np_text_raise(
            text, NP_ERROR_INPUT,
            "%zu fields, where the first line has %zu: a decimal comma, or a name with a comma and without "
            "quotes?",
            text->fields, c->fields);
    return np_text_count(text, least, c->named ? c->fields : 4, "source destination [count [priority]]");
}

static np_status read_line(np_amounts *demands, const np_text *text, const columns *c)
{
    uint64_t packets = 1, priority = 0;
    np_node source, destination;
    np_status st;
    if ((st = check_fields(text, c)) ||
        (st = np_network_read_terminal(demands->network, text, text->field[c->source], "source", &source)) ||
        (st = np_network_read_terminal(demands->network, text, text->field[c->destination], "destination",
                                       &destination)))
        return st;
    if (c->amount < text->fields && (st = read_amount(demands, text, c->amount, &packets)))
        return st;
    if (c->priority < text->fields) {
        demands->has_priorities = true;
        if ((st = np_text_number(text, c->priority, "priority", 0, UINT32_MAX, &priority)))
            return st;
    }
    return np_amounts_add(demands, text, source, destination, packets, (uint32_t)priority);
}

static np_status read_lines(np_amounts *demands, np_text *text)
{
    columns c;
    np_status st;
    if (np_text_next(text)) {
        if (find_columns(text, &c))
            st = check_columns(demands, text, &c);
        else {
            c = (columns){0, 1, 2, 3, NP_TEXT_FIELDS, false, false, text->fields};
            st = read_line(demands, text, &c);
        }
        if (st)
            return st;
    }
    while (np_text_next(text))
        if ((st = read_line(demands, text, &c)))
            return st;
    if (!demands->count)
        return np_text_raise(text, NP_ERROR_INPUT, "no packets: write lines 'source destination [count]'");
    return NP_OK;
}

/* The demand of entry (row, column). */
static np_status add_entry(np_amounts *demands, const np_matrix *matrix, uint64_t row, uint64_t column,
                           uint64_t packets)
{
    uint64_t size = matrix->rows > matrix->columns ? matrix->rows : matrix->columns;
    np_node source, destination;
    np_status st;
    if ((st = np_amounts_place(demands, matrix->text, size, row, &source)) ||
        (st = np_amounts_place(demands, matrix->text, size, column, &destination)))
        return st;
    if (source != NP_NONE && destination != NP_NONE)
        return np_amounts_add(demands, matrix->text, source, destination, packets, 0);
    if (!packets)
        return NP_OK;
    return np_text_raise(matrix->text, NP_ERROR_INPUT,
                         "entry (%llu,%llu): packets go from host to host, and this is a switch",
                         (unsigned long long)row + 1, (unsigned long long)column + 1);
}

static np_status read_entry(np_amounts *demands, const np_matrix *matrix, const np_matrix_entry *e)
{
    uint64_t packets = 1;
    np_status st;
    if (matrix->values != NP_MATRIX_PATTERN && (st = np_amounts_packets(demands, matrix->text, e->text, &packets)))
        return st;
    if ((st = add_entry(demands, matrix, e->row, e->column, packets)))
        return st;
    return matrix->symmetric && e->row != e->column ? add_entry(demands, matrix, e->column, e->row, packets) : NP_OK;
}

static np_status read_matrix(np_amounts *demands, np_text *text)
{
    char words[128];
    np_matrix matrix;
    np_matrix_entry e;
    const np_network *network = demands->network;
    np_node most = network->host ? network->nodes : network->terminals;
    bool more;
    np_status st;
    snprintf(words, sizeof words, "%s of %.64s", most == network->nodes ? "nodes" : "terminals",
             np_network_spec(network));
    if ((st = np_matrix_open(&matrix, text, most, words)))
        return st;
    if (matrix.skew) {
        text->line = 1;
        return np_text_raise(text, NP_ERROR_INPUT,
                             "a skew-symmetric matrix has negative entries, and demands are 0 or more: write a general "
                             "one");
    }
    while (!(st = np_matrix_next(&matrix, &more, &e)) && more)
        if ((st = read_entry(demands, &matrix, &e)))
            return st;
    return st;
}

static np_status read_table(np_amounts *demands, np_text *text)
{
    np_survey survey;
    bool dense = false;
    np_status st = np_survey_take(text, &survey);
    text->stop = 0; /* demands have no attributes */
    if (!st && !names_columns(*text))
        st = np_dense_decide(demands, text, &survey, &dense);
    if (st)
        return st;
    return dense ? np_dense_read(demands, text, &survey) : read_lines(demands, text);
}

static np_status read_text(np_amounts *demands, np_text *text, const char *name)
{
    if (np_matrix_begins(text, name))
        return read_matrix(demands, text);
    const np_flow_format *flows = np_flow_format_of(text);
    return flows ? flows->read(demands, text) : read_table(demands, text);
}

np_status np_pairs_parse(const char *name, const char *data, size_t length, const np_network *network,
                         const np_amount_options *options, uint64_t limit, np_traffic *traffic)
{
    static const np_amount_options none = {.path = ""};
    np_amounts demands;
    np_text text = {.name = name, .line = NP_TEXT_NO_LINE};
    np_status st;
    if ((st = np_amounts_init(&demands, network, limit, options ? options : &none)))
        return st;
    if (np_npy_begins(data, length))
        st = np_array_read(&demands, &text, data, length);
    else if (!(st = np_text_open(&text, name, data, length)))
        st = read_text(&demands, &text, name);
    if (!st)
        st = np_amounts_finish(&demands, &text, traffic);
    np_amounts_clear(&demands);
    return st;
}
