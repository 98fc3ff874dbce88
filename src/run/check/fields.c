/*
 * The fields of a scheme's check. The ends of links need the network, which the parts of a result do not have: the rows
 * of a property are of a structure that is made when it is read, with all that there is to say.
 */
#include "netpram/theory.h"
#include "model/network/read_node.h"

typedef struct link {
    const np_network *network;
    np_link number; /* NP_NONE: there is none */
    double traffic;
} link;

static link link_of(const np_network *network, np_link number, double traffic)
{
    return (link){network, number, traffic};
}

static void get_tail(const void *object, np_value *value)
{
    const link *l = object;
    np_node_value(l->network, np_network_link_tail(l->network, l->number), value);
}

static void get_head(const void *object, np_value *value)
{
    const link *l = object;
    np_node_value(l->network, np_network_link_head(l->network, l->number), value);
}

static const np_field link_rows[] = {
    {"link", NP_FIELD_U32, offsetof(link, number), .help = "its number"},
    {"from", NP_FIELD_NODE, .get = get_tail, .help = "the node that it leaves"},
    {"to", NP_FIELD_NODE, .get = get_head, .help = "the node that it leads to"},
};

static const np_fields link_fields = NP_FIELDS("link", "a link", link, link_rows);

static const np_field extreme_rows[] = {
    {NULL, NP_FIELD_INSET, .fields = &link_fields},
    {"traffic", NP_FIELD_REAL, offsetof(link, traffic), .unit = "packets", .help = "over it, for one packet a node"},
};

static const np_fields extreme_fields = NP_FIELDS("extreme", "a link", link, extreme_rows);

typedef struct route {
    const np_network *network;
    np_check_route ends;
} route;

_Static_assert(offsetof(route, ends.from) == offsetof(np_ends, from) &&
                   offsetof(route, ends.to) == offsetof(np_ends, to),
               "it begins as np_ends");

static const np_field route_rows[] = {
    {"from", NP_FIELD_NODE, .get = np_ends_get_from, .help = "where it begins"},
    {"to", NP_FIELD_NODE, .get = np_ends_get_to, .help = "where it ends"},
    {"packet", NP_FIELD_U32, offsetof(route, ends.packet), .help = "the number that its random choices are drawn by"},
};

static const np_fields route_fields = NP_FIELDS("check_route", "a route", route, route_rows);

static void get_self(const void *object, np_value *value) { value->object = object; }

#define VERDICT "`holds`, `not refuted`, `does not hold` or `undecided`"

/* ---- oblivious ---- */

typedef struct oblivious {
    np_check_oblivious_result result;
    const char *verdict;
    route route;
    link alone, together;
} oblivious;

static bool is_dependent(const void *object) { return !((const oblivious *)object)->result.holds; }
static bool goes_alone(const void *object) { return ((const oblivious *)object)->alone.number != NP_NONE; }
static bool goes_together(const void *object) { return ((const oblivious *)object)->together.number != NP_NONE; }

static const np_field dependent_rows[] = {
    {"route", NP_FIELD_OBJECT, offsetof(oblivious, route), .fields = &route_fields, .help = "of a packet alone"},
    {"run", NP_FIELD_U32, offsetof(oblivious, result.run), .help = "from 0"},
    {"packets", NP_FIELD_U32, offsetof(oblivious, result.present), .help = "in the network"},
    {"hop", NP_FIELD_U32, offsetof(oblivious, result.hop), .help = "the first that differs, from 0"},
    {"alone", NP_FIELD_OBJECT, offsetof(oblivious, alone), .fields = &link_fields, .known = goes_alone,
     .help = "the link there; `null`: the route has ended"},
    {"together", NP_FIELD_OBJECT, offsetof(oblivious, together), .fields = &link_fields, .known = goes_together,
     .help = "the link there in company; or `null`"},
};

static const np_fields dependent_fields = NP_FIELDS("oblivious_witness", "a witness", oblivious, dependent_rows);

