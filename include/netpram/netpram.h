/* All of libnetpram. The headers of libnetpram-report are netpram/report.h and netpram/experiment.h. */
#ifndef NETPRAM_H
#define NETPRAM_H

#include "netpram/array.h"
#include "netpram/bound.h"
#include "netpram/check.h"
#include "netpram/collective.h"
#include "netpram/constrained.h"
#include "netpram/embed.h"
#include "netpram/engine.h"
#include "netpram/field.h"
#include "netpram/keys.h"
#include "netpram/network.h"
#include "netpram/offline.h"
#include "netpram/output.h"
#include "netpram/path.h"
#include "netpram/polarized.h"
#include "netpram/pram.h"
#include "netpram/ranking.h"
#include "netpram/program.h"
#include "netpram/reconfigure.h"
#include "netpram/registry.h"
#include "netpram/route.h"
#include "netpram/schedule.h"
#include "netpram/sort.h"
#include "netpram/statistics.h"
#include "netpram/status.h"
#include "netpram/traffic.h"
#include "netpram/types.h"
#include "netpram/universal.h"
#include "netpram/version.h"

#endif
