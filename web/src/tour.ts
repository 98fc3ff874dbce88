// Six steps that explain Valiant's idea: a permutation that defeats greedy routing, and two phases that no permutation
// defeats.
import { Choice } from './choice'

export interface Stop {
  title: string
  text: string
  first: Choice
  second?: Choice
  at: number // share of the run
}

const cube = { verb: 'route', network: 'hypercube:10', seed: '1', traffic: 'bit-reversal' }
const greedy = { ...cube, scheme: 'greedy' }
const two = { ...cube, scheme: 'cubes' }

export const STOPS: Stop[] = [
  {
    title: 'A network and its packets',
    text: 'A hypercube of 1,024 nodes, drawn as squares in squares. Every node has one packet. ' +
      'In a step every link carries one packet; the others wait in queues.',
    first: { ...two, traffic: 'random' }, at: 0,
  },
  {
    title: 'Greedy: the shortest way',
    text: 'Each packet sets the bits of its address one after the other. ' +
      'For a random permutation that is hard to beat: play it. Hardly a packet waits.',
    first: { ...greedy, traffic: 'random' }, at: 0.3,
  },
  {
    title: 'A permutation that defeats it',
    text: 'Bit reversal sends x to x read backwards. Halfway, the packets of 32 nodes must all pass the same node, ' +
      'the square root of all: the queues there grow, and the last packet waits 11 steps.',
    first: greedy, at: 0.5,
  },
  {
    title: 'Two phases',
    text: 'Valiant’s idea: first send each packet to a random node, whatever its destination. Then send it home. ' +
      'Each phase is like random traffic, and no permutation can change that.',
    first: two, at: 0.25,
  },
  {
    title: 'Side by side',
    text: 'The same permutation: greedy on the left, 21 steps; two phases on the right, 20. ' +
      'At this size the detour costs what it saves. But no packet waits more than 3 steps: ' +
      'compare the longest queue, and the histograms.',
    first: greedy, second: two, at: 0.5,
  },
  {
    title: 'Larger',
    text: 'With 12 bits the square root is 64: greedy needs 38 steps, two phases 25, and the gap grows. ' +
      'The theorem says that a delay above a few times n is all but impossible, whatever the permutation: ' +
      'the dashed line in the histogram.',
    first: { ...greedy, network: 'hypercube:12' }, second: { ...two, network: 'hypercube:12' }, at: 0.5,
  },
]
