/* The K shortest paths of pairs as lists, for those who ask what a packet may take, and not for one by lot. */
#pragma once

#include "model/path/listed.h"
#include "model/path/path.h"

extern const np_path_rule np_path_k_shortest;

typedef struct np_k_shortest np_k_shortest;

/* path: of this rule; borrowed. Free it in any case. NP_ERROR_MEMORY. */
np_status np_k_shortest_create(const np_path *path, np_k_shortest **out) NP_CHECKED;
void np_k_shortest_free(np_k_shortest *k);

/*
 * *out: the paths from `count` nodes, none of them `to`, to this one: owned by k, until the next call. A node without
 * a way has none. NP_ERROR_MEMORY.
 */
np_status np_k_shortest_to(np_k_shortest *k, size_t count, const np_node *from, np_node to,
                           const np_listed **out) NP_CHECKED;
