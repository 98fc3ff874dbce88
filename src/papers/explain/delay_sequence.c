/*
 * The delay sequence of Leighton, Maggs, Ranade & Rao 1994, section 2.3 (the
 * construction in the proof of Lemma 2.5).
 *
 * We follow a packet p back in time. At the beginning of step t, p is at a node
 * s. If p was at s a step before as well, it waited in that step, and Lemma 2.3
 * names the reason:
 *
 *   m-delay  s selected another packet or a ghost. We go on with that one, at s.
 *            We follow a ghost back, an edge a step, to the packet that it was
 *            made of.
 *   f-delay  s selected p, but the queue at the head s' of p's next edge was
 *            full. The q packets of this queue join the sequence, and we go on
 *            with its head, at s'.
 *   else     Some queue of s was empty: the sequence ends.
 *
 * If p was not at s a step before, it crossed an edge, and we follow it back
 * over the edge. The sequence also ends when p is at its origin in step 0. Only
 * waiting and f-delays change the lag (step - level).
 *
 * Where we differ from the paper:
 *
 *   - Steps count from 0. The last packet is consumed in step t_0 = steps - 1 =
 *     L + w. A node of level i has something in all its queues from step i on.
 *     So the lag is negative where case 3 of Lemma 2.3 ends the sequence, and
 *     the sequence has v >= w + 1 elements.
 *   - The paper stops after w/q f-delays. We go on to the end, and look at the
 *     first w elements for Lemma 2.5; w/q is rounded up.
 *   - A packet that stays sends ghosts, too. The step in which it sent them is
 *     not counted as a step that it waited: the ghost's lag is the packet's lag
 *     before this wait.
 *   - We find the packets of a full queue from what the tail of its edge
 *     selected: queues are first in, first out, so the queue holds the last q
 *     packets that crossed the edge.
 *   - The paper leaves q = 1 to the reader. With the rule for ghosts of
 *     netpram/merging.h, Lemma 2.3 holds, but an f-delay adds one element while the
 *     lag drops by 2. So v >= w/2 + 1, and we check Lemmas 2.5 and 2.7 for w/2
 *     elements.
 *   - Where packets combine, we follow the survivor under its own number. With
 *     q = 1 a packet may then wait for the ghost of a packet with which it is
 *     going to combine, and which a full queue holds up. We follow the ghost back
 *     to this other half, and go on with the reason for which it waited in the step
 *     in which it sent the ghost. Its lag then was the lag of the packet.
 *   - Message cycles count as steps.
 *
 * Pipelined messages (section 2.3.2: "the analysis involves constructing a delay sequence"; the paper does not do it).
 * A node that sends a message of s packets is busy for s steps and selects nothing else. So a message may m-delay
 * another in up to s steps at one node. We go on with it in the step in which it began to go. The lag then drops by 1
 * to s, and by 2 to s + 1 with an f-delay, where s is the length of the queue's head. Lemma 2.3 holds: a busy node
 * sends ghosts over its other edges in every step, and what it sends is at the end of its edge a step later. So w, the
 * lag of the last message when it begins to arrive, is at most the sum of the lengths of the m-delaying messages and of
 * the full queues' heads, plus 1 for each full queue: this is checked in place of Lemma 2.7. Section 11 is not about
 * messages. Messages that combine go in step: of a message that has become a part of another, we follow the other.
 */
#include "papers/explain/delay_sequence.h"

#include "base/room.h"

typedef struct trail {
    const np_merge_options *options;
    const np_leveled *leveled;
    const np_path_set *path_set;
    const np_merge_record *record;
    np_explanation *out;
    size_t room;

    /* The packet that we follow is at `node`, the hop-th of its path, at the beginning of `step`. */
    np_packet packet;
    uint32_t node, hop;
    np_step step;
    uint64_t path;
    bool ended;
} trail;

void np_explanation_clear(np_explanation *explanation)
{
    np_memory_free(explanation->row);
    *explanation = (np_explanation){0};
}

