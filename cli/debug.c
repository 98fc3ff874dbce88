/* See debug.h: runs a program again and again, and decides where it stops. */
#include "debug.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

enum { VIOLATIONS = 4096 }; /* of which it knows the processors (ours) */

/* ---- Where it stops ---- */

static bool heeds_breaks(const debug *d) { return d->goal != DEBUG_TO_STEP; }

static bool wants_by_break(const debug *d, uint32_t line)
{
    for (size_t i = 0; i < d->count; i++) {
        const debug_break *b = &d->breaks[i];
        if (b->kind == DEBUG_BREAK_CHANGE || b->kind == DEBUG_BREAK_ACCESS || b->kind == DEBUG_BREAK_VIOLATION ||
            (b->kind == DEBUG_BREAK_LINE && b->line == line))
            return true;
    }
    return false;
}

static bool wants(void *context, uint64_t step, uint32_t line)
{
    const debug *d = context;
    if (step < d->target)
        return false;
    return d->goal == DEBUG_TO_STEP || d->goal == DEBUG_TO_VIOLATION || (d->goal == DEBUG_TO_LINE && line == d->line) ||
           (d->goal == DEBUG_TO_OTHER_LINE && line != d->line) || wants_by_break(d, line);
}

/* A processor that has changed a cell of the part; count if there is none. */
static size_t find_change(const np_script_step *step, const debug_part *part)
{
    size_t i = 0;
    if (step->kind == NP_ACCESS_READ)
        return step->count;
    while (i < step->count &&
           (!debug_is_on(step, i) || step->before[i] == step->after[i] || !debug_part_has(part, step->address[i])))
        i++;
    return i;
}

static bool has_changed(debug_break *b, const np_script_step *step, size_t number)
{
    char cell[NP_SCRIPT_CELL], before[32], after[32];
    debug_part part;
    if (!debug_part_parse(step, b->what, true, &part))
        return b->known = false;
    if (!part.about.shared) {
        np_word now = np_script_value_get(step, part.name, part.processor), last = b->last;
        bool changed = b->known && now != last;
        b->known = true;
        b->last = now;
        np_script_word(part.about.type, last, before);
        np_script_word(part.about.type, now, after);
        if (changed)
            printf("break %zu: %s has changed: %s > %s\n", number, b->what, before, after);
        return changed;
    }
    size_t i = find_change(step, &part);
    if (i == step->count)
        return false;
    np_script_cell_name(step, i, cell);
    np_script_word(step->type, step->before[i], before);
    np_script_word(step->type, step->after[i], after);
    printf("break %zu: %s changes: %s > %s\n", number, cell, before, after);
    return true;
}

static bool is_accessed(const debug_break *b, const np_script_step *step, size_t number)
{
    char cell[NP_SCRIPT_CELL];
    debug_part part;
    size_t i = 0;
    if (!debug_part_parse(step, b->what, true, &part) || !part.about.shared)
        return false;
    while (i < step->count && !(debug_is_on(step, i) && debug_part_has(&part, step->address[i])))
        i++;
    if (i == step->count)
        return false;
    np_script_cell_name(step, i, cell);
    printf("break %zu: processor %zu accesses %s\n", number, i, cell);
    return true;
}

static bool is_line(const debug *d, const debug_break *b, const np_script_step *step, size_t number)
{
    size_t who;
    if (b->line != step->line || (*b->what && !debug_expression_holds(step, b->what, &who)))
        return false;
    printf("break %zu: line %s", number, debug_place_of(d, b->line).text);
    if (*b->what)
        printf(", %s for processor %zu", b->what, who);
    printf("\n");
    return true;
}

static bool breaks_here(const debug *d, debug_break *b, const np_script_step *step, size_t number)
{
    bool stops = false;
    if (b->kind == DEBUG_BREAK_LINE)
        stops = is_line(d, b, step, number);
    else if (b->kind == DEBUG_BREAK_ACCESS)
        stops = is_accessed(b, step, number);
    else if (b->kind == DEBUG_BREAK_VIOLATION && (stops = step->violations > 0))
        printf("break %zu: the access rule is violated\n", number);
    else if (b->kind == DEBUG_BREAK_CHANGE)
        stops = has_changed(b, step, number);
    return stops;
}

