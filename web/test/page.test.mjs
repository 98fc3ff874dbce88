// The page in a real browser, opened from the disk: it loads, plays, shows the command's numbers, says what is refused,
// and takes traces. NETPRAM names the command, CHROMIUM the browser; SCREENSHOTS a folder for pictures to look at.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { close, command, go, open, openFile, picture, settle, start, stop } from '../browser.mjs'

const folder = mkdtempSync(join(tmpdir(), 'netpram-page-'))
before(start)
after(async () => {
  await stop()
  rmSync(folder, { recursive: true })
})

const json = (...words) => JSON.parse(execFileSync(command, [...words, '--format', 'json'], { encoding: 'utf8' }))
const cells = (page, pane = 0) =>
  page.locator('.numbers').nth(pane).locator('tr').evaluateAll((rows) =>
    rows.map((row) => [...row.children].map((c) => c.textContent)))
const status = (page) => page.locator('.status').first().textContent()

test('a routing shows the numbers of the command', async () => {
  const page = await open('network=hypercube:6&traffic=transpose&seed=7')
  const native = json('route', 'hypercube:6', '--traffic', 'transpose', '--seed', '7')
  const table = await cells(page)
  native.phases.forEach((phase, i) => {
    const { steps, delay_max, queue_max, congestion } = phase
    assert.deepEqual(
      table[i + 1], [phase.name, steps.mean, delay_max.mean, queue_max.mean, congestion.mean].map(String))
  })
  assert.equal(table.at(-1)[1], String(native.total_steps.mean))
  assert.match(await page.locator('.bound').textContent(), /Theorem 1/)
  assert.equal(
    await page.locator('.repeat code').textContent(), 'netpram route hypercube:6 --traffic transpose --seed 7')
  await close(page, 'routing')
})

test('of several runs the first is played, and the numbers are of all', async () => {
  const page = await open('network=hypercube:5&traffic=random&options=runs=5')
  const [one, all] = ['1', '5'].map(
    (runs) => json('route', 'hypercube:5', '--traffic', 'random', '--runs', runs).total_steps)
  assert.match(await page.locator('#now').textContent(), new RegExp(`of ${one.mean}$`))
  assert.equal((await cells(page)).at(-1)[1], String(all.mean))
  await close(page)
})

test('the scale has one colour while all have the same', async () => {
  const page = await open('network=hypercube:3&t=1')
  const said = () => page.locator('.loads').first().textContent()
  const colours = () =>
    page.locator('.scale').evaluate((e) => new Set(getComputedStyle(e).backgroundImage.match(/rgb\([^)]*\)/g)).size)
  assert.match(await said(), /packets over a link:\s*1\s*;/)
  assert.equal(await colours(), 1)
  await page.keyboard.press('End')
  assert.match(await said(), /packets over a link:\s*1\s*[2-9];/)
  assert.equal(await colours(), 5)
  await close(page)
})

test('it plays, steps, steps back and scrubs, and the address says where it is', async () => {
  const page = await open('network=mesh:6x6&scheme=greedy')
  const total = json('route', 'mesh:6x6', '--scheme', 'greedy', '--traffic', 'transpose').total_steps.mean
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowLeft')
  assert.match(await status(page), /^phase route, step 1 of/)
  assert.match(page.url(), /t=1$/)
  await page.keyboard.press('End')
  assert.match(await status(page), new RegExp(`step ${total} of ${total}: .* 36 of 36 landed`))
  await page.keyboard.press('Home')
  await page.selectOption('#speed', '15')
  await page.keyboard.press(' ')
  assert.equal(await page.locator('#play').getAttribute('aria-label'), 'Pause')
  await page.waitForFunction(
    (end) => document.getElementById('now').textContent === `step ${end} of ${end}`, total, { timeout: 20000 })
  assert.equal(await page.locator('#play').getAttribute('aria-label'), 'Play')
  await page.locator('#scrub').fill('3')
  assert.match(await status(page), /step 3 of/)
  const again = await open(new URL(page.url()).hash.slice(1))
  assert.equal(await status(again), await status(page))
  await close(again)
  await close(page)
})

