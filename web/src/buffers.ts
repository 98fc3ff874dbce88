// Routers with channels: what is in their buffers after each step, the credits of those who send into them, and the
// heads that stand still. Made of the events of a phase whose packets are trains of flits (docs/outputs.md, "Under
// load").
import { Network, NONE } from './library'
import type { Happening } from './recording'

/** Of `KINDS`, the ones that matter here. */
const INJECTED = 0
const MOVED = 1
const WAITED = 2
const ENTERED = 6
const LEFT = 7

/** Why a head stands still: behind another packet, or for want of a place. */
export interface Blocked {
  packet: number
  reason: number
  other: number
  link: number
}

export class Buffers {
  /** the flits of each buffer, by their packets: the first goes first. Buffers of links come first, then terminals' */
  private flits: number[][] = []
  /** flits that were sent into a buffer and whose places are not given back */
  private taken: Int32Array
  private held = new Map<number, Blocked>()
  private events: Happening[][] = []
  private step = -1
  private length: number[] = []
  private entered = new Set<number>()
  /** where the flits of a packet go from a node: its buffer, and how many have gone */
  private ways = new Map<string, { to: number; gone: number }>()
  /** buffers whose places are given back in a step */
  private returns = new Map<number, number[]>()

  constructor(
    readonly network: Network, readonly channels: number, readonly room: number, readonly creditDelay: number,
  ) {
    this.taken = new Int32Array(this.count)
  }

  private get links(): number {
    return this.network.ends.length / 2
  }

  private get count(): number {
    return (this.links + this.network.nodes) * this.channels
  }

  /** The buffer of a channel of a link; of no link, that of the terminal which is the router. */
  number(link: number, node: number, channel: number): number {
    return (link === NONE ? this.links + node : link) * this.channels + channel
  }

  add(e: Happening): void {
    if (e.kind === INJECTED) this.length[e.packet] = e.length
    if (e.kind === ENTERED) this.entered.add(e.from)
    if (e.kind === MOVED || e.kind === WAITED || e.kind === ENTERED || e.kind === LEFT)
      (this.events[e.step] ??= []).push(e)
  }

  seal(steps: number): void {
    for (let s = 0; s <= steps; s++) this.events[s] ??= []
  }

  /** Goes to an instant. */
  seek(step: number): void {
    if (step < this.step) this.begin()
    while (this.step < step && this.step + 1 < this.events.length) this.play(++this.step)
  }

  private begin(): void {
    this.step = -1
    this.flits = []
    this.taken.fill(0)
    this.ways.clear()
    this.returns.clear()
    this.held.clear()
  }

  private play(step: number): void {
    this.held.clear()
    for (const b of this.returns.get(step) ?? []) this.taken[b]--
    this.returns.delete(step)
    for (const e of this.events[step]) {
      const buffer = this.number(e.link, e.from, e.length)
      if (e.kind === ENTERED) (this.flits[buffer] ??= []).push(e.packet)
      else if (e.kind === LEFT) this.leave(e, buffer)
      else if (e.kind === MOVED) this.move(e, buffer)
      else this.held.set(e.packet, { packet: e.packet, reason: e.reason, other: e.other, link: e.link })
    }
  }

  /** Behind the head, flits go where it went. */
  private leave(e: Happening, buffer: number): void {
    this.flits[buffer]?.shift()
    const due = e.step + this.creditDelay
    this.returns.set(due, [...(this.returns.get(due) ?? []), buffer])
    const way = this.ways.get(`${e.packet} ${e.from}`)
    if (!way) return
    this.taken[way.to]++
    if (++way.gone >= this.length[e.packet]) this.ways.delete(`${e.packet} ${e.from}`)
  }

  private move(e: Happening, to: number): void {
    this.taken[to]++
    if (this.length[e.packet] > 1) this.ways.set(`${e.packet} ${e.from}`, { to, gone: 1 })
  }

  flitsOf(buffer: number): number[] {
    return this.flits[buffer] ?? []
  }

  /** Places of the buffer that its sender may use. NONE: they are not known. */
  creditsOf(buffer: number): number {
    const source = this.network.ends[2 * Math.floor(buffer / this.channels)]
    // What a host sends behind a head is not told; and no flit enters a host.
    const known = this.creditDelay > 0 && buffer < this.links * this.channels && this.entered.has(source)
    return known ? this.room - this.taken[buffer] : NONE
  }

  /** The head that is first in the buffer, if it stands still. */
  blockedAt(buffer: number): Blocked | undefined {
    const first = this.flits[buffer]?.[0]
    return first === undefined ? undefined : this.held.get(first)
  }

  /** The inputs of a node: links that lead to it, and NONE if packets are created there. */
  inputsOf(node: number): number[] {
    const links: number[] = []
    for (let l = 0; l < this.links; l++)
      if (this.network.ends[2 * l + 1] === node && this.network.ends[2 * l] !== node) links.push(l)
    return [...links, NONE]
  }

  /** The node where heads wait most over all steps. */
  busiest(): number {
    const waits = new Uint32Array(this.network.nodes)
    for (const events of this.events) for (const e of events) if (e.kind === WAITED) waits[e.from]++
    return waits.reduce((best, n, u) => (n > waits[best] ? u : best), 0)
  }

  /** Flits in buffers, and heads that stand still. */
  totals(): [number, number] {
    return [this.flits.reduce((sum, f) => sum + f.length, 0), this.held.size]
  }
}
