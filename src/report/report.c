/* Formats by name, and the choice among them. */
#include "netpram/report.h"

#include <string.h>

#include "base/parse.h"
#include "base/status.h"
#include "report/route.h"

static const char *const format_names[] = {"table", "json", "csv", NULL};
enum { FORMATS = sizeof format_names / sizeof *format_names - 1 };

static np_status set_format(void *object, const np_field *field, const char *text)
{
    (void)field;
    return np_report_format_of(text, &((np_report_options *)object)->format);
}

static const np_field rows[] = {
    {"format", NP_FIELD_WORD, offsetof(np_report_options, format), .help = "How to print", .words = format_names,
     .set = set_format, .flags = NP_FIELD_SAYS},
};

const np_fields np_report_options_fields = {"report_options", "a report", sizeof(np_report_options),
                                            sizeof rows / sizeof *rows, rows};

np_status np_report_format_of(const char *name, np_report_format *out)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (!strcmp(name, format_names[i])) {
            *out = (np_report_format)i;
            return NP_OK;
        }
    return NP_RAISE(NP_ERROR_INPUT, "no format '%s': did you mean '%s'? (table, json or csv)", name,
                    np_parse_nearest(name, format_names, FORMATS));
}

np_status np_report_route(const np_route_result *result, const np_report_options *options, FILE *stream)
{
    switch (options->format) {
    case NP_REPORT_JSON:
        return np_report_route_json(result, options, stream);
    case NP_REPORT_CSV:
        return np_report_route_csv(result, options, stream);
    default:
        return np_report_route_table(result, options, stream);
    }
}
