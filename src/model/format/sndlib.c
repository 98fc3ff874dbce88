/* Tokens are words and parentheses; lines do not matter, but for META, whose lines may hold anything. */
#include "model/format/sndlib.h"

#include <string.h>
#include <strings.h>

#include "base/decimal.h"

static const char what[] = "an SNDlib network";
static const char banner[] = "?SNDlib native format";

bool np_sndlib_recognizes(np_text text)
{
    np_scan scan = np_scan_begin(&text, what);
    return np_scan_line(&scan) && (size_t)(scan.end - scan.at) >= strlen(banner) &&
           !strncasecmp(scan.at, banner, strlen(banner));
}

/* ---- Tokens ---- */

/* Is there another token? */
static bool more(np_scan *scan)
{
    while (np_scan_at_end(scan))
        if (!np_scan_line(scan))
            return false;
    return true;
}

static bool mark(np_scan *scan, const char *parenthesis) { return more(scan) && np_scan_mark(scan, parenthesis); }

static bool word(np_scan *scan, np_text_field *out) { return more(scan) && np_scan_word(scan, "()", out); }

static bool number(np_scan *scan, np_text_field *out) { return more(scan) && np_scan_number(scan, "()", out); }

/* "UNLIMITED" */
static bool unlimited(np_scan *scan)
{
    np_scan before = *scan;
    np_text_field field;
    if (word(scan, &field) && field.length == 9 && !strncasecmp(field.at, "UNLIMITED", 9))
        return true;
    if (scan->text->whole.at == before.text->whole.at)
        scan->at = before.at;
    return false;
}

/* "( Oslo Bergen )" */
static np_status read_pair(np_scan *scan, np_text_field *from, np_text_field *to)
{
    return mark(scan, "(") && word(scan, from) && word(scan, to) && mark(scan, ")")
               ? NP_OK
               : np_scan_refuse(scan, "two nodes in parentheses");
}

/* ---- Sections: each reads what is behind the opening parenthesis, and the closing one ---- */

static np_status read_node(np_scan *scan, const np_sndlib_use *use, np_text_field name)
{
    np_text_field x, y;
    np_status st = use->node ? use->node(use->context, scan, name) : NP_OK;
    if (st || !mark(scan, "("))
        return st;
    return number(scan, &x) && number(scan, &y) && mark(scan, ")") ? NP_OK
                                                                   : np_scan_refuse(scan, "two coordinates and ')'");
}

static np_status read_modules(np_scan *scan, np_sndlib_link *link)
{
    np_text_field capacity, cost;
    if (!mark(scan, "("))
        return np_scan_refuse(scan, "the modules of a link in parentheses");
    while (!mark(scan, ")")) {
        bool endless = unlimited(scan);
        if ((!endless && !number(scan, &capacity)) || !number(scan, &cost))
            return np_scan_refuse(scan, "the capacity and the cost of a module, or ')'");
        if (!endless && !link->module.length)
            link->module = capacity;
    }
    return NP_OK;
}

static np_status read_link(np_scan *scan, const np_sndlib_use *use, np_text_field name)
{
    np_sndlib_link link = {.module = {NULL, 0}};
    np_text_field cost;
    np_status st;
    (void)name;
    if ((st = read_pair(scan, &link.from, &link.to)))
        return st;
    if (!number(scan, &link.capacity) || !number(scan, &cost) || !number(scan, &link.routing_cost) ||
        !number(scan, &link.setup_cost))
        return np_scan_refuse(scan, "the four numbers of a link");
    if ((st = read_modules(scan, &link)))
        return st;
    return use->link ? use->link(use->context, scan, &link) : NP_OK;
}

