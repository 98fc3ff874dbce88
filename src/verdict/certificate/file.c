/*
 * The file of a certificate: JSON with a fixed order of members and one member a line, so that a reader needs no
 * library and accepts nothing else. The last member is a digest of the bytes before it, FNV-1a with 64 bits, which
 * changes if any one byte does. It proves nothing: the figures do. It tells a damaged file from a wrong one.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/memory.h"
#include "base/parse.h"
#include "base/text.h"
#include "verdict/certificate/certificate.h"

#define FORM "netpram-throughput-1"

static uint64_t digest(uint64_t before, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        before = (before ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return before;
}

enum { DIGEST_DIGITS = 16 };
#define DIGEST_START UINT64_C(0xcbf29ce484222325)

/* ---- Writing ---- */

typedef struct writer {
    FILE *stream;
    uint64_t digest;
} writer;

static void put_text(writer *w, const char *text, size_t length)
{
    w->digest = digest(w->digest, text, length);
    fwrite(text, 1, length, w->stream);
}

static void put(writer *w, const char *format, ...) NP_PRINTF(2, 3);
static void put(writer *w, const char *format, ...)
{
    char text[200];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    put_text(w, text, (size_t)length);
}

/* A string of JSON. */
static void put_string(writer *w, const char *text)
{
    put(w, "\"");
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            put(w, "\\%c", *text);
        else if (iscntrl((unsigned char)*text))
            put(w, "\\u%04x", (unsigned)(unsigned char)*text);
        else
            put_text(w, text, 1);
    put(w, "\"");
}

static void put_wide(writer *w, np_wide number)
{
    char text[40];
    size_t at = sizeof text;
    do
        text[--at] = (char)('0' + (int)(number % 10));
    while (number /= 10);
    put_text(w, text + at, sizeof text - at);
}

static void put_quotient(writer *w, const char *name, np_wide top, np_wide bottom)
{
    put(w, ",\n\"%s\": [", name);
    put_wide(w, top);
    put(w, ",");
    put_wide(w, bottom);
    put(w, "]");
}

static void put_lengths(writer *w, uint32_t arcs, const int32_t *length)
{
    put(w, "[");
    for (uint32_t a = 0; a < arcs; a++)
        put(w, "%s%" PRId32, a ? "," : "", length[a]);
    put(w, "]");
}

static void put_numbers(writer *w, const char *name, size_t count, const uint32_t *number)
{
    put(w, ",\n\"%s\": [", name);
    for (size_t i = 0; i < count; i++)
        put(w, "%s%" PRIu32, i ? "," : "", number[i]);
    put(w, "]");
}

static void put_ways(writer *w, const np_certificate *c)
{
    put(w, ",\n\"paths\": %zu,\n\"arcs_of_paths\": %zu", c->ways, c->way_arcs);
    if (c->way_bits != NP_CLAIM_UNITS)
        put(w, ",\n\"weight_bits\": %u", c->way_bits);
    put_numbers(w, "paths_of_demands", c->demands, c->ways_of);
    put_numbers(w, "weights", c->ways, c->way_weight);
    put_numbers(w, "hops", c->ways, c->way_hops);
    put_numbers(w, "path_arcs", c->way_arcs, c->way_arc);
}

static void put_all(writer *w, const np_certificate *c)
{
    put(w, "{\n\"certificate\": \"" FORM "\",\n\"network\": ");
    put_string(w, c->network);
    put(w, ",\n\"traffic\": ");
    put_string(w, c->traffic);
    put(w,
        ",\n\"seed\": %" PRIu64 ",\n\"nodes\": %" PRIu32 ",\n\"links\": %" PRIu64 ",\n\"arcs\": %" PRIu32
        ",\n\"packets\": %" PRIu64 ",\n\"demands\": %zu",
        c->seed, c->nodes, c->links, c->arcs, c->packets, c->demands);
    put_quotient(w, "high", c->high_top, c->high_bottom);
    put(w, ",\n\"lengths\": ");
    put_lengths(w, c->arcs, c->length);
    put_quotient(w, "low", c->low_top, c->low_bottom);
    put(w, ",\n\"flows\": %" PRIu32, c->flows);
    for (uint32_t i = 0; i < c->flows; i++) {
        put(w, ",\n\"flow_%" PRIu32 "\": [%" PRIu64 ",%" PRIu32 ",", i, c->flow[i].weight, c->flow[i].theta);
        put_lengths(w, c->arcs, c->flow[i].length);
        put(w, "]");
    }
    if (!c->flows)
        put_ways(w, c);
}

