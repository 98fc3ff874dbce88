// The page's edges: every trace of the command is played in its length, every address and file is played or refused in
// a line, what is suggested is taken, what is said to repeat a run repeats it, and a run can be stopped.
import assert from 'node:assert/strict'
import { execFileSync, execSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { close, command, go, hurry, open, openAll, random, settle, start, stop, trials, tried } from '../browser.mjs'

const folder = mkdtempSync(join(tmpdir(), 'netpram-edges-'))
before(start)
after(async () => {
  await stop()
  rmSync(folder, { recursive: true })
})

const lengthOf = async (page) => Number((await page.locator('#now').textContent()).match(/of (\d+)$/)[1])
const refused = (page) => page.locator('.pane.refused').count()
const message = (page) => page.locator('.error').first().textContent()

async function drop(page, name, text) {
  await page.locator('#file').setInputFiles([]) // the same name again is no change
  await page.locator('#file').setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) })
  await settle(page)
}

function trace(words) {
  const file = join(folder, 'trace.jsonl')
  execFileSync(command, [...words, '--quiet', '--trace', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  return readFileSync(file, 'utf8')
}

// ---- Traces ----

/** The steps of the first run, of a PRAM of all batches, as the lines `end` say. */
function stepsOf(text) {
  let run = 0
  let sum = 0
  const lines = text.trim().split('\n').map((line) => JSON.parse(line))
  for (const line of lines) {
    if (line.event === 'phase') run = line.run
    if (line.event === 'end' && (run === 0 || lines[0].command.startsWith('netpram pram'))) sum += line.steps
  }
  return sum
}

const TRACES = `
pram prefix-sums --n 16 --machine butterfly:3
pram maximum --n 12 --machine leveled:mesh:4x4
pram list-ranking --n 16 --machine two-phase:hypercube:4
pram list-ranking --n 12 --machine copies:mesh:4x4
pram maximum --n 4 --machine copies:complete:8
pram components --n 12 --machine butterfly:4
sort mesh:4x4
sort mesh:4x4 --algorithm shearsort
sort hypercube:5 --algorithm flashsort
sort mesh:6x6 --algorithm flashsort
sort mesh:8x8 --algorithm rank-sort
sort butterfly:4 --algorithm columnsort
route hypercube:5 --traffic transpose
route mesh:5x5 --scheme grid --traffic random
route butterfly:3 --scheme ranked --traffic random
route hypercube:4 --scheme waves --traffic random --waves 3
route omega:4 --scheme constrained --traffic random
route mesh:6x6 --scheme offline --traffic transpose
route hypercube:5 --traffic random --phase-time 30
route hypercube:4 --traffic random --overlap
route complete:8 --traffic random-function:3
collective hypercube:4 gossip
collective mesh:4x4 all-to-all
collective torus:4x4 broadcast --flits 3
collective mesh:4x4 reduce
universal --guest hypercube:4
embed ring:8 hypercube:3
schedule mesh:4x4
load ring:4 --loads 0.1 --cycles 2000 --precision 0.5
load ring:4 --model flits --loads 0.1 --cycles 2000 --precision 0.5`.trim().split('\n').map((line) => line.split(' '))

test('a trace of every verb is played in the length that the command reports', async () => {
  const page = await open('')
  for (const words of TRACES) {
    const text = trace(words)
    const native = JSON.parse(execFileSync(command, [...words, '--format', 'json', '--quiet'], { encoding: 'utf8' }))
    const steps = native.steps?.mean ?? native.steps?.[0]?.route ?? native.steps
    const reported = native.total_steps?.mean ?? steps ?? stepsOf(text)
    assert.equal(reported, stepsOf(text), words.join(' '))
    await drop(page, 'run.jsonl', text)
    assert.equal(await refused(page), 0, `${words.join(' ')}: ${await message(page)}`)
    assert.equal(await lengthOf(page), reported, words.join(' '))
    const rows = await page.locator('.numbers td:nth-child(3)').allTextContents()
    assert.equal(rows.reduce((sum, steps) => sum + Number(steps), 0), reported, words.join(' '))
  }
  await close(page)
})

test('runs of the page are as long as those of the command, phases without packets too', async () => {
  const page = await open('network=hypercube:3')
  for (const [hash, ...words] of [
    ['verb=sort&network=hypercube:5&algorithm=flashsort', 'sort', 'hypercube:5', '--algorithm', 'flashsort'],
    ['network=hypercube:5&traffic=random&options=phase_time=30',
      'route', 'hypercube:5', '--traffic', 'random', '--phase-time', '30'],
  ]) {
    const native = JSON.parse(execFileSync(command, [...words, '--format', 'json', '--quiet'], { encoding: 'utf8' }))
    await go(page, hash)
    assert.equal(await refused(page), 0, `${hash}: ${await message(page)}`)
    assert.equal(await lengthOf(page), (native.total_steps ?? native.steps).mean)
  }
  await close(page)
})

test('a trace that leaves events out says so', async () => {
  const page = await open('')
  await drop(page, 'some.jsonl', trace(['route', 'hypercube:4', '--traffic', 'random', '--trace-packets', '3,5..7']))
  assert.equal(await message(page), 'the trace has only packets 3,5..7')
  assert.equal(await refused(page), 0)
  await close(page)
})

test('a trace that is cut, changed or nonsense is played or refused in a line', async () => {
  const page = await open('network=hypercube:3')
  const good = [
    'route hypercube:3 --traffic random', 'route butterfly:3 --scheme ranked --traffic random',
    'pram prefix-sums --n 4 --machine butterfly:3', 'collective ring:4 gossip',
  ].map((words) => trace(words.split(' ')))
  const next = random(35)
  const one = (list) => list[Math.floor(next() * list.length)]
  const values = [null, true, -1, 0, 1.5, 7, 4e9, 1e300, '', 'x', [], {}, [null], [1, 2], '\u0000']
  const changes = {
    cut: (text) => text.slice(0, Math.floor(next() * text.length)),
    lost: (text) => {
      const lines = text.split('\n')
      lines.splice(Math.floor(next() * lines.length), 1 + Math.floor(next() * 3))
      return lines.join('\n')
    },
    swapped: (text) => {
      const lines = text.split('\n')
      const [i, j] = [0, 0].map(() => Math.floor(next() * lines.length))
      ;[lines[i], lines[j]] = [lines[j], lines[i]]
      return lines.join('\n')
    },
    line: (text) => {
      const lines = text.split('\n')
      lines.splice(Math.floor(next() * lines.length), 0, JSON.stringify(one(values)))
      return lines.join('\n')
    },
    value: (text) => {
      const lines = text.trim().split('\n')
      const i = Math.floor(next() * lines.length)
      const line = JSON.parse(lines[i])
      line[one(Object.keys(line))] = one(values)
      lines[i] = JSON.stringify(line)
      return lines.join('\n')
    },
  }
  const seen = { played: 0, refused: 0 }
  const cases = [
    '', 'null', '[]', '{}', '{"netpram": "1"}', '{"netpram": "1", "command": "x"}\nnull', '\u0000',
    '{"netpram": "1", "command": "netpram route"}\n{"event": "end", "steps": 1}',
  ]
  for (let i = 0; i < trials(250); i++) cases.push(one(Object.values(changes))(one(good)))
  for (const text of cases) {
    await drop(page, 'changed.jsonl', text)
    const no = await refused(page)
    seen[no ? 'refused' : 'played']++
    assert.deepEqual(page.errors, [], text.slice(0, 2000))
    if (no) assert.match(await message(page), /^changed.jsonl: [^\n]+$/)
    if (!no) assert.ok((await lengthOf(page)) > 0, text.slice(0, 300))
    await page.keyboard.press('End')
  }
  assert.ok(seen.played > trials(20) && seen.refused > trials(100), JSON.stringify(seen))
  await drop(page, 'good.jsonl', good[0])
  assert.equal(await refused(page), 0)
  await close(page)
})

// ---- Addresses ----

test('addresses that cannot be are refused in a line beside the last run, which stays and can be played', async () => {
  const page = await open('network=hypercube:3&t=2')
  const figure = () => page.locator('canvas').evaluate((canvas) => canvas.toDataURL())
  const kept = async () => [
    await figure(), await lengthOf(page), await page.locator('.status').first().textContent(),
    await page.locator('.numbers').first().textContent(),
  ]
  const before = await kept()
  for (const [hash, said] of [
    ['t=-5', /^t=-5 in the address: it is a whole number from 0$/],
    ['t=x', /^t=x in the address/],
    ['verb=constructor', /^verb=constructor in the address: choose from .* pram, load, flows, throughput$/],
    ['constructor=1', /^constructor in the address: choose from verb, /],
    ['__proto__=1', /^__proto__ in the address/],
    ['tour=7', /^tour=7 in the address: it is a whole number from 1 to 6$/],
    ['network=ring:4&network=ring:5', /^network is twice in the address$/],
    ['network=ring:4%00junk', /no such character/],
    ['seed=1%0Ascheme=greedy', /no such character/],
    ['options=seed=3', /^seed=3: seed has a field of its own$/],
    ['options=__proto__=3', /__proto__/],
    ['options=runs=', /^runs /],
    ['drawing=none', /none/],
    ['verb=pram&program=x', /x/],
    ['network=complete:60000', /the page takes at most/],
  ]) {
    await go(page, hash)
    assert.match(await message(page), said, hash)
    assert.deepEqual(await kept(), before, hash)
    const still = await page.locator('.kept').textContent()
    assert.match(still, /^Still shown: netpram route hypercube:3 --traffic transpose/)
    assert.equal(await page.locator('.stage').first().evaluate((e) => getComputedStyle(e).opacity), '1')
    await page.keyboard.press('ArrowRight')
    assert.match(await page.locator('#now').textContent(), /^step 3 of/)
    await go(page, 'network=hypercube:3&t=2')
    assert.equal(await refused(page), 0)
    assert.ok((await lengthOf(page)) > 0)
  }
  await close(page)
  const late = await open('network=hypercube:3&t=99999')
  assert.match(await message(late), /^t=99999 in the address: the run ends at step \d+$/)
  assert.equal(await refused(late), 0)
  await close(late)
  for (const hash of ['t=-5', 'verb=constructor', '%', '2.verb=hasOwnProperty']) {
    const fresh = await open(hash)
    assert.equal(await refused(fresh), 1, hash)
    await fresh.locator('[name=network]').first().fill('hypercube:3')
    await fresh.locator('[name=network]').first().press('Enter')
    await settle(fresh)
    assert.equal(await refused(fresh), 0, hash)
    await close(fresh)
  }
})

test('no address leaves a dead page', async () => {
  const next = random(36)
  const one = (list) => list[Math.floor(next() * list.length)]
  const keys = [
    'verb', 'network', 'traffic', 'operation', 'order', 'scheme', 'paths', 'queue', 'algorithm', 'seed', 'options',
    'drawing', 'program', 'n', 'machine', 'text', 't', 'tour', '2.scheme', '2.verb', '2.network', 'toString', 'x',
  ]
  const values = {
    verb: ['route', 'sort', 'collective', 'pram'],
    network: ['ring:5', 'mesh:4x4', 'hypercube:4', 'butterfly:3', 'complete:6', 'file:x', 'ring:0', 'mesh:'],
    traffic: ['random', 'transpose', 'rotation:1', 'rotation::K', 'file:x'],
    operation: ['gossip', 'broadcast', 'reduce'], scheme: ['greedy', 'grid', 'ranked'],
    program: ['prefix-sums', 'maximum'], machine: ['ideal', 'butterfly:3', 'two-phase:hypercube:2'],
    n: ['4', '8', '-1'], t: ['3', '1', '-1'], tour: ['1', '0'], drawing: ['circle', 'tree'],
    text: ['program x', 'program x\nwhile true do\nend'], order: ['sorted'], seed: ['2', '99999999999999999999'],
  }
  const hostile = [
    '', ' ', '-5', 'constructor', '__proto__', 'NaN', '1e9', '\u{1F600}', '\ud800', '%', '<b>', '"\'', '\u0000', '\n',
    'x=y=z',
  ]
  const page = await open('network=hypercube:3')
  const seen = { played: 0, refused: 0 }
  for (let i = 0; i < trials(120); i++) {
    const hash = Array.from({ length: 1 + Math.floor(next() * 4) }, () => {
      const key = one(keys)
      const known = next() < 0.75 && Object.hasOwn(values, key.replace('2.', ''))
      const value = one(known ? values[key.replace('2.', '')] : hostile)
      return `${key}=${next() < 0.1 ? value : encodeURIComponent(value.toWellFormed())}`
    }).join('&')
    await go(page, `${hash}&`)
    const no = await refused(page)
    seen[no ? 'refused' : 'played']++
    assert.deepEqual(page.errors, [], hash)
    if (no) assert.match(await page.locator('.pane.refused .error').first().textContent(), /^[^\n]+$/, hash)
    else assert.notEqual(await page.locator('#now').textContent(), 'running', hash)
    await page.keyboard.press('ArrowRight')
  }
  assert.ok(seen.played > trials(20) && seen.refused > trials(20), JSON.stringify(seen))
  await close(page)
})

// ---- What is suggested, and what is said ----

/** What the lists of a field have, as it would be typed. */
const suggestedIn = (part) =>
  part.locator('select').first().locator('option').evaluateAll((all) => all.map((o) => o.dataset.spec ?? o.value))

test('what is suggested in each field is taken', async () => {
  const page = await open('network=hypercube:3')
  for (const hash of [
    'network=hypercube:4&traffic=random', 'network=mesh:5x4&traffic=random&scheme=greedy',
    'network=butterfly-io:3&traffic=random', 'verb=sort&network=mesh:4x4', 'verb=collective&network=hypercube:3',
    'verb=pram&n=8', 'verb=flows&network=mesh:4x4&traffic=random',
    'verb=throughput&network=mesh:4x4&traffic=random',
  ]) {
    await go(page, hash)
    for (const part of await page.locator('form.choice [data-field]:not([hidden])').all()) {
      const name = await part.getAttribute('data-field')
      if (name === 'verb' || !(await part.locator('select').count())) continue
      if (name === 'network' && !hash.endsWith('scheme=greedy')) continue // once
      const suggested = await suggestedIn(part)
      if (['traffic', 'drawing', 'scheme'].includes(name) && hash.startsWith('network'))
        assert.ok(suggested.length > 1, `${hash} ${name}`)
      for (const value of tried(suggested)) {
        // A network that is suggested need not suit what else is chosen, nor be small; its name is right.
        const words = new URLSearchParams(hash)
        words.set(name, value)
        if (name === 'network') words.delete('scheme')
        await go(page, `${words}&`)
        const said = (await refused(page)) ? await message(page) : ''
        if (name === 'network') assert.ok(!said || /too many|more than|at most|apply/.test(said), `${value}: ${said}`)
        else assert.equal(said, '', `${hash}: ${name}=${value}`)
      }
    }
  }
  await close(page)
})

test('the command that repeats a run is one that the command takes, with the same steps', async () => {
  const own = 'program double\ninput x : array\noutput x\nfor i in 0 .. n - 1 pardo\n  x[i] := 2 * x[i]\nend\n'
  writeFileSync(join(folder, 'own.pram'), own)
  const page = await open('')
  for (const hash of [
    'network=hypercube:5', 'network=butterfly:3&scheme=ranked&traffic=random&options=queue_size=8',
    'network=hypercube:4&options=overlap', 'network=hypercube:4&options=--overlap=true',
    'network=hypercube:4&options=overlap=false',
    'network=mesh:4x4&scheme=greedy&queue=farthest-first&paths=dimension-order',
    'network=hypercube:4&options=runs=2', 'network=hypercube:4&traffic=repeat:2:random',
    'network=cayley:1230,1023&traffic=random',
    'verb=sort&network=mesh:4x4&algorithm=shearsort&order=reversed',
    'verb=sort&network=hypercube:4&algorithm=flashsort&options=oversampling=3',
    'verb=sort&network=mesh:4x4&options=keys=16',
    'verb=collective&network=torus:4x4&operation=broadcast&options=flits=3',
    'verb=collective&network=ring:6&operation=gossip&options=ports=one-port',
    'verb=collective&network=mesh:4x4&operation=broadcast&options=root=5',
    'verb=collective&network=hypercube:3&operation=permutation&options=traffic=transpose',
    'verb=pram&program=prefix-sums&n=8&machine=butterfly:3', 'verb=pram&program=maximum&n=8&options=rule=crcw-common',
    'verb=pram&options=turns=1000', `verb=pram&n=8&text=${encodeURIComponent(own)}`,
    'network=hypercube:4&options=threads=2', 'network=hypercube:4&options=memory=1000000000',
  ]) {
    await go(page, hash)
    assert.equal(await refused(page), 0, `${hash}: ${await message(page)}`)
    const said = await page.locator('.repeat code').textContent()
    const bin = `PATH="${dirname(command)}:$PATH"`
    const asked = `${bin} ${said} --format json --quiet`
    const native = JSON.parse(execSync(asked, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }))
    const steps = native.total_steps?.mean ?? native.pram_steps ?? native.steps.mean ?? native.steps
    if (!hash.includes('runs=')) assert.equal(await lengthOf(page), steps, said)
  }
  await close(page)
})

test('on a mesh the bound speaks of steps, and no line is promised that is not drawn', async () => {
  const page = await open('network=hypercube:3')
  for (const [hash, drawn] of [
    ['network=mesh:16x16&scheme=grid&traffic=random', false], ['network=hypercube:8&traffic=random', true],
  ]) {
    await go(page, hash)
    assert.equal(await refused(page), 0, `${hash}: ${await message(page)}`)
    const text = await page.locator('.bound').textContent()
    assert.equal(/dashed line/.test(text), drawn, text)
    assert.equal(/more than [\d.]+ steps/.test(text), !drawn, text)
    assert.equal((await page.locator('.delays path[stroke-dasharray="6 3"]').count()) > 0, drawn)
  }
  await close(page)
})

// ---- A run that does not end ----

test('an endless program can be stopped, and the page goes on', async () => {
  const text = 'program endless\nvar a := 1\nwhile a > 0 do\n  a := 1\nend\n'
  const page = await open('network=hypercube:3')
  const address = `verb=pram&options=turns=1000000000000&text=${encodeURIComponent(text)}`
  await page.evaluate((hash) => (location.hash = hash), address)
  await page.locator('.stop').click({ timeout: 60000 })
  await settle(page)
  assert.equal(await message(page), 'stopped')
  await page.selectOption('[name=verb]', 'route')
  await page.locator('[name=options]').evaluate((e) => (e.value = ''))
  await page.locator('[name=network]').fill('hypercube:4')
  await page.locator('[name=network]').press('Enter')
  await settle(page)
  assert.equal(await refused(page), 0, await message(page))
  await close(page)
})

// The answer to a run is held back here, and the library's clock is fast: so a small run lasts on a fast machine too.
test('a run that lasts says how far it is', async () => {
  const page = await open('network=hypercube:3')
  await hurry(page, 1000)
  await page.evaluate(() => {
    const port = Object.getOwnPropertyDescriptor(Worker.prototype, 'onmessage')
    const held = (listen) => (event) =>
      event.data.json?.phases_seen ? setTimeout(() => listen(event), 1500) : listen(event)
    Object.defineProperty(Worker.prototype, 'onmessage', {
      get: port.get,
      set(listen) {
        port.set.call(this, listen && held(listen))
      },
    })
    location.hash = 'network=hypercube:8&traffic=random-function:4'
  })
  const running = page.locator('.busy:not([hidden]) span').filter({ hasText: /^running: [1-9][\d,]* events$/ })
  await running.waitFor({ timeout: 60000 })
  await settle(page)
  assert.equal(await refused(page), 0, await message(page))
  await close(page)
})

// ---- Keys, paper, colours, motion ----

test('space on "more" opens it, and plays nothing', async () => {
  const page = await open('network=hypercube:4')
  await page.locator('details.more summary').focus()
  await page.keyboard.press(' ')
  assert.equal(await page.locator('details.more').evaluate((e) => e.open), true)
  assert.equal(await page.locator('#play').getAttribute('aria-label'), 'Play')
  await close(page)
})

test('on paper the drawing keeps its shape and is light', async () => {
  const page = await open('network=hypercube:4&t=2', { colorScheme: 'dark' })
  const corner = () =>
    page.locator('canvas').evaluate((c) => [...c.getContext('2d').getImageData(1, 1, 1, 1).data].slice(0, 3))
  assert.deepEqual(await corner(), [20, 24, 29])
  await page.setViewportSize({ width: 700, height: 860 })
  await page.setViewportSize({ width: 1280, height: 860 })
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await page.setViewportSize({ width: 600, height: 860 })
  await page.waitForTimeout(100)
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)')
  assert.deepEqual(await corner(), [255, 255, 255])
  const shape = await page.locator('canvas').evaluate((c) => {
    c.width = 1000 // as of a wide screen
    c.height = 500
    const box = c.getBoundingClientRect()
    return [box.width / box.height, c.width / c.height]
  })
  assert.ok(Math.abs(shape[0] / shape[1] - 1) < 0.02, String(shape))
  await close(page)
})

