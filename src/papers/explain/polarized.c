/*
 * The polarized sequence of Ranade 1987b, section 4.1, and what the section
 * proves about it.
 *
 * We follow a message m back in time. At the beginning of step t, m is at a
 * switch s. If m was at s a step before as well, it waited in that step, for
 * one of two reasons (Definition 3):
 *
 *   m-delay  s selected another message, or a ghost. We go on with that one, at
 *            s. We follow a ghost back, an edge a step (Lemma 3), to the
 *            message that it was made of.
 *   b-delay  s selected m, but the queue at the head s' of m's next edge was
 *            full. The b messages of this queue join the sequence, and we go on
 *            with its head, at s'.
 *
 * If m was not at s a step before, it crossed an edge, and we follow it back
 * over the edge. Of messages that combined at s we follow the one that came
 * last. On the way back the lag (step - column) changes by 1 in an m-delay, by 2
 * in a b-delay, and nowhere else. Where the lag is 0, the message has not waited
 * since its processor sent it, in the first step of its column, and the sequence
 * ends (Lemma 4: case 3 of Definition 3 comes before this point).
 *
 * Symbols: n, b, lag, delta, L, b_L as in the paper; T the step in which the
 * last reply is taken: T = 6n + delta.
 *
 * Where the paper leaves a choice, or where we differ:
 *
 *   - mu_0 is a reply that is taken in step T, not the end of a stream: a batch
 *     is over when all replies are home. The processor of mu_0 may be at column
 *     6n - c. Then the lag of mu_0 is delta + c, no less than delta. mu_0 is not
 *     counted.
 *   - The paper's delayers are the messages that let m go: the last one that s
 *     selected before m, and the head whose leaving made room for m, at the
 *     times when they left. But a message that has sent a ghost may itself have
 *     to wait, and a reply goes to two sides at different times. So such a
 *     delayer may leave after the ghost that we followed, and its lag is larger:
 *     the paper says "at least". We take the delayers of the step before the
 *     present one, whether they leave in it or not. Then time only runs back,
 *     and L = lag(mu_0) - b_L exactly.
 *   - We find the messages of a full queue from what the tail of its edge sent:
 *     queues are first in, first out, so the queue holds the last b messages
 *     that crossed the edge.
 *   - The paper has a path of 8n edges. Ours has 6n + 2 b_j edges, at most 8n; a
 *     walk there and back over an edge makes it longer if 8n are wanted.
 *   - The proof of Theorem 2 needs b >= 2, since a b-delay costs 2 of lag and
 *     adds b messages. For b = 1 it gives min(ceil(delta / 2), n), and we check
 *     this number. With b = 1 a message may wait for the ghost of a message with
 *     which it is going to combine (ranade.h, "stays"). This message comes in the
 *     step after its ghost: it left the queue that held it up in the step in
 *     which the ghost was sent. So it came last, and it is the one that we
 *     follow.
 */
#include "papers/explain/polarized.h"

#include "base/order.h"
#include "base/room.h"
#include "engine/merging/ranade_inside.h"

enum { OWN = 2 /* the way into a switch from its processor; ways 0 and 1 are straight and across */ };

#define NEVER UINT64_MAX

typedef struct trail {
    uint32_t n, b, columns, rows;
    const np_ranade_job *job;
    const np_ranade_record *record;
    uint64_t steps;
    np_polarized *out;
    size_t row_room, path_room;

    /* The message that we follow is at a switch at the beginning of `step`, since the beginning of `arrived`. */
    uint32_t tag;
    np_polarized_switch at;
    uint64_t step, arrived;
    unsigned way; /* the way that it came by */
} trail;

void np_polarized_clear(np_polarized *polarized)
{
    NP_MEMORY_FREE(polarized->row, polarized->path);
    *polarized = (np_polarized){0};
}

/* ---- what the record says ---- */

static np_status contradiction(const trail *tr, const char *what)
{
    return NP_RAISE(NP_ERROR_INTERNAL, "the record contradicts itself: %s (message %u, switch <%u, %u>, step %llu)",
                    what, tr->tag, tr->at.column, tr->at.row, (unsigned long long)tr->step);
}

static size_t place(const trail *tr, np_polarized_switch s, uint64_t step)
{
    return ((size_t)step * tr->columns + s.column) * tr->rows + s.row;
}

static uint32_t selected(const trail *tr, np_polarized_switch s, uint64_t step)
{
    return tr->record->selected[place(tr, s, step)];
}

