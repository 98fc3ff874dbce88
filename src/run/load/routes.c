/*
 * What `scheme` and `paths` mean under load: a list of path rules, a curve each, and the model that has them all.
 *
 * A scheme of load is one whose packets need not know of each other: each goes when it is created, straight to its
 * destination or, without waiting for others, by way of a random terminal. What decides for a whole batch, or waits
 * for the end of a phase, has no meaning here. Adaptive routes have no other name than their rule, which stands for a
 * scheme.
 */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/parse.h"
#include "base/room.h"
#include "model/relation/rule.h"
#include "run/load/load.h"
#include "run/route/scheme.h"

extern const np_scheme np_scheme_greedy;
extern const np_registry np_relations;

typedef struct list {
    char *text; /* NULL: empty */
    size_t length, room;
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

static np_status append(list *l, const char *text)
{
    np_status st = NP_OK;
    for (bool end = false; !end && !st; text++) {
        end = !*text;
        if (!(st = np_memory_room(&l->text, l->length, &l->room, 1, "path rules")))
            l->text[l->length] = *text;
        l->length += !st && !end;
    }
    return st;
}

static np_status append_rule(list *l, const char *via, const char *rule)
{
    np_status st = l->length ? append(l, ",") : NP_OK;
    bool greedy = *via && !strcmp(rule, "greedy"); /* "valiant" says it */
    if (!st && *via)
        st = append(l, via);
    if (!st && *via && !greedy)
        st = append(l, ":");
    return st || greedy ? st : append(l, rule);
}

/* Is it a rule of routes hop by hop that is no path rule, as "ugal-l:3" is? */
static bool is_adaptive(const char *rule)
{
    const void *found;
    return np_registry_find_spec(&np_path_rules, rule, &found) && !np_registry_find_spec(&np_relations, rule, &found) &&
           strcmp(((const np_relation_rule *)found)->info.name, np_relation_valiant.info.name) != 0;
}

static np_status refuse_paths(const char *scheme, const char *paths)
{
    return NP_RAISE(NP_ERROR_INPUT, "scheme %.40s has paths of its own, and cannot go by '%.80s': leave one of the two",
                    scheme, paths);
}

/* The rules of a scheme: each of `paths`, or its own. */
static np_status append_scheme(const np_network *network, const char *name, const char *paths, list *l)
{
    const np_scheme *scheme;
    const char *via = "";
    bool own = is_adaptive(name), chosen = strcmp(paths, "greedy") != 0;
    if (own)
        return chosen ? refuse_paths(name, paths) : append_rule(l, "", name);
    np_status st = np_scheme_find(name, &scheme);
    if (st || (st = np_scheme_applies(name, network)))
        return st;
    if (scheme != &np_scheme_greedy && !(scheme->queueing && scheme->queueing->uniform))
        return NP_RAISE(NP_ERROR_APPLY,
                        "scheme '%s' has no meaning under load, where packets are created one by one: take greedy, "
                        "valiant or adaptive routes such as ugal-l",
                        name);
    if (scheme->queueing->uniform)
        via = "valiant";
    if (scheme->queueing->paths)
        return chosen ? refuse_paths(name, paths) : append_rule(l, via, scheme->queueing->paths);
    char *rule;
    for (size_t i = 0; !(st = np_load_entry(paths, i, &rule)) && rule; i++) {
        st = is_adaptive(rule)
                 ? NP_RAISE(NP_ERROR_INPUT, "paths '%.40s' are a scheme of their own: --scheme %.40s alone", rule, rule)
                 : append_rule(l, via, rule);
        np_memory_free(rule);
        if (st)
            break;
    }
    return st;
}

np_status np_load_routes(const np_network *network, np_load_options *o, char **paths)
{
    list l = {NULL};
    char *entry;
    np_status st = NP_OK;
    bool adaptive = false;
    for (size_t i = 0; o->scheme && !(st = np_load_entry(o->scheme, i, &entry)) && entry; i++) {
        st = append_scheme(network, entry, o->paths, &l);
        np_memory_free(entry);
        if (st)
            break;
    }
    if (!st && !o->scheme)
        st = append(&l, o->paths);
    for (size_t i = 0; !st && !(st = np_load_entry(l.text, i, &entry)) && entry; i++) {
        adaptive |= is_adaptive(entry);
        if (adaptive && o->model && !strcmp(o->model, np_open_steps.info.name))
            st = NP_RAISE(NP_ERROR_INPUT,
                          "routes '%.40s' are for model flits: in steps there are no buffers to choose by", entry);
        np_memory_free(entry);
        if (st)
            break;
    }
    *paths = l.text;
    o->paths = l.text;
    if (!o->model)
        o->model = adaptive ? np_open_flits.info.name : np_open_steps.info.name;
    return st;
}
