"""What rows of the ledger compute for Leighton, Maggs, Ranade & Rao 1994."""
import itertools, random
from collections import Counter
from math import ceil, comb, e, exp, lgamma, log, log2, sqrt

from .probabilities import binomial_tail, log2_comb


def merging_run(n, q, ghosts_fill, seed=1, each=4):
    """Section 2.2 on the butterfly of 2^n inputs. `ghosts_fill`: a ghost takes a place of its queue. Steps; queues that
    are empty after step = level (against Lemma 2.2); sendings over an edge with the rank sent before."""
    draw, rows = random.Random(seed), 2**n
    queue = {(level, r, p): [] for level in range(1, n + 1) for r in range(rows) for p in (0, 1)}
    initial = {(level, r): [] for level in range(n + 1) for r in range(rows)}
    for name in range(rows * each):
        initial[0, name % rows].append((draw.randint(1, 50), name, "packet", draw.randrange(rows)))
    end = (10**6, 0, "end", None)
    for waiting in initial.values():
        waiting.sort()
        waiting.append(end)
    ended, before, left, t, empty, again = {}, {}, rows * each, 0, 0, 0
    while left:
        room = {k: sum(ghosts_fill or x[2] != "ghost" for x in v) < q for k, v in queue.items()}
        old = [(k, x) for k, v in queue.items() for x in v if x[2] == "ghost"]
        sent, taken = [], []
        for level, r in initial:
            ins = [initial[level, r]] + ([queue[level, r, 0], queue[level, r, 1]] if level else [])
            outs = [(level + 1, r, 0), (level + 1, r ^ 1 << level, 1)] if level < n else []
            if (level, r) not in ended:
                if not all(ins):
                    empty += t > level
                    continue
                best = min(x[0] for x in ins)
                if best == end:
                    ended[level, r] = set(outs)
            if (level, r) in ended:
                for out in [out for out in ended[level, r] if room[out]]:
                    sent.append((out, end))
                    ended[level, r].discard(out)
                continue
            source = next(x for x in ins if x[0] == best)
            own = None
            if best[2] == "ghost":
                taken.append(source)
            elif level == n:
                taken.append(source)
                left -= 1
            else:
                own = outs[(best[3] ^ r) >> level & 1]
                if room[own]:
                    sent.append((own, best))
                    taken.append(source)
            sent += [(out, (best[0], best[1], "ghost", None)) for out in outs if out != own and room[out]]
        for source in taken:
            source.pop(0)
        for k, x in old:
            if x in queue[k]:
                queue[k].remove(x)
        for k, x in sent:
            again += x != end and before.get(k) == x[:2]
            before[k] = x[:2]
            queue[k].append(x)
        t += 1
    return {"steps": t, "empty": empty, "again": again}


def least_w(n, c, degree=2, q=2, power=1):
    """Theorem 2.9 for L = log N = n: the least w from which its last line is at most N^-power:
    2^(log N + (log D + 3) L) (2^(2 (log D + 3)/q + 2) e D c / w)^w."""
    a, b = n + (log2(degree) + 3) * n, 2 ** (2 * (log2(degree) + 3) / q + 2) * e * degree * c
    low, high = b, b * 1e6  # it falls from w = b / e on
    while high - low > 0.5:
        w = (low + high) / 2
        low, high = (low, w) if a + w * log2(b / w) <= -power * n else (w, high)
    return high


def multisets(length, w):
    """Ways to place w nodes in order on a path of some length, by counting, and C(length + w, w)."""
    return {"ways": sum(1 for _ in itertools.combinations_with_replacement(range(length + 1), w)),
            "bound": comb(length + w, w)}


def ranks_in_order(R, w):
    """Non-increasing sequences of w ranks in 1 .. R, and C(R + w, w)."""
    return {"ways": sum(1 for _ in itertools.combinations_with_replacement(range(R), w)), "bound": comb(R + w, w)}


