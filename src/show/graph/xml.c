/* expat tells elements in the order of the text. A fault stops it: then no handler of a format is called any more. */
#include "show/graph/xml_graph.h"

#include "base/room.h"

const char *np_xml_attribute(const char **attributes, const char *name)
{
    for (; *attributes; attributes += 2)
        if (!strcmp(attributes[0], name))
            return attributes[1];
    return NULL;
}

void np_xml_collect(np_xml *xml)
{
    xml->collects = true;
    xml->length = 0;
}

static np_status append(np_xml *xml, const char *text, size_t length)
{
    np_status st = np_memory_need(&xml->value, xml->length, xml->length + length + 1, &xml->room, 1, "a text of XML");
    if (st)
        return st;
    memcpy(xml->value + xml->length, text, length);
    xml->length += length;
    return NP_OK;
}

const char *np_xml_take(np_xml *xml)
{
    xml->collects = false;
    if (!xml->status)
        xml->status = append(xml, "", 1);
    return xml->status ? "" : xml->value;
}

#ifdef NETPRAM_EXPAT

#include <expat.h>

enum { PIECE = 1 << 20 }; /* ours; expat counts in ints */

static const char *local(const char *name)
{
    const char *colon = strrchr(name, ':');
    return colon ? colon + 1 : name;
}

/* Takes the line; false: there was a fault before. A stopped parser still ends what it has begun. */
static bool goes_on(np_xml *xml)
{
    xml->text.line = xml->status ? xml->text.line : XML_GetCurrentLineNumber(xml->parser);
    return !xml->status;
}

static void stop_at_fault(np_xml *xml)
{
    if (xml->status)
        XML_StopParser(xml->parser, XML_FALSE);
}

static void XMLCALL begin(void *context, const XML_Char *name, const XML_Char **attributes)
{
    np_xml *xml = context;
    if (!goes_on(xml))
        return;
    name = local(name);
    if (!xml->seen && strcmp(name, xml->root) != 0)
        xml->status =
            np_text_raise(&xml->text, NP_ERROR_INPUT, "an XML file of '%.40s': only GraphML and GEXF are read", name);
    xml->seen = true;
    if (!xml->status)
        xml->begin(xml, name, attributes);
    stop_at_fault(xml);
}

static void XMLCALL end(void *context, const XML_Char *name)
{
    np_xml *xml = context;
    if (!goes_on(xml))
        return;
    xml->end(xml, local(name));
    stop_at_fault(xml);
}

static void XMLCALL characters(void *context, const XML_Char *text, int length)
{
    np_xml *xml = context;
    if (!xml->collects || xml->status)
        return;
    xml->status = append(xml, text, (size_t)length);
    stop_at_fault(xml);
}

/* Feeds the whole text piece by piece. */
static np_status parse(np_xml *xml, const np_text *text)
{
    const char *at = text->at;
    for (bool last = false; !last;) {
        size_t length = (size_t)(text->end - at) < PIECE ? (size_t)(text->end - at) : PIECE;
        last = at + length == text->end;
        if (XML_Parse(xml->parser, at, (int)length, last) != XML_STATUS_OK) {
            if (xml->status)
                return xml->status;
            if (XML_GetErrorCode(xml->parser) == XML_ERROR_NO_MEMORY)
                return NP_ERROR_MEMORY; /* np_memory_lend says what was wanted */
            xml->text.line = XML_GetCurrentLineNumber(xml->parser);
            return np_text_raise(&xml->text, NP_ERROR_INPUT, "this is no XML: %s",
                                 XML_ErrorString(XML_GetErrorCode(xml->parser)));
        }
        at += length;
    }
    return xml->status;
}

np_status np_xml_read(np_xml *xml, np_text *text)
{
    static const XML_Memory_Handling_Suite memory = {np_memory_lend, np_memory_lend_again, np_memory_free};
    np_status st;
    xml->text = *text;
    if (!(xml->parser = XML_ParserCreate_MM(NULL, &memory, NULL)))
        return NP_ERROR_MEMORY;
    XML_SetUserData(xml->parser, xml);
    XML_SetElementHandler(xml->parser, begin, end);
    XML_SetCharacterDataHandler(xml->parser, characters);
    st = parse(xml, text);
    XML_ParserFree(xml->parser);
    np_memory_free(xml->value);
    text->line = xml->text.line;
    return st;
}

#else

np_status np_xml_read(np_xml *xml, np_text *text)
{
    text->line = 1;
    return np_text_raise(text, NP_ERROR_APPLY,
                         "%s cannot be read: netpram was built without expat. Build it again with libexpat1-dev, or "
                         "write a list of links",
                         xml->format);
}

#endif
