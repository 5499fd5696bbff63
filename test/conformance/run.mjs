// The command `npm run conformance [-- [--verbose] [--wording] FOLDER…]`: runs third-party Starlark suites, prints one line per file and a last
// line with the sum. FOLDER is by default ../shared/conformance.
//   --verbose   each failing chunk, with what was expected and what came
//   --wording   each error that came as expected but in other words
//   --document  writes docs/conformance.md from what the supplied suites gave

import { parseArgs } from 'node:util'
import { haveSuites, passed, runFolders, suppliedSuites, totals } from './conformance.mjs'

const { values, positionals } = parseArgs({
  options: { verbose: { type: 'boolean' }, wording: { type: 'boolean' }, document: { type: 'boolean' } },
  allowPositionals: true,
})
if (positionals.length === 0 && !haveSuites) {
  console.error(`there are no suites in ${suppliedSuites}: name a folder`)
  process.exit(2)
}

const reports = await runFolders(positionals.length > 0 ? positionals : [suppliedSuites], ({ file, verdicts }) => {
  console.log(`${file}: ${verdicts.filter(passed).length}/${verdicts.length}`)
  for (const v of verdicts) {
    if (values.verbose && !passed(v)) show(`  chunk at line ${v.chunk.line}`, v.failures)
    if (values.wording && v.wordings.length > 0) show(`  words of the chunk at line ${v.chunk.line}`, v.wordings)
  }
})
if (values.document) {
  const { writeDocument } = await import('./document.mjs')
  writeDocument(reports)
}
const sum = totals(reports)
console.log(`conformance: ${sum.passed}/${sum.total} chunks`)

function show(title, differences) {
  console.log(title)
  for (const { line, want, got } of differences)
    console.log(`    line ${line}: want ${want}\n      got ${got.slice(0, 300)}`)
}
