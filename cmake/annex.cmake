# The annex: what -DNETPRAM_PAPERS=OFF leaves out, of sources, verbs, examples and tests alike. The public headers are
# those of both, since report.h takes results of the annex.

set(annex_verbs embed ranks reconfigure schedule universal)
set(annex_examples embed leveled sort_keys)
# Tests that link the annex, or are about its schemes.
set(annex_tests fuzz_buses fuzz_layout fuzz_map fuzz_pram fuzz_ranks fuzz_schedule fuzz_settings fuzz_steps fuzz_words
  test_allocation_failures test_array_sort test_block test_blocks test_circuits test_client_events test_clogged
  test_colouring test_constrained test_constrained_cube test_deal test_delayed test_embed test_embed_guest
  test_embed_map test_embedding test_explain test_flashsort test_flashsort_columns test_hot_potato test_indexing
  test_k_k_dealt test_leveled_routing_shuffle_exchange test_locked test_looping test_memory_limits test_necklaces
  test_offline test_offline_engine test_offline_ranks test_optional test_options test_polarized test_pram_copies
  test_pram_events test_pram_explain test_rank_sort test_ranking test_ranks_file test_reconfigure
  test_reconfigure_report test_replies_retrace test_resampled test_script_runs test_shares test_sort_sweep
  test_sparsified test_spread_turns test_traffic test_universal test_universal_layout test_universal_programs
  test_watch test_waves test_waves_sweep)

# Removes the files of the annex from the list `files`, unless the annex is built.
function(netpram_without_annex files)
  if(NETPRAM_PAPERS)
    return()
  endif()
  set(kept ${${files}})
  foreach(pattern
      "src/papers/.*" "src/show/papers/.*"
      "cli/(${annex_verbs})[.]c" "examples/(${annex_examples})[.]c" "tests/[a-z]+/(${annex_tests})[.]c")
    string(REPLACE ";" "|" pattern "${pattern}")
    list(FILTER kept EXCLUDE REGEX "^${CMAKE_SOURCE_DIR}/${pattern}$")
  endforeach()
  set(${files} ${kept} PARENT_SCOPE)
endfunction()
