#include "netpram/version.h"

const char *np_version(void) { return NETPRAM_VERSION; }
