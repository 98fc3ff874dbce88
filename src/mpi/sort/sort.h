/*
 * A sort, inside.
 *
 * A record has an origin, its number among those of all ranks: ranks in their order, and each rank's records by place.
 * Records are compared by (key, origin), so that no two are equal: whatever the keys are, splitters divide the records
 * as evenly as distinct keys, and equal keys keep their order.
 */
#pragma once

#include <stdbool.h>

#include "mpi/ranks/mpi.h"

/* A key, and where its record is: its origin, or its place in an array. */
typedef struct np_mpi_keyed {
    uint64_t key, place;
} np_mpi_keyed;

/* What a rank tells the others about its call. */
typedef struct np_mpi_sort_told {
    uint64_t count, record, kinds;
} np_mpi_sort_told;

typedef struct np_mpi_sorting {
    np_mpi *mpi;
    np_mpi_sort_options options; /* `record` is set, whatever the keys are */
    const unsigned char *records;
    uint64_t count;
    bool in_place;
    uint64_t before, total; /* records of the ranks before this one, and of all */
    /* Of P ranks, in one block. */
    uint64_t *given;        /* [P] records of each rank before the sort */
    np_mpi_keyed *splitter; /* [P - 1] rank r + 1 begins with the record splitter[r]; `place` is the origin */
    np_mpi_keyed *tree;     /* [2 P] the splitters again (partition.c) */
    uint64_t *bucket;       /* [P] records of this rank for each rank */
    uint64_t *arriving;     /* [P] records from each rank */
    uint64_t *share;        /* [P] records that each rank gets from all */
    np_mpi_part *out, *in;  /* [P] */
    unsigned char **to;     /* [P] where the next record for each rank goes */
    np_mpi_sort_told *told; /* [P] */
} np_mpi_sorting;

/* Keys are looked at in blocks of so many. */
enum { NP_SORT_BLOCK = 512 };

/*
 * splitters.c: chooses the splitters such that no share is too large, and counts `bucket` and `share`. Collective, and
 * so is its error.
 */
np_status np_mpi_sort_split(np_mpi_sorting *sorting) NP_CHECKED;

/* partition.c */

/* The key of one record. */
uint64_t np_mpi_sort_key(const np_mpi_sorting *sorting, const void *record);
/* The keys of records [count]: in `buffer`, or in the records themselves. */
const uint64_t *np_mpi_sort_keys(const np_mpi_sorting *sorting, const unsigned char *records, size_t count,
                                 uint64_t *buffer);
/* bucket[r] = how many records of this rank are for rank r, by the splitters. */
void np_mpi_sort_count(np_mpi_sorting *sorting);
/*
 * Writes each record of this rank to to[r], one after the other, for the rank r that it is for: its key, if the record
 * is one. Where keys go to two ranks, up to one behind the last ones may be written, too.
 */
void np_mpi_sort_partition(np_mpi_sorting *sorting);
/* The other way: keys become numbers of their kind. */
void np_mpi_sort_numbers(const np_mpi_sorting *sorting, uint64_t *keys, uint64_t count);

/* local.c: sorts this rank's own. */

/* Keys: scratch: [count], or NULL where np_mpi_sort_scratch is false. */
void np_mpi_sort_words(uint64_t *keys, uint64_t count, uint64_t *scratch);
bool np_mpi_sort_scratch(void);
/* By keys; those of equal keys stay in their order. scratch: [count]. */
void np_mpi_sort_keyed(np_mpi_keyed *keyed, uint64_t count, np_mpi_keyed *scratch);
/* Records by keys, stable, from an array to another one. keyed: [2 count], of any contents. */
void np_mpi_sort_records(const np_mpi_sorting *sorting, const unsigned char *from, uint64_t count, unsigned char *to,
                         np_mpi_keyed *keyed);

/* vectorized.cpp: Highway's sort, where it was found. */
void np_mpi_sort_vectorized(uint64_t *keys, size_t count);

/* shift.c: moves the sorted records, of which rank r has share[r], to `to` such that rank r has wanted(r). */
uint64_t np_mpi_sort_wanted(const np_mpi_sorting *sorting, int rank);
np_status np_mpi_sort_shift(np_mpi_sorting *sorting, const unsigned char *sorted, unsigned char *to) NP_CHECKED;
