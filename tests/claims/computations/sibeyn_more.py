"""What more rows of the ledger compute for Sibeyn's lecture notes: schedules, widths and shares by enumeration."""
import itertools, random
from math import ceil, log, prod, sqrt


def bisection(sides, wrap):
    """The fewest links between two halves of a mesh or torus, over all halves."""
    nodes = list(itertools.product(*map(range, sides)))
    links = set()
    for v in nodes:
        for i, side in enumerate(sides):
            w = v[:i] + ((v[i] + 1) % side,) + v[i + 1:]
            if v[i] + 1 < side or wrap:
                links.add(frozenset((nodes.index(v), nodes.index(w))))
    links, best = [tuple(x) for x in links], len(links)
    for half in itertools.combinations(range(len(nodes)), len(nodes) // 2):
        mark = set(half)
        best = min(best, sum((a in mark) != (b in mark) for a, b in links))
    return best


def bisections(wrap):
    """Meshes or tori of up to 16 nodes: the printed formula of two dimensions, the one of d dimensions, and the mended
    one: sides in falling order, the sum of the products of all later sides up to the first even side. All exact?"""
    exact = {"two": True, "d": True, "mended": True}
    wrong = {"two": [], "d": []}
    least = 3 if wrap else 2
    shapes = [s for d in (2, 3) for s in itertools.product(range(least, 8), repeat=d) if prod(s) <= 16]
    for sides in shapes:
        width, order = bisection(sides, wrap), sorted(sides, reverse=True)
        until = next((i for i, side in enumerate(order) if side % 2 == 0), len(order) - 1)
        formulas = {"d": prod(sides) // min(sides), "mended": sum(prod(order[i + 1:]) for i in range(until + 1))}
        if len(sides) == 2:
            formulas["two"] = min(sides)
        for name, value in formulas.items():
            if value * (2 if wrap else 1) != width:
                exact[name] = False
                wrong.setdefault(name, []).append("x".join(map(str, sides)))
    return {"shapes": len(shapes), "exact": exact, "wrong": {name: sorted(set(x)) for name, x in wrong.items()}}


def gray_codes(largest):
    """S_k for k = 1 .. largest: is it a cycle, or at least a path? And the length of S_k by the text's 0-S_k and
    1-reversed(S_k), over that of S_k."""
    s, paths, cycles = ["0", "1"], [], []
    for k in range(1, largest + 1):
        steps = [sum(a != b for a, b in zip(v, w)) for v, w in zip(s, s[1:] + s[:1])]
        paths.append(steps[:-1] == [1] * (2**k - 1) and len(set(s)) == 2**k)
        cycles.append(steps == [1] * 2**k and k > 1)  # for k = 1 the only link would be used twice
        s = ["0" + v for v in s] + ["1" + v for v in reversed(s)]
    return {"paths": paths, "cycles": cycles, "text": len(["0" + v for v in s] + ["1" + v for v in s]) / len(s)}


def gossip_3x3():
    """A gossip schedule on the 3 x 3 mesh, nodes 0 .. 8 row by row, in which all that is new is exchanged: the most
    that a node sends to its partner in each round, and how much each node knows in the end."""
    schedule = [[(7, 8), (1, 4), (2, 5), (3, 6)], [(1, 2), (6, 7), (0, 3), (5, 8)], [(0, 1), (7, 8), (2, 5), (3, 6)],
                [(1, 2), (6, 7), (0, 3), (5, 8)], [(7, 8), (1, 4), (2, 5), (3, 6)]]
    known, costs = [{v} for v in range(9)], []
    for matching in schedule:
        assert len({v for link in matching for v in link}) == 8
        assert all(b - a == 3 or b - a == 1 and b % 3 for a, b in matching)
        costs.append(max(max(len(known[a] - known[b]), len(known[b] - known[a])) for a, b in matching))
        for a, b in matching:
            known[a] = known[b] = known[a] | known[b]
    return {"costs": costs, "least_known": min(map(len, known))}


def swap_steps(n):
    """A row of n nodes with one packet each, never two at a node: only neighbours exchange. The most steps that a
    permutation needs, over all, at best."""
    pairs = [m for size in range(1, n // 2 + 1) for m in itertools.combinations(range(n - 1), size)
             if all(b - a > 1 for a, b in zip(m, m[1:]))]
    seen, layer, steps = {tuple(range(n))}, [tuple(range(n))], -1
    while layer:
        steps, after = steps + 1, []
        for v in layer:
            for m in pairs:
                w = list(v)
                for i in m:
                    w[i], w[i + 1] = w[i + 1], w[i]
                if tuple(w) not in seen:
                    seen.add(tuple(w))
                    after.append(tuple(w))
        layer = after
    return steps


def colours_by_address():
    """2 x 2 mesh: may a packet's colour depend on its own source and destination only? Packets that a permutation may
    have at once and that share a row of sources or of destinations must differ. Is this graph of two colours?"""
    nodes = list(itertools.product((0, 1), repeat=2))
    packets = list(itertools.product(nodes, nodes))
    near = {p: [q for q in packets if p[0] != q[0] and p[1] != q[1] and (p[0][0] == q[0][0] or p[1][0] == q[1][0])]
            for p in packets}
    colour, queue = {packets[0]: 0}, [packets[0]]
    while queue:
        p = queue.pop()
        for q in near[p]:
            if q not in colour:
                colour[q] = 1 - colour[p]
                queue.append(q)
    return all(colour[p] != colour[q] for p in colour for q in near[p])


def shares(P, m, seed=1):
    """m random numbers in each of P nodes, m to each: operations of the bucket sort in a node, and the most numbers
    from a node to a node in each phase of the shares."""
    def phases(numbers):
        first, second, operations = {}, {}, 0
        for i, to in enumerate(numbers):
            buckets = [[] for _ in range(P)]
            for j in to:
                buckets[j].append(j)
                operations += 1
            operations += P
            for rank, j in enumerate(x for bucket in buckets for x in bucket):
                k = (i + rank) % P
                first[i, k] = first.get((i, k), 0) + 1
                second[k, j] = second.get((k, j), 0) + 1
                operations += 1
        return operations / P, max(first.values()), max(second.values())
    draw = random.Random(seed)
    ends = [j for j in range(P) for _ in range(m)]
    draw.shuffle(ends)
    operations, first, second = phases([ends[i * m:(i + 1) * m] for i in range(P)])
    return {"operations": operations, "first": first, "second": second, "bound": P + m / P}


def line_maxima(n, k, cases, seed=1):
    """Random k-k patterns on a line of n: how many have the lemma's maximum at i = 0, j = n - 1 or at the middle, and
    the largest ratio of the maximum to the larger of these two."""
    draw, places, ratio = random.Random(seed), 0, 0
    for _ in range(cases):
        ends = [v for v in range(n) for _ in range(k)]
        draw.shuffle(ends)
        crossing = [[0] * (n + 1) for _ in range(n)]
        for s, x in enumerate(ends):
            if s // k < x:
                crossing[s // k][x] += 1
        for i in range(n):  # sources up to i, destinations from j on
            for j in range(n - 1, -1, -1):
                crossing[i][j] += crossing[i][j + 1]
        for i in range(1, n):
            for j in range(n):
                crossing[i][j] += crossing[i - 1][j]
        value = {(i, j): crossing[i][j] + j - i - 1 for i in range(n) for j in range(i + 1, n) if crossing[i][j]}
        two = max(value.get((0, n - 1), 0), value.get((n // 2 - 1, n // 2), 0))
        places += max(value.values()) == two
        ratio = max(ratio, max(value.values()) / two)
    return {"cases": cases, "places": places, "ratio": ratio}


def excess_of_phases(n):
    """Phases of random colours for k <= 4: r_ij is a sum of independent trials of mean at most n - (j - i - 1), so by
    Bernstein it is above it by g with probability at most exp(-g^2 / (2n + 2g/3)). The g at which the sum over 3
    phases, 2 directions, 2 colours, n lines and n^2 / 2 pairs is 1/n, over n."""
    least = log(6 * n**4)
    return (least / 3 + sqrt(least * least / 9 + 2 * n * least)) / n


def order_in_submeshes(n):
    """Shearsort within submeshes of side b = n^(2/3), for k keys a place: k (2 b ceil(log2 b) + b) steps, over k n."""
    b = round(n ** (2 / 3))
    return (2 * b * ceil(log(b) / log(2) - 1e-9) + b) / n


def counts_of_sparsified(n, epsilon, alpha):
    """Steps to bring the n^(2-e-a) + n^(2e) superpackets of a bundle into one node of a submesh and back, over n."""
    return 2 * (n ** (2 - epsilon - alpha) + n ** (2 * epsilon) + 2 * n ** (1 - epsilon)) / n


def lengths_in_rounds(P, long, seed=1):
    """Direct all-to-all in P - 1 rounds, node i to i + t in round t; one packet of each node, to a node drawn, has
    length `long`, all others 1: the sum over rounds of the longest packet, over what a node sends."""
    draw = random.Random(seed)
    rounds = [draw.randint(1, P - 1) for _ in range(P)]
    steps = sum(long if t in rounds else 1 for t in range(1, P))
    return steps / (long + P - 2)


def two_phases_over_one(P, l, start):
    """T_two over T_one of the notes, c_v = 1 and c_a = `start`."""
    return (2 * l * (P - sqrt(P)) + start * 2 * (sqrt(P) - 1)) / (l * (P - 1) + start * (P - 1))
