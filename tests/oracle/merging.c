/*
 * The rules, where the text leaves a choice:
 *
 *   - order of heads: rank, target, number in the path set; a packet before a
 *     ghost that is equal in all three. When combining: rank and target alone,
 *     a packet before a ghost, the first queue before the others;
 *   - queues of a node: the initial queue, then the queues of the edges in, ascending;
 *   - of ghosts equal in rank and target, the ghost of the packet of least number
 *     (only the record can tell);
 *   - when combining, all heads equal to the selected packet, and all equal packets
 *     that follow in the initial queue, merge at once into the head of the first
 *     queue, even if it cannot go on;
 *   - a ghost sent in step t can be selected in step t + 1 only, and only if
 *     there is no packet to select in its queue then;
 *   - an end of stream needs room to be sent, but takes no room once it is in;
 *   - with q = 1 neither ends nor ghosts need room, and a packet that stays sends
 *     a ghost over its own edge, too. If packets combine, this is an early ghost,
 *     which goes before equal packets wherever it comes to;
 *   - if ghosts need room, q = 1 is no exception;
 *   - room `freed`: the nodes are handled from the last level to the first, and a
 *     packet that has left a queue by then takes no room;
 *   - messages: see engine/merging/merge.h. A message of length s that goes at step t has a
 *     place in the next queue from t on, and leaves its own queue at the end of t + s - 1;
 *   - messages that combine and do not go in cycles: of all that equal the selected one, at heads or next in the
 *     initial queue, the longest goes on, of equal length the first. The others become part of it in the step in
 *     which it goes, leave their queues as if they went too, and count at the node until then.
 */
#include "oracle/merging.h"
#include "oracle/must.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The order in which these go if they are equal in everything else. */
enum kind { EMPTY, EARLY_GHOST, PACKET, GHOST, END };

typedef struct entry {
    uint32_t packet;
    np_step from;  /* can be selected from this step on */
    np_step until; /* if it goes: the first step without it; else 0 */
} entry;

typedef struct line {
    entry *item; /* [count] in order */
    uint32_t count, room;
    np_step ghost_at; /* the step in which `ghost` can be selected */
    bool early;       /* the ghost goes before packets that are equal to it */
    uint32_t ghost;   /* the packet whose ghost it is; NP_NONE: no ghost came yet */
    np_step end_from; /* NP_NONE: no end of stream yet */
    bool had_room;    /* was there room at the beginning of the step? */
} line;

typedef struct station {
    uint32_t packet; /* the packet being sent or consumed; NP_NONE: none */
    uint32_t edge;   /* the edge that it crosses; NP_NONE: it is consumed */
    np_step until;   /* the first step without it */
    uint32_t last;   /* the packet or ghost that the node selected last; NP_NONE: nothing */
    uint32_t *in;    /* [ins] edges that enter the node, ascending */
    uint32_t ins;
    uint32_t out, end; /* edges that leave the node: out .. end-1 */
} station;

typedef struct world {
    const oracle_merging_case *c;
    line *queue;       /* [edges + nodes]: edge queues, then initial queues */
    station *node;     /* [nodes] */
    uint32_t *hop;     /* [packets] edges crossed */
    uint32_t *at;      /* [packets] node where it counts; NP_NONE: combined with another */
    uint32_t *at_next; /* [packets] the same after the step */
    uint32_t *length;  /* [packets] */
    uint8_t *crossed;  /* [edges] in this step */
    uint32_t *part;    /* [packets] packets of messages that go in cycles */
    bool *goes;        /* [packets] it goes in this cycle */
    uint32_t alive;    /* packets neither consumed, being consumed nor combined */
    np_step now, idle, finish;
    size_t rows; /* rows of `selected` for which there is room */
    oracle_merging *out;
} world;

static void add(line *queue, entry item)
{
    if (queue->count == queue->room) {
        queue->room = 2 * queue->room + 4;
        queue->item = must(realloc(queue->item, queue->room * sizeof item));
    }
    queue->item[queue->count++] = item;
}

