/* The fields of collective operations. */
#include "netpram/collective.h"

static const np_collective_result *result(const void *object) { return object; }

static const np_field figure_rows[] = {
    {"rounds", NP_FIELD_U64, offsetof(np_collective_figure, rounds), .help = "rounds"},
    {"steps", NP_FIELD_U64, offsetof(np_collective_figure, steps), .unit = "steps", .help = "in all"},
    {"cost", NP_FIELD_REAL, offsetof(np_collective_figure, cost), .help = "of them"},
    {"text", NP_FIELD_CHARS, offsetof(np_collective_figure, text),
     .help = "the formula, or where the bound comes from"},
};

static const np_fields figure_fields = NP_FIELDS("collective_figure", "a figure", np_collective_figure, figure_rows);

static bool has_time(const void *object) { return ((const np_collective_candidate *)object)->time > 0; }

static const np_field candidate_rows[] = {
    {"algorithm", NP_FIELD_TEXT, offsetof(np_collective_candidate, algorithm), .help = "its name"},
    {"flits", NP_FIELD_U64, offsetof(np_collective_candidate, flits), .flags = NP_FIELD_ZERO,
     .help = "the number that suits it best; `null` if it knows none"},
    {"rounds", NP_FIELD_U64, offsetof(np_collective_candidate, rounds), .help = "by formula"},
    {"steps", NP_FIELD_U64, offsetof(np_collective_candidate, steps), .unit = "steps", .help = "by formula"},
    {"cost", NP_FIELD_REAL, offsetof(np_collective_candidate, cost), .help = "by formula"},
    {"bucketed", NP_FIELD_U64, offsetof(np_collective_candidate, bucketed), .unit = "packets", .help = "by formula"},
    {"time", NP_FIELD_REAL, offsetof(np_collective_candidate, time), .applies = has_time,
     .help = "with model `flows` or `steps`"},
};

const np_fields np_collective_candidate_fields =
    NP_FIELDS("collective_candidate", "an algorithm", np_collective_candidate, candidate_rows);

static bool has_root(const void *object) { return result(object)->rooted; }
static bool has_formula(const void *object) { return result(object)->has_formula; }
static bool was_searched(const void *object) { return result(object)->searched; }

static void get_root(const void *object, np_value *value)
{
    value->kind = result(object)->root_name ? NP_VALUE_TEXT : NP_VALUE_WHOLE;
    if (result(object)->root_name)
        value->text = result(object)->root_name;
    else
        value->whole = result(object)->root;
}

static void get_bound(const void *object, np_value *value)
{
    const np_collective_result *r = object;
    value->whole = r->bound_of_rounds ? r->bound.rounds : r->bound.steps;
}

static void get_bound_of(const void *object, np_value *value)
{
    value->text = result(object)->bound_of_rounds ? "rounds" : "steps";
}

static void get_complete(const void *object, np_value *value)
{
    (void)object;
    value->truth = true;
}

static bool is_timed(const void *object) { return result(object)->model; }

static void get_place(const void *object, np_value *value) { value->text = result(object)->place; }

#define OF_RANKS .applies = is_timed

