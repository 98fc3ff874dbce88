// Load on the page: the numbers are the command's, and buffers, credits and heads that wait are what its trace says.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { close, command, go, open, settle, start, stop } from '../browser.mjs'

const folder = mkdtempSync(join(tmpdir(), 'netpram-load-'))
before(start)
after(async () => {
  await stop()
  rmSync(folder, { recursive: true })
})

const json = (...words) => JSON.parse(execFileSync(command, [...words, '--format', 'json'], { encoding: 'utf8' }))
const status = (page) => page.locator('.status').first().textContent()
const cells = (page) => page.locator('.numbers tr').evaluateAll((rows) =>
  Object.fromEntries(rows.map((row) => [...row.children].map((c) => c.textContent))))

function traceOf(words) {
  const file = join(folder, 'run.jsonl')
  execFileSync(command, [...words, '--quiet', '--trace', file, '--trace-cycles', '300'], { stdio: 'pipe' })
  return readFileSync(file, 'utf8')
}

const eventsOf = (text) =>
  text.split('\n').filter((line) => line.startsWith('{"event"')).map((line) => JSON.parse(line))

const round = (v) => String(Number(v.toPrecision(5)))

const STEPS = ['load', 'mesh:4x4', '--traffic', 'uniform', '--loads', '0.4']
const FLITS = [
  'load', 'mesh:3x3', '--traffic', 'uniform', '--model', 'flits', '--loads', '0.9', '--paths', 'dimension-order',
  '--channels', '2', '--buffer-flits', '3', '--packet-flits', '3',
]
const FLITS_HASH = 'verb=load&network=mesh:3x3&traffic=uniform&model=flits&loads=0.9&paths=dimension-order' +
  '&options=channels=2+buffer_flits=3+packet_flits=3'

test('packets over time are played, with the numbers of the command', async () => {
  const page = await open('verb=load&network=mesh:4x4&traffic=uniform&loads=0.4&t=50')
  const [point] = json(...STEPS).points
  const table = await cells(page)
  assert.deepEqual(
    [table.offered, table.accepted, table.latency, table['99%'], table.saturated],
    [round(point.offered), round(point.accepted), round(point.latency.mean), String(point.latency.p99), 'no'])
  const events = eventsOf(traceOf(STEPS))
  const count = (kind) => events.filter((e) => e.event === kind && e.step === 50).length
  const landed = events.filter((e) => e.event === 'landed' && e.step <= 50).length
  const said = `step 50 of 300: ${count('moved')} moved, ${count('waited')} waited, ${landed} of`
  assert.match(await status(page), new RegExp(said))
  assert.equal(
    await page.locator('.repeat code').textContent(),
    'netpram load mesh:4x4 --traffic uniform --model steps --loads 0.4 --seed 1')
  assert.equal(await page.locator('.buffers').count(), 0)
  await close(page, 'load-steps')
})

/** What is in the buffers of a node after a step: by "from channel", [packets, why the first one waits, credits]. */
function buffersOf(events, node, step) {
  const { buffer_flits: room, credit_delay: delay } = events[0]
  const flits = new Map()
  const sent = new Map()
  const length = []
  const back = []
  const way = new Map()
  let held = new Map()
  let now = -1
  for (const e of events.slice(1)) {
    if (e.event === 'end' || e.step > step) break
    if (e.step > now) held = new Map()
    now = e.step
    const key = `${e.link ?? `here ${e.at}`} ${e.channel}`
    if (e.event === 'injected') length[e.packet] = e.length
    if (e.event === 'entered') flits.set(key, [...(flits.get(key) ?? []), e.packet])
    if (e.event === 'waited') held.set(e.packet, e.why + (e.other === undefined ? '' : ` ${e.other}`))
    if (e.event === 'moved') {
      sent.set(key, (sent.get(key) ?? 0) + 1)
      way.set(`${e.packet} ${e.from}`, [key, 1])
    }
    if (e.event === 'left') {
      flits.get(key).shift()
      back.push([e.step + delay, key])
      const to = way.get(`${e.packet} ${e.at}`)
      if (to && to[1]++ < length[e.packet]) sent.set(to[0], sent.get(to[0]) + 1)
    }
  }
  if (now < step) held = new Map()
  return (link, channel) => {
    const key = `${link ?? `here ${node}`} ${channel}`
    const inside = flits.get(key) ?? []
    const given = back.filter(([at, of]) => of === key && at <= step).length
    return [inside, held.get(inside[0]) ?? '', link === undefined ? '' : String(room - (sent.get(key) ?? 0) + given)]
  }
}

