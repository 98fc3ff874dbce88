/* Packets with their times: see trace.h. */
#include "model/traffic/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/room.h"
#include "model/network/read_node.h"
#include "model/traffic/pairs.h"
#include "model/traffic/traffic.h"

enum { BLOCK = 32, CHUNK = 1 << 20 /* ours: packets; bytes, and the longest line */ };
#define TIME_MOST 4000000000 /* ours: cycles are counted up to 2^32, and the last packet has to arrive by then */

typedef struct record {
    uint32_t time, to, flits;
} record;

/* Of a terminal. */
typedef struct lane {
    record tail[BLOCK];   /* the packets behind its last block in the file */
    record cached[BLOCK]; /* block `cache` - 1 */
    uint64_t cache;
    uint32_t *block; /* [blocks] their places in the file */
    size_t blocks, room;
    uint64_t packets, flits;
} lane;

struct np_trace {
    const np_network *network;
    np_node terminals;
    lane *lane; /* [terminals] */
    bool single;
    FILE *spool;
    uint32_t blocks; /* in it */
    np_trace_counts total;
    atomic_int failed; /* errno of a read */
};

/* ---- What has been read ---- */

static np_status spool_block(np_trace *t, lane *l)
{
    np_status st = np_memory_room(&l->block, l->blocks, &l->room, sizeof *l->block, "a trace");
    if (st)
        return st;
    if (t->blocks == UINT32_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "a trace of more than 2^32 blocks of %d packets", BLOCK);
    if (pwrite(fileno(t->spool), l->tail, sizeof l->tail, (off_t)t->blocks * (off_t)sizeof l->tail) !=
        (ssize_t)sizeof l->tail)
        return NP_RAISE(NP_ERROR_IO, "cannot write a temporary file for a trace: %s", strerror(errno));
    l->block[l->blocks++] = t->blocks++;
    return NP_OK;
}

static np_status add(np_trace *t, np_node source, const record *r)
{
    lane *l = &t->lane[source];
    np_status st = NP_OK;
    uint32_t copies = t->single ? r->flits : 1;
    for (uint32_t i = 0; i < copies && !st; i++) {
        l->tail[l->packets % BLOCK] = *r;
        l->tail[l->packets % BLOCK].flits = t->single ? 1 : r->flits;
        if (++l->packets % BLOCK == 0)
            st = spool_block(t, l);
    }
    l->flits += r->flits;
    t->total.packets += copies;
    t->total.flits += r->flits;
    t->total.last = r->time;
    if (r->flits > t->total.longest)
        t->total.longest = t->single ? 1 : r->flits;
    return st;
}

/* ---- Lines ---- */

typedef struct columns {
    size_t time, source, destination, size, fields;
    bool known;
} columns;

static const char *const sizes[] = {"size", "flits", "packets", NULL};

/* Column i is none of those that are read. */
static np_status refuse_column(const np_text *text, const columns *c, size_t i)
{
    const struct {
        const char *const *words;
        size_t column;
    } read[] = {{np_list_times, c->time},
                {np_list_sources, c->source},
                {np_list_destinations, c->destination},
                {sizes, c->size}};
    for (size_t k = 0; k < sizeof read / sizeof *read && i < NP_TEXT_FIELDS; k++)
        for (const char *const *word = read[k].words; *word; word++)
            if (np_text_is(text, i, *word))
                return np_text_raise(text, NP_ERROR_INPUT, "columns '%s' and '%s' say the same: keep one",
                                     np_text_show(text, read[k].column).text, np_text_show(text, i).text);
    return np_text_raise(text, NP_ERROR_INPUT,
                         "column '%s' is not known: a trace has the columns time, source, destination and size (flits)",
                         i < NP_TEXT_FIELDS ? np_text_show(text, i).text : "...");
}

