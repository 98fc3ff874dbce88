"""What rows of the ledger compute for Sibeyn's lecture notes."""
import itertools, random
from collections import deque
from math import sqrt


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
    """Diameters of the cube-connected cycles of k = 3 .. last, less floor(5k/2) - 2. All nodes are alike."""
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
    """Is the Cayley graph the torus of two sides, or the CCC of dimension k? By a map, node by node."""
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
        drawn = [(draw.randrange(n), draw.randrange(n)) for _ in range(draw.randint(1, 12))]
        packets = [(a, b) for a, b in drawn if a < b]
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
    return {"cases": cases, "printed": printed, "mended": mended, "faster": faster,
            "patterns": cases // 4, "places": places}


def gossip_on_cube(k):
    """Schedules of k rounds, each a perfect matching, after which all nodes know all, and their fewest steps."""
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
