/* Rounds of a collective operation as a GOAL file. */
#pragma once

#include "work/collective/collective.h"

/*
 * The ranks are the nodes of `network`, whose links the log names; a piece has `part` bytes, and a message whole bytes.
 * NP_ERROR_IO, NP_ERROR_MEMORY.
 */
np_status np_goal_write(const char *path, const np_network *network, const np_round_log *log, double part) NP_CHECKED;
