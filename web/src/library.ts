// The library, compiled to WebAssembly, in workers (worker.ts): texts in, JSON out, and arrays of its memory.

export interface Entry {
  name: string
  help: string
  source: string | null
  parameters: string | null
  example: string | null
  takes: string | null // of a family: "D 2..65535, N 1..30"
}

/** An option, by its row in the tables of the library. */
export interface OptionRow {
  name: string
  kind: 'bool' | 'word' | 'whole' | 'integer' | 'real' | 'text'
  help: string | null
  preset: string | null
  placeholder: string | null
  list: string | null
  low?: number
  high?: number
  words: string[]
}

export type Lists = Record<string, Entry[]> & { operations: string[] }

/** A network: where its nodes stand, and the ends of its links (2 words each; the second is NONE if there is none). */
export interface Network {
  spec: string
  nodes: number
  links: number
  drawing: string
  scheme: string
  x: Float64Array
  y: Float64Array
  ends: Uint32Array
  facts: Record<string, unknown>
}

/** A phase of a run, and its events: eight words each, from `first`. */
export interface SeenPhase {
  name: string
  network: string
  run: number
  packets: number
  queue_size: number
  steps: number
  first: number
  leveled: number
  host: number
  hosts?: Uint32Array // of a leveled network's nodes
  open: boolean // packets are created over time
  /** of load with routers that have channels; else 0 */
  channels: number
  buffer_flits: number
  credit_delay: number
}

export interface Answer {
  result: any
  bound?: any[]
  events: Uint32Array
  phases: SeenPhase[]
  keys?: BigUint64Array
  last?: Uint32Array // of a sort: which key each node has in the end
  flow?: Float64Array // of flows: source, destination, start and finish of each
  use?: Float64Array // and of links: from, to, and the share that is used
  price?: Float64Array // of a verdict: of the same links, their lengths in the proof from above
  cut?: Uint8Array // and the set of nodes of the bound by a cut
}

/** A step of a PRAM program; of an access: the processor, the cell, and what the cell holds then. */
export interface ProgramStep {
  line: number
  text: string
  kind: 'read' | 'write' | 'fetch'
  active: number
  network_steps: number
  violations: number
  phases: number // of the network that have begun when the step is over
  accesses: [number, number, string][]
  arrays: { name: string; type: string; base: number; columns: number; words: string[] }[]
}

export interface ProgramAnswer extends Answer {
  steps: ProgramStep[]
  report: any
}

export const NONE = 0xffffffff
export const WORDS = 8

/** What the library refuses, in its words. */
export class Refusal extends Error {}

/** A call of a function of web/native, as a worker takes it. */
export interface Asked {
  name: string
  values: (string | number)[]
}

/** Its answer, or what is told before it. */
export interface Answered {
  json?: any
  arrays?: Record<string, ArrayBuffer>
  error?: string
  progress?: { steps: number; events: number; share: number }
  broken?: string
}

/** How a call is watched and stopped. */
export interface Watch {
  signal?: AbortSignal
  progress?: (steps: number, events: number, share: number) => void
}

let source: string // of the workers
let compiled: WebAssembly.Module // the library, once for all workers
let listed: Lists // not there: the page has no library, or one that does not run here
const idle: Worker[] = []
const networks = new Map<string, Network>()

/** Is the library here? */
export async function load(): Promise<boolean> {
  const [wasm, library, worker] =
    ['wasm', 'library', 'worker'].map((id) => document.getElementById(id)?.textContent)
  if (!wasm || !library || !worker) return false
  compiled = await WebAssembly.compile(await unpacked(wasm))
  source = URL.createObjectURL(new Blob([library, worker], { type: 'text/javascript' }))
  listed = (await ask({}, 'page_lists')).json
  return true
}

/** What build.mjs packed: bytes, by gzip, in base64. */
async function unpacked(text: string): Promise<ArrayBuffer> {
  if (typeof DecompressionStream === 'undefined')
    throw new Refusal('the browser cannot unpack it; Chrome 80, Firefox 113, Safari 16.4 and later ones can')
  const letters = atob(text)
  const packed = new Uint8Array(letters.length)
  for (let i = 0; i < letters.length; i++) packed[i] = letters.charCodeAt(i)
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer()
}

function startWorker(): Worker {
  const worker = new Worker(source)
  worker.postMessage(compiled)
  return worker
}

/** Calls a function in a worker of its own. A call that is stopped ends its worker, whatever that does. */
function ask(
  watch: Watch, name: string, ...values: (string | number)[]
): Promise<{ json: any; arrays: Record<string, ArrayBuffer> }> {
  // A text of C ends at character 0: the rest would be lost without a word.
  const cut = values.find((v) => typeof v === 'string' && v.includes('\0'))
  if (cut !== undefined) return Promise.reject(new Refusal(`${JSON.stringify(cut)}: no text has a character 0`))
  if (watch.signal?.aborted) return Promise.reject(new Refusal('stopped'))
  const worker = idle.pop() ?? startWorker()
  return new Promise((resolve, reject) => {
    const end = (keep: boolean) => {
      watch.signal?.removeEventListener('abort', stop)
      worker.onmessage = worker.onerror = null
      if (keep) idle.push(worker)
      else worker.terminate()
    }
    const stop = () => {
      end(false)
      reject(new Refusal('stopped'))
    }
    const fail = (why: string) => {
      end(false)
      reject(new Refusal(`the library ended, perhaps for want of memory: ${why}`))
    }
    watch.signal?.addEventListener('abort', stop)
    worker.onerror = (event) => fail(event.message)
    worker.onmessage = ({ data }: MessageEvent<Answered>) => {
      if (data.progress) return watch.progress?.(data.progress.steps, data.progress.events, data.progress.share)
      if (data.broken !== undefined) return fail(data.broken)
      end(true)
      if (data.error !== undefined) reject(new Refusal(data.error))
      else resolve({ json: data.json, arrays: data.arrays! })
    }
    worker.postMessage({ name, values } as Asked)
  })
}

