// Flows as they are played: time in equal slices, at each of which a flow waits for its beginning, is under way at its
// source, or has ended at its destination. Links have the colour of their mean use.
import { Answer, Network, NONE } from './library'
import { makePhase, Phase } from './recording'

const SLICES = 100

export function flowsPhase(net: Network, { result, flow, use }: Answer): Phase {
  const count = flow!.length / 4
  const steps = result.makespan > 0 ? SLICES : 1
  const phase = makePhase('flows', 'flows', net, count, steps, false)
  phase.slice = result.makespan / steps
  phase.unit = result.time_unit
  phase.use = new Map()
  for (let i = 0; i < use!.length; i += 3) phase.use.set(use![i] * net.nodes + use![i + 1], use![i + 2])
  phase.moves = phase.moves.map(() => new Uint32Array())
  phase.waits = phase.waits.map(() => new Uint32Array())
  for (let p = 0; p < count; p++) fillFlow(phase, p, flow!.subarray(4 * p, 4 * p + 4))
  return phase
}

function fillFlow(phase: Phase, p: number, [source, destination, start, finish]: Float64Array): void {
  phase.end[p] = destination
  for (let t = 0; t <= phase.steps; t++) {
    const now = t === phase.steps ? Infinity : t * phase.slice!
    const place = t * phase.packets + p
    const curve = phase.curve[t]
    phase.at[place] = now < start ? NONE : now < finish ? source : destination
    phase.landed[place] = now >= finish ? 1 : 0
    if (now >= start && now < finish) curve.moving++
    if (now >= finish) curve.landed++
  }
}
