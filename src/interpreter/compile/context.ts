// The state that the generating functions share. It has three owners: `facts`, the proofs that are complete before any
// code is written; `out`, the text and its origins; `names`, the names in generated code. `around` describes the
// surroundings of the code that is being written.

import { ANY, type Type } from '../infer/types.js'
import type { Binding } from '../resolve/index.js'
import type { Expression, Identifier, NodeBase, Statement } from '../syntax/nodes.js'
import type { Code } from './code.js'
import * as js from './code.js'
import type { Facts } from './facts.js'
import { Names } from './names.js'
import { Writer } from './writer.js'

/** The surroundings of the code being written. */
interface Around {
  readonly isFile: boolean
  /** The target of a `break`, if that is not simply the JavaScript loop, because the loop has an `else`. */
  readonly breakLabel: Code | undefined
  /** The exception that a bare `raise` raises again. */
  readonly exception: Code | undefined
  /** The class whose body or method is being written. */
  readonly enclosingClass: { readonly cell: Code; readonly name: string } | undefined
  /** The first parameter of the method being written: the object of `super()`. */
  readonly self: Code | undefined
  /** True in the body of a coroutine. */
  readonly inCoroutine: boolean
  /** True in the body of a generator or a coroutine. */
  readonly runsLater: boolean
  /** True in the body of a task, in which a call of a tool lets other tasks continue. */
  readonly suspends: boolean
  /** The names of the enclosing classes and functions, for qualified names. */
  readonly qualifiers: readonly string[]
  /** The types of expressions, in the version of a function for small ints. */
  readonly types: ReadonlyMap<Expression, Type> | undefined
}

const OUTSIDE: Around = {
  isFile: true,
  breakLabel: undefined,
  exception: undefined,
  enclosingClass: undefined,
  self: undefined,
  inCoroutine: false,
  runsLater: false,
  suspends: false,
  qualifiers: [],
  types: undefined,
}

/** The stages through which these functions call each other. */
interface Stages {
  readonly expression: (g: Generation, e: Expression) => Code
  readonly test: (g: Generation, e: Expression) => Code
  readonly block: (g: Generation, body: readonly Statement[]) => void
  /** Reports an unsupported feature and its replacement. */
  readonly refuse: (node: NodeBase, what: string, instead: string) => void
}

export class Generation {
  readonly facts: Facts
  readonly names: Names
  readonly out = new Writer()
  readonly refuse: Stages['refuse']
  readonly #stages: Stages
  #around = OUTSIDE

  constructor(facts: Facts, stages: Stages) {
    this.facts = facts
    this.names = new Names(facts)
    this.#stages = stages
    this.refuse = stages.refuse
  }

  get around(): Around {
    return this.#around
  }

  /** Writes code with different surroundings. */
  within<T>(around: Partial<Around>, write: () => T): T {
    const outer = this.#around
    this.#around = { ...outer, ...around }
    const made = write()
    this.#around = outer
    return made
  }

  expression(e: Expression): Code {
    return this.#stages.expression(this, e)
  }

  /** An expression as a JavaScript condition. */
  test(e: Expression): Code {
    return this.#stages.test(this, e)
  }

  block(body: readonly Statement[]): void {
    this.#stages.block(this, body)
  }

  /** The type of an expression, in the version of the function that is being written. */
  typeOf(e: Expression): Type {
    const { types } = this.#around
    return types === undefined ? this.facts.inference.typeOf(e) : (types.get(e) ?? ANY)
  }

  bindingOf(e: Identifier): Binding | undefined {
    return this.facts.resolution.bindingOf.get(e)
  }

  /** The variable that a name means. */
  variable(e: Identifier): Code {
    return this.names.variable(this.bindingOf(e)!)
  }

  /** The program's variable `result`, if it has one. */
  get result(): Code | undefined {
    return this.facts.result && this.names.variable(this.facts.result)
  }

  /** A call of a helper of the prelude. A failure of it is reported at `node`. */
  help(helper: string, args: readonly Code[], node?: NodeBase): Code {
    return js.call(this.names.helper(helper), args, node && this.out.mark(node))
  }
}
