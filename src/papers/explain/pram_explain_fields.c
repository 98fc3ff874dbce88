/* The fields of a PRAM's explanation: the polarized sequence of its slowest batch, and what is proved of it. */
#include "machine/pram/fields.h"

static const np_polarized *polarized(const void *object) { return &((const np_pram_explanation *)object)->sequence; }

/* ---- Checks ---- */

typedef struct check {
    const char *name;
    np_polarized_verdict verdict;
} check;

static const np_field check_rows[] = {
    {"name", NP_FIELD_TEXT, offsetof(check, name),
     .help = "`Definition 1`, `Lemma 3`, `Lemma 4`, `Lemma 5`, `path` or `Theorem 2`"},
    {"holds", NP_FIELD_BOOL, offsetof(check, verdict.holds), .help = "it does"},
    {"have", NP_FIELD_I64, offsetof(check, verdict.have), .help = "what was counted"},
    {"need", NP_FIELD_I64, offsetof(check, verdict.need),
     .help = "what it is compared with: `path` is to have at most that, the others at least"},
};

static const np_fields check_fields = NP_FIELDS("polarized_check", "a check", check, check_rows);

static void get_check(np_value *list, size_t i, np_value *item)
{
    const np_polarized *p = list->object;
    const check one = {np_polarized_verdict_name((unsigned)i), p->verdict[i]};
    np_value_hold(item, &one, sizeof one);
}

static void get_checks(const void *object, np_value *value)
{
    value->object = polarized(object);
    value->count = NP_POLARIZED_VERDICTS;
    value->item = get_check;
}

/* ---- The sequence ---- */

typedef struct place {
    uint32_t phase, column, row;
    uint64_t step;
} place;

static const np_field place_rows[] = {
    {"phase", NP_FIELD_U32, offsetof(place, phase), .help = "of six"},
    {"column", NP_FIELD_U32, offsetof(place, column), .help = "of the logical network"},
    {"row", NP_FIELD_U32, offsetof(place, row), .help = "of the logical network"},
    {"step", NP_FIELD_U64, offsetof(place, step), .help = "from 0"},
};

static const np_fields place_fields = NP_FIELDS("polarized_place", "a place", place, place_rows);

/* A message of the sequence. */
typedef struct member {
    np_polarized_row row;
    np_pram_message message;
    place at, wait_at;
} member;

static void get_module(const void *object, np_value *value)
{
    value->room.numbers[0] = ((const member *)object)->message.module_column;
    value->room.numbers[1] = ((const member *)object)->message.module_row;
    value->object = value->room.numbers;
    value->count = 2;
}

static const char *const kinds[] = {"last", "m-delay", "b-delay", NULL};
static const char *const waits[] = {"other", "full", "beside", "origin", NULL};

static const np_field member_rows[] = {
    {"message", NP_FIELD_U32, offsetof(member, row.tag), .help = "its number in the order of tags"},
    {"module", NP_FIELD_LIST, .get = get_module, .help = "column and row of the module with the cell"},
    {"address", NP_FIELD_U64, offsetof(member, message.address), .help = "of the cell"},
    {"array", NP_FIELD_TEXT, offsetof(member, message.array), .help = "the name of what was allocated there"},
    {"offset", NP_FIELD_U64, offsetof(member, message.offset), .help = "of the cell in it"},
    {"access", NP_FIELD_WORD, offsetof(member, message.kind), .words = np_access_kind_words,
     .help = "`read`, `write` or `fetch`"},
    {"requests", NP_FIELD_U32, offsetof(member, message.requests), .help = "that the message stands for"},
    {"kind", NP_FIELD_WORD, offsetof(member, row.kind), .words = kinds, .help = "`last`, `m-delay` or `b-delay`"},
    {"lag", NP_FIELD_I64, offsetof(member, row.lag), .unit = "steps", .help = "of the message where it was"},
    {"ghost", NP_FIELD_U32, offsetof(member, row.ghost), .unit = "edges",
     .help = "that a ghost of it crossed to delay the one before"},
    {"at", NP_FIELD_OBJECT, offsetof(member, at), .fields = &place_fields, .help = "where it then was"},
    {"wait", NP_FIELD_WORD, offsetof(member, row.wait), .words = waits,
     .help = "`other`: another message was selected; `full`: it had no room; `beside`: it was in a full queue, and is "
             "not followed; `origin`: it had not waited"},
    {"wait_at", NP_FIELD_OBJECT, offsetof(member, wait_at), .fields = &place_fields,
     .help = "where that was, in the last such step"},
};

static const np_fields member_fields = NP_FIELDS("polarized_member", "a message", member, member_rows);

static place place_of(const np_polarized *p, np_polarized_switch at, uint64_t step)
{
    return (place){np_polarized_phase(p, at.column), at.column, at.row, step};
}

static void get_member(np_value *list, size_t i, np_value *item)
{
    const np_pram_explanation *e = list->object;
    const np_polarized *p = &e->sequence;
    const np_polarized_row *row = &p->row[i];
    const member one = {*row, e->message[i], place_of(p, row->at, row->step),
                        place_of(p, row->wait_at, row->wait_step)};
    np_value_hold(item, &one, sizeof one);
}

static void get_sequence(const void *object, np_value *value)
{
    value->object = object;
    value->count = polarized(object)->rows;
    value->item = get_member;
}

/* ---- The whole ---- */

static const np_field explanation_rows[] = {
    {"step", NP_FIELD_U64, offsetof(np_pram_explanation, step), .help = "PRAM step that the batch was part of, from 0"},
    {"label", NP_FIELD_TEXT, offsetof(np_pram_explanation, label), .help = "its label, or `\"\"`"},
    {"requests", NP_FIELD_U64, offsetof(np_pram_explanation, sequence.requests), .help = "of the batch"},
    {"messages", NP_FIELD_U32, offsetof(np_pram_explanation, sequence.messages), .help = "different tags among them"},
    {"network_steps", NP_FIELD_U64, offsetof(np_pram_explanation, sequence.steps), .unit = "steps",
     .help = "of the batch: 6n + 1 + `delta`"},
    {"delta", NP_FIELD_I64, offsetof(np_pram_explanation, sequence.delta), .unit = "steps", .help = "of delay"},
    {"queue_size", NP_FIELD_U32, offsetof(np_pram_explanation, sequence.queue_size), .help = "b"},
    {"delays", NP_FIELD_U32, offsetof(np_pram_explanation, sequence.delays), .help = "L"},
    {"full", NP_FIELD_U32, offsetof(np_pram_explanation, sequence.full), .help = "b_L, delays by full queues"},
    {"holds", NP_FIELD_BOOL, offsetof(np_pram_explanation, sequence.holds),
     .help = "all checks do; if not, the exit status is 1"},
    {"checks", NP_FIELD_LIST, .get = get_checks, .fields = &check_fields, .help = "what is proved"},
    {"sequence", NP_FIELD_LIST, .get = get_sequence, .fields = &member_fields,
     .help = "backwards from the reply that was home last"},
};

const np_fields np_pram_explanation_fields =
    NP_FIELDS("pram_explanation", "an explanation", np_pram_explanation, explanation_rows);
