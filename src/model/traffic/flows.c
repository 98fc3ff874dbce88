/*
 * Demands of REPETITA, of SNDlib and of htsim.
 *
 *   DEMANDS 2                      REPETITA (model/format/format_repetita.c)
 *   label src dest bw              a line for people
 *   demand_0 0 1 435117            nodes by their place in the network's file
 *
 *   Nodes 4                        htsim: the hosts are 0..3
 *   Connections 2
 *   0->1 id 1 start 0 size 2000    bytes
 *   1->2 id 2 trigger 5 size 4000  starts when trigger 5 fires
 *   trigger id 5 oneshot
 *
 * The demands of an SNDlib network (model/format/sndlib.h) name its nodes.
 *
 * Demands of REPETITA and SNDlib are rates. Where nothing says what a packet is, they are numbers of packets, or of
 * packets of 10, 100, ... each, so that there are a million at most. This keeps their proportions, and the note says
 * so. Sizes in bytes are no such numbers.
 */
#include "model/traffic/pairs.h"

#include <stdio.h>
#include <string.h>

#include "model/network/read_node.h"
#include "model/format/sndlib.h"

#define PACKETS_MOST 1e6 /* ours: of rates, if nothing says what a packet is */

/* ---- Rates ---- */

/* Nothing says what a packet is: chooses it by the sum of all rates. No demand has been added yet. */
static np_status choose_packet(np_amounts *demands, double sum)
{
    char packet[32];
    double size = 1;
    np_status st = NP_OK;
    while (sum > PACKETS_MOST * size)
        size *= 10;
    snprintf(packet, sizeof packet, "%s", NP_FIXED(size, 0));
    const np_amount_options options = {
        .path = "", .packet = packet, .times = demands->times_ignored ? "ignore" : NULL, .form = demands->form};
    if (size > 1)
        st = np_amounts_init(demands, demands->network, demands->limit, &options);
    snprintf(demands->assumed, sizeof demands->assumed,
             "its rates are taken for %s%s (--packet AMOUNT: of so much each)",
             size > 1 ? "packets of " : "numbers of packets", size > 1 ? packet : "");
    return st;
}

static void add_rate(double *sum, np_text_field rate)
{
    double value;
    *sum += np_decimal_real(rate, &value) ? value : 0;
}

static np_status add_demand(np_amounts *demands, const np_text *text, np_node source, np_node destination,
                            np_text_field rate)
{
    uint64_t packets;
    np_status st = np_amounts_packets(demands, text, rate, &packets);
    return st ? st : np_amounts_add(demands, text, source, destination, packets, 0);
}

/* ---- REPETITA ---- */

static const char repetita[] = "a REPETITA file of demands";

static bool recognizes_repetita(np_text text)
{
    np_scan scan = np_scan_begin(&text, repetita);
    uint64_t count;
    return np_scan_line_begins(&scan, "DEMANDS") && np_scan_whole(&scan, "", &count) && np_scan_at_end(&scan);
}

/* The terminal at a node that the file has by its number. */
static np_status read_numbered(np_scan *scan, const np_network *network, np_node *out)
{
    np_node nodes = network->host ? network->nodes : network->terminals;
    uint64_t number = 0;
    if (!np_scan_whole(scan, "", &number))
        return np_scan_refuse(scan, "the number of a node");
    if (number >= nodes)
        return np_text_raise(scan->text, NP_ERROR_INPUT, "node %llu: %.64s has the nodes 0..%u",
                             (unsigned long long)number, np_network_spec(network), nodes - 1);
    *out = network->host ? network->host_number[number] : (np_node)number;
    if (*out != NP_NONE)
        return NP_OK;
    return np_text_raise(scan->text, NP_ERROR_INPUT, "node %llu is a switch: packets go from host to host",
                         (unsigned long long)number);
}

static np_status read_repetita_demand(void *context, np_scan *scan, uint64_t i)
{
    np_amounts *demands = context;
    np_text_field label, rate;
    np_node source = 0, destination = 0;
    np_status st;
    (void)i;
    if (!np_scan_word(scan, "", &label))
        return np_scan_refuse(scan, "a demand");
    if ((st = read_numbered(scan, demands->network, &source)) ||
        (st = read_numbered(scan, demands->network, &destination)))
        return st;
    if (!np_scan_number(scan, "", &rate))
        return np_scan_refuse(scan, "the rate of a demand");
    return add_demand(demands, scan->text, source, destination, rate);
}

