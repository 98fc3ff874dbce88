/* Explains the slowest run of a routing: its fields for JSON, and the text behind a table. */
#include "model/network/read_node.h"
#include "papers/explain/route_explain.h"
#include "show/papers/explain.h"
#include "show/table/shape.h"

/* ---- Fields ---- */

static const np_explanation *sequence(const void *object) { return &((const np_route_explanation *)object)->sequence; }

typedef struct check {
    const char *name;
    np_verdict verdict;
} check;

static const np_field check_rows[] = {
    {"name", NP_FIELD_TEXT, offsetof(check, name),
     .help = "`Lemma 2.5` to `Lemma 2.8`, or `section 11`, which is not about pipelined messages"},
    {"holds", NP_FIELD_BOOL, offsetof(check, verdict.holds), .help = "it does"},
    {"have", NP_FIELD_I64, offsetof(check, verdict.have), .help = "what was counted"},
    {"need", NP_FIELD_I64, offsetof(check, verdict.need),
     .help = "what it is compared with: Lemmas 2.5 and 2.8 are to have at most that, 2.7 at least, the others exactly; "
             "of pipelined messages 2.7 counts steps, for which their lengths account"},
};

static const np_fields check_fields = NP_FIELDS("sequence_check", "a check", check, check_rows);

static void get_check(np_value *list, size_t i, np_value *item)
{
    static const char *const names[] = {"Lemma 2.5", "Lemma 2.6", "Lemma 2.7", "Lemma 2.8", "section 11"};
    const check one = {names[i], sequence(list->object)->verdict[i]};
    np_value_hold(item, &one, sizeof one);
}

static void get_checks(const void *object, np_value *value)
{
    value->object = object;
    value->count = NP_LEMMAS;
    value->item = get_check;
}

static const char *const kinds[] = {"last", "rank", "full", "origin", "empty", NULL};

typedef struct row {
    np_explanation_row base;
    const np_network *network;
} row;

static void get_node(const void *object, np_value *value)
{
    np_node_value(((const row *)object)->network, ((const row *)object)->base.host, value);
}

static const np_field row_rows[] = {
    {"packet", NP_FIELD_U32, offsetof(np_explanation_row, number), .help = "its number in the traffic"},
    {"rank", NP_FIELD_U32, offsetof(np_explanation_row, rank), .help = "its rank"},
    {"level", NP_FIELD_U32, offsetof(np_explanation_row, level), .help = "where it was"},
    {"node", NP_FIELD_NODE, .get = get_node, .help = "the physical node of that place"},
    {"step", NP_FIELD_U32, offsetof(np_explanation_row, step), .help = "when, from 0"},
    {"lag", NP_FIELD_I64, offsetof(np_explanation_row, lag), .unit = "steps", .help = "step - level"},
    {"ghost", NP_FIELD_U32, offsetof(np_explanation_row, ghost), .unit = "links",
     .help = "that a ghost of it crossed to delay the one before"},
    {"kind", NP_FIELD_WORD, offsetof(np_explanation_row, kind), .words = kinds,
     .help =
         "`last`: it arrives last; `rank`: its rank is smaller; `full`: it was in a full queue; `origin`, `empty`: the "
         "end, where nothing or an empty queue had delayed the packet"},
};

static const np_fields row_fields = NP_FIELDS("sequence_row", "a packet", row, row_rows);

static void get_row(np_value *list, size_t i, np_value *item)
{
    const np_explanation *e = list->object;
    np_value_hold(item, &(row){e->row[i], e->network}, sizeof(row));
}

static void get_sequence(const void *object, np_value *value)
{
    value->object = object;
    value->count = ((const np_explanation *)object)->rows;
    value->item = get_row;
}

static void get_first(const void *object, np_value *value)
{
    const np_explanation *e = object;
    np_value_hold(value, &(row){e->row[0], e->network}, sizeof(row));
}

static void get_rows(const void *object, np_value *value) { get_sequence(sequence(object), value); }

/* The distinguished path through the Router; NULL: a delay sequence explains. */
static const np_constrained_explanation *router(const void *object)
{
    return ((const np_route_explanation *)object)->router;
}

static bool is_router(const void *object) { return router(object) != NULL; }
static bool is_sequence(const void *object) { return !router(object); }

