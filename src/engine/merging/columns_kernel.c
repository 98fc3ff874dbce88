/*
 * The part of a level in a step, block by block (merge_columns.c has the method). The loops over a
 * block have no branch, and no arrays but arrays over the rows.
 */
#include <string.h>

#include "base/hot.h"
#include "engine/merging/columns.h"

enum { BLOCK = NP_COLUMN_BLOCK, TWO = 2, MANY = NP_COLUMNS_REGISTERS + 1 };

#define END NP_COLUMNS_END

/* A block of rows on its way through a step. */
typedef struct block {
    uint32_t in[BLOCK];      /* what came over the edges that cross */
    uint32_t full[BLOCK];    /* are the queues of these edges full? */
    uint32_t least[BLOCK];   /* the least head h */
    uint32_t went[BLOCK];    /* h is a packet that leaves its queue */
    uint32_t final[BLOCK];   /* ... because it is consumed */
    uint32_t packets[BLOCK]; /* in the queues when the step begins */
    uint32_t late[2][BLOCK]; /* packets that go behind the registers */
    uint32_t rest[BLOCK];    /* what is behind the registers of a queue changes */

    /* Where packets combine. */
    uint32_t in_packet[BLOCK];
    uint32_t kept[BLOCK];        /* the packet of h that remains */
    uint32_t absorbed[2][BLOCK]; /* those of the queues straight and across that become a part of it; 0: none */
    uint32_t meets[BLOCK];       /* does h absorb any? */
} block;

NP_COLUMN_INLINE uint32_t is_packet(uint32_t w) { return np_column_mask(w - 2 < END - 2) & ~-(w & 1); }

/* The registers of one queue: scalars, not an array, and nobody takes their addresses, so that loops over rows become
 * vector code. */
typedef struct queue {
    uint32_t s0, s1, s2, s3;
    uint32_t rest;   /* packets behind the registers */
    uint32_t late;   /* a packet that came and found no register */
    uint32_t p0, p1; /* the packets in the first registers, where packets combine */
} queue;

/* Does a register take x? If it is empty or holds an end; only the first register takes a ghost. */
NP_COLUMN_INLINE uint32_t takes(bool first, uint32_t slot, uint32_t x)
{
    uint32_t ghost = -(x & 1), open = np_column_mask(slot == 0) | np_column_mask(slot == END);
    return np_column_mask(x != 0) & open & (first ? NP_COLUMN_ALL : ~ghost);
}

/*
 * What came over the edge enters the queue: a packet or an end behind the last packet, a ghost only
 * if the queue is empty (else it is of no use). Returns the packets that are then in the queue.
 */
NP_COLUMN_INLINE uint32_t fill_queue(unsigned q, uint32_t x, uint32_t packet, queue *at)
{
    uint32_t take = takes(true, at->s0, x), count;
    at->s0 = np_column_choose(take, x, at->s0);
    at->p0 = np_column_choose(take, packet, at->p0);
    x &= ~take;
    count = is_packet(at->s0) & 1;
    if (q > 1) {
        take = takes(false, at->s1, x);
        at->s1 = np_column_choose(take, x, at->s1);
        at->p1 = np_column_choose(take, packet, at->p1);
        x &= ~take;
        count += is_packet(at->s1) & 1;
    }
    if (q > 2) {
        take = takes(false, at->s2, x);
        at->s2 = np_column_choose(take, x, at->s2);
        x &= ~take;
        count += is_packet(at->s2) & 1;
    }
    if (q > 3) {
        take = takes(false, at->s3, x);
        at->s3 = np_column_choose(take, x, at->s3);
        x &= ~take;
        count += is_packet(at->s3) & 1;
    }
    if (q == MANY) {
        at->late = x & is_packet(x);
        count += at->rest + (is_packet(x) & 1);
    }
    return count;
}

/* Removes the head if it leaves, or if it is a ghost. */
NP_COLUMN_INLINE void leave_queue(unsigned q, uint32_t leaves, queue *at)
{
    uint32_t gone = leaves | -(at->s0 & 1);
    at->p0 = np_column_choose(gone, at->p1, at->p0);
    at->s0 = np_column_choose(gone, q > 1 ? at->s1 : 0, at->s0);
    if (q > 1)
        at->s1 = np_column_choose(gone, q > 2 ? at->s2 : 0, at->s1);
    if (q > 2)
        at->s2 = np_column_choose(gone, q > 3 ? at->s3 : 0, at->s2);
    if (q > 3)
        at->s3 &= ~gone;
    if (q == MANY) { /* the last register is often free by now */
        uint32_t next = np_column_mask((at->s3 | at->rest) == 0);
        at->s3 |= at->late & next;
        at->late &= ~next;
    }
}

