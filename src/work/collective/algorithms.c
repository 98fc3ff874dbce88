/* The algorithms, one line each; the first that applies is the default. Also the names of operations and ports. */
#include <string.h>

#include "work/collective/collective.h"

extern const np_collective_ops np_routed_permutation, np_exchange_all_to_all_direct, np_exchange_all_to_all_two_phase,
    np_exchange_all_to_all_three_phase, np_exchange_all_to_all_tournament, np_exchange_all_to_all_logarithmic,
    np_exchange_all_to_all_at_once, np_routed_k_k, np_doubling_broadcast, np_pipeline_broadcast_dimension_order,
    np_line_broadcast, np_pipeline_broadcast, np_calls_broadcast, np_tree_broadcast, np_mirror_reduce_hypercube,
    np_mirror_reduce_dimension_order, np_mirror_reduce_linear, np_mirror_reduce_two_dimensional, np_mirror_reduce_calls,
    np_mirror_reduce_tree, np_doubling_gather, np_tree_gather, np_line_gather, np_calls_gather, np_doubling_gossip,
    np_doubling_dissemination, np_flood_gossip, np_line_gossip, np_bucket_gossip, np_bucket_gossip_hierarchical,
    np_bucket_direct, np_swing_gossip, np_mirror_all_reduce_ring, np_mirror_all_reduce_halving,
    np_mirror_all_reduce_dissemination, np_mirror_all_reduce_direct, np_mirror_all_reduce_bucket,
    np_mirror_all_reduce_hierarchical, np_mirror_all_reduce_swing, np_mirror_all_reduce_binomial,
    np_folded_recursive_doubling, np_folded_rabenseifner, np_mirror_reduce_scatter_ring,
    np_mirror_reduce_scatter_halving, np_mirror_reduce_scatter_dissemination, np_mirror_reduce_scatter_direct,
    np_mirror_reduce_scatter_bucket, np_mirror_reduce_scatter_hierarchical, np_mirror_reduce_scatter_swing,
    np_mirror_scatter_binomial, np_mirror_scatter_direct, np_scan_recursive_doubling, np_scan_binomial, np_scan_linear,
    np_barrier_dissemination, np_barrier_recursive_doubling, np_barrier_binomial, np_barrier_ring, np_barrier_direct;
extern const np_collective_ops np_vector_direct, np_vector_at_once, np_double_tree_broadcast,
    np_mirror_reduce_double_tree, np_mirror_all_reduce_double_tree;
NP_PAPERS(extern const np_collective_ops np_grid_permutation_dimension_order, np_grid_permutation_overlay,
          np_grid_permutation_sweeps, np_grid_permutation_calls, np_coloured_permutation, np_coloured_permutation_calls,
          np_symmetric_all_to_all_overlay, np_grid_all_to_all_overlay, np_grid_all_to_all_dimension_order,
          np_grid_all_to_all_sweeps, np_grid_all_to_all_calls, np_grid_k_k_overlay, np_grid_k_k_dimension_order,
          np_grid_k_k_sweeps, np_grid_k_k_calls, np_coloured_k_k, np_coloured_k_k_calls, np_grid_gather,
          np_search_gossip, np_grid_gossip, np_knodel_gossip, np_ring_gossip;)

