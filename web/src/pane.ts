// One run: what is chosen, the drawing, the curves and the numbers.
import { BufferView } from './bufferview'
import { drawCurves, drawDelays, drawLatency, drawLegend } from './charts'
import { Drawing, heat } from './drawing'
import {
  Answer, applicable, curve, Entry, lists, NONE, ProgramAnswer, programText, Refusal, run, runProgram, taken, Watch,
} from './library'
import { ProgramView } from './pram'
import { keysAt, Phase, phasesOf, REASONS, record, Recording } from './recording'

export type Choice = Record<string, string>

export const DEFAULTS: Choice = {
  verb: 'route', network: 'hypercube:5', traffic: 'transpose', operation: 'gossip', order: 'random', scheme: '',
  paths: '', queue: '', algorithm: '', seed: '1', options: '', drawing: '', program: 'prefix-sums', n: '16',
  machine: 'ideal', text: '', model: 'steps', loads: '0.3', node: '',
}

/** The fields of the form: what they are called, and for which verbs. */
const FIELDS: { name: string; label: string; verbs: string[]; list?: string; select?: boolean }[] = [
  { name: 'verb', label: 'what', verbs: ['route', 'sort', 'collective', 'pram', 'load'], select: true },
  { name: 'program', label: 'program', verbs: ['pram'], list: 'programs' },
  { name: 'n', label: 'n', verbs: ['pram'] },
  { name: 'machine', label: 'machine', verbs: ['pram'], list: 'machines' },
  { name: 'network', label: 'network', verbs: ['route', 'sort', 'collective', 'load'], list: 'networks' },
  { name: 'traffic', label: 'traffic', verbs: ['route', 'load'], list: 'traffic' },
  { name: 'model', label: 'model', verbs: ['load'], select: true },
  { name: 'loads', label: 'load', verbs: ['load'] },
  { name: 'order', label: 'order of keys', verbs: ['sort'], list: 'orders' },
  { name: 'operation', label: 'operation', verbs: ['collective'], select: true },
  { name: 'scheme', label: 'scheme', verbs: ['route'], select: true },
  { name: 'algorithm', label: 'algorithm', verbs: ['sort'], select: true },
  { name: 'paths', label: 'paths', verbs: ['route', 'load'], select: true },
  { name: 'queue', label: 'queues', verbs: ['route'], select: true },
  { name: 'seed', label: 'seed', verbs: ['route', 'sort', 'collective', 'pram', 'load'] },
  { name: 'options', label: 'more options', verbs: ['route', 'sort', 'collective', 'pram', 'load'] },
  { name: 'drawing', label: 'drawing', verbs: ['route', 'sort', 'collective', 'load'], select: true },
]

/** Options of each verb that have a field of their own. */
const OPTIONS: Record<string, string[]> = {
  route: ['scheme', 'paths', 'queue', 'seed'], sort: ['algorithm', 'order', 'seed'], collective: ['seed'],
  pram: ['n', 'machine', 'seed'], load: ['model', 'loads', 'paths', 'seed'],
}

const MORE = ['paths', 'queue', 'options', 'drawing']

/** Machines of the page, for those who have not read of them. */
const MACHINES = ['ideal', 'butterfly:3', 'butterfly:4', 'leveled:mesh:4x4', 'two-phase:hypercube:4']

/** Of parameters, a value for each that is a letter or a word: what is suggested can be run. */
const VALUES: Record<string, string> = { K: '3', H: '2', F: '0.5', Q: '1', NODE: '0', TRAFFIC: 'random' }

/** What a verb may be. */
export const VERBS = FIELDS[0].verbs

/** As a shell takes the word. */
const quoted = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, `'\\''`)}'`)

let panes = 0

export class Pane {
  readonly root = document.createElement('section')
  readonly drawing: Drawing
  choice: Choice
  recording: Recording | null = null
  total = 0
  private readonly id = ++panes
  private form!: HTMLFormElement
  private error!: HTMLElement
  private status!: HTMLElement
  private shownPhase: Phase | null = null
  private program: ProgramView | null = null
  private source = '' // the text of the program that is chosen
  private batches: Phase[][] = []
  private charted = ''
  private buffers: BufferView | null = null
  private busiest = 0 // the router that is shown at first
  private stopper = new AbortController()

