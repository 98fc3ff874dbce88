/* The fields of PRAM programs: what ran, what it cost, which rule it broke, and the memory of the modules. */
#include "machine/pram/fields.h"

#include <inttypes.h>
#include <stdio.h>

static const np_pram_report *report(const void *object) { return object; }

/* ---- What ran ---- */

static void get_rule(const void *object, np_value *value) { value->text = np_access_rule_name(report(object)->rule); }

static const np_field setting_rows[] = {
    {"machine", NP_FIELD_TEXT, offsetof(np_pram_report, machine), .help = "its spec; also if chosen by default"},
    {"rule", NP_FIELD_WORD, .get = get_rule, .help = "the access rule; also if chosen by default"},
    {"processors", NP_FIELD_U32, offsetof(np_pram_report, processors),
     .help = "real ones of the machine; on `ideal` the most virtual ones of a step"},
};

const np_fields np_pram_setting_fields = NP_FIELDS("pram_setting", "a PRAM", np_pram_report, setting_rows);

/* ---- What it cost ---- */

static void get_per_n(const void *object, np_value *value)
{
    value->real = report(object)->n ? report(object)->per_step.mean / report(object)->n : 0;
}

static bool is_shared(const void *object) { return report(object)->shared.ranks; }

static const np_field shared_rows[] = {
    {"ranks", NP_FIELD_U32, offsetof(np_pram_shared, ranks), .help = "processes that shared the PRAM"},
    {"seconds", NP_FIELD_REAL, offsetof(np_pram_shared, seconds), .unit = "seconds",
     .help = "that the program took, without its input"},
    {"messages", NP_FIELD_U64, offsetof(np_pram_shared, messages), .help = "between processes"},
    {"bytes", NP_FIELD_U64, offsetof(np_pram_shared, bytes), .unit = "bytes", .help = "in them"},
    {"butterfly_n", NP_FIELD_U32, offsetof(np_pram_shared, butterfly_n),
     .help = "n of the least butterfly with a processor for each virtual one"},
    {"butterfly_steps", NP_FIELD_REAL, offsetof(np_pram_shared, butterfly_steps), .unit = "steps",
     .help = "of its network that the program would take there, at 10 n for each of the PRAM, as has been measured"},
};

static const np_fields shared_fields = NP_FIELDS("pram_shared", "processes", np_pram_shared, shared_rows);

static const np_field cost_rows[] = {
    {"pram_steps", NP_FIELD_U64, offsetof(np_pram_report, steps),
     .help = "PRAM steps T in lock step: a processor for each access"},
    {"work", NP_FIELD_U64, offsetof(np_pram_report, work), .help = "work W: accesses"},
    {"network_steps.total", NP_FIELD_U64, offsetof(np_pram_report, network_steps), .unit = "steps",
     .help = "of the network, in all; on `leveled` and `butterfly` machines steps of the leveled network; on `ideal` "
             "all figures of the network are 0"},
    {"network_steps.mean", NP_FIELD_REAL, offsetof(np_pram_report, per_step.mean), .unit = "steps",
     .help = "of a PRAM step"},
    {"network_steps.p99", NP_FIELD_REAL, offsetof(np_pram_report, per_step.p99), .flags = NP_FIELD_WHOLE,
     .unit = "steps", .help = "at least 99% of the PRAM steps take no more"},
    {"network_steps.max", NP_FIELD_REAL, offsetof(np_pram_report, per_step.max), .flags = NP_FIELD_WHOLE,
     .unit = "steps", .help = "of the slowest PRAM step"},
    {"network_steps.per_n", NP_FIELD_REAL, .get = get_per_n, .unit = "steps", .help = "the mean as a multiple of n"},
    {"network_steps.initialisation", NP_FIELD_U64, offsetof(np_pram_report, initialisation_steps), .unit = "steps",
     .help = "of the total: before the program"},
    {"network_steps.rehash", NP_FIELD_U64, offsetof(np_pram_report, rehash_steps), .unit = "steps",
     .help = "of the total: for new hash functions"},
    {"physical_steps", NP_FIELD_U64, offsetof(np_pram_report, physical_steps), .unit = "steps",
     .help = "of the physical network, in all: on `leveled` and `butterfly` machines executed with `--physical`, else "
             "the most that they can be; on others the total of `network_steps`"},
    {"physical", NP_FIELD_BOOL, offsetof(np_pram_report, physical), .help = "they were executed"},
    {"requests", NP_FIELD_U64, offsetof(np_pram_report, requests), .help = "messages to the memory"},
    {"combined", NP_FIELD_U64, offsetof(np_pram_report, combined), .help = "times that two requests became one"},
    {"ghosts", NP_FIELD_U64, offsetof(np_pram_report, ghosts), .help = "ghosts sent"},
    {"replies", NP_FIELD_U64, offsetof(np_pram_report, replies), .help = "messages from the memory"},
    {"queue_max", NP_FIELD_U32, offsetof(np_pram_report, queue_max), .unit = "messages",
     .help = "most in one queue, ghosts not counted"},
    {"module_load_max", NP_FIELD_U64, offsetof(np_pram_report, module_load_max), .unit = "requests",
     .help = "most that one module answered in one batch"},
    {"rehashes", NP_FIELD_U32, offsetof(np_pram_report, rehashes), .help = "new hash functions"},
    {"rounds.total", NP_FIELD_U64, offsetof(np_pram_report, rounds),
     .help = "in which modules served cells, in all; on `copies` machines, else 0"},
    {"rounds.max", NP_FIELD_U64, offsetof(np_pram_report, rounds_max), .help = "most of one batch"},
    {"refused", NP_FIELD_U64, offsetof(np_pram_report, refused), .unit = "requests",
     .help = "of a processor for a copy, that a module refused in a round; the processor sends it again"},
    {"row_cells_max", NP_FIELD_U64, offsetof(np_pram_report, row_cells_max), .unit = "cells",
     .help = "most in the modules of one row of the butterfly, in one module elsewhere"},
    {"row_cells_mean", NP_FIELD_U64, offsetof(np_pram_report, row_cells_mean), .unit = "cells",
     .help = "their mean, rounded up"},
    {"bad_stride", NP_FIELD_U64, offsetof(np_pram_report, bad_stride), .flags = NP_FIELD_ZERO,
     .help = "the address map keeps all cells of this stride in one module; or `null`"},
    {"shared", NP_FIELD_OBJECT, offsetof(np_pram_report, shared), .fields = &shared_fields, .applies = is_shared,
     .help = "only of `mpi`: what the processes took"},
};