test('packets of each instant are counted as the trace counts them', async () => {
  const words = ['route', 'hypercube:4', '--traffic', 'random-function:2', '--quiet', '--trace', '/dev/stdout']
  const trace = execFileSync(command, words, { encoding: 'utf8' })
    .split('\n').filter((line) => line.startsWith('{"event"')).map((line) => JSON.parse(line))
  const phaseB = trace.slice(trace.findIndex((e) => e.event === 'phase' && e.phase === 1) + 1)
  const count = (kind, step) => phaseB.filter((e) => e.event === kind && e.step === step).length
  const landed = phaseB.filter((e) => e.event === 'landed' && e.step <= 2).length
  const stepsA = json('route', 'hypercube:4', '--traffic', 'random-function:2').phases[0].steps.mean
  const page = await open(`network=hypercube:4&traffic=random-function:2&t=${stepsA + 2}`)
  const moves = `${count('moved', 2)} moved, ${count('waited', 2)} waited, ${landed} of 32 landed`
  assert.match(await status(page), new RegExp(`^phase B, step 2 of \\d+: ${moves}`))
  await close(page)
})

test('what the library refuses is said, and the page goes on', async () => {
  const page = await open('network=hypercub:4')
  assert.match(await page.locator('.error').textContent(), /no network family 'hypercub': did you mean 'hypercube'/)
  await page.locator('[name=network]').fill('hypercube:4')
  await page.locator('[name=network]').press('Enter')
  await settle(page)
  assert.equal(await page.locator('.error').isVisible(), false)
  await page.locator('[name=seed]').fill('-1')
  await page.locator('[name=seed]').press('Enter')
  await settle(page)
  assert.match(await page.locator('.error').textContent(), /^seed -1: must be a whole number/)
  await close(page, 'refusal')
})

test('two runs side by side, with one player', async () => {
  const page = await open('network=hypercube:6&traffic=bit-reversal&scheme=greedy&2.scheme=cubes&t=4')
  for (const [pane, scheme] of [[0, 'greedy'], [1, 'cubes']]) {
    const native = json('route', 'hypercube:6', '--traffic', 'bit-reversal', '--scheme', scheme)
    assert.equal((await cells(page, pane)).at(-1)[1], String(native.total_steps.mean))
  }
  await page.keyboard.press('ArrowRight')
  assert.match(await page.locator('.status').nth(1).textContent(), /step 5 of/)
  await close(page, 'side-by-side')
})

test('a sort begins with its keys and ends with them in order', async () => {
  const page = await open('verb=sort&network=mesh:4x4&t=0')
  const ranks = async () => {
    const label = await page.locator('canvas').getAttribute('aria-label')
    return label.match(/node by node: (.*)$/)[1].split(' ').map(Number)
  }
  const given = await ranks()
  assert.deepEqual([...given].sort((a, b) => a - b), [...Array(16).keys()])
  assert.notDeepEqual(given, [...Array(16).keys()])
  await page.keyboard.press('End')
  assert.deepEqual(await ranks(), [0, 1, 2, 3, 7, 6, 5, 4, 8, 9, 10, 11, 15, 14, 13, 12])
  const native = json('sort', 'mesh:4x4')
  assert.equal((await cells(page)).at(-1)[2], String(native.steps.mean))
  assert.match(await page.locator('#now').textContent(), new RegExp(`of ${native.steps.mean}$`))
  await close(page, 'sort')
})

test('a step in an imported procedure is at the line of its call', async () => {
  const page = await open('verb=pram&program=merge&n=16&t=3')
  const lines = (await page.locator('.text').textContent()).match(/import search/g)
  assert.equal(lines.length, 1)
  assert.match(await status(page), /^step 3 of \d+, line \d+, k: |^step 3 of \d+, line \d+, .*a\[middle\]/)
  assert.match(await page.locator('.text .now').textContent(), /count_below/)
  await close(page, 'merge')
})

test('a PRAM program is played line by line, and its memory is right', async () => {
  const native = json('pram', 'prefix-sums', '--n', '16')
  const page = await open('verb=pram&program=prefix-sums&n=16&t=6')
  const table = Object.fromEntries(await cells(page))
  const shown = [table.answer, table['PRAM steps T'], table['work W']]
  assert.deepEqual(shown, ['right', String(native.pram_steps), String(native.work)])
  assert.match(await status(page), /^step 6 of 21, line 15, x\[at\]: 4 processors write 4 cells/)
  assert.match(await page.locator('.text .now').textContent(), /x\[at\] := x\[at - s\]/)
  assert.equal(await page.locator('.memory .cell.write').count(), 4)
  await page.keyboard.press('End')
  assert.deepEqual((await page.locator('.memory .cell').allTextContents()).map(Number), native.answer_list)
  await close(page, 'pram')
})

test('a conflict is seen, and the same step on a butterfly', async () => {
  const page = await open('verb=pram&program=maximum&n=16&machine=butterfly:3&t=3')
  const native = json('pram', 'maximum', '--n', '16', '--machine', 'butterfly:3')
  assert.match(await status(page), /more than one a cell; \d+ network steps$/)
  assert.ok((await page.locator('.memory .cell.write.shared').count()) > 5)
  assert.equal(Object.fromEntries(await cells(page))['network steps'], String(native.network_steps.total))
  assert.match(await page.locator('canvas').getAttribute('aria-label'), /^butterfly:3: requests route, step/)
  await close(page, 'pram-butterfly')
})

