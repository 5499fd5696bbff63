// Explains the exceptions of JavaScript programs. The engine's phrases become sentences about the program's own
// expressions, and the stack becomes places in the program's text. Knows the phrases of QuickJS.
// Invariant: a diagnostic contains no words of the engine and nothing of the generated text.

import {
  describedText,
  joined,
  type MarkedTexts,
  type MarkedValue,
  marked,
  type Said,
  said,
  type TraceFrame,
} from '../../diagnostics/index.js'
import type { Explained, Program } from '../program.js'
import { framesIn, MOST_FRAMES } from '../stack-frames.js'
import { Positions } from '../syntax/index.js'
import { partsOf, wholeText } from '../whole-text.js'
import { engineSaid } from './engine-words.js'
import { isPattern } from './marks.js'
import { type Place, Places } from './places.js'
import { isFunction, memberName, type Node, unchained } from './tree.js'

export interface Failure {
  readonly kind: string
  readonly ends?: 'limit' | 'host error' | undefined
  readonly message: string
  readonly code?: string | undefined
  readonly hint?: string | undefined
  /** The marks of the guest's library (guest/said.ts). Absent if the engine or the program made the message. */
  readonly values?: readonly MarkedValue[] | undefined
  readonly hintValues?: readonly MarkedValue[] | undefined
  /** The kind of the error that contains this one as its first. */
  readonly outer?: string | undefined
  readonly about?: { readonly verb: 'parted' | 'iterated'; readonly what: string } | undefined
  readonly stack: string
  readonly isOwn?: boolean | undefined
}

export function explainFailure(positions: unknown, program: Program, failure: Failure): Explained {
  const source = wholeText(program)
  const places = positions instanceof Places ? withParameters(positions, failure) : []
  const lines = new Positions(source, partsOf(program))
  const frames = places.map(({ frame, start, end }): TraceFrame => ({ name: frame, span: lines.span(start, end) }))
  const look: Look = {
    text: (node) => textOf(node, source, positions),
    lackOf: (node) => (positions instanceof Places ? positions.lackOf(node) : undefined),
  }
  const { message, hint } = wordsOf(failure, places[0]?.node, look)
  const place = {
    ...(frames.length > 0 ? { span: frames[0]!.span } : {}),
    ...(frames.length > 1 ? { trace: frames } : {}),
    ...(hint === undefined ? {} : { hint: hint.text }),
  }
  const { ends, code, outer, isOwn } = failure
  const named = outer ?? failure.kind
  if (ends !== undefined)
    return { diagnostic: { class: ends, code: code ?? 'limit', message: failure.message, ...place } }
  if ((failure.kind === 'ToolError' || failure.kind === 'ApprovalDenied') && outer === undefined) {
    const diagnostic = { class: 'tool error', code: code ?? 'tool-error', message: failure.message, ...place } as const
    return { diagnostic }
  }
  const kind = kindOf(failure.kind)
  const plain = failure.kind === 'Thrown' ? message : message.text === '' ? kind : said`${kind}${colon(message)}`
  const whole = outer === undefined ? plain : said`${kindOf(outer)}: every promise failed, the first with ${plain}`
  const values: MarkedTexts = { message: whole.values, hint: hint?.values ?? [] }
  return {
    diagnostic: {
      class: 'program error',
      code: code ?? kebab(isOwn === true || KINDS.has(named) ? kindOf(named).text : 'Error'),
      message: whole.text,
      ...place,
    },
    values,
  }
}

/** Drops a part without marks, and the colon before it. */
function colon(message: Said): Said {
  const [first] = message.values
  if (first?.[2] !== UNKNOWN) return said`: ${message}`
  return { text: `: ${message.text}`, values: [[0, message.text.length + 2, '']] }
}

/** Replaces a message that has no marks. */
const UNKNOWN = ''

function unknown(message: string): Said {
  return { text: message, values: [[0, message.length, UNKNOWN]] }
}

