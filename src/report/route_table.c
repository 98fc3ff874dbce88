/*
 * A route as a table: what was routed, a row for each phase, the bound if asked
 * for, and the command that repeats the route. Cells are means over the runs;
 * the steps, the most important measure, also show their spread.
 */
#include <math.h>
#include <string.h>

#include "netpram/base.h"
#include "base/decimal.h"
#include "base/plural.h"
#include "base/real.h"
#include "report/route.h"
#include "report/table.h"

/* The number of permutations routed at a time. They are drawn or copied unless the traffic itself has as many. */
static void permutations(const np_route_result *result, FILE *stream)
{
    np_packet packets = result->phase[0].run[0].packets;
    if (result->permutations < 2)
        return;
    fprintf(stream, "         %u permutations at a time", result->permutations);
    if (packets != result->packets)
        fprintf(stream, ", %s: %u packets", strcmp(result->traffic, "random") ? "all the same" : "each drawn by itself",
                packets);
    fputc('\n', stream);
}

static const char *by_way_of(np_via via)
{
    static const char *const words[] = {"", ", by way of nodes", ", by way of hosts", ", by way of switches"};
    return words[via];
}

static void header(const np_route_result *result, FILE *stream)
{
    fprintf(stream, "network  %s: %llu node%s, %llu link%s\n", result->network, (unsigned long long)result->nodes,
            np_plural(result->nodes), (unsigned long long)result->links, np_plural(result->links));
    fprintf(stream, "scheme   %s: paths %s, queue %s%s%s\n", result->scheme, result->paths, result->queue,
            by_way_of(result->via),
            result->overlap            ? ", phases overlap"
            : result->permutations > 1 ? " in a permutation, the most urgent permutation first"
                                       : "");
    fprintf(stream, "traffic  %s: %u packet%s, a partial %u-relation\n", result->traffic, result->packets,
            np_plural(result->packets), result->relation);
    if (result->has_load_factor)
        fprintf(stream, "         load factor %s: no routing takes fewer steps\n", NP_REAL(result->load_factor, 4));
    permutations(result, stream);
    fprintf(stream, "runs     %u from seed %llu%s\n\n", result->runs, (unsigned long long)result->seed,
            result->runs > 1 ? " (means; \302\261 is the 95% confidence interval, [least..most])" : "");
}

static void steps_cell(np_table *table, const np_summary *steps)
{
    char spread[NP_TABLE_SPREAD];
    if (isnan(steps->ci95))
        np_table_number(table, steps->mean);
    else
        np_table_add(table, "%s %s", NP_FIXED(steps->mean, 2), np_table_spread(steps, sizeof spread, spread));
}

static void phase_row(np_table *table, const np_phase_result *phase)
{
    np_table_add(table, "%s", phase->name);
    steps_cell(table, &phase->steps);
    np_table_number(table, phase->delay_mean.mean);
    np_table_number(table, phase->delay_max.mean);
    np_table_number(table, phase->queue_max.mean);
    np_table_number(table, phase->population_max.mean);
    np_table_number(table, phase->congestion.mean);
    np_table_number(table, phase->hops.mean);
}

/* Steps that were the same in all runs have no interval. */
static void equal_line(const char *name, const np_summary *steps, FILE *stream)
{
    char spread[NP_TABLE_SPREAD];
    if (steps->count > 1 && isnan(steps->ci95))
        fprintf(stream, "%-8s %s\n", name, np_table_spread(steps, sizeof spread, spread));
}

static np_status phases(const np_route_result *result, FILE *stream)
{
    static const char *const titles[] = {"phase", "steps",      "delay",      "max delay",
                                         "queue", "population", "congestion", "hops"};
    np_table table;
    np_table_begin(&table, "lrrrrrrr", titles);
    for (size_t i = 0; i < result->phases; i++)
        phase_row(&table, &result->phase[i]);
    if (result->phases > 1) {
        np_table_add(&table, "total");
        steps_cell(&table, &result->total_steps);
        for (size_t i = 2; i < table.columns; i++)
            np_table_add(&table, "%s", "");
    }
    np_status st = np_table_end(&table, stream);
    for (size_t i = 0; i < result->phases && !st; i++)
        equal_line(result->phase[i].name, &result->phase[i].steps, stream);
    if (result->phases > 1 && !st)
        equal_line("total", &result->total_steps, stream);
    return st;
}