  constructor(choice: Choice, private readonly changed: () => void) {
    this.choice = { ...DEFAULTS, ...choice }
    this.root.className = 'pane'
    this.root.setAttribute('aria-label', `Run ${this.id}`)
    this.root.innerHTML = `
      <form class="choice" aria-label="What to run"></form>
      <p class="error" role="alert" hidden></p>
      <p class="busy" role="status" hidden><span></span> <button type="button" class="stop">Stop</button></p>
      <div class="stage"><canvas role="img" tabindex="0"></canvas><p class="status"></p><p class="loads">
        <span class="what"></span>
        <span class="least"></span><span class="scale"></span><span class="most"></span><span class="ring"></span></p>
      </div>
      <div class="side"><div class="numbers"></div><div class="legend"></div><div class="curves"></div>
      <h2 class="of-latency" hidden>Latency by load</h2><div class="latency" hidden></div>
      <h2 class="of-delays">Delays</h2><div class="delays"></div><p class="bound"></p><p class="repeat"></p></div>`
    this.form = this.root.querySelector('form')!
    this.error = this.root.querySelector('.error')!
    this.status = this.root.querySelector('.status')!
    this.drawing = new Drawing(this.root.querySelector('canvas')!)
    if (!document.body.classList.contains('player')) this.build()
    this.form.addEventListener('change', () => this.read())
    this.form.addEventListener('submit', (event) => {
      event.preventDefault()
      this.read()
    })
    this.root.querySelector<HTMLElement>('.stop')!.onclick = () => this.stop()
    this.drawing.canvas.addEventListener('click', (event) => this.follow(event))
    drawLegend(this.root.querySelector('.legend')!, false)
  }

  private build(): void {
    const details = document.createElement('details')
    details.className = 'more'
    details.innerHTML = '<summary>more</summary><div></div>'
    const more = details.querySelector('div')!
    for (const field of FIELDS) {
      const label = document.createElement('label')
      label.textContent = field.label
      label.dataset.field = field.name
      const input = document.createElement(field.select ? 'select' : 'input')
      input.setAttribute('name', field.name)
      if (!field.select) {
        input.setAttribute('autocomplete', 'off')
        input.setAttribute('spellcheck', 'false')
      }
      if (field.list) {
        const options = document.createElement('datalist')
        options.id = `list-${field.name}-${this.id}`
        if (field.name === 'machine') for (const name of MACHINES) options.append(new Option(name, name))
        else if (field.name !== 'traffic')
          for (const e of lists()[field.list])
            if (e.name !== 'file') options.append(new Option(e.help, e.example || specOf(e)))
        label.append(options)
        input.setAttribute('list', options.id)
      }
      if (field.name === 'seed') input.setAttribute('inputmode', 'numeric')
      if (field.name === 'options') input.setAttribute('placeholder', 'queue_size=4 overlap=true')
      label.append(input)
      ;(MORE.includes(field.name) ? more : this.form).append(label)
    }
    this.form.append(details)
    const own = document.createElement('details')
    own.className = 'own'
    own.innerHTML = '<summary>edit the text</summary>' +
      '<textarea name="text" rows="14" spellcheck="false" aria-label="The text of the program"></textarea>' +
      '<button>Run</button>'
    this.form.append(own)
  }

  /** Puts what is chosen into the form; of lists, what there is for the network. */
  write(fit = this.all()): void {
    for (const field of FIELDS) {
      const label = this.form.querySelector<HTMLElement>(`[data-field=${field.name}]`)!
      label.hidden = !field.verbs.includes(this.choice.verb)
      label.style.display = label.hidden ? 'none' : ''
      const input = label.querySelector<HTMLInputElement | HTMLSelectElement>('[name]')!
      if (input instanceof HTMLSelectElement) this.offer(input, field.name, fit)
      input.value = this.choice[field.name]
    }
    this.suggest(fit)
    this.form.querySelector<HTMLElement>('.own')!.hidden = this.choice.verb !== 'pram'
  }