const KINDS: ReadonlySet<string> = new Set([
  'Thrown',
  'Error',
  'TypeError',
  'RangeError',
  'SyntaxError',
  'ReferenceError',
  'EvalError',
  'URIError',
  'AggregateError',
  'SuppressedError',
  'InternalError',
  'InvalidCharacterError',
  'ToolError',
  'ApprovalDenied',
])

/** The name of an error. The program may have set it to anything. */
function kindOf(kind: string): Said {
  if (KINDS.has(kind)) return said`${kind}`
  return /^[A-Za-z][A-Za-z0-9]{0,60}$/.test(kind) ? marked(kind, 'Error', kind) : said`Error`
}

function kebab(kind: string): string {
  return kind.replace(/([a-z])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3-$2').toLowerCase()
}

/** The program's own places in a stack, innermost first, without repetitions in a row. */
function placesIn(stack: string, positions: Places): Place[] {
  const places: Place[] = []
  for (const { line, column } of framesIn(stack)) {
    const place = positions.find(line, column)
    if (place !== undefined && places.push(place) >= MOST_FRAMES) break
  }
  return places
}

/** Where a function failed to destructure its parameters, replaces its place by that of the parameters. */
function withParameters(positions: Places, { message, stack }: Failure): Place[] {
  const places = placesIn(stack, positions)
  const [first, ...rest] = places
  if (first === undefined || !isFunction(first.node) || /^\s*at \S+ \(native\)/.test(stack)) return places
  if (!/iterable$|Symbol\.iterator|^cannot convert to object$|^iterator must/.test(message)) return places
  const taken = first.node.params.map((one) => (one.type === 'AssignmentPattern' ? one.left : one)).filter(isPattern)
  const [node] = taken
  if (node === undefined) return places
  const { origin } = positions
  return [{ ...first, node, start: origin(node.start), end: origin(taken.at(-1)!.end) }, ...rest]
}

interface Words {
  readonly message: Said | string
  readonly hint?: Said | string
}

/** The message and the hint, each with its values. */
interface SaidWords {
  readonly message: Said
  readonly hint?: Said
}

/** The words of a failure. If the program made the error, they are the program's own. */
function wordsOf(failure: Failure, at: Node | undefined, look: Look): SaidWords {
  const { message, values, hint, hintValues, isOwn } = failure
  const own = hint === undefined ? {} : { hint: markedBy(hint, hintValues ?? []) }
  if (isOwn === true) return { message: said`${message}`, ...own }
  const words = reworded(failure, at, look)
  if (words !== undefined) {
    const given = words.hint === undefined ? {} : { hint: asSaid(words.hint) }
    return { message: asSaid(words.message), ...given, ...own }
  }
  return {
    message: values === undefined ? (engineSaid(message) ?? unknown(message)) : markedBy(message, values),
    ...own,
  }
}

function asSaid(words: Said | string): Said {
  return typeof words === 'string' ? said`${words}` : words
}

/** A text of the guest's library, with descriptions of its values. */
function markedBy(text: string, values: readonly MarkedValue[]): Said {
  const parts: Said[] = []
  let at = 0
  for (const [start, end, what, plain] of values) {
    parts.push(said`${text.slice(at, start)}`, describedBy(text.slice(start, end), what, plain))
    at = end
  }
  return joined([...parts, said`${text.slice(at)}`], '')
}

function describedBy(text: string, what: string, plain: MarkedValue[3]): Said {
  if (plain === undefined) return { text, values: [[0, text.length, what]] }
  if (typeof plain !== 'string') return { text, values: [[0, text.length, what, plain]] }
  if (what === 'engine') return engineSaid(text) ?? { text, values: [[0, text.length, 'what the engine says']] }
  return marked(text, what === 'string' ? describedText(plain, 'string') : what, plain)
}

/** The engine's phrase in terms of the program; undefined for unlisted phrases. */
function reworded({ message, values, about, stack }: Failure, at: Node | undefined, look: Look): Words | undefined {
  const { text } = look
  const node = at?.type === 'ReturnStatement' && at.argument ? at.argument : at
  if (about !== undefined) return unfit(about, node, look)
  if (values !== undefined) return undefined
  const isNative = /^\s*at \S+ \(native\)/.test(stack)
  if (message === 'not a function' && isNative) return { message: 'an argument is not a function, and has to be one' }
  if (message === 'cannot convert to object' && isNative && node !== undefined) return givenNothing(node, text)
  for (const { says, words } of phrases) {
    const match = says.exec(message)
    const found = match === null ? undefined : words(match, node, text, look.lackOf)
    if (found !== undefined) return found
  }
  return undefined
}

/** The program's text at a node, if it is short. */
function textOf(node: Node | undefined, source: string, positions: unknown): string | undefined {
  if (node === undefined || !(positions instanceof Places)) return undefined
  const { origin } = positions
  const own = source.slice(origin(node.start), origin(node.end))
  return own === '' || own.length > 60 || /[\r\n]/.test(own) ? undefined : own
}

/** The words for a function of the library that was called without an argument. */
function givenNothing(node: Node, text: TextOf): Words {
  const callee = text(calleeIn(node))
  const given = text(givenIn(node))
  return {
    message: `${callee ?? 'the function'} got undefined or null${given === undefined || /^(?:null|undefined)$/.test(given) ? '' : `: ${given}`}`,
    ...(given === undefined || given.length > 40 || /^(?:null|undefined)$/.test(given)
      ? {}
      : { hint: `write ${given} ?? {} where it may be missing` }),
  }
}

type TextOf = (node: Node | undefined) => string | undefined

/** Facts about the program's expressions. */
interface Look {
  readonly text: TextOf
  readonly lackOf: (node: Node) => string | undefined
}

/** The words for a value of the wrong type for its place. */
function unfit({ verb, what }: NonNullable<Failure['about']>, node: Node | undefined, { text, lackOf }: Look): Words {
  const given = verb === 'iterated' ? iteratedIn(node) : node?.type === 'VariableDeclarator' ? node.init : undefined
  const shown = text(given ?? undefined)
  const known = shown === undefined || shown === what ? what : `${shown} is ${what} and`
  if (verb === 'parted') return { message: `${known} cannot be destructured` }
  const lack = what === 'undefined' && given ? lackOf(given) : undefined
  return {
    message: `${known} cannot be iterated over`,
    hint: partingHint(what, node) ?? lack ?? iterationHint(what, shown),
  }
}

/** The engine's phrases, and the words that replace them. */
const phrases: readonly {
  readonly says: RegExp
  readonly words: (
    match: RegExpExecArray,
    node: Node | undefined,
    text: TextOf,
    lackOf: Look['lackOf'],
  ) => Words | undefined
}[] = [
  {
    says: /^cannot (read|set) property(?: '(.*)')? of (undefined|null)$/,
    words: ([, verb, name, nothing], node, text, lackOf) => {
      const member = node === undefined ? undefined : memberIn(node)
      const object = text(member?.object)
      const shown =
        name === undefined
          ? said`that`
          : name === 'Symbol.iterator'
            ? said`elements`
            : said`.${marked(name, '*', name)}`
      if (member === undefined) return { message: said`${nothing!} has no ${shown}` }
      if (object === undefined)
        return {
          message: said`the value before ${memberText(member, text) ?? shown} is ${nothing!}`,
          ...unwrapped(member),
        }
      const what = member.computed
        ? text(member.property) === undefined
          ? said`that`
          : said`[${text(member.property)!}]`
        : shown
      const lack = nothing === 'undefined' ? lackOf(member.object) : undefined
      const chain = `${object}?.${member.computed ? what.text : what.text.slice(1)}`
      return {
        message: said`${object} is ${nothing!}, so it has no ${what}`,
        ...(lack !== undefined
          ? { hint: lack }
          : verb === 'read' && chain.length < 60
            ? { hint: `write ${chain} where it may be missing` }
            : {}),
        ...unwrapped(member),
      }
    },
  },
  {
    says: /^not a function$/,
    words: (_, node, text) => {
      const callee = node === undefined ? undefined : calleeIn(node)
      const asked = callee?.type === 'MemberExpression' ? memberText(callee, text) : undefined
      const shown = text(callee) ?? asked
      if (callee === undefined || shown === undefined) return { message: 'the value called here is not a function' }
      if (node !== undefined && unchained(node).type === 'NewExpression') return { message: `${shown} is not a class` }
      const hint = methodHint(memberName(callee))
      return { message: `${shown} is not a function`, ...(hint === undefined ? {} : { hint }) }
    },
  },
  {
    says: /^(?:value is not iterable|cannot read property 'Symbol\.iterator' of (?:undefined|null))$/,
    words: (_, node, text) => {
      const shown = text((node === undefined ? undefined : givenIn(node)) ?? iteratedIn(node))
      if (node !== undefined && isPattern(node))
        return { message: `the value destructured into ${shown ?? 'a list of names'} cannot be iterated over` }
      return { message: `${shown ?? 'the value'} cannot be iterated over`, hint: iterationHint('', shown) }
    },
  },
  {
    says: /^'?(.+?)'? is not defined$/,
    words: ([, name]) => ({ message: said`${marked(name!, '*', name!)} is not defined` }),
  },
  {
    says: /^(.+) is not initialized$/,
    words: ([, name]) => ({ message: said`${marked(name!, '*', name!)} is used before its declaration has run` }),
  },
  {
    says: /^'.+' is read-only$/,
    words: (_, node) =>
      node !== undefined && (memberIn(node) !== undefined || calleeIn(node) !== undefined)
        ? { message: 'the object is frozen' }
        : undefined,
  },
  {
    says: /^'(.+)' is read-only$/,
    words: ([, word]) => {
      const name = marked(word!, '*', word!)
      return { message: said`${name} is a constant`, hint: said`declare ${name} with let` }
    },
  },
  {
    says: /^cannot convert bigint to number$/,
    words: () => ({
      message: 'a BigInt does not mix with numbers',
      hint: 'integers beyond 2**53 come as BigInt: convert them with Number(x) or String(x), or write 1n',
    }),
  },
  {
    says: /^invalid 'in' operand$/,
    words: () => ({
      message: '`in` needs an object on its right',
      hint: 'look into texts and arrays with .includes(…)',
    }),
  },
  {
    says: /^Date value is NaN$/,
    words: () => ({ message: 'the date is invalid', hint: 'check the value that the date was made from' }),
  },
  {
    says: / is not a constructor$/,
    words: (_, node, text) => {
      const isNew = node !== undefined && unchained(node).type === 'NewExpression'
      const shown = isNew ? text(calleeIn(node)) : undefined
      return shown === undefined ? undefined : { message: `${shown} is not a class` }
    },
  },
  { says: /^object is not extensible$/, words: () => ({ message: 'the object is frozen' }) },
  { says: /^cannot convert to object$/, words: () => ({ message: 'undefined or null cannot be destructured' }) },
  {
    says: /^class constructors must be invoked with 'new'$/,
    words: () => ({ message: 'a class is called without new', hint: 'write new before its name' }),
  },
  {
    says: /^parent class must be constructor$/,
    words: () => ({ message: 'the class extends a value that is not a class' }),
  },
  {
    says: /^invalid 'instanceof' right operand$/,
    words: () => ({ message: 'the right side of instanceof is not a class' }),
  },
  {
    says: /^empty array$/,
    words: () => ({ message: 'the array is empty', hint: 'give reduce a first value: .reduce(f, 0)' }),
  },
  { says: /^toPrimitive$/, words: () => ({ message: 'the object cannot be converted to a text or a number' }) },
  {
    says: /^not an object$/,
    words: (_, node, text) => {
      const callee = node === undefined ? undefined : calleeIn(node)
      if (callee === undefined || !/^(?:Weak)?Map$|^Object\.fromEntries$/.test(text(callee) ?? '')) return undefined
      return {
        message: `${text(callee)} got an element that is not a pair`,
        hint: 'give it pairs: [[key, value], …]',
      }
    },
  },
]

/** A member without its object: `.name`, `[0]`. */
function memberText(member: Extract<Node, { type: 'MemberExpression' }>, text: TextOf): string | undefined {
  const name = memberName(member)
  if (name !== undefined) return `.${name}`
  const inside = text(member.property)
  return inside === undefined ? undefined : `[${inside}]`
}

/** The hint for `result.content[0].text`, which is the form of results in the protocol. */
function unwrapped(member: Node | undefined): { readonly hint?: string } {
  return member?.type === 'MemberExpression' && member.computed && memberName(member.object) === 'content'
    ? { hint: 'a tool returns its data itself: leave .content[0].text out' }
    : {}
}

/** The iterable in a statement or an expression. */
function iteratedIn(node: Node | undefined): Node | undefined {
  switch (node?.type) {
    case 'SpreadElement':
    case 'YieldExpression':
      return node.argument ?? undefined
    case 'ForOfStatement':
      return node.right
    case 'VariableDeclarator':
      return node.init ?? undefined
    default:
      return node
  }
}

/** The only argument of a call. */
function givenIn(node: Node): Node | undefined {
  const inner = unchained(node)
  if (inner.type !== 'CallExpression' && inner.type !== 'NewExpression') return undefined
  return inner.arguments.length === 1 ? inner.arguments[0] : undefined
}

/** The hint for array destructuring of an object. */
function partingHint(kind: string, node: Node | undefined): string | undefined {
  return kind === 'an object' && node?.type === 'VariableDeclarator'
    ? 'destructure an object by the names of its keys: const { a, b } = …'
    : undefined
}

function iterationHint(kind: string, shown: string | undefined): string {
  const short = shown !== undefined && shown.length < 40 ? shown : undefined
  if (kind === 'a promise') return `await it: await ${short ?? '…'}`
  if (kind === 'an object') return `iterate over a list that is in it, or over Object.entries(${short ?? '…'})`
  return kind === 'null' || kind === 'undefined'
    ? `write ${short ?? '…'} ?? [] where it may be missing`
    : 'iterate over an array, a Map, a Set, a string, or Object.entries(…)'
}

function memberIn(node: Node): Extract<Node, { type: 'MemberExpression' }> | undefined {
  const inner = unchained(node)
  if (inner.type === 'MemberExpression') return inner
  if (inner.type === 'AssignmentExpression' && inner.left.type === 'MemberExpression') return inner.left
  return undefined
}

function calleeIn(node: Node): Node | undefined {
  const inner = unchained(node)
  return inner.type === 'CallExpression' || inner.type === 'NewExpression' ? inner.callee : undefined
}

/** Methods of other languages, and their counterparts here. */
const METHODS: Readonly<Record<string, string>> = {
  append: 'arrays have .push(x)',
  extend: 'arrays have .push(...xs)',
  items: 'write Object.entries(x)',
  strip: 'strings have .trim()',
  lower: 'strings have .toLowerCase()',
  upper: 'strings have .toUpperCase()',
  startswith: 'strings have .startsWith(x)',
  endswith: 'strings have .endsWith(x)',
  splitlines: 'write .split("\\n")',
  format: 'write a template in backticks',
  contains: 'write .includes(x)',
  split: 'it is not a string: show it with console.log',
  trim: 'it is not a string: show it with console.log',
  match: 'it is not a string: show it with console.log',
  replace: 'it is not a string: show it with console.log',
  startsWith: 'it is not a string: show it with console.log',
  push: 'it is not an array: show it with console.log',
  get: 'objects have no methods of their own: write x[key]',
  map: 'objects are not arrays: write Object.values(x).map(…)',
  filter: 'objects are not arrays: write Object.values(x).filter(…)',
  forEach: 'objects are not arrays: write Object.entries(x).forEach(…)',
}

function methodHint(name: string | undefined): string | undefined {
  return name !== undefined && Object.hasOwn(METHODS, name) ? METHODS[name] : undefined
}
