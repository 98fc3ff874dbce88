/*
 * What the shared libnetpram exports. The functions of include/netpram/ are
 * public. Functions that libnetpram-report needs have the version
 * NETPRAM_PRIVATE, and no other program may use them. All other functions are
 * hidden. tests/cli/exported_symbols checks this.
 */
#pragma once

/* Before the declaration of a function outside src/show and src/lab that these call. */
#define NP_FOR_REPORT __attribute__((visibility("default")))
