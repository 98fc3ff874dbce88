// The debugger beside a program that is played: its table and its breaks are those of the command. NETPRAM names it.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { close, command, open, start, stop } from '../browser.mjs'

const folder = mkdtempSync(join(tmpdir(), 'netpram-debugger-'))
before(start)
after(async () => {
  await stop()
  rmSync(folder, { recursive: true })
})

const TEXT = `rule crew
input x : array below 10
output x
for i in 0 .. n - 1 pardo
  var t := x[i] - 4
  if t < 0 then x[i] := -t end
end
for i in 1 .. n - 1 pardo
  var left := x[i - 1]
  x[i] := x[i] - left
end
`
const HASH = `verb=pram&n=6&text=${encodeURIComponent(TEXT)}`

/** What the debugger of the command prints for these lines, after its first stop. */
function native(...lines) {
  const file = join(folder, 'steps.pram')
  writeFileSync(file, TEXT)
  const input = `${lines.join('\n')}\n`
  return execFileSync(command, ['pram', file, '--n', '6', '--debug'], { encoding: 'utf8', input })
}

async function opened(hash) {
  const page = await open(hash)
  await page.locator('.debugger summary').click()
  return page
}

const now = async (page) => Number((await page.locator('#now').textContent()).match(/^step (\d+) of/)[1])

/** Types a command, and waits for what it says. */
async function say(page, words) {
  const input = page.getByRole('textbox', { name: 'command' })
  const before = (await page.locator('.said').textContent()).length
  await input.fill(words)
  await input.press('Enter')
  await page.waitForFunction((n) => document.querySelector('.said').textContent.length > n, before)
  return (await page.locator('.said').textContent()).slice(before)
}

test('the processors of a step are a table, as in the command', async () => {
  const page = await opened(`${HASH}&t=2`)
  for (const step of [2, 3, 1]) {
    await page.locator('#scrub').fill(String(step))
    const printed = native(`goto ${step - 1}`, 'table').trimEnd().split('\n')
    const from = printed.findLastIndex((line) => line.startsWith('processor'))
    const want = printed.slice(from).map((line) => line.trim().split(/ {2,}/))
    await page.waitForFunction((cells) => {
      const cellsOf = (row) => [...row.children].map((c) => c.textContent)
      const rows = [...document.querySelectorAll('.processors tr')].map(cellsOf)
      return JSON.stringify(rows) === cells
    }, JSON.stringify(want), { timeout: 5000 })
  }
  await page.keyboard.press('Home')
  await page.waitForFunction(() => /Before the first step/.test(document.querySelector('.processors').textContent))
  await close(page, 'debugger')
})

test('breaks on conditions and accesses lead the player on', async () => {
  const page = await opened(HASH)
  assert.match(await say(page, 'break 6 if t < -3'), /2: break at line 6 if t < -3/)
  assert.match(await say(page, 'break access x[3]'), /3: break at accesses of x\[3\]/)
  const lines = ['break 6 if t < -3', 'break access x[3]', 'run']
  for (let stops = 1; stops < 5; stops++) {
    const printed = native(...lines)
    const found = [...printed.matchAll(/^break \d: .*\nstep (\d+)/gm)]
    await page.locator('.debugger').getByRole('button', { name: 'Continue' }).click()
    if (found.length < stops) {
      await page.waitForFunction(() => /^step (\d+) of \1$/.test(document.getElementById('now').textContent))
      break
    }
    const step = Number(found.at(-1)[1])
    await page.waitForFunction((t) => document.getElementById('now').textContent.startsWith(`step ${t} of`), step + 1)
    assert.ok((await page.locator('.said').textContent()).includes(found.at(-1)[0].split('\n')[0]))
    lines.push('continue')
  }
  assert.ok(lines.length > 5)
  await close(page)
})

test('other commands answer as in the command, and what is none is said', async () => {
  const page = await opened(`${HASH}&t=1`)
  const said = await say(page, 'print x[i] + 1')
  const printed = native('print x[i] + 1')
  assert.ok(printed.includes(said.split('\n').slice(1).join('\n').trimEnd()) && /value +\d/.test(said), said)
  assert.equal(await now(page), 1)
  assert.match(await say(page, 'frob'), /'frob' is no command/)
  await say(page, 'step 2')
  assert.equal(await now(page), 3)
  await say(page, 'back')
  assert.equal(await now(page), 2)
  await close(page)
})
