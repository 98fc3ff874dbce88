"""What rows of the ledger compute for Valiant & Brebner 1981."""
import itertools, random
from collections import Counter
from fractions import Fraction
from math import e, exp, lgamma, log, log2, sqrt


def queue_lines(cases, seed=1):
    """Fact 1 on random lines: the largest delay less m - 1, and how often a packet delays another at most."""
    draw, excess, twice = random.Random(seed), -99, 0
    for _ in range(cases):
        n, m = draw.randint(1, 5), draw.randint(1, 7)
        waiting = []
        for name in range(m):
            a = draw.randrange(n)
            waiting.append([a, draw.randint(a + 1, n), draw.randint(0, 4), name])
        for order in ("random", "ahead"):
            if order == "ahead":  # the proof's case: all go to the end, X = 0 waits for all, ahead of it moved go first
                waiting = [[a, n, begin, name] for a, _, begin, name in waiting]
            packets = {p[3]: tuple(p) for p in waiting}
            at = {p[3]: None for p in waiting}
            since, t, pairs = {}, 0, Counter()
            while len(at) > 0:
                for name in at:
                    if at[name] is None and packets[name][2] == t:
                        at[name], since[name] = packets[name][0], t
                moves = []
                for node in range(n):
                    here = [name for name in at if at[name] == node]
                    if here:
                        best = draw.choice(here) if order == "random" else min(
                            here, key=lambda name: (name == 0, packets[name][0], name))
                        moves.append(best)
                        pairs.update((best, name) for name in here if name == 0 != best)
                t += 1
                for name in moves:
                    at[name] += 1
                    if at[name] == packets[name][1]:
                        _, end, begin, _ = packets[name]
                        excess = max(excess, t - begin - (end - packets[name][0]) - (m - 1))
                        del at[name]
            if order == "ahead":
                twice = max([twice] + list(pairs.values()))
    return {"excess": excess, "twice": twice}


def cube_traffic(n, targets=None):
    """Phase A, or B to a permutation, of CUBES: the expected packets over each edge, least and most."""
    load = Counter()
    for x in range(2**n):
        for y in range(2**n):
            a, b = (x, y) if targets is None else (y, targets[x])
            at = a
            for i in range(n - 1, -1, -1):  # most significant bit first
                if (at ^ b) >> i & 1:
                    load[at, i] += Fraction(1, 2**n)
                    at ^= 1 << i
    return {"edges": len(load), "least": float(min(load.values())), "most": float(max(load.values()))}


def cube_meetings(n):
    """Line (4): the largest, over routes R of Phase A, of the expected packets that meet R, over r h eta / d."""
    def route(a, b):
        edges, at = [], a
        for i in range(n - 1, -1, -1):
            if (at ^ b) >> i & 1:
                edges.append((at, i))
                at ^= 1 << i
        return edges
    over = {}
    for x in range(2**n):
        for y in range(2**n):
            for edge in route(x, y):
                over.setdefault(edge, set()).add((x, y))
    worst = 0
    for u in range(2**n):
        for v in range(2**n):
            R = route(u, v)
            if R:
                met = set().union(*(over[edge] for edge in R))
                worst = max(worst, sum(x != u for x, _ in met) / 2**n / (len(R) / 2))
    return worst


def program_of_tickets(ticket):
    """The dimensions that the program of section 4 transmits over: it looks at T[i+1] when it has sent over T[i]."""
    sent, i, n = [], 0, len(ticket)
    while True:
        sent.append(ticket[i])
        if i == n - 1 or ticket[i + 1] == 0:
            return sent
        i += 1


def printed_shuffle(d, n):
    """Phase B of section 6 as printed (T[i] := v^i, a digit in front): where a packet to v ends, over all v."""
    ends = set()
    for v in itertools.product(range(d), repeat=n):
        x = (0,) * n
        for digit in v:
            x = (digit,) + x[:-1]
        ends.add("itself" if x == v else "reversed" if x == v[::-1] else "elsewhere")
    return ends - {"itself"}  # palindromes are both


def shuffle_walks(d, n):
    """Walks of k links between nodes of the d-way shuffle: most for k <= n, fewest for k = n; loops; trials of k."""
    nodes = list(itertools.product(range(d), repeat=n))
    most, tried = 0, True
    for u in nodes:
        ends, distance = Counter([u]), {u: 0}
        for k in range(1, n + 1):
            ends = Counter(x for v in ends.elements() for x in ((digit,) + v[:-1] for digit in range(d)))
            most = max(most, max(ends.values()))
            for v in ends:
                distance.setdefault(v, k)
        tried &= all(distance[v] == next(k for k in range(n + 1) if v[k:] == u[:n - k]) for v in nodes)
        fewest = min(ends[v] for v in nodes)
    return {"most": most, "of_n": fewest, "loops": sum((v[0],) + v[:-1] == v for v in nodes), "tried": tried}