static void drop_first(line *queue)
{
    queue->count--;
    memmove(queue->item, queue->item + 1, queue->count * sizeof *queue->item);
}

/* < 0: packet a goes before b. */
static int order(const world *w, uint32_t a, uint32_t b)
{
    const oracle_merging_case *c = w->c;
    if (c->rank[a] != c->rank[b])
        return c->rank[a] < c->rank[b] ? -1 : 1;
    if (c->target[a] != c->target[b])
        return c->target[a] < c->target[b] ? -1 : 1;
    if (c->combine != NP_COMBINE_NONE || a == b)
        return 0;
    return a < b ? -1 : 1;
}

/* ---- queues of a node ---- */

static line *initial_queue(const world *w, uint32_t v) { return &w->queue[w->c->edges + v]; }

/* The k-th queue of node v, NULL past the last. */
static line *queue_of(const world *w, uint32_t v, uint32_t k)
{
    if (!k)
        return initial_queue(w, v);
    return k <= w->node[v].ins ? &w->queue[w->node[v].in[k - 1]] : NULL;
}

static enum kind head_of(const world *w, const line *queue, uint32_t *packet)
{
    if (queue->count) {
        *packet = queue->item[0].packet;
        if (queue->item[0].from <= w->now)
            return PACKET;
    }
    *packet = queue->ghost;
    if (queue->ghost != NP_NONE && queue->ghost_at == w->now)
        return queue->early ? EARLY_GHOST : GHOST;
    return queue->end_from <= w->now && !queue->count ? END : EMPTY;
}

/* What node v selects, and from which of its queues; for PACKET and GHOST both are set. */
static enum kind select_head(const world *w, uint32_t v, uint32_t *packet, uint32_t *source)
{
    enum kind best = END;
    line *queue;
    for (uint32_t k = 0; (queue = queue_of(w, v, k)); k++) {
        uint32_t other = NP_NONE;
        enum kind kind = head_of(w, queue, &other);
        if (kind == EMPTY)
            return EMPTY;
        if (kind == END)
            continue;
        int sign = best == END ? -1 : order(w, other, *packet);
        bool lesser_ghost = kind != PACKET && kind == best && other < *packet;
        if (sign < 0 || (sign == 0 && (kind < best || lesser_ghost))) {
            best = kind;
            *packet = other;
            *source = k;
        }
    }
    return best;
}

/* ---- sending ---- */

static bool has_room(const world *w, uint32_t e)
{
    if (w->c->room == NP_ROOM_FREED)
        return w->queue[e].count < w->c->queue_size;
    return w->queue[e].had_room;
}

/* Is there room for a ghost or an end of stream? A queue of one place always has it. */
static bool takes_word(const world *w, uint32_t e)
{
    return (w->c->queue_size == 1 && w->c->ghosts == NP_GHOSTS_FREE) || has_room(w, e);
}

/* A node that waits for an empty queue though it has a packet, and something has come by the time of its level. */
static void note_starved(world *w, uint32_t v)
{
    uint32_t packets = 0;
    line *queue;
    for (uint32_t k = 0; (queue = queue_of(w, v, k)); k++)
        packets += queue->count;
    if (w->now > w->c->level[v] && packets && (w->c->no_ghosts || w->c->ghosts == NP_GHOSTS_ROOM))
        w->out->run.starved++;
}

/* Sends ghosts over all edges out except `but`: early ghosts if `early`, and over edge `own` in any case. */
static void send_ghosts(world *w, uint32_t v, uint32_t packet, uint32_t but, bool early, uint32_t own)
{
    for (uint32_t e = w->node[v].out; e < w->node[v].end; e++)
        if (e != but && !w->c->no_ghosts && takes_word(w, e)) {
            w->queue[e].ghost = packet;
            w->queue[e].early = early || own == e;
            w->queue[e].ghost_at = w->now + 1;
            w->crossed[e] = ORACLE_SIGNAL;
            w->out->run.ghosts++;
        }
}

