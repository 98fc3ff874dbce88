// A network and its packets on a canvas. Links and their loads are painted once a step; packets at every frame.
import { interpolateViridis } from 'd3-scale-chromatic'
import { Network, NONE } from './library'
import { Cut, Phase } from './recording'

const MANY_NODES = 4096 // above: a heat map of nodes
const MANY_LINKS = 40000

const screenIsDark = matchMedia('(prefers-color-scheme: dark)')
const isDark = () => screenIsDark.matches && !document.documentElement.classList.contains('printing')

interface Colours {
  paper: string
  ink: string
  line: string
  node: string
  packet: string
  waiting: string
  followed: string
  landed: string
}

/** Colours that colour-blind people can tell apart (Okabe & Ito), by the page's light or dark. */
function colours(): Colours {
  const style = getComputedStyle(document.documentElement)
  const of = (name: string) => style.getPropertyValue(`--${name}`).trim()
  return {
    paper: of('paper'), ink: of('ink'), line: of('line'), node: of('node'), packet: of('packet'),
    waiting: of('waiting'), followed: of('followed'), landed: of('landed'),
  }
}

/** From little to much, so that much stands out: viridis, towards dark on light paper, towards light on dark paper. */
export function heat(share: number): string {
  const t = Math.max(0, Math.min(1, share))
  return interpolateViridis(isDark() ? 0.25 + 0.75 * t : 0.85 * (1 - t))
}

const LONGEST = 4 // of a heat map: how much longer than wide its cells may make it

/** The columns and rows of a drawing that is a grid with gaps, without the gaps; null: it is none. */
function gridOf(net: Network): { column: Uint32Array; row: Uint32Array } | null {
  const ranked = (places: Float64Array) => {
    const distinct = [...new Set(places)].sort((a, b) => a - b)
    const rank = new Map(distinct.map((place, i) => [place, i]))
    return { count: distinct.length, ranks: Uint32Array.from(places, (place) => rank.get(place)!) }
  }
  const [column, row] = [ranked(net.x), ranked(net.y)]
  return column.count * row.count <= 2 * net.nodes ? { column: column.ranks, row: row.ranks } : null
}

export class Drawing {
  private back = document.createElement('canvas')
  private phase: Phase | null = null
  private painted = -1
  private load = new Map<number, number>()
  private loadMost = 1
  private scale = 1 // pixels from a node of a grid to the next
  private scaleX = 1
  private scaleY = 1
  private column: ArrayLike<number> = []
  private row: ArrayLike<number> = []
  private left = 0
  private top = 0
  followed = NONE
  /** the most packets that are on their way at a node */
  fullest = 1
  /** of keys that are sorted: a number from 0 to 1 that colours each */
  shade: Float64Array | null = null
  /** the key of each node at an instant of the phase; with `shade` */
  keys: ((step: number) => Uint32Array) | null = null

  constructor(readonly canvas: HTMLCanvasElement) {}

  show(phase: Phase): void {
    this.phase = phase
    this.resize()
  }

  resize(): void {
    const ratio = window.devicePixelRatio || 1
    const box = this.canvas.getBoundingClientRect()
    for (const c of [this.canvas, this.back]) {
      c.width = Math.max(1, Math.round(box.width * ratio))
      c.height = Math.max(1, Math.round(box.height * ratio))
    }
    this.painted = -1
    if (this.phase) this.fit(this.phase.network)
  }

  /** The next paint is anew, in other colours. */
  repaint(): void {
    this.painted = -1
  }

  private fit(net: Network): void {
    const grid = this.isHeatMap ? gridOf(net) : null
    this.column = grid?.column ?? net.x
    this.row = grid?.row ?? net.y
    let wide = 0
    let high = 0
    for (let u = 0; u < net.nodes; u++) {
      wide = Math.max(wide, this.column[u])
      high = Math.max(high, this.row[u])
    }
    const { width, height } = this.canvas
    const margin = 0.06 * Math.min(width, height) + 6
    const cell = grid ? 1 : 0 // half of one on each side
    this.scaleX = (width - 2 * margin) / (wide + cell || 1)
    this.scaleY = (height - 2 * margin) / (high + cell || 1)
    this.scale = Math.min(this.scaleX, this.scaleY)
    if (!Number.isFinite(this.scale) || this.scale <= 0) this.scale = 1
    this.scale = Math.min(this.scale, Math.min(width, height) / 3)
    // Cells of a heat map are squares, unless it would be but a line.
    const isLine = grid && Math.max(wide / (high || 1), high / (wide || 1)) > LONGEST
    if (!isLine) this.scaleX = this.scaleY = this.scale
    this.left = (width - wide * this.scaleX) / 2
    this.top = (height - high * this.scaleY) / 2
  }

