"""What rows of the ledger compute for Ranade 1987b."""
import itertools
from collections import Counter
from math import log2

from .probabilities import log2_comb


def hashes_are_independent(P, zeta):
    """Over all polynomials of zeta coefficients: do zeta points take each tuple of values mod P once?"""
    points = range(zeta)
    seen = Counter(tuple(sum(a * x**i for i, a in enumerate(A)) % P for x in points)
                   for A in itertools.product(range(P), repeat=zeta))
    return len(seen) == P**zeta and set(seen.values()) == {1}


def crowded_hashes(P, N, zeta):
    """The most x in 0 .. P-1 with one value of ((sum a_i x^i) mod P) mod N: over all polynomials, without constants."""
    worst = {True: 0, False: 0}
    for A in itertools.product(range(P), repeat=zeta):
        most = max(Counter(sum(a * x**i for i, a in enumerate(A)) % P % N for x in range(P)).values())
        worst[any(A[1:])] = max(worst[any(A[1:])], most)
    return {"all": max(worst.values()), "not_constant": worst[True]}


def polarized_sequences(n):
    """log2 of the count of Theorem 3 over P^zeta, and of (6P)^zeta C(2 zeta, zeta) over P^zeta; N cancels."""
    z = 8 * n
    return {"count": 9 * n + log2_comb(8 * n, n) + log2_comb(8 * n + z, z) + log2_comb(n + z, z),
            "bound": z * log2(6) + log2_comb(2 * z, z)}


def theorem_3(f):
    """b for a given f, and log2 of (96/(b-6))^(8n) over N^-f for n = 2 .. 40, the largest."""
    b = 6 + 96 * 2 ** (f / 4)
    return {"b": b, "worst": max(8 * n * log2(96 / (b - 6)) + f * (n + log2(n)) for n in range(2, 41))}


def rows_through_switches(n):
    """Rows of source and of module whose phase 2 path passes a switch: how many pairs, fewest and most."""
    count = Counter()
    for r in range(2**n):
        for to in range(2**n):
            at = r
            for c in range(n + 1):
                count[c, at] += 1
                if c < n:
                    at = at & ~(1 << c) | to & 1 << c
    return {"fewest": min(count.values()), "most": max(count.values())}


def columns_in_order(n, z):
    """Monotone sequences of z columns of n."""
    return sum(1 for _ in itertools.combinations_with_replacement(range(n), z))


def switches_of(n):
    """Switches of the logical network, column by column, and what nodes of columns 0 and 1 .. n-1 play."""
    played = Counter()
    for column in range(6 * n + 1):
        phase, c = divmod(column, n)
        played[c if phase not in (0, 2, 4) else (n - c) % n] += 1
    return {"switches": (6 * n + 1) * 2**n, "columns": sorted(set(played.values())), "first": played[0]}


def rehash_free(f, M):
    """The probability that M^f instructions all complete, each with probability 1 - M^-f."""
    return (1 - M**-f) ** (M**f)


def waited(start, column, step):
    """What a message that starts in a column at step 0 has waited, and its lag."""
    return {"waited": step - (column - start), "lag": step - column}


def random_bits(n):
    """8n coefficients of 2 log N bits each (M = N^2), over log^2 N; and over N log N."""
    N = n * 2**n
    return {"square": 8 * n * 2 * log2(N) / log2(N) ** 2, "more": 8 * n * 2 * log2(N) / (N * log2(N))}


def polarized(tags, places, length):
    """Is it polarized by Definition 1 along its path, and along the path from its end?"""
    def ascends(tags, places):
        return all(a < b for a, b in zip(tags, tags[1:])) and all(i <= j for i, j in zip(places, places[1:]))
    return {"forward": ascends(tags, places), "backward": ascends(tags[::-1], [length - j for j in places[::-1]])}


def counted_by_residues(n, P, N):
    """The most y in 0 .. P-1 of one value mod N, over P/N; and Theorem 3's count with it for P/N, less the bound, as
    bits, z = 8n."""
    most = max(Counter(y % N for y in range(P)).values())
    s = polarized_sequences(n)
    return {"most": most, "share": P / N, "above": s["count"] + 8 * n * log2(most * N / P) - s["bound"]}
