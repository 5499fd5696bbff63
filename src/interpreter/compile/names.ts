// What generated code names that is not the program's: v_… variables of the program, t… temporaries, h_… helpers of the
// prelude, b_… builtins, m_… method symbols, k… constants, s… signatures, L… labels. Nothing else comes in. What is
// named is declared at the program's start.

import { quote } from '../quote.js'
import type { Formal } from '../resolve/bind-arguments.js'
import type { Facts } from './facts.js'

export interface Names {
  /** A helper of the prelude, by its exported name. */
  helper(name: string): string
  builtin(name: string): string
  method(name: string): string
  /** Hoists an expression without effects to the program's start. */
  constant(code: string): string
  /** The name of a constant that the block being written declares itself. */
  blockConstant(): string
  /** A signature as the guest keeps it, hoisted to the program's start. */
  signature(name: string, formal: Formal, directArity: number, qualified?: string, doc?: string): string
  /** A pre-bound module or a namespace, as a value. */
  module(name: string): string
  label(): string
}

/** Names for one program, and the lines that declare those that were asked for. */
export function newNames({ dialect, namespaces }: Facts): { readonly names: Names; readonly declared: () => string[] } {
  const helpers = new Set<string>()
  const builtins = new Set<string>()
  const methods = new Set<string>()
  const constants = new Map<string, string>()
  const signatures: string[] = []
  let labels = 0
  let blockConstants = 0
  const noted = (all: Set<string>, prefix: string, name: string): string => {
    all.add(name)
    return `${prefix}_${name}`
  }
  const constant = (code: string): string => {
    const name = constants.get(code) ?? `k${constants.size}`
    constants.set(code, name)
    return name
  }
  const names: Names = {
    helper: (name) => noted(helpers, 'h', name),
    builtin: (name) => noted(builtins, 'b', name),
    method: (name) => noted(methods, 'm', name),
    constant,
    blockConstant: () => `d${blockConstants++}`,
    signature(name, formal, n, qualified, doc) {
      const active = dialect.recursion ? '' : ', active: false'
      signatures.push(
        `{name: ${quote(name)}, n: ${n}, parameters: [${formal.parameters.map(quote).join(', ')}], positional: ${formal.positional}, ` +
          `positionalOnly: ${formal.positionalOnly}, required: [${formal.required.join(', ')}], argsSlot: ${formal.argsSlot}, ` +
          `kwargsSlot: ${formal.kwargsSlot}, builtin: false${active}${qualified === undefined ? '' : `, qualified: ${quote(qualified)}`}${doc === undefined ? '' : `, doc: ${quote(doc)}`}}`,
      )
      return `s${signatures.length - 1}`
    },
    module: (name) => constant(namespaces.has(name) ? `$.predeclared(${quote(name)})` : `$.module(${quote(name)})`),
    label: () => `L${labels++}`,
  }
  const declared = (): string[] => [
    helpers.size === 0 ? '' : `var {${[...helpers].map((h) => `${h}: h_${h}`).join(', ')}} = $.helpers;`,
    ...[...builtins].map((b) => `var b_${b} = $.builtin(${quote(b)});`),
    ...[...methods].map((m) => `var m_${m} = $.methodSymbol(${quote(m)});`),
    ...[...constants].map(([code, name]) => `var ${name} = ${code};`),
    ...signatures.map((s, i) => `var s${i} = ${s};`),
  ]
  return { names, declared }
}