  /** Offers only what fits. What is typed meanwhile stays. */
  private fit(fit: Record<string, string[]>): void {
    for (const field of FIELDS.filter((f) => f.select)) {
      const select = this.form.querySelector<HTMLSelectElement>(`select[name=${field.name}]`)!
      const { value } = select
      this.offer(select, field.name, fit)
      select.value = value
    }
    this.suggest(fit)
  }

  private suggest(fit: Record<string, string[]>): void {
    const fitting = lists().traffic.filter((e) => fit.traffic.includes(specOf(e)))
    const suggested = this.form.querySelector('[data-field=traffic] datalist')!
    suggested.replaceChildren(...fitting.map((e) => new Option(e.help, specOf(e))))
  }

  private all(): Record<string, string[]> {
    const l = lists()
    const all = (list: string) => l[list].map((e) => e.name)
    return {
      schemes: all('schemes'), sorters: all('sorters'), paths: all('paths'), drawings: all('drawings'),
      relations: [...new Set(all('relations'))],
      traffic: l.traffic.filter((e) => e.name !== 'file').map(specOf),
    }
  }

  /** The names of each list that are for the network; all where the network is none, which the run says then. */
  private async fitting(watch: Watch): Promise<Record<string, string[]>> {
    const fit = this.all()
    if (this.choice.verb === 'pram') return fit
    const spec = this.choice.network
    try {
      if (this.choice.verb === 'route') fit.schemes = await applicable(spec, 'schemes', watch)
      if (this.choice.verb === 'sort') fit.sorters = await applicable(spec, 'sorters', watch)
      fit.drawings = await taken(spec, 'drawing', fit.drawings, watch)
      if (this.choice.verb !== 'route' && this.choice.verb !== 'load') return fit
      if (this.choice.verb === 'route') fit.paths = await taken(spec, 'paths', fit.paths, watch)
      else if (this.choice.model === 'flits') fit.relations = await taken(spec, 'flits', fit.relations, watch)
      else fit.paths = await taken(spec, 'steps', fit.paths, watch)
      fit.traffic = await taken(spec, 'traffic', fit.traffic, watch)
      if (this.choice.verb === 'load') fit.traffic.push('uniform') // it is of load, and no list of packets
    } catch (problem) {
      if (!(problem instanceof Refusal)) throw problem
    }
    return fit
  }

  private offer(select: HTMLSelectElement, name: string, fit: Record<string, string[]>): void {
    const l = lists()
    let names: [string, string][]
    const named = (list: string): [string, string][] => {
      const of = l[list].filter((e) => !fit[list] || fit[list].includes(e.name))
      return of.filter((e, i) => of.findIndex((f) => f.name === e.name) === i).map((e) => [e.name, e.help])
    }
    if (name === 'verb')
      names = [
        ['route', 'route packets'], ['sort', 'sort keys'], ['collective', 'collective operation'],
        ['pram', 'PRAM program'], ['load', 'load over time'],
      ]
    else if (name === 'operation') names = l.operations.map((o) => [o, o])
    else if (name === 'scheme') names = [['', 'the default'], ...named('schemes')]
    else if (name === 'algorithm') names = [['', 'the default'], ...named('sorters')]
    else if (name === 'model') names = [['steps', 'a packet a link a step'], ['flits', 'routers with channels']]
    else if (name === 'paths' && this.choice.verb === 'load')
      names = [['', 'the default'], ...named(this.choice.model === 'flits' ? 'relations' : 'paths')]
    else if (name === 'paths') names = [['', "the scheme's"], ...named('paths')]
    else if (name === 'queue') names = [['', "the scheme's"], ...named('queues')]
    else names = [['', 'the best'], ...named('drawings')]
    if (!names.some(([n]) => n === this.choice[name])) names.push([this.choice[name], ''])
    select.replaceChildren(...names.map(([n, help]) => {
      const option = new Option(name === 'verb' ? help : n || help, n)
      if (help) option.title = help
      return option
    }))
  }

  private read(): void {
    const before = this.choice.program
    for (const field of FIELDS)
      this.choice[field.name] = this.form.querySelector<HTMLInputElement>(`[name=${field.name}]`)!.value.trim()
    // A text that is that of the program is not one's own; nor is it when another program is chosen.
    const text = this.form.querySelector('textarea')!.value
    const own = this.choice.verb === 'pram' && this.choice.program === before && this.source &&
      text.trim() !== (this.choice.text || this.source).trim()
    if (own) this.choice.text = text
    else if (this.choice.verb !== 'pram' || this.choice.program !== before) this.choice.text = ''
    void this.run().then(this.changed)
  }

