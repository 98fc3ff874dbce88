/*
 * Signs: how texts begin, and what a text is that no reader recognizes. A list
 * of links has no mark of its own, so the marks of other formats must be known,
 * or their lines would be read as links or refused as bad ones.
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "model/format/format.h"

#define AS_GRAPHML "write it as GraphML (networkx.write_graphml)"
#define AS_LIST "write a list of links (networkx.write_edgelist)"
#define AS_NODE_LINK "a node-link graph is an object {\"nodes\": [...], \"links\": [...]}"
#define LINKED "this program has no reader of it: link it with libnetpram-report and call np_report_formats"

static const struct {
    const char *begin, *shown, *advice;
} alike[] = {
    {"{", "JSON", LINKED},
    {"[_{", "JSON of another kind", AS_NODE_LINK},
    {"[_[", "JSON of another kind", AS_NODE_LINK},
    {"[_#", "JSON of another kind", AS_NODE_LINK},
    {"[_\"", "JSON of another kind", AS_NODE_LINK},
    {"*Vertices ", "Pajek", AS_GRAPHML},
    {"*Network ", "Pajek", AS_GRAPHML},
    {">>graph6<<", "graph6", AS_LIST},
    {">>sparse6<<", "sparse6", AS_LIST},
    {"DL n_=_#", "UCINET DL", AS_LIST},
    {"LEDA.GRAPH", "LEDA", "write a list of links, or GraphML"},
};

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && is_blank(*at))
        at++;
    return at;
}

static bool matches(const char *at, const char *end, const char *pattern)
{
    for (; *pattern; pattern++) {
        const char *before = at;
        if (*pattern == ' ' || *pattern == '_')
            at = skip_blanks(at, end);
        else if (*pattern == '#')
            while (at < end && isdigit((unsigned char)*at))
                at++;
        else if (at < end && tolower((unsigned char)*at) == tolower((unsigned char)*pattern))
            at++;
        if (at == before && *pattern != '_' && (*pattern != ' ' || at < end))
            return false;
    }
    return true;
}

/* Past blanks and comments in one of the ways in which the formats write them: #, %, // and slash star. */
static const char *skip_comments(const char *at, const char *end)
{
    for (;;) {
        at = skip_blanks(at, end);
        bool two = end - at > 1 && *at == '/';
        if (two && at[1] == '*') {
            for (at += 2; at < end && !(at[-1] == '*' && *at == '/'); at++)
                continue;
            at += at < end;
        } else if (at < end && (*at == '#' || *at == '%' || (two && at[1] == '/'))) {
            const char *newline = memchr(at, '\n', (size_t)(end - at));
            at = newline ? newline + 1 : end;
        } else
            return at;
    }
}

bool np_format_begins(const np_text *text, const char *pattern)
{
    return matches(skip_comments(text->at, text->end), text->end, pattern);
}

/* The first line that is no comment, for the message. */
static np_text_field first_line(np_text *text)
{
    const char *at = skip_comments(text->at, text->end), *stop;
    for (text->line = 1; (stop = memchr(text->at, '\n', (size_t)(at - text->at))); text->line++)
        text->at = stop + 1;
    stop = memchr(at, '\n', (size_t)(text->end - at));
    return (np_text_field){at, (size_t)((stop ? stop : text->end) - at)};
}

/* ---- XML ---- */

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '-' || c == '_' || c == '.' || c == ':'; }

/* Past '<?...', '<!...' and comments in front of the first element. */
static const char *skip_prolog(const char *at, const char *end)
{
    while ((at = skip_blanks(at, end)) < end && end - at > 1 && *at == '<' && (at[1] == '?' || at[1] == '!')) {
        bool comment = end - at > 3 && !memcmp(at, "<!--", 4);
        while (at < end && !(*at == '>' && (!comment || !memcmp(at - 2, "--", 2))))
            at++;
        at += at < end;
    }
    return at;
}

static np_text_field root_of(const np_text *text)
{
    const char *at = skip_prolog(text->at, text->end);
    np_text_field root = {at + 1, 0};
    if (at >= text->end || *at != '<')
        return (np_text_field){text->at, 0};
    for (; ++at < text->end && is_name(*at); root.length++)
        if (*at == ':')
            root = (np_text_field){at + 1, (size_t)-1};
    return root;
}

bool np_format_has_root(const np_text *text, const char *name) { return np_text_field_is(root_of(text), name); }

static np_status refuse_xml(np_text *text, np_text_field root)
{
    text->line = 1;
    if (np_text_field_is(root, "graphml"))
        return np_text_raise(text, NP_ERROR_INPUT, "this is GraphML: %s", LINKED);
    if (np_text_field_is(root, "html"))
        return np_text_raise(text, NP_ERROR_INPUT, "this is HTML, a page of the web: no network is read from it");
    if (np_text_field_is(root, "gexf"))
        return np_text_raise(text, NP_ERROR_INPUT, "this is GEXF, which is not read: %s", AS_GRAPHML);
    return np_text_raise(text, NP_ERROR_INPUT, "an XML file of '%s': only GraphML and GEXF are read",
                         np_text_show_field(root).text);
}

/* A line '#' alone below a line that is no comment: there the nodes end and the links begin in Trivial Graph Format. */
static bool is_trivial(np_text text)
{
    bool seen = false;
    while (np_text_line(&text)) {
        if (seen && text.whole.length == 1 && *text.whole.at == '#')
            return true;
        seen |= text.fields > 0;
    }
    return false;
}

np_status np_format_refuse_alike(const np_text *text)
{
    np_text first = *text;
    np_text_field root = root_of(text);
    if (root.length)
        return refuse_xml(&first, root);
    if (np_text_ends(text->name, ".lgl"))
        return np_text_raise(text, NP_ERROR_INPUT, "a file of LGL, which is not read: write igraph's write_ncol");
    if (is_trivial(*text))
        return np_text_raise(text, NP_ERROR_INPUT,
                             "a line '#' between others: this looks like Trivial Graph Format, which is not read: "
                             "write a list of links");
    for (size_t i = 0; i < sizeof alike / sizeof *alike; i++)
        if (np_format_begins(text, alike[i].begin))
            return np_text_raise(&first, NP_ERROR_INPUT, "'%s': this looks like %s, which is not read: %s",
                                 np_text_show_field(first_line(&first)).text, alike[i].shown, alike[i].advice);
    return NP_OK;
}