static bool sent(const trail *tr, np_polarized_switch s, uint64_t step, unsigned way)
{
    return tr->record->sent[place(tr, s, step)] >> way & 1;
}

static uint32_t word_of(uint32_t tag) { return 2 * tag + 2; }
static uint32_t tag_of(uint32_t word) { return (word - 2) / 2; }
static bool is_message(uint32_t word) { return word && word % 2 == 0; }

/* The bit of the row by which the edges from a column cross, as a mask; 0: none cross. */
static uint32_t cross(const trail *tr, uint32_t column)
{
    uint32_t bit = np_ranade_crossing_bit(tr->n, column);
    return bit == UINT32_MAX ? 0 : UINT32_C(1) << bit;
}

static np_polarized_switch after(const trail *tr, np_polarized_switch s, unsigned way)
{
    return (np_polarized_switch){s.column + 1, s.row ^ (way ? cross(tr, s.column) : 0)};
}

/* False: no edge enters this way. */
static bool before(const trail *tr, np_polarized_switch s, unsigned way, np_polarized_switch *from)
{
    uint32_t mask = s.column ? cross(tr, s.column - 1) : 0;
    if (!s.column || (way && !mask))
        return false;
    *from = (np_polarized_switch){s.column - 1, s.row ^ (way ? mask : 0)};
    return true;
}

/* Did processor r n + c ask for it? */
static bool asks(const np_ranade_job *job, uint32_t tag, uint32_t processor)
{
    const uint32_t first = job->begin[tag], count = job->begin[tag + 1] - first;
    const size_t at = np_order_below(count, job->processor + first, processor);
    return at < count && job->processor[first + at] == processor;
}

/* The last step before `step` in which the message went this way; NEVER: it did not. What a switch selects rises. */
static uint64_t last_sent(const trail *tr, uint32_t tag, np_polarized_switch s, unsigned way, uint64_t step)
{
    while (step-- > 0) {
        uint32_t word = selected(tr, s, step);
        if (word == word_of(tag) && sent(tr, s, step, way))
            return step;
        if (word < word_of(tag))
            break;
    }
    return NEVER;
}

/* The message was selected in `step` and stayed: the first of the ways (bit 0: straight, 1: across) over which it
 * goes later; OWN: none. */
static unsigned next_way(const trail *tr, uint32_t tag, np_polarized_switch s, uint64_t step, unsigned ways)
{
    while (++step < tr->steps && selected(tr, s, step) == word_of(tag))
        for (unsigned way = 0; way < 2; way++)
            if (ways >> way & 1 && sent(tr, s, step, way))
                return way;
    return OWN;
}

/* Is the message selected at s in this step or later? */
static bool still_there(const trail *tr, uint32_t tag, np_polarized_switch s, uint64_t step)
{
    while (step < tr->steps && selected(tr, s, step) < word_of(tag))
        step++;
    return step < tr->steps && selected(tr, s, step) == word_of(tag);
}

/* ---- the sequence ---- */

static int64_t lag_of(const trail *tr) { return (int64_t)tr->step - tr->at.column; }

static np_status add_path(trail *tr)
{
    np_polarized *out = tr->out;
    size_t used = out->path ? (size_t)out->edges + 1 : 0;
    np_status st = np_memory_room(&out->path, used, &tr->path_room, sizeof *out->path, "a path");
    if (st)
        return st;
    out->path[used] = tr->at;
    out->edges = used;
    return NP_OK;
}

static np_status move_to(trail *tr, np_polarized_switch s)
{
    tr->at = s;
    return add_path(tr);
}

static np_status add_row(trail *tr, np_polarized_kind kind, uint32_t tag, uint32_t ghost)
{
    np_polarized *out = tr->out;
    np_status st = np_memory_room(&out->row, out->rows, &tr->row_room, sizeof *out->row, "a polarized sequence");
    if (st)
        return st;
    out->row[out->rows++] = (np_polarized_row){.kind = kind,
                                               .tag = tag,
                                               .at = tr->at,
                                               .step = tr->step,
                                               .lag = lag_of(tr),
                                               .ghost = ghost,
                                               .path = out->edges,
                                               .wait = NP_POLARIZED_BESIDE,
                                               .wait_at = tr->at,
                                               .wait_step = tr->step};
    return NP_OK;
}

