/* All of libnetpram. The header of libnetpram-report is netpram/report.h. */
#ifndef NETPRAM_H
#define NETPRAM_H

#include "netpram/base.h"
#include "netpram/collective.h"
#include "netpram/compare.h"
#include "netpram/deadlock.h"
#include "netpram/drawing.h"
#include "netpram/engine.h"
#include "netpram/field.h"
#include "netpram/flows.h"
#include "netpram/jobs.h"
#include "netpram/load.h"
#include "netpram/merging.h"
#include "netpram/network.h"
#include "netpram/path.h"
#include "netpram/pram.h"
#include "netpram/replay.h"
#include "netpram/route.h"
#include "netpram/script.h"
#include "netpram/sort.h"
#include "netpram/theory.h"
#include "netpram/throughput.h"
#include "netpram/traffic.h"
#include "netpram/worst.h"

/* Single theorems: a build without them (-DNETPRAM_PAPERS=OFF) does not have these functions. */
#include "netpram/embed.h"
#include "netpram/reconfigure.h"
#include "netpram/universal.h"

#endif
