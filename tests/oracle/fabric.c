/* See fabric.h. Slow and obvious: a node is a tuple, and pairs of tuples are looked at one by one. */
#include "oracle/fabric.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 8 };

static oracle_fabric *make(uint32_t switches, uint32_t hosts)
{
    oracle_fabric *f = malloc(sizeof *f);
    f->switches = switches;
    f->nodes = switches + hosts;
    f->links = calloc((size_t)f->nodes * f->nodes, 1);
    return f;
}

void oracle_fabric_free(oracle_fabric *f)
{
    free(f->links);
    free(f);
}

static void arc(oracle_fabric *f, uint32_t u, uint32_t v) { f->links[u * f->nodes + v]++; }

static void cable(oracle_fabric *f, uint32_t u, uint32_t v)
{
    arc(f, u, v);
    arc(f, v, u);
}

/* Digit i of a number whose last digit is the least; base[]: of each digit. */
static uint32_t digit(uint32_t number, uint32_t count, const uint32_t *base, uint32_t i)
{
    for (uint32_t k = count; k-- > i + 1;)
        number /= base[k];
    return number % base[i];
}

/* ---- hyperx ---- */

static oracle_fabric *hyperx(const char *spec)
{
    uint32_t side[DIGITS], width[DIGITS], count = 0, nodes = 1;
    const char *widths = strstr(spec, "widths=");
    for (const char *at = strchr(spec, ':'); at && *at != ','; at = strpbrk(at + 1, "x,"))
        side[count++] = (uint32_t)strtoul(at + 1, NULL, 10);
    for (uint32_t i = 0; i < count; i++) {
        nodes *= side[i];
        width[i] = 1;
    }
    widths = widths ? widths + 6 : NULL;
    for (uint32_t i = 0; i < count && widths; i++) {
        width[i] = (uint32_t)strtoul(widths + 1, NULL, 10);
        widths = strchr(widths + 1, 'x') ? strchr(widths + 1, 'x') : widths;
    }
    oracle_fabric *f = make(nodes, 0);
    for (uint32_t u = 0; u < nodes; u++)
        for (uint32_t v = 0; v < nodes; v++) {
            uint32_t differ = 0, where = 0;
            for (uint32_t i = 0; i < count; i++)
                if (digit(u, count, side, i) != digit(v, count, side, i)) {
                    differ++;
                    where = i;
                }
            for (uint32_t k = 0; differ == 1 && k < width[where]; k++)
                arc(f, u, v);
        }
    return f;
}

/* ---- dragonfly, as many groups as there can be ---- */

/* The group at the other end of port j of group i, and the port there. */
static void across(const char *spec, uint32_t g, uint32_t i, uint32_t j, uint32_t *group, uint32_t *port)
{
    if (strstr(spec, "relative")) {
        *group = (i + j + 1) % g;
        *port = g - 2 - j;
    } else if (strstr(spec, "circulant")) {
        uint32_t k = j / 2 + 1;
        *group = (j % 2 ? i + g - k : i + k) % g;
        *port = 2 * k == g ? j : j ^ 1;
    } else {
        *group = j < i ? j : j + 1;
        *port = i < *group ? i : i - 1;
    }
}

static oracle_fabric *dragonfly(const char *spec)
{
    uint32_t a, p, h;
    if (sscanf(spec, "dragonfly:a=%u,p=%u,h=%u", &a, &p, &h) != 3)
        abort();
    uint32_t g = a * h + 1;
    oracle_fabric *f = make(g * a, g * a * p);
    for (uint32_t u = 0; u < g * a; u++) {
        for (uint32_t v = 0; v < g * a; v++)
            if (u != v && u / a == v / a)
                arc(f, u, v);
        for (uint32_t k = 0; k < p; k++)
            cable(f, u, g * a + u * p + k);
    }
    for (uint32_t i = 0; i < g; i++)
        for (uint32_t j = 0; j < a * h; j++) {
            uint32_t group, port;
            across(spec, g, i, j, &group, &port);
            arc(f, i * a + j / h, group * a + port / h);
        }
    return f;
}

static oracle_fabric *dragonfly_plus(const char *spec)
{
    uint32_t leaf, spine, p, h;
    if (sscanf(spec, "dragonfly+:leaf=%u,spine=%u,p=%u,h=%u", &leaf, &spine, &p, &h) != 4)
        abort();
    uint32_t g = spine * h + 1, size = leaf + spine, host = g * size;
    oracle_fabric *f = make(g * size, g * leaf * p);
    for (uint32_t u = 0; u < g * size; u++) {
        for (uint32_t v = u + 1; v < g * size; v++)
            if (u / size == v / size && u % size < leaf && v % size >= leaf)
                cable(f, u, v);
        for (uint32_t k = 0; u % size < leaf && k < p; k++)
            cable(f, u, host++);
    }
    for (uint32_t i = 0; i < g; i++)
        for (uint32_t j = 0; j < spine * h; j++) {
            uint32_t group, port;
            across(spec, g, i, j, &group, &port);
            arc(f, i * size + leaf + j / h, group * size + leaf + port / h);
        }
    return f;
}

