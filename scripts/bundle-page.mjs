// Bundles the page in src/page/browser into dist/page: one document, one style sheet, and modules whose names carry a
// digest of their content, so that browsers may keep them. Only the compressed form is written; the server unpacks it
// for the rare client that does not take Brotli. In dist/page/app is the view that MCP hosts show beside an answer. By
// hand, while working on the page: node scripts/bundle-page.mjs
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import { build } from 'rolldown'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const source = path.join(root, 'src/page/browser')

/** Writes the page. Resolves with the bundled modules. */
export async function bundlePage(dist) {
  const place = path.join(dist, 'page')
  for (const name of readableFiles(place)) if (name.endsWith('.br')) rmSync(path.join(place, name))
  const built = await build({
    input: { page: path.join(source, 'main.tsx') },
    platform: 'browser',
    output: {
      dir: place,
      format: 'esm',
      minify: true,
      entryFileNames: '[name]-[hash].js',
      chunkFileNames: '[name]-[hash].js',
    },
    write: false,
    logLevel: 'warn',
  })
  mkdirSync(place, { recursive: true })
  const styles = styleSheet()
  const styleName = `page-${createHash('sha256').update(styles).digest('base64url').slice(0, 8)}.css`
  const entry = built.output.find(({ isEntry }) => isEntry).fileName
  const page = readFileSync(path.join(source, 'index.html'), 'utf8')
  write(place, 'index.html', page.replace('page.css', styleName).replace('page.js', entry))
  write(place, styleName, styles)
  write(place, 'icon.svg', readFileSync(path.join(source, 'icon.svg')))
  for (const { fileName, code } of built.output) write(place, fileName, code)
  const modules = built.output.flatMap(({ modules }) => Object.keys(modules))
  return [...modules, ...(await bundleApp(path.join(place, 'app')))]
}

/** Writes the view for hosts that show MCP Apps: one document, whose policy allows its own script and nothing else. */
async function bundleApp(place) {
  const folder = path.join(source, 'mcp-app')
  const built = await build({
    input: path.join(folder, 'main.ts'),
    platform: 'browser',
    output: { format: 'iife', minify: true },
    write: false,
    logLevel: 'warn',
  })
  const [{ code, modules }] = built.output
  const script = code.trim()
  if (/<\/script|<!--/i.test(script)) throw new Error('the script of the MCP App would end too early')
  const digest = `'sha256-${createHash('sha256').update(script).digest('base64')}'`
  const page = readFileSync(path.join(folder, 'index.html'), 'utf8')
  mkdirSync(place, { recursive: true })
  const whole = page.replace('APP_DIGEST', digest).replace('APP_SCRIPT', () => script)
  write(place, 'run.html', whole)
  return Object.keys(modules)
}

/** All style sheets in the order of their names, without comments and indentation. */
function styleSheet() {
  const folder = path.join(source, 'styles')
  const sheets = readdirSync(folder).sort()
  const text = sheets.map((name) => readFileSync(path.join(folder, name), 'utf8')).join('\n')
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s+|\n(?=\n)/gm, '')
}

function write(place, name, text) {
  const params = { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT }
  writeFileSync(path.join(place, `${name}.br`), brotliCompressSync(text, { params }))
}

function readableFiles(folder) {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundlePage(path.join(root, 'dist'))