test('with forced colours the scale and the cells keep theirs', async () => {
  const page = await open('network=hypercube:4&t=2', { forcedColors: 'active' })
  assert.match(await page.locator('.scale').evaluate((e) => getComputedStyle(e).backgroundImage), /gradient/)
  assert.equal(await page.locator('.scale').evaluate((e) => getComputedStyle(e).forcedColorAdjust), 'none')
  await close(page)
})

test('at 320 pixels nothing scrolls sideways', async () => {
  const page = await open('', { viewport: { width: 320, height: 640 } })
  for (const hash of [
    '', 'network=hyperx:8x8&traffic=random', 'network=butterfly:3&scheme=ranked&traffic=random',
    'verb=load&network=mesh:3x3',
    'network=hypercube:4', 'verb=pram&program=matrix-product&n=6', 'verb=pram&n=16&machine=butterfly:3',
    'verb=sort&network=mesh:4x4', 'network=hypercube:4&2.scheme=greedy', 'tour=5', 'network=ring:x',
  ]) {
    await go(page, hash)
    await openAll(page)
    const wide = await page.evaluate(() => document.documentElement.scrollWidth)
    assert.ok(wide <= 320, `${hash}: ${wide}`)
    const cut = await page.evaluate(() => {
      const parts = [...document.querySelectorAll('#player *, nav button')]
      return parts.filter((e) => e.getBoundingClientRect().right > 320).length
    })
    assert.equal(cut, 0, hash)
  }
  await close(page, 'at-320')
})

