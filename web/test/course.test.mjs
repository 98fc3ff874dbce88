// Every week of the course opens in the page: program, input and machine are in the address that examples/course/build
// makes, and the run is the one that is graded.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { close, command, go, open, start, stop } from '../browser.mjs'

const course = new URL('../../examples/course/', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'netpram-course-'))
execFileSync(join(course, 'build'), [command, folder], { stdio: 'pipe' })
const weeks = JSON.parse(readFileSync(join(folder, 'links.json'), 'utf8'))
before(start)
after(async () => {
  await stop()
  rmSync(folder, { recursive: true })
})

/** The runs of a program of the week, as `netpram grade` has them. */
function graded(week, program) {
  const words = ['grade', join(course, week, 'task.toml'), join(course, week, program), '--format', 'json']
  try {
    return JSON.parse(execFileSync(command, words, { encoding: 'utf8', stdio: 'pipe' })).programs[0].runs
  } catch (error) {
    return JSON.parse(error.stdout).programs[0].runs // it is not right: exit status 1
  }
}

const told = async (page) => Object.fromEntries(await page.locator('.numbers tr').evaluateAll((all) =>
  all.map((row) => [...row.children].map((c) => c.textContent))))

test('the course has twelve weeks', () => assert.equal(Object.keys(weeks).length, 12))

for (const [week, links] of Object.entries(weeks))
  test(`week ${week} opens in the page`, async () => {
    const right = graded(week, 'solution.pram')[0]
    const wrong = graded(week, 'wrong.pram').find((run) => run.outcome !== 'right')
    const page = await open(links.solution.slice(1))
    for (const [name, run] of [['solution', right], ['wrong', wrong]]) {
      if (name === 'wrong') await go(page, links.wrong.slice(1))
      assert.equal(await page.locator('.error').isVisible(), false, await page.locator('.error').textContent())
      const numbers = await told(page)
      assert.deepEqual(
        [numbers['PRAM steps T'], numbers['work W'], numbers.violations],
        [run.steps, run.work, run.violations].map(String), `${week} ${name}`)
      const text = (await page.locator('.program .text').textContent()).trim()
      assert.equal(text, readFileSync(join(course, week, `${name}.pram`), 'utf8').trim())
      if (week === '12-butterfly') assert.ok(Number(numbers['network steps']) > run.steps)
    }
    await close(page)
    assert.ok(links.says.startsWith(wrong.outcome))
  })

test('a week whose graph has weights opens with them', async () => {
  const own = join(folder, 'own'), week = join(own, '01-weights')
  mkdirSync(week, { recursive: true })
  copyFileSync(join(course, 'build'), join(own, 'build'))
  const program = (adds) => 'rule erew\ninput G : graph of real\noutput total\nshared total : real\n' +
    `for e in 0 .. G.m - 1 do\n  total := total + ${adds}\nend\n`
  const files = {
    'README.md': '# Weights\n', 'arcs.txt': 'nodes 3\n0 1 0.5\n1 2 -4\n',
    'solution.pram': program('G.weight[e]'), 'wrong.pram': program('1.0'),
    'task.toml': 'title = "Weights"\nrule = "erew"\ntakes = ["G : graph of real"]\nbounds = ["T <= 9 * (n + m)"]\n' +
      '[oracle]\ntext = "solution.pram"\n[[inputs]]\nname = "a path"\nfiles = { G = "arcs.txt" }\n' +
      '[[inputs]]\nname = "drawn"\nsizes = [16, 64]\n',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(week, name), text)
  execFileSync('python3', [join(own, 'build'), command, join(own, 'made')], { stdio: 'pipe' })
  const links = JSON.parse(readFileSync(join(own, 'made', 'links.json'), 'utf8'))['01-weights']
  const notebook = readFileSync(join(own, 'made', '01-weights', 'notebook.ipynb'), 'utf8')
  assert.ok(notebook.includes('(3, [0, 1], [1, 2], [0.5, -4])'))
  const page = await open(links.solution.slice(1))
  assert.equal(await page.locator('.error').isVisible(), false, await page.locator('.error').textContent())
  await page.keyboard.press('End')
  const box = page.locator('.memory .array').filter({ has: page.getByRole('heading', { name: 'total', exact: true }) })
  assert.equal(Number(await box.locator('.cell').textContent()), -7) // both directions of an edge
  await close(page)
})
