/*
 * Programs of guests: files of the links that carry a packet in each step.
 *
 * Lines may come in any order: they are sorted by step, then by link. A link given by its ends means the first of the
 * parallel links between these ends that is free in the step.
 *
 * A routing on the guest is a program, too. The scheme "greedy" moves the traffic over the guest's links, by queues,
 * first come first served. U then simulates the hops: which packet crosses which link in which step.
 */
#include "papers/universal/program.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/room.h"
#include "engine/queueing/hop_list.h"
#include "netpram/route.h"

enum { STEPS_MAX = 1000000, ENTRIES_MAX = INT32_MAX }; /* ours */

static const char what[] = "a guest's program";

typedef struct entry {
    uint32_t step, group;
    uint64_t line;
} entry;

typedef struct reader {
    const np_guest *guest;
    np_text text;
    bool schedule;
    entry *entry;
    size_t count, room;
} reader;

void np_guest_program_clear(np_guest_program *program)
{
    NP_MEMORY_FREE(program->row, program->group);
    *program = (np_guest_program){0};
}

static np_status find_link(const reader *r, uint32_t *group)
{
    const np_guest *g = r->guest;
    uint64_t packet, link;
    np_status st;
    if ((st = np_text_number(&r->text, 1, "the packet", 0, NP_NONE - 1, &packet)) ||
        (st = np_text_number(&r->text, 2, "the link", 0, NP_NONE - 1, &link)))
        return st;
    *group = np_guest_group_of(g, (np_link)link);
    if (*group == g->groups)
        return np_text_raise(&r->text, NP_ERROR_INPUT,
                             "link %llu joins no two nodes of the guest: its links are numbered %u..%u",
                             (unsigned long long)link, g->link[0], g->link[g->groups - 1]);
    return NP_OK;
}

static np_status find_ends(const reader *r, uint32_t *group)
{
    const np_guest *g = r->guest;
    np_node from, to;
    np_status st;
    if ((st = np_guest_read_node(g, &r->text, 1, "from", &from)) ||
        (st = np_guest_read_node(g, &r->text, 2, "to", &to)))
        return st;
    uint32_t first = np_guest_first_group(g, from);
    for (*group = first; *group < g->groups && g->member[*group] == from; ++*group)
        if (g->head[*group] == to)
            return NP_OK;
    if (first == g->groups || g->member[first] != from)
        return np_text_raise(&r->text, NP_ERROR_INPUT, "no link leaves node %.80s of the guest",
                             NP_GUEST_NODE(g, from));
    return np_text_raise(&r->text, NP_ERROR_INPUT, "the guest has no link from node %.80s to %.80s: try %.80s",
                         NP_GUEST_NODE(g, from), NP_GUEST_NODE(g, to), NP_GUEST_NODE(g, g->head[first]));
}

static np_status find_pin(const reader *r, uint32_t *pin)
{
    const np_guest *g = r->guest;
    np_node node;
    uint64_t bus;
    np_status st;
    if ((st = np_guest_read_node(g, &r->text, 1, "the node", &node)) ||
        (st = np_text_number(&r->text, 2, "the bus", 0, g->groups - 1, &bus)))
        return st;
    for (*pin = g->row[bus]; *pin < g->row[bus + 1]; ++*pin)
        if (g->member[*pin] == node)
            return NP_OK;
    return np_text_raise(&r->text, NP_ERROR_INPUT, "node %s is not on bus %llu: try %s", NP_GUEST_NODE(g, node),
                         (unsigned long long)bus, NP_GUEST_NODE(g, g->member[g->row[bus]]));
}

static const char *format_of(const reader *r)
{
    return r->guest->buses ? "step node bus" : r->schedule ? "step packet link" : "step from to";
}

static np_status read_entry(reader *r)
{
    uint64_t step;
    uint32_t group;
    np_status st;
    if ((st = np_text_count(&r->text, 3, 3, format_of(r))) ||
        (st = np_text_number(&r->text, 0, "the step", 1, STEPS_MAX, &step)) ||
        (st = r->guest->buses ? find_pin(r, &group)
              : r->schedule   ? find_link(r, &group)
                              : find_ends(r, &group)))
        return st;
    if (r->count == ENTRIES_MAX)
        return np_text_raise(&r->text, NP_ERROR_LIMIT, "more than %d packets", ENTRIES_MAX);
    if ((st = np_memory_room(&r->entry, r->count, &r->room, sizeof *r->entry, what)))
        return st;
    r->entry[r->count++] = (entry){(uint32_t)step, group, r->text.line};
    return NP_OK;
}

static int by_step(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    return x->step != y->step ? np_order(x->step, y->step) : np_order_pair(x->group, y->group, x->line, y->line);
}

/* The next group after `last` with the same ends as group e; g->groups if there is none. */
static uint32_t parallel(const np_guest *g, uint32_t e, uint32_t last)
{
    for (last++; last < g->groups && g->member[last] == g->member[e]; last++)
        if (g->head[last] == g->head[e])
            return last;
    return g->groups;
}

/* No link may occur twice in a step. Entries are sorted; a second one with these ends gets the next parallel link. */
static np_status separate(reader *r)
{
    const np_guest *g = r->guest;
    uint32_t group = 0; /* the group of the entry before, as the file gives it */
    for (size_t i = 0; i < r->count; i++) {
        entry *e = &r->entry[i], *before = e - 1;
        if (!i || e->step != before->step || e->group != group) {
            group = e->group;
            continue;
        }
        if (g->buses)
            return NP_RAISE(NP_ERROR_INPUT, "%s:%llu: node %s writes to the bus in step %u already, by line %llu",
                            r->text.name, (unsigned long long)e->line, NP_GUEST_NODE(g, g->member[group]), e->step,
                            (unsigned long long)before->line);
        e->group = r->schedule ? g->groups : parallel(g, group, before->group);
        if (e->group == g->groups)
            return NP_RAISE(NP_ERROR_INPUT,
                            "%s:%llu: the link from node %.80s to %.80s has a packet in step %u already, of line %llu",
                            r->text.name, (unsigned long long)e->line, NP_GUEST_NODE(g, g->member[group]),
                            NP_GUEST_NODE(g, g->head[group]), e->step, (unsigned long long)before->line);
    }
    return NP_OK;
}