/* ---- slimfly for primes 4w + 1, polarfly for primes ---- */

static bool is_square(uint32_t x, uint32_t q)
{
    for (uint32_t r = 1; r < q; r++)
        if (r * r % q == x)
            return true;
    return false;
}

static oracle_fabric *slimfly(const char *spec)
{
    uint32_t q = (uint32_t)strtoul(strchr(spec, ':') + 1, NULL, 10), square = q * q;
    oracle_fabric *f = make(2 * square, 0);
    for (uint32_t u = 0; u < square; u++)
        for (uint32_t v = 0; v < square; v++) {
            uint32_t difference = (u % q + q - v % q) % q;
            if (u / q == v / q && difference && is_square(difference, q))
                arc(f, u, v);
            if (u / q == v / q && difference && !is_square(difference, q))
                arc(f, square + u, square + v);
            if (u % q == (v / q * (u / q) + v % q) % q) /* y = m x + c */
                cable(f, u, square + v);
        }
    return f;
}

/* Coordinate i of a point. */
static uint32_t coordinate(uint32_t point, uint32_t q, uint32_t i)
{
    const uint32_t plane[3] = {1, point / q, point % q}, line[3] = {0, 1, point - q * q}, last[3] = {0, 0, 1};
    return point < q * q ? plane[i] : point < q * q + q ? line[i] : last[i];
}

static oracle_fabric *polarfly(const char *spec)
{
    uint32_t q = (uint32_t)strtoul(strchr(spec, ':') + 1, NULL, 10);
    oracle_fabric *f = make(q * q + q + 1, 0);
    for (uint32_t u = 0; u < f->nodes; u++)
        for (uint32_t v = 0; v < f->nodes; v++) {
            uint32_t product = 0;
            for (uint32_t i = 0; i < 3; i++)
                product += coordinate(u, q, i) * coordinate(v, q, i);
            if (u != v && product % q == 0)
                arc(f, u, v);
        }
    return f;
}

/* ---- Trees ---- */

/* base[] of the digits of a level: m_H .. m_(l+1), w_l .. w_1 */
static uint32_t level_bases(uint32_t height, uint32_t level, const uint32_t *m, const uint32_t *w, uint32_t *base)
{
    uint32_t nodes = 1;
    for (uint32_t i = 0; i < height; i++) {
        uint32_t place = height - i; /* from H down to 1 */
        base[i] = place > level ? m[place - 1] : w[place - 1];
        nodes *= base[i];
    }
    return nodes;
}

static oracle_fabric *tree(uint32_t height, const uint32_t *m, const uint32_t *w)
{
    uint32_t base[DIGITS][DIGITS], first[DIGITS], nodes[DIGITS], total = 0;
    for (uint32_t level = 0; level <= height; level++)
        nodes[level] = level_bases(height, level, m, w, base[level]);
    for (uint32_t level = 1; level <= height; level++) {
        first[level] = total;
        total += nodes[level];
    }
    first[0] = total;
    oracle_fabric *f = make(total, nodes[0]);
    for (uint32_t level = 1; level <= height; level++)
        for (uint32_t u = 0; u < nodes[level - 1]; u++)
            for (uint32_t v = 0; v < nodes[level]; v++) {
                bool alike = true;
                for (uint32_t i = 0; i < height; i++)
                    alike = alike && (height - i == level ||
                                      digit(u, height, base[level - 1], i) == digit(v, height, base[level], i));
                if (alike)
                    cable(f, first[level - 1] + u, first[level] + v);
            }
    return f;
}

static oracle_fabric *xgft(const char *spec)
{
    uint32_t height = (uint32_t)strtoul(spec + 5, NULL, 10), number[2 * DIGITS], count = 0;
    const char *taper = strstr(spec, "taper=");
    for (const char *at = strchr(spec + 5, ':'); at && count < 2 * height; at = strpbrk(at + 1, ",:"))
        number[count++] = (uint32_t)strtoul(at + 1, NULL, 10);
    if (taper) {
        uint32_t share = (uint32_t)strtoul(taper + 6, NULL, 10);
        number[height + 1] = (number[height + 1] + share - 1) / share;
    }
    return tree(height, number, number + height);
}

static oracle_fabric *kary_tree(const char *spec)
{
    uint32_t k, n, m[DIGITS], w[DIGITS];
    if (sscanf(spec, "kary-tree:%ux%u", &k, &n) != 2)
        abort();
    for (uint32_t i = 0; i < n; i++) {
        m[i] = k;
        w[i] = i ? k : 1;
    }
    return tree(n, m, w);
}

