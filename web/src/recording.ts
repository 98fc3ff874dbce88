// A run as it is played: where each packet is after each step, phase after phase. Made of the events of the library, or of
// a trace that `netpram --trace` wrote.
import { Answer, Network, NONE, WORDS, network, offer, Refusal } from './library'

export const KINDS = ['injected', 'moved', 'waited', 'combined', 'split', 'landed'] as const
export const REASONS = ['', 'behind', 'room', 'order', 'length', 'plan', 'phase'] as const

/** One phase. Instants are 0 .. steps; step s leads from instant s - 1 to instant s. */
export interface Phase {
  name: string
  title: string
  network: Network
  packets: number
  steps: number
  leveled: boolean
  /** [(steps + 1) * packets] the node of packet p at instant t, at t * packets + p; NONE: it is not there */
  at: Uint32Array
  /** [(steps + 1) * packets] 1 if the packet has landed */
  landed: Uint8Array
  /** by step: the moves, as (packet, from, to, link) */
  moves: Uint32Array[]
  /** by step: the waits, as (packet, node, reason, other) */
  waits: Uint32Array[]
  /** by instant: packets that moved, that waited, that have landed; the longest queue */
  curve: { moving: number; waiting: number; landed: number; queue: number }[]
  /** steps that packets waited, in all: how many packets for each number */
  delays: number[]
  end: Uint32Array // [packets] where the packet lands; NONE if it does not
  /** [packets] the packet that this one is a copy of, however often copied: of keys that are sorted, the key */
  root: Uint32Array
  /** packets that appear at a node, in the order of time, as (step, node, root) */
  shown: number[]
}

export interface Recording {
  title: string
  phases: Phase[]
  /** of a run of the library; a trace has none */
  answer?: Answer
}

const ROOM = 60_000_000 // words of `at`

function makePhase(name: string, title: string, net: Network, packets: number, steps: number, leveled: boolean): Phase {
  if ((steps + 1) * packets > ROOM) throw new Refusal(`${packets} packets for ${steps} steps are too many to show`)
  const empty = () => Array.from({ length: steps + 1 }, () => [] as number[])
  return {
    name, title, network: net, packets, steps, leveled,
    at: new Uint32Array((steps + 1) * packets).fill(NONE),
    landed: new Uint8Array((steps + 1) * packets),
    moves: empty() as unknown as Uint32Array[],
    waits: empty() as unknown as Uint32Array[],
    curve: Array.from({ length: steps + 1 }, () => ({ moving: 0, waiting: 0, landed: 0, queue: 0 })),
    delays: [],
    end: new Uint32Array(packets).fill(NONE),
    root: Uint32Array.from({ length: packets }, (_, p) => p),
    shown: [],
  }
}

/** An event, by the physical nodes. */
interface Happening {
  kind: number
  reason: number
  step: number
  packet: number
  other: number
  from: number
  to: number
  link: number
  queue: number
}

/** Puts the events of a phase, which come in the order of time, into it. */
function fill(phase: Phase, events: Iterable<Happening>): void {
  const { packets, steps, at, landed } = phase
  const place = new Uint32Array(packets).fill(NONE)
  const done = new Uint8Array(packets)
  const waited = new Uint32Array(packets)
  const moves = phase.moves as unknown as number[][]
  const waits = phase.waits as unknown as number[][]
  let instant = 0
  let landings = 0
  const settle = (upTo: number) => {
    for (; instant < upTo; instant++) {
      at.set(place, instant * packets)
      landed.set(done, instant * packets)
      phase.curve[instant].landed = landings
    }
  }
  for (const e of events) {
    const step = Math.min(e.step, steps)
    settle(step)
    const curve = phase.curve[step]
    switch (KINDS[e.kind]) {
      case 'injected':
        place[e.packet] = e.from
        phase.shown.push(step, e.from, e.packet)
        break
      case 'moved':
        moves[step].push(e.packet, e.from, e.to, e.link)
        place[e.packet] = e.to
        curve.moving++
        curve.queue = Math.max(curve.queue, e.queue)
        break
      case 'waited':
        waits[step].push(e.packet, e.from, e.reason, e.other)
        place[e.packet] = e.from
        waited[e.packet]++
        curve.waiting++
        curve.queue = Math.max(curve.queue, e.queue)
        break
      case 'combined':
        place[e.packet] = NONE
        break
      case 'split':
        place[e.packet] = e.from
        if (e.other !== NONE) phase.root[e.packet] = phase.root[e.other]
        phase.shown.push(step - 1, e.from, phase.root[e.packet])
        break
      case 'landed':
        place[e.packet] = e.from
        phase.end[e.packet] = e.from
        landings += 1 - done[e.packet]
        done[e.packet] = 1
    }
  }
  settle(steps + 1)
  phase.moves = moves.map((m) => Uint32Array.from(m))
  phase.waits = waits.map((w) => Uint32Array.from(w))
  for (const w of waited) phase.delays[w] = (phase.delays[w] ?? 0) + 1
  for (let i = 0; i < phase.delays.length; i++) phase.delays[i] ??= 0
}

