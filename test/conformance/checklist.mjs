// The checklist of the specification, line by line, and the chunks of our own that test each line. A chunk names the lines in a comment at its
// head: `# checklist 2.3`, `# checklist 5.1, string.find`, `# detail 4`.

import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { suppliedSuites } from './conformance.mjs'
import { readChunks, starFiles } from './suites.mjs'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
const checklist = path.join(suppliedSuites, 'CHECKLIST.md')

export const haveChecklist = existsSync(checklist)

/** @typedef {{ id: string, text: string }} Item */

/** The lines of sections 1 to 5 in their order. @returns {Item[]} */
export function checklistItems() {
  const text = readFileSync(checklist, 'utf8')
  const sections = text.split(/^## (?=\d\. )/m).slice(1, 6)
  return sections
    .flatMap((section, i) => rows(section).flatMap((cells, n) => itemsOf(`${i + 1}.${n + 1}`, cells)))
    .concat(details(text))
}

/** The cells of a section's table, without its head. @param {string} section */
function rows(section) {
  return section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
}

/** A row of the methods stands for each of its methods. @param {string} id @param {string[]} cells @returns {Item[]} */
function itemsOf(id, [, name, methods]) {
  if (!id.startsWith('5.')) return [{ id, text: name }]
  const type = name.split(' ')[0]
  const each = methods === 'none' ? [] : methods.replace(/ \(\*\*\w+\*\*( item)?\)/g, '').split(' ')
  return [{ id, text: `${name} methods` }, ...each.map((m) => ({ id: `${type}.${m}`, text: `\`${type}.${m}\`` }))]
}

/** @param {string} text @returns {Item[]} */
function details(text) {
  const paragraph = /Details worth a test each: ([\s\S]*?)\.?\n\n/.exec(text)?.[1] ?? ''
  return paragraph.split(/;\s+/).map((detail, i) => ({ id: `detail ${i + 1}`, text: detail.replaceAll('\n', ' ') }))
}

/** For every id, the chunks that name it, as `file.star:line`. @returns {Map<string, string[]>} */
export function checklistTests() {
  const folder = path.join(root, 'test/interpreter/starlark')
  const tests = new Map()
  for (const file of starFiles(folder)) {
    for (const chunk of readChunks(file, path.relative(folder, file), 'starbind')) {
      const head = chunk.text
        .trimStart()
        .split('\n')
        .filter((line) => /^# (checklist|detail) /.test(line))
      for (const line of head)
        for (const id of idsOf(line)) tests.set(id, [...(tests.get(id) ?? []), `${chunk.file}:${chunk.line}`])
    }
  }
  return tests
}

/** @param {string} line */
function idsOf(line) {
  return line
    .slice(2)
    .replace(/:.*$/, '')
    .split(', ')
    .map((part) => part.replace(/^checklist /, ''))
}
