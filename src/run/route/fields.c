/*
 * The fields of routes: the measures of Valiant & Brebner 1981, section 7 (steps, population), the causes behind these
 * measures, and the measures of Leighton, Maggs, Ranade & Rao 1994, section 2.
 */
#include "run/route/scheme.h"

static const np_phase_result *phase(const void *object) { return object; }
static const np_route_result *result(const void *object) { return object; }

/* ---- A phase ---- */

static bool was_missed(const void *of) { return phase(of)->missed; }
static bool goes_in_cycles(const void *phase) { return ((const np_phase_result *)phase)->in_cycles; }

static bool may_starve(const void *object) { return phase(object)->starves; }
static bool is_timed(const void *object) { return phase(object)->timed; }
static bool is_leveled(const void *object) { return phase(object)->leveled; }
static bool is_in_rounds(const void *object) { return phase(object)->in_rounds; }
static bool is_outlined(const void *object) { return phase(object)->outlined; }

static void get_delay(np_value *pair, size_t i, np_value *item)
{
    item->kind = NP_VALUE_WHOLE;
    item->whole = pair->room.words[i];
}

/* The next delay that some packet had, and how many packets had it. words[0] of the list: where the search goes on. */
static void get_delays(np_value *list, size_t i, np_value *item)
{
    const np_phase_result *of = list->object;
    size_t delay = i ? list->room.words[0] : 0;
    while (!of->delay_histogram[delay])
        delay++;
    item->kind = NP_VALUE_LIST;
    item->count = 2;
    item->item = get_delay;
    item->room.words[0] = delay;
    item->room.words[1] = of->delay_histogram[delay];
    list->room.words[0] = delay + 1;
}

static void get_histogram(const void *object, np_value *value)
{
    for (size_t delay = 0; delay < phase(object)->delays; delay++)
        value->count += phase(object)->delay_histogram[delay] != 0;
    value->object = object;
    value->item = get_delays;
}

static const np_field emulation_rows[] = {
    {"nodes_per_node", NP_FIELD_U32, offsetof(np_emulation_result, nodes_per_node),
     .help = "most nodes of the leveled network that one physical node plays"},
    {"links_per_link", NP_FIELD_U32, offsetof(np_emulation_result, links_per_link),
     .help = "crossings of one physical link if each link of the leveled network is crossed once"},
    {"steps", NP_FIELD_U32, offsetof(np_emulation_result, steps), .unit = "steps",
     .help = "of the physical network, that play a step in which each link of the leveled network is crossed once"},
};

static const np_fields emulation_fields = NP_FIELDS("emulation", "an emulation", np_emulation_result, emulation_rows);

