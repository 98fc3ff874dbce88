// What is chosen of a run: its fields, the options of the library that they make, and the command that repeats it.
import { inputNames } from './inputs'
import { Refusal } from './library'

export type Choice = Record<string, string>

export const DEFAULTS: Choice = {
  verb: 'route', network: 'hypercube:5', traffic: 'transpose', operation: 'gossip', order: 'random', scheme: '',
  paths: '', queue: '', algorithm: '', seed: '1', options: '', drawing: '', program: 'prefix-sums', n: '16',
  machine: 'ideal', input: '', text: '', model: 'steps', loads: '0.3', node: '',
}

export interface FieldOfForm {
  name: string
  label: string
  verbs: string[]
  /** has a list and parameters: chosen, or typed */
  spec?: string
  /** has a list alone */
  select?: boolean
}

/** What a verb may be. */
export const VERBS = ['route', 'sort', 'collective', 'pram', 'load', 'flows', 'throughput']

/** Verbs that send traffic. */
export const SENDERS = ['route', 'load', 'flows', 'throughput']

const ON_NETWORKS = VERBS.filter((verb) => verb !== 'pram')

/** The fields of the form: what they are called, and for which verbs. */
export const FIELDS: FieldOfForm[] = [
  { name: 'verb', label: 'what', verbs: VERBS, select: true },
  { name: 'program', label: 'program', verbs: ['pram'], spec: 'programs' },
  { name: 'n', label: 'n', verbs: ['pram'] },
  { name: 'input', label: 'input, if not drawn', verbs: ['pram'] },
  { name: 'machine', label: 'machine', verbs: ['pram'], spec: 'machines' },
  { name: 'network', label: 'network', verbs: ON_NETWORKS, spec: 'networks' },
  { name: 'traffic', label: 'traffic', verbs: SENDERS, spec: 'traffic' },
  { name: 'model', label: 'model', verbs: ['load'], select: true },
  { name: 'loads', label: 'load', verbs: ['load'] },
  { name: 'order', label: 'order of keys', verbs: ['sort'], spec: 'orders' },
  { name: 'operation', label: 'operation', verbs: ['collective'], select: true },
  { name: 'scheme', label: 'scheme', verbs: ['route'], select: true },
  { name: 'algorithm', label: 'algorithm', verbs: ['sort'], select: true },
  { name: 'paths', label: 'paths', verbs: SENDERS, spec: 'paths' },
  { name: 'queue', label: 'queues', verbs: ['route'], select: true },
  { name: 'seed', label: 'seed', verbs: VERBS },
  { name: 'drawing', label: 'drawing', verbs: ON_NETWORKS, select: true },
  { name: 'options', label: 'options, as typed', verbs: VERBS },
]

/** Options of each verb that have a field of their own. */
export const OWN: Record<string, string[]> = {
  route: ['scheme', 'paths', 'queue', 'seed'], sort: ['algorithm', 'order', 'seed'], collective: ['seed'],
  pram: ['n', 'machine', 'seed'], load: ['model', 'loads', 'paths', 'seed'],
  flows: ['paths', 'seed'], throughput: ['paths', 'seed'],
}

/** Options as they are typed, "queue_size=4 --overlap": by their names, and the word that each was. */
export function typedOptions(text: string): { name: string; value: string; word: string }[] {
  return text.split(/[\s,]+/).filter(Boolean).map((word) => {
    const [dashed, ...value] = word.replace(/^--/, '').split('=')
    return { name: dashed.replace(/-/g, '_'), value: value.length ? value.join('=') : 'true', word }
  })
}

/** What is chosen besides the network and the subject, by the names of the command. */
export function optionsOf(c: Choice): Record<string, string> {
  const options: Record<string, string> = Object.create(null)
  for (const name of OWN[c.verb]) if (c[name] !== '') options[name] = c[name]
  const given = c.verb === 'pram' ? inputNames(c.input) : []
  if (given.length) {
    // Its size is that of the first input.
    if (c.n !== DEFAULTS.n) throw new Refusal(`n ${c.n}: the input says how large it is`)
    delete options.n
  }
  const typed = new Set<string>()
  for (const { name, value, word } of typedOptions(c.options)) {
    if (OWN[c.verb].includes(name)) throw new Refusal(`${word}: ${name} has a field of its own`)
    if (typed.has(name)) throw new Refusal(`${word}: ${name} is given twice`)
    typed.add(name)
    // Options that a program declares: the library has one option for all of them.
    const declared = c.verb === 'pram' && /^set\.(.+)$/.exec(name)
    if (declared) options.set = `${options.set ? `${options.set},` : ''}${declared[1]}=${value}`
    else options[name] = value
  }
  for (const [name, value] of Object.entries({ ...c, ...options, text: '' }))
    if (/[\0-\x1f]/.test(value)) throw new Refusal(`${name} ${JSON.stringify(value)}: a line has no such character`)
  return options
}

/** As a shell takes the word. */
const quoted = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, `'\\''`)}'`)

/** The command that repeats the run. */
export function commandOf(c: Choice, options: Record<string, string>): string {
  const words = Object.entries(options).flatMap(([n, v]) => {
    const option = `--${n.replace(/_/g, '-')}`
    if (v === 'false') return [] // a switch, which is off if it is not given
    return v === 'true' ? [option] : v.startsWith('-') ? [`${option}=${v}`] : [option, v]
  })
  const sends = SENDERS.includes(c.verb)
  const subject = c.verb === 'collective' ? [c.operation] : sends ? ['--traffic', c.traffic] : []
  const program = c.text ? 'own.pram' : c.program
  const inputs = c.verb === 'pram' ? inputNames(c.input) : []
  if (inputs.length) words.push('--input', inputs.map((x) => (inputs[1] ? `${x}=${x}.txt` : `${x}.txt`)).join(','))
  return ['netpram', c.verb, c.verb === 'pram' ? program : c.network, ...subject, ...words].map(quoted).join(' ')
}