test('the rounds of a machine with copies are played', async () => {
  const page = await open('verb=pram&program=maximum&n=4&machine=copies:mesh:3x3&t=2')
  const native = json('pram', 'maximum', '--n', '4', '--machine', 'copies:mesh:3x3')
  assert.equal(Object.fromEntries(await cells(page))['network steps'], String(native.network_steps.total))
  assert.match(await page.locator('canvas').getAttribute('aria-label'), /^mesh:3x3: replies \d+ B, step \d+ of/)
  await close(page)
})

test('the line at hand is in view', async () => {
  const page = await open('verb=pram&program=components&n=16&t=20')
  const visible = await page.locator('.text .now').evaluate((line) => {
    const [inner, outer] = [line.getBoundingClientRect(), line.parentElement.getBoundingClientRect()]
    return inner.top >= outer.top && inner.bottom <= outer.bottom
  })
  assert.ok(visible)
  await close(page)
})

test('a text of one\'s own runs, and its mistakes are said', async () => {
  const page = await open('verb=pram&program=prefix-sums&n=8')
  await page.locator('details.own summary').click()
  const text = 'program double\ninput x : array\noutput x\nfor i in 0 .. n - 1 pardo\n  x[i] := 2 * x[i]\nend\n'
  await page.locator('textarea').fill(text)
  await page.locator('details.own button').click()
  await settle(page)
  assert.equal(Object.fromEntries(await cells(page))['PRAM steps T'], '2')
  const given = (await page.locator('.memory .cell').allTextContents()).map(Number)
  await page.keyboard.press('End')
  assert.deepEqual((await page.locator('.memory .cell').allTextContents()).map(Number), given.map((x) => 2 * x))
  const again = await open(new URL(page.url()).hash.slice(1))
  assert.equal(Object.fromEntries(await cells(again))['PRAM steps T'], '2')
  await close(again)
  await page.locator('textarea').fill('program double\ninput x : array\nfoo\n')
  await page.locator('details.own button').click()
  await settle(page)
  assert.match(await page.locator('.error').textContent(), /^text:3:/)
  await close(page, 'own-text')
})

test('a collective operation shows its rounds', async () => {
  const page = await open('verb=collective&network=hypercube:4&operation=gossip&t=3')
  const native = json('collective', 'hypercube:4', 'gossip')
  const table = Object.fromEntries(await cells(page))
  for (const name of ['rounds', 'steps', 'transfers']) assert.equal(table[name], String(native[name]))
  await close(page, 'collective')
})

test('a trace that the command wrote is played, and what is none is refused', async () => {
  for (const [words, name] of [
    [['route', 'torus:4x4', '--scheme', 'greedy', '--traffic', 'transpose'], 'plain'],
    [['route', 'butterfly:3', '--scheme', 'ranked', '--traffic', 'random'], 'leveled'],
  ]) {
    const file = join(folder, `${name}.jsonl`)
    execFileSync(command, [...words, '--quiet', '--trace', file])
    const native = json(...words)
    const page = await open('network=hypercube:3')
    await page.locator('#file').setInputFiles(file)
    await page.waitForFunction(
      (words) => document.querySelector('.repeat').textContent.includes(words), `netpram route ${words[1]}`)
    await page.keyboard.press('End')
    const end = `step ${native.phases.at(-1).steps.mean} of .* ${native.packets} of ${native.packets} landed`
    assert.match(await status(page), new RegExp(end))
    assert.match(await page.locator('.repeat').textContent(), new RegExp(`netpram route ${words[1]}`))
    await close(page, `trace-${name}`)
  }
  const wrong = join(folder, 'wrong.jsonl')
  writeFileSync(wrong, 'step,moved\n1,2\n')
  const page = await open('network=hypercube:3')
  await page.locator('#file').setInputFiles(wrong)
  await page.waitForFunction(() => !document.querySelector('.error').hidden)
  assert.match(await page.locator('.error').textContent(), /wrong.jsonl: line 1 of the trace is no JSON/)
  await close(page)
})

