// The verdict in the page: the two numbers, what proves them, links by their load, and what paths reach, as the command
// has them. NETPRAM names it.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { close, command, go, hurry, open, settle, start, stop } from '../browser.mjs'

const folder = mkdtempSync(join(tmpdir(), 'netpram-verdict-'))
before(start)
after(async () => {
  await stop()
  rmSync(folder, { recursive: true })
})

const json = (...words) => JSON.parse(execFileSync(command, [...words, '--format', 'json'], { encoding: 'utf8' }))
const cells = (page) => page.locator('.numbers tr').evaluateAll((rows) =>
  Object.fromEntries(rows.map((row) => [...row.children].map((c) => c.textContent))))
const round = (v) => (v === null ? '-' : String(Number(v.toPrecision(5))))
const proof = (page) => page.locator('.status').textContent()

const CASES = [
  ['network=mesh:8x8&traffic=transpose', ['mesh:8x8', '--traffic', 'transpose']],
  ['network=mesh:6x6&traffic=all-to-all&paths=dimension-order',
    ['mesh:6x6', '--traffic', 'all-to-all', '--paths', 'dimension-order']],
  ['network=torus:8x8&traffic=tornado&paths=valiant', ['torus:8x8', '--traffic', 'tornado', '--paths', 'valiant']],
  ['network=dragonfly:a%3D4,p%3D2,h%3D2&traffic=longest-matching&seed=3',
    ['dragonfly:a=4,p=2,h=2', '--traffic', 'longest-matching', '--seed', '3']],
]

for (const [hash, words] of CASES)
  test(`the verdict on ${words.join(' ')} is the command's`, async () => {
    const native = json('throughput', ...words)
    const { factor, per_host, bounds, paths } = native
    const page = await open(`verb=throughput&${hash}`)
    assert.equal(await page.locator('.error').isVisible(), false, await page.locator('.error').textContent())
    const told = await cells(page)
    // To the last digit.
    assert.deepEqual([told['factor, at least'], told['factor, at most']], [factor.low, factor.high].map(String))
    assert.deepEqual(
      [told['a host, at least'], told['a host, at most'], told['steps of any schedule'], told.hops],
      [round(per_host.low), round(per_host.high), String(native.steps_bound), round(native.mean_hops)])
    assert.deepEqual(
      [told['bound by distances'], told['by links of hosts'], told['by a cut']],
      [bounds.distance, bounds.hosts, bounds.cut].map(round))
    assert.deepEqual(
      [told['links that bind'], told['links that are idle'], told.iterations],
      [native.links_binding, native.links_idle, native.iterations].map(String))
    if (native.links_binding) {
      const [dearest] = native.binding
      assert.equal(told[`${dearest.from} to ${dearest.to}`], round(dearest.load))
    }
    if (paths) {
      assert.equal(told[`factor of ${paths.rule}`], String(paths.factor))
      assert.deepEqual(
        [told['of the best, at least'], told['of the best, at most']],
        [paths.share.low, paths.share.high].map((s) => `${round(100 * s)}%`))
    }
    assert.match(await page.locator('.status').textContent(), new RegExp(`between ${factor.low} and ${factor.high} of`))
    const said = (await page.locator('.repeat code').textContent()).split(' ').slice(1)
    assert.deepEqual(json(...said).factor, factor)
    const again = await open(new URL(page.url()).hash.slice(1))
    assert.deepEqual(await cells(again), told)
    await close(again)
    await close(page, `verdict-${words[0].split(':')[0]}`)
  })

/** How many pixels of the canvas have the colour, within the part of its width. */
const pixels = (page, colour, from, to) => page.locator('canvas').evaluate((canvas, [wanted, from, to]) => {
  const { width, height } = canvas
  const { data } = canvas.getContext('2d').getImageData(from * width, 0, (to - from) * width, height)
  let count = 0
  for (let i = 0; i < data.length; i += 4)
    count += wanted.every((v, k) => Math.abs(data[i + k] - v) < 8)
  return count
}, [colour, from, to])

