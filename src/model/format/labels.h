/* Labels: what nodes are called, where the links of a file refer to nodes by other identifiers. */
#pragma once

#include "model/format/builder.h"

void np_labels_clear(np_builder *graph);

/*
 * Makes labels the names of the nodes, if there are any:
 *   LABEL      a node whose label no other node has
 *   LABEL/ID   several nodes have the label; ID is what links refer to
 *   ID         the node has no label; or some name would still be that of two nodes: then all are called by their IDs
 * How many nodes are not called by their labels, and an example, is kept for the note: graph->unlabelled, doubled.
 */
np_status np_labels_settle(np_builder *graph) NP_CHECKED;
