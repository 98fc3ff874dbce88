/* Options of sorting: the table of their fields, and which sorters heed which. */
#include <string.h>

#include "netpram/route.h"
#include "work/sort/sorter.h"

#define AT(member) offsetof(np_sort_options, member)

/* The name is checked when it is set. */
static np_status set_order(void *object, const np_field *field, const char *text)
{
    (void)field;
    ((np_sort_options *)object)->order = text;
    return np_keys_make(text, 0, 0, 0, NULL);
}

static const np_field rows[] = {
    {"input", NP_FIELD_TEXT, AT(input), .help = "Keys from a file, one a line", .placeholder = "FILE",
     .group = "What to sort:"},
    {"kind", NP_FIELD_WORD, AT(kind),
     .help = "What they are (default: auto: integers if all lines are, else numbers if all are, else text)",
     .words = np_keys_kind_words},
    {"order", NP_FIELD_TEXT, AT(order), .help = "In what order, as 'netpram list orders' has them",
     .placeholder = "NAME", .preset = "random", .list = "orders", .set = set_order, .flags = NP_FIELD_SAYS},
    {"keys", NP_FIELD_U64, AT(keys), .help = "Without --input: make N keys (default: one a place)", .low = 1,
     .high = UINT64_C(1) << 31, .placeholder = "N"},
    {"algorithm", NP_FIELD_TEXT, AT(algorithm),
     .help = "As 'netpram list sorters' has them (default: the one with the fewest steps on the network)",
     .placeholder = "NAME", .list = "sorters", .group = "How:"},
    {"seed", NP_FIELD_SEED, AT(seed), .help = "Where all random choices come from, keys that are made too",
     .preset = "1", .placeholder = "N"},
    {"runs", NP_FIELD_U32, AT(runs), .help = "Sort so often, with keys made anew each time", .low = 1, .preset = "1",
     .placeholder = "R"},
    {"threads", NP_FIELD_U32, AT(threads), .help = "Threads; they change no result (default: 0, one a processor)",
     .high = NP_THREADS_MAX, .placeholder = "N"},
    {"memory", NP_FIELD_BYTES, AT(memory_limit), "bytes",
     .help = "Refuse what needs more, as in 4G (default: what is available)", .placeholder = "BYTES"},
    {"queue_size", NP_FIELD_U32, AT(merge.queue_size), "packets",
     .help = "Packets that a queue holds where they are routed", .low = 1, .high = NP_QUEUE_SIZE_MAX, .preset = "2",
     .placeholder = "Q"},
    {"room", NP_FIELD_WORD, AT(merge.room),
     .help = "A queue has room by what it held when the step began, or also once a packet leaves",
     .words = np_room_words},
    {"candidates", NP_FIELD_REAL, AT(constants.candidates),
     .help = "Candidates for splitters of a block of M inputs, expected, in units of sqrt(M) (default: 2/3)",
     .least = 1e-3, .most = 1e3, /* our choice: values outside teach nothing */
     .placeholder = "X", .group = "Constants of the randomized algorithms:"},
    {"oversampling", NP_FIELD_U32, AT(constants.oversampling),
     .help = "Every N-th candidate is a splitter (default: 4)", .low = 1, .high = 1 << 20, .placeholder = "N"},
    {"lightness", NP_FIELD_U32, AT(constants.lightness),
     .help = "The recursive part gets 1/2^N key an input at most (default: 2)", .low = 1, .high = 31,
     .placeholder = "N"},
    {"cutoff", NP_FIELD_U32, AT(constants.cutoff), "inputs",
     .help = "Blocks of N inputs or fewer are not split any further (default: 512)", .low = 1, .placeholder = "N"},
    {"redraws", NP_FIELD_U32, AT(constants.redraws),
     .help = "A block draws so many new sets of splitters before it gives up (default: 3)", .low = 1, .high = 1 << 10,
     .placeholder = "N"},
    {"group", NP_FIELD_U32, AT(constants.group), "rows",
     .help = "Rows, up to 64, that get one interval of the keys in the full sort (default: 2)", .low = 1, .high = 64,
     .placeholder = "N"},
    {"string_bits", NP_FIELD_U32, AT(constants.string_bits), "bits",
     .help =
         "On an N-node shuffle-exchange, embed butterflies of N/2^B rows on strings of B bits (default: half of the "
         "bits, or a third)",
     .low = 1, .high = 14, .placeholder = "B"},
};