  /** What is chosen besides the network and the subject, by the names of the command. */
  private options(): Record<string, string> {
    const c = this.choice
    const options: Record<string, string> = Object.create(null)
    for (const name of OPTIONS[c.verb]) if (c[name] !== '') options[name] = c[name]
    for (const word of c.options.split(/[\s,]+/).filter(Boolean)) {
      const [dashed, ...value] = word.replace(/^--/, '').split('=')
      const name = dashed.replace(/-/g, '_')
      if (OPTIONS[c.verb].includes(name)) throw new Refusal(`${word}: ${name} has a field of its own`)
      if (name in options) throw new Refusal(`${word}: ${name} is given twice`)
      options[name] = value.length ? value.join('=') : 'true'
    }
    for (const [name, value] of Object.entries({ ...c, ...options, text: '' }))
      if (/[\0-\x1f]/.test(value)) throw new Refusal(`${name} ${JSON.stringify(value)}: a line has no such character`)
    return options
  }

  /** Runs what is chosen. What the library refuses is said in the page. */
  async run(): Promise<void> {
    this.stopper.abort()
    const { signal } = (this.stopper = new AbortController())
    const c = { ...this.choice }
    const watch: Watch = { signal, progress: (steps, events) => this.tellProgress(steps, events) }
    this.wait(true)
    this.write()
    try {
      const options = this.options()
      if (c.verb === 'pram')
        this.form.querySelector('textarea')!.value = this.source = c.text || (await programText(c.program, watch))
      this.fit(await this.fitting(watch))
      const subject = c.verb === 'route' || c.verb === 'load' ? c.traffic : c.verb === 'collective' ? c.operation : ''
      if (c.verb === 'pram') {
        const answer = await runProgram(this.source, options, watch)
        const phases = await phasesOf(answer, watch)
        if (!signal.aborted) this.playProgram(answer, phases)
      } else {
        const answer = await run(c.verb, c.network, subject, options, watch)
        const recording = await record(`${c.verb} ${c.network}`, answer, watch, c.network, c.drawing)
        if (!signal.aborted) this.play(recording)
        if (!signal.aborted && c.verb === 'load') void this.measureCurve(c, options, answer, watch)
      }
      if (signal.aborted) return
      this.root.querySelector('.repeat')!.innerHTML = 'repeat: <code></code><span></span>'
      this.root.querySelector('.repeat code')!.textContent = this.command(options)
      this.root.querySelector('.repeat span')!.textContent =
        c.verb === 'pram' && c.text ? ' (own.pram: a file with the text)' : ''
      this.refuse('')
    } catch (problem) {
      if (!(problem instanceof Refusal)) throw problem
      // A run that another one follows says nothing.
      if (this.stopper.signal !== signal) return
      this.refuse(problem.message)
    } finally {
      if (this.stopper.signal === signal) this.wait(false)
    }
  }

  /** Beside the load that is played: the latencies at others, as soon as they are known. */
  private async measureCurve(c: Choice, options: Record<string, string>, answer: Answer, watch: Watch): Promise<void> {
    const holder = this.root.querySelector<HTMLElement>('.latency')!
    const { offered } = answer.result.points[0]
    for (const name of ['.of-latency', '.latency']) this.root.querySelector<HTMLElement>(name)!.hidden = false
    holder.textContent = 'measuring'
    const loads = [0.25, 0.5, 0.75, 1, 1.25, 1.5].map((f) => Number((f * offered).toFixed(6)))
    const some = loads.filter((l) => l > 0 && (l <= offered || l <= 1)).join(',')
    try {
      const points = await curve(
        c.network, c.traffic, { precision: '0.05', cycles: '20000', ...options, loads: some },
        { signal: watch.signal })
      if (watch.signal?.aborted) return
      holder.textContent = ''
      drawLatency(holder, points, offered)
    } catch (problem) {
      if (!(problem instanceof Refusal)) throw problem
      holder.textContent = watch.signal?.aborted ? '' : problem.message
    }
  }

