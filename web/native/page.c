/*
 * What the page asks of the library, as functions that JavaScript can call: the lists, a network and its drawing, and
 * one observed run of `route`, `sort`, `collective` or `load`. All above is done by public headers.
 *
 * A function takes texts, and gives a text of JSON, which lasts until the next call. Arrays are not copied into the
 * text: it says their addresses, and the page reads them from the memory of the module. An error is {"error": "..."}.
 *
 * Values are written by the tables of fields, as `netpram --format json` writes them: the numbers of the page are those
 * of the command.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <emscripten.h>

#include "netpram/report.h"
#include "page.h"

enum { EVENTS_MAX = 4 << 20, WORDS = 8, NODES_MAX = 1 << 16, LINKS_MAX = 4 << 20 };

/* How far a run has come: told to the page, which sets the function where it runs the library in a worker. */
EM_JS(void, tell_progress, (double steps, double events, double share), {
    if (Module["onprogress"])
        Module["onprogress"](steps, events, share);
});

/* ---- Text that grows ---- */

static char *text;
static size_t length, room;

void page_say(const char *format, ...)
{
    va_list arguments;
    for (;;) {
        va_start(arguments, format);
        int more = vsnprintf(text + length, room - length, format, arguments);
        va_end(arguments);
        if ((size_t)more < room - length) {
            length += (size_t)more;
            return;
        }
        text = realloc(text, room = 2 * room + (size_t)more + 1);
    }
}

void page_begin(void)
{
    if (!text)
        text = malloc(room = 1 << 16);
    text[length = 0] = 0;
}

void page_say_characters(const char *s, size_t count)
{
    for (; count; s++, count--)
        if ((unsigned char)*s < ' ')
            page_say("\\u%04x", *s);
        else
            page_say(*s == '"' || *s == '\\' ? "\\%c" : "%c", *s);
}

void page_say_text(const char *s)
{
    if (!s) {
        page_say("null");
        return;
    }
    page_say("\"");
    page_say_characters(s, strlen(s));
    page_say("\"");
}

const char *page_text(void) { return text; }

const char *page_fail(void)
{
    page_begin();
    page_say("{\"error\": ");
    page_say_text(np_last_error());
    page_say("}");
    return text;
}

/* ---- Values by their tables ---- */

static void say_value(np_value *v)
{
    switch (v->kind) {
    case NP_VALUE_NULL:
        page_say("null");
        break;
    case NP_VALUE_BOOL:
        page_say(v->truth ? "true" : "false");
        break;
    case NP_VALUE_WHOLE:
        page_say("%llu", (unsigned long long)v->whole);
        break;
    case NP_VALUE_INTEGER:
        page_say("%lld", (long long)v->integer);
        break;
    case NP_VALUE_REAL:
        if (isfinite(v->real))
            page_say("%.17g", v->real); /* exact, as the command writes it */
        else
            page_say("null");
        break;
    case NP_VALUE_TEXT:
        page_say_text(v->text);
        break;
    case NP_VALUE_OBJECT:
        page_say_object(v->fields, v->object);
        break;
    case NP_VALUE_LIST:
        page_say("[");
        for (size_t i = 0; i < v->count; i++) {
            np_value item;
            np_value_item(v, i, &item);
            page_say(i ? ", " : "");
            say_value(&item);
        }
        page_say("]");
    }
}

/* A dot in a name stands for an object within the object: here the names keep their dots. */
static void say_members(const np_fields *fields, const void *object, bool *first)
{
    size_t at;
    const np_field *field;
    for (size_t i = 0; (field = np_fields_row(fields, i, &at)); i++) {
        np_value value;
        if (!np_field_get(field, (const char *)object + at, &value))
            continue;
        page_say(*first ? "" : ", ");
        *first = false;
        page_say_text(field->name);
        page_say(": ");
        say_value(&value);
    }
}

void page_say_object(const np_fields *fields, const void *object)
{
    bool first = true;
    page_say("{");
    say_members(fields, object, &first);
    page_say("}");
}

