// Collects generated text: the lines of the current block, the temporaries and variables of the enclosing function, and
// the marks of origins.
//
// Expressions become JavaScript expressions. Constructs that JavaScript does not allow inside one (the loops of a
// comprehension) become lines in front of it. Code that combines two expressions writes the second one `apart` from the
// first, which is saved in a temporary if lines come between the two. So everything runs in the order of the source.

import type { NativeMeaning } from '../program.js'
import type { NodeBase } from '../syntax/nodes.js'
import type { Code, Fragment } from './code.js'
import * as js from './code.js'
import { Origins } from './origins.js'

const NOTHING = js.lines([])

/** The declarations of a JavaScript function. */
interface Frame {
  /** The number of temporaries in use. A statement releases its own. */
  used: number
  /** The largest number of temporaries that were in use at once. */
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

  /** Adds lines that were written before. */
  add(text: Fragment): void {
    if (text !== '') this.#lines.push(text)
  }

  /** The text that `write` writes. */
  capture(write: () => void): Fragment {
    return this.apart(write).before
  }

  /** The result of `write`, and the lines that it writes before it. */
  apart<T>(write: () => T): { readonly made: T; readonly before: Fragment } {
    const outer = this.#lines
    this.#lines = []
    const made = write()
    const before = this.#lines.length === 0 ? NOTHING : js.lines(this.#lines)
    this.#lines = outer
    return { made, before }
  }

  /** Makes code that follows existing pieces. If it needs lines, replaces these pieces by temporaries. */
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

  /** Releases the temporaries that `write` takes. */
  releasing(write: () => void): void {
    const { used } = this.#frame
    write()
    this.#frame.used = used
  }

  /** Writes a line that puts a value into a temporary. Returns the temporary. */
  save(value: Code): Code {
    const t = this.temporary()
    this.line`${t} = ${value};`
    return t
  }

  /** The value in a form that can be repeated: itself if it is simple, else a temporary that a line sets. */
  saved(value: Code): Code {
    return value.isSimple ? value : this.save(value)
  }

  /** The value in a form that can be repeated: itself if it is simple, else a temporary that a further step sets. */
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

  /** The text that `write` writes as the body of a JavaScript function, after the declarations of its variables. */
  inFunction(write: () => void): { readonly declarations: Fragment; readonly body: Fragment } {
    const outer = this.#frame
    this.#frame = { used: 0, most: 0, variables: new Set() }
    const body = this.capture(write)
    const declarations = this.declarations()
    this.#frame = outer
    return { declarations, body }
  }

  /** The declarations at the top of the function; may be empty. */
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

  /** The mark for the origin of the next token, and for the meaning of a failure of the engine there. */
  mark({ start, end }: NodeBase, native?: NativeMeaning): Fragment {
    return this.origins.mark({ start, end, ...(native === undefined ? {} : { native }) })
  }
}
