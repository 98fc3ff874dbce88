/*
 * Networks: directed graphs given by arithmetic, not by stored lists.
 *
 * Nodes are 0 .. nodes-1. The links that leave node u are its ports 0 ..
 * ports-1. Link numbers order the links by (node they leave, port): on most
 * families link = u * ports + port. Where a node lacks a port (the border of
 * a mesh) that number is unused: links <= link_numbers.
 *
 * Packets go from terminals to terminals. On most families every node is a
 * terminal; some families send only at input nodes and receive only at output nodes.
 *
 * A network is immutable after np_network_create: any number of threads may
 * use it at once.
 */
#ifndef NETPRAM_NETWORK_H
#define NETPRAM_NETWORK_H

#include <stdbool.h>
#include <stddef.h>

#include "netpram/field.h"
#include "netpram/base.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct np_network np_network;

enum { NP_NAME_ROOM = 16 /**< room for the name of a node that is a number */ };

/**
 * Makes the network that a spec names: "hypercube:10", "shuffle:4x5",
 * "shuffle-exchange:12", "ccc:7", "butterfly:10", "mesh:64x64",
 * "torus:32x32x8", "array:100", "ring:100", "complete:64", "crossbar:8",
 * "tree:3x4", "binomial-tree:10", "mesh-of-trees:16", "star:6", "pancake:6",
 * "cayley:1230,1023", "butterfly-io:12", "fat-tree:5", "fat-tree-8:3",
 * "fat-tree-2:6", "omega:12", "inverse-omega:10", "universal:3",
 * "universal-3d:2", "product:complete:4,ring:6", "file:links.txt". NP_LIST_NETWORKS has the families.
 *
 * A file may be a list of links, a list of neighbours, Matrix Market, METIS or
 * DIMACS, with np_report_formats also GraphML or node-link JSON: docs/files.md.
 * Words between colons may follow the path: "undirected" or "directed";
 * "width=NAME", the attribute of a link that is its number of parallel links;
 * "delay=NAME" and "cost=NAME", the attributes that are the delay of a link
 * (which queues and flows heed) and its cost (which weighs shortest paths);
 * calls that do not heed them return NP_ERROR_APPLY;
 * "hosts=...", the nodes at which packets start and end (degree=1,
 * ATTRIBUTE=VALUE, file:PATH or names); "format=NAME".
 *
 * Behind any spec ":fail=SHARE:seed=SEED" (seed 1 without it) or ":fail=file:PATH" takes links down, as
 * np_network_fail does: "torus:8x8:fail=0.05:seed=7". A product fails as a whole. ":fail-switches=" takes switches
 * down.
 *
 * A spec may end in "@P": P hosts hang on every node, each by a link both ways, and packets go from host to host:
 * "torus:8x8@4". Host K of node S is called "sS.hK". For files it is the word "per-switch=P".
 *
 * @param spec  the text; np_network_spec gives it back byte for byte
 * @param out   receives the network, which the caller frees; NULL on error
 * @return NP_ERROR_INPUT: unknown family or malformed or out-of-range
 *         parameters (the message names the nearest valid choice), or a bad
 *         line in a file; NP_ERROR_APPLY: links have no number of that name; NP_ERROR_LIMIT: node or link numbers
 *         overflow 32 bits; NP_ERROR_IO; NP_ERROR_MEMORY
 */
np_status np_network_create(const char *spec, np_network **out) NP_CHECKED;

/**
 * Makes a network from a list of directed links (the "file" family without
 * the file). Ports of a node are numbered in the order of the list. Self-loops
 * and parallel links are allowed, as in the model.
 *
 * @param nodes   at least 1
 * @param from,to [links] ends of each link, below nodes
 * @param out     receives the network; its spec is "links"; NULL on error
 * @return NP_ERROR_INPUT: no nodes, or an end out of range; NP_ERROR_LIMIT: link numbers overflow 32 bits;
 *         NP_ERROR_MEMORY
 */
np_status np_network_from_links(np_node nodes, size_t links, const np_node *from, const np_node *to,
                                np_network **out) NP_CHECKED;

