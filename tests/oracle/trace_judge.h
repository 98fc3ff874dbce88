/*
 * A judge of traces, by the model alone: it reads the lines of a trace, and knows nothing of engines, schemes or
 * disciplines. It asks the library for two things, the ends of a network's links, and the nodes of names.
 *
 *   1. A packet enters a phase once, and ends once. Nothing else happens to it before or after.
 *   2. In each step between, it makes one move, waits, or ends.
 *   3. It leaves from the node where it is. The link that it crosses leads from there to where it then is. On
 *      shuffle-exchanges a packet may cross a link backwards; such moves are counted.
 *   4. A link carries at most one packet in a step, each way. A message of s packets takes s steps.
 *   5. A queue is as long as the trace says, and no longer than it may be. On leveled networks a packet that splits has
 *      the place of the other one, until one of the two goes.
 *   6. A packet waits behind one that was at the same node; where queues are at the tails of links, behind one that
 *      crossed the link that it wants.
 *      A packet that waits for the time of a phase is in no queue, and may end when this time has come.
 *   7. It ends where it belongs, and begins the next phase there, or where one ended that had split from it; on an
 *      inverse omega network, at the input that is its output of the omega network. On leveled networks it goes on from
 *      the physical node where it is, as long as the network stays the same.
 *   8. A packet that waits for a link crosses this link next.
 *   9. A phase has as many steps and hops as its end says. If it has a time, it has as many steps, and packets may end
 *      anywhere in the last one.
 *  10. A packet splits from one that was at the node when the step began, and acts in that step. It becomes a part of a
 *      packet that is at the same node: on leveled networks when the step began, else when the step ended; or of a
 *      pipelined message some of whose packets leave the node in that step.
 *  11. A message of s packets lands in s steps without a break, and crosses a link so. It is then at the end of the
 *      link when its last packet has crossed, or, if it is pipelined, its first one.
 *  12. Where circuits are switched, a packet crosses all links of its way in one step, and ends in it.
 *  13. Where packets are created over time, all of them enter the phase, in any step; some may be on their way at its
 * end.
 */
#ifndef ORACLE_TRACE_JUDGE_H
#define ORACLE_TRACE_JUDGE_H

#include <stddef.h>

typedef struct oracle_verdict {
    char wrong[256]; /* "": nothing; else the first line that is wrong, and why */
    unsigned long lines, phases, moves, waits, landings;
    unsigned long backwards; /* moves that were made backwards, on no leveled network */
} oracle_verdict;

/* Judges a whole trace; text is not changed. A trace with filters is refused. */
void oracle_judge_trace(const char *text, oracle_verdict *out);

#endif
