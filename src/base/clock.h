/* The time that a call takes, for reports. */
#pragma once

#include <time.h>

/* Seconds since some moment in the past; never goes back. */
static inline double np_clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