static const np_field oblivious_rows[] = {
    {"verdict", NP_FIELD_TEXT, offsetof(oblivious, verdict), .help = VERDICT},
    {"runs", NP_FIELD_U32, offsetof(oblivious, result.runs), .help = "runs"},
    {"routes", NP_FIELD_U64, offsetof(oblivious, result.routes), .help = "compared"},
    {"witness", NP_FIELD_OBJECT, .get = get_self, .fields = &dependent_fields, .known = is_dependent,
     .help = "a packet whose route depends on the others; or `null`"},
};

static const np_fields oblivious_fields = NP_FIELDS("oblivious", "a property", oblivious, oblivious_rows);

/* ---- nonrepeating ---- */

/* A route, and the hops at which it has the two links. */
typedef struct side {
    route route;
    uint32_t first, second;
} side;

static const np_field side_rows[] = {
    {NULL, NP_FIELD_INSET, offsetof(side, route), .fields = &route_fields},
    {"first", NP_FIELD_U32, offsetof(side, first), .help = "the hop, from 0, at which it has the first link"},
    {"second", NP_FIELD_U32, offsetof(side, second), .help = "the hop at which it has the second link"},
};

static const np_fields side_fields = NP_FIELDS("check_side", "a route", side, side_rows);

typedef struct nonrepeating {
    bool holds, in_order, exhaustive;
    uint64_t routes;
    const char *verdict;
    link first, second;
    side one, other;
} nonrepeating;

static bool is_repeating(const void *object) { return !((const nonrepeating *)object)->holds; }

static const np_field repeating_rows[] = {
    {"first", NP_FIELD_OBJECT, offsetof(nonrepeating, first), .fields = &link_fields, .help = "a link of both routes"},
    {"second", NP_FIELD_OBJECT, offsetof(nonrepeating, second), .fields = &link_fields, .help = "another one"},
    {"one", NP_FIELD_OBJECT, offsetof(nonrepeating, one), .fields = &side_fields, .help = "the one route"},
    {"other", NP_FIELD_OBJECT, offsetof(nonrepeating, other), .fields = &side_fields, .help = "the other route"},
};

static const np_fields repeating_fields = NP_FIELDS("nonrepeating_witness", "a witness", nonrepeating, repeating_rows);

static const np_field nonrepeating_rows[] = {
    {"verdict", NP_FIELD_TEXT, offsetof(nonrepeating, verdict), .help = VERDICT},
    {"in_order", NP_FIELD_BOOL, offsetof(nonrepeating, in_order),
     .help = "it holds but for links used in opposite orders"},
    {"exhaustive", NP_FIELD_BOOL, offsetof(nonrepeating, exhaustive), .help = "all routes were gone through"},
    {"routes", NP_FIELD_U64, offsetof(nonrepeating, routes), .help = "checked"},
    {"witness", NP_FIELD_OBJECT, .get = get_self, .fields = &repeating_fields, .known = is_repeating,
     .help = "two routes that meet again; or `null`"},
};

static const np_fields nonrepeating_fields = NP_FIELDS("nonrepeating", "a property", nonrepeating, nonrepeating_rows);

/* ---- symmetric ---- */

typedef struct symmetric {
    np_check_symmetric_result result;
    const char *verdict;
    link min, max;
} symmetric;

static const np_check_symmetric_result *traffic(const void *object) { return &((const symmetric *)object)->result; }

static bool is_measured(const void *object) { return !traffic(object)->exact; }
static bool has_links(const void *object) { return traffic(object)->links; }

