#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memmem */
#endif
#include "oracle/trace_judge.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "netpram/network.h"

enum { NOWHERE = -1 };

typedef struct packet {
    bool in, done;     /* it has entered the phase, and ended */
    long node, end;    /* where it is; where it belongs, NOWHERE: not known */
    long step_node;    /* where it was when the present step began */
    long acted, moved; /* the last steps in which it did anything, and in which it moved */
    long link;         /* over which it came last; NOWHERE: none */
    long wants;        /* the link for which it waited last; NOWHERE: it has moved since */
    long root;         /* the packet from which it came by splitting, which began with the phase */
    long joined;       /* the step in which it entered */
    long shares; /* the packet from which it has split, or that has from it, and is in the same place; or NOWHERE */
    long rested; /* the last step in which it waited for the time of a phase; NOWHERE: never */
    long length, gone; /* packets of the message; how many of them have gone ahead, before it moves or ends */
} packet;

typedef struct link {
    long from, to;     /* NOWHERE: not seen yet */
    long carried;      /* the last step in which it carried a packet */
    long carrier;      /* which one */
    long queue, begin; /* packets in the queue at its head: now, when step `changed` began */
    long changed;
    long step, count;       /* packets that want it in that step */
    long claim_step, claim; /* what the trace says of its queue in that step */
} link;

/* A wait, or a packet that became a part of another one, which is judged when its step is over. */
typedef struct wait {
    long packet, other, link;
    bool joined;
} wait;

/* Where a packet ended the phase before. */
typedef struct place {
    long root, node;
} place;

typedef struct judge {
    oracle_verdict *out;
    np_network *network; /* of the phase */
    char spec[256];      /* of the phase before */
    bool open, leveled;
    bool circuits;  /* in its step a packet crosses all links of its way */
    bool unended;   /* packets are created over time, and may be on their way at the end */
    bool pipelined; /* messages move when their first packet has crossed; else when the last one has */
    wait *leaves;   /* [leaving] a message leaves the queue of `link` in step `other` */
    size_t leaving, leave_room;
    long run, packets, queue_size, step, moves, last_landing;
    long time; /* the step after which the phase stops; NOWHERE: none */
    packet *packet;
    size_t packet_room, link_room;
    link *link;
    wait *wait;
    size_t waits, wait_room;
    place *ended; /* [ends] of the phase before, if packets go on from there */
    size_t ends, end_room;
    place *host; /* [host_room] on leveled networks: the physical node of a packet that has moved in this run */
    size_t host_room;
} judge;

