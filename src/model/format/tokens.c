/* Tokens, one at a time, as parts of the text. */
#include "model/format/tokens.h"

#include <string.h>
#include <strings.h>

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_letter(const np_tokens *tokens, char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (tokens->language->dot && (unsigned char)c >= 128);
}

/* Moves past `count` bytes and counts their lines. */
static void move(np_tokens *tokens, size_t count)
{
    np_text *text = tokens->text;
    for (const char *end = text->at + count; text->at < end; text->at++)
        tokens->next_line += *text->at == '\n';
}

static bool starts(const np_text *text, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(text->end - text->at) >= length && !memcmp(text->at, word, length);
}

/* ---- Between tokens ---- */

static np_status skip_comment(np_tokens *tokens)
{
    np_text *text = tokens->text;
    const char *at = text->at + 2;
    while (at + 1 < text->end && (at[0] != '*' || at[1] != '/'))
        at++;
    text->line = tokens->next_line;
    if (at + 1 >= text->end)
        return np_text_raise(text, NP_ERROR_INPUT, "a comment that does not end: the %s file is cut off",
                             tokens->language->name);
    move(tokens, (size_t)(at + 2 - text->at));
    return NP_OK;
}

static void skip_line(np_tokens *tokens)
{
    const np_text *text = tokens->text;
    const char *newline = memchr(text->at, '\n', (size_t)(text->end - text->at));
    move(tokens, (size_t)((newline ? newline : text->end) - text->at));
}

static bool at_hash(const np_tokens *tokens, const char *first)
{
    const char *at = tokens->text->at;
    return *at == '#' && (!tokens->language->dot || at == first || at[-1] == '\n');
}

/* Skips blanks and comments. first: of the whole text. */
static np_status skip(np_tokens *tokens, const char *first)
{
    np_text *text = tokens->text;
    np_status st = NP_OK;
    while (text->at < text->end && !st) {
        if (memchr(" \t\r\n\f\v", *text->at, 6))
            move(tokens, 1);
        else if (at_hash(tokens, first) || (tokens->language->dot && starts(text, "//")))
            skip_line(tokens);
        else if (tokens->language->dot && starts(text, "/*"))
            st = skip_comment(tokens);
        else
            break;
    }
    return st;
}

/* ---- Tokens ---- */

static void take(np_tokens *tokens, np_token_kind kind, size_t length)
{
    tokens->kind = kind;
    tokens->token = (np_text_field){tokens->text->at, length};
    move(tokens, length);
}

static np_status take_quoted(np_tokens *tokens)
{
    const np_text *text = tokens->text;
    const char *at = text->at + 1;
    while (at < text->end && *at != '"')
        at += tokens->language->dot && *at == '\\' && at + 1 < text->end ? 2 : 1;
    if (at >= text->end)
        return np_text_raise(text, NP_ERROR_INPUT, "a text in quotes that does not end: the %s file is cut off",
                             tokens->language->name);
    take(tokens, NP_TOKEN_QUOTED, (size_t)(at + 1 - text->at));
    tokens->token = (np_text_field){tokens->token.at + 1, tokens->token.length - 2};
    return NP_OK;
}

static np_status take_markup(np_tokens *tokens)
{
    const np_text *text = tokens->text;
    const char *at = text->at;
    size_t depth = 0;
    do {
        depth += *at == '<';
        depth -= *at == '>';
        at++;
    } while (depth && at < text->end);
    if (depth)
        return np_text_raise(text, NP_ERROR_INPUT, "a text in <...> that does not end: the %s file is cut off",
                             tokens->language->name);
    take(tokens, NP_TOKEN_MARKUP, (size_t)(at - text->at));
    return NP_OK;
}

/* How long the number is that begins here, without its exponent; 0: none does. */
static size_t number_length(const np_tokens *tokens)
{
    const np_text *text = tokens->text;
    const char *at = text->at, *end = text->end, *digits;
    at += at < end && (*at == '-' || (*at == '+' && !tokens->language->dot));
    for (digits = at; at < end && is_digit(*at); at++)
        continue;
    size_t count = (size_t)(at - digits);
    if (!count && at > text->at && !tokens->language->dot && end - at >= 3 && !strncasecmp(at, "inf", 3))
        return (size_t)(at + 3 - text->at); /* "+INF", as networkx writes it */
    if (at < end && *at == '.') {
        for (digits = ++at; at < end && is_digit(*at); at++)
            continue;
        count += (size_t)(at - digits);
    }
    return count ? (size_t)(at - text->at) : 0;
}

/* "e-05" behind a number. */
static size_t exponent_length(const char *at, const char *end)
{
    const char *first = at;
    if (at == end || (*at != 'e' && *at != 'E'))
        return 0;
    at++;
    at += at < end && (*at == '-' || *at == '+');
    if (at == end || !is_digit(*at))
        return 0;
    while (at < end && is_digit(*at))
        at++;
    return (size_t)(at - first);
}