def shuffle_edges(d, n):
    """Theorem 2's counts on the modified scheme: |L_j| / d^(j-1), targets / their bound, traffic / (hn/(d-1))."""
    nodes = list(itertools.product(range(d), repeat=n))

    def route(u, v):
        k = next(k for k in range(n + 1) if v[k:] == u[:n - k])
        at, out = u, []
        for digit in reversed(v[:k]):
            after = (digit,) + at[:-1]
            out.append((at, after))
            at = after
        return out
    sources, targets, traffic = {}, {}, Counter()
    for u in nodes:
        for v in nodes:
            for j, edge in enumerate(route(u, v), 1):
                sources.setdefault((edge, j), set()).add(u)
                targets.setdefault((edge, u), set()).add(v)
                traffic[edge] += Fraction(1, d**n)
    return {"sources": max(len(s) / d**(j - 1) for (_, j), s in sources.items()),
            "targets": max(len(targets[edge, u]) / (d**(n - j + 1) / (d - 1))
                           for (edge, j), s in sources.items() for u in s),
            "traffic": float(max(traffic.values()) / Fraction(n, d - 1))}


def moore_diameter(N, d):
    """The least diameter that N nodes of degree d can have."""
    reached, k = 1, 0
    while reached < N:
        k += 1
        reached += d**k
    return k


def shuffle_examples(n):
    """d = n: log N, and n log n / log log n and n log n over log N / log log log N and log N."""
    logN = n * log2(n)
    return {"example_3": n * log2(n) / logN, "example_4": (n * log2(n) / log2(log2(n))) / (logN / log2(log2(logN))),
            "degree_4": n / (logN / log2(logN))}


def example_5(n):
    """d = n / log n: n log n over log N, and d over log N / (log log N)^2."""
    d = n / log2(n)
    logN = n * log2(d)
    return {"time": n * log2(n) / logN, "degree": d / (logN / log2(logN) ** 2)}


def grid_tails(K):
    """The largest C with tail (*) = C^(K sqrt n) at g = K n^(3/4), any s <= n, by the mended Fact 4."""
    worst = 0
    for n in (16, 64, 256, 1024, 4096, 16384):
        g = K * n**0.75
        for s in range(1, n + 1):
            tail = (s + g) * log(s / (s + g)) + g if g >= s else -g * g / (3 * s)
            worst = max(worst, exp(tail / (K * sqrt(n))))
    return worst


def star_formula():
    """Formula (*): (s/(s+g))^(s+g) e^g is below (e/3)^g for g > 2s, and at most (e/2 sqrt 2)^g for 2s >= g >= s."""
    def star(s, g):
        return (s + g) * log(s / (s + g)) + g
    return all(star(s, g) < g * log(e / 3) if g > 2 * s else star(s, g) <= g * log(e / (2 * sqrt(2))) + 1e-9
               for s in range(1, 60) for g in range(s, 300))


def route_calls(n, k):
    """Calls of Route(n, k, m) that Route(n, k, k) makes, itself included, and its phases of transmission."""
    def calls(m):
        return 1 if m == 1 else 1 + n * calls(m - 1)
    return {"calls": calls(k), "transmissions": 2 * (k - 1) + 1}


def storage_tail(N, K):
    """f^-f e^(f-1) for f = K log N, over N^-K, as a logarithm."""
    f = K * log2(N)
    return -f * log(f) + f - 1 + K * log(N)


def moved_first_lines(cases, seed=1):
    """A line where packets that have moved go first: delay less the packets that begin at s or before, and breaks."""
    draw, excess, late = random.Random(seed), -99, 0
    for _ in range(cases):
        n = draw.randint(2, 9)
        packets = []
        for name in range(draw.randint(1, 12)):
            a = draw.randrange(n - 1)
            packets.append([a, draw.randint(a + 1, n - 1), False, a])
        t, begun = 0, [p[3] for p in packets]
        while packets:
            sent = []
            for node in range(n):
                here = [p for p in packets if p[0] == node]
                if here:
                    draw.shuffle(here)
                    here.sort(key=lambda p: not p[2])
                    sent.append(here[0])
                    late += sum(p[2] for p in here[1:])
            t += 1
            for p in sent:
                p[0], p[2] = p[0] + 1, True
            for p in [p for p in sent if p[0] == p[1]]:
                excess = max(excess, t - (p[1] - p[3]) - sum(a <= p[3] for a in begun))
                packets.remove(p)
    return {"excess": excess, "late": late}


def bits_of_a_permutation(n):
    """log2 of N!, and d log N packets of log N bits, N = 2^n, d = n."""
    return {"permutation": lgamma(2**n + 1) / log(2), "gathered": n**3}


def example_3():
    """The least K from which (2e/K)^(Kn log n) 2^(2n log n) <= N^-K."""
    return next(k / 100 for k in range(600, 3000) if k / 100 * log2(200 * e / k) + 2 <= -k / 100)


