/*
 * Text files of fields, fast: the whole file in one buffer, fields as
 * pointers into it, no copies and no library call for a field. A million
 * lines take some tens of milliseconds.
 */
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/plural.h"
#include "base/written.h"

#define NAME_SHOWN 200 /* ours: leaves room for the message in the 512 bytes of an error */
#define FIELD_SHOWN 40
#define PIPE_LIMIT ((size_t)1 << 30) /* ours: a pipe or device has no known size and may never end */

static np_status refuse_file(const char *path, const char *what, int error)
{
    return NP_RAISE(NP_ERROR_IO, "cannot %s '%.*s': %s", what, NAME_SHOWN, path, strerror(error));
}

/* Reads to the end of the file. room: the bytes of the buffer, at least one more than the stated size of the file. */
static np_status read_all(int file, const char *path, char **data, size_t room, size_t *length)
{
    np_status st;
    for (;;) {
        if (*length == room) {
            if (room >= PIPE_LIMIT)
                return NP_RAISE(NP_ERROR_LIMIT, "'%.*s' tells no size and goes on after %zu MB: give a plain file",
                                NAME_SHOWN, path, PIPE_LIMIT >> 20);
            if ((st = np_memory_grow(data, room, 2 * room, 1, "a file's text")))
                return st;
            room *= 2;
        }
        ssize_t got = read(file, *data + *length, room - *length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return refuse_file(path, "read", errno);
        if (!got)
            return NP_OK;
        *length += (size_t)got;
    }
}

static np_status read_open(int file, const char *path, char **data, size_t *length)
{
    struct stat about;
    np_status st;
    if (fstat(file, &about))
        return refuse_file(path, "read", errno);
    if (S_ISDIR(about.st_mode))
        return refuse_file(path, "read", EISDIR);
    size_t room = S_ISREG(about.st_mode) ? (size_t)about.st_size + 1 : 0;
    room = room < 4096 ? 4096 : room; /* files under /proc state size 0 */
    return (st = np_memory_array(data, room, 1, "a file's text")) ? st : read_all(file, path, data, room, length);
}

np_status np_text_read(const char *path, char **out, size_t *length)
{
    char *data = NULL;
    *out = NULL;
    *length = 0;
    if (!*path)
        return NP_RAISE(NP_ERROR_IO, "no file is named: write file:PATH");
    int file = strcmp(path, "-") != 0 ? open(path, O_RDONLY | O_CLOEXEC) : fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
    if (file < 0)
        return refuse_file(path, "open", errno);
    np_status st = read_open(file, path, &data, length);
    close(file);
    if (st)
        np_memory_free(data);
    else
        *out = data;
    return st;
}

np_status np_text_raise(const np_text *text, np_status status, const char *format, ...)
{
    char inner[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(inner, sizeof inner, format, arguments);
    va_end(arguments);
    if (text->line == NP_TEXT_NO_LINE || !text->line)
        return NP_RAISE(status, "%s: %s", text->name, inner);
    return NP_RAISE(status, "%s:%llu: %s", text->name, (unsigned long long)text->line, inner);
}

/* Begins, and moves to the line of a byte of the data that is refused. */
static void begin_at(np_text *text, const char *data, const char *byte)
{
    text->line = 1;
    for (const char *p = data; (p = memchr(p, text->newline, (size_t)(byte - p))); p++)
        text->line++;
}

static np_status refuse_byte(np_text *text, const char *data, const char *byte)
{
    begin_at(text, data, byte);
    if (!*byte)
        return np_text_raise(text, NP_ERROR_INPUT, "a zero byte: this is not a text file");
    if (*byte == '\r')
        return np_text_raise(text, NP_ERROR_INPUT,
                             "a carriage return inside a line: lines end in LF or in CR LF, or all of them in CR");
    if ((unsigned char)*byte > 127)
        return np_text_raise(
            text, NP_ERROR_INPUT,
            "byte %u is no character of UTF-8: write the text as UTF-8 (such as iconv -f LATIN1 -t UTF-8)",
            (unsigned char)*byte);
    return np_text_raise(text, NP_ERROR_INPUT, "a control character, byte %u: this is not a text file",
                         (unsigned char)*byte);
}

np_status np_text_open(np_text *text, const char *name, const char *data, size_t length)
{
    size_t named = strlen(name);
    const char *zero = length ? memchr(data, 0, length) : NULL;
    bool no_lf = length && !memchr(data, '\n', length);
    *text = (np_text){.name = named > NAME_SHOWN ? name + named - NAME_SHOWN : name,
                      .at = data,
                      .end = data + length,
                      .newline = no_lf ? '\r' : '\n'};
    if (zero)
        return refuse_byte(text, data, zero);
    text->at += np_text_mark(data, length);
    return NP_OK;
}

/* A carriage return that neither ends a line nor stands before its end; NULL: there is none. */
static const char *find_return(const np_text *text)
{
    const char *at = text->newline == '\n' ? text->at : text->end;
    while (at < text->end && (at = memchr(at, '\r', (size_t)(text->end - at)))) {
        const char *first = at;
        while (at < text->end && *at == '\r')
            at++;
        if (at < text->end && *at != '\n')
            return first;
    }
    return NULL;
}

np_status np_text_open_strict(np_text *text, const char *name, const char *data, size_t length)
{
    const np_foreign *foreign = np_foreign_of(data, length);
    const char *control = foreign ? NULL : np_foreign_byte(data, length);
    np_status st = np_text_open(text, name, data, length);
    text->line = foreign ? 1 : text->line;
    if (foreign)
        return np_text_raise(text, NP_ERROR_INPUT, "this is %s: %s", foreign->name, foreign->advice);
    if (st || (!control && !(control = find_return(text))))
        return st;
    return refuse_byte(text, data, control);
}

enum { DEPTH_MAX = 16 }; /* ours: of parentheses in a name */

/*
 * Where a field in quotes or parentheses ends, past its last character: "New York", "5"" disk", (0, 1). NULL: it is in
 * none. The limit of the depth bounds the time that a line of open parentheses takes.
 */
static const char *find_close(const char *at, const char *end)
{
    bool quotes = *at == '"';
    for (int depth = !quotes; ++at < end && depth <= DEPTH_MAX;) {
        if (quotes && *at == '"' && at + 1 < end && at[1] == '"')
            at++;
        else if (quotes && *at == '"')
            return at + 1;
        depth += !quotes && *at == '(' ? 1 : !quotes && *at == ')' ? -1 : 0;
        if (!quotes && !depth)
            return at + 1;
    }
    return NULL;
}

/* The same of any field. */
static const char *enclosed_end(const char *at, const char *end)
{
    return at < end && (*at == '"' || *at == '(') ? find_close(at, end) : NULL;
}

size_t np_text_span(np_text_field line, const char *characters)
{
    const char *at = line.at, *end = line.at + line.length;
    while (at < end) {
        const char *close = enclosed_end(at, end);
        if (!close && strchr(characters, *at))
            break;
        at = close ? close : at + 1;
    }
    return (size_t)(at - line.at);
}

/* Where a plain field ends: at a space; at once, if it begins a comment or with the stop. A text has no zero byte. */
static inline const char *plain_end(const np_text *text, const char *at, const char *end)
{
    if (at < end && (*at == '#' || *at == '%' || *at == text->stop))
        return at;
    while (at < end && !np_text_is_blank(*at))
        at++;
    return at;
}

/* The text between the quotes. */
static np_text_field inside(const char *at, const char *close)
{
    return (np_text_field){at + 1, (size_t)(close - at - 2)};
}

/* Is it a field of the present line in quotes, and are there quotes in it? */
static bool holds_quotes(const np_text *text, np_text_field field)
{
    uintptr_t at = (uintptr_t)field.at, line = (uintptr_t)text->whole.at;
    return at > line && at < line + text->whole.length && field.at[-1] == '"' && field.length &&
           memchr(field.at, '"', field.length);
}

np_status np_text_unquote(const np_text *text, np_text_field field, np_text_field *out, char **room)
{
    *out = field;
    *room = NULL;
    if (!holds_quotes(text, field))
        return NP_OK;
    np_status st = np_memory_array(room, field.length, 1, "a name in quotes");
    if (st)
        return st;
    *out = (np_text_field){*room, 0};
    for (size_t i = 0; i < field.length; i++) {
        (*room)[out->length++] = field.at[i];
        i += field.at[i] == '"';
    }
    return NP_OK;
}

/* The field between separators, without the spaces around it, and without its quotes if they are around all of it. */
static const char *separated_field(const np_text *text, const char *at, const char *end, np_text_field *field)
{
    const char *close = enclosed_end(at, end), *from = close ? close : at;
    const char *stop = memchr(from, text->separator, (size_t)(end - from)), *last = stop ? stop : end;
    while (last > from && np_text_is_blank(last[-1]))
        last--;
    *field = close && *at == '"' && last == close ? inside(at, close) : (np_text_field){at, (size_t)(last - at)};
    return stop ? stop : end;
}

/* A field in quotes or parentheses, if nothing else follows there: its end; else NULL. */
static const char *enclosed_field(const np_text *text, const char *at, const char *end, np_text_field *field)
{
    const char *close = find_close(at, end);
    if (!close || (close < end && !np_text_is_blank(*close) && *close != text->stop))
        return NULL;
    *field = *at == '"' ? inside(at, close) : (np_text_field){at, (size_t)(close - at)};
    return close;
}

/* Begins a line: its first field is at *at. False if the line is empty, or a file's line is a comment as a whole. */
static bool begin_line(const np_text *text, const char **at)
{
    const char *p = text->whole.at, *end = p + text->whole.length;
    while (p < end && np_text_is_blank(*p) && *p != text->separator)
        p++;
    *at = p;
    return p < end && (text->line == NP_TEXT_NO_LINE || (*p != '#' && (text->separator || *p != '%')));
}

bool np_text_field_next(const np_text *text, const char **at, np_text_field *field)
{
    const char *end = text->whole.at + text->whole.length, *p = *at;
    if (!p && !begin_line(text, &p))
        return false;
    if (text->separator && *at) {
        if (p == end)
            return false;
        p++; /* past the separator */
    }
    while (p < end && np_text_is_blank(*p) && *p != text->separator)
        p++;
    if (text->separator) {
        *at = separated_field(text, p, end, field);
        return true;
    }
    if (p < end && (*p == '"' || *p == '(') && (*at = enclosed_field(text, p, end, field)))
        return true;
    *at = plain_end(text, p, end);
    *field = (np_text_field){p, (size_t)(*at - p)};
    return *at > p;
}

/* Splits the present line into fields. */
static void split(np_text *text)
{
    const char *at = NULL, *end = text->whole.at + text->whole.length;
    np_text_field field;
    size_t count = 0;
    for (; np_text_field_next(text, &at, &field); count++)
        if (count < NP_TEXT_FIELDS)
            text->field[count] = field;
    text->fields = count;
    text->rest =
        (np_text_field){at ? at : end, text->stop && at && at < end && *at == text->stop ? (size_t)(end - at) : 0};
}

/* The same, where nothing is a comment: a banner. */
static void split_banner(np_text *text)
{
    const char *at = text->whole.at, *end = at + text->whole.length;
    for (text->fields = 0;; text->fields++) {
        while (at < end && np_text_is_blank(*at))
            at++;
        const char *first = at;
        while (at < end && !np_text_is_blank(*at))
            at++;
        if (at == first)
            return;
        if (text->fields < NP_TEXT_FIELDS)
            text->field[text->fields] = (np_text_field){first, (size_t)(at - first)};
    }
}

static void take_line(np_text *text)
{
    const char *newline = memchr(text->at, text->newline, (size_t)(text->end - text->at));
    const char *stop = newline ? newline : text->end;
    text->whole = (np_text_field){text->at, (size_t)(stop - text->at)};
    if (text->whole.length && stop[-1] == '\r')
        text->whole.length--;
    text->at = newline ? newline + 1 : text->end;
    text->line++;
}

bool np_text_line(np_text *text)
{
    if (text->at == text->end)
        return false;
    take_line(text);
    split(text);
    return true;
}

bool np_text_next(np_text *text)
{
    while (np_text_line(text))
        if (text->fields || text->rest.length)
            return true;
    return false;
}

bool np_text_begins(np_text *text, const char *word)
{
    size_t length = strlen(word);
    if (text->line || (size_t)(text->end - text->at) < length || strncasecmp(text->at, word, length))
        return false;
    take_line(text);
    split_banner(text);
    return true;
}

bool np_text_field_is(np_text_field field, const char *word)
{
    return field.length == strlen(word) && !strncasecmp(field.at, word, field.length);
}

bool np_text_is(const np_text *text, size_t field, const char *word)
{
    return np_text_field_is(text->field[field], word);
}

np_text_shown np_text_show(const np_text *text, size_t field) { return np_text_show_field(text->field[field]); }

np_text_shown np_text_show_field(np_text_field field)
{
    np_text_shown shown;
    char copy[FIELD_SHOWN + 1];
    size_t kept = field.length > FIELD_SHOWN ? FIELD_SHOWN : field.length;
    while (kept < field.length && kept && ((unsigned char)field.at[kept] & 0xc0) == 0x80)
        kept--; /* no character is cut */
    if (kept)
        memcpy(copy, field.at, kept);
    copy[kept] = 0;
    (void)np_written_copy(copy, shown.text, FIELD_SHOWN + 1);
    strcat(shown.text, field.length > kept ? "..." : "");
    return shown;
}

/* Unlike specs, data may have leading zeros: tools print columns with them. */
bool np_text_whole(np_text_field field, uint64_t *out)
{
    uint64_t value = 0;
    if (!field.length)
        return false;
    for (size_t i = 0; i < field.length; i++) {
        unsigned digit = (unsigned char)field.at[i] - (unsigned)'0';
        if (digit > 9)
            return false;
        if (__builtin_mul_overflow(value, (uint64_t)10, &value) || __builtin_add_overflow(value, digit, &value))
            value = UINT64_MAX; /* and it stays so: every further digit overflows again */
    }
    *out = value;
    return true;
}

np_status np_text_number_of(const np_text *text, np_text_field field, const char *what, uint64_t low, uint64_t high,
                            uint64_t *out)
{
    uint64_t value = 0;
    bool number = np_text_whole(field, &value);
    if (number && value >= low && value <= high) {
        *out = value;
        return NP_OK;
    }
    if (number && low <= high)
        return np_text_raise(text, NP_ERROR_INPUT, "%s %s is out of range %llu..%llu: the nearest is %llu", what,
                             np_text_show_field(field).text, (unsigned long long)low, (unsigned long long)high,
                             (unsigned long long)(value < low ? low : high));
    return np_text_raise(text, NP_ERROR_INPUT, "%s '%s' is not a whole number: write one in %llu..%llu", what,
                         np_text_show_field(field).text, (unsigned long long)low, (unsigned long long)high);
}

np_status np_text_number(const np_text *text, size_t field, const char *what, uint64_t low, uint64_t high,
                         uint64_t *out)
{
    return np_text_number_of(text, text->field[field], what, low, high, out);
}

np_status np_text_count(const np_text *text, size_t low, size_t high, const char *format)
{
    if (text->fields >= low && text->fields <= high)
        return NP_OK;
    return np_text_raise(text, NP_ERROR_INPUT, "%zu field%s from '%s' on: a line is '%s'", text->fields,
                         np_plural(text->fields), np_text_show(text, 0).text, format);
}
