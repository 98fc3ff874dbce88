/* A place of a network is written as its level and bits. Tables turn places into numbers and back. */
#include "oracle/terminals.h"

#include <stdlib.h>
#include <string.h>

enum { BITS = 32 };

static void spell(uint32_t number, int bits, int *bit)
{
    for (int i = bits; i >= 1; i--, number /= 2)
        bit[i] = (int)(number % 2);
}

static uint32_t read(int bits, const int *bit)
{
    uint32_t number = 0;
    for (int i = 1; i <= bits; i++)
        number = 2 * number + (uint32_t)bit[i];
    return number;
}

static oracle_terminals *allocate(uint32_t nodes, uint32_t ports, uint32_t count)
{
    oracle_terminals *t = calloc(1, sizeof *t);
    t->graph.nodes = nodes;
    t->graph.ports = ports;
    t->graph.head = malloc((size_t)nodes * ports * sizeof *t->graph.head);
    for (uint32_t i = 0; i < nodes * ports; i++)
        t->graph.head[i] = ORACLE_NONE;
    t->count = count;
    t->input = calloc(count, sizeof *t->input);
    t->output = calloc(count, sizeof *t->output);
    return t;
}

/* Rows are p_1..p_n; the links of level l keep the row or change its bit l + 1. */
static oracle_terminals *butterfly(int n)
{
    uint32_t rows = 1u << n;
    oracle_terminals *t = allocate((uint32_t)(n + 1) * rows, 2, rows);
    for (uint32_t row = 0; row < rows; row++) {
        for (int level = 0; level < n; level++) {
            int p[BITS + 1];
            uint32_t here = (uint32_t)level * rows + row;
            spell(row, n, p);
            t->graph.head[2 * here] = here + rows;
            p[level + 1] = !p[level + 1];
            t->graph.head[2 * here + 1] = (uint32_t)(level + 1) * rows + read(n, p);
        }
        t->input[row] = row;
        t->output[row] = (uint32_t)n * rows + row;
    }
    return t;
}

/* Section 2.1: output p_1..p_n of a stage is wired to input p_2..p_n p_1 of the next. */
static uint32_t wire(uint32_t output, int n)
{
    int p[BITS + 1], q[BITS + 1];
    spell(output, n, p);
    for (int i = 1; i < n; i++)
        q[i] = p[i + 1];
    q[n] = p[1];
    return read(n, q);
}

/* The p with wire(p) = q, by trying all. */
static uint32_t unwire(uint32_t input, int n)
{
    uint32_t p = 0;
    while (wire(p, n) != input)
        p++;
    return p;
}

static oracle_terminals *omega(int n, int inverse)
{
    uint32_t count = 1u << n, sinks = (uint32_t)n * count / 2;
    oracle_terminals *t = allocate(sinks + count, 2, count);
    for (uint32_t p = 0; p < count; p++) {
        for (int stage = 0; stage < n; stage++) {
            uint32_t next = inverse ? unwire(p, n) : wire(p, n), *head = &t->graph.head[(uint32_t)stage * count + p];
            if (stage + 1 < n)
                *head = (uint32_t)(stage + 1) * (count / 2) + next / 2;
            else
                *head = sinks + (inverse ? next : p);
        }
        t->input[p] = (inverse ? p : wire(p, n)) / 2;
        t->output[p] = sinks + p;
    }
    return t;
}

/*
 * By the recursion: `in[i]` is where the wire into input i ends: a place for the head of a link, which gets a switch.
 * The switches of stage s that have been met are counted; networks are met from above.
 */
