/*
 * The trace: a JSON line for each event (docs/outputs.md). Lines of events are put together by hand, because there are
 * millions of them; the others by jansson.
 *
 * The trace of a player (`--picture FILE.html`) has a line for each network, too, with the places of its nodes and the
 * ends of its links: the page that plays it has no library.
 */
#include <string.h>

#include "base/decimal.h"
#include "base/memory.h"
#include "netpram/drawing.h"
#include "show/table/json.h"
#include "show/picture/picture.h"

typedef struct trace {
    np_sheet sheet;
    np_ranges packets, steps;
    const np_event_leveled *leveled; /* of the present phase; NULL: none */
    uint32_t channels;               /* likewise; above 0: packets are trains of flits */
    np_sheet_names names;
    char *told; /* of a player: the spec of the network that was written last */
} trace;

/* A line in the making: a key and a number take at most 32 bytes. Keys and values are few, names and walks are long. */
typedef struct line {
    char text[1024];
    size_t length;
} line;

static void put_text(line *l, const char *text)
{
    size_t length = strlen(text);
    memcpy(l->text + l->length, text, length);
    l->length += length;
}

static void put_number(line *l, uint32_t number)
{
    char digit[10];
    size_t digits = 0;
    do
        digit[digits++] = (char)('0' + number % 10);
    while (number /= 10);
    while (digits)
        l->text[l->length++] = digit[--digits];
}

/* before: `, "link": `. */
static void put(line *l, const char *before, uint32_t number)
{
    put_text(l, before);
    put_number(l, number);
}

/* A failed write shows in the stream's error flag. */
static void flush(const trace *t, line *l)
{
    fwrite(l->text, 1, l->length, t->sheet.stream);
    l->length = 0;
}

/* A node, by its name if it has one; nodes of leveled networks have none. */
static void put_node(const trace *t, line *l, const char *before, np_node node)
{
    if (t->leveled || !t->names.at) {
        put(l, before, node);
        return;
    }
    put_text(l, before);
    flush(t, l);
    fputs(np_sheet_name(&t->names, node, NULL), t->sheet.stream);
}

static void write_line(const trace *t, line *l)
{
    put_text(l, "}\n");
    flush(t, l);
}

/* The physical nodes and links of a move over a link of a leveled network. */
static void write_physical(const trace *t, line *l, const np_event *event)
{
    const np_event_leveled *lv = t->leveled;
    put(l, ", \"hosts\": [", lv->host[event->from]);
    put(l, ", ", lv->host[event->to]);
    put_text(l, "], \"crosses\": [");
    for (uint32_t i = lv->walk[event->link]; i < lv->walk[event->link + 1]; i++) {
        if (l->length > sizeof l->text - 64) /* a long walk */
            flush(t, l);
        put(l, i > lv->walk[event->link] ? ", " : "", lv->link[i]);
    }
    put_text(l, "]");
}

static void write_wait(line *l, const np_event *event)
{
    static const char *const why[NP_EVENT_REASONS] = {"", "behind", "room", "order", "length", "plan", "phase"};
    if (event->link != NP_NONE)
        put(l, ", \"link\": ", event->link);
    if (event->queue)
        put(l, ", \"queue\": ", event->queue);
    put_text(l, ", \"why\": \"");
    put_text(l, why[event->reason]);
    put_text(l, "\"");
}

static void write_buffer(line *l, const np_event *event)
{
    if (event->link != NP_NONE)
        put(l, ", \"link\": ", event->link);
    put(l, ", \"flits\": ", event->queue);
}

