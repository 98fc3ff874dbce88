/*
 * What the lines of a text have in common, if they are a table: the character
 * that separates fields, how many there are, of which kind each column is. A
 * list is surveyed as a whole before any line of it is read, since no line of
 * it says what it is.
 */
#pragma once

#include "base/text.h"

/* Kinds of fields, as bits of a set. */
enum {
    NP_LOOKS_EMPTY = 1,
    NP_LOOKS_WHOLE = 2,    /* "7" */
    NP_LOOKS_NUMBER = 4,   /* "-0.5" */
    NP_LOOKS_QUANTITY = 8, /* what else begins like a number: "10Gbps", "2025-03-04" */
    NP_LOOKS_ARROW = 16,   /* "--", "->", ":", and what ends with a colon */
    NP_LOOKS_WORD = 32
};

enum { NP_SURVEY_NUMBERS = NP_LOOKS_WHOLE | NP_LOOKS_NUMBER };

/* Of a column, below the first line. */
typedef struct np_survey_column {
    uint8_t head;            /* the kind of the first line's field; 0: it has none */
    uint8_t below;           /* the kinds of all others */
    uint64_t value;          /* the first line's, if it is whole */
    uint64_t least, largest; /* of whole numbers below */
} np_survey_column;

typedef struct np_survey {
    char separator;       /* 0: blanks */
    uint64_t lines;       /* with fields */
    uint64_t line;        /* the number of the first one */
    size_t first, fields; /* fields of the first line, and of the others up to `odd_line` */
    size_t most;          /* in any line */
    uint64_t second_line; /* the number of the second one; 0: there is none */
    uint64_t odd_line;    /* the first line with another number of fields than the second one has; 0: none */
    size_t odd_fields;    /* its fields */
    uint64_t bad_quote;   /* the first line with a field that begins with a quote, and does not end with it; 0: none */
    uint64_t bare_line;   /* the first line of one field and attributes {...}; 0: none */
    uint8_t above, below; /* the kinds of all fields but those of the first column: in the first line, and below it */
    uint64_t largest;     /* of all whole numbers */
    bool attributes;      /* a line ends with {...} */
    bool promised;        /* the first line is 'nodes N' */
    bool commented;       /* between separators, a field holds a '#' behind a blank */
    bool edged, inner;    /* with blanks: a field begins or ends with ',' or ';'; the first two have one inside */
    bool numbered;        /* the first column is 0, 1, 2, ... or 1, 2, 3, ... from the first line on */
    np_survey_column column[NP_TEXT_FIELDS];
} np_survey;

/* Surveys the text, whose separator it sets. NP_ERROR_INPUT: two characters separate it equally well. */
np_status np_survey_take(np_text *text, np_survey *survey) NP_CHECKED;

/* Do all lines have as many fields, at least `least`? A first line 'nodes N' does not count. */
bool np_survey_even(const np_survey *survey, size_t least);

/* All kinds of a column; with the first line's, unless it names the columns. */
uint8_t np_survey_kinds(const np_survey *survey, size_t column, bool named);