const np_registry np_collective_algorithms = {
    .list = "collectives",
    .title = "collective operations (collective), and algorithms for them (--algorithm)",
    .what = "algorithm",
    .built_in = NP_ENTRIES(
        NP_PAPERS(&np_grid_permutation_dimension_order.info, &np_grid_permutation_overlay.info,
                  &np_grid_permutation_sweeps.info, &np_grid_permutation_calls.info, ) &
            np_routed_permutation.info,
        NP_PAPERS(&np_coloured_permutation.info, &np_coloured_permutation_calls.info,
                  &np_symmetric_all_to_all_overlay.info, &np_grid_all_to_all_overlay.info,
                  &np_grid_all_to_all_dimension_order.info, &np_grid_all_to_all_sweeps.info,
                  &np_grid_all_to_all_calls.info, ) &
            np_exchange_all_to_all_direct.info,
        &np_exchange_all_to_all_two_phase.info, &np_exchange_all_to_all_three_phase.info,
        &np_exchange_all_to_all_tournament.info, &np_exchange_all_to_all_logarithmic.info,
        &np_exchange_all_to_all_at_once.info,
        NP_PAPERS(&np_grid_k_k_overlay.info, &np_grid_k_k_dimension_order.info, &np_grid_k_k_sweeps.info,
                  &np_grid_k_k_calls.info, ) &
            np_routed_k_k.info,
        &np_vector_direct.info, &np_vector_at_once.info,
        NP_PAPERS(&np_coloured_k_k.info, &np_coloured_k_k_calls.info, ) & np_doubling_broadcast.info,
        &np_pipeline_broadcast_dimension_order.info, &np_line_broadcast.info, &np_pipeline_broadcast.info,
        &np_tree_broadcast.info, &np_calls_broadcast.info, &np_double_tree_broadcast.info,
        &np_mirror_reduce_hypercube.info, &np_mirror_reduce_dimension_order.info, &np_mirror_reduce_linear.info,
        &np_mirror_reduce_two_dimensional.info, &np_mirror_reduce_tree.info, &np_mirror_reduce_calls.info,
        &np_mirror_reduce_double_tree.info, &np_doubling_gather.info, &np_tree_gather.info, &np_line_gather.info,
        NP_PAPERS(&np_grid_gather.info, ) & np_calls_gather.info, &np_doubling_gossip.info,
        NP_PAPERS(&np_search_gossip.info, ) & np_doubling_dissemination.info,
        NP_PAPERS(&np_knodel_gossip.info, &np_grid_gossip.info, &np_ring_gossip.info, ) & np_flood_gossip.info,
        &np_line_gossip.info, &np_bucket_direct.info, &np_swing_gossip.info, &np_bucket_gossip.info,
        &np_bucket_gossip_hierarchical.info, &np_mirror_all_reduce_ring.info, &np_mirror_all_reduce_halving.info,
        &np_folded_rabenseifner.info, &np_folded_recursive_doubling.info, &np_mirror_all_reduce_swing.info,
        &np_mirror_all_reduce_dissemination.info, &np_mirror_all_reduce_bucket.info,
        &np_mirror_all_reduce_hierarchical.info, &np_mirror_all_reduce_binomial.info,
        &np_mirror_all_reduce_double_tree.info, &np_mirror_all_reduce_direct.info, &np_mirror_reduce_scatter_ring.info,
        &np_mirror_reduce_scatter_halving.info, &np_mirror_reduce_scatter_swing.info,
        &np_mirror_reduce_scatter_dissemination.info, &np_mirror_reduce_scatter_bucket.info,
        &np_mirror_reduce_scatter_hierarchical.info, &np_mirror_reduce_scatter_direct.info,
        &np_mirror_scatter_binomial.info, &np_mirror_scatter_direct.info, &np_scan_recursive_doubling.info,
        &np_scan_binomial.info, &np_scan_linear.info, &np_barrier_dissemination.info,
        &np_barrier_recursive_doubling.info, &np_barrier_binomial.info, &np_barrier_ring.info, &np_barrier_direct.info),
};

static const char *const kinds[NP_COLLECTIVE_KINDS] = {
    [NP_PERMUTATION] = "permutation",
    [NP_ALL_TO_ALL] = "all-to-all",
    [NP_K_K] = "k-k",
    [NP_BROADCAST] = "broadcast",
    [NP_GATHER] = "gather",
    [NP_GOSSIP] = "gossip",
    [NP_REDUCE] = "reduce",
    [NP_ALL_REDUCE] = "all-reduce",
    [NP_REDUCE_SCATTER] = "reduce-scatter",
    [NP_SCATTER] = "scatter",
    [NP_SCAN] = "scan",
    [NP_BARRIER] = "barrier",
};

static const char all_gather[] = "all-gather";   /* gossip */
static const char all_to_allv[] = "all-to-allv"; /* k-k, among ranks */

const char *np_collective_name(const char *operation)
{
    np_collective_kind kind;
    if (!strcmp(operation, all_gather))
        return all_gather;
    if (!strcmp(operation, all_to_allv))
        return all_to_allv;
    return np_collective_kind_of(operation, &kind) ? NULL : kinds[kind];
}

static const char *const ports_names[NP_PORTS] = {
    [NP_FULL_PORT] = "full-port",
    [NP_ONE_PORT] = "one-port",
    [NP_UNI_AXIAL] = "uni-axial",
    [NP_TELEPHONE] = "telephone",
};

const char *np_collective_operation(size_t i) { return i < NP_COLLECTIVE_KINDS ? kinds[i] : NULL; }