static const np_field symmetric_rows[] = {
    {"verdict", NP_FIELD_TEXT, offsetof(symmetric, verdict), .help = VERDICT},
    {"exact", NP_FIELD_BOOL, offsetof(symmetric, result.exact), .help = "by enumeration"},
    {"runs", NP_FIELD_U64, offsetof(symmetric, result.denominator), .known = is_measured,
     .help = "measured; `null` if exact"},
    {"mean", NP_FIELD_REAL, offsetof(symmetric, result.mean), .unit = "packets",
     .help = "expected over a link, mean over the links, for one packet a node"},
    {"min", NP_FIELD_OBJECT, offsetof(symmetric, min), .fields = &extreme_fields, .known = has_links,
     .help = "the link with the least"},
    {"max", NP_FIELD_OBJECT, offsetof(symmetric, max), .fields = &extreme_fields, .known = has_links,
     .help = "the link with the most"},
    {"p", NP_FIELD_REAL, offsetof(symmetric, result.p), .known = is_measured,
     .help = "of the chi-square test; `null` if exact"},
    {"error_rate", NP_FIELD_REAL, offsetof(symmetric, result.error_rate), .known = is_measured,
     .help = "of that test; `null` if exact"},
};

static const np_fields symmetric_fields = NP_FIELDS("symmetric", "a property", symmetric, symmetric_rows);

/* ---- A phase ---- */

typedef struct view {
    const np_network *network;
    const np_check_phase_result *phase;
} view;

static const np_check_phase_result *phase(const void *object) { return ((const view *)object)->phase; }

static void get_name(const void *object, np_value *value) { value->text = phase(object)->name; }

static void get_oblivious(const void *object, np_value *value)
{
    const np_network *network = ((const view *)object)->network;
    const np_check_oblivious_result *r = &phase(object)->oblivious_result;
    np_link alone = r->holds ? NP_NONE : r->alone, together = r->holds ? NP_NONE : r->together;
    const oblivious made = {*r,
                            np_check_verdict_name(phase(object)->oblivious),
                            {network, r->route},
                            link_of(network, alone, 0),
                            link_of(network, together, 0)};
    np_value_hold(value, &made, sizeof made);
}

static void get_nonrepeating(const void *object, np_value *value)
{
    const np_network *network = ((const view *)object)->network;
    const np_check_nonrepeating_result *r = &phase(object)->nonrepeating_result;
    np_link first = r->holds ? NP_NONE : r->first, second = r->holds ? NP_NONE : r->second;
    const nonrepeating made = {.holds = r->holds,
                               .in_order = r->holds_in_order,
                               .exhaustive = r->exhaustive,
                               .routes = r->routes,
                               .verdict = np_check_verdict_name(phase(object)->nonrepeating),
                               .first = link_of(network, first, 0),
                               .second = link_of(network, second, 0),
                               .one = {{network, r->one}, r->i, r->k},
                               .other = {{network, r->other}, r->j, r->m}};
    np_value_hold(value, &made, sizeof made);
}

static void get_symmetric(const void *object, np_value *value)
{
    const np_network *network = ((const view *)object)->network;
    const np_check_symmetric_result *r = &phase(object)->symmetric_result;
    symmetric made = {*r, np_check_verdict_name(phase(object)->symmetric), {.number = NP_NONE}, {.number = NP_NONE}};
    if (r->links) {
        made.min = link_of(network, r->min_link, r->min);
        made.max = link_of(network, r->max_link, r->max);
    }
    np_value_hold(value, &made, sizeof made);
}

static const np_field phase_rows[] = {
    {"name", NP_FIELD_TEXT, .get = get_name, .help = "`A`, `B`, ... or `route`"},
    {"oblivious", NP_FIELD_OBJECT, .get = get_oblivious, .fields = &oblivious_fields,
     .help = "the route of a packet does not depend on the others"},
    {"nonrepeating", NP_FIELD_OBJECT, .get = get_nonrepeating, .fields = &nonrepeating_fields,
     .help = "routes that meet and part do not meet again"},
    {"symmetric", NP_FIELD_OBJECT, .get = get_symmetric, .fields = &symmetric_fields,
     .help = "all links expect the same traffic"},
};

static const np_fields phase_fields = NP_FIELDS("check_phase", "a phase", view, phase_rows);

/* ---- The whole ---- */

static void get_phase(np_value *list, size_t i, np_value *item)
{
    const np_check_scheme_result *r = list->object;
    np_value_hold(item, &(view){r->network, &r->phase[i]}, sizeof(view));
}