test('two traces are played side by side', async () => {
  const files = ['greedy', 'cubes'].map((scheme) => {
    const file = join(folder, `${scheme}.jsonl`)
    const words = ['route', 'hypercube:6', '--traffic', 'bit-reversal', '--scheme', scheme, '--quiet', '--trace', file]
    execFileSync(command, words)
    return file
  })
  const page = await open('network=hypercube:3')
  await page.locator('#file').setInputFiles(files)
  await page.waitForFunction(() => {
    const told = [...document.querySelectorAll('.repeat')]
    return told.filter((r) => r.textContent.includes('bit-reversal')).length === 2
  })
  await page.keyboard.press('End')
  for (const [pane, scheme] of [[0, 'greedy'], [1, 'cubes']]) {
    const native = json('route', 'hypercube:6', '--traffic', 'bit-reversal', '--scheme', scheme)
    const end = new RegExp(`step ${native.phases.at(-1).steps.mean} of .* 64 of 64 landed`)
    assert.match(await page.locator('.status').nth(pane).textContent(), end)
  }
  await close(page, 'two-traces')
})

test('a page that the command wrote plays its run, without the library', async () => {
  writeFileSync(join(folder, 'named.txt'), 'a b\nb c\nc d\nd a\na c\n')
  for (const words of [
    ['route', 'hypercube:5', '--traffic', 'transpose'],
    ['route', 'butterfly:3', '--scheme', 'ranked', '--traffic', 'random'],
    ['route', `file:${join(folder, 'named.txt')}:undirected`, '--traffic', 'random-function:2'],
    ['sort', 'mesh:4x4'],
    ['collective', 'hypercube:4', 'gossip'],
  ]) {
    const file = join(folder, 'run.html')
    execFileSync(command, [...words, '--picture', file])
    const native = json(...words)
    const page = await openFile(new URL(`file://${file}`).href)
    await page.waitForSelector('body[data-ready]')
    await page.waitForFunction(() => / of [1-9]/.test(document.getElementById('now').textContent))
    const steps = native.total_steps?.mean ?? native.steps.mean ?? native.steps
    assert.equal(await page.locator('#now').textContent(), `step 0 of ${steps}`)
    await page.keyboard.press('End')
    if (native.packets && words[0] === 'route')
      assert.match(await status(page), new RegExp(`${native.packets} of ${native.packets} landed`))
    assert.equal(await page.locator('.error').isVisible(), false)
    await close(page, `picture-${words[0]}`)
  }
})

test('the tour has six stops, and what it says is so', async () => {
  const page = await open('')
  await page.locator('#tour').click()
  await settle(page)
  for (let stop = 1; stop <= 6; stop++) {
    assert.match(await page.locator('#guide h2').textContent(), new RegExp(`^${stop} of 6`))
    const text = await page.locator('#guide p').textContent()
    const said = text.match(/greedy (?:on the left, |needs )(\d+) steps[;,] two phases (?:on the right, )?(\d+)/)
    if (said) for (const pane of [0, 1]) assert.equal((await cells(page, pane)).at(-1)[1], said[1 + pane])
    const waits = text.match(/last packet waits (\d+) steps/)
    if (waits) assert.equal((await cells(page)).at(1)[2], waits[1])
    await page.locator('#later').click()
    await settle(page)
  }
  assert.equal(await page.locator('#guide').isVisible(), false)
  await close(page)
})

test('a packet is followed', async () => {
  const page = await open('network=mesh:5x5&scheme=greedy&traffic=random-function:2&t=2')
  await page.keyboard.press('f')
  assert.match(await status(page), /Packet \d+ (is at|waits at) \d+/)
  await page.keyboard.press('Escape')
  assert.doesNotMatch(await status(page), /Packet/)
  await close(page)
})

test('on a narrow screen, and in the dark, nothing is cut off', async () => {
  const page = await open(
    'network=butterfly:3&scheme=ranked&traffic=random&t=5',
    { viewport: { width: 390, height: 800 }, colorScheme: 'dark' })
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth))
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(20, 24, 29)')
  await close(page, 'narrow')
})

test('something is drawn for every kind of drawing', async () => {
  const page = await open('network=hypercube:3')
  for (const network of [
    'mesh:5x4', 'hypercube:5', 'butterfly:3', 'tree:2x4', 'fat-tree:2', 'shuffle:2x5', 'ring:12', 'star:4', 'omega:4',
    'crossbar:4',
  ]) {
    await go(page, `network=${network}&traffic=random&t=2`)
    const colours = await page.locator('canvas').evaluate((canvas) => {
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
      const seen = new Set()
      for (let i = 0; i < data.length; i += 4) seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2])
      return seen.size
    })
    assert.ok(colours > 20, `${network}: only ${colours} colours`)
    assert.equal(await page.locator('.error').isVisible(), false, network)
    await picture(page, network.replace(':', '-'))
  }
  await close(page)
})
