/*
 * Model `flits`: input-queued routers with virtual channels and credits. The inside of its files; the model itself is
 * np_open_flits (engine/open_loop.h).
 *
 * A packet is a train of flits: a head, body flits, a tail, which may be all the same one. A router has an input for
 * each channel of the network that leads to it and for each cable from its terminals, and an output for each channel
 * that leaves it and for each cable to a terminal. Every input and every output has V virtual channels. An input
 * channel is a buffer of B flits; an output channel has credits, one for each place in the buffer at its other end.
 * Ejection takes whatever comes.
 *
 * What happens in cycle t, for each router:
 *
 * Switch allocation. An input channel bids if its packet holds an output channel, a flit of it is there, and there is a
 * credit. Of the channels of an input that want one output, the first at or after a pointer bids. An output grants to
 * one input, an input accepts one output, both the first at or after their pointers, which move only when a flit goes:
 * iSLIP with one iteration (McKeown 1999). The flit is in the next buffer at t + switch + crossbar + link delay, the
 * credit of its place can be used at t + switch + 1 + credit delay. Where a link has a delay of its own, it stands for
 * both the link delay and the credit delay.
 *
 * Channel allocation. A packet whose head is the first of its buffer asks for one free channel of the class that the
 * relation gives: the first at or after the pointer of its input channel, which goes round all output channels of the
 * router, and moves behind the channel that it gets. An output channel that several ask for goes to the first input
 * channel at or after its own pointer. It may bid from t + allocation delay on. Channels that a tail has left in this
 * cycle are free from t + 1 on.
 *
 * Speed-up. An input of a router with an input speed-up of s has s inputs of the switch; its channel v has number v
 * modulo s. With an internal speed-up of k the switch is allocated k times a cycle. Flits that leave an output wait in
 * its queue, as a link takes one a cycle; an output whose queue holds B flits grants to nobody.
 *
 * A head that arrives at a, or becomes first at a, asks for a channel from a + routing delay on; a head becomes first
 * in the cycle after the tail before it has left. A terminal sends one flit a cycle into its input, where it is two
 * cycles later, and has the credit back two cycles after the place has become free. Where its room is bounded, a packet
 * is refused for which there is none in the cycle of its creation, before a flit goes. It gives a packet a channel with
 * a credit, the first after the last one that it used. Latency counts from the creation of the packet to the arrival of
 * its tail.
 *
 * So a packet that meets nobody takes 4 cycles a router and 2 more (Dally & Towles 2004, chapters 16 to 19).
 *
 * Time. What a router does in a cycle depends on what arrived there alone, so that the order of routers is of no
 * matter. Blocks of routers play some cycles, one block after the other, and then the next ones: as many as the
 * shortest way from router to router takes (`round`). So the state of a block stays in the cache, and a meeting of the
 * threads serves several cycles. What travels is a message in the list of its block and cycle of arrival; each thread
 * fills lists of its own. Nothing else is shared, and messages of a cycle may be read in any order: bits are the same
 * for any threads.
 *
 * Within a router input channels are numbered input by input, output channels output by output. A word has a bit for
 * each of 64 channels, and a router five rows of such words.
 */
#pragma once

#include "base/arena.h"
#include "base/hot.h"
#include "engine/open/open_loop.h"
#include "model/relation/cables.h"
#include "model/relation/relation.h"
#include "model/relation/routers.h"

enum {
    NP_FLITS_NONE = UINT16_MAX, /* no channel, no output, no block */
    NP_FLITS_HOLDS = UINT8_MAX, /* no class: its packet holds a channel */
    NP_FLITS_CHANNELS_MAX = 64,
    NP_FLITS_BUFFER_MAX = 255,
    NP_FLITS_INJECTION = 2, /* cycles from a terminal to its input, and of a credit back */
    NP_FLITS_WHEEL = 1024,  /* cycles: ours */
    NP_FLITS_CHUNK = 12     /* 2^12 packets are allocated together */
};

/* A flit is its packet's number; the top bit marks a tail. The head of a packet is the flit that finds no channel. */
#define NP_FLITS_TAIL (UINT32_C(1) << 31)

typedef struct np_flits_packet {
    int64_t created;
    uint64_t number, state, next; /* of its source; of the relation: here, and after the hop that it asks for */
    np_node source, destination;  /* terminals */
    uint32_t router;              /* the destination's, as a node */
    uint32_t flits, hops;
    np_packet name;       /* for observers */
    uint32_t exit;        /* the destination's cable */
    uint32_t reserved[1]; /* a line of the cache */
} np_flits_packet;

