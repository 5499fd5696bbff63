// `npm run test:long`: the tests that take too long for every change and run every night. Continues after a failure,
// and fails at the end. CONTRIBUTING.md describes them.

import { spawnSync } from 'node:child_process'
import { nodeOf } from './node-of.mjs'

const suites = ['test/sandbox', 'test/attack', 'test/journey']
const vitest = ['node_modules/vitest/vitest.mjs', 'run']
const load = 'test/serving/load.test.ts'
const soak = 'test/soak/soak.test.ts'
const lines = ['20', '22', '24', '26']

const steps = {
  'the build': () => run(process.execPath, ['scripts/build.mjs']),
  'all tests, at length': () =>
    run(process.execPath, [...vitest, '--exclude', load, '--exclude', soak], { LONG_TESTS: '1' }),
  // Runs alone, because it would delay other tests.
  'the minute of load': () => run(process.execPath, [...vitest, load], { LONG_TESTS: '1' }),
  'ten minutes of hostile callers': () => run(process.execPath, [...vitest, soak], { SOAK_SECONDS: '600' }),
  // Ratios within one run; runs alone too.
  'the ratios of speed': () => run(process.execPath, ['bench/guard.mjs']),
  ...Object.fromEntries(
    lines.map((line) => [`programs under Node ${line}`, () => run(nodeOf(line), [...vitest, ...suites])]),
  ),
  'the package': () => run(process.execPath, ['scripts/check-package.mjs', ...lines]),
}

function run(command, args, environment = {}) {
  const { status } = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...environment } })
  if (status !== 0) throw new Error(`ended with ${status}`)
}

const failed = Object.entries(steps).filter(([name, step]) => {
  console.log(`\n${name}`)
  try {
    step()
    return false
  } catch (error) {
    console.error(`${name}: ${error.message}`)
    return true
  }
})
for (const [name] of failed) console.error(`failed: ${name}`)
process.exitCode = failed.length === 0 ? 0 : 1
