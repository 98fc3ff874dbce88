// The page: one run or two, a player for both, and the address, which says everything that is shown.
import { Choice, DEFAULTS, VERBS } from './choice'
import { applicable, load, network, NONE, Refusal } from './library'
import { Pane } from './pane'
import { readTrace } from './recording'
import { STOPS } from './tour'

const element = <T extends HTMLElement>(id: string) => document.getElementById(id) as T

let panes: Pane[] = []
let time = 0
let playing = false
let before = 0
let stop = -1
let addressRefused = false

const total = () => Math.max(0, ...panes.map((p) => p.total))

interface Address {
  choices: Choice[]
  at: number
  tour: number
}

/** A whole number of an address, from `least`. */
function numberOf(words: URLSearchParams, name: string, least: number, most: number): number | undefined {
  const word = words.get(name)
  if (word === null) return undefined
  if (!/^\d{1,15}$/.test(word) || Number(word) < least || Number(word) > most)
    throw new Refusal(
      `${name}=${word} in the address: it is a whole number from ${least}${most < 1e15 ? ` to ${most}` : ''}`)
  return Number(word)
}

/** What the address says. Nothing in it is passed over: what is not understood is refused. */
function readAddress(): Address {
  const words = new URLSearchParams(location.hash.slice(1))
  const choices: Choice[] = [{}]
  const seen = new Set<string>()
  for (const [key, value] of words) {
    if (seen.has(key)) throw new Refusal(`${key} is twice in the address`)
    seen.add(key)
    const second = key.startsWith('2.')
    const name = second ? key.slice(2) : key
    if (key === 't' || key === 'tour') continue
    if (!Object.prototype.hasOwnProperty.call(DEFAULTS, name))
      throw new Refusal(`${key} in the address: choose from ${Object.keys(DEFAULTS).join(', ')}, t, tour`)
    if (name === 'verb' && !VERBS.includes(value))
      throw new Refusal(`${key}=${value} in the address: choose from ${VERBS.join(', ')}`)
    if (second) choices[1] ??= {}
    choices[second ? 1 : 0][name] = value
  }
  // The second run is as the first but where it says otherwise.
  if (choices[1]) choices[1] = { ...choices[0], ...choices[1] }
  return { choices, at: numberOf(words, 't', 0, 1e15) ?? 0, tour: (numberOf(words, 'tour', 1, STOPS.length) ?? 0) - 1 }
}

function writeAddress(): void {
  if (document.body.classList.contains('player')) return
  // An address that was refused stays, to be mended.
  if (addressRefused && panes.every((pane) => pane.refused)) return
  addressRefused = false
  const words = new URLSearchParams()
  panes.forEach((pane, i) => {
    for (const [name, value] of Object.entries(pane.choice)) {
      const plain = i ? panes[0].choice[name] : DEFAULTS[name]
      if (value !== plain || (i && name === 'verb')) words.set((i ? '2.' : '') + name, value)
    }
  })
  if ([...words.keys()].length) leaveOpening()
  if (time) words.set('t', String(Math.floor(time)))
  if (stop >= 0) words.set('tour', String(stop + 1))
  const hash = words.toString().replace(/%3A/g, ':').replace(/%2C/g, ',')
  history.replaceState(null, '', hash ? `#${hash}` : location.pathname + location.search)
}

function makePanes(choices: Choice[]): void {
  addressRefused = false
  for (const pane of panes) pane.leave()
  pause()
  // Panes stay with their last run, which another one replaces once it has been made.
  panes = choices.map((choice, i) => {
    panes[i]?.choose(choice)
    return panes[i] ?? new Pane(choice, changed, goTo)
  })
  element('panes').replaceChildren(...panes.map((pane) => pane.root))
  element('panes').classList.toggle('two', panes.length > 1)
  element('compare').setAttribute('aria-pressed', String(panes.length > 1))
}

/** Runs what is chosen, and goes to a step, or to a share of the run. */
async function show(choices: Choice[], at: number | ((total: number) => number)): Promise<void> {
  makePanes(choices)
  const mine = panes
  element('now').textContent = 'running'
  await Promise.all(mine.map((pane) => pane.run()))
  if (panes !== mine) return
  const wanted = typeof at === 'number' ? at : at(total())
  if (!panes.every((pane) => pane.refused)) time = Math.min(wanted, total())
  if (wanted > total() && total() > 0) panes[0].say(`t=${wanted} in the address: the run ends at step ${total()}`)
  changed()
}

function changed(): void {
  time = Math.min(time, total())
  writeAddress()
  paint(true)
}

function paint(rest: boolean): void {
  // Who wants little motion sees the steps one after the other: nothing moves between them.
  for (const pane of panes) pane.paint(still.matches ? Math.floor(time) : time, rest)
  const scrub = element<HTMLInputElement>('scrub')
  scrub.max = String(total())
  scrub.value = String(Math.floor(time))
  element('now').textContent = `step ${Math.floor(time)} of ${total()}`
}