  private x = (u: number) => this.left + this.column[u] * this.scaleX
  private y = (u: number) => this.top + this.row[u] * this.scaleY

  /** The radius of a node: nodes of a grid are 1 apart. */
  private radius(): number {
    return Math.max(1, Math.min(0.22 * this.scale, 12 * (window.devicePixelRatio || 1)))
  }

  /** The node at a place of the canvas, in pixels of the page; NONE if there is none. */
  nodeAt(clientX: number, clientY: number): number {
    if (!this.phase) return NONE
    const box = this.canvas.getBoundingClientRect()
    const ratio = this.canvas.width / box.width
    const px = (clientX - box.left) * ratio
    const py = (clientY - box.top) * ratio
    let best = NONE
    let least = Math.max(14, 2 * this.radius()) ** 2
    for (let u = 0; u < this.phase.network.nodes; u++) {
      const d = (this.x(u) - px) ** 2 + (this.y(u) - py) ** 2
      if (d < least) {
        least = d
        best = u
      }
    }
    return best
  }

  /** Paints instant `step` of the phase, and `part` (0..1) of the step that follows. */
  paint(step: number, part: number): void {
    if (!this.phase) return
    if (this.painted !== step) this.paintBack(step)
    const context = this.canvas.getContext('2d')!
    context.clearRect(0, 0, this.canvas.width, this.canvas.height)
    context.drawImage(this.back, 0, 0)
    this.paintPackets(context, step, part)
  }

  /** Nodes are so many that only they are drawn, by the packets that wait there: at most `fullest`. */
  get isHeatMap(): boolean {
    return !!this.phase && this.phase.network.nodes > MANY_NODES
  }

  /** They are few enough. */
  get drawsLinks(): boolean {
    return !!this.phase && !this.isHeatMap && this.phase.network.links <= MANY_LINKS
  }

  /** The most crossings of a link so far. */
  get busiest(): number {
    return this.load.size ? this.loadMost : 0
  }

  /** How often each pair of nodes was crossed up to the instant. */
  private count(step: number): void {
    this.load.clear()
    this.loadMost = 1
    if (this.phase!.use) {
      for (const [key, share] of this.phase!.use) if (share > 0) this.load.set(key, share)
      return
    }
    const nodes = this.phase!.network.nodes
    for (let s = 1; s <= step; s++) {
      const m = this.phase!.moves[s]
      for (let i = 0; i < m.length; i += 4) {
        const key = m[i + 1] * nodes + m[i + 2]
        const n = (this.load.get(key) ?? 0) + 1
        this.load.set(key, n)
        if (n > this.loadMost) this.loadMost = n
      }
    }
  }

  private paintBack(step: number): void {
    this.painted = step
    const c = colours()
    const context = this.back.getContext('2d')!
    context.fillStyle = c.paper
    context.fillRect(0, 0, this.back.width, this.back.height)
    this.count(step)
    const net = this.phase!.network
    if (this.drawsLinks) this.paintLinks(context, net, c)
    if (this.phase!.buffers && this.drawsLinks) this.paintBuffers(context, step, c)
    if (this.keys) this.paintKeys(context, step)
    else this.paintNodes(context, net, step, c)
    if (this.phase!.cut && this.drawsLinks) this.paintCut(context, this.phase!.cut, c)
  }

  private paintLinks(context: CanvasRenderingContext2D, net: Network, c: Colours): void {
    const thin = Math.max(0.5, Math.min(1.5, this.scale / 30)) * (window.devicePixelRatio || 1)
    context.strokeStyle = c.line
    context.lineWidth = thin
    context.beginPath()
    for (let l = 0; l < net.ends.length; l += 2) {
      const from = net.ends[l]
      const to = net.ends[l + 1]
      if (to !== NONE && from !== to) this.line(context, from, to)
    }
    context.stroke()
    const byLoad = new Map<number, number[]>()
    for (const [key, n] of this.load)
      if (byLoad.get(n)?.push(key) === undefined) byLoad.set(n, [key])
    const loads = [...byLoad].sort(([a], [b]) => a - b)
    loads.forEach(([n, keys]) => {
      context.strokeStyle = heat(n / this.loadMost)
      context.lineWidth = thin * (1 + 3 * (n / this.loadMost))
      context.beginPath()
      for (const key of keys) this.line(context, Math.floor(key / net.nodes), key % net.nodes)
      context.stroke()
    })
  }

