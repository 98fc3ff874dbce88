/*
 * Fields: what a public structure holds, as a table that programs can walk.
 *
 * Each public structure of options or results has one np_fields: a row for each member that has a name outside C. The
 * command line, experiment files, JSON, CSV, charts and the documents read these tables; none of them keeps a list of
 * its own. A new option or a new measure is one new row. Members of a row that are not given are 0, the plain case.
 *
 *     static const np_field rows[] = {
 *         {"runs", NP_FIELD_U32, offsetof(np_route_options, runs), .help = "Repeat with fresh random choices",
 *          .low = 1, .high = UINT32_MAX, .preset = "1", .placeholder = "N"},
 *         {NULL, NP_FIELD_INSET, offsetof(np_route_options, merge), .fields = &np_merge_options_fields},
 *     };
 *     const np_fields np_route_options_fields = NP_FIELDS("route_options", "routing", np_route_options, rows);
 *
 * This header, and so each that includes it, needs C11: np_value has a union without a name.
 *
 * Names. A dot in a name stands for an object within the object: "network_steps.mean" is the member `mean` of the JSON
 * object `network_steps`. The order of the rows is the order of the JSON keys. Two kinds of rows lead to another
 * table: NP_FIELD_OBJECT makes an object of its own (its members are found as "NAME.MEMBER"), NP_FIELD_INSET has no
 * name and stands for all rows of the other table. A name may be written with '-' for '_'.
 *
 * Reading. np_field_get reads one row of an object into an np_value; np_fields_get finds a row by name first. A value
 * is absent if `applies` says no; it is null if `known` says no, if it is a NULL pointer, or if it is 0 and
 * NP_FIELD_ZERO says that 0 means none. `get` makes values that are not stored.
 *
 * Setting. np_field_set reads text into one row, np_fields_set finds the row by name first, np_fields_init sets every
 * row to its preset. The text is checked by the kind and the range; `set` is for texts that need more than that.
 * np_fields_check checks values that were set in C by the same ranges.
 *
 * Options. A structure of options begins with its size, so that it can grow: later versions add members at its end. Its
 * initialiser writes the size that the caller's program was compiled with, and the functions of the library take the
 * structure by np_options_take.
 */
#ifndef NETPRAM_FIELD_H
#define NETPRAM_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "netpram/base.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** The type of a field. */
typedef enum np_field_kind {
    NP_FIELD_BOOL,  /**< bool. As an option: a flag; its texts are "true" and "false" */
    NP_FIELD_U32,   /**< uint32_t, unsigned */
    NP_FIELD_U64,   /**< uint64_t */
    NP_FIELD_SEED,  /**< uint64_t; its texts are below 2^63, as JSON has no larger number */
    NP_FIELD_I64,   /**< int64_t; not set from text */
    NP_FIELD_SIZE,  /**< size_t */
    NP_FIELD_BYTES, /**< uint64_t, a size in memory; its texts are "65536", "512M", "4G" (powers of 1024) */
    NP_FIELD_REAL,  /**< double */
    NP_FIELD_TEXT,  /**< const char *, borrowed; NULL: null */
    NP_FIELD_CHARS, /**< char[]: the text itself; not set from text */
    NP_FIELD_WORD,  /**< an enum, which starts at 0 and is as large as an unsigned; `words` has a word for each value */
    NP_FIELD_SUMMARY, /**< np_summary; its members have the names of np_summary_fields */
    NP_FIELD_OBJECT,  /**< a structure with the table `fields` */
    NP_FIELD_RANGE,   /**< uint32_t[2], the least and the most; its texts are "7" and "3..9" */
    NP_FIELD_LIST,    /**< a pointer to structures with the table `fields`, or to uint32_t if that is NULL */
    NP_FIELD_INSET,   /**< a structure whose rows stand in this table as if they were its own */
    NP_FIELD_NODE     /**< a node of a network: its name where nodes have names, else its number. `get` makes it */
} np_field_kind;

/** Bits of np_field.flags. */
enum {
    NP_FIELD_ZERO = 1,   /**< 0 means that there is none: the value is null */
    NP_FIELD_BEHIND = 2, /**< OBJECT, INSET, SUMMARY: the place holds a pointer to it; NULL: the value is null */
    NP_FIELD_SAYS = 8,   /**< the message of `set` says the text, too: it continues "NAME: " */
    NP_FIELD_WHOLE = 4   /**< REAL: a whole number that is kept as a double. SUMMARY: of a sample of such numbers */
};

