// For the tests: the page in a real browser, opened from the disk. NETPRAM names the command, CHROMIUM the browser (by
// default Chromium without windows, which opens a page in half the time); SCREENSHOTS a folder for pictures to look at.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

export const command = process.env.NETPRAM ?? new URL('../build/netpram', import.meta.url).pathname
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell'
const address = new URL('dist/index.html', import.meta.url).href
let browser

export async function start() {
  assert.ok(existsSync(executablePath), `no browser at ${executablePath}: see web/packages.txt`)
  return (browser = await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync',
    ],
  }))
}

export const stop = () => browser?.close()

export async function open(hash, settings = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, ...settings })
  page.errors = []
  page.on('pageerror', (error) => page.errors.push(error.message))
  page.on('request', (request) =>
    /^(file|data|blob):/.test(request.url()) || page.errors.push(`asked for ${request.url()}`))
  await page.goto(`${address}#${hash}`)
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

export async function close(page, name) {
  if (process.env.SCREENSHOTS && name) await page.screenshot({ path: join(process.env.SCREENSHOTS, `${name}.png`) })
  assert.deepEqual(page.errors, [])
  await page.close()
}

/** Opens what can be folded. */
export async function openAll(page) {
  for (const summary of await page.locator('summary:visible').all())
    if (!(await summary.evaluate((s) => s.parentElement.open))) await summary.click()
}

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
