// Where generated text goes: the lines of the block being written, the temporaries and variables of the function around
// it, and the marks of where the text came from.
//
// Expressions become JavaScript expressions. What JavaScript can't do inside one (the loops of a comprehension) is
// written as lines in front of it. Whoever puts two expressions together writes the second one `apart` from the first,
// which is saved in a temporary if lines come between them: everything runs in the order of the source.

import type { NativeMeaning } from '../program.js'
import type { NodeBase } from '../syntax/nodes.js'
import type { Code, Fragment } from './code.js'
import * as js from './code.js'
import { Origins } from './origins.js'

const NOTHING = js.lines([])

/** What a JavaScript function declares. */
interface Frame {
  /** How many temporaries are in use: a statement gives back what it took. */
  used: number
  /** The most that were ever in use. */
  most: number
  readonly variables: Set<Code>
}

export class Writer {
  readonly origins = new Origins()
  readonly #temporaries: Code[] = []
  #lines: Fragment[] = []
  #frame: Frame = { used: 0, most: 0, variables: new Set() }

  line(words: TemplateStringsArray, ...holes: readonly (Code | Fragment)[]): void {
    this.#lines.push(js.fragment(words, ...holes))
  }

  /** Writes lines that were made before. */
  add(text: Fragment): void {
    if (text !== '') this.#lines.push(text)
  }

  /** What `write` writes, as text. */
  capture(write: () => void): Fragment {
    return this.apart(write).before
  }

  /** What `write` makes, and the lines that come before it. */
  apart<T>(write: () => T): { readonly made: T; readonly before: Fragment } {
    const outer = this.#lines
    this.#lines = []
    const made = write()
    const before = this.#lines.length === 0 ? NOTHING : js.lines(this.#lines)
    this.#lines = outer
    return { made, before }
  }

  /** Makes what stands behind pieces that are made already. Those it replaces by temporaries if lines come between. */
  behind<T>(earlier: Code[], write: () => T): T {
    const { made, before } = this.apart(write)
    if (before !== '') {
      for (const [i, code] of earlier.entries()) if (!code.isConstant) earlier[i] = this.save(code)
      this.add(before)
    }
    return made
  }

  // ---- temporaries and variables -------------------------------------------------------------------------------

  temporary(): Code {
    const n = this.#frame.used++
    this.#frame.most = Math.max(this.#frame.most, this.#frame.used)
    return this.#temporaryOf(n)
  }

  /** Gives back the temporaries that `write` takes. */
  releasing(write: () => void): void {
    const { used } = this.#frame
    write()
    this.#frame.used = used
  }

  /** Puts a value into a temporary, by a line. */
  save(value: Code): Code {
    const t = this.temporary()
    this.line`${t} = ${value};`
    return t
  }

  /** The value, to be repeated: saved by a line unless it is simple. */
  saved(value: Code): Code {
    return value.isSimple ? value : this.save(value)
  }

  /** The value, to be repeated: put into a temporary by one of the steps before it, unless it is simple. */
  held(value: Code, steps: Code[]): Code {
    if (value.isSimple) return value
    const t = this.temporary()
    steps.push(js.assign(t, value))
    return t
  }

  /** Declares a variable at the top of the function. */
  declare(variable: Code): void {
    this.#frame.variables.add(variable)
  }

  /** What `write` writes as the body of a JavaScript function, below the declarations of what it uses. */
  inFunction(write: () => void): { readonly declarations: Fragment; readonly body: Fragment } {
    const outer = this.#frame
    this.#frame = { used: 0, most: 0, variables: new Set() }
    const body = this.capture(write)
    const declarations = this.declarations()
    this.#frame = outer
    return { declarations, body }
  }

  /** The declarations at the top of the function; empty where it needs none. */
  declarations(): Fragment {
    const { variables, most } = this.#frame
    const names = [...variables]
    for (let i = 0; i < most; i++) names.push(this.#temporaryOf(i))
    return names.length === 0 ? NOTHING : js.fragment`var ${js.listed(names)};`
  }

  #temporaryOf(n: number): Code {
    return (this.#temporaries[n] ??= js.identifier(`t${n}`, 'temporary'))
  }

  // ---- origins -------------------------------------------------------------------------------------------------

  /** Where the next token came from, and what a native failure there means. */
  mark({ start, end }: NodeBase, native?: NativeMeaning): Fragment {
    return this.origins.mark({ start, end, ...(native === undefined ? {} : { native }) })
  }
}
