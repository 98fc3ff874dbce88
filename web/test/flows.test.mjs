// Flows that share links are played: when each begins and ends, the numbers, and the use of links, as the command has
// them. NETPRAM names it.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { close, command, go, open, start, stop } from '../browser.mjs'

const folder = mkdtempSync(join(tmpdir(), 'netpram-flows-'))
before(start)
after(async () => {
  await stop()
  rmSync(folder, { recursive: true })
})

/** The rows of a CSV file that the command writes, as numbers. */
function csv(words, option) {
  const file = join(folder, 'rows.csv')
  execFileSync(command, [...words, option, file, '--quiet'], { stdio: 'pipe' })
  const [head, ...rows] = readFileSync(file, 'utf8').trim().split('\n').map((line) => line.split(','))
  return rows.map((row) => Object.fromEntries(head.map((name, i) => [name, Number(row[i])])))
}

const round = (v) => String(Number(v.toPrecision(5)))
const CASES = [
  ['verb=flows&network=mesh:4x4&traffic=random-function:2&seed=3',
    ['flows', 'mesh:4x4', '--traffic', 'random-function:2', '--seed', '3']],
  ['verb=flows&network=hypercube:4&traffic=random&options=load=0.5+arrivals=200+split',
    ['flows', 'hypercube:4', '--traffic', 'random', '--load', '0.5', '--arrivals', '200', '--split']],
]

for (const [hash, words] of CASES)
  test(`${words.join(' ')} is played as the command has it`, async () => {
    const native = JSON.parse(execFileSync(command, [...words, '--format', 'json'], { encoding: 'utf8' }))
    const flows = csv(words, '--flows')
    const page = await open(hash)
    assert.equal(await page.locator('.error').isVisible(), false, await page.locator('.error').textContent())
    const cells = Object.fromEntries(await page.locator('.numbers tr').evaluateAll((rows) =>
      rows.map((row) => [row.children[0].textContent, [...row.children].slice(1).map((c) => c.textContent)])))
    const { completion, makespan, use_mean, busiest } = native
    assert.deepEqual(cells.completion, [completion.mean, completion.p99, completion.max].map(round))
    assert.equal(cells.makespan[2], round(makespan))
    assert.equal(cells.flows[2], String(native.flows))
    assert.deepEqual(cells['use of links'], [round(use_mean), '', round(busiest.use)])
    for (const step of [0, 37, 80, 100]) {
      await page.locator('#scrub').fill(String(step))
      const now = step === 100 ? Infinity : (step * makespan) / 100
      const under = flows.filter((f) => f.start <= now && now < f.finish).length
      const ended = flows.filter((f) => f.finish <= now).length
      const told = await page.locator('.status').textContent()
      const want = `: ${under} of ${flows.length} flows are under way, ${ended} have ended$`
      assert.match(told, new RegExp(want), `${step}`)
    }
    const said = (await page.locator('.repeat code').textContent()).split(' ').slice(1)
    const again = JSON.parse(execFileSync(command, [...said, '--format', 'json'], { encoding: 'utf8' }))
    assert.equal(again.makespan, makespan)
    await close(page, 'flows')
  })

test('a link has the colour of its use', async () => {
  const words = ['flows', 'array:3', '--traffic', 'all-to-all']
  const links = csv(words, '--links')
  assert.ok(links.length === 4 && links.every((l) => l.use > 0.5))
  const page = await open('verb=flows&network=array:3&traffic=all-to-all')
  // Between two nodes stand links alone: a link that is used much is dark.
  const count = await page.locator('canvas').evaluate((canvas) => {
    const { width, height } = canvas
    const { data } = canvas.getContext('2d').getImageData(0.37 * width, 0, 0.06 * width, height)
    let dark = 0
    for (let i = 0; i < data.length; i += 4) if (data[i] + data[i + 1] + data[i + 2] < 240) dark++
    return dark
  })
  assert.ok(count > 50, String(count))
  assert.match(await page.locator('.loads').textContent(), /share of a link that is used:\s*0\s*1/)
  await close(page)
})

test('flows that take no link are played, too', async () => {
  const page = await open('verb=flows&network=mesh:4x4&traffic=identity')
  assert.match(await page.locator('.numbers').textContent(), /flows16.*use of links.*-$/)
  await close(page)
})

test('what flows refuse is said', async () => {
  const page = await open('verb=flows&network=ring:x')
  for (const [hash, said] of [
    ['verb=flows&network=mesh:3x3&traffic=x', /x/],
    ['verb=flows&network=mesh:3x3&traffic=random&options=load=-1', /^load -1/],
    ['verb=flows&network=mesh:3x3&traffic=random&options=runs=2', /runs/],
  ]) {
    await go(page, hash)
    assert.match(await page.locator('.error').textContent(), said)
    assert.equal(await page.locator('.numbers tr').count(), 0)
  }
  await close(page)
})