/* The sum of the last numbers of all lines that are left. */
static double sum_repetita(np_text text)
{
    np_scan scan = np_scan_begin(&text, repetita);
    np_text_field word, last = {NULL, 0};
    double sum = 0;
    while (np_scan_line(&scan)) {
        while (np_scan_word(&scan, "", &word))
            last = word;
        add_rate(&sum, last);
    }
    return sum;
}

static np_status read_repetita(np_amounts *demands, np_text *text)
{
    np_scan scan = np_scan_begin(text, repetita);
    uint64_t count;
    np_status st;
    if (!np_scan_line_begins(&scan, "DEMANDS") || !np_scan_whole(&scan, "", &count))
        return np_scan_refuse(&scan, "'DEMANDS' and their number");
    if ((st = np_scan_end_line(&scan)))
        return st;
    if (!np_scan_line(&scan))
        return np_scan_refuse(&scan, "the names of the columns, 'label src dest bw'");
    if (!demands->measured && (st = choose_packet(demands, sum_repetita(*text))))
        return st;
    st = np_scan_rows(&scan, count, "demands", read_repetita_demand, demands);
    return st ? st : np_scan_end_file(&scan);
}

/* ---- SNDlib ---- */

static np_status read_sndlib_demand(void *context, np_scan *scan, const np_sndlib_demand *d)
{
    np_amounts *demands = context;
    np_node source, destination;
    np_status st;
    if ((st = np_network_read_terminal(demands->network, scan->text, d->source, "source", &source)) ||
        (st = np_network_read_terminal(demands->network, scan->text, d->destination, "destination", &destination)))
        return st;
    return add_demand(demands, scan->text, source, destination, d->value);
}

static np_status sum_sndlib_demand(void *context, np_scan *scan, const np_sndlib_demand *d)
{
    (void)scan;
    add_rate(context, d->value);
    return NP_OK;
}

static np_status read_sndlib(np_amounts *demands, np_text *text)
{
    double sum = 0;
    const np_sndlib_use add = {.context = &sum, .demand = sum_sndlib_demand};
    const np_sndlib_use use = {.context = demands, .demand = read_sndlib_demand};
    np_sndlib_sections sections;
    np_text first = *text;
    np_status st;
    if ((st = np_sndlib_read(&first, &add, &sections)))
        return st;
    if (!sections.demands)
        return np_text_raise(&first, NP_ERROR_INPUT, "an SNDlib network without a section DEMANDS: is it cut short?");
    if (!demands->measured && (st = choose_packet(demands, sum)))
        return st;
    return np_sndlib_read(text, &use, &sections);
}

/* ---- htsim ---- */

static const char htsim[] = "an htsim connection matrix";

typedef struct matrix {
    uint64_t nodes, connections, triggers, failures; /* as the header says */
} matrix;

/* A line of the header; false, and the scan where it was: it is none. */
static bool read_header(np_scan *scan, matrix *m)
{
    const struct {
        const char *word;
        uint64_t *out;
    } words[] = {
        {"Nodes", &m->nodes}, {"Connections", &m->connections}, {"Triggers", &m->triggers}, {"Failures", &m->failures}};
    np_scan before = *scan;
    for (size_t i = 0; i < 4; i++)
        if (np_scan_is(scan, words[i].word) && np_scan_whole(scan, "", words[i].out) && np_scan_at_end(scan))
            return true;
    *scan = before;
    return false;
}

static bool recognizes_htsim(np_text text)
{
    np_scan scan = np_scan_begin(&text, htsim);
    matrix m = {0, 0, 0, 0};
    while (np_scan_line(&scan) && read_header(&scan, &m))
        if (m.connections)
            return true;
    return false;
}

/* What is behind "0->1". */
typedef struct connection {
    np_text_field size;
    bool later; /* it does not start at time 0 */
} connection;

typedef enum attribute { UNUSED, FLAG, START, TRIGGER, SIZE } attribute;

/* One of "size 2000", "addon". */
static np_status read_attribute(np_scan *scan, connection *c)
{
    static const struct {
        const char *word;
        attribute kind;
    } words[] = {{"id", UNUSED},   {"prio", UNUSED},
                 {"start", START}, {"send_done_trigger", UNUSED},
                 {"size", SIZE},   {"recv_done_trigger", UNUSED},
                 {"addon", FLAG},  {"trigger", TRIGGER}};
    enum { WORDS = sizeof words / sizeof *words };
    np_text_field value;
    double number;
    size_t i = 0;
    while (i < WORDS && !np_scan_is(scan, words[i].word))
        i++;
    if (i == WORDS)
        return np_scan_refuse(scan, "id, start, size, trigger, send_done_trigger, recv_done_trigger or prio");
    if (words[i].kind == FLAG)
        return NP_OK;
    if (!np_scan_number(scan, "", &value))
        return np_scan_refuse(scan, "a number behind '%s'", words[i].word);
    if (words[i].kind == SIZE)
        c->size = value;
    c->later |= words[i].kind == TRIGGER;
    c->later |= words[i].kind == START && (!np_decimal_real(value, &number) || number > 0);
    return NP_OK;
}

