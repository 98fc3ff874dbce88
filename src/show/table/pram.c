/*
 * The result of a PRAM program: is the answer right, what did it cost, which access rule did it need? A program is a
 * text (its outputs, and what each line cost), or it is in C. What its steps cost, the memory of its modules and the
 * accesses that its rule forbids are said of both alike.
 */
#include "base/log2.h"
#include "base/status.h"
#include "machine/pram/fields.h"
#include "show/table/shape.h"

typedef struct view {
    const np_program_result *program; /* of a program in C; NULL: it is a text */
    const np_script_result *script;   /* of a text */
    const np_pram_report *report;
    const np_pram_memory *memory;
    np_pram_schedule schedule;
    uint64_t stalled;
    const np_script_result *profile; /* a text whose lines are shown; NULL: none */
    np_report_added added;
} view;

/* The columns of CSV. */
static const char columns[] =
    "program,size,machine,rule,seed,processors,answer,correct,pram_steps,work,brent_steps,network_steps=network_steps."
    "total,"
    "mean=network_steps.mean,p99=network_steps.p99,max=network_steps.max,per_n=network_steps.per_n,physical_steps,"
    "requests,combined,"
    "ghosts,replies,queue_max,module_load_max,rehashes,violations=violation_count,weakest_rule,rounds=rounds.total,"
    "rounds_max=rounds.max,refused";

/* ---- JSON and CSV ---- */

static const view *of(const void *object) { return object; }
static bool has_memory(const void *object) { return of(object)->memory->rows; }

/* What follows the fields of the result. */
static const np_field end_rows[] = {
    {"stalled", NP_FIELD_U64, offsetof(view, stalled),
     .help = "of `rounds`: no module answered; on `copies` machines with `--answers collision`, else 0"},
    {"memory", NP_FIELD_OBJECT, offsetof(view, memory), .flags = NP_FIELD_BEHIND, .fields = &np_pram_memory_fields,
     .known = has_memory, .help = "only of `butterfly:n`: what the modules need for the cells allocated, in words"},
    {NULL, NP_FIELD_INSET, offsetof(view, report), .flags = NP_FIELD_BEHIND, .fields = &np_pram_violations_fields},
    {NULL, NP_FIELD_INSET, offsetof(view, added), .fields = &np_report_pram_added},
};

static const np_fields end_fields = NP_FIELDS("pram_end", "a program", view, end_rows);

static const np_field program_rows[] = {
    {NULL, NP_FIELD_INSET, offsetof(view, program), .flags = NP_FIELD_BEHIND, .fields = &np_program_result_fields},
    {NULL, NP_FIELD_INSET, .fields = &end_fields},
};

static const np_fields program_fields = NP_FIELDS("pram", "a program", view, program_rows);

static const np_field script_rows[] = {
    {NULL, NP_FIELD_INSET, offsetof(view, script), .flags = NP_FIELD_BEHIND, .fields = &np_script_result_fields},
    {NULL, NP_FIELD_INSET, .fields = &end_fields},
};

static const np_fields script_fields = NP_FIELDS("script", "a program's text", view, script_rows);

/* ---- Costs ---- */

static const np_field whole_rows[] = {
    {NULL, NP_FIELD_INSET, .fields = &np_pram_report_fields},
    {"modules", NP_FIELD_U64, offsetof(np_pram_report, modules), .help = "of the machine"},
    {"n", NP_FIELD_U32, offsetof(np_pram_report, n), .help = "log2 of its rows, or the diameter"},
};

/* The fields of np_pram_report, and its modules and n, which only people are told. */
static const np_fields whole_fields = NP_FIELDS("pram_whole", "a PRAM", np_pram_report, whole_rows);

static const np_violation *violation(const void *object) { return object; }

/*
 * Several read a cell that only one may read: copies. Several write different values: a race. Else nothing is advised.
 */
static void get_advice(const void *object, np_value *value)
{
    const np_violation *v = object;
    if (v->first_kind == NP_ACCESS_READ && v->second_kind == NP_ACCESS_READ)
        value->text = "copies";
    else if (v->first_kind == NP_ACCESS_WRITE && v->second_kind == NP_ACCESS_WRITE && v->first_value != v->second_value)
        value->text = "race";
}

static void get_all(const void *object, np_value *value) { value->whole = 2 + (uint64_t)violation(object)->more; }
static void get_rounds(const void *object, np_value *value)
{
    value->whole = np_log2_up(2 + (uint64_t)violation(object)->more);
}
static void get_ordered(const void *object, np_value *value) { value->truth = violation(object)->type != NP_CELL_BOOL; }