static np_status make_room(np_guest_program *p, uint32_t steps, size_t count)
{
    np_status st = np_memory_zeroed(&p->row, (size_t)steps + 1, sizeof *p->row, what);
    return st ? st : np_memory_array(&p->group, count, sizeof *p->group, what);
}

/* Entries are added in the order of their steps. row[t + 1] is the end of step t + 1, for now the last. */
static void add(np_guest_program *p, uint32_t step, uint32_t group)
{
    for (; p->steps < step; p->steps++)
        p->row[p->steps + 1] = p->row[p->steps];
    p->group[p->row[step]++] = group;
}

static np_status take(const reader *r, np_guest_program *out)
{
    np_status st = make_room(out, r->entry[r->count - 1].step, r->count);
    for (size_t i = 0; i < r->count && !st; i++)
        add(out, r->entry[i].step, r->entry[i].group);
    return st;
}

np_status np_guest_program_parse(const np_guest *guest, bool schedule, const char *name, const char *text,
                                 size_t length, np_guest_program *out)
{
    reader r = {.guest = guest, .schedule = schedule};
    np_status st;
    *out = (np_guest_program){0};
    if (!guest->groups)
        return NP_RAISE(NP_ERROR_INPUT, "%s: the guest has no links", name);
    if (!(st = np_text_open(&r.text, name, text, length)))
        while (!st && np_text_next(&r.text))
            st = read_entry(&r);
    if (!st && !r.count)
        st = NP_RAISE(NP_ERROR_INPUT, "%s: no steps: write lines '%s'", r.text.name, format_of(&r));
    if (!st) {
        qsort(r.entry, r.count, sizeof *r.entry, by_step);
        if (!(st = separate(&r)))
            st = take(&r, out);
    }
    np_memory_free(r.entry);
    return st;
}

/* The hops are in the order of time. */
static np_status take_hops(const np_hop_list *list, const np_guest *guest, np_guest_program *out)
{
    np_status st = make_room(out, list->hop[list->count - 1].step, list->count);
    for (size_t i = 0; i < list->count && !st; i++)
        add(out, list->hop[i].step, np_guest_group_of(guest, list->hop[i].link));
    return st;
}

np_status np_guest_program_route(const np_network *network, const np_guest *guest, const np_universal_options *options,
                                 np_guest_program *out)
{
    np_hop_recorder recorder;
    np_route_options routing;
    np_route_result *result;
    *out = (np_guest_program){0};
    np_hop_recorder_init(&recorder);
    np_route_options_init(&routing);
    routing.scheme = "greedy";
    routing.paths = options->paths;
    routing.seed = options->seed;
    routing.watch = options->watch;
    routing.observer = &recorder.observer;
    np_status st = options->packets ? np_route_traffic(network, options->packets, &routing, &result)
                                    : np_route(network, options->traffic, &routing, &result);
    if (!st)
        st = recorder.list.status;
    if (!st && !recorder.list.count)
        st = NP_RAISE(NP_ERROR_INPUT, "no packet of %s goes anywhere on %s", result->traffic, np_network_spec(network));
    if (!st)
        st = take_hops(&recorder.list, guest, out);
    np_route_result_free(result);
    np_hop_list_clear(&recorder.list);
    return st;
}

static np_status part_of_links(const np_guest_program *program, const np_guest *guest, uint32_t t, np_guest *out)
{
    const uint32_t *group = program->group + program->row[t];
    for (uint32_t i = 0; i < out->groups; i++) {
        out->row[i + 1] = i + 1;
        out->number[i] = group[i];
        out->member[i] = guest->member[group[i]];
        out->head[i] = guest->head[group[i]];
    }
    return NP_OK;
}

/* Writers are in ascending order, and so are their buses. */
static np_status part_of_buses(const np_guest_program *program, const np_guest *guest, uint32_t t, bool all,
                               np_guest *out)
{
    uint32_t bus = 0, end = 0;
    out->groups = 0;
    for (uint32_t i = program->row[t]; i < program->row[t + 1]; i++) {
        uint32_t pin = program->group[i];
        bool begins = !out->groups || pin >= guest->row[bus + 1];
        while (pin >= guest->row[bus + 1])
            bus++;
        if (begins)
            out->number[out->groups++] = bus;
        if (!all)
            out->member[end++] = guest->member[pin];
        for (uint32_t k = guest->row[bus]; all && begins && k < guest->row[bus + 1]; k++)
            out->member[end++] = guest->member[k];
        out->row[out->groups] = end;
    }
    return NP_OK;
}

np_status np_guest_program_part(const np_guest_program *program, const np_guest *guest, uint32_t t, bool all,
                                np_guest *out)
{
    uint32_t groups = program->row[t + 1] - program->row[t];
    *out = (np_guest){.network = guest->network,
                      .nodes = guest->nodes,
                      .groups = groups,
                      .members = all ? guest->row[guest->groups] : groups,
                      .buses = guest->buses,
                      .map = guest->map,
                      .whole = guest};
    np_status st = np_guest_reserve(out);
    if (st)
        return st;
    out->row[0] = 0;
    return guest->buses ? part_of_buses(program, guest, t, all, out) : part_of_links(program, guest, t, out);
}
