/*
 * Merging by steps, as the program does it (src/merging/merge_step.c; what a
 * step is: include/netpram/merging.h; Leighton, Maggs, Ranade & Rao 1994,
 * section 2.2): ghosts, ends of streams, queues of Q packets. The network and
 * the packets are chosen (leveled.pml); the rest is determined, as in the program.
 *
 * What stands for which code of merge_step.c:
 *   front, select_least            the functions of these names
 *   has_room, has_room_for_word    likewise, and np_edge_queue_has_room (edge_queue.h)
 *   send_ghost, send_ghosts, stay  likewise; ghost[e] is the ghost that is good in the coming step
 *   combine, cross, send_ends      likewise, combine with absorb
 *   act, step                      likewise; nodes from the last to the first
 *   patience                       run: so many steps without a move are a deadlock
 *
 * What is abstracted: messages have one packet. Observers, records, populations and values are left
 * out. Nodes act from the first step on: before their step wakes[v] they can only wait, which is checked.
 *
 * Properties
 *   order_kept     Lemma 2.1: queues are in order, and a node sends words in order of keys. A packet
 *                  leaves a node once for each key; where packets combine, all of one key leave as one
 *   within_bounds  a queue holds at most Q packets
 *   never_empty    Lemma 2.2, and case 3 of Lemma 2.3: a node of level l finds something in all of its queues
 *                  from step l on; also with Q = 1
 *   wakes_in_time  before its step wakes[v] a node can only wait
 *   no_deadlock    something real moves in every `patience` steps until all packets are consumed
 *   and the model ends only when all packets have arrived
 *
 * Planted bugs
 *   BUG_NO_GHOSTS, BUG_NO_GHOST_FROM_STAYING, BUG_GHOST_STAYS
 *   BUG_FORWARD_EARLY   the least of the heads that are there, though a queue is empty
 *   BUG_ROOM            room for one packet more
 *   BUG_PLAIN_RULE      queues of 1 by the rule for longer ones
 *   BUG_OWN_GHOST       where packets combine, the ghost over a packet's own edge comes after its key
 *   BUG_END_EARLY       the end is sent when the initial queue is at its end
 * WITHOUT_LEMMA leaves never_empty and wakes_in_time out, so that what a bug leads to is found.
 */
#include "leveled.pml"

#ifndef Q
#define Q 2
#endif
#ifdef FREED
#define FREED_NOW(e) 0
#else
#define FREED_NOW(e) freed[e]
#endif
#define PATIENCE (2 * (level[NODES - 1] + 2))
#define EMPTY 255

/* Edges: the queue at the head, and what stands beside it. */
byte slot[EDGES * Q], count[EDGES]; /* slot: packets */
bit freed[EDGES], ended[EDGES];
byte ghost[EDGES];   /* a word; 0: none */
byte passed[NODES];  /* the key of the last word sent, twice; more by 1 if the packet itself has left */
byte still;          /* steps since something moved */
byte now;            /* the step, up to the depth */
hidden byte wakes[NODES];
hidden byte moved;
bool order_kept = true, within_bounds = true, never_empty = true, wakes_in_time = true, no_deadlock = true;

/* Scratch of a step. */
hidden byte v, u, w, e, p, i, best, packet, from, owner, word, at;
hidden byte all;

#ifdef BUG_ROOM
#define HAS_ROOM(e) (count[e] + FREED_NOW(e) <= Q)
#else
#define HAS_ROOM(e) (count[e] + FREED_NOW(e) < Q)
#endif
#ifdef BUG_PLAIN_RULE
#define HAS_ROOM_FOR_WORD(e) HAS_ROOM(e)
#else
#define HAS_ROOM_FOR_WORD(e) (Q == 1 || HAS_ROOM(e))
#endif

inline set_wakes()
{
    for (v : 0 .. NODES - 1) { wakes[v] = 0 }
    for (v : 0 .. NODES - 1) {
        for (e : 0 .. EDGES - 1) {
            if
            :: e >= out[v] && e < out[v + 1] && wakes[head[e]] <= wakes[v] -> wakes[head[e]] = wakes[v] + 1
            :: else
            fi
        }
    }
    v = NODES - 1;
    do
    :: v ->
        if
        :: wakes[v] < wakes[v - 1] -> wakes[v - 1] = wakes[v]
        :: else
        fi;
        v--
    :: else -> break
    od
}

/* word = what node v sees of edge e, owner = its packet. */
inline front(e)
{
    owner = NONE;
    if
    :: count[e] -> owner = slot[(e) * Q]; word = 2 * KEY(owner)
    :: !count[e] && ghost[e] -> word = ghost[e]
    :: !count[e] && !ghost[e] && ended[e] -> word = END
    :: else -> word = EMPTY
    fi
}

/* at = the first packet of node v's initial queue; NONE. */
inline first_of(v)
{
    at = NONE;
    for (i : 0 .. PACKETS - 1) {
        if
        :: at == NONE && origin[i] == v -> at = i
        :: else
        fi
    }
}

