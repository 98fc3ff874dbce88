// Makes dist/index.html, one file with the page, its style and the library inside, which needs no server; and
// dist/player.html, the page without the library, into which `netpram --picture FILE.html` puts the trace of a run.
import { build } from 'esbuild'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const library = readFileSync('../build-web/netpram.js', 'utf8')
const wasm = gzipSync(readFileSync('../build-web/netpram.wasm'), { level: 9 }).toString('base64')
const bundle = (entry) =>
  build({
    entryPoints: [entry], bundle: true, minify: true, format: 'iife', target: 'es2020', legalComments: 'none',
    metafile: true, write: false,
  })
const style = await build({ entryPoints: ['src/style.css'], minify: true, write: false, loader: { '.css': 'css' } })
const [page, worker] = await Promise.all(['src/main.ts', 'src/worker.ts'].map(bundle))
// In a script element the text </script would end it.
const inside = (text) => text.replace(/<\/(script|style)/gi, '<\\/$1')
// Of ASCII alone: a text with other characters takes twice the memory, and is read more slowly.
const plain = (text) => text.replace(/[^\0-\x7f]/gu, (c) => `&#${c.codePointAt(0)};`)
const shown = (text) => plain(text.replace(/&/g, '&amp;').replace(/</g, '&lt;'))

/** The licence of each package that the page has a part of, by the files that went into it. */
function licencesOfPackages() {
  const { inputs } = Object.values(page.metafile.outputs)[0]
  const used = Object.entries(inputs).filter(([, of]) => of.bytesInOutput)
  const folderOf = ([file]) => file.match(/^node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0]
  const folders = new Set(used.map(folderOf).filter(Boolean))
  return [...folders].sort().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find((f) => /^(licen[cs]e|copying)/i.test(f))
    if (!file) throw new Error(`${folder} has no licence: the page may not contain it`)
    return [`${name} ${version}`, readFileSync(join(folder, file), 'utf8')]
  })
}

/** Those of what Emscripten put into the library: its C library has Emscripten's licence, too. */
function licencesOfLibrary() {
  const root = execFileSync('em-config', ['EMSCRIPTEN_ROOT'], { encoding: 'utf8' }).trim()
  const random = readFileSync('../build-web/headers/Random123/philox.h', 'utf8').match(/\/\*([^]*?)\*\//)[1]
  return [
    ['Random123', random],
    [
      'Emscripten',
      'Copyright (c) 2010-2022 The Emscripten Authors\n' +
        readFileSync('../LICENSE', 'utf8').replace(/^[^]*?(?=Permission)/, ''),
    ],
    ['musl', readFileSync(join(root, 'system/lib/libc/musl/COPYRIGHT'), 'utf8')],
  ]
}

/** Licences of the same words are given once, after the copyrights of all. */
function noticesOf(licences) {
  const groups = new Map()
  for (const [name, text] of licences) {
    const lines = text.replace(/\r/g, '').trim().split('\n')
    const rights = lines.filter((line) => /^copyright/i.test(line))
    const words = lines.filter((line) => !/^copyright/i.test(line)).join('\n').trim()
    const alone = rights.length > 1 ? text.trim() : words // copyrights of several parts stay where they are
    const group = groups.get(alone) ?? groups.set(alone, []).get(alone)
    group.push(rights.length > 1 ? name : `${name}: ${rights[0] ?? ''}`)
  }
  return [...groups].map(([words, names]) => `${names.join('\n')}\n\n${words}`).join('\n\n----\n\n')
}

const own = [['netpram', readFileSync('../LICENSE', 'utf8')]]

function write(name, code, licences) {
  const html = plain(readFileSync('src/index.html', 'utf8'))
    .replace('/*STYLE*/', () => inside(style.outputFiles[0].text.trim()))
    .replace('NOTICES', () => shown(noticesOf([...own, ...licencesOfPackages(), ...licences])))
    .replace('<!--LIBRARY-->', () => code)
    .replace('/*PAGE*/', () => inside(page.outputFiles[0].text))
  writeFileSync(`dist/${name}`, html)
  console.log(`web/dist/${name}: ${(html.length / 1e6).toFixed(2)} MB`)
}

mkdirSync('dist', { recursive: true })
// Not run by the page: these are the text of its workers.
const scripts = [['wasm', wasm], ['library', library], ['worker', worker.outputFiles[0].text]]
const texts = scripts.map(([id, text]) => `<script id="${id}" type="text/plain">${inside(text)}</script>`)
write('index.html', texts.join('\n'), licencesOfLibrary())
write('player.html', '<!--TRACE-->', [])
