/* The words of the field as types: one typedef per meaning. */
#ifndef NETPRAM_TYPES_H
#define NETPRAM_TYPES_H

#include <stdint.h>

typedef uint32_t np_node;   /**< a node, 0 .. nodes-1 */
typedef uint32_t np_port;   /**< index of a link at the node it leaves */
typedef uint32_t np_link;   /**< a directed link's number */
typedef uint32_t np_packet; /**< a packet, 0 .. packets-1 */
typedef uint32_t np_step;   /**< synchronous time: the instant t, or the number of steps */
typedef uint64_t np_ticket; /**< what a packet carries to find its way */

/** "No such node, port or link"; for a port: the packet is where it is going. */
#define NP_NONE UINT32_MAX

#endif