static void send_ends(world *w, uint32_t v)
{
    for (uint32_t e = w->node[v].out; e < w->node[v].end; e++)
        if (w->queue[e].end_from == NP_NONE && takes_word(w, e)) {
            w->queue[e].end_from = w->now + 1;
            w->crossed[e] = ORACLE_SIGNAL;
            w->idle = 0;
        }
}

/* The edge by which the packet leaves; NP_NONE if it has arrived. */
static uint32_t next_edge(const world *w, uint32_t packet)
{
    const oracle_merging_case *c = w->c;
    size_t k = c->begin[packet] + w->hop[packet];
    return k == c->begin[packet + 1] ? NP_NONE : w->node[w->at[packet]].out + c->port[k];
}

static void tell_delay(world *w, uint32_t packet)
{
    uint32_t hop = w->c->mode == NP_MESSAGES_PIPELINED ? 1 : w->length[packet], delay = w->now - w->hop[packet] * hop;
    np_phase_run *run = &w->out->run;
    w->out->delay[packet] = delay;
    run->delay_sum += delay;
    run->delay_max = delay > run->delay_max ? delay : run->delay_max;
    w->alive--;
}

static void tell_left(world *w, uint32_t packet)
{
    w->out->left[w->c->begin[packet] + packet + w->hop[packet]] = w->now;
}

/* The packet, which is in a queue of v, will have left it before step `until`. */
static void set_until(world *w, uint32_t v, uint32_t packet, np_step until)
{
    line *queue;
    for (uint32_t k = 0; (queue = queue_of(w, v, k)); k++)
        for (uint32_t i = 0; i < queue->count; i++)
            if (queue->item[i].packet == packet)
                queue->item[i].until = until;
}

/* The packet begins to leave v, or to be consumed by it. */
static void start(world *w, uint32_t v, uint32_t packet, uint32_t edge)
{
    const uint32_t length = w->length[packet];
    w->goes[packet] = true;
    set_until(w, v, packet, w->now + length);
    w->node[v].packet = packet;
    w->node[v].edge = edge;
    w->node[v].until = w->now + length;
    tell_left(w, packet);
    w->idle = 0;
    if (edge == NP_NONE) {
        w->finish = w->now + length > w->finish ? w->now + length : w->finish;
        w->out->delivered[packet] = 1;
        tell_delay(w, packet);
        return;
    }
    add(&w->queue[edge], (entry){packet, w->now + (w->c->mode == NP_MESSAGES_PIPELINED ? 1 : length), 0});
    w->out->run.hops++;
    w->hop[packet]++;
    w->at_next[packet] = w->c->head[edge];
}

/* ---- combining ---- */

static uint64_t combined_value(np_combine rule, uint64_t a, uint64_t b)
{
    switch (rule) {
    case NP_COMBINE_SUM:
        return a + b;
    case NP_COMBINE_MIN:
        return a < b ? a : b;
    case NP_COMBINE_MAX:
        return a > b ? a : b;
    case NP_COMBINE_AND:
        return a & b;
    case NP_COMBINE_OR:
        return a | b;
    default:
        return a;
    }
}

static void swallow(world *w, uint32_t survivor, uint32_t packet)
{
    w->out->value[survivor] = combined_value(w->c->combine, w->out->value[survivor], w->out->value[packet]);
    w->out->run.combined++;
    w->idle = 0;
    if (w->part[packet] > w->part[survivor])
        w->part[survivor] = w->part[packet];
    tell_delay(w, packet);
}

static void combine_heads(world *w, uint32_t v, uint32_t survivor, uint32_t source)
{
    line *queue, *first = initial_queue(w, v);
    for (uint32_t k = source + 1; (queue = queue_of(w, v, k)); k++) {
        uint32_t packet;
        if (head_of(w, queue, &packet) == PACKET && order(w, packet, survivor) == 0) {
            swallow(w, survivor, packet);
            w->at_next[packet] = NP_NONE;
            drop_first(queue);
        }
    }
    while (!source && first->count > 1 && order(w, first->item[1].packet, survivor) == 0) {
        entry kept = first->item[0];
        swallow(w, survivor, first->item[1].packet);
        w->at_next[first->item[1].packet] = NP_NONE;
        drop_first(first);
        first->item[0] = kept;
    }
}

