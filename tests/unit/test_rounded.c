/*
 * Correctly rounded functions against what MPFR 4.2 says, worked out with 300 bits and rounded once: hard cases of the
 * literature, the ends of the range, and cases of which the exact value is within 2^-22 units of the middle between two
 * doubles or of a double, found among millions. Beside these, random arguments against long doubles, which are within
 * half a unit and a bit.
 */
#include "support.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/rounded.h"

typedef struct value {
    double (*function)(double);
    double x, y;
} value;

/* clang-format off */
static const value values[] = {
    {np_rounded_exp, 0x1.9e9cbbfd6080bp-31, 0x1.000000033d398p+0},
    {np_rounded_exp, 0x1.e0000000001c2p-20, 0x1.00001e0001c2p+0},
    {np_rounded_exp, 0x1.8000000000009p-23, 0x1.0000030000048p+0},
    {np_rounded_exp, 0x1.dffffffffff1fp-22, 0x1.00000780001c2p+0},
    {np_rounded_exp, 0x1.921fb54442d18p+0, 0x1.33dedc855935fp+2},
    {np_rounded_exp, 0x1.921fb54442d18p+1, 0x1.724046eb09339p+4},
    {np_rounded_exp, 0x1p+1, 0x1.d8e64b8d4ddaep+2},
    {np_rounded_exp, 0x1p+3, 0x1.749ea7d470c6ep+11},
    {np_rounded_exp, 0x1.8p+1, 0x1.415e5bf6fb106p+4},
    {np_rounded_exp, 0x0.0000000000001p-1022, 0x1p+0},
    {np_rounded_exp, 0x1p-1022, 0x1p+0},
    {np_rounded_exp, 0x1.62e42fefa39efp+9, 0x1.fffffffffff2ap+1023},
    {np_rounded_exp, 0x1.62e42fefa39fp+9, INFINITY},
    {np_rounded_exp, -0x1.74910d52d3051p+9, 0x0.0000000000001p-1022},
    {np_rounded_exp, -0x1.74910d52d3052p+9, 0x0p+0},
    {np_rounded_exp, -0x1.74385446d71c3p+9, 0x0.0000000000001p-1022},
    {np_rounded_exp, -0x1.6233333333333p+9, 0x0.ff15b469edf89p-1022},
    {np_rounded_exp, 0x1.0000000000001p+0, 0x1.5bf0a8b14576bp+1},
    {np_rounded_exp, 0x1.fffffffffffffp-1, 0x1.5bf0a8b145769p+1},
    {np_rounded_exp, 0x1p-30, 0x1.00000004p+0},
    {np_rounded_exp, 0x1.5798ee2308c3ap-27, 0x1.0000002af31dcp+0},
    {np_rounded_exp, 0x1.a62c8c21a76c9p-192, 0x1p+0},
    {np_rounded_exp, 0x1.32abd30abf79dp-287, 0x1p+0},
    {np_rounded_exp, 0x1.11e59be605233p-284, 0x1p+0},
    {np_rounded_exp, 0x1.94dd9276e92e3p-96, 0x1p+0},
    {np_rounded_exp, -0x1.d95f3fced4af9p-104, 0x1p+0},
    {np_rounded_exp, 0x1.7a3434f2598bp-108, 0x1p+0},
    {np_rounded_exp, -0x1.dc204dbd215ap-108, 0x1p+0},
    {np_rounded_exp, 0x1.e3230293142ep-113, 0x1p+0},
    {np_rounded_exp, -0x1.97b6798fe7b2cp-117, 0x1p+0},
    {np_rounded_exp, 0x1.96012fb15b269p-86, 0x1p+0},
    {np_rounded_exp, -0x1.b095a2eca68aap-84, 0x1p+0},
    {np_rounded_exp, -0x1.7a6b97d0ef858p-154, 0x1p+0},
    {np_rounded_exp, 0x1.a3c54f146ac39p-111, 0x1p+0},
    {np_rounded_exp, 0x1.0d4abb9136a47p-117, 0x1p+0},
    {np_rounded_exp, -0x1.8c4702858c8ebp-131, 0x1p+0},
    {np_rounded_exp, 0x1.7a578c20f7658p-116, 0x1p+0},
    {np_rounded_exp, 0x1.1fb68dfbcf2c1p-149, 0x1p+0},
    {np_rounded_exp, 0x1.b761ca24650bbp-88, 0x1p+0},
    {np_rounded_exp, -0x1.8261411821e36p-144, 0x1p+0},
    {np_rounded_exp, 0x1.fb302c31fce25p-143, 0x1p+0},
    {np_rounded_exp, -0x1.09cc4c533bb4bp-80, 0x1p+0},
    {np_rounded_exp, -0x1.3a3093b2b254p-93, 0x1p+0},
    {np_rounded_exp, -0x1.766acf572032cp-122, 0x1p+0},
    {np_rounded_exp, -0x1.725710ee59c7ap-102, 0x1p+0},
    {np_rounded_log, 0x1.9e9cbbfd6080bp-31, -0x1.50161a7150501p+4},
    {np_rounded_log, 0x1.62a88613629b6p+678, 0x1.d6479eba7c971p+8},
    {np_rounded_log, 0x1.e0000000001c2p-20, -0x1.a77fac0346122p+3},
    {np_rounded_log, 0x1.8000000000009p-23, -0x1.f12e72f21b685p+3},
    {np_rounded_log, 0x1.dffffffffff1fp-22, -0x1.d3dc32013a88dp+3},
    {np_rounded_log, 0x1.921fb54442d18p+0, 0x1.ce6bb25aa1315p-2},
    {np_rounded_log, 0x1.921fb54442d18p+1, 0x1.250d048e7a1bdp+0},
    {np_rounded_log, 0x1.6ac5b262ca1ffp+849, 0x1.266a4f98a7d3fp+9},
    {np_rounded_log, 0x1.7e43c8800759cp+996, 0x1.5963447f87fb5p+9},
    {np_rounded_log, 0x1.fffffffffffffp+1023, 0x1.62e42fefa39efp+9},
    {np_rounded_log, 0x1p+1, 0x1.62e42fefa39efp-1},
    {np_rounded_log, 0x1p+3, 0x1.0a2b23f3bab73p+1},
    {np_rounded_log, 0x1.8p+1, 0x1.193ea7aad030bp+0},
    {np_rounded_log, 0x0.0000000000001p-1022, -0x1.74385446d71c3p+9},
    {np_rounded_log, 0x1p-1022, -0x1.6232bdd7abcd2p+9},
    {np_rounded_log, 0x1.62e42fefa39efp+9, 0x1.a428494faf1b1p+2},
    {np_rounded_log, 0x1.62e42fefa39fp+9, 0x1.a428494faf1b1p+2},
    {np_rounded_log, 0x1.74910d52d3051p+9, 0x1.a7449dd4365e8p+2},
    {np_rounded_log, 0x1.74910d52d3052p+9, 0x1.a7449dd4365e8p+2},
    {np_rounded_log, 0x1.74385446d71c3p+9, 0x1.a7355e55bf99fp+2},
    {np_rounded_log, 0x1.6233333333333p+9, 0x1.a40856818f025p+2},
    {np_rounded_log, 0x1.0000000000001p+0, 0x1.fffffffffffffp-53},
    {np_rounded_log, 0x1.fffffffffffffp-1, -0x1p-53},
    {np_rounded_log, 0x1p-30, -0x1.4cb5ecf0a965p+4},
    {np_rounded_log, 0x1.5798ee2308c3ap-27, -0x1.26bb1bbb55516p+4},
    {np_rounded_log, 0x1.0000000001f4p+0, 0x1.f3fffffffe17cp-40},
    {np_rounded_log, 0x1.000000000668p+0, 0x1.99fffffffadecp-38},
    {np_rounded_log, 0x1.000000000084p+0, 0x1.07ffffffffbbfp-41},
    {np_rounded_log, 0x1.000000000005p+0, 0x1.3ffffffffffcep-46},
    {np_rounded_log, 0x1.0000000001ccp+0, 0x1.cbfffffffe62cp-40},
    {np_rounded_log, 0x1.fffffffffd8p-1, -0x1.4000000000c8p-40},
    {np_rounded_log, 0x1.fffffffffddp-1, -0x1.1800000000992p-40},
    {np_rounded_log, 0x1.fffffffff47p-1, -0x1.72000000042d9p-38},
    {np_rounded_log, 0x1.fffffffffde8p-1, -0x1.0c000000008c5p-40},
    {np_rounded_log, 0x1.ffffffffff94p-1, -0x1.b0000000002d9p-43},
    {np_rounded_log, 0x1.000000000036p+0, 0x1.afffffffffd27p-43},
    {np_rounded_log, 0x1.fffffffff5fp-1, -0x1.42000000032a1p-38},
    {np_rounded_log, 0x1.fffffffff96p-1, -0x1.a800000002be4p-39},
    {np_rounded_log, 0x1.00000000007p+0, 0x1.bfffffffff9ep-42},
    {np_rounded_log, 0x1.00000000002p+0, 0x1.ffffffffffep-44},
    {np_rounded_log, 0x1.00000000005cp+0, 0x1.6fffffffffbdep-42},
    {np_rounded_log, 0x1.ffffffffffdap-1, -0x1.30000000000b5p-44},
    {np_rounded_log, 0x1.fffffffffc38p-1, -0x1.e400000001c99p-40},
    {np_rounded_log, 0x1.fffffffffcbp-1, -0x1.a8000000015f2p-40},
    {np_rounded_log, 0x1.000000000072p+0, 0x1.c7ffffffff9a8p-42},
    {np_rounded_log2, 0x1.9e9cbbfd6080bp-31, -0x1.e4debeb4cb054p+4},
    {np_rounded_log2, 0x1.62a88613629b6p+678, 0x1.533c3253ed9e7p+9},
    {np_rounded_log2, 0x1.e0000000001c2p-20, -0x1.317d60496cfa6p+4},
    {np_rounded_log2, 0x1.8000000000009p-23, -0x1.66a3fe5c60429p+4},
    {np_rounded_log2, 0x1.dffffffffff1fp-22, -0x1.517d60496cfc6p+4},
    {np_rounded_log2, 0x1.921fb54442d18p+0, 0x1.4d90e6931bbeep-1},
    {np_rounded_log2, 0x1.921fb54442d18p+1, 0x1.a6c873498ddf7p+0},
    {np_rounded_log2, 0x1.6ac5b262ca1ffp+849, 0x1.a8c05fb14a90ep+9},
    {np_rounded_log2, 0x1.7e43c8800759cp+996, 0x1.f24a09f1a8b89p+9},
    {np_rounded_log2, 0x1.fffffffffffffp+1023, 0x1p+10},
    {np_rounded_log2, 0x1p+1, 0x1p+0},
    {np_rounded_log2, 0x1p+3, 0x1.8p+1},
    {np_rounded_log2, 0x1.8p+1, 0x1.95c01a39fbd68p+0},
    {np_rounded_log2, 0x0.0000000000001p-1022, -0x1.0c8p+10},
    {np_rounded_log2, 0x1p-1022, -0x1.ffp+9},
    {np_rounded_log2, 0x1.62e42fefa39efp+9, 0x1.2f14588b1f44ap+3},
    {np_rounded_log2, 0x1.62e42fefa39fp+9, 0x1.2f14588b1f44ap+3},
    {np_rounded_log2, 0x1.74910d52d3051p+9, 0x1.3152c6d288a17p+3},
    {np_rounded_log2, 0x1.74910d52d3052p+9, 0x1.3152c6d288a18p+3},
    {np_rounded_log2, 0x1.74385446d71c3p+9, 0x1.3147c70bf3308p+3},
    {np_rounded_log2, 0x1.6233333333333p+9, 0x1.2efd4cc85932ap+3},
    {np_rounded_log2, 0x1.0000000000001p+0, 0x1.71547652b82fdp-52},
    {np_rounded_log2, 0x1.fffffffffffffp-1, -0x1.71547652b82fep-53},
    {np_rounded_log2, 0x1p-30, -0x1.ep+4},
    {np_rounded_log2, 0x1.5798ee2308c3ap-27, -0x1.a934f0979a371p+4},
    {np_rounded_sin, 0x1.9e9cbbfd6080bp-31, 0x1.9e9cbbfd6080bp-31},
    {np_rounded_sin, 0x1.62a88613629b6p+678, -0x1.85db4a70a3364p-2},
    {np_rounded_sin, 0x1.e0000000001c2p-20, 0x1.dfffffffff02ep-20},
    {np_rounded_sin, 0x1.8000000000009p-23, 0x1.7ffffffffffe5p-23},
    {np_rounded_sin, 0x1.dffffffffff1fp-22, 0x1.dfffffffffe06p-22},
    {np_rounded_sin, 0x1.921fb54442d18p+0, 0x1p+0},
    {np_rounded_sin, 0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53},
    {np_rounded_sin, 0x1.6ac5b262ca1ffp+849, 0x1p+0},
    {np_rounded_sin, 0x1.7e43c8800759cp+996, -0x1.a2c16b010e385p-1},
    {np_rounded_sin, 0x1.fffffffffffffp+1023, 0x1.452fc98b34e97p-8},
    {np_rounded_sin, 0x1p+1, 0x1.d18f6ead1b446p-1},
    {np_rounded_sin, 0x1p+3, 0x1.fa8d2a028cf7bp-1},
    {np_rounded_sin, 0x1.8p+1, 0x1.210386db6d55bp-3},
    {np_rounded_sin, 0x0.0000000000001p-1022, 0x0.0000000000001p-1022},
    {np_rounded_sin, 0x1p-1022, 0x1p-1022},
    {np_rounded_sin, 0x1.62e42fefa39efp+9, -0x1.b963d50b6322ap-3},
    {np_rounded_sin, 0x1.62e42fefa39fp+9, -0x1.b963d50b6228ap-3},
    {np_rounded_sin, -0x1.74910d52d3051p+9, 0x1.16c51c71d9462p-1},
    {np_rounded_sin, -0x1.74910d52d3052p+9, 0x1.16c51c71d97bdp-1},
    {np_rounded_sin, -0x1.74385446d71c3p+9, -0x1.dfb6ace19deacp-4},
    {np_rounded_sin, -0x1.6233333333333p+9, 0x1.ffc8578025255p-1},
    {np_rounded_sin, 0x1.0000000000001p+0, 0x1.aed548f090cefp-1},
    {np_rounded_sin, 0x1.fffffffffffffp-1, 0x1.aed548f090cedp-1},
    {np_rounded_sin, 0x1p-30, 0x1p-30},
    {np_rounded_sin, 0x1.5798ee2308c3ap-27, 0x1.5798ee2308c3ap-27},
    {np_rounded_sin, -0x1.f313663e1d684p-41, -0x1.f313663e1d684p-41},
    {np_rounded_sin, 0x1.5776287d59c57p-39, 0x1.5776287d59c57p-39},
    {np_rounded_sin, -0x1.0e0a64de1701ep-37, -0x1.0e0a64de1701ep-37},
    {np_rounded_sin, -0x1.0c5ec1c838808p-40, -0x1.0c5ec1c838808p-40},
    {np_rounded_sin, 0x1.f5e2e530f421fp-39, 0x1.f5e2e530f421fp-39},
    {np_rounded_sin, 0x1.97daf1a25e6f8p-38, 0x1.97daf1a25e6f8p-38},
    {np_rounded_sin, 0x1.3fdafd3bf39e8p-37, 0x1.3fdafd3bf39e8p-37},
    {np_rounded_sin, 0x1.165076b8c6201p-38, 0x1.165076b8c6201p-38},
    {np_rounded_sin, 0x1.37f6f345ce65bp-40, 0x1.37f6f345ce65bp-40},
    {np_rounded_sin, -0x1.0b461321a2c3dp-39, -0x1.0b461321a2c3dp-39},
    {np_rounded_sin, 0x1.502e9548e50acp-40, 0x1.502e9548e50acp-40},
    {np_rounded_sin, 0x1.2807c8950b816p-42, 0x1.2807c8950b816p-42},
    {np_rounded_sin, 0x1.595abe9c81027p-37, 0x1.595abe9c81027p-37},
    {np_rounded_sin, 0x1.ee85f8d259c82p-41, 0x1.ee85f8d259c82p-41},
    {np_rounded_sin, -0x1.ac9a2a0abe594p-40, -0x1.ac9a2a0abe594p-40},
    {np_rounded_sin, -0x1.4cb4a5f4d84d6p-41, -0x1.4cb4a5f4d84d6p-41},
    {np_rounded_sin, 0x1.4f3aa567bf328p-40, 0x1.4f3aa567bf328p-40},
    {np_rounded_sin, -0x1.ecbd3685ce53dp-70, -0x1.ecbd3685ce53dp-70},
    {np_rounded_sin, 0x1.ad749fc3ec572p-38, 0x1.ad749fc3ec572p-38},
    {np_rounded_sin, 0x1.488e9866f7c44p-37, 0x1.488e9866f7c44p-37},
    {np_rounded_cos, 0x1.9e9cbbfd6080bp-31, 0x1p+0},
    {np_rounded_cos, 0x1.62a88613629b6p+678, -0x1.d9710d4684b9dp-1},
    {np_rounded_cos, 0x1.e0000000001c2p-20, 0x1.fffffffffc7cp-1},
    {np_rounded_cos, 0x1.8000000000009p-23, 0x1.fffffffffff7p-1},
    {np_rounded_cos, 0x1.dffffffffff1fp-22, 0x1.ffffffffffc7cp-1},
    {np_rounded_cos, 0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54},
    {np_rounded_cos, 0x1.921fb54442d18p+1, -0x1p+0},
    {np_rounded_cos, 0x1.6ac5b262ca1ffp+849, -0x1.14ae72e6ba22fp-61},
    {np_rounded_cos, 0x1.7e43c8800759cp+996, -0x1.2699022adc4c1p-1},
    {np_rounded_cos, 0x1.fffffffffffffp+1023, -0x1.fffe62ecfab75p-1},
    {np_rounded_cos, 0x1p+1, -0x1.aa22657537205p-2},
    {np_rounded_cos, 0x1p+3, -0x1.29fbebf632f94p-3},
    {np_rounded_cos, 0x1.8p+1, -0x1.fae04be85e5d2p-1},
    {np_rounded_cos, 0x0.0000000000001p-1022, 0x1p+0},
    {np_rounded_cos, 0x1p-1022, 0x1p+0},
    {np_rounded_cos, 0x1.62e42fefa39efp+9, 0x1.f3f7a97bc678p-1},
    {np_rounded_cos, 0x1.62e42fefa39fp+9, 0x1.f3f7a97bc685dp-1},
    {np_rounded_cos, -0x1.74910d52d3051p+9, -0x1.ad7464b59047fp-1},
    {np_rounded_cos, -0x1.74910d52d3052p+9, -0x1.ad7464b590251p-1},
    {np_rounded_cos, -0x1.74385446d71c3p+9, -0x1.fc79f84c1f7a2p-1},
    {np_rounded_cos, -0x1.6233333333333p+9, -0x1.dd6ae9601e8edp-6},
    {np_rounded_cos, 0x1.0000000000001p+0, 0x1.14a280fb5068ap-1},
    {np_rounded_cos, 0x1.fffffffffffffp-1, 0x1.14a280fb5068cp-1},
    {np_rounded_cos, 0x1p-30, 0x1p+0},
    {np_rounded_cos, 0x1.5798ee2308c3ap-27, 0x1p+0},
    {np_rounded_cos, 0x1.ef76b7476fcf1p-59, 0x1p+0},
    {np_rounded_cos, 0x1.f048b4e09c70dp-56, 0x1p+0},
    {np_rounded_cos, 0x1.2eb21c6ac6dbcp-39, 0x1p+0},
    {np_rounded_cos, 0x1.458ab8817cb31p-38, 0x1p+0},
    {np_rounded_cos, 0x1.06849f1d76308p-41, 0x1p+0},
    {np_rounded_cos, -0x1.8a56e0de4b45p-39, 0x1p+0},
    {np_rounded_cos, 0x1.23cff735a052fp-52, 0x1p+0},
    {np_rounded_cos, 0x1.e7b8fc68d335dp-41, 0x1p+0},
    {np_rounded_cos, -0x1.b6aa12954fd1fp-41, 0x1p+0},
    {np_rounded_cos, 0x1.d8c8095ad106dp-39, 0x1p+0},
    {np_rounded_cos, -0x1.fc80d1c2f8d9p-41, 0x1p+0},
    {np_rounded_cos, -0x1.ffcc950f84f9dp-44, 0x1p+0},
    {np_rounded_cos, -0x1.efe5c07e67996p-41, 0x1p+0},
    {np_rounded_cos, 0x1.440bd9e55489dp-38, 0x1p+0},
    {np_rounded_cos, -0x1.31340e0365bc7p-44, 0x1p+0},
    {np_rounded_cos, 0x1.8ff3e1271e06ap-39, 0x1p+0},
    {np_rounded_cos, -0x1.c87a8d525fd47p-48, 0x1p+0},
    {np_rounded_cos, 0x1.51cec6f4ec802p-42, 0x1p+0},
    {np_rounded_cos, 0x1.bfcce0acf1997p-39, 0x1p+0},
    {np_rounded_cos, -0x1.0bf06c8e6715cp-41, 0x1p+0},
    {np_rounded_tan, 0x1.9e9cbbfd6080bp-31, 0x1.9e9cbbfd6080bp-31},
    {np_rounded_tan, 0x1.62a88613629b6p+678, 0x1.a59b8bd470cefp-2},
    {np_rounded_tan, 0x1.e0000000001c2p-20, 0x1.e0000000024eap-20},
    {np_rounded_tan, 0x1.8000000000009p-23, 0x1.8000000000051p-23},
    {np_rounded_tan, 0x1.dffffffffff1fp-22, 0x1.e000000000151p-22},
    {np_rounded_tan, 0x1.921fb54442d18p+0, 0x1.d02967c31cdb5p+53},
    {np_rounded_tan, 0x1.921fb54442d18p+1, -0x1.1a62633145c07p-53},
    {np_rounded_tan, 0x1.6ac5b262ca1ffp+849, -0x1.d9ba9a7975636p+60},
    {np_rounded_tan, 0x1.7e43c8800759cp+996, 0x1.6be411f37ac77p+0},
    {np_rounded_tan, 0x1.fffffffffffffp+1023, -0x1.4530cfe729484p-8},
    {np_rounded_tan, 0x1p+1, -0x1.17af62e0950f8p+1},
    {np_rounded_tan, 0x1p+3, -0x1.b32e78f49a1e4p+2},
    {np_rounded_tan, 0x1.8p+1, -0x1.23ef71254b86fp-3},
    {np_rounded_tan, 0x0.0000000000001p-1022, 0x0.0000000000001p-1022},
    {np_rounded_tan, 0x1p-1022, 0x1p-1022},
    {np_rounded_tan, 0x1.62e42fefa39efp+9, -0x1.c403451851ab4p-3},
    {np_rounded_tan, 0x1.62e42fefa39fp+9, -0x1.c4034518509ecp-3},
    {np_rounded_tan, -0x1.74910d52d3051p+9, -0x1.4c5a2cec8c14ap-1},
    {np_rounded_tan, -0x1.74910d52d3052p+9, -0x1.4c5a2cec8c6f9p-1},
    {np_rounded_tan, -0x1.74385446d71c3p+9, 0x1.e309ae33d8d87p-4},
    {np_rounded_tan, -0x1.6233333333333p+9, -0x1.126d578211a5dp+5},
    {np_rounded_tan, 0x1.0000000000001p+0, 0x1.8eb245cbee3a9p+0},
    {np_rounded_tan, 0x1.fffffffffffffp-1, 0x1.8eb245cbee3a4p+0},
    {np_rounded_tan, 0x1p-30, 0x1p-30},
    {np_rounded_tan, 0x1.5798ee2308c3ap-27, 0x1.5798ee2308c3ap-27},
    {np_rounded_tan, 0x1.36757c2e733cp-39, 0x1.36757c2e733cp-39},
    {np_rounded_tan, 0x1.b07079f8cdf72p-40, 0x1.b07079f8cdf72p-40},
    {np_rounded_tan, -0x1.c1f430f4e88d3p-38, -0x1.c1f430f4e88d3p-38},
    {np_rounded_tan, 0x1.8a42559542205p-40, 0x1.8a42559542205p-40},
    {np_rounded_tan, 0x1.ddc9d1f23b27ap-40, 0x1.ddc9d1f23b27ap-40},
    {np_rounded_tan, -0x1.550f96e60ec6cp-65, -0x1.550f96e60ec6cp-65},
    {np_rounded_tan, -0x1.15c884bbdc5bp-38, -0x1.15c884bbdc5bp-38},
    {np_rounded_tan, -0x1.1cb7dd52220dap-38, -0x1.1cb7dd52220dap-38},
    {np_rounded_tan, 0x1.00501bc98931ep-66, 0x1.00501bc98931ep-66},
    {np_rounded_tan, -0x1.7f1a968c4c438p-40, -0x1.7f1a968c4c438p-40},
    {np_rounded_tan, 0x1.5bcca34658b0ap-61, 0x1.5bcca34658b0ap-61},
    {np_rounded_tan, -0x1.b833baed7015fp-39, -0x1.b833baed7015fp-39},
    {np_rounded_tan, 0x1.f6025fc6a9205p-40, 0x1.f6025fc6a9205p-40},
    {np_rounded_tan, 0x1.7237160135288p-39, 0x1.7237160135288p-39},
    {np_rounded_tan, 0x1.29c10a0e63b8fp-38, 0x1.29c10a0e63b8fp-38},
    {np_rounded_tan, -0x1.42cb6ad7e0aaap-71, -0x1.42cb6ad7e0aaap-71},
    {np_rounded_tan, 0x1.bc87a3afcd94ap-42, 0x1.bc87a3afcd94ap-42},
    {np_rounded_tan, -0x1.ff89cf124058p-40, -0x1.ff89cf124058p-40},
    {np_rounded_tan, 0x1.eb5d625d68d1ap-42, 0x1.eb5d625d68d1ap-42},
    {np_rounded_tan, -0x1.a682198e109e2p-40, -0x1.a682198e109e2p-40},
    {np_rounded_atan, 0x1.9e9cbbfd6080bp-31, 0x1.9e9cbbfd6080bp-31},
    {np_rounded_atan, 0x1.62a88613629b6p+678, 0x1.921fb54442d18p+0},
    {np_rounded_atan, 0x1.e0000000001c2p-20, 0x1.dffffffffde9ap-20},
    {np_rounded_atan, 0x1.8000000000009p-23, 0x1.7ffffffffffc1p-23},
    {np_rounded_atan, 0x1.921fb54442d18p+0, 0x1.00fe987ed02ffp+0},
    {np_rounded_atan, -0x1.921fb54442d18p+1, -0x1.433b8a322ddd3p+0},
    {np_rounded_atan, 0x1p+1, 0x1.1b6e192ebbe44p+0},
    {np_rounded_atan, -0x1p+3, -0x1.7249faa996a21p+0},
    {np_rounded_atan, 0x1.8p+1, 0x1.3fc176b7a856p+0},
    {np_rounded_atan, 0x0.0000000000001p-1022, 0x0.0000000000001p-1022},
    {np_rounded_atan, -0x0p+0, -0x0p+0},
    {np_rounded_atan, 0x1p-1022, 0x1p-1022},
    {np_rounded_atan, 0x1p+0, 0x1.921fb54442d18p-1},
    {np_rounded_atan, -0x1p+0, -0x1.921fb54442d18p-1},
    {np_rounded_atan, 0x1.0000000000001p+0, 0x1.921fb54442d19p-1},
    {np_rounded_atan, 0x1.fffffffffffffp-1, 0x1.921fb54442d18p-1},
    {np_rounded_atan, 0x1p-27, 0x1p-27},
    {np_rounded_atan, 0x1.0000000000001p-27, 0x1.0000000000001p-27},
    {np_rounded_atan, 0x1.fffffffffffffp-28, 0x1.fffffffffffffp-28},
    {np_rounded_atan, 0x1p+60, 0x1.921fb54442d18p+0},
    {np_rounded_atan, 0x1.fffffffffffffp+59, 0x1.921fb54442d18p+0},
    {np_rounded_atan, -0x1.fffffffffffffp+1023, -0x1.921fb54442d18p+0},
    {np_rounded_atan, INFINITY, 0x1.921fb54442d18p+0},
    {np_rounded_atan, -INFINITY, -0x1.921fb54442d18p+0},
    {np_rounded_atan, 0x1.a8240b780346ep-2, 0x1.921cac658ab6cp-2},
    {np_rounded_atan, 0x1.a8240b780346fp-2, 0x1.921cac658ab6cp-2},
    {np_rounded_atan, 0x1.3507c84b5dcc6p+1, 0x1.2d989c515dd91p+0},
    {np_rounded_atan, 0x1.3507c84b5dcc7p+1, 0x1.2d989c515dd91p+0},
    {np_rounded_atan, 0x1p+53, 0x1.921fb54442d18p+0},
    {np_rounded_atan, 0x1.8p+26, 0x1.921fb5199826ep+0},
    {np_rounded_atan, -0x1.2345p+40, -0x1.921fb54441f08p+0},
    {np_rounded_atan, 0x1.3b4634306c272p+1, 0x1.2f64cdfe7fd3cp+0},
    {np_rounded_atan, -0x1.8bc9356adcf95p+18, -0x1.921f8bdedb49dp+0},
    {np_rounded_atan, 0x1.3a5566907d0c9p+1, 0x1.2f207a8fa88f8p+0},
    {np_rounded_atan, -0x1.a986c02f20152p-3, -0x1.a38e88a0fc354p-3},
    {np_rounded_atan, 0x1.aed220a03754ep+7, 0x1.90ef78ef4eb26p+0},
    {np_rounded_atan, -0x1.6d414d4acb65p+17, -0x1.921f5b8dd2e2cp+0},
    {np_rounded_atan, 0x1.0cbcc757cc18p+6, 0x1.8e50509cca6b2p+0},
    {np_rounded_atan, -0x1.0bfa56a75f923p+17, -0x1.921f3afce6d9p+0},
    {np_rounded_atan, 0x1.f4e69c551020ap-1, 0x1.8c8380d0c41cdp-1},
    {np_rounded_atan, -0x1.9370091e6a6f9p+42, -0x1.921fb54442a8fp+0},
    {np_rounded_atan, 0x1.2b8ee98ca346cp+1, 0x1.2abf60689d866p+0},
    {np_rounded_atan, -0x1.8b02161be9e9ep-1, -0x1.507204eb57fa4p-1},
    {np_rounded_atan, 0x1.3f03ac5c48bp+12, 0x1.9212de57a9bafp+0},
    {np_rounded_atan, -0x1.47dd7c888c441p+0, -0x1.d0d3ff23dee5dp-1},
    {np_rounded_atan, 0x1.34db44181032ap+0, 0x1.c1e52c23f93fap-1},
    {np_rounded_atan, -0x1.aa22a861cdbdp-2, -0x1.93d036721651ap-2},
    {np_rounded_atan, 0x1.c74226285341cp-14, 0x1.c742260a5478p-14},
    {np_rounded_atan, -0x1.c76545e4b8652p-13, -0x1.c765456ca177p-13},
    {np_rounded_atan, 0x1.9ac332dd8d5d8p-2, 0x1.86a3e9f1d1f35p-2},
    {np_rounded_atan, -0x1.3b66dd627fb02p+0, -0x1.c728ed1a3b62cp-1},
    {np_rounded_atan, 0x1.f51a4e7ab495ap-26, 0x1.f51a4e7ab4958p-26},
    {np_rounded_atan, -0x1.fa4dd27b50661p-2, -0x1.d6354d8fa6c42p-2},
    {np_rounded_atan, 0x1.c74841743543cp-25, 0x1.c748417435435p-25},
    {np_rounded_atan, -0x1.30f3a0d1dc25bp-3, -0x1.2eba374b72409p-3},
    {np_rounded_atan, 0x1.a9c0b68642ccfp-2, 0x1.937cb7099e1b9p-2},
    {np_rounded_atan, 0x1.a87fd9e534ce8p-2, 0x1.926b06ae45695p-2},
    {np_rounded_atan, 0x1.a6b8c677d87bp-2, 0x1.90e672dbb4137p-2},
    {np_rounded_atan, 0x1.a9326c8f59535p-2, 0x1.93035fe508c66p-2},
    {np_rounded_atan, 0x1.a3e0a5a8c1fe9p-2, 0x1.8e77ba9f1744fp-2},
    {np_rounded_atan, 0x1.a97b9db32fd51p-2, 0x1.9341cbf26ab0dp-2},
    {np_rounded_atan, 0x1.a87f9f1896d74p-2, 0x1.926ad4811d24dp-2},
    {np_rounded_atan, 0x1.a6577109f20d9p-2, 0x1.909346af3fd22p-2},
    {np_rounded_atan, 0x1.a9a11f2180d86p-2, 0x1.9361c7582f932p-2},
    {np_rounded_atan, 0x1.a6f789203c789p-2, 0x1.911c11024fe8dp-2},
    {np_rounded_atan, 0x1.a97328ab9bf05p-2, 0x1.933a95a748cbp-2},
    {np_rounded_atan, 0x1.a6fb87245c2d6p-2, 0x1.911f7a10919b6p-2},
    {np_rounded_atan, 0x1.a5d567ae37be1p-2, 0x1.90241fec38f84p-2},
    {np_rounded_atan, 0x1.a92ef2ec92c93p-2, 0x1.9300691612773p-2},
    {np_rounded_atan, 0x1.a64ef9242ad8ap-2, 0x1.908c09eeb50bap-2},
    {np_rounded_atan, 0x1.a57004a9a6f93p-2, 0x1.8fcd6f7091072p-2},
};
/* clang-format on */

