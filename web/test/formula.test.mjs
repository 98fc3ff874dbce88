// Formulas are set as formulas: as MathML, which the browser lays out.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { close, go, open, picture, start, stop } from '../browser.mjs'

before(start)
after(stop)

const math = (page) => page.locator('.bound math').evaluateAll((all) => all.map((m) => m.outerHTML))

test('the bound on the delay is a fraction with a power, as high as one', async () => {
  const page = await open('network=hypercube:6&traffic=random&t=0')
  const text = await page.locator('.bound').textContent()
  assert.match(text, /^Valiant & Brebner 1981, .*Theorem 1.*: .*That some packet waits/)
  assert.doesNotMatch(text, /eta|Delta|\^| \/ /)
  const [first] = await math(page)
  const power = '<msup><mrow><mo>(</mo><mfrac>'
  assert.ok(first.startsWith(`<math>${power}<mrow><mi>e</mi>`), first)
  for (const part of ['<mi>η</mi>', '<mi>μ</mi>', '<mi>h</mi></mrow>', '<mi>Δ</mi></msup>'])
    assert.ok(first.includes(part), part)
  const [tall, line] = await page.locator('.bound').evaluate((bound) => [
    bound.querySelector('mfrac').getBoundingClientRect().height, parseFloat(getComputedStyle(bound).fontSize)])
  assert.ok(tall > 1.6 * line, `${tall} ${line}`)
  await close(page, 'formula')
})

test('words between formulas stay words, and what was opened is closed', async () => {
  const page = await open('network=hypercube:3')
  for (const [hash, words, parts] of [
    ['network=butterfly:3&scheme=ranked&traffic=random', ['more than', 'steps', 'for paths of the measured congestion'],
      ['<mo>≤</mo>', '<msup>', '<mfrac>', '<mi>R</mi>']],
    ['network=mesh:8x8&scheme=grid&traffic=random', ['more than', 'steps', 'the exact binomial tail of section'],
      ['<mo movablelimits="false" rspace="0.15em">max</mo>', '<munder>', '<mo>…</mo>']],
    ['network=mesh:8x8&scheme=xy&traffic=random&queue=farthest-first', ['over lines and', 'of'], ['<mo>&lt;</mo>']],
    ['network=mesh:8x8&scheme=blocks&traffic=transpose', ['and'], ['<mo>⌈</mo><msub><mi>log</mi><mn>2</mn></msub>']],
  ]) {
    await go(page, `${hash}&t=99`)
    const text = await page.locator('.bound').evaluate((bound) =>
      [...bound.childNodes].filter((n) => n.nodeType === Node.TEXT_NODE).map((n) => n.textContent).join(''))
    const all = (await math(page)).join('')
    for (const word of words) assert.ok(text.includes(word), `${hash}: ${word} in ${text}`)
    for (const part of parts) assert.ok(all.includes(part), `${hash}: ${part} in ${all}`)
    assert.equal(await page.locator('.bound parsererror, .bound merror').count(), 0)
    const told = (await page.locator('.bound math').allTextContents()).join(' ')
    assert.doesNotMatch(told, /[<>]=|[\^_'*-]|\.\./)
    await picture(page, `formula-${hash.slice(8, 16).replace(/\W/g, '-')}`)
  }
  await close(page)
})