np_status np_certificate_write(const np_certificate *certificate, const char *path)
{
    np_output *output;
    np_status st = np_output_open(path, &output);
    if (st)
        return st;
    writer w = {np_output_stream(output), DIGEST_START};
    put_all(&w, certificate);
    fprintf(w.stream, ",\n\"digest\": \"%016" PRIx64 "\"\n}\n", w.digest);
    return np_output_commit(output);
}

/* ---- Reading ---- */

typedef struct reader {
    const char *path, *start, *at;
    np_certificate *out;
} reader;

static np_status refuse(const reader *r, const char *wanted)
{
    uint64_t line = 1;
    for (const char *c = r->start; c < r->at; c++)
        line += *c == '\n';
    return NP_RAISE(NP_ERROR_INPUT, "%.200s:%" PRIu64 ": no certificate of netpram: %s expected", r->path, line,
                    wanted);
}

static np_status take(reader *r, const char *text)
{
    size_t length = strlen(text);
    char shown[60];
    if (!strncmp(r->at, text, length)) {
        r->at += length;
        return NP_OK;
    }
    snprintf(shown, sizeof shown, "'%s'", *text && text[1] == '\n' ? text + 2 : text);
    return refuse(r, shown);
}

static np_status take_number(reader *r, uint64_t most, uint64_t *out)
{
    if (!np_parse_u64(&r->at, out) || *out > most)
        return refuse(r, "a whole number that is small enough");
    return NP_OK;
}

static np_status take_named(reader *r, const char *name, uint64_t most, uint64_t *out)
{
    np_status st = take(r, name);
    return st ? st : take_number(r, most, out);
}

/* Below 2^126. */
static np_status take_wide(reader *r, np_wide *out)
{
    const char *begin = r->at;
    for (*out = 0; isdigit((unsigned char)*r->at) && !(*out >> 122); r->at++)
        *out = *out * 10 + (np_wide)(*r->at - '0');
    return r->at == begin || isdigit((unsigned char)*r->at) || (*begin == '0' && r->at - begin > 1)
               ? refuse(r, "a whole number")
               : NP_OK;
}

static np_status take_quotient(reader *r, const char *name, np_wide *top, np_wide *bottom)
{
    np_status st;
    if ((st = take(r, name)) || (st = take(r, "[")) || (st = take_wide(r, top)) || (st = take(r, ",")) ||
        (st = take_wide(r, bottom)))
        return st;
    return take(r, "]");
}

/* What follows a backslash; *c: the character. */
static bool take_escape(reader *r, char *c)
{
    unsigned code;
    *c = *r->at;
    if (*c == '"' || *c == '\\')
        return true;
    if (*c != 'u' || sscanf(r->at + 1, "%4x", &code) != 1 || !code || code > 0x7f || strlen(r->at) < 5)
        return false;
    *c = (char)code;
    r->at += 4;
    return true;
}

/* A string, which is put in place without its escapes: *out points into the file's text. */
static np_status take_string(reader *r, const char *name, const char **out)
{
    np_status st;
    if ((st = take(r, name)) || (st = take(r, "\"")))
        return st;
    char *to = (char *)r->start + (r->at - r->start);
    *out = to;
    while (*r->at && *r->at != '"') {
        char c = *r->at++;
        if (c == '\\') {
            if (!take_escape(r, &c))
                return refuse(r, "a string of JSON");
            r->at++;
        }
        *to++ = c;
    }
    if (!*r->at)
        return refuse(r, "'\"'");
    r->at++;
    *to = '\0';
    return NP_OK;
}

