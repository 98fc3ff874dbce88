/* A line for each packet of each phase and run. Its delay is the number of steps in which it waited for
 * others, and not for the time of its next phase. */
#include "base/memory.h"
#include "show/record/record.h"

typedef struct journey {
    np_node source, at;
    uint32_t hops, delay;
    np_step arrival;
    np_packet other; /* the packet of which it became a part; NP_NONE: none */
    bool there;
} journey;

typedef struct packets_sheet {
    np_sheet sheet;
    np_event_phase phase;
    size_t room;
    journey *packet; /* [phase.packets] */
    np_sheet_names names;
} packets_sheet;

static np_status begin(np_sheet *sheet, const np_event_phase *phase)
{
    packets_sheet *s = (packets_sheet *)sheet;
    s->phase = *phase;
    if (phase->packets > s->room) {
        np_status st = np_memory_grow(&s->packet, 0, phase->packets, sizeof *s->packet, "a record");
        if (st)
            return st;
        s->room = phase->packets;
    }
    for (np_packet p = 0; p < phase->packets; p++)
        s->packet[p] = (journey){.other = NP_NONE};
    return np_sheet_names_init(&s->names, sheet, phase->network, false);
}

static np_status take(np_sheet *sheet, const np_event *event)
{
    packets_sheet *s = (packets_sheet *)sheet;
    journey *packet = &s->packet[event->packet];
    bool moved = event->kind == NP_EVENT_MOVED;
    packet->at = moved ? event->to : event->from;
    packet->hops += moved;
    packet->delay +=
        event->kind == NP_EVENT_WAITED && event->reason != NP_EVENT_LENGTH && event->reason != NP_EVENT_PHASE;
    if (event->kind == NP_EVENT_INJECTED || event->kind == NP_EVENT_SPLIT) {
        packet->source = event->from;
        packet->there = true;
    } else if (event->kind == NP_EVENT_LANDED || event->kind == NP_EVENT_COMBINED) {
        packet->arrival = event->step;
        packet->other = event->other;
    }
    return NP_OK;
}

static np_status end(np_sheet *sheet, const np_phase_run *run)
{
    const packets_sheet *s = (packets_sheet *)sheet;
    const np_event_leveled *lv = s->phase.leveled;
    char source[NP_NAME_ROOM], destination[NP_NAME_ROOM];
    (void)run;
    for (np_packet p = 0; p < s->phase.packets; p++) {
        const journey *packet = &s->packet[p];
        if (!packet->there)
            continue;
        np_sheet_begin_line(sheet, &s->phase);
        fprintf(sheet->stream, "%u,%s,%s,%u,%u,%u,", p,
                np_sheet_name(&s->names, lv ? lv->host[packet->source] : packet->source, source),
                np_sheet_name(&s->names, lv ? lv->host[packet->at] : packet->at, destination), packet->hops,
                packet->delay, packet->arrival);
        if (packet->other != NP_NONE)
            fprintf(sheet->stream, "%u", packet->other);
        fputc('\n', sheet->stream);
    }
    return NP_OK;
}

static void clear(np_sheet *sheet)
{
    packets_sheet *s = (packets_sheet *)sheet;
    np_memory_free(s->packet);
    np_sheet_names_clear(&s->names);
}

static double lines(const np_event_phase *phase) { return phase->packets; }

const np_sheet_kind np_sheet_packets = {
    .path = offsetof(np_record_options, packets),
    .size = sizeof(packets_sheet),
    .columns = "run,phase,name,packet,source,destination,hops,delay,arrival,combined_into",
    .begin = begin,
    .event = take,
    .end = end,
    .clear = clear,
    .lines = lines,
    .line_bytes = 36,
    .of_runs = true,
};
