/*
 * Merging by steps, as the program does it (src/engine/merging/merge_step.c; what a
 * step is: include/netpram/merging.h; Leighton, Maggs, Ranade & Rao 1994,
 * section 2.2): ghosts, ends of streams, queues of Q packets. The network and
 * the packets are chosen (leveled.pml); the rest is determined, as in the program.
 *
 * What stands for which code of merge_step.c:
 *   front, select_least, pop       the functions of these names (here: merging_nodes.pml)
 *   combine with absorb, push      likewise; push with cross
 *   has_room, has_room_for_word    likewise, and np_edge_queue_has_room (edge_queue.h)
 *   send_ghost, send_ghosts, stay  likewise; ghost[e] is the ghost that is good in the coming step
 *   send_ends                      likewise
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
 * The model ends only when all packets have arrived.
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
#define BESIDE(e) (ghost[e] -> ghost[e] : (ended[e] -> END : EMPTY))
#define HAS_ENDED(e) ended[e]
#define FREES(e) freed[e] = 1
#include "merging_nodes.pml"

#ifdef FREED
#define FREED_NOW(e) 0
#else
#define FREED_NOW(e) freed[e]
#endif
#define PATIENCE (2 * (level[NODES - 1] + 2))

bit freed[EDGES], ended[EDGES];
byte ghost[EDGES];   /* the word beside the queue; 0: none */
byte still;          /* steps since something moved */
byte now;            /* the step, up to the depth */
hidden byte wakes[NODES];
bool never_empty = true, wakes_in_time = true;

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

inline send()
{
    if
    :: route[packet] == 1 -> consume(); leave(); pop(from); send_ghosts(NONE)
    :: else ->
        w = WANTS(v, packet);
        if
        :: HAS_ROOM(w) -> push(w); leave(); pop(from); send_ghosts(w)
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
        note_selected();
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
    clear_scratch();
    still = (moved -> 0 : still + 1);
    no_deadlock = still <= PATIENCE;
    assert(no_deadlock);
    if
    :: now < level[NODES - 1] -> now++
    :: else
    fi
}

init {
    d_step { make_network(); set_wakes(); clear_scratch() }
    atomic { choose_packets() }
    do
    :: remaining -> d_step { step() }
    :: else -> break
    od
}