static const np_field forbidden_rows[] = {
    {NULL, NP_FIELD_INSET, .fields = &np_violation_fields},
    {"second", NP_FIELD_U32, offsetof(np_violation, second), .help = "the other processor"},
    {"advice", NP_FIELD_TEXT, .get = get_advice, .help = "`copies` or `race`"},
    {"all", NP_FIELD_U64, .get = get_all, .help = "processors that the rule concerns"},
    {"rounds", NP_FIELD_U32, .get = get_rounds, .help = "that double the copies"},
    {"ordered", NP_FIELD_BOOL, .get = get_ordered, .help = "one value is the largest"},
};

static const np_fields forbidden_fields = NP_FIELDS("forbidden", "a violation", np_violation, forbidden_rows);

static bool has_forbidden(const void *object) { return of(object)->report->kept; }
static void get_first(const void *object, np_value *value) { value->object = of(object)->report->violation; }

static void get_forbidden(const void *object, np_value *value)
{
    value->object = of(object)->report->violation;
    value->count = of(object)->report->kept;
}

static bool has_profile(const void *object) { return of(object)->profile; }
static void get_sure(const void *object, np_value *value) { value->real = object ? NP_PRAM_BOUND_AT : 0; }

static void get_lines(const void *object, np_value *value)
{
    value->object = of(object)->profile->line;
    value->count = of(object)->profile->lines;
}

static const np_field cost_rows[] = {
    {"forbidden", NP_FIELD_LIST, .get = get_forbidden, .fields = &forbidden_fields, .help = "the violations kept"},
    {"first", NP_FIELD_OBJECT, .get = get_first, .known = has_forbidden, .fields = &forbidden_fields,
     .help = "violation: the others are most often of its kind"},
    {NULL, NP_FIELD_INSET, offsetof(view, report), .flags = NP_FIELD_BEHIND, .fields = &whole_fields},
    {"memory", NP_FIELD_OBJECT, offsetof(view, memory), .flags = NP_FIELD_BEHIND, .fields = &np_pram_memory_fields,
     .known = has_memory, .help = "of the modules"},
    {"stalled", NP_FIELD_U64, offsetof(view, stalled), .help = "rounds in which no module answered"},
    {"sure", NP_FIELD_REAL, .get = get_sure, .help = "the probability at which memory is bounded"},
    {"lines", NP_FIELD_LIST, .get = get_lines, .fields = &np_script_line_fields, .known = has_profile,
     .help = "of the text"},
    {"asked", NP_FIELD_BOOL, offsetof(view, schedule.asked), .help = "the real processors were given"},
    {"brent_steps", NP_FIELD_U64, offsetof(view, schedule.steps), .help = "of the real processors"},
};

static const np_fields cost_fields = NP_FIELDS("pram_costs", "a PRAM", view, cost_rows);

static const char steps_layout[] =
    "{table lrl: "
    "PRAM steps T|{asked ? {brent_steps} : {pram_steps}}|"
    "{asked ? of the real processors: a step of a accesses takes ceil(a / p) (Brent)}\n"
    "{asked ?   lock steps|{pram_steps}|with a processor for each access\n}"
    "work W|{work}|accesses\n"
    "{shared.ranks ? processes|{shared.ranks}|of MPI\n"
    "  seconds|{shared.seconds:4}|of the program, without its input\n"
    "  messages|{shared.messages}|between them\n"
    "  bytes|{shared.bytes}|in these\n"
    "  butterfly:{shared.butterfly_n}|{shared.butterfly_steps}|network steps that it would take, at 10 n a PRAM step\n}"
    "{n ? network steps|{network_steps.total}|in all\n"
    "  mean|{network_steps.mean}|of a PRAM step\n"
    "  p99|{network_steps.p99}|\n"
    "  max|{network_steps.max}|\n"
    "  per n|{network_steps.per_n}|the mean, as a multiple of n\n"
    "{network_steps.initialisation ?   initialisation|{network_steps.initialisation}|of all\n}"
    "{network_steps.rehash ?   rehashing|{network_steps.rehash}|of all\n}"
    "{!physical_steps=network_steps.total ? physical steps|{physical_steps}|"
    "{physical ? in all, executed on the links : at most, in all; --physical executes them}\n}"
    "requests|{requests}|\n"
    "  combined|{combined}|times that two became one on the way\n"
    "  replies|{replies}|\n"
    "ghosts|{ghosts}|\n"
    "queue|{queue_max}|most messages in one\n"
    "module load|{module_load_max}|most requests that one module answered in one batch\n"
    "{rounds.total ? rounds|{rounds.total}|in all\n"
    "  most|{rounds.max}|of a batch\n"
    "  refused|{refused}|requests for a copy, sent again in the next round\n"
    "{stalled ?   stalled|{stalled}|rounds without an answer; in the next one modules serve some of the cells\n}}"
    "cells of a row|{row_cells_max}|most in its modules (of one module on other networks)\n"
    "  mean|{row_cells_mean}|\n"
    "rehashes|{rehashes}|\n}}";

