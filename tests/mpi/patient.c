/* Preloaded into ranks of an MPICH on UCX: who waits for a message gives the processor away. Without it, more ranks
 * than processors take turns of whole time slices, and a test of a second takes minutes. Open MPI has an option for
 * this. */
#include <dlfcn.h>
#include <sched.h>

#define SPINS 20 /* looks without success before the processor is given away */

unsigned ucp_worker_progress(void *worker);

unsigned ucp_worker_progress(void *worker)
{
    static unsigned (*progress)(void *);
    static int idle;

    if (!progress)
        *(void **)&progress = dlsym(RTLD_NEXT, "ucp_worker_progress");
    unsigned done = progress(worker);
    idle = done ? 0 : idle + 1;
    if (idle > SPINS)
        sched_yield();
    return done;
}