/* ---- Lists ---- */

/* The page plays programs that are texts. */
static bool is_played(np_list list, const char *name)
{
    np_script *script = NULL;
    bool played = list != NP_LIST_PROGRAMS || !np_script_library(name, &script);
    np_script_free(script);
    return played;
}

/* {"networks": [{"name", "help", "source", "parameters", "example", "takes"}, ...], ...} */
EMSCRIPTEN_KEEPALIVE const char *page_lists(void)
{
    page_begin();
    page_say("{");
    for (np_list list = 0; list < NP_LISTS; list++) {
        const np_entry *entry;
        const char *between = "";
        page_say(list ? ", " : "");
        page_say_text(np_list_name(list));
        page_say(": [");
        for (size_t i = 0; (entry = np_list_get(list, i)); i++) {
            if (!is_played(list, entry->name))
                continue;
            page_say("%s{\"name\": ", between);
            between = ", ";
            page_say_text(entry->name);
            page_say(", \"help\": ");
            page_say_text(entry->help);
            page_say(", \"source\": ");
            page_say_text(entry->source);
            page_say(", \"parameters\": ");
            page_say_text(entry->parameters);
            page_say(", \"example\": ");
            page_say_text(entry->example);
            page_say(", \"takes\": ");
            page_say_text(entry->takes);
            page_say("}");
        }
        page_say("]");
    }
    page_say(", \"operations\": [");
    /* Those from all-reduce on are of ranks: they have no events to play. */
    for (size_t i = 0; np_collective_operation(i) && strcmp(np_collective_operation(i), "all-reduce"); i++) {
        page_say(i ? ", " : "");
        page_say_text(np_collective_operation(i));
    }
    page_say("]}");
    return text;
}

/* ---- Networks ---- */

/*
 * The members of a network: what it is, where its nodes stand, and the ends of its links. Arrays last until released.
 */
static np_status say_network(const np_network *network, const char *drawing)
{
    np_node nodes = np_network_nodes(network);
    np_link numbers = np_network_link_numbers(network);
    np_point *place = malloc(nodes * sizeof *place);
    np_node *end = malloc(2 * (size_t)numbers * sizeof *end);
    np_network_facts facts;
    const char *used;
    np_status st = np_drawing_place(network, drawing && *drawing ? drawing : NULL, place, &used);
    if (!st)
        st = np_network_measure(network, nodes <= 4096 ? 10000000 : 0, &facts);
    if (st)
        return st;
    for (np_link l = 0; l < numbers; l++) {
        end[2 * l] = np_network_link_tail(network, l);
        end[2 * l + 1] = np_network_link_head(network, l);
    }
    bool first = false;
    page_say("{\"drawing\": ");
    page_say_text(used);
    page_say(", \"scheme\": ");
    page_say_text(np_scheme_default(network));
    page_say(", \"terminals\": %u, \"link_numbers\": %u, \"place\": %zu, \"ends\": %zu", np_network_terminals(network),
             numbers, (size_t)place, (size_t)end);
    say_members(&np_network_fields, network, &first);
    page_say(", \"facts\": {");
    first = true;
    say_members(&np_network_facts_fields, &facts, &first);
    if (facts.no_way_from != NP_NONE) {
        char name[NP_NAME_ROOM];
        page_say(", \"no_way\": [");
        page_say_text(np_network_node_name(network, facts.no_way_from, name));
        page_say(", ");
        page_say_text(np_network_node_name(network, facts.no_way_to, name));
        page_say("]");
    }
    page_say("}}");
    return NP_OK;
}

static np_status make(const char *spec, np_network **out)
{
    *out = NULL;
    np_status st = np_network_create(spec, out);
    if (st)
        return st;
    if (np_network_nodes(*out) > NODES_MAX)
        st = np_status_raise(NP_ERROR_LIMIT, "%s has %u nodes: the page takes at most %d, the command more", spec,
                             np_network_nodes(*out), NODES_MAX);
    else if (np_network_link_numbers(*out) > LINKS_MAX)
        st = np_status_raise(NP_ERROR_LIMIT, "%s has %u links: the page takes at most %d, the command more", spec,
                             np_network_link_numbers(*out), LINKS_MAX);
    if (st) {
        np_network_free(*out);
        *out = NULL;
    }
    return st;
}

