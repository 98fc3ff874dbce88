// The numbers of a run, as a table, and what a theorem says of it.
import type { ProgramAnswer } from './library'
import type { Recording } from './recording'

type Row = { head?: boolean; cells: (string | number)[] }

const mean = (s: any): string | number =>
  (s && typeof s === 'object' ? (s.mean === null ? '-' : Number(s.mean.toPrecision(6))) : s ?? '')

const rounded = (v: number | null | undefined) => (v == null ? '-' : Number(v.toPrecision(5)))

const facts = (pairs: [string, any][]): Row[] => pairs.map((pair) => ({ cells: pair }))

/** A program on its machine; what another machine needs for it comes later (showBeside). */
function rowsOfProgram({ result, report }: ProgramAnswer): Row[] {
  return facts([
    ['answer', result.correct === null ? 'not judged' : result.correct ? 'right' : 'wrong'],
    ['rule', report.rule], ['PRAM steps T', report.pram_steps], ['work W', report.work],
    ['network steps', report['network_steps.total']], ['combined', report.combined],
    ['violations', report.violation_count],
  ])
}

function rowsOfLoad({ points, zero_load_latency, ideal_throughput }: any): Row[] {
  const { offered, accepted, latency, hops, saturated } = points[0]
  return facts([
    ['offered', rounded(offered)], ['accepted', rounded(accepted)], ['latency', rounded(latency.mean)],
    ['95% interval', latency.ci95 === null ? '-' : `\u00b1${rounded(latency.ci95)}`], ['50%', latency.p50],
    ['99%', latency.p99], ['99.9%', latency.p999], ['most', latency.max], ['hops', rounded(hops)],
    ['saturated', saturated ? 'yes' : 'no'], ['latency without load', rounded(zero_load_latency)],
    ['links are full at', rounded(ideal_throughput)],
  ])
}

function rowsOfFlows(result: any): Row[] {
  const { flows, makespan, time_unit, use_mean } = result
  const times = (of: string) => ['mean', 'p99', 'max'].map((q) => rounded(result[of][q]))
  return [
    { head: true, cells: [time_unit, 'mean', '99%', 'most'] },
    { cells: ['completion', ...times('completion')] }, { cells: ['slowdown', ...times('slowdown')] },
    { cells: ['makespan', '', '', rounded(makespan)] }, { cells: ['flows', '', '', flows] },
    { cells: ['use of links', rounded(use_mean), '', rounded(result.busiest?.use ?? null)] },
  ] as Row[]
}

function rowsOfThroughput(result: any): Row[] {
  const { factor, per_host, bounds, paths, binding } = result
  if (!factor) return facts([['packets that take a link', result.packets], ['for their own node', result.resting]])
  const rows = facts([
    ['factor, at least', factor.low], ['factor, at most', factor.high],
    ['gap', `${rounded(100 * result.gap)}%${result.reached ? '' : ', more than was asked for'}`],
    ['a host, at least', rounded(per_host.low)], ['a host, at most', rounded(per_host.high)],
    ['steps of any schedule', result.steps_bound], ['hops', rounded(result.mean_hops)],
    ['bound by distances', rounded(bounds.distance)], ['by links between switches', rounded(bounds.switches)],
    ['by links of hosts', rounded(bounds.hosts)], ['by a cut', rounded(bounds.cut)],
    ['links that bind', result.links_binding], ['links that are idle', result.links_idle],
    ['iterations', result.iterations],
  ])
  if (paths) rows.push(...rowsOfPaths(paths))
  if (!binding.length) return rows
  rows.push({ head: true, cells: ['link that binds', 'load', 'price'] })
  for (const { from, to, load, price } of binding)
    rows.push({ cells: [`${from} to ${to}`, rounded(load), rounded(price)] })
  return rows
}