/* How many packets at the front of the node's k-th queue equal `packet`: in edge queues one at most. */
static uint32_t equals_in(const world *w, uint32_t v, uint32_t k, uint32_t packet)
{
    const line *queue = queue_of(w, v, k);
    uint32_t head, count = 0;
    if (head_of(w, queue, &head) != PACKET)
        return 0;
    while (count < (k ? 1 : queue->count) && order(w, queue->item[count].packet, packet) == 0)
        count++;
    return count;
}

/* The longest message of those that equal the selected one. */
static uint32_t longest_equal(const world *w, uint32_t v, uint32_t selected)
{
    uint32_t best = NP_NONE;
    for (uint32_t k = 0; queue_of(w, v, k); k++)
        for (uint32_t i = 0; i < equals_in(w, v, k, selected); i++) {
            uint32_t other = queue_of(w, v, k)->item[i].packet;
            if (best == NP_NONE || w->length[other] > w->length[best])
                best = other;
        }
    return best;
}

/* All that equal the packet go with it. */
static void go_in_step(world *w, uint32_t v, uint32_t packet)
{
    for (uint32_t k = 0; queue_of(w, v, k); k++)
        for (uint32_t i = 0; i < equals_in(w, v, k, packet); i++) {
            uint32_t other = queue_of(w, v, k)->item[i].packet;
            if (other == packet)
                continue;
            swallow(w, packet, other);
            set_until(w, v, other, w->now + w->length[other]);
        }
}

/* ---- a step ---- */

/* What has left the queues of node v when the present step is over. */
static void clear_queues(world *w, uint32_t v)
{
    line *queue;
    for (uint32_t k = 0; (queue = queue_of(w, v, k)); k++)
        for (uint32_t i = queue->count; i-- > 0;) {
            if (queue->item[i].until != w->now + 1)
                continue;
            uint32_t packet = queue->item[i].packet;
            if (packet != w->node[v].packet)
                w->at_next[packet] = NP_NONE;
            queue->count--;
            memmove(queue->item + i, queue->item + i + 1, (queue->count - i) * sizeof *queue->item);
        }
}

static void check_sorted(world *w, uint32_t v, uint32_t packet)
{
    if (w->node[v].last != NP_NONE && order(w, packet, w->node[v].last) < 0)
        w->out->unsorted = true;
    w->node[v].last = packet;
}

/* Returns the edge for which the packet waits; NP_NONE if it goes. */
static uint32_t begin_packet(world *w, uint32_t v, uint32_t packet, uint32_t source)
{
    if (w->c->combine != NP_COMBINE_NONE && !w->c->in_step)
        combine_heads(w, v, packet, source);
    uint32_t edge = next_edge(w, packet);
    if (edge != NP_NONE && !has_room(w, edge))
        return edge;
    if (w->c->in_step)
        go_in_step(w, v, packet);
    start(w, v, packet, edge);
    return NP_NONE;
}

/* Returns the entry of the record for node v in this step. */
static uint32_t step_node(world *w, uint32_t v)
{
    station *node = &w->node[v];
    uint32_t packet = NP_NONE, source = 0;
    enum kind kind = PACKET;
    if (node->packet != NP_NONE)
        packet = node->packet; /* the node is busy with it and looks at no heads */
    else
        kind = select_head(w, v, &packet, &source);
    if (kind == EMPTY) {
        note_starved(w, v);
        return ORACLE_WAITS;
    }
    if (kind == END) {
        send_ends(w, v);
        return ORACLE_END;
    }
    if (kind == PACKET && node->packet == NP_NONE && w->c->in_step)
        packet = longest_equal(w, v, packet);
    check_sorted(w, v, packet);
    uint32_t own = NP_NONE;
    if (kind == PACKET && node->packet == NP_NONE)
        own = begin_packet(w, v, packet, source);
    own = w->c->combine != NP_COMBINE_NONE ? own : NP_NONE;
    send_ghosts(w, v, packet, node->packet != NP_NONE ? node->edge : NP_NONE, kind == EARLY_GHOST, own);
    if (node->packet != NP_NONE && node->edge != NP_NONE)
        w->crossed[node->edge] = ORACLE_PACKET;
    clear_queues(w, v);
    if (node->until == w->now + 1)
        node->packet = NP_NONE;
    return 2 * packet + (kind != PACKET);
}

