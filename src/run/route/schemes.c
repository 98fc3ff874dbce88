/* The schemes: one line each. The default for a network is the first preferred one that applies. */
#include "run/route/ranked.h"

extern const np_scheme np_scheme_cubes, np_scheme_basic, np_scheme_cubess, np_scheme_mshuffle, np_scheme_shuffle,
    np_scheme_ccc, np_scheme_shuffle_exchange, np_scheme_grid, np_scheme_complement, np_scheme_valiant,
    np_scheme_ranked, np_scheme_ranade;
NP_PAPERS(extern const np_scheme np_scheme_constrained, np_scheme_total_randomization, np_scheme_unrandomized,
          np_scheme_waves, np_scheme_offline, np_scheme_sparsified, np_scheme_xy, np_scheme_overlay, np_scheme_delayed,
          np_scheme_resampled, np_scheme_resampled_early, np_scheme_random_overlay, np_scheme_k_k, np_scheme_k_k_short,
          np_scheme_k_k_dealt, np_scheme_circuits, np_scheme_shares, np_scheme_group_shares, np_scheme_looping,
          np_scheme_deal, np_scheme_blocks, np_scheme_hot_potato, np_scheme_constrained_cube, np_scheme_locked;
          extern const np_rank_source np_rank_source_file;)

const np_registry np_schemes = {
    .list = "schemes",
    .title = "schemes (--scheme)",
    .what = "scheme",
    .built_in = NP_ENTRIES(
        &np_scheme_cubes.info, &np_scheme_basic.info, &np_scheme_cubess.info, &np_scheme_complement.info,
        &np_scheme_mshuffle.info, &np_scheme_shuffle.info, &np_scheme_ccc.info, &np_scheme_shuffle_exchange.info,
        &np_scheme_grid.info, &np_scheme_ranked.info,
        NP_PAPERS(&np_scheme_constrained.info, &np_scheme_constrained_cube.info, &np_scheme_total_randomization.info,
                  &np_scheme_unrandomized.info, &np_scheme_waves.info, &np_scheme_locked.info, &np_scheme_delayed.info,
                  &np_scheme_resampled.info, &np_scheme_resampled_early.info, ) &
            np_scheme_ranade.info,
        NP_PAPERS(&np_scheme_offline.info, &np_scheme_sparsified.info, &np_scheme_xy.info, &np_scheme_overlay.info,
                  &np_scheme_random_overlay.info, &np_scheme_k_k.info, &np_scheme_k_k_short.info,
                  &np_scheme_k_k_dealt.info, &np_scheme_deal.info, &np_scheme_blocks.info, &np_scheme_hot_potato.info,
                  &np_scheme_shares.info, &np_scheme_group_shares.info, &np_scheme_circuits.info,
                  &np_scheme_looping.info, ) &
            np_scheme_valiant.info,
        &np_scheme_greedy.info),
};

const np_registry np_rank_sources = {
    .what = "source of ranks",
    .built_in = (const np_entry *const[]){NP_PAPERS(&np_rank_source_file.info, ) NULL},
};
