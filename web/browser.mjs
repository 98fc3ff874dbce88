// For the tests: the page in a real browser, opened from the disk. NETPRAM names the command, CHROMIUM the browser (by
// default Chromium without windows, which opens a page in half the time); SCREENSHOTS a folder for pictures to look at.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach } from 'node:test'
import { chromium } from 'playwright-core'

export const command = process.env.NETPRAM ?? new URL('../build/netpram', import.meta.url).pathname
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell'
export const address = new URL('dist/index.html', import.meta.url).href
let browser // one for all files that a process has
let idle = [] // tabs that were used, and are empty again
const used = new Set() // those of the test that runs

/** A test that failed has closed nothing: what its tabs run would go on beside the tests behind it. */
afterEach(async () => {
  for (const tab of used) await tab.close()
  used.clear()
})

export async function start() {
  assert.ok(existsSync(executablePath), `no browser at ${executablePath}: see web/packages.txt`)
  browser ??= chromium.launch({
    executablePath,
    args: [
      '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync',
    ],
  })
  if ((await browser).isConnected()) return browser
  browser = undefined // it crashed
  return start()
}

export async function stop() {
  const running = browser
  browser = undefined
  idle = []
  await (await running)?.close()
}

async function newTab() {
  const page = await (await start()).newPage()
  page.on('pageerror', (error) => page.errors.push(error.message))
  page.on('request', (request) =>
    /^(file|data|blob):/.test(request.url()) || page.errors.push(`asked for ${request.url()}`))
  return page
}

/** Loads a page, in a tab that was closed if there is one: a new tab takes as long as the page. */
export async function openFile(file, { viewport = { width: 1280, height: 860 }, ...media } = {}) {
  idle = idle.filter((tab) => !tab.isClosed())
  const page = idle.pop() ?? (await newTab())
  page.errors = []
  await page.setViewportSize(viewport)
  await page.emulateMedia(
    { media: 'screen', colorScheme: 'light', reducedMotion: 'no-preference', forcedColors: 'none', ...media })
  used.add(page)
  await page.mouse.move(0, 0)
  await page.goto(file)
  return page
}

export async function open(hash, settings) {
  const page = await openFile(`${address}#${hash}`, settings)
  await settle(page)
  return page
}

/** Changes the address, and waits for what it asks for. */
export async function go(page, hash) {
  await page.evaluate((hash) => new Promise((done) => {
    const before = location.href
    addEventListener('hashchange', done, { once: true })
    location.hash = hash
    if (location.href === before) done()
  }), hash)
  await settle(page)
}

/** Until every run is done, or refused. */
export const settle = (page) =>
  page.waitForFunction(
    () => document.body.dataset.ready && !document.querySelector('[aria-busy="true"]'), undefined, { timeout: 60000 })

/** Ends the library and starts it anew, with a clock that is `times` as fast. */
export async function hurry(page, times) {
  await page.evaluate((times) => {
    const clock = `{ const now = performance.now.bind(performance); performance.now = () => ${times} * now() }\n`
    const texts = ['library', 'worker'].map((id) => document.getElementById(id).textContent)
    const { Worker: Plain } = window
    const { postMessage } = Plain.prototype
    const quick = new Set()
    window.Worker = function () {
      const worker = new Plain(URL.createObjectURL(new Blob([clock, ...texts], { type: 'text/javascript' })))
      quick.add(worker)
      return worker
    }
    window.Worker.prototype = Plain.prototype
    Plain.prototype.postMessage = function (asked) {
      if (quick.has(this)) return postMessage.call(this, asked)
      window.hurried = true
      setTimeout(() => this.onmessage({ data: { broken: 'its clock is changed' } }))
    }
  }, times)
  await go(page, 'network=ring:x')
  assert.ok(await page.evaluate(() => window.hurried))
}

export async function picture(page, name) {
  if (process.env.SCREENSHOTS && name) await page.screenshot({ path: join(process.env.SCREENSHOTS, `${name}.png`) })
}

export async function close(page, name) {
  await picture(page, name)
  assert.deepEqual(page.errors, [])
  await page.goto('about:blank')
  used.delete(page)
  idle.push(page)
}

/** Opens what can be folded. */
export async function openAll(page) {
  for (const summary of await page.locator('summary:visible').all())
    if (!(await summary.evaluate((s) => s.parentElement.open))) await summary.click()
}

/** Folds it again, as it was at first. */
export const foldAll = (page) =>
  page.locator('details').evaluateAll((all) => all.forEach((details) => (details.open = false)))

/** How many of n trials are made: all with EVERY=1 in the environment, else one of three. */
export const trials = (n) => (process.env.EVERY ? n : Math.ceil(n / 3))

/** Those of a list that are tried, from its first to its last. */
export const tried = (list) =>
  list.filter((_, i) => process.env.EVERY || i % 3 === 0 || i === list.length - 1)

/** Numbers from 0 to 1, the same in every run of a test. */
export function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}