static void note_population(world *w)
{
    uint32_t *count = zeroed(w->c->host_nodes, sizeof *count);
    for (uint32_t i = 0; i < w->c->packets; i++)
        if (w->at[i] != NP_NONE && ++count[w->c->host[w->at[i]]] > w->out->run.population_max)
            w->out->run.population_max = count[w->c->host[w->at[i]]];
    free(count);
}

static void note_queues(world *w)
{
    np_phase_run *run = &w->out->run;
    for (uint32_t e = 0; e < w->c->edges; e++) {
        line *queue = &w->queue[e];
        uint32_t real = queue->count, all = real + (queue->ghost != NP_NONE && queue->ghost_at == w->now);
        queue->had_room = real < w->c->queue_size;
        run->queue_real_max = real > run->queue_real_max ? real : run->queue_real_max;
        run->queue_max = all > run->queue_max ? all : run->queue_max;
    }
}

/* One physical step of a part: every link takes one of those that wait for it. False: nobody waits. */
static bool play(const oracle_merging_case *c, uint32_t part, bool *waits)
{
    bool *busy = zeroed(c->host_links, sizeof *busy), any = false;
    for (uint32_t e = 0; e < c->edges; e++) {
        any = any || waits[e];
        if (waits[e] && !busy[c->link[c->walk[e] + part]]) {
            busy[c->link[c->walk[e] + part]] = true;
            waits[e] = false;
        }
    }
    free(busy);
    return any;
}

uint32_t oracle_physical_step(const oracle_merging_case *c, const uint8_t *crossed, uint8_t least)
{
    bool *waits = zeroed(c->edges, sizeof *waits), any = true;
    uint32_t steps = 0;
    for (uint32_t part = 0; any; part++) {
        any = false;
        for (uint32_t e = 0; e < c->edges; e++) {
            waits[e] = crossed[e] >= least && c->walk[e] + part < c->walk[e + 1];
            any = any || waits[e];
        }
        while (play(c, part, waits))
            steps++;
    }
    free(waits);
    return steps ? steps : 1;
}

static uint32_t longest(const oracle_merging_case *c)
{
    uint32_t most = 1;
    for (uint32_t i = 0; c->length && i < c->packets; i++)
        most = c->length[i] > most ? c->length[i] : most;
    return most;
}

/* Step k of the present cycle, from 0: messages that have more than k packets send one. Signals go in step 0. */
static void play_packets(world *w, uint32_t cycle, uint32_t k, const uint8_t *by_message, const uint32_t *edge_of)
{
    uint8_t *crossed = zeroed(w->c->edges, sizeof *crossed);
    for (uint32_t e = 0; e < w->c->edges; e++)
        if (by_message[e] == ORACLE_SIGNAL && k == 0)
            crossed[e] = ORACLE_SIGNAL;
    for (uint32_t i = 0; i < w->c->packets; i++)
        if (w->goes[i] && w->part[i] > k) {
            w->out->run.packet_steps = w->now * cycle + k + 1;
            if (edge_of[i] != NP_NONE) {
                crossed[edge_of[i]] = ORACLE_PACKET;
                w->out->run.packet_hops++;
            }
        }
    w->out->run.physical_steps += oracle_physical_step(w->c, crossed, ORACLE_SIGNAL);
    w->out->back += oracle_physical_step(w->c, crossed, ORACLE_PACKET);
    free(crossed);
}