/* Does move_rest have work? Only where a queue has, or had, more packets than registers. */
NP_COLUMN_INLINE uint32_t has_rest(const queue *at) { return at->late | (at->rest & np_column_mask(at->s3 == 0)); }

NP_COLUMN_INLINE void note_rest(unsigned q, const queue *a, const queue *x, block *b, int i)
{
    if (q != MANY)
        return;
    b->late[0][i] = a->late;
    b->late[1][i] = x->late;
    b->rest[i] = has_rest(a) | has_rest(x);
}

/* Where the registers of the queues of a block are, straight or across; pointers one by one, as in queue. */
typedef struct registers {
    uint32_t *s0, *s1, *s2, *s3;
    uint32_t *p0, *p1; /* NULL unless packets combine */
    const uint32_t *rest;
} registers;

NP_COLUMN_INLINE registers registers_of(unsigned q, bool combine, uint32_t *const *level, uint32_t *const *packet,
                                        const uint32_t *rest, uint32_t row)
{
    return (registers){level[0] + row,
                       level[1] + row,
                       level[2] + row,
                       level[3] + row,
                       combine ? packet[0] + row : NULL,
                       combine ? packet[1] + row : NULL,
                       q == MANY ? rest + row : NULL};
}

NP_COLUMN_INLINE queue load(unsigned q, bool combine, registers r, int i)
{
    return (queue){r.s0[i], q > 1 ? r.s1[i] : 0,   q > 2 ? r.s2[i] : 0,  q > 3 ? r.s3[i] : 0, q == MANY ? r.rest[i] : 0,
                   0,       combine ? r.p0[i] : 0, combine ? r.p1[i] : 0};
}

NP_COLUMN_INLINE void store(unsigned q, bool combine, const queue *at, registers r, int i)
{
    r.s0[i] = at->s0;
    if (combine) {
        r.p0[i] = at->p0;
        r.p1[i] = at->p1;
    }
    if (q > 1)
        r.s1[i] = at->s1;
    if (q > 2)
        r.s2[i] = at->s2;
    if (q > 3)
        r.s3[i] = at->s3;
}

/* Whose packet h is, where packets combine; all other heads of the class become a part of it. */
typedef struct keeper {
    uint32_t straight, across;           /* is it the head of this queue? else of the initial one */
    uint32_t gone_straight, gone_across; /* has the head of this queue become a part of it? */
    uint32_t packet;
} keeper;

/* The initial queue's packet remains, else that of the edge with the lesser number (merge_combine.c). */
NP_COLUMN_INLINE keeper keeper_of(uint32_t h, uint32_t head, uint32_t head_packet, uint32_t straight_first,
                                  const queue *a, const queue *x)
{
    uint32_t packet = is_packet(h), initial = packet & np_column_mask(head == h);
    uint32_t in_a = packet & np_column_mask(a->s0 == h), in_x = packet & np_column_mask(x->s0 == h);
    uint32_t straight = in_a & ~initial & (straight_first | ~in_x), across = in_x & ~initial & ~straight;
    return (keeper){straight, across, in_a & ~straight, in_x & ~across,
                    (initial & head_packet) | (straight & a->p0) | (across & x->p0)};
}

/* Notes what becomes of the heads of row i. Their packets are still in the queues. */
NP_COLUMN_INLINE void note_keeper(const keeper *kept, const queue *a, const queue *x, block *b, int i)
{
    b->kept[i] = kept->packet;
    b->absorbed[0][i] = kept->gone_straight & a->p0;
    b->absorbed[1][i] = kept->gone_across & x->p0;
    b->meets[i] = kept->gone_straight | kept->gone_across;
}

/* What the rows of a block read and write outside of it, besides their queues. NULL where packets do not combine,
 * or where none start. */
typedef struct rows {
    const uint32_t *in, *in_packet, *head, *head_packet, *twin, *full0, *full1;
    uint32_t *out0, *out1, *full, *out_packet0, *out_packet1, *crossed0, *crossed1;
} rows;

