/* The fields of programs on reconfigurable arrays. */
#include "papers/reconfigure/run.h"

#include <stdio.h>

#include "netpram/reconfigure.h"

static const np_reconfigure_result *result(const void *object) { return object; }

/* ---- The grid and the answer ---- */

/* The next setting that was used. words[0] of the list: where it is looked for. */
static void get_setting(np_value *list, size_t i, np_value *item)
{
    size_t at = i ? list->room.words[0] : 0;
    while (!(result(list->object)->settings >> at & 1))
        at++;
    item->kind = NP_VALUE_TEXT;
    item->text = np_switch_setting_name(np_switch_setting_get(at));
    list->room.words[0] = at + 1;
}

static void get_settings(const void *object, np_value *value)
{
    value->object = object;
    value->count = (size_t)__builtin_popcount(result(object)->settings);
    value->item = get_setting;
}

static bool has_failed(const void *object) { return !result(object)->correct; }
static bool has_parity(const void *object) { return result(object)->n && !result(object)->rank; }
static bool has_ranks(const void *object) { return result(object)->rank; }
static bool has_order(const void *object) { return result(object)->order; }

static void get_ranks(const void *object, np_value *value)
{
    value->object = result(object)->rank;
    value->count = result(object)->n;
}

static void get_order(const void *object, np_value *value)
{
    value->object = result(object)->order;
    value->count = result(object)->n;
}

static const np_field grid_rows[] = {
    {"n", NP_FIELD_U64, offsetof(np_reconfigure_result, n), .help = "bits or keys; 0 for `broadcast`"},
    {"rows", NP_FIELD_U32, offsetof(np_reconfigure_result, rows), .help = "of the grid"},
    {"columns", NP_FIELD_U32, offsetof(np_reconfigure_result, columns), .help = "of the grid"},
    {"switches", NP_FIELD_U64, offsetof(np_reconfigure_result, switches), .help = "of the grid"},
    {"pus", NP_FIELD_U32, offsetof(np_reconfigure_result, pus), .help = "at the ends of its wires"},
    {"settings", NP_FIELD_LIST, .get = get_settings, .help = "names of those that were used in some round"},
    {"rounds", NP_FIELD_U32, offsetof(np_reconfigure_result, rounds), .help = "that were done"},
    {"conflicts", NP_FIELD_U64, offsetof(np_reconfigure_result, conflicts),
     .help = "subnets with two senders or more, over all rounds; if there are any, the exit status is 1"},
    {"correct", NP_FIELD_BOOL, offsetof(np_reconfigure_result, correct),
     .help = "no conflict, and the answer is that of sequential code; else the exit status is 1"},
    {"wrong", NP_FIELD_CHARS, offsetof(np_reconfigure_result, wrong), .known = has_failed,
     .help = "the first thing that is not as it should be; or `null`"},
    {"parity", NP_FIELD_U32, offsetof(np_reconfigure_result, parity), .known = has_parity,
     .help = "of the bits, 0 or 1; or `null`"},
    {"ranks", NP_FIELD_LIST, .get = get_ranks, .known = has_ranks,
     .help = "of `rank` and `sort`: for each key of the input, where it belongs, from 0; or `null`"},
    {"order", NP_FIELD_LIST, .get = get_order, .known = has_order,
     .help = "of `sort`: for each place, the number of the key that came there; or `null`"},
};

const np_fields np_reconfigure_grid_fields = NP_FIELDS("reconfigure_grid", "a grid", np_reconfigure_result, grid_rows);

/* ---- Who hears whom ---- */

typedef struct hearing {
    np_pu_place pu, from;
} hearing;

static void put_place(np_pu_place place, np_value *value)
{
    snprintf(value->room.text, sizeof value->room.text, "%c%u", np_switch_port_letter(place.side), place.index);
    value->text = value->room.text;
}

static void get_pu(const void *object, np_value *value) { put_place(((const hearing *)object)->pu, value); }
static void get_from(const void *object, np_value *value) { put_place(((const hearing *)object)->from, value); }

static const np_field hearing_rows[] = {
    {"pu", NP_FIELD_TEXT, .get = get_pu, .help = "the place of a PU, such as `W0`"},
    {"from", NP_FIELD_TEXT, .get = get_from, .help = "the place of the other that it hears"},
};

static const np_fields hearing_fields = NP_FIELDS("hearing", "a PU", hearing, hearing_rows);

/* The next PU that hears another. words[0] of the list: where it is looked for. */
static void get_hearing(np_value *list, size_t i, np_value *item)
{
    const np_reconfigure_result *r = list->object;
    size_t pu = i ? list->room.words[0] : 0;
    while (r->heard[pu] == NP_NONE)
        pu++;
    np_value_hold(item, &(hearing){r->place[pu], r->place[r->heard[pu]]}, sizeof(hearing));
    list->room.words[0] = pu + 1;
}

static void get_heard(const void *object, np_value *value)
{
    for (uint32_t pu = 0; pu < result(object)->pus; pu++)
        value->count += result(object)->heard[pu] != NP_NONE;
    value->object = object;
    value->item = get_hearing;
}

static bool has_heard(const void *object) { return result(object)->heard; }

static const np_field heard_rows[] = {
    {"heard", NP_FIELD_LIST, .get = get_heard, .known = has_heard, .fields = &hearing_fields,
     .help = "of `broadcast`: who hears whom; or `null`"},
};

const np_fields np_reconfigure_heard_fields = NP_FIELDS("reconfigure_heard", "PUs", np_reconfigure_result, heard_rows);

/* ---- Rounds, and the whole ---- */

static const np_field round_rows[] = {
    {"what", NP_FIELD_TEXT, offsetof(np_switch_round, what), .help = "in words"},
    {"senders", NP_FIELD_U64, offsetof(np_switch_round, senders), .help = "PUs that send"},
    {"subnets", NP_FIELD_U64, offsetof(np_switch_round, nets), .help = "with one sender"},
    {"switches", NP_FIELD_U64, offsetof(np_switch_round, switches), .help = "that hear a signal"},
    {"pus", NP_FIELD_U64, offsetof(np_switch_round, pus), .help = "that hear one of another PU"},
    {"conflicts", NP_FIELD_U64, offsetof(np_switch_round, conflicts), .help = "subnets with two senders or more"},
};

const np_fields np_switch_round_fields = NP_FIELDS("switch_round", "a round", np_switch_round, round_rows);

static void get_program(const void *object, np_value *value) { value->text = result(object)->program->name; }

static void get_rounds(const void *object, np_value *value)
{
    value->object = result(object)->round;
    value->count = result(object)->rounds;
}

static const np_field result_rows[] = {
    {"program", NP_FIELD_TEXT, .get = get_program, .help = "its name"},
    {NULL, NP_FIELD_INSET, .fields = &np_reconfigure_grid_fields},
    {NULL, NP_FIELD_INSET, .fields = &np_reconfigure_heard_fields},
    {"by_round", NP_FIELD_LIST, .get = get_rounds, .fields = &np_switch_round_fields,
     .help = "an object for each round"},
};

const np_fields np_reconfigure_result_fields =
    NP_FIELDS("reconfigure_result", "a program", np_reconfigure_result, result_rows);
