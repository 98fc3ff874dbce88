/* What a collective operation took; which algorithm is the cheapest for which l; the schedule. */
#include <string.h>

#include "model/network/read_node.h"
#include "show/table/collective.h"
#include "show/table/csv.h"
#include "show/table/shape.h"

static const np_field show_rows[] = {
    {"show", NP_FIELD_BOOL, offsetof(np_report_collective_options, show),
     .help = "Draw the schedule of broadcast, gather or gossip; JSON lists that of any operation",
     .group = "What to report:"},
};

const np_fields np_report_collective_options_fields = NP_OPTIONS(
    "report_collective_options", "the report of an operation", np_report_collective_options, show_rows, NULL);

/* ---- The schedule: a list of messages for each round ---- */

typedef struct message {
    const np_network *network;
    np_node from, to;
    const uint32_t *packet;
    size_t packets;
} message;

NP_BEGINS_WITH_ENDS(message);

static const np_field message_rows[] = {
    {"from", NP_FIELD_NODE, .get = np_ends_get_from, .help = "the sender"},
    {"to", NP_FIELD_NODE, .get = np_ends_get_to, .help = "the receiver"},
    {"packets", NP_FIELD_LIST, offsetof(message, packet), .count_at = offsetof(message, packets),
     .help = "numbers: of gossip and gather the source, of broadcast and reduce the flit, of all-to-all source times "
             "nodes plus destination; of permutation and k-k its place in the traffic"},
};

static const np_fields message_fields = NP_FIELDS("message", "a message", message, message_rows);

/* A round of a schedule; messages are found one after the other, from `next` on. */
typedef struct round {
    const np_network *network;
    const np_collective_schedule *schedule;
    size_t next, end;
} round;

static size_t message_end(const round *r)
{
    size_t end = r->next;
    while (end < r->end && r->schedule->link[end] == r->schedule->link[r->next])
        end++;
    return end;
}

static void get_message(np_value *list, size_t i, np_value *item)
{
    round r;
    (void)i;
    memcpy(&r, &list->room, sizeof r);
    size_t end = message_end(&r);
    np_link link = r.schedule->link[r.next];
    const message one = {r.network, np_network_link_tail(r.network, link), np_network_link_head(r.network, link),
                         r.schedule->piece + r.next, end - r.next};
    np_value_hold(item, &one, sizeof one);
    r.next = end;
    memcpy(&list->room, &r, sizeof r);
}

/* ---- JSON ---- */

typedef struct view {
    const np_collective_result *result;
    const np_network *network;
    bool show;
    size_t models, wins; /* 0: nothing was compared */
    const np_collective_candidate *candidate;
    const np_collective_win *win;
} view;

static const view *of(const void *object) { return object; }

static bool is_compared(const void *object) { return of(object)->models; }
static bool is_shown(const void *object) { return of(object)->show && of(object)->result->schedule; }
static void get_seconds(const void *object, np_value *value) { value->real = of(object)->result->wall_seconds; }

static void get_round(np_value *list, size_t i, np_value *item)
{
    const np_collective_schedule *s = of(list->object)->result->schedule;
    round r = {of(list->object)->network, s, s->first[i], s->first[i + 1]};
    memcpy(&item->room, &r, sizeof r);
    item->kind = NP_VALUE_LIST;
    item->item = get_message;
    for (item->count = 0; r.next < r.end; r.next = message_end(&r))
        item->count++;
}

static void get_schedule(const void *object, np_value *value)
{
    value->object = object;
    value->count = of(object)->result->schedule->rounds;
    value->item = get_round;
}

static void get_from(const void *object, np_value *value)
{
    value->whole = (uint64_t)((const np_collective_win *)object)->from;
}

static void get_to(const void *object, np_value *value)
{
    value->whole = (uint64_t)((const np_collective_win *)object)->to;
}

static const np_field win_rows[] = {
    {"algorithm", NP_FIELD_TEXT, offsetof(np_collective_win, algorithm), .help = "the cheapest"},
    {"from", NP_FIELD_U64, .get = get_from, .help = "for l from this"},
    {"to", NP_FIELD_U64, .get = get_to, .help = "to this"},
};

static const np_fields win_fields = NP_FIELDS("collective_win", "a winner", np_collective_win, win_rows);

