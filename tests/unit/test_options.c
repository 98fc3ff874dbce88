/* The tables of all public options: what is said of a default is the default, and ranges hold their presets. */
#include "support.h"

static const np_fields *const tables[] = {
    &np_merge_options_fields,      &np_route_options_fields,         &np_sort_options_fields,
    &np_pram_options_fields,       &np_program_options_fields,       &np_collective_options_fields,
    &np_universal_options_fields,  &np_ranking_options_fields,       &np_offline_options_fields,
    &np_check_options_fields,      &np_embedding_run_options_fields, &np_embedding_guest_options_fields,
    &np_experiment_options_fields, &np_report_options_fields,
};

enum { TABLES = sizeof tables / sizeof *tables };

/* "(default: 4; more)" begins with the preset. */
static void helps_tell_the_presets(void **state)
{
    (void)state;
    static const char before[] = "(default: ";
    for (size_t t = 0; t < TABLES; t++)
        for (const np_field *row = tables[t]->row; row < tables[t]->row + tables[t]->count; row++) {
            const char *told = row->help ? strstr(row->help, before) : NULL;
            const char *preset = row->preset;
            if (row->kind != NP_FIELD_INSET)
                assert_non_null(row->help);
            if (!told || !preset || row->kind == NP_FIELD_WORD)
                continue;
            if (!strcmp(preset, "1073741824"))
                preset = "2^30";
            assert_int_equal(strncmp(told + strlen(before), preset, strlen(preset)), 0);
        }
}

/* Each row takes its preset, and what can be given on a command line has a name for it. */
static void rows_take_their_presets(void **state)
{
    (void)state;
    static uint64_t room[128];
    for (size_t t = 0; t < TABLES; t++) {
        assert_true(tables[t]->size <= sizeof room);
        for (const np_field *row = tables[t]->row; row < tables[t]->row + tables[t]->count; row++) {
            if (row->preset)
                assert_ok(np_field_set(row, room, row->preset));
            if (row->kind != NP_FIELD_INSET && row->kind != NP_FIELD_BOOL)
                assert_true(row->placeholder || row->words);
            assert_true(!row->high || row->low <= row->high);
        }
    }
}

/* What the initialisers give is what the headers promise. */
static void structures_begin_with_the_presets(void **state)
{
    (void)state;
    np_route_options route;
    np_sort_options sort;
    np_ranking_options ranking;
    np_universal_options universal;
    np_collective_options collective;
    np_embedding_guest_options guest;
    np_check_options check;
    np_route_options_init(&route);
    np_sort_options_init(&sort);
    np_ranking_options_init(&ranking);
    np_universal_options_init(&universal);
    np_collective_options_init(&collective);
    np_embedding_guest_options_init(&guest);
    np_check_options_init(&check);
    assert_true(route.seed == 1 && route.runs == 1 && !route.scheme && !route.memory_limit);
    assert_true(route.merge.queue_size == 2 && route.merge.rank_range == 1u << 30);
    assert_true(route.merge.message_least == 1 && route.merge.message_most == 1 && !route.merge.ranks_given);
    assert_true(sort.seed == 1 && sort.runs == 1 && sort.merge.queue_size == 2 && sort.merge.rank_range == 1u << 30);
    assert_true(sort.constants.cutoff == 0 && sort.constants.candidates == 0);
    assert_true(ranking.rounds == 4 && ranking.contrast == 20 && ranking.merge.rank_range == 0);
    assert_true(ranking.merge.message_most == 1 && universal.merge.rank_range == 1u << 30 && universal.runs == 1);
    assert_true(collective.size == 1 && collective.cv == 1 && collective.ca == 0 && collective.k == 4);
    assert_string_equal(guest.traffic, "random");
    assert_true(check.effort == 100000000 && check.samples == 65536 && check.runs == 200 && check.error_rate == 0.001);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(helps_tell_the_presets),
        cmocka_unit_test(rows_take_their_presets),
        cmocka_unit_test(structures_begin_with_the_presets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
