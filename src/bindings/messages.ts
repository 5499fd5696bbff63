// The room's messages, one function each. Their arguments are already bounded and escaped.

import { type Said, said } from '../diagnostics/index.js'
import type { ForeignError } from '../interpreter/index.js'
import { commentText, cutAtWord } from './quoting.js'

const LONGEST_QUOTE = 400

/** An upstream's words as a quotation. */
export function quoted(words: string): string {
  return JSON.stringify(cutAtWord(commentText(words.slice(0, 8 * LONGEST_QUOTE)), LONGEST_QUOTE))
}

/** A message about the program's arguments. */
function texts({ text, values }: Said): Pick<ForeignError, 'message' | 'values'> {
  return { message: text, values }
}

function oneOf(names: readonly string[]): { hint?: string } {
  if (names.length === 0) return {}
  return { hint: names.length === 1 ? `did you mean ${names[0]}?` : `did you mean one of: ${names.join(', ')}?` }
}

function firstOf(names: readonly string[]): string {
  return `${names.slice(0, 12).join(', ')}${names.length > 12 ? ` and ${names.length - 12} more` : ''}`
}

export const messages = {
  malformedCall: (): ForeignError => ({
    kind: 'host',
    code: 'malformed-call',
    message: 'the guest sent a malformed call',
  }),
  outsideReach: (path: string): ForeignError => ({
    kind: 'host',
    code: 'outside-reach',
    message: `the program called ${path}, which the check did not find in its text`,
    hint: `name the tool where it is called: ${path}(…)`,
  }),
  unknownServer: (name: Said, near: readonly string[], servers: readonly string[]): ForeignError => ({
    kind: 'program',
    code: 'unknown-server',
    ...texts(said`there is no server ${name}`),
    ...(near.length > 0 ? oneOf(near) : servers.length > 0 ? { hint: `the servers are ${firstOf(servers)}` } : {}),
  }),
  serverUnavailable: (name: string, reason: string): ForeignError => ({
    kind: 'program',
    code: 'server-unavailable',
    message: `${name} can't be reached: ${reason}`,
    values: [],
  }),
  unknownTool: (server: string, name: Said, near: readonly string[]): ForeignError => ({
    kind: 'program',
    code: 'unknown-tool',
    ...texts(said`server ${server} has no tool ${name}`),
    ...oneOf(near),
  }),
  tooManyArguments: (path: string, most: number, got: number): ForeignError => ({
    kind: 'program',
    code: 'too-many-arguments',
    ...texts(said`${path} takes at most ${most} argument${most === 1 ? '' : 's'}, got ${got}`),
    hint: 'pass arguments by keyword',
  }),
  argumentTwice: (path: string, name: Said): ForeignError => ({
    kind: 'program',
    code: 'argument-twice',
    ...texts(said`${path} got two values for ${name}`),
  }),
  wrongArguments: (path: string, problems: Said, hint: string | undefined): ForeignError => ({
    kind: 'program',
    code: 'wrong-argument',
    ...texts(said`${path}: ${problems}`),
    ...(hint === undefined ? {} : { hint }),
  }),
  wrongQuestion: (name: string, got: Said, want: string): ForeignError => ({
    kind: 'program',
    code: 'wrong-argument',
    ...texts(said`${name}: got ${got}, want ${want}`),
  }),
  tooDeep: (path: string, deepest: number): ForeignError => ({
    kind: 'program',
    code: 'too-deep',
    ...texts(said`${path}: an argument nests lists and dicts more than ${deepest} levels deep`),
  }),
  argumentsTooLong: (got: number, allowed: number): ForeignError => ({
    kind: 'limit',
    code: 'argument-bytes',
    message: `the arguments of a call have ${got} bytes; the limit is ${allowed}`,
    hint: 'send less in one call',
  }),
  responseTooLong: (path: string, got: number, allowed: number): ForeignError => ({
    kind: 'limit',
    code: 'response-bytes',
    message: `the answer of ${path} has ${got} bytes; the limit is ${allowed}`,
    hint: 'ask for less: a filter, a page or a range',
  }),
  toolFailed: (path: string, words: string): ForeignError => ({
    kind: 'tool',
    code: 'tool-failed',
    message: words === '' ? `${path} failed and did not say why` : `${path} failed: ${quoted(words)}`,
  }),
  callFailed: (path: string): ForeignError => ({
    kind: 'host',
    code: 'call-failed',
    message: `${path} could not be called`,
  }),
  answerMalformed: (path: string): ForeignError => ({
    kind: 'tool',
    code: 'answer-malformed',
    message: `${path} answered with something that is not a tool result; it may have taken effect`,
  }),
}

/** Notes about a successful call; the path of the tool comes first. */
export const notes = {
  inexactAnswer: (path: string): string =>
    `${path} answered an integer beyond 2**53 as structured content only: its last digits may be lost`,
  answeredBesides: (path: string, kind: string, kept: string | undefined): string =>
    `${path} answered ${kind} besides its structured content${kept === undefined ? '' : `: ${kept}`}`,
  againstSchema: (path: string, problem: string): string =>
    `${path} answered against its own output schema (${problem}); its answer was delivered as it came`,
  withoutStructure: (path: string): string =>
    `${path} declares an output schema but answered without structured content; its answer was delivered as it came`,
}
