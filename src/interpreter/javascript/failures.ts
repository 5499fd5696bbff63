// What a JavaScript program threw, in words that teach: the engine's phrases become sentences about the program's own expressions, and the stack becomes
// places in its text. Knows the phrases of QuickJS. Invariant: nothing of the engine or of the generated text is in a diagnostic.

import type { Diagnostic, TraceFrame } from '../../diagnostics/index.js'
import { Positions } from '../syntax/index.js'
import { type Place, Places } from './places.js'
import { memberName, type Node, unchained } from './tree.js'
import { inJavaScriptWords } from './words.js'

export interface Failure {
  readonly kind: string
  readonly message: string
  readonly code?: string | undefined
  readonly hint?: string | undefined
  readonly stack: string
}

export function explainFailure(positions: unknown, source: string, failure: Failure): Diagnostic {
  const places = positions instanceof Places ? placesIn(failure.stack, positions) : []
  const lines = new Positions(source)
  const frames = places.map(({ frame, start, end }): TraceFrame => ({ name: frame, span: lines.span(start, end) }))
  const words = reworded(failure, places[0]?.node, source)
  const hint = failure.hint ?? words.hint
  const place = {
    ...(frames.length > 0 ? { span: frames[0]!.span } : {}),
    ...(frames.length > 1 ? { trace: frames } : {}),
    ...(hint === undefined ? {} : { hint }),
  }
  if (failure.kind === 'limit' || failure.kind === 'host error')
    return { class: failure.kind, code: failure.code ?? 'limit', message: failure.message, ...place }
  if (failure.kind === 'ToolError')
    return { class: 'tool error', code: failure.code ?? 'tool-error', message: failure.message, ...place }
  const kind = /^[A-Za-z][A-Za-z0-9]{0,60}$/.test(failure.kind) ? failure.kind : 'Error'
  return {
    class: 'program error',
    code: failure.code ?? kebab(kind),
    message: words.message === '' ? kind : kind === 'Thrown' ? words.message : `${kind}: ${words.message}`,
    ...place,
  }
}

function kebab(kind: string): string {
  return kind.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase()
}

/** Innermost first, the program's own only, each place once in a row. */
function placesIn(stack: string, positions: Places): Place[] {
  const places: Place[] = []
  for (const line of stack.split('\n')) {
    const m = /\(program\.js:(\d+):(\d+)\)$/.exec(line)
    const place = m === null ? undefined : positions.find(Number(m[1]), Number(m[2]))
    if (place === undefined) continue
    places.push(place)
    if (places.length >= 100) break
  }
  return places
}

interface Words {
  readonly message: string
  readonly hint?: string
}

function reworded({ message, code, stack }: Failure, at: Node | undefined, source: string): Words {
  const node = at?.type === 'ReturnStatement' && at.argument ? at.argument : at
  if (message === 'not a function' && /^\s*at \S+ \(native\)/.test(stack))
    return { message: 'an argument that has to be a function is none' }
  if (code === 'wrong-argument') return { message: inJavaScriptWords(message) }
  const text = (of: Node | undefined): string | undefined => {
    const own = of === undefined ? '' : source.slice(of.start, of.end)
    return own === '' || own.length > 60 || /[\r\n]/.test(own) ? undefined : own
  }
  for (const { says, words } of phrases) {
    const match = says.exec(message)
    const found = match === null ? undefined : words(match, node, text)
    if (found !== undefined) return found
  }
  return { message }
}

type TextOf = (node: Node | undefined) => string | undefined

const phrases: readonly {
  readonly says: RegExp
  readonly words: (match: RegExpExecArray, node: Node | undefined, text: TextOf) => Words | undefined
}[] = [
  {
    says: /^cannot (read|set) property(?: '(.*)')? of (undefined|null)$/,
    words: ([, verb, name, nothing], node, text) => {
      const member = node === undefined ? undefined : memberIn(node)
      const object = text(member?.object)
      const shown = name === undefined ? 'that' : name === 'Symbol.iterator' ? 'elements' : `.${name}`
      if (object === undefined || member === undefined) return { message: `${nothing} has no ${shown}` }
      const what = member.computed
        ? text(member.property) === undefined
          ? 'that'
          : `[${text(member.property)}]`
        : shown
      const chain = `${object}?.${member.computed ? what : what.slice(1)}`
      return {
        message: `${object} is ${nothing}, so it has no ${what}`,
        ...(verb === 'read' && chain.length < 60 ? { hint: `write ${chain} where it may be missing` } : {}),
      }
    },
  },
  {
    says: /^not a function$/,
    words: (_, node, text) => {
      const callee = node === undefined ? undefined : calleeIn(node)
      const shown = text(callee)
      if (callee === undefined || shown === undefined) return { message: 'what is called here is not a function' }
      const hint = methodHint(memberName(callee))
      return { message: `${shown} is not a function`, ...(hint === undefined ? {} : { hint }) }
    },
  },
  {
    says: /^(?:value is not iterable|cannot read property 'Symbol\.iterator' of (?:undefined|null))$/,
    words: (_, node, text) => {
      const shown = text(
        node?.type === 'SpreadElement' ? node.argument : node?.type === 'ForOfStatement' ? node.right : node,
      )
      return {
        message: `${shown ?? 'what stands here'} can not be iterated over`,
        hint: 'iterate over an array, a Map, a Set, a string, or Object.entries(…)',
      }
    },
  },
  { says: /^'?(.+?)'? is not defined$/, words: ([, name]) => ({ message: `${name} is not defined` }) },
  {
    says: /^(.+) is not initialized$/,
    words: ([, name]) => ({ message: `${name} is used before its declaration has run` }),
  },
  {
    says: /^'.+' is read-only$/,
    words: (_, node) =>
      node !== undefined && memberIn(node) !== undefined ? { message: 'the object is frozen' } : undefined,
  },
  {
    says: /^(undefined|null) can not be taken apart$/,
    words: ([, nothing], node, text) => {
      const shown = node?.type === 'VariableDeclarator' ? text(node.init ?? undefined) : undefined
      if (shown === undefined || shown === nothing) return undefined
      return { message: `${shown} is ${nothing} and can not be taken apart` }
    },
  },
  {
    says: /^'(.+)' is read-only$/,
    words: ([, name]) => ({ message: `${name} is a constant`, hint: `declare ${name} with let` }),
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
      message: '`in` looks for a key of an object, and this is none',
      hint: 'look into texts and arrays with .includes(…)',
    }),
  },
  { says: /^object is not extensible$/, words: () => ({ message: 'the object is frozen' }) },
  { says: /^cannot convert to object$/, words: () => ({ message: 'undefined or null can not be taken apart' }) },
]

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

/** What methods of other languages are called here. */
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
  get: 'objects have no methods of their own: write x[key]',
  map: 'objects are not arrays: write Object.values(x).map(…)',
  filter: 'objects are not arrays: write Object.values(x).filter(…)',
  forEach: 'objects are not arrays: write Object.entries(x).forEach(…)',
}

function methodHint(name: string | undefined): string | undefined {
  return name !== undefined && Object.hasOwn(METHODS, name) ? METHODS[name] : undefined
}
