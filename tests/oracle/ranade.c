/* See ranade.h. All switches decide by the state at the beginning of the step; then all messages sent arrive. */
#include "oracle/ranade.h"

#include "support.h"

enum { ROOM = 1024, WAYS = 2 };

typedef enum type { NOTHING, MESSAGE, GHOST, EOS } type;

typedef struct message {
    type type;
    uint64_t order, address; /* the tag, with kind */
    unsigned kind;
    int shade;       /* 0: a message; 1: the ghost right after a message; -1: right before it */
    uint32_t number; /* number of the tag, for the record */
    uint64_t module;
    size_t index;       /* index of the request, or of one of the requests combined in it */
    np_request request; /* on the way to the module */
    bool served;
    np_word reply; /* on the way back to the processor */
} message;

typedef struct queue {
    message *item;
    size_t head, tail;
    size_t begin;  /* number of messages in it when the step began */
    message ghost; /* NOTHING: no ghost has come in this step */
    bool ended;
    message incoming; /* sent to it in this step */
} queue;

/* The memory of a switch about a request that went by. */
typedef struct memo {
    bool owed[2];    /* replies: way 0 straight, way 1 across or to the processor */
    bool split;      /* two requests were combined */
    int right;       /* if so: the way of the right request */
    np_request left; /* if so: the left request before they were combined */
    uint32_t number;
} memo;

typedef struct node {
    queue in[WAYS];
    bool has_in[WAYS];
    queue initial; /* the requests of its processor */
    memo *memos;
    size_t memo_head, memo_tail;
    bool end_sent[WAYS];
    size_t home; /* number of replies that its processor has got */
} node;

typedef struct network {
    const oracle_ranade_batch *batch;
    uint32_t n, rows, columns;
    node *node;
    np_word *reply;
    oracle_ranade_outcome *out;
    size_t waiting;        /* number of requests without a reply */
    uint64_t *last_served; /* [modules] number + 1 of the last tag served */
    uint32_t *load;
} network;

static int compare(const message *a, const message *b)
{
    if (a->type == EOS || b->type == EOS)
        return (a->type == EOS) - (b->type == EOS);
    if (a->order != b->order)
        return a->order < b->order ? -1 : 1;
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return a->shade - b->shade;
}

static node *at(network *w, uint32_t c, uint32_t r) { return &w->node[(size_t)c * w->rows + r]; }

static bool crosses(const network *w, uint32_t c, uint32_t *bit)
{
    uint32_t n = w->n;
    *bit = c < 2 * n ? c - n : 5 * n - 1 - c;
    return (c >= n && c < 2 * n) || (c >= 4 * n && c < 5 * n);
}

static queue *queue_after(network *w, uint32_t c, uint32_t r, int way)
{
    uint32_t bit;
    crosses(w, c, &bit);
    return &at(w, c + 1, way ? r ^ 1U << bit : r)->in[way];
}

static void add(queue *q, const message *m)
{
    if (!q->item)
        q->item = calloc(ROOM, sizeof *q->item);
    assert_true(q->tail < ROOM);
    if (q->tail) /* streams are sorted */
        assert_true(compare(&q->item[q->tail - 1], m) < 0);
    q->item[q->tail++] = *m;
}

static message head_of(const queue *q)
{
    if (q->head < q->tail)
        return q->item[q->head];
    if (q->ghost.type == GHOST)
        return q->ghost;
    return (message){.type = q->ended ? EOS : NOTHING};
}

static message message_of(const network *w, size_t i)
{
    const oracle_ranade_batch *b = w->batch;
    message m = {.type = MESSAGE,
                 .order = b->order[i],
                 .address = b->request[i].address,
                 .kind = b->request[i].kind,
                 .module = b->module[i],
                 .index = i,
                 .request = b->request[i]};
    for (size_t j = 0; j < b->count; j++) { /* counts the distinct tags before its tag */
        message other = {
            .type = MESSAGE, .order = b->order[j], .address = b->request[j].address, .kind = b->request[j].kind};
        bool first = true;
        for (size_t k = 0; k < j && first; k++)
            first = b->order[k] != b->order[j] || b->request[k].address != b->request[j].address ||
                    b->request[k].kind != b->request[j].kind;
        m.number += first && compare(&other, &m) < 0;
    }
    return m;
}