/* The first complaint stays. */
static void complain(judge *j, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void complain(judge *j, const char *format, ...)
{
    va_list arguments;
    if (*j->out->wrong)
        return;
    int length = snprintf(j->out->wrong, sizeof j->out->wrong, "line %lu: ", j->out->lines);
    va_start(arguments, format);
    vsnprintf(j->out->wrong + length, sizeof j->out->wrong - (size_t)length, format, arguments);
    va_end(arguments);
}

static void *grow(void *array, size_t *room, size_t needed, size_t size)
{
    size_t old = *room;
    if (needed <= old)
        return array;
    *room = 2 * needed;
    array = realloc(array, *room * size);
    if (!array)
        abort();
    memset((char *)array + old * size, 0, (*room - old) * size);
    return array;
}

/* ---- Reading a line ---- */

/* What follows `"key": ` in the line; NULL: there is no such key. */
static const char *value_of(const char *line, const char *key)
{
    char name[64];
    int length = snprintf(name, sizeof name, "\"%s\": ", key);
    const char *at = memmem(line, strcspn(line, "\n"), name, (size_t)length);
    return at ? at + length : NULL;
}

static long number(const char *line, const char *key)
{
    const char *value = value_of(line, key);
    return value && *value >= '0' && *value <= '9' ? strtol(value, NULL, 10) : NOWHERE;
}

/* The character of a text at *at, which moves past it; "\\"" and "\\n" are one. */
static char character(const char **at)
{
    static const char code[] = "ntrbf", means[] = "\n\t\r\b\f";
    if (**at != '\\')
        return *(*at)++;
    *at += 2;
    if ((*at)[-1] == 'u') {
        *at += 4;
        char digits[] = {(*at)[-2], (*at)[-1], 0}; /* names have only such characters in this form */
        return (char)strtol(digits, NULL, 16);
    }
    const char *known = strchr(code, (*at)[-1]);
    return known ? means[known - code] : (*at)[-1];
}

/* A node, by its number or its name; NOWHERE: there is none. */
static long node_of(const judge *j, const char *line, const char *key)
{
    const char *at = value_of(line, key);
    char name[256];
    size_t length = 0;
    if (!at || *at != '"')
        return number(line, key);
    for (at++; *at && *at != '"' && length < sizeof name - 1;)
        name[length++] = character(&at);
    name[length] = 0;
    np_node node = np_network_find_node(j->network, name);
    return node == NP_NONE ? NOWHERE : (long)node;
}

static bool is(const char *line, const char *key, const char *text)
{
    const char *value = value_of(line, key);
    size_t length = strlen(text);
    return value && *value == '"' && !strncmp(value + 1, text, length) && value[length + 1] == '"';
}

/* ---- Links and queues ---- */

static link *link_of(judge *j, long number)
{
    static link none;
    size_t old = j->link_room;
    if (number < 0 || number > 1L << 28) {
        complain(j, "no link");
        return &none;
    }
    j->link = grow(j->link, &j->link_room, (size_t)number + 1, sizeof *j->link);
    for (; old < j->link_room; old++)
        j->link[old] = (link){.from = NOWHERE,
                              .to = NOWHERE,
                              .carried = NOWHERE,
                              .carrier = NOWHERE,
                              .changed = NOWHERE,
                              .step = NOWHERE,
                              .claim_step = NOWHERE};
    return &j->link[number];
}

static void change_queue(judge *j, long number, int by)
{
    if (number == NOWHERE)
        return;
    link *l = link_of(j, number);
    if (l->changed != j->step)
        l->begin = l->queue;
    l->changed = j->step;
    l->queue += by;
}

/* Does the link of the network lead from the one node to the other? */
static bool leads(const judge *j, long number, long from, long to)
{
    return number >= 0 && (unsigned long)number < np_network_link_numbers(j->network) &&
           np_network_link_tail(j->network, (np_link)number) == (np_node)from &&
           np_network_link_head(j->network, (np_link)number) == (np_node)to;
}

static bool is_shuffle_exchange(const judge *j)
{
    return !strncmp(j->spec, "shuffle-exchange:", strlen("shuffle-exchange:"));
}

/* On shuffle-exchanges, where links have no direction, the link of the way back: one more, behind the others. */
static long one_way(judge *j, long number, long from, long to)
{
    if (j->leveled || !is_shuffle_exchange(j) || leads(j, number, from, to) || !leads(j, number, to, from))
        return number;
    j->out->backwards++;
    return number + (long)np_network_link_numbers(j->network);
}

/* 3: the ends of a link are those of the network; on a leveled network, always the same. */
static void judge_ends(judge *j, long number, long from, long to)
{
    link *l = link_of(j, number);
    if (l->from == NOWHERE) {
        long links = (long)np_network_link_numbers(j->network);
        l->from = from;
        l->to = to;
        if (!j->leveled && !leads(j, number, from, to) &&
            !(is_shuffle_exchange(j) && leads(j, number - links, to, from)))
            complain(j, "link %ld does not lead from %ld to %ld", number, from, to);
    }
    if (l->from != from || l->to != to)
        complain(j, "link %ld led from %ld to %ld before", number, l->from, l->to);
}

/*
 * Where physical link l leads from the node. On shuffle-exchanges, where links have no direction, it may go backwards.
 */
static long across(judge *j, np_link l, long node)
{
    if (l < np_network_link_numbers(j->network) && np_network_link_head(j->network, l) != NP_NONE) {
        long tail = np_network_link_tail(j->network, l), head = np_network_link_head(j->network, l);
        if (tail == node)
            return head;
        if (head == node && is_shuffle_exchange(j))
            return tail;
    }
    complain(j, "physical link %u does not leave %ld", l, node);
    return node;
}

/* A packet goes on from the physical node where it is, in the next phase too. */
static void judge_host(judge *j, long index, long from, long to)
{
    size_t old = j->host_room;
    j->host = grow(j->host, &j->host_room, (size_t)index + 1, sizeof *j->host);
    for (; old < j->host_room; old++)
        j->host[old].node = NOWHERE;
    if (j->host[index].node != NOWHERE && j->host[index].node != from)
        complain(j, "the packet is at physical node %ld", j->host[index].node);
    j->host[index].node = to;
}

/* The physical links of a logical one lead from its host to the host of its end. */
static void judge_crossing(judge *j, long index, const char *line)
{
    const char *hosts = value_of(line, "hosts"), *crosses = value_of(line, "crosses");
    char *at;
    if (!hosts || !crosses) {
        complain(j, "no physical nodes and links");
        return;
    }
    long node = strtol(hosts + 1, &at, 10), end = strtol(at + 1, NULL, 10);
    judge_host(j, index, node, end);
    for (at = (char *)crosses + 1; *at != ']'; at += *at == ',') {
        np_link l = (np_link)strtoul(at, &at, 10);
        node = across(j, l, node);
    }
    if (node != end)
        complain(j, "the physical links lead to %ld, not %ld", node, end);
}

/* 5, when the step is over. */
static void judge_queue(judge *j, const link *l, long number)
{
    long length = j->leveled ? l->queue : l->count;
    if (l->claim_step == j->step && l->claim != length)
        complain(j, "in step %ld %ld packets are in the queue of link %ld, not %ld", j->step, length, number, l->claim);
}

static void claim(judge *j, long number, long length)
{
    link *l = link_of(j, number);
    if (l->claim_step == j->step && l->claim != length)
        complain(j, "the queue of link %ld has two lengths in step %ld", number, j->step);
    l->claim_step = j->step;
    l->claim = length;
    if (j->queue_size != NOWHERE && length > j->queue_size)
        complain(j, "%ld packets in a queue of %ld", length, j->queue_size);
}

/* The packet leaves the queue where it is; but what it has split from, or what has from it, may keep their place. */
static void leave_place(judge *j, packet *p)
{
    if (p->shares == NOWHERE)
        change_queue(j, p->link, -1);
    else
        j->packet[p->shares].shares = NOWHERE;
    p->shares = NOWHERE;
}

/* ---- Steps ---- */

/* Do packets of the message still leave the node in this step? */
static bool leaves(const judge *j, long index, long node)
{
    for (size_t l = 0; l < j->link_room && j->pipelined; l++)
        if (j->link[l].carrier == index && j->link[l].from == node && j->link[l].carried >= j->step)
            return true;
    return false;
}

/* 6. */
static void judge_wait(judge *j, const wait *w)
{
    const packet *p = &j->packet[w->packet], *other = &j->packet[w->other];
    if (w->joined) {
        if (!other->in || other->node != p->node)
            complain(j, "packet %ld became a part of %ld, which is elsewhere", w->packet, w->other);
        return;
    }
    if (other->step_node != p->step_node && !(other->acted == j->step && other->node == p->node) &&
        !leaves(j, w->other, p->node))
        complain(j, "packet %ld waits behind %ld, which is elsewhere", w->packet, w->other);
    if (!j->leveled && (other->moved != j->step || other->link != w->link))
        complain(j, "packet %ld waits behind %ld, which does not cross link %ld", w->packet, w->other, w->link);
}

/* 2, 5, 6: the present step is over. */
static void end_step(judge *j)
{
    for (long p = 0; p < j->packets && j->step > 0; p++) {
        const packet *of = &j->packet[p];
        if (of->in && !of->done && of->acted != j->step && of->joined < j->step)
            complain(j, "packet %ld does nothing in step %ld", p, j->step);
        if (j->circuits && of->in && !of->done && of->moved == j->step)
            complain(j, "in step %ld packet %ld stops on its way", j->step, p);
    }
    for (size_t l = 0; l < j->link_room; l++)
        judge_queue(j, &j->link[l], (long)l);
    for (size_t i = 0; i < j->waits; i++)
        judge_wait(j, &j->wait[i]);
    j->waits = 0;
    for (long p = 0; p < j->packets; p++)
        j->packet[p].step_node = j->packet[p].node;
}

/* The last packets of messages leave queues in this step. */
static void leave_queues(judge *j)
{
    size_t kept = 0;
    for (size_t i = 0; i < j->leaving; i++)
        if (j->leaves[i].other == j->step)
            change_queue(j, j->leaves[i].link, -1);
        else
            j->leaves[kept++] = j->leaves[i];
    j->leaving = kept;
}

/* The packet moves, and leaves its queue; a pipelined message, when its last packet has. */
static void leave_queue(judge *j, packet *p)
{
    if (p->length == 1 || !j->pipelined) {
        leave_place(j, p);
        return;
    }
    j->leaves = grow(j->leaves, &j->leave_room, j->leaving + 1, sizeof *j->leaves);
    j->leaves[j->leaving++] = (wait){.link = p->link, .other = j->step + p->length - 1};
}

static void set_step(judge *j, long step)
{
    if (step < j->step)
        complain(j, "step %ld after step %ld", step, j->step);
    while (j->step < step && !*j->out->wrong) {
        end_step(j);
        j->step++;
        leave_queues(j);
    }
}

/* ---- Events ---- */

/*
 * 7: the packet, or one that split from it, ended the phase before there. Packets that were not there may be anywhere.
 */
static void judge_beginning(judge *j, long index, long node)
{
    bool known = false, there = false;
    for (size_t i = 0; i < j->ends; i++) {
        known = known || j->ended[i].root == index;
        there = there || (j->ended[i].root == index && j->ended[i].node == node);
    }
    if (known && !there)
        complain(j, "the packet ended the phase before somewhere else");
}

static void inject(judge *j, packet *p, long index, const char *line)
{
    if (p->in)
        complain(j, "the packet has entered before");
    p->in = true;
    p->node = p->step_node = node_of(j, line, "at");
    p->end = node_of(j, line, "end");
    p->length = number(line, "length") == NOWHERE ? 1 : number(line, "length");
    p->joined = j->step;
    p->rested = NOWHERE;
    p->root = index;
    judge_beginning(j, index, p->node);
}

/* 1, 2: it may act in this step. */
static void act(judge *j, packet *p)
{
    if (p->acted == j->step)
        complain(j, "the packet acts twice in step %ld", j->step);
    if (j->step <= p->joined)
        complain(j, "the packet acts in step %ld, before it is there", j->step);
    p->acted = j->step;
}

/* 11: before it moves, or ends, so many packets of the message have gone. */
static void judge_length(judge *j, packet *p, long before)
{
    if (p->gone != before)
        complain(j, "%ld packets of the message have gone before, not %ld", p->gone, before);
    p->gone = 0;
}

/* 4: a message of s packets takes s steps; the present one is the first of them if it is pipelined, else the last. */
static void judge_carrying(judge *j, link *of, const packet *p, long number)
{
    if (of->carried > j->step - (j->pipelined ? 1 : p->length))
        complain(j, "link %ld carries two packets in step %ld", number, of->carried);
    of->carried = j->step + (j->pipelined ? p->length - 1 : 0);
    of->carrier = p - j->packet;
}

static void move(judge *j, packet *p, const char *line)
{
    long l = number(line, "link"), from = node_of(j, line, "from"), to = node_of(j, line, "to"),
         queue = number(line, "queue");
    long way = one_way(j, l, from, to);
    link *of = link_of(j, way);
    if (!j->circuits || p->moved != j->step)
        act(j, p);
    if (p->node != from)
        complain(j, "the packet is at %ld", p->node);
    judge_ends(j, way, from, to);
    judge_carrying(j, of, p, l);
    judge_length(j, p, j->pipelined ? 0 : p->length - 1);
    if (p->wants != NOWHERE && p->wants != l)
        complain(j, "the packet waited for link %ld", p->wants);
    if (j->leveled) {
        judge_crossing(j, p - j->packet, line);
        leave_queue(j, p);
        change_queue(j, l, 1);
    } else {
        of->count = of->step == j->step ? of->count + 1 : 1;
        of->step = j->step;
    }
    if (queue != NOWHERE)
        claim(j, l, queue);
    p->node = to;
    p->link = l;
    p->wants = NOWHERE;
    p->moved = j->step;
    j->moves++;
    j->out->moves++;
}

static void judge_later(judge *j, wait w)
{
    j->wait = grow(j->wait, &j->wait_room, j->waits + 1, sizeof *j->wait);
    j->wait[j->waits++] = w;
    if (w.other < 0 || w.other >= j->packets || w.other == w.packet)
        complain(j, "there is no such other packet");
}

static void stay(judge *j, packet *p, long index, const char *line)
{
    long l = number(line, "link"), queue = number(line, "queue");
    act(j, p);
    if (p->node != node_of(j, line, "at"))
        complain(j, "the packet is at %ld", p->node);
    if (is(line, "why", "length")) {
        p->gone++;
        return;
    }
    if (p->wants != NOWHERE && p->wants != l)
        complain(j, "the packet waited for link %ld before", p->wants);
    p->wants = l;
    if (p->gone)
        complain(j, "the message stops after %ld of its packets", p->gone);
    if (!j->leveled && l != NOWHERE) {
        link *of = link_of(j, l);
        of->count = of->step == j->step ? of->count + 1 : 1;
        of->step = j->step;
        if (queue != NOWHERE)
            claim(j, l, queue);
    }
    if (j->leveled && p->link != NOWHERE && queue != NOWHERE) {
        const link *of = link_of(j, p->link);
        long begin = of->changed == j->step ? of->begin : of->queue;
        if (begin != queue)
            complain(j, "when step %ld began, %ld packets were in the queue", j->step, begin);
    }
    j->out->waits++;
    if (is(line, "why", "phase"))
        p->rested = j->step;
    if (is(line, "why", "behind"))
        judge_later(j, (wait){index, number(line, "other"), l, false});
}

static void end_packet(judge *j, packet *p, const char *line)
{
    if (p->node != node_of(j, line, "at"))
        complain(j, "the packet is at %ld", p->node);
    if (j->leveled)
        leave_place(j, p);
    p->done = true;
}

static void land(judge *j, packet *p, const char *line)
{
    if (j->leveled && j->step)
        act(j, p);
    else if (j->step != p->joined && p->moved != j->step && p->rested != j->step && j->step != j->time)
        complain(j, "the packet ends in step %ld, but it did not move", j->step);
    if (p->end != NOWHERE && p->node != p->end)
        complain(j, "the packet ends at %ld, not %ld", p->node, p->end);
    judge_length(j, p, p->length - 1);
    end_packet(j, p, line);
    j->last_landing = j->step;
    j->out->landings++;
}

static void combine(judge *j, packet *p, long index, const char *line)
{
    long other = number(line, "other");
    judge_length(j, p, p->length - 1);
    if (j->leveled)
        act(j, p);
    else if (p->moved != j->step)
        complain(j, "the packet becomes a part of another one in step %ld, but it did not move", j->step);
    if (!j->leveled)
        judge_later(j, (wait){index, other, NOWHERE, true});
    else if (other < 0 || other >= j->packets || !j->packet[other].in ||
             (j->packet[other].step_node != p->step_node && !leaves(j, other, p->node)))
        complain(j, "it becomes a part of a packet that is not there");
    end_packet(j, p, line);
    if (!j->leveled)
        j->last_landing = j->step;
}

static void split(judge *j, packet *p, long index, const char *line)
{
    long other = number(line, "other");
    if (p->in)
        complain(j, "the packet has entered before");
    if (other < 0 || other >= j->packets || !j->packet[other].in ||
        j->packet[other].step_node != node_of(j, line, "at"))
        complain(j, "it leaves a packet that is not there");
    *p = (packet){.in = true,
                  .node = node_of(j, line, "at"),
                  .step_node = node_of(j, line, "at"),
                  .end = NOWHERE,
                  .acted = NOWHERE,
                  .moved = NOWHERE,
                  .link = NOWHERE,
                  .wants = NOWHERE,
                  .length = 1,
                  .shares = NOWHERE,
                  .root = other < 0 || other >= j->packets ? NOWHERE : j->packet[other].root,
                  .joined = j->step - 1};
    if (!j->leveled || *j->out->wrong)
        return;
    if (j->packet[other].shares != NOWHERE)
        complain(j, "two packets split from one in one place");
    p->link = j->packet[other].link;
    p->shares = other;
    j->packet[other].shares = index;
}

/* ---- Phases ---- */

/* Where a packet that ended at a node goes on in the next phase; NOWHERE: not known. */
static long onward(const judge *j, const np_network *next, long node)
{
    const char *spec = np_network_spec(next);
    if (j->leveled || !strcmp(spec, j->spec))
        return j->leveled ? NOWHERE : node;
    if (strncmp(j->spec, "omega:", 6) != 0 || strncmp(spec, "inverse-omega:", 14) != 0)
        return NOWHERE;
    for (np_node i = 0; i < np_network_terminals(next); i++)
        if (np_network_output(j->network, i) == (np_node)node)
            return np_network_input(next, i);
    return NOWHERE;
}

/* Keeps where the packets of the phase before go on. next NULL: a new run begins. */
static void keep_ends(judge *j, const np_network *next)
{
    bool elsewhere = !next || strcmp(np_network_spec(next), j->spec) != 0;
    j->ends = 0;
    for (size_t p = 0; elsewhere && p < j->host_room; p++)
        j->host[p].node = NOWHERE;
    for (long p = 0; next && p < (long)j->packet_room; p++) {
        long node = j->packet[p].done ? onward(j, next, j->packet[p].node) : NOWHERE;
        if (node == NOWHERE)
            continue;
        j->ended = grow(j->ended, &j->end_room, j->ends + 1, sizeof *j->ended);
        j->ended[j->ends++] = (place){j->packet[p].root, node};
    }
}

static void begin_phase(judge *j, const char *line)
{
    const char *spec = value_of(line, "network"), *leveled = value_of(line, "leveled");
    char name[sizeof j->spec] = "";
    if (j->open)
        complain(j, "a phase begins in another one");
    if (spec)
        snprintf(name, sizeof name, "%.*s", (int)strcspn(spec + 1, "\""), spec + 1);
    np_network *network;
    if (np_network_create(name, &network)) {
        complain(j, "no network %s", name);
        return;
    }
    bool levels = leveled && !strncmp(leveled, "true", 4);
    bool goes_on = number(line, "run") == j->run && number(line, "phase") > 0 && levels == j->leveled;
    keep_ends(j, goes_on ? network : NULL);
    j->run = number(line, "run");
    j->leveled = levels;
    np_network_free(j->network);
    j->network = network;
    snprintf(j->spec, sizeof j->spec, "%s", name);
    j->packets = number(line, "packets");
    j->queue_size = number(line, "queue_size");
    j->time = number(line, "time");
    j->packet = grow(j->packet, &j->packet_room, (size_t)j->packets, sizeof *j->packet);
    for (long p = 0; p < (long)j->packet_room; p++) {
        j->packet[p] = (packet){.node = NOWHERE,
                                .step_node = NOWHERE,
                                .acted = NOWHERE,
                                .moved = NOWHERE,
                                .link = NOWHERE,
                                .wants = NOWHERE,
                                .length = 1,
                                .shares = NOWHERE,
                                .root = NOWHERE};
    }
    free(j->link);
    j->link = NULL;
    j->link_room = 0;
    j->open = true;
    const char *circuits = value_of(line, "circuits");
    j->circuits = circuits && !strncmp(circuits, "true", 4);
    const char *unended = value_of(line, "open");
    j->unended = unended && !strncmp(unended, "true", 4);
    j->pipelined = is(line, "messages", "pipelined");
    j->leaving = 0;
    j->step = j->moves = j->last_landing = 0;
    j->out->phases++;
}

static void end_phase(judge *j, const char *line)
{
    long steps = number(line, "steps"), hops = number(line, "hops");
    if (!j->open)
        complain(j, "the end of no phase");
    end_step(j);
    for (long p = 0; p < j->packets; p++)
        if (j->packet[p].in && !j->packet[p].done && !j->unended)
            complain(j, "packet %ld has not ended", p);
        else if (j->unended && !j->packet[p].in)
            complain(j, "packet %ld has not been created", p);
    if (j->time != NOWHERE && j->packets && steps != j->time)
        complain(j, "%ld steps in a phase of %ld", steps, j->time);
    if (j->time == NOWHERE && j->packets && steps != j->last_landing)
        complain(j, "%ld steps, but the last packet ends in step %ld", steps, j->last_landing);
    if (j->packets && hops != j->moves)
        complain(j, "%ld hops, but %ld moves", hops, j->moves);
    j->open = false;
}

static void judge_event(judge *j, const char *line)
{
    long index = number(line, "packet"), step = number(line, "step");
    if (!j->open || index < 0 || index >= j->packets || step < 0) {
        complain(j, "no event of a packet of the phase");
        return;
    }
    packet *p = &j->packet[index];
    set_step(j, step);
    bool enters = is(line, "event", "injected") || is(line, "event", "split");
    if (!enters && (!p->in || p->done))
        complain(j, "packet %ld is not there", index);
    if (is(line, "event", "injected"))
        inject(j, p, index, line);
    else if (is(line, "event", "moved"))
        move(j, p, line);
    else if (is(line, "event", "waited"))
        stay(j, p, index, line);
    else if (is(line, "event", "landed"))
        land(j, p, line);
    else if (is(line, "event", "combined"))
        combine(j, p, index, line);
    else if (is(line, "event", "split"))
        split(j, p, index, line);
    else
        complain(j, "an unknown event");
}

static void judge_line(judge *j, const char *line)
{
    if (j->out->lines == 1 &&
        (!value_of(line, "trace_packets") || strncmp(value_of(line, "trace_packets"), "null", 4) ||
         strncmp(value_of(line, "trace_steps"), "null", 4)))
        complain(j, "no trace of all events");
    else if (j->out->lines > 1 && is(line, "event", "phase"))
        begin_phase(j, line);
    else if (j->out->lines > 1 && is(line, "event", "end"))
        end_phase(j, line);
    else if (j->out->lines > 1)
        judge_event(j, line);
}

void oracle_judge_trace(const char *text, oracle_verdict *out)
{
    judge j = {.out = out};
    *out = (oracle_verdict){.wrong = ""};
    for (const char *line = text; *line && !*out->wrong; line += strcspn(line, "\n"), line += *line == '\n') {
        out->lines++;
        judge_line(&j, line);
    }
    if (j.open || !out->phases)
        complain(&j, "the trace ends within a phase");
    np_network_free(j.network);
    free(j.packet);
    free(j.link);
    free(j.wait);
    free(j.leaves);
    free(j.ended);
    free(j.host);
}
