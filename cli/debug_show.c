/* A step: its place in the text, its accesses, and who meets whom at a cell. */
#include "debug.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "show/table/table.h"

enum { SHOWN = 24, CALLS = 8, LINE = 100 };

static const char *verb(const np_script_step *step)
{
    static const char *const fetches[] = {"fetch and add to",
                                          "fetch and take the least for",
                                          "fetch and take the most for",
                                          "fetch and and with",
                                          "fetch and or with",
                                          "fetch and xor with"};
    return step->kind == NP_ACCESS_READ ? "read" : step->kind == NP_ACCESS_WRITE ? "write" : fetches[step->op];
}

/* ---- Places ---- */

static bool has_break(const debug *d, uint32_t line)
{
    for (size_t i = 0; i < d->count; i++)
        if (d->breaks[i].kind == DEBUG_BREAK_LINE && d->breaks[i].line == line)
            return true;
    return false;
}

debug_place debug_place_of(const debug *d, uint32_t line)
{
    uint32_t local;
    const char *file = np_script_file_get(d->script, line, &local);
    debug_place place;
    snprintf(place.text, sizeof place.text, "%.60s%s%" PRIu32, file, *file ? ":" : "", local);
    return place;
}

void debug_show_line(const debug *d, uint32_t line)
{
    size_t length;
    const char *text = np_script_line_get(d->script, line, &length);
    bool here = !d->ended && line == d->step->line;
    if (!text)
        return;
    printf("%s%s%c%4s  ", here && d->colour ? "\033[1m" : "", here ? "->" : "  ", has_break(d, line) ? '*' : ' ',
           debug_place_of(d, line).text);
    for (size_t i = 0; i < length && i < LINE; i++)
        fputc((unsigned char)text[i] < ' ' ? ' ' : text[i], stdout);
    printf("%s%s\n", length > LINE ? "..." : "", here && d->colour ? "\033[0m" : "");
}

void debug_show_where(const debug *d)
{
    const np_script_step *step = d->step;
    size_t calls = np_script_calls(step);
    if (d->ended) {
        printf("at the end, after %" PRIu64 " steps\n", step->step);
        return;
    }
    printf("step %" PRIu64 ", line %s%s%s\n", step->step, debug_place_of(d, step->line).text, calls ? ", in " : "",
           calls ? np_script_call_get(step, 0).procedure : "");
    for (size_t i = 0; i < calls; i++) {
        if (i == CALLS && calls > 2 * CALLS) {
            printf("  ... %zu calls more\n", calls - 2 * CALLS);
            i = calls - CALLS;
        }
        np_script_call call = np_script_call_get(step, i);
        printf("  %s, called in line %s%s%s\n", call.procedure, debug_place_of(d, call.line).text,
               i + 1 < calls ? " of " : "", i + 1 < calls ? np_script_call_get(step, i + 1).procedure : "");
    }
}

/* ---- Accesses ---- */

/* What a step has of each processor, row by row. */
typedef enum access_row { ROW_PROCESSOR, ROW_CELL, ROW_BEFORE, ROW_GIVES, ROW_READ, ROW_AFTER, ROW_GETS } access_row;

static void put_access(const np_script_step *step, size_t i, access_row row, char text[DEBUG_CELL])
{
    char cell[NP_SCRIPT_CELL];
    const np_word *words[] = {[ROW_BEFORE] = step->before,
                              [ROW_GIVES] = step->operand ? step->operand : step->value,
                              [ROW_READ] = step->value,
                              [ROW_AFTER] = step->after,
                              [ROW_GETS] = step->value};
    if (row == ROW_PROCESSOR)
        snprintf(text, DEBUG_CELL, "%zu", i);
    else if (row == ROW_CELL) {
        np_script_cell_name(step, i, cell);
        snprintf(text, DEBUG_CELL, "%.39s", cell);
    } else
        np_script_word(step->type, words[row][i], text);
}

/* Do all processors find in the cell what they wrote? */
static bool all_are_kept(const np_script_step *step)
{
    for (size_t i = 0; i < step->count; i++)
        if (debug_is_on(step, i) && step->value[i] != step->after[i])
            return false;
    return true;
}

static size_t choose_rows(const np_script_step *step, access_row row[DEBUG_ROWS])
{
    size_t rows = 0;
    if (step->count > 1)
        row[rows++] = ROW_PROCESSOR;
    row[rows++] = ROW_CELL;
    if (step->kind == NP_ACCESS_READ) {
        row[rows++] = ROW_READ;
        return rows;
    }
    row[rows++] = ROW_BEFORE;
    if (step->kind == NP_ACCESS_FETCH || !all_are_kept(step))
        row[rows++] = ROW_GIVES;
    if (step->kind == NP_ACCESS_FETCH)
        row[rows++] = ROW_GETS;
    row[rows++] = ROW_AFTER;
    return rows;
}