static oracle_fabric *leaves_and_spines(uint32_t leaves, uint32_t spines, uint32_t hosts)
{
    oracle_fabric *f = make(leaves + spines, leaves * hosts);
    for (uint32_t leaf = 0; leaf < leaves; leaf++) {
        for (uint32_t spine = 0; spine < spines; spine++)
            cable(f, leaf, leaves + spine);
        for (uint32_t k = 0; k < hosts; k++)
            cable(f, leaf, leaves + spines + leaf * hosts + k);
    }
    return f;
}

/* Pods of k/2 edge and k/2 aggregation switches; core switch c is joined to aggregation switch c mod k/2 of each pod.
 */
static oracle_fabric *fat_tree(const char *spec)
{
    uint32_t k = (uint32_t)strtoul(strchr(spec, '=') + 1, NULL, 10), half = k / 2, edges = k * half;
    oracle_fabric *f = make(2 * edges + half * half, edges * half);
    for (uint32_t pod = 0; pod < k; pod++)
        for (uint32_t i = 0; i < half; i++) {
            for (uint32_t j = 0; j < half; j++) {
                cable(f, pod * half + i, edges + pod * half + j);
                cable(f, pod * half + i, f->switches + (pod * half + i) * half + j);
            }
            for (uint32_t core = 0; core < half * half; core++)
                if (core % half == i)
                    cable(f, edges + pod * half + i, 2 * edges + core);
        }
    return f;
}

/* ---- kary-fly, rail ---- */

/* The switch of an address in a stage: the digits but digit `stage`. */
static uint32_t switch_of(uint32_t address, uint32_t k, uint32_t n, uint32_t stage)
{
    uint32_t base[DIGITS], number = 0, width = 1;
    for (uint32_t i = 0; i < n; i++) {
        base[i] = k;
        width *= i ? k : 1;
    }
    for (uint32_t i = 0; i < n; i++)
        if (i != stage)
            number = number * k + digit(address, n, base, i);
    return stage * width + number;
}

static oracle_fabric *kary_fly(const char *spec)
{
    uint32_t k, n, hosts = 1;
    if (sscanf(spec, "kary-fly:%ux%u", &k, &n) != 2)
        abort();
    for (uint32_t i = 0; i < n; i++)
        hosts *= k;
    oracle_fabric *f = make(n * (hosts / k), hosts);
    for (uint32_t address = 0; address < hosts; address++) {
        arc(f, f->switches + address, switch_of(address, k, n, 0));
        for (uint32_t stage = 0; stage + 1 < n; stage++)
            arc(f, switch_of(address, k, n, stage), switch_of(address, k, n, stage + 1));
        arc(f, switch_of(address, k, n, n - 1), f->switches + address);
    }
    return f;
}

static oracle_fabric *rail(const char *spec)
{
    uint32_t servers, g, spines;
    if (sscanf(spec, "rail:servers=%u,g=%u,spines=%u", &servers, &g, &spines) != 3)
        abort();
    oracle_fabric *f = make(servers + g + spines, servers * g);
    for (uint32_t server = 0; server < servers; server++)
        for (uint32_t k = 0; k < g; k++) {
            uint32_t host = f->switches + server * g + k;
            cable(f, host, server);
            cable(f, host, servers + k);
        }
    for (uint32_t k = 0; k < g; k++)
        for (uint32_t spine = 0; spine < spines; spine++)
            cable(f, servers + k, servers + g + spine);
    return f;
}

oracle_fabric *oracle_fabric_of(const char *spec)
{
    static const struct {
        const char *name;
        oracle_fabric *(*make)(const char *spec);
    } families[] = {{"hyperx:", hyperx},
                    {"dragonfly:", dragonfly},
                    {"dragonfly+:", dragonfly_plus},
                    {"slimfly:", slimfly},
                    {"polarfly:", polarfly},
                    {"xgft:", xgft},
                    {"kary-tree:", kary_tree},
                    {"fat-tree:k=", fat_tree},
                    {"kary-fly:", kary_fly},
                    {"rail:", rail}};
    uint32_t a, b, c;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (!strncmp(spec, families[i].name, strlen(families[i].name)))
            return families[i].make(spec);
    if (sscanf(spec, "leaf-spine:leaf=%u,spine=%u,p=%u", &a, &b, &c) == 3)
        return leaves_and_spines(a, b, c);
    if (sscanf(spec, "clos:m=%u,n=%u,r=%u", &a, &b, &c) == 3)
        return leaves_and_spines(c, a, b);
    fprintf(stderr, "oracle: no fabric %s\n", spec);
    abort();
}