static np_status find_columns(const np_text *text, columns *c)
{
    *c = (columns){.time = np_list_column(text, np_list_times),
                   .source = np_list_column(text, np_list_sources),
                   .destination = np_list_column(text, np_list_destinations),
                   .size = np_list_column(text, sizes),
                   .fields = text->fields,
                   .known = true};
    if (c->time == NP_TEXT_FIELDS || c->source == NP_TEXT_FIELDS || c->destination == NP_TEXT_FIELDS)
        return np_text_raise(text, NP_ERROR_INPUT,
                             "a trace begins with a line of the names of its columns, 'time,source,destination,size'");
    for (size_t i = 0; i < c->fields; i++)
        if (i >= NP_TEXT_FIELDS || (i != c->time && i != c->source && i != c->destination && i != c->size))
            return refuse_column(text, c, i);
    return NP_OK;
}

static np_status read_line(np_trace *t, const np_text *text, const columns *c)
{
    np_node source, destination;
    uint64_t time, size = 1;
    np_status st;
    if ((st = np_text_count(text, c->fields, c->fields, "time source destination [size]")) ||
        (st = np_text_number(text, c->time, "time", 0, TIME_MOST, &time)) ||
        (st = np_network_read_terminal(t->network, text, text->field[c->source], "source", &source)) ||
        (st = np_network_read_terminal(t->network, text, text->field[c->destination], "destination", &destination)))
        return st;
    if (c->size < NP_TEXT_FIELDS && (st = np_text_number(text, c->size, "size", 1, UINT16_MAX, &size)))
        return st;
    if (time < t->total.last)
        return np_text_raise(text, NP_ERROR_INPUT,
                             "time %llu stands behind time %u: sort the lines by time, as in 'sort -n'",
                             (unsigned long long)time, t->total.last);
    return add(t, source, &(record){(uint32_t)time, destination, (uint32_t)size});
}

/* ---- The file, by pieces of whole lines ---- */

typedef struct reader {
    const char *path;
    FILE *file;
    char *data;    /* [CHUNK] */
    size_t kept;   /* of a line whose end is still to be read */
    uint64_t line; /* lines before data */
    columns columns;
    char separator;
} reader;

static np_status check_bytes(const reader *r, np_text *text, size_t length)
{
    const char *bad = np_foreign_byte(r->data, length);
    if (!bad)
        return NP_OK;
    for (const char *at = r->data; at < bad; at++)
        text->line += *at == '\n';
    text->line++;
    return np_text_raise(text, NP_ERROR_INPUT, "a character that no text has: is it compressed, or binary?");
}

static np_status read_piece(reader *r, np_trace *t, size_t length)
{
    np_text text;
    np_status st = NP_OK;
    (void)!np_text_open(&text, r->path, r->data, length); /* bytes are looked at below, with the number of the line */
    text.line = r->line;
    if ((st = check_bytes(r, &text, length)))
        return st;
    if (!r->columns.known)
        r->separator = np_text_separator(text, r->path);
    text.separator = r->separator;
    while (!st && np_text_next(&text))
        st = r->columns.known ? read_line(t, &text, &r->columns) : find_columns(&text, &r->columns);
    for (size_t i = 0; i < length; i++)
        r->line += r->data[i] == '\n';
    return st;
}

static np_status read_lines(reader *r, np_trace *t)
{
    np_status st = NP_OK;
    bool more = true;
    while (!st && more) {
        size_t got = fread(r->data + r->kept, 1, CHUNK - r->kept, r->file), length = r->kept + got, whole = length;
        if (ferror(r->file))
            return NP_RAISE(NP_ERROR_IO, "cannot read %.200s: %s", r->path, strerror(errno));
        more = length == CHUNK;
        while (more && whole > 0 && r->data[whole - 1] != '\n')
            whole--;
        if (!whole && more)
            return NP_RAISE(NP_ERROR_INPUT, "%.200s:%llu: a line of more than %d bytes", r->path,
                            (unsigned long long)r->line + 1, CHUNK);
        st = read_piece(r, t, whole);
        r->kept = length - whole;
        memmove(r->data, r->data + whole, r->kept);
    }
    if (!st && !t->total.packets)
        return NP_RAISE(NP_ERROR_INPUT, "%.200s: no packets: write lines 'time,source,destination,size'", r->path);
    return st;
}

