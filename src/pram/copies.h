/*
 * Memory in copies (Upfal & Wigderson 1987): each cell has `copies` copies, in different modules, and a copy is a word with
 * a time stamp. A write reaches `quorum` copies and gives them a new stamp; a read reaches as many and takes the word of
 * the newest. Two quorums have a copy in common, because 2 quorum > copies, so a read always meets the last write.
 *
 * Copy k of cell x is in module h_k(x), by a hash function of its own (address_map.h). If an earlier copy is there, it is in
 * the next module that has none.
 */
#ifndef NP_PRAM_COPIES_H
#define NP_PRAM_COPIES_H

#include "pram/address_map.h"
#include "pram/machine.h"

typedef struct np_copy {
    uint64_t stamp; /* of the write that it has; 0: none so far */
    np_word word;
} np_copy;

typedef struct np_copies {
    uint32_t copies, quorum, modules;
    np_placement function[NP_COPIES_MOST]; /* [copies] */
    uint64_t cells, room;
    uint32_t *module; /* [cells][copies] */
    np_copy *copy;    /* [cells][copies] */
    uint64_t *held;   /* [modules] copies in each module; borrowed */
    uint64_t clock;   /* the newest stamp */
} np_copies;

/*
 * Sets up a memory that is zero but for `modules` and `held`, without cells. Clear it, also after a failure.
 * coefficients: of a hash function. NP_ERROR_INPUT (a quorum too small or too large, more copies than modules), NP_ERROR_MEMORY.
 */
np_status np_copies_init(np_copies *memory, const np_pram_options *options, uint32_t coefficients) NP_CHECKED;
void np_copies_clear(np_copies *memory);
/* The bytes of so many cells, and of the hash functions. */
uint64_t np_copies_bytes(const np_pram_options *options, uint64_t cells, uint32_t coefficients);

/* Makes room for so many cells at once. NP_ERROR_MEMORY. */
np_status np_copies_reserve(np_copies *memory, uint64_t cells) NP_CHECKED;
/* Sets the number of cells, no fewer than before; new ones are 0. NP_ERROR_MEMORY. */
np_status np_copies_grow(np_copies *memory, uint64_t cells) NP_CHECKED;

/* From outside: writes all copies of `count` cells; reads the first quorum of each. */
void np_copies_put(np_copies *memory, np_address base, uint64_t count, const np_word *value);
void np_copies_get(const np_copies *memory, np_address base, uint64_t count, np_word *value);

static inline size_t np_copies_at(const np_copies *memory, np_address x, uint32_t k) { return x * memory->copies + k; }

/* A write comes to a copy: an older one than the copy has changes nothing. */
static inline void np_copy_write(np_copy *copy, uint64_t stamp, np_word word)
{
    if (stamp >= copy->stamp)
        *copy = (np_copy){stamp, word};
}

/* A read meets a copy; newest: of those that it met before, {0} at first. */
static inline void np_copy_read(np_copy *newest, const np_copy *met)
{
    if (met->stamp >= newest->stamp)
        *newest = *met;
}

#endif
