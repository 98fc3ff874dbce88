// The buffers of one router, channel by channel: their flits, why the head stands still, and the credits of who sends.
import type { Buffers } from './buffers'
import { NONE } from './library'
import { REASONS } from './recording'

const CELLS_MOST = 16 // larger buffers are told in numbers

export class BufferView {
  readonly root = document.createElement('section')
  private input: HTMLInputElement
  private table: HTMLElement
  private shown = ''

  constructor(id: number, chosen: (node: number) => void) {
    this.root.className = 'buffers'
    this.root.setAttribute('aria-label', 'Buffers')
    this.root.innerHTML = `<label for="node-${id}">buffers of node </label>
      <input id="node-${id}" type="number" min="0" step="1"><div class="rows" tabindex="0" role="group"
      aria-label="Buffers of the node, channel by channel"></div>`
    this.input = this.root.querySelector('input')!
    this.table = this.root.querySelector('.rows')!
    this.input.addEventListener('change', () => this.input.value !== '' && chosen(Number(this.input.value)))
  }

  show(buffers: Buffers, node: number, step: number): void {
    const key = `${node} ${step}`
    if (this.shown === key) return
    this.shown = key
    buffers.seek(step)
    this.input.max = String(buffers.network.nodes - 1)
    if (document.activeElement !== this.input) this.input.value = String(node)
    const rows = buffers.inputsOf(node).flatMap((link) =>
      Array.from({ length: buffers.channels }, (_, v) => this.row(buffers, node, link, v)))
    this.table.innerHTML = `<table><thead><tr><th scope="col">from</th><th scope="col">channel</th>
      <th scope="col">flits, by packets</th><th scope="col">head waits</th><th scope="col">credits</th></tr></thead>
      <tbody>${rows.join('')}</tbody></table>`
  }

  private row(buffers: Buffers, node: number, link: number, channel: number): string {
    const buffer = buffers.number(link, node, channel)
    const flits = buffers.flitsOf(buffer)
    const blocked = buffers.blockedAt(buffer)
    const credits = buffers.creditsOf(buffer)
    const from = link === NONE ? 'here' : buffers.network.ends[2 * link]
    const why = blocked ? REASONS[blocked.reason] + (blocked.other === NONE ? '' : ` ${blocked.other}`) : ''
    return `<tr class="${blocked ? 'blocked' : ''}"><td>${from}</td><td>${channel}</td>` +
      `<td>${this.cells(flits, buffers.room, !!blocked)}</td><td>${why}</td>` +
      `<td>${credits === NONE ? '' : credits}</td></tr>`
  }

  private cells(flits: number[], room: number, blocked: boolean): string {
    if (room > CELLS_MOST) return `${flits.length} of ${room}${flits.length ? `, first ${flits[0]}` : ''}`
    const cells = Array.from({ length: room }, (_, i) => {
      const full = i < flits.length
      const kinds = `cell${full ? ' full' : ''}${full && blocked && i === 0 ? ' held' : ''}`
      return `<span class="${kinds}"${full ? '' : ' aria-hidden="true"'}>${full ? flits[i] : '&nbsp;'}</span>`
    })
    return cells.join(' ')
  }
}
