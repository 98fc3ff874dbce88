/*
 * What the parts of the parser share: parse.c reads files and declarations, parse_statement.c statements,
 * parse_expression.c expressions.
 */
#pragma once

#include <string.h>

#include "machine/script/diagnose.h"

/*
 * The words of a program's text. A statement ends with its line, except within parentheses and brackets, and behind an
 * operator or a comma; a semicolon ends a statement, too. '#' begins a comment.
 */

typedef enum np_token_kind {
    NP_TOKEN_END,     /* of the text */
    NP_TOKEN_NEWLINE, /* the end of a statement */
    NP_TOKEN_NAME,
    NP_TOKEN_KEYWORD,
    NP_TOKEN_INT,
    NP_TOKEN_REAL,
    NP_TOKEN_TEXT,  /* "..." */
    NP_TOKEN_SYMBOL /* + - ( := and so on */
} np_token_kind;

typedef struct np_token {
    np_token_kind kind;
    np_place place, end; /* the place of its first letter, and behind its last */
    const char *at;      /* its text; of NP_TOKEN_TEXT without the quotes */
    size_t length;
    np_word whole;
    double real;
} np_token;

typedef struct np_lexer {
    const np_syntax *syntax;
    const char *at, *end, *line_start;
    uint32_t line, nested; /* parentheses and brackets that are open */
    np_token token;        /* the present one */
    np_place before;       /* the end of the token before it */
} np_lexer;

/* Begins with a file, and takes the first token. */
np_status np_lexer_begin(np_lexer *lexer, const np_syntax *syntax, uint32_t file) NP_CHECKED;

/*
 * Takes the next token. NP_ERROR_INPUT: no token, such as a letter that is none of the language, or a number too large.
 */
np_status np_lexer_next(np_lexer *lexer) NP_CHECKED;

/*
 * Takes a name of parts joined by '-', such as crcw-xor, behind the present keyword on its line: its parts may be words
 * of the language. The name is empty if there is none. NP_ERROR_INPUT: too long.
 */
np_status np_lexer_joined(np_lexer *lexer) NP_CHECKED;

/* Is the present token this word or symbol? */
bool np_lexer_is(const np_lexer *lexer, const char *word);

/* What the present token is, for messages: "'x'", "the end of the line". */
typedef struct np_shown {
    char text[80];
} np_shown;
np_shown np_lexer_show(const np_lexer *lexer);

typedef struct np_parser {
    np_lexer lexer;
    np_syntax *syntax;
    np_pool *pool;
    uint32_t depth; /* of blocks and parentheses: at most NP_SCRIPT_DEPTH */
} np_parser;

/* The next expression. */
np_status np_parse_expression(np_parser *parser, np_expression **out) NP_CHECKED;

/* Raises "PLACE: WHAT, and not 'x'" about the present token. */
np_status np_parse_refuse(const np_parser *parser, const char *wanted);

/* Steps over a keyword or symbol that must be there. */
np_status np_parse_expect(np_parser *parser, const char *word, const char *wanted) NP_CHECKED;

/* Steps over it if it is there. */
np_status np_parse_accept(np_parser *parser, const char *word, bool *there) NP_CHECKED;

/* Takes a name without a point; room: letters that it may have. */
np_status np_parse_letters(np_parser *parser, char *name, size_t room, const char *wanted) NP_CHECKED;

/* Takes a name, of at most NP_SCRIPT_NAME letters; also the parts of an input, as G.n. */
np_status np_parse_name(np_parser *parser, char name[NP_SCRIPT_NAME + 1], const char *wanted) NP_CHECKED;

/* Takes a text in quotes. */
np_status np_parse_text(np_parser *parser, const char **out) NP_CHECKED;

/* Takes a name, of which it makes a symbol at its place, of type int. */
np_status np_parse_symbol(np_parser *parser, np_symbol_kind kind, const char *wanted, np_symbol **out) NP_CHECKED;

/* int, real or bool */
np_status np_parse_type(np_parser *parser, np_type *out) NP_CHECKED;

/* [ ':' type ] */
np_status np_parse_colon_type(np_parser *parser, np_type *out, bool *given) NP_CHECKED;

/* Steps over ends of lines and semicolons. */
np_status np_parse_separators(np_parser *parser) NP_CHECKED;

/* After a statement there is the end of a line, a semicolon, or the end of the block. */
np_status np_parse_separator(np_parser *parser) NP_CHECKED;

/* Is the present token end, else, elif or until, or the end of the text? */
bool np_parse_ends_block(const np_lexer *lexer);

np_status np_parse_statement(np_parser *parser, np_block *into) NP_CHECKED;

/* Statements up to end, else, elif or until, or to the end of the text. */
np_status np_parse_block(np_parser *parser, np_block *block) NP_CHECKED;

/* Takes the end of a block that began with the word `of` at `place`. */
np_status np_parse_end(np_parser *parser, const char *of, np_place place) NP_CHECKED;

/* One level deeper, which np_parse_leave ends. NP_ERROR_LIMIT: too deep. */
np_status np_parse_enter(np_parser *parser) NP_CHECKED;
static inline void np_parse_leave(np_parser *parser) { parser->depth--; }
