// One run: what is chosen, the drawing, the curves and the numbers.
import { BufferView } from './bufferview'
import { measureBeside, measureCurve } from './beside'
import { drawCurves, drawDelays, drawLegend } from './charts'
import { Choice, commandOf, DEFAULTS, optionsOf, SENDERS } from './choice'
import { DebuggerView } from './debugger'
import { Drawing } from './drawing'
import { flowsPhase } from './flows'
import { Form } from './form'
import { inputLines, inputNames } from './inputs'
import { formulaNodes } from './formula'
import {
  Answer, Asking, debug, network, NONE, ProgramAnswer, programText, Refusal, run, runProgram, Watch,
} from './library'
import { drawNumbers, tellBound } from './numbers'
import { ProgramView } from './pram'
import { keysAt, Phase, phasesOf, record, Recording } from './recording'
import { tellColours, tellKeys, tellStep } from './telling'
import { throughputPhase } from './throughput'

let panes = 0

export class Pane {
  readonly root = document.createElement('section')
  readonly drawing: Drawing
  choice: Choice
  recording: Recording | null = null
  total = 0
  private readonly id = ++panes
  private form: Form | null = null // a player has none
  private error!: HTMLElement
  private status!: HTMLElement
  private shownPhase: Phase | null = null
  private program: ProgramView | null = null
  private debugger: DebuggerView | null = null
  private source = '' // the text of the program that is chosen
  private batches: Phase[][] = []
  private charted = ''
  private buffers: BufferView | null = null
  private busiest = 0 // the router that is shown at first
  private stopper = new AbortController()

  constructor(
    choice: Choice, private readonly changed: () => void, private readonly goTo: (t: number) => void,
  ) {
    this.choice = { ...DEFAULTS, ...choice }
    this.root.className = 'pane'
    this.root.setAttribute('aria-label', `Run ${this.id}`)
    this.root.innerHTML = `
      <div class="stage"><canvas role="img" tabindex="0" aria-label="Nothing is shown yet"></canvas>
        <p class="status"></p><p class="loads">
        <span class="what"></span>
        <span class="least"></span><span class="scale"></span><span class="most"></span><span class="ring"></span></p>
      </div>
      <div class="side"><div class="messages"><p class="error" role="alert" hidden></p>
      <p class="kept" hidden>Still shown: <code></code></p>
      <p class="busy" role="status" hidden><span></span> <button type="button" class="stop">Stop</button></p></div>
      <div class="numbers" tabindex="0" role="group" aria-label="Numbers"></div>
      <div class="legend"></div><div class="curves"></div>
      <h2 class="of-latency" hidden>Latency by load</h2><div class="latency" hidden></div>
      <h2 class="of-delays">Delays</h2><div class="delays"></div><p class="bound"></p><p class="repeat"></p></div>`
    this.error = this.root.querySelector('.error')!
    this.status = this.root.querySelector('.status')!
    this.drawing = new Drawing(this.root.querySelector('canvas')!)
    if (!document.body.classList.contains('player')) {
      this.form = new Form(this.id, (read, text) => this.take(read, text))
      this.root.querySelector('.messages')!.after(this.form.root)
    }
    this.root.querySelector<HTMLElement>('.stop')!.onclick = () => this.stop()
    this.drawing.canvas.addEventListener('click', (event) => this.follow(event))
    drawLegend(this.root.querySelector('.legend')!, false)
  }

  /** The form was changed. A text that is that of the program is not one's own; nor is it when another is chosen. */
  private take(read: Choice, text: string): void {
    const before = this.choice.program
    this.choice = { ...this.choice, ...read }
    const own = this.choice.verb === 'pram' && this.choice.program === before && this.source &&
      text.trim() !== (this.choice.text || this.source).trim()
    if (own) this.choice.text = text
    else if (this.choice.verb !== 'pram' || this.choice.program !== before) this.choice.text = ''
    void this.run().then(this.changed)
  }

  /** Another run in the place of this one. */
  choose(choice: Choice): void {
    this.choice = { ...DEFAULTS, ...choice }
  }

  /** Shows what is chosen, which is not run. */
  write(): void {
    this.form?.write(this.choice)
  }

