/*
 * The survey of a table.
 *
 * Which character separates? Those that stand in the first line are tried, each
 * over the whole text. A character that does not split every line into as many
 * fields does not separate. If commas and blanks do, blanks belong to names,
 * unless the first two fields between blanks have a comma inside, as in
 *
 *     Oslo,Norway Bergen,Norway 7
 *
 * Other characters that split the text equally well, and differently, leave no
 * certain reading.
 */
#include "model/format/survey.h"

#include <string.h>

#include "base/decimal.h"

/* ---- Kinds of fields ---- */

static bool begins_number(np_text_field field)
{
    bool sign = field.length > 1 && (*field.at == '-' || *field.at == '+');
    char c = field.at[sign], next = field.length > sign + 1u ? field.at[sign + 1] : 0;
    return (c >= '0' && c <= '9') || (c == '.' && next >= '0' && next <= '9');
}

static bool is_real(np_text_field field)
{
    double value;
    bool sign = *field.at == '-' || *field.at == '+';
    return np_decimal_real((np_text_field){field.at + sign, field.length - sign}, &value);
}

/* Also "spine:", which is a key or the head of a list, but not "fe80::". */
static bool is_arrow(np_text_field field)
{
    if (field.length > 1 && field.at[field.length - 1] == ':' && field.at[field.length - 2] != ':')
        return true;
    for (size_t i = 0; i < field.length; i++)
        if (!strchr("-=<>|:~", field.at[i]))
            return false;
    return true;
}

static uint8_t kind_of(np_text_field field, uint64_t *value)
{
    if (!field.length)
        return NP_LOOKS_EMPTY;
    if (np_text_whole(field, value))
        return NP_LOOKS_WHOLE;
    if (is_arrow(field))
        return NP_LOOKS_ARROW;
    if (begins_number(field))
        return is_real(field) ? NP_LOOKS_NUMBER : NP_LOOKS_QUANTITY;
    return NP_LOOKS_WORD;
}

/* Between the quotes around the field nothing is wrong. */
static bool in_quotes(const np_text *text, np_text_field field)
{
    return field.at > text->whole.at && field.at < text->whole.at + text->whole.length && field.at[-1] == '"';
}

static bool has_bad_quote(const np_text *text, np_text_field field)
{
    if (!field.length || in_quotes(text, field))
        return false;
    return *field.at == '"' || (!text->separator && *field.at == '\'' && field.at[field.length - 1] != '\'');
}

/* "spare # old": is it a comment? */
static bool has_comment(const np_text *text, np_text_field field)
{
    for (size_t i = 1; i < field.length; i++)
        if (field.at[i] == '#' && (field.at[i - 1] == ' ' || field.at[i - 1] == '\t'))
            return !in_quotes(text, field);
    return false;
}

static bool is_edged(np_text_field field)
{
    return field.length && (strchr(",;", *field.at) || strchr(",;", field.at[field.length - 1]));
}

static bool has_comma(np_text_field field)
{
    return memchr(field.at, ',', field.length) || memchr(field.at, ';', field.length);
}

/* ---- Lines ---- */

static void take_number(np_survey_column *c, bool first, uint64_t value)
{
    if (first) {
        c->value = value;
        return;
    }
    c->least = value < c->least ? value : c->least;
    c->largest = value > c->largest ? value : c->largest;
}

static void take_field(np_survey *s, const np_text *text, size_t i, np_text_field field)
{
    uint64_t value = 0;
    uint8_t kind = kind_of(field, &value);
    if (kind == NP_LOOKS_ARROW && in_quotes(text, field))
        kind = NP_LOOKS_WORD;
    if (!s->bad_quote && has_bad_quote(text, field))
        s->bad_quote = text->line;
    if (s->separator)
        s->commented |= has_comment(text, field);
    else if (!in_quotes(text, field)) {
        s->edged |= is_edged(field);
        s->inner &= i > 1 || has_comma(field);
    }
    if (i)
        *(s->lines ? &s->below : &s->above) |= kind;
    if (kind == NP_LOOKS_WHOLE && value > s->largest)
        s->largest = value;
    if (i >= NP_TEXT_FIELDS)
        return;
    if (kind == NP_LOOKS_WHOLE)
        take_number(&s->column[i], !s->lines, value);
    *(s->lines ? &s->column[i].below : &s->column[i].head) |= kind;
    if (!i)
        s->numbered &= kind == NP_LOOKS_WHOLE && value == s->lines + (s->column[0].value == 1);
}

