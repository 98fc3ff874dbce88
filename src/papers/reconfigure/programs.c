/*
 * The list of programs, their options, and what the options ask for: bits and keys are read or drawn, settings are read
 * or the same for all switches.
 */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/registry.h"
#include "papers/reconfigure/run.h"
#include "work/sort/keys.h"

#define NOTES "Sibeyn, lecture notes, reconfigurable arrays"
#define AT(member) offsetof(np_reconfigure_options, member)

enum { SENDERS_MAX = 1024 };

typedef struct senders {
    size_t count;
    np_pu_place place[SENDERS_MAX];
} senders;

/* ---- Texts of options: they are checked when they are set, and read when the program runs ---- */

static np_status parse_grid(const char *text, uint64_t side[2])
{
    return np_parse_sides(text, 2, side) == 2 ? NP_OK : NP_RAISE(NP_ERROR_INPUT, "must be rows x columns, as 4x6");
}

static np_status parse_senders(const char *text, senders *from)
{
    char word[32];
    from->count = 0;
    for (const char *p = text;; p++) {
        size_t length = strcspn(p, ",");
        snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1), p);
        if (from->count == SENDERS_MAX)
            return NP_RAISE(NP_ERROR_LIMIT, "more than %d PUs", SENDERS_MAX);
        np_status st = np_pu_place_parse(word, &from->place[from->count++]);
        p += length;
        if (st || !*p)
            return st;
    }
}

static np_status set_grid(void *object, const np_field *field, const char *text)
{
    uint64_t side[2];
    (void)field;
    ((np_reconfigure_options *)object)->grid = text;
    return parse_grid(text, side);
}

static np_status set_setting(void *object, const np_field *field, const char *text)
{
    np_switch_setting setting;
    (void)field;
    ((np_reconfigure_options *)object)->setting = text;
    return np_switch_setting_parse(text, &setting);
}

static np_status set_from(void *object, const np_field *field, const char *text)
{
    senders from;
    (void)field;
    ((np_reconfigure_options *)object)->from = text;
    return parse_senders(text, &from);
}

/* ---- The options ---- */

static const np_field rows[] = {
    {"bits", NP_FIELD_TEXT, AT(bits), .help = "parity: of these, such as 10110", .placeholder = "BITS",
     .only = "parity", .group = "The program's input:"},
    {"keys", NP_FIELD_TEXT, AT(keys), .help = "rank, sort: keys from a file, one a line", .placeholder = "FILE",
     .only = "rank, sort"},
    {"kind", NP_FIELD_WORD, AT(kind),
     .help = "What they are (default: auto: integers if all lines are, else numbers if all are, else text)",
     .words = np_keys_kind_words, .only = "rank, sort"},
    {"n", NP_FIELD_U64, AT(n), .help = "Without those: draw so many", .low = 1, .high = UINT32_MAX, .preset = "8",
     .placeholder = "N", .only = "parity, rank, sort"},
    {"seed", NP_FIELD_SEED, AT(seed), .help = "From this seed", .preset = "1", .placeholder = "N",
     .only = "parity, rank, sort"},
    {"grid", NP_FIELD_TEXT, AT(grid), .help = "broadcast: rows and columns", .preset = "4x4", .placeholder = "RxC",
     .set = set_grid, .only = "broadcast"},
    {"setting", NP_FIELD_TEXT, AT(setting), .help = "broadcast: of all switches, as WE-NS, WNE or apart",
     .preset = "WE-NS", .placeholder = "NAME", .set = set_setting, .flags = NP_FIELD_SAYS, .only = "broadcast"},
    {"settings", NP_FIELD_TEXT, AT(settings), .help = "broadcast: of each, a line for each row, the top row first",
     .placeholder = "FILE", .only = "broadcast"},
    {"from", NP_FIELD_TEXT, AT(from), .help = "broadcast: who sends, as W0 or N3, rows and columns from the lower left",
     .preset = "W0", .placeholder = "PU,...", .set = set_from, .only = "broadcast"},
    {"announce", NP_FIELD_BOOL, AT(announce), .help = "parity: a third round tells all PUs", .only = "parity",
     .group = "How:"},
    {"show", NP_FIELD_BOOL, AT(show),
     .help = "Draw each round: settings, capitals and heavy wires where a signal passes", .group = "What to report:"},
};

