/* The levelings: one line each. */
#include "leveled/leveling.h"

extern const np_leveling_ops np_leveling_butterfly, np_leveling_butterfly_io, np_leveling_mesh, np_leveling_plateaus,
    np_leveling_fat_tree, np_leveling_shuffle_exchange;

const np_leveling_ops *const np_levelings[] = {
    &np_leveling_butterfly,
    &np_leveling_butterfly_io,
    &np_leveling_mesh,
    &np_leveling_plateaus,
    &np_leveling_fat_tree,
    &np_leveling_shuffle_exchange,
    NULL,
};
