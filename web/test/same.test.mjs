// The library in WebAssembly answers as the command does, to the last digit: networks of all kinds, schemes, sorts and
// collective operations. NETPRAM names the command.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'

const command = process.env.NETPRAM ?? new URL('../../build/netpram', import.meta.url).pathname
const wasmBinary = readFileSync(new URL('../../build-web/netpram.wasm', import.meta.url))
const module = await createRequire(import.meta.url)('../../build-web/netpram.js')({ wasmBinary })
const ask = (name, ...values) =>
  JSON.parse(module.ccall(name, 'string', values.map((v) => (typeof v === 'string' ? 'string' : 'number')), values))

// A dot in a name of the tables is an object within the object.
function nested(value) {
  if (Array.isArray(value)) return value.map(nested)
  if (value === null || typeof value !== 'object') return value
  const out = {}
  for (const [name, member] of Object.entries(value)) {
    const words = name.split('.')
    let at = out
    for (const word of words.slice(0, -1)) at = at[word] ??= {}
    at[words[words.length - 1]] = nested(member)
  }
  return out
}

// What depends on the machine.
function steady(value) {
  const { wall_seconds, threads, ...rest } = value
  return rest
}

const routes = [
  ['hypercube:6', 'transpose', {}],
  ['hypercube:7', 'random', { scheme: 'greedy', queue: 'farthest-first', seed: '5', runs: '3' }],
  ['mesh:8x9', 'random', { scheme: 'grid', runs: '2' }],
  ['torus:5x5x3', 'random-function:2', { scheme: 'greedy' }],
  ['butterfly:4', 'random-function:2', { scheme: 'ranked', queue_size: '3' }],
  ['butterfly-io:5', 'random-function:5', { scheme: 'ranked' }],
  ['shuffle-exchange:6', 'random', { scheme: 'ranked' }],
  ['omega:6', 'random', { scheme: 'constrained', permutations: '6' }],
  ['star:5', 'random', { scheme: 'valiant' }],
  ['fat-tree:2', 'random', { scheme: 'ranked' }],
  ['shuffle:3x4', 'random', {}],
  ['mesh:6x6', 'transpose', { scheme: 'offline' }],
]

for (const [network, traffic, options] of routes)
  test(`route ${network} ${traffic} ${JSON.stringify(options)}`, () => {
    const words = Object.entries(options).flatMap(([name, value]) => [`--${name.replace(/_/g, '-')}`, value])
    const native = JSON.parse(execFileSync(
      command, ['route', network, '--traffic', traffic, '--bound', '--format', 'json', ...words],
      { encoding: 'utf8' },
    ))
    const lines = Object.entries(options).map(([name, value]) => `${name}=${value}`).join('\n')
    const page = ask('page_run', 'route', network, traffic, lines)
    assert.equal(page.error, undefined)
    const result = steady(nested(page.result))
    for (const name of Object.keys(result)) assert.deepEqual(result[name], native[name], name)
    assert.deepEqual(nested(page.bound), native.bound)
    assert.ok(page.events > 0)
  })

for (const [network, options] of [
  ['mesh:8x8', {}], ['hypercube:6', { algorithm: 'odd-even-merge' }], ['butterfly:5', { algorithm: 'flashsort' }],
])
  test(`sort ${network} ${JSON.stringify(options)}`, () => {
    const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
    const native = JSON.parse(
      execFileSync(command, ['sort', network, '--format', 'json', ...words], { encoding: 'utf8' }))
    const page = ask('page_run', 'sort', network, '', Object.entries(options).map(([n, v]) => `${n}=${v}`).join('\n'))
    assert.equal(page.error, undefined)
    const result = steady(nested(page.result))
    for (const name of Object.keys(result)) assert.deepEqual(result[name], native[name], name)
  })

for (const [network, operation] of [['hypercube:4', 'gossip'], ['mesh:4x4', 'all-to-all'], ['torus:4x4', 'broadcast']])
  test(`collective ${network} ${operation}`, () => {
    const native = JSON.parse(
      execFileSync(command, ['collective', network, operation, '--format', 'json'], { encoding: 'utf8' }))
    const page = ask('page_run', 'collective', network, operation, '')
    assert.equal(page.error, undefined)
    const result = steady(nested(page.result))
    for (const name of Object.keys(result)) assert.deepEqual(result[name], native[name], name)
  })

for (const [network, traffic, options] of [
  ['torus:4x4', 'uniform', { loads: '0.3', cycles: '5000' }],
  ['mesh:4x4', 'transpose', { model: 'flits', paths: 'adaptive', loads: '0.2', packet_flits: '1-3', cycles: '4000' }],
])
  test(`load ${network} ${JSON.stringify(options)}`, () => {
    const words = Object.entries(options).flatMap(([name, value]) => [`--${name.replace(/_/g, '-')}`, value])
    const native = JSON.parse(execFileSync(
      command, ['load', network, '--traffic', traffic, '--format', 'json', ...words], { encoding: 'utf8' }))
    const lines = Object.entries(options).map(([name, value]) => `${name}=${value}`).join('\n')
    const page = ask('page_run', 'load', network, traffic, lines)
    assert.equal(page.error, undefined)
    assert.deepEqual(nested(page.result).points, native.points)
    assert.ok(page.events > 0)
    assert.deepEqual(nested(ask('page_curve', network, traffic, lines).result).points, native.points)
  })