bool np_explanation_holds(const np_explanation *explanation)
{
    for (unsigned i = 0; i < NP_LEMMAS; i++)
        if (!explanation->verdict[i].holds)
            return false;
    return true;
}

/* ---- what the record says ---- */

static np_status contradiction(const trail *tr, const char *what, np_packet packet, uint32_t node, np_step step)
{
    return NP_RAISE(NP_ERROR_INTERNAL, "the record contradicts itself: %s (packet %u, logical node %u, step %u)", what,
                    packet < tr->path_set->packets ? tr->path_set->packet[packet] : packet, node, step);
}

static uint32_t selected(const trail *tr, uint32_t node, np_step step)
{
    return tr->record->selected[(size_t)step * tr->leveled->nodes + node];
}

static bool is_real(uint32_t word) { return word < NP_MERGE_END && word % 2 == 0; }

static uint32_t hops(const trail *tr, np_packet packet)
{
    return (uint32_t)(tr->path_set->begin[packet + 1] - tr->path_set->begin[packet]);
}

static uint32_t length(const trail *tr, np_packet packet)
{
    return tr->record->length ? tr->record->length[packet] : 1;
}

/* When the packet left the hop-th node of its path; when a message began to. */
static np_step left(const trail *tr, np_packet packet, uint32_t hop)
{
    return tr->record->left[tr->path_set->begin[packet] + packet + hop];
}

static uint32_t node_of(const trail *tr, np_packet packet, uint32_t hop)
{
    uint32_t v = tr->path_set->origin[packet];
    for (uint32_t k = 0; k < hop; k++)
        v = tr->leveled->head[tr->leveled->out[v] + tr->path_set->port[tr->path_set->begin[packet] + k]];
    return v;
}

/* Which node of the packet's path it is; NP_NONE: the path does not go there. */
static uint32_t hop_at(const trail *tr, np_packet packet, uint32_t node)
{
    uint32_t from = np_leveled_level(tr->leveled, tr->path_set->origin[packet]);
    uint32_t level = np_leveled_level(tr->leveled, node);
    if (level < from || level - from > hops(tr, packet) || node_of(tr, packet, level - from) != node)
        return NP_NONE;
    return level - from;
}

static uint32_t edge_after(const trail *tr, np_packet packet, uint32_t node, uint32_t hop)
{
    return tr->leveled->out[node] + tr->path_set->port[tr->path_set->begin[packet] + hop];
}

/* The last packet that crossed the edge before *step; *step becomes the step in which it did. NP_NONE: none did. */
static np_packet last_over(const trail *tr, uint32_t edge, np_step *step)
{
    uint32_t tail = tr->leveled->tail[edge];
    while (*step > 0) {
        uint32_t word = selected(tr, tail, --*step);
        np_packet packet = word / 2;
        if (!is_real(word) || packet >= tr->path_set->packets)
            continue;
        uint32_t hop = hop_at(tr, packet, tail);
        if (hop < hops(tr, packet) && left(tr, packet, hop) == *step && edge_after(tr, packet, tail, hop) == edge)
            return packet;
    }
    return NP_NONE;
}

/* (rank, destination, number) of a before b. */
static bool before(const trail *tr, np_packet a, np_packet b)
{
    const uint32_t *key = tr->record->key, *target = tr->path_set->target;
    if (key[a] != key[b])
        return key[a] < key[b];
    if (target[a] != target[b])
        return target[a] < target[b];
    return a < b && tr->options->combine == NP_COMBINE_NONE;
}

/* ---- the sequence ---- */

