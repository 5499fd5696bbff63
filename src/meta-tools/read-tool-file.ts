// readToolFile: the text of files, or some of their lines.
// Invariant: the result is the file's own text, and omitted lines are named.

import { atOnce, type WaitingPieces } from '../bindings/index.js'
import { type Diagnostic, renderDiagnostics } from '../diagnostics/index.js'
import type { Artifact, Vfs } from '../vfs/index.js'
import { type Answer, type AnswerFile, defaultAnswerMaxChars } from './answer.js'
import { cutText } from './cut.js'
import { failure, firstNames } from './first-names.js'
import { ambiguousName, namesLeftOut, unknownFile, wrongArgument } from './messages.js'
import { readArguments } from './raw-arguments.js'
import { syncToolFiles, type ToolFiles, unreachable } from './tool-files.js'

interface FileText {
  readonly path: string
  readonly text: string
  readonly lines: number
  /** The content of a file that is not text. */
  readonly file?: AnswerFile
}

/**
 * Answers `readToolFile({fileName | fileNames, startLine?, endLine?})`. Lines count from 1, both ends included, and are
 * clamped.
 */
export function readToolFile(raw: Readonly<Record<string, unknown>>, files: ToolFiles): Answer {
  return atOnce(reading(raw, files))
}

/** The same in pieces, one for each name. */
export function* reading(raw: Readonly<Record<string, unknown>>, files: ToolFiles): WaitingPieces<Answer> {
  const most = files.answerMaxChars ?? defaultAnswerMaxChars
  const read = readArguments('readToolFile', raw, {
    fileName: 'texts',
    fileNames: 'texts',
    startLine: 'line',
    endLine: 'line',
  })
  if (!read.ok) return failure([read.diagnostic])
  const { fileName = [], fileNames = [], startLine, endLine } = read.values
  const { names, leftOut } = firstNames([...fileName, ...fileNames], most)
  if (names.length === 0)
    return failure([wrongArgument('readToolFile', 'fileName', undefined, 'a path such as "servers/NAME.pyi"')])
  syncToolFiles(files)
  yield
  const share = Math.floor(most / names.length)
  const found: (FileText | { readonly diagnostic: Diagnostic })[] = []
  for (const name of names) {
    found.push(yield* readOne(name, files, { startLine, endLine, chars: share }))
    yield
  }
  const failures = found.flatMap((one) => ('diagnostic' in one ? [one.diagnostic] : []))
  const texts = found.flatMap((one) => ('diagnostic' in one ? [] : [one]))
  if (texts.length === 0) return failure(failures, leftOut, most)
  const parts = names.length === 1 ? [texts[0]!.text] : texts.map(({ path, text }) => `# ${path}\n${text}`)
  if (failures.length > 0) parts.push(renderDiagnostics(failures))
  if (leftOut > 0) parts.push(namesLeftOut(names.length, leftOut))
  const structured = { files: texts.map(({ path, text, lines }) => ({ path, lines, text })) }
  const text = cutText(parts.join(names.length === 1 ? '' : '\n'), most)
  const shownFiles = texts.flatMap(({ file }) => file ?? [])
  return {
    text,
    isError: failures.length > 0 || leftOut > 0,
    structured,
    ...(shownFiles.length === 0 ? {} : { files: shownFiles }),
  }
}

interface Range {
  readonly startLine: number | undefined
  readonly endLine: number | undefined
  readonly chars: number
}

function* readOne(
  name: string,
  files: ToolFiles,
  range: Range,
): WaitingPieces<FileText | { readonly diagnostic: Diagnostic }> {
  const { vfs } = files
  const found = vfs.find(name)
  if (found.path === undefined) {
    const gone = unreachable(name, files)
    if (gone !== undefined) return { diagnostic: gone }
    return { diagnostic: found.ambiguous ? ambiguousName('file', name, found.near) : unknownFile(name, found.near) }
  }
  yield vfs.load(found.path)
  const artifact = vfs.artifact(found.path)
  if (artifact !== undefined && isForEyes(artifact)) return binaryFile(artifact, vfs)
  yield* vfs.ready(found.path)
  const whole = vfs.read(found.path)
  yield
  if (whole === undefined) return binaryFile(vfs.artifact(found.path)!, vfs)
  const lines = splitLines(whole)
  const last = Math.max(1, lines.length)
  const start = Math.min(Math.max(range.startLine ?? 1, 1), last)
  const end = Math.max(start, Math.min(range.endLine ?? last, last))
  return { path: found.path, text: shown(found.path, lines, { start, end, chars: range.chars }), lines: lines.length }
}

/** True if the type is not a text type, even if the bytes could be text. */
function isForEyes({ mimeType }: Artifact): boolean {
  return /^(?:image|audio|video|font)\/|^application\/(?:pdf|zip|gzip|msword|vnd\.)/.test(mimeType)
}

/** Providers refuse a conversation with larger pictures. */
const LARGEST_SHOWN = 5_000_000
/** The formats that models see. */
const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

function binaryFile(artifact: Artifact, vfs: Vfs): FileText {
  const { path, mimeType, bytes, width, height } = artifact
  const size = width === undefined ? '' : `, ${width} × ${height} pixels`
  const isPicture = PICTURES.includes(mimeType)
  const why =
    isPicture && width === undefined
      ? '; it is no picture of that type'
      : bytes > LARGEST_SHOWN
        ? '; it is too large to be shown'
        : ''
  const text = `[${path}: ${mimeType}${size}, ${bytes} bytes${why}]`
  if (why !== '') return { path, text, lines: 0 }
  const data = Buffer.from(vfs.readBytes(path)).toString('base64')
  const file: AnswerFile = isPicture
    ? { type: 'image', data, mimeType }
    : { type: 'resource', resource: { uri: `starbind://${path}`, mimeType, blob: data } }
  return { path, text, lines: 0, file }
}

/** The lines with their ends; joined they are the text again. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

/** Room for the note about omitted lines. */
const NOTE_CHARS = 100

function shown(path: string, lines: readonly string[], range: { start: number; end: number; chars: number }): string {
  const { start, end } = range
  const whole = lines.slice(start - 1, end).join('')
  if (whole.length <= range.chars) return whole
  const chars = Math.max(0, range.chars - NOTE_CHARS - 2 * path.length)
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