/* Of a row, in words (appendix A); what theory says of the most cells at one place, or in one row. */
static const char memory_layout[] =
    "{with memory: \nmemory of a row, in words (appendix A)\n"
    "{table lrrrrrr:   layout|hash table|overflow, most|mean|row, most|mean|module, most\n"
    "{with preliminary:   preliminary|{table_row}|{overflow_max}|{overflow_mean}|{row_max}|{row_mean}|{module_max}\n}"
    "{with improved:   improved|{table_row}|{overflow_max}|{overflow_mean}|{row_max}|{row_mean}|{module_max}\n}}"
    "  Theorem 4: at most c M n / N cells in a row; {theorem4.row_cells_max} of {theorem4.row_cells_mean:15} in the "
    "mean, "
    "so c = {theorem4.c:3}{row_cells_bound ? ; at most {row_cells_bound}, but with probability {sure:6}}\n"
    "  cells of one place: {place_cells_max} at most, of {places} places"
    "{place_cells_bound ? ; at most {place_cells_bound}, but with probability {sure:6}}"
    "{overfull ? ; {overfull} places have more than the preliminary layout has room for}\n"
    "{layout=none ?   probes: {probes} pairs looked at, {search} in every module of a request's row\n"
    " :   the {layout} layout holds the cells: {searches} searches looked at {probes} pairs, {probes_max} at most"
    "{layout=preliminary ? ; no search looks at more than {probes_bound}}"
    "{layout=improved & probes_bound ? ; at most {probes_bound}, but with probability {sure:6}}\n"
    "  hash functions were evaluated along the rows in {evaluation_steps} network steps (A.3)\n}}";

static const char violations_layout[] =
    "{!lines=null ? \n{table rrrrrrl: line|PRAM steps|work|network steps|combined|violations|  text\n"
    "{each lines: {line}|{pram_steps}|{work}|{network_steps}|{combined}|{violations}|  {source}\n}}}"
    "\nviolations of {rule}: {violation_count ? {violation_count} : none}"
    "{violations<violation_count ? , the first {violations*1} of them}\n"
    "{violation_count ? {table llllll:   step|label|cell|processor|and processor|where\n"
    "{each forbidden:   {step}|{label}|{array}[{offset}]|{each attempts: {processor} {access=read ? reads}"
    "{access=write ? writes {value:exact}}{access=fetch ? fetches with {value:exact}}"
    "{processor=second & more ?  (and {more} more)}|}{where}\n}}}"
    "{with first: {advice=copies ? {all} processors access {array}[{offset}] in step {step}: give each a copy of its "
    "own "
    "before; doubling the copies makes {all} in {rounds round}\n}"
    "{advice=race ? all {all} processors have seen {array}[{offset}] = {before:exact} if they read it just before step "
    "{step}: such a test chooses none of them\n"
    "the step left {after:exact} there; under another order of the processors it is another value, so an answer that "
    "is "
    "right is right by luck\n"
    "{ordered ? what does not depend on the order: crcw-max leaves the largest value, crcw-min the least, crcw-add the "
    "sum\n}}}"
    "weakest rule: {weakest_rule}\n";

/* T, W, what the network did, the memory of the modules, the lines of a text, the violations with some advice, and the
 * weakest rule. */
static np_status print_costs(const void *object, const np_report_options *options, FILE *stream)
{
    const char *const parts[] = {steps_layout, memory_layout, violations_layout};
    np_status st = NP_OK;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && !st; i++)
        st = np_layout_print(parts[i], &cost_fields, object, options->command, stream);
    return st ? st : np_report_pram_text(of(object)->added.explanation, stream);
}

static const char end[] = "{command ? \nrepeat   {command}\n}";

/* ---- A program in C ---- */

static void get_noun(const void *object, np_value *value) { value->text = of(object)->program->program->size; }
static void get_wrong(const void *object, np_value *value)
{
    value->text = of(object)->program ? of(object)->program->wrong : of(object)->script->wrong;
}

static const np_field shown_rows[] = {
    {NULL, NP_FIELD_INSET, .fields = &program_fields},
    {NULL, NP_FIELD_INSET, offsetof(view, report), .flags = NP_FIELD_BEHIND, .fields = &whole_fields},
    {"noun", NP_FIELD_TEXT, .get = get_noun, .help = "what the size counts"},
    {"wrong", NP_FIELD_TEXT, .get = get_wrong, .help = "the first place where the answer is wrong"},
};

static const np_fields shown = NP_FIELDS("pram_shown", "a program", view, shown_rows);

