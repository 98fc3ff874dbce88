/* netpram reconfigure PROGRAM */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "command.h"

enum {
    KEY_N = 256,
    KEY_BITS,
    KEY_ANNOUNCE,
    KEY_KEYS,
    KEY_KIND,
    KEY_OUTPUT,
    KEY_SEED,
    KEY_GRID,
    KEY_SETTING,
    KEY_SETTINGS,
    KEY_FROM,
    KEY_SHOW,
    KEY_FORMAT
};

enum { DEFAULT_N = 8, DEFAULT_SIDE = 4, SENDERS_MAX = 1024, GIVEN_MAX = 64 };

typedef struct arguments {
    const char *program, *bits, *keys, *output, *settings;
    uint64_t n, seed; /* n 0: not given */
    uint64_t rows, columns;
    np_switch_setting setting;
    np_key_kind kind;
    size_t senders;
    np_pu_place from[SENDERS_MAX];
    const char *given[GIVEN_MAX]; /* options that are for some programs only */
    size_t given_count;
    np_report_options report;
    bool settled; /* no more is to be drawn than the command line says */
    bool seed_given, kind_given, set_given, announce, show;
} arguments;

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "The program's input:", 1},
    {"bits", KEY_BITS, "BITS", 0, "parity: of these, such as 10110", 1},
    {"keys", KEY_KEYS, "FILE", 0, "rank, sort: keys from a file, one a line", 1},
    {"kind", KEY_KIND, "auto|integers|floats|text", 0,
     "What they are (default: auto: integers if all lines are, else numbers if all are, else text)", 1},
    {"n", KEY_N, "N", 0, "Without those: draw so many (default: 8)", 1},
    {"seed", KEY_SEED, "N", 0, "From this seed (default: 1)", 1},
    {"grid", KEY_GRID, "RxC", 0, "broadcast: rows and columns (default: 4x4)", 1},
    {"setting", KEY_SETTING, "NAME", 0, "broadcast: of all switches, as WE-NS, WNE or apart (default: WE-NS)", 1},
    {"settings", KEY_SETTINGS, "FILE", 0, "broadcast: of each, a line for each row, the top row first", 1},
    {"from", KEY_FROM, "PU,...", 0,
     "broadcast: who sends, as W0 or N3, rows and columns from the lower left (default: W0)", 1},
    {NULL, 0, NULL, 0, "How:", 2},
    {"announce", KEY_ANNOUNCE, NULL, 0, "parity: a third round tells all PUs", 2},
    {NULL, 0, NULL, 0, "What to report:", 3},
    {"output", KEY_OUTPUT, "FILE", 0, "sort: write the sorted keys there", 3},
    {"show", KEY_SHOW, NULL, 0, "Draw each round: settings, capitals and heavy wires where a signal passes", 3},
    {"format", KEY_FORMAT, "table|json", 0, "How to print (default: table)", 3},
    {0},
};

/* Which programs an option is for; those that are not here are for all. */
static const struct {
    const char *option, *programs[3];
} uses[] = {
    {"bits", {"parity"}},
    {"announce", {"parity"}},
    {"keys", {"rank", "sort"}},
    {"kind", {"rank", "sort"}},
    {"n", {"parity", "rank", "sort"}},
    {"seed", {"parity", "rank", "sort"}},
    {"grid", {"broadcast"}},
    {"setting", {"broadcast"}},
    {"settings", {"broadcast"}},
    {"from", {"broadcast"}},
    {"output", {"sort"}},
};

static bool serves(size_t use, const char *program)
{
    for (size_t i = 0; i < 3 && uses[use].programs[i]; i++)
        if (!strcmp(uses[use].programs[i], program))
            return true;
    return false;
}

static int check_uses(const arguments *a)
{
    for (size_t i = 0; i < a->given_count; i++)
        for (size_t j = 0; j < sizeof uses / sizeof *uses; j++)
            if (!strcmp(uses[j].option, a->given[i]) && !serves(j, a->program))
                return cli_fail("--%s is for %s%s%s%s%s, and not for %s", a->given[i], uses[j].programs[0],
                                uses[j].programs[1] ? ", " : "", uses[j].programs[1] ? uses[j].programs[1] : "",
                                uses[j].programs[2] ? ", " : "", uses[j].programs[2] ? uses[j].programs[2] : "",
                                a->program);
    return 0;
}

static error_t parse_kind(arguments *a, const char *text)
{
    const char *names[NP_KEYS_TEXT + 1];
    a->kind_given = true;
    for (np_key_kind kind = NP_KEYS_AUTO; kind <= NP_KEYS_TEXT; kind++) {
        names[kind] = np_keys_kind_name(kind);
        if (!strcmp(text, names[kind])) {
            a->kind = kind;
            return 0;
        }
    }
    cli_fail("--kind %s: did you mean '%s'?", text, np_parse_nearest(text, names, NP_KEYS_TEXT + 1));
    return EINVAL;
}

