/* The commands of the debugger: a table, of which a unique beginning is enough. */
#include "debug.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "show/table/table.h"

typedef struct command {
    const char *name, *brief; /* brief: another name; "" if there is none */
    const char *arguments, *help;
    debug_next (*run)(debug *d, const char *argument);
    bool again; /* an empty line does it once more */
} command;

static debug_next stay(const char *format, const char *argument)
{
    printf(format, argument);
    fputc('\n', stdout);
    return DEBUG_STAY;
}

/* The whole text a number from `least` on? "" is `missing`. */
static bool read_count(const char *text, uint64_t least, uint64_t missing, uint64_t *out)
{
    char *end;
    *out = missing;
    if (!*text)
        return true;
    *out = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && *out >= least && *out <= INT64_MAX; /* past it a step wraps round */
}

/* ---- Going ---- */

static debug_next go(debug *d, debug_goal goal, uint64_t target)
{
    bool again = target <= d->step->step || d->ended;
    d->goal = goal;
    d->target = target;
    return again ? DEBUG_AGAIN : DEBUG_GO;
}

static debug_next at_end(const debug *d)
{
    return stay("the program has %s: back and goto lead to earlier steps, run begins anew",
                d->status ? "failed" : "ended");
}

static debug_next do_run(debug *d, const char *argument)
{
    (void)argument;
    d->goal = DEBUG_TO_BREAK;
    d->target = 0;
    return DEBUG_AGAIN;
}

static debug_next do_continue(debug *d, const char *argument)
{
    (void)argument;
    return d->ended ? at_end(d) : go(d, DEBUG_TO_BREAK, d->step->step + 1);
}

static debug_next do_step(debug *d, const char *argument)
{
    uint64_t count;
    if (!read_count(argument, 1, 1, &count))
        return stay("step %s: how many steps? A number from 1 on", argument);
    return d->ended ? at_end(d) : go(d, DEBUG_TO_STEP, d->step->step + count);
}

static debug_next do_back(debug *d, const char *argument)
{
    uint64_t count, here = d->step->step;
    if (!read_count(argument, 1, 1, &count))
        return stay("back %s: how many steps? A number from 1 on", argument);
    if (!here)
        return stay("this is the first step%s", "");
    return go(d, DEBUG_TO_STEP, count < here ? here - count : 0);
}

static debug_next do_goto(debug *d, const char *argument)
{
    uint64_t target;
    if (!*argument || !read_count(argument, 0, 0, &target))
        return stay("goto %s: the number of a step is needed, from 0 on", argument);
    return go(d, DEBUG_TO_STEP, target);
}

/* "scan.pram:12": a line of an imported file. */
static bool read_imported(const debug *d, const char *text, uint32_t *out)
{
    const char *colon = strrchr(text, ':');
    size_t length;
    if (!colon)
        return false;
    for (uint32_t line = 1; np_script_line_get(d->script, line, &length); line++)
        if (!strcmp(debug_place_of(d, line).text, text))
            return *out = line, true;
    return false;
}

/* A line of the text that is there. */
static bool read_line_number(const debug *d, const char *text, uint32_t *out)
{
    uint64_t line;
    size_t length;
    if (read_imported(d, text, out))
        return true;
    if (!*text || !read_count(text, 1, 0, &line) || line > UINT32_MAX ||
        !np_script_line_get(d->script, (uint32_t)line, &length) ||
        strchr(debug_place_of(d, (uint32_t)line).text, ':')) {
        printf("there is no line '%s' in the text: list shows it\n", text);
        return false;
    }
    *out = (uint32_t)line;
    return true;
}

static debug_next do_line(debug *d, const char *argument)
{
    if (d->ended)
        return at_end(d);
    if (*argument && !read_line_number(d, argument, &d->line))
        return DEBUG_STAY;
    if (!*argument)
        d->line = d->step->line;
    return go(d, *argument ? DEBUG_TO_LINE : DEBUG_TO_OTHER_LINE, d->step->step + 1);
}

static debug_next do_violation(debug *d, const char *argument)
{
    (void)argument;
    return d->ended ? at_end(d) : go(d, DEBUG_TO_VIOLATION, d->step->step + 1);
}

static debug_next do_quit(debug *d, const char *argument)
{
    (void)d, (void)argument;
    return DEBUG_QUIT;
}

/* ---- Breaks and watches ---- */