static const np_field phase_rows[] = {
    {"name", NP_FIELD_CHARS, offsetof(np_phase_result, name),
     .help =
         "`A`, `B`, ..., `route`; `F` for what a fixed time leaves; on leveled networks also `in`, `out`, `++`, ..."},
    {"runs", NP_FIELD_SIZE, offsetof(np_phase_result, steps.count), .applies = was_missed,
     .help = "only if some run did not have the phase: how many had it. All of the phase is over these runs"},
    {"steps", NP_FIELD_SUMMARY, offsetof(np_phase_result, steps), .flags = NP_FIELD_WHOLE, .unit = "steps",
     .help = "until the last packet arrived, or the fixed time of the phase; on leveled networks steps of the leveled "
             "network"},
    {"physical_steps", NP_FIELD_SUMMARY, offsetof(np_phase_result, physical_steps), .flags = NP_FIELD_WHOLE,
     .unit = "steps",
     .help = "of the physical network: executed with `--physical`, else `steps` times `emulation.steps`, the most that "
             "they can be; without a leveled network `steps`"},
    {"delay_max", NP_FIELD_SUMMARY, offsetof(np_phase_result, delay_max), .flags = NP_FIELD_WHOLE, .unit = "steps",
     .help = "most that one packet spent waiting"},
    {"delay_mean", NP_FIELD_SUMMARY, offsetof(np_phase_result, delay_mean), .unit = "steps",
     .help = "spent waiting, mean over the packets"},
    {"delay_p50", NP_FIELD_SUMMARY, offsetof(np_phase_result, delay_p50), .flags = NP_FIELD_WHOLE, .unit = "steps",
     .help = "the median, by nearest rank: the least that half of the packets did not exceed"},
    {"delay_p90", NP_FIELD_SUMMARY, offsetof(np_phase_result, delay_p90), .flags = NP_FIELD_WHOLE, .unit = "steps",
     .help = "that 90% of the packets did not exceed, likewise"},
    {"delay_p99", NP_FIELD_SUMMARY, offsetof(np_phase_result, delay_p99), .flags = NP_FIELD_WHOLE, .unit = "steps",
     .help = "that 99% did not exceed"},
    {"delay_p999", NP_FIELD_SUMMARY, offsetof(np_phase_result, delay_p999), .flags = NP_FIELD_WHOLE, .unit = "steps",
     .help = "that 99.9% did not exceed"},
    {"queue_max", NP_FIELD_SUMMARY, offsetof(np_phase_result, queue_max), .flags = NP_FIELD_WHOLE, .unit = "packets",
     .help = "most in one queue at the start of a step"},
    {"population_max", NP_FIELD_SUMMARY, offsetof(np_phase_result, population_max), .flags = NP_FIELD_WHOLE,
     .unit = "packets", .help = "most at one node at one integral instant: waiting, just arrived and finished ones"},
    {"congestion", NP_FIELD_SUMMARY, offsetof(np_phase_result, congestion), .flags = NP_FIELD_WHOLE, .unit = "packets",
     .help = "most over one link"},
    {"hops", NP_FIELD_SUMMARY, offsetof(np_phase_result, hops), .flags = NP_FIELD_WHOLE, .unit = "links",
     .help = "crossed, total over the packets"},
    {"traffic_mean", NP_FIELD_SUMMARY, offsetof(np_phase_result, traffic_mean), .unit = "packets",
     .help = "over a link, mean over the links"},
    {"levels", NP_FIELD_SUMMARY, offsetof(np_phase_result, levels), .flags = NP_FIELD_WHOLE, .applies = is_leveled,
     .help = "L, the depth of the leveled network"},
    {"congestion_destinations", NP_FIELD_SUMMARY, offsetof(np_phase_result, congestion_destinations),
     .flags = NP_FIELD_WHOLE, .applies = is_leveled,
     .help = "c: most different destinations of packets over one link of the leveled network, where packets combine; "
             "else most packets"},
    {"ghosts", NP_FIELD_SUMMARY, offsetof(np_phase_result, ghosts), .flags = NP_FIELD_WHOLE, .applies = is_leveled,
     .help = "sent (`ranked`, `ranade`)"},
    {"tokens", NP_FIELD_SUMMARY, offsetof(np_phase_result, tokens), .flags = NP_FIELD_WHOLE, .applies = is_leveled,
     .help = "sent until the last packet arrived (`waves`)"},
    {"combined", NP_FIELD_SUMMARY, offsetof(np_phase_result, combined), .flags = NP_FIELD_WHOLE, .applies = is_leveled,
     .help = "times that two packets became one"},
    {"queue_real_max", NP_FIELD_SUMMARY, offsetof(np_phase_result, queue_real_max), .flags = NP_FIELD_WHOLE,
     .unit = "packets", .applies = is_leveled, .help = "most in one queue, ghosts not counted"},
    {"starved", NP_FIELD_SUMMARY, offsetof(np_phase_result, starved), .flags = NP_FIELD_WHOLE, .applies = may_starve,
     .help = "only with `--no-ghosts` or `--ghosts room`: times that a node with packets waited for an empty queue, "
             "against Lemma 2.3"},
    {"cycles", NP_FIELD_SUMMARY, offsetof(np_phase_result, cycles), .flags = NP_FIELD_WHOLE, .applies = goes_in_cycles,
     .help = "only of messages in cycles: message cycles until the last message arrived; `steps` is as many times the "
             "longest message"},
    {"packet_steps", NP_FIELD_SUMMARY, offsetof(np_phase_result, packet_steps), .flags = NP_FIELD_WHOLE,
     .unit = "steps", .applies = goes_in_cycles,
     .help = "likewise: executed until the last packet of a message arrived"},
    {"packet_hops", NP_FIELD_SUMMARY, offsetof(np_phase_result, packet_hops), .flags = NP_FIELD_WHOLE, .unit = "links",
     .applies = goes_in_cycles,
     .help = "likewise: crossed, total over the packets of messages; `hops` counts messages"},
    {"late", NP_FIELD_SUMMARY, offsetof(np_phase_result, late), .flags = NP_FIELD_WHOLE, .unit = "packets",
     .applies = is_timed,
     .help =
         "only with `--phase-time`: how often a packet had not ended a phase in its time; of `F` packets that were not "
         "at their destinations"},
    {"ratio", NP_FIELD_SUMMARY, offsetof(np_phase_result, ratio), .applies = is_leveled,
     .help = "`steps` / (c + L + log2 N), N packets in the phase; 0 for a phase without packets"},
    {"emulation", NP_FIELD_OBJECT, offsetof(np_phase_result, emulation), .fields = &emulation_fields,
     .applies = is_leveled, .help = "what it costs to play the leveled network"},
    {"dilation", NP_FIELD_SUMMARY, offsetof(np_phase_result, dilation), .flags = NP_FIELD_WHOLE, .unit = "links",
     .applies = is_outlined, .help = "d, of the longest path"},
    {"outline", NP_FIELD_SUMMARY, offsetof(np_phase_result, outline), .flags = NP_FIELD_WHOLE, .applies = is_outlined,
     .help = "times of the outline, from which the schedule is made"},
    {"outline_load", NP_FIELD_SUMMARY, offsetof(np_phase_result, outline_load), .flags = NP_FIELD_WHOLE,
     .unit = "packets", .applies = is_outlined, .help = "most over one link at one time of the outline"},
    {"resamplings", NP_FIELD_SUMMARY, offsetof(np_phase_result, resamplings), .flags = NP_FIELD_WHOLE,
     .applies = is_outlined, .help = "times that a link had more than its share, and packets drew their waits anew"},
    {"c_d_ratio", NP_FIELD_SUMMARY, offsetof(np_phase_result, c_d_ratio), .applies = is_outlined,
     .help = "`steps` / (c + d), c the congestion and d the dilation; 0 for a phase without packets"},
    {"rounds", NP_FIELD_SUMMARY, offsetof(np_phase_result, rounds), .flags = NP_FIELD_WHOLE, .applies = is_in_rounds,
     .help = "until all packets had locked their paths and arrived"},
    {"locked", NP_FIELD_SUMMARY, offsetof(np_phase_result, locked), .flags = NP_FIELD_WHOLE, .unit = "packets",
     .applies = is_in_rounds, .help = "that locked their paths in the first round"},
    {"blocked", NP_FIELD_SUMMARY, offsetof(np_phase_result, blocked), .flags = NP_FIELD_WHOLE, .applies = is_in_rounds,
     .help = "times that a packet did not lock its path, and tried again"},
    {"delay_histogram", NP_FIELD_LIST, .get = get_histogram,
     .help =
         "pairs `[delay, count]`, over the packets of all runs, in ascending order; delays of no packet are left out"},
};

