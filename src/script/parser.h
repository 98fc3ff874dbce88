/* What the two halves of the parser share: parse.c reads statements and declarations, parse_expression.c expressions. */
#ifndef NP_SCRIPT_PARSER_H
#define NP_SCRIPT_PARSER_H

#include <string.h>

#include "script/lexer.h"
#include "script/pool.h"

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

/* Takes a name, of at most NP_SCRIPT_NAME letters; also the parts of an input, as G.n. */
np_status np_parse_name(np_parser *parser, char name[NP_SCRIPT_NAME + 1], const char *wanted) NP_CHECKED;

/* Takes a text in quotes. */
np_status np_parse_text(np_parser *parser, const char **out) NP_CHECKED;

/* One level deeper, which np_parse_leave ends. NP_ERROR_LIMIT: too deep. */
np_status np_parse_enter(np_parser *parser) NP_CHECKED;
static inline void np_parse_leave(np_parser *parser) { parser->depth--; }

#endif
