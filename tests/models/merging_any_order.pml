/*
 * Merging with ghosts where nothing is in step: nodes are processes, edges are
 * channels of Q packets, and any node that can do something may be the next.
 * merging.pml has the steps of the program; this model shows that the protocol
 * itself needs no clock: whatever the order, no deadlock, and all is in order.
 *
 * A ghost that is sent in every step is here a bound that stays: told[e] is the last word that went
 * over edge e. If the queue is empty, and the last word was a ghost or the end, then the node at the head
 * of the edge sees it. A packet takes the bound's place when it enters.
 *
 * What stands for which code of src/engine/merging/merge_step.c: act is act, with send,
 * stay, send_ghosts and send_ends; the rest is in merging_nodes.pml. Rooms are what
 * they are when the node acts (edge_queue.h: NP_ROOM_BEGIN and NP_ROOM_FREED differ only
 * within a step).
 *
 * A node acts in one go. This is no loss: what it has seen of its queues and rooms stays true while
 * others act, since only this node takes from its queues and only it fills the next ones; and a bound only rises.
 *
 * Properties
 *   order_kept, within_bounds  as in merging.pml (Lemma 2.1)
 *   bounds_rise                the keys that go over an edge never fall: what a ghost has said stays true
 *   no_deadlock                while packets remain or an end has not come through, some node can act
 *   No execution goes on for ever (the runner asks for cycles).
 *
 * Planted bugs
 *   BUG_NO_GHOSTS, BUG_FORWARD_EARLY, BUG_ROOM, BUG_OWN_GHOST, BUG_END_EARLY as in merging.pml
 *   BUG_BOUND_STAYS      a packet does not take the place of the bound
 * PLAIN_RULE: with Q = 1, too, ghosts and ends need room. Here this does no harm: a bound that stays is
 * sent when there is room. In steps it does (merging.pml: BUG_PLAIN_RULE).
 */
#define HAS_ENDED(e) (told[e] == END)
#define FREES(e) skip
#define IS_BOUND(word) (IS_GHOST(word) || (word) == END)
#define BESIDE(e) (IS_BOUND(told[e]) -> told[e] : EMPTY)
#include "merging_nodes.pml"

#ifdef BUG_ROOM
#define HAS_ROOM(e) (count[e] <= Q)
#else
#define HAS_ROOM(e) (count[e] < Q)
#endif
#ifdef PLAIN_RULE
#define HAS_ROOM_FOR_WORD(e) HAS_ROOM(e)
#define OWN_GHOST(word) 0
#else
#define HAS_ROOM_FOR_WORD(e) (Q == 1 || HAS_ROOM(e))
#if Q > 1
#define OWN_GHOST(word) 0
#elif defined COMBINE && !defined BUG_OWN_GHOST
#define OWN_GHOST(word) ((word) - 1)
#else
#define OWN_GHOST(word) ((word) | 1)
#endif
#endif

byte told[EDGES]; /* 0: nothing yet */
bool bounds_rise = true;
int can_act;        /* nodes, as bits */
hidden byte own, sends;

/* Word x goes over edge e, if it is news and finds room. sends = something went. In a rehearsal nothing goes. */
inline tell(e, x, rehearsal)
{
    if
    :: HAS_ROOM_FOR_WORD(e) && told[e] < (x) ->
        sends = true;
        if
        :: !rehearsal -> bounds_rise = bounds_rise && KEY_OF(x) >= KEY_OF(told[e]); told[e] = x
        :: else
        fi
    :: else
    fi
}

/* Tells all edges out but `but`. */
inline tell_all(x, but, rehearsal)
{
    for (e : out[v] .. out[v + 1] - 1) {
        if
        :: e != but -> tell(e, x, rehearsal)
        :: else
        fi
    }
}

#ifdef BUG_NO_GHOSTS
#define GHOSTS(but, rehearsal) skip
#else
#define GHOSTS(but, rehearsal) tell_all(best | 1, but, rehearsal)
#endif

inline cross_or_consume()
{
    if
    :: own == NONE -> consume()
    :: else ->
        push(own);
        bounds_rise = bounds_rise && KEY_OF(best) >= KEY_OF(told[own]);
#ifndef BUG_BOUND_STAYS
        told[own] = best
#endif
    fi;
    passed[v] = best + 1;
    pop(from)
}

/* Node v's part. In a rehearsal it only says whether there is anything to do: sends. */
inline act(rehearsal)
{
    sends = false;
    select_least();
#ifdef BUG_FORWARD_EARLY
    all = true;
#endif
#ifdef BUG_END_EARLY
    all = all || best == END;
#endif
    if
    :: all && best == END -> tell_all(END, NONE, rehearsal)
    :: all && IS_GHOST(best) ->
        if
        :: !rehearsal -> note_selected()
        :: else
        fi;
        GHOSTS(NONE, rehearsal)
    :: all && IS_PACKET(best) ->
        if
        :: !rehearsal ->
            note_selected();
#ifdef COMBINE
            combine()
#endif
        :: else
        fi;
        own = (route[packet] == 1 -> NONE : WANTS(v, packet));
        if
        :: own == NONE || HAS_ROOM(own) ->
            sends = true;
            if
            :: !rehearsal -> cross_or_consume()
            :: else
            fi
        :: else ->
            if
            :: OWN_GHOST(best) -> tell(own, OWN_GHOST(best), rehearsal)
            :: else
            fi
        fi;
        GHOSTS(own, rehearsal)
    :: else
    fi
}

inline find_who_can_act()
{
    can_act = 0;
    for (v : 0 .. NODES - 1) {
        act(true);
        if
        :: sends -> can_act = can_act | (1 << v)
        :: else
        fi
    }
    clear_scratch()
}

/* v = any node that can act. */
inline choose_node()
{
    do
    :: (can_act >> v) & 1 -> break
    :: can_act >> (v + 1) -> v++
    od
}

inline check_end()
{
    no_deadlock = !remaining;
    for (e : 0 .. EDGES - 1) { no_deadlock = no_deadlock && told[e] == END }
    assert(no_deadlock)
}

init {
    d_step { make_network(); clear_scratch() }
    atomic { choose_packets() }
    do
    :: atomic {
            d_step { find_who_can_act() }
            if
            :: can_act -> choose_node(); skip; d_step { act(false); clear_scratch(); can_act = 0; assert(bounds_rise) }
            :: else -> check_end(); break
            fi
        }
    od
}
