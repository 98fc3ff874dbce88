// Makes dist/index.html, one file with the page, its style and the library inside, which needs no server; and
// dist/player.html, the page without the library, into which `netpram --picture FILE.html` puts the trace of a run.
import { build } from 'esbuild'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'

const library = readFileSync(new URL('../build-web/netpram.js', import.meta.url), 'utf8')
const style = await build({ entryPoints: ['src/style.css'], minify: true, write: false, loader: { '.css': 'css' } })
const page = await build({ entryPoints: ['src/main.ts'], bundle: true, minify: true, format: 'iife', target: 'es2020', write: false })
// In a script element the text </script would end it.
const inside = (text) => text.replace(/<\/(script|style)/gi, '<\\/$1')

function write(name, code) {
  const html = readFileSync('src/index.html', 'utf8')
    .replace('/*STYLE*/', () => inside(style.outputFiles[0].text.trim()))
    .replace('<script>/*LIBRARY*/</script>', () => code)
    .replace('/*PAGE*/', () => inside(page.outputFiles[0].text))
  writeFileSync(`dist/${name}`, html)
  console.log(`web/dist/${name}: ${(html.length / 1e6).toFixed(2)} MB`)
}

mkdirSync('dist', { recursive: true })
write('index.html', `<script>${inside(library)}</script>`)
write('player.html', '<!--TRACE-->')