/* The edge that each packet that goes has crossed; NP_NONE: it was consumed, or did not go. */
static void find_edges(const world *w, uint32_t *edge_of)
{
    for (uint32_t i = 0; i < w->c->packets; i++) {
        uint32_t v = w->c->origin[i];
        edge_of[i] = NP_NONE;
        bool moved = w->goes[i] && w->at[i] != w->at_next[i];
        for (uint32_t k = 0; moved && k < w->hop[i]; k++) {
            edge_of[i] = w->node[v].out + w->c->port[w->c->begin[i] + k];
            v = w->c->head[edge_of[i]];
        }
    }
}

/* The steps of the present cycle, packet by packet. */
static void play_cycle(world *w)
{
    const uint32_t cycle = longest(w->c);
    uint32_t *edge_of = zeroed(w->c->packets, sizeof *edge_of);
    find_edges(w, edge_of);
    for (uint32_t k = 0; k < cycle; k++)
        play_packets(w, cycle, k, w->crossed, edge_of);
    free(edge_of);
}

static void step(world *w)
{
    const uint32_t nodes = w->c->nodes;
    memset(w->crossed, ORACLE_NOTHING, w->c->edges);
    if (w->now >= w->rows) {
        w->rows = 2 * w->rows + 16;
        w->out->selected = must(realloc(w->out->selected, w->rows * nodes * sizeof(uint32_t)));
    }
    note_queues(w);
    w->idle++;
    for (uint32_t level = w->c->depth + 1; level-- > 0;)
        for (uint32_t v = 0; v < nodes; v++)
            if (w->c->level[v] == level)
                w->out->selected[(size_t)w->now * nodes + v] = step_node(w, v);
    if (w->c->in_cycles) {
        play_cycle(w);
    } else {
        w->out->run.physical_steps += oracle_physical_step(w->c, w->crossed, ORACLE_SIGNAL);
        w->out->back += oracle_physical_step(w->c, w->crossed, ORACLE_PACKET);
    }
    memset(w->goes, 0, w->c->packets * sizeof *w->goes);
    memcpy(w->at, w->at_next, w->c->packets * sizeof *w->at);
    w->now++;
    note_population(w);
}

/* ---- the whole ---- */

static void sort_initial(world *w, line *queue)
{
    for (uint32_t i = 1; i < queue->count; i++)
        for (uint32_t j = i; j > 0; j--) {
            entry a = queue->item[j - 1], b = queue->item[j];
            int sign = order(w, a.packet, b.packet);
            if (sign < 0 || (sign == 0 && a.packet < b.packet))
                break;
            queue->item[j - 1] = b;
            queue->item[j] = a;
        }
}

static void measure_congestion(world *w)
{
    const oracle_merging_case *c = w->c;
    np_phase_run *run = &w->out->run;
    for (uint32_t e = 0; e < c->edges; e++) {
        uint32_t packets = 0, targets = 0, *seen = zeroed(c->packets, sizeof *seen);
        for (uint32_t i = 0; i < c->packets; i++) {
            uint32_t v = c->origin[i], crosses = 0;
            for (size_t k = c->begin[i]; k < c->begin[i + 1]; k++) {
                uint32_t edge = w->node[v].out + c->port[k];
                crosses += edge == e;
                v = c->head[edge];
            }
            uint32_t j = 0;
            while (crosses && j < targets && seen[j] != c->target[i])
                j++;
            if (crosses && j == targets)
                seen[targets++] = c->target[i];
            packets += crosses;
        }
        free(seen);
        run->congestion = packets > run->congestion ? packets : run->congestion;
        if (c->combine == NP_COMBINE_NONE)
            targets = packets; /* without combining each packet crosses the edge */
        run->congestion_destinations = targets > run->congestion_destinations ? targets : run->congestion_destinations;
    }
}

static void index_edges(world *w)
{
    const oracle_merging_case *c = w->c;
    for (uint32_t e = 0; e < c->edges; e++) {
        station *tail = &w->node[c->tail[e]], *head = &w->node[c->head[e]];
        if (tail->end == 0)
            tail->out = e;
        tail->end = e + 1;
        head->in = must(realloc(head->in, (head->ins + 1) * sizeof *head->in));
        head->in[head->ins++] = e;
    }
}