static np_status add_row(trail *tr, np_explanation_kind kind, np_packet packet, uint32_t ghost)
{
    np_explanation *out = tr->out;
    np_status st = np_memory_room(&out->row, out->rows, &tr->room, sizeof *out->row, "a delay sequence");
    if (st)
        return st;
    uint32_t level = np_leveled_level(tr->leveled, tr->node);
    out->row[out->rows++] = (np_explanation_row){.kind = kind,
                                                 .packet = packet,
                                                 .number = tr->path_set->packet[packet],
                                                 .rank = tr->record->key[packet],
                                                 .node = tr->node,
                                                 .level = level,
                                                 .host = tr->leveled->host[tr->node],
                                                 .step = tr->step,
                                                 .lag = (int64_t)tr->step - level,
                                                 .ghost = ghost,
                                                 .path = tr->path};
    return NP_OK;
}

/* Do the two packets become one where they meet? */
static bool are_halves(const trail *tr, np_packet a, np_packet b)
{
    return tr->options->combine != NP_COMBINE_NONE && tr->record->key[a] == tr->record->key[b] &&
           tr->path_set->target[a] == tr->path_set->target[b];
}

/* The last step in which the packet is at the hop-th node of its path. */
static np_step last_at(const trail *tr, np_packet packet, uint32_t hop)
{
    np_step went = left(tr, packet, hop);
    return went == NP_NONE ? NP_NONE : went + length(tr, packet) - 1;
}

/*
 * The message that goes from the present node in the present step, if the given one has become a part of it; else this.
 */
static np_packet survivor(const trail *tr, np_packet packet)
{
    uint32_t word = selected(tr, tr->node, tr->step);
    if (!tr->record->length || !is_real(word) || word / 2 >= tr->path_set->packets || packet >= tr->path_set->packets ||
        !are_halves(tr, word / 2, packet))
        return packet;
    uint32_t hop = hop_at(tr, word / 2, tr->node);
    return hop != NP_NONE && left(tr, word / 2, hop) <= tr->step ? word / 2 : packet;
}

/*
 * From now on we follow this packet, from the present node and step; a message, from the step in which it began to go.
 */
static np_status follow(trail *tr, np_packet packet)
{
    packet = survivor(tr, packet);
    uint32_t hop = packet < tr->path_set->packets ? hop_at(tr, packet, tr->node) : NP_NONE;
    if (hop == NP_NONE)
        return contradiction(tr, "a packet where its path does not go", packet, tr->node, tr->step);
    np_step arrived = hop ? left(tr, packet, hop - 1) + 1 : 0;
    if (arrived > tr->step || last_at(tr, packet, hop) < tr->step)
        return contradiction(tr, "a packet where it is not at the time", packet, tr->node, tr->step);
    if (left(tr, packet, hop) < tr->step)
        tr->step = left(tr, packet, hop);
    tr->packet = packet;
    tr->hop = hop;
    return NP_OK;
}

/* A ghost that is selected here came from a node that selected the packet or its ghost a step before. */
static np_status trace_ghost(trail *tr, np_packet packet, uint32_t *crossed)
{
    const np_leveled *lv = tr->leveled;
    *crossed = 0;
    while (selected(tr, tr->node, tr->step) == 2 * packet + 1) {
        uint32_t i = lv->in[tr->node], end = lv->in[tr->node + 1];
        while (tr->step && i < end && selected(tr, lv->tail[lv->entering[i]], tr->step - 1) / 2 != packet)
            i++;
        if (!tr->step || i == end)
            return contradiction(tr, "a ghost that nobody sent", packet, tr->node, tr->step);
        tr->node = lv->tail[lv->entering[i]];
        tr->step--;
        tr->path++;
        ++*crossed;
    }
    return NP_OK;
}

static np_status explain_merged(trail *tr, uint32_t word)
{
    np_packet packet = word / 2, delayed = tr->packet;
    uint32_t crossed;
    np_status st;
    if (packet >= tr->path_set->packets || !before(tr, packet, delayed))
        return contradiction(tr, "a packet waits for one of greater rank", delayed, tr->node, tr->step);
    if ((st = trace_ghost(tr, packet, &crossed)) || (st = follow(tr, packet)))
        return st;
    tr->out->delays[NP_EXPLAINED_MERGED]++;
    return add_row(tr, NP_EXPLAINED_MERGED, packet, crossed);
}

