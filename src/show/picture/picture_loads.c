/*
 * The picture of what links carried: a panel for each phase, with the network's links in the colours of a scale. A link
 * lies to the right of its way, beside its opposite. The numbers are those of the table of links.
 *
 * With many phases, and of a network that is too large to draw, there is one picture of all phases together; of a large
 * network it is a matrix of its nodes.
 */
#include "base/memory.h"
#include "show/picture/heat.h"
#include "show/picture/panels.h"
#include "show/record/record_tables.h"

/*
 * A line for each link of each phase: what it carried in all runs, and when most packets were at it.
 *
 * Packets at a link in a step are those in its queue. On a leveled network several logical links share a physical one,
 * and have queues of their own. There the packets at the physical link are those that crossed it in the step.
 */

/* A link of a table. */
typedef struct np_link_item {
    np_node from, to; /* NP_NONE: the number is no link's */
    uint64_t carried;
    uint32_t busiest;
    np_step busiest_step;
    /* Of a physical link on a leveled network: the last step in which a packet crossed, and how many did. */
    np_step step;
    uint32_t here;
} np_link_item;

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

/* np_sheet_kind.begin and .event of a sheet that begins with np_tables_sheet. */
static np_status sheet_links_begin(np_sheet *sheet, const np_event_phase *phase)
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

static np_status sheet_links_take(np_sheet *sheet, const np_event *event)
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

static np_status links_finish(np_sheet *sheet)
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

static double links_lines(const np_event_phase *phase)
{
    return (double)np_network_links(phase->network) + (phase->leveled ? phase->leveled->edges : 0);
}

const np_sheet_kind np_sheet_links = {
    .path = offsetof(np_record_options, links),
    .size = sizeof(np_tables_sheet),
    .columns = "phase,name,of,link,from,to,carried,busiest,busiest_step",
    .kinds = 1 << NP_EVENT_MOVED,
    .begin = sheet_links_begin,
    .event = sheet_links_take,
    .finish = links_finish,
    .clear = np_sheet_tables_clear,
    .lines = links_lines,
    .line_bytes = 40,
};

/* ---- The picture ---- */

enum { PHASES_MAX = 8 };

static const char title[] = "Packets over each link";

typedef struct loads_sheet {
    np_tables_sheet tables;
    size_t networks;
    np_drawn *drawn;    /* [networks] on which phases were */
    uint32_t *drawn_of; /* [tables.tables] NP_NONE: a table of a leveled network */
    uint32_t runs;
} loads_sheet;

/* ---- Observing ---- */

static np_status find_drawn(loads_sheet *s, const np_network *network, uint32_t *out)
{
    np_status st;
    for (*out = 0; *out < s->networks; ++*out)
        if (np_drawn_is(&s->drawn[*out], network))
            return NP_OK;
    if ((st = np_memory_grow(&s->drawn, s->networks, s->networks + 1, sizeof *s->drawn, "a picture")))
        return st;
    if (!(st = np_drawn_init(&s->drawn[s->networks], network, s->tables.sheet.options->picture->drawing)))
        s->networks++;
    return st;
}

static np_status begin(np_sheet *sheet, const np_event_phase *phase)
{
    loads_sheet *s = (loads_sheet *)sheet;
    size_t before = s->tables.tables;
    np_status st = sheet_links_begin(sheet, phase);
    if (st)
        return st;
    if (before < s->tables.tables &&
        (st = np_memory_grow(&s->drawn_of, before, s->tables.tables, sizeof *s->drawn_of, "a picture")))
        return st;
    for (size_t t = before; t < s->tables.tables; t++)
        s->drawn_of[t] = NP_NONE;
    s->runs = phase->run + 1 > s->runs ? phase->run + 1 : s->runs;
    return find_drawn(s, phase->network, &s->drawn_of[s->tables.network]);
}

/* ---- Drawing ---- */

/* A panel: a phase, or all phases together. */
typedef struct panel {
    const np_drawn *drawn;
    char title[64];
    uint64_t *carried; /* [drawn->numbers] */
    uint64_t all, most;
} panel;

static np_status add_panel(panel *p, const np_drawn *drawn, const char *name)
{
    p->drawn = drawn;
    snprintf(p->title, sizeof p->title, "%s%.40s", *name ? "phase " : "all steps", name);
    return np_memory_zeroed(&p->carried, drawn->numbers, sizeof *p->carried, "a picture");
}

static void add_table(panel *p, const np_sheet_table *table)
{
    const np_link_item *link = table->item;
    for (size_t l = 0; l < table->count; l++) {
        p->carried[l] += link[l].carried;
        p->all += link[l].carried;
        p->most = p->carried[l] > p->most ? p->carried[l] : p->most;
    }
}

static bool carries(const np_sheet_table *table)
{
    const np_link_item *link = table->item;
    for (size_t l = 0; l < table->count; l++)
        if (link[l].carried)
            return true;
    return false;
}

