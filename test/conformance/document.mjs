// docs/conformance.md: what the suites gave, told from the run itself. Written by `npm run conformance -- --document`; a test compares it.

import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { checklistItems, checklistTests } from './checklist.mjs'
import { passed, totals } from './conformance.mjs'
import { differences } from './differences.mjs'

/** @typedef {import('./conformance.mjs').FileReport} FileReport */

export const documentFile = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../docs/conformance.md')

/** @param {readonly FileReport[]} reports What the supplied suites gave. */
export function writeDocument(reports) {
  writeFileSync(documentFile, documentText(reports))
}

/** @param {readonly FileReport[]} reports */
export function documentText(reports) {
  const { passed: good, total } = totals(reports)
  return `# Conformance

<!-- Written by: npm run conformance -- --document -->

starbind runs the test suites of other Starlark implementations. Of their ${total} chunks it passes **${good}**; each of the others differs for a
reason given below.

## How the suites are run

\`npm run conformance\` runs what lies in \`../shared/conformance\`; \`npm run conformance -- FOLDER…\` runs other folders. A suite is
recognised by the name of its folder (\`bazelbuild-starlark\`, \`bazel-java\`, \`starlark-go\` with \`eval\`, \`struct\`, \`resolve\` and \`syntax\`,
\`starlark-rust\` with \`parse\`, \`inline\` and \`syntax_must_fail.star\`). \`--verbose\` shows each failing chunk, \`--wording\` each message that
differs in its words.

- Every chunk is a program of its own, compiled in strict mode and run in the same sandbox as any other program, with limits of time and memory. It
  gets the switches of the dialect that it asks for and no others. Suites about syntax and names stop after the stage they are about.
- A test host's names (\`assert.eq\`, \`freeze\`, \`struct\` …) and \`load\` come from a guest extension that only the tests install.
- A chunk passes when every assertion in it holds and the errors are those it expects: in starlark-go on the very lines, elsewhere in the chunk.
  An error that comes as expected but in other words passes and is listed below.
- starlark-go's files use the reserved word \`assert\` as a name and indent with tabs; both are replaced before a file runs, because the
  specification allows neither. In bazelbuild-starlark, what one implementation alone refuses must run.
- A chunk that fails early runs again without the statement that ended it, so that everything wrong with it is known.

## Files

| file | passed |
|---|---|
${reports.map(({ file, verdicts }) => `| ${file} | ${verdicts.filter(passed).length} / ${verdicts.length} |`).join('\n')}

## Differences

| chunk | lines | reason |
|---|---|---|
${differences.map((d) => `| ${d.file}:${d.chunk} | ${d.lines.join(', ')} | ${d.reason} |`).join('\n')}

## Other words

Errors that came as expected, where the suite expects another message.

| place | the suite expects | starbind says |
|---|---|---|
${reports.flatMap(wordings).join('\n')}

## Checklist

Every line of the checklist in \`../shared/conformance/CHECKLIST.md\`, and the chunks of \`test/interpreter/starlark/\` that test it.

| line | subject | chunks |
|---|---|---|
${checklistRows().join('\n')}
`
}

/** @param {FileReport} report */
function wordings({ file, verdicts }) {
  return verdicts.flatMap((v) =>
    v.wordings.map(({ line, want, got }) => `| ${file}:${line} | ${cell(want)} | ${cell(got)} |`),
  )
}

function checklistRows() {
  const tests = checklistTests()
  return checklistItems().map(({ id, text }) => `| ${id} | ${text} | ${(tests.get(id) ?? []).join(', ')} |`)
}

/** Text as code inside a table. @param {string} text */
function cell(text) {
  const one = text.replace(/\s+/g, ' ').replaceAll('|', '\\|')
  return one.includes('`') ? `\`\` ${one} \`\`` : `\`${one}\``
}
