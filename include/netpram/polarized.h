/*
 * Why a batch took as long as it did on the butterfly of Ranade 1987b: the polarized sequence of section 4, followed
 * back from the reply that was home last, and what the section proves of it.
 *
 * Switches are those of the logical network, <column, row> with columns 0 .. 6n; steps count from 0. The lag of a
 * message that is at a switch at the beginning of a step is step - column.
 */
#ifndef NETPRAM_POLARIZED_H
#define NETPRAM_POLARIZED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct np_polarized_switch {
    uint32_t column, row;
} np_polarized_switch;

/** How a message came into the sequence. */
typedef enum np_polarized_kind {
    NP_POLARIZED_LAST, /**< its reply was home last */
    NP_POLARIZED_M,    /**< m-delay: it was selected, or its ghost, where the message above waited */
    NP_POLARIZED_B     /**< b-delay: it was one of b in the queue that had no room for the message above */
} np_polarized_kind;

/** What became of the message before that, going back. */
typedef enum np_polarized_wait {
    NP_POLARIZED_OTHER,  /**< it waited: another was selected, that of the next row */
    NP_POLARIZED_FULL,   /**< it waited: the queue that it was to enter was full, of the messages of the next b rows */
    NP_POLARIZED_BESIDE, /**< it was in a full queue, behind its head: not followed */
    NP_POLARIZED_ORIGIN  /**< it did not wait, but was with its processor until the other stream could begin */
} np_polarized_wait;

typedef struct np_polarized_row {
    np_polarized_kind kind;
    uint32_t tag;           /**< the message, by the number of its tag in the order of tags */
    np_polarized_switch at; /**< psi: where it was itself, not its ghost, when it delayed the one above */
    uint64_t step;          /**< t: and when. Of the first row: when it was home */
    int64_t lag;            /**< of that */
    uint32_t ghost;         /**< edges that a ghost of it crossed from there to where the one above waited */
    uint64_t path;          /**< at = np_polarized.path[path] */
    np_polarized_wait wait;
    np_polarized_switch wait_at; /**< psi': where it waited, or its processor; as `at` if it was not followed */
    uint64_t wait_step;          /**< t': the last step that it waited there */
} np_polarized_row;

/** What is checked. */
enum {
    NP_POLARIZED_DEFINITION_1, /**< messages of the sequence that pass the path in order, tags falling: all */
    NP_POLARIZED_LEMMA_3,   /**< ghosts selected in all the batch whose message or ghost was selected one step and edge
                               before: all */
    NP_POLARIZED_LEMMA_4,   /**< times that a switch of column c had something to select, from step c on: all */
    NP_POLARIZED_LEMMA_5,   /**< L: at least the first lag - b_L */
    NP_POLARIZED_PATH,      /**< edges of the path from column 0 to 6n: at most 8n */
    NP_POLARIZED_THEOREM_2, /**< distinct requests polarized along it: at least min(delta, b n) */
    NP_POLARIZED_VERDICTS
};

/** `have` against `need`. */
typedef struct np_polarized_verdict {
    bool holds;
    int64_t have, need;
} np_polarized_verdict;

typedef struct np_polarized {
    uint32_t n, queue_size; /**< b */
    uint64_t steps;         /**< of the batch */
    uint64_t requests;
    uint32_t messages; /**< different tags */
    int64_t delta;     /**< steps - 1 - 6n: the batch takes time 6n + delta */
    size_t rows;
    np_polarized_row *row; /**< [rows] from the last reply backwards */
    uint64_t edges;
    np_polarized_switch *path; /**< [edges + 1] from the last reply backwards to the processor of the last row */
    uint32_t delays, full;     /**< L, b_L: delays, and how many of them by full queues */
    size_t counted;         /**< rows 1 .. counted are the sequence of Theorem 2: all, or up to the n-th full queue */
    uint32_t counted_full;  /**< b_j: full queues among them */
    uint64_t counted_edges; /**< of the path, up to the last of them */
    np_polarized_verdict verdict[NP_POLARIZED_VERDICTS];
    bool holds; /**< all do */
} np_polarized;

/** The phase of a column of the logical network, 1..6. */
unsigned np_polarized_phase(const np_polarized *polarized, uint32_t column);

/** The name of what is checked ("Lemma 3"); verdict < NP_POLARIZED_VERDICTS. */
const char *np_polarized_verdict_name(unsigned verdict);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
