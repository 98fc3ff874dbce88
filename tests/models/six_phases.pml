/*
 * The six phases on the logical network of Ranade 1987b, section 3: requests
 * go to modules and combine on their way, replies go back, sorted by tag, with
 * queues of B messages, ghosts, and a FIFO queue of direction bits for each
 * pair of switches. Who asks for what, and where each tag's module is, is
 * chosen; the rest is determined, as in the program.
 *
 * What stands for which code of src/engine/merging:
 *   walk, pass             ranade.c: walk_request, pass; way[] is what list_directions makes
 *   least_asked            ranade.c: fill_initial, the initial queues
 *   look, send, pay        ranade_columns.c, the functions of these names
 *   act                    ranade_columns.c: select_block, turn, for one row
 *   step                   ranade.c: run_steps; columns from the last to the first one that has not done
 *
 * A word is 0 for nothing, 2 k + 2 for the message of tag k, 2 k + 3 for its
 * ghost (2 k + 1: B = 1, the message stays), END for the end of a stream.
 *
 * What is abstracted: values, records, observers, words of 15 pairs of bits, blocks of rows, and the module's column,
 * which only orders the tags.
 *
 * Properties
 *   order_kept      what comes into a queue is greater than all in it; messages leave a switch in
 *                   order of tags, each tag once (sections 2, 3.4; audit in ranade_columns.c)
 *   within_bounds   a message that comes finds room
 *   never_empty     Lemma 4: a switch of column c finds something in all of its queues from step c on
 *   bits_agree      the direction bits that the program writes down before the batch are those of the sides
 *                   from which the request came
 *   replies_match   Lemma 2: the i-th reply at a switch is the answer to the i-th request (audit_replies)
 *   home_once       a processor takes one reply for each tag that it asked for, and no other
 *   no_deadlock     a message moves in every `patience` steps until all replies are home
 *
 * Planted bugs
 *   BUG_NO_GHOSTS, BUG_ROOM      a ghost is not sent; room for one message more
 *   BUG_LIFO                     direction bits are taken last in, first out
 *   BUG_PLAIN_RULE               with B = 1 ghosts and ends need room, too
 *   BUG_NOT_OWED                 a reply leaves when one side has it, though the other is still owed
 *   BUG_FIRST_SIDE               of requests that combine, the side of the second is not written down
 * WITHOUT_LEMMA leaves never_empty out.
 */
#ifndef N
#define N 1
#endif
#ifndef TAGS
#define TAGS 3
#endif
#ifndef B
#define B 1
#endif
#if N == 1
#define ROWS 2
#else
#define ROWS 4
#endif
#ifndef ASKERS
#define ASKERS (N * ROWS) /* of one tag, at most */
#endif
#define PROCESSORS (N * ROWS)
#define COLUMNS (6 * N + 1)
#define SWITCHES (COLUMNS * ROWS)
#define LISTS ((2 * N + 1) * ROWS)
#define END 255
#define PATIENCE (COLUMNS + 2)

#define AT(c, r) ((c) * ROWS + (r))
#define PROCESSOR(c, r) ((r) * N + (c))
#define IS_MESSAGE(w) ((w) != 0 && !((w) & 1))
#define TAG(w) (((w) - 2) >> 1)
#define CROSSES(c) (((c) >= N && (c) < 2 * N) || ((c) >= 4 * N && (c) < 5 * N))
#define MASK(c) ((c) < 2 * N -> 1 << ((c) - N) : 1 << (5 * N - 1 - (c))) /* if it crosses */
#define BY_ADDRESS(c) ((c) >= N && (c) < 2 * N)
#define BY_BITS(c) ((c) >= 4 * N && (c) < 5 * N)
#define TAKES(c) ((c) > 5 * N)

byte row[TAGS];              /* of the tag's module */
byte asked[PROCESSORS];      /* tags that the processor has yet to send, as bits */
byte waits[PROCESSORS];      /* tags whose replies it has yet to take, as bits */
byte way[LISTS * TAGS];      /* direction bits: 1 straight, 2 across or the processor; what is still owed */
byte out[2 * SWITCHES];      /* what the switch sent, straight and across */
byte slot[2 * SWITCHES * B]; /* the two queues */
byte count[2 * SWITCHES];
byte passed[SWITCHES];       /* the last message that left, plus 1 */
byte remaining; /* replies that are not home */
byte done, now, still;
bool order_kept = true, within_bounds = true, never_empty = true, bits_agree = true, replies_match = true;
bool home_once = true, no_deadlock = true;