static const np_field view_rows[] = {
    {NULL, NP_FIELD_INSET, offsetof(view, result), .flags = NP_FIELD_BEHIND, .fields = &np_collective_result_fields},
    {"candidates", NP_FIELD_LIST, offsetof(view, candidate), .count_at = offsetof(view, models), .known = is_compared,
     .fields = &np_collective_candidate_fields,
     .help = "with `--best`: the algorithms, the cheapest first; else `null`"},
    {"wins", NP_FIELD_LIST, offsetof(view, win), .count_at = offsetof(view, wins), .known = is_compared,
     .fields = &win_fields, .help = "with `--best`: which is the cheapest where; else `null`"},
    {"schedule", NP_FIELD_LIST, .get = get_schedule, .known = is_shown, .fields = &message_fields,
     .help =
         "with `--show`: for each round a list of messages; else `null`, and by `greedy`, from whose queues there is "
         "none"},
    {"wall_seconds", NP_FIELD_REAL, .get = get_seconds, .unit = "seconds", .help = "time of the operation"},
};

static const np_fields view_fields = NP_FIELDS("collective", "an operation", view, view_rows);

/* ---- CSV: a line for what was done and, with a comparison, one for each other algorithm ---- */

typedef struct line {
    const np_collective_result *result;
    const np_collective_result *done; /* the same operation; NULL: it was not done, and nothing was measured */
} line;

static const np_field line_rows[] = {
    {NULL, NP_FIELD_INSET, offsetof(line, result), .flags = NP_FIELD_BEHIND, .fields = &np_collective_result_fields},
    {"done", NP_FIELD_OBJECT, offsetof(line, done), .flags = NP_FIELD_BEHIND, .fields = &np_collective_result_fields,
     .help = "empty in the lines of other algorithms"},
};

static const np_fields line_fields = NP_FIELDS("collective_line", "an operation", line, line_rows);

#define COLUMNS                                                                                                        \
    "network,operation,algorithm,ports,root,traffic,seed,nodes,size,cv,ca,flits,packets=done.packets,rounds=done."     \
    "rounds,"                                                                                                          \
    "steps=done.steps,transfers=done.transfers,cost=done.cost,formula_rounds=formula.rounds,formula_steps=formula."    \
    "steps,"                                                                                                           \
    "formula_cost=formula.cost,bound_rounds=done.lower_bounds.rounds,bound_steps=done.lower_bounds.steps,"             \
    "bound_cost=done.lower_bounds.cost,ci,bucketed=done.bucketed,formula_bucketed"

static const char columns[] = COLUMNS;

/* Of an operation among ranks. */
static const char columns_of_ranks[] =
    COLUMNS ",model,ranks,place,link_rate,part,packet_size,time,algorithm_bandwidth,bus_bandwidth";

/* The bound may differ from the bound of `done`, because the ports may differ. */
static void compared(const np_collective_result *done, const np_collective_candidate *c, const char *names,
                     FILE *stream)
{
    np_collective_result other = *done;
    other.algorithm = c->algorithm;
    other.ports = NULL;
    other.flits = c->flits;
    other.has_formula = true;
    other.formula = (np_collective_figure){c->rounds, c->steps, c->cost, ""};
    other.formula_bucketed = c->bucketed;
    other.time = c->time;
    other.algorithm_bandwidth = other.bus_bandwidth = 0;
    np_csv_line(&line_fields, &(line){&other, NULL}, names, stream);
}

static np_status report_csv(const void *object, FILE *stream)
{
    const view *v = object;
    const char *names = v->result->model ? columns_of_ranks : columns;
    np_csv_head(&line_fields, names, stream);
    np_csv_line(&line_fields, &(line){v->result, v->result}, names, stream);
    for (size_t i = 0; i < v->models; i++)
        if (strcmp(v->candidate[i].algorithm, v->result->algorithm))
            compared(v->result, &v->candidate[i], names, stream);
    return np_output_check(stream, "the report");
}

/* ---- For people ---- */

static void get_routed(const void *object, np_value *value) { value->truth = of(object)->result->routed; }

static void get_part(const void *object, np_value *value)
{
    const np_collective_result *r = of(object)->result;
    value->real = r->model ? r->part : r->size / (r->flits ? (double)r->flits : 1);
}

static const np_field shown_rows[] = {
    {NULL, NP_FIELD_INSET, .fields = &view_fields},
    {"routed", NP_FIELD_BOOL, .get = get_routed, .help = "from queues"},
    {"one", NP_FIELD_REAL, .get = get_part, .help = "data in a packet"},
};