static void show_accesses(const np_script_step *step)
{
    static const char *const titles[] = {"processor", "cell", "before", "gives", "reads", "after", "gets"};
    char text[SHOWN][DEBUG_ROWS][DEBUG_CELL];
    const char *title[DEBUG_ROWS];
    access_row row[DEBUG_ROWS];
    size_t shown = 0, rows = choose_rows(step, row);
    for (size_t r = 0; r < rows; r++)
        title[r] = row[r] == ROW_GIVES && step->kind == NP_ACCESS_WRITE ? "writes" : titles[row[r]];
    for (size_t i = 0; i < step->count && shown < SHOWN; i++) {
        if (!debug_is_on(step, i))
            continue;
        for (size_t r = 0; r < rows; r++)
            put_access(step, i, row[r], text[shown][r]);
        shown++;
    }
    shown = debug_grid(rows, title, shown, text, 2);
    if (shown < step->active)
        printf("  ... %zu processors more\n", step->active - shown);
}

static void show_violations(const debug *d)
{
    const np_script_step *step = d->step;
    char cell[NP_SCRIPT_CELL];
    if (!step->violations)
        return;
    printf("%s  ! %s does not allow this: %" PRIu64 " cell%s", d->colour ? "\033[31m" : "",
           np_access_rule_name(d->pram.rule), step->violations, step->violations == 1 ? "" : "s");
    for (size_t i = 0; i < step->kept && i < 4; i++) {
        np_script_cell_name(step, step->violation[i].first, cell);
        printf("%s%s by processors %u and %u", i ? "; " : ": ", cell, step->violation[i].first,
               step->violation[i].second);
    }
    printf("%s\n", d->colour ? "\033[0m" : "");
    if (step->kept < step->violations || step->kept > 4)
        printf("    (conflicts lists them)\n");
}

void debug_show_step(const debug *d)
{
    const np_script_step *step = d->step;
    size_t calls = np_script_calls(step);
    printf("step %" PRIu64, step->step);
    if (calls)
        printf(", in %s", np_script_call_get(step, 0).procedure);
    if (step->count == 1)
        printf(": the program %s%s %s", verb(step), step->kind == NP_ACCESS_FETCH ? "" : "s", step->text);
    else
        printf(": %zu of %zu processors %s %s", step->active, step->count, verb(step), step->text);
    if (step->network_steps)
        printf(", in %" PRIu64 " network steps", step->network_steps);
    fputc('\n', stdout);
    debug_show_line(d, step->line);
    show_accesses(step);
    show_violations(d);
}

/* ---- Who is on ---- */

/* "0..3, 6" */
static void show_ranges(const np_script_step *step)
{
    size_t ranges = 0;
    for (size_t i = 0, end; i < step->count; i = end) {
        end = i + 1;
        if (!debug_is_on(step, i))
            continue;
        while (end < step->count && debug_is_on(step, end))
            end++;
        if (++ranges > 16) {
            printf(", ...");
            break;
        }
        printf(end - i > 1 ? "%s%zu..%zu" : "%s%zu", ranges > 1 ? ", " : "", i, end - 1);
    }
    fputc('\n', stdout);
}

/* The indices of the pardos around. */
static size_t find_indices(const np_script_step *step, const char *title[DEBUG_ROWS], size_t index[DEBUG_ROWS])
{
    size_t found = 1;
    title[0] = "processor";
    for (size_t i = np_script_names(step); i-- > 0 && found < DEBUG_ROWS;) {
        np_script_name about = np_script_name_get(step, i);
        if (!about.index || about.one)
            continue;
        title[found] = about.name;
        index[found++] = i;
    }
    return found;
}

void debug_show_active(const debug *d)
{
    const np_script_step *step = d->step;
    enum { MOST = 48 };
    char text[MOST][DEBUG_ROWS][DEBUG_CELL];
    const char *title[DEBUG_ROWS];
    size_t index[DEBUG_ROWS], rows = find_indices(step, title, index), shown = 0;
    if (d->ended) {
        printf("the program has ended\n");
        return;
    }
    printf("%zu of %zu processors are on: ", step->active, step->count);
    show_ranges(step);
    for (size_t i = 0; i < step->count && shown < MOST && rows > 1; i++) {
        if (!debug_is_on(step, i))
            continue;
        snprintf(text[shown][0], DEBUG_CELL, "%zu", i);
        for (size_t r = 1; r < rows; r++)
            np_script_word("int", np_script_value_get(step, index[r], i), text[shown][r]);
        shown++;
    }
    if (rows > 1)
        shown = debug_grid(rows, title, shown, text, 3);
    if (rows > 1 && shown < step->active)
        printf("  ... %zu processors more\n", step->active - shown);
}

/* ---- A table of processors ---- */

enum { TABLE = 40, NAMES = 6 }; /* a table has 12 columns */

/* What each processor has of its own: indices and variables, the outermost first, but for names that are hidden. */
static size_t find_own(const np_script_step *step, size_t own[NAMES])
{
    size_t found = 0;
    for (size_t i = np_script_names(step); i-- > 0 && found < NAMES;) {
        const np_script_name about = np_script_name_get(step, i);
        size_t seen;
        if (!about.shared && !about.one && np_script_name_find(step, about.name, &seen) && seen == i)
            own[found++] = i;
    }
    return found;
}