for (const [network, traffic, options] of [
  ['torus:8x8', 'all-to-all', {}], ['mesh:6x6', 'all-to-all', { paths: 'dimension-order' }],
  ['torus:6x6:fail=0.1', 'all-to-all', { gap: '0.05', seed: '2' }], ['hypercube:6', 'transpose', { paths: 'valiant' }],
  ['jellyfish:32,4', 'longest-matching', { paths: 'shortest', split: 'true' }], ['mesh:4x4', 'identity', {}],
])
  test(`throughput ${network} ${traffic} ${JSON.stringify(options)}`, () => {
    const words = Object.entries(options).flatMap(([name, v]) => (v === 'true' ? [`--${name}`] : [`--${name}`, v]))
    const native = JSON.parse(execFileSync(
      command, ['throughput', network, '--traffic', traffic, '--format', 'json', ...words], { encoding: 'utf8' }))
    const lines = Object.entries(options).map(([name, value]) => `${name}=${value}`).join('\n')
    const page = ask('page_run', 'throughput', network, traffic, lines)
    assert.equal(page.error, undefined)
    const result = nested(page.result)
    for (const name of Object.keys(result)) assert.deepEqual(result[name], native[name], name)
    // The links: those that bind are the command's, and the lengths of all are what proves the bound.
    const use = new Float64Array(module.HEAPU8.slice(page.use, page.use + 24 * page.uses).buffer)
    const price = new Float64Array(module.HEAPU8.slice(page.price, page.price + 8 * page.uses).buffer)
    for (const { from, to, load, price: dear } of native.binding ?? []) {
      const i = price.findIndex((_, k) => use[3 * k] === from && use[3 * k + 1] === to)
      assert.deepEqual([use[3 * i + 2], price[i]], [load, dear])
    }
    assert.equal(page.uses > 0, native.factor !== null)
  })

for (const [program, options] of [
  ['prefix-sums', { n: '32' }], ['components', { n: '20', seed: '4' }],
  ['maximum', { n: '12', machine: 'butterfly:3' }], ['hull', { n: '16' }],
  ['list-ranking', { n: '16', machine: 'two-phase:hypercube:4' }],
])
  test(`pram ${program} ${JSON.stringify(options)}`, () => {
    const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
    const native = JSON.parse(
      execFileSync(command, ['pram', program, '--format', 'json', ...words], { encoding: 'utf8' }))
    const { text } = ask('page_program', program)
    const page = ask('page_pram', text, Object.entries(options).map(([n, v]) => `${n}=${v}`).join('\n'), '')
    assert.equal(page.error, undefined)
    const report = nested(page.report)
    for (const name of [
      'machine', 'rule', 'pram_steps', 'work', 'network_steps', 'combined', 'requests', 'violation_count',
    ])
      assert.deepEqual(report[name], native[name], name)
    // One number is an answer by itself; else the command gives the checksum of all.
    const answer = typeof native.answer === 'string' ? page.result.checksum : page.result.outputs[0].values[0]
    assert.equal(answer, native.answer)
    assert.equal(page.result.correct, true)
    assert.equal(page.steps.length, native.pram_steps)
    assert.equal(page.steps.reduce((sum, step) => sum + step.active, 0), native.work)
    const steps = page.steps.reduce((sum, step) => sum + step.network_steps, 0)
    assert.equal(steps, native.network_steps.total - native.network_steps.initialisation)
  })

test('the events are those of the trace', () => {
  const kinds = ['injected', 'moved', 'waited', 'combined', 'split', 'landed']
  const said = ['route', 'mesh:5x5', '--scheme', 'greedy', '--traffic', 'random-function:3', '--quiet']
  const trace = execFileSync(command, [...said, '--trace', '/dev/stdout'], { encoding: 'utf8' })
    .split('\n').filter((line) => line.startsWith('{"event"')).map((line) => JSON.parse(line))
    .filter((e) => kinds.includes(e.event))
  const page = ask('page_run', 'route', 'mesh:5x5', 'random-function:3', 'scheme=greedy')
  const words = new Uint32Array(module.HEAPU8.slice(page.event, page.event + 32 * page.events).buffer)
  assert.equal(page.events, trace.length)
  trace.forEach((e, i) => {
    const w = words.slice(8 * i, 8 * i + 8)
    assert.deepEqual([kinds[w[0] & 255], w[1], w[2], w[4]], [e.event, e.step, e.packet, e.from ?? e.at])
    if (e.event === 'moved') assert.deepEqual([w[5], w[6], w[7]], [e.to, e.link, e.queue])
  })
})

test('what is refused is refused in the words of the command', () => {
  for (const [network, traffic, lines, words] of [
    ['hypercub:4', 'random', '', ['route', 'hypercub:4']],
    ['mesh:4x4', 'transposed', '', ['route', 'mesh:4x4', '--traffic', 'transposed']],
    ['mesh:4x4', 'random', 'scheme=cubes', ['route', 'mesh:4x4', '--scheme', 'cubes']],
  ]) {
    let said = ''
    try {
      execFileSync(command, words, { encoding: 'utf8', stdio: 'pipe' })
    } catch (error) {
      said = error.stderr.trim().replace(/^netpram: /, '')
    }
    assert.equal(ask('page_run', 'route', network, traffic, lines).error, said)
  }
  assert.match(ask('page_run', 'route', 'mesh:4x4', 'random', 'runs=x').error, /^runs x: must be a whole number/)
  assert.match(ask('page_network', 'hypercube:20', '').error, /the page takes at most/)
})