/* The message that we follow is the message of the last row. */
static void note_wait(trail *tr, np_polarized_wait wait, np_polarized_switch at, uint64_t step)
{
    np_polarized_row *row = &tr->out->row[tr->out->rows - 1];
    row->wait = wait;
    row->wait_at = at;
    row->wait_step = step;
}

/* From now on we follow this message, from the present switch and step. */
static np_status follow(trail *tr, uint32_t tag)
{
    np_polarized_switch s = tr->at, from;
    tr->tag = tag;
    tr->arrived = NEVER;
    if (s.column < tr->n && asks(tr->job, tag, s.row * tr->n + s.column)) {
        tr->arrived = 0;
        tr->way = OWN;
    }
    for (unsigned way = 0; way < 2; way++) {
        uint64_t step = before(tr, s, way, &from) ? last_sent(tr, tag, from, way, tr->step) : NEVER;
        if (step == NEVER || (tr->arrived != NEVER && step + 1 <= tr->arrived))
            continue;
        tr->arrived = step + 1;
        tr->way = way;
    }
    return tr->arrived == NEVER ? contradiction(tr, "a message where it has not come to") : NP_OK;
}

/* Back over the edge that the message came by. */
static np_status cross_back(trail *tr)
{
    np_polarized_switch from;
    np_status st;
    if (!before(tr, tr->at, tr->way, &from))
        return contradiction(tr, "a message has lag, but has not waited");
    tr->step--;
    return (st = move_to(tr, from)) ? st : follow(tr, tr->tag);
}

/*
 * Which message makes s send the ghost `word` this way in `step`? NO_TAG: s passes on a ghost. A ghost of tag k (the
 * word 2 k + 3) is made of message k; with b = 1 also of message k + 1, which has to go this way but stays.
 */
#define NO_TAG UINT32_MAX
static bool sends_ghost(const trail *tr, np_polarized_switch s, unsigned way, uint64_t step, uint32_t word,
                        uint32_t *tag)
{
    uint32_t here = selected(tr, s, step);
    *tag = here == word ? NO_TAG : tag_of(here);
    if (here == word)
        return true;
    if (here == word - 1)
        return !sent(tr, s, step, way);
    return tr->b == 1 && here == word + 1 && !sent(tr, s, step, way) && next_way(tr, *tag, s, step, 1U << way) == way;
}

/* Lemma 3: a ghost that is selected here came from a switch that selected its message, or the ghost, a step before. */
static np_status trace_ghost(trail *tr, uint32_t *tag, uint32_t *crossed)
{
    uint32_t word = selected(tr, tr->at, tr->step);
    *tag = NO_TAG;
    for (*crossed = 0; *tag == NO_TAG; ++*crossed) {
        np_polarized_switch from;
        unsigned way = 0;
        while (way < 2 &&
               !(tr->step && before(tr, tr->at, way, &from) && sends_ghost(tr, from, way, tr->step - 1, word, tag)))
            way++;
        if (way == 2)
            return contradiction(tr, "a ghost that nobody sent");
        tr->step--;
        np_status st = move_to(tr, from);
        if (st)
            return st;
    }
    return NP_OK;
}

/* Definition 3, case 2: the last b messages over the edge that the message is to go are all still there. */
static np_status explain_full(trail *tr)
{
    np_polarized_switch s = tr->at;
    unsigned way = next_way(tr, tr->tag, s, tr->step, 3);
    uint32_t last = tr->tag;
    uint64_t u = tr->step;
    np_status st;
    if (way == OWN || sent(tr, s, tr->step, way))
        return contradiction(tr, "a message stays though nothing keeps it");
    if ((st = move_to(tr, after(tr, s, way))))
        return st;
    for (uint32_t j = 0; j < tr->b; j++) {
        while (u-- > 0 && !(is_message(selected(tr, s, u)) && sent(tr, s, u, way)))
            ;
        if (u == NEVER)
            return contradiction(tr, "a message waits for room where there is some");
        if (tag_of(selected(tr, s, u)) >= last)
            return contradiction(tr, "a queue is not in order");
        last = tag_of(selected(tr, s, u));
        if ((st = add_row(tr, NP_POLARIZED_B, last, 0)))
            return st;
    }
    if (!still_there(tr, last, tr->at, tr->step))
        return contradiction(tr, "a message waits for room where there is some");
    tr->out->delays++;
    tr->out->full++;
    return follow(tr, last);
}