/* A panel for each phase that carries something; if they are many, or none, one for each network. */
static np_status make_panels(const loads_sheet *s, panel *panels, size_t *count)
{
    size_t phases = 0;
    np_status st = NP_OK;
    for (size_t t = 0; t < s->tables.tables; t++)
        phases += s->drawn_of[t] != NP_NONE && carries(&s->tables.table[t]);
    bool each = phases && phases <= PHASES_MAX && s->drawn[0].place;
    for (size_t n = 0; n < s->networks && n < PHASES_MAX && !each && !st; n++)
        st = add_panel(&panels[(*count)++], &s->drawn[n], phases > 1 ? "sum" : "");
    for (size_t t = 0; t < s->tables.tables && !st; t++) {
        const np_sheet_table *table = &s->tables.table[t];
        if (s->drawn_of[t] == NP_NONE || !carries(table))
            continue;
        if (each)
            st = add_panel(&panels[(*count)++], &s->drawn[s->drawn_of[t]], table->name);
        if (!st && (each || s->drawn_of[t] < *count))
            add_table(&panels[each ? *count - 1 : s->drawn_of[t]], table);
    }
    return st;
}

static void set_scale(const panel *panels, size_t count, np_legend *legend)
{
    legend->least = UINT64_MAX;
    for (size_t i = 0; i < count; i++)
        for (np_link l = 0; l < panels[i].drawn->numbers; l++) {
            uint64_t carried = panels[i].carried[l];
            legend->most = carried > legend->most ? carried : legend->most;
            legend->least = carried && carried < legend->least ? carried : legend->least;
        }
    if (!legend->most)
        legend->least = 0;
}

static bool has_idle(const panel *panels, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (np_link l = 0; l < panels[i].drawn->numbers; l++)
            if (panels[i].drawn->to[l] != NP_NONE && !panels[i].carried[l])
                return true;
    return false;
}

static void draw_panels(const loads_sheet *s, const panel *panels, size_t count, FILE *stream)
{
    np_legend_line line[4];
    char scale[96], below[256];
    np_legend legend = {.line = line, .scale = scale};
    const np_drawn *d = panels[0].drawn;
    np_panels all = np_panels_of(count, d);
    set_scale(panels, count, &legend);
    np_drawn_legend(d, line, &legend.lines);
    if (has_idle(panels, count))
        line[legend.lines++] = (np_legend_line){NP_SIGN_LINE, NP_SVG_PALE, "link without a packet"};
    snprintf(scale, sizeof scale, "packets over the link%s", s->runs > 1 ? ", in all runs" : "");
    snprintf(below, sizeof below, "%.120s; drawing %s%s", d->network, d->drawing,
             np_drawn_has_opposites(d) ? "; each direction of a link lies to the right of its way" : "");
    np_frame frame = np_frame_open(all.all, title, below, s->tables.sheet.command, &legend, stream);
    for (size_t i = 0; i < count; i++) {
        char text[160];
        snprintf(text, sizeof text, "%s: %llu crossings, at most %llu of a link", panels[i].title,
                 (unsigned long long)panels[i].all, (unsigned long long)panels[i].most);
        np_drawn_view view = np_panels_at(&all, &frame, i, panels[i].drawn, text, stream);
        np_drawn_loads(&view, panels[i].carried, &legend, stream);
    }
    np_svg_close(stream);
}

/* The largest load of the links of a cell. */
static np_status draw_matrix(const loads_sheet *s, const panel *p, FILE *stream)
{
    np_heat heat;
    char below[256];
    const np_drawn *d = p->drawn;
    const np_link_item *link = s->tables.table[s->tables.network].item;
    np_status st = np_heat_init(&heat, np_heat_axis_of(d->nodes, NP_HEAT_ROWS, "from node"),
                                np_heat_axis_of(d->nodes, NP_HEAT_ROWS, "to node"));
    if (st)
        return st;
    for (np_link l = 0; l < d->numbers; l++) {
        uint64_t *cell = link[l].to == NP_NONE ? NULL : np_heat_at(&heat, link[l].from, link[l].to);
        if (cell && p->carried[l] > *cell)
            *cell = p->carried[l];
    }
    snprintf(below, sizeof below, "%.120s: the links between %llu nodes and %llu nodes are a cell", d->network,
             (unsigned long long)heat.x.each, (unsigned long long)heat.y.each);
    np_heat_picture(&heat, title, below, s->tables.sheet.command,
                    s->runs > 1 ? "most packets over a link of the cell, in all runs"
                                : "most packets over a link of the cell",
                    stream);
    np_heat_clear(&heat);
    return NP_OK;
}

static np_status finish(np_sheet *sheet)
{
    const loads_sheet *s = (loads_sheet *)sheet;
    panel panels[PHASES_MAX] = {0};
    size_t count = 0;
    if (!s->networks)
        return np_picture_nothing(title, sheet);
    np_status st = make_panels(s, panels, &count);
    if (!st && s->drawn[0].place)
        draw_panels(s, panels, count, sheet->stream);
    else if (!st)
        st = draw_matrix(s, &panels[0], sheet->stream);
    for (size_t i = 0; i < count; i++)
        np_memory_free(panels[i].carried);
    return st;
}

static void clear(np_sheet *sheet)
{
    loads_sheet *s = (loads_sheet *)sheet;
    for (size_t n = 0; n < s->networks; n++)
        np_drawn_clear(&s->drawn[n]);
    NP_MEMORY_FREE(s->drawn, s->drawn_of);
    np_sheet_tables_clear(sheet);
}

const np_picture_kind np_picture_loads = {
    .name = "loads",
    .sheet = {.size = sizeof(loads_sheet),
              .kinds = 1 << NP_EVENT_MOVED,
              .begin = begin,
              .event = sheet_links_take,
              .finish = finish,
              .clear = clear},
};