static void get_phases(const void *object, np_value *value)
{
    value->object = object;
    value->count = ((const np_check_scheme_result *)object)->phases;
    value->item = get_phase;
}

static const np_field result_rows[] = {
    {"seed", NP_FIELD_U64, offsetof(np_check_scheme_result, seed), .help = "where all random choices come from"},
    {"network", NP_FIELD_OBJECT, offsetof(np_check_scheme_result, network), .flags = NP_FIELD_BEHIND,
     .fields = &np_network_fields, .help = "the network"},
    {"scheme", NP_FIELD_TEXT, offsetof(np_check_scheme_result, scheme),
     .help = "the scheme; also if chosen by default"},
    {"paths", NP_FIELD_TEXT, offsetof(np_check_scheme_result, paths), .help = "the path rule, likewise"},
    {"uniform", NP_FIELD_BOOL, offsetof(np_check_scheme_result, uniform),
     .help =
         "two phases with a uniformly random node between, so that nothing depends on the permutation; else traffic "
         "is that of one random permutation"},
    {"fails", NP_FIELD_BOOL, offsetof(np_check_scheme_result, fails),
     .help = "some property of some phase does not hold, and the exit status is 1"},
    {"phases", NP_FIELD_LIST, .get = get_phases, .fields = &phase_fields, .help = "an object for each phase"},
};

const np_fields np_check_scheme_result_fields =
    NP_FIELDS("check_scheme_result", "a check", np_check_scheme_result, result_rows);

/* ---- The permutation that defeats a rule ---- */

static void get_chosen(const void *object, np_value *value)
{
    const np_defeat *r = object;
    const link made = link_of(r->network, r->link, 0);
    np_value_hold(value, &made, sizeof made);
}

static const np_field defeat_rows[] = {
    {"seed", NP_FIELD_U64, offsetof(np_defeat, seed), .help = "where all random choices come from"},
    {"network", NP_FIELD_OBJECT, offsetof(np_defeat, network), .flags = NP_FIELD_BEHIND, .fields = &np_network_fields,
     .help = "the network"},
    {"paths", NP_FIELD_TEXT, offsetof(np_defeat, paths), .help = "the path rule; also if chosen by default"},
    {"degree", NP_FIELD_U32, offsetof(np_defeat, degree), .help = "most links that lead to a node"},
    {"bound", NP_FIELD_U32, offsetof(np_defeat, bound), .unit = "packets",
     .help = "over one link, for some permutation and any such rule: the theorem"},
    {"destinations", NP_FIELD_U32, offsetof(np_defeat, destinations), .unit = "nodes",
     .help = "whose paths were followed to choose the link; fewer than the nodes: a sample"},
    {"exhaustive", NP_FIELD_BOOL, offsetof(np_defeat, exhaustive),
     .help = "all paths were followed, and all sources of the link were tried"},
    {"link", NP_FIELD_OBJECT, .get = get_chosen, .fields = &link_fields, .help = "the link that is chosen"},
    {"crossing", NP_FIELD_U32, offsetof(np_defeat, crossing), .unit = "packets",
     .help = "matched so that they cross this link; other packets may cross it too"},
    {"packets", NP_FIELD_U32, offsetof(np_defeat, packets), .unit = "packets", .help = "of the permutation"},
    {"steps", NP_FIELD_SUMMARY, offsetof(np_defeat, steps), .flags = NP_FIELD_WHOLE, .unit = "steps",
     .help = "of the scheme `greedy` with these paths, on this permutation"},
    {"two_phase_steps", NP_FIELD_SUMMARY, offsetof(np_defeat, two_phase_steps), .flags = NP_FIELD_WHOLE,
     .unit = "steps", .help = "of the scheme `valiant` with these paths, on this permutation"},
};

const np_fields np_defeat_fields = NP_FIELDS("defeat", "a permutation that defeats", np_defeat, defeat_rows);
