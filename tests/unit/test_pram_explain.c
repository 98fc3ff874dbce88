/* np_pram_explain: which batch it is about, that sending it again changes nothing, and how it is printed. */
#include "base/memory.h"
#include "show/papers/explain.h"
#include "support.h"

enum { CELLS = 512 };

static np_pram *make(const char *machine, uint32_t allotted, np_address *x)
{
    np_pram_options options;
    np_pram *pram;
    np_pram_options_init(&options);
    options.machine = machine;
    options.rule = NP_RULE_CREW;
    options.queue_size = 2;
    options.slack = 2;
    options.allotted = allotted;
    assert_ok(np_pram_create(&options, &pram));
    assert_ok(np_pram_allocate(pram, 7, "before", x));
    assert_ok(np_pram_allocate(pram, CELLS, "x", x));
    return pram;
}

/* Processors read scattered cells of x, or all the first one. */
static void read_cells(np_pram *pram, np_address x, size_t count, bool scattered, const char *label)
{
    np_address address[CELLS];
    np_word value[CELLS];
    for (size_t i = 0; i < count; i++)
        address[i] = x + (scattered ? i * 37 % CELLS : 0);
    assert_ok(np_pram_read(pram, count, address, NULL, value, label));
}

/* butterfly:5 has 160 processors; 320 requests are a batch. Step 1 is the slow one. */
static np_pram *make_three(np_address *x)
{
    np_pram *pram = make("butterfly:5", 0, x);
    read_cells(pram, *x, 300, false, "all read one");
    read_cells(pram, *x, 320, true, "all read others");
    read_cells(pram, *x, 20, true, NULL);
    return pram;
}

/* Member by member: what lies between the members has no value. */
static void assert_same_row(const np_polarized_row *a, const np_polarized_row *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->tag, b->tag);
    assert_memory_equal(&a->at, &b->at, sizeof a->at);
    assert_int_equal(a->step, b->step);
    assert_int_equal(a->lag, b->lag);
    assert_int_equal(a->ghost, b->ghost);
    assert_int_equal(a->path, b->path);
    assert_int_equal(a->wait, b->wait);
    assert_memory_equal(&a->wait_at, &b->wait_at, sizeof a->wait_at);
    assert_int_equal(a->wait_step, b->wait_step);
}

static void is_about_the_slowest(void **unused)
{
    np_address x;
    np_pram_report before, after;
    np_pram_explanation *e, *again;
    np_pram *pram = make_three(&x);
    (void)unused;
    assert_ok(np_pram_report_get(pram, &before));
    assert_ok(np_pram_explain(pram, &e));
    assert_int_equal(e->step, 1);
    assert_string_equal(e->label, "all read others");
    assert_int_equal(e->sequence.steps, before.per_step.max); /* a step of one batch */
    assert_int_equal(e->sequence.requests, 320);
    assert_int_equal(e->sequence.messages, 320);
    assert_int_equal(e->sequence.queue_size, 2);
    assert_true(e->sequence.rows > 1 && e->sequence.holds);
    for (size_t i = 0; i < e->sequence.rows; i++) {
        const np_pram_message *m = &e->message[i];
        assert_string_equal(m->array, "x");
        assert_int_equal(m->address, x + m->offset);
        assert_int_equal(m->kind, NP_ACCESS_READ);
        assert_int_equal(m->requests, 1);
        assert_true(m->module_column < 5 && m->module_row < 32);
    }
    assert_ok(np_pram_explain(pram, &again));
    assert_int_equal(again->sequence.rows, e->sequence.rows);
    for (size_t i = 0; i < e->sequence.rows; i++)
        assert_same_row(&again->sequence.row[i], &e->sequence.row[i]);
    np_pram_explanation_free(again);
    assert_ok(np_pram_report_get(pram, &after));
    assert_memory_equal(&before, &after, sizeof after);
    read_cells(pram, x, 320, false, "the PRAM goes on");
    np_pram_explanation_free(e);
    np_pram_free(pram);
}

/* All read one cell: one message, nobody waits. */
static void nobody_waits(void **unused)
{
    np_address x;
    np_pram_explanation *e;
    np_pram *pram = make("butterfly:3", 0, &x);
    (void)unused;
    read_cells(pram, x, 24, false, "");
    assert_ok(np_pram_explain(pram, &e));
    assert_int_equal(e->sequence.steps, 19);
    assert_int_equal(e->sequence.delta, 0);
    assert_int_equal(e->sequence.messages, 1);
    assert_int_equal(e->message[0].requests, 24);
    assert_int_equal(e->sequence.rows, 1);
    assert_int_equal(e->sequence.row[0].wait, NP_POLARIZED_ORIGIN);
    assert_true(e->sequence.holds);
    np_pram_explanation_free(e);
    np_pram_free(pram);
}

