/* Off-line ranks: what was promised, what they leave possible, what was measured. */
#include "netpram/base.h"
#include "base/decimal.h"
#include "base/plural.h"
#include "report/csv.h"
#include "report/json.h"
#include "report/shape.h"
#include "report/table.h"

static const char columns[] =
    "network,traffic,paths,seed,queue_size,room,rank_range,promised,bound,kept,phase=phases.name,"
    "packets=phases.packets,levels=phases.levels,congestion=phases.congestion,steps=phases.steps,own_ranks=phases.own_"
    "ranks";

const np_report_shape np_report_ranking_shape = {"ranks", &np_ranking_fields, &np_ranking_fields, columns};

static void head(const np_ranking *ranking, FILE *stream)
{
    fprintf(stream, "network  %s\n", ranking->network);
    fprintf(stream, "traffic  %s: %u packet%s\n", ranking->traffic, ranking->packets, np_plural(ranking->packets));
    fprintf(stream, "scheme   ranked: paths %s, queues of %u packets%s\n", ranking->paths, ranking->queue_size,
            ranking->freed ? ", room once freed" : "");
    if (ranking->file)
        fprintf(stream, "ranks    in 1..%u, from %s\n\n", ranking->range, ranking->file);
    else
        fprintf(stream, "ranks    in 1..%u, found by conditional expectations\n\n", ranking->range);
}

static np_status phases(const np_ranking *ranking, FILE *stream)
{
    static const char *const titles[] = {"phase", "packets", "L", "c", "steps", ""};
    np_table table;
    np_table_begin(&table, "lrrrrl", titles);
    for (size_t i = 0; i < ranking->phases; i++) {
        const np_ranking_phase *phase = &ranking->phase[i];
        np_table_add(&table, "%s", phase->name);
        np_table_add(&table, "%u", phase->packets);
        np_table_add(&table, "%u", phase->levels);
        np_table_add(&table, "%u", phase->congestion);
        np_table_add(&table, "%u", phase->steps);
        np_table_add(&table, "%s", phase->own_ranks ? "ranks of its own: not counted below" : "");
    }
    return np_table_end(&table, stream);
}

static void promise(const np_ranking *ranking, FILE *stream)
{
    if (ranking->file && !ranking->promised)
        fprintf(stream, "promise  none in the file\n");
    else if (ranking->file)
        fprintf(stream, "promise  at most %u steps, by the file: %s\n", ranking->promised,
                ranking->kept ? "kept" : "BROKEN");
    else if (ranking->estimate_first >= 1) /* only if no ranks can break the promise */
        fprintf(stream, "promise  at most %u steps, which %sany ranks keep\n", ranking->promised,
                ranking->phases > 1 ? "in some phase " : "");
    else
        fprintf(stream, "promise  at most %u steps: longer chains of delays expected, at first %s, in the end %s\n",
                ranking->promised, NP_REAL(ranking->estimate_first, 3), NP_REAL(ranking->estimate_last, 3));
}

static void results(const np_ranking *ranking, FILE *stream)
{
    fprintf(stream, "\n");
    promise(ranking, stream);
    fprintf(stream, "bound    at most %u steps, by the longest chain of delays that these ranks leave\n",
            ranking->bound);
    fprintf(stream, "steps    %u with these ranks\n", ranking->steps);
    if (ranking->random.count)
        fprintf(stream, "random   %s steps, %s..%s: %zu runs with random ranks on the same paths\n",
                NP_REAL(ranking->random.mean, 4), NP_FIXED(ranking->random.min, 0), NP_FIXED(ranking->random.max, 0),
                ranking->random.count);
}

static np_status report_table(const np_ranking *ranking, const char *command, FILE *stream)
{
    np_status st;
    head(ranking, stream);
    if ((st = phases(ranking, stream)))
        return st;
    results(ranking, stream);
    if (command && *command)
        fprintf(stream, "\nrepeat   %s\n", command);
    return np_output_check(stream, "the report");
}

np_status np_report_ranking(const np_ranking *ranking, const np_report_options *given, FILE *stream)
{
    np_report_options options;
    np_status st = np_options_take(&np_report_options_fields, given, &options);
    if (st)
        return st;
    if (options.format == NP_REPORT_JSON)
        return np_json_report(&np_ranking_fields, ranking, options.command, 3, stream);
    if (options.format == NP_REPORT_CSV)
        return np_csv_list(&np_ranking_fields, ranking, "phases", columns, stream);
    return report_table(ranking, options.command, stream);
}