static error_t parse_grid(arguments *a, const char *text)
{
    uint64_t side[2];
    if (np_parse_sides(text, 2, side) != 2) {
        cli_fail("--grid %s: must be rows x columns, as 4x6", text);
        return EINVAL;
    }
    a->rows = side[0];
    a->columns = side[1];
    a->set_given = true;
    return 0;
}

static error_t parse_setting(arguments *a, const char *text)
{
    a->set_given = true;
    if (!np_switch_setting_of(text, &a->setting))
        return 0;
    cli_fail_last();
    return EINVAL;
}

static error_t parse_from(arguments *a, const char *text)
{
    char word[32];
    for (const char *p = text;; p++) {
        size_t length = strcspn(p, ",");
        snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1), p);
        if (a->senders == SENDERS_MAX) {
            cli_fail("--from: more than %d PUs", SENDERS_MAX);
            return EINVAL;
        }
        if (np_pu_place_of(word, &a->from[a->senders])) {
            cli_fail("--from: %s", np_last_error());
            return EINVAL;
        }
        a->senders++;
        p += length;
        if (!*p)
            return 0;
    }
}

static error_t parse_value(int key, char *text, arguments *a)
{
    switch (key) {
    case KEY_N:
        return cli_number("n", text, 1, UINT32_MAX, &a->n);
    case KEY_BITS:
        a->bits = text;
        return 0;
    case KEY_ANNOUNCE:
        a->announce = true;
        return 0;
    case KEY_KEYS:
        a->keys = text;
        return 0;
    case KEY_KIND:
        return parse_kind(a, text);
    case KEY_OUTPUT:
        a->output = text;
        return 0;
    case KEY_SEED:
        a->seed_given = true;
        return cli_number("seed", text, 0, INT64_MAX, &a->seed);
    case KEY_GRID:
        return parse_grid(a, text);
    case KEY_SETTING:
        return parse_setting(a, text);
    case KEY_SETTINGS:
        a->settings = text;
        return 0;
    case KEY_FROM:
        return parse_from(a, text);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case KEY_SHOW:
        a->show = true;
        return 0;
    case KEY_FORMAT:
        return cli_format(text, &a->report.format);
    case ARGP_KEY_ARG:
        return cli_old_subject("program", text, &a->program);
    case ARGP_KEY_END:
        a->settled = a->seed_given || !a->program || !strcmp(a->program, "broadcast") || a->bits || a->keys;
        return 0;
    default:
        break;
    }
    for (const struct argp_option *option = options; option->name || option->doc; option++)
        if (option->name && option->key == key && a->given_count < GIVEN_MAX)
            a->given[a->given_count++] = option->name;
    return parse_value(key, text, a);
}

/* The report of what was run, and its exit status. */
static int tell(const arguments *a, np_reconfigure_result *result, const np_report_reconfigure_input *input)
{
    int status = result->correct ? 0 : CLI_CHECK_FAILED;
    if (np_report_reconfigure(result, input, &a->report, stdout))
        status = cli_fail_last();
    np_reconfigure_result_free(result);
    return status;
}

/* ---- parity ---- */

/* The bits that were given, or drawn ones. NULL: told. */
static uint8_t *gather_bits(const arguments *a, size_t *n)
{
    *n = a->bits ? strlen(a->bits) : a->n ? a->n : DEFAULT_N;
    uint8_t *bit = malloc(*n ? *n : 1);
    if (!bit) {
        cli_fail("no memory for %zu bits", *n);
        return NULL;
    }
    if (!a->bits)
        np_reconfigure_bits(*n, a->seed, bit);
    for (size_t i = 0; a->bits && i < *n; i++) {
        bit[i] = a->bits[i] == '1';
        if (a->bits[i] == '0' || a->bits[i] == '1')
            continue;
        cli_fail("--bits: '%c', number %zu, is no bit: 0 or 1, as in 10110", a->bits[i], i);
        free(bit);
        return NULL;
    }
    return bit;
}

static int run_parity(const arguments *a)
{
    size_t n;
    np_reconfigure_result *result;
    const np_report_reconfigure_input input = {.made = !a->bits, .seed = a->seed};
    if (a->bits && (a->n || a->seed_given))
        return cli_fail("--%s is for bits that are drawn: with --bits they are given", a->n ? "n" : "seed");
    uint8_t *bit = gather_bits(a, &n);
    if (!bit)
        return CLI_BAD_INPUT;
    np_status st = np_reconfigure_parity(n, bit, a->announce, a->show, &result);
    free(bit);
    return st ? cli_fail_last() : tell(a, result, &input);
}

/* ---- rank, sort ---- */

