/*
 * See linear.h. CLP is loaded by hand, not linked: it comes with LAPACK and the libraries of C++ and Fortran, which
 * would make every command start 8 milliseconds later. The types are those of its header for C, Clp_C_Interface.h.
 */
#include "base/linear.h"

#include "base/account.h"
#include "base/memory.h"

#ifdef NETPRAM_CLP

#include <dlfcn.h>
#include <math.h>
#include <string.h>

enum { BYTES = 8 << 10 }; /* CLP takes its own memory: measured up to 5 kilobytes a row */

typedef void model;

/* The functions of CLP that are used. */
typedef struct functions {
    model *(*create)(void);
    void (*free)(model *);
    void (*set_log)(model *, int);
    void (*set_primal)(model *, double);
    void (*set_dual)(model *, double);
    void (*add_rows)(model *, int, const double *low, const double *high, const int *start, const int *,
                     const double *);
    void (*add_columns)(model *, int, const double *low, const double *high, const double *cost, const int *start,
                        const int *row, const double *value);
    void (*set_seconds)(model *, double);
    int (*primal)(model *, int);
    int (*status)(model *);
    double *(*values)(model *);
    double *(*prices)(model *);
} functions;

static const char *const names[] = {
    "Clp_newModel",         "Clp_deleteModel", "Clp_setLogLevel",          "Clp_setPrimalTolerance",
    "Clp_setDualTolerance", "Clp_addRows",     "Clp_addColumns",           "Clp_setMaximumSeconds",
    "Clp_primal",           "Clp_status",      "Clp_primalColumnSolution", "Clp_dualRowSolution",
};

struct np_linear {
    functions clp;
    model *model;
    uint64_t charged; /* to the account */
};

/* The first version of the library that there is, with all functions; NULL: none. */
static void *load(functions *clp)
{
    static const char *const files[] = {"libClp.so.1", "libClp.so", "libClp.1.dylib"};
    void *library = NULL, *found[sizeof names / sizeof *names];
    _Static_assert(sizeof found == sizeof *clp, "a name for each function");
    for (size_t i = 0; i < sizeof files / sizeof *files && !library; i++)
        library = dlopen(files[i], RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; library && i < sizeof names / sizeof *names; i++)
        if (!(found[i] = dlsym(library, names[i]))) {
            dlclose(library);
            library = NULL;
        }
    if (library)
        memcpy(clp, found, sizeof *clp);
    return library;
}

bool np_linear_available(void)
{
    functions clp;
    void *library = load(&clp);
    if (library)
        dlclose(library);
    return library;
}

np_status np_linear_create(int rows, const double *row_low, const double *row_high, np_linear **out)
{
    np_linear *p;
    int *start;
    np_status st = np_memory_zeroed(&p, 1, sizeof *p, "a linear program");
    *out = p;
    if (st || (st = np_account_charge((uint64_t)rows * BYTES, "CLP, for a linear program")))
        return st;
    p->charged = (uint64_t)rows * BYTES;
    if ((st = np_memory_zeroed(&start, (size_t)rows + 1, sizeof *start, "the rows of a linear program")))
        return st;
    if (load(&p->clp) && (p->model = p->clp.create())) {
        p->clp.set_log(p->model, 0);
        p->clp.set_primal(p->model, 1e-9);
        p->clp.set_dual(p->model, 1e-9);
        p->clp.add_rows(p->model, rows, row_low, row_high, start, start, row_low);
    } else {
        st = NP_RAISE(NP_ERROR_APPLY, "a linear program: CLP is not found");
    }
    np_memory_free(start);
    return st;
}

/* The library stays loaded: its destructors and those of LAPACK are not made to run before the program ends. */
void np_linear_free(np_linear *p)
{
    if (p && p->model)
        p->clp.free(p->model);
    if (p)
        np_account_give_back(p->charged);
    np_memory_free(p);
}

void np_linear_add(np_linear *p, double cost, int count, const int *row, const double *value)
{
    const double low = 0, high = INFINITY;
    const int start[] = {0, count};
    p->clp.add_columns(p->model, 1, &low, &high, &cost, start, row, value);
}

/* CLP takes a negative number for no limit. */
bool np_linear_solve(np_linear *p, double seconds, const double **value, const double **price)
{
    p->clp.set_seconds(p->model, seconds < INFINITY ? fmax(seconds, 0) : -1);
    p->clp.primal(p->model, 0);
    *value = p->clp.values(p->model);
    *price = p->clp.prices(p->model);
    return !p->clp.status(p->model);
}

#else

bool np_linear_available(void) { return false; }

np_status np_linear_create(int rows, const double *row_low, const double *row_high, np_linear **out)
{
    (void)rows, (void)row_low, (void)row_high;
    *out = NULL;
    return NP_RAISE(NP_ERROR_APPLY, "a linear program: netpram was built without CLP");
}

void np_linear_free(np_linear *program) { (void)program; }

void np_linear_add(np_linear *program, double cost, int count, const int *row, const double *value)
{
    (void)program, (void)cost, (void)count, (void)row, (void)value;
}

bool np_linear_solve(np_linear *program, double seconds, const double **value, const double **price)
{
    (void)program, (void)seconds, (void)value, (void)price;
    return false;
}

#endif