static bool router_holds(const np_constrained_explanation *r)
{
    return r->disjoint && r->theorem3 && r->corollary1 && r->described >= r->needed;
}

static bool all_hold(const np_route_explanation *explanation)
{
    return explanation->router ? router_holds(explanation->router) : np_explanation_holds(&explanation->sequence);
}

static void get_holds(const void *object, np_value *value) { value->truth = all_hold(object); }

static const np_field segment_rows[] = {
    {"message", NP_FIELD_U32, offsetof(np_constrained_segment, message), .help = "the message that is followed"},
    {"priority", NP_FIELD_U32, offsetof(np_constrained_segment, priority),
     .help = "of its set; of a larger one it is more urgent"},
    {"entered", NP_FIELD_U32, offsetof(np_constrained_segment, entered), .help = "the input by which it entered"},
    {"destination", NP_FIELD_U32, offsetof(np_constrained_segment, destination), .help = "the output where it ends"},
    {"first", NP_FIELD_U32, offsetof(np_constrained_segment, first),
     .help = "the part's first stage, from 1 at the outputs"},
    {"last", NP_FIELD_U32, offsetof(np_constrained_segment, last), .help = "its last stage"},
    {"delay", NP_FIELD_U32, offsetof(np_constrained_segment, delay), .unit = "steps",
     .help = "that the message had waited after the first stage"},
    {"delaying", NP_FIELD_U32, offsetof(np_constrained_segment, delaying), .unit = "messages",
     .help = "that delayed it on the part, or one of these"},
};

static const np_fields segment_fields =
    NP_FIELDS("path_segment", "a part of the path", np_constrained_segment, segment_rows);

static const np_field router_rows[] = {
    {"steps", NP_FIELD_U32, offsetof(np_constrained_explanation, steps), .unit = "steps",
     .help = "of the Router; with `--overlap` since the Randomizer began"},
    {"stages", NP_FIELD_U32, offsetof(np_constrained_explanation, stages), .help = "of the Router"},
    {"sets", NP_FIELD_U32, offsetof(np_constrained_explanation, sets), .help = "x: permutations"},
    {"message", NP_FIELD_U32, offsetof(np_constrained_explanation, message), .help = "the one that arrives last"},
    {"delay", NP_FIELD_U32, offsetof(np_constrained_explanation, delay), .unit = "steps", .help = "that it waited"},
    {"released", NP_FIELD_U32, offsetof(np_constrained_explanation, released), .unit = "steps",
     .help = "with `--overlap`: after which the message at the end of the path entered the Router; else 0"},
    {"needed", NP_FIELD_U32, offsetof(np_constrained_explanation, needed), .unit = "messages",
     .help = "that must be described: `steps` - `stages` - `released`"},
    {"described", NP_FIELD_U32, offsetof(np_constrained_explanation, described), .unit = "messages",
     .help = "that the parts of the path describe"},
    {"disjoint", NP_FIELD_BOOL, offsetof(np_constrained_explanation, disjoint),
     .help = "those of different parts are different"},
    {"theorem3", NP_FIELD_BOOL, offsetof(np_constrained_explanation, theorem3), .help = "it holds along the path"},
    {"corollary1", NP_FIELD_BOOL, offsetof(np_constrained_explanation, corollary1), .help = "it holds along the path"},
    {"exchanges", NP_FIELD_U64, offsetof(np_constrained_explanation, exchanges), .help = "that made the run monotonic"},
    {"path", NP_FIELD_LIST, offsetof(np_constrained_explanation, segment),
     .count_at = offsetof(np_constrained_explanation, segments), .fields = &segment_fields,
     .help = "the distinguished path, from the outputs to the inputs"},
};

static const np_fields router_fields =
    NP_FIELDS("router_explanation", "a path", np_constrained_explanation, router_rows);

