"""What rows of the ledger compute for Ranade 1987a."""
import itertools, random
from collections import Counter
from math import ceil, comb, e, inf, log2

from .probabilities import log2_comb


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


def leaving_destinations(n):
    """Router of 2^n, all messages: the destinations of those that leave the path of a message m at an i-switch, after
    they shared an edge with it. How many there can be for each i, and how many have bits i .. n of m's destination."""
    def edge(middle, end, i):  # out of stage i: b_i .. b_n and a_1 .. a_(i-1)
        return middle >> (n - i + 1), end & (2 ** (n - i + 1) - 1)
    counts, same = {}, 0
    middle, end = 2**n // 3, 2**n // 5
    for a, b in itertools.product(range(2**n), repeat=2):
        shared = [i for i in range(n, 0, -1) if edge(a, b, i) == edge(middle, end, i)]
        if shared and min(shared) > 1:
            i = min(shared) - 1
            counts.setdefault(i, set()).add(b)
            same += not (b ^ end) & (2 ** (n - i + 1) - 1)
    return {"destinations": {i: len(to) for i, to in sorted(counts.items())}, "with_its_bit": same}


def gain_52(n, C):
    """Section 5.2's gain as printed, less the n bits of section 5.1."""
    return C + C * log2(C / (n * e)) - 2 * n * log2(C / n) - 2 * n


def gain_82(n, x, C):
    """Section 8.2's gain as printed, less the 2n bits of section 8.1."""
    m = n + x - 1
    return C * log2(C / (e * m)) - 2 * m * log2(C / m) - m - x * log2(e * m / x) - 2 * n


def least_gain(n, K):
    """Section 5 with codes that exist: the least gain over all ways to divide C = Kn messages among n stages, exactly.
    A stage has at most 2^(i-1); its code takes 2 ceil(log(C_i + 1)) + 1 bits and the binomial's, rounded up."""
    C, best = K * n, {0: -n}
    for i in range(1, n + 1):
        after = {}
        for done, gain in best.items():
            for c in range(min(2 ** (i - 1), C - done) + 1):
                code = 2 * ceil(log2(c + 1)) + 1 + ceil(log2_comb(2 ** (i - 1), c) - 1e-9)
                after[done + c] = min(after.get(done + c, inf), gain + i * c - code)
        best = after
    return best[C]


def union_bound(K):
    """The union bound in place of codes, as the exponents of 2 for each unit: is it below N^-K for all n?
    Section 5: 2^n e^(zn/2) z^(-Kn), z = 2K, over n; section 8: 2^(2n) 2^m e^(zm) z^(-Km), z = K, over m, m >= n."""
    return {"section_5": 1 + K * log2(e / (2 * K)) + K, "section_8": 3 + K * log2(e / K) + K}


def lines_of_84(K, largest):
    """Section 8.4 for n < x up to a limit and C = K(n + x - 1): are its lines each at least the next?"""
    good = True
    for x in range(2, largest):
        for n in range(1, x):
            m = n + x - 1
            C = K * m
            first, second = gain_82(n, x, C), C * log2(C / (e * m)) - 2 * m * log2(C / m) - 4 * m
            good &= first >= second - 1e-6 and C / 2 >= K * n and second >= C * section_84(K) - 1e-6 >= C / 2 - 1e-6
    return good


def groups_of_paths(n, x):
    """Section 8: over all distinguished paths of n switches in parts of ascending priority: the groups, a part's
    switches and its way to the priority of the next part. Fewest and most."""
    counts = set()
    for parts in range(1, min(n, x) + 1):
        for cuts in itertools.combinations(range(1, n), parts - 1):
            lengths = [b - a for a, b in zip((0,) + cuts, cuts + (n,))]
            for who in itertools.combinations(range(x), parts):
                ways = [b - a for a, b in zip(who, who[1:])] + [0]
                counts.add(sum(length + way for length, way in zip(lengths, ways)))
    return {"fewest": min(counts), "most": max(counts)}