  /** Ends the run that is not done. */
  stop(): void {
    this.stopper.abort()
  }

  /** Leaves the run that is not done without a word. */
  leave(): void {
    this.stopper.abort()
    this.stopper = new AbortController()
    this.wait(false)
  }

  /** While a run lasts the pane says so; a run of less than a moment does not. */
  private wait(on: boolean): void {
    const box = this.root.querySelector<HTMLElement>('.busy')!
    this.root.setAttribute('aria-busy', String(on))
    box.hidden = true
    if (!on) return
    this.tellProgress(0, 0)
    const { signal } = this.stopper
    const over = () => this.root.getAttribute('aria-busy') !== 'true' || this.stopper.signal !== signal
    setTimeout(() => (box.hidden = over()), 300)
  }

  private tellProgress(steps: number, events: number): void {
    const done = steps ? `${steps.toLocaleString('en')} steps` : events ? `${events.toLocaleString('en')} events` : ''
    this.root.querySelector('.busy span')!.textContent = `running${done ? `: ${done}` : ''}`
  }

  private command(options: Record<string, string>): string {
    const c = this.choice
    const words = Object.entries(options).flatMap(([n, v]) => {
      const option = `--${n.replace(/_/g, '-')}`
      if (v === 'false') return [] // a switch, which is off if it is not given
      return v === 'true' ? [option] : v.startsWith('-') ? [`${option}=${v}`] : [option, v]
    })
    const sends = c.verb === 'route' || c.verb === 'load'
    const subject = c.verb === 'collective' ? [c.operation] : sends ? ['--traffic', c.traffic] : []
    const program = c.text ? 'own.pram' : c.program
    return ['netpram', c.verb, c.verb === 'pram' ? program : c.network, ...subject, ...words].map(quoted).join(' ')
  }

  /** Says what is wrong. What was played before is greyed, and is not played on. */
  refuse(message: string): void {
    this.say(message)
    this.root.classList.toggle('refused', message !== '')
    if (message) this.total = 0
  }

  /** Says something of the run that is played. */
  say(message: string): void {
    this.error.hidden = !message
    this.error.textContent = message.replace(/[\0-\x1f]/g, (c) => JSON.stringify(c).slice(1, -1))
  }

  get refused(): boolean {
    return this.root.classList.contains('refused')
  }

  /** A program is played by PRAM steps; on a machine that is a network its batches move between two of them. */
  private playProgram(answer: ProgramAnswer, phases: Phase[]): void {
    this.play({ title: 'pram', phases: [], answer })
    this.program = new ProgramView(this.source, answer)
    this.total = answer.steps.length
    this.batches = answer.steps.map((step, t) =>
      phases.slice(t ? answer.steps[t - 1].phases : 0, step.phases).filter((p) => p.steps > 0))
    this.root.querySelector('.stage')!.before(this.program.root)
    const network = phases.length > 0
    this.root.classList.toggle('alone', !network)
    this.root.classList.add('playing-program')
  }

  /** The batches of the step that leads on from `time`; at rest, of the step before, when all have landed. */
  private paintProgram(time: number): void {
    const whole = Math.floor(Math.min(time, this.total))
    const part = whole < this.total ? time - whole : 0
    this.program!.show(part > 0 ? whole + 1 : whole)
    const text = this.program!.tell(part > 0 ? whole + 1 : whole)
    if (this.status.textContent !== text) this.status.textContent = text
    const batches = this.batches[part > 0 ? whole : Math.max(0, whole - 1)] ?? []
    const steps = batches.reduce((sum, p) => sum + p.steps, 0)
    if (!steps) return
    let at = part > 0 ? part * steps : whole ? steps : 0
    let index = 0
    while (index + 1 < batches.length && at > batches[index].steps) at -= batches[index++].steps
    const phase = batches[index]
    if (phase !== this.shownPhase) {
      this.shownPhase = phase
      this.drawing.show(phase)
    }
    const step = Math.min(Math.floor(at), phase.steps)
    this.drawing.paint(step, at - step)
    this.drawing.canvas.setAttribute(
      'aria-label', `${phase.network.spec}: ${phase.name}, step ${step} of ${phase.steps}. ${text}`)
    const key = `${whole} ${index}`
    if (key === this.charted) return
    this.charted = key
    drawCurves(this.root.querySelector('.curves')!, batches, index, step)
  }

