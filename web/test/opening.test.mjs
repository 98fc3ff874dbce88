// The first screen: something that moves and one sentence; two runs side by side; a network beside the ideal machine.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { address, close, command, go, open, openFile, picture, settle, start, stop } from '../browser.mjs'

before(start)
after(stop)

const json = (...words) => JSON.parse(execFileSync(command, [...words, '--format', 'json'], { encoding: 'utf8' }))
const shown = (page) => page.locator('.tagline:visible')

test('it opens with something that moves and one sentence, which is of it', async () => {
  const page = await open('')
  assert.equal(await page.locator('#play').getAttribute('aria-label'), 'Pause')
  const figures = await page.evaluate(async () => {
    const seen = new Set()
    for (let i = 0; i < 20; i++) {
      await new Promise(requestAnimationFrame)
      seen.add(document.querySelector('canvas').toDataURL())
    }
    return seen.size
  })
  assert.ok(figures > 3, String(figures))
  const sentence = await shown(page).textContent()
  assert.equal(await shown(page).count(), 1)
  assert.match(sentence, /^[^.]+\.$/)
  const native = json('route', 'hypercube:5', '--traffic', 'transpose')
  assert.ok(sentence.includes(`${native.packets} nodes`) && /random node/.test(sentence), sentence)
  assert.deepEqual(native.phases.map((p) => p.name), ['A', 'B'])
  await page.keyboard.press(' ')
  assert.equal(await page.locator('#play').getAttribute('aria-label'), 'Play')
  await page.selectOption('[name=verb]', 'sort')
  await settle(page)
  assert.notEqual(await shown(page).textContent(), sentence)
  await close(page, 'opening')
})

test('on a phone the figure that moves is on the first screen', async () => {
  const page = await open('', { viewport: { width: 360, height: 740 } })
  const box = await page.locator('canvas').boundingBox()
  const player = await page.locator('#player').boundingBox()
  assert.ok(box.y + box.height <= player.y, `${box.y + box.height} ${player.y}`)
  assert.ok((await page.locator('.tagline:visible').boundingBox()).y < box.y)
  await close(page, 'opening-phone')
})

test('where the library cannot run the page says so, and goes on without it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'netpram-opening-'))
  const html = readFileSync(new URL(address), 'utf8')
  const trace = join(folder, 'run.jsonl')
  execFileSync(command, ['route', 'ring:4', '--trace', trace])
  for (const [name, text, said] of [
    ['old', html.replace('<head>', '<head><script>delete window.DecompressionStream</script>'),
      /does not run here: the browser cannot unpack it; Chrome 80, /],
    ['cut', html.replace(/(<script id="wasm"[^>]*>.{1000})[^<]*/, '$1'), /does not run here: \w/],
  ]) {
    assert.notEqual(text, html)
    writeFileSync(join(folder, `${name}.html`), text)
    const page = await openFile(`file://${folder}/${name}.html`)
    await settle(page)
    assert.match(await page.locator('.error').textContent(), said)
    await page.locator('input[type=file]').first().setInputFiles(trace)
    await page.waitForFunction(() => /the trace has no drawing of ring:4/.test(
      document.querySelector('.error').textContent))
    await close(page)
  }
  rmSync(folder, { recursive: true })
})

test('nothing moves by itself for who wants little motion, nor where the address says what is shown', async () => {
  for (const [hash, settings] of [['', { reducedMotion: 'reduce' }], ['network=hypercube:4', {}]]) {
    const page = await open(hash, settings)
    await page.waitForTimeout(200)
    assert.equal(await page.locator('#play').getAttribute('aria-label'), 'Play')
    assert.match(await page.locator('#now').textContent(), /^step 0 of/)
    await close(page)
  }
})

const totals = (page) =>
  page.locator('.numbers').evaluateAll((all) => all.map((n) => n.querySelector('tr:last-child td').textContent))
const steps = (network, scheme, traffic) =>
  String(json('route', network, '--traffic', traffic, '--scheme', scheme).total_steps.mean)

