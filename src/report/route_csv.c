/* A route as CSV in long form: one line for each phase and measure, then the total of the steps. */
#include "netpram/output.h"
#include "report/csv.h"
#include "report/measure.h"
#include "report/route.h"

static void line(const np_route_result *result, const char *phase, const char *measure, const np_summary *summary,
                 FILE *stream)
{
    np_csv_text(result->network, stream);
    np_csv_text(result->scheme, stream);
    np_csv_text(result->paths, stream);
    np_csv_text(result->traffic, stream);
    np_csv_text(result->queue, stream);
    fprintf(stream, "%llu,%u,", (unsigned long long)result->seed, result->runs);
    np_csv_text(phase, stream);
    np_csv_text(measure, stream);
    np_csv_summary(summary, stream);
    fprintf(stream, ",%u\n", result->permutations ? result->permutations : 1);
}

np_status np_report_route_csv(const np_route_result *result, const np_report_options *options, FILE *stream)
{
    (void)options;
    fputs("network,scheme,paths,traffic,queue,seed,runs,phase,measure," NP_CSV_SUMMARY ",permutations\n", stream);
    for (size_t i = 0; i < result->phases; i++)
        for (const np_measure *measure = np_measures; measure->name; measure++)
            if (np_measure_speaks(measure, &result->phase[i]))
                line(result, result->phase[i].name, measure->name, np_measure_of(measure, &result->phase[i]), stream);
    line(result, "total", "steps", &result->total_steps, stream);
    return np_output_check(stream, "the report");
}
