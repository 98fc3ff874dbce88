"""Computations that show claims of the papers: small, exact where they can be, and without netpram.

A row of the ledger calls a function here (`computed:`). Each says what it gives. They are slow and plain on
purpose, and share no code with what they judge. Names of variables are those of the papers.
"""
import itertools, math, random
from collections import Counter, deque
from fractions import Fraction
from math import comb, e, exp, factorial, lgamma, log, log1p, log2, sqrt


# Probabilities


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


# Valiant & Brebner 1981


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
            if order == "ahead":  # the proof's case: all go to the end, X = 0 waits for all, and ahead of X moved go first
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


def benes(n, cases, seed=1):
    """Random permutations of 2^n inputs by the looping algorithm: stages of switches, and links that two paths share."""
    draw, shared = random.Random(seed), 0

    def paths(target):
        """The wires of each input's path: (stage, wire)."""
        size = len(target)
        if size == 2:
            return [[("in", i), ("out", target[i])] for i in range(2)]
        source = [0] * size
        for i, o in enumerate(target):
            source[o] = i
        half = [None] * size
        for start in range(size):
            i = start
            while half[i] is None:  # the loop: i by the upper half, the partner of its output by the lower
                half[i] = 0
                partner = source[target[i] ^ 1]
                half[partner] = 1
                i = partner ^ 1
        inner = []
        for h in (0, 1):
            small = [0] * (size // 2)
            for i in range(size):
                if half[i] == h:
                    small[i // 2] = target[i] // 2
            inner.append(paths(small))
        return [[("in", i)] + [(h, wire) for wire in inner[h][i // 2]] + [("out", target[i])]
                for i, h in ((i, half[i]) for i in range(size))]

    for _ in range(cases):
        target = list(range(2**n))
        draw.shuffle(target)
        found = paths(target)
        wires = Counter(wire for path in found for wire in path)
        shared += sum(count > 1 for count in wires.values())
        stages = len(found[0]) - 1
    return {"stages": stages, "shared": shared}


def bits_of_a_permutation(n):
    """log2 of N!, and d log N packets of log N bits, N = 2^n, d = n."""
    return {"permutation": lgamma(2**n + 1) / log(2), "gathered": n**3}


# Ranade 1987a


def omega_permutations(n):
    """All settings of an Omega network of 2^n inputs: how many, their permutations, and pairs (input, output) a setting."""
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
    return {"settings": sum(seen.values()), "permutations": len(seen), "least": min(ends.values()), "most": max(ends.values())}


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


# Sibeyn's lecture notes


def farthest(start, neighbours):
    """The largest distance from a node."""
    distance, queue = {start: 0}, deque([start])
    while queue:
        v = queue.popleft()
        for w in neighbours(v):
            if w not in distance:
                distance[w] = distance[v] + 1
                queue.append(w)
    return max(distance.values())


def ccc_diameters(last):
    """Diameters of the cube-connected cycles of k = 3 .. last, which are alike from every node, less floor(5k/2) - 2."""
    return [farthest((0, 0), lambda v: [(v[0], (v[1] + 1) % k), (v[0], (v[1] - 1) % k), (v[0] ^ 1 << v[1], v[1])])
            - (5 * k // 2 - 2) for k in range(3, last + 1)]


def cayley_sides(generators):
    """Multiplication by a fixed element of the group: does x -> g x, and does x -> x g, keep the links x, x e?"""
    def times(a, b):  # first a, then b, on places: (a b)[i] = a[b[i]]
        return tuple(a[i] for i in b)
    one = tuple(range(len(generators[0])))
    inverse = [tuple(sorted(range(len(g)), key=lambda i: g[i])) for g in generators]
    steps, group, queue = set(generators) | set(inverse), {one}, deque([one])
    while queue:
        x = queue.popleft()
        for s in steps:
            if times(x, s) not in group:
                group.add(times(x, s))
                queue.append(times(x, s))
    links = {(x, times(x, s)) for x in group for s in steps}
    return {"nodes": len(group), "left": all((times(g, x), times(g, y)) in links for g in group for x, y in links),
            "right": all((times(x, g), times(y, g)) in links for g in group for x, y in links)}


def cayley_is(generators, spec):
    """Is the Cayley graph the torus of two sides, or the CCC of dimension k? By distances from a node, and node by node."""
    def times(a, b):
        return tuple(a[i] for i in b)
    inverse = [tuple(sorted(range(len(g)), key=lambda i: g[i])) for g in generators]
    one = tuple(range(len(generators[0])))
    if spec[0] == "torus":
        _, a, b = spec
        moves = [lambda v: ((v[0] + 1) % a, v[1]), lambda v: (v[0], (v[1] + 1) % b),
                 lambda v: ((v[0] - 1) % a, v[1]), lambda v: (v[0], (v[1] - 1) % b)]
    else:
        k = spec[1]
        moves = [lambda v: (v[0], (v[1] + 1) % k), lambda v: (v[0] ^ 1 << v[1], v[1]),
                 lambda v: (v[0], (v[1] - 1) % k), lambda v: (v[0] ^ 1 << v[1], v[1])]
    image, queue = {one: (0, 0)}, deque([one])
    while queue:  # walk both at once, move by move
        x = queue.popleft()
        for move, s in zip(moves, list(generators) + inverse):
            y = times(x, s)
            if y not in image:
                image[y] = move(image[x])
                queue.append(y)
            elif image[y] != move(image[x]):
                return False
    return len(set(image.values())) == len(image)


def line_times(cases, seed=1):
    """Random patterns on lines: how often farthest-first takes what the lemma says, as printed and over r_ij > 0 only;
    whether some other order took less; and of k-k patterns, how often the maximum is at one of the two places."""
    draw, printed, mended, faster = random.Random(seed), 0, 0, 0

    def run(n, packets, order):
        at, t = [list(x for s, x in packets if s == v) for v in range(n)], 0
        left = len(packets)
        while left:
            t, moves = t + 1, []
            for v in range(n):
                if at[v]:
                    x = max(at[v]) if order == "farthest" else draw.choice(at[v])
                    at[v].remove(x)
                    moves.append((v + 1, x))
            for v, x in moves:
                left -= x == v
                if x != v:
                    at[v].append(x)
        return t
    for _ in range(cases):
        n = draw.randint(2, 7)
        packets = [(a, b) for a, b in ((draw.randrange(n), draw.randrange(n)) for _ in range(draw.randint(1, 12))) if a < b]
        r = {(i, j): sum(a <= i and b >= j for a, b in packets) for i in range(n) for j in range(i + 1, n)}
        t = run(n, packets, "farthest")
        printed += t == max(r[i, j] + j - i - 1 for i, j in r)
        mended += t == max([r[i, j] + j - i - 1 for i, j in r if r[i, j]], default=0)
        faster += run(n, packets, "random") < t
    places = 0
    for _ in range(cases // 4):
        n, k = 8, draw.randint(1, 12)
        ends = [v for v in range(n) for _ in range(k)]
        draw.shuffle(ends)
        packets = [(v // k, x) for v, x in enumerate(ends) if v // k < x]
        r = {(i, j): sum(a <= i and b >= j for a, b in packets) for i in range(n) for j in range(i + 1, n)}
        value = {ij: r[ij] + ij[1] - ij[0] - 1 for ij in r if r[ij]}
        places += max(value.values()) == max(value.get((0, n - 1), 0), value.get((n // 2 - 1, n // 2), 0))
    return {"cases": cases, "printed": printed, "mended": mended, "faster": faster, "patterns": cases // 4, "places": places}


def gossip_on_cube(k):
    """Schedules of k rounds, a perfect matching each, after which all of the k-cube know all, and their fewest steps."""
    nodes = range(2**k)

    def matchings(free):
        if not free:
            yield []
            return
        a = free[0]
        for i in range(k):
            b = a ^ 1 << i
            if b in free:
                for rest in matchings([v for v in free if v not in (a, b)]):
                    yield [(a, b)] + rest
    pairs, costs = list(matchings(list(nodes))), []
    for rounds in itertools.product(pairs, repeat=k):
        known, cost = {v: {v} for v in nodes}, 0
        for matching in rounds:
            cost += max(max(len(known[a] - known[b]), len(known[b] - known[a])) for a, b in matching)
            for a, b in matching:
                known[a] = known[b] = known[a] | known[b]
        if all(len(known[v]) == 2**k for v in nodes):
            costs.append(cost)
    return {"schedules": costs.count(min(costs)), "steps": min(costs)}


def complement_paths(k):
    """Lengths s -> x -> d on the k-cube, comp(x) for x if longer than k: the longest, and by the notes' formula."""
    longest = agrees = total = 0
    for s, x, d in itertools.product(range(2**k), repeat=3):
        there, on = bin(s ^ x).count("1"), bin(x ^ d).count("1")
        if there + on > k:
            y = x ^ (2**k - 1)
            length = bin(s ^ y).count("1") + bin(y ^ d).count("1")
            total += 1
            agrees += length == 2 * k - (there + on) < k
            there, on = length, 0
        longest = max(longest, there + on)
    return {"longest": longest, "turned": total, "shorter": agrees}


def chess_halves(n):
    """All-to-all on n x n: packets of even i_x + i_y + j_x + j_y, self included, and all."""
    even = sum((a + b + c + d) % 2 == 0 for a, b, c, d in itertools.product(range(n), repeat=4))
    return {"even": even, "all": n**4}


def product_orders(n, d):
    """2 T_B + T_C for d dimensions of T = n - 1 each: B of one dimension at a time, and B of half of them."""
    def line(d):
        return n - 1 if d == 1 else 2 * (n - 1) + line(d - 1)

    def half(d):
        return n - 1 if d == 1 else 2 * half(d // 2) + half(d - d // 2)
    return {"line": line(d), "half": half(d)}


def superpackets(n, epsilon, alpha):
    """Edges that the notes count for a submesh, and superpackets that leave all submeshes of a bundle, at most."""
    inside = n ** (2 - 2 * epsilon - alpha) + n ** (2 * epsilon)
    bundle = n ** (2 - epsilon - alpha) + n ** (2 * epsilon)
    return {"submesh": inside, "bundle": bundle, "submeshes": n ** (2 * epsilon)}


def best_flits(l, P, ca):
    """The f that makes l/f (f+P-2) + c_a (f+P-2) least, by trial, and sqrt(l (P-2) / c_a)."""
    cost = {f: (l / f + ca) * (f + P - 2) for f in range(1, l + 1)}
    return {"least": min(cost, key=cost.get), "formula": sqrt(l * (P - 2) / ca)}


# Ranade 1987b


def hashes_are_independent(P, zeta):
    """Over all polynomials of zeta coefficients: do zeta points take each tuple of values mod P once?"""
    points = range(zeta)
    seen = Counter(tuple(sum(a * x**i for i, a in enumerate(A)) % P for x in points)
                   for A in itertools.product(range(P), repeat=zeta))
    return len(seen) == P**zeta and set(seen.values()) == {1}


def crowded_hashes(P, N, zeta):
    """The most x in 0 .. P-1 with one value of ((sum a_i x^i) mod P) mod N: over all polynomials, and without constants."""
    worst = {True: 0, False: 0}
    for A in itertools.product(range(P), repeat=zeta):
        most = max(Counter(sum(a * x**i for i, a in enumerate(A)) % P % N for x in range(P)).values())
        worst[any(A[1:])] = max(worst[any(A[1:])], most)
    return {"all": max(worst.values()), "not_constant": worst[True]}


def log2_comb(a, b):
    return (lgamma(a + 1) - lgamma(b + 1) - lgamma(a - b + 1)) / log(2)


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


# Leighton, Maggs, Ranade & Rao 1994


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
    """Theorem 2.9 for L = log N = n: the least w from which 2^(log N + (log D + 3) L) (2^(2 (log D + 3)/q + 2) e D c / w)^w
    is at most N^-power."""
    a, b = n + (log2(degree) + 3) * n, 2 ** (2 * (log2(degree) + 3) / q + 2) * e * degree * c
    low, high = b, b * 1e6  # it falls from w = b / e on
    while high - low > 0.5:
        w = (low + high) / 2
        low, high = (low, w) if a + w * log2(b / w) <= -power * n else (w, high)
    return high


def multisets(length, w):
    """Ways to place w nodes in order on a path of some length, by counting, and C(length + w, w)."""
    return {"ways": sum(1 for _ in itertools.combinations_with_replacement(range(length + 1), w)), "bound": comb(length + w, w)}


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
    """Components of the n-input butterfly (n = 2^k) without level 0, and without the last level: how many, of how many."""
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
    return {"good": sum(kind(s) == 0 for s in labels), "type_1": max(first.values()), "type_2": max(second.values(), default=0),
            "of_one": first[one] + second[one], "represent": represent}


def flips_reach(n, runs):
    """Pairs of good necklaces, the second with a run of zeros as long or longer: all, and those that network A joins."""
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
    """Fat-tree of height m, leaf i to its sibling i ^ 1 by the root: packets up, and up and down, at one root channel."""
    leaves = range(4**m)
    up, down = Counter(i // 4 ** (m - 1) for i in leaves), Counter((i ^ 1) // 4 ** (m - 1) for i in leaves)
    return {"up": up[0], "both": up[0] + down[0], "M2": 4**m}


def candidate_tails(M, n):
    """Candidates of n packets with probability sqrt(M) / n: outside sqrt(M)/2 .. 3 sqrt(M)/2, exactly, and the bound."""
    p = sqrt(M) / n
    high = binomial_tail(ceil_of(1.5 * sqrt(M)), n, p)
    low = 1 - binomial_tail(int(sqrt(M) / 2) + 1, n, p)
    return {"exact": high + low, "bound": exp(-sqrt(M) / 8) + exp(-sqrt(M) / 12)}


def ceil_of(x):
    return -int(-x // 1)


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
    return all(log2_comb(2.0**k, s) - k * s <= s * log2(e / s) + 1e-6 for k in range(1, 30) for s in range(1, min(2**k, 60) + 1))


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
    return {"section_7": (lambda M: (M * log2(M)) ** 2 / N)(sqrt(N) / log2(N)),
            "section_11": (lambda M: (M * log2(M)) ** 2 / N)(sqrt(N / log2(N)))}