  /** The links of the cut, dashed, and rings around the nodes that they leave. */
  private paintCut(context: CanvasRenderingContext2D, { links, inside }: Cut, c: Colours): void {
    const ratio = window.devicePixelRatio || 1
    context.strokeStyle = c.followed
    context.lineWidth = 3 * ratio
    context.setLineDash([6 * ratio, 4 * ratio])
    context.beginPath()
    for (const [from, to] of links) this.line(context, from, to)
    context.stroke()
    context.setLineDash([])
    context.lineWidth = 2 * ratio
    inside.forEach((is, u) => is && this.ring(context, u, 1.4 * this.radius()))
  }

  /** Where links end, a square for each channel whose buffer has flits; a frame where the first one stands still. */
  private paintBuffers(context: CanvasRenderingContext2D, step: number, c: Colours): void {
    const buffers = this.phase!.buffers!
    const { ends } = this.phase!.network
    const side = Math.min(0.8 * this.radius(), (0.4 * this.scale) / buffers.channels)
    buffers.seek(step)
    for (let l = 0; l < ends.length / 2; l++)
      for (let v = 0; v < buffers.channels; v++) {
        const buffer = buffers.number(l, ends[2 * l + 1], v)
        const flits = buffers.flitsOf(buffer).length
        if (!flits) continue
        const [x, y] = this.between(ends[2 * l], ends[2 * l + 1], 0.75 - (v * 1.3 * side) / this.scale)
        context.fillStyle = heat(flits / buffers.room)
        context.fillRect(x - side / 2, y - side / 2, side, side)
        if (!buffers.blockedAt(buffer)) continue
        context.strokeStyle = c.waiting
        context.lineWidth = Math.max(1.5, 0.3 * side)
        context.strokeRect(x - 0.65 * side, y - 0.65 * side, 1.3 * side, 1.3 * side)
      }
  }

  /** A link that is longer than it is near bends, so that it does not lie on others: to the right of its direction. */
  private line(context: CanvasRenderingContext2D, from: number, to: number): void {
    const [mx, my, straight] = this.middle(from, to)
    context.moveTo(this.x(from), this.y(from))
    if (straight) context.lineTo(this.x(to), this.y(to))
    else context.quadraticCurveTo(mx, my, this.x(to), this.y(to))
  }

  private middle(from: number, to: number): [number, number, boolean] {
    const dx = this.x(to) - this.x(from)
    const dy = this.y(to) - this.y(from)
    const bend = Math.hypot(dx, dy) > 1.8 * this.scale ? 0.12 : 0.06
    return [(this.x(from) + this.x(to)) / 2 - bend * dy, (this.y(from) + this.y(to)) / 2 + bend * dx, this.scale < 8]
  }

  /** Nodes, larger and warmer with the packets that wait there. */
  private paintNodes(context: CanvasRenderingContext2D, net: Network, step: number, c: Colours): void {
    const phase = this.phase!
    const count = new Uint32Array(net.nodes)
    const open = new Uint32Array(net.nodes)
    let most = 1
    for (let p = 0; p < phase.packets; p++) {
      const u = phase.at[step * phase.packets + p]
      if (u === NONE) continue
      count[u]++
      if (!phase.landed[step * phase.packets + p]) most = Math.max(most, ++open[u])
    }
    const r = this.radius()
    this.fullest = most
    if (this.isHeatMap) {
      this.paintHeat(context, net, open, count, c)
      return
    }
    for (let u = 0; u < net.nodes; u++) {
      const full = open[u] / most
      const landed = count[u] > 0 && !open[u]
      context.fillStyle = open[u] > 1 ? heat(full) : landed ? c.paper : c.node
      context.beginPath()
      context.arc(this.x(u), this.y(u), r * (1 + 0.9 * Math.max(0, (open[u] - 1) / Math.max(1, most - 1))), 0, 7)
      context.fill()
      if (landed) {
        context.strokeStyle = c.landed
        context.lineWidth = Math.max(1, 0.35 * r)
        context.stroke()
      }
      if (open[u] > 1 && r > 5) {
        context.fillStyle = full > 0.5 !== isDark() ? '#fff' : '#000'
        context.font = `${Math.round(1.3 * r)}px system-ui, sans-serif`
        context.textAlign = 'center'
        context.textBaseline = 'middle'
        context.fillText(String(open[u]), this.x(u), this.y(u))
      }
    }
  }