/* What became of the fixed time of phases. */
static void timing(const np_route_result *result, FILE *stream)
{
    const np_summary *late =
        &result->phase[result->phases - 1].late; /* of the one phase that overlapping ones are; or of F */
    const char *mean = result->runs > 1 ? " (mean)" : "";
    if (!result->phase_time)
        return;
    fprintf(stream, "\ntime     %u step%s a phase: ", result->phase_time, np_plural(result->phase_time));
    if (!result->fallback)
        fprintf(stream, "%s packet%s late%s\n", NP_REAL(late->mean, 6), late->mean == 1 ? " was" : "s were", mean);
    else if (!result->fallback_runs)
        fprintf(stream, "enough for all\n");
    else
        fprintf(stream, "too short in %u of %u run%s, and %s packet%s went on by %s%s\n", result->fallback_runs,
                result->runs, np_plural(result->runs), NP_REAL(late->mean, 6), late->mean == 1 ? "" : "s",
                result->fallback, mean);
}

/* How the packets' delays spread. */
static np_status delays(const np_route_result *result, FILE *stream)
{
    static const char *const titles[] = {"delay", "median", "90%", "99%", "99.9%"};
    np_table table;
    np_table_begin(&table, "lrrrr", titles);
    for (size_t i = 0; i < result->phases; i++) {
        const np_phase_result *phase = &result->phase[i];
        np_table_add(&table, "%s", phase->name);
        np_table_number(&table, phase->delay_p50.mean);
        np_table_number(&table, phase->delay_p90.mean);
        np_table_number(&table, phase->delay_p99.mean);
        np_table_number(&table, phase->delay_p999.mean);
    }
    fputc('\n', stream);
    return np_table_end(&table, stream);
}

static double log2_packets(const np_phase_result *phase)
{
    return phase->run[0].packets ? np_log2(phase->run[0].packets) : 0;
}

static void leveled_row(np_table *table, const np_phase_result *phase)
{
    np_table_add(table, "%s", phase->name);
    np_table_number(table, phase->congestion_destinations.mean);
    np_table_number(table, phase->levels.mean);
    np_table_add(table, "%s", NP_FIXED(log2_packets(phase), 2));
    np_table_add(table, "%s", NP_FIXED(phase->ratio.mean, 3));
    np_table_number(table, phase->queue_real_max.max);
    np_table_number(table, phase->ghosts.mean);
    np_table_number(table, phase->combined.mean);
    np_table_add(table, "%u", phase->emulation.nodes_per_node);
    np_table_add(table, "%u", phase->emulation.links_per_link);
    np_table_number(table, phase->physical_steps.mean);
}

/* How often Lemma 2.3 did not hold. */
static void starved(const np_phase_result *phase, FILE *stream)
{
    if (phase->starves)
        fprintf(stream,
                "phase %s: Lemma 2.3 fails %s times (mean): a node with packets waits for an empty queue after step "
                "level\n",
                phase->name, NP_FIXED(phase->starved.mean, 2));
}

/* What was executed of message cycles. */
static void cycles(const np_route_result *result, const np_phase_result *phase, FILE *stream)
{
    const char *mean = result->runs > 1 ? " (mean)" : "";
    if (phase->in_cycles)
        fprintf(stream,
                "phase %s: %s message cycles; the last packet of a message came in step %s, of %s packets over "
                "links%s\n",
                phase->name, NP_REAL(phase->cycles.mean, 6), NP_REAL(phase->packet_steps.mean, 6),
                NP_REAL(phase->packet_hops.mean, 6), mean);
}

/* The lines that only merging on leveled networks has. */
static np_status leveled(const np_route_result *result, FILE *stream)
{
    const char *const titles[] = {"leveled",
                                  "c",
                                  "L",
                                  "log2 N",
                                  "steps/(c+L+log2 N)",
                                  "real queue",
                                  "ghosts",
                                  "combined",
                                  "nodes/node",
                                  "links/link",
                                  result->physical ? "physical" : "physical <="};
    np_table table;
    if (!result->phases || !result->phase[0].leveled)
        return NP_OK;
    np_table_begin(&table, "lrrrrrrrrrr", titles);
    for (size_t i = 0; i < result->phases; i++)
        leveled_row(&table, &result->phase[i]);
    fputc('\n', stream);
    np_status st = np_table_end(&table, stream);
    for (size_t i = 0; i < result->phases; i++)
        starved(&result->phase[i], stream);
    for (size_t i = 0; i < result->phases; i++)
        cycles(result, &result->phase[i], stream);
    return st;
}