static void take_fields(np_survey *s, const np_text *text)
{
    const char *at = NULL;
    np_text_field field;
    if (text->fields <= NP_TEXT_FIELDS)
        for (size_t i = 0; i < text->fields; i++)
            take_field(s, text, i, text->field[i]);
    else
        for (size_t i = 0; np_text_field_next(text, &at, &field); i++)
            take_field(s, text, i, field);
}

static void take_line(np_survey *s, const np_text *text)
{
    size_t fields = text->fields;
    if (!s->line && text->fields <= 2 && np_text_is(text, 0, "nodes")) {
        s->promised = true;
        s->line = text->line;
        return;
    }
    take_fields(s, text);
    s->attributes |= text->rest.length > 0;
    if (text->fields == 1 && text->rest.length && !s->bare_line)
        s->bare_line = text->line;
    if (!s->lines) {
        s->line = s->line ? s->line : text->line;
        s->first = fields;
    } else if (s->lines == 1) {
        s->fields = fields;
        s->second_line = text->line;
    } else if (!s->odd_line && fields != s->fields) {
        s->odd_line = text->line;
        s->odd_fields = fields;
    }
    s->most = fields > s->most ? fields : s->most;
    s->lines++;
}

static void take_all(np_text text, char separator, np_survey *s)
{
    *s = (np_survey){.separator = separator, .inner = !separator, .numbered = true};
    for (size_t i = 0; i < NP_TEXT_FIELDS; i++)
        s->column[i].least = UINT64_MAX;
    text.separator = separator;
    text.stop = separator ? 0 : '{';
    while (np_text_next(&text))
        take_line(s, &text);
    if (s->lines == 1)
        s->fields = s->first;
}

bool np_survey_even(const np_survey *s, size_t least)
{
    return !s->odd_line && s->first == s->fields && s->fields >= least;
}

uint8_t np_survey_kinds(const np_survey *s, size_t column, bool named)
{
    return (uint8_t)(s->column[column].below | (named ? 0 : s->column[column].head));
}

/* ---- Separators ---- */

static bool has(np_text_field line, const char *characters) { return np_text_span(line, characters) < line.length; }

static const char *name_of(char separator)
{
    return separator == ',' ? "commas" : separator == ';' ? "semicolons" : separator == '\t' ? "tabs" : "blanks";
}

/* Which of two surveys is of the right reading? NULL: either may be. */
static const np_survey *choose(const np_survey *a, const np_survey *b, const char *name)
{
    bool marks = a->separator == ',' || a->separator == ';';
    if (marks && !b->separator)
        return b->edged || !b->inner ? a : NULL;
    if (a->separator == '\t' && b->attributes && a->fields == b->fields + 1)
        return b;
    if (a->separator == '\t' && !b->separator)
        return a->fields == b->fields ? b : np_text_ends(name, ".tsv") || np_text_ends(name, ".tab") ? a : NULL;
    return NULL;
}

np_status np_survey_take(np_text *text, np_survey *survey)
{
    static const char separators[] = {',', ';', '\t', 0};
    static const char *const marks[] = {",", ";", "\t", " \t"};
    np_text_field line = np_text_first_line(*text);
    bool found = false;
    np_survey other;
    for (size_t i = 0; i < sizeof separators; i++) {
        if (!has(line, marks[i]) && (separators[i] || found))
            continue;
        take_all(*text, separators[i], &other);
        if (found && np_survey_even(&other, 2) && np_survey_even(survey, 2)) {
            const np_survey *right = choose(survey, &other, text->name);
            text->line = survey->line;
            if (!right)
                return np_text_raise(
                    text, NP_ERROR_INPUT,
                    "%s and %s both separate the fields of all lines: put names in quotes, or name the "
                    "columns in a first line, as in 'source%ctarget'",
                    name_of(survey->separator), name_of(other.separator), survey->separator);
            text->line = 0;
            *survey = *right;
        } else if (!found || (np_survey_even(&other, 2) && !np_survey_even(survey, 2)))
            *survey = other;
        found = true;
    }
    text->separator = survey->separator;
    text->stop = survey->separator ? 0 : '{';
    return NP_OK;
}