/* The packet was selected, but stayed: the last q packets over its next edge are all still there. */
static np_status explain_full(trail *tr)
{
    uint32_t edge = edge_after(tr, tr->packet, tr->node, tr->hop);
    np_packet delayed = tr->packet, packet = NP_NONE;
    np_step crossed = tr->step, full = tr->step;
    np_status st;
    tr->node = tr->leveled->head[edge];
    tr->path++;
    for (uint32_t j = 0; j < tr->options->queue_size; j++) {
        packet = last_over(tr, edge, &crossed);
        if (packet == NP_NONE || last_at(tr, packet, hop_at(tr, packet, tr->node)) < full)
            return contradiction(tr, "a packet waits for room where there is some", delayed, tr->node, full);
        if (!before(tr, packet, delayed))
            return contradiction(tr, "a queue is not in order", packet, tr->node, full);
        if (j + 1 == tr->options->queue_size && (st = follow(tr, packet)))
            return st;
        if ((st = add_row(tr, NP_EXPLAINED_FULL, j + 1 == tr->options->queue_size ? tr->packet : packet, 0)))
            return st;
        tr->out->row[tr->out->rows - 1].beside = j > 0;
    }
    tr->out->delays[NP_EXPLAINED_FULL]++;
    return NP_OK;
}

/*
 * With q = 1: the packet waits for a half of its own, which a full queue held up at an earlier node. The ghost kept the
 * lag, so the half stayed there in the step that has the present lag. We go on with the half there.
 */
static np_status find_half(trail *tr, np_packet half)
{
    uint32_t level = np_leveled_level(tr->leveled, tr->node);
    uint32_t from = np_leveled_level(tr->leveled, tr->path_set->origin[half]);
    for (uint32_t hop = 0; hop < hops(tr, half) && from + hop < level; hop++) {
        uint32_t back = level - from - hop;
        if (back > tr->step || left(tr, half, hop) <= tr->step - back)
            continue;
        tr->step -= back;
        tr->path += back;
        tr->node = node_of(tr, half, hop);
        return follow(tr, half);
    }
    return contradiction(tr, "a packet waits for a half that nothing holds up", tr->packet, tr->node, tr->step);
}

/* The packet waited at its node in the present step. Lemma 2.3. */
static np_status explain_wait(trail *tr)
{
    uint32_t word = selected(tr, tr->node, tr->step);
    if (word == NP_MERGE_WAITS) { /* case 3 */
        if (tr->step < np_leveled_level(tr->leveled, tr->node)) {
            tr->ended = true;
            return add_row(tr, NP_EXPLAINED_EMPTY, tr->packet, 0);
        }
        return contradiction(tr, "a queue is empty after something reached it", tr->packet, tr->node, tr->step);
    }
    if (word == NP_MERGE_END)
        return contradiction(tr, "a packet waits at a node that has done", tr->packet, tr->node, tr->step);
    if (word % 2 && word / 2 < tr->path_set->packets && are_halves(tr, word / 2, tr->packet)) {
        np_status st = find_half(tr, word / 2);
        if (st)
            return st;
        word = selected(tr, tr->node, tr->step);
    }
    if (tr->record->length && is_real(word) && word / 2 < tr->path_set->packets &&
        are_halves(tr, word / 2, tr->packet)) {
        tr->packet = word / 2; /* all halves stay, and this is the one that would go */
        tr->hop = hop_at(tr, tr->packet, tr->node);
        if (tr->hop == NP_NONE)
            return contradiction(tr, "a packet where its path does not go", tr->packet, tr->node, tr->step);
    }
    if (word != 2 * tr->packet) /* case 1 */
        return explain_merged(tr, word);
    if (tr->hop == hops(tr, tr->packet))
        return contradiction(tr, "a packet waits to be consumed", tr->packet, tr->node, tr->step);
    return explain_full(tr); /* case 2 */
}

