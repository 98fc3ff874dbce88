// The form of a run: what is chosen from the library's lists, with the fields of its parameters, or typed.
import { Choice, DEFAULTS, FIELDS, SENDERS } from './choice'
import { applicable, Entry, lists, optionRows, Refusal, taken, Watch } from './library'
import { OptionFields } from './optionfields'
import { sampleOfEntry, SpecField } from './specfield'

const MORE = ['paths', 'queue', 'drawing', 'options']

/** What the page has none of: files, and processes. */
const ABSENT = ['file', 'trace', 'forwarding', 'mpi']

/** Of each list, what there is for the network. */
type Fit = Record<string, Entry[]>

const VERB_NAMES: [string, string][] = [
  ['route', 'route packets'], ['sort', 'sort keys'], ['collective', 'collective operation'], ['pram', 'PRAM program'],
  ['load', 'load over time'], ['flows', 'flows that share links'],
  ['throughput', 'verdict'],
]

export class Form {
  readonly root = document.createElement('form')
  private readonly specs = new Map<string, SpecField>()
  private options!: OptionFields
  private choice!: Choice

  constructor(id: number, changed: (read: Choice, text: string) => void) {
    this.root.className = 'choice'
    this.root.noValidate = true // the library says what is wrong
    this.root.setAttribute('aria-label', `What to run, run ${id}`)
    this.build()
    const tell = () => changed(this.read(), this.text)
    this.root.addEventListener('change', tell)
    this.root.addEventListener('submit', (event) => {
      event.preventDefault()
      tell()
    })
  }

  private build(): void {
    const details = document.createElement('details')
    details.className = 'more'
    details.innerHTML = '<summary>more</summary><div></div>'
    const more = details.querySelector('div')!
    for (const field of FIELDS)
      (MORE.includes(field.name) ? more : this.root).append(this.makeField(field.name, field.label, field))
    this.root.append(details)
    this.options = new OptionFields(this.input('options'))
    more.append(this.options.root)
    const own = document.createElement('details')
    own.className = 'own'
    own.innerHTML = '<summary>edit the text</summary>' +
      '<textarea name="text" rows="14" spellcheck="false" aria-label="The text of the program"></textarea>' +
      '<button>Run</button>'
    this.root.append(own)
  }

  private makeField(name: string, label: string, { spec, select }: { spec?: string; select?: boolean }): HTMLElement {
    if (spec) {
      const field = new SpecField(name, label, () => (name === 'paths' ? this.noPaths() : null))
      this.specs.set(name, field)
      return field.root
    }
    const root = document.createElement('label')
    root.textContent = label
    root.dataset.field = name
    const input = document.createElement(select ? 'select' : 'input')
    input.setAttribute('name', name)
    if (!select) {
      input.setAttribute('autocomplete', 'off')
      input.setAttribute('spellcheck', 'false')
    }
    if (name === 'seed' || name === 'n') input.setAttribute('inputmode', 'numeric')
    if (name === 'input') input.setAttribute('placeholder', '{"x": [3, 1, 4]}')
    if (name === 'options') input.setAttribute('placeholder', 'queue_size=4 overlap=true')
    root.append(input)
    return root
  }

  private noPaths = (): string =>
    this.choice?.verb === 'route' ? "the scheme's" : this.choice?.verb === 'throughput' ? 'none' : 'the default'

  private input = <T extends HTMLInputElement | HTMLSelectElement = HTMLInputElement>(name: string): T =>
    this.root.querySelector<T>(`[name=${name}]`)!

  get text(): string {
    return this.root.querySelector('textarea')!.value
  }

  set text(words: string) {
    this.root.querySelector('textarea')!.value = words
  }

  /** What the fields say. */
  private read(): Choice {
    return Object.fromEntries(FIELDS.map((f) => [f.name, this.input(f.name).value.trim()]))
  }

  /** Puts what is chosen into the form. */
  write(choice: Choice): void {
    this.choice = choice
    const fit = this.all()
    for (const field of FIELDS) {
      const part = this.root.querySelector<HTMLElement>(`[data-field=${field.name}]`)!
      const isGiven = field.name === 'n' && choice.input !== '' && choice.n === DEFAULTS.n
      part.hidden = isGiven || !field.verbs.includes(choice.verb)
      if (field.select) this.offer(this.input(field.name), field.name, fit)
    }
    this.offerSpecs(fit)
    for (const field of FIELDS)
      if (field.spec) this.specs.get(field.name)!.value = choice[field.name]
      else this.input(field.name).value = choice[field.name]
    this.options.follow()
    this.root.querySelector<HTMLElement>('.own')!.hidden = choice.verb !== 'pram'
  }

