/*
 * A program is written for a torus, but the machine is a mesh. What do the
 * links that wrap round cost? The program puts an 8 x 8 torus into an 8 x 8 mesh
 * in two ways and runs one step of the torus, in which every link carries a
 * packet, on each:
 *
 *   fold        the embedding of the list: rows and columns are folded, so
 *               that neighbours are at most two links apart
 *   row by row  node i of the torus at node i of the mesh; the links that
 *               wrap round become paths along a whole row or column
 */
#include <stdio.h>

#include <netpram/netpram.h>

enum { NODES = 64 };

static np_status print_row(const char *name, const np_embedding *embedding)
{
    np_embedding_facts facts;
    np_embedding_run_options options;
    np_embedding_run_result *run = NULL;
    np_status st;
    np_embedding_run_options_init(&options);
    if ((st = np_embedding_measure(embedding, &facts)) || (st = np_embedding_run(embedding, &options, &run)))
        goto out;
    printf("%-11s %8u %10u %10.0f %10u %7u\n", name, facts.dilation, facts.congestion, run->queued.mean, run->scheduled,
           run->least);
out:
    np_embedding_run_result_free(run);
    return st;
}

int main(void)
{
    np_network *torus = NULL, *mesh = NULL;
    np_embedding *fold = NULL, *rows = NULL;
    np_node same[NODES];
    np_status st;
    for (np_node i = 0; i < NODES; i++)
        same[i] = i;
    if ((st = np_network_create("torus:8x8", &torus)) || (st = np_network_create("mesh:8x8", &mesh)) ||
        (st = np_embedding_create("fold", torus, mesh, 0, &fold)) ||
        (st = np_embedding_from_map(torus, mesh, same, true, 0, &rows)))
        goto out;
    printf("%-11s %8s %10s %10s %10s %7s\n", "", "dilation", "congestion", "by queues", "scheduled", "least");
    if ((st = print_row("fold", fold)) || (st = print_row("row by row", rows)))
        goto out;
out:
    if (st)
        fprintf(stderr, "embed: %s\n", np_last_error());
    np_embedding_free(rows);
    np_embedding_free(fold);
    np_network_free(mesh);
    np_network_free(torus);
    return st != NP_OK;
}
