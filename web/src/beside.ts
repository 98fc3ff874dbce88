// What is measured beside a run, as soon as it is known: latencies at other loads, and the steps of another machine.
import { drawLatency } from './charts'
import type { Choice } from './choice'
import { Answer, Asking, curve, programCost, ProgramAnswer, Refusal } from './library'
import { showBeside } from './numbers'

/** The network beside the ideal machine, for those who have chosen none. */
const BESIDE = 'butterfly:3'

/** Beside the load that is played: the latencies at others. */
export async function measureCurve(
  pane: HTMLElement, c: Choice, options: Record<string, string>, answer: Answer, signal: AbortSignal,
): Promise<void> {
  const holder = pane.querySelector<HTMLElement>('.latency')!
  const { offered } = answer.result.points[0]
  for (const name of ['.of-latency', '.latency']) pane.querySelector<HTMLElement>(name)!.hidden = false
  holder.textContent = 'measuring'
  const loads = [0.25, 0.5, 0.75, 1, 1.25, 1.5].map((f) => Number((f * offered).toFixed(6)))
  const some = loads.filter((l) => l > 0 && (l <= offered || l <= 1)).join(',')
  try {
    const points = await curve(
      c.network, c.traffic, { precision: '0.05', cycles: '20000', ...options, loads: some }, { signal })
    if (signal.aborted) return
    holder.textContent = ''
    drawLatency(holder, points, offered)
  } catch (problem) {
    if (!(problem instanceof Refusal)) throw problem
    holder.textContent = signal.aborted ? '' : problem.message
  }
}

/** Beside the ideal machine: what a network needs for the same steps. */
export async function measureBeside(
  pane: HTMLElement, asking: Asking, answer: ProgramAnswer, signal: AbortSignal,
): Promise<void> {
  const holder = pane.querySelector<HTMLElement>('.numbers')!
  const { pram_steps: steps } = answer.report
  showBeside(holder, BESIDE, steps, null)
  try {
    const report = await programCost({ ...asking, options: { ...asking.options, machine: BESIDE } }, { signal })
    if (!signal.aborted) showBeside(holder, BESIDE, steps, report['network_steps.total'])
  } catch (problem) {
    if (!(problem instanceof Refusal)) throw problem
    if (!signal.aborted) holder.querySelector('.beside')?.remove()
  }
}
