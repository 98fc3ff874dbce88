/*
 * libnetpram-mpi: the papers' computer on the ranks of an MPI communicator. It exchanges irregular data, keeps shared
 * arrays whose cells all ranks read and change in bulk, and sorts.
 *
 * Every function that takes an np_mpi is collective over its communicator, unless its comment says otherwise: all ranks
 * call it, in the same order, those that have nothing to give with a count of 0. An error is one on all ranks: each
 * returns the status of the first rank that has one, and np_last_error says which rank, and why. Nothing is aborted.
 *
 * The library calls neither MPI_Init nor MPI_Finalize, and never uses MPI_COMM_WORLD. It needs MPI 3.1. Counts of
 * elements and bytes are 64-bit numbers everywhere; what MPI counts in an int is cut.
 *
 * Threads: one thread at a time may use an np_mpi and what belongs to it. MPI_THREAD_SINGLE is enough, but
 * for np_mpi_route with more than one thread: MPI_THREAD_FUNNELED.
 */
#ifndef NETPRAM_MPI_H
#define NETPRAM_MPI_H

#include <string.h>

#include <mpi.h>

#include <netpram/base.h>
#include <netpram/pram.h>
#include <netpram/route.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The ranks. */

/** Ranks that work together: a communicator, buffers that stay between calls, a seed, and counts of what was sent. */
typedef struct np_mpi np_mpi;

typedef struct np_mpi_options {
    uint64_t seed; /**< of all random choices; it must be the same on all ranks */
    uint64_t
        piece; /**< most bytes of one message, in 8 .. INT_MAX; 0: INT_MAX, which is as much as MPI 3.1 can count */
} np_mpi_options;

/** Sets the defaults: seed 1, piece 0. Not collective. */
void np_mpi_options_init(np_mpi_options *options);

/**
 * Makes the object. The communicator is duplicated once, so that no message meets one of the caller's.
 *
 * @param comm     an intracommunicator; MPI must be initialized
 * @param options  the same on all ranks; NULL: the defaults
 * @param out      receives the object, which np_mpi_free ends before MPI_Finalize. NULL on error
 * @return NP_ERROR_INPUT: no communicator of one group, or options that are out of range or differ between ranks.
 *         NP_ERROR_MEMORY; NP_ERROR_IO: MPI failed
 */
np_status np_mpi_create(MPI_Comm comm, const np_mpi_options *options, np_mpi **out) NP_CHECKED;

/** Frees the object. Arrays of memory that were made with it must be freed before. NULL is allowed on all ranks. */
void np_mpi_free(np_mpi *mpi);

/** The number of this rank, and of all. Not collective. */
int np_mpi_rank(const np_mpi *mpi);
int np_mpi_size(const np_mpi *mpi);

/** The ranks for functions of the library that processes share: np_pram_options.job. Borrowed. Not collective. */
const np_job *np_mpi_job(np_mpi *mpi);

/**
 * Makes one status of all. A program that has found an error on one rank calls it, so that all ranks stop together.
 * @return the status of the lowest rank that has an error, with its message for np_last_error; NP_OK if none has one
 */
np_status np_mpi_agree(np_mpi *mpi, np_status status) NP_CHECKED;

/* What was sent. */

/** Counts since np_mpi_create, or the last np_mpi_statistics_reset. What a rank keeps for itself does not count. */
typedef struct np_mpi_statistics {
    uint64_t rounds;        /**< exchanges, each of which waits for the slowest rank */
    uint64_t messages;      /**< of all ranks together */
    uint64_t bytes;         /**< of all ranks together */
    uint64_t messages_most; /**< most messages that one rank sent, or received */
    uint64_t bytes_most;    /**< most bytes that one rank sent, or received, those that it passed on included */
} np_mpi_statistics;

/** Collects the counts of all ranks: every rank gets the same. */
np_status np_mpi_statistics_get(np_mpi *mpi, np_mpi_statistics *out) NP_CHECKED;

/** Begins to count anew. Not collective; the counts are only right if all ranks do it. */
void np_mpi_statistics_reset(np_mpi *mpi);

/* The exchange: each rank has something for each other one. */

