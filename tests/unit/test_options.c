/* The tables of all public options: what is said of a default is the default, and ranges hold their presets. */
#include <math.h>

#include "support.h"

static const np_fields *const tables[] = {
    &np_merge_options_fields,      &np_route_options_fields,         &np_sort_options_fields,
    &np_pram_options_fields,       &np_program_options_fields,       &np_collective_options_fields,
    &np_universal_options_fields,  &np_ranking_options_fields,       &np_offline_options_fields,
    &np_check_options_fields,      &np_embedding_run_options_fields, &np_embedding_guest_options_fields,
    &np_experiment_options_fields, &np_report_options_fields,        &np_report_collective_options_fields,
    &np_sweep_options_fields,      &np_record_options_fields,        &np_picture_options_fields,
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
    assert_true(collective.data == 1 && collective.cv == 1 && collective.ca == 0 && collective.k == 4);
    assert_string_equal(guest.traffic, "random");
    assert_true(check.effort == 100000000 && check.samples == 65536 && check.runs == 200 && check.error_rate == 0.001);
}

/* Sets a value below or above the range of a row; false: the row has no such value. */
static bool break_range(const np_field *row, char *object)
{
    uint32_t *place = (uint32_t *)(void *)(object + row->at);
    if (row->kind == NP_FIELD_U32 && row->low && row->preset)
        *place = 0;
    else if (row->kind == NP_FIELD_U32 && row->high && row->high < UINT32_MAX)
        *place = (uint32_t)row->high + 1;
    else if (row->kind == NP_FIELD_WORD)
        *place = 77;
    else if (row->kind == NP_FIELD_RANGE)
        place[1] = place[0] - 1;
    else if (row->kind == NP_FIELD_REAL)
        *(double *)(void *)place = (double)NAN;
    else
        return false;
    return true;
}

/* The presets are in range; a value out of range is refused, and the message begins with the name of the row. */
static void values_are_checked(void **state)
{
    (void)state;
    static uint64_t room[128];
    unsigned broken = 0;
    for (size_t t = 0; t < TABLES; t++)
        for (const np_field *row = tables[t]->row; row < tables[t]->row + tables[t]->count; row++) {
            np_fields_init(tables[t], room);
            assert_ok(np_fields_check(tables[t], room));
            if (!break_range(row, (char *)room))
                continue;
            assert_refused(np_fields_check(tables[t], room), NP_ERROR_INPUT, "must be ");
            assert_int_equal(strncmp(np_last_error(), row->name, strlen(row->name)), 0);
            broken++;
        }
    assert_true(broken > 30);
    np_route_options route;
    np_route_options_init(&route);
    route.merge.queue_size = 0;
    assert_refused(np_fields_check(&np_route_options_fields, &route), NP_ERROR_INPUT, "queue_size 0: must be");
}

/* Seeds of the library's own are of 64 bits; those of a text are below 2^63. */
static void seeds_have_64_bits(void **state)
{
    (void)state;
    np_route_options route;
    np_route_options_init(&route);
    route.seed = UINT64_MAX;
    assert_ok(np_fields_check(&np_route_options_fields, &route));
    assert_refused(np_fields_set(&np_route_options_fields, &route, "seed", "9223372036854775808"), NP_ERROR_INPUT,
                   "0..9223372036854775807");
}

/* ---- Sizes ---- */

static double steps_of(const np_network *network, const void *options)
{
    np_route_result *result;
    assert_ok(np_route(network, "random", options, &result));
    double steps = result->total_steps.mean;
    assert_int_equal(result->runs, 3);
    np_route_result_free(result);
    return steps;
}

/*
 * A program of an older library has fewer members, one of a later library has more:
 *
 *     older  | size ... merge |
 *     this   | size ... merge | permutations on_step ... context |
 *     later  | size ... merge | permutations on_step ... context | later[0..3]
 */
static void structures_may_grow(void **state)
{
    (void)state;
    struct later {
        np_route_options options;
        uint64_t later[4];
    } later;
    np_route_options now;
    size_t shorter = offsetof(np_route_options, permutations);
    void *older = malloc(shorter); /* no more than this: the sanitizer sees what is read beyond it */
    const uint32_t runs = 3;
    np_network *network = support_network("hypercube:5");
    np_route_options_init(&now);
    np_options_init(&np_route_options_fields, older, shorter);
    np_options_init(&np_route_options_fields, &later, sizeof later);
    assert_int_equal(now.size, sizeof now);
    assert_int_equal(*(size_t *)older, shorter);
    assert_int_equal(later.options.size, sizeof later);
    now.runs = later.options.runs = runs;
    memcpy((char *)older + offsetof(np_route_options, runs), &runs, sizeof runs);
    double steps = steps_of(network, &now);
    assert_true(steps_of(network, older) == steps);
    assert_true(steps_of(network, &later) == steps);
    np_route_result *result;
    later.later[2] = 1;
    assert_refused(np_route(network, "random", &later.options, &result), NP_ERROR_INPUT,
                   "options of routing hold more than netpram");
    np_network_free(network);
    free(older);
}

/* Every structure of options begins with its size; a size that no initialiser sets is refused. */
static void sizes_are_checked(void **state)
{
    (void)state;
    static uint64_t room[512], full[128];
    static const size_t wrong[] = {0, sizeof(size_t), 5000, SIZE_MAX};
    for (size_t t = 0; t < TABLES; t++) {
        if (!tables[t]->sized)
            continue;
        np_options_init(tables[t], room, tables[t]->size);
        assert_ok(np_options_take(tables[t], room, full));
        assert_memory_equal(full, room, tables[t]->size);
        assert_ok(np_options_take(tables[t], NULL, full));
        assert_memory_equal(full, room, tables[t]->size);
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
            memcpy(room, &wrong[i], sizeof wrong[i]);
            assert_refused(np_options_take(tables[t], room, full), NP_ERROR_INPUT, "initialise them by np_");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(helps_tell_the_presets),
        cmocka_unit_test(rows_take_their_presets),
        cmocka_unit_test(structures_begin_with_the_presets),
        cmocka_unit_test(values_are_checked),
        cmocka_unit_test(seeds_have_64_bits),
        cmocka_unit_test(structures_may_grow),
        cmocka_unit_test(sizes_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
