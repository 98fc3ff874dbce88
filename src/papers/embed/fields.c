/* The fields of embeddings: what is measured and stated, and what steps of the guest cost the host. */
#include "netpram/embed.h"

static const np_field facts_rows[] = {
    {"load", NP_FIELD_U32, offsetof(np_embedding_facts, load), .unit = "nodes",
     .help = "most guest nodes at one host node"},
    {"dilation", NP_FIELD_U32, offsetof(np_embedding_facts, dilation), .unit = "links", .help = "most on one path"},
    {"congestion", NP_FIELD_U32, offsetof(np_embedding_facts, congestion), .unit = "paths",
     .help = "most over one directed link of the host"},
    {"expansion", NP_FIELD_REAL, offsetof(np_embedding_facts, expansion), .help = "host nodes for each guest node"},
    {"stated.load", NP_FIELD_U32, offsetof(np_embedding_facts, stated.load), .flags = NP_FIELD_ZERO,
     .help = "as the source states it for this guest and host; `null` where it does not, and for maps"},
    {"stated.dilation", NP_FIELD_U32, offsetof(np_embedding_facts, stated.dilation), .flags = NP_FIELD_ZERO,
     .help = "likewise"},
    {"stated.congestion", NP_FIELD_U32, offsetof(np_embedding_facts, stated.congestion), .flags = NP_FIELD_ZERO,
     .help = "likewise"},
    {"stated.expansion", NP_FIELD_REAL, offsetof(np_embedding_facts, stated.expansion), .flags = NP_FIELD_ZERO,
     .help = "likewise"},
    {"agrees", NP_FIELD_BOOL, offsetof(np_embedding_facts, agrees),
     .help = "nothing that is stated differs from what is measured; else the exit status is 1"},
    {"dilation_mean", NP_FIELD_REAL, offsetof(np_embedding_facts, dilation_mean), .unit = "links",
     .help = "over the guest's links"},
    {"hops", NP_FIELD_U64, offsetof(np_embedding_facts, hops), .unit = "links", .help = "of all paths"},
    {"congestion_both", NP_FIELD_U32, offsetof(np_embedding_facts, congestion_both), .unit = "paths",
     .help = "most over a link and the opposite one together"},
    {"reverses", NP_FIELD_BOOL, offsetof(np_embedding_facts, reverses),
     .help = "the path of a link is that of the opposite link reversed, for all links that have one"},
};

const np_fields np_embedding_facts_fields =
    NP_FIELDS("embedding_facts", "an embedding", np_embedding_facts, facts_rows);

static const np_field run_rows[] = {
    {"guest_steps", NP_FIELD_U32, offsetof(np_embedding_run_result, guest_steps), .help = "steps of the guest"},
    {"least", NP_FIELD_U32, offsetof(np_embedding_run_result, least), .unit = "steps",
     .help = "of the host that any schedule of one guest step takes"},
    {"scheduled.steps", NP_FIELD_U32, offsetof(np_embedding_run_result, scheduled), .unit = "steps",
     .help = "of the schedule found off line"},
    {"scheduled.total", NP_FIELD_U64, offsetof(np_embedding_run_result, scheduled_total), .unit = "steps",
     .help = "of all guest steps by it"},
    {"scheduled.tries", NP_FIELD_U32, offsetof(np_embedding_run_result, tries), .help = "schedules tried"},
    {"queued.steps", NP_FIELD_SUMMARY, offsetof(np_embedding_run_result, queued), .flags = NP_FIELD_WHOLE,
     .unit = "steps", .help = "by FIFO queues, over the guest steps"},
    {"queued.total", NP_FIELD_U64, offsetof(np_embedding_run_result, queued_total), .unit = "steps",
     .help = "of all guest steps by queues"},
    {"queued.queue_max", NP_FIELD_U32, offsetof(np_embedding_run_result, queue_max), .unit = "packets",
     .help = "most in one queue"},
};

const np_fields np_embedding_run_result_fields =
    NP_FIELDS("embedding_run_result", "a run", np_embedding_run_result, run_rows);

static const np_field guest_rows[] = {
    {"packets", NP_FIELD_U32, offsetof(np_embedding_guest_result, packets), .help = "of the traffic"},
    {"guest_steps", NP_FIELD_U32, offsetof(np_embedding_guest_result, guest_steps),
     .help = "that they take on the guest"},
    {"busy_steps", NP_FIELD_U32, offsetof(np_embedding_guest_result, busy_steps),
     .help = "those in which a packet moves: the summaries are over them"},
    {"hops", NP_FIELD_U64, offsetof(np_embedding_guest_result, hops), .unit = "links", .help = "crossed on the guest"},
    {"least.steps", NP_FIELD_SUMMARY, offsetof(np_embedding_guest_result, least), .flags = NP_FIELD_WHOLE,
     .unit = "steps", .help = "the larger of congestion and dilation of the links that the guest step crosses"},
    {"least.total", NP_FIELD_U64, offsetof(np_embedding_guest_result, least_total), .unit = "steps", .help = "in all"},
    {"scheduled.steps", NP_FIELD_SUMMARY, offsetof(np_embedding_guest_result, scheduled), .flags = NP_FIELD_WHOLE,
     .unit = "steps", .help = "by the schedule of a full step"},
    {"scheduled.total", NP_FIELD_U64, offsetof(np_embedding_guest_result, scheduled_total), .unit = "steps",
     .help = "in all"},
    {"queued.steps", NP_FIELD_SUMMARY, offsetof(np_embedding_guest_result, queued), .flags = NP_FIELD_WHOLE,
     .unit = "steps", .help = "by FIFO queues"},
    {"queued.total", NP_FIELD_U64, offsetof(np_embedding_guest_result, queued_total), .unit = "steps",
     .help = "in all"},
    {"queued.queue_max", NP_FIELD_U32, offsetof(np_embedding_guest_result, queue_max), .unit = "packets",
     .help = "most in one queue"},
    {"full_total", NP_FIELD_U64, offsetof(np_embedding_guest_result, full_total), .unit = "steps",
     .help = "busy steps times the schedule of a full step"},
};

const np_fields np_embedding_guest_result_fields =
    NP_FIELDS("embedding_guest_result", "a guest's packets", np_embedding_guest_result, guest_rows);