def theorem_211_ranks():
    """C(2R/a + w/2a - 1, w/2a - 1) <= (10 e R / w)^(w/2a - 1) for w/2a >= 2 whole and w <= R?"""
    good = True
    for parts in range(2, 12):
        for a in range(1, 6):
            w = 2 * a * parts
            for R in (w, 2 * w, 10 * w):
                good &= log2_comb(2 * R / a + parts - 1, parts - 1) <= (parts - 1) * log2(10 * e * R / w) + 1e-9
    return good


def butterfly_halves(n):
    """Sizes of the components of the n-input butterfly, n = 2^k, without level 0, and without the last level."""
    k = n.bit_length() - 1
    out = []
    for levels in (range(1, k + 1), range(k)):
        root = {(level, r): (level, r) for level in levels for r in range(n)}

        def find(v):
            while root[v] != v:
                v = root[v]
            return v
        for level, r in list(root):
            for to in ((level + 1, r), (level + 1, r ^ 1 << level)):
                if to in root:
                    root[find((level, r))] = find(to)
        out.append(sorted(Counter(map(find, root)).values()))
    return out


def necklaces(n, runs):
    """Labels of n bits, `runs` = log log N: good ones; most type 1 nodes and type 2 necklaces of a good necklace;
    bad nodes of the necklace of 0..01; whether the type 1 map gives representatives."""
    def kind(s):
        if "1" not in s:
            return 3
        i = s.index("1")
        lengths = [len(x) for x in (s[i:] + s[:i]).split("1")[1:]]
        most = max(lengths)
        return 1 if most < runs else 2 if lengths.count(most) > 1 else 0

    def least(s):
        return min(s[i:] + s[:i] for i in range(n))
    labels = [format(v, "0%db" % n) for v in range(2**n)]
    first, second, represent = Counter(), Counter(), True
    for s in labels:
        if kind(s) == 1:
            image = "0" * runs + s[runs:-1] + "1"
            first[least(image)] += 1
            represent &= least(image) == image and kind(image) == 0
        if kind(s) == 2 and least(s) == s:
            i = s.index("1")
            second[least(s[:i] + "01" + s[i + 2:])] += 1
    one = "0" * (n - 1) + "1"
    return {"good": sum(kind(s) == 0 for s in labels), "type_1": max(first.values()),
            "type_2": max(second.values(), default=0), "of_one": first[one] + second[one], "represent": represent}


def flips_reach(n, runs):
    """Pairs of good necklaces, the second with a run of zeros as long or longer: all, and those joined by A."""
    longest = {}
    for v in range(1, 2**n):
        s = format(v, "0%db" % n)
        i = s.index("1")
        lengths = [len(x) for x in (s[i:] + s[:i]).split("1")[1:]]
        if s == min(s[i:] + s[:i] for i in range(n)) and max(lengths) >= runs and lengths.count(max(lengths)) == 1:
            longest[s] = max(lengths)
    pairs = joined = 0
    for s in longest:
        seen, queue = {(s, 0)}, [(s, 0)]
        while queue:
            v, p = queue.pop()
            if p == n - 1:
                continue
            after = [(v, p + 1)]
            if p >= longest[v]:
                w = v[:p] + ("1" if v[p] == "0" else "0") + "1" + v[p + 2:]
                after += [(w, p + 1)] if w in longest else []
            for x in after:
                if x not in seen:
                    seen.add(x)
                    queue.append(x)
        reached = {v for v, _ in seen}
        pairs += sum(longest[t] >= longest[s] for t in longest)
        joined += sum(longest[t] >= longest[s] and t in reached for t in longest)
    return {"pairs": pairs, "joined": joined}


