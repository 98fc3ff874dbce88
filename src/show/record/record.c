/* See record.h: the life of a record, and its options. */
#include "show/record/record.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "show/picture/picture.h"

static const np_sheet_kind *const kinds[] = {&np_sheet_trace, &np_sheet_links, &np_sheet_nodes, &np_sheet_packets,
                                             &np_sheet_steps};

enum { KINDS = sizeof kinds / sizeof *kinds, PICTURE = KINDS, SHEETS };

struct np_record {
    np_record_options options;
    np_picture_options picture;
    np_picture_file file;    /* of the picture */
    np_sheet *sheet[SHEETS]; /* NULL: not asked for */
};

/* ---- Options ---- */

static np_status parse_number(const char **text, uint32_t *out)
{
    char *end;
    unsigned long long number = strtoull(*text, &end, 10);
    if (**text < '0' || **text > '9')
        return NP_RAISE(NP_ERROR_INPUT, "a list of numbers and ranges is needed, as in 3,10..19");
    if (number >= NP_NONE)
        return NP_RAISE(NP_ERROR_INPUT, "numbers are below 2^32 - 1");
    *out = (uint32_t)number;
    *text = end;
    return NP_OK;
}

static np_status parse_range(const char **text, uint32_t *low, uint32_t *high)
{
    np_status st = parse_number(text, low);
    *high = *low;
    if (!st && !strncmp(*text, "..", 2)) {
        *text += 2;
        st = parse_number(text, high);
    }
    if (!st && *high < *low)
        st = NP_RAISE(NP_ERROR_INPUT, "%u..%u is empty: the smaller number comes first", *low, *high);
    if (!st && **text && **text != ',')
        st = NP_RAISE(NP_ERROR_INPUT, "a list of numbers and ranges is needed, as in 3,10..19");
    return st;
}

np_status np_ranges_parse(const char *text, np_ranges *out)
{
    np_status st = NP_OK;
    out->count = 0;
    while (text && !st) {
        if (out->count == NP_RANGES_MAX)
            return NP_RAISE(NP_ERROR_INPUT, "at most %d ranges", NP_RANGES_MAX);
        st = parse_range(&text, &out->low[out->count], &out->high[out->count]);
        out->count++;
        text = *text ? text + 1 : NULL;
    }
    return st;
}

bool np_ranges_have(const np_ranges *ranges, uint32_t number)
{
    bool have = !ranges->count;
    for (size_t i = 0; i < ranges->count && !have; i++)
        have = ranges->low[i] <= number && number <= ranges->high[i];
    return have;
}

double np_ranges_count(const np_ranges *ranges, double all)
{
    double count = ranges->count ? 0 : all;
    for (size_t i = 0; i < ranges->count; i++)
        count += (double)ranges->high[i] - ranges->low[i] + 1;
    return count < all ? count : all;
}

static np_status set_ranges(void *object, const np_field *field, const char *text)
{
    np_ranges ranges;
    np_status st = np_ranges_parse(text, &ranges);
    if (!st)
        *(const char **)((char *)object + field->at) = text;
    return st;
}

#define AT(member) offsetof(np_record_options, member)

static const np_field trace_rows[] = {
    {"trace", NP_FIELD_TEXT, AT(trace), .help = "Write every event, as JSON lines", .placeholder = "FILE",
     .group = "What to take away (by one thread; results stay the same):"},
    {"trace_packets", NP_FIELD_TEXT, AT(trace_packets), .help = "Only events of these packets, as in 3,10..19",
     .placeholder = "LIST", .set = set_ranges},
    {"trace_steps", NP_FIELD_TEXT, AT(trace_steps), .help = "Only events of these steps", .placeholder = "LIST",
     .set = set_ranges},
};

const np_fields np_record_trace_fields = NP_OPTIONS("record_trace", "a trace", np_record_options, trace_rows, NULL);

static const np_field rows[] = {
    {NULL, NP_FIELD_INSET, 0, .fields = &np_record_trace_fields},
    {"links", NP_FIELD_TEXT, AT(links), .help = "Write what each link carried, as CSV", .placeholder = "FILE"},
    {"nodes", NP_FIELD_TEXT, AT(nodes), .help = "Write what each node sent, received and held, as CSV",
     .placeholder = "FILE"},
    {"packets", NP_FIELD_TEXT, AT(packets), .help = "Write hops, delay and arrival of each packet, as CSV",
     .placeholder = "FILE"},
    {"steps", NP_FIELD_TEXT, AT(steps), .help = "Write how many packets moved, waited and landed in each step, as CSV",
     .placeholder = "FILE"},
    {"force", NP_FIELD_BOOL, AT(force),
     .help = "Write them even if they will take more than a quarter of the free disk"},
};