static np_status open_file(reader *r)
{
    int file =
        strcmp(r->path, "-") != 0 ? open(r->path, O_RDONLY | O_CLOEXEC) : fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
    if (file >= 0 && (r->file = fdopen(file, "r")))
        return NP_OK;
    np_status st = NP_RAISE(NP_ERROR_IO, "cannot open %.200s: %s", r->path, strerror(errno));
    if (file >= 0)
        close(file);
    return st;
}

np_status np_trace_open(const char *path, const np_network *network, bool single, np_trace **out)
{
    reader r = {.path = path};
    np_trace *t;
    *out = NULL;
    if (!*path)
        return NP_RAISE(NP_ERROR_INPUT, "traffic 'trace' lacks the file: write trace:FILE, or trace:- for the input");
    np_status st = np_memory_zeroed(out, 1, sizeof **out, "a trace");
    if (st)
        return st;
    t = *out;
    t->network = network;
    t->single = single;
    t->terminals = np_network_terminals(network);
    if (!(st = np_memory_zeroed(&t->lane, t->terminals, sizeof *t->lane, "a trace")) &&
        !(st = np_memory_array(&r.data, CHUNK, 1, "a trace")) && !(st = open_file(&r)))
        st = (t->spool = tmpfile())
                 ? read_lines(&r, t)
                 : NP_RAISE(NP_ERROR_IO, "cannot make a temporary file for a trace: %s", strerror(errno));
    if (r.file)
        fclose(r.file);
    np_memory_free(r.data);
    if (st) {
        np_trace_free(t);
        *out = NULL;
    }
    return st;
}

void np_trace_free(np_trace *trace)
{
    if (!trace)
        return;
    for (np_node i = 0; trace->lane && i < trace->terminals; i++)
        np_memory_free(trace->lane[i].block);
    if (trace->spool)
        fclose(trace->spool);
    NP_MEMORY_FREE(trace->lane, trace);
}

/* ---- Packets by their numbers ---- */

bool np_trace_next(np_trace *trace, np_node terminal, uint64_t k, np_arrival *out)
{
    lane *l = &trace->lane[terminal];
    const record *r = l->tail;
    uint64_t block = k / BLOCK;
    if (k >= l->packets)
        return false;
    if (block < l->blocks) {
        if (l->cache != block + 1 &&
            pread(fileno(trace->spool), l->cached, sizeof l->cached,
                  (off_t)l->block[block] * (off_t)sizeof l->cached) != (ssize_t)sizeof l->cached) {
            atomic_store(&trace->failed, errno ? errno : EIO);
            return false;
        }
        l->cache = block + 1;
        r = l->cached;
    }
    r += k % BLOCK;
    *out = (np_arrival){.time = r->time, .to = r->to, .flits = r->flits};
    return true;
}

np_status np_trace_status(const np_trace *trace)
{
    int failed = atomic_load(&trace->failed);
    return failed ? NP_RAISE(NP_ERROR_IO, "cannot read the temporary file of a trace: %s", strerror(failed)) : NP_OK;
}

uint64_t np_trace_flits(const np_trace *trace, np_node terminal) { return trace->lane[terminal].flits; }

np_trace_counts np_trace_total(const np_trace *trace) { return trace->total; }

/* ---- For all but load ---- */

static np_status plan_trace(np_traffic_plan *plan)
{
    if (!plan->parameters)
        return NP_RAISE(NP_ERROR_INPUT, "traffic 'trace' lacks the file: write trace:FILE, for netpram load");
    return NP_RAISE(NP_ERROR_APPLY, "traffic '%s' is packets over time, which netpram load plays alone", plan->name);
}

static np_status make_trace(const np_traffic_plan *plan, const np_draws *draws, np_node *source, np_node *destination)
{
    (void)plan, (void)draws, (void)source, (void)destination;
    return NP_ERROR_APPLY;
}

const np_traffic_generator np_traffic_trace = {
    .info = {"trace", "of load: packets at their times, lines 'time,source,destination,size' in order of time", "",
             .parameters = ":FILE", .example = "trace:arrivals.csv"},
    .plan = plan_trace,
    .make = make_trace,
};
