// The numbers of a run, as a table, and what a theorem says of it.
import type { ProgramAnswer } from './library'
import type { Recording } from './recording'

type Row = { head?: boolean; cells: (string | number)[] }

const mean = (s: any): string | number =>
  (s && typeof s === 'object' ? (s.mean === null ? '-' : Number(s.mean.toPrecision(6))) : s ?? '')

const rounded = (v: number | null) => (v === null ? '-' : Number(v.toPrecision(5)))

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
