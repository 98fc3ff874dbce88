// The library at work, apart from the page: so the page goes on while a run lasts, and can stop it. A message names a
// function of web/native; the answer has its JSON, and the arrays that the JSON names by their places in memory.
import type { Answered, Asked } from './library'

interface Module {
  ccall(name: string, returns: string, kinds: string[], values: unknown[]): string
  HEAPU8: Uint8Array
  onprogress?: (steps: number, events: number, share: number) => void
}

type Receive = (instance: WebAssembly.Instance) => void

declare const netpram: (how: { // netpram.js, which stands before this text
  instantiateWasm(imports: WebAssembly.Imports, receive: Receive): object
}) => Promise<Module>

let made: Promise<Module>

/** The library, which the page has compiled. */
function make(compiled: WebAssembly.Module): Promise<Module> {
  return new Promise((resolve, reject) => {
    netpram({
      instantiateWasm(imports, receive) {
        WebAssembly.instantiate(compiled, imports).then(receive).catch(reject)
        return {}
      },
    }).then(resolve, reject)
  })
}

/** Arrays of the answer, by the keys that gave their places: (place, bytes) of each. */
function arraysOf(name: string, a: any): Record<string, [number, number]> {
  if (name === 'page_network') return { place: [a.place, 16 * a.nodes], ends: [a.ends, 8 * a.link_numbers] }
  const arrays: Record<string, [number, number]> = {}
  if (Array.isArray(a)) return arrays
  if (a.event !== undefined) arrays.event = [a.event, 32 * a.events]
  if (a.keys) arrays.keys = [a.keys, 8 * a.result.keys]
  if (a.flow) arrays.flow = [a.flow, 32 * a.result.flows]
  if (a.use) arrays.use = [a.use, 24 * a.uses]
  if (a.price) arrays.price = [a.price, 8 * a.uses]
  if (a.cut) arrays.cut = [a.cut, a.cut_nodes]
  if (a.last) arrays.last = [a.last, 4 * a.last_nodes]
  a.phases_seen?.forEach((p: any, i: number) => {
    if (p.leveled) arrays[`hosts ${i}`] = [p.host, 4 * p.leveled]
  })
  return arrays
}

function answer(module: Module, { name, values }: Asked): Answered {
  const kinds = values.map((v) => (typeof v === 'string' ? 'string' : 'number'))
  const json = JSON.parse(module.ccall(name, 'string', kinds, values))
  if (json.error !== undefined) return { error: json.error }
  const arrays: Record<string, ArrayBuffer> = {}
  for (const [key, [at, length]] of Object.entries(arraysOf(name, json)))
    arrays[key] = module.HEAPU8.slice(at, at + length).buffer as ArrayBuffer
  if (name === 'page_network')
    for (const at of [json.place, json.ends]) module.ccall('page_release', 'null', ['number'], [at])
  return { json, arrays }
}

self.onmessage = async ({ data }: MessageEvent<WebAssembly.Module | Asked>) => {
  if (data instanceof WebAssembly.Module) {
    made = make(data)
    return
  }
  try {
    const module = await made
    module.onprogress = (steps, events, share) => self.postMessage({ progress: { steps, events, share } })
    self.postMessage(answer(module, data))
  } catch (problem) {
    // Mostly no memory. The module may be in disorder: the page ends this worker.
    self.postMessage({ broken: problem instanceof Error ? problem.message : String(problem) })
  }
}
