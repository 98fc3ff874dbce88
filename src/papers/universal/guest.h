/* Guests of universal networks: the network or the buses to simulate, as lists. */
#pragma once

#include "base/text.h"
#include "netpram/universal.h"

/* A node's place in the guest's layout. */
typedef struct np_guest_point {
    uint32_t at[3]; /* x, y, z; z is 0 in the plane */
    np_node node;
    uint32_t line; /* its line in the layout's file, else 0 */
} np_guest_point;

typedef struct np_guest_box {
    uint32_t at[3], extent[3];
} np_guest_box;

/* The least box around the points; every extent is at least 1. */
np_guest_box np_guest_box_around(const np_guest_point *point, uint32_t count);

/* A group is the members whose packets go to one place: a bus with its nodes, or a link with its tail as one member. */
typedef struct np_guest {
    const np_network *network; /* borrowed; NULL with buses, whose nodes are numbers */
    uint32_t nodes;
    bool buses;
    uint32_t groups;
    size_t members;               /* room of member: row[groups] or more */
    uint32_t *row;                /* [groups + 1] */
    np_node *member;              /* [row[groups]] all different in a group */
    np_node *head;                /* [groups] the head of a link; NULL with buses */
    np_link *link;                /* [groups] its number in the network, ascending; NULL with buses */
    uint32_t *number;             /* [groups] in a part of a guest: the groups' numbers in the whole; else NULL */
    const struct np_guest *whole; /* in a part of a guest: the whole guest, borrowed; else NULL */
    void *block;                  /* the arrays above */
    uint64_t links;
    np_universal_map map;
    np_guest_point *point; /* [nodes] all at different places, smallest coordinates 0; NULL without coordinates */
    uint32_t extent[3];    /* the sides of the least rectangle, or box, around the points */
} np_guest;

/* The whole guest, of a part or of the whole itself; and the number that a group has there. */
static inline const np_guest *np_guest_whole(const np_guest *guest) { return guest->whole ? guest->whole : guest; }

static inline uint32_t np_guest_number(const np_guest *guest, uint32_t group)
{
    return guest->number ? guest->number[group] : group;
}

/*
 * The guest that np_universal_simulate describes. volume: places may be in space. out is zeroed before; clear it in any
 * case.
 */
np_status np_guest_of_network(const np_network *network, bool volume, np_guest *out) NP_CHECKED;

/* Takes memory for guest->groups and guest->members; the other members say which arrays. NP_ERROR_MEMORY. */
np_status np_guest_reserve(np_guest *guest) NP_CHECKED;

/*
 * Reads the buses from a text of `length` bytes; name is the file's, for messages. NP_ERROR_INPUT, NP_ERROR_LIMIT,
 * NP_ERROR_MEMORY. out as above.
 */
np_status np_guest_parse_buses(const char *name, const char *text, size_t length, np_guest *out) NP_CHECKED;

/* Places the nodes by the text of a layout. The same errors. */
np_status np_guest_parse_layout(np_guest *guest, bool volume, const char *name, const char *text,
                                size_t length) NP_CHECKED;

/* The group of a link of the network; `groups` if the link joins no two nodes. O(log groups). */
uint32_t np_guest_group_of(const np_guest *guest, np_link link);

/* In a guest of links: the first group whose tail is not below the node. O(log groups). */
uint32_t np_guest_first_group(const np_guest *guest, np_node tail);

/* *out = the node that field `field` of a line names. */
np_status np_guest_read_node(const np_guest *guest, const np_text *text, size_t field, const char *what,
                             np_node *out) NP_CHECKED;

/* Its name. room: [NP_NAME_ROOM] */
const char *np_guest_node_name(const np_guest *guest, np_node node, char *room);

/* The same in a message; it lasts as long as the guest and the block in which this stands. */
#define NP_GUEST_NODE(guest, node) np_guest_node_name((guest), (node), (char[NP_NAME_ROOM]){0})

/* Forgets the coordinates. */
void np_guest_displace(np_guest *guest);

void np_guest_clear(np_guest *guest);
