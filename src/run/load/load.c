/* np_load: options are read, and each path rule becomes a curve. */
#include <math.h>
#include <string.h>

#include "base/account.h"
#include "base/clock.h"
#include "base/decimal.h"
#include "base/memory.h"
#include "model/network/attributes.h"
#include "base/parse.h"
#include "base/room.h"
#include "base/threads.h"
#include "engine/schedule/queues.h"
#include "model/relation/cables.h"
#include "model/traffic/trace.h"
#include "run/load/load.h"
#include "verdict/dependency/deadlock.h"
#include "verdict/throughput/own_paths.h"

/* The result, with what it points to. */
typedef struct made {
    np_load_result result; /* first: the caller's pointer is this one */
    np_load_options options;
    char *traffic, *routes, *text[8]; /* copies of the options' texts, and the rules that they mean */
    np_load_made *curve;
    np_load_curve *curves;
    np_load_use *use;
} made;

/* ---- Lists ---- */

enum { WINDOW_MOST = 1024 /* ours */ };

static np_status read_number(const char *entry, bool windows, double *out)
{
    uint64_t value;
    bool good = windows ? np_parse_whole(entry, 1, WINDOW_MOST, &value) : np_parse_decimal(entry, &value) && value > 0;
    if (good)
        *out = windows ? (double)value : (double)value / 1e9;
    if (!good && windows)
        return NP_RAISE(NP_ERROR_INPUT, "window '%.40s': write whole numbers, 1..%d, as in 1,2,4", entry, WINDOW_MOST);
    return good ? NP_OK
                : NP_RAISE(NP_ERROR_INPUT,
                           "loads '%.40s': write numbers above 0 with at most nine decimals, as in 0.1,0.2", entry);
}

/* "0.1,0.2": ascending. */
static np_status read_list(const char *list, bool windows, size_t *count, double **load)
{
    size_t room = 0;
    np_status st = NP_OK;
    char *entry;
    *count = 0;
    *load = NULL;
    for (size_t i = 0; list && !(st = np_load_entry(list, i, &entry)) && entry; i++) {
        double value = 0;
        st = read_number(entry, windows, &value);
        np_memory_free(entry);
        if (st || (st = np_memory_room(load, *count, &room, sizeof **load, "loads")))
            return st;
        (*load)[*count] = value;
        if (i && (*load)[i] <= (*load)[i - 1])
            return NP_RAISE(NP_ERROR_INPUT, "%s '%.40s': write them in ascending order, each once",
                            windows ? "window" : "loads", list);
        ++*count;
    }
    return st;
}

/* ---- A curve ---- */

/* Does each host send to the routers that send to it? Then it does not matter whether packets turn there or at it. */
static bool turns_at_routers(const np_cables *cables)
{
    bool same = cables->entries == cables->exits;
    for (np_node t = 0; t <= cables->terminals && same; t++)
        same = cables->first_entry[t] == cables->first_exit[t];
    for (uint32_t i = 0; i < cables->entries && same; i++)
        same = cables->entry[i].router == cables->exit[i].router;
    return same;
}

/*
 * Where hosts have several cables, the path rule of the same name may have other routes, since for path rules hosts are
 * nodes by which others may go. In planes that are alike such a route is longer; and a cable is drawn as the first hop
 * of `spray` is. By valiant paths go by way of a host, whose cables are of the planes as often.
 */
static bool draws_as_path(const np_cables *cables, const char *rule, bool valiant)
{
    return (!cables->several || (cables->alike && strcmp(rule, "shortest") != 0)) &&
           (!valiant || turns_at_routers(cables));
}

static np_status refuse_deadlock(const np_loading *l)
{
    np_deadlock *deadlock;
    np_status st = np_deadlock_of(l->relation, l->options->channels, &l->options->watch, &deadlock);
    if (!st)
        st = np_deadlock_refuse(deadlock);
    np_deadlock_free(deadlock);
    return st;
}

/*
 * Routes of model flits: a relation without deadlock. Where it is a path rule, too, its loads are known: they are those
 * that fill links.
 */
