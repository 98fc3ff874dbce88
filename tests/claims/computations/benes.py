"""What rows of the ledger compute on Benes networks."""
import random


def colours(perm):
    """The parallel looping algorithm on one level: packets of one colour go through one half. By pointer doubling: the
    packet that leaves at the other output of the packet beside it has the packet's own colour. Colours and rounds."""
    size = len(perm)
    source = sorted(range(size), key=lambda x: perm[x])
    after, least, rounds = [source[perm[x ^ 1] ^ 1] for x in range(size)], list(range(size)), 0
    while 2**rounds < size // 2:  # a loop has at most half of the packets
        least = [min(least[x], least[after[x]]) for x in range(size)]
        after, rounds = [after[after[x]] for x in range(size)], rounds + 1
    return [int(least[x] > least[x ^ 1]) for x in range(size)], rounds


def looping(perm):
    """Colours of each packet, level by level, and the rounds of all levels (halves of a level work at once)."""
    if len(perm) == 2:
        return [[], []], 0
    colour, rounds = colours(perm)
    out, deepest = [None] * len(perm), 0
    for half in (0, 1):
        who = sorted((x for x in range(len(perm)) if colour[x] == half), key=lambda x: x // 2)
        inner, more = looping([perm[x] // 2 for x in who])
        for i, x in enumerate(who):
            out[x] = [half] + inner[i]
        deepest = max(deepest, more)
    return out, rounds + deepest


def benes_by_shuffles(n, runs, seed=1):
    """Random permutations of 2^n packets on the shuffle/exchange, edges used both ways: exchange, n - 1 times
    unshuffle and exchange, n - 1 times shuffle and exchange. Is each realised, one packet at each node at all times?"""
    draw, realised = random.Random(seed), 0
    for _ in range(runs):
        perm = list(range(2**n))
        draw.shuffle(perm)
        colour, rounds = looping(perm)
        at, good, exchanges, shuffles = list(range(2**n)), True, 0, 0
        for stage in range(2 * n - 1):
            if stage:
                turn = n - 1 if stage < n else 1  # right by one bit is left by n - 1
                at = [(v << turn | v >> (n - turn)) & (2**n - 1) for v in at]
                shuffles += 1
            bit = min(stage, 2 * n - 2 - stage)
            last = [(perm[x] >> bit & 1) if stage >= n - 1 else colour[x][bit] for x in range(2**n)]
            at, exchanges = [v & ~1 | b for v, b in zip(at, last)], exchanges + 1
            good &= len(set(at)) == 2**n
        realised += good and at == perm
    return {"runs": runs, "realised": realised, "exchanges": exchanges, "shuffles": shuffles, "rounds": rounds}
