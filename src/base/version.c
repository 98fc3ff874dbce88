#include "netpram/base.h"

const char *np_version(void) { return NETPRAM_VERSION; }

int np_version_number(void) { return NETPRAM_VERSION_NUMBER; }
