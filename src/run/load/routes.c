/*
 * What `scheme` and `paths` mean under load: a list of path rules, a curve each, and the model that has them all.
 *
 * A scheme of load is one whose packets need not know of each other: each goes when it is created, straight to its
 * destination or, without waiting for others, by way of a random terminal. What decides for a whole batch, or waits
 * for the end of a phase, has no meaning here. Adaptive routes have no other name than their rule, which stands for a
 * scheme.
 */
#include <string.h>

#include "base/memory.h"
#include "base/parse.h"
#include "base/room.h"
#include "model/relation/rule.h"
#include "run/load/load.h"
#include "run/route/scheme.h"

/* Rules with commas between them, and the model that has those so far. */
typedef struct list {
    char *text; /* NULL: empty */
    size_t length, room;
    const char *model; /* that was asked for; NULL: none */
    bool adaptive;     /* a rule is one of adaptive routes */
} list;

np_status np_load_entry(const char *text, size_t i, char **out)
{
    size_t length = np_parse_entry(text);
    *out = NULL;
    for (; i > 0 && text[length]; i--) {
        text += length + 1;
        length = np_parse_entry(text);
    }
    if (i > 0)
        return NP_OK;
    np_status st = np_memory_array(out, length + 1, 1, "an entry of a list");
    if (!st) {
        memcpy(*out, text, length);
        (*out)[length] = '\0';
    }
    return st;
}

/* Is it a rule of routes hop by hop that is no path rule, as "ugal-l:3" is? */
static bool is_adaptive(const char *rule)
{
    const void *found;
    return np_registry_find_spec(&np_path_rules, rule, &found) && !np_registry_find_spec(&np_relations, rule, &found) &&
           strcmp(((const np_relation_rule *)found)->info.name, np_relation_valiant.info.name) != 0;
}

static np_status append(list *l, const char *text)
{
    size_t length = strlen(text);
    np_status st = np_memory_need(&l->text, l->length, l->length + length + 1, &l->room, 1, "path rules");
    if (st)
        return st;
    memcpy(l->text + l->length, text, length + 1);
    l->length += length;
    return NP_OK;
}

/* via: "valiant" or "". */
static np_status append_rule(list *l, const char *via, const char *rule)
{
    bool adaptive = is_adaptive(rule), says = *via && !strcmp(rule, "greedy"); /* "valiant" alone says it */
    const char *const part[] = {l->length ? "," : "", via, *via && !says ? ":" : "", says ? "" : rule};
    if (adaptive && l->model && !strcmp(l->model, np_open_steps.info.name))
        return NP_RAISE(NP_ERROR_INPUT,
                        "routes '%.40s' are for model flits: in steps there are no buffers to choose by", rule);
    l->adaptive |= adaptive;
    np_status st = NP_OK;
    for (size_t i = 0; i < sizeof part / sizeof *part && !st; i++)
        st = append(l, part[i]);
    return st;
}

static np_status refuse_paths(const char *scheme, const char *paths)
{
    return NP_RAISE(NP_ERROR_INPUT, "scheme %.40s has paths of its own, and cannot go by '%.80s': leave one of the two",
                    scheme, paths);
}

/* Each of `paths`, by way of `via`. */
static np_status append_paths(const char *paths, const char *via, bool schemes, list *l)
{
    np_status st;
    char *rule;
    for (size_t i = 0; !(st = np_load_entry(paths, i, &rule)) && rule; i++) {
        st = schemes && is_adaptive(rule)
                 ? NP_RAISE(NP_ERROR_INPUT, "paths '%.40s' are a scheme of their own: --scheme %.40s alone", rule, rule)
                 : append_rule(l, via, rule);
        np_memory_free(rule);
        if (st)
            break;
    }
    return st;
}

/* The rules of a scheme: each of `paths`, or its own. */
static np_status append_scheme(const np_network *network, const char *name, const char *paths, list *l)
{
    const np_scheme *scheme;
    bool chosen = strcmp(paths, "greedy") != 0;
    if (is_adaptive(name))
        return chosen ? refuse_paths(name, paths) : append_rule(l, "", name);
    np_status st = np_scheme_find(name, &scheme);
    if (st || (st = np_scheme_applies(name, network)))
        return st;
    bool uniform = scheme->queueing && scheme->queueing->uniform;
    if (scheme != &np_scheme_greedy && !uniform)
        return NP_RAISE(NP_ERROR_APPLY,
                        "scheme '%s' has no meaning under load, where packets are created one by one: take greedy, "
                        "valiant or adaptive routes such as ugal-l",
                        name);
    const char *via = uniform ? "valiant" : "", *own = scheme->queueing->paths;
    if (own)
        return chosen ? refuse_paths(name, paths) : append_rule(l, via, own);
    return append_paths(paths, via, true, l);
}

static np_status append_schemes(const np_network *network, const char *schemes, const char *paths, list *l)
{
    np_status st;
    char *name;
    for (size_t i = 0; !(st = np_load_entry(schemes, i, &name)) && name; i++) {
        st = append_scheme(network, name, paths, l);
        np_memory_free(name);
        if (st)
            break;
    }
    return st;
}

np_status np_load_routes(const np_network *network, np_load_options *o, char **paths)
{
    list l = {.model = o->model};
    np_status st = o->scheme ? append_schemes(network, o->scheme, o->paths, &l) : append_paths(o->paths, "", false, &l);
    *paths = l.text;
    o->paths = l.text;
    if (!o->model)
        o->model = l.adaptive ? np_open_flits.info.name : np_open_steps.info.name;
    return st;
}
