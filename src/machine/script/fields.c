/* The tables of the options and the result of a script. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "netpram/script.h"

#include "machine/pram/fields.h"

#define AT(member) offsetof(np_script_options, member)

static const np_field option_rows[] = {
    {NULL, NP_FIELD_INSET, AT(program), .fields = &np_program_options_fields},
};

const np_fields np_script_options_fields =
    NP_OPTIONS("script_options", "a program's text", np_script_options, option_rows, NULL);

/* ---- The result ---- */

#undef AT
#define AT(member) offsetof(np_script_line_cost, member)

static const np_field line_rows[] = {
    {"line", NP_FIELD_U32, AT(line), .help = "its number, from 1"},
    {"source", NP_FIELD_TEXT, AT(source), .help = "its text"},
    {"pram_steps", NP_FIELD_U64, AT(steps), "steps", .help = "PRAM steps that it made"},
    {"work", NP_FIELD_U64, AT(work), "accesses", .help = "accesses that it made"},
    {"network_steps", NP_FIELD_U64, AT(network_steps), "steps", .help = "network steps that they took"},
    {"combined", NP_FIELD_U64, AT(combined), "requests",
     .help = "requests that were combined with others on their way"},
    {"violations", NP_FIELD_U64, AT(violations), .help = "of the access rule"},
};

const np_fields np_script_line_fields = NP_FIELDS("script_line", "a line", np_script_line_cost, line_rows);

enum { WORDS_SHOWN = 64 };

static bool is_short(const void *object) { return ((const np_script_output *)object)->count <= WORDS_SHOWN; }

static void get_word(const np_script_output *output, size_t i, np_value *item)
{
    const char first = *output->type; /* of int, real, bool */
    np_cell_value(first == 'r' ? NP_CELL_REAL : first == 'b' ? NP_CELL_BOOL : NP_CELL_INT, output->word[i], item);
}

/*
 * The words of an array are lists within lists: room->words of a list has its dimension, from 0, and which part of the
 * output it is.
 */
enum { DIMENSION, PART };

static void get_item(np_value *list, size_t i, np_value *item)
{
    const np_script_output *output = list->object;
    uint64_t extent[NP_SCRIPT_RANK_MAX];
    const size_t rank = np_script_output_shape(output, extent), dimension = list->room.words[DIMENSION];
    const uint64_t part = list->room.words[PART] * (rank ? extent[dimension] : 1) + i;
    if (dimension + 1 >= rank) {
        get_word(output, part, item);
        return;
    }
    *item = (np_value){.kind = NP_VALUE_LIST, .object = output, .count = extent[dimension + 1], .item = get_item};
    item->room.words[DIMENSION] = dimension + 1;
    item->room.words[PART] = part;
}

static void get_words(const void *object, np_value *value)
{
    uint64_t extent[NP_SCRIPT_RANK_MAX];
    value->object = object;
    value->count = np_script_output_shape(object, extent) ? (size_t)extent[0] : 1;
    value->item = get_item;
    value->room.words[DIMENSION] = value->room.words[PART] = 0;
}

static void get_extent(np_value *list, size_t i, np_value *item)
{
    uint64_t extent[NP_SCRIPT_RANK_MAX];
    np_script_output_shape(list->object, extent);
    item->kind = NP_VALUE_WHOLE;
    item->whole = extent[i];
}

static void get_shape(const void *object, np_value *value)
{
    value->object = object;
    value->count = np_script_output_shape(object, NULL);
    value->item = get_extent;
}

#undef AT
#define AT(member) offsetof(np_script_output, member)

static const np_field output_rows[] = {
    {"name", NP_FIELD_TEXT, AT(name), .help = "of the variable or array"},
    {"type", NP_FIELD_TEXT, AT(type), .help = "`int`, `real` or `bool`"},
    {"length", NP_FIELD_SIZE, AT(count), "words", .help = "its words"},
    {"shape", NP_FIELD_LIST, .get = get_shape, .help = "how many there are in each dimension; empty: one word"},
    {"values", NP_FIELD_LIST, .get = get_words, .known = is_short,
     .help = "the words in order, if they are at most 64; of an array of two dimensions or more lists of them"},
};

static const np_fields output_fields = NP_FIELDS("script_output", "an output", np_script_output, output_rows);

static void get_checksum(const void *object, np_value *value)
{
    snprintf(value->room.text, sizeof value->room.text, "0x%016" PRIx64, ((const np_script_result *)object)->checksum);
    value->text = value->room.text;
}