/** A network as lists: what np_network_from_lists makes a network of. All arrays are the caller's. */
typedef struct np_network_lists {
    np_node nodes;           /**< at least 1 */
    size_t links;            /**< entries of the lists */
    const np_node *from;     /**< [links] */
    const np_node *to;       /**< [links] */
    const uint32_t *width;   /**< [links] how many parallel links an entry is; NULL: 1 each */
    bool undirected;         /**< an entry is as many links back, too; a self-loop is not */
    const char *const *name; /**< [nodes] different names; NULL: the names are the numbers */
    size_t hosts;            /**< 0: every node is a terminal */
    const np_node *host;     /**< [hosts] the nodes at which packets start and end, in any order */
} np_network_lists;

/**
 * As np_network_from_links, with names, widths and hosts.
 * @return NP_ERROR_INPUT: no nodes, an end or a host out of range, a name twice; NP_ERROR_LIMIT: link numbers overflow
 *         32 bits, or the network takes more memory than there is; NP_ERROR_MEMORY
 */
np_status np_network_from_lists(const np_network_lists *lists, np_network **out) NP_CHECKED;

/**
 * Makes a copy of a network in which some links are down. Links go down in cables: a link with one that leads back, or
 * a link that has none, alone. Nodes, ports and link numbers stay; the numbers of links that are down are unused. The
 * copy counts as a network that is given by its links.
 *
 * @param which  a share of the cables, 0..1, as in "0.01", rounded to a whole number of cables that are drawn from the
 *               seed; or "file:PATH", a file of lines 'from to', one cable each
 * @param seed   of the draw
 * @param out    receives the network; NULL on error. Its spec makes it again, if that of `network` does:
 *               "torus:8x8:fail=0.05:seed=7"
 * @return NP_ERROR_INPUT: no share and no file, or a line that names no link; NP_ERROR_APPLY: packets do not start and
 *         end at all nodes; NP_ERROR_IO; NP_ERROR_MEMORY
 */
np_status np_network_fail(const np_network *network, const char *which, uint64_t seed, np_network **out) NP_CHECKED;

/**
 * The same for switches, which go down with all their links: a share of the nodes that are no hosts, as in "0.05"; or
 * "file:PATH", a file of their names. Its spec ends in ":fail-switches=0.05:seed=7".
 */
np_status np_network_fail_switches(const np_network *network, const char *which, uint64_t seed,
                                   np_network **out) NP_CHECKED;

/** Frees the network. NULL is allowed. */
void np_network_free(np_network *network);

/** The spec that makes this network again. Owned by the network. */
const char *np_network_spec(const np_network *network);
/** The family's name ("hypercube"). */
const char *np_network_family_name(const np_network *network);
/** Number of nodes N, at least 1. */
np_node np_network_nodes(const np_network *network);
/** Number of directed links. */
uint64_t np_network_links(const np_network *network);
/** One more than the largest link number. */
np_link np_network_link_numbers(const np_network *network);
/** Largest number of links that leave a node: the degree d of the model. */
np_port np_network_ports(const np_network *network);

/** Some of a network's nodes. */
typedef struct np_node_list {
    np_node count;
    const np_node *node; /**< [count] ascending; NULL: nodes 0 to count - 1 */
} np_node_list;

/** Number of terminals, numbered from 0: as many inputs as outputs. The number of nodes, if every node is one. */
np_node np_network_terminals(const np_network *network);
/** The node at which packets of terminal i start; terminals may share it. i < terminals; i itself if all nodes are. */
np_node np_network_input(const np_network *network, np_node i);
/** The node at which packets to terminal i end. i < terminals; i itself if all nodes are terminals. */
np_node np_network_output(const np_network *network, np_node i);
/** May packets start at `from` and end at `to`: are they an input and an output? */
bool np_network_serves(const np_network *network, np_node from, np_node to);

/** Number of dimensions of a mesh, torus, array or ring; 0 on other networks. */
unsigned np_network_dimensions(const np_network *network);
/**
 * Number of nodes along dimension i, below np_network_dimensions. Node numbers are row by row: node u has coordinate
 * u mod side in the last dimension, (u / side) mod the next side in the last but one, and so on.
 */
uint32_t np_network_side(const np_network *network, unsigned i);

/**
 * Are hosts told from switches? Networks from files may say so (np_network_create). Then the terminals are the hosts,
 * and np_network_input and np_network_output both give host i.
 */
