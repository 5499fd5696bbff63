// Builds dist/: the host by the TypeScript compiler, the guest's prelude by rolldown into one JavaScript text that is loaded into
// QuickJS. The prelude never runs in Node, so it is bundled apart and read as data.
import { execFileSync } from 'node:child_process'
import { chmodSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const dist = path.join(root, 'dist')
const require = createRequire(import.meta.url)

rmSync(dist, { recursive: true, force: true })
const tsc = path.join(path.dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')
execFileSync(process.execPath, [tsc, '-p', path.join(root, 'tsconfig.json')], { stdio: 'inherit' })
await build({
  input: path.join(root, 'src/interpreter/prelude/index.ts'),
  output: { file: path.join(dist, 'interpreter/prelude.js'), format: 'iife', minify: false },
  logLevel: 'warn',
})
chmodSync(path.join(dist, 'main.js'), 0o755)
