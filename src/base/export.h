/*
 * What the shared libnetpram exports. The functions of include/netpram/ are
 * public. Other functions are hidden, but for those that libnetpram-report
 * needs: they have the version NETPRAM_PRIVATE, and no other program may use
 * them. tests/cli/exported_symbols holds the libraries to this.
 */
#ifndef NP_BASE_EXPORT_H
#define NP_BASE_EXPORT_H

/* Before the declaration of a function outside src/report that src/report calls. */
#define NP_FOR_REPORT __attribute__((visibility("default")))

#endif