static debug_next add(debug *d, debug_break_kind kind, uint32_t line, const char *what, const char *said)
{
    size_t i = 0;
    while (i < d->count && d->breaks[i].kind)
        i++;
    if (i == DEBUG_BREAKS)
        return stay("there are as many breaks and watches as can be%s: delete one", "");
    debug_break *b = &d->breaks[i];
    *b = (debug_break){.kind = kind, .line = line};
    snprintf(b->what, sizeof b->what, "%s", what);
    d->count = i == d->count ? i + 1 : d->count;
    if (kind == DEBUG_BREAK_LINE)
        printf("%zu: %s %s%s%s\n", i + 1, said, debug_place_of(d, line).text, *what ? " if " : "", what);
    else
        printf("%zu: %s %s\n", i + 1, said, what);
    return DEBUG_STAY;
}

static const char *const kinds[] = {
    "", "break at line", "break when it changes:", "break at accesses of", "break at violations of", "watch"};

static debug_next list_breaks(const debug *d)
{
    bool any = false;
    for (size_t i = 0; i < d->count; i++) {
        const debug_break *b = &d->breaks[i];
        any |= b->kind != DEBUG_BREAK_NONE;
        if (b->kind == DEBUG_BREAK_LINE)
            printf("%zu: %s %s%s%s\n", i + 1, kinds[b->kind], debug_place_of(d, b->line).text, *b->what ? " if " : "",
                   b->what);
        else if (b->kind)
            printf("%zu: %s %s\n", i + 1, kinds[b->kind],
                   b->kind == DEBUG_BREAK_VIOLATION ? np_access_rule_name(d->pram.rule) : b->what);
    }
    return any ? DEBUG_STAY : stay("no breaks%s", "");
}

/*
 * The name of what changes or is watched must be one that can be read; a name of another place comes into being later.
 */
static bool is_name(const char *text) { return strcspn(text, " []0123456789.,") > 0 && strlen(text) < DEBUG_TEXT; }

static debug_next break_access(debug *d, const char *what)
{
    debug_part part;
    if (!is_name(what))
        return stay("break access %s: it is written break access NAME[3]", what);
    const bool known = debug_part_parse(d->step, what, true, &part);
    if (known && !part.about.shared)
        return stay("%s is no shared cell: what a processor has of its own is not accessed", what);
    if (!known)
        printf("(nothing is called so here; it may be elsewhere)\n");
    return add(d, DEBUG_BREAK_ACCESS, 0, what, kinds[DEBUG_BREAK_ACCESS]);
}

static debug_next do_break(debug *d, const char *argument)
{
    char what[DEBUG_TEXT];
    uint32_t line;
    debug_part part;
    if (!*argument)
        return list_breaks(d);
    if (!strcmp(argument, "violation"))
        return add(d, DEBUG_BREAK_VIOLATION, 0, np_access_rule_name(d->pram.rule), kinds[DEBUG_BREAK_VIOLATION]);
    if (!strncmp(argument, "when ", 5)) {
        const char *end = strstr(argument, " changes");
        snprintf(what, sizeof what, "%.*s", (int)(end ? end - argument - 5 : (int)strlen(argument) - 5), argument + 5);
        if (!end || end[strlen(" changes")] || !is_name(what))
            return stay("break %s: it is written break when NAME[3] changes", argument);
        bool known = debug_part_parse(d->step, what, true, &part);
        if (known && !part.about.shared && !part.about.one && !part.chosen)
            return stay("%s: each processor has its own: name a shared cell, or NAME of P", what);
        if (!known)
            printf("(nothing is called so here; it may be elsewhere)\n");
        return add(d, DEBUG_BREAK_CHANGE, 0, what, kinds[DEBUG_BREAK_CHANGE]);
    }
    if (!strncmp(argument, "access ", 7))
        return break_access(d, argument + 7);
    const char *condition = strstr(argument, " if ");
    snprintf(what, sizeof what, "%.*s", (int)(condition ? condition - argument : (int)strlen(argument)), argument);
    if (!read_line_number(d, what, &line))
        return DEBUG_STAY;
    if (condition && !debug_expression_asks(d->step, condition + 4))
        return DEBUG_STAY;
    return add(d, DEBUG_BREAK_LINE, line, condition ? condition + 4 : "", kinds[DEBUG_BREAK_LINE]);
}

static debug_next do_watch(debug *d, const char *argument)
{
    debug_part part;
    if (!*argument)
        return list_breaks(d);
    if (!debug_part_parse(d->step, argument, false, &part))
        return DEBUG_STAY;
    add(d, DEBUG_WATCH, 0, argument, kinds[DEBUG_WATCH]);
    debug_part_show(d->step, &part);
    return DEBUG_STAY;
}

