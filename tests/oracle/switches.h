/* Reconfigurable arrays, slow and obvious: a signal is followed from wire to wire. Shares no code with the library. */
#ifndef ORACLE_SWITCHES_H
#define ORACLE_SWITCHES_H

#include <stdbool.h>
#include <stdint.h>

/* The place of a PU: side "W", "N", "E" or "S", and row or column. */
typedef struct oracle_place {
    char side;
    uint32_t index;
} oracle_place;

/*
 * Is there a way from one place to the other? name[row * columns + column]: groups of ports such as "WE-NS", row 0 at
 * the bottom. A port that is in no group is joined to no other.
 */
bool oracle_switches_joined(uint32_t rows, uint32_t columns, const char *const *name, oracle_place from,
                            oracle_place to);

#endif