static void begin(world *w)
{
    const oracle_merging_case *c = w->c;
    for (uint32_t e = 0; e < c->edges; e++)
        w->queue[e].end_from = w->queue[e].ghost = NP_NONE;
    for (uint32_t v = 0; v < c->nodes; v++) {
        w->node[v].packet = w->node[v].last = initial_queue(w, v)->ghost = NP_NONE;
        initial_queue(w, v)->end_from = 0;
    }
    for (uint32_t i = 0; i < c->packets; i++) {
        w->at[i] = w->at_next[i] = c->origin[i];
        w->part[i] = c->length ? c->length[i] : 1;
        w->length[i] = c->length && c->mode != NP_MESSAGES_CYCLES ? c->length[i] : 1;
        w->out->value[i] = c->value ? c->value[i] : i;
        add(initial_queue(w, c->origin[i]), (entry){i, 0, 0});
        for (size_t k = c->begin[i]; k <= c->begin[i + 1]; k++)
            w->out->left[k + i] = NP_NONE;
    }
    for (uint32_t v = 0; v < c->nodes; v++)
        sort_initial(w, initial_queue(w, v));
    w->alive = c->packets;
    note_population(w);
}

/* A message cycle is one step here. */
static void tell(world *w)
{
    const oracle_merging_case *c = w->c;
    const uint32_t cycle = c->mode == NP_MESSAGES_CYCLES ? longest(c) : 1;
    np_phase_run *run = &w->out->run;
    run->packets = c->packets;
    run->levels = c->depth;
    run->node_steps = (uint64_t)w->now * c->nodes;
    w->out->rows = w->now;
    run->steps = w->now * cycle;
    run->cycles = c->in_cycles ? w->now : 0;
    run->delay_max *= cycle;
    run->delay_sum *= cycle;
    for (uint32_t i = 0; i < c->packets; i++)
        w->out->delay[i] *= cycle;
}

static void reserve(world *w)
{
    const oracle_merging_case *c = w->c;
    const size_t left = c->begin[c->packets] + c->packets;
    w->out = zeroed(1, sizeof *w->out);
    w->queue = zeroed(c->edges + c->nodes, sizeof *w->queue);
    w->node = zeroed(c->nodes, sizeof *w->node);
    w->hop = zeroed(c->packets, sizeof *w->hop);
    w->at = zeroed(c->packets, sizeof *w->at);
    w->at_next = zeroed(c->packets, sizeof *w->at_next);
    w->length = zeroed(c->packets, sizeof *w->length);
    w->crossed = zeroed(c->edges, sizeof *w->crossed);
    w->part = zeroed(c->packets, sizeof *w->part);
    w->goes = zeroed(c->packets, sizeof *w->goes);
    w->out->left = zeroed(left, sizeof *w->out->left);
    w->out->delay = zeroed(c->packets, sizeof *w->out->delay);
    w->out->value = zeroed(c->packets, sizeof *w->out->value);
    w->out->delivered = zeroed(c->packets, sizeof *w->out->delivered);
}

static void release(world *w)
{
    for (uint32_t i = 0; i < w->c->edges + w->c->nodes; i++)
        free(w->queue[i].item);
    for (uint32_t v = 0; v < w->c->nodes; v++)
        free(w->node[v].in);
    free(w->queue);
    free(w->node);
    free(w->hop);
    free(w->at);
    free(w->at_next);
    free(w->length);
    free(w->crossed);
    free(w->part);
    free(w->goes);
}

oracle_merging *oracle_merge(const oracle_merging_case *c)
{
    world w = {.c = c};
    const uint32_t patience = 2 * (c->depth + 2) + longest(c);
    reserve(&w);
    index_edges(&w);
    begin(&w);
    while ((w.alive || w.now < w.finish) && !w.out->deadlock) {
        step(&w);
        w.out->deadlock = w.idle > patience;
    }
    measure_congestion(&w);
    tell(&w);
    release(&w);
    return w.out;
}

void oracle_merging_free(oracle_merging *result)
{
    free(result->selected);
    free(result->left);
    free(result->delay);
    free(result->value);
    free(result->delivered);
    free(result);
}
