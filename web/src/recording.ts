// A run as it is played: where each packet is after each step, phase after phase. Made of the events of the library, or
// of a trace that `netpram --trace` wrote.
import { Buffers } from './buffers'
import { Answer, Network, NONE, WORDS, network, Refusal, Watch } from './library'

export const KINDS = ['injected', 'moved', 'waited', 'combined', 'split', 'landed', 'entered', 'left'] as const
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
  /** packets are created over time: those that have landed are gone */
  open: boolean
  /** of flows: how much of each link is used on average, by from * nodes + to; and how long a step lasts, in `unit` */
  use?: Map<number, number>
  /** nothing moves: what is shown, in words */
  told?: string
  /** of a verdict, what proves it; and the links of the cut that bounds it, with the nodes that they leave */
  proof?: string
  cut?: Cut
  slice?: number
  unit?: string
  /** of routers with channels: what is in them */
  buffers?: Buffers
}

export interface Cut {
  links: [number, number][]
  inside: Uint8Array
}

export interface Recording {
  title: string
  phases: Phase[]
  /** of a run of the library; a trace has none */
  answer?: Answer
  /** what a trace leaves out */
  note?: string
}

const ROOM = 60_000_000 // words of `at`
const STEPS_MAX = 1_000_000

export function makePhase(
  name: string, title: string, net: Network, packets: number, steps: number, leveled: boolean, open = false,
): Phase {
  if ((steps + 1) * packets > ROOM || packets > ROOM || steps > STEPS_MAX)
    throw new Refusal(`${packets} packets for ${steps} steps are too many to show`)
  const empty = () => Array.from({ length: steps + 1 }, () => [] as number[])
  return {
    name, title, network: net, packets, steps, leveled, open,
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
export interface Happening {
  kind: number
  reason: number
  step: number
  packet: number
  other: number
  from: number
  to: number
  link: number
  queue: number
  /** of flits: the channel; of injected: how many flits it has */
  length: number
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
    phase.buffers?.add(e)
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
        if (phase.open) place[e.packet] = NONE
    }
  }
  settle(steps + 1)
  phase.buffers?.seal(steps)
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
      kind: w[k] & 255, reason: (w[k] >> 8) & 255, length: w[k] >>> 16, step: w[k + 1], packet: w[k + 2],
      other: w[k + 3],
      from: host(w[k + 4]), to: host(w[k + 5]), link: w[k + 6], queue: w[k + 7],
    }
  }
}

/** The phases of a run, all of them. The drawing is of the network that was chosen, `spec`. */
export async function phasesOf(answer: Answer, watch: Watch, spec = '', drawing = ''): Promise<Phase[]> {
  const total = answer.events.length / WORDS
  const phases: Phase[] = []
  for (const [i, seen] of answer.phases.entries()) {
    const net = await network(seen.network, seen.network === spec ? drawing : '', watch)
    const to = answer.phases[i + 1]?.first ?? total
    let steps = seen.steps
    for (let e = seen.first; e < to; e++) steps = Math.max(steps, answer.events[e * WORDS + 1])
    const phase = makePhase(seen.name || 'route', seen.name, net, seen.packets, steps, seen.leveled > 0, seen.open)
    if (seen.channels) phase.buffers = new Buffers(net, seen.channels, seen.buffer_flits, seen.credit_delay)
    fill(phase, eventsOf(answer, seen.first, to, seen.hosts))
    phases.push(phase)
  }
  return phases
}

export async function record(title: string, answer: Answer, watch: Watch, spec = '', drawing = ''): Promise<Recording> {
  const first = answer.phases[0]?.run // of several runs the first is played
  const seen = await phasesOf(answer, watch, spec, drawing)
  const phases = seen.filter((p, i) => answer.phases[i].run === first && p.steps > 0)
  return { title, phases, answer }
}

// ---- Traces ----

/** A line of a trace, and its number in the file. */
interface Line {
  at: number
  json: any
}

const wrong = (line: Line, what: string): never => {
  throw new Refusal(`line ${line.at} of the trace: ${what}`)
}

