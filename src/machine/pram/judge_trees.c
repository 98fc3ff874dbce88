/* Judges of problems on trees that are given by parents. */
#include "machine/pram/judge.h"

/* What each vertex knows of its children. */
typedef struct vertex {
    np_word value; /* of those that have handed over */
    size_t left;   /* others */
    bool inner;
} vertex;

/* A child of u hands over its value. Is it the last one? */
static bool last_hands_over(vertex *above, size_t u, np_word value)
{
    above->value = u % 2 ? above->value + value : value > above->value ? value : above->value;
    return !--above->left;
}

/* From leaf to leaf: the last child of a vertex goes on from it. Leaves are at least 0. */
static np_status judge_expression(np_case *c)
{
    const np_word *parent = c->given[0].word, *x = c->given[1].word;
    size_t n = c->given[0].count;
    vertex *vertices;
    if (!np_case_sized(c, 1))
        return NP_OK;
    np_status st = np_workspace_take(c->work, &vertices, n, sizeof *vertices);
    if (st)
        return st;
    for (size_t v = 0; v < n; v++)
        if ((size_t)parent[v] != v) {
            vertices[parent[v]].left++;
            vertices[parent[v]].inner = true;
        }
    for (size_t leaf = 0; leaf < n; leaf++) {
        size_t v = leaf, u = (size_t)parent[v];
        np_word value = x[v];
        if (vertices[v].inner)
            continue;
        for (; u != v && last_hands_over(&vertices[u], u, value); u = (size_t)parent[v]) {
            v = u;
            value = vertices[v].value;
        }
        if (u == v)
            np_case_word(c, 0, value);
    }
    return NP_OK;
}

const np_judge np_judge_expression = {
    .entry =
        {"expression",
         "the value of a tree: a leaf v is x[v]; of the others the odd ones add up and the even ones take the largest",
         "", .takes = "tree array"},
    .judge = judge_expression};
