// All tests in a browser, in one process: each file alone would start a browser of its own, and load the page into a new
// one. `node --test test/load.test.mjs` runs one file. same.test.mjs needs no browser, and has a process of its own: its
// module ends the process when something goes wrong.
import { readdirSync } from 'node:fs'
import { test } from 'node:test'

const folder = new URL('test/', import.meta.url)
for (const name of readdirSync(folder).filter((file) => file.endsWith('.test.mjs') && file !== 'same.test.mjs').sort())
  await import(new URL(name, folder)).catch((problem) => test(name, () => { throw problem }))
