/* Prints polarized sequences, and adds them to the JSON. */
#include "show/papers/explain.h"

#include <inttypes.h>

#include "show/table/shape.h"
#include "show/table/table.h"

/* ---- what is proved ---- */

static void print_check(const np_polarized *p, unsigned i, const char *says, const char *than, FILE *stream)
{
    const np_polarized_verdict *verdict = &p->verdict[i];
    fprintf(stream, "%-12s  %-5s  %s: %" PRId64 " of %s %" PRId64 "\n", np_polarized_verdict_name(i),
            verdict->holds ? "holds" : "FAILS", says, verdict->have, than, verdict->need);
}

static void print_checks(const np_polarized *p, FILE *stream)
{
    const char *least = p->queue_size == 1 ? "at least min(delta / 2, n) =" : "at least min(delta, b n) =";
    print_check(p, NP_POLARIZED_DEFINITION_1, "messages along the path, tags falling", "all", stream);
    print_check(p, NP_POLARIZED_LEMMA_3, "ghosts of the batch that did not wait", "all", stream);
    print_check(p, NP_POLARIZED_LEMMA_4, "times that a switch of column c had something at each way in, from step c on",
                "all", stream);
    print_check(p, NP_POLARIZED_LEMMA_5, "delays L", "at least lag - b_L =", stream);
    print_check(p, NP_POLARIZED_PATH, "edges from column 0 to 6n, 6n + 2 for each full queue", "at most 8n =", stream);
    print_check(p, NP_POLARIZED_THEOREM_2,
                p->counted_full < p->full ? "distinct requests polarized along that path, up to the n-th full queue"
                                          : "distinct requests polarized along that path",
                least, stream);
}

/* ---- the table ---- */

static void print_head(const np_pram_explanation *e, FILE *stream)
{
    const np_polarized *p = &e->sequence;
    fprintf(stream,
            "\nexplain  PRAM step %" PRIu64 "%s%s%s: its slowest batch, %" PRIu64 " requests of %u tags, takes %" PRIu64
            " steps\n",
            e->step, *e->label ? " (" : "", e->label, *e->label ? ")" : "", p->requests, p->messages, p->steps);
    fprintf(stream, "         without delays it is 6n + 1 = %u: delta = %" PRId64 "\n", 6 * p->n + 1, p->delta);
    fprintf(stream,
            "         polarized sequence, backwards from the reply that is home last: L = %u delays, b_L = %u by full "
            "queues of b = %u\n\n",
            p->delays, p->full, p->queue_size);
}

static void add_because(np_table *table, const np_polarized *p, size_t i)
{
    const np_polarized_row *row = &p->row[i], *next = row + 1;
    if (row->wait == NP_POLARIZED_OTHER && next->ghost)
        np_table_add(table, "a ghost of message %u is selected, %u edge%s from it", next->tag, next->ghost,
                     next->ghost > 1 ? "s" : "");
    else if (row->wait == NP_POLARIZED_OTHER)
        np_table_add(table, "message %u is selected", next->tag);
    else if (row->wait == NP_POLARIZED_FULL)
        np_table_add(table, "selected, but the queue at <%u, %u> is full", next->at.column, next->at.row);
    else if (row->wait == NP_POLARIZED_BESIDE)
        np_table_add(table, "in that queue");
    else if (row->wait_step)
        np_table_add(table, "at its processor, for the other stream; has no lag");
    else
        np_table_add(table, "sent by its processor; has no lag");
}

static np_status print_rows(const np_pram_explanation *e, FILE *stream)
{
    static const char *const head[] = {"message", "module", "cell", "lag",         "phase",
                                       "column",  "row",    "step", "waits there:"};
    const np_polarized *p = &e->sequence;
    np_table table;
    np_table_begin(&table, "rllrrrrrl", head);
    for (size_t i = 0; i < p->rows; i++) {
        const np_polarized_row *row = &p->row[i];
        const np_pram_message *m = &e->message[i];
        np_table_add(&table, "%u", row->tag);
        np_table_add(&table, "<%u, %u>", m->module_column, m->module_row);
        np_table_add(&table, "%s[%" PRIu64 "]", m->array, m->offset);
        np_table_add(&table, "%" PRId64, row->lag);
        np_table_add(&table, "%u", np_polarized_phase(p, row->wait_at.column));
        np_table_add(&table, "%u", row->wait_at.column);
        np_table_add(&table, "%u", row->wait_at.row);
        np_table_add(&table, "%" PRIu64, row->wait_step);
        add_because(&table, p, i);
    }
    return np_table_end(&table, stream);
}

np_status np_polarized_print(const np_pram_explanation *e, FILE *stream)
{
    print_head(e, stream);
    np_status st = print_rows(e, stream);
    fputc('\n', stream);
    print_checks(&e->sequence, stream);
    return st;
}

static bool is_explained(const void *object) { return ((const np_report_added *)object)->explanation; }

static const np_field explained_rows[] = {
    {"explain", NP_FIELD_OBJECT, offsetof(np_report_added, explanation), .flags = NP_FIELD_BEHIND,
     .fields = &np_pram_explanation_fields, .applies = is_explained,
     .help = "only with `--explain`: the polarized sequence of the slowest batch on a butterfly"},
};

const np_fields np_report_pram_explained = NP_FIELDS("pram_explained", "a program", np_report_added, explained_rows);
