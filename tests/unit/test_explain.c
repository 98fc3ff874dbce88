/*
 * Delay sequences (Leighton, Maggs, Ranade & Rao 1994, section 2.3): the lemmas hold, and records that lie are noticed.
 */
#include "papers/explain/delay_sequence.h"
#include "base/memory.h"
#include "oracle/merging_case.h"
#include "show/papers/explain.h"
#include "support.h"

typedef struct told {
    merging_case c;
    np_merge *merge;
    np_merge_record record;
    np_phase_run run;
    np_explanation explanation;
} told;

/* False if section 2.3 is not about the case. */
static bool told_init(told *t, merging_kind kind, uint32_t trial)
{
    *t = (told){0};
    merging_case_draw(&t->c, kind, trial);
    if (t->c.options.message_most > 1 && t->c.options.message_mode == NP_MESSAGES_ASYNCHRONOUS) {
        merging_case_clear(&t->c);
        return false;
    }
    assert_ok(np_merge_create(&t->c.options, &t->merge));
    assert_ok(np_merge_run(t->merge, &t->c.job, &t->record, &t->run));
    return true;
}

static np_status told_explain(told *t)
{
    return np_explain(&t->c.options, t->c.leveled, &t->c.path_set, &t->record, &t->explanation);
}

static void told_clear(told *t)
{
    np_explanation_clear(&t->explanation);
    np_merge_record_clear(&t->record);
    np_merge_free(t->merge);
    merging_case_clear(&t->c);
}

static void check_shape(const told *t, uint32_t trial)
{
    const np_explanation *e = &t->explanation;
    assert_int_equal(e->steps * e->cycle, t->run.steps);
    assert_true((e->rows == 0) == (t->run.packets == 0));
    if (!e->rows)
        return;
    assert_int_equal(e->row[0].kind, NP_EXPLAINED_START);
    assert_int_equal(e->row[0].step + (e->messages ? t->record.length[e->row[0].packet] : 1), e->steps);
    assert_true(e->row[e->rows - 1].kind >= NP_EXPLAINED_ORIGIN);
    assert_true(e->row[e->rows - 1].lag <= 0);
    assert_int_equal(e->length, 1 + e->delays[NP_EXPLAINED_MERGED] + e->delays[NP_EXPLAINED_FULL] * e->queue_size);
    assert_true(e->ordered);
    for (unsigned i = 0; i < NP_LEMMAS; i++)
        if (!e->verdict[i].holds)
            fail_msg("trial %u: lemma 2.%u: %lld against %lld", trial, 5 + i, (long long)e->verdict[i].have,
                     (long long)e->verdict[i].need);
    if (e->late > 0 && e->queue_size > 1 && !e->messages)
        assert_true((int64_t)e->length >= e->late + 1);
}

static void lemmas_hold(void **state)
{
    uint32_t merged = 0, full = 0, ghosts = 0, late = 0, pipelined = 0, joined = 0;
    (void)state;
    for (uint32_t trial = 0; trial < 12000; trial++) {
        told t;
        if (!told_init(&t, trial % 2 ? MERGING_PLAIN : MERGING_GHOSTS, trial))
            continue;
        assert_ok(told_explain(&t));
        check_shape(&t, trial);
        assert_true(np_explanation_holds(&t.explanation));
        merged += t.explanation.delays[NP_EXPLAINED_MERGED];
        full += t.explanation.delays[NP_EXPLAINED_FULL];
        late += t.explanation.late > 0;
        pipelined += t.explanation.messages && t.explanation.late > 0;
        joined += t.explanation.messages && t.explanation.late > 0 && t.run.combined > 0;
        for (size_t i = 0; i < t.explanation.rows; i++)
            ghosts += t.explanation.row[i].ghost > 0;
        told_clear(&t);
    }
    assert_true(pipelined > 300 && joined > 50);
    assert_true(merged > 1000 && full > 1000 && ghosts > 1000 && late > 1000); /* the draw shows all of it */
}

/* Which packet begins part i of `parts`; the last packet ends the last of them. */
static size_t part_begins(size_t length, size_t parts, size_t i) { return i < parts ? length / parts * i : length - 1; }

/*
 * Lemma 2.10: of any number of parts of a delay sequence, one has at most twice its share of the path and of the ranks.
 */