static const np_field result_rows[] = {
    {"network", NP_FIELD_TEXT, offsetof(np_collective_result, network), .help = "the network's spec"},
    {"nodes", NP_FIELD_U64, offsetof(np_collective_result, nodes), .help = "of the network"},
    {"operation", NP_FIELD_TEXT, offsetof(np_collective_result, operation), .help = "what was done"},
    {"algorithm", NP_FIELD_TEXT, offsetof(np_collective_result, algorithm), .help = "by which algorithm"},
    {"ports", NP_FIELD_TEXT, offsetof(np_collective_result, ports), .help = "under which ports"},
    {"root", NP_FIELD_NODE, .get = get_root, .known = has_root,
     .help = "of broadcast, reduce, gather and scatter; or `null`"},
    {"traffic", NP_FIELD_TEXT, offsetof(np_collective_result, traffic),
     .help = "of permutation, k-k and all-to-allv; or `null`"},
    {"seed", NP_FIELD_U64, offsetof(np_collective_result, seed), .help = "of random traffic"},
    {"packets", NP_FIELD_U64, offsetof(np_collective_result, packets),
     .help = "different ones; of broadcast and reduce the flits"},
    {"size", NP_FIELD_REAL, offsetof(np_collective_result, size), .help = "l"},
    {"flits", NP_FIELD_U64, offsetof(np_collective_result, flits), .flags = NP_FIELD_ZERO,
     .help = "f; `null` if the algorithm knows none"},
    {"cv", NP_FIELD_REAL, offsetof(np_collective_result, cv), .help = "c_v"},
    {"ca", NP_FIELD_REAL, offsetof(np_collective_result, ca), .help = "c_a"},
    {"rounds", NP_FIELD_U64, offsetof(np_collective_result, rounds), .help = "counted while playing"},
    {"steps", NP_FIELD_U64, offsetof(np_collective_result, steps), .unit = "steps",
     .help = "the sum over the rounds of the most packets in a message, likewise"},
    {"transfers", NP_FIELD_U64, offsetof(np_collective_result, transfers), .help = "packets over links, likewise"},
    {"cost", NP_FIELD_REAL, offsetof(np_collective_result, cost),
     .help = "c_v times the data in a packet times `steps`, plus c_a times `rounds`, plus c_i times the data in a "
             "packet times `bucketed`"},
    {"formula", NP_FIELD_OBJECT, offsetof(np_collective_result, formula), .fields = &figure_fields,
     .known = has_formula, .help = "what the algorithm's formula says; or `null`"},
    {"lower_bound", NP_FIELD_U64, .get = get_bound,
     .help =
         "what no schedule under these ports beats; `rounds` by an algorithm whose messages are all of one packet: no "
         "schedule of such messages"},
    {"lower_bound_of", NP_FIELD_TEXT, .get = get_bound_of, .help = "`rounds` (gossip) or `steps` (all others)"},
    {"lower_bounds", NP_FIELD_OBJECT, offsetof(np_collective_result, bound), .fields = &figure_fields,
     .help = "of each by itself, and where `lower_bound` comes from"},
    {"optimal", NP_FIELD_BOOL, offsetof(np_collective_result, optimal), .known = was_searched,
     .help = "of a search: proved to be the best, as `optimal_of` says; else `null`"},
    {"complete", NP_FIELD_BOOL, .get = get_complete,
     .help = "everybody has what he is to have: what is not complete is not reported"},
    {"ci", NP_FIELD_REAL, offsetof(np_collective_result, ci), .help = "c_i"},
    {"bucketed", NP_FIELD_U64, offsetof(np_collective_result, bucketed), .unit = "packets",
     .help = "that a node puts together anew between phases, counted while playing"},
    {"formula_bucketed", NP_FIELD_U64, offsetof(np_collective_result, formula_bucketed), .unit = "packets",
     .known = has_formula, .help = "by the formula; or `null`"},
    {"optimal_of", NP_FIELD_TEXT, offsetof(np_collective_result, optimal_of),
     .help = "what a search proved: for which ports, and whether of rounds, of steps or both; or `null`"},
    {"model", NP_FIELD_TEXT, offsetof(np_collective_result, model), OF_RANKS,
     .help = "of an operation among ranks: how its time was found"},
    {"ranks", NP_FIELD_U64, offsetof(np_collective_result, ranks), OF_RANKS, .help = "hosts that take part"},
    {"part", NP_FIELD_REAL, offsetof(np_collective_result, part), OF_RANKS, .help = "data in each of the `packets`"},
    {"place", NP_FIELD_TEXT, .get = get_place, OF_RANKS, .help = "of ranks on hosts"},
    {"link_rate", NP_FIELD_REAL, offsetof(np_collective_result, link_rate), OF_RANKS, .unit = "bit/s",
     .flags = NP_FIELD_ZERO, .help = "of a link; `null` if sizes are data and times steps"},
    {"packet_size", NP_FIELD_REAL, offsetof(np_collective_result, packet_size), OF_RANKS, .flags = NP_FIELD_ZERO,
     .help = "of model `steps`: data in a packet; else `null`"},
    {"time", NP_FIELD_REAL, offsetof(np_collective_result, time), OF_RANKS,
     .help = "by the model: steps, seconds with `--link-rate`"},
    {"algorithm_bandwidth", NP_FIELD_REAL, offsetof(np_collective_result, algorithm_bandwidth), OF_RANKS,
     .flags = NP_FIELD_ZERO, .help = "`size` by `time`: data a step, or bytes a second; `null` for barriers"},
    {"bus_bandwidth", NP_FIELD_REAL, offsetof(np_collective_result, bus_bandwidth), OF_RANKS, .flags = NP_FIELD_ZERO,
     .help = "the same times 2 (N - 1)/N (all-reduce), 1 (broadcast, reduce, scan) or (N - 1)/N (all others)"},
};

const np_fields np_collective_result_fields =
    NP_FIELDS("collective_result", "an operation", np_collective_result, result_rows);