/* Rows of a router's bits. */
typedef enum np_flits_row {
    NP_FLITS_FULL,   /* input channels with flits */
    NP_FLITS_READY,  /* input channels whose packet holds an output channel, and may bid */
    NP_FLITS_CREDIT, /* input channels whose output channel has a credit */
    NP_FLITS_ASK,    /* input channels whose head asks for an output channel */
    NP_FLITS_FREE,   /* output channels that no packet holds */
    NP_FLITS_ROWS
} np_flits_row;

typedef struct np_flits_input np_flits_input;
typedef struct np_flits_output np_flits_output;
typedef struct np_flits_gate np_flits_gate;
typedef struct np_flits_port np_flits_port;

/* One line of the cache. What belongs to it are parts of the arrays of all routers: where they begin. */
typedef struct np_flits_router {
    union {
        uint64_t row[NP_FLITS_ROWS]; /* where rows are one word */
        struct {
            uint64_t *rows; /* [NP_FLITS_ROWS * words] */
            uint32_t words;
        } wide;
    };
    uint32_t input, output, gate, port; /* input channels, output channels, inputs, outputs */
    np_node node;                       /* of the network */
    uint16_t inputs, ports;             /* input channels, outputs */
} np_flits_router;

/* An input channel. */
struct np_flits_input {
    uint16_t port;    /* output that its packet wants or holds */
    uint16_t channel; /* output channel that it holds, or held last: the pointer */
    uint8_t class_;   /* the class that it wants; NP_FLITS_HOLDS: it holds the channel */
    uint8_t need;     /* credits that the channel must have */
    uint8_t first;    /* of its buffer, a ring */
    uint8_t count;    /* flits */
};

/* An output channel. */
struct np_flits_output {
    uint16_t owner;   /* input channel whose packet holds it, or held it last: the pointer */
    uint16_t credits; /* of an ejection they stay */
};

/* An output, and the input at its other end. */
struct np_flits_port {
    uint16_t block, router; /* there: router of the block */
    uint16_t channel;       /* the first one of that input; NP_FLITS_NONE: an ejection */
    uint16_t last;          /* pointer: the router's input that went last */
    uint16_t delay;         /* from switch allocation to the next buffer */
    uint16_t own;           /* its router, of the block */
};

/* An input, and the output at its other end. */
struct np_flits_gate {
    uint32_t credit;  /* from an input channel to whom its credits are for: an output channel of all; of an injection,
                         V * the terminal's place + channel. Modulo 2^32 */
    uint16_t block;   /* there; NP_FLITS_NONE: an injection */
    uint16_t last;    /* pointer: the router's output to which one went last */
    uint16_t channel; /* pointer: the input channel that went last */
    uint16_t delay;   /* of a credit, until it can be used */
};

/* Channels of a class, of each output: the first one, and how many. */
typedef struct np_flits_class {
    uint8_t low, width;
} np_flits_class;

/* A packet that waits at a cable of bounded room. */
typedef struct np_flits_kept {
    uint64_t number;
    np_arrival arrival;
} np_flits_kept;

/*
 * A cable from a terminal. Packets that were created wait as a number: they are drawn again when they are sent. Where a
 * terminal has several cables, the packets of each are those of the terminal that draw it. Where room is bounded, some
 * numbers were refused, and those that wait are kept.
 */
typedef struct np_flits_source {
    np_arrival coming, going; /* the next one to be created; the last one that began to be sent, or is to */
    uint64_t drawn_so_far;    /* the number of `coming` */
    uint64_t created, begun;  /* numbers of packets: of the next one to be created, to begin; of bounded room they count
                                 those that were let in */
    np_node terminal;
    uint32_t entry;        /* the cable */
    uint32_t packet, left; /* being sent: flits left; 0: none */
    uint32_t next;         /* place in the same place of the wheel */
    uint32_t waits;        /* bounded room: flits */
    uint16_t router;       /* of the block */
    uint16_t channel;      /* its first input channel */
    uint8_t last;          /* channel in use, or used last */
    bool drawn;            /* `going` is to be sent */
    bool ended;            /* no more packets come */
} np_flits_source;

/* A packet that somebody pushed; those of a terminal are a list. */
typedef struct np_flits_push {
    uint64_t number;
    np_step created;
    np_node to;
    uint32_t next; /* the one behind it, or the next one that is free; NP_NONE */
} np_flits_push;

/* Packets that were pushed and have not begun. */
typedef struct np_flits_pushes {
    uint32_t *place;        /* [entries] by numbers; NULL: nobody pushes */
    uint32_t *first, *last; /* [entries] by places; NP_NONE */
    np_flits_push *push;    /* [terminals * window] */
    size_t count;           /* places in use; those of them that are free again are in lists of the hands */
} np_flits_pushes;

