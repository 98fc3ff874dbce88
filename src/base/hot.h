/*
 * NP_HOT marks the few functions in which nearly all time is spent. On x86-64
 * with gcc and glibc they are compiled three times: for the baseline, for
 * processors with AVX2 and BMI (x86-64-v3), and for processors with AVX-512
 * (x86-64-v4). The loader picks one. So one binary runs everywhere and uses
 * what the processor has. Results are the same.
 */
#pragma once

#include <features.h>

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && __GNUC__ >= 12 && !defined(__clang__) &&         \
    !defined(__SANITIZE_ADDRESS__) && defined(NDEBUG)
#define NP_HOT __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define NP_HOT
#endif

/* NP_INLINE marks a function that is compiled into each caller, so that a constant argument costs nothing. */
#define NP_INLINE static inline __attribute__((always_inline))
