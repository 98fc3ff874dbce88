/*
 * A line for each node of each phase: what it sent, received and held in all runs.
 *
 * The population of a node is counted at integral instants (Valiant & Brebner 1981, section 2(e)): packets that wait,
 * have just arrived or have ended their routes. Events of one step come in no special order, so a population is looked
 * at when the next step touches the node, or when the phase ends.
 */
#include "show/record/record_tables.h"

typedef struct item {
    uint64_t injected, landed, in, out, waited;
    uint32_t population_max;
    np_step population_step;
    /* In the present phase: packets there, after all events of `step` so far. */
    uint32_t population;
    np_step step;
} item;

static np_status begin(np_sheet *sheet, const np_event_phase *phase)
{
    bool fresh;
    return np_sheet_tables_begin((np_tables_sheet *)sheet, phase, false, sizeof(item), &fresh);
}

static void look(item *node)
{
    if (node->population <= node->population_max)
        return;
    node->population_max = node->population;
    node->population_step = node->step;
}

/* Changes the population of the node in a step. */
static void change(item *node, np_step step, int by)
{
    if (node->step != step)
        look(node);
    node->step = step;
    node->population += (uint32_t)by;
}

static void take_at(item *node, np_node from, np_node to, const np_event *event)
{
    switch (event->kind) {
    case NP_EVENT_INJECTED:
        node[from].injected++;
        change(&node[from], event->step, 1);
        break;
    case NP_EVENT_MOVED:
        node[from].out++;
        node[to].in++;
        change(&node[from], event->step, -1);
        change(&node[to], event->step, 1);
        break;
    case NP_EVENT_WAITED:
        node[from].waited += event->reason != NP_EVENT_LENGTH;
        break;
    case NP_EVENT_COMBINED:
        change(&node[from], event->step, -1);
        break;
    case NP_EVENT_SPLIT:
        change(&node[from], event->step, 1);
        break;
    case NP_EVENT_LANDED:
        node[from].landed++;
        break;
    case NP_EVENT_ENTERED:
    case NP_EVENT_LEFT:
    case NP_EVENT_KINDS:
        break;
    }
}

static np_status take(np_sheet *sheet, const np_event *event)
{
    const np_tables_sheet *s = (np_tables_sheet *)sheet;
    bool moved = event->kind == NP_EVENT_MOVED;
    np_node to = moved ? event->to : event->from;
    if (s->net) {
        take_at(np_sheet_items(s, s->leveled), event->from, to, event);
        take_at(np_sheet_items(s, s->network), s->net->host[event->from], s->net->host[to], event);
    } else {
        take_at(np_sheet_items(s, s->network), event->from, to, event);
    }
    return NP_OK;
}

static void end_table(const np_sheet_table *table)
{
    item *node = table->item;
    for (size_t u = 0; u < table->count; u++) {
        look(&node[u]);
        node[u].population = 0;
        node[u].step = 0;
    }
}

static np_status end(np_sheet *sheet, const np_phase_run *run)
{
    const np_tables_sheet *s = (np_tables_sheet *)sheet;
    (void)run;
    end_table(&s->table[s->network]);
    if (s->net)
        end_table(&s->table[s->leveled]);
    return NP_OK;
}

static np_status finish(np_sheet *sheet)
{
    const np_tables_sheet *s = (np_tables_sheet *)sheet;
    char room[NP_NAME_ROOM];
    for (size_t t = 0; t < s->tables; t++) {
        const np_sheet_table *table = &s->table[t];
        for (size_t u = 0; u < table->count; u++) {
            const item *node = (const item *)table->item + u;
            np_sheet_table_begin_line(sheet, table);
            fprintf(sheet->stream, "%s,%llu,%llu,%llu,%llu,%llu,%u,%u\n",
                    np_sheet_table_name(s, table, (np_node)u, room), (unsigned long long)node->injected,
                    (unsigned long long)node->landed, (unsigned long long)node->in, (unsigned long long)node->out,
                    (unsigned long long)node->waited, node->population_max, node->population_step);
        }
    }
    return NP_OK;
}

static double lines(const np_event_phase *phase)
{
    return (double)np_network_nodes(phase->network) + (phase->leveled ? phase->leveled->nodes : 0);
}

const np_sheet_kind np_sheet_nodes = {
    .path = offsetof(np_record_options, nodes),
    .size = sizeof(np_tables_sheet),
    .columns = "phase,name,of,node,injected,landed,in,out,waited,population_max,population_step",
    .begin = begin,
    .event = take,
    .end = end,
    .finish = finish,
    .clear = np_sheet_tables_clear,
    .lines = lines,
    .line_bytes = 40,
};