/** How an exchange goes. */
typedef enum np_mpi_method {
    NP_MPI_AUTO,     /**< that of the two which is expected to end first; the result says which, and why */
    NP_MPI_DIRECT,   /**< every block straight to its rank */
    NP_MPI_TWO_PHASE /**< every block is cut into slices, which go by way of ranks that a hash draws, so that no pattern
                          is worse for the network than any other (Valiant & Brebner 1981). Every rank sends up to twice
                          as much. A rank that receives more than others stays the slowest: its port is the limit */
} np_mpi_method;

/**
 * What is known of a network, for NP_MPI_AUTO: bytes a second of one rank, which sends and receives at the same time.
 * 0: not known. Told by the caller, or measured by np_mpi_network_measure.
 */
typedef struct np_mpi_network {
    double port;    /**< what a rank can send at most, whatever the others do */
    double uniform; /**< what each sends when each sends alike to all. 0: as `port` */
    double worst;   /**< what each sends when each sends to one other rank only, and the network's routes hinder each
                         other: by the slowest cut, or by the worst permutation */
} np_mpi_network;

typedef struct np_mpi_exchange_options {
    np_mpi_method method;
    np_mpi_network network;
    uint64_t room; /**< two phases: most bytes that a rank may hold for others. 0: the bound that the head of
                        src/mpi/exchange/two_phase.c derives, a little more than the mean of what a rank sends */
} np_mpi_exchange_options;

/** Sets the defaults: NP_MPI_AUTO, nothing known, room 0. Not collective. */
void np_mpi_exchange_options_init(np_mpi_exchange_options *options);

/** How an exchange went: the same on all ranks. */
typedef struct np_mpi_exchange_result {
    np_mpi_method method;                     /**< NP_MPI_DIRECT or NP_MPI_TWO_PHASE */
    const char *why;                          /**< a line; it lasts as long as the process */
    double direct_seconds, two_phase_seconds; /**< what NP_MPI_AUTO expected; 0: it did not compare */
    uint32_t attempts;                        /**< two phases: seeds that were tried. 0 if direct */
    uint64_t held;                            /**< two phases: most bytes that a rank held for others */
} np_mpi_exchange_result;

/**
 * Exchanges blocks whose sizes both ends know: MPI_Alltoallv, with 64-bit counts and displacements (in items of the
 * datatype), as MPI 4's MPI_Alltoallv_c has them. Bytes arrive in the order in which they lay in memory.
 *
 * @param sendtype, recvtype  basic or derived, without gaps: its size is its extent. They may differ; the bytes of a
 *                    block must agree
 * @param sendcounts, sdispls, recvcounts, rdispls  [np_mpi_size]
 * @param send, recv  NULL is allowed where all counts are 0. They must not overlap; MPI_IN_PLACE is refused
 * @param options     the same on all ranks; NULL: the defaults
 * @param result      may be NULL
 * @return NP_ERROR_INPUT: a count that is negative or too large, blocks whose ends differ in bytes, a buffer that is
 *         missing, a datatype with gaps, options that are out of range or differ between ranks. The blocks in recv then
 *         hold anything. NP_ERROR_LIMIT: no seed of several keeps two phases within options.room. NP_ERROR_MEMORY;
 *         NP_ERROR_IO
 */
np_status np_mpi_alltoallv(np_mpi *mpi, const void *send, const MPI_Count *sendcounts, const MPI_Aint *sdispls,
                           MPI_Datatype sendtype, void *recv, const MPI_Count *recvcounts, const MPI_Aint *rdispls,
                           MPI_Datatype recvtype, const np_mpi_exchange_options *options,
                           np_mpi_exchange_result *result) NP_CHECKED;

/** A message of np_mpi_alltoall_sparse. */
typedef struct np_mpi_message {
    int rank;         /**< where it goes, or where it came from */
    const void *data; /**< NULL is allowed if bytes is 0 */
    uint64_t bytes;   /**< 0 is a message, too */
} np_mpi_message;

/**
 * Exchanges messages of which their receivers know nothing beforehand. A rank pays for its own messages and for the
 * end, which takes as long as a barrier and a reduction, not for the number of ranks.
 *
 * @param out       [count] any ranks in any order, also this one, also one several times
 * @param in, arrived  receive what has arrived for this rank: (*in)[*arrived], in order of its sources, that of one
 *                  source in its own order. Data begin at multiples of 8 bytes. Both stay valid until the next call of
 *                  this function; data of this rank to itself are those of `out`. NULL and 0 on error
 * @return NP_ERROR_INPUT: a rank that does not exist, data that are missing. NP_ERROR_MEMORY; NP_ERROR_IO
 */