/* The lines that only schedules by an outline have. */
static np_status outlined(const np_route_result *result, FILE *stream)
{
    static const char *const titles[] = {"outline", "c", "d", "steps/(c+d)", "times", "load", "resamplings"};
    np_table table;
    if (!result->phases || !result->phase[0].outlined)
        return NP_OK;
    np_table_begin(&table, "lrrrrrr", titles);
    for (size_t i = 0; i < result->phases; i++) {
        const np_phase_result *phase = &result->phase[i];
        np_table_add(&table, "%s", phase->name);
        np_table_number(&table, phase->congestion.mean);
        np_table_number(&table, phase->dilation.mean);
        np_table_add(&table, "%s", NP_FIXED(phase->c_d_ratio.mean, 3));
        np_table_number(&table, phase->outline.mean);
        np_table_number(&table, phase->outline_load.mean);
        np_table_number(&table, phase->resamplings.mean);
    }
    fputc('\n', stream);
    return np_table_end(&table, stream);
}

/* "phase A", or "total". */
static void name_bound(const np_report_bound *bound, FILE *stream)
{
    fprintf(stream, "\nbound    %s%s: %s, %s: %s", strcmp(bound->phase, "total") ? "phase " : "", bound->phase,
            bound->source, bound->theorem, bound->formula);
}

/* A theorem that holds with certainty. */
static void bound_steps(const np_report_bound *bound, uint32_t runs, FILE *stream)
{
    const np_report_steps *steps = &bound->steps;
    name_bound(bound, stream);
    fprintf(stream, " (h = %u)\n         %s %s steps, measured %s", bound->relation,
            np_report_relation_name(steps->relation), NP_FIXED(steps->theorem, 0), NP_FIXED(steps->measured, 0));
    if (steps->relation == NP_REPORT_ABOUT)
        fprintf(stream, ", %s times\n", NP_FIXED(steps->theorem > 0 ? steps->measured / steps->theorem : 1, 3));
    else if (runs == 1)
        fprintf(stream, "%s\n", steps->equal ? ": equal" : steps->broken ? ": BROKEN" : "");
    else
        fprintf(stream, ": equal in %u of %u runs%s\n", steps->equal, runs, steps->broken ? ", BROKEN in others" : "");
}

static np_status bound_table(const np_report_bound *bound, FILE *stream)
{
    np_table table;
    name_bound(bound, stream);
    fprintf(stream, " (h = %u, T = %u)\n", bound->relation, bound->packets);
    np_table_begin(&table, "lrr", NULL);
    np_table_add(&table, "%s", bound->measure);
    np_table_add(&table, "P at most");
    np_table_add(&table, "measured");
    for (size_t i = 0; i < bound->rows; i++) {
        np_table_add(&table, "%s %s", strcmp(bound->measure, "steps") ? ">=" : ">", NP_REAL(bound->row[i].value, 6));
        np_table_add(&table, "%s", NP_REAL(bound->row[i].bound, 3));
        np_table_add(&table, "%s", NP_REAL(bound->row[i].measured, 3));
    }
    return np_table_end(&table, stream);
}

static np_status bounds(const np_report_options *options, uint32_t runs, FILE *stream)
{
    const char *said = "";
    np_status st = NP_OK;
    for (size_t i = 0; i < options->bounds && !st; i++) {
        const np_report_bound *bound = &options->bound[i];
        if (!*bound->reason && bound->steps.relation)
            bound_steps(bound, runs, stream);
        else if (!*bound->reason)
            st = bound_table(bound, stream);
        else if (strcmp(bound->reason, said)) /* once, if it is the same for all phases */
            fprintf(stream, "\nbound    none: %s\n", said = bound->reason);
    }
    return st;
}

np_status np_report_route_table(const np_route_result *result, const np_report_options *options, FILE *stream)
{
    np_status st;
    header(result, stream);
    if ((st = phases(result, stream)))
        return st;
    timing(result, stream);
    if ((st = delays(result, stream)) || (st = leveled(result, stream)) || (st = outlined(result, stream)) ||
        (st = bounds(options, result->runs, stream)))
        return st;
    fputc('\n', stream);
    if (options->command && *options->command)
        fprintf(stream, "repeat   %s\n", options->command);
    fprintf(stream, "by       netpram %s in %s s on %u thread%s\n", np_version(), NP_REAL(result->wall_seconds, 3),
            result->threads, np_plural(result->threads));
    return np_output_check(stream, "the report");
}