static const np_field explanation_rows[] = {
    {"run", NP_FIELD_U32, offsetof(np_route_explanation, run), .help = "the slowest"},
    {"phase", NP_FIELD_U32, offsetof(np_route_explanation, phase), .help = "its slowest, from 0"},
    {"steps", NP_FIELD_U32, offsetof(np_route_explanation, sequence.steps), .unit = "steps", .applies = is_sequence,
     .help = "of the phase; message cycles, where messages move in cycles"},
    {"late", NP_FIELD_I64, offsetof(np_route_explanation, sequence.late), .unit = "steps", .applies = is_sequence,
     .help = "w: the last packet arrives in step L + w, from 0; a pipelined message begins to"},
    {"path", NP_FIELD_U64, offsetof(np_route_explanation, sequence.path), .unit = "links", .applies = is_sequence,
     .help = "length of the delay path"},
    {"holds", NP_FIELD_BOOL, .get = get_holds, .help = "all checks do; if not, the exit status is 1"},
    {"checks", NP_FIELD_LIST, .get = get_checks, .fields = &check_fields, .applies = is_sequence,
     .help = "what is proved"},
    {"sequence", NP_FIELD_LIST, .get = get_rows, .fields = &row_fields, .applies = is_sequence,
     .help = "the delay sequence, backwards from the packet that arrives last"},
    {"router", NP_FIELD_OBJECT, offsetof(np_route_explanation, router), .flags = NP_FIELD_BEHIND,
     .fields = &router_fields, .applies = is_router,
     .help =
         "for scheme `constrained` and its kin, in place of the steps and lists above: the path through the Router"},
};

static const np_fields explanation_fields =
    NP_FIELDS("route_explanation", "an explanation", np_route_explanation, explanation_rows);

static bool is_explained(const void *object) { return ((const np_report_added *)object)->explanation; }

static const np_field explained_rows[] = {
    {"explain", NP_FIELD_OBJECT, offsetof(np_report_added, explanation), .flags = NP_FIELD_BEHIND,
     .fields = &explanation_fields, .applies = is_explained,
     .help = "only with `--explain`: why the slowest run took so long"},
};

const np_fields np_report_route_explained = NP_FIELDS("route_explained", "a route", np_report_added, explained_rows);

/* ---- For people ---- */

static const np_field verdict_rows[] = {
    {"holds", NP_FIELD_BOOL, offsetof(np_verdict, holds), .help = "it does"},
    {"have", NP_FIELD_I64, offsetof(np_verdict, have), .help = "what was counted"},
    {"need", NP_FIELD_I64, offsetof(np_verdict, need), .help = "what it is compared with"},
};

static const np_fields verdict_fields = NP_FIELDS("verdict", "a lemma", np_verdict, verdict_rows);

static void get_last_step(const void *object, np_value *value)
{
    value->whole = ((const np_explanation *)object)->steps - 1;
}

static const np_field sequence_rows[] = {
    {"levels", NP_FIELD_U32, offsetof(np_explanation, levels), .help = "L"},
    {"queue_size", NP_FIELD_U32, offsetof(np_explanation, queue_size), .help = "q"},
    {"last_step", NP_FIELD_U32, .get = get_last_step, .help = "from 0"},
    {"cycle", NP_FIELD_U32, offsetof(np_explanation, cycle), .help = "steps of a message cycle"},
    {"messages", NP_FIELD_BOOL, offsetof(np_explanation, messages), .help = "not packets"},
    {"late", NP_FIELD_I64, offsetof(np_explanation, late), .help = "w"},
    {"elements", NP_FIELD_I64, offsetof(np_explanation, elements), .help = "that the lemmas promise"},
    {"merged", NP_FIELD_U32, offsetof(np_explanation, delays[NP_EXPLAINED_MERGED]), .help = "delays by ranks"},
    {"full", NP_FIELD_U32, offsetof(np_explanation, delays[NP_EXPLAINED_FULL]), .help = "delays by full queues"},
    {"rows", NP_FIELD_LIST, .get = get_sequence, .fields = &row_fields, .help = "the sequence"},
    {"first", NP_FIELD_OBJECT, .get = get_first, .fields = &row_fields, .help = "its first packet"},
    {"lemma5", NP_FIELD_OBJECT, offsetof(np_explanation, verdict[NP_LEMMA_2_5]), .fields = &verdict_fields,
     .help = "2.5"},
    {"lemma6", NP_FIELD_OBJECT, offsetof(np_explanation, verdict[NP_LEMMA_2_6]), .fields = &verdict_fields,
     .help = "2.6"},
    {"lemma7", NP_FIELD_OBJECT, offsetof(np_explanation, verdict[NP_LEMMA_2_7]), .fields = &verdict_fields,
     .help = "2.7"},
    {"lemma8", NP_FIELD_OBJECT, offsetof(np_explanation, verdict[NP_LEMMA_2_8]), .fields = &verdict_fields,
     .help = "2.8"},
    {"section11", NP_FIELD_OBJECT, offsetof(np_explanation, verdict[NP_SECTION_11]), .fields = &verdict_fields,
     .help = "if and only if"},
};