const np_fields np_pram_cost_fields = NP_FIELDS("pram_cost", "a PRAM", np_pram_report, cost_rows);

/* ---- Violations ---- */

const char *const np_access_kind_words[] = {"read", "write", "fetch", NULL};

typedef struct attempt {
    np_processor processor;
    np_access_kind kind;
    np_word value;
    np_cell_type type; /* of the value */
} attempt;

static bool is_no_read(const void *object) { return ((const attempt *)object)->kind != NP_ACCESS_READ; }

void np_cell_value(np_cell_type type, np_word word, np_value *value)
{
    if (type == NP_CELL_REAL) {
        value->kind = NP_VALUE_REAL;
        value->real = np_real_of_word(word);
    } else if (type == NP_CELL_BOOL) {
        value->kind = NP_VALUE_BOOL;
        value->truth = word != 0;
    } else {
        value->kind = NP_VALUE_INTEGER;
        value->integer = word;
    }
}

static void get_attempted(const void *object, np_value *value)
{
    const attempt *a = object;
    np_cell_value(a->type, a->value, value);
}

static const np_field attempt_rows[] = {
    {"processor", NP_FIELD_U32, offsetof(attempt, processor), .help = "one of two that are at odds"},
    {"access", NP_FIELD_WORD, offsetof(attempt, kind), .words = np_access_kind_words,
     .help = "`read`, `write` or `fetch`"},
    {"value", NP_FIELD_REAL, .get = get_attempted, .known = is_no_read,
     .help = "what it writes or adds, of the cell's type: a number, `true` or `false`; `null` for a read"},
};

static const np_fields attempt_fields = NP_FIELDS("attempt", "an attempt", attempt, attempt_rows);

static void get_attempt(np_value *list, size_t i, np_value *item)
{
    const np_violation *v = list->object;
    const attempt both[] = {{v->first, v->first_kind, v->first_value, v->type},
                            {v->second, v->second_kind, v->second_value, v->type}};
    np_value_hold(item, &both[i], sizeof *both);
}

static void get_attempts(const void *object, np_value *value)
{
    value->object = object;
    value->count = 2;
    value->item = get_attempt;
}

static void get_before(const void *object, np_value *value)
{
    const np_violation *v = object;
    np_cell_value(v->type, v->before, value);
}

static void get_after(const void *object, np_value *value)
{
    const np_violation *v = object;
    np_cell_value(v->type, v->after, value);
}

