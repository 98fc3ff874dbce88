/* The levelings: one line each. */
#include "leveled/leveling.h"

const np_leveling_ops *const np_levelings[] = {
    NULL,
};