/* Batches that were given up, and new hash functions in between. */
static void survives_rehashing(void **unused)
{
    np_address x;
    np_pram_report report;
    np_pram_explanation *e;
    np_pram *pram = make("butterfly:4", 4, &x);
    (void)unused;
    for (int i = 0; i < 20; i++)
        read_cells(pram, x, 100 + (size_t)i, true, "read");
    assert_ok(np_pram_report_get(pram, &report));
    assert_true(report.rehashes > 0);
    assert_ok(np_pram_explain(pram, &e));
    assert_true(e->sequence.holds);
    np_pram_explanation_free(e);
    np_pram_free(pram);
}

static void refuses(void **unused)
{
    static const char *const others[] = {"ideal", "leveled:hypercube:4", "two-phase:hypercube:4"};
    np_pram_explanation *e;
    np_pram_options options;
    np_pram *pram;
    np_address x;
    (void)unused;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        np_pram_options_init(&options);
        options.machine = others[i];
        assert_ok(np_pram_create(&options, &pram));
        assert_refused(np_pram_explain(pram, &e), NP_ERROR_APPLY, others[i]);
        assert_null(e);
        np_pram_free(pram);
    }
    pram = make("butterfly:2", 0, &x);
    assert_refused(np_pram_explain(pram, &e), NP_ERROR_APPLY, "no access has been made on butterfly:2");
    np_pram_free(pram);
    const np_entry *machine;
    for (size_t i = 0; (machine = np_list_get(NP_LIST_MACHINES, i)); i++) {
        bool explains;
        assert_ok(np_pram_machine_explains(machine->name, &explains));
        assert_int_equal(explains, !strcmp(machine->name, "butterfly"));
    }
}

static void memory_fails(void **unused)
{
    np_address x;
    np_pram_explanation *e;
    np_pram *pram = make_three(&x);
    np_status st = NP_ERROR_MEMORY;
    (void)unused;
    for (long i = 1; st == NP_ERROR_MEMORY && i < 200; i++) {
        np_memory_fail_after(i);
        st = np_pram_explain(pram, &e);
        np_memory_fail_after(0);
        if (st)
            assert_null(e);
    }
    assert_ok(st);
    np_pram_explanation_free(e);
    np_pram_free(pram);
}

static void prints(void **unused)
{
    np_address x;
    np_pram_explanation *e;
    np_pram *pram = make_three(&x);
    char *text = NULL;
    size_t size;
    (void)unused;
    assert_ok(np_pram_explain(pram, &e));
    for (int broken = 0; broken < 2; broken++) {
        e->sequence.verdict[NP_POLARIZED_THEOREM_2].holds = !broken;
        FILE *stream = open_memstream(&text, &size);
        assert_non_null(stream);
        assert_ok(np_polarized_print(e, stream));
        fclose(stream);
        assert_non_null(strstr(text, "PRAM step 1 (all read others): its slowest batch, 320 requests of 320 tags"));
        assert_non_null(strstr(text, "at least min(delta, b n) ="));
        assert_true((strstr(text, "FAILS") != NULL) == broken);
        free(text);
    }
    np_value sequence, last, tag, checks;
    assert_true(np_fields_get(&np_pram_explanation_fields, e, "sequence", &sequence));
    assert_int_equal(sequence.count, e->sequence.rows);
    np_value_item(&sequence, sequence.count - 1, &last);
    assert_true(np_fields_get(last.fields, last.object, "message", &tag));
    assert_int_equal(tag.whole, e->sequence.row[e->sequence.rows - 1].tag);
    assert_true(np_fields_get(&np_pram_explanation_fields, e, "checks", &checks));
    assert_int_equal(checks.count, NP_POLARIZED_VERDICTS);
    np_pram_explanation_free(e);
    np_pram_free(pram);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(is_about_the_slowest), cmocka_unit_test(nobody_waits),
                                       cmocka_unit_test(survives_rehashing),   cmocka_unit_test(refuses),
                                       cmocka_unit_test(memory_fails),         cmocka_unit_test(prints)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
