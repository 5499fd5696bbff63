// Answers the questions of the module `artifacts`: programs save, find and read the files in results/.
// Invariant: a name is a file's name and never leads out of results/.

import { errorReply, type Notation, type ProgramQuestion, quotedName } from '../bindings/index.js'
import { DiagnosticError, nearestNames } from '../diagnostics/index.js'
import type { ForeignReply } from '../interpreter/index.js'
import { type Artifact, safeFileName, type Vfs } from '../vfs/index.js'
import { artifactChanged, artifactTooLong, resultName, unknownArtifact, wrongArtifact } from './messages.js'

interface ArtifactRules {
  readonly notation: Notation
  /** The longest content that a program may read. */
  readonly longestReply: number
}

export function answerArtifacts({ member, args }: ProgramQuestion, vfs: Vfs, rules: ArtifactRules): ForeignReply {
  switch (member) {
    case 'list':
      return `J${JSON.stringify(artifactsIn(vfs))}`
    case 'open':
      return found(args.name, vfs, rules, (artifact) => `J${JSON.stringify(artifact)}`)
    case 'read':
      return found(args.path, vfs, rules, (artifact) => contentOf(artifact, args.sha256, vfs, rules))
    default:
      return save(args, vfs, rules)
  }
}

/** The kept files except the results of runs, oldest first. */
export function artifactsIn(vfs: Vfs): Artifact[] {
  return vfs.artifacts.paths.flatMap((path) => (isRunResult(path) ? [] : (vfs.artifact(path) ?? [])))
}

/** The name or path of a run's result. */
export function isRunResult(path: string): boolean {
  return /^(?:results\/)?run-(?:\d+|[\da-f]{10})\.json$/.test(path)
}

/** The file of that name or path, or the one that was saved under it; undefined if there is none. */
export function artifactNamed(name: string, vfs: Vfs): Artifact | undefined {
  const plain = name.replace(/^(?:starbind:\/\/)?(?:results\/)?/, '')
  return vfs.artifact(`results/${plain}`) ?? vfs.artifact(`results/${safeFileName(plain)}`)
}

/**
 * Fetches the contents of the kept files that a request of a program names, if that takes a request. Resolves with the
 * reply if that fails.
 */
export function loadNamed(payload: string, vfs: Vfs): Promise<ForeignReply | undefined> | undefined {
  if (!payload.includes('results')) return undefined
  const runs = payload.startsWith('{"namespace":"results"') ? (payload.match(/run-[\da-f]{1,20}/g) ?? []) : []
  const paths = new Set([...(payload.match(NAMED) ?? []), ...runs.map((run) => `results/${run}.json`)])
  const loading = [...paths].flatMap((path) => vfs.load(path) ?? [])
  if (loading.length === 0) return undefined
  return Promise.all(loading).then(
    () => undefined,
    (error: unknown) => {
      if (!(error instanceof DiagnosticError)) throw error
      const { code, message } = error.diagnostics[0]!
      return errorReply({ kind: 'host', code, message })
    },
  )
}

const NAMED = /results\/[\w.-]{1,200}/g

function found(raw: unknown, vfs: Vfs, { notation }: ArtifactRules, use: (artifact: Artifact) => ForeignReply) {
  if (typeof raw !== 'string') return errorReply(wrongArtifact('name', 'a name from artifacts.list()'))
  const artifact = artifactNamed(raw, vfs)
  if (artifact !== undefined) return use(artifact)
  const names = artifactsIn(vfs).map(({ name }) => name)
  return errorReply(unknownArtifact(quotedName(raw, notation), nearestNames(raw, names)))
}

/** The channel carries text, so each byte becomes the character with its code. */
function contentOf(
  { name, path, bytes, sha256 }: Artifact,
  wanted: unknown,
  vfs: Vfs,
  { longestReply }: ArtifactRules,
): ForeignReply {
  if (wanted !== undefined && wanted !== sha256) return errorReply(artifactChanged(name))
  if (bytes > longestReply) return errorReply(artifactTooLong(name, bytes, longestReply))
  const content = vfs.readBytes(path)
  // Another process may have replaced or removed the file.
  if (content.length !== bytes) return errorReply(artifactChanged(name))
  return `T${Buffer.from(content).toString('latin1')}`
}

const LONGEST_NAME = 120

function save(
  { name, text, characters, mimeType }: ProgramQuestion['args'],
  vfs: Vfs,
  { notation }: ArtifactRules,
): ForeignReply {
  if (typeof name !== 'string' || name === '' || name.length > LONGEST_NAME)
    return errorReply(wrongArtifact('name', `a file name of at most ${LONGEST_NAME} characters`))
  if (isRunResult(safeFileName(name))) return errorReply(resultName(quotedName(name, notation)))
  const isType = typeof mimeType === 'string' && /^[\w.+-]+\/[\w.+-]+$/.test(mimeType)
  if (mimeType !== undefined && mimeType !== null && !isType)
    return errorReply(wrongArtifact('mime_type', 'a type such as "text/csv"'))
  const content = typeof text === 'string' ? Buffer.from(text) : Buffer.from(String(characters), 'latin1')
  const path = vfs.replace(name, content, isType ? { mimeType } : {})
  const artifact = vfs.artifact(path)!
  if (artifact.bytes === content.length) return `J${JSON.stringify(artifact)}`
  vfs.remove(path)
  return errorReply(artifactTooLong(artifact.name, content.length, artifact.bytes))
}
