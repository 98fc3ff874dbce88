/* The costs of links, for cheapest paths. */
#ifndef NP_PATH_CHEAPEST_H
#define NP_PATH_CHEAPEST_H

#include "model/path/path.h"

/* Fills the path's table with the costs of the links: the attribute of that name. NP_ERROR_APPLY, NP_ERROR_INPUT. */
np_status np_cheapest_read(np_path *path, const char *name) NP_CHECKED;

#endif
