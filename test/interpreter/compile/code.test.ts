// Pieces of generated JavaScript keep their structure in the text: acorn parses the text to the same structure, and no
// pair of parentheses is redundant.

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseExpressionAt } from 'acorn'
import { expect, it } from 'vitest'
import * as js from '../../../dist/interpreter/compile/code.js'
import { amount, random } from '../../random.js'

type Code = ReturnType<typeof js.literal>

/** A piece, and the tree that it stands for, in the form of `shape`. */
interface Made {
  readonly code: Code
  readonly shape: string
}

const chance = random()
const infixes = ['|', '^', '&', '===', '<', '>>>', '+', '-', '*', '%'] as const
const leaves: readonly Made[] = [
  { code: js.identifier('v_x', 'variable'), shape: 'v_x' },
  { code: js.literal(5), shape: '5' },
  { code: js.literal(-5), shape: '(- 5)' },
  { code: js.literal('"*/\u2028'), shape: '"\\"*/\u2028"' },
  { code: js.array([]), shape: '[]' },
]

function made(depth: number): Made {
  if (depth === 0) return chance.pick(leaves)
  const [a, b, c] = [made(depth - 1), made(chance.below(depth)), made(chance.below(depth))]
  return chance.pick(makers)(a, b, c)
}

const target = js.identifier('t0', 'temporary')

const makers: readonly ((a: Made, b: Made, c: Made) => Made)[] = [
  (a, b) => {
    const operator = chance.pick(infixes)
    return { code: js.infix(a.code, operator, b.code), shape: `(${a.shape} ${operator} ${b.shape})` }
  },
  // Where several `&&` or `||` are grouped does not matter, and several `??` are never written.
  (a, b) => {
    const operator = chance.pick(['&&', '||', '??'] as const)
    const code = js.infix(js.not(a.code), operator, js.not(b.code))
    return { code, shape: `((! ${a.shape}) ${operator} (! ${b.shape}))` }
  },
  (a) => ({ code: js.not(a.code), shape: `(! ${a.shape})` }),
  (a, b, c) => ({ code: js.choice(a.code, b.code, c.code), shape: `(${a.shape} ? ${b.shape} : ${c.shape})` }),
  (a) => ({ code: js.assign(target, a.code), shape: `(t0 = ${a.shape})` }),
  (a, b) => ({ code: js.sequence([a.code], b.code), shape: `(${a.shape}, ${b.shape})` }),
  (a, b) => ({ code: js.call(a.code, [b.code]), shape: `${a.shape}(${b.shape})` }),
  (a) => ({ code: js.property(a.code, 'length'), shape: `${a.shape}.length` }),
  (a, b) => ({ code: js.element(a.code, b.code), shape: `${a.shape}[${b.shape}]` }),
  (a, b) => ({ code: js.array([a.code, js.spread(b.code)]), shape: `[${a.shape}, ...${b.shape}]` }),
  (a) => ({ code: js.record([['__proto__', a.code]]), shape: `{["__proto__"]: ${a.shape}}` }),
  (a) => ({ code: js.thunk(a.code), shape: `(() => ${a.shape})` }),
]

// biome-ignore lint/suspicious/noExplicitAny: whatever acorn makes
type Node = any

/** A tree with parentheses around every operator. */
function shape(node: Node): string {
  const list = (nodes: readonly Node[]): string => nodes.map(shape).join(', ')
  switch (node.type) {
    case 'Identifier':
      return node.name
    case 'Literal':
      return JSON.stringify(node.value)
    case 'BinaryExpression':
    case 'LogicalExpression':
      return `(${shape(node.left)} ${node.operator} ${shape(node.right)})`
    case 'AssignmentExpression':
      return `(${shape(node.left)} = ${shape(node.right)})`
    case 'UnaryExpression':
      return `(${node.operator} ${shape(node.argument)})`
    case 'ConditionalExpression':
      return `(${shape(node.test)} ? ${shape(node.consequent)} : ${shape(node.alternate)})`
    case 'SequenceExpression':
      return `(${list(node.expressions)})`
    case 'CallExpression':
      return `${shape(node.callee)}(${list(node.arguments)})`
    case 'MemberExpression':
      return shape(node.object) + (node.computed ? `[${shape(node.property)}]` : `.${node.property.name}`)
    case 'ArrayExpression':
      return `[${list(node.elements)}]`
    case 'SpreadElement':
      return `...${shape(node.argument)}`
    case 'ObjectExpression':
      return `{[${shape(node.properties[0].key)}]: ${shape(node.properties[0].value)}}`
    case 'ArrowFunctionExpression':
      return `(() => ${shape(node.body)})`
    default:
      throw new Error(node.type)
  }
}

const parse = (text: string): string => shape(parseExpressionAt(text, 0, { ecmaVersion: 2024 }))

/** The same of a text that may be none. */
function readings(text: string): string | undefined {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}

/** The text without one pair of parentheses, for each pair. An object literal has them wherever it is an operand. */
function* without(text: string): Iterable<string> {
  for (const { index } of text.matchAll(/\((?![){])/g)) {
    let depth = 0
    for (let end = index; end < text.length; end++) {
      if (text[end] === '(') depth++
      else if (text[end] === ')' && --depth === 0) {
        yield text.slice(0, index) + text.slice(index + 1, end) + text.slice(end + 1)
        break
      }
    }
  }
}

it(`is parsed as it was composed (seed ${chance.seed})`, () => {
  for (let i = 0; i < amount(1000, 100_000); i++) {
    const { code, shape: tree } = made(1 + chance.below(4))
    expect(parse(`(${code.text})`), code.text).toBe(tree)
    for (const shorter of without(code.text)) expect(readings(`(${shorter})`), code.text).not.toBe(tree)
  }
})

it('holds program text only in quotes: no other file makes pieces', () => {
  const folder = path.join(import.meta.dirname, '../../../src/interpreter/compile')
  const makers = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .filter((file) => /\bas (?:any|never|unknown|Code|Fragment)\b/.test(readFileSync(path.join(folder, file), 'utf8')))
  expect(makers.sort()).toEqual(['code.ts', 'origins.ts'])
})