test('side by side begins with greedy beside two phases', async () => {
  const page = await open('', { reducedMotion: 'reduce' })
  for (const [hash, network, second, traffic = 'transpose'] of [
    ['', 'hypercube:5', 'cubes'], ['network=mesh:8x8', 'mesh:8x8', 'grid'],
    ['network=hypercube:6&scheme=greedy', 'hypercube:6', 'cubes'],
    ['network=hypercube:6&scheme=ranked', 'hypercube:6', 'ranked'],
    ['network=star:4&traffic=complement&scheme=greedy', 'star:4', 'valiant', 'complement'],
    ['network=fat-tree:2&traffic=random', 'fat-tree:2', 'ranked', 'random'],
  ]) {
    if (hash) await go(page, hash)
    const before = page.url()
    await page.locator('#compare').click()
    await page.waitForFunction(() => document.querySelectorAll('.pane').length === 2)
    await settle(page)
    assert.equal(await page.locator('[name=scheme]').first().inputValue(), 'greedy')
    const native = ['greedy', second].map((scheme) => steps(network, scheme, traffic))
    assert.deepEqual(await totals(page), native, hash)
    await page.locator('#compare').click()
    await page.waitForFunction(() => document.querySelectorAll('.pane').length === 1)
    await settle(page)
    assert.equal(page.url(), before.replace(/#$/, ''))
  }
  await close(page)
})

test('beside the ideal machine stand the network steps of a butterfly', async () => {
  const page = await open('', { reducedMotion: 'reduce' })
  await page.selectOption('[name=verb]', 'pram')
  await page.waitForFunction(() => /\d network steps/.test(document.querySelector('.beside')?.textContent))
  const native = json('pram', 'prefix-sums', '--n', '16', '--machine', 'butterfly:3')
  const { total } = native.network_steps
  const each = Number((total / native.pram_steps).toPrecision(5))
  assert.equal(await page.locator('.beside th').textContent(), 'on butterfly:3')
  assert.equal(await page.locator('.beside td').textContent(), `${total} network steps (${each} a PRAM step)`)
  assert.equal(await page.locator('.beside').isVisible(), true)
  await close(page)
})

test('after a wrong input the last run stays, with the message beside it', async () => {
  for (const verb of ['route', 'pram']) {
    const page = await open(`verb=${verb}&network=mesh:4x4&scheme=greedy&n=8&t=3`)
    const kept = async () => [
      await page.locator(verb === 'pram' ? '.memory' : '.status').textContent(),
      await page.locator('.numbers').textContent(), await page.locator('#now').textContent(),
    ]
    if (verb === 'pram') await page.waitForSelector('.beside')
    const before = await kept()
    const field = page.locator(verb === 'pram' ? '[name=machine]' : '[name=network]')
    await field.fill('mesj:4x4')
    await field.press('Enter')
    await settle(page)
    assert.equal((await kept())[0], before[0])
    assert.equal((await kept())[2], before[2])
    const [message, figure] = [page.locator('.error'), page.locator(verb === 'pram' ? '.program' : 'canvas')]
    const [said, seen] = [await message.boundingBox(), await figure.boundingBox()]
    assert.ok(said.x >= seen.x + seen.width && said.y < seen.y + seen.height, 'beside')
    await page.keyboard.press('Tab')
    await page.locator('#step').click()
    assert.match(await page.locator('#now').textContent(), /^step 4 of/)
    await close(page, `kept-${verb}`)
  }
})

test('above 4,096 nodes the heat map has no lines between its cells', async () => {
  const page = await open('network=hypercube:3', { viewport: { width: 1277, height: 851 } })
  for (const network of ['mesh:80x80', 'hypercube:13', 'butterfly:9']) {
    await go(page, `network=${network}&traffic=random&scheme=greedy`)
    assert.equal(await page.locator('.error').isVisible(), false, network)
    // At the beginning every node has one packet: all cells have one colour.
    const found = await page.locator('canvas').evaluate((canvas) => {
      const { data, width, height } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
      const at = (x, y) => data.slice(4 * (y * width + x), 4 * (y * width + x) + 3).join()
      const paper = at(1, 1)
      let [left, right, top, bottom] = [width, 0, height, 0]
      for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++)
          if (at(x, y) !== paper) {
            left = Math.min(left, x)
            right = Math.max(right, x)
            top = Math.min(top, y)
            bottom = Math.max(bottom, y)
          }
      const seen = new Set()
      for (let y = top; y <= bottom; y++) for (let x = left; x <= right; x++) seen.add(at(x, y))
      return { colours: seen.size, wide: right - left, high: bottom - top }
    })
    assert.equal(found.colours, 1, network)
    assert.ok(found.wide > 300 && found.high > 300, JSON.stringify(found))
    assert.match(await page.locator('.loads').textContent(), /packets at a node:/)
    await picture(page, network.replace(':', '-'))
  }
  await close(page)
})
