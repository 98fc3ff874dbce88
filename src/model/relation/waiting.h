/* Channels each of which waits for the next, and the last for the first: as they are found, and as text. */
#pragma once

#include "netpram/network.h"

/* A virtual channel of the link between two nodes, or a class of them. */
typedef struct np_waiting {
    np_node from, to;
    unsigned channel;
} np_waiting;

enum { NP_WAITING_SHOWN = 8 }; /* of a text, at most: ours */

/*
 * "0->1 (class 0), 1->3 (class 1), ...": as many of `length` channels as are shown and as the text has room for, which
 * is more than 8 bytes. list: [length] or the first NP_WAITING_SHOWN. kind: what `channel` is; NULL: it is not said.
 */
void np_waiting_write(const np_network *network, size_t length, const np_waiting *list, const char *kind, size_t room,
                      char *text);