const still = matchMedia('(prefers-reduced-motion: reduce)')

function showPlaying(): void {
  const button = element('play')
  button.textContent = playing ? '❙❙' : '▶'
  button.setAttribute('aria-label', playing ? 'Pause' : 'Play')
}

function pause(): void {
  playing = false
  before = 0
  showPlaying()
}

function setPlaying(on: boolean): void {
  if (on && time >= total()) time = 0
  pause()
  playing = on && total() > 0
  showPlaying()
  if (playing) requestAnimationFrame(frame)
  else {
    time = Math.floor(time)
    changed()
  }
}

function frame(now: number): void {
  if (!playing) return
  const speed = Number(element<HTMLSelectElement>('speed').value)
  if (before) time = Math.min(total(), time + ((now - before) / 1000) * speed)
  before = now
  if (time >= total()) {
    setPlaying(false)
    return
  }
  paint(false)
  requestAnimationFrame(frame)
}

/** The sentence of the opening is of what moves there, and goes with it. */
const leaveOpening = () => document.body.classList.remove('opening')

function goTo(t: number): void {
  if (playing) setPlaying(false)
  time = Math.max(0, Math.min(total(), t))
  changed()
}

function changeSpeed(by: number): void {
  const select = element<HTMLSelectElement>('speed')
  select.selectedIndex = Math.max(0, Math.min(select.options.length - 1, select.selectedIndex + by))
}

let alone: { before: Choice; left: string } | null = null

/** The scheme in two phases that the network has: its default one; where that is greedy, another that is for it. */
async function twoPhase(spec: string): Promise<string> {
  try {
    if ((await network(spec)).scheme !== 'greedy') return ''
    const schemes = (await applicable(spec, 'schemes', {})).filter((name) => name !== 'greedy')
    return schemes.includes('valiant') ? 'valiant' : schemes[0] ?? ''
  } catch (problem) {
    if (!(problem instanceof Refusal)) throw problem
    return ''
  }
}

/** Of a routing, greedy beside the scheme that was chosen: beside two phases, if that was greedy or none. */
async function pairOf(choice: Choice): Promise<[Choice, Choice]> {
  if (choice.verb !== 'route') return [choice, { ...choice }]
  const isGreedy = choice.scheme === 'greedy' || (choice.scheme === '' && choice.paths !== '')
  const plain = { ...choice, paths: '', queue: '' }
  if (choice.scheme !== '' && !isGreedy) return [{ ...plain, scheme: 'greedy' }, choice]
  const second = { ...plain, scheme: await twoPhase(choice.network) }
  return [{ ...choice, scheme: 'greedy' }, second]
}

/** Side by side; or, if there are two, the run that was there before, unless the left one is another by now. */
async function compare(): Promise<void> {
  if (document.body.classList.contains('player')) return
  const stay = (most: number) => Math.min(time, most)
  if (panes.length > 1) {
    const isAsBefore = alone?.left === JSON.stringify(panes[0].choice)
    await show([isAsBefore ? alone!.before : panes[0].choice], stay)
    return
  }
  const before = { ...panes[0].choice }
  const pair = await pairOf(before)
  await show(pair, stay)
  alone = { before, left: JSON.stringify(panes[0]?.choice) }
}

async function openTrace(file: File, pane: Pane): Promise<void> {
  pane.leave()
  pane.root.setAttribute('aria-busy', 'true')
  try {
    pane.playTrace(await readTrace(await file.text()))
  } catch (problem) {
    if (!(problem instanceof Refusal)) throw problem
    pane.refuse(`${file.name}: ${problem.message}`)
  } finally {
    pane.root.setAttribute('aria-busy', 'false')
  }
  pause()
  time = 0
  paint(true)
}

/** Two traces are shown side by side. One takes the place of the run that it was dropped on, or else of the last. */
async function openTraces(files: FileList | null | undefined, target?: EventTarget | null): Promise<void> {
  if (!files?.length) return
  if (files.length > 1 && panes.length < 2) makePanes([panes[0].choice, { ...panes[0].choice }])
  const over = panes.find((p) => target instanceof Node && p.root.contains(target))
  if (files.length > 1 && panes.length > 1)
    await Promise.all([openTrace(files[0], panes[0]), openTrace(files[1], panes[1])])
  else await openTrace(files[0], over ?? panes[panes.length - 1])
}

