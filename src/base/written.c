/*
 * Controls are C0, DEL and C1 (which terminals obey in UTF-8, too), the ends of lines and paragraphs of Unicode, and
 * the controls of direction (Unicode Standard Annex 9), by which a name could look like another one.
 */
#include "base/written.h"

#include <string.h>
#include <unistd.h>

#include "base/decimal.h"

static bool is_control(uint32_t c)
{
    return c < ' ' || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/* Is it a character, and not a surrogate or a place that never has one? */
static bool is_character(uint32_t c) { return c <= 0x10ffff && (c < 0xd800 || c > 0xdfff) && (c & 0xfffe) != 0xfffe; }

size_t np_written_next(const char *text, uint32_t *code, bool *plain)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *at = (const unsigned char *)text;
    size_t bytes = *at < 0x80 ? 1 : *at >> 5 == 6 ? 2 : *at >> 4 == 14 ? 3 : *at >> 3 == 30 ? 4 : 0;
    *code = bytes == 1 ? *at : *at & (0x7fu >> bytes);
    *plain = false;
    for (size_t i = 1; i < bytes; i++) {
        if (at[i] >> 6 != 2)
            return 0;
        *code = *code << 6 | (at[i] & 63u);
    }
    if (!bytes || *code < least[bytes] || !is_character(*code))
        return 0;
    *plain = !is_control(*code);
    return bytes;
}

bool np_written_plain(const char *text)
{
    bool plain = true;
    while (*text && plain) {
        uint32_t code;
        text += np_written_next(text, &code, &plain);
    }
    return plain;
}

enum { ESCAPE = 16 }; /* room for one */

/* How the character at *text is shown on a terminal; moves past it. */
static void show(const char **text, char *out)
{
    uint32_t code;
    bool plain;
    size_t bytes = np_written_next(*text, &code, &plain);
    if (!bytes)
        snprintf(out, ESCAPE, "\\x%02x", *(const unsigned char *)*text);
    else if (!plain)
        snprintf(out, ESCAPE, code < 0x80 ? "\\x%02x" : "\\u%04x", (unsigned)code);
    else
        snprintf(out, ESCAPE, "%.*s", (int)bytes, *text);
    *text += bytes ? bytes : 1;
}

char *np_written_copy(const char *text, char *out, size_t room)
{
    char one[ESCAPE];
    size_t at = 0;
    *out = 0;
    while (*text) {
        show(&text, one);
        size_t length = strlen(one);
        if (at + length >= room)
            break;
        memcpy(out + at, one, length + 1);
        at += length;
    }
    return out;
}

static void write_shown(const char *text, FILE *stream)
{
    char one[ESCAPE];
    while (*text) {
        show(&text, one);
        fputs(one, stream);
    }
}

static void write_json(const char *text, FILE *stream)
{
    fputc('"', stream);
    while (*text) {
        uint32_t code;
        bool plain;
        size_t bytes = np_written_next(text, &code, &plain);
        if (!bytes)
            fprintf(stream, "\\\\x%02x", *(const unsigned char *)text);
        else if (!plain)
            fprintf(stream, "\\u%04x", (unsigned)code);
        else
            fprintf(stream, "%s%.*s", *text == '"' || *text == '\\' ? "\\" : "", (int)bytes, text);
        text += bytes ? bytes : 1;
    }
    fputc('"', stream);
}

/* Would a spreadsheet run it? Signs alone, as in the name of a phase, are no formula. */
static bool is_formula(const char *text)
{
    double value;
    if (!*text || !strchr("=+-@\t\r", *text) || !text[strspn(text, "+-")])
        return false;
    bool sign = *text == '+' || *text == '-';
    return !sign || !np_decimal_real((np_text_field){text + 1, strlen(text + 1)}, &value);
}

static void write_field(const char *text, bool raw, FILE *stream)
{
    bool quotes = strpbrk(text, ",\"\r\n");
    char one[ESCAPE] = "";
    fputs(quotes ? "\"" : "", stream);
    fputs(is_formula(text) ? "'" : "", stream);
    while (*text) {
        fputs(*text == '"' ? "\"" : "", stream);
        if (raw)
            *one = *text++;
        else
            show(&text, one);
        fputs(one, stream);
    }
    fputs(quotes ? "\"" : "", stream);
}

/* To ask whether a stream is a terminal takes longer than to write a field. */
static void write_csv(const char *text, FILE *stream)
{
    write_field(text, np_written_plain(text) || !isatty(fileno(stream)), stream);
}

static void write_csv_shown(const char *text, FILE *stream) { write_field(text, false, stream); }

static void write_xml(const char *text, FILE *stream)
{
    char one[ESCAPE];
    while (*text) {
        show(&text, one);
        fputs(*one == '&'   ? "&amp;"
              : *one == '<' ? "&lt;"
              : *one == '>' ? "&gt;"
              : *one == '"' ? "&quot;"
                            : one,
              stream);
    }
}

void np_written(np_medium medium, const char *text, FILE *stream)
{
    static void (*const writer[])(const char *, FILE *) = {write_shown, write_json, write_csv, write_csv_shown,
                                                           write_xml};
    writer[medium](text, stream);
}

/* ---- Replacing characters ---- */

void np_put_escaped(FILE *stream, const char *text, const np_escape *escapes)
{
    for (; *text; text++) {
        const np_escape *e = escapes;
        while (e->with && e->character != *text)
            e++;
        if (e->with)
            fputs(e->with, stream);
        else
            fputc(*text, stream);
    }
}

void np_put_quoted(FILE *stream, const char *text, const np_escape *escapes)
{
    fputc('"', stream);
    np_put_escaped(stream, text, escapes);
    fputc('"', stream);
}
