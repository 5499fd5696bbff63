// One chunk, run as a program of its own, and what is wrong with how it went. Uses starbind as its callers do: compile, a sandbox, the outcome.
// Suites about syntax and names stop after the stage they are about.

import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { adaptGo } from './adaptation.mjs'
import { extensionFor, REPORT } from './guest-extension.mjs'
import { regex } from './suites.mjs'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
const dist = process.env.STARBIND_DIST ?? path.join(root, 'dist')
/** @param {string} file */
const built = (file) => import(pathToFileURL(path.join(dist, file)).href)
const { compile, explainThrow, readOutcome } = await built('interpreter/index.js')
const { parse } = await built('interpreter/syntax/index.js')
const { openSandbox, limitDiagnostic } = await built('sandbox/index.js')

/**
 * @typedef {import('./suites.mjs').Chunk} Chunk
 *
 * @typedef {object} Difference
 * @property {number} line
 * @property {string} want
 * @property {string} got
 *
 * @typedef {object} Verdict
 * @property {Chunk} chunk
 * @property {readonly Difference[]} failures Empty when the chunk passes.
 * @property {readonly Difference[]} wordings Errors that came as expected, in other words.
 * @property {boolean} tabs Was it indented with tabs, which had to be replaced?
 */

/** What a chunk may use up. Generous for tests, and far from what would trouble the machine. */
const limits = { wallMs: 60_000, cpuMs: 20_000, memoryBytes: 256 * 1024 * 1024, printedBytes: 16 * 1024 * 1024, printedLines: 200_000 }

/** Mistakes that other parsers leave to a later stage: they do not count where a suite is about syntax alone. */
const afterSyntax = new Set([
  'bare-star',
  'duplicate-parameter',
  'duplicate-star',
  'duplicate-double-star',
  'parameter-order',
  'default-order',
  'argument-order',
  'duplicate-keyword',
  'load-argument-order',
])

/** Opens what running chunks takes; `close` it in the end. */
export function openRunner() {
  const sandbox = openSandbox({ limits, ceilings: limits, maxWorkers: 2, spareWorkers: 0 })
  return {
    /** @param {Chunk} chunk @returns {Promise<Verdict>} */
    run: (chunk) => runChunk(sandbox, chunk),
    close: () => sandbox.close(),
  }
}

/** @returns {Promise<Verdict>} */
async function runChunk(sandbox, chunk) {
  const go = chunk.suite.startsWith('go-')
  const { text, tabs } = go ? adaptGo(chunk.text) : { text: chunk.text, tabs: false }
  const went = await outcomeOf(sandbox, chunk, text)
  return { chunk, tabs, ...judge(chunk, went) }
}

/** What happened: errors that ended the chunk or kept it from running, and what its assertions reported. */
async function outcomeOf(sandbox, chunk, text) {
  if (chunk.suite === 'go-syntax' || chunk.suite === 'rust-parse') {
    const { diagnostics } = parse(text, { strict: true })
    return { errors: diagnostics.filter((d) => !afterSyntax.has(d.code)).slice(0, 1), reports: [], ran: false }
  }
  const compiled = compile({ text, language: 'starlark' }, { dialect: dialectOf(chunk), extension: extensionOf(chunk, text) })
  if (!compiled.ok) return { errors: compiled.diagnostics, reports: [], ran: false }
  if (chunk.suite === 'go-resolve') return { errors: [], reports: [], ran: false }
  const { program } = compiled
  const reports = []
  const end = await sandbox.run({
    image: program.image,
    code: program.code,
    sourceBytes: Buffer.byteLength(text),
    onCall: () => 'E{}',
    onPrint: (line) => {
      if (line.startsWith(REPORT)) reports.push(explained(program, JSON.parse(line.slice(REPORT.length))))
    },
  })
  return { errors: errorsOf(program, end), reports, ran: true }
}

function errorsOf(program, end) {
  switch (end.kind) {
    case 'completed': {
      const outcome = readOutcome(program, end.payload)
      return outcome.ok ? [] : [outcome.diagnostic]
    }
    case 'threw':
      return [explainThrow(program, end)]
    case 'limit':
      return [limitDiagnostic(end.limit, end.allowed)]
    default:
      return [{ class: 'host error', code: end.kind, message: end.message ?? end.kind }]
  }
}

/** An assertion's report with the line of its call, and the message of an error that the host has to explain. */
function explained(program, raw) {
  const line = explainThrow(program, { name: 'Error', message: '', stack: raw.stack }).span?.line ?? 0
  if (raw.kind === 'failed') return { line, kind: 'failed', message: raw.message }
  const { error, pattern } = raw
  const message = error.native ? explainThrow(program, error).message : error.message
  return { line, kind: 'caught', pattern, message: raw.hint === undefined ? message : `${message} (${raw.hint})` }
}

function dialectOf({ suite, options }) {
  if (suite.startsWith('rust-')) return { strict: true }
  const go = suite.startsWith('go-')
  return {
    strict: true,
    recursion: options.has('recursion'),
    while: options.has('while'),
    topLevelControl: options.has('toplevelcontrol'),
    globalReassign: options.has('globalreassign'),
    // Sets are part of the specification; starlark-go has them behind an option.
    set: !go || options.has('set'),
  }
}

function extensionOf({ suite }, text) {
  if (suite !== 'go-resolve') return extensionFor(suite.startsWith('go-') ? 'go' : suite.startsWith('rust-') ? 'rust' : 'java')
  // Nothing is loaded, only resolved: every module has every name.
  const modules = {}
  for (const [, module] of text.matchAll(/\bload\(\s*["']([^"']*)/g)) modules[module] = [...text.matchAll(/["']([^"']*)["']/g)].map((m) => m[1])
  return { name: 'resolve', source: '() => ({})', predeclared: ['M', 'U'], modules: { '': [], ...modules } }
}

// ---- judging ---------------------------------------------------------------------------------------------------

function judge(chunk, { errors, reports, ran }) {
  const failures = []
  const wordings = []
  for (const r of reports) {
    if (r.kind === 'failed') failures.push({ line: r.line, want: 'the assertion holds', got: r.message })
    else if (!regex(r.pattern).test(r.message)) wordings.push({ line: r.line, want: r.pattern, got: r.message })
  }
  const missed = new Set(chunk.errors)
  for (const e of errors) {
    const line = e.span?.line ?? 0
    const got = e.hint === undefined ? e.message : `${e.message} (${e.hint})`
    const expected = chunk.errors.find((x) => (chunk.onLine ? x.line === line : true))
    if (expected === undefined || e.class === 'host error') {
      failures.push({ line, want: 'no error', got: `${e.class} [${e.code}] ${got}` })
      continue
    }
    missed.delete(expected)
    if (!matches(chunk, expected, got) && !matches(chunk, expected, e.message)) wordings.push({ line, want: expected.text, got })
  }
  for (const x of missed) failures.push({ line: x.line, want: `an error: ${x.text}`, got: 'no error on this line' })
  if (chunk.suite === 'rust-must-fail' && ran) failures.push({ line: chunk.line, want: 'rejected before it runs', got: 'it ran' })
  return { failures, wordings }
}

function matches(chunk, { pattern }, message) {
  if (pattern === undefined) return true
  return pattern.test(chunk.suite === 'bazelbuild' ? message.toLowerCase() : message)
}