/* The message waited at its switch in the present step. */
static np_status explain_wait(trail *tr)
{
    uint32_t word = selected(tr, tr->at, tr->step), tag, crossed = 0;
    np_polarized_switch here = tr->at;
    uint64_t now = tr->step;
    np_status st;
    if (!word || word == NP_RANADE_END)
        return contradiction(tr, word ? "a message waits at a switch that has done"
                                      : "a queue is empty after its column has begun"); /* Lemma 4 */
    tag = tag_of(word);
    if (!is_message(word) && (st = trace_ghost(tr, &tag, &crossed)))
        return st;
    note_wait(tr, word == word_of(tr->tag) ? NP_POLARIZED_FULL : NP_POLARIZED_OTHER, here, now);
    if (word == word_of(tr->tag))
        return explain_full(tr);
    if (tag >= tr->tag)
        return contradiction(tr, "a message waits for one of greater tag");
    tr->out->delays++;
    st = add_row(tr, NP_POLARIZED_M, tag, crossed);
    return st ? st : follow(tr, tag);
}

/* Starts with a reply that is taken in the last step, in the highest column. */
static np_status start(trail *tr)
{
    uint32_t n = tr->n;
    tr->step = tr->steps - 1;
    for (uint32_t c = 6 * n; c > 5 * n; c--)
        for (uint32_t r = 0; r < tr->rows; r++) {
            uint32_t processor = r * n + (6 * n - c), word;
            tr->at = (np_polarized_switch){c, r};
            word = selected(tr, tr->at, tr->step);
            if (!is_message(word) || tag_of(word) >= tr->job->tags ||
                (tr->step && selected(tr, tr->at, tr->step - 1) == word))
                continue;
            uint32_t tag = tag_of(word);
            if (tr->job->target ? tr->job->target[tag] != processor : !asks(tr->job, tag, processor))
                continue;
            np_status st = add_path(tr);
            if (st || (st = add_row(tr, NP_POLARIZED_LAST, tag, 0)))
                return st;
            return follow(tr, tag);
        }
    return contradiction(tr, "no reply is taken in the last step");
}

/* Without lag the message has not waited: goes back to the processor. */
static np_status finish(trail *tr)
{
    np_status st = NP_OK;
    while (!st && tr->way != OWN) {
        if (tr->arrived != tr->step)
            return contradiction(tr, "a message waited, but has no lag");
        st = cross_back(tr);
    }
    note_wait(tr, NP_POLARIZED_ORIGIN, tr->at, tr->step);
    return st;
}

/* ---- what is proved ---- */

static bool are_connected(const trail *tr, np_polarized_switch a, np_polarized_switch b)
{
    np_polarized_switch low = a.column < b.column ? a : b, high = a.column < b.column ? b : a;
    uint32_t apart = low.row ^ high.row;
    return high.column == low.column + 1 && (!apart || apart == cross(tr, low.column));
}

/* Definition 1, backwards: tags fall along a path that the messages pass. */
static np_polarized_verdict check_polarized(const trail *tr)
{
    const np_polarized *out = tr->out;
    np_polarized_verdict verdict = {.holds = true, .need = (int64_t)out->rows - 1};
    for (uint64_t i = 0; i < out->edges; i++)
        verdict.holds &= are_connected(tr, out->path[i], out->path[i + 1]);
    for (size_t i = 1; i < out->rows; i++) {
        const np_polarized_row *row = &out->row[i];
        np_polarized_switch s = out->path[row->path];
        verdict.have += row->tag < row[-1].tag && row->path >= row[-1].path && s.column == row->at.column &&
                        s.row == row->at.row && still_there(tr, row->tag, row->at, row->step);
    }
    verdict.holds &= verdict.have == verdict.need;
    return verdict;
}

/* Lemmas 3 and 4, of all switches in all steps. */
static void check_record(const trail *tr, np_polarized_verdict *ghosts, np_polarized_verdict *begun)
{
    for (uint64_t step = 0; step < tr->steps; step++)
        for (np_polarized_switch s = {0}; s.column < tr->columns && s.column <= step; s.column++)
            for (s.row = 0; s.row < tr->rows; s.row++) {
                uint32_t word = selected(tr, s, step), tag;
                np_polarized_switch from;
                begun->need++;
                begun->have += word != 0;
                if (word % 2 == 0 || word == NP_RANADE_END)
                    continue;
                ghosts->need++;
                ghosts->have += step && ((before(tr, s, 0, &from) && sends_ghost(tr, from, 0, step - 1, word, &tag)) ||
                                         (before(tr, s, 1, &from) && sends_ghost(tr, from, 1, step - 1, word, &tag)));
            }
    ghosts->holds = ghosts->have == ghosts->need;
    begun->holds = begun->have == begun->need;
}

