// The library, compiled to WebAssembly: texts in, JSON out, arrays read from its memory.

interface Module {
  ccall(name: string, returns: string, kinds: string[], values: unknown[]): string
  HEAPU8: Uint8Array
}

declare global {
  var netpram: (() => Promise<Module>) | undefined // netpram.js, which the build makes; a page with a trace inside has none
}

export interface Entry {
  name: string
  help: string
  source: string | null
  parameters: string | null
  example: string | null
}

export type Lists = Record<string, Entry[]> & { operations: string[] }

/** A network: where its nodes stand, and the ends of its links (2 words each; the second is NONE where there is none). */
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
}

export interface Answer {
  result: any
  bound?: any[]
  events: Uint32Array
  phases: SeenPhase[]
  keys?: BigUint64Array
  last?: Uint32Array // of a sort: which key each node has in the end
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

let module: Module | undefined
let listed: Lists
const networks = new Map<string, Network>()

/** Is the library here? */
export async function load(): Promise<boolean> {
  if (!globalThis.netpram) return false
  module = await globalThis.netpram()
  listed = ask('page_lists')
  return true
}

/** A network that a trace has: it is known from now on, without the library. */
export function offer(net: Network): void {
  networks.set(`${net.spec}\n`, net)
}

function ask(name: string, ...values: (string | number)[]): any {
  const kinds = values.map((v) => (typeof v === 'string' ? 'string' : 'number'))
  const answer = JSON.parse(module!.ccall(name, 'string', kinds, values))
  if (answer.error !== undefined) throw new Refusal(answer.error)
  return answer
}

const bytes = (at: number, length: number): ArrayBuffer => module!.HEAPU8.slice(at, at + length).buffer as ArrayBuffer

export const lists = (): Lists => listed

export function network(spec: string, drawing = ''): Network {
  const key = `${spec}\n${drawing}`
  const known = networks.get(key)
  if (known) return known
  if (!module) throw new Refusal(`the trace has no drawing of ${spec}`)
  const n = ask('page_network', spec, drawing)
  const place = new Float64Array(bytes(n.place, 16 * n.nodes))
  const made: Network = {
    ...n,
    x: place.filter((_, i) => i % 2 === 0),
    y: place.filter((_, i) => i % 2 === 1),
    ends: new Uint32Array(bytes(n.ends, 8 * n.link_numbers)),
  }
  for (const array of [n.place, n.ends]) module!.ccall('page_release', 'null', ['number'], [array])
  if (networks.size > 30) networks.clear()
  networks.set(key, made)
  return made
}

/** The names of a list ('schemes' or 'sorters') that are for the network. */
export function applicable(spec: string, list: 'schemes' | 'sorters'): string[] {
  return ask('page_applicable', spec, Object.keys(listed).indexOf(list))
}

const linesOf = (options: Record<string, string>): string =>
  Object.entries(options)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')

/** Phases and events of the last run, copied. */
function recorded(a: any): { events: Uint32Array; phases: SeenPhase[] } {
  const phases: SeenPhase[] = a.phases_seen
  for (const phase of phases) if (phase.leveled) phase.hosts = new Uint32Array(bytes(phase.host, 4 * phase.leveled))
  return { events: new Uint32Array(bytes(a.event, 4 * WORDS * a.events)), phases }
}

export function run(verb: string, spec: string, subject: string, options: Record<string, string>): Answer {
  const a = ask('page_run', verb, spec, subject, linesOf(options))
  return {
    ...recorded(a),
    result: a.result,
    bound: a.bound,
    last: a.last ? new Uint32Array(bytes(a.last, 4 * a.last_nodes)) : undefined,
    keys: a.keys ? new BigUint64Array(bytes(a.keys, 8 * a.result.keys)) : undefined,
  }
}

export const programText = (name: string): string => ask('page_program', name).text

export function runProgram(text: string, options: Record<string, string>): ProgramAnswer {
  const a = ask('page_pram', text, linesOf(options))
  return { ...recorded(a), result: a.result, steps: a.steps, report: a.report }
}
