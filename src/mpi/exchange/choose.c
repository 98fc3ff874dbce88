/*
 * Which method? By what is known of the network two times are estimated. Let b be the bytes that a rank sends, or that
 * it receives, out of which U are above an even spread over its partners; A the mean of what the ranks send; and p, u,
 * w the rates `port`, `uniform` and `worst`. The slowest rank counts, and of it the slower side:
 *
 *     direct       max(b / p, min(b - U, A) / u + min(U, A) / w)
 *     two phases   max(b / p, A / u) for what it sends, and the same for what it receives, one after the other
 *
 * Up to the mean a rank's bytes meet those of the others: where they are spread evenly the network is as good as
 * `uniform` says; what is above that is a sum of permutations, of which none is worse than `worst`. What a rank has
 * more than the mean is limited by its port. The estimate of direct is from above: a pattern may suit the network by
 * chance. Nothing is said of the time that a message takes by itself.
 */
#include "mpi/exchange/exchange.h"

enum { DIRECT, OUT, IN, MOST };

static double larger(double a, double b) { return a > b ? a : b; }

static double smaller(double a, double b) { return a < b ? a : b; }

static double uniform(const np_mpi_network *network) { return network->uniform > 0 ? network->uniform : network->port; }

/* Seconds for one side of this rank: direct, and in its phase of two. */
static void estimate(const np_mpi *mpi, const np_mpi_network *network, const np_mpi_part *blocks, double mean,
                     double *direct, double *phase)
{
    double sum = 0, above = 0, even;
    for (int r = 0; r < mpi->size; r++)
        sum += r == mpi->rank ? 0 : (double)blocks[r].bytes;
    even = sum / (mpi->size - 1);
    for (int r = 0; r < mpi->size; r++)
        above += r == mpi->rank ? 0 : larger((double)blocks[r].bytes - even, 0);
    *direct = larger(sum / network->port,
                     smaller(sum - above, mean) / uniform(network) + smaller(above, mean) / network->worst);
    *phase = larger(sum / network->port, mean / uniform(network));
}

static np_status compare(np_mpi *mpi, const np_mpi_network *network, const np_mpi_part *out, const np_mpi_part *in,
                         uint64_t total, np_mpi_exchange_result *result)
{
    double most[MOST], receives, mean = (double)total / mpi->size;
    np_status st;
    estimate(mpi, network, out, mean, &most[DIRECT], &most[OUT]);
    estimate(mpi, network, in, mean, &receives, &most[IN]);
    most[DIRECT] = larger(most[DIRECT], receives);
    st = np_mpi_check(MPI_Allreduce(MPI_IN_PLACE, most, MOST, MPI_DOUBLE, MPI_MAX, mpi->comm), "MPI_Allreduce");
    if (st)
        return st;
    result->direct_seconds = most[DIRECT];
    result->two_phase_seconds = most[OUT] + most[IN];
    if (result->two_phase_seconds < result->direct_seconds) {
        result->method = NP_MPI_TWO_PHASE;
        result->why = "by the rates of the network, two phases end first";
    } else {
        result->method = NP_MPI_DIRECT;
        result->why = "by the rates of the network, direct ends first";
    }
    return NP_OK;
}

static bool known(const np_mpi_network *network) { return network->port > 0 && network->worst > 0; }

bool np_mpi_may_pass_on(const np_mpi *mpi, const np_mpi_exchange_options *options)
{
    if (options->method == NP_MPI_AUTO)
        return mpi->size > 2 && known(&options->network);
    return options->method == NP_MPI_TWO_PHASE;
}

np_status np_mpi_choose(np_mpi *mpi, const np_mpi_exchange_options *options, const np_mpi_part *out,
                        const np_mpi_part *in, uint64_t total, np_mpi_exchange_result *result)
{
    result->method = NP_MPI_DIRECT;
    if (options->method != NP_MPI_AUTO) {
        result->method = options->method;
        result->why = "it was asked for";
    } else if (mpi->size < 3) {
        result->why = "there is no third rank to go by";
    } else if (!known(&options->network)) {
        result->why = "the rates of the network are not known";
    } else {
        return compare(mpi, &options->network, out, in, total, result);
    }
    return NP_OK;
}