static uint64_t bits(double x)
{
    uint64_t word;
    memcpy(&word, &x, sizeof word);
    return word;
}

static void test_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const double got = values[i].function(values[i].x);
        if (!isnan(values[i].y) || !isnan(got))
            assert_int_equal(bits(got), bits(values[i].y));
    }
}

static void test_limits(void **state)
{
    (void)state;
    double (*const all[])(double) = {np_rounded_exp, np_rounded_log, np_rounded_log2, np_rounded_sin,
                                     np_rounded_cos, np_rounded_tan, np_rounded_atan};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        assert_true(isnan(all[i](NAN)));
    for (size_t i = 3; i < 6; i++)
        assert_true(isnan(all[i](INFINITY)) && isnan(all[i](-INFINITY)));
    assert_true(np_rounded_exp(INFINITY) == INFINITY && np_rounded_exp(-INFINITY) == 0 && np_rounded_exp(0) == 1);
    assert_true(np_rounded_log(0) == -INFINITY && np_rounded_log(INFINITY) == INFINITY && isnan(np_rounded_log(-1)));
    assert_int_equal(bits(np_rounded_log(1)), bits(0.0));
    assert_int_equal(bits(np_rounded_sin(-0.0)), bits(-0.0));
    for (int k = -1074; k < 1024; k++)
        assert_true(np_rounded_log2(ldexp(1, k)) == k);
}