static np_status bind_relation(np_loading *l, const char *spec, np_load_made *m)
{
    const char *rule;
    np_status st = np_relation_create(spec, l->network, &l->relation);
    if (!st && l->options->channels < np_relation_classes(l->relation))
        st = NP_RAISE(NP_ERROR_INPUT, "channels is %u: %s needs at least %u", l->options->channels,
                      np_relation_name(l->relation), np_relation_classes(l->relation));
    if (st || (!l->options->may_deadlock && (st = refuse_deadlock(l))))
        return st;
    if (!(m->paths = np_memory_text(np_relation_name(l->relation))))
        return np_status_last();
    l->rule = rule = m->curve.paths = m->paths;
    l->open.relation = l->relation;
    l->valiant = np_own_paths_take_valiant(&rule);
    if (!strcmp(rule, "up-down")) { /* its draws are those of spray */
        rule = "spray";
        l->rule = l->valiant ? "valiant:spray" : rule;
    }
    if ((l->valiant && np_own_paths_refuse_valiant(l->network)) ||
        !draws_as_path(np_relation_cables(l->relation), rule, l->valiant) || np_path_create(rule, l->network, &l->path))
        l->path = NULL;
    return NP_OK;
}

static np_status bind_path(np_loading *l, const char *spec, np_load_made *m)
{
    l->rule = spec;
    l->valiant = l->open.via_random = np_own_paths_take_valiant(&spec);
    np_status st = l->valiant ? np_own_paths_refuse_valiant(l->network) : NP_OK;
    if (st || (st = np_path_create(spec, l->network, &l->path)) ||
        (st = np_own_paths_name(l->path, l->valiant, &m->paths)))
        return st;
    l->open.path = l->path;
    m->curve.paths = m->paths;
    return NP_OK;
}

static np_status bind(np_loading *l, const char *spec, np_load_made *m)
{
    return l->model == &np_open_flits ? bind_relation(l, spec, m) : bind_path(l, spec, m);
}

static void unbind(np_loading *l)
{
    np_path_free(l->path);
    np_relation_free(l->relation);
    l->path = NULL;
    l->relation = NULL;
}

/* Of several rules, each applies: before the curve of the first one is measured. */
static np_status check_paths(np_loading *l, const char *paths, size_t count)
{
    np_status st = NP_OK;
    char *spec;
    for (size_t i = 0; i < count && count > 1 && !st; i++) {
        np_load_made nothing = {.paths = NULL};
        if ((st = np_load_entry(paths, i, &spec)))
            break;
        st = bind(l, spec, &nothing);
        unbind(l);
        NP_MEMORY_FREE(nothing.paths, spec);
    }
    return st;
}

static np_status begin_links(const np_loading *l, np_load_made *m)
{
    return !l->options->links_file && !l->options->keep_links
               ? NP_OK
               : np_memory_zeroed(&m->links.flits, np_network_link_numbers(l->network) + 1, sizeof *m->links.flits,
                                  "what links carry");
}

/* Where it is not known, as of adaptive routes, links with delays of their own say about how long a way is. */
static double unloaded_of(const np_loading *l, double about)
{
    double most = 0;
    if (!isnan(about))
        return about;
    for (np_link e = 0; l->open.link_delays && e < np_network_link_numbers(l->network); e++)
        most = l->open.link_delays[e] > most ? l->open.link_delays[e] : most;
    return 2 * most;
}

static np_status make_curve(np_loading *l, const char *spec, size_t loads, const double *load, np_load_made *m)
{
    np_status st;
    double about;
    if (!(st = bind(l, spec, m)) && !(st = begin_links(l, m)) && !(st = np_load_ideal(l, &m->curve, &about))) {
        l->unloaded = unloaded_of(l, about);
        st = np_load_measure(l, loads, load, m);
    }
    if (!st && l->options->bound)
        st = np_load_theorems(l, m);
    unbind(l);
    return st;
}

static np_load_use use_of(const np_load_links *links)
{
    return (np_load_use){links->offered, (uint64_t)(links->end - links->begin), links->flits};
}

