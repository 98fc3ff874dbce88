// What is run is chosen from the library's lists with a field for each parameter, or typed: all say the same. The
// lists, ranges and defaults are those of the command. NETPRAM names it.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { after, before, test } from 'node:test'
import { close, command, open, settle, start, stop } from '../browser.mjs'

before(start)
after(stop)

const json = (...words) => JSON.parse(execFileSync(command, [...words, '--format', 'json'], { encoding: 'utf8' }))
const list = (page, label) => page.getByRole('combobox', { name: `${label}, from the list` })
const typed = (page, name) => page.locator(`[name=${name}]`)
const parameters = (page, field) =>
  page.locator(`[data-field=${field}] .parameters label`).evaluateAll((all) =>
    all.map((l) => [l.textContent, l.querySelector('input').type === 'checkbox'
      ? l.querySelector('input').checked : l.querySelector('input').value]))
const total = async (page) => (await page.locator('.numbers tr').last().locator('td').first().textContent())
const chosen = (page, label) => list(page, label).evaluate((s) => s.selectedOptions[0].textContent)

async function enter(page, field, label, value) {
  const input = page.locator(`[data-field=${field}] .parameters`).getByLabel(label, { exact: true })
  await input.fill(value)
  await input.press('Enter')
  await settle(page)
}

test('every family of the command is in the list, with its example and a field for each parameter', async () => {
  const page = await open('network=ring:5&traffic=random')
  const { networks } = json('list', 'networks')
  const offered = await list(page, 'network').locator('option').evaluateAll((all) => all.map((o) => o.dataset.spec))
  assert.deepEqual(offered, networks.filter((n) => n.name !== 'file').map((n) => n.example))
  for (const [example, fields] of [
    ['hypercube:10', [['N', '10']]], ['shuffle:4x5', [['D', '4'], ['N', '5']]],
    ['torus:32x32x8', [['A 1', '32'], ['A 2', '32'], ['A 3', '8']]],
    ['dragonfly:a=4,p=2,h=2',
      [['a', '4'], ['p', '2'], ['h', '2'], ['g', ''], ['arrangement', ''], ['seed', '']]],
    ['jellyfish:64,6', [['N', '64'], ['R', '6'], ['seed', '']]], ['fat-tree:k=4', [['k', '4'], ['taper', '']]],
    ['planes:2,torus:4x4@2', [['K', '2'], ['NETWORK', 'torus:4x4@2']]], ['xgft:3:4,4,8:1,4,4', []],
    ['mesh:64x64', [['A 1', '64'], ['A 2', '64']]],
  ]) {
    await typed(page, 'network').fill(example)
    assert.deepEqual(await parameters(page, 'network'), fields, example)
    const { name, parameters: words } = networks.find((n) => n.example === example)
    assert.ok([name, `${name} ${words}`].includes(await chosen(page, 'network')), example)
  }
  // Each has the range that the command lists, and says it.
  for (const [example, ranges] of [
    ['hypercube:10', [['1', '27']]], ['mesh:64x64', [['2', '2147483647'], ['2', '2147483647']]],
    ['fat-tree:k=4', [['2', '1420'], ['1', '67108864']]],
    ['dragonfly:a=4,p=2,h=2', [['1', '1624'], ['1', '1048576'], ['1', '65534'], ['2', '65535'], ['', ''],
      ['0', '18446744073709551615']]],
    ['planes:2,torus:4x4@2', [['1', '1024'], ['', '']]],
  ]) {
    const { takes } = networks.find((n) => n.example === example)
    for (const [least, most] of ranges) assert.ok(!most || takes.includes(` ${least}..${most}`), takes)
    await typed(page, 'network').fill(example)
    const inputs = page.locator('[data-field=network] .parameters input')
    assert.deepEqual(await inputs.evaluateAll((all) => all.map((i) => [i.min, i.max])), ranges, example)
  }
  // Behind a network @p says how many hosts a switch has: it stays where a parameter changes.
  await typed(page, 'network').fill('torus:4x4@2')
  await enter(page, 'network', 'A 1', '5')
  assert.equal(await typed(page, 'network').inputValue(), 'torus:5x4@2')
  await close(page, 'choose')
})

test('list, fields and text follow one another, and what they say is run', async () => {
  const page = await open('network=mesh:4x4&traffic=rotation:3&scheme=greedy')
  await list(page, 'network').selectOption({ label: 'ring' })
  await settle(page)
  assert.equal(await typed(page, 'network').inputValue(), 'ring:100')
  await enter(page, 'network', 'N', '12')
  assert.equal(await typed(page, 'network').inputValue(), 'ring:12')
  const steps = (network, traffic) =>
    String(json('route', network, '--traffic', traffic, '--scheme', 'greedy').total_steps.mean)
  assert.equal(await total(page), steps('ring:12', 'rotation:3'))
  await enter(page, 'traffic', 'K', '5')
  assert.match(page.url(), /traffic=rotation:5/)
  assert.equal(await total(page), steps('ring:12', 'rotation:5'))
  await typed(page, 'network').fill('torus:4x6')
  await typed(page, 'network').press('Enter')
  await settle(page)
  assert.equal(await chosen(page, 'network'), 'torus')
  assert.deepEqual(await parameters(page, 'network'), [['A 1', '4'], ['A 2', '6']])
  await page.locator('[data-field=network]').getByRole('button', { name: 'one more' }).click()
  await settle(page)
  assert.equal(await typed(page, 'network').inputValue(), 'torus:4x6x6')
  assert.equal(await total(page), steps('torus:4x6x6', 'rotation:5'))
  await page.locator('[data-field=network]').getByRole('button', { name: 'one less' }).click()
  await settle(page)
  assert.match(page.url(), /network=torus:4x6&/)
  await list(page, 'traffic').selectOption({ label: 'hotspot' })
  await settle(page)
  await enter(page, 'traffic', 'F', '0.5')
  assert.equal(await typed(page, 'traffic').inputValue(), 'hotspot:0:0.5')
  assert.equal(await total(page), steps('torus:4x6', 'hotspot:0:0.5'))
  await close(page)
})

