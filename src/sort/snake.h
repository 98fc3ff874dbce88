/*
 * The snake of a mesh or torus: its nodes in an order in which successive nodes are neighbours (a Hamiltonian path).
 * Every second line of the last dimension runs backwards, every second plane of the last two dimensions, and so on. On
 * an array and a ring the snake is 0, 1, 2, ..
 */
#ifndef NP_SORT_SNAKE_H
#define NP_SORT_SNAKE_H

#include "network/network.h"

/* NULL if the network has a snake, else the reason why not, in words that follow "because". */
const char *np_snake_refuses(const np_network *network);

/* The i-th node of the snake. */
np_node np_snake_node(const np_network *network, uint32_t i);

#endif
