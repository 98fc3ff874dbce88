/* What separates the fields of a list. */
#include <string.h>
#include <strings.h>

#include "base/text.h"

bool np_text_ends(const char *name, const char *ending)
{
    size_t length = strlen(name), ends = strlen(ending);
    return length >= ends && !strcasecmp(name + length - ends, ending);
}

np_text_field np_text_first_line(np_text text)
{
    text.stop = '{';
    if (!np_text_next(&text))
        return (np_text_field){text.at, 0};
    const char *attributes = text.rest.length ? text.rest.at : text.whole.at + text.whole.length;
    np_text_field line = {text.whole.at, (size_t)(attributes - text.whole.at)};
    while (line.length && strchr(" \t\r", *line.at))
        line.at++, line.length--;
    while (line.length && strchr(" \t\r", line.at[line.length - 1]))
        line.length--;
    return line;
}

static bool has_letter(np_text_field field)
{
    for (size_t i = 0; i < field.length; i++)
        if ((field.at[i] | 32) >= 'a' && (field.at[i] | 32) <= 'z')
            return true;
    return false;
}

/* Tabs separate if the fields between them hold spaces and letters: "New York<tab>Boston". */
static bool separates_by_tabs(np_text first, const char *name)
{
    if (np_text_ends(name, ".tsv") || np_text_ends(name, ".tab"))
        return true;
    first.separator = '\t';
    const char *at = NULL;
    np_text_field field;
    size_t fields = 0;
    bool spaced = false;
    for (; np_text_field_next(&first, &at, &field); fields++)
        spaced |= memchr(field.at, ' ', field.length) && has_letter(field) && *field.at != '{';
    return fields > 1 && spaced;
}

/* The line without a comment at its end. */
static np_text_field uncommented(np_text_field line)
{
    for (size_t i = 1; i < line.length; i++)
        if ((line.at[i] == '#' || line.at[i] == '%') && (line.at[i - 1] == ' ' || line.at[i - 1] == '\t'))
            line.length = i - 1;
    return line;
}

char np_text_separator(np_text text, const char *name)
{
    np_text_field line = uncommented(np_text_first_line(text));
    for (const char *separator = ",;"; *separator; separator++)
        if (np_text_span(line, (const char[]){*separator, 0}) < line.length)
            return *separator;
    if (!np_text_next(&text))
        return 0;
    text.whole = line;
    return separates_by_tabs(text, name) ? '\t' : 0;
}
