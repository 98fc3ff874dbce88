/*
 * A line for each link of each phase: what it carried in all runs, and when most packets were at it.
 *
 * Packets at a link in a step are those in its queue. On a leveled network several logical links share a physical one,
 * and have queues of their own. There the packets at the physical link are those that crossed it in the step.
 */
#include "report/record_links.h"

typedef np_link_item item;

static void set_ends(np_tables_sheet *s, const np_event_phase *phase)
{
    const np_event_leveled *lv = phase->leveled;
    item *link = np_sheet_items(s, s->network), *edge = lv ? np_sheet_items(s, s->leveled) : NULL;
    for (np_link l = 0; l < np_network_link_numbers(phase->network); l++) {
        link[l].to = np_network_link_head(phase->network, l);
        link[l].from = link[l].to == NP_NONE ? NP_NONE : np_network_link_tail(phase->network, l);
    }
    for (uint32_t e = 0; lv && e < lv->edges; e++) {
        edge[e].from = lv->tail[e];
        edge[e].to = lv->head[e];
    }
}

np_status np_sheet_links_begin(np_sheet *sheet, const np_event_phase *phase)
{
    np_tables_sheet *s = (np_tables_sheet *)sheet;
    bool fresh;
    np_status st = np_sheet_tables_begin(s, phase, true, sizeof(item), &fresh);
    if (st)
        return st;
    if (fresh)
        set_ends(s, phase);
    item *link = np_sheet_items(s, s->network);
    for (size_t l = 0; l < s->table[s->network].count; l++)
        link[l].step = 0;
    return NP_OK;
}

static void carry(item *link, uint32_t packets, np_step step)
{
    link->carried++;
    if (packets <= link->busiest)
        return;
    link->busiest = packets;
    link->busiest_step = step;
}

static void cross(item *link, np_step step)
{
    link->here = link->step == step ? link->here + 1 : 1;
    link->step = step;
    carry(link, link->here, step);
}

np_status np_sheet_links_take(np_sheet *sheet, const np_event *event)
{
    const np_tables_sheet *s = (np_tables_sheet *)sheet;
    const np_event_leveled *lv = s->net;
    item *link = np_sheet_items(s, s->network);
    if (event->kind != NP_EVENT_MOVED)
        return NP_OK;
    carry((item *)np_sheet_items(s, lv ? s->leveled : s->network) + event->link, event->queue ? event->queue : 1,
          event->step);
    for (uint32_t i = lv ? lv->walk[event->link] : 0; lv && i < lv->walk[event->link + 1]; i++)
        cross(&link[lv->link[i]], event->step);
    return NP_OK;
}

static np_status finish(np_sheet *sheet)
{
    const np_tables_sheet *s = (np_tables_sheet *)sheet;
    char from[NP_NAME_ROOM], to[NP_NAME_ROOM];
    for (size_t t = 0; t < s->tables; t++) {
        const np_sheet_table *table = &s->table[t];
        for (size_t l = 0; l < table->count; l++) {
            const item *link = (const item *)table->item + l;
            if (link->to == NP_NONE)
                continue;
            np_sheet_table_begin_line(sheet, table);
            fprintf(sheet->stream, "%zu,%s,%s,%llu,%u,%u\n", l, np_sheet_table_name(s, table, link->from, from),
                    np_sheet_table_name(s, table, link->to, to), (unsigned long long)link->carried, link->busiest,
                    link->busiest_step);
        }
    }
    return NP_OK;
}

const np_sheet_kind np_sheet_links = {
    .path = offsetof(np_record_options, links),
    .size = sizeof(np_tables_sheet),
    .columns = "phase,name,of,link,from,to,carried,busiest,busiest_step",
    .kinds = 1 << NP_EVENT_MOVED,
    .begin = np_sheet_links_begin,
    .event = np_sheet_links_take,
    .finish = finish,
    .clear = np_sheet_tables_clear,
    .bytes = np_sheet_links_bytes,
};
