/*
 * Which method? By what is known of the network two times are estimated, with S the most bytes that a rank sends or
 * receives, out of which U are above an even spread over its partners, A the mean of what the ranks send, and p, u, w
 * the rates `port`, `uniform` and `worst`:
 *
 *     direct       max(S / p, (S - U) / u + U / w)
 *     two phases   max(S_out / p, A / u) + max(S_in / p, A / u)
 *
 * An even exchange meets no worse network than `uniform` says, and what is above it is sums of permutations, of which
 * none is worse than `worst`. Each of the two phases is even at its inner end. The estimate of direct is from above: a
 * pattern may suit the network by chance. Nothing is said of the time that a message takes by itself.
 */
#include "mpi/exchange/exchange.h"

enum { OUT, IN, UNLIKE, MOST };

/* Bytes of all others, and how many of them are above an even spread. */
static uint64_t unlike(const np_mpi *mpi, const np_job_part *blocks, uint64_t *sum)
{
    uint64_t above = 0, even;
    *sum = 0;
    for (int r = 0; r < mpi->size; r++)
        *sum += r == mpi->rank ? 0 : blocks[r].bytes;
    even = *sum / (uint64_t)(mpi->size - 1);
    for (int r = 0; r < mpi->size; r++)
        if (r != mpi->rank && blocks[r].bytes > even)
            above += blocks[r].bytes - even;
    return above;
}

static np_status complete(np_mpi *mpi, const np_job_part *out, const np_job_part *in, np_mpi_survey *survey)
{
    uint64_t most[MOST], above_out = unlike(mpi, out, &most[OUT]), above_in = unlike(mpi, in, &most[IN]);
    const np_job *job = np_mpi_job(mpi);
    most[UNLIKE] = above_out > above_in ? above_out : above_in;
    np_status st = job->most(job->context, MOST, most);
    survey->most_out = most[OUT];
    survey->most_in = most[IN];
    survey->unlike = most[UNLIKE];
    return st;
}

static double larger(double a, double b) { return a > b ? a : b; }

static void compare(const np_mpi *mpi, const np_mpi_network *network, const np_mpi_survey *survey,
                    np_mpi_exchange_result *result)
{
    double out = (double)survey->most_out, in = (double)survey->most_in, most = larger(out, in);
    double above = (double)survey->unlike < most ? (double)survey->unlike : most, mean;
    double uniform = network->uniform > 0 ? network->uniform : network->port;
    mean = (double)survey->total / mpi->size;
    result->direct_seconds = larger(most / network->port, (most - above) / uniform + above / network->worst);
    result->two_phase_seconds =
        larger(out / network->port, mean / uniform) + larger(in / network->port, mean / uniform);
    if (result->two_phase_seconds < result->direct_seconds) {
        result->method = NP_MPI_TWO_PHASE;
        result->why = "by the rates of the network, two phases end first";
    } else {
        result->method = NP_MPI_DIRECT;
        result->why = "by the rates of the network, direct ends first";
    }
}

np_status np_mpi_choose(np_mpi *mpi, const np_mpi_exchange_options *options, const np_job_part *out,
                        const np_job_part *in, np_mpi_survey *survey, np_mpi_exchange_result *result)
{
    np_status st;
    result->method = NP_MPI_DIRECT;
    if (options->method != NP_MPI_AUTO) {
        result->method = options->method;
        result->why = "it was asked for";
    } else if (mpi->size < 3) {
        result->why = "there is no third rank to go by";
    } else if (!(options->network.port > 0) || !(options->network.worst > 0)) {
        result->why = "the rates of the network are not known";
    } else {
        if ((st = complete(mpi, out, in, survey)))
            return st;
        compare(mpi, &options->network, survey, result);
    }
    return NP_OK;
}
