/* A collective operation as CSV: one line for what was done and, with a comparison, one for each other algorithm. */
#include <inttypes.h>
#include <string.h>

#include "netpram/output.h"
#include "report/collective.h"
#include "report/csv.h"

static void subject(const np_collective_result *r, const char *algorithm, const char *ports, FILE *stream)
{
    np_csv_text(r->network, stream);
    np_csv_text(r->operation, stream);
    np_csv_text(algorithm, stream);
    np_csv_text(ports, stream);
    fprintf(stream, r->rooted ? "%u," : ",", r->root);
    np_csv_text(r->traffic ? r->traffic : "", stream);
    fprintf(stream, "%" PRIu64 ",%" PRIu64 ",%.15g,%.15g,%.15g,", r->seed, r->nodes, r->size, r->cv, r->ca);
}

static void count(uint64_t value, bool known, FILE *stream) { fprintf(stream, known ? "%" PRIu64 "," : ",", value); }

static void done(const np_collective_result *r, FILE *stream)
{
    const np_collective_figure *f = &r->formula, *b = &r->bound;
    subject(r, r->algorithm, r->ports, stream);
    count(r->flits, r->flits, stream);
    fprintf(stream, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.15g,", r->packets, r->rounds, r->steps,
            r->transfers, r->cost);
    count(f->rounds, r->has_formula, stream);
    count(f->steps, r->has_formula, stream);
    fprintf(stream, r->has_formula ? "%.15g," : ",", f->cost);
    fprintf(stream, "%" PRIu64 ",%" PRIu64 ",%.15g\n", b->rounds, b->steps, b->cost);
}

/* Not done: nothing is measured, and the bound may be another, as the ports may be. */
static void compared(const np_collective_result *r, const np_collective_candidate *c, FILE *stream)
{
    subject(r, c->algorithm, "", stream);
    count(c->flits, c->flits, stream);
    fprintf(stream, ",,,,,%" PRIu64 ",%" PRIu64 ",%.15g,,,\n", c->rounds, c->steps, c->cost);
}

np_status np_report_collective_csv(const np_collective_result *result, const np_report_collective_options *more,
                                   FILE *stream)
{
    np_collective_candidate candidate[NP_COLLECTIVE_MODELS];
    fputs("network,operation,algorithm,ports,root,traffic,seed,nodes,size,cv,ca,flits,packets,rounds,steps,transfers,"
          "cost,formula_rounds,formula_steps,formula_cost,bound_rounds,bound_steps,bound_cost\n",
          stream);
    done(result, stream);
    if (more->models)
        np_collective_compare(more->models, more->model, more->collective, candidate);
    for (size_t i = 0; i < more->models; i++)
        if (strcmp(candidate[i].algorithm, result->algorithm))
            compared(result, &candidate[i], stream);
    return np_output_check(stream, "the report");
}
