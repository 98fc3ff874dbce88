// A field for each option that is heeded, with its range, default and help by the tables of the library. They say the
// same as the text of the options: who changes one sees the other follow.
import { OWN, typedOptions } from './choice'
import { lists, OptionRow } from './library'

export class OptionFields {
  readonly root = document.createElement('div')
  private rows: OptionRow[] = []
  private shown = ''

  constructor(private readonly text: HTMLInputElement) {
    this.root.className = 'options'
    this.root.addEventListener('change', (event) => this.join(event.target as HTMLInputElement))
    text.addEventListener('input', () => this.follow())
  }

  /** The rows of what is chosen. Fields stay where these are the same. */
  offer(verb: string, rows: OptionRow[]): void {
    this.rows = rows.filter((row) => !OWN[verb].includes(row.name))
    const shape = JSON.stringify(this.rows)
    if (shape !== this.shown) this.root.replaceChildren(...this.rows.map((row) => this.makeField(row)))
    this.shown = shape
    this.follow()
  }

  private makeField(row: OptionRow): HTMLElement {
    const label = document.createElement('label')
    const words = row.kind === 'word' ? row.words : (lists()[row.list ?? ''] ?? []).map((e) => e.name)
    const control = words.length ? this.makeSelect(row, [...new Set(words)]) : this.makeInput(row)
    control.dataset.option = row.name
    control.title = row.help ?? ''
    label.append(row.name.replace(/^set\./, '').replace(/_/g, ' '), control)
    return label
  }

  private makeSelect(row: OptionRow, words: string[]): HTMLSelectElement {
    const select = document.createElement('select')
    const preset = row.preset ?? (row.kind === 'word' ? words[0] : '')
    select.append(new Option(preset ? `default: ${preset}` : 'default', ''), ...words.map((w) => new Option(w, w)))
    return select
  }

  private makeInput(row: OptionRow): HTMLInputElement {
    const input = document.createElement('input')
    const isNumber = ['whole', 'real', 'integer'].includes(row.kind)
    input.type = row.kind === 'bool' ? 'checkbox' : isNumber ? 'number' : 'text'
    input.autocomplete = 'off'
    input.placeholder = row.preset ?? row.placeholder ?? ''
    if (row.low !== undefined) input.min = String(row.low)
    if (row.high !== undefined) input.max = String(row.high)
    if (isNumber) input.step = row.kind === 'real' ? 'any' : '1'
    return input
  }

  /** The fields follow the text. */
  follow(): void {
    const typed = new Map(typedOptions(this.text.value).map((o) => [o.name, o.value]))
    for (const control of this.root.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[data-option]')) {
      const row = this.rows.find((r) => r.name === control.dataset.option)!
      const value = typed.get(row.name)
      if (control instanceof HTMLInputElement && control.type === 'checkbox')
        control.checked = (value ?? row.preset) === 'true'
      else {
        const known = control instanceof HTMLSelectElement && [...control.options].some((o) => o.value === value)
        if (control instanceof HTMLSelectElement && value !== undefined && !known)
          control.append(new Option(value, value))
        if (control !== document.activeElement) control.value = value ?? '' // not what is being typed
      }
    }
  }

  /** A field was changed: the text follows. */
  private join(control: HTMLInputElement): void {
    const { option } = control.dataset
    const row = this.rows.find((r) => r.name === option)
    if (!row) return
    const others = typedOptions(this.text.value).filter((o) => o.name !== option).map((o) => o.word)
    const on = control.type === 'checkbox' ? String(control.checked) : control.value.trim().replace(/[\s,]/g, '')
    const plain = control.type === 'checkbox' ? row.preset ?? 'false' : ''
    this.text.value = [...others, ...(on === plain ? [] : [`${option}=${on}`])].join(' ')
  }
}