static np_status write_keys(const arguments *a, const np_reconfigure_result *result,
                            const np_report_reconfigure_input *input)
{
    if (!a->output || !result->correct)
        return NP_OK;
    if (input->keys)
        return np_keys_write(input->keys, result->order, a->output);
    return np_keys_write_words(result->n, input->key, result->order, a->output);
}

static int run_keys(const arguments *a, size_t n, const uint64_t *key, const np_report_reconfigure_input *input)
{
    np_reconfigure_result *result;
    np_status st = strcmp(a->program, "sort") ? np_reconfigure_rank(n, key, a->show, &result)
                                              : np_reconfigure_sort(n, key, a->show, &result);
    if (st)
        return cli_fail_last();
    if (write_keys(a, result, input)) {
        np_reconfigure_result_free(result);
        return cli_fail_last();
    }
    return tell(a, result, input);
}

static int run_file_keys(const arguments *a)
{
    np_keys *keys;
    if (a->n || a->seed_given)
        return cli_fail("--%s is for keys that are drawn: with --keys they are those of the file", a->n ? "n" : "seed");
    if (np_keys_read(a->keys, a->kind, &keys))
        return cli_fail_last();
    const np_report_reconfigure_input input = {.input = a->keys, .keys = keys, .list = !a->output};
    int status = run_keys(a, np_keys_count(keys), np_keys_words(keys), &input);
    np_keys_free(keys);
    return status;
}

static int run_drawn_keys(const arguments *a)
{
    size_t n = a->n ? a->n : DEFAULT_N;
    uint64_t *key = malloc(n * sizeof *key);
    const np_report_reconfigure_input input = {.key = key, .made = true, .seed = a->seed, .list = !a->output};
    if (a->kind_given) {
        free(key);
        return cli_fail("--kind is for the keys of a file: name it with --keys");
    }
    if (!key)
        return cli_fail("no memory for %zu keys", n);
    int status = np_keys_make("random", n, a->seed, 0, key) ? cli_fail_last() : run_keys(a, n, key, &input);
    free(key);
    return status;
}

static int run_rank_or_sort(const arguments *a) { return a->keys ? run_file_keys(a) : run_drawn_keys(a); }

/* ---- broadcast ---- */

static int run_broadcast(const arguments *a)
{
    np_switch_settings settings;
    np_reconfigure_result *result;
    const np_pu_place first = {NP_PORT_W, 0};
    const np_report_reconfigure_input input = {.input = a->settings, .list = true};
    if (a->settings && a->set_given)
        return cli_fail("--grid and --setting are for all switches alike: with --settings each has its own");
    np_status st = a->settings ? np_switch_settings_read(a->settings, &settings)
                               : np_switch_settings_fill(a->rows, a->columns, a->setting, &settings);
    if (st)
        return cli_fail_last();
    st = np_reconfigure_broadcast(&settings, a->senders ? a->senders : 1, a->senders ? a->from : &first, a->show,
                                  &result);
    np_switch_settings_clear(&settings);
    return st ? cli_fail_last() : tell(a, result, &input);
}

static int run(const arguments *a)
{
    static const struct {
        const char *name;
        int (*run)(const arguments *a);
    } runs[] = {
        {"parity", run_parity}, {"rank", run_rank_or_sort}, {"sort", run_rank_or_sort}, {"broadcast", run_broadcast}};
    const np_reconfigure_info *info;
    if (!a->program)
        return cli_fail(
            "reconfigure needs a program: parity, rank, sort or broadcast, as in: netpram reconfigure parity");
    if (np_reconfigure_program_find(a->program, &info))
        return cli_fail_last();
    if (a->report.format == NP_REPORT_CSV) /* before a file is written */
        return cli_fail("no format 'csv' for a reconfigurable array: it prints as 'table' or 'json'");
    int refused = check_uses(a);
    if (!refused && a->n && np_reconfigure_check(info, a->n)) /* before they are drawn */
        return cli_fail_last();
    for (size_t i = 0; !refused && i < sizeof runs / sizeof *runs; i++)
        if (!strcmp(runs[i].name, info->name))
            return runs[i].run(a);
    return refused;
}

int cli_reconfigure(int argc, char **argv)
{
    static const struct argp argp = {options,
                                     parse,
                                     "PROGRAM",
                                     "Runs a program on a reconfigurable array, a grid of switches that cut its wires "
                                     "into subnets: parity, rank, sort or "
                                     "broadcast. Every round is carried out switch by switch, and the answer checked. "
                                     "Exit status 1 if it is wrong, or "
                                     "two PUs send on one subnet.",
                                     NULL,
                                     NULL,
                                     NULL};
    arguments a = {.seed = 1, .rows = DEFAULT_SIDE, .columns = DEFAULT_SIDE, .setting = NP_SWITCH_WE_NS};
    int status;
    char *command = cli_begin(&argp, argc, argv, &a, &a.settled, &status);
    a.report.command = command;
    if (!status)
        status = run(&a);
    free(command);
    return status;
}
