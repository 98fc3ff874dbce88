// The parameters of a family, a traffic or a machine, as fields: made from the words that `netpram list` has for them,
// such as "DxN", "[:H]" or "a=,p=,h=[,g=]". A text is divided into the fields, and put together again of them.

interface Field {
  kind: 'field' | 'repeat' | 'flag'
  label: string
  index: number
  separator: string // of a repeat: between its parts
  text: string // of a flag: what is written if it is set
}

type Node = { kind: 'text'; text: string } | { kind: 'group'; nodes: Node[] } | Field

export interface Template {
  fields: Field[]
  nodes: Node[]
  pattern: RegExp
}

const TOKEN = /\[|\]|\.\.\.|[a-z]+=[A-Z]?|[A-Z]+\d*|[a-z][a-z-]+|n|[^[\]]/g

class Reader {
  fields: Field[] = []
  constructor(private readonly tokens: string[]) {}

  private field(kind: Field['kind'], label: string, separator = '', text = ''): Field {
    const field = { kind, label, separator, text, index: this.fields.length }
    this.fields.push(field)
    return field
  }

  nodes(): Node[] {
    const nodes: Node[] = []
    for (let token = this.tokens.shift(); token !== undefined && token !== ']'; token = this.tokens.shift()) {
      if (token === '[') nodes.push(this.group())
      else if (token === '...') this.repeat(nodes)
      else if (/^[a-z]+=/.test(token)) {
        const label = token.replace(/=.*/, '')
        nodes.push({ kind: 'text', text: `${label}=` }, this.field('field', label))
      } else if (/^[A-Z]/.test(token) || token === 'n') nodes.push(this.field('field', token))
      else nodes.push({ kind: 'text', text: token })
    }
    return nodes
  }

  /** What is in brackets may be left out. Words alone are there, or not. */
  private group(): Node {
    const before = this.fields.length
    const nodes = this.nodes()
    if (this.fields.length > before) return { kind: 'group', nodes }
    const text = nodes.map((n) => (n.kind === 'text' ? n.text : '')).join('')
    return this.field('flag', text.replace(/^:/, ''), '', text)
  }

  /** "AxBx..." is one field of several parts. */
  private repeat(nodes: Node[]): void {
    const [first, separator, , last] = nodes.slice(-4)
    if (first?.kind === 'field' && separator.kind === 'text' && last.kind === 'text') {
      this.fields.length -= 2
      nodes.splice(-4, 4, this.field('repeat', first.label, separator.text))
    }
  }
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

function patternOf(node: Node): string {
  if (node.kind === 'text') return escaped(node.text)
  if (node.kind === 'group') return `(?:${node.nodes.map(patternOf).join('')})?`
  if (node.kind === 'flag') return `(${escaped(node.text)})?`
  if (node.kind === 'repeat') return node.separator === ',' ? '(.+?)' : '([^:,=@]+)'
  if (/^([A-Z]\d*|n)$/.test(node.label)) return '([^:,=x@]+)'
  return /^[A-Z]/.test(node.label) ? '(.+?)' : '([^:,=@]+)'
}

const templates = new Map<string, Template | null>()

/** null: the words are too rich, and the parameters are one text. Without a colon at their beginning they have one. */
export function templateOf(parameters: string | null): Template | null {
  const words = parameters ?? ''
  const whole = !words || /^\[?:/.test(words) ? words : `:${words}`
  if (!templates.has(whole)) {
    const reader = new Reader(whole.match(TOKEN) ?? [])
    const nodes = reader.nodes()
    const pattern = new RegExp(`^${nodes.map(patternOf).join('')}$`)
    templates.set(whole, /[^.]\.\.[^.]/.test(whole) ? null : { fields: reader.fields, nodes, pattern })
  }
  return templates.get(whole)!
}

/** The values of the fields, of what follows the name; null: it is not of this form. */
export function divide(template: Template, rest: string): string[] | null {
  const found = template.pattern.exec(rest)
  const values = found && template.fields.map((_, i) => found[i + 1] ?? '')
  return values && compose(template, values) === rest ? values : null
}

const isGiven = (node: Node, values: string[]): boolean =>
  node.kind === 'group' ? node.nodes.some((n) => isGiven(n, values)) : node.kind !== 'text' && values[node.index] !== ''

function write(node: Node, values: string[]): string {
  if (node.kind === 'text') return node.text
  if (node.kind !== 'group') return values[node.index]
  return isGiven(node, values) ? node.nodes.map((n) => write(n, values)).join('') : ''
}

export const compose = (template: Template, values: string[]): string =>
  template.nodes.map((node) => write(node, values)).join('')

/** The least and the most that the parameter of a family may be; null: no such range is known. */
export function rangeOf(takes: string | null, label: string): [string, string] | null {
  const ranges = (takes ?? '').split(', ').map((text) => /^(\S+) (\d+)\.\.(\d+)$/.exec(text))
  const range = ranges.find((r) => r?.[1] === label)
  return range ? [range[2], range[3]] : null
}
