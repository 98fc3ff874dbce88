/* Queue disciplines: which packet of a queue goes first (stage 2 of Leighton, Maggs, Ranade & Rao 1994). NP_LIST_QUEUES
   has those there are. */
#ifndef NETPRAM_SCHEDULE_H
#define NETPRAM_SCHEDULE_H

#include "netpram/registry.h"

#endif