EMSCRIPTEN_KEEPALIVE const char *page_network(const char *spec, const char *drawing)
{
    np_network *network;
    page_begin();
    np_status st = make(spec, &network);
    if (!st)
        st = say_network(network, drawing);
    np_network_free(network);
    return st ? page_fail() : text;
}

EMSCRIPTEN_KEEPALIVE void page_release(void *array) { free(array); }

static np_status takes_traffic(const np_network *network, const char *word)
{
    np_traffic *traffic = NULL;
    /* These two are permutations that are searched for, on large networks for long. */
    bool searches = !strcmp(word, "near-worst") || !strcmp(word, "longest-matching"),
         many = np_network_nodes(network) > 1024;
    const char *quick = !searches ? word : many ? "random" : "longest-matching";
    np_status st = np_traffic_create(quick, network, 1, 0, &traffic);
    np_traffic_free(traffic);
    return st;
}

static np_status takes_paths(const np_network *network, const char *word)
{
    np_path *path = NULL;
    np_status st = np_path_create(word, network, &path);
    np_path_free(path);
    return st;
}

enum { TRIED_NODES_MAX = 256 }; /* above, a load is not tried for each word: ours */

/* Paths of a load: a short one is tried, which has no deadlock in the channels that there are by default. */
static np_status takes_load(const np_network *network, const char *model, const char *word)
{
    np_load_options options;
    np_load_result *result = NULL;
    np_load_options_init(&options);
    options.model = model;
    options.paths = word;
    options.loads = "0.01";
    options.cycles = 1000;
    options.precision = 1;
    np_status st = np_load(network, "uniform", &options, &result);
    np_load_free(result);
    return st;
}

static np_status takes_steps(const np_network *network, const char *word)
{
    return np_network_nodes(network) > TRIED_NODES_MAX ? takes_paths(network, word)
                                                       : takes_load(network, "steps", word);
}

static np_status takes_flits(const np_network *network, const char *word)
{
    bool of_file = !strcmp(word, "file") || !strcmp(word, "forwarding");
    return of_file                                       ? NP_ERROR_INPUT
           : np_network_nodes(network) > TRIED_NODES_MAX ? NP_OK
                                                         : takes_load(network, "flits", word);
}

static np_status takes_drawing(const np_network *network, const char *word)
{
    np_point *place = malloc(np_network_nodes(network) * sizeof *place);
    np_status st = np_drawing_place(network, word, place, NULL);
    free(place);
    return st;
}

/* A verdict on paths knows the loads that they expect: a short one is tried, of which any flow will do. */
static np_status takes_reached(const np_network *network, const char *word)
{
    np_throughput_options options;
    np_throughput *result = NULL;
    np_traffic *traffic = NULL;
    np_throughput_options_init(&options);
    options.paths = word;
    options.gap = 1;
    options.iterations = 1;
    if (np_network_nodes(network) > TRIED_NODES_MAX)
        return strncmp(word, "valiant", strlen("valiant")) ? takes_paths(network, word) : NP_OK;
    np_status st = np_traffic_create("random", network, 1, 0, &traffic);
    if (!st)
        st = np_throughput_find(network, traffic, &options, &result);
    np_throughput_free(result);
    np_traffic_free(traffic);
    return st;
}

/* The fields of which the page asks what a network takes; "steps" and "flits" are the paths of a load, "reached" those
 * of a verdict. */
static const struct {
    const char *field;
    np_status (*takes)(const np_network *network, const char *word);
} fields[] = {{"traffic", takes_traffic}, {"paths", takes_paths}, {"reached", takes_reached},
              {"steps", takes_steps},     {"flits", takes_flits}, {"drawing", takes_drawing}};