/* Puts a processor's requests in its initial queue in order of tags. Equal requests become one. */
static void fill_initial(network *w)
{
    const oracle_ranade_batch *b = w->batch;
    message *all = calloc(b->count + 1, sizeof *all);
    for (size_t i = 0; i < b->count; i++)
        all[i] = message_of(w, i);
    for (size_t p = 0; p * b->share < b->count; p++) {
        queue *q = &at(w, (uint32_t)(p % w->n), (uint32_t)(p / w->n))->initial;
        for (uint32_t number = 0; number < b->count; number++) {
            message m = {.type = NOTHING};
            for (size_t i = p * b->share; i < (p + 1) * b->share && i < b->count; i++) {
                if (all[i].number != number)
                    continue;
                if (m.type == MESSAGE) {
                    np_request_combine(b->rule, &m.request, &all[i].request);
                    w->out->combined++;
                } else {
                    m = all[i];
                }
            }
            if (m.type == MESSAGE)
                add(q, &m);
        }
    }
    free(all);
}

/* The processor gets the reply to its next message. The reply answers all requests for which the message stands. */
static void take_home(network *w, uint32_t c, uint32_t r, const message *m)
{
    const oracle_ranade_batch *b = w->batch;
    node *of = at(w, c, r);
    assert_int_equal(of->initial.item[of->home].number, m->number); /* replies come in the order of the requests */
    of->home++;
    size_t p = (size_t)r * w->n + c;
    np_request left;
    bool first = true;
    for (size_t i = p * b->share; i < (p + 1) * b->share && i < b->count; i++) {
        if (b->request[i].address != m->address || b->request[i].kind != m->kind)
            continue;
        w->reply[i] = first ? m->reply : np_request_reply_right(&left, m->reply);
        if (first)
            left = b->request[i];
        else
            np_request_combine(b->rule, &left, &b->request[i]);
        first = false;
        w->waiting--;
        w->out->replies++;
    }
}

static void send_ghost(network *w, queue *q, const message *m, int shade)
{
    q->incoming = *m;
    q->incoming.type = GHOST;
    q->incoming.shade = shade;
    w->out->ghosts++;
}

static bool has_room(const network *w, const queue *q) { return q->begin < w->batch->queue_size; }

/* Sends the message over an edge that it has to take. False: it stays. */
static bool send_message(network *w, queue *q, const message *m)
{
    if (has_room(w, q)) {
        q->incoming = *m;
        return true;
    }
    if (w->batch->queue_size == 1)
        send_ghost(w, q, m, -1);
    return false;
}

static void send_word(network *w, uint32_t c, uint32_t r, int way, const message *m)
{
    queue *q = queue_after(w, c, r, way);
    if (!has_room(w, q) && w->batch->queue_size > 1)
        return;
    if (m->type == EOS) {
        q->incoming = *m;
        at(w, c, r)->end_sent[way] = true;
    } else {
        send_ghost(w, q, m, m->type == GHOST ? m->shade : 1);
    }
}

static void serve(network *w, message *m)
{
    m->served = true;
    m->reply = np_store_serve(w->batch->store, &m->request);
    assert_true(w->last_served[m->module] < m->number + 1U); /* a module sees strictly increasing tags */
    w->last_served[m->module] = m->number + 1U;
    if (++w->load[m->module] > w->out->module_max)
        w->out->module_max = w->load[m->module];
}

/* Phases 4 to 6: sends a reply to the ways on which it is owed. True if it is then owed on no way. */
static bool send_reply(network *w, uint32_t c, uint32_t r, const message *m)
{
    uint32_t bit;
    bool two = crosses(w, c, &bit), takes = c > 5 * w->n;
    node *mirror = at(w, 6 * w->n - c, r);
    memo *note = &mirror->memos[mirror->memo_head];
    assert_true(mirror->memo_head < mirror->memo_tail);
    assert_int_equal(note->number, m->number); /* Lemma 2 */
    for (int way = 0; way < WAYS; way++) {
        message part = *m;
        if (note->split && way == note->right)
            part.reply = np_request_reply_right(&note->left, m->reply);
        if (way && takes) {
            if (note->owed[way])
                take_home(w, 6 * w->n - c, r, &part);
            note->owed[way] = false;
        } else if (way ? two : c < 6 * w->n) {
            if (!note->owed[way])
                send_word(w, c, r, way, m);
            else if (send_message(w, queue_after(w, c, r, way), &part))
                note->owed[way] = false;
        }
    }
    if (note->owed[0] || note->owed[1])
        return false;
    mirror->memo_head++;
    return true;
}

