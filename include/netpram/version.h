/* The version of the library. */
#ifndef NETPRAM_VERSION_H
#define NETPRAM_VERSION_H

/* The version of these headers: as numbers, as one number that grows with each version, and as text. */
#define NETPRAM_VERSION_MAJOR 0
#define NETPRAM_VERSION_MINOR 3
#define NETPRAM_VERSION_PATCH 0
#define NETPRAM_VERSION_NUMBER (NETPRAM_VERSION_MAJOR * 10000 + NETPRAM_VERSION_MINOR * 100 + NETPRAM_VERSION_PATCH)
#define NETPRAM_VERSION "0.3.0"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** The version of the library at run time, as text: "0.3.0". */
const char *np_version(void);

/** The version of the library at run time, as NETPRAM_VERSION_NUMBER: major * 10000 + minor * 100 + patch. */
int np_version_number(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