/* Which of the words, one a line, the network takes in the field: [..] */
EMSCRIPTEN_KEEPALIVE const char *page_takes(const char *spec, const char *field, const char *words)
{
    size_t f = 0;
    while (strcmp(fields[f].field, field))
        f++;
    np_network *network;
    const char *separator = "";
    page_begin();
    if (make(spec, &network))
        return page_fail();
    char *copy = strdup(words), *rest = copy;
    page_say("[");
    for (char *word; (word = strsep(&rest, "\n"));) {
        if (!*word || fields[f].takes(network, word))
            continue;
        page_say("%s", separator);
        page_say_text(word);
        separator = ", ";
    }
    page_say("]");
    free(copy);
    np_network_free(network);
    return text;
}

/* Names of the schemes, or of the sorting algorithms, that apply to the network: [..] */
EMSCRIPTEN_KEEPALIVE const char *page_applicable(const char *spec, np_list list)
{
    np_network *network;
    const np_entry *entry;
    const char *separator = "";
    page_begin();
    if (make(spec, &network))
        return page_fail();
    page_say("[");
    for (size_t i = 0; (entry = np_list_get(list, i)); i++) {
        np_status st =
            list == NP_LIST_SORTERS ? np_sorter_applies(entry->name, network) : np_scheme_applies(entry->name, network);
        if (st)
            continue;
        page_say("%s", separator);
        page_say_text(entry->name);
        separator = ", ";
    }
    page_say("]");
    np_network_free(network);
    return text;
}

/* ---- Events ---- */

typedef struct phase {
    char name[NP_SORT_NAME];
    char *network;
    uint32_t run, packets, queue_size, nodes;
    bool open;
    uint32_t channels, buffer_flits, credit_delay; /* of load with routers that have channels; else 0 */
    uint32_t *host;                                /* [nodes] of a leveled network, else NULL */
    size_t first;
    np_step steps;
} phase;

static struct {
    uint32_t *word; /* [WORDS * events] */
    size_t events, room;
    phase *phase;
    size_t phases;
    bool full;
} record;

void page_forget(void)
{
    for (size_t i = 0; i < record.phases; i++) {
        free(record.phase[i].network);
        free(record.phase[i].host);
    }
    record.events = record.phases = 0;
    record.full = false;
}

size_t page_phases(void) { return record.phases; }

void page_tell_progress(size_t steps, double share)
{
    static double last;
    double now = emscripten_get_now(); /* in milliseconds */
    if (now - last < 50)
        return;
    last = now;
    tell_progress((double)steps, (double)record.events, share);
}

bool page_full(void) { return record.full; }

static int on_begin(void *context, const np_event_phase *of)
{
    (void)context;
    record.phase = realloc(record.phase, (record.phases + 1) * sizeof *record.phase);
    phase *p = &record.phase[record.phases++];
    *p = (phase){.run = of->run,
                 .packets = of->packets,
                 .queue_size = of->queue_size,
                 .first = record.events,
                 .open = of->open,
                 .channels = of->channels,
                 .buffer_flits = of->buffer_flits,
                 .credit_delay = of->credit_delay};
    snprintf(p->name, sizeof p->name, "%s", of->name);
    p->network = strdup(np_network_spec(of->network));
    if (of->leveled) {
        p->nodes = of->leveled->nodes;
        p->host = malloc(p->nodes * sizeof *p->host);
        memcpy(p->host, of->leveled->host, p->nodes * sizeof *p->host);
    }
    return 0;
}

static int on_events(void *context, size_t count, const np_event *event)
{
    (void)context;
    page_tell_progress(0, 0);
    if (record.events + count > EVENTS_MAX) {
        record.full = true;
        return 1;
    }
    if (record.events + count > record.room) {
        record.room = 2 * (record.events + count);
        record.word = realloc(record.word, record.room * WORDS * sizeof *record.word);
    }
    for (size_t i = 0; i < count; i++) {
        const np_event *e = &event[i];
        const uint32_t word[WORDS] = {(uint32_t)e->kind | (uint32_t)e->reason << 8 | e->length << 16,
                                      e->step,
                                      e->packet,
                                      e->other,
                                      e->from,
                                      e->to,
                                      e->link,
                                      e->queue};
        memcpy(record.word + WORDS * record.events++, word, sizeof word);
    }
    return 0;
}

