/* The embeddings: one line each. The first that embeds a guest in a host is the default. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "papers/embed/embedding.h"

extern const np_embedding_ops np_embedding_fold, np_embedding_snake, np_embedding_hamiltonian_cycle,
    np_embedding_corner_cycle, np_embedding_even_cycle, np_embedding_folded_snake, np_embedding_torus_cycle,
    np_embedding_gray, np_embedding_binomial, np_embedding_inorder, np_embedding_ccc, np_embedding_butterfly,
    np_embedding_butterfly_gray, np_embedding_natural, np_embedding_subgrid, np_embedding_same, np_embedding_h_tree,
    np_embedding_by_cube;

const np_registry np_embeddings = {
    .list = "embeddings",
    .title = "embeddings (--embedding of embed): the guests > the hosts",
    .what = "embedding",
    .built_in =
        NP_ENTRIES(&np_embedding_fold.info, &np_embedding_snake.info, &np_embedding_hamiltonian_cycle.info,
                   &np_embedding_corner_cycle.info, &np_embedding_torus_cycle.info, &np_embedding_even_cycle.info,
                   &np_embedding_folded_snake.info, &np_embedding_gray.info, &np_embedding_binomial.info,
                   &np_embedding_inorder.info, &np_embedding_ccc.info, &np_embedding_butterfly.info,
                   &np_embedding_butterfly_gray.info, &np_embedding_natural.info, &np_embedding_subgrid.info,
                   &np_embedding_same.info, &np_embedding_h_tree.info, &np_embedding_by_cube.info),
};

enum { NAMES = 256 };

static bool families_match(const np_embedding_ops *ops, const np_network *guest, const np_network *host)
{
    return np_network_is(guest, ops->guests) &&
           (ops->hosts ? np_network_is(host, ops->hosts) : guest->family == host->family);
}

/* Adds the names of a list such as "torus, ring" to a text, each name once. */
static void add_names(char text[NAMES], const char *names)
{
    while (*names) {
        char padded[NAMES + 4], name[40];
        size_t length = strcspn(names, ",");
        snprintf(padded, sizeof padded, ", %s,", text);
        snprintf(name, sizeof name, ", %.*s,", (int)length, names);
        if (!strstr(padded, name))
            snprintf(text + strlen(text), NAMES - strlen(text), "%s%.*s", *text ? ", " : "", (int)length, names);
        names += length + strspn(names + length, ", ");
    }
}

/* No embedding is for these families: says where the guest can go, and what can go into the host. */
static np_status refuse_families(const np_network *guest, const np_network *host)
{
    char hosts[NAMES] = "", guests[NAMES] = "";
    const np_embedding_ops *ops;
    for (size_t i = 0; (ops = np_registry_entry(&np_embeddings, i)); i++) {
        if (np_network_is(guest, ops->guests))
            add_names(hosts, ops->hosts ? ops->info.hosts : guest->family->info.name);
        if (ops->hosts && np_network_is(host, ops->hosts))
            add_names(guests, ops->info.guests);
    }
    return NP_RAISE(NP_ERROR_APPLY,
                    "no embedding of %s in %s is in the list: %s goes into %s; into %s goes %s; or give a map",
                    np_network_spec(guest), np_network_spec(host), guest->family->info.name,
                    *hosts ? hosts : "nothing there", host->family->info.name, *guests ? guests : "nothing there");
}

bool np_embed_refuse(char reason[NP_EMBED_REASON], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, NP_EMBED_REASON, format, arguments);
    va_end(arguments);
    return true;
}

static np_status check_named(const np_embedding_ops *ops, const np_network *guest, const np_network *host)
{
    char reason[NP_EMBED_REASON];
    if (!families_match(ops, guest, host))
        return NP_RAISE(NP_ERROR_APPLY, "embedding '%s' is of %s in %s, not of %s in %s", ops->info.name,
                        ops->info.guests, ops->info.hosts, np_network_spec(guest), np_network_spec(host));
    if (ops->refuses(guest, host, reason))
        return NP_RAISE(NP_ERROR_APPLY, "embedding '%s' does not put %s into %s because %s", ops->info.name,
                        np_network_spec(guest), np_network_spec(host), reason);
    return NP_OK;
}

np_status np_embedding_find(const char *name, const np_network *guest, const np_network *host,
                            const np_embedding_ops **out)
{
    np_status st = NP_OK;
    *out = NULL;
    if (name)
        return (st = np_registry_find(&np_embeddings, name, out)) ? st : check_named(*out, guest, host);
    const np_embedding_ops *ops;
    for (size_t i = 0; (ops = np_registry_entry(&np_embeddings, i)); i++) {
        if (!families_match(ops, guest, host))
            continue;
        *out = ops;
        if (!(st = check_named(ops, guest, host)))
            return NP_OK;
    }
    return st ? st : refuse_families(guest, host); /* the last refusal: the least demanding embedding comes last */
}
