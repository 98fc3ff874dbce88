/* The fields of off-line ranks and of off-line schedules. */
#include "netpram/route.h"

/* ---- Ranks ---- */

static const np_ranking *ranking(const void *object) { return object; }

static bool was_found(const void *object) { return !ranking(object)->file; }
static bool has_contrast(const void *object) { return ranking(object)->random.count; }
static void get_room(const void *object, np_value *value) { value->text = ranking(object)->freed ? "freed" : "begin"; }
static void get_self(const void *object, np_value *value) { value->object = object; }

static const np_field ranking_phase_rows[] = {
    {"name", NP_FIELD_CHARS, offsetof(np_ranking_phase, name), .help = "of the phase"},
    {"packets", NP_FIELD_U32, offsetof(np_ranking_phase, packets), .help = "that move"},
    {"levels", NP_FIELD_U32, offsetof(np_ranking_phase, levels), .help = "L"},
    {"congestion", NP_FIELD_U32, offsetof(np_ranking_phase, congestion), .unit = "packets", .help = "c"},
    {"steps", NP_FIELD_U32, offsetof(np_ranking_phase, steps), .unit = "steps", .help = "measured"},
    {"own_ranks", NP_FIELD_BOOL, offsetof(np_ranking_phase, own_ranks),
     .help = "the phase sets ranks of its own and is in none of the sums below"},
};

static const np_fields ranking_phase_fields =
    NP_FIELDS("ranking_phase", "a phase", np_ranking_phase, ranking_phase_rows);

static const np_field random_rows[] = {
    {"runs", NP_FIELD_SIZE, offsetof(np_summary, count), .help = "runs"},
    {"mean", NP_FIELD_REAL, offsetof(np_summary, mean), .unit = "steps", .help = "their mean"},
    {"min", NP_FIELD_REAL, offsetof(np_summary, min), .flags = NP_FIELD_WHOLE, .unit = "steps", .help = "the fewest"},
    {"max", NP_FIELD_REAL, offsetof(np_summary, max), .flags = NP_FIELD_WHOLE, .unit = "steps", .help = "the most"},
};

static const np_fields random_fields = NP_FIELDS("ranking_random", "runs", np_summary, random_rows);

static const np_field estimate_rows[] = {
    {"first", NP_FIELD_REAL, offsetof(np_ranking, estimate_first), .help = "before any rank is fixed"},
    {"last", NP_FIELD_REAL, offsetof(np_ranking, estimate_last), .help = "in the end"},
};

static const np_fields estimate_fields = NP_FIELDS("ranking_estimate", "an estimate", np_ranking, estimate_rows);

static const np_field ranking_rows[] = {
    {"seed", NP_FIELD_U64, offsetof(np_ranking, seed), .help = "what is routed is run 0 with this seed"},
    {"network", NP_FIELD_TEXT, offsetof(np_ranking, network), .help = "the network's spec"},
    {"traffic", NP_FIELD_TEXT, offsetof(np_ranking, traffic), .help = "the spec of the traffic"},
    {"paths", NP_FIELD_TEXT, offsetof(np_ranking, paths), .help = "how paths are chosen"},
    {"queue_size", NP_FIELD_U32, offsetof(np_ranking, queue_size), .unit = "packets",
     .help = "that a queue holds besides a ghost"},
    {"room", NP_FIELD_WORD, .get = get_room, .help = "`begin` or `freed`"},
    {"packets", NP_FIELD_U32, offsetof(np_ranking, packets), .help = "of the traffic"},
    {"rank_range", NP_FIELD_U32, offsetof(np_ranking, range), .help = "ranks are in 1 to this"},
    {"file", NP_FIELD_TEXT, offsetof(np_ranking, file), .help = "from which they were loaded; `null`: they were found"},
    {"phases", NP_FIELD_LIST, offsetof(np_ranking, phase), .count_at = offsetof(np_ranking, phases),
     .fields = &ranking_phase_fields, .help = "an object for each phase"},
    {"promised", NP_FIELD_U32, offsetof(np_ranking, promised), .flags = NP_FIELD_ZERO, .unit = "steps",
     .help = "found ranks: what the method promises before it begins; loaded ones: what the file's head says (`null`: "
             "nothing)"},
    {"bound", NP_FIELD_U32, offsetof(np_ranking, bound), .unit = "steps",
     .help = "that the routing takes at most, by the longest chain of delays that the ranks leave"},
    {"steps", NP_FIELD_U32, offsetof(np_ranking, steps), .unit = "steps", .help = "measured"},
    {"kept", NP_FIELD_BOOL, offsetof(np_ranking, kept),
     .help = "`bound` does not exceed `promised`; else the exit status is 1"},
    {"random", NP_FIELD_OBJECT, offsetof(np_ranking, random), .fields = &random_fields, .known = has_contrast,
     .help = "steps with random ranks on the same paths; or `null`"},
    {"estimate", NP_FIELD_OBJECT, .get = get_self, .fields = &estimate_fields, .known = was_found,
     .help = "the expected number of chains that break the promise; `null` for loaded ranks"},
    {"attempts", NP_FIELD_U32, offsetof(np_ranking, rounds), .help = "further ones that lowered `bound`"},
};