static void check_parts(const np_explanation *e, size_t parts)
{
    const np_explanation_row *row = e->row;
    size_t w = (size_t)e->length;
    uint64_t path = row[w - 1].path - row[0].path, ranks = row[0].rank - row[w - 1].rank;
    bool found = false;
    for (size_t i = 0; i < parts; i++) {
        size_t first = part_begins(w, parts, i), next = part_begins(w, parts, i + 1);
        assert_true(2 * parts * (next - first + (i + 1 == parts)) >= w);
        found |= (row[next].path - row[first].path) * parts <= 2 * path &&
                 (uint64_t)(row[first].rank - row[next].rank) * parts <= 2 * ranks;
    }
    assert_true(found);
}

static void lemma_2_10(void **state)
{
    uint32_t divided = 0;
    (void)state;
    for (uint32_t trial = 0; trial < 4000; trial++) {
        told t;
        if (!told_init(&t, trial % 2 ? MERGING_PLAIN : MERGING_GHOSTS, trial))
            continue;
        assert_ok(told_explain(&t));
        for (size_t parts = 2; t.explanation.rows && parts <= t.explanation.length; parts++, divided++)
            check_parts(&t.explanation, parts);
        told_clear(&t);
    }
    assert_true(divided > 5000);
}

/* The record says something else of what row i tells. */
static void corrupt(told *t, size_t i, uint32_t how)
{
    const np_explanation_row *row = &t->explanation.row[i];
    const np_path_set *path_set = &t->c.path_set;
    uint32_t *selected = &t->record.selected[(size_t)row->step * t->c.leveled->nodes + row->node];
    uint32_t from = np_leveled_level(t->c.leveled, path_set->origin[row->packet]);
    np_step *left = &t->record.left[path_set->begin[row->packet] + row->packet + row->level - from];
    if (how == 0)
        *selected = NP_MERGE_END;
    else if (how == 1)
        *selected = 2 * path_set->packets;
    else if (how == 2)
        *left = row->step - 1;
    else
        t->record.key[row->packet] += 1000000;
}

/* Whatever a row of the sequence rests on is changed: an error, or a lemma that fails. */
static void lies_are_noticed(void **state)
{
    uint32_t tried = 0;
    (void)state;
    for (uint32_t trial = 0; trial < 4000; trial++) {
        told t;
        if (!told_init(&t, MERGING_PLAIN, trial))
            continue;
        assert_ok(told_explain(&t));
        for (size_t i = 1 + trial % 7; i + 1 < t.explanation.rows; i++) {
            const np_explanation_row *row = &t.explanation.row[i];
            if (row->kind != NP_EXPLAINED_MERGED || !row->step || row->ghost) /* ghosts may have come two ways */
                continue;
            corrupt(&t, i, trial / 7 % 4);
            np_explanation_clear(&t.explanation);
            assert_refused(told_explain(&t), NP_ERROR_INTERNAL, "the record contradicts itself");
            assert_int_equal(t.explanation.rows, 0);
            tried++;
            break;
        }
        told_clear(&t);
    }
    assert_true(tried > 500);
}

static void memory_fails(void **state)
{
    told t;
    (void)state;
    assert_true(told_init(&t, MERGING_PLAIN, 4));
    np_memory_fail_after(1);
    np_status st = told_explain(&t);
    np_memory_fail_after(0);
    assert_int_equal(st, NP_ERROR_MEMORY);
    assert_int_equal(t.explanation.rows, 0);
    told_clear(&t);
}

static void refuses(void **state)
{
    told t;
    (void)state;
    assert_true(told_init(&t, MERGING_PLAIN, 4));
    t.c.options.message_most = 3;
    t.c.options.message_mode = NP_MESSAGES_ASYNCHRONOUS;
    assert_refused(told_explain(&t), NP_ERROR_APPLY, "messages of up to 3 packets");
    t.c.options.message_most = 1;
    t.c.options.no_ghosts = true;
    assert_refused(told_explain(&t), NP_ERROR_APPLY, "without ghosts");
    t.c.options.no_ghosts = false;
    t.c.options.ghosts = NP_GHOSTS_ROOM;
    assert_refused(told_explain(&t), NP_ERROR_APPLY, "where ghosts need room");
    told_clear(&t);
}

/*
 * Two packets at one node go over one edge, 0 -> 1:
 *   step 0: packet 0 crosses; 1 waits for it. step 1: 0 is consumed, 1 crosses. step 2: 1 is consumed.
 */