static np_status write_event(np_sheet *sheet, const np_event *event)
{
    static const char *const name[NP_EVENT_KINDS] = {
        "{\"event\": \"injected\", \"step\": ", "{\"event\": \"moved\", \"step\": ",
        "{\"event\": \"waited\", \"step\": ",   "{\"event\": \"combined\", \"step\": ",
        "{\"event\": \"split\", \"step\": ",    "{\"event\": \"landed\", \"step\": ",
        "{\"event\": \"entered\", \"step\": ",  "{\"event\": \"left\", \"step\": "};
    trace *t = (trace *)sheet;
    line l = {.length = 0};
    if (!np_ranges_have(&t->packets, event->packet) || !np_ranges_have(&t->steps, event->step))
        return NP_OK;
    sheet->chose = true;
    put(&l, name[event->kind], event->step);
    put(&l, ", \"packet\": ", event->packet);
    if (event->kind == NP_EVENT_MOVED) {
        put_node(t, &l, ", \"from\": ", event->from);
        put_node(t, &l, ", \"to\": ", event->to);
        put(&l, ", \"link\": ", event->link);
        if (t->channels)
            put(&l, ", \"credits\": ", event->queue);
        else if (event->queue)
            put(&l, ", \"queue\": ", event->queue);
        if (t->leveled)
            write_physical(t, &l, event);
    } else {
        put_node(t, &l, ", \"at\": ", event->from);
    }
    if (event->kind == NP_EVENT_INJECTED && event->to != NP_NONE)
        put_node(t, &l, ", \"end\": ", event->to);
    if (event->kind == NP_EVENT_ENTERED || event->kind == NP_EVENT_LEFT)
        write_buffer(&l, event);
    if (t->channels && event->kind != NP_EVENT_INJECTED && event->kind != NP_EVENT_WAITED &&
        event->kind != NP_EVENT_LANDED)
        put(&l, ", \"channel\": ", event->length);
    else if (event->length)
        put(&l, ", \"length\": ", event->length);
    if (event->kind == NP_EVENT_WAITED)
        write_wait(&l, event);
    if (event->other != NP_NONE)
        put(&l, ", \"other\": ", event->other);
    write_line(t, &l);
    return NP_OK;
}

/* A failed write shows in the stream's error flag. */
static np_status write_json(json_t *json, FILE *stream)
{
    if (!json)
        return NP_RAISE(NP_ERROR_MEMORY, "no memory for a line of the trace");
    np_json_dump(json, 0, stream);
    fputc('\n', stream);
    json_decref(json);
    return NP_OK;
}

static np_status write_phase(np_sheet *sheet, const np_event_phase *phase)
{
    trace *t = (trace *)sheet;
    json_t *json = json_object();
    t->leveled = phase->leveled;
    t->channels = phase->channels;
    np_json_set(&json, "event", json_string("phase"));
    np_json_set(&json, "run", np_json_whole(phase->run));
    np_json_set(&json, "phase", np_json_whole(phase->phase));
    np_json_set(&json, "name", np_json_text(phase->name));
    np_json_set(&json, "network", np_json_text(np_network_spec(phase->network)));
    np_json_set(&json, "packets", np_json_whole(phase->packets));
    np_json_set(&json, "queue_size", phase->queue_size ? np_json_whole(phase->queue_size) : json_null());
    np_json_set(&json, "leveled", json_boolean(phase->leveled != NULL));
    if (phase->messages)
        np_json_set(&json, "messages", np_json_text(phase->messages));
    if (phase->circuits)
        np_json_set(&json, "circuits", json_true());
    if (phase->time)
        np_json_set(&json, "time", np_json_whole(phase->time));
    if (phase->open)
        np_json_set(&json, "open", json_true());
    if (phase->channels) {
        np_json_set(&json, "channels", np_json_whole(phase->channels));
        np_json_set(&json, "buffer_flits", np_json_whole(phase->buffer_flits));
        np_json_set(&json, "credit_delay", phase->credit_delay ? np_json_whole(phase->credit_delay) : json_null());
    }
    return write_json(json, sheet->stream);
}

static np_status write_named_phase(np_sheet *sheet, const np_event_phase *phase)
{
    np_status st = write_phase(sheet, phase);
    return st ? st : np_sheet_names_init(&((trace *)sheet)->names, sheet, phase->network, true);
}

static np_status write_end(np_sheet *sheet, const np_phase_run *run)
{
    json_t *json = json_object();
    np_json_set(&json, "event", json_string("end"));
    np_json_set(&json, "steps", np_json_whole(run->steps));
    np_json_set(&json, "hops", np_json_whole(run->hops));
    return write_json(json, sheet->stream);
}

/* An event for each hop, of flits three, one when the packet begins and one when it lands. */
static np_status estimate(np_sheet *sheet, const np_event_phase *phase, double *out)
{
    enum { LINE = 80, LEVELED_LINE = 150 }; /* ours: bytes, measured */
    const trace *t = (const trace *)sheet;
    double hops;
    np_status st = np_sheet_hops(phase, &hops);
    *out = st ? 0
              : (phase->leveled ? LEVELED_LINE : LINE) * np_ranges_count(&t->packets, phase->packets) *
                    np_ranges_count(&t->steps, (phase->channels ? 3 : 1) * hops + 2);
    return st;
}

