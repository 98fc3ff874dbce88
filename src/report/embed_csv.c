/* An embedding as CSV: one line, with nothing between the commas where nothing is stated or named. */
#include "report/embed.h"

#include "netpram/output.h"
#include "report/csv.h"

/* "measured,stated," */
static void figure(double measured, double stated, FILE *stream)
{
    fprintf(stream, "%.15g,", measured);
    if (stated > 0)
        fprintf(stream, "%.15g", stated);
    fputc(',', stream);
}

/* What the guest ran: empty columns if nothing of its own. */
static void guest(const np_report_map *map, const np_network *network, FILE *stream)
{
    const np_embedding_guest_result *run = map->guest;
    if (!run) {
        fputs(",,,,,,,,", stream);
        return;
    }
    const char *scheme = np_report_embed_scheme(map, network), *file = map->guest_options->file;
    np_csv_text(map->guest_options->traffic, stream);
    np_csv_text(scheme ? scheme : "", stream);
    np_csv_text(file ? file : "", stream);
    fprintf(stream, "%u,%u,%llu,%llu,%llu,", run->packets, run->guest_steps, (unsigned long long)run->least_total,
            (unsigned long long)run->scheduled_total, (unsigned long long)run->queued_total);
}

np_status np_report_embed_csv(const np_embedding *embedding, const np_embedding_facts *facts,
                              const np_embedding_run_result *run, const np_report_map *map, FILE *stream)
{
    const np_entry *entry = np_embedding_entry(embedding);
    const np_embedding_stated *stated = &facts->stated;
    fputs("guest,host,embedding,map_file,indexing,load,load_stated,dilation,dilation_stated,congestion,"
          "congestion_stated,expansion,expansion_stated,agrees,dilation_mean,hops,congestion_both,reverses,guest_steps,"
          "least,scheduled,tries,seed,traffic,scheme,schedule_file,packets,traffic_steps,traffic_least,"
          "traffic_scheduled,traffic_queued,queue_max," NP_CSV_SUMMARY "\n",
          stream);
    np_csv_text(np_network_spec(np_embedding_guest(embedding)), stream);
    np_csv_text(np_network_spec(np_embedding_host(embedding)), stream);
    np_csv_text(entry ? entry->name : "", stream);
    np_csv_text(map->file ? map->file : "", stream);
    np_csv_text(map->indexing ? map->indexing : "", stream);
    figure(facts->load, stated->load, stream);
    figure(facts->dilation, stated->dilation, stream);
    figure(facts->congestion, stated->congestion, stream);
    figure(facts->expansion, stated->expansion, stream);
    fprintf(stream, "%s,%.15g,%llu,%u,%s,%u,%u,%u,%u,%llu,", facts->agrees ? "true" : "false", facts->dilation_mean,
            (unsigned long long)facts->hops, facts->congestion_both, facts->reverses ? "true" : "false",
            run->guest_steps, run->least, run->scheduled, run->tries, (unsigned long long)run->seed);
    guest(map, np_embedding_guest(embedding), stream);
    fprintf(stream, "%u,", run->queue_max);
    np_csv_summary(&run->queued, stream); /* host steps of a guest step */
    fputc('\n', stream);
    return np_output_check(stream, "the report");
}
