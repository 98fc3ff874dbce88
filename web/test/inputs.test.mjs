// Inputs that are given are in the address with the program and the machine, and run as the command runs their files.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { close, command, go, open, settle, start, stop } from '../browser.mjs'

const folder = mkdtempSync(join(tmpdir(), 'netpram-inputs-'))
before(start)
after(async () => {
  await stop()
  rmSync(folder, { recursive: true })
})

const json = (...words) =>
  JSON.parse(execFileSync(command, [...words, '--format', 'json'], { encoding: 'utf8', cwd: folder }))
const rows = (page) => page.locator('.numbers tr').evaluateAll((all) =>
  Object.fromEntries(all.map((row) => [...row.children].map((c) => c.textContent))))

const CASES = [
  ['prefix-sums', { x: [3, 1, 4, 1, 5] }, { x: '3\n1\n4\n1\n5\n' }],
  ['merge', { a: [1, 3, 8], b: [2, 3, 9] }, { a: '1\n3\n8\n', b: '2\n3\n9\n' }],
  ['matrix-product', { A: [[1, 2], [3, 4]], B: [[0, 1], [-1, 0]] }, { A: '1 2\n3 4\n', B: '0 1\n-1 0\n' }],
  ['hull', { x: [5, 20, 10, 12], y: [0, 1, 30, 10] }, { x: '5\n20\n10\n12\n', y: '0\n1\n30\n10\n' }],
  ['spanning-forest', { G: { nodes: 4, arcs: [[0, 1, 7], [1, 2, -3], [2, 0, 5], [2, 3, 1e6]] } },
    { G: '0 1 7\n1 2 -3\n2 0 5\n2 3 1000000\n' }],
  ['components', { G: { nodes: 5, arcs: [[0, 1], [3, 4]] } }, { G: '0 1\n3 4\n2 2\n' }],
]

for (const [program, input, files] of CASES)
  test(`the input of ${program} is in the address`, async () => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, `${name}.txt`), text)
    const names = Object.keys(files)
    const given = names.map((name) => (names.length > 1 ? `${name}=${name}.txt` : `${name}.txt`)).join(',')
    const words = ['pram', program, '--input', given, '--machine', 'butterfly:3']
    const native = json(...words)
    const address = new URLSearchParams({ verb: 'pram', program, machine: 'butterfly:3', input: JSON.stringify(input) })
    const page = await open(String(address))
    assert.equal(await page.locator('.error').isVisible(), false, await page.locator('.error').textContent())
    const told = await rows(page)
    assert.deepEqual(
      [told.answer, told['PRAM steps T'], told['work W'], told['network steps']],
      ['right', String(native.pram_steps), String(native.work), String(native.network_steps.total)])
    for (const [name, values] of Object.entries(input)) {
      if (!Array.isArray(values)) continue
      const box = page.locator('.memory .array').filter({ has: page.getByRole('heading', { name, exact: true }) })
      assert.deepEqual(await box.first().locator('.cell').allTextContents(), values.flat().map(String), name)
    }
    const again = await page.locator('.repeat code').textContent()
    assert.equal(json(...again.split(' ').slice(1)).work, native.work)
    await page.keyboard.press('End')
    const other = await open(new URL(page.url()).hash.slice(1))
    assert.equal(await other.locator('.memory').textContent(), await page.locator('.memory').textContent())
    await close(other)
    await close(page)
  })

test('reals, bits and texts are what the program declares', async () => {
  const page = await open('verb=pram&n=4')
  for (const [declared, becomes, input, want] of [
    ['x : array of real', 'x[i] := x[i] * 2.0', { x: [0.5, 3] }, ['1.0', '6.0']],
    ['s : text', 's[i] := s[i] + 1', { s: 'ab' }, ['98', '99']],
  ]) {
    const name = declared[0]
    const text = `input ${declared}\noutput ${name}\nfor i in 0 .. n - 1 pardo\n  ${becomes}\nend\n`
    await go(page, String(new URLSearchParams({ verb: 'pram', text, input: JSON.stringify(input) })))
    assert.equal(await page.locator('.error').isVisible(), false, await page.locator('.error').textContent())
    await page.keyboard.press('End')
    assert.deepEqual((await page.locator('.memory .cell').allTextContents()).map(Number), want.map(Number))
  }
  await close(page)
})

test('weights of a graph are whole or real, as the program declares', async () => {
  const page = await open('verb=pram&n=4')
  for (const [kind, weights] of [['graph', [4, -2]], ['digraph of real', [0.1, -2.5e-7]]]) {
    const text = `input G : ${kind}\noutput w\nshared w[G.m]${kind.endsWith('real') ? ' : real' : ''}\n` +
      'for e in 0 .. G.m - 1 pardo\n  w[e] := G.weight[e]\nend\n'
    const arcs = [[0, 1, weights[0]], [1, 2, weights[1]]]
    const input = JSON.stringify({ G: { nodes: 3, arcs } })
    writeFileSync(join(folder, 'own.pram'), text)
    writeFileSync(join(folder, 'G.txt'), arcs.map((arc) => `${arc.join(' ')}\n`).join(''))
    const { values } = json('pram', 'own.pram', '--input', 'G.txt').outputs[0]
    assert.deepEqual(values, kind === 'graph' ? [4, 4, -2, -2] : weights)
    await go(page, String(new URLSearchParams({ verb: 'pram', text, input })))
    assert.equal(await page.locator('.error').isVisible(), false, await page.locator('.error').textContent())
    await page.keyboard.press('End')
    const box = page.locator('.memory .array').filter({ has: page.getByRole('heading', { name: 'w', exact: true }) })
    assert.deepEqual((await box.locator('.cell').allTextContents()).map(Number), values)
    assert.ok(decodeURIComponent(page.url()).includes(`[1,2,${weights[1]}]`), page.url())
  }
  await close(page)
})

test('an input that is none is refused in a line', async () => {
  const page = await open('verb=pram&program=prefix-sums&n=16')
  for (const [input, said] of [
    ['x', /^input x: write it as JSON/], ['{"x": 3}', /^input x: a list of numbers/], ['[1]', /write it as JSON/],
    ['{"y": [1]}', /declares none of this name, but 'x'/], ['{"x y": [1]}', /a name is needed/],
    ['{"x": [1.5]}', /^input x: 1.5 is not a whole number/],
    ['{"x": [1, "2"]}', /^input x: a list of numbers/], ['{"a": [[1], [1, 2]]}', /rows are not equally long/],
    ['{"G": {"nodes": 2, "arcs": [[0, 2]]}}', /^input G: a list/],
    ['{"G": {"nodes": 2, "arcs": [[0, 1, 3], [1, 0]]}}', /^input G: a list/],
    ['{"G": {"nodes": 2, "arcs": [[0, 1, true]]}}', /^input G: a list/],
    ['{"x": [9007199254740993]}', /^input x: 9007199254740992 is not a whole number below 2\^53/],
  ]) {
    await page.locator('[name=input]').fill(input)
    await page.locator('[name=input]').press('Enter')
    await settle(page)
    assert.match(await page.locator('.error').textContent(), said, input)
  }
  await page.locator('[name=input]').fill('{"x": [5, 6]}')
  await page.locator('[name=input]').press('Enter')
  await settle(page)
  assert.equal(await page.locator('[name=n]').isVisible(), false)
  await go(page, 'verb=pram&n=7&input={"x":[5,6]}')
  assert.match(await page.locator('.error').textContent(), /^n 7: the input says how large it is/)
  await close(page)
})
