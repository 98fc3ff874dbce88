/* OpenMP's calls where there is one thread: the browser's build ignores the pragmas. */
#ifndef NETPRAM_WEB_OMP_H
#define NETPRAM_WEB_OMP_H

static inline int omp_get_thread_num(void) { return 0; }
static inline int omp_get_num_threads(void) { return 1; }
static inline int omp_get_num_procs(void) { return 1; }
static inline int omp_in_parallel(void) { return 0; }

#endif
