/*
 * Random123 refuses processors that it was not tried on. Philox is arithmetic of 32 and 64 bits, which WebAssembly has:
 * the header is told that it is on another processor of 64 bits, without any of its instructions. The draws are those
 * of every processor (web/test/same.mjs).
 */
#define __s390x__ 1
#include_next <Random123/philox.h>
#undef __s390x__
