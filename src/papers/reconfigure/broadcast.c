/* Broadcast in subnets: switches set by hand, a PU at the end of every wire. Some PUs send; who hears whom? */
#include "base/memory.h"
#include "papers/reconfigure/run.h"

static void attach(np_reconfigure_run *run, const np_switch_settings *settings)
{
    for (unsigned side = NP_PORT_W; side < NP_SWITCH_PORTS; side++) {
        uint32_t ends = side == NP_PORT_W || side == NP_PORT_E ? settings->rows : settings->columns;
        for (uint32_t i = 0; i < ends; i++)
            np_reconfigure_run_attach(run, (np_switch_port)side, i);
    }
}

/* The number of the PU at a place. PUs are numbered in the order in which they were attached. */
static np_status find(const np_switch_settings *settings, np_pu_place place, uint32_t *pu)
{
    uint32_t first = 0, ends = 0;
    for (unsigned side = NP_PORT_W; side <= (unsigned)place.side; side++) {
        first += ends;
        ends = side == NP_PORT_W || side == NP_PORT_E ? settings->rows : settings->columns;
    }
    if (place.index >= ends)
        return NP_RAISE(NP_ERROR_INPUT, "no PU at %c%u: on that side they are %c0 to %c%u",
                        np_switch_port_letter(place.side), place.index, np_switch_port_letter(place.side),
                        np_switch_port_letter(place.side), ends - 1);
    *pu = first + place.index;
    return NP_OK;
}

static np_status check(const np_switch_settings *settings, size_t senders)
{
    if (!senders)
        return NP_RAISE(NP_ERROR_INPUT, "no PU sends: name one, such as W0");
    for (size_t i = 0; i < (size_t)settings->rows * settings->columns; i++)
        if (!np_switch_setting_name(settings->setting[i]))
            return NP_RAISE(NP_ERROR_INPUT, "%u is no setting of a switch: it is no partition of the ports",
                            settings->setting[i]);
    return NP_OK;
}

static np_status run_it(np_reconfigure_run *run, const np_switch_settings *settings, size_t senders,
                        const np_pu_place *from)
{
    np_status st;
    uint32_t pu = 0;
    const np_switch_setting *setting = settings->setting;
    attach(run, settings);
    for (uint32_t row = 0; row < settings->rows; row++)
        for (uint32_t column = 0; column < settings->columns; column++)
            np_switch_grid_set(run->grid, row, column, *setting++);
    for (size_t i = 0; i < senders; i++) {
        if ((st = find(settings, from[i], &pu)))
            return st;
        np_reconfigure_run_send(run, pu, pu, pu);
    }
    np_reconfigure_run_round(run, "those that send");
    return run->status;
}

static np_status keep_heard(np_reconfigure_run *run)
{
    np_signal signal;
    uint32_t pus = np_switch_grid_pus(run->grid), *heard;
    np_status st = np_memory_array(&heard, pus, sizeof *heard, "what the PUs hear");
    if (st)
        return st;
    for (uint32_t pu = 0; pu < pus; pu++)
        if (!np_switch_grid_received(run->grid, pu, &signal, &heard[pu]))
            heard[pu] = NP_NONE;
    run->result->heard = heard;
    return NP_OK;
}

np_status np_reconfigure_broadcast(const np_switch_settings *settings, size_t senders, const np_pu_place *from,
                                   const np_reconfigure_options *options, np_reconfigure_result **out)
{
    np_reconfigure_run run;
    *out = NULL;
    np_status st = check(settings, senders);
    if (st)
        return st;
    if (!(st = np_reconfigure_run_begin(&run, "broadcast", 0, settings->rows, settings->columns, options)) &&
        !(st = run_it(&run, settings, senders, from)))
        st = keep_heard(&run);
    return np_reconfigure_run_end(&run, st, out);
}
