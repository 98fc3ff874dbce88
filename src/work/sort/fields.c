/* The fields of sorts: what was sorted, what it came to, its stages, and the events of the analysis. */

#include "base/real.h"
#include "netpram/sort.h"

static const np_sort_result *result(const void *object) { return object; }

/* ---- Stages and events ---- */

static const np_field stage_rows[] = {
    {"name", NP_FIELD_CHARS, offsetof(np_sort_stage, name), .help = "what is done"},
    {"depth", NP_FIELD_U32, offsetof(np_sort_stage, depth), .help = "of the recursion; 0: the whole network"},
    {"times", NP_FIELD_U64, offsetof(np_sort_stage, times), .help = "that it was done, by all blocks in all runs"},
    {"steps", NP_FIELD_SUMMARY, offsetof(np_sort_stage, steps), .flags = NP_FIELD_WHOLE, .unit = "steps",
     .help = "over the runs, on the way that took longest: those of all stages add up to the total"},
    {"steps_max", NP_FIELD_U64, offsetof(np_sort_stage, steps_max), .unit = "steps",
     .help = "most that one block took"},
    {"share", NP_FIELD_REAL, offsetof(np_sort_stage, share), .help = "of `steps` in the total, 0 to 1"},
    {"packets", NP_FIELD_U64, offsetof(np_sort_stage, packets), .help = "over all blocks and runs"},
    {"hops", NP_FIELD_U64, offsetof(np_sort_stage, hops), .help = "links crossed, over all blocks and runs"},
    {"comparators", NP_FIELD_U64, offsetof(np_sort_stage, comparators),
     .help = "pairs compared and put in order, over all blocks and runs"},
    {"queue_max", NP_FIELD_U32, offsetof(np_sort_stage, queue_max), .unit = "packets", .help = "most in one queue"},
    {"load_max", NP_FIELD_U32, offsetof(np_sort_stage, load_max), .unit = "keys", .help = "most at one place"},
    {"congestion", NP_FIELD_U32, offsetof(np_sort_stage, congestion), .unit = "packets", .help = "most over one link"},
    {"delay_max", NP_FIELD_U32, offsetof(np_sort_stage, delay_max), .unit = "steps",
     .help = "most that one packet waited"},
};

const np_fields np_sort_stage_fields = NP_FIELDS("sort_stage", "a stage", np_sort_stage, stage_rows);

static const np_field event_rows[] = {
    {"name", NP_FIELD_TEXT, offsetof(np_sort_event, name), .help = "the event"},
    {"lemma", NP_FIELD_TEXT, offsetof(np_sort_event, lemma), .help = "the lemma that needs it"},
    {"what", NP_FIELD_TEXT, offsetof(np_sort_event, what), .help = "what is measured, in words"},
    {"times", NP_FIELD_U64, offsetof(np_sort_event, times), .help = "that it was looked at"},
    {"failures", NP_FIELD_U64, offsetof(np_sort_event, failures), .help = "times that the bound was exceeded"},
    {"worst", NP_FIELD_REAL, offsetof(np_sort_event, worst), .help = "the largest value"},
    {"bound", NP_FIELD_REAL, offsetof(np_sort_event, bound), .flags = NP_FIELD_ZERO,
     .help = "not to be exceeded; `null`: the lemma leaves the constant open, and there are no failures"},
};

static const np_fields event_fields = NP_FIELDS("sort_event", "an event", np_sort_event, event_rows);

/* ---- Predictions ---- */

static bool has_steps(const void *object) { return result(object)->predicted.steps; }
static bool has_comparators(const void *object) { return result(object)->predicted.comparators; }

static void get_steps_agree(const void *object, np_value *value)
{
    const np_summary *steps = &result(object)->steps;
    double predicted = (double)result(object)->predicted.steps;
    value->truth = steps->min == predicted && steps->max == predicted;
}

static void get_comparators_agree(const void *object, np_value *value)
{
    const np_sort_result *r = object;
    value->truth = r->comparators == r->runs * r->predicted.comparators;
}

/* ---- The whole ---- */

static bool has_failed(const void *object) { return !result(object)->sorted; }
static bool has_places(const void *object) { return result(object)->places > 1; }

static void get_per_log2(const void *object, np_value *value)
{
    value->real = result(object)->steps.mean / np_log2((double)result(object)->places);
}

static bool was_read(const void *object) { return !result(object)->key_order; }
static void get_kind(const void *object, np_value *value) { value->text = np_keys_kind_name(result(object)->kind); }