bool np_network_has_hosts(const np_network *network);
/** May packets start and end at the node? True of every node of a network whose hosts are not told from switches. */
bool np_network_is_host(const np_network *network, np_node node);

/**
 * The name of a node: as its file has it, else its number.
 * @param room  [NP_NAME_ROOM], used where the name is a number
 * @return the name, which lasts as long as the network and the room
 */
const char *np_network_node_name(const np_network *network, np_node node, char *room);
/** The node of that name; NP_NONE if there is none. */
np_node np_network_find_node(const np_network *network, const char *name);

/** What was assumed when a file was read, one line ("links.txt: read as ..."); NULL: nothing. Owned by the network. */
const char *np_network_note(const np_network *network);

/** A number that the file of a network gives to its links: a capacity, a delay, a weight. */
typedef struct np_link_attribute {
    const char *name;    /**< as in the file */
    const char *unit;    /**< of the values: "bit/s", "s" or "m"; "": the file says none */
    const double *value; /**< [link_numbers] NAN: the file gives this link none. Parallel links that the file has in one
                              line have the value of the line */
} np_link_attribute;

/** The attributes of a network's links. *out: as many as the value returned, owned by the network. */
size_t np_network_attributes(const np_network *network, const np_link_attribute **out);
/** The attribute of that name; NULL if the links have none. */
const np_link_attribute *np_network_find_attribute(const np_network *network, const char *name);
/** The attribute that is the delay of links, by the word "delay=NAME" of the spec; NULL: none is. */
const np_link_attribute *np_network_delay(const np_network *network);
/** The attribute that is the cost of links, by the word "cost=NAME" of the spec; NULL: none is. */
const np_link_attribute *np_network_cost(const np_network *network);

/** What np_network_write wrote, and what a reader makes of it. */
typedef struct np_network_written {
    const char *format; /**< "dot" */
    uint64_t lines;     /**< lines of links: several parallel links may be one line, where the format has widths */
    bool undirected;    /**< a line is a link each way */
    bool node_numbers;  /**< a reader gives the nodes the same numbers */
    bool link_numbers; /**< and the links; else their order at a node may be another, or unused numbers are closed up */
    char lost[160];    /**< what the format does not keep: "names, hosts"; "": nothing */
} np_network_written;

/**
 * Writes a network into a file: its nodes, their names, hosts told from switches, links, and the numbers of links.
 * Lines of links are undirected if every link leads back and an undirected line can give links the same numbers; else
 * directed.
 *
 * @param path    ends in the name of the format: .dot, .gml, .graphml, .mtx (Matrix Market), .anynet (BookSim 2), .csv
 *                or .json (node-link); "-": the standard output. As np_output_open
 * @param format  its name, as in "dot" or "matrix-market"; NULL: by the path
 * @param out     receives what was written
 * @return NP_ERROR_INPUT: no such format; NP_ERROR_APPLY: the format cannot say this network, with the reason: a name,
 *         a node without links, links of one direction; NP_ERROR_IO, NP_ERROR_MEMORY. Then no file is written.
 */
np_status np_network_write(const np_network *network, const char *path, const char *format,
                           np_network_written *out) NP_CHECKED;

/** The fields of an np_network_written. */
extern const np_fields np_network_written_fields;

/** The node that `link` leads to; NP_NONE where the number is unused. link < link_numbers. */
np_node np_network_link_head(const np_network *network, np_link link);
/** The node that `link` leaves. */
np_node np_network_link_tail(const np_network *network, np_link link);
/** The number of the link at `port` of `node`; NP_NONE if the node has no such port. */
np_link np_network_link_at(const np_network *network, np_node node, np_port port);

/** A figure of a network that may have a formula and may be measurable. */
typedef struct np_figure {
    bool has_formula, measured_known;
    uint64_t formula;  /**< by the family's formula, if has_formula */
    uint64_t measured; /**< by search, if measured_known */
    const char *note;  /**< why one is missing or how it was measured; may be NULL */
    bool upper_bound;  /**< measured is at least the figure, and may be more */
    bool lower_bound;  /**< measured is at most the figure, and may be less */
    uint64_t needs;    /**< if the effort was too small: the effort that measures it at all, or exactly; 0: not
                         known */
} np_figure;