def cube_in_omega(n, runs, seed=1):
    """Messages a -> middle -> b: pairs that share a link of the cube, dimensions descending, and pairs of these whose
    paths do not share an edge of the Router. And messages that share a link in the Randomizer on the cube."""
    draw, pairs, outside, clashes = random.Random(seed), 0, 0, 0
    for _ in range(runs):
        at, crossed = list(range(2**n)), Counter()
        for i in range(n):
            bit = 1 << (n - 1 - i)
            swap = [draw.randint(0, 1) for _ in range(2**n)]
            crossed.update((v, bit) for v in at if swap[v & ~bit])
            at = [v ^ bit if swap[v & ~bit] else v for v in at]
        clashes += sum(count > 1 for count in crossed.values())
        end = list(range(2**n))
        draw.shuffle(end)
        links, edges = [], []
        for middle, to in zip(at, end):
            v, mine, wires = middle, set(), set()
            for i in range(n, 0, -1):
                bit = 1 << (n - i)
                if (v ^ to) & bit:
                    mine.add((v, bit))
                v = v & ~bit | to & bit
                wires.add((i, v))
            links.append(mine)
            edges.append(wires)
        for a, b in itertools.combinations(range(2**n), 2):
            if links[a] & links[b]:
                pairs += 1
                outside += not edges[a] & edges[b]
    return {"pairs": pairs, "outside": outside, "clashes": clashes}


def random_router_run(n, x, draw):
    """A run of the Router of 2^n, x sets, lots within a set: of each message its queue at stages n .. 1, and when it is
    served there."""
    middle, end = [], []
    for _ in range(x):
        middle += draw.sample(range(2**n), 2**n)
        end += draw.sample(range(2**n), 2**n)
    queue = [{i: (a >> (n - i + 1), b & (2 ** (n - i + 1) - 1)) for i in range(1, n + 1)} for a, b in zip(middle, end)]
    at, served, t = {m: n for m in range(x * 2**n)}, [{} for _ in range(x * 2**n)], 0
    while at:
        waiting = {}
        for m, i in at.items():
            waiting.setdefault((i, queue[m][i]), []).append(m)
        for here in waiting.values():
            m = min(here, key=lambda m: (m >> n, draw.random()))
            served[m][at[m]] = t
            at[m] -= 1
            if not at[m]:
                del at[m]
        t += 1
    return queue, served


def inconsistencies(n, queue, served):
    """Definition 4: all (stage, time, A, B, the stage at which B delays A)."""
    def delays(a, b, i):  # a is served at stage i while b waits there
        came = served[b][i + 1] + 1 if i < n else 0
        return queue[a][i] == queue[b][i] and came <= served[a][i] < served[b][i]
    found = []
    for a, b in itertools.permutations(range(len(served)), 2):
        for low in range(1, n if a >> n == b >> n else 1):
            if delays(a, b, low):
                high = next((i for i in range(low + 1, n + 1) if delays(a, b, i) or delays(b, a, i)), None)
                if high and delays(b, a, high):
                    found.append((low, served[a][low], a, b, high))
    return found


def removals(n, x, runs, seed=1):
    """Theorem 2 on random runs: inconsistencies removed, least first; those that a removal made, as near to the
    outputs as it or nearer; runs that end with any; arrivals that changed; steps in which a queue served two."""
    draw, out = random.Random(seed), Counter(removed=0, as_near=0, left=0, late=0, twice=0)
    for _ in range(runs):
        queue, served = random_router_run(n, x, draw)
        arrivals, found = [s[1] for s in served], inconsistencies(n, queue, served)
        for _ in range(1000):
            if not found:
                break
            least = min(found)
            low, _, a, b, high = least
            for i in range(low + 1, high + 1):
                served[a][i], served[b][i] = served[b][i], served[a][i]
            before, found = {x[:4] for x in found}, inconsistencies(n, queue, served)
            out["removed"] += 1
            out["as_near"] += any(x[:2] <= least[:2] and x[:4] not in before for x in found)
        out["left"] += bool(found)
        out["late"] += arrivals != [s[1] for s in served]
        uses = Counter((i, queue[m][i], served[m][i]) for m in range(x * 2**n) for i in range(1, n + 1))
        out["twice"] += max(uses.values()) > 1
    return dict(out)