static np_status read_host(np_scan *scan, np_amounts *demands, const matrix *m, np_node *out)
{
    np_scan before = *scan;
    uint64_t host;
    np_status st;
    if (!np_scan_whole(scan, "-", &host) || host >= m->nodes)
        return np_scan_refuse(&before, "a host, 0..%llu", (unsigned long long)m->nodes - 1);
    if ((st = np_amounts_place(demands, scan->text, m->nodes, host, out)))
        return st;
    if (*out != NP_NONE)
        return NP_OK;
    return np_text_raise(scan->text, NP_ERROR_INPUT, "host %llu is a switch of the network", (unsigned long long)host);
}

static np_status read_connection(np_amounts *demands, np_scan *scan, const matrix *m)
{
    connection c = {{NULL, 0}, false};
    np_node source = 0, destination = 0;
    np_status st;
    if ((st = read_host(scan, demands, m, &source)))
        return st;
    if (!np_scan_mark(scan, "->"))
        return np_scan_refuse(scan, "'->'");
    st = read_host(scan, demands, m, &destination);
    while (!st && !np_scan_at_end(scan))
        st = read_attribute(scan, &c);
    if (st)
        return st;
    if (!c.size.length)
        return np_text_raise(scan->text, NP_ERROR_INPUT,
                             "a connection without a size goes on for ever: it is no demand");
    if (c.later && !demands->times_ignored)
        return np_text_raise(scan->text, NP_ERROR_INPUT,
                             "a connection that starts later: times are not heeded, every packet starts at step 0: say "
                             "'times=ignore'");
    return add_demand(demands, scan->text, source, destination, c.size);
}

static np_status check_counts(const np_scan *scan, const matrix *m, const matrix *found)
{
    if (m->connections == found->connections && m->triggers == found->triggers && m->failures == found->failures)
        return NP_OK;
    return np_text_raise(
        scan->text, NP_ERROR_INPUT,
        "%llu connections, %llu triggers and %llu failures in %s that promises %llu, %llu and %llu: is "
        "it cut short?",
        (unsigned long long)found->connections, (unsigned long long)found->triggers,
        (unsigned long long)found->failures, htsim, (unsigned long long)m->connections, (unsigned long long)m->triggers,
        (unsigned long long)m->failures);
}

static np_status read_htsim(np_amounts *demands, np_text *text)
{
    np_scan scan = np_scan_begin(text, htsim);
    matrix m = {0, 0, 0, 0}, found = {0, 0, 0, 0};
    np_status st = NP_OK;
    if (!demands->measured)
        return np_text_raise(text, NP_ERROR_INPUT, "sizes in %s are bytes: " NP_AMOUNTS_UNIT " says what a packet is",
                             htsim);
    bool more = np_scan_line(&scan);
    while (more && read_header(&scan, &m))
        more = np_scan_line(&scan);
    if (!m.nodes || !m.connections)
        return np_scan_refuse(&scan, "'Nodes N' and 'Connections N'");
    for (; more && !st; more = np_scan_line(&scan)) {
        bool trigger = np_scan_is(&scan, "trigger"), failure = !trigger && np_scan_is(&scan, "failure");
        found.triggers += trigger;
        found.failures += failure;
        found.connections += !trigger && !failure;
        if (!trigger && !failure)
            st = read_connection(demands, &scan, &m);
        if (st)
            return st;
    }
    size_t used = strlen(demands->assumed); /* by np_amounts_place */
    if (m.failures)
        snprintf(demands->assumed + used, sizeof demands->assumed - used, "%sits failures of links are not used",
                 used ? "; " : "");
    return check_counts(&scan, &m, &found);
}

/* ---- All ---- */

const np_flow_format *np_flow_format_of(const np_text *text)
{
    static const np_flow_format formats[] = {{repetita, recognizes_repetita, read_repetita},
                                             {"an SNDlib network", np_sndlib_recognizes, read_sndlib},
                                             {htsim, recognizes_htsim, read_htsim}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i].recognizes(*text))
            return &formats[i];
    return NULL;
}