NP_COLUMN_INLINE rows rows_of(bool combine, bool starts, const np_columns_level *lv, uint32_t row)
{
    return (rows){.in = lv->in[0] + row,
                  .in_packet = combine ? lv->in_packet[0] + row : NULL,
                  .head = starts ? lv->head + row : NULL,
                  .head_packet = combine && starts ? lv->head_packet + row : NULL,
                  .twin = combine && starts ? lv->twin + row : NULL,
                  .full0 = lv->next_full[0] + row,
                  .full1 = lv->next_full[1] + row,
                  .out0 = lv->out[0] + row,
                  .out1 = lv->out[1] + row,
                  .full = lv->full[0] + row,
                  .out_packet0 = combine ? lv->out_packet[0] + row : NULL,
                  .out_packet1 = combine ? lv->out_packet[1] + row : NULL,
                  .crossed0 = combine ? lv->crossed[0] + row : NULL,
                  .crossed1 = combine ? lv->crossed[1] + row : NULL};
}

/* Row i sends these words, of which h has the packet; went: is it h? */
NP_COLUMN_INLINE void put_words(bool combine, bool across, rows r, int i, uint32_t word0, uint32_t word1,
                                uint32_t packet, uint32_t went0, uint32_t went1)
{
    r.out0[i] = word0;
    if (across)
        r.out1[i] = word1;
    if (combine) {
        r.out_packet0[i] = packet;
        r.crossed0[i] += went0 & 1;
    }
    if (combine && across) {
        r.out_packet1[i] = packet;
        r.crossed1[i] += went1 & 1;
    }
}

/* Goes h, or else the word beside it, if the edge has room. With q = 1 ghosts and ends need no room. */
NP_COLUMN_INLINE uint32_t send(unsigned q, uint32_t goes, uint32_t h, uint32_t word, uint32_t full)
{
    return np_column_choose(goes, h, q > 1 ? word & ~full : word);
}

/*
 * A block's step: what came enters the queues. The least head is found; it goes over its edge if
 * the edge has room, or is consumed. All other edges with room get its ghost, or the end. Returns 0
 * if all rows have sent the end over all edges.
 */
NP_COLUMN_INLINE uint32_t merge_block(unsigned q, bool combine, bool across, bool starts, np_columns_ends ends,
                                      const np_columns *cs, uint32_t l, uint32_t row, block *b, np_columns_counts *c)
{
    const np_columns_level *lv = &cs->level[l];
    const uint32_t *end_level = cs->end_level;
    const rows r = rows_of(combine, starts, lv, row);
    const registers straight = registers_of(q, combine, lv->straight, lv->straight_packet, lv->rest[0], row);
    const registers crossing = registers_of(q, combine, lv->across, lv->across_packet, lv->rest[1], row);
    uint32_t port_at = 1 + l % cs->ports, key_at = 1 + cs->ports;
    uint32_t ghost = combine ? 1 : (UINT32_C(2) << cs->ports) - 1;
    uint32_t send0 = lv->sends[0], send1 = lv->sends[1], bit = lv->in_cross;
    uint32_t size = q == MANY ? cs->merge->options.queue_size : q, busy = 0;
#pragma omp simd reduction(| : busy)
    for (int i = 0; i < BLOCK; i++) {
        queue a = load(q, combine, straight, i);
        queue x = across ? load(q, combine, crossing, i) : (queue){END, 0, 0, 0, 0, 0, 0, 0};
        uint32_t came = across ? b->in[i] : 0;
        uint32_t na = fill_queue(q, r.in[i], combine ? r.in_packet[i] : 0, &a);
        uint32_t nx = across ? fill_queue(q, came, combine ? b->in_packet[i] : 0, &x) : 0;
        c->real[i] = np_column_larger(c->real[i], np_column_larger(na, nx));
        c->queue[i] = np_column_larger(c->queue[i], np_column_larger(na + (r.in[i] & 1), nx + (came & 1)));
        b->packets[i] = na + nx;
        r.full[i] = np_column_mask(na >= size);
        if (across)
            b->full[i] = np_column_mask(nx >= size);

        uint32_t h = np_column_smaller(np_column_smaller(a.s0, x.s0), starts ? r.head[i] : END);
        uint32_t packet = is_packet(h);
        keeper kept = {np_column_mask(a.s0 == h), np_column_mask(x.s0 == h), 0, 0, h};
        if (combine) {
            kept = keeper_of(h, starts ? r.head[i] : END, starts ? r.head_packet[i] : 0,
                             np_column_mask(((row + (uint32_t)i) & bit) == 0), &a, &x);
            note_keeper(&kept, &a, &x, b, i);
            if (starts)
                b->meets[i] |= packet & np_column_mask(r.head[i] == h) & r.twin[i];
        }
        uint32_t p = kept.packet, final = ends == NP_COLUMNS_NONE_END ? 0 : packet;
        if (ends == NP_COLUMNS_SOME_END)
            final &= np_column_mask(end_level[(int32_t)(p >> key_at & packet)] == l);
        uint32_t port = across ? -(p >> port_at & 1) : 0, moves = packet & ~final;
        uint32_t go0 = moves & ~port & ~r.full0[i], go1 = across ? moves & port & ~r.full1[i] : 0;
        uint32_t word = (h | (np_column_mask(h != END) & ghost)) & np_column_mask(h != 0);
        uint32_t o0 = send(q, go0, h, word, r.full0[i]) & send0;
        uint32_t o1 = across ? send(q, go1, h, word, r.full1[i]) & send1 : 0;
        uint32_t went = go0 | go1 | final;
        put_words(combine, across, r, i, o0, o1, p, go0, go1);
        c->ghosts[i] += (o0 & 1) + (o1 & 1);
        c->hops[i] += (go0 | go1) & 1;
        b->least[i] = h;
        b->went[i] = went;
        b->final[i] = final;
        busy |= (h ^ END) | (o0 ^ (END & send0)) | (o1 ^ (END & send1));

        leave_queue(q, (went & kept.straight) | kept.gone_straight, &a);
        store(q, combine, &a, straight, i);
        if (across) {
            leave_queue(q, (went & kept.across) | kept.gone_across, &x);
            store(q, combine, &x, crossing, i);
        }
        note_rest(q, &a, &x, b, i);
    }
    return busy;
}