const np_fields np_ranking_fields = NP_FIELDS("ranking", "ranks", np_ranking, ranking_rows);

/* ---- Schedules ---- */

static bool was_made(const void *object) { return ((const np_offline *)object)->rule; }

static const np_field offline_phase_rows[] = {
    {"name", NP_FIELD_CHARS, offsetof(np_offline_phase, name), .help = "of the phase"},
    {"steps", NP_FIELD_U32, offsetof(np_offline_phase, steps), .unit = "steps", .help = "of the phase"},
    {"hops", NP_FIELD_U64, offsetof(np_offline_phase, hops), .unit = "links", .help = "crossed, over all packets"},
};

static const np_fields offline_phase_fields =
    NP_FIELDS("offline_phase", "a phase", np_offline_phase, offline_phase_rows);

static const np_field offline_rows[] = {
    {"seed", NP_FIELD_U64, offsetof(np_offline, seed), .help = "what is routed is run 0 with this seed"},
    {"network", NP_FIELD_TEXT, offsetof(np_offline, network), .help = "the network's spec"},
    {"traffic", NP_FIELD_TEXT, offsetof(np_offline, traffic), .help = "the spec of the traffic"},
    {"packets", NP_FIELD_U32, offsetof(np_offline, packets), .help = "of the traffic"},
    {"rule", NP_FIELD_TEXT, offsetof(np_offline, rule),
     .help = "`exchange`, `straight` or `fifo` (complete networks); `null` for a schedule that was loaded"},
    {"file", NP_FIELD_TEXT, offsetof(np_offline, file), .help = "that it was loaded from; `null` if it was made"},
    {"phases", NP_FIELD_LIST, offsetof(np_offline, phase), .count_at = offsetof(np_offline, phases),
     .fields = &offline_phase_fields, .help = "an object for each; empty for a schedule that was loaded"},
    {"bound", NP_FIELD_U64, offsetof(np_offline, bound), .known = was_made, .unit = "steps",
     .help = "that the method takes at most for any such traffic; `null` if it was loaded"},
    {"steps", NP_FIELD_U32, offsetof(np_offline, steps), .unit = "steps",
     .help = "the last one in which a packet moves"},
    {"hops", NP_FIELD_U64, offsetof(np_offline, hops), .unit = "links", .help = "crossed, over all packets"},
    {"delay_max", NP_FIELD_U32, offsetof(np_offline, delay_max), .unit = "steps",
     .help = "most that one packet waited before it arrived, between phases too"},
    {"delay_mean", NP_FIELD_REAL, offsetof(np_offline, delay_mean), .unit = "steps", .help = "the mean, likewise"},
    {"congestion", NP_FIELD_U32, offsetof(np_offline, congestion), .unit = "packets", .help = "most over one link"},
    {"population_max", NP_FIELD_U32, offsetof(np_offline, population_max), .unit = "packets",
     .help = "most at one node at one instant, those that pass through counted"},
    {"stored_max", NP_FIELD_U32, offsetof(np_offline, stored_max), .unit = "packets",
     .help = "most at one node that stay there for a step, or in the end"},
};

const np_fields np_offline_fields = NP_FIELDS("offline", "a schedule", np_offline, offline_rows);