np_status np_mpi_alltoall_sparse(np_mpi *mpi, const np_mpi_message *out, size_t count, const np_mpi_message **in,
                                 size_t *arrived) NP_CHECKED;

/**
 * Measures the network, by direct exchanges of `bytes` bytes a rank: to all alike, and by permutations that are hard
 * for many networks (shifts, reversals of numbers and of bits, transposes, random ones). `worst` is the slowest of them
 * that was tried, `port` the fastest of all. Every rank gets the same. It takes what it measures: the time of nine
 * patterns, each done three times, of which the fastest counts.
 *
 * @return NP_ERROR_INPUT: bytes is 0 or not the same on all ranks. NP_ERROR_MEMORY; NP_ERROR_IO
 */
np_status np_mpi_network_measure(np_mpi *mpi, uint64_t bytes, np_mpi_network *out) NP_CHECKED;

/*
 * Memory: arrays whose cells are dealt out to the ranks, and which all ranks read and change in bulk. A call is one
 * step of a PRAM whose processors are the requests of all ranks: first those of rank 0, in the order of its arrays,
 * then those of rank 1, and so on. A step reads, or writes, or fetches: concurrent accesses to a cell do what
 * np_access_rule, np_cell_type and np_fetch_op of netpram/pram.h say.
 *
 * Requests for one cell combine before they leave their rank if many do, and again on the way with
 * np_mpi_array_options.hops. They change no answer.
 */

/** Cells that all ranks share. Free it before its np_mpi. */
typedef struct np_mpi_array np_mpi_array;

/** Which rank has a cell. Cells are dealt out in blocks (np_mpi_array_options.block). */
typedef enum np_mpi_layout {
    NP_MPI_HASHED, /**< by a random function of the class H: no pattern of addresses is bad */
    NP_MPI_BLOCKS  /**< rank 0 has the first blocks, rank 1 the next ones, and so on, in equal shares */
} np_mpi_layout;

/** When do requests for one cell combine? Exact sums of reals never do. */
typedef enum np_mpi_combining {
    NP_MPI_COMBINE_AUTO, /**< if many of 512 samples meet, or are for one cell; each rank decides for itself */
    NP_MPI_COMBINE_NEVER,
    NP_MPI_COMBINE_ALWAYS
} np_mpi_combining;

/** What a fetch does to its cell: np_fetch_op, and one more. */
typedef enum np_mpi_op {
    NP_MPI_ADD,
    NP_MPI_MIN,
    NP_MPI_MAX,
    NP_MPI_AND,
    NP_MPI_OR,
    NP_MPI_XOR,
    NP_MPI_REPLACE /**< the cell takes the operand */
} np_mpi_op;

typedef struct np_mpi_array_options {
    np_mpi_layout layout; /**< default NP_MPI_HASHED */
    np_cell_type type;    /**< default NP_CELL_INT */
    np_access_rule rule;  /**< default NP_RULE_ARBITRARY */
    np_mpi_combining combining;
    uint32_t hops; /**< by so many hops, or a few less, requests reach their cell, over a grid of the ranks; as many
                        as there are bits in their number: over a hypercube. Worth it where all ranks ask for the
                        same cells and each is behind a narrow link. Default 1: directly */
    uint32_t coefficients; /**< of the hash function; 0 (default): 8 log2 of the number of ranks */
    uint64_t block; /**< cells that stay together, a power of 2; the number of blocks is limited by memory, as each
                         rank has a table of them. 0 (default): 64 or less, in long arrays more */
    uint64_t round; /**< most requests that a rank handles at once, 1 .. 2^29: it bounds the memory that a call
                         takes. Default 2^24. Calls with more take several rounds. Fetches and some writes then go
                         rank by rank */
} np_mpi_array_options;

/** Sets the defaults. Not collective. */
void np_mpi_array_options_init(np_mpi_array_options *options);

