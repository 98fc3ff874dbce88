/* The inside of an np_mpi, for the rooms of this wing. */
#pragma once

#include "base/job.h"
#include "netpram/mpi.h"

/* What is for one rank, or from one. */
typedef struct np_mpi_part {
    const void *data;
    uint64_t bytes;
} np_mpi_part;

/* Counts of this rank alone; what it keeps for itself does not count. */
typedef struct np_mpi_counts {
    uint64_t rounds, messages_sent, messages_received, bytes_sent, bytes_received;
} np_mpi_counts;

/* stream.c: what np_job.stream keeps between calls. */
typedef struct np_mpi_streams np_mpi_streams;
/* Buffers that stay between calls: what each is for. A call that uses one may rely on it until its end. */
typedef enum np_mpi_buffer {
    NP_MPI_BUFFER_MOVE,         /* move.c: places in all messages, and the memory of one piece */
    NP_MPI_BUFFER_BLOCKS,       /* exchange.c: the caller's blocks */
    NP_MPI_BUFFER_RANKS,        /* two_phase.c: a few numbers for each rank */
    NP_MPI_BUFFER_SIZES,        /* two_phase.c: of the blocks of all ranks */
    NP_MPI_BUFFER_PASSING,      /* two_phase.c: what passes through this rank */
    NP_MPI_BUFFER_OWN,          /* two_phase.c: the slices of this rank's blocks */
    NP_MPI_BUFFER_SLICES,       /* two_phase.c: those that arrive, and go on */
    NP_MPI_BUFFER_HELD,         /* two_phase.c: slices of others */
    NP_MPI_BUFFER_ARRIVED,      /* sparse.c: messages that have arrived */
    NP_MPI_BUFFER_DATA,         /* sparse.c: what is in them */
    NP_MPI_BUFFER_SORT_SENT,    /* sort: what is sent, then scratch */
    NP_MPI_BUFFER_SORT_ARRIVED, /* sort: what arrives */
    NP_MPI_BUFFER_SORT_KEYED,   /* sort: keys with places, and samples */
    NP_MPI_BUFFERS
} np_mpi_buffer;

typedef struct np_mpi_memory np_mpi_memory;

struct np_mpi {
    MPI_Comm comm; /* our duplicate; its errors are returned */
    int rank, size;
    int neighbours; /* ranks on this machine, this one too */
    uint64_t seed;
    uint64_t piece; /* most bytes of a message */
    uint64_t early; /* and of one that goes before the ranks agree */
    np_mpi_counts counts;
    np_job job;           /* this object, as the rest of the library sees it */
    uint64_t *bytes;      /* [2 * size] of np_mpi_sizes */
    np_mpi_part *part;    /* [2 * size] of np_job.move and np_job.gather */
    MPI_Request *request; /* of np_mpi_move */
    size_t requests_room;
    np_mpi_streams *streams; /* NULL: there was no stream */
    struct {
        void *data;
        size_t room; /* bytes */
    } buffer[NP_MPI_BUFFERS];
    uint32_t exchanges;    /* by two phases: each draws anew */
    np_mpi_memory *memory; /* buffers of its arrays; NULL: it had none */
    char agreed[512];      /* the last message that all ranks have: it is not prefixed again */
};

/* NP_OK for MPI_SUCCESS; else raises MPI's own text: "MPI_Alltoall: ...". */
np_status np_mpi_check(int code, const char *call) NP_CHECKED;

enum { NP_MPI_SAME_MOST = 16 };

/*
 * Collective: NP_ERROR_INPUT on all ranks, "WHAT must be the same on all ranks", if one of the values, at most
 * NP_MPI_SAME_MOST, is not.
 */
np_status np_mpi_same(np_mpi *mpi, size_t count, const uint64_t *values, const char *what) NP_CHECKED;

/* in[r] = what rank r has in its out[this rank]. Both [size]. */
np_status np_mpi_sizes(np_mpi *mpi, const uint64_t *out, uint64_t *in) NP_CHECKED;

/* A type of so many bytes that all fall onto one: to receive a message for nobody, without memory. Free it. */
np_status np_mpi_nowhere(int bytes, MPI_Datatype *type) NP_CHECKED;

/*
 * Sends out[r] to each other rank, and receives in[r].bytes bytes from it into in[r].data; who sends and who receives
 * agree on the bytes. Messages are cut into pieces, and nothing is sent where there is nothing. A round of the
 * statistics. Errors are of this rank alone.
 */
np_status np_mpi_move(np_mpi *mpi, const np_mpi_part *out, const np_mpi_part *in) NP_CHECKED;

/*
 * Parts for each rank: rank r's are part[first[r]] .. part[first[r + 1] - 1], and go as one message, one behind the
 * other. first NULL: one part a rank, part[r].
 */
typedef struct np_mpi_lists {
    const np_mpi_part *part;
    const size_t *first; /* [size + 1] */
} np_mpi_lists;

/* The same for lists: both ends agree on the bytes of a message, not on how they are divided. */
np_status np_mpi_move_lists(np_mpi *mpi, np_mpi_lists out, np_mpi_lists in) NP_CHECKED;

/*
 * Makes the room that a move of such lists needs: then it does not fail for memory, and leave its partners waiting. One
 * part a rank needs none.
 */
np_status np_mpi_move_room(np_mpi *mpi, np_mpi_lists out, np_mpi_lists in) NP_CHECKED;

/*
 * The same in two halves. np_mpi_move_early begins short messages, although the ranks have not agreed yet, and counts
 * what it began in *requests. If they agree np_mpi_move_on ends it. If not, all ranks call np_mpi_move_drop, those that
 * began nothing with no requests: it waits until no message is on its way. What in[r] leads to is then not defined. The
 * room must have been made by np_mpi_move_room, and between the halves nothing else may be moved.
 */
np_status np_mpi_move_early(np_mpi *mpi, const np_mpi_part *out, const np_mpi_part *in, int *requests) NP_CHECKED;
np_status np_mpi_move_on(np_mpi *mpi, int requests) NP_CHECKED;
np_status np_mpi_move_drop(np_mpi *mpi, const np_mpi_part *out, const np_mpi_part *in, int requests) NP_CHECKED;

/* For np_mpi_create: what moves of one part a rank need. */
np_status np_mpi_move_begin(np_mpi *mpi) NP_CHECKED;

/* *out = the buffer with room for count items of `size` bytes; the first `kept` bytes are kept. */
np_status np_mpi_buffer_need(np_mpi *mpi, np_mpi_buffer which, size_t kept, size_t count, size_t size,
                             void *out) NP_CHECKED;

/* stream.c: np_job.stream of np_mpi.job. */
np_status np_mpi_stream(void *context, const np_job_stream *stream, size_t count, uint64_t *values) NP_CHECKED;
void np_mpi_streams_free(np_mpi_streams *streams);

/* memory/hop.c */
void np_mpi_memory_free(np_mpi_memory *memory);

/* job.c: the functions of np_mpi.job. */
void np_mpi_job_init(np_mpi *mpi);
