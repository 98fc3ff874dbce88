/* np_route on the ranks of a communicator: the ranks are a job, and the run is divided in src/engine/queueing. */
#include "mpi/ranks/mpi.h"

np_status np_mpi_route(np_mpi *mpi, const np_network *network, const char *traffic, const np_route_options *options,
                       np_route_result **out)
{
    np_route_options divided;
    np_status st = np_mpi_agree(mpi, np_options_take(&np_route_options_fields, options, &divided));
    *out = NULL;
    if (st)
        return st;
    divided.job = np_mpi_job(mpi);
    return np_route(network, traffic, &divided, out);
}
