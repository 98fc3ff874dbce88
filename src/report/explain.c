/* Prints delay sequences. */
#include "report/explain.h"

#include <inttypes.h>

#include "report/table.h"

static const char *because(const np_explanation_row *row)
{
    static const char *const text[] = {
        [NP_EXPLAINED_START] = "arrives last",
        [NP_EXPLAINED_MERGED] = "smaller rank",
        [NP_EXPLAINED_FULL] = "full queue",
        [NP_EXPLAINED_ORIGIN] = "had not waited before",
        [NP_EXPLAINED_EMPTY] = "waited for the first of the stream",
    };
    if (row->kind == NP_EXPLAINED_MERGED && row->ghost)
        return "smaller rank, by ghost";
    return text[row->kind];
}

static np_status print_rows(const np_explanation *e, FILE *stream)
{
    static const char *const head[] = {"packet", "rank", "level", "node", "step", "lag", "ghost", "why"};
    np_table table;
    np_table_begin(&table, "rrrrrrrl", head);
    for (size_t i = 0; i < e->rows; i++) {
        const np_explanation_row *row = &e->row[i];
        np_table_add(&table, "%u", row->number);
        np_table_add(&table, "%u", row->rank);
        np_table_add(&table, "%u", row->level);
        np_table_add(&table, "%u", row->host);
        np_table_add(&table, "%u", row->step);
        np_table_add(&table, "%" PRId64, row->lag);
        np_table_add(&table, row->ghost ? "%u" : "-", row->ghost);
        np_table_add(&table, "%s", because(row));
    }
    return np_table_end(&table, stream);
}

static void print_lemma(const np_explanation *e, unsigned lemma, const char *says, FILE *stream)
{
    const np_verdict *verdict = &e->verdict[lemma];
    fprintf(stream, "Lemma 2.%u  %-5s  %s: %" PRId64 " of %s %" PRId64 "\n", 5 + lemma,
            verdict->holds ? "holds" : "FAILS", says, verdict->have,
            lemma == NP_LEMMA_2_6   ? "all"
            : lemma == NP_LEMMA_2_7 ? "at least"
                                    : "at most",
            verdict->need);
}

static void print_lemmas(const np_explanation *e, FILE *stream)
{
    char says[120];
    if (e->messages) {
        print_lemma(e, NP_LEMMA_2_5, "path of messages, distinct and in order of rank", stream);
        print_lemma(e, NP_LEMMA_2_6, "delays after which the lag is less by 1 (2: full queue) to the length, or 1 more",
                    stream);
        print_lemma(e, NP_LEMMA_2_7, "steps that the lengths of messages and full queues account for", stream);
        print_lemma(e, NP_LEMMA_2_8, "path, L + 2 for each full queue", stream);
        return;
    }
    snprintf(says, sizeof says, "path of the first %" PRId64 " packets, distinct and in order of rank", e->elements);
    print_lemma(e, NP_LEMMA_2_5, says, stream);
    print_lemma(e, NP_LEMMA_2_6, "delays after which the lag is less by 1, or 2 for a full queue", stream);
    print_lemma(e, NP_LEMMA_2_7, e->queue_size == 1 ? "packets (half of w, as q = 1)" : "packets", stream);
    print_lemma(e, NP_LEMMA_2_8, "path, L + 2 for each full queue", stream);
    const np_verdict *iff = &e->verdict[NP_SECTION_11];
    fprintf(
        stream,
        "Section 11 %-5s  packets that arrive in the step of their longest delay sequence, and in no other: %" PRId64
        " of all %" PRId64 "\n",
        iff->holds ? "holds" : "FAILS", iff->have, iff->need);
}

np_status np_explanation_print(const np_explanation *e, FILE *stream)
{
    if (!e->rows) {
        fprintf(stream, "no packets: nothing to explain\n");
        return NP_OK;
    }
    const np_explanation_row *last = &e->row[0];
    fprintf(stream,
            "%s %u %s last, in step %u of 0..%u: w = %" PRId64 " after the L = %u that a path may take\n"
            "its delay sequence, backwards: %u delays by a smaller rank, %u by a full queue of %u\n\n",
            e->messages ? "message" : "packet", last->number, e->messages ? "begins to arrive" : "arrives", last->step,
            e->steps - 1, e->late, e->levels, e->delays[NP_EXPLAINED_MERGED], e->delays[NP_EXPLAINED_FULL],
            e->queue_size);
    if (e->cycle > 1)
        fprintf(stream, "a step here is a message cycle of %u steps\n\n", e->cycle);
    np_status st = print_rows(e, stream);
    fputc('\n', stream);
    print_lemmas(e, stream);
    return st;
}