static const np_field result_rows[] = {
    {"seed", NP_FIELD_U64, offsetof(np_sort_result, seed), .help = "where all random choices come from"},
    {"runs", NP_FIELD_U32, offsetof(np_sort_result, runs), .help = "how often it was sorted"},
    {"threads", NP_FIELD_U32, offsetof(np_sort_result, threads), .help = "used"},
    {"wall_seconds", NP_FIELD_REAL, offsetof(np_sort_result, wall_seconds), .unit = "seconds",
     .help = "time of the sorting"},
    {"network", NP_FIELD_TEXT, offsetof(np_sort_result, network), .help = "the network's spec"},
    {"nodes", NP_FIELD_U64, offsetof(np_sort_result, nodes), .help = "of the network"},
    {"algorithm", NP_FIELD_TEXT, offsetof(np_sort_result, algorithm), .help = "its name; also if chosen by default"},
    {"indexing", NP_FIELD_TEXT, offsetof(np_sort_result, indexing), .help = "the order of the places, in words"},
    {"keys", NP_FIELD_U64, offsetof(np_sort_result, keys), .help = "keys sorted"},
    {"places", NP_FIELD_U64, offsetof(np_sort_result, places), .help = "of the sorter"},
    {"per_place", NP_FIELD_U64, offsetof(np_sort_result, per_place), .help = "keys that a place has room for"},
    {"input", NP_FIELD_TEXT, offsetof(np_sort_result, input),
     .help = "the file they were read from; `null`: they were made"},
    {"kind", NP_FIELD_WORD, .get = get_kind, .known = was_read,
     .help = "`integers`, `floats` or `text`; `null`: they were made"},
    {"order", NP_FIELD_TEXT, offsetof(np_sort_result, key_order),
     .help = "the order in which they were made; `null`: they were read"},
    {"sorted", NP_FIELD_BOOL, offsetof(np_sort_result, sorted),
     .help = "the keys came out in order in every run; else the exit status is 1"},
    {"wrong", NP_FIELD_CHARS, offsetof(np_sort_result, wrong), .known = has_failed,
     .help = "the first place where they did not; or `null`"},
    {"steps", NP_FIELD_SUMMARY, offsetof(np_sort_result, steps), .flags = NP_FIELD_WHOLE, .unit = "steps",
     .help = "in all, over the runs"},
    {"steps_per_log2_places", NP_FIELD_REAL, .get = get_per_log2, .known = has_places, .unit = "steps",
     .help = "the mean of `steps` by log2 of `places`; `null` for one place"},
    {"hops", NP_FIELD_U64, offsetof(np_sort_result, hops), .help = "links crossed by packets, over all runs"},
    {"comparators", NP_FIELD_U64, offsetof(np_sort_result, comparators),
     .help = "pairs compared and put in order, over all runs"},
    {"queue_max", NP_FIELD_U32, offsetof(np_sort_result, queue_max), .unit = "packets", .help = "most in one queue"},
    {"load_max", NP_FIELD_U32, offsetof(np_sort_result, load_max), .unit = "keys", .help = "most at one place"},
    {"recursion_depth", NP_FIELD_U32, offsetof(np_sort_result, recursion_depth), .help = "0: there is no recursion"},
    {"redraws", NP_FIELD_U64, offsetof(np_sort_result, redraws),
     .help = "times that a block drew new splitters, over all runs"},
    {"fallbacks", NP_FIELD_U64, offsetof(np_sort_result, fallbacks),
     .help = "times that a block gave up on splitters, over all runs"},
    {"predicted.steps", NP_FIELD_U64, offsetof(np_sort_result, predicted.steps), .flags = NP_FIELD_ZERO,
     .unit = "steps", .help = "of one run, by the textbooks; `null`: there is no formula"},
    {"predicted.comparators", NP_FIELD_U64, offsetof(np_sort_result, predicted.comparators), .flags = NP_FIELD_ZERO,
     .help = "likewise"},
    {"predicted.formula", NP_FIELD_CHARS, offsetof(np_sort_result, predicted.formula), .help = "of the steps"},
    {"predicted.steps_agree", NP_FIELD_BOOL, .get = get_steps_agree, .known = has_steps,
     .help = "every run took so many; or `null`"},
    {"predicted.comparators_agree", NP_FIELD_BOOL, .get = get_comparators_agree, .known = has_comparators,
     .help = "likewise"},
    {"queue_size", NP_FIELD_U32, offsetof(np_sort_result, merge.queue_size), .unit = "packets",
     .help = "that a queue holds where packets are routed"},
    {"room", NP_FIELD_WORD, offsetof(np_sort_result, merge.room), .words = np_room_words,
     .help = "when a queue has room"},
    {"constants.candidates", NP_FIELD_REAL, offsetof(np_sort_result, constants.candidates),
     .help = "these constants are those of randomized sorters, whether the algorithm has them or not"},
    {"constants.oversampling", NP_FIELD_U32, offsetof(np_sort_result, constants.oversampling),
     .help = "every so many-th candidate is a splitter"},
    {"constants.lightness", NP_FIELD_U32, offsetof(np_sort_result, constants.lightness),
     .help = "the recursive subroutine gets at most N / 2^lightness keys"},
    {"constants.cutoff", NP_FIELD_U32, offsetof(np_sort_result, constants.cutoff),
     .help = "blocks of at most so many inputs are sorted by a comparator network"},
    {"constants.redraws", NP_FIELD_U32, offsetof(np_sort_result, constants.redraws),
     .help = "sets of splitters that a block draws anew before it falls back"},
    {"constants.group", NP_FIELD_U32, offsetof(np_sort_result, constants.group),
     .help = "rows to which the full sort sends one interval"},
    {"constants.string_bits", NP_FIELD_U32, offsetof(np_sort_result, constants.string_bits),
     .help = "bits of the strings of embedded butterflies; 0: nothing can be embedded"},
    {"stages", NP_FIELD_LIST, offsetof(np_sort_result, stage), .count_at = offsetof(np_sort_result, stages),
     .fields = &np_sort_stage_fields, .help = "in the order in which they began"},
    {"events", NP_FIELD_LIST, offsetof(np_sort_result, event), .count_at = offsetof(np_sort_result, events),
     .fields = &event_fields, .help = "what the analysis needs to happen"},
};

const np_fields np_sort_result_fields = NP_FIELDS("sort_result", "a sort", np_sort_result, result_rows);
