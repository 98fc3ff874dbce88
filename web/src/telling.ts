// What is seen, in words: a step, the packet that is followed, the colours of a small sort.
import { Drawing, heat } from './drawing'
import { NONE } from './library'
import { Phase, REASONS } from './recording'

export function tellStep(phase: Phase, step: number, followed: number): string {
  if (phase.told !== undefined) return phase.told
  const c = phase.curve[step]
  if (phase.slice !== undefined) {
    const at = (t: number) => Number((t * phase.slice!).toPrecision(4))
    return `at ${at(step)} of ${at(phase.steps)} ${phase.unit}: ${c.moving} of ${phase.packets} flows are under way, ` +
      `${c.landed} have ended`
  }
  let text = `phase ${phase.name}, step ${step} of ${phase.steps}: ` +
    `${c.moving} moved, ${c.waiting} waited, ${c.landed} of ${phase.packets} landed`
  if (phase.buffers) {
    phase.buffers.seek(step)
    const [flits, held] = phase.buffers.totals()
    text += `; ${flits} flits in buffers, ${held} heads wait`
  }
  return followed === NONE ? text : `${text}. ${tellPacket(phase, step, followed)}`
}

function tellPacket(phase: Phase, step: number, p: number): string {
  if (p >= phase.packets) return ''
  const u = phase.at[step * phase.packets + p]
  const waits = phase.waits[step]
  for (let i = 0; i < waits.length; i += 4)
    if (waits[i] === p) {
      const other = waits[i + 3] !== NONE ? ` packet ${waits[i + 3]}` : ''
      return `Packet ${p} waits at ${u}${waits[i + 2] ? `: ${REASONS[waits[i + 2]]}${other}` : ''}`
    }
  if (u === NONE && phase.landed[step * phase.packets + p]) return `Packet ${p} has landed`
  if (u === NONE) return `Packet ${p} is not there`
  return `Packet ${p} is at ${u}${phase.landed[step * phase.packets + p] ? ', landed' : ''}`
}

/** What the colours of a small sort say. */
export function tellKeys({ keys, shade }: Drawing, phase: Phase, step: number): string {
  if (!keys || !shade || phase.network.nodes > 64) return ''
  const ranks = Array.from(keys(step), (key) => (key === NONE ? '-' : Math.round(shade[key] * (shade.length - 1))))
  return `. Ranks of the keys, node by node: ${ranks.join(' ')}`
}

/** What colours say: of what, from the least to the most, and what else is marked. */
function meaning(drawing: Drawing, phase: Phase, verb: string): [string, string, string, string] {
  if (phase.told !== undefined) {
    if (!drawing.drawsLinks) return ['the links are too many to draw', '', '', '']
    const cut = phase.cut ? '; dashed: the links of the cut; a ring: a node that they leave' : ''
    return ['load of a link in the best routing:', '0', '1', cut]
  }
  if (drawing.keys !== null) return ['keys:', 'the least', 'the greatest', '']
  const flows = '; a number: flows from the node that are under way'
  if (drawing.isHeatMap)
    return [`${phase.use ? 'flows' : 'packets'} at a node:`, '1', String(drawing.fullest), phase.use ? flows : '']
  if (phase.use) return ['share of a link that is used:', '0', '1', flows]
  const ring = verb === 'collective' ? '' : phase.buffers
    ? '; a square: flits in the buffer of a channel, framed where its head waits'
    : phase.open ? '' : '; a ring: all packets there have landed'
  return ['packets over a link:', '1', String(Math.max(1, drawing.busiest)), ring]
}

/** The line below the drawing. */
export function tellColours(root: HTMLElement, drawing: Drawing, phase: Phase, verb: string): void {
  const scale = root.querySelector<HTMLElement>('.scale')!
  const words = meaning(drawing, phase, verb)
  const one = words[1] === words[2]
  if (one) words[2] = ''
  scale.style.background = `linear-gradient(90deg, ${(one ? [1, 1] : [0, 0.25, 0.5, 0.75, 1]).map(heat).join(', ')})`
  scale.hidden = phase.told !== undefined && !drawing.drawsLinks
  const parts = ['what', 'least', 'most', 'ring']
  parts.forEach((part, i) => (root.querySelector(`.loads .${part}`)!.textContent = words[i]))
}
