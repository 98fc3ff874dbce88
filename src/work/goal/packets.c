/*
 * See packets.h. The queue of a link is a list of runs: packets of one message that follow one another. In a step the
 * busy links are walked in ascending order, what leaves them is put aside, and then it arrives.
 */
#include "work/goal/packets.h"

#include "base/memory.h"
#include "base/room.h"

typedef struct run {
    uint64_t count;
    uint32_t item, hop; /* hop: which link of the lane it waits for */
    uint32_t next;      /* NP_NONE: the last */
} run;

struct np_packets {
    const np_lane_list *lanes;
    uint32_t *first, *last; /* [links] runs; first NP_NONE: the queue is empty */
    uint64_t *busy;         /* bits of links whose queue is not empty */
    size_t words;
    uint64_t moving;  /* busy links */
    size_t *lane;     /* [items] */
    uint64_t *left;   /* [items] packets that have not arrived */
    run *runs, *gone; /* gone: what leaves in the step */
    size_t used, room, gone_count, gone_room;
    uint32_t vacant; /* runs to be used again */
};

static const char what[] = "packets on their way";

static uint64_t width(const np_packets *p, uint32_t link) { return p->lanes->capacity[link] >> p->lanes->bits; }

static uint32_t link_of(const np_packets *p, uint32_t item, uint32_t hop)
{
    return p->lanes->link[p->lanes->first[p->lane[item]] + hop];
}

static uint32_t hops_of(const np_packets *p, uint32_t item)
{
    size_t lane = p->lane[item];
    return (uint32_t)(p->lanes->first[lane + 1] - p->lanes->first[lane]);
}

np_status np_packets_create(const np_lane_list *lanes, const np_network *network, size_t items, np_packets **out)
{
    uint32_t links = np_network_link_numbers(network);
    np_packets *p;
    np_status st = np_memory_zeroed(&p, 1, sizeof *p, what);
    *out = NULL;
    if (st)
        return st;
    p->lanes = lanes;
    p->words = ((size_t)links + 63) / 64;
    p->vacant = NP_NONE;
    if ((st = np_memory_array(&p->first, links, sizeof *p->first, what)) ||
        (st = np_memory_array(&p->last, links, sizeof *p->last, what)) ||
        (st = np_memory_zeroed(&p->busy, p->words, sizeof *p->busy, what)) ||
        (st = np_memory_array(&p->lane, items + 1, sizeof *p->lane, what)) ||
        (st = np_memory_zeroed(&p->left, items + 1, sizeof *p->left, what))) {
        np_packets_free(p);
        return st;
    }
    for (uint32_t link = 0; link < links; link++)
        p->first[link] = NP_NONE;
    *out = p;
    return NP_OK;
}

void np_packets_free(np_packets *p)
{
    if (!p)
        return;
    NP_MEMORY_FREE(p->first, p->last, p->busy, p->lane, p->left, p->runs, p->gone, p);
}

static np_status take_run(np_packets *p, uint32_t *out)
{
    np_status st = NP_OK;
    if (p->vacant != NP_NONE) {
        *out = p->vacant;
        p->vacant = p->runs[*out].next;
    } else if (!(st = np_memory_room(&p->runs, p->used, &p->room, sizeof *p->runs, what)))
        *out = (uint32_t)p->used++;
    return st;
}

/* Packets of a message reach the queue of its link `hop`. */
static np_status enter(np_packets *p, uint32_t item, uint32_t hop, uint64_t count)
{
    uint32_t link = link_of(p, item, hop), at;
    if (p->first[link] != NP_NONE) {
        run *last = &p->runs[p->last[link]];
        if (last->item == item && last->hop == hop) {
            last->count += count;
            return NP_OK;
        }
    }
    np_status st = take_run(p, &at);
    if (st)
        return st;
    p->runs[at] = (run){count, item, hop, NP_NONE};
    if (p->first[link] == NP_NONE) {
        p->first[link] = at;
        p->busy[link / 64] |= UINT64_C(1) << link % 64;
        p->moving++;
    } else
        p->runs[p->last[link]].next = at;
    p->last[link] = at;
    return NP_OK;
}

np_status np_packets_send(np_packets *packets, uint32_t item, size_t lane, uint64_t count)
{
    packets->lane[item] = lane;
    packets->left[item] = count;
    return enter(packets, item, 0, count);
}

bool np_packets_move(const np_packets *packets) { return packets->moving; }

/* What a busy link sends in a step is put aside. */
static np_status leave(np_packets *p, uint32_t link)
{
    for (uint64_t left = width(p, link); left && p->first[link] != NP_NONE;) {
        uint32_t at = p->first[link];
        run *r = &p->runs[at];
        uint64_t count = r->count < left ? r->count : left;
        np_status st = np_memory_room(&p->gone, p->gone_count, &p->gone_room, sizeof *p->gone, what);
        if (st)
            return st;
        p->gone[p->gone_count++] = (run){count, r->item, r->hop + 1, NP_NONE};
        left -= count;
        if ((r->count -= count))
            continue;
        p->first[link] = r->next;
        r->next = p->vacant;
        p->vacant = at;
    }
    if (p->first[link] == NP_NONE) {
        p->busy[link / 64] &= ~(UINT64_C(1) << link % 64);
        p->moving--;
    }
    return NP_OK;
}

static np_status leave_all(np_packets *p)
{
    np_status st = NP_OK;
    p->gone_count = 0;
    for (size_t w = 0; w < p->words; w++)
        for (uint64_t bits = p->busy[w]; bits && !st; bits &= bits - 1)
            st = leave(p, (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(bits));
    return st;
}

np_status np_packets_step(np_packets *packets, np_status (*arrived)(void *self, uint32_t item), void *self)
{
    np_packets *p = packets;
    np_status st = leave_all(p);
    for (size_t i = 0; i < p->gone_count && !st; i++) {
        const run r = p->gone[i];
        if (r.hop < hops_of(p, r.item))
            st = enter(p, r.item, r.hop, r.count);
        else if (!(p->left[r.item] -= r.count))
            st = arrived(self, r.item);
    }
    return st;
}