static debug_next do_delete(debug *d, const char *argument)
{
    uint64_t number;
    if (!*argument) {
        d->count = 0;
        return stay("no breaks and watches are left%s", "");
    }
    if (!read_count(argument, 1, 0, &number) || number > d->count || !d->breaks[number - 1].kind)
        return stay("delete %s: there is no such break or watch: break lists them", argument);
    d->breaks[number - 1].kind = DEBUG_BREAK_NONE;
    return DEBUG_STAY;
}

/* ---- Looking ---- */

/* NAME, or NAME[...] with numbers only, and no expression? */
static bool is_plain(const char *text)
{
    const char *open = strchr(text, '['), *of = strstr(text, " of ");
    if (strpbrk(text, "+*/<>=()&|^~") || strstr(text, " - ") || (*text >= '0' && *text <= '9'))
        return false;
    for (; open && *open && open != of; open++)
        if ((*open >= 'a' && *open <= 'z') || (*open >= 'A' && *open <= 'Z'))
            return false;
    for (const char *blank = strchr(text, ' '); blank && !open; blank = strchr(blank + 1, ' '))
        return blank == of;
    return true;
}

static debug_next do_print(debug *d, const char *argument)
{
    debug_part part;
    if (!*argument)
        debug_names_show(d->step);
    else if (debug_part_parse(d->step, argument, !is_plain(argument), &part))
        debug_part_show(d->step, &part);
    else if (!is_plain(argument))
        debug_expression_show(d->step, argument);
    return DEBUG_STAY;
}

static debug_next do_where(debug *d, const char *argument)
{
    (void)argument;
    debug_show_where(d);
    if (!d->ended)
        debug_show_line(d, d->step->line);
    return DEBUG_STAY;
}

static debug_next do_list(debug *d, const char *argument)
{
    enum { AROUND = 5 };
    uint32_t middle = d->ended ? 1 : d->step->line;
    size_t length;
    if (*argument && !read_line_number(d, argument, &middle))
        return DEBUG_STAY;
    uint32_t first = middle > AROUND ? middle - AROUND : 1;
    for (uint32_t line = first; line <= first + 2 * AROUND && np_script_line_get(d->script, line, &length); line++)
        debug_show_line(d, line);
    return DEBUG_STAY;
}

static debug_next do_active(debug *d, const char *argument)
{
    (void)argument;
    debug_show_active(d);
    return DEBUG_STAY;
}

static debug_next do_table(debug *d, const char *argument)
{
    (void)argument;
    debug_show_table(d);
    return DEBUG_STAY;
}

static debug_next do_conflicts(debug *d, const char *argument)
{
    (void)argument;
    debug_show_conflicts(d);
    return DEBUG_STAY;
}

static debug_next do_profile(debug *d, const char *argument)
{
    static const char *const titles[] = {"line",     "PRAM steps", "work",  "network steps",
                                         "combined", "violations", "  text"};
    np_table table;
    (void)argument;
    np_table_begin(&table, "rrrrrrl", titles);
    for (size_t i = 0; i < d->step->lines; i++) {
        const np_script_line_cost *cost = &d->step->cost[i];
        size_t length;
        const char *text = np_script_line_get(d->script, (uint32_t)i + 1, &length);
        if (!cost->steps)
            continue;
        for (; length && (*text == ' ' || *text == '\t'); text++)
            length--;
        np_table_add(&table, "%s", debug_place_of(d, (uint32_t)i + 1).text);
        np_table_add(&table, "%" PRIu64, cost->steps);
        np_table_add(&table, "%" PRIu64, cost->work);
        np_table_add(&table, "%" PRIu64, cost->network_steps);
        np_table_add(&table, "%" PRIu64, cost->combined);
        np_table_add(&table, "%" PRIu64, cost->violations);
        np_table_add(&table, "  %.*s", (int)(length < 100 ? length : 100), text);
    }
    return np_table_end(&table, stdout) ? stay("%s", np_last_error()) : DEBUG_STAY;
}

static debug_next do_help(debug *d, const char *argument);

/* ---- The table ---- */

