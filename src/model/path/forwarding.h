/*
 * The forwarding tables of an InfiniBand fabric, as its subnet manager or its switches tell them: paths of all pairs of
 * hosts. A switch sends what is for a local identifier (LID) out by one port.
 *
 *   Unicast lids [0-13] of switch Lid 1 guid 0x0000000000000051 ('leaf1'):      OpenSM, opensm-lfts.dump
 *   0x000b 001 # Channel Adapter portguid 0x00000000000000b1: 'host1 HCA-1'
 *   14 lids dumped
 *
 *   Unicast lids [0x0-0xd] of switch Lid 1 guid 0x0000000000000051 (leaf1):     infiniband-diags, dump_lfts
 *     Lid  Out   Destination
 *          Port     Info
 *   0x000b 001 : (Channel Adapter portguid 0x00000000000000b1: 'host1 HCA-1')
 *   14 valid lids dumped
 */
#pragma once

#include "base/text.h"
#include "model/path/listed.h"

/* Are these such tables? By the first line that is not empty. */
bool np_forwarding_is(np_text text);

/*
 * Adds the paths between all hosts; with several LIDs of a host, a path by each. A pair for which a table has no entry
 * has none. NP_ERROR_INPUT with "name:line: ...": a line of another kind, a node or a port that the network has not,
 * tables that go in circles; NP_ERROR_APPLY: links of the network have no port numbers, or a host has several links;
 * NP_ERROR_LIMIT, NP_ERROR_MEMORY.
 */
np_status np_forwarding_read(np_text *text, const np_graph *graph, np_listed *listed) NP_CHECKED;