/** What people buy for a network of switches. A cable is a link with one that leads back, or a link that has none. */
typedef struct np_fabric_facts {
    bool known;                   /**< it is such a network: of a family of them, or hosts hang on its switches */
    bool measured;                /**< the figures from here on are known; `switches` and `hosts` always are */
    uint64_t switches;            /**< nodes that only forward; all nodes, if there are no hosts */
    uint64_t hosts;               /**< nodes at which packets start and end */
    uint64_t radix;               /**< the largest number of links that leave a switch */
    uint64_t cables, host_cables; /**< between switches; with a host at one end */
    uint64_t distance_sum;        /**< over all ordered pairs of different hosts, of switches if there are none, that
                                       a way joins */
    uint64_t distance_pairs;      /**< how many pairs these are; 0: not measured. The quotient is the mean distance */
    uint64_t cut_off;             /**< hosts outside of the connected part that has most of them */
    const char *note;             /**< why the distances were not measured; may be NULL */
    uint64_t needs;               /**< the effort that measures them; 0: they were */
} np_fabric_facts;

/** What `netpram info` prints. */
typedef struct np_network_facts {
    uint64_t nodes, links;
    np_figure degree;        /**< largest out-degree */
    np_figure diameter;      /**< largest directed distance in hops */
    np_figure bisection;     /**< fewest undirected links between two halves that differ by at most one node:
                                  a pair of opposite directed links counts once, self-loops never */
    bool regular;            /**< every in-degree and out-degree equals the degree */
    bool strongly_connected; /**< a way leads from every node to every other */
    bool connection_known;   /**< `regular`, `strongly_connected` and `connected` are known: by search, or by the
                                  family's promise if the effort is too small. A network given by its links
                                  promises nothing: without a search all four are false */
    np_figure node_count, link_count; /**< formula: the family's; measured: nodes met by a search over links from
                                           one node of each part, links that lead somewhere */
    np_figure symmetry; /**< 1: some automorphism takes any node to any other (ports do not matter), 0: not so.
                             formula: 1 by construction of the family, or none. measured: exact */
    bool connected;     /**< as strongly_connected, but links may be crossed both ways */
    uint64_t parts;     /**< connected parts, if known; else 0 */
    np_node no_way_from, no_way_to; /**< two nodes, the second not reached from the first, in different parts if
                                         there are several; NP_NONE if there are none or none is known */
    np_fabric_facts fabric;         /**< of networks of switches */
} np_network_facts;

/**
 * The facts of a network, by formula and by measurement. The diameter is
 * measured by breadth-first search from every node (from node 0 if the family is
 * node-symmetric), if this takes at most `effort` and 1e8 link visits. Else the search
 * starts from some nodes, which often proves the diameter, or gives a lower bound.
 * The bisection is found by exhaustive search if it takes at most `effort` cuts;
 * else METIS, if the library was built with it, gives an upper bound. METIS draws
 * from the C library's rand(), with a state of its own. Threads that measure take
 * turns there. The bound can change only if another thread of the program calls
 * rand() or srand() at the same time. Node symmetry is decided by a search for
 * automorphisms of at most `effort` link visits.
 *
 * @param effort  0 asks for formulas only; 1e8 takes a second or two
 * @return NP_ERROR_MEMORY only
 */
np_status np_network_measure(const np_network *network, uint64_t effort, np_network_facts *facts) NP_CHECKED;

/**
 * The same, watched: the stages are what is being measured, and the share is the share of its effort that is spent. A
 * watch that cancels ends the call after the stage. watch may be NULL.
 * @return NP_ERROR_MEMORY, NP_ERROR_CANCELLED
 */
np_status np_network_measure_watched(const np_network *network, uint64_t effort, const np_watch *watch,
                                     np_network_facts *facts) NP_CHECKED;

/**
 * Is the network connected, if links may be crossed both ways? The families are. A network given by its links is
 * searched, in time O(nodes + links).
 *
 * @return NP_ERROR_INPUT: no, and two nodes that no way joins; NP_ERROR_MEMORY
 */
np_status np_network_check_connected(const np_network *network) NP_CHECKED;

/**
 * Audits the network: every link number maps to (node, port) and back, heads
 * are in range, unused numbers are consistent, in-degree = out-degree = ports
 * where the family promises a regular graph. Cost O(link numbers).
 *
 * @return NP_OK, or NP_ERROR_INTERNAL with the first violation in words
 */