function* eventsOf(answer: Answer, from: number, to: number, hosts?: Uint32Array): Iterable<Happening> {
  const w = answer.events
  for (let i = from; i < to; i++) {
    const k = i * WORDS
    const host = (u: number) => (hosts && u !== NONE ? hosts[u] : u)
    yield {
      kind: w[k] & 255, reason: w[k] >> 8, step: w[k + 1], packet: w[k + 2], other: w[k + 3],
      from: host(w[k + 4]), to: host(w[k + 5]), link: w[k + 6], queue: w[k + 7],
    }
  }
}

/** The phases of a run, all of them. */
export function phasesOf(answer: Answer): Phase[] {
  const total = answer.events.length / WORDS
  return answer.phases.map((seen, i) => {
    const to = answer.phases[i + 1]?.first ?? total
    let steps = seen.steps
    for (let e = seen.first; e < to; e++) steps = Math.max(steps, answer.events[e * WORDS + 1])
    const phase = makePhase(seen.name || 'route', seen.name, network(seen.network), seen.packets, steps, seen.leveled > 0)
    fill(phase, eventsOf(answer, seen.first, to, seen.hosts))
    return phase
  })
}

export function record(title: string, answer: Answer): Recording {
  const first = answer.phases[0]?.run // of several runs the first is played
  const phases = phasesOf(answer).filter((p, i) => answer.phases[i].run === first && p.packets > 0 && p.steps > 0)
  return { title, phases, answer }
}

/** A trace, as `netpram --trace` writes it: JSON lines. Nodes that have names are counted as they come. */
export function readTrace(text: string): Recording {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const parsed = lines.map((line, i) => {
    try {
      return JSON.parse(line)
    } catch {
      throw new Refusal(`line ${i + 1} of the trace is no JSON: netpram --trace writes one object a line`)
    }
  })
  const head = parsed[0]
  if (!head || head.netpram === undefined) throw new Refusal('this is no trace: its first line does not name netpram')
  const batches = /^netpram pram /.test(head.command ?? '') // of a PRAM every batch of requests is a run
  const phases: Phase[] = []
  let i = 1
  while (i < parsed.length) {
    const start = parsed[i]
    if (start.event === 'network') {
      offer(traceNetwork(start, parsed[i + 1], parsed[i + 2]))
      i += 3
      continue
    }
    if (start.event !== 'phase') throw new Refusal(`line ${i + 1} of the trace: a phase should begin here`)
    const first = ++i
    while (i < parsed.length && parsed[i].event !== 'phase' && parsed[i].event !== 'network') i++
    if (start.run > 0 && !batches) continue // the first run is shown
    phases.push(tracePhase(start, parsed.slice(first, i)))
  }
  if (!phases.length) throw new Refusal('the trace has no phase')
  return { title: String(head.command ?? 'trace'), phases: phases.filter((p) => p.packets > 0) }
}

/** A network in the trace of a player: what it is, where its nodes stand in thousandths, the ends of its links. */
function traceNetwork(head: any, places: any, links: any): Network {
  const at: number[] = places.thousandths
  return {
    spec: head.spec, nodes: head.nodes, links: links.ends.length / 2, drawing: '', scheme: '', facts: {},
    x: Float64Array.from({ length: head.nodes }, (_, u) => at[2 * u] / 1000),
    y: Float64Array.from({ length: head.nodes }, (_, u) => at[2 * u + 1] / 1000),
    ends: Uint32Array.from(links.ends),
  }
}

function tracePhase(start: any, events: any[]): Phase {
  const net = network(start.network)
  let steps = 0
  const host = new Map<number, number>() // of the leveled network's nodes
  for (const e of events) {
    steps = Math.max(steps, e.step ?? 0)
    if (e.hosts) {
      host.set(e.from, e.hosts[0])
      host.set(e.to, e.hosts[1])
    }
  }
  const phase = makePhase(start.name || 'route', start.name, net, start.packets, steps, start.leveled)
  const node = (u: any) => (u === undefined || u === null ? NONE : start.leveled ? (host.get(u) ?? u) : Number(u))
  const happenings = events
    .filter((e) => KINDS.includes(e.event))
    .map((e): Happening => ({
      kind: KINDS.indexOf(e.event), reason: Math.max(0, REASONS.indexOf(e.why ?? '')), step: e.step, packet: e.packet,
      other: e.other ?? NONE, from: node(e.from ?? e.at), to: node(e.to ?? e.at), link: e.link ?? NONE, queue: e.queue ?? 0,
    }))
  fill(phase, happenings)
  return phase
}

/**
 * Which key each node has at an instant of a sort, NONE where that is not told: the key by which the node acts next, in
 * this phase or at the beginning of a later one, or else the key that it has in the end (`last`). (A key that is sent for a comparison stays with its sender until one of
 * the two nodes drops it, and which one is seen when a node acts again.)
 */
export function keysAt(phases: Phase[], index: number, step: number, keys: number, last?: Uint32Array): Uint32Array {
  const has = new Uint32Array(phases[index].network.nodes).fill(NONE)
  for (let i = index; i < phases.length; i++) {
    const { shown } = phases[i]
    for (let k = 0; k < shown.length; k += 3)
      if ((i > index || shown[k] >= step) && has[shown[k + 1]] === NONE && shown[k + 2] < keys) has[shown[k + 1]] = shown[k + 2]
  }
  return last ? has.map((key, u) => (key === NONE ? last[u] : key)) : has
}
