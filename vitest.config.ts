import { availableParallelism } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/longest-first.js'

const root = path.dirname(fileURLToPath(import.meta.url))
const built = path.join(root, 'dist')
// Tests name the built files in dist/. TESTED_DIST points them at a build that stands elsewhere.
const elsewhere = process.env.TESTED_DIST
/** A file to write the outcome to as JSON, beside what is printed. */
const report = process.env.VITEST_REPORT

// biome-ignore lint/style/noDefaultExport: vitest reads the default export
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // What is waited for comes when it comes: a slow machine is no failure. These only end what hangs.
    testTimeout: process.env.LONG_TESTS === '1' ? 7_200_000 : 600_000,
    hookTimeout: 600_000,
    // A failure says all of both values: of a run elsewhere there is nothing but its log.
    chaiConfig: { truncateThreshold: 0 },
    expect: { poll: { timeout: 120_000 } },
    // Files share a few processes, in which Node loads what is built once. Most of them wait for processes of their own, so there are more than cores.
    pool: 'forks',
    isolate: false,
    // Most code of a test runs too briefly for optimising it to pay off. Code that runs for long is optimised all the
    // same. Later Nodes refuse the flag.
    execArgv: process.version.startsWith('v20.') ? ['--interrupt-budget=4000000'] : [],
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: LongestFirst },
    server: { deps: { external: [/\/dist\//] } },
    globalSetup: ['test/state-folder.ts'],
    setupFiles: ['test/own-modules.ts'],
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
  },
  plugins:
    elsewhere === undefined
      ? []
      : [
          {
            name: 'built-elsewhere',
            enforce: 'pre',
            resolveId(id, importer) {
              if (!importer || !/(^|\/)dist\//.test(id)) return undefined
              const file = path.resolve(path.dirname(importer), id)
              return file.startsWith(built + path.sep) ? path.join(elsewhere, path.relative(built, file)) : undefined
            },
          },
        ],
})
