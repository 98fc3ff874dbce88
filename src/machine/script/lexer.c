/* The words of a program's text; parser.h says what ends a statement. */
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "machine/script/language.h"
#include "machine/script/parser.h"

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static np_place place_of(const np_lexer *lexer, const char *at)
{
    return (np_place){lexer->line, (uint32_t)(at - lexer->line_start) + 1};
}

bool np_lexer_is(const np_lexer *lexer, const char *word)
{
    const np_token *token = &lexer->token;
    return (token->kind == NP_TOKEN_NAME || token->kind == NP_TOKEN_KEYWORD || token->kind == NP_TOKEN_SYMBOL) &&
           strlen(word) == token->length && !memcmp(token->at, word, token->length);
}

np_shown np_lexer_show(const np_lexer *lexer)
{
    const np_token *token = &lexer->token;
    np_shown shown;
    if (token->kind == NP_TOKEN_END)
        snprintf(shown.text, sizeof shown.text, "the end of the program");
    else if (token->kind == NP_TOKEN_NEWLINE)
        snprintf(shown.text, sizeof shown.text, "the end of the line");
    else if (token->kind == NP_TOKEN_TEXT)
        snprintf(shown.text, sizeof shown.text, "a text");
    else
        snprintf(shown.text, sizeof shown.text, "'%.*s'", token->length > 60 ? 60 : (int)token->length, token->at);
    return shown;
}

/* May a statement not end behind this token? */
static bool goes_on(const np_token *token)
{
    return (token->kind == NP_TOKEN_SYMBOL || token->kind == NP_TOKEN_KEYWORD) &&
           np_language_goes_on(token->at, token->length);
}

/* Steps over blanks, comments, and ends of lines that end no statement. True: at such an end. */
static bool skip(np_lexer *lexer)
{
    for (; lexer->at < lexer->end; lexer->at++) {
        if (*lexer->at == '#')
            while (lexer->at + 1 < lexer->end && lexer->at[1] != '\n')
                lexer->at++;
        else if (*lexer->at == '\n') {
            if (!lexer->nested && lexer->token.kind != NP_TOKEN_NEWLINE && !goes_on(&lexer->token))
                return true;
            lexer->line++;
            lexer->line_start = lexer->at + 1;
        } else if (*lexer->at != ' ' && *lexer->at != '\t' && *lexer->at != '\r')
            return false;
    }
    return false;
}

static np_status take_end_of_line(np_lexer *lexer)
{
    np_token *token = &lexer->token;
    token->kind = NP_TOKEN_NEWLINE;
    token->place = token->end = place_of(lexer, lexer->at);
    lexer->at++;
    lexer->line++;
    lexer->line_start = lexer->at;
    return NP_OK;
}

static void take(np_lexer *lexer, np_token_kind kind, size_t length)
{
    lexer->token.kind = kind;
    lexer->token.at = lexer->at;
    lexer->token.length = length;
    lexer->at += length;
    lexer->token.end = place_of(lexer, lexer->at);
}

static np_status take_letters(np_lexer *lexer, size_t length, np_token_kind kind)
{
    if (length > NP_SCRIPT_NAME)
        return np_script_raise(lexer->syntax, lexer->token.place, NP_ERROR_INPUT, "a name of %zu letters: at most %d",
                               length, NP_SCRIPT_NAME);
    take(lexer, kind, length);
    return NP_OK;
}

static np_status take_name(np_lexer *lexer)
{
    size_t length = 0, left = (size_t)(lexer->end - lexer->at);
    while (length < left && (is_letter(lexer->at[length]) || is_digit(lexer->at[length])))
        length++;
    while (length < left && lexer->at[length] == '\'') /* D' */
        length++;
    return take_letters(lexer, length, np_language_reserves(lexer->at, length) ? NP_TOKEN_KEYWORD : NP_TOKEN_NAME);
}

static np_status raise_number(const np_lexer *lexer, size_t length, const char *why)
{
    return np_script_raise(lexer->syntax, lexer->token.place, NP_ERROR_INPUT, "%.*s: %s",
                           length > 40 ? 40 : (int)length, lexer->at, why);
}

static unsigned digit_of(char c)
{
    if (is_digit(c))
        return (unsigned)(c - '0');
    return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10) : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A' + 10) : 99;
}

/* 0x1F, 1_000_000 */
static np_status take_whole(np_lexer *lexer, size_t length)
{
    bool hexadecimal = length > 2 && lexer->at[0] == '0' && lexer->at[1] == 'x';
    unsigned base = hexadecimal ? 16 : 10;
    uint64_t value = 0;
    for (size_t i = hexadecimal ? 2 : 0; i < length; i++) {
        unsigned digit = digit_of(lexer->at[i]);
        if (lexer->at[i] == '_')
            continue;
        if (digit >= base)
            return raise_number(lexer, length, "not a number, and names begin with a letter");
        if (value > (UINT64_MAX - digit) / base || value * base + digit > INT64_MAX)
            return raise_number(lexer, length, "whole numbers go up to 2^63 - 1");
        value = value * base + digit;
    }
    take(lexer, NP_TOKEN_INT, length);
    lexer->token.whole = (np_word)value;
    return NP_OK;
}