typedef struct np_field np_field;
typedef struct np_fields np_fields;
typedef struct np_value np_value;

/** A row. Members that are not given are 0, which is always the plain case. */
struct np_field {
    const char *name; /**< "delay_max"; NULL of an INSET */
    np_field_kind kind;
    size_t at;        /**< offset of the place in the structure */
    const char *unit; /**< "steps", "packets", "bytes"; "" or NULL: none */
    const char *help; /**< one line */

    const char *const *words; /**< WORD: the word of each value, then NULL. Other kinds: words that `set` knows, or
                                   NULL */
    const np_fields *fields;  /**< OBJECT, LIST, INSET: the other table */
    size_t count_at;          /**< LIST: offset of its size_t count */
    unsigned flags;
    void (*get)(const void *object, np_value *value); /**< makes the value; it comes with the kind of the row, and 0 */
    bool (*known)(const void *object);                /**< false: the value is null. NULL: it is known */
    bool (*applies)(const void *object);              /**< false: the object has no such field. NULL: it has */

    uint64_t low, high;      /**< U32, U64, SIZE, RANGE: the range of an option; high 0: all that fits into the kind */
    double least, most;      /**< REAL: the range; most 0: 1e15 */
    const char *preset;      /**< the default as text; NULL: 0, false, NULL, the first word */
    const char *placeholder; /**< of the value in --help: "N", "SPEC", "table|json|csv" */
    const char *list;        /**< `netpram list` LIST has its values; NULL: they are not listed */
    const char *group;       /**< title of the group of options that begins with this row; NULL: the group goes on */
    const char *only;        /**< the names of what uses it, if not all do: "rank, sort"; NULL: no such limit */
    /** Reads the text; object is the whole structure. On an error it raises a message that continues "NAME TEXT: ". */
    np_status (*set)(void *object, const np_field *field, const char *text);
};

/** A table. */
struct np_fields {
    const char *name; /**< the structure without its prefix: "route_result" */
    const char *of;   /**< what it is about, in messages: "no option 'x' of routing" */
    size_t size;      /**< of the structure */
    size_t count;     /**< of rows */
    const np_field *row;
    bool sized;                     /**< its first member is a size_t, its size: a structure of options */
    void (*begin)(void *structure); /**< sets what no row's preset sets, before the presets; NULL: nothing */
};

/** A table made of the array `rows`. */
#define NP_FIELDS(name, of, type, rows)                                                                                \
    {                                                                                                                  \
        (name), (of), sizeof(type), sizeof(rows) / sizeof *(rows), (rows), false, NULL                                 \
    }

/** A table of a structure of options. */
#define NP_OPTIONS(name, of, type, rows, begin)                                                                        \
    {                                                                                                                  \
        (name), (of), sizeof(type), sizeof(rows) / sizeof *(rows), (rows), true, (begin)                               \
    }

/** What a value is. */
typedef enum np_value_kind {
    NP_VALUE_NULL,
    NP_VALUE_BOOL,
    NP_VALUE_WHOLE,   /**< a whole number from 0 */
    NP_VALUE_INTEGER, /**< a whole number that may be negative */
    NP_VALUE_REAL,
    NP_VALUE_TEXT,
    NP_VALUE_OBJECT, /**< also a summary */
    NP_VALUE_LIST
} np_value_kind;

/** A value that was read. It may point into itself: do not copy it. It is valid as long as the object read. */
struct np_value {
    np_value_kind kind;
    union {
        bool truth;
        uint64_t whole;
        int64_t integer;
        double real;
        const char *text;
    };
    const void *object;      /**< OBJECT: the structure. LIST: the first item, or what `item` is given */
    const np_fields *fields; /**< OBJECT: its table. LIST: that of each item; NULL: items are uint32_t, or no objects */
    size_t count;            /**< LIST: of items */
    /** LIST: makes item i, which comes as an object of `fields`; NULL: items are stored. list->room is its to use */
    void (*item)(np_value *list, size_t i, np_value *item);
    union {
        char text[240];
        uint32_t numbers[60];
        uint64_t words[30];
    } room; /**< where `get` and `item` may put a text or a structure that is stored nowhere */
};

