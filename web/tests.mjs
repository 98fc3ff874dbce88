// All tests in a browser, in one process: each file alone would start a browser of its own, and load the page into a
// new one. `node --test test/load.test.mjs` runs one file. same.test.mjs needs no browser, and has a process of its
// own: its module ends the process when something goes wrong.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'

const folder = new URL('test/', import.meta.url)
const names = readdirSync(folder).filter((file) => file.endsWith('.test.mjs') && file !== 'same.test.mjs').sort()

async function load() {
  const failed = []
  for (const name of names)
    await import(new URL(name, folder)).catch((problem) => failed.push(`${name}: ${problem.stack}`))
  return failed
}

// The first test, for which all others wait: what is to be done after all tests is done when none is left to run.
const loading = load()
test('every file of tests can be read', async () => assert.deepEqual(await loading, []))