const colourOf = (page, name) => page.evaluate((name) => {
  const probe = document.createElement('i')
  probe.style.color = `var(--${name})`
  document.body.append(probe)
  const found = getComputedStyle(probe).color.match(/\d+/g).slice(0, 3).map(Number)
  probe.remove()
  return found
}, name)

test('a cut that is the bound is marked, and told with its links and what crosses them', async () => {
  // Half of an array: one link leads out of 4 nodes, and 4 x 4 packets take it.
  const page = await open('verb=throughput&network=array:8&traffic=all-to-all')
  const { factor, bounds } = json('throughput', 'array:8')
  assert.deepEqual([factor.high, bounds.cut], [1 / 16, 1 / 16])
  assert.match(
    await proof(page),
    /\. At most 0.0625: a cut: 1 link lead out of 4 of the 8 nodes, and packets take one 16 times\. At least 0.06/)
  assert.match(await page.locator('.loads').textContent(), /0\s*1\s*; dashed: the links of the cut/)
  const colour = await colourOf(page, 'followed')
  const middle = await pixels(page, colour, 0.46, 0.54)
  const sides = [await pixels(page, colour, 0, 0.42), await pixels(page, colour, 0.58, 1)]
  assert.ok(middle > 10, `${middle} in the middle`) // the link
  assert.ok(Math.min(...sides) === 0 && Math.max(...sides) > 50, String(sides)) // the rings of one half
  await close(page, 'verdict-cut')
})

test('a cut that proves as much as distances is marked beside them', async () => {
  // Two links lead out of 4 or 5 nodes in a row, and 4 x 5 packets take them.
  const page = await open('verb=throughput&network=ring:9&traffic=all-to-all')
  const { factor, bounds } = json('throughput', 'ring:9')
  assert.deepEqual([factor.high, bounds.distance, bounds.cut], [0.1, 0.1, 0.1])
  assert.match(
    await proof(page),
    /: distances: there are 18 links, .* take one 180 times; the cut around [45] of the 9 nodes proves the same\. At /)
  assert.match(await page.locator('.loads').textContent(), /dashed: the links of the cut/)
  assert.ok(await pixels(page, await colourOf(page, 'followed'), 0, 1) > 50)
  await close(page)
})

test('where distances or other lengths are the bound, no cut is marked', async () => {
  const page = await open('verb=throughput&network=ring:x')
  for (const [hash, said] of [
    ['network=star:4&traffic=all-to-all', /\. At most 0.048\d+: distances: there are 72 links, .* 1,488 times\. At/],
    ['network=mesh:8x8&traffic=transpose', /: lengths of \d+ pairs of linked nodes, their prices: /],
  ]) {
    await go(page, `verb=throughput&${hash}`)
    assert.match(await proof(page), said)
    assert.doesNotMatch(await page.locator('.loads').textContent(), /dashed/)
    assert.equal(await pixels(page, await colourOf(page, 'followed'), 0, 1), 0)
  }
  await close(page)
})

test('a link has the colour of its load', async () => {
  const page = await open('verb=throughput&network=array:8&traffic=all-to-all')
  const dark = (from, to) => page.locator('canvas').evaluate((canvas, [from, to]) => {
    const { width, height } = canvas
    const { data } = canvas.getContext('2d').getImageData(from * width, 0, (to - from) * width, height)
    let least = 765
    for (let i = 0; i < data.length; i += 4) least = Math.min(least, data[i] + data[i + 1] + data[i + 2])
    return least
  }, [from, to])
  // Links carry 7, 12, 15, 16, 15, 12, 7 of 16: the third is darker than the first.
  const [first, third] = [await dark(0.1, 0.13), await dark(0.35, 0.38)]
  assert.ok(third < first - 30, `${first} ${third}`)
  await close(page)
})