/** A whole number of the line, below `limit`. */
function whole(line: Line, key: string, limit = 2 ** 32): number {
  const value = line.json[key]
  if (!Number.isInteger(value) || value < 0 || value >= limit)
    wrong(line, `${key} should be a whole number below ${limit}`)
  return value
}

function words(line: Line, key: string): string {
  if (typeof line.json[key] !== 'string') wrong(line, `${key} should be a text`)
  return line.json[key]
}

function list(line: Line | undefined, key: string, length?: number): number[] {
  const value = line?.json[key]
  if (!Array.isArray(value) || !value.every(Number.isFinite) || (length !== undefined && value.length !== length))
    wrong(line!, `${key} should be a list of ${length === undefined ? '' : `${length} `}numbers`)
  return value
}

function linesOf(text: string): Line[] {
  const lines: Line[] = []
  text.split('\n').forEach((line, i) => {
    if (!line.trim()) return
    let json: any
    try {
      json = JSON.parse(line)
    } catch {
      throw new Refusal(`line ${i + 1} of the trace is no JSON: netpram --trace writes one object a line`)
    }
    if (!json || typeof json !== 'object' || Array.isArray(json))
      throw new Refusal(`line ${i + 1} of the trace is no object of JSON`)
    lines.push({ at: i + 1, json })
  })
  return lines
}

/** A trace, as `netpram --trace` writes it: JSON lines. */
export async function readTrace(text: string): Promise<Recording> {
  const lines = linesOf(text)
  const head = lines[0]
  if (!head || head.json.netpram === undefined)
    throw new Refusal('this is no trace: its first line does not name netpram')
  const command = words(head, 'command')
  const batches = /^netpram pram /.test(command) // of a PRAM every batch of requests is a run
  const phases: Phase[] = []
  const drawn = new Map<string, Network>() // of a player
  for (let i = 1; i < lines.length; i++) {
    const start = lines[i]
    if (start.json.event === 'network') {
      drawn.set(words(start, 'spec'), traceNetwork(start, lines[i + 1], lines[i + 2]))
      i += 2
      continue
    }
    // A line of a PRAM step, between the phases of its batches: the batches are played.
    if (start.json.event === 'access') continue
    if (start.json.event !== 'phase') wrong(start, 'a phase should begin here')
    const first = i + 1
    while (++i < lines.length && lines[i].json.event !== 'end') if (!KINDS.includes(lines[i].json.event)) break
    if (i >= lines.length) throw new Refusal(`the trace is cut: the phase of line ${start.at} has no end`)
    if (lines[i].json.event !== 'end') wrong(lines[i], 'this is no event of a phase')
    if (whole(start, 'run') > 0 && !batches) continue // the first run is shown
    const net = drawn.get(words(start, 'network')) ?? (await network(start.json.network))
    phases.push(tracePhase(start, lines.slice(first, i), lines[i], net))
  }
  if (!phases.length) throw new Refusal('nothing moves in the trace: it has no phase of a network')
  const filters = [['packets', head.json.trace_packets], ['steps', head.json.trace_steps]]
  const only = filters.filter(([, filter]) => typeof filter === 'string')
  const note = only.map(([of, filter]) => `the trace has only ${of} ${filter}`).join('; ')
  return { title: command, phases: phases.filter((p) => p.steps > 0), note }
}

/** A network in the trace of a player: what it is, where its nodes stand in thousandths, the ends of its links. */
function traceNetwork(head: Line, places: Line | undefined, links: Line | undefined): Network {
  if (!places || !links) throw new Refusal(`the trace is cut: the network of line ${head.at} has no drawing`)
  const nodes = whole(head, 'nodes', 1 << 20)
  const at = list(places, 'thousandths', 2 * nodes)
  const ends = list(links, 'ends')
  if (ends.length % 2 || ends.some((u) => !Number.isInteger(u) || u < 0 || u >= nodes))
    wrong(links, `ends should be pairs of nodes below ${nodes}`)
  return {
    spec: words(head, 'spec'), nodes, links: ends.length / 2, drawing: '', scheme: '', facts: {},
    x: Float64Array.from({ length: nodes }, (_, u) => at[2 * u] / 1000),
    y: Float64Array.from({ length: nodes }, (_, u) => at[2 * u + 1] / 1000),
    ends: Uint32Array.from(ends),
  }
}