  /** Runs what is chosen. What the library refuses is said in the page, and the last run stays there. */
  async run(): Promise<void> {
    this.stopper.abort()
    const { signal } = (this.stopper = new AbortController())
    const c = { ...this.choice }
    const watch: Watch = { signal, progress: (...done) => this.tellProgress(...done) }
    this.wait(true)
    this.write()
    try {
      const options = optionsOf(c)
      if (c.verb === 'pram') this.form!.text = this.source = c.text || (await programText(c.program, watch))
      await this.form!.fit(watch, this.source)
      const subject = SENDERS.includes(c.verb) ? c.traffic : c.verb === 'collective' ? c.operation : ''
      if (c.verb === 'pram') {
        const asking = { text: this.source, options, inputs: inputLines(c.input) }
        const answer = await runProgram(asking, watch)
        const phases = await phasesOf(answer, watch)
        if (!signal.aborted) this.playProgram(answer, phases, asking)
        if (!signal.aborted && c.machine === 'ideal') void measureBeside(this.root, asking, answer, signal)
      } else {
        const answer = await run(c.verb, c.network, subject, options, watch)
        const title = `${c.verb} ${c.network}`
        const make = answer.price ? throughputPhase : answer.flow ? flowsPhase : null
        const recording = make
          ? { title, answer, phases: [make(await network(c.network, c.drawing, watch), answer)] }
          : await record(title, answer, watch, c.network, c.drawing)
        if (!signal.aborted) this.play(recording)
        if (!signal.aborted && c.verb === 'load') void measureCurve(this.root, c, options, answer, signal)
      }
      if (signal.aborted) return
      this.root.querySelector('.repeat')!.innerHTML = 'repeat: <code></code><span></span>'
      this.root.querySelector('.repeat code')!.textContent = commandOf(c, options)
      this.root.querySelector('.repeat span')!.textContent = filesOf(c)
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
    this.tellProgress(0, 0, 0)
    const { signal } = this.stopper
    const over = () => this.root.getAttribute('aria-busy') !== 'true' || this.stopper.signal !== signal
    setTimeout(() => (box.hidden = over()), 300)
  }

  private tellProgress(steps: number, events: number, share: number): void {
    const done = share ? `${Math.floor(100 * share)}%` : steps ? `${steps.toLocaleString('en')} steps` :
      events ? `${events.toLocaleString('en')} events` : ''
    this.root.querySelector('.busy span')!.textContent = `running${done ? `: ${done}` : ''}`
  }

  /** Says what is wrong. What was played before stays, and what it is is told. */
  refuse(message: string): void {
    this.say(message)
    this.root.classList.toggle('refused', message !== '')
    const kept = this.root.querySelector<HTMLElement>('.kept')!
    kept.hidden = !message || !this.recording
    kept.querySelector('code')!.textContent =
      this.root.querySelector('.repeat code')?.textContent ?? this.recording?.title ?? ''
    if (message) this.error.scrollIntoView({ block: 'nearest' })
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
  private playProgram(answer: ProgramAnswer, phases: Phase[], asking: Asking): void {
    this.play({ title: 'pram', phases: [], answer })
    this.program = new ProgramView(this.source, answer)
    this.total = answer.steps.length
    this.batches = answer.steps.map((step, t) =>
      phases.slice(t ? answer.steps[t - 1].phases : 0, step.phases).filter((p) => p.steps > 0))
    this.root.querySelector('.stage')!.before(this.program.root)
    this.debugger = new DebuggerView(this.id, (lines) => debug(asking, lines), this.goTo)
    this.program.root.append(this.debugger.root)
    const network = phases.length > 0
    this.root.classList.toggle('alone', !network)
    this.root.classList.add('playing-program')
  }

  /** The batches of the step that leads on from `time`; at rest, of the step before, when all have landed. */
  private paintProgram(time: number): void {
    const whole = Math.floor(Math.min(time, this.total))
    const part = whole < this.total ? time - whole : 0
    this.program!.show(part > 0 ? whole + 1 : whole)
    if (!part) this.debugger?.show(whole, this.total)
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
    this.checkNode(recording.phases[0])
    this.program?.root.remove()
    this.program = this.debugger = null
    this.root.classList.remove('alone', 'playing-program')
    this.root.classList.toggle('still', recording.phases[0]?.told !== undefined)
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
    drawNumbers(this.root.querySelector('.numbers')!, recording)
  }

  /** The router of the address, before the last run is left. */
  private checkNode(phase: Phase | undefined): void {
    if (!phase?.buffers) return
    const { nodes, spec } = phase.network
    if (this.choice.node !== '' && !(/^\d{1,9}$/.test(this.choice.node) && Number(this.choice.node) < nodes))
      throw new Refusal(`node ${this.choice.node}: ${spec} has nodes 0 to ${nodes - 1}`)
  }

  /** Where packets are trains of flits: the buffers of a router, at first of the one where heads wait most. */
  private showBuffers(phase: Phase | undefined): void {
    this.buffers?.root.remove()
    this.buffers = null
    if (!phase?.buffers) return
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
    const waited = phase.delays.length > 1 || phase.curve.some((c) => c.waiting > 0)
    const waits = !phase.use && (waited || !!this.recording!.answer?.bound)
    for (const name of ['.of-delays', '.delays']) this.root.querySelector<HTMLElement>(name)!.hidden = !waits
    const bound = this.recording!.answer?.bound?.find(
      (b) => b.phase === phase.name || (b.phase === 'total' && phase.name === 'route'))
    drawDelays(this.root.querySelector('.delays')!, phase, bound)
    const text = this.root.querySelector('.bound')!
    text.textContent = phase.proof ?? ''
    if (bound?.applies)
      text.append(`${bound.source}, ${bound.theorem}: `, ...formulaNodes(bound.formula), tellBound(bound))
    else if (bound?.reason) text.textContent = `No theorem: ${bound.reason}.`
  }

  private tell(phase: Phase, step: number): void {
    const text = tellStep(phase, step, this.drawing.followed)
    tellColours(this.root, this.drawing, phase, this.choice.verb)
    if (this.status.textContent !== text) this.status.textContent = text
    const keys = tellKeys(this.drawing, phase, step)
    this.drawing.canvas.setAttribute('aria-label', `${phase.network.spec}: ${text}${keys}`)
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

/** The files that the command needs, which are on the page. */
function filesOf(c: Choice): string {
  if (c.verb !== 'pram') return ''
  const inputs = inputNames(c.input).map((name) => `${name}.txt: the input ${name}`)
  const files = [...(c.text ? ['own.pram: a file with the text'] : []), ...inputs]
  return files.length ? ` (${files.join('; ')})` : ''
}