static void get_about(const void *object, np_value *value)
{
    value->text = ((const np_script_result *)object)->about.name;
}

static void get_brent_steps(const void *object, np_value *value)
{
    value->whole = np_pram_schedule_get(((const np_script_result *)object)->pram).steps;
}

static void get_note(np_value *list, size_t i, np_value *item)
{
    item->kind = NP_VALUE_TEXT;
    item->text = ((const np_script_result *)list->object)->note[i];
}

static void get_notes(const void *object, np_value *value)
{
    value->object = object;
    value->count = ((const np_script_result *)object)->notes;
    value->item = get_note;
}

static bool is_judged(const void *object) { return ((const np_script_result *)object)->judged; }

/* The file without its folders: the same text has the same report, wherever it is. */
static void get_file(const void *object, np_value *value)
{
    const char *path = ((const np_script_result *)object)->path, *slash = strrchr(path, '/');
    value->text = slash ? slash + 1 : path;
}

/* ---- The answer: all outputs, one after the other ---- */

static size_t words_of(const np_script_result *result)
{
    size_t words = 0;
    for (size_t i = 0; i < result->outputs; i++)
        words += result->output[i].count;
    return words;
}

static bool is_answer_short(const void *object) { return words_of(object) <= WORDS_SHOWN; }
static bool has_count(const void *object) { return *((const np_script_result *)object)->words; }

static void get_answer_item(np_value *list, size_t i, np_value *item)
{
    const np_script_output *output = ((const np_script_result *)list->object)->output;
    for (; i >= output->count; output++)
        i -= output->count;
    get_word(output, i, item);
}

static void get_answer_list(const void *object, np_value *value)
{
    value->object = object;
    value->count = words_of(object);
    value->item = get_answer_item;
}

static void get_answer(const void *object, np_value *value)
{
    value->object = object;
    if (words_of(object) == 1)
        get_answer_item(value, 0, value);
    else
        get_checksum(object, value);
}

#undef AT
#define AT(member) offsetof(np_script_result, member)

static const np_field result_rows[] = {
    {"seed", NP_FIELD_U64, AT(seed), .help = "where all random choices come from, the input too"},
    {"program", NP_FIELD_TEXT, .get = get_about, .help = "its name, as the text says"},
    {"file", NP_FIELD_TEXT, .get = get_file, .help = "the file of the text, without its folders"},
    {"size", NP_FIELD_U64, AT(n), .help = "n: the size of the input"},
    {"notes", NP_FIELD_LIST, .get = get_notes,
     .help = "what was made of the inputs, such as edges that were taken both ways"},
    {NULL, NP_FIELD_INSET, AT(report), .fields = &np_pram_setting_fields},
    {"checksum", NP_FIELD_TEXT, .get = get_checksum, .help = "of all words of all outputs"},
    {"correct", NP_FIELD_BOOL, AT(correct), .known = is_judged,
     .help = "the answer is right, by sequential code; `null` if the text says nothing that it solves"},
    {"answer", NP_FIELD_TEXT, .get = get_answer, .help = "the word, if the outputs are one word; else the checksum"},
    {"answer_words", NP_FIELD_CHARS, AT(words), .help = "the answer in a few words; may be `\"\"`"},
    {"answer_count", NP_FIELD_U64, AT(count), .known = has_count,
     .help = "the number with which `answer_words` begins: components of `components`, vertices that `bfs` reached"},
    {"answer_list", NP_FIELD_LIST, .get = get_answer_list, .known = is_answer_short,
     .help = "the words of all outputs in order, if they are at most 64"},
    {"outputs", NP_FIELD_LIST, AT(output), .count_at = AT(outputs), .fields = &output_fields,
     .help = "what the text declares as outputs"},
    {"turns", NP_FIELD_U64, AT(turns), "turns", .help = "of loops, and calls of procedures"},
    {"brent_steps", NP_FIELD_U64, .get = get_brent_steps,
     .help = "steps of the real processors (Brent): a PRAM step of a accesses takes the least whole number from "
             "a / `processors`"},
    {NULL, NP_FIELD_INSET, AT(report), .fields = &np_pram_cost_fields},
    {"lines", NP_FIELD_LIST, AT(line), .count_at = AT(lines), .fields = &np_script_line_fields,
     .help = "the lines of the text that made steps"},
};

const np_fields np_script_result_fields = NP_FIELDS("script_result", "a program's text", np_script_result, result_rows);