static int on_end(void *context, const np_phase_run *run)
{
    (void)context;
    record.phase[record.phases - 1].steps = run->steps;
    return 0;
}

const np_observer page_observer = {.begin = on_begin, .events = on_events, .end = on_end};

void page_say_record(void)
{
    page_say(", \"events\": %zu, \"event\": %zu, \"phases_seen\": [", record.events, (size_t)record.word);
    for (size_t i = 0; i < record.phases; i++) {
        const phase *p = &record.phase[i];
        page_say(i ? ", {\"name\": " : "{\"name\": ");
        page_say_text(p->name);
        page_say(", \"network\": ");
        page_say_text(p->network);
        page_say(", \"run\": %u, \"packets\": %u, \"queue_size\": %u, \"steps\": %u, \"first\": %zu, \"leveled\": %u, "
                 "\"host\": %zu, \"open\": %s, \"channels\": %u, \"buffer_flits\": %u, \"credit_delay\": %u}",
                 p->run, p->packets, p->queue_size, p->steps, p->first, p->nodes, (size_t)p->host,
                 p->open ? "true" : "false", p->channels, p->buffer_flits, p->credit_delay);
    }
    page_say("]");
}

/* ---- Runs ---- */

char *page_option(char *line, char **value)
{
    char *next = strchr(line, '\n');
    if (next)
        *next++ = 0;
    if (!(*value = strchr(line, '='))) {
        (void)np_status_raise(NP_ERROR_INPUT, "'%s' is no option: write name=value", line);
        return next;
    }
    *(*value)++ = 0;
    return next;
}

np_status page_set_options(const np_fields *fields, void *options, char *lines)
{
    for (char *line = lines, *value, *next; line && *line; line = next) {
        next = page_option(line, &value);
        np_status st = value ? np_fields_set(fields, options, line, value) : NP_ERROR_INPUT;
        if (st)
            return st;
    }
    return NP_OK;
}

static np_status route(const np_network *network, const char *traffic, char *lines)
{
    np_route_options options;
    np_route_result *result = NULL;
    np_report_bound *bound = NULL;
    size_t bounds = 0;
    np_route_options_init(&options);
    options.observer = &page_observer;
    np_status st = page_set_options(&np_route_options_fields, &options, lines);
    if (!st)
        st = np_route(network, traffic, &options, &result);
    if (!st)
        st = np_report_bounds(network, result, &bound, &bounds);
    if (!st) {
        page_say("{\"result\": ");
        page_say_object(&np_route_result_fields, result);
        page_say(", \"bound\": [");
        for (size_t i = 0; i < bounds; i++) {
            page_say(i ? ", " : "");
            page_say_object(&np_report_bound_fields, &bound[i]);
        }
        page_say("]");
    }
    np_report_bounds_free(bound);
    np_route_result_free(result);
    return st;
}

static uint64_t *keys; /* of the last sort */
static uint32_t *last; /* [nodes] which of them each node has in the end; NP_NONE: none */

/*
 * The order of the places is known in words only. Along a snake, in Gray code, or by numbers: else the page shows the
 * keys of nodes that act again.
 */
static np_node place_of(const np_network *network, const char *words, np_node i)
{
    if (np_network_dimensions(network))
        return strstr(words, "snake") ? np_indexing_node("snake-like", network, i) : i;
    return strstr(words, "Gray") && !strcmp(np_network_family_name(network), "hypercube") ? i ^ i >> 1 : i;
}

static void find_last(const np_network *network, const np_sort_result *result)
{
    np_node nodes = np_network_nodes(network);
    last = realloc(last, nodes * sizeof *last);
    for (np_node u = 0; u < nodes; u++)
        last[u] = NP_NONE;
    if (result->keys == nodes && result->per_place == 1)
        for (np_node i = 0; i < nodes; i++)
            last[place_of(network, result->indexing, i)] = result->order[i];
}

