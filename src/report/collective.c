/* What a collective operation took, as a table; and which algorithm is the cheapest for which l. */
#include "report/collective.h"

#include <math.h>
#include <string.h>

#include "netpram/base.h"
#include "report/layout.h"

/* 1000 options->data, rounded up to a power of ten; from 1e6 to 1e18 (ours), which is a whole number in JSON. */
double np_collective_largest(const np_collective_options *options)
{
    double largest = 1000 * fmin(options->data, 1e15), power = 1e6;
    while (power < largest)
        power *= 10;
    return power;
}

static const char *winner(size_t count, const np_collective_model *model, const np_collective_options *options,
                          double l)
{
    np_collective_candidate candidate[NP_COLLECTIVE_MODELS];
    np_collective_options with = *options;
    with.data = l;
    np_collective_compare(count, model, &with, candidate);
    return candidate[0].algorithm;
}

/* The last whole l before `high` at which `name` wins; it wins at `low`. Beyond 2^53 doubles are farther apart. */
static double last_win(size_t count, const np_collective_model *model, const np_collective_options *options,
                       const char *name, double low, double high)
{
    for (double middle; middle = floor((low + high) / 2), low < middle && middle < high;) {
        if (!strcmp(winner(count, model, options, middle), name))
            low = middle;
        else
            high = middle;
    }
    return low;
}

size_t np_collective_wins(size_t count, const np_collective_model *model, const np_collective_options *options,
                          np_collective_win *win)
{
    double largest = np_collective_largest(options), at = 1;
    size_t wins = 1;
    win[0] = (np_collective_win){winner(count, model, options, 1), 1, 1};
    while (at < largest) { /* l grows by a twentieth: the winner of a shorter range may be missed */
        double next = floor(at * 1.05) + 1;
        next = next < largest ? next : largest;
        const char *name = winner(count, model, options, next);
        if (strcmp(name, win[wins - 1].algorithm) && wins < NP_COLLECTIVE_WINS) {
            win[wins - 1].to = last_win(count, model, options, win[wins - 1].algorithm, at, next);
            win[wins] = (np_collective_win){name, win[wins - 1].to + 1, next};
            wins++;
        }
        win[wins - 1].to = at = next;
    }
    return wins;
}

/* ---- For people ---- */

typedef struct shown {
    const np_collective_result *result;
    const char *root; /* its name */
    bool routed;
    double part, seconds; /* data in a packet; of the operation */
    const np_collective_candidate *candidate;
    size_t models;
    const np_collective_win *win;
    size_t wins;
} shown;

static const np_field shown_rows[] = {
    {"root_name", NP_FIELD_TEXT, offsetof(shown, root), .help = "of the root"},
    {"routed", NP_FIELD_BOOL, offsetof(shown, routed), .help = "from queues"},
    {"wall_seconds", NP_FIELD_REAL, offsetof(shown, seconds), .help = "of the operation"},
    {"part", NP_FIELD_REAL, offsetof(shown, part), .help = "data in a packet"},
    {"candidates", NP_FIELD_LIST, offsetof(shown, candidate), .count_at = offsetof(shown, models),
     .fields = &np_collective_candidate_fields, .help = "the cheapest first"},
    {"wins", NP_FIELD_LIST, offsetof(shown, win), .count_at = offsetof(shown, wins),
     .fields = &np_collective_win_fields, .help = "by l"},
    {NULL, NP_FIELD_INSET, offsetof(shown, result), .flags = NP_FIELD_BEHIND, .fields = &np_collective_result_fields},
};

static const np_fields shown_fields = NP_FIELDS("collective_shown", "an operation", shown, shown_rows);

static const char layout[] =
    "network    {network}: {nodes} nodes\n"
    "operation  {operation}{root=null ?  : , root {root_name}}{traffic ? , {traffic}}: "
    "{flits ? {packets flit} : {packets packet}} of {part:15} data\n"
    "algorithm  {algorithm}, {ports}"
    "{optimal=null ?  : {optimal ? , proved to be optimal : , not proved to be optimal}}\n"
    "outcome    complete: {routed ? all packets delivered, a packet a link and step, from queues : links, ports and "
    "holdings checked in every round}\n\n"
    "{table lrrr: |measured|formula|at least\n"
    "rounds|{rounds}|{formula.rounds}|{lower_bounds.rounds}\n"
    "steps|{steps}|{formula.steps}|{lower_bounds.steps}\n"
    "{bucketed ? bucketed|{bucketed}|{formula=null ? - : {formula_bucketed}}|0\n}"
    "cost|{cost}|{formula.cost}|{lower_bounds.cost}\n"
    "transfers|{transfers}||\n}"
    "\ncost       c_v l steps + c_a rounds{ci>0 ?  + c_i l bucketed}: c_v = {cv:15}, c_a = {ca:15}"
    "{ci>0 ? , c_i = {ci:15}}\n"
    "{with formula: formula    {text}\n}"
    "at least   {lower_bound_of}: {lower_bounds.text}\n"
    "{candidates ? \nalgorithms, the cheapest first (flits: the best number)\n"
    "{table lrrrr:   algorithm|flits|rounds|steps|cost\n"
    "{each candidates:   {algorithm}|{flits}|{rounds}|{steps}|{cost}\n}}"
    "\nthe cheapest for l\n"
    "{table rl: {each wins:   {from}..{to}|{algorithm}\n}}}";

static const char end[] = "\n{command ? repeat     {command}\n}by         netpram {version} in {wall_seconds:3} s\n";

static np_status report_table(const np_network *network, const np_collective_result *result,
                              const np_report_collective_options *more, const char *command, FILE *stream)
{
    np_collective_candidate candidate[NP_COLLECTIVE_MODELS];
    np_collective_win win[NP_COLLECTIVE_WINS];
    char room[NP_NAME_ROOM];
    shown s = {.result = result, .routed = result->routed, .candidate = candidate, .models = more->models, .win = win};
    s.seconds = result->wall_seconds;
    s.part = result->size / (result->flits ? (double)result->flits : 1);
    if (result->rooted)
        s.root = np_network_node_name(network, result->root, room);
    if (more->models) {
        np_collective_compare(more->models, more->model, more->collective, candidate);
        s.wins = np_collective_wins(more->models, more->model, more->collective, win);
    }
    np_status st = np_layout_print(layout, &shown_fields, &s, command, stream);
    if (!st && more->show)
        st = np_report_collective_show(network, result, stream);
    return st ? st : np_layout_print(end, &shown_fields, &s, command, stream);
}

np_status np_report_collective(const np_network *network, const np_collective_result *result,
                               const np_report_collective_options *more, const np_report_options *given, FILE *stream)
{
    np_report_options options;
    np_report_collective_options full;
    np_status st = np_options_take(&np_report_options_fields, given, &options);
    if (st || (st = np_options_take(&np_report_collective_options_fields, more, &full)))
        return st;
    more = &full;
    if (options.format == NP_REPORT_CSV)
        return np_report_collective_csv(result, more, stream);
    if (options.format == NP_REPORT_JSON)
        return np_report_collective_json(network, result, more, &options, stream);
    return report_table(network, result, more, options.command, stream);
}