  /** A cell for each node. Cells of neighbours meet at whole pixels: no lines are left between them. */
  private paintHeat(
    context: CanvasRenderingContext2D, net: Network, open: Uint32Array, count: Uint32Array, c: Colours,
  ): void {
    const edge = (start: number, place: number, scale: number) => Math.round(start + place * scale)
    for (let u = 0; u < net.nodes; u++) {
      context.fillStyle = open[u] ? heat(open[u] / this.fullest) : count[u] ? c.landed : c.node
      const [x, right] = [-0.5, 0.5].map((half) => edge(this.left, this.column[u] + half, this.scaleX))
      const [y, bottom] = [-0.5, 0.5].map((half) => edge(this.top, this.row[u] + half, this.scaleY))
      context.fillRect(x, y, Math.max(1, right - x), Math.max(1, bottom - y))
    }
  }

  private paintPackets(context: CanvasRenderingContext2D, step: number, part: number): void {
    const phase = this.phase!
    const c = colours()
    const r = 0.62 * this.radius()
    if (part > 0 && step < phase.steps && phase.network.nodes <= MANY_NODES) {
      const m = phase.moves[step + 1]
      for (let i = 0; i < m.length; i += 4) {
        const packet = m[i]
        const at = this.between(m[i + 1], m[i + 2], part)
        context.fillStyle =
          packet === this.followed ? c.followed : this.shade ? heat(this.shade[phase.root[packet]] ?? 0) : c.packet
        context.beginPath()
        context.arc(at[0], at[1], packet === this.followed ? 1.6 * r : r, 0, 7)
        context.fill()
      }
    }
    if (this.followed !== NONE && this.followed < phase.packets) this.paintFollowed(context, step, part, c)
  }

  /** The keys of the nodes, coloured by their ranks. */
  private paintKeys(context: CanvasRenderingContext2D, step: number): void {
    const r = 1.7 * this.radius()
    this.keys!(step).forEach((key, u) => {
      if (key === NONE) return
      context.fillStyle = heat(this.shade![key])
      context.fillRect(this.x(u) - r, this.y(u) - r, 2 * r, 2 * r)
    })
  }

  /** On the way of a link, as it is drawn. */
  private between(from: number, to: number, t: number): [number, number] {
    const [mx, my, straight] = this.middle(from, to)
    const [x0, y0, x1, y1] = [this.x(from), this.y(from), this.x(to), this.y(to)]
    if (straight) return [x0 + t * (x1 - x0), y0 + t * (y1 - y0)]
    const s = 1 - t
    return [s * s * x0 + 2 * s * t * mx + t * t * x1, s * s * y0 + 2 * s * t * my + t * t * y1]
  }

  /** The way of the followed packet so far, its place, and its end. */
  private paintFollowed(context: CanvasRenderingContext2D, step: number, part: number, c: Colours): void {
    const phase = this.phase!
    const place = (t: number) => phase.at[t * phase.packets + this.followed]
    const r = this.radius()
    context.strokeStyle = c.followed
    context.lineWidth = Math.max(2, 0.35 * r)
    context.beginPath()
    for (let t = 1; t <= step; t++)
      if (place(t - 1) !== NONE && place(t) !== NONE && place(t) !== place(t - 1))
        this.line(context, place(t - 1), place(t))
    context.stroke()
    const here = place(step)
    const moving = part > 0 && step < phase.steps && place(step + 1) !== here
    if (here !== NONE && !moving) this.ring(context, here, 1.5 * r)
    if (phase.end[this.followed] !== NONE) {
      context.setLineDash([4, 4])
      this.ring(context, phase.end[this.followed], 2.2 * r)
      context.setLineDash([])
    }
  }

  private ring(context: CanvasRenderingContext2D, u: number, r: number): void {
    context.beginPath()
    context.arc(this.x(u), this.y(u), r, 0, 7)
    context.stroke()
  }
}
