/* What the lines of a program's text cost, as a table. */
#include "report/pram_lines.h"

#include <inttypes.h>

#include "report/table.h"

np_status np_pram_lines_table(const np_script_result *result, FILE *stream)
{
    static const char *const titles[] = {"line",     "PRAM steps", "work",  "network steps",
                                         "combined", "violations", "  text"};
    np_table table;
    fputc('\n', stream);
    np_table_begin(&table, "rrrrrrl", titles);
    for (size_t i = 0; i < result->lines; i++) {
        const np_script_line_cost *line = &result->line[i];
        np_table_add(&table, "%u", line->line);
        np_table_add(&table, "%" PRIu64, line->steps);
        np_table_add(&table, "%" PRIu64, line->work);
        np_table_add(&table, "%" PRIu64, line->network_steps);
        np_table_add(&table, "%" PRIu64, line->combined);
        np_table_add(&table, "%" PRIu64, line->violations);
        np_table_add(&table, "  %s", line->source);
    }
    return np_table_end(&table, stream);
}