/**
 * Makes an array of cells that are 0.
 *
 * @param cells    0 or more
 * @param options  the same on all ranks; NULL: the defaults
 * @param out      receives the array; NULL on error
 * @return NP_ERROR_INPUT: options that are out of range, or differ between ranks; a rule that has no meaning for the
 * type. NP_ERROR_LIMIT: more than 2^32 cells on a rank, or in all if there are hops; too many blocks. NP_ERROR_MEMORY;
 * NP_ERROR_IO: MPI failed
 */
np_status np_mpi_array_create(np_mpi *mpi, uint64_t cells, const np_mpi_array_options *options,
                              np_mpi_array **out) NP_CHECKED;

/** Not collective. NULL is allowed. */
void np_mpi_array_free(np_mpi_array *array);

/** The number of cells of all ranks. Not collective. */
uint64_t np_mpi_array_cells(const np_mpi_array *array);

/**
 * One step. Each rank has requests for `count` cells; count may be 0, and then the arrays NULL.
 *
 *   read    value[i] = the cell
 *   write   the cell takes value[i], or what the rule makes of the values of several writers
 *   fetch   value[i] = the cell, combined with the operands of all requests before this one; the cell is combined with
 *           all operands. value[i] is the operand before the call
 *   update  a fetch whose answers nobody needs: half the way
 *
 * A violation of the rule is no error, as on a PRAM: it is counted, and the step goes on as np_pram_access says.
 * @return NP_ERROR_INPUT: an address that is no cell, on any rank; an op that has no meaning for the type; ranks that
 * made different calls. No cell and no value has changed.
 *         NP_ERROR_MEMORY; NP_ERROR_IO: MPI failed: cells and values may have changed
 */
np_status np_mpi_array_read(np_mpi_array *array, size_t count, const uint64_t *address, np_word *value) NP_CHECKED;
np_status np_mpi_array_write(np_mpi_array *array, size_t count, const uint64_t *address,
                             const np_word *value) NP_CHECKED;
np_status np_mpi_array_fetch(np_mpi_array *array, np_mpi_op op, size_t count, const uint64_t *address,
                             np_word *value) NP_CHECKED;
np_status np_mpi_array_update(np_mpi_array *array, np_mpi_op op, size_t count, const uint64_t *address,
                              const np_word *value) NP_CHECKED;

/**
 * The cells that this rank has, in np_mpi_array_runs runs of neighbours, with ascending addresses. A program may read
 * and change its own cells between calls. Not collective.
 */
typedef struct np_mpi_run {
    uint64_t address, count; /**< of the first cell, and of how many */
    np_word *word;           /**< [count] */
} np_mpi_run;

size_t np_mpi_array_runs(const np_mpi_array *array);
np_mpi_run np_mpi_array_run(const np_mpi_array *array, size_t i); /**< i < np_mpi_array_runs */

/** What the calls so far did, on all ranks together. */
typedef struct np_mpi_array_report {
    uint64_t calls, requests;
    uint64_t combined;          /**< requests that met another one on their own rank and left with it */
    uint64_t combined_on_way;   /**< that met on another rank before the cell's */
    uint64_t cells_most;        /**< cells of the rank that has most */
    uint64_t violations;        /**< cells whose rule was violated in a call, summed over the calls */
    uint64_t violation_call;    /**< the first call, from 0, with a violation; UINT64_MAX: none */
    uint64_t violation_address; /**< the first cell of that call whose rule was violated */
} np_mpi_array_report;

/** Every rank gets the same. */
np_status np_mpi_array_report_get(np_mpi_array *array, np_mpi_array_report *out) NP_CHECKED;

/* Sorting. */

/** What the keys of records are. Records are sorted by ascending keys; those of equal keys by rank, then by place. */
typedef enum np_mpi_keys {
    NP_MPI_KEYS_UINT64, /**< a record is its key: 8 bytes, a uint64_t */
    NP_MPI_KEYS_INT64,  /**< an int64_t */
    NP_MPI_KEYS_DOUBLE, /**< a double, in the order of IEEE 754's totalOrder: -0 before 0, NaNs at the ends by sign */
    NP_MPI_KEYS_CALL    /**< a record is any bytes, and a function tells its key */
} np_mpi_keys;

