/* The list of drawings; the first that suits a network is its default. */
#include "model/drawing/drawing.h"

extern const np_drawing np_drawing_blocks, np_drawing_levels, np_drawing_tree, np_drawing_necklaces, np_drawing_circle,
    np_drawing_distances, np_drawing_tiers, np_drawing_groups, np_drawing_hosts;

const np_registry np_drawings = {
    .list = "drawings",
    .title = "drawings (where pictures place the nodes of a network)",
    .what = "drawing",
    .built_in = NP_ENTRIES(&np_drawing_blocks.info, &np_drawing_levels.info, &np_drawing_tree.info,
                           &np_drawing_necklaces.info, &np_drawing_circle.info, &np_drawing_tiers.info,
                           &np_drawing_groups.info, &np_drawing_hosts.info, &np_drawing_distances.info),
};

static const char *refuses(const np_drawing *drawing, const np_network *network)
{
    return np_only_refuses(drawing->only, drawing->refuses, network);
}

const np_drawing *np_drawing_default(const np_network *network)
{
    const np_drawing *drawing;
    for (size_t i = 0; (drawing = np_registry_entry(&np_drawings, i)); i++)
        if (drawing->first && drawing->first(network))
            return drawing;
    for (size_t i = 0;; i++) {
        drawing = np_registry_entry(&np_drawings, i);
        if (!drawing->first && !refuses(drawing, network))
            return drawing; /* distances suit all */
    }
}

np_point np_drawing_settle(np_node nodes, np_point *place)
{
    np_point low = place[0], high = place[0];
    for (np_node u = 1; u < nodes; u++) {
        low.x = place[u].x < low.x ? place[u].x : low.x;
        low.y = place[u].y < low.y ? place[u].y : low.y;
        high.x = place[u].x > high.x ? place[u].x : high.x;
        high.y = place[u].y > high.y ? place[u].y : high.y;
    }
    for (np_node u = 0; u < nodes; u++) {
        place[u].x -= low.x;
        place[u].y -= low.y;
    }
    return (np_point){high.x - low.x, high.y - low.y};
}

np_status np_drawing_place(const np_network *network, const char *name, np_point *place, const char **used)
{
    const np_drawing *drawing = np_drawing_default(network);
    if (name) {
        const char *fits = drawing->info.name;
        np_status st = np_registry_find(&np_drawings, name, &drawing);
        if (st)
            return st;
        const char *reason = refuses(drawing, network);
        if (reason)
            return NP_RAISE(NP_ERROR_APPLY, "drawing %s is not for %s: %s; take %s", drawing->info.name,
                            np_network_spec(network), reason, fits);
    }
    np_status st = drawing->place(network, place);
    if (!st)
        np_drawing_settle(network->nodes, place);
    if (!st && used)
        *used = drawing->info.name;
    return st;
}