test('a verdict is chosen by keyboard, and paths among those that have one', async () => {
  const page = await open('network=mesh:4x4&traffic=transpose')
  await page.locator('[name=verb]').focus()
  await page.locator('[name=verb]').selectOption('throughput')
  await settle(page)
  assert.match(page.url(), /verb=throughput/)
  await page.locator('details.more summary').click()
  const list = page.getByRole('combobox', { name: 'paths, from the list' })
  const values = await list.locator('option').evaluateAll((all) => all.map((o) => o.dataset.spec ?? o.value))
  assert.deepEqual(['valiant', 'dimension-order', 'balanced'].map((v) => values.includes(v)), [true, true, false])
  await page.locator('[name=paths]').fill('valiant')
  await page.keyboard.press('Enter')
  await settle(page)
  const { paths } = json('throughput', 'mesh:4x4', '--traffic', 'transpose', '--paths', 'valiant')
  assert.equal((await cells(page))[`factor of ${paths.rule}`], String(paths.factor))
  assert.equal(await page.locator('.curves').isVisible(), false)
  await page.locator('canvas').focus()
  for (const key of [' ', 'ArrowRight', 'End', 'Home', 'f', 'Escape']) await page.keyboard.press(key)
  assert.equal(await page.locator('#now').textContent(), 'step 0 of 0')
  await page.locator('[name=paths]').fill('')
  await page.locator('[name=verb]').selectOption('route')
  await settle(page)
  assert.equal(await page.locator('.curves').isVisible(), true)
  await close(page)
})

test('how far the search is is told, and it can be stopped', async () => {
  const page = await open('verb=throughput&network=mesh:3x3&traffic=random')
  await page.locator('[name=traffic]').fill('all-to-all')
  await page.locator('[name=network]').fill('torus:20x20:fail=0.05')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => /^running: [1-9]\d?%$/.test(document.querySelector('.busy span').textContent))
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.waitForSelector('.pane.refused')
  assert.equal(await page.locator('.error').textContent(), 'stopped')
  await close(page)
})

test('where no packet takes a link there is no factor', async () => {
  const page = await open('verb=throughput&network=mesh:4x4&traffic=identity')
  assert.match(await page.locator('.status').textContent(), /^no packet takes a link: there is no factor$/)
  assert.equal((await cells(page))['for their own node'], '16')
  await close(page)
})

test('what the page does not find out is refused in a line that names the limit', async () => {
  const page = await open('verb=throughput&network=ring:x')
  for (const [hash, said] of [
    ['network=torus:32x32&traffic=all-to-all',
      /^1024 destinations times 4096 links: the page takes at most 1048576, the command more$/],
    ['network=torus:8x8&traffic=all-to-all&options=gap=0.0001', /^gap 0.0001: .* from 0.001 on; the command/],
    ['network=mesh:3x3&traffic=random&options=certificate=x', /^certificate: the page writes no files/],
    ['network=mesh:3x3&traffic=random&options=paths_out=x', /^paths_out: the page writes no files/],
    ['network=mesh:3x3&traffic=random&options=gap=2', /^gap 2/],
    ['network=mesh:3x3&traffic=random&options=split', /^split is for paths/],
    ['network=mesh:3x3&traffic=random&paths=balanced', /balanced/],
    ['network=mesh:3x3&traffic=x', /x/],
    ['network=torus:8x8:fail%3D0.5&traffic=all-to-all', /^no way leads from /],
    ['network=torus:16x16:fail%3D0.05&traffic=all-to-all&options=gap=0.001',
      /^the verdict takes more than 10 seconds, .* ask for a larger gap or a smaller network, or ask the command$/],
  ]) {
    if (/seconds/.test(said)) await hurry(page, 10) // the last: its clock stays fast
    await go(page, `verb=throughput&${hash}`)
    assert.match(await page.locator('.error').textContent(), said)
    assert.equal(await page.locator('.numbers tr').count(), 0)
  }
  await close(page)
})
