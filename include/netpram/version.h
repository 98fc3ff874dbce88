/* The version of the library. */
#ifndef NETPRAM_VERSION_H
#define NETPRAM_VERSION_H

#define NETPRAM_VERSION "0.3.0"

#ifdef __cplusplus
extern "C" {
#endif
/** The version of the library at run time, "0.3.0". */
const char *np_version(void);
#ifdef __cplusplus
}
#endif
#endif
