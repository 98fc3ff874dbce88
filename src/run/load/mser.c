/* Where a series has settled, and how well the mean of a series is known. */
#include <math.h>

#include "run/load/measure.h"

/*
 * Of the means of five values each, z_1 .. z_m, the cut d minimises the squared standard error of the mean of the rest,
 * sum_{i > d} (z_i - mean)^2 / (m - d)^2. A cut in the second half tells that the series has not settled (White 1997).
 */
size_t np_mser(size_t count, const double *value)
{
    size_t groups = count / 5, best = groups;
    double sum = 0, squares = 0, least = INFINITY;
    for (size_t d = groups; d-- > 0;) {
        double z = 0, left = (double)(groups - d);
        for (size_t i = 0; i < 5; i++)
            z += value[5 * d + i] / 5;
        sum += z;
        squares += z * z;
        double error = (squares - sum * sum / left) / (left * left);
        if (left >= 5 && error <= least) { /* the last few are alike by chance */
            least = error;
            best = d;
        }
    }
    return best <= groups / 2 && groups >= 10 ? 5 * best : count;
}

enum { PACKETS_LEAST = 2 }; /* of a batch, on average: ours. So an interval is not that of a packet or two */

/*
 * The quotient r = sum of sums / sum of sizes has the variance n / (n - 1) sum_i (s_i - r c_i)^2 / (sum c)^2. Batches
 * that follow each other are alike where a queue takes longer than a batch to forget: their correlation, if positive,
 * widens the interval as that of a process of the first order, (1 + c) / (1 - c).
 */
double np_batch_interval(size_t batches, const double *sum, const double *size)
{
    double sums = 0, sizes = 0, squares = 0, neighbours = 0, before = 0;
    for (size_t i = 0; i < batches; i++) {
        sums += sum[i];
        sizes += size[i];
    }
    if (batches < 2 || sizes < PACKETS_LEAST * (double)batches)
        return NAN;
    for (size_t i = 0; i < batches; i++) {
        double e = sum[i] - sums / sizes * size[i];
        squares += e * e;
        neighbours += e * before;
        before = e;
    }
    double n = (double)batches, alike = squares > 0 ? neighbours / squares + 1 / n : 0;
    alike = alike < 0 ? 0 : alike > 0.9 ? 0.9 : alike;
    return np_statistics_student95(batches - 1) * sqrt(n / (n - 1) * squares * (1 + alike) / (1 - alike)) / sizes;
}
