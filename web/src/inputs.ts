// Inputs of a program that are given, as JSON in the form that `netpram grade` gives an oracle: {"x": [3, 1, 4]}, of a
// matrix {"a": [[1, 2], [3, 4]]}, of a text {"s": "abc"}, of a graph {"G": {"nodes": 3, "arcs": [[0, 1], [1, 2]]}}.
import { Refusal } from './library'

const wrong = (name: string): never => {
  const graph = '{"nodes": 3, "arcs": [[0, 1], [1, 2]]}'
  throw new Refusal(`input ${name}: a list of numbers, rows of numbers, a text, or ${graph}`)
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
  const { nodes, arcs } = value ?? {}
  const isNode = (u: unknown) => Number.isInteger(u) && (u as number) >= 0 && (u as number) < nodes
  const isGraph = Number.isInteger(nodes) && nodes >= 0 && Array.isArray(arcs) &&
    arcs.every((arc: unknown) => Array.isArray(arc) && arc.length === 2 && arc.every(isNode))
  return isGraph ? `${name} graph ${nodes} ${arcs.flat().join(' ')}` : wrong(name)
}

/** As the library takes them. */
export const inputLines = (text: string): string => parsed(text).map(([name, value]) => lineOf(name, value)).join('\n')
