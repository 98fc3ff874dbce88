// Makes dist/index.html: one file with the page, its style and the library inside, which needs no server.
import { build } from 'esbuild'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'

const library = readFileSync(new URL('../build-web/netpram.js', import.meta.url), 'utf8')
const style = await build({ entryPoints: ['src/style.css'], minify: true, write: false, loader: { '.css': 'css' } })
const page = await build({ entryPoints: ['src/main.ts'], bundle: true, minify: true, format: 'iife', target: 'es2020', write: false })
// In a script element the text </script would end it.
const inside = (text) => text.replace(/<\/(script|style)/gi, '<\\/$1')
const html = readFileSync('src/index.html', 'utf8')
  .replace('/*STYLE*/', () => inside(style.outputFiles[0].text.trim()))
  .replace('/*LIBRARY*/', () => inside(library))
  .replace('/*PAGE*/', () => inside(page.outputFiles[0].text))
mkdirSync('dist', { recursive: true })
writeFileSync('dist/index.html', html)
console.log(`web/dist/index.html: ${(html.length / 1e6).toFixed(1)} MB`)
