"""What more rows of the ledger compute for Leighton, Maggs, Ranade & Rao 1994: bounds at all sizes, and small cases in
which a line as printed fails."""
import random
from collections import Counter
from math import ceil, e, lgamma, log, log2, sqrt

from .probabilities import log2_comb


def packets_at_a_node(c):
    """Paths 0 -> 1 and 1 -> 2, c packets on each: the congestion, and the packets whose path passes node 1."""
    paths = [(0, 1)] * c + [(1, 2)] * c
    return {"congestion": max(Counter(paths).values()), "at_node": sum(1 in path for path in paths)}


def same_queues(f):
    """Both proofs for N^-f and queues of Ranade's b = 6 + 96 2^(f/4): his time b n, and L + w of the last line of
    Theorem 2.9 for his network of 6n levels, log N = n and degree 2, both over n. A link has n/2 packets in the mean;
    the congestion is the least kn with (e/2k)^(kn) <= 2^(-(f + 2) n), for all 2^n links of a level and n > 10."""
    b, k = 6 + 96 * 2 ** (f / 4), 1.0
    while k * log2(2 * k / e) < f + 2:
        k += 0.01
    base, fixed = 2 ** (2 * 4 / b + 2) * e * 2 * k, 1 + 4 * 6
    low, high = base, base * 1000
    while high - low > 1e-6:
        w = (low + high) / 2
        low, high = (low, w) if fixed + w * log2(base / w) <= -f else (w, high)
    return {"queue": b, "congestion": k, "ranade": b, "leighton": 6 + high}


def congestion_of_42(x):
    """Theorem 4.2, log n = x: the least c from which 2 n x edges times C(2^l, c) 2^(-(l+1)c) <= 2^-c / c! sum up to 1/n
    or less, over log n / log log n."""
    c = 1
    step = max(1, int(x / log2(x) / 1000))
    while x + 1 + log2(x) - c - lgamma(c + 1) / log(2) > -x:
        c += step
    return c / (x / log2(x))


def excess_of_42(y):
    """Theorem 4.2, log n = 2^y: w over log n of the last line of Theorem 2.9 for N^-1, L = log N = log n, degree 2,
    q = 2 and c = 3 log n / log log n."""
    base = 2**6 * e * 2 * 3 / y
    low, high = 0.0, 10.0 + 10 * base
    for _ in range(200):
        w = (low + high) / 2
        good = w > base / e and 1 + 4 + w * log2(base / w) <= -1
        low, high = (low, w) if good else (w, high)
    return high


def ghost_before_packet():
    """Nodes A -> B, C -> D -> E. A sends a packet for E by B, and its ghost by C; both reach D with one rank and
    destination. Steps until the packet is at E if it goes first at D, and if the ghost does."""
    steps = {}
    for first in ("packet", "ghost"):
        at, t = {"packet": "A", "ghost": None}, 0
        while at["packet"] != "E":
            t += 1
            if at["packet"] == "A":
                at = {"packet": "B", "ghost": "C"}
            elif at["packet"] == "B":
                at = {"packet": "D", "ghost": "D"}
            elif at["ghost"] == "D" and first == "ghost":
                at["ghost"] = None  # it is taken, and as a ghost it is sent on; the packet waits
            else:
                at["packet"] = "E"
        steps[first] = t
    return steps


def lemma_2_10(cases, whole, seed=1):
    """Random delay sequences, by places on the path and ranks, and random a > 1, whole or not: those in which no
    consecutive packets, w/2a or more, have a path of at most 2l/a and ranks within 2R/a."""
    draw, failed = random.Random(seed), 0
    for _ in range(cases):
        w = draw.randint(1, 12)
        places = sorted(draw.choice((0, 0, draw.randint(0, 9), 9)) for _ in range(w))
        ranks = sorted((draw.choice((1, 1, draw.randint(1, 9), 9)) for _ in range(w)), reverse=True)
        l, R = places[-1] - places[0], ranks[0] - ranks[-1]
        a = draw.randint(2, 6) if whole else draw.uniform(1, 6)
        failed += not any(j - i + 1 >= w / (2 * a) and places[j] - places[i] <= 2 * l / a
                          and ranks[i] - ranks[j] <= 2 * R / a for i in range(w) for j in range(i, w))
    return failed