/* The proof of Theorem 2: the whole sequence, or its part up to the n-th full queue. */
static void count_sequence(const trail *tr)
{
    np_polarized *out = tr->out;
    uint32_t in_queue = 0;
    for (size_t i = 1; i < out->rows && out->counted_full < tr->n; i++) {
        in_queue += out->row[i].kind == NP_POLARIZED_B;
        out->counted_full = in_queue / tr->b;
        out->counted = i;
    }
    if (out->full <= tr->n)
        out->counted = out->rows - 1;
    out->counted_edges = out->full <= tr->n ? out->edges : out->row[out->counted].path;
}

static void check(trail *tr)
{
    np_polarized *out = tr->out;
    np_polarized_verdict *verdict = out->verdict;
    const int64_t n = tr->n, b = tr->b, counted_full = out->counted_full;
    int64_t promised = b == 1 ? (out->delta + 1) / 2 : out->delta;
    int64_t path = 6 * n - out->row[0].at.column + (int64_t)out->counted_edges + out->path[out->counted_edges].column;

    verdict[NP_POLARIZED_DEFINITION_1] = check_polarized(tr);
    check_record(tr, &verdict[NP_POLARIZED_LEMMA_3], &verdict[NP_POLARIZED_LEMMA_4]);
    verdict[NP_POLARIZED_LEMMA_5].have = out->delays;
    verdict[NP_POLARIZED_LEMMA_5].need = out->row[0].lag - out->full;
    verdict[NP_POLARIZED_PATH] = (np_polarized_verdict){path == 6 * n + 2 * counted_full && path <= 8 * n, path, 8 * n};
    verdict[NP_POLARIZED_THEOREM_2].have = (int64_t)out->counted;
    verdict[NP_POLARIZED_THEOREM_2].need = promised < 0 ? 0 : promised < b * n ? promised : b * n;
    for (int i = NP_POLARIZED_LEMMA_5; i < NP_POLARIZED_VERDICTS; i += NP_POLARIZED_THEOREM_2 - NP_POLARIZED_LEMMA_5)
        verdict[i].holds = verdict[i].have >= verdict[i].need;
    out->holds = true;
    for (int i = 0; i < NP_POLARIZED_VERDICTS; i++)
        out->holds &= verdict[i].holds;
}

static np_status build(trail *tr)
{
    np_status st = start(tr);
    while (!st && lag_of(tr) > 0) {
        if (tr->arrived == tr->step) {
            st = cross_back(tr);
        } else {
            tr->step--;
            st = explain_wait(tr);
        }
    }
    if (st || (st = finish(tr)))
        return st;
    count_sequence(tr);
    check(tr);
    return NP_OK;
}

np_status np_polarized_trace(uint32_t n, uint32_t queue_size, const np_ranade_job *job, const np_ranade_record *record,
                             uint64_t steps, np_polarized *out)
{
    trail tr = {.n = n,
                .b = queue_size,
                .columns = 6 * n + 1,
                .rows = UINT32_C(1) << n,
                .job = job,
                .record = record,
                .steps = steps,
                .out = out};
    *out = (np_polarized){.n = n,
                          .queue_size = queue_size,
                          .steps = steps,
                          .requests = job->begin[job->tags],
                          .messages = job->tags,
                          .delta = (int64_t)steps - 1 - 6 * (int64_t)n,
                          .holds = true};
    if (!job->tags)
        return NP_OK;
    np_status st = build(&tr);
    if (st)
        np_polarized_clear(out);
    return st;
}

unsigned np_polarized_phase(const np_polarized *p, uint32_t column)
{
    return column < 6 * p->n ? column / p->n + 1 : 6;
}

const char *np_polarized_verdict_name(unsigned verdict)
{
    static const char *const names[NP_POLARIZED_VERDICTS] = {
        [NP_POLARIZED_DEFINITION_1] = "Definition 1",
        [NP_POLARIZED_LEMMA_3] = "Lemma 3",
        [NP_POLARIZED_LEMMA_4] = "Lemma 4",
        [NP_POLARIZED_LEMMA_5] = "Lemma 5",
        [NP_POLARIZED_PATH] = "path",
        [NP_POLARIZED_THEOREM_2] = "Theorem 2",
    };
    return names[verdict];
}
