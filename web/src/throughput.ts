// The verdict as it is shown: links by their load in the best routing, what proves the two numbers, and the cut, if one
// does.
import { Answer, Network, NONE } from './library'
import { Cut, makePhase, Phase } from './recording'

/** Links with lengths: the proof from above. */
interface Priced {
  from: number
  to: number
  price: number
}

function pricedOf({ use, price }: Answer): Priced[] {
  return Array.from(price!, (p, i) => ({ from: use![3 * i], to: use![3 * i + 1], price: p })).filter((l) => l.price > 0)
}

/** Prices are lengths over one number. */
const areAlike = (links: Priced[]) => links.every((l) => l.price === links[0].price)

/** The nodes that the links leave, if the links are all that lead out of a set of nodes: else null. */
function cutOf(net: Network, links: Priced[]): Cut | null {
  if (!links.length || !areAlike(links)) return null
  const key = (from: number, to: number) => from * net.nodes + to
  const cut = new Set(links.map((l) => key(l.from, l.to)))
  const next = Array.from({ length: net.nodes }, () => [] as number[])
  for (let l = 0; l < net.ends.length; l += 2) {
    const [from, to] = [net.ends[l], net.ends[l + 1]]
    if (to !== NONE && from !== to && !cut.has(key(from, to))) next[from].push(to)
  }
  const inside = new Uint8Array(net.nodes)
  const found = [...new Set(links.map((l) => l.from))]
  found.forEach((u) => (inside[u] = 1))
  for (const u of found)
    for (const v of next[u])
      if (!inside[v]) {
        inside[v] = 1
        found.push(v)
      }
  return links.some((l) => inside[l.to]) ? null : { links: links.map((l) => [l.from, l.to]), inside }
}

/** The set of the bound by a cut, where this bound is as good as the proof. */
function tiedCut({ use, cut, result }: Answer): Cut | null {
  if (result.bounds.cut !== result.factor.high) return null
  const links: [number, number][] = []
  for (let i = 0; i < use!.length; i += 3) if (cut![use![i]] > cut![use![i + 1]]) links.push([use![i], use![i + 1]])
  return { links, inside: cut! }
}

const many = (count: number, what: string) => `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`

/** What proves that no routing does better. Lengths that are alike are 1, over what all packets need of them. */
function tellAbove(
  net: Network, links: Priced[], cut: Cut | null, tied: Cut | null, { factor, bounds, demands }: any,
): string {
  const need = many(Math.round(1 / links[0].price), 'time')
  const room = many(Math.round(factor.high / links[0].price), 'link')
  const sizeOf = ({ inside }: Cut) => `${inside.reduce((sum, is) => sum + is, 0)} of the ${many(net.nodes, 'node')}`
  if (cut) return `a cut: ${room} lead out of ${sizeOf(cut)}, and packets take one ${need}`
  const same = tied ? `; the cut around ${sizeOf(tied)} proves the same` : ''
  if (areAlike(links) && factor.high === bounds.distance)
    return `distances: there are ${room}, and packets that go the shortest way take one ${need}${same}`
  if (areAlike(links) && factor.high === bounds.switches)
    return `distances: there are ${room} between switches, and packets take one of them ${need}${same}`
  return `lengths of ${many(links.length, 'pair')} of linked nodes, their prices: the room of all links, weighed by ` +
    `them, over the distances of ${many(demands, 'demand')}${same}`
}

export function throughputPhase(net: Network, answer: Answer): Phase {
  const { result, use } = answer
  const phase = makePhase('verdict', 'verdict', net, 0, 0, false)
  phase.use = new Map()
  for (let i = 0; i < use!.length; i += 3) phase.use.set(use![i] * net.nodes + use![i + 1], use![i + 2])
  if (!result.factor) {
    phase.told = 'no packet takes a link: there is no factor'
    return phase
  }
  const links = pricedOf(answer)
  const cut = cutOf(net, links), tied = cut ? null : tiedCut(answer)
  phase.cut = cut ?? tied ?? undefined
  const { low, high } = result.factor
  phase.told = `the best routing carries between ${low} and ${high} of all demands in a step. At most ${high}: ` +
    `${tellAbove(net, links, cut, tied, result)}. At least ${low}: a flow, which takes ` +
    `${Number(result.mean_hops.toPrecision(4))} links a packet; the loads of links are drawn`
  return phase
}