def root_channels(m):
    """Fat-tree of height m, leaf i to i ^ 1 by the root: packets up, and up and down, at one root channel."""
    leaves = range(4**m)
    up, down = Counter(i // 4 ** (m - 1) for i in leaves), Counter((i ^ 1) // 4 ** (m - 1) for i in leaves)
    return {"up": up[0], "both": up[0] + down[0], "M2": 4**m}


def candidate_tails(M, n):
    """P[fewer than sqrt(M)/2 or more than 3 sqrt(M)/2 of n with probability sqrt(M)/n], exactly, and the bound."""
    p = sqrt(M) / n
    high = binomial_tail(ceil(1.5 * sqrt(M)), n, p)
    low = 1 - binomial_tail(int(sqrt(M) / 2) + 1, n, p)
    return {"exact": high + low, "bound": exp(-sqrt(M) / 8) + exp(-sqrt(M) / 12)}


def recursion_starts():
    """The least log N for which 2 sqrt(M) log N < M at M = 2^sqrt(log N), the smallest M that recurs."""
    return next(x for x in range(20, 10000) if 1 + sqrt(x) / 2 + log2(x) < sqrt(x))


def recursion_time(logN):
    """T(M) = T(2 sqrt(M) log N) + log M down to log M = sqrt(log N), then log^2 M: T over log N, and the levels."""
    x, total, levels = float(logN), 0.0, 0
    while x > sqrt(logN):
        total, x, levels = total + x, 1 + x / 2 + log2(logN), levels + 1
        if levels > 200:
            break
    return {"time": (total + min(x, sqrt(logN)) ** 2) / logN, "levels": levels}


def splitter_split(k2, logN):
    """Lemma 8.2: the lower tail at 2/k2 of the mean k2 log N / 2, exactly by Poisson, and the bound."""
    mean = k2 * logN / 2
    return {"exact": sum(exp(-mean + k * log(mean) - lgamma(k + 1)) for k in range(logN + 1)),
            "bound": exp(-k2 * (1 - 2 / k2) ** 2 * logN / 4)}


def congestion_of_rows():
    """Lemma 8.5: C(2^(L-l), s) 2^((l-L) s) <= (e/s)^s?"""
    return all(log2_comb(2.0**k, s) - k * s <= s * log2(e / s) + 1e-6
               for k in range(1, 30) for s in range(1, min(2**k, 60) + 1))


def levels_of_delay(levels, w):
    """C(w + levels, w)^(1/w): the factor of 1/b6 in Lemma 8.9."""
    return 2 ** (log2_comb(w + levels, w) / w)


def dimensions_time(k, share):
    """T(k) = T(k (1 - share)) + k for k >= 1, over the first k."""
    total, x = 0.0, float(k)
    while x >= 1 and total < 1e9:
        total, x = total + x, x * (1 - share)
    return total / k


def universal_nodes(N):
    """M^2 log^2 M nodes of leaves, over N, for M = sqrt(N) / log N and for M = sqrt(N / log N)."""
    def share(M):
        return (M * log2(M)) ** 2 / N
    return {"section_7": share(sqrt(N) / log2(N)), "section_11": share(sqrt(N / log2(N)))}


def necklace_edges(n, runs):
    """Lemma 5.3 on labels of n bits, over the edges between levels p and p + 1 of A: the most other necklaces whose
    packets use one, over 2^(p - runs), and the most targets behind one, over 2^(n - p)."""
    longest = {}
    for v in range(1, 2**n):
        s = format(v, "0%db" % n)
        i = s.index("1")
        lengths = [len(x) for x in (s[i:] + s[:i]).split("1")[1:]]
        if s == min(s[i:] + s[:i] for i in range(n)) and max(lengths) >= runs and lengths.count(max(lengths)) == 1:
            longest[s] = max(lengths)
    sources, targets = {}, {}
    for s in longest:
        for t in longest:
            if longest[t] < longest[s]:
                continue
            v = s
            for p in range(longest[s], n - 1):
                w = v if v[p] == t[p] else v[:p] + t[p] + "1" + v[p + 2:]
                sources.setdefault((p, v, w), set()).add(s)
                targets.setdefault((p, v, w), set()).add(t)
                v = w
    others = {edge: len(who - {edge[1]}) for edge, who in sources.items()}
    return {"others": max(count / 2 ** (edge[0] - runs) for edge, count in others.items()),
            "targets": max(len(where) / 2 ** (n - edge[0]) for edge, where in targets.items())}