  /** Offers only what fits the network. What is typed meanwhile stays. */
  async fit(watch: Watch, text: string): Promise<void> {
    const { choice } = this
    const fit = await this.fitting(watch)
    if (watch.signal?.aborted) return
    for (const field of FIELDS.filter((f) => f.select)) {
      const select = this.input<HTMLSelectElement>(field.name)
      const { value } = select
      this.offer(select, field.name, fit)
      select.value = value
    }
    this.offerSpecs(fit)
    await this.fitOptions(choice, text, watch)
  }

  /** What is chosen may be nothing that the library knows: then the run says so, and the fields stay. */
  private async fitOptions(choice: Choice, text: string, watch: Watch): Promise<void> {
    const { verb, network } = choice
    const who = verb === 'route' ? choice.scheme || (choice.paths && 'greedy') :
      verb === 'sort' ? choice.algorithm : verb === 'collective' ? choice.operation :
      verb === 'load' ? choice.model : verb === 'pram' ? choice.machine : ''
    try {
      this.options.offer(verb, await optionRows(verb, who, network, verb === 'pram' ? text : '', watch))
    } catch (problem) {
      if (!(problem instanceof Refusal)) throw problem
    }
  }

  private all(): Fit {
    const known = lists()
    const here = (list: string): Entry[] =>
      Array.isArray(known[list]) ? known[list].filter((e) => !ABSENT.includes(e.name)) : []
    return Object.fromEntries(Object.keys(known).filter((l) => l !== 'operations').map((l) => [l, here(l)]))
  }

  /** What the network takes; all, where the network is none: the run says so then. */
  private async fitting(watch: Watch): Promise<Fit> {
    const fit = this.all()
    try {
      if (this.choice.verb !== 'pram') await this.narrow(fit, watch)
    } catch (problem) {
      if (!(problem instanceof Refusal)) throw problem
    }
    return fit
  }

  /** Leaves in each list what the network takes. */
  private async narrow(fit: Fit, watch: Watch): Promise<void> {
    const { verb, network: spec, model } = this.choice
    const keep = async (list: string, words: (e: Entry) => string, found: Promise<string[]>) => {
      const names = await found
      fit[list] = fit[list].filter((e) => names.includes(words(e)))
    }
    const named = (e: Entry) => e.name
    const samples = (list: string) => [...new Set(fit[list].map(sampleOfEntry))]
    const tried = (list: string, field: Parameters<typeof taken>[1]) =>
      keep(list, sampleOfEntry, taken(spec, field, samples(list), watch))
    if (verb === 'route') await keep('schemes', named, applicable(spec, 'schemes', watch))
    if (verb === 'sort') await keep('sorters', named, applicable(spec, 'sorters', watch))
    await tried('drawings', 'drawing')
    if (!SENDERS.includes(verb)) return
    if (verb === 'throughput') {
      fit.paths.push(VALIANT)
      await tried('paths', 'reached')
    } else if (verb !== 'load') await tried('paths', 'paths')
    else if (model === 'flits') await tried('relations', 'flits')
    else await tried('paths', 'steps')
    await tried('traffic', 'traffic')
    if (verb === 'load') fit.traffic.push(UNIFORM)
  }

  private offerSpecs(fit: Fit): void {
    for (const field of FIELDS) {
      if (!field.spec) continue
      const flits = field.name === 'paths' && this.choice.verb === 'load' && this.choice.model === 'flits'
      const entries = fit[flits ? 'relations' : field.spec]
      const seen = (e: Entry, f: Entry) => e.name === f.name && e.parameters === f.parameters
      this.specs.get(field.name)!.offer(entries.filter((e, i) => entries.findIndex((f) => seen(e, f)) === i))
    }
  }

  private offer(select: HTMLSelectElement, name: string, fit: Fit): void {
    const named = (list: string): [string, string][] => fit[list].map((e) => [e.name, e.help])
    const offered: Record<string, () => [string, string][]> = {
      verb: () => VERB_NAMES,
      operation: () => lists().operations.map((o) => [o, o]),
      scheme: () => [['', 'the default'], ...named('schemes')],
      algorithm: () => [['', 'the default'], ...named('sorters')],
      model: () => [['steps', 'a packet a link a step'], ['flits', 'routers with channels']],
      queue: () => [['', "the scheme's"], ...named('queues')],
      drawing: () => [['', 'the best'], ...named('drawings')],
    }
    const names = offered[name]()
    if (!names.some(([n]) => n === this.choice[name])) names.push([this.choice[name], ''])
    select.replaceChildren(...names.map(([n, help]) => {
      const option = new Option(name === 'verb' ? help : n || help, n)
      if (help) option.title = help
      return option
    }))
  }
}

/** Traffic of load alone: it is no list of packets. */
const UNIFORM: Entry = {
  name: 'uniform', help: 'every packet to a random node', source: null, parameters: '', example: null,
  takes: null,
}

/** Paths of a verdict alone: a rule twice. */
const VALIANT: Entry = {
  name: 'valiant', help: 'to a random node, and on to the destination, both by a rule', source: null,
  parameters: '[:RULE]', example: null, takes: null,
}