static void add_row(const np_script_step *step, np_table *table, size_t processor, const size_t *own, size_t names,
                    const access_row *row, size_t rows)
{
    char text[DEBUG_CELL];
    np_table_add(table, "%zu", processor);
    for (size_t i = 0; i < names; i++) {
        np_script_word(np_script_name_get(step, own[i]).type, np_script_value_get(step, own[i], processor), text);
        np_table_add(table, "%s", text);
    }
    for (size_t r = 0; r < rows; r++) {
        if (row[r] == ROW_PROCESSOR)
            continue;
        put_access(step, processor, row[r], text);
        np_table_add(table, "%s", text);
    }
}

void debug_show_table(const debug *d)
{
    static const char *const access_titles[] = {"", "cell", "before", "gives", "reads", "after", "gets"};
    const np_script_step *step = d->step;
    const char *titles[1 + NAMES + DEBUG_ROWS] = {"processor"};
    char align[1 + NAMES + DEBUG_ROWS + 1] = "r";
    size_t own[NAMES], names = find_own(step, own), columns = 1, shown = 0;
    access_row row[DEBUG_ROWS];
    np_table table;
    if (d->ended) {
        printf("the program has ended\n");
        return;
    }
    const size_t rows = choose_rows(step, row);
    for (size_t i = 0; i < names; i++)
        titles[columns++] = np_script_name_get(step, own[i]).name;
    for (size_t r = 0; r < rows; r++)
        if (row[r] != ROW_PROCESSOR)
            titles[columns++] = access_titles[row[r]];
    memset(align, 'r', columns);
    align[columns] = '\0';
    np_table_begin(&table, align, titles);
    for (size_t i = 0; i < step->count && shown < TABLE; i++)
        if (debug_is_on(step, i)) {
            add_row(step, &table, i, own, names, row, rows);
            shown++;
        }
    if (np_table_end(&table, stdout))
        printf("%s\n", np_last_error());
    if (shown < step->active)
        printf("  ... %zu processors more\n", step->active - shown);
}

/* ---- Who meets whom ---- */

typedef struct meeting {
    np_address address;
    uint32_t processor;
} meeting;

static int compare(const void *one, const void *other)
{
    const meeting *a = one, *b = other;
    return a->address != b->address ? (a->address > b->address) - (a->address < b->address)
                                    : (a->processor > b->processor) - (a->processor < b->processor);
}

static bool is_forbidden(const np_script_step *step, np_address address)
{
    for (size_t i = 0; i < step->kept; i++)
        if (step->violation[i].address == address)
            return true;
    return false;
}

static void show_meeting(const debug *d, const meeting *first, size_t count)
{
    char cell[NP_SCRIPT_CELL], word[32];
    const np_script_step *step = d->step;
    np_script_cell_name(step, first->processor, cell);
    printf("  %c %s: %zu processors:", is_forbidden(step, first->address) ? '!' : "rwf"[step->kind], cell, count);
    for (size_t i = 0; i < count && i < CALLS; i++) {
        size_t processor = first[i].processor;
        printf("%s %zu", i ? "," : "", processor);
        np_script_word(step->type, step->operand ? step->operand[processor] : step->value[processor], word);
        if (step->kind != NP_ACCESS_READ)
            printf(" (%s)", word);
    }
    printf("%s\n", count > CALLS ? ", ..." : "");
}

static void show_meetings(const debug *d, const meeting *all, size_t count)
{
    size_t cells = 0, end;
    for (size_t i = 0; i < count; i = end) {
        for (end = i + 1; end < count && all[end].address == all[i].address;)
            end++;
        if (end - i == 1)
            continue;
        if (++cells <= 2 * SHOWN)
            show_meeting(d, &all[i], end - i);
    }
    if (cells > 2 * SHOWN)
        printf("     ... %zu cells more\n", cells - 2 * SHOWN);
    if (!cells)
        printf("no two processors are at one cell\n");
    else if (d->step->violations)
        printf("%s does not allow %" PRIu64 " of these (!)\n", np_access_rule_name(d->pram.rule), d->step->violations);
    else
        printf("%s allows this\n", np_access_rule_name(d->pram.rule));
}

void debug_show_conflicts(const debug *d)
{
    const np_script_step *step = d->step;
    size_t count = 0;
    if (d->ended) {
        printf("the program has ended: %" PRIu64 " violations\n", d->violations);
        return;
    }
    meeting *all = malloc((step->active + 1) * sizeof *all);
    if (!all) {
        printf("no memory for %zu accesses\n", step->active);
        return;
    }
    for (size_t i = 0; i < step->count; i++)
        if (debug_is_on(step, i))
            all[count++] = (meeting){step->address[i], (uint32_t)i};
    qsort(all, count, sizeof *all, compare);
    show_meetings(d, all, count);
    free(all);
}