/* best = the least head of node v, packet = its packet, from = its queue. all: no queue is empty. */
inline select_least()
{
    all = true;
    first_of(v);
    from = NONE;
    best = (at == NONE -> END : 2 * KEY(at));
    packet = at;
    for (i : 0 .. 1) {
        if
        :: enters[2 * v + i] != NONE ->
            front(enters[2 * v + i]);
            if
            :: word == EMPTY -> all = false
            :: word < best -> best = word; from = i; packet = owner
            :: else
            fi
        :: else
        fi
    }
}

inline pop(queue)
{
    if
    :: queue == NONE -> origin[packet] = NONE
    :: else ->
        e = enters[2 * v + queue];
        count[e]--;
        freed[e] = 1;
        for (i : 0 .. Q - 2) { slot[e * Q + i] = slot[e * Q + i + 1] }
        slot[e * Q + Q - 1] = 0
    fi
}

inline absorb(gone)
{
    route[gone] = 0;
    remaining--;
    moved = true
}

/* All heads of the best word become one: `packet`, in queue `from`. */
inline combine()
{
    packet = NONE;
    from = NONE;
    for (p : 0 .. PACKETS - 1) {
        if
        :: origin[p] == v && 2 * KEY(p) == best && packet == NONE -> packet = p
        :: origin[p] == v && 2 * KEY(p) == best && packet != NONE -> absorb(p); origin[p] = NONE
        :: else
        fi
    }
    for (u : 0 .. 1) {
        if
        :: enters[2 * v + u] != NONE ->
            front(enters[2 * v + u]);
            if
            :: word == best && packet == NONE -> packet = owner; from = u
            :: word == best && packet != NONE -> absorb(owner); pop(u)
            :: else
            fi
        :: else
        fi
    }
}

/* Ghosts of the best word over the edges out, but not over `but`. */
inline send_ghosts(but)
{
#ifdef BUG_NO_GHOSTS
    skip
#else
    for (e : out[v] .. out[v + 1] - 1) {
        if
        :: e != but && HAS_ROOM_FOR_WORD(e) -> ghost[e] = best | 1
        :: else
        fi
    }
#endif
}

inline stay(own)
{
#ifdef BUG_NO_GHOST_FROM_STAYING
    skip;
#else
    send_ghosts(own);
#endif
#if Q == 1 && !defined BUG_NO_GHOSTS && !defined BUG_PLAIN_RULE
#if defined COMBINE && !defined BUG_OWN_GHOST
    ghost[own] = best - 1
#else
    ghost[own] = best | 1
#endif
#endif
}

inline leave()
{
    passed[v] = best + 1;
    moved = true
}

inline cross(own)
{
    order_kept = !ended[own] && (!count[own] || 2 * KEY(slot[own * Q + count[own] - 1]) < best);
    assert(order_kept);
    within_bounds = count[own] < Q;
    assert(within_bounds);
    slot[own * Q + count[own]] = packet;
    count[own]++;
    route[packet] = route[packet] >> 1
}

inline send()
{
    if
    :: route[packet] == 1 -> route[packet] = 0; remaining--; leave(); pop(from); send_ghosts(NONE)
    :: else ->
        w = WANTS(v, packet);
        if
        :: HAS_ROOM(w) -> cross(w); leave(); pop(from); send_ghosts(w)
        :: else -> stay(w)
        fi
    fi
}

inline send_ends()
{
    for (e : out[v] .. out[v + 1] - 1) {
        if
        :: !ended[e] && HAS_ROOM_FOR_WORD(e) -> ended[e] = 1; moved = true
        :: else
        fi
    }
}

/* Node v's part in the step. */
inline act()
{
#ifndef BUG_GHOST_STAYS
    for (e : out[v] .. out[v + 1] - 1) { ghost[e] = 0 } /* of the step before; seen by now */
#endif
    select_least();
#ifndef WITHOUT_LEMMA
    wakes_in_time = now >= wakes[v] || !all;
    assert(wakes_in_time);
    never_empty = now < level[v] || all;
    assert(never_empty);
#endif
#ifdef BUG_FORWARD_EARLY
    all = true;
#endif
#ifdef BUG_END_EARLY
    all = all || best == END;
#endif
    if
    :: all && best < END ->
        order_kept = (IS_GHOST(best) -> KEY_OF(best) >= KEY_OF(passed[v]) : best >= passed[v]);
        assert(order_kept);
        passed[v] = (best - (best & 1) > passed[v] -> best - (best & 1) : passed[v]);
        if
        :: IS_GHOST(best) -> send_ghosts(NONE)
        :: else ->
#ifdef COMBINE
            combine();
#endif
            send()
        fi
    :: all && best == END -> send_ends()
    :: else
    fi
}

inline step()
{
    moved = false;
    v = NODES;
    do
    :: v -> v--; act()
    :: else -> break
    od;
    for (e : 0 .. EDGES - 1) { freed[e] = 0 }
    still = (moved -> 0 : still + 1);
    no_deadlock = still <= PATIENCE;
    assert(no_deadlock);
    if
    :: now < level[NODES - 1] -> now++
    :: else
    fi
}

init {
    d_step { make_network(); set_wakes() }
    atomic { choose_packets() }
    do
    :: remaining -> d_step { step() }
    :: else -> break
    od
}