const np_fields np_phase_result_fields = NP_FIELDS("phase_result", "a phase", np_phase_result, phase_rows);

/* ---- The whole ---- */

static bool has_load_factor(const void *object) { return result(object)->has_load_factor; }
static bool has_via(const void *object) { return result(object)->via != NP_VIA_TERMINALS; }
static bool has_phase_time(const void *object) { return result(object)->phase_time; }
static bool has_fallback(const void *object) { return result(object)->fallback; }
static bool has_leveled(const void *object) { return result(object)->phases && result(object)->phase->leveled; }
static bool has_permutations(const void *object) { return result(object)->permutations; }

static bool is_certified(const void *object) { return result(object)->certificate.run; }
static bool knows_ratio(const void *object) { return ((const np_route_certificate *)object)->ratio.count; }

static const np_field certificate_rows[] = {
    {"steps_bound", NP_FIELD_SUMMARY, offsetof(np_route_certificate, steps_bound), .flags = NP_FIELD_WHOLE,
     .unit = "steps",
     .help =
         "no schedule delivers the packets of a run in fewer: the larger of what the best routing in fractions needs, "
         "and of the largest distance"},
    {"ratio", NP_FIELD_SUMMARY, offsetof(np_route_certificate, ratio), .known = knows_ratio,
     .help = "`total_physical_steps` / `steps_bound`, over the runs in which a packet moves"},
};

static const np_fields certificate_fields =
    NP_FIELDS("route_certificate", "a certificate", np_route_certificate, certificate_rows);

static void get_routed(const void *object, np_value *value) { value->whole = result(object)->phase[0].run[0].packets; }

