/*
 * Model `flits`: input-queued routers with virtual channels and credits. The inside of its files; the model itself is
 * np_open_flits (engine/open_loop.h).
 *
 * A packet is a train of flits: a head, body flits, a tail, which may be all the same one. A router has an input for
 * each channel of the network that leads to it and for each of its terminals, and an output for each channel that
 * leaves it and for each terminal. Every input and every output has V virtual channels. An input channel is a buffer of
 * B flits; an output channel has credits, one for each place in the buffer at its other end. Ejection takes whatever
 * comes.
 *
 * What happens in cycle t, for each router:
 *
 * Switch allocation. An input channel bids if its packet holds an output channel, a flit of it is there, and there is a
 * credit. Of the channels of an input that want one output, the first at or after a pointer bids. An output grants to
 * one input, an input accepts one output, both the first at or after their pointers, which move only when a flit goes:
 * iSLIP with one iteration (McKeown 1999). The flit is in the next buffer at t + switch + crossbar + link delay, the
 * credit of its place can be used at t + switch + 1 + credit delay.
 *
 * Channel allocation. A packet whose head is the first of its buffer asks for one free channel of the class that the
 * relation gives: the first at or after the pointer of its input channel, which goes round all output channels of the
 * router, and moves behind the channel that it gets. An output channel that several ask for goes to the first input
 * channel at or after its own pointer. It may bid from t + allocation delay on. Channels that a tail has left in this
 * cycle are free from t + 1 on.
 *
 * A head that arrives at a, or becomes first at a, asks for a channel from a + routing delay on; a head becomes first
 * in the cycle after the tail before it has left. A terminal sends one flit a cycle into its input, where it is two
 * cycles later, and has the credit back two cycles after the place has become free. It gives a packet a channel with a
 * credit, the first after the last one that it used. Latency counts from the creation of the packet to the arrival of
 * its tail.
 *
 * So a packet that meets nobody takes 4 cycles a router and 2 more (Dally & Towles 2004, chapters 16 to 19).
 *
 * Everything that a cycle does in one router depends on what arrived there, so that the order of routers is of no
 * matter.
 */
#ifndef NP_FLITS_FLITS_H
#define NP_FLITS_FLITS_H

#include "base/arena.h"
#include "engine/open/open_loop.h"
#include "model/relation/relation.h"
#include "model/relation/routers.h"

enum {
    NP_FLITS_NO_CHANNEL = 255,
    NP_FLITS_CHANNELS_MAX = 64,
    NP_FLITS_BUFFER_MAX = 255,
    NP_FLITS_INJECTION = 2 /* cycles from a terminal to its input, and of a credit back */
};

/* A flit is its packet's number; the top bit marks a tail. The head of a packet is the flit that finds no channel. */
#define NP_FLITS_TAIL (UINT32_C(1) << 31)

typedef struct np_flits_packet {
    int64_t created;
    uint64_t number, state, next; /* of its source; of the relation: here, and after the hop that it asks for */
    np_node source, destination;  /* terminals */
    uint32_t router;              /* the destination's, as a node */
    uint32_t flits, hops;
} np_flits_packet;

/* An input channel. */
typedef struct np_flits_input {
    uint32_t output;      /* that its packet wants or holds, of all outputs */
    uint8_t first, count; /* of its buffer, a ring */
    uint16_t next;        /* pointer: of the output channels of the router */
    uint8_t held;         /* channel of the output that it holds */
    uint8_t low, width;   /* the class that it wants: channels low .. low + width - 1 */
    uint8_t need;         /* credits that such a channel must have */
    bool ready;           /* allocation is over */
} np_flits_input;

/* An output channel. */
typedef struct np_flits_output {
    uint32_t asked;  /* the best input channel that asks for it, of all; NP_NONE */
    uint16_t owner;  /* input channel of the router, whose packet holds it */
    uint16_t turn;   /* pointer: of the router's input channels */
    uint8_t credits; /* of an ejection they stay */
    bool busy;
} np_flits_output;

/* An output. */
typedef struct np_flits_port {
    uint32_t router; /* number of the router to which it belongs */
    uint32_t to;     /* the input at its other end; of an ejection, NP_NONE */
    uint32_t best;   /* input that it grants to, of all; NP_NONE */
    uint32_t by;     /* and the input channel, of all */
    uint16_t turn;   /* pointer: of the router's inputs */
    uint16_t delay;  /* from switch allocation to the next buffer */
} np_flits_port;

/* An input. */
typedef struct np_flits_gate {
    uint32_t router;
    uint32_t from;   /* the output at its other end; of an injection, the terminal */
    uint32_t best;   /* output that it accepts, of all; NP_NONE */
    uint16_t turn;   /* pointer: of the router's outputs */
    uint8_t channel; /* pointer: of its channels */
    bool injection;
} np_flits_gate;