/* Phases 4 to 6 of a permutation: the target gives the way. */
static bool send_to_target(network *w, uint32_t c, uint32_t r, const message *m)
{
    uint32_t bit, target = w->batch->target[m->index], row = target / w->n, column = 6 * w->n - target % w->n;
    if (crosses(w, c, &bit)) {
        int way = (r ^ row) >> bit & 1;
        send_word(w, c, r, !way, m);
        return send_message(w, queue_after(w, c, r, way), m);
    }
    assert_int_equal(r, row);
    if (c < column)
        return send_message(w, queue_after(w, c, r, 0), m);
    assert_int_equal(c, column);
    if (c < 6 * w->n)
        send_word(w, c, r, 0, m);
    w->reply[m->index] = (np_word)w->out->steps;
    w->waiting--;
    w->out->replies++;
    return true;
}

/* Phases 1 to 3. */
static bool send_request(network *w, uint32_t c, uint32_t r, const message *m)
{
    uint32_t bit;
    bool two = crosses(w, c, &bit);
    int way = two && ((r ^ m->module) >> bit & 1);
    if (two)
        send_word(w, c, r, !way, m);
    return send_message(w, queue_after(w, c, r, way), m);
}

/* Input i of a switch: first the inputs over edges, then the processor's own. */
static queue *input(network *w, uint32_t c, uint32_t r, int i)
{
    node *here = at(w, c, r);
    if (i < WAYS)
        return here->has_in[i] ? &here->in[i] : NULL;
    return c < w->n ? &here->initial : NULL;
}

/* Which of two inputs that combine is the left one: from lower columns, or from rows with a 0 in the crossing bit. */
static int left_of(network *w, uint32_t c, uint32_t r)
{
    if (c <= w->n)
        return 0;
    return r >> (c - w->n - 1) & 1;
}

static void act(network *w, uint32_t c, uint32_t r, uint32_t *selected)
{
    node *here = at(w, c, r);
    message best = {.type = EOS};
    uint32_t bit;
    int inputs[2], count = 0;
    for (int i = 0; i <= WAYS; i++) {
        queue *q = input(w, c, r, i);
        message m = q ? head_of(q) : (message){.type = EOS};
        if (m.type == NOTHING) {
            *selected = 0;
            return;
        }
        if (compare(&m, &best) < 0)
            best = m;
    }
    *selected = best.type == EOS ? UINT32_MAX : (uint32_t)((int)(2 * best.number + 2) + best.shade);
    if (best.type != MESSAGE) {
        for (int way = 0; way < WAYS && c < w->columns - 1; way++)
            if ((!way || crosses(w, c, &bit)) && !here->end_sent[way])
                send_word(w, c, r, way, &best);
        return;
    }

    for (int i = 0; i <= WAYS; i++) {
        queue *q = input(w, c, r, i);
        message m = q ? head_of(q) : (message){.type = EOS};
        if (m.type == MESSAGE && compare(&m, &best) == 0)
            inputs[count++] = i;
    }
    message m = head_of(input(w, c, r, inputs[0]));
    memo note = {.number = m.number};
    for (int i = 0; i < count; i++)
        note.owed[inputs[i] ? 1 : 0] = true;
    if (count == 2) {
        int left = left_of(w, c, r);
        m = head_of(input(w, c, r, inputs[left]));
        note.split = true;
        note.right = !left;
        note.left = m.request;
        message right = head_of(input(w, c, r, inputs[!left]));
        np_request_combine(w->batch->rule, &m.request, &right.request);
    }
    if (c >= 2 * w->n && c < 3 * w->n && m.module >> w->n == c - 2 * w->n && !m.served) {
        serve(w, &m);
        if (count == 1)
            input(w, c, r, inputs[0])->item[input(w, c, r, inputs[0])->head] = m;
        else { /* the two stay or go together, because they are one already */
            queue *q = input(w, c, r, inputs[left_of(w, c, r)]);
            q->item[q->head].served = true;
            q->item[q->head].reply = m.reply;
        }
    }
    bool reply = c >= 4 * w->n && c != 5 * w->n;
    bool gone = !reply             ? send_request(w, c, r, &m)
                : w->batch->target ? send_to_target(w, c, r, &m)
                                   : send_reply(w, c, r, &m);
    if (!gone)
        return;
    w->out->combined += count - 1;
    for (int i = 0; i < count; i++)
        input(w, c, r, inputs[i])->head++;
    if (c <= 2 * w->n && c != w->n) {
        if (!here->memos)
            here->memos = calloc(ROOM, sizeof *here->memos);
        assert_true(here->memo_tail < ROOM);
        here->memos[here->memo_tail++] = note;
    }
}