/* A step back in time. */
static np_status go_back(trail *tr)
{
    np_step arrived = tr->hop ? left(tr, tr->packet, tr->hop - 1) + 1 : 0;
    if (arrived < tr->step) {
        tr->step--;
        return explain_wait(tr);
    }
    if (arrived > tr->step)
        return contradiction(tr, "a packet leaves before it arrives", tr->packet, tr->node, tr->step);
    if (!tr->hop) {
        tr->ended = true;
        return add_row(tr, NP_EXPLAINED_ORIGIN, tr->packet, 0);
    }
    tr->hop--;
    tr->node = node_of(tr, tr->packet, tr->hop);
    tr->step--;
    tr->path++;
    if (selected(tr, tr->node, tr->step) != 2 * tr->packet)
        return contradiction(tr, "a packet goes without being selected", tr->packet, tr->node, tr->step);
    return NP_OK;
}

static np_status start(trail *tr)
{
    const np_path_set *path_set = tr->path_set;
    for (np_packet i = 0; i < path_set->packets; i++)
        if (last_at(tr, i, hops(tr, i)) == tr->record->steps - 1) {
            tr->step = left(tr, i, hops(tr, i));
            tr->node = node_of(tr, i, hops(tr, i));
            np_status st = follow(tr, i);
            return st ? st : add_row(tr, NP_EXPLAINED_START, i, 0);
        }
    return contradiction(tr, "no packet is consumed in the last step", 0, 0, tr->record->steps);
}

/* ---- the lemmas ---- */

static int64_t ceiling(int64_t a, int64_t b) { return a <= 0 ? 0 : (a + b - 1) / b; }

/* Definition 2.4: distinct packets, keys that do not increase, and paths that meet the delay path. */
static bool is_delay_sequence(const trail *tr, size_t rows)
{
    for (size_t i = 0; i < rows; i++) {
        const np_explanation_row *row = &tr->out->row[i];
        if (hop_at(tr, row->packet, row->node) == NP_NONE || (i && !before(tr, row->packet, row[-1].packet)))
            return false;
    }
    return true;
}

/* By how much the lag drops at least, with row i, and at most: a message that is followed may have gone for a while. */
static int64_t least_drop(const np_explanation_row *row)
{
    return row->beside ? 0 : row->kind == NP_EXPLAINED_MERGED ? 1 : 2;
}

static int64_t most_drop(const trail *tr, size_t i)
{
    const np_explanation_row *row = &tr->out->row[i];
    bool followed = row->kind == NP_EXPLAINED_MERGED || !row[1].beside;
    return least_drop(row) + (followed ? length(tr, row->packet) - 1 : 0);
}

/* Lemma 2.6: lag drops by 1 with an m-delay and by 2 with an f-delay, at the first of the f-delay's packets. */
static np_verdict check_lags(const trail *tr)
{
    const np_explanation *out = tr->out;
    np_verdict verdict = {0};
    for (size_t i = 1; i + 1 < out->rows; i++) {
        int64_t drop = out->row[i - 1].lag - out->row[i].lag;
        verdict.need++;
        verdict.have += drop >= least_drop(&out->row[i]) && drop <= most_drop(tr, i);
    }
    verdict.holds = verdict.have == verdict.need;
    return verdict;
}

/* Of messages, in place of Lemma 2.7: the steps for which the sequence accounts; and the path, not of the first w
 * alone. */
static void check_messages(const trail *tr)
{
    np_explanation *out = tr->out;
    int64_t steps = 0;
    for (size_t i = 1; i + 1 < out->rows; i++)
        steps += most_drop(tr, i);
    out->verdict[NP_LEMMA_2_7] = (np_verdict){steps >= out->late, steps, out->late};
    out->verdict[NP_LEMMA_2_5] = out->verdict[NP_LEMMA_2_8];
    out->verdict[NP_LEMMA_2_5].holds &= out->ordered;
}