export const lists = (): Lists => listed

/** A network, placed as the drawing says; '': as is best. */
export async function network(spec: string, drawing = '', watch: Watch = {}): Promise<Network> {
  const key = `${spec}\n${drawing}`
  const known = networks.get(key)
  if (known) return known
  if (!listed) throw new Refusal(`the trace has no drawing of ${spec}`)
  const { json, arrays } = await ask(watch, 'page_network', spec, drawing)
  const place = new Float64Array(arrays.place)
  const made: Network = {
    ...json,
    x: place.filter((_, i) => i % 2 === 0),
    y: place.filter((_, i) => i % 2 === 1),
    ends: new Uint32Array(arrays.ends),
  }
  if (networks.size > 30) networks.clear()
  networks.set(key, made)
  return made
}

/** The names of a list ('schemes' or 'sorters') that are for the network. */
export async function applicable(spec: string, list: 'schemes' | 'sorters', watch: Watch): Promise<string[]> {
  return (await ask(watch, 'page_applicable', spec, Object.keys(listed).indexOf(list))).json
}

/** Those of the words that the network takes as traffic, paths or drawing. */
export async function taken(
  spec: string, field: 'traffic' | 'paths' | 'steps' | 'flits' | 'reached' | 'drawing', words: string[], watch: Watch,
): Promise<string[]> {
  return (await ask(watch, 'page_takes', spec, field, words.join('\n'))).json
}

/** The options that the scheme, sorter, operation, model or machine heeds; '': the default one of the network. */
export async function optionRows(
  verb: string, who: string, spec: string, text: string, watch: Watch,
): Promise<OptionRow[]> {
  return (await ask(watch, 'page_options', verb, who, spec, text)).json
}

const linesOf = (options: Record<string, string>): string =>
  Object.entries(options)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')

/** Phases and events of a run. */
function recorded(
  { json, arrays }: { json: any; arrays: Record<string, ArrayBuffer> },
): { events: Uint32Array; phases: SeenPhase[] } {
  const phases: SeenPhase[] = json.phases_seen
  phases.forEach((phase, i) => {
    if (phase.leveled) phase.hosts = new Uint32Array(arrays[`hosts ${i}`])
  })
  return { events: new Uint32Array(arrays.event), phases }
}

export async function run(
  verb: string, spec: string, subject: string, options: Record<string, string>, watch: Watch,
): Promise<Answer> {
  const { json, arrays } = await ask(watch, 'page_run', verb, spec, subject, linesOf(options))
  return {
    ...recorded({ json, arrays }),
    result: json.result,
    bound: json.bound,
    last: arrays.last && new Uint32Array(arrays.last),
    keys: arrays.keys && new BigUint64Array(arrays.keys),
    flow: arrays.flow && new Float64Array(arrays.flow),
    use: arrays.use && new Float64Array(arrays.use),
    price: arrays.price && new Float64Array(arrays.price),
    cut: arrays.cut && new Uint8Array(arrays.cut),
  }
}

/** The points of a curve of latency, of which nobody watches the packets. */
export async function curve(
  spec: string, traffic: string, options: Record<string, string>, watch: Watch,
): Promise<any[]> {
  return (await ask(watch, 'page_curve', spec, traffic, linesOf(options))).json.result.points
}

export const programText = async (name: string, watch: Watch): Promise<string> =>
  (await ask(watch, 'page_program', name)).json.text

/** A run of a program: its text, options, and the inputs that are given, as lines (inputs.ts). */
export interface Asking {
  text: string
  options: Record<string, string>
  inputs: string
}

export async function runProgram({ text, options, inputs }: Asking, watch: Watch): Promise<ProgramAnswer> {
  const { json, arrays } = await ask(watch, 'page_pram', text, linesOf(options), inputs)
  return { ...recorded({ json, arrays }), result: json.result, steps: json.steps, report: json.report }
}

/** What the run of a program costs, which nobody watches. */
export async function programCost({ text, options, inputs }: Asking, watch: Watch): Promise<any> {
  return (await ask(watch, 'page_pram_cost', text, linesOf(options), inputs)).json.report
}

/** A session with the debugger: what its last command says, and where the program stands then. */
export async function debug(
  { text, options, inputs }: Asking, lines: string,
): Promise<{ text: string; step: number; ended: boolean }> {
  return (await ask({}, 'page_debug', text, linesOf(options), inputs, lines)).json
}