static const np_field violation_rows[] = {
    {"step", NP_FIELD_U64, offsetof(np_violation, step), .help = "the PRAM step, from 0"},
    {"label", NP_FIELD_TEXT, offsetof(np_violation, label), .help = "its label, or `\"\"`"},
    {"address", NP_FIELD_U64, offsetof(np_violation, address), .help = "of the cell"},
    {"array", NP_FIELD_TEXT, offsetof(np_violation, array), .help = "the name of what was allocated there"},
    {"offset", NP_FIELD_U64, offsetof(np_violation, offset), .help = "of the cell in it"},
    {"attempts", NP_FIELD_LIST, .get = get_attempts, .fields = &attempt_fields,
     .help = "of the two least processors that are at odds"},
    {"more", NP_FIELD_U32, offsetof(np_violation, more),
     .help = "other processors whose accesses to the cell in this step concern the rule"},
    {"before", NP_FIELD_REAL, .get = get_before, .help = "what the cell held before the step"},
    {"after", NP_FIELD_REAL, .get = get_after, .help = "what the step left in it"},
    {"where", NP_FIELD_TEXT, offsetof(np_violation, where),
     .help = "in a text the indices of both processors, `i = 0 and i = 1`, or `\"\"`"},
};

const np_fields np_violation_fields = NP_FIELDS("violation", "a violation", np_violation, violation_rows);

static void get_weakest(const void *object, np_value *value)
{
    value->text = np_access_rule_name(report(object)->weakest);
}

static const np_field violations_rows[] = {
    {"violation_count", NP_FIELD_U64, offsetof(np_pram_report, violations),
     .help = "violations of the rule: cells in steps"},
    {"violations", NP_FIELD_LIST, offsetof(np_pram_report, violation), .count_at = offsetof(np_pram_report, kept),
     .fields = &np_violation_fields, .help = "the first of them, `--violations` at most"},
    {"weakest_rule", NP_FIELD_WORD, .get = get_weakest,
     .help = "the weakest rule under which the program would have run clean, to the same effect"},
};

const np_fields np_pram_violations_fields = NP_FIELDS("pram_violations", "a PRAM", np_pram_report, violations_rows);

static const np_field report_rows[] = {
    {NULL, NP_FIELD_INSET, .fields = &np_pram_setting_fields},
    {NULL, NP_FIELD_INSET, .fields = &np_pram_cost_fields},
    {NULL, NP_FIELD_INSET, .fields = &np_pram_violations_fields},
};

const np_fields np_pram_report_fields = NP_FIELDS("pram_report", "a PRAM", np_pram_report, report_rows);

/* ---- A program ---- */

static const np_program_result *result(const void *object) { return object; }

static void get_program(const void *object, np_value *value) { value->text = result(object)->program->entry.name; }

static void get_answer(const void *object, np_value *value)
{
    if (result(object)->answers == 1) {
        value->kind = NP_VALUE_INTEGER;
        value->integer = result(object)->value;
        return;
    }
    snprintf(value->room.text, sizeof value->room.text, "0x%016" PRIx64, result(object)->checksum);
    value->text = value->room.text;
}

enum { ANSWER_SHOWN = 64 };

static bool is_short(const void *object) { return result(object)->answers <= ANSWER_SHOWN; }
static bool has_count(const void *object) { return *result(object)->words; }

static void get_answer_item(np_value *list, size_t i, np_value *item)
{
    item->kind = NP_VALUE_INTEGER;
    item->integer = ((const np_word *)list->object)[i];
}

static void get_answer_list(const void *object, np_value *value)
{
    value->object = result(object)->answer;
    value->count = result(object)->answers;
    value->item = get_answer_item;
}

static void get_brent_steps(const void *object, np_value *value)
{
    value->whole = np_pram_schedule_get(result(object)->pram).steps;
}

static const np_field result_rows[] = {
    {"seed", NP_FIELD_U64, offsetof(np_program_result, seed),
     .help = "where all random choices come from, the input too"},
    {"program", NP_FIELD_TEXT, .get = get_program, .help = "its name"},
    {"size", NP_FIELD_U64, offsetof(np_program_result, n), .help = "n: what the program's input counts"},
    {NULL, NP_FIELD_INSET, offsetof(np_program_result, report), .fields = &np_pram_setting_fields},
    {"answer", NP_FIELD_TEXT, .get = get_answer,
     .help = "an integer if it is one word; else a checksum of its words in order"},
    {"answer_words", NP_FIELD_CHARS, offsetof(np_program_result, words),
     .help = "the answer in a few words; may be `\"\"`"},
    {"answer_count", NP_FIELD_U64, offsetof(np_program_result, count), .known = has_count,
     .help = "the number with which `answer_words` begins: components of `components`, vertices that `bfs` reached"},
    {"answer_list", NP_FIELD_LIST, .get = get_answer_list, .known = is_short,
     .help = "the words of the answer in order, if they are at most 64"},
    {"correct", NP_FIELD_BOOL, offsetof(np_program_result, correct),
     .help = "the answer is that of the program's sequential checker"},
    {"brent_steps", NP_FIELD_U64, .get = get_brent_steps,
     .help = "steps of the real processors (Brent): a PRAM step of a accesses takes the least whole number from "
             "a / `processors`"},
    {NULL, NP_FIELD_INSET, offsetof(np_program_result, report), .fields = &np_pram_cost_fields},
};

