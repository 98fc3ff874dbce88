/* Fat-trees of data centres that go by the name of another family. */
#pragma once

#include "model/network/network.h"

/* fat-tree:k=K, which becomes the network's family. */
extern const np_network_family np_fat_tree_k;

/* `create` of it. */
np_status np_fat_tree_of_ports(np_network *network, const char *parameters) NP_CHECKED;
