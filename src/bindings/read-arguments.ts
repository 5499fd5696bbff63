// Turns the text of a call into checked arguments: finds the tool, binds and checks the arguments, and writes them with
// sorted keys. Sends nothing.

import * as crypto from 'node:crypto'
import type { ForeignCall, ForeignError } from '../interpreter/index.js'
import { bindArguments } from './arguments.js'
import type { NamedFiles } from './artifact-arguments.js'
import { type BoundServer, type BoundTool, pathOf } from './bound.js'
import { DEEPEST, readCall } from './call-text.js'
import { ArgumentCheck, problemIn, problemsIn } from './check-arguments.js'
import { ExactInteger, exactText, type WrittenJson } from './exact-integers.js'
import { findServer, findTool } from './find.js'
import { identifierFor } from './identifiers.js'
import { messages } from './messages.js'
import type { PerformOptions, ReadLongCall } from './perform-options.js'
import type { Tool } from './tool.js'
import { type Notation, quotedName } from './value-words.js'

const LONG = 32 * 1024

/** True if a worker reads the call. Then it is not accepted at once. */
export function isLongCall(callText: string): boolean {
  return callText.length > LONG
}

/** Reads, binds and checks one call, whatever its length. `files` are those that it names. */
export function readLongCall(
  servers: readonly BoundServer[],
  callText: string,
  rules: Pick<PerformOptions, 'notation'>,
  files: NamedFiles | undefined,
): ReadLongCall {
  const read = readArguments(servers, callText, rules, files)
  if ('error' in read) return read
  const { text, digest } = written(read.args)
  return { namespace: read.tool.server.name, member: read.tool.name, text, digest }
}

function outsideReach(namespace: string, member: string): ForeignError {
  return messages.outsideReach(`${shown(namespace)}.${shown(member)}`)
}

export function readArguments(
  servers: readonly BoundServer[],
  callText: string,
  rules: Pick<PerformOptions, 'reaches' | 'notation' | 'unavailable'>,
  files: NamedFiles | undefined,
): { readonly error: ForeignError } | { readonly tool: BoundTool; readonly args: Readonly<Record<string, unknown>> } {
  const read = readCall(callText)
  if (read.kind === 'malformed') return { error: messages.malformedCall() }
  const { call } = read
  const target = findTarget(servers, call, rules)
  if ('error' in target) return target
  const { tool } = target
  const { notation = 'python' } = rules
  const path = pathOf(tool)
  if (read.kind === 'too-deep') return { error: messages.tooDeep(path, DEEPEST) }
  const check = (args: Readonly<Record<string, unknown>>): ForeignError | undefined => {
    const mismatches = checkOf(tool.tool).mismatches(args, notation)
    return mismatches.length === 0
      ? undefined
      : messages.wrongArguments(path, problemsIn(mismatches, notation), undefined)
  }
  const bound = bindArguments(call, { path, signature: tool.signature, notation, files, check })
  return bound.ok ? { tool, args: bound.args } : { error: bound.error }
}

/** Arguments that have passed every check. */
export interface Prepared {
  readonly args: Readonly<Record<string, unknown>> | WrittenJson
  readonly text: string
  /** Equal for equal arguments, whatever the order of their keys. */
  readonly digest: string
}

export function written(args: Readonly<Record<string, unknown>>): Prepared {
  const text = exactText(JSON.stringify(args))
  const inOrder = sorted(args)
  const ordered = inOrder === args ? text : exactText(JSON.stringify(inOrder))
  return { args, text, digest: sha256(ordered) }
}

export function sha256(text: string): string {
  return crypto.hash('sha256', text)
}

const checks = new WeakMap<Tool, ArgumentCheck>()

function checkOf(tool: Tool): ArgumentCheck {
  let check = checks.get(tool)
  if (check === undefined) {
    check = new ArgumentCheck(tool.inputSchema)
    checks.set(tool, check)
  }
  return check
}

/** The mistakes in the arguments of a tool, in words; empty if there are none. */
export function checkArguments(tool: Tool, args: Readonly<Record<string, unknown>>): readonly string[] {
  return checkOf(tool)
    .mismatches(args, 'python')
    .map((mismatch) => problemIn(mismatch, 'python').text)
}

/** The mistake in the value of one argument, in the notation. */
export function problemsWithValue(tool: Tool, key: string, value: unknown, notation: Notation): readonly string[] {
  return checkOf(tool)
    .mismatches({ [key]: value }, notation)
    .filter((mismatch) => mismatch.keys[0] === key)
    .map((mismatch) => problemIn(mismatch, notation).text)
}

/** Finds the called tool, usually by its guest name; `runtime.call` accepts every name of a server and of a tool. */
export function findTarget(
  servers: readonly BoundServer[],
  { namespace, member }: Pick<ForeignCall, 'namespace' | 'member'>,
  { reaches, notation = 'python', unavailable }: Pick<PerformOptions, 'reaches' | 'notation' | 'unavailable'>,
): { tool: BoundTool } | { error: ForeignError } {
  const server = findServer(servers, namespace)
  if (server.found === undefined) {
    if (reaches?.(namespace, member) === false) return { error: outsideReach(namespace, member) }
    const own = identifierFor(namespace)
    const reason = unavailable?.()[own]
    if (reason !== undefined) return { error: messages.serverUnavailable(own, reason) }
    const names = servers.map((one) => one.name)
    return { error: messages.unknownServer(quotedName(namespace, notation), server.near, names) }
  }
  const { name } = server.found
  const tool = findTool(server.found, member)
  if (reaches?.(name, tool.found?.name ?? member) === false) return { error: outsideReach(name, member) }
  if (tool.found !== undefined) return { tool: tool.found }
  return { error: messages.unknownTool(name, quotedName(member, notation), tool.near) }
}

function shown(name: string): string {
  return JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name).slice(1, -1)
}

/** The value with sorted keys; the same object if its keys are sorted already, as they usually are. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof ExactInteger) return value
  if (Array.isArray(value)) {
    const items = value.map(sorted)
    return items.every((item, i) => item === value[i]) ? value : items
  }
  const keys = Object.keys(value)
  const inner = keys.map((key) => sorted((value as Readonly<Record<string, unknown>>)[key]))
  const isSame = keys.every(
    (key, i) => inner[i] === (value as Readonly<Record<string, unknown>>)[key] && (i === 0 || keys[i - 1]! < key),
  )
  if (isSame) return value
  const entries = keys.map((key, i) => [key, inner[i]] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