const char *np_collective_ports_name(np_ports ports) { return ports_names[ports]; }

np_status np_collective_ports_of(const char *name, np_ports *out)
{
    for (*out = 0; *out < NP_PORTS; ++*out)
        if (!strcmp(ports_names[*out], name))
            return NP_OK;
    return NP_RAISE(NP_ERROR_INPUT, "no ports '%s': %s", name, np_parse_hint_of(name, ports_names, NP_PORTS).text);
}

np_status np_collective_kind_of(const char *name, np_collective_kind *out)
{
    const char *usual = !strcmp(name, all_gather)    ? kinds[NP_GOSSIP]
                        : !strcmp(name, all_to_allv) ? kinds[NP_K_K]
                                                     : name;
    for (*out = 0; *out < NP_COLLECTIVE_KINDS; ++*out)
        if (!strcmp(kinds[*out], usual))
            return NP_OK;
    return NP_RAISE(NP_ERROR_INPUT, "no operation '%s': %s", name,
                    np_parse_hint_of(name, kinds, NP_COLLECTIVE_KINDS).text);
}

const char *np_collective_refuses(const np_collective_ops *ops, const np_network *network)
{
    return ops->mirrors ? ops->mirrors->refuses(network) : ops->refuses(network);
}

np_ports np_collective_ports_needed(const np_network *network, const np_collective_ops *ops)
{
    return ops->calls_on_cubes && np_axes_of(network).cube ? NP_TELEPHONE : ops->ports;
}

/* Telephone calls are allowed under one-port, and everything is allowed under full-port. */
bool np_collective_ports_allow(np_ports asked, const np_network *network, const np_collective_ops *ops)
{
    np_ports needed = np_collective_ports_needed(network, ops);
    if (asked == NP_UNI_AXIAL)
        return np_axes_of(network).count && (ops->uni_axial || ops->ports == NP_UNI_AXIAL);
    return asked == NP_FULL_PORT || asked == needed || (asked == NP_ONE_PORT && needed == NP_TELEPHONE);
}

/* Does the search of the algorithm take long? If not, it may be the default. */
static bool takes_long(const np_collective_ops *ops, const np_network *network)
{
    return ops->searches && network->nodes * network->links > 9 * 36; /* those of the 3 x 3 torus */
}

static bool heeds(const np_collective_ops *ops, const np_collective_options *options)
{
    return (options->flits <= 1 ? !ops->flits_unit : ops->flits) && (!options->rounds || ops->searches);
}

/* What a search proves is for its own ports, so that no others may be asked for. */
static bool serves(const np_collective_ops *ops, const np_network *network, np_ports ports,
                   const np_collective_options *options)
{
    return ops->searches && options->ports ? ports == ops->ports : np_collective_ports_allow(ports, network, ops);
}

/* The first algorithm from *place on that is allowed and heeds the options. *deaf: one that does not heed them. */
static const np_collective_ops *next_of(const np_network *network, np_collective_kind kind, np_ports ports,
                                        const np_collective_options *options, size_t *place,
                                        const np_collective_ops **deaf)
{
    const np_collective_ops *ops;
    while ((ops = np_registry_entry(&np_collective_algorithms, (*place)++))) {
        if (ops->kind != kind || np_collective_refuses(ops, network) || (options->model && ops->route) ||
            (takes_long(ops, network) && !options->rounds) || !serves(ops, network, ports, options))
            continue;
        if (heeds(ops, options))
            return ops;
        *deaf = *deaf ? *deaf : ops;
    }
    return NULL;
}

static const np_collective_ops *first_of(const np_network *network, np_collective_kind kind, np_ports ports,
                                         const np_collective_options *options, const np_collective_ops **deaf)
{
    size_t place = 0;
    return next_of(network, kind, ports, options, &place, deaf);
}

const np_collective_ops *np_collective_candidates(const np_network *network, np_collective_kind kind,
                                                  const np_collective_options *options, size_t *place)
{
    const np_collective_ops *deaf = NULL;
    np_ports ports;
    return np_collective_ports_of(options->ports, &ports) ? NULL : next_of(network, kind, ports, options, place, &deaf);
}

