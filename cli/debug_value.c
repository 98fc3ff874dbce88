/* Expressions: their values for the processors of a step, and conditions of breaks. */
#include "debug.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 64 };

/* "a[i] + 1 of 3": cuts the end off. false: no such processor is on. */
static bool cut_processor(const np_script_step *step, char *text, bool *chosen, size_t *processor)
{
    char *of = strstr(text, " of "), *end;
    *chosen = of != NULL;
    if (!of)
        return true;
    const unsigned long long number = strtoull(of + 4, &end, 10);
    *of = '\0';
    *processor = (size_t)number;
    return end != of + 4 && !*end && number < step->count && debug_is_on(step, *processor);
}

/* Without the name of the text, which is no file, and the column: "nothing is called 'q' here". */
static void complain(const char *text)
{
    const char *why = np_last_error();
    const char *prefix = "expression:1:";
    if (!strncmp(why, prefix, strlen(prefix)) && strstr(why + strlen(prefix), ": "))
        why = strstr(why + strlen(prefix), ": ") + 2;
    printf("%s: %s\n", text, why);
}

/* false, and "?": it has no value. */
static bool write_value(const np_script_expression *e, const np_script_step *step, size_t processor, char word[32])
{
    np_word value;
    const bool has = !np_script_expression_value(e, step, processor, &value);
    snprintf(word, 32, "?");
    if (has)
        np_script_word(np_script_expression_type(e), value, word);
    return has;
}

static void show_one(const np_script_expression *e, const np_script_step *step, size_t processor, const char *text)
{
    char word[32];
    np_word value;
    if (np_script_expression_value(e, step, processor, &value)) {
        complain(text);
        return;
    }
    np_script_word(np_script_expression_type(e), value, word);
    printf("%s = %s\n", text, word);
}

static void show_all(const np_script_expression *e, const np_script_step *step, const char *text)
{
    static const char *const titles[] = {"processor", "value"};
    char column[COLUMNS][DEBUG_ROWS][DEBUG_CELL];
    size_t shown = 0;
    bool any = false;
    for (size_t i = 0; i < step->count && shown < COLUMNS; i++) {
        if (!debug_is_on(step, i))
            continue;
        snprintf(column[shown][0], DEBUG_CELL, "%zu", i);
        any |= write_value(e, step, i, column[shown++][1]);
    }
    if (!any) { /* why not */
        show_one(e, step, debug_first(step), text);
        return;
    }
    printf("%s : %s, of the processors that are on\n", text, np_script_expression_type(e));
    debug_grid(2, titles, shown, column, SIZE_MAX);
    if (shown < step->active)
        printf("  ... %zu processors more: name one, as in %s of 99\n", step->active - shown, text);
}

void debug_expression_show(const np_script_step *step, const char *given)
{
    np_script_expression *e;
    char text[DEBUG_TEXT];
    bool chosen;
    size_t processor = debug_first(step);
    snprintf(text, sizeof text, "%s", given);
    if (!cut_processor(step, text, &chosen, &processor)) {
        printf("%s: no such processor is on: active lists them\n", given);
        return;
    }
    if (np_script_expression_create(step, text, &e)) {
        complain(text);
        return;
    }
    if (chosen || step->active <= 1)
        show_one(e, step, processor, text);
    else
        show_all(e, step, text);
    np_script_expression_free(e);
}

bool debug_expression_asks(const np_script_step *step, const char *text)
{
    np_script_expression *e;
    bool asks;
    if (np_script_expression_create(step, text, &e)) {
        asks = strstr(np_last_error(), "nothing is called") != NULL;
        if (asks)
            printf("(a name is not known here; it may be elsewhere)\n");
        else
            complain(text);
        return asks;
    }
    asks = *np_script_expression_type(e) == 'b';
    if (!asks)
        printf("%s: it is of type %s, and a condition is true or false\n", text, np_script_expression_type(e));
    np_script_expression_free(e);
    return asks;
}

bool debug_expression_holds(const np_script_step *step, const char *text, size_t *who)
{
    np_script_expression *e;
    bool holds = false;
    if (np_script_expression_create(step, text, &e))
        return false;
    for (size_t i = 0; i < step->count && !holds && *np_script_expression_type(e) == 'b'; i++) {
        np_word value;
        holds = debug_is_on(step, i) && !np_script_expression_value(e, step, i, &value) && value;
        *who = i;
    }
    np_script_expression_free(e);
    return holds;
}