static const np_fields sequence_fields = NP_FIELDS("sequence", "an explanation", np_explanation, sequence_rows);

static const char sequence_layout[] =
    "{with first: {messages ? message : packet} {packet} {messages ? begins to arrive : arrives} last, in step {step} "
    "of "
    "0..{last_step}: w = {late} after the L = {levels} that a path may take\n}"
    "its delay sequence, backwards: {merged} delays by a smaller rank, {full} by a full queue of {queue_size}\n\n"
    "{cycle>1 ? a step here is a message cycle of {cycle} steps\n\n}"
    "{table rrrrrrrl: packet|rank|level|node|step|lag|ghost|why\n"
    "{each rows: {packet}|{rank}|{level}|{node}|{step}|{lag}|{ghost ? {ghost} : -}|{kind=last ? arrives last}"
    "{kind=rank ? smaller rank{ghost ? , by ghost}}{kind=full ? full queue}{kind=origin ? had not waited before}"
    "{kind=empty ? waited for the first of the stream}\n}}"
    "\n{with lemma5: Lemma 2.5  {holds ? holds : FAILS}  path of {messages ? messages : the first {elements} packets}, "
    "distinct and in order of rank: {have} of at most {need}\n}"
    "{with lemma6: Lemma 2.6  {holds ? holds : FAILS}  delays after which the lag is less by 1"
    "{messages ?  (2: full queue) to the length, or 1 more : , or 2 for a full queue}: {have} of all {need}\n}"
    "{with lemma7: Lemma 2.7  {holds ? holds : FAILS}  {messages ? steps that the lengths of messages and full queues "
    "account for : packets{queue_size=1 ?  (half of w, as q = 1)}}: {have} of at least {need}\n}"
    "{with lemma8: Lemma 2.8  {holds ? holds : FAILS}  path, L + 2 for each full queue: {have} of at most {need}\n}"
    "{!messages ? {with section11: Section 11 {holds ? holds : FAILS}  packets that arrive in the step of their "
    "longest "
    "delay sequence, and in no other: {have} of all {need}\n}}";

np_status np_explanation_print(const np_explanation *explanation, FILE *stream)
{
    const char *layout = explanation->rows ? sequence_layout : "no packets: nothing to explain\n";
    return np_layout_print(layout, &sequence_fields, explanation, NULL, stream);
}

/* ---- The report ---- */

static np_status print(const np_route_explanation *explanation, const np_route_result *result, FILE *stream)
{
    if (explanation->router) {
        fprintf(stream, "\nexplain  ");
        return np_constrained_explanation_print(explanation->router, stream);
    }
    fprintf(stream, "\nexplain  phase %s of run %u: ", result->phase[explanation->phase].name, explanation->run);
    return np_explanation_print(&explanation->sequence, stream);
}

np_status np_report_explain(const np_network *network, const char *traffic, const np_route_options *options,
                            const np_route_result *result, const np_report_options *given, FILE *stream, bool *holds)
{
    np_report_options report;
    np_route_explanation explanation;
    np_status st = np_options_take(&np_report_options_fields, given, &report);
    *holds = true;
    if (st)
        return st;
    if (report.format == NP_REPORT_CSV)
        return NP_RAISE(NP_ERROR_INPUT, "an explanation does not fit into CSV: table or json");
    st = np_route_explain(network, traffic, options, result, &explanation);
    if (!st)
        st = np_report_route_with(result, &explanation, &report, stream);
    if (!st && report.format != NP_REPORT_JSON)
        st = print(&explanation, result, stream);
    *holds = st || all_hold(&explanation);
    np_route_explanation_clear(&explanation);
    return st;
}