const np_fields np_record_options_fields = NP_OPTIONS("record_options", "a record", np_record_options, rows, NULL);

/* ---- Observing ---- */

/*
 * The first line is written when the first phase begins, not when the file is opened: a run that is refused before has
 * written nothing, to a pipe either.
 */
static np_status begin_file(np_sheet *sheet)
{
    if (sheet->begun)
        return NP_OK;
    sheet->begun = true;
    if (!sheet->kind->columns)
        return sheet->kind->head ? sheet->kind->head(sheet) : NP_OK;
    fprintf(sheet->stream, "%s\n", sheet->kind->columns);
    return NP_OK;
}

/* After something was written. The first failure stays, with its message. */
static int settle(np_sheet *sheet, np_status st)
{
    if (!st && !sheet->status)
        st = np_sheet_watch(sheet);
    if (st && !sheet->status) {
        sheet->status = st;
        snprintf(sheet->message, sizeof sheet->message, "%s", np_last_error());
    }
    return sheet->status || ferror(sheet->stream);
}

static int on_begin(void *context, const np_event_phase *phase)
{
    np_sheet *sheet = context;
    np_status st = np_sheet_size(sheet, phase);
    if (!st)
        st = begin_file(sheet);
    return settle(sheet, st || !sheet->kind->begin ? st : sheet->kind->begin(sheet, phase));
}

static int on_events(void *context, size_t count, const np_event *event)
{
    np_sheet *sheet = context;
    np_status st = NP_OK;
    for (size_t i = 0; i < count && sheet->kind->event && !st; i++)
        if (!sheet->kind->kinds || sheet->kind->kinds >> event[i].kind & 1) /* others come where another sheet asks */
            st = sheet->kind->event(sheet, &event[i]);
    return settle(sheet, st);
}

static int on_end(void *context, const np_phase_run *run)
{
    np_sheet *sheet = context;
    return settle(sheet, sheet->kind->end ? sheet->kind->end(sheet, run) : NP_OK);
}

const np_observer *np_record_observer(const np_record *record)
{
    for (size_t i = 0; record && i < SHEETS; i++)
        if (record->sheet[i])
            return &record->sheet[i]->observer;
    return NULL;
}

int np_record_pram_step(void *record, const np_pram_seen *seen)
{
    const np_record *r = record;
    int stop = 0;
    for (size_t i = 0; r && i < SHEETS && !stop; i++)
        if (r->sheet[i] && r->sheet[i]->kind->access) {
            np_status st = begin_file(r->sheet[i]);
            stop = settle(r->sheet[i], st ? st : r->sheet[i]->kind->access(r->sheet[i], seen));
        }
    return stop;
}

int np_record_sort_stage(void *record, const np_sort_seen *seen)
{
    const np_record *r = record;
    int stop = 0;
    for (size_t i = 0; r && i < SHEETS && !stop; i++)
        if (r->sheet[i] && r->sheet[i]->kind->stage)
            stop = settle(r->sheet[i], r->sheet[i]->kind->stage(r->sheet[i], seen));
    return stop;
}

/* ---- Life ---- */

static np_status make_sheet(np_record *record, size_t i, const np_sheet_kind *kind, const char *command)
{
    np_status st = np_memory_zeroed(&record->sheet[i], 1, kind->size, "a record");
    np_sheet *sheet = record->sheet[i];
    if (st)
        return st;
    sheet->kind = kind;
    sheet->options = &record->options;
    sheet->command = command;
    sheet->observer = (np_observer){kind->kinds, on_begin, on_events, on_end, sheet, NULL};
    return NP_OK;
}

static np_status open_sheet(np_record *record, size_t i, const char *command)
{
    const char *path = *(const char *const *)((const char *)&record->options + kinds[i]->path);
    np_status st;
    if (!path)
        return NP_OK;
    if ((st = make_sheet(record, i, kinds[i], command)))
        return st;
    np_sheet *sheet = record->sheet[i];
    if ((st = np_output_open(path, &sheet->output)))
        return st;
    sheet->stream = np_output_stream(sheet->output);
    return sheet->kind->open ? sheet->kind->open(sheet) : NP_OK;
}

