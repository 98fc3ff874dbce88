/* The embeddings: one line each. Of those that embed a guest in a host the first is the default. */
#include <stdio.h>
#include <string.h>

#include "base/parse.h"
#include "embed/embedding.h"

extern const np_embedding_ops np_embedding_fold, np_embedding_snake, np_embedding_hamiltonian_cycle,
    np_embedding_corner_cycle, np_embedding_even_cycle, np_embedding_folded_snake, np_embedding_torus_cycle,
    np_embedding_gray, np_embedding_binomial, np_embedding_inorder, np_embedding_ccc, np_embedding_butterfly,
    np_embedding_butterfly_gray, np_embedding_natural, np_embedding_subgrid, np_embedding_same, np_embedding_h_tree,
    np_embedding_by_cube;

const np_embedding_ops *const np_embeddings[] = {
    &np_embedding_fold,
    &np_embedding_snake,
    &np_embedding_hamiltonian_cycle,
    &np_embedding_corner_cycle,
    &np_embedding_torus_cycle,
    &np_embedding_even_cycle,
    &np_embedding_folded_snake,
    &np_embedding_gray,
    &np_embedding_binomial,
    &np_embedding_inorder,
    &np_embedding_ccc,
    &np_embedding_butterfly,
    &np_embedding_butterfly_gray,
    &np_embedding_natural,
    &np_embedding_subgrid,
    &np_embedding_same,
    &np_embedding_h_tree,
    &np_embedding_by_cube,
    NULL,
};

enum { EMBEDDINGS = sizeof np_embeddings / sizeof *np_embeddings - 1, NAMES = 256 };

const np_embedding_info *np_embedding_listed(size_t i) { return i < EMBEDDINGS ? &np_embeddings[i]->info : NULL; }

static bool families_match(const np_embedding_ops *ops, const np_network *guest, const np_network *host)
{
    return np_embed_is_of(guest, ops->guests) &&
           (ops->hosts ? np_embed_is_of(host, ops->hosts) : guest->family == host->family);
}

static np_status find_named(const char *name, const np_embedding_ops **out)
{
    const char *names[EMBEDDINGS];
    for (size_t i = 0; i < EMBEDDINGS; i++) {
        names[i] = np_embeddings[i]->info.name;
        *out = np_embeddings[i];
        if (!strcmp(names[i], name))
            return NP_OK;
    }
    *out = NULL;
    return NP_RAISE(NP_ERROR_INPUT, "no embedding '%s': did you mean '%s'? ('netpram list embeddings' names all)", name,
                    np_parse_nearest(name, names, EMBEDDINGS));
}

/* Adds the families to a text, each once. */
static void add_names(char text[NAMES], const char *const *families)
{
    for (; *families; families++) {
        char padded[NAMES + 4], name[40];
        snprintf(padded, sizeof padded, ", %s,", text);
        snprintf(name, sizeof name, ", %s,", *families);
        if (strstr(padded, name))
            continue;
        size_t length = strlen(text);
        snprintf(text + length, NAMES - length, "%s%s", length ? ", " : "", *families);
    }
}

/* None is for such families: say where the guest goes, and what goes into the host. */
static np_status refuse_families(const np_network *guest, const np_network *host)
{
    char hosts[NAMES] = "", guests[NAMES] = "";
    for (size_t i = 0; i < EMBEDDINGS; i++) {
        const np_embedding_ops *ops = np_embeddings[i];
        if (np_embed_is_of(guest, ops->guests))
            add_names(hosts, ops->hosts ? ops->hosts : (const char *const[]){guest->family->info.name, NULL});
        if (ops->hosts && np_embed_is_of(host, ops->hosts))
            add_names(guests, ops->guests);
    }
    return NP_RAISE(NP_ERROR_APPLY,
                    "no embedding of %s in %s is in the list: %s goes into %s; into %s goes %s; or give a map",
                    np_network_spec(guest), np_network_spec(host), guest->family->info.name,
                    *hosts ? hosts : "nothing there", host->family->info.name, *guests ? guests : "nothing there");
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
        return (st = find_named(name, out)) ? st : check_named(*out, guest, host);
    for (size_t i = 0; i < EMBEDDINGS; i++) {
        if (!families_match(np_embeddings[i], guest, host))
            continue;
        *out = np_embeddings[i];
        if (!(st = check_named(*out, guest, host)))
            return NP_OK;
    }
    return st ? st : refuse_families(guest, host); /* the last refusal: the least demanding one comes last */
}