/* The names of the algorithms that the network has, beside the one that was given. */
static np_parse_hint hint_of(const np_network *network, np_collective_kind kind, const char *name)
{
    const np_collective_ops *ops;
    np_parse_hint hint;
    np_parse_hint_init(&hint, name);
    for (size_t i = 0; (ops = np_registry_entry(&np_collective_algorithms, i)); i++)
        if (ops->kind == kind && !np_collective_refuses(ops, network))
            np_parse_hint_add(&hint, ops->info.name);
    return hint;
}

/* Several descriptors may share a name, each for its networks. Finds the first that applies, else a reason of one of
   them. */
static np_status choose_named(const np_network *network, np_collective_kind kind, const char *name,
                              const np_collective_options *options, const np_collective_ops **out)
{
    const np_collective_ops *seen = NULL;
    for (size_t i = 0; (*out = np_registry_entry(&np_collective_algorithms, i)); i++) {
        if ((*out)->kind != kind || !np_entry_is(&(*out)->info, name))
            continue;
        seen = *out;
        if (!np_collective_refuses(seen, network))
            return NP_OK;
    }
    if (!seen)
        return NP_RAISE(NP_ERROR_INPUT, "no algorithm '%s' for %s: %s", name, kinds[kind],
                        hint_of(network, kind, name).text);
    const np_collective_ops *deaf = NULL, *other = first_of(network, kind, NP_FULL_PORT, options, &deaf);
    return NP_RAISE(NP_ERROR_APPLY, "algorithm '%s' does no %s on %s because %s: it is for %s%s%s%s", name, kinds[kind],
                    np_network_spec(network), np_collective_refuses(seen, network), seen->info.networks,
                    other ? "; try '" : "", other ? other->info.name : "", other ? "'" : "");
}

/* Where packets start and end at some nodes, which can be ranks, most operations are done among these. */
static bool has_hosts(const np_network *network)
{
    return !np_network_all_terminals(network) && np_network_terminals(network) > 1 &&
           np_network_input(network, 0) == np_network_output(network, 0);
}

static np_status choose_default(const np_network *network, np_collective_kind kind, np_ports ports,
                                const np_collective_options *options, const np_collective_ops **out)
{
    const np_collective_ops *deaf = NULL, *other = NULL;
    *out = first_of(network, kind, ports, options, &deaf);
    if (!*out)
        *out = deaf; /* the check of the options says which option it does not heed */
    if (*out)
        return NP_OK;
    if (ports == NP_UNI_AXIAL && !np_axes_of(network).count)
        return NP_RAISE(NP_ERROR_APPLY, "ports uni-axial: %s has no dimensions, try full-port",
                        np_network_spec(network));
    other = first_of(network, kind, NP_FULL_PORT, options, &deaf);
    if (other)
        return NP_RAISE(NP_ERROR_APPLY, "no algorithm does %s on %s with ports %s: try %s", kinds[kind],
                        np_network_spec(network), options->ports, other->info.ports);
    if (has_hosts(network) && !np_collective_heeds(kinds[kind], "model"))
        return NP_RAISE(NP_ERROR_APPLY,
                        "no algorithm does %s on %s over its links: say --model to do it among its hosts", kinds[kind],
                        np_network_spec(network));
    return NP_RAISE(NP_ERROR_APPLY, "no algorithm does %s on %s: 'netpram list collectives' says where they do",
                    kinds[kind], np_network_spec(network));
}

np_status np_collective_choose(const np_network *network, np_collective_kind kind, const np_collective_options *options,
                               const np_collective_ops **out)
{
    const char *algorithm = options->algorithm, *ports = options->ports;
    np_ports asked = NP_FULL_PORT;
    np_status st;
    *out = NULL;
    if (ports && (st = np_collective_ports_of(ports, &asked)))
        return st;
    if (!algorithm)
        return choose_default(network, kind, asked, options, out);
    if ((st = choose_named(network, kind, algorithm, options, out)))
        return st;
    if (serves(*out, network, asked, options))
        return NP_OK;
    const np_collective_ops *ops = *out;
    *out = NULL;
    if (ops->searches)
        return NP_RAISE(NP_ERROR_APPLY,
                        "algorithm '%s' looks for the best schedule under ports %s, not under %s: leave "
                        "'%s' out, and the best of the other algorithms is taken",
                        algorithm, ops->info.ports, ports, algorithm);
    return NP_RAISE(NP_ERROR_APPLY, "algorithm '%s' needs ports %s, not %s: try --ports %s", algorithm, ops->info.ports,
                    ports, ops->info.ports);
}