static np_status take_real(np_lexer *lexer, size_t length)
{
    char text[64];
    size_t digits = 0;
    for (size_t i = 0; i < length && digits < sizeof text - 1; i++)
        if (lexer->at[i] != '_')
            text[digits++] = lexer->at[i];
    double value;
    if (digits == sizeof text - 1 || !np_decimal_real((np_text_field){text, digits}, &value))
        return raise_number(lexer, length, "not a number below 1e300: write 1.5 or 2.5e-3");
    take(lexer, NP_TOKEN_REAL, length);
    lexer->token.real = value;
    return NP_OK;
}

/* A number, with a fraction if a point and a digit follow, or an exponent. "0..9" is a range. */
static np_status take_number(np_lexer *lexer)
{
    size_t length = 0, left = (size_t)(lexer->end - lexer->at);
    const char *at = lexer->at;
    bool real = false, hexadecimal = left > 1 && at[0] == '0' && at[1] == 'x';
    while (length < left && (is_digit(at[length]) || is_letter(at[length]) ||
                             (at[length] == '.' && !real && length + 1 < left && is_digit(at[length + 1])) ||
                             ((at[length] == '-' || at[length] == '+') && !hexadecimal && at[length - 1] == 'e'))) {
        real |= at[length] == '.' || (!hexadecimal && at[length] == 'e');
        length++;
    }
    return real ? take_real(lexer, length) : take_whole(lexer, length);
}

static np_status take_text(np_lexer *lexer)
{
    size_t length = 1, left = (size_t)(lexer->end - lexer->at);
    while (length < left && lexer->at[length] != '"' && lexer->at[length] != '\n')
        length++;
    if (length == left || lexer->at[length] == '\n')
        return np_script_raise(lexer->syntax, lexer->token.place, NP_ERROR_INPUT,
                               "a text that does not end on its line: write \" behind it");
    take(lexer, NP_TOKEN_TEXT, length + 1);
    lexer->token.at++;
    lexer->token.length -= 2;
    return NP_OK;
}

static np_status take_symbol(np_lexer *lexer)
{
    const size_t length = np_language_sign(lexer->at, (size_t)(lexer->end - lexer->at));
    if (length) {
        take(lexer, NP_TOKEN_SYMBOL, length);
        const char sign = *lexer->token.at;
        if (sign == '(' || sign == '[')
            lexer->nested++;
        else if ((sign == ')' || sign == ']') && lexer->nested)
            lexer->nested--;
        return NP_OK;
    }
    unsigned char c = (unsigned char)*lexer->at;
    if (c >= 0xfe) /* the mark of UTF-16, and no byte of UTF-8 */
        return np_script_raise(lexer->syntax, lexer->token.place, NP_ERROR_INPUT,
                               "byte %u is no letter of the language: is the text UTF-16? Save it as UTF-8", c);
    if (c > ' ' && c < 127)
        return np_script_raise(lexer->syntax, lexer->token.place, NP_ERROR_INPUT, "'%c' is no sign of the language", c);
    return np_script_raise(lexer->syntax, lexer->token.place, NP_ERROR_INPUT,
                           "byte %u is no letter of the language: only comments and texts may have others", c);
}

np_status np_lexer_next(np_lexer *lexer)
{
    lexer->before = lexer->token.end;
    bool ends = skip(lexer);
    if (ends)
        return take_end_of_line(lexer);
    lexer->token.place = lexer->token.end = place_of(lexer, lexer->at);
    if (lexer->at == lexer->end) {
        lexer->token.kind = NP_TOKEN_END;
        return NP_OK;
    }
    if (is_letter(*lexer->at))
        return take_name(lexer);
    if (is_digit(*lexer->at))
        return take_number(lexer);
    return *lexer->at == '"' ? take_text(lexer) : take_symbol(lexer);
}

np_status np_lexer_joined(np_lexer *lexer)
{
    while (lexer->at < lexer->end && (*lexer->at == ' ' || *lexer->at == '\t'))
        lexer->at++;
    size_t length = 0, left = (size_t)(lexer->end - lexer->at);
    while (length < left && (is_letter(lexer->at[length]) || is_digit(lexer->at[length]) || lexer->at[length] == '-'))
        length++;
    lexer->token.place = place_of(lexer, lexer->at);
    return take_letters(lexer, length, NP_TOKEN_NAME);
}

np_status np_lexer_begin(np_lexer *lexer, const np_syntax *syntax, uint32_t file)
{
    const np_source *source = &syntax->file[file];
    const uint32_t first = source->before + 1;
    *lexer = (np_lexer){.syntax = syntax,
                        .at = source->text,
                        .end = source->text + source->length,
                        .line_start = source->text,
                        .line = first,
                        .token = {.kind = NP_TOKEN_NEWLINE, .place = {first, 1}, .end = {first, 1}}};
    return np_lexer_next(lexer);
}