static np_status open_picture(np_record *record, const char *command)
{
    const np_picture_kind *kind;
    np_status st;
    if (!record->options.picture)
        return NP_OK;
    if ((st = np_options_take(&np_picture_options_fields, record->options.picture, &record->picture)))
        return st;
    record->options.picture = &record->picture;
    if (!record->picture.picture)
        return np_picture_check(&record->picture);
    if ((st = np_picture_find(&record->picture, &kind)) || !kind)
        return st;
    if ((st = make_sheet(record, PICTURE, &kind->sheet, command)) ||
        (st = np_picture_open(&record->picture, kind, &record->file)))
        return st;
    record->sheet[PICTURE]->stream = record->file.svg;
    record->sheet[PICTURE]->output = record->file.output;
    return NP_OK;
}

/* Has each observer call the next one. */
static void chain(np_record *record)
{
    const np_observer *next = NULL;
    for (size_t i = SHEETS; i-- > 0;)
        if (record->sheet[i]) {
            record->sheet[i]->observer.next = next;
            next = &record->sheet[i]->observer;
        }
}

static np_status check_filters(const np_record_options *o)
{
    const char *filter = o->trace_packets ? "trace_packets" : "trace_steps";
    if (o->force && !o->trace && !o->links && !o->nodes && !o->packets && !o->steps &&
        (!o->picture || !o->picture->picture))
        return NP_RAISE(NP_ERROR_INPUT, "force: is for files of events, and none is to be written");
    if (o->trace || (!o->trace_packets && !o->trace_steps))
        return NP_OK;
    return NP_RAISE(NP_ERROR_INPUT, "%s: filters the trace: name its file with trace, too", filter);
}

np_status np_record_open(const np_record_options *options, const char *command, np_record **out)
{
    np_record *record;
    np_status st;
    *out = NULL;
    if ((st = np_memory_zeroed(&record, 1, sizeof *record, "a record")))
        return st;
    if (!(st = np_options_take(&np_record_options_fields, options, &record->options)))
        st = check_filters(&record->options);
    for (size_t i = 0; i < KINDS && !st; i++)
        st = open_sheet(record, i, command);
    if (!st)
        st = open_picture(record, command);
    chain(record);
    if (st || !np_record_observer(record))
        np_record_discard(record);
    else
        *out = record;
    return st;
}

/* ---- The end ---- */

bool np_record_chose_nothing(const np_record *record)
{
    const np_record_options *o = &record->options;
    const np_sheet *trace = record->sheet[0];
    return (o->trace_packets || o->trace_steps) && trace && !trace->chose;
}

static void discard_file(np_record *record, size_t i)
{
    if (i == PICTURE)
        np_picture_discard(&record->file);
    else
        np_output_discard(record->sheet[i]->output);
}

static np_status commit_file(np_record *record, size_t i)
{
    return i == PICTURE ? np_picture_commit(&record->file) : np_output_commit(record->sheet[i]->output);
}

static void free_sheet(np_sheet *sheet)
{
    if (sheet && sheet->kind->clear)
        sheet->kind->clear(sheet);
    np_memory_free(sheet);
}

/* Writes the rest of the file; returns the first failure of the sheet. */
static np_status finish_sheet(np_sheet *sheet)
{
    settle(sheet, begin_file(sheet));
    if (!sheet->status && sheet->kind->finish)
        settle(sheet, sheet->kind->finish(sheet));
    return sheet->status ? NP_RAISE(sheet->status, "%s", sheet->message) : NP_OK;
}

/* One that has failed ends the run: then the others do not have all of it. */
np_status np_record_commit(np_record *record)
{
    np_status st = NP_OK;
    for (size_t i = 0; record && i < SHEETS && !st; i++)
        if (record->sheet[i])
            st = finish_sheet(record->sheet[i]);
    for (size_t i = 0; record && i < SHEETS; i++) {
        if (record->sheet[i] && st)
            discard_file(record, i);
        else if (record->sheet[i])
            st = commit_file(record, i);
        free_sheet(record->sheet[i]);
    }
    np_memory_free(record);
    return st;
}

void np_record_discard(np_record *record)
{
    for (size_t i = 0; record && i < SHEETS; i++) {
        if (record->sheet[i])
            discard_file(record, i);
        free_sheet(record->sheet[i]);
    }
    np_memory_free(record);
}
