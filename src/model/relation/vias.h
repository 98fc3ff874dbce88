/*
 * Where packets of two phases turn: at the router of a random cable from a host. Where hosts have several cables, a
 * packet keeps to the plane of the cable that it took: the routers that it reaches from there.
 */
#pragma once

#include "model/relation/cables.h"
#include "model/relation/rule.h"

/*
 * Sets r->vias by r->inner, the rule of both phases, where some host has several cables. O(routers^2). NP_ERROR_APPLY:
 * a router reaches another one that does not reach it, or not the same others.
 */
np_status np_vias_create(np_relation *r) NP_CHECKED;
void np_vias_free(np_vias *vias);

/* One of those that packet `number` of router `from` reaches, each as often as it has cables from hosts. */
np_node np_vias_draw(const np_relation *r, const np_draws *draws, np_node from, uint32_t number);