  /** Plays a trace, in the place of the run. */
  playTrace(recording: Recording): void {
    this.leave()
    this.refuse('')
    this.play(recording)
    if (recording.note) this.say(recording.note)
  }

  private play(recording: Recording): void {
    this.program?.root.remove()
    this.program = null
    this.root.classList.remove('alone', 'playing-program')
    this.recording = recording
    this.total = recording.phases.reduce((sum, p) => sum + p.steps, 0)
    this.drawing.followed = NONE
    this.shownPhase = null
    this.charted = ''
    this.showBuffers(recording.phases[0])
    drawLegend(this.root.querySelector('.legend')!, recording.phases[0]?.open ?? false)
    for (const name of ['.of-latency', '.latency']) this.root.querySelector<HTMLElement>(name)!.hidden = true
    this.root.querySelector('.repeat')!.textContent = recording.answer ? '' : recording.title
    this.shade(recording.answer)
    this.numbers()
  }

  /** Where packets are trains of flits: the buffers of a router, at first of the one where heads wait most. */
  private showBuffers(phase: Phase | undefined): void {
    this.buffers?.root.remove()
    this.buffers = null
    if (!phase?.buffers) return
    const { nodes, spec } = phase.network
    if (this.choice.node !== '' && !(/^\d{1,9}$/.test(this.choice.node) && Number(this.choice.node) < nodes))
      throw new Refusal(`node ${this.choice.node}: ${spec} has nodes 0 to ${nodes - 1}`)
    this.busiest = phase.buffers.busiest()
    this.buffers = new BufferView(this.id, (node) => this.chooseNode(node))
    this.root.querySelector('.stage')!.append(this.buffers.root)
  }

  private chooseNode(node: number): void {
    const { nodes } = this.shownPhase!.network
    if (Number.isInteger(node) && node >= 0 && node < nodes) this.choice.node = String(node)
    this.changed()
  }

  /** Keys that are sorted are coloured by their ranks. */
  private shade(answer: Answer | undefined): void {
    this.drawing.shade = this.drawing.keys = null
    if (!answer?.keys) return
    const keys = answer.keys
    const order = Array.from(keys.keys()).sort((a, b) => (keys[a] < keys[b] ? -1 : keys[a] > keys[b] ? 1 : a - b))
    const shade = new Float64Array(answer.keys.length)
    order.forEach((key, rank) => (shade[key] = rank / Math.max(1, order.length - 1)))
    this.drawing.shade = shade
  }

  /** The phase and the step at an instant of the whole run. */
  locate(t: number): { index: number; step: number } {
    const phases = this.recording?.phases ?? []
    let rest = Math.min(t, this.total)
    for (let i = 0; i < phases.length; i++) {
      if (rest < phases[i].steps || i === phases.length - 1) return { index: i, step: Math.min(rest, phases[i].steps) }
      rest -= phases[i].steps
    }
    return { index: 0, step: 0 }
  }

  paint(time: number, still: boolean): void {
    if (this.refused) return
    if (this.program) {
      this.paintProgram(time)
      return
    }
    if (!this.recording?.phases.length) return
    const whole = Math.floor(Math.min(time, this.total))
    const { index, step } = this.locate(whole)
    const phase = this.recording.phases[index]
    if (phase !== this.shownPhase) {
      this.shownPhase = phase
      const { phases, answer } = this.recording
      if (answer?.keys) this.drawing.keys = (at) => keysAt(phases, index, at, answer.keys!.length, answer.last)
      this.drawing.show(phase)
    }
    this.drawing.paint(step, whole < this.total ? time - whole : 0)
    const key = `${index} ${step}`
    const due = step % Math.max(1, Math.floor(phase.steps / 40)) === 0 || step === phase.steps
    if (key !== this.charted && (still || due)) {
      drawCurves(this.root.querySelector('.curves')!, this.recording.phases, index, step)
      if (this.charted.split(' ')[0] !== String(index)) this.showPhase(index)
      this.charted = key
    }
    const node = this.choice.node === '' ? this.busiest : Number(this.choice.node)
    if (phase.buffers) this.buffers?.show(phase.buffers, node, step)
    this.tell(phase, step)
  }

