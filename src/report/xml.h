/* XML of graphs, by expat: elements with their lines, and the text in them. For GraphML and GEXF. */
#ifndef NP_REPORT_XML_H
#define NP_REPORT_XML_H

#include <string.h>

#include "base/text.h"

typedef struct np_xml np_xml;

/* A reader of a format begins with it. */
struct np_xml {
    const char *root;   /* the name of the outermost element, "graphml" */
    const char *format; /* for people: "GraphML" */
    /* An element begins or ends; names are without the prefix of their namespace. Faults are put into `status`. */
    void (*begin)(np_xml *xml, const char *name, const char **attributes);
    void (*end)(np_xml *xml, const char *name);

    np_text text; /* where we are, for messages */
    np_status status;
    bool collects; /* the text between elements is kept in `value` */
    char *value;
    size_t length, room;
    bool seen; /* the outermost element was there */
    void *parser;
};

/* Reads the text, which the format begins with; the text's line is then that of the end or of the fault. */
np_status np_xml_read(np_xml *xml, np_text *text) NP_CHECKED;

/* The attribute of that name; NULL: there is none. */
const char *np_xml_attribute(const char **attributes, const char *name);

/* Text is kept from now on, until it is taken; it is valid until the next one begins. */
void np_xml_collect(np_xml *xml);
const char *np_xml_take(np_xml *xml);

static inline np_text_field np_xml_field(const char *text) { return (np_text_field){text, strlen(text)}; }

#endif
