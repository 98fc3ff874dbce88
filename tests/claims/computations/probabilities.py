"""Tails of sums, and the bounds that the papers take of them."""
from math import e, exp, lgamma, log, log1p, log2


def binomial_tail(m, N, p):
    """B(m, N, p): at least m successes in N trials."""
    return sum(exp(lgamma(N + 1) - lgamma(k + 1) - lgamma(N - k + 1) + k * log(p) + (N - k) * log1p(-p))
               for k in range(m, min(N, m + 600) + 1))


def poisson_binomial_tail(m, chances):
    """At least m successes in independent trials of these chances."""
    law = [1.0]
    for p in chances:
        law = [a * (1 - p) + b * p for a, b in zip(law + [0], [0] + law)]
    return sum(law[m:])


def fact_4(N, p, beta):
    """The exact tail at Np (1 + beta), the bound as printed, and the bound with 3 in place of 2."""
    mean = N * p
    return {"tail": binomial_tail(round(mean * (1 + beta)), N, p), "printed": exp(-beta * beta * mean / 2),
            "mended": exp(-beta * beta * mean / 3)}


def example_1():
    """The least K from which (e/2K)^(Kn) 2^n <= 4^(-Kn) 2^n, and from which it is <= N^-K."""
    def least(holds):
        return next(k / 1000 for k in range(1000, 9000) if holds(k / 1000))
    return {"first": least(lambda K: e / (2 * K) <= 0.25), "second": least(lambda K: K * log2(e / (2 * K)) + 1 <= -K),
            "last": least(lambda K: 1 - 2 * K <= -K)}


def example_2(h):
    """The least K from which (e/2K)^(Khn) h 2^n <= h N^(-Kh)."""
    return next(k / 1000 for k in range(1000, 9000) if k / 1000 * h * log2(e * 1000 / (2 * k)) + 1 <= -k / 1000 * h)


def trivial_below(n):
    """Is the bound of Theorem 1 on the n-cube at least 1 for each D up to rh eta/d + 1, r = mu = n?"""
    return all((e * n * n / 2 / (D * n)) ** D * 2**n >= 1 for D in range(1, n // 2 + 2))


def log2_comb(a, b):
    """log2 of C(a, b), also of numbers that are not whole."""
    return (lgamma(a + 1) - lgamma(b + 1) - lgamma(a - b + 1)) / log(2)