/* Where a cable of a terminal is. */
typedef struct np_flits_place {
    uint32_t router; /* number */
    uint16_t port;   /* input or output */
} np_flits_place;

typedef struct np_flits_move {
    uint16_t router, channel; /* of the block; input channel */
    uint32_t flit;
} np_flits_move;

typedef struct np_flits_head {
    uint16_t router, channel; /* of the block; input channel */
} np_flits_head;

/* What arrives at a block in a cycle from one thread. */
typedef struct np_flits_mail {
    np_flits_move *move;
    uint32_t *credit; /* output channels of all routers */
    uint32_t moves, credits, move_room, credit_room;
} np_flits_mail;

/* What a block has to do in a cycle. */
typedef struct np_flits_diary {
    uint32_t *source;   /* V * terminal's place + channel: credits of terminals */
    np_flits_head *ask; /* input channels whose heads may ask */
    np_flits_head *bid; /* input channels that may bid */
    uint32_t sources, asks, bids, source_room, ask_room, bid_room;
} np_flits_diary;

/* Deliveries of a cycle. */
typedef struct np_flits_told {
    np_delivery *delivery;
    size_t count, room;
} np_flits_told;

typedef struct np_flits_block {
    np_flits_router *router; /* [routers] */
    uint32_t routers;
    uint32_t source, sources; /* terminals, by places */
    bool acts, sends;         /* some bit of `active`, of `sending` may be set */
    uint64_t *active;         /* [per_block / 64] routers */
    uint64_t *sending;        /* [sources / 64 + 1] */
    uint32_t *wheel;          /* [NP_FLITS_WHEEL] places of terminals; NP_NONE */
    np_flits_diary *diary;    /* [ring] */
    uint16_t number;
} np_flits_block;

/* What belongs to a thread. */
typedef struct np_flits_hand {
    np_flits_mail *mail; /* [ring * blocks] */
    np_flits_told *told; /* [ring] */
    uint32_t *free;      /* packets that are not used */
    size_t frees, room;
    uint16_t *best;   /* [widest output] of an output: input channel that it grants to; NP_FLITS_NONE */
    uint16_t *accept; /* [widest input] of an input: output that it accepts */
    uint16_t *asked;  /* [widest output channels] of an output channel: who gets it */
    uint16_t *list;   /* room: outputs, or output channels */
    uint64_t *freed;  /* [2 * widest words] room of a visit: zeros */
    uint32_t pushes;  /* the first of a list of places of pushed packets that are free; NP_NONE */
    uint64_t created, refused, injected, ejected, hops; /* flits */
    int64_t inside, moved_last;                         /* flits in buffers and on their way; when the last one moved */
    np_status status;
    char message[256];
} np_flits_hand;

typedef struct np_flits_book np_flits_book; /* observe.c */

