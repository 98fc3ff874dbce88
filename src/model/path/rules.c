/* The list of path rules. "greedy" means the first rule of shortest paths that applies. */
#include "model/path/path.h"

extern const np_path_rule np_path_dimension_order_cube, np_path_cyclic_order, np_path_random_order,
    np_path_dimension_order_grid, np_path_dimension_order_hyperx, np_path_minimal, np_path_cheapest, np_path_full_shift,
    np_path_shortest_shift, np_path_clockwise, np_path_stages, np_path_shortest_stages, np_path_direct,
    np_path_unique_butterfly, np_path_unique_omega, np_path_up_down, np_path_up_down_tree, np_path_up_down_binary,
    np_path_unique_crossbar, np_path_row_column, np_path_cayley, np_path_shortest, np_path_spray, np_path_ecmp,
    np_path_lowest_port, np_path_balanced, np_path_k_shortest, np_path_file;
NP_PAPERS(extern const np_path_rule np_path_spread_turns, np_path_looping, np_path_there_and_back,
          np_path_there_and_back_ccc;)

const np_registry np_path_rules = {
    .list = "paths",
    .title = "path rules (--paths)",
    .what = "path rule",
    .also = "greedy",
    .built_in = NP_ENTRIES(
        &np_path_dimension_order_cube.info, &np_path_dimension_order_hyperx.info, &np_path_cyclic_order.info,
        &np_path_random_order.info, &np_path_dimension_order_grid.info, &np_path_minimal.info, &np_path_full_shift.info,
        &np_path_shortest_shift.info, &np_path_clockwise.info, &np_path_stages.info, &np_path_shortest_stages.info,
        &np_path_direct.info, &np_path_unique_butterfly.info, &np_path_unique_omega.info, &np_path_up_down.info,
        &np_path_up_down_tree.info, &np_path_up_down_binary.info, &np_path_unique_crossbar.info,
        &np_path_row_column.info, &np_path_cayley.info, &np_path_shortest.info /* greedy falls back on it */,
        &np_path_spray.info, &np_path_ecmp.info, &np_path_lowest_port.info, &np_path_balanced.info,
        &np_path_k_shortest.info, &np_path_cheapest.info,
        NP_PAPERS(&np_path_spread_turns.info, &np_path_looping.info, &np_path_there_and_back.info,
                  &np_path_there_and_back_ccc.info, ) &
            np_path_file.info),
};
