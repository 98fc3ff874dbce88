/* Formats by name, and what all reports print. */
#include <string.h>

#include "base/registry.h"
#include "show/table/shape.h"

static const char *const format_names[] = {"table", "json", "csv", NULL};
enum { FORMATS = sizeof format_names / sizeof *format_names - 1 };

static np_status set_format(void *object, const np_field *field, const char *text)
{
    (void)field;
    return np_report_format_parse(text, &((np_report_options *)object)->format);
}

static const np_field rows[] = {
    {"format", NP_FIELD_WORD, offsetof(np_report_options, format), .help = "How to print", .words = format_names,
     .set = set_format, .flags = NP_FIELD_SAYS},
};

const np_fields np_report_options_fields = NP_OPTIONS("report_options", "a report", np_report_options, rows, NULL);

np_status np_report_format_parse(const char *name, np_report_format *out)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (!strcmp(name, format_names[i])) {
            *out = (np_report_format)i;
            return NP_OK;
        }
    return NP_RAISE(NP_ERROR_INPUT, "no format '%s': %s", name, np_parse_hint_of(name, format_names, FORMATS).text);
}

/* ---- Lists: the reports, and what the annex adds to those of the core ---- */

NP_PAPERS(extern const np_report_form np_report_embed_form, np_report_offline_form, np_report_ranking_form,
          np_report_reconfigure_form, np_report_universal_form;
          extern const np_fields np_report_route_explained, np_report_pram_explained;
          np_status np_polarized_print(const np_pram_explanation *explanation, FILE *stream);)

static const np_report_form *const forms[] = {
    &np_report_network_form,
    &np_report_written_form,
    &np_report_route_form,
    NP_PAPERS(&np_report_ranking_form, &np_report_offline_form, ) & np_report_pram_form,
    &np_report_script_form,
    NP_PAPERS(&np_report_embed_form, ) & np_report_sort_form,
    &np_report_collective_form,
    NP_PAPERS(&np_report_reconfigure_form, &np_report_universal_form, ) & np_report_check_form,
    &np_report_defeat_form,
    &np_report_replay_form,
    &np_report_throughput_form,
    &np_report_proof_form,
    &np_report_flows_form,
    &np_report_jobs_form,
    &np_report_load_form,
    &np_report_worst_form,
    &np_report_compare_form,
    &np_report_deadlock_form};
enum { FORMS = sizeof forms / sizeof *forms };

const np_report_form *np_report_form_at(size_t i) { return i < FORMS ? forms[i] : NULL; }

const np_report_shape *np_report_shape_at(size_t i) { return i < FORMS ? &forms[i]->shape : NULL; }

static const np_field route_rows[] = {NP_PAPERS({NULL, NP_FIELD_INSET, .fields = &np_report_route_explained})};
static const np_field pram_rows[] = {NP_PAPERS({NULL, NP_FIELD_INSET, .fields = &np_report_pram_explained})};

const np_fields np_report_route_added = NP_FIELDS("route_added", "a route", np_report_added, route_rows);
const np_fields np_report_pram_added = NP_FIELDS("pram_added", "a program", np_report_added, pram_rows);

static np_status (*const pram_texts[])(const np_pram_explanation *explanation,
                                       FILE *stream) = {NP_PAPERS(np_polarized_print, ) NULL};

np_status np_report_pram_text(const np_pram_explanation *explanation, FILE *stream)
{
    return explanation && pram_texts[0] ? pram_texts[0](explanation, stream) : NP_OK;
}
