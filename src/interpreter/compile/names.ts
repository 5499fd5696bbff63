// The names in generated code: v_… variables of the program, h_… helpers of the prelude, b_… builtins, m_… method
// symbols, k… constants of the whole program, d… constants of a block, s… signatures, L… labels, f_… JavaScript
// functions, p… stacks at calls, and t… temporaries, which the writer counts. No others exist. All of them except the program's own
// variables are declared at the start of the program.

import type { Binding } from '../resolve/index.js'
import type { Formal } from '../universe.js'
import type { Code, Fragment } from './code.js'
import * as js from './code.js'
import type { Facts } from './facts.js'

/** The further forms of a function: for small ints, in steps, and for direct calls in a program that runs ahead. */
export type Form = '$int' | '$steps' | '$direct'

/** The parts of a signature. */
interface SignatureParts {
  readonly name: string
  readonly formal: Formal
  readonly directArity: number
  readonly qualified: string | undefined
  readonly doc: string | undefined
}

/** The parameter through which a program's function receives the prelude. */
export const PRELUDE = js.identifier('$', 'constant')
/** The variable of a `catch`. */
export const CAUGHT = js.identifier('e', 'variable')

export class Names {
  readonly #namespaces: ReadonlySet<string>
  readonly #recursion: boolean
  readonly #variables = new Map<string, Code>()
  readonly #helpers = new Map<string, Code>()
  readonly #builtins = new Map<string, Code>()
  readonly #methods = new Map<string, Code>()
  readonly #constants = new Map<string, { readonly name: Code; readonly value: Code }>()
  readonly #signatures: { readonly name: Code; readonly value: Code }[] = []
  #labels = 0
  #stacks = 0
  #blockConstants = 0

  constructor({ dialect, namespaces }: Facts) {
    this.#recursion = dialect.recursion
    this.#namespaces = namespaces
  }

  /** The variable of a name, or of a further form of the function that the name means. */
  variable(binding: Binding, form: Form | '' = ''): Code {
    const name = binding.js + form
    return named(this.#variables, name, () => js.identifier(name, 'variable'))
  }

  /** A helper of the prelude, by its exported name. */
  helper(name: string): Code {
    return named(this.#helpers, name, () => js.identifier(`h_${name}`, 'constant'))
  }

  builtin(name: string): Code {
    return named(this.#builtins, name, () => js.identifier(`b_${name}`, 'constant'))
  }

  method(name: string): Code {
    return named(this.#methods, name, () => js.identifier(`m_${name}`, 'constant'))
  }

  /** Declares an expression without effects as a constant of the whole program. */
  constant(value: Code): Code {
    const { size } = this.#constants
    return named(this.#constants, value.text, () => ({ name: js.identifier(`k${size}`, 'constant'), value })).name
  }

  /** A constant that the prelude computes when the program starts. */
  made(maker: 'big' | 'bytes' | 'float' | 'module' | 'predeclared', value: Code): Code {
    return this.constant(js.call(js.property(PRELUDE, maker), [value]))
  }

  /** The value of a pre-bound module or a namespace. */
  module(name: string): Code {
    return this.made(this.#namespaces.has(name) ? 'predeclared' : 'module', js.literal(name))
  }

  /** A constant that the current block declares. */
  blockConstant(): Code {
    return js.identifier(`d${this.#blockConstants++}`, 'constant')
  }

  /** A variable for the stack at a call. */
  stack(): Code {
    return js.identifier(`p${this.#stacks++}`, 'variable')
  }

  label(): Code {
    return js.identifier(`L${this.#labels++}`, 'constant')
  }

  /** The JavaScript name of a function. Tracebacks take names from the engine's stack. */
  function(name: string): Code {
    return js.identifier(`f_${name.replace(/[^A-Za-z0-9_]/g, '$')}`, 'constant')
  }

  /** A signature in the guest's form, as a constant of the whole program. */
  signature({ name, formal, directArity, qualified, doc }: SignatureParts): Code {
    const value = js.record([
      ['name', js.literal(name)],
      ['n', js.literal(directArity)],
      ['parameters', js.array(formal.parameters.map(js.literal))],
      ['positional', js.literal(formal.positional)],
      ['positionalOnly', js.literal(formal.positionalOnly)],
      ['required', js.array(formal.required.map(js.literal))],
      ['argsSlot', js.literal(formal.argsSlot)],
      ['kwargsSlot', js.literal(formal.kwargsSlot)],
      ['builtin', js.FALSE],
      ...(this.#recursion ? [] : [['active', js.FALSE] as const]),
      ...(qualified === undefined ? [] : [['qualified', js.literal(qualified)] as const]),
      ...(doc === undefined ? [] : [['doc', js.literal(doc)] as const]),
    ])
    const signature = { name: js.identifier(`s${this.#signatures.length}`, 'constant'), value }
    this.#signatures.push(signature)
    return signature.name
  }

  /** The declarations of all names in use. */
  declarations(): readonly Fragment[] {
    const helpers = [...this.#helpers].map(([name, code]) => js.fragment`${js.identifier(name, 'constant')}: ${code}`)
    const declared = ({ name, value }: { readonly name: Code; readonly value: Code }): Fragment =>
      js.fragment`var ${name} = ${value};`
    const asked = (maker: string, all: ReadonlyMap<string, Code>): Fragment[] =>
      [...all].map(([of, name]) => declared({ name, value: js.call(js.property(PRELUDE, maker), [js.literal(of)]) }))
    return [
      ...(helpers.length === 0 ? [] : [js.fragment`var {${js.listed(helpers)}} = ${js.property(PRELUDE, 'helpers')};`]),
      ...asked('builtin', this.#builtins),
      ...asked('methodSymbol', this.#methods),
      ...[...this.#constants.values(), ...this.#signatures].map(declared),
    ]
  }
}

/** The code for a name, which is made on first use. */
function named<T>(all: Map<string, T>, name: string, make: () => T): T {
  let found = all.get(name)
  if (found === undefined) all.set(name, (found = make()))
  return found
}