function tracePhase(start: Line, events: Line[], end: Line, net: Network): Phase {
  const leveled = start.json.leveled === true
  const packets = whole(start, 'packets')
  let steps = whole(end, 'steps')
  const host = new Map<number, number>() // of the leveled network's nodes
  for (const e of events) {
    steps = Math.max(steps, whole(e, 'step'))
    if (!leveled || e.json.event !== 'moved') continue
    const hosts = list(e, 'hosts', 2)
    host.set(whole(e, 'from'), hosts[0])
    host.set(whole(e, 'to'), hosts[1])
  }
  const open = start.json.open === true
  const phase = makePhase(words(start, 'name') || 'route', words(start, 'name'), net, packets, steps, leveled, open)
  const channels = start.json.channels === undefined ? 0 : whole(start, 'channels', 65)
  if (channels) {
    const delay = start.json.credit_delay === null ? 0 : whole(start, 'credit_delay')
    phase.buffers = new Buffers(net, channels, whole(start, 'buffer_flits', 256), delay)
  }
  // A node of a leveled network that nothing leaves or enters is not told: what is there is not shown.
  const node = (e: Line, key: string): number => {
    const logical = whole(e, key, leveled ? undefined : net.nodes)
    const u = leveled ? (host.get(logical) ?? NONE) : logical
    if (u !== NONE && !(Number.isInteger(u) && u >= 0 && u < net.nodes))
      wrong(e, `${key} should be a node of ${net.spec}`)
    return u
  }
  let before = 0
  fill(phase, events.map((e): Happening => {
    const step = whole(e, 'step')
    if (step < before) wrong(e, `step ${step} comes after step ${before}`)
    before = step
    const moved = e.json.event === 'moved'
    const at = node(e, moved ? 'from' : 'at')
    const ofFlit = ['entered', 'left'].includes(e.json.event)
    if (ofFlit && !channels) wrong(e, 'the phase has no channels')
    const length = ofFlit || (moved && channels)
      ? whole(e, 'channel', channels) : e.json.length === undefined ? 0 : whole(e, 'length')
    if (channels && e.json.link !== undefined && !(whole(e, 'link') < net.ends.length / 2))
      wrong(e, `link should be one of ${net.spec}`)
    return {
      kind: KINDS.indexOf(e.json.event), reason: Math.max(0, REASONS.indexOf(e.json.why ?? '')), step,
      packet: whole(e, 'packet', packets), other: e.json.other === undefined ? NONE : whole(e, 'other', packets),
      from: at, to: moved ? node(e, 'to') : at, link: e.json.link === undefined ? NONE : whole(e, 'link'),
      queue: e.json.queue === undefined ? 0 : whole(e, 'queue'), length,
    }
  }))
  return phase
}

/**
 * Which key each node has at an instant of a sort, NONE where that is not told: the key by which the node acts next, in
 * this phase or at the beginning of a later one, or else the key that it has in the end (`last`). (A key that is sent
 * for a comparison stays with its sender until one of the two nodes drops it, and which one is seen when a node acts
 * again.)
 */
export function keysAt(phases: Phase[], index: number, step: number, keys: number, last?: Uint32Array): Uint32Array {
  const has = new Uint32Array(phases[index].network.nodes).fill(NONE)
  for (let i = index; i < phases.length; i++) {
    const { shown } = phases[i]
    for (let k = 0; k < shown.length; k += 3)
      if ((i > index || shown[k] >= step) && has[shown[k + 1]] === NONE && shown[k + 2] < keys)
        has[shown[k + 1]] = shown[k + 2]
  }
  return last ? has.map((key, u) => (key === NONE ? last[u] : key)) : has
}