static np_status make_curves(np_loading *l, made *m)
{
    const char *paths = m->options.paths;
    size_t loads, count = 1;
    double *load = NULL;
    char *spec;
    const char *windows = m->options.window;
    np_status st = read_list(windows ? windows : m->options.loads, windows != NULL, &loads, &load);
    for (const char *at = paths; at[np_parse_entry(at)]; at += np_parse_entry(at) + 1)
        count++;
    if (st || (st = check_paths(l, paths, count)) ||
        (st = np_memory_zeroed(&m->curve, count, sizeof *m->curve, "curves")) ||
        (st = np_memory_zeroed(&m->curves, count, sizeof *m->curves, "curves")) ||
        (m->options.keep_links && (st = np_memory_zeroed(&m->use, count, sizeof *m->use, "curves"))))
        goto out;
    m->result.curve = m->curves;
    m->result.use = m->use;
    for (size_t i = 0; i < count && !st; i++) {
        l->from = (double)i / (double)count;
        l->to = (double)(i + 1) / (double)count;
        m->result.curves = i + 1;
        if ((st = np_load_entry(paths, i, &spec)))
            break;
        st = make_curve(l, spec, loads, load, &m->curve[i]);
        m->curves[i] = m->curve[i].curve;
        if (m->use)
            m->use[i] = use_of(&m->curve[i].links);
        np_memory_free(spec);
    }
    if (!st && m->options.links_file)
        st = np_load_write_links(l->network, count, m->curve, m->options.links_file);
out:
    np_memory_free(load);
    return st;
}

/* ---- The call ---- */

/* NP_ERROR_INPUT for an option of another model that is not at its default. */
static np_status heeds(const char *model, const char *option)
{
    const np_field *row = np_fields_find(&np_load_options_fields, option);
    if (!row || !row->only || !strcmp(row->only, model))
        return NP_OK;
    return NP_RAISE(NP_ERROR_INPUT, "is for model %s, not for %s", row->only, model);
}

/* Options that say how packets are created over time, or what is known of them: not for those who create them else. */
static np_status heeds_creation(const char *who, const char *option)
{
    static const char *const both[] = {"loads",        "from",  "to",           "resolution", "arrivals",
                                       "packet_flits", "bound", "source_flits", NULL},
                             *const traces[] = {"precision", "cycles", "window", NULL};
    bool trace = !strcmp(who, "a trace"), refused = false;
    for (size_t i = 0; both[i]; i++)
        refused |= !strcmp(option, both[i]);
    for (size_t i = 0; trace && traces[i]; i++)
        refused |= !strcmp(option, traces[i]);
    return refused ? NP_RAISE(NP_ERROR_INPUT, "has no meaning with %s", who) : NP_OK;
}

static np_status check_creation(const char *traffic, const np_load_options *o)
{
    const char *who = np_trace_file(traffic) ? "a trace" : o->window ? "a window" : NULL;
    return who ? np_options_heeded(&np_load_options_fields, o, who, heeds_creation) : NP_OK;
}

/* Who observes sees one point. */
static np_status check_observer(const char *traffic, const np_load_options *o)
{
    bool one = np_trace_file(traffic) || (o->loads && !o->loads[np_parse_entry(o->loads)]);
    if (!o->observer && o->trace_cycles)
        return NP_RAISE(NP_ERROR_INPUT, "trace-cycles has no meaning without a trace");
    if (!o->observer)
        return NP_OK;
    if (o->window)
        return NP_RAISE(NP_ERROR_INPUT, "trace: requests and replies are not traced");
    if (o->source_flits)
        return NP_RAISE(NP_ERROR_INPUT,
                        "trace: a run whose sources refuse packets is not traced: leave out source-flits");
    if (!one || o->paths[np_parse_entry(o->paths)])
        return NP_RAISE(NP_ERROR_INPUT, "trace: one load of one path rule is traced: name it, as in loads 0.2");
    if (!np_trace_file(traffic) && o->trace_cycles > NP_MEASURE_LONGEST * o->cycles)
        return NP_RAISE(
            NP_ERROR_INPUT,
            "trace: it would have %u cycles, and with cycles %llu the run is over after %llu at the latest: "
            "trace earlier ones",
            o->trace_cycles, (unsigned long long)o->cycles, (unsigned long long)(NP_MEASURE_LONGEST * o->cycles));
    return NP_OK;
}

static np_status keep_texts(made *m)
{
    const char **text[] = {&m->options.model,        &m->options.scheme, &m->options.loads, &m->options.arrivals,
                           &m->options.packet_flits, &m->options.queue,  &m->options.window};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        if (*text[i] && !(*text[i] = m->text[i] = np_memory_text(*text[i])))
            return np_status_last();
    return NP_OK;
}