static void check_lemmas(trail *tr)
{
    np_explanation *out = tr->out;
    const int64_t q = out->queue_size, levels = out->levels;
    out->length = out->rows - 1;
    out->path = tr->path;
    out->late = (int64_t)out->row[0].step - levels;
    out->elements = q == 1 ? ceiling(out->late, 2) : out->late > 0 ? out->late : 0;
    out->ordered = is_delay_sequence(tr, out->rows - 1);

    const int64_t v = (int64_t)out->length, w = out->elements;
    const int64_t first = w < 1 ? 0 : w < v ? w - 1 : v - 1;
    np_verdict *verdict = out->verdict;
    verdict[NP_LEMMA_2_5].have = (int64_t)out->row[first].path;
    verdict[NP_LEMMA_2_5].need = levels + 2 * ceiling(w, q);
    verdict[NP_LEMMA_2_5].holds = out->ordered && v >= w && verdict[NP_LEMMA_2_5].have <= verdict[NP_LEMMA_2_5].need;
    verdict[NP_LEMMA_2_6] = check_lags(tr);
    verdict[NP_LEMMA_2_7] = (np_verdict){v >= w, v, w};
    verdict[NP_LEMMA_2_8].have = (int64_t)out->path;
    verdict[NP_LEMMA_2_8].need = levels + 2 * (int64_t)out->delays[NP_EXPLAINED_FULL];
    verdict[NP_LEMMA_2_8].holds = verdict[NP_LEMMA_2_8].have <= verdict[NP_LEMMA_2_8].need;
    if (out->messages)
        check_messages(tr);
}

/* Section 11: a packet arrives in a step if and only if its longest delay sequence makes this step. */
static np_status check_arrivals(trail *tr)
{
    np_verdict *verdict = &tr->out->verdict[NP_SECTION_11];
    np_packet packets = tr->path_set->packets;
    np_step *arrival;
    np_status st = np_memory_array(&arrival, packets, sizeof *arrival, "delay sequences");
    if (st || (st = np_longest_sequences(tr->options, tr->leveled, tr->path_set, tr->record->key, arrival))) {
        np_memory_free(arrival);
        return st;
    }
    for (np_packet i = 0; i < packets; i++) {
        np_step at = left(tr, i, hops(tr, i));
        verdict->need += at != NP_NONE;
        verdict->have += at != NP_NONE && at == arrival[i];
    }
    verdict->holds = verdict->have == verdict->need;
    np_memory_free(arrival);
    return NP_OK;
}

static np_status check_applies(const np_merge_options *options)
{
    if (options->message_most > 1 && options->message_mode == NP_MESSAGES_ASYNCHRONOUS)
        return NP_RAISE(NP_ERROR_APPLY,
                        "no explanation for messages of up to %u packets that nodes send whole and by themselves: "
                        "--messages cycles or pipelined",
                        options->message_most);
    if (np_merge_may_starve(options))
        return NP_RAISE(NP_ERROR_APPLY, "no explanation %s: packets then wait for queues that stay empty",
                        options->no_ghosts ? "without ghosts" : "where ghosts need room");
    return NP_OK;
}

static np_status build(trail *tr)
{
    np_status st = start(tr);
    while (!st && !tr->ended)
        st = go_back(tr);
    if (st)
        return st;
    check_lemmas(tr);
    return tr->out->messages ? NP_OK : check_arrivals(tr);
}

np_status np_explain(const np_merge_options *options, const np_leveled *leveled, const np_path_set *path_set,
                     const np_merge_record *record, np_explanation *out)
{
    trail tr = {.options = options, .leveled = leveled, .path_set = path_set, .record = record, .out = out};
    np_status st;
    *out = (np_explanation){.levels = leveled->depth,
                            .queue_size = options->queue_size,
                            .steps = record->steps,
                            .cycle = record->cycle,
                            .messages = record->length != NULL,
                            .packets = path_set->packets};
    for (unsigned i = 0; i < NP_LEMMAS; i++)
        out->verdict[i].holds = true;
    if ((st = check_applies(options)) || (path_set->packets && (st = build(&tr))))
        np_explanation_clear(out);
    return st;
}
