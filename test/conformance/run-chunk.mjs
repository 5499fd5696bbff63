// One chunk, run as a program of its own, and what is wrong with how it went. Uses starbind as its callers do: compile, a sandbox, the outcome.
// Suites about syntax and names stop after the stage they are about.

import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { adaptGo, original } from './adaptation.mjs'
import { extensionFor, REPORT } from './guest-extension.mjs'
import { regex } from './suites.mjs'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
const dist = process.env.TESTED_DIST ?? path.join(root, 'dist')
/** @param {string} file */
const built = (file) => import(pathToFileURL(path.join(dist, file)).href)
const { compile, explainThrow, readOutcome } = await built('interpreter/stages.js')
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
const limits = {
  wallMs: 60_000,
  cpuMs: 20_000,
  memoryBytes: 256 * 1024 * 1024,
  printedBytes: 16 * 1024 * 1024,
  printedLines: 200_000,
}

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
  const verdict = judge(chunk, went)
  const failures = verdict.failures.length > 0 ? await allFailures(sandbox, chunk, text, went) : []
  return { chunk, tabs, failures, wordings: verdict.wordings }
}

/**
 * A chunk that fails early says nothing of what stands after it: it runs again without the statement that ended it, until it ends well.
 * What the runs say together is what is wrong with it.
 */
async function allFailures(sandbox, chunk, text, went) {
  const failures = new Map()
  let rest = text
  for (;;) {
    for (const f of judge(chunk, went).failures)
      failures.set(`${f.line} ${f.want}`, failures.get(`${f.line} ${f.want}`) ?? f)
    const place = went.ran && chunk.errors.length === 0 ? went.errors[0] : undefined
    const shorter =
      place === undefined ? rest : withoutStatementAt(rest, (place.trace?.at(-1)?.span ?? place.span)?.line)
    if (shorter === rest) return [...failures.values()].sort((a, b) => a.line - b.line)
    rest = shorter
    went = await outcomeOf(sandbox, chunk, rest)
  }
}

function withoutStatementAt(text, line) {
  const starts = [0, ...[...text.matchAll(/\n/g)].map((m) => m.index + 1)]
  const at = starts[line - 1]
  const end = starts[line] ?? text.length
  const statement = parse(text, { strict: true }).file.body.find((s) => s.start < end && s.end > at)
  if (statement === undefined) return text
  const blank = text.slice(statement.start, statement.end).replace(/[^\n]/g, ' ')
  return `${text.slice(0, statement.start)}pass${blank.slice(4)}${text.slice(statement.end)}`
}

/** What happened: errors that ended the chunk or kept it from running, and what its assertions reported. */
async function outcomeOf(sandbox, chunk, text) {
  if (chunk.suite === 'go-syntax' || chunk.suite === 'rust-parse') {
    const { diagnostics } = parse(text, { strict: true })
    return { errors: diagnostics.filter((d) => !afterSyntax.has(d.code)).slice(0, 1), reports: [], ran: false }
  }
  // Chunks are about what happens when a program runs, mistakes included: unchecked.
  // An error that ends the whole run, like a stack overflow, can't be caught inside. Where one was expected, the chunk runs again without it.
  const settled = []
  for (;;) {
    const extension = extensionOf(chunk, text, settled)
    const compiled = compile({ text, language: 'starlark' }, { dialect: dialectOf(chunk), extension, unchecked: true })
    if (!compiled.ok) return { errors: compiled.diagnostics, reports: [], ran: false }
    if (chunk.suite === 'go-resolve') return { errors: [], reports: [], ran: false }
    const { end, reports } = await runProgram(sandbox, compiled.program, text)
    const last = reports.at(-1)
    if (end.kind !== 'limit' || last?.n === undefined)
      return { errors: errorsOf(compiled.program, end), reports, ran: true }
    settled.push(last.n)
  }
}

async function runProgram(sandbox, program, text) {
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
  return { end, reports }
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
  const { error, pattern, n, kind } = raw
  if (kind === 'provoking') return { line, kind, n }
  const { code, message } = error.native ? explainThrow(program, error) : error
  return { line, kind: code === 'broken-guest' ? 'failed' : 'caught', n, pattern, message, hint: raw.hint }
}

function dialectOf({ suite, options }) {
  if (suite.startsWith('rust-')) return { strict: true }
  if (suite === 'starbind') return { strict: true, ...Object.fromEntries([...options].map((name) => [name, false])) }
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

function extensionOf({ suite }, text, settled) {
  if (suite !== 'go-resolve')
    return extensionFor(suite.startsWith('go-') ? 'go' : suite.startsWith('rust-') ? 'rust' : 'java', settled)
  // Nothing is loaded, only resolved: every module has every name.
  const modules = {}
  for (const [, module] of text.matchAll(/\bload\(\s*["']([^"']*)/g))
    modules[module] = [...text.matchAll(/["']([^"']*)["']/g)].map((m) => m[1])
  return { name: 'resolve', source: '() => ({})', predeclared: ['M', 'U'], modules: { '': [], ...modules } }
}

// ---- judging ---------------------------------------------------------------------------------------------------

function judge(chunk, { errors, reports, ran }) {
  const failures = []
  const wordings = []
  const compare = (line, want, got, fits) => {
    if (!fits) (chunk.exact ? failures : wordings).push({ line, want, got })
  }
  for (const r of reports) {
    if (r.kind === 'failed') failures.push({ line: r.line, want: 'the assertion holds', got: r.message })
    else if (r.kind === 'caught') {
      const [message, full] = texts(r)
      compare(
        r.line,
        r.pattern,
        chunk.exact ? message : full,
        chunk.exact ? message === r.pattern : regex(r.pattern).test(full),
      )
    }
  }
  const missed = new Set(chunk.errors)
  for (const e of errors) {
    const line = e.span?.line ?? 0
    const [message, full] = texts(e)
    const expected = chunk.errors.find((x) => (chunk.onLine ? x.line === line : true))
    if (expected === undefined || e.class === 'host error') {
      failures.push({ line, want: 'no error', got: `${e.class} [${e.code}] ${full}` })
      continue
    }
    missed.delete(expected)
    compare(
      line,
      expected.text,
      chunk.exact ? message : full,
      matches(chunk, expected, full) || matches(chunk, expected, message),
    )
  }
  for (const x of missed) failures.push({ line: x.line, want: `an error: ${x.text}`, got: 'no error on this line' })
  if (chunk.suite === 'rust-must-fail' && ran)
    failures.push({ line: chunk.line, want: 'rejected before it runs', got: 'it ran' })
  return { failures, wordings }
}

/** A message without and with its hint, in the file's own names. */
function texts({ message, hint }) {
  const own = original(message)
  return [own, hint === undefined ? own : `${own} (${original(hint)})`]
}

function matches(chunk, { pattern, text }, message) {
  if (chunk.exact) return message.trimEnd() === text
  if (pattern === undefined) return true
  return pattern.test(chunk.suite === 'bazelbuild' ? message.toLowerCase() : message)
}