/* A list of numbers. item: [count] */
static np_status take_list(reader *r, const char *name, size_t count, uint32_t least, uint32_t most, uint32_t *item)
{
    uint64_t number;
    np_status st = take(r, name);
    for (size_t i = 0; i < count && !st; i++) {
        if ((i && (st = take(r, ","))) || (st = take_number(r, most, &number)))
            return st;
        if (number < least)
            return refuse(r, "a length of at least 1");
        item[i] = (uint32_t)number;
    }
    return st ? st : take(r, "]");
}

static np_status take_lengths(reader *r, uint32_t least, int32_t **out)
{
    np_status st = np_memory_array(out, r->out->arcs, sizeof **out, "the lengths of a certificate");
    return st ? st : take_list(r, "[", r->out->arcs, least, INT32_MAX, (uint32_t *)*out);
}

static np_status take_numbers(reader *r, const char *name, size_t count, uint32_t **out)
{
    np_status st = np_memory_array(out, count, sizeof **out, "the paths of a certificate");
    return st ? st : take_list(r, name, count, 0, UINT32_MAX, *out);
}

/* A number takes a byte of the file at least: more than there can be are refused before they take memory. */
static np_status take_count(reader *r, const char *name, uint64_t *out)
{
    return take_named(r, name, strlen(r->at), out);
}

#define WEIGHT_BITS ",\n\"weight_bits\": "

static np_status take_ways(reader *r)
{
    np_certificate *c = r->out;
    uint64_t ways, arcs, bits = NP_CLAIM_UNITS;
    np_status st;
    if ((st = take_count(r, ",\n\"paths\": ", &ways)) || (st = take_count(r, ",\n\"arcs_of_paths\": ", &arcs)))
        return st;
    if (c->demands > strlen(r->at))
        return refuse(r, "the paths of all demands");
    if (!strncmp(r->at, WEIGHT_BITS, strlen(WEIGHT_BITS)) &&
        ((st = take_named(r, WEIGHT_BITS, NP_CLAIM_BITS, &bits)) || bits <= NP_CLAIM_UNITS))
        return st ? st : refuse(r, "more than 20 bits");
    c->way_bits = (unsigned)bits;
    c->ways = (size_t)ways;
    c->way_arcs = (size_t)arcs;
    if ((st = take_numbers(r, ",\n\"paths_of_demands\": [", c->demands, &c->ways_of)) ||
        (st = take_numbers(r, ",\n\"weights\": [", c->ways, &c->way_weight)) ||
        (st = take_numbers(r, ",\n\"hops\": [", c->ways, &c->way_hops)))
        return st;
    return take_numbers(r, ",\n\"path_arcs\": [", c->way_arcs, &c->way_arc);
}

static np_status take_flow(reader *r, uint32_t i)
{
    np_flow_lengths *flow = &r->out->flow[i];
    char name[40];
    uint64_t theta;
    np_status st;
    snprintf(name, sizeof name, ",\n\"flow_%" PRIu32 "\": [", i);
    if ((st = take_named(r, name, UINT64_MAX, &flow->weight)) || (st = take_named(r, ",", UINT32_MAX, &theta)))
        return st;
    if (!theta)
        return refuse(r, "a theta of at least 1");
    flow->theta = (uint32_t)theta;
    if ((st = take(r, ",")) || (st = take_lengths(r, 1, &flow->length)))
        return st;
    return take(r, "]");
}