static np_status write_access(np_sheet *sheet, const np_pram_seen *seen)
{
    const trace *t = (const trace *)sheet;
    bool wanted = np_ranges_have(&t->steps, (uint32_t)seen->step);
    sheet->chose = sheet->chose || wanted;
    return wanted ? np_record_access_line(sheet->stream, seen) : NP_OK;
}

static np_status write_head(np_sheet *sheet)
{
    json_t *json = np_json_head(sheet->command);
    np_json_set(&json, "trace_packets",
                sheet->options->trace_packets ? np_json_text(sheet->options->trace_packets) : json_null());
    np_json_set(&json, "trace_steps",
                sheet->options->trace_steps ? np_json_text(sheet->options->trace_steps) : json_null());
    return write_json(json, sheet->stream);
}

static np_status open_trace(np_sheet *sheet)
{
    trace *t = (trace *)sheet;
    np_status st = np_ranges_parse(sheet->options->trace_packets, &t->packets);
    return st ? st : np_ranges_parse(sheet->options->trace_steps, &t->steps);
}

static void clear(np_sheet *sheet)
{
    np_sheet_names_clear(&((trace *)sheet)->names);
    np_memory_free(((trace *)sheet)->told);
}

const np_sheet_kind np_sheet_trace = {
    .path = offsetof(np_record_options, trace),
    .size = sizeof(trace),
    .open = open_trace,
    .head = write_head,
    .begin = write_named_phase,
    .event = write_event,
    .end = write_end,
    .access = write_access,
    .clear = clear,
    .bytes = estimate,
    .of_runs = true,
};

/* ---- For a player ---- */

enum { PLAYER_NODES_MAX = 1 << 16 };

/* In thousandths, which are whole numbers: they are the same in every locale. */
static void write_places(const np_network *network, const np_point *place, FILE *stream)
{
    for (np_node u = 0; u < np_network_nodes(network); u++)
        fprintf(stream, "%s%s, %s", u ? ", " : "", NP_FIXED(place[u].x * 1000, 0), NP_FIXED(place[u].y * 1000, 0));
}

static void write_ends(const np_network *network, FILE *stream)
{
    const char *between = "";
    for (np_link l = 0; l < np_network_link_numbers(network); l++)
        if (np_network_link_head(network, l) != NP_NONE) {
            fprintf(stream, "%s%u, %u", between, np_network_link_tail(network, l), np_network_link_head(network, l));
            between = ", ";
        }
}

static np_status write_network(const trace *t, const np_network *network)
{
    const np_picture_options *picture = t->sheet.options->picture;
    FILE *stream = t->sheet.stream;
    np_node nodes = np_network_nodes(network);
    np_point *place;
    if (nodes > PLAYER_NODES_MAX)
        return NP_RAISE(NP_ERROR_LIMIT,
                        "%s: a player shows networks of at most %d nodes, this one has %u: write an .svg",
                        picture->picture, PLAYER_NODES_MAX, nodes);
    np_status st = np_memory_array(&place, nodes, sizeof *place, "the places of nodes");
    if (st)
        return st;
    if (!(st = np_drawing_place(network, picture->drawing, place, NULL))) {
        json_t *json = json_object();
        np_json_set(&json, "event", json_string("network"));
        np_json_set(&json, "spec", np_json_text(np_network_spec(network)));
        np_json_set(&json, "nodes", np_json_whole(nodes));
        st = write_json(json, stream);
    }
    if (!st) {
        fputs("{\"event\": \"places\", \"thousandths\": [", stream);
        write_places(network, place, stream);
        fputs("]}\n{\"event\": \"links\", \"ends\": [", stream);
        write_ends(network, stream);
        fputs("]}\n", stream);
    }
    np_memory_free(place);
    return st;
}

static np_status write_played_phase(np_sheet *sheet, const np_event_phase *phase)
{
    trace *t = (trace *)sheet;
    np_status st = NP_OK;
    if (!t->told || strcmp(t->told, np_network_spec(phase->network))) {
        np_memory_free(t->told);
        t->told = np_memory_text(np_network_spec(phase->network));
        st = t->told ? write_network(t, phase->network) : np_status_last();
    }
    return st ? st : write_phase(sheet, phase);
}

const np_picture_kind np_picture_player = {
    .name = "player",
    .special = true,
    .sheet = {.size = sizeof(trace),
              .head = write_head,
              .begin = write_played_phase,
              .event = write_event,
              .end = write_end,
              .clear = clear,
              .bytes = estimate,
              .of_runs = true},
};