/* A terminal. Packets that were created wait as a number: they are drawn again when they are sent. */
typedef struct np_flits_source {
    np_arrival coming, going; /* the next one to be created; the last one that began to be sent */
    uint64_t created, begun;  /* packets */
    uint32_t gate, port;      /* its input and its output */
    uint32_t packet, left;    /* being sent: flits left; 0: none */
    uint32_t next;            /* terminal in the same place of the wheel */
    uint8_t channel;          /* in use, or used last */
    bool ended;               /* no more packets come */
} np_flits_source;

typedef struct np_flits_move {
    uint32_t channel; /* input channel */
    uint32_t flit;
} np_flits_move;

/* What arrives in one cycle. */
typedef struct np_flits_mail {
    np_flits_move *move;
    uint32_t *credit; /* output channels */
    uint32_t *source; /* V * terminal + channel: credits of terminals */
    uint32_t *ask;    /* input channels whose heads may ask for a channel */
    uint32_t *bid;    /* input channels that may bid */
    np_delivery *delivery;
    size_t moves, credits, sources, asks, bids, deliveries;
    size_t move_room, credit_room, source_room, ask_room, bid_room, delivery_room;
} np_flits_mail;

typedef struct np_flits {
    np_open_options options;
    np_routers routers;
    uint32_t V, B, terminals, inputs, outputs; /* of all routers */
    uint32_t words, widest;                    /* of bits, of all routers; the most outputs of a router */
    uint32_t ring, wheel;                      /* powers of two */
    unsigned classes;
    bool adaptive, stopped;
    uint32_t *in_row, *out_row, *word_row; /* [routers + 1] */
    uint32_t *router_of;                   /* [terminals] */
    uint16_t *port_output;                 /* [routers * ports] output of a router by the network's port */
    np_flits_gate *gate;                   /* [inputs] */
    np_flits_port *port;                   /* [outputs] */
    np_flits_input *input;                 /* [inputs * V] */
    np_flits_output *output;               /* [outputs * V] */
    uint32_t *slot;                        /* [B * inputs * V] the first places of all buffers, the second ones, ... */
    uint64_t *bids, *asks;                 /* [words] */
    uint64_t *active;                      /* [routers / 64 + 1] */
    uint64_t *sending;                     /* [terminals / 64 + 1] */
    np_flits_source *source;               /* [terminals] */
    uint8_t *source_credits;               /* [terminals * V] */
    uint32_t *wheel_first;                 /* [wheel] */
    uint64_t *accepted;                    /* [terminals] */
    np_flits_mail *mail;                   /* [ring] */
    uint32_t *touched;                     /* room of a router: its output channels */
    uint32_t *freed;                       /* [frees] output channels of a router that tails have left in this cycle */
    uint32_t frees;
    np_flits_packet *packet;
    uint32_t *free_packet;
    size_t packets, free_packets;
    np_open_counts counts;
    uint64_t inside;    /* flits in buffers and on their way */
    int64_t moved_last; /* the last cycle in which a flit moved */
    np_status status;
    void *block;
} np_flits;

static inline np_flits_mail *np_flits_mail_at(np_flits *f, int64_t time) { return &f->mail[time & (f->ring - 1)]; }

static inline void np_flits_wake(np_flits *f, uint32_t router) { f->active[router / 64] |= UINT64_C(1) << router % 64; }

/* Buffers begin anew when they are empty, so that the first places are in the cache, and the others are seldom read. */
static inline size_t np_flits_place(const np_flits *f, uint32_t channel, uint32_t place)
{
    return (size_t)place * f->inputs * f->V + channel;
}

/* A bit of a router's input channels in `bids` or `asks`. */
static inline void np_flits_set(np_flits *f, uint64_t *bits, uint32_t router, uint32_t channel)
{
    uint32_t c = channel - f->in_row[router] * f->V;
    bits[f->word_row[router] + c / 64] |= UINT64_C(1) << c % 64;
}

static inline void np_flits_unset(np_flits *f, uint64_t *bits, uint32_t router, uint32_t channel)
{
    uint32_t c = channel - f->in_row[router] * f->V;
    bits[f->word_row[router] + c / 64] &= ~(UINT64_C(1) << c % 64);
}

/* The first at or after a pointer: how far it is behind it. */
static inline uint32_t np_flits_behind(uint32_t at, uint32_t turn, uint32_t count)
{
    return at >= turn ? at - turn : at + count - turn;
}

/* make.c */
np_status np_flits_create(const np_open_options *options, np_flits **out) NP_CHECKED;
void np_flits_free(np_flits *f);
uint64_t np_flits_bytes(const np_open_options *options);

/* source.c: what terminals create and send in a cycle. */
np_status np_flits_create_packets(np_flits *f, int64_t t) NP_CHECKED;
np_status np_flits_send(np_flits *f, int64_t t) NP_CHECKED;
/* Puts a terminal where the wheel finds it when its next packet is created. */
void np_flits_expect(np_flits *f, uint32_t terminal);

/* router.c */
np_status np_flits_receive(np_flits *f, int64_t t) NP_CHECKED;
np_status np_flits_serve(np_flits *f, int64_t t) NP_CHECKED;

#endif
