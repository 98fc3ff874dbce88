// For everybody: axe-core finds nothing in any view, in light, dark and forced colours, on a desk and on a phone; all
// is reached and used by keyboard alone; nothing scrolls sideways.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { close, command, foldAll, open, openAll, openFile, picture, settle, start, stop } from '../browser.mjs'

const axe = pathToFileURL(createRequire(import.meta.url).resolve('axe-core/axe.min.js')).href
before(start)
after(stop)

const SIZES = { desk: { width: 1280, height: 860 }, phone: { width: 360, height: 740 } }
const VIEWS = {
  opening: '',
  routing: 'network=hypercube:6&traffic=bit-reversal&scheme=cubes&t=4',
  leveled: 'network=butterfly:3&scheme=ranked&traffic=random&t=3',
  heat: 'network=mesh:70x70&scheme=greedy&t=3',
  sort: 'verb=sort&network=mesh:4x4&t=3',
  collective: 'verb=collective&network=hypercube:3&t=2',
  program: 'verb=pram&program=maximum&n=8&t=3',
  machine: 'verb=pram&n=8&machine=butterfly:3&t=3',
  load: 'verb=load&network=mesh:3x3&traffic=uniform&t=20',
  flits: 'verb=load&network=mesh:3x3&traffic=uniform&model=flits&options=channels=2&t=40',
  flows: 'verb=flows&network=mesh:4x4&traffic=random&t=40',
  verdict: 'verb=throughput&network=array:6&traffic=all-to-all&paths=greedy',
  pair: 'network=hypercube:4&scheme=greedy&2.scheme=cubes&t=2',
  refused: 'network=hypercub:4',
  tour: 'tour=5',
}
const LOOKS = { light: {}, dark: { colorScheme: 'dark' }, forced: { forcedColors: 'active' } }
const looks = (page, look) => page.emulateMedia({ colorScheme: 'light', forcedColors: 'none', ...LOOKS[look] })

/** What axe-core finds: each rule, with the places that break it, for which it looks only if there is one. */
async function findings(page) {
  const violations = await page.evaluate(async (axe) => {
    if (!window.axe)
      await new Promise((resolve, reject) => {
        const script = document.createElement('script')
        document.head.append(Object.assign(script, { src: axe, onload: resolve, onerror: reject }))
      })
    const found = async (how) => (await window.axe.run(document, { resultTypes: ['violations'], ...how })).violations
    const broken = await found({ selectors: false })
    const places = broken.length ? await found({}) : []
    return places.length ? places : broken
  }, axe)
  const placesOf = (v) => v.nodes.slice(0, 3).map((n) => `${n.target ?? ''} ${n.failureSummary}`).join(' | ')
  return violations.map((v) => `${v.id}: ${placesOf(v)}`)
}

for (const [view, hash] of Object.entries(VIEWS))
  test(`axe-core finds nothing in ${view}`, async () => {
    let page = await open(hash, { reducedMotion: 'reduce' })
    for (const [size, viewport] of Object.entries(SIZES)) {
      if (size === 'phone' && ['routing', 'pair'].includes(view)) { // some are loaded there, too
        await close(page)
        page = await open(hash, { reducedMotion: 'reduce', viewport })
      }
      await page.setViewportSize(viewport)
      await foldAll(page)
      assert.deepEqual(await findings(page), [], size)
      await openAll(page)
      for (const look of size === 'phone' ? ['light'] : Object.keys(LOOKS)) {
        await looks(page, look)
        assert.deepEqual(await findings(page), [], `${size}, ${look}, all open`)
      }
      const wide = await page.evaluate(() => document.documentElement.scrollWidth)
      assert.ok(wide <= viewport.width, `${view}: ${wide} pixels wide`)
      await picture(page, `axe-${view}-${size}`)
      await looks(page, 'light')
    }
    await close(page)
  })