def trees_of_bad_nodes(n, runs):
    """Lemma 5.4: type-1 nodes of n bits walk to their good necklace, the current bit to 1, then `runs` times a shuffle
    and a 0. Of each bad node the trees in which it is a leaf, and in which it is inside: the most. And the most type-2
    packets that come to one node of a good necklace."""
    def longest(s):
        i = s.index("1")
        lengths = [len(x) for x in (s[i:] + s[:i]).split("1")[1:]]
        return max(lengths), lengths.count(max(lengths))
    leaf, inside, come = Counter(), {}, Counter()
    for v in range(1, 2**n):
        s = format(v, "0%db" % n)
        most, many = longest(s)
        if most < runs:  # type 1
            tree = "0" * runs + s[runs:-1] + "1"
            leaf[s] += 1
            at = s[:-1] + "1"
            for _ in range(runs):
                at = at[1:] + at[0]
                at = at[:-1] + "0"
                if longest(at)[0] < runs:
                    inside.setdefault(at, set()).add(tree)
        elif many > 1:  # type 2: by the leading group of its representative
            turns = min(range(n), key=lambda i: s[i:] + s[:i])
            least = s[turns:] + s[:turns]
            i = least.index("1")
            image = least[:i] + "01" + least[i + 2:]
            come[image[n - turns:] + image[:n - turns]] += 1
    return {"leaf": max(leaf.values()), "inside": max((len(x) for x in inside.values()), default=0),
            "come": max(come.values(), default=0)}


def interval_of_packet():
    """Lemma 8.2: log N = 4 candidates among the 10 packets on each side of packet 0, each 4th candidate a splitter: the
    packets of its interval."""
    splitters = [-10, -9, -8, -7, 7, 8, 9, 10][::4]
    return sum(splitters[0] < packet <= splitters[1] for packet in range(-20, 21))


def levels_by_lemma_83(logN, over):
    """Levels from log M = log N to sqrt(log N) by 2 sqrt(M) log N, or by 2 sqrt(M) / log N as printed (`over`)."""
    x, levels = float(logN), 0
    while x > logN**0.5 and levels < 100:
        x, levels = 1 + x / 2 + (-log2(logN) if over else log2(logN)), levels + 1
    return levels


def columnsort_fits(x):
    """M = 2^x: M log M rows and M / log M columns: are there at least 2 (columns - 1)^2 rows, as Columnsort needs?"""
    return 2**x * x >= 2 * (2**x / x - 1) ** 2


def bits_of_delay_sequences(n):
    """log2 of the number of delay sequences of Theorem 2.9 over n: c = L = log N = w = R = n, degree 2 and q = 2."""
    L = 2 * n
    return (log2(n + 1) + n + 2 * L + log2_comb(L + n, n) + n * log2(2 * n) + log2_comb(2 * n, n)) / n


def side_of_plateaus(k, M):
    """Section 6: labels 0 <= w_j <= M_j, for M nodes in a dimension; plateaus i - 2k and i - k for i in k+1 .. 2k."""
    return {"labels": len(range(0, M + 1)), "printed": [i - 2 * k for i in range(k + 1, 2 * k + 1)],
            "mended": [i - k for i in range(k + 1, 2 * k + 1)]}


def load_of_cubes(m):
    """Volume-universal tree of height m, log M = 2m, whose 8^m leaves hold a x a x a nodes of a mesh each,
    a = ceil(sqrt(2m)): out of a cube of side a 2^l lead at most 6 (a 2^l)^2 links, over a channel of 4^(l+1). Their
    ratio, over log N = 3m + 3 log a."""
    a = ceil(sqrt(2 * m))
    return 6 * a * a / 4 / (3 * m + 3 * log2(a))