/* What a block has sent gets its ports for the next levels. */
NP_COLUMN_INLINE void renew_ports(bool combine, const np_columns *cs, uint32_t l, uint32_t row, const block *b)
{
    const np_columns_level *lv = &cs->level[l];
    uint32_t *out0 = (combine ? lv->out_packet : lv->out)[0] + row,
             *out1 = (combine ? lv->out_packet : lv->out)[1] + row;
    const uint32_t *from = combine ? b->kept : b->least;
#pragma omp simd
    for (int i = 0; i < BLOCK; i++) {
        uint32_t h = from[i], packet = is_packet(b->least[i]);
        uint32_t next = np_columns_word(cs, l + 1, np_columns_number_of(cs, h) & packet);
        out0[i] = np_column_choose(packet & np_column_mask(out0[i] == h), next, out0[i]);
        out1[i] = np_column_choose(packet & np_column_mask(out1[i] == h), next, out1[i]);
    }
}

/* A packet that came too late for a register goes behind the rest; the first of the rest takes a free last register. */
static inline void move_rest(uint32_t *place, uint32_t late, uint32_t *last, uint32_t *rest, uint32_t *rest_at)
{
    if (late)
        place[*rest_at + (*rest)++] = late;
    if (!*last && *rest) {
        *last = place[(*rest_at)++];
        --*rest;
    }
}

/* The queues of a block in which packets go behind the registers, or come back to them. */
NP_COLUMN_INLINE void move_rests(np_columns *cs, const np_columns_level *lv, uint32_t row, const block *b)
{
    enum { LAST = NP_COLUMNS_REGISTERS - 1 };
    for (unsigned i = 0; i < BLOCK; i += 8)
        for (unsigned j = i; np_column_any_of_eight(b->rest + i) && j < i + 8; j++)
            if (b->rest[j]) {
                uint32_t r = row + j;
                move_rest(cs->place, b->late[0][j], &lv->straight[LAST][r], &lv->rest[0][r], &lv->rest_at[0][r]);
                move_rest(cs->place, b->late[1][j], &lv->across[LAST][r], &lv->rest[1][r], &lv->rest_at[1][r]);
            }
}