static void draw_pair(told *t, uint32_t length)
{
    *t = (told){0};
    np_leveled sizes = np_leveled_sizes(1, 2, 1, 0, 2, 1);
    assert_ok(np_leveled_create(&sizes, &t->c.leveled));
    np_leveled_add_node(t->c.leveled, 0, 0);
    np_leveled_add_node(t->c.leveled, 1, 1);
    np_leveled_add_edge(t->c.leveled, 0, 1, 0, NULL);
    assert_ok(np_leveled_finish(t->c.leveled));
    assert_ok(np_path_set_reset(&t->c.path_set, 2, 2));
    for (uint32_t i = 0; i < 2; i++) {
        np_path_set_add(&t->c.path_set, 10 + i, 0, 1);
        np_path_set_hop(&t->c.path_set, 0);
        t->c.path_set.rank[i] = 5 + i;
    }
    np_merge_options_init(&t->c.options);
    t->c.options.message_least = t->c.options.message_most = length;
    t->c.options.message_mode = NP_MESSAGES_PIPELINED;
    t->c.job = (np_merge_job){.leveled = t->c.leveled, .path_set = &t->c.path_set, .ranked = true};
    assert_ok(np_merge_create(&t->c.options, &t->merge));
    assert_ok(np_merge_run(t->merge, &t->c.job, &t->record, &t->run));
}

static void by_hand(void **state)
{
    told t;
    (void)state;
    draw_pair(&t, 1);
    assert_ok(told_explain(&t));
    const np_explanation *e = &t.explanation;
    assert_int_equal(e->rows, 3);
    assert_int_equal(e->row[0].number, 11);
    assert_int_equal(e->row[0].lag, 1);
    assert_int_equal(e->row[1].kind, NP_EXPLAINED_MERGED);
    assert_int_equal(e->row[1].number, 10);
    assert_int_equal(e->row[1].rank, 5);
    assert_int_equal(e->row[1].node, 0);
    assert_int_equal(e->row[1].step, 0);
    assert_int_equal(e->row[1].lag, 0);
    assert_int_equal(e->row[2].kind, NP_EXPLAINED_ORIGIN);
    assert_int_equal(e->late, 1);
    assert_int_equal(e->length, 2);
    assert_int_equal(e->path, 1);
    told_clear(&t);
}

/*
 * The same with messages of 3 packets. Steps 0..2: message 0 crosses; 1 waits for it. Steps 1..3: 0 is consumed.
 * Steps 3..5: 1 crosses. Steps 4..6: it is consumed. So w is 4 - 1, and the one m-delay accounts for 3 steps.
 */
static void messages_by_hand(void **state)
{
    told t;
    (void)state;
    draw_pair(&t, 3);
    assert_ok(told_explain(&t));
    const np_explanation *e = &t.explanation;
    assert_true(e->messages && e->steps == 7 && e->rows == 3);
    assert_true(e->row[0].number == 11 && e->row[0].step == 4 && e->row[0].lag == 3);
    assert_true(e->row[1].kind == NP_EXPLAINED_MERGED && e->row[1].number == 10);
    assert_true(e->row[1].step == 0 && e->row[1].node == 0 && e->row[1].lag == 0);
    assert_int_equal(e->late, 3);
    assert_int_equal(e->verdict[NP_LEMMA_2_7].have, 3);
    assert_int_equal(e->verdict[NP_LEMMA_2_7].need, 3);
    assert_true(np_explanation_holds(e));
    t.record.length[0] = 2; /* a lie: the message would have been gone */
    np_explanation_clear(&t.explanation);
    assert_refused(told_explain(&t), NP_ERROR_INTERNAL, "the record contradicts itself");
    told_clear(&t);
}

static char *printed(const np_explanation *e)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    assert_ok(np_explanation_print(e, stream));
    fclose(stream);
    return text;
}

static void prints(void **state)
{
    told t;
    (void)state;
    draw_pair(&t, 1);
    assert_ok(told_explain(&t));
    char *text = printed(&t.explanation);
    assert_non_null(strstr(text, "packet 11 arrives last, in step 2 of 0..2"));
    assert_non_null(strstr(text, "smaller rank"));
    assert_non_null(strstr(text, "Lemma 2.8"));
    assert_null(strstr(text, "FAILS"));
    free(text);
    t.explanation.verdict[NP_LEMMA_2_7].holds = false;
    text = printed(&t.explanation);
    assert_non_null(strstr(text, "FAILS"));
    free(text);
    np_explanation none = {0};
    text = printed(&none);
    assert_non_null(strstr(text, "no packets"));
    free(text);
    told_clear(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lemmas_hold),      cmocka_unit_test(lemma_2_10),
                                       cmocka_unit_test(lies_are_noticed), cmocka_unit_test(refuses),
                                       cmocka_unit_test(memory_fails),     cmocka_unit_test(by_hand),
                                       cmocka_unit_test(messages_by_hand), cmocka_unit_test(prints)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