const np_fields np_reconfigure_options_fields =
    NP_OPTIONS("reconfigure_options", "a program", np_reconfigure_options, rows, NULL);

np_status np_reconfigure_heeds(const char *program, const char *option)
{
    const np_reconfigure_program *found;
    const np_field *field = np_fields_find(&np_reconfigure_options_fields, option);
    np_status st = np_reconfigure_program_find(program, &found);
    if (st || (field && (!field->only || np_field_listed(field->only, found->entry.name))))
        return st;
    return NP_RAISE(NP_ERROR_APPLY, "is for %s, and not for %s", field ? field->only : "no program", program);
}

/* Is the option not the default? */
static bool is_set(const np_reconfigure_options *options, const char *option)
{
    np_reconfigure_options fresh;
    np_fields_init(&np_reconfigure_options_fields, &fresh);
    return np_field_differs(np_fields_find(&np_reconfigure_options_fields, option), options, &fresh);
}

/* Options that are for bits or keys that are drawn; `drawn`: what they are. */
static np_status check_given(const np_reconfigure_options *options, const char *drawn, const char *given)
{
    const char *set = is_set(options, "n") ? "n" : is_set(options, "seed") ? "seed" : NULL;
    if (set)
        return NP_RAISE(NP_ERROR_INPUT, "%s is for %s that are drawn: with %s", set, drawn, given);
    return NP_OK;
}

/* ---- parity ---- */

static np_status make_bits(const np_reconfigure_options *options, size_t n, uint8_t *bit)
{
    if (!options->bits)
        np_reconfigure_bits(n, options->seed, bit);
    for (size_t i = 0; options->bits && i < n; i++) {
        bit[i] = options->bits[i] == '1';
        if (options->bits[i] != '0' && options->bits[i] != '1')
            return NP_RAISE(NP_ERROR_INPUT, "bits: '%c', number %zu, is no bit: 0 or 1, as in 10110", options->bits[i],
                            i);
    }
    return NP_OK;
}

static np_status run_parity(const np_reconfigure_options *options, np_reconfigure_result **out)
{
    size_t n = options->bits ? strlen(options->bits) : options->n;
    uint8_t *bit = NULL;
    np_status st = options->bits ? check_given(options, "bits", "bits they are given") : NP_OK;
    if (!st && !(st = np_memory_array(&bit, n ? n : 1, 1, "the bits")) && !(st = make_bits(options, n, bit)))
        st = np_reconfigure_parity(n, bit, options, out);
    np_memory_free(bit);
    return st;
}

/* ---- rank, sort ---- */

static np_status gather_keys(const np_reconfigure_options *options, np_keys **out)
{
    np_status st;
    if (!options->keys && options->kind != NP_KEYS_AUTO)
        return NP_RAISE(NP_ERROR_INPUT, "kind is for the keys of a file: name it with keys");
    if (!options->keys)
        return np_keys_draw("random", options->n, options->seed, 0, out);
    st = check_given(options, "keys", "keys they are those of the file");
    return st ? st : np_keys_read(options->keys, options->kind, out);
}

typedef np_status on_keys(size_t n, const uint64_t *key, const np_reconfigure_options *options,
                          np_reconfigure_result **out);

static np_status run_keys(const np_reconfigure_options *options, on_keys *program, np_reconfigure_result **out)
{
    np_keys *keys = NULL;
    np_status st = gather_keys(options, &keys);
    if (!st)
        st = program(np_keys_count(keys), np_keys_words(keys), options, out);
    if (st)
        np_keys_free(keys);
    else
        (*out)->keys = keys;
    return st;
}

static np_status run_rank(const np_reconfigure_options *options, np_reconfigure_result **out)
{
    return run_keys(options, np_reconfigure_rank, out);
}

static np_status run_sort(const np_reconfigure_options *options, np_reconfigure_result **out)
{
    return run_keys(options, np_reconfigure_sort, out);
}