def deletion(cases, seed=1):
    """Random packets on a directed graph under fifo: the runs in which some packet fewer takes more steps."""
    draw, slower = random.Random(seed), 0

    def steps(routes):
        queue, t, left = {}, 0, 0
        for route in routes:
            queue.setdefault(route[0], []).append(route)
            left += 1
        while left:
            t, arriving = t + 1, []
            for edge in sorted(queue):
                if queue[edge]:
                    route = queue[edge].pop(0)[1:]
                    left -= not route
                    arriving += [route] if route else []
            for route in arriving:
                queue.setdefault(route[0], []).append(route)
        return t
    for _ in range(cases):
        routes = []
        for _ in range(draw.randint(4, 7)):
            at, route = draw.randrange(5), []
            for _ in range(draw.randint(1, 4)):
                to = (at + draw.randint(1, 2)) % 5
                route.append((at, to))
                at = to
            routes.append(tuple(route))
        slower += any(steps(routes[:i] + routes[i + 1:]) > steps(routes) for i in range(len(routes)))
    return slower


def times_of_one_bit():
    """CUBES on two nodes, over all random choices: the law of the steps of both phases, for both permutations."""
    laws = {}
    for name, swap in (("identity", 0), ("complement", 1)):
        law = Counter()
        for middle in itertools.product((0, 1), repeat=2):
            phase_a = any(middle[x] != x for x in (0, 1))
            phase_b = any(middle[x] != x ^ swap for x in (0, 1))
            law[int(phase_a) + int(phase_b)] += Fraction(1, 4)
        laws[name] = {steps: float(p) for steps, p in sorted(law.items())}
    return laws


def one_delay():
    """X and Y wait at node 1 of a line at time t, and Y goes first: where both are at t + 1."""
    at, queue = {"X": 1, "Y": 1}, ["Y", "X"]
    at[queue.pop(0)] += 1
    return at


def packets_through(n, i):
    """Packets x that may pass an edge of dimension i from u: x^j = u^j for i <= j <= n. And the chance to be at u."""
    u = (0,) * n
    who = [x for x in itertools.product((0, 1), repeat=n) if x[i - 1:] == u[i - 1:]]
    chance = Fraction(sum(y == u[:i - 1] for y in itertools.product((0, 1), repeat=i - 1)), 2 ** (i - 1))
    return {"packets": len(who), "chance": float(chance), "printed": 2**i, "printed_chance": 2.0**-i}


def line_before_5(mean, delta, T):
    """The tail of T equal trials of this mean at delta, exactly; (mean/delta)^delta times e^-delta as printed, and
    times e^delta."""
    return {"exact": sum(exp(lgamma(T + 1) - lgamma(k + 1) - lgamma(T - k + 1) + k * log(mean / T)
                             + (T - k) * log(1 - mean / T)) for k in range(delta, T + 1)),
            "printed": (mean / delta) ** delta * exp(-delta), "mended": (mean / delta) ** delta * exp(delta)}


def first_factor_of_example_3(n):
    """T = hN for N = n^n and h = log2 n, and n^(log2 n) as printed."""
    return {"T": n**n * log2(n), "printed": n ** log2(n)}


def printed_grid(n):
    """Edges of the n x n grid: by the formula as printed (i = 1), by it with i = l for i = 1, and of unit length."""
    nodes = list(itertools.product(range(n), repeat=2))
    count = Counter()
    for (i, j), (l, m) in itertools.product(nodes, repeat=2):
        count["printed"] += (i == 1 and j == m + 1) or (j == m and i == l + 1)
        count["one_way"] += (i == l and j == m + 1) or (j == m and i == l + 1)
        count["unit"] += abs(i - l) + abs(j - m) == 1
    return dict(count)


def theorem_3_from(K, C):
    """The n = 4^x, x up to 8, from which 2 n^2 times the largest tail B(s + g, ns, 1/n), g = K n^(3/4), by Fact 3, is
    below C^(K sqrt n)."""
    good_from = None
    for n in (4**x for x in range(2, 9)):
        g = K * n**0.75
        worst = max((s + g) * log(s / (s + g)) + g for s in range(1, n + 1))
        if log(2 * n * n) + worst < K * sqrt(n) * log(C):
            good_from = good_from or n
        else:
            good_from = None
    return good_from


def bounds_of_theorem_4(n, k, K, C):
    """The calls by the printed series 1 + n^2 + ..., and log2 of the printed and the mended bound of failure, and of
    n^k C^(K sqrt n), what the bound has for one phase."""
    return {"calls": 1 + sum(n**m for m in range(2, k)), "printed": 1 + (2 * k - K * n**0.75) * log2(n),
            "mended": 1 + 2 * k * log2(n) + K * sqrt(n) * log2(C), "one_phase": k * log2(n) + K * sqrt(n) * log2(C)}


def in_transit():
    """Packets 0 -> 2 and 2 -> 0 on a line of three: those at node 1 after a step that neither begin nor end there."""
    at, to = [0, 2], [2, 0]
    at = [v + (1 if w > v else -1) for v, w in zip(at, to)]
    return at.count(1)
