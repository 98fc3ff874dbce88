/* The JSON of a collective operation: docs/json.md describes it. */
#include "report/collective.h"
#include "report/json.h"

static json_t *figure_json(const np_collective_figure *figure)
{
    json_t *object = json_object();
    np_json_set(&object, "rounds", np_json_whole(figure->rounds));
    np_json_set(&object, "steps", np_json_whole(figure->steps));
    np_json_set(&object, "cost", np_json_real(figure->cost));
    np_json_set(&object, "text", np_json_text(figure->text));
    return object;
}

static json_t *candidates_json(const np_report_collective_options *more)
{
    np_collective_candidate candidate[NP_COLLECTIVE_MODELS];
    json_t *array = json_array();
    np_collective_compare(more->models, more->model, more->collective, candidate);
    for (size_t i = 0; i < more->models; i++) {
        json_t *object = json_object();
        np_json_set(&object, "algorithm", np_json_text(candidate[i].algorithm));
        np_json_set(&object, "flits", candidate[i].flits ? np_json_whole(candidate[i].flits) : json_null());
        np_json_set(&object, "rounds", np_json_whole(candidate[i].rounds));
        np_json_set(&object, "steps", np_json_whole(candidate[i].steps));
        np_json_set(&object, "cost", np_json_real(candidate[i].cost));
        np_json_append(&array, object);
    }
    return array;
}

static json_t *wins_json(const np_report_collective_options *more)
{
    np_collective_win win[NP_COLLECTIVE_WINS];
    size_t wins = np_collective_wins(more->models, more->model, more->collective, win);
    json_t *array = json_array();
    for (size_t i = 0; i < wins; i++) {
        json_t *object = json_object();
        np_json_set(&object, "algorithm", np_json_text(win[i].algorithm));
        np_json_set(&object, "from", np_json_whole((uint64_t)win[i].from));
        np_json_set(&object, "to", np_json_whole((uint64_t)win[i].to));
        np_json_append(&array, object);
    }
    return array;
}

/* A list of messages for each round. */
static json_t *round_json(const np_network *network, const np_collective_schedule *s, size_t round)
{
    json_t *array = json_array();
    for (size_t i = s->first[round], end; i < s->first[round + 1]; i = end) {
        json_t *message = json_object(), *packets = json_array();
        for (end = i; end < s->first[round + 1] && s->link[end] == s->link[i]; end++)
            np_json_append(&packets, np_json_whole(s->piece[end]));
        np_json_set(&message, "from", np_json_whole(np_network_link_tail(network, s->link[i])));
        np_json_set(&message, "to", np_json_whole(np_network_link_head(network, s->link[i])));
        np_json_set(&message, "packets", packets);
        np_json_append(&array, message);
    }
    return array;
}

static json_t *schedule_json(const np_network *network, const np_collective_schedule *schedule)
{
    json_t *array = json_array();
    for (size_t i = 0; i < schedule->rounds; i++)
        np_json_append(&array, round_json(network, schedule, i));
    return array;
}

static void subject_json(const np_collective_result *r, json_t **object)
{
    np_json_set(object, "network", np_json_text(r->network));
    np_json_set(object, "nodes", np_json_whole(r->nodes));
    np_json_set(object, "operation", np_json_text(r->operation));
    np_json_set(object, "algorithm", np_json_text(r->algorithm));
    np_json_set(object, "ports", np_json_text(r->ports));
    np_json_set(object, "root", r->rooted ? np_json_whole(r->root) : json_null());
    np_json_set(object, "traffic", r->traffic ? np_json_text(r->traffic) : json_null());
    np_json_set(object, "seed", np_json_whole(r->seed));
    np_json_set(object, "packets", np_json_whole(r->packets));
    np_json_set(object, "size", np_json_real(r->size));
    np_json_set(object, "flits", r->flits ? np_json_whole(r->flits) : json_null());
    np_json_set(object, "cv", np_json_real(r->cv));
    np_json_set(object, "ca", np_json_real(r->ca));
}

np_status np_report_collective_json(const np_network *network, const np_collective_result *result,
                                    const np_report_collective_options *more, const np_report_options *options,
                                    FILE *stream)
{
    const np_collective_result *r = result;
    json_t *object = np_json_head(options->command);
    subject_json(r, &object);
    np_json_set(&object, "rounds", np_json_whole(r->rounds));
    np_json_set(&object, "steps", np_json_whole(r->steps));
    np_json_set(&object, "transfers", np_json_whole(r->transfers));
    np_json_set(&object, "cost", np_json_real(r->cost));
    np_json_set(&object, "formula", r->has_formula ? figure_json(&r->formula) : json_null());
    np_json_set(&object, "lower_bound", np_json_whole(r->bound_of_rounds ? r->bound.rounds : r->bound.steps));
    np_json_set(&object, "lower_bound_of", np_json_text(r->bound_of_rounds ? "rounds" : "steps"));
    np_json_set(&object, "lower_bounds", figure_json(&r->bound));
    np_json_set(&object, "optimal", r->searched ? json_boolean(r->optimal) : json_null());
    np_json_set(&object, "complete", json_true());
    np_json_set(&object, "candidates", more->models ? candidates_json(more) : json_null());
    np_json_set(&object, "wins", more->models ? wins_json(more) : json_null());
    np_json_set(&object, "schedule", more->show && r->schedule ? schedule_json(network, r->schedule) : json_null());
    np_json_set(&object, "wall_seconds", np_json_real(r->wall_seconds));
    return np_json_print(object, 2, stream);
}