  private showPhase(index: number): void {
    const phase = this.recording!.phases[index]
    const waits = phase.delays.length > 1 || phase.curve.some((c) => c.waiting > 0) || !!this.recording!.answer?.bound
    for (const name of ['.of-delays', '.delays']) this.root.querySelector<HTMLElement>(name)!.hidden = !waits
    const bound = this.recording!.answer?.bound?.find(
      (b) => b.phase === phase.name || (b.phase === 'total' && phase.name === 'route'))
    drawDelays(this.root.querySelector('.delays')!, phase, bound)
    const text = this.root.querySelector('.bound')!
    text.textContent = ''
    if (bound?.applies) text.textContent = `${bound.source}, ${bound.theorem}: ${bound.formula}${tellBound(bound)}`
    else if (bound?.reason) text.textContent = `No theorem: ${bound.reason}.`
  }

  private tell(phase: Phase, step: number): void {
    const c = phase.curve[step]
    let text = `phase ${phase.name}, step ${step} of ${phase.steps}: ` +
      `${c.moving} moved, ${c.waiting} waited, ${c.landed} of ${phase.packets} landed`
    if (phase.buffers) {
      phase.buffers.seek(step)
      const [flits, held] = phase.buffers.totals()
      text += `; ${flits} flits in buffers, ${held} heads wait`
    }
    if (this.drawing.followed !== NONE) text += `. ${this.tellFollowed(phase, step)}`
    const scale = this.root.querySelector<HTMLElement>('.scale')!
    scale.style.background = `linear-gradient(90deg, ${[0, 0.25, 0.5, 0.75, 1].map(heat).join(', ')})`
    const sorted = this.drawing.keys !== null
    const say = (name: string, words: string) => (this.root.querySelector(`.loads .${name}`)!.textContent = words)
    say('what', sorted ? 'keys:' : 'packets over a link:')
    say('least', sorted ? 'the least' : '1')
    say('most', sorted ? 'the greatest' : String(Math.max(1, this.drawing.busiest)))
    say('ring', sorted || this.choice.verb === 'collective' ? '' : phase.buffers ?
      '; a square: flits in the buffer of a channel, framed where its head waits' :
      phase.open ? '' : '; a ring: all packets there have landed')
    if (this.status.textContent !== text) this.status.textContent = text
    this.drawing.canvas.setAttribute('aria-label', `${phase.network.spec}: ${text}${this.tellKeys(phase, step)}`)
  }

  /** What the colours of a small sort say, in words. */
  private tellKeys(phase: Phase, step: number): string {
    const { keys, shade } = this.drawing
    if (!keys || !shade || phase.network.nodes > 64) return ''
    const ranks = Array.from(keys(step), (key) => (key === NONE ? '-' : Math.round(shade[key] * (shade.length - 1))))
    return `. Ranks of the keys, node by node: ${ranks.join(' ')}`
  }