const np_fields np_program_result_fields = NP_FIELDS("program_result", "a program", np_program_result, result_rows);

/* ---- Memory ---- */

static const np_field layout_rows[] = {
    {"overflow_max", NP_FIELD_U64, offsetof(np_pram_layout, overflow_max), .unit = "words",
     .help = "of the largest overflow area of a row"},
    {"overflow_mean", NP_FIELD_REAL, offsetof(np_pram_layout, overflow_mean), .unit = "words",
     .help = "mean over the rows"},
    {"row_max", NP_FIELD_U64, offsetof(np_pram_layout, row_max), .unit = "words",
     .help = "of the largest row, with `table_row`"},
    {"row_mean", NP_FIELD_REAL, offsetof(np_pram_layout, row_mean), .unit = "words", .help = "mean over the rows"},
    {"module_max", NP_FIELD_U64, offsetof(np_pram_layout, module_max), .unit = "words",
     .help = "of the fullest module"},
};

static const np_fields layout_fields = NP_FIELDS("pram_layout", "a layout", np_pram_layout, layout_rows);

static const np_field memory_rows[] = {
    {"rows", NP_FIELD_U64, offsetof(np_pram_memory, rows), .help = "of the butterfly"},
    {"cells", NP_FIELD_U64, offsetof(np_pram_memory, cells), .help = "allocated"},
    {"places", NP_FIELD_U64, offsetof(np_pram_memory, places), .help = "of the hash table, in all modules"},
    {"place_cells_max", NP_FIELD_U64, offsetof(np_pram_memory, place_cells_max), .unit = "cells",
     .help = "most of one place"},
    {"overfull", NP_FIELD_U64, offsetof(np_pram_memory, overfull),
     .help = "places with more cells than the preliminary layout has room for"},
    {"table_row", NP_FIELD_U64, offsetof(np_pram_memory, table_row), .unit = "words",
     .help = "of one row's part of the hash table: as many in every row and layout"},
    {"preliminary", NP_FIELD_OBJECT, offsetof(np_pram_memory, preliminary), .fields = &layout_fields,
     .help = "the layout of as many pairs in every module as phase 4 looks at"},
    {"improved", NP_FIELD_OBJECT, offsetof(np_pram_memory, improved), .fields = &layout_fields,
     .help = "the layout of as many pairs as the row has cells"},
    {"theorem4.row_cells_max", NP_FIELD_U64, offsetof(np_pram_memory, row_cells_max), .unit = "cells",
     .help = "most of a row"},
    {"theorem4.row_cells_mean", NP_FIELD_REAL, offsetof(np_pram_memory, row_cells_mean), .unit = "cells",
     .help = "of a row"},
    {"theorem4.c", NP_FIELD_REAL, offsetof(np_pram_memory, theorem4),
     .help = "that of the theorem, the one by the other"},
    {"search", NP_FIELD_U32, offsetof(np_pram_memory, search),
     .help = "pairs of a place in one module that phase 4 looks at"},
    {"probes", NP_FIELD_U64, offsetof(np_pram_memory, probes), .help = "pairs that it has looked at"},
    {"layout", NP_FIELD_WORD, offsetof(np_pram_memory, layout), .words = np_memory_layout_words,
     .help = "in which the memory works"},
    {"searches", NP_FIELD_U64, offsetof(np_pram_memory, searches), .unit = "messages",
     .help = "that searched the layout in phase 4"},
    {"probes_max", NP_FIELD_U64, offsetof(np_pram_memory, probes_max), .help = "most pairs that one of them looked at"},
    {"evaluation_steps", NP_FIELD_U64, offsetof(np_pram_memory, evaluation_steps), .unit = "steps",
     .help = "in which hash functions were evaluated along the rows"},
    {"probes_bound", NP_FIELD_U64, offsetof(np_pram_memory, probes_bound),
     .help = "pairs that a message can look at: 8 n in the preliminary layout, place_cells_bound in the improved one"},
    {"place_cells_bound", NP_FIELD_U64, offsetof(np_pram_memory, place_cells_bound),
     .help = "most cells of one place, but with probability 1/1000; 0 without a hash function"},
    {"row_cells_bound", NP_FIELD_U64, offsetof(np_pram_memory, row_cells_bound),
     .help = "most cells of a row (Theorem 4), but with probability 1/1000; 0 without a hash function"},
};

const np_fields np_pram_memory_fields = NP_FIELDS("pram_memory", "the memory of modules", np_pram_memory, memory_rows);
