// readToolFile: the text of files, or some of their lines. Knows lines and the longest answer.
// Invariant: what is returned is the file's own text; what is left out is named with the lines that hold it.

import { type Diagnostic, renderDiagnostics } from '../diagnostics/index.js'
import { type Answer, defaultAnswerMaxChars } from './answer.js'
import { ambiguousName, unknownFile, wrongArgument } from './messages.js'
import { readArguments } from './raw-arguments.js'
import { syncToolFiles, type ToolFiles } from './tool-files.js'

interface FileText {
  readonly path: string
  readonly text: string
  readonly lines: number
}

/** Answers `readToolFile({fileName | fileNames, startLine?, endLine?})`. Lines count from 1, both ends included, and are clamped. */
export function readToolFile(raw: Readonly<Record<string, unknown>>, files: ToolFiles): Answer {
  const read = readArguments('readToolFile', raw, {
    fileName: 'texts',
    fileNames: 'texts',
    startLine: 'line',
    endLine: 'line',
  })
  if (!read.ok) return failure([read.diagnostic])
  const { fileName = [], fileNames = [], startLine, endLine } = read.values
  const names = [...new Set([...fileName, ...fileNames])]
  if (names.length === 0)
    return failure([wrongArgument('readToolFile', 'fileName', undefined, 'a path such as "servers/NAME.pyi"')])
  syncToolFiles(files)
  const share = Math.floor((files.answerMaxChars ?? defaultAnswerMaxChars) / names.length)
  const found = names.map((name) => readOne(name, files, { startLine, endLine, chars: share }))
  const failures = found.flatMap((one) => ('diagnostic' in one ? [one.diagnostic] : []))
  const texts = found.flatMap((one) => ('diagnostic' in one ? [] : [one]))
  if (texts.length === 0) return failure(failures)
  const parts = names.length === 1 ? [texts[0]!.text] : texts.map(({ path, text }) => `# ${path}\n${text}`)
  if (failures.length > 0) parts.push(renderDiagnostics(failures))
  const structured = { files: texts.map(({ path, text, lines }) => ({ path, lines, text })) }
  return { text: parts.join(names.length === 1 ? '' : '\n'), isError: failures.length > 0, structured }
}

function failure(diagnostics: readonly Diagnostic[]): Answer {
  return { text: renderDiagnostics(diagnostics), isError: true }
}

interface Range {
  readonly startLine: number | undefined
  readonly endLine: number | undefined
  readonly chars: number
}

function readOne(name: string, { vfs }: ToolFiles, range: Range): FileText | { readonly diagnostic: Diagnostic } {
  const found = vfs.find(name)
  if (found.path === undefined) {
    return { diagnostic: found.ambiguous ? ambiguousName('file', name, found.near) : unknownFile(name, found.near) }
  }
  const whole = vfs.read(found.path)
  if (whole === undefined) {
    const size = vfs.readBytes(found.path).length
    return { path: found.path, text: `[${found.path} is not text: ${size} bytes]`, lines: 0 }
  }
  const lines = splitLines(whole)
  const last = Math.max(1, lines.length)
  const start = Math.min(Math.max(range.startLine ?? 1, 1), last)
  const end = Math.max(start, Math.min(range.endLine ?? last, last))
  return { path: found.path, text: shown(found.path, lines, { start, end, chars: range.chars }), lines: lines.length }
}

/** Lines with their ends, so that joined they are the text again. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function shown(path: string, lines: readonly string[], range: { start: number; end: number; chars: number }): string {
  const { start, end, chars } = range
  let text = ''
  for (let number = start; number <= end; number++) {
    const line = lines[number - 1] ?? ''
    if (text.length + line.length <= chars) {
      text += line
      continue
    }
    if (text !== '')
      return `${text}[lines ${number} to ${end} of ${lines.length} are left out: readToolFile("${path}", startLine=${number})]`
    const kept = line.slice(0, chars).replace(/[\ud800-\udbff]$/, '')
    const more = number < end ? `; go on with startLine=${number + 1}` : ''
    return `${kept}\n[line ${number} has ${line.length} characters, ${line.length - kept.length} are left out${more}]`
  }
  return text
}