  private tellFollowed(phase: Phase, step: number): string {
    const p = this.drawing.followed
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

  private numbers(): void {
    const holder = this.root.querySelector('.numbers')!
    const result = this.recording!.answer?.result
    const rows: string[] = []
    const plain = (c: string | number) => String(c).replace(/[&<]/g, (x) => (x === '&' ? '&amp;' : '&lt;'))
    const row = (tag: string, ...cells: (string | number)[]) =>
      `<tr>${cells.map((c) => `<${tag}>${plain(c)}</${tag}>`).join('')}</tr>`
    const mean = (s: any) =>
      (s && typeof s === 'object' ? (s.mean === null ? '-' : Number(s.mean.toPrecision(6))) : s ?? '')
    const report = (this.recording!.answer as ProgramAnswer | undefined)?.report
    if (report) {
      const facts = [
        ['answer', result.correct === null ? 'not judged' : result.correct ? 'right' : 'wrong'],
        ['rule', report.rule], ['PRAM steps T', report.pram_steps], ['work W', report.work],
        ['network steps', report['network_steps.total']], ['combined', report.combined],
        ['violations', report.violation_count],
      ]
      for (const [name, value] of facts) rows.push(row('td', name, value))
    } else if (Array.isArray(result?.points)) {
      const { points, zero_load_latency, ideal_throughput } = result
      const { offered, accepted, latency, hops, saturated } = points[0]
      const round = (v: number | null) => (v === null ? '-' : Number(v.toPrecision(5)))
      const facts: [string, any][] = [
        ['offered', round(offered)], ['accepted', round(accepted)], ['latency', round(latency.mean)],
        ['95% interval', latency.ci95 === null ? '-' : `\u00b1${round(latency.ci95)}`], ['50%', latency.p50],
        ['99%', latency.p99], ['99.9%', latency.p999], ['most', latency.max], ['hops', round(hops)],
        ['saturated', saturated ? 'yes' : 'no'], ['latency without load', round(zero_load_latency)],
        ['links are full at', round(ideal_throughput)],
      ]
      for (const [name, value] of facts) rows.push(row('td', name, value))
    } else if (Array.isArray(result?.phases)) {
      rows.push(row('th', 'phase', 'steps', 'max delay', 'queue', 'congestion'))
      for (const p of result.phases)
        rows.push(row('td', p.name, mean(p.steps), mean(p.delay_max), mean(p.queue_max), mean(p.congestion)))
      rows.push(row('td', 'total', mean(result.total_steps), '', '', ''))
    } else if (result?.stages) {
      rows.push(row('th', 'stage', 'depth', 'steps', 'keys at a place'))
      for (const s of result.stages) rows.push(row('td', s.name, s.depth, mean(s.steps), s.load_max ?? ''))
      rows.push(row('td', 'total', '', mean(result.steps), ''))
    } else if (result) {
      for (const name of ['algorithm', 'ports', 'rounds', 'steps', 'transfers', 'cost'])
        if (result[name] !== undefined) rows.push(row('td', name, result[name]))
    } else {
      rows.push(row('th', 'phase', 'packets', 'steps'))
      for (const p of this.recording!.phases) rows.push(row('td', p.name, p.packets, p.steps))
    }
    holder.innerHTML = `<table>${rows.join('')}</table>`
  }

  /** Follows a packet at the node that was clicked: each click the next one. */
  private follow(event: MouseEvent): void {
    const u = this.drawing.nodeAt(event.clientX, event.clientY)
    const phase = this.shownPhase
    if (!phase || u === NONE) return
    const here: number[] = []
    const step = Math.max(0, Number(this.charted.split(' ')[1]) || 0)
    for (let p = 0; p < phase.packets; p++) if (phase.at[step * phase.packets + p] === u) here.push(p)
    if (phase.buffers) this.choice.node = String(u)
    if (!here.length) {
      if (phase.buffers) this.changed()
      return
    }
    this.drawing.followed = here[(here.indexOf(this.drawing.followed) + 1) % here.length]
    this.changed()
  }

  /** Follows the packet that waits most in the phase; again: the one that waits most after it. */
  followSlowest(): void {
    const phase = this.shownPhase
    if (!phase) return
    const waited = new Uint32Array(phase.packets)
    for (const w of phase.waits) for (let i = 0; i < w.length; i += 4) waited[w[i]]++
    const order = Array.from(waited.keys()).sort((a, b) => waited[b] - waited[a] || a - b)
    this.drawing.followed = order[(order.indexOf(this.drawing.followed) + 1) % order.length]
  }
}

/** What the first bound below 1 says, of a delay or of steps. Bounds of delays are drawn (charts.ts). */
function tellBound(bound: any): string {
  const worst = bound.ladder?.find((rung: any) => rung.bound < 1)
  if (!worst) return ''
  const least = `probability at most ${Number(worst.bound).toPrecision(3)}`
  return 'delay' in worst
    ? `. That some packet waits ${worst.delay} steps or more has ${least}; the dashed line is the bound.`
    : `. That it takes more than ${worst.steps} steps has ${least}.`
}

/** An entry with values for its parameters: "hotspot:NODE[:F]" is hotspot:0. */
function specOf(e: Entry): string {
  return e.name + (e.parameters ?? '').replace(/\[.*?\]/g, '').replace(/[A-Z]+/g, (word) => VALUES[word] ?? word)
}