static np_status take_problem(reader *r)
{
    np_certificate *c = r->out;
    uint64_t nodes, arcs, demands;
    np_status st;
    if ((st = take(r, "{\n\"certificate\": \"" FORM "\"")) || (st = take_string(r, ",\n\"network\": ", &c->network)) ||
        (st = take_string(r, ",\n\"traffic\": ", &c->traffic)) ||
        (st = take_named(r, ",\n\"seed\": ", UINT64_MAX, &c->seed)) ||
        (st = take_named(r, ",\n\"nodes\": ", UINT32_MAX, &nodes)) ||
        (st = take_named(r, ",\n\"links\": ", UINT64_MAX, &c->links)) ||
        (st = take_named(r, ",\n\"arcs\": ", UINT32_MAX - 1, &arcs)) ||
        (st = take_named(r, ",\n\"packets\": ", UINT64_MAX, &c->packets)) ||
        (st = take_named(r, ",\n\"demands\": ", SIZE_MAX, &demands)))
        return st;
    c->nodes = (np_node)nodes;
    c->arcs = (uint32_t)arcs;
    c->demands = (size_t)demands;
    return NP_OK;
}

static np_status take_proofs(reader *r)
{
    np_certificate *c = r->out;
    uint64_t flows;
    np_status st;
    if ((st = take_quotient(r, ",\n\"high\": ", &c->high_top, &c->high_bottom)) || (st = take(r, ",\n\"lengths\": ")) ||
        (st = take_lengths(r, 0, &c->length)) || (st = take_quotient(r, ",\n\"low\": ", &c->low_top, &c->low_bottom)) ||
        (st = take_named(r, ",\n\"flows\": ", 1 << 20, &flows)) ||
        (st = np_memory_zeroed(&c->flow, flows, sizeof *c->flow, "the flows of a certificate")))
        return st;
    c->flows = (uint32_t)flows;
    for (uint32_t i = 0; i < c->flows; i++)
        if ((st = take_flow(r, i)))
            return st;
    return c->flows ? NP_OK : take_ways(r);
}

/* The end of the file, whose digest is that of what is before it. */
static np_status take_digest(reader *r, uint64_t before)
{
    char found[DIGEST_DIGITS + 1];
    np_status st = take(r, ",\n\"digest\": \"");
    if (st)
        return st;
    snprintf(found, sizeof found, "%0*" PRIx64, DIGEST_DIGITS, before);
    if ((st = take(r, found)))
        return NP_RAISE(NP_ERROR_INPUT,
                        "%.200s: the file is damaged: its digest is %.16s, and that of its contents is %s", r->path,
                        r->at, found);
    if ((st = take(r, "\"\n}\n")))
        return st;
    return *r->at ? refuse(r, "the end of the file") : NP_OK;
}

/* Where the digest of the text begins; its length: there is none. */
static size_t find_digest(const char *text, size_t length)
{
    static const char mark[] = ",\n\"digest\": \"";
    for (size_t at = length; at-- > 0;)
        if (!strncmp(text + at, mark, sizeof mark - 1))
            return at;
    return length;
}

np_status np_certificate_read(const char *path, char **text, np_certificate *out)
{
    size_t length;
    np_status st = np_text_read(path, text, &length);
    *out = (np_certificate){0};
    if (st || (st = np_memory_grow(text, length, length + 1, 1, "a certificate")))
        return st;
    (*text)[length] = '\0';
    reader r = {path, *text, *text, out};
    if (strlen(*text) != length)
        return NP_RAISE(NP_ERROR_INPUT, "%.200s: no certificate of netpram: it holds a zero byte", path);
    uint64_t before = digest(DIGEST_START, *text, find_digest(*text, length));
    if ((st = take_problem(&r)) || (st = take_proofs(&r)))
        return st;
    return take_digest(&r, before);
}

void np_certificate_clear_low(np_certificate *c)
{
    NP_MEMORY_FREE(c->flow, c->ways_of, c->way_weight, c->way_hops, c->way_arc);
    c->flow = NULL;
    c->ways_of = c->way_weight = c->way_hops = c->way_arc = NULL;
    c->flows = 0;
}

void np_certificate_clear(np_certificate *certificate)
{
    for (uint32_t i = 0; certificate->flow && i < certificate->flows; i++)
        np_memory_free(certificate->flow[i].length);
    np_certificate_clear_low(certificate);
    np_memory_free(certificate->length);
}