static const char layout[] = "program  {program}: {size} {noun}, seed {seed}\n"
                             "machine  {machine}: {processors} processors{modules ? , {modules} modules, n = {n}}\n"
                             "rule     {rule}\n"
                             "answer   {answer}{answer_words ? : {answer_words}}\n"
                             "         {correct ? correct : WRONG: {wrong}}\n\n";

const np_report_form np_report_pram_form = {{"pram", &program_fields, &program_fields, columns},
                                            .open = 3,
                                            .fields = &shown,
                                            .layout = layout,
                                            .rest = {end},
                                            .people = print_costs};

/* ---- A text ---- */

static void get_name(const void *object, np_value *value)
{
    const np_script_result *result = of(object)->script;
    value->text = *result->about.name ? result->about.name : result->path;
}

static void get_about(const void *object, np_value *value) { value->text = of(object)->script->about.about; }
static void get_source(const void *object, np_value *value) { value->text = of(object)->script->about.source; }

static const np_field text_rows[] = {
    {NULL, NP_FIELD_INSET, .fields = &script_fields},
    {NULL, NP_FIELD_INSET, offsetof(view, report), .flags = NP_FIELD_BEHIND, .fields = &whole_fields},
    {"name", NP_FIELD_TEXT, .get = get_name, .help = "of the program, or its path"},
    {"about", NP_FIELD_TEXT, .get = get_about, .help = "what it does"},
    {"source", NP_FIELD_TEXT, .get = get_source, .help = "where it is from"},
    {"wrong", NP_FIELD_TEXT, .get = get_wrong, .help = "the first place where the answer is wrong"},
};

static const np_fields text_shown = NP_FIELDS("script_shown", "a program's text", view, text_rows);

static const char head_layout[] =
    "program  {name}{about ? : {about}}{source ?  ({source})}\n"
    "size     {size}, seed {seed}\n"
    "machine  {machine}: {processors} processors{modules ? , {modules} modules, n = {n}}\n"
    "rule     {rule}\n"
    "{notes ? input    {notes:1000000\ninput    }\n}\n";

static const char answer_layout[] =
    "{!correct=null ?          {correct ? correct{answer_words ? : {answer_words}} : WRONG: {wrong}}\n}"
    "{outputs ? \n}";

enum { WORDS_SHOWN = 16 };

/* Its first words. */
static void output_line(const np_script_output *output, FILE *stream)
{
    fprintf(stream, "output   %s =", output->name);
    for (size_t i = 0; i < output->count && i < WORDS_SHOWN; i++) {
        char word[32];
        np_script_word(output->type, output->word[i], word);
        fprintf(stream, " %s", word);
    }
    fputs(output->count > WORDS_SHOWN ? " ...\n" : "\n", stream);
}

static np_status print_text(const void *object, const np_report_options *options, FILE *stream)
{
    const np_script_result *result = of(object)->script;
    for (size_t i = 0; i < result->outputs; i++)
        output_line(&result->output[i], stream);
    np_status st = np_layout_print(answer_layout, &text_shown, object, options->command, stream);
    return st ? st : print_costs(object, options, stream);
}

const np_report_form np_report_script_form = {{"pram_text", &script_fields, &script_fields, columns},
                                              .open = 3,
                                              .fields = &text_shown,
                                              .layout = head_layout,
                                              .rest = {end},
                                              .people = print_text};

/* ---- Reports ---- */

/* NP_ERROR_INPUT: an explanation in CSV. */
static np_status report(const np_report_form *form, view *v, const np_pram *pram, const np_report_options *given,
                        FILE *stream)
{
    np_report_options options;
    np_pram_memory memory;
    np_status st = np_options_take(&np_report_options_fields, given, &options);
    if (!st && options.format == NP_REPORT_CSV && options.explanation)
        st = NP_RAISE(NP_ERROR_INPUT, "an explanation does not fit into CSV: table or json");
    if (st || (st = np_pram_memory_compute(pram, &memory)))
        return st;
    v->memory = &memory;
    v->schedule = np_pram_schedule_get(pram);
    v->stalled = np_pram_stalled(pram);
    v->added.explanation = options.explanation;
    v->profile = options.profile ? v->script : NULL;
    return np_report_print(form, v, &options, stream);
}

np_status np_report_pram_script(const np_script_result *result, const np_report_options *given, FILE *stream)
{
    view v = {.script = result, .report = &result->report};
    return report(&np_report_script_form, &v, result->pram, given, stream);
}

/* A text has one report, by whatever way it was found. */
np_status np_report_pram(const np_program_result *result, const np_report_options *given, FILE *stream)
{
    view v = {.program = result, .report = &result->report};
    return result->script ? np_report_pram_script(result->script, given, stream)
                          : report(&np_report_pram_form, &v, result->pram, given, stream);
}
