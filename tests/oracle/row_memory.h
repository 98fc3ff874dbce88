/*
 * A slow twin of the memory of a butterfly with a layout (Ranade 1987b, appendix A): every node has its own memory, and
 * its own share of the hash function's coefficients. It follows the paper's text and Figure 6, node by node.
 */
#ifndef ORACLE_ROW_MEMORY_H
#define ORACLE_ROW_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct oracle_pair {
    bool used;
    uint64_t cell;
    int64_t word;
} oracle_pair;

/* The memory of one node, <c, r>. */
typedef struct oracle_node {
    uint64_t *first, *count; /* [M/N] of each place here: its first pair in each memory of the row; in the improved
                                layout its first pair of the row, and how many there are */
    oracle_pair *pair;       /* [pairs] */
    uint64_t pairs;
} oracle_node;

typedef struct oracle_memory {
    unsigned n, search; /* search: 8, the pairs of a place in a memory */
    bool improved;
    uint64_t table;    /* M */
    oracle_node *node; /* [n 2^n] <c, r> is c 2^n + r */
} oracle_memory;

/* hash: [cells] y(x); word: [cells]. */
oracle_memory *oracle_memory_make(unsigned n, unsigned search, bool improved, uint64_t table, uint64_t cells,
                                  const uint64_t *hash, const int64_t *word);
void oracle_memory_free(oracle_memory *memory);

/* A message looks for the cell, node after node from column n - 1 on. Returns the pairs it looks at; *word: what it
 * finds. */
uint64_t oracle_memory_search(const oracle_memory *memory, uint64_t cell, uint64_t hash, int64_t *word);

/*
 * The nodes of the rows evaluate the function: request i is of processor[i] = r n + c and asks for y(cell[i]), which
 * goes to hash[i]. Requests of one processor come one after the other, at most one of each processor at a time. Returns
 * the steps. A link that has two messages in one step ends the test.
 */
uint64_t oracle_evaluate(unsigned n, unsigned search, unsigned coefficients, const uint64_t *coefficient,
                         size_t requests, const uint32_t *processor, const uint64_t *cell, uint64_t *hash);

#endif