/**
 * The i-th row, the rows of insets in their place; NULL past the last.
 * @param offset  receives the offset of the row's structure within the structure of `fields`; NULL: not wanted.
 *                It has no meaning for rows of an inset behind a pointer.
 */
const np_field *np_fields_row(const np_fields *fields, size_t i, size_t *offset);

/** The row of that name, at any depth ("steps.mean" too); NULL if there is none. */
const np_field *np_fields_find(const np_fields *fields, const char *name);

/** Is `name` one of the names in "queue_size, room"? Spaces are not needed. False if names is NULL. */
bool np_field_listed(const char *names, const char *name);

/** The name of a row that is nearest to `name`, for "did you mean"; "" if no name is near. */
const char *np_fields_nearest(const np_fields *fields, const char *name);

/**
 * Reads a row; object is the structure that the row is of.
 * @return false: the row does not apply to the object (*value is null)
 */
bool np_field_get(const np_field *field, const void *object, np_value *value);

/**
 * Reads the row of that name, at any depth.
 * @return false: there is none, or it does not apply (*value is null)
 */
bool np_fields_get(const np_fields *fields, const void *object, const char *name, np_value *value);

/** The i-th item of a list. */
void np_value_item(np_value *list, size_t i, np_value *item);

/** Makes the value an object that it holds itself: copies the structure into its room, which is large enough. */
void np_value_hold(np_value *value, const void *structure, size_t size);

/** The value as a number; truth is 0 or 1; NaN if it is no number. */
double np_value_number(const np_value *value);

/**
 * The value as text in `text` (size bytes). A real is the shortest number that is read as the same bits. Null, objects
 * and lists are "". Returns `text`.
 */
const char *np_value_text(const np_value *value, size_t size, char *text);

/**
 * Sets a row from text; object is the structure that the row is of.
 * @param text  borrowed; of NP_FIELD_TEXT it is kept
 * @return NP_ERROR_INPUT with a message that continues "NAME TEXT: ", such as "must be a whole number in 1..7" or "did
 *         you mean 'freed'?"; the object is unchanged. Or what the row's `set` returns
 */
np_status np_field_set(const np_field *field, void *object, const char *text) NP_CHECKED;

/**
 * Sets the row of that name, also in insets.
 * @return NP_ERROR_INPUT with a message that says the name and the text, or the nearest name
 */
np_status np_fields_set(const np_fields *fields, void *object, const char *name, const char *text) NP_CHECKED;

/** Clears the structure and sets every row, insets too, to its preset. */
void np_fields_init(const np_fields *fields, void *object);

/**
 * Is every row, insets too, in its range? 0 is in the range of a row without a preset: it stands for the default.
 * @return NP_OK, or NP_ERROR_INPUT with a message such as "runs 0: must be a whole number in 1..7"
 */
np_status np_fields_check(const np_fields *fields, const void *object) NP_CHECKED;

/** Do two structures of options differ in the row? They are the structures that the row is of. */
bool np_field_differs(const np_field *field, const void *one, const void *other);

/**
 * Initialises a structure of options of `size` bytes: the first `size` bytes of the defaults, and 0 after them if this
 * library has fewer members. np_route_options_init and its like call it with the size that the caller knows.
 */
void np_options_init(const np_fields *fields, void *options, size_t size);

/**
 * Takes the options that a caller gives, and checks them.
 *
 * @param given  its first member is its size. It may be shorter than the structure of this library (members that it
 *               lacks get their defaults), or longer (what is beyond must be 0). NULL: all defaults
 * @param full   receives the options; a structure of fields->size bytes
 * @return NP_OK; NP_ERROR_INPUT if the size is none that an initialiser sets, if the options hold something that this
 *         version of the library does not know, or as np_fields_check
 */
np_status np_options_take(const np_fields *fields, const void *given, void *full) NP_CHECKED;

/**
 * Does `who`, such as a scheme or a program, heed all options that are not their defaults?
 *
 * @param heeds  np_reconfigure_heeds and its like
 * @return NP_OK, or the error of heeds, behind the option's name
 */
np_status np_options_heeded(const np_fields *fields, const void *options, const char *who,
                            np_status (*heeds)(const char *who, const char *option)) NP_CHECKED;

/** The members of an np_summary; those of a sample of whole numbers, whose extremes and quantiles are whole. */
extern const np_fields np_summary_fields, np_summary_whole_fields;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
