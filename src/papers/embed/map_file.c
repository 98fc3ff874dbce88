/* Reads and writes maps: lines 'guest host', comments as in base/text.h. */
#include <inttypes.h>

#include "base/account.h"
#include "base/memory.h"
#include "papers/embed/embedding.h"
#include "model/network/read_node.h"

typedef struct reading {
    const np_network *guest, *host;
    bool injective;
    np_node *map;
    uint64_t *line;  /* [guest nodes] the line that placed the node; 0: none yet */
    np_node *placed; /* [host nodes] 1 + the guest node at this node; 0: none */
} reading;

static np_status read_line(reading *r, const np_text *text)
{
    np_node guest, host;
    np_status st;
    if ((st = np_text_count(text, 2, 2, "guest host")) ||
        (st = np_network_read_node(r->guest, text, text->field[0], "guest node", &guest)) ||
        (st = np_network_read_node(r->host, text, text->field[1], "host node", &host)))
        return st;
    if (r->line[guest])
        return np_text_raise(text, NP_ERROR_INPUT, "guest node %.80s is placed a second time, after line %" PRIu64,
                             NP_NODE_NAME(r->guest, guest), r->line[guest]);
    if (r->injective && r->placed[host])
        return np_text_raise(text, NP_ERROR_INPUT,
                             "host node %.80s is taken by guest node %.80s: the map is to be injective",
                             NP_NODE_NAME(r->host, host), NP_NODE_NAME(r->guest, r->placed[host] - 1));
    r->line[guest] = text->line;
    r->placed[host] = guest + 1;
    r->map[guest] = host;
    return NP_OK;
}

static np_status check_complete(const reading *r, const np_text *text)
{
    np_node u = 0, missing = 0, first = NP_NONE;
    for (; u < r->guest->nodes; u++)
        if (!r->line[u]) {
            first = missing++ ? first : u;
        }
    if (!missing)
        return NP_OK;
    return np_text_raise(text, NP_ERROR_INPUT,
                         "the map ends without guest node %.80s (%u of the %u nodes of %s are missing): write a line "
                         "'guest host' for each",
                         NP_NODE_NAME(r->guest, first), missing, r->guest->nodes, np_network_spec(r->guest));
}

static np_status read_lines(reading *r, np_text *text)
{
    np_status st;
    while (np_text_next(text))
        if ((st = read_line(r, text)))
            return st;
    return check_complete(r, text);
}

np_status np_map_parse(const char *name, const char *data, size_t length, const np_network *guest,
                       const np_network *host, bool injective, np_node *map)
{
    reading r = {.guest = guest, .host = host, .injective = injective, .map = map};
    np_text text;
    np_status st;
    if ((st = np_text_open(&text, name, data, length)) ||
        (st = np_memory_zeroed(&r.line, guest->nodes, sizeof *r.line, "a map")) ||
        (st = np_memory_zeroed(&r.placed, host->nodes, sizeof *r.placed, "a map")))
        goto out;
    st = read_lines(&r, &text);
out:
    NP_MEMORY_FREE(r.line, r.placed);
    return st;
}

np_status np_embedding_read(const char *path, const np_network *guest, const np_network *host, bool injective,
                            uint64_t memory_limit, np_embedding **out)
{
    NP_ACCOUNT(memory_limit, "a smaller guest");
    char *text = NULL;
    size_t length;
    np_node *map = NULL;
    np_status st;
    *out = NULL;
    if ((st = np_text_read(path, &text, &length)) || (st = np_memory_array(&map, guest->nodes, sizeof *map, "a map")) ||
        (st = np_map_parse(path, text, length, guest, host, injective, map)))
        goto out;
    st = np_embedding_from_map(guest, host, map, injective, memory_limit, out);
out:
    NP_MEMORY_FREE(map, text);
    return st;
}

np_status np_embedding_write(const np_embedding *embedding, const char *path)
{
    np_output *output;
    np_status st = np_output_open(path, &output);
    if (st)
        return st;
    FILE *stream = np_output_stream(output);
    fprintf(stream, "# %s in %s: guest host\n", np_network_spec(embedding->guest), np_network_spec(embedding->host));
    for (np_node u = 0; u < embedding->guest->nodes; u++) {
        np_put_word(stream, NP_NODE_NAME(embedding->guest, u));
        fputc(' ', stream);
        np_put_word(stream, NP_NODE_NAME(embedding->host, embedding->map[u]));
        fputc('\n', stream);
    }
    return np_output_commit(output);
}