test('axe-core finds nothing in a page that the command wrote', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'netpram-access-'))
  const file = join(folder, 'run.html')
  execFileSync(command, ['route', 'hypercube:5', '--traffic', 'transpose', '--quiet', '--picture', file])
  const page = await openFile(`file://${file}`)
  await page.waitForSelector('body[data-ready]')
  for (const viewport of Object.values(SIZES)) {
    await page.setViewportSize(viewport)
    for (const look of Object.keys(LOOKS)) {
      await looks(page, look)
      assert.deepEqual(await findings(page), [], look)
    }
  }
  await close(page)
  rmSync(folder, { recursive: true })
})

test('axe-core finds nothing in the list of keys', async () => {
  const page = await open('network=hypercube:3')
  await page.keyboard.press('?')
  for (const viewport of Object.values(SIZES)) {
    await page.setViewportSize(viewport)
    for (const look of Object.keys(LOOKS)) {
      await looks(page, look)
      assert.deepEqual(await findings(page), [], look)
    }
  }
  await close(page)
})

/** What Tab leads to, in order, as the names by which it is told. */
async function tabbed(page, most = 200) {
  const names = []
  for (let i = 0; i < most; i++) {
    await page.keyboard.press('Tab')
    if (await page.evaluate(() => document.activeElement === document.body)) break
  }
  for (let i = 0; i < most; i++) {
    await page.keyboard.press('Tab')
    const now = await page.evaluate(() => {
      const e = document.activeElement
      if (!e || e === document.body) return null
      const { outlineStyle, outlineWidth } = getComputedStyle(e)
      const box = e.getBoundingClientRect()
      return {
        name: e.getAttribute('aria-label') ?? e.labels?.[0]?.textContent ?? e.textContent,
        seen: outlineStyle !== 'none' && parseFloat(outlineWidth) > 0 && box.width > 0 && box.height > 0,
      }
    })
    if (!now) break
    assert.ok(now.seen, `the focus on ${now.name} is not seen`)
    names.push(now.name)
  }
  return names
}

test('Tab leads to everything, and who is there is seen', async () => {
  const page = await open('network=mesh:4x4&scheme=greedy')
  await openAll(page)
  const wanted = await page.locator('button:visible:enabled, select:visible, input:visible, summary:visible').count()
  const names = await tabbed(page)
  assert.ok(names.length >= wanted, `${names.length} of ${wanted}`)
  for (const name of ['Tour', 'network, from the list', 'network, as typed', 'A 1', 'one more', 'Play', 'Step'])
    assert.ok(names.includes(name), name)
  await close(page)
})

test('a run is chosen, changed, played and compared by keyboard alone', async () => {
  const page = await open('', { reducedMotion: 'reduce' })
  const to = async (name) => {
    for (let i = 0; i < 120; i++) {
      await page.keyboard.press('Tab')
      const now = await page.evaluate(() => {
        const e = document.activeElement
        return e?.getAttribute('aria-label') ?? e?.labels?.[0]?.firstChild.textContent ?? e?.textContent
      })
      if (now === name) return
    }
    assert.fail(`Tab does not lead to ${name}`)
  }
  await to('network, from the list')
  await page.keyboard.type('mesh')
  await settle(page)
  assert.equal(await page.locator('[name=network]').inputValue(), 'mesh:64x64')
  for (const [name, value] of [['A 1', '5'], ['A 2', '5']]) {
    await to(name)
    await page.keyboard.press('Control+A')
    await page.keyboard.type(value)
    await page.keyboard.press('Enter')
    await settle(page)
    // Who changes a parameter stays in its field.
    assert.equal(await page.evaluate(() => document.activeElement.value), value)
  }
  assert.equal(await page.locator('[name=network]').inputValue(), 'mesh:5x5')
  await to('Play')
  await page.keyboard.press('End')
  assert.match(await page.locator('.status').textContent(), /25 of 25 landed/)
  await page.keyboard.press('c')
  await page.waitForFunction(() => document.querySelectorAll('.pane').length === 2)
  await settle(page)
  assert.equal(await page.locator('.pane.refused').count(), 0)
  await close(page)
})