static const np_field result_rows[] = {
    {"seed", NP_FIELD_U64, offsetof(np_route_result, seed), .help = "where all random choices come from"},
    {"runs", NP_FIELD_U32, offsetof(np_route_result, runs), .help = "how often it was routed"},
    {"threads", NP_FIELD_U32, offsetof(np_route_result, threads), .help = "used"},
    {"wall_seconds", NP_FIELD_REAL, offsetof(np_route_result, wall_seconds), .unit = "seconds",
     .help = "time of the routing"},
    {"network.spec", NP_FIELD_TEXT, offsetof(np_route_result, network), .help = "the network's spec"},
    {"network.nodes", NP_FIELD_U64, offsetof(np_route_result, nodes), .help = "its nodes"},
    {"network.links", NP_FIELD_U64, offsetof(np_route_result, links), .help = "its directed links"},
    {"scheme", NP_FIELD_TEXT, offsetof(np_route_result, scheme), .help = "the scheme; also if chosen by default"},
    {"paths", NP_FIELD_TEXT, offsetof(np_route_result, paths), .help = "the path rule, likewise"},
    {"via", NP_FIELD_WORD, offsetof(np_route_result, via), .words = np_via_words, .applies = has_via,
     .help = "only if told: where the scheme drew intermediate nodes: `nodes`, `hosts` or `switches`"},
    {"traffic", NP_FIELD_TEXT, offsetof(np_route_result, traffic), .help = "the spec of the traffic"},
    {"queue", NP_FIELD_TEXT, offsetof(np_route_result, queue),
     .help = "the queue discipline; also if chosen by default"},
    {"overlap", NP_FIELD_BOOL, offsetof(np_route_result, overlap),
     .help = "a packet started the next phase when it finished this one"},
    {"phase_time", NP_FIELD_U32, offsetof(np_route_result, phase_time), .unit = "steps", .applies = has_phase_time,
     .help = "only if told: the fixed time of each phase"},
    {"fallback", NP_FIELD_TEXT, offsetof(np_route_result, fallback), .applies = has_fallback,
     .help = "with `phase_time`, without `overlap`: the path rule of phase `F`, for what is left when a phase has not "
             "ended in its time"},
    {"fallback_runs", NP_FIELD_U32, offsetof(np_route_result, fallback_runs), .applies = has_fallback,
     .help = "likewise: runs that needed it"},
    {"physical", NP_FIELD_BOOL, offsetof(np_route_result, physical), .applies = has_leveled,
     .help = "only on leveled networks: the physical steps were executed"},
    {"packets", NP_FIELD_U32, offsetof(np_route_result, packets), .help = "of the first run"},
    {"load_factor", NP_FIELD_REAL, offsetof(np_route_result, load_factor), .applies = has_load_factor,
     .help = "only on fat-trees: of the first run's traffic; no routing takes fewer steps"},
    {"permutations", NP_FIELD_U32, offsetof(np_route_result, permutations), .applies = has_permutations,
     .help = "only for the schemes of omega networks: so many at a time"},
    {"packets_routed", NP_FIELD_U32, .get = get_routed, .applies = has_permutations,
     .help = "with `permutations`: packets of all of them, in the first run; `packets` counts the traffic"},
    {"relation", NP_FIELD_U32, offsetof(np_route_result, relation),
     .help = "the first run's traffic is a partial h-relation for this h, and for no smaller one"},
    {"phases", NP_FIELD_LIST, offsetof(np_route_result, phase), .count_at = offsetof(np_route_result, phases),
     .fields = &np_phase_result_fields, .help = "an object for each phase, in order"},
    {"total_steps", NP_FIELD_SUMMARY, offsetof(np_route_result, total_steps), .flags = NP_FIELD_WHOLE, .unit = "steps",
     .help = "of all phases"},
    {"total_physical_steps", NP_FIELD_SUMMARY, offsetof(np_route_result, total_physical_steps), .flags = NP_FIELD_WHOLE,
     .unit = "steps", .help = "of all phases"},
    {"certificate", NP_FIELD_OBJECT, offsetof(np_route_result, certificate), .fields = &certificate_fields,
     .applies = is_certified, .help = "only with `--certify`: what no schedule can beat"},
};

const np_fields np_route_result_fields = NP_FIELDS("route_result", "routing", np_route_result, result_rows);
