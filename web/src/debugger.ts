// The debugger of the command, beside a program that is played: the processors of the step at hand as a table, and its
// commands, of which breaks lead the player on.
import { Refusal } from './library'

export interface Session {
  text: string
  step: number
  ended: boolean
}

/** Commands that later ones build on: they are said again before each. */
const LASTING = /^(b|br|bre|brea|break|w|wa|wat|watc|watch|d|de|del|dele|delet|delete)\b/

const HELP = 'continue; step; break 12 if a[i] < 0; break access y[3]; watch x; print x[i] + 1; conflicts; help'

export class DebuggerView {
  readonly root = document.createElement('details')
  private readonly table: HTMLElement
  private readonly said: HTMLElement
  private readonly input: HTMLInputElement
  private lasting: string[] = []
  private at = 0
  private tabled = -1
  private steps = 0

  constructor(
    id: number, private readonly ask: (lines: string) => Promise<Session>, private readonly goTo: (t: number) => void,
  ) {
    this.root.className = 'debugger'
    this.root.innerHTML = `<summary>debugger</summary>
      <div class="processors" tabindex="0" role="group" aria-label="Processors of the step"></div>
      <form aria-label="Debugger, run ${id}"><label>command <input autocomplete="off" spellcheck="false"
      autocapitalize="off"></label><button>Do</button> <button type="button">Continue</button></form>
      <p class="help">${HELP.replace(/</g, '&lt;')}</p>
      <pre class="said" role="log" tabindex="0" aria-label="Answers"></pre>`
    this.table = this.root.querySelector('.processors')!
    this.said = this.root.querySelector('.said')!
    this.input = this.root.querySelector('input')!
    this.root.querySelector('form')!.addEventListener('submit', (event) => {
      event.preventDefault()
      event.stopPropagation()
      void this.command(this.input.value.trim())
    })
    this.root.querySelector<HTMLElement>('button[type=button]')!.onclick = () => void this.command('continue')
    this.root.addEventListener('toggle', () => this.showTable())
  }

  /** After step t of `steps`; 0: before the first. */
  show(t: number, steps: number): void {
    this.at = t
    this.steps = steps
    this.showTable()
  }

  /** The table of the step, if somebody looks. */
  private async showTable(): Promise<void> {
    if (!this.root.open || this.tabled === this.at) return
    const at = (this.tabled = this.at)
    const answer = at ? await this.tried(`goto ${at - 1}\ntable`) : null
    if (this.tabled === at) this.table.replaceChildren(answer ? tableOf(answer.text) : 'Before the first step.')
  }

  private async tried(lines: string): Promise<Session | null> {
    try {
      return await this.ask(lines)
    } catch (problem) {
      if (!(problem instanceof Refusal)) throw problem
      return { text: problem.message, step: Math.max(0, this.at - 1), ended: false }
    }
  }

  /** Before the first step `continue` begins with it. */
  private linesFor(command: string): string {
    const begins = !this.at && /^(c|co|con|cont|conti|contin|continu|continue)$/.test(command)
    const place = this.at ? [`goto ${this.at - 1}`] : []
    return [...place, ...this.lasting, begins ? 'run' : command].join('\n')
  }

  private async command(command: string): Promise<void> {
    if (!command || /[\0-\x1f]/.test(command)) return
    const answer = await this.tried(this.linesFor(command))
    if (!answer) return
    this.said.append(`(pram) ${command}\n${answer.text}`)
    this.said.scrollTop = this.said.scrollHeight
    this.input.value = ''
    if (LASTING.test(command) && !/^(there is no|.*: no such)/.test(answer.text)) this.lasting.push(command)
    const t = answer.ended ? this.steps : answer.step + 1
    if (t !== this.at && (this.at || answer.ended || answer.step || /^step 0|\nstep 0/.test(answer.text))) this.goTo(t)
  }
}

/** Columns are at least two blanks apart. */
function tableOf(text: string): HTMLElement {
  const lines = text.trimEnd().split('\n')
  const rows = lines.filter((line) => !/^ {2}\.\.\./.test(line)).map((line) => line.trim().split(/ {2,}/))
  const table = document.createElement('table')
  rows.forEach((cells, r) => {
    const row = table.insertRow()
    cells.forEach((cell, i) => {
      const element = document.createElement(r && i ? 'td' : 'th')
      if (!r || !i) element.setAttribute('scope', r ? 'row' : 'col')
      element.textContent = cell
      row.append(element)
    })
  })
  const rest = lines.find((line) => /^ {2}\.\.\./.test(line))
  if (rest) table.createCaption().textContent = rest.trim()
  return table
}
