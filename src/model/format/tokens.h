/* Tokens of texts whose lines mean nothing: DOT and GML. */
#pragma once

#include "base/text.h"

typedef enum np_token_kind {
    NP_TOKEN_END,
    NP_TOKEN_WORD,
    NP_TOKEN_NUMBER,
    NP_TOKEN_QUOTED, /* the text is what stands between the quotes */
    NP_TOKEN_MARKUP, /* <...> of DOT, with the outer brackets */
    NP_TOKEN_MARK,   /* one of the language's marks, such as "{" or "->" */
} np_token_kind;

typedef struct np_language {
    const char *name;         /* "DOT" */
    const char *const *marks; /* longer ones first; ends with NULL */
    /*
     * DOT: comments of C and C++; '#' begins one at the start of a line only (else anywhere); in quotes a backslash
     * keeps the next character from ending them; <...> is a token; bytes of 128 and more are letters; numbers have no
     * '+' and no exponent.
     */
    bool dot;
} np_language;

typedef struct np_tokens {
    const np_language *language;
    np_text *text; /* what is left; its line is that of the present token, for messages */
    np_token_kind kind;
    np_text_field token;
    uint64_t next_line; /* where the present token ends */
} np_tokens;

/* Takes the first token. NP_ERROR_INPUT here and below: quotes or a comment that do not end, or a stray character. */
np_status np_tokens_begin(np_tokens *tokens, const np_language *language, np_text *text) NP_CHECKED;

/* Takes the next token; NP_TOKEN_END after the last one. */
np_status np_tokens_next(np_tokens *tokens) NP_CHECKED;

/* Is the present token this mark? Is it this word, in any case of letters? */
bool np_tokens_at(const np_tokens *tokens, const char *mark);
bool np_tokens_at_word(const np_tokens *tokens, const char *word);

/* "'x' ...": an error about the present token; at the end it says that the text is cut off. */
np_status np_tokens_refuse(const np_tokens *tokens, const char *should_be) NP_CHECKED;

/* Writes the character into `to`, which has room for 4 bytes, as UTF-8. 0: there is no such character. */
size_t np_text_put_utf8(uint32_t character, char *to);