np_status np_network_audit(const np_network *network) NP_CHECKED;

/** What can be asked of every network: spec, nodes, links; and terminals and family besides. */
extern const np_fields np_network_fields, np_network_whole_fields;
/** The fields of an np_figure, and of np_network_facts. */
extern const np_fields np_figure_fields, np_network_facts_fields;
/* ---- Networks of one's own ---- */

/**
 * A family of networks. The library's own families are descriptors of this type, and a program registers others with
 * np_network_register. From then on every function that takes a spec takes their specs. examples/own_network.c is an
 * example.
 *
 * On a registered family every node is a terminal. The path rule "shortest" routes on it. A path rule of the family's
 * own (np_path_register) can be faster.
 *
 * The library trusts a family. np_network_audit checks what heads() answers.
 *
 * Threads: several threads call the callbacks at once. What a callback does depends on its arguments alone.
 */
typedef struct np_network_family {
    /** name, help, source, parameters ("N,C") and example ("chordal-ring:12,4") are required. */
    np_entry info;
    bool regular;        /**< every in-degree and out-degree is the number of ports */
    bool node_symmetric; /**< some automorphism takes any node to any other */
    bool one_way;        /**< no link leads back: the network is not strongly connected */

    /**
     * Reads the text after "name:" and calls np_network_shape. It may call np_network_allocate. Required.
     * @return NP_OK; else an error raised with np_status_raise, whose message names the nearest valid parameters:
     *         NP_ERROR_INPUT or NP_ERROR_LIMIT, or what np_network_allocate returned
     */
    np_status (*create)(np_network *network, const char *parameters);

    /**
     * head[i] = the node that link[i] leads to, or NP_NONE if there is no such link, for i below count. Link number
     * u * ports + p is port p of node u, and link[i] is below nodes * ports. The arrays do not overlap. Required. (The
     * library's families that are given by lists of links have none.)
     */
    void (*heads)(const np_network *network, size_t count, const np_link *link, np_node *head);

    /** Number of links that lead somewhere. NULL: nodes * ports. */
    uint64_t (*count_links)(const np_network *network);

    /** Largest number of links that leave a node. NULL: ports. */
    uint64_t (*degree)(const np_network *network);

    /** Formulas for the figures of np_network_facts: sets *out, or returns false if none is known. NULL: none is. */
    bool (*diameter)(const np_network *network, uint64_t *out);
    bool (*bisection)(const np_network *network, uint64_t *out);

    /**
     * For node-symmetric families that have a formula for it: the image of v under an automorphism that takes u to node
     * 0 and keeps port numbers. It gives shortest paths from one table of N bytes. NULL: there is none.
     */
    np_node (*relative)(const np_network *network, np_node u, np_node v);

    /* The library's own members: 0 and NULL in other families. */
    int kind;                                               /**< an np_kind */
    bool given;                                             /**< by its links: it promises nothing and has no formula */
    np_node (*input)(const np_network *network, np_node i); /**< the node of input i, if that is not i */
    const struct np_linear *linear;                         /**< the diameter, in place of the function */
} np_network_family;

/**
 * Adds a family, which must remain valid until the process ends, with its texts. Any thread may call it at any time.
 *
 * @return NP_ERROR_INPUT: the name or an alias is ill-formed (a letter, then letters, digits and '-', 31 characters at
 *         most) or taken, something that is required is missing, or a member of the library's own is set;
 *         NP_ERROR_LIMIT: 1024 descriptors are registered already. After an error nothing has changed.
 */
np_status np_network_register(const np_network_family *family) NP_CHECKED;

/**
 * For create() only. Sets the number of nodes, at least 1, and the number of ports of every node. ports is at least 1
 * if there are several nodes. np_network_create returns NP_ERROR_LIMIT if nodes * ports is 2^32 - 1 or more.
 */
void np_network_shape(np_network *network, np_node nodes, np_port ports);

/**
 * For create() only, and once for each network. Allocates memory of the network's own, set to zero. np_network_free
 * frees it.
 * @param out  receives a pointer to the memory: the address of a pointer to any type
 * @return NP_ERROR_MEMORY
 */
np_status np_network_allocate(np_network *network, size_t bytes, void *out) NP_CHECKED;

/** The memory of np_network_allocate; NULL if there is none. */
const void *np_network_own(const np_network *network);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
