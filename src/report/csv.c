#include "report/csv.h"

#include <string.h>

void np_csv_text(const char *text, FILE *stream)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fprintf(stream, "%s,", text);
        return;
    }
    fputc('"', stream);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', stream);
        fputc(*text, stream);
    }
    fputs("\",", stream);
}

void np_csv_summary(const np_summary *summary, FILE *stream)
{
    fprintf(stream, "%.15g,%.15g,%.15g,%.15g,%.15g,%.15g,%.15g", summary->mean, summary->variance, summary->min,
            summary->max, summary->p50, summary->p99, summary->ci95);
}
