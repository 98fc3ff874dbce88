/* Judges of problems on points, and of transforms. */
#include <stdlib.h>

#include "machine/pram/judge.h"

typedef struct point {
    np_word x, y;
    size_t number;
} point;

static int by_place(const void *a, const void *b)
{
    const point *p = a, *q = b;
    if (p->x != q->x)
        return (p->x > q->x) - (p->x < q->x);
    if (p->y != q->y)
        return (p->y > q->y) - (p->y < q->y);
    return (p->number > q->number) - (p->number < q->number);
}

/* More than 0: from a over b to c is a turn to the left. */
static np_word turn(const point *a, const point *b, const point *c)
{
    return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

/* One side of the hull, by the points from left to right or back (Andrew 1979): turns to the left only. */
static size_t walk(const point *sorted, size_t count, bool back, point *side)
{
    size_t top = 0;
    for (size_t i = 0; i < count; i++) {
        const point *p = &sorted[back ? count - 1 - i : i];
        while (top > 1 && turn(&side[top - 2], &side[top - 1], p) <= 0)
            top--;
        side[top++] = *p;
    }
    return top;
}

static np_status judge_hull(np_case *c)
{
    size_t n = c->given->count, count = 0;
    point *sorted, *side;
    np_word *corner;
    np_status st;
    if (!np_case_sized(c, n))
        return NP_OK;
    if ((st = np_workspace_array(c->work, &sorted, n, sizeof *sorted)) ||
        (st = np_workspace_array(c->work, &side, n, sizeof *side)) ||
        (st = np_workspace_take(c->work, &corner, n, sizeof *corner)))
        return st;
    for (size_t i = 0; i < n; i++)
        sorted[i] = (point){c->given[0].word[i], c->given[1].word[i], i};
    qsort(sorted, n, sizeof *sorted, by_place);
    for (size_t i = 0; i < n; i++) /* of equal points the one with the least number */
        if (!count || sorted[i].x != sorted[count - 1].x || sorted[i].y != sorted[count - 1].y)
            sorted[count++] = sorted[i];
    for (unsigned back = 0; back < 2 && count > 1; back++)
        for (size_t top = walk(sorted, count, back, side); top-- > 0;)
            corner[side[top].number] = 1;
    np_case_words(c, n, corner);
    return NP_OK;
}

const np_judge np_judge_hull = {
    .entry = {"hull", "for each point 1 if it is a corner of the convex hull, else 0; of equal points the first counts",
              "", .takes = "array array"},
    .judge = judge_hull};

/* ---- Transforms ---- */

enum { PRIME = 998244353, ROOT = 3 };

static uint64_t power(uint64_t base, uint64_t exponent)
{
    uint64_t result = 1;
    for (; exponent; exponent /= 2, base = base * base % PRIME)
        result = exponent % 2 ? result * base % PRIME : result;
    return result;
}

/*
 * The polynomial that has the numbers as coefficients, at all powers of the root of unity: by its definition if it is
 * short, else at 256 points, spread over the answer.
 */
static np_status judge_transform(np_case *c)
{
    enum { POINTS = 256 };
    size_t n = c->given->count, size = 1;
    while (size < n)
        size *= 2;
    bool right = np_case_sized(c, size);
    for (size_t k = 0; k < size && right; k += size > POINTS ? size / POINTS + 1 : 1) {
        uint64_t w = power(power(ROOT, (PRIME - 1) / size), k), value = 0;
        for (size_t i = n; i-- > 0;) {
            np_word rest = c->given->word[i] % PRIME;
            value = (value * w + (uint64_t)(rest < 0 ? rest + PRIME : rest)) % PRIME;
        }
        right = np_case_word(c, k, (np_word)value);
    }
    return NP_OK;
}

const np_judge np_judge_transform = {
    .entry =
        {"transform",
         "the Fourier transform modulo 998244353 of the numbers, and zeros up to a power of 2; of more than 256 words "
         "256 are judged",
         "", .takes = "array"},
    .judge = judge_transform};