static np_status sort(const np_network *network, char *lines)
{
    np_sort_options options;
    np_sort_result *result;
    np_sort_options_init(&options);
    options.observer = &page_observer;
    np_status st = page_set_options(&np_sort_options_fields, &options, lines);
    if (!st)
        st = np_sort(network, 0, NULL, &options, &result);
    if (st)
        return st;
    page_say("{\"result\": ");
    page_say_object(&np_sort_result_fields, result);
    size_t count = (size_t)result->keys;
    keys = realloc(keys, count * sizeof *keys);
    memcpy(keys, np_keys_words(result->source), count * sizeof *keys);
    find_last(network, result);
    page_say(", \"keys\": %zu, \"last\": %zu, \"last_nodes\": %u", (size_t)keys, (size_t)last,
             np_network_nodes(network));
    np_sort_result_free(result);
    return NP_OK;
}

static np_status collective(const np_network *network, const char *operation, char *lines)
{
    np_collective_options options;
    np_collective_result *result;
    np_collective_options_init(&options);
    options.observer = &page_observer;
    np_status st = page_set_options(&np_collective_options_fields, &options, lines);
    if (!st)
        st = np_collective(network, operation, &options, &result);
    if (st)
        return st;
    page_say("{\"result\": ");
    page_say_object(&np_collective_result_fields, result);
    np_collective_result_free(result);
    return NP_OK;
}

enum { TRACE_CYCLES = 300 }; /* of load that are played: ours */

static np_status load(const np_network *network, const char *traffic, char *lines, const np_observer *observer)
{
    np_load_options options;
    np_load_result *result;
    np_load_options_init(&options);
    options.observer = observer;
    options.trace_cycles = observer ? TRACE_CYCLES : 0;
    np_status st = page_set_options(&np_load_options_fields, &options, lines);
    if (!st)
        st = np_load(network, traffic, &options, &result);
    if (st)
        return st;
    page_say("{\"result\": ");
    page_say_object(&np_load_result_fields, result);
    np_load_free(result);
    return NP_OK;
}

/* Points of load, unobserved: {"result": {...}}. Options are lines "name=value". */
EMSCRIPTEN_KEEPALIVE const char *page_curve(const char *spec, const char *traffic, const char *options)
{
    np_network *network;
    page_begin();
    np_status st = make(spec, &network);
    char *lines = strdup(options);
    if (!st)
        st = load(network, traffic, lines, NULL);
    page_say("}");
    free(lines);
    np_network_free(network);
    return st ? page_fail() : text;
}

/**
 * One observed call of a verb, "route", "sort", "collective", "load", "flows" or "throughput", on a network. The
 * subject is the operation of a collective, and the traffic of the others. Options are lines "name=value", by the
 * names of the command.
 */
EMSCRIPTEN_KEEPALIVE const char *page_run(const char *verb, const char *spec, const char *subject, const char *options)
{
    np_network *network;
    page_begin();
    page_forget();
    np_status st = make(spec, &network);
    char *lines = strdup(options);
    if (st)
        ;
    else if (!strcmp(verb, "route"))
        st = route(network, subject, lines);
    else if (!strcmp(verb, "sort"))
        st = sort(network, lines);
    else if (!strcmp(verb, "load"))
        st = load(network, subject, lines, &page_observer);
    else if (!strcmp(verb, "flows"))
        st = page_flows(network, subject, lines);
    else if (!strcmp(verb, "throughput"))
        st = page_throughput(network, subject, lines);
    else
        st = collective(network, subject, lines);
    free(lines);
    np_network_free(network);
    if (record.full)
        st =
            np_status_raise(NP_ERROR_LIMIT, "more than %d events: take a smaller network or fewer packets", EVENTS_MAX);
    if (st)
        return page_fail();
    page_say_record();
    page_say("}");
    return text;
}
