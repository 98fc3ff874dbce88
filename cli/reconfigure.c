/* netpram reconfigure PROGRAM */
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "base/status.h"
#include "command.h"
#include "sort/keys.h"

enum { DEFAULT_N = 8, SENDERS_MAX = 1024 };

typedef struct senders {
    size_t count;
    np_pu_place place[SENDERS_MAX];
} senders;

typedef struct arguments {
    cli_common common;
    const char *program, *bits, *keys, *output, *settings;
    uint64_t n, seed, side[2]; /* n 0: not given; side: rows, columns */
    np_switch_setting setting;
    np_key_kind kind;
    senders from;
    bool announce, show;
} arguments;

#define AT(member) offsetof(arguments, member)

static np_status set_grid(void *object, const np_field *field, const char *text)
{
    (void)field;
    if (np_parse_sides(text, 2, ((arguments *)object)->side) == 2)
        return NP_OK;
    return NP_RAISE(NP_ERROR_INPUT, "must be rows x columns, as 4x6");
}

static np_status set_setting(void *object, const np_field *field, const char *text)
{
    (void)field;
    return np_switch_setting_parse(text, &((arguments *)object)->setting);
}

static np_status set_from(void *object, const np_field *field, const char *text)
{
    senders *from = &((arguments *)object)->from;
    char word[32];
    (void)field;
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

static const np_field rows[] = {
    {"bits", NP_FIELD_TEXT, AT(bits), .help = "parity: of these, such as 10110", .placeholder = "BITS",
     .only = "parity", .group = "The program's input:"},
    {"keys", NP_FIELD_TEXT, AT(keys), .help = "rank, sort: keys from a file, one a line", .placeholder = "FILE",
     .only = "rank, sort"},
    {"kind", NP_FIELD_WORD, AT(kind),
     .help = "What they are (default: auto: integers if all lines are, else numbers if all are, else text)",
     .words = np_keys_kind_words, .only = "rank, sort"},
    {"n", NP_FIELD_U64, AT(n), .help = "Without those: draw so many (default: 8)", .low = 1, .high = UINT32_MAX,
     .placeholder = "N", .only = "parity, rank, sort"},
    {"seed", NP_FIELD_SEED, AT(seed), .help = "From this seed", .preset = "1", .placeholder = "N",
     .only = "parity, rank, sort"},
    {"grid", NP_FIELD_TEXT, AT(side), .help = "broadcast: rows and columns", .preset = "4x4", .placeholder = "RxC",
     .set = set_grid, .only = "broadcast"},
    {"setting", NP_FIELD_TEXT, AT(setting), .help = "broadcast: of all switches, as WE-NS, WNE or apart",
     .preset = "WE-NS", .placeholder = "NAME", .set = set_setting, .flags = NP_FIELD_SAYS, .only = "broadcast"},
    {"settings", NP_FIELD_TEXT, AT(settings), .help = "broadcast: of each, a line for each row, the top row first",
     .placeholder = "FILE", .only = "broadcast"},
    {"from", NP_FIELD_TEXT, AT(from),
     .help = "broadcast: who sends, as W0 or N3, rows and columns from the lower left (default: W0)",
     .placeholder = "PU,...", .set = set_from, .only = "broadcast"},
    {"announce", NP_FIELD_BOOL, AT(announce), .help = "parity: a third round tells all PUs", .only = "parity",
     .group = "How:"},
    {"output", NP_FIELD_TEXT, AT(output), .help = "sort: write the sorted keys there", .placeholder = "FILE",
     .only = "sort", .group = "What to report:"},
    {"show", NP_FIELD_BOOL, AT(show),
     .help = "Draw each round: settings, capitals and heavy wires where a signal passes"},
    CLI_FORMAT(arguments),
};

static const np_fields fields = CLI_FIELDS(rows);

static int check_uses(const arguments *a)
{
    const cli_option *o;
    for (size_t i = 0; (o = cli_given_next(a, &i));)
        if (o->field->only && !np_field_listed(o->field->only, a->program))
            return cli_fail("--%s is for %s, and not for %s", o->name, o->field->only, a->program);
    return 0;
}

/* Prints the report of the run and returns its exit status. */
static int tell(const arguments *a, np_reconfigure_result *result, const np_report_reconfigure_input *input)
{
    int status = result->correct ? 0 : CLI_CHECK_FAILED;
    if (np_report_reconfigure(result, input, &a->common.report, cli_report_stream(a)))
        status = cli_fail_last();
    np_reconfigure_result_free(result);
    return status;
}

/* ---- parity ---- */

/* The bits that were given, or else drawn ones. NULL after a line is printed. */
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
    if (a->bits && (a->n || cli_given(a, "seed")))
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
    const np_keys made = {.count = result->n, .word = (uint64_t *)input->key};
    return np_keys_write(&made, result->order, a->output);
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
    if (a->n || cli_given(a, "seed"))
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
    if (cli_given(a, "kind")) {
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
    const np_report_reconfigure_input input = {.input = a->settings, .list = true};
    if (a->settings && (cli_given(a, "grid") || cli_given(a, "setting")))
        return cli_fail("--grid and --setting are for all switches alike: with --settings each has its own");
    np_status st = a->settings ? np_switch_settings_read(a->settings, &settings)
                               : np_switch_settings_fill(a->side[0], a->side[1], a->setting, &settings);
    if (st)
        return cli_fail_last();
    /* without --from the first PU, W0, sends */
    st = np_reconfigure_broadcast(&settings, a->from.count ? a->from.count : 1, a->from.place, a->show, &result);
    np_switch_settings_clear(&settings);
    return st ? cli_fail_last() : tell(a, result, &input);
}

static int run(void *self)
{
    static const struct {
        const char *name;
        int (*run)(const arguments *a);
    } runs[] = {
        {"parity", run_parity}, {"rank", run_rank_or_sort}, {"sort", run_rank_or_sort}, {"broadcast", run_broadcast}};
    const arguments *a = self;
    const np_reconfigure_info *info;
    if (np_reconfigure_program_find(a->program, &info))
        return cli_fail_last();
    int refused = check_uses(a);
    if (!refused && a->n && np_reconfigure_check(info, a->n)) /* before the input is drawn */
        return cli_fail_last();
    for (size_t i = 0; !refused && i < sizeof runs / sizeof *runs; i++)
        if (!strcmp(runs[i].name, info->entry.name))
            return runs[i].run(a);
    return refused;
}

static bool draws(const void *self)
{
    const arguments *a = self;
    return strcmp(a->program, "broadcast") && !a->bits && !a->keys;
}

const cli_verb cli_reconfigure = {
    .name = "reconfigure",
    .help = "run a program on a grid of switches that cut its wires into subnets",
    .subject = "PROGRAM",
    .does =
        "Runs a program on a reconfigurable array, a grid of switches that cut its wires into subnets: parity, rank, "
        "sort or broadcast. Every round is carried out switch by switch, and the answer checked. Exit status 1 if it "
        "is wrong, or two PUs send on one subnet.",
    .subjects = {{"program", offsetof(arguments, program),
                  "reconfigure needs a program: parity, rank, sort or broadcast, as in: netpram reconfigure parity",
                  "reconfigurable"}},
    .fields = &fields,
    .outputs = "output",
    .draws = draws,
    .run = run,
};