test('what is being typed in a field stays while a run that began before ends', async () => {
  const page = await open('network=mesh:8x8&scheme=greedy&traffic=random')
  // The answers of the library are held back, so that the run lasts longer than the typing.
  await page.evaluate(() => {
    const port = Object.getOwnPropertyDescriptor(Worker.prototype, 'onmessage')
    const held = (listen) => (event) => setTimeout(() => listen(event), 200)
    Object.defineProperty(Worker.prototype, 'onmessage', {
      get: port.get,
      set(listen) {
        port.set.call(this, listen && held(listen))
      },
    })
  })
  await typed(page, 'network').fill('torus:9x9')
  const field = page.locator('[data-field=network] .parameters input').first()
  await field.fill('7') // leaving the text has begun a run
  await settle(page)
  assert.match(page.url(), /network=torus:9x9/)
  assert.equal(await field.inputValue(), '7')
  await field.press('Enter')
  await settle(page)
  assert.match(page.url(), /network=torus:7x9/)
  await close(page)
})

test('what is out of range is refused in the words of the command', async () => {
  const page = await open('network=hypercube:4')
  await enter(page, 'network', 'N', '60')
  let said = ''
  try {
    execFileSync(command, ['info', 'hypercube:60'], { encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    said = error.stderr.trim().replace(/^netpram: /, '')
  }
  assert.ok(said.includes('60'))
  assert.equal(await page.locator('.error').textContent(), said)
  await enter(page, 'network', 'N', '3')
  assert.equal(await page.locator('.error').isVisible(), false)
  await close(page)
})

test('paths rules with their parameters', async () => {
  const page = await open('network=torus:4x4&scheme=greedy&traffic=random')
  await page.locator('details.more summary').click()
  await list(page, 'paths').selectOption({ label: 'k-shortest' })
  await settle(page)
  await enter(page, 'paths', 'K', '2')
  assert.match(page.url(), /paths=k-shortest:2/)
  const words = ['torus:4x4', '--scheme', 'greedy', '--traffic', 'random', '--paths', 'k-shortest:2']
  assert.equal(await total(page), String(json('route', ...words).total_steps.mean))
  await list(page, 'paths').selectOption('')
  await settle(page)
  assert.doesNotMatch(page.url(), /paths=/)
  await close(page)
})

test('a program is chosen, and a machine with its parameters', async () => {
  const page = await open('verb=pram&n=8')
  const { programs } = json('list', 'programs')
  const offered = await list(page, 'program').locator('option').allTextContents()
  assert.deepEqual(offered, programs.map((p) => p.name).filter((name) => name !== 'random-reads'))
  await list(page, 'program').selectOption({ label: 'maximum' })
  await settle(page)
  await list(page, 'machine').selectOption({ label: 'butterfly' })
  await settle(page)
  await enter(page, 'machine', 'n', '4')
  const native = json('pram', 'maximum', '--n', '8', '--machine', 'butterfly:4')
  const row = page.locator('.numbers tr', { hasText: 'network steps' }).first().locator('td')
  assert.equal(await row.textContent(), String(native.network_steps.total))
  await close(page)
})

const option = (page, name) => page.locator(`[data-option="${name}"]`)

test('options have fields with the ranges and defaults of the library, for the scheme that heeds them', async () => {
  const page = await open('network=butterfly:3&scheme=ranked&traffic=random')
  await page.locator('details.more summary').click()
  const size = option(page, 'queue_size')
  assert.deepEqual(
    [await size.getAttribute('min'), await size.getAttribute('max'), await size.getAttribute('placeholder')],
    ['1', String(2 ** 30), '2'])
  await size.fill('1')
  await size.press('Enter')
  await settle(page)
  assert.match(page.url(), /options=queue_size%3D1/)
  const words = ['butterfly:3', '--scheme', 'ranked', '--traffic', 'random', '--queue-size']
  assert.equal(await total(page), String(json('route', ...words, '1').total_steps.mean))
  await typed(page, 'options').fill('queue_size=3 physical')
  assert.equal(await size.inputValue(), '3')
  assert.equal(await option(page, 'physical').isChecked(), true)
  await option(page, 'physical').uncheck()
  await settle(page)
  assert.equal(await typed(page, 'options').inputValue(), 'queue_size=3')
  await size.fill('')
  await size.press('Enter')
  await settle(page)
  assert.equal(await typed(page, 'options').inputValue(), '')
  await page.selectOption('[name=scheme]', 'greedy')
  await settle(page)
  assert.equal(await size.count(), 0)
  assert.equal(await option(page, 'overlap').count(), 1)
  await close(page, 'options')
})

test('options that a program declares have fields', async () => {
  const page = await open('verb=pram&program=life&n=6')
  await page.locator('details.more summary').click()
  await option(page, 'set.steps').fill('3')
  await option(page, 'set.steps').press('Enter')
  await settle(page)
  const native = json('pram', 'life', '--n', '6', '--set', 'steps=3')
  const row = page.locator('.numbers tr', { hasText: 'PRAM steps T' }).locator('td')
  assert.equal(await row.textContent(), String(native.pram_steps))
  assert.match(await page.locator('.repeat code').textContent(), /--set steps=3/)
  await close(page)
})