typedef struct np_flits {
    np_open_options options;
    uint32_t V, B, terminals, entries, exits, routers, blocks, block_bits; /* routers of a block: 2^block_bits */
    uint32_t inputs, outputs, gates, ports, words;                         /* of all routers */
    uint32_t widest_inputs, widest_gates, widest_ports;                    /* of a router */
    uint32_t ring;                                                         /* a power of two */
    uint32_t longest; /* cycles from what a router does to what comes of it, at most */
    uint32_t round;   /* cycles between two meetings */
    unsigned classes, hands;
    bool adaptive, stopped, watched; /* watched: flits are counted on links, or observed */
    bool far;                        /* so many routers that they are in no cache */
    bool straight;                   /* output_at is the port, for all */
    bool usual;                      /* np_arrivals_usual */
    uint32_t row_words;              /* of all routers; 0: each has its own */
    /*
     * Nothing but the routine: not adaptive, no internal speed-up, an allocation delay of 1, no routing delay, no
     * cut-through, all links alike: flits take move_delay to the next buffer, credits credit_delay.
     */
    bool plain;
    uint32_t move_delay, credit_delay;
    np_flits_class class_[NP_FLITS_CHANNELS_MAX + 1]; /* behind those of the relation, the one of ejection */
    np_flits_router *router;                          /* [routers] */
    uint64_t *bits;                                   /* rows of more than one word */
    uint32_t *number;                                 /* [nodes] */
    uint16_t *output_at;     /* [routers * ports of the network] output of a router by the network's port */
    uint16_t *gate_of;       /* [widest input channels] the input of an input channel of any router */
    np_flits_gate *gate;     /* [gates] */
    np_flits_port *port;     /* [ports] */
    int64_t *last;           /* [ports] when the last flit of an output arrives; internal speed-up 1: NULL */
    np_flits_input *input;   /* [inputs] */
    np_flits_output *output; /* [outputs] */
    uint32_t *slot;          /* [B * inputs] the first places of all buffers, the second ones, ... */
    const np_cables *cables; /* the relation's */
    np_flits_source *source; /* [entries] by places: in the order of their routers */
    np_flits_kept *kept;     /* [entries * source_flits] by places, a ring each; NULL: room is not bounded */
    np_flits_place *entry;   /* [entries] by numbers */
    np_flits_place *exit;    /* [exits] */
    uint8_t *source_credits; /* [entries * V] by places */
    uint64_t *accepted;      /* [terminals] */
    uint64_t *crossed;       /* [ports + entries] flits that left an output; that a terminal, by its place, sent.
                                NULL: nobody asks */
    np_flits_block *block;   /* [blocks] */
    np_flits_hand *hand;     /* [hands] */
    uint64_t *active;        /* of all blocks */
    uint64_t *sending;
    uint32_t *wheel;
    np_flits_diary *diary;
    np_flits_packet **chunk; /* [chunks_most] */
    uint32_t chunks_most;
    _Atomic uint32_t chunks;
    np_open_counts counts; /* but for flits, which hands count */
    np_delivery *delivery; /* of one cycle */
    size_t delivery_room;
    np_flits_pushes pushes; /* of a closed loop, where nothing is drawn */
    np_flits_book *book;    /* NULL: nobody observes */
    int64_t until;          /* of this round */
    uint64_t moved;         /* flits, in the round before */
    np_status status;
    void *memory; /* the arrays, but for entry and exit */
} np_flits;

NP_INLINE np_flits_packet *np_flits_packet_of(const np_flits *f, uint32_t flit)
{
    flit &= ~NP_FLITS_TAIL;
    return &f->chunk[flit >> NP_FLITS_CHUNK][flit & ((1U << NP_FLITS_CHUNK) - 1)];
}

NP_INLINE np_flits_mail *np_flits_mail_at(const np_flits *f, const np_flits_hand *h, uint32_t block, int64_t t)
{
    return &h->mail[(size_t)((uint32_t)t & (f->ring - 1)) * f->blocks + block];
}

NP_INLINE np_flits_diary *np_flits_diary_at(const np_flits *f, const np_flits_block *b, int64_t t)
{
    return &b->diary[t & (f->ring - 1)];
}

NP_INLINE void np_flits_set(uint64_t *row, uint32_t bit) { row[bit / 64] |= UINT64_C(1) << bit % 64; }
NP_INLINE void np_flits_unset(uint64_t *row, uint32_t bit) { row[bit / 64] &= ~(UINT64_C(1) << bit % 64); }
NP_INLINE bool np_flits_has(const uint64_t *row, uint32_t bit) { return row[bit / 64] >> bit % 64 & 1; }

NP_INLINE void np_flits_wake(np_flits_block *b, uint32_t router)
{
    np_flits_set(b->active, router);
    b->acts = true;
}

NP_INLINE void np_flits_wake_source(np_flits_block *b, uint32_t place)
{
    np_flits_set(b->sending, place - b->source);
    b->sends = true;
}

NP_INLINE uint64_t *np_flits_rows(const np_flits *f, np_flits_router *r)
{
    return f->row_words == 1 ? r->row : r->wide.rows;
}

NP_INLINE uint32_t np_flits_words(const np_flits *f, const np_flits_router *r)
{
    return f->row_words ? f->row_words : r->wide.words;
}

/* The parts of a router, by their numbers there. */
NP_INLINE np_flits_input *np_flits_in(const np_flits *f, const np_flits_router *r, uint32_t channel)
{
    return &f->input[r->input + channel];
}
NP_INLINE np_flits_output *np_flits_out(const np_flits *f, const np_flits_router *r, uint32_t channel)
{
    return &f->output[r->output + channel];
}
NP_INLINE np_flits_port *np_flits_port_at(const np_flits *f, const np_flits_router *r, uint32_t port)
{
    return &f->port[r->port + port];
}
NP_INLINE np_flits_gate *np_flits_gate_at(const np_flits *f, const np_flits_router *r, uint32_t gate)
{
    return &f->gate[r->gate + gate];
}

/* The output of a router, by the network's port. */
NP_INLINE uint32_t np_flits_output_at(const np_flits *f, const np_flits_router *r, np_port port)
{
    return f->straight ? port : f->output_at[(size_t)(r - f->router) * f->options.network->ports + port];
}

