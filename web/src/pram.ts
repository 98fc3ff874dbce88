// A PRAM program as it is played: its text with the line at hand, and memory as cells with what happens to each.
import { ProgramAnswer, ProgramStep } from './library'

interface Cell {
  element: HTMLElement
  words: string[] // by instant
}

/** Where each step leads: instants are 0 .. steps. */
export class ProgramView {
  readonly root = document.createElement('div')
  private lines: HTMLElement[] = []
  private cells = new Map<number, Cell>()
  private shown = -1

  constructor(source: string, readonly answer: ProgramAnswer) {
    this.root.className = 'program'
    this.root.innerHTML = '<pre class="text" tabindex="0" aria-label="The text of the program"></pre>' +
      '<div class="memory"></div><p class="kinds"><span class="cell read">read</span> ' +
      '<span class="cell write">write</span> <span class="cell fetch">fetch</span> filled: by several processors</p>'
    const text = this.root.querySelector('.text')!
    for (const line of source.split('\n')) {
      const row = document.createElement('span')
      row.textContent = `${line}\n`
      text.append(row)
      this.lines.push(row)
    }
    this.makeCells()
  }

  /** Arrays in the order in which they are met; the last cell of a row ends a line. */
  private makeCells(): void {
    const memory = this.root.querySelector('.memory')!
    this.answer.steps.forEach((step, t) => {
      for (const array of step.arrays) {
        const box = document.createElement('div')
        box.className = 'array'
        box.innerHTML = '<h2></h2><div class="cells"></div>'
        box.querySelector('h2')!.textContent = array.name
        const holder = box.querySelector<HTMLElement>('.cells')!
        const columns = Math.min(array.columns, 64)
        holder.tabIndex = 0
        holder.setAttribute('role', 'group')
        holder.setAttribute('aria-label', `Cells of ${array.name}`)
        holder.style.gridTemplateColumns = `repeat(${columns}, minmax(0, max-content))`
        array.words.forEach((word, i) => {
          const element = document.createElement('span')
          element.className = 'cell'
          holder.append(element)
          const words: string[] = []
          words[t + 1] = word
          if (!this.cells.has(array.base + i)) this.cells.set(array.base + i, { element, words })
        })
        memory.append(box)
      }
      for (const [, address, word] of step.accesses) {
        const cell = this.cells.get(address)
        if (cell) cell.words[t + 1] = word
      }
    })
  }

  /** What the cell holds at an instant: as it was last told, or, before that, as it was first told. */
  private wordAt(cell: Cell, t: number): string {
    for (let s = Math.min(t, cell.words.length - 1); s > 0; s--) if (cell.words[s] !== undefined) return cell.words[s]
    return cell.words.find((w) => w !== undefined) ?? ''
  }

  /** Shows the state after step t, and what step t did. */
  show(t: number): void {
    if (t === this.shown) return
    this.shown = t
    const step: ProgramStep | undefined = this.answer.steps[t - 1]
    this.lines.forEach((line, i) => line.classList.toggle('now', step !== undefined && i + 1 === step.line))
    if (step) this.keepInView(this.lines[step.line - 1])
    const users = new Map<number, number>()
    for (const [, address] of step?.accesses ?? []) users.set(address, (users.get(address) ?? 0) + 1)
    for (const [address, cell] of this.cells) {
      const word = this.wordAt(cell, t)
      if (cell.element.textContent !== word) cell.element.textContent = word
      const n = users.get(address) ?? 0
      const kind = n ? ` ${step!.kind}${n > 1 ? ' shared' : ''}` : ''
      if (cell.element.className !== `cell${kind}`) cell.element.className = `cell${kind}`
      cell.element.title = n ? `${n} processor${n > 1 ? 's' : ''} ${step!.kind}` : ''
    }
  }

  private keepInView(line: HTMLElement | undefined): void {
    const box = this.root.querySelector<HTMLElement>('.text')!
    if (!line) return
    const top = line.offsetTop // within the box, which is positioned
    if (top < box.scrollTop || top > box.scrollTop + box.clientHeight - 24) box.scrollTop = top - box.clientHeight / 2
  }

  /** The same in words. */
  tell(t: number): string {
    const steps = this.answer.steps.length
    const step = this.answer.steps[t - 1]
    if (!step) return `step 0 of ${steps}: the input`
    const cells = new Set(step.accesses.map(([, address]) => address))
    const shared = step.accesses.length - cells.size
    return `step ${t} of ${steps}, line ${step.line}, ${step.text}: ` +
      `${step.active} processor${step.active === 1 ? '' : 's'} ${step.kind} ` +
      `${cells.size} cell${cells.size === 1 ? '' : 's'}` +
      (shared ? `, ${shared} more than one a cell` : '') +
      (step.violations ? `, ${step.violations} against the rule` : '') +
      (step.network_steps ? `; ${step.network_steps} network steps` : '')
  }
}
