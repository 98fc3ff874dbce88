"""What rows of the ledger compute for Ranade 1987a."""
import random
from collections import Counter
from math import comb, e, log2


def omega_permutations(n):
    """All settings of an Omega network of 2^n inputs, their permutations, and settings that join input and output."""
    N, wires = 2**n, list(range(2**n))
    seen, ends = Counter(), Counter()
    for setting in range(2**(n * N // 2)):
        at, bit = list(wires), 0
        for _ in range(n):
            at = [(w << 1 | w >> (n - 1)) & (N - 1) for w in at]
            at = [w ^ (setting >> (bit + w // 2) & 1) for w in at]
            bit += N // 2
        seen[tuple(at)] += 1
        ends.update(enumerate(at))
    return {"settings": sum(seen.values()), "permutations": len(seen),
            "least": min(ends.values()), "most": max(ends.values())}


def omega_wires(n):
    """Propositions 1 and 2: do the paths, walked switch by switch, pass the inputs and outputs that they name?"""
    def bits(x):
        return [x >> (n - 1 - i) & 1 for i in range(n)]
    good = True
    for a in range(2**n):
        for b in range(2**n):
            A, B, at = bits(a), bits(b), bits(a)
            for i in range(1, n + 1):
                at = at[1:] + at[:1]
                good &= at == A[i:] + B[:i - 1] + [A[i - 1]]
                at[-1] = B[i - 1]
                good &= at == A[i:] + B[:i]
    return good


def omega_own_path(n, runs, seed=1):
    """Messages that leave M's path in the Router: those whose path in the Randomizer, up to there, meets M's own."""
    draw, N, met, left = random.Random(seed), 2**n, 0, 0

    def walk(a, b):
        out = []
        for i in range(1, n + 1):
            out.append((i, ((a << i | b >> (n - i)) & (N - 1)) >> 1))
        return out
    for _ in range(runs):
        setting = {(i, s): draw.randint(0, 1) for i in range(1, n + 1) for s in range(N // 2)}
        middle = []
        for a in range(N):
            at = a
            for i in range(1, n + 1):
                at = (at << 1 | at >> (n - 1)) & (N - 1)
                at ^= setting[i, at >> 1]
            middle.append(at)
        end = list(range(N))
        draw.shuffle(end)
        for m in range(N):
            own = set(walk(m, middle[m]))
            for x in range(N):
                # in the Router, from the input side (stage n) down, paths share the edge out of stage i if
                # b_i..b_n and a_1..a_(i-1) agree; x leaves m's path at an i-switch after an edge or at the first switch
                def edge(v, i):
                    return middle[v] >> (n - i + 1), end[v] & (2**(n - i + 1) - 1)
                shared = [i for i in range(n, 0, -1) if edge(x, i) == edge(m, i)]
                if x == m or not shared or min(shared) == 1:
                    continue
                i = min(shared) - 1
                left += 1
                met += bool(own & set(walk(x, middle[x])[:i]))
    return {"left": left, "met": met}


def total_gain(K, n):
    """Section 5.4's gain in bits for C = Kn."""
    C = K * n
    return C + C * log2(C / (n * e)) - 2 * n * log2(C / n) - 2 * n


def convexity(f, cases, seed=1):
    """Jensen for random positive numbers: is the sum of f at least ("convex") or at most ("concave") n f(mean)?"""
    draw, kinds = random.Random(seed), set()
    for _ in range(cases):
        x = [draw.uniform(0.1, 50) for _ in range(draw.randint(2, 9))]
        kinds.add("convex" if sum(map(f, x)) >= len(x) * f(sum(x) / len(x)) else "concave")
    return kinds


def section_84(K):
    """log(K/e) - (2/K) log 4K: the share of C that section 8.4 gains."""
    return log2(K / e) - 2 / K * log2(4 * K)


def group_gains(largest):
    """Sections 5.2 and 8.2: is the gain of each group what they bound it by? For 1 <= C_i <= 2^(i-1)."""
    good = True
    for i in range(1, largest + 1):
        for C in range(1, min(2**(i - 1), 400) + 1):
            binom = log2(comb(2**(i - 1), C))
            good &= C * i - binom >= C + C * log2(C / e) - 1e-9
            good &= C * (i - 1) - binom >= C * log2(C / e) - 1e-9
    return good


def boundaries(n, x):
    """Section 8.2: log C(n+x-1, x) and x log (e (n+x-1) / x)."""
    return {"bits": log2(comb(n + x - 1, x)), "bound": x * log2(e * (n + x - 1) / x)}