static void benes_between(oracle_terminals *t, int n, int stage, int last, uint32_t **in, uint32_t **out, uint32_t *met)
{
    uint32_t half = t->count / 2, size = 1u << n, **wire[2], **back[2];
    uint32_t first = (uint32_t)stage * half + met[stage], end = (uint32_t)last * half + met[last];
    met[stage] += size / 2;
    if (last != stage)
        met[last] += size / 2;
    for (uint32_t i = 0; i < size; i++)
        *in[i] = first + i / 2;
    if (n == 1) {
        out[0] = &t->graph.head[2 * first];
        out[1] = &t->graph.head[2 * first + 1];
        return;
    }
    for (int b = 0; b < 2; b++) {
        wire[b] = malloc(size / 2 * sizeof **wire);
        back[b] = malloc(size / 2 * sizeof **back);
        for (uint32_t j = 0; j < size / 2; j++)
            wire[b][j] = &t->graph.head[2 * (first + j) + (uint32_t)b];
        benes_between(t, n - 1, stage + 1, last - 1, wire[b], back[b], met);
    }
    for (uint32_t j = 0; j < size / 2; j++)
        for (uint32_t b = 0; b < 2; b++) {
            *back[b][j] = end + j;
            out[2 * j + b] = &t->graph.head[2 * (end + j) + b];
        }
    for (int b = 0; b < 2; b++) {
        free(wire[b]);
        free(back[b]);
    }
}

static oracle_terminals *benes(int n)
{
    uint32_t count = 1u << n, stages = 2 * (uint32_t)n - 1, met[2 * BITS] = {0};
    oracle_terminals *t = allocate(stages * count / 2 + count, 2, count);
    uint32_t **in = malloc(count * sizeof *in), **out = malloc(count * sizeof *out);
    for (uint32_t i = 0; i < count; i++)
        in[i] = &t->input[i];
    benes_between(t, n, 0, (int)stages - 1, in, out, met);
    for (uint32_t i = 0; i < count; i++)
        *out[i] = t->output[i] = stages * count / 2 + i;
    free(in);
    free(out);
    return t;
}

/* number[level][vertex][label] is kept as one table for each level. */
static oracle_terminals *fat_tree(int height, uint32_t children, uint32_t growth)
{
    uint32_t vertices[BITS] = {0}, width[BITS] = {0}, first[BITS] = {0}, nodes = 0;
    for (int level = 0; level <= height; level++) {
        vertices[level] = width[level] = 1;
        for (int i = level; i < height; i++)
            vertices[level] *= children;
        for (int i = 0; i < level; i++)
            width[level] *= growth;
        first[level] = nodes;
        nodes += vertices[level] * width[level];
    }
    oracle_terminals *t = allocate(nodes, growth + children, vertices[0]);
    for (int level = 0; level < height; level++)
        for (uint32_t vertex = 0; vertex < vertices[level]; vertex++)
            for (uint32_t label = 0; label < width[level]; label++)
                for (uint32_t j = 0; j < growth; j++) {
                    uint32_t low = first[level] + vertex * width[level] + label;
                    uint32_t high = first[level + 1] + vertex / children * width[level + 1] + label + j * width[level];
                    t->graph.head[low * t->graph.ports + j] = high;
                    t->graph.head[high * t->graph.ports + growth + vertex % children] = low;
                }
    for (uint32_t leaf = 0; leaf < vertices[0]; leaf++)
        t->input[leaf] = t->output[leaf] = leaf;
    return t;
}

oracle_terminals *oracle_terminals_of(const char *spec)
{
    int n = atoi(strchr(spec, ':') + 1);
    if (!strncmp(spec, "butterfly-io:", 13))
        return butterfly(n);
    if (!strncmp(spec, "omega:", 6))
        return omega(n, 0);
    if (!strncmp(spec, "inverse-omega:", 14))
        return omega(n, 1);
    if (!strncmp(spec, "benes:", 6))
        return benes(n);
    if (!strncmp(spec, "fat-tree:", 9))
        return fat_tree(n, 4, 2);
    if (!strncmp(spec, "fat-tree-8:", 11))
        return fat_tree(n, 8, 4);
    abort();
}

void oracle_terminals_free(oracle_terminals *t)
{
    free(t->graph.head);
    free(t->input);
    free(t->output);
    free(t);
}