/** What the paths of a rule reach of the best routing. */
function rowsOfPaths({ rule, split, draws, factor, share, mean_hops, link }: any): Row[] {
  return facts([
    [`factor of ${rule}${split ? ', split' : ''}`, factor],
    ['of the best, at least', `${rounded(100 * share.low)}%`],
    ['of the best, at most', `${rounded(100 * share.high)}%`],
    ['hops of these paths', rounded(mean_hops)], ['their fullest link', `${link.from} to ${link.to}`],
    ...(draws ? [['routes drawn a demand, not exact', draws]] : []) as [string, any][],
  ])
}

function rowsOfPhases(result: any): Row[] {
  const rows: Row[] = [{ head: true, cells: ['phase', 'steps', 'max delay', 'queue', 'congestion'] }]
  for (const p of result.phases)
    rows.push({ cells: [p.name, mean(p.steps), mean(p.delay_max), mean(p.queue_max), mean(p.congestion)] })
  return [...rows, { cells: ['total', mean(result.total_steps), '', '', ''] }]
}

function rowsOfStages(result: any): Row[] {
  const rows: Row[] = [{ head: true, cells: ['stage', 'depth', 'steps', 'keys at a place'] }]
  for (const s of result.stages) rows.push({ cells: [s.name, s.depth, mean(s.steps), s.load_max ?? ''] })
  return [...rows, { cells: ['total', '', mean(result.steps), ''] }]
}

function rowsOf(recording: Recording): Row[] {
  const result = recording.answer?.result
  if ((recording.answer as ProgramAnswer | undefined)?.report) return rowsOfProgram(recording.answer as ProgramAnswer)
  if (Array.isArray(result?.points)) return rowsOfLoad(result)
  if (result?.factor !== undefined && result.demands !== undefined) return rowsOfThroughput(result)
  if (result?.makespan !== undefined) return rowsOfFlows(result)
  if (Array.isArray(result?.phases)) return rowsOfPhases(result)
  if (result?.stages) return rowsOfStages(result)
  const names = ['algorithm', 'ports', 'rounds', 'steps', 'transfers', 'cost']
  if (result) return facts(names.filter((name) => result[name] !== undefined).map((name) => [name, result[name]]))
  const rows: Row[] = [{ head: true, cells: ['phase', 'packets', 'steps'] }]
  return [...rows, ...recording.phases.map((p) => ({ cells: [p.name, p.packets, p.steps] }))]
}

function rowElement({ head, cells }: Row): HTMLTableRowElement {
  const row = document.createElement('tr')
  cells.forEach((cell, i) => {
    const element = document.createElement(head || !i ? 'th' : 'td')
    if (element.tagName === 'TH') element.setAttribute('scope', head ? 'col' : 'row')
    element.textContent = String(cell)
    row.append(element)
  })
  return row
}

export function drawNumbers(holder: HTMLElement, recording: Recording): void {
  const table = document.createElement('table')
  table.append(...rowsOf(recording).map(rowElement))
  holder.replaceChildren(table)
}

/** Beside the ideal machine, where every PRAM step is one step: what a network needs for them. */
export function showBeside(holder: HTMLElement, machine: string, pramSteps: number, steps: number | null): void {
  const each = steps === null || !pramSteps ? '' : ` (${rounded(steps / pramSteps)} a PRAM step)`
  const row = rowElement({ cells: [`on ${machine}`, steps === null ? 'counting' : `${steps} network steps${each}`] })
  row.className = 'beside'
  holder.querySelector('.beside')?.remove()
  holder.querySelector('table')?.append(row)
}

/** What the first bound below 1 says, of a delay or of steps. Bounds of delays are drawn (charts.ts). */
export function tellBound(bound: any): string {
  const worst = bound.ladder?.find((rung: any) => rung.bound < 1)
  if (!worst) return ''
  const least = `probability at most ${Number(worst.bound).toPrecision(3)}`
  return 'delay' in worst
    ? `. That some packet waits ${worst.delay} steps or more has ${least}; the dashed line is the bound.`
    : `. That it takes more than ${worst.steps} steps has ${least}.`
}
