// Inputs of a program that are given, as JSON in the form that `netpram grade` gives an oracle: {"x": [3, 1, 4]}, of a
// matrix {"a": [[1, 2], [3, 4]]}, of a text {"s": "abc"}, of a graph {"G": {"nodes": 3, "arcs": [[0, 1], [1, 2]]}}, or
// with weights {"G": {"nodes": 3, "arcs": [[0, 1, 0.5], [1, 2, 4]]}}.
import { Refusal } from './library'

const wrong = (name: string): never => {
  const graph = '{"nodes": 3, "arcs": [[0, 1], [1, 2]]}'
  throw new Refusal(`input ${name}: a list of numbers, rows of numbers, a text, or ${graph}, or a weight in each arc`)
}

const isNumbers = (value: unknown): value is (number | boolean)[] =>
  Array.isArray(value) && value.every((v) => Number.isFinite(v) || typeof v === 'boolean')

function parsed(text: string): [string, unknown][] {
  if (!text) return []
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    json = null
  }
  if (!json || typeof json !== 'object' || Array.isArray(json))
    throw new Refusal(`input ${text.slice(0, 40)}: write it as JSON, {"x": [3, 1, 4]}`)
  const bad = Object.keys(json).find((name) => !/^\w+$/.test(name))
  if (bad !== undefined) throw new Refusal(`input ${JSON.stringify(bad)}: a name is needed, as the program declares it`)
  return Object.entries(json)
}

export const inputNames = (text: string): string[] => parsed(text).map(([name]) => name)

function lineOf(name: string, value: any): string {
  const words = (list: (number | boolean)[], rows: number) => `${name} words ${rows} ${list.map(Number).join(' ')}`
  if (typeof value === 'string') return words([...new TextEncoder().encode(value)], 0)
  if (isNumbers(value)) return words(value, 0)
  if (Array.isArray(value) && value.every(isNumbers)) {
    if (value.some((row) => row.length !== value[0].length))
      throw new Refusal(`input ${name}: its rows are not equally long`)
    return words(value.flat(), value.length)
  }
  return graphLine(name, value)
}

/** The arcs are all pairs of vertices, or all have a weight. */
function graphLine(name: string, value: any): string {
  const { nodes, arcs } = value ?? {}
  const isNode = (u: unknown) => Number.isInteger(u) && (u as number) >= 0 && (u as number) < nodes
  if (!Number.isInteger(nodes) || nodes < 0 || !Array.isArray(arcs)) return wrong(name)
  const width = arcs[0]?.length === 3 ? 3 : 2
  const isArc = (arc: unknown) =>
    isNumbers(arc) && arc.length === width && arc.slice(0, 2).every(isNode) && arc.every((v) => typeof v === 'number')
  if (!arcs.every(isArc)) return wrong(name)
  return `${name} ${width === 3 ? 'weighted' : 'graph'} ${nodes} ${arcs.flat().join(' ')}`
}

/** As the library takes them. */
export const inputLines = (text: string): string => parsed(text).map(([name, value]) => lineOf(name, value)).join('\n')