static void begin_step(network *w)
{
    for (size_t v = 0; v < (size_t)w->columns * w->rows; v++)
        for (int i = 0; i < WAYS; i++) {
            queue *q = &w->node[v].in[i];
            q->begin = q->tail - q->head;
            assert_true(q->begin <= w->batch->queue_size);
            if (q->begin > w->out->queue_max)
                w->out->queue_max = (uint32_t)q->begin;
        }
}

/*
 * What the wrapped butterfly needs for the step: the most messages over one of its links. Column c is level c, and from
 * 3n on level 6n - c, of n levels; way 1 of a level is the link that crosses there. Links up and down are apart.
 */
static void play(network *w)
{
    uint32_t bit, *load = calloc((size_t)4 * w->n * w->rows, sizeof *load), most = 1;
    for (uint32_t c = 0; c + 1 < w->columns; c++)
        for (uint32_t r = 0; r < w->rows; r++)
            for (uint32_t way = 0; way < WAYS; way++) {
                bool down = c >= 3 * w->n;
                uint32_t level = (down ? 6 * w->n - c : c) % w->n;
                if ((way && !crosses(w, c, &bit)) || queue_after(w, c, r, (int)way)->incoming.type == NOTHING)
                    continue;
                uint32_t here = ++load[((down * w->n + level) * w->rows + r) * WAYS + way];
                most = here > most ? here : most;
            }
    w->out->physical_steps += most;
    free(load);
}

static void arrive(network *w)
{
    for (size_t v = 0; v < (size_t)w->columns * w->rows; v++)
        for (int i = 0; i < WAYS; i++) {
            queue *q = &w->node[v].in[i];
            q->ghost.type = NOTHING;
            if (q->incoming.type == MESSAGE)
                add(q, &q->incoming);
            else if (q->incoming.type == GHOST)
                q->ghost = q->incoming;
            else if (q->incoming.type == EOS)
                q->ended = true;
            q->incoming.type = NOTHING;
        }
}

static void clear(network *w)
{
    for (size_t v = 0; v < (size_t)w->columns * w->rows; v++) {
        free(w->node[v].in[0].item);
        free(w->node[v].in[1].item);
        free(w->node[v].initial.item);
        free(w->node[v].memos);
    }
    free(w->node);
    free(w->last_served);
    free(w->load);
}

void oracle_ranade(const oracle_ranade_batch *batch, np_word *reply, oracle_ranade_outcome *out)
{
    uint32_t n = batch->n, rows = 1U << n, bit;
    network w = {.batch = batch,
                 .n = n,
                 .rows = rows,
                 .columns = 6 * n + 1,
                 .reply = reply,
                 .out = out,
                 .waiting = batch->count};
    size_t step = (size_t)w.columns * rows;
    *out = (oracle_ranade_outcome){0};
    w.node = calloc(step, sizeof *w.node);
    w.last_served = calloc((size_t)n * rows, sizeof *w.last_served);
    w.load = calloc((size_t)n * rows, sizeof *w.load);
    for (size_t v = 0; v < step; v++) {
        w.node[v].has_in[0] = v >= rows;
        w.node[v].has_in[1] = v >= rows && crosses(&w, (uint32_t)(v / rows) - 1, &bit);
        w.node[v].initial.ended = true;
    }
    fill_initial(&w);
    while (w.waiting) {
        out->selected = realloc(out->selected, (out->steps + 1) * step * sizeof *out->selected);
        begin_step(&w);
        for (size_t v = 0; v < step; v++)
            act(&w, (uint32_t)(v / rows), (uint32_t)(v % rows), &out->selected[out->steps * step + v]);
        play(&w);
        arrive(&w);
        out->steps++;
        assert_true(out->steps < 100 * n * (batch->count + 2)); /* no deadlock */
    }
    clear(&w);
}