static np_status read_demand(np_scan *scan, const np_sndlib_use *use, np_text_field name)
{
    np_sndlib_demand demand;
    np_text_field unit, most;
    double one;
    np_status st;
    (void)name;
    if ((st = read_pair(scan, &demand.source, &demand.destination)))
        return st;
    if (!number(scan, &unit) || !number(scan, &demand.value) || (!unlimited(scan) && !number(scan, &most)))
        return np_scan_refuse(scan, "the routing unit, the value and the longest path of a demand");
    if (!np_decimal_real(unit, &one) || one < 1 || one > 1)
        return np_text_raise(scan->text, NP_ERROR_INPUT, "a routing unit of %s: only 1 is read",
                             np_text_show_field(unit).text);
    return use->demand ? use->demand(use->context, scan, &demand) : NP_OK;
}

/* One entry after the other, each with a name. */
static np_status read_entries(np_scan *scan, const np_sndlib_use *use,
                              np_status (*entry)(np_scan *scan, const np_sndlib_use *use, np_text_field name))
{
    np_text_field name;
    np_status st = NP_OK;
    while (!st && !mark(scan, ")"))
        st = word(scan, &name) ? entry(scan, use, name) : np_scan_refuse(scan, "an entry, or ')'");
    return st;
}

static np_status skip_lines(np_scan *scan)
{
    bool closed = np_scan_mark(scan, ")");
    while (!closed && np_scan_line(scan))
        closed = np_scan_mark(scan, ")");
    return closed ? NP_OK : np_scan_refuse(scan, "')'");
}

static np_status skip_balanced(np_scan *scan)
{
    np_text_field field;
    for (uint64_t depth = 1; depth;) {
        if (mark(scan, "("))
            depth++;
        else if (mark(scan, ")"))
            depth--;
        else if (!word(scan, &field))
            return np_scan_refuse(scan, "')'");
    }
    return NP_OK;
}

/* ---- The file ---- */

static np_status read_section(np_scan *scan, const np_sndlib_use *use, np_sndlib_sections *sections)
{
    np_text section = {.field = {{NULL, 0}}};
    if (!word(scan, &section.field[0]) || !mark(scan, "("))
        return np_scan_refuse(scan, "a section, as in 'NODES ('");
    if (np_text_is(&section, 0, "META"))
        return skip_lines(scan);
    if (np_text_is(&section, 0, "NODES")) {
        sections->nodes = true;
        return read_entries(scan, use, read_node);
    }
    if (np_text_is(&section, 0, "LINKS")) {
        sections->links = true;
        return read_entries(scan, use, read_link);
    }
    if (np_text_is(&section, 0, "DEMANDS")) {
        sections->demands = true;
        return read_entries(scan, use, read_demand);
    }
    if (np_text_is(&section, 0, "ADMISSIBLE_PATHS")) {
        sections->paths = true;
        return skip_balanced(scan);
    }
    return np_text_raise(scan->text, NP_ERROR_INPUT,
                         "'%s' is no section of %s: these are META, NODES, LINKS, DEMANDS and ADMISSIBLE_PATHS",
                         np_text_show_field(section.field[0]).text, what);
}

/* The first line: "type: network; version: 1.0" follows. */
static np_status read_banner(np_scan *scan)
{
    if (!np_scan_line(scan) || !np_scan_mark(scan, "?"))
        return np_scan_refuse(scan, "'%s; type: network; version: 1.0'", banner);
    np_scan rest = *scan;
    np_text_field field;
    while (np_scan_word(&rest, ";", &field) || np_scan_mark(&rest, ";")) {
        if (field.length == 5 && !memcmp(field.at, "type:", 5) && !np_scan_is(&rest, "network;"))
            return np_scan_refuse(&rest, "'type: network': models and solutions are not read");
        if (field.length == 8 && !memcmp(field.at, "version:", 8) && !np_scan_is(&rest, "1.0"))
            return np_scan_refuse(&rest, "'version: 1.0'");
    }
    return NP_OK;
}

np_status np_sndlib_read(np_text *text, const np_sndlib_use *use, np_sndlib_sections *sections)
{
    np_scan scan = np_scan_begin(text, what);
    np_status st;
    *sections = (np_sndlib_sections){false, false, false, false};
    if ((st = read_banner(&scan)))
        return st;
    scan.at = scan.end;
    while (!st && more(&scan))
        st = read_section(&scan, use, sections);
    return st;
}