/* Counts the populations of hosts at the beginning of the step: packets in queues, in initial queues, consumed. */
NP_COLUMN_INLINE void count_population(const np_columns_level *lv, uint32_t row, const block *b, np_columns_counts *c)
{
    const uint32_t *at = lv->initial_at + row, *end = lv->initial_end + row;
    const uint32_t *consumed = lv->consumed ? lv->consumed + row : NULL;
    uint32_t *sum = lv->sum + row;
    uint32_t packets[BLOCK];
    memcpy(packets, b->packets, sizeof packets);
    if (lv->head)
#pragma omp simd
        for (int i = 0; i < BLOCK; i++)
            packets[i] += end[i] - at[i];
    if (lv->consumed)
#pragma omp simd
        for (int i = 0; i < BLOCK; i++)
            packets[i] += consumed[i];
    if (!lv->sum_begins)
#pragma omp simd
        for (int i = 0; i < BLOCK; i++)
            packets[i] += sum[i];
    if (!lv->sum_ends)
        memcpy(sum, packets, sizeof packets);
    else
#pragma omp simd
        for (int i = 0; i < BLOCK; i++)
            c->population[i] = np_column_larger(c->population[i], packets[i]);
}

/* Notes the packets that were consumed, one by one; returns how many. */
NP_COLUMN_INLINE uint32_t consume(np_columns *cs, const np_columns_level *lv, uint32_t row, const block *b)
{
    np_merge *merge = cs->merge;
    const uint32_t *word = cs->combine ? b->kept : b->least;
    uint32_t count = 0;
    for (unsigned i = 0; i < BLOCK; i += 8)
        for (unsigned j = i; np_column_any_of_eight(b->final + i) && j < i + 8; j++)
            if (b->final[j]) {
                np_packet p = np_columns_packet(cs, np_columns_number_of(cs, word[j]));
                merge->delay[p] = cs->now; /* less its hops, at the end */
                if (cs->combine)
                    merge->delivered[p] = 1;
                lv->consumed[row + j]++;
                count++;
            }
    return count;
}

/* A packet becomes a part of another at level l. It has come from the level where it began. */
static inline void absorb(np_columns *cs, uint32_t l, np_packet kept, np_packet gone, np_columns_worker *w)
{
    np_merge *merge = cs->merge;
    const np_path_set *path_set = merge->job->path_set;
    uint32_t hops = (uint32_t)(path_set->begin[gone + 1] - path_set->begin[gone]);
    np_merge_combine_values(merge, kept, gone);
    merge->delay[gone] = cs->now + hops - (l - path_set->origin[gone] / cs->rows); /* less its hops, at the end */
    w->left++;
    w->combined++;
}

/* The packets of its class behind the head of an initial queue, as in merge_combine.c. */
static inline void absorb_twins(np_columns *cs, uint32_t l, uint32_t row, np_columns_worker *w)
{
    const np_columns_level *lv = &cs->level[l];
    np_merge_slot *initial = cs->merge->initial;
    uint32_t at = lv->initial_at[row], end = lv->initial_end[row];
    np_merge_slot kept = initial[at];
    while (++at < end && np_merge_word_of(initial[at]) == np_merge_word_of(kept))
        absorb(cs, l, np_merge_packet_of(kept), np_merge_packet_of(initial[at]), w);
    lv->initial_at[row] = at - 1;
    initial[at - 1] = kept;
    lv->twin[row] = 0;
}

/* The rows of a block where packets meet. */
static inline void combine_block(np_columns *cs, uint32_t l, uint32_t row, const block *b, np_columns_worker *w)
{
    const np_columns_level *lv = &cs->level[l];
    for (unsigned i = 0; i < BLOCK; i += 8)
        for (unsigned j = i; np_column_any_of_eight(b->meets + i) && j < i + 8; j++) {
            if (!b->meets[j])
                continue;
            if (lv->head && lv->head[row + j] == b->least[j] && lv->twin[row + j])
                absorb_twins(cs, l, row + j, w);
            for (unsigned from = 0; from < 2; from++)
                if (b->absorbed[from][j])
                    absorb(cs, l, np_columns_packet(cs, np_columns_number_of(cs, b->kept[j])),
                           np_columns_packet(cs, np_columns_number_of(cs, b->absorbed[from][j])), w);
        }
}

/* Initial queues whose head went get their next head. */
NP_COLUMN_INLINE void advance(np_columns *cs, uint32_t l, uint32_t row, const block *b)
{
    const np_columns_level *lv = &cs->level[l];
    uint32_t gone[BLOCK], *head = lv->head + row;
    np_column_heads_gone(b->went, head, b->least, gone);
    for (unsigned i = 0; i < BLOCK; i += 8)
        for (unsigned j = i; np_column_any_of_eight(gone + i) && j < i + 8; j++)
            if (gone[j]) {
                lv->initial_at[row + j]++;
                np_columns_set_head(cs, l, row + j);
            }
}

