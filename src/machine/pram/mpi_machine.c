/*
 * The machine `mpi`: processes that share the PRAM (division.h), each with a part of the cells and of the virtual
 * processors. A step costs a step, as on the ideal machine, and the answers are the same; what it took in the real
 * world is measured.
 */
#include "base/memory.h"
#include "machine/pram/machine.h"

static np_status create(const char *parameters, const np_pram_options *options, np_machine **out)
{
    (void)options;
    *out = NULL;
    if (*parameters)
        return NP_RAISE(NP_ERROR_INPUT, "mpi:%s: the machine has as many processes as mpirun starts: try mpi",
                        parameters);
    return np_memory_zeroed(out, 1, sizeof **out, "a machine");
}

static void destroy(np_machine *machine) { np_memory_free(machine); }

/* Steps are served by division_step.c. */
static np_status serve(np_machine *machine, np_store *store, const np_request *request, size_t count, np_word *reply,
                       np_batch_cost *cost)
{
    (void)machine, (void)store, (void)request, (void)count, (void)reply, (void)cost;
    return NP_RAISE(NP_ERROR_INTERNAL, "a PRAM that is divided over processes has no batches");
}

const np_machine_ops np_machine_mpi = {
    .info = {"mpi", "the processes that mpirun started, each with a part of the cells and of the processors", "",
             .parameters = "", .takes = "threads"},
    .create = create,
    .free = destroy,
    .serve = serve,
    .divided = true,
};