function guide(index: number): void {
  stop = index
  const box = element('guide')
  box.hidden = index < 0
  document.body.classList.toggle('touring', index >= 0)
  if (index < 0) {
    writeAddress()
    return
  }
  const s = STOPS[index]
  box.innerHTML = '<h2></h2><p></p><button type="button" id="earlier">Back</button> ' +
    '<button type="button" id="later"></button> <button type="button" id="leave">Leave the tour</button>'
  box.querySelector('h2')!.textContent = `${index + 1} of ${STOPS.length}: ${s.title}`
  box.querySelector('p')!.textContent = s.text
  element<HTMLButtonElement>('earlier').disabled = index === 0
  element('earlier').onclick = () => guide(index - 1)
  element('later').textContent = index + 1 < STOPS.length ? 'Next' : 'End'
  element('later').onclick = () => guide(index + 1 < STOPS.length ? index + 1 : -1)
  element('leave').onclick = () => guide(-1)
  void show(s.second ? [s.first, s.second] : [s.first], (most) => Math.floor(s.at * most))
  element('later').focus()
}

function onKey(event: KeyboardEvent): void {
  const target = event.target as HTMLElement
  const writes = /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) && target.id !== 'scrub'
  if (event.ctrlKey || event.metaKey || event.altKey || writes) return
  if (element<HTMLDialogElement>('help').open || (event.key === ' ' && target.closest('button, summary'))) return
  const act: Record<string, () => void> = {
    ' ': () => setPlaying(!playing),
    ArrowLeft: () => goTo(Math.floor(time) - 1),
    ArrowRight: () => goTo(Math.floor(time) + 1),
    Home: () => goTo(0),
    End: () => goTo(total()),
    '+': () => changeSpeed(1),
    '-': () => changeSpeed(-1),
    c: () => void compare(),
    f: () => {
      panes.forEach((p) => p.followSlowest())
      paint(true)
    },
    Escape: () => {
      panes.forEach((p) => (p.drawing.followed = NONE))
      paint(true)
    },
    '?': () => element<HTMLDialogElement>('help').showModal(),
  }
  if (!act[event.key]) return
  event.preventDefault()
  act[event.key]()
}

function listen(): void {
  element('play').onclick = () => setPlaying(!playing)
  element('step').onclick = () => goTo(Math.floor(time) + 1)
  element('back').onclick = () => goTo(Math.floor(time) - 1)
  element('first').onclick = () => goTo(0)
  element('last').onclick = () => goTo(total())
  element('scrub').oninput = () => goTo(Number(element<HTMLInputElement>('scrub').value))
  element('compare').onclick = () => void compare()
  element('tour').onclick = () => guide(0)
  element('keys').onclick = () => element<HTMLDialogElement>('help').showModal()
  element('open').onclick = () => element('file').click()
  element('file').onchange = () => void openTraces(element<HTMLInputElement>('file').files)
  document.addEventListener('keydown', onKey)
  document.addEventListener('dragover', (event) => {
    event.preventDefault()
    document.body.classList.add('dropping')
  })
  document.addEventListener('dragleave', () => document.body.classList.remove('dropping'))
  document.addEventListener('drop', (event) => {
    event.preventDefault()
    document.body.classList.remove('dropping')
    void openTraces(event.dataTransfer?.files, event.target)
  })
  const resized = () => {
    panes.forEach((p) => p.drawing.resize())
    paint(true)
  }
  window.addEventListener('resize', resized)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', resized)
  // On paper the colours are those of light paper, in the drawing too.
  const print = (on: boolean) => {
    document.documentElement.classList.toggle('printing', on)
    panes.forEach((p) => p.drawing.repaint())
    paint(true)
  }
  window.addEventListener('beforeprint', () => print(true))
  window.addEventListener('afterprint', () => print(false))
  matchMedia('print').addEventListener('change', (event) => print(event.matches))
  window.addEventListener('hashchange', () => document.body.classList.contains('player') || start())
}

/** What is shown; of an address that says nothing, something that moves. */
function start(): void {
  let address: Address
  const opening = location.hash.length < 2
  document.body.classList.toggle('opening', opening)
  try {
    address = readAddress()
  } catch (problem) {
    if (!(problem instanceof Refusal)) throw problem
    pause()
    for (const pane of panes.length ? panes : fresh()) {
      pane.leave()
      pane.refuse(problem.message)
    }
    addressRefused = true
    paint(true)
    return
  }
  if (address.tour >= 0) guide(address.tour)
  else void show(address.choices, address.at).then(() => opening && setPlaying(!still.matches))
}

/** A pane that has run nothing yet. */
function fresh(): Pane[] {
  makePanes([{}])
  panes[0].write()
  return panes
}

/** A page that `--picture` wrote has its trace in it. */
function embedded(): string | null {
  return document.getElementById('trace')?.textContent ?? null
}

/** lacking: why the library of the page cannot run. Then the page is as one without a library. */
async function begin(library: boolean, lacking = ''): Promise<void> {
  listen()
  const trace = embedded()
  if (library) start()
  else {
    document.body.classList.add('player')
    makePanes([{}])
    if (lacking) panes[0].refuse(lacking)
  }
  if (trace) await openTrace(new File([trace], 'trace'), panes[0])
  document.body.dataset.ready = 'true'
}

load().then(begin, (problem) => begin(false, `the library of this page does not run here: ${problem.message}`))
