// A choice with parameters, such as "mesh:8x8": from a list, with a field for each parameter, or as it is typed. All
// three say the same: who changes one sees the others follow.
import { compose, divide, rangeOf, Template, templateOf } from './grammar'
import type { Entry } from './library'

const TYPED = '?' // of the list: what was typed is not in it

interface Meant {
  entry: Entry
  template: Template
  values: string[]
  suffix: string // "@2" behind a network: hosts of a switch
}

/** What is run when the entry is chosen: its example. What has none may stand alone. */
export const sampleOfEntry = (e: Entry): string => e.example ?? e.name

interface Part {
  label: string
  value: string
  flag: string // what is written if it is set; "": it is no flag
  range: [string, string] | null
}

export class SpecField {
  readonly root = document.createElement('fieldset')
  private entries: Entry[] = []
  private readonly input = document.createElement('input')
  private readonly select = document.createElement('select')
  private readonly parameters = document.createElement('div')
  private readonly help = document.createElement('p')
  private shape = '' // of the fields that are shown

  constructor(name: string, label: string, private readonly none: () => string | null) {
    this.root.dataset.field = name
    this.root.className = 'spec'
    this.root.innerHTML = '<legend></legend>'
    this.root.querySelector('legend')!.textContent = label
    this.select.setAttribute('aria-label', `${label}, from the list`)
    this.input.name = name
    this.input.autocomplete = 'off'
    this.input.spellcheck = false
    this.input.setAttribute('aria-label', `${label}, as typed`)
    this.parameters.className = 'parameters'
    this.help.className = 'help'
    this.root.append(this.select, this.parameters, this.input, this.help)
    this.select.addEventListener('change', () => this.choose())
    this.parameters.addEventListener('change', () => this.join())
    this.input.addEventListener('input', () => this.follow())
  }

  get value(): string {
    return this.input.value.trim()
  }

  set value(spec: string) {
    this.input.value = spec
    this.follow()
  }

  /** What the list has. */
  offer(entries: Entry[]): void {
    this.entries = entries
    const none = this.none()
    const options = entries.map((e, i) => {
      const double = entries.some((f) => f !== e && f.name === e.name)
      const option = new Option(double ? `${e.name} ${e.parameters}` : e.name, String(i))
      option.title = e.help
      option.dataset.spec = sampleOfEntry(e)
      return option
    })
    if (none !== null) options.unshift(new Option(none, ''))
    this.select.replaceChildren(...options)
    this.follow()
  }

  /** What the typed text means; null: nothing of the list. */
  private meant(): Meant | null {
    const [, name, rest] = /^([^:]*)(.*)$/s.exec(this.value)!
    const end = rest.lastIndexOf('@')
    const ways = [[rest, ''], ...(end < 0 ? [] : [[rest.slice(0, end), rest.slice(end)]])]
    for (const entry of this.entries) {
      if (entry.name !== name) continue
      const template = templateOf(entry.parameters)
      for (const [parameters, suffix] of template ? ways : []) {
        const values = divide(template!, parameters)
        if (values) return { entry, template: template!, values, suffix }
      }
    }
    return null
  }

  /** The list and the fields follow the text. */
  private follow(): void {
    const meant = this.meant()
    const named = meant?.entry ?? this.entries.find((e) => e.name === this.value.split(':')[0])
    const index = this.value === '' && this.none() !== null ? '' : named ? String(this.entries.indexOf(named)) : TYPED
    for (const option of [...this.select.options]) if (option.value === TYPED) option.remove()
    if (index === TYPED) this.select.append(new Option('as typed', TYPED))
    this.select.value = index
    this.help.textContent = named?.help ?? ''
    this.showParameters(meant)
  }

  private partsOf({ entry, template, values }: Meant): Part[] {
    return template.fields.flatMap((f, i) => {
      const part = (label: string, value: string): Part =>
        ({ label, value, flag: f.kind === 'flag' ? f.text : '', range: rangeOf(entry.takes, f.label) })
      if (f.kind !== 'repeat') return [part(f.label, values[i])]
      const parts = values[i].split(f.separator)
      return parts.map((value, k) => part(parts.length > 1 ? `${f.label} ${k + 1}` : f.label, value))
    })
  }

  /** Fields stay as they are where only their values change, so that who types in one stays there. */
  private showParameters(meant: Meant | null): void {
    const parts = meant ? this.partsOf(meant) : []
    const shape = meant ? `${this.entries.indexOf(meant.entry)} ${parts.map((p) => p.label).join(' ')}` : ''
    if (shape !== this.shape) {
      const fields = parts.map((part) => this.makeField(part))
      const repeats = meant?.template.fields.some((f) => f.kind === 'repeat')
      if (repeats) fields.push(...this.makeButtons(parts.length))
      this.parameters.replaceChildren(...fields)
      this.shape = shape
    }
    const inputs = this.parameters.querySelectorAll('input')
    parts.forEach((part, i) => {
      if (part.flag) inputs[i].checked = part.value !== ''
      else if (inputs[i] !== document.activeElement) inputs[i].value = part.value // not what is being typed
    })
  }

  private makeField(part: Part): HTMLElement {
    const label = document.createElement('label')
    const input = document.createElement('input')
    const isNumber = part.range || /^\d+$/.test(part.value) || (part.value === '' && part.label.length === 1)
    input.type = part.flag ? 'checkbox' : isNumber ? 'number' : 'text'
    if (isNumber) {
      input.min = part.range?.[0] ?? '0'
      input.step = '1'
    }
    if (part.range) {
      input.max = part.range[1]
      input.title = `${part.range[0]} to ${part.range[1]}`
    }
    input.autocomplete = 'off'
    label.append(part.label, input)
    return label
  }

  private makeButtons(parts: number): HTMLElement[] {
    return [1, -1].map((by) => {
      const button = document.createElement('button')
      button.type = 'button'
      button.textContent = by > 0 ? '+' : '−'
      button.setAttribute('aria-label', by > 0 ? 'one more' : 'one less')
      button.disabled = by < 0 && parts < 2
      button.onclick = () => this.resize(by)
      return button
    })
  }

  private resize(by: number): void {
    const meant = this.meant()
    const index = meant?.template.fields.findIndex((f) => f.kind === 'repeat') ?? -1
    if (!meant || index < 0) return
    const { separator } = meant.template.fields[index]
    const parts = meant.values[index].split(separator)
    const more = by > 0 ? [...parts, parts[parts.length - 1]] : parts.slice(0, -1)
    meant.values[index] = more.join(separator)
    this.take(meant)
    this.parameters.querySelectorAll('button')[by > 0 ? 0 : 1].focus()
    this.input.dispatchEvent(new Event('change', { bubbles: true }))
  }

  private take({ entry, template, values, suffix }: Meant): void {
    this.value = entry.name + compose(template, values) + suffix
  }

  /** The list was used: an example of what was chosen. */
  private choose(): void {
    if (this.select.value !== TYPED)
      this.value = this.select.value === '' ? '' : sampleOfEntry(this.entries[Number(this.select.value)])
  }

  /** A field was changed: the text follows. */
  private join(): void {
    const meant = this.meant()
    if (!meant) return
    const given = [...this.parameters.querySelectorAll('input')]
    meant.values = meant.template.fields.map((f, i) => {
      const count = f.kind === 'repeat' ? meant.values[i].split(f.separator).length : 1
      const inputs = given.splice(0, count)
      if (f.kind === 'flag') return inputs[0].checked ? f.text : ''
      return inputs.map((input) => input.value.trim()).join(f.separator)
    })
    this.input.value = meant.entry.name + compose(meant.template, meant.values) + meant.suffix
  }
}