byte t, p; /* chosen with */
hidden byte crowded[2 * SWITCHES];
hidden byte c, r, i, k, h, s, u, l, first, second, own, came, went, sides, need, paid, head, moved, ended, waiting;

#define LIST(c, r, t) way[AT(c, r) * TAGS + (t)]

/* The tag comes to the list of switch (c, r) from side `bits`; came = it has been there. */
inline pass(bits)
{
    came = LIST(c, r, k) != 0;
#ifdef BUG_FIRST_SIDE
    LIST(c, r, k) = (came -> LIST(c, r, k) : bits)
#else
    LIST(c, r, k) = LIST(c, r, k) | bits
#endif
}

/* From processor (c, r) to the end of phase 2, or to where tag k has been. */
inline walk()
{
    pass(2);
    do
    :: !came && c < N -> c++; pass(1)
    :: else -> break
    od;
    do
    :: !came && c < 2 * N ->
        s = (r ^ row[k]) & (1 << (c - N));
        r = r ^ s;
        c++;
        sides = (s -> 2 : 1);
        pass(sides)
    :: else -> break
    od
}

inline write_directions()
{
    for (k : 0 .. TAGS - 1) {
        for (i : 0 .. PROCESSORS - 1) {
            if
            :: waits[i] & (1 << k) -> r = i / N; c = i % N; walk()
            :: else
            fi
        }
    }
}

/* own = the least word that processor (c, r) has yet to send. */
inline least_asked()
{
    own = END;
    for (k : 0 .. TAGS - 1) {
        if
        :: own == END && asked[PROCESSOR(c, r)] & (1 << k) -> own = 2 * k + 2
        :: else
        fi
    }
}

/* first tag of the list whose bits are owed, which is head; need = its bits. */
inline next_bits()
{
    head = TAGS;
    need = 0;
    for (k : 0 .. TAGS - 1) {
        if
#ifdef BUG_LIFO
        :: LIST(6 * N - c, r, k) -> head = k; need = LIST(6 * N - c, r, k)
#else
        :: head == TAGS && LIST(6 * N - c, r, k) -> head = k; need = LIST(6 * N - c, r, k)
#endif
        :: else
        fi
    }
}

#ifdef BUG_ROOM
#define MOST (B + 1)
#else
#define MOST B
#endif

/* x comes into queue q = 2 * switch + side; word = the head. The message enters. */
inline look(x, q, word)
{
    if
    :: x && count[q] ->
        order_kept = x > slot[(q) * B + count[q] - 1];
        assert(order_kept)
    :: else
    fi;
    word = (count[q] -> slot[(q) * B] : x);
    if
    :: IS_MESSAGE(x) ->
        within_bounds = count[q] < B;
        assert(within_bounds);
        slot[(q) * B + count[q]] = x;
        count[q]++
    :: else
    fi;
    crowded[q] = count[q] >= MOST
}

inline leave(q)
{
    count[q]--;
    for (k : 0 .. B - 2) { slot[(q) * B + k] = slot[(q) * B + k + 1] }
    slot[(q) * B + B - 1] = 0
}

#ifdef BUG_PLAIN_RULE
#define NEEDS_ROOM true
#else
#define NEEDS_ROOM (B > 1)
#endif
#ifdef BUG_NO_GHOSTS
#define GHOST(h) ((h) == END -> END : 0)
#else
#define GHOST(h) ((h) -> (h) | 1 : 0)
#endif

/* What goes over a way. */
#define WORD(needs, is_full) \
    ((needs) -> ((is_full) -> (NEEDS_ROOM -> 0 : h - 1) : h) : ((is_full) && NEEDS_ROOM -> 0 : GHOST(h)))

/* The message leaves: checks its order, and the sides from which the request came. */
inline leave_all()
{
    order_kept = h >= passed[u];
    assert(order_kept);
    passed[u] = h + 1;
    sides = (first == h -> 1 : 0) | (second == h || own == h -> 2 : 0);
    if
    :: first == h -> leave(2 * u)
    :: else
    fi;
    if
    :: second == h -> leave(2 * u + 1)
    :: else
    fi;
    if
    :: own == h -> asked[PROCESSOR(c, r)] = asked[PROCESSOR(c, r)] & ~(1 << TAG(h))
    :: else
    fi;
#ifndef TARGETS
    if
    :: c <= 2 * N -> bits_agree = sides == LIST(c, r, TAG(h)); assert(bits_agree)
    :: else
    fi
#endif
}