/* A result that is correctly rounded is within half a unit, and long doubles of the C library within a unit of theirs.
 */
static void test_random(void **state)
{
    (void)state;
    static const struct {
        double (*ours)(double);
        long double (*theirs)(long double);
        double low, high;
    } pairs[] = {
        {np_rounded_exp, expl, -700, 700}, {np_rounded_exp, expl, -1, 1},      {np_rounded_log, logl, 0, 1e6},
        {np_rounded_log, logl, 0.9, 1.1},  {np_rounded_log2, log2l, 0, 50},    {np_rounded_sin, sinl, -30, 30},
        {np_rounded_cos, cosl, -30, 30},   {np_rounded_tan, tanl, -30, 30},    {np_rounded_sin, sinl, -1e15, 1e15},
        {np_rounded_atan, atanl, -4, 4},   {np_rounded_atan, atanl, -1e3, 1e3}};
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++)
        for (uint32_t i = 0; i < 3000; i++) {
            const np_draws draws = {.seed = p};
            const double part = (double)(np_random_u64(&draws, i, 0) >> 11) * 0x1p-53;
            const double x = pairs[p].low + (pairs[p].high - pairs[p].low) * part, y = pairs[p].ours(x);
            const long double unit = (long double)nextafter(fabs(y), INFINITY) - (long double)fabs(y);
            assert_true(fabsl(pairs[p].theirs(x) - (long double)y) <= 0.502L * unit);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_limits),
                                       cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