test('buffers fill as the trace says: flits by channel, heads that wait, credits', async () => {
  const events = eventsOf(traceOf(FLITS))
  const ends = new Map(events.filter((e) => e.event === 'moved').map((e) => [`${e.from} ${e.to}`, e.link]))
  const page = await open(`${FLITS_HASH}&t=40&node=4`)
  let flits = 0
  let waits = 0
  for (const step of [40, 41, 42, 120, 299, 60]) {
    await page.locator('#scrub').fill(String(step))
    assert.match(await status(page), new RegExp(`step ${step} of 300: .* flits in buffers, \\d+ heads wait`))
    const want = buffersOf(events, 4, step)
    const rows = await page.locator('.buffers tbody tr').evaluateAll((all) => all.map((row) => [
      row.children[0].textContent, row.children[1].textContent,
      [...row.querySelectorAll('.cell.full')].map((c) => Number(c.textContent)), row.children[3].textContent,
      row.children[4].textContent, row.querySelectorAll('.cell').length]))
    assert.equal(rows.length, 5 * 2)
    for (const [from, channel, inside, why, credits, places] of rows) {
      assert.equal(places, 3)
      const link = from === 'here' ? undefined : ends.get(`${from} 4`)
      assert.deepEqual([inside, why, credits], want(link, channel), `step ${step}, from ${from}, channel ${channel}`)
      flits += inside.length
      waits += why !== ''
    }
  }
  assert.ok(flits > 20 && waits > 5)
  await close(page, 'load-flits')
})

test('a router is chosen by keyboard, and the address keeps it', async () => {
  const page = await open(`${FLITS_HASH}&t=60`)
  const input = page.locator('.buffers input')
  await input.focus()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('8')
  await page.keyboard.press('Enter')
  assert.match(page.url(), /node=8/)
  const from = await page.locator('.buffers tbody tr td:first-child').allTextContents()
  assert.deepEqual([...new Set(from)].sort(), ['5', '7', 'here'])
  const again = await open(new URL(page.url()).hash.slice(1))
  assert.equal(await again.locator('.buffers tbody').textContent(), await page.locator('.buffers tbody').textContent())
  await close(again)
  await page.locator('canvas').focus()
  await page.keyboard.press('ArrowRight')
  assert.match(await status(page), /step 61 of 300/)
  await page.keyboard.press('f')
  assert.match(await status(page), /Packet \d+ (is|waits|has)/)
  await close(page)
})

test('the latency at other loads is drawn beside it', async () => {
  const page = await open('verb=load&network=mesh:4x4&traffic=uniform&loads=0.2')
  await page.waitForSelector('.latency circle', { timeout: 60000 })
  assert.equal(await page.locator('.latency circle').count(), 6)
  const loads = '0.05,0.1,0.15,0.2,0.25,0.3'
  const words = ['load', 'mesh:4x4', '--loads', loads, '--precision', '0.05', '--cycles', '20000']
  const told = json(...words).points.map((p) => `${p.offered}: ${Number(p.latency.mean.toPrecision(4))}`).join('; ')
  assert.equal(await page.locator('.latency svg').getAttribute('aria-label'), `Mean latency by load: ${told}.`)
  await close(page)
})

test('a trace of load is played', async () => {
  for (const words of [STEPS, FLITS]) {
    const text = traceOf(words)
    const page = await open('network=hypercube:3')
    await page.locator('#file').setInputFiles(
      { name: 'run.jsonl', mimeType: 'application/json', buffer: Buffer.from(text) })
    await page.waitForFunction(() => document.querySelector('.repeat').textContent.includes('netpram load'))
    await page.keyboard.press('End')
    const landed = eventsOf(text).filter((e) => e.event === 'landed').length
    assert.match(await status(page), new RegExp(`step 300 of 300: .* ${landed} of \\d+ landed`))
    assert.equal(await page.locator('.buffers').count(), words === FLITS ? 1 : 0)
    await close(page)
  }
})

test('what is not one load is refused in a line', async () => {
  const page = await open('verb=load&network=ring:x')
  for (const [hash, words] of [
    ['verb=load&network=mesh:3x3&traffic=uniform&loads=0.1,0.2', /^trace: one load of one path rule is traced/],
    ['verb=load&network=mesh:3x3&traffic=uniform&loads=x', /^loads 'x'/],
    [`${FLITS_HASH}&node=9`, /^node 9: mesh:3x3 has nodes 0 to 8/],
    ['verb=load&network=mesh:3x3&traffic=uniform&options=channels=2', /channels is for model flits/],
  ]) {
    await go(page, hash)
    assert.match(await page.locator('.error').textContent(), words)
    assert.equal(await page.locator('.numbers tr').count(), 0)
  }
  await close(page)
})

test('what is suggested for load is taken', async () => {
  const page = await open('verb=load&network=ring:4')
  await page.locator('details.more summary').click()
  for (const model of ['steps', 'flits']) {
    await go(page, `verb=load&network=mesh:3x3&traffic=uniform&loads=0.1&model=${model}`)
    const list = page.getByRole('combobox', { name: 'paths, from the list' })
    const values = await list.locator('option').evaluateAll((all) => all.map((o) => o.value))
    assert.ok(values.length > 3)
    for (const value of values) {
      await list.selectOption(value)
      await settle(page)
      const error = page.locator('.error')
      assert.ok(!(await error.isVisible()), `${model} ${value}: ${await error.textContent()}`)
    }
  }
  await close(page)
})