/* The reply goes where bits are owed and where there is room; paid = these sides. */
inline pay()
{
    next_bits();
    if
    :: IS_MESSAGE(h) ->
        replies_match = head == TAG(h);
        assert(replies_match);
        paid = need & ~((!TAKES(c) || c < 6 * N) && crowded[l] -> 1 : 0) & ~(BY_BITS(c) && crowded[s] -> 2 : 0);
        if
        :: TAKES(c) && (paid & 2) ->
            home_once = (waits[PROCESSOR(6 * N - c, r)] & (1 << head)) != 0;
            assert(home_once);
            waits[PROCESSOR(6 * N - c, r)] = waits[PROCESSOR(6 * N - c, r)] & ~(1 << head);
            remaining--
        :: else
        fi;
#ifdef BUG_NOT_OWED
        went = paid != 0;
        LIST(6 * N - c, r, head) = (went -> 0 : need)
#else
        LIST(6 * N - c, r, head) = need & ~paid;
        went = need == paid
#endif
    :: else -> need = 0
    fi
}

/* Switch (c, r): u; the queues to which its ways lead: l, s. */
inline act()
{
    u = AT(c, r);
    first = END;
    second = END;
    own = END;
    paid = 0;
    went = false;
    l = (c < 6 * N -> 2 * AT(c + 1, r) : 0);
    s = 0;
    if
    :: CROSSES(c) -> s = 2 * AT(c + 1, r ^ MASK(c)) + 1
    :: else
    fi;
    if
    :: c -> i = out[2 * AT(c - 1, r)]; look(i, 2 * u, first)
    :: else
    fi;
    if
    :: c && CROSSES(c - 1) -> i = out[2 * AT(c - 1, r ^ MASK(c - 1)) + 1]; look(i, 2 * u + 1, second)
    :: else
    fi;
    if
    :: c < N -> least_asked()
    :: else
    fi;
    h = (first < second -> first : second);
    h = (own < h -> own : h);
#ifndef WITHOUT_LEMMA
    never_empty = now < c || h;
    assert(never_empty);
#endif
    if
    :: BY_BITS(c) || TAKES(c) -> pay()
    :: !BY_BITS(c) && !TAKES(c) && IS_MESSAGE(h) ->
        need = 1;
        if
        :: BY_ADDRESS(c) && ((row[TAG(h)] ^ r) & MASK(c)) -> need = 2
        :: else
        fi;
        paid = need & ~(crowded[l] -> 1 : 0) & ~(BY_ADDRESS(c) && crowded[s] -> 2 : 0);
        went = paid != 0
    :: else -> need = 0
    fi;
    if
    :: c < 6 * N -> out[2 * u] = WORD((need & 1), crowded[l]); ended = ended && out[2 * u] == END
    :: else -> ended = false
    fi;
    if
    :: CROSSES(c) -> out[2 * u + 1] = WORD((need & 2), crowded[s]); ended = ended && out[2 * u + 1] == END
    :: else
    fi;
    moved = moved || paid;
    if
    :: went -> leave_all()
    :: else
    fi
}

inline step()
{
    moved = false;
    waiting = done; /* the first column that has not done */
    c = (now < COLUMNS - 1 -> now + 1 : COLUMNS);
    do
    :: c > done ->
        c--;
        ended = true;
        r = 0;
        do
        :: r < ROWS -> act(); r++
        :: else -> break
        od;
        waiting = (ended && c == done -> c + 1 : waiting)
    :: else -> break
    od;
    done = waiting;
    now = (now < COLUMNS -> now + 1 : now);
    still = (moved -> 0 : still + 1);
    no_deadlock = still <= PATIENCE;
    assert(no_deadlock)
}

/* Rows can be renumbered, so that the first module is in row 0. */
inline choose_requests()
{
    for (t : 0 .. TAGS - 1) {
        if
        :: t -> select(p : 0 .. ROWS - 1); row[t] = p
        :: else
        fi;
        asks = 0;
        p = 0;
        do
        :: p < PROCESSORS && asks < ASKERS ->
            asked[p] = asked[p] | (1 << t);
#ifndef TARGETS
            waits[p] = waits[p] | (1 << t);
            remaining++;
#endif
            asks++;
            p++
        :: p < PROCESSORS && (asks || p + 1 < PROCESSORS) -> p++
        :: p == PROCESSORS -> break
        od;
#ifdef TARGETS
        select(p : 0 .. PROCESSORS - 1);
        waits[p] = waits[p] | (1 << t);
        remaining++
#endif
    }
    asks = 0;
    t = 0;
    p = 0
}

init {
    byte asks;
    atomic { choose_requests() }
    d_step {
        write_directions();
        for (i : 0 .. 2 * SWITCHES - 1) { crowded[i] = 0 } /* what an earlier execution has left */
        i = 0
    }
    do
    :: remaining -> d_step { step() }
    :: else -> break
    od
}
