// The page: one run or two, a player for both, and the address, which says everything that is shown.
import { load, NONE, Refusal } from './library'
import { Choice, DEFAULTS, Pane } from './pane'
import { readTrace, Recording } from './recording'
import { STOPS } from './tour'

const element = <T extends HTMLElement>(id: string) => document.getElementById(id) as T

let panes: Pane[] = []
let time = 0
let playing = false
let before = 0
let stop = -1

const total = () => Math.max(0, ...panes.map((p) => p.total))

function readAddress(): { choices: Choice[]; at: number; tour: number } {
  const words = new URLSearchParams(location.hash.slice(1))
  const choices: Choice[] = [{}]
  for (const [key, value] of words) {
    const second = key.startsWith('2.')
    const name = second ? key.slice(2) : key
    if (!(name in DEFAULTS)) continue
    if (second) choices[1] ??= { ...choices[0] }
    choices[second ? 1 : 0][name] = value
  }
  return { choices, at: Number(words.get('t')) || 0, tour: words.has('tour') ? Number(words.get('tour')) - 1 : -1 }
}

function writeAddress(): void {
  if (document.body.classList.contains('player')) return
  const words = new URLSearchParams()
  panes.forEach((pane, i) => {
    for (const [name, value] of Object.entries(pane.choice)) {
      const plain = i ? panes[0].choice[name] : DEFAULTS[name]
      if (value !== plain || (i && name === 'verb')) words.set((i ? '2.' : '') + name, value)
    }
  })
  if (time) words.set('t', String(Math.floor(time)))
  if (stop >= 0) words.set('tour', String(stop + 1))
  const hash = words.toString().replace(/%3A/g, ':').replace(/%2C/g, ',')
  history.replaceState(null, '', hash ? `#${hash}` : location.pathname + location.search)
}

function show(choices: Choice[], at: number): void {
  const holder = element('panes')
  holder.replaceChildren()
  panes = choices.map((choice) => new Pane(choice, changed))
  holder.classList.toggle('two', panes.length > 1)
  element('compare').setAttribute('aria-pressed', String(panes.length > 1))
  for (const pane of panes) {
    holder.append(pane.root)
    pane.run()
  }
  time = Math.min(at, total())
  changed()
}

function changed(): void {
  time = Math.min(time, total())
  writeAddress()
  paint(true)
}

function paint(still: boolean): void {
  for (const pane of panes) pane.paint(time, still)
  const scrub = element<HTMLInputElement>('scrub')
  scrub.max = String(total())
  scrub.value = String(Math.floor(time))
  element('now').textContent = `step ${Math.floor(time)} of ${total()}`
}

function setPlaying(on: boolean): void {
  if (on && time >= total()) time = 0
  playing = on && total() > 0
  const button = element('play')
  button.textContent = playing ? '❙❙' : '▶'
  button.setAttribute('aria-label', playing ? 'Pause' : 'Play')
  before = 0
  if (playing) requestAnimationFrame(frame)
  else {
    time = Math.floor(time)
    changed()
  }
}

function frame(now: number): void {
  if (!playing) return
  if (before) time = Math.min(total(), time + ((now - before) / 1000) * Number(element<HTMLSelectElement>('speed').value))
  before = now
  if (time >= total()) {
    setPlaying(false)
    return
  }
  paint(false)
  requestAnimationFrame(frame)
}

function goTo(t: number): void {
  if (playing) setPlaying(false)
  time = Math.max(0, Math.min(total(), t))
  changed()
}

function changeSpeed(by: number): void {
  const select = element<HTMLSelectElement>('speed')
  select.selectedIndex = Math.max(0, Math.min(select.options.length - 1, select.selectedIndex + by))
}

function compare(): void {
  if (document.body.classList.contains('player')) return
  show(panes.length > 1 ? [panes[0].choice] : [panes[0].choice, { ...panes[0].choice }], time)
}

async function openTrace(file: File, pane: Pane): Promise<void> {
  try {
    const recording: Recording = readTrace(await file.text())
    pane.refuse('')
    pane.play(recording)
    time = 0
    paint(true)
  } catch (problem) {
    if (!(problem instanceof Refusal)) throw problem
    pane.refuse(`${file.name}: ${problem.message}`)
  }
}

/** Two traces are shown side by side. One takes the place of the run that it was dropped on, or else of the last one. */
async function openTraces(files: FileList | null | undefined, target?: EventTarget | null): Promise<void> {
  if (!files?.length) return
  if (files.length > 1 && panes.length < 2) compare()
  const over = panes.find((p) => target instanceof Node && p.root.contains(target))
  if (files.length > 1 && panes.length > 1) await Promise.all([openTrace(files[0], panes[0]), openTrace(files[1], panes[1])])
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
  box.innerHTML = `<h2></h2><p></p><button type="button" id="earlier">Back</button> <button type="button" id="later"></button> <button type="button" id="leave">Leave the tour</button>`
  box.querySelector('h2')!.textContent = `${index + 1} of ${STOPS.length}: ${s.title}`
  box.querySelector('p')!.textContent = s.text
  element<HTMLButtonElement>('earlier').disabled = index === 0
  element('earlier').onclick = () => guide(index - 1)
  element('later').textContent = index + 1 < STOPS.length ? 'Next' : 'End'
  element('later').onclick = () => guide(index + 1 < STOPS.length ? index + 1 : -1)
  element('leave').onclick = () => guide(-1)
  show(s.second ? [s.first, s.second] : [s.first], 0)
  goTo(Math.floor(s.at * total()))
  element('later').focus()
}

function onKey(event: KeyboardEvent): void {
  const target = event.target as HTMLElement
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) && target.id !== 'scrub') return
  if (event.key === ' ' && target.tagName === 'BUTTON') return
  const act: Record<string, () => void> = {
    ' ': () => setPlaying(!playing),
    ArrowLeft: () => goTo(Math.floor(time) - 1),
    ArrowRight: () => goTo(Math.floor(time) + 1),
    Home: () => goTo(0),
    End: () => goTo(total()),
    '+': () => changeSpeed(1),
    '-': () => changeSpeed(-1),
    c: compare,
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
  element('compare').onclick = compare
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
  window.addEventListener('hashchange', () => document.body.classList.contains('player') || start())
}

function start(): void {
  const { choices, at, tour } = readAddress()
  if (tour >= 0 && STOPS[tour]) guide(tour)
  else show(choices, at)
}

/** A page that `--picture` wrote has its trace in it. */
function embedded(): string | null {
  return document.getElementById('trace')?.textContent ?? null
}

void load().then((library) => {
  listen()
  const trace = embedded()
  if (library) start()
  else {
    document.body.classList.add('player')
    const pane = new Pane({}, changed)
    panes = [pane]
    element('panes').replaceChildren(pane.root)
  }
  if (trace) void openTrace(new File([trace], 'trace'), panes[0])
  document.body.dataset.ready = 'true'
})