static void begin(void *options) { np_merge_options_init(&((np_sort_options *)options)->merge); }

const np_fields np_sort_options_fields = NP_OPTIONS("sort_options", "sorting", np_sort_options, rows, begin);

np_status np_sort_options_check(const np_sort_options *options, bool given)
{
    const char *made = options->keys ? "keys" : options->order && strcmp(options->order, "random") ? "order" : NULL;
    if (given && (made || options->input))
        return NP_RAISE(NP_ERROR_INPUT, "%s is for keys that are made or read, and the call gives keys: one of the two",
                        made ? made : "input");
    if (options->input && made)
        return NP_RAISE(NP_ERROR_INPUT, "%s is for keys that are made: with input they are those of the file", made);
    if (!options->input && options->kind != NP_KEYS_AUTO)
        return NP_RAISE(NP_ERROR_INPUT, "kind is for the keys of a file: name it with input");
    return NP_OK;
}

/* A line, which flashsort does not split. */
static bool is_line(const np_network *network) { return np_network_is(network, NP_KIND_LINES); }

static bool is_array(const np_network *network) { return np_network_is(network, NP_KIND_GRIDS); }

static bool plays_none(const np_network *network) { return !np_network_is(network, NP_KIND_SHUFFLE_EXCHANGE); }

/* Constants of flashsort that it does not heed on all networks. */
static const struct {
    const char *options;
    bool (*unheeded)(const np_network *network);
    const char *why;
} elsewhere[] = {
    {"candidates, oversampling, lightness, cutoff, redraws", is_line, "it does not split a line"},
    {"group", is_array, "it splits all keys down to lines"},
    {"string_bits", plays_none, "it embeds no butterflies there"},
};

static np_status check_on(const np_sorter_ops *ops, const char *option, const np_network *network)
{
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
        if (np_field_listed(elsewhere[i].options, option) && elsewhere[i].unheeded(network))
            return NP_RAISE(NP_ERROR_APPLY, "algorithm '%s' has no use for %s on %s: %s", ops->info.name, option,
                            np_network_spec(network), elsewhere[i].why);
    return NP_OK;
}

/* Is the field a constant, and another than the preset? 0 is the preset, too. */
static bool is_set(const np_field *field, const np_sort_options *options, const np_sort_constants *preset)
{
    size_t at = field->at - AT(constants);
    const char *set = (const char *)&options->constants, *other = (const char *)preset;
    if (field->at < AT(constants) || at >= sizeof *preset)
        return false;
    if (field->kind == NP_FIELD_REAL)
        return *(const double *)(set + at) > 0 && *(const double *)(set + at) != *(const double *)(other + at);
    return *(const uint32_t *)(set + at) && *(const uint32_t *)(set + at) != *(const uint32_t *)(other + at);
}

np_status np_sort_options_check_constants(const np_sort_options *options, const np_sort_constants *preset,
                                          const np_sorter_ops *ops, const np_network *network)
{
    np_status st = NP_OK;
    for (const np_field *field = rows; field < rows + sizeof rows / sizeof *rows && !st; field++)
        if (is_set(field, options, preset) && !(st = np_sorter_heeds(ops->info.name, field->name)))
            st = check_on(ops, field->name, network);
    return st;
}

np_status np_sorter_heeds(const char *algorithm, const char *option)
{
    static const char all[] = "input, kind, order, keys, algorithm, seed, runs, threads, memory";
    const np_sorter_ops *ops;
    const np_field *field = np_fields_find(&np_sort_options_fields, option);
    np_status st = np_sorter_find(algorithm, &ops);
    const char *name = field ? field->name : option; /* "trace" is no field */
    if (st || np_field_listed(all, name) || np_field_listed(ops->heeds, name))
        return st;
    return NP_RAISE(NP_ERROR_APPLY, "algorithm '%s' has no use for %s: it %s", algorithm, option,
                    np_field_listed(ops->heeds, "room") ? "chooses no splitters"
                                                        : "neither merges packets nor chooses splitters");
}