static const command commands[] = {
    {"step", "s", "[N]", "one PRAM step, or N", do_step, true},
    {"back", "b", "[N]", "one step back, or N", do_back, true},
    {"continue", "c", "", "to the next break", do_continue, true},
    {"line", "l", "[LINE]", "to the next step of another line, or of this one", do_line, true},
    {"until", "u", "LINE", "the same", do_line, true},
    {"next", "n", "", "to the next step of another line, as gdb has it", do_line, true},
    {"violation", "v", "", "to the next step that violates the access rule", do_violation, true},
    {"goto", "g", "STEP", "to a step, before or behind; the first is 0", do_goto, false},
    {"run", "r", "", "from the beginning to the first break", do_run, false},
    {"break", "", "LINE", "stop at each step of a line; without a LINE: list breaks and watches", do_break, false},
    {"break", "", "LINE if CONDITION", "the same, if it holds for a processor that is on", do_break, false},
    {"break", "", "access NAME[I]", "stop at each step that accesses the cell, the range or the array", do_break,
     false},
    {"break", "", "when NAME[I] changes", "stop when a step changes the cell, the range or the array", do_break, false},
    {"break", "", "violation", "stop at violations of the access rule (there from the beginning)", do_break, false},
    {"watch", "w", "NAME[I]", "show a cell, a range or an array at each stop", do_watch, false},
    {"delete", "d", "[NUMBER]", "a break or a watch; all of them", do_delete, false},
    {"print", "p", "NAME[I..J] [of P]", "an array or a variable, as processor P has it; without a NAME: all names",
     do_print, false},
    {"print", "p", "EXPRESSION [of P]", "its value, for each processor that is on, or for P", do_print, false},
    {"where", "", "", "the step, and the calls around it", do_where, false},
    {"list", "", "[LINE]", "the text around the step or the line", do_list, false},
    {"active", "a", "", "the processors that are on, with their indices", do_active, false},
    {"table", "t", "", "the processors of the step, each with its indices, variables, cell and values", do_table,
     false},
    {"conflicts", "", "", "the cells of this step that several processors access", do_conflicts, false},
    {"profile", "", "", "what each line has cost so far", do_profile, false},
    {"help", "h", "", "this list; the beginning of a command is enough", do_help, false},
    {"quit", "q", "", "end", do_quit, false},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

const char *debug_command_name(size_t i)
{
    size_t at = 0;
    for (; at < COMMANDS; at++) /* one of each name */
        if ((!at || strcmp(commands[at].name, commands[at - 1].name) != 0) && i-- == 0)
            return commands[at].name;
    return NULL;
}

static debug_next do_help(debug *d, const char *argument)
{
    (void)d, (void)argument;
    for (size_t i = 0; i < COMMANDS; i++) {
        char left[64];
        snprintf(left, sizeof left, "%s%s%s %s", commands[i].name, *commands[i].brief ? ", " : "", commands[i].brief,
                 commands[i].arguments);
        printf("  %-28s  %s\n", left, commands[i].help);
    }
    printf("Values: r read, w written, f fetched in this step. A step is one access of each processor that is on.\n");
    return DEBUG_STAY;
}

/* The command of a word; NULL: there is none, or several. */
static const command *find(const char *word, size_t length)
{
    const command *found = NULL;
    for (size_t i = 0; i < COMMANDS; i++) {
        const command *c = &commands[i];
        if ((strlen(c->brief) == length && !strncmp(c->brief, word, length)) ||
            (strlen(c->name) == length && !strncmp(c->name, word, length)))
            return c;
        if (strncmp(c->name, word, length) != 0)
            continue;
        if (found && strcmp(found->name, c->name) != 0)
            return NULL;
        found = found ? found : c;
    }
    return found;
}

static debug_next complain(const char *word)
{
    np_parse_hint hint;
    const char *name;
    np_parse_hint_init(&hint, word);
    for (size_t i = 0; (name = debug_command_name(i)); i++)
        np_parse_hint_add(&hint, name);
    printf("'%s' is no command: %s\n", word, hint.nearest ? hint.text : "help lists them");
    return DEBUG_STAY;
}

debug_next debug_command(debug *d, const char *line)
{
    char text[DEBUG_TEXT];
    line += strspn(line, " \t");
    if (!*line && d->terminal)
        line = d->again;
    if (!*line || *line == '#')
        return DEBUG_STAY;
    if (strlen(line) >= sizeof text) {
        printf("a command has at most %d letters\n", DEBUG_TEXT - 1);
        return DEBUG_STAY;
    }
    snprintf(text, sizeof text, "%s", line);
    size_t length = strcspn(text, " \t"), end = strlen(text);
    const command *c = find(text, length);
    while (end > length && strchr(" \t", text[end - 1]))
        text[--end] = '\0';
    if (!c) {
        text[length] = '\0';
        return complain(text);
    }
    if (line != d->again)
        snprintf(d->again, sizeof d->again, "%s", c->again ? text : "");
    return c->run(d, text + length + strspn(text + length, " \t"));
}