static bool stops_here(debug *d, const np_script_step *step)
{
    bool stops = d->goal == DEBUG_TO_STEP || (d->goal == DEBUG_TO_LINE && step->line == d->line) ||
                 (d->goal == DEBUG_TO_OTHER_LINE && step->line != d->line) ||
                 (d->goal == DEBUG_TO_VIOLATION && step->violations);
    for (size_t i = 0; i < d->count && heeds_breaks(d); i++)
        stops |= breaks_here(d, &d->breaks[i], step, i + 1);
    return stops;
}

/* ---- Stops ---- */

static void show_watches(const debug *d)
{
    for (size_t i = 0; i < d->count; i++) {
        debug_part part;
        if (d->breaks[i].kind == DEBUG_WATCH && debug_part_parse(d->step, d->breaks[i].what, true, &part))
            debug_part_show(d->step, &part);
    }
}

static void show_failure(const debug *d, uint64_t steps)
{
    printf("the program has failed after %" PRIu64 " step%s: %s\n", steps, steps == 1 ? "" : "s", np_last_error());
    if (d->problem.line)
        printf("%7" PRIu32 "  %s\n%*s\n", d->problem.line, d->problem.source, (int)d->problem.column + 9, "^");
}

/* Commands, until one of them lets the program go on. Non-zero: not from here. */
static int talk(debug *d)
{
    d->next = DEBUG_STAY;
    while (d->next == DEBUG_STAY) {
        const char *line = debug_line_read(d);
        d->next = line ? debug_command(d, line) : DEBUG_QUIT;
    }
    return d->next != DEBUG_GO;
}

static uint64_t count_violations(const np_script_step *step)
{
    uint64_t all = 0;
    for (size_t i = 0; i < step->lines; i++)
        all += step->cost[i].violations;
    return all;
}

static int on_step(void *context, const np_script_step *step)
{
    debug *d = context;
    d->step = step;
    d->ended = false;
    if (!stops_here(d, step))
        return 0;
    d->violations = count_violations(step);
    debug_show_step(d);
    show_watches(d);
    return talk(d);
}

static int on_end(void *context, const np_script_step *state, np_status status)
{
    debug *d = context;
    uint64_t work = 0;
    d->step = state;
    d->ended = true;
    d->status = status;
    d->violations = count_violations(state);
    for (size_t i = 0; i < state->lines; i++)
        work += state->cost[i].work;
    if (status)
        show_failure(d, state->step);
    else
        printf("the program has ended: T = %" PRIu64 " steps, W = %" PRIu64 " accesses, violations: %" PRIu64 "\n",
               state->step, work, d->violations);
    show_watches(d);
    return talk(d) && d->next != DEBUG_QUIT;
}

/* What it printed before is not printed once more when it is run again. */
static void on_print(void *context, const char *line)
{
    debug *d = context;
    if (++d->printed <= d->shown)
        return;
    d->shown = d->printed;
    printf("%s\n", line);
}

/* ---- Runs ---- */

static void greet(const debug *d)
{
    const np_script_about about = np_script_about_get(d->script);
    printf("%s%s%s, on %s, rule %s. Type help for the commands.\n", *about.name ? about.name : "a program",
           *about.about ? ": " : "", about.about, d->pram.machine, np_access_rule_name(d->pram.rule));
}

static np_status run_once(debug *d)
{
    const np_script_observer observer = {.wants = wants, .step = on_step, .end = on_end, .context = d};
    np_script_result *result;
    d->next = DEBUG_QUIT; /* what is refused before its first step is not run again */
    d->printed = 0;
    d->options.observer = &observer;
    for (size_t i = 0; i < d->count; i++)
        d->breaks[i].known = false;
    np_status st = np_script_run(d->script, &d->pram, &d->options, &d->problem, &result);
    np_script_result_free(result);
    return st;
}

int cli_debug(const np_script *script, const np_pram_options *pram, const np_script_options *options)
{
    debug d = {.script = script, .pram = *pram, .options = *options, .count = 1};
    np_status st;
    d.breaks[0].kind = DEBUG_BREAK_VIOLATION;
    d.pram.violations_max = VIOLATIONS > pram->violations_max ? VIOLATIONS : pram->violations_max;
    d.options.print = on_print;
    d.options.print_context = &d;
    d.terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    d.colour = d.terminal && !getenv("NO_COLOR");
    debug_line_begin(&d);
    greet(&d);
    do
        st = run_once(&d);
    while (d.next == DEBUG_AGAIN);
    debug_line_end();
    if (st && st != NP_ERROR_CANCELLED)
        return cli_fail_last();
    return fflush(stdout) ? cli_fail("the terminal cannot be written") : d.violations ? CLI_CHECK_FAILED : 0;
}