/** How many records each rank has after a sort of all N. */
typedef enum np_mpi_shares {
    NP_MPI_SHARES_BALANCED, /**< no rank has more than 1.05 times the mean, or the mean rounded up: the fastest */
    NP_MPI_SHARES_EQUAL     /**< the mean, rounded up on the first (N mod ranks) ranks and down on the others */
} np_mpi_shares;

/** What is sorted: the same on all ranks, except the context. */
typedef struct np_mpi_sort_options {
    np_mpi_keys keys;
    np_mpi_shares shares;
    uint64_t record; /**< NP_MPI_KEYS_CALL: bytes of a record, at least 1 */
    /**
     * NP_MPI_KEYS_CALL: the key of a record, by the bytes of the record alone: on another rank it is the same. It is
     * called about three times for each. np_mpi_key_of_int64 and np_mpi_key_of_double make keys of other numbers.
     */
    uint64_t (*key)(const void *record, void *context);
    void *context;
    uint32_t oversampling; /**< records for each rank in the sample that shares are first made by; 0: 2,048 and more */
} np_mpi_sort_options;

/** Sets the defaults: records that are uint64_t, balanced shares. Not collective. */
void np_mpi_sort_options_init(np_mpi_sort_options *options);

/** Keys in whose order negative numbers come first; that of doubles is NP_MPI_KEYS_DOUBLE's. Not collective. */
static inline uint64_t np_mpi_key_of_int64(int64_t number) { return (uint64_t)number ^ (uint64_t)1 << 63; }

static inline uint64_t np_mpi_key_of_double(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits ^ ((bits >> 63 ? UINT64_MAX : 0) | (uint64_t)1 << 63);
}

/** The records of this rank after a sort. Begin with {0}; the next sort takes the memory of the last. */
typedef struct np_mpi_sorted {
    void *records;  /**< ascending; those of the next rank follow. Aligned to 16 bytes */
    uint64_t count; /**< how many */
    uint64_t room;  /**< bytes that `records` has room for */
} np_mpi_sorted;

/** Frees what a sort has given. Not collective. */
void np_mpi_sorted_clear(np_mpi_sorted *sorted);

/**
 * Sorts the records of all ranks into new arrays. Splitters are chosen by oversampling, as in flashsort (Reif &
 * Valiant 1987); each record is sent once, and NP_MPI_SHARES_EQUAL sends those again that are not where they belong.
 * What was sent before the records is about 2,048 (1 + log2 ranks) samples of 16 bytes from each rank to each other.
 *
 * @param count    records of this rank, 0 or more
 * @param records  [count], each of 8 bytes or options->record; unchanged. NULL if count is 0
 * @param options  NULL: the defaults
 * @param out      receives the sorted records; after an error none
 * @return NP_ERROR_INPUT: options out of range or not the same on all ranks, or no records.
 *         NP_ERROR_LIMIT: more than 2^64 bytes. NP_ERROR_MEMORY; NP_ERROR_IO: MPI failed
 */
np_status np_mpi_sort(np_mpi *mpi, uint64_t count, const void *records, const np_mpi_sort_options *options,
                      np_mpi_sorted *out) NP_CHECKED;

/**
 * The same in place: each rank keeps as many records as it had, and options->shares does not matter. Other memory is
 * used on the way, about twice that of the records.
 *
 * @param records  [count]; after an error as they were, except after NP_ERROR_IO
 */
np_status np_mpi_sort_in_place(np_mpi *mpi, uint64_t count, void *records,
                               const np_mpi_sort_options *options) NP_CHECKED;

/* Simulations. */

/**
 * As np_route (netpram/route.h), with each run divided over the ranks: each holds its share of the nodes, their queues
 * and the packets, so that what is too large for one machine has room on many. The result is that of one process, to
 * the bit, and every rank gets all of it. Divided are schemes whose phases route in queues, on any network but
 * fat-trees, without `overlap` and `phase_time`, and without callbacks that are told of each step.
 *
 * @param network,traffic,options  the same on all ranks; options->job is set here
 * @return as np_route; NP_ERROR_APPLY also: it is not divided
 */
np_status np_mpi_route(np_mpi *mpi, const np_network *network, const char *traffic, const np_route_options *options,
                       np_route_result **out) NP_CHECKED;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