/* A block that cannot begin yet, or has finished: the populations of its hosts alone have not changed. */
NP_COLUMN_INLINE void rest_block(const np_columns_level *lv, uint32_t row, np_columns_counts *c)
{
    block b;
    if (lv->sum_begins && lv->sum_ends)
        return;
    memset(b.packets, 0, sizeof b.packets);
    count_population(lv, row, &b, c);
}

/* The block's step, compiled for what can happen at the level. */
NP_COLUMN_INLINE uint32_t merge_any_end(unsigned q, bool combine, bool across, bool starts, const np_columns *cs,
                                        uint32_t l, uint32_t row, block *b, np_columns_counts *c)
{
    np_columns_ends ends = cs->level[l].ends;
    return ends == NP_COLUMNS_NONE_END ? merge_block(q, combine, across, starts, NP_COLUMNS_NONE_END, cs, l, row, b, c)
           : ends == NP_COLUMNS_SOME_END
               ? merge_block(q, combine, across, starts, NP_COLUMNS_SOME_END, cs, l, row, b, c)
               : merge_block(q, combine, across, starts, NP_COLUMNS_ALL_END, cs, l, row, b, c);
}

NP_COLUMN_INLINE uint32_t merge_any_block(unsigned q, bool combine, bool across, const np_columns *cs, uint32_t l,
                                          uint32_t row, block *b, np_columns_counts *c)
{
    return cs->level[l].head ? merge_any_end(q, combine, across, true, cs, l, row, b, c)
                             : merge_any_end(q, combine, across, false, cs, l, row, b, c);
}

/*
 * Does a step of a worker's rows of one level. Nothing has come to level l before step l: it waits.
 */
NP_COLUMN_INLINE void do_level(unsigned q, bool combine, np_columns *cs, uint32_t l, np_columns_worker *w)
{
    const np_columns_level *lv = &cs->level[l];
    uint32_t cross = lv->in_cross, apart = cross & -(uint32_t)BLOCK, busy;
    uint8_t *finished = cs->finished + (size_t)l * (cs->rows / BLOCK);
    bool across = q > TWO || cross || lv->sends[1]; /* compiled for few registers only: code has its price, too */
    for (uint32_t row = w->first; row < w->last; row += BLOCK) {
        block b;
        if (l > cs->now || finished[row / BLOCK]) {
            rest_block(lv, row, &w->counted);
            continue;
        }
        if (across) {
            np_column_cross(cross & (BLOCK - 1), lv->in[1] + (row ^ apart), b.in);
            if (combine)
                np_column_cross(cross & (BLOCK - 1), lv->in_packet[1] + (row ^ apart), b.in_packet);
            busy = merge_any_block(q, combine, true, cs, l, row, &b, &w->counted);
            np_column_cross(cross & (BLOCK - 1), b.full, lv->full[1] + (row ^ apart));
        } else {
            busy = merge_any_block(q, combine, false, cs, l, row, &b, &w->counted);
        }
        finished[row / BLOCK] = !busy;
        if (lv->renews)
            renew_ports(combine, cs, l, row, &b);
        if (q == MANY)
            move_rests(cs, lv, row, &b);
        count_population(lv, row, &b, &w->counted);
        if (lv->consumed)
            w->left += consume(cs, lv, row, &b);
        if (combine)
            combine_block(cs, l, row, &b, w);
        if (lv->head)
            advance(cs, l, row, &b);
    }
}

static NP_HOT void level_1(np_columns *cs, uint32_t l, np_columns_worker *w) { do_level(1, false, cs, l, w); }
static NP_HOT void level_2(np_columns *cs, uint32_t l, np_columns_worker *w) { do_level(2, false, cs, l, w); }
static NP_HOT void level_3(np_columns *cs, uint32_t l, np_columns_worker *w) { do_level(3, false, cs, l, w); }
static NP_HOT void level_4(np_columns *cs, uint32_t l, np_columns_worker *w) { do_level(4, false, cs, l, w); }
NP_HOT void np_columns_combining(np_columns *cs, uint32_t l, np_columns_worker *w)
{
    do_level(NP_COLUMNS_COMBINING, true, cs, l, w);
}
static NP_HOT void level_many(np_columns *cs, uint32_t l, np_columns_worker *w) { do_level(MANY, false, cs, l, w); }

np_columns_kernel *const np_columns_kernels[NP_COLUMNS_REGISTERS + 1] = {level_1, level_2, level_3, level_4,
                                                                         level_many};
