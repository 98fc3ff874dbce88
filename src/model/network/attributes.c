/* A network's attributes: a value for each link number. */
#include "model/network/attributes.h"

#include <string.h>

#include "base/memory.h"

static const char what[] = "the attributes of a network's links";

void np_attributes_clear(np_network *network)
{
    for (size_t i = 0; i < network->attributes; i++) {
        np_memory_free((char *)network->attribute[i].name);
        np_memory_free((double *)network->attribute[i].value);
    }
    np_memory_free(network->attribute);
}

np_status np_attributes_copy(const np_network *from, np_network *network)
{
    np_status st = NP_OK;
    if (!from->attributes ||
        (st = np_memory_zeroed(&network->attribute, from->attributes, sizeof *from->attribute, what)))
        return st;
    for (size_t i = 0; i < from->attributes; i++) {
        const np_link_attribute *attribute = &from->attribute[i];
        double *value = NULL;
        char *name = np_memory_text(attribute->name);
        network->attribute[network->attributes++] = (np_link_attribute){name, attribute->unit, NULL};
        if (!name)
            return np_status_last();
        if ((st = np_memory_array(&value, from->link_numbers, sizeof *value, what)))
            return st;
        network->attribute[i].value = memcpy(value, attribute->value, from->link_numbers * sizeof *value);
    }
    return NP_OK;
}

size_t np_network_attributes(const np_network *network, const np_link_attribute **out)
{
    *out = network->attribute;
    return network->attributes;
}

const np_link_attribute *np_network_find_attribute(const np_network *network, const char *name)
{
    for (size_t i = 0; i < network->attributes; i++)
        if (!strcmp(network->attribute[i].name, name))
            return &network->attribute[i];
    return NULL;
}