static const np_fields shown = NP_FIELDS("collective_shown", "an operation", view, shown_rows);

static const char layout[] =
    "network    {network}: {nodes} nodes\n"
    "operation  {operation}{!root=null ? , root {root}}{traffic ? , {traffic}}: "
    "{flits ? {packets flit} : {packets packet}} of {one:15} data\n"
    "algorithm  {algorithm}, {ports}"
    "{optimal=null ?  : {optimal ?  : , not proved to be optimal}}\n"
    "{optimal_of ? proved     {optimal_of}\n}"
    "outcome    complete: {routed ? all packets delivered, a packet a link and step, from queues : links, ports and "
    "holdings checked in every round}\n\n"
    "{table lrrr: |measured|formula|at least\n"
    "rounds|{rounds}|{formula.rounds}|{lower_bounds.rounds}\n"
    "steps|{steps}|{formula.steps}|{lower_bounds.steps}\n"
    "{bucketed ? bucketed|{bucketed}|{formula=null ? - : {formula_bucketed}}|0\n}"
    "cost|{cost}|{formula.cost}|{lower_bounds.cost}\n"
    "transfers|{transfers}||\n}"
    "{model ? \n"
    "model      {model}: {ranks rank}{model=rounds ?  : , placed {place}}"
    "{packet_size ? , packets of {packet_size:15}}{link_rate ? , links of {link_rate:15} bit/s}\n"
    "time       {time=1 ? 1 {link_rate ? second : step} : {time:6} {link_rate ? seconds : steps}}\n"
    "{algorithm_bandwidth ? bandwidth  {algorithm_bandwidth:6} {link_rate ? bytes a second : data a step} by size, "
    "{bus_bandwidth:6} on the bus\n}}"
    "\ncost       c_v l steps + c_a rounds{ci>0 ?  + c_i l bucketed}: c_v = {cv:15}, c_a = {ca:15}"
    "{ci>0 ? , c_i = {ci:15}}\n"
    "{with formula: formula    {text}\n}"
    "at least   {lower_bound_of}: {lower_bounds.text}\n"
    "{candidates ? \nalgorithms, {wins ? the cheapest first (flits: as given, or the best) : the fastest first}\n"
    "{wins ? {table lrrrr:   algorithm|flits|rounds|steps|cost\n"
    "{each candidates:   {algorithm}|{flits}|{rounds}|{steps}|{cost}\n}}"
    "\nthe cheapest for l\n"
    "{table rl: {each wins:   {from}..{to}|{algorithm}\n}} : "
    "{table lrrr:   algorithm|rounds|steps|time\n"
    "{each candidates:   {algorithm}|{rounds}|{steps}|{time:6}\n}}}}";

static const char end[] = "\n{command ? repeat     {command}\n}by         netpram {version} in {wall_seconds:3} s\n";

static np_status print(const void *object, const np_report_options *options, FILE *stream)
{
    const view *v = object;
    (void)options;
    return v->show ? np_report_collective_show(v->network, v->result, stream) : NP_OK;
}

const np_report_form np_report_collective_form = {{"collective", &view_fields, &line_fields, columns},
                                                  .open = 2,
                                                  .csv = report_csv,
                                                  .fields = &shown,
                                                  .layout = layout,
                                                  .rest = {end},
                                                  .people = print};

np_status np_report_collective(const np_network *network, const np_collective_result *result,
                               const np_report_collective_options *more, const np_report_options *given, FILE *stream)
{
    np_report_collective_options full;
    np_collective_candidate candidate[NP_COLLECTIVE_MODELS];
    np_collective_win win[NP_COLLECTIVE_WINS];
    np_status st = np_options_take(&np_report_collective_options_fields, more, &full);
    if (st)
        return st;
    if (full.show && result->model)
        return NP_RAISE(NP_ERROR_APPLY, "--show draws what crosses links, and these are messages of ranks");
    view v = {result, network, full.show, full.models, 0, candidate, win};
    if (full.models) {
        np_collective_compare(full.models, full.model, full.collective, candidate);
        if (!(candidate->time > 0))
            v.wins = np_collective_wins(full.models, full.model, full.collective, win);
    }
    return np_report_print(&np_report_collective_form, &v, given, stream);
}