static np_status play(const np_network *network, const char *traffic, made *m)
{
    const np_load_options *o = &m->options;
    const np_arrivals_options arrivals = {traffic, o->arrivals, 0, o->packet_flits, o->seed, 0};
    unsigned as = (strcmp(o->model, "steps") ? 0 : NP_ARRIVALS_SINGLE) | (o->window ? NP_ARRIVALS_ALIKE : 0);
    np_loading l = {.network = network, .traffic = traffic, .options = o};
    np_arrivals *drawn = NULL;
    uint16_t *delays = NULL;
    np_status st;
    if (!(o->to >= o->from))
        return NP_RAISE(NP_ERROR_INPUT, "loads from %s to %s: the first must not be above the last",
                        NP_REAL(o->from, 6), NP_REAL(o->to, 6));
    l.open = (np_open_options){.network = network,
                               .draws = {.seed = o->seed},
                               .channels = o->channels,
                               .buffer_flits = o->buffer_flits,
                               .routing_delay = o->routing_delay,
                               .allocation_delay = o->allocation_delay,
                               .switch_delay = o->switch_delay,
                               .crossbar_delay = o->crossbar_delay,
                               .link_delay = o->link_delay,
                               .credit_delay = o->credit_delay,
                               .cut_through = o->cut_through,
                               .source_flits = o->source_flits,
                               .input_speedup = o->input_speedup,
                               .internal_speedup = o->internal_speedup};
    if ((st = np_open_model_find(o->model, &l.model)) || (st = np_discipline_find(o->queue, &l.open.discipline)) ||
        (st = np_threads_choose(o->observer ? 1 : o->threads, 64, &l.threads)) ||
        (st = np_arrivals_create_as(network, &arrivals, as, &drawn)))
        return st;
    l.arrivals = drawn;
    l.open.book = o->observer ? &l.book : NULL;
    bool steps = !strcmp(o->model, "steps");
    if (!(st = np_attributes_heeded(network, o->model, NP_HEEDS_DELAYS | (steps ? NP_HEEDS_COSTS : 0))) &&
        !(st = np_attributes_heeded(network, "bound", o->bound && steps ? 0 : NP_HEEDS_DELAYS | NP_HEEDS_COSTS)) &&
        !(st = np_attributes_heeded(network, "trace",
                                    o->observer && steps ? NP_HEEDS_COSTS : NP_HEEDS_DELAYS | NP_HEEDS_COSTS)) &&
        !(st = np_attributes_delays(network, "cycles", steps, &delays))) {
        l.open.link_delays = delays;
        st = make_curves(&l, m);
    }
    np_memory_free(delays);
    np_arrivals_free(drawn);
    return st;
}

np_status np_load(const np_network *network, const char *traffic, const np_load_options *options, np_load_result **out)
{
    double began = np_clock_seconds();
    np_load_options full;
    char *routes = NULL;
    made *m;
    *out = NULL;
    np_status st = np_options_take(&np_load_options_fields, options, &full);
    if (st)
        return st;
    NP_ACCOUNT(full.memory_limit, "a smaller network or fewer --threads");
    if ((st = np_load_routes(network, &full, &routes)) ||
        (st = np_options_heeded(&np_load_options_fields, &full, full.model, heeds)) ||
        (st = check_creation(traffic, &full)) || (st = check_observer(traffic, &full)) ||
        (st = np_memory_zeroed(&m, 1, sizeof *m, "a load"))) {
        np_memory_free(routes);
        return st;
    }
    m->options = full;
    m->routes = routes;
    m->result = (np_load_result){.network = network};
    if (!(m->traffic = np_memory_text(traffic)))
        st = np_status_last();
    m->result.traffic = m->traffic;
    if (!st && !(st = keep_texts(m)))
        st = play(network, traffic, m);
    m->result.options = m->options;
    if (np_trace_file(traffic))
        m->result.options.arrivals = NULL;
    m->result.wall_seconds = np_clock_seconds() - began;
    if (st)
        np_load_free(&m->result);
    else
        *out = &m->result;
    return st;
}

void np_load_free(np_load_result *result)
{
    made *m = (made *)result;
    if (!m)
        return;
    for (size_t i = 0; i < m->result.curves; i++)
        NP_MEMORY_FREE(m->curve[i].paths, m->curve[i].points, m->curve[i].theorem, m->curve[i].value,
                       m->curve[i].links.flits);
    for (size_t i = 0; i < sizeof m->text / sizeof *m->text; i++)
        np_memory_free(m->text[i]);
    NP_MEMORY_FREE(m->curve, m->curves, m->use, m->traffic, m->routes, m);
}