test('with reduced motion only whole steps are shown', async () => {
  for (const [reducedMotion, moving] of [['no-preference', true], ['reduce', false]]) {
    const page = await open('network=mesh:8x8&scheme=greedy', { reducedMotion })
    await page.selectOption('#speed', '0.5')
    await page.keyboard.press(' ')
    // Between two steps: pictures of 15 frames.
    const pictures = await page.evaluate(async () => {
      const seen = new Set()
      for (let i = 0; i < 15; i++) {
        await new Promise(requestAnimationFrame)
        seen.add(document.querySelector('canvas').toDataURL())
      }
      return seen.size
    })
    assert.equal(pictures > 3, moving, `${reducedMotion}: ${pictures}`)
    await close(page)
  }
})

// ---- What the page is made of ----

test('the page has the notices of what is in it', () => {
  const modules = new URL('../node_modules/', import.meta.url).pathname
  for (const name of ['index.html', 'player.html']) {
    const file = new URL(`../dist/${name}`, import.meta.url)
    const html = readFileSync(file, 'utf8').replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(code))
      .replace(/&lt;/g, '<').replace(/&amp;/g, '&')
    const parts = [
      'array', 'axis', 'color', 'format', 'interpolate', 'path', 'scale', 'scale-chromatic', 'selection', 'shape',
    ]
    for (const part of parts.map((p) => `d3-${p}`)) {
      const { version } = JSON.parse(readFileSync(join(modules, part, 'package.json'), 'utf8'))
      const right = readFileSync(join(modules, part, 'LICENSE'), 'utf8').match(/^Copyright.*$/m)[0]
      assert.ok(html.includes(`${part} ${version}`) && html.includes(right), `${name}: ${part}`)
    }
    // A colour scheme that is another's, with a licence of its own.
    assert.ok(html.includes('Cynthia Brewer'), name)
    assert.ok(html.includes('THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES'), name)
    assert.ok(html.includes('The netpram developers'), name)
    for (const part of ['D. E. Shaw Research', 'The Emscripten Authors', 'Rich Felker'])
      assert.equal(html.includes(part), name === 'index.html', `${name}: ${part}`)
  }
})
