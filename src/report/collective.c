/* What a collective operation took, as a table; and which algorithm is the cheapest for which l. */
#include "report/collective.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "netpram/base.h"
#include "base/plural.h"
#include "report/shape.h"
#include "report/table.h"

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

static void head(const np_network *network, const np_collective_result *r, FILE *stream)
{
    char room[NP_NAME_ROOM];
    fprintf(stream, "network    %s: %" PRIu64 " nodes\n", r->network, r->nodes);
    fprintf(stream, "operation  %s", r->operation);
    if (r->rooted)
        fprintf(stream, ", root %s", np_network_node_name(network, r->root, room));
    if (r->traffic)
        fprintf(stream, ", %s", r->traffic);
    fprintf(stream, ": %" PRIu64 " %s%s of %s data\n", r->packets, r->flits ? "flit" : "packet", np_plural(r->packets),
            NP_REAL(r->size / (r->flits ? (double)r->flits : 1), 15));
    fprintf(stream, "algorithm  %s, %s%s\n", r->algorithm, r->ports,
            r->searched && !r->optimal ? ", not proved to be optimal" : "");
    if (r->optimal_of)
        fprintf(stream, "proved     %s\n", r->optimal_of);
    fprintf(stream, "outcome    complete: %s\n\n",
            r->routed ? "all packets delivered, a packet a link and step, from queues"
                      : "links, ports and holdings checked in every round");
}

static void figure(np_table *table, const char *name, double value, bool has, double formula, double bound)
{
    np_table_add(table, "%s", name);
    np_table_number(table, value);
    if (has)
        np_table_number(table, formula);
    else
        np_table_add(table, "-");
    np_table_number(table, bound);
}

static np_status figures(const np_collective_result *r, FILE *stream)
{
    np_table table;
    np_table_begin(&table, "lrrr", (const char *const[]){"", "measured", "formula", "at least"});
    figure(&table, "rounds", (double)r->rounds, r->has_formula, (double)r->formula.rounds, (double)r->bound.rounds);
    figure(&table, "steps", (double)r->steps, r->has_formula, (double)r->formula.steps, (double)r->bound.steps);
    if (r->bucketed)
        figure(&table, "bucketed", (double)r->bucketed, r->has_formula, (double)r->formula_bucketed, 0);
    figure(&table, "cost", r->cost, r->has_formula, r->formula.cost, r->bound.cost);
    np_table_add(&table, "transfers");
    np_table_number(&table, (double)r->transfers);
    np_table_add(&table, "%s", "");
    np_table_add(&table, "%s", "");
    np_status st = np_table_end(&table, stream);
    fprintf(stream, "\ncost       c_v l steps + c_a rounds%s: c_v = %s, c_a = %s", r->ci > 0 ? " + c_i l bucketed" : "",
            NP_REAL(r->cv, 15), NP_REAL(r->ca, 15));
    if (r->ci > 0)
        fprintf(stream, ", c_i = %s", NP_REAL(r->ci, 15));
    fputc('\n', stream);
    if (r->has_formula)
        fprintf(stream, "formula    %s\n", r->formula.text);
    fprintf(stream, "at least   %s%s\n", r->bound_of_rounds ? "rounds: " : "steps: ", r->bound.text);
    return st;
}

static np_status candidates(const np_report_collective_options *more, FILE *stream)
{
    static const char *const titles[] = {"  algorithm", "flits", "rounds", "steps", "cost"};
    np_collective_candidate candidate[NP_COLLECTIVE_MODELS];
    np_table table;
    np_collective_compare(more->models, more->model, more->collective, candidate);
    fputs("\nalgorithms, the cheapest first (flits: the best number)\n", stream);
    np_table_begin(&table, "lrrrr", titles);
    for (size_t i = 0; i < more->models; i++) {
        np_table_add(&table, "  %s", candidate[i].algorithm);
        np_table_add(&table, candidate[i].flits ? "%" PRIu64 : "-", candidate[i].flits);
        np_table_add(&table, "%" PRIu64, candidate[i].rounds);
        np_table_add(&table, "%" PRIu64, candidate[i].steps);
        np_table_number(&table, candidate[i].cost);
    }
    return np_table_end(&table, stream);
}

static np_status winners(const np_report_collective_options *more, FILE *stream)
{
    np_collective_win win[NP_COLLECTIVE_WINS];
    np_table table;
    size_t wins = np_collective_wins(more->models, more->model, more->collective, win);
    fputs("\nthe cheapest for l\n", stream);
    np_table_begin(&table, "rl", NULL);
    for (size_t i = 0; i < wins; i++) {
        np_table_add(&table, "  %s..%s", NP_FIXED(win[i].from, 0), NP_FIXED(win[i].to, 0));
        np_table_add(&table, "%s", win[i].algorithm);
    }
    return np_table_end(&table, stream);
}

static np_status report_table(const np_network *network, const np_collective_result *result,
                              const np_report_collective_options *more, const char *command, FILE *stream)
{
    np_status st;
    head(network, result, stream);
    if ((st = figures(result, stream)))
        return st;
    if (more->models && ((st = candidates(more, stream)) || (st = winners(more, stream))))
        return st;
    if (more->show && (st = np_report_collective_show(network, result, stream)))
        return st;
    fputc('\n', stream);
    if (command && *command)
        fprintf(stream, "repeat     %s\n", command);
    fprintf(stream, "by         netpram %s in %s s\n", np_version(), NP_REAL(result->wall_seconds, 3));
    return np_output_check(stream, "the report");
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