/* Where one token ends and another begins without a blank, most likely one name is meant: 10ge, a-1 */
static np_status refuse_run(const np_tokens *tokens)
{
    const np_text *text = tokens->text;
    const char *end = tokens->token.at;
    while (end < text->end && !memchr(" \t\r\n[]{};,=", *end, 11))
        end++;
    return np_text_raise(text, NP_ERROR_INPUT, "'%s' is no name of %s: write it in quotes",
                         np_text_show_field((np_text_field){tokens->token.at, (size_t)(end - tokens->token.at)}).text,
                         tokens->language->name);
}

static np_status take_number(np_tokens *tokens, size_t length)
{
    const np_text *text = tokens->text;
    if (!tokens->language->dot)
        length += exponent_length(text->at + length, text->end);
    const char *end = text->at + length;
    take(tokens, NP_TOKEN_NUMBER, length);
    return end < text->end && (is_letter(tokens, *end) || *end == '.') ? refuse_run(tokens) : NP_OK;
}

static np_status take_word_or_mark(np_tokens *tokens)
{
    const np_text *text = tokens->text;
    const char *at = text->at;
    while (at < text->end && (is_letter(tokens, *at) || (at > text->at && is_digit(*at))))
        at++;
    if (at > text->at) {
        take(tokens, NP_TOKEN_WORD, (size_t)(at - text->at));
        return number_length(tokens) ? refuse_run(tokens) : NP_OK;
    }
    for (const char *const *mark = tokens->language->marks; *mark; mark++)
        if (starts(text, *mark)) {
            take(tokens, NP_TOKEN_MARK, strlen(*mark));
            return NP_OK;
        }
    return np_text_raise(text, NP_ERROR_INPUT, "'%s' has no meaning here in %s",
                         np_text_show_field((np_text_field){at, 1}).text, tokens->language->name);
}

np_status np_tokens_next(np_tokens *tokens)
{
    np_text *text = tokens->text;
    size_t length;
    np_status st = skip(tokens, tokens->text->whole.at);
    if (st)
        return st;
    text->line = tokens->next_line;
    if (text->at == text->end) {
        take(tokens, NP_TOKEN_END, 0);
        return NP_OK;
    }
    if (*text->at == '"')
        return take_quoted(tokens);
    if (*text->at == '<' && tokens->language->dot)
        return take_markup(tokens);
    if ((length = number_length(tokens)))
        return take_number(tokens, length);
    return take_word_or_mark(tokens);
}

np_status np_tokens_begin(np_tokens *tokens, const np_language *language, np_text *text)
{
    text->whole = (np_text_field){text->at, (size_t)(text->end - text->at)};
    *tokens = (np_tokens){.language = language, .text = text, .next_line = 1};
    return np_tokens_next(tokens);
}

bool np_tokens_at(const np_tokens *tokens, const char *mark)
{
    return tokens->kind == NP_TOKEN_MARK && tokens->token.length == strlen(mark) &&
           !memcmp(tokens->token.at, mark, tokens->token.length);
}

bool np_tokens_at_word(const np_tokens *tokens, const char *word)
{
    return tokens->kind == NP_TOKEN_WORD && tokens->token.length == strlen(word) &&
           !strncasecmp(tokens->token.at, word, tokens->token.length);
}

np_status np_tokens_refuse(const np_tokens *tokens, const char *should_be)
{
    if (tokens->kind == NP_TOKEN_END)
        return np_text_raise(tokens->text, NP_ERROR_INPUT, "the %s file is cut off: %s", tokens->language->name,
                             should_be);
    return np_text_raise(tokens->text, NP_ERROR_INPUT, "'%s': in %s %s", np_text_show_field(tokens->token).text,
                         tokens->language->name, should_be);
}

/* ---- Characters ---- */

size_t np_text_put_utf8(uint32_t c, char *to)
{
    if (c < 0x80) {
        to[0] = (char)c;
        return c ? 1 : 0;
    }
    if (c < 0x800) {
        to[0] = (char)(0xc0 | c >> 6);
        to[1] = (char)(0x80 | (c & 63));
        return 2;
    }
    if (c < 0x10000) {
        to[0] = (char)(0xe0 | c >> 12);
        to[1] = (char)(0x80 | (c >> 6 & 63));
        to[2] = (char)(0x80 | (c & 63));
        return c >= 0xd800 && c < 0xe000 ? 0 : 3;
    }
    to[0] = (char)(0xf0 | c >> 18);
    to[1] = (char)(0x80 | (c >> 12 & 63));
    to[2] = (char)(0x80 | (c >> 6 & 63));
    to[3] = (char)(0x80 | (c & 63));
    return c < 0x110000 ? 4 : 0;
}