/* ---- broadcast ---- */

static np_status make_settings(const np_reconfigure_options *options, np_switch_settings *settings)
{
    np_switch_setting setting;
    uint64_t side[2];
    np_status st;
    if (options->settings && (is_set(options, "grid") || is_set(options, "setting")))
        return NP_RAISE(NP_ERROR_INPUT, "grid and setting are for all switches alike: with settings each has its own");
    if (options->settings)
        return np_switch_settings_read(options->settings, settings);
    if ((st = parse_grid(options->grid, side)))
        return np_status_prefix(st, "grid %.40s: ", options->grid);
    if ((st = np_switch_setting_parse(options->setting, &setting)))
        return st;
    return np_switch_settings_fill(side[0], side[1], setting, settings);
}

static np_status run_broadcast(const np_reconfigure_options *options, np_reconfigure_result **out)
{
    np_switch_settings settings = {0};
    senders from;
    np_status st = make_settings(options, &settings);
    if (!st && (st = parse_senders(options->from, &from)))
        st = np_status_prefix(st, "from %.40s: ", options->from);
    if (!st)
        st = np_reconfigure_broadcast(&settings, from.count, from.place, options, out);
    np_switch_settings_clear(&settings);
    return st;
}

/* ---- The list ---- */

static double six_each(double n) { return 6 * n; }
static double cubed(double n) { return n * n * n; }

static const np_reconfigure_program parity = {
    .entry = {"parity", "parity of n bits in two rounds on the 3 x 2n grid", NOTES, .takes = "bits"},
    .most = NP_SWITCH_GRID_MAX / 6,
    .switches = six_each,
    .rounds = 2,
    .run = run_parity,
};

static const np_reconfigure_program rank = {
    .entry = {"rank", "ranks of n keys in four rounds on n grids of n x n switches", NOTES, .takes = "keys"},
    .most = NP_RECONFIGURE_KEYS_MAX,
    .switches = cubed,
    .rounds = 4,
    .run = run_rank,
};

static const np_reconfigure_program sort = {
    .entry = {"sort", "n keys sorted in six rounds on n grids of n x n switches", NOTES, .takes = "keys"},
    .most = NP_RECONFIGURE_KEYS_MAX,
    .switches = cubed,
    .rounds = 6,
    .run = run_sort,
};

static const np_reconfigure_program broadcast = {
    .entry = {"broadcast", "who hears whom in the subnets of a grid that is set by hand", NOTES, .takes = "switches"},
    .rounds = 1,
    .run = run_broadcast,
};

const np_registry np_reconfigure_programs = {
    .list = "reconfigurable",
    .title = "programs of reconfigurable arrays (the first argument of reconfigure), and what they take",
    .what = "program of reconfigurable arrays",
    .built_in = NP_ENTRIES(&parity.entry, &rank.entry, &sort.entry, &broadcast.entry),
};

/* Notes in the result where the input came from. */
static np_status keep_origin(const np_reconfigure_options *options, np_reconfigure_result *result)
{
    const char *file = result->keys ? options->keys : options->settings;
    result->drawn = result->n && !options->bits && !options->keys;
    result->seed = options->seed;
    result->input = file ? np_memory_text(file) : NULL;
    return file && !result->input ? np_status_last() : NP_OK;
}

np_status np_reconfigure(const char *name, const np_reconfigure_options *given, np_reconfigure_result **out)
{
    const np_reconfigure_program *program;
    np_reconfigure_options options;
    np_status st;
    *out = NULL;
    if ((st = np_options_take(&np_reconfigure_options_fields, given, &options)) ||
        (st = np_reconfigure_program_find(name, &program)) ||
        (st = np_options_heeded(&np_reconfigure_options_fields, &options, name, np_reconfigure_heeds)) ||
        (!options.bits && !options.keys &&
         (st = np_reconfigure_check(program, options.n))) || /* before they are drawn */
        (st = program->run(&options, out)))
        return st;
    if ((st = keep_origin(&options, *out))) {
        np_reconfigure_result_free(*out);
        *out = NULL;
    }
    return st;
}