/* The first output channel of the class that an input channel wants. */
NP_INLINE uint32_t np_flits_low(const np_flits *f, const np_flits_input *in)
{
    return in->port * f->V + f->class_[in->class_].low;
}

/* Buffers begin anew when they are empty, so that the first places are in the cache, and the others are seldom read. */
NP_INLINE uint32_t *np_flits_slot(const np_flits *f, const np_flits_router *r, uint32_t channel, uint32_t place)
{
    return &f->slot[(size_t)place * f->inputs + r->input + channel];
}

/* Whose turn comes first behind the last one: the least. */
NP_INLINE uint32_t np_flits_behind(uint32_t at, uint32_t last) { return (uint16_t)(at - last - 1); }

/* Has the queue behind an output room? Where the internal speed-up is above 1. */
NP_INLINE bool np_flits_open(const np_flits *f, const np_flits_port *port, int64_t t)
{
    return f->last[port - f->port] - (t + port->delay) < (int64_t)f->B;
}

NP_INLINE uint16_t np_flits_after(uint32_t at, uint32_t count) { return (uint16_t)(at + 1 == count ? 0 : at + 1); }

/*
 * observe.c: what observers see (f->book); there is one hand then. Begins when the routers are made. Plays a cycle, all
 * blocks of it, in the order of events, and ends the book when its time is over. A packet is created, and begins to be
 * sent.
 */
np_status np_flits_observe_begin(np_flits *f) NP_CHECKED;
void np_flits_observe_free(np_flits_book *book);
np_status np_flits_observe_cycle(np_flits *f, int64_t t) NP_CHECKED;
void np_flits_observe_creation(np_flits *f, uint32_t place, int64_t t);
void np_flits_observe_beginning(np_flits *f, uint32_t place, np_flits_packet *packet);
/* Where f->watched: a terminal sends a flit; one goes that has left its buffer, its credit and its channel as before.
 */
void np_flits_watch_sending(np_flits *f, uint32_t place, int64_t t);
void np_flits_watch_going(np_flits *f, np_flits_router *r, uint32_t channel, uint32_t flit, int64_t t, int64_t arrives);

/* make.c: as in np_open_model */
np_status np_flits_create(const np_open_options *options, void **out) NP_CHECKED;
void np_flits_free(void *model);
uint64_t np_flits_bytes(const np_open_options *options);
/* Cycles from when a flit is sent over a link until the credit of its place can be used, if it meets nobody. own: the
 * delay that the link has of its own; 0: none. */
uint32_t np_flits_round_trip(const np_open_options *options, uint32_t own);

/* packet.c: a packet of a thread's own; np_flits_share evens out what threads have. */
np_status np_flits_take(np_flits *f, np_flits_hand *h, uint32_t *out) NP_CHECKED;
np_status np_flits_give_back(np_flits_hand *h, uint32_t packet) NP_CHECKED;
np_status np_flits_share(np_flits *f) NP_CHECKED;

/* source.c: what the terminals of a block create and send in a cycle. */
void np_flits_create_packets(np_flits *f, np_flits_hand *h, np_flits_block *b, int64_t t);
np_status np_flits_send(np_flits *f, np_flits_hand *h, np_flits_block *b, int64_t t) NP_CHECKED;
/* One more packet of a terminal, at the time that is reached. */
np_status np_flits_push_packet(void *model, np_node source, uint64_t number, np_node destination) NP_CHECKED;
/* Puts a terminal where the wheel finds it when its next packet is created. */
void np_flits_expect(np_flits *f, np_flits_block *b, uint32_t place);

/* receive.c: what arrives at a block in a cycle. */
np_status np_flits_receive(np_flits *f, np_flits_block *b, int64_t t) NP_CHECKED;
/* Room for more items of a full list of what is on its way or due: item size in bytes. */
np_status np_flits_grow(void *list, uint32_t *room, size_t size) NP_CHECKED;

/* Adds to a list. */
static inline np_status np_flits_note(np_flits_head **list, uint32_t *count, uint32_t *room, np_flits_head item)
{
    np_status st = *count < *room ? NP_OK : np_flits_grow(list, room, sizeof **list);
    if (!st)
        (*list)[(*count)++] = item;
    return st;
}

/* standstill.c: np_open_model.waits */
size_t np_flits_waits(void *model, size_t room, np_waiting *out);

/* router.c: the routers of a block play a cycle. */
np_status np_flits_serve(np_flits *f, np_flits_hand *h, np_flits_block *b, int64_t t) NP_CHECKED;
