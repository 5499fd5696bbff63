// Colours the texts for models when a person reads them. No character changes.

import type { Colours } from './colours.js'

/** Colours a text. */
export type Paint = (text: string, colours: Colours) => string

/** Trees, stubs and documentation: remarks are dimmed, names are highlighted. */
export const paintFiles: Paint = (text, colours) => eachLine(text, (line) => paintFileLine(line, colours))

function paintFileLine(line: string, { bold, cyan, dim, yellow }: Colours): string {
  const [, code = '', remark = ''] = /^(.*?)((?:^|\s+)#.*)?$/.exec(line) ?? []
  const painted = code
    .replace(
      /^(\s*)(def|class|from|import)\b( \w+(?=\())?/,
      (_, indent: string, word: string, name = '') => indent + cyan(word) + bold(name),
    )
    .replace(/^[\w.]+(?=\()/, (name) => bold(name))
    .replace(/[\w.$-]+\.pyi|guide\.md/, (name) => bold(name))
    .replace(/"[^"]*"/g, (text) => yellow(text))
  return painted + (remark === '' ? '' : dim(remark))
}

/** Failures: the class in red, the hint in cyan, calls already made in yellow. */
export const paintFailure: Paint = (text, colours) => eachLine(text, (line) => paintFailureLine(line, colours))

function paintFailureLine(line: string, { bold, cyan, dim, red, yellow }: Colours): string {
  const head = /^(program error|tool error|limit|host error) (\[[\w-]+\])(.*)$/.exec(line)
  if (head) return `${red(bold(head[1]!))} ${dim(head[2]!)}${bold(head[3]!)}`
  const mistyped = /^(starbind:)(.*)$/.exec(line)
  if (mistyped) return `${red(bold(mistyped[1]!))}${bold(mistyped[2]!)}`
  if (/^\s*\|\s*[\^~]+\s*$/.test(line)) return red(line)
  if (/^ {2}\S+:\d+:\d+$/.test(line)) return dim(line)
  if (line.startsWith('hint: ')) return cyan(line)
  return line.startsWith('done before this: ') ? yellow(line) : line
}

/** Answers: files or failures. */
export const paintAnswer: Paint = (text, colours) =>
  /^(program error|tool error|limit|host error) \[/.test(text) ? paintFailure(text, colours) : paintFiles(text, colours)

function eachLine(text: string, paint: (line: string) => string): string {
  return text.split('\n').map(paint).join('\n')
}
