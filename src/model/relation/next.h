/*
 * The next hop of the rules that need no table, no draw and no state: dimension order on cubes and meshes. For engines
 * that ask at every hop. It is the way that np_relation_candidates has, in class 0.
 */
#pragma once

#include "base/hot.h"
#include "model/relation/rule.h"

/* at != to; r->form is not NP_RELATION_ANY. */
NP_INLINE np_port np_relation_next_port(const np_relation *r, np_node at, np_node to)
{
    if (r->form == NP_RELATION_CUBE)
        return (np_port)__builtin_clz(at ^ to) - (32 - r->axes.count);
    uint32_t axes = r->axes.count, axis = 0;
    const uint32_t *here = &r->coordinate[(size_t)at * axes], *there = &r->coordinate[(size_t)to * axes];
    while (here[axis] == there[axis])
        axis++;
    return 2 * axis + (there[axis] > here[axis]);
}
